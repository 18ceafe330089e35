"""Who of a text is named: one decision for each person, made along the text, by weights learned from read texts.

A mention is what swapping turns of one person in one place (*the actress*, *der junge Arzt*, *her*). For each one a
log-linear model (a weight for each thing that can be said of its surroundings) gives the probability that the text
names its person: a name beside it, a predicate about somebody named, and, of pronouns, what the last mention of their
gender was. The weights stand in ``lexicons/<language>/swap_named.tsv``, the words that the features ask for in
``swap_named_words.tsv``; :mod:`tools.fit_named` makes the weights.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from eval.reading.edits import REFERRING
from lexicons.languages import resource
from lexicons.loader import read_table
from rewriter.language.interface import Language
from rewriter.policy.scope import control_rules
from rewriter.records import Edit

#: between the edits of one mention: *der | junge | Arzt*
_GAP = re.compile(r"\s+(?:[a-zäöüß-]+\s+)?")
#: the first of words with capitals that stand in a row: behind it a surname stands
_CAPITALISED = re.compile(r"(?<![^\W_])([^\W\d_a-zäöüß][^\W\d_]+)(?:[ .]+[^\W\d_a-zäöüß][\w'’-]*)*")
_TOKEN = re.compile(r"[^\W\d_][\w'’-]*|[^\w\s]")
#: tokens before a mention that are looked at, and characters behind it
_BEFORE, _BEHIND = 8, 40
#: sentences back in which somebody may have been named, and characters back that are looked at for names at all
_EARLIER, _REACH = 3, 1000

#: columns of ``swap.tsv`` with forms of words for women
_FEMININE = frozenset({"feminine", "feminine_genitive", "feminine_plural"})

#: what is so of a mention
Features = frozenset[str]
NamesPerson = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Mention:
    """What is turned of one person in one place.

    Attributes:
        start: offset of its first character.
        end: offset behind its last one.
        edits: numbers of its edits.
        is_pronoun: it only goes on about somebody.
        is_feminine: as it stands.
        is_title: it stands before a name by its nature (*Mrs*, *Herr*).
    """

    start: int
    end: int
    edits: tuple[int, ...]
    is_pronoun: bool
    is_feminine: bool
    is_title: bool


@dataclass(frozen=True)
class Words:
    """Words of a language that the features ask for, from ``swap_named_words.tsv``.

    Attributes:
        classes: name of a class -> its words, in lower case.
        endings: endings of words for women, and of plurals.
        names: given names and titles, capitalised, and whether they are a woman's.
    """

    classes: dict[str, frozenset[str]]
    endings: dict[str, tuple[str, ...]]
    names: dict[str, bool]

    @classmethod
    def of_language(cls, lang: str) -> Words:
        """Read the words of a language."""
        classes: dict[str, set[str]] = {}
        endings: dict[str, set[str]] = {}
        for row in read_table(lang, "swap_named_words"):
            target = endings if row["word"].startswith("-") else classes
            target.setdefault(row["class"], set()).add(row["word"].removeprefix("-"))
        classes["feminine"] |= {
            value.lower() for row in read_table(lang, "swap") for key, value in row.items() if key in _FEMININE
        }
        return cls(
            {name: frozenset(words) for name, words in classes.items()},
            {name: tuple(sorted(parts)) for name, parts in endings.items()},
            _genders_of_names(lang),
        )

    def has(self, name: str, word: str) -> bool:
        """Return True if a word belongs to a class, or ends as its words do."""
        lower = word.lower()
        return lower in self.classes.get(name, ()) or lower.endswith(self.endings.get(name, ("\0",)))


def _genders_of_names(lang: str) -> dict[str, bool]:
    titles = [(row["word"], row["class"]) for row in read_table(lang, "swap_named_words")]
    rows = read_table(lang, "name_pairs")
    women = [row["feminine"] for row in rows] + [word for word, name in titles if name == "title of a woman"]
    men = [row["masculine"] for row in rows] + [word for word, name in titles if name == "title of a man"]
    return {name.capitalize(): False for name in men} | {name.capitalize(): True for name in women}


@dataclass
class _Course:
    """What was decided so far in a text.

    Attributes:
        nouns: (feminine, named) -> where the last such noun begins.
        pronouns: feminine -> whether the last such pronoun means somebody named.
    """

    nouns: dict[tuple[bool, bool], int] = field(default_factory=dict)
    pronouns: dict[bool, bool] = field(default_factory=dict)

    def note(self, mention: Mention, *, named: bool) -> None:
        if mention.is_pronoun:
            self.pronouns[mention.is_feminine] = named
        else:
            self.nouns[mention.is_feminine, named] = mention.start


class Surroundings:
    """Says in features what stands around the mentions of one text.

    Args:
        text: the whole text.
        language: cuts it into sentences.
        words: of the language.
        names_person: tells whether a piece of text names a person.
    """

    def __init__(self, text: str, language: Language, words: Words, names_person: NamesPerson) -> None:
        self._text, self._words, self._names_person = text, words, names_person
        self._spans = list(language.segment(text))
        self._starts = [start for start, _ in self._spans]
        self._named: dict[int, bool] = {}

    def features(self, mention: Mention, course: _Course) -> Features:
        """Return what is so of a mention."""
        index = max(0, bisect_right(self._starts, mention.start) - 1)
        start, end = self._spans[index] if self._spans else (0, len(self._text))
        before, behind = self._text[start : mention.start], self._text[mention.end : max(end, mention.end)]
        earlier = any(self._is_named(i) for i in range(max(0, index - _EARLIER), index))
        found = {"named before": self._names_person(before), "named sentence": self._is_named(index)}
        found["named earlier"] = earlier
        if mention.is_pronoun:
            found |= self._of_pronoun(mention, course, start)
        else:
            found |= self._of_noun(mention, before, behind, is_named=found["named before"])
            found |= _so_far(mention, course)
        kind = "pronoun" if mention.is_pronoun else "noun"
        whole = {kind, "title"} if mention.is_title else {kind}
        return frozenset(f"{kind}: {name}" for name, holds in found.items() if holds) | whole

    def _is_named(self, index: int) -> bool:
        if index not in self._named:
            self._named[index] = self._names_person(self._text[slice(*self._spans[index])]) if self._spans else False
        return self._named[index]

    def _of_noun(self, mention: Mention, before: str, behind: str, *, is_named: bool) -> dict[str, bool]:
        words = self._words
        tokens = _TOKEN.findall(before[-80:])[-_BEFORE:]
        inside = _TOKEN.findall(self._text[mention.start : mention.end])
        head = inside[-1] if inside else ""
        lead = [*tokens, *inside[:-1]]
        noun_phrase = list(_back_to_determiner(lead, words))
        before_phrase = lead[: len(lead) - len(noun_phrase)]
        determiner = noun_phrase[0] if noun_phrase else ""
        ahead = _TOKEN.findall(behind[:_BEHIND])
        is_capital = bool(ahead) and ahead[0][:1].isupper()
        behind_comma = len(ahead) > 1 and ahead[0] == "," and ahead[1][:1].isupper()
        before_name = is_capital and self._names_person(f"{head} {_piece(behind)}")
        apposed = bool(before_phrase) and before_phrase[-1] == "," and self._is_behind_name(before)
        said_of = any(words.has("copula", word) for word in before_phrase[-2:])
        classes = {name: words.has(name, determiner) for name in ("indefinite", "definite", "possessive")}
        is_plural = words.has("plural", head)
        return classes | {
            "bare": not any(classes.values()),
            "before a name": before_name,
            "before a name, no article": before_name and not any(classes.values()),
            "before comma and name": behind_comma and self._names_person(f"x {_piece(behind[1:])}"),
            "behind a name and comma": apposed,
            "said of somebody": said_of,
            "said of somebody, indefinite": said_of and classes["indefinite"],
            "plural": is_plural,
            "plural, possessive": is_plural and classes["possessive"],
            "possessive, before a name": classes["possessive"] and before_name,
            "possessive, comma and name": classes["possessive"] and behind_comma,
            "indefinite, apposed": apposed and classes["indefinite"],
            "definite, not before": classes["definite"] and not is_named,
            "capital": head[:1].isupper() and bool(before.strip()),
            "relative clause": bool(ahead) and words.has("relative", ahead[ahead[0] == ","] if len(ahead) > 1 else ""),
        }

    def _is_behind_name(self, before: str) -> bool:
        pieces = before.rstrip(", ").rsplit(",", 2)[-2:]
        return self._names_person("x " + pieces[0].strip())

    def _of_pronoun(self, mention: Mention, course: _Course, sentence: int) -> dict[str, bool]:
        gender = mention.is_feminine
        unnamed, named = course.nouns.get((gender, False), -1), course.nouns.get((gender, True), -1)
        last = course.pronouns.get(gender)
        return {
            "noun unnamed": unnamed >= 0,
            "noun named": named >= 0,
            "noun unnamed is the last": unnamed > named,
            "noun unnamed in the sentence": unnamed >= sentence,
            "noun named in the sentence": named >= sentence,
            "no pronoun before": last is None,
            "pronoun before named": last is True,
            "pronoun before unnamed": last is False,
            "begins": mention.start - sentence < 5,
        } | self._since(mention, unnamed, named, last)

    def _since(self, mention: Mention, unnamed: int, named: int, last: bool | None) -> dict[str, bool]:
        """Return what speaks for the noun of nobody named that stands before a pronoun, and for the names before."""
        is_last, reached = unnamed > named, max(0, mention.start - _REACH)
        no_name = is_last and not self._names_person(self._text[max(reached, unnamed) : mention.start])
        return {
            "no name since the noun unnamed": no_name,
            "no name since the noun unnamed, no pronoun before": no_name and last is None,
            "no name since the noun unnamed, pronoun before named": no_name and last is True,
            "name since the noun unnamed": is_last and not no_name,
            "nobody named so far": named < 0 and not self._names_person(self._text[reached : mention.start]),
        } | self._names_before(mention, is_last, last)

    def _names_before(self, mention: Mention, is_last: bool, last: bool | None) -> dict[str, bool]:
        """Return whether given names before a pronoun are of its gender; titles tell it, too."""
        capitals = _CAPITALISED.findall(self._text, max(0, mention.start - _REACH), mention.start)
        genders = {self._words.names[token] for token in capitals if token in self._words.names}
        own, other = mention.is_feminine in genders, (not mention.is_feminine) in genders
        return {
            "name of its gender before": own,
            "names of the other gender only": other and not own,
            "names of the other gender only, noun unnamed is the last": other and not own and is_last,
            "names of the other gender only, no pronoun before": other and not own and last is None,
            "name of its gender before, noun unnamed is the last": own and is_last,
        }


def _so_far(mention: Mention, course: _Course) -> dict[str, bool]:
    """Return what was decided before a noun of mentions of its gender."""
    return {
        "same gender, unnamed before": (mention.is_feminine, False) in course.nouns,
        "same gender, named before": (mention.is_feminine, True) in course.nouns,
        "pronoun before named": course.pronouns.get(mention.is_feminine, False),
    }


def _piece(behind: str) -> str:
    """Return what stands behind a mention up to a mark, at most so many characters."""
    return re.split(r"[,;:.!?()\n]", behind.lstrip(), maxsplit=1)[0][:_BEHIND]


def _back_to_determiner(tokens: Sequence[str], words: Words) -> Iterator[str]:
    """Yield the last tokens from their last determiner on, of the last four; nothing where there is none."""
    for count in range(1, 5):
        if count > len(tokens) or not tokens[-count][:1].isalpha():
            return
        if any(words.has(name, tokens[-count]) for name in ("indefinite", "definite", "possessive")):
            yield from tokens[-count:]
            return


def mentions_of(text: str, edits: Sequence[Edit], words: Words) -> list[Mention]:
    """Return the mentions that edits belong to, in order: edits of a noun and of what agrees with it are one.

    Args:
        text: the whole text.
        edits: of it, in order.
        words: of the language.
    """
    runs: list[list[int]] = []
    for number, edit in enumerate(edits):
        together = bool(runs) and edits[runs[-1][-1]].kind in ("article", "adjective") and edit.kind not in REFERRING
        if together and _GAP.fullmatch(text, edits[runs[-1][-1]].end, edit.start):
            runs[-1].append(number)
        else:
            runs.append([number])
    return [_mention([edits[i] for i in run], tuple(run), words) for run in runs]


def _mention(edits: Sequence[Edit], numbers: tuple[int, ...], words: Words) -> Mention:
    last = edits[-1]
    head = last.before.split()[-1] if last.before.split() else ""
    return Mention(
        edits[0].start,
        last.end,
        numbers,
        is_pronoun=last.kind in REFERRING,
        is_feminine=words.has("feminine", head) and not words.has("feminine", (last.after.split() or [""])[-1]),
        is_title=last.kind == "title",
    )


@cache
def _weights(lang: str) -> dict[str, float]:
    return {row["feature"]: float(row["weight"]) for row in read_table(lang, "swap_named")}


class WhoIsNamed:
    """Tells which edits of a text turn a person that the text names.

    Args:
        language: has the ``code`` and cuts text into sentences.
        weights: of the features; None takes the table of the language.
    """

    def __init__(self, language: Language, weights: dict[str, float] | None = None) -> None:
        self._language, self._own = language, weights

    @cached_property
    def weights(self) -> dict[str, float]:
        """Weight of each feature."""
        return _weights(self._language.code) if self._own is None else self._own

    @cached_property
    def _words(self) -> Words:  # tables are read when somebody asks: few do
        return Words.of_language(self._language.code)

    @staticmethod
    def knows(lang: str) -> bool:
        """Return True if there are weights for a language."""
        return resource("lexicons", lang, "swap_named.tsv") is not None

    def __call__(self, text: str, edits: Sequence[Edit]) -> list[bool]:
        """Return for every edit (in order) whether its person is named."""
        told = [False] * len(edits)
        for mention, features, course in self.course(text, edits):
            named = self.share(features) > 0.5
            course.note(mention, named=named)
            for number in mention.edits:
                told[number] = named
        return told

    def share(self, features: Features) -> float:
        """Return the probability that the person of a mention is named."""
        return 1 / (1 + math.exp(-sum(self.weights.get(name, 0.0) for name in features)))

    def course(self, text: str, edits: Sequence[Edit]) -> Iterator[tuple[Mention, Features, _Course]]:
        """Yield the mentions with their features; who takes them notes in the course what was decided.

        Raises:
            UsageError: the language has no rules for names of persons.
        """
        course = _Course()
        around = Surroundings(text, self._language, self._words, control_rules(self._language.code).names_person)
        for mention in mentions_of(text, edits, self._words):
            yield mention, around.features(mention, course), course
