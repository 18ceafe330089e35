"""Agreement: what the words of a sentence choose is made to fit together.

An article, possessive or adjective changes only if its noun does, and all of a phrase in the same case; a pronoun
changes only if the sentence holds a starred person that it can mean.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rewriter.de.drafts import CASE, KEEP, PLURAL, SINGULAR, STARRED, STARRED_CASE, case_of
from rewriter.language.candidates import Analysis, Candidate

_HEADS = ("noun", "nominalised")
_DETERMINERS = ("article", "possessive")
_REFERRING = ("pronoun", "possessive", "relative")
#: how feminines end, certain ones and all: nouns, and pronouns that stand alone (eine, jede; einer may be both)
_FEMININE = {"noun": ("in",), "pronoun": ("e",)}
_MAYBE_FEMININE = {"noun": ("in",), "pronoun": ("e", "er")}
#: smallest probability that is taken for more than nothing
_LEAST = 1e-7
#: a pronoun beside a starred person that it may mean follows it unless staying is so many times as likely
_STAYS = 7.0
#: how many times likelier an outcome is that rules would choose: a person that a pronoun means, none, a case
_MEANT, _NOBODY, _CASE = 3000.0, 30.0, 30.0
#: the same for the case of a phrase beside the subject of its clause
_SURE = 1e6
#: how many times less likely the number is that they would not choose
_NUMBER = 20.0


def agree(analysis: Analysis, options: Sequence[int], probabilities: Any = None) -> list[int]:
    """Return the outcome of every candidate after agreement.

    Args:
        analysis: of the sentence.
        options: index of the chosen option per candidate.
        probabilities: per candidate a sequence over outcome ids, or None where the grammar chose.
    """
    return _Agreement(analysis, options, probabilities).settle()


class _Agreement:
    def __init__(self, analysis: Analysis, options: Sequence[int], probabilities: Any) -> None:
        self.candidates = analysis.candidates
        self.norms = [analysis.tokens[c.token].norm for c in self.candidates]
        self.chosen = [c.options[option][0] for c, option in zip(self.candidates, options, strict=True)]
        self.probabilities = probabilities
        for index in range(len(self.candidates)):
            self._take_hint(index)
        self.followers: dict[int, list[int]] = {}
        for index, candidate in enumerate(self.candidates):
            if candidate.governor >= 0 and candidate.kind != "relative":
                self.followers.setdefault(candidate.governor, []).append(index)

    def settle(self) -> list[int]:
        starred: set[int] = set()  # heads and pronouns that are starred persons in the singular
        for index, candidate in enumerate(self.candidates):
            if candidate.kind in _HEADS:
                is_starred = self._settle_phrase(index)
            else:
                is_starred = candidate.kind == "pair" and self.chosen[index] not in (KEEP, PLURAL)
            if is_starred:
                starred.add(index)
        alone = {i for i in range(len(self.candidates)) if self._stands_alone(i) and self.chosen[i] != KEEP}
        starred |= {i for i in alone if not self.norms[i].startswith(("dies", "jen"))}
        for index in range(len(self.candidates)):
            self._settle_pronoun(index, starred)
        return self.chosen

    def _take_hint(self, index: int) -> None:
        """Weigh what rules say about a pronoun or the number of a noun against the model."""
        candidate = self.candidates[index]
        row = self.probabilities[index] if self.probabilities is not None else None
        if row is None or candidate.hint < 0 or candidate.kind not in (*_REFERRING, "noun"):
            return
        weights = {o: row[o] for o, _ in candidate.options}
        if candidate.kind != "noun":
            weights[candidate.hint] *= _NOBODY if candidate.hint == KEEP else _MEANT
        elif (other := PLURAL if candidate.hint == SINGULAR else SINGULAR) in weights:
            weights[other] /= _NUMBER  # against staying the model alone decides
        self.chosen[index] = max(weights, key=lambda outcome: weights[outcome])

    def _stands_alone(self, index: int) -> bool:
        return self.candidates[index].kind == "pronoun" and self.norms[index].startswith(
            ("ein", "kein", "jed", "manch", "dies", "jen", "irgend", "unserein")
        )

    def _settle_phrase(self, head: int) -> bool:
        """Make the words of a phrase agree; tell whether it is a starred singular."""
        members = self.followers.get(head, [])
        if self.candidates[head].kind == "noun":
            if self.chosen[head] != SINGULAR:
                self._keep(members)
                return False
            if any(self._is_determiner(i) for i in members):
                self._take_case(members, self._best_case(members, may_keep=False))
            else:
                self._take_case(members, max((case_of(self.chosen[i]) for i in members), default=-1))
            return True
        case = self._best_case([head, *members], may_keep=self.candidates[head].stays)
        if case < 0:
            self.chosen[head] = KEEP
            self._keep(members)
            return False
        self._take_case([head, *members], case)
        return True

    def _is_determiner(self, index: int) -> bool:
        return self.candidates[index].kind in _DETERMINERS

    def _keep(self, members: list[int]) -> None:
        for index in members:
            outcome = self.chosen[index]
            self.chosen[index] = STARRED if outcome >= STARRED and self._has(index, STARRED) else KEEP

    def _has(self, index: int, outcome: int) -> bool:
        return any(outcome == known for known, _ in self.candidates[index].options)

    def _best_case(self, members: list[int], *, may_keep: bool) -> int:
        """Return the case that the members of a phrase agree on best, -1 for none."""
        cases = {case_of(outcome) for i in members for outcome, _ in self.candidates[i].options} - {-1}
        determiners = [i for i in members if self._is_determiner(i)]
        for index in determiners:
            cases &= {case_of(outcome) for outcome, _ in self.candidates[index].options}
        if not cases:
            return -1
        best = max(sorted(cases), key=lambda case: self._support(members, case))
        if may_keep and self._support(members, -1) > self._support(members, best):
            return -1
        return best

    def _support(self, members: list[int], case: int) -> float:
        """Return how well a case (-1: keep) fits what the members chose."""
        total = 0.0
        for index in members:
            outcomes = [o for o, _ in self.candidates[index].options if case_of(o) == case and (case >= 0 or o == KEEP)]
            if not outcomes:
                # a word that looks the same in this case (neuen, Angestellten)
                outcomes = [KEEP]
            row = self.probabilities[index] if self.probabilities is not None else None
            is_weighed = self.probabilities is not None and index == members[0]
            if is_weighed and self.candidates[index].hint in outcomes:
                total += math.log(_SURE if self.candidates[index].sure else _CASE)
            if row is None:
                # the determiner's word counts more
                total -= 0.0 if self.chosen[index] in outcomes else 3.0 if self._is_determiner(index) else 2.0
            else:
                total += math.log(max(sum(row[o] for o in outcomes), _LEAST))
        return total

    def _take_case(self, members: list[int], case: int) -> None:
        for index in members:
            own, starred = CASE + case, STARRED_CASE + case
            wants = self.chosen[index] >= STARRED and self._has(index, starred)
            if case < 0 or not (self._has(index, own) or self._has(index, starred)):
                self.chosen[index] = KEEP
            else:
                self.chosen[index] = starred if wants else own

    def _settle_pronoun(self, index: int, starred: set[int]) -> None:
        candidate, outcome = self.candidates[index], self.chosen[index]
        if candidate.kind == "relative" and candidate.governor >= 0:
            self._settle_behind(index, is_starred=candidate.governor in starred)
            return
        if candidate.kind == "relative" and not candidate.stays:
            self.chosen[index] = candidate.options[1][0]
            starred.add(index)  # niemand, der
            return
        others = starred - {index, candidate.governor}
        if candidate.kind in _REFERRING:
            others = {other for other in others if self._agrees(index, other)}
            if outcome == KEEP and others and candidate.governor < 0 and candidate.hint < 0:
                outcome = self.chosen[index] = self._likeliest(index)
        if outcome == KEEP or candidate.kind in (*_HEADS, "pair", "compound", "adjective", "existing"):
            return
        if self._is_person(candidate):
            self._follow(index, starred)
            return
        if candidate.governor >= 0 and outcome < STARRED:
            return
        if outcome >= STARRED_CASE:
            if not others:
                self.chosen[index] = CASE + case_of(outcome)
        elif candidate.kind == "article" or (self._stands_alone(index) and index in starred):
            return
        elif not others or (candidate.kind == "relative" and not self._any_before(candidate, others)):
            self.chosen[index] = KEEP

    def _is_person(self, candidate: Candidate) -> bool:
        """Tell whether a pronoun means a person by the rules."""
        if candidate.kind == "possessive":
            return candidate.hint >= STARRED
        return candidate.kind in _REFERRING and candidate.hint > KEEP

    def _follow(self, index: int, starred: set[int]) -> None:
        """Let a pronoun be what it means by the rules: a person of the sentence, or one that the sentence lacks."""
        candidate = self.candidates[index]
        if candidate.means < 0 or candidate.means in starred:
            starred.add(index)
        elif candidate.governor >= 0 and self.chosen[index] >= STARRED_CASE:
            self.chosen[index] = CASE + case_of(self.chosen[index])
        else:
            self.chosen[index] = KEEP

    def _agrees(self, index: int, other: int) -> bool:
        """Tell whether a pronoun and a starred person can have the same gender in the source."""
        norm, person, kind = self.norms[index], self.norms[other], self.candidates[other].kind
        if self.candidates[index].kind == "relative" or kind not in _FEMININE:
            return True
        if norm in ("er", "ihn", "ihm") or norm.startswith("sein"):
            return not person.endswith(_FEMININE[kind])
        if norm == "sie" or norm.startswith("ihr"):
            return person.endswith(_MAYBE_FEMININE[kind])
        return True

    def _likeliest(self, index: int) -> int:
        """Return the outcome of a pronoun beside a starred person: any that is not much less likely than staying."""
        candidate = self.candidates[index]
        row = self.probabilities[index] if self.probabilities is not None else None
        if row is None or candidate.kind not in _REFERRING or self._stands_alone(index):
            return KEEP
        best = max((outcome for outcome, _ in candidate.options if outcome != KEEP), key=lambda o: row[o], default=KEEP)
        return best if best != KEEP and row[best] * _STAYS > row[KEEP] else KEEP

    def _settle_behind(self, index: int, *, is_starred: bool) -> None:
        """Let a relative pronoun right behind a person be what the person is."""
        if not is_starred:
            self.chosen[index] = KEEP
        elif self.chosen[index] == KEEP:
            cases = [outcome for outcome, _ in self.candidates[index].options if outcome != KEEP]
            row = self.probabilities[index] if self.probabilities is not None else None
            self.chosen[index] = cases[0] if row is None else max(cases, key=lambda outcome: row[outcome])

    def _any_before(self, candidate: Candidate, others: set[int]) -> bool:
        if candidate.options[-1][0] == CASE + 3:
            return True
        return any(self.candidates[i].start < candidate.start for i in others)
