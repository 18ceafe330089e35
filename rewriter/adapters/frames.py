"""Steps for engines that hand over tables batch by batch: Spark's ``mapInPandas``, Ray Data's ``map_batches``.

Neither library is imported here: what they hand over has columns, and that is all that is asked of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rewriter.adapters.core import BatchRewriter, counts

__all__ = ["RayRewriter", "SparkRewriter"]


class _Columns:
    """Rewrites a column of tables."""

    def __init__(
        self, model: str = "en", *, column: str = "text", edits: str = "", detect: bool = False, **options: Any
    ) -> None:
        """Make a step that can be pickled.

        Args:
            model: bundled name or model directory.
            column: that holds the texts.
            edits: name of a new column with the number of edits of each row; empty for none.
            detect: leave texts alone that are not in the model's language.
            **options: of :meth:`rewriter.Rewriter.from_pretrained`.
        """
        self._rewriter, self._column, self._edits = BatchRewriter.of(model, detect=detect, **options), column, edits

    def _columns(self, values: Iterable[Any]) -> tuple[dict[str, list[Any]], Mapping[str, int]]:
        """Return the columns that change, and the counts of the batch; missing texts stay missing."""
        texts = [value if isinstance(value, str) else None for value in values]
        rewrites = self._rewriter.rewrite(texts)
        made: dict[str, list[Any]] = {
            self._column: [None if t is None else r.text for t, r in zip(texts, rewrites, strict=True)]
        }
        if self._edits:
            made[self._edits] = [len(rewrite.edits) for rewrite in rewrites]
        return made, counts(rewrites)


class SparkRewriter(_Columns):
    """For ``frame.mapInPandas(SparkRewriter("en"), frame.schema)``; with ``edits`` the schema has one column more."""

    def __init__(self, model: str = "en", *, accumulators: Mapping[str, Any] | None = None, **more: Any) -> None:
        """Make a step that can be pickled.

        Args:
            model: bundled name or model directory.
            accumulators: of Spark, by the names of counts (``texts``, ``changed``, ``failed``, ``edits``,
                ``edits_pronoun`` ...) that are added to them.
            **more: ``column``, ``edits``, ``detect``, and options of :meth:`rewriter.Rewriter.from_pretrained`.
        """
        super().__init__(model, **more)
        self._accumulators = dict(accumulators or {})

    def __call__(self, frames: Iterator[Any]) -> Iterator[Any]:
        """Yield a data frame for each data frame, with the same rows in the same order."""
        for frame in frames:
            columns, found = self._columns(frame[self._column])
            for name, accumulator in self._accumulators.items():
                accumulator.add(found.get(name, 0))
            yield frame.assign(**columns)


class RayRewriter(_Columns):
    """For ``dataset.map_batches(RayRewriter, fn_constructor_args=("en",), concurrency=2)``."""

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Return a batch with the same rows in the same order."""
        columns, _ = self._columns(batch[self._column])
        return {**batch, **columns}
