"""The sharded map: the same bytes whatever happens, and nothing lost silently."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from folder_tools import hear_interrupts

from rewriter.errors import InputError, OutputError, ResumeError, UsageError, WorkerError
from rewriter.io.files import atomic_write, read_lines
from rewriter.runs.manifest import lock
from rewriter.runs.shards import ShardOptions, map_shards, parts, plan_shards

#: workers live in a module of their own, because spawned processes must import them
WORKERS = '''
import os, time
from pathlib import Path
from rewriter.io.files import write_lines

def upper(options):
    """Upper-case lines, one random number behind each; bad UTF-8 is rejected."""
    loaded = Path(options["log"]) / f"loaded-{os.getpid()}-{time.monotonic_ns()}" if "log" in options else None
    if loaded:
        loaded.touch()

    def work(lines, context):
        for number, data in lines:
            try:
                text = data.decode().rstrip("\\r\\n")
            except UnicodeDecodeError as error:
                context.reject(number, f"not UTF-8: {error.reason}")
                continue
            if text == options.get("die_at"):
                os.kill(os.getpid(), 9)
            if text == options.get("fail_at"):
                raise ValueError("cannot do this one")
            time.sleep(options.get("pause", 0))
            context.counts["lines"] += 1
            yield f"{text.upper()} {context.rng.integers(1000)}"
    return work

def make(**options):
    from rewriter.runs.shards import ShardTask
    setup = {k: options.pop(k) for k in ("log", "pause", "die_at") if k in options}
    return ShardTask("upper", 1, upper, options, setup, prefix="part", suffix=".txt", write=write_lines)
'''

RUN = """
import sys
from pathlib import Path
from shard_workers import make
from rewriter.runs.shards import ShardOptions, map_shards

if __name__ == "__main__":
    folder, output, processes, pause = sys.argv[1:5]
    map_shards(make(pause=float(pause)), sorted(Path(folder).glob("*.txt")), output=output,
               options=ShardOptions(lines=10, processes=int(processes)))
"""


@pytest.fixture
def make(tmp_path, monkeypatch):
    code = tmp_path / "code"
    code.mkdir()
    (code / "shard_workers.py").write_text(WORKERS)
    (code / "run_shards.py").write_text(RUN)
    monkeypatch.syspath_prepend(str(code))
    monkeypatch.setenv("PYTHONPATH", str(code))
    import shard_workers

    yield shard_workers.make
    del sys.modules["shard_workers"]


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name, count in (("a", 35), ("b", 7), ("c", 60)):
        (folder / f"{name}.txt").write_text("".join(f"{name} line {i}\n" for i in range(count)))
    return folder


def run(task, corpus, output, **options):
    processes = options.pop("processes", 1)
    fresh = options.pop("fresh", False)
    settings = ShardOptions(lines=10, processes=processes, **options)
    return map_shards(task, sorted(corpus.glob("*.txt")), output=output, options=settings, fresh=fresh)


def snapshot(output):
    """Every file of a run but the manifest (which holds the time taken) and the lock."""
    paths = sorted(p for p in output.rglob("*") if p.is_file() and p.name not in ("manifest.json", ".lock"))
    return {str(p.relative_to(output)): p.read_bytes() for p in paths}


def test_a_shard_is_a_run_of_lines_of_one_file(corpus):
    shards = plan_shards(sorted(corpus.glob("*.txt")), ShardOptions(lines=20))
    assert [(s.name, s.first, s.lines) for s in shards] == [
        ("a.txt", 1, 20), ("a.txt", 21, 15), ("b.txt", 1, 7), ("c.txt", 1, 20), ("c.txt", 21, 20), ("c.txt", 41, 20),
    ]  # fmt: skip


def test_long_lines_make_shorter_shards(tmp_path):
    path = tmp_path / "long.txt"
    path.write_bytes(b"x" * 1000 + b"\n" + b"y\n" * 3)
    assert [s.lines for s in plan_shards([path], ShardOptions(lines=100, size=500))] == [1, 3]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_shards_of_compressed_files_hold_the_same_lines(make, tmp_path, suffix):
    path = tmp_path / f"input.txt{suffix}"
    with atomic_write(path) as stream:
        stream.write("".join(f"line {i} é\n" for i in range(25)).encode())
    map_shards(make(), [path], output=tmp_path / "out", options=ShardOptions(lines=10))
    lines = [line for part in parts(tmp_path / "out", prefix="part") for line in read_lines(part)]
    assert [line.rsplit(" ", 1)[0] for line in lines] == [f"LINE {i} É" for i in range(25)]


def test_the_number_of_processes_does_not_show(make, corpus, tmp_path):
    run(make(), corpus, tmp_path / "one")
    run(make(), corpus, tmp_path / "three", processes=3)
    assert snapshot(tmp_path / "one") == snapshot(tmp_path / "three")
    stats = json.loads((tmp_path / "one" / "stats.json").read_text())
    assert (stats["lines"], stats["written"], stats["counts"]) == (102, 102, {"lines": 102})


def test_the_seed_shows(make, corpus, tmp_path):
    run(make(), corpus, tmp_path / "one", seed=1)
    run(make(), corpus, tmp_path / "two", seed=2)
    assert snapshot(tmp_path / "one") != snapshot(tmp_path / "two")


def test_the_worker_is_made_once_per_process(make, corpus, tmp_path):
    log = tmp_path / "log"
    log.mkdir()
    run(make(log=str(log)), corpus, tmp_path / "out", processes=2)
    assert len(list(log.iterdir())) <= 2


@pytest.mark.parametrize(
    ("data", "written", "rejected"),
    [
        (b"", [], []),
        (b"one\ntwo", ["ONE", "TWO"], []),
        (b"one\r\ntwo\r\n", ["ONE", "TWO"], []),
        (b"one\n\n\n", ["ONE", "", ""], []),
        (b"a\0b\n", ["A\0B"], []),
        (b"good\nb\xffd\ngood\n", ["GOOD", "GOOD"], [2]),
        (b"\n".join([b"x" * 1_000_000, b"end"]), ["X" * 1_000_000, "END"], []),
    ],
    ids=["empty", "no final end", "windows", "empty lines", "NUL", "not UTF-8", "1 MB line"],
)
def test_odd_input_has_a_defined_result(make, tmp_path, data, written, rejected):
    path = tmp_path / "odd.txt"
    path.write_bytes(data)
    manifest = map_shards(make(), [path], output=tmp_path / "out")
    lines = [line for part in parts(tmp_path / "out", prefix="part") for line in read_lines(part)]
    assert [line.rsplit(" ", 1)[0] for line in lines] == written
    listed = [json.loads(line) for line in read_lines(tmp_path / "out" / "rejects.jsonl")]
    assert [(r["file"], r["line"]) for r in listed] == [("odd.txt", n) for n in rejected]
    assert manifest.complete and manifest.counts["rejected"] == len(rejected)


def test_a_finished_run_is_not_done_again(make, corpus, tmp_path):
    run(make(), corpus, tmp_path / "out")
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "out").glob("part-*")}
    run(make(), corpus, tmp_path / "out")
    assert {p: p.stat().st_mtime_ns for p in before} == before


def test_a_lost_shard_is_made_again(make, corpus, tmp_path):
    run(make(), corpus, tmp_path / "whole")
    run(make(), corpus, tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    (tmp_path / "out" / "manifest.json").write_text(json.dumps(manifest | {"complete": False}))
    (tmp_path / "out" / "part-00003.txt").unlink()
    (tmp_path / "out" / "shards" / "00005.json").unlink()
    run(make(), corpus, tmp_path / "out", processes=2)
    assert snapshot(tmp_path / "out") == snapshot(tmp_path / "whole")


def test_other_options_are_refused_and_named(make, corpus, tmp_path):
    run(make(limit=3), corpus, tmp_path / "out")
    with pytest.raises(ResumeError, match=r"option limit: was 3, is 4[\s\S]*--fresh"):
        run(make(limit=4), corpus, tmp_path / "out")


def test_other_input_is_refused_and_named(make, corpus, tmp_path):
    run(make(), corpus, tmp_path / "out")
    (corpus / "b.txt").write_text("changed\n")
    with pytest.raises(ResumeError, match=r"input b\.txt"):
        run(make(), corpus, tmp_path / "out")


def test_fresh_begins_anew(make, corpus, tmp_path):
    run(make(limit=3), corpus, tmp_path / "out")
    (corpus / "c.txt").unlink()
    run(make(limit=4), corpus, tmp_path / "out", fresh=True)
    run(make(limit=4), corpus, tmp_path / "clean")
    assert snapshot(tmp_path / "out") == snapshot(tmp_path / "clean")


def test_two_runs_do_not_share_a_folder(make, corpus, tmp_path):
    with lock(tmp_path / "out"), pytest.raises(OutputError, match="in use"):
        run(make(), corpus, tmp_path / "out")


@pytest.mark.parametrize("processes", [1, 2])
def test_a_bug_names_its_shard(make, corpus, tmp_path, processes):
    with pytest.raises(WorkerError, match=r"shard 5 \(c\.txt, lines 1 to 10\) failed: ValueError: cannot do this one"):
        run(make(fail_at="c line 3"), corpus, tmp_path / "out", processes=processes)
    assert not json.loads((tmp_path / "out" / "manifest.json").read_text())["complete"]


def test_a_killed_worker_fails_the_run_and_names_the_shard(make, corpus, tmp_path):
    with pytest.raises(WorkerError, match=r"died.*shard 5 \(c\.txt, lines 1 to 10\)"):
        run(make(die_at="c line 3"), corpus, tmp_path / "out", processes=2)
    with pytest.raises(WorkerError, match="not finished"):
        parts(tmp_path / "out", prefix="part")
    run(make(), corpus, tmp_path / "out", processes=2)
    run(make(), corpus, tmp_path / "whole")
    assert snapshot(tmp_path / "out") == snapshot(tmp_path / "whole")


def start(corpus, output, tmp_path, *, pause):
    command = [sys.executable, str(tmp_path / "code" / "run_shards.py"), str(corpus), str(output), "2", str(pause)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        command, stderr=subprocess.PIPE, start_new_session=True, preexec_fn=hear_interrupts, env=environment
    )


def wait_for(condition, process):
    for _ in range(600):
        if condition():
            return
        assert process.poll() is None, process.stderr.read().decode()
        time.sleep(0.05)
    raise AssertionError("waited in vain")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["kill -9", "Ctrl-C"])
def test_interrupted_and_started_again_gives_the_same_bytes(make, corpus, tmp_path, number):
    output = tmp_path / "out"
    process = start(corpus, output, tmp_path, pause=0.02)
    wait_for(lambda: len(list((output / "shards").glob("[0-9]*.json"))) >= 2, process)
    # Ctrl-C reaches the whole group; kill -9 hits the parent, and its workers must go by themselves.
    os.killpg(process.pid, number) if number == signal.SIGINT else process.kill()
    process.communicate(timeout=30)
    assert process.returncode != 0
    finished = {p.name for p in (output / "shards").glob("[0-9]*.json")}
    assert 2 <= len(finished) < 11
    wait_until_group_is_gone(process.pid)
    run(make(), corpus, output, processes=2)
    run(make(), corpus, tmp_path / "whole")
    assert snapshot(output) == snapshot(tmp_path / "whole")


def wait_until_group_is_gone(group):
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("worker processes outlive their parent")


@pytest.mark.skipif(os.name != "posix", reason="needs setrlimit")
def test_a_full_disk_is_an_error_that_names_the_file_and_loses_nothing(make, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "big.txt").write_text("".join(f"{'word ' * 100}{i}\n" for i in range(100)))
    code = textwrap.dedent("""
        import resource, sys
        from shard_workers import make
        from rewriter.errors import OutputError
        from rewriter.runs.shards import ShardOptions, map_shards
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        try:
            map_shards(make(), [sys.argv[1]], output=sys.argv[2], options=ShardOptions(lines=60))
        except OutputError as error:
            print(error)
            sys.exit(4)
    """)
    command = [sys.executable, "-c", code, str(tmp_path / "in" / "big.txt"), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 4, done.stderr
    assert "part-00000.txt: cannot be written (File too large)" in done.stdout
    left = {p.name for p in (tmp_path / "out").iterdir()} - {".lock"}
    assert left == {"manifest.json"}


def test_output_below_a_file_is_an_error(make, corpus, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file"):
        run(make(), corpus, tmp_path / "file" / "out")


def test_no_input_is_wrong_usage(make, tmp_path):
    with pytest.raises(UsageError, match="no input"):
        map_shards(make(), [], output=tmp_path / "out")


def test_a_missing_or_truncated_input_is_named(make, tmp_path):
    with pytest.raises(InputError, match=r"none\.txt: cannot be read"):
        map_shards(make(), [tmp_path / "none.txt"], output=tmp_path / "out")
    path: Path = tmp_path / "cut.txt.zst"
    with atomic_write(path) as stream:
        stream.write(os.urandom(100_000).hex().encode())
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InputError, match=r"cut\.txt\.zst: .*truncated"):
        map_shards(make(), [path], output=tmp_path / "out2")


def test_a_compressed_file_is_not_read_again_for_every_shard(make, tmp_path, monkeypatch):
    import rewriter.runs.shards as module

    path = tmp_path / "in.txt.zst"
    with atomic_write(path) as stream:
        stream.write(b"".join(b"line %d\n" % i for i in range(300)))
    opened = []
    read = module.read_raw_lines
    monkeypatch.setattr(module, "read_raw_lines", lambda *words, **named: opened.append(words) or read(*words, **named))
    map_shards(make(), [path], output=tmp_path / "out", options=ShardOptions(lines=10))
    assert len(opened) == 2  # to plan, and to work
    lines = [line for part in parts(tmp_path / "out", prefix="part") for line in read_lines(part)]
    assert [line.rsplit(" ", 1)[0] for line in lines] == [f"LINE {i}" for i in range(300)]
