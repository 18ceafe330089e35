"""The vocabulary of a model that begins from a pretrained encoder: of its pieces those that occur, and the bytes.

Pieces are cut as the encoder's own tokenizer cuts them; bytes keep what it would not have known, so the vocabulary is
free of loss like those of :mod:`train.seq2seq.tokenizer`. Two differences remain: characters stay as they are written
(NFKC would lose them), and a number or word that the pretrained vocabulary writes with a rare piece is written with
several.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from rewriter.errors import ModelError
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write
from rewriter.model.piece_table import BEGIN, END
from train.encoder.pretrained import LEAST_COUNT, TOKENIZER, Unigram, count_pieces, is_latin

UNKNOWN = "<unk>"
_SPACE = "▁"
#: between the lowest score of a kept piece and that of a byte: no word is written in bytes that pieces can write
_BYTE_PENALTY = 10.0


def write_vocabulary(start: Path, texts: Iterable[str], path: Path, *, most: int) -> int:
    """Write the most frequent pieces of a pretrained vocabulary that occur in texts, as a SentencePiece model.

    Args:
        start: folder of the pretrained encoder.
        texts: what the pieces are counted in.
        path: the file to write.
        most: pieces at most; single characters that occur are kept before all others.

    Returns:
        How many pieces the vocabulary has, bytes and special ones included.

    Raises:
        ModelError: the vocabulary is of another kind, or has no beginning and end of a sentence.
    """
    vocabulary = Unigram.load(start / TOKENIZER)
    known = {piece for piece, _ in vocabulary.pieces}
    if not {BEGIN, END} <= known:
        raise ModelError(f"{start / TOKENIZER}: has no {BEGIN} and {END}, which sentences stand between")
    words = Counter(_SPACE + word for text in texts for word in text.split())
    kept = _kept(vocabulary, count_pieces(vocabulary, words), most - 256 - 3)
    with atomic_write(path) as stream:
        stream.write(_model([(piece, score) for n, (piece, score) in enumerate(vocabulary.pieces) if n in kept]))
    return len(kept) + 256 + 3


def _kept(vocabulary: Unigram, counts: Counter[int], most: int) -> set[int]:
    """Return the ids to keep: single characters (with the space, which is one), then what is frequent."""
    special = {BEGIN, END, UNKNOWN, "<pad>"}

    def rank(number: int) -> tuple[bool, int, int]:
        piece = vocabulary.pieces[number][0]
        return len(piece.removeprefix(_SPACE)) > 1, -counts[number], number

    kept = [n for n, count in counts.items() if count >= LEAST_COUNT]
    # whatever word comes can be spelt
    kept += [n for n, (piece, _) in enumerate(vocabulary.pieces) if is_latin(piece) or (len(piece) == 1 and counts[n])]
    plain = {n for n in kept if vocabulary.pieces[n][0] not in special and n != vocabulary.unknown}
    return set(sorted(plain, key=rank)[:most])


def _model(pieces: Sequence[tuple[str, float]]) -> bytes:
    """Return a SentencePiece model: special pieces, bytes, and the given ones."""
    require("google.protobuf", extra="train")
    from sentencepiece import sentencepiece_model_pb2 as protocol

    kinds = protocol.ModelProto.SentencePiece
    model = protocol.ModelProto()
    model.pieces.add(piece=UNKNOWN, score=0.0, type=kinds.UNKNOWN)
    for piece in (BEGIN, END):
        model.pieces.add(piece=piece, score=0.0, type=kinds.CONTROL)
    lowest = min(score for _, score in pieces) - _BYTE_PENALTY
    for byte in range(256):
        model.pieces.add(piece=f"<0x{byte:02X}>", score=lowest, type=kinds.BYTE)
    for piece, score in pieces:
        model.pieces.add(piece=piece, score=score, type=kinds.NORMAL)
    spec = model.trainer_spec
    spec.model_type, spec.vocab_size, spec.byte_fallback = protocol.TrainerSpec.UNIGRAM, len(model.pieces), True
    spec.unk_id, spec.bos_id, spec.eos_id, spec.pad_id = 0, 1, 2, -1
    model.normalizer_spec.name = "identity"
    model.normalizer_spec.add_dummy_prefix = True
    model.normalizer_spec.remove_extra_whitespaces = False
    model.normalizer_spec.escape_whitespaces = True
    serialised: bytes = model.SerializeToString(deterministic=True)
    return serialised
