"""Which sentences of a corpus a strategy is given: candidates within length bounds, sampled file by file.

Whether a sentence is in the sample depends on its text, its line, the seed and the rate of its file alone, so the
choice is the same in whatever order and in however many processes the files are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from rewriter.errors import Fault
from rewriter.faults import attempt
from rewriter.io.files import read_raw_lines
from rewriter.runs.shards import RawLine, ShardContext

__all__ = ["Selector"]

#: returns True if a sentence is a candidate (for a strategy); see :func:`wanted`
Wanted = Callable[[str], bool]
Segment = Callable[[str], list[tuple[int, int]]]

#: lines behind this one are counted from every twentieth only
_COUNT_ALL = 1_000
_STEP = 20
#: a small sample is drawn in two steps, lines and then sentences, so that most lines need not be cut into sentences;
#: that many times more lines than sentences keeps sentences of one paragraph from coming together
_LINES_PER_SENTENCE = 4


class LineSentence(NamedTuple):
    """A sentence, the number of the line that it stands in, and the sentence of that line before it."""

    text: str
    line: int
    before: str = ""


@dataclass(frozen=True)
class Bounds:
    """What a sentence must be like.

    Attributes:
        min_words: fewest words (between spaces).
        max_words: most words.
        max_chars: most characters.
    """

    min_words: int = 2
    max_words: int = 80
    max_chars: int = 1000

    def fit(self, text: str) -> bool:
        """Return True if ``text`` lies within the bounds."""
        return len(text) <= self.max_chars and self.min_words <= len(text.split()) <= self.max_words


@dataclass(frozen=True)
class Selector:
    """Picks sentences from lines.

    Attributes:
        segment: cuts a line into sentences.
        wanted: returns True if a sentence is a candidate.
        bounds: lengths.
        rates: share of the candidates to take, by file name; a file that is not named is taken whole.
        seed: of the sample.
        held: (base name of the file, line) of lines that are not read.
    """

    segment: Segment
    wanted: Wanted
    bounds: Bounds = Bounds()
    rates: Mapping[str, float] = field(default_factory=dict)
    seed: int = 1
    held: frozenset[tuple[str, int]] = frozenset()

    def __call__(self, lines: Iterator[RawLine], context: ShardContext) -> Iterator[LineSentence]:
        """Yield the chosen sentences of a shard, each text once; reject lines that are no text."""
        rate = self.rates.get(context.shard.name, 1.0)
        line_rate = min(1.0, _LINES_PER_SENTENCE * rate)
        seen: set[bytes] = set()
        for number, data in lines:
            context.counts["lines"] += 1
            if (context.shard.name, number) in self.held:
                context.counts["lines held out"] += 1
                continue
            if line_rate < 1 and _fraction(_digest(data, self.seed)) >= line_rate:
                continue
            context.counts["lines looked at"] += 1
            text = _decode(data, number, context)
            found = context.attempt(number, lambda line: [*self._with_before(line)], text)
            for sentence, before in found or ():
                context.counts["candidates"] += 1
                digest = _digest(sentence.encode("utf-8"), self.seed)
                if _fraction(digest) * line_rate >= rate:
                    continue
                if digest in seen:
                    context.counts["repeated in shard"] += 1
                    continue
                seen.add(digest)
                context.counts["selected"] += 1
                yield LineSentence(sentence, number, before)

    def candidates(self, text: str) -> Iterator[str]:
        """Yield the candidate sentences of a line."""
        return (sentence for sentence, _ in self._with_before(text))

    def _with_before(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield the candidate sentences of a line, each with the sentence before it."""
        before = ""
        for start, end in self.segment(text) if text else ():
            sentence = text[start:end]
            if self.bounds.fit(sentence) and self.wanted(sentence):
                yield sentence, before
            before = sentence


def _decode(data: bytes, number: int, context: ShardContext) -> str:
    try:
        text = data.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        context.reject(number, f"not UTF-8 ({error.reason} at byte {error.start})")
        return ""
    if "\0" in text:
        context.reject(number, "holds a NUL character, so it is not text")
        return ""
    return text


def _digest(data: bytes, seed: int) -> bytes:
    return blake2b(data, digest_size=8, key=seed.to_bytes(8, "little", signed=True)).digest()


def _fraction(digest: bytes) -> float:
    return int.from_bytes(digest, "little") / 2**64


def sampling_rates(
    paths: Sequence[Path], selector: Selector, *, sample: int | None, max_share: float
) -> dict[str, float]:
    """Return for each file the share of its candidates to take so that about ``sample`` are taken together.

    Large files are counted from every twentieth line, so the sample is met to a few per cent.

    Args:
        paths: the files.
        selector: finds candidates; its rates are not used.
        sample: sentences wanted; None takes all.
        max_share: largest part of the sample from one file (never less than an equal part).
    """
    if sample is None:
        return {}
    counts = {path.name: 0.0 for path in paths}
    for path in paths:
        counts[path.name] += _count(path, selector)
    taken = allocate(counts, sample, max_share)
    return {name: min(1.0, taken[name] / count) if count else 1.0 for name, count in counts.items()}


def _count(path: Path, selector: Selector) -> float:
    """Estimate how many candidates a file holds."""
    total = 0
    for number, data in enumerate(read_raw_lines(path)):
        weight = 1 if number < _COUNT_ALL else _STEP
        if number % weight == 0:
            text = data.decode("utf-8", "replace").rstrip("\r\n")
            # a line on which this fails is listed when its shard is read
            found = attempt(lambda line: [*selector.candidates(line)], text)
            total += 0 if isinstance(found, Fault) else weight * len(found)
    return total


def allocate(counts: Mapping[str, float], sample: float, max_share: float) -> dict[str, float]:
    """Share ``sample`` out in proportion to ``counts``, none above its count or above ``max_share`` of the sample.

    What a capped file leaves goes to the others, again in proportion; ``max_share`` below an equal part counts as
    that part.
    """
    cap = sample * max(max_share, 1 / max(1, len(counts)))
    limits = {name: min(count, cap) for name, count in counts.items()}
    taken = dict.fromkeys(counts, 0.0)
    open_names = {name for name, limit in limits.items() if limit > 0}
    left = min(sample, sum(limits.values()))
    while open_names and left > 1e-9:
        total = sum(counts[name] for name in open_names)
        full = {name for name in open_names if left * counts[name] / total >= limits[name]}
        for name in sorted(full or open_names):
            taken[name] = limits[name] if full else left * counts[name] / total
        if not full:
            break
        left -= sum(limits[name] for name in full)
        open_names -= full
    return taken
