"""Steps of pipelines beside ``rewrite_corpus``: the same bytes, and the time as a ratio, in one run.

    python benchmarks/pipelines.py datatrove datasets --documents 50000
    python benchmarks/pipelines.py dolma --documents 50000 --work FOLDER

Toolkits: datatrove, ray, spark, datasets, nemo (nemo-stages: without Ray), data-juicer, dolma; each in an environment
that has it. The documents are one to eight sentences of ``--text`` (default: GENDER_FAIR_DATA/en/train), a tenth of
them with candidates, no sentence with candidates twice, as JSON lines in four files. Everything runs in one process
at a time, the command too; the time of each holds its start and all processes that it begot (Linux: those that it
leaves behind come to this one). Dolma replaces by fixed phrases only; of it the number of edits and the share of
documents that are alike is given.
"""

from __future__ import annotations

import argparse
import ctypes
import gzip
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from speed_texts import SEED, default_folder, read_sentences

from rewriter import CorpusOptions, rewrite_corpus
from rewriter.io.files import open_bytes
from rewriter.language.interface import get_language

FILES = 4
Rows = dict[str, str]


def write_documents(folder: Path, count: int, text: Path) -> None:
    """Write the documents in four files."""
    sentences = read_sentences(text, get_language("en"), most=200_000)
    rng = random.Random(SEED)
    sizes = [rng.randint(1, 8) for _ in range(count)]
    lines = iter(sentences.lines(sum(sizes), 0.1, numbered=True))
    folder.mkdir(parents=True)
    for part in range(FILES):
        with (folder / f"{part}.jsonl").open("w", encoding="utf-8") as stream:
            for number in range(part, count, FILES):
                body = "\n".join(next(lines) for _ in range(sizes[number]))
                row = {"id": str(number), "text": body, "source": "own"}
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def rows_of(folder: Path) -> Rows:
    """Return the texts of all files below a folder by the identifiers of their documents."""
    found: Rows = {}
    names = (path for path in folder.rglob("[!.]*.json*") if path.is_file())  # Spark writes .part-….json.crc beside
    for path in sorted(path for path in names if ".gender-fair" not in path.parts):
        with open_bytes(path) as stream:
            found |= {str(row["id"]): row["text"] for row in map(json.loads, stream)}
    return found


def rewrite_corpus_itself(source: Path, target: Path) -> None:
    summary = rewrite_corpus([f"{source}/"], f"{target}/", options=CorpusOptions(processes=1))
    print(f"{sum(summary.edits.values())} edits in {summary.changed} of {summary.units} documents", flush=True)


def datatrove(source: Path, target: Path) -> None:
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter

    from rewriter.adapters.datatrove import GenderFairRewriter

    steps = [JsonlReader(str(source)), GenderFairRewriter("en"), JsonlWriter(str(target), compression=None)]
    logs = f"{target}-logs"
    LocalPipelineExecutor(pipeline=steps, tasks=FILES, workers=1, logging_dir=logs).run()


def ray(source: Path, target: Path) -> None:
    import ray as engine

    from rewriter.adapters.frames import RayRewriter

    own = {} if "RAY_ADDRESS" in os.environ else {"num_cpus": 2, "include_dashboard": False}
    engine.init(log_to_driver=False, **own)
    rows = engine.data.read_json([str(path) for path in sorted(source.glob("*.jsonl"))])
    rows.map_batches(RayRewriter, fn_constructor_args=("en",), concurrency=1).write_json(str(target))
    engine.shutdown()


def spark(source: Path, target: Path) -> None:
    from pyspark.sql import SparkSession

    from rewriter.adapters.frames import SparkRewriter

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # else the workers take the python3 of the path
    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    frame = session.read.json(str(source))
    frame.mapInPandas(SparkRewriter("en"), frame.schema).write.json(str(target))
    session.stop()


def datasets(source: Path, target: Path) -> None:
    from datasets import load_dataset

    from rewriter import Rewriter

    rows = load_dataset("json", data_files=str(source / "*.jsonl"), split="train", cache_dir=f"{target}-cache")
    Rewriter.from_pretrained("en").rewrite_dataset(rows).to_json(target / "all.jsonl")


def nemo(source: Path, target: Path) -> None:
    from nemo_curator.pipeline import Pipeline
    from nemo_curator.stages.text.io.reader import JsonlReader
    from nemo_curator.stages.text.io.writer import JsonlWriter

    from rewriter.adapters.nemo_curator import GenderFairStage

    reader = JsonlReader(file_paths=str(source), files_per_partition=1)
    Pipeline(name="fair", stages=[reader, GenderFairStage("en"), JsonlWriter(path=str(target))]).run()


def nemo_stages(source: Path, target: Path) -> None:
    """Run the stages of the same pipeline one after the other, without Ray, which its executors start."""
    from nemo_curator.stages.text.io.reader import JsonlReader
    from nemo_curator.stages.text.io.writer import JsonlWriter
    from nemo_curator.tasks import EmptyTask

    from rewriter.adapters.nemo_curator import GenderFairStage

    files, reader = JsonlReader(file_paths=str(source), files_per_partition=1).decompose()
    fair, writer = GenderFairStage("en"), JsonlWriter(path=str(target))
    for stage in (reader, fair, writer):
        stage.setup()
    for number, task in enumerate(files.process(EmptyTask())):
        batch = reader.process(task)
        batch.task_id = str(number)
        writer.process(fair.process(batch))


def data_juicer(source: Path, target: Path) -> None:
    from data_juicer.config import init_configs
    from data_juicer.core import DefaultExecutor

    recipe = {
        "project_name": "fair", "dataset_path": str(source), "export_path": str(target / "all.jsonl"), "np": 1,
        "open_tracer": False, "ds_cache_dir": f"{target}-cache", "work_dir": f"{target}-work",
        "custom_operator_paths": [str(Path(__file__).parents[1] / "rewriter" / "adapters" / "gender_fair_mapper.py")],
        "process": [{"gender_fair_mapper": {"model": "en"}}],
    }  # fmt: skip
    path = Path(f"{target}.yaml")
    path.write_text(json.dumps(recipe), encoding="utf-8")
    DefaultExecutor(init_configs(["--config", str(path)])).run()


def dolma(source: Path, target: Path) -> None:
    from rewriter.adapters.dolma import span_replacements

    documents = target.parent / "dolma" / "documents"
    documents.mkdir(parents=True)
    for path in source.glob("*.jsonl"):
        with path.open("rb") as plain, gzip.open(documents / f"{path.name}.gz", "wb") as packed:
            shutil.copyfileobj(plain, packed)
    stream = {
        "name": "fair", "documents": [f"{documents}/*"], "attributes": ["fair"], "output": {"path": str(target)},
        "span_replacement": span_replacements("fair"),
    }  # fmt: skip
    mix = Path(f"{target}.json")
    mix.write_text(json.dumps({"streams": [stream], "processes": 1, "shuffle": False}), encoding="utf-8")
    command = [str(Path(sys.executable).with_name("dolma"))]
    named = ["--taggers", "gender_fair_en", "--tagger_modules", "rewriter.adapters.dolma", "--experiment", "fair"]
    for words in (["tag", "--documents", f"{documents}/*", *named, "--processes", "1"], ["-c", str(mix), "mix"]):
        started = time.perf_counter()
        subprocess.run([*command, *words], check=True, stdin=subprocess.DEVNULL, capture_output=True)
        print(f"dolma {'mix' if 'mix' in words else 'tag'}: {time.perf_counter() - started:.0f} s", flush=True)
    print(f"{sum(map(spans_in, documents.parent.rglob('attributes/**/*.gz')))} edits tagged", flush=True)


def spans_in(path: Path) -> int:
    """Return the number of spans that a file of attributes of dolma holds."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return sum(len(spans) for line in stream for spans in json.loads(line)["attributes"].values())


OWN = "rewrite_corpus"
TOOLKITS: dict[str, Callable[[Path, Path], None]] = {
    "datatrove": datatrove, "ray": ray, "spark": spark, "datasets": datasets, "nemo": nemo,
    "nemo-stages": nemo_stages, "data-juicer": data_juicer,
    "dolma": dolma, OWN: rewrite_corpus_itself,
}  # fmt: skip


def timed(toolkit: str, source: Path, target: Path) -> dict[str, float]:
    """Return the seconds of a run in a process of its own, and those of processors in all that it begot."""

    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    started, before = time.perf_counter(), used()
    subprocess.run([sys.executable, __file__, toolkit, "--run", str(source), str(target)], check=True)
    seconds = time.perf_counter() - started
    wait_for_orphans()
    return {"seconds": round(seconds, 1), "processor": round(used() - before, 1)}


def adopt_orphans() -> None:
    """Make this process the parent of what its children leave behind, so that it is told what they cost."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def wait_for_orphans(most: float = 60) -> None:
    """Wait for them; those that do not end by themselves are left running and not counted."""
    end = time.monotonic() + most
    while time.monotonic() < end:
        try:
            found, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not found:
            time.sleep(0.2)
    print("processes that go on are not counted", flush=True)


def share_alike(source: Rows, expected: Rows, found: Rows) -> str:
    """Return what share of the changed documents a toolkit changes in the same way."""
    changed = [key for key, text in source.items() if expected[key] != text]
    alike = sum(found.get(key) == expected[key] for key in changed)
    lost = len(set(found) ^ set(source))
    return (
        f"{alike} of {len(changed)} changed documents are alike ({alike / len(changed):.1%}), {lost} lost or invented"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("toolkits", nargs="+", choices=sorted(TOOLKITS), metavar="TOOLKIT", help=", ".join(TOOLKITS))
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--text", type=Path, help="folder of .txt, .gz or .zst files")
    parser.add_argument("--work", type=Path, help="folder that is kept")
    parser.add_argument("--run", nargs=2, type=Path, metavar=("FROM", "TO"), help="only run the toolkit")
    args = parser.parse_args()
    if args.run:
        TOOLKITS[args.toolkits[0]](*args.run)
        return
    adopt_orphans()
    with tempfile.TemporaryDirectory() as temporary:
        work = args.work or Path(temporary)
        source, fair = work / f"documents-{args.documents}", work / "own"
        if not source.is_dir():
            write_documents(source, args.documents, args.text or default_folder("en"))
        shutil.rmtree(fair, ignore_errors=True)
        baseline = timed(OWN, source, fair)
        print(f"{OWN}: {baseline}", flush=True)
        for toolkit in args.toolkits:
            measure(toolkit, source, fair, work, baseline)


def measure(toolkit: str, source: Path, fair: Path, work: Path, baseline: dict[str, float]) -> None:
    """Run a toolkit and compare what it wrote with what ``rewrite_corpus`` wrote."""
    target = work / f"{toolkit}-fair"
    for used in work.glob(f"{toolkit}*"):
        shutil.rmtree(used) if used.is_dir() else used.unlink()
    figures = timed(toolkit, source, target)
    throughput, cost = baseline["seconds"] / figures["seconds"], figures["processor"] / baseline["processor"]
    print(f"{toolkit}: {figures}; {OWN} = 1: throughput {throughput:.2f}, processor time {cost:.2f}")
    before, expected, found = rows_of(source), rows_of(fair), rows_of(target)
    same = {key: text.encode() for key, text in expected.items()} == {k: t.encode() for k, t in found.items()}
    print(f"{len(before)} documents, {len(found)} found, the same bytes: {same}", flush=True)
    if not same:
        print(share_alike(before, expected, found), flush=True)


if __name__ == "__main__":
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    main()
