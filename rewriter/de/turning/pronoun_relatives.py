"""German relative pronouns, and pronouns that stand for one of several (*derjenige, der*; *einer der Lehrer*)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.de.inflection import ACCUSATIVE, DATIVE, FEMININE, GENITIVE, MASCULINE, NOMINATIVE, PLURAL
from rewriter.de.turning.clauses import NOMINATIVES, Clause, Nominal
from rewriter.de.turning.grammar import NEUTER, ending_of
from rewriter.de.turning.pronoun_base import ALONE, OTHER, PronounBase
from rewriter.de.turning.reference import PERSON_VERB, Entity

_RELATIVE = {
    MASCULINE: ("der", "den", "dem", "dessen"),
    FEMININE: ("die", "die", "der", "deren"),
    NEUTER: ("das", "das", "dem", "dessen"),
}
_WANTS = frozenset("will wollte möchte mochte".split())
READINGS: dict[str, list[tuple[int, int]]] = {
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
_THAT_ONE = {
    "derjenige": (MASCULINE, NOMINATIVE),
    "denjenigen": (MASCULINE, ACCUSATIVE),
    "demjenigen": (MASCULINE, DATIVE),
    "desjenigen": (MASCULINE, GENITIVE),
    "diejenige": (FEMININE, NOMINATIVE),
    "derjenigen": (FEMININE, DATIVE),
}


class RelativeTurner(PronounBase):
    """Turns relative pronouns and those that stand for one of several."""

    def turn_relatives(self, free: Sequence[int]) -> None:
        """Decide those of some tokens."""
        norms = self.sentence.norms
        for index in free:
            if norms[index] in READINGS:
                self._relative(index, norms[index])
            elif norms[index] in ALONE:
                self._demonstrative(index, norms[index])

    def _relative(self, index: int, norm: str) -> None:
        reading = READINGS.get(norm)
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
        self.roots[index] = index if entity.root < 0 else entity.root

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
        root = self._joinedroot_of(index)
        found = [(entity, case) for entity, case in found if entity.root == root] or found
        if not found:
            return None
        nearest, case = found[0]
        if len(found) > 1 and not nearest.human and case == NOMINATIVE and self._wants(clause):
            # der Verfasser des Briefes, der schweigen wollte
            return next(((e, c) for e, c in found if e.human and e.clause is nearest.clause), found[0])
        return found[0]

    def _joinedroot_of(self, index: int) -> int:
        """Return what the relative clause before means that one is joined to (*deren Sohn lebt und der das gehört*)."""
        at = index - 1 if self.sentence.norm(index - 1) not in self.sentence.closed.prepositions else index - 2
        if self.sentence.norm(at) not in ("und", "oder") or at < 1:
            return -1
        before = self.sentence.clause(at - 1)
        roots = (self.roots[i] for i in before.tokens[:2] if i in self.roots)
        return next(roots, -1) if before.subordinate else -1

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
            if norm == "derjenigen" and self._number_behind(index + 2) != "singular":
                return  # 70 Prozent derjenigen, die kommen
            if gender in (MASCULINE, FEMININE) and OTHER[gender] in self.targets:
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
        self.references.add(index, gender, OTHER[gender], subject=case == NOMINATIVE)
        self._edit(index, match[1] + ending_of("pronominal", OTHER[gender], case), "pronoun")
        self.roots[index] = index

    def _number_behind(self, index: int) -> str:
        """Return the number that the verb of the clause at a token tells."""
        return self.sentence.clause(index).number if index < len(self.sentence.tokens) else ""

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
        other = OTHER[gender]
        stem = _RELATIVE[other][case] if case != GENITIVE else "des" if other == MASCULINE else "der"
        self.references.add(index, gender, other, subject=case == NOMINATIVE)
        self.roots[index] = index
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
        if relative not in READINGS or self.sentence.nominal_at(at) is not None or clause is None:
            return
        if clause is self.sentence.clause(index) or clause.number == "plural":
            return
        is_masculine = norm.endswith(("en", "em")) or (norm.endswith("er") and relative not in ("die", "deren"))
        case = {"em": DATIVE, "en": ACCUSATIVE, "er": NOMINATIVE if is_masculine else DATIVE}.get(norm[-2:], NOMINATIVE)
        if norm[-1] == "e" and not self.sentence.is_subject(index, index):
            case = ACCUSATIVE
        self.roots[index] = index
        gender = MASCULINE if is_masculine else FEMININE
        self.references.add_anybody(index, gender, subject=case == NOMINATIVE, root=index)
