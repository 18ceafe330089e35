"""Drawing sentences of corpora at random, stratified, for somebody to read."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from eval.reading.gold import GoldSentence, digest
from rewriter.io.files import read_lines
from rewriter.language.interface import Language

#: accepts a sentence; None where every sentence will do
Accepts = Callable[[str], bool]


@dataclass(frozen=True)
class DrawOptions:
    """What is drawn.

    Attributes:
        draw: name of the draw, kept with every sentence.
        min_words: words of letters in a sentence at least.
        max_words: at most.
        oversample: lines looked at for one that is wanted, where not every sentence is accepted.
        seed: of the draw.
    """

    draw: str = "random"
    min_words: int = 3
    max_words: int = 80
    oversample: int = 1
    seed: int = 1


def draw_sentences(
    files: Sequence[Path],
    size: int,
    *,
    data: Path,
    genre: str,
    language: Language,
    options: DrawOptions,
    accepts: Accepts | None = None,
    taken: frozenset[str] = frozenset(),
) -> list[GoldSentence]:
    """Return ``size`` sentences of some files, or fewer where there are no more, in random order.

    A line is drawn with a chance that grows with its length (Efraimidis & Spirakis 2006, algorithm A-Res), then one
    sentence of it, all alike.

    Args:
        files: the stratum's text files.
        size: sentences wanted.
        data: folder that the records' paths are relative to.
        genre: name of the stratum.
        language: cuts lines into sentences.
        options: which sentences.
        accepts: a further condition.
        taken: digests of sentences that are not drawn again.
    """
    rng = np.random.default_rng([options.seed, *genre.encode(), *options.draw.encode()])
    found: list[GoldSentence] = []
    seen = set(taken)
    for path, number, line in _lines(files, 4 * options.oversample * size + 50, rng):
        spans = [span for span in language.segment(line) if _fits(line[slice(*span)], options)]
        if accepts is not None:
            spans = [span for span in spans if accepts(line[slice(*span)])]
        if not spans:
            continue
        start, end = spans[int(rng.integers(len(spans)))]
        start += len(line[start:end]) - len(line[start:end].lstrip())
        end -= len(line[start:end]) - len(line[start:end].rstrip())
        mark = digest(line[start:end])
        if mark in seen:
            continue
        seen.add(mark)
        file = path.relative_to(data).as_posix()
        name = f"{genre}-{options.draw}-{len(found) + 1:04d}"
        found.append(GoldSentence(name, file, number, start, end, mark, draw=options.draw, genre=genre))
        if len(found) == size:
            break
    return found


def _fits(sentence: str, options: DrawOptions) -> bool:
    words = sum(any(c.isalpha() for c in word) for word in sentence.split())
    return options.min_words <= words <= options.max_words


def _lines(files: Sequence[Path], size: int, rng: np.random.Generator) -> Iterator[tuple[Path, int, str]]:
    """Yield about ``size`` lines of all files in random order, longer ones likelier."""
    heap: list[tuple[float, int, Path, int, str]] = []
    count = 0
    for path in files:
        for number, line in enumerate(read_lines(path, errors="replace"), 1):
            if not line.strip():
                continue
            count += 1
            key = math.log(rng.random()) / len(line)
            item = (key, count, path, number, line)
            if len(heap) < size:
                heapq.heappush(heap, item)
            elif key > heap[0][0]:
                heapq.heapreplace(heap, item)
    for _, _, path, number, line in sorted(heap, reverse=True):
        yield path, number, line
