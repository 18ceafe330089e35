"""Outcomes of German candidates, candidates before their place is known, and what all finders of them share."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from rewriter.de.closed_classes import CONJUNCTIONS
from rewriter.de.inflection import Style, both, endings, join, match_case
from rewriter.de.phrase import Phrase
from rewriter.de.sentence import Sentence
from rewriter.de.word_readings import Determiner, Noun
from rewriter.language.rules import Rule

OUTCOMES = (
    "keep",
    "singular",
    "plural",
    "nominative",
    "accusative",
    "dative",
    "genitive",
    "starred",
    "starred nominative",
    "starred accusative",
    "starred dative",
    "starred genitive",
    "first part",
)
KEEP, SINGULAR, PLURAL, CASE, STARRED, STARRED_CASE, FIRST = 0, 1, 2, 3, 7, 8, 12
#: outcomes of what agrees in a case, own or with a starred possessor
CASES = range(CASE, CASE + 4)

Options = tuple[tuple[int, str], ...]


def case_of(outcome: int) -> int:
    """Return the case of an outcome, -1 for one without."""
    if CASE <= outcome < CASE + 4:
        return outcome - CASE
    return outcome - STARRED_CASE if STARRED_CASE <= outcome < STARRED_CASE + 4 else -1


@dataclass(slots=True, eq=False)
class Draft:
    """A candidate before its place in the list is known: the head that it follows is another draft."""

    start: int
    end: int
    token: int
    kind: str
    options: Options
    forced: int | None = None
    head: Draft | None = None
    rule: str = ""

    @classmethod
    def settled(
        cls,
        start: int,
        end: int,
        token: int,
        kind: str,
        options: Options,
        outcome: int,
        rule: Rule | None,
        head: Draft | None = None,
    ) -> Draft:
        """Return a draft whose outcome a rule settles; one that is open where no rule does."""
        name, forced = ("", None) if rule is None else (rule.name, outcome)
        return cls(start, end, token, kind, options, forced, head, name)


class Finder:
    """Finds the drafts of one sentence: what the finders of persons, pair forms and pronouns share."""

    def __init__(self, sentence: Sentence, style: Style) -> None:
        """Begin with a sentence.

        Args:
            sentence: the sentence.
            style: how gender-fair forms are written.
        """
        self.sentence, self.style = sentence, style
        self.found: list[Draft] = []
        self.taken: set[int] = set()  # tokens of pair forms and of phrases
        self.phrases: list[Phrase] = []
        self.referents: list[int] = []  # tokens of what may become a starred singular person

    def _noun(self, surface: str, noun: Noun, *, number: int) -> str:
        style = self.style.beside(surface)
        stem = noun.stem if surface[:1].isupper() else noun.stem.lower()
        if surface[: len(stem)].lower() == stem.lower():
            stem = surface[: len(stem)]  # Youtuber*in
        fair = style.noun(stem, plural=number == PLURAL)
        if noun.first:  # Schüler*innenberater*in
            fair = style.noun(noun.first, plural=True) + fair[len(noun.prefix) :]
        return match_case(surface, fair)

    def _determined(self, surface: str, reading: Determiner, case: int, phrase: Phrase) -> Iterator[tuple[int, str]]:
        """Yield the options of a determiner in a case."""
        if reading.kind == "definite":
            yield CASE + case, match_case(surface, definite(self.style, reading.stem[3:], case))
        elif reading.kind == "contraction":
            yield CASE + case, match_case(surface, self._contraction(reading.stem))
        elif reading.kind in ("his", "her"):
            masculine_ending, feminine_ending, _ = endings("possessive")[case]
            assert masculine_ending is not None and feminine_ending is not None
            yield CASE + case, match_case(surface, join(self.style, reading.stem, "possessive", case))
            if self._is_polite(phrase):
                return
            starred = self.style.possessive((masculine_ending, feminine_ending), starred=True)
            yield STARRED_CASE + case, match_case(surface, starred)
        elif reading.kind != "plural":
            yield CASE + case, match_case(surface, join(self.style, reading.stem, reading.paradigm, case))

    def _is_polite(self, phrase: Phrase) -> bool:
        """Return True if the determiner of a phrase is *Ihr* with a capital that no sentence's beginning explains."""
        index = phrase.determiner
        return self.sentence.tokens[index].shape == 1 and not self._begins(index)

    def _contraction(self, stem: str) -> str:
        return self.style.words(stem, CONTRACTED[stem])

    def _stands_behind(self, index: int, preposition: str) -> bool:
        return self.sentence.norm(index - 1) == preposition and index > 0 and not self.sentence.is_blocked(index - 1)

    def _is_attributive(self, index: int) -> bool:
        """Return True if a noun follows, with adjectives before it or without; marks of markup may stand between."""
        sentence, at, steps = self.sentence, index + 1, 0
        if sentence.norm(at) == "oder" and sentence.norm(at + 1).startswith("mehrere"):
            at += 2  # einen oder mehrere Gründe
        while at < len(sentence.tokens) and steps < _ADJECTIVES_AT_MOST:
            token = sentence.tokens[at]
            if self._is_mark(at) or token.norm in _INNER or (token.norm.isdigit() and not token.shape):
                at += 1
                continue
            following = sentence.tokens[at + 1].shape if at + 1 < len(sentence.tokens) else 0
            if token.norm == sentence.norms[index] and sentence.norm(at + 1) == "|":
                at += 2  # keine [[keine|Brühe]]
                continue
            if token.norm in CONJUNCTIONS and at > index + 1 and sentence.is_adjective(at + 1):
                at += 1  # jede private oder öffentliche Fläche
                continue
            if (token.norm in _ADVERBS and sentence.is_adjective(at + 1)) or (token.norm in _ADJECTIVES and following):
                at += 1
                continue
            steps += 1
            if token.shape:
                return sentence.norms[at] not in ("sie", "ihr", "ihnen")
            if not sentence.is_adjective(at) and not (token.norm == "," and sentence.is_adjective(at + 1)):
                return False
            at += 1
        is_ordinal = sentence.norm(at - 1).isdigit() or sentence.norm(at - 2).isdigit()  # in einem 1.
        breaks_off = at == len(sentence.tokens) and at == index + 1 > 1 and sentence.norms[index] in _BEFORE_BREAK
        return at == len(sentence.tokens) and (is_ordinal or breaks_off)

    def _is_mark(self, at: int) -> bool:
        """Return True if a token is a mark of markup, of a table, or of a number (*jeder 3. Baum*), no punctuation."""
        sentence = self.sentence
        token, norm = sentence.tokens[at], sentence.norms[at]
        if sentence.is_protected(token.start) or norm in _MARKS:
            return True
        around = sentence.text[token.start - 1 : token.start] + sentence.text[token.end : token.end + 1]
        if norm in (".", ":", "-", "–", ";") and around[:1].isdigit():
            return True
        if norm in (".", ":", "-", "–"):
            return around[:1].isdigit()
        if all(
            unicodedata.category(char)[0] in "CM" or unicodedata.category(char) == "So"
            for char in sentence.text[token.start : token.end]
        ):
            return True
        return norm in (",", ";") and len(around) == 2 and not around.isspace() and " " not in around

    def _begins(self, index: int) -> bool:
        """Return True if a capital at ``index`` may be that of a sentence's beginning."""
        at = index - 1
        while at >= 0 and self.sentence.norms[at] in _OPENING:
            at -= 1
        return at < 0 or self.sentence.norms[at] in (":", ".", "!", "?", "…", "“", "»", ")")


def different(options: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the options without those that read like one before them."""
    seen: set[str] = set()
    kept = []
    for outcome, text in options:
        if text not in seen:
            seen.add(text)
            kept.append((outcome, text))
    return kept


def definite(style: Style, suffix: str, case: int) -> str:
    """Return the definite article in a case, with *jenige* or *selbe* behind it; an equal ending is written once.

    *der\\*die*, *der\\*diejenige*, *denjenigen\\*diejenige*.
    """
    one, other = both("article", case)
    if not suffix:
        return style.words(one, other)
    first, second = SAME_ENDINGS[case]
    return style.words(one if first == second else one + suffix + first, other + suffix + second)


def adjective_stem(surface: str) -> str:
    """Return an inflected adjective without its ending."""
    return surface[:-2] if surface[-1] in "nmrs" else surface[:-1]


HYPHENS = frozenset("- ‑ – ".split())
#: adjectives of salutations
SALUTING = frozenset("lieb geehrt verehrt wert geschätzt hochgeehrt hochverehrt".split())
CONTRACTED = {"zum": "zur", "vom": "von der", "beim": "bei der", "am": "an der", "im": "in der"}
#: endings behind derselb-, derjenig- by case
SAME_ENDINGS = (("", ""), ("n", ""), ("n", "n"), ("n", "n"))
#: determiners that may follow another one
_INNER = frozenset(
    """
    jede jedem jeden jeder jedes solch solche solchem solchen solcher solches andere anderem anderen anderer anderes
    """.split()
)
#: what hardly ends a sentence without a full stop, so that a noun stands on the next line
_BEFORE_BREAK = frozenset("eine einen einem einer keine keinen".split())
_ADJECTIVES_AT_MOST = 5
#: before an adjective (*jede so erkannte Angabe*), and adjectives that are adverbs as well (*eine lange Pause*)
_ADVERBS = frozenset("so sehr ganz noch besonders wirklich neu gut schlecht frisch sogenannte".split())
_ADJECTIVES = frozenset("lange nahe ungefähre frühere weitere schwere nämliche".split())
_MARKS = frozenset("\" & … „ » “ ” « ‚ * ** _ __ ` | ' '' ''' [ [[ < > / #".split())
_OPENING = frozenset("„»\"“«‚›'*_([–—-")
