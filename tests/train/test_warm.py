"""A sequence-to-sequence model that begins from a pretrained encoder: its states, its pieces, its export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from folder_tools import metrics
from tiny_encoder import SPECIAL, make_encoder

from rewriter import Rewriter
from rewriter.errors import ModelError, UsageError
from rewriter.io.files import read_pairs, write_pairs
from rewriter.model.ctranslate import compute_type
from rewriter.model.directory import ModelInfo
from rewriter.records import Pair
from train.seq2seq import Seq2SeqConfig, train_seq2seq
from train.seq2seq.alignment import UNALIGNED, by_places
from train.seq2seq.batching import encode_pairs
from train.seq2seq.config import identity
from train.seq2seq.tokenizer import MODEL_FILE, PieceEncoder, TokenizerConfig, train_tokenizer
from train.seq2seq.warm_vocabulary import write_vocabulary

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
ctranslate2 = pytest.importorskip("ctranslate2")

from train.export.ctranslate import export_seq2seq  # noqa: E402
from train.export.dequantize import load_exported  # noqa: E402
from train.seq2seq.marian import answer, load_checkpoint, padding_is_zero, save_checkpoint  # noqa: E402
from train.seq2seq.state_alignment import write_places  # noqa: E402
from train.seq2seq.warm import WarmShape, build_warm_model, warm_config  # noqa: E402

WORDS = "garden river lamps teacher answers letter window often quietly bridge small by she they a lamp".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz"
PIECES = {"▁": -4.0, **{f"▁{word}": -5.0 for word in WORDS}, "▁zebra": -6.0, **dict.fromkeys(LETTERS, -9.0)}


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random encoder of three layers over a vocabulary like XLM-R's."""
    path = tmp_path_factory.mktemp("pretrained")
    return make_encoder(path, PIECES, width=32, max_position_embeddings=64, initializer_range=0.3)


@pytest.fixture(scope="module")
def encoder(start: Path, tmp_path_factory: pytest.TempPathFactory) -> PieceEncoder:
    path = tmp_path_factory.mktemp("vocabulary") / MODEL_FILE
    write_vocabulary(start, [" ".join(WORDS), "she answers by the river"] * 3, path, most=400)
    return PieceEncoder(path)


def warm(start: Path, encoder: PieceEncoder, encoder_layers: int = 3, decoder_layers: int = 1) -> Any:
    torch.manual_seed(3)
    layers = {"encoder_layers": encoder_layers, "decoder_layers": decoder_layers}
    return build_warm_model(warm_config(WarmShape.read(start), encoder, **layers), encoder, start)


@pytest.mark.parametrize("layers", [1, 3])
def test_the_encoder_s_states_are_those_of_the_pretrained_one(start: Path, encoder: PieceEncoder, layers: int) -> None:
    pieces = ["<s>", "▁she", "▁answers", "▁by", "r", "i", "v", "</s>"]
    config = transformers.BertConfig.from_pretrained(start, num_hidden_layers=layers)
    bert = transformers.BertModel.from_pretrained(start, config=config, add_pooling_layer=False).eval()
    theirs = [[*SPECIAL, *PIECES].index(piece) for piece in pieces]
    vocabulary = encoder.vocabulary()
    ours = [vocabulary[piece] for piece in pieces]
    with torch.no_grad():
        wanted = bert(input_ids=torch.tensor([theirs])).last_hidden_state
        padded = torch.tensor([[*ours, encoder.pad, encoder.pad]])
        mask = (padded != encoder.pad).long()
        found = warm(start, encoder, layers).eval().model.encoder(input_ids=padded, attention_mask=mask)
    assert torch.allclose(found.last_hidden_state[:, : len(pieces)], wanted, atol=1e-3)
    assert wanted.std() > 0.1, "states that are all alike would prove nothing"


def test_the_pieces_are_those_that_occur_and_nothing_is_lost(start: Path, encoder: PieceEncoder) -> None:
    vocabulary = encoder.vocabulary()
    assert "▁teacher" in vocabulary and "▁zebra" not in vocabulary
    assert encoder.begin == [vocabulary["<s>"]]
    assert encoder.source(encoder.encode("she")) == [vocabulary[p] for p in ("<s>", "▁she", "</s>")]
    for text in ("she answers", " two  spaces\tand\na zebra", "Ärzt*in ▁ 🌉 ﬁ ½", "", " "):
        assert encoder.decode(encoder.encode(text)) == text


def test_the_most_frequent_pieces_stay_when_there_is_no_room_for_all(start: Path, tmp_path: Path) -> None:
    texts = ["she she she they they river"] * 2
    room = 256 + 3 + len(LETTERS) + len(["▁", "▁a", "▁she", "▁they"])
    count = write_vocabulary(start, texts, tmp_path / "v.model", most=room)
    vocabulary = PieceEncoder(tmp_path / "v.model").vocabulary()
    assert count == room
    assert {"▁", "▁she", "▁they", *LETTERS} <= set(vocabulary) and "▁river" not in vocabulary


def test_what_is_exported_answers_the_same(start: Path, encoder: PieceEncoder, tmp_path: Path) -> None:
    model = warm(start, encoder, decoder_layers=2)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "encoder_attn" in name and parameter.dim() == 2:
                parameter.normal_(std=1.5)
    save_checkpoint(model, encoder, tmp_path / "checkpoint")
    folder = export_seq2seq(
        checkpoint=tmp_path, tokenizer=encoder.path, output=tmp_path / "model", quantization="float32"
    )
    rows = [encoder.source(encoder.encode(" ".join(WORDS[n : n + 4]) + " zebra" * (n % 2))) for n in range(12)]
    expected = answer(model, rows, limit=16)
    names = {number: piece for piece, number in encoder.vocabulary().items()}
    translator = ctranslate2.Translator(str(folder), compute_type=compute_type(), inter_threads=1, intra_threads=1)
    batch = [[names[i] for i in row] for row in rows]
    results = translator.translate_batch(batch, beam_size=1, max_decoding_length=16)
    assert [[encoder.vocabulary()[p] for p in result.hypotheses[0]] for result in results] == expected
    targets = [encoder.encode(f"{word} they {word[::-1]}") for word in WORDS[:12]]
    scored = translator.score_batch(batch, [[names[i] for i in row] for row in targets])
    for other in (model, load_exported(folder, encoder), load_checkpoint(tmp_path / "checkpoint")):
        for row, target, score in zip(rows, targets, scored, strict=True):
            assert probabilities(other, encoder, row, target) == pytest.approx(score.log_probs, abs=1e-3)


def probabilities(model: Any, encoder: PieceEncoder, source: list[int], target: list[int]) -> list[float]:
    """Log-probabilities of a target's pieces and its end."""
    with torch.no_grad():
        decoder = torch.tensor([[encoder.pad, *target]])
        scores = model.eval()(input_ids=torch.tensor([source]), decoder_input_ids=decoder).logits[0, :, :-1]
    found = scores.log_softmax(-1)[range(len(target) + 1), [*target, encoder.eos]]
    return [float(value) for value in found]


@pytest.fixture(scope="module")
def run(toy: Any, start: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A short training from the encoder: its options, vocabulary and folder."""
    folder = tmp_path_factory.mktemp("run")
    config = toy.config(start=str(start), encoder_layers=2, decoder_layers=1, steps=30, eval_every=15, start_rate=0.5)
    pieces = train_tokenizer(
        TokenizerConfig(vocab_size=400), pairs=toy.data, output=folder / "tokenizer", start=str(start)
    )
    train_seq2seq(config, data=toy.data, tokenizer=pieces, output=folder / "train")
    return config, pieces, folder


def test_it_learns_and_goes_on(toy: Any, run: Any, tmp_path: Path) -> None:
    config, pieces, folder = run
    losses = [line["loss"] for line in metrics(folder / "train") if "loss" in line]
    assert losses[-1] < losses[0]
    trained = load_checkpoint(folder / "train" / "checkpoint")
    assert trained.config.model_type == "bart" and trained.config.d_model == 32
    assert padding_is_zero(trained)
    once = replace(config, steps=20, eval_every=10)
    train_seq2seq(once, data=toy.data, tokenizer=pieces, output=tmp_path / "once")
    train_seq2seq(replace(once, steps=10), data=toy.data, tokenizer=pieces, output=tmp_path / "twice")
    train_seq2seq(once, data=toy.data, tokenizer=pieces, output=tmp_path / "twice")
    stored = [(tmp_path / name / "checkpoint" / "model.safetensors").read_bytes() for name in ("once", "twice")]
    assert stored[0] == stored[1]


def test_its_weights_can_be_started_from(toy: Any, run: Any, tmp_path: Path) -> None:
    config, pieces, folder = run
    tuned = replace(config, steps=2, eval_every=2)
    train_seq2seq(tuned, data=toy.data, tokenizer=pieces, output=tmp_path / "tuned", init=folder / "train")
    with pytest.raises(ModelError, match="model_type: bart, recipe marian"):
        plain = replace(tuned, start="", start_rate=1.0)
        train_seq2seq(plain, data=toy.data, tokenizer=pieces, output=tmp_path / "plain", init=folder / "train")


@pytest.mark.parametrize("words", [5, 42, 43, 44, 62, 64, 600])
def test_a_sentence_beyond_its_positions_comes_back_as_it_is(run: Any, tmp_path: Path, words: int) -> None:
    """64 positions: what is longer, or could get a longer answer, is not asked; nothing breaks at the border."""
    _, pieces, folder = run
    info = ModelInfo("toy", "en", "full")
    export_seq2seq(checkpoint=folder / "train", tokenizer=pieces, output=tmp_path / "model", info=info)
    rewriter = Rewriter.from_pretrained(tmp_path / "model", guard="off", gate=False)
    text = " ".join(["x"] * words)
    answer = rewriter.rewrite(text)
    assert answer == text or words < 44


def test_mistakes_are_named(toy: Any, run: Any, start: Path, encoder: PieceEncoder, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="began pretrained"):
        Seq2SeqConfig(start_rate=0.5)
    with pytest.raises(ModelError, match="has 3 layers"):
        warm_config(WarmShape.read(start), encoder, encoder_layers=4, decoder_layers=1)
    write_pairs(
        tmp_path / "train.jsonl.zst", [Pair(f"xylophones {n} kayaks", "kayaking xylophones") for n in range(99)]
    )
    other = train_tokenizer(TokenizerConfig(vocab_size=320), pairs=tmp_path, output=tmp_path / "pieces")
    with pytest.raises(ModelError, match="cut from"):
        train_seq2seq(run[0], data=toy.data, tokenizer=other, output=tmp_path / "other")


def test_the_identity_of_a_training_without_a_start_is_what_it_was(
    toy: Any, start: Path, encoder: PieceEncoder
) -> None:
    given = {"bf16": False, "data": toy.data, "encoder": encoder, "init": None}
    assert not [key for key in identity(toy.config(), **given) if key.startswith("start")]
    keys = [key for key in identity(toy.config(start=str(start)), **given) if key.startswith("start")]
    assert set(keys) == {"start_rate", "start config.json", "start model.safetensors", "start tokenizer.json"}


def test_a_rewriter_reads_the_sources_as_training_did(run: Any, tmp_path: Path, toy: Any) -> None:
    from rewriter.model.seq2seq import Seq2SeqModel

    _, pieces, folder = run
    model = export_seq2seq(
        checkpoint=folder / "train", tokenizer=pieces, output=tmp_path / "model", quantization="float32"
    )
    texts = [pair.source for pair in read_pairs(toy.data / "dev.jsonl.zst")][:8]
    encoder = PieceEncoder(pieces)
    ids = answer(load_checkpoint(folder / "train" / "checkpoint"), [encoder.source(encoder.encode(t)) for t in texts])
    found = Seq2SeqModel.load(model, None, threads=1).translate(texts)  # type: ignore[arg-type]
    same = sum(a == encoder.decode(b) for a, b in zip(found, ids, strict=True))
    assert same == len(texts)


def test_places_are_those_of_the_most_similar_states(start: Path, encoder: PieceEncoder, tmp_path: Path) -> None:
    """A shuffled sentence: the random encoder without its positions reads each word alike wherever it stands."""
    sides = ["garden river lamps teacher", "teacher garden lamps river"]
    write_pairs(tmp_path / "pairs.jsonl", [Pair(*sides), Pair("she", "they"), Pair(" ".join(WORDS[3:9]), "by")])
    pairs = encode_pairs(tmp_path / "pairs.jsonl", encoder, max_length=60, cache=tmp_path / "cache")
    model = warm(start, encoder)
    with torch.no_grad():
        model.model.encoder.embed_positions.weight.zero_()
    write_places(model, pairs, encoder, tmp_path / "places.npy", bf16=False)
    align = by_places(pairs, np.load(tmp_path / "places.npy"))
    source, target = (encoder.encode(side) for side in sides)
    wanted = [1 + source.index(piece) for piece in target]
    assert align(0).tolist() == [*wanted, len(source) + 1]
    assert align(1).tolist() == [1, 2], "one piece answers to the other, the ends to each other"
    assert np.count_nonzero(align(2)[:-1] != UNALIGNED) == 1
    write_places(model, pairs, encoder, tmp_path / "short.npy", bf16=False, most=1)
    only = by_places(pairs, np.load(tmp_path / "short.npy"))
    assert only(1).tolist() == [1, 2] and (only(0) == UNALIGNED).all(), "the shortest pair alone is aligned"


def test_a_translator_learns_by_states(toy: Any, run: Any, tmp_path: Path) -> None:
    config, pieces, _ = run
    guided = replace(config, alignment=0.3, align_by="states", steps=4, eval_every=4)
    train_seq2seq(guided, data=toy.data, tokenizer=pieces, output=tmp_path)
    places = np.load(tmp_path / "encoded" / "train" / "places.npy")
    assert (places >= 0).mean() > 0.5
    with pytest.raises(UsageError, match="states are those of a pretrained encoder"):
        Seq2SeqConfig(alignment=0.3, align_by="states")
    with pytest.raises(UsageError, match="align_most counts pairs that are aligned by states"):
        Seq2SeqConfig(alignment=0.3, align_most=5)
