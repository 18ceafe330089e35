"""Own pairs that an edit model cannot learn from: the grammar does not explain their target."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from augment.own_pairs import OwnPairs, told
from rewriter.language.interface import Language
from rewriter.model.alignment import match_outcomes
from rewriter.model.proposer import Sentence, analyze
from rewriter.policy.protect import protected_spans
from rewriter.records import OWN, Pair

_NOT_EXPLAINED = "the target is no outcome of the grammar"


def check_explained(pairs: Iterable[Pair], language: Language, most: float) -> None:
    """Tell of how many own pairs the grammar explains the target, and stop where too few are.

    An edit model chooses among the forms that the grammar offers; a pair with other changes teaches it nothing. A
    sequence-to-sequence model (``target: full``) learns from any pair.

    Args:
        pairs: of the training part.
        language: with the settings of the model.
        most: share of the own pairs that may be left out.

    Raises:
        UsageError: more would be left out.
    """
    own = OwnPairs()
    for pair in pairs:
        if pair.strategy == OWN:
            own.add(pair)
            if not _explained(pair, language):
                own.leave_out(pair, _NOT_EXPLAINED)
    if own.left_out:
        print(f"edits: own pairs that teach nothing: {told(own.left_out)}", file=sys.stderr, flush=True)
    own.check("edits", most, "mix.most_dropped")


def _explained(pair: Pair, language: Language) -> bool:
    if pair.source == pair.target:
        return True
    analysis = analyze(language, Sentence(pair.source, tuple(protected_spans(pair.source))))
    return match_outcomes(pair.source, pair.target, analysis.candidates) is not None
