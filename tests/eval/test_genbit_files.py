"""Files, processes, the command, comparisons and reports."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from eval.bootstrap import Resampling
from eval.genbit import Counts, GenBitMetrics, Lexicon, Settings
from eval.genbit.compare import compare
from eval.genbit.corpus import CountingOptions, count_files, plan_pieces
from eval.genbit.counter import CooccurrenceCounter
from eval.genbit.report import leaning_table, write_page, write_plot, write_words
from rewriter.cli.main import main
from rewriter.errors import InputError, MetricError, ResumeError, UsageError
from rewriter.formats import FormatOptions

TEXTS = [
    "She cooks dinner for the neighbours",
    "He repairs the old engine",
    "The waitress sings, and he listens",
    "They paint the café",
    "Nobody came",
    "His step-brother drives a lorry",
    "Her mother drives a lorry",
]
LEXICON = Lexicon.shipped("en")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(TEXTS * 4) + "\n", encoding="utf-8")
    return path


def expected(texts: list[str] = TEXTS * 4, units: int = 1) -> Counts:
    counter = CooccurrenceCounter(LEXICON, 30, units=units)
    counter.add_numbered(enumerate(texts, 1))
    return counter.counts()


# Files


def rows(texts: list[str]) -> list[dict[str, str]]:
    return [{"id": str(number), "body": text} for number, text in enumerate(texts)]


def write_as(kind: str, folder: Path) -> Path:
    path = folder / f"corpus.{kind}"
    text = "\n".join(TEXTS * 4) + "\n"
    if kind == "txt.gz":
        path.write_bytes(gzip.compress(text.encode()))
    elif kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows(TEXTS * 4)), encoding="utf-8")
    elif kind == "csv":
        lines = (f'{row["id"]},"{row["body"]}"\r\n' for row in rows(TEXTS * 4))
        path.write_text("id,body\r\n" + "".join(lines), encoding="utf-8")
    elif kind == "parquet":
        arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        parquet.write_table(arrow.Table.from_pylist(rows(TEXTS * 4)), path, row_group_size=5)
    else:
        path.write_text("\ufeff" + text.replace("\n", "\r\n"), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ["txt", "txt.gz", "jsonl", "csv", "parquet"])
def test_every_format_gives_the_same_counts(tmp_path: Path, kind: str) -> None:
    path = write_as(kind, tmp_path)
    options = CountingOptions(LEXICON, formats=FormatOptions(columns=("body",)), shard_lines=3)
    found = count_files([path], options).counts
    assert found == expected()
    if kind != "csv":  # whose header is a line as well
        units = CountingOptions(LEXICON, formats=FormatOptions(columns=("body",)), shard_lines=3, units=5)
        assert count_files([path], units).counts == expected(units=5)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    for kind in ("csv", "parquet"):
        with pytest.raises(UsageError, match="text"):
            count_files([write_as(kind, tmp_path)], CountingOptions(LEXICON))


def test_pieces_and_processes_do_not_show(corpus: Path, tmp_path: Path) -> None:
    options = CountingOptions(LEXICON, processes=2, shard_lines=5)
    assert len(list(plan_pieces([corpus], options))) == 6
    counted = count_files([corpus], options, output=tmp_path / "work")
    assert counted.counts == expected()
    counted.counts.save(tmp_path / "two.npz")
    expected().save(tmp_path / "one.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_an_interrupted_count_goes_on(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options, work = CountingOptions(LEXICON, shard_lines=5), tmp_path / "work"
    from eval.genbit import corpus as module

    counted: list[int] = []
    original = module._count_piece

    def stop_at_three(piece: Any, options: Any) -> Any:
        if piece.number == 3 and counted.count(3) == 0:
            counted.append(3)
            raise KeyboardInterrupt
        counted.append(piece.number)
        return original(piece, options)

    monkeypatch.setattr(module, "_count_piece", stop_at_three)
    with pytest.raises(KeyboardInterrupt):
        count_files([corpus], options, output=work)
    assert count_files([corpus], options, output=work).counts == expected()
    assert counted == [0, 1, 2, 3, 3, 4, 5]
    assert count_files([corpus], options, output=work).counts == expected()
    assert len(counted) == 7


def test_parts_of_another_corpus_are_not_continued(corpus: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    count_files([corpus], CountingOptions(LEXICON), output=work)
    with pytest.raises(ResumeError, match="window: was 30, is 5"):
        count_files([corpus], CountingOptions(LEXICON, window=5), output=work)
    corpus.write_text("She sings\n", encoding="utf-8")
    with pytest.raises(ResumeError, match="input 1"):
        count_files([corpus], CountingOptions(LEXICON), output=work)
    assert count_files([corpus], CountingOptions(LEXICON), output=work, fresh=True).counts.documents == 1


def test_records_that_cannot_be_read_are_left_out_and_listed(tmp_path: Path) -> None:
    text, lines = tmp_path / "x.txt", tmp_path / "y.jsonl"
    text.write_bytes(b"She sings\n\xff\xfe\nHe drives\n")
    lines.write_text('{"text": "She sings"}\n{"text": 3}\nno\n', encoding="utf-8")
    counted = count_files([text, lines], CountingOptions(LEXICON), output=tmp_path / "work")
    assert counted.counts.documents == 3
    assert [(reject.file, reject.line) for reject in counted.rejects] == [("x.txt", 2), ("y.jsonl", 2), ("y.jsonl", 3)]
    assert count_files([text, lines], CountingOptions(LEXICON), output=tmp_path / "work") == counted


def test_files_that_are_missing_or_empty(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.txt"):
        count_files([tmp_path / "none.txt"], CountingOptions(LEXICON))
    with pytest.raises(UsageError, match="no input files"):
        count_files([], CountingOptions(LEXICON))
    (tmp_path / "empty.txt").touch()
    assert count_files([tmp_path / "empty.txt"], CountingOptions(LEXICON)).counts.documents == 0


@pytest.mark.slow
def test_ray_counts_the_same(corpus: Path) -> None:
    pytest.importorskip("ray")
    options = CountingOptions(LEXICON, processes=2, shard_lines=5, engine="ray")
    assert count_files([corpus], options).counts == expected()


# Comparison


def two(units: int = 40) -> tuple[Counts, Counts]:
    """The same sentences, in which jobs belong to a gender, and in which every second one is swapped."""
    jobs = ["{} cooks dinner", "{} repairs the engine", "{} sings in the choir", "{} drives a lorry"]
    before = [job.format("she" if number % 2 else "he") for _ in range(20) for number, job in enumerate(jobs)]
    after = [
        job.format("she" if (number + turn) % 2 else "he") for turn in range(20) for number, job in enumerate(jobs)
    ]
    return expected(before, units), expected(after, units)


def test_a_balanced_corpus_differs_from_a_leaning_one() -> None:
    before, after = two()
    found = compare(before, after, LEXICON, Settings(percentile_cutoff=0), resampling=Resampling(samples=200))
    assert found.paired
    assert found.before.score > 1 > 0.01 > found.after.score
    assert found.difference == pytest.approx(found.after.score - found.before.score)
    assert found.interval.low <= found.difference <= found.interval.high < 0
    assert found.before_interval.low <= found.before.score <= found.before_interval.high
    again = compare(before, after, LEXICON, Settings(percentile_cutoff=0), resampling=Resampling(samples=200))
    assert again.to_dict() == found.to_dict()


def test_a_corpus_does_not_differ_from_itself() -> None:
    before, _ = two()
    found = compare(before, before, LEXICON, resampling=Resampling(samples=20))
    assert (found.difference, found.interval.low, found.interval.high) == (0, 0, 0)
    apart = compare(before, before, LEXICON, resampling=Resampling(samples=50), paired=False)
    assert apart.interval.low < 0 < apart.interval.high


def test_resampled_scores_are_those_of_counting_again() -> None:
    """A resampled corpus is counted here as text: units are single documents, drawn twice, once or not at all."""
    import numpy as np

    from eval.genbit.compare import _Units
    from eval.genbit.metrics import evaluate

    counts = expected(TEXTS, units=len(TEXTS))
    weights = np.array([2, 1, 0, 1, 3, 0, 1])
    drawn = [text for number, text in enumerate(TEXTS, 1) for _ in range(weights[number % len(TEXTS)])]
    settings = Settings(percentile_cutoff=50)
    result = evaluate(expected(drawn), LEXICON, settings)
    score = _Units(evaluate(counts, LEXICON, settings)).score(weights)
    # The number of different words stays that of the whole corpus, so denominators differ by what was not drawn.
    assert score == pytest.approx(result.score, rel=0.2)
    assert _Units(result_of_all := evaluate(counts, LEXICON, settings)).score(np.ones(7, int)) == pytest.approx(
        result_of_all.score, rel=1e-12
    )


def test_what_cannot_be_compared() -> None:
    before, after = two()
    with pytest.raises(UsageError, match="count with units"):
        compare(expected(), expected(), LEXICON)
    with pytest.raises(UsageError, match="not 40 and 3"):
        compare(before, expected(units=3), LEXICON)
    with pytest.raises(UsageError, match="not parallel"):
        compare(before, expected(units=40), LEXICON, paired=True)
    with pytest.raises(MetricError, match="cannot be resampled"):
        compare(expected(["she sings"], 40), after, LEXICON)


# Reports


def test_table_of_the_words_that_lean_most() -> None:
    metrics = GenBitMetrics("en", percentile_cutoff=0)
    metrics.add_data(["She sings", "She sings", "He drives", "He drives", "He cooks", "She cooks"])
    table = leaning_table(metrics.evaluate(), "female", 5)
    assert [row[0] for row in table.rows] == ["sings"]
    assert table.rows[0][1:4] == ["2", "2.9", "1.0"]


def test_page_escapes_and_holds_no_script(tmp_path: Path) -> None:
    metrics = GenBitMetrics("en", percentile_cutoff=0)
    metrics.add_data([["She", "<b>sings</b>"], ["He", "<script>"]], tokenized=True)
    write_page(tmp_path / "x.html", [metrics.evaluate()], None, 10)
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;sings&lt;/b&gt;" in page and "<script" not in page and "http" not in page


def test_table_of_all_words(tmp_path: Path, corpus: Path) -> None:
    metrics = GenBitMetrics("en", percentile_cutoff=0)
    metrics.add_data(TEXTS)
    assert write_words(tmp_path / "x.tsv", metrics.evaluate()) == len(metrics.get_metrics()["token_based_metrics"])
    lines = (tmp_path / "x.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("word\tfrequency\tfemale_count")


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_plot(tmp_path: Path, ending: str) -> None:
    pytest.importorskip("matplotlib")
    metrics = GenBitMetrics("en", percentile_cutoff=0)
    metrics.add_data([*TEXTS, "He paid $5$"])
    write_plot(tmp_path / f"x.{ending}", [metrics.evaluate(), metrics.evaluate()])
    assert (tmp_path / f"x.{ending}").stat().st_size > 1000
    with pytest.raises(UsageError, match=r"\.png, \.svg, \.pdf"):
        write_plot(tmp_path / "x.bmp", [metrics.evaluate()])


def test_a_plot_of_words_that_stand_near_no_gendered_word(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    metrics = GenBitMetrics("en", percentile_cutoff=0)
    metrics.add_data(["She sings.", "Rain fell on the roof."])
    few = GenBitMetrics("en", percentile_cutoff=0)
    few.add_data(["He", "Rain fell."])
    write_plot(tmp_path / "x.svg", [metrics.evaluate(), few.evaluate()])
    assert (tmp_path / "x.svg").stat().st_size > 1000


# The command


def test_command_prints_the_report(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "genbit", str(corpus), "--percentile", "0", "--top", "3"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("GenBiT score ")
    assert "28 documents, 136 tokens" in out
    assert "leaning female" in out and "genbit|lang:en|window:30|weight:0.95|percentile:80".replace("80", "0") in out


def test_command_adds_saved_counts(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, both = str(tmp_path / "yesterday.npz"), tmp_path / "both.npz"
    assert main(["eval", "genbit", str(corpus), "--window", "7", "--save", saved, "--json"]) == 0
    capsys.readouterr()
    assert main(["eval", "genbit", str(corpus), "--add", saved, "--save", str(both), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert Counts.load(both).documents == 56
    assert "documents:56" in found["signature"] and "window:7" in found["signature"]
    assert main(["eval", "genbit", saved]) == 0


def test_command_compares(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    after = tmp_path / "after.txt"
    after.write_text(corpus.read_text(encoding="utf-8").replace("She", "He"), encoding="utf-8")
    command = ["eval", "genbit", str(corpus), "--against", str(after), "--bootstrap", "20", "--percentile", "0"]
    assert main([*command, "--json", "--html", str(tmp_path / "x.html")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["comparison"]["paired"] is True
    assert found["comparison"]["difference"] == pytest.approx(
        found["after"]["genbit_score"] - found["before"]["genbit_score"]
    )
    assert "Before" in (tmp_path / "x.html").read_text(encoding="utf-8")
    assert main(command) == 0
    assert "difference" in capsys.readouterr().out


def test_command_says_what_was_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"She sings\n\xff\nHe drives\n")
    assert main(["eval", "genbit", str(path)]) == 3
    assert "x.txt:2: left out: not UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name the files"),
        (["{corpus}", "--lang", "nl"], "no GenBiT word lists"),
        (["{corpus}", "--stop-words", "x"], "goes with --lexicon"),
        (["{corpus}", "--window", "0"], "context window"),
        (["{corpus}", "--lemmas", "spacy:no_such_pipeline"], "no spaCy pipeline"),
        (["{corpus}", "--plot", "x.bmp"], "a plot is a file"),
        (["-", "--processes", "2"], "standard input"),
    ],
)
def test_wrong_usage(corpus: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "genbit", *(a.format(corpus=corpus) for a in arguments)]) == 2
    assert message in capsys.readouterr().err


def test_grammatical_gender_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.txt"
    path.write_text("Die Lehrerin lacht\nDer Lehrer lacht\n", encoding="utf-8")
    assert main(["eval", "genbit", str(path), "--lang", "de"]) == 0
    assert "forms of a word are not merged" in capsys.readouterr().out
