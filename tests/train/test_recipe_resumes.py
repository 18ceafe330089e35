"""A shipped recipe, shortened to 200 steps: interrupted or not, it ends with the same weights."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from train.recipe.schema import load_rewriter_recipe
from train.recipe.stages import recipe_stages
from train.stages import Choice, run_stages

STEPS, STOP = 200, 130
SHORT = (
    f"edits.steps={STEPS}",
    "edits.warmup=20",
    "edits.tokens_per_batch=300",
    "edits.save_every=50",
    "edits.eval_every=100",
    "gold.limit=400",
    "mix.dev_size=20",
    "encoder.start_layers=2",
)


def run(folder: Path) -> None:
    """Run the recipe from the read sentences to the trained network."""
    recipe = load_rewriter_recipe("de-large", overrides=[f"data.root={os.environ['GENDER_FAIR_DATA']}", *SHORT])
    run_stages(recipe_stages(recipe), folder, Choice(until="edits"))


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.skipif(
    not {"GENDER_FAIR_DATA", "GENDER_FAIR_ENCODERS"} <= os.environ.keys(),
    reason="needs the corpora and the pretrained encoders",
)
def test_an_interrupted_run_ends_with_the_weights_of_an_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    from train.edits.trainer import LogLosses

    def interrupt(self: Any, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.global_step == STOP:
            raise KeyboardInterrupt

    run(tmp_path / "whole")
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(LogLosses, "on_step_end", interrupt)
        run(tmp_path / "resumed")
    assert not (tmp_path / "resumed" / "edits" / "head.json").exists()
    run(tmp_path / "resumed")
    for name in ("encoder/model.safetensors", "head.json"):
        assert (tmp_path / "resumed" / "edits" / name).read_bytes() == (
            tmp_path / "whole" / "edits" / name
        ).read_bytes()
