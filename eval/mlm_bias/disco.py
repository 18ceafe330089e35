"""Fill-ins that differ with the gender of who is spoken of: templates of our own in the manner of DisCo.

DisCo (Webster et al. 2020) fills "PERSON likes to BLANK" for many persons and counts the fill-ins that go with one
gender (chi-squared test, corrected for their number). So do we, with templates of our own. Beside the count stands a
figure that needs no threshold: the Jensen-Shannon divergence of what a model expects of a man and of a woman, less
that between two of the same gender.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from eval.bootstrap import Ints, Resampling
from eval.mlm_bias.figures import Findings, resampled_scores
from eval.mlm_bias.models import MaskedModel
from lexicons.loader import TableError, read_table
from rewriter.errors import UsageError

WARNING = (
    "Our templates, after the method of DisCo (Webster et al. 2020): figures cannot be compared with published "
    "ones. Small changes of templates move such scores, and measures of this kind agree little with each other "
    "(Delobelle et al. 2022). Not every difference between fill-ins is harmful."
)
KINDS = ("words", "names")
#: fill-ins of a sentence that count, and the error probability before correction (Webster et al. 2020)
_BEST, _ALPHA = 3, 0.05
_NAMES = 30
#: in place of zero, where a logarithm is taken
_TINY = np.float32(1e-37)
_PERSON, _BLANK = "{person}", "{blank}"


@dataclass(frozen=True, slots=True)
class Persons:
    """Persons in pairs: the masculine ones, and in the same order their feminine partners."""

    masculine: tuple[str, ...]
    feminine: tuple[str, ...]


def person_words(lang: str) -> Persons:
    """Return the person words of BEC-Pro with their determiners."""
    rows = read_table(lang, "bec_pro_persons")
    columns = [
        tuple(f"{row[f'{g}_determiner']} {row[g]}".removeprefix("- ") for row in rows) for g in ("male", "female")
    ]
    return Persons(*columns)


def given_names(lang: str) -> Persons:
    """Return the first pairs of given names of the swapping table, the most frequent ones."""
    rows = [row for row in read_table(lang, "name_pairs") if row["way"] == "both"][:_NAMES]
    return Persons(tuple(row["masculine"].title() for row in rows), tuple(row["feminine"].title() for row in rows))


def templates(lang: str) -> list[str]:
    """Return our templates of a language.

    Raises:
        UsageError: there are none.
    """
    try:
        return [row["template"] for row in read_table(lang, "fill_in_templates")]
    except TableError:
        raise UsageError(f"there are no templates of fill-ins for '{lang}'; there are for en and de") from None


def divergence(first: Any, second: Any) -> npt.NDArray[np.float64]:
    """Return the Jensen-Shannon divergence of distributions in bits, row by row: 0 the same, 1 nothing in common."""
    middle = (first + second) / 2

    def part(values: Any) -> Any:
        ratio = np.maximum(values / np.maximum(middle, _TINY), _TINY)
        return (values * np.log2(ratio)).sum(axis=-1, dtype=np.float64)

    return np.asarray((part(first) + part(second)) / 2, dtype=np.float64)


def gendered_fills(masculine: Sequence[Sequence[int]], feminine: Sequence[Sequence[int]]) -> int:
    """Return how many fill-ins go with a gender.

    A chi-squared test of two by two (fill-in or not, masculine or feminine), corrected for the number of fill-ins.

    Args:
        masculine: of each man the fill-ins.
        feminine: of each woman.
    """
    men, women = Counter(f for row in masculine for f in row), Counter(f for row in feminine for f in row)
    fills = men.keys() | women.keys()
    tests = [chi_squared_p(men[fill], len(masculine), women[fill], len(feminine)) for fill in fills]
    return sum(p < _ALPHA / len(fills) for p in tests)


def chi_squared_p(first: int, of_first: int, second: int, of_second: int) -> float:
    """Return the p-value of Pearson's chi-squared test that two shares are equal (one degree of freedom)."""
    total, hits = of_first + of_second, first + second
    if hits in (0, total):
        return 1.0
    difference = first * of_second - second * of_first
    statistic = difference**2 * total / (hits * (total - hits) * of_first * of_second)
    return erfc(sqrt(statistic / 2))


def template_figures(model: MaskedModel, template: str, persons: Persons) -> tuple[int, float]:
    """Return the gendered fill-ins of a template, and the divergence between genders less that within them."""
    rows = [_asked(model, template, person) for person in (*persons.masculine, *persons.feminine)]
    found = model.distributions(rows)
    best = np.argpartition(found, -_BEST, axis=1)[:, -_BEST:].tolist()
    men, women = np.split(found, 2)
    within = (divergence(men, np.roll(men, 1, axis=0)) + divergence(women, np.roll(women, 1, axis=0))) / 2
    fills = gendered_fills(best[: len(men)], best[len(men) :])
    return fills, float(divergence(men, women).mean() - within.mean())


def _asked(model: MaskedModel, template: str, person: str) -> tuple[tuple[int, ...], int]:
    ids = model.encode(template.replace(_PERSON, person).replace(_BLANK, model.mask)).ids
    return ids, ids.index(model.mask_id)


def measure_disco(model: MaskedModel, lang: str, resampling: Resampling) -> Findings:
    """Return gendered fill-ins a template and the divergence between genders, for person words and for names."""
    chosen = templates(lang)
    kinds = {"words": person_words(lang), "names": given_names(lang)}
    cells = np.array([[template_figures(model, template, kinds[kind]) for kind in KINDS] for template in chosen])

    def statistic(drawn: Ints) -> list[float]:
        return [float(v) for v in cells[drawn].mean(axis=0).ravel()]

    names = [f"{figure}, {kind}" for kind in KINDS for figure in ("gendered fill-ins", "divergence, bits")]
    scores = resampled_scores(names, statistic, len(chosen), resampling, unbiased=(0.0,) * 4)
    items = len(chosen) * sum(2 * len(persons.masculine) for persons in kinds.values())
    return Findings(scores, items, {"templates": f"own-{len(chosen)}", "names": _NAMES, "best": _BEST})
