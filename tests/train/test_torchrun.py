"""Several processes share each batch: the updates are those of one process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from train.seq2seq import train_seq2seq

pytest.importorskip("torch")

SCRIPT = """
import json, sys
from pathlib import Path
from train.seq2seq import Seq2SeqConfig, train_seq2seq
options, data, tokenizer, output = json.loads(sys.argv[1])
train_seq2seq(Seq2SeqConfig(**options), data=Path(data), tokenizer=Path(tokenizer), output=Path(output))
"""


def torchrun(processes: int, config: Any, toy: Any, output: Path, script: Path) -> None:
    script.write_text(SCRIPT)
    told = json.dumps([asdict(config), str(toy.data), str(toy.tokenizer), str(output)])
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc_per_node={processes}"]
    # The copy in the checkout counts, also where the script lies elsewhere.
    here = {"PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "1"}
    subprocess.run([*command, str(script), told], env={**os.environ, **here}, check=True, timeout=900)


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
