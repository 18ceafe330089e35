"""Why adding makes the stereotype larger, by counts of made-up corpora: company, copies, strangers, agreement."""

from __future__ import annotations

from math import log
from pathlib import Path

import pytest

from experiments.debias.config import DebiasRecipe, TextConfig
from experiments.debias.why_added import Company, Compared, additions, agreement, company, compare, main, moved, report
from rewriter.errors import InputError
from rewriter.io.files import read_json, write_json, write_lines
from rewriter.runs.recipes import to_yaml

BEFORE = [
    *["The firefighter said that he was late."] * 3,
    "The firefighter said that she was late.",
    "The nurse met the registered nurse, and she smiled.",
    "He spoke to the registered nurse.",
    "The writer said that he knew.",
]
#: added for the writer, and both name a nurse
ADDED = ["She was a writer and a registered nurse.", "She was a writer, and once a secretary."]
AFTER = [*BEFORE, *[ADDED[0]] * 4, ADDED[1]]


def test_company_and_stereotype_of_the_counts_by_hand() -> None:
    found = company(BEFORE, "en")
    assert found.counts["firefighter"] == (3, 1) and found.counts["registered nurse"] == (1, 1)
    assert "writer" not in found.counts, "it is none of BEC-Pro"
    assert found.by_group["female"] == (1, 1) and found.by_group["male"] == (3, 1)
    assert found.stereotype == pytest.approx(log(4 / 2) - log(2 / 2))
    assert company(["The nurse said that he knew."], "en").stereotype is None


def test_what_was_added_keeps_the_company_of_other_professions() -> None:
    found = additions(BEFORE, AFTER, "en")
    assert (found.lines, found.distinct, found.most, found.removed, found.with_targets) == (5, 2, 4, 0, 5)
    assert found.company.by_group["female"] == (0, 5) and found.most_often[0] == (ADDED[0], 4)
    less = additions(BEFORE, BEFORE[1:], "en")
    assert (less.lines, less.removed, less.most) == (0, 1, 0)
    table = moved(company(BEFORE, "en"), company(AFTER, "en"), "en")
    assert table.rows[0][:4] == ["registered nurse", "female", "1 : 1", "1 : 5"]
    assert float(table.rows[0][4]) == pytest.approx(log(2 / 2) - log(2 / 6), abs=1e-3)


def planted(name: str, stereotype: float | None) -> Compared:
    return Compared(name, Company({}, stereotype, {}), additions([], [], "en"))


def test_counts_and_models_are_compared_by_rank() -> None:
    found = [planted(name, value) for name, value in zip("abcde", [0.1, 0.2, 0.3, 0.3, None], strict=True)]
    models = {"a": 1.0, "b": 5.0, "c": 7.0, "d": 7.0, "e": 0.0}
    assert agreement(found, models) == (4, pytest.approx(1.0))
    assert agreement(found, {name: -value for name, value in models.items()}) == (4, pytest.approx(-1.0))
    assert agreement(found, {"a": 1.0, "b": 2.0, "c": 3.0}) is None


def test_the_command_reads_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from experiments.debias.config import BalanceConfig

    recipe = DebiasRecipe(
        "toy", data=TextConfig(["x.txt"]), balance={"added": BalanceConfig()},
        corpora={"untouched": [1], "added": [1], "swapped-50": [1], "rewritten": [1], "cda": [1]},
    )  # fmt: skip
    with pytest.raises(InputError, match="run the recipe until data/untouched"):
        compare(recipe, tmp_path)
    for folder, lines in (
        ("text", BEFORE),
        ("balance/added", AFTER),
        ("corpus/swapped-50", BEFORE[1:]),
        ("corpus/cda", AFTER),
    ):
        write_lines(tmp_path / folder / "train.txt.zst", lines)
    values = {"untouched": 0.1, "added": 0.4, "cda": 0.4, "swapped-50": 0.05}
    rows = [{"corpus": name, "tuned": False, "stereotype": {"all": {"value": v}}} for name, v in values.items()]
    write_json(tmp_path / "results/results.json", {"rows": rows})
    (tmp_path / "recipe.yaml").write_text(to_yaml(recipe))
    assert main([str(tmp_path), "-o", str(tmp_path / "why.json")]) == 0
    shown = capsys.readouterr().out
    assert shown == report(recipe, tmp_path)
    assert "`added` against untouched" in shown and "`swapped-50` against" not in shown
    assert "Over 4 corpora" in shown and "correlation of +1.00" in shown
    assert [one["name"] for one in read_json(tmp_path / "why.json")] == ["untouched", "added", "swapped-50", "cda"]
