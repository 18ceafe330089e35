"""Pseudo-perplexity of a masked language model per word, on the same words whatever a model's vocabulary.

ln p of a word is the sum over its pieces, each asked with itself and the pieces of the word behind it masked (Kauf
and Ivanova 2023): with one piece masked at a time the rest of a rare word would give it away. Words are drawn once
from the text, so models of different vocabularies answer the same questions; perplexity per piece cannot be compared
like that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from eval.bootstrap import Ints, Resampling
from eval.mlm_bias.figures import Findings, resampled_scores
from eval.mlm_bias.models import Encoded, MaskedModel, Question
from eval.mlm_bias.sources import digest
from rewriter.errors import InputError
from rewriter.io.files import read_lines

WARNING = (
    "A cost, not a bias. Comparable between vocabularies, but a model that writes everything in lower case has "
    "less to guess, and words that a vocabulary does not know are left out and counted."
)
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
#: words of a passage at most, so that every model can read it whole
_LONGEST = 60
_SEED = 977


class Asked(NamedTuple):
    """A word that is asked for: its passage, and where it stands in it."""

    passage: int
    span: tuple[int, int]


def passages(lines: Iterable[str]) -> list[str]:
    """Return the lines, long ones in parts; without those that hold no word."""
    found = []
    for line in lines:
        words = line.split()
        parts = (" ".join(words[start : start + _LONGEST]) for start in range(0, len(words), _LONGEST))
        found += [part for part in parts if _WORD.search(part)]
    return found


def draw_words(texts: Sequence[str], number: int) -> list[Asked]:
    """Return words drawn from passages, always the same ones of the same text; all where there are no more."""
    words = [Asked(n, match.span()) for n, text in enumerate(texts) for match in _WORD.finditer(text)]
    if len(words) <= number:
        return words
    chosen = np.random.default_rng([_SEED, number]).choice(len(words), size=number, replace=False)
    return [words[n] for n in sorted(chosen.tolist())]


def word_questions(model: MaskedModel, encoded: Encoded, span: tuple[int, int]) -> list[Question]:
    """Return a question for each piece of a word, with the pieces of the word behind it masked too."""
    places = encoded.inside(span)
    return [
        Question(model.masked(encoded.ids, places[number:]), place, encoded.ids[place])
        for number, place in enumerate(places)
    ]


def measure_pseudo_perplexity(
    model: MaskedModel, path: Path, resampling: Resampling, *, words: int = 2000, name: str = ""
) -> Findings:
    """Return the pseudo-perplexity per word of a text file, with an interval over passages.

    Args:
        model: what is asked.
        path: of the text.
        resampling: of the passages.
        words: of the text, so many.
        name: of the text among others; by default that of the file.

    Raises:
        InputError: the file cannot be read, or holds no word that the model knows.
    """
    texts = passages(read_lines(path))
    drawn = draw_words(texts, words)
    encoded = {n: model.encode(texts[n]) for n in sorted({word.passage for word in drawn})}
    asked = [word_questions(model, encoded[word.passage], word.span) for word in drawn]
    known = [n for n, part in enumerate(asked) if part and all(q.wanted != model.unknown for q in part)]
    if not known:
        raise InputError(f"{path}: there is no word in it that {model.name} knows")
    values = model.log_p([question for n in known for question in asked[n]], label=path.name)
    ends = np.cumsum([0, *(len(asked[n]) for n in known)])
    by_word = np.add.reduceat(values, ends[:-1])
    numbers = np.unique([drawn[n].passage for n in known], return_inverse=True)[1]
    sums, counts = np.bincount(numbers, weights=by_word), np.bincount(numbers)

    def statistic(rows: Ints) -> list[float]:
        return [float(np.exp(-sums[rows].sum() / counts[rows].sum()))]

    scores = resampled_scores((f"per word, {name or path.stem}",), statistic, len(counts), resampling, unbiased=(None,))
    left_out = {"words that the vocabulary does not know": len(drawn) - len(known)} if len(known) < len(drawn) else {}
    return Findings(scores, len(known), {"words": len(drawn), "masks": "word-l2r", "data": digest(path)}, left_out)
