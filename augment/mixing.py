"""Mixes pairs into a training and a development set without leakage between them.

After Amrhein et al. 2023 (section 3.2, appendix A): gendered pairs as they are, fair targets as copies of themselves
and sentences in which nothing is to be rewritten, 30 % of the whole. The development set is cut off by documents
(blocks of consecutive lines, where a pair tells its line), and what resembles one of its sentences is taken out of the
training set. Nothing is held in memory but the development set and one bucket of the shuffle.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from augment.own_pairs import MOST_DROPPED, OwnPairs
from augment.sources import pair_files
from rewriter.errors import OutputError, UsageError
from rewriter.io.files import file_digest, read_pairs, write_json, write_pairs
from rewriter.options import check_share
from rewriter.records import Pair
from rewriter.runs.manifest import Manifest
from rewriter.runs.resume import run_in

__all__ = ["MixConfig", "mix"]

#: raised by hand when another mixture comes out
STAGE_VERSION = 2
TRAIN, DEV = "train.jsonl.zst", "dev.jsonl.zst"
#: consecutive lines of a file that count as one document
BLOCK_LINES = 100
_FEW_BLOCKS = 100
#: texts are alike when this part of their word sequences (Jaccard) is the same
ALIKE = 0.5
_SHINGLE = 4
COPY = "copy"
_TEMPORARY = ".mix-"
_BUCKET = 50_000
_ORIGIN = re.compile(r"(?P<file>.+):(?P<line>\d+)")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class MixConfig:
    """How much of what.

    Attributes:
        neutral_share: part of the whole that are sentences with nothing to rewrite; fewer where there are not so many.
            Look-alikes (neutral, but of another strategy than ``copy``) are all taken and count for it.
        fair_copies: part of the fair targets that also appear as pairs of themselves (0: none, 1: each once).
        dev_size: pairs of the development set; never more than a tenth of all.
        drop_doubtful: leave out pairs that the rules were not sure of.
        limits: most pairs by strategy (``forward: 100000``).
        weights: how often a pair of a strategy is taken (0.5: every other, 2: twice), after the limits.
        seed: of samples and shuffle.
        most_dropped: share of somebody's own pairs (that say nothing but ``source`` and ``target``) that may be left
            out; beyond it the stage stops. 1 never stops.
    """

    neutral_share: float = 0.3
    fair_copies: float = 1.0
    dev_size: int = 2000
    drop_doubtful: bool = False
    limits: dict[str, int] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    seed: int = 1
    most_dropped: float = MOST_DROPPED

    def __post_init__(self) -> None:
        check_share(zero=True, one=True, most_dropped=self.most_dropped)
        check_share(zero=True, neutral_share=self.neutral_share)
        check_share(zero=True, one=True, fair_copies=self.fair_copies)
        if self.dev_size < 0 or any(n < 0 for n in (*self.limits.values(), *self.weights.values())):
            raise UsageError("dev_size, limits and weights must not be negative")


def mix(config: MixConfig, *, inputs: Sequence[str | Path], output: str | Path, fresh: bool = False) -> Manifest:
    """Write ``train.jsonl.zst``, ``dev.jsonl.zst`` and ``stats.json`` into ``output``.

    Args:
        config: shares, limits, size of the development set.
        inputs: files of pairs, or folders that earlier stages wrote; those of form ``neutral`` are the sentences with
            nothing to rewrite.
        output: folder.
        fresh: begin anew where another run's result stands.

    Raises:
        InputError: an input is missing, or no file of pairs.
        ResumeError: ``output`` belongs to another run.
        UsageError: no pair is left, or too many of somebody's own pairs would be left out.
    """
    folder, paths = Path(output), pair_files(inputs)
    identity: dict[str, Any] = {"stage version": STAGE_VERSION}
    identity |= {f"option {key}": value for key, value in asdict(config).items() if key != "most_dropped"}
    identity |= {f"input {number} {path.name}": file_digest(path) for number, path in enumerate(paths)}
    with run_in(folder, "mix", identity, fresh=fresh) as run:
        if run.is_done:
            return run.manifest
        for left_behind in folder.glob(f"{_TEMPORARY}*"):
            shutil.rmtree(left_behind)
        with _told(folder):
            run.manifest.counts = _Mixer(config, paths).write(folder)
        write_json(folder / "stats.json", {"stage": "mix", **run.manifest.counts})
    return run.manifest


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """Turn a failing write of a bucket into a message."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written ({error.strerror or error})") from error


# ---------------------------------------------------------------- plan


def is_neutral(pair: Pair) -> bool:
    """Return True if nothing is rewritten in the pair because there is nothing to rewrite."""
    return pair.form == "neutral"


def is_plain(pair: Pair) -> bool:
    """Return True if the pair is an ordinary sentence with nothing to rewrite (look-alikes are always wanted)."""
    return is_neutral(pair) and pair.strategy == COPY


def block_of(pair: Pair, lines: int = BLOCK_LINES) -> str:
    """Return the document that a pair comes from: a block of lines, its id, or (unknown) one of many piles of texts."""
    match = _ORIGIN.fullmatch(pair.origin)
    if match:
        return f"{match['file']}:{int(match['line']) // lines}"
    return pair.origin or f"text {int(_fraction(normalise(pair.target), 0) * 4096)}"


def normalise(text: str) -> str:
    """Return the words of a text in lower case; targets are fair, so the variants of one sentence become the same."""
    return " ".join(_WORD.findall(text.lower().replace("themselves", "themself")))


def _fraction(text: str, seed: int) -> float:
    """Return a number between 0 and 1 that depends on text and seed alone."""
    key = seed.to_bytes(8, "little", signed=True)
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8, key=key).digest(), "little") / 2**64


@dataclass
class _Plan:
    """What the first reading finds out.

    Attributes:
        rates: how often a pair of a strategy is taken.
        copy_rate: how often a plain sentence with nothing to rewrite is taken (times the rate of its strategy).
        dev_blocks: documents of the development set.
        block_lines: how many lines make a document.
        dev_size: its pairs.
        expected: about how many pairs come out.
    """

    rates: dict[str, float]
    copy_rate: float
    dev_blocks: set[str]
    block_lines: int
    dev_size: int
    expected: float

    def rate(self, pair: Pair) -> float:
        """Return how often ``pair`` is taken."""
        return self.rates[pair.strategy] * (self.copy_rate if is_plain(pair) else 1.0)

    def is_dev(self, pair: Pair) -> bool:
        """Return True if ``pair`` comes from a document of the development set."""
        return block_of(pair, self.block_lines) in self.dev_blocks


class _Census:
    """Counts what the first reading meets."""

    def __init__(self, config: MixConfig) -> None:
        self.config = config
        self.strategies: Counter[str] = Counter()
        self.targets: Counter[str] = Counter()
        self.special: Counter[str] = Counter()
        self.plain: Counter[str] = Counter()
        self.blocks: Counter[str] = Counter()
        self.lines: Counter[str] = Counter()
        self._before = ""

    def add(self, pair: Pair) -> None:
        """Count one pair."""
        self.blocks[block_of(pair)] += 1
        if len(self.blocks) <= _FEW_BLOCKS:
            self.lines[block_of(pair, 1)] += 1
        self.strategies[pair.strategy] += 1
        if is_plain(pair):
            self.plain[pair.strategy] += 1
        elif is_neutral(pair):
            self.special[pair.strategy] += 1
        else:
            self.targets[pair.strategy] += pair.target != self._before
            self._before = pair.target

    def plan(self) -> _Plan:
        """Return what follows from the counts."""
        if not self.blocks:
            raise UsageError(
                "mix: the inputs hold no pair that may be used; look at their rejects and at 'limits', 'drop_doubtful'"
            )
        rates = {name: self._rate(name, count) for name, count in self.strategies.items()}
        neutral = self.special + self.plain
        gendered = self.strategies - neutral
        total = _weigh(gendered, rates)
        total += self.config.fair_copies * sum(n * min(1.0, rates[name]) for name, n in self.targets.items())
        special, plain = _weigh(self.special, rates), _weigh(self.plain, rates)
        wanted = max(0.0, total * self.config.neutral_share / (1 - self.config.neutral_share) - special)
        # Without gendered pairs (a set of negatives) there is nothing that the share could refer to.
        copy_rate = min(1.0, wanted / plain) if plain and total else 1.0
        expected = total + special + plain * copy_rate
        size, distinct = min(self.config.dev_size, int(expected) // 10), expected
        if max(rates.values()) > 1:  # repeated pairs are no more lines: the development part must leave most of them
            distinct = min(expected, sum(self.blocks.values()))
            size = min(size, int(distinct) // 10)
        # In a small corpus blocks would be too coarse a measure: there every line is a document.
        blocks, lines = (self.blocks, BLOCK_LINES) if len(self.blocks) > _FEW_BLOCKS else (self.lines, 1)
        return _Plan(rates, copy_rate, self._dev_blocks(blocks, size, distinct), lines, size, expected)

    def _rate(self, strategy: str, count: int) -> float:
        limit = self.config.limits.get(strategy, count)
        return min(1.0, limit / count) * self.config.weights.get(strategy, 1.0)

    def _dev_blocks(self, blocks: Counter[str], size: int, expected: float) -> set[str]:
        """Return documents in random order until they hold enough pairs.

        Some pairs of a document will not be taken, others come with a copy; a tenth more than on average is enough.
        """
        chosen: set[str] = set()
        held, wanted = 0, 1.1 * size * sum(blocks.values()) / max(expected, 1.0)
        for block in sorted(blocks, key=lambda name: (_fraction(name, self.config.seed), name)):
            if held >= wanted:
                break
            chosen.add(block)
            held += blocks[block]
        return chosen


def _weigh(counts: Counter[str], rates: dict[str, float]) -> float:
    return sum(count * rates[name] for name, count in counts.items())


class _Mixer:
    """Reads the pairs twice: to count, then to deal them out."""

    def __init__(self, config: MixConfig, paths: Sequence[Path]) -> None:
        self.config, self.paths = config, paths
        self.left_out: Counter[str] = Counter()
        self.own = OwnPairs()

    def write(self, folder: Path) -> dict[str, Any]:
        """Write both sets; return the counts."""
        census = _Census(self.config)
        for pair in self._usable(Counter()):
            census.add(pair)
            self.own.add(pair)
        plan = census.plan()
        dev: list[Pair] = []
        trained: Counter[str] = Counter()
        developed: Counter[str] = Counter()
        with tempfile.TemporaryDirectory(prefix=_TEMPORARY, dir=folder) as name:
            buckets = Buckets(Path(name), plan.expected, self.config.seed)
            buckets.fill(self._without_dev(plan, dev))
            dev = self._cut(dev, plan.dev_size)
            alike = Neighbours(pair.target for pair in dev)
            write_pairs(folder / TRAIN, _count(self._unlike(buckets, alike), trained))
            self.own.check("mix", self.config.most_dropped, "mix.most_dropped")
            write_pairs(folder / DEV, _count(dev, developed))
        if not trained:
            raise UsageError("mix: no pair is left for training; give more pairs, or a smaller dev_size")
        return {
            "train": trained.total(),
            "dev": developed.total(),
            "train kinds": dict(sorted(trained.items())),
            "dev kinds": dict(sorted(developed.items())),
            "left out": dict(sorted(self.left_out.items())),
            **self.own.counts(),
        }

    # ------------------------------------------------------------ deal

    def _usable(self, left_out: Counter[str]) -> Iterator[Pair]:
        for path in self.paths:
            for pair in read_pairs(path):
                if self.config.drop_doubtful and pair.doubtful:
                    left_out["doubtful"] += 1  # which own pairs are not: they mark nothing
                else:
                    yield pair

    def _taken(self, plan: _Plan) -> Iterator[Pair]:
        """Yield the pairs of the mixture with their fair copies, in the order of the inputs."""
        seed, before = self.config.seed, ""
        for number, pair in enumerate(self._usable(self.left_out)):
            rate = plan.rate(pair)
            times = int(rate) + (_fraction(f"{number}", seed) < rate % 1)
            if not times:
                self._leave_out(pair, "over the share or limit")
            yield from [pair] * times
            if not is_neutral(pair) and pair.target != before:
                before = pair.target
                if _fraction(f"fair {number}", seed) < self.config.fair_copies * min(1.0, rate):
                    yield Pair(pair.target, pair.target, pair.lang, COPY, "fair", pair.origin)

    def _without_dev(self, plan: _Plan, dev: list[Pair]) -> Iterator[Pair]:
        for pair in self._taken(plan):
            if plan.is_dev(pair):
                dev.append(pair)
            else:
                yield pair

    def _cut(self, dev: list[Pair], size: int) -> list[Pair]:
        """Return ``size`` pairs of the development blocks, each once; the others are not used at all."""
        unique = {(pair.source, pair.target): pair for pair in dev}
        order = sorted(unique, key=lambda texts: (_fraction("\n".join(texts), self.config.seed), texts))
        for texts in order[size:]:
            self._leave_out(unique[texts], "rest of development documents")
        if len(dev) > len(order):
            self.left_out["repeated in development documents"] = len(dev) - len(order)
        return [unique[texts] for texts in order[:size]]

    def _unlike(self, pairs: Iterable[Pair], alike: Neighbours) -> Iterator[Pair]:
        for pair in pairs:
            if alike.holds(pair.target):
                self._leave_out(pair, "like a development sentence")
            else:
                yield pair

    def _leave_out(self, pair: Pair, reason: str) -> None:
        self.left_out[reason] += 1
        self.own.leave_out(pair, reason)


def _count(pairs: Iterable[Pair], counts: Counter[str]) -> Iterator[Pair]:
    for pair in pairs:
        counts[f"{pair.strategy} {pair.form}"] += 1
        yield pair


# ---------------------------------------------------------------- likeness


class Neighbours:
    """Finds out whether a text resembles one of a small set of texts.

    Texts are alike when their words are the same, or when of their word sequences of length four at least half
    (Jaccard index) are the same: what MinHash estimates (Broder 1997), computed exactly, since one side is small.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts: set[str] = set()
        self._sizes: list[int] = []
        self._index: dict[int, list[int]] = {}
        for text in texts:
            words = normalise(text)
            if words in self._texts:
                continue
            self._texts.add(words)
            shingles = _shingles(words)
            for shingle in shingles:
                self._index.setdefault(shingle, []).append(len(self._sizes))
            self._sizes.append(len(shingles))

    def holds(self, text: str) -> bool:
        """Return whether ``text`` is like one of the set."""
        words = normalise(text)
        if words in self._texts:
            return True
        shingles = _shingles(words)
        common = Counter(place for shingle in shingles for place in self._index.get(shingle, ()))
        return any(shared >= ALIKE * (len(shingles) + self._sizes[place] - shared) for place, shared in common.items())


def _shingles(words: str) -> set[int]:
    parts = words.split(" ")
    # hash() of a tuple of strings differs from process to process; it is used within this one only
    return {hash(tuple(parts[i : i + _SHINGLE])) for i in range(len(parts) - _SHINGLE + 1)}


# ---------------------------------------------------------------- shuffle


class Buckets:
    """Shuffles more pairs than fit into memory: dealt out to files by a random number, each file sorted by it.

    The number depends on seed and position alone, so the order is the same in every run.
    """

    def __init__(self, folder: Path, expected: float, seed: int) -> None:
        self.seed = seed
        self.paths = [folder / f"{n:03d}" for n in range(min(256, int(expected) // _BUCKET + 1))]

    def fill(self, pairs: Iterable[Pair]) -> None:
        """Deal ``pairs`` out."""
        with ExitStack() as stack:
            streams = [stack.enter_context(path.open("wb")) for path in self.paths]
            for number, pair in enumerate(pairs):
                place = _fraction(f"shuffle {number}", self.seed)
                line = f"{place:.17f}\t{json.dumps(pair.to_dict(), ensure_ascii=False)}\n"
                streams[int(place * len(streams))].write(line.encode("utf-8"))

    def __iter__(self) -> Iterator[Pair]:
        for path in self.paths:
            with path.open("rb") as stream:
                for line in sorted(stream):
                    yield Pair.from_dict(json.loads(line.split(b"\t", 1)[1]))
