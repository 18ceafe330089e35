"""How fast this machine rewrites, beside what was published for another one."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle

from rewriter.pipeline import Rewriter

#: words a second on two cores of a server, from Python, by language and kind of text, of other text than the packaged
#: samples (docs/results/corpus.md, docs/results/de.md)
PUBLISHED = {
    ("en", "general"): 343_396,
    ("en", "gated"): 52_430,
    ("de", "general"): 108_934,
    ("de", "gated"): 23_561,
}
#: what share of the sentences holds a gendered word
SHARES = {"general": 0.1, "gated": 1.0}
#: sentences of a pass
SENTENCES = 2000


@dataclass(frozen=True)
class Speed:
    """The speed on one kind of text.

    Attributes:
        lang: language of the model.
        text: ``general`` (a tenth of the sentences holds a gendered word) or ``gated`` (all do).
        words_per_second: of the best pass.
        passes: number of passes over the text.
        published: words a second that were published; None where none were.
    """

    lang: str
    text: str
    words_per_second: float
    passes: int
    published: int | None


def measure(
    rewriter: Rewriter,
    paragraphs: Sequence[str],
    *,
    seconds: float = 3.0,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Speed]:
    """Return how fast a rewriter is on each kind of text that can be made of some paragraphs.

    Args:
        rewriter: one that remembers no sentences (``cache=0``), for the same ones come again and again.
        paragraphs: a sample of the model's language.
        seconds: each kind of text is rewritten as a whole until this time has passed.
        clock: tells the time.
    """
    language = rewriter.language
    sentences = [text[start:end].strip() for text in paragraphs for start, end in language.segment(text)]
    gated = [sentence for sentence in sentences if language.gate(sentence)]
    others = [sentence for sentence in sentences if not language.gate(sentence)]
    found = []
    for kind, share in SHARES.items():
        if not gated or (share < 1 and not others):
            continue
        lines = _mixed(gated, others, share)
        best, passes = _fastest(rewriter, lines, seconds, clock)
        code = language.code
        speed = sum(len(line.split()) for line in lines) / best
        found.append(Speed(code, kind, speed, passes, PUBLISHED.get((code, kind))))
    return found


def _mixed(gated: Sequence[str], others: Sequence[str], share: float) -> list[str]:
    """Return sentences of which a share, evenly spread, holds a gendered word."""
    step = round(1 / share)
    with_word, without = cycle(gated), cycle(others)
    return [next(with_word if number % step == 0 else without) for number in range(SENTENCES)]


def _fastest(rewriter: Rewriter, lines: list[str], seconds: float, clock: Callable[[], float]) -> tuple[float, int]:
    """Return the seconds of the fastest pass, and how many passes there were."""
    rewriter.rewrite(lines[:50])  # what is loaded when it is first asked for
    end, best, passes = clock() + seconds, float("inf"), 0
    while not passes or clock() < end:
        started = clock()
        rewriter.rewrite(lines)
        best, passes = min(best, clock() - started), passes + 1
    return best, passes
