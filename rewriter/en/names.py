"""Tells English sentences that name a person from others: titles, initials, given names, and unknown capitals.

A heuristic of our own, and a careful one: what it does not know and what is written like a name counts as one, so that
in doubt the sentence is left alone. It reads the tables ``given_names.tsv`` and ``capitalised.tsv``, no model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from lexicons.loader import read_table

#: a word with inner hyphens and apostrophes that is part of no handle, address or number
_WORD = re.compile(r"(?<![\w@#/])[^\W\d_]+(?:['’-][^\W\d_]+)*(?!\w)")
_GENITIVE = re.compile(r"['’]s$", re.IGNORECASE)
#: between words: what makes the next word the first of a sentence, of quoted speech or of a list item
_BEGIN = re.compile(r"""[.!?:;…•|“«]|[\s(]["‘']|\s[-*–—]+\s""")
_INITIALS = re.compile(r"(?<![\w.])(?!I\.|U\. ?[SKN]\.|D\. ?C\.)(?:[A-Z]\. ?){1,3}(?P<name>[A-Z][a-z]{2,})")
#: Kowalski, Smith-Jones, McDonald, O'Neill; not YouTube
_SHAPE = re.compile(r"(?:Mc|Mac|Fitz|De|Di|La|Le|O['’]|D['’])?\w[^\WA-Z]+(?:-\w[^\WA-Z]+)*")
_NO_NAME = re.compile(r".{3,}(?:ism|isms|ians|eans|ists?|ese|ish|ology|ics|tion|tions|ment|ments|ness|ing)")
_INDEFINITE = re.compile(
    r"\b(?:an?|any|every|each|no|some|another|one|(?:any|every|some)(?:one|body)|nobody|whoever)\b", re.IGNORECASE
)


@cache
def word_list(name: str) -> frozenset[str]:
    """Return a list of ``name_words.tsv``."""
    return frozenset(row["word"] for row in read_table("en", "name_words") if row["list"] == name)


@cache
def kind_of_word(*kinds: str) -> frozenset[str]:
    """Return the words of these kinds in ``capitalised.tsv``."""
    return frozenset(row["word"] for row in read_table("en", "capitalised") if row["kind"] in kinds)


#: capitalised words that are no names themselves, but may stand beside one (*On Monday Maria*)
_PARTING = ("month", "day", "holiday", "place", "people", "belief")
_NO_NAMES = (*_PARTING, "office", "thing", "title")


@cache
def known_given_names() -> frozenset[str]:
    """Return the given names of the table."""
    return frozenset(row["name"] for row in read_table("en", "given_names"))


class NameWord(NamedTuple):
    """A word as it stands, its lower case without the genitive, the text before it, whether a sentence begins here."""

    surface: str
    norm: str
    gap: str
    begins: bool

    @property
    def is_capital(self) -> bool:
        """Whether it begins with a capital and is no function word."""
        return self.surface[:1].isupper() and len(self.surface) > 1 and self.norm not in word_list("function word")

    @property
    def is_acronym(self) -> bool:
        """Whether it stands in capitals."""
        return len(self.norm) > 1 and self.surface[: len(self.norm)].isupper()

    @property
    def is_genitive(self) -> bool:
        """Whether something was cut off its end, as of *Karla's*."""
        return len(self.surface) > len(self.norm)


def names_person(sentence: str) -> bool:
    """Return True if ``sentence`` names a person.

    It does when it holds a title before a capitalised word (*Dr. Chen*, *Judge Brown*), initials before one
    (*J. Smith*), a given name of the table, or any other capitalised word inside the sentence. No names are: words of
    the tables of months, places, peoples, beliefs, organisations and brands, runs of capitals that hold a part of an
    organisation's name (*Mercy Hospital*), words behind an article or behind *in*, *at*, *near* and the like, words in
    capitals altogether, and eponyms (*Alzheimer's disease*). A given name that begins a sentence and is an ordinary
    word too (*Will*, *Rose*) needs a surname or a verb of saying behind it; other first words do not count. In lines
    whose words are mostly capitalised (headlines) only titles, initials and given names count.

    Args:
        sentence: any text; one without capitals names nobody.
    """
    if any(match["name"].lower() not in word_list("function word") for match in _INITIALS.finditer(sentence)):
        return True
    words = name_words(sentence)
    is_headline = _is_headline(words)
    return any(_has_title(words, run) or _is_name(words, run, is_headline) for run in runs_of_names(words))


def is_organisation_word(word: str) -> bool:
    """Return True if a word (lower case) is a part of names of organisations, streets and events."""
    return word in kind_of_word("office")


def refers_back(sentence: str, offset: int) -> bool:
    """Return True if a pronoun at ``offset`` may mean a person named in an earlier sentence.

    Not so when an indefinite person may stand before it in its own sentence (*A doctor should wash her hands*).
    """
    return _INDEFINITE.search(sentence, 0, offset) is None


def name_words(sentence: str) -> list[NameWord]:
    """Return the words of a sentence as names have them."""
    words: list[NameWord] = []
    position = 0
    for match in _WORD.finditer(sentence):
        surface, gap = match.group(), sentence[position : match.start()]
        position = match.end()
        norm = _GENITIVE.sub("", surface).lower().replace("’", "'")
        begins = not words or (gap != " " and _begins(gap, words[-1]))
        words.append(NameWord(surface, norm, gap, begins))
    return words


def _begins(gap: str, before: NameWord) -> bool:
    """Return True if a word behind ``gap`` begins a sentence; the full stop of a title or initial ends none."""
    if gap.strip() == "." and (len(before.surface) == 1 or before.norm in kind_of_word("title")):
        return False
    return _BEGIN.search(gap) is not None


def _is_headline(words: Sequence[NameWord]) -> bool:
    long = [word for word in words if len(word.norm) > 3]
    return len(long) > 3 and sum(word.surface[:1].isupper() for word in long) > 0.7 * len(long)


def runs_of_names(words: Sequence[NameWord]) -> list[list[int]]:
    """Return the runs of capitalised words between which only white space or an abbreviation's full stop stands."""
    runs: list[list[int]] = []
    for i, word in enumerate(words):
        if not word.is_capital:
            continue
        if runs and runs[-1][-1] == i - 1 and not word.gap.strip(" \t\n.*_") and not word.begins:
            runs[-1].append(i)
        else:
            runs.append([i])
    return runs


def _has_title(words: Sequence[NameWord], run: Sequence[int]) -> bool:
    """Return True if a word of the run stands right behind a title."""
    no_names = kind_of_word(*_NO_NAMES)
    for i in run:
        title = words[i - 1].norm if i else ""
        if title not in kind_of_word("title") or words[i].begins or words[i].gap.strip(" \n."):
            continue
        if title in word_list("title") or not (words[i].norm in no_names or words[i].is_acronym):
            return True
    return False


def _is_name(words: Sequence[NameWord], run: Sequence[int], is_headline: bool) -> bool:
    """Return True if a run of capitalised words is the name of a person, by its words and its surroundings."""
    members = [words[i] for i in run]
    if any(word.norm in kind_of_word("office") for word in members[1:]) or members[0].norm in kind_of_word("office"):
        return False
    before = words[run[0] - 1].norm if run[0] and not members[0].begins else ""
    if before == "of" and words[run[0] - 2].norm in kind_of_word("office"):  # House of Representatives
        return False
    after = words[run[-1] + 1].norm if run[-1] + 1 < len(words) and not words[run[-1] + 1].begins else ""
    if len(run) == 1 and (
        before in word_list("determiner") or (before in word_list("before places") and not members[0].is_genitive)
    ):
        return False
    if after in word_list("after eponyms"):
        return False
    if any(_is_given(members, place, is_headline, after) for place in range(len(members))):
        return True
    if (
        is_headline
        or before in word_list("determiner")
        or before in word_list("before places")
        or any(word.norm in kind_of_word("thing") for word in members)
    ):
        return False
    return any(_is_unknown(word) for word in members)


def _is_given(run: Sequence[NameWord], place: int, is_headline: bool, after: str) -> bool:
    """Return True if a word of a run is a given name here."""
    word = run[place]
    has_surname = place + 1 < len(run) and _is_unknown(run[place + 1])
    if word.norm in kind_of_word("relative"):
        return True
    if not ({word.norm, word.norm.partition("-")[0]} & known_given_names()):
        return False
    if word.norm in kind_of_word(*_PARTING, "thing", "title"):
        return word.norm in kind_of_word("place") and has_surname and not is_headline
    if word.norm not in kind_of_word("ordinary"):
        return True
    if is_headline or word.is_acronym:
        return False
    return not word.begins or has_surname or (place + 1 == len(run) and after in word_list("saying"))


def _is_unknown(word: NameWord) -> bool:
    """Return True if a capitalised word inside a sentence is in no table and looks like a name."""
    if word.begins or word.is_acronym or word.norm in kind_of_word(*_NO_NAMES):
        return False
    return _SHAPE.fullmatch(_GENITIVE.sub("", word.surface)) is not None and _NO_NAME.fullmatch(word.norm) is None
