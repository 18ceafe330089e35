"""Closing the gap between two genders by made texts of the rarer one.

After Sengupta et al. 2022 ("GenBiT: measure and mitigate gender bias in language datasets"), section 3: texts are
classified by the gender words that they hold (one gender, the other, both, none); the difference between the two
genders is the gap; again and again 10 to 20 % of the rarer gender's texts are drawn at random, their sub-sentences
shuffled, and in the gendered sub-sentences words are replaced by a masked language model, until the gap is closed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from augment.mitigate.masked_lm import Change, Substitution
from augment.mitigate.shuffle import Segment, plain_segments, shuffled
from eval.bias_filter.matcher import GroupMatcher, class_names
from rewriter.errors import MetricError, UsageError

#: texts that are classified together
CHUNK = 8192
#: rounds in a row that may add nothing before the work is given up
PATIENCE = 20
#: how a text was made
OVERSAMPLED, SHUFFLED, SUBSTITUTED = "over-sampling", "shuffling", "masked-lm"


class Text(NamedTuple):
    """A text of the corpus and where it stands (``FILE:LINE`` or an id)."""

    text: str
    origin: str


@dataclass(frozen=True, slots=True)
class Added:
    """A made text.

    Attributes:
        text: what was made.
        group: its class, the minority.
        origin: the text that it was made from.
        round: in which round, from 1.
        methods: what was done to it; over-sampling alone means a copy.
        changes: words that were replaced; ``start`` counts in the shuffled text.
    """

    text: str
    group: str
    origin: str
    round: int
    methods: tuple[str, ...] = (OVERSAMPLED,)
    changes: tuple[Change, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        record: dict[str, Any] = {"text": self.text, "class": self.group, "origin": self.origin, "round": self.round}
        changes = [{"start": c.start, "before": c.before, "after": c.after} for c in self.changes]
        return record | {"methods": list(self.methods), "changes": changes}


@dataclass(frozen=True)
class Options:
    """How the gap is closed.

    Attributes:
        close: share of the gap to close; 1 makes both genders equally frequent.
        oversample: smallest and largest share of the minority's texts that is drawn in a round.
        shuffle: whether sub-sentences are shuffled.
        distinct: refuse a text that stands in the sample or was made already; then the gap may stay open.
        rounds: rounds at most.
        seed: of everything random.

    Raises:
        UsageError: a value lies outside its range.
    """

    close: float = 1.0
    oversample: tuple[float, float] = (0.10, 0.20)
    shuffle: bool = True
    distinct: bool = False
    rounds: int = 100_000
    seed: int = 1

    def __post_init__(self) -> None:
        low, high = self.oversample
        if not 0 < low <= high <= 1:
            raise UsageError(f"oversample takes two shares between 0 and 1, the smaller first, not {low} and {high}")
        if not 0 < self.close <= 1:
            raise UsageError(f"close is a share of the gap, above 0 and at most 1, not {self.close}")
        if self.rounds < 1:
            raise UsageError("there must be at least one round")


@dataclass
class Sample:
    """What a pass over the corpus found.

    Attributes:
        counts: texts per class.
        pools: for each group a random sample of its texts, at most as many as were asked for.
    """

    counts: Counter[str]
    pools: dict[str, list[Text]]

    def minority(self, group: str = "") -> tuple[str, int]:
        """Return the rarer group (or check that ``group`` is it) and by how many texts it is rarer.

        Raises:
            UsageError: there is no such group.
            MetricError: there is no text of the group, so none can be made.
        """
        first, second = self.pools
        if group and group not in self.pools:
            raise UsageError(f"there is no group '{group}'; groups: {first}, {second}")
        rarer = group or min(self.pools, key=lambda name: self.counts[name])
        other = second if rarer == first else first
        gap = max(0, self.counts[other] - self.counts[rarer])
        if gap and not self.pools[rarer]:
            raise MetricError(
                f"the corpus holds {gap:,} texts of the class '{other}' and none of the class '{rarer}': there is "
                "nothing to draw from. Swapping genders or other text is needed here"
            )
        return rarer, gap


def sample_corpus(matcher: GroupMatcher, texts: Iterable[Text], *, pool: int = 100_000, seed: int = 1) -> Sample:
    """Classify a corpus and keep a uniform sample of each gender's texts (reservoir sampling).

    Args:
        matcher: knows two groups.
        texts: the corpus, read once.
        pool: most texts of a group that are kept in memory.
        seed: of the sample.

    Raises:
        UsageError: the matcher does not know exactly two groups.
        MetricError: there is no text.
    """
    if len(matcher.groups) != 2:
        raise UsageError(f"mitigation balances two groups, not {len(matcher.groups)}")
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
    counts: Counter[str] = Counter()
    pools: dict[str, list[Text]] = {name: [] for name in matcher.groups}
    iterator = iter(texts)
    while chunk := list(islice(iterator, CHUNK)):
        names = class_names(matcher.groups, matcher.scan([item.text for item in chunk]).masks)
        for item, name in zip(chunk, names, strict=True):
            counts[name] += 1
            if name in pools:
                _keep(pools[name], item, counts[name], pool, rng)
    if not counts:
        raise MetricError("there is no text to balance: the corpus is empty")
    return Sample(counts, pools)


def _keep(pool: list[Text], item: Text, seen: int, most: int, rng: np.random.Generator) -> None:
    if len(pool) < most:
        pool.append(item)
    else:
        place = int(rng.integers(seen))
        if place < most:
            pool[place] = item


@dataclass
class Mitigator:
    """Makes texts of the minority from a sample of them.

    Attributes:
        matcher: knows the two groups.
        options: how the gap is closed.
        segment: cuts a text into sub-sentences.
        substitution: replaces words, if a model is given.
        counts: what happened, for people; filled while texts are made.
    """

    matcher: GroupMatcher
    options: Options = field(default_factory=Options)
    segment: Segment = plain_segments
    substitution: Substitution | None = None
    counts: Counter[str] = field(default_factory=Counter)

    def make(self, sample: Sample, minority: str = "") -> Iterator[Added]:
        """Yield made texts, round by round, until the gap is closed or nothing new can be made.

        Args:
            sample: what :func:`sample_corpus` found.
            minority: the group of which texts are made (default: the rarer one).

        Raises:
            UsageError: there is no such group.
            MetricError: there is no text to draw from.
        """
        group, gap = sample.minority(minority)
        wanted = round(self.options.close * gap)
        pool = sample.pools[group]
        seen = {text.text for text in pool} if self.options.distinct else set()
        rng = np.random.default_rng(np.random.SeedSequence(self.options.seed, spawn_key=(1,)))
        idle = number = 0
        while wanted > 0 and idle < PATIENCE and number < self.options.rounds:
            number += 1
            made = list(self._round(pool, group, min(wanted, self._size(len(pool), rng)), number, rng))
            if self.options.distinct:
                made = self._new(made, seen)
            wanted -= len(made)
            idle = 0 if made else idle + 1
            yield from made
        self.counts["rounds"] = number
        self.counts["gap left"] = wanted

    def _size(self, pool: int, rng: np.random.Generator) -> int:
        return max(1, round(rng.uniform(*self.options.oversample) * pool))

    def _round(
        self, pool: Sequence[Text], group: str, size: int, number: int, rng: np.random.Generator
    ) -> Iterator[Added]:
        """Draw, shuffle, replace; leave out what has become of another class."""
        drawn = [pool[at] for at in rng.choice(len(pool), size=size, replace=False)]
        texts = [self._shuffle(item.text, rng) if self.options.shuffle else item.text for item in drawn]
        replaced = self._substitute(texts, rng)
        names = class_names(self.matcher.groups, self.matcher.scan([text for text, _ in replaced]).masks)
        for item, mixed, (text, changes), name in zip(drawn, texts, replaced, names, strict=True):
            if name != group:
                self.counts["of another class afterwards"] += 1
                continue
            methods = [OVERSAMPLED, *([SHUFFLED] if mixed != item.text else []), *([SUBSTITUTED] if changes else [])]
            self.counts["+".join(methods)] += 1
            yield Added(text, group, item.origin, number, tuple(methods), tuple(changes))

    def _shuffle(self, text: str, rng: np.random.Generator) -> str:
        return shuffled(text, self.segment(text), rng)

    def _substitute(self, texts: list[str], rng: np.random.Generator) -> list[tuple[str, list[Change]]]:
        """Replace words in the gendered sub-sentences."""
        if self.substitution is None:
            return [(text, []) for text in texts]
        spans = [self.segment(text) for text in texts]
        parts = [text[start:end] for text, inside in zip(texts, spans, strict=True) for start, end in inside]
        masks = iter(self.matcher.scan(parts).masks.tolist())
        gendered = [[span for span in inside if next(masks)] for inside in spans]
        return self.substitution.apply(texts, gendered, rng)

    def _new(self, made: list[Added], seen: set[str]) -> list[Added]:
        new = []
        for added in made:
            if added.text in seen:
                self.counts["repeated"] += 1
                continue
            seen.add(added.text)
            new.append(added)
        return new


def mitigate(
    texts: Sequence[str],
    matcher: GroupMatcher,
    *,
    options: Options | None = None,
    segment: Segment = plain_segments,
    substitution: Substitution | None = None,
) -> list[Added]:
    """Return texts that, added to ``texts``, close the gap between the two groups of ``matcher``.

    Args:
        texts: the corpus; ``origin`` of a made text is the number of its source, from 0.
        matcher: knows two groups.
        options: how the gap is closed.
        segment: cuts a text into sub-sentences.
        substitution: replaces words; None leaves that step out.

    Raises:
        UsageError: ``texts`` is a bare string, or the matcher does not know two groups.
        MetricError: the corpus is empty, or one group is missing in it.
    """
    if isinstance(texts, str):
        raise UsageError("the texts must be a list, not a single string; write [text]")
    options = options or Options()
    corpus = (Text(text, str(number)) for number, text in enumerate(texts))
    sample = sample_corpus(matcher, corpus, pool=max(1, len(texts)), seed=options.seed)
    return list(Mitigator(matcher, options, segment, substitution).make(sample))
