"""The version of a language's grammar: a digest of its code and its word tables.

Computed, not raised by hand: two figures with the same version were made by the same rules and the same facts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from lexicons.languages import installed

#: kinds of files that decide what a grammar does
_KINDS = (".py", ".tsv", ".json")


@cache
def grammar_version(code: str) -> str:
    """Return the first digits of a SHA-256 over the modules and tables of a language.

    Args:
        code: of the language, ours or one that another package brings.

    Returns:
        Eight hexadecimal digits; ``-`` where the language has no files.
    """
    digest, empty = hashlib.sha256(), True
    for part in ("lexicons", "rewriter"):
        for name, content in _contents(_folder(part, code)):
            digest.update(f"{part}/{name}\0{len(content)}\0".encode())
            digest.update(content)
            empty = False
    return "-" if empty else digest.hexdigest()[:8]


def _folder(part: str, code: str) -> Traversable:
    own = files(part).joinpath(code)
    if own.is_dir() or code not in installed():
        return own
    return files(installed()[code]).joinpath(part)


def _contents(folder: Traversable) -> Iterator[tuple[str, bytes]]:
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.is_file() and path.name.endswith(_KINDS):
            # a checkout may have other line ends
            yield path.name, path.read_bytes().replace(b"\r\n", b"\n")
