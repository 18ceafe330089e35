"""What a German noun phrase is where its forms leave several readings: number and case, settled by its clause.

The order of evidence: what it is joined to, its preposition, a noun before it whose genitive it may be, the number of
the finite verb, other candidates for the subject, and last a fixed preference: the first phrase is the subject, the
second the object; a feminine in *der* behind a noun is a genitive, elsewhere a dative; a bare masculine that may be
singular or plural is a plural unless its clause says otherwise.
"""

from __future__ import annotations

import re

from rewriter.de.inflection import ACCUSATIVE, DATIVE, FEMININE, GENITIVE, MASCULINE, NOMINATIVE, PLURAL
from rewriter.de.lexicon import PLUR, SINGULAR, bit
from rewriter.de.turning.clauses import GENITIVES, ClauseSentence, Nominal
from rewriter.de.turning.grammar import NEUTER, words

#: participles that stand for persons of all genders, mostly for several
FAIR_PARTICIPLES = ("arbeitend", "nehmend", "studierend", "lernend", "lehrend")
#: stems of verbs that take a dative
DATIVE_VERBS = re.compile(
    r"(?:über|zu|vor|nach|bei|wider|ent|aus|ab|an|mit|zurück|weiter)?(?:ge)?(?:"
    r"geb(?!or|aut|ild|und|rau|är|et)|gab|gib|schenk|zeig|helf|half|hilf|holf|dank|antwort|glaub|folg|(?<=zu)hör|gefall|gefiel|gefäll|vertrau|"
    r"gratulier|begegn|sagt?e?n?$|erzähl|erklär|bring|brach|schick|leih|lieh|schrieb|schreib|erlaub|verbiet|verbot|stimm|"
    r"verzeih|verzieh|ähnel|fehl|gelang|passier|reich|empfehl|empfahl|empfohl|empfiehl|versprech|versprach|versproch|"
    r"versprich|sprech|sprach|sprich|liefer|teil|droh|nütz|schad|schmeck|diktier|wünsch|biet|bot|widm|überließ|gönn|"
    r"verdank|berichte|näher|gehör|nehm|nahm|nimm|nomm|wid)"
)
#: stems of verbs that want a dative beside their object
GIVING = re.compile(
    r"(?:über|zurück|weiter|vor|ab)?(?:ge)?(?:geb(?!or|aut|ild|und|rau|är|et)|gab|gib|schenk|schick|reich|leih|lieh|liefer|"
    r"widm|überließ|gönn|händig|biet|bot$|botet$|verkauf|zeig|bring|bracht)"
)
#: separable parts of verbs that take a dative (*winkte ihnen zu*)
_DATIVE_PARTICLES = frozenset({"zu", "bei", "nach", "entgegen", "hinterher"})
#: pronouns before a genitive plural (*einer der Lehrer*)
_SOME = frozenset(
    "einer eine eines einem einen keiner keine keinem keinen jeder jede jedem jeden mancher manche manchen viele "
    "vielen einige einigen mehrere mehreren wenige wenigen beide beiden "
    "prozent hälfte drittel viertel mehrzahl anzahl".split()
)
#: what a bare singular stands behind
_SINGULAR_BEFORE = frozenset({"als", "wie"})
_BECOMING = frozenset("werden sein bleiben geworden gewesen geblieben wird wurde ist war bleibt blieb".split())


def settle(sentence: ClauseSentence, nominal: Nominal) -> None:
    """Read a noun phrase as one gender (or plural) and one case; those before it have been read."""
    mask = _strong(sentence, nominal)
    nominal.phrase.mask = mask
    readings = [(place // 4, place % 4) for place in range(16) if mask >> place & 1]
    if not readings:
        return
    if len(readings) == 1:
        nominal.gender, nominal.case = readings[0]
        return
    judge = _Judge(sentence, nominal)
    best = max(readings, key=lambda reading: judge.score(*reading))
    nominal.gender, nominal.case = best
    noun = nominal.phrase.word.noun
    if nominal.kind == "thing" and noun is not None and not noun.certain and nominal.phrase.determiner < 0:
        nominal.gender = -1  # an unknown word, maybe a name
    if nominal.kind == "thing" and (MASCULINE, nominal.case) in readings and (NEUTER, nominal.case) in readings:
        nominal.gender = -1  # des Unternehmens


def _strong(sentence: ClauseSentence, nominal: Nominal) -> int:
    """Return the mask with the endings of adjectives that no determiner precedes (*junge Lehrer*: a plural)."""
    mask = nominal.mask
    if nominal.phrase.determiner < 0:
        for index in nominal.phrase.adjectives:
            mask = mask & sentence.adjective_mask("strong", index) or mask
    return mask


def is_often_plural(nominal: Nominal) -> bool:
    """Tell whether a nominalised adjective stands for several more often than for one (*Beschäftigte*)."""
    word = nominal.phrase.word.nominalised
    if word is None or nominal.phrase.word.noun is not None:
        return False
    return word.stem in words("often plural") or (word.stem.endswith("end") and word.stem != "vorsitzend")


class _Judge:
    """Scores the readings of one noun phrase."""

    def __init__(self, sentence: ClauseSentence, nominal: Nominal) -> None:
        self.sentence, self.nominal = sentence, nominal
        self.clause = sentence.clause(nominal.head)
        self.governed = sentence.is_governed(nominal)
        self.joined = sentence.coordinated(nominal)
        self.attribute = sentence.is_attribute(nominal)
        self._subject: dict[bool, bool] = {}

    @property
    def takes_dative(self) -> bool:
        """Whether the clause holds a verb that takes a dative."""
        clause, sentence = self.clause, self.sentence
        if clause.takes_dative is None:
            words = [sentence.norms[i] for i in clause.tokens if not sentence.tokens[i].shape]
            ends = bool(words) and words[-1] in _DATIVE_PARTICLES and sentence.norms[clause.tokens[-1]] == words[-1]
            ends = ends or ("sich" in words and words[-1] == "vor")  # stellt sich ihnen vor
            clause.takes_dative = ends or any(DATIVE_VERBS.match(word) for word in words)
        return clause.takes_dative

    @property
    def _gives(self) -> bool:
        """Whether the clause holds a verb that wants a dative beside its object."""
        norms, tokens = self.sentence.norms, self.sentence.tokens
        return any(GIVING.match(norms[i]) for i in self.clause.tokens if not tokens[i].shape)

    def score(self, gender: int, case: int) -> float:
        """Return how well a reading fits."""
        total = 0.0
        joined = self.joined
        if joined is not None and joined.case >= 0:
            total += 6.0 if joined.case == case else 0.0
            total += 0.3 if (joined.gender == PLURAL) == (gender == PLURAL) else 0.0
        if gender == PLURAL:
            total += self._plural() + (self._often() if case in (GENITIVE, DATIVE) else 0.0)
        if self.governed:
            return total + self._governed(case)
        if case == NOMINATIVE:
            return total + (3.0 if self._is_subject(plural=gender == PLURAL) else -3.0)
        if case == GENITIVE:
            return total + (4.0 if self._is_genitive(gender) else -2.5)
        if case == DATIVE:
            return total + (0.9 if self.takes_dative else -0.6)
        return total

    def _governed(self, case: int) -> float:
        cases = self.sentence.closed.prepositions.get(self.sentence.norm(self.nominal.start - 1), 0)
        if case == NOMINATIVE:
            return -4.0
        if case == GENITIVE:
            return 1.0 if cases & GENITIVES and self.sentence.norm(self.nominal.start - 1) != "laut" else -2.0
        return 0.5 if case == ACCUSATIVE else 0.4

    def _is_subject(self, *, plural: bool) -> bool:
        if plural not in self._subject:
            found = self.sentence.is_subject(self.nominal.start, self.nominal.head, plural=plural)
            self._subject[plural] = found or self._is_address()
        return self._subject[plural]

    def _is_address(self) -> bool:
        """Tell whether somebody is addressed (*Liebe Frau Weber*)."""
        adjectives = self.nominal.phrase.adjectives
        if self.nominal.phrase.determiner >= 0 or not adjectives:
            return False
        return self.sentence.norms[adjectives[0]].startswith(("lieb", "geehrt", "verehrt", "wert", "geschätzt"))

    def _plural(self) -> float:
        """Return what speaks for a plural where the singular is possible, too."""
        sentence, nominal = self.sentence, self.nominal
        if not nominal.mask & SINGULAR:
            return 0.0
        if nominal.phrase.determiner >= 0:
            return -0.7
        noun = nominal.phrase.word.noun
        is_oblique = not nominal.mask & bit(MASCULINE, NOMINATIVE) and noun is not None and noun.gender == MASCULINE
        if not nominal.phrase.adjectives and is_oblique and noun is not None and noun.person.declension == "weak":
            return 3.0  # für Studenten
        if self.joined is not None and self.joined.gender == PLURAL and self.joined.phrase.determiner < 0:
            return 4.0
        before = sentence.norm(nominal.start - 1)
        following = nominal.head + 1
        if nominal.phrase.adjectives and nominal.mask & bit(MASCULINE, NOMINATIVE):
            return -1.0
        is_capital = following < len(sentence.tokens) and sentence.tokens[following].shape == 1
        if is_capital and sentence.lexicon.thing(sentence.surface(following)) is None:
            return -9.0  # Lehrer Lämpel
        if self._is_joined_to_singular() or self._is_apposition_of_name() or sentence.norms[nominal.head] == "fräulein":
            return -9.0
        singular = self.clause.number in ("singular", "first") or (self.clause.number == "second" and self._is_du())
        if before in ("du", "ich"):
            return -9.0  # du Lügner
        if before in _SINGULAR_BEFORE:
            return -9.0 if singular or not self.clause.number else 3.0
        if self._is_predicate():
            return -9.0 if singular else 3.0
        if self.governed:
            return 1.0
        return 0.5 if not (singular and self._is_subject(plural=False)) else -3.0

    def _is_joined_to_singular(self) -> bool:
        """Tell whether a bare noun is joined to one that can be singular only (*Onkel und Tante*)."""
        sentence, nominal = self.sentence, self.nominal
        other = self.joined
        if sentence.norm(nominal.head + 1) in ("und", "oder"):
            other = sentence.nominal_at(nominal.head + 2)
        return other is not None and other.kind == "person" and other.phrase.determiner < 0 and not other.mask & PLUR

    def _is_apposition_of_name(self) -> bool:
        """Tell whether a bare noun stands behind a name and a comma (*Erna Kranz, Ärztin*)."""
        at = self.nominal.start - 1
        before = self.sentence.nominal_at(at - 1) if at > 0 and self.sentence.norms[at] == "," else None
        if before is None or self.clause.verb >= 0:
            return False
        noun = before.phrase.word.noun
        return before.kind in ("name", "title") or (before.kind == "thing" and noun is not None and not noun.certain)

    def _often(self) -> float:
        """Return what speaks for several where an adjective is nominalised (*Beschäftigte, Mitarbeitende*)."""
        if not is_often_plural(self.nominal):
            return 0.0
        word = self.nominal.phrase.word.nominalised
        return 4.5 if word is not None and word.stem.endswith(FAIR_PARTICIPLES) else 1.5

    def _is_du(self) -> bool:
        return any(self.sentence.norms[i] == "du" for i in self.clause.tokens)

    def _is_predicate(self) -> bool:
        """Tell whether a bare noun is predicated of the subject (*ist Lehrer*, *will Lehrer werden*)."""
        if self.governed:
            return False
        clause, norms = self.clause, self.sentence.norms
        if clause.copula:
            return True
        return any(norms[i] in _BECOMING for i in clause.tokens if i > self.nominal.head)

    def _is_genitive(self, gender: int) -> bool:
        """Tell whether the noun before it has this one as its genitive."""
        if gender == PLURAL and self.sentence.norm(self.nominal.start - 1) in _SOME:
            return True
        if not self.attribute:
            return False
        sentence, nominal, clause = self.sentence, self.nominal, self.clause
        before = sentence.nominal_at(nominal.start - 1)
        assert before is not None
        if sentence.norms[before.head] in words("time"):
            return False
        if gender == FEMININE or nominal.mask & bit(FEMININE, DATIVE):
            return self._is_feminine_genitive(before)
        if gender == PLURAL and nominal.mask & bit(MASCULINE, NOMINATIVE):
            # die Arbeit der Lehrer, but: Gestern half der Frau der Lehrer
            first = clause.verb > nominal.head and not clause.subordinate
            return first or self._has_other_subject(before)
        return True

    def _is_feminine_genitive(self, before: Nominal) -> bool:
        clause = self.clause
        if before.case == ACCUSATIVE and before.kind == "thing" and not before.human and not self._gives:
            return True  # nahm den Rat der Lehrerin an
        if (clause.verb > self.nominal.head and not clause.subordinate) or self.sentence.is_governed(before):
            return True
        if not self.takes_dative:
            return True
        return any(
            n.case == DATIVE and self.sentence.clause(n.head) is clause and not self.sentence.is_governed(n)
            for n in self.sentence.nominals
            if n.head < self.nominal.start
        )

    def _has_other_subject(self, before: Nominal) -> bool:
        """Tell whether something else than this phrase may be the subject."""
        if before.case == NOMINATIVE:
            return True
        return not self.sentence.is_subject(self.nominal.start, self.nominal.head)


__all__ = ["DATIVE_VERBS", "FAIR_PARTICIPLES", "PLUR", "settle"]
