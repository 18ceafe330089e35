"""Make ``lexicons/<language>/swap_named.tsv``: the weights by which swapping tells which persons a text names.

    python -m tools.fit_named en [--held-out]

Labels are the stand-off records of ``recipes/gold-swap/named-<language>.jsonl`` (the twin of a text of one to three
sentences, and of each edit whether it turns a person who is named), their texts lie in ``GENDER_FAIR_DATA``. A
log-linear model is fitted by Newton's method with a penalty on the squares of the weights: first with what the reader
said of the mentions before, then twice with what the model itself decided of them. ``--held-out`` writes nothing and
prints how it does on texts left out, in five parts, beside the heuristic by sentence.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from augment.swap.core import Swapper
from augment.swap.named import named_by_sentence
from augment.swap.who import Features, WhoIsNamed
from eval.reading.gold import GoldSentence, find_sentences
from rewriter.language.interface import get_language
from rewriter.records import Edit
from tools import LEXICONS

RECIPES = LEXICONS.parent / "recipes" / "gold-swap"
HEADER = """\
# How much each thing said of the surroundings of a mention speaks for a person who is named (augment/swap/who.py).
# Source: fitted by tools/fit_named.py to texts read for this toolkit (recipes/gold-swap/named-{lang}.jsonl). Licence:
# Apache-2.0, as this toolkit.
feature\tweight
"""
PARTS = 5
#: times the sum of squares of the weights, beside the sum of the losses
PENALTY = 1.0
#: fits, each with the decisions of the one before
ROUNDS = 3


@dataclass(frozen=True)
class Text:
    """A text with the swapper's edits; of each edit whether its person is named, None where no reader said so."""

    text: str
    edits: tuple[Edit, ...]
    named: tuple[bool | None, ...]


def read_texts(lang: str, path: Path) -> list[Text]:
    """Return the texts of records, with what stands before them in their line."""
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    told = {record["id"]: record.pop("named") for record in records}
    gold = [GoldSentence(**(r | {"edits": tuple(tuple(edit) for edit in r["edits"])})) for r in records]
    swapper, texts = Swapper(lang, names="keep", facts="turn"), []
    for found in find_sentences(gold, Path(os.environ["GENDER_FAIR_DATA"])):
        before = " ".join(found.before.split())[-600:]
        text = f"{before} {found.text}" if before else found.text
        shift = len(text) - len(found.text)
        edits = swapper.swap(text, return_edits=True).edits
        read = list(zip(found.gold.edits or (), told[found.gold.id], strict=True))
        named = tuple(_label(edit.start - shift, edit.end - shift, read) for edit in edits)
        if any(label is not None for label in named):
            texts.append(Text(text, edits, named))
    return texts


def _label(start: int, end: int, read: Iterable[tuple[tuple[int, int, str], int]]) -> bool | None:
    return next((bool(named) for (a, b, _), named in read if a < end and start < b), None)


def rows_of(who: WhoIsNamed, text: Text, *, own: bool) -> list[tuple[Features, bool]]:
    """Return features and label of the mentions of a text that have one.

    Args:
        who: says what stands around them.
        text: with labels.
        own: what came before in the text is as ``who`` decides, not as the reader said.
    """
    rows = []
    for mention, features, course in who.course(text.text, text.edits):
        labels = [label for i in mention.edits if (label := text.named[i]) is not None]
        named = bool(labels) and sum(labels) * 2 >= len(labels)
        course.note(mention, named=who.share(features) > 0.5 if own else named)
        if labels:
            rows.append((features, named))
    return rows


def learned(lang: str, texts: Sequence[Text]) -> WhoIsNamed:
    """Return the model that texts teach: first with what the reader decided before, then with its own decisions."""
    language = get_language(lang)
    who = WhoIsNamed(language, {})
    for number in range(ROUNDS):
        rows = [row for text in texts for row in rows_of(who, text, own=number > 0)]
        who = WhoIsNamed(language, fit(rows))
    return who


def fit(rows: Sequence[tuple[Features, bool]]) -> dict[str, float]:
    """Return the weights of the features, by Newton's method."""
    counts = Counter(name for features, _ in rows for name in features)
    names = sorted(name for name, count in counts.items() if count >= 5)
    inputs = np.array([[name in features for name in names] for features, _ in rows], np.float64)
    labels = np.array([label for _, label in rows], np.float64)
    weights = np.zeros(len(names))
    for _ in range(25):
        shares = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (shares - labels) + 2 * PENALTY * weights
        bend = (inputs * (shares * (1 - shares))[:, None]).T @ inputs + 2 * PENALTY * np.eye(len(names))
        weights -= np.linalg.solve(bend, slope)
    return dict(zip(names, weights.round(2).tolist(), strict=True))


def held_out(lang: str, texts: Sequence[Text]) -> str:
    """Return a table of how the model does on texts left out, beside the heuristic by sentence."""
    language = get_language(lang)
    counts = {"by sentence": Counter[tuple[bool, bool]](), "learned": Counter[tuple[bool, bool]]()}
    for part in range(PARTS):
        who = learned(lang, [text for i, text in enumerate(texts) if i % PARTS != part])
        for text in texts[part::PARTS]:
            told = {"by sentence": named_by_sentence(language, text.text, text.edits)}
            told["learned"] = who(text.text, text.edits)
            for name, answers in told.items():
                counts[name].update(
                    (label, a) for label, a in zip(text.named, answers, strict=True) if label is not None
                )
    lines = ["                 edits   right   of persons named   of others"]
    for name, count in counts.items():
        named, others = count[True, True] + count[True, False], count[False, True] + count[False, False]
        right = count[True, True] + count[False, False]
        lines.append(
            f"{name:14} {named + others:7} {right / (named + others):7.1%} {count[True, True] / named:12.1%}"
            f" {count[False, False] / others:17.1%}"
        )
    return "\n".join(lines)


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lang")
    parser.add_argument("--held-out", action="store_true")
    args = parser.parse_args()
    texts = read_texts(args.lang, RECIPES / f"named-{args.lang}.jsonl")
    if args.held_out:
        print(held_out(args.lang, texts))
        return
    rows = "".join(f"{name}\t{weight:g}\n" for name, weight in learned(args.lang, texts).weights.items())
    (LEXICONS / args.lang / "swap_named.tsv").write_text(HEADER.format(lang=args.lang) + rows, encoding="utf-8")


if __name__ == "__main__":
    main()
