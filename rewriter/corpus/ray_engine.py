"""Spreads the shards of a run over a Ray cluster, in place of the processes of this machine.

The shard worker is the one of the local engine (:func:`rewriter.corpus.job.rewrite_shard`), called in Ray actors, each
of which loads the model once. A shard travels as its description (file, offset, size), or with its bytes where the
input is compressed; its result is a part on a file system that all machines share, and a report. Since parts are whole
or not there, and are joined in the order of the input, neither the order in which actors finish nor one that dies and
begins anew can be seen in the output.

Actors, not Ray Data: what flows is descriptions and reports, of which the next is made when there is an actor for it.
A data set of Ray Data wants all of them, with the bytes of compressed inputs, before its first block.
"""

from __future__ import annotations

import logging
import os
import platform
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import ModuleType
from typing import Any

from rewriter.corpus.job import CorpusJob, CorpusShard, prepare, rewrite_shard
from rewriter.errors import GenderFairError, ModelError, OutputError, UsageError, WorkerError
from rewriter.extras import require
from rewriter.version import __version__

log = logging.getLogger(__name__)

#: how often a shard whose actor died is tried again before the run fails
RETRIES = 2
#: shards that an actor holds: one in work, one that waits for it
HELD = 2
#: seconds that a part, written on another machine, may take to be seen here (network file systems remember for a while)
VISIBLE = 60.0
#: seconds after which one is told that the cluster has begun no actor yet
PATIENCE = 60.0

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
        with _cluster(self.address) as ray:
            pool = _Pool(ray, *self._actors(ray))
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

    def rewrite(self, shard: CorpusShard) -> Report | GenderFairError:
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


class _Pool:
    """Some actors, each with the shards that it holds; an actor gets none before it is ready.

    An actor that dies is replaced, its shards go to others. This is not left to Ray, whose attempts on an actor of a
    lost machine are used up before the machine counts as lost.
    """

    def __init__(self, ray: ModuleType, make: Callable[[], Any], count: int) -> None:
        self._ray, self._make = ray, make
        self._actors: list[Any] = []
        #: promise -> number of the actor, and the shard; None where the actor prepares itself
        self._running: dict[Any, tuple[int, CorpusShard | None]] = {}
        #: numbers of actors that can take a shard, once for every shard that they can take
        self._free: list[int] = []
        #: shards whose actor died, and how often that happened to each
        self._again: list[CorpusShard] = []
        self._deaths: Counter[tuple[int, int]] = Counter()
        #: actors that died before they were ready, since one was
        self._stillborn = 0
        for _ in range(count):
            self._begin()

    def map(self, shards: Iterable[CorpusShard]) -> Iterator[tuple[CorpusShard, Report]]:
        """Yield (shard, report) as reports come."""
        waiting = iter(shards)
        while True:
            while self._free and (fresh := self._again.pop() if self._again else next(waiting, None)) is not None:
                number = self._free.pop()
                self._running[self._actors[number].rewrite.remote(fresh)] = (number, fresh)
            if self._free and not any(shard for _, shard in self._running.values()):
                return  # actors that are not ready yet are not waited for when nothing is left
            done = self._take(self._wait())
            if done is not None:
                yield done

    def _begin(self) -> None:
        actor = self._make()
        self._running[actor.prepare.remote()] = (len(self._actors), None)
        self._actors.append(actor)

    def _wait(self) -> Any:
        """Wait for a promise that is kept or broken."""
        while True:
            done, _ = self._ray.wait(list(self._running), timeout=PATIENCE)
            if done:
                return done[0]
            if not any(shard for _, shard in self._running.values()):
                log.warning("waiting for the Ray cluster to begin an actor")

    def _take(self, promise: Any) -> tuple[CorpusShard, Report] | None:
        """Return what a promise brought: a shard and its report; None where an actor got ready or died."""
        number, shard = self._running[promise]
        try:
            result = self._ray.get(promise)
        except self._ray.exceptions.RayTaskError as error:
            raise WorkerError(f"rewrite: {shard or 'a Ray actor'} failed: {_last_line(error)}") from None
        except self._ray.exceptions.RayError as error:
            self._replace(number, shard is not None, _last_line(error))
            return None
        del self._running[promise]
        if isinstance(result, GenderFairError):
            raise result
        self._free += [number] if shard else [number] * HELD
        self._stillborn = 0
        return None if shard is None else (shard, result)

    def _replace(self, number: int, was_ready: bool, reason: str) -> None:
        """Begin another actor in place of one that died, and give its shards to whoever is free."""
        self._end(self._actors[number])
        lost = {promise: shard for promise, (busy, shard) in self._running.items() if busy == number}
        for promise in lost:
            del self._running[promise]
        self._free = [free for free in self._free if free != number]
        shards = [shard for shard in lost.values() if shard is not None]
        self._again += shards
        self._deaths.update((shard.file, shard.number) for shard in shards)
        self._stillborn += not was_ready
        if self._stillborn > RETRIES or any(self._deaths[s.file, s.number] > RETRIES for s in shards):
            during = (
                f"{1 + RETRIES} times during one of: {', '.join(map(str, shards))}" if was_ready else "at its start"
            )
            raise WorkerError(
                f"rewrite: a Ray actor died {during}. Finished shards are kept; start again to do the rest. "
                f"Ray says: {reason}"
            )
        self._begin()

    def _end(self, actor: Any) -> None:
        with suppress(Exception):  # the cluster itself may be gone
            self._ray.kill(actor)

    def close(self) -> None:
        """End the actors, whatever they do."""
        for actor in self._actors:
            self._end(actor)


@contextmanager
def _cluster(address: str | None) -> Iterator[ModuleType]:
    """Give Ray, connected; a connection that was there already is used and stays."""
    ray = require("ray", extra="ray")
    require("ray.exceptions", extra="ray")
    if ray.is_initialized():
        yield ray
        return
    # statistics about the use go nowhere unless the user asks for it
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with redirect_stdout(sys.stderr):  # Ray prints what happens to its processes where only results belong
        try:
            ray.init(address=address, include_dashboard=False, log_to_driver=False, logging_level="warning")
        except (ConnectionError, ValueError, RuntimeError) as error:
            where = f"to {address}" if address else "(no address was given)"
            raise WorkerError(f"there is no connection to a Ray cluster {where}: {_last_line(error)}") from None
        try:
            yield ray
        finally:
            ray.shutdown()


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


def _last_line(error: BaseException) -> str:
    """Return what matters of an error of Ray, which tells its whole history."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
