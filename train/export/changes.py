"""Which changes a rewriter's training pairs teach: the list that stands beside an exported model.

See :mod:`rewriter.model.learned`, which reads it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rewriter.model.learned import LearnedChanges
from rewriter.model.word_changes import MOST_WORDS, Change, Ending, change_of, differences, ending_of, words_of
from rewriter.records import Pair

__all__ = ["learn_changes"]

#: raised by hand when the same pairs give another list
CHANGES_VERSION = 1
#: a change is listed when it was seen so often
_LEAST_SEEN = 2
#: an ending is listed when so many different words changed by it
_LEAST_WORDS = 10
#: a word that an ending could change is listed as one that stays when it did so often and never changed
_LEAST_STAYED = 3
#: a change that was seen so often stands alone only where it did twice, and in such a share of the pairs that hold it
_OFTEN, _LEAST_ALONE, _ALONE_SHARE = 20, 2, 0.01


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
        words, answered = words_of(pair.source), words_of(pair.target)
        self.stayed.update(word.text for word in words)
        made: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        for _, before, after in differences(words, answered):
            old, new = (tuple(word.text for word in side) for side in (before, after))
            self.stayed.subtract(old)
            if len(old) == len(new):
                made += [((a,), (b,)) for a, b in zip(old, new, strict=True) if a != b]
            elif old and new and len(old) + len(new) <= 2 * MOST_WORDS:
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
        found[change_of([word], [other])] += count
    known = {change for change, count in found.items() if count >= _LEAST_SEEN}
    for (before, after), count in counts.longer.items():
        old, new = _without_known(before, after, known)
        for a, b in _widened(old, new):
            if max(len(a), len(b)) <= MOST_WORDS:
                found[change_of(a, b)] += count
    alone: Counter[Change] = Counter()
    for (before, after), count in counts.alone.items():
        for a, b in _widened(*_without_known(before, after, known)):
            alone[change_of(a, b)] += count
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
    ending = ending_of(change.before, change.after)
    return ending is None or endings.get(ending, True)


def _may_stand(alone: int, count: int) -> bool:
    return count < _OFTEN or alone >= max(_LEAST_ALONE, _ALONE_SHARE * count)


def _endings(counts: _Counts) -> dict[Ending, bool]:
    words: defaultdict[Ending, set[str]] = defaultdict(set)
    seen, alone = Counter[Ending](), Counter[Ending]()
    for (word, other), count in counts.single.items():
        if (ending := ending_of(word, other)) is not None:
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
    while len(before) > 1 and len(after) > 1 and change_of(before[-1:], after[-1:]) in known:
        before, after = before[:-1], after[:-1]
    while len(before) > 1 and len(after) > 1 and change_of(before[:1], after[:1]) in known:
        before, after = before[1:], after[1:]
    return before, after


def _widened(before: tuple[str, ...], after: tuple[str, ...]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return a change; words put in or lost between two that stay as changes of the one and of the other."""
    is_between = min(len(before), len(after)) > 1 and (before[0], before[-1]) == (after[0], after[-1])
    return [(before[:-1], after[:-1]), (before[1:], after[1:])] if is_between else [(before, after)]
