"""A tagger of `dolma <https://github.com/allenai/dolma>`_, and the streams of its mixer that replace what is tagged.

The mixer replaces all spans of one type by one phrase. So the type of a span is the phrase that comes there, and only
edits that write one of a list of phrases are tagged; those that need one another (a verb and its pronoun) are tagged
together or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

from dolma import BaseTagger, add_tagger
from dolma.core.data_types import DocResult, Document, Span

from lexicons.loader import read_table
from rewriter.adapters.core import BatchRewriter
from rewriter.language.interface import Language, get_language
from rewriter.policy.followers import followed
from rewriter.records import Edit

__all__ = ["EnglishTagger", "FixedPhraseTagger", "span_replacements", "span_type"]

#: what the bundled English model writes most often, 99 of 100 edits
ENGLISH = frozenset(row["phrase"] for row in read_table("en", "fixed_phrases"))


@cache
def _language(code: str) -> Language:
    """Return a language, made once: that takes longer than reading a short document."""
    return get_language(code)


class FixedPhraseTagger(BaseTagger):  # type: ignore[misc]
    """Tags what is replaced by one of a list of phrases; a subclass names rewriter, language and phrases."""

    rewriter: ClassVar[BatchRewriter]
    lang: ClassVar[str]
    phrases: ClassVar[frozenset[str]]

    def predict(self, doc: Document) -> DocResult:
        """Return a span for each edit that a phrase covers; its type stands for the phrase."""
        (rewrite,) = self.rewriter.rewrite([doc.text])
        return DocResult(doc=doc, spans=[
            Span(start=edit.start, end=edit.end, type=span_type(edit.after), score=edit.score)
            for edit in self.covered(doc.text, rewrite.edits)
        ])  # fmt: skip

    def covered(self, text: str, edits: Sequence[Edit]) -> list[Edit]:
        """Return the edits that the phrases cover, with all that need one another."""
        leaders = followed(text, edits, _language(self.lang))
        heads = [leader if leader >= 0 else number for number, leader in enumerate(leaders)]
        # the mixer loses its place at a span without characters
        out = {head for head, edit in zip(heads, edits, strict=True) if not self._fits(edit)}
        return [edit for head, edit in zip(heads, edits, strict=True) if head not in out]

    def _fits(self, edit: Edit) -> bool:
        return edit.after in self.phrases and edit.end > edit.start and "{}" not in edit.after


@add_tagger("gender_fair_en")
class EnglishTagger(FixedPhraseTagger):
    """The tagger ``gender_fair_en``: the bundled English model and its most frequent phrases."""

    rewriter = BatchRewriter.of("en")
    lang = "en"
    phrases = ENGLISH


def span_type(phrase: str) -> str:
    """Return the type of spans that become a phrase: its letters, other characters by their numbers."""
    return re.sub(r"[^A-Za-z]", lambda match: f"_{ord(match[0]):x}_", phrase)


def span_replacements(
    experiment: str, *, tagger: str = "gender_fair_en", phrases: frozenset[str] = ENGLISH
) -> list[dict[str, Any]]:
    """Return the value of ``span_replacement`` in a stream of the mixer's configuration.

    Args:
        experiment: the name under which the tagger ran (``dolma tag --experiment``).
        tagger: its name.
        phrases: those of the tagger.
    """
    return [
        {"span": f"$.attributes.{experiment}__{tagger}__{span_type(phrase)}", "min_score": 0.0, "replacement": phrase}
        for phrase in sorted(phrases)
    ]
