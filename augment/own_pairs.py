"""Pairs of somebody's own: what they are, and that they are not lost without a word.

A pair that says nothing but ``source`` and ``target`` is one (:data:`rewriter.records.OWN`). Stages count what they
leave out of them, and why, and stop where that would be more than a tenth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rewriter.errors import UsageError
from rewriter.records import OWN, Pair

#: share of own pairs beyond which a stage stops
MOST_DROPPED = 0.1
#: what forms of own pairs are called
_CALLED = {"mixed": "gendered", "neutral": "neutral copies", "fair": "in another form"}


class OwnPairs:
    """Counts own pairs and those that are left out."""

    def __init__(self) -> None:
        self.forms: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()

    def add(self, pair: Pair) -> None:
        """Count a pair that came in."""
        if pair.strategy == OWN:
            self.forms[_CALLED.get(pair.form, pair.form)] += 1

    def leave_out(self, pair: Pair, reason: str) -> None:
        """Count a pair that is left out."""
        if pair.strategy == OWN:
            self.left_out[reason] += 1

    def counts(self) -> dict[str, Any]:
        """Return the counts for a manifest; nothing where no pair was somebody's own."""
        if not self.forms:
            return {}
        left = {"own left out": dict(sorted(self.left_out.items()))} if self.left_out else {}
        return {"own": dict(sorted(self.forms.items())), **left}

    def check(self, stage: str, most: float, option: str) -> None:
        """Stop where too many are left out.

        Args:
            stage: that leaves them out.
            most: share that may be left out.
            option: by which more is allowed.

        Raises:
            UsageError: names how many, why, and the option.
        """
        dropped, total = self.left_out.total(), self.forms.total()
        if dropped <= most * total or most >= 1:
            return
        raise UsageError(
            f"{stage}: {dropped:,} of your {total:,} own pairs would be left out ({told(self.left_out)}), more than "
            f"{most:.0%}; change what leaves them out, or allow it with {option}=1"
        )


def told(counts: Mapping[str, int]) -> str:
    """Return counts for people, the largest first: ``too long 1,200, repeated 3``."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count:,}" for name, count in ordered)


def left_out_lines(counts: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines for people about what a stage found in own pairs and what it left out of any.

    Args:
        counts: of the stage's manifest.
    """
    own = counts.get("own")
    if own:
        yield f"{sum(own.values()):,} own pairs: {told(own)}"
    parts = {"own pairs left out": counts.get("own left out"), "left out": _left_out(counts)}
    for name, found in parts.items():
        if found:
            yield f"{sum(found.values()):,} {name}: {told(found)}"
    if counts.get("rejected"):
        yield f"{counts['rejected']:,} lines that are no pairs left out; they are listed in rejects.jsonl"


def _left_out(counts: Mapping[str, Any]) -> dict[str, int]:
    """Return reason -> how many, however the stage wrote it down."""
    if isinstance(counts.get("left out"), Mapping):
        return dict(counts["left out"])
    if isinstance(counts.get("reasons"), Mapping):
        return {reason: count for reason, count in counts["reasons"].items() if reason != "kept"}
    if counts.get("pairs_too_long"):
        return {"too long for max_length": counts["pairs_too_long"]}
    heads = ("left out: ", "dropped: ")
    return {
        key.removeprefix(head): count
        for key, count in counts.items()
        for head in heads
        if key.startswith(head) and isinstance(count, int) and count
    }
