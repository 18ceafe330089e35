"""German personal pronouns: *er, ihn, ihm, sie, ihr*, and *es* for a girl, with case and number worked out.

*sie* is one woman, a thing, or several; *ihr* is a dative, or the plural of *du*. The verb beside them, the other
phrases of the clause and what they mean (:mod:`rewriter.de.turning.reference`) tell them apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.de.inflection import ACCUSATIVE, DATIVE, FEMININE, MASCULINE, NOMINATIVE, PLURAL
from rewriter.de.phrase_words import FUNCTION
from rewriter.de.turning.cases import DATIVE_VERBS
from rewriter.de.turning.clauses import SUBJECTS, Clause, finite
from rewriter.de.turning.grammar import NEUTER, words
from rewriter.de.turning.pronoun_base import PERSONAL, PronounBase
from rewriter.de.turning.reference import PERSON_VERB, Entity

#: subjects in the plural
_SEVERAL = frozenset("wir alle viele einige manche mehrere beide andere wenige".split())


class PersonalTurner(PronounBase):
    """Turns personal pronouns."""

    def turn_personal(self, free: Sequence[int]) -> None:
        """Decide those of some tokens; *ihr* that is a possessive is none."""
        norms = self.sentence.norms
        for index in free:
            norm = norms[index]
            if norm in ("er", "ihn", "ihm"):
                self._masculine(index, norm)
            elif norm == "sie":
                self._sie(index)
            elif norm == "ihr":
                self._ihr(index)
            elif norm == "es":
                self._es(index)

    def _masculine(self, index: int, norm: str) -> None:
        if not self._is_pronoun(index):
            return
        case = PERSONAL[MASCULINE].index(norm)
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
            if any(self.sentence.is_sure_subject(n) and n.start > index for n in clause.nominals):
                return False  # bevor sie der Frost erreichte
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
        norms, prepositions = self.sentence.norms, self.sentence.closed.prepositions
        several = (i for i in clause.tokens if norms[i] in _SEVERAL and self.sentence.nominal_at(i) is None)
        if any(self.sentence.norm(i - 1) not in prepositions for i in several):
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
