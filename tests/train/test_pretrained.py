"""An edit model that starts from a pretrained encoder: same pieces, same states, fewer of both."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_encoder import SPECIAL, make_encoder

from rewriter.de.tokens import tokenize
from rewriter.errors import InputError, ModelError
from rewriter.model.piece_table import PieceTable
from train.encoder import pretrained
from train.encoder.pretrained import (
    Unigram,
    count_pieces,
    count_words,
    cut_encoder,
    find_start,
    kept_pieces,
    write_pieces,
)

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

PIECES = {
    "▁": -4.0, "▁Der": -3.0, "▁Arzt": -5.0, "▁sah": -6.0, "▁die": -3.0, "▁Lehrer": -6.0, "innen": -5.0, "▁(": -5.0,
    "und": -5.0, ")": -4.0, ".": -3.0, ",": -3.0, "▁Zebra": -9.0,
    **dict.fromkeys("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZäöü", -12.0),
}  # fmt: skip
TEXT = "Der Arzt sah die Lehrerinnen (und Ärzte)."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random encoder of three layers over a vocabulary like XLM-R's."""
    path = tmp_path_factory.mktemp("pretrained")
    return make_encoder(path, PIECES, width=16, vocab_size=len(SPECIAL) + len(PIECES) + 5)


def encoded(table: PieceTable, text: str) -> list[int]:
    """The encoder's input for a text without context."""
    return [table.begin, *(piece for token in tokenize(text) for piece in table.encode(text, token)), table.end]


def states(model: Any, ids: list[int]) -> Any:
    with torch.no_grad():
        return model.eval()(input_ids=torch.tensor([ids])).last_hidden_state


def test_pieces_at_run_time_are_those_of_the_pretrained_vocabulary(folder: Path, tmp_path: Path) -> None:
    vocabulary = Unigram.load(folder / "tokenizer.json")
    write_pieces(vocabulary, range(len(vocabulary.pieces)), tmp_path / "pieces.model")
    table = PieceTable.load(tmp_path / "pieces.model")
    original = tokenizers.models.Unigram(list(vocabulary.pieces), unk_id=3)
    for word in TEXT.replace("(", "( ").replace(")", " )").split():
        expected = tuple(token.id for token in original.tokenize(f"▁{word}"))
        assert table.pieces(f" {word}") == expected
    assert table.cased
    assert table.pieces(" Заяц")[-1] == table.unknown


def test_words_with_their_capitals_are_not_shown_in_others(folder: Path, tmp_path: Path) -> None:
    from train.edits.config import EditsConfig
    from train.edits.trainer import make_noise

    vocabulary = Unigram.load(folder / "tokenizer.json")
    write_pieces(vocabulary, range(len(vocabulary.pieces)), tmp_path / "pieces.model")
    noise = make_noise(EditsConfig(lower=0.5, upper=0.5), PieceTable.load(tmp_path / "pieces.model"))
    shapes = np.zeros(4, np.int64)
    _, shown = noise.apply(np.arange(4), shapes, np.array([1]), np.random.default_rng(1))
    assert shown.tolist() == shapes.tolist(), "the encoder has states for two shapes only"


def test_states_are_those_of_the_original_when_unused_pieces_are_cut(folder: Path, tmp_path: Path) -> None:
    vocabulary = Unigram.load(folder / "tokenizer.json")
    counts = count_pieces(vocabulary, count_words([TEXT] * 3, "de"))
    kept = kept_pieces(vocabulary, counts)
    write_pieces(vocabulary, kept, tmp_path / "pieces.model")
    table = PieceTable.load(tmp_path / "pieces.model")
    ids = encoded(table, TEXT)
    original = transformers.BertModel.from_pretrained(folder, add_pooling_layer=False)
    cut = cut_encoder(folder, [*kept, vocabulary.unknown], layers=0)
    assert "▁Zebra" not in {vocabulary.pieces[number][0] for number in kept}
    assert torch.allclose(states(cut, ids), states(original, [kept[i] for i in ids]), atol=1e-6)


@pytest.mark.slow
@pytest.mark.data
def test_a_real_encoder_keeps_its_pieces_and_states(tmp_path: Path) -> None:
    """multilingual-e5: words that stand apart from punctuation, which the original cuts together with it."""
    if not os.environ.get(pretrained.VARIABLE):
        pytest.skip(f"{pretrained.VARIABLE} names no folder of pretrained encoders")
    original = find_start("e5-multilingual")
    text = "Der Arzt sah gestern die Lehrerinnen und einen Ordner in der alten Schule"
    pretrained.write_pretrained(original, [_written(tmp_path, [text] * 50)], tmp_path, lang="de", layers=2, seed=1)
    table = PieceTable.load(tmp_path / "pieces.model")
    ids = encoded(table, text)
    full = tokenizers.Tokenizer.from_file(str(original / "tokenizer.json")).encode(text)
    assert [table._processor.id_to_piece(i) for i in ids] == full.tokens
    config = transformers.BertConfig.from_pretrained(original, num_hidden_layers=2)
    whole = transformers.BertModel.from_pretrained(original, config=config, add_pooling_layer=False)
    cut = transformers.BertModel.from_pretrained(tmp_path / "encoder", add_pooling_layer=False)
    assert torch.allclose(states(cut, ids), states(whole, full.ids), atol=1e-5)


def _written(folder: Path, lines: list[str]) -> Path:
    (folder / "text.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder / "text.txt"


def test_the_first_layers_alone_are_kept(folder: Path) -> None:
    vocabulary = Unigram.load(folder / "tokenizer.json")
    cut = cut_encoder(folder, range(len(vocabulary.pieces)), layers=2)
    original = transformers.BertModel.from_pretrained(folder, add_pooling_layer=False)
    ids = [0, 5, 6, 2]
    with torch.no_grad():
        hidden = original.eval()(input_ids=torch.tensor([ids]), output_hidden_states=True).hidden_states[2]
    assert torch.allclose(states(cut, ids), hidden, atol=1e-6)


def test_words_are_counted_with_the_space_before_them() -> None:
    assert count_words(["Der Arzt (der Arzt)"], "de") == Counter(
        {"▁Arzt": 2, "▁Der": 1, "▁(": 1, "der": 1, ")": 1},
    )


def test_a_name_is_looked_for_in_the_folder_of_encoders(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(pretrained.VARIABLE, str(folder.parent))
    assert find_start(folder.name) == folder.parent / folder.name


def test_errors_say_what_to_do(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(pretrained.VARIABLE, raising=False)
    with pytest.raises(InputError, match="nothing is downloaded"):
        find_start("no-such-encoder")
    with pytest.raises(InputError, match=r"no config\.json"):
        find_start(str(tmp_path))
    (tmp_path / "tokenizer.json").write_text('{"model": {"type": "WordPiece"}}', encoding="utf-8")
    with pytest.raises(ModelError, match="only Unigram"):
        Unigram.load(tmp_path / "tokenizer.json")
