"""From counts to figures (Sengupta et al. 2022, section 2.1, and the code that came with it).

Words that no list names are merged by lemma, smoothed, and those whose co-occurrence sum reaches the cut-off are
scored: ``ln(m / f)`` of the co-occurrence counts and of the conditional probabilities. The GenBiT score is the mean of
the absolute conditional ratios.

Every sum is exact or correctly rounded (integers, then :func:`math.fsum`), so figures do not depend on the order in
which texts were counted or parts merged.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from eval.genbit.counts import Counts
from eval.genbit.lemmas import Lemmas, lemmas_from
from eval.genbit.lexicon import CIS, FEMALE, GROUPS, MALE, NON_BINARY, TRANS, Lexicon
from eval.signature import signature
from rewriter.errors import MetricError, UsageError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

COMPAT = ("code", "paper")
#: the cut-off of a corpus without any co-occurrence, and what a sum must exceed to count for the percentile
NO_COOCCURRENCE = 2.0
_F, _M, _N, _T, _C = (GROUPS.index(group) for group in (FEMALE, MALE, NON_BINARY, TRANS, CIS))


@dataclass(frozen=True)
class Settings:
    """What is chosen after counting.

    Attributes:
        distance_weight: a neighbour at distance d counts ``distance_weight ** d``.
        percentile_cutoff: percentile of the co-occurrence sums below which words are not scored.
        compat: ``code`` smooths and normalises as the original's code does, ``paper`` as its paper says
            (docs/measure/audit.md has both formulas).
        lemmas: merges the forms of a word.
    """

    distance_weight: float = 0.95
    percentile_cutoff: float = 80.0
    compat: str = "code"
    lemmas: Lemmas = field(default_factory=lambda: lemmas_from(None, ""))

    def __post_init__(self) -> None:
        if not 0 < self.distance_weight <= 1:
            raise UsageError(f"the distance weight lies above 0 and not above 1, not at {self.distance_weight!r}")
        if not 0 <= self.percentile_cutoff <= 100:
            raise UsageError(f"the percentile cut-off lies between 0 and 100, not at {self.percentile_cutoff!r}")
        if self.compat not in COMPAT:
            raise UsageError(f"compat is 'code' or 'paper', not {self.compat!r}")


@dataclass(frozen=True, eq=False)
class Matrix:
    """Co-occurrence by word (after merging by lemma) and group.

    Attributes:
        words: the words, sorted.
        frequency: how often each was seen, shape (words,).
        weighted: weighted co-occurrence, without smoothing, shape (words, 5 groups).
        neutral: which words no list names, shape (words,).
        totals: how often words of each group were seen, shape (5,).
        seen: how many words were counted.
    """

    words: tuple[str, ...]
    frequency: Ints
    weighted: Floats
    neutral: npt.NDArray[np.bool_]
    totals: Ints
    seen: int


@dataclass(frozen=True, eq=False)
class Rows:
    """Figures of the scored words, one array element per word.

    Attributes:
        index: their places in the matrix.
        counts: smoothed co-occurrence, shape (scored words, 5).
        conditional: conditional probabilities given the female, male and non-binary group, shape (scored words, 3).
        ratio: ``ln(male / female)`` of the counts.
        conditional_ratio: the same of the conditional probabilities.
        non_binary_ratio: ``ln(binary / non-binary)`` of the counts.
        non_binary_conditional: the same of the conditional probabilities.
        trans_cis_ratio: ``ln(cis / trans and non-binary)`` of the counts.
        trans_cis_conditional: the same of the conditional probabilities.
    """

    index: Ints
    counts: Floats
    conditional: Floats
    ratio: Floats
    conditional_ratio: Floats
    non_binary_ratio: Floats
    non_binary_conditional: Floats
    trans_cis_ratio: Floats
    trans_cis_conditional: Floats


@dataclass(frozen=True, eq=False)
class GenBitResult:
    """Everything that is known about a corpus.

    Attributes:
        matrix: co-occurrence by word.
        rows: figures of the scored words.
        cutoff: smallest co-occurrence sum of a scored word.
        jsd: Jensen-Shannon divergence of the words given the male and given the female group, in nats.
        lexicon: the word lists.
        settings: how it was computed.
        counts: what was counted.
    """

    matrix: Matrix
    rows: Rows
    cutoff: float
    jsd: float
    lexicon: Lexicon
    settings: Settings
    counts: Counts

    @property
    def score(self) -> float:
        """The GenBiT score: mean of the absolute conditional ratios; 0 where no word is scored."""
        return mean(abs(self.rows.conditional_ratio))

    @property
    def gendered_tokens(self) -> int:
        """How many female, male and non-binary words were seen."""
        return int(self.matrix.totals[[_F, _M, _N]].sum())

    @property
    def signature(self) -> str:
        """What the figures were computed with."""
        made, chosen = self.counts.identity, self.settings
        return signature(
            "genbit",
            lang=made.lang,
            window=made.window,
            weight=f"{chosen.distance_weight:g}",
            percentile=f"{chosen.percentile_cutoff:g}",
            lexicon=f"{made.lexicon}@{made.digest}",
            lemmas=chosen.lemmas.name.replace("|", "/"),
            compat=chosen.compat,
            documents=self.counts.documents,
            tokens=self.counts.tokens,
        )


def evaluate(counts: Counts, lexicon: Lexicon, settings: Settings | None = None) -> GenBitResult:
    """Compute all figures from counts.

    Raises:
        MetricError: nothing was counted, or the counts were made with another lexicon.
    """
    settings = settings or Settings()
    check_counts(counts, lexicon)
    matrix = cooccurrence(counts, lexicon, settings)
    smoothing = smoothing_of(matrix, settings)
    cutoff = cut_off(matrix.weighted, lexicon, settings, smoothing)
    rows = score_rows(matrix, scored_words(matrix, lexicon, cutoff, smoothing), settings, smoothing)
    jsd = _divergence(matrix.weighted + smoothing)
    return GenBitResult(matrix, rows, cutoff, jsd, lexicon, settings, counts)


def check_counts(counts: Counts, lexicon: Lexicon) -> None:
    """Refuse counts that no figure can be made of.

    Raises:
        MetricError: nothing was counted, or the counts were made with another lexicon.
    """
    if not counts.words:
        raise MetricError(
            f"nothing was counted: {counts.documents} documents with {counts.tokens} tokens, of which none is a word "
            "that counts. Is the text empty, or of another language?"
        )
    if counts.identity.digest != lexicon.digest:
        raise MetricError(
            f"these counts were made with the lexicon {counts.identity.lexicon}@{counts.identity.digest}, not with "
            f"{lexicon.name}@{lexicon.digest}: use the same lexicon, or count again"
        )


def cooccurrence(counts: Counts, lexicon: Lexicon, settings: Settings) -> Matrix:
    """Merge words by lemma and weigh distances."""
    words, place = merged_words(counts, lexicon, settings.lemmas)
    known = place >= 0
    frequency = np.zeros(len(words), np.int64)
    np.add.at(frequency, place[known], counts.frequency[known])
    word, _, group, distance = counts.parts()
    cells = place[word] * len(GROUPS) + group
    weighted = weigh(cells, distance, counts, settings.distance_weight, len(words) * len(GROUPS))
    gendered = lexicon.gendered
    neutral = np.fromiter((w not in gendered for w in words), bool, len(words))
    totals = [sum(int(frequency[i]) for i, w in enumerate(words) if w in lexicon.words(g)) for g in GROUPS]
    weighted = weighted.reshape(len(words), len(GROUPS))
    return Matrix(words, frequency, weighted, neutral, np.array(totals, np.int64), int(frequency.sum()))


def merged_words(counts: Counts, lexicon: Lexicon, lemmas: Lemmas) -> tuple[tuple[str, ...], Ints]:
    """Return the lemmas, sorted, and for every counted word its lemma's place (-1: left out).

    Words of the lists are no lemmatiser's business: *waitress* must not become *waiter* (section 2.3).
    """
    gendered = lexicon.gendered
    open_words = [word for word in counts.words if word not in gendered]
    table = dict(zip(open_words, lemmas.find(open_words), strict=True))
    merged = [table.get(word, word) for word in counts.words]
    words = tuple(sorted({lemma for lemma in merged if lemma}))
    number = {lemma: i for i, lemma in enumerate(words)}
    return words, np.fromiter((number.get(lemma, -1) for lemma in merged), np.int64, len(merged))


def weigh(cells: Ints, distance: Ints, counts: Counts, weight: float, size: int) -> Floats:
    """Sum ``count * weight ** distance`` by cell; counts of one cell and distance are added before, as integers."""
    cell, values = weigh_sparse(cells, distance, counts, weight)
    return np.bincount(cell, values, minlength=size).astype(np.float64)


def weigh_sparse(cells: Ints, distance: Ints, counts: Counts, weight: float) -> tuple[Ints, Floats]:
    """Return sorted cells, each with its values for one distance after the other; negative cells are left out."""
    window = counts.identity.window
    keys = cells * window + distance - 1
    order = np.argsort(keys, kind="stable")
    order = order[keys[order] >= 0]
    keys, seen = keys[order], counts.counts[order]
    if not len(keys):
        return keys, np.zeros(0)
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    cell, step = np.divmod(keys[first], window)
    powers = np.array([weight**d for d in range(1, window + 1)])
    return cell, np.add.reduceat(seen, first) * powers[step]


def smoothing_of(matrix: Matrix, settings: Settings) -> float:
    """Return what is added to every co-occurrence count: 1 in the code, 1/N in the paper (N: number of words)."""
    return 1.0 if settings.compat == "code" else 1.0 / max(1, len(matrix.words))


def summed_groups(lexicon: Lexicon) -> list[int]:
    """Return the numbers of the groups whose counts make up a word's co-occurrence sum."""
    groups = [_F, _M]
    groups += [_N] if lexicon.non_binary else []
    return groups + ([_T, _C] if lexicon.trans_cis else [])


def cut_off(weighted: Floats, lexicon: Lexicon, settings: Settings, smoothing: float) -> float:
    """Return the percentile of the co-occurrence sums of all words that co-occur with a gendered one.

    The code takes the sums above 2, which is the smoothing of two groups; with more groups every word is above 2, as
    in the original. The paper's smoothing is so small that the words with a co-occurrence are taken directly.
    """
    groups = summed_groups(lexicon)
    sums = weighted[:, groups].sum(axis=1) + smoothing * len(groups)
    least = NO_COOCCURRENCE if settings.compat == "code" else smoothing * len(groups)
    taken = sums[sums > least]
    return float(np.percentile(taken, settings.percentile_cutoff)) if len(taken) else least


def scored_words(matrix: Matrix, lexicon: Lexicon, cutoff: float, smoothing: float) -> Ints:
    """Return the places of the words that no list names and whose co-occurrence sum reaches the cut-off."""
    groups = summed_groups(lexicon)
    sums = matrix.weighted[:, groups].sum(axis=1) + smoothing * len(groups)
    return np.flatnonzero(matrix.neutral & (sums >= cutoff))


def score_rows(matrix: Matrix, index: Ints, settings: Settings, smoothing: float) -> Rows:
    """Compute the figures of some words.

    Raises:
        MetricError: a figure is not defined for this corpus (see ``_conditional``).
    """
    counts = matrix.weighted[index] + smoothing
    given = _conditional(matrix, settings)
    female, male, other, trans, cis = counts.T
    binary, trans_all = male + female - smoothing, other + trans - smoothing
    conditional = np.stack([given(female, [_F]), given(male, [_M]), given(other, [_N])], axis=1)
    trans_groups = [_N, _T] if settings.compat == "code" else [_T]
    return Rows(
        index=index,
        counts=counts,
        conditional=conditional,
        ratio=_log_ratio(male, female),
        conditional_ratio=_log_ratio(conditional[:, 1], conditional[:, 0]),
        non_binary_ratio=_log_ratio(binary, other),
        non_binary_conditional=_log_ratio(given(binary, [_F, _M]), conditional[:, 2]),
        trans_cis_ratio=_log_ratio(cis, trans_all),
        trans_cis_conditional=_log_ratio(given(cis, [_C]), given(trans_all, trans_groups)),
    )


def _log_ratio(above: Floats, below: Floats) -> Floats:
    """Return ``ln(above / below)``, 0 where one of the two is not defined (its group was never seen)."""
    defined = (above > 0) & (below > 0)
    ratio = np.ones(len(above))
    np.divide(above, below, out=ratio, where=defined)
    logarithm: Floats = np.log(ratio)
    return logarithm


def _conditional(matrix: Matrix, settings: Settings) -> Callable[[Floats, list[int]], Floats]:
    """Return the function of smoothed counts and groups that gives P(w | groups).

    Code: ``c(w, g) / (count(g) + N)``. Paper: ``[c(w, g) / sum c(., g)] / [count(g) / sum count(.)]``, which is not
    defined for a group that was never seen; 0 stands for that.

    Raises:
        MetricError: the paper's formula, and only one of the two genders was seen.
    """
    number = len(matrix.words)
    seen = matrix.totals.copy()
    seen[_T] = trans_total(matrix)
    if settings.compat == "code":
        return lambda counts, groups: counts / (seen[groups].sum() + number)
    if (seen[_F] == 0) != (seen[_M] == 0):
        missing = FEMALE if seen[_F] == 0 else MALE
        raise MetricError(
            f"there is no {missing} word in this corpus, so the paper's conditional probability is not defined "
            "(it divides by their number); compat='code' smooths that"
        )
    sums = np.array([math.fsum(column) for column in matrix.weighted.T])
    sums[_T] += sums[_N]

    def given(counts: Floats, groups: list[int]) -> Floats:
        share = float(seen[groups].sum()) / matrix.seen
        # The smoothing adds up to 1 over all words.
        return counts / (float(sums[groups].sum()) + 1.0) / share if share else np.zeros(len(counts))

    return given


def trans_total(matrix: Matrix) -> int:
    """Return how many trans words were seen; non-binary words are counted among them, each once."""
    return int(matrix.totals[_T] + matrix.totals[_N])


def _divergence(smoothed: Floats) -> float:
    """Return the Jensen-Shannon divergence between the words' shares in male and in female company."""
    male = smoothed[:, _M] / math.fsum(smoothed[:, _M])
    female = smoothed[:, _F] / math.fsum(smoothed[:, _F])
    middle = (male + female) / 2
    parts = (math.fsum(share * np.log(share / middle)) for share in (male, female))
    return max(0.0, sum(parts) / 2)


def mean(values: Floats) -> float:
    """Return the mean, 0 of nothing."""
    return math.fsum(values) / len(values) if len(values) else 0.0


def deviation(values: Floats) -> float:
    """Return the sample standard deviation, 0 of fewer than two values."""
    if len(values) < 2:
        return 0.0
    middle = mean(values)
    return math.sqrt(math.fsum((values - middle) ** 2) / (len(values) - 1))
