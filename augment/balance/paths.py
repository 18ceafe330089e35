"""Listing dependency paths for labelling by hand (Becker 2022, 3.2): the most frequent first, with examples.

The list is a table: path, how often, label (``y`` related, ``n`` not, empty: not looked at), examples. Made again for
more of a corpus, it keeps the labels.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from augment.balance.judge import PathFinder, PathFound
from augment.balance.metadata import DependencyPath, Metadata, describe_path
from lexicons.side_files import read_side_file
from rewriter.errors import InputError
from rewriter.io.files import atomic_write, write_json

EXAMPLES = 3
COLUMNS = ("path", "count", "label", "examples")
LABELS = ("", "y", "n")
_SPLIT = " ¦ "


@dataclass(frozen=True)
class PathRow:
    """A path that was found.

    Attributes:
        path: its labels.
        count: how often.
        label: ``y``, ``n`` or empty.
        examples: sentences with identifier and neutral word in brackets.
    """

    path: DependencyPath
    count: int
    label: str = ""
    examples: tuple[str, ...] = ()


@dataclass
class _Seen:
    count: int = 0
    examples: list[str] = field(default_factory=list)


def collect_paths(finder: PathFinder, sentences: Iterable[str]) -> list[PathRow]:
    """Return the paths between identifiers and neutral words of sentences, the most frequent first."""
    seen: dict[DependencyPath, _Seen] = {}
    kept: list[str] = []

    def remember() -> Iterable[str]:
        for sentence in sentences:
            kept.append(sentence)
            yield sentence

    for number, found in enumerate(finder.find(remember())):
        for path in found:
            row = seen.setdefault(path.path, _Seen())
            row.count += 1
            if len(row.examples) < EXAMPLES:
                row.examples.append(_example(kept[number], path))
        kept[number] = ""
    rows = [PathRow(path, row.count, "", tuple(row.examples)) for path, row in seen.items()]
    return sorted(rows, key=lambda row: (-row.count, row.path))


def _example(sentence: str, found: PathFound) -> str:
    for start, end in sorted({found.identifier, found.neutral}, reverse=True):
        sentence = f"{sentence[:start]}[{sentence[start:end]}]{sentence[end:]}"
    return " ".join(sentence.replace("¦", " ").split())


def read_rows(path: str | Path) -> list[PathRow]:
    """Read a list.

    Raises:
        InputError: it cannot be read, or a row is malformed; file and line are named.
    """
    try:
        lines = read_side_file(path).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None
    if not lines or lines[0].split("\t") != list(COLUMNS):
        raise InputError(f"{path}:1: the columns must be {', '.join(COLUMNS)}, apart by tabs")
    rows = []
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(COLUMNS) or not cells[1].isdigit() or cells[2].strip().lower() not in LABELS:
            raise InputError(f"{path}:{number}: expected path, number, label (y, n or nothing), examples")
        examples = tuple(cells[3].split(_SPLIT)) if cells[3] else ()
        rows.append(PathRow(tuple(cells[0].split(", ")), int(cells[1]), cells[2].strip().lower(), examples))
    return rows


def write_rows(path: str | Path, rows: Iterable[PathRow]) -> None:
    """Write a list.

    Raises:
        OutputError: it cannot be written.
    """
    with atomic_write(path) as stream:
        stream.write("\t".join(COLUMNS).encode() + b"\n")
        for row in rows:
            cells = (describe_path(row.path), str(row.count), row.label, _SPLIT.join(row.examples))
            stream.write("\t".join(cells).encode("utf-8", "replace") + b"\n")


def keep_labels(rows: Iterable[PathRow], old: Iterable[PathRow]) -> list[PathRow]:
    """Return the rows with the labels of an older list; labelled paths that were not found again stay, at the end."""
    labels = {row.path: row for row in old if row.label}
    merged = [replace(row, label=labels[row.path].label) if row.path in labels else row for row in rows]
    here = {row.path for row in merged}
    return merged + [replace(row, count=0) for row in labels.values() if row.path not in here]


def label_rows(path: str | Path, ask: Callable[[PathRow, str], str]) -> int:
    """Ask for the label of every row that has none, the most frequent first; saved after every answer.

    Args:
        path: the list.
        ask: gets a row and the share of all paths found that has a label so far; returns ``y``, ``n``, empty to skip,
            ``q`` to stop.

    Returns:
        How many got a label.
    """
    rows = read_rows(path)
    total = sum(row.count for row in rows) or 1
    done = 0
    for place, row in enumerate(rows):
        if row.label:
            continue
        share = sum(r.count for r in rows if r.label) / total
        answer = ask(row, f"{100 * share:.0f} %").strip().lower()
        if answer == "q":
            break
        if answer in ("y", "n"):
            rows[place] = replace(row, label=answer)
            write_rows(path, rows)
            done += 1
    return done


def write_metadata(path: str | Path, metadata: Metadata, rows: Iterable[PathRow], scheme: str) -> int:
    """Write metadata whose ``allowed_depend`` are the rows labelled ``y``; return how many these are.

    Raises:
        OutputError: it cannot be written.
    """
    allowed = [list(row.path) for row in rows if row.label == "y"]
    words = [
        [list(term.neutral) if len(term.neutral) > 1 else term.name, *(_written(some) for some in term.words)]
        for term in metadata.terms
    ]
    data = {
        "category_words": words,
        "category_identifier": [list(some) for some in metadata.identifiers],
        "category_name": list(metadata.categories),
        "allowed_depend": allowed,
        "depend_scheme": scheme,
    }
    extra = {"lang": metadata.lang} if metadata.lang else {}
    write_json(path, data | extra | ({"targets_known": True} if metadata.targets_known else {}))
    return len(allowed)


def _written(words: tuple[str, ...]) -> str | list[str]:
    return list(words) if len(words) > 1 else "".join(words)


def as_json(rows: Iterable[PathRow]) -> str:
    """Return the rows as JSON."""
    return json.dumps([{"path": r.path, "count": r.count, "label": r.label, "examples": r.examples} for r in rows])
