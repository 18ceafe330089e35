"""A text on which the toolkit fails stays as it is and is listed, on every way into the rewriter; the others do not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from planted import IN_CUTTING, IN_PROPOSING, TINY, BreakingSpec, PlantedError, broken

from rewriter import Rewriter
from rewriter.cli import rewrite as command
from rewriter.cli.main import main
from rewriter.corpus import CorpusOptions, CorpusReports, rewrite_corpus
from rewriter.corpus.job import CorpusJob
from rewriter.corpus.ray_engine import ShardActor
from rewriter.errors import TextError, WorkerError
from rewriter.formats import FormatOptions
from rewriter.io.textfile import TextFileOptions, rewrite_file
from rewriter.report.check import Report, check_files

LINES = [
    "Then she said so.",
    f"He saw the {IN_PROPOSING}.",
    "So he left.",
    "Nothing.",
    f"She heard a {IN_CUTTING}. He fled.",
    "Then she left.",
]
FAIR = [line if IN_PROPOSING in line or IN_CUTTING in line else fair for line, fair in zip(LINES, [
    "Then they said so.", "", "So they left.", "Nothing.", "", "Then they left.",
], strict=True)]  # fmt: skip
FAILING = [1, 4]


@pytest.fixture
def breaking() -> Rewriter:
    return broken(Rewriter.from_pretrained(TINY))


# Python


@pytest.mark.parametrize("guard", ["strict", "report", "off"])
def test_rewrite_keeps_and_says_why(guard: str) -> None:
    breaking = broken(Rewriter.from_pretrained(TINY, guard=guard))
    whole = Rewriter.from_pretrained(TINY, guard=guard).rewrite(LINES, return_edits=True)
    found = breaking.rewrite(LINES, return_edits=True, errors="keep")
    assert [result.error is not None for result in found] == [n in FAILING for n in range(len(LINES))]
    assert [r for r in found if not r.error] == [r for n, r in enumerate(whole) if n not in FAILING]
    for number in FAILING:
        assert found[number].text == LINES[number] and not found[number].edits
    assert found[1].error.reason.startswith("PlantedError: planted in the proposer (tests/support/planted.py:")
    assert "Traceback" in found[1].error.trace
    assert breaking.rewrite(LINES[1], errors="keep") == LINES[1]


def test_rewrite_raises_by_default(breaking: Rewriter) -> None:
    with pytest.raises(TextError, match=r"text 1 cannot be worked on: PlantedError: .*errors='keep'") as caught:
        breaking.rewrite(LINES)
    assert (caught.value.index, sorted(caught.value.faults)) == (1, FAILING)
    assert isinstance(caught.value.__cause__, PlantedError)


def test_a_stream_counts_its_texts(breaking: Rewriter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rewriter.io.same_kind.CHUNK", 2)
    stream = breaking.rewrite(iter([LINES[0]] * 4 + LINES))
    assert [next(stream) for _ in range(4)] == [FAIR[0]] * 4
    with pytest.raises(TextError, match="text 5 "):
        next(stream)
    assert [*breaking.rewrite(iter(LINES), errors="keep")] == FAIR


def test_what_is_remembered_does_not_tell_of_the_search(breaking: Rewriter) -> None:
    breaking.rewrite(LINES, errors="keep")
    assert breaking.cache_counts == (3, 0)  # the three sound texts, looked up together


def test_a_data_set(breaking: Rewriter, caplog: pytest.LogCaptureFixture) -> None:
    datasets = pytest.importorskip("datasets")
    data = datasets.Dataset.from_dict({"text": LINES, "id": list(range(len(LINES)))})
    options: dict[str, Any] = {"new_fingerprint": "planted", "keep_in_memory": True}
    kept = breaking.rewrite_dataset(data, edits="edits", errors="keep", **options)
    assert (kept["text"][:], kept["id"][:]) == (FAIR, data["id"][:])
    assert kept["edits"][1] == []
    assert [record for record in caplog.messages if "PlantedError" in record and repr(LINES[1]) in record]
    with pytest.raises(TextError):
        breaking.rewrite_dataset(data, **options)


def test_a_pipeline_of_spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    spacy = pytest.importorskip("spacy")
    load = Rewriter.from_pretrained
    monkeypatch.setattr(Rewriter, "from_pretrained", lambda *given, **options: broken(load(*given, **options)))
    nlp = spacy.blank("en")
    nlp.add_pipe("gender_fair_rewriter", config={"model": str(TINY), "errors": "keep"})
    docs = list(nlp.pipe(LINES))
    assert [doc._.fair_text for doc in docs] == FAIR
    assert [doc._.fair_error is not None for doc in docs] == [n in FAILING for n in range(len(LINES))]
    strict = spacy.blank("en")
    strict.add_pipe("gender_fair_rewriter", config={"model": str(TINY)})
    with pytest.raises(TextError):
        list(strict.pipe(LINES))


# files: (name, content, content as it comes out, lines or rows of the failing texts)

TEXT = "".join(f"{line}\n" for line in LINES)
JSONL = "".join(json.dumps({"id": n, "text": line}) + "\n" for n, line in enumerate(LINES))
CSV = "id,text\r\n" + "".join(f'{n},"{line}"\r\n' for n, line in enumerate(LINES))
FILES = {
    "a.txt": (TEXT, [2, 5]),
    "a.jsonl": (JSONL, [2, 5]),
    "a.csv": (CSV, [3, 6]),
}


def fair(content: str) -> str:
    for line, new in zip(LINES, FAIR, strict=True):
        content = content.replace(line, new)
    return content


@pytest.fixture(params=FILES)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / request.param
    path.write_text(FILES[request.param][0], newline="")
    yield path


def test_a_file_as_it_is_read(source: Path, tmp_path: Path, breaking: Rewriter) -> None:
    content, numbers = FILES[source.name]
    summary = rewrite_file(source, tmp_path / "out", rewriter=breaking)
    assert (tmp_path / "out").read_bytes().decode() == fair(content)
    assert [(r.file, r.line, r.reason.split(":")[0]) for r in summary.rejects] == [
        (str(source), number, "PlantedError") for number in numbers
    ]
    assert all("Traceback" in reject.trace for reject in summary.rejects)
    assert (summary.rejected, summary.changed) == (2, 3)


@pytest.mark.parametrize("processes", [1, 2])
def test_a_corpus_by_shards_finishes_and_is_continued(source: Path, tmp_path: Path, processes: int) -> None:
    content, numbers = FILES[source.name]
    many = content if source.suffix != ".txt" else content * 20
    source.write_text(many, newline="")
    wanted = numbers if many == content else [number + 6 * i for i in range(20) for number in numbers]
    reports = CorpusReports(rejects=tmp_path / "rejects.jsonl")
    options = CorpusOptions(shard_lines=7, processes=processes, reports=reports)
    for _ in range(2):  # the second call finds everything done
        summary = rewrite_corpus([source], tmp_path / "out", rewriter=BreakingSpec.of(TINY), options=options)
        assert (tmp_path / "out").read_bytes().decode() == fair(many)
        rejects = [json.loads(line) for line in (tmp_path / "rejects.jsonl").read_text().splitlines()]
        assert [reject["line"] for reject in rejects] == wanted
        assert all(set(reject) == {"file", "line", "reason"} for reject in rejects)
        assert summary.rejected == len(wanted)
        assert summary.debug == str(tmp_path / "rejects.debug.jsonl")
        traces = [json.loads(line) for line in Path(summary.debug).read_text().splitlines()]
        assert [trace["line"] for trace in traces] == wanted[: len(traces)] and len(traces) >= min(100, len(wanted))


def test_a_run_that_stopped_at_such_a_text_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state of a run of an earlier version, which failed with the whole shard."""
    source = tmp_path / "a.txt"
    source.write_text(TEXT * 5)
    options = CorpusOptions(shard_lines=6, processes=1)

    def fails(*_: Any) -> Any:
        raise ValueError("as it was")

    with monkeypatch.context() as context:
        context.setattr("rewriter.corpus.engine.each", fails)
        with pytest.raises(WorkerError, match="as it was"):
            rewrite_corpus([source], tmp_path / "out.txt", rewriter=BreakingSpec.of(TINY), options=options)
    summary = rewrite_corpus([source], tmp_path / "out.txt", rewriter=BreakingSpec.of(TINY), options=options)
    assert (tmp_path / "out.txt").read_text() == fair(TEXT * 5)
    assert summary.debug == str(tmp_path / ".out.txt.gender-fair" / "debug.jsonl") and Path(summary.debug).exists()


def test_parquet(tmp_path: Path, breaking: Rewriter) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"text": LINES, "id": list(range(len(LINES)))})
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=4)
    summary = rewrite_file(tmp_path / "a.parquet", tmp_path / "out.parquet", rewriter=breaking)
    assert parquet.read_table(tmp_path / "out.parquet").to_pydict() == {"text": FAIR, "id": list(range(len(LINES)))}
    assert [reject.line for reject in summary.rejects] == [2, 5]
    report = rewrite_corpus([tmp_path / "a.parquet"], tmp_path / "b.parquet", rewriter=BreakingSpec.of(TINY))
    assert [reject.line for reject in report.rejects] == [2, 5]


def test_an_actor_of_ray(tmp_path: Path) -> None:
    from rewriter.corpus.job import CorpusShard
    from rewriter.formats import open_format
    from rewriter.version import __version__

    source = tmp_path / "a.txt"
    source.write_text(TEXT)
    job = CorpusJob(BreakingSpec.of(TINY), threads=1)
    actor = ShardActor(job, ".", (__version__, job.rewriter.identity()["model"]))
    fmt = open_format(source, FormatOptions())
    shard = CorpusShard(0, 0, str(source), "a.txt", fmt, 0, source.stat().st_size, part=str(tmp_path / "part"))
    report = actor.work(shard)
    assert isinstance(report, dict) and [reject["line"] for reject in report["rejects"]] == [2, 5]
    assert (tmp_path / "part").read_text() == fair(TEXT)


def test_choosing_the_language_may_fail_too(tmp_path: Path) -> None:
    def select(contents: Any) -> list[bool]:
        if any("Nothing" in content.text for content in contents):
            raise PlantedError("planted in the selector")
        return [True] * len(contents)

    source = tmp_path / "a.txt"
    source.write_text(TEXT)
    options = TextFileOptions(select=select, every=True, observe=lambda results: None)
    summary = rewrite_file(source, tmp_path / "out", rewriter=Rewriter.from_pretrained(TINY), options=options)
    assert [(r.line, r.reason.split(" (")[0]) for r in summary.rejects] == [
        (4, "PlantedError: planted in the selector")
    ]


def test_reading_and_writing_a_record_may_fail_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rewriter.formats.text import TextLines

    contents, replace = TextLines.contents, TextLines.replace

    def reads(self: Any, record: Any) -> Any:
        if b"Nothing" in record.data:
            raise PlantedError("planted in reading")
        return contents(self, record)

    def writes(self: Any, record: Any, changes: Any) -> bytes:
        if b"left" in record.data:
            raise PlantedError("planted in writing")
        return replace(self, record, changes)

    monkeypatch.setattr(TextLines, "contents", reads)
    monkeypatch.setattr(TextLines, "replace", writes)
    source = tmp_path / "a.txt"
    source.write_text(TEXT)
    options = TextFileOptions(every=True, observe=lambda results: None)
    summary = rewrite_file(source, tmp_path / "out", rewriter=Rewriter.from_pretrained(TINY), options=options)
    found = {reject.line: reject.reason.split(" (")[0].split()[-1] for reject in summary.rejects}
    assert found == {3: "writing", 4: "reading", 6: "writing"}
    assert (tmp_path / "out").read_text().splitlines()[2:4] == LINES[2:4]


# the command


@pytest.fixture
def breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    def spec_from(args: Any, policy: Any = None, preset: Any = None) -> BreakingSpec:
        return BreakingSpec.of(TINY)

    monkeypatch.setattr(command, "spec_from", spec_from)


@pytest.mark.usefixtures("breaks")
@pytest.mark.parametrize("sharded", [False, True])
def test_the_command_ends_with_3(tmp_path: Path, sharded: bool, capsys: pytest.CaptureFixture[str]) -> None:
    source, out, rejects = tmp_path / "a.txt", tmp_path / "out.txt", tmp_path / "rejects.jsonl"
    source.write_text(TEXT)
    words = ["rewrite", str(source), "-o", str(out), "--rejects", str(rejects), "--summary", str(tmp_path / "s.json")]
    assert main([*words, *(["--shard-lines", "2"] if sharded else [])]) == 3
    assert out.read_text() == fair(TEXT)
    told = capsys.readouterr().err
    assert f"{source}:2: PlantedError: planted in the proposer" in told and "written unchanged" in told
    assert "Traceback" not in told and "rejects.debug.jsonl" in told
    assert [json.loads(line)["line"] for line in rejects.read_text().splitlines()] == [2, 5]
    summary = json.loads((tmp_path / "s.json").read_text())
    assert (summary["rejected"], summary["changed"]) == (2, 3)
    assert summary["debug"] == str(tmp_path / "rejects.debug.jsonl")
    assert [reject["line"] for reject in summary["rejects"]] == [2, 5]


@pytest.mark.usefixtures("breaks")
def test_json_and_the_file_for_traces_of_a_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.txt"
    source.write_text(TEXT)
    assert main(["rewrite", str(source), "--json"]) == 3
    captured = capsys.readouterr()
    records = [json.loads(line) for line in captured.out.splitlines()]
    assert [record["text"] for record in records] == FAIR
    assert ["rejects" in record for record in records] == [n in FAILING for n in range(len(LINES))]
    debug = captured.err.split("the traces of these errors are in ")[1].split(";")[0]
    assert [json.loads(line)["line"] for line in Path(debug).read_text().splitlines()] == [2, 5]


@pytest.mark.usefixtures("breaks")
def test_check_lists_them_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.txt"
    source.write_text(TEXT)
    assert main(["rewrite", "--check", str(source)]) == 1  # there are findings
    captured = capsys.readouterr()
    assert [line.split(":")[1] for line in captured.out.splitlines()] == ["1", "3", "6"]
    assert "a.txt:2: PlantedError" in captured.err and "a.txt:5: PlantedError" in captured.err
    source.write_text(f"{LINES[1]}\n{LINES[3]}\n")
    assert main(["rewrite", "--check", str(source)]) == 3


def test_check_in_python(tmp_path: Path, breaking: Rewriter) -> None:
    import io

    source = tmp_path / "a.jsonl"
    source.write_text(JSONL)
    with Report(io.StringIO()) as report:
        check_files([source], rewriter=breaking, report=report)
    assert (report.found, report.rejected, [reject.line for reject in report.rejects]) == (3, 2, [2, 5])
