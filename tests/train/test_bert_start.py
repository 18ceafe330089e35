"""Training from the weights of a BERT that is there: its vocabulary and shape, and what may be wrong with it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from folder_tools import metrics

from rewriter.cli.main import main
from rewriter.errors import GenderFairError, ModelError, RecipeError, ResumeError
from rewriter.io.files import read_json
from train.bert.config import BertRecipe, load_bert_recipe
from train.bert.packing import PRONOUN, Encoder, Examples
from train.bert.run import load_tokenizer, run_bert
from train.bert.shape import read_shape
from train.bert.start import copy_tokenizer, has_head, start_model, start_tokenizer
from train.stages import Choice

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

RECIPE = """\
name: toy
inputs: [{text}]
tokenizer: {{vocab_size: 150, min_frequency: 1}}
data: {{length: 16, held_out: 0.1}}
train: {{steps: 4, batch_size: 4, learning_rate: 1e-3, warmup: 1, eval_every: 2, save_every: 2, log_every: 2,
  precision: fp32, device: cpu, threads: 1}}
"""
SHAPE = "{size: tiny, hidden: 16, heads: 2, feed_forward: 32, positions: 32}"
WEIGHTS = "model.safetensors"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model of a run that began from random weights."""
    folder = tmp_path_factory.mktemp("first")
    recipe = folder / "first.yaml"
    (folder / "text.txt").write_text("The lamp in the garden shines at night.\nA bridge spans the river.\n" * 60)
    recipe.write_text(RECIPE.format(text=folder / "text.txt") + f"model: {SHAPE}\n")
    run_bert(load_bert_recipe(recipe), output=folder / "run")
    return folder / "run/seed-1/model"


@pytest.fixture
def start(first: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(first, tmp_path / "start"))


def load(tmp_path: Path, start: Path, *overrides: str) -> BertRecipe:
    """A recipe over another text, with words that the start never saw."""
    (tmp_path / "other.txt").write_text("She sees the lamp.\nHe paints a bridge at night.\n" * 90)
    path = tmp_path / "second.yaml"
    path.write_text(RECIPE.format(text=tmp_path / "other.txt"))
    return load_bert_recipe(path, overrides=[f"model.start={start}", *overrides])


def weights(folder: Path) -> dict[str, Any]:
    model = transformers.BertForMaskedLM.from_pretrained(folder)
    return dict(model.state_dict())


def test_vocabulary_and_shape_are_those_of_the_start(start: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    recipe = load(tmp_path, start)
    assert recipe.model.shape() == (2, 16, 2, 32) and recipe.model.positions == 32
    steps = run_bert(recipe, output=run)
    assert steps[0].counts["pieces"] == len(load_tokenizer(start))
    assert load_tokenizer(run / "tokenizer").get_vocab() == load_tokenizer(start).get_vocab()
    assert read_json(run / "seed-1/model/config.json")["hidden_size"] == 16
    assert {step.action for step in run_bert(recipe, output=run)} == {"skip"}


def test_the_training_begins_from_the_weights_of_the_start(start: Path, tmp_path: Path) -> None:
    """With a learning rate of next to nothing they come out as they went in; seeds differ otherwise."""
    still = ["train.learning_rate=1e-12", "train.weight_decay=0"]
    run_bert(load(tmp_path, start, *still), output=tmp_path / "still")
    before, after = weights(start), weights(tmp_path / "still/seed-1/model")
    assert all(torch.allclose(before[key], after[key], atol=1e-7) for key in before)
    run_bert(load(tmp_path, start, "seeds=[1, 2]"), output=tmp_path / "run")
    one, two = (weights(tmp_path / f"run/seed-{n}/model") for n in (1, 2))
    key = "bert.embeddings.word_embeddings.weight"
    assert not torch.equal(one[key], before[key]) and not torch.equal(one[key], two[key])


def test_a_changed_start_is_another_run(start: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run_bert(load(tmp_path, start), output=run)
    old = (run / f"seed-1/model/{WEIGHTS}").read_bytes()
    model = transformers.BertForMaskedLM.from_pretrained(start)
    torch.nn.init.normal_(model.bert.embeddings.word_embeddings.weight)
    model.save_pretrained(start)
    with pytest.raises(ResumeError, match=f"file start {WEIGHTS}"):
        run_bert(load(tmp_path, start), output=run)
    steps = run_bert(load(tmp_path, start), output=run, choice=Choice(redo=("seed-1",)))
    assert [step.action for step in steps] == ["skip", "skip", "redo"]
    assert (run / f"seed-1/model/{WEIGHTS}").read_bytes() != old


def test_the_same_start_elsewhere_is_the_same_run(start: Path, tmp_path: Path) -> None:
    run_bert(load(tmp_path, start), output=tmp_path / "run")
    moved = start.rename(tmp_path / "moved")
    assert {step.action for step in run_bert(load(tmp_path, moved), output=tmp_path / "run")} == {"skip"}


def test_any_bert_of_transformers_can_be_a_start(start: Path, tmp_path: Path) -> None:
    """One for pretraining with its second head, in half precision, with the vocabulary as a list."""
    config = transformers.BertConfig.from_pretrained(start)
    folder = tmp_path / "other"
    transformers.BertForPreTraining(config).to(torch.bfloat16).save_pretrained(folder)
    vocabulary = sorted((number, piece) for piece, number in load_tokenizer(start).get_vocab().items())
    (folder / "vocab.txt").write_text("".join(f"{piece}\n" for _, piece in vocabulary))
    steps = run_bert(load(tmp_path, folder), output=tmp_path / "run")
    assert steps[-1].action == "run"
    assert start_model(folder, load_tokenizer(folder), dropout=0.2).config.hidden_dropout_prob == 0.2


# --- an encoder without a masked language model ---


def drop_head(folder: Path) -> None:
    transformers.BertModel.from_pretrained(folder).save_pretrained(folder)


def test_an_encoder_gets_a_head_that_is_tied_to_its_embeddings(start: Path, tmp_path: Path) -> None:
    drop_head(start)
    encoder = transformers.BertModel.from_pretrained(start)
    still = ["train.learning_rate=1e-12", "train.weight_decay=0"]
    steps = run_bert(load(tmp_path, start, *still), output=tmp_path / "run")
    assert steps[-1].counts["head"] == "new" and not has_head(start) and has_head(tmp_path / "run/seed-1/model")
    model = transformers.BertForMaskedLM.from_pretrained(tmp_path / "run/seed-1/model")
    assert model.cls.predictions.decoder.weight is model.bert.embeddings.word_embeddings.weight
    after = model.bert.state_dict()
    assert all(torch.allclose(v, after[k], atol=1e-7) for k, v in encoder.state_dict().items() if "pooler" not in k)


def test_a_new_head_begins_from_the_frequencies_of_the_text(start: Path, tmp_path: Path) -> None:
    drop_head(start)
    run_bert(load(tmp_path, start), output=tmp_path / "run")
    tokenizer, text = load_tokenizer(start), Examples.load(tmp_path / "run/data", "train")
    bias = start_model(start, tokenizer, dropout=0.1, text=text).cls.predictions.bias.detach()
    stop, bridge, unseen = (tokenizer.convert_tokens_to_ids(piece) for piece in (".", "bridge", "river"))
    assert bias[stop] > bias[bridge] > bias[unseen]
    assert float(bias.exp().sum()) == pytest.approx(1, abs=1e-5)


def pulled_plug(*_: object) -> None:
    raise OSError("pulled plug")


def test_epochs_take_the_place_of_steps_and_perplexity_falls(
    start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is measured before the first epoch and after each, once, also where the end had to be done again."""
    drop_head(start)
    recipe = load(tmp_path, start, "train.epochs=2", "train.learning_rate=5e-3", "train.save_every=10")
    with monkeypatch.context() as patch:
        patch.setattr("train.bert.trainer.save_plain", pulled_plug)
        with pytest.raises(OSError, match="pulled plug"):
            run_bert(recipe, output=tmp_path / "run")
    counts = run_bert(recipe, output=tmp_path / "run")[-1].counts
    examples = len(Examples.load(tmp_path / "run/data", "train"))
    assert counts["steps"] == 2 * -(-examples // 4)
    before, *after = counts["perplexity_by_epoch"]
    assert len(after) == 2 and max(after) < before
    assert {line["epoch"] for line in metrics(tmp_path / "run/seed-1") if "perplexity" in line} == {0, 1, 2}


def test_a_tokenizer_of_sentencepiece_is_kept(start: Path, tmp_path: Path) -> None:
    """As XLM-R and multilingual-e5 have it: pieces that begin with a mark for the space, letters as they are."""
    tokenizers = pytest.importorskip("tokenizers")
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *(f"\u2581{w}" for w in "She he sees the lamp bridge at night".split())]
    scores = [(piece, -float(n)) for n, piece in enumerate([*pieces, *"aeinrst.,SH\u2581"])]
    fast = tokenizers.Tokenizer(tokenizers.models.Unigram(scores, unk_id=3, byte_fallback=False))
    fast.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    fast.enable_truncation(4)
    fast.enable_padding(length=9, pad_id=1, pad_token="<pad>")
    named = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    named |= {"cls_token": "<s>", "sep_token": "</s>", "mask_token": "<mask>"}
    for path in start.glob("*token*"):
        path.unlink()
    transformers.PreTrainedTokenizerFast(tokenizer_object=fast, **named).save_pretrained(start)
    tokenizer = start_tokenizer(start)
    (unit,) = Encoder(tokenizer, "en").units(["She, he sees the lamp at night."])
    assert tokenizer.convert_ids_to_tokens(unit.ids)[:3] == ["\u2581She", ",", "\u2581he"]
    assert [bool(mark & PRONOUN) for mark in unit.marks[:4]] == [True, True, True, False]
    assert len(unit.ids) == 9  # neither cut to four nor filled up


def test_a_name_is_looked_for_below_the_folder_of_encoders(
    start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GENDER_FAIR_ENCODERS", str(start.parent))
    load(tmp_path, start)  # writes the recipe
    monkeypatch.chdir(tmp_path / "..")
    command = ["train", "bert", str(tmp_path / "second.yaml"), "--start", "start", "--dry-run", "--json"]
    assert main([*command, "-o", str(tmp_path / "run")]) == 0
    assert [step["action"] for step in json.loads(capsys.readouterr().out)["stages"]] == ["run"] * 3


# --- what goes wrong ---


def remove_config(folder: Path) -> None:
    (folder / "config.json").unlink()


def name_another_kind(folder: Path) -> None:
    (folder / "config.json").write_text(json.dumps({"model_type": "roberta"}))


def remove_weights(folder: Path) -> None:
    (folder / WEIGHTS).unlink()


def forget_heads(folder: Path) -> None:
    values = read_json(folder / "config.json")
    del values["num_attention_heads"]
    (folder / "config.json").write_text(json.dumps(values))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (shutil.rmtree, "there is no folder .*start"),
        (remove_config, "no config.json that can be read"),
        (name_another_kind, "holds no BERT, but a model of type 'roberta'"),
        (remove_weights, "holds no model.safetensors"),
        (forget_heads, "says nothing about 'num_attention_heads'"),
    ],
)
def test_what_is_no_start_is_told_before_anything_begins(
    start: Path, tmp_path: Path, damage: Callable[[Path], None], message: str
) -> None:
    damage(start)
    with pytest.raises(RecipeError, match=f"model: start: .*{message}"):
        load(tmp_path, start)


def test_the_folder_of_a_stage_is_no_model(first: Path, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"did you mean .*seed-1/model\?"):
        load(tmp_path, first.parent)


@pytest.mark.parametrize(
    ("override", "message"),
    [("model.hidden=32", "hidden is 32, but .* has 16"), ("data.length=64", "more than model.positions")],
)
def test_another_shape_is_refused(start: Path, tmp_path: Path, override: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        load(tmp_path, start, override)


def remove_tokenizer(folder: Path) -> None:
    for path in folder.glob("tokenizer*"):
        path.unlink()


def cut_weights(folder: Path) -> None:
    (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:900])


def drop_part_of_the_head(folder: Path) -> None:
    safetensors = pytest.importorskip("safetensors.torch")
    kept = {key: value for key, value in safetensors.load_file(folder / WEIGHTS).items() if "transform" not in key}
    safetensors.save_file(kept, folder / WEIGHTS, metadata={"format": "pt"})


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (remove_tokenizer, "holds no tokenizer"),
        (cut_weights, "its weights cannot be loaded"),
        (drop_part_of_the_head, "no whole masked language model: cls.predictions.transform"),
    ],
)
def test_a_start_without_all_its_parts_is_named(
    start: Path, tmp_path: Path, damage: Callable[[Path], None], message: str
) -> None:
    damage(start)
    with pytest.raises(GenderFairError, match=message):
        run_bert(load(tmp_path, start), output=tmp_path / "run")


def add_pieces(folder: Path, number: int) -> None:
    tokenizer = load_tokenizer(folder)
    tokenizer.add_tokens([f"word{n}" for n in range(number)])
    tokenizer.save_pretrained(folder)


def test_a_tokenizer_with_more_pieces_than_the_network_is_refused(start: Path, tmp_path: Path) -> None:
    add_pieces(start, 3)
    with pytest.raises(ModelError, match=r"the vocabulary differs: the tokenizer has \d+ pieces and the network \d+"):
        copy_tokenizer(start, tmp_path / "copied")


def test_a_corpus_packed_with_other_pieces_is_refused(start: Path, first: Path) -> None:
    add_pieces(start, 2)
    with pytest.raises(ModelError, match=r"2 not the same \(word0, word1\)"):
        start_model(first, load_tokenizer(start), dropout=0.1)


def test_shape_of_a_folder(first: Path) -> None:
    assert read_shape(first) == (2, 16, 2, 32, 32)
