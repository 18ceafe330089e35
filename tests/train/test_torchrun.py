"""Several processes share each batch: the updates are those of one process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from torchrun_tools import torchrun

from train.seq2seq import train_seq2seq

pytest.importorskip("torch")

def losses(output: Path) -> dict[int, float]:
    lines = map(json.loads, (output / "metrics.jsonl").read_text().splitlines())
    return {line["step"]: line["loss"] for line in lines if "loss" in line}


@pytest.mark.slow
def test_two_processes_with_half_the_batch_each_learn_like_one(toy: Any, tmp_path: Path) -> None:
    config = toy.config(steps=200, eval_every=200, averaging=1, log_every=50)
    torchrun(2, config, toy, tmp_path / "two", tmp_path / "train_toy.py")
    train_seq2seq(config, data=toy.data, tokenizer=toy.tokenizer, output=tmp_path / "one")
    one, two = losses(tmp_path / "one"), losses(tmp_path / "two")
    assert two[200] == pytest.approx(one[200], rel=0.02)


@pytest.mark.slow
def test_without_dropout_two_processes_are_one(toy: Any, tmp_path: Path) -> None:
    """Dropout apart, only the order of sums differs; saved states and evaluation work with several processes too."""
    config = toy.config(steps=12, eval_every=6, dropout=0.0, log_every=4, save_every=5)
    torchrun(2, config, toy, tmp_path / "two", tmp_path / "train_toy.py")
    train_seq2seq(config, data=toy.data, tokenizer=toy.tokenizer, output=tmp_path / "one")
    one, two = losses(tmp_path / "one"), losses(tmp_path / "two")
    assert two == pytest.approx(one, rel=1e-4)
    states = [path.name for path in (tmp_path / "two" / "resume").iterdir()]
    assert states == ["step-00000012"]
