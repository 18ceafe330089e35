"""How many of the top examples two scores share: by hand, ties, the command."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from eval.example_scores.overlap import overlap, overlap_table, top
from rewriter.cli.main import main
from rewriter.errors import InputError, UsageError


def test_overlap_by_hand() -> None:
    first, second = np.array([9.0, 8, 7, 6, 1, 0, 0, 0, 0, 0]), np.array([0, 8.0, 7, 6, 9, 0, 0, 0, 0, 0])
    assert overlap(first, second, 0.4) == 3 / 4 and overlap(first, first, 0.4) == 1
    assert overlap(first, -first, 0.1) == 0 and overlap(first, second, 1.0) == 1
    assert overlap(first, second, 0.4) == overlap(second, first, 0.4)


def test_equal_scores_are_drawn_by_lot_and_agree_by_chance() -> None:
    nothing = np.zeros(4000)
    assert overlap(nothing, nothing, 0.25) == pytest.approx(0.25, abs=0.05)
    assert top(nothing, 0.5, np.random.default_rng(1)).tolist() == top(nothing, 0.5, np.random.default_rng(1)).tolist()


@pytest.mark.parametrize(("sides", "share", "error"), [((3, 2), 0.5, InputError), ((3, 3), 1.5, UsageError)])
def test_what_cannot_be_compared(sides: tuple[int, int], share: float, error: type[Exception]) -> None:
    with pytest.raises(error):
        overlap(np.zeros(sides[0]), np.zeros(sides[1]), share)
    with pytest.raises(UsageError, match="is none; take a larger share"):
        overlap(np.zeros(3), np.zeros(3), 0.1)


def test_a_row_for_each_other_score_and_chance() -> None:
    table = overlap_table("GE", np.arange(10.0), {"seed 1": np.arange(10.0), "EL2N": -np.arange(10.0)}, (0.2, 0.5))
    assert table.rows == [
        ["GE / seed 1", "1.000", "1.000"],
        ["GE / EL2N", "0.000", "0.000"],
        ["by chance", "0.200", "0.500"],
    ]


def test_the_command_compares_columns_and_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"text": f"t{n}", "GE": n, "GE 1": n, "EL2N": -n} for n in range(10)]
    for name, sign in (("bert", 1), ("other", -1)):
        lines = [json.dumps({**row, "GE": sign * row["GE"]}) for row in rows]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    bert, other = (str(tmp_path / f"{name}.jsonl") for name in ("bert", "other"))
    assert main(["eval", "score-overlap", bert, "--against", "GE 1", "EL2N", "--shares", "0.3"]) == 0
    assert "GE / GE 1  1.000" in capsys.readouterr().out
    assert main(["eval", "score-overlap", bert, "--table", other, "--shares", "0.3", "0.5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0] == {"scores": "GE / other", "30 %": "0.000", "50 %": "0.000"}
    assert main(["eval", "score-overlap", bert]) == 2
