"""The figures that GenBiT's own project expects, from its own inputs."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from eval.genbit import GenBitMetrics, Lexicon, Settings
from eval.genbit.lexicon import FEMALE, GROUPS, MALE
from eval.genbit.metrics import cooccurrence

pytestmark = pytest.mark.data

#: what the original's tagger gives for the words of these sentences, where it is another word; everything else stays
LEMMAS = """
applications application, arrested arrest, broke break, broken break, called call, cards card, completed complete,
conditions condition, confided confide, encouraged encourage, explained explain, finished finish, helped help,
informed inform, issued issue, issues issue, left leave, met meet, notified notify, operated operate, paid pay,
paintings painting, performed perform, purchased purchase, purchases purchase, reading read, recommended recommend,
repairing repair, spoke speak, taxes tax, told tell, warned warn, weeks week
"""
#: where the original has 0, because of a line at the wrong depth
DEVIATION = 0.1790225045866468


@pytest.fixture(scope="module")
def folder() -> Path:
    root = os.environ.get("GENDER_FAIR_DATA")
    if not root or not (Path(root) / "genbit").is_dir():
        pytest.skip("GENDER_FAIR_DATA is not set, or has no folder genbit")
    return Path(root) / "genbit"


def read(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def measured(folder: Path) -> GenBitMetrics:
    """1,080 sentences as one document; only the two binary lists."""
    lemmas = dict(pair.split() for pair in LEMMAS.split(","))
    lexicon = Lexicon.shipped("en", non_binary=False, trans_cis=False)
    metrics = GenBitMetrics("en", 5, 0.95, 80, lexicon=lexicon, lemmas=lemmas)
    metrics.add_data([read(folder, "input/winogender_en_50_tokenized.tsv")], tokenized=True)
    return metrics


def test_overall_metrics(folder: Path, measured: GenBitMetrics) -> None:
    expected = read(folder, "expected/winogender_en_50_overall_metrics.json")
    for name in ("std_dev_bias_ratio", "std_dev_bias_conditional"):
        assert expected["additional_metrics"][name] == 0, "the original's slip"
        expected["additional_metrics"][name] = DEVIATION
    found = measured.get_metrics(False, False)
    further = expected.pop("additional_metrics")
    assert found.pop("additional_metrics") == pytest.approx(further, rel=1e-10, abs=1e-12)
    assert found == pytest.approx(expected, rel=1e-10)
    assert found["genbit_score"] == pytest.approx(0.4453376255, abs=5e-11)


def test_statistics(folder: Path, measured: GenBitMetrics) -> None:
    expected = read(folder, "expected/winogender_en_50_statistics_metrics.json")
    assert measured.get_metrics()["statistics"] == pytest.approx(expected, rel=1e-10)


def test_every_row_of_the_words(folder: Path, measured: GenBitMetrics) -> None:
    expected = read(folder, "expected/winogender_en_50_word_based_metrics.json")
    found = measured.get_metrics()["token_based_metrics"]
    assert set(found) == set(expected)
    for word, row in expected.items():
        assert found[word] == pytest.approx(row, rel=1e-10), word


def test_keys_are_those_of_the_original(folder: Path, measured: GenBitMetrics) -> None:
    structure = read(folder, "expected/result_structure.json")
    found = measured.get_metrics()
    assert set(structure) <= set(found)
    assert set(structure["additional_metrics"]) <= set(found["additional_metrics"])
    assert set(structure["statistics"]) <= set(found["statistics"])
    row = next(iter(found["token_based_metrics"].values()))
    assert set(next(iter(structure["token_based_metrics"].values()))) <= set(row)


def benchmark() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "audit_speed.py"
    spec = importlib.util.spec_from_file_location("audit_speed", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_cooccurrence_matrix_exactly(folder: Path, measured: GenBitMetrics) -> None:
    """Words and frequencies are equal. The file's sums were added up one by one, which the plain implementation of the
    benchmark repeats to the last bit; ours are the same sums without the errors of adding."""
    expected = read(folder, "expected/winogender_en_50_cooccurrence.json")
    plain = benchmark().PlainGenBit(measured.lexicon, 5, 0.95)
    plain.add_tokens(read(folder, "input/winogender_en_50_tokenized.tsv"))
    assert {w: {g: row[g] for g in ("count", "female", "male")} for w, row in plain.matrix.items()} == expected

    matrix = cooccurrence(measured.counts, measured.lexicon, Settings())
    assert dict(zip(matrix.words, matrix.frequency.tolist(), strict=True)) == {
        word: row["count"] for word, row in expected.items()
    }
    for place, word in enumerate(matrix.words):
        for group in (FEMALE, MALE):
            ours = float(matrix.weighted[place, GROUPS.index(group)])
            assert math.isclose(ours, expected[word][group], rel_tol=2e-14), (word, group)


def score(folder: Path, name: str, **options: Any) -> dict[str, Any]:
    metrics = GenBitMetrics("en", **options)
    metrics.add_data((folder / "input" / name).read_text(encoding="utf-8").splitlines())
    return metrics.get_metrics(output_word_list=False)


def shares(found: dict[str, Any]) -> dict[str, float]:
    return {
        group: found[f"percentage_of_{group}_gender_definition_words"]
        for group in ("female", "male", "non_binary", "trans", "cis")
    }


def test_non_binary_text_leans_nowhere(folder: Path) -> None:
    found = score(folder, "non_binary_test.txt")
    assert found["genbit_score"] == 0
    assert shares(found) == {"female": 0, "male": 0, "non_binary": 1, "trans": 1, "cis": 0}


def test_balanced_binary_and_non_binary_text(folder: Path) -> None:
    found = score(folder, "balanced_binary_non_binary_test.txt")
    assert found["genbit_score"] == pytest.approx(0.3585693, abs=5e-8)
    assert shares(found) == pytest.approx({"female": 0.24, "male": 0.3, "non_binary": 0.46, "trans": 1, "cis": 0})


def test_trans_and_cis_in_balance(folder: Path) -> None:
    found = score(folder, "balanced_trans_cis_test.txt", percentile_cutoff=0)
    assert found["genbit_score"] == 0
    assert shares(found) == {"female": 0.5, "male": 0.5, "non_binary": 0, "trans": 0.5, "cis": 0.5}
    further = found["additional_metrics"]
    assert further["avg_non_binary_bias_ratio"] == pytest.approx(1.5205103682922658, rel=1e-10)
    for name in ("bias_ratio", "bias_conditional"):
        assert further[f"avg_trans_cis_{name}"] == further[f"avg_trans_cis_{name}_absolute"] == 0


def test_trans_without_cis(folder: Path) -> None:
    found = score(folder, "trans_cis_test.txt")
    assert found["genbit_score"] == 0
    assert shares(found) == {"female": 0.375, "male": 0.375, "non_binary": 0.25, "trans": 1, "cis": 0}
    assert found["additional_metrics"]["avg_trans_cis_bias_ratio"] == pytest.approx(-1.548421887461201, rel=1e-10)
