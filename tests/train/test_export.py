"""What is exported answers what was trained: the traps between Marian and CTranslate2, one test each."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rewriter import Rewriter
from rewriter.errors import ModelError, UsageError
from rewriter.io.files import read_json, read_pairs
from rewriter.model.ctranslate import compute_type
from rewriter.model.directory import ModelInfo, load_info
from rewriter.model.learned import LearnedChanges
from train.seq2seq.tokenizer import MODEL_FILE, PieceEncoder

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
ctranslate2 = pytest.importorskip("ctranslate2")

from train.export.ctranslate import export_seq2seq  # noqa: E402
from train.export.dequantize import load_exported, read_variables  # noqa: E402
from train.seq2seq import train_seq2seq  # noqa: E402
from train.seq2seq.marian import (  # noqa: E402
    Seq2SeqModel,
    answer,
    build_model,
    load_checkpoint,
    padding_is_zero,
    save_checkpoint,
    weights,
)

LONGEST = 24


@pytest.fixture(scope="module")
def encoder(toy: Any) -> PieceEncoder:
    return PieceEncoder(toy.tokenizer)


@pytest.fixture(scope="module")
def sources(toy: Any) -> list[str]:
    """Toy sentences, and letters that no training ever saw."""
    rng = np.random.default_rng(4)
    strange = [" ".join(rng.choice(list("abcdefghij"), 6)) for _ in range(40)]
    return [pair.source for pair in read_pairs(toy.data / "dev.jsonl.zst")][:60] + strange


def lively(toy: Any, encoder: PieceEncoder, layers: int = 2) -> Seq2SeqModel:
    """A random model with weights large enough that its answers vary."""
    torch.manual_seed(11)
    config = toy.config(encoder_layers=layers, decoder_layers=layers)
    model = build_model({**config.shape(), "dropout": 0.1, "max_position_embeddings": 64}, encoder)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() == 2 and "layers" in name:
                # The source must weigh most: else the output, tied to the input, repeats the piece that it just read.
                parameter.normal_(std=1.5 if "encoder_attn" in name else 0.1)
    return model


@pytest.fixture(scope="module")
def trained(toy: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("export")
    train_seq2seq(toy.config(steps=120, eval_every=60), data=toy.data, tokenizer=toy.tokenizer, output=output)
    return output


def answers(model: Seq2SeqModel, encoder: PieceEncoder, sources: list[str]) -> list[str]:
    ids = answer(model, [[*encoder.encode(text), encoder.eos] for text in sources], limit=LONGEST)
    return [encoder.decode(row) for row in ids]


def exported_answers(folder: Path, sources: list[str], end: list[str] = ["</s>"]) -> list[str]:  # noqa: B006
    import sentencepiece

    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / MODEL_FILE))
    translator = ctranslate2.Translator(str(folder), compute_type=compute_type(), inter_threads=1, intra_threads=1)
    batch = [pieces.encode(text, out_type=str) + end for text in sources]
    results = translator.translate_batch(batch, beam_size=1, max_decoding_length=LONGEST)
    return [pieces.decode(result.hypotheses[0]) for result in results]


def export(model: Seq2SeqModel, encoder: PieceEncoder, folder: Path, **options: Any) -> Path:
    save_checkpoint(model, encoder, folder / "checkpoint")
    return export_seq2seq(checkpoint=folder, tokenizer=encoder.path, output=folder / "exported", **options)


def test_a_trained_model_answers_the_same_in_float32(
    trained: Path, encoder: PieceEncoder, sources: list[str], tmp_path: Path
) -> None:
    folder = export_seq2seq(checkpoint=trained, tokenizer=encoder.path, output=tmp_path / "m", quantization="float32")
    expected = answers(load_checkpoint(trained / "checkpoint"), encoder, sources)
    assert exported_answers(folder, sources) == expected
    assert len(set(expected)) > len(expected) / 2, "answers that are all alike would prove nothing"


def test_a_random_model_answers_the_same_in_float32(
    toy: Any, encoder: PieceEncoder, sources: list[str], tmp_path: Path
) -> None:
    model = lively(toy, encoder)
    folder = export(model, encoder, tmp_path, quantization="float32")
    expected = answers(model, encoder, sources)
    assert exported_answers(folder, sources) == expected
    assert len(set(expected)) > len(expected) / 4


def test_int8_answers_nearly_the_same(trained: Path, encoder: PieceEncoder, sources: list[str], tmp_path: Path) -> None:
    folder = export_seq2seq(checkpoint=trained, tokenizer=encoder.path, output=tmp_path / "m")
    expected = answers(load_checkpoint(trained / "checkpoint"), encoder, sources[:60])
    same = sum(a == b for a, b in zip(exported_answers(folder, sources[:60]), expected, strict=True))
    assert same >= 0.8 * len(expected)
    floats = export_seq2seq(checkpoint=trained, tokenizer=encoder.path, output=tmp_path / "f", quantization="float32")
    assert (folder / "model.bin").stat().st_size < (floats / "model.bin").stat().st_size


def test_the_trap_a_padding_row_that_is_not_zero_changes_answers(
    toy: Any, encoder: PieceEncoder, sources: list[str], tmp_path: Path
) -> None:
    """The decoder starts from that row in training and from zero after conversion: this is why it must stay zero."""
    model = lively(toy, encoder)
    row = model.get_input_embeddings().weight[encoder.pad]
    folder = export(model, encoder, tmp_path, quantization="float32")
    with torch.no_grad():
        row.normal_(std=0.5)
    assert not padding_is_zero(model)
    assert exported_answers(folder, sources) != answers(model, encoder, sources)


def test_a_checkpoint_with_such_a_row_is_refused(toy: Any, encoder: PieceEncoder, tmp_path: Path) -> None:
    model = lively(toy, encoder)
    with torch.no_grad():
        model.get_input_embeddings().weight[encoder.pad].normal_()
    with pytest.raises(ModelError, match="<pad> is not zero"):
        export(model, encoder, tmp_path)
    assert not (tmp_path / "exported").exists()


def test_the_vocabulary_is_all_pieces_without_padding(trained: Path, encoder: PieceEncoder, tmp_path: Path) -> None:
    folder = export_seq2seq(checkpoint=trained, tokenizer=encoder.path, output=tmp_path / "m")
    assert read_json(folder / "shared_vocabulary.json") == list(encoder.vocabulary())[:-1]
    assert (folder / MODEL_FILE).read_bytes() == encoder.path.read_bytes()


def test_sources_need_their_end_appended(
    trained: Path, encoder: PieceEncoder, sources: list[str], tmp_path: Path
) -> None:
    folder = export_seq2seq(checkpoint=trained, tokenizer=encoder.path, output=tmp_path / "m", quantization="float32")
    assert read_json(folder / "config.json")["add_source_eos"] is False
    assert exported_answers(folder, sources, end=[]) != exported_answers(folder, sources)


def test_what_its_pairs_change_stands_beside_the_model(
    toy: Any, trained: Path, encoder: PieceEncoder, tmp_path: Path
) -> None:
    info = ModelInfo("toy", "en", "full")
    folder = tmp_path / "m"
    export_seq2seq(checkpoint=trained, tokenizer=encoder.path, output=folder, info=info, pairs=toy.data)
    changes = LearnedChanges.load(folder)
    pairs = [pair for pair in read_pairs(toy.data / "train.jsonl.zst") if pair.source != pair.target]
    assert all(not changes.split(pair.source, pair.target)[1] for pair in pairs[:50])
    assert changes.changes
    assert "changes.json" in load_info(folder).files
    rewriter = Rewriter.from_pretrained(folder, guard="learned", gate=False)
    kept = pickle.loads(pickle.dumps(rewriter))
    for pair in pairs[:10]:
        [*edits] = rewriter.rewrite(pair.source, return_edits=True).edits
        assert all(changes.knows(edit.before.split(), edit.after.split()) for edit in edits)
        assert kept.rewrite(pair.source) == rewriter.rewrite(pair.source)


def test_another_vocabulary_is_refused(toy: Any, trained: Path, tmp_path: Path) -> None:
    from train.seq2seq.tokenizer import TokenizerConfig, train_tokenizer

    other = train_tokenizer(TokenizerConfig(), pairs=toy.data / "dev.jsonl.zst", output=tmp_path / "t")
    with pytest.raises(ModelError, match="another vocabulary"):
        export_seq2seq(checkpoint=trained, tokenizer=other, output=tmp_path / "m")


@pytest.mark.parametrize("damage", ["missing", "truncated"])
def test_a_damaged_checkpoint_is_named(toy: Any, encoder: PieceEncoder, tmp_path: Path, damage: str) -> None:
    save_checkpoint(lively(toy, encoder, layers=1), encoder, tmp_path / "checkpoint")
    path = tmp_path / "checkpoint" / "model.safetensors"
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(ModelError, match=str(tmp_path)):
        export_seq2seq(checkpoint=tmp_path, tokenizer=encoder.path, output=tmp_path / "m")


def test_an_unknown_quantization_is_refused(trained: Path, encoder: PieceEncoder, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="int8"):
        export_seq2seq(checkpoint=trained, tokenizer=encoder.path, output=tmp_path / "m", quantization="int4")


def test_export_can_seal_and_keep_the_checkpoint(trained: Path, encoder: PieceEncoder, tmp_path: Path) -> None:
    info = ModelInfo(name="toy", lang="en", target="full")
    folder = export_seq2seq(
        checkpoint=trained, tokenizer=encoder.path, output=tmp_path / "m", info=info, keep_checkpoint=True
    )
    assert set(load_info(folder).files) >= {"model.bin", "config.json", "shared_vocabulary.json", MODEL_FILE}
    kept, original = (load_checkpoint(path / "checkpoint") for path in (folder, trained))
    assert all(torch.equal(a, b) for a, b in zip(weights(kept).values(), weights(original).values(), strict=True))


@pytest.mark.parametrize(
    ("quantization", "rounding"), [("float32", 0.0), ("int8", 0.005), ("int16", 0.001), ("bfloat16", 0.005)]
)
def test_weights_come_back_from_an_exported_model(
    toy: Any, encoder: PieceEncoder, tmp_path: Path, quantization: str, rounding: float
) -> None:
    model = lively(toy, encoder)
    back = load_exported(export(model, encoder, tmp_path, quantization=quantization), encoder)
    assert padding_is_zero(back)
    for (name, was), now in zip(weights(model).items(), weights(back).values(), strict=True):
        assert (was - now).abs().max() <= rounding * was.abs().max(), name


def test_training_goes_on_from_an_exported_model(
    toy: Any, trained: Path, encoder: PieceEncoder, tmp_path: Path
) -> None:
    folder = export_seq2seq(checkpoint=trained, tokenizer=encoder.path, output=tmp_path / "m")
    config = toy.config(steps=1, eval_every=1, averaging=1, learning_rate=1e-9)
    train_seq2seq(config, data=toy.data, tokenizer=encoder.path, output=tmp_path / "again", init=folder)
    before = read_json(trained / "manifest.json")["counts"]["chosen"]["dev_loss"]
    assert read_json(tmp_path / "again" / "manifest.json")["counts"]["chosen"]["dev_loss"] == pytest.approx(
        before, rel=0.05
    )


@pytest.mark.parametrize("content", [b"", b"\x06\x00\x00\x00", b"\x01\x00\x00\x00\x02\x00X\x00"])
def test_a_file_that_is_no_exported_model_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model.bin").write_bytes(content)
    with pytest.raises(ModelError, match=r"model\.bin"):
        read_variables(tmp_path / "model.bin")
