"""Which groups a text speaks of: the words of several lists found in many texts at once.

Every word of the text is turned into a number, its first eight bytes, by one gather over the bytes; a small table of
bits says for nearly all of them that they are in no list. So the time does not depend on the length of the lists, and
Python only handles what is found. Phrases are looked for behind their first word, the longest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Protocol

import numpy as np
import numpy.typing as npt

from eval.bias_filter.words import LAST_BORDER, LINE_END, UNSPACED, normalise
from rewriter.errors import UsageError

Masks = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

#: classes of a text beside the names of the groups
MIXED, NEUTRAL = "mixed", "neutral"
#: characters that are looked at together: the arrays about them stay in the processor's cache
BLOCK = 1 << 17
#: one bit of a mask per group
MOST_GROUPS = 63

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_BITS = 14
_SHIFT = np.uint64(64 - _BITS)
#: what is left of eight bytes when a word is shorter
_SHORTER = np.array([(1 << (8 * size)) - 1 for size in range(9)], dtype=np.uint64)
#: makes the first byte of a longer word one that begins no word, so that its number is that of no short word
_LONG_MARK = np.uint64(0x80)
_PADDING = b" " * 8
_FIRST = np.zeros(1, np.int64)
#: instead of the number of a group: nothing was found; only Python can tell
_NOTHING, _LOOK = -1, -2


@dataclass(frozen=True, slots=True)
class Scan:
    """What was found in some texts.

    Attributes:
        masks: for each text, bit ``g`` is set where it holds a word of group ``g``.
        tokens: how many words (or phrases) of each group were found in all of them.
    """

    masks: Masks
    tokens: Ints


class Matcher(Protocol):
    """Finds the words of groups in texts."""

    groups: tuple[str, ...]

    def scan(self, texts: Sequence[str]) -> Scan:
        """Return what each text holds."""
        ...


class FormFinder:
    """Finds words and phrases, each with a number, in text that :func:`eval.bias_filter.words.normalise` made.

    Args:
        numbers: form (:func:`word_form`) -> number, from 0; forms of scripts without spaces are not for this.
    """

    def __init__(self, numbers: Mapping[bytes, int]) -> None:
        self.words: dict[bytes, int] = {}
        forms: dict[bytes, dict[bytes, int]] = {}
        for form, number in numbers.items():
            if first := _first_of_phrase(form):
                forms.setdefault(first, {})[form] = number
            else:
                self.words[form] = number
        self.phrases = {first: (_phrase_pattern(some), some) for first, some in forms.items()}
        self._keys, self._maybe = _tables({*self.words, *self.phrases})
        self._numbers, self._looks = self._answers()

    def find_lines(self, block: str) -> tuple[Ints, Ints, Ints]:
        """Return line and number of everything found in ``block``, in order, and where its lines end.

        Args:
            block: lines, each with its end.
        """
        data = normalise(block) + _PADDING
        raw = np.frombuffer(data, np.uint8, count=len(data) - len(_PADDING))
        ends = np.flatnonzero(raw <= LAST_BORDER)
        starts, found = self._find(data, ends)
        borders = ends[raw[ends] == LINE_END]
        return np.searchsorted(borders, starts), found, borders

    def _answers(self) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Return for each key the group of its word, and behind which borders Python must look for a phrase.

        Of longer words the key shows the beginning only, so there Python must look in any case.
        """
        numbers = np.full(len(self._keys), _NOTHING, np.int64)
        looks = np.zeros((len(self._keys), LAST_BORDER + 1), np.bool_)
        for word in sorted({*self.words, *self.phrases}):
            key = _mark_long(_words_at(word + _PADDING, _FIRST, np.array([len(word)])), np.array([len(word)]))
            at = int(np.searchsorted(self._keys, key)[0])
            if len(word) > 8:
                numbers[at] = _LOOK
            else:
                numbers[at] = self.words.get(word, _NOTHING)
                borders = [form[len(word)] for form in self.phrases[word][1]] if word in self.phrases else []
                looks[at, borders] = True
        return numbers, looks

    def _find(self, data: bytes, ends: Ints) -> tuple[Ints, Ints]:
        """Return offset and group of everything that stands in the lists, in order."""
        starts = np.empty_like(ends)
        starts[0], starts[1:] = 0, ends[:-1] + 1
        sizes = ends - starts
        keys = _words_at(data, starts, sizes)
        at = np.flatnonzero(self._maybe.take(_hash(keys)))
        starts, sizes, keys = starts[at], sizes[at], _mark_long(keys[at], sizes[at])
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        known = np.flatnonzero(self._keys[places] == keys)
        starts, sizes, places = starts[known], sizes[known], places[known]
        found = self._numbers[places]
        if self.phrases:
            borders = np.frombuffer(data, np.uint8)[starts + sizes]
            found[self._looks[places, borders]] = _LOOK
        self._look(data, starts, sizes, found)
        kept = np.flatnonzero(found >= 0)
        return starts[kept], found[kept]

    def _look(self, data: bytes, starts: Ints, sizes: Ints, found: Ints) -> None:
        """Fill in the groups of long words and of phrases; what lies inside a phrase is not found once more."""
        after = 0
        for at in np.flatnonzero(found == _LOOK).tolist():
            start = int(starts[at])
            word = data[start : start + int(sizes[at])]
            found[at] = self.words.get(word, _NOTHING) if start >= after else _NOTHING
            if word in self.phrases and start >= after:
                pattern, forms = self.phrases[word]
                if phrase := pattern.match(data, start):
                    found[at], after = forms[_SPACES.sub(b" ", phrase[0])], phrase.end()
                    inside = slice(at + 1, int(np.searchsorted(starts, after)))
                    found[inside] = np.where(found[inside] == _LOOK, _LOOK, _NOTHING)


class GroupMatcher:
    """Finds the words and phrases of groups in text, whatever case and punctuation surround them.

    Args:
        groups: name of the group -> its words. A word may hold spaces, hyphens and apostrophes; white space stands
            for any run of it. Words of scripts that are written without spaces (Chinese, Japanese, Thai, Lao, Khmer,
            Burmese) are found inside a run of such characters too.

    Raises:
        UsageError: a list is a bare string or empty, a word is no string or holds no letter, two groups share a word,
            or a group has a name that stands for a class.
    """

    def __init__(self, groups: Mapping[str, Iterable[str]]) -> None:
        lists = check_groups(groups)
        self.groups = tuple(lists)
        inside: dict[str, int] = {}
        forms: dict[bytes, int] = {}
        for number, words in enumerate(lists.values()):
            for word, form in words.items():
                if UNSPACED.search(word):
                    inside[word.lower()] = number
                else:
                    forms[form] = number
        self._finder = FormFinder(forms)
        self._inside = inside
        self._inside_pattern = re.compile("|".join(map(re.escape, sorted(inside, key=len, reverse=True))) or "(?!)")

    def __reduce__(self) -> tuple[type[GroupMatcher], tuple[dict[str, list[str]]]]:
        return GroupMatcher, (self.lists(),)

    def lists(self) -> dict[str, list[str]]:
        """Return the words of each group as they are compared: lower case, one form per word."""
        found: dict[str, list[str]] = {name: [] for name in self.groups}
        for form, number in self._finder.words.items():
            found[self.groups[number]].append(form.decode("utf-8"))
        for _, forms in self._finder.phrases.values():
            for form, number in forms.items():
                found[self.groups[number]].append(_written(form))
        for word, number in self._inside.items():
            found[self.groups[number]].append(word)
        return found

    def scan(self, texts: Sequence[str]) -> Scan:
        """Return what each of ``texts`` holds.

        Raises:
            UsageError: an element is not a string.
        """
        masks, tokens = np.zeros(len(texts), np.uint64), np.zeros(len(self.groups), np.int64)
        start = 0
        for part in text_parts(texts):
            masks[start : start + len(part)] = self._scan_part(part, tokens)
            start += len(part)
        return Scan(masks, tokens)

    def _scan_part(self, texts: Sequence[str], tokens: Ints) -> Masks:
        """Return the masks of some texts and add to the counts of tokens."""
        try:
            plain = np.fromiter(map(str.isascii, texts), np.bool_, len(texts))
        except TypeError:
            raise _no_string(texts) from None
        if plain.all():
            return self._scan_block(join_lines(texts), tokens)
        # what is beyond ASCII takes several times as long, so it is put apart
        masks = np.zeros(len(texts), np.uint64)
        for chosen in (plain, ~plain):
            part = list(compress(texts, chosen.tolist()))
            masks[chosen] = self._scan_block(join_lines(part), tokens) if part else 0
        return masks

    def _scan_block(self, block: str, tokens: Ints) -> Masks:
        """Return the masks of the lines of ``block`` and add to the counts of tokens."""
        lines, found, borders = self._finder.find_lines(block)
        if self._inside:
            more_lines, more = self._find_inside(block)
            lines, found = np.concatenate([lines, more_lines]), np.concatenate([found, more])
        masks = np.zeros(len(borders), np.uint64)
        for number in range(len(self.groups)):
            # an index that stands twice in such an assignment is no harm: every time the same bit is set
            masks[lines[found == number]] |= np.uint64(1 << number)
        tokens += np.bincount(found, minlength=len(self.groups))
        return masks

    def _find_inside(self, block: str) -> tuple[Ints, Ints]:
        """Return line and group of the words that are found inside runs of characters."""
        lines: list[int] = []
        found: list[int] = []
        for number, line in enumerate(block.lower().split("\n")):
            for match in self._inside_pattern.finditer(line):
                lines.append(number)
                found.append(self._inside[match[0]])
        return np.array(lines, np.int64), np.array(found, np.int64)


def class_names(groups: Sequence[str], masks: Masks) -> list[str]:
    """Return the class of each text: a group's name where it holds that group alone, ``mixed`` or ``neutral``."""
    names = {1 << number: name for number, name in enumerate(groups)} | {0: NEUTRAL}
    return [names.get(mask, MIXED) for mask in masks.tolist()]


def check_groups(groups: Mapping[str, Iterable[str]]) -> dict[str, dict[str, bytes]]:
    """Return for each group its words with the form in which they are compared.

    Raises:
        UsageError: see :class:`GroupMatcher`.
    """
    if not groups or len(groups) > MOST_GROUPS:
        raise UsageError(f"give between 1 and {MOST_GROUPS} groups, not {len(groups)}")
    owner: dict[bytes, str] = {}
    lists: dict[str, dict[str, bytes]] = {}
    for name, words in groups.items():
        if name in (MIXED, NEUTRAL):
            raise UsageError(f"a group cannot be called '{name}': that is the name of a class of sentences")
        lists[name] = _check_list(name, words)
        shared = sorted(word for word, form in lists[name].items() if owner.get(form, name) != name)
        if shared:
            other = owner[lists[name][shared[0]]]
            raise UsageError(
                f"the groups '{other}' and '{name}' share {len(shared)} word(s): {', '.join(shared[:5])}. A word that "
                "stands in two groups tells nothing about either; leave it in one"
            )
        owner |= dict.fromkeys(lists[name].values(), name)
    return lists


def _check_list(name: str, words: Iterable[str]) -> dict[str, bytes]:
    if isinstance(words, str | bytes):
        raise UsageError(f"'{name}' must be a list of words, not the single string {words!r}; write [{words!r}]")
    if not isinstance(words, Iterable):
        raise UsageError(f"'{name}' must be a list of words, not {type(words).__name__}")
    forms: dict[str, bytes] = {}
    for word in words:
        if not isinstance(word, str):
            raise UsageError(f"'{name}' must be a list of words; {word!r} is {type(word).__name__}")
        form = word_form(word)
        if not form:
            raise UsageError(f"'{name}' holds {word!r}, in which there is no letter to look for")
        forms[word] = form
    if not forms:
        raise UsageError(f"'{name}' holds no word; give at least one")
    return forms


def word_form(word: str) -> bytes:
    """Return the form in which a word of a list is compared; empty where there is nothing to look for."""
    if UNSPACED.search(word):
        return word.lower().encode("utf-8")
    form = _SPACES.sub(b" ", normalise(word.replace("\n", " ")))
    return _EDGES.sub(b"", form)


_SPACES = re.compile(b"[ \n]+")
_EDGES = re.compile(rb"^[\x00-\x20]+|[\x00-\x20]+$")
_BORDER = re.compile(rb"[\x00-\x20]")
_WRITTEN = bytes.maketrans(bytes([1, 2, 3, 4, 5]), b"'-/.;")


def _written(form: bytes) -> str:
    return form.translate(_WRITTEN).decode("utf-8")


def _first_of_phrase(form: bytes) -> bytes:
    """Return the first word of a phrase, nothing for a single word."""
    border = _BORDER.search(form)
    return form[: border.start()] if border else b""


def _phrase_pattern(forms: Iterable[bytes]) -> re.Pattern[bytes]:
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    alternatives = (re.escape(form).replace(rb"\ ", b" +") for form in longest_first)
    return re.compile(b"(?:" + b"|".join(alternatives) + rb")(?=[\x00-\x20])")


def _words_at(data: bytes, starts: Ints, sizes: Ints) -> Words:
    """Return the first eight bytes of each word as a number; eight bytes must follow the last word."""
    view = np.ndarray((len(data) - 7,), "<u8", buffer=data, strides=(1,))
    keys: Words = view[starts] & _SHORTER.take(np.minimum(sizes, 8))
    return keys


def _mark_long(keys: Words, sizes: Ints) -> Words:
    """Return the numbers with those of longer words made different from those of words of eight bytes."""
    return np.where(sizes > 8, keys ^ _LONG_MARK, keys)


def _hash(keys: Words) -> Ints:
    return ((keys * _MULTIPLIER) >> _SHIFT).view(np.int64)


def _tables(words: Iterable[bytes]) -> tuple[Words, npt.NDArray[np.bool_]]:
    """Return the sorted numbers of the words, and which hashes they have."""
    forms = sorted(words) or [b"\xff"]  # no byte of a text
    data = b"".join(form + b" " for form in forms) + _PADDING
    sizes = np.array([len(form) for form in forms], np.int64)
    starts = np.cumsum(sizes + 1) - sizes - 1
    keys = _words_at(data, starts, sizes)
    maybe = np.zeros(1 << _BITS, np.bool_)
    maybe[_hash(keys)] = True
    return np.unique(_mark_long(keys, sizes)), maybe


def text_parts(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield runs of texts of about :data:`BLOCK` characters each."""
    start, many = 0, 64
    while start < len(texts):
        part = texts[start : start + many]
        yield part
        start += len(part)
        mean = sum(map(len, part)) / len(part) + 1  # all are strings, for they were scanned
        # not many more than before, for the texts that follow may be longer
        many = max(1, min(int(BLOCK / mean), 4 * many))


def _no_string(texts: Sequence[object]) -> UsageError:
    wrong = next(text for text in texts if not isinstance(text, str))
    return UsageError(f"a sentence must be a string; {wrong!r} is {type(wrong).__name__}")


def join_lines(texts: Sequence[str]) -> str:
    """Return the texts as lines."""
    block = "\n".join(texts) + "\n"
    if block.count("\n") != len(texts):
        block = "\n".join([text.replace("\n", " ") for text in texts]) + "\n"
    return block
