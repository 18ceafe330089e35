"""English rules of control: which edits belong together, and which sentences name a person."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.en.names import names_person, refers_back
from rewriter.records import Edit

__all__ = ["governors", "names_person", "refers_back"]

#: forms that stand before their subject in questions and after *nor*
_AUXILIARY = re.compile(r"(?:is|was|has|does)(?:n['’]t)?", re.IGNORECASE)
_RELATIVE = re.compile(r"\s+(?:who|that|which)\b", re.IGNORECASE)
#: between a verb and the pronoun behind it: white space and markup, *not*
_GAP = re.compile(r"(?:[\s*_]|<[^<>]*>)+(?:not\s+)?", re.IGNORECASE)
#: before a pronoun that has no verb of its own (*taller than he*, *she, not he, knows*)
_ELLIPTIC = re.compile(r"\b(?:not|than|like|but|except)\s+$", re.IGNORECASE)
_BREAK = re.compile(r"""(?:^|[,;:.!?…"“”'‘’»«()—–-])\s*$""")


def governors(sentence: str, edits: Sequence[Edit]) -> list[int]:
    """Return for every edit the index of the pronoun's edit that it follows, -1 for none.

    A clitic follows the pronoun that it is attached to, a verb the nearest subject pronoun: the one right behind it
    where the two are inverted (*is she*, *says he* behind a comma or quotation mark), else the nearest before it, else
    the nearest behind it. A pronoun after *not*, *than*, *like*, *but* or *except* has a verb only right behind it.

    Args:
        sentence: the source.
        edits: of this sentence, in order of their start.
    """
    subjects = [i for i, edit in enumerate(edits) if _is_subject(sentence, edit)]
    return [_governor(sentence, edits, i, subjects) for i in range(len(edits))]


def _is_subject(sentence: str, edit: Edit) -> bool:
    if edit.kind != "pronoun":
        return False
    after = edit.after.lower().strip()
    return after == "they" or (after == "them" and _RELATIVE.match(sentence, edit.end) is not None)


def _governor(sentence: str, edits: Sequence[Edit], index: int, subjects: Sequence[int]) -> int:
    edit = edits[index]
    if edit.kind not in ("verb", "contraction") or not subjects:
        return -1
    before = [i for i in subjects if edits[i].end <= edit.start]
    behind = [i for i in subjects if edits[i].start >= edit.end]
    is_adjacent = bool(before) and _GAP.sub("", sentence[edits[before[-1]].end : edit.start]) == ""
    if edit.kind == "contraction" or is_adjacent:
        return before[-1] if before else behind[0]
    if behind and _is_inverted(sentence, edit, edits[behind[0]]):
        return behind[0]
    full = [i for i in before if _ELLIPTIC.search(sentence, 0, edits[i].start) is None]
    return (full or before or behind)[-1 if before else 0]


def _is_inverted(sentence: str, verb: Edit, pronoun: Edit) -> bool:
    """Tell whether ``pronoun`` right behind ``verb`` is its subject."""
    if _GAP.fullmatch(sentence, verb.end, pronoun.start) is None:
        return False
    return _AUXILIARY.fullmatch(verb.before) is not None or _BREAK.search(sentence, 0, verb.start) is not None
