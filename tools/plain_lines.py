"""Lines of text files, for the scripts that count word tables."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import zstandard

#: packed files may look back this far (``zstd --long=27``)
_WINDOW = 2**27


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of a text file in UTF-8, plain or packed (``.zst``), with their ends.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as raw:
        packed = path.suffix == ".zst"
        stream = zstandard.ZstdDecompressor(max_window_size=_WINDOW).stream_reader(raw) if packed else raw
        yield from io.TextIOWrapper(stream, encoding="utf-8", errors="replace")
