"""Sentences in which *they*, once it is singular too, may mean one person or several."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.en.closed_words import FEMININE_PRONOUNS, MASCULINE_PRONOUNS
from rewriter.en.mentions import PLURAL, find_mentions
from rewriter.en.view import View
from rewriter.records import Edit

_OLDER = re.compile(r"\b(?:they|them|their|theirs|themselves|themself)\b", re.IGNORECASE)


def ambiguous(sentence: str, edits: Sequence[Edit], before: str = "") -> str:
    """Return why *they* may mean one or several in a rewritten sentence, or an empty string.

    Args:
        sentence: the source.
        edits: of this sentence.
        before: the sentence before it, empty for none.
    """
    pronouns = [edit for edit in edits if edit.kind == "pronoun"]
    if not pronouns:
        return ""
    words = {edit.before.lower() for edit in pronouns}
    if words & MASCULINE_PRONOUNS and words & FEMININE_PRONOUNS:
        return "two genders become one they"
    changed = {edit.start for edit in edits}
    if any(match.start() not in changed for match in _OLDER.finditer(sentence)):
        return "an older they stands beside the new one"
    first = min(pronouns, key=lambda edit: edit.start)
    groups = [m for m in find_mentions(View(sentence[: first.start])) if m.number == PLURAL]
    if not groups and before and first.before.lower() in ("he", "she"):
        groups = [m for m in find_mentions(View(before)) if m.number == PLURAL]
    return f"a group is named just before ({groups[-1].word})" if groups else ""
