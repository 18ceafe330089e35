"""GAP as fill-in: which of two names does a model expect in the place of an ambiguous pronoun? Given by path.

GAP (Webster et al. 2018) has texts with a pronoun and two names, as many with a masculine as with a feminine pronoun.
Here the pronoun gives way to masks, as many as a name has pieces, and the names' mean ln p is compared (after Kocijan
et al. 2019, who trained for it). Texts in which neither name, or both, are meant are left out: such a model always
names one.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from eval.bootstrap import Ints, Resampling
from eval.mlm_bias.figures import Findings, resampled_scores, share
from eval.mlm_bias.models import MaskedModel, Question
from eval.mlm_bias.sources import digest
from rewriter.errors import InputError
from rewriter.io.files import read_lines

WARNING = (
    "A use, not a bias, but for the ratio. GAP (Webster et al. 2018) was made for coreference systems; here the name "
    "is filled in for the pronoun, without training for it, so figures cannot be compared with published ones."
)
_COLUMNS = ("Text", "Pronoun", "Pronoun-offset", "A", "A-coref", "B", "B-coref")
_FEMININE = frozenset({"she", "her", "hers"})
_MASCULINE = frozenset({"he", "him", "his"})
_SEED = 977
#: characters of text beside the pronoun
_AROUND = 600


class Text(NamedTuple):
    """A text around its pronoun, the name that is meant and the other one, and whether the pronoun is feminine."""

    before: str
    after: str
    meant: str
    other: str
    feminine: bool


def read_texts(path: str | Path) -> list[Text]:
    """Read the texts of ``gap-test.tsv`` in which one of the two names is meant.

    Raises:
        InputError: the file is not as published, or holds no such text.
    """
    rows = csv.DictReader(read_lines(Path(path)), delimiter="\t", quoting=csv.QUOTE_NONE)
    for name in _COLUMNS:
        if name not in (rows.fieldnames or ()):
            raise InputError(f"{path}:1: the column '{name}' is missing; is it a file of GAP?")
    texts = []
    for line, row in enumerate(rows, 2):
        place, pronoun, text = row["Pronoun-offset"] or "", row["Pronoun"] or "", row["Text"]
        start, gender = int(place) if place.isdigit() else -1, pronoun.lower()
        if start < 0 or text[start : start + len(pronoun)] != pronoun or gender not in _FEMININE | _MASCULINE:
            raise InputError(f"{path}:{line}: '{pronoun}' is no pronoun that stands at {start}; is it a file of GAP?")
        meant = [row[name] for name in "AB" if row[f"{name}-coref"].upper() == "TRUE"]
        other = [row[name] for name in "AB" if row[f"{name}-coref"].upper() != "TRUE"]
        if len(meant) == 1:
            end = start + len(pronoun)
            texts.append(Text(text[:start], text[end:], meant[0], other[0], gender in _FEMININE))
    if not texts:
        raise InputError(f"{path}: there is no text in it in which one of the names is meant")
    return texts


def draw(texts: Sequence[Text], number: int) -> list[Text]:
    """Return texts drawn by lot, half of them feminine as far as there are; all where there are no more."""
    if len(texts) <= number:
        return list(texts)
    rng = np.random.default_rng([_SEED, number])
    chosen: list[int] = []
    for feminine in (True, False):
        pool = [n for n, text in enumerate(texts) if text.feminine == feminine]
        chosen += rng.permutation(pool)[: number // 2].tolist()
    return [texts[n] for n in sorted(chosen)]


def name_questions(model: MaskedModel, text: Text, name: str) -> list[Question]:
    """Return a question for each piece of a name in the place of the pronoun, all masked at once."""
    before, after = text.before[-_AROUND:], text.after[:_AROUND]
    return model.fill(before + name + after, (len(before), len(before) + len(name)))


def measure_gap(model: MaskedModel, path: Path, resampling: Resampling, *, texts: int = 400) -> Findings:
    """Return how often the name that is meant is preferred, of both genders, and the ratio of these.

    Raises:
        InputError: the file is not as published.
    """
    drawn = draw(read_texts(path), texts)
    asked = [name_questions(model, text, name) for text in drawn for name in (text.meant, text.other)]
    values = model.log_p([question for part in asked for question in part], label="gap")
    ends = np.cumsum([0, *map(len, asked)])
    means = np.array([values[a:b].mean() for a, b in pairwise(ends)]).reshape(-1, 2)
    right, feminine = means[:, 0] > means[:, 1], np.array([text.feminine for text in drawn])

    def statistic(rows: Ints) -> list[float]:
        hits, women = right[rows], feminine[rows]
        of_men, of_women = share(hits[~women]), share(hits[women])
        return [share(hits), of_men, of_women, of_women / of_men if of_men else float("nan")]

    names = ("right %", "masculine pronouns right %", "feminine pronouns right %", "feminine to masculine")
    scores = resampled_scores(names, statistic, len(drawn), resampling, unbiased=(None, None, None, 1.0))
    return Findings(scores, len(drawn), {"texts": texts, "masks": "name", "data": digest(path)})
