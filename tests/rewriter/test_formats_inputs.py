"""From names to files: folders, patterns, a pipe; each file once, in a fixed order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rewriter.errors import InputError
from rewriter.formats.inputs import find

FILES = [
    "a.txt",
    "b.jsonl.gz",
    "c/d.csv",
    "c/e/f.parquet",
    "c.tsv.zst",
    "notes.MD",
    "image.png",
    "table.parquet.gz",
    ".hidden.txt",
    ".state/part.txt",
    "out/a.txt",
]
KNOWN = ["a.txt", "b.jsonl.gz", "c/d.csv", "c/e/f.parquet", "c.tsv.zst", "notes.MD"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path


def names(folder: Path, *asked: str, exclude: str | None = None) -> list[str]:
    paths = [name if name == "-" else f"{folder}/{name}" for name in asked]
    found = find(paths, exclude=[folder / exclude] if exclude else ())
    assert all(str(source.path) == "-" or source.path.is_file() for source in found)
    return [source.name.as_posix() for source in found]


def test_a_folder_gives_its_known_files_with_their_places_below_it(folder: Path) -> None:
    assert names(folder, "", exclude="out") == KNOWN
    assert names(folder, "") == [*KNOWN, "out/a.txt"]
    assert names(folder, "c") == ["d.csv", "e/f.parquet"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (["image.png"], ["image.png"]),
        (["c/d.csv", "a.txt"], ["d.csv", "a.txt"]),
        (["a.txt", "c/../a.txt", "a.txt"], ["a.txt"]),
        (["-"], ["-"]),
        (["-", "a.txt", "-"], ["-", "a.txt"]),
        (["*.txt"], ["a.txt"]),
        (["c/*.csv"], ["d.csv"]),
        (["c/**/*.parquet"], ["e/f.parquet"]),
        (["**/a.txt"], ["a.txt", "out/a.txt"]),
        (["c*/d.csv"], ["c/d.csv"]),
        (["[ab].*"], ["a.txt", "b.jsonl.gz"]),
        (["c/d.csv", "c"], ["d.csv", "e/f.parquet"]),
    ],
)
def test_files_and_patterns(folder: Path, asked: list[str], expected: list[str]) -> None:
    assert names(folder, *asked) == expected


def test_a_name_with_brackets_is_a_name_where_there_is_such_a_file(folder: Path) -> None:
    (folder / "x[1].txt").touch()
    assert names(folder, "x[1].txt") == ["x[1].txt"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("nothing.txt", "no such file or folder"),
        ("*.xml", "no file fits this pattern"),
        (".state/deep", "no such file or folder"),
        ("empty", r"no files to rewrite in this folder; known are \.txt, "),
    ],
)
def test_what_gives_no_file_is_told(folder: Path, asked: str, message: str) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(InputError, match=message):
        names(folder, asked)


def test_patterns_leave_excluded_folders_out(folder: Path) -> None:
    assert names(folder, "**/*.txt", exclude="out") == ["a.txt"]
    with pytest.raises(InputError, match="no file fits"):
        names(folder, "out/*", exclude="out")


def test_links_to_files_count_once_and_links_to_folders_are_not_followed(folder: Path) -> None:
    (folder / "c" / "link.txt").symlink_to(folder / "a.txt")
    (folder / "c" / "loop").symlink_to(folder)
    assert names(folder, "c") == ["d.csv", "e/f.parquet", "link.txt"]
    assert names(folder, "a.txt", "c") == ["a.txt", "d.csv", "e/f.parquet"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_a_folder_that_cannot_be_read_is_told(folder: Path) -> None:
    (folder / "c").chmod(0)
    try:
        with pytest.raises(InputError, match="cannot be read"):
            names(folder, "")
    finally:
        (folder / "c").chmod(0o755)
