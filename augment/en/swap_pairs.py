"""Two words of a pair side by side (*he or she*, *men and women*, *his/her*), which turned would say the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rewriter.en.foreign import FUNCTION_WORDS
from rewriter.text.word_pattern import any_word

#: masculine and feminine pronouns that stand beside each other
_PRONOUN_PAIRS = (("he", "she"), ("him", "her"), ("his", "her"), ("his", "hers"), ("himself", "herself"))
#: between the two; a comma only in lists (*men, women and children*)
_JOINING = (
    r"(?:\s*/\s*|\s*&\s*|,?\s+(?:and/or|and|or|nor|versus|vs\.?|as\s+well\s+as|n['’]|'n'|and\s+also)\s+|,\s+"
    r"|-(?:and|or)-)"
)
#: what may stand again before the second
_DETERMINER = r"(?:(?:the|a|an|this|that|these|those|one|my|our|your|their|every|each|any|no|other|both)\s+)?"
_QUOTE = "[\"“”'‘’]"
_SAME = re.compile(r"\b(one|a|every|each|no|two)\s+$")


class PairFinder:
    """Finds the spans of pair forms.

    Args:
        words: word of a table -> (counterpart, kind); of both genders, so that both halves are known.
    """

    def __init__(self, words: Mapping[str, tuple[str, str]]) -> None:
        self._partners: dict[str, set[str]] = {}
        for one, other in [*((word, other.lower()) for word, (other, _) in words.items()), *_PRONOUN_PAIRS]:
            self._partners.setdefault(one, set()).add(other)
            self._partners.setdefault(other, set()).add(one)
        word = any_word(self._partners).pattern
        second = rf"(?=\.?{_QUOTE}?{_JOINING}{_DETERMINER}{_QUOTE}?(?P<second>{word}))"
        self._pattern = re.compile(rf"(?P<first>{word}){second}", re.DOTALL)
        self._bare = re.compile(rf"(?P<first>{word})(?=\s+(?:one|a|every|each|no|two)\s+(?P<second>{word}))", re.DOTALL)

    def side_by_side(self, lower: str) -> Iterator[tuple[int, int]]:
        """Yield the spans of both words of each pair (*he or she*).

        Args:
            lower: a text in lower case.
        """
        for match in self._pattern.finditer(lower):
            if self._are_partners(match) and not _is_owner(lower, match):
                yield from (match.span("first"), match.span("second"))

    def told_twice(self, lower: str) -> Iterator[tuple[int, int]]:
        """Yield the spans of both words of each pair with the same word before both (*one man, one woman*).

        Args:
            lower: a text in lower case.
        """
        for match in self._bare.finditer(lower):
            before = _SAME.search(lower, max(0, match.start() - 8), match.start())
            between = lower[match.end() : match.start("second")].strip()
            if before is not None and before[1] == between and self._are_partners(match):
                yield from (match.span("first"), match.span("second"))

    def _are_partners(self, match: re.Match[str]) -> bool:
        return match["second"] in self._partners.get(match["first"], ())


def _is_owner(lower: str, match: re.Match[str]) -> bool:
    """Return True for two pronouns that only meet: *him and her brother*, *as for him, her hat*."""
    first, second = match["first"], match["second"]
    if (first, second) not in _MEETING:
        return False
    between = lower[match.end("first") : match.start("second")]
    if "," in between:
        return True
    following = _WORD_AFTER.match(lower, match.end("second"))
    return "and" in between and following is not None and following[1] not in FUNCTION_WORDS


_MEETING = frozenset((*_PRONOUN_PAIRS, *((other, one) for one, other in _PRONOUN_PAIRS))) - {("his", "her")}
_WORD_AFTER = re.compile(r"\s+([^\W\d_]+)")
