"""Sentences in which *they*, once it is singular too, may mean one person or several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from rewriter.en.closed_words import FEMININE_PRONOUNS, MASCULINE_PRONOUNS
from rewriter.en.groups import find_groups, possessed_group
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
    groups = find_groups(sentence[: first.start])
    if not groups and before and first.before.lower() in ("he", "she"):
        groups = find_groups(before)
    group = groups[-1] if groups else _possessed(sentence, pronouns)
    return f"a group is named just before ({group})" if group else ""


def _possessed(sentence: str, pronouns: Sequence[Edit]) -> str:
    """Return the group that belongs to somebody who is meant again behind it: *his friends wait while he sleeps*."""
    ordered = sorted(pronouns, key=lambda edit: edit.start)
    for edit, later in pairwise(ordered):
        if edit.after.lower() == "their":
            group = possessed_group(sentence[edit.start : later.start])
            if group:
                return group
    return ""
