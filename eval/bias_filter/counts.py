"""Counts of sentences per class, which add up, and what they say about a group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eval.bias_filter.matcher import MIXED, NEUTRAL, Scan
from eval.bootstrap import Interval
from eval.intervals import check_level, wilson
from eval.signature import signature
from rewriter.errors import MetricError, UsageError


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole, in percent with its interval; ``percent`` is None where the whole is empty."""

    count: int
    total: int
    percent: float | None
    interval: Interval

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form; never NaN."""
        return {
            "count": self.count,
            "total": self.total,
            "percent": self.percent,
            "low": self.interval.low,
            "high": self.interval.high,
        }


def share_of(count: int, total: int, *, level: float = 95.0) -> Share:
    """Return ``count`` of ``total`` in percent with its Wilson interval."""
    low_high = wilson(count, total, level=level)
    percent = 100 * count / total if total else None
    return Share(count, total, percent, Interval(100 * low_high.low, 100 * low_high.high))


@dataclass
class GroupCounts:
    """How many sentences hold words of which groups, and how many such words there are.

    Attributes:
        groups: names of the groups.
        masks: number of sentences by what they hold; bit ``g`` of the key stands for group ``g``.
        tokens: words found, per group.
        blank: empty lines of files, which are no sentences.
    """

    groups: tuple[str, ...]
    masks: Counter[int] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)
    blank: int = 0

    @property
    def sentences(self) -> int:
        """How many sentences were counted."""
        return sum(self.masks.values())

    def add(self, scan: Scan) -> None:
        """Add what was found in some texts."""
        values, numbers = np.unique(scan.masks, return_counts=True)
        self.masks.update(dict(zip(values.tolist(), numbers.tolist(), strict=True)))
        self.tokens.update(dict(zip(self.groups, scan.tokens.tolist(), strict=True)))

    def merge(self, other: GroupCounts) -> None:
        """Add the counts of another part of the corpus.

        Raises:
            UsageError: the other counts are of other groups.
        """
        if other.groups != self.groups:
            raise UsageError(
                f"counts of {', '.join(other.groups)} cannot be added to those of {', '.join(self.groups)}"
            )
        self.masks.update(other.masks)
        self.tokens.update(other.tokens)
        self.blank += other.blank

    def only(self, group: str) -> int:
        """Return how many sentences hold words of ``group`` and of no other.

        Raises:
            UsageError: there is no such group.
        """
        return self.masks[1 << self._number(group)]

    def holding(self, group: str) -> int:
        """Return how many sentences hold words of ``group``, with or without others."""
        bit = 1 << self._number(group)
        return sum(number for mask, number in self.masks.items() if mask & bit)

    @property
    def neutral(self) -> int:
        """How many sentences hold no word of any group."""
        return self.masks[0]

    @property
    def mixed(self) -> int:
        """How many sentences hold words of several groups."""
        return sum(number for mask, number in self.masks.items() if mask.bit_count() > 1)

    def classes(self) -> dict[str, int]:
        """Return the number of sentences of each class: the groups, ``mixed``, ``neutral``."""
        return {group: self.only(group) for group in self.groups} | {MIXED: self.mixed, NEUTRAL: self.neutral}

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, which :meth:`from_dict` reads: save it, and add the next part of the corpus later."""
        masks = {str(mask): number for mask, number in sorted(self.masks.items()) if number}
        tokens = {group: self.tokens[group] for group in self.groups}
        return {"groups": list(self.groups), "masks": masks, "tokens": tokens, "blank": self.blank}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> GroupCounts:
        """Read the JSON form.

        Raises:
            UsageError: it is none.
        """
        try:
            masks = Counter({int(mask): int(number) for mask, number in record["masks"].items()})
            return cls(tuple(record["groups"]), masks, Counter(record["tokens"]), int(record["blank"]))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise UsageError("these are no saved counts: expected groups, masks, tokens and blank") from None

    def _number(self, group: str) -> int:
        if group not in self.groups:
            raise UsageError(f"there is no group '{group}'; groups: {', '.join(self.groups)}")
        return self.groups.index(group)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a group is spoken of less than another.

    Attributes:
        minority: the group in question.
        majority: the group that it is compared with.
        share: sentences of the minority among those of one of the two groups.
        threshold: share in percent below which the minority counts as under-represented.
        underrepresented: the share lies below the threshold; False where there is no sentence of either group.
        certain: the interval does not hold the threshold, so that chance explains the verdict badly.
    """

    minority: str
    majority: str
    share: Share
    threshold: float
    underrepresented: bool
    certain: bool

    def __str__(self) -> str:
        if self.share.percent is None:
            return f"neither {self.minority} nor {self.majority} is spoken of"
        state = "under-represented" if self.underrepresented else "not under-represented"
        doubt = "" if self.certain else ", which may be chance: the interval holds the threshold"
        return (
            f"{self.minority} against {self.majority}: {self.share.percent:.1f} % of {self.share.total} sentences "
            f"({self.share.interval.low:.1f} to {self.share.interval.high:.1f}), threshold {self.threshold:g} %: "
            f"{state}{doubt}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "minority": self.minority,
            "majority": self.majority,
            "share": self.share.to_dict(),
            "threshold": self.threshold,
            "underrepresented": self.underrepresented,
            "certain": self.certain,
        }


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the counts say: shares of all sentences by class, and a verdict for every group but the majority.

    Attributes:
        counts: what it rests on.
        shares: per class, of all sentences.
        verdicts: one for each minority.
        signature: what was counted, and how.
    """

    counts: GroupCounts
    shares: Mapping[str, Share]
    verdicts: tuple[Verdict, ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "sentences": self.counts.sentences,
            "counts": self.counts.to_dict(),
            "classes": {name: share.to_dict() for name, share in self.shares.items()},
            "verdicts": [verdict.to_dict() for verdict in self.verdicts],
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True)
class Standard:
    """By what a group is judged.

    Attributes:
        threshold: the share in percent, of the sentences that speak of the minority or of the majority alone, below
            which the minority is under-represented; 50 is the original's ``minority < majority``.
        certain: say so only when the whole interval lies below the threshold.
        level: confidence level of the intervals in percent.

    Raises:
        UsageError: threshold or level do not lie between 0 and 100.
    """

    threshold: float = 50.0
    certain: bool = False
    level: float = 95.0

    def __post_init__(self) -> None:
        check_level(self.level)
        if not 0 < self.threshold < 100:
            raise UsageError(f"the threshold is a share in percent between 0 and 100, not {self.threshold}")

    def judge(self, counts: GroupCounts, minority: str, majority: str) -> Verdict:
        """Compare two groups by the sentences that speak of one of them alone."""
        count = counts.only(minority)
        share = share_of(count, count + counts.only(majority), level=self.level)
        certain = bool(share.total) and not share.interval.low <= self.threshold <= share.interval.high
        below = share.percent is not None and share.percent < self.threshold
        return Verdict(minority, majority, share, self.threshold, below and (certain or not self.certain), certain)


def assess(
    counts: GroupCounts,
    *,
    majority: str | None = None,
    minorities: Sequence[str] = (),
    standard: Standard | None = None,
    tokens: str = "words",
) -> Assessment:
    """Return shares with intervals and a verdict for each minority.

    Args:
        counts: what was counted.
        majority: the group to compare with (default: the one with most sentences).
        minorities: the groups to judge (default: all others).
        standard: threshold and confidence.
        tokens: how words were told apart, for the signature.

    Raises:
        MetricError: no sentence was counted.
        UsageError: there is no such group, or one is compared with itself.
    """
    if not counts.sentences:
        raise MetricError("there is no sentence to count: the corpus is empty")
    standard = standard or Standard()
    majority = majority or max(counts.groups, key=counts.only)
    judged = list(minorities) or [group for group in counts.groups if group != majority]
    if majority in judged:
        raise UsageError(f"'{majority}' cannot be minority and majority at once")
    shares = {
        name: share_of(number, counts.sentences, level=standard.level) for name, number in counts.classes().items()
    }
    verdicts = tuple(standard.judge(counts, group, majority) for group in judged)
    signed = signature(
        "bias-filter",
        groups="+".join(counts.groups),
        majority=majority,
        tok=tokens,
        threshold=f"{standard.threshold:g}",
        interval=f"wilson-{standard.level:g}",
        n=counts.sentences,
    )
    return Assessment(counts, shares, verdicts, signed)
