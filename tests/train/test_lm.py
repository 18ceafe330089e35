"""A small causal language model: it learns, is resumed exactly, reports perplexity, and is what prompting takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rewriter.errors import RecipeError
from rewriter.io.files import read_json
from rewriter.runs.recipes import build
from train.lm.config import LmRecipe, load_lm_recipe
from train.recipe.schema import shipped_recipes
from train.stages import Choice, run_stages

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("tokenizers")

from augment.round_trip.merge import Merger, make_merger
from augment.round_trip.prompting import PromptConfig, Prompter
from augment.round_trip.text_scorer import TextScorer
from train.lm.run import lm_stages

WHO = ["Die Lehrer*innen", "Die Ärzt*innen", "Das Kind", "Ein*e Bäcker*in"]
DOES = ["sieht den Fluss", "malt eine Lampe", "wartet am Hafen", "sucht das Buch"]


def recipe(folder: Path, **train: Any) -> LmRecipe:
    rng = np.random.default_rng(5)
    lines = [f"{WHO[rng.integers(4)]} {DOES[rng.integers(4)]}." for _ in range(1500)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "text.txt").write_text("\n".join(lines), encoding="utf-8")
    values = {
        "name": "tiny",
        "inputs": [str(folder / "text.txt")],
        "tokenizer": {"vocab_size": 400},
        "data": {"length": 24, "held_out": 0.05},
        "model": {"layers": 1, "hidden": 32, "heads": 2, "positions": 64},
        "train": {
            "steps": 60, "batch_size": 16, "learning_rate": 5e-3, "warmup": 5, "precision": "fp32", "device": "cpu",
            "eval_every": 30, "save_every": 20, "log_every": 20, "threads": 1, **train,
        },
    }  # fmt: skip
    return build(LmRecipe, values)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lm")
    run_stages(lm_stages(recipe(folder)), folder / "run", Choice())
    return folder / "run"


def perplexities(folder: Path) -> list[float]:
    lines = map(json.loads, (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines())
    return [line["perplexity"]["piece"] for line in lines if "perplexity" in line]


def test_it_learns_and_says_how_well(run: Path) -> None:
    found = perplexities(run / "train")
    assert len(found) == 2 and found[1] < found[0] < 400
    counts = read_json(run / "train" / "manifest.json")["counts"]
    assert counts["perplexity piece"] == found[-1] < counts["perplexity word"]
    assert counts["perplexity pieces"] > 100


def test_interrupted_training_ends_with_the_same_weights(run: Path, tmp_path: Path) -> None:
    from train.loop import checkpointed

    interrupted = recipe(tmp_path)

    class StoppedError(Exception):
        pass

    def stop(self: Any, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.global_step == 30:
            raise StoppedError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpointed.Recorder, "on_step_end", stop)
        with pytest.raises(StoppedError):
            run_stages(lm_stages(interrupted), tmp_path / "run", Choice())
    assert not (tmp_path / "run" / "train" / "model").exists()
    run_stages(lm_stages(interrupted), tmp_path / "run", Choice())
    stored = [(folder / "train" / "model" / "model.safetensors").read_bytes() for folder in (run, tmp_path / "run")]
    assert stored[0] == stored[1]


def test_prompting_goes_on_from_it(run: Path) -> None:
    prompter = Prompter(PromptConfig(str(run / "train" / "model"), new_tokens=12))
    beginnings = ["Ein*e Bäcker*in", "Ein*e Ärzt*in sieht"]
    texts = prompter.continued(beginnings, seed=3)
    assert all(
        text.startswith(beginning) and text != beginning for text, beginning in zip(texts, beginnings, strict=True)
    )
    assert texts == prompter.continued(beginnings, seed=3)


def test_it_finds_what_it_has_seen_likelier(run: Path) -> None:
    seen, shuffled, short = TextScorer(str(run / "train" / "model"))(
        ["Das Kind malt eine Lampe.", "Lampe eine. Das malt Kind", ""]
    )
    assert seen > shuffled
    assert short == 0.0


def test_merged_sources_that_it_finds_unlikely_are_refused(run: Path) -> None:
    values = {"scorer": str(run / "train" / "model"), "lang": "de"}
    strict, easy = (make_merger({**values, "most_worse": most}) for most in (-100.0, 100.0))
    assert isinstance(strict, Merger)
    texts = ("Die Ärztinnen sieht den Fluss.", "Die Ärzt*innen sieht den Fluss.")
    assert strict._is_worse(*texts) and not easy._is_worse(*texts)
    assert not strict._is_worse(texts[0], texts[0]), "what was not changed is not worse"


def test_the_shipped_recipe_fits() -> None:
    path = next(path for path in shipped_recipes() if path.stem == "lm-de")
    loaded = load_lm_recipe(path, overrides=["data.root=folder"])
    assert (loaded.name, loaded.kind) == ("lm-de", "lm")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("inputs: [x]\nmodel: {hidden: 30, heads: 4}", "multiple of heads"),
        ("inputs: [x]\ndata: {length: 999}", "model.positions"),
        ("inputs: [x]\ndata: {packing: pairs}", "reads blocks"),
        ("inputs: [x]\ntrain: {stepps: 3}", "did you mean 'steps'"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "lm.yaml").write_text(f"kind: lm\n{text}\n", encoding="utf-8")
    with pytest.raises(RecipeError, match=message):
        load_lm_recipe(tmp_path / "lm.yaml")
