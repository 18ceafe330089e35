"""The exported encoder answers like torch, and bad parts are named before anything is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rewriter.errors import InputError, UsageError
from rewriter.io.files import read_json
from rewriter.model.ctranslate import compute_type, load_ctranslate2
from train.edits.export import export_edits

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"
PIECES = TINY / "pieces.model"
OUTCOMES = ["keep", "change"]
#: piece ids and case shapes of two sentences of different length
IDS = [[2, 10, 11, 12, 3], [2, 20, 21, 22, 23, 24, 25, 3]]
SHAPES = [[0, 1, 0, 0, 0], [0, 2, 2, 0, 0, 1, 1, 0]]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    torch.manual_seed(3)
    size = len(read_json(TINY / "vocabulary.json"))
    config = transformers.BertConfig(
        vocab_size=size,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        type_vocab_size=3,
        pad_token_id=0,
        initializer_range=0.3,
    )
    # as pretraining saves it: without a pooling layer
    model = transformers.BertModel(config, add_pooling_layer=False).eval()
    folder = tmp_path_factory.mktemp("encoder")
    model.save_pretrained(folder)
    return model, folder


def head(width: int = 32) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    return {"outcomes": OUTCOMES, "weight": rng.normal(size=(2, width)), "bias": rng.normal(size=2), "note": "kept"}


def with_torch(model: Any) -> list[Any]:
    """Return arrays (pieces, width), one sentence at a time, so that no padding is involved."""
    with torch.no_grad():
        return [
            model(input_ids=torch.tensor([i]), token_type_ids=torch.tensor([s])).last_hidden_state[0].numpy()
            for i, s in zip(IDS, SHAPES, strict=True)
        ]


@pytest.mark.parametrize(("quantization", "tolerance"), [("float32", 1e-4), ("int8", 0.15)])
def test_the_exported_encoder_answers_like_torch(
    encoder: tuple[Any, Path], tmp_path: Path, quantization: str, tolerance: float
) -> None:
    model, folder = encoder
    export_edits(encoder_dir=folder, head=head(), pieces=PIECES, output=tmp_path / "out", quantization=quantization)
    exported = load_ctranslate2().Encoder(str(tmp_path / "out"), compute_type=compute_type(), intra_threads=1)
    hidden = np.array(exported.forward_batch(IDS, token_type_ids=SHAPES).last_hidden_state)
    for row, (expected, ids) in enumerate(zip(with_torch(model), IDS, strict=True)):
        np.testing.assert_allclose(hidden[row, : len(ids)], expected, atol=tolerance, rtol=0)


def test_shapes_reach_the_encoder(encoder: tuple[Any, Path], tmp_path: Path) -> None:
    export_edits(encoder_dir=encoder[1], head=head(), pieces=PIECES, output=tmp_path / "out", quantization="float32")
    exported = load_ctranslate2().Encoder(str(tmp_path / "out"), compute_type=compute_type())
    plain = np.array(exported.forward_batch(IDS[:1], token_type_ids=[[0] * 5]).last_hidden_state)
    capital = np.array(exported.forward_batch(IDS[:1], token_type_ids=[[0, 1, 0, 0, 0]]).last_hidden_state)
    assert np.abs(plain - capital).max() > 0.01


def test_the_head_comes_back_exactly_in_float32(encoder: tuple[Any, Path], tmp_path: Path) -> None:
    written = head()
    export_edits(encoder_dir=encoder[1], head=written, pieces=PIECES, output=tmp_path / "out")
    read = read_json(tmp_path / "out" / "head.json")
    assert read["outcomes"] == OUTCOMES and read["note"] == "kept"
    for key in ("weight", "bias"):
        assert np.array_equal(np.array(read[key], dtype=np.float32), written[key].astype(np.float32))


def test_an_export_replaces_an_earlier_one_whole(encoder: tuple[Any, Path], tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "stale").write_text("from before")
    export_edits(encoder_dir=encoder[1], head=head(), pieces=PIECES, output=tmp_path / "out")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["config.json", "head.json", "model.bin", "pieces.model", "vocabulary.json"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_head_of_another_width_is_refused(encoder: tuple[Any, Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"weight has shape \(2, 8\).*need \(2, 32\)"):
        export_edits(encoder_dir=encoder[1], head=head(8), pieces=PIECES, output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_unknown_quantization_is_refused(encoder: tuple[Any, Path], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown quantization 'int4'"):
        export_edits(encoder_dir=encoder[1], head=head(), pieces=PIECES, output=tmp_path / "out", quantization="int4")
