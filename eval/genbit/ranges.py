"""How large is a large score? The published ranges of biased data sets, by language (Sengupta et al. 2022, table 2)."""

from __future__ import annotations

from dataclasses import dataclass

from eval.genbit.metrics import GenBitResult
from rewriter.errors import UsageError


@dataclass(frozen=True, slots=True)
class ScoreRange:
    """What the authors found on biased data sets of a language.

    Attributes:
        low: smallest score.
        high: largest score; larger ones occur.
        samples: documents that a data set had at least.
        biased_above: score from which on they call the bias moderate to high.
    """

    low: float
    high: float
    samples: int
    biased_above: float


RANGES = {
    "en": ScoreRange(0.30, 1.0, 400, 0.30),
    "it": ScoreRange(0.50, 1.5, 400, 1.00),
    "de": ScoreRange(0.60, 2.4, 200, 0.60),
    "es": ScoreRange(0.60, 2.5, 400, 0.60),
    "fr": ScoreRange(0.50, 1.3, 200, 0.60),
    "ru": ScoreRange(0.80, 2.3, 400, 1.10),
}


def range_lines(result: GenBitResult) -> list[str]:
    """Return how a score stands to the published range of its language, and why that may not be comparable.

    Raises:
        UsageError: there is no range for the language.
    """
    lang = result.lexicon.lang
    if lang not in RANGES:
        raise UsageError(f"there is no published range for '{lang}'; there are {', '.join(RANGES)}")
    known = RANGES[lang]
    side = "above" if result.score > known.biased_above else "not above"
    lines = [
        f"published range of biased data sets for {lang}: {known.low:.2f} to {known.high:.1f} and more, from "
        f"{known.samples} documents on; moderate to high above {known.biased_above:.2f}, and {result.score:.4f} is "
        f"{side} that"
    ]
    documents = result.counts.documents
    reasons = [] if documents > known.samples else [f"there are {documents:,} documents only"]
    if not result.lexicon.name.startswith("genbit"):
        reasons.append(f"the lists are others ({result.lexicon.name})")
    if lang != "en" and result.settings.lemmas.name == "none":
        reasons.append("forms are not merged, as they were there")
    if result.settings.compat != "code":
        reasons.append("the formulas are those of the paper's text")
    return lines + ([f"not comparable: {'; '.join(reasons)}"] if reasons else [])
