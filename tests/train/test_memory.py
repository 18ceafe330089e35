"""Freed memory stays with the process where the C library can be told so."""

from __future__ import annotations

import platform
import sys

from train.loop.memory import keep_freed_memory


def test_it_says_whether_it_could() -> None:
    glibc = sys.platform.startswith("linux") and platform.libc_ver()[0] == "glibc"
    assert keep_freed_memory() == glibc
