"""How a command ends when it is asked to, or when something goes wrong that nobody foresaw."""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from rewriter.cli import main as command
from rewriter.cli.main import main
from rewriter.cli.signals import Stopped, ends_cleanly
from rewriter.corpus import CorpusOptions, rewrite_corpus
from rewriter.runs.manifest import Manifest, stopwatch

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"
posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

#: a slow rewriting; says when it is at work
SLOW = textwrap.dedent(
    """
    import sys, time
    from rewriter.cli import rewrite
    from rewriter.cli.main import main

    class Slow:
        def __repr__(self):
            return "Slow()"

        def __call__(self, contents):
            print("at work", flush=True)
            time.sleep(0.3)
            return [True] * len(contents)

    rewrite.selector_from = lambda args, language: Slow()
    sys.exit(main(sys.argv[1:]))
    """
)


def start(folder: Path, *words: object, ignoring: int | None = None) -> subprocess.Popen[bytes]:
    (folder / "slow.py").write_text(SLOW)
    process = subprocess.Popen(
        [sys.executable, folder / "slow.py", "rewrite", "--model", TINY, folder / "in.txt", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: _signals(ignoring),
    )
    assert process.stdout is not None and process.stdout.readline() == b"at work\n"
    return process


def _signals(ignored: int | None) -> None:
    """Ignore one signal, and none that these tests ignore because they run in the background."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN if number == ignored else signal.SIG_DFL)


@posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT"])
@pytest.mark.parametrize("way", ["direct", "sharded"])
def test_signals_clean_up_as_an_interrupt_does(name: str, way: str, tmp_path: Path) -> None:
    number = getattr(signal, name)
    (tmp_path / "in.txt").write_text("Then she said so.\n" * 50)
    shards = ["--shard-lines", "2", "--processes", "1"] if way == "sharded" else []
    process = start(tmp_path, "-o", tmp_path / "out" / "out.txt", *shards)
    process.send_signal(number)
    _, told = process.communicate(timeout=120)
    assert (process.returncode, b"Traceback" in told) == (128 + number, False)
    assert f"stopped by {name}; what was finished is kept".encode() in told
    left = [path.name for path in (tmp_path / "out").rglob("*") if path.name.endswith(".tmp")]
    assert left == [] and not (tmp_path / "out" / "out.txt").exists()
    if way == "sharded":
        manifest = json.loads(next((tmp_path / "out").rglob("manifest.json")).read_text())
        assert manifest["seconds"] > 0 and not manifest["complete"]


@posix
def test_what_is_ignored_stays_ignored(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("Then she said so.\n" * 2)
    process = start(tmp_path, "-o", tmp_path / "out.txt", ignoring=signal.SIGHUP)
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=120) == 0


@posix
def test_handlers_are_given_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Stopped), ends_cleanly():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(5)
    assert signal.getsignal(signal.SIGTERM) is before


def test_times_are_sums_over_all_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed run has noted its time; the next start adds its own."""
    monkeypatch.setattr("rewriter.runs.manifest._HEARTBEAT", 0.01)
    manifest = Manifest("stage", {}, seconds=100.0)
    with stopwatch(manifest, tmp_path):
        for _ in range(500):
            noted = Manifest.load(tmp_path)
            if noted is not None and noted.seconds > 100.02:
                break
            time.sleep(0.01)
        assert noted is not None and noted.seconds > 100.02 and not noted.complete  # what a killed run leaves
    with pytest.raises(KeyboardInterrupt), stopwatch(manifest, tmp_path):
        raise KeyboardInterrupt
    kept = Manifest.load(tmp_path)
    assert kept is not None and kept.seconds == manifest.seconds > noted.seconds


def test_words_a_second_count_the_time_of_all_starts(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("Then she said so.\n" * 20)
    options = CorpusOptions(processes=1, shard_lines=5)
    rewrite_corpus([tmp_path / "in.txt"], f"{tmp_path / 'out'}/", rewriter=TINY, options=options)
    state = tmp_path / "out" / ".gender-fair"
    manifest = Manifest.load(state)
    assert manifest is not None
    manifest.seconds, manifest.complete = 1000.0, False
    manifest.save(state)
    summary = rewrite_corpus([tmp_path / "in.txt"], f"{tmp_path / 'out'}/", rewriter=TINY, options=options)
    assert summary.seconds >= 1000 and summary.words_per_second < 1


def fail_with(error: Exception, monkeypatch: pytest.MonkeyPatch) -> int:
    def run(args: argparse.Namespace) -> int:
        raise error

    parser = argparse.ArgumentParser()
    parser.set_defaults(run=run)
    monkeypatch.setattr(command, "build_parser", lambda words: parser)
    return main([])


def test_an_unforeseen_error_is_one_sentence_with_its_trace_in_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fail_with(TypeError("no \x1b[31m such thing\nsecond line"), monkeypatch) == 4
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "TypeError: no \\x1b[31m such thing" in told and "report" in told
    found = re.search(r"the trace in (\S+);", told)
    assert found is not None
    trace = Path(found[1]).read_text()
    assert "Traceback" in trace and "second line" in trace and "gender-fair-rewriter" in trace


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(36, "File name too long", "x" * 5000), "File name too long"),
        (PermissionError(13, "Permission denied", "secret"), "secret: Permission denied"),
        (MemoryError(), "not enough memory"),
    ],
)
def test_errors_of_the_system_are_a_sentence_without_a_trace(
    error: Exception, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fail_with(error, monkeypatch) == 4
    told = capsys.readouterr().err
    assert message in told and "trace" not in told and len(told) < 300


LONG: dict[str, list[str]] = {
    "a name": ["x" * 5000],
    "an output": ["in.txt", "-o", "x" * 5000],
    "a column": ["in.jsonl", "--column", "x" * 100_000],
    "a path to a column": ["in.jsonl", "--column", ".".join(["x"] * 50_000)],
    "a column of languages": ["in.jsonl", "--lang-column", "x" * 100_000],
    "a model": ["in.txt", "--model", "x" * 5000],
}


@pytest.mark.parametrize("name", LONG)
def test_over_long_names_are_mistakes_like_others(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("Then she said so.\n")
    Path("in.jsonl").write_text('{"text": "Then she said so."}\n')
    assert main(["rewrite", "--model", str(TINY), *LONG[name]]) in (2, 4)
    told = capsys.readouterr().err
    assert told.startswith("gender-fair: ") and "nobody foresaw" not in told


def test_a_folder_below_a_file_is_refused_in_a_dry_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.txt", "b.txt", "file"):
        (tmp_path / name).write_text("x\n")
    inputs = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    for output in ("file", "file/", "file/below/"):
        assert main(["rewrite", "--model", str(TINY), *inputs, "--dry-run", "-o", f"{tmp_path}/{output}"]) == 2
        assert "folder" in capsys.readouterr().err
