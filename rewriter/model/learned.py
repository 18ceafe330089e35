"""What a model was taught to change: a check of its answers that knows no language, learnt from its training pairs.

A network that writes a sentence anew may miscopy any word of it. But what it is to change it has seen changed, over and
over: *he* into *they*, *knows* into *know*, *Lehrer* into *Lehrer\\*innen*. So the changes of the training pairs are
listed beside the model, and of an answer only those stand that are on the list; for everything else the source stands.
Words that were never seen change by an ending that many words changed by, unless the pairs show them unchanged. What
only ever changes beside something else (a verb with its pronoun) does not change alone. White space is always that of
the source.

Keeping a word that the model is not known to rewrite is what Luong et al. 2015 do for rare words (copied through the
alignment); here the alignment is one of words (:class:`difflib.SequenceMatcher`), and inside a difference the cheapest.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

from rewriter.errors import InputError, ModelError
from rewriter.io.files import read_json, write_json
from rewriter.records import Edit, Pair

__all__ = ["CHANGES", "LearnedChanges", "learn_changes"]

#: the list, in a model's directory
CHANGES = "changes.json"
#: raised by hand when the same pairs give another list
CHANGES_VERSION = 1
UNKNOWN = "the training pairs never change these words so"

#: what no word holds: white space and punctuation; marks that combine with letters belong to the word
_LETTER = r"[^\s\x00-\x2f:-@\[-`{-\xbf\u2010-\u206f\u3000-\u303f]"
#: words with what gender-fair forms hold inside (*Lehrer/-in*, *Lehrer(in)*, *étudiant·e*); else single characters
_WORD = re.compile(rf"{_LETTER}+(?:(?:/-|[*:_/’'·•@.-]){_LETTER}+|\({_LETTER}+\))*|\S")
#: a change is listed when it was seen so often
_LEAST_SEEN = 2
#: an ending is listed when so many different words changed by it
_LEAST_WORDS = 10
#: a word that an ending could change is listed as one that stays when it did so often and never changed
_LEAST_STAYED = 3
#: a change that was seen so often stands alone only where it did twice, and in such a share of the pairs that hold it
_OFTEN, _LEAST_ALONE, _ALONE_SHARE = 20, 2, 0.01
#: letters that must stay before an ending
_LEAST_STEM = 3
#: words on one side of a change
_MOST_WORDS = 6
#: words of a difference beyond which it is not aligned but left as it was
_MOST_ALIGNED = 60


class _Word(NamedTuple):
    start: int
    end: int
    text: str


class Change(NamedTuple):
    """Words and what stands in their place.

    Attributes:
        before: in lower case, with one space between words.
        after: the same.
        same_case: both begin with a capital, or neither does.
    """

    before: str
    after: str
    same_case: bool


class Ending(NamedTuple):
    """The end of words and what stands in its place.

    Attributes:
        before: letters, maybe none.
        after: letters, maybe none.
        capital: of words that begin with a capital.
    """

    before: str
    after: str
    capital: bool


@dataclass(frozen=True)
class LearnedChanges:
    """The changes that a model was taught.

    Attributes:
        changes: of words and phrases; whether one may be all that changes in a sentence.
        endings: of words that are not among the changes; the same.
        stays: words in lower case that an ending would change and that stay.
    """

    changes: Mapping[Change, bool]
    endings: Mapping[Ending, bool] = field(default_factory=dict)
    stays: frozenset[str] = frozenset()

    @classmethod
    def load(cls, folder: Path) -> LearnedChanges:
        """Read the list of a model directory.

        Raises:
            ModelError: there is none, or it cannot be read.
        """
        if not (folder / CHANGES).is_file():
            raise ModelError(
                f"{folder}: has no {CHANGES}, which says what its training pairs change; export the model again with "
                "its pairs (gender-fair export ... --pairs FILE), or use another guard"
            )
        try:
            stored = read_json(folder / CHANGES)
            changes, endings = _entries(stored["changes"], Change), _entries(stored["endings"], Ending)
            return cls(changes, endings, frozenset(map(str, stored["stays"])))
        except (InputError, KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{folder / CHANGES}: not readable as a list of changes ({error})") from None

    def save(self, folder: Path) -> None:
        """Write the list into a model directory."""
        changes = [[*change, alone] for change, alone in sorted(self.changes.items())]
        endings = [[*ending, alone] for ending, alone in sorted(self.endings.items())]
        write_json(folder / CHANGES, {"changes": changes, "endings": endings, "stays": sorted(self.stays)})

    def knows(self, before: Sequence[str], after: Sequence[str]) -> bool:
        """Return True if the words ``before`` may become ``after``."""
        return self._stands(before, after) is not None

    def _stands(self, before: Sequence[str], after: Sequence[str]) -> bool | None:
        """Return whether a change may stand alone, None if it may not be made at all."""
        if not before or not after or (_is_loud(before) and not _is_loud(after)):
            return None
        stands = self.changes.get(_change(before, after))
        if stands is None and len(before) == len(after) == 1 and before[0].lower() not in self.stays:
            ending = _ending(before[0], after[0])
            return None if ending is None else self.endings.get(ending)
        return stands

    def split(self, source: str, answer: str) -> tuple[list[Edit], list[Edit]]:
        """Return the edits of an answer that were taught, and what else differs in it, white space aside.

        Args:
            source: the sentence.
            answer: what the model wrote.
        """
        taught: list[Edit] = []
        foreign: list[Edit] = []
        alone = False
        if source == answer:
            return taught, foreign
        for begin, before, after in _differences(_words(source), _words(answer)):
            at = begin
            for old, new in self._steps(before, after):
                stands = self._stands([word.text for word in old], [word.text for word in new])
                alone = alone or bool(stands)
                (foreign if stands is None else taught).append(_edit(source, answer, old, new, at))
                at = old[-1].end if old else at
        return (taught, foreign) if alone else ([], sorted([*taught, *foreign], key=lambda edit: edit.start))

    def _steps(self, before: Sequence[_Word], after: Sequence[_Word]) -> Iterator[tuple[list[_Word], list[_Word]]]:
        """Yield what of a difference stands for what, by the cheapest alignment, what is the same left out."""
        if max(len(before), len(after)) > _MOST_ALIGNED:
            yield list(before), list(after)
            return
        back = _align([word.text for word in before], [word.text for word in after], self.knows)
        i, j = len(before), len(after)
        steps = []
        while i or j:
            a, b = back[i][j]
            steps.append((list(before[i - a : i]), list(after[j - b : j])))
            i, j = i - a, j - b
        yield from ((old, new) for old, new in reversed(steps) if [w.text for w in old] != [w.text for w in new])


_Step = tuple[int, int]
_Knows = Callable[[Sequence[str], Sequence[str]], bool]


def _align(old: Sequence[str], new: Sequence[str], knows: _Knows) -> list[list[_Step]]:
    """Return how many words of both sides the last step of the cheapest alignment takes, for all beginnings.

    A word that is lost, put in or replaced costs one; what was taught next to nothing, short changes least.
    """
    cost = [[float(i + j) for j in range(len(new) + 1)] for i in range(len(old) + 1)]
    back: list[list[_Step]] = [[(1, 0) if i else (0, 1) for _ in range(len(new) + 1)] for i in range(len(old) + 1)]
    for i in range(1, len(old) + 1):
        for j in range(1, len(new) + 1):
            same = 0 if old[i - 1] == new[j - 1] else 1
            options = [(cost[i - 1][j] + 1, (1, 0)), (cost[i][j - 1] + 1, (0, 1)), (cost[i - 1][j - 1] + same, (1, 1))]
            options += _phrases(old[:i], new[:j], cost, knows)
            cost[i][j], back[i][j] = min(options, key=lambda option: option[0])
    return back


def _phrases(
    old: Sequence[str], new: Sequence[str], cost: Sequence[Sequence[float]], knows: _Knows
) -> Iterator[tuple[float, _Step]]:
    """Yield cost and step of every change that was taught and ends where both sides end."""
    i, j = len(old), len(new)
    for a in range(1, min(i, _MOST_WORDS) + 1):
        for b in range(1, min(j, _MOST_WORDS) + 1):
            if cost[i - a][j - b] < cost[i][j] and knows(old[i - a :], new[j - b :]):
                yield cost[i - a][j - b] + 0.01 * (a + b), (a, b)


@dataclass
class _Counts:
    """What of the training pairs is counted.

    Attributes:
        single: changes of one word into one.
        longer: other changes, by their words as they are written.
        alone: changes that were all that changed in a pair, by their words as they are written.
        stayed: words that did not change, as they are written.
    """

    single: Counter[tuple[str, str]] = field(default_factory=Counter)
    longer: Counter[tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=Counter)
    alone: Counter[tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=Counter)
    stayed: Counter[str] = field(default_factory=Counter)

    def add(self, pair: Pair) -> None:
        """Count a pair whose sides differ."""
        words, answered = _words(pair.source), _words(pair.target)
        self.stayed.update(word.text for word in words)
        made: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        for _, before, after in _differences(words, answered):
            old, new = (tuple(word.text for word in side) for side in (before, after))
            self.stayed.subtract(old)
            if len(old) == len(new):
                made += [((a,), (b,)) for a, b in zip(old, new, strict=True) if a != b]
            elif old and new and len(old) + len(new) <= 2 * _MOST_WORDS:
                made.append((old, new))
        self.single.update((old[0], new[0]) for old, new in made if len(old) == len(new) == 1)
        self.longer.update((old, new) for old, new in made if len(old) != len(new))
        if len(set(made)) == 1:
            self.alone[made[0]] += 1


def learn_changes(pairs: Iterable[Pair], *, most: int = 200_000) -> LearnedChanges:
    """Return the changes of training pairs.

    Args:
        pairs: of which those count whose sides differ.
        most: so many of them are read, the first ones.
    """
    counts, read = _Counts(), 0
    for pair in pairs:
        if pair.source == pair.target:
            continue
        if read >= most:
            break
        read += 1
        counts.add(pair)
    return _listed(counts)


def _listed(counts: _Counts) -> LearnedChanges:
    found: Counter[Change] = Counter()
    for (word, other), count in counts.single.items():
        found[_change([word], [other])] += count
    known = {change for change, count in found.items() if count >= _LEAST_SEEN}
    for (before, after), count in counts.longer.items():
        old, new = _without_known(before, after, known)
        for a, b in _widened(old, new):
            if max(len(a), len(b)) <= _MOST_WORDS:
                found[_change(a, b)] += count
    alone: Counter[Change] = Counter()
    for (before, after), count in counts.alone.items():
        for a, b in _widened(*_without_known(before, after, known)):
            alone[_change(a, b)] += count
    endings = _endings(counts)
    changes = {
        change: _may_stand(alone[change], count) and _goes_alone(change, endings)
        for change, count in found.items()
        if count >= _LEAST_SEEN
    }
    return LearnedChanges(changes, endings, _staying(counts, endings))


def _goes_alone(change: Change, endings: Mapping[Ending, bool]) -> bool:
    """Return False for a word that changes by an ending that never changes alone: the word itself may be rare."""
    if " " in change.before or " " in change.after:
        return True
    ending = _ending(change.before, change.after)
    return ending is None or endings.get(ending, True)


def _may_stand(alone: int, count: int) -> bool:
    return count < _OFTEN or alone >= max(_LEAST_ALONE, _ALONE_SHARE * count)


def _endings(counts: _Counts) -> dict[Ending, bool]:
    words: defaultdict[Ending, set[str]] = defaultdict(set)
    seen, alone = Counter[Ending](), Counter[Ending]()
    for (word, other), count in counts.single.items():
        if (ending := _ending(word, other)) is not None:
            words[ending].add(word.lower())
            seen[ending] += count
            alone[ending] += counts.alone[(word,), (other,)]
    return {e: _may_stand(alone[e], seen[e]) for e, found in words.items() if len(found) >= _LEAST_WORDS}


def _staying(counts: _Counts, endings: Mapping[Ending, bool]) -> frozenset[str]:
    """Return the words that end as changed ones do and stay."""
    ends = tuple({ending.before for ending in endings})
    changed = {word.lower() for word, _ in counts.single}
    stayed: Counter[str] = Counter()
    for word, count in counts.stayed.items():
        if word.lower().endswith(ends):
            stayed[word.lower()] += count
    return frozenset(word for word, count in stayed.items() if count >= _LEAST_STAYED and word not in changed)


def _without_known(
    before: tuple[str, ...], after: tuple[str, ...], known: set[Change]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a change of several words without what begins and ends it and is known as a change of its own."""
    while len(before) > 1 and len(after) > 1 and _change(before[-1:], after[-1:]) in known:
        before, after = before[:-1], after[:-1]
    while len(before) > 1 and len(after) > 1 and _change(before[:1], after[:1]) in known:
        before, after = before[1:], after[1:]
    return before, after


def _widened(before: tuple[str, ...], after: tuple[str, ...]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return a change; words put in or lost between two that stay as changes of the one and of the other."""
    is_between = min(len(before), len(after)) > 1 and (before[0], before[-1]) == (after[0], after[-1])
    return [(before[:-1], after[:-1]), (before[1:], after[1:])] if is_between else [(before, after)]


def _change(before: Sequence[str], after: Sequence[str]) -> Change:
    same = before[0][:1].isupper() == after[0][:1].isupper()
    return Change(" ".join(before).lower(), " ".join(after).lower(), same)


def _is_loud(words: Sequence[str]) -> bool:
    """Return True if all letters are capitals, and there are several."""
    text = "".join(words)
    return len(text) > 1 and text.isupper()


def _ending(before: str, after: str) -> Ending | None:
    """Return what differs behind the letters that both begin with.

    None where these are too few, or where the word is no plain one: a number, a name with capitals inside.
    """
    shorter = min(len(before), len(after))
    same = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    is_plain = not any(character.isdigit() or character.isupper() for character in before[1:])
    return Ending(before[same:], after[same:], before[0].isupper()) if same >= _LEAST_STEM and is_plain else None


def _words(text: str) -> list[_Word]:
    return [_Word(*match.span(), match.group()) for match in _WORD.finditer(text)]


_Difference = tuple[int, Sequence[_Word], Sequence[_Word]]


def _differences(words: Sequence[_Word], answered: Sequence[_Word]) -> Iterator[_Difference]:
    """Yield the runs of words that are not the same on both sides, with the offset in the text where each begins.

    Where words were only put in or lost, the words beside them belong to the run: *Lehrer* became *Lehrer und
    Lehrerinnen*, not nothing *und Lehrerinnen*.
    """
    matcher = SequenceMatcher(None, [w.text for w in words], [w.text for w in answered], autojunk=False)
    until = (0, 0)  # where the last run ended, on both sides
    for kind, begin, end, first, last in matcher.get_opcodes():
        if kind == "equal":
            continue
        if kind != "replace":
            if begin > until[0] and first > until[1]:
                begin, first = begin - 1, first - 1
            if end < len(words) and last < len(answered):
                end, last = end + 1, last + 1
        begin, first = max(begin, until[0]), max(first, until[1])
        until = end, last
        yield (words[begin - 1].end if begin else 0), words[begin:end], answered[first:last]


def _edit(source: str, answer: str, old: Sequence[_Word], new: Sequence[_Word], at: int) -> Edit:
    """Return words for words, with the answer's white space between those that are put in."""
    start = old[0].start if old else at
    end = old[-1].end if old else at
    after = answer[new[0].start : new[-1].end] if new else ""
    return Edit(start, end, source[start:end], after, "other", "learned")


def _entries(stored: Any, kind: type[Any]) -> dict[Any, bool]:
    entries = {}
    for first, second, flag, alone in stored:
        if not (isinstance(first, str) and isinstance(second, str) and isinstance(flag, bool) and alone in (0, 1)):
            raise ValueError(f"{[first, second, flag, alone]} is not two texts and twice true or false")
        entries[kind(first, second, flag)] = bool(alone)
    return entries
