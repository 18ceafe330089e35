"""Steps of pipelines: the same texts as the rewriter alone, counts, copies in other processes, the real libraries."""

from __future__ import annotations

import gzip
import json
import pickle
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rewriter import CorpusOptions, Rewriter, rewrite_corpus
from rewriter.adapters.core import BatchRewriter, batches, counts
from rewriter.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [f"{text} {number}" for number in range(40) for text in (
    "She knows case", "It rains on day", "The chairman and his case\r\n", "Han er her, og hun vet", "",
)]  # fmt: skip


@pytest.fixture(scope="module")
def expected() -> list[str]:
    return Rewriter.from_pretrained("en").rewrite(TEXTS)


def test_a_copy_in_another_process_is_a_few_names_and_answers_alike(expected: list[str]) -> None:
    step = BatchRewriter.of("en", cache=0)
    step.rewrite(["She left."])  # with its model loaded
    assert len(pickle.dumps(step)) < 1000
    assert [rewrite.text for rewrite in pickle.loads(pickle.dumps(step)).rewrite(TEXTS)] == expected


def test_missing_texts_and_other_languages_stay() -> None:
    step = BatchRewriter.of("en", detect=True)
    done = step.rewrite([None, "", "She left.", "Han er her."])
    assert [rewrite.text for rewrite in done] == ["", "", "They left.", "Han er her."]
    with pytest.raises(UsageError, match="takes strings"):
        BatchRewriter.of("en").rewrite([3])  # type: ignore[list-item]


def test_counts_add_up(expected: list[str]) -> None:
    step = BatchRewriter.of("en")
    whole = counts(step.rewrite(TEXTS))
    parts = [counts(step.rewrite(part)) for part in batches(TEXTS, 7)]
    assert whole == sum(parts[1:], parts[0])
    assert whole["texts"] == len(TEXTS)
    assert whole["changed"] == sum(a != b for a, b in zip(TEXTS, expected, strict=True))
    assert whole["edits"] == sum(value for name, value in whole.items() if name.startswith("edits_"))


@pytest.mark.slow
def test_datatrove_writes_what_the_corpus_command_writes(tmp_path: Path) -> None:
    """The same documents through a pipeline of two tasks and through rewrite_corpus; a second run does nothing."""
    pytest.importorskip("datatrove", reason="needs datatrove: pip install datatrove")
    pytest.importorskip("orjson", reason="the JSON reader of datatrove needs it: pip install orjson")
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter

    from rewriter.adapters.datatrove import GenderFairRewriter

    (tmp_path / "in").mkdir()
    for part in range(2):
        rows = [{"text": text or ".", "id": str(i), "n": i} for i, text in enumerate(TEXTS[part::2])]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / "in" / f"{part}.jsonl").write_text(lines, encoding="utf-8")
    rewrite_corpus(
        [tmp_path / "in" / f"{part}.jsonl" for part in range(2)],
        f"{tmp_path / 'fair'}/",
        options=CorpusOptions(processes=1),
    )

    def run() -> Any:
        return LocalPipelineExecutor(
            pipeline=[
                JsonlReader(str(tmp_path / "in")),
                GenderFairRewriter("en", edits="edits", batch=16),
                JsonlWriter(str(tmp_path / "out"), compression=None),
            ],
            tasks=2,
            workers=1,
            logging_dir=str(tmp_path / "logs"),
        ).run()

    stats = run()
    own, theirs = (sorted(texts_in(sorted((tmp_path / name).glob("*.jsonl")))) for name in ("out", "fair"))
    assert own == theirs and len(own) == len(TEXTS)
    step = next(block for block in stats.stats if "Gender-fair" in block.name)
    assert step.stats["texts"].total == len(TEXTS) and step.stats["edits_pronoun"].total >= 80
    written = (tmp_path / "out" / "00000.jsonl").stat().st_mtime_ns
    run()
    assert (tmp_path / "out" / "00000.jsonl").stat().st_mtime_ns == written


def texts_in(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        yield from (json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines())


def test_frames_of_spark_keep_rows_order_and_missing_texts(expected: list[str]) -> None:
    """What mapInPandas does with the step, without Spark: an iterator of frames for an iterator of frames."""
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    from rewriter.adapters.frames import SparkRewriter

    class Accumulator:
        value = 0

        def add(self, more: int) -> None:
            self.value += more

    changed = Accumulator()
    step = SparkRewriter("en", edits="edits", accumulators={"changed": changed, "edits_title": Accumulator()})
    frame = pandas.DataFrame({"id": range(len(TEXTS) + 1), "text": [*TEXTS, None]})
    made = list(step(iter([frame.iloc[:30], frame.iloc[30:]])))
    assert [len(part) for part in made] == [30, len(TEXTS) - 29]
    whole = pandas.concat(made)
    assert whole["text"].tolist()[:-1] == expected and whole["text"].isna().tolist()[-1]
    assert whole["id"].tolist() == [*range(len(TEXTS) + 1)]
    assert changed.value == (whole["edits"] > 0).sum()


@pytest.mark.slow
def test_spark_itself(expected: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)  # else the workers take the python3 of the path
    sql = pytest.importorskip("pyspark.sql", reason="needs pyspark and Java: pip install pyspark")
    from rewriter.adapters.frames import SparkRewriter

    session = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        changed = session.sparkContext.accumulator(0)
        frame = session.createDataFrame([*enumerate(TEXTS), (len(TEXTS), None)], "id long, text string")
        made = frame.mapInPandas(SparkRewriter("en", accumulators={"changed": changed}), frame.schema)
        rows = sorted(made.collect())
        assert [row.text for row in rows] == [*expected, None]
        assert changed.value == sum(a != b for a, b in zip(TEXTS, expected, strict=True))
    finally:
        session.stop()


@pytest.mark.slow
def test_ray_data_itself(expected: list[str]) -> None:
    data = pytest.importorskip("ray.data", reason="needs the extra 'ray'")
    import ray

    from rewriter.adapters.frames import RayRewriter

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        rows = data.from_items([{"id": number, "text": text} for number, text in enumerate(TEXTS)])
        made = rows.map_batches(
            RayRewriter, fn_constructor_args=("en",), fn_constructor_kwargs={"edits": "edits"}, concurrency=1
        )
        found = sorted(made.take_all(), key=lambda row: row["id"])
        assert [row["text"] for row in found] == expected
        assert sum(row["edits"] > 0 for row in found) == sum(a != b for a, b in zip(TEXTS, expected, strict=True))
    finally:
        ray.shutdown()


@pytest.mark.slow
def test_nemo_curator_keeps_rows_order_and_missing_texts(expected: list[str]) -> None:
    pytest.importorskip("nemo_curator", reason="needs NeMo Curator: pip install nemo-curator")
    import pandas
    from nemo_curator.tasks import DocumentBatch

    from rewriter.adapters.nemo_curator import GenderFairStage

    stage = pickle.loads(pickle.dumps(GenderFairStage("en", edits="edits")))
    stage.setup()
    frame = pandas.DataFrame({"id": range(len(TEXTS) + 1), "text": [*TEXTS, None]})
    made = stage.process(DocumentBatch(dataset_name="own", data=frame)).to_pandas()
    assert made["text"].tolist()[:-1] == expected and made["text"].isna().tolist()[-1]
    assert made["id"].tolist() == [*range(len(TEXTS) + 1)]
    assert stage._custom_metrics["changed"] == (made["edits"] > 0).sum()


@pytest.mark.slow
def test_data_juicer_runs_the_operator_of_a_recipe(expected: list[str]) -> None:
    pytest.importorskip("data_juicer", reason="needs Data-Juicer: pip install py-data-juicer aiohttp")
    from data_juicer.config.config import load_custom_operators
    from data_juicer.core.data import NestedDataset
    from data_juicer.ops import load_ops

    load_custom_operators([str(ROOT / "rewriter" / "adapters" / "gender_fair_mapper.py")])  # custom_operator_paths
    operators = load_ops([{"gender_fair_mapper": {"model": "en", "edits_key": "edits"}}])
    rows = NestedDataset.from_list([{"id": number, "text": text} for number, text in enumerate(TEXTS)])
    made = rows.process(operators).to_list()
    assert [row["text"] for row in made] == expected
    assert [row["id"] for row in made] == [*range(len(TEXTS))]
    assert [row["edits"] > 0 for row in made] == [a != b for a, b in zip(TEXTS, expected, strict=True)]


#: what dolma writes: all of an edit's group or nothing; characters beyond the basic plane count as one
DOLMA = [
    ("She knows her stuff.", "They know their stuff."),
    ("Ünlü 😀 he's gone. 😀 His", "Ünlü 😀 they've gone. 😀 Theirs"),
    ("It rains.", "It rains."),
    ("She zigzags, and he left.", "She zigzags, and they left."),  # "zigzag" is no phrase of the list
]


@pytest.mark.slow
def test_dolma_replaces_what_its_tagger_marks(tmp_path: Path) -> None:
    pytest.importorskip("dolma", reason="needs dolma: pip install dolma")
    import dolma
    from dolma.core.data_types import Document

    from rewriter.adapters.dolma import EnglishTagger, span_replacements

    tagger = EnglishTagger()
    rows: dict[str, list[dict[str, Any]]] = {"documents": [], "attributes/fair": []}
    for number, (text, _) in enumerate(DOLMA):
        tags = tagger.group_output(tagger.predict(Document(source="own", id=str(number), text=text)))
        attributes = {f"fair__gender_fair_en__{name}": spans for name, spans in tags.items()}
        rows["documents"].append({"id": str(number), "text": text, "source": "own"})
        rows["attributes/fair"].append({"id": str(number), "attributes": attributes})
    for folder, listed in rows.items():
        (tmp_path / folder).mkdir(parents=True)
        lines = "".join(json.dumps(row) + "\n" for row in listed)
        (tmp_path / folder / "a.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "work").mkdir()
    dolma.mixer({
        "work_dir": {"input": str(tmp_path / "work"), "output": str(tmp_path / "work")}, "processes": 1,
        "streams": [{
            "name": "fair", "documents": [f"{tmp_path}/documents/*"], "attributes": ["fair"],
            "output": {"path": f"{tmp_path}/out", "max_size_in_bytes": 10**9},
            "compression": {"input": None, "output": None},
            "span_replacement": [{**one, "syntax": "jsonpath"} for one in span_replacements("fair")],
        }],
        "shuffle": False,
    })  # fmt: skip
    (written,) = (path for path in (tmp_path / "out").rglob("*") if path.is_file())
    with gzip.open(written, "rt", encoding="utf-8") as stream:
        assert [json.loads(line)["text"] for line in stream] == [fair for _, fair in DOLMA]
