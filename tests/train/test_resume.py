"""A run that is killed at any moment goes on as if nothing had happened."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from train.seq2seq import train_seq2seq
from train.seq2seq.config import latest_state

pytest.importorskip("torch")

CHILD = """
import json, sys
from pathlib import Path
from train.seq2seq import Seq2SeqConfig, train_seq2seq
options, data, tokenizer, output = json.loads(sys.argv[1])
train_seq2seq(Seq2SeqConfig(**options), data=Path(data), tokenizer=Path(tokenizer), output=Path(output))
"""


def start(config: Any, toy: Any, output: Path) -> subprocess.Popen[bytes]:
    told = json.dumps([asdict(config), str(toy.data), str(toy.tokenizer), str(output)])
    return subprocess.Popen([sys.executable, "-c", CHILD, told], env={**os.environ, "OMP_NUM_THREADS": "1"})


def last_step(output: Path) -> int:
    try:
        lines = (output / "metrics.jsonl").read_text().splitlines()
        return int(json.loads(lines[-1])["step"]) if lines else 0
    except (OSError, ValueError, KeyError):
        return 0


def kill_after(step: int, child: subprocess.Popen[bytes], output: Path) -> None:
    """Kill the child without warning once it has written metrics of ``step``."""
    deadline = time.monotonic() + 300
    while last_step(output) < step and child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL, "it was to be killed, but ended by itself"


@pytest.mark.slow
def test_killed_and_resumed_is_bit_equal_to_never_interrupted(toy: Any, tmp_path: Path) -> None:
    """Killed twice in the middle of an epoch (31 batches), between saved states; dropout is on, average included."""
    config = toy.config(steps=60, eval_every=20, save_every=7, log_every=3, accumulation=2)
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    for step in (12, 33):
        kill_after(step, start(config, toy, killed), killed)
        state = latest_state(killed)
        assert state is not None and 0 < int(state.name[5:]) < 60
    assert start(config, toy, killed).wait() == 0
    train_seq2seq(config, data=toy.data, tokenizer=toy.tokenizer, output=whole)
    files = ["checkpoint/model.safetensors", "weights/average.safetensors", "resume/step-00000060/model.safetensors"]
    for name in files:
        assert (killed / name).read_bytes() == (whole / name).read_bytes(), name
    assert history(killed) == history(whole)


def history(output: Path) -> list[dict[str, Any]]:
    """Return the metrics without what depends on the clock."""
    lines = map(json.loads, (output / "metrics.jsonl").read_text().splitlines())
    return [{k: v for k, v in line.items() if k not in ("minutes", "tokens_per_second")} for line in lines]


def test_a_state_is_whole_or_has_no_name(tmp_path: Path) -> None:
    for name in ("step-00000005", "step-00000040", ".unfinished", "step-x"):
        (tmp_path / "resume" / name).mkdir(parents=True)
    assert latest_state(tmp_path) == tmp_path / "resume" / "step-00000040"
    assert latest_state(tmp_path / "nothing") is None


def test_a_run_killed_while_it_averages_only_ends(toy: Any, tmp_path: Path) -> None:
    """All updates are done and stored, the result is not: no update is made again."""
    common: dict[str, Any] = {"data": toy.data, "tokenizer": toy.tokenizer, "output": tmp_path}
    train_seq2seq(toy.config(), **common)
    result = (tmp_path / "checkpoint" / "model.safetensors").read_bytes()
    state = tmp_path / "resume" / "step-00000020" / "model.safetensors"
    before = state.stat().st_mtime_ns
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "complete": False}))
    (tmp_path / "checkpoint" / "model.safetensors").unlink()
    train_seq2seq(toy.config(), **common)
    assert (tmp_path / "checkpoint" / "model.safetensors").read_bytes() == result
    assert state.stat().st_mtime_ns == before
