"""Signals that ask a process to end, answered as Ctrl-C is: what was begun is cleaned up, what was finished is kept."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: of a service manager or scheduler, of a terminal that is closed, of Ctrl-\
_NAMES = ("SIGTERM", "SIGHUP", "SIGQUIT")


class Stopped(KeyboardInterrupt):
    """A signal asked the process to end; ``number`` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def ends_cleanly() -> Iterator[None]:
    """Raise :class:`Stopped` where a signal would end this process at once.

    A signal that is ignored (``nohup``) stays so, as does another handler. A forked child ends as it would have.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = os.getpid()

    def stop(number: int, _: FrameType | None) -> None:
        if os.getpid() == ours:
            raise Stopped(number)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    known = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]  # Windows has one of them
    changed = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]
    for number in changed:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)
