"""Finds given names of persons in English sentences, word by word: for what changes names instead of sparing them.

Where :func:`rewriter.en.names.names_person` takes what looks like a name for one, this is careful the other way: what
may be a word, a place, a surname or an organisation is no given name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from lexicons.loader import read_table
from rewriter.en.names import (
    NameWord,
    kind_of_word,
    known_given_names,
    name_words,
    runs_of_names,
    word_list,
)


@dataclass(frozen=True, slots=True)
class GivenName:
    """A given name in a sentence.

    Attributes:
        start: offset in the sentence.
        end: offset behind the name, without a genitive.
        norm: lower case.
        is_certain: False where the rest of the text must tell (a word that begins a sentence: *Will*, *Mark*).
    """

    start: int
    end: int
    norm: str
    is_certain: bool = True


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a sentence.

    Attributes:
        given: given names in order.
        surnames: words (lower case) that stand as surnames.
    """

    given: tuple[GivenName, ...] = ()
    surnames: frozenset[str] = frozenset()


def find_names(sentence: str, known: Mapping[str, str]) -> Names:
    """Return the given names of ``sentence`` that are among ``known``, and the words that stand as surnames.

    Of a run of capitalised words (*Dr. Mary Ann Smith*) the last is a surname when another name, an initial or a title
    stands before it; behind a title of a family, a court or a church (*Aunt Mary*, *King Charles*) stands a given name.
    No given names are: words in the company of a part of an organisation's or place's name (*Mercy Hospital*, *Victoria
    Street*), words behind an article, places and words behind *in*, *near* and the like, eponyms (*Down syndrome*),
    names of months, places, peoples, beliefs and brands without a surname, single words in capitals (*ART*) unless the
    whole sentence is, and names that are words too (*Will*, *Grace*, *Mark*) as the first word of a sentence without a
    surname or a verb of saying behind them: those come as uncertain where the next word allows a name.

    Args:
        sentence: any text without line breaks between sentences that matter.
        known: given names in lower case, each with its gender; two of women's in a row are both given names.
    """
    words = name_words(sentence)
    starts = _starts(sentence, words)
    is_headline = _is_title_case(words)
    shouts = sum(word.is_acronym for word in words if len(word.norm) > 1) > 0.7 * max(1, len(words))
    given: list[GivenName] = []
    surnames: set[str] = set()
    for run in runs_of_names(words):
        _look_at(_Run(words, run, known, is_headline, shouts), starts, given, surnames)
    return Names(tuple(given), frozenset(surnames))


def _is_title_case(words: Sequence[NameWord]) -> bool:
    """Return True if nearly all long words are capitalised, so that capitals mean nothing for one."""
    long = [word for word in words if len(word.norm) > 3]
    return len(long) > 3 and sum(word.surface[:1].isupper() for word in long) > 0.8 * len(long)


def _starts(sentence: str, words: Sequence[NameWord]) -> list[int]:
    position, starts = 0, []
    for word in words:
        position += len(word.gap)
        starts.append(position)
        position += len(word.surface)
    return starts


@dataclass(slots=True)
class _Run:
    """A run of capitalised words."""

    words: Sequence[NameWord]
    places: Sequence[int]
    known: Mapping[str, str]
    is_headline: bool
    shouts: bool

    @property
    def before(self) -> str:
        first = self.places[0]
        return self.words[first - 1].norm if first and not self.words[first].begins else ""

    @property
    def after(self) -> str:
        following = self.places[-1] + 1
        return self.words[following].norm if following < len(self.words) and not self.words[following].begins else ""

    def is_known(self, place: int) -> bool:
        return all(part in self.known for part in self.words[place].norm.split("-"))

    def is_no_person(self) -> bool:
        """Return True if the run names an organisation, a place or a thing."""
        norms = [self.words[i].norm for i in self.places]
        if any(norm in kind_of_word("office") for norm in norms[1 if self.is_headline else 0 :]):
            return True
        if self.after in word_list("after eponyms") or any(norm in word_list("god") for norm in norms):
            return True
        if self.before == "of" and self.words[self.places[0] - 2].norm in kind_of_word("office"):
            return True
        return self.before in word_list("determiner")


def _look_at(run: _Run, starts: Sequence[int], given: list[GivenName], surnames: set[str]) -> None:
    """Add the names of a run."""
    if run.is_no_person():
        return
    names = _without_titles(run, list(run.places))
    for order, place in enumerate(names):
        word = run.words[place]
        if _is_surname(run, names, order):
            surnames.add(word.norm)
            continue
        if not run.is_known(place):
            continue
        certain = _is_given(run, names, order)
        if certain is None:
            continue
        position = starts[place]
        for norm in [word.norm] if word.norm in run.known else word.norm.split("-"):
            given.append(GivenName(position, position + len(norm), norm, certain))
            position += len(norm) + 1


def _without_titles(run: _Run, names: list[int]) -> list[int]:
    """Drop titles that are followed by a word of the run, and first words that are no part of a name."""
    names = [i for i in names if not (run.words[i].norm in kind_of_word("title") and i + 1 in run.places)]
    while len(names) > 1 and _is_other(run, names):
        names = names[1:]
    return names


def _is_other(run: _Run, names: Sequence[int]) -> bool:
    """Return True if a run's first word stands beside the name, not in it (*Yesterday Mary*, *Will John come*)."""
    word, following = run.words[names[0]], run.words[names[1]]
    if word.norm.partition("'")[0] in word_list("function word") or word.norm.endswith("n't"):
        return True  # I'm Barbara
    if not run.is_known(names[0]):
        if word.norm in known_given_names() and len(names) == 2:
            return False  # June Carter
        is_common = word.begins and word.norm in _common_words()
        return is_common or word.norm in kind_of_word("month", "day", "holiday", "place", "people", "belief")
    if not (word.begins and word.norm in word_list("before names") and following.norm in run.known):
        return False
    return not (
        run.after in word_list("saying") or run.after in word_list("after a name") or run.after.endswith(("s", "ed"))
    )


def _is_behind_place_word(run: _Run) -> bool:
    """Return True if *in*, *near* stand before a run, or *to*, *from* and a verb of movement before them."""
    if run.before in (word_list("before places") - {"at", "into"}):
        return True
    verb = run.words[run.places[0] - 2].norm if run.places[0] > 1 else ""
    return run.before in ("to", "from") and verb in word_list("moving")


def _is_beside_place(run: _Run, place: int) -> bool:
    """Return True if *and* and another name of a place stand before a word (*Charlotte and Austin*)."""
    if place < 2 or run.words[place - 1].norm not in ("and", "or"):
        return False
    other = run.words[place - 2]
    return other.is_capital and (other.norm in _places() or other.norm in kind_of_word("place"))


@cache
def _places() -> frozenset[str]:
    return frozenset(row["word"] for row in read_table("en", "place_names"))


@cache
def _common_words() -> frozenset[str]:
    return frozenset(row["word"] for row in read_table("en", "common_words"))


def _is_surname(run: _Run, names: Sequence[int], order: int) -> bool:
    place, word = names[order], run.words[names[order]]
    if order + 1 < len(names):
        return False
    before = run.words[place - 1] if place else None
    is_joined = before is not None and not word.begins and not word.gap.strip(" \n.")
    if is_joined and before is not None and before.norm in word_list("familiar") and before.surface[:1].isupper():
        return False
    if is_joined and before is not None and before.norm in kind_of_word("title"):
        return before.norm in word_list("title") or before.surface[:1].isupper()
    if is_joined and before is not None and len(before.surface) == 1 and before.surface != "I":
        return True  # behind an initial
    if order == 0:
        return False
    # Mary Ann: two names of women; James Henry may as well have a surname
    both = (run.known.get(run.words[i].norm) for i in names[order - 1 : order + 1])
    return not (all(gender == "feminine" for gender in both) and word.norm not in kind_of_word("ordinary"))


def _is_given(run: _Run, names: Sequence[int], order: int) -> bool | None:
    """Return True if a known word is a given name: True, False where the text must tell, None for no."""
    place = names[order]
    word = run.words[place]
    has_surname = order + 1 < len(names)
    if place and run.words[place - 1].norm in word_list("saint") and not word.gap.strip(" .\n"):
        return None
    if word.norm in _places() and not has_surname and _is_beside_place(run, place):
        return None
    if word.norm in _places() and not has_surname and word_list("place") & {w.norm for w in run.words}:
        return None
    behind_title = (
        place > 0 and run.words[place - 1].norm in word_list("familiar") and run.words[place - 1].surface[:1].isupper()
    )
    if word.is_acronym and not run.shouts:
        return None if len(word.norm) < 4 or word.norm in kind_of_word("ordinary", "thing", "place") else True
    if word.norm in kind_of_word("month", "day", "holiday", "place", "people", "belief", "thing"):
        return True if (has_surname and not run.is_headline) or behind_title else None
    if len(run.places) == 1 and not word.is_genitive and _is_behind_place_word(run):
        return None if word.norm in kind_of_word("ordinary") or word.norm in _places() else True
    if word.norm not in kind_of_word("ordinary"):
        return True
    if run.is_headline or run.shouts:
        return None
    if not word.begins or has_surname or behind_title or word.is_genitive or run.after in word_list("saying"):
        return True
    return None if run.after in word_list("after a word") or not run.after else False
