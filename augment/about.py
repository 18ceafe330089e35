"""Sentences that name one of some terms and speak of a gender: where a model can learn which go together.

In text as found such sentences are rare (they hold one in 24 words of Wikipedia, novels, press releases and dialogue),
so a small model that reads a few million words learns little of what professions go with which gender.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from augment.balance.metadata import Metadata
from augment.neutral import NeutralGate, metadata_forms
from rewriter.text.word_pattern import any_word

__all__ = ["AboutGate"]

#: raised by hand when other sentences are found
ABOUT_VERSION = 1


class AboutGate:
    """Tells whether a text names a term and is not neutral (:class:`augment.neutral.NeutralGate`).

    Args:
        lang: language code.
        metadata: whose neutral words and synonyms are looked for, in the spellings that balancing knows.
        gendered: look for the words of the categories, too: where professions have a gender by themselves (a German
            *Bäcker* names both).

    Raises:
        UsageError: there is no such language.
    """

    def __init__(self, lang: str, metadata: Sequence[Metadata], *, gendered: bool = False) -> None:
        self._term = term_pattern(metadata, lang, gendered=gendered)
        self._neutral = NeutralGate(lang, metadata)

    def __call__(self, text: str) -> bool:
        """Return True if ``text`` names a term and speaks of a gender."""
        return self._term.search(text.lower()) is not None and not self._neutral(text)


def term_pattern(metadata: Sequence[Metadata], lang: str, *, gendered: bool = False) -> re.Pattern[str]:
    """Return what finds the terms of metadata in lower-case text.

    Args:
        metadata: whose neutral words and synonyms are looked for, in the spellings that balancing knows.
        lang: language code.
        gendered: look for the words of the categories, too.
    """
    return any_word({form for one in metadata for form in _term_forms(one, lang, gendered=gendered)})


def _term_forms(metadata: Metadata, lang: str, *, gendered: bool) -> Iterator[str]:
    for form, slots in metadata_forms(metadata, lang).slots.items():
        if any(slot.category < 0 or (gendered and slot.term >= 0) for slot in slots):
            yield form
