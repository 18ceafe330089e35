"""Where rewritten files go."""

from __future__ import annotations

import os
from collections.abc import Sequence
from glob import has_magic
from pathlib import Path

from rewriter.errors import UsageError
from rewriter.formats.inputs import find

#: stands for standard input or output where a path is expected
STANDARD = Path("-")


def plan(sources: Sequence[str | Path], output: str) -> list[tuple[Path, Path]]:
    """Return (source, target) of every file.

    Args:
        sources: files, folders, patterns.
        output: a file for one input; a folder for several, or when it exists as one or ends with a slash.

    Raises:
        InputError: a folder or pattern holds no file that can be rewritten.
        UsageError: two files would have one target, or an input would be overwritten.
    """
    folder = Path(output)
    found = find_sources(sources, output=folder)
    if is_folder(output):
        return into_folder(found, folder)
    if len(found) > 1:
        raise UsageError(f"several files need a folder: -o {output}/")
    source = found[0][0]
    if same_file(source, folder):
        raise UsageError(f"{output}: would overwrite the input; pass --in-place if that is meant")
    return [(source, folder)]


def is_folder(output: str) -> bool:
    """Return whether an output is a folder: it is one, or its name ends with a slash."""
    return output.endswith(("/", "\\")) or Path(output).is_dir()


def into_folder(found: Sequence[tuple[Path, Path]], folder: Path) -> list[tuple[Path, Path]]:
    """Return (source, target) of every file within ``folder``.

    Raises:
        UsageError: two files would have one target, or an input would be overwritten.
    """
    _check_folder(folder)
    targets: dict[Path, Path] = {}
    inputs = {_identity(source) for source, _ in found}
    for source, relative in found:
        if source == STANDARD:
            raise UsageError("standard input has no name in a folder; pass a file name to -o")
        target = folder / relative
        if target in targets:
            raise UsageError(f"{targets[target]} and {source} would both become {target}")
        if target.exists() and _identity(target) in inputs:
            raise UsageError(f"{target}: would overwrite an input; pass --in-place if that is meant")
        targets[target] = source
    return [(source, target) for target, source in targets.items()]


def _check_folder(folder: Path) -> None:
    """Refuse a folder that cannot be made, which a dry run would not notice.

    Raises:
        UsageError: it, or one above it, is a file.
    """
    nearest = next((path for path in (folder, *folder.parents) if os.path.lexists(path)), None)
    if nearest is not None and not nearest.is_dir():
        raise UsageError(f"{nearest}: is a file, but several inputs need a folder; pass another one to -o")


def find_sources(sources: Sequence[str | Path], *, output: Path | None = None) -> list[tuple[Path, Path]]:
    """Return (path, path within an output folder) of every input file.

    A file that does not exist is returned as well: whoever opens the files names all that cannot be read.

    Args:
        sources: files, folders, patterns, ``-``.
        output: a folder that is not entered.

    Raises:
        InputError: a folder or pattern holds no file that can be rewritten.
    """
    exclude = [] if output is None else [output]
    found: dict[Path, Path] = {}
    for name in map(str, sources):
        if os.path.lexists(name) or has_magic(name) or name == "-":
            for source in find([name], exclude=exclude):
                found.setdefault(source.path, Path(source.name))
        else:
            found.setdefault(Path(name), Path(Path(name).name))
    return list(found.items())


def _identity(path: Path) -> tuple[int, int] | Path:
    try:
        info = path.stat()
        return info.st_dev, info.st_ino
    except OSError:
        return path


def same_file(source: Path, target: Path) -> bool:
    """Return whether both names lead to the same file."""
    try:
        return STANDARD not in (source, target) and source.samefile(target)
    except OSError:
        return False
