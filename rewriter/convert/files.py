"""Files with their gender-fair words in another form: text, Markdown, HTML, PO, XLIFF, JSON and YAML.

What is no text stays byte for byte: keys, message ids, placeholders, tags, comments, white space, escapes. After the
edits the file is read again; if anything but the texts came out otherwise, it is refused and nothing is written.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rewriter.convert.converter import Converter
from rewriter.convert.json_strings import json_strings
from rewriter.convert.markup_strings import html_strings, xliff_strings
from rewriter.convert.placeholders import protected_in_string
from rewriter.convert.po_strings import po_strings
from rewriter.convert.strings import FileString, plain, replaced
from rewriter.convert.yaml_strings import yaml_strings
from rewriter.errors import InputError, UsageError
from rewriter.io.files import read_blocks
from rewriter.io.limits import whole
from rewriter.options import one_of
from rewriter.policy.protect import protected_spans
from rewriter.records import Edit
from rewriter.text.offsets import Span

__all__ = ["convert_file"]

#: suffix -> kind of file
KINDS = {
    **dict.fromkeys((".txt", ".md", ".markdown", ".rst", ".tex"), "text"),
    **dict.fromkeys((".html", ".htm"), "html"),
    **dict.fromkeys((".po", ".pot"), "po"),
    **dict.fromkeys((".xlf", ".xliff"), "xliff"),
    **dict.fromkeys((".json", ".arb"), "json"),
    **dict.fromkeys((".yml", ".yaml"), "yaml"),
}


def _whole(data: str, source: str) -> list[FileString]:
    string = FileString()
    string.add(plain(data, 0, len(data)))
    return [string]


class _Kind(NamedTuple):
    """How the strings of a kind of file are found, and what in them is no text."""

    strings: Callable[[str, str], list[FileString]]
    protected: Callable[[str], list[Span]]


_READERS = {
    "text": _Kind(_whole, protected_spans),
    "html": _Kind(html_strings, protected_spans),
    "po": _Kind(po_strings, protected_in_string),
    "xliff": _Kind(xliff_strings, protected_in_string),
    "json": _Kind(json_strings, protected_in_string),
    "yaml": _Kind(yaml_strings, protected_in_string),
}


class Change(NamedTuple):
    """A word of a file: its line from 1, what stands there, what will (the same where it stays)."""

    line: int
    before: str
    after: str


@dataclass(frozen=True)
class ConvertedFile:
    """A converted file.

    Attributes:
        data: its bytes.
        changes: what was replaced.
        left: gender-fair words that have no such form and stay.
    """

    data: bytes
    changes: tuple[Change, ...] = ()
    left: tuple[Change, ...] = ()


def kind_of(path: str | Path, asked: str = "auto") -> str:
    """Return the kind of a file by option or name.

    Args:
        path: of the file.
        asked: a kind, or ``auto``.

    Raises:
        UsageError: an unknown kind, or a name that leaves it open.
    """
    one_of(("auto", *_READERS), format=asked)
    if asked != "auto":
        return asked
    kind = KINDS.get(Path(path).suffix.lower())
    if kind is None:
        raise UsageError(f"{path}: pass --format {', '.join(_READERS)}; the name does not say what the file is")
    return kind


def convert_file(path: str | Path, converter: Converter, *, kind: str = "auto") -> ConvertedFile:
    """Return a file with its gender-fair words in another form; nothing is written.

    Args:
        path: of the file, in UTF-8.
        converter: to the form (:func:`rewriter.convert.converter.get_converter`).
        kind: ``text``, ``html``, ``po``, ``xliff``, ``json``, ``yaml``, or ``auto``, which goes by the name.

    Raises:
        InputError: the file cannot be read as what it claims to be, or is larger than 64 MB.
        UsageError: the name leaves open what it is.
    """
    return convert_bytes(whole(read_blocks(path), path), converter, kind=kind_of(path, kind), source=str(path))


def convert_bytes(raw: bytes, converter: Converter, *, kind: str, source: str = "input") -> ConvertedFile:
    """Return the bytes of a file with its gender-fair words in another form.

    Args:
        raw: the file.
        converter: to the form.
        kind: of the file.
        source: its name, for messages.

    Raises:
        InputError: it cannot be read as what it claims to be.
    """
    mark = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
    data = _decoded(raw[len(mark) :], source)
    reader = _READERS[kind]
    strings = reader.strings(data, source)
    made: list[tuple[FileString, tuple[Edit, ...]]] = []
    expected: list[str] = []
    left: list[Change] = []
    for string in strings:
        result = converter.convert(string.text, reader.protected(string.text))
        made.append((string, result.edits))
        expected.append(result.text)
        left += (_change(data, string, span, string.text[slice(*span)]) for span in result.left)
    new = replaced(data, made)
    if new != data and [string.text for string in reader.strings(new, source)] != expected:
        raise InputError(f"{source}: a converted text cannot stand in this file; nothing was written")
    changes = [_change(data, string, (e.start, e.end), e.after) for string, edits in made for e in edits]
    return ConvertedFile(mark + new.encode("utf-8"), tuple(changes), tuple(left))


def _decoded(raw: bytes, source: str) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(f"{source}:{line}: not UTF-8 ({error.reason}); convert the file to UTF-8 first") from None


def _change(data: str, string: FileString, span: Span, after: str) -> Change:
    line = data.count("\n", 0, string.places[span[0]][0]) + 1
    return Change(line, string.text[slice(*span)], after)


def files_below(names: Iterable[str | Path]) -> Iterator[Path]:
    """Yield files as they are named, and of folders all files of a known kind, sorted; hidden ones are left out.

    Args:
        names: files and folders.

    Raises:
        InputError: there is no such file or folder.
    """
    for name in map(Path, names):
        if name.is_dir():
            found = (path for path in name.rglob("*") if path.is_file() and path.suffix.lower() in KINDS)
            yield from sorted(p for p in found if not any(part.startswith(".") for part in p.relative_to(name).parts))
        elif name.exists():
            yield name
        else:
            raise InputError(f"{name}: no such file or folder")
