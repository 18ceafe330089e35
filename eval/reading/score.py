"""Measuring a rewriter on read sentences: exact answers, untouched sentences, wrong and missed edits, with intervals.

The unit is the line that a sentence stands in: the whole line is rewritten, as a user's text would be, and the edits
that fall into the sentence are held against its target. Both the system's answer and the target are cut into edits of
whole words in the same way (:func:`eval.reading.edits.whole_words`), so how a system cuts its edits does not matter.

A system's edit is *wrong* unless the target has the same edit: same place, same text. An edit of the target is *missed*
where the system changes nothing at its place; where it writes something else there, its edit is wrong instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval.bootstrap import Interval
from eval.intervals import wilson
from eval.reading.edits import REFERRING, WordEdit, edits_between, edits_within, referring_of
from eval.reading.gold import FoundSentence, GoldSentence, find_sentences, load_gold, replay, word_edits
from eval.signature import parse_signature, signature
from eval.significance import McNemar, mcnemar
from rewriter.errors import InputError, MetricError
from rewriter.pipeline import Rewriter
from rewriter.records import Edit
from rewriter.runs.manifest import fingerprint

__all__ = ["ReadingScore", "ReadingSet", "load_set", "score_reading"]

#: lines in, the edits of each out
LineEdits = Callable[[list[str]], list[Sequence[Edit]]]

#: beginning of the name of a file or folder whose sentences are shown to nobody
SEALED = "sealed"
#: names of the figures, in the order in which they are shown
EXACT, STAYS = "to change: exactly right", "must stay: unchanged"
WRONG, MISSED = "edits: wrong", "edits: missed"
REFERRING_WRONG, REFERRING_MISSED = "pronouns: wrong", "pronouns: missed"


@dataclass(frozen=True, slots=True)
class Rate:
    """k of n.

    Attributes:
        count: k.
        total: n.
    """

    count: int
    total: int

    @property
    def percent(self) -> float | None:
        """The share in percent; None of nothing."""
        return 100.0 * self.count / self.total if self.total else None

    @property
    def interval(self) -> Interval:
        """Wilson score interval at 95 %, in percent."""
        found = wilson(self.count, self.total)
        return Interval(100 * found.low, 100 * found.high)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "count": self.count,
            "total": self.total,
            "percent": self.percent,
            "interval": [self.interval.low, self.interval.high],
        }


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A read sentence and what a system made of it.

    Attributes:
        found: the record with its text.
        answer: the system's sentence.
        made: the system's edits.
        wanted: those of the target.
    """

    found: FoundSentence
    answer: str
    made: tuple[WordEdit, ...]
    wanted: tuple[WordEdit, ...]

    @property
    def stays(self) -> bool:
        """Whether nothing is to be changed."""
        return self.found.target == self.found.text

    @property
    def right(self) -> bool:
        """Whether the answer is the target."""
        return self.answer == self.found.target

    @property
    def wrong(self) -> list[WordEdit]:
        """The system's edits that the target does not have."""
        return [edit for edit in self.made if edit not in self.wanted]

    @property
    def missed(self) -> list[WordEdit]:
        """The target's edits where the system changed nothing."""
        return [e for e in self.wanted if not any(m == e or m.touches(e.start, e.end) for m in self.made)]


@dataclass(frozen=True)
class ReadingScore:
    """What a system made of a reading set.

    Attributes:
        system: its name.
        sentences: all of them, in the order of the records.
        signature: what the figures were computed with.
    """

    system: str
    sentences: list[ScoredSentence] = field(repr=False)
    signature: str

    def figures(self) -> dict[str, Rate]:
        """Return the figures by name; the sentences that must stay by draw, and together where there are several."""
        found = figures(self.sentences)
        draws = by_key(self.sentences, lambda gold: gold.draw)
        stays = found.pop(STAYS)
        rows = {EXACT: found.pop(EXACT)}
        if len(draws) > 1:
            rows |= {f"{STAYS} ({draw})": figures(part)[STAYS] for draw, part in draws.items()}
        return rows | {STAYS: stays} | found

    def by_genre(self) -> dict[str, dict[str, Rate]]:
        """Return the figures of every genre."""
        return _of_parts(by_key(self.sentences, lambda gold: gold.genre))

    def by_draw(self) -> dict[str, dict[str, Rate]]:
        """Return the figures of every draw."""
        return _of_parts(by_key(self.sentences, lambda gold: gold.draw))

    def apart(self, sources: Sequence[str]) -> dict[str, dict[str, Rate]]:
        """Return the figures of some genres one by one, and of all others together.

        Raises:
            MetricError: the set holds no sentence of one of them.
        """
        parts = by_key(self.sentences, lambda gold: gold.genre if gold.genre in sources else "all others")
        for source in sources:
            if source not in parts:
                genres = ", ".join(sorted({sentence.found.gold.genre for sentence in self.sentences}))
                raise MetricError(f"no sentence is of the source '{source}'; there are {genres}")
        return _of_parts({name: parts[name] for name in (*sources, "all others") if name in parts})

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: figures alone, no sentence."""
        groups = {"genres": self.by_genre(), "draws": self.by_draw()}
        record = {"system": self.system, "signature": self.signature, "figures": _plain(self.figures())}
        return record | {name: {k: _plain(v) for k, v in parts.items()} for name, parts in groups.items()}


def figures(sentences: Sequence[ScoredSentence]) -> dict[str, Rate]:
    """Return the figures of some sentences by name."""
    change = [sentence for sentence in sentences if not sentence.stays]
    stay = [sentence for sentence in sentences if sentence.stays]
    made, wanted = [e for s in sentences for e in s.made], [e for s in sentences for e in s.wanted]
    wrong, missed = [e for s in sentences for e in s.wrong], [e for s in sentences for e in s.missed]
    return {
        EXACT: Rate(sum(s.right for s in change), len(change)),
        STAYS: Rate(sum(s.right for s in stay), len(stay)),
        WRONG: Rate(len(wrong), len(made)),
        MISSED: Rate(len(missed), len(wanted)),
        REFERRING_WRONG: Rate(_referring(wrong), _referring(made)),
        REFERRING_MISSED: Rate(_referring(missed), _referring(wanted)),
    }


def _referring(edits: Iterable[WordEdit]) -> int:
    return sum(edit.kind in REFERRING for edit in edits)


def by_key(sentences: Iterable[ScoredSentence], key: Callable[[GoldSentence], str]) -> dict[str, list[ScoredSentence]]:
    """Return the sentences by a key of their records, sorted by it."""
    parts: dict[str, list[ScoredSentence]] = {}
    for sentence in sentences:
        parts.setdefault(key(sentence.found.gold), []).append(sentence)
    return dict(sorted(parts.items()))


def _of_parts(parts: Mapping[str, Sequence[ScoredSentence]]) -> dict[str, dict[str, Rate]]:
    return {name: figures(part) for name, part in parts.items()}


def _plain(rates: Mapping[str, Rate]) -> dict[str, Any]:
    return {name: rate.to_dict() for name, rate in rates.items()}


# ---------------------------------------------------------------- reading and scoring


@dataclass(frozen=True)
class ReadingSet:
    """Read sentences with their text.

    Attributes:
        sentences: each once.
        unread: records that nobody has read, which are left out.
        repeated: further readings of a sentence that is there already, which are left out.
    """

    sentences: list[FoundSentence]
    unread: int = 0
    repeated: int = 0

    @property
    def lines(self) -> list[str]:
        """The lines that the sentences stand in, in the order of the sentences; lines of several repeat."""
        return [found.line for found in self.sentences]

    @property
    def digest(self) -> str:
        """First digits of a SHA-256 over the records."""
        return fingerprint([[f.gold.id, f.gold.digest, f.gold.edits] for f in self.sentences])[:12]


def load_set(files: Sequence[Path], data: Path) -> ReadingSet:
    """Read files of stand-off records and find their sentences.

    Args:
        files: the records (:mod:`eval.reading.gold`).
        data: the data folder that their texts lie in.

    Raises:
        InputError: a file is missing or no file of records, a text is another version, or nothing was read yet.
    """
    records = [gold for path in files for gold in load_gold(path)]
    read = [gold for gold in records if gold.edits is not None]
    once = {gold.place: gold for gold in reversed(read)}
    if not once:
        raise InputError(f"{', '.join(map(str, files))}: none of {len(records)} sentences has been read")
    kept = list(reversed(once.values()))
    return ReadingSet(find_sentences(kept, data), len(records) - len(read), len(read) - len(kept))


def score_reading(
    reading: ReadingSet,
    system: str,
    edits_of: LineEdits,
    *,
    lang: str,
    conditions: Mapping[str, str] | None = None,
) -> ReadingScore:
    """Score a system on read sentences.

    Args:
        reading: the sentences.
        system: its name.
        edits_of: the system: lines in, edits of each out.
        lang: language code, names the kinds of words.
        conditions: further fields of the signature: under which conditions the system answered.
    """
    lines = list(dict.fromkeys(reading.lines))
    edits = dict(zip(lines, edits_of(lines), strict=True))
    referring = referring_of(lang)
    scored = []
    for found, line in zip(reading.sentences, reading.lines, strict=True):
        made = list(edits_within(edits[line], found.gold.start, found.gold.end))
        answer = replay(found.text, ((edit.start, edit.end, edit.after) for edit in made))
        own = edits_between(found.text, answer, referring=referring, made=made)
        scored.append(ScoredSentence(found, answer, own, edits_between(found.text, found.target, referring=referring)))
    changed = sum(not sentence.stays for sentence in scored)
    counts = {"n": len(scored), "change": changed}
    mark = signature("reading", lang=lang, set=reading.digest, **counts, interval="wilson-95", **(conditions or {}))
    return ReadingScore(system, scored, mark)


def rewriter_edits(rewriter: Rewriter) -> LineEdits:
    """Return a rewriter as a system that is measured."""
    return lambda lines: [result.edits for result in rewriter.rewrite(lines, return_edits=True)]


def given_edits(answers: Mapping[str, str]) -> LineEdits:
    """Return answers that are there already, by their line, as a system that is measured; its edits have no kinds."""

    def edits_of(lines: list[str]) -> list[Sequence[Edit]]:
        unknown = sum(line not in answers for line in lines)
        if unknown:
            raise MetricError(
                f"{unknown} of {len(lines)} lines have no answer; write the lines of these very sets anew"
            )
        return [_edits(line, answers[line]) for line in lines]

    return edits_of


def _edits(line: str, answer: str) -> list[Edit]:
    return [Edit(start, end, line[start:end], after, "", "") for start, end, after in word_edits(line, answer)]


def pair_up(system: ReadingScore, baseline: ReadingScore) -> dict[str, McNemar]:
    """Compare two systems on the same sentences (McNemar's test, exact), all of them and by what is to be done.

    Raises:
        MetricError: they were scored on different sentences.
    """
    if _set_of(system) != _set_of(baseline):
        raise MetricError(f"scored on different sets: {system.signature} against {baseline.signature}")
    pairs = list(zip(system.sentences, baseline.sentences, strict=True))
    parts = {
        "all sentences": pairs,
        EXACT: [pair for pair in pairs if not pair[0].stays],
        STAYS: [pair for pair in pairs if pair[0].stays],
    }
    return {name: mcnemar((one.right, other.right) for one, other in part) for name, part in parts.items()}


def _set_of(score: ReadingScore) -> tuple[str, str]:
    fields = parse_signature(score.signature)
    return fields["set"], fields["lang"]


def is_sealed(path: Path) -> bool:
    """Return True if the name of a file, or of a folder that it lies in, begins with ``sealed``."""
    return any(part.lower().startswith(SEALED) for part in path.resolve().parts)
