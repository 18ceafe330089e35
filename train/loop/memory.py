"""Memory that stays with the process between training steps.

A step of a small network allocates and frees the same hundreds of megabytes. By default the C library gives large
blocks back to the system at once, which has to clear every page anew for the next step.
"""

from __future__ import annotations

import ctypes
import sys

#: of mallopt(3)
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_NEVER = 2**31 - 1


def keep_freed_memory() -> bool:
    """Let the C library keep freed memory for the next allocation; return True if it can (Linux with glibc).

    It holds for the whole process, and what a process once needed it keeps: for training on the CPU.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    return bool(mallopt(_TRIM_THRESHOLD, _NEVER)) and bool(mallopt(_MMAP_THRESHOLD, _NEVER))
