"""Checks a text's twin by both directions: it must come back byte for byte, by edits that replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augment.swap.core import Swapper
from rewriter.records import Rewrite, apply_edits

UNCHANGED, ASTRAY = "nobody to turn", "does not come back when it is swapped again"


@dataclass(frozen=True, slots=True)
class Checked:
    """A text that was swapped there and back.

    Attributes:
        there: the swapped text with its edits.
        reason: why it makes no twin; empty where it makes one.
    """

    there: Rewrite
    reason: str = ""


def check_twins(texts: Sequence[str], swapper: Swapper) -> list[Checked]:
    """Swap texts and their twins, and return of each whether the two are a pair.

    They are not where nothing is turned, where a person was left out (a fact of biology, a title that stays), or where
    swapping the twin does not give the text.
    """
    there = swapper.swap(list(texts), return_edits=True)
    back = swapper.swap([result.text for result in there])
    return [
        Checked(result, _reason(text, result, again)) for text, result, again in zip(texts, there, back, strict=True)
    ]


def _reason(text: str, result: Rewrite, again: str) -> str:
    if result.left:
        return result.left[0][1].split(":")[0]
    if result.error is not None:
        return result.error.reason
    if not result.edits or result.text == text:
        return UNCHANGED
    if again != text or apply_edits(text, result.edits) != result.text:
        return ASTRAY
    return ""
