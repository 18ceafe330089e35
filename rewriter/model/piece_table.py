"""Words to piece ids for the edit model's encoder: SentencePiece per word, remembered.

Two kinds of vocabulary: ours, made of lower-cased words (capitals are told by the shape beside a piece), and that of a
pretrained encoder, which reads words as they are written, with the white space before them. The second kind holds the
piece :data:`CASED`, so that a vocabulary says by itself how it is to be used.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

from rewriter.errors import ModelError
from rewriter.language.tokens import Token

BEGIN, END, MASK = "<s>", "</s>", "<mask>"
#: control piece of vocabularies that read words as they are written (XLM-R's and their like)
CASED = "<cased>"
#: remembered words; beyond that the memory is emptied (text has a heavy head, so it refills at once)
CACHE_SIZE = 50_000
#: a word of more pieces (a 1 MB line without spaces) is cut: its tail cannot matter to any decision
MAX_PIECES = 16


def encodable(text: str) -> str:
    """Return ``text`` with question marks for lone surrogates, which SentencePiece refuses."""
    return text.encode("utf-8", "replace").decode("utf-8")


class PieceTable:
    """The vocabulary of an encoder; looks words up one by one and remembers them."""

    def __init__(self, processor: Any) -> None:
        self._processor = processor
        self._cache: dict[str, tuple[int, ...]] = {}
        self.size: int = processor.get_piece_size()
        self.begin: int = processor.piece_to_id(BEGIN)
        self.end: int = processor.piece_to_id(END)
        self.mask: int = processor.piece_to_id(MASK)
        self.unknown: int = processor.unk_id()
        self.cased: bool = processor.piece_to_id(CASED) != self.unknown

    @classmethod
    def load(cls, path: str | Path) -> PieceTable:
        """Load a SentencePiece model.

        Raises:
            ModelError: the file is missing or damaged.
        """
        import sentencepiece

        try:
            return cls(sentencepiece.SentencePieceProcessor(model_file=str(path)))
        except (OSError, RuntimeError) as error:
            raise ModelError(f"{path}: not readable as a SentencePiece model ({error})") from None

    def encode(self, text: str, token: Token) -> tuple[int, ...]:
        """Return the piece ids of a token of ``text`` (at least one, at most :data:`MAX_PIECES`)."""
        if not self.cased:
            return self.pieces(token.norm)
        # the piece of a word in running text holds the white space before it; NFKC as the pretrained vocabulary had it
        surface = unicodedata.normalize("NFKC", text[token.start : token.end])
        is_apart = token.start == 0 or text[token.start - 1].isspace()
        return self.pieces(f" {surface}" if is_apart else surface)

    def text(self, number: int) -> str:
        """Return a piece as the vocabulary writes it."""
        piece: str = self._processor.id_to_piece(number)
        return piece

    def number(self, text: str) -> int:
        """Return the id of a piece as the vocabulary writes it, that of the unknown one where there is none."""
        found: int = self._processor.piece_to_id(text)
        return found

    def shape(self, token: Token) -> int:
        """Return what stands beside the pieces of a token: its case shape where the pieces do not tell it, else 0."""
        return 0 if self.cased else token.shape

    def pieces(self, word: str) -> tuple[int, ...]:
        """Return the piece ids of a word as the vocabulary has it (at least one, at most :data:`MAX_PIECES`)."""
        found = self._cache.get(word)
        if found is None:
            ids = self._processor.encode(encodable(word[: 8 * MAX_PIECES]))[:MAX_PIECES]
            found = tuple(ids) or (self.unknown,)
            if not word.isdigit():  # numbers are all different
                if len(self._cache) >= CACHE_SIZE:
                    self._cache.clear()
                self._cache[word] = found
        return found
