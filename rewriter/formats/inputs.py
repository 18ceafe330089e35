"""From what people name on the command line to files: folders, patterns, files, a pipe."""

from __future__ import annotations

import glob
import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple

from rewriter.errors import InputError
from rewriter.formats import PACKED, SUFFIXES, suffix_of
from rewriter.text.printable import shown_name

log = logging.getLogger(__name__)

#: stands for standard input
STANDARD = "-"


class Source(NamedTuple):
    """A file to be rewritten.

    Attributes:
        path: where it is; ``-`` is standard input.
        name: where it belongs in an output folder: its path below the folder or the fixed part of the pattern by which
            it was found, or its name.
    """

    path: Path
    name: PurePath


def find(names: Sequence[str | Path], *, exclude: Iterable[str | Path] = ()) -> list[Source]:
    """Return the files that are meant, each once, in the order of ``names``; within a folder sorted by path.

    Args:
        names: files; folders, of which all files with a known suffix are taken, hidden ones left out; patterns (``*``,
            ``?``, ``[...]``, ``**`` for any folders); ``-``.
        exclude: folders that are not entered, such as that of the output.

    Raises:
        InputError: a file or folder does not exist, a folder holds no file of a known kind, a pattern fits none.
    """
    skipped = {os.path.realpath(path) for path in exclude}
    found: dict[str, Source] = {}
    for name in names:
        for source in _find(str(name), skipped):
            found.setdefault(os.path.realpath(source.path) if str(source.path) != STANDARD else STANDARD, source)
    return list(found.values())


def _find(name: str, skipped: set[str]) -> list[Source]:
    path = Path(name)
    if name == STANDARD:
        return [Source(path, path)]
    if path.is_dir():
        sources = [Source(file, file.relative_to(path)) for file in _walk(path, skipped)]
        if not sources:
            raise InputError(f"{name}: no files to rewrite in this folder; known are {_known()}, also .gz and .zst")
        return sources
    if glob.has_magic(name) and not os.path.lexists(path):
        return _match(name, skipped)
    if not os.path.lexists(path):
        raise InputError(f"{name}: no such file or folder")
    return [Source(path, PurePath(path.name))]


def _match(pattern: str, skipped: set[str]) -> list[Source]:
    base = _fixed_part(pattern)
    # unlike Path.glob, this takes absolute patterns and leaves hidden files out
    paths = [Path(found) for found in sorted(glob.glob(pattern, recursive=True))]  # noqa: PTH207
    files = [path for path in paths if path.is_file() and not _is_skipped(path, skipped)]
    if not files:
        raise InputError(f"{pattern}: no file fits this pattern")
    return [Source(path, path.relative_to(base)) for path in files]


def _fixed_part(pattern: str) -> Path:
    """Return the folders of a pattern before its first wildcard."""
    parts = Path(pattern).parts[:-1]
    fixed = next((n for n, part in enumerate(parts) if glob.has_magic(part)), len(parts))
    return Path(*parts[:fixed])


def _walk(folder: Path, skipped: set[str]) -> Iterator[Path]:
    """Yield the files with a known suffix below ``folder``; links to folders are not followed."""

    def fail(error: OSError) -> None:
        raise InputError(f"{error.filename}: cannot be read ({error.strerror or error})")

    files: list[Path] = []
    for here, folders, names in os.walk(folder, onerror=fail):
        folders[:] = [f for f in folders if not f.startswith(".") and os.path.realpath(Path(here, f)) not in skipped]
        paths = (Path(here, name) for name in names if not name.startswith("."))
        files += [path for path in paths if suffix_of(path) in SUFFIXES and not _is_packed_parquet(path)]
    files.sort(key=lambda path: path.relative_to(folder).parts)
    yield from (path for path in files if not _is_special(path))


def _is_special(path: Path) -> bool:
    """Return True, and tell, of a named pipe, socket or device: what is read of it may never end, or never come."""
    if path.is_file() or not path.exists():  # who opens the files names links that lead nowhere
        return False
    log.warning("%s: skipped, a named pipe, socket or device; name it by itself if it is meant", shown_name(path))
    return True


def _is_packed_parquet(path: Path) -> bool:
    return path.suffix.lower() in PACKED and SUFFIXES.get(suffix_of(path)) == "parquet"


def _is_skipped(path: Path, skipped: set[str]) -> bool:
    return any(str(parent) in skipped for parent in Path(os.path.realpath(path)).parents)


def _known() -> str:
    return ", ".join(SUFFIXES)
