"""Words that a masked language model would put in a place: the model, and which words are replaced.

Contextual word augmentation (Sengupta et al. 2022, section 3.2, steps 4 and 5): in the gendered sub-sentences of a
text some words are masked one by one, and the model's own proposals take their place. Gendered words and function
words stay, and no gendered word is put in, so the class of the text cannot change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from eval.bias_filter.matcher import GroupMatcher
from eval.masked_lm import answers_at, load_masked_lm
from lexicons.loader import TableError, read_table
from rewriter.installation.extras import require
from rewriter.io.files import file_digest
from rewriter.runs.manifest import fingerprint

#: characters of context to each side of a masked word, per token that the model can read; so it mostly is not cut off
CONTEXT = 2
#: letters that a word must have to be replaced
SHORTEST = 3
_WORD = re.compile(r"[^\W\d_]+")
_MARKS = ("\u0120", "\u2581")  # what byte-level BPE and SentencePiece put before a word


class Masked(NamedTuple):
    """A place to be filled: the word from ``start`` to ``end`` of ``text``."""

    text: str
    start: int
    end: int


class Suggestion(NamedTuple):
    """A whole word and its probability."""

    word: str
    probability: float


class MaskedModel(Protocol):
    """Proposes words for places."""

    def suggest(self, places: Sequence[Masked], top: int) -> list[list[Suggestion]]:
        """Return for each place the most probable whole words, best first; none where the model has none."""
        ...


class TransformersMaskedModel:
    """A masked language model of the Hugging Face library.

    Args:
        name: folder, or a name on the hub (BERT, mBERT, RoBERTa, XLM-R ...); weights are read as safetensors only.
        device: ``cpu``, ``cuda`` ...
        batch_size: places that are filled together.

    Raises:
        MissingExtraError: torch or transformers are not installed.
        ModelError: there is no such model, or it is none that fills masks.
    """

    def __init__(self, name: str, *, device: str = "cpu", batch_size: int = 32) -> None:
        self._torch = require("torch", extra="train")
        self._tokenizer, self._model = load_masked_lm(name, device=device)
        self._device, self._batch_size = device, batch_size
        # some families (RoBERTa) keep two positions for themselves
        positions = getattr(self._model.config, "max_position_embeddings", None) or 512
        self._limit = min(self._tokenizer.model_max_length, positions - 2)
        self._words = [self._whole_word(token) for token in self._tokens()]

    def suggest(self, places: Sequence[Masked], top: int) -> list[list[Suggestion]]:
        """Return for each place the most probable whole words, best first."""
        order = sorted(range(len(places)), key=lambda at: len(places[at].text))
        found: list[list[Suggestion]] = [[] for _ in places]
        for start in range(0, len(order), self._batch_size):
            batch = order[start : start + self._batch_size]
            for at, suggestions in zip(batch, self._fill([places[at] for at in batch], top), strict=True):
                found[at] = suggestions
        return found

    def _fill(self, places: Sequence[Masked], top: int) -> list[list[Suggestion]]:
        torch, tokenizer = self._torch, self._tokenizer
        inputs = tokenizer(
            [self._mask(place) for place in places],
            padding=True,
            truncation=True,
            max_length=self._limit,
            return_tensors="pt",
        ).to(self._device)
        masks = inputs["input_ids"] == tokenizer.mask_token_id
        # none: cut off; several: the text itself holds the mask's name
        (rows,) = torch.nonzero(masks.sum(-1) == 1, as_tuple=True)
        with torch.inference_mode():
            logits = answers_at(
                self._model, inputs["input_ids"], inputs["attention_mask"], rows, masks[rows].int().argmax(-1)
            )
        found: list[list[Suggestion]] = [[] for _ in places]
        for row, answers in zip(rows.tolist(), logits, strict=True):
            found[row] = self._best(answers, top)
        return found

    def _best(self, logits: Any, top: int) -> list[Suggestion]:
        """Return the best whole words among twice as many tokens as are asked for."""
        values, tokens = self._torch.softmax(logits.float(), -1).topk(min(2 * top + 8, logits.shape[-1]))
        pairs = zip(tokens.tolist(), values.tolist(), strict=True)
        return [Suggestion(word, value) for token, value in pairs if (word := self._words[token])][:top]

    def _mask(self, place: Masked) -> str:
        around = CONTEXT * self._limit
        before, after = place.text[: place.start][-around:], place.text[place.end :][:around]
        return f"{before}{self._tokenizer.mask_token}{after}"

    def _tokens(self) -> list[str]:
        vocabulary = max(self._model.config.vocab_size, len(self._tokenizer))
        known = range(len(self._tokenizer))
        tokens: list[str] = self._tokenizer.convert_ids_to_tokens(list(known))
        self._marked = any(token and token.startswith(_MARKS) for token in tokens)
        return [token or "" for token in tokens] + [""] * (vocabulary - len(tokens))

    def _whole_word(self, token: str) -> str:
        """Return the word that a token is, nothing for parts of words and signs."""
        if self._marked:
            token = token[1:] if token.startswith(_MARKS) else ""
        elif token.startswith("##"):
            token = ""
        word = token if _WORD.fullmatch(token) else ""
        return word if word and token not in self._tokenizer.all_special_tokens else ""


def model_identity(name: str) -> str:
    """Return what tells one model from another: a digest of a folder's files, or the name on the hub."""
    folder = Path(name)
    if not name or not folder.is_dir():
        return name
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return fingerprint({path.name: file_digest(path) for path in files})


@dataclass(frozen=True, slots=True)
class Change:
    """One replaced word: where it stood in the text that was given to the model."""

    start: int
    before: str
    after: str


@dataclass(frozen=True)
class Substitution:
    """Replaces words of texts by what a masked language model proposes.

    Attributes:
        model: proposes.
        matcher: knows the gendered words, which stay and are never put in.
        kept: lower-cased words that stay too, such as function words.
        share: of the words that may be replaced; at least one is.
        top: so many proposals are drawn from, by their probability.
    """

    model: MaskedModel
    matcher: GroupMatcher
    kept: frozenset[str] = frozenset()
    share: float = 0.3
    top: int = 10

    def apply(
        self, texts: Sequence[str], spans: Sequence[Iterable[tuple[int, int]]], rng: np.random.Generator
    ) -> list[tuple[str, list[Change]]]:
        """Return each text with some words of its ``spans`` replaced, and the changes in order."""
        chosen = [self._choose(text, inside, rng) for text, inside in zip(texts, spans, strict=True)]
        places = [place for group in chosen for place in group]
        suggestions = iter(self.model.suggest(places, self.top))
        allowed = self._allowed([list(next(suggestions)) for _ in places])
        proposals = iter(zip(places, allowed, strict=True))
        return [
            self._replace(text, [next(proposals) for _ in group], rng)
            for text, group in zip(texts, chosen, strict=True)
        ]

    def _choose(self, text: str, spans: Iterable[tuple[int, int]], rng: np.random.Generator) -> list[Masked]:
        words = [
            match for start, end in spans for match in _WORD.finditer(text, start, end) if self._may_change(match[0])
        ]
        gendered = self.matcher.scan([match[0] for match in words]).masks
        open_words = [match for match, mask in zip(words, gendered.tolist(), strict=True) if not mask]
        if not open_words:
            return []
        number = max(1, round(self.share * len(open_words)))
        picked = sorted(rng.choice(len(open_words), size=number, replace=False).tolist())
        return [Masked(text, open_words[at].start(), open_words[at].end()) for at in picked]

    def _may_change(self, word: str) -> bool:
        """Return True if a word may be replaced; one with a capital is mostly a name or the first of its sentence."""
        return len(word) >= SHORTEST and word.islower() and word not in self.kept

    def _allowed(self, proposals: list[list[Suggestion]]) -> list[list[Suggestion]]:
        """Return the proposals without gendered words."""
        words = sorted({suggestion.word for group in proposals for suggestion in group})
        gendered = {word for word, mask in zip(words, self.matcher.scan(words).masks.tolist(), strict=True) if mask}
        return [[suggestion for suggestion in group if suggestion.word not in gendered] for group in proposals]

    def _replace(
        self, text: str, places: list[tuple[Masked, list[Suggestion]]], rng: np.random.Generator
    ) -> tuple[str, list[Change]]:
        parts: list[str] = []
        changes: list[Change] = []
        position = 0
        for place, suggestions in places:
            before = text[place.start : place.end]
            fitting = [s for s in suggestions if s.word.lower() != before.lower()]
            if not fitting:
                continue
            weights = np.array([max(s.probability, 1e-12) for s in fitting])
            after = fitting[int(rng.choice(len(fitting), p=weights / weights.sum()))].word
            parts += (text[position : place.start], after)
            position = place.end
            changes.append(Change(place.start, before, after))
        return "".join(parts) + text[position:], changes


def function_words(lang: str) -> frozenset[str]:
    """Return words of a language that are never replaced; none where there is no list."""
    try:
        return frozenset(row["word"].lower() for row in read_table(lang, "stop_words"))
    except TableError:
        return frozenset()
