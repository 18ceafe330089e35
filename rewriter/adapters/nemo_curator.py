"""A stage of `NeMo Curator <https://github.com/NVIDIA-NeMo/Curator>`_ pipelines; its counts are in their metrics."""

from __future__ import annotations

from typing import Any

from nemo_curator.stages.base import ProcessingStage
from nemo_curator.tasks import DocumentBatch

from rewriter.adapters.core import BatchRewriter, counts

__all__ = ["GenderFairStage"]


class GenderFairStage(ProcessingStage[DocumentBatch, DocumentBatch]):  # type: ignore[misc]
    """Rewrites the texts of batches of documents; their other columns stay."""

    name = "gender_fair_rewriter"

    def __init__(
        self, model: str = "en", *, text_field: str = "text", detect: bool = False, edits: str = "", **options: Any
    ) -> None:
        """Make a stage that can be pickled.

        Args:
            model: bundled name or model directory.
            text_field: column that holds the texts.
            detect: leave texts alone that are not in the model's language.
            edits: name of a new column with the number of edits of each document; empty for none.
            **options: of :meth:`rewriter.Rewriter.from_pretrained`.
        """
        self._rewriter, self._text, self._edits = BatchRewriter.of(model, detect=detect, **options), text_field, edits

    def inputs(self) -> tuple[list[str], list[str]]:
        """Return what a task has to have."""
        return ["data"], [self._text]

    def outputs(self) -> tuple[list[str], list[str]]:
        """Return what a task has then."""
        return ["data"], [self._text, *([self._edits] if self._edits else [])]

    def setup(self, worker_metadata: Any = None) -> None:
        """Load the model, once in each worker."""
        self._rewriter.rewrite([])

    def process(self, task: DocumentBatch) -> DocumentBatch:
        """Return the documents in their order; missing texts stay missing."""
        frame = task.to_pandas()
        texts = [text if isinstance(text, str) else None for text in frame[self._text]]
        rewrites = self._rewriter.rewrite(texts)
        columns: dict[str, list[Any]] = {
            self._text: [None if t is None else r.text for t, r in zip(texts, rewrites, strict=True)]
        }
        if self._edits:
            columns[self._edits] = [len(rewrite.edits) for rewrite in rewrites]
        self._log_metrics({name: float(value) for name, value in counts(rewrites).items()})
        return DocumentBatch(
            dataset_name=task.dataset_name,
            data=frame.assign(**columns),
            _metadata=task._metadata,
            _stage_perf=task._stage_perf,
        )
