"""From counts to figures: worked by hand, balance, lemmas, the two formulas."""

from __future__ import annotations

import json
import math
import statistics
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.genbit import GenBitMetrics, Lexicon
from eval.genbit.lexicon import languages

LEXICON = Lexicon("en", {"female": frozenset({"she", "waitress"}), "male": frozenset({"he", "waiter"})}, frozenset())

#: she cooks twice and sings, he sings: weights of a half at distance 1
TEXTS = ["She cooks", "She cooks", "She sings", "He sings"]


def measure(texts: list[str], **options: Any) -> dict[str, Any]:
    metrics = GenBitMetrics("en", 5, 0.5, 0, **({"lexicon": LEXICON} | options))
    metrics.add_data(texts)
    return metrics.get_metrics()


def test_worked_by_hand() -> None:
    """Smoothed counts: cooks f 2, m 1; sings f 1.5, m 1.5; she and he 1, 1. Four words; she 3 times, he once."""
    found = measure(TEXTS)
    cooks, sings = math.log((1 / 5) / (2 / 7)), math.log((1.5 / 5) / (1.5 / 7))
    assert found["genbit_score"] == pytest.approx((abs(cooks) + abs(sings)) / 2)
    assert found["additional_metrics"] == pytest.approx(
        {
            "avg_bias_ratio": math.log(1 / 2) / 2,
            "avg_bias_ratio_absolute": math.log(2) / 2,
            "avg_bias_conditional": (cooks + sings) / 2,
            "avg_bias_conditional_absolute": (abs(cooks) + abs(sings)) / 2,
            "std_dev_bias_ratio": statistics.stdev([math.log(1 / 2), 0]),
            "std_dev_bias_conditional": statistics.stdev([cooks, sings]),
            "avg_trans_cis_bias_ratio": 0,
            "avg_trans_cis_bias_ratio_absolute": 0,
            "avg_trans_cis_bias_conditional": 0,
            "avg_trans_cis_bias_conditional_absolute": 0,
            "std_dev_trans_cis_bias_ratio": 0,
            "std_dev_trans_cis_bias_conditional": 0,
        }
    )
    assert found["token_based_metrics"]["cooks"] == pytest.approx(
        {
            "frequency": 2,
            "female_count": 2,
            "male_count": 1,
            "bias_ratio": math.log(1 / 2),
            "bias_conditional_ratio": cooks,
            "female_conditional_prob": 2 / 7,
            "male_conditional_prob": 1 / 5,
            "binary_conditional_prob": 2 / 7 + 1 / 5,
        }
    )
    assert found["statistics"] == pytest.approx(
        {
            "frequency_cutoff": 3,
            "num_words_considered": 2,
            "freq_of_female_gender_definition_words": 3,
            "freq_of_male_gender_definition_words": 1,
            "jsd": found["statistics"]["jsd"],
        }
    )
    assert found["percentage_of_female_gender_definition_words"] == 0.75


def test_divergence_worked_by_hand() -> None:
    """Shares of cooks, sings, she, he: f 2, 1.5, 1, 1 of 5.5; m 1, 1.5, 1, 1 of 4.5."""
    female, male = ([x / sum(xs) for x in xs] for xs in ((2, 1.5, 1, 1), (1, 1.5, 1, 1)))
    middle = [(f + m) / 2 for f, m in zip(female, male, strict=True)]
    parts = [sum(p * math.log(p / q) for p, q in zip(shares, middle, strict=True)) for shares in (female, male)]
    assert measure(TEXTS)["statistics"]["jsd"] == pytest.approx(sum(parts) / 2)


def test_the_formula_of_the_paper_worked_by_hand() -> None:
    """Smoothing 1/4: cooks f 1.25, m 0.25; sings f 0.75, m 0.75; sums f 1.5, m 0.5, each plus 1; she 3, he 1 of 8."""
    found = measure(TEXTS, compat="paper")
    row = found["token_based_metrics"]["cooks"]
    assert row["female_conditional_prob"] == pytest.approx((1.25 / 2.5) / (3 / 8))
    assert row["male_conditional_prob"] == pytest.approx((0.25 / 1.5) / (1 / 8))
    sings = math.log((0.75 / 1.5) / (1 / 8)) - math.log((0.75 / 2.5) / (3 / 8))
    assert found["genbit_score"] == pytest.approx((abs(row["bias_conditional_ratio"]) + abs(sings)) / 2)


def test_balanced_input_scores_low_and_leaning_input_high() -> None:
    """The paper's claim (appendix 1, tables 3 and 4): balance gives low scores, every step away from it higher ones."""
    jobs = [
        "The nurse said that {} was tired",
        "{} repaired the engine",
        "{} painted the old house",
        "{} won the prize",
    ]
    both = [job.format(p) for job in jobs for p in ("she", "he")] * 25
    more = [job.format("he") for job in jobs]
    scores = [GenBitMetrics("en", percentile_cutoff=0) for _ in range(4)]
    for number, metrics in enumerate(scores):
        metrics.add_data(both + more * 50 * number)
    found = [metrics.get_metrics()["genbit_score"] for metrics in scores]
    assert found[0] == 0
    assert found == sorted(found)
    divided = GenBitMetrics("en", percentile_cutoff=0)
    divided.add_data([job.format("she" if n < 2 else "he") for n, job in enumerate(jobs)] * 25)
    assert divided.get_metrics()["genbit_score"] > 1 > found[3] > 0


@given(st.lists(st.sampled_from(["cooks", "sings", "{} cooks", "{} sings well", "well {}"]), min_size=1, max_size=10))
def test_swapping_genders_changes_the_sign_only(frames: list[str]) -> None:
    female, male = ([frame.format(word) for frame in frames] for word in ("she", "he"))
    one, other = measure([*female, "he drives"]), measure([*male, "she drives"])
    assert one["genbit_score"] == pytest.approx(other["genbit_score"], abs=1e-12)
    name = "avg_bias_conditional"
    assert one["additional_metrics"][name] == pytest.approx(-other["additional_metrics"][name], abs=1e-12)


words = st.sampled_from("she he they trans cis man woman butch the cooks sings Über engine garden".split())


@given(st.lists(st.lists(words, max_size=8).map(" ".join), min_size=1, max_size=12), st.sampled_from(["code", "paper"]))
def test_every_figure_is_a_number_and_json(texts: list[str], compat: str) -> None:
    from rewriter.errors import MetricError

    metrics = GenBitMetrics("en", compat=compat)
    metrics.add_data(texts)
    try:
        found = metrics.get_metrics()
    except MetricError:
        return
    json.dumps(found, allow_nan=False)
    assert {type(v) for v in found["statistics"].values()} <= {int, float}


# Lemmas


def test_lemmas_merge_forms_but_not_gendered_words() -> None:
    lemmas = {"cooks": "cook", "cooked": "cook", "waitress": "waiter"}
    texts = ["She cooks", "He cooked", "The waitress sings", "The waiter sings"]
    found = measure(texts, lemmas=lemmas)
    assert found["token_based_metrics"]["cook"]["frequency"] == 2
    assert found["token_based_metrics"]["cook"]["bias_ratio"] == 0
    assert found["percentage_of_female_gender_definition_words"] == 0.5


def test_lemmas_by_function_table_and_pipeline_agree(tmp_path: Any) -> None:
    spacy = pytest.importorskip("spacy")
    table = {"cooks": "cook", "sings": "sing"}
    path = tmp_path / "lemmas.tsv"
    path.write_text("# forms\ncooks\tcook\nsings\tsing\n", encoding="utf-8")
    (tmp_path / "lemmas.json").write_text(json.dumps(table), encoding="utf-8")
    nlp = spacy.blank("en")
    nlp.add_pipe("lemmatizer", config={"mode": "lookup"})
    lookups = spacy.lookups.Lookups()
    lookups.add_table("lemma_lookup", table)
    nlp.get_pipe("lemmatizer").initialize(lookups=lookups)
    sources: list[Any] = [table, table.get, path, str(path), tmp_path / "lemmas.json", nlp]
    sources[1] = lambda word: table.get(word, word)
    found = [measure(TEXTS, lemmas=source) for source in sources]
    assert all(one == found[0] for one in found)
    assert set(found[0]["token_based_metrics"]) == {"cook", "sing"}


def test_an_empty_lemma_leaves_the_word_out() -> None:
    assert set(measure(TEXTS, lemmas=lambda word: "" if word == "cooks" else word)["token_based_metrics"]) == {"sings"}


# Move over by changing the import


def test_the_original_s_calls_work() -> None:
    metrics = GenBitMetrics("EN", context_window=5, distance_weight=0.95, percentile_cutoff=80)
    metrics.add_data(["I think she does not like cats. I think he does not like cats.", "He is a dog person."])
    metrics.add_data("one string is one document", tokenized=False)
    metrics.add_data([["She", "sings", "."]], tokenized=True)
    short = metrics.get_metrics(output_statistics=False, output_word_list=False)
    assert "statistics" not in short and "token_based_metrics" not in short
    again = metrics.get_metrics()
    assert {key: again[key] for key in short} == short
    metrics.add_data(["She sings again."])
    assert metrics.get_metrics()["statistics"]["freq_of_female_gender_definition_words"] == 3


def test_counts_of_yesterday_are_added() -> None:
    whole, today = GenBitMetrics("en"), GenBitMetrics("en")
    whole.add_data(TEXTS)
    yesterday = GenBitMetrics("en")
    yesterday.add_data(TEXTS[:2])
    today.add_data(TEXTS[2:])
    today.add_counts(yesterday.counts)
    assert today.get_metrics() == whole.get_metrics()


# Shipped lists


@pytest.mark.parametrize(
    ("lang", "male", "female"),
    [("en", 257, 258), ("de", 482, 583), ("fr", 234, 299), ("es", 236, 365), ("it", 240, 389), ("ru", 679, 1406)],
)
def test_lists_are_those_that_the_original_ships(lang: str, male: int, female: int) -> None:
    from lexicons.loader import read_table

    rows = read_table(lang, "genbit")
    assert len([row for row in rows if row["group"] == "male"]) == male
    assert len([row for row in rows if row["group"] == "female"]) == female
    assert len({tuple(row.items()) for row in rows}) == len(rows)
    assert len(read_table(lang, "stop_words")) > 500


def test_six_languages_count() -> None:
    texts = {
        "de": ["Die Lehrerin lacht", "Der Lehrer lacht"],
        "en": ["The waitress laughs", "The waiter laughs"],
        "es": ["La madre ríe", "El padre ríe"],
        "fr": ["La serveuse rit", "Le serveur rit"],
        "it": ["La maestra ride", "Il maestro ride"],
        "ru": ["Женщина смеётся", "Мужчина смеётся"],
    }
    assert sorted(texts) == languages()
    for lang, documents in texts.items():
        metrics = GenBitMetrics(lang)
        metrics.add_data(documents)
        found = metrics.get_metrics()
        assert found["percentage_of_female_gender_definition_words"] == 0.5, lang
        assert found["genbit_score"] == 0, lang


@pytest.mark.parametrize("lang", languages())
def test_tables_name_source_and_licence(lang: str) -> None:
    from importlib.resources import files

    for name in ("genbit", "stop_words"):
        text = files("lexicons").joinpath(lang, f"{name}.tsv").read_text(encoding="utf-8")
        head = " ".join(line for line in text.splitlines() if line.startswith("#"))
        assert "Source:" in head and "Licence: MIT, Copyright (c)" in head
