"""A record on which making or balancing data fails is left out or written unchanged, and listed; the others are not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

from augment.apply import apply_rules_to_file
from augment.balance.corpus_count import count_corpus
from augment.balance.count import Counter
from augment.balance.metadata import load_metadata
from augment.balance.reading import Corpus
from augment.generate import GenerateConfig, Worker, generate
from augment.round_trip.find import FindConfig, find_fair
from augment.round_trip.merge import MergeConfig, merge_round_trips
from augment.round_trip.normalise import normalise_file
from augment.round_trip.rules import get_rules
from augment.select import LineSentence
from augment.swap import Swapper
from rewriter.cli.main import main
from rewriter.errors import TextError
from rewriter.io.files import read_lines, read_pairs
from rewriter.language.interface import get_language
from rewriter.runs.shards import Shard, ShardContext, parts

MARK = "Kaboom"
TEXT = ["The nurse said that she was tired.", f"{MARK} said that he was tired.", "The engineer lost his bag."]


class PlantedError(Exception):
    pass


def fails_on_mark(function: Any) -> Any:
    """Return a function that fails where a text (the first, or the only argument that holds one) is marked."""

    def wrapped(*given: Any, **options: Any) -> Any:
        if any(MARK in part for value in given for part in texts_in(value)):
            raise PlantedError("planted")
        return function(*given, **options)

    return wrapped


def texts_in(value: Any) -> Sequence[str]:
    if isinstance(value, str):
        return [value]
    return [part for part in value if isinstance(part, str)] if isinstance(value, list | tuple) else []


def rejects_of(folder: Path) -> list[tuple[int, str]]:
    """Return line and reason of the rejects of a run, after a look at the traces beside them."""
    rejects = [json.loads(line) for line in read_lines(folder / "rejects.jsonl")]
    traces = [json.loads(line) for line in read_lines(folder / "debug.jsonl")]
    assert [trace["line"] for trace in traces] == [reject["line"] for reject in rejects]
    assert all("Traceback" in trace["trace"] and set(reject) == {"file", "line", "reason"}
               for trace, reject in zip(traces, rejects, strict=True))  # fmt: skip
    return [(reject["line"], reject["reason"].split(" (")[0]) for reject in rejects]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_text("".join(f"{line}\n" for line in TEXT))
    return path


# making pairs


def test_cutting_lines_into_sentences(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    language = type(get_language("en"))
    corpus.write_text(f"It rained all day.\n{MARK} was all one heard.\nNobody saw the parade.\n")
    monkeypatch.setattr(language, "segment", fails_on_mark(language.segment))
    config = GenerateConfig("neutral", [str(corpus)], sentences=100)
    manifest = generate(config, output=tmp_path / "out")
    assert rejects_of(tmp_path / "out") == [(2, "PlantedError: planted")]
    assert manifest.counts["rejected"] == 1
    made = [pair.target for path in parts(tmp_path / "out") for pair in read_pairs(path)]
    assert made == ["It rained all day.", "Nobody saw the parade."]


@pytest.fixture
def context() -> ShardContext:
    return ShardContext(Shard(0, "a.txt", 1, 3, 0), numpy.random.default_rng(1))


def test_the_random_numbers_of_others_do_not_tell_of_a_failing_record(context: ShardContext) -> None:
    def draws(rng: numpy.random.Generator) -> None:
        rng.integers(9)
        raise PlantedError("planted")

    assert context.attempt(7, draws, context.rng) is None
    assert context.rng.integers(1000) == numpy.random.default_rng(1).integers(1000)
    assert [reject.line for reject in context.rejects] == [7]


def test_parsing(context: ShardContext) -> None:
    parse: Any = fails_on_mark(lambda texts: [text.upper() for text in texts])
    sentences = [LineSentence(text, line) for line, text in enumerate(TEXT, 1)]
    assert list(Worker._parsed(sentences, parse, context)) == [TEXT[0].upper(), None, TEXT[2].upper()]
    assert [(reject.line, reject.reason.split(" (")[0]) for reject in context.rejects] == [(2, "PlantedError: planted")]


FAIR = ["Die Lehrer*in kommt heute.", f"Die Lehrer*in ruft {MARK} heute.", "Ein*e Schüler*in singt laut."]


def test_finding_and_normalising(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.write_text("".join(f"{line}\n" for line in FAIR))
    rules = type(get_rules("de"))
    monkeypatch.setattr(rules, "read", fails_on_mark(rules.read))
    find_fair(FindConfig([str(corpus)]), output=tmp_path / "found")
    assert rejects_of(tmp_path / "found") == [(2, "PlantedError: planted")]
    pairs = [pair for path in parts(tmp_path / "found") for pair in read_pairs(path)]
    assert [pair.source for pair in pairs] == [FAIR[0], FAIR[2]]

    report = normalise_file(corpus, tmp_path / "colon.txt", form="colon")
    assert (tmp_path / "colon.txt").read_text().splitlines() == [
        FAIR[0].replace("*", ":"), FAIR[1], FAIR[2].replace("*", ":")
    ]  # fmt: skip
    assert [reject.line for reject in report.rejects] == [2]
    assert main(["augment", "normalise", str(corpus), "-o", str(tmp_path / "again.txt"), "--form", "colon"]) == 3


def test_merging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from augment.round_trip import merge

    source = tmp_path / "trips.jsonl"
    source.write_text("".join(json.dumps({"source": "Der Lehrer kommt.", "target": text}) + "\n" for text in FAIR))
    monkeypatch.setattr(merge, "merge", fails_on_mark(merge.merge))
    merge_round_trips(MergeConfig([str(source)]), output=tmp_path / "merged")
    assert rejects_of(tmp_path / "merged") == [(2, "PlantedError: planted")]


def test_applying_rules(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules: Any = SimpleNamespace(forward=fails_on_mark(lambda text: SimpleNamespace(target=text.upper())))
    monkeypatch.setattr("augment.apply.languages.get", lambda lang: rules)
    parser: Any = SimpleNamespace(parse_all=list)
    rejects: list[Any] = []
    assert apply_rules_to_file(corpus, tmp_path / "out.txt", parser, rejects=rejects) == 3
    assert (tmp_path / "out.txt").read_text().splitlines() == [TEXT[0].upper(), TEXT[1], TEXT[2].upper()]
    assert [(reject.file, reject.line) for reject in rejects] == [("a.txt", 2)]
    with pytest.raises(PlantedError):
        apply_rules_to_file(corpus, tmp_path / "out.txt", parser)


# swapping


def test_swapping(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    swapper = Swapper("en")
    rules = type(swapper.language)
    whole = swapper.swap(TEXT)
    monkeypatch.setattr(rules, "plan", fails_on_mark(rules.plan))
    assert swapper.swap(TEXT, errors="keep") == [whole[0], TEXT[1], whole[2]]
    with pytest.raises(TextError, match=r"swap\(\): text 1 "):
        swapper.swap(TEXT)
    words = ["augment", "swap", str(corpus), "--strategy", "cda", "--processes", "1"]
    assert main([*words, "-o", str(tmp_path / "o.txt"), "--rejects", str(tmp_path / "r.jsonl")]) == 3
    assert (tmp_path / "o.txt").read_text().splitlines() == [TEXT[0], whole[0], TEXT[1], TEXT[2], whole[2]]
    assert [json.loads(line)["line"] for line in read_lines(tmp_path / "r.jsonl")] == [2]
    assert (tmp_path / "r.debug.jsonl").exists()
    capsys.readouterr()
    assert main(["augment", "swap", "--text", TEXT[1]]) == 3
    captured = capsys.readouterr()
    assert captured.out == f"{TEXT[1]}\n" and "PlantedError: planted" in captured.err


# balancing


def test_counting(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    metadata = load_metadata("professions", lang="en")
    sound = tmp_path / "b" / "a.txt"
    sound.parent.mkdir()
    sound.write_text(f"{TEXT[0]}\n\n{TEXT[2]}\n")
    expected = count_corpus(Corpus.find([sound]), metadata)
    monkeypatch.setattr(Counter, "count", fails_on_mark(Counter.count))
    result = count_corpus(Corpus.find([corpus]), metadata)
    assert result.statistics.totals().tolist() == expected.statistics.totals().tolist()
    assert [(reject.file, reject.line) for reject in result.rejects] == [("a.txt", 2)]
    for _ in range(2):  # the second call reads what stands there
        assert main(["balance", "count", str(corpus), "-o", str(tmp_path / "counts"), "--json"]) == 3
        assert "1 paragraphs were not counted" in capsys.readouterr().err
    assert rejects_of(tmp_path / "counts") == [(2, "PlantedError: planted")]
