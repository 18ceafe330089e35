"""Spreads counting over a Ray cluster: each actor makes its counter once, then counts piece after piece.

The counts do not depend on who counts what: they are put in the order of the corpus.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from augment.balance.count import Counter, CountOptions, PieceCounts, count_piece
from augment.balance.metadata import Metadata
from augment.balance.reading import Corpus
from rewriter.errors import GenderFairError, ModelError
from rewriter.runs.ray_pool import ActorPool, cluster
from rewriter.runs.shard import Shard
from rewriter.version import __version__


@dataclass(frozen=True)
class CountTask:
    """What an actor needs.

    Attributes:
        metadata: terms and identifiers.
        options: how is counted.
        corpus: the files; on a file system that all machines share.
        folder: working folder of the command, against which relative paths are meant.
        version: of the toolkit where the command runs.
    """

    metadata: Metadata
    options: CountOptions | None
    corpus: Corpus
    folder: str
    version: str = __version__


class CountActor:
    """Counts pieces in a process of a cluster.

    Args:
        task: what is counted and how; nothing is loaded before :meth:`prepare`.
    """

    def __init__(self, task: CountTask) -> None:
        self._task = task
        self._counter: Counter | None = None
        with suppress(OSError):  # a machine without it can work all the same if no path is relative
            os.chdir(task.folder)

    def prepare(self) -> GenderFairError | None:
        """Make the counter, or say why that cannot be."""
        if __version__ != self._task.version:
            return ModelError(
                f"{platform.node()} has gender-fair-rewriter {__version__}, the machine of the command "
                f"{self._task.version}; install the same on all machines"
            )
        try:
            self._counter = Counter(self._task.metadata, self._task.options)
        except GenderFairError as error:
            return error
        return None

    def work(self, piece: Shard) -> PieceCounts | GenderFairError:
        """Return the number of paragraphs of a piece and the counts of those that have any, or what is wrong."""
        if self._counter is None and (problem := self.prepare()) is not None:
            return problem
        assert self._counter is not None
        try:
            return count_piece(self._counter, piece, self._task.corpus)
        except GenderFairError as error:
            return error


def count_on_ray(
    task: CountTask, pieces: Iterable[Shard], *, actors: int = 0, address: str | None = None
) -> Iterator[tuple[Shard, PieceCounts]]:
    """Yield (piece, its counts) as they come.

    Args:
        task: what is counted and how.
        pieces: of the corpus.
        actors: how many; 0 takes as many as the cluster has cores.
        address: of the cluster as for ``ray.init``; None finds or starts one.

    Raises:
        MissingExtraError: Ray is not installed.
        WorkerError: there is no cluster, or a piece failed although it was tried again.
        ModelError: a machine of the cluster has another version of the toolkit.
        InputError: a file cannot be read there, or a record is not what the format says.
    """
    waiting = iter(pieces)
    first = list(islice(waiting, 1))
    if not first:
        return  # without a cluster
    with cluster(address) as ray:
        make: Any = partial(ray.remote(num_cpus=1)(CountActor).remote, task)
        count = actors or max(1, int(ray.cluster_resources().get("CPU", 1)))
        pool = ActorPool(ray, make, count, "balance count", "Start again.")
        try:
            yield from pool.map(chain(first, waiting))
        finally:
            pool.close()


def task_here(metadata: Metadata, options: CountOptions | None, corpus: Corpus) -> CountTask:
    """Return the task as it is meant on this machine."""
    return CountTask(metadata, options, corpus, str(Path.cwd()))
