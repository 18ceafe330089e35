"""English rules of control: which edits belong together, and which sentences name a person."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from rewriter.en.ambiguity import ambiguous
from rewriter.en.kept_spans import kept_spans
from rewriter.en.names import names_person, refers_back
from rewriter.records import Edit

__all__ = ["ambiguous", "governors", "kept_spans", "names_person", "refers_back"]

#: forms that stand before their subject in questions and after *nor*
_AUXILIARY = re.compile(r"(?:is|was|has|does|are|were|have|do)(?:n['’]t)?", re.IGNORECASE)
#: what a pronoun that may have verbs becomes, on the way to singular they and back
_SUBJECTS = ("they", "he", "she")
#: these only before a relative clause (*him who lies*)
_OBJECTS = ("them", "him", "her")
_RELATIVE = re.compile(r"\s+(?:who|that|which)\b", re.IGNORECASE)
#: between a verb and the pronoun behind it: white space and markup, *not*
_GAP = re.compile(r"(?:[\s*_]|<[^<>]*>)+(?:not\s+)?", re.IGNORECASE)
#: before a pronoun that has no verb of its own (*taller than he*, *she, not he, knows*)
_ELLIPTIC = re.compile(r"\b(?:not|than|like|but|except)\s+$", re.IGNORECASE)
_NO_VERB = re.compile(r"\s*(?:[^\w\s*_<]|(?:and|or|but)\b|$)", re.IGNORECASE)
#: before an inverted verb of another clause (*..., says he*)
_BREAK = re.compile(r"""(?:^|[,;:.!?…"“”'‘’»«()—–-])\s*$""")

#: characters, or pronouns, to look back
_LOOK = 32


def governors(sentence: str, edits: Sequence[Edit]) -> list[int]:
    """Return for every edit the index of the pronoun's edit that it follows, -1 for none.

    A clitic follows the pronoun that it is attached to, a verb the nearest subject pronoun: the one right behind it
    where the two are inverted (*is she*, *says he* behind a comma or quotation mark), else the nearest before it, else
    the nearest behind it. A pronoun after *not*, *than*, *like*, *but* or *except* that ends its phrase has none
    (*taller than he*).

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
    # on the way back (they -> she) the pronoun before tells
    return "they" in (after, edit.before.lower()) or (
        after == "them" and _RELATIVE.match(sentence, edit.end) is not None
    )


def _governor(sentence: str, edits: Sequence[Edit], index: int, subjects: Sequence[int]) -> int:
    edit = edits[index]
    if edit.kind not in ("verb", "contraction") or not subjects:
        return -1
    place = bisect_left(subjects, index)
    behind = subjects[place] if place < len(subjects) else -1
    if not place:
        return behind
    nearest = subjects[place - 1]
    gap = sentence[edits[nearest].end : min(edit.start, edits[nearest].end + _LOOK)]
    if edit.kind == "contraction" and edit.start - edits[nearest].end > 1 and behind >= 0:
        return behind  # what's he doing
    if edit.kind == "contraction" or not _GAP.sub("", gap):
        return nearest
    if behind >= 0 and _is_inverted(sentence, edit, edits[behind]):
        return behind
    before = reversed(subjects[max(0, place - _LOOK) : place])
    return next((i for i in before if not _is_elliptic(sentence, edits[i])), nearest)


def _is_elliptic(sentence: str, pronoun: Edit) -> bool:
    begin = max(0, pronoun.start - _LOOK)
    return bool(_ELLIPTIC.search(sentence, begin, pronoun.start) and _NO_VERB.match(sentence, pronoun.end))


def _is_inverted(sentence: str, verb: Edit, pronoun: Edit) -> bool:
    """Return True if ``pronoun`` right behind ``verb`` is its subject."""
    if pronoun.start - verb.end > _LOOK:
        return False
    if _GAP.fullmatch(sentence, verb.end, pronoun.start) is None:
        return False
    return (
        _AUXILIARY.fullmatch(verb.before) is not None
        or _BREAK.search(sentence, max(0, verb.start - _LOOK), verb.start) is not None
    )
