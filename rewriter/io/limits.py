"""How much of an input is held in memory at a time, so that a small file cannot ask for all of it.

A compressed file of a few kilobytes can unpack to gigabytes, and a file without line ends is one line. What reads files
reads them through these bounds; ``SECURITY.md`` lists them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

from lexicons.side_files import FILE_BYTES
from rewriter.errors import InputError

#: a line is held in memory as a whole; a file with a longer one is refused
LINE_BYTES = 64 << 20
#: a text of more characters is left as it is and listed
TEXT_CHARACTERS = 16 << 20
#: bytes of Zstandard data that are unpacked at a time: they become 32 MB at most, as a block of 4 bytes can be 128 kB
ZSTD_PIECE = 1 << 10
#: bytes at the beginning of a file that tell its encoding
_LOOKED_AT = 1 << 12
_LEAST_LOOKED_AT = 64
_LEAST_SURE = 32
_LEAST_TOLD = 8


def too_long(where: str | object) -> InputError:
    """Return the error of a line that is longer than :data:`LINE_BYTES`."""
    return InputError(
        f"{where}: a line of more than {LINE_BYTES >> 20} MB; lines are held in memory, so break it up, or leave the "
        "file out if it is no text"
    )


def is_utf16(data: bytes) -> bool:
    """Return True if the beginning of a file looks like UTF-16 (or UTF-32) without a byte-order mark.

    In text of Latin letters every other byte (of UTF-32 three of four) is then NUL, which UTF-8 allows, and no other.
    Of a few bytes all must be so; fewer than :data:`_LEAST_TOLD` do not tell.
    """
    data = data[:_LOOKED_AT]
    nulls = [data[place::4].count(0) for place in range(4)]
    if len(data) < _LEAST_SURE:
        halves = sorted((nulls[0] + nulls[2], nulls[1] + nulls[3]))
        return len(data) >= _LEAST_TOLD and halves == [0, len(data) // 2]
    return max(nulls) * 8 > len(data) and min(nulls) * 20 < max(nulls)


class _Beginning:
    """The first bytes of a stream, gathered until they tell its encoding: its lines may be short."""

    def __init__(self, where: str | object) -> None:
        self._where, self._data = where, b""

    def add(self, data: bytes) -> None:
        """Take the next bytes; raise InputError as soon as they are enough and look like UTF-16."""
        if len(self._data) < _LEAST_LOOKED_AT:
            self._data += data[:_LOOKED_AT]
            if len(self._data) >= _LEAST_SURE:
                self.end()

    def end(self) -> None:
        """Judge what has come; raise InputError if it looks like UTF-16."""
        if is_utf16(self._data):
            raise InputError(
                f"{self._where}: looks like UTF-16 without a byte-order mark; convert it first: "
                "iconv -f UTF-16LE -t UTF-8"
            )


def bounded_lines(stream: IO[bytes], where: str | object) -> Iterator[bytes]:
    r"""Yield the lines of a stream with their line ends (split at ``\n`` only).

    Raises:
        InputError: a line is longer than :data:`LINE_BYTES`; the message names it by ``where`` and its number. Or the
            stream looks like UTF-16.
    """
    number, beginning = 0, _Beginning(where)
    while line := stream.readline(LINE_BYTES + 1):
        number += 1
        beginning.add(line)
        if len(line) > LINE_BYTES:
            raise too_long(f"{where}:{number}")
        yield line
    beginning.end()


def bounded_blocks(blocks: Iterable[bytes], where: str | object) -> Iterator[bytes]:
    """Yield blocks as they come.

    Raises:
        InputError: a line in them is longer than :data:`LINE_BYTES`, or they look like UTF-16.
    """
    open_bytes, beginning = 0, _Beginning(where)
    for block in blocks:
        beginning.add(block)
        end = block.rfind(b"\n")
        open_bytes = open_bytes + len(block) if end < 0 else len(block) - end - 1
        if open_bytes > LINE_BYTES:
            raise too_long(where)
        yield block
    beginning.end()


def whole(blocks: Iterable[bytes], where: str | object) -> bytes:
    """Return all blocks as one.

    Raises:
        InputError: they are more than :data:`FILE_BYTES`.
    """
    found = bytearray()
    for block in blocks:
        found += block
        if len(found) > FILE_BYTES:
            raise InputError(f"{where}: more than {FILE_BYTES >> 20} MB; it is held in memory as a whole, so cut it up")
    return bytes(found)
