"""A sequence-to-sequence rewriter is trained: it learns, counts what it should, and refuses what does not fit."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from folder_tools import metrics

from rewriter.errors import InputError, ModelError, RecipeError, ResumeError
from rewriter.io.files import read_json, read_pairs, write_pairs
from rewriter.records import Pair
from rewriter.runs.recipes import build
from train.seq2seq import Seq2SeqConfig, train_seq2seq
from train.seq2seq.config import Progress
from train.seq2seq.tokenizer import PieceEncoder, TokenizerConfig, train_tokenizer

torch = pytest.importorskip("torch")
get_inverse_sqrt_schedule = pytest.importorskip("transformers").get_inverse_sqrt_schedule

from train.seq2seq.averaging import average_weights, write_average  # noqa: E402
from train.seq2seq.batching import encode_pairs  # noqa: E402
from train.seq2seq.marian import (  # noqa: E402
    IGNORED,
    Collator,
    Seq2SeqModel,
    answer,
    build_model,
    load_checkpoint,
    padding_is_zero,
    weights,
)


@pytest.fixture(scope="module")
def short(toy: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of a run of 20 updates."""
    output = tmp_path_factory.mktemp("short")
    train_seq2seq(toy.config(), data=toy.data, tokenizer=toy.tokenizer, output=output)
    return output


@pytest.fixture
def model(toy: Any) -> Seq2SeqModel:
    torch.manual_seed(7)
    return build_model(
        {**toy.config().shape(), "dropout": 0.0, "max_position_embeddings": 64}, PieceEncoder(toy.tokenizer)
    )


@pytest.fixture(scope="module")
def collator(toy: Any, tmp_path_factory: pytest.TempPathFactory) -> Collator:
    encoder = PieceEncoder(toy.tokenizer)
    cache = tmp_path_factory.mktemp("collator") / "dev"
    return Collator(encode_pairs(toy.data / "dev.jsonl.zst", encoder, max_length=100, cache=cache), encoder.pad)


@pytest.mark.slow
def test_it_learns(toy: Any, tmp_path: Path) -> None:
    """Copying, replacing a word and adding one are learnt from 3,000 pairs; doing nothing scores 30."""
    config = toy.config(steps=500, eval_every=100, log_every=100, dev_sentences=100)
    train_seq2seq(config, data=toy.data, tokenizer=toy.tokenizer, output=tmp_path)
    chosen = metrics(tmp_path)[-1]
    assert chosen["final"] == "chosen"
    assert chosen["dev_wer"] < 3.0, "word error rate in percent"
    assert chosen["dev_exact"] > 85.0
    encoder, model = PieceEncoder(tmp_path / "checkpoint"), load_checkpoint(tmp_path / "checkpoint")
    [ids] = answer(model, [[*encoder.encode("often she answers by lamps"), encoder.eos]])
    assert encoder.decode(ids) == "often they answers by a lamp"


def test_a_short_run_leaves_what_it_should(short: Path) -> None:
    manifest, lines = read_json(short / "manifest.json"), metrics(short)
    assert manifest["complete"] and manifest["counts"]["step"] == 20 and manifest["counts"]["stopped"] == "steps"
    assert [line["step"] for line in lines if "dev_wer" in line and "final" not in line] == [10, 20]
    losses = [line["loss"] for line in lines if "loss" in line]
    assert losses[-1] < losses[0]
    assert any((short / "tensorboard").glob("events.*"))
    assert {path.name for path in (short / "checkpoint").iterdir()} == {
        "config.json", "generation_config.json", "model.safetensors", "sentencepiece.model",
    }  # fmt: skip
    assert not list(short.rglob("*.tmp")) and not list(short.rglob("training_args.bin"))


def test_the_checkpoint_is_one_that_transformers_reads(short: Path) -> None:
    from transformers import MarianMTModel

    theirs, ours = MarianMTModel.from_pretrained(short / "checkpoint"), load_checkpoint(short / "checkpoint")
    stored = theirs.state_dict()
    assert all(torch.equal(stored[name], value) for name, value in ours.state_dict().items())
    source = torch.tensor([[5, 9, 7, theirs.config.eos_token_id]])
    labels = torch.tensor([[4, theirs.config.eos_token_id]])
    decoder = torch.tensor([[theirs.config.pad_token_id, 4]])
    scores = theirs.eval()(input_ids=source, decoder_input_ids=decoder).logits[0, :, :-1]
    expected = torch.nn.functional.cross_entropy(scores, labels[0], reduction="sum")
    assert ours.eval()(input_ids=source, decoder_input_ids=decoder, labels=labels).item() == pytest.approx(
        expected.item()
    )


def test_tokens_are_counted(toy: Any, short: Path) -> None:
    line = next(line for line in metrics(short) if line.get("step") == 20 and "loss" in line)
    encoder = PieceEncoder(toy.tokenizer)
    lengths = [len(encoder.encode(pair.target)) + 1 for pair in read_pairs(toy.data / "train.jsonl.zst")]
    assert line["tokens"] == pytest.approx(line["epoch"] * sum(lengths), rel=0.05)


def test_a_finished_run_is_left_alone(toy: Any, short: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in short.rglob("*") if path.is_file() and path.name != ".lock"}
    train_seq2seq(toy.config(), data=toy.data, tokenizer=toy.tokenizer, output=short)
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_another_run_is_refused_and_named(toy: Any, short: Path) -> None:
    with pytest.raises(ResumeError, match=r"dropout: was 0\.1, is 0\.2") as caught:
        train_seq2seq(toy.config(dropout=0.2), data=toy.data, tokenizer=toy.tokenizer, output=short)
    assert "--fresh" in str(caught.value)


def test_a_finished_run_goes_on_when_more_steps_are_asked_for(toy: Any, tmp_path: Path) -> None:
    """The learning rate does not depend on the number of steps, so 10 + 10 updates are the same as 20."""
    common: dict[str, Any] = {"data": toy.data, "tokenizer": toy.tokenizer}
    for steps in (10, 20):
        train_seq2seq(toy.config(steps=steps), output=tmp_path / "twice", **common)
    train_seq2seq(toy.config(steps=20), output=tmp_path / "once", **common)
    twice, once = ((tmp_path / run / "checkpoint" / "model.safetensors").read_bytes() for run in ("twice", "once"))
    assert twice == once


def test_training_stops_when_nothing_gets_better(toy: Any, tmp_path: Path) -> None:
    config = toy.config(steps=60, eval_every=5, patience=2, learning_rate=1e-12, log_every=5, averaging=1)
    train_seq2seq(config, data=toy.data, tokenizer=toy.tokenizer, output=tmp_path)
    counts = read_json(tmp_path / "manifest.json")["counts"]
    assert counts["stopped"] == "patience" and counts["step"] < 60


def test_the_time_allowed_ends_a_run_properly(toy: Any, tmp_path: Path) -> None:
    config = toy.config(steps=100_000, eval_every=100_000, max_minutes=1e-4)
    train_seq2seq(config, data=toy.data, tokenizer=toy.tokenizer, output=tmp_path)
    manifest = read_json(tmp_path / "manifest.json")
    assert manifest["complete"] and manifest["counts"]["stopped"] == "time"
    assert "dev_wer" in manifest["counts"]["chosen"] and (tmp_path / "checkpoint" / "model.safetensors").exists()


def test_weights_are_trained_on_from_a_checkpoint(toy: Any, short: Path, tmp_path: Path) -> None:
    config = toy.config(steps=1, eval_every=1, learning_rate=1e-9, averaging=1)
    train_seq2seq(config, data=toy.data, tokenizer=toy.tokenizer, output=tmp_path, init=short)
    old, new = (weights(load_checkpoint(folder / "checkpoint")) for folder in (short, tmp_path))
    assert all(torch.allclose(old[name], new[name], atol=1e-6) for name in old)
    assert read_json(tmp_path / "manifest.json")["identity"]["init"]


def test_weights_of_another_shape_or_vocabulary_are_refused(toy: Any, short: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="d_model: 64, recipe 32"):
        train_seq2seq(toy.config(d_model=32), data=toy.data, tokenizer=toy.tokenizer, output=tmp_path / "a", init=short)
    other = train_tokenizer(TokenizerConfig(), pairs=toy.data / "dev.jsonl.zst", output=tmp_path / "tokenizer")
    with pytest.raises(ModelError, match="vocabulary"):
        train_seq2seq(toy.config(), data=toy.data, tokenizer=other, output=tmp_path / "b", init=short)
    with pytest.raises(ModelError, match="holds no weights"):
        train_seq2seq(toy.config(), data=toy.data, tokenizer=toy.tokenizer, output=tmp_path / "c", init=toy.data)


@pytest.mark.parametrize("part", ["train", "dev"])
def test_no_pairs_are_an_error(toy: Any, tmp_path: Path, part: str) -> None:
    for name in ("train", "dev"):
        write_pairs(tmp_path / f"{name}.jsonl", [] if name == part else [Pair("she by", "they by")])
    with pytest.raises(InputError, match=f"{part}.jsonl: no pair is left"):
        train_seq2seq(toy.config(), data=tmp_path, tokenizer=toy.tokenizer, output=tmp_path / "out")


def test_the_collator_shifts_the_labels_itself(collator: Collator, toy: Any) -> None:
    pad = PieceEncoder(toy.tokenizer).pad
    batch = {name: tensor.numpy() for name, tensor in collator([3, 1, 4]).items()}
    assert (batch["decoder_input_ids"][:, 0] == pad).all()
    shifted, labels = batch["decoder_input_ids"][:, 1:], batch["labels"][:, :-1]
    assert np.array_equal(shifted, np.where(labels == IGNORED, pad, labels))
    assert np.array_equal(batch["attention_mask"], batch["input_ids"] != pad)


def test_a_borrowed_row_does_not_count(collator: Collator, model: Seq2SeqModel) -> None:
    alone, with_borrowed = collator([3]), collator([3, -1 - 4])
    assert (with_borrowed["labels"][1] == IGNORED).all()
    assert model.eval()(**with_borrowed).item() == pytest.approx(model(**alone).item(), rel=1e-5)
    assert model(**collator([-1 - 4])).item() == 0.0


def test_label_smoothing_is_that_of_the_definition(collator: Collator, model: Seq2SeqModel) -> None:
    """(1 - e) times the score of the label plus e times the mean over all pieces, padding not among them."""
    batch = collator([0, 1, 2])
    labels = batch.pop("labels")
    scores = model.eval()(**batch).logits[..., :-1].log_softmax(-1)
    counted = labels != IGNORED
    label = scores.gather(-1, labels.clamp(min=0)[..., None])[..., 0][counted]
    expected = -(0.9 * label + 0.1 * scores.mean(-1)[counted]).sum()
    assert model(**batch, labels=labels, smoothing=0.1).item() == pytest.approx(expected.item(), rel=1e-5)


def test_the_embedding_of_padding_stays_zero(collator: Collator, model: Seq2SeqModel) -> None:
    """Even under weight decay, and even when somebody trains with MarianMTModel's own scores."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.1)
    for own_loss in (True, False):
        batch = collator([0, 1, 2])
        labels = batch.pop("labels") if not own_loss else None
        loss = model(**batch) if own_loss else model(**batch).logits.sum() + 0 * labels.sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        assert padding_is_zero(model)


def test_answers_do_not_depend_on_their_batch(toy: Any, model: Seq2SeqModel) -> None:
    encoder = PieceEncoder(toy.tokenizer)
    sources = [[*encoder.encode(pair.source), encoder.eos] for pair in read_pairs(toy.data / "dev.jsonl.zst")][:12]
    together = answer(model, sources, limit=12)
    assert together == [answer(model, [source], limit=12)[0] for source in sources]
    assert answer(model, []) == []


def test_averaging_is_the_mean(tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    arrays = [np.random.default_rng(n).normal(size=(3, 2)).astype(np.float32) for n in range(3)]
    files = [tmp_path / f"{n}.safetensors" for n in range(3)]
    for path, array in zip(files, arrays, strict=True):
        save_file({"weight": array}, path)
    write_average(files, tmp_path / "mean.safetensors")
    assert np.allclose(load_file(tmp_path / "mean.safetensors")["weight"], np.mean(arrays, 0))
    assert np.array_equal(average_weights(files[:1])["weight"], arrays[0])


def test_only_checkpoints_of_one_model_are_averaged(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    for name, size in (("a", 2), ("b", 3)):
        save_file({"weight": np.zeros(size, np.float32)}, tmp_path / name)
    with pytest.raises(ModelError, match="other weights"):
        average_weights([tmp_path / "a", tmp_path / "b"])
    with pytest.raises(ModelError, match="at least one"):
        average_weights([])
    (tmp_path / "c").write_bytes(b"damaged")
    with pytest.raises(ModelError, match="cannot be read"):
        average_weights([tmp_path / "c"])


def test_the_best_evaluation_is_found_and_its_weights_kept() -> None:
    progress = Progress()
    scores = [(1, 5.0, 2.0), (2, 3.0, 2.0), (3, 3.0, 1.9), (4, 4.0, 1.0), (5, 3.0, 1.9)]
    better = [progress.add({"step": s, "dev_wer": w, "dev_loss": x}, "wer") for s, w, x in scores]
    assert better == [True, True, True, False, False]
    assert progress.without_gain == 2
    assert progress.kept(averaging=1) == [3, 5]
    assert progress.kept(averaging=3) == [3, 4, 5]


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"steps": 0}, "steps"),
        ({"heads": 3}, "heads"),
        ({"precision": "fp8"}, "precision"),
        ({"dropout": 1.0}, "dropout"),
        ({"droput": 0.1}, "did you mean 'dropout'"),
        ({"learning_rate": "fast"}, "learning_rate"),
        ({"cooldown": 9, "steps": 8}, "cooldown"),
    ],
)
def test_a_recipe_with_a_wrong_option_is_refused(values: dict[str, Any], named: str) -> None:
    with pytest.raises(RecipeError, match=named):
        build(Seq2SeqConfig, values, where="recipe.yaml")


@pytest.mark.parametrize("warmup", [0, 1, 40])
def test_the_rate_follows_the_inverse_square_root(warmup: int) -> None:
    config = Seq2SeqConfig(warmup=warmup, steps=500)
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    schedule = get_inverse_sqrt_schedule(optimizer, warmup)
    for step in range(500):
        assert config.rate(step) == pytest.approx(schedule.get_last_lr()[0], rel=1e-12)
        optimizer.step()
        schedule.step()


def test_a_cooldown_ends_at_zero() -> None:
    plain = Seq2SeqConfig(warmup=10, steps=100)
    cooled = replace(plain, cooldown=40)
    assert [cooled.rate(step) for step in range(61)] == [plain.rate(step) for step in range(61)]
    assert cooled.rate(80) == pytest.approx(0.5 * plain.rate(80)) and cooled.rate(100) == 0.0
    assert "cooldown" not in plain.options(), "runs from before there was one go on"


def test_a_run_learns_by_its_rate(toy: Any, tmp_path: Path) -> None:
    config = toy.config(steps=20, warmup=5, cooldown=15, log_every=5, eval_every=20)
    train_seq2seq(config, data=toy.data, tokenizer=toy.tokenizer, output=tmp_path)
    rates = [line["learning_rate"] for line in metrics(tmp_path) if "learning_rate" in line]
    assert rates == pytest.approx([config.learning_rate * config.rate(step) for step in (4, 9, 14, 19)], abs=1e-6)


def test_the_defaults_are_those_of_the_paper() -> None:
    paper = {"encoder_layers": 6, "decoder_layers": 6, "d_model": 512, "ffn": 1024, "heads": 4, "learning_rate": 5e-4}
    defaults = asdict(Seq2SeqConfig())
    assert {key: defaults[key] for key in paper} == paper and defaults["warmup"] == 4000
