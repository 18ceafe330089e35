"""German persons: nouns and nominalised adjectives with what agrees with them, and compounds that begin with one."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.de.compounds import genders
from rewriter.de.drafts import (
    CASE,
    FIRST,
    HYPHENS,
    KEEP,
    PLURAL,
    SINGULAR,
    STARRED,
    STARRED_CASE,
    Draft,
    adjective_stem,
    definite,
    different,
)
from rewriter.de.given_names import given_names
from rewriter.de.inflection import DATIVE, FEMININE, MASCULINE, NOMINATIVE, join, match_case
from rewriter.de.inflection import PLURAL as PLURAL_FORM
from rewriter.de.pairs import PairFinder
from rewriter.de.phrase import Phrase, plural, singular
from rewriter.de.phrases import find_phrase
from rewriter.de.word_readings import FEM, Determiner, Noun, Word, bit, cases_of
from rewriter.language.rules import Decision
from rewriter.text.breaks import fit_gaps, has_break

#: options of a word that stays or has one reading
_STAYS_OR_ONE = 2

#: what makes that a phrase is no person; that two articles are one
PHRASE = Decision("de", "blocks")
NOMINALISED = Decision("de", "blocks")
DOUBLE = Decision("de", "settles")


class PeopleFinder(PairFinder):
    """Finds persons and their phrases."""

    def _add_people(self, people: list[int]) -> None:
        words = self.sentence.words
        after: Phrase | None = None
        for index in people:
            word = words[index]
            if word is None or index in self.taken or self._is_cut(index):
                continue
            if self._add_doubled_first(index, word):
                continue
            if word.first is not None and word.noun is None and word.nominalised is None:
                self._add_first_part(index, word.first.stem, word.first.rest)
            elif word.noun is not None and self._is_hyphened(index):
                self._add_first_part(index, word.noun.stem, "")
            elif self._is_hyphened(index):
                continue  # Grünen-Abgeordnete
            else:
                phrase = find_phrase(self.sentence, index, word)
                if self._add_shortened(phrase):
                    after = None
                    continue
                if index + 1 in people and self.sentence.norms[index].endswith("er"):
                    self.phrases.append(phrase)  # die Berliner Ärztin oder der Berliner Arzt
                    continue
                if after is not None and self._add_pair(after, phrase):
                    after = None
                    continue
                after = phrase
                self.phrases.append(phrase)
        # der Vorsitzende Richter: the noun takes its adjective
        for phrase in sorted(self.phrases, key=lambda phrase: phrase.word.noun is None):
            if phrase.head not in self.taken:
                self._add_phrase(phrase)

    def _add_doubled_first(self, index: int, word: Word) -> bool:
        """Add *Bürgerinnen- und Bürgerversicherung*: one compound whose first part is written in both genders."""
        sentence, last = self.sentence, index + 3
        if sentence.norm(index + 1) not in HYPHENS or sentence.norm(index + 2) not in ("und", "oder", "bzw", "/"):
            return False
        other = sentence.words[last] if last < len(sentence.tokens) else None
        if word.noun is None or other is None or other.first is None or other.first.stem != word.noun.stem:
            return False
        start, end = sentence.tokens[index].start, sentence.tokens[last].end
        before = sentence.text[start:end]
        if has_break(before):
            return False
        fair = match_case(before, self.style.noun(other.first.stem, plural=True) + other.first.rest)
        self.found.append(Draft(start, end, index, "compound", ((KEEP, before), (FIRST, fair))))
        self.taken.update(range(index, last + 1))
        return True

    def _is_cut(self, index: int) -> bool:
        """Return True if a word goes on behind the end of the text: *der Bürger-*."""
        sentence = self.sentence
        return index + 2 == len(sentence.tokens) and sentence.touches(index) and sentence.norm(index + 1) in HYPHENS

    def _is_hyphened(self, index: int) -> bool:
        sentence = self.sentence
        return (
            sentence.touches(index) and sentence.norm(index + 1) in ("-", "‑") and (sentence.norm(index + 2).isalpha())
        )

    def _add_first_part(self, index: int, stem: str, rest: str) -> None:
        token = self.sentence.tokens[index]
        surface = self.sentence.surface(index)
        fair = match_case(surface, self.style.noun(stem, plural=True) + rest)
        self.found.append(Draft(token.start, token.end, index, "compound", ((KEEP, surface), (FIRST, fair))))

    def _add_phrase(self, phrase: Phrase) -> None:
        word = phrase.word
        if phrase.fair:
            return
        if word.noun is not None:
            self._add_noun_phrase(phrase, word.noun)
        elif word.nominalised is not None:
            self._add_nominalised(phrase)

    def _add_noun_phrase(self, phrase: Phrase, noun: Noun) -> None:
        sentence, mask = self.sentence, phrase.mask
        if sentence.rules.first(PHRASE, self, phrase.head, phrase) is not None:
            return
        surface, token = sentence.surface(phrase.head), sentence.tokens[phrase.head]
        options = [(KEEP, surface)]
        if self._is_addressed(phrase) and self._begins_salutation(phrase):
            mask = mask & _NOMINATIVES or mask  # Sehr geehrter Bewerber: no genitive plural
        if singular(mask):
            options.append((SINGULAR, self._noun(surface, noun, number=SINGULAR)))
            self.referents.append(phrase.head)
        if plural(mask):
            options.append((PLURAL, self._noun(surface, noun, number=PLURAL)))
        first = phrase.word.first
        if first is not None:
            options.append((FIRST, match_case(surface, self.style.noun(first.stem, plural=True) + first.rest)))
        head = Draft(token.start, token.end, phrase.head, "noun", tuple(options))
        self.found.append(head)
        self.taken.add(phrase.head)
        if singular(mask):
            self._add_agreeing(phrase, head)

    def _add_agreeing(self, phrase: Phrase, head: Draft) -> None:
        """Add determiner and adjectives of a phrase, which follow its head."""
        if phrase.determiner >= 0 and not self.sentence.is_blocked(phrase.determiner):
            self._add_determiner(phrase, head)
        for index in phrase.adjectives:
            self._add_adjective(phrase, index, head)

    def _add_determiner(self, phrase: Phrase, head: Draft) -> None:
        index, reading = phrase.determiner, phrase.reading
        assert reading is not None
        mask = singular(phrase.mask & reading.mask)
        start, contracted = index, False
        if reading.kind == "definite" and self._stands_behind(index, "von"):
            contracted = bool(mask & FEM)
            start = index - 1 if contracted else index
        if phrase.double >= 0:
            start = phrase.double
        surface = self.sentence.text[self.sentence.tokens[start].start : self.sentence.tokens[index].end]
        if phrase.double >= 0 and has_break(surface):
            return  # one article has no place for the line breaks of two
        options = [(KEEP, surface)]
        for case in cases_of(mask):
            if contracted and case == DATIVE:
                options.append((CASE + DATIVE, match_case(surface, self._contraction("vom"))))
                # von dem*der: the preposition stays
                options.append((STARRED_CASE + DATIVE, surface[: -len("der")] + definite(self.style, "", DATIVE)))
            elif not contracted:
                options += self._determined(surface, reading, case, phrase)
        if reading.kind in ("his", "her") and not self._is_polite(phrase):
            options += self._possessed(surface, reading)
        options = different(options)
        if len(options) == 1:
            return
        if contracted:
            options = [(outcome, fit_gaps(surface, after) if outcome else after) for outcome, after in options]
        first, last = self.sentence.tokens[start], self.sentence.tokens[index]
        kind = "article" if reading.kind not in ("his", "her", "possessive") else "possessive"
        rule = self.sentence.rules.first(DOUBLE, self, index, phrase, options)
        outcome = options[1][0]
        draft = Draft.settled(first.start, last.end, index, kind, tuple(options), outcome, rule, head)
        self.found.append(draft)
        self.taken.update(range(start, index + 1))

    def _possessed(self, surface: str, reading: Determiner) -> list[tuple[int, str]]:
        """Return the option of a possessive whose possessor is starred and whose possessed is a thing."""
        ending = reading.ending
        return [(STARRED, match_case(surface, self.style.possessive((ending, ending), starred=False)))]

    def _add_adjective(self, phrase: Phrase, index: int, head: Draft) -> None:
        token = self.sentence.tokens[index]
        if index in self.taken or self.sentence.is_blocked(index):
            return
        surface = self.sentence.surface(index)
        options = [(KEEP, surface)]
        mask = singular(phrase.mask)
        if phrase.determiner < 0:
            mask &= self.sentence.adjective_mask("strong", index)
        stem = adjective_stem(surface)
        for case in cases_of(mask):
            options.append((CASE + case, match_case(surface, join(self.style, stem, phrase.paradigm, case))))
        options = different(options)
        if len(options) > 1:
            self.found.append(Draft(token.start, token.end, index, "adjective", tuple(options), head=head))
        if len(options) > 1 or _is_one_person(phrase):
            self.taken.add(index)

    def _add_nominalised(self, phrase: Phrase) -> None:
        sentence, word = self.sentence, phrase.word.nominalised
        assert word is not None
        surface, token = sentence.surface(phrase.head), sentence.tokens[phrase.head]
        if not singular(phrase.mask):
            return
        if sentence.rules.first(NOMINALISED, self, phrase.head, phrase) is not None:
            return
        stem = surface[: -len(word.ending)]
        options = [(KEEP, surface)]
        for case in cases_of(singular(phrase.mask)):
            options.append((CASE + case, join(self.style, stem, phrase.paradigm, case)))
        options = different(options)
        head = Draft(token.start, token.end, phrase.head, "nominalised", tuple(options))
        self.referents.append(phrase.head)
        self.found.append(head)
        self.taken.add(phrase.head)
        self._add_agreeing(phrase, head)

    @NOMINALISED.rule(
        "adjective behind a gender-fair word",
        example="Jede*r dritte [Studierende] fehlt.",
        counter="Der dritte [Studierende] fehlt.",
    )
    def _is_behind_fair(self, head: int, phrase: Phrase) -> bool:
        return phrase.start > 0 and self.sentence.is_fair(phrase.start - 1)

    @NOMINALISED.rule(
        "capital adjective before its noun", example="[Versteckter] Zugang hilft.", counter="Ein [Versteckter] hilft."
    )
    def _is_adjective(self, head: int, phrase: Phrase) -> bool:
        """*Folgende Daten fehlen*, *Europäische Union*."""
        sentence, word, following = self.sentence, phrase.word.nominalised, head + 1
        if word is None or word.likely or following >= len(sentence.tokens):
            return False
        begins = phrase.determiner < 0 and head == 0
        return sentence.tokens[following].shape > 0 or (begins and sentence.is_adjective(following))

    @DOUBLE.rule("both articles", example="Die oder [der] Vorsitzende singt.", counter="[Der] Vorsitzende singt.")
    def _is_double(self, index: int, phrase: Phrase, options: Sequence[tuple[int, str]]) -> bool:
        return phrase.double >= 0 and len(options) == _STAYS_OR_ONE

    @PHRASE.rule("feminine determiner before a masculine", example="Eine [Leiter] fiel.", counter="Ein [Leiter] fiel.")
    def _is_other_gender(self, head: int, phrase: Phrase) -> bool:
        """Return True if a feminine determiner stands before a masculine that is no plural: *eine Leiter*."""
        noun = phrase.word.noun
        is_alone = phrase.determiner < 0 and noun is not None and noun.gender != FEMININE
        return is_alone and self.sentence.norm(phrase.start - 1) in _FEMININE_DETERMINERS

    @PHRASE.rule(
        "adjective of a town", example="Die [Berliner] Straße ist lang.", counter="Die [Berliner] gehen nach Haus."
    )
    def _is_town(self, head: int, phrase: Phrase) -> bool:
        """Return True if a word is the adjective of a town (Berliner Straße, der Augsburger Unternehmer)."""
        sentence, following = self.sentence, phrase.head + 1
        if following >= len(sentence.tokens) or not self._ends_like_town(phrase):
            return False
        if sentence.tokens[following].shape == 1 and sentence.norms[phrase.head] in sentence.lexicon.towns:
            return sentence.surface(following) not in given_names() or sentence.surface(following) in genders()
        word = sentence.words[following]
        # a noun that is nothing else, no surname: the phrase is its own
        noun = None if word is None else word.noun
        return noun is not None and noun.certain and not noun.prefix and noun.lemma not in sentence.lexicon.surnames

    def _ends_like_town(self, phrase: Phrase) -> bool:
        return phrase.word.noun is not None and self.sentence.surface(phrase.head).endswith("er")


def _is_one_person(phrase: Phrase) -> bool:
    """Return True if a phrase means a person by its noun, in the singular only."""
    noun = phrase.word.noun
    return noun is not None and noun.certain and phrase.certain and not plural(phrase.mask)


_NOMINATIVES = bit(MASCULINE, NOMINATIVE) | bit(FEMININE, NOMINATIVE) | bit(PLURAL_FORM, NOMINATIVE)
_FEMININE_DETERMINERS = frozenset("eine jede keine meine deine seine ihre unsere eure diese irgendeine".split())
