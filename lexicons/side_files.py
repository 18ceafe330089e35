"""Files that are read beside the text (word tables, prompts, lists): held in memory as a whole, within bounds."""

from __future__ import annotations

import errno
from pathlib import Path

__all__ = ["FILE_BYTES", "read_side_file"]

#: a file that is held in memory as a whole
FILE_BYTES = 64 << 20


def read_side_file(path: str | Path, *, encoding: str = "utf-8") -> str:
    """Return the text of a file, with line ends as ``Path.read_text`` gives them.

    Raises:
        OSError: it cannot be read, or has more than :data:`FILE_BYTES` characters.
        UnicodeDecodeError: it is in another encoding.
    """
    with Path(path).open(encoding=encoding) as stream:
        text = stream.read(FILE_BYTES + 1)
    if len(text) > FILE_BYTES:
        raise OSError(errno.EFBIG, f"more than {FILE_BYTES >> 20} MB, too much to hold in memory")
    return text
