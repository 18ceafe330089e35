"""Counting: texts in, integers out.

For every word its frequency is counted, and how often it stands at which distance from a word of which group. The
weight of a distance is applied later (:mod:`eval.genbit.metrics`), so counts of parts of a corpus add up exactly,
whatever the order.

The original walks from every gendered token over its neighbours. Here a batch of texts becomes one array of word
numbers, and each distance is one step of array arithmetic for all gendered tokens at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from eval.genbit.counts import DOCUMENTS, WORDS, Counts, CountsIdentity, add_up
from eval.genbit.lexicon import GROUPS, PRIMARY, SECONDARY, Lexicon
from eval.genbit.tokens import END, join_tokens, token_stream
from rewriter.errors import Fault, UsageError
from rewriter.faults import together

Ints = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int32]
Codes = npt.NDArray[np.uint8]
T = TypeVar("T")

#: characters of text, or tokens, that are worked on at once
BATCH_CHARACTERS = 1 << 20
BATCH_TOKENS = 1 << 17
#: pairs that wait before they are added to the sorted counts
PENDING = 1 << 21
#: keys below this are counted in an array of that size
CELLS = 1 << 23


class _Vocabulary(dict[str, int]):
    """Numbers words as they come; a look-up of a new word adds it."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self.words)
        self.words.append(word)
        return number


class CooccurrenceCounter:
    """Counts texts; memory grows with the number of different words, not with the number of texts.

    Args:
        lexicon: which words have a gender, which are not counted.
        window: how many tokens to each side of a gendered one are its neighbours, stop words left out.
        units: how many groups of documents are kept apart for the bootstrap (:mod:`eval.genbit.compare`);
            1 keeps none.

    Raises:
        UsageError: the window or the units are no positive numbers.
    """

    def __init__(self, lexicon: Lexicon, window: int, *, units: int = 1) -> None:
        if isinstance(window, bool) or not isinstance(window, int) or window < 1:
            raise UsageError(f"the context window is a number of tokens, at least 1, not {window!r}")
        if units < 1:
            raise UsageError(f"the units of the bootstrap are a number from 1, not {units!r}")
        self.lexicon, self.window, self.units = lexicon, window, units
        self.tokens, self._next = 0, 0
        self._unit_totals: Ints = np.zeros((units, DOCUMENTS + 1), np.int64)
        self._vocabulary = _Vocabulary()
        self._end = self._vocabulary[END]
        self._flags = _Flags(lexicon)
        self._frequency: Ints = np.zeros(0, np.int64)
        self._keys: Ints = np.zeros(0, np.int64)
        self._counts: Ints = np.zeros(0, np.int64)
        self._pending: list[Ints] = []
        self._waiting = 0

    def add_texts(self, texts: Iterable[str]) -> None:
        """Count texts, each of them a document."""
        for batch in _batches(texts, BATCH_CHARACTERS):
            stream, order = token_stream(batch)
            self._add(stream, self._numbers(len(batch))[order])

    def add_numbered(self, texts: Iterable[tuple[int, str]]) -> dict[int, Fault]:
        """Count texts that have a number, such as that of their line, which settles their unit.

        Returns:
            why texts could not be cut into words, by their numbers; they are not counted.
        """
        failed: dict[int, Fault] = {}
        for batch in _batches(texts, BATCH_CHARACTERS, length=lambda item: len(item[1])):
            (stream, order), found = together(_streams, batch)
            numbers = np.array([batch[place][0] for place in found.good], np.int64)
            if len(numbers):
                self._add(stream, numbers[order])
            failed |= {batch[place][0]: fault for place, fault in found.faults.items()}
        return failed

    def add_tokens(self, documents: Iterable[Sequence[str]]) -> None:
        """Count documents that are tokenised already; tokens are lower-cased."""
        for batch in _batches(documents, BATCH_TOKENS):
            self._add(join_tokens(batch), self._numbers(len(batch)))

    def _numbers(self, documents: int) -> Ints:
        self._next += documents
        return np.arange(self._next - documents, self._next)

    def counts(self) -> Counts:
        """Return what was counted so far; counting may go on."""
        self._settle()
        identity = CountsIdentity(self.lexicon.lang, self.window, self.units, self.lexicon.name, self.lexicon.digest)
        frequency = np.zeros(len(self._vocabulary), np.int64)
        frequency[: len(self._frequency)] = self._frequency
        totals = self._unit_totals.copy(), self.tokens
        return Counts.from_numbers(identity, self._vocabulary.words, frequency, (self._keys, self._counts), totals)

    def _add(self, stream: list[str], number: Ints) -> None:
        """Count one batch: tokens of several documents, each closed by END, and the documents' numbers."""
        vocabulary = self._vocabulary
        numbers = np.fromiter(map(vocabulary.__getitem__, stream), np.int32, len(stream))
        self._flags.extend(vocabulary)
        ends = np.flatnonzero(numbers == self._end)
        self.tokens += len(numbers) - len(ends)
        if len(self._flags.starts):
            numbers = self._join_entries(numbers)
            ends = np.flatnonzero(numbers == self._end)
        codes = self._flags.codes[numbers]
        kept = (codes & KEPT) != 0
        lengths = np.diff(np.concatenate(([0], np.cumsum(kept)[ends])))
        document = np.repeat(np.arange(len(ends)), lengths)
        words = numbers[kept]
        groups = codes[kept] & IN_GROUPS
        self._count_words(words)
        units = number % self.units
        self._count_units(groups, document, units)
        self._count_pairs(words, groups, document, units if self.units > 1 else None)

    def _count_words(self, words: Numbers) -> None:
        counted = np.bincount(words, minlength=len(self._frequency))
        counted[: len(self._frequency)] += self._frequency
        self._frequency = counted

    def _count_units(self, groups: Codes, document: Ints, units: Ints) -> None:
        """Count words of each group, words and documents by unit."""
        self._unit_totals[:, DOCUMENTS] += np.bincount(units, minlength=self.units)
        self._unit_totals[:, WORDS] += np.bincount(units[document], minlength=self.units)
        for number in range(len(GROUPS)):
            places = np.flatnonzero(groups & (1 << number))
            self._unit_totals[:, number] += np.bincount(units[document[places]], minlength=self.units)

    def _join_entries(self, numbers: Numbers) -> Numbers:
        """Replace the tokens of entries that have several by the entry, longest match first, from the left."""
        flags = self._flags
        codes = flags.codes[numbers]
        begins = ((codes[:-1] & BEGINS) != 0) & ((codes[1:] & FOLLOWS) != 0)
        joined: list[tuple[int, int, int]] = []
        free = 0
        for start in np.flatnonzero(begins).tolist():
            if start >= free:
                end, entry = self._longest(numbers, start)
                if end > start:
                    joined.append((start, end, entry))
                    free = end
        if not joined:
            return numbers
        left = np.ones(len(numbers), bool)
        for start, end, number in joined:
            numbers[start] = number
            left[start + 1 : end] = False
        return numbers[left]

    def _longest(self, numbers: Numbers, start: int) -> tuple[int, int]:
        """Return end and number of the longest entry that begins at ``start``; ``start`` where there is none."""
        words, node = self._vocabulary.words, self._flags.starts
        found = start, 0
        for place in range(start, len(numbers)):
            following = node.get(words[numbers[place]])
            if following is None:
                break
            node = following
            if node.entry:
                found = place + 1, self._vocabulary[node.entry]
        if found[1]:
            self._flags.extend(self._vocabulary)
        return found

    def _count_pairs(self, words: Numbers, codes: Codes, document: Ints, units: Ints | None) -> None:
        """Count neighbours, one distance after the other, for all gendered tokens at once."""
        base = words.astype(np.int64) * (self.units * len(GROUPS) * self.window)
        for first in FIRST:
            group = first[codes]
            places = np.flatnonzero(group >= 0)
            groups = group[places].astype(np.int64)
            if units is not None:
                groups += units[document[places]] * len(GROUPS)
            for step in (-1, 1):
                self._count_side(base, document, places, groups * self.window, step)

    def _count_side(self, base: Ints, document: Ints, places: Ints, groups: Ints, step: int) -> None:
        for distance in range(1, self.window + 1):
            neighbours = places + step * distance
            inside = (neighbours >= 0) if step < 0 else (neighbours < len(document))
            inside[inside] = document[neighbours[inside]] == document[places[inside]]
            if not inside.all():
                places, groups, neighbours = places[inside], groups[inside], neighbours[inside]
            if not len(places):
                return
            self._keep(base[neighbours] + groups + (distance - 1))

    def _keep(self, keys: Ints) -> None:
        self._pending.append(keys)
        self._waiting += len(keys)
        # Adding up costs as much as is there already, so it waits for as much again: linear on the whole.
        if self._waiting > max(PENDING, len(self._keys)):
            self._settle()

    def _settle(self) -> None:
        if self._pending:
            counted = _count_keys(np.concatenate(self._pending))
            self._pending, self._waiting = [], 0
            self._keys, self._counts = add_up([(self._keys, self._counts), counted])


def _count_keys(keys: Ints) -> tuple[Ints, Ints]:
    """Return sorted keys and how often each is there.

    Words that come early are frequent and have small numbers, so most keys are small. Small ones are counted in an
    array with a place for every key, which is several times faster than sorting; the others are sorted.
    """
    small = keys < CELLS
    counted = np.bincount(keys[small])
    filled = np.flatnonzero(counted)
    rest, counts = np.unique(keys[~small], return_counts=True)
    return np.concatenate([filled, rest]), np.concatenate([counted[filled], counts]).astype(np.int64)


class _Node(dict[str, "_Node"]):
    """A node of the tree of entries with several tokens."""

    entry: str = ""


#: bits of a word's code, above one bit for each group
KEPT, BEGINS, FOLLOWS = (1 << len(GROUPS) + bit for bit in range(3))
IN_GROUPS = KEPT - 1


def _first_groups(numbers: Sequence[int]) -> npt.NDArray[np.int8]:
    """Return, by the bits of the groups, the first of some groups that a word belongs to, -1 for none."""
    firsts = [next((n for n in numbers if code >> n & 1), -1) for code in range(IN_GROUPS + 1)]
    return np.array(firsts, np.int8)


#: what a word counts as: female, male or non-binary; and trans or cis
FIRST = (
    _first_groups([GROUPS.index(group) for group in PRIMARY]),
    _first_groups([GROUPS.index(group) for group in SECONDARY]),
)


class _Flags:
    """What the lexicon says of every word: a code by the word's number."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.starts = _tree(lexicon.gendered)
        self.codes = np.zeros(0, np.uint8)
        self._known = dict.fromkeys(lexicon.stop_words, 0)
        for number, group in enumerate(GROUPS):
            self._mark(lexicon.words(group), (1 << number) | (KEPT if group in PRIMARY else 0))
        self._mark(self.starts, BEGINS)
        self._mark({word for node in self.starts.values() for word in node}, FOLLOWS)
        self._known[END] = 0

    def _mark(self, words: Iterable[str], bits: int) -> None:
        for word in words:
            self._known[word] = self._known.get(word, KEPT) | bits

    def extend(self, vocabulary: _Vocabulary) -> None:
        """Look up the words that came since the last time."""
        known = self._known
        new = [known.get(word, KEPT) for word in islice(vocabulary.words, len(self.codes), None)]
        if new:
            self.codes = np.concatenate([self.codes, np.array(new, np.uint8)])


def _tree(entries: Iterable[str]) -> _Node:
    root = _Node()
    for entry in entries:
        tokens = entry.split(" ")
        if len(tokens) > 1:
            node = root
            for token in tokens:
                node = node.setdefault(token, _Node())
            node.entry = entry
    return root


def _streams(batch: Sequence[tuple[int, str]]) -> tuple[list[str], list[int]]:
    return token_stream([text for _, text in batch])


def _batches(items: Iterable[T], size: int, length: Callable[[Any], int] = len) -> Iterator[list[T]]:
    batch: list[T] = []
    held = 0
    for item in items:
        batch.append(item)
        held += length(item) + 1
        if held >= size:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch
