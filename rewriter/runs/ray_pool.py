"""Work on a Ray cluster: some actors, replaced when they die, each given the next item when it is free.

Actors, not Ray Data: what flows is items and results, of which the next is made when there is an actor for it. A data
set of Ray Data wants all of them, with the bytes of compressed inputs, before its first block.
"""

from __future__ import annotations

import logging
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from types import ModuleType
from typing import Any, Protocol

from rewriter.errors import GenderFairError, WorkerError
from rewriter.installation.extras import require

log = logging.getLogger(__name__)

#: how often an item whose actor died is tried again before the run fails
RETRIES = 2
#: items that an actor holds: one in work, one that waits for it
HELD = 2
#: seconds after which one is told that the cluster has begun no actor yet
PATIENCE = 60.0
CONTINUE = "Finished shards are kept; start again to do the rest."


class Works(Protocol):
    """What an actor must do; errors for people are returned, as Ray would wrap what is raised."""

    def prepare(self) -> GenderFairError | None:
        """Load what is needed, or say why that cannot be."""
        ...

    def work(self, item: Any) -> Any:
        """Return the result of an item, or an error."""
        ...


class ActorPool:
    """Some actors, each with the items of work that it holds; an actor gets none before it is ready.

    An actor that dies is replaced, its items go to others. This is not left to Ray, whose attempts on an actor of a
    lost machine are used up before the machine counts as lost.

    Args:
        ray: as :func:`cluster` gives it.
        make: makes an actor, an object with the remote methods of :class:`Works`.
        count: how many.
        name: of the work, for messages.
        advice: what to do when it cannot be finished, a sentence.
    """

    def __init__(
        self, ray: ModuleType, make: Callable[[], Any], count: int, name: str = "rewrite", advice: str = CONTINUE
    ) -> None:
        self._ray, self._make, self._name, self._advice = ray, make, name, advice
        self._actors: list[Any] = []
        #: promise -> number of the actor, and the item; None where the actor prepares itself
        self._running: dict[Any, tuple[int, Any]] = {}
        #: numbers of actors that can take an item, once for every item that they can take
        self._free: list[int] = []
        #: items whose actor died, and how often that happened to each
        self._again: list[Any] = []
        self._deaths: Counter[str] = Counter()
        #: actors that died before they were ready, since one was
        self._stillborn = 0
        for _ in range(count):
            self._begin()

    def map(self, items: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield (item, result) as results come; items are taken as needed, two per actor.

        Args:
            items: what the actors' method ``work`` is called with; ``str()`` names one in messages and tells it from
                the others.

        Raises:
            WorkerError: an item failed, or killed its actor again and again.
            GenderFairError: whatever an actor returned.
        """
        waiting = iter(items)
        while True:
            while self._free and (fresh := self._again.pop() if self._again else next(waiting, None)) is not None:
                number = self._free.pop()
                self._running[self._actors[number].work.remote(fresh)] = (number, fresh)
            if self._free and not any(item is not None for _, item in self._running.values()):
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
            try:
                done, _ = self._ray.wait(list(self._running), timeout=PATIENCE)
            except (self._ray.exceptions.RayError, ConnectionError, OSError) as error:
                raise self._lost(error) from None
            if done:
                return done[0]
            self._look_for_machines()
            if not any(item is not None for _, item in self._running.values()):
                log.warning("waiting for the Ray cluster to begin an actor")

    def _look_for_machines(self) -> None:
        """End the work where every machine of the cluster is dead: no actor would ever begin on one of them.

        Raises:
            WorkerError: they are, or the cluster does not answer.
        """
        try:
            machines = self._ray.nodes()
        except (self._ray.exceptions.RayError, ConnectionError, OSError) as error:
            raise self._lost(error) from None
        if machines and not any(machine["Alive"] for machine in machines):
            raise self._lost(RuntimeError("no machine of the cluster is alive"))

    def _take(self, promise: Any) -> tuple[Any, Any] | None:
        """Return what a promise brought: an item and its result; None where an actor got ready or died."""
        number, item = self._running[promise]
        try:
            result = self._ray.get(promise)
        except self._ray.exceptions.RayTaskError as error:
            what = "a Ray actor" if item is None else item
            raise WorkerError(f"{self._name}: {what} failed: {last_line(error)}") from None
        except self._ray.exceptions.RayError as error:
            self._replace(number, item is not None, last_line(error))
            return None
        del self._running[promise]
        if isinstance(result, GenderFairError):
            raise result
        self._free += [number] * HELD if item is None else [number]
        self._stillborn = 0
        return None if item is None else (item, result)

    def _replace(self, number: int, was_ready: bool, reason: str) -> None:
        """Begin another actor in place of one that died, and give its items to whoever is free."""
        self._end(self._actors[number])
        lost = {promise: item for promise, (busy, item) in self._running.items() if busy == number}
        for promise in lost:
            del self._running[promise]
        self._free = [free for free in self._free if free != number]
        items = [item for item in lost.values() if item is not None]
        self._again += items
        self._deaths.update(map(str, items))
        self._stillborn += not was_ready
        if self._stillborn > RETRIES or any(self._deaths[str(item)] > RETRIES for item in items):
            during = f"{1 + RETRIES} times during one of: {', '.join(map(str, items))}" if was_ready else "at its start"
            raise WorkerError(f"{self._name}: a Ray actor died {during}. {self._advice} Ray says: {reason}")
        self._begin()

    def _lost(self, error: BaseException) -> WorkerError:
        """Return the error of a cluster whose own processes are gone, not only an actor."""
        return WorkerError(f"{self._name}: Ray itself no longer answers. {self._advice} Ray says: {last_line(error)}")

    def _end(self, actor: Any) -> None:
        with suppress(Exception):  # the cluster itself may be gone
            self._ray.kill(actor)

    def close(self) -> None:
        """End the actors, whatever they do."""
        for actor in self._actors:
            self._end(actor)


@contextmanager
def cluster(address: str | None) -> Iterator[ModuleType]:
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
            raise WorkerError(f"there is no connection to a Ray cluster {where}: {last_line(error)}") from None
        try:
            yield ray
        finally:
            ray.shutdown()


def last_line(error: BaseException) -> str:
    """Return what matters of an error of Ray, which tells its whole history."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
