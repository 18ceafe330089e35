"""Rewriting on a Ray cluster: the same bytes as on one machine, also when an actor is killed."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from folder_tools import contents

from rewriter import Rewriter
from rewriter.cli.main import main
from rewriter.corpus import CorpusOptions, RewriterSpec, Summary, rewrite_corpus
from rewriter.corpus import ray_engine as engine
from rewriter.corpus.job import CorpusJob, CorpusShard
from rewriter.errors import MissingExtraError, ModelError, OutputError, UsageError, WorkerError
from rewriter.formats import FormatOptions, open_format
from rewriter.runs import ray_pool

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"
TEXT = "".join(f"Then she said {i}.\nNothing in {i}.\nSo he left {i}.\n" for i in range(40))
FAIR = TEXT.replace("she", "they").replace("he left", "they left")


# what needs no cluster


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--ray-address", "auto"], "address of a Ray cluster goes with the engine ray"),
        (["--engine", "ray"], "needs files and -o OUT"),
        (["--engine", "ray", "--diff"], "needs files and -o OUT"),
        (["--engine", "ray", "--in-place"], "needs files and -o OUT"),
    ],
)
def test_options_that_do_not_fit(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.txt").write_text(TEXT)
    assert main(["rewrite", "--model", str(TINY), str(tmp_path / "in.txt"), *options]) == 2
    assert message in capsys.readouterr().err
    assert (tmp_path / "in.txt").read_text() == TEXT


def test_an_unknown_engine_is_named() -> None:
    with pytest.raises(UsageError, match="engine is local or ray, not 'spark'"):
        CorpusOptions(engine="spark")


def test_without_ray_one_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    (tmp_path / "in.txt").write_text(TEXT)
    with pytest.raises(MissingExtraError, match=r"gender-fair-rewriter\[ray\]"):
        rewrite_corpus([tmp_path / "in.txt"], tmp_path / "out.txt", options=CorpusOptions(engine="ray"))
    assert not (tmp_path / "out.txt").exists()


def shard_of(path: Path, part: Path) -> CorpusShard:
    path.write_text(TEXT)
    return CorpusShard(
        0, 0, str(path), "in.txt", open_format(path, FormatOptions()), 0, path.stat().st_size, part=str(part)
    )


def actor(version: str = engine.__version__, folder: str = ".") -> engine.ShardActor:
    job = CorpusJob(RewriterSpec.of(TINY), threads=1)
    return engine.ShardActor(job, folder, (version, job.rewriter.identity()["model"]))


def test_a_machine_with_another_version_is_refused(tmp_path: Path) -> None:
    problem = actor("0.0.1").work(shard_of(tmp_path / "in.txt", tmp_path / "part"))
    assert isinstance(problem, ModelError)
    assert "the machine of the command 0.0.1" in str(problem) and "install the same" in str(problem)
    assert not (tmp_path / "part").exists()


def test_a_machine_that_does_not_see_the_output_folder_is_refused(tmp_path: Path) -> None:
    part = tmp_path / "elsewhere" / "part"
    problem = actor().work(shard_of(tmp_path / "in.txt", part))
    assert isinstance(problem, OutputError) and "file system that all machines of the cluster share" in str(problem)
    assert not part.parent.exists()


def test_a_part_that_is_written_elsewhere_is_noticed(tmp_path: Path) -> None:
    shard = shard_of(tmp_path / "in.txt", tmp_path / "part")
    with pytest.raises(OutputError, match="was written on far-away and is not seen on"):
        engine._wait_for_part(shard, {"size": 3, "node": "far-away"}, seconds=0)


def test_an_actor_gives_the_report_of_the_local_worker(tmp_path: Path) -> None:
    here = Path.cwd()
    report = actor(folder=str(here)).work(shard_of(tmp_path / "in.txt", tmp_path / "part"))
    assert isinstance(report, dict) and report["summary"]["changed"] == 80
    assert (tmp_path / "part").read_text() == FAIR


class Cluster:
    """Stands in for Ray: promises are kept in order; actors die when ``dies`` says so."""

    class exceptions:
        class RayError(Exception):
            pass

        class RayTaskError(RayError):
            pass

    def __init__(self, dies: Callable[[int, str | None], bool]) -> None:
        self._dies, self.begun, self.killed = dies, 0, 0

    def make(self) -> Any:
        self.begun += 1
        number = self.begun
        return SimpleNamespace(
            prepare=SimpleNamespace(remote=lambda: (number, object(), None)),
            work=SimpleNamespace(remote=lambda shard: (number, object(), shard)),
        )

    def wait(self, promises: list[Any], timeout: float) -> tuple[list[Any], list[Any]]:
        return promises[:1], promises[1:]

    def get(self, promise: Any) -> Any:
        number, _, shard = promise
        if self._dies(number, None if shard is None else str(shard)):
            raise self.exceptions.RayError("a long story\nThe machine is gone")
        return None if shard is None else {"number": shard.number}

    def kill(self, actor: Any) -> None:
        self.killed += 1


def shards(count: int) -> list[CorpusShard]:
    return [CorpusShard(0, n, "in.txt", "in.txt", open_format("in.txt", FormatOptions()), n, 1) for n in range(count)]


@pytest.mark.parametrize("count", [1, 3])
def test_shards_of_dead_actors_go_to_others(count: int) -> None:
    cluster = Cluster(lambda number, shard: number % 3 == 2)
    pool = ray_pool.ActorPool(cluster, cluster.make, count)
    done = [(shard.number, report["number"]) for shard, report in pool.map(iter(shards(20)))]
    assert sorted(done) == [(n, n) for n in range(20)]


def test_a_machine_that_is_lost_in_the_middle_costs_nothing() -> None:
    done: list[int] = []
    cluster = Cluster(lambda number, shard: number == 1 and len(done) >= 5)
    for shard, _ in ray_pool.ActorPool(cluster, cluster.make, 2).map(iter(shards(20))):
        done.append(shard.number)
    assert sorted(done) == list(range(20)) and cluster.begun == 3


class DeadCluster(Cluster):
    """Every promise stays open, as when Ray's own processes were killed; actors can be asked for all the same."""

    def __init__(self, alive: Sequence[bool], error: Exception | None = None) -> None:
        super().__init__(lambda number, shard: False)
        self._alive, self._error = alive, error

    def wait(self, promises: list[Any], timeout: float) -> tuple[list[Any], list[Any]]:
        return [], promises

    def nodes(self) -> list[dict[str, Any]]:
        if self._error is not None:
            raise self._error
        return [{"Alive": alive} for alive in self._alive]


@pytest.mark.parametrize(
    ("cluster", "reason"),
    [
        (DeadCluster([False, False]), "no machine of the cluster is alive"),
        (DeadCluster([True], Cluster.exceptions.RayError("a long story\nNobody answers")), "Nobody answers"),
    ],
    ids=["dead machines", "no answer"],
)
def test_a_cluster_whose_own_processes_were_killed_ends_the_run(cluster: DeadCluster, reason: str) -> None:
    with pytest.raises(WorkerError, match=rf"Ray itself no longer answers.*start again.*Ray says: {reason}"):
        list(ray_pool.ActorPool(cluster, cluster.make, 2).map(iter(shards(3))))


def test_actors_that_cannot_begin_end_the_run_with_the_reason() -> None:
    cluster = Cluster(lambda number, shard: True)
    with pytest.raises(WorkerError, match=r"died at its start.*Ray says: The machine is gone"):
        list(ray_pool.ActorPool(cluster, cluster.make, 1).map(iter(shards(1))))
    assert cluster.begun == 1 + ray_pool.RETRIES


def test_a_shard_that_kills_every_actor_is_named() -> None:
    cluster = Cluster(lambda number, shard: shard is not None and "bytes 3 to" in shard)
    with pytest.raises(WorkerError, match=r"died 3 times during one of: .*in.txt, bytes 3 to 4"):
        list(ray_pool.ActorPool(cluster, cluster.make, 2).map(iter(shards(20))))


# on a cluster of this machine


class Killer(NamedTuple):
    """A selector that kills its process, once or always, when it sees a text."""

    word: str
    mark: str
    always: bool = False

    def __call__(self, contents: Sequence[Any]) -> list[bool]:
        if any(self.word in content.text for content in contents) and (self.always or not Path(self.mark).exists()):
            with Path(self.mark).open("a") as stream:
                stream.write("x")
            os.kill(os.getpid(), signal.SIGKILL)
        return [True] * len(contents)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    ray = pytest.importorskip("ray")
    # this module is not importable where actors run, so its classes travel by value
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_worker_niceness", "0")  # on a busy machine actors would starve
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 << 20)
    yield ray
    ray.shutdown()


def corpus_in(folder: Path) -> Path:
    folder.mkdir()
    (folder / "a.txt").write_text(TEXT)
    (folder / "b.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    rows = (json.dumps({"id": i, "text": line}) + "\n" for i, line in enumerate(TEXT.splitlines()))
    (folder / "c.jsonl").write_text("".join(rows))
    (folder / "empty.txt").write_bytes(b"")
    return folder


def run(corpus: Path, output: Path, **options: Any) -> Summary:
    chosen = CorpusOptions(**({"processes": 2, "shard_lines": 7} | options))
    return rewrite_corpus([corpus], f"{output}/", rewriter=RewriterSpec.of(TINY), options=chosen)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_two_actors_one_killed_give_the_bytes_of_one_machine(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # relative paths are meant against the working folder of the command
    corpus_in(tmp_path / "in")
    local = run(Path("in"), Path("local"), processes=1).to_dict()
    killer = Killer("said 20", str(tmp_path / "mark"))
    many = run(Path("in"), Path("ray"), engine="ray", select=killer).to_dict()
    assert (tmp_path / "mark").read_text() == "x"
    assert contents(tmp_path / "ray") == contents(tmp_path / "local")
    for counts in (local, many):
        del counts["seconds"], counts["words_per_second"]
    assert many == local
    assert cluster.is_initialized(), "a connection that was there stays"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_shard_that_kills_every_actor_fails_the_run_and_either_engine_continues(cluster: Any, tmp_path: Path) -> None:
    corpus = corpus_in(tmp_path / "in")
    (corpus / "b.txt.gz").unlink()
    (corpus / "c.jsonl").unlink()
    mark = tmp_path / "mark"
    with pytest.raises(WorkerError, match=r"a Ray actor died .* during one of: .*bytes \d+ to .*start again"):
        run(corpus, tmp_path / "out", engine="ray", select=Killer("said 20", str(mark), always=True))
    assert mark.read_text() == "x" * (1 + ray_pool.RETRIES)
    assert "a.txt" not in contents(tmp_path / "out")
    done = (tmp_path / "out" / ".gender-fair" / "journal.jsonl").read_text().count('"report"')
    assert done >= 1
    run(corpus, tmp_path / "out", processes=1, select=Killer("said 20", str(mark)))
    assert contents(tmp_path / "out")["a.txt"] == FAIR.encode()


@pytest.mark.slow
def test_the_command_starts_a_cluster_of_its_own_and_ends_it(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    (tmp_path / "in.txt").write_text(TEXT)
    command = [sys.executable, "-m", "rewriter", "rewrite", "in.txt", "-o", "out.txt", "--model", str(TINY)]
    options = ["--engine", "ray", "--processes", "1", "--ray-address", "local"]
    options += ["--summary", "-"]
    environment = {**os.environ, "RAY_worker_niceness": "0"}
    done = subprocess.run(
        [*command, *options], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["changed"] == 80
    assert (tmp_path / "out.txt").read_text() == FAIR
    assert Rewriter.from_pretrained(TINY).rewrite(TEXT) == FAIR
