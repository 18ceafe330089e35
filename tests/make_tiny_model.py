"""Makes ``tests/data/models/tiny-edits``: an edit model with random weights, small enough to be committed.

It knows no language; it is there so that loading, exact output, damage, threads and the command can be tested without
a trained model. Needs the extra ``train``. The weights stand in the repository, because another version of torch may
draw others: ``python tests/make_tiny_model.py`` makes a new model, whose outputs then have to be pinned anew.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path

import numpy as np
import sentencepiece
import torch
import transformers

from lexicons.loader import LEXICON_VERSION
from rewriter.en.language import English, make
from rewriter.en.tokens import tokenize
from rewriter.model.directory import ModelInfo, seal
from rewriter.version import __version__
from train.edits.export import export_edits
from train.encoder.pretraining import SPECIAL_PIECES

OUTPUT = Path(__file__).parent / "data" / "models" / "tiny-edits"
WIDTH = 16
SEED = 7
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gala", "Hugo", "Iris", "Jonas")
PARTS = (
    "{name} says that he knows the way and that she is late",
    "she has her own workshop and he gave his tools to her",
    "he's happy because the chairman told him the news himself",
    "the book that {name} reads is hers and the pen is his",
    "when she goes home, he does the washing and wasn't seen",
)


def sentences() -> list[str]:
    """Return invented sentences, one for each name and pattern."""
    return [" ".join(t.norm for t in tokenize(part.format(name=name))) for name in NAMES for part in PARTS]


def make_pieces(target: Path) -> None:
    """Train the vocabulary: words of the sentences and single letters."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences()),
        model_writer=model,
        vocab_size=180,
        model_type="bpe",
        minloglevel=2,
        **SPECIAL_PIECES,
    )
    target.write_bytes(model.getvalue())


def make_encoder(vocabulary_size: int) -> transformers.BertModel:
    """Return one layer of width 16; larger weights than usual, so that context moves the decisions."""
    torch.manual_seed(SEED)
    config = transformers.BertConfig(
        vocab_size=vocabulary_size,
        hidden_size=WIDTH,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=512,
        type_vocab_size=3,
        pad_token_id=0,
        initializer_range=0.5,
    )
    return transformers.BertModel(config)


def make_head(language: English) -> dict[str, object]:
    """Return a random head whose bias makes "keep" as likely as the other outcomes together."""
    rng = np.random.default_rng(SEED)
    outcomes = list(language.outcomes)
    weight = rng.normal(0, 0.5, (len(outcomes), WIDTH)).astype(np.float32)
    bias = np.zeros(len(outcomes), dtype=np.float32)
    return {"outcomes": outcomes, "weight": weight, "bias": bias}


def main(output: Path = OUTPUT) -> None:
    """Make, export and seal the model."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_pieces(folder / "pieces.model")
        processor = sentencepiece.SentencePieceProcessor(model_file=str(folder / "pieces.model"))
        make_encoder(processor.get_piece_size()).save_pretrained(folder / "encoder")
        shutil.rmtree(output, ignore_errors=True)
        export_edits(
            encoder_dir=folder / "encoder", head=make_head(make()), pieces=folder / "pieces.model", output=output
        )
    info = ModelInfo(
        name="tiny-edits", lang="en", target="edits", lexicon_version=LEXICON_VERSION, toolkit_version=__version__
    )
    seal(output, info)
    print(f"wrote {output}: {sum(path.stat().st_size for path in output.iterdir())} bytes")


if __name__ == "__main__":
    main()
