"""Released outputs score what the papers print: Amrhein et al. (2023), to two decimals."""

import os
from pathlib import Path

import pytest

from eval.suite import NOTHING, SuiteOptions, run_suite

FOLDER = os.environ.get("GENDER_FAIR_TESTSETS")
pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not FOLDER, reason="GENDER_FAIR_TESTSETS does not name the folder of published test sets"),
]

ENGLISH = {
    "sun-gendered": {
        NOTHING: "10.72",
        "sun-et-al": "0.57",
        "forward-augmentation-reimplementation": "0.42",
        "backward-augmentation": "0.43",
    },
    "opensubtitles": {
        NOTHING: "14.03",
        "vanmassenhove-et-al": "0.43",
        "forward-augmentation-reimplementation": "0.30",
        "backward-augmentation": "0.24",
    },
    "sun-non-gendered": {
        NOTHING: "0.00",
        "sun-et-al": "0.00",
        "forward-augmentation-reimplementation": "0.00",
        "backward-augmentation": "0.00",
    },
}

#: half of the published set, with the figures of that half (English tokenizer, as in the paper)
GERMAN = {
    NOTHING: ("20.33", "16.96", "14.45", "25.74", "22.13", "15.70", "23.93", "0.00"),
    "diesner-mayer-seidel": ("15.17", "17.08", "3.45", "26.09", "11.90", "10.26", "19.00", "0.17"),
    "round-trip-augmentation": ("17.65", "12.21", "9.04", "25.29", "20.98", "10.63", "23.13", "0.00"),
    "round-trip-augmentation-merged": ("16.16", "11.03", "5.14", "24.98", "19.94", "8.09", "22.46", "0.25"),
    "round-trip-augmentation-merged-LM-prompting": (
        "15.33", "9.98", "6.29", "23.10", "18.78", "8.13", "20.94", "0.17",
    ),
    "round-trip-augmentation-merged-gender-control": (
        "13.77", "2.27", "5.38", "23.10", "19.96", "3.82", "21.53", "0.08",
    ),
    "round-trip-augmentation-all": ("12.89", "2.75", "6.11", "20.62", "18.36", "4.43", "19.49", "0.21"),
}  # fmt: skip
BLOCKS = ("feminine-plural", "masculine-plural", "feminine-singular", "masculine-singular", "plural", "singular")


def test_english_outputs():
    result = run_suite(None, Path(str(FOLDER)) / "en")
    found = {
        name: {system: f"{row[name].wer.score:.2f}" for system, row in result.scores.items() if name in row}
        for name in result.sets
    }
    assert found == ENGLISH


def test_german_outputs_with_the_english_tokenizer():
    result = run_suite(None, Path(str(FOLDER)) / "de", options=SuiteOptions(lang="de", tokenizer="moses-en"))
    found = {}
    for system, row in result.scores.items():
        gendered = row["tiger-gendered"]
        figures = (
            gendered.wer.score,
            *(gendered.blocks[block].score for block in BLOCKS),
            row["tiger-non-gendered"].wer.score,
        )
        found[system] = tuple(f"{figure:.2f}" for figure in figures)
    assert found == GERMAN
