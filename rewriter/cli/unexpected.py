"""What a command tells where nobody foresaw what went wrong: one sentence, and a file for whoever mends it."""

from __future__ import annotations

import errno
import platform
import tempfile
import traceback
from pathlib import Path

from rewriter.version import __version__

#: of the system, about a file that the user named; the sentence is enough
_OF_FILES = frozenset(
    getattr(errno, name)
    for name in "ENAMETOOLONG EACCES EPERM ENOENT ENOTDIR EISDIR ELOOP ENOSPC EROFS EMFILE".split()
    if hasattr(errno, name)
)
#: characters of a name or message that are shown
_SHOWN = 200


def told(error: Exception) -> str:
    """Return what to tell about an exception; its trace is written to a file, where it is worth one."""
    if isinstance(error, OSError) and error.errno in _OF_FILES and error.filename is not None:
        return f"{str(error.filename)[:_SHOWN]}: {error.strerror}"
    if isinstance(error, MemoryError) and not str(error):
        return "not enough memory; use fewer processes or threads, or smaller shards"
    lines = str(error).splitlines() or [""]
    what = f"{type(error).__name__}{': ' if lines[0] else ''}{lines[0][:_SHOWN]}"
    return (
        f"an error that nobody foresaw: {what}. Please report it with the command and the trace{_written(error)}; "
        "SECURITY.md says how to report what others could misuse"
    )


def _written(error: Exception) -> str:
    """Write the trace; return where, as the end of a sentence."""
    trace = "".join(traceback.format_exception(error))
    about = f"gender-fair-rewriter {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
    try:
        path = Path(tempfile.mkdtemp(prefix="gender-fair-")) / "trace.txt"
        path.write_text(about + trace, encoding="utf-8", errors="backslashreplace")
    except OSError:
        return f":\n{about}{trace}"
    return f" in {path}"
