"""Counts that add up: one object per part of a corpus, saved as one file without pickle.

Everything is an integer: how often each word was seen, and how often it stood at which distance from a word of which
group (and, where units are kept for the bootstrap, in which unit). Words are sorted, so equal counts are equal files,
however the corpus was cut and in whatever order the parts were merged.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from eval.genbit.lexicon import GROUPS
from rewriter.errors import InputError, UsageError
from rewriter.io.files import atomic_write, open_bytes
from rewriter.runs.manifest import differences

Ints = npt.NDArray[np.int64]
#: sorted keys and how often each was seen
Pairs = tuple[Ints, Ints]

FORMAT = "gender-fair genbit counts"
#: raised when a file of an older version would be read wrongly
FORMAT_VERSION = 1

#: columns of ``unit_totals`` behind those of the groups
WORDS, DOCUMENTS = len(GROUPS), len(GROUPS) + 1
_ARRAYS = ("frequency", "keys", "counts", "unit_totals")


@dataclass(frozen=True)
class CountsIdentity:
    """What must be equal for counts to be merged.

    Attributes:
        lang: language of the text.
        window: largest distance that was counted.
        units: groups of documents that are kept apart.
        lexicon: name of the word lists.
        digest: of the word lists and the stop words.
    """

    lang: str
    window: int
    units: int
    lexicon: str
    digest: str


@dataclass(frozen=True, eq=False)
class Counts:
    """What was counted in a corpus.

    Attributes:
        identity: how it was counted.
        words: every word that was counted, sorted.
        frequency: how often each was seen.
        keys: sorted; ``((word * units + unit) * 5 + group) * window + distance - 1``.
        counts: how often each key was seen.
        unit_totals: for every unit how many words of each group, counted words and documents it has, shape (units, 7).
        tokens: number of tokens, stop words included.
    """

    identity: CountsIdentity
    words: tuple[str, ...]
    frequency: Ints
    keys: Ints
    counts: Ints
    unit_totals: Ints
    tokens: int

    @property
    def documents(self) -> int:
        """How many documents were counted, empty ones included."""
        return int(self.unit_totals[:, DOCUMENTS].sum())

    @classmethod
    def from_numbers(
        cls, identity: CountsIdentity, words: Sequence[str], frequency: Ints, pairs: Pairs, totals: tuple[Ints, int]
    ) -> Counts:
        """Return counts with sorted words from counts with any order of words; unseen words are left out."""
        seen = sorted(np.flatnonzero(frequency).tolist(), key=words.__getitem__)
        order = np.array(seen, np.int64)
        place = np.zeros(len(words), np.int64)
        place[order] = np.arange(len(order))
        keys, counts = _renumber(pairs, place, _stride(identity))
        return cls(identity, tuple(words[i] for i in seen), frequency[order], keys, counts, *totals)

    def parts(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Return word, unit, group and distance of every key."""
        rest, distance = np.divmod(self.keys, self.identity.window)
        rest, group = np.divmod(rest, len(GROUPS))
        word, unit = np.divmod(rest, self.identity.units)
        return word, unit, group, distance + 1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        same = (self.identity, self.words, self.tokens) == (other.identity, other.words, other.tokens)
        return same and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _ARRAYS)

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: str | Path) -> None:
        """Write the counts to one ``.npz`` file, atomically; equal counts give equal bytes.

        Raises:
            OutputError: the file cannot be written.
        """
        head = {"format": FORMAT, "version": FORMAT_VERSION, **asdict(self.identity)}
        head |= {"groups": list(GROUPS), "tokens": self.tokens}
        texts = {"head": head, "words": list(self.words)}
        arrays = {
            name: np.frombuffer(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"), np.uint8)
            for name, value in texts.items()
        }
        with atomic_write(path) as stream:
            arrays |= {name: getattr(self, name) for name in _ARRAYS}
            np.savez_compressed(stream, allow_pickle=False, **arrays)

    @classmethod
    def load(cls, path: str | Path) -> Counts:
        """Read saved counts.

        Raises:
            InputError: the file is missing, damaged, no such file, or of a newer version.
        """
        try:
            with open_bytes(path) as stream, np.load(stream, allow_pickle=False) as arrays:
                head = json.loads(bytes(arrays["head"]))
                words = json.loads(bytes(arrays["words"]).decode("utf-8", "surrogatepass"))
                numbers = [arrays[name].astype(np.int64) for name in _ARRAYS]
        except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zlib.error, BadZipFile) as error:
            raise InputError(f"{path}: no counts of 'gender-fair eval genbit', or a damaged file ({error})") from None
        _check_head(path, head)
        identity = CountsIdentity(**{name: head[name] for name in CountsIdentity.__dataclass_fields__})
        _check_numbers(path, identity, words, numbers)
        return cls(identity, tuple(words), numbers[0], numbers[1], numbers[2], numbers[3], head["tokens"])


def merge(parts: Sequence[Counts]) -> Counts:
    """Add up the counts of parts of a corpus; the order does not matter.

    Raises:
        UsageError: there are none, or they were counted in different ways (the message names the difference).
    """
    if not parts:
        raise UsageError("there are no counts to merge")
    identity = parts[0].identity
    for part in parts[1:]:
        different = differences(asdict(identity), asdict(part.identity))
        if different:
            raise UsageError("counts that were made in different ways cannot be merged:\n  " + "\n  ".join(different))
    if len(parts) == 1:
        return parts[0]
    words = sorted(set().union(*(part.words for part in parts)))
    place = {word: i for i, word in enumerate(words)}
    frequency = np.zeros(len(words), np.int64)
    pairs = []
    for part in parts:
        places = np.fromiter(map(place.__getitem__, part.words), np.int64, len(part.words))
        frequency[places] += part.frequency
        pairs.append(_renumber((part.keys, part.counts), places, _stride(identity)))
    keys, counts = add_up(pairs)
    unit_totals: Ints = np.stack([part.unit_totals for part in parts]).sum(axis=0)
    return Counts(identity, tuple(words), frequency, keys, counts, unit_totals, sum(part.tokens for part in parts))


def add_up(pairs: Sequence[Pairs]) -> Pairs:
    """Merge sorted keys with their counts; equal keys are added."""
    keys = np.concatenate([keys for keys, _ in pairs])
    counts = np.concatenate([counts for _, counts in pairs])
    if not len(keys):
        return keys, counts
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[first], np.add.reduceat(counts, first)


def _stride(identity: CountsIdentity) -> int:
    return identity.units * len(GROUPS) * identity.window


def _renumber(pairs: Pairs, place: Ints, stride: int) -> Pairs:
    """Give every key its word's new number, and sort again."""
    word, rest = np.divmod(pairs[0], stride)
    keys = place[word] * stride + rest
    order = np.argsort(keys, kind="stable")
    return keys[order], pairs[1][order]


def _check_head(path: str | Path, head: Any) -> None:
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise InputError(f"{path}: no counts of 'gender-fair eval genbit'")
    if head["version"] != FORMAT_VERSION or head["groups"] != list(GROUPS):
        raise InputError(
            f"{path}: counts of format version {head['version']}; this toolkit reads version {FORMAT_VERSION}. "
            "Count the corpus again."
        )


def _check_numbers(path: str | Path, identity: CountsIdentity, words: list[str], numbers: list[Ints]) -> None:
    """Refuse a file whose parts do not fit together."""
    frequency, keys, counts, totals = numbers
    fits = len(frequency) == len(words) and len(keys) == len(counts) and totals.shape == (identity.units, DOCUMENTS + 1)
    if fits and len(keys):
        fits = bool((np.diff(keys) > 0).all() and keys[0] >= 0 and keys[-1] < len(words) * _stride(identity))
    if not fits:
        raise InputError(f"{path}: damaged counts; count the corpus again")
