"""What rules of preference say about the candidates of a sentence, where the grammar alone leaves several outcomes.

The rules (:mod:`rewriter.de.turning`) read clauses, cases and what pronouns mean without a model. They are right more
often than not; the agreement of a sentence weighs them against the model's probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rewriter.de.drafts import CASE, KEEP, SINGULAR, STARRED, STARRED_CASE, case_of
from rewriter.de.drafts import PLURAL as OUTCOME_PLURAL
from rewriter.de.inflection import PLURAL
from rewriter.de.pronouns import ALONE, POINTING
from rewriter.de.turning.pronouns import Link
from rewriter.de.turning.read import Reading
from rewriter.language.candidates import Candidate

_HEADS = ("noun", "nominalised", "pair")
_REFERRING = ("pronoun", "possessive", "relative")
#: words of a clause; a phrase alone (*den Angestellten*) tells nothing of its number
_LEAST_CLAUSE = 4


def add_hints(candidates: Sequence[Candidate], norms: Sequence[str], reading: Reading) -> list[Candidate]:
    """Return the candidates with what the rules would choose.

    Args:
        candidates: of a sentence.
        norms: normalised tokens of the sentence.
        reading: of the same sentence.
    """
    return _Hints(candidates, norms, reading).given()


class _Hints:
    def __init__(self, candidates: Sequence[Candidate], norms: Sequence[str], reading: Reading) -> None:
        self.candidates, self.norms, self.reading = candidates, norms, reading
        self.places = {c.token: i for i, c in enumerate(candidates) if c.kind in (*_HEADS, "pronoun")}

    def given(self) -> list[Candidate]:
        return [self._with_hint(candidate) for candidate in self.candidates]

    def _with_hint(self, candidate: Candidate) -> Candidate:
        if candidate.forced is not None:
            return candidate
        if candidate.kind == "noun":
            return self._hinted(candidate, self._number(candidate))
        if self._is_of_several(candidate):
            return replace(candidate, options=candidate.options[:1], forced=KEEP)
        if candidate.token in self.reading.pointed and candidate.kind == "pronoun":
            return self._pointing(candidate)
        case = self._case(candidate)
        if self._stands_alone(candidate):
            own = self.reading.links.get(candidate.token)
            case = own.case if own is not None and own.root == candidate.token else case
        if candidate.kind not in _REFERRING or self._stands_alone(candidate):
            return (
                candidate if case < 0 else replace(self._hinted(candidate, CASE + case), sure=self._is_sure(candidate))
            )
        link = self.reading.links.get(candidate.token)
        if link is None and candidate.kind == "relative" and candidate.governor >= 0:
            return candidate
        means = self._means(candidate, link)
        if self.reading.polite and candidate.start == 0 and self.norms[candidate.token].startswith("ihr"):
            means = None  # Ihre Ärztin sagt Ihnen ...
        outcome = KEEP if means is None else self._outcome(candidate, link, case)
        if candidate.kind == "possessive" and case >= 0 and outcome == KEEP:
            outcome = CASE + case
        hinted = self._hinted(candidate, outcome, -1 if means is None or means == candidate.token else means)
        is_sure = candidate.kind == "possessive" and candidate.governor >= 0 and self._is_sure(candidate)
        return replace(hinted, sure=True) if is_sure else hinted

    def _pointing(self, candidate: Candidate) -> Candidate:
        """Return *dieser* with the person that it means, or a hint to stay."""
        means, norm = self.reading.pointed[candidate.token], self.norms[candidate.token]
        if means not in self.places:
            return self._hinted(candidate, KEEP)
        return self._hinted(candidate, CASE + ("dieser", "diesen", "diesem").index(norm), means)

    def _case(self, candidate: Candidate) -> int:
        """Return the case of the phrase that a candidate belongs to, -1 where it has none or is a plural."""
        if candidate.kind == "nominalised":
            token = candidate.token
        elif candidate.governor >= 0 and candidate.kind != "relative":
            token = self.candidates[candidate.governor].token
        else:
            return -1
        gender, case = self.reading.heads.get(token, (-1, -1))
        return -1 if gender in (-1, PLURAL) else case

    def _is_of_several(self, candidate: Candidate) -> bool:
        """Tell whether a nominalised participle, or what agrees with it, is read as a plural."""
        if candidate.kind in _REFERRING or not self.reading.several or len(self.norms) < _LEAST_CLAUSE:
            return False
        head = self.candidates[candidate.governor] if candidate.governor >= 0 else candidate
        return head.kind == "nominalised" and head.stays and head.token in self.reading.several

    def _is_sure(self, candidate: Candidate) -> bool:
        """Tell whether the case of a phrase follows from another phrase."""
        head = self.candidates[candidate.governor] if candidate.governor >= 0 else candidate
        return head.token in self.reading.objects

    def _number(self, candidate: Candidate) -> int:
        """Return the outcome of a noun's number as the rules read it, -1 where they have none."""
        gender = self.reading.heads.get(candidate.token, (-1, -1))[0]
        return -1 if gender < 0 else OUTCOME_PLURAL if gender == PLURAL else SINGULAR

    def _stands_alone(self, candidate: Candidate) -> bool:
        return candidate.kind == "pronoun" and (
            self.norms[candidate.token] in ALONE or self.norms[candidate.token] in POINTING
        )

    def _means(self, candidate: Candidate, link: Link | None) -> int | None:
        """Return the token of what a pronoun means if that is a candidate or the pronoun itself, else None."""
        if link is None or link.doubtful or (link.root != candidate.token and link.root not in self.places):
            return None
        return link.root

    def _outcome(self, candidate: Candidate, link: Link | None, case: int) -> int:
        if candidate.kind == "possessive":
            return STARRED_CASE + case if case >= 0 else STARRED
        if link is None:
            return KEEP
        if link.case < 0:  # sein, ihr before a noun are pronouns, too
            return STARRED
        return CASE + link.case

    def _hinted(self, candidate: Candidate, outcome: int, means: int = -1) -> Candidate:
        known = {option for option, _ in candidate.options}
        if outcome not in known and candidate.kind in ("nominalised", "adjective"):
            outcome = KEEP  # a form that looks the same in that case
        if outcome not in known and case_of(outcome) >= 0:
            # sein*e before a thing, a relative whose case a preposition settles
            outcome = next((o for o in sorted(known) if o != KEEP), KEEP) if len(known) == 2 else -1
        place = self.places.get(means, -1) if means >= 0 else -1
        return replace(candidate, hint=outcome if outcome in known else -1, means=place)
