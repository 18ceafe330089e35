"""Swapping twice: how many of the texts that change come back byte for byte, and what keeps the others from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from augment.swap.core import Swapper
from eval.bootstrap import Interval
from eval.intervals import wilson
from eval.signature import signature
from rewriter.records import Edit

#: texts that are swapped at once
_PART = 500


@dataclass
class Involution:
    """What became of texts that were swapped twice.

    Attributes:
        lang: code of the language.
        texts: all of them.
        changed: those that the first swap changed.
        back: of these, those that the second gave back.
        words: (word, what it became, what stood there at last) of edits that did not come back -> how often.
        examples: (text, swapped, swapped again) of the first that did not come back.
    """

    lang: str
    texts: int = 0
    changed: int = 0
    back: int = 0
    words: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    examples: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def signature(self) -> str:
        """With what the figures were computed."""
        return signature("involution", lang=self.lang, n=self.texts, changed=self.changed, interval="wilson-95")

    @property
    def share_changed(self) -> float:
        """Share of the texts that change, 0 to 1."""
        return self.changed / self.texts if self.texts else 0.0

    @property
    def share_back(self) -> float:
        """Share of the changed texts that come back, 0 to 1; 1 where none changed."""
        return self.back / self.changed if self.changed else 1.0

    def intervals(self) -> tuple[Interval, Interval]:
        """Return the 95 % intervals (Wilson score) of both shares."""
        return wilson(self.changed, self.texts), wilson(self.back, self.changed)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form; examples are left out."""
        changed, back = self.intervals()
        return {
            "lang": self.lang,
            "texts": self.texts,
            "changed": self.changed,
            "share_changed": self.share_changed,
            "share_changed_interval": [changed.low, changed.high],
            "back": self.back,
            "share_back": self.share_back,
            "share_back_interval": [back.low, back.high],
            "words": [{"word": a, "became": b, "then": c, "count": n} for (a, b, c), n in self.words.most_common()],
            "signature": self.signature,
        }


def involution(texts: Iterable[str], swapper: Swapper, lang: str, *, examples: int = 0) -> Involution:
    """Swap texts twice and count.

    Args:
        texts: read once, in parts.
        swapper: swaps both times.
        lang: its language.
        examples: how many texts that do not come back are kept.
    """
    found = Involution(lang)
    for part in _parts(texts):
        once = swapper.swap(part, return_edits=True)
        moved = [(text, result) for text, result in zip(part, once, strict=True) if result.text != text]
        twice = swapper.swap([result.text for _, result in moved], return_edits=True)
        found.texts += len(part)
        found.changed += len(moved)
        for (text, first), second in zip(moved, twice, strict=True):
            if second.text == text:
                found.back += 1
                continue
            found.words.update(_not_back(text, first.edits, second.edits))
            if len(found.examples) < examples:
                found.examples.append((text, first.text, second.text))
    return found


def _parts(texts: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while part := list(islice(rest, _PART)):
        yield part


def _not_back(text: str, first: Sequence[Edit], second: Sequence[Edit]) -> Iterator[tuple[str, str, str]]:
    """Yield (word, what it became, what stands there at last) for every edit whose word is not there again."""
    shift = 0
    undone = {(edit.start, edit.end): edit.after for edit in second}
    for edit in sorted(first, key=lambda e: e.start):
        start = edit.start + shift
        last = undone.pop((start, start + len(edit.after)), edit.after)
        if last != edit.before:
            yield edit.before, edit.after, last
        shift += len(edit.after) - len(edit.before)
    for (start, end), after in undone.items():
        if all(not (e.start <= start < e.end) for e in first):
            yield "", f"(at {start}-{end})", after
