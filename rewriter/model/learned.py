"""What a model was taught to change: a check of its answers that knows no language, learnt from its training pairs.

A network that writes a sentence anew may miscopy any word of it. But what it is to change it has seen changed, over and
over: *he* into *they*, *knows* into *know*, *Lehrer* into *Lehrer\\*innen*. So the changes of the training pairs are
listed beside the model, and of an answer only those stand that are on the list; for everything else the source stands.
Words that were never seen change by an ending that many words changed by. White space is always that of the source.

Keeping a word that the model is not known to rewrite is what Luong et al. 2015 do for rare words (copied through the
alignment); here the alignment is one of words (:class:`difflib.SequenceMatcher`), and inside a difference the cheapest.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from rewriter.errors import InputError, ModelError
from rewriter.io.files import read_json, write_json
from rewriter.records import Edit, Pair

__all__ = ["CHANGES", "LearnedChanges", "learn_changes"]

#: the list, in a model's directory
CHANGES = "changes.json"
#: raised by hand when the same pairs give another list
CHANGES_VERSION = 1
UNKNOWN = "the training pairs never change these words so"

#: words with what gender-fair forms hold inside; everything else by character
_WORD = re.compile(r"\w+(?:[*:_/’'-]\w+)*|[^\w\s]")
#: a change is listed when it was seen so often
_LEAST_SEEN = 2
#: an ending is listed when so many different words changed by it
_LEAST_WORDS = 10
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


@dataclass(frozen=True)
class LearnedChanges:
    """The changes that a model was taught.

    Attributes:
        changes: words and what stands in their place, in lower case, with one space between words.
        endings: endings and what stands in their place.
    """

    changes: frozenset[tuple[str, str]]
    endings: frozenset[tuple[str, str]] = frozenset()

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
            return cls(*(frozenset((str(a), str(b)) for a, b in stored[key]) for key in ("changes", "endings")))
        except (InputError, KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{folder / CHANGES}: not readable as a list of changes ({error})") from None

    def save(self, folder: Path) -> None:
        """Write the list into a model directory."""
        write_json(folder / CHANGES, {"changes": sorted(self.changes), "endings": sorted(self.endings)})

    def knows(self, before: Sequence[str], after: Sequence[str]) -> bool:
        """Return True if the words ``before`` may become ``after``."""
        if not before or not after or before[0][:1].isupper() != after[0][:1].isupper():
            return False
        if (" ".join(before).lower(), " ".join(after).lower()) in self.changes:
            return True
        return len(before) == len(after) == 1 and _ending(before[0].lower(), after[0].lower()) in self.endings

    def split(self, source: str, answer: str) -> tuple[list[Edit], list[Edit]]:
        """Return the edits of an answer that were taught, and what else differs in it.

        Args:
            source: the sentence.
            answer: what the model wrote.
        """
        if source == answer:
            return [], []
        taught: list[Edit] = []
        foreign: list[Edit] = []
        words, answered = _words(source), _words(answer)
        for before, after in _differences(words, answered):
            for old, new in self._steps(before, after):
                is_taught = bool(old) and self.knows([w.text for w in old], [w.text for w in new])
                (taught if is_taught else foreign).append(_edit(source, answer, old, new))
        return taught, foreign

    def _steps(self, before: Sequence[_Word], after: Sequence[_Word]) -> Iterator[tuple[list[_Word], list[_Word]]]:
        """Yield what of a difference stands for what, by the cheapest alignment; what was taught costs nothing."""
        if len(before) > _MOST_ALIGNED or len(after) > _MOST_ALIGNED:
            yield list(before), list(after)
            return
        back = self._align(before, after)
        i, j = len(before), len(after)
        steps = []
        while i or j:
            a, b = back[i][j]
            steps.append((list(before[i - a : i]), list(after[j - b : j])))
            i, j = i - a, j - b
        yield from ((old, new) for old, new in reversed(steps) if [w.text for w in old] != [w.text for w in new])

    def _align(self, before: Sequence[_Word], after: Sequence[_Word]) -> list[list[tuple[int, int]]]:
        """Return how many words of both sides the last step of the cheapest alignment takes, for all beginnings."""
        old, new = [w.text for w in before], [w.text for w in after]
        cost = [[float(i + j) for j in range(len(new) + 1)] for i in range(len(old) + 1)]
        back = [[(1, 0) if i else (0, 1) for _ in range(len(new) + 1)] for i in range(len(old) + 1)]
        for i in range(1, len(old) + 1):
            for j in range(1, len(new) + 1):
                options = [(cost[i - 1][j] + 1, (1, 0)), (cost[i][j - 1] + 1, (0, 1)), (cost[i - 1][j - 1] + 1, (1, 1))]
                if old[i - 1] == new[j - 1]:
                    options.append((cost[i - 1][j - 1], (1, 1)))
                for a in range(1, min(i, _MOST_WORDS) + 1):
                    for b in range(1, min(j, _MOST_WORDS) + 1):
                        if cost[i - a][j - b] < cost[i][j] and self.knows(old[i - a : i], new[j - b : j]):
                            # many words for many are rarer than one for one
                            options.append((cost[i - a][j - b] + 0.01 * (a + b), (a, b)))
                cost[i][j], back[i][j] = min(options, key=lambda option: option[0])
        return back


def learn_changes(pairs: Iterable[Pair], *, most: int = 200_000) -> LearnedChanges:
    """Return the changes of training pairs.

    Args:
        pairs: of which those count whose sides differ.
        most: so many of them are read, the first ones.
    """
    single: Counter[tuple[str, str]] = Counter()
    longer: Counter[tuple[tuple[str, ...], tuple[str, ...]]] = Counter()
    read = 0
    for pair in pairs:
        if pair.source == pair.target:
            continue
        if read >= most:
            break
        read += 1
        for before, after in _differences(_words(pair.source), _words(pair.target)):
            old, new = (tuple(word.text.lower() for word in words) for words in (before, after))
            if len(old) == len(new):
                single.update((a, b) for a, b in zip(old, new, strict=True) if a != b)
            elif len(old) + len(new) <= 2 * _MOST_WORDS:
                longer[old, new] += 1
    return _listed(single, longer)


def _listed(
    single: Counter[tuple[str, str]], longer: Counter[tuple[tuple[str, ...], tuple[str, ...]]]
) -> LearnedChanges:
    words = {change for change, count in single.items() if count >= _LEAST_SEEN}
    phrases: Counter[tuple[str, str]] = Counter()
    for (before, after), count in longer.items():
        old, new = _without_known(before, after, words)
        if old and new and max(len(old), len(new)) <= _MOST_WORDS:
            phrases[" ".join(old), " ".join(new)] += count
    seen: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for word, other in single:
        if (ending := _ending(word, other)) is not None:
            seen[ending].add(word)
    endings = frozenset(ending for ending, stems in seen.items() if len(stems) >= _LEAST_WORDS)
    return LearnedChanges(frozenset(words | {c for c, n in phrases.items() if n >= _LEAST_SEEN}), endings)


def _without_known(
    before: tuple[str, ...], after: tuple[str, ...], known: set[tuple[str, str]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a change of several words without what begins and ends it and is known as a change of its own."""
    while len(before) > 1 and len(after) > 1 and (before[-1], after[-1]) in known:
        before, after = before[:-1], after[:-1]
    while len(before) > 1 and len(after) > 1 and (before[0], after[0]) in known:
        before, after = before[1:], after[1:]
    return before, after


def _ending(before: str, after: str) -> tuple[str, str] | None:
    """Return what differs behind the letters that both begin with, or None where these are too few."""
    shorter = min(len(before), len(after))
    same = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    return (before[same:], after[same:]) if same >= _LEAST_STEM else None


def _words(text: str) -> list[_Word]:
    return [_Word(*match.span(), match.group()) for match in _WORD.finditer(text)]


def _differences(
    words: Sequence[_Word], answered: Sequence[_Word]
) -> Iterator[tuple[Sequence[_Word], Sequence[_Word]]]:
    """Yield the runs of words that are not the same on both sides."""
    matcher = SequenceMatcher(None, [w.text for w in words], [w.text for w in answered], autojunk=False)
    for kind, begin, end, first, last in matcher.get_opcodes():
        if kind != "equal":
            yield words[begin:end], answered[first:last]


def _edit(source: str, answer: str, old: Sequence[_Word], new: Sequence[_Word]) -> Edit:
    """Return words for words, with the answer's white space between those that are put in."""
    start = old[0].start if old else 0
    end = old[-1].end if old else start
    after = answer[new[0].start : new[-1].end] if new else ""
    return Edit(start, end, source[start:end], after, "other", "learned")
