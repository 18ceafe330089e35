"""German pronouns for swapping: personal, possessive and relative ones, with case and number worked out.

*sie* is one woman, a thing, or several; *ihr* is a dative, a possessive, or the plural of *du*; *Sie* and *Ihr* with a
capital within a sentence are polite. The verb beside them, the other phrases of the clause and what they mean
(:mod:`rewriter.de.turning.reference`) tell them apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rewriter.de.certain_cases import DATIVE_VERBS
from rewriter.de.inflection import ACCUSATIVE, DATIVE, FEMININE, GENITIVE, MASCULINE, NOMINATIVE, PLURAL, match_case
from rewriter.de.phrases import FUNCTION
from rewriter.de.turning.clauses import NOMINATIVES, SUBJECTS, Clause, ClauseSentence, Nominal, finite
from rewriter.de.turning.grammar import NEUTER, ending_of, words
from rewriter.de.turning.reference import PERSON_VERB, Entity, References
from rewriter.records import Edit

_PERSONAL = {MASCULINE: ("er", "ihn", "ihm"), FEMININE: ("sie", "sie", "ihr"), NEUTER: ("es", "es", "ihm")}
_RELATIVE = {
    MASCULINE: ("der", "den", "dem", "dessen"),
    FEMININE: ("die", "die", "der", "deren"),
    NEUTER: ("das", "das", "dem", "dessen"),
}
_POSSESSIVE = re.compile(r"(sein|ihr)(e[nmrs]?|)")
_DOUBLES = (frozenset({"er", "sie"}), frozenset({"ihn", "sie"}), frozenset({"ihm", "ihr"}))
ALONE = frozenset(stem + ending for stem in ("ein", "kein", "jed", "manch") for ending in ("er", "e", "en", "em"))
ALONE |= {"derjenige", "denjenigen", "demjenigen", "desjenigen", "diejenige", "derjenigen"}
_WANTS = frozenset("will wollte möchte mochte".split())
#: subjects in the plural
_SEVERAL = frozenset("wir alle viele einige manche mehrere beide andere wenige".split())
_PLAIN = {"seinetwegen": "ihretwegen", "seinesgleichen": "ihresgleichen", "seinerseits": "ihrerseits"}
#: forms one of which every sentence holds in which a pronoun is turned and no noun is
PRONOUNS = frozenset({"er", "ihn", "ihm", "sie", "derjenige", "denjenigen", "demjenigen", "desjenigen", "diejenige"})
PRONOUNS |= {"derjenigen"}
PRONOUNS |= {stem + ending for stem in ("sein", "ihr") for ending in ("", "e", "en", "em", "er", "es")}
PRONOUNS |= {*_PLAIN, *_PLAIN.values()}
_OTHER = {MASCULINE: FEMININE, FEMININE: MASCULINE, NEUTER: MASCULINE}
_GIVING = re.compile(
    r"(?:ge)?(?:geb(?!or|aut)|gab|gib|schenk|bring|brach|zeig|schick|leih|lieh|sag|wünsch|nehm|nahm|nimm|mach|koch|kauf|dank|biet|bot|helf|half|hilf)"
)
_KIN = re.compile(
    r".*(?:mutter|vater|bruder|schwester|sohn|tochter|mann|frau|kind|kinder|eltern|freund|freundin|chef|chefin|oma|opa|"
    r"tante|onkel|verlobte[rn]?|partner|partnerin|söhne|töchter|brüder|geschwister|familie|neffe|nichte|enkel|enkelin|kollegin|kollege|nachbarin|nachbar)"
)


@dataclass(frozen=True, slots=True)
class Link:
    """What a pronoun means.

    Attributes:
        root: token of a noun, of the pronoun itself where nothing explains it.
        case: of the pronoun, -1 for a possessive.
        doubtful: nothing explains it, and its predicate suits a thing (*Er wurde 1890 gebaut*).
    """

    root: int
    case: int = -1
    doubtful: bool = False


class PronounTurner:
    """Turns the pronouns of one sentence; its noun phrases have been read.

    Args:
        sentence: the sentence.
        references: what may be meant.
        targets: genders that words are turned to.
        polite: somebody is addressed with *Sie* in the text.
    """

    def __init__(
        self, sentence: ClauseSentence, references: References, targets: Sequence[int], *, polite: bool
    ) -> None:
        self.sentence, self.references, self.targets, self.polite = sentence, references, targets, polite
        self.edits: list[Edit] = []
        self.stems: dict[int, str] = {}
        self.links: dict[int, Link] = {}

    def decide(self) -> dict[int, str]:
        """Decide all pronouns; edits of those that stand alone are kept, stems of possessives returned by token."""
        norms = self.sentence.norms
        free = [i for i, norm in enumerate(norms) if norm in _DECIDED and not self.sentence.is_blocked(i)]
        for index in free:
            if norms[index] in _RELATIVE_READINGS:
                self._relative(index, norms[index])
            elif norms[index] in ALONE:
                self._demonstrative(index, norms[index])
        for index in free:
            norm = norms[index]
            if norm in ("er", "ihn", "ihm"):
                self._masculine(index, norm)
            elif norm == "sie":
                self._sie(index)
            elif norm == "ihr" and not self._is_possessive(index):
                self._ihr(index)
            elif norm == "es":
                self._es(index)
        for index in free:
            norm = norms[index]
            if norm[:3] not in ("sei", "ihr"):
                continue
            match = _POSSESSIVE.fullmatch(norm)
            if match and self._is_possessive(index):
                self._possessive(index, match[1])
            elif norm in _PLAIN or norm in _PLAIN.values():
                self._plain(index, norm)
        return self.stems

    # -- personal

    def _masculine(self, index: int, norm: str) -> None:
        if not self._is_pronoun(index):
            return
        case = _PERSONAL[MASCULINE].index(norm)
        if self._double(index):
            self._turn(index, MASCULINE, FEMININE, case)
            return
        genders = (MASCULINE, NEUTER) if case == DATIVE else (MASCULINE,)
        entity = self.references.find(index, genders, subject=case == NOMINATIVE)
        if entity is not None and not entity.swaps:
            self._leave(index, MASCULINE, case, entity)
            return
        if entity is not None and entity.gender == NEUTER and case != DATIVE:
            return
        self._turn(index, MASCULINE, self._target(entity, MASCULINE), case, entity)

    def _sie(self, index: int) -> None:
        if not self._is_pronoun(index):
            return
        partner = self._double(index)
        if partner:
            self._turn(index, FEMININE, MASCULINE, ACCUSATIVE if partner == "ihn" else NOMINATIVE)
            return
        beside = self._joined(index)
        if beside:
            self._turn(index, FEMININE, MASCULINE, ACCUSATIVE if beside == "ihn" else NOMINATIVE)
            return
        if self.sentence.clause(index).verb < 0 and self.sentence.nominal_at(index + 1) is not None:
            return  # Sie Betrüger!
        number = self._number_beside(index)
        governed = self._is_governed(index)
        if not governed and number == "plural" and not self._has_plural_subject(index):
            self.references.add(index, PLURAL, -1, subject=True)
            return
        subject = not governed and number != "first" and self._is_subject(index, number)
        if not subject and self._begins(index) and self.sentence.tokens[index].shape and self.polite and index == 0:
            return
        entity = self._meant(index, subject=subject)
        case = NOMINATIVE if subject else ACCUSATIVE
        if entity is not None and not entity.swaps:
            self._leave(index, entity.gender, case, entity)
            return
        self._turn(index, FEMININE, self._target(entity, FEMININE), case, entity)

    def _joined(self, index: int) -> str:
        """Return what *sie* is joined to by *und* as one of two persons (*er und sie*, *sie und ihr Bruder*)."""
        norm = self.sentence.norm
        if norm(index - 1) in ("und", "oder", "noch") and norm(index - 2) in ("er", "ich", "du", "ihn"):
            return norm(index - 2)
        before = self.sentence.nominal_at(index - 2) if norm(index - 1) == "und" else None
        if before is not None and before.human and self.sentence.clause(index).number == "plural":
            return "er"
        if norm(index + 1) not in ("und", "noch") or norm(index - 1) in self.sentence.closed.prepositions:
            return ""
        following = self.sentence.tokens[index + 2] if index + 2 < len(self.sentence.tokens) else None
        if following is None or following.shape or norm(index + 2) not in ("er", "ihn", "ihr", "ihre", "ich", "du"):
            return ""
        return norm(index + 2)

    def _is_governed(self, index: int) -> bool:
        before = self.sentence.norm(index - 1)
        return index > 0 and before in self.sentence.closed.prepositions and not self.sentence.is_conjunction(index - 1)

    def _meant(self, index: int, *, subject: bool) -> Entity | None:
        """Return what *sie* means: as an object it may be several, too, unless a woman is near."""
        one = self.references.find(index, (FEMININE,), subject=subject)
        if subject or (one is not None and one.swaps):
            return one
        many = self.references.find(index, (PLURAL,), subject=subject)
        if one is None:
            return many
        return many if many is not None and many.token > one.token else one

    def _is_subject(self, index: int, number: str) -> bool:
        clause = self.sentence.clause(index)
        if index == clause.verb + 1 and self.sentence.goes_on(clause):
            return False  # und faltete sie
        if clause.copula and clause.subordinate and index + 1 == clause.verb:
            return True  # wer sie war
        if index + 1 == clause.verb or (clause.verb >= 0 and index - 1 == clause.verb):
            # right beside its verb it is the subject unless something else must be
            is_object = index - 1 == clause.verb and not clause.copula and self._subject_before(index, clause)
            if self.sentence.subject_pronouns(clause) or is_object:
                return False
            if clause.copula and index - 1 == clause.verb:
                return True
        elif clause.subordinate and clause.tokens and index == clause.tokens[0] + 1 and number == "singular":
            first = self.sentence.norms[clause.tokens[0]]
            if not self.sentence.subject_pronouns(clause) and first not in ("der", "wer"):
                return first not in ("das", "die", "was") or not self.sentence.is_affecting(clause)
        return self.sentence.is_subject(index, index)

    def _subject_before(self, index: int, clause: Clause) -> bool:
        """Tell whether a phrase stands before the verb that may be the subject (*Die Frau sieht sie*)."""
        return self.sentence.norm(clause.verb - 1) == "es" or any(
            n.head < clause.verb
            and n.case == NOMINATIVE
            and not self.sentence.is_governed(n)
            and self.sentence.norm(n.start - 1) not in ("als", "wie")
            for n in self.sentence.nominals
            if self.sentence.clause(n.head) is clause
        )

    def _number_beside(self, index: int) -> str:
        """Return the number that the verb tells, first of all one right beside the pronoun."""
        clause = self.sentence.clause(index)
        if clause.subordinate and clause.verb > index:
            return clause.number  # bis sie gehen musste
        for at in (index + 1, index - 1):
            strength = self.sentence.strength(at)
            is_verb = strength > 1 or (strength > 0 and at == clause.verb)
            if is_verb and (at == index + 1 or self.sentence.clause(at) is clause):
                return finite(self.sentence.norms[at])[0]
        if not clause.number and self._infinitive_like(clause, index):
            return "plural"
        return clause.number

    def _infinitive_like(self, clause: Clause, index: int) -> bool:
        """Tell whether a form in *-en* beside the pronoun or at the end is its verb (*wenn sie laufen, sie rennen*)."""
        norms = self.sentence.norms
        last = norms[clause.tokens[-1]] if clause.tokens else ""
        beside = [self.sentence.norm(index + 1), self.sentence.norm(index - 1), last]
        beside = [word for word in beside if word not in self.sentence.lexicon.determiners and word not in FUNCTION]
        return any(len(w) > 4 and w.endswith(("en", "ern", "eln")) and not w.endswith("sten") for w in beside)

    def _has_plural_subject(self, index: int) -> bool:
        clause = self.sentence.clause(index)
        if index == clause.verb + 1 and self.sentence.goes_on(clause):
            return True  # und mögen sie
        if any(self.sentence.norms[i] in _SEVERAL and self.sentence.nominal_at(i) is None for i in clause.tokens):
            return True
        if any(self.sentence.norms[i] == "sie" and i < index for i in clause.tokens):
            return True
        return any(
            n.gender in (PLURAL, -1) and n.mask & 0x100 and not self.sentence.is_governed(n) and n.head < index
            for n in self.sentence.nominals
            if self.sentence.clause(n.head) is clause
        )

    def _ihr(self, index: int) -> None:
        """Turn the dative *ihr*; the plural of *du* stays."""
        if not self._is_pronoun(index) or self._is_second(index):
            return
        if self._double(index):
            self._turn(index, FEMININE, MASCULINE, DATIVE)
            return
        entity = self.references.find(index, (FEMININE,), subject=False)
        if entity is not None and not entity.swaps:
            if entity.anybody:
                self._leave(index, FEMININE, DATIVE, entity)
            return
        self._turn(index, FEMININE, self._target(entity, FEMININE), DATIVE, entity)

    def _is_second(self, index: int) -> bool:
        norm, clause = self.sentence.norm, self.sentence.clause(index)
        if any(self.sentence.norms[i] == "du" for i in clause.tokens):
            return False
        if index == clause.verb + 1 and self.sentence.goes_on(clause):
            return False  # und zahlt ihr wenig
        for at in (index + 1, index - 1):
            if finite(norm(at))[0] == "second" and clause.number != "imperative":
                return True
        if clause.number == "second":
            return True
        if self.sentence.norm(index - 1) in self.sentence.closed.prepositions:
            return False
        beside = (
            index + 1 == clause.verb or index - 1 == clause.verb or (clause.tokens and index == clause.tokens[0] + 1)
        )
        verb = norm(clause.verb) if clause.verb >= 0 else ""
        if not beside or not verb.endswith("t") or self._has_subject(clause):
            return False
        return not any(
            n.case == NOMINATIVE and self.sentence.norms[n.head] not in words("time")
            for n in self.sentence.nominals
            if self.sentence.clause(n.head) is clause
        )

    def _has_subject(self, clause: Clause) -> bool:
        norms = [self.sentence.norms[i] for i in clause.tokens]
        if "was" in norms and clause.verb >= 0 and DATIVE_VERBS.match(self.sentence.norms[clause.verb]):
            return True  # Was fehlt ihr? but: Was macht ihr?
        return any(norm in SUBJECTS or norm in ("es", "das", "sie") for norm in norms)

    def _es(self, index: int) -> None:
        """Turn *es* that means a girl of the same sentence (*Das Mädchen sagt, dass es müde ist*)."""
        if index == 0 or self.sentence.tokens[index].shape:
            return
        clause = self.sentence.clause(index)
        first = clause.tokens[0] if clause.tokens else -1
        girls = [
            e for e in self.references.entities if e.gender == NEUTER and e.token < index and e.clause is not clause
        ]
        if not girls or not girls[-1].swaps:
            return
        goes_on = index == first and clause.verb >= 0 and PERSON_VERB.match(self.sentence.norms[clause.verb])
        if not goes_on and (index != first + 1 or not clause.subordinate):
            return
        self._turn(index, NEUTER, girls[-1].target, NOMINATIVE)

    # -- possessive

    def _is_possessive(self, index: int) -> bool:
        """Tell whether a form of *sein, ihr* stands before what is possessed."""
        norm, nominal = self.sentence.norms[index], self.sentence.nominal_at(index)
        if norm not in ("sein", "ihr"):
            return _POSSESSIVE.fullmatch(norm) is not None
        if nominal is not None and nominal.phrase.determiner == index and nominal.phrase.reading is not None:
            if nominal.phrase.reading.kind not in ("his", "her"):
                return False
            return norm == "sein" or not self._is_dative_before(index, nominal)
        return False

    def _is_dative_before(self, index: int, nominal: Nominal) -> bool:
        """Tell whether *ihr* before a noun is a dative (*gab ihr Geld*, *ihr Kinder*)."""
        if self._is_second(index) and self.sentence.clause(index).number == "second":
            return True
        if nominal.mask & 0xF00 and not nominal.mask & 0xF0FF:
            return True
        bare = nominal.head == index + 1 and nominal.kind == "thing"
        verb = self.sentence.clause(index).verb
        gives = verb >= 0 and _GIVING.match(self.sentence.norms[verb]) is not None and verb < index
        return bare and gives and self.sentence.norms[nominal.head] in words("mass")

    def _possessive(self, index: int, stem: str) -> None:
        sentence = self.sentence
        if sentence.tokens[index].shape and not self._begins(index):
            return
        nominal = sentence.nominal_at(index)
        if sentence.norms[index] in ("ihrer", "seiner") and nominal is None and not self._is_before_noun(index):
            return
        own = nominal if nominal is not None and nominal.phrase.determiner == index else None
        genders = (MASCULINE, NEUTER) if stem == "sein" else (FEMININE, PLURAL)
        double = self._double_possessive(index)
        entity = None if double else self.references.possessor(index, own, genders)
        if isinstance(entity, str):
            self._link_anybody(index)
            return
        if entity is not None and entity.anybody:
            self.links[index] = Link(entity.root)
            return
        if entity is not None and (not entity.swaps or entity.gender == PLURAL):
            return
        if entity is None and not double and not self._stands_for_person(index, stem, own):
            return
        gender = MASCULINE if stem == "sein" else FEMININE
        target = _OTHER[gender] if entity is None else entity.target
        if target == NEUTER or (entity is not None and entity.gender == NEUTER):
            target = MASCULINE if target in (NEUTER, MASCULINE) else FEMININE
        self._turn_possessive(index, stem, target, own)
        if index in self.stems or (self.edits and self.edits[-1].start == sentence.tokens[index].start):
            self.links[index] = Link(_root(index, entity))

    def _link_anybody(self, index: int) -> None:
        """Link *sein* to *jeder, keiner, einer* in its clause (*Jeder kennt seine Grenzen*), not to *man* or *wer*."""
        tokens = self.sentence.clause(index).tokens
        root = next((i for i in tokens if self.sentence.norms[i] in ALONE and i < index), -1)
        if root >= 0 and self.sentence.nominal_at(root) is None:
            self.links[index] = Link(root)

    def _turn_possessive(self, index: int, stem: str, target: int, own: Nominal | None) -> None:
        after = "ihr" if target == FEMININE else "sein"
        blocked = len(self.targets) == 1 and (
            (target if target in (MASCULINE, FEMININE) else MASCULINE) not in self.targets
            or self._double_possessive(index)
        )
        if after == stem or blocked:
            return
        if own is not None:
            self.stems[index] = after
        else:
            self._edit(index, after + self.sentence.norms[index][len(stem) :], "possessive")

    def _stands_for_person(self, index: int, stem: str, own: Nominal | None) -> bool:
        """Tell whether a possessive that nothing explains is taken for a person's: not *Ihr* that may be polite."""
        if stem == "sein" or not self.sentence.tokens[index].shape:
            return True
        if any(edit.kind == "pronoun" and edit.before.lower() in ("sie", "ihr") for edit in self.edits):
            return True  # Ihre Romane machten sie berühmt
        head = self.sentence.norms[own.head] if own is not None else ""
        return not self.polite and _KIN.fullmatch(head) is not None

    def _is_before_noun(self, index: int) -> bool:
        return any(
            self.sentence.nominal_at(i) is not None for i in range(index + 1, min(index + 4, len(self.sentence.norms)))
        )

    def _double_possessive(self, index: int) -> bool:
        norm = self.sentence.norms[index]
        for step in (-1, 1):
            other = self.sentence.norm(index + 2 * step)
            joined = self.sentence.norm(index + step) in ("oder", "/", "bzw", "und")
            if joined and _POSSESSIVE.fullmatch(other) and {other[:3], norm[:3]} == {"sei", "ihr"}:
                return True
        return False

    def _plain(self, index: int, norm: str) -> None:
        is_his = norm.startswith("sein")
        genders = (MASCULINE, NEUTER) if is_his else (FEMININE, PLURAL)
        entity = self.references.find(index, genders)
        target = FEMININE if is_his else MASCULINE
        if (entity is not None and not entity.swaps) or target not in self.targets:
            return
        other = _PLAIN.get(norm) or next(his for his, hers in _PLAIN.items() if hers == norm)
        self._edit(index, other, "possessive")
        self.links[index] = Link(_root(index, entity))

    # -- relative

    def _relative(self, index: int, norm: str) -> None:
        reading = _relative_reading(norm)
        if reading is None or self.sentence.nominal_at(index) is not None or not self._opens_relative(index):
            return
        subject = self.sentence.is_subject(index, index)
        governed = self.sentence.norm(index - 1) in self.sentence.closed.prepositions
        if norm in ("der", "welcher") and not governed:
            return self._relative_der(index, norm, reading)
        cases = {c for _, c in reading}
        cells = [(g, c) for g, c in reading if self._fits(c, cases, subject=subject, governed=governed)]
        self._turn_relative(index, norm, cells)

    def _relative_der(self, index: int, norm: str, reading: Sequence[tuple[int, int]]) -> None:
        """Turn *der*, a nominative behind a masculine, a dative behind a feminine if something else is the subject."""
        clause, sentence = self.sentence.clause(index), self.sentence
        other = bool(sentence.subject_pronouns(clause)) or any(
            n.mask & NOMINATIVES and not sentence.is_governed(n) and sentence.clause(n.head) is clause
            for n in sentence.nominals
        )
        other = other or any(sentence.norms[i] in ("sie", "es", "das") and i != index for i in clause.tokens)
        cells = [(g, c) for g, c in reading if c == NOMINATIVE or other]
        if self._antecedent(index, cells) is None:
            cells = list(reading)  # die Mieterin, der gekündigt wurde
        self._turn_relative(index, norm, cells)

    def _turn_relative(self, index: int, norm: str, cells: Sequence[tuple[int, int]]) -> None:
        found = self._antecedent(index, cells)
        if found is None:
            return
        entity, case = found
        if entity.anybody:
            self._leave(index, entity.gender, case, entity)
            return
        target = entity.target if entity.swaps else -1
        self.references.add(index, entity.gender, target, subject=case == NOMINATIVE, root=entity.root)
        if not entity.swaps or entity.gender == PLURAL:
            return
        if norm.startswith("welch"):
            after = "welch" + ending_of("pronominal", entity.target, case)
        else:
            after = _RELATIVE[entity.target][case]
        self._edit(index, after, "relative")
        self.links[index] = Link(_root(index, entity), case)

    def _opens_relative(self, index: int) -> bool:
        sentence, clause = self.sentence, self.sentence.clause(index)
        if not clause.tokens or sentence.tokens[index].shape:
            return False
        first = index
        if sentence.norm(index - 1) in sentence.closed.prepositions:
            first = index - 1
        joined = sentence.norm(first - 1) in ("und", "oder") and sentence.norms[index] != "das"
        return sentence.norm(first - 1) in (",", "–", "(") or (joined and clause.subordinate)

    def _fits(self, case: int, cases: set[int], *, subject: bool, governed: bool) -> bool:
        if len(cases) == 1:
            return True
        if governed:
            return case in (ACCUSATIVE, DATIVE, GENITIVE)
        if case == NOMINATIVE:
            return subject
        return case in (GENITIVE, DATIVE, ACCUSATIVE) and (not subject or case == GENITIVE)

    def _antecedent(self, index: int, cells: Sequence[tuple[int, int]]) -> tuple[Entity, int] | None:
        clause = self.sentence.clause(index)
        found = [
            (entity, case)
            for entity in reversed(self.references.entities)
            if entity.token < index and entity.clause is not clause and index - entity.token <= 12
            for gender, case in cells
            if entity.gender == gender and self._agrees(gender, case, clause)
        ]
        root = self._joined_root(index)
        found = [(entity, case) for entity, case in found if entity.root == root] or found
        if not found:
            return None
        nearest, case = found[0]
        if len(found) > 1 and not nearest.human and case == NOMINATIVE and self._wants(clause):
            # der Verfasser des Briefes, der schweigen wollte
            return next(((e, c) for e, c in found if e.human and e.clause is nearest.clause), found[0])
        return found[0]

    def _joined_root(self, index: int) -> int:
        """Return what the relative clause before means that one is joined to (*deren Sohn lebt und der das gehört*)."""
        at = index - 1 if self.sentence.norm(index - 1) not in self.sentence.closed.prepositions else index - 2
        if self.sentence.norm(at) not in ("und", "oder") or at < 1:
            return -1
        before = self.sentence.clause(at - 1)
        links = (self.links[i].root for i in before.tokens[:2] if i in self.links)
        return next(links, -1) if before.subordinate else -1

    def _wants(self, clause: Clause) -> bool:
        """Tell whether the predicate of a clause suits persons only."""
        norms = self.sentence.norms
        return any(norms[i] in _WANTS or PERSON_VERB.match(norms[i]) for i in clause.tokens if i == clause.verb)

    def _agrees(self, gender: int, case: int, clause: Clause) -> bool:
        if case != NOMINATIVE or not clause.number:
            return True
        return (gender == PLURAL) == (clause.number == "plural")

    def _demonstrative(self, index: int, norm: str) -> None:
        """Turn *derjenige, der*, and *einer der Lehrer, jede der Frauen*."""
        if self.sentence.nominal_at(index) is not None:
            return
        if norm in _THAT_ONE and self.sentence.norm(index + 1) == ",":
            gender, case = _THAT_ONE[norm]
            if gender in (MASCULINE, FEMININE) and _OTHER[gender] in self.targets:
                self._turn_that_one(index, gender, case)
            return
        match = re.fullmatch(r"(ein|kein|jed|manch)(er|e|en|em)", norm)
        if match is not None and match[1] != "manch" and self.sentence.norm(index + 1) == ",":
            self._add_anybody(index, norm)
            return
        following = self.sentence.nominal_at(index + 1) or (
            self.sentence.nominal_at(index + 2) if self.sentence.norm(index + 1) in ("von", "unter") else None
        )
        following = following or next((n for n in self.sentence.nominals if n.head < index and self._is_among(n)), None)
        if match is None or following is None or following.gender != PLURAL or not following.swaps:
            return
        noun = following.phrase.word.noun
        gender = FEMININE if noun is not None and noun.gender == FEMININE else MASCULINE
        case = self._case_alone(index, match[2], gender)
        if case < 0:
            return
        self.references.add(index, gender, _OTHER[gender], subject=case == NOMINATIVE)
        self._edit(index, match[1] + ending_of("pronominal", _OTHER[gender], case), "pronoun")
        self.links[index] = Link(index, case)

    def _is_among(self, nominal: Nominal) -> bool:
        """Tell whether a phrase tells of whom one is meant (*Von den Schülern hatte keiner gelernt*)."""
        return nominal.gender == PLURAL and self.sentence.norm(nominal.start - 1) in ("von", "unter")

    def _case_alone(self, index: int, ending: str, gender: int) -> int:
        subject = self.sentence.is_subject(index, index)
        cells = [c for c in range(4) if ending_of("pronominal", gender, c) == ending]
        if NOMINATIVE in cells and ACCUSATIVE in cells:
            return NOMINATIVE if subject else ACCUSATIVE
        return cells[0] if cells else -1

    def _turn_that_one(self, index: int, gender: int, case: int) -> None:
        if gender == FEMININE and case == NOMINATIVE and not self.sentence.is_subject(index, index):
            case = ACCUSATIVE
        other = _OTHER[gender]
        stem = _RELATIVE[other][case] if case != GENITIVE else "des" if other == MASCULINE else "der"
        self.references.add(index, gender, other, subject=case == NOMINATIVE)
        self.links[index] = Link(index, case)
        self._edit(
            index,
            stem + "jenige" + ("" if stem in ("der", "die") and case == NOMINATIVE else "" if stem == "die" else "n"),
            "pronoun",
        )

    def _add_anybody(self, index: int, norm: str) -> None:
        """Take *jeder, der*, *keine, die* ... as what the relative pronoun behind it means."""
        at = index + 2
        if self.sentence.norm(at) in self.sentence.closed.prepositions:
            at += 1
        relative = self.sentence.norm(at)
        clause = self.sentence.clause(at) if at < len(self.sentence.tokens) else None
        if relative not in _RELATIVE_READINGS or self.sentence.nominal_at(at) is not None or clause is None:
            return
        if clause is self.sentence.clause(index) or clause.number == "plural":
            return
        is_masculine = norm.endswith(("en", "em")) or (norm.endswith("er") and relative not in ("die", "deren"))
        case = {"em": DATIVE, "en": ACCUSATIVE, "er": NOMINATIVE if is_masculine else DATIVE}.get(norm[-2:], NOMINATIVE)
        if norm[-1] == "e" and not self.sentence.is_subject(index, index):
            case = ACCUSATIVE
        self.links[index] = Link(index, case)
        gender = MASCULINE if is_masculine else FEMININE
        self.references.add_anybody(index, gender, subject=case == NOMINATIVE, root=index)

    # -- shared

    def _leave(self, index: int, gender: int, case: int, entity: Entity) -> None:
        """Leave a pronoun whose person stays, as something that later ones may mean."""
        if not entity.anybody:
            self.references.add(index, gender, -1, subject=case == NOMINATIVE)
            return
        self.links[index] = Link(entity.root, case)
        self.references.add_anybody(index, gender, subject=case == NOMINATIVE, root=entity.root)

    def _target(self, entity: Entity | None, gender: int) -> int:
        return _OTHER[gender] if entity is None or entity.target < 0 else entity.target

    def _turn(self, index: int, gender: int, target: int, case: int, entity: Entity | None = None) -> None:
        side = MASCULINE if target == NEUTER and gender == FEMININE else target
        side = FEMININE if target == NEUTER and gender == MASCULINE else side
        if side not in self.targets or (len(self.targets) == 1 and self._double(index)):
            self.references.add(index, gender, -1, subject=case == NOMINATIVE)
            return
        root = _root(index, entity)
        self.references.add(index, gender, target, subject=case == NOMINATIVE, root=root)
        is_them = gender == FEMININE and case == ACCUSATIVE  # wir sahen sie: one or several
        suits_things = self.references.suits_things(self.sentence.clause(index), subject=case == NOMINATIVE)
        doubtful = entity is None and (is_them or suits_things)
        self.links[index] = Link(root, case, doubtful)
        self._edit(index, _PERSONAL[target][case], "pronoun")

    def _double(self, index: int) -> str:
        """Return the pronoun of the other gender beside one (*er oder sie*), empty where there is none."""
        norm = self.sentence.norms[index]
        for step in (-1, 1):
            other, joint = self.sentence.norm(index + 2 * step), self.sentence.norm(index + step)
            joined = joint in ("oder", "/", "bzw") or (joint == "und" and len(self.targets) == 1)
            if joined and frozenset({norm, other}) in _DOUBLES:
                return other
        return ""

    def _is_pronoun(self, index: int) -> bool:
        """Tell whether a form is no polite address, name or abbreviation by its capital."""
        token = self.sentence.tokens[index]
        if token.shape == 0:
            return True
        if token.shape == 2 and len(token.norm) > 1:
            return self.sentence.text.isupper()
        return self._begins(index)

    def _begins(self, index: int) -> bool:
        return self.sentence.begins(index)

    def _edit(self, index: int, after: str, kind: str) -> None:
        token = self.sentence.tokens[index]
        before = self.sentence.text[token.start : token.end]
        styled = match_case(before, after)
        if styled != before:
            self.edits.append(Edit(token.start, token.end, before, styled, kind, f"{before} -> {styled}"))


def _root(index: int, entity: Entity | None) -> int:
    return index if entity is None or entity.root < 0 else entity.root


def _relative_reading(norm: str) -> list[tuple[int, int]] | None:
    return _RELATIVE_READINGS.get(norm)


_RELATIVE_READINGS: dict[str, list[tuple[int, int]]] = {
    "der": [(MASCULINE, NOMINATIVE), (FEMININE, DATIVE)],
    "die": [(FEMININE, NOMINATIVE), (FEMININE, ACCUSATIVE), (PLURAL, NOMINATIVE), (PLURAL, ACCUSATIVE)],
    "das": [(NEUTER, NOMINATIVE), (NEUTER, ACCUSATIVE)],
    "den": [(MASCULINE, ACCUSATIVE)],
    "dem": [(MASCULINE, DATIVE), (NEUTER, DATIVE)],
    "dessen": [(MASCULINE, GENITIVE), (NEUTER, GENITIVE)],
    "deren": [(FEMININE, GENITIVE), (PLURAL, GENITIVE)],
    "welcher": [(MASCULINE, NOMINATIVE), (FEMININE, DATIVE)],
    "welche": [(FEMININE, NOMINATIVE), (FEMININE, ACCUSATIVE), (PLURAL, NOMINATIVE), (PLURAL, ACCUSATIVE)],
    "welchen": [(MASCULINE, ACCUSATIVE)],
    "welchem": [(MASCULINE, DATIVE), (NEUTER, DATIVE)],
}
#: what is decided
_DECIDED = PRONOUNS | _RELATIVE_READINGS.keys() | ALONE | {"es"}
_THAT_ONE = {
    "derjenige": (MASCULINE, NOMINATIVE),
    "denjenigen": (MASCULINE, ACCUSATIVE),
    "demjenigen": (MASCULINE, DATIVE),
    "desjenigen": (MASCULINE, GENITIVE),
    "diejenige": (FEMININE, NOMINATIVE),
    "derjenigen": (FEMININE, DATIVE),
}
