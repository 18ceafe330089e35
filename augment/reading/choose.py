"""Sentences worth reading: where a model is unsure or the rules overrule it, of some kind, or any; stratified by file.

Uncertainty is the margin between the two likeliest options of a candidate (Scheffer, Decomain & Wrobel 2001, "Active
hidden Markov models for information extraction", margin sampling), the smallest of the sentence. A part of every sheet
is drawn at random, so that what the model is wrongly sure of is met as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path

from augment.generate import held_lines
from augment.reading.sheet import Row
from augment.sources import find_inputs
from eval.reading.context import in_context
from eval.reading.draw import Accepts, DrawOptions, draw_sentences
from eval.reading.gold import FoundSentence, GoldSentence, find_sentences, load_gold, replay
from eval.reading.score import is_sealed
from rewriter.errors import UsageError
from rewriter.language.candidates import Analysis, Candidate
from rewriter.language.interface import Language, get_language
from rewriter.model.edit_model import EditModel, Reading
from rewriter.model.proposer import analyze
from rewriter.options import check_share, one_of, positive

RANDOM, KIND, UNCERTAINTY, DISAGREEMENT = "random", "kind", "uncertainty", "disagreement"
WAYS = (DISAGREEMENT, UNCERTAINTY, KIND, RANDOM)
#: sentences looked at for one that is wanted, where not every sentence is
_OVERSAMPLE = 8
#: sentences of a file that are scored for one that is chosen
_POOL = 10
#: sentences that the model is asked about at a time
_PART = 512


@dataclass(frozen=True)
class ChooseConfig:
    """What is chosen.

    Attributes:
        inputs: text files below the data folder, folders or globs.
        by: ``disagreement``, ``uncertainty``, ``kind`` or ``random``.
        size: sentences wanted.
        lang: language code; that of the model, where there is one.
        exclude: globs over file names, or ``licence:`` and a glob over the licence.
        hold_out: files of records; none of their lines is chosen, and no sentence that is the same as one of theirs.
        kinds: only candidates of these kinds count (``pronoun``, ``relative``, ``noun`` ...); empty: all.
        words: only candidates whose word matches this regular expression count (whole, in any capitals).
        random_share: part of the sentences that is drawn at random.
        pool: sentences that are scored, over all files; None takes ten for each one wanted.
        seed: of the draw.
    """

    inputs: list[str]
    by: str = DISAGREEMENT
    size: int = 200
    lang: str = "de"
    exclude: list[str] = field(default_factory=list)
    hold_out: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    words: str = ""
    random_share: float = 0.2
    pool: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        one_of(WAYS, by=self.by)
        positive(size=self.size)
        check_share(zero=True, one=True, random_share=self.random_share)
        if self.by == KIND and not (self.kinds or self.words):
            raise UsageError("to choose by kind, name kinds of candidates or a pattern of words")
        try:
            re.compile(self.words)
        except re.error as error:
            raise UsageError(f"words: '{self.words}' is no regular expression ({error})") from None

    def wants(self, text: str, candidate: Candidate) -> bool:
        """Return True if a candidate counts."""
        if self.kinds and candidate.kind not in self.kinds:
            return False
        word = text[candidate.start : candidate.end]
        return not self.words or re.fullmatch(self.words, word, re.IGNORECASE) is not None


@dataclass(frozen=True, slots=True)
class Chosen:
    """A sentence that was chosen.

    Attributes:
        found: the sentence; its draw is the way in which it was chosen.
        note: the word because of which it was chosen, and what was said about it.
    """

    found: FoundSentence
    note: str = ""


def choose(config: ChooseConfig, *, data: Path, model: EditModel | None = None) -> list[Chosen]:
    """Choose sentences for reading, in an order that tells nothing about why they were chosen.

    Args:
        config: what to choose.
        data: the data folder, which the inputs lie in.
        model: scores the sentences; not needed for ``kind`` and ``random``.

    Raises:
        InputError: an input or a file of records is missing.
        UsageError: an input is sealed or lies elsewhere, or a model is needed.
    """
    if model is None and config.by in (UNCERTAINTY, DISAGREEMENT):
        raise UsageError(f"to choose by {config.by}, name a model")
    files, language = _files(config, data), model.language if model else get_language(config.lang)
    at_random = config.size if config.by == RANDOM else round(config.size * config.random_share)
    plain = _Pool(config, files, data, language).draw(RANDOM, at_random, at_random)
    chosen = [Chosen(found) for found in plain]
    if wanted := config.size - at_random:
        pool = _Pool(config, files, data, language, frozenset(found.gold.digest for found in plain))
        size = max(wanted, config.pool or (_POOL * wanted if config.by != KIND else wanted))
        candidates = pool.draw(config.by, size, size, _accepts(config, language))
        chosen += _best(config, candidates, language, model, wanted)
    return sorted(chosen, key=lambda item: (item.found.gold.digest, item.found.gold.place))


def _files(config: ChooseConfig, data: Path) -> list[Path]:
    files = find_inputs(config.inputs, config.exclude)
    for path in files:
        if is_sealed(path):
            raise UsageError(f"{path} is sealed; nothing is chosen from it")
        if not path.resolve().is_relative_to(data.resolve()):
            raise UsageError(f"{path} does not lie below the data folder {data}, from which records name their files")
    return files


@dataclass(frozen=True)
class _Pool:
    """Draws sentences of files, equally many of each as far as there are."""

    config: ChooseConfig
    files: Sequence[Path]
    data: Path
    language: Language
    taken: frozenset[str] = frozenset()

    def draw(self, name: str, size: int, limit: int, accepts: Accepts | None = None) -> list[FoundSentence]:
        """Return about ``size`` sentences, at most ``limit``."""
        if not size:
            return []
        held = held_lines(self.config.hold_out)
        taken = self.taken | {gold.digest for path in self.config.hold_out for gold in load_gold(Path(path))}
        options = DrawOptions(name, oversample=_OVERSAMPLE if accepts else 1, seed=self.config.seed)
        each, drawn = -(-size // len(self.files)), []
        for path in self.files:
            part = draw_sentences(
                [path.resolve()],
                each,
                data=self.data.resolve(),
                genre=path.name.partition(".")[0],
                language=self.language,
                options=options,
                accepts=accepts,
                taken=taken,
                held=held,
            )
            taken = taken | {gold.digest for gold in part}
            drawn.append([replace(gold, id=f"{gold.id}-{self.config.seed}") for gold in part])
        return find_sentences(list(_in_turn(drawn))[:limit], self.data)


def _in_turn(parts: Iterable[Sequence[GoldSentence]]) -> Iterator[GoldSentence]:
    """Yield the first of each part, then the second of each, and so on."""
    return (gold for round_ in zip_longest(*parts) for gold in round_ if gold is not None)


def _accepts(config: ChooseConfig, language: Language) -> Accepts:
    """Accept sentences with a candidate that counts; unless they are chosen by kind, one that the model decides."""

    def accepts(sentence: str) -> bool:
        if not language.gate(sentence):
            return False
        analysis = language.analyze(sentence)
        return any(config.wants(sentence, analysis.candidates[i]) for i in _counting(config, analysis))

    return accepts


def _counting(config: ChooseConfig, analysis: Analysis) -> Iterable[int]:
    return range(len(analysis.candidates)) if config.by == KIND else analysis.open


# ---------------------------------------------------------------- scores


def _best(
    config: ChooseConfig, pool: Sequence[FoundSentence], language: Language, model: EditModel | None, size: int
) -> list[Chosen]:
    """Return the sentences with the highest scores of each file in turn."""
    scored: dict[str, list[tuple[float, Chosen]]] = {}
    for number, (found, score) in enumerate(zip(pool, _scores(config, pool, language, model), strict=True)):
        if score is not None:
            rank = -score[0] if config.by != KIND else float(number)
            scored.setdefault(found.gold.file, []).append((rank, Chosen(found, score[1])))
    ranked = [
        [item for _, item in sorted(part, key=lambda pair: (pair[0], pair[1].found.gold.digest))]
        for _, part in sorted(scored.items())
    ]
    return [item for round_ in zip_longest(*ranked) for item in round_ if item is not None][:size]


def _scores(
    config: ChooseConfig, pool: Sequence[FoundSentence], language: Language, model: EditModel | None
) -> Iterator[tuple[float, str] | None]:
    """Yield the score of each sentence with a note, or None where nothing in it counts."""
    if config.by == KIND or model is None:
        for found in pool:
            yield _of_kind(config, found, analyze(language, in_context(found, language)))
        return
    score = uncertainty if config.by == UNCERTAINTY else disagreement
    for found, reading in zip(pool, readings(pool, model), strict=True):
        indices = [i for i in reading.shares if config.wants(found.text, reading.analysis.candidates[i])]
        yield max((item for i in indices if (item := score(found.text, reading, i))), default=None)


def readings(sentences: Sequence[FoundSentence], model: EditModel) -> Iterator[Reading]:
    """Yield how a model reads sentences, each as it would meet it in its line."""
    for start in range(0, len(sentences), _PART):
        yield from model.read([in_context(found, model.language) for found in sentences[start : start + _PART]])


def _of_kind(config: ChooseConfig, found: FoundSentence, analysis: Analysis) -> tuple[float, str] | None:
    words = [found.text[c.start : c.end] for c in analysis.candidates if config.wants(found.text, c)]
    return (0.0, ", ".join(words)) if words else None


def uncertainty(text: str, reading: Reading, index: int) -> tuple[float, str]:
    """Return how unsure a model is of a candidate (1 less the margin of its two likeliest options), with a note."""
    candidate, shares = reading.analysis.candidates[index], reading.shares[index]
    best, second = sorted(shares, reverse=True)[:2] if len(shares) > 1 else (1.0, 0.0)
    return 1 - (best - second), f"{text[candidate.start : candidate.end]}: margin {best - second:.2f}"


def disagreement(text: str, reading: Reading, index: int) -> tuple[float, str] | None:
    """Return how far a model disagrees with the rules about a candidate, with a note; None where they agree.

    They disagree where something else comes out than the model finds likeliest, so that words agree. The score is by
    how much likelier the model finds its own choice.
    """
    candidate, shares = reading.analysis.candidates[index], reading.shares[index]
    own = shares.index(max(shares))
    settled = next(
        (e.after for e in reading.edits if (e.start, e.end) == (candidate.start, candidate.end)),
        text[candidate.start : candidate.end],
    )
    others = [i for i, (_, after) in enumerate(candidate.options) if after == settled]
    other = min(others, key=lambda i: shares[i], default=own)
    if candidate.options[other][1] == candidate.options[own][1]:
        return None
    word, said = text[candidate.start : candidate.end], candidate.options[own][1]
    return shares[own] - shares[other], f"{word}: network {said}, rules {candidate.options[other][1]}"


# ---------------------------------------------------------------- sheets


def sheet_rows(chosen: Sequence[Chosen], *, model: EditModel | None = None) -> list[Row]:
    """Return the rows of a sheet; with a model its answers are the proposed targets, else there are none (blind)."""
    if model is None:
        return [Row.of(item.found) for item in chosen]
    read = readings([item.found for item in chosen], model)
    return [
        Row.of(item.found, target=_proposed(item.found.text, reading), note=item.note)
        for item, reading in zip(chosen, read, strict=True)
    ]


def _proposed(text: str, reading: Reading) -> str:
    return replay(text, ((edit.start, edit.end, edit.after) for edit in reading.edits))
