"""Pipelines that are killed and started again: what was finished is not done anew, and the texts are the same.

Each toolkit runs in a process group of its own, which is killed as soon as a part of its work is finished. Of Ray that
is the whole cluster, or, where RAY_ADDRESS names one that stands, the program that drives it.
"""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from rewriter import Rewriter

ROOT = Path(__file__).resolve().parents[2]
FILES, ROWS = 6, 400

#: reads in/*.jsonl and writes out/ as a person would who wants to continue; argument: the folder.
#: With a checkpoint to filter by, Ray has two actors, which hold a core each; with no third it reads nothing.
DATATROVE = """
import sys
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter
from rewriter.adapters.datatrove import GenderFairRewriter
folder = sys.argv[1]
steps = [JsonlReader(f"{folder}/in"), GenderFairRewriter("en"), JsonlWriter(f"{folder}/out", compression=None)]
LocalPipelineExecutor(pipeline=steps, tasks=6, workers=1, logging_dir=f"{folder}/logs").run()
"""
SPARK = """
import sys
from pyspark.sql import SparkSession
from rewriter.adapters.frames import SparkRewriter
folder = sys.argv[1]
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
schema = "id string, text string"
rows = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).json(f"{folder}/in")
fair = rows.mapInPandas(SparkRewriter("en"), schema)
writer = fair.writeStream.format("json").option("checkpointLocation", f"{folder}/logs").trigger(availableNow=True)
writer.start(f"{folder}/out").awaitTermination()
"""
RAY = """
import os, sys
from pathlib import Path
import ray
from ray.data.checkpoint import CheckpointConfig
from rewriter.adapters.frames import RayRewriter
folder = Path(sys.argv[1])
own = {} if "RAY_ADDRESS" in os.environ else {"num_cpus": 3, "include_dashboard": False}
ray.init(log_to_driver=False, **own)
(folder / "logs").mkdir(exist_ok=True)
ray.data.DataContext.get_current().checkpoint_config = CheckpointConfig(
    id_column="id", checkpoint_path=str(folder / "logs"), delete_checkpoint_on_success=False
)
rows = ray.data.read_json([str(path) for path in sorted((folder / "in").glob("*.jsonl"))], override_num_blocks=6)
rows.map_batches(RayRewriter, fn_constructor_args=("en",), concurrency=1).write_json(str(folder / "out"))
"""
DOLMA = """
import subprocess, sys
from pathlib import Path
folder = sys.argv[1]
words = ["--documents", f"{folder}/documents/*", "--taggers", "gender_fair_en", "--tagger_modules",
         "rewriter.adapters.dolma", "--experiment", "fair", "--work_dir.output", f"{folder}/logs"]
command = [str(Path(sys.executable).with_name("dolma")), "tag", *words, "--processes", "1"]
sys.exit(subprocess.run(command).returncode)
"""


def make_documents(folder: Path, *, rows: int = ROWS, packed: bool = False) -> dict[str, str]:
    """Write the documents; return their texts by identifier."""
    texts = {}
    place = folder / ("documents" if packed else "in")
    place.mkdir()
    for part in range(FILES):
        listed = []
        for number in range(rows):
            key = f"{part}-{number}"
            texts[key] = f"She knows case {key}, and he left it with his friend in the garden. " * 5
            listed.append({"id": key, "text": texts[key]} | ({"source": "own"} if packed else {}))
        data = "".join(json.dumps(row) + "\n" for row in listed).encode()
        (place / f"{part}.jsonl{'.gz' if packed else ''}").write_bytes(gzip.compress(data) if packed else data)
    return texts


def start(script: str, folder: Path) -> subprocess.Popen[bytes]:
    quiet = {"RAY_AUTH_MODE": "disabled", "RAY_raylet_start_wait_time_s": "600", "PYSPARK_PYTHON": sys.executable}
    environment = {**os.environ, **quiet, "PYTHONPATH": str(ROOT)}
    log = (folder / "log.txt").open("ab")
    command = [sys.executable, "-c", script, str(folder)]
    return subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)


def kill_when(finished: Callable[[], object], process: subprocess.Popen[bytes], folder: Path) -> None:
    """Kill a process and what it begot as soon as a part of the work is finished."""
    while not finished():
        assert process.poll() is None, "it came to its end before: " + (folder / "log.txt").read_text()[-3000:]
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def run_to_the_end(script: str, folder: Path) -> None:
    assert start(script, folder).wait() == 0, (folder / "log.txt").read_text()[-3000:]


def texts_below(folder: Path) -> dict[str, str]:
    """Return the texts by identifier; none may be there twice."""
    paths = [path for path in folder.rglob("[!.]*.json*") if path.is_file()]
    if (log := folder / "_spark_metadata").is_dir():  # Spark reads only the files that are listed there
        lines = [line for path in log.glob("[!.]*") for line in path.read_text(encoding="utf-8").splitlines()]
        listed = {Path(json.loads(line)["path"]).name for line in lines if line.startswith("{")}
        paths = [path for path in paths if path.name in listed]
    rows = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    assert [key for key, count in Counter(row["id"] for row in rows).items() if count > 1] == []
    return {row["id"]: row["text"] for row in rows}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("library", "script", "marks", "rows"),
    [
        ("datatrove", DATATROVE, "completions/*", ROWS),
        ("pyspark", SPARK, "commits/[0-9]*", ROWS),
        ("ray", RAY, "**/*[0-9].parquet", 10 * ROWS),  # not those that are .pending
    ],
    ids=["datatrove", "spark", "ray"],
)  # fmt: skip
def test_what_was_finished_is_kept_and_the_rest_is_done(
    library: str, script: str, marks: str, rows: int, tmp_path: Path
) -> None:
    if find_spec(library) is None:
        pytest.skip(f"needs {library}")
    expected = make_documents(tmp_path, rows=rows)
    logs, out = tmp_path / "logs", tmp_path / "out"
    kill_when(lambda: any(logs.glob(marks)), start(script, tmp_path), tmp_path)
    finished = [path for path in logs.glob(marks) if path.is_file()]
    assert 0 < len(finished) < FILES, "killed too late"
    before = {path: path.stat().st_mtime_ns for path in finished}
    written = {path: path.read_bytes() for path in out.rglob("*.json*") if path.is_file()}
    run_to_the_end(script, tmp_path)
    fair = Rewriter.from_pretrained("en").rewrite(list(expected.values()))
    assert texts_below(out) == dict(zip(expected, fair, strict=True))
    assert {path: path.stat().st_mtime_ns for path in finished} == before
    assert any(path.is_file() and path.read_bytes() == data for path, data in written.items() if data)


@pytest.mark.slow
def test_dolma_tags_what_was_not_tagged(tmp_path: Path) -> None:
    pytest.importorskip("dolma", reason="needs dolma: pip install dolma")
    expected = make_documents(tmp_path, rows=60, packed=True)
    logs = tmp_path / "logs"

    def done() -> list[Path]:
        return [path for path in logs.rglob("*.done.txt") if path.is_file()]

    kill_when(done, start(DOLMA, tmp_path), tmp_path)
    assert 0 < len(done()) < FILES, "killed too late"
    attributes = tmp_path / "attributes" / "fair"
    tagged = [attributes / mark.name.removesuffix(".done.txt") for mark in done()]
    kept = {path: path.stat().st_mtime_ns for path in tagged}
    run_to_the_end(DOLMA, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept and len(done()) == FILES
    rows = [
        json.loads(line) for path in attributes.iterdir() for line in gzip.decompress(path.read_bytes()).splitlines()
    ]
    assert Counter(row["id"] for row in rows) == dict.fromkeys(expected, 1)
    assert all(sum(map(len, row["attributes"].values())) == 20 for row in rows)
