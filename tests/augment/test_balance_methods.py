"""The methods that look at how identifier and neutral word stand together: dependency paths, word vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from augment.balance.count import Counter, CountOptions
from augment.balance.forms import Forms
from augment.balance.judge import ByDependency, BySimilarity, PathFinder, read_vectors, shortest_path
from augment.balance.metadata import Metadata, parse_metadata
from augment.balance.paths import PathRow, collect_paths, keep_labels, label_rows, read_rows, write_metadata, write_rows
from augment.dependency import Parser
from rewriter.errors import InputError, RecipeError

#: word, head (from 0), label of spaCy's English pipelines; invented after Figure 6 of Becker 2022
FIGURE_6 = [
    ("Till", 1, "mark"),
    ("is", 1, "ROOT"),
    ("a", 3, "det"),
    ("firefighter", 1, "attr"),
    ("and", 1, "cc"),
    ("his", 6, "poss"),
    ("mom", 7, "nsubj"),
    ("dines", 1, "conj"),
]
SENTENCE = " ".join(word for word, _, _ in FIGURE_6)


class FakePipeline:
    """Gives sentences the parse above."""

    def __init__(self) -> None:
        self.spacy = pytest.importorskip("spacy")
        self.vocab = self.spacy.blank("en").vocab

    def __call__(self, text: str) -> Any:
        words, heads, labels = zip(*FIGURE_6, strict=True)
        assert text == SENTENCE
        return self.spacy.tokens.Doc(self.vocab, words=words, heads=heads, deps=labels)

    def pipe(self, pairs: Any, **options: Any) -> Any:
        return ((self(text), context) for text, context in pairs)


def metadata_of(allowed: list[list[str]], scheme: str = "clear") -> Metadata:
    data = {
        "category_words": [["firefighter", "", ""], ["nurse", "", ""]],
        "category_identifier": [["Till", "he"], ["mom", "she"]],
        "category_name": ["male", "female"],
        "allowed_depend": allowed,
        "depend_scheme": scheme,
    }
    return parse_metadata(json.dumps(data))


def finder_of(metadata: Metadata) -> PathFinder:
    return PathFinder(Parser(FakePipeline(), "clear", "fake"), Forms(metadata))


def test_the_shortest_path_of_the_source() -> None:
    doc = FakePipeline()(SENTENCE)
    assert shortest_path(doc[0], doc[3]) == ("_mark", "attr")
    assert shortest_path(doc[6], doc[3]) == ("_nsubj", "_conj", "attr")
    assert shortest_path(doc[3], doc[0]) == ("_attr", "mark")
    assert shortest_path(doc[1], doc[3]) == ("attr",)


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        ([["_mark", "attr"]], {0: [1, 0]}),
        ([["_nsubj", "_conj", "attr"]], {0: [0, 1]}),
        ([["_mark", "attr"], ["_nsubj", "_conj", "attr"]], {0: [1, 1]}),
        ([["appos"]], {}),
    ],
)
def test_only_allowed_paths_count(allowed: list[list[str]], expected: dict[int, list[int]]) -> None:
    metadata = metadata_of(allowed)
    finder = finder_of(metadata)
    hits = finder.forms.scan([SENTENCE])
    assert ByDependency(finder, metadata).count([SENTENCE], hits) == [expected]


def test_paths_of_another_scheme_are_refused() -> None:
    metadata = metadata_of([["_nsubj"]], "universal-dependencies")
    with pytest.raises(RecipeError, match="'universal-dependencies', and the pipeline 'fake' has 'clear'"):
        ByDependency(finder_of(metadata), metadata)


def test_paths_are_listed_labelled_and_kept(tmp_path: Path) -> None:
    metadata = metadata_of([["appos"]])
    rows = collect_paths(finder_of(metadata), [SENTENCE, SENTENCE])
    assert [(row.path, row.count) for row in rows] == [(("_mark", "attr"), 2), (("_nsubj", "_conj", "attr"), 2)]
    assert rows[0].examples[0].startswith("[Till] is a [firefighter]")
    table = tmp_path / "paths.tsv"
    write_rows(table, rows)
    answers = iter(["y", "q"])
    asked: list[str] = []

    def ask(row: PathRow, share: str) -> str:
        asked.append(share)
        return next(answers)

    assert label_rows(table, ask) == 1
    assert asked == ["0 %", "50 %"]
    kept = keep_labels([PathRow(("appos",), 9)], read_rows(table))
    assert [(row.path, row.count, row.label) for row in kept] == [(("appos",), 9, ""), (("_mark", "attr"), 0, "y")]
    assert write_metadata(tmp_path / "m.json", metadata, kept, "clear") == 1
    again = parse_metadata((tmp_path / "m.json").read_text())
    assert again.allowed == {("_mark", "attr")}
    assert again.terms == metadata.terms


def test_a_malformed_list_is_named(tmp_path: Path) -> None:
    table = tmp_path / "paths.tsv"
    table.write_text("path\tcount\tlabel\texamples\n_nsubj\t3\tmaybe\tx\n")
    with pytest.raises(InputError, match=r"paths\.tsv:2: expected path"):
        read_rows(table)


def test_similar_contexts_count(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("6 2\nhe 1 0\nnurse 1 0\nis 1 0\na 1 0\ntable 0 1\nchair 0 1\n")
    metadata = metadata_of([["appos"]])
    forms = Forms(metadata)
    judge = BySimilarity(read_vectors(path), forms, metadata, 0.8)
    texts = ["he is a nurse", "table chair table chair table chair he nurse"]
    assert judge.count(texts, forms.scan(texts)) == [{1: [1, 0]}, {}]
    options = CountOptions(method="similarity", vectors=str(path))
    assert Counter(metadata, options).count(["He is a nurse. Table chair table chair, he, nurse, table."]) == [
        (0, {1: [1, 0]})
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [("a 1 2\nb 1\n", r"v\.txt:2: a word and 2 numbers"), ("a 1 x\n", r"v\.txt:1"), ("", "no vectors")],
)
def test_malformed_vectors_are_named(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_vectors(path)
