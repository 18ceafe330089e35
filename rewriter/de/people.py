"""German persons: nouns and nominalised adjectives with what agrees with them, and compounds that begin with one."""

from __future__ import annotations

import re

from rewriter.breaks import fit_gaps
from rewriter.de.control import given_names
from rewriter.de.drafts import CASE, FIRST, KEEP, PLURAL, SINGULAR, STARRED, Draft, adjective_stem, different
from rewriter.de.inflection import DATIVE, FEMININE, join, match_case
from rewriter.de.lexicon import FEM, PLUR, Determiner, Nominalised, Noun, cases_of, genders
from rewriter.de.pairs import PairFinder
from rewriter.de.phrases import Phrase, first_names, plural, singular


class PeopleFinder(PairFinder):
    """Finds persons and their phrases."""

    def _add_people(self, people: list[int]) -> None:
        words = self.sentence.words
        after: Phrase | None = None
        for index in people:
            word = words[index]
            if word is None or index in self.taken:
                continue
            if word.first is not None and word.noun is None and word.nominalised is None:
                self._add_first_part(index, word.first.stem, word.first.rest)
            elif self._is_hyphened(index) and word.noun is not None:
                if self.sentence.norms[index] in COUNTRIES or self.sentence.norm(index - 1) in TITLES:
                    continue  # Sachsen-Anhalt, Frau Müller-Kern
                self._add_first_part(index, word.noun.stem, "")
            else:
                phrase = self.sentence.phrase(index, word)
                if self._add_shortened(phrase):
                    after = None
                    continue
                if after is not None and self._add_pair(after, phrase):
                    after = None
                    continue
                after = phrase
                self.phrases.append(phrase)
        for phrase in self.phrases:
            if phrase.head not in self.taken:
                self._add_phrase(phrase)

    def _is_hyphened(self, index: int) -> bool:
        sentence = self.sentence
        return (
            sentence.touches(index) and sentence.norm(index + 1) in ("-", "‑") and (sentence.norm(index + 2).isalpha())
        )

    def _add_first_part(self, index: int, stem: str, rest: str) -> None:
        if self._is_proper(index, stem, rest):
            return
        token = self.sentence.tokens[index]
        surface = self.sentence.surface(index)
        fair = match_case(surface, self.style.noun(stem, plural=True) + rest)
        self.found.append(Draft(token.start, token.end, index, "compound", ((KEEP, surface), (FIRST, fair))))

    def _is_proper(self, index: int, stem: str, rest: str) -> bool:
        """Tell whether a compound is the name of a person or of a place: *Frau Enkelmann*, *in Müllerdorf*."""
        sentence, before = self.sentence, self.sentence.norm(index - 1)
        if before in TITLES or (index and sentence.surface(index - 1) in first_names()):
            return True
        if stem.lower() not in sentence.lexicon.surnames or rest not in _SETTLEMENTS:
            return False
        return before not in sentence.lexicon.determiners and not sentence.is_adjective(index - 1)

    def _add_phrase(self, phrase: Phrase) -> None:
        word = phrase.word
        if phrase.fair or self._is_neuter(phrase) or self.sentence.is_work(phrase.head) or self._is_first(phrase):
            return
        if self._is_title_of_work(phrase):
            return
        if word.noun is not None:
            self._add_noun_phrase(phrase, word.noun)
        elif word.nominalised is not None:
            self._add_nominalised(phrase)

    def _is_title_of_work(self, phrase: Phrase) -> bool:
        """Tell whether a title stands within a sentence without quotation marks: the article has a capital."""
        index, reading = phrase.determiner, phrase.reading
        if reading is None or index < 1 or reading.kind != "definite" or self._begins(index):
            return False
        return self.sentence.tokens[index].shape == 1 and self.sentence.norms[index - 1].isalpha()

    def _is_first(self, phrase: Phrase) -> bool:
        """Tell whether a sentence begins with an adjective before its noun (Dichter Nebel ...), not with a person."""
        sentence = self.sentence
        if phrase.head or len(sentence.tokens) < 2 or sentence.norms[0] not in _ADJECTIVES:
            return False
        return sentence.words[1] is None and genders().get(sentence.surface(1)) == "m"

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
        if self._is_town(phrase) or self._is_country(phrase) or self._is_thing(phrase, noun):
            return
        if self._is_surname(phrase, noun) or self._is_small_adjective(phrase):
            return
        surface, token = sentence.surface(phrase.head), sentence.tokens[phrase.head]
        options = [(KEEP, surface)]
        if singular(mask):
            options.append((SINGULAR, self._noun(surface, noun, number=SINGULAR)))
            self.referents.append(phrase.head)
        if plural(mask):
            options.append((PLURAL, self._noun(surface, noun, number=PLURAL)))
        forced = self._forced_number(phrase, noun, options)
        head = Draft(token.start, token.end, phrase.head, "noun", tuple(options), forced)
        self.found.append(head)
        self.taken.add(phrase.head)
        if singular(mask):
            self._add_agreeing(phrase, head, settled=forced == SINGULAR)

    def _is_small_adjective(self, phrase: Phrase) -> bool:
        """Tell whether a word in small letters is the adjective of a noun behind it (*veganer Ernährung*)."""
        sentence, following = self.sentence, phrase.head + 1
        if sentence.tokens[phrase.head].shape or following >= len(sentence.tokens):
            return False
        return sentence.norms[phrase.head].endswith("er") and sentence.surface(following) in genders()

    def _is_town(self, phrase: Phrase) -> bool:
        """Tell whether a word is the adjective of a town (Berliner Straße, der Augsburger Unternehmer)."""
        sentence, following = self.sentence, phrase.head + 1
        if following >= len(sentence.tokens) or not self._ends_like_town(phrase):
            return False
        if sentence.tokens[following].shape == 1 and sentence.norms[phrase.head] in sentence.lexicon.towns:
            return sentence.surface(following) not in given_names() or sentence.surface(following) in genders()
        word = sentence.words[following]
        # a noun that is nothing else, no surname: the phrase is its own
        noun = None if word is None else word.noun
        return noun is not None and noun.certain and not noun.prefix and noun.lemma not in sentence.lexicon.surnames

    def _is_surname(self, phrase: Phrase, noun: Noun) -> bool:
        """Tell whether a title stands before a masculine noun that is a name then: *Frau Kaiser*, *Herr Schneider*."""
        last = phrase.head - 1
        before = self.sentence.norm(last - 1 if self.sentence.norm(last) == "." else last)
        if before in _ADDRESS and phrase.determiner < 0:
            return True  # Herr Minister, Frau Kollegin Kern
        if noun.gender == FEMININE or phrase.determiner >= 0:
            return False
        if self._is_family(phrase, noun) or self._is_behind_office(phrase, noun):
            return True
        if _INITIAL.match(self.sentence.text, self.sentence.tokens[phrase.head].end):
            return True  # Metzger, K. (2001)
        if self.sentence.surface(last) in first_names() and last >= 0 and not phrase.adjectives:
            return bool(noun.mask & NOMINATIVE_MASCULINE)  # Ernst Jünger
        return before in _OF_WOMEN or (
            (before in TITLES or before in _HOUSES) and noun.lemma in self.sentence.lexicon.surnames
        )

    def _is_family(self, phrase: Phrase, noun: Noun) -> bool:
        """Tell whether a bare genitive is the name of a family or of its member: *die Fischers*, *Müllers Haus*."""
        if phrase.adjectives or noun.mask & ~MASCULINE_GENITIVE:
            return False
        return noun.lemma in self.sentence.lexicon.surnames or self.sentence.norm(phrase.start - 1) in ("die", "den")

    def _is_behind_office(self, phrase: Phrase, noun: Noun) -> bool:
        """Tell whether a trade stands right behind another person and is a surname then: *Professor Weber*."""
        sentence, last = self.sentence, phrase.head - 1
        if last < 0 or phrase.start < phrase.head or noun.lemma not in sentence.lexicon.surnames:
            return False
        before = sentence.words[last]
        is_one = bool(noun.mask & NOMINATIVE_MASCULINE) and sentence.tokens[last].shape == 1
        if before is None or before.noun is None or before.nominalised is not None or not is_one:
            return False
        return sentence.norms[last] not in sentence.lexicon.towns

    def _is_thing(self, phrase: Phrase, noun: Noun) -> bool:
        """Tell whether a masculine person's word is another word here: *eine Leiter*, *ein Träger aus Stahl*."""
        if noun.gender == FEMININE:
            return False
        norm, after = self.sentence.norm, phrase.head + 1
        if not noun.certain and norm(after) == "aus" and norm(after + 1) in _MATERIALS:
            return True
        if noun.lemma == "leiter" and norm(phrase.determiner) == "die" and not self._has_attribute(after):
            return True  # hol die Leiter; but: die Leiter der Abteilungen
        if not noun.certain and self._is_misgoverned(phrase, noun):
            return True  # von der Leiter
        if self._is_body(phrase, noun) or self.sentence.means_thing(phrase.head, noun.lemma):
            return True
        if not noun.certain and norm(phrase.determiner) == "die" and self._is_one(phrase, after):
            return True  # die Leiter lehnt; but: die Bewerber hat der Chef eingeladen
        if noun.lemma == "koch" and phrase.head == 0 and norm(after) in _AFTER_IMPERATIVE:
            return True
        is_doubtful = not noun.certain or noun.lemma == "kunde"
        if is_doubtful and phrase.determiner < 0 and self._is_mismatched(phrase, noun):
            return True  # alte Kunde
        return phrase.determiner < 0 and norm(phrase.start - 1) in ("eine", "jede")

    def _has_attribute(self, after: int) -> bool:
        """Tell whether what follows a noun tells more of persons: a genitive, *von*, a plural's verb."""
        following = self.sentence.norm(after)
        return following in _ATTRIBUTES or following.endswith(("en", "ten"))

    def _is_misgoverned(self, phrase: Phrase, noun: Noun) -> bool:
        """Tell whether a preposition lets no form of a masculine with its article stand behind it."""
        cases = self.sentence.closed.prepositions.get(self.sentence.norm(phrase.start - 1))
        if cases is None or phrase.reading is None or phrase.adjectives:
            return False
        return not cases & noun.mask & phrase.reading.mask

    def _is_one(self, phrase: Phrase, after: int) -> bool:
        """Tell whether the verb behind *die* and a masculine noun is singular: the noun is another."""
        norm = self.sentence.norm
        if norm(after) in _OF_ONE:
            return True
        if phrase.start or norm(after) not in _PLACES:
            return False
        return any(norm(at) in _OF_ONE for at in range(after + 2, min(after + 5, len(self.sentence.tokens))))

    def _is_mismatched(self, phrase: Phrase, noun: Noun) -> bool:
        """Tell whether the endings of adjectives without a determiner fit no form of a noun."""
        left = noun.mask
        for index in phrase.adjectives:
            left &= self.sentence.adjective_mask("strong", index)
        if self.sentence.norm(phrase.start - 1) in self.sentence.lexicon.determiners:
            return not noun.mask & PLUR  # die Kunde
        return bool(phrase.adjectives) and not left and not noun.mask & PLUR

    def _is_body(self, phrase: Phrase, noun: Noun) -> bool:
        """Tell whether a council is meant, not one of its members (*der Stadtrat beschloss*; but *Stadtrat Kern*)."""
        sentence, reading, after = self.sentence, phrase.reading, phrase.head + 1
        if noun.certain or not noun.lemma.endswith(_COUNCILS) or plural(phrase.mask) or reading is None:
            return False
        if after < len(sentence.tokens) and sentence.tokens[after].shape:
            return False
        return reading.kind in ("definite", "contraction", "possessive", "his", "her")

    def _is_country(self, phrase: Phrase) -> bool:
        """Tell whether the plural of a people stands alone and means its country (in Polen, Hessen plant ...)."""
        sentence = self.sentence
        if phrase.determiner >= 0 or phrase.adjectives or sentence.norms[phrase.head] not in COUNTRIES:
            return False
        return not sentence.is_counted(phrase)

    def _ends_like_town(self, phrase: Phrase) -> bool:
        return phrase.word.noun is not None and self.sentence.surface(phrase.head).endswith("er")

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
        if not singular(phrase.mask) or token.shape == 0 or self._is_attribute(phrase):
            return
        if phrase.determiner < 0 and (sentence.norm(phrase.start - 1) in TITLES or self._is_bare_plural(phrase, word)):
            return  # Herr Tauber
        if not word.likely and sentence.norm(phrase.determiner) in ("zum", "vom", "beim") and phrase.determiner >= 0:
            return  # zum Zweiten
        if not word.likely and (self._is_one_of_things(phrase.head) or self._is_epithet(phrase, word)):
            return  # der Älteste der Türme, Friedrich der Große
        stem = surface[: -len(word.ending)]
        options = [(KEEP, surface)]
        for case in cases_of(singular(phrase.mask)):
            options.append((CASE + case, join(self.style, stem, phrase.paradigm, case)))
        options = different(options)
        is_person = word.certain or phrase.double >= 0 or self._has_gender(phrase, word)
        settled = is_person and phrase.certain and not self._is_doubtful(phrase) and phrase.determiner >= 0
        single = len(cases_of(singular(phrase.mask))) == 1 and not plural(phrase.mask)
        forced = options[-1][0] if settled and single else None
        stays = not settled or bool(plural(phrase.mask))
        head = Draft(token.start, token.end, phrase.head, "nominalised", tuple(options), forced, stays=stays)
        self.referents.append(phrase.head)
        self.found.append(head)
        self.taken.add(phrase.head)
        self._add_agreeing(phrase, head, settled=settled and single)

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


_INITIAL = re.compile(r", [A-ZÄÖÜ]\.")
_ATTRIBUTES = frozenset(
    "der des dieser von vom und aller beider unserer meiner seiner ihrer sind waren haben hatten".split()
)
#: what stands behind a job in an advertisement
_ADVERTISED = re.compile(r" ?[(\[](?:[mwdxfia*](?: ?[/|,] ?[mwdxfia*]){1,3})[)\]]", re.IGNORECASE)
#: what stands before a nominalised neuter
_BEFORE_NEUTER = frozenset(
    "das alles etwas nichts viel vieles wenig weniges allerlei mancherlei manches einiges".split()
)
_NEUTER_CONTRACTIONS = frozenset("im ins am ans aufs fürs ums durchs übers".split())
#: verbs in the singular that a predicate belongs to
_PREDICATING = frozenset("bin bist ist war warst sei wäre wird wurde werde würde bleibt blieb bleibe".split())
NOMINATIVE_MASCULINE = 1
MASCULINE_GENITIVE = 8
#: what behind a trade makes the name of a village, where no article stands before it
_SETTLEMENTS = frozenset("dorf hausen heim stadt kirchen feld stein hof au hagen rode werder".split())
#: verbs in the singular
_OF_ONE = frozenset(
    """
    ist war hat hatte wird wurde kann konnte muss musste soll sollte steht stand liegt lag lehnt lehnte hängt hing fällt
    fiel
    """.split()
)
_AFTER_IMPERATIVE = frozenset("bitte doch mal dir uns mir ihm ihr keine keinen heute lieber".split())
_PLACES = frozenset("an auf in im am neben unter über vor hinter zwischen aus von vom zum zur".split())
#: councils that are called like their members
_COUNCILS = ("stadtrat", "gemeinderat", "betriebsrat", "bezirksrat", "nationalrat", "personalrat", "regierungsrat")
#: no person is made of them
_MATERIALS = frozenset(
    """
    aluminium bast bein bernstein beton blech blei bronze draht edelstahl eisen gips glas gold granit gummi holz karton
    keramik kork kunststoff kupfer leder leinen marmor messing metall nylon papier pappe perlmutt platin plastik
    porzellan samt seide silber stahl stein stoff ton wachs wolle zink zinn
    """.split()
)
#: plurals of peoples that are countries, too
COUNTRIES = frozenset(
    """
    polen sachsen schweden franken hessen bayern schwaben preußen westfalen böhmen finnen ungarn thüringer pommern
    """.split()
)
#: titles before which no office stands in the masculine
_OF_WOMEN = frozenset({"frau", "fräulein", "familie"})
#: words for persons that are adjectives, too; others before a noun have a name behind them (Bundeskanzler Kohl)
_ADJECTIVES = frozenset({"dichter"})
#: what stands before surnames, in lower case
TITLES = frozenset({"herr", "herrn", "frau", "fräulein", "familie", "firma", "bäckerei", "dr", "prof"})
_ADDRESS = frozenset({"herr", "herrn", "frau", "fräulein"})
#: houses and firms before the names of their owners
_HOUSES = frozenset(
    """
    gebrüder apotheke autohaus brauerei buchhandlung bäckerei café
    druckerei fleischerei galerie gasthaus gasthof gärtnerei haus hotel kanzlei kaufhaus konditorei metzgerei praxis
    restaurant schreinerei tischlerei verlag villa weingut
    """.split()
)
