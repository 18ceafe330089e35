"""``gender-fair run``, ``train`` and ``export``: output, errors, and a tiny run from pairs to a scored model."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from rewriter.cli.main import main
from rewriter.model.directory import load_info
from rewriter.runs.manifest import Manifest
from train.stages import RECORD

NAMES = ("The nurse", "My neighbour", "The pilot", "Our teacher", "A friend", "The baker", "The clerk", "That guest")
ACTIONS = (
    ("says that she likes her tea", "says that they like their tea"),
    ("thinks he is late for his train", "thinks they are late for their train"),
    ("knows what she wants", "knows what they want"),
    ("said he has lost his keys", "said they have lost their keys"),
    ("waits until she sees her friends", "waits until they see their friends"),
    ("waits in the rain", "waits in the rain"),
)
PLACES = ("", " in the morning", " after lunch", " at the station", " before the meeting", " on Monday")

RECIPE = """\
name: toy
lang: en
pairs: ["{pairs}"]
mix: {{neutral_share: 0.1, fair_copies: 0.2, dev_size: 20}}
tokenizer: {{vocab_size: 340}}
train:
  encoder_layers: 1
  decoder_layers: 1
  d_model: 32
  ffn: 64
  heads: 2
  steps: 6
  eval_every: 3
  warmup: 2
  averaging: 1
  dev_sentences: 5
  tokens_per_batch: 256
  precision: fp32
  threads: 1
export: {{}}
score: {{dev_pairs: 5, samples: 50, tables: ["{table}"]}}
"""


def make_recipe(folder: Path) -> Path:
    """Write a recipe over ready pairs (invented sentences), so that no parser is needed."""
    pairs, table, recipe = folder / "pairs.jsonl", folder / "own.tsv", folder / "toy.yaml"
    with pairs.open("w") as stream:
        for number, (name, (source, target), place) in enumerate(product(NAMES, ACTIONS, PLACES)):
            form = "neutral" if source == target else "feminine" if "she" in source else "masculine"
            record = {"source": f"{name} {source}{place}.", "target": f"{name} {target}{place}."}
            stream.write(
                json.dumps({**record, "strategy": "forward", "form": form, "origin": f"a.txt:{number}00"}) + "\n"
            )
    table.write_text("construction\tsource\ttarget\nverb\tShe knows.\tThey know.\nkeep\tIt rains.\tIt rains.\n")
    recipe.write_text(RECIPE.format(pairs=pairs, table=table))
    return recipe


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("GENDER_FAIR_TESTSETS", raising=False)
    monkeypatch.chdir(tmp_path)
    return make_recipe(tmp_path)


def test_a_dry_run_prints_the_plan_and_makes_nothing(recipe: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(recipe), "--dry-run"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines] == ["mix", "tokenizer", "train", "export", "score"]
    assert all(line[1:] == ["run", "not", "run", "yet"] for line in lines)
    assert not Path("runs").exists()


def test_the_plan_as_json(recipe: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(recipe), "--dry-run", "--json", "-o", "here", "--until", "tokenizer"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["output"] == "here"
    assert [stage["stage"] for stage in answer["stages"]] == ["mix", "tokenizer"]


MISTAKES = {
    "a misspelt key": (["run", "toy.yaml", "--set", "train.step=1"], "'train.step' (did you mean 'steps'?)"),
    "a misspelt stage": (["run", "toy.yaml", "--until", "trian"], "there is no stage 'trian' (did you mean 'train'?)"),
    "a misspelt recipe": (["run", "en-smal"], "there is no recipe 'en-smal' (did you mean 'en-small'?)"),
    "an override without value": (["run", "toy.yaml", "--set", "train.steps"], "write it as key.path=value"),
    "nothing to start from": (["train", "rewriter", "toy.yaml", "--init", "no-such"], "there is no model 'no-such'"),
    "a missing input": (["run", "toy.yaml", "--set", "pairs=[gone.jsonl]"], "gone.jsonl"),
    "no data folder": (["train", "parser", "parser-en", "--set", "data.root=gone"], "data folder gone does not exist"),
    "no parser section": (["train", "parser", "toy.yaml"], "there is no stage 'parser'"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_end_with_one_sentence(mistake: str, recipe: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words, message = MISTAKES[mistake]
    assert main(words) in (2, 4)
    error = capsys.readouterr().err
    assert message in error and error.startswith("gender-fair: ")
    assert not Path("runs").exists()


def test_the_mixture_of_ready_pairs(recipe: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(recipe), "--until", "mix"]) == 0
    assert capsys.readouterr().out.strip() == str(Path("runs") / "toy")
    assert (Path("runs") / "toy" / "mix" / "train.jsonl.zst").stat().st_size > 0
    assert main(["run", str(recipe), "--only", "mix"]) == 0
    assert "mix: stands" in capsys.readouterr().err
    assert main(["run", str(recipe), "--only", "mix", "--set", "mix.seed=2"]) == 2
    assert "seed: was 1, is 2" in capsys.readouterr().err
    assert main(["run", str(recipe), "--only", "mix", "--set", "mix.seed=2", "--redo", "mix"]) == 0


@pytest.mark.slow
def test_from_pairs_to_a_scored_model_and_on_to_fine_tuning(recipe: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    assert main(["run", str(recipe), "-o", "run"]) == 0
    run = Path("run")
    info = load_info(run / "export" / "model")
    assert (info.name, info.lang, info.target) == ("toy", "en", "full")
    assert {score["set"] for score in info.scores} == {"own", "dev-pairs"}
    assert all(score["signature"].startswith("wer|") for score in info.scores)
    assert "| dev-pairs |" in (run / "export" / "model" / "README.md").read_text()
    assert [row["file"] for row in info.data] == ["pairs.jsonl"]
    report = json.loads((run / "run.json").read_text())
    assert [stage["stage"] for stage in report["stages"]] == ["mix", "tokenizer", "train", "export", "score"]
    assert "| train |" in (run / "times.md").read_text()
    assert "learning_rate" in (run / "recipe.yaml").read_text()
    capsys.readouterr()

    assert main(["run", str(recipe), "-o", "run"]) == 0
    assert capsys.readouterr().err.count(": stands") == 5, "the second time there is nothing to do"

    assert main(["run", str(recipe), "-o", "run", "--set", "train.steps=9"]) == 0
    assert "train: continue (steps: was 6, is 9)" in capsys.readouterr().err
    trained = Manifest.load(run / "train")
    assert trained is not None and trained.counts["step"] == 9

    record = Manifest.load(run / "export", RECORD)
    assert record is not None and record.complete, "what was made from the weights followed them"

    words = ["train", "rewriter", str(recipe), "-o", "tuned", "--init", str(run / "train")]
    assert main(words) == 0
    assert (Path("tuned") / "tokenizer" / "sentencepiece.model").read_bytes() == (
        run / "tokenizer" / "sentencepiece.model"
    ).read_bytes(), "fine-tuning keeps the vocabulary"

    assert main(["export", str(run / "train"), "-o", "model", "--name", "mine", "--quantization", "float32"]) == 0
    assert load_info("model").name == "mine"
