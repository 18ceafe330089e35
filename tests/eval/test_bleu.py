"""BLEU is sacreBLEU's, with a signature; lists of different lengths are refused."""

from __future__ import annotations

import pytest

from eval.bleu import bleu
from rewriter.errors import MetricError

pytest.importorskip("sacrebleu")


def test_the_reference_itself_scores_100() -> None:
    texts = ["The cat sleeps on the old mat.", "Nobody knows where it came from."]
    result = bleu(hypothesis=texts, reference=texts, lang="en")
    assert result.score == pytest.approx(100)
    assert result.brevity == 1
    assert result.signature.startswith("bleu|lang:en|n:2|nrefs:1|case:mixed|")


def test_a_worse_translation_scores_less_and_a_short_one_shows_it() -> None:
    reference = ["The cat sleeps on the old mat in the kitchen."]
    assert bleu(hypothesis=["The cat sleeps on the mat."], reference=reference, lang="en").brevity < 1
    assert bleu(hypothesis=["A dog."], reference=reference, lang="en").score < 10


@pytest.mark.parametrize(("hypothesis", "reference"), [(["a"], ["a", "b"]), ([], [])])
def test_what_cannot_be_scored_is_refused(hypothesis: list[str], reference: list[str]) -> None:
    with pytest.raises(MetricError, match="BLEU"):
        bleu(hypothesis=hypothesis, reference=reference, lang="en")
