"""Swapping files on a Ray cluster of this machine gives the bytes of one process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from augment.swap import SwapperSpec, swap_corpus
from rewriter.cli.main import main
from rewriter.corpus.run import CorpusOptions

GERMAN = "".join(f"Die Ärztin {i} half ihrem Bruder.\nEs regnet {i} mal.\n" for i in range(60))
ENGLISH = "".join(f"He met {i} nurses and his mother.\nIt rained {i} times.\n" for i in range(60))


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray = pytest.importorskip("ray")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_worker_niceness", "0")  # on a busy machine actors would starve
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, object_store_memory=100 << 20)
    yield
    ray.shutdown()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="as the tests of the engine")
@pytest.mark.parametrize(("lang", "text"), [("de", GERMAN), ("en", ENGLISH)])
@pytest.mark.parametrize("strategy", ["cda", "cds", "swap"])
def test_a_cluster_gives_the_bytes_of_one_process(
    cluster: None, tmp_path: Path, lang: str, text: str, strategy: str
) -> None:
    source = tmp_path / "in.txt"
    source.write_text(text)
    spec = SwapperSpec(model=lang, lang=lang, strategy=strategy, seed=5)
    local = swap_corpus([source], tmp_path / "local.txt", spec=spec, options=CorpusOptions(processes=1))
    options = CorpusOptions(processes=1, shard_lines=17, engine="ray")
    many = swap_corpus([source], tmp_path / "ray.txt", spec=spec, options=options)
    assert (tmp_path / "ray.txt").read_bytes() == (tmp_path / "local.txt").read_bytes() != source.read_bytes()
    assert (many.units, many.changed, many.edits) == (local.units, local.changed, local.edits)


@pytest.mark.slow
def test_the_command_swaps_on_a_cluster(cluster: None, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(GERMAN)
    arguments = ["augment", "swap", str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.txt"), "--lang", "de"]
    assert main([*arguments, "--strategy", "swap", "--engine", "ray", "--processes", "1"]) == 0
    assert (tmp_path / "out.txt").read_text().startswith("Der Arzt 0 half seiner Schwester.\nEs regnet 0 mal.\n")
