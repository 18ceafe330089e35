"""Files that were made, or happen, to do harm: damaged, of odd names, that unpack to gigabytes, in another encoding."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from eval.bias_filter.corpus import _read_parquet
from rewriter.cli.main import main
from rewriter.errors import InputError
from rewriter.formats import FormatOptions
from rewriter.io import limits
from rewriter.io.columns import read_columns
from rewriter.io.files import open_bytes, read_blocks, read_lines, read_pairs, read_raw_lines
from rewriter.io.limits import is_utf16
from rewriter.records import Pair

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"
BEFORE, AFTER = b"Then she said so.\n", b"Then they said so.\n"
posix = pytest.mark.skipif(os.name != "posix", reason="names of bytes, named pipes and sockets of POSIX")


def rewrite(*words: object) -> int:
    return main(["rewrite", "--model", str(TINY), *map(str, words)])


# ---------------------------------------------------------------- damaged Parquet files


def damaged_parquets(folder: Path) -> None:
    """Save a good Parquet file, and many that were cut off or have other bytes in random places."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    folder.mkdir()
    table = arrow.table({"text": ["Then she said so."] * 200, "source": ["a"] * 200, "target": ["b"] * 200})
    parquet.write_table(table, folder / "good.parquet", row_group_size=50)
    whole = (folder / "good.parquet").read_bytes()
    rng = random.Random(5)
    for number in range(25):
        data = bytearray(whole)
        for _ in range(rng.choice((1, 5, 30))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        (folder / f"bad-{number:02d}.parquet").write_bytes(data if number % 5 else data[: rng.randrange(len(data))])


@pytest.mark.parametrize("way", [[], ["--shard-lines", "10", "--processes", "1"]], ids=["direct", "sharded"])
def test_a_damaged_parquet_file_fails_alone(way: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged_parquets(tmp_path / "in")
    assert rewrite(tmp_path / "in", "-o", f"{tmp_path / 'out'}/", *way) in (3, 4)
    assert (tmp_path / "out" / "good.parquet").is_file()
    told = capsys.readouterr().err
    assert "the others are done" in told and "nobody foresaw" not in told


READERS: dict[str, Callable[[Path], object]] = {
    "pairs": lambda path: list(read_pairs(path)),
    "columns": read_columns,
    "bias filter": lambda path: list(_read_parquet(path, FormatOptions())),
}


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_of_parquet_names_a_damaged_file(reader: str, tmp_path: Path) -> None:
    damaged_parquets(tmp_path / "in")
    READERS[reader](tmp_path / "in" / "good.parquet")
    failed = 0
    for path in sorted((tmp_path / "in").glob("bad-*")):
        try:
            READERS[reader](path)
        except InputError as error:
            failed += str(path) in str(error)
        except Exception as error:
            assert str(error).count("no column"), error  # another name of a column is no damage that shows
    assert failed > 10


# ---------------------------------------------------------------- odd names, and what is no file


@pytest.fixture
def odd_names(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in (b"caf\xe9.txt", b"good.txt", b"red\x1b[31m.txt", b"two\nlines.txt"):
        Path(os.fsdecode(bytes(folder) + b"/" + name)).write_bytes(BEFORE + b"\xff\n")
    os.mkfifo(folder / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as made:
        here = Path.cwd()
        os.chdir(folder)  # a socket's path is short
        try:
            made.bind("socket.txt")
        finally:
            os.chdir(here)
    return folder


WAYS = {
    "direct": ["-o", "out/"],
    "sharded": ["-o", "out/", "--shard-lines", "5", "--processes", "1"],
    "dry run": ["--dry-run"],
    "dry run by shards": ["--dry-run", "--shard-lines", "5", "--processes", "1"],
    "differences": ["--diff"],
    "JSON": ["--json"],
    "check": ["--check"],
    "check for GitHub": ["--check", "--check-format", "github"],
    "check as SARIF": ["--check", "--check-format", "sarif"],
    "page and lists": ["-o", "out/", "--html", "page.html", "--rejects", "r.jsonl", "--summary", "s.json"],
}


@posix
@pytest.mark.parametrize("way", WAYS)
def test_odd_names_are_carried_and_what_is_no_file_is_skipped(
    way: str, odd_names: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(odd_names.parent)
    assert rewrite("in", *WAYS[way]) in (1, 3)
    told = capfd.readouterr()
    assert "\x1b" not in told.out + told.err and "nobody foresaw" not in told.err
    assert "red\\x1b[31m.txt" in told.err
    if "-o" in WAYS[way]:
        written = {os.fsencode(path.name): path.read_bytes() for path in Path("out").iterdir() if path.is_file()}
        names = (b"caf\xe9.txt", b"good.txt", b"red\x1b[31m.txt", b"two\nlines.txt")
        assert written == dict.fromkeys(names, AFTER + b"\xff\n")


@posix
def test_skipped_files_are_named(odd_names: Path, caplog: pytest.LogCaptureFixture) -> None:
    rewrite(odd_names, "--dry-run")
    assert [re.search(r"(\w+)\.txt: skipped", record.message)[1] for record in caplog.records] == ["pipe", "socket"]  # type: ignore[index]


# ---------------------------------------------------------------- expansion bombs, long lines


def test_zstandard_is_unpacked_in_bounded_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a gigabyte in 32 kB no more is unpacked than is asked for, but for one piece."""
    path = tmp_path / "bomb.txt.zst"
    path.write_bytes(zstandard.ZstdCompressor(level=1).compress(b"a" * (1 << 28)))
    assert path.stat().st_size < 1 << 14
    pieces: list[int] = []
    real = zstandard.ZstdDecompressor

    class Watched:
        def __init__(self) -> None:
            self._inner = real().decompressobj()

        def decompress(self, data: bytes) -> bytes:
            piece = self._inner.decompress(data)
            pieces.append(len(piece))
            return bytes(piece)

        def __getattr__(self, name: str) -> object:
            return getattr(self._inner, name)

    monkeypatch.setattr("rewriter.io.files.zstandard.ZstdDecompressor", lambda **_: _Makes(Watched))
    with open_bytes(path) as stream:
        assert len(stream.read(100)) == 100
    assert sum(pieces) <= 34 << 20


class _Makes:
    def __init__(self, what: Callable[[], object]) -> None:
        self.decompressobj = what


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda data: data,
    ".gz": gzip.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_line_beyond_the_limit_is_refused(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LINE_BYTES", 3 << 20)
    path = tmp_path / f"long.txt{suffix}"
    path.write_bytes(PACKERS[suffix](b"short\n" + b"a" * (4 << 20) + b"\n"))
    for read in (read_raw_lines, read_blocks):
        with pytest.raises(InputError, match="a line of more than 3 MB"):
            list(read(path))
    path.write_bytes(PACKERS[suffix](b"short\n" + b"a" * ((3 << 20) - 1) + b"\n"))
    assert sum(map(len, read_blocks(path))) == sum(map(len, read_raw_lines(path))) == (3 << 20) + 6


@pytest.mark.parametrize("way", [[], ["--processes", "1", "--fresh"]], ids=["direct", "sharded"])
def test_a_file_with_a_line_beyond_the_limit_fails_alone(
    way: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(limits, "LINE_BYTES", 3 << 20)
    monkeypatch.setattr("rewriter.corpus.plan.LINE_BYTES", 3 << 20)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "good.txt").write_bytes(BEFORE)
    (tmp_path / "in" / "long.txt").write_bytes(BEFORE + b"a" * (16 << 20))
    assert rewrite(tmp_path / "in", "-o", f"{tmp_path / 'out'}/", *way) == 4
    assert "a line of more than" in capsys.readouterr().err
    assert (tmp_path / "out" / "good.txt").read_bytes() == AFTER
    assert not (tmp_path / "out" / "long.txt").exists()


def test_a_text_beyond_the_limit_is_written_unchanged_and_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rewriter.corpus.engine.TEXT_CHARACTERS", 1000)
    (tmp_path / "in.txt").write_bytes(BEFORE.strip() * 100 + b"\n" + BEFORE)
    assert rewrite(tmp_path / "in.txt", "-o", tmp_path / "out.txt") == 3
    assert (tmp_path / "out.txt").read_bytes() == BEFORE.strip() * 100 + b"\n" + AFTER
    assert "too much for one text" in capsys.readouterr().err


# ---------------------------------------------------------------- encodings

ENCODED = {
    "UTF-16LE": ("Then she said so.\n".encode("utf-16le"), True),
    "UTF-16BE": ("Then she said so.\n".encode("utf-16be"), True),
    "UTF-32LE": ("Then she said so.\n".encode("utf-32le"), True),
    "UTF-16LE, a word": ("She\n".encode("utf-16le"), True),
    "UTF-16BE, two words": ("She left.\n".encode("utf-16be"), True),
    "UTF-8": (BEFORE, False),
    "UTF-8 of one letter between NUL bytes": (b"a\0bc\0d\0e\0", False),
    "UTF-8 with umlauts": ("Die Ärztin hörte zu.\n".encode(), False),
    "some NUL bytes": (b"\0" + BEFORE + b"\0\n\0\0\n", False),
    "nothing but NUL": (b"\0" * 100, False),
    "a NUL line": (b"\0\n", False),
    "nothing": (b"", False),
}


@pytest.mark.parametrize("name", ENCODED)
def test_utf16_without_a_mark_is_recognised(name: str) -> None:
    data, expected = ENCODED[name]
    assert is_utf16(data) is expected


@pytest.mark.parametrize("way", [[], ["--shard-lines", "5", "--processes", "1"], ["--dry-run"], ["--check"]])
@pytest.mark.parametrize("text", ["Then she said so.\r\n", "She left.\n", "He\nShe\nThey\n" * 20])
def test_utf16_without_a_mark_is_refused(
    text: str, way: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.txt"
    path.write_bytes(text.encode("utf-16le"))
    output = [] if {"--dry-run", "--check"} & set(way) else ["-o", tmp_path / "out.txt"]
    assert rewrite(path, *output, *way) == 4
    assert "looks like UTF-16 without a byte-order mark" in capsys.readouterr().err
    with pytest.raises(InputError, match="UTF-16"):
        list(read_lines(path))


# ---------------------------------------------------------------- what cannot be written as UTF-8


def test_half_a_surrogate_pair_is_no_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps({"source": "a\ud800", "target": "b"}) + "\n")
    with pytest.raises(InputError, match=r"pairs\.jsonl:1: 'source' holds half of a surrogate pair"):
        list(read_pairs(path))
    assert main(["mix", str(path), "-o", str(tmp_path / "out")]) == 4
    assert "half of a surrogate pair" in capsys.readouterr().err
    assert Pair.from_dict({"source": "é", "target": "👩"}).source == "é"


def test_a_table_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b'\xef\xbb\xbfa,b\r\n1,"x\ny"\r\n2,z\r')
    assert read_columns(path).columns == {"a": ["1", "2"], "b": ["x\ny", "z"]}
