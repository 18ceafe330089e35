"""Steps of pipelines beside ``rewrite_corpus``: the same bytes, and the time as a ratio, in one run.

    python benchmarks/pipelines.py datatrove datasets --documents 50000
    python benchmarks/pipelines.py dolma --documents 50000 --work FOLDER

Toolkits: datatrove, ray, spark, datasets, nemo, data-juicer, dolma; each in an environment that has it. The documents
are one to eight sentences of ``--text`` (default: GENDER_FAIR_DATA/en/train), a tenth of them with candidates, no
sentence with candidates twice, as JSON lines in four files. Everything runs in one process at a time; the time of a
toolkit holds its start. Dolma replaces by fixed phrases only; of it the share of documents that are alike is given.
"""

from __future__ import annotations

import argparse
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
    for path in sorted(p for p in folder.rglob("*.json*") if p.is_file() and ".gender-fair" not in p.parts):
        with open_bytes(path) as stream:
            found |= {row["id"]: row["text"] for row in map(json.loads, stream)}
    return found


def own(source: Path, target: Path) -> None:
    rewrite_corpus([f"{source}/"], f"{target}/", options=CorpusOptions(processes=1))


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

    engine.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    rows = engine.data.read_json([str(path) for path in sorted(source.glob("*.jsonl"))])
    rows.map_batches(RayRewriter, fn_constructor_args=("en",), concurrency=1).write_json(str(target))
    engine.shutdown()


def spark(source: Path, target: Path) -> None:
    from pyspark.sql import SparkSession

    from rewriter.adapters.frames import SparkRewriter

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


def data_juicer(source: Path, target: Path) -> None:
    from data_juicer.config import init_configs
    from data_juicer.core import DefaultExecutor

    recipe = {
        "project_name": "fair", "dataset_path": str(source), "export_path": str(target / "all.jsonl"), "np": 1,
        "open_tracer": False, "ds_cache_dir": f"{target}-cache",
        "custom_operator_paths": [str(Path(__file__).parents[1] / "rewriter" / "adapters" / "data_juicer.py")],
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
        subprocess.run([*command, *words], check=True, capture_output=True)
        print(f"dolma {'mix' if 'mix' in words else 'tag'}: {time.perf_counter() - started:.0f} s", flush=True)


TOOLKITS: dict[str, Callable[[Path, Path], None]] = {
    "datatrove": datatrove, "ray": ray, "spark": spark, "datasets": datasets, "nemo": nemo, "data-juicer": data_juicer,
    "dolma": dolma,
}  # fmt: skip


def timed(work: Callable[[Path, Path], None], source: Path, target: Path) -> dict[str, float]:
    """Return the seconds of a run, and those of processors in this process and its children."""

    def used() -> float:
        times = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(usage.ru_utime + usage.ru_stime for usage in times)

    started, before = time.perf_counter(), used()
    work(source, target)
    return {"seconds": round(time.perf_counter() - started, 1), "processor": round(used() - before, 1)}


def share_alike(source: Rows, expected: Rows, found: Rows) -> str:
    """Return what share of the changed documents a toolkit changes in the same way."""
    changed = [key for key, text in source.items() if expected[key] != text]
    alike = sum(found[key] == expected[key] for key in changed)
    return f"{alike} of {len(changed)} changed documents are alike, {len(set(found) ^ set(source))} lost or invented"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("toolkits", nargs="+", choices=sorted(TOOLKITS), metavar="TOOLKIT", help=", ".join(TOOLKITS))
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--text", type=Path, help="folder of .txt, .gz or .zst files")
    parser.add_argument("--work", type=Path, help="folder that is kept")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = args.work or Path(temporary)
        source, fair = work / f"documents-{args.documents}", work / "own"
        if not source.is_dir():
            write_documents(source, args.documents, args.text or default_folder("en"))
        shutil.rmtree(fair, ignore_errors=True)
        baseline = timed(own, source, fair)
        print(f"rewrite_corpus: {baseline}", flush=True)
        for toolkit in args.toolkits:
            measure(toolkit, source, fair, work, baseline)


def measure(toolkit: str, source: Path, fair: Path, work: Path, baseline: dict[str, float]) -> None:
    """Run a toolkit and compare what it wrote with what ``rewrite_corpus`` wrote."""
    target = work / f"{toolkit}-fair"
    for used in work.glob(f"{toolkit}*"):
        shutil.rmtree(used) if used.is_dir() else used.unlink()
    figures = timed(TOOLKITS[toolkit], source, target)
    ratio = {name: round(figures[name] / baseline[name], 2) for name in figures}
    print(f"{toolkit}: {figures}, as a ratio {ratio}")
    before, expected, found = rows_of(source), rows_of(fair), rows_of(target)
    same = {key: text.encode() for key, text in expected.items()} == {k: t.encode() for k, t in found.items()}
    print(f"{len(before)} documents, {len(found)} found, the same bytes: {same}", flush=True)
    if not same:
        print(share_alike(before, expected, found), flush=True)


if __name__ == "__main__":
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    main()
