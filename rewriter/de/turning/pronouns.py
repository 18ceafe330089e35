"""German pronouns for swapping: personal, possessive and relative ones, with case and number worked out.

*sie* is one woman, a thing, or several; *ihr* is a dative, a possessive, or the plural of *du*; *Sie* and *Ihr* with a
capital within a sentence are polite. The verb beside them, the other phrases of the clause and what they mean
(:mod:`rewriter.de.turning.reference`) tell them apart.
"""

from __future__ import annotations

from rewriter.de.turning.pronoun_base import ALONE
from rewriter.de.turning.pronoun_possessives import PLAIN, PossessiveTurner
from rewriter.de.turning.pronoun_relatives import READINGS, RelativeTurner

__all__ = ["ALONE", "PRONOUNS", "PronounTurner"]

#: forms one of which every sentence holds in which a pronoun is turned and no noun is
PRONOUNS = frozenset({"er", "ihn", "ihm", "sie", "derjenige", "denjenigen", "demjenigen", "desjenigen", "diejenige"})
PRONOUNS |= {"derjenigen"}
PRONOUNS |= {stem + ending for stem in ("sein", "ihr") for ending in ("", "e", "en", "em", "er", "es")}
PRONOUNS |= {*PLAIN, *PLAIN.values()}
#: what is decided
_DECIDED = PRONOUNS | READINGS.keys() | ALONE | {"es"}


class PronounTurner(RelativeTurner, PossessiveTurner):
    """Turns the pronouns of one sentence; its noun phrases have been read."""

    def decide(self) -> dict[int, str]:
        """Decide all pronouns; edits of those that stand alone are kept, stems of possessives returned by token."""
        norms = self.sentence.norms
        free = [i for i, norm in enumerate(norms) if norm in _DECIDED and not self.sentence.is_blocked(i)]
        self.turn_relatives(free)
        self.turn_personal([i for i in free if norms[i] != "ihr" or not self.is_possessive(i)])
        self.turn_possessives(free)
        return self.stems
