"""What goes wrong while a corpus is rewritten, and how it ends: nothing lost, nothing half-written, a message, a code.

Runs happen in processes of their own, which are killed, starved of disk space, or started twice. A selector, which is
the hook for languages, makes workers slow, or makes one die.
"""

from __future__ import annotations

import gzip
import json
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import pytest
import zstandard

from rewriter.corpus import CorpusOptions, CorpusReports, RewriterSpec, rewrite_corpus
from rewriter.errors import InputError, OutputError, ResumeError
from rewriter.formats import FormatOptions

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"
LINES = 60
#: lines of a shard: many shards, so that there is much that can be lost
SHARD = 6
posix = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")

#: runs the command; the first argument says under which circumstances, as JSON
DRIVER = textwrap.dedent(
    """
    import json, sys
    from rewriter.cli import rewrite
    from rewriter.cli.main import main

    if __name__ == "__main__":
        circumstances = json.loads(sys.argv[1])
        if "limit" in circumstances:
            import resource
            resource.setrlimit(resource.RLIMIT_FSIZE, (circumstances["limit"], circumstances["limit"]))
        from corpus_select import Select
        rewrite.selector_from = lambda args, language: Select(circumstances["pause"], circumstances["die"])
        print("ready", flush=True)
        sys.exit(main(sys.argv[2:]))
    """
)
SELECT = textwrap.dedent(
    """
    import os, signal, time
    from pathlib import Path

    class Select:
        def __init__(self, pause, die):
            self.pause, self.die = pause, die

        def __repr__(self):
            return "Select()"

        def __call__(self, contents):
            time.sleep(self.pause * len(contents))
            if self.die and any("fatal" in content.text for content in contents) and not Path(self.die).exists():
                Path(self.die).write_text("once")
                os.kill(os.getpid(), signal.SIGKILL)
            return [True] * len(contents)
    """
)


def text_lines(name: str, number: int = LINES) -> list[str]:
    return [f"Line {i} of {name}: she knows what he wants, and her dog knows him.\n" for i in range(number)]


def make_corpus(folder: Path) -> Path:
    """Write four files of different kinds; the first has lines that are not UTF-8."""
    (folder / "sub").mkdir(parents=True)
    lines = [line.encode() for line in text_lines("a")]
    lines[17] = b"not \xff UTF-8, she said\n"
    lines[50] = b"\xe9t\xe9 and she\r\n"
    (folder / "a.txt").write_bytes(b"".join(lines))
    records = [json.dumps({"id": i, "text": line, "n": [1.50, None]}) for i, line in enumerate(text_lines("b"))]
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(("\n".join(records) + "\n").encode(), mtime=0))
    rows = [f'{i};"{line.strip()}\n""she"" again";x\r\n' for i, line in enumerate(text_lines("c"))]
    (folder / "c.csv").write_text("id;text;other\r\n" + "".join(rows), newline="")
    packed = zstandard.compress("".join(text_lines("d")).encode())
    (folder / "sub" / "d.txt.zst").write_bytes(packed)
    return folder


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """The corpus, to be damaged by the test."""
    return make_corpus(tmp_path / "in")


class Whole(NamedTuple):
    """What a run that nothing disturbs leaves."""

    outputs: dict[str, bytes]
    rejects: list[tuple[str, int, str]]
    summary: dict[str, Any]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    folder = tmp_path_factory.mktemp("whole")
    reports = CorpusReports(rejects=folder / "rejects.jsonl")
    summary = run(make_corpus(folder / "in"), folder / "out", reports=reports)
    return Whole(outputs(folder / "out"), read_rejects(folder / "rejects.jsonl"), counts(summary))


def read_rejects(path: Path) -> list[tuple[str, int, str]]:
    records = map(json.loads, path.read_text().splitlines())
    return [(Path(record["file"]).name, record["line"], record["reason"]) for record in records]


def counts(summary: Any) -> dict[str, Any]:
    record: dict[str, Any] = summary.to_dict()
    return {key: value for key, value in record.items() if key not in ("seconds", "words_per_second", "rejects")}


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a run in a process of its own."""
    code = tmp_path / "code"
    code.mkdir()
    (code / "driver.py").write_text(DRIVER)
    (code / "corpus_select.py").write_text(SELECT)
    started: list[subprocess.Popen[str]] = []

    def start(
        inputs: Path,
        output: Path,
        *,
        pause: float = 0.0,
        die: Path | None = None,
        limit: int | None = None,
        **options: Any,
    ) -> subprocess.Popen[str]:
        circumstances = {"pause": pause, "die": str(die or "")} | ({} if limit is None else {"limit": limit})
        options = {"model": TINY, "processes": 1, "shard_lines": SHARD, **options}
        words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
        command = [sys.executable, str(code / "driver.py"), json.dumps(circumstances)]
        command += ["rewrite", str(inputs), "-o", f"{output}/", *words]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
        started.append(process)
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def finish(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, errors = process.communicate(timeout=120)
    return process.returncode, errors


def run(inputs: Path, output: Path, **options: Any) -> Any:
    chosen = CorpusOptions(**({"processes": 1, "shard_lines": SHARD} | options))
    return rewrite_corpus([inputs], f"{output}/", rewriter=RewriterSpec.of(TINY), options=chosen)


def outputs(folder: Path) -> dict[str, bytes]:
    """Return the bytes of what a user sees of an output folder."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in files
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


def journal(output: Path) -> Path:
    return next(iter((output / ".gender-fair").glob("*.jsonl")), output / "none")


def done_shards(output: Path) -> int:
    path = journal(output)
    return path.read_bytes().count(b'"report"') if path.exists() else 0


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    for _ in range(3000):
        if condition():
            return
        assert process.poll() is None, finish(process)
        time.sleep(0.01)
    raise AssertionError("waited in vain")


def wait_until_group_is_gone(process: subprocess.Popen[str]) -> None:
    for _ in range(1000):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    raise AssertionError("worker processes outlive their parent")


def kill(process: subprocess.Popen[str]) -> None:
    """Kill as ``kill -9`` does: the process itself, not its workers, which must go by themselves."""
    process.kill()
    process.communicate(timeout=60)
    wait_until_group_is_gone(process)


# ---------------------------------------------------------------------------------------------------------------------
# killed


def kill_at_random(start: Callable[[], subprocess.Popen[str]], output: Path, times: int) -> list[int]:
    """Kill a run ``times`` times, each time at a random moment, and start it again; return the shards done then.

    A moment is a number of shards that this process finishes and a fraction of the next: some fall into the start.
    """
    rng = numpy.random.default_rng(20)
    progress = [0]
    for shards in rng.integers(0, 5, size=times):
        process = start()
        wait_for(lambda wanted=progress[-1] + int(shards): done_shards(output) >= wanted, process)  # type: ignore[misc]
        time.sleep(float(rng.uniform(0, 0.1)))
        assert process.poll() is None, finish(process)
        kill(process)
        progress.append(done_shards(output))
    return progress


@posix
def test_killed_at_ten_random_moments_and_started_again_gives_the_same_bytes(
    drive: Callable[..., subprocess.Popen[str]], corpus: Path, tmp_path: Path, whole: Whole
) -> None:
    rejects, output = tmp_path / "rejects.jsonl", tmp_path / "out"
    progress = kill_at_random(lambda: drive(corpus, output, pause=0.005), output, 10)
    assert progress == sorted(progress) and progress[-1] > 10, "finished shards are kept"
    code, errors = finish(drive(corpus, output, pause=0.0, rejects=rejects))
    assert code == 3, errors
    assert outputs(output) == whole.outputs
    assert read_rejects(rejects) == whole.rejects


@posix
def test_the_summary_of_a_run_that_was_killed_counts_everything(
    drive: Callable[..., subprocess.Popen[str]], corpus: Path, tmp_path: Path, whole: Whole
) -> None:
    output, counted = tmp_path / "out", tmp_path / "counts.json"
    process = drive(corpus, output, pause=0.01)
    wait_for(lambda: done_shards(output) >= 5, process)
    kill(process)
    assert finish(drive(corpus, output, summary=counted))[0] == 3
    record = json.loads(counted.read_text())
    assert {key: record[key] for key in whole.summary} == whole.summary


@posix
@pytest.mark.slow
def test_so_do_runs_with_several_processes(
    drive: Callable[..., subprocess.Popen[str]], corpus: Path, tmp_path: Path, whole: Whole
) -> None:
    output = tmp_path / "out"
    kill_at_random(lambda: drive(corpus, output, processes=2, pause=0.01), output, 10)
    code, errors = finish(drive(corpus, output, processes=2))
    assert code == 3, errors
    assert outputs(output) == whole.outputs


@posix
def test_no_output_stands_under_its_name_before_it_is_complete(
    drive: Callable[..., subprocess.Popen[str]], corpus: Path, tmp_path: Path, whole: Whole
) -> None:
    output = tmp_path / "out"
    process = drive(corpus, output, pause=0.01)
    wait_for(lambda: done_shards(output) >= 10, process)
    kill(process)
    assert outputs(output).items() < whole.outputs.items()


@posix
def test_a_lock_left_by_a_killed_process_does_not_stop_the_next(
    drive: Callable[..., subprocess.Popen[str]], corpus: Path, tmp_path: Path
) -> None:
    process = drive(corpus, tmp_path / "out", pause=0.01)
    wait_for(lambda: done_shards(tmp_path / "out") >= 1, process)
    kill(process)
    assert list((tmp_path / "out").rglob(".lock")), "the lock is still there"
    code, errors = finish(drive(corpus, tmp_path / "out"))
    assert code == 3, errors


@posix
def test_of_two_processes_on_one_output_one_is_refused(
    drive: Callable[..., subprocess.Popen[str]], corpus: Path, tmp_path: Path, whole: Whole
) -> None:
    first = drive(corpus, tmp_path / "out", pause=0.005)
    wait_for(lambda: done_shards(tmp_path / "out") >= 1, first)
    code, errors = finish(drive(corpus, tmp_path / "out", pause=0.005))
    assert code == 4
    assert "in use by another running process" in errors
    assert finish(first)[0] == 3
    assert outputs(tmp_path / "out") == whole.outputs


@posix
def test_a_worker_that_dies_fails_the_run_and_loses_nothing(
    drive: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    lines = text_lines("e", 60)
    lines[40] = "She is fatal.\n"
    (tmp_path / "in" / "e.txt").write_text("".join(lines))
    output = tmp_path / "out"
    code, errors = finish(drive(tmp_path / "in", output, processes=2, die=tmp_path / "died"))
    assert code == 4
    assert re.search(r"worker process died .*e\.txt, bytes \d+ to \d+", errors, re.DOTALL), errors
    assert outputs(output) == {}
    code, errors = finish(drive(tmp_path / "in", output, processes=2, die=tmp_path / "died"))
    assert code == 0, errors
    run(tmp_path / "in", tmp_path / "whole")
    assert outputs(output) == outputs(tmp_path / "whole")


# ---------------------------------------------------------------------------------------------------------------------
# no space


@posix
@pytest.mark.parametrize("limit", [10, 700, 3000], ids=["manifest", "part", "joined output"])
def test_a_file_size_limit_is_an_error_that_names_the_file_and_loses_nothing(
    drive: Callable[..., subprocess.Popen[str]], corpus: Path, tmp_path: Path, whole: Whole, limit: int
) -> None:
    output = tmp_path / "out"
    code, errors = finish(drive(corpus, output, limit=limit))
    assert code == 4, errors
    # a write that is cut short is known to be one, but not why
    assert re.search(r"cannot be written \((File too large|No space left on device)\)", errors)
    assert outputs(output) == {}
    assert finish(drive(corpus, output))[0] == 3
    assert outputs(output) == whole.outputs


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB, where this user may mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@posix
def test_a_full_disk_is_an_error_and_the_run_goes_on_when_there_is_space(
    drive: Callable[..., subprocess.Popen[str]], corpus: Path, small_disk: Path, tmp_path: Path, whole: Whole
) -> None:
    filler = small_disk / "filler"
    filler.write_bytes(bytes(40_000))
    output = small_disk / "out"
    code, errors = finish(drive(corpus, output))
    assert code == 4, errors
    assert "cannot be written (No space left on device)" in errors
    assert outputs(output).items() <= whole.outputs.items()
    filler.unlink()
    subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)
    assert finish(drive(corpus, output))[0] == 3
    assert outputs(output) == whole.outputs


@pytest.mark.parametrize("good", [1, 2, 6, 15, 50])
def test_so_is_a_disk_on_which_no_file_can_be_opened_any_more(
    corpus: Path, tmp_path: Path, whole: Whole, monkeypatch: pytest.MonkeyPatch, good: int
) -> None:
    """The same where nothing can be mounted: only the first files can be written to."""
    real, opened = Path.open, 0

    def open_for_writing(self: Path, mode: str = "r", *args: Any, **options: Any) -> Any:
        nonlocal opened
        if set(mode) & set("wa+"):
            opened += 1
            if opened > good:
                raise OSError(28, os.strerror(28))
        return real(self, mode, *args, **options)

    output = tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", open_for_writing)
        with pytest.raises(OutputError, match=r"cannot be written \(No space left on device\)"):
            run(corpus, output)
    assert outputs(output).items() <= whole.outputs.items()
    run(corpus, output)
    assert outputs(output) == whole.outputs


# ---------------------------------------------------------------------------------------------------------------------
# input


@posix
@pytest.mark.parametrize("target", ["itself", "/proc/self/mem"])
def test_a_file_in_a_folder_that_cannot_be_read_is_named_before_anything_is_done(
    drive: Callable[..., subprocess.Popen[str]], corpus: Path, tmp_path: Path, whole: Whole, target: str
) -> None:
    """A link that leads nowhere cannot be opened; the other file opens, and its first byte is an error."""
    if target != "itself" and sys.platform != "linux":
        pytest.skip("needs a file that opens and cannot be read")
    good = (corpus / "c.csv").read_bytes()
    (corpus / "c.csv").unlink()
    (corpus / "c.csv").symlink_to(corpus / "c.csv" if target == "itself" else target)
    code, errors = finish(drive(corpus, tmp_path / "out"))
    assert code == 4
    assert re.search(r"c\.csv: cannot be read \(.+\)", errors), errors
    assert not (tmp_path / "out").exists()
    (corpus / "c.csv").unlink()
    (corpus / "c.csv").write_bytes(good)
    assert finish(drive(corpus, tmp_path / "out"))[0] == 3
    assert outputs(tmp_path / "out") == whole.outputs


@pytest.mark.parametrize("where", ["rewriter.corpus.job.CorpusShard.read", "rewriter.corpus.state.digest"])
def test_a_file_that_becomes_unreadable_in_its_middle_is_named_and_the_others_are_done(
    corpus: Path, tmp_path: Path, whole: Whole, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """As with a damaged sector; both the worker and the thread that computes the digests come upon it."""
    real = pkgutil.resolve_name(where)

    def read(subject: Any, *args: Any) -> Any:
        if Path(getattr(subject, "path", subject)).name == "c.csv" and getattr(subject, "number", 3) > 2:
            raise InputError("c.csv: cannot be read (Input/output error)")
        return real(subject, *args)

    with monkeypatch.context() as patch:
        patch.setattr(where, read)
        with pytest.raises(InputError, match=r"1 of 4 files [\s\S]*c\.csv: cannot be read"):
            run(corpus, tmp_path / "out")
    others = {name: data for name, data in whole.outputs.items() if name != "c.csv"}
    assert outputs(tmp_path / "out").items() >= others.items()
    run(corpus, tmp_path / "out")
    assert outputs(tmp_path / "out") == whole.outputs


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


@pytest.mark.parametrize("name", ["b.jsonl.gz", "sub/d.txt.zst"])
@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_truncated_archive_fails_and_the_other_files_are_done(
    corpus: Path, tmp_path: Path, whole: Whole, name: str, processes: int
) -> None:
    good = (corpus / name).read_bytes()
    cut_short(corpus / name)
    with pytest.raises(InputError, match=rf"{re.escape(name)}.*truncated") as error:
        run(corpus, tmp_path / "out", processes=processes)
    assert error.value.exit_code == 4
    assert outputs(tmp_path / "out") == {key: value for key, value in whole.outputs.items() if key != name}
    (corpus / name).write_bytes(good)
    run(corpus, tmp_path / "out", processes=processes)
    assert outputs(tmp_path / "out") == whole.outputs


def test_lines_that_are_not_utf8_are_written_through_and_listed(corpus: Path, tmp_path: Path) -> None:
    summary = run(corpus, tmp_path / "out", reports=CorpusReports(rejects=tmp_path / "rejects.jsonl"))
    lines = (tmp_path / "out" / "a.txt").read_bytes().splitlines(keepends=True)
    assert lines[17] == b"not \xff UTF-8, she said\n"
    assert lines[50] == b"\xe9t\xe9 and she\r\n"
    listed = [json.loads(line) for line in (tmp_path / "rejects.jsonl").read_text().splitlines()]
    assert [(Path(r["file"]).name, r["line"]) for r in listed] == [("a.txt", 18), ("a.txt", 51)]
    assert summary.rejected == 2 and all("UTF-8" in r["reason"] for r in listed)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_one_line_among_a_million_that_is_not_utf8(tmp_path: Path, processes: int) -> None:
    bad = 654_321
    lines = [b"Line %d: the bridge opens at noon.\n" % i for i in range(1, 1_000_001)]
    lines[bad - 1] = b"Line %d is \xc3\x28 broken, she said.\n" % bad
    (tmp_path / "million.txt").write_bytes(b"".join(lines))
    options = CorpusOptions(processes=processes, reports=CorpusReports(rejects=tmp_path / "rejects.jsonl"))
    summary = rewrite_corpus([tmp_path / "million.txt"], tmp_path / "fair.txt", rewriter=str(TINY), options=options)
    assert (tmp_path / "fair.txt").read_bytes() == (tmp_path / "million.txt").read_bytes()
    listed = [json.loads(line) for line in (tmp_path / "rejects.jsonl").read_text().splitlines()]
    assert [record["line"] for record in listed] == [bad]
    assert (summary.units, summary.rejected) == (1_000_000, 1)


def test_a_file_that_changes_between_two_runs_is_refused_and_named(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "out")
    with (corpus / "a.txt").open("ab") as stream:
        stream.write(b"one more\n")
    with pytest.raises(ResumeError, match=r"a\.txt[\s\S]*--fresh"):
        run(corpus, tmp_path / "out")
    run(corpus, tmp_path / "out", fresh=True)
    assert (tmp_path / "out" / "a.txt").read_bytes().endswith(b"one more\n")


# ---------------------------------------------------------------------------------------------------------------------
# the model


def other_model(source: Path, target: Path) -> None:
    """Make a sound model directory of other content."""
    from rewriter.model.directory import load_info, seal

    shutil.copytree(source, target)
    head = json.loads((target / "head.json").read_text())
    (target / "head.json").write_text(json.dumps(head, indent=1))
    seal(target, load_info(target, verify=False))


@posix
@pytest.mark.parametrize("complete", [False, True], ids=["killed run", "complete run"])
def test_a_model_that_was_replaced_between_two_runs_is_refused_and_named(
    drive: Callable[..., subprocess.Popen[str]], corpus: Path, tmp_path: Path, complete: bool
) -> None:
    model, output = tmp_path / "model", tmp_path / "out"
    shutil.copytree(TINY, model)
    process = drive(corpus, output, model=model, pause=0.0 if complete else 0.01)
    if complete:
        assert finish(process)[0] == 3
    else:
        wait_for(lambda: done_shards(output) >= 3, process)
        kill(process)
    shutil.rmtree(model)
    other_model(TINY, model)
    before = outputs(output)
    code, errors = finish(drive(corpus, output, model=model))
    assert code == 2
    assert re.search(r"differs in\s+model: was .*, is .*\n.*--fresh", errors), errors
    assert outputs(output) == before


def test_a_damaged_model_is_refused_before_anything_is_done(corpus: Path, tmp_path: Path) -> None:
    from rewriter.errors import ModelError

    model = tmp_path / "model"
    shutil.copytree(TINY, model)
    (model / "model.bin").write_bytes((model / "model.bin").read_bytes()[:-100])
    with pytest.raises(ModelError, match=r"model\.bin"):
        rewrite_corpus([corpus], f"{tmp_path}/out/", rewriter=model, options=CorpusOptions(processes=1))
    assert outputs(tmp_path / "out") == {}


# ---------------------------------------------------------------------------------------------------------------------
# the state


def test_a_run_that_is_complete_does_nothing_when_started_again(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "out")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.*") if path.is_file()}
    run(corpus, tmp_path / "out")
    after = {path: path.stat().st_mtime_ns for path in before}
    assert {p.name for p in before if before[p] != after[p]} <= {".lock"}


def test_a_lost_output_is_made_again(corpus: Path, tmp_path: Path, whole: Whole) -> None:
    run(corpus, tmp_path / "out")
    (tmp_path / "out" / "c.csv").unlink()
    run(corpus, tmp_path / "out")
    assert outputs(tmp_path / "out") == whole.outputs


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"shard_lines": SHARD + 1}, "shard lines"),
        ({"format": FormatOptions(columns=("text", "id"))}, "format columns"),
    ],
    ids=["shard lines", "delimiter"],
)
def test_other_options_are_refused_and_named(
    corpus: Path, tmp_path: Path, change: Mapping[str, Any], named: str
) -> None:
    run(corpus, tmp_path / "out")
    with pytest.raises(ResumeError, match=rf"{named}: was .*, is [\s\S]*--fresh"):
        run(corpus, tmp_path / "out", **change)


def test_a_line_of_the_journal_that_was_half_written_is_done_again(corpus: Path, tmp_path: Path, whole: Whole) -> None:
    run(corpus, tmp_path / "out")
    path = journal(tmp_path / "out")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-3]) + lines[-3][:25])
    for name in ("a.txt", "c.csv"):
        (tmp_path / "out" / name).unlink()
    run(corpus, tmp_path / "out")
    assert outputs(tmp_path / "out") == whole.outputs
