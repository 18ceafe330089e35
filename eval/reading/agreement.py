"""Do two readers agree? Exact agreement and Cohen's kappa over the sentences that both have read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from eval.reading.gold import GoldSentence
from eval.reading.score import Rate
from eval.signature import signature
from rewriter.errors import MetricError

#: kinds of disagreement
CHANGE_OR_STAY, OTHER_FORM, MORE_OR_FEWER, OTHER_WORDS = (
    "changed by one, left by the other",
    "the same words, other forms",
    "one changes more words",
    "other words",
)


@dataclass(frozen=True)
class Agreement:
    """How far two readings agree.

    Attributes:
        exact: sentences with the same target, of those that both have read.
        kappa: Cohen's kappa (1960, "A coefficient of agreement for nominal scales") on whether a sentence is changed or
            stays; None where both readings put all sentences into one class, so that chance agreement is complete.
        exact_changed: sentences with the same target, of those that a reader changes.
        kinds: kind of disagreement -> sentences.
        alone: sentences that only one of the readings has.
        signature: what it was computed with.
    """

    exact: Rate
    kappa: float | None
    exact_changed: Rate
    kinds: Counter[str] = field(default_factory=Counter)
    alone: int = 0
    signature: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "exact": self.exact.to_dict(),
            "exact_changed": self.exact_changed.to_dict(),
            "kappa": self.kappa,
            "disagreements": dict(self.kinds),
            "alone": self.alone,
            "signature": self.signature,
        }


def agreement(one: Sequence[GoldSentence], other: Sequence[GoldSentence]) -> Agreement:
    """Compare two readings of the same sentences; sentences that one of them did not read are left out and counted.

    Raises:
        MetricError: no sentence was read by both.
    """
    first, second = _by_place(one), _by_place(other)
    pairs = [(first[place], second[place]) for place in first if place in second]
    if not pairs:
        raise MetricError("no sentence was read by both; readings are matched by file, line and place in the line")
    same = [a.edits == b.edits for a, b in pairs]
    changed = [equal for equal, (a, b) in zip(same, pairs, strict=True) if not (a.stays and b.stays)]
    return Agreement(
        exact=Rate(sum(same), len(same)),
        kappa=_kappa([(a.stays, b.stays) for a, b in pairs]),
        exact_changed=Rate(sum(changed), len(changed)),
        kinds=Counter(_kind(a, b) for equal, (a, b) in zip(same, pairs, strict=True) if not equal),
        alone=len(first.keys() ^ second.keys()),
        signature=signature("agreement", n=len(pairs), kappa="cohen", interval="wilson-95"),
    )


def _by_place(sentences: Sequence[GoldSentence]) -> dict[tuple[tuple[str, int, int, int], str], GoldSentence]:
    read = (sentence for sentence in sentences if sentence.edits is not None)
    return {(s.place, s.digest): s for s in read}


def _kappa(classes: Sequence[tuple[bool, bool]]) -> float | None:
    total = len(classes)
    observed = sum(a == b for a, b in classes) / total
    one, other = sum(a for a, _ in classes) / total, sum(b for _, b in classes) / total
    chance = one * other + (1 - one) * (1 - other)
    return (observed - chance) / (1 - chance) if chance < 1 else None


def _kind(one: GoldSentence, other: GoldSentence) -> str:
    if one.stays != other.stays:
        return CHANGE_OR_STAY
    spans = [{(start, end) for start, end, _ in sentence.edits or ()} for sentence in (one, other)]
    if spans[0] == spans[1]:
        return OTHER_FORM
    return MORE_OR_FEWER if spans[0] < spans[1] or spans[1] < spans[0] else OTHER_WORDS
