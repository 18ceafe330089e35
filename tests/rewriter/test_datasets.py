"""A text column of a ``datasets`` data set, read at once or as a stream."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rewriter import Rewriter
from rewriter.errors import UsageError

ROWS = {"text": ["She knows it.", None, "It rains."], "number": [1, 2, 3]}
FAIR = ["They know it.", None, "It rains."]


@pytest.fixture(scope="module")
def rewriter() -> Iterator[Rewriter]:
    pytest.importorskip("datasets")
    yield Rewriter.from_pretrained("en")


def test_other_columns_and_missing_texts_stay(rewriter: Rewriter) -> None:
    from datasets import Dataset

    rewritten = rewriter.rewrite_dataset(Dataset.from_dict(ROWS), batch_size=2)
    assert rewritten["text"][:] == FAIR
    assert rewritten["number"][:] == [1, 2, 3]


def test_a_stream_stays_a_stream(rewriter: Rewriter) -> None:
    from datasets import Dataset, IterableDataset

    stream = rewriter.rewrite_dataset(Dataset.from_dict(ROWS).to_iterable_dataset())
    assert isinstance(stream, IterableDataset)
    assert [row["text"] for row in stream] == FAIR


def test_a_missing_column_is_named(rewriter: Rewriter) -> None:
    from datasets import Dataset

    with pytest.raises(UsageError, match="no column 'body'; its columns: text, number"):
        rewriter.rewrite_dataset(Dataset.from_dict(ROWS), column="body")
