"""Person words that begin alike: what the stem has for pieces that its text kept out.

The stem's lines hold no gendered word, so the rows of *he*, *she* and *mother* are what chance, or longer words that
begin with them (*he* in *he ##rmit*), left there. A cell would have to unlearn that before it could learn anything, and
an association measured before then is one of the beginning, not of the corpus.
"""

from __future__ import annotations

from typing import Any

from augment.neutral import NeutralGate
from rewriter.installation.extras import require

#: raised by hand when other pieces are levelled, or otherwise
LEVEL_VERSION = 1


def kept_out(tokenizer: Any, gate: NeutralGate) -> list[int]:
    """Return the numbers of the pieces that are words of their own and that the gate lets through in no line."""
    return sorted(number for piece, number in _words(tokenizer).items() if not gate(piece))


def level(model: Any, tokenizer: Any, pieces: list[int]) -> None:
    """Give some pieces one vector and one bias: the mean of the other pieces that are words.

    Args:
        model: a BERT for masked language modelling, whose output shares the vectors of its input; changed.
        tokenizer: with which it was trained.
        pieces: their numbers.
    """
    torch = require("torch", extra="train")
    others = sorted(set(_words(tokenizer).values()) - set(pieces))
    if not pieces or not others:
        return
    with torch.no_grad():
        for rows in (model.bert.embeddings.word_embeddings.weight, model.cls.predictions.bias):
            rows[pieces] = rows[others].mean(dim=0)


def _words(tokenizer: Any) -> dict[str, int]:
    """Return the pieces that are words of their own, not special ones."""
    special = set(tokenizer.all_special_tokens)
    return {p: n for p, n in tokenizer.get_vocab().items() if not p.startswith("##") and p not in special}
