"""German persons: nouns and nominalised adjectives with what agrees with them, and compounds that begin with one."""

from __future__ import annotations

import re

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
from rewriter.de.inflection import DATIVE, FEMININE, MASCULINE, NOMINATIVE, join, match_case
from rewriter.de.inflection import PLURAL as PLURAL_FORM
from rewriter.de.lexicon import FEM, Determiner, Nominalised, Noun, Word, bit, cases_of
from rewriter.de.phrase import Phrase, plural, singular
from rewriter.de.phrases import find_phrase
from rewriter.de.staying import COUNTRIES, TITLES, StayingFinder
from rewriter.text.breaks import fit_gaps


class PeopleFinder(StayingFinder):
    """Finds persons and their phrases."""

    def _add_people(self, people: list[int]) -> None:
        words = self.sentence.words
        after: Phrase | None = None
        for index in people:
            word = words[index]
            if word is None or index in self.taken:
                continue
            if self.leaves_open and self._add_doubled_first(index, word):
                continue
            if word.first is not None and word.noun is None and word.nominalised is None:
                self._add_first_part(index, word.first.stem, word.first.rest)
            elif word.noun is not None and self._is_hyphened(index):
                is_name = self.sentence.norms[index] in COUNTRIES or self.sentence.norm(index - 1) in TITLES
                if is_name and not self.leaves_open:
                    continue  # Sachsen-Anhalt, Frau Müller-Kern
                self._add_first_part(index, word.noun.stem, "")
            else:
                phrase = find_phrase(self.sentence, index, word)
                if self._add_shortened(phrase):
                    after = None
                    continue
                if after is not None and self._add_pair(after, phrase):
                    after = None
                    continue
                after = phrase
                self.phrases.append(phrase)
        phrases = self.phrases
        if self.leaves_open:  # der Vorsitzende Richter: the noun takes its adjective
            phrases = sorted(phrases, key=lambda phrase: phrase.word.noun is None)
        for phrase in phrases:
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
        if "\n" in before:
            return False
        fair = match_case(before, self.style.noun(other.first.stem, plural=True) + other.first.rest)
        self.found.append(Draft(start, end, index, "compound", ((KEEP, before), (FIRST, fair))))
        self.taken.update(range(index, last + 1))
        return True

    def _is_hyphened(self, index: int) -> bool:
        sentence = self.sentence
        return (
            sentence.touches(index) and sentence.norm(index + 1) in ("-", "‑") and (sentence.norm(index + 2).isalpha())
        )

    def _add_first_part(self, index: int, stem: str, rest: str) -> None:
        if not self.leaves_open and self._is_proper(index, stem, rest):
            return
        token = self.sentence.tokens[index]
        surface = self.sentence.surface(index)
        fair = match_case(surface, self.style.noun(stem, plural=True) + rest)
        self.found.append(Draft(token.start, token.end, index, "compound", ((KEEP, surface), (FIRST, fair))))

    def _add_phrase(self, phrase: Phrase) -> None:
        word = phrase.word
        if phrase.fair or (not self.leaves_open and self._is_other(phrase)):
            return
        if word.noun is not None:
            self._add_noun_phrase(phrase, word.noun)
        elif word.nominalised is not None:
            self._add_nominalised(phrase)

    def _is_other(self, phrase: Phrase) -> bool:
        """Return True if a phrase names no person: a neuter, a work, an adjective before its noun."""
        if self._is_neuter(phrase) or self.sentence.is_work(phrase.head) or self._is_first(phrase):
            return True
        return self._is_title_of_work(phrase)

    def _is_neuter(self, phrase: Phrase) -> bool:
        """Tell whether something neuter is meant: *das Alte*, *etwas Neues*, *im Zweiten*."""
        before, noun = self.sentence.norm(phrase.start - 1), phrase.word.noun
        if phrase.determiner >= 0:
            return noun is None and self.sentence.norms[phrase.determiner] in _NEUTER_CONTRACTIONS
        if noun is not None:
            return before == "das" and not noun.certain
        return before in _BEFORE_NEUTER or before in _NEUTER_CONTRACTIONS

    def _add_noun_phrase(self, phrase: Phrase, noun: Noun) -> None:
        sentence, mask = self.sentence, phrase.mask
        if self._is_town(phrase) or (not self.leaves_open and self._is_other_noun(phrase, noun)):
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
        forced = self._forced_number(phrase, noun, options)
        head = Draft(token.start, token.end, phrase.head, "noun", tuple(options), forced)
        self.found.append(head)
        self.taken.add(phrase.head)
        if singular(mask):
            self._add_agreeing(phrase, head, settled=forced == SINGULAR)

    def _is_other_noun(self, phrase: Phrase, noun: Noun) -> bool:
        """Return True if a noun is no person here: the name of a country or a person, a thing, an adjective."""
        if self._is_country(phrase) or self._is_thing(phrase, noun):
            return True
        return self._is_surname(phrase, noun) or self._is_small_adjective(phrase)

    def _forced_number(self, phrase: Phrase, noun: Noun, options: list[tuple[int, str]]) -> int | None:
        if self._is_advertised(phrase) and options[1][0] == SINGULAR:
            return SINGULAR  # Koch (m/w/d)
        if len(options) != 2 or not noun.certain or not phrase.certain or self._is_doubtful(phrase):
            return None
        outcome = options[1][0]
        if phrase.adjectives and phrase.determiner < 0 and outcome == SINGULAR:
            return outcome  # Gelernter Koch
        if noun.gender == FEMININE:
            return outcome
        # a bare masculine singular may be a name, a title, a mention
        return outcome if phrase.determiner >= 0 or outcome == PLURAL else None

    def _is_advertised(self, phrase: Phrase) -> bool:
        """Tell whether *(m/w/d)* stands behind a phrase."""
        end = self.sentence.tokens[phrase.head].end
        return _ADVERTISED.match(self.sentence.text, end) is not None

    def _is_doubtful(self, phrase: Phrase) -> bool:
        sentence = self.sentence
        before, following = sentence.norm(phrase.start - 1), phrase.head + 1
        if following < len(sentence.tokens) and sentence.tokens[following].shape and self._ends_like_town(phrase):
            return True
        return before in TITLES or sentence.is_quoted(phrase.head) or sentence.tokens[phrase.head].shape != 1

    def _add_agreeing(self, phrase: Phrase, head: Draft, *, settled: bool) -> None:
        """Add determiner and adjectives of a phrase, which follow its head."""
        if phrase.determiner >= 0 and not self.sentence.is_blocked(phrase.determiner):
            self._add_determiner(phrase, head, settled=settled)
        for index in phrase.adjectives:
            self._add_adjective(phrase, index, head, settled=settled)

    def _add_determiner(self, phrase: Phrase, head: Draft, *, settled: bool) -> None:
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
        options = [(KEEP, surface)]
        for case in cases_of(mask):
            if contracted and case == DATIVE:
                options.append((CASE + DATIVE, match_case(surface, self._contraction("vom"))))
                if self.leaves_open:  # von dem*der: the preposition stays
                    article = definite(self.style, "", DATIVE)
                    options.append((STARRED_CASE + DATIVE, surface[: -len("der")] + article))
            elif not contracted:
                options += self._determined(surface, reading, case, phrase)
        if reading.kind in ("his", "her") and not self._is_polite(phrase):
            options += self._possessed(surface, reading)
        options = different(options)
        if len(options) == 1:
            return
        forced = options[1][0] if len(options) == 2 and settled and phrase.certain else None
        if contracted:
            options = [(outcome, fit_gaps(surface, after) if outcome else after) for outcome, after in options]
        first, last = self.sentence.tokens[start], self.sentence.tokens[index]
        kind = "article" if reading.kind not in ("his", "her", "possessive") else "possessive"
        self.found.append(Draft(first.start, last.end, index, kind, tuple(options), forced, head))
        self.taken.update(range(start, index + 1))

    def _possessed(self, surface: str, reading: Determiner) -> list[tuple[int, str]]:
        """Return the option of a possessive whose possessor is starred and whose possessed is a thing."""
        ending = reading.ending
        return [(STARRED, match_case(surface, self.style.possessive((ending, ending), starred=False)))]

    def _add_adjective(self, phrase: Phrase, index: int, head: Draft, *, settled: bool) -> None:
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
            alone = len(options) == 2 and len(cases_of(mask)) == 1
            forced = options[1][0] if alone and settled else None
            self.found.append(Draft(token.start, token.end, index, "adjective", tuple(options), forced, head))
            self.taken.add(index)
        elif settled:
            self.taken.add(index)

    def _add_nominalised(self, phrase: Phrase) -> None:
        sentence, word = self.sentence, phrase.word.nominalised
        assert word is not None
        surface, token = sentence.surface(phrase.head), sentence.tokens[phrase.head]
        if not singular(phrase.mask) or (token.shape == 0 and not self.leaves_open):
            return
        if phrase.start > 0 and sentence.is_fair(phrase.start - 1):
            return  # Jede*r dritte Studierende
        if not self.leaves_open and self._is_no_person(phrase, word):
            return
        stem = surface[: -len(word.ending)]
        options = [(KEEP, surface)]
        for case in cases_of(singular(phrase.mask)):
            options.append((CASE + case, join(self.style, stem, phrase.paradigm, case)))
        options = different(options)
        is_person = word.certain or phrase.double >= 0 or self._has_gender(phrase, word) or self._is_related(phrase)
        settled = is_person and phrase.certain and not self._is_doubtful(phrase) and phrase.determiner >= 0
        single = len(cases_of(singular(phrase.mask))) == 1 and not plural(phrase.mask)
        forced = options[-1][0] if settled and single else None
        stays = not settled or bool(plural(phrase.mask))
        head = Draft(token.start, token.end, phrase.head, "nominalised", tuple(options), forced, stays=stays)
        self.referents.append(phrase.head)
        self.found.append(head)
        self.taken.add(phrase.head)
        self._add_agreeing(phrase, head, settled=settled and single)

    def _is_no_person(self, phrase: Phrase, word: Nominalised) -> bool:
        """Return True if a nominalised adjective means several persons, a thing, a name, or stands before its noun."""
        sentence = self.sentence
        if self._is_attribute(phrase):
            return True
        if phrase.determiner < 0 and (sentence.norm(phrase.start - 1) in TITLES or self._is_bare_plural(phrase, word)):
            return True  # Herr Tauber
        if word.likely:
            return False
        if sentence.norm(phrase.determiner) in ("zum", "vom", "beim") and phrase.determiner >= 0:
            return True  # zum Zweiten
        # der Älteste der Türme, Friedrich der Große
        return self._is_one_of_things(phrase.head) or self._is_epithet(phrase, word)

    def _is_related(self, phrase: Phrase) -> bool:
        """Tell whether a relative pronoun behind a phrase is no neuter (*nach einem Unbekannten, der* ...)."""
        sentence, at = self.sentence, phrase.head + 2
        if sentence.norm(at - 1) != "," or phrase.word.nominalised is None or not phrase.word.nominalised.likely:
            return False
        if sentence.norm(at) in sentence.closed.prepositions:
            at += 1
        return sentence.norm(at) in ("der", "den", "die", "deren")

    def _is_bare_plural(self, phrase: Phrase, word: Nominalised) -> bool:
        """Tell whether a nominalised adjective without a determiner means several or a thing.

        *Jugendliche und Erwachsene tanzen*, *Kleinem*; one person stands so only as a predicate (*ist Angestellte*),
        before a name, or as a masculine.
        """
        sentence = self.sentence
        if len(sentence.tokens) == 1:
            return False  # nothing tells
        if word.ending in ("en", "em"):
            return word.ending == "en" or not word.certain
        if word.ending == "er":
            return False
        before, following = sentence.norm(phrase.start - 1), phrase.head + 1
        if before == "als" or (following < len(sentence.tokens) and sentence.tokens[following].shape == 1):
            return False
        if sentence.norm(phrase.head + 1) in ("werden", "gesucht", "geworden"):
            return False  # will Vorsitzende werden
        return not any(sentence.norms[i] in _PREDICATING for i in sentence.clause_of(phrase))

    def _is_epithet(self, phrase: Phrase, word: Nominalised) -> bool:
        """Tell whether a name or a party is meant: *Friedrich der Große*, *ein Abgeordneter der Grünen*."""
        sentence, before = self.sentence, phrase.start - 1
        if phrase.reading is None or phrase.reading.kind != "definite" or before < 0:
            return False
        is_party = sentence.norms[phrase.determiner] == "der" and word.ending == "en"
        is_bare = sentence.norm(before - 1) not in sentence.lexicon.determiners and not sentence.is_adjective(
            before - 1
        )
        return is_party or (sentence.tokens[before].shape == 1 and is_bare and sentence.words[before] is None)

    def _has_gender(self, phrase: Phrase, word: Nominalised) -> bool:
        """Tell whether determiner and ending leave a masculine or feminine only, no neuter (*ein Bekannter*)."""
        reading = phrase.reading
        if reading is None or phrase.adjectives:
            return False
        if not word.likely and not (reading.stem in ("ein", "kein", "irgendein") and reading.ending != "e"):
            return False  # die Linke, der Erste; but: ein Fremder
        if reading.kind == "definite" or reading.kind == "contraction":
            return self.sentence.norms[phrase.determiner] in ("der", "die", "den", "zur")
        return reading.ending in ("e", "er", "en") or (reading.ending == "" and word.ending == "er")

    def _is_first_of_two(self, phrase: Phrase) -> bool:
        """Tell whether an ordinal is joined to another before their noun (des Zweiten und Zwölften Buches)."""
        sentence, at = self.sentence, phrase.head + 2
        word = phrase.word.nominalised
        if (
            word is None
            or word.likely
            or sentence.norm(at - 1) not in ("und", "oder", "bis")
            or at + 1 >= len(sentence.tokens)
        ):
            return False
        return sentence.norms[at].endswith(word.ending) and all(t.shape for t in sentence.tokens[at : at + 2])

    def _is_attribute(self, phrase: Phrase) -> bool:
        """Tell whether a capitalised adjective stands before its noun (Reicher Beifall, Deutsche Bank)."""
        index = phrase.head + 1
        sentence = self.sentence
        if index >= len(sentence.tokens):
            return False
        if phrase.determiner < 0 and sentence.is_adjective(index) and phrase.head == 0:
            return True
        if self._is_first_of_two(phrase):
            return True
        following = sentence.words[index]
        if following is not None and following.noun is not None and following.noun.certain:
            return True
        return sentence.tokens[index].shape > 0 and (
            phrase.determiner < 0 or phrase.head == 0 or not _is_certain(phrase)
        )


def _is_certain(phrase: Phrase) -> bool:
    return phrase.word.nominalised is not None and phrase.word.nominalised.certain


#: what stands behind a job in an advertisement
_NOMINATIVES = bit(MASCULINE, NOMINATIVE) | bit(FEMININE, NOMINATIVE) | bit(PLURAL_FORM, NOMINATIVE)
_ADVERTISED = re.compile(r" ?[(\[](?:[mwdxfia*](?: ?[/|,] ?[mwdxfia*]){1,3})[)\]]", re.IGNORECASE)
#: what stands before a nominalised neuter
_BEFORE_NEUTER = frozenset(
    "das alles etwas nichts viel vieles wenig weniges allerlei mancherlei manches einiges".split()
)
_NEUTER_CONTRACTIONS = frozenset("im ins am ans aufs fürs ums durchs übers".split())
#: verbs in the singular that a predicate belongs to
_PREDICATING = frozenset("bin bist ist war warst sei wäre wird wurde werde würde bleibt blieb bleibe".split())
