"""Are lists of gendered words complete? A word whose counterpart is missing counts for one gender only.

GenBiT's own lists leave out words as common as French *mère* and German *König*, whose counterparts they hold. Figures
with the published lists stay the default, for comparison; :func:`mended` adds what is missing, under another name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from eval.genbit.lexicon import FEMALE, MALE, Lexicon, entry
from lexicons.loader import TableError, read_table
from rewriter.errors import UsageError

__all__ = ["Gap", "find_gaps", "mended"]


class Gap(NamedTuple):
    """A pair of counterparts and which of them a list does not hold under its gender."""

    feminine: str
    masculine: str
    missing: tuple[str, ...]


def kin_pairs(lang: str) -> list[tuple[str, str]]:
    """Return feminine and masculine counterparts of a language: kin, forms of address, pronouns.

    Raises:
        UsageError: there is no table for the language.
    """
    try:
        return [(row["feminine"], row["masculine"]) for row in read_table(lang, "kin_pairs")]
    except TableError:
        raise UsageError(f"there are no pairs of counterparts for '{lang}', so its lists cannot be checked") from None


def find_gaps(lexicon: Lexicon, pairs: Iterable[tuple[str, str]] | None = None) -> list[Gap]:
    """Return the pairs of which a lexicon lacks one word or both.

    Args:
        lexicon: the lists.
        pairs: feminine and masculine counterparts; those of the lexicon's language by default.

    Raises:
        UsageError: no pairs are given, and there are none for the language.
    """
    known = {group: {word.lower() for word in lexicon.words(group)} for group in (FEMALE, MALE)}
    found = []
    for feminine, masculine in kin_pairs(lexicon.lang) if pairs is None else pairs:
        words = ((feminine, FEMALE), (masculine, MALE))
        missing = tuple(word for word, group in words if entry(word) not in known[group])
        if missing:
            found.append(Gap(feminine, masculine, missing))
    return found


def mended(lexicon: Lexicon) -> Lexicon:
    """Return a lexicon with the words added that :func:`find_gaps` names, unless they stand under the other gender.

    Raises:
        UsageError: there are no pairs of counterparts for its language.
    """
    gaps = find_gaps(lexicon)
    feminine = {entry(gap.feminine) for gap in gaps} - lexicon.words(MALE)
    masculine = {entry(gap.masculine) for gap in gaps} - lexicon.words(FEMALE)
    groups = {**lexicon.groups, FEMALE: lexicon.words(FEMALE) | feminine, MALE: lexicon.words(MALE) | masculine}
    return replace(lexicon, groups=groups, name=f"{lexicon.name}+kin")
