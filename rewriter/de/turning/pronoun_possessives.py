"""German possessives: *sein, ihr* before what is possessed, and *seinetwegen, ihretwegen* ..."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.de.inflection import FEMININE, MASCULINE, PLURAL
from rewriter.de.turning.clauses import Nominal
from rewriter.de.turning.grammar import NEUTER, words
from rewriter.de.turning.pronoun_base import OTHER
from rewriter.de.turning.pronoun_personal import PersonalTurner

_POSSESSIVE = re.compile(r"(sein|ihr)(e[nmrs]?|)")
#: words that are made of a possessive -> the same of the other gender
PLAIN = {"seinetwegen": "ihretwegen", "seinesgleichen": "ihresgleichen", "seinerseits": "ihrerseits"}
_GIVING = re.compile(
    r"(?:ge)?(?:geb(?!or|aut)|gab|gib|schenk|bring|brach|zeig|schick|leih|lieh|sag|wünsch|nehm|nahm|nimm|mach|koch|kauf|dank|biet|bot|helf|half|hilf)"
)
_KIN = re.compile(
    r".*(?:mutter|vater|bruder|schwester|sohn|tochter|mann|frau|kind|kinder|eltern|freund|freundin|chef|chefin|oma|opa|"
    r"tante|onkel|verlobte[rn]?|partner|partnerin|söhne|töchter|brüder|geschwister|familie|neffe|nichte|enkel|enkelin|kollegin|kollege|nachbarin|nachbar)"
)


class PossessiveTurner(PersonalTurner):
    """Turns possessives, too; which *ihr* is one, a verb in the second person beside it tells."""

    def turn_possessives(self, free: Sequence[int]) -> None:
        """Decide those of some tokens."""
        norms = self.sentence.norms
        for index in free:
            norm = norms[index]
            if norm[:3] not in ("sei", "ihr"):
                continue
            match = _POSSESSIVE.fullmatch(norm)
            if match and self.is_possessive(index):
                self._possessive(index, match[1])
            elif norm in PLAIN or norm in PLAIN.values():
                self._plain(index, norm)

    def is_possessive(self, index: int) -> bool:
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
            return  # anybody's
        if entity is not None and (not entity.swaps or entity.gender == PLURAL):
            return
        if entity is None and not double and not self._stands_for_person(index, stem, own):
            return
        gender = MASCULINE if stem == "sein" else FEMININE
        target = OTHER[gender] if entity is None else entity.target
        if target == NEUTER or (entity is not None and entity.gender == NEUTER):
            target = MASCULINE if target in (NEUTER, MASCULINE) else FEMININE
        self._turn_possessive(index, stem, target, own)

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
        other = PLAIN.get(norm) or next(his for his, hers in PLAIN.items() if hers == norm)
        self._edit(index, other, "possessive")
