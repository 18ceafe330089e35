"""Methods of counting against labels by hand: the published table 7 from its counts, drawing, the commands."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from augment.balance import load_metadata
from augment.balance.forms import Forms
from augment.balance.judge import BySimilarity, NameTable
from augment.balance.relations import (
    Confusion,
    draw_relations,
    find_relations,
    judge_relations,
    method_table,
    read_relations,
    term_table,
    write_relations,
)
from rewriter.cli.main import main
from rewriter.errors import InputError, UsageError

TEXT = [
    "The firefighter said that he was late.",
    "He thanked the firefighter, and she left.",
    "The nurse met his brother and said that she was glad.",
]


def relations() -> list:
    metadata = load_metadata("professions")
    return list(find_relations(TEXT, Forms(metadata), metadata))


@pytest.mark.parametrize(
    ("confusion", "published"),
    [
        (Confusion(72, 112, 0, 0), (0.391304, 1.0, 0.5625, 0.391304)),
        (Confusion(69, 107, 3, 5), (0.392045, 0.958333, 0.556452, 0.402174)),
        (Confusion(61, 81, 11, 31), (0.429577, 0.847222, 0.570093, 0.5)),
        (Confusion(37, 28, 35, 84), (0.569231, 0.513889, 0.540146, 0.657609)),
        (Confusion(20, 3, 52, 109), (0.869565, 0.277778, 0.421053, 0.701087)),
        (Confusion(46, 5, 26, 107), (0.901961, 0.638889, 0.747967, 0.831522)),
    ],
    ids=["word existing", "similarity 0.7", "0.75", "0.8", "0.85", "dependency"],
)
def test_figures_are_those_of_table_7(confusion: Confusion, published: tuple[float, ...]) -> None:
    """Becker 2022, table 7: of its 184 relations 72 are valid; the counts follow from the figures."""
    found = (confusion.precision, confusion.recall, confusion.f1, confusion.accuracy)
    assert found == pytest.approx(published, abs=1e-6)


def test_labels_that_do_not_matter_are_left_out() -> None:
    labels, counted = ["y", "n", "-", "", "y", "n"], [True, True, True, True, False, False]
    assert Confusion.of(labels, counted) == Confusion(1, 1, 1, 1)
    assert np.isnan(Confusion.of(["-"], [True]).precision)


def test_every_identifier_stands_with_every_term_of_its_sentence() -> None:
    found = [(one.term, one.category, one.sentence[slice(*one.identifier)]) for one in relations()]
    assert found == [
        ("firefighter", "male", "he"), ("firefighter", "male", "He"), ("firefighter", "female", "she"),
        ("nurse", "male", "brother"), ("nurse", "female", "she"),
    ]  # fmt: skip


def test_some_of_each_term_and_category_are_drawn() -> None:
    drawn = draw_relations(relations(), 1, 3)
    assert [(one.term, one.category) for one in drawn] == [
        ("firefighter", "female"), ("firefighter", "male"), ("nurse", "female"), ("nurse", "male")
    ]  # fmt: skip
    assert drawn == draw_relations(relations(), 1, 3) and len(draw_relations(relations(), 9, 3)) == 5


def test_similarity_judges_single_relations() -> None:
    metadata = load_metadata("professions")
    vectors = {"he": np.array([1, 0.0]), "she": np.array([0, 1.0]), "firefighter": np.array([1, 0.2])}
    judge = BySimilarity(vectors, Forms(metadata), metadata, threshold=0.95)  # type: ignore[arg-type]
    first = relations()[0]
    assert judge.related("He: a firefighter.", (0, 2), (6, 17)) and not judge.related("x", (0, 1), (2, 3))
    table = judge_relations([first], metadata, similar={0.95: judge})
    assert list(table) == ["word-existing", "similarity 0.95"] and table["word-existing"] == [True]


def test_the_table_of_methods_and_terms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text.txt").write_text("\n".join(TEXT) + "\n")
    path = tmp_path / "relations.tsv"
    assert main(["balance", "draw", str(tmp_path / "text.txt"), "-o", str(path), "--each", "9"]) == 0
    drawn = read_relations(path)
    assert sorted(drawn, key=str) == sorted(relations(), key=str)
    with pytest.raises(UsageError, match="fill the column 'label'"):
        method_table(drawn, judge_relations(drawn, load_metadata("professions")))
    rows = path.read_text().splitlines()
    marked = [row.replace("\t\t", "\ty\t" if "was" in row.split("\t")[-1] else "\tn\t") for row in rows]
    path.write_text("\n".join(marked) + "\n")
    assert main(["balance", "score", str(path), "--json"]) == 0
    methods, terms = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert methods == [
        {"method": "word-existing", "counted": "5", "precision": "0.600", "recall": "1.000", "F1": "0.750",
         "accuracy": "0.600"}
    ]  # fmt: skip
    by_term = {(row["term"], row["category"]): (row["meant"], row["precision"]) for row in terms}
    assert by_term["firefighter", "female"] == ("0", "0.00") and by_term["nurse", "female"] == ("1", "1.00")
    assert main(["balance", "score", str(path), "--terms", "dependency"]) == 2
    counts = str(tmp_path / "counts")
    assert main(["balance", "count", str(tmp_path / "text.txt"), "-o", counts]) == 0
    given = ["balance", "select", counts, "-o", str(tmp_path / "out"), "--preset", "becker-2022", "--json"]
    capsys.readouterr()
    assert main([*given, "--labelled", str(path)]) == 0
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (report["mode"], report["order"], report["method"]) == ("add", "random", "as-published")
    assert report["meant"] == terms
    assert term_table([], []).rows == []


def test_a_malformed_table_is_named(tmp_path: Path) -> None:
    path = tmp_path / "relations.tsv"
    write_relations(path, relations())
    for old, new, message in (
        ("term\t", "name\t", ":1: the columns are"),
        ("\t26\t", "\tx\t", ":2: 8 cells expected, four of them numbers"),
        ("\t\tThe fire", "\tyes\tThe fire", ":2: the label is y, n, - or empty, not 'yes'"),
    ):
        path.write_text(path.read_text().replace(old, new, 1))
        with pytest.raises(InputError, match=message):
            read_relations(path)
        write_relations(path, relations())


def test_the_paths_of_the_thesis_are_there() -> None:
    """Becker 2022, appendix 8.1: 57 paths; the first, one that the text breaks, and the last."""
    found = load_metadata("professions_paths")
    assert len(found.allowed) == 57 and found.scheme == "clear"
    assert {("_compound", "appos"), ("relcl", "dobj", "prep", "pobj", "prep", "pobj"), ("_nsubj", "attr", "conj")} <= (
        found.allowed
    )
    assert found.terms == load_metadata("professions").terms


@pytest.mark.parametrize(
    ("text", "strict", "lenient"),
    [
        ("We asked Sarah.", 1, 1),
        ("In April we met.", 0, 1),
        ("They saw May and Grace.", 0, 2),
        ("Then Will left.", 0, 1),
        ("Will they come? May they?", 0, 0),
        ("The flat of Mark is small.", 0, 1),
    ],
)
def test_names_that_are_words_do_not_count(text: str, strict: int, lenient: int) -> None:
    assert sum(NameTable(("male", "female")).count(text)) == strict
    assert sum(NameTable(("male", "female"), words=True).count(text)) == lenient
