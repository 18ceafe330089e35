"""Several processes share each batch of an edit model and of its encoder: the updates are those of one process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from rewriter.io.files import write_pairs
from rewriter.records import Pair
from train.edits.config import EditsConfig
from train.encoder.pretraining import EncoderConfig

pytest.importorskip("torch")

SCRIPT = """
import json, sys
from pathlib import Path
import torch
from train.edits.config import EditsConfig
from train.edits.train import train_edits
from train.encoder.pretraining import EncoderConfig, train_encoder
encoder, edits, output, dropout = json.loads(sys.argv[1])
if not dropout:
    torch.nn.Dropout.forward = lambda self, x: x
train_encoder(EncoderConfig(**encoder), output=Path(output) / "encoder")
output = Path(output)
train_edits(EditsConfig(**edits), data=output.parent / "data", output=output / "edits", encoder=output / "encoder")
"""

ENCODER = EncoderConfig(
    inputs=[],
    vocab_size=36,
    layers=1,
    hidden=32,
    feed_forward=64,
    heads=2,
    block=16,
    batch_blocks=4,
    steps=6,
    warmup=2,
)
EDITS = EditsConfig(
    tokens_per_batch=200,
    steps=50,
    warmup=5,
    learning_rate=3e-3,
    eval_every=25,
    save_every=20,
    open_only_after=20,
    variations=0,
    processes=1,
    threads=1,
)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Raw text and pairs; every "her" with a thing is possessive, without one it is an object."""
    things, verbs = ("dog", "house", "friend", "plan", "song"), ("saw", "met", "heard", "took")
    pairs = [Pair(f"I {verb} her {thing}.", f"I {verb} their {thing}.") for verb in verbs for thing in things]
    pairs += [
        Pair(f"She {verb} her {end}.", f"They {verb} them {end}.") for verb in verbs for end in ("often", "later")
    ]
    write_pairs(tmp_path / "data" / "train.jsonl.zst", pairs * 20)
    write_pairs(tmp_path / "data" / "dev.jsonl.zst", pairs)
    (tmp_path / "text.txt").write_text("".join(f"{pair.source}\n{pair.target}\n" for pair in pairs * 40))
    return tmp_path


def start(processes: int, work: Path, output: str, edits: EditsConfig, *, dropout: bool) -> Path:
    script = work / "train_both.py"
    script.write_text(SCRIPT)
    encoder = replace(ENCODER, inputs=[str(work / "text.txt")])
    told = json.dumps([asdict(encoder), asdict(edits), str(work / output), dropout])
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc_per_node={processes}"]
    # The copy in the checkout counts, also where the script lies elsewhere.
    here = {"PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "1"}
    launcher = command if processes > 1 else [sys.executable]
    subprocess.run([*launcher, str(script), told], env={**os.environ, **here}, check=True, timeout=900)
    return work / output


def losses(output: Path) -> dict[int, float]:
    lines = map(json.loads, (output / "edits" / "metrics.jsonl").read_text().splitlines())
    return {line["step"]: line["loss"] for line in lines if "loss" in line}


@pytest.mark.slow
def test_two_processes_are_one_without_dropout(work: Path) -> None:
    """Over the switch from every candidate to open ones, with noise, evaluation and saved states."""
    one = start(1, work, "one", EDITS, dropout=False)
    two = start(2, work, "two", EDITS, dropout=False)
    # sums in another order, in bfloat16, over 50 updates
    assert losses(two) == pytest.approx(losses(one), rel=0.02)
    assert set(losses(one)) == {50}
    counts = [json.loads((run / "edits" / "manifest.json").read_text())["counts"] for run in (one, two)]
    assert counts[0]["accuracy"] == pytest.approx(counts[1]["accuracy"], abs=0.04)
    states = sorted(path.name for path in (two / "edits" / "checkpoints" / "checkpoint-50").iterdir())
    assert [name for name in states if name.startswith("rng_state")] == ["rng_state_0.pth", "rng_state_1.pth"]


@pytest.mark.slow
def test_with_dropout_two_processes_learn_too_and_a_finished_run_stands(work: Path) -> None:
    two = start(2, work, "two", EDITS, dropout=True)
    made = (two / "edits" / "head.json").stat().st_mtime_ns
    start(2, work, "two", EDITS, dropout=True)
    assert (two / "edits" / "head.json").stat().st_mtime_ns == made
    assert (two / "edits" / "encoder" / "model.safetensors").is_file()


def test_shares_of_a_batch_have_the_loss_of_the_whole(work: Path) -> None:
    """The mean of the shares' losses is the loss of the batch; a process without a row of its own adds nothing."""
    import numpy as np
    import torch

    from rewriter.en.candidates import OUTCOMES
    from train.edits.labels import LabelOptions, label_file
    from train.edits.model import EditTagger, Noise, class_weights, collate
    from train.encoder.pretraining import build_model

    pieces = Path(__file__).parents[1] / "data" / "models" / "tiny-edits" / "pieces.model"
    data = label_file(work / "data" / "dev.jsonl.zst", LabelOptions("en", str(pieces), open_only=False))
    weights, noise = class_weights(data, limit=4.0), Noise(lower=0.2, upper=0.2, mask=0.2, mask_id=4)
    model = EditTagger(build_model(ENCODER, 12_000).bert, len(OUTCOMES)).eval()

    def loss(rows: list[int], share: tuple[int, int]) -> float:
        rng = np.random.default_rng(3)
        batch = collate(data, rows, outcomes=len(OUTCOMES), rng=rng, noise=noise, weights=weights, share=share)
        with torch.no_grad():
            result: Any = model(**batch)["loss"]
        return float(result)

    for rows in ([0, 5, 21, 22, 7], [21, 3]):
        shares = [loss(rows, (rank, 3)) for rank in range(3)]
        assert np.mean(shares) == pytest.approx(loss(rows, (0, 1)), rel=1e-5)
