"""An encoder for sequence-to-sequence training out of an edit model: the same layers, pieces as they are written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rewriter.errors import InputError
from rewriter.language.interface import get_tokenizer
from rewriter.model.directory import resolve
from rewriter.model.piece_table import PieceTable
from train.encoder.pretrained import TOKENIZER, Unigram

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.edits.start import load_exported_encoder  # noqa: E402
from train.encoder.cased import write_cased_encoder  # noqa: E402
from train.seq2seq.tokenizer import MODEL_FILE, PieceEncoder  # noqa: E402
from train.seq2seq.warm import WarmShape, build_warm_model, warm_config  # noqa: E402
from train.seq2seq.warm_vocabulary import write_vocabulary  # noqa: E402

LINES = ["She says that the Nurse has lost HER keys.", "We do know why he’s late, says Mary."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("cased")
    text = root / "text.txt"
    # a fifth of a file or less is counted, and what is seen less than five times is left out
    text.write_text("\n".join(LINES * 400), encoding="utf-8")
    write_cased_encoder("en", [text], root / "encoder", lang="en")
    return root / "encoder"


def start_model(folder: Path) -> tuple[Any, PieceEncoder]:
    path = folder.parent / MODEL_FILE
    write_vocabulary(folder, LINES * 3, path, most=400)
    encoder = PieceEncoder(path)
    layers = {"encoder_layers": WarmShape.read(folder).layers, "decoder_layers": 1}
    return build_warm_model(warm_config(WarmShape.read(folder), encoder, **layers), encoder, folder).eval(), encoder


def edit_states(text: str) -> Any:
    """What the encoder of the bundled edit model gives for a text."""
    model, table = load_exported_encoder(resolve("en")), PieceTable.load(resolve("en") / "pieces.model")
    ids, shapes = [table.begin], [0]
    for token in get_tokenizer("en")(text):
        pieces = table.encode(text, token)
        ids += pieces
        shapes += [table.shape(token)] * len(pieces)
    with torch.no_grad():
        tensors = {"input_ids": torch.tensor([[*ids, table.end]]), "token_type_ids": torch.tensor([[*shapes, 0]])}
        return model.eval()(**tensors).last_hidden_state


@pytest.mark.parametrize("text", LINES)
def test_it_reads_as_the_edit_model_reads(folder: Path, text: str) -> None:
    model, encoder = start_model(folder)
    ids = encoder.source(encoder.encode(text))
    with torch.no_grad():
        found = model.model.encoder(input_ids=torch.tensor([ids])).last_hidden_state
    wanted = edit_states(text)
    assert found.shape == wanted.shape
    assert torch.allclose(found, wanted, atol=2e-2)  # BART's normalisation adds another epsilon


def test_pieces_are_written_as_in_the_text(folder: Path) -> None:
    pieces = {piece for piece, _ in Unigram.load(folder / TOKENIZER).pieces}
    assert {"▁She", "▁HER", "▁Nurse", "▁he", "▁Mary", "’", ","} <= pieces
    assert "▁she" not in pieces, "never written so"


def test_behind_a_piece_that_is_not_known_nothing_is_guessed(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("x漢abcdefgh ﬁnally résumé\n" * 400, encoding="utf-8")
    write_cased_encoder("en", [text], tmp_path / "encoder", lang="en")
    pieces = {piece for piece, _ in Unigram.load(tmp_path / "encoder" / TOKENIZER).pieces}
    assert not {"▁x", "e", "fg", "gh"} & pieces
    assert "▁" in pieces


@pytest.mark.parametrize("text", LINES)
def test_what_is_cut_comes_back(folder: Path, text: str) -> None:
    _, encoder = start_model(folder)
    assert encoder.decode(encoder.encode(text)) == text


def test_the_same_text_gives_the_same_folder(folder: Path, tmp_path: Path) -> None:
    write_cased_encoder("en", [folder.parent / "text.txt"], tmp_path, lang="en")
    for path in folder.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_without_text_there_is_nothing_to_count(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="no text to count"):
        write_cased_encoder("en", [tmp_path / "empty.txt"], tmp_path / "encoder", lang="en")
    assert not (tmp_path / "encoder").exists()
