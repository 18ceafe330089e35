"""Words from a real masked language model of the Hugging Face library: a tiny BERT with random weights, made here."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from augment.mitigate import MitigateConfig, Substitution, TransformersMaskedModel, mitigate_files
from augment.mitigate.masked_lm import Masked, model_identity
from eval.bias_filter import GroupMatcher
from rewriter.errors import ModelError
from rewriter.io.files import read_lines

transformers = pytest.importorskip("transformers")
torch = pytest.importorskip("torch")

WORDS = "she he her him the a boat engine letter leaked hummed wrote came early late slowly green".split()
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ",", "##ed", "##s", *WORDS]
MATCHER = GroupMatcher({"female": ["she", "her"], "male": ["he", "him"]})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tiny-bert")
    (path / "vocab.txt").write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(PIECES),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
    )
    transformers.BertForMaskedLM(config).save_pretrained(path)
    tokenizer = {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": 32}
    (path / "tokenizer_config.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(folder: Path) -> TransformersMaskedModel:
    return TransformersMaskedModel(str(folder), batch_size=2)


def test_whole_words_come_best_first(model: TransformersMaskedModel) -> None:
    (found,) = model.suggest([Masked("She wrote a letter.", 4, 9)], top=5)
    assert len(found) == 5
    assert {suggestion.word for suggestion in found} <= set(WORDS)
    assert [s.probability for s in found] == sorted((s.probability for s in found), reverse=True)


def test_batches_give_what_single_places_give(model: TransformersMaskedModel) -> None:
    texts = ["She wrote.", "The boat came late, slowly, slowly, and he came early.", "Her engine hummed.", "a boat"]
    places = [Masked(text, text.index(" ") + 1, text.index(" ") + 5) for text in texts]
    together = model.suggest(places, top=3)
    alone = [model.suggest([place], top=3)[0] for place in places]
    assert [[s.word for s in group] for group in together] == [[s.word for s in group] for group in alone]


def test_of_a_long_text_the_surroundings_are_read(model: TransformersMaskedModel) -> None:
    far = "boat " * 200 + "came " + "late " * 200
    assert len(model.suggest([Masked(far, 1000, 1004)], top=3)[0]) == 3


def test_a_text_that_holds_the_masks_name_is_left(model: TransformersMaskedModel) -> None:
    assert model.suggest([Masked("a [MASK] came", 9, 13)], top=3) == [[]]


def test_gendered_words_are_never_put_in(model: TransformersMaskedModel) -> None:
    substitution = Substitution(model, MATCHER, share=1.0, top=len(WORDS))
    texts = ["She wrote a letter early."] * 20
    results = substitution.apply(texts, [[(0, 25)]] * 20, np.random.default_rng(1))
    put_in = {change.after for _, changes in results for change in changes}
    assert put_in and not put_in & {"she", "he", "her", "him"}


def test_a_corpus_is_balanced_with_the_model(folder: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    lines = ["She wrote a letter. The boat leaked.", *["He came early."] * 5]
    corpus.write_text("\n".join(lines) + "\n", encoding="utf-8")
    config = MitigateConfig([str(corpus)], model=str(folder), words=1.0)
    manifest = mitigate_files(config, output=tmp_path / "out")
    assert manifest.counts["after"]["female"] == manifest.counts["after"]["male"] == 5
    records = [json.loads(line) for line in read_lines(tmp_path / "out" / "added.jsonl.zst")]
    changed = {change["before"] for record in records for change in record["changes"]}
    assert changed and changed <= {"wrote", "letter"}
    again = mitigate_files(config, output=tmp_path / "again")
    assert again.counts == manifest.counts
    assert (tmp_path / "again" / "added.jsonl.zst").read_bytes() == (tmp_path / "out" / "added.jsonl.zst").read_bytes()


def test_the_model_is_part_of_a_runs_identity(folder: Path, tmp_path: Path) -> None:
    assert model_identity("bert-base-cased") == "bert-base-cased"
    first = model_identity(str(folder))
    assert len(first) == 64
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in folder.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    assert model_identity(str(copy)) == first
    (copy / "vocab.txt").write_text("other", encoding="utf-8")
    assert model_identity(str(copy)) != first


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no masked language model could be loaded"):
        TransformersMaskedModel(str(tmp_path))


@pytest.mark.parametrize("mark", ["Ġ", "▁"])
def test_tokenizers_that_mark_the_beginnings_of_words(mark: str, tmp_path: Path) -> None:
    """RoBERTa's kind of vocabulary (byte-level BPE) and XLM-R's (SentencePiece)."""
    tokenizers = pytest.importorskip("tokenizers")
    specials = ["<pad>", "<s>", "</s>", "<unk>", "<mask>"]
    vocabulary = {piece: n for n, piece in enumerate([*specials, "ed", "s", ".", *(mark + word for word in WORDS)])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(replacement=mark)
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, mask_token="<mask>", pad_token="<pad>", unk_token="<unk>"
    )
    fast.save_pretrained(tmp_path)
    torch.manual_seed(2)
    config = transformers.RobertaConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=34,
        pad_token_id=0,
    )
    transformers.RobertaForMaskedLM(config).save_pretrained(tmp_path)
    (found,) = TransformersMaskedModel(str(tmp_path)).suggest([Masked("she wrote a letter", 4, 9)], top=50)
    assert {suggestion.word for suggestion in found} == set(WORDS), "parts of words and signs are left out"
