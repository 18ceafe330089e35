"""German words that look like persons and stay: things, names of people and places, titles of works."""

from __future__ import annotations

import re

from rewriter.de.given_names import first_names, given_names
from rewriter.de.inflection import FEMININE
from rewriter.de.lexicon import PLUR, Noun, genders
from rewriter.de.pairs import PairFinder
from rewriter.de.phrase import Phrase, plural


class StayingFinder(PairFinder):
    """Tells which words that may be persons are none here."""

    def _is_proper(self, index: int, stem: str, rest: str) -> bool:
        """Tell whether a compound is the name of a person or of a place: *Frau Enkelmann*, *in Müllerdorf*."""
        sentence, before = self.sentence, self.sentence.norm(index - 1)
        if before in TITLES or (index and sentence.surface(index - 1) in first_names()):
            return True
        if stem.lower() not in sentence.lexicon.surnames or rest not in _SETTLEMENTS:
            return False
        return before not in sentence.lexicon.determiners and not sentence.is_adjective(index - 1)

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

    def _is_small_adjective(self, phrase: Phrase) -> bool:
        """Tell whether a word in small letters is an adjective or a mention (*veganer Kost*, *das Wort »user«*)."""
        sentence, following = self.sentence, phrase.head + 1
        if sentence.tokens[phrase.head].shape or following >= len(sentence.tokens):
            return False
        if sentence.is_quoted(phrase.head) and sentence.norms[following] in _CLOSING:
            return not sentence.norm(phrase.head - 1).isalpha()
        if not sentence.norms[phrase.head].endswith("er"):
            return False
        while sentence.norm(following) in ("und", "oder", ",") and sentence.norm(following + 1).endswith("er"):
            following += 2  # veganer und vegetarischer Produkte
        return following < len(sentence.tokens) and sentence.surface(following) in genders()

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
        if self.sentence.norm(last) in _FOREIGN:
            return True  # Punta del Este
        before = self.sentence.norm(last - 1 if self.sentence.norm(last) == "." else last)
        if before in _ADDRESS and phrase.determiner < 0:
            return True  # Herr Minister, Frau Kollegin Kern
        if noun.lemma.endswith(_ORCHESTRAS) and self.sentence.norm(phrase.head - 1) in self.sentence.lexicon.towns:
            return True  # die Wiener Philharmoniker
        if self._is_behind_office(phrase, noun):
            return True
        if noun.gender == FEMININE or phrase.determiner >= 0:
            return False
        if self._is_family(phrase, noun):
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
        if last < 0 or noun.gender == FEMININE or noun.lemma not in sentence.lexicon.surnames:
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
        if not noun.certain and any(self.sentence.norms[at].startswith(_THINGS_ADJECTIVES) for at in phrase.adjectives):
            return True  # stählerne Träger
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
        if sentence.norms[phrase.head] not in COUNTRIES:
            return False
        if sentence.norm(phrase.head - 1) == "-" and sentence.touches(phrase.head - 1):
            return True  # Nordrhein-Westfalen
        if phrase.determiner >= 0 or phrase.adjectives:
            return False
        return not sentence.is_counted(phrase)

    def _ends_like_town(self, phrase: Phrase) -> bool:
        return phrase.word.noun is not None and self.sentence.surface(phrase.head).endswith("er")


_INITIAL = re.compile(r", [A-ZÄÖÜ]\.")
_ATTRIBUTES = frozenset(
    "der des dieser von vom und aller beider unserer meiner seiner ihrer sind waren haben hatten".split()
)
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
#: how adjectives begin that are said of things
_THINGS_ADJECTIVES = tuple(
    """
    stählern eisern hölzern gläsern metallen kupfern silbern bleiern tönern irden ledern elektrisch mechanisch digital
    hydraulisch pneumatisch verchromt verzinkt verrostet rostig aufblasbar tragbar batteriebetrieben solarbetrieben
    """.split()
)
_ORCHESTRAS = ("philharmoniker", "symphoniker", "sinfoniker")
_CLOSING = frozenset("“ ” « » ‘ ’ ‹ › \" '".split())
_FOREIGN = frozenset("del de la le di el los las van".split())
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
