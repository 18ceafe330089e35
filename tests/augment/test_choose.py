"""Choosing sentences for reading: by how sure a model is, by the rules' disagreement, by kind; what is never chosen."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from augment.reading.choose import ChooseConfig, Chosen, choose, disagreement, uncertainty
from augment.reading.sheet import read_sheet
from eval.reading.gold import load_gold, save_gold
from rewriter.cli.main import main
from rewriter.errors import UsageError
from rewriter.language.candidates import Analysis, Candidate
from rewriter.model.edit_model import EditModel, Reading, load_edit_model
from rewriter.model.proposer import Sentence
from rewriter.records import Edit

PERSONS = ["Die Lehrerin", "Der Koch", "Herr Weber", "Meine Ärztin", "Der Nachbar", "Die Malerin"]
VERBS = ["sucht ihren Schlüssel", "wartet, bis sie kommt", "kennt jeden Schüler hier", "trinkt langsam den Tee"]
FILES = {
    "general-a.txt": [f"{person} {verb}. Das ist alles." for person in PERSONS for verb in VERBS],
    "general-b.txt": [f"Gestern war es kalt, Satz {n}. Sie sah ihren Hund Nummer {n}." for n in range(20)],
    "sealed-c.txt": ["Sie sieht ihren Hund."],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name, lines in FILES.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def model() -> EditModel:
    return load_edit_model("de")


def config(data: Path, **options: object) -> ChooseConfig:
    return ChooseConfig([str(data / "general-*")], **options)  # type: ignore[arg-type]


def texts(chosen: list[Chosen]) -> list[str]:
    return [item.found.text for item in chosen]


def test_random_sentences_come_equally_from_all_files(data: Path) -> None:
    chosen = choose(config(data, by="random", size=12), data=data)
    assert Counter(item.found.gold.file for item in chosen) == {"general-a.txt": 6, "general-b.txt": 6}
    assert len(set(texts(chosen))) == 12
    assert {item.found.gold.draw for item in chosen} == {"random"}
    assert choose(config(data, by="random", size=12), data=data) == chosen
    assert texts(choose(config(data, by="random", size=12, seed=2), data=data)) != texts(chosen)


def test_the_most_uncertain_sentences_of_the_pool_are_taken(data: Path, model: EditModel) -> None:
    options = {"by": "uncertainty", "random_share": 0.0, "pool": 40}
    every = choose(config(data, size=40, **options), data=data, model=model)
    few = choose(config(data, size=2, **options), data=data, model=model)

    def margin(item: Chosen) -> float:
        return float(item.note.rpartition(" ")[2])

    for file in ("general-a.txt", "general-b.txt"):
        (one,) = [item for item in few if item.found.gold.file == file]
        assert margin(one) == min(margin(item) for item in every if item.found.gold.file == file)


def test_a_share_is_drawn_at_random(data: Path, model: EditModel) -> None:
    chosen = choose(config(data, by="uncertainty", size=10, random_share=0.4), data=data, model=model)
    assert Counter(item.found.gold.draw for item in chosen) == {"uncertainty": 6, "random": 4}
    assert len(set(texts(chosen))) == 10
    assert len({item.found.gold.id for item in chosen}) == 10


def test_by_kind_and_by_words(data: Path) -> None:
    possessives = choose(config(data, by="kind", kinds=["possessive"], size=8, random_share=0.0), data=data)
    assert possessives
    assert all(" ihren " in text or "Meine " in text for text in texts(possessives))
    every = choose(config(data, by="kind", words="jede[nr]", size=4, random_share=0.0), data=data)
    assert every
    assert all("jeden" in text for text in texts(every))


def test_held_out_lines_and_their_like_are_never_chosen(data: Path, model: EditModel) -> None:
    half = choose(config(data, by="random", size=30), data=data)
    save_gold(data / "open.jsonl", [item.found.gold for item in half])
    lines = {(item.found.gold.file, item.found.gold.line) for item in half}
    rest = choose(config(data, by="disagreement", size=30, hold_out=[str(data / "open.jsonl")]), data=data, model=model)
    assert rest
    assert lines.isdisjoint((item.found.gold.file, item.found.gold.line) for item in rest)
    assert set(texts(half)).isdisjoint(texts(rest))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "luck"}, "by must be one of disagreement, uncertainty, kind, random"),
        ({"by": "kind"}, "name kinds of candidates or a pattern of words"),
        ({"words": "("}, "is no regular expression"),
        ({"size": 0}, "size must be greater than 0"),
        ({"random_share": 2.0}, "random_share"),
    ],
)
def test_bad_options_are_told(options: dict[str, object], message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        config(tmp_path, **options)


def test_sealed_texts_texts_elsewhere_and_a_missing_model_are_refused(data: Path) -> None:
    with pytest.raises(UsageError, match="is sealed; nothing is chosen from it"):
        choose(ChooseConfig([str(data / "sealed-c.txt")], by="random"), data=data)
    with pytest.raises(UsageError, match="does not lie below the data folder"):
        choose(config(data, by="random"), data=data / "elsewhere")
    with pytest.raises(UsageError, match="to choose by uncertainty, name a model"):
        choose(config(data, by="uncertainty"), data=data)


# ---------------------------------------------------------------- scores


def reading(shares: list[float], *, edits: tuple[Edit, ...] = ()) -> Reading:
    options = ((0, "ihr"), (3, "ihm*ihr"), (4, "sein*ihr"))
    candidate = Candidate(0, 3, 0, "pronoun", options)
    return Reading(Analysis([], [candidate]), {0: shares}, list(edits))


def test_uncertainty_is_the_margin_of_the_two_likeliest() -> None:
    score, note = uncertainty("ihr", reading([0.5, 0.3, 0.2]), 0)
    assert score == pytest.approx(0.8)
    assert note == "ihr: margin 0.20"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (None, None),  # what stands there comes out: agreed
        ("ihm*ihr", (0.4, "ihr: network ihr, rules ihm*ihr")),
        ("sein*ihr", (0.5, "ihr: network ihr, rules sein*ihr")),
    ],
)
def test_disagreement_with_what_comes_out(after: str | None, expected: tuple[float, str] | None) -> None:
    edits = (Edit(0, 3, "ihr", after, "pronoun", ""),) if after else ()
    found = disagreement("ihr", reading([0.6, 0.2, 0.1], edits=edits), 0)
    assert found == (None if expected is None else (pytest.approx(expected[0]), expected[1]))


def test_a_model_reads_as_it_rewrites(model: EditModel) -> None:
    """The public readings are those behind the proposals: same edits, and shares that sum to one."""
    sentences = [Sentence("Die Lehrerin sucht ihren Hund."), Sentence("Es regnet."), Sentence("Sie kennt jeden Koch.")]
    read = model.read(sentences)
    assert [r.edits for r in read] == [proposal.edits for proposal in model.propose(sentences)]
    assert [sorted(r.shares) for r in read] == [r.analysis.open for r in read]
    assert all(sum(shares) == pytest.approx(1) for r in read for shares in r.shares.values())
    assert any(r.shares for r in read)


# ---------------------------------------------------------------- command


def test_the_loop_from_choosing_to_stored_answers(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, gold = data / "sheet.tsv", data / "gold.jsonl"
    words = ["augment", "choose", str(data / "general-a.txt"), "--data", str(data), "--model", "de", "--size", "6"]
    assert main([*words, "--by", "uncertainty", "-o", str(sheet)]) == 0
    rows = read_sheet(sheet)
    assert len(rows) == 6
    assert any("*" in row.target for row in rows)
    back = ["augment", "import-targets", str(sheet), "--data", str(data), "--reader", "model", "-o", str(gold)]
    assert main(back) == 0
    records = load_gold(gold)
    assert {record.place for record in records} == {row.gold.place for row in rows}
    # what a model proposes lies within the candidates
    assert not any(record.outside for record in records)
    again = ["augment", "choose", "--records", str(gold), "--data", str(data), "--lang", "de", "--blind"]
    assert main([*again, "-o", str(data / "second.jsonl")]) == 0
    assert [row.target for row in read_sheet(data / "second.jsonl")] == [""] * 6


def test_too_few_sentences_are_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["augment", "choose", str(data / "general-b.txt"), "--data", str(data), "--lang", "de", "--blind"]
    assert main([*words, "--by", "random", "--size", "500", "-o", str(data / "sheet.jsonl")]) == 0
    assert "sentences of 500 wanted; a larger --pool may hold more" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--model", "de", "-o", "x.jsonl"], "name the texts to choose from"),
        (["a.txt", "-o", "x.jsonl"], "name a model with --model"),
        (["a.txt", "--lang", "de", "-o", "x.jsonl"], "or pass --blind"),
        (["a.txt", "--model", "de", "-o", "x.doc"], "a sheet's name ends with"),
        (["--records", "sealed.jsonl", "--model", "de", "-o", "x.jsonl"], "sealed.jsonl is sealed"),
    ],
)
def test_calls_that_lack_something(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["augment", "choose", *words]) == UsageError.exit_code
    assert message in capsys.readouterr().err
