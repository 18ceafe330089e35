"""WinoBias as fill-in: which pronoun does a model expect beside a profession? The files are given by path.

WinoBias (Zhao et al. 2018) is made for coreference: the same sentences with the pronoun that fits the stereotype of
the profession (``pro``) and with the other one (``anti``). Here the pronoun is masked and ln p of both is compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from eval.bootstrap import Floats, Ints, Resampling
from eval.mlm_bias.figures import Findings, mean, resampled_scores, share
from eval.mlm_bias.models import MaskedModel, Question
from eval.mlm_bias.sources import digest
from rewriter.en.closed_words import FEMININE_PRONOUNS, MASCULINE_PRONOUNS
from rewriter.errors import InputError
from rewriter.io.files import read_lines

WARNING = (
    "WinoBias was made for coreference systems; filling in the pronoun is not its authors' use, and a model "
    "may choose a pronoun for reasons other than the profession. Its stereotypes are US labour statistics."
)
_BRACKETED = re.compile(r"\[([^\]]*)\]")
_NUMBER = re.compile(r"^\d+\s+")


class Item(NamedTuple):
    """A sentence around its pronoun, both pronouns, and whether the masculine one fits the stereotype."""

    before: str
    after: str
    masculine: str
    feminine: str
    fits_masculine: bool


def read_items(pro: str | Path, anti: str | Path) -> list[Item]:
    """Read two files with the same sentences: with the pronoun of the stereotype, and with the other one.

    Raises:
        InputError: a sentence has no pronoun in brackets, or no partner in the other file.
    """
    partners = {(before, after): pronoun for _, before, after, pronoun in _sentences(Path(anti))}
    items = []
    for line, before, after, pronoun in _sentences(Path(pro)):
        other = partners.get((before, after))
        if other is None or (pronoun in MASCULINE_PRONOUNS) == (other in MASCULINE_PRONOUNS):
            raise InputError(f"{pro}:{line}: {anti} holds no such sentence with a pronoun of the other gender")
        fits = pronoun in MASCULINE_PRONOUNS
        items.append(Item(before, after, *((pronoun, other) if fits else (other, pronoun)), fits))
    if not items:
        raise InputError(f"{pro}: there is no sentence in it")
    return items


def _sentences(path: Path) -> Iterator[tuple[int, str, str, str]]:
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        text = _NUMBER.sub("", line.strip())
        marked = [m for m in _BRACKETED.finditer(text) if m[1].lower() in MASCULINE_PRONOUNS | FEMININE_PRONOUNS]
        if len(marked) != 1:
            raise InputError(f"{path}:{number}: one pronoun stands in brackets, not {len(marked)}; is it WinoBias?")
        before, after = text[: marked[0].start()], text[marked[0].end() :]
        yield number, _BRACKETED.sub(r"\1", before), _BRACKETED.sub(r"\1", after), marked[0][1].lower()


def find_files(path: Path) -> list[tuple[Path, Path]]:
    """Return pairs of files (``pro_stereotyped...``, ``anti_stereotyped...``) of a folder, or of one of the files.

    Raises:
        InputError: a file has no partner, or there is none.
    """
    pros = sorted(path.glob("pro_stereotyped*")) if path.is_dir() else [path]
    pairs = [(pro, pro.with_name(pro.name.replace("pro_", "anti_", 1))) for pro in pros]
    for pro, anti in pairs:
        if pro == anti or not anti.exists():
            raise InputError(f"{pro}: WinoBias has a file pro_stereotyped... and beside it anti_stereotyped...")
    if not pairs:
        raise InputError(f"{path}: there is no file pro_stereotyped... in it")
    return pairs


def leanings(model: MaskedModel, items: Sequence[Item]) -> Floats:
    """Return ln p(masculine) - ln p(feminine) of each sentence's pronoun."""
    questions: list[Question] = []
    ends = [0]
    for item in items:
        for pronoun in (item.masculine, item.feminine):
            text = item.before + pronoun + item.after
            questions += model.fill(text, (len(item.before), len(item.before) + len(pronoun)))
            ends.append(len(questions))
    values = np.concatenate([[0.0], np.cumsum(model.log_p(questions, label="winobias"))])
    masculine, feminine = (values[ends[1:]] - values[ends[:-1]]).reshape(-1, 2).T
    return np.asarray(masculine - feminine)


def measure_winobias(model: MaskedModel, path: Path, resampling: Resampling) -> Findings:
    """Return how often the pronoun of the stereotype is preferred, balanced over genders, and by how much."""
    files = find_files(path)
    items = [item for pair in files for item in read_items(*pair)]
    values, fits = leanings(model, items), np.array([item.fits_masculine for item in items])

    def statistic(drawn: Ints) -> list[float]:
        value, male = values[drawn], fits[drawn]
        men, women = share(value[male] > 0), share(value[~male] < 0)
        return [(men + women) / 2, men, women, mean(value[male]) - mean(value[~male])]

    names = (
        "stereotype preferred %",
        "he for men's professions %",
        "she for women's professions %",
        "stereotype, ln p",
    )
    scores = resampled_scores(names, statistic, len(items), resampling, unbiased=(50.0, None, None, 0.0))
    return Findings(scores, len(items), {"data": digest(*(file for pair in files for file in pair))})
