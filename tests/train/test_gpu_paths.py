"""The paths that a GPU takes: precisions, accumulation, several processes, another machine. With CUDA, there."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from folder_tools import metrics
from torchrun_tools import torchrun

from rewriter.errors import ModelError, ParserError
from train.loop import processes
from train.parser import ParserConfig, _gpu
from train.seq2seq import train_seq2seq

torch = pytest.importorskip("torch")

HAS_CUDA = torch.cuda.is_available()
ON_GPU = pytest.mark.skipif(not HAS_CUDA, reason="torch sees no GPU here")
DEVICES = ["cpu", pytest.param("cuda", marks=ON_GPU)]


def train(toy: Any, output: Path, **changes: Any) -> list[dict[str, Any]]:
    config = toy.config(**{"steps": 40, "eval_every": 20, "log_every": 10, "dropout": 0.0, **changes})
    train_seq2seq(config, data=toy.data, tokenizer=toy.tokenizer, output=output)
    return metrics(output)


def losses(lines: list[dict[str, Any]]) -> list[float]:
    return [line["loss"] for line in lines if "loss" in line]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("precision", ["bf16", "fp16"])
def test_half_precisions_learn_like_whole_ones(toy: Any, tmp_path: Path, precision: str, device: str) -> None:
    if precision == "fp16" and device == "cpu":
        with pytest.raises(ModelError, match="fp16 needs a GPU"):
            train(toy, tmp_path / "half", precision=precision, device=device)
        return
    half = train(toy, tmp_path / "half", precision=precision, device=device)
    whole = train(toy, tmp_path / "whole", precision="fp32", device=device)
    assert losses(half) == pytest.approx(losses(whole), rel=0.05)
    assert losses(half) != losses(whole), "else nothing was computed in half precision"


@pytest.mark.parametrize("device", DEVICES)
def test_a_batch_in_two_parts_is_a_batch(toy: Any, tmp_path: Path, device: str) -> None:
    """Two batches of an update learn from as many tokens as one of twice the size; the loss is divided by them all."""
    parts = train(toy, tmp_path / "parts", tokens_per_batch=300, accumulation=2, device=device)
    whole = train(toy, tmp_path / "whole", tokens_per_batch=600, device=device)
    counted = [
        next(line["tokens"] for line in lines if line.get("step") == 40 and "loss" in line) for lines in (parts, whole)
    ]
    assert counted[0] == pytest.approx(counted[1], rel=0.15)
    assert losses(parts)[-1] == pytest.approx(losses(whole)[-1], rel=0.15)


@pytest.mark.parametrize("device", DEVICES)
def test_a_run_that_is_moved_goes_on_as_if_it_had_stayed(toy: Any, tmp_path: Path, device: str) -> None:
    """Another machine: other folders for run, pairs and vocabulary; nothing stored names the old ones."""
    train(toy, tmp_path / "here", steps=20, device=device)
    there = tmp_path / "there"
    shutil.copytree(tmp_path / "here", there / "run")
    shutil.copytree(toy.data, there / "pairs")
    shutil.rmtree(tmp_path / "here")
    stored = [path for path in (there / "run").rglob("*.json*") if str(tmp_path / "here") in path.read_text()]
    assert stored == []
    config = toy.config(steps=40, eval_every=20, log_every=10, dropout=0.0, device=device)
    pieces = there / "pairs" / "tokenizer"
    train_seq2seq(config, data=there / "pairs", tokenizer=pieces, output=there / "run")
    train(toy, tmp_path / "stayed", device=device)
    weights = [
        (folder / "checkpoint" / "model.safetensors").read_bytes() for folder in (there / "run", tmp_path / "stayed")
    ]
    if device == "cpu":
        assert weights[0] == weights[1]
    assert losses(metrics(there / "run")) == pytest.approx(losses(metrics(tmp_path / "stayed")), rel=1e-4)


@pytest.mark.slow
def test_two_processes_evaluate_their_shares_and_one_goes_on_elsewhere(toy: Any, tmp_path: Path) -> None:
    """Every process decodes its part of the development set; the figures are those of one process."""
    config = toy.config(steps=20, eval_every=10, dropout=0.0, log_every=10, dev_sentences=21)
    torchrun(2, config, toy, tmp_path / "two", tmp_path / "train_toy.py")
    train_seq2seq(config, data=toy.data, tokenizer=toy.tokenizer, output=tmp_path / "one")
    one, two = (
        [line for line in metrics(tmp_path / name) if "dev_wer" in line and "final" not in line]
        for name in ("one", "two")
    )
    assert [line["dev_loss"] for line in two] == pytest.approx([line["dev_loss"] for line in one], rel=1e-3)
    # what a hardly trained model answers ends where its batch ends, and batches are others
    assert [line["dev_wer"] for line in two] == pytest.approx([line["dev_wer"] for line in one], rel=0.1)
    shutil.copytree(tmp_path / "two", tmp_path / "moved")
    longer = replace(config, steps=30)
    train_seq2seq(longer, data=toy.data, tokenizer=toy.tokenizer, output=tmp_path / "moved")
    train_seq2seq(longer, data=toy.data, tokenizer=toy.tokenizer, output=tmp_path / "one")
    assert losses(metrics(tmp_path / "moved"))[-1] == pytest.approx(losses(metrics(tmp_path / "one"))[-1], rel=1e-3)


def test_processes_wait_for_hours_while_the_first_one_encodes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert processes.trainer_arguments() == {}
    monkeypatch.setenv("WORLD_SIZE", "2")
    found = processes.trainer_arguments(cpu=True)
    assert found["ddp_timeout"] >= 3600 and found["ddp_backend"] == "gloo"


def test_a_parser_on_the_gpu_needs_one(tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    assert _gpu(ParserConfig(treebank=tmp_path)) == -1
    asked = ParserConfig(treebank=tmp_path, device="cuda")
    if HAS_CUDA:
        pytest.skip("spaCy's own library for the GPU decides here")
    with pytest.raises(ParserError, match="cupy"):
        _gpu(asked)
