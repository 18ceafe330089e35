"""Bounded work: so many requests at a time, so many that wait, each no longer than it may take."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from rewriter.serve.settings import Limits

T = TypeVar("T")


class RefusedError(Exception):
    """A request that is not answered as it wishes.

    Attributes:
        status: of HTTP.
        sentence: what is wrong, and what to do.
        why: a word for the metrics.
        headers: of the answer.
    """

    def __init__(self, status: int, sentence: str, why: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.why, self.headers = status, sentence, why, headers or {}


class Workers:
    """Threads that do the work of requests; use it within one event loop."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pool = ThreadPoolExecutor(limits.threads, thread_name_prefix="rewrite")
        self._unfinished: set[Future[Any]] = set()

    @property
    def unfinished(self) -> int:
        """Requests that are worked on or wait."""
        return len(self._unfinished)

    async def run(self, work: Callable[[Callable[[], None]], T], *, bounded: bool = True) -> T:
        """Return what ``work`` returns.

        Args:
            work: called in a thread with a function that it calls now and then, which ends work that is too late.
            bounded: refuse the work when too many wait already.

        Raises:
            RefusedError: too many wait, or the time is up.
        """
        if bounded and self.unfinished >= self._limits.threads + self._limits.waiting:
            sentence = f"{self.unfinished} requests are worked on or wait already; try again in a moment"
            raise RefusedError(503, sentence, "busy", {"Retry-After": "1"})
        end, loop = time.monotonic() + self._limits.seconds, asyncio.get_running_loop()
        future = self._pool.submit(work, lambda: _in_time(end))
        self._unfinished.add(future)
        # the set belongs to the loop; a thread that ends says so there
        future.add_done_callback(lambda done: loop.call_soon_threadsafe(self._unfinished.discard, done))
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._limits.seconds)
        except (TimeoutError, LateError):
            future.cancel()  # where it has not begun
            sentence = f"the answer takes longer than {self._limits.seconds:g} s; send shorter texts, or fewer"
            raise RefusedError(504, sentence, "late") from None

    def close(self) -> None:
        """Finish what is worked on."""
        self._pool.shutdown(wait=True, cancel_futures=True)


class LateError(Exception):
    """Work that nobody waits for any more."""


def _in_time(end: float) -> None:
    if time.monotonic() > end:
        raise LateError
