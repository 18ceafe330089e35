"""The joint SentencePiece vocabulary of a sequence-to-sequence rewriter: loss-free, with ``<pad>`` as the last id.

Source and target share one vocabulary (Amrhein et al. 2023, section 3.2: a joint vocabulary of 8k). Nothing is
normalised: white space, emoji and unknown scripts come back exactly (byte fallback), because a rewriter that changes
what is not gendered is wrong. The model file itself holds no padding piece; ``<pad>`` is the id behind its last piece,
since the conversion to CTranslate2 drops the last entry of a Marian vocabulary as padding.
"""

from __future__ import annotations

import heapq
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rewriter.errors import InputError, ModelError
from rewriter.io.files import atomic_write, file_digest, read_pairs
from rewriter.options import MOST_PIECES, at_least, at_most, check_share, one_of
from rewriter.records import Pair
from rewriter.runs.resume import run_in
from train.encoder.pretrained import find_start, start_digests

__all__ = ["PieceEncoder", "TokenizerConfig", "train_tokenizer"]

#: file name of the vocabulary in tokenizer folders and model directories
MODEL_FILE = "sentencepiece.model"
#: kinds of vocabularies
KINDS = ("unigram", "bpe")
#: raise by hand when the same input gives another vocabulary
VERSION = 1
#: SentencePiece writes a space as this character, so a real one must not reach it
SPACE_MARK = "▁"
#: characters that no text should hold; one of them stands for a real SPACE_MARK while encoding
_NONCHARACTERS = tuple(chr(plane * 0x10000 + low) for plane in range(16, 0, -1) for low in (0xFFFF, 0xFFFE))
#: the trainer sums over sentences thread by thread, so the number of threads is part of the result
_TRAINER_THREADS = 2


@dataclass(frozen=True)
class TokenizerConfig:
    """Options of :func:`train_tokenizer`.

    Attributes:
        vocab_size: number of pieces at most (a small corpus may give fewer).
        character_coverage: share of the characters that get a piece of their own; the rest is written as bytes.
        sample: number of sentences to learn from, drawn at random where there are more.
        seed: seed of that draw.
        kind: how pieces are chosen: ``unigram`` (Kudo 2018) or ``bpe`` (Sennrich et al. 2016, which the paper has).
    """

    vocab_size: int = 8000
    character_coverage: float = 0.9998
    sample: int = 300_000
    seed: int = 1
    kind: str = "unigram"

    def __post_init__(self) -> None:
        one_of(KINDS, kind=self.kind)
        at_least(300, vocab_size=self.vocab_size)  # 256 of which are the bytes
        at_most(MOST_PIECES, vocab_size=self.vocab_size)
        check_share(one=True, character_coverage=self.character_coverage)
        at_least(1, sample=self.sample)


def train_tokenizer(
    config: TokenizerConfig, *, pairs: Path, output: Path, start: str = "", fresh: bool = False
) -> Path:
    """Learn a joint vocabulary from the sources and targets of parallel data, or cut a pretrained one to them.

    Args:
        config: see :class:`TokenizerConfig`.
        pairs: a file of pairs, or a folder with ``train.jsonl.zst`` (or .jsonl, .jsonl.gz, .parquet).
        output: folder for ``sentencepiece.model`` and ``manifest.json``.
        start: pretrained encoder whose pieces are cut to those that occur, ``vocab_size`` at most
            (:mod:`train.seq2seq.warm_vocabulary`); then neither ``kind`` nor ``character_coverage`` counts.
        fresh: throw away what another run left in ``output``.

    Returns:
        the path of the vocabulary.

    Raises:
        InputError: there are no pairs, or too little text for a vocabulary.
        ResumeError: ``output`` holds the vocabulary of another run.
    """
    source = find_pairs(pairs, "train")
    folder = find_start(start) if start else None
    identity = {"version": VERSION, "config": asdict(config), "pairs": file_digest(source)}
    identity |= {f"start {name}": digest for name, digest in start_digests(folder).items()} if folder else {}
    path = output / MODEL_FILE
    with run_in(output, "tokenizer", identity, fresh=fresh or not path.exists()) as run:
        if not run.is_done:
            texts = sample_texts(read_pairs(source), config.sample, np.random.default_rng(config.seed))
            _write(texts, config, source, path, folder)
            run.manifest.counts = {"sentences": len(texts), "pieces": PieceEncoder(path).size}
    return path


def _write(texts: Sequence[str], config: TokenizerConfig, source: Path, path: Path, start: Path | None) -> None:
    if start is not None:
        from train.seq2seq.warm_vocabulary import write_vocabulary

        write_vocabulary(start, texts, path, most=config.vocab_size)
        return
    model = _train(texts, config, source)
    with atomic_write(path) as stream:
        stream.write(model)


def find_pairs(pairs: Path, part: str) -> Path:
    """Return ``pairs`` itself, or the file of that ``part`` (train, dev) in the folder ``pairs``.

    Raises:
        InputError: there is no such file.
    """
    if not pairs.is_dir():
        return pairs
    for suffix in (".jsonl.zst", ".jsonl.gz", ".jsonl", ".parquet"):
        if (pairs / f"{part}{suffix}").exists():
            return pairs / f"{part}{suffix}"
    raise InputError(
        f"{pairs}: there is no {part}.jsonl.zst (nor .jsonl, .jsonl.gz, .parquet); run `gender-fair mix` first"
    )


def sample_texts(pairs: Iterable[Pair], count: int, rng: np.random.Generator) -> list[str]:
    """Draw ``count`` sentences (all, where there are fewer) without holding the rest; order as in the input."""
    kept: list[tuple[float, int, str]] = []
    for number, (key, text) in enumerate(zip(_random_keys(rng), _texts(pairs), strict=False)):
        if len(kept) < count:
            heapq.heappush(kept, (key, number, text))
        elif key > kept[0][0]:
            heapq.heapreplace(kept, (key, number, text))
    return [text for _, _, text in sorted(kept, key=lambda item: item[1])]


def _texts(pairs: Iterable[Pair]) -> Iterator[str]:
    """Yield both sides; the target only where it says something new."""
    for pair in pairs:
        yield pair.source
        if pair.target != pair.source:
            yield pair.target


def _random_keys(rng: np.random.Generator) -> Iterator[float]:
    while True:
        yield from rng.random(8192).tolist()


def _train(texts: Sequence[str], config: TokenizerConfig, source: Path) -> bytes:
    import sentencepiece

    if not texts:
        raise InputError(f"{source}: holds no pairs, so there is nothing to learn a vocabulary from")
    model = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts),
            model_writer=model,
            model_type=config.kind,
            vocab_size=config.vocab_size,
            hard_vocab_limit=False,
            character_coverage=config.character_coverage,
            normalization_rule_name="identity",
            remove_extra_whitespaces=False,
            byte_fallback=True,
            unk_id=0,
            eos_id=1,
            bos_id=-1,
            pad_id=-1,
            num_threads=_TRAINER_THREADS,
            minloglevel=2,
        )
    except RuntimeError as error:
        raise InputError(
            f"{source}: too little text for a vocabulary of {config.vocab_size} pieces; take more pairs or a smaller "
            f"tokenizer.vocab_size ({error})"
        ) from None
    return model.getvalue()


class PieceEncoder:
    """Text to piece ids and back, exactly.

    Attributes:
        size: number of pieces, without padding.
        pad: id of ``<pad>``, which is ``size``.
        eos: id of ``</s>``.
        begin: what stands before a source: the id of ``<s>`` in a vocabulary cut from a pretrained encoder's, else
            nothing.
        path: the file it was loaded from.
    """

    def __init__(self, path: str | Path) -> None:
        """Load a vocabulary.

        Args:
            path: ``sentencepiece.model``, or a folder that holds it.

        Raises:
            ModelError: it is missing, damaged, or not loss-free.
        """
        import sentencepiece

        self.path = Path(path) / MODEL_FILE if Path(path).is_dir() else Path(path)
        try:
            self._pieces: Any = sentencepiece.SentencePieceProcessor(model_file=str(self.path))
        except (OSError, RuntimeError) as error:
            raise ModelError(f"{self.path}: is no SentencePiece model, or damaged ({error})") from None
        self.size: int = self._pieces.get_piece_size()
        self.pad: int = self.size
        self.eos: int = self._pieces.eos_id()
        self.unk: int = self._pieces.unk_id()
        bos: int = self._pieces.bos_id()
        self.begin: list[int] = [bos] if bos >= 0 else []
        self._mark = [self._pieces.piece_to_id(f"<0x{byte:02X}>") for byte in SPACE_MARK.encode()]
        if self.unk in self._mark or self.eos < 0:
            raise ModelError(
                f"{self.path}: has no byte fallback or no </s>; make one with `gender-fair train tokenizer`"
            )

    def encode(self, text: str) -> list[int]:
        """Return the ids of ``text``, without ``</s>``."""
        if SPACE_MARK in text:
            return self._encode_with_mark(text)
        ids: list[int] = self._pieces.encode(text)
        return ids

    def encode_many(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of many texts, without ``</s>``."""
        ids: list[list[int]] = self._pieces.encode([text.replace(SPACE_MARK, " ") for text in texts], num_threads=1)
        for number, text in enumerate(texts):
            if SPACE_MARK in text:
                ids[number] = self._encode_with_mark(text)
        return ids

    def source(self, ids: Sequence[int]) -> list[int]:
        """Return the ids of a text as the model reads a source: between its beginning and its end."""
        return [*self.begin, *ids, self.eos]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids; ``<s>``, ``</s>``, padding and unknown ids give nothing."""
        silent = (self.eos, self.unk, *self.begin)
        text: str = self._pieces.decode([int(i) for i in ids if 0 <= i < self.size and i not in silent])
        return text

    def vocabulary(self) -> dict[str, int]:
        """Return piece -> id with ``<pad>`` as the last."""
        return {**{self._pieces.id_to_piece(i): i for i in range(self.size)}, "<pad>": self.pad}

    def digest(self) -> str:
        """Return the SHA-256 of the vocabulary file."""
        return file_digest(self.path)

    def _encode_with_mark(self, text: str) -> list[int]:
        """Encode text that holds SPACE_MARK itself, which SentencePiece would give back as a space."""
        free = (c for c in _NONCHARACTERS if c not in text and self._pieces.piece_to_id(c) == self.unk)
        stand_in = next(free, " ")
        searched = [self._pieces.piece_to_id(f"<0x{byte:02X}>") for byte in stand_in.encode()]
        ids: list[int] = self._pieces.encode(text.replace(SPACE_MARK, stand_in))
        result: list[int] = []
        position = 0
        while position < len(ids):
            found = ids[position : position + len(searched)] == searched
            result += self._mark if found else ids[position : position + 1]
            position += len(searched) if found else 1
        return result
