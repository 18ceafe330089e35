"""BLEU of translations (Papineni et al. 2002), computed by sacreBLEU (Post 2018), with its signature in ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rewriter.errors import MetricError
from rewriter.installation.extras import require

__all__ = ["BleuResult", "bleu"]


@dataclass(frozen=True, slots=True)
class BleuResult:
    """A corpus score.

    Attributes:
        score: BLEU, 0 to 100.
        brevity: length of the hypotheses for one token of the references.
        sentences: how many.
        signature: what the figure was computed with; the second half is sacreBLEU's own.
    """

    score: float
    brevity: float
    sentences: int
    signature: str


def bleu(*, hypothesis: Sequence[str], reference: Sequence[str], lang: str) -> BleuResult:
    """Score translations against one reference each.

    Args:
        hypothesis: what the system wrote, one text per sentence.
        reference: what it should have written.
        lang: language of both, for the signature (the tokenizer is sacreBLEU's ``13a`` for all with spaces).

    Raises:
        MetricError: different numbers of sentences, or none.
        MissingExtraError: sacreBLEU is not installed.
    """
    if len(hypothesis) != len(reference):
        raise MetricError(f"BLEU: {len(hypothesis)} hypotheses, but {len(reference)} references")
    if not reference:
        raise MetricError("BLEU: there is no sentence to score")
    metric = require("sacrebleu", extra="eval").metrics.BLEU(tokenize="13a")
    result = metric.corpus_score(list(hypothesis), [list(reference)])
    signature = f"bleu|lang:{lang}|n:{len(reference)}|{metric.get_signature()}"
    return BleuResult(float(result.score), result.sys_len / max(1, result.ref_len), len(reference), signature)
