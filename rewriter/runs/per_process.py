"""What every process must have of its own: a model, whose threads a fork leaves behind.

A forked process has the memory of the old one, but only one of its threads. A model that was loaded before the fork
would wait for ever: for threads that compute, or for their end when it is dropped. So what stands here is made anew in
a forked process, when it is first asked for there, and the inherited one is never dropped.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

__all__ = ["PerProcess"]

T = TypeVar("T")


class PerProcess(Generic[T]):
    """A thing that is made once in every process, when it is first asked for. Thread-safe.

    Args:
        make: makes it. A pickled copy holds this alone.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: list[T] = []
        self._lock = threading.Lock()
        _OWNERS.add(self)

    @classmethod
    def of(cls, thing: T | PerProcess[T]) -> PerProcess[T]:
        """Return what holds ``thing``, which every process may share (it has no threads), or ``thing`` if it is one."""
        return thing if isinstance(thing, PerProcess) else PerProcess(lambda: thing)

    def __reduce__(self) -> tuple[Any, ...]:
        return PerProcess, (self._make,)

    def get(self) -> T:
        """Return the thing of this process; what goes wrong when it is made is raised here."""
        made = self._made
        if made:
            return made[0]
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]

    def forget(self) -> None:
        """Have it made anew when it is next asked for."""
        self._made = []

    def _leave_behind(self) -> None:
        """Forget, in a forked process, what the old one made; a thread of that one may have held the lock."""
        # one reference too many: not even the end of the interpreter, which drops everything, will drop this
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._made))
        self._lock = threading.Lock()
        self._made = []


#: of this process; they hear of a fork
_OWNERS: WeakSet[PerProcess[Any]] = WeakSet()


def _after_fork() -> None:
    for owner in list(_OWNERS):
        owner._leave_behind()


if hasattr(os, "register_at_fork"):  # there is no fork on Windows
    os.register_at_fork(after_in_child=_after_fork)
