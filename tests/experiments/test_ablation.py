"""Ablations: cells of a plan are trained, measured and reported, and stand when the command is given again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from experiments.ablation import AblationRun, Budget, Cell, chosen_pairs, load_plan, report_lines, run_ablation
from rewriter.errors import RecipeError, ResumeError, UsageError
from rewriter.io.files import read_json, write_json, write_pairs
from rewriter.records import Pair

PIECES = Path(__file__).parents[1] / "data" / "models" / "tiny-edits" / "pieces.model"
PLANS = Path(__file__).parents[2] / "experiments" / "ablation"

PLAN = """
lang: en
tables: [cases.tsv]
dev_pairs: 10
dense_share: 0.5
encoder: {layers: 1, hidden: 32, feed_forward: 64, heads: 2}
edits: {tokens_per_batch: 200, learning_rate: 1e-3, threads: 1, processes: 1, calibrate: 20}
tokenizer: {vocab_size: 400}
train: {encoder_layers: 1, decoder_layers: 1, d_model: 32, ffn: 64, heads: 2, tokens_per_batch: 300, warmup: 2,
        dev_sentences: 5, averaging: 1, precision: fp32, device: cpu, threads: 1}
cells:
  all: {group: Pairs}
  forward: {group: Pairs, strategies: [forward], balanced: false}
  small: {group: Size, hidden: 64, share: 0.5}
  seq2seq: {group: Target, target: full}
"""


def toy_pairs() -> list[Pair]:
    things, people = ("dog", "house", "friend", "plan", "song"), ("Tom", "The guard", "My aunt", "Nobody", "We")
    made = [
        Pair(f"{one} saw her {thing}.", f"{one} saw their {thing}.", strategy=strategy, form="feminine")
        for one in people
        for thing in things
        for strategy in ("forward", "backward")
    ]
    made += [Pair(f"{one} saw her again.", f"{one} saw them again.", strategy="backward") for one in people]
    made += [Pair(f"{one} met her friend.", f"{one} met their friend.", strategy="forward") for one in people]
    return made + [Pair(f"{one} sings.", f"{one} sings.", strategy="copy", form="neutral") for one in people]


@pytest.fixture
def shop(tmp_path: Path) -> AblationRun:
    for part in ("train", "dev"):
        write_pairs(tmp_path / "mix" / f"{part}.jsonl.zst", toy_pairs() * 3)
    (tmp_path / "plan.yaml").write_text(PLAN)
    (tmp_path / "cases.tsv").write_text(
        "id\tconstruction\tsource\ttarget\n1\tone\tI met her.\tI met them.\n2\tone\tIt rains.\tIt rains.\n"
    )
    plan = load_plan(tmp_path / "plan.yaml")
    return AblationRun(plan, tmp_path / "mix", PIECES, tmp_path / "out", Budget(updates=4))


@pytest.mark.slow
def test_cells_are_trained_and_stand(shop: AblationRun) -> None:
    pytest.importorskip("torch")
    report = run_ablation(shop).read_text()
    found = read_json(shop.output / "report.json")
    assert list(found) == ["all", "forward", "small", "seq2seq"]
    for name in found:
        assert found[name]["updates"] == 4
        assert {"cases", "dev-pairs"} <= found[name]["scores"]["strict"].keys() == found[name]["scores"]["off"].keys()
        assert f"| {name} |" in report
    assert found["forward"]["pairs"] == 3 * 35 and 0 < found["small"]["pairs"] < found["all"]["pairs"] == 3 * 65
    assert "### Size" in report and "exact|" not in report and "wer|lang:en" in report
    # the cells of one kind share pairs, labels and encoder
    shared = [path.name.split("-")[0] for path in sorted((shop.output / "shared").iterdir())]
    assert shared.count("pairs") == 3 and shared.count("encoder") == 2 and shared.count("labels") == 3

    times = {name: (shop.output / name / "model" / "model.bin").stat().st_mtime_ns for name in found}
    assert run_ablation(shop).read_text() == report
    assert times == {name: (shop.output / name / "model" / "model.bin").stat().st_mtime_ns for name in found}
    with pytest.raises(ResumeError, match="budget"):
        run_ablation(replace(shop, budget=Budget(updates=5)), ["forward"])


@pytest.mark.slow
def test_minutes_become_updates_once(shop: AblationRun) -> None:
    pytest.importorskip("torch")
    shop = replace(shop, budget=Budget(minutes=0.001))
    run_ablation(shop, ["forward"])
    budget = shop.output / "forward" / "budget.json"
    assert read_json(budget)["updates"] == read_json(shop.output / "report.json")["forward"]["updates"] == 10
    # what was measured first counts when the cell is interrupted
    manifest = shop.output / "forward" / "manifest.json"
    write_json(manifest, read_json(manifest) | {"complete": False})
    run_ablation(shop, ["forward"])
    assert read_json(shop.output / "report.json")["forward"]["updates"] == 10


def test_smaller_shares_are_part_of_larger_ones() -> None:
    pairs = toy_pairs() * 5
    parts = [list(chosen_pairs(iter(pairs), Cell(share=share), 1)) for share in (0.1, 0.3, 1.0)]
    numbers = [{id(pair) for pair in part} for part in parts]
    assert numbers[0] < numbers[1] < numbers[2]
    assert parts[2] == pairs


def test_copies_belong_to_every_strategy() -> None:
    chosen = list(chosen_pairs(iter(toy_pairs()), Cell(strategies=["forward"]), 1))
    assert {pair.strategy for pair in chosen} == {"forward", "copy"}
    assert len(chosen) == 35


def test_a_cell_may_want_no_negatives() -> None:
    chosen = list(chosen_pairs(iter(toy_pairs()), Cell(negatives=False), 1))
    assert chosen == [pair for pair in toy_pairs() if pair.source != pair.target]


def test_the_report_names_the_first_cell_in_every_table() -> None:
    scores = {
        mode: {"cases": {"wer": 1.0, "exact": exact, "signature": "wer|n:2"}}
        for mode, exact in (("strict", 98.0), ("off", 90.0))
    }
    row = {"pairs": 1000, "updates": 10, "minutes": 2.0, "bytes": 2_500_000, "labels right": 0.98, "scores": scores}
    lines = list(report_lines({"base": {"group": "A", **row}, "large": {"group": "B", **row}}))
    assert lines.count("| base | 1,000 | 10 | 2.0 | 2.5 | 98.00 % | 1.00 | 98.0 | 90.0 |") == 2
    assert lines[-1] == "cases: `wer|n:2`"


@pytest.mark.parametrize(("lang", "groups"), [("en", {"Pairs", "Target", "Data", "Size"}), ("de", {"Labels"})])
def test_the_shipped_plans_are_valid(lang: str, groups: set[str]) -> None:
    plan = load_plan(PLANS / f"{lang}.yaml")
    assert plan.lang == lang
    assert all(path.is_file() and "sealed" not in path.parts for path in plan.tables)
    assert {cell.group for cell in plan.cells.values()} == groups


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("cells.all.shar=0.1", "share"),
        ("cells.all.share=1.5", "share must be between 0 and 1, 0 excluded"),
        ("cells.all.target=none", "target must be one of"),
    ],
)
def test_mistakes_in_a_plan_are_named(shop: AblationRun, change: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        load_plan(shop.mix.parent / "plan.yaml", overrides=[change])


def test_mistakes_in_the_command_are_named(shop: AblationRun) -> None:
    with pytest.raises(UsageError, match="did you mean 'forward'"):
        run_ablation(shop, ["forwards"])
    for updates, minutes in ((0, 0.0), (5, 5.0)):
        with pytest.raises(UsageError, match="give a budget"):
            Budget(updates, minutes)


def test_a_plan_needs_cells(tmp_path: Path) -> None:
    (tmp_path / "empty.yaml").write_text("lang: en\ncells: {}\n")
    with pytest.raises(RecipeError, match="'cells' is empty"):
        load_plan(tmp_path / "empty.yaml")
