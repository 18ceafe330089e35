"""Word error rate on tokens, with per-sentence statistics, a confidence interval and a signature.

The metric of Sun et al. (2021), Vanmassenhove et al. (2021) and Amrhein et al. (2023): substitutions, deletions and
insertions over all sentences, divided by the tokens of all references, in percent. jiwer aligns; sacremoses cuts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eval.bootstrap import Interval, Ints, Resampling, percentile_interval, resampled_rates
from eval.signature import signature
from eval.tokenize import get_tokenizer, tokenizer_name
from rewriter.errors import MetricError, UsageError
from rewriter.installation.extras import require

__all__ = ["WerResult", "wer"]

CASES = ("mixed", "lower")

#: tokens of one sentence
Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class WerResult:
    """The word error rate of one system on one set.

    Attributes:
        score: word error rate in percent.
        interval: bootstrap confidence interval of the score.
        exact: share of sentences without an error, in percent.
        hits: tokens that hypothesis and reference share.
        substitutions: tokens of the reference replaced by another.
        deletions: tokens of the reference that the hypothesis lacks.
        insertions: tokens of the hypothesis that the reference lacks.
        errors: substitutions, deletions and insertions of each sentence.
        lengths: reference tokens of each sentence.
        signature: what the figure was computed with.
    """

    score: float
    interval: Interval
    exact: float
    hits: int
    substitutions: int
    deletions: int
    insertions: int
    errors: Ints
    lengths: Ints
    signature: str

    def worst(self, count: int) -> list[int]:
        """Return the indices of the ``count`` sentences with most errors, worst first; those without are left out."""
        order = np.lexsort((np.arange(len(self.errors)), -self.errors))
        return [int(i) for i in order[:count] if self.errors[i]]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form; per-sentence statistics are included, sentences are not."""
        return {
            "score": self.score,
            "interval": [self.interval.low, self.interval.high],
            "exact": self.exact,
            "hits": self.hits,
            "substitutions": self.substitutions,
            "deletions": self.deletions,
            "insertions": self.insertions,
            "sentences": len(self.errors),
            "errors": self.errors.tolist(),
            "lengths": self.lengths.tolist(),
            "signature": self.signature,
        }


def wer(
    *,
    hypothesis: Sequence[str],
    reference: Sequence[str],
    lang: str = "en",
    tokenizer: str | None = None,
    case: str = "mixed",
    resampling: Resampling | None = None,
    conditions: Mapping[str, str] | None = None,
) -> WerResult:
    """Return the word error rate of ``hypothesis`` against ``reference``, in percent.

    The two are not exchangeable (the reference's tokens are the denominator), so both are given by name.

    Args:
        hypothesis: what a system answered, one sentence each.
        reference: what it should have answered.
        lang: language of the text; names the default tokenizer.
        tokenizer: name of a tokenizer, see :mod:`eval.tokenize`; ``moses-LANG`` by default.
        case: ``mixed`` compares as written, ``lower`` in lower case.
        resampling: number of samples, seed and level of the confidence interval.
        conditions: further fields of the signature: under which conditions the system answered.

    Raises:
        MetricError: the two have different lengths, there is no sentence, or a reference sentence is empty.
        UsageError: an unknown tokenizer or case.
        MissingExtraError: jiwer or sacremoses is not installed.
    """
    resampling = resampling or Resampling()
    name = tokenizer_name(lang, tokenizer)
    check_parallel(hypothesis=hypothesis, reference=reference)
    hypotheses = tokenize(hypothesis, name, case)
    references = tokenize(reference, name, case)
    _refuse_empty(hypotheses, references)
    drawn = {"bootstrap": resampling.samples, "seed": resampling.seed}
    signed = signature("wer", lang=lang, tok=name, case=case, n=len(references), **drawn, **(conditions or {}))
    return _score(hypotheses, references, resampling, signed)


def tokenize(sentences: Sequence[str], tokenizer: str, case: str = "mixed") -> list[Tokens]:
    """Cut every sentence into tokens.

    Raises:
        UsageError: an unknown tokenizer or case.
    """
    if case not in CASES:
        raise UsageError(f"unknown case '{case}'; known: {', '.join(CASES)}")
    cut = get_tokenizer(tokenizer)
    return [cut(sentence.lower() if case == "lower" else sentence) for sentence in sentences]


def check_parallel(**texts: Sequence[str]) -> None:
    """Refuse texts that do not lie side by side.

    Raises:
        MetricError: they differ in their number of sentences (the message gives every length), or have none.
        UsageError: one is a single string where a list of sentences is meant.
    """
    for name, text in texts.items():
        if isinstance(text, str):
            raise UsageError(f"{name}: expected a list of sentences, not one string; write [{name}] for one sentence")
    lengths = {name: len(text) for name, text in texts.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {count}" for name, count in lengths.items())
        raise MetricError(f"unequal numbers of sentences: {told}; line N of one must belong to line N of the others")
    if not all(lengths.values()):
        raise MetricError("there are no sentences to score")


def _refuse_empty(hypotheses: Sequence[Tokens], references: Sequence[Tokens]) -> None:
    """A system may answer nothing, a reference cannot say nothing: errors per token would have no denominator."""
    empty = [number for number, tokens in enumerate(references, 1) if not tokens]
    if not empty:
        return
    more = f" (and {len(empty) - 1} more)" if len(empty) > 1 else ""
    message = f"reference sentence {empty[0]}{more} is empty: a reference needs at least one token"
    if all(hypotheses):
        message += "; no hypothesis is empty: were hypothesis and reference swapped?"
    raise MetricError(message)


def _score(
    hypotheses: Sequence[Tokens], references: Sequence[Tokens], resampling: Resampling, signed: str
) -> WerResult:
    output = _align(hypotheses, references)
    lengths = np.array([len(tokens) for tokens in references], dtype=np.int64)
    errors = np.array([sum(map(_chunk_errors, chunks)) for chunks in output.alignments], dtype=np.int64)
    rates = resampled_rates(errors[None], lengths, resampling)[0]
    return WerResult(
        score=100.0 * float(errors.sum()) / float(lengths.sum()),
        interval=percentile_interval(rates, resampling.level),
        exact=100.0 * float((errors == 0).mean()),
        hits=output.hits,
        substitutions=output.substitutions,
        deletions=output.deletions,
        insertions=output.insertions,
        errors=errors,
        lengths=lengths,
        signature=signed,
    )


def _align(hypotheses: Sequence[Tokens], references: Sequence[Tokens]) -> Any:
    """Align all sentences with jiwer, once; its own clean-up is replaced, for tokens are given."""
    jiwer = require("jiwer", extra="eval")
    words = jiwer.Compose([jiwer.ReduceToListOfListOfWords(word_delimiter=" ")])
    return jiwer.process_words(
        [" ".join(tokens) for tokens in references],
        [" ".join(tokens) for tokens in hypotheses],
        reference_transform=words,
        hypothesis_transform=words,
    )


def _chunk_errors(chunk: Any) -> int:
    if chunk.type == "equal":
        return 0
    return int(max(chunk.ref_end_idx - chunk.ref_start_idx, chunk.hyp_end_idx - chunk.hyp_start_idx))
