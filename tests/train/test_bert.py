"""BERT from the beginning on toy text: packing, masks, perplexity, resume after a kill, GAP-CDS fine-tuning."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from folder_tools import metrics

from rewriter.cli.main import main
from rewriter.errors import InputError, ModelError, OutputError, RecipeError, ResumeError
from rewriter.io.files import read_json
from train.bert.cds import CdsConfig, finetune_cds
from train.bert.config import BertConfig, load_bert_recipe
from train.bert.packing import PRONOUN, SPECIAL, Encoder, Examples, collect, framed, pronoun_forms, split_units
from train.bert.run import load_tokenizer, run_bert

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

SUBJECTS = ["he", "she", "the cook", "the judge", "a teacher", "they"]
VERBS = ["sees", "paints", "likes", "sells", "carries"]
OBJECTS = ["the boat", "a lamp", "the garden", "his letter", "her window", "the bridge"]

RECIPE = """\
name: toy
inputs: [{text}]
tokenizer: {{vocab_size: 200, min_frequency: 1}}
data: {{length: 32, held_out: 0.05, packing: blocks}}
model: {{size: tiny, hidden: 32, heads: 2, feed_forward: 64, positions: 64}}
train: {{steps: 12, batch_size: 8, learning_rate: 3e-3, warmup: 2, eval_every: 6, save_every: 4, log_every: 2,
  precision: fp32, device: cpu, threads: 1}}
"""


def sentences(number: int, seed: int = 4) -> list[str]:
    rng = np.random.default_rng(seed)
    return [f"{rng.choice(SUBJECTS)} {rng.choice(VERBS)} {rng.choice(OBJECTS)}." for _ in range(number)]


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    text = tmp_path / "text.txt"
    text.write_text("\n".join(sentences(600)) + "\n")
    path = tmp_path / "toy.yaml"
    path.write_text(RECIPE.format(text=text))
    return path


# --- packing ---


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    from train.bert.config import WordPieceConfig
    from train.bert.wordpiece import train_wordpiece

    folder = tmp_path_factory.mktemp("vocabulary")
    (folder / "text.txt").write_text("\n".join(sentences(300)))
    train_wordpiece([folder / "text.txt"], WordPieceConfig(vocab_size=200, min_frequency=1), folder)
    return Encoder(load_tokenizer(folder), "en")


def test_marks_tell_words_and_pronoun_forms(encoder: Encoder) -> None:
    (unit,) = encoder.units(["He likes her window."])
    assert [bool(mark & PRONOUN) for mark in unit.marks][0:3:2] == [True, True]
    assert sum(mark & 1 for mark in unit.marks) == 5
    assert {"he", "them", "themself"} <= pronoun_forms("en") and "er" in pronoun_forms("de")
    assert not pronoun_forms("xx")


@pytest.mark.parametrize("packing", ["blocks", "single", "pairs"])
def test_examples_are_framed_and_no_longer_than_asked(encoder: Encoder, packing: str) -> None:
    from train.bert.config import PackingConfig
    from train.bert.packing import _packed

    config = PackingConfig(packing=packing, length=16)
    examples = collect(_packed(encoder.units(sentences(41)), encoder, config), encoder)
    for number in range(len(examples)):
        ids = examples.tokens[examples.starts[number] : examples.starts[number + 1]]
        assert ids[0] == encoder.cls and len(ids) <= 16
        assert (ids == encoder.cls).sum() == 1
        if packing == "blocks":
            assert len(ids) == 16
        if packing == "pairs":
            assert ids[examples.seconds[number] - 1] == encoder.sep and ids[-1] == encoder.sep
    assert len(examples) == {"single": 41, "pairs": 20}.get(packing, len(examples))


def test_a_long_unit_is_cut_and_a_long_pair_keeps_both(encoder: Encoder) -> None:
    from train.bert.config import PackingConfig
    from train.bert.packing import _packed

    long = " ".join(sentences(9))
    (unit,) = encoder.units([long])
    assert len(framed([unit], encoder, 16).ids) == 16
    examples = collect(
        _packed(encoder.units([long, long]), encoder, PackingConfig(packing="pairs", length=17)), encoder
    )
    assert examples.seconds[0] == 9 and len(examples.tokens) == 17
    assert (examples.marks & SPECIAL > 0).sum() == 3


def test_sentences_of_lines() -> None:
    assert list(split_units(["The cook left. The judge stayed."], "sentence", "en")) == [
        "The cook left.",
        "The judge stayed.",
    ]
    assert len(list(split_units(["Der Koch ging. Die Richterin blieb."], "sentence", "de"))) == 2


def test_damaged_arrays_are_named(tmp_path: Path, encoder: Encoder) -> None:
    collect([(framed(list(encoder.units(["he sees the boat"])), encoder, 16), 6)], encoder).save(tmp_path, "train")
    (tmp_path / "train-tokens.npy").write_bytes(b"nothing")
    with pytest.raises(InputError, match="damaged"):
        Examples.load(tmp_path, "train")


def test_the_vocabulary_is_the_same_in_every_process() -> None:
    code = """
import hashlib, json, sys
from train.bert.config import WordPieceConfig
from train.bert.wordpiece import learn_vocabulary
lines = json.loads(sys.argv[1])
print(hashlib.sha256(json.dumps(learn_vocabulary(lines, WordPieceConfig(vocab_size=90))).encode()).hexdigest())
"""
    command = [sys.executable, "-c", code, json.dumps(sentences(100))]
    found = {subprocess.run(command, capture_output=True, check=True, text=True).stdout for _ in range(3)}
    assert len(found) == 1


# --- masks and perplexity ---


@pytest.mark.parametrize("whole_words", [False, True])
def test_masks_spare_special_pieces_and_follow_the_share(encoder: Encoder, whole_words: bool) -> None:
    from train.bert.trainer import Masking

    masking = Masking(0.15, whole_words, mask_id=4, vocab_size=encoder.vocab_size)
    (unit,) = encoder.units([" ".join(sentences(400))])
    marks = np.array([SPECIAL, *unit.marks, SPECIAL], dtype=np.uint8)
    ids = np.array([encoder.cls, *unit.ids, encoder.sep])
    shown, labels = masking.apply(ids, marks, np.random.default_rng(1))
    chosen = labels != -100
    assert not chosen[0] and not chosen[-1] and chosen.mean() == pytest.approx(0.15, abs=0.03)
    assert (shown[chosen] == 4).mean() == pytest.approx(0.8, abs=0.06)
    assert (shown[~chosen] == ids[~chosen]).all() and (labels[chosen] == ids[chosen]).all()


def test_perplexity_of_a_model_that_knows_nothing_is_the_vocabulary(encoder: Encoder) -> None:
    from train.bert.trainer import Masking, build_bert, perplexity

    model = build_bert(BertConfig(size="tiny", hidden=16, heads=2, feed_forward=16), encoder.vocab_size)
    for parameter in model.parameters():
        torch.nn.init.zeros_(parameter)
    examples = collect(((framed([u], encoder, 32), 32) for u in encoder.units(sentences(50))), encoder)
    found = perplexity(model, examples, Masking(0.3, False, 4, encoder.vocab_size))
    assert found.all == pytest.approx(encoder.vocab_size) and found.neutral == pytest.approx(encoder.vocab_size)
    assert 0 < found.pronoun_pieces < found.pieces


# --- whole runs ---


def test_a_run_leaves_models_that_can_be_measured(recipe: Path, tmp_path: Path) -> None:
    from eval.masked_lm import load_masked_lm

    output = tmp_path / "run"
    steps = run_bert(load_bert_recipe(recipe, overrides=["seeds=[1,2]"]), output=output)
    assert [step.stage for step in steps] == ["tokenizer", "data", "seed-1", "seed-2"]
    assert steps[-1].counts["perplexity_neutral"] > 1
    _, model = load_masked_lm(output / "seed-1" / "model")
    assert type(model).__name__ == "BertForMaskedLM"
    assert read_json(output / "seed-1" / "model" / "config.json")["architectures"] == ["BertForMaskedLM"]
    lines = metrics(output / "seed-1")
    assert [line["step"] for line in lines if "perplexity" in line] == [6, 12]
    weights = [(output / f"seed-{n}" / "model" / "model.safetensors").read_bytes() for n in (1, 2)]
    assert weights[0] != weights[1]
    assert {step.action for step in run_bert(load_bert_recipe(recipe), output=output)} == {"skip"}
    with pytest.raises(ResumeError, match="learning_rate"):
        run_bert(load_bert_recipe(recipe, overrides=["train.learning_rate=1e-3"]), output=output)


def test_the_loss_of_a_batch_in_parts_is_that_of_the_whole(recipe: Path, tmp_path: Path) -> None:
    """The mean, not a sum over the parts: else clipping would cut other gradients."""
    losses = []
    for parts in (1, 2):
        run_bert(load_bert_recipe(recipe, overrides=[f"train.accumulation={parts}"]), output=tmp_path / str(parts))
        losses.append([line["loss"] for line in metrics(tmp_path / str(parts) / "seed-1") if "loss" in line])
    assert losses[0] == pytest.approx(losses[1], rel=0.1)


CHILD = """
import sys
from pathlib import Path
from train.bert.config import load_bert_recipe
from train.bert.run import run_bert
run_bert(load_bert_recipe(sys.argv[1], overrides=sys.argv[3:]), output=Path(sys.argv[2]))
"""


def start(recipe: Path, output: Path, overrides: list[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", CHILD, str(recipe), str(output), *overrides]
    return subprocess.Popen(command, env={**os.environ, "OMP_NUM_THREADS": "1"}, stderr=subprocess.DEVNULL)


@pytest.mark.slow
def test_killed_and_resumed_is_bit_equal_to_never_interrupted(recipe: Path, tmp_path: Path) -> None:
    """Dropout is on, and the kill comes between checkpoints, in the third epoch."""
    overrides = ["train.steps=200", "train.save_every=30", "train.eval_every=50"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    child = start(recipe, killed, overrides)
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline and child.poll() is None:
        if (killed / "seed-1" / "metrics.jsonl").exists() and any(m["step"] >= 70 for m in metrics(killed / "seed-1")):
            break
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL, "it was to be killed, but ended by itself"
    assert not (killed / "seed-1" / "model").exists()
    assert start(recipe, killed, overrides).wait() == 0
    assert start(recipe, whole, overrides).wait() == 0
    name = "seed-1/model/model.safetensors"
    assert (killed / name).read_bytes() == (whole / name).read_bytes()
    assert metrics(killed / "seed-1") == metrics(whole / "seed-1")


def test_stopped_in_the_middle_and_resumed_is_bit_equal(recipe: Path, tmp_path: Path, monkeypatch: Any) -> None:
    from train.loop import checkpointed

    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    run_bert(load_bert_recipe(recipe), output=whole)
    measured = checkpointed.MeasuringTrainer.evaluate

    def stop(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(checkpointed.MeasuringTrainer, "evaluate", stop)
    with pytest.raises(KeyboardInterrupt):
        run_bert(load_bert_recipe(recipe), output=stopped)
    monkeypatch.setattr(checkpointed.MeasuringTrainer, "evaluate", measured)
    assert checkpointed.last_checkpoint(stopped / "seed-1" / "checkpoints").name == "checkpoint-4"  # type: ignore[union-attr]
    run_bert(load_bert_recipe(recipe), output=stopped)
    name = "seed-1/model/model.safetensors"
    assert (stopped / name).read_bytes() == (whole / name).read_bytes()
    assert metrics(stopped / "seed-1") == metrics(whole / "seed-1")


@pytest.mark.slow
def test_it_learns(recipe: Path, tmp_path: Path) -> None:
    """Five verbs, six objects: a model that learnt the toy grammar is far from the vocabulary's size."""
    overrides = ["train.steps=300", "train.eval_every=300", "train.save_every=300", "train.learning_rate=5e-3"]
    overrides += ["model.dropout=0", "model.hidden=64", "train.batch_size=16", "data.packing=single"]
    steps = run_bert(load_bert_recipe(recipe, overrides=overrides), output=tmp_path / "run")
    assert steps[-1].counts["perplexity_all"] < 8


@pytest.mark.slow
def test_torchrun_with_two_processes_learns_like_one(recipe: Path, tmp_path: Path) -> None:
    overrides = ["train.steps=40", "train.eval_every=40", "train.save_every=40", "model.dropout=0.0"]
    script = tmp_path / "child.py"
    script.write_text(CHILD)
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2", str(script)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([*launcher, str(recipe), str(tmp_path / "two"), *overrides], env=environment, timeout=300)
    assert done.returncode == 0
    run_bert(load_bert_recipe(recipe, overrides=overrides), output=tmp_path / "one")
    one, two = (metrics(tmp_path / n / "seed-1")[-1]["perplexity"]["all"] for n in ("one", "two"))
    assert two == pytest.approx(one, rel=0.03)


# --- what goes wrong ---


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("train.stepps=3", "unknown key 'train.stepps'.*steps"),
        ("model.size=giant", "model: size must be one of tiny, mini, small, base"),
        ("data.packing=triples", "data: packing must be one of"),
        ("model.hidden=33", "multiple of heads"),
        ("seeds=[1,1]", "different numbers"),
        ("data.length=999", "more than model.positions"),
        ("train.precision=fp8", "precision must be one of"),
        ("data.held_out=0", "held_out must be between 0 and 1"),
        ("train.next_sentence=true", "next_sentence needs data.packing: pairs, not blocks"),
    ],
)
def test_a_wrong_key_is_named(recipe: Path, override: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        load_bert_recipe(recipe, overrides=[override])


def test_too_little_text_is_told(recipe: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("he sees the boat.\n")
    with pytest.raises(InputError, match="too little text"):
        run_bert(load_bert_recipe(recipe), output=tmp_path / "run")


def test_checkpoints_half_written_are_removed_and_damaged_ones_named(recipe: Path, tmp_path: Path) -> None:
    from train.loop.checkpointed import last_checkpoint

    run_bert(load_bert_recipe(recipe), output=tmp_path / "run")
    folder = tmp_path / "run" / "seed-1" / "checkpoints"
    (folder / "checkpoint-99").mkdir()
    assert last_checkpoint(folder) == folder / "checkpoint-12" and not (folder / "checkpoint-99").exists()
    (folder / "checkpoint-12" / "model.safetensors").write_bytes(b"cut")
    with pytest.raises(ModelError, match=r"model.safetensors is missing or damaged"):
        last_checkpoint(folder)


def test_a_full_disk_is_told(recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from train.loop import checkpointed

    def full(*args: Any, **kwargs: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpointed.MeasuringTrainer, "_save_checkpoint", full)
    with pytest.raises(OutputError, match="disk is full"):
        run_bert(load_bert_recipe(recipe), output=tmp_path / "run")


# --- commands ---


def test_the_commands(recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "run"
    assert main(["train", "bert", str(recipe), "-o", str(output), "--seeds", "3", "--dry-run"]) == 0
    assert "seed-3" in capsys.readouterr().out and not output.exists()
    assert main(["train", "bert", str(recipe), "-o", str(output), "--seeds", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["stages"][-1]["stage"] == "seed-3"
    table = tmp_path / "flipped.tsv"
    table.write_text("ID\tText\n" + "".join(f"{n}\t{s}\n" for n, s in enumerate(sentences(60, seed=9))))
    command = ["train", "cds-finetune", str(output / "seed-3" / "model"), str(table), "-o", str(tmp_path / "tuned")]
    options = ["--epochs", "2", "--device", "cpu", "--json"]
    assert main([*command, *options]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert counts["sentences"] == 59 and counts["steps"] == 7
    assert (tmp_path / "tuned" / "model" / "model.safetensors").exists()
    assert main([*command, *options]) == 0  # finished: nothing to do
    assert json.loads(capsys.readouterr().out) == counts
    assert main([*command, *options, "--seed", "7"]) == 2
    assert "seed: was 42, is 7" in capsys.readouterr().err


def test_cds_wants_a_column_and_enough_text(tmp_path: Path, recipe: Path) -> None:
    run_bert(load_bert_recipe(recipe), output=tmp_path / "run")
    table = tmp_path / "x.tsv"
    table.write_text("ID\tText\n1\tHe sees the boat.\n")
    for config, message in ((CdsConfig(column="Sentence"), "no column 'Sentence'"), (CdsConfig(), "too few")):
        with pytest.raises(InputError, match=message):
            finetune_cds(tmp_path / "run" / "seed-1" / "model", table, config, output=tmp_path / message[:3])


def test_fine_tuning_stopped_in_the_middle_and_resumed_is_bit_equal(
    recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from train.loop import checkpointed

    run_bert(load_bert_recipe(recipe), output=tmp_path / "run")
    model, texts = tmp_path / "run" / "seed-1" / "model", tmp_path / "texts.txt"
    texts.write_text("\n".join(sentences(60, seed=9)))
    config = CdsConfig(epochs=2, batch_size=8, save_every=2, device="cpu")
    finetune_cds(model, texts, config, output=tmp_path / "whole")

    def stop(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(checkpointed.MeasuringTrainer, "evaluate", stop)
    with pytest.raises(KeyboardInterrupt):
        finetune_cds(model, texts, config, output=tmp_path / "stopped")
    monkeypatch.undo()
    assert checkpointed.last_checkpoint(tmp_path / "stopped" / "checkpoints") is not None
    finetune_cds(model, texts, config, output=tmp_path / "stopped")
    name = "model/model.safetensors"
    assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_examples_made_ahead_by_other_processes_are_the_same(recipe: Path, tmp_path: Path) -> None:
    run_bert(load_bert_recipe(recipe), output=tmp_path / "one")
    run_bert(load_bert_recipe(recipe, overrides=["train.workers=2"]), output=tmp_path / "two")
    name = "seed-1/model/model.safetensors"
    assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


# --- the next sentence ---

_PAIRS = ["data.packing=pairs", "train.next_sentence=true"]


def _tellable(recipe: Path) -> Path:
    """Write lines of which each follows another one in a way that can be told: twenty of judges, twenty of cooks."""
    lines = [" ".join([("judge", "cook")[n // 20 % 2]] * 3) for n in range(1600)]  # a mask leaves two of a word
    (recipe.parent / "text.txt").write_text("\n".join(lines) + "\n")
    return recipe


def test_half_of_the_pairs_get_the_second_unit_of_another(encoder: Encoder) -> None:
    from train.bert.config import PackingConfig
    from train.bert.packing import pack_lines
    from train.bert.trainer import MaskedExamples, Masking, collate

    examples = pack_lines(sentences(200), encoder, PackingConfig(packing="pairs", length=16), "en")
    nothing = Masking(0.0, False, 4, encoder.vocab_size)
    made = MaskedExamples(examples, nothing, seed=3, size=300, next_sentence=True)
    items = [made[n] for n in range(300)]
    assert 120 < sum(item["next_sentence_label"] for item in items) < 180
    order = [int(n) for epoch in range(3) for n in np.random.default_rng([3, 3, epoch]).permutation(len(examples))]
    for n, item in enumerate(items):
        start, end, second = (*examples.starts[order[n] : order[n] + 2], int(examples.seconds[order[n]]))
        own = np.where(item["labels"] >= 0, item["labels"], item["input_ids"])  # as before it was masked
        assert own[:second].tolist() == examples.tokens[start : start + second].tolist()
        assert item["token_type_ids"].tolist() == [0] * second + [1] * (len(own) - second)
        assert own[-1] == encoder.sep and (own == encoder.sep).sum() == 2 and len(own) <= 16
        if not item["next_sentence_label"]:
            assert own.tolist() == examples.tokens[start:end].tolist()
    assert collate(items[:4])["next_sentence_label"].tolist() == [i["next_sentence_label"] for i in items[:4]]
    assert "next_sentence_label" not in MaskedExamples(examples, nothing, seed=3, size=3)[0]


@pytest.mark.slow
def test_what_follows_is_learnt_and_the_model_still_fills_masks(recipe: Path, tmp_path: Path) -> None:
    from eval.masked_lm import load_masked_lm

    more = ["train.steps=300", "train.eval_every=300", "train.save_every=300", "train.batch_size=32", "data.length=12"]
    more += ["train.learning_rate=3e-3", "train.mask_share=0.05", "data.held_out=0.25", "model.dropout=0.0"]
    run_bert(load_bert_recipe(_tellable(recipe), overrides=[*_PAIRS, *more]), output=tmp_path / "run")
    counts = read_json(tmp_path / "run/seed-1/stage.json")["counts"]
    # a judge beside a cook does not follow; two of a kind may do so by chance: three of four can be told
    assert counts["next_sentence_accuracy"] > 65
    assert read_json(tmp_path / "run/seed-1/model/config.json")["architectures"] == ["BertForPreTraining"]
    tokenizer, plain = load_masked_lm(tmp_path / "run/seed-1/model")
    with torch.no_grad():
        logits = plain(**tokenizer("judge [MASK]", return_tensors="pt")).logits
    assert logits.shape[-1] == plain.config.vocab_size
    # and it is a start again, with and without that part
    for extra in (_PAIRS, ["data.packing=pairs"]):
        again = [*extra, f"model={{start: {tmp_path / 'run/seed-1/model'}}}", "train.steps=2", "train.eval_every=2"]
        run_bert(load_bert_recipe(recipe, overrides=again), output=tmp_path / f"again-{len(extra)}")
        done = read_json(tmp_path / f"again-{len(extra)}/seed-1/stage.json")["counts"]
        assert done["steps"] == 2 and ("next_sentence_accuracy" in done) == (extra is _PAIRS)
