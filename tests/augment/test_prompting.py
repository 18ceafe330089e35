"""Prompting: a tiny causal model with random weights, made on the spot; which sentences are kept."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from augment.round_trip.prompting import PromptConfig, Prompter, prompt
from augment.round_trip.records import record_files
from rewriter.errors import ModelError, UsageError
from rewriter.io.files import read_lines, read_pairs
from rewriter.runs.shards import Shard, ShardContext

pytest.importorskip("torch")
pytest.importorskip("transformers")

WORDS = ["Ein*e", "Lehrer*in", "Pilot*in", "hilft", "dem*der", "Schüler*in", "lobt", "Ärzt*innen", "das", "Haus", "."]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GPT-2 of one layer over eleven words, saved as safetensors."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("causal")
    vocabulary = {word: n for n, word in enumerate(["<pad>", "<unk>", *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.decoder = decoders.Fuse()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<pad>", unk_token="<unk>"
    ).save_pretrained(folder)
    with torch.random.fork_rng():
        torch.manual_seed(3)
        config = GPT2Config(
            vocab_size=len(vocabulary), n_positions=64, n_embd=16, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0
        )
        GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def context() -> ShardContext:
    return ShardContext(Shard(0, "prompts.txt", 1, 1, 0), np.random.default_rng(1), Counter())


def test_texts_go_on_from_their_beginnings_and_repeat_with_the_seed(model: Path) -> None:
    import torch

    before = torch.random.get_rng_state()
    prompter = Prompter(PromptConfig(str(model), new_tokens=12))
    beginnings = ["Ein*e Lehrer*in", "Ein*e Pilot*in hilft"]
    texts = prompter.continued(beginnings, seed=5)
    assert all(text.startswith(beginning) for text, beginning in zip(texts, beginnings, strict=True))
    assert texts == prompter.continued(beginnings, seed=5)
    assert texts != prompter.continued(beginnings, seed=6)
    assert torch.equal(before, torch.random.get_rng_state()), "torch's own random state stays"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Ein*e Lehrer*in hilft dem*der Schüler*in.", ["Ein*e Lehrer*in hilft dem*der Schüler*in."]),
        ("Ein*e Lehrer*in hilft dem Haus.", []),  # nothing fair but the prompt
        ("Ein*e Lehrer*in hilft. Dort lobt sie jede:r Pilot:in sehr.", ["Dort lobt sie jede:r Pilot:in sehr."]),
        ("Ein*e Lehrer*in hilft. Dort loben sie die Ärzt*innen.", []),  # a plural
        ("Ein*e Lehrer*in hilft. Der*die Pilot*in lobt das", []),  # cut off
        ("Ein*e Lehrer*in hilft. Hallo Pilot*in!", []),  # too short
    ],
)
def test_sentences_with_a_singular_are_kept(model: Path, text: str, kept: list[str]) -> None:
    prompter = Prompter(PromptConfig(str(model)))
    assert [sentence for sentence, _, _ in prompter.sentences("Ein*e Lehrer*in", text, context())] == kept


def test_a_run_writes_pairs_and_continues(model: Path, tmp_path: Path) -> None:
    (tmp_path / "begin.txt").write_text("Ein*e Lehrer*in\nEin*e Pilot*in\n\n", encoding="utf-8")
    config = PromptConfig(str(model), str(tmp_path / "begin.txt"), texts=8, new_tokens=30, min_words=1)
    manifest = prompt(config, output=tmp_path / "out")
    assert manifest.complete
    pairs = [pair for path in record_files([tmp_path / "out"]) for pair in read_pairs(path)]
    assert all(pair.strategy == "prompted" and pair.form == "fair" for pair in pairs)
    assert prompt(config, output=tmp_path / "out").identity == manifest.identity


def test_the_beginnings_are_all_person_nouns_where_none_are_given(model: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(Prompter, "__call__", lambda self, lines, context: [])
    prompt(PromptConfig(str(model)), output=tmp_path / "out")
    assert "Ein*e Lehrer*in" in set(read_lines(tmp_path / "out" / "prompts.txt"))


def test_a_missing_model_and_impossible_options_are_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no causal language model could be loaded"):
        Prompter(PromptConfig(str(tmp_path / "no" / "such" / "model")))
    with pytest.raises(UsageError, match="greater than 0"):
        PromptConfig("model", texts=0)
