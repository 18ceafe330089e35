"""German swapping (see :mod:`augment.swap`): candidates by tables, reading by the network, writing by rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from augment.de.swapping.finder import Partner
from augment.de.swapping.lexicon import SwapLexicon
from augment.de.swapping.names import NameFinder
from augment.de.swapping.turner import Persons, Turner
from augment.swap.name_pairs import NamePairs
from augment.swap.settings import Plan, SwapSettings
from lexicons.loader import read_table
from rewriter.de.inflection import FEMININE, MASCULINE
from rewriter.de.segmenter import segment
from rewriter.language.interface import Language, get_language
from rewriter.model.proposer import Sentence
from rewriter.text.offsets import joined
from rewriter.text.word_pattern import any_word

Span = tuple[int, int]

_WORD = re.compile(r"(?<![^\W\d_])[A-ZÄÖÜ][^\W\d_]{2,}")
_PRONOUN = re.compile(
    r"(?<!\w)(?:[Ee]r|[Ii]h[nm]|[Ss]ie|[Ii]hr(?:e[nmrs]?)?|[Ss]ein(?:e[nmrs]?)?|[Ss]einet\w+|[Dd](?:er|ie|en|em|es)jenigen?"
    r"|[Ii]hret\w+|[Ss]einers\w+|[Ii]hrers\w+|ER|IHN|IHM|(?:[Ww]eib|[Mm]änn|[Mm]ütter|[Vv]äter)lich\w{0,4})(?!\w)"
)


#: remembered words
_MOST_KNOWN = 200_000


def make(settings: SwapSettings) -> GermanSwap:
    """Return the rules under some settings."""
    return GermanSwap(settings)


@cache
def _stays() -> re.Pattern[str]:
    return any_word(row["phrase"] for row in read_table("de", "swap_stays"))


class GermanSwap:
    """Swaps German words; what it does is told in ``docs/train/swap.md``.

    Args:
        settings: direction, names, persons, a user's own words.
    """

    #: the words are too many to list, as compounds are found by their last part
    gate_words = None
    #: the network decides who is a person, in which case
    asks = True

    def __init__(self, settings: SwapSettings) -> None:
        self.settings = settings
        self.language: Language = get_language("de")
        self.lexicon = SwapLexicon(settings.own_words)
        self.pairs = NamePairs.of_language("de", settings)
        self.names = NameFinder(self.pairs.known)
        self._persons: dict[str, bool] = {}

    def proposer(self, model: Path, threads: int) -> Turner:
        """Return what decides the documents of plans.

        Raises:
            ModelError: the model or its head is missing or damaged.
        """
        return Turner.load(Persons(self.lexicon, self.names, self._partners, self.settings), model, threads)

    def gate(self, text: str) -> bool:
        """Return True if a text holds a pronoun, a person or a given name."""
        if _PRONOUN.search(text):
            return True
        return any(map(self._is_person, _WORD.findall(text))) or self.names.may_hold(text)

    def _is_person(self, surface: str) -> bool:
        """Return True if a table knows a word as a person; what only looks like one is read beside others only."""
        known = self._persons.get(surface)
        if known is None:
            if len(self._persons) > _MOST_KNOWN:
                self._persons.clear()
            known = self._persons[surface] = self.lexicon.is_person(surface)
        return known

    def segment(self, text: str) -> list[Span]:
        """Return the spans of sentences."""
        return segment(text)

    def plan(self, text: str, protected: Sequence[Span]) -> Plan:
        """Return the whole text as one question: its persons are decided together."""
        lower = text.lower()
        stays = [match.span() for match in _stays().finditer(lower)] if len(lower) == len(text) else []
        return Plan(questions=[(0, Sentence(text, tuple(joined([*protected, *stays]))))])

    def _partners(self, present: set[str]) -> Partner:
        """Return who becomes whom in a document: the same name the same throughout."""
        chosen: dict[str, str] = {}

        def partner(name: str) -> tuple[int, str]:
            gender = FEMININE if self.pairs.known[name] == "feminine" else MASCULINE
            other = self.pairs.partner(name, present, chosen)
            return gender, self.pairs.styled(other) if other else ""

        return partner
