"""Sentence pairs from tab-separated files into a training, a development and a test part without overlap.

The files are read twice: to draw the sources of the development and test parts (the smallest of seeded hashes, so the
choice depends on the texts and the seed alone), and to write. Training leaves out every pair of which either side
stands in the other parts; a sentence with several translations is therefore never on both sides.
"""

from __future__ import annotations

import heapq
import random
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from augment.round_trip.patterns import rules_of
from augment.round_trip.translators import TAGS
from augment.sources import find_inputs
from rewriter.errors import InputError
from rewriter.io.files import file_digest, read_lines, read_pairs, write_pairs
from rewriter.records import Pair
from rewriter.runs.manifest import Manifest
from rewriter.runs.resume import run_in
from train.translator.config import BitextConfig, TranslatorConfig

__all__ = ["write_bitext"]

#: raise by hand when the same files give other parts
VERSION = 1
STRATEGY = "translation"
_WORD = re.compile(r"\w+")
#: pairs from which the others of a joined one are drawn
_JOINED_FROM = 5000


def input_files(config: BitextConfig) -> list[Path]:
    """Return the files of sentence pairs.

    Raises:
        InputError: a pattern matches nothing.
    """
    return find_inputs(config.inputs, config.exclude)


def measured_files(config: BitextConfig) -> dict[str, list[Path]]:
    """Return the files of each set that is only measured.

    Raises:
        InputError: a pattern matches nothing.
    """
    return {name: find_inputs([pattern]) for name, pattern in config.measured.items()}


def write_bitext(config: TranslatorConfig, *, output: Path, more: Sequence[Path] = (), fresh: bool = False) -> Manifest:
    """Write ``train``, ``dev`` and ``test`` pairs (.jsonl.zst) of a translation direction into ``output``.

    Args:
        config: of the translator.
        output: folder of the parts, and of the sets that are only measured (``NAME.jsonl.zst``).
        more: files of further pairs for training (back-translation).
        fresh: begin anew where another run's parts stand.

    Raises:
        InputError: a file is missing, or no line holds both languages.
        ResumeError: ``output`` holds the parts of another run.
    """
    files = input_files(config.data)
    measured = measured_files(config.data)
    identity: dict[str, Any] = {"version": VERSION, "source": config.source, "target": config.target}
    identity |= {**config.data.identity(), "gender tags": config.gender_tags}
    identity |= {"contrasts": True} if config.contrasts else {}
    identity |= {f"input {p.name}": file_digest(p) for p in files}
    identity |= {f"measured {name} {p.name}": file_digest(p) for name, paths in measured.items() for p in paths}
    identity |= {f"more {path.name}": file_digest(path) for path in more}
    with run_in(output, "bitext", identity, fresh=fresh) as run:
        if run.is_done:
            return run.manifest
        run.manifest.counts = dict(_Parts(config, files, measured, more).write(output))
        if not run.manifest.counts.get("train"):
            raise InputError(
                f"{', '.join(map(str, files))}: no pair is left for training; give more pairs, smaller dev_size and "
                "test_size, or a larger max_words"
            )
    return run.manifest


class _Parts:
    """Deals sentence pairs out."""

    def __init__(
        self,
        config: TranslatorConfig,
        files: Sequence[Path],
        measured: Mapping[str, Sequence[Path]],
        more: Sequence[Path],
    ) -> None:
        self.config, self.files, self.measured, self.more = config, files, measured, more
        self.counts: Counter[str] = Counter()
        has_tags = config.gender_tags or config.contrasts
        self._rules = rules_of(config.target, config.patterns) if has_tags else None
        # Which pairs have no contrasting target is known only when these are made.
        self._kept_share = 1.0 if config.contrasts else config.data.plain_share

    def write(self, output: Path) -> Counter[str]:
        """Write the parts; return the counts."""
        dev, test = self._draw()
        held: dict[str, dict[bytes, Pair]] = {"dev": {}, "test": {}}
        only_measured, other_sides = self._write_measured(output)
        for pair in self._pairs(Counter()):
            part = "dev" if (key := _key(pair.source)) in dev else "test" if key in test else ""
            if part and key not in held[part]:
                held[part][key] = pair
            if part:
                other_sides.add(_key(pair.target))
        write_pairs(output / "dev.jsonl.zst", self._all_tagged(held["dev"].values()))
        write_pairs(output / "test.jsonl.zst", held["test"].values())
        kept = self._with_joined(self._training(dev | test | only_measured, other_sides))
        self.counts["train"] = write_pairs(output / "train.jsonl.zst", self._all_tagged(kept))
        self.counts |= {part: len(pairs) for part, pairs in held.items()}
        return self.counts

    def _write_measured(self, output: Path) -> tuple[set[bytes], set[bytes]]:
        """Write the sets that are only measured, whole; return the keys of their sources and of their targets."""
        sources: set[bytes] = set()
        targets: set[bytes] = set()
        for name, paths in self.measured.items():
            pairs = list(self._read(paths, Counter(), bounded=False))
            sources |= {_key(pair.source) for pair in pairs}
            targets |= {_key(pair.target) for pair in pairs}
            self.counts[f"measured {name}"] = write_pairs(
                output / f"{name}.jsonl.zst", pairs[: self.config.data.measured_most or None]
            )
        return sources, targets

    def _draw(self) -> tuple[set[bytes], set[bytes]]:
        size = self.config.data.dev_size + self.config.data.test_size
        keys = {_key(pair.source) for pair in self._pairs(Counter())}
        # A tenth at most, so that a small file leaves something to learn from.
        size = min(size, len(keys) // 10)
        seed = str(self.config.data.seed).encode()
        drawn = heapq.nsmallest(size, keys, key=lambda key: (blake2b(key, key=seed, digest_size=8).digest(), key))
        cut = size * self.config.data.dev_size // max(1, self.config.data.dev_size + self.config.data.test_size)
        return set(drawn[:cut]), set(drawn[cut:])

    def _training(self, held: set[bytes], other_sides: set[bytes]) -> Iterator[Pair]:
        seen: set[bytes] = set()
        for pair in (*self._pairs(self.counts), *self._further()):
            both = _key(f"{pair.source}\t{pair.target}")
            if _key(pair.source) in held or _key(pair.target) in other_sides:
                self.counts["left out: in the other parts"] += 1
            elif both in seen:
                self.counts["left out: repeated"] += 1
            elif pair.strategy == STRATEGY and self._drawn(pair) >= self._kept_share:
                self.counts["left out: plain_share"] += 1
            else:
                seen.add(both)
                yield pair

    def _with_joined(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Yield the pairs, behind a share of them one more that joins it with others; translated text stays as it is.

        The others are drawn from some thousand before it, since neighbours in a file are often the same sentence.
        """
        before: deque[Pair] = deque(maxlen=_JOINED_FROM)
        for pair in pairs:
            yield pair
            if pair.strategy != STRATEGY:
                continue
            # One draw decides both: a pair that was kept lies below the share that is kept.
            if before and self._drawn(pair) < self.config.data.joined_share * self._kept_share:
                joined = self._joined(pair, before)
                if len(joined.source.split()) <= self.config.data.max_words:
                    self.counts["joined"] += 1
                    yield joined
            before.append(pair)

    def _joined(self, pair: Pair, others: Sequence[Pair]) -> Pair:
        """Return a pair with one to three others behind it; the draw depends on its place and the seed alone."""
        draw = random.Random(f"{self.config.data.seed} {pair.origin}")
        parts = [pair, *(draw.choice(others) for _ in range(draw.randint(1, 3)))]
        source, target = (" ".join(side) for side in texts(parts))
        return replace(pair, source=source, target=target)

    def _further(self) -> Iterator[Pair]:
        for path in self.more:
            for pair in read_pairs(path):
                self.counts["further pairs"] += 1
                yield pair

    def _pairs(self, counts: Counter[str]) -> Iterator[Pair]:
        return self._read(self.files, counts)

    def _read(self, paths: Sequence[Path], counts: Counter[str], *, bounded: bool = True) -> Iterator[Pair]:
        data = self.config.data
        one, other = data.columns.index(self.config.source), data.columns.index(self.config.target)
        for path in paths:
            for number, line in enumerate(read_lines(path), 1):
                cells = [cell.strip() for cell in line.split("\t")]
                if len(cells) <= max(one, other) or not cells[one] or not cells[other]:
                    counts["left out: no two texts"] += 1
                    continue
                words = len(cells[one].split()), len(cells[other].split())
                if bounded and (max(words) > data.max_words or max(words) > data.length_ratio * min(words) + 3):
                    counts["left out: too long or too different in length"] += 1
                    continue
                origin = f"{path.name}:{number}"
                yield Pair(cells[one], cells[other], self.config.target, STRATEGY, "neutral", origin)

    def _all_tagged(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        for pair in pairs:
            yield from self._contrasts(pair) if self.config.contrasts else self._tagged(pair)

    def _contrasts(self, pair: Pair) -> Iterator[Pair]:
        """Yield the pair once for each gender that its target can be written in, with the tag (appendix G).

        Other pairs come without a tag, so that nothing is forgotten, as many as are asked for.
        """
        assert self._rules is not None
        made = self._rules.contrasts(pair.target) if self._rules.maybe_fair(pair.target) else []
        for gender, target in made:
            self.counts[f"contrasting {gender}"] += 1
            yield replace(pair, source=f"{TAGS[gender]} {pair.source}", target=target)
        if not made and self._drawn(pair) < self.config.data.plain_share:
            self.counts["without contrast"] += 1
            yield pair

    def _drawn(self, pair: Pair) -> float:
        """Return a number between 0 and 1 that depends on the pair's place and the seed alone."""
        draw = blake2b(pair.origin.encode(), key=str(self.config.data.seed).encode(), digest_size=8).digest()
        return int.from_bytes(draw, "little") / 2**64

    def _tagged(self, pair: Pair) -> Iterator[Pair]:
        """Yield the pair, with the tag of its target's gender before the source where it is to carry one.

        Masculine targets carry it in a share of the cases, so that a source without a tag keeps its bias; the rarer
        feminine ones always, several times.
        """
        gender = self._rules.gender(pair.target) if self._rules is not None else ""
        if not gender:
            yield pair
            return
        self.counts[f"{gender} targets"] += 1
        tagged = replace(pair, source=f"{TAGS[gender]} {pair.source}")
        if gender == "feminine":
            copies = self.config.data.feminine_copies
            self.counts["tagged feminine"] += copies
            yield from [tagged] * copies
            return
        carries = self._drawn(pair) < self.config.data.tag_share
        self.counts["tagged masculine"] += carries
        yield tagged if carries else pair


def _key(text: str) -> bytes:
    """Return a digest of the words of a text; texts without words keep their characters."""
    words = " ".join(_WORD.findall(text.lower())) if "\t" not in text else text
    return blake2b((words or text).encode("utf-8", "replace"), digest_size=8).digest()


def texts(pairs: Iterable[Pair]) -> tuple[list[str], list[str]]:
    """Return sources and targets as two lists."""
    both = [(pair.source, pair.target) for pair in pairs]
    return [source for source, _ in both], [target for _, target in both]
