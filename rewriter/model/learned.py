"""What a model was taught to change: a check of its answers that knows no language, learnt from its training pairs.

A network that writes a sentence anew may miscopy any word of it. But what it is to change it has seen changed, over and
over: *he* into *they*, *knows* into *know*, *Lehrer* into *Lehrer\\*innen*. So the changes of the training pairs are
listed beside the model (:mod:`train.export.changes` makes the list), and of an answer only those stand that are on it;
for everything else the source stands. Words that were never seen change by an ending that many words changed by, unless
the pairs show them unchanged. What only ever changes beside something else (a verb with its pronoun) does not change
alone. White space is always that of the source.

Keeping a word that the model is not known to rewrite is what Luong et al. 2015 do for rare words (copied through the
alignment); here the alignment is one of words, and inside a difference the cheapest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rewriter.errors import InputError, ModelError
from rewriter.io.files import read_json, write_json
from rewriter.model.word_changes import MOST_WORDS, Change, Ending, Word, change_of, differences, ending_of, words_of
from rewriter.records import Edit

__all__ = ["CHANGES", "LearnedChanges"]

#: the list, in a model's directory
CHANGES = "changes.json"
UNKNOWN = "the training pairs never change these words so"
#: words of a difference beyond which it is not aligned but left as it was
_MOST_ALIGNED = 60


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
        stands = self.changes.get(change_of(before, after))
        if stands is None and len(before) == len(after) == 1 and before[0].lower() not in self.stays:
            ending = ending_of(before[0], after[0])
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
        for begin, before, after in differences(words_of(source), words_of(answer)):
            at = begin
            for old, new in self._steps(before, after):
                stands = self._stands([word.text for word in old], [word.text for word in new])
                alone = alone or bool(stands)
                (foreign if stands is None else taught).append(_edit(source, answer, old, new, at))
                at = old[-1].end if old else at
        return (taught, foreign) if alone else ([], sorted([*taught, *foreign], key=lambda edit: edit.start))

    def _steps(self, before: Sequence[Word], after: Sequence[Word]) -> Iterator[tuple[list[Word], list[Word]]]:
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
    for a in range(1, min(i, MOST_WORDS) + 1):
        for b in range(1, min(j, MOST_WORDS) + 1):
            if cost[i - a][j - b] < cost[i][j] and knows(old[i - a :], new[j - b :]):
                yield cost[i - a][j - b] + 0.01 * (a + b), (a, b)


def _is_loud(words: Sequence[str]) -> bool:
    """Return True if all letters are capitals, and there are several."""
    text = "".join(words)
    return len(text) > 1 and text.isupper()


def _edit(source: str, answer: str, old: Sequence[Word], new: Sequence[Word], at: int) -> Edit:
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
