"""What all turning of German pronouns shares: which one means what, double forms, capitals, edits."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.de.inflection import FEMININE, MASCULINE, NOMINATIVE, match_case
from rewriter.de.turning.clauses import ClauseSentence
from rewriter.de.turning.grammar import NEUTER
from rewriter.de.turning.reference import Entity, References
from rewriter.records import Edit

PERSONAL = {MASCULINE: ("er", "ihn", "ihm"), FEMININE: ("sie", "sie", "ihr"), NEUTER: ("es", "es", "ihm")}
_DOUBLES = (frozenset({"er", "sie"}), frozenset({"ihn", "sie"}), frozenset({"ihm", "ihr"}))
#: pronouns that stand for one of several
ALONE = frozenset(stem + ending for stem in ("ein", "kein", "jed", "manch") for ending in ("er", "e", "en", "em"))
ALONE |= {"derjenige", "denjenigen", "demjenigen", "desjenigen", "diejenige", "derjenigen"}
#: gender that a word is turned to
OTHER = {MASCULINE: FEMININE, FEMININE: MASCULINE, NEUTER: MASCULINE}


class PronounBase:
    """The pronouns of one sentence, whose noun phrases have been read: what is decided of them, and how.

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
        self.roots: dict[int, int] = {}  # of pronouns that a later one may be joined to

    def _leave(self, index: int, gender: int, case: int, entity: Entity) -> None:
        """Leave a pronoun whose person stays, as something that later ones may mean."""
        if not entity.anybody:
            self.references.add(index, gender, -1, subject=case == NOMINATIVE)
            return
        self.roots[index] = entity.root
        self.references.add_anybody(index, gender, subject=case == NOMINATIVE, root=entity.root)

    def _target(self, entity: Entity | None, gender: int) -> int:
        return OTHER[gender] if entity is None or entity.target < 0 else entity.target

    def _turn(self, index: int, gender: int, target: int, case: int, entity: Entity | None = None) -> None:
        side = MASCULINE if target == NEUTER and gender == FEMININE else target
        side = FEMININE if target == NEUTER and gender == MASCULINE else side
        if side not in self.targets or (len(self.targets) == 1 and self._double(index)):
            self.references.add(index, gender, -1, subject=case == NOMINATIVE)
            return
        root = index if entity is None or entity.root < 0 else entity.root
        self.references.add(index, gender, target, subject=case == NOMINATIVE, root=root)
        self._edit(index, PERSONAL[target][case], "pronoun")

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
