"""Joint decoding: the words of a phrase take the outcomes that are likeliest together, by the network's scores alone.

A noun is one person, several, or stays; what agrees with it (article, possessive, adjectives) follows. So each reading
of a phrase (stay, several, one in each case) is scored as a whole, the sum of what the network gives its words, and the
best is taken.

Where somebody has written gender-fairly already, what is left was left on purpose, mostly: a person is changed there
only where the network is sure of it, and pronouns where a person of their sentence is. So a second pass over what was
rewritten finds little to do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from rewriter.de.drafts import CASE, FIRST, KEEP, PLURAL, SINGULAR, STARRED, case_of
from rewriter.language.candidates import Analysis, Candidate

_HEADS = ("noun", "nominalised")
DETERMINERS = ("article", "possessive")
#: smallest probability that is taken for more than nothing
_LEAST = 1e-6
#: probability of a change that a sentence which is gender-fair already asks for
_SURE = 0.95
_ARTICLES = frozenset("ein eine einen einem einer eines".split())
_PERSONAL = frozenset("er sie ihn ihm ihr".split())

#: the outcomes that some words take in one reading, and how well that fits
_Reading = tuple[float, dict[int, int]]


def decode(analysis: Analysis, options: Sequence[int], probabilities: Any = None) -> list[int]:
    """Return the outcome of every candidate.

    Args:
        analysis: of the sentence.
        options: index of the likeliest option per candidate, taken as certain where there are no probabilities.
        probabilities: per candidate a sequence over outcome ids, or None where the grammar settles it.
    """
    return _Decoder(analysis, options, probabilities).decoded()


class _Decoder:
    def __init__(self, analysis: Analysis, options: Sequence[int], probabilities: Any) -> None:
        self.candidates = analysis.candidates
        self.chosen = [c.options[option][0] for c, option in zip(self.candidates, options, strict=True)]
        self.rows = probabilities if probabilities is not None else [None] * len(self.candidates)
        self.is_revised = analysis.is_revised and probabilities is not None
        self.followers: dict[int, list[int]] = {}
        for index, candidate in enumerate(self.candidates):
            if candidate.governor >= 0 and candidate.kind != "relative":
                self.followers.setdefault(candidate.governor, []).append(index)

    def decoded(self) -> list[int]:
        for index, candidate in enumerate(self.candidates):
            members = self.followers.get(index, [])
            if candidate.kind in _HEADS:
                _, outcomes = max(self._readings(index, members), key=lambda reading: reading[0])
                for member, outcome in outcomes.items():
                    self.chosen[member] = outcome
        if self.is_revised:
            self._leave_what_was_left()
        return self.chosen

    # ------------------------------------------------------------ text that is gender-fair already

    def _leave_what_was_left(self) -> None:
        """Take back changes of persons that are not sure, and those of pronouns where no person changes."""
        is_changed = False
        for index, candidate in enumerate(self.candidates):
            phrase = [index, *self.followers.get(index, [])]
            if candidate.kind in _HEADS and self._take_back(phrase):
                is_changed = True
            is_changed |= candidate.kind == "pair" and self.chosen[index] != KEEP
        for index, candidate in enumerate(self.candidates):
            if candidate.kind in _HEADS or (candidate.governor >= 0 and candidate.kind != "relative"):
                continue
            if self._may_be_article(candidate):
                self.chosen[index] = KEEP
            elif not self._refers(candidate):
                self._take_back([index])
            elif not is_changed and candidate.forced is None:
                self.chosen[index] = KEEP

    def _take_back(self, words: Sequence[int]) -> bool:
        """Leave words of a phrase as they are if the network is not sure of each; return True if they change."""
        changing = [i for i in words if self.chosen[i] != KEEP]
        if all(self.rows[i] is None or 1 - self._score(i, KEEP) >= _SURE for i in changing):
            return bool(changing)
        for index in words:
            self.chosen[index] = KEEP
        return False

    def _may_be_article(self, candidate: Candidate) -> bool:
        """Return True for *eine*, which is an article as well: signs between it and its noun hide that it is one."""
        return candidate.forced is None and candidate.options[0][1].lower() in _ARTICLES

    def _refers(self, candidate: Candidate) -> bool:
        """Return True if a word stands for a person who is named elsewhere."""
        return candidate.kind in ("relative", "possessive") or candidate.options[0][1].lower() in _PERSONAL

    def _readings(self, head: int, members: Sequence[int]) -> Iterable[_Reading]:
        """Yield the readings of a phrase."""
        candidate = self.candidates[head]
        yield self._reading(head, KEEP, members, case=-1)
        if candidate.kind == "nominalised":
            # one person in a case; that its form stays in some of them is an outcome of its own
            for case in self._possible_cases([head, *members]):
                outcome = CASE + case if self._has(head, CASE + case) else KEEP
                yield self._reading(head, outcome, members, case=case)
            return
        if self._has(head, FIRST):
            yield self._reading(head, FIRST, members, case=-1)
        if self._has(head, PLURAL):
            yield self._reading(head, PLURAL, members, case=-1)
        if self._has(head, SINGULAR):
            for case in self._possible_cases(members) or [-1]:
                yield self._reading(head, SINGULAR, members, case=case)

    def _possible_cases(self, words: Iterable[int]) -> list[int]:
        """Return the cases that some word of a phrase can show, and its article or possessive must."""
        shown = {i: {case_of(outcome) for outcome, _ in self.candidates[i].options} - {-1} for i in words}
        cases = set().union(*shown.values())
        for index, found in shown.items():
            if self.candidates[index].kind in DETERMINERS and found:
                cases &= found
        return sorted(cases)

    def _reading(self, head: int, outcome: int, members: Sequence[int], *, case: int) -> _Reading:
        """Return one reading: the head's outcome, its followers in a case (-1: all stay), and the score."""
        total, outcomes = self._log(head, [outcome]), {head: outcome}
        for index in members:
            candidate = self.candidates[index]
            fitting = self._fitting(candidate, case)
            total += self._log(index, fitting)
            outcomes[index] = max(fitting, key=lambda o: self._score(index, o))
        return total, outcomes

    @staticmethod
    def _fitting(candidate: Candidate, case: int) -> list[int]:
        """Return the outcomes of a follower that fit a reading of its phrase."""
        known = [outcome for outcome, _ in candidate.options]
        if case >= 0:
            return [o for o in known if case_of(o) == case] or [KEEP]
        # sein Lehrer that stays a name, seine Lehrer*innen: only its possessor may be starred
        return [o for o in known if o in (KEEP, STARRED)] or [KEEP]

    def _has(self, index: int, outcome: int) -> bool:
        return any(outcome == known for known, _ in self.candidates[index].options)

    def _log(self, index: int, outcomes: Sequence[int]) -> float:
        return math.log(max(sum(self._score(index, outcome) for outcome in outcomes), _LEAST))

    def _score(self, index: int, outcome: int) -> float:
        """Return the probability of an outcome among those that its candidate can take."""
        row = self.rows[index]
        if row is None:
            return float(outcome == self.chosen[index])
        total = sum(row[known] for known, _ in self.candidates[index].options)
        return float(row[outcome] / total) if total else 0.0
