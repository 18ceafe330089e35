"""Spreads work over processes of this machine; a worker that dies fails the work loudly, none outlives its parent."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from rewriter.errors import WorkerError

__all__ = ["WorkerPool"]

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class WorkerPool:
    """Spreads work over processes of this machine.

    Attributes:
        processes: how many; 1 works in this process.
        name: of the work, for messages.
        ahead: items that are taken and sent beyond those in work, so that no process waits for the next.
        setup: module-level function that every new process calls first; None for nothing.
        arguments: of ``setup``.
    """

    processes: int
    name: str
    ahead: int = 0
    setup: Callable[..., None] | None = None
    arguments: tuple[Any, ...] = ()

    def map(
        self, work: Callable[[_Item], _Result], items: Iterable[_Item]
    ) -> Generator[tuple[_Item, _Result], None, None]:
        """Yield (item, result) as results come; items are taken as needed, a bounded number ahead.

        Args:
            work: a module-level function or a ``partial`` of one.
            items: what it is called with; ``str()`` of an item names it in messages.

        Raises:
            WorkerError: a process died; the message names the items in work.
        """
        if self.processes <= 1:
            for item in items:
                yield item, work(item)
            return
        waiting = iter(items)
        running: dict[Future[_Result], _Item] = {}
        with self._pool() as pool:
            try:
                while True:
                    for item in islice(waiting, self.processes + self.ahead - len(running)):
                        running[pool.submit(work, item)] = item
                    if not running:
                        return
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        result = future.result()  # raises while the item still stands among those in work
                        yield running.pop(future), result
            except BrokenProcessPool:
                listed = ", ".join(map(str, running.values()))
                raise WorkerError(
                    f"{self.name}: a worker process died (killed, or out of memory) during one of: {listed}. "
                    "Finished shards are kept; start again to do the rest, with fewer processes if memory was short."
                ) from None

    def in_order(self, work: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
        """Yield the results in the order of the items; what comes early waits in memory.

        Raises:
            WorkerError: as :meth:`map` does.
        """
        early: dict[int, _Result] = {}
        turn = 0
        for numbered, result in self.map(partial(_on_numbered, work), (_Numbered(*pair) for pair in enumerate(items))):
            early[numbered.number] = result
            while turn in early:
                yield early.pop(turn)
                turn += 1

    @contextmanager
    def _pool(self) -> Iterator[ProcessPoolExecutor]:
        """Give a pool of spawned workers; whatever goes wrong, its processes are ended when this is left."""
        before = set(multiprocessing.active_children())
        with _single_threaded_children():
            pool = ProcessPoolExecutor(
                self.processes,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_start_process,
                initargs=(self.setup, self.arguments),
            )
            try:
                yield pool
                pool.shutdown()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for child in set(multiprocessing.active_children()) - before:
                    child.terminate()
                    child.join()
                raise


class _Numbered(NamedTuple):
    """An item and its place among the items."""

    number: int
    item: Any

    def __str__(self) -> str:
        return str(self.item)


def _on_numbered(work: Callable[[Any], _Result], numbered: _Numbered) -> _Result:
    return work(numbered.item)


@contextmanager
def _single_threaded_children() -> Iterator[None]:
    """Let numerical libraries of the children use one thread each, unless the user chose a number."""
    names = [n for n in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS") if n not in os.environ]
    os.environ.update(dict.fromkeys(names, "1"))
    try:
        yield
    finally:
        for name in names:
            os.environ.pop(name, None)


def _start_process(setup: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    # Ctrl-C and the end of a terminal reach the whole process group: the parent decides what is to be done.
    for name in ("SIGINT", "SIGHUP", "SIGQUIT"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    if setup is not None:
        setup(*arguments)


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
