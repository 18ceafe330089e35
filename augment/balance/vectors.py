"""Word vectors of a corpus, for the counting method *similarity*: co-occurrences, positive mutual information, SVD.

The recipe of Levy, Goldberg and Dagan 2015, "Improving Distributional Similarity with Lessons Learned from Word
Embeddings": co-occurrences in a window that weighs near words more, positive pointwise mutual information with contexts
smoothed by 0.75, a truncated singular value decomposition whose singular values weigh by their square root. Contexts
are the most frequent words only (Bullinaria and Levy 2007 find a few thousand enough), so that the matrix is dense and
small, and the decomposition one of a square matrix of that size: exact, without random numbers, in numpy alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from augment.balance.reading import Corpus
from rewriter.errors import InputError
from rewriter.io.files import write_lines
from rewriter.options import at_least
from rewriter.runs.resume import run_in

Floats = npt.NDArray[np.float32]

#: raised by hand when the same corpus gives other vectors
VECTORS_VERSION = 1
VECTORS = "vectors.txt.zst"
#: smoothing of the contexts' distribution (Levy et al. 2015, section 3.1)
_SMOOTHING = 0.75
#: words that are looked at together
_BATCH = 1 << 18
#: as the method *similarity* cuts words
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class VectorOptions:
    """How vectors are made.

    Attributes:
        size: of a vector.
        window: words to each side that count as context, the nearest most.
        vocabulary: words at most that get a vector.
        contexts: words at most that count as context.
        min_count: how often a word must occur.
    """

    size: int = 100
    window: int = 5
    vocabulary: int = 30_000
    contexts: int = 2000
    min_count: int = 5

    def __post_init__(self) -> None:
        at_least(1, **vars(self))


def train_vectors(corpus: Corpus, options: VectorOptions | None = None) -> tuple[list[str], Floats]:
    """Return words, the most frequent first, and their vectors of length 1, shape (words, size).

    The corpus is read twice; memory holds the matrix of words and contexts (240 MB with the default options) and a
    piece of the corpus. The same corpus gives the same vectors up to rounding.

    Args:
        corpus: the files.
        options: how.

    Raises:
        InputError: a file cannot be read, or there are too few words.
    """
    options = options or VectorOptions()
    counts: Counter[str] = Counter()
    for text in texts_of(corpus):
        counts.update(words_of(text))
    common = sorted((w for w, n in counts.items() if n >= options.min_count), key=lambda w: (-counts[w], w))
    words = common[: options.vocabulary]
    if len(words) < 2:
        names = ", ".join(path.name for path in corpus.paths)
        raise InputError(
            f"{names}: {len(words)} words occur {options.min_count} times; for vectors use more text, or vectors of "
            "another corpus"
        )
    table = _cooccurrences(corpus, words, options)
    return words, reduced(positive_information(table), options.size)


def texts_of(corpus: Corpus) -> Iterator[str]:
    """Yield the texts of a corpus."""
    for piece in corpus.pieces():
        yield from corpus.texts(piece)[1]


def words_of(text: str) -> list[str]:
    """Return the words of a text, in lower case, as the method *similarity* reads them."""
    return _WORD.findall(text.lower())


def _cooccurrences(corpus: Corpus, words: list[str], options: VectorOptions) -> Floats:
    """Return how often each word stands near each context, weighed by nearness; contexts are the first words."""
    number = {word: n for n, word in enumerate(words)}
    contexts = min(options.contexts, len(words))
    table = np.zeros(len(words) * contexts, dtype=np.float32)
    for ids in _batches(texts_of(corpus), number, options.window):
        for distance in range(1, options.window + 1):
            left, right = ids[:-distance], ids[distance:]
            weight = (options.window + 1 - distance) / options.window
            for word, context in ((left, right), (right, left)):
                both = (word >= 0) & (context >= 0) & (context < contexts)
                np.add.at(table, word[both] * contexts + context[both], np.float32(weight))
    return table.reshape(len(words), contexts)


def _batches(texts: Iterable[str], number: dict[str, int], window: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yield texts as numbers of words, -1 for others and for the gap between texts."""
    gap = [-1] * window
    batch: list[int] = []
    for text in texts:
        batch += [number.get(word, -1) for word in words_of(text)]
        batch += gap
        if len(batch) >= _BATCH:
            yield np.array(batch, dtype=np.int64)
            batch = []
    if batch:
        yield np.array(batch, dtype=np.int64)


def positive_information(table: Floats) -> Floats:
    """Turn counts, shape (words, contexts), into positive pointwise mutual information, in place."""
    rows = table.sum(axis=1, keepdims=True)
    columns = table.sum(axis=0, keepdims=True) ** _SMOOTHING
    expected = rows / max(float(rows.sum()), 1e-12) * (columns / max(float(columns.sum()), 1e-12))
    table /= max(float(table.sum()), 1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        np.divide(table, expected, out=table)
        np.log(table, out=table)
    table[~np.isfinite(table)] = 0
    np.maximum(table, 0, out=table)
    return table


def reduced(table: Floats, size: int) -> Floats:
    """Return the left singular vectors of the largest singular values, weighed by the root of these, of length 1."""
    values, directions = np.linalg.eigh((table.T @ table).astype(np.float64))
    kept = np.argsort(values)[::-1][:size]
    values = np.sqrt(np.maximum(values[kept], 1e-12))
    directions = directions[:, kept]
    # the sign of a singular vector is arbitrary
    directions *= np.sign(directions[np.abs(directions).argmax(axis=0), np.arange(directions.shape[1])])
    vectors = table @ (directions / np.sqrt(values)).astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = vectors / np.where(lengths > 0, lengths, 1)
    return scaled


def write_vectors(path: str | Path, words: list[str], vectors: Floats) -> None:
    """Write vectors in the text format of word2vec.

    Raises:
        OutputError: the file cannot be written.
    """
    rows = (f"{word} {' '.join(f'{v:.5f}' for v in row)}" for word, row in zip(words, vectors.tolist(), strict=True))
    write_lines(path, (line for part in ([f"{len(words)} {vectors.shape[1]}"], rows) for line in part))


def vectors_into(
    corpus: Corpus, folder: str | Path, options: VectorOptions | None = None, *, fresh: bool = False
) -> Path:
    """Train vectors into a folder, or take those that stand there already; return their file.

    Args:
        corpus: the files.
        folder: for ``vectors.txt.zst`` and a manifest.
        options: how.
        fresh: begin anew where those of another corpus stand.

    Raises:
        InputError: a file cannot be read, or there are too few words.
        ResumeError: the folder holds the vectors of another corpus or other options.
        OutputError: the folder cannot be written.
    """
    options, folder = options or VectorOptions(), Path(folder)
    identity: dict[str, Any] = {"stage version": VECTORS_VERSION, **asdict(options), **corpus.identity()}
    with run_in(folder, "balance vectors", identity, fresh=fresh) as run:
        if not run.is_done:
            words, vectors = train_vectors(corpus, options)
            write_vectors(folder / VECTORS, words, vectors)
            run.manifest.counts = {"words": len(words), "size": int(vectors.shape[1])}
    return folder / VECTORS
