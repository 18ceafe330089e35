"""The statistics of a human evaluation, against figures by hand, from the literature, and of other programs."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.bootstrap import Floats, Resampling
from eval.human.agreement import alpha_interval, krippendorff_alpha
from eval.human.mixed import fit_mixed
from eval.human.ratings import Ratings
from eval.human.statistics import BOTH, holm, resampled_means, sign_flip, version_means
from rewriter.errors import MetricError, UsageError

#: four observers, twelve units, some not observed: the example of Krippendorff (2011), sections C and D
OBSERVERS: list[list[int | None]] = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
UNITS = [[float(row[unit]) for row in OBSERVERS if row[unit] is not None] for unit in range(12)]  # type: ignore[arg-type]


@pytest.mark.parametrize(("metric", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_krippendorffs_example(metric: str, published: float) -> None:
    assert krippendorff_alpha(UNITS, metric=metric) == pytest.approx(published, abs=0.0005)


def test_alpha_by_hand() -> None:
    """Two raters, units (1,1) (1,2): coincidences 11:2, 12:1, 21:1; D_o = 2/4; D_e = 2*3*1/(4*3) = 1/2; alpha = 0."""
    assert krippendorff_alpha([[1, 1], [1, 2]], metric="nominal") == pytest.approx(0.0)
    assert krippendorff_alpha([[1, 1], [2, 2]], metric="nominal") == pytest.approx(1.0)


@pytest.mark.parametrize("units", [[], [[1.0]], [[1.0], [2.0]], [[3.0, 3.0], [3.0, 3.0]]])
def test_alpha_is_not_defined_without_two_raters_or_two_values(units: list[list[float]]) -> None:
    assert krippendorff_alpha(units) is None
    assert alpha_interval(units, Resampling()) is None


def test_the_interval_of_alpha_holds_it() -> None:
    alpha, interval = krippendorff_alpha(UNITS), alpha_interval(UNITS, Resampling())
    assert alpha is not None and interval is not None
    assert interval.low < alpha < interval.high


@given(st.lists(st.lists(st.integers(1, 5), min_size=2, max_size=6), min_size=2, max_size=8), st.integers(0, 99))
@settings(max_examples=30)
def test_alpha_does_not_depend_on_the_order_of_raters_and_units(units: list[list[int]], seed: int) -> None:
    generator = np.random.default_rng(seed)
    mixed = [generator.permutation(units[place]).tolist() for place in generator.permutation(len(units))]
    for metric in ("nominal", "ordinal", "interval"):
        one, other = krippendorff_alpha(units, metric=metric), krippendorff_alpha(mixed, metric=metric)
        assert one is other is None or one == pytest.approx(other)


def test_alpha_against_the_package_krippendorff() -> None:
    other = pytest.importorskip("krippendorff", reason="needs krippendorff, to compare with")
    table = np.array([[np.nan if value is None else value for value in row] for row in OBSERVERS])
    for metric in ("nominal", "ordinal", "interval"):
        expected = other.alpha(table, level_of_measurement=metric)
        assert krippendorff_alpha(UNITS, metric=metric) == pytest.approx(expected)


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(UsageError, match="'ratio' is unknown; known: nominal, ordinal, interval"):
        krippendorff_alpha(UNITS, metric="ratio")


# ---------------------------------------------------------------- permutation tests


#: Darwin's maize, crossed less self-fertilised plants, eighths of an inch; Fisher (1935), "The Design of Experiments"
DARWIN = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48], dtype=float)


def test_fishers_permutation_test_of_darwins_plants() -> None:
    """Fisher counts 1,726 of 32,768 patterns of signs as extreme as the observed one (section 21), both sides: 5.267 %.

    Fifteen differences are one more than are tried one by one, so patterns are drawn.
    """
    assert sign_flip(DARWIN, Resampling(samples=200_000)) == pytest.approx(1726 / 32768, abs=0.0015)


@pytest.mark.parametrize(
    ("differences", "p"),
    [([1, 1, 1], 2 / 8), ([1, 2, 3, -1], 6 / 16), ([0, 0], 1), ([], 1), ([2, -2], 1), ([0, 1, 1, 1, 1, 1], 2 / 32)],
)
def test_the_permutation_test_by_hand(differences: list[float], p: float) -> None:
    """1, 2, 3, -1 add up to 5; of all sixteen patterns three reach that (7, 5, 5), and their opposites."""
    assert sign_flip(np.array(differences, dtype=float), Resampling()) == pytest.approx(p)


@given(st.lists(st.integers(-4, 4), max_size=30), st.integers(0, 5))
def test_the_permutation_test_knows_no_direction(values: list[int], seed: int) -> None:
    differences, resampling = np.array(values, dtype=float), Resampling(samples=200, seed=seed)
    p = sign_flip(differences, resampling)
    assert 0 < p <= 1
    assert p == sign_flip(-differences, resampling)


def test_holm_by_hand() -> None:
    """0.01 * 3, 0.03 * 2, 0.04 * 1, none below one before it."""
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([]) == []
    assert holm([0.6, 0.7]) == [1.0, 1.0]


# ---------------------------------------------------------------- means


def ratings(table: Floats, versions: Floats, count: int) -> Ratings:
    """Return the ratings of a table of participants (rows) and texts (columns) and of the versions they saw."""
    people, texts = np.indices(table.shape)
    shape = (*table.shape, count)
    return Ratings(people.ravel(), texts.ravel(), versions.astype(int).ravel(), table.astype(float).ravel(), shape)


TWO = ratings(np.array([[1, 4], [2, 5], [1, 5], [3, 3]]), np.array([[0, 1], [1, 0], [0, 1], [1, 0]]), 2)


def test_means_by_hand() -> None:
    found = version_means(TWO, Resampling())
    assert [mean.value for mean in found.means] == [(1 + 5 + 1 + 3) / 4, (4 + 2 + 5 + 3) / 4]
    assert found.by_text.tolist() == [[1.0, 2.5], [4.0, 4.5]]
    (contrast,) = found.contrasts
    assert (contrast.version, contrast.baseline, contrast.difference) == (1, 0, 1.0)
    assert (contrast.higher, contrast.equal, contrast.lower) == (2, 1, 1)


def test_the_test_of_two_versions_by_hand() -> None:
    """Less the means of their texts (1.75, 4.25) the four differ by 0.5, -0.5, 1.5, 2.5: as large 6 of 16 times.

    Without that, participants would differ by 3, -3, 4 and 0, for the second text is rated far higher by everybody.
    """
    (contrast,) = version_means(TWO, Resampling()).contrasts
    assert contrast.p_value == pytest.approx(6 / 16)
    assert contrast.adjusted == contrast.p_value


def test_intervals_of_drawn_participants_by_hand() -> None:
    """Two participants whose means are 1 and 3: drawn means are 1, 2, 3 with chances 1/4, 1/2, 1/4."""
    total, count = np.array([[[1.0]], [[3.0]]]), np.ones((2, 1, 1))
    drawn = resampled_means(total, count, Resampling(samples=40_000))[:, 0]
    values, numbers = np.unique(drawn, return_counts=True)
    assert values.tolist() == [1.0, 2.0, 3.0]
    assert numbers / len(drawn) == pytest.approx([0.25, 0.5, 0.25], abs=0.01)


def test_drawing_texts_too_makes_intervals_wider() -> None:
    generator = np.random.default_rng(3)
    table = generator.integers(1, 3, (60, 6)) + np.array([0, 0, 1, 1, 3, 3])
    found = ratings(table, generator.integers(2, size=(60, 6)), 2)
    widths = []
    for over in ("participants", BOTH):
        interval = version_means(found, Resampling(), over=over).means[0].interval
        assert interval is not None
        widths.append(interval.high - interval.low)
    assert widths[1] > 2 * widths[0]


def test_a_version_that_nobody_rated_has_no_mean() -> None:
    found = version_means(ratings(np.array([[1, 2]]), np.array([[0, 0]]), 2), Resampling(samples=10))
    assert (found.means[1].value, found.means[1].interval, found.contrasts[0].difference) == (None, None, None)
    assert np.isnan(found.by_text[:, 1]).all()


@given(st.integers(0, 999))
@settings(max_examples=20)
def test_the_same_seed_gives_the_same_figures(seed: int) -> None:
    assert repr(version_means(TWO, Resampling(50, seed))) == repr(version_means(TWO, Resampling(50, seed)))


def test_versions_that_do_not_differ_are_rarely_found_to_differ() -> None:
    """300 studies of 12 made-up people without any difference, texts very different: p below 0.05 in about 5 %."""
    generator = np.random.default_rng(11)
    square = np.array([[0, 1, 2, 0, 2, 1], [1, 2, 0, 1, 0, 2], [2, 0, 1, 2, 1, 0]])
    found = 0
    for _ in range(300):
        table = generator.normal(0, 0.7, (12, 6)) + generator.normal(0, 2, 6) + generator.normal(0, 0.7, (12, 1))
        contrasts = version_means(ratings(table, np.tile(square, (4, 1)), 3), Resampling(samples=1)).contrasts
        found += contrasts[0].p_value < 0.05
    assert 2 <= found <= 30  # 15 expected; outside with a chance below 1 in 1,000


# ---------------------------------------------------------------- the mixed-effects model


def balanced(seed: int, *, people: int = 8, texts: int = 6) -> tuple[Floats, Ratings]:
    generator = np.random.default_rng(seed)
    noise, of_people, of_texts = ((1, (people, texts)), (2, (people, 1)), (3, (1, texts)))
    table = generator.normal(0, *noise) + generator.normal(0, *of_people) + generator.normal(0, *of_texts)
    return table, ratings(table, np.zeros_like(table), 1)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_of_complete_tables_the_model_is_the_analysis_of_variance(seed: int) -> None:
    """Where everybody rates everything, REML has a closed form: expected mean squares of a two-way table.

    var(residual) = MS_e, var(people) = (MS_p - MS_e) / texts, var(texts) = (MS_t - MS_e) / people.
    """
    table, found = balanced(seed)
    people, texts = table.shape
    rows, columns, grand = table.mean(axis=1, keepdims=True), table.mean(axis=0, keepdims=True), table.mean()
    of_people = texts * float(((rows - grand) ** 2).sum()) / (people - 1)
    of_texts = people * float(((columns - grand) ** 2).sum()) / (texts - 1)
    error = float(((table - rows - columns + grand) ** 2).sum()) / ((people - 1) * (texts - 1))
    model = fit_mixed(found)
    assert model.effects[0].estimate == pytest.approx(grand)
    assert model.residual == pytest.approx(sqrt(error), rel=1e-4)
    assert model.participant == pytest.approx(sqrt((of_people - error) / texts), rel=1e-3)
    assert model.text == pytest.approx(sqrt((of_texts - error) / people), rel=1e-3)
    variance = (of_people + of_texts - error) / (people * texts)
    assert model.effects[0].error == pytest.approx(sqrt(variance), rel=1e-3)


def test_of_a_latin_square_the_effects_are_differences_of_means() -> None:
    """In the balanced design participants and texts cancel: estimates are plain differences, SE = sqrt(2 MS_e / n)."""
    square = np.array([[0, 1, 2, 0, 2, 1], [1, 2, 0, 1, 0, 2], [2, 0, 1, 2, 1, 0]])
    versions = np.tile(square, (4, 1))
    generator = np.random.default_rng(5)
    table = generator.normal(0, 1, (12, 6)) + generator.normal(0, 2, (12, 1)) + generator.normal(0, 2, 6)
    table = table + np.array([0.0, 1.0, 2.0])[versions]
    model = fit_mixed(ratings(table, versions, 3))
    means = [float(table[versions == version].mean()) for version in range(3)]
    estimates = [effect.estimate for effect in model.effects]
    assert estimates == pytest.approx([means[0], means[1] - means[0], means[2] - means[0]], abs=1e-6)
    assert [e.error for e in model.effects[1:]] == pytest.approx([model.residual * sqrt(2 / 24)] * 2, rel=1e-4)


def test_without_any_spread_of_people_and_texts_it_is_least_squares() -> None:
    """Every row and every column has the same mean: both variances are zero, and the error is the plain one."""
    table = np.array([[1.0, 2, 3], [2, 3, 1], [3, 1, 2]])
    model = fit_mixed(ratings(table, np.zeros((3, 3)), 1))
    assert (model.participant, model.text) == (0, 0)
    assert model.effects[0].estimate == pytest.approx(2)
    assert model.residual == pytest.approx(sqrt(6 / 8))


def test_the_model_against_statsmodels() -> None:
    """An incomplete table, where there is no closed form."""
    formula = pytest.importorskip("statsmodels.formula.api", reason="needs statsmodels, to compare with")
    pandas = pytest.importorskip("pandas", reason="needs pandas, to compare with")
    generator = np.random.default_rng(8)
    versions = generator.integers(3, size=(15, 6))
    table = generator.normal(0, 1, (15, 6)) + generator.normal(0, 1, (15, 1)) + generator.normal(0, 1, 6) + versions
    kept = generator.random(table.size) < 0.8
    whole = ratings(table, versions, 3)
    part = Ratings(*(v[kept] for v in (whole.participant, whole.text, whole.version, whole.value)), whole.shape)
    frame: Any = pandas.DataFrame({"p": part.participant, "t": part.text, "v": part.version, "y": part.value, "one": 1})
    spread = {"p": "0 + C(p)", "t": "0 + C(t)"}
    other = formula.mixedlm("y ~ C(v)", frame, groups="one", vc_formula=spread).fit(reml=True)
    model = fit_mixed(part)
    assert [e.estimate for e in model.effects] == pytest.approx(other.fe_params.tolist(), abs=2e-3)
    assert [e.error for e in model.effects] == pytest.approx(other.bse_fe.tolist(), rel=2e-2)
    assert [model.participant**2, model.text**2] == pytest.approx(other.vcomp.tolist(), rel=2e-2)
    assert model.residual**2 == pytest.approx(other.scale, rel=1e-2)
    assert model.criterion == pytest.approx(-2 * other.llf, abs=1e-2)


def test_a_version_without_ratings_has_no_effect() -> None:
    with pytest.raises(MetricError, match="some of every version"):
        fit_mixed(ratings(np.array([[1.0, 2], [3, 4]]), np.zeros((2, 2)), 2))
