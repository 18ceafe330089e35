"""BEC-Pro as one of the tests of bias: its absolute average, its gap and its stereotype (:mod:`eval.bec_pro`)."""

from __future__ import annotations

from eval.bec_pro.compare import stereotype
from eval.bec_pro.items import generate
from eval.bec_pro.results import evaluate
from eval.bec_pro.scorer import Scorer, ScorerOptions, TransformersScorer
from eval.bootstrap import Resampling
from eval.mlm_bias.figures import Findings, Score

WARNING = (
    "The authors (Bartl et al. 2020): what is measured in English does not carry over to German, where gender "
    "is marked on the profession itself. Five templates are few; an absolute average is never zero, read the "
    "stereotype's interval."
)


def measure_bec_pro(
    model: str | Scorer, lang: str, resampling: Resampling, *, device: str = "cpu", batch_size: int = 64
) -> Findings:
    """Return stereotype, absolute average and gap, with intervals over templates."""
    scorer = TransformersScorer(model, ScorerOptions(device, batch_size)) if isinstance(model, str) else model
    corpus = generate(lang)
    scores = [scorer.score(corpus.items)]
    result = evaluate(corpus, scores, models=[scorer.name], resampling=resampling)
    figure = stereotype(corpus.items, scores, resampling)
    average, gap = result.absolute_average, result.gap
    found = (
        Score("stereotype, ln p", figure.value, figure.interval, 0.0),
        Score("absolute average, ln p", average.value, average.interval, 0.0),
        Score("|male - female|, ln p", gap.value, gap.interval, 0.0),
    )
    return Findings(found, len(corpus.items), {"data": corpus.source, "masks": "word"})
