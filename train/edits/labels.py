"""Labels for the edit model: which outcome of each candidate of a pair's source gives its target.

A pair whose target cannot be explained by the candidates' outcomes teaches nothing and is left out (and counted).
Candidates within a pair's doubtful spans keep their place in the sentence but get no label; nor do, unless they are
asked for, candidates that the grammar settles alone, so that training is about what the model will have to decide.
Where they are asked for they are marked: one labelled set serves for all of its candidates and for the open ones
(:meth:`LabelledSet.only_open`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from augment import languages as augment_languages
from augment.gold import GOLD
from rewriter.io.files import read_pairs
from rewriter.language.interface import Language, get_language
from rewriter.model.alignment import match_outcomes
from rewriter.model.edit_model import WINDOW, encode_sentence
from rewriter.model.piece_table import PieceTable
from rewriter.model.proposer import analyze, single_sentence
from rewriter.records import Pair
from rewriter.runs.processes import WorkerPool
from train.edits.config import EditsConfig

__all__ = ["LabelOptions", "LabelledSet", "label", "label_file"]

#: pairs that a process labels at a time
PART = 2000


@dataclass(frozen=True)
class LabelOptions:
    """What is labelled.

    Attributes:
        lang: language code.
        pieces: path of the encoder's vocabulary.
        open_only: only candidates that the model decides, not (marked) those that the grammar settles too.
        variations: share of the pairs of which a variation is labelled too, where one fits.
        seed: of the variations.
        language: settings of the language, as pairs.
    """

    lang: str
    pieces: str
    open_only: bool = True
    variations: float = 0.0
    seed: int = 1
    language: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Labelled:
    """A labelled sentence.

    Attributes:
        ids: piece ids, P of them.
        shapes: case shapes, P of them.
        places: position of the deciding piece of each labelled candidate, C of them.
        outcomes: outcome id of each, C of them.
        allowed: bit set of the outcomes that each may take, C of them.
        kinds: ``kind:outcome`` of each, for statistics.
        settled: whether the grammar decides it without the model, of each.
        gold: whether the sentence was read, one value.
    """

    ids: list[int]
    shapes: list[int]
    places: list[int]
    outcomes: list[int]
    allowed: list[int]
    kinds: list[str]
    settled: list[bool]
    gold: list[bool]


def label(pair: Pair, language: Language, table: PieceTable, *, open_only: bool = False) -> Labelled | str:
    """Return the labels of a pair, or why there are none."""
    sentence = single_sentence(pair.source, pair.before, language)
    analysis = analyze(language, sentence)
    if not analysis.candidates:
        return "no candidates"
    options = match_outcomes(pair.source, pair.target, analysis.candidates)
    if options is None:
        return "target not explained"
    encoded = encode_sentence(sentence, analysis.tokens, table)
    if len(encoded.ids) > WINDOW:
        return "too long"
    labelled = Labelled(encoded.ids, encoded.shapes, [], [], [], [], [], [pair.strategy == GOLD])
    for candidate, option in zip(analysis.candidates, options, strict=True):
        if any(start < candidate.end and candidate.start < end for start, end in pair.doubtful):
            continue
        if open_only and candidate.forced is not None:
            continue
        outcome = candidate.options[option][0]
        labelled.places.append(encoded.first[candidate.token])
        labelled.outcomes.append(outcome)
        labelled.allowed.append(sum(1 << o for o, _ in candidate.options))
        labelled.kinds.append(f"{candidate.kind}:{language.outcomes[outcome]}")
        labelled.settled.append(candidate.forced is not None)
    return labelled if labelled.places else "nothing to decide"


@dataclass
class LabelledSet:
    """Labelled sentences as flat arrays with offsets.

    Attributes:
        ids: (total pieces,) uint16.
        shapes: (total pieces,) uint8.
        offsets: (sentences + 1,) int64, into ids and shapes.
        places: (total candidates,) uint16; position within the sentence.
        outcomes: (total candidates,) uint8.
        allowed: (total candidates,) uint16 bit sets.
        candidate_offsets: (sentences + 1,) int64, into the three above.
        counts: how often each ``kind:outcome``, and why sentences were left out.
        settled: (total candidates,) bool; where the grammar decides without the model. None where it never does.
        gold: (sentences,) bool; which were read. None where none was.
    """

    ids: NDArray[np.uint16]
    shapes: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    places: NDArray[np.uint16]
    outcomes: NDArray[np.uint8]
    allowed: NDArray[np.uint16]
    candidate_offsets: NDArray[np.int64]
    counts: Counter[str] = field(default_factory=Counter)
    settled: NDArray[np.bool_] | None = None
    gold: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of pieces per sentence."""
        return np.diff(self.offsets)

    @property
    def labelled_rows(self) -> NDArray[np.int64]:
        """Numbers of the sentences with at least one candidate, in order."""
        return np.flatnonzero(np.diff(self.candidate_offsets))

    def only_open(self) -> LabelledSet:
        """Return the set with the candidates that the model decides alone.

        The sentences, with their numbers, stay and are shared with this set, so that the second view costs little
        memory; some of them may have no candidate in it.
        """
        if self.settled is None or not self.settled.any():
            return self
        keep = ~self.settled
        before = np.concatenate([[0], np.cumsum(keep)])
        columns = (self.places[keep], self.outcomes[keep], self.allowed[keep])
        offsets = before[self.candidate_offsets]
        return LabelledSet(self.ids, self.shapes, self.offsets, *columns, offsets, gold=self.gold)

    def save(self, path: Path) -> None:
        """Write the arrays (compressed NumPy, no pickle)."""
        temporary = path.with_suffix(".tmp.npz")
        marks = {name: getattr(self, name) for name in _MARKS if getattr(self, name) is not None}
        np.savez_compressed(temporary, **{name: getattr(self, name) for name in _ARRAYS}, **marks)
        temporary.replace(path)

    @classmethod
    def load(cls, path: Path, counts: Counter[str] | None = None) -> LabelledSet:
        """Read what :meth:`save` wrote."""
        with np.load(path, allow_pickle=False) as arrays:
            marks = {name: arrays.get(name) for name in _MARKS}
            return cls(**{name: arrays[name] for name in _ARRAYS}, counts=counts or Counter(), **marks)


#: marks that only some sets have
_MARKS = ("settled", "gold")
_ARRAYS = ("ids", "shapes", "offsets", "places", "outcomes", "allowed", "candidate_offsets")


def variations_version(config: LabelOptions | EditsConfig) -> dict[str, int]:
    """Return the version of the language's variations as part of an identity; empty where there are none.

    Args:
        config: with ``lang`` and ``variations``.
    """
    version = augment_languages.get(config.lang).variations_version if config.variations else None
    return {} if version is None else {"variations version": version}


def label_file(path: Path, options: LabelOptions, *, processes: int = 1) -> LabelledSet:
    """Label all pairs of a file; the order is the file's, whatever the number of processes.

    Raises:
        WorkerError: a process died; the message names the pairs in work.
    """
    work = partial(_label_part, options=options)
    pool = WorkerPool(processes, "labels", ahead=processes)
    return _joined(pool.in_order(work, _parts(read_pairs(path))))


class _Part(NamedTuple):
    """Consecutive pairs of a file, which one process labels at a time."""

    number: int
    pairs: list[Pair]

    def __str__(self) -> str:
        first = self.number * PART + 1
        return f"pairs {first} to {first + len(self.pairs) - 1}"


def _parts(pairs: Iterator[Pair]) -> Iterator[_Part]:
    for number in count():
        if not (part := list(islice(pairs, PART))):
            return
        yield _Part(number, part)


@cache
def _tools(lang: str, pieces: str, settings: str) -> tuple[Language, PieceTable]:
    """Language and vocabulary, loaded once per process; the settings as JSON, since a list is no key of a cache."""
    return get_language(lang, **json.loads(settings)), PieceTable.load(pieces)


def _label_part(part: _Part, *, options: LabelOptions) -> LabelledSet:
    language, table = _tools(options.lang, options.pieces, json.dumps(dict(options.language)))
    labelled, counts = [], Counter[str]()
    for pair in _with_variations(part.pairs, options, np.random.default_rng([options.seed, 11, part.number])):
        result = label(pair, language, table, open_only=options.open_only)
        if isinstance(result, str):
            counts[f"left out: {result}"] += 1
        else:
            labelled.append(result)
            counts.update(result.kinds)
    return _flat(labelled, counts)


def _with_variations(pairs: list[Pair], options: LabelOptions, rng: np.random.Generator) -> Iterator[Pair]:
    rules = augment_languages.get(options.lang) if options.variations else None
    for pair in pairs:
        yield pair
        if rules is not None and rng.random() < options.variations:
            varied = rules.vary(pair, rng)
            if varied is not None:
                yield varied
    if rules is not None:
        yield from rules.join(pairs, rng)


def _flat(labelled: list[Labelled], counts: Counter[str]) -> LabelledSet:
    """Return labelled sentences as arrays, which take a fraction of their memory."""
    columns: dict[str, Any] = {
        name: np.array([x for item in labelled for x in getattr(item, name)], dtype) for name, dtype in _COLUMNS.items()
    }
    offsets, candidate_offsets = (_offsets(len(getattr(i, name)) for i in labelled) for name in ("ids", "places"))
    return LabelledSet(**columns, offsets=offsets, candidate_offsets=candidate_offsets, counts=counts)


_COLUMNS = {
    "ids": np.uint16,
    "shapes": np.uint8,
    "places": np.uint16,
    "outcomes": np.uint8,
    "allowed": np.uint16,
    "settled": np.bool_,
    "gold": np.bool_,
}


def _joined(sets: Iterable[LabelledSet]) -> LabelledSet:
    """Return several sets as one; marks that nothing has are left out."""
    parts = list(sets) or [_flat([], Counter())]
    columns: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _COLUMNS}
    for name in _MARKS:
        if not columns[name].any():
            columns[name] = None
    counts: Counter[str] = Counter()
    for part in parts:
        counts.update(part.counts)
    offsets, candidate_offsets = (
        _offsets(size for part in parts for size in np.diff(getattr(part, name)).tolist())
        for name in ("offsets", "candidate_offsets")
    )
    return LabelledSet(**columns, offsets=offsets, candidate_offsets=candidate_offsets, counts=counts)


def _offsets(sizes: Iterable[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(list(sizes))]).astype(np.int64)
