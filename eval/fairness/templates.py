"""Template sets for measuring fairness: made from our own tables, or read as they were published.

Dixon et al. (2018), "Measuring and Mitigating Unintended Bias in Text Classification", section 5.1.1: identity terms
are put into sentence frames whose label does not depend on the term (an Identity Phrase Templates Test Set, IPTTS).
Here every sentence comes twice, about a man and about a woman, so that fairness is measured on groups and on pairs.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from eval.fairness.predictions import Ints, classes
from lexicons.loader import TableError, read_table
from rewriter.errors import InputError, LexiconError, UsageError
from rewriter.io.columns import Columns, read_columns

__all__ = ["TemplateOptions", "make_templates", "read_templates"]

MALE, FEMALE = "male", "female"
#: a name counts as a man's or a woman's when the other gender bears it at most this often in comparison
_NAME_SHARE = 0.02
#: columns of published sets: lower-case name -> what it holds
_PUBLISHED = {
    "text": "text",
    "comment_text": "text",
    "gender": "group",
    "group": "group",
    "identity": "group",
    "label": "label",
    "class": "label",
}
_BAD = {"bad": "1", "not_bad": "0"}


class Template(NamedTuple):
    """One sentence of a template set.

    Attributes:
        text: the sentence.
        group: ``male`` or ``female``; in published sets any identity.
        label: 1 where it attacks the person, else 0.
        pair: number that the two versions of a sentence share; -1 where there is no other version.
        frame: name of the sentence frame; empty in published sets.
    """

    text: str
    group: str
    label: int
    pair: int = -1
    frame: str = ""


@dataclass(frozen=True, slots=True)
class TemplateOptions:
    """What a template set holds.

    Attributes:
        lang: language of the tables.
        pairs: number of pairs, half of them with label 1; None takes all combinations.
        names: number of given names of each gender, the most frequent first.
        seed: of the choice of pairs.
    """

    lang: str = "en"
    pairs: int | None = 5000
    names: int = 30
    seed: int = 1

    def __post_init__(self) -> None:
        if self.names < 0 or (self.pairs is not None and self.pairs < 2):
            raise UsageError("a template set needs at least 2 pairs and no negative number of names")


def make_templates(options: TemplateOptions | None = None) -> list[Template]:
    """Return a template set: both versions of each sentence one after the other, the masculine one first.

    Raises:
        LexiconError: there are no tables for the language.
        UsageError: more pairs are asked for than there are combinations.
    """
    options = options or TemplateOptions()
    plans = list(_plans(options))
    chosen = range(len(plans)) if options.pairs is None else _choose(plans, options.pairs, options.seed)
    made = []
    for pair, number in enumerate(chosen):
        plan = plans[number]
        for group, person in ((MALE, plan.masculine), (FEMALE, plan.feminine)):
            text = _fill(plan.frame, {"person": person, **plan.words})
            made.append(Template(text, group, plan.label, pair, plan.name))
    return made


def template_columns(templates: Sequence[Template]) -> dict[str, list[Any]]:
    """Return a template set as columns of a table: text, group, label, pair, frame."""
    return {name: [getattr(template, name) for template in templates] for name in Template._fields}


def read_templates(path: str | Path, *, identities: Sequence[str] = (), leave_out: bool = False) -> list[Template]:
    """Read a published template set.

    Known are the columns text, gender (or group, identity) and Class (or Label, also BAD and NOT_BAD), in any case.

    Args:
        path: CSV, TSV, JSON lines or Parquet.
        identities: terms that name the groups in a set without such a column; the longest one in a text decides.
        leave_out: texts that hold none of them are left out; else they are an error.

    Raises:
        InputError: the text or label is missing, or a text holds none of the identities.
        UsageError: there is no column of groups and no identities were given.
    """
    table = read_columns(path)
    found = {_PUBLISHED[name.lower()]: name for name in table.columns if name.lower() in _PUBLISHED}
    texts = table.texts(found.get("text", "text"))
    labels = _published_labels(table, found.get("label", "label"))
    if "group" in found:
        groups = table.texts(found["group"])
    elif identities:
        groups = _find_identities(texts, identities, "" if leave_out else table.source)
    else:
        raise UsageError(
            f"{path}: no column of groups (gender, group, identity); name the terms to look for (--identities)"
        )
    return [Template(*row) for row in zip(texts, groups, labels.tolist(), strict=True) if row[1]]


@dataclass(frozen=True, slots=True)
class _Plan:
    name: str
    frame: str
    masculine: str
    feminine: str
    words: Mapping[str, str]
    label: int


def _plans(options: TemplateOptions) -> Iterator[_Plan]:
    try:
        frames = read_table(options.lang, "template_frames")
        rows = read_table(options.lang, "template_words")
        persons = [(row["masculine"], row["feminine"]) for row in read_table(options.lang, "template_persons")]
    except TableError as error:
        raise LexiconError(f"template sets: {error}") from None
    persons += name_pairs(options.lang, options.names)
    words = {slot: [r for r in rows if r["slot"] == slot] for slot in ("quality", "feeling", "profession")}
    for frame in frames:
        slots = [slot for slot in words if f"{{{slot}}}" in frame["frame"]]
        for (man, woman), filling in itertools.product(persons, itertools.product(*(words[slot] for slot in slots))):
            label = next(int(row["label"]) for row in filling if row["label"] != "-")
            chosen = {row["slot"]: row["word"] for row in filling}
            yield _Plan(frame["name"], frame["frame"], man, woman, chosen, label)


def name_pairs(lang: str, number: int) -> list[tuple[str, str]]:
    """Return pairs of a man's and a woman's given name, the most frequent of each together.

    Names that both bear are left out.

    Raises:
        UsageError: the table has not as many.
    """
    found: dict[str, list[tuple[float, str]]] = {MALE: [], FEMALE: []}
    for row in read_table(lang, "given_names"):
        shares = {MALE: float(row["male"]), FEMALE: float(row["female"])}
        gender = max(shares, key=shares.__getitem__)
        if min(shares.values()) <= _NAME_SHARE * shares[gender]:
            found[gender].append((-shares[gender], row["name"].capitalize()))
    if number > min(map(len, found.values())):
        raise UsageError(f"there are not {number} given names of each gender")
    men, women = (sorted(found[gender])[:number] for gender in (MALE, FEMALE))
    return [(man, woman) for (_, man), (_, woman) in zip(men, women, strict=True)]


def _choose(plans: Sequence[_Plan], pairs: int, seed: int) -> list[int]:
    """Return numbers of plans in their order, half of them with label 1 (the odd one has label 0)."""
    rng, chosen = np.random.default_rng(seed), []
    for label, wanted in ((0, pairs - pairs // 2), (1, pairs // 2)):
        pool = [number for number, plan in enumerate(plans) if plan.label == label]
        if wanted > len(pool):
            raise UsageError(f"there are only {2 * len(pool)} combinations, not {pairs}; add names or ask for fewer")
        chosen += rng.choice(pool, size=wanted, replace=False).tolist()
    return sorted(chosen)


def _fill(frame: str, words: Mapping[str, str]) -> str:
    text = frame.format_map(words)
    text = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)
    return text[0].upper() + text[1:]


def _published_labels(table: Columns, column: str) -> Ints:
    values = [_BAD.get(str(value).lower(), value) for value in table.values(column)]
    return classes(Columns(table.source, {column: values}), column)


def _find_identities(texts: Sequence[str], identities: Sequence[str], source: str) -> list[str]:
    """Return the identity of each text; without ``source`` (for the message) the empty name where there is none."""
    ordered = sorted(identities, key=len, reverse=True)
    pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, ordered)) + r")\b", re.IGNORECASE)
    known = {identity.lower(): identity for identity in identities} | {"": ""}
    groups = []
    for row, text in enumerate(texts, 1):
        hits = pattern.findall(text)
        if not hits and source:
            raise InputError(f"{source}: row {row} holds none of the identities that were given")
        groups.append(known[max(hits, key=len, default="").lower()])
    return groups
