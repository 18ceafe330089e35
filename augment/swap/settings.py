"""What a user may choose about swapping, and what a language has to offer for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from augment.swap.named import named_by_sentence
from augment.swap.who import WhoIsNamed
from lexicons.loader import TableError, read_table_file
from rewriter.errors import LexiconError, UsageError
from rewriter.language.complete import Defaults, complete
from rewriter.language.interface import Language, find_module, languages_with
from rewriter.language.rules import Rules
from rewriter.model.proposer import Proposer, Sentence
from rewriter.options import one_of
from rewriter.records import Edit

#: which words are turned: those of both genders, or one gender's into the other's
DIRECTIONS = ("both", "to-masculine", "to-feminine")
#: who is turned: everybody, persons that the text names, or all others
PERSONS = ("all", "named", "generic")
#: what becomes of sentences with a fact of biology (*pregnant*, *beard*): they are left as they are, or turned
FACTS = ("leave", "turn")

Rows = tuple[dict[str, str], ...]


@dataclass(frozen=True)
class SwapSettings:
    """How genders are swapped; can be hashed and pickled.

    Attributes:
        direction: one of :data:`DIRECTIONS`.
        names: swap given names by the shipped table of pairs.
        own_names: pairs (feminine, masculine) that come before the shipped ones.
        own_words: pairs (feminine, masculine) of nouns that come before the shipped ones.
        persons: who is turned, one of :data:`PERSONS`.
        facts: what becomes of sentences with a fact of biology, one of :data:`FACTS`.
        titles: turn titles before names (*Mr*, *Mrs*, *Herr*, *Frau*).
        without_rules: names of rules of the language that are left out.

    Raises:
        UsageError: an unknown direction, choice of persons or of facts.
    """

    direction: str = "both"
    names: bool = True
    own_names: tuple[tuple[str, str], ...] = ()
    own_words: tuple[tuple[str, str], ...] = ()
    persons: str = "all"
    facts: str = "leave"
    titles: bool = True
    without_rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        one_of(DIRECTIONS, direction=self.direction)
        one_of(PERSONS, persons=self.persons)
        one_of(FACTS, facts=self.facts)

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

    def named(self, text: str, edits: Sequence[Edit]) -> Sequence[bool]:
        """Return for every edit of a text (in order) whether it turns a person that the text names.

        Raises:
            UsageError: the language cannot tell.
        """
        ...


#: what rules have that leave a member of :class:`SwapRules` out
DEFAULTS: Defaults = {
    "gate_words": lambda rules: None,
    "asks": lambda rules: False,
    "named": lambda rules: _named(rules.language),
    "proposer": lambda rules: partial(_edit_model, rules),
}


def _named(language: Language) -> Callable[[str, Sequence[Edit]], Sequence[bool]]:
    """Return what tells who is named: learned weights where the language has some, else the heuristic by sentence."""
    return WhoIsNamed(language) if WhoIsNamed.knows(language.code) else partial(named_by_sentence, language)


def _edit_model(rules: Any, model: Path, threads: int) -> Proposer:
    from rewriter.model.edit_model import EditModel

    return EditModel.load(model, rules.language, threads=threads)


def get_rules(lang: str, settings: SwapSettings) -> SwapRules:
    """Return the rules of a language.

    Raises:
        UsageError: there are none, one that is left out is unknown, or they cannot tell who is named and ``persons``
            asks for it.
    """
    module = find_module("augment", lang, "swap")
    if module is None:
        known = ", ".join(languages_with("augment", "swap"))
        raise UsageError(f"there are no rules for swapping in the language '{lang}'; there are some for: {known}")
    Rules(lang, settings.without_rules)
    rules: SwapRules = complete(module.make(settings), DEFAULTS)
    if settings.persons != "all":
        rules.named("", ())
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


def names_of(value: Any) -> tuple[bool, tuple[tuple[str, str], ...]]:
    """Return whether given names are swapped, and a user's own pairs of them.

    Args:
        value: ``swap`` or True, ``keep`` or False, or pairs of one's own as :func:`as_pairs` takes them.

    Raises:
        LexiconError: the table cannot be read.
        UsageError: an element is no pair of words.
    """
    if isinstance(value, bool) or value in ("swap", "keep"):
        return value is True or value == "swap", ()
    return True, as_pairs(value)
