"""Which way the persons of a sentence are turned by its target: feminine to masculine, the other way, or both.

For sets of counterfactual twins. The words that the target puts in the place of others tell: pronouns and pairs of the
language's table ``swap.tsv``, and in German the ending *-in*.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from eval.reading.score import Rate, ReadingScore, ScoredSentence, figures
from eval.significance import McNemar, mcnemar
from lexicons.loader import TableError, read_table
from rewriter.errors import MetricError

#: directions, in the order in which they are shown; ``neither`` is what stays or cannot be told
TO_MASCULINE, TO_FEMININE, BOTH, NEITHER = "feminine to masculine", "masculine to feminine", "both", "neither"
DIRECTIONS = (TO_MASCULINE, TO_FEMININE, BOTH, NEITHER)

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
#: pronouns of one gender; German *ihr* and *sie* tell something only where they are put in or taken out for a person
_PRONOUNS = {
    "en": ("she her hers herself", "he him his himself"),
    "de": (
        "sie ihr ihre ihrer ihrem ihren ihres ihrerseits deren",
        "er ihm ihn sein seine seiner seinem seinen seines dessen",
    ),
}
_GERMAN_FEMININE = re.compile(r"[^\W\d_]{2,}in(?:nen)?")


def direction_of(sentence: ScoredSentence, lang: str) -> str:
    """Return the direction of a read sentence, one of :data:`DIRECTIONS`.

    Args:
        sentence: with the edits of its target.
        lang: code of its language.

    Raises:
        MetricError: the language has no table of pairs.
    """
    feminine, masculine = _words(lang)
    found = set()
    text = sentence.found.text
    for edit in sentence.wanted:
        before, after = _forms(text[edit.start : edit.end]), _forms(edit.after)
        if before & feminine and after & masculine:
            found.add(TO_MASCULINE)
        if before & masculine and after & feminine:
            found.add(TO_FEMININE)
        if lang == "de" and (way := _by_ending(before - after, after - before)):
            found.add(way)
    return BOTH if len(found) > 1 else next(iter(found), NEITHER)


def _forms(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _by_ending(before: set[str], after: set[str]) -> str:
    """Return the direction where only one side has a word with *-in* that the other side has without."""
    old, new = (sum(_GERMAN_FEMININE.fullmatch(word) is not None for word in words) for words in (before, after))
    if bool(old) == bool(new):
        return ""
    return TO_MASCULINE if old else TO_FEMININE


@cache
def _words(lang: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of each gender: feminine, masculine."""
    try:
        rows = read_table(lang, "swap")
    except TableError as error:
        raise MetricError(f"directions need a table of pairs: {error}") from None
    sides = []
    for gender, pronouns in zip(("feminine", "masculine"), _PRONOUNS.get(lang, ("", "")), strict=True):
        columns = [column for column in rows[0] if column == gender or column.startswith((f"{gender}_g", f"{gender}_p"))]
        words = {row[column].lower() for row in rows for column in columns if len(row[column]) > 1}
        sides.append(frozenset(words | set(pronouns.split())))
    return sides[0], sides[1]


def by_direction(score: ReadingScore, lang: str) -> dict[str, dict[str, Rate]]:
    """Return the figures of a system by the direction of the sentences that have one."""
    return {name: figures(part) for name, part in _parts(score.sentences, lang).items() if name != NEITHER}


def compare_by_direction(system: ReadingScore, baseline: ReadingScore, lang: str) -> dict[str, McNemar]:
    """Compare two systems on the sentences of each direction (McNemar's test, exact).

    Args:
        system: scored on the same sentences as ``baseline``.
        baseline: the other system.
        lang: code of their language.
    """
    answers = {one.found.gold.place: one.right for one in baseline.sentences}
    return {
        name: mcnemar((one.right, answers[one.found.gold.place]) for one in part)
        for name, part in _parts(system.sentences, lang).items()
        if name != NEITHER
    }


def _parts(sentences: Sequence[ScoredSentence], lang: str) -> Mapping[str, list[ScoredSentence]]:
    parts: dict[str, list[ScoredSentence]] = {name: [] for name in DIRECTIONS}
    for sentence in sentences:
        parts[direction_of(sentence, lang)].append(sentence)
    return {name: part for name, part in parts.items() if part}
