"""Opening and writing files: compression by file name, whole or not at all, errors for people."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import zlib
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any, cast

import zstandard

from rewriter.errors import InputError, OutputError
from rewriter.io.limits import ZSTD_PIECE, bounded_blocks, bounded_lines
from rewriter.records import Pair

__all__ = [
    "atomic_write",
    "open_bytes",
    "read_blocks",
    "read_lines",
    "read_pairs",
    "read_raw_lines",
    "write_lines",
    "write_pairs",
]

#: corpora are often packed with ``zstd --long=27``; its window must be allowed when reading
MAX_WINDOW = 2**27


def open_bytes(path: str | Path) -> IO[bytes]:
    """Open a plain, .gz or .zst file for reading bytes.

    Raises:
        InputError: the file is missing or not readable.
    """
    path = Path(path)
    try:
        raw = path.open("rb")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    if path.suffix == ".gz":
        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if path.suffix == ".zst":
        return cast(IO[bytes], io.BufferedReader(_ZstdReader(raw), buffer_size=1 << 20))
    return raw


def read_lines(path: str | Path, *, errors: str = "strict") -> Iterator[str]:
    r"""Yield the lines of a text file without their line ends (``\n`` or ``\r\n``).

    Raises:
        InputError: the file cannot be read, is truncated, or a line is not UTF-8 (named by number).
    """
    for number, line in enumerate(read_raw_lines(path), 1):
        try:
            yield line.decode("utf-8", errors).rstrip("\n").removesuffix("\r")
        except UnicodeDecodeError as error:
            raise InputError(f"{path}:{number}: not UTF-8 ({error.reason} at byte {error.start})") from None


def read_raw_lines(path: str | Path, *, offset: int = 0) -> Iterator[bytes]:
    r"""Yield the lines of a file as bytes with their line ends (split at ``\n`` only).

    Args:
        path: a plain, .gz or .zst file.
        offset: byte (of the uncompressed data) to begin at.

    Raises:
        InputError: the file cannot be read, its compressed data is damaged or truncated, or a line is longer than
            :data:`rewriter.io.limits.LINE_BYTES`.
    """
    number = 0
    try:
        with open_bytes(path) as stream:
            _skip(stream, offset)
            for number, line in enumerate(bounded_lines(stream, path), 1):  # noqa: B007 (the message below needs it)
                yield line
    except (EOFError, zlib.error, zstandard.ZstdError, gzip.BadGzipFile) as error:
        raise InputError(f"{path}: compressed data damaged or truncated after line {number} ({error})") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None


def read_blocks(path: str | Path, *, size: int = 1 << 20) -> Iterator[bytes]:
    """Yield the bytes of a plain, .gz or .zst file in blocks that end anywhere.

    Raises:
        InputError: the file cannot be read, its compressed data is damaged or truncated, or a line is longer than
            :data:`rewriter.io.limits.LINE_BYTES`.
    """
    done = 0
    try:
        with open_bytes(path) as stream:
            for block in bounded_blocks(iter(partial(stream.read, size), b""), path):
                done += len(block)
                yield block
    except (EOFError, zlib.error, zstandard.ZstdError, gzip.BadGzipFile) as error:
        raise InputError(f"{path}: compressed data damaged or truncated after {done} bytes ({error})") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None


def _skip(stream: IO[bytes], offset: int) -> None:
    if offset and stream.seekable():
        stream.seek(offset)
        return
    while offset > 0:
        passed = len(stream.read(min(offset, 1 << 20)))
        if not passed:
            return
        offset -= passed


class _ZstdReader(io.RawIOBase):
    """Reads frames one after the other and, unlike ``stream_reader``, notices a file that ends inside a frame."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._frame: Any = None
        self._ready = memoryview(b"")
        self._input = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            if not self._input:
                self._input = self._raw.read(ZSTD_PIECE)
                if not self._input:
                    if self._frame is not None:
                        raise EOFError("the file ends inside a compressed frame")
                    return 0
            if self._frame is None:
                self._frame = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW).decompressobj()
            self._ready = memoryview(self._frame.decompress(self._input))
            self._input = b""
            if self._frame.eof:
                self._input = self._frame.unused_data
                self._frame = None
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def close(self) -> None:
        self._raw.close()
        super().close()


@contextmanager
def atomic_write(path: str | Path, *, durable: bool = True) -> Iterator[IO[bytes]]:
    """Open ``path`` for writing bytes (.gz/.zst by name); it appears only when everything was written.

    Args:
        path: the file.
        durable: wait until the disk has it, so that even a power failure leaves the old or the new file. Without it
            only a killed process does; for many small files that can be made again.

    A symbolic link stays one: the file that it names is replaced. A device or named pipe is written to directly.

    Raises:
        OutputError: the folder or file cannot be written, or the disk is full; nothing is left behind.
    """
    path = Path(path)
    if path.exists() and not path.is_file() and not path.is_dir():
        with _direct_write(path) as stream:
            yield stream
        return
    if path.is_symlink():
        path = path.resolve()
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as raw:
            with _compressor(raw, path.suffix) as stream:
                yield stream
            raw.flush()
            if durable:
                os.fsync(raw.fileno())
        temporary.replace(path)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror or error})") from error
    finally:
        # A full disk or an unwritable folder may also refuse the clean-up; the first error is the one to tell.
        try:
            temporary.unlink(missing_ok=True)
        except OSError:
            pass


@contextmanager
def _direct_write(path: Path) -> Iterator[IO[bytes]]:
    """Write to a device or pipe (``/dev/null``), which must not be replaced by a file."""
    try:
        with path.open("wb") as raw, _compressor(raw, path.suffix) as stream:
            yield stream
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror or error})") from error


@contextmanager
def _compressor(raw: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    if suffix == ".gz":
        # mtime=0 and no file name: the same text gives the same bytes
        with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as packed:
            yield cast(IO[bytes], packed)
    elif suffix == ".zst":
        with zstandard.ZstdCompressor(level=6).stream_writer(raw, closefd=False) as packed_zst:
            yield cast(IO[bytes], packed_zst)
    else:
        yield raw


def write_lines(path: str | Path, lines: Iterable[str]) -> int:
    """Write lines with ``\\n`` ends atomically; return how many."""
    count = 0
    with atomic_write(path) as stream:
        for line in lines:
            stream.write(line.encode("utf-8") + b"\n")
            count += 1
    return count


def json_line(record: Mapping[str, Any]) -> bytes:
    """Return one line of JSON; half a surrogate pair, as names of files can hold, is written as an escape."""
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def write_json_lines(path: str | Path, records: Iterable[Mapping[str, Any]]) -> int:
    """Write records as JSON lines atomically; return how many."""
    count = 0
    with atomic_write(path) as stream:
        for record in records:
            stream.write(json_line(record))
            count += 1
    return count


def write_json(path: str | Path, value: Any) -> None:
    """Write a JSON file atomically, indented, keys in the given order."""
    with atomic_write(path) as stream:
        stream.write(json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace") + b"\n")


def read_json(path: str | Path) -> Any:
    """Read a JSON file.

    Raises:
        InputError: the file is missing or no JSON.
    """
    with open_bytes(path) as stream:
        try:
            return json.loads(stream.read())
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}: not valid JSON ({error})") from None


def read_pairs(path: str | Path) -> Iterator[Pair]:
    """Yield the pairs of a JSONL (.jsonl, .jsonl.gz, .jsonl.zst) or Parquet file.

    Raises:
        InputError: names file and line of the first record that is no pair.
    """
    if str(path).endswith(".parquet"):
        yield from _read_parquet_pairs(path)
        return
    for number, line in enumerate(read_lines(path), 1):
        where = f"{path}:{number}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{where}: not valid JSON ({error})") from None
        if not isinstance(record, dict):
            raise InputError(f"{where}: expected a JSON object with 'source' and 'target'")
        yield Pair.from_dict(record, where=where)


def write_pairs(path: str | Path, pairs: Iterable[Pair]) -> int:
    """Write pairs as JSONL (compression by name) or Parquet, atomically; return how many."""
    if str(path).endswith(".parquet"):
        return _write_parquet_pairs(path, pairs)
    return write_json_lines(path, (pair.to_dict() for pair in pairs))


def _read_parquet_pairs(path: str | Path) -> Iterator[Pair]:
    from rewriter.io.parquet import open_parquet

    with open_bytes(path) as stream, open_parquet(path, stream) as file:
        number = 0
        for batch in file.iter_batches(batch_size=4096):
            for record in batch.to_pylist():
                number += 1
                yield Pair.from_dict(record, where=f"{path}:{number}")


def _write_parquet_pairs(path: str | Path, pairs: Iterable[Pair]) -> int:
    from rewriter.installation.extras import require

    arrow = require("pyarrow", extra="data")
    parquet = require("pyarrow.parquet", extra="data")
    texts = ("source", "target", "lang", "strategy", "form", "origin")
    spans = arrow.list_(arrow.list_(arrow.int64()))
    schema = arrow.schema([(name, arrow.string()) for name in texts] + [("doubtful", spans)])
    count = 0
    with atomic_write(path) as stream, parquet.ParquetWriter(stream, schema) as writer:
        for batch in _batches(pairs, 4096):
            rows = [{**pair.to_dict(), "doubtful": [list(s) for s in pair.doubtful]} for pair in batch]
            writer.write_table(arrow.Table.from_pylist(rows, schema=schema))
            count += len(rows)
    return count


def _batches(pairs: Iterable[Pair], size: int) -> Iterator[list[Pair]]:
    batch: list[Pair] = []
    for pair in pairs:
        batch.append(pair)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def folder_digests(folder: Path, *, without: Container[str]) -> dict[str, str]:
    """Return SHA-256 by name of the files right in a folder, hidden ones left out.

    Args:
        folder: where the files stand.
        without: names of files that do not count.

    Raises:
        InputError: a file cannot be read.
    """
    files = (path for path in sorted(folder.iterdir()) if path.is_file() and not path.name.startswith("."))
    return {path.name: file_digest(path) for path in files if path.name not in without}


def file_digest(path: str | Path) -> str:
    """Return the SHA-256 of a file's bytes as hex.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        with Path(path).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
