"""Spreads the shards of a run over a Ray cluster, in place of the processes of this machine.

The shard worker is the one of the local engine (:func:`rewriter.corpus.job.rewrite_shard`), called in Ray actors, each
of which loads the model once. A shard travels as its description (file, offset, size), or with its bytes where the
input is compressed; its result is a part on a file system that all machines share, and a report. Since parts are whole
or not there, and are joined in the order of the input, neither the order in which actors finish nor one that dies and
begins anew can be seen in the output.

How actors are begun, fed and replaced: :mod:`rewriter.runs.ray_pool`.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import ModuleType
from typing import Any

from rewriter.corpus.job import CorpusJob, CorpusShard, prepare, rewrite_shard
from rewriter.errors import GenderFairError, ModelError, OutputError, UsageError
from rewriter.runs.ray_pool import ActorPool, cluster
from rewriter.version import __version__

#: seconds that a part, written on another machine, may take to be seen here (network file systems remember for a while)
VISIBLE = 60.0

Report = dict[str, Any]


@dataclass(frozen=True)
class RaySpread:
    """Spreads shards over the actors of a Ray cluster.

    Attributes:
        job: what is done to every shard.
        actors: how many; 0 takes as many as the cluster has cores (or GPUs, where the job uses them).
        address: of the cluster as for ``ray.init`` (``auto``, ``HOST:6379``); None takes the one that the environment
            names or that runs on this machine, and starts one on this machine otherwise.
    """

    job: CorpusJob
    actors: int = 0
    address: str | None = None

    def map(self, shards: Iterable[CorpusShard]) -> Generator[tuple[CorpusShard, Report], None, None]:
        """Yield (shard, report) as reports come; shards are taken as needed, two per actor.

        Raises:
            MissingExtraError: Ray is not installed.
            WorkerError: there is no cluster, or a shard failed although it was tried again.
            ModelError: a machine of the cluster has another version of the toolkit or of the model.
            OutputError: a machine does not see the files that the others write.
        """
        waiting = iter(shards)
        first = list(islice(waiting, 1))
        if not first:
            return  # without a cluster
        with cluster(self.address) as ray:
            pool = ActorPool(ray, *self._actors(ray))
            try:
                for shard, report in pool.map(chain(first, waiting)):
                    _wait_for_part(shard, report)
                    yield shard, report
            finally:
                pool.close()

    def _actors(self, ray: ModuleType) -> tuple[Callable[[], Any], int]:
        """Return what makes an actor, and how many there shall be."""
        resources = ray.cluster_resources()
        device = dict(self.job.rewriter.options).get("device", "cpu")
        gpus = 1 if device == "cuda" or (device == "auto" and resources.get("GPU", 0) >= 1) else 0
        actor = ray.remote(num_cpus=1, num_gpus=gpus)(ShardActor)
        expected = (__version__, self.job.rewriter.identity()["model"])
        count = self.actors or max(1, int(resources.get("GPU" if gpus else "CPU", 1)))
        return partial(actor.remote, self.job, str(Path.cwd()), expected), count


class ShardActor:
    """Rewrites shards in a process of a cluster; errors for people are returned, as Ray would wrap what is raised."""

    def __init__(self, job: CorpusJob, folder: str, expected: tuple[str, str]) -> None:
        """Keep what is needed; nothing is loaded before :meth:`prepare`, so that its errors arrive.

        Args:
            job: what is done to every shard.
            folder: working folder of the command, against which relative paths are meant.
            expected: version of the toolkit and identity of the model where the command runs.
        """
        self._job, self._expected, self._prepared = job, expected, False
        with suppress(OSError):  # a machine without it can work all the same if no path is relative
            os.chdir(folder)

    def prepare(self) -> GenderFairError | None:
        """Load the model, or say why that cannot be."""
        if self._prepared:
            return None
        try:
            found = (__version__, self._job.rewriter.identity()["model"])
            if found != self._expected:
                raise ModelError(
                    f"{platform.node()} has gender-fair-rewriter {found[0]} with the model {found[1]}, the machine of "
                    f"the command {self._expected[0]} with {self._expected[1]}; install the same on all machines"
                )
            prepare(self._job.rewriter, self._job.threads)
        except GenderFairError as error:
            return error
        self._prepared = True
        return None

    def work(self, shard: CorpusShard) -> Report | GenderFairError:
        """Rewrite a shard, once :meth:`prepare` found nothing wrong."""
        problem = self.prepare()
        if problem is not None:
            return problem
        try:
            if shard.part is not None and not Path(shard.part).parent.is_dir():
                raise OutputError(_not_shared(shard.part))
            return rewrite_shard(shard, self._job) | {"node": platform.node()}
        except GenderFairError as error:
            return error


def check_engine(engine: str, address: str | None) -> None:
    """Check the choice of an engine.

    Raises:
        UsageError: an unknown engine, or an address for one that takes none.
    """
    if engine not in ("local", "ray"):
        raise UsageError(f"engine is local or ray, not '{engine}'")
    if address is not None and engine != "ray":
        raise UsageError("the address of a Ray cluster goes with the engine ray (--engine ray)")


def _wait_for_part(shard: CorpusShard, report: Report, seconds: float = VISIBLE) -> None:
    """Wait until a part that was written elsewhere is seen here.

    Raises:
        OutputError: it is not seen.
    """
    node = report.pop("node", "another machine")
    if shard.part is None or "error" in report:
        return
    part, until = Path(shard.part), time.monotonic() + seconds
    while not (part.is_file() and part.stat().st_size == report["size"]):
        if time.monotonic() > until:
            raise OutputError(_not_shared(shard.part, f"was written on {node} and is not seen on"))
        time.sleep(0.2)


def _not_shared(part: str, what: str = "has no folder on") -> str:
    return (
        f"{part}: {what} {platform.node()}; with --engine ray, inputs, output and models given by path must lie on a "
        "file system that all machines of the cluster share under the same path"
    )
