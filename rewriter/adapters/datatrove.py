"""A step of `datatrove <https://github.com/huggingface/datatrove>`_ pipelines; its counts are in their statistics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from datatrove.pipeline.base import PipelineStep

from rewriter.adapters.core import BATCH, BatchRewriter, batches, counts, edit_records

__all__ = ["GenderFairRewriter"]


class GenderFairRewriter(PipelineStep):  # type: ignore[misc]
    """Rewrites the text of documents; identifiers and metadata stay."""

    type = "✂️ - FORMAT"
    name = "Gender-fair rewriter"

    def __init__(
        self, model: str = "en", *, detect: bool = False, edits: str = "", batch: int = BATCH, **options: Any
    ) -> None:
        """Make a step that can be pickled.

        Args:
            model: bundled name or model directory.
            detect: leave texts alone that are not in the model's language.
            edits: key of the metadata for the edits of a document; empty for none.
            batch: documents that are rewritten together.
            **options: of :meth:`rewriter.Rewriter.from_pretrained`.
        """
        super().__init__()
        self._rewriter, self._edits, self._batch = BatchRewriter.of(model, detect=detect, **options), edits, batch

    def run(self, data: Iterable[Any], rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        """Yield the documents in their order."""
        for documents in batches(data, self._batch):
            with self.track_time("batch"):
                rewrites = self._rewriter.rewrite([document.text for document in documents])
            for name, value in counts(rewrites).items():
                self.stat_update(name, value=value, unit="batch")
            for document, rewrite in zip(documents, rewrites, strict=True):
                document.text = rewrite.text
                if self._edits:
                    document.metadata[self._edits] = edit_records(rewrite)
                yield document
