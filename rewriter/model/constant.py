"""Constant answers in the network's place: what a model is worth is what is lost with them.

The grammar names the candidates and makes the answers agree, as it does for the network. An edit model gives every
candidate the same probabilities, whatever the sentence says: those of the network's bias, or those that were fitted on
training labels (:mod:`eval.constants`). In a sequence-to-sequence model's place stands :class:`FirstForms`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from rewriter.errors import UsageError
from rewriter.language.candidates import Candidate
from rewriter.language.interface import Language
from rewriter.model.edit_model import EditModel
from rewriter.model.guard import check, check_mode
from rewriter.model.head import HEAD, load_head
from rewriter.model.piece_table import PieceTable
from rewriter.model.proposer import Proposal, Sentence
from rewriter.records import Edit


class ConstantEncoder:
    """An encoder that says the same of every piece; stands in for CTranslate2's."""

    device = "cpu"

    def forward_batch(self, ids: Sequence[Sequence[int]], token_type_ids: Any = None) -> Any:
        """Return states of width 1 that are all zero."""
        longest = max(map(len, ids))
        return SimpleNamespace(last_hidden_state=np.zeros((len(ids), longest, 1), dtype=np.float32))


def constant_edit_model(
    folder: Path, language: Language, *, constants: Sequence[float] = (), guard: str = "strict"
) -> EditModel:
    """Return an edit model of a directory with constant answers in its network's place.

    Args:
        folder: the model directory; its vocabulary is read, and its bias where no constants are given.
        language: names the outcomes.
        constants: log-odds of the outcomes, one of each; the bias of the network where there are none.
        guard: mode of the guard.

    Raises:
        UsageError: another number of constants than outcomes.
        ModelError: the head is damaged.
    """
    bias = list(constants) or load_head(folder / HEAD, language)[1].tolist()
    if len(bias) != len(language.outcomes):
        raise UsageError(
            f"{len(bias)} constants for the {len(language.outcomes)} outcomes of the language '{language.code}'; "
            "count them anew on labels of this version"
        )
    head = np.zeros((len(bias), 1), dtype=np.float32), np.array(bias, dtype=np.float32)
    return EditModel(ConstantEncoder(), PieceTable.load(folder / "pieces.model"), head, language, 1, guard=guard)


class FirstForms:
    """A sequence-to-sequence model that knows nothing: of every candidate it writes the first form that is another.

    What it gets right is what the guard gives away to any answer that has fair words in it.
    """

    def __init__(self, language: Language, *, guard: str = "strict") -> None:
        self._language, self._guard = language, check_mode(guard)

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        """Return one proposal per sentence."""
        proposals = []
        for text, protected, _ in sentences:
            analysis = self._language.analyze(text, protected, training=True)
            proposed = Proposal([edit for c in analysis.candidates if (edit := _first_form(text, c)) is not None])
            proposals.append(check(text, protected, proposed, self._language, mode=self._guard))
        return proposals


def _first_form(text: str, candidate: Candidate) -> Edit | None:
    before = text[candidate.start : candidate.end]
    after = next((form for _, form in candidate.options[1:] if form != before), None)
    if after is None:
        return None
    return Edit(candidate.start, candidate.end, before, after, candidate.kind, "constant")
