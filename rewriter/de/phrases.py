"""Noun phrases of persons: which determiner and adjectives belong to a noun, and what case and number are left.

No parser: German writes its nouns with a capital and inflects what stands before them, so a walk to the left from the
noun finds the phrase, and the intersection of what each of its words may be settles most of case and number.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache, cached_property

from lexicons.loader import read_table
from rewriter.de.certain_cases import (
    CLAUSE_ENDS,
    DATIVE,
    GENITIVE,
    excluded_case,
    is_predicate,
    opens_clause,
    without_genitive,
    without_plural,
)
from rewriter.de.control import given_names
from rewriter.de.inflection import MASCULINE
from rewriter.de.lexicon import ALL, FEM, MASC, PLUR, Closed, GermanLexicon, Word, bit, genders
from rewriter.de.lists import is_listed_with_several
from rewriter.de.marks import before_marks
from rewriter.de.phrase import Phrase
from rewriter.de.phrase_words import DEGREES, ENGLISH, FUNCTION, GERMAN, NO_FIELD, NUMERALS, SAYING
from rewriter.de.short_texts import is_bare_object, is_of_order
from rewriter.de.tokens import Token, tokenize

_ADJECTIVE = re.compile(r"[a-zäöüß]{2,}e[nmrs]?")
#: adjectives that are written with a capital as part of a title (der Parlamentarische Staatssekretär)
_TITLE = re.compile(r"[a-zäöüß]+(?:isch|lich|ig|end|iert|haft|ere)e[nmrs]?")
_MIDDLE = frozenset({"und", "oder", "sowie", "aber", ",", "bzw"})
#: adverbs that stand before an attribute (ein sehr guter Lehrer)
_ADVERB = re.compile(r"[a-zäöüß]{2,}")
_QUOTED = re.compile(r"[„»\"“«‚›][^„»\"“”«\n]{1,80}[“«\"”»‘‹]")
_WORK = re.compile(r"(?:Der|Die|Das|Ein|Eine)(?: [^\s.!?]+){1,5}")
_SHORT_WORK = re.compile(r"(?:Der|Die|Das)(?: (?:und )?[A-ZÄÖÜ][^\s.!?]+){1,3}")
_SIGNS = frozenset("*:_/·•")
_STARS = frozenset("*:_·•")
#: adjectives of towns and the like (die Berliner Lehrer), which stay
_CITY = re.compile(r"[A-ZÄÖÜ][a-zäöüß]+er")
_LONGEST = 14


@cache
def first_names() -> frozenset[str]:
    """Return given names, with a capital: those that are common anywhere and German ones."""
    pairs = read_table("de", "name_pairs")
    return given_names() | {row[gender].capitalize() for row in pairs for gender in ("masculine", "feminine")}


@cache
def thing_contexts() -> dict[str, re.Pattern[str]]:
    """Return masculine nouns in lower case -> what the words look like that show a thing of this name.

    After Lesk (1986): the words around tell which sense of a noun is meant.
    """
    return {
        row["noun"]: re.compile(row["words"].replace(" ", "|").replace("*", "[a-zäöüß]*"))
        for row in read_table("de", "senses")
    }


class Sentence:
    """Tokens of a sentence and the look-ups that the candidates need."""

    def __init__(
        self,
        text: str,
        lexicon: GermanLexicon,
        protected: Sequence[tuple[int, int]],
        tokens: list[Token] | None = None,
    ) -> None:
        self.text, self.lexicon, self.protected = text, lexicon, protected
        self.tokens = tokenize(text) if tokens is None else tokens
        self.norms = [token.norm for token in self.tokens]
        self.closed = Closed.load()

    @cached_property
    def words(self) -> list[Word | None]:
        """What every token may be as a person; None where it is blocked."""
        text, look_up = self.text, self.lexicon.word
        found: list[Word | None] = []
        if self.is_english:
            return [None] * len(self.tokens)
        for index, token in enumerate(self.tokens):
            word = look_up(text[token.start : token.end]) if len(token.norm) > 2 else None
            found.append(None if word is None or self.is_blocked(index) else word)
        return found

    @cached_property
    def is_english(self) -> bool:
        """Tell whether a sentence is English: two words of grammar at least, and more than German ones."""
        english = sum(norm in ENGLISH for norm in self.norms)
        return english > 1 and english > sum(norm in GERMAN for norm in self.norms)

    @cached_property
    def quoted(self) -> list[tuple[int, int]]:
        """Spans between quotation marks that may be a title or a mention."""
        return [match.span() for match in _QUOTED.finditer(self.text)]

    def means_thing(self, index: int, lemma: str) -> bool:
        """Tell whether words of the sentence show that a person's noun is a thing here (*der Läufer im Flur*)."""
        around = thing_contexts().get(lemma)
        if around is None:
            return False
        return any(around.fullmatch(norm) for at, norm in enumerate(self.norms) if at != index)

    def surface(self, index: int) -> str:
        """Return the text of a token."""
        token = self.tokens[index]
        return self.text[token.start : token.end]

    def norm(self, index: int) -> str:
        """Return the normalised word at ``index``, empty outside the sentence."""
        return self.norms[index] if 0 <= index < len(self.norms) else ""

    def touches(self, index: int) -> bool:
        """Tell whether no white space stands between a token and the next."""
        return index + 1 < len(self.tokens) and self.tokens[index].end == self.tokens[index + 1].start

    def is_protected(self, offset: int) -> bool:
        """Tell whether the character at ``offset`` lies in a protected span."""
        place = bisect_right(self.protected, (offset, 1 << 60)) - 1
        return place >= 0 and offset < self.protected[place][1]

    def is_quoted(self, index: int) -> bool:
        """Tell whether a token lies between quotation marks."""
        token = self.tokens[index]
        return any(start < token.start and token.end < end for start, end in self.quoted)

    def is_work(self, index: int) -> bool:
        """Tell whether a token is part of the title of a work (»Der Prozess«): quoted, with a capital article."""
        token = self.tokens[index]
        for start, end in self.quoted:
            if start < token.start and token.end < end:
                pattern = _WORK if start else _SHORT_WORK  # a sentence that begins with a quotation mark may be speech
                return pattern.fullmatch(self.text, start + 1, end - 1) is not None and self.text[end : end + 1] != ","
        return False

    def is_fair(self, index: int) -> bool:
        """Tell whether a token is part of a gender-fair form that is there already (*Lehrer*in*, *der/die*)."""
        token, text = self.tokens[index], self.text
        after, before = text[token.end : token.end + 3], text[max(0, token.start - 2) : token.start]
        slash_pair = (after[:1] == "/" and after[1:2].isupper()) or (before[1:] == "/" and text[token.start].isupper())
        if slash_pair and after[:1] not in _STARS:
            return False  # Arzt/Ärztin; but: Arzt*in/Pfleger*in
        if after[:1] in _SIGNS and after[:1] and (after[1:2].isalpha() or after[1:3] in ("-i", "-I")):
            return True
        if after[:1] == "(" and after[1:2].islower() and text[token.end + 1 : token.end + 8].split(")")[0] in _BRACKETS:
            return True
        return len(before) == 2 and before[1] in _SIGNS and before[0].isalpha()

    def is_blocked(self, index: int) -> bool:
        """Tell whether a token is certainly no word of running text, or gender-fair already."""
        token = self.tokens[index]
        return bool(self.protected and self.is_protected(token.start)) or self.is_fair(index) or self._is_joined(token)

    def _is_joined(self, token: Token) -> bool:
        """Tell whether digits or an underscore touch a token."""
        before, after = self.text[token.start - 1 : token.start], self.text[token.end : token.end + 1]
        if before in ("'", "’") and self.text[token.start - 2 : token.start - 1].isalpha():
            return True  # G'meinvorsteher
        return before == "_" or after == "_" or before.isdigit() or after.isdigit() or before in ("@", "#")

    def is_adjective(self, index: int) -> bool:
        """Tell whether a token looks like an inflected attributive adjective."""
        if not 0 <= index < len(self.tokens):
            return False
        norm = self.norms[index]
        if norm in FUNCTION or norm in self.lexicon.determiners or norm in self.closed.prepositions:
            return False
        return self.tokens[index].shape == 0 and _ADJECTIVE.fullmatch(norm) is not None

    def phrase(self, head: int, word: Word) -> Phrase:
        """Return the phrase of a person noun."""
        phrase = Phrase(head, word, head)
        self._walk(phrase)
        if phrase.determiner >= 0 and self.is_fair(phrase.determiner):
            phrase.fair = True
        cases = self._take_double(phrase)
        self._restrict(phrase)
        if cases:
            phrase.mask &= cases
        return phrase

    def _take_double(self, phrase: Phrase) -> int:
        """Take the other determiner of *die oder der Vorsitzende* into the phrase; return the mask of their cases."""
        reading, at = phrase.reading, phrase.determiner - 2
        if reading is None or self.norm(at + 1) not in ("oder", "/"):
            return 0
        for other in self.lexicon.determiners.get(self.norm(at), ()):
            if other.stem != reading.stem or other.kind != reading.kind or self.norms[at] == self.norm(at + 2):
                continue
            cases = (other.mask & MASC) & (reading.mask >> 4 & MASC) | (reading.mask & MASC) & (other.mask >> 4 & MASC)
            noun = _noun_mask(phrase.word)
            if cases and (cases | cases << 4) & noun and not self.is_blocked(at):
                phrase.double = phrase.start = at
                return cases | cases << 4
        return 0

    def _walk(self, phrase: Phrase) -> None:
        at, steps = phrase.head - 1, 0
        while at > 0 and self.norms[at] == "-" and self.touches(at) and self.touches(at - 1):
            at -= 2
        phrase.start = at + 1
        while at >= 0 and steps < _LONGEST:
            steps += 1
            at = before_marks(self, at)
            if at < 0:
                break
            norm = self.norms[at]
            if norm in self.lexicon.determiners and self._take_determiner(phrase, at):
                return
            if phrase.start == at + 1 and self._is_preterite(at):
                break  # Gestern sagte Ministerin Kern
            if self.is_adjective(at) or self._is_first_adjective(phrase, at) or self._is_title(phrase, at):
                phrase.adjectives.insert(0, at)
                phrase.start = at
            elif not self._is_inside(phrase, at):
                break
            at -= 1
        if phrase.adjectives and at >= 0:
            self._look_further(phrase, at)

    def _is_preterite(self, at: int) -> bool:
        """Tell whether a word that ends like an adjective is a preterite (*Gestern sagte Ministerin Kern*)."""
        norm = self.norms[at]
        if not norm.endswith("te") or self.tokens[at].shape or at == 0:
            return False
        if norm in SAYING:
            return self.norms[at - 1] not in self.lexicon.determiners or self.norms[at - 1] in ("das", "es")
        before = self.norms[:at]
        opens = before[0] in self.closed.prepositions or before[0] in _CONTRACTIONS
        if at > 1 and not (at < 5 and opens and self.tokens[at - 1].shape):
            return False
        # als gelernte Köchin, eine erfahrene Ärztin; Das eröffnete Ministerin Kern
        opening = before[0]
        return at > 1 or opening == "das" or not (opening in self.lexicon.determiners or opening in NO_FIELD)

    def _is_first_adjective(self, phrase: Phrase, at: int) -> bool:
        """Tell whether the sentence begins with an adjective (Junge Lehrer ...)."""
        return (
            at == 0
            and at == phrase.start - 1
            and self.tokens[0].shape == 1
            and _ADJECTIVE.fullmatch(self.norms[0]) is not None
            and self.norms[0] not in FUNCTION
            and (self.words[0] is None or self.words[0].noun is None)
            and self.surface(0) not in first_names()
        )

    def _is_title(self, phrase: Phrase, at: int) -> bool:
        """Tell whether an adjective with a capital stands between determiner and noun (der Vorsitzende Richter)."""
        word = self.words[at]
        return (
            at == phrase.head - 1
            and self.tokens[at].shape == 1
            and self.norm(at - 1) in self.lexicon.determiners
            and (word is None or word.noun is None)
            and (_TITLE.fullmatch(self.norms[at]) is not None or (word is not None and word.nominalised is not None))
            and phrase.word.noun is not None
        )

    def _is_inside(self, phrase: Phrase, at: int) -> bool:
        """Tell whether a token may stand within a phrase though it is no adjective."""
        norm, token = self.norms[at], self.tokens[at]
        if norm in _MIDDLE:
            return phrase.start == at + 1 and bool(phrase.adjectives) and self.is_adjective(at - 1)
        if token.shape == 1 and at + 1 == phrase.start and at and self._is_of_town(at):
            phrase.start = at
            return True
        if norm in ("-", ".") or norm.isdigit():
            # der 1. Vorsitzende, der 40-jährige, der 25jährige Mann
            return self.norm(at + 1) in ("-", ".") or norm in ("-", ".") or self.touches(at)
        if phrase.word.noun is None and phrase.start == phrase.head == at + 1 and norm in DEGREES:
            return True  # einen schwer Kranken
        if not phrase.adjectives or norm in self.closed.prepositions or norm in FUNCTION or token.shape:
            return False
        return _ADVERB.fullmatch(norm) is not None and phrase.start - at <= 2

    def _is_of_town(self, at: int) -> bool:
        """Tell whether a word may be the adjective of a town (*die Berliner Lehrer*), no noun (*ihre Tochter*)."""
        surface = self.surface(at)
        if _CITY.fullmatch(surface) is None:
            return False
        return self.norms[at] in self.lexicon.towns or genders().get(surface) != "f"

    def _take_determiner(self, phrase: Phrase, at: int) -> bool:
        """Make the token the phrase's determiner if gender, number and case leave anything."""
        noun = _noun_mask(phrase.word)
        for reading in self.lexicon.determiners[self.norms[at]]:
            if reading.mask & noun:
                phrase.determiner, phrase.reading, phrase.start = at, reading, at
                phrase.paradigm = reading.adjectives
                return True
        return False

    def _look_further(self, phrase: Phrase, at: int) -> None:
        """Find the determiner of a long attribute: *der von der Regierung ernannte Minister*.

        Adjectives before a comma belong to it, too: *mit der jungen, aus Kiel stammenden Forscherin*.
        """
        before: list[int] = []
        for index in range(at, max(-1, at - _LONGEST), -1):
            norm = self.norms[index]
            if norm == "," and self.is_adjective(index - 1):
                before = [index - 1]
                continue
            if norm in (",", ";", ":", ".", "!", "?"):
                return
            if before and index + 1 == before[0] and self.is_adjective(index):
                before.insert(0, index)
                continue
            if norm not in self.lexicon.determiners or index + 1 > at:
                continue
            if (self._opens_attribute(index + 1) or index + 1 in before) and self._fits(phrase, before, index):
                phrase.certain = False
                phrase.adjectives[:0] = before
                self._take_determiner(phrase, index)
                return

    def _opens_attribute(self, index: int) -> bool:
        """Tell whether what stands right behind a determiner begins a long attribute."""
        norm = self.norms[index]
        return norm in self.closed.prepositions or norm in _OPENERS or self._is_adverb(index)

    def _is_adverb(self, index: int) -> bool:
        return (
            self.tokens[index].shape == 0
            and not self.is_adjective(index)
            and self.norms[index].isalpha()
            and (self.norms[index] not in self.lexicon.determiners)
        )

    def _fits(self, phrase: Phrase, before: list[int], index: int) -> bool:
        """Tell whether a determiner agrees with the noun of a phrase and all its adjectives."""
        reading = self.lexicon.determiners[self.norms[index]][0]
        if reading.kind == "contraction":
            return False
        mask = _noun_mask(phrase.word) & reading.mask
        for adjective in [*before, *phrase.adjectives]:
            mask &= self.adjective_mask(reading.adjectives, adjective)
        return bool(mask)

    def adjective_mask(self, paradigm: str, index: int) -> int:
        """Return what an adjective's ending leaves."""
        return self.closed.adjective_masks.get((paradigm, _ending(self.norms[index])), 0)

    def _restrict(self, phrase: Phrase) -> None:
        noun = _noun_mask(phrase.word)
        mask = noun
        if phrase.reading is not None:
            mask &= phrase.reading.mask
        with_adjectives = mask & self._adjectives_mask(phrase)
        if with_adjectives:
            mask = with_adjectives
        else:
            phrase.certain = False
        before = self._governor(phrase)
        cases = self.closed.prepositions.get(before)
        if cases is not None and mask & cases:
            mask &= cases
            if before in _GENITIVE_FIRST and mask & GENITIVE:
                mask &= ~DATIVE  # wegen der Ärztin
        if before in _PARTITIVES and phrase.reading is not None and phrase.reading.ending in ("", "er"):
            mask = mask & PLUR or mask  # einer der Lehrer
        elif cases is None and phrase.reading is not None:
            mask = without_plural(self, phrase, without_genitive(self, phrase, mask))
        if phrase.determiner >= 0 and mask & FEM == _FEMININE_SUBJECT:
            mask &= ~self._excluded_case(phrase)
        elif is_of_order(self, phrase):
            mask = mask & _ACCUSATIVES or mask  # Neue Besucherin anlegen
        elif self._is_headline(phrase):
            mask = mask & _NOMINATIVES or mask  # Neuer Trainer für Kiel
        elif is_bare_object(self, phrase):
            mask &= self.adjective_mask("strong", phrase.adjectives[0]) or mask  # nimmt mutmaßlichen Betrüger fest
        if phrase.determiner < 0 and (
            self.is_counted(phrase) or self._is_bare_oblique(phrase, mask) or is_listed_with_several(self, phrase)
        ):
            mask = mask & PLUR or mask
        if self._may_be_pronoun(phrase):
            # ..., ab dem Nutzer zahlen: a relative pronoun before a bare noun
            mask, phrase.certain = mask | noun & PLUR, False
        phrase.mask = mask

    def _excluded_case(self, phrase: Phrase) -> int:
        """Return the case that a feminine, nominative or accusative by its form, cannot have, 0 for neither."""
        return excluded_case(self, phrase)

    def _is_headline(self, phrase: Phrase) -> bool:
        """Tell whether a sentence begins with a bare phrase in the nominative, and goes on behind it."""
        if phrase.determiner >= 0 or phrase.start or phrase.head + 1 == len(self.tokens):
            return False
        if not phrase.adjectives:
            word = phrase.word.nominalised  # Unbekannter überfällt Taxifahrer
            following = self.tokens[phrase.head + 1]
            return phrase.word.noun is None and word is not None and word.ending == "er" and not following.shape
        return _ending(self.norms[phrase.adjectives[0]]) in ("e", "er")

    def _is_bare_oblique(self, phrase: Phrase, mask: int) -> bool:
        """Tell whether a weak noun stands bare in a form that is no nominative: a plural (*Nachbarn riefen an*)."""
        noun = phrase.word.noun
        is_weak = noun is not None and noun.gender == MASCULINE and noun.person.declension in ("weak", "mixed")
        return is_weak and not mask & bit(MASCULINE, 0) and not phrase.adjectives

    def _governor(self, phrase: Phrase) -> str:
        """Return the word before a phrase, or before the adverb of its adjective (mit staatlich geprüfter Lehrerin)."""
        before = self.norm(phrase.start - 1)
        if before in ("während", "bis", "seit") and opens_clause(self, phrase.start - 1):
            return ""
        if before in ("um", "ohne", "für") and is_predicate(self, phrase):
            return ""
        if before in self.closed.prepositions or phrase.determiner >= 0 or not phrase.adjectives:
            return before
        further = self.norm(phrase.start - 2)
        is_adverb = before.isalpha() and self.tokens[phrase.start - 1].shape == 0
        return further if is_adverb and further in self.closed.prepositions else before

    def clause_of(self, phrase: Phrase) -> list[int]:
        """Return the tokens around a phrase up to the nearest marks and conjunctions."""
        start, end = phrase.start, phrase.head
        while start > 0 and self.norms[start - 1] not in CLAUSE_ENDS:
            start -= 1
        while end + 1 < len(self.norms) and self.norms[end + 1] not in CLAUSE_ENDS:
            end += 1
        return [i for i in range(start, end + 1) if not phrase.start <= i <= phrase.head]

    def _may_be_pronoun(self, phrase: Phrase) -> bool:
        """Tell whether the article right before a noun may be a relative pronoun instead."""
        at = phrase.determiner - 1
        if phrase.reading is None or phrase.reading.kind != "definite" or phrase.determiner != phrase.head - 1:
            return False
        return self.norm(at) == "," or (self.norm(at) in self.closed.prepositions and self.norm(at - 1) == ",")

    def _adjectives_mask(self, phrase: Phrase) -> int:
        mask = ALL
        for index in phrase.adjectives:
            if phrase.determiner >= 0 or _ending(self.norms[index]) in ("er", "em"):
                mask &= self.adjective_mask(phrase.paradigm, index)
        if phrase.word.noun is None and phrase.word.nominalised is not None:
            mask &= self.closed.adjective_masks.get((phrase.paradigm, phrase.word.nominalised.ending), 0)
        return mask

    def is_counted(self, phrase: Phrase) -> bool:
        """Tell whether a number above one stands before a phrase; a year is none (ab 1814 erster Bürgermeister)."""
        before = self.norm(phrase.start - 1)
        if before.isdigit():
            return before != "1" and len(before) != 4
        return self.is_number(before)

    def is_number(self, norm: str) -> bool:
        """Tell whether a word is a number above one."""
        return norm in NUMERALS or norm.endswith(("zehn", "zig", "hundert", "tausend"))


_CONTRACTIONS = frozenset("am beim im ins ans vom zum zur".split())
#: prepositions that take a dative in speech only
_GENITIVE_FIRST = frozenset("wegen während trotz statt anstatt anstelle mittels seitens angesichts mithilfe".split())
_NOMINATIVES = bit(0, 0) | bit(1, 0) | bit(2, 0)
_ACCUSATIVES = bit(0, 1) | bit(1, 1) | bit(2, 1)
_FEMININE_SUBJECT = bit(1, 0) | bit(1, 1)
_PARTITIVES = frozenset("einer eine einem einen eines keiner keine jeder jede welcher".split())
_BRACKETS = frozenset({"in", "innen", "r", "n", "e", "s"})
#: what follows the determiner of a long attribute
_OPENERS = frozenset("mir dir ihm ihr uns euch ihnen sich ihn sie es mich dich nicht nie".split())


def _noun_mask(word: Word) -> int:
    return word.noun.mask if word.noun is not None else ALL


def _ending(norm: str) -> str:
    return norm[-2:] if norm[-1] in "nmrs" else norm[-1]
