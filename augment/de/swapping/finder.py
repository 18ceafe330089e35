"""Which words of a German sentence may mean a person of one gender: nouns, titles, pronouns, relatives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from augment.de.swapping.doubles import in_both_genders
from augment.de.swapping.inflection import NEUTER
from augment.de.swapping.mention import POSSESSIVE, Mention, Reading
from augment.de.swapping.names import FoundName
from augment.de.swapping.pairs import Pair
from augment.de.swapping.pronouns import ALONE, HER, PERSONAL, POSSESSIVES, relatives
from augment.de.swapping.sentence import SwapSentence
from augment.de.swapping.writing import made, name_word, phrase_words, title_words
from rewriter.de.closed_classes import CONJUNCTIONS
from rewriter.de.drafts import Finder
from rewriter.de.inflection import ACCUSATIVE, DATIVE, FEMININE, GENITIVE, MASCULINE, NOMINATIVE, PLURAL, Person, Style
from rewriter.de.lexicon import FEM, MASC, Nominalised, Noun, Word, bit, genders
from rewriter.de.phrase import Phrase

#: a given name in lower case -> its gender, and the name that it becomes
Partner = Callable[[str], tuple[int, str]]
_NOBODY = Person("", "", "strong", "")
_ADDRESSES = frozenset({"herr", "herrn", "frau", "fräulein"})
#: pronouns of a gender with the capital of politeness
_POLITE = frozenset({"sie", *(form for form, (gender, _) in POSSESSIVES.items() if gender == FEMININE)})
_ADJECTIVE = re.compile(r"(weiblich|männlich|mütterlich|väterlich)((?:er|st)?(?:e[nmrs]?)?)")
_ADJECTIVES = {"weiblich": "männlich", "mütterlich": "väterlich"}
_ADJECTIVES |= {masculine: feminine for feminine, masculine in _ADJECTIVES.items()}
_LITTLE = re.compile(r"(ander|erst|letzt|einzig|nächst|zweit|dritt|ein|best)(e[nmr]?)")
_PARTICLES = frozenset({"von", "van", "de", "zu", "zur", "vom", "der", "di", "da"})
#: kinds of edits
_EDITS = ("pronoun", "possessive")
_OPENING = frozenset({",", "–", "—", "-", "(", ":", ";"})
_SIGNS = ("*in", ":in", "_in", "/in", "/-in", "·in")


def find_mentions(
    sentence: SwapSentence, names: Sequence[FoundName] = (), partner: Partner | None = None
) -> list[Mention]:
    """Return the mentions of a sentence in order.

    Args:
        sentence: that holds them.
        names: given names of it that are swapped.
        partner: returns gender and counterpart of a given name.
    """
    return MentionFinder(sentence, names, partner).mentions()


class MentionFinder(Finder):
    """Finds the mentions of one sentence.

    Args:
        sentence: that holds them.
    """

    sentence: SwapSentence

    def __init__(self, sentence: SwapSentence, names: Sequence[FoundName] = (), partner: Partner | None = None) -> None:
        super().__init__(sentence, Style.of("star"))
        self.mentioned: list[Mention] = []
        self.names, self.partner = names, partner

    def mentions(self) -> list[Mention]:
        """Return the mentions in order."""
        sentence = self.sentence
        for name in self.names:
            self._add(self._name(name))
        people = [(i, w) for i, w in enumerate(sentence.words) if w is not None and i not in self.taken]
        for index, word in people:
            if mention := self._person(index, word):
                self._add(mention)
        for index, norm in enumerate(sentence.norms):
            if match := _LITTLE.fullmatch(norm):
                for mention in self._little(index, match):
                    self._add(mention)
        for index, norm in enumerate(sentence.norms):
            if (index in self.taken and norm not in POSSESSIVES) or sentence.tokens[index].shape == 2:
                continue
            for mention in self._word(index, norm):
                self._add(mention)
        found = sorted(self.mentioned, key=lambda mention: mention.token)
        doubled = set(in_both_genders(sentence, found))
        return [mention for mention in found if mention.token not in doubled]

    def _add(self, mention: Mention) -> None:
        self.mentioned.append(mention)
        self.taken.update(word.last for reading in mention.readings for word in reading.words)
        if mention.phrase is not None and mention.phrase.determiner >= 0:
            self.taken.add(mention.phrase.determiner)

    # ------------------------------------------------------------ nouns

    def _person(self, index: int, word: Word) -> Mention | None:
        sentence, shape = self.sentence, self.sentence.tokens[index].shape
        if word.noun is None and word.nominalised is None:
            return None
        if not shape or (shape == 2 and not sentence.text.isupper()) or self._is_first_part(index):
            return None
        phrase = sentence.find_phrase(index, word)
        if phrase.fair or not phrase.mask or any(map(self._is_held, (phrase.determiner, *phrase.adjectives))):
            return None
        if word.noun is None:
            return self._nominalised(phrase)
        if sentence.norms[index] in _ADDRESSES and self._is_title(phrase):
            cells = self._cells(phrase, plural=False)
            readings = [
                Reading(case, False, title_words(sentence, phrase, case), word.noun.gender) for _, case in cells
            ]
            return self._mention("title", phrase, word.noun.gender, readings)
        if word.noun.gender == MASCULINE and (self._is_surname(index, word.noun) or self._is_attribute(phrase)):
            return None
        readings = [
            Reading(case, gender == PLURAL, phrase_words(sentence, phrase, gender, case), word.noun.gender)
            for gender, case in self._cells(phrase, plural=True)
        ]
        kind = "kin" if isinstance(word.noun.person, Pair) else "noun"
        return self._mention(kind, phrase, word.noun.gender, readings)

    def _name(self, name: FoundName) -> Mention:
        """Return a given name, with the determiner and adjectives before it (*die kleine Anna*)."""
        assert self.partner is not None
        sentence = self.sentence
        gender, after = self.partner(name.name)
        cases = (GENITIVE,) if name.genitive else (NOMINATIVE, ACCUSATIVE, DATIVE)
        if {"des", "der"} & {sentence.norm(name.token - 1), sentence.norm(name.token - 2)}:
            cases = (*cases, GENITIVE)
        mask = sum(bit(gender, case) for case in {*cases})
        noun = Noun("", name.name, mask, True, gender, _NOBODY)
        phrase = sentence.find_phrase(name.token, Word(noun=noun))
        head = name_word(sentence, name, after)
        readings = [
            Reading(
                case, False, (*(w for w in phrase_words(sentence, phrase, g, case) if w.kind != "noun"), head), gender
            )
            for g, case in self._cells(phrase, plural=False)
        ]
        mention = self._mention("name", phrase, gender, readings or [Reading(-1, False, (head,), gender)])
        assert mention is not None
        return mention

    def _mention(self, kind: str, phrase: Phrase, gender: int, readings: Sequence[Reading]) -> Mention | None:
        asks = (phrase.head,) if phrase.determiner < 0 else (phrase.head, phrase.determiner)
        noun = phrase.word.noun
        sides = noun.person.sides if noun is not None and isinstance(noun.person, Pair) else ()
        neuter = any(side.gender == NEUTER for side in sides)
        return Mention(kind, phrase.head, gender, tuple(readings), asks, phrase, neuter=neuter) if readings else None

    def _cells(self, phrase: Phrase, *, plural: bool) -> list[tuple[int, int]]:
        """Return (gender or plural, case) of what is left of a phrase; a noun's own gender, and its number."""
        noun = phrase.word.noun
        allowed = 0xFFFF
        if noun is not None:
            allowed = noun.mask | (MASC if noun.mask & 1 else 0)
        mask = phrase.mask & allowed
        numbers = (MASCULINE, FEMININE, NEUTER, *((PLURAL,) if plural else ()))
        return [(g, case) for g in numbers for case in range(4) if mask & bit(g, case)]

    def _nominalised(self, phrase: Phrase) -> Mention | None:
        word, sentence = phrase.word.nominalised, self.sentence
        assert word is not None
        mask = phrase.mask & (MASC | FEM)
        following = phrase.head + 1
        if not mask or (sentence.is_capital(following) and not word.certain):
            return None
        if phrase.determiner < 0 and phrase.head != phrase.start and sentence.norm(phrase.start - 1) == "etwas":
            return None
        if phrase.determiner < 0 and word.ending not in ("e", "er"):
            return None
        readings = [
            Reading(case, False, phrase_words(sentence, phrase, gender, case), gender)
            for gender in (MASCULINE, FEMININE)
            for case in range(4)
            if mask & bit(gender, case)
        ]
        gender = MASCULINE if mask & MASC else FEMININE
        asks = (phrase.head,) if phrase.determiner < 0 else (phrase.head, phrase.determiner)
        return Mention("nominalised", phrase.head, gender, tuple(readings), asks, phrase)

    def _is_held(self, index: int) -> bool:
        return index >= 0 and self.sentence.is_blocked(index)

    def _is_first_part(self, index: int) -> bool:
        """Return True if a hyphen and the rest of a compound follow (*Lehrer-Zimmer, Lehrer- und Elternrat*)."""
        sentence = self.sentence
        return sentence.touches(index) and sentence.norm(index + 1) in ("-", "‑")

    def _is_attribute(self, phrase: Phrase) -> bool:
        """Return True if a word belongs to the noun behind it: *Berliner Anwalt*, *Junge Leute*."""
        if not self.sentence.is_capital(phrase.head + 1):
            return False
        norm = self.sentence.norms[phrase.head]
        return norm in self.sentence.lexicon.towns or (norm == "junge" and phrase.determiner < 0)

    def _is_surname(self, index: int, noun: Noun) -> bool:
        """Return True if a person's word is a surname here: *Frau Richter*, *Dr. Bauer*, *H. Schneider*."""
        sentence, before = self.sentence, self.sentence.norm(index - 1)
        if before == ".":
            initial = sentence.norm(index - 2)
            return initial in ("dr", "prof", "hr", "fr") or (len(initial) == 1 and initial.isalpha())
        if before in ("frau", "fräulein", "familie"):
            return True
        is_known = noun.lemma in sentence.lexicon.surnames or not (noun.certain or noun.prefix)
        return before in ("herr", "herrn") and is_known

    def _is_title(self, phrase: Phrase) -> bool:
        """Return True if *Herr*, *Frau* stand before a name or an office."""
        sentence, following = self.sentence, phrase.head + 1
        if sentence.norm(following) in CONJUNCTIONS and sentence.norm(following + 1) in _ADDRESSES:
            return phrase.determiner < 0 and sentence.is_capital(following + 2)  # Herr und Frau Weber
        while sentence.norm(following) in _PARTICLES:
            following += 1
        if following >= len(sentence.tokens) or not sentence.tokens[following].shape:
            return False
        surface = sentence.surface(following)
        if not surface[:1].isalpha() or sentence.norm(phrase.start - 1) in ("dessen", "deren"):
            return False  # dessen Frau Lehrerin ist
        word = sentence.words[following]
        office = word is not None and word.noun is not None
        return phrase.determiner < 0 or office or surface not in genders()

    # ------------------------------------------------------------ small words

    def _word(self, index: int, norm: str) -> Iterator[Mention]:
        sentence = self.sentence
        if norm in PERSONAL or norm in POSSESSIVES:
            if norm == "sein" and not self._is_attributive(index):
                return  # the verb
            if not sentence.is_blocked(index) and not self._is_polite_form(index, norm):
                mention = self._pronoun(index, norm)
                if mention.readings:
                    yield mention
        elif (norm == "das" or norm in _relatives(False)) and self._may_be_relative(index):
            yield from self._relative(index, norm)
        elif norm in ALONE:
            if not sentence.is_blocked(index) and not self._is_attributive(index):
                yield self._alone(index, norm)
        elif (match := _ADJECTIVE.fullmatch(norm)) and not sentence.is_blocked(index):
            yield self._adjective(index, match)

    def _is_polite_form(self, index: int, norm: str) -> bool:
        """Return True if a capital inside a sentence makes a pronoun polite."""
        token = self.sentence.tokens[index]
        return token.shape > 0 and norm in _POLITE and index > 0 and not self._begins(index)

    def _pronoun(self, index: int, norm: str) -> Mention:
        sentence = self.sentence
        cells: list[tuple[int, str]] = []
        gender, kind = FEMININE, "possessive"
        if norm in PERSONAL:
            gender, found = PERSONAL[norm]
            cells, kind = self._governed(index, found), "personal"
        elif norm == HER:
            cells, kind = [(DATIVE, "ihm")], "personal"
            if self._is_attributive(index):
                cells.append((POSSESSIVE, "sein"))
        else:
            gender, found = POSSESSIVES[norm]
            cells = [*found]
        readings = tuple(
            Reading(cell, False, (made(sentence, index, index, text, _EDITS[cell == POSSESSIVE]),), gender)
            for cell, text in cells
        )
        stem = ("sein", "ihr")[gender] if norm in POSSESSIVES else ""
        return Mention(kind, index, gender, readings, (index,), stem=stem)

    def _governed(self, index: int, cells: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
        """Return those of some cells that a preposition before a pronoun allows; all where there is none."""
        mask = self.sentence.closed.prepositions.get(self.sentence.norm(index - 1))
        if mask is None:
            return [*cells]
        return [(cell, text) for cell, text in cells if mask & bit(MASCULINE, cell)]

    def _relative(self, index: int, norm: str) -> Iterator[Mention]:
        sentence = self.sentence
        if sentence.is_blocked(index) or (sentence.tokens[index].shape and not self._begins(index)):
            return
        neuter, head = self._is_behind_neuter(index), self._head_before(index)
        readings = [
            Reading(case, False, (made(sentence, index, index, text, "relative"),), gender)
            for gender, case, text in _relatives(neuter).get(norm, ())
            if text != norm and (head is None or head.gender == gender) and self._governed(index, [(case, "")])
        ]
        if readings:
            yield Mention("relative", index, readings[0].gender, tuple(readings), (index,), neuter=neuter, head=head)

    def _head_before(self, index: int) -> Mention | None:
        """Return the person right before the comma before a relative pronoun."""
        comma = index - 1
        if self.sentence.norm(comma) in self.sentence.closed.prepositions:
            comma -= 1
        if self.sentence.norm(comma) != ",":
            return None
        return next((m for m in self.mentioned if m.token == comma - 1 and m.phrase is not None), None)

    def _is_behind_neuter(self, index: int) -> bool:
        """Return True if a girl or a boy stands right before the comma before a relative pronoun."""
        head = self._head_before(index)
        return head is not None and head.neuter

    def _may_be_relative(self, index: int) -> bool:
        """Return True if an article's form may be a pronoun here."""
        sentence = self.sentence
        before = sentence.norm(index - 1)
        if sentence.norms[index] in ("dessen", "deren") or before in _OPENING:
            return True
        if before in sentence.closed.prepositions and sentence.norm(index - 2) in _OPENING:
            return True
        return not self._is_attributive(index) and sentence.norms[index] != "das"

    def _alone(self, index: int, norm: str) -> Mention:
        sentence = self.sentence
        readings = tuple(
            Reading(case, False, (made(sentence, index, index, text, "pronoun"),), gender)
            for gender, case, text in ALONE[norm]
        )
        return Mention("alone", index, ALONE[norm][0][0], readings, (index,))

    def _adjective(self, index: int, match: re.Match[str]) -> Mention:
        after = _ADJECTIVES[match[1]]
        gender = FEMININE if match[1] in ("weiblich", "mütterlich") else MASCULINE
        word = made(self.sentence, index, index, after + match[2], "adjective")
        return Mention("adjective", index, gender, (Reading(-1, False, (word,), gender),), (index,))

    def _little(self, index: int, match: re.Match[str]) -> Iterator[Mention]:
        """Yield *der andere, die erste*: persons written small, without a noun."""
        sentence = self.sentence
        if sentence.norm(index - 1) not in sentence.lexicon.determiners or sentence.is_blocked(index):
            return
        if self._is_attributive(index) or index - 1 in self.taken:
            return
        word = Word(nominalised=Nominalised(match[1], match[2], False, False))
        phrase = sentence.find_phrase(index, word)
        mention = self._nominalised(phrase) if phrase.determiner >= 0 else None
        if mention is not None:
            yield mention


@cache
def _relatives(neuter: bool) -> dict[str, tuple[tuple[int, int, str], ...]]:
    """Return (gender, case, counterpart) of relative pronouns; behind a girl or a boy they are neuter, or become so."""
    ways = [(MASCULINE, FEMININE, MASCULINE), (FEMININE, MASCULINE, FEMININE)]
    if neuter:
        ways = [(NEUTER, MASCULINE, FEMININE), (MASCULINE, NEUTER, MASCULINE)]
    found: dict[str, tuple[tuple[int, int, str], ...]] = {}
    for own, target, gender in ways:
        for form, cells in relatives(own, target).items():
            found[form] = (*found.get(form, ()), *((gender, case, text) for case, text in cells))
    return found
