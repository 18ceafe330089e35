"""Which edits of a text follow others, so that whoever takes one back takes back those that need it, too."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.language.interface import Language
from rewriter.policy.ambiguity import by_sentence
from rewriter.policy.scope import governors
from rewriter.records import Edit
from rewriter.text.offsets import moved


def followed(text: str, edits: Sequence[Edit], language: Language) -> list[int]:
    """Return for every edit of a text the index of the edit that it follows (a verb its pronoun), -1 for none.

    Args:
        text: the source.
        edits: in the order of the text, offsets in it.
        language: cuts the text into sentences, names the rules.
    """
    spans = language.segment(text) if edits else []
    found: list[int] = []
    for sentence, group in by_sentence(spans, edits).items():
        start, end = spans[sentence]
        own = [moved(edit, -start) for edit in group]
        first = len(found)
        found += [first + leader if leader >= 0 else -1 for leader in governors(text[start:end], own, language.code)]
    return found
