"""Text columns of ``datasets`` data sets, read at once or as a stream."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from rewriter import Rewriter
from rewriter.errors import UsageError
from rewriter.policy import Policy

datasets = pytest.importorskip("datasets")

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"
#: the tiny model is sure of these, because the grammar alone decides them
TEXTS = ["Then she said so.", None, "It rains.", "So he left."]
FAIR = ["Then they said so.", None, "It rains.", "So they left."]


@pytest.fixture(scope="module")
def rewriter() -> Rewriter:
    return Rewriter.from_pretrained(TINY)


def small() -> Any:
    features = datasets.Features({
        "text": datasets.Value("large_string"),
        "number": datasets.Value("int8"),
        "label": datasets.ClassLabel(names=["no", "yes"]),
    })  # fmt: skip
    return datasets.Dataset.from_dict({"text": TEXTS, "number": [1, 2, 3, 4], "label": [0, 1, 1, 0]}, features=features)


@pytest.mark.parametrize("batch_size", [1, 3, 1000])
def test_other_columns_types_and_missing_texts_stay(rewriter: Rewriter, batch_size: int) -> None:
    rewritten = rewriter.rewrite_dataset(small(), batch_size=batch_size)
    assert rewritten["text"][:] == FAIR
    assert rewritten["number"][:] == [1, 2, 3, 4]
    assert rewritten.features == small().features


def test_a_stream_stays_a_stream(rewriter: Rewriter) -> None:
    stream = rewriter.rewrite_dataset(small().to_iterable_dataset(), batch_size=2)
    assert isinstance(stream, datasets.IterableDataset)
    assert [row["text"] for row in stream] == FAIR
    assert stream.features == small().features


def test_a_stream_is_read_as_it_is_asked_for(rewriter: Rewriter) -> None:
    taken = []

    def rows() -> Any:
        for text in TEXTS:
            taken.append(text)
            yield {"text": text}

    stream = rewriter.rewrite_dataset(datasets.IterableDataset.from_generator(rows), batch_size=2)
    assert taken == []
    assert next(iter(stream)) == {"text": FAIR[0]}
    assert len(taken) <= 3


def test_every_split(rewriter: Rewriter) -> None:
    both = datasets.DatasetDict({"train": small(), "test": small().select([0])})
    rewritten = rewriter.rewrite_dataset(both)
    assert isinstance(rewritten, datasets.DatasetDict)
    assert rewritten["train"]["text"][:] == FAIR and rewritten["test"]["text"][:] == FAIR[:1]


def test_two_processes(rewriter: Rewriter) -> None:
    rewriter.rewrite("Then she said so.")  # a process that is forked now inherits a model without its threads
    assert rewriter.rewrite_dataset(small(), num_proc=2)["text"][:] == FAIR


@pytest.mark.parametrize(
    ("row", "column", "expected"),
    [
        ({"meta": {"body": "Then she said so.", "by": "she"}}, "meta.body",
         {"meta": {"body": "Then they said so.", "by": "she"}}),
        ({"turns": [{"who": "he", "text": "So he left."}, {"who": "she", "text": None}]}, "turns.*.text",
         {"turns": [{"who": "he", "text": "So they left."}, {"who": "she", "text": None}]}),
        ({"lines": ["Then she said so.", "It rains."]}, "lines", {"lines": ["Then they said so.", "It rains."]}),
        ({"a.b": "Then she said so."}, "a.b", {"a.b": "Then they said so."}),
        ({"a": "Then she said so.", "b": "So he left."}, ["a", "b"],
         {"a": "Then they said so.", "b": "So they left."}),
        ({"x": {"a": "Then she said so.", "b": "So he left."}}, ["x.a", "x.b"],
         {"x": {"a": "Then they said so.", "b": "So they left."}}),
    ],
)  # fmt: skip
def test_nested_and_several_columns(
    rewriter: Rewriter, row: dict[str, Any], column: Any, expected: dict[str, Any]
) -> None:
    dataset = datasets.Dataset.from_list([row, row])
    rewritten = rewriter.rewrite_dataset(dataset, column=column)
    assert rewritten[:2] == datasets.Dataset.from_list([expected, expected])[:2]
    assert rewritten.features == dataset.features
    stream = rewriter.rewrite_dataset(dataset.to_iterable_dataset(), column=column)
    assert list(stream) == [expected, expected]


@pytest.mark.parametrize("is_stream", [False, True])
def test_edits_in_a_column_of_their_own(rewriter: Rewriter, is_stream: bool) -> None:
    dataset = small().to_iterable_dataset() if is_stream else small()
    rows = list(rewriter.rewrite_dataset(dataset, edits="edits"))
    assert [row["text"] for row in rows] == FAIR
    assert [row["edits"] and len(row["edits"]) for row in rows] == [1, None, [], 1]
    edit = rows[0]["edits"][0]
    assert (edit["start"], edit["end"], edit["before"], edit["after"], edit["kind"]) == (5, 8, "she", "they", "pronoun")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"column": "body"}, "no column 'body'; its columns: text, number, label"),
        ({"column": "number"}, "column 'number' holds int, not text"),
        ({"column": "text.body"}, "there is no 'body' in a row"),
        ({"edits": "number"}, "has a column 'number' already"),
        ({"column": ["text", "number"], "edits": "edits"}, "one text per row"),
    ],
)
def test_what_does_not_fit_is_named(rewriter: Rewriter, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        rewriter.rewrite_dataset(small(), **options)


def cached(rewriter: Rewriter, folder: Path, **options: Any) -> str:
    """Return the file that holds the rewritten form of a data set on disk."""
    files = rewriter.rewrite_dataset(datasets.load_from_disk(folder), **options).cache_files
    return str(files[0]["filename"])


def test_what_was_computed_is_found_again_and_nothing_else(rewriter: Rewriter, tmp_path: Path) -> None:
    small().save_to_disk(tmp_path / "data")
    first = cached(rewriter, tmp_path / "data")
    written = Path(first).stat().st_mtime_ns
    rewriter.rewrite("So he left.")  # what a rewriter remembers is no part of what it is
    assert cached(rewriter, tmp_path / "data") == first
    assert cached(Rewriter.from_pretrained(TINY), tmp_path / "data") == first
    assert Path(first).stat().st_mtime_ns == written
    others = [
        cached(Rewriter.from_pretrained(TINY, policy=Policy(deny=("she",))), tmp_path / "data"),
        cached(Rewriter.from_pretrained(TINY, reflexive="themselves"), tmp_path / "data"),
        cached(Rewriter.from_pretrained(TINY, guard="off"), tmp_path / "data"),
        cached(rewriter, tmp_path / "data", edits="edits"),
    ]
    assert len({first, *others}) == 5


def test_what_changed_under_the_same_name_is_computed_anew(tmp_path: Path) -> None:
    small().save_to_disk(tmp_path / "data")
    nouns = tmp_path / "nouns.tsv"
    nouns.write_text("gendered\tfair\nbossman\tboss\n")
    first = cached(Rewriter.from_pretrained(TINY, lexicon=str(nouns)), tmp_path / "data")
    nouns.write_text("gendered\tfair\nbossman\tchief\n")
    assert cached(Rewriter.from_pretrained(TINY, lexicon=str(nouns)), tmp_path / "data") != first

    model = tmp_path / "model"
    shutil.copytree(TINY, model)
    first = cached(Rewriter.from_pretrained(model), tmp_path / "data")
    info = (model / "rewriter.json").read_text()
    (model / "rewriter.json").write_text(info.replace('"lexicon_version": "', '"lexicon_version": "x'))
    assert cached(Rewriter.from_pretrained(model), tmp_path / "data") != first
