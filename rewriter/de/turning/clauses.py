"""Which noun phrase of a German clause is its subject, for swapping.

The number of the verb, pronouns that can be nothing but subjects, and the order settle the cases that German feminines
leave open (*die Lehrerin* may be subject or object).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.de.inflection import ACCUSATIVE, MASCULINE, NOMINATIVE
from rewriter.de.lexicon import bit
from rewriter.de.turning.clause_finder import (
    GENITIVES,
    JOINING,
    RELATIVE,
    SUBORDINATE,
    Clause,
    ClauseFinder,
    Nominal,
)
from rewriter.de.turning.grammar import ANY, words
from rewriter.de.turning.verbs import finite

#: bodies that act
BODIES = tuple(
    "polizei regierung presse justiz firma partei jury feuerwehr behörde universität bank zeitung familie mannschaft "
    "opposition öffentlichkeit gewerkschaft kirche gemeinde redaktion kommission".split()
)
#: others that act and speak, nouns without natural gender that verbs of persons go with
INSTITUTIONS = BODIES + tuple(
    "amt gericht ministerium unternehmen dorf stadt land team orchester publikum parlament institut museum theater "
    "werk haus kasse schule akademie kabinett gremium komitee militär netzwerk portal radio fernsehen magazin blatt "
    "büro labor volk paar hotel heim klinik gesellschaft organisation agentur delegation crew truppe band klasse "
    "anwaltschaft verwaltung armee wehr kind mädchen baby team studio ensemble labor lager königshaus gefängnis "
    "fraktion koalition union spitze basis belegschaft branche industrie wirtschaft stiftung initiative "
    "bewegung".split()
)
#: pronouns that can be nothing but a subject, and the number of their verb
SUBJECTS = {"ich": "first", "du": "second", "er": "singular", "wir": "plural", "man": "singular", "wer": "singular"}
SUBJECTS |= {"jemand": "singular", "niemand": "singular", "keiner": "singular", "jeder": "singular"}
#: verbs, also as participles, whose subject is no thing
_AGENT_VERB = re.compile(
    r"(?:ge|vor|unter|be|ver|mit|er|auf|aus|ein|ab|an)?(?:las$|lasen$|lies|lesen$|schrieb|schreib|kauf|zahl|vergaß|vergess|vergiss|"
    r"signier|übernahm|übernimm|übernomm|gründet|nenn|nannt|lob|kritisier|forder|verlang|behaupt|sag|frag|mein|denk|dacht|"
    r"glaub|erzähl|besuch|entdeck|erfand|erfund|erhielt|erhält|erhalten$|bekam|bekomm|wünsch|trank|trink|trunk|aß$|gegessen|iss|"
    r"koch|näht|zeichn|komponier|studier|unterrichte|kannt|kenn|weiß$|wusst|lieb|hass|bewunder|vermiss|beantrag|beantwort|leugn|"
    r"bestritt|bestreit|mocht|mag$|stahl|stiehl|stohl|mal[te]|nahm|nomm|nimmt|hob$|trug|trag|trägt|leg|stell|"
    r"wies|wiesen|weist|lehnt|kommentier|verfass|spiel|sang|gesungen|singt|verlor|verlier|fand|findet|funden|sucht|holt)"
)
#: verbs by which things affect persons
_AFFECTING = re.compile(
    r"(?:ge|be|ver|er|über|ent)?(?:ärger|stör|freu|rasch|geister|eindruck|schreck|schrak|schrock|zwang|zwing|zwung|rett|mach|"
    r"bracht|bring|trieb|treib|kost|wirr|quäl|schäftig|wund|trifft|traf|troff|fiel|fall|fäll|hinder|schütz|führ|reiz|lang|"
    r"täusch|ermüd|müde|plag|kränk|verletz|tröst|beruhig|beunruhig|inspirier|motivier|prägt|rühr|zieh|zog)"
)
#: verbs whose infinitive has their subject
_SHARING = re.compile(
    r"versuch|beschl[io]|beschloss|plan|hoff|wagt|vergaß|vergess|vergiss|beg[ai]nn|begonn|versprach|drohte|zöger"
)
#: those of them that have a person as their object as good as always
_MOVING = re.compile(
    r"(?:ge|be|ver|er|über)?(?:ärger[tn]|stört|freut|rasch(t|en)|geister[tn]|eindruck|schreck|quäl|schäftig|prägt|rührt|tröst|"
    r"unruhig|motivier|inspirier|kränk|plagt|faszinier|langweil|nervt|drückt|lastet|wunder[tn]|verließ|interessier|"
    r"amüsier|irritier|schockier|empört|kostete|umgab|umgibt)"
)
ACCUSATIVES = sum(bit(gender, ACCUSATIVE) for gender in range(4))
NOMINATIVES = sum(bit(gender, NOMINATIVE) for gender in range(4))
PLURAL_BITS, SINGULAR_BITS = 0xF00, 0xF0FF
__all__ = [
    "BODIES",
    "GENITIVES",
    "INSTITUTIONS",
    "JOINING",
    "NOMINATIVES",
    "PLURAL_BITS",
    "RELATIVE",
    "SINGULAR_BITS",
    "SUBJECTS",
    "SUBORDINATE",
    "Clause",
    "ClauseSentence",
    "Nominal",
    "finite",
]


class ClauseSentence(ClauseFinder):
    """A sentence with its clauses that knows their subjects."""

    def is_subject(self, start: int, end: int, *, plural: bool = False) -> bool:
        """Tell whether what stands at some tokens, nominative or accusative by its form, is the subject of its clause.

        Args:
            start: first token.
            end: last token.
            plural: it is a plural.
        """
        clause = self.clause(end)
        end = self._with_attributes(end)
        own = range(start, end + 1)
        if self._is_beside_subject(clause, start, end):
            return True
        if self.norm(start - 1) in ("als", "wie") and start - 1 != clause.tokens[0]:
            return not any(self.norms[i] in ("ihn", "mich", "dich") for i in clause.tokens)
        if self._is_object(clause, start, end) or self._is_before_agent(clause, start, end):
            return False
        if any(i not in own for i in self.subject_pronouns(clause)):
            return clause.copula
        if self._follows_verb_of_another(clause, start):
            return False
        if clause.copula and (not plural or clause.number == "plural"):
            return True
        if self._has_other_number(clause, start, end, plural=plural):
            return False
        others = [n for n in clause.nominals if n.phrase.head not in own and not self._are_joined(n, start, end)]
        return self._is_left_as_subject(clause, start, end, others)

    def _follows_verb_of_another(self, clause: Clause, start: int) -> bool:
        """Tell whether a clause goes on with its verb, its subject being before it (*und führte die Königin*)."""
        return self.goes_on(clause) and start > clause.verb and not clause.copula and not clause.subordinate

    def _is_beside_subject(self, clause: Clause, start: int, end: int) -> bool:
        """Tell whether a phrase is joined to a pronoun that can be nothing but a subject."""
        joint = self.norm(end + 1)
        if self.norm(end + 2) in SUBJECTS and (
            joint in ("und", "oder") or (joint == "noch" and self._has_weder(start))
        ):
            return True  # meine Frau und ich
        return (
            self.norm(start - 1) in ("und", "oder", "noch")
            and (self.norm(start - 2) in SUBJECTS or self.norm(start - 2) == "sie")
            and (clause.number != "singular" or start - 2 == 1)
        )  # ich und meine Kollegin, weder er noch seine Frau

    def _is_before_agent(self, clause: Clause, start: int, end: int) -> bool:
        """Tell whether a thing opens a clause whose subject is a person behind the verb.

        *Ihre Brille hatte die Lehrerin vergessen*, *Die Leitung übernahm die Ärztin*: a possessive points ahead, or the
        verb suits persons only.
        """
        own = self._nominal_at.get(end)
        if own is None or own.kind != "thing" or own.human or start != self.opening(clause) or clause.copula:
            return False
        if self.is_governed(own) or self.norms[own.head].endswith(INSTITUTIONS):
            return False
        reading = own.phrase.reading
        stems = {"his": 0xF00F, "her": 0x0FF0}.get(reading.kind, 0) if reading is not None else 0
        agents = [n for n in clause.nominals if n.start > end and (n.kind == "person" or n.human)]
        agents = [n for n in agents if n.mask & NOMINATIVES and not self.is_governed(n) and n.case in (-1, NOMINATIVE)]
        if not agents or not own.mask & ACCUSATIVES:
            return False
        verbs = [self.norms[i] for i in clause.tokens if not self.tokens[i].shape]
        if any(_AGENT_VERB.match(verb) for verb in verbs) or self._is_made(own, verbs):
            return True
        points = reading is not None and any(n.mask & stems & NOMINATIVES for n in agents)
        return points and not any(_AFFECTING.match(verb) for verb in verbs)

    def _is_made(self, nominal: Nominal, verbs: Sequence[str]) -> bool:
        """Tell whether persons make what a verb is used with (*Die Entscheidung traf die Direktorin*)."""
        made = self.norms[nominal.head].endswith(
            ("entscheidung", "wahl", "maßnahme", "vorsorge", "auswahl", "absprache")
        )
        return made and any(verb in ("traf", "trifft", "getroffen", "treffen") for verb in verbs)

    def is_affecting(self, clause: Clause) -> bool:
        """Tell whether the verb of a clause says what something does to somebody (*das sie überraschte*)."""
        return any(_MOVING.match(self.norms[i]) for i in clause.tokens if not self.tokens[i].shape)

    def _has_weder(self, index: int) -> bool:
        return "weder" in self.norms[max(0, index - 4) : index]

    def _is_object(self, clause: Clause, start: int, end: int) -> bool:
        """Tell whether a word beside a phrase, or its verb, says that it is no subject."""
        following = self._nominal_at.get(end + 1)
        is_relative = self.norms[start] == "die" and start == end and following is not None
        if is_relative and following is not None and self.norms[following.head].endswith(BODIES):
            reading = following.phrase.reading
            # die die Polizei suchte, but: die ihre Partei lobte
            return reading is None or reading.kind != "her"
        return (
            self.norm(clause.verb) in ("gibt", "gab", "gäbe", "gebe")
            and self._nominal_at.get(end) is not None
            and any(self.norms[i] == "es" for i in clause.tokens)
        )  # es gibt keine Ärztin

    def _has_other_number(self, clause: Clause, start: int, end: int, *, plural: bool) -> bool:
        """Tell whether the verb of a clause stands in another number or person than a phrase."""
        if clause.number in ("first", "second", "imperative") or (clause.number == "singular" and plural):
            return True
        joined = self.norm(end + 1) in ("und", "oder") or self.norm(start - 1) in ("und", "oder")
        return clause.number == "plural" and not plural and not joined

    def _is_left_as_subject(self, clause: Clause, start: int, end: int, others: Sequence[Nominal]) -> bool:
        """Tell whether no other phrase of the clause is, or comes first as, its subject."""
        number = PLURAL_BITS if clause.number == "plural" else SINGULAR_BITS if clause.number == "singular" else ANY
        if any(self._is_nominative(n) and n.mask & number for n in others):
            return clause.copula
        if self._after_sie(clause, start) or self._after_relative(clause, start, number):
            return False
        nominal = self._nominal_at.get(end)
        if nominal is not None and nominal.kind in ("name", "title"):
            # Stolz zeigt Winfried seine Urkunde
            others = [n for n in others if not (n.kind == "thing" and n.head == 0 and n.phrase.determiner < 0)]
        return not any(self._comes_first(n, start, number) for n in others)

    def _with_attributes(self, end: int) -> int:
        """Return the last token of a phrase with the genitives behind it (*die Fahrerin des Wagens*)."""
        following = self._nominal_at.get(end + 1)
        while following is not None and following.start == end + 1 and not following.mask & ~GENITIVES:
            end = following.head
            following = self._nominal_at.get(end + 1)
        return end

    def _are_joined(self, nominal: Nominal, start: int, end: int) -> bool:
        """Tell whether a noun phrase is joined to what stands at some tokens (*jede Bürgerin und jeder Bürger*)."""
        if nominal.head < start:
            return nominal.head == start - 2 and self.norm(start - 1) in ("und", "oder", "sowie")
        return nominal.start == end + 2 and self.norm(end + 1) in ("und", "oder", "sowie")

    def subject_pronouns(self, clause: Clause) -> list[int]:
        """Return the tokens of a clause that can be nothing but its subject; behind *als, wie* they are compared."""
        return [
            i
            for i in clause.tokens
            if self.norms[i] in SUBJECTS
            and not self._is_word(i)
            and not (self.norm(i - 1) in ("als", "wie") and i - 1 != clause.tokens[0])
        ]

    def opening(self, clause: Clause) -> int:
        """Return the first token of a clause behind its conjunction, -1 for none."""
        return next((i for i in clause.tokens if self.norms[i] not in JOINING), -1)

    def goes_on(self, clause: Clause) -> bool:
        """Tell whether a clause begins with its verb behind a conjunction, its subject being before it (*und ging*)."""
        first = self.opening(clause)
        return 0 <= first == clause.verb and self.norm(first - 1) in JOINING

    def with_subject(self, clause: Clause) -> Clause:
        """Return the clause that holds the subject of one that goes on without its own, else the clause itself."""
        is_infinitive = self._is_infinitive(clause)
        if not (is_infinitive or self.goes_on(clause)) or self._has_own_subject(clause):
            return clause
        at = next((i for i, known in enumerate(self.clauses) if known is clause), 0)
        if is_infinitive:
            return self.with_subject(self.clauses[at - 1]) if at else clause
        for before in reversed(self.clauses[:at]):
            if before.subordinate == clause.subordinate and not self.goes_on(before):
                return before
        return clause

    def _is_infinitive(self, clause: Clause) -> bool:
        """Tell whether a clause is one of *ohne, um, statt* with *zu*, or follows a verb that shares its subject."""
        if len(clause.tokens) < 2 or not self._ends_with_zu(clause):
            return False
        first = self.norms[clause.tokens[0]]
        at = next((i for i, known in enumerate(self.clauses) if known is clause), 0)
        before = self.clauses[at - 1] if at else None
        return first in ("ohne", "um", "statt", "anstatt") or (
            before is not None and any(_SHARING.match(self.norms[i]) for i in before.tokens)
        )

    def _ends_with_zu(self, clause: Clause) -> bool:
        last = clause.tokens[-1]
        return self.norm(last - 1) == "zu" or (self.norms[last].endswith("en") and "zu" in self.norms[last][2:-3])

    def _has_own_subject(self, clause: Clause) -> bool:
        if self.subject_pronouns(clause) or any(self.norms[i] in ("das", "es", "dies") for i in clause.tokens):
            return True
        return any(n.case == NOMINATIVE and not self.is_governed(n) for n in clause.nominals)

    def _is_word(self, index: int) -> bool:
        """Tell whether *jeder*, *keiner* stand before a noun."""
        nominal = self._nominal_at.get(index)
        return nominal is not None and nominal.head > index

    def is_sure_subject(self, nominal: Nominal) -> bool:
        """Tell whether a noun phrase has *der* or *ein* and can be nothing but a nominative in the singular."""
        return nominal.mask == bit(MASCULINE, NOMINATIVE) and nominal.phrase.determiner >= 0

    def _is_nominative(self, nominal: Nominal) -> bool:
        """Tell whether a noun phrase can be nothing but a subject."""
        if nominal.case >= 0 and nominal.kind != "thing":
            surely = not nominal.mask & ~NOMINATIVES or nominal.gender == MASCULINE
            return nominal.case == NOMINATIVE and nominal.phrase.determiner >= 0 and surely
        return bool(nominal.mask) and not nominal.mask & ~NOMINATIVES and not self.is_governed(nominal)

    def _comes_first(self, nominal: Nominal, start: int, number: int) -> bool:
        """Tell whether a noun phrase stands before a place and may be the subject."""
        if nominal.head >= start or not nominal.mask & NOMINATIVES & number or self.is_governed(nominal):
            return False
        if nominal.case > NOMINATIVE or self.norms[nominal.head] in words("time"):
            return False
        if self.norm(nominal.start - 1) in ("als", "wie"):
            return False
        return not self.is_attribute(nominal)

    def is_attribute(self, nominal: Nominal) -> bool:
        """Tell whether a noun phrase may be a genitive behind another noun (*das Buch der Lehrerin*)."""
        if not nominal.mask & GENITIVES or nominal.start == 0:
            return False
        before = self._nominal_at.get(nominal.start - 1)
        return before is not None and before.head == nominal.start - 1 and before.kind != "name"

    def _after_relative(self, clause: Clause, start: int, number: int) -> bool:
        """Tell whether the relative pronoun at the beginning of a clause may be its subject."""
        first = clause.tokens[0] if clause.tokens else start
        if first >= start or self.norms[first] not in ("der", "die", "das") or self._nominal_at.get(first) is not None:
            return False
        before = self._nominal_at.get(first - 2) if self.norm(first - 1) == "," else None
        if before is None:
            return False
        own = self._nominal_at.get(start)
        if before.kind == "thing" and own is not None and own.kind != "thing":
            return False  # das Kleid, das ihre Schwester nähte
        gender = {"der": 0x00F, "das": 0xF000, "die": 0x0F0 | 0xF00}[self.norms[first]]
        return bool(before.mask & gender & number)

    def _after_sie(self, clause: Clause, start: int) -> bool:
        """Tell whether *sie* or *Sie* stands before a place in the clause as its subject."""
        return any(
            self.norms[i] == "sie" and i < start and self.norm(i - 1) not in self.closed.prepositions
            for i in clause.tokens
        )
