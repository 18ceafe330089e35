"""What the command does with input, models and disks that are not as they should be: nothing is lost, nothing crashes.

Commands run in child processes with the tiny model, as a user would run them.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from folder_tools import hear_interrupts

from rewriter.cli.main import main
from rewriter.io.textfile import STANDARD

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"
#: the tiny model is sure of these, because the grammar alone decides them
BEFORE, AFTER = b"Then she said so.", b"Then they said so."


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "rewriter", "rewrite", "--model", str(TINY), *map(str, words)]


def rewrite(*words: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command(*words), input=stdin, capture_output=True, timeout=300)


def is_one_line(message: bytes) -> bool:
    return message.startswith(b"gender-fair: ") and message.count(b"\n") == 1 and b"Traceback" not in message


BYTES = {
    "empty file": (b"", b""),
    "one empty line": (b"\n", b"\n"),
    "empty lines": (b"\n\n" + BEFORE + b"\n\n\n", b"\n\n" + AFTER + b"\n\n\n"),
    "white space lines": (b"  \t\n" + BEFORE + b"\n \n", b"  \t\n" + AFTER + b"\n \n"),
    "no final line end": (BEFORE + b"\n" + BEFORE, AFTER + b"\n" + AFTER),
    "Windows line ends": (BEFORE + b"\r\n\r\n" + BEFORE + b"\r\n", AFTER + b"\r\n\r\n" + AFTER + b"\r\n"),
    "mixed line ends": (BEFORE + b"\r\n" + BEFORE + b"\n", AFTER + b"\r\n" + AFTER + b"\n"),
    "lone carriage returns": (b"a\rb\r\r\n" + BEFORE + b"\r", b"a\rb\r\r\n" + AFTER + b"\r"),
    "NUL bytes": (b"\0" + BEFORE + b"\0\n\0\0\n", b"\0" + AFTER + b"\0\n\0\0\n"),
    "byte-order mark": (b"\xef\xbb\xbf" + BEFORE + b"\n", b"\xef\xbb\xbf" + AFTER + b"\n"),
    "byte-order mark within": (BEFORE + b"\n\xef\xbb\xbf" + BEFORE + b"\n", AFTER + b"\n\xef\xbb\xbf" + AFTER + b"\n"),
    "other line separators": (
        BEFORE + "\u2028\u0085\x0b\x0c".encode() + b"\n",
        AFTER + "\u2028\u0085\x0b\x0c".encode() + b"\n",
    ),
    "emoji and spaces": ("👩🏽‍🔬  ﬁ e\u0301\u00a0 \n".encode() + BEFORE, "👩🏽‍🔬  ﬁ e\u0301\u00a0 \n".encode() + AFTER),
}


@pytest.mark.parametrize("unit", ["line", "document"])
@pytest.mark.parametrize(("before", "after"), BYTES.values(), ids=BYTES.keys())
def test_every_other_byte_stays(tmp_path: Path, before: bytes, after: bytes, unit: str) -> None:
    (tmp_path / "in.txt").write_bytes(before)
    arguments = [str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.txt"), "--model", str(TINY), "--unit", unit]
    assert main(["rewrite", *arguments]) == 0
    assert (tmp_path / "out.txt").read_bytes() == after


@pytest.mark.parametrize("unit", ["line", "document"])
def test_a_line_that_is_not_utf8_is_written_through_and_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], unit: str
) -> None:
    source, target, rejects = tmp_path / "in.txt", tmp_path / "out.txt", tmp_path / "rejects.jsonl"
    broken = b"Then she said \xff so.\n"
    source.write_bytes(BEFORE + b"\n" + broken + b"\n" + BEFORE + b"\n")
    arguments = [str(source), "-o", str(target), "--model", str(TINY), "--unit", unit, "--rejects", str(rejects)]
    assert main(["rewrite", *arguments]) == 3
    assert target.read_bytes() == AFTER + b"\n" + broken + b"\n" + AFTER + b"\n"
    (reject,) = [json.loads(line) for line in rejects.read_text().splitlines()]
    assert (reject["file"], reject["line"]) == (str(source), 2)
    assert reject["reason"].startswith("not UTF-8")
    assert f"{source}:2: not UTF-8" in capsys.readouterr().err


def test_a_byte_order_mark_in_front_of_broken_bytes_counts(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_bytes(b"\xef\xbb\xbfa\xff\n")
    done = rewrite(tmp_path / "in.txt")
    assert (done.returncode, done.stdout) == (3, b"\xef\xbb\xbfa\xff\n")
    assert b"at byte 4" in done.stderr


@pytest.mark.parametrize(
    "line",
    [b"x" * 10**6, b"lorem ipsum " * 80_000, b"`" * 200_000, b"<code>" * 30_000, b"a." * 100_000],
    ids=["one word", "words", "back-ticks", "tags", "dots"],
)
def test_a_very_long_line(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "in.txt").write_bytes(line + b" " + BEFORE + b"\n" + BEFORE + b"\n")
    assert main(["rewrite", str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.txt"), "--model", str(TINY)]) == 0
    first, second = (tmp_path / "out.txt").read_bytes().splitlines()
    assert second == AFTER
    assert first.startswith(line)


@pytest.mark.slow
def test_a_line_of_a_megabyte_of_pronouns(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_bytes(b"she left and " * 80_000)
    assert main(["rewrite", str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.txt"), "--model", str(TINY)]) == 0
    assert (tmp_path / "out.txt").read_bytes() == b"they left and " * 80_000


@pytest.mark.parametrize("name", ["in.txt.gz", "in.txt.zst"])
def test_a_truncated_compressed_file_is_an_error_and_leaves_nothing(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import zstandard

    packed = (
        gzip.compress(BEFORE * 1000) if name.endswith("gz") else zstandard.compress(os.urandom(10000).hex().encode())
    )
    (tmp_path / name).write_bytes(packed[: len(packed) // 2])
    assert main(["rewrite", str(tmp_path / name), "-o", str(tmp_path / "out.txt"), "--model", str(TINY)]) == 4
    assert "damaged or truncated" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("missing.txt", "cannot be read (No such file"), ("folder", "no files to rewrite in this folder")],
    ids=["missing", "empty folder"],
)
def test_input_that_cannot_be_read(tmp_path: Path, name: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder").mkdir()
    assert main(["rewrite", str(tmp_path / name), "-o", str(tmp_path / "out.txt"), "--model", str(TINY)]) == 4
    assert f"{tmp_path / name}: {reason}" in capsys.readouterr().err
    assert not (tmp_path / "out.txt").exists()


# Models


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def truncate(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:-7])


DAMAGE = {
    **{f"no {name}": (remove(name), name) for name in ("model.bin", "head.json", "pieces.model", "rewriter.json")},
    **{f"truncated {name}": (truncate(name), name) for name in ("model.bin", "head.json", "pieces.model")},
    "truncated rewriter.json": (truncate("rewriter.json"), "rewriter.json"),
}


@pytest.mark.parametrize(("damage", "named"), DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_model_directory_is_named(
    tmp_path: Path, damage: Callable[[Path], None], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model"
    shutil.copytree(TINY, model)
    damage(model)
    (tmp_path / "in.txt").write_bytes(BEFORE)
    assert main(["rewrite", str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.txt"), "--model", str(model)]) == 4
    message = capsys.readouterr().err
    assert is_one_line(message.encode()) and named in message and str(model) in message
    assert not (tmp_path / "out.txt").exists()


def test_an_unknown_model_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.txt").write_bytes(BEFORE)
    assert main(["rewrite", str(tmp_path / "in.txt"), "--model", "no-such-model"]) == 4
    assert "there is no model 'no-such-model'" in capsys.readouterr().err


# Output


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_bytes((BEFORE + b"\n") * 2000)
    return path


def test_a_target_below_a_regular_file(tmp_path: Path, source: Path) -> None:
    done = rewrite(source, "-o", source / "out.txt")
    assert done.returncode == 4 and is_one_line(done.stderr)
    assert str(source / "out.txt").encode() in done.stderr
    assert source.read_bytes() == (BEFORE + b"\n") * 2000


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="folder permissions bind neither root nor Windows")
def test_an_unwritable_folder(tmp_path: Path, source: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    done = rewrite(source, "-o", tmp_path / "closed" / "out.txt")
    assert done.returncode == 4 and is_one_line(done.stderr) and b"Permission denied" in done.stderr


def limited(code: str) -> list[str]:
    """Return a command that runs the rewrite after ``code``, in one child process."""
    return [
        sys.executable,
        "-c",
        f"import sys\n{code}\nfrom rewriter.cli.main import main\nsys.exit(main(sys.argv[1:]))",
    ]


@pytest.mark.skipif(os.name != "posix", reason="limits of the file size are a POSIX thing")
@pytest.mark.parametrize("name", ["out.txt", "out.txt.zst", "out.txt.gz"])
def test_a_full_disk_leaves_the_earlier_file(tmp_path: Path, name: str) -> None:
    """A limit on the file size makes writing fail half-way, as a full disk does."""
    source = tmp_path / "in.txt"
    # incompressible text, so that compressed output meets the limit too
    source.write_bytes(b"".join(BEFORE + b" " + os.urandom(30).hex().encode() + b"\n" for _ in range(3000)))
    (tmp_path / name).write_bytes(b"earlier")
    start = limited("import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))")
    words = ["rewrite", str(source), "-o", str(tmp_path / name), "--model", str(TINY)]
    done = subprocess.run([*start, *words], capture_output=True, timeout=300)
    assert done.returncode == 4 and is_one_line(done.stderr), done.stderr
    assert b"cannot be written" in done.stderr and name.encode() in done.stderr
    assert (tmp_path / name).read_bytes() == b"earlier"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["in.txt", name])


def test_no_space_left_on_standard_output(source: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full, a device of Linux that is always full")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command(source), stdout=full, stderr=subprocess.PIPE, timeout=300)
    assert done.returncode == 4 and is_one_line(done.stderr)
    assert b"standard output: cannot be written (No space left on device)" in done.stderr


def test_a_write_that_raises_enospc(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import errno

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    assert main(["rewrite", str(source), "-o", str(tmp_path / "out.txt"), "--model", str(TINY)]) == 4
    assert "out.txt: cannot be written (No space left on device)" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


def test_ctrl_c_stops_with_one_line_and_no_half_file(tmp_path: Path) -> None:
    """The child waits for more input, its target half written, when it is interrupted."""
    words = command("-", "-o", tmp_path / "out.txt")
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=hear_interrupts) as child:
        assert child.stdin is not None and child.stderr is not None
        child.stdin.write((BEFORE + b"\n") * 5000)
        child.stdin.flush()
        deadline = time.monotonic() + 120
        while not list(tmp_path.glob(".out.txt.*.tmp")) and time.monotonic() < deadline:
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        message = child.stderr.read()
        child.stdin.close()
        assert child.wait(60) == 130
    assert is_one_line(message) and b"interrupted" in message
    assert list(tmp_path.iterdir()) == []


def test_the_reader_of_a_pipe_may_go_away(source: Path) -> None:
    source.write_bytes((BEFORE + b"\n") * 50_000)
    with subprocess.Popen(command(source), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stderr is not None
        assert child.stdout.readline() == AFTER + b"\n"
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(120) == 0


def test_a_pipe_is_answered_line_by_line() -> None:
    with subprocess.Popen(command(STANDARD), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None and child.stdout is not None
        for _ in range(2):
            child.stdin.write(BEFORE + b"\n")
            child.stdin.flush()
            # the answer arrives although the pipe stays open
            assert child.stdout.readline() == AFTER + b"\n"
        child.stdin.write(BEFORE)
        child.stdin.close()
        assert child.stdout.read() == AFTER
        assert child.wait(60) == 0
