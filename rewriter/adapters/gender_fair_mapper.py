"""An operator of `Data-Juicer <https://github.com/datajuicer/data-juicer>`_: ``gender_fair_mapper`` in its recipes.

Data-Juicer finds it by an entry point of this package; ``custom_operator_paths`` with the path of this file does the
same for versions of Data-Juicer that look for none.
"""

from __future__ import annotations

from typing import Any

from data_juicer.ops.base_op import OPERATORS, Mapper

from rewriter.adapters.core import BatchRewriter

__all__ = ["GenderFairMapper"]

NAME = "gender_fair_mapper"


@OPERATORS.register_module(NAME, force=True)
class GenderFairMapper(Mapper):  # type: ignore[misc]
    """Rewrites the text of samples; their other fields stay."""

    _batched_op = True

    def __init__(
        self, model: str = "en", detect: bool = False, edits_key: str = "", options: Any = None, **more: Any
    ) -> None:
        """Make an operator that can be pickled.

        Args:
            model: bundled name or model directory.
            detect: leave texts alone that are not in the model's language.
            edits_key: new field with the number of edits of each sample; empty for none.
            options: of :meth:`rewriter.Rewriter.from_pretrained`, by their names.
            **more: of every operator of Data-Juicer (``text_key``, ``batch_size``, ``num_proc`` ...).
        """
        super().__init__(**more)
        self._rewriter, self._edits_key = BatchRewriter.of(model, detect=detect, **dict(options or {})), edits_key

    def process_batched(self, samples: dict[str, list[Any]]) -> dict[str, list[Any]]:
        """Return the samples in their order; missing texts stay missing."""
        texts = samples[self.text_key]
        rewrites = self._rewriter.rewrite(texts)
        samples[self.text_key] = [None if t is None else r.text for t, r in zip(texts, rewrites, strict=True)]
        if self._edits_key:
            samples[self._edits_key] = [len(rewrite.edits) for rewrite in rewrites]
        return samples
