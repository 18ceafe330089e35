"""Counting the files of a corpus: in this process, in several, or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from augment.balance.count import Counter, CountOptions, CountResult, PieceCounts, count_piece, statistics_of
from augment.balance.metadata import Metadata
from augment.balance.ray_count import count_on_ray, task_here
from augment.balance.reading import PIECE, Corpus
from rewriter.runs.processes import WorkerPool
from rewriter.runs.shard import Shard


@dataclass(frozen=True)
class RayCluster:
    """Where to count in place of this machine.

    Attributes:
        address: of the cluster as for ``ray.init`` (``auto``, ``HOST:6379``); None takes the one that the environment
            names or that runs on this machine, and starts one on this machine otherwise.
    """

    address: str | None = None


def count_corpus(
    corpus: Corpus,
    metadata: Metadata,
    options: CountOptions | None = None,
    *,
    processes: int = 1,
    progress: Callable[[int], object] | None = None,
    piece: int = PIECE,
    ray: RayCluster | None = None,
) -> CountResult:
    """Count the paragraphs of files; memory holds some pieces and the counts of the paragraphs with hits.

    Args:
        corpus: the files.
        metadata: terms and identifiers.
        options: how.
        processes: worker processes; 1 works in this one.
        progress: called with the number of paragraphs just counted.
        piece: bytes of text that a process takes at a time.
        ray: count on a Ray cluster; ``processes`` is then the number of its actors (0: one for each core).

    Raises:
        UsageError, RecipeError, ParserError: as :class:`Counter`.
        InputError: a file cannot be read, or a record is not what the format says (``FILE:LINE``).
        WorkerError: a worker process died, or there is no connection to the cluster.
        MissingExtraError: Ray is asked for and not installed.
    """
    counter = Counter(metadata, options)  # what is wrong is told before any process starts
    pieces = corpus.pieces(piece)
    if ray is not None:
        task = task_here(metadata, options, corpus)
        counted = count_on_ray(task, pieces, actors=processes, address=ray.address)
    else:
        work = partial(_count_piece, corpus=corpus)
        pool = WorkerPool(processes, "balance count", ahead=1, setup=_set_up, arguments=(metadata, options))
        _Process.counter = counter if processes <= 1 else None
        counted = pool.map(work, pieces)
    found: dict[tuple[int, int], PieceCounts] = {}
    for done, counts in counted:
        found[done.file, done.first] = counts
        if progress is not None:
            progress(counts.number)
    ordered = [counts for _, counts in sorted(found.items(), key=lambda item: item[0])]
    statistics = statistics_of(metadata, (paragraph for counts in ordered for paragraph in counts.paragraphs))
    rejects = tuple(reject for counts in ordered for reject in counts.rejects)
    return CountResult(statistics, sum(counts.number for counts in ordered), rejects)


class _Process:
    """The state of a worker process: what to count by, and the counter, made when the first piece comes."""

    metadata: Metadata | None = None
    options: CountOptions | None = None
    counter: Counter | None = None


def _set_up(metadata: Metadata, options: CountOptions | None) -> None:
    _Process.metadata, _Process.options, _Process.counter = metadata, options, None


def _count_piece(piece: Shard, corpus: Corpus) -> PieceCounts:
    if _Process.counter is None:
        assert _Process.metadata is not None
        _Process.counter = Counter(_Process.metadata, _Process.options)
    return count_piece(_Process.counter, piece, corpus)
