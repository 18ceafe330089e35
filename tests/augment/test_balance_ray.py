"""Counting on a Ray cluster gives the counts of this machine; what goes wrong there is told here."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from augment.balance.corpus_count import RayCluster, count_corpus
from augment.balance.count import Counter, CountOptions, count_piece
from augment.balance.metadata import Metadata, parse_metadata
from augment.balance.ray_count import CountActor, CountTask, count_on_ray, task_here
from augment.balance.reading import Corpus
from rewriter.cli.main import main
from rewriter.errors import InputError, MissingExtraError, ModelError
from rewriter.io.files import write_lines
from rewriter.runs.shard import Shard

TEXTS = ["He is a nurse.", "She is a nurse, she says.", "A cook.", "The cook and her? She is a cook.", ""] * 40


@pytest.fixture
def metadata() -> Metadata:
    values = {"category_words": [["nurse", "", ""], ["cook", "", ""]], "category_identifier": [["he"], ["she"]]}
    return parse_metadata(json.dumps({**values, "category_name": ["male", "female"]}))


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    write_lines(tmp_path / "in" / "a.txt", TEXTS)
    write_lines(tmp_path / "in" / "b.txt.gz", TEXTS[:77])
    (tmp_path / "in" / "c.txt").write_bytes(b"")
    return Corpus.find([str(tmp_path / "in")])


def sums(result: Any) -> tuple[list[list[int]], list[list[int]], int]:
    return result.statistics.totals().tolist(), result.statistics.places.tolist(), result.paragraphs


def test_an_actor_counts_as_this_machine_does(metadata: Metadata, corpus: Corpus) -> None:
    actor = CountActor(task_here(metadata, None, corpus))
    (first, *_) = corpus.pieces(200)
    counted = actor.work(first)
    assert counted == count_piece(Counter(metadata), first, corpus)
    assert isinstance(counted, tuple) and counted[1][0].counts == {0: [1, 0]}


def test_an_actor_of_another_version_refuses(metadata: Metadata, corpus: Corpus) -> None:
    problem = CountActor(CountTask(metadata, None, corpus, ".", version="0.0.1")).prepare()
    assert isinstance(problem, ModelError) and "install the same on all machines" in str(problem)


def test_what_cannot_be_read_there_is_returned(metadata: Metadata, corpus: Corpus, tmp_path: Path) -> None:
    problem = CountActor(task_here(metadata, None, corpus)).work(Shard(0, str(tmp_path / "gone.txt"), 1, 1))
    assert isinstance(problem, InputError)


def test_nothing_to_count_needs_no_cluster(metadata: Metadata, corpus: Corpus) -> None:
    assert not list(count_on_ray(task_here(metadata, None, corpus), []))


def test_without_ray_the_pip_line_is_told(metadata: Metadata, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"gender-fair-rewriter\[ray\]"):
        count_corpus(corpus, metadata, ray=RayCluster())


def test_an_address_goes_with_the_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["balance", "count", "x.txt", "-o", str(tmp_path), "--ray-address", "auto"]) == 2
    assert "--engine ray" in capsys.readouterr().err


@pytest.fixture
def ray() -> Iterator[Any]:
    ray = pytest.importorskip("ray")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_worker_niceness", "0")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 << 20)
    yield ray
    ray.shutdown()


@pytest.mark.slow
def test_on_a_cluster_the_counts_and_the_folder_are_the_same(
    ray: Any, metadata: Metadata, corpus: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = count_corpus(corpus, metadata, CountOptions(context="paragraph"), piece=300)
    there = count_corpus(corpus, metadata, CountOptions(context="paragraph"), piece=300, processes=2, ray=RayCluster())
    assert sums(here) == sums(there)
    command = ["balance", "count", str(tmp_path / "in"), "--json", "--metadata", "professions"]
    printed = []
    for name, more in (("local", []), ("ray", ["--engine", "ray", "--processes", "1"])):
        assert main([*command, "-o", str(tmp_path / name), *more]) == 0
        printed.append(json.loads(capsys.readouterr().out))
    assert printed[0] == printed[1]
    counts = [(tmp_path / name / "counts.jsonl.zst").read_bytes() for name in ("local", "ray")]
    assert counts[0] == counts[1]
