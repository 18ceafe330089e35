"""An encoder that starts from a pretrained one: its first layers, and of its vocabulary the pieces that occur.

What is read is a Hugging Face folder of the BERT family over Unigram pieces (XLM-R's vocabulary and its like, as
multilingual-e5 has it): ``config.json``, ``model.safetensors``, ``tokenizer.json``. Nothing in it is run. What is
written is what :mod:`train.edits` starts from: ``pieces.model`` (SentencePiece, so that no other tokenizer is needed
when text is rewritten) and ``encoder/``.

Most of the pieces of a vocabulary for a hundred languages never occur in one; their vectors would be the larger part
of the model and of the optimiser's work.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rewriter.errors import InputError, ModelError
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write, file_digest, read_json
from rewriter.language.interface import get_tokenizer
from rewriter.model.piece_table import BEGIN, CASED, END, MASK
from train.encoder.corpus import sample_lines
from train.loop.quiet import quiet_libraries

#: folder in which a start that is no path is looked for
VARIABLE = "GENDER_FAIR_ENCODERS"
CONFIG, WEIGHTS, TOKENIZER = START_FILES = ("config.json", "model.safetensors", "tokenizer.json")
#: of the lines of the corpus, how many are counted
LINES_SHARE = 0.12
#: a piece that occurs less often in them is left out, unless it is a single character
LEAST_COUNT = 2
_SPACE = "▁"


@dataclass(frozen=True)
class Unigram:
    """A Unigram vocabulary: pieces with their log-probabilities, in order of their ids."""

    pieces: tuple[tuple[str, float], ...]
    unknown: int

    @classmethod
    def load(cls, path: Path) -> Unigram:
        """Read ``tokenizer.json``.

        Raises:
            ModelError: the tokenizer is of another kind.
        """
        tokenizer = read_json(path)
        model = tokenizer.get("model", {})
        if model.get("type") != "Unigram":
            raise ModelError(f"{path}: pieces of the kind '{model.get('type')}'; only Unigram (XLM-R ...) can be read")
        known = {piece for piece, _ in model["vocab"]}
        added = sorted((token["id"], token["content"]) for token in tokenizer.get("added_tokens", ()))
        rest = [(content, 0.0) for _, content in added if content not in known]
        return cls(tuple((p, float(s)) for p, s in model["vocab"]) + tuple(rest), int(model["unk_id"]))


def find_start(name: str) -> Path:
    """Return the folder of a pretrained encoder: a path, or the name of a folder in :data:`VARIABLE`.

    Raises:
        InputError: there is none, or a file is missing in it.
    """
    root = os.environ.get(VARIABLE)
    candidates = [Path(name), *([Path(root) / name] if root else [])]
    folder = next((path for path in candidates if path.is_dir()), None)
    if folder is None:
        raise InputError(
            f"there is no pretrained encoder '{name}'; give a Hugging Face folder, or set {VARIABLE} to the folder "
            "that holds it (nothing is downloaded)"
        )
    for file in START_FILES:
        if not (folder / file).is_file():
            raise InputError(f"{folder}: no {file}, so it is no pretrained encoder to start from")
    return folder


def start_digests(folder: Path) -> dict[str, str]:
    """Return the digests of the files that a start is made of."""
    return {name: file_digest(folder / name) for name in START_FILES}


def write_pretrained(folder: Path, files: Sequence[Path], output: Path, *, lang: str, layers: int, seed: int) -> int:
    """Write ``pieces.model`` and ``encoder/`` of a pretrained encoder, its vocabulary cut to a corpus.

    Args:
        folder: the pretrained encoder, see :func:`find_start`.
        files: text whose pieces are kept.
        output: the folder to write into.
        lang: language of the text.
        layers: how many layers, from the first on; 0 for all.
        seed: of the lines that are counted.

    Returns:
        How many pieces were kept.

    Raises:
        ModelError: the encoder is of a kind that cannot be read.
    """
    vocabulary = Unigram.load(folder / TOKENIZER)
    rng = np.random.default_rng([seed, 0])
    counts = count_pieces(vocabulary, count_words(sample_lines(files, share=LINES_SHARE, rng=rng), lang))
    kept = kept_pieces(vocabulary, counts)
    output.mkdir(parents=True, exist_ok=True)
    write_pieces(vocabulary, kept, output / "pieces.model")
    encoder = cut_encoder(folder, [*kept, vocabulary.unknown], layers)
    with quiet_libraries():
        encoder.save_pretrained(output / "encoder")
    return len(kept)


def count_words(lines: Iterable[str], lang: str) -> Counter[str]:
    """Return how often each token occurs as the encoder will read it: with the space before it, where there is one."""
    tokenize = get_tokenizer(lang)
    counts: Counter[str] = Counter()
    for line in lines:
        for token in tokenize(line):
            surface = unicodedata.normalize("NFKC", line[token.start : token.end])
            is_apart = token.start == 0 or line[token.start - 1].isspace()
            counts[_SPACE + surface if is_apart else surface] += 1
    return counts


def count_pieces(vocabulary: Unigram, words: Mapping[str, int]) -> Counter[int]:
    """Return how often each piece id occurs in counted words."""
    tokenizers = require("tokenizers", extra="train")
    model = tokenizers.models.Unigram(list(vocabulary.pieces), unk_id=vocabulary.unknown, byte_fallback=False)
    counts: Counter[int] = Counter()
    for word, times in words.items():
        for token in model.tokenize(word):
            counts[token.id] += times
    return counts


def kept_pieces(vocabulary: Unigram, counts: Mapping[int, int]) -> list[int]:
    """Return the ids to keep, in order: special pieces, what occurs, single characters (so that all can be cut)."""
    special = {BEGIN, END, MASK, "<pad>", "<unk>"}

    def is_kept(number: int, piece: str) -> bool:
        count = counts.get(number, 0)
        is_character = len(piece.removeprefix(_SPACE)) <= 1
        return piece in special or count >= LEAST_COUNT or (is_character and count > 0) or is_latin(piece)

    return [number for number, (piece, _) in enumerate(vocabulary.pieces) if is_kept(number, piece)]


def is_latin(piece: str) -> bool:
    """Return True for a single character of European text, with or without the space before it."""
    bare = piece.removeprefix(_SPACE)
    return len(bare) <= 1 and all(ord(character) < 0x180 or 0x2010 <= ord(character) <= 0x2044 for character in bare)


def write_pieces(vocabulary: Unigram, kept: Sequence[int], path: Path) -> None:
    """Write the kept pieces as a SentencePiece model whose last piece, :data:`CASED`, says how words are read."""
    require("google.protobuf", extra="train")
    from sentencepiece import sentencepiece_model_pb2 as protocol

    piece_type = protocol.ModelProto.SentencePiece
    model = protocol.ModelProto()
    for number in kept:
        piece, score = vocabulary.pieces[number]
        control = piece.startswith("<") and piece.endswith(">") and score == 0.0
        kind = (
            piece_type.UNKNOWN if number == vocabulary.unknown else piece_type.CONTROL if control else piece_type.NORMAL
        )
        model.pieces.add(piece=piece, score=score, type=kind)
    model.pieces.add(piece=CASED, score=0.0, type=piece_type.CONTROL)
    spec = model.trainer_spec
    spec.model_type, spec.vocab_size = protocol.TrainerSpec.UNIGRAM, len(model.pieces)
    spec.unk_id = list(kept).index(vocabulary.unknown)
    model.normalizer_spec.name = "identity"
    model.normalizer_spec.add_dummy_prefix = False
    model.normalizer_spec.remove_extra_whitespaces = False
    model.normalizer_spec.escape_whitespaces = True
    with atomic_write(path) as stream:
        stream.write(model.SerializeToString(deterministic=True))


def cut_encoder(folder: Path, kept: Sequence[int], layers: int) -> Any:
    """Return the pretrained encoder with some of its pieces (rows ``kept``, in that order) and its first layers.

    Raises:
        ModelError: the network is of another kind than BERT's.
    """
    transformers = require("transformers", extra="train")
    import torch

    config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    if config.get("model_type") != "bert":
        raise ModelError(f"{folder}: a network of the kind '{config.get('model_type')}'; only 'bert' can be read")
    settings = transformers.BertConfig.from_dict(config)
    if layers:
        settings.num_hidden_layers = min(layers, settings.num_hidden_layers)
    with quiet_libraries():  # layers that are left out are not worth a report
        model = transformers.BertModel.from_pretrained(
            folder, config=settings, add_pooling_layer=False, use_safetensors=True, dtype=torch.float32
        )
    embeddings = model.get_input_embeddings().weight.detach()
    cut = torch.nn.Embedding.from_pretrained(embeddings[list(kept)].clone(), freeze=False)
    model.set_input_embeddings(cut)
    model.config.vocab_size, model.config.pad_token_id = len(kept), 0
    model.embeddings.word_embeddings.padding_idx = None
    # as in our own encoders: dropout is the head's, and the plain kernel is faster on the CPU
    model.config.hidden_dropout_prob = model.config.attention_probs_dropout_prob = 0.0
    model.config.attn_implementation = "eager"
    return model
