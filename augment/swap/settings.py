"""What a user may choose about swapping, and what a language has to offer for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from lexicons.loader import TableError, read_table_file
from rewriter.errors import LexiconError, UsageError
from rewriter.language.complete import Defaults, complete
from rewriter.language.interface import Language, find_module, languages_with
from rewriter.model.proposer import Proposal, Proposer, Sentence
from rewriter.options import one_of
from rewriter.records import Edit

#: which words are turned: those of both genders, or one gender's into the other's
DIRECTIONS = ("both", "to-masculine", "to-feminine")

#: whose gender turns: everybody's, that of persons with a name, that of the others
PERSONS = ("all", "named", "generic")
#: what becomes of a sentence that tells what one sex only has or does
ONE_SEX = ("leave", "swap")

Rows = tuple[dict[str, str], ...]


@dataclass(frozen=True)
class SwapSettings:
    """How genders are swapped; can be hashed and pickled.

    Attributes:
        direction: one of :data:`DIRECTIONS`.
        names: swap given names by the shipped table of pairs.
        own_names: pairs (feminine, masculine) that come before the shipped ones.
        own_words: pairs (feminine, masculine) of nouns that come before the shipped ones.
        persons: one of :data:`PERSONS`; German only so far.
        one_sex: ``leave`` leaves a sentence that says *schwanger* or the like as it is; one of :data:`ONE_SEX`; German
            only so far.

    Raises:
        UsageError: an unknown direction, kind of persons, or other choice.
    """

    direction: str = "both"
    names: bool = True
    own_names: tuple[tuple[str, str], ...] = ()
    own_words: tuple[tuple[str, str], ...] = ()
    persons: str = "all"
    one_sex: str = "leave"

    def __post_init__(self) -> None:
        one_of(DIRECTIONS, direction=self.direction)
        one_of(PERSONS, persons=self.persons)
        one_of(ONE_SEX, one_sex=self.one_sex)

    @property
    def targets(self) -> tuple[str, ...]:
        """The genders that words are turned to."""
        return ("masculine", "feminine") if self.direction == "both" else (self.direction.removeprefix("to-"),)


@dataclass(slots=True)
class Plan:
    """What is known about a text without a model.

    Attributes:
        edits: with offsets in the text.
        questions: (offset, sentence) of the sentences with pronouns, whose edits a proposer gives.
    """

    edits: list[Edit] = field(default_factory=list)
    questions: list[tuple[int, Sentence]] = field(default_factory=list)


@dataclass(slots=True)
class Decided(Proposal):
    """What a proposer of a language's own decides about a text.

    Attributes:
        left: edits that are not made, each with the reason.
    """

    left: list[tuple[Edit, str]] = field(default_factory=list)


class SwapRules(Protocol):
    """The rules of a language, made by ``augment.<code>.swap.make(settings)``.

    :data:`DEFAULTS` has what may be left out.

    Attributes:
        language: what a model sees of it.
        gate_words: words one of which every text holds in which something is swapped; None where they cannot be listed.
        asks: whether plans hold questions, so that a model is needed.
    """

    language: Language
    gate_words: tuple[str, ...] | None
    asks: bool

    def proposer(self, model: Path, threads: int) -> Proposer:
        """Return what answers the questions of plans, with the model of a directory."""
        ...

    def gate(self, text: str) -> bool:
        """Tell cheaply whether something in ``text`` may be swapped."""
        ...

    def plan(self, text: str, protected: Sequence[tuple[int, int]]) -> Plan:
        """Return the edits of a text and the sentences that a model has to look at."""
        ...


#: what rules have that leave a member of :class:`SwapRules` out
DEFAULTS: Defaults = {
    "gate_words": lambda rules: None,
    "asks": lambda rules: False,
    "proposer": lambda rules: partial(_edit_model, rules),
}


def _edit_model(rules: Any, model: Path, threads: int) -> Proposer:
    from rewriter.model.edit_model import EditModel

    return EditModel.load(model, rules.language, threads=threads)


def get_rules(lang: str, settings: SwapSettings) -> SwapRules:
    """Return the rules of a language.

    Raises:
        UsageError: there are none.
    """
    module = find_module("augment", lang, "swap")
    if module is None:
        known = ", ".join(languages_with("augment", "swap"))
        raise UsageError(f"there are no rules for swapping in the language '{lang}'; there are some for: {known}")
    rules: SwapRules = complete(module.make(settings), DEFAULTS)
    return rules


def read_pairs(path: str | Path) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a user's table with the columns ``feminine`` and ``masculine``; others are ignored.

    Raises:
        LexiconError: the table cannot be read, or lacks a column.
    """
    try:
        rows = read_table_file(path)
    except TableError as error:
        raise LexiconError(str(error)) from None
    for row in rows:
        if not row.get("feminine") or not row.get("masculine"):
            raise LexiconError(
                f"{path}: a table of pairs has a header row with the columns 'feminine' and 'masculine', filled in "
                f"every row; its columns are {', '.join(row)}"
            )
    return tuple((row["feminine"], row["masculine"]) for row in rows)


def as_pairs(value: Any) -> tuple[tuple[str, str], ...]:
    """Return pairs given as a path, as pairs, or not at all (None).

    Raises:
        LexiconError: the table cannot be read.
        UsageError: an element is no pair of words.
    """
    if value is None:
        return ()
    if isinstance(value, str | Path):
        return read_pairs(value)
    pairs = tuple(tuple(pair) for pair in value)
    for pair in pairs:
        if len(pair) != 2 or not all(isinstance(word, str) and word.strip() for word in pair):
            raise UsageError(f"pairs are (feminine, masculine), two words each, not {pair!r}")
    return tuple((pair[0], pair[1]) for pair in pairs)
