"""The written forms of terms and identifiers, their variants, and finding them in texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from augment.balance.metadata import Metadata
from eval.bias_filter.matcher import FormFinder, join_lines, text_parts, word_form
from eval.bias_filter.words import UNSPACED
from rewriter.errors import UsageError
from rewriter.text.word_pattern import any_word


class Slot(NamedTuple):
    """What a form stands for.

    Attributes:
        term: number of the term, -1 for an identifier.
        category: number of the category, -1 for a neutral word.
    """

    term: int
    category: int


@dataclass(frozen=True, slots=True)
class Variants:
    """Which variants of the forms in the metadata count too.

    Attributes:
        plurals: English plurals of the terms' forms (``nurses``, ``directors of photography``).
        hyphens: a space for a hyphen and a hyphen for a space.
        exact_case: only words written as in the metadata; by default case does not matter.
    """

    plurals: bool = False
    hyphens: bool = False
    exact_case: bool = False


class Hits(NamedTuple):
    """What a text holds.

    Attributes:
        text: its number among the texts.
        neutral: numbers of the terms whose neutral word is there.
        words: (term, category) of every category word.
        identifiers: how often each category's identifiers are there.
    """

    text: int
    neutral: tuple[int, ...]
    words: list[Slot]
    identifiers: list[int]


class Found(NamedTuple):
    """A form at its place: offsets in the text, the form, what it stands for."""

    start: int
    end: int
    form: str
    slots: tuple[Slot, ...]


class Forms:
    """Finds the forms of metadata in texts.

    Where forms overlap the longest counts ("registered nurse" is no "nurse"); a form of several terms counts for each.

    Args:
        metadata: terms and identifiers.
        variants: which variants count too.

    Raises:
        UsageError: plurals are asked for in another language than English, or a word is of a script without spaces.
    """

    def __init__(self, metadata: Metadata, variants: Variants | None = None) -> None:
        self.variants = variants or Variants()
        self.categories = len(metadata.categories)
        if self.variants.plurals and metadata.lang not in ("", "en"):
            raise UsageError(
                f"plurals are made for English only, and the metadata is for '{metadata.lang}': "
                "list plurals as synonyms instead"
            )
        self.slots = self._gather(metadata)
        self._finder, self._by_form = self._make_finder()
        self._pattern = _exact_pattern(self.slots) if self.variants.exact_case else any_word(self.slots)

    def _gather(self, metadata: Metadata) -> dict[str, tuple[Slot, ...]]:
        """Return the forms with what they stand for."""
        found: dict[str, dict[Slot, None]] = {}
        for number, term in enumerate(metadata.terms):
            for category, words in enumerate((term.neutral, *term.words), -1):
                for form in self._spellings(words, plurals=self.variants.plurals):
                    found.setdefault(form, {})[Slot(number, category)] = None
        for category, words in enumerate(metadata.identifiers):
            for form in self._spellings(words, plurals=False):
                found.setdefault(form, {})[Slot(-1, category)] = None
        for form in found:
            if UNSPACED.search(form):
                raise UsageError(f"'{form}': words of scripts without spaces cannot be counted here")
        return {form: tuple(slots) for form, slots in found.items()}

    def _spellings(self, words: Iterable[str], *, plurals: bool) -> Iterable[str]:
        for word in words:
            base = word if self.variants.exact_case else word.lower()
            for form in (base, *(english_plurals(base) if plurals else ())):
                yield form
                if self.variants.hyphens:
                    yield form.replace(" ", "-")
                    yield re.sub(r"(?<=\w)-(?=\w)", " ", form)

    def _make_finder(self) -> tuple[FormFinder, list[tuple[Slot, ...]]]:
        numbers: dict[bytes, int] = {}
        by_form: list[tuple[Slot, ...]] = []
        for form, slots in self.slots.items():
            key = word_form(form)
            if key in numbers:  # two spellings that are compared as one
                by_form[numbers[key]] = tuple(dict.fromkeys(by_form[numbers[key]] + slots))
            else:
                numbers[key] = len(by_form)
                by_form.append(slots)
        return FormFinder(numbers), by_form

    def scan(self, texts: Sequence[str]) -> list[Hits]:
        """Return what those texts hold that speak of a term, in order."""
        found: list[Hits] = []
        start = 0
        for part in text_parts(texts):
            found += self._scan_part(part, start)
            start += len(part)
        return found

    def _scan_part(self, texts: Sequence[str], first: int) -> list[Hits]:
        lines, forms, _ = self._finder.find_lines(join_lines(texts))
        numbers, about = forms.tolist(), lines.tolist()
        by_line: dict[int, list[int]] = {}
        speaks = {number for number, slots in enumerate(self._by_form) if any(slot.term >= 0 for slot in slots)}
        wanted = {line for line, number in zip(about, numbers, strict=True) if number in speaks}
        for line, number in zip(about, numbers, strict=True):
            if line in wanted:
                by_line.setdefault(line, []).append(number)
        if self.variants.exact_case:
            exact = ((line, [f.slots for f in self.find(texts[line])]) for line in sorted(by_line))
            hits = [self._hits(first + line, slots) for line, slots in exact]
        else:
            hits = [self._hits(first + line, [self._by_form[n] for n in some]) for line, some in by_line.items()]
        return [hit for hit in hits if hit.neutral or hit.words]

    def _hits(self, text: int, found: Iterable[tuple[Slot, ...]]) -> Hits:
        neutral: dict[int, None] = {}
        words: list[Slot] = []
        identifiers = [0] * self.categories
        for slots in found:
            for slot in slots:
                if slot.term < 0:
                    identifiers[slot.category] += 1
                elif slot.category < 0:
                    neutral[slot.term] = None
                else:
                    words.append(slot)
        return Hits(text, tuple(neutral), words, identifiers)

    def find(self, text: str) -> list[Found]:
        """Return every form of ``text`` with its place."""
        if not self.variants.exact_case:
            text = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
        found = []
        for match in self._pattern.finditer(text):
            form = " ".join(match[0].split())
            found.append(Found(match.start(), match.end(), form, self.slots[form]))
        return found


def _exact_pattern(forms: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    body = "|".join(re.escape(form).replace(r"\ ", r"\s+") for form in longest_first)
    return re.compile(rf"(?<![^\W_])(?:{body})(?![^\W_])")


_IRREGULAR = {"man": "men", "woman": "women", "wife": "wives", "child": "children", "person": "people"}
_BY_HEAD = re.compile(r"^(.+?)( of | in | for |-in-|-at-)(.+)$")


def english_plurals(word: str) -> list[str]:
    """Return the plurals of a noun or noun phrase: *policemen*, *secretaries*, *salespersons* and *salespeople*.

    In phrases the head is inflected: the last word, or the one before the first preposition (*directors of ...*).
    """
    if split := _BY_HEAD.match(word):
        return [plural + split[2] + split[3] for plural in english_plurals(split[1])]
    for ending, plural in _IRREGULAR.items():
        if word.endswith(ending) and not word.endswith(("human", "german", "roman")):
            both = [word + "s"] if ending == "person" else []
            return [word[: -len(ending)] + plural, *both]
    if re.search(r"[^aeiou]y$", word):
        return [word[:-1] + "ies"]
    return [word + ("es" if re.search(r"(s|x|z|ch|sh)$", word) else "s")]
