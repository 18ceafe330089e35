"""A pretrained encoder out of an edit model, for sequence-to-sequence training to begin from.

An edit model reads lower-cased tokens and, beside them, the case shape of each (:mod:`rewriter.language.tokens`). What
writes sentences anew needs pieces as they are written. So every token of a sample of text is cut as the edit model cuts
it, and each piece is named as it stands in the text: its vector is that of the lower-cased piece and of the shape
together, which is what the edit model's first layer received for it. The layers stay as they are: what the edit model
has learnt to read, the new encoder reads from its first update on.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rewriter.errors import InputError
from rewriter.io.files import write_json
from rewriter.language.interface import get_tokenizer
from rewriter.language.tokens import Token
from rewriter.model.piece_table import BEGIN, END, PieceTable
from train.encoder.corpus import sample_lines
from train.encoder.pretrained import CONFIG, TOKENIZER, WEIGHTS

#: special pieces, in the order of their ids; the encoder's own rows of them are kept
SPECIAL = (BEGIN, "<pad>", END, "<unk>")
#: what stands for white space before a piece
SPACE = "▁"
#: a piece that is seen less often is left out, unless it is a single character
LEAST_COUNT = 5
#: of the lines of the corpus, how many are counted
LINES_SHARE = 0.05
#: row of the edit model's table, case shape
Row = tuple[int, int]


def write_cased_encoder(model: str | Path, files: Sequence[Path], output: Path, *, lang: str, seed: int = 1) -> int:
    """Write a Hugging Face folder (``config.json``, ``model.safetensors``, ``tokenizer.json``) out of an edit model.

    Args:
        model: edit model, by its bundled name or its folder.
        files: text in which cased pieces are counted.
        output: the folder to write into.
        lang: language of the text.
        seed: of the lines that are counted.

    Returns:
        How many pieces it has.

    Raises:
        InputError: there is no text.
        ModelError: there is no such model, or it is no exported edit model.
        UsageError: an unknown language.
    """
    from rewriter.model.directory import resolve
    from train.edits.start import load_exported_encoder

    folder = resolve(str(model))
    encoder = load_exported_encoder(folder)
    table = PieceTable.load(folder / "pieces.model")
    lines = sample_lines(files, share=LINES_SHARE, rng=np.random.default_rng([seed, 0]))
    rows = _rows(table, _cased_pieces(lines, table, lang))
    if not rows:
        raise InputError(f"{output}: there is no text to count pieces in; give text files")
    output.mkdir(parents=True, exist_ok=True)
    pieces = _write_tokenizer(rows, output / TOKENIZER)
    _write_weights(encoder, _vectors(encoder, table, [rows[piece][0] for piece in pieces]), output)
    return len(pieces) + len(SPECIAL)


def _cased_pieces(lines: Iterable[str], table: PieceTable, lang: str) -> dict[str, Counter[Row]]:
    """Return for each piece as it is written how often it was which row of the edit model, in which shape."""
    tokenize = get_tokenizer(lang)
    found: dict[str, Counter[Row]] = {}
    for line in lines:
        for token in tokenize(line):
            for piece, number in _as_written(line, token, table):
                found.setdefault(piece, Counter())[number, table.shape(token)] += 1
    return found


def _as_written(line: str, token: Token, table: PieceTable) -> Iterator[tuple[str, int]]:
    """Yield the pieces of a token in the letters of the text; nothing where these cannot be told apart."""
    surface, numbers = line[token.start : token.end], table.encode(line, token)
    texts = [table.text(number) for number in numbers]
    widths = [len(text.removeprefix(SPACE)) for text in texts]
    # how many characters an unknown piece stands for cannot be told
    if table.unknown in numbers or sum(widths) != len(surface):
        return
    is_apart = token.start == 0 or line[token.start - 1].isspace()
    at = 0
    for number, text, width in zip(numbers, texts, widths, strict=True):
        piece = (SPACE if is_apart and text.startswith(SPACE) else "") + surface[at : at + width]
        at += width
        if piece:
            yield piece, number


def _rows(table: PieceTable, found: dict[str, Counter[Row]]) -> dict[str, tuple[Row, int]]:
    """Return for each piece to keep the row that it mostly was, and how often it was seen."""
    kept: dict[str, tuple[Row, int]] = {}
    for piece, counts in sorted(found.items()):
        row, _ = counts.most_common(1)[0]
        if counts.total() >= LEAST_COUNT or len(piece.removeprefix(SPACE)) <= 1:
            kept[piece] = (row, counts.total())
    if kept:  # white space that stands before no word
        kept.setdefault(SPACE, ((table.number(SPACE), 0), 1))
    return kept


def _write_tokenizer(rows: dict[str, tuple[Row, int]], path: Path) -> list[str]:
    """Write the pieces as a Unigram vocabulary, the frequent ones first; return them in the order of their ids."""
    pieces = sorted(rows, key=lambda piece: (-rows[piece][1], piece))
    total = sum(count for _, count in rows.values())
    scored = [(piece, math.log(rows[piece][1] / total)) for piece in pieces]
    vocab = [*((special, 0.0) for special in SPECIAL), *scored]
    write_json(path, {"model": {"type": "Unigram", "unk_id": SPECIAL.index("<unk>"), "vocab": vocab}})
    return pieces


def _vectors(encoder: Any, table: PieceTable, rows: Sequence[Row]) -> NDArray[np.float32]:
    """Return the vectors of the special pieces and of ``rows``: piece and shape added up, shape (pieces, width)."""
    words, shapes = (
        getattr(encoder.embeddings, name).weight.detach().numpy()
        for name in ("word_embeddings", "token_type_embeddings")
    )
    special = [words[number] for number in (table.begin, table.number("<pad>"), table.end, table.unknown)]
    # the shape of lower case stands in the positions of whoever reads this folder
    return np.stack([*special, *(words[number] + shapes[shape] - shapes[0] for number, shape in rows)])


def _write_weights(encoder: Any, vectors: NDArray[np.float32], output: Path) -> None:
    from safetensors.numpy import save_file

    weights = {name: tensor.detach().numpy() for name, tensor in encoder.state_dict().items()}
    weights = {name: array for name, array in weights.items() if not name.startswith("pooler.")}
    weights["embeddings.word_embeddings.weight"] = vectors
    weights["embeddings.token_type_embeddings.weight"] = weights["embeddings.token_type_embeddings.weight"][:1].copy()
    save_file(weights, output / WEIGHTS)
    config = {**encoder.config.to_dict(), "model_type": "bert", "vocab_size": len(vectors), "type_vocab_size": 1}
    (output / CONFIG).write_text(json.dumps(config, indent=2, default=str) + "\n", encoding="utf-8")
