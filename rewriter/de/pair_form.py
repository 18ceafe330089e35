"""The pair form: *die Lehrerin oder der Lehrer*, *Lehrerinnen und Lehrer*, made from the same choices as the star.

The whole noun phrase is repeated, the feminine first. Where a phrase is too long to repeat, or a word names possessor
and possessed at once (*sein\\*ihr\\*e*), the sentence stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.candidates import Analysis, Candidate
from rewriter.de.drafts import KEEP, PLURAL, SINGULAR, STARRED, STARRED_CASE, case_of
from rewriter.de.inflection import DATIVE, NOMINATIVE
from rewriter.de.lexicon import GermanLexicon, bit
from rewriter.de.phrases import Sentence
from rewriter.records import Edit

SIGN = "*"
#: tokens of a phrase that is repeated
LONGEST = 6


def halves(star: str) -> tuple[str, str] | None:
    """Return masculine and feminine of a starred word that is no noun (*eine\\*n* -> *einen*, *eine*).

    Returns None for three parts (*sein\\*ihr\\*e*); a word without a sign is both.
    """
    left, sign, right = star.partition(SIGN)
    if not sign:
        return star, star
    if SIGN in right:
        return None
    ending = right.lower()
    if ending == "e":
        return left, (left[:-2] + "r" if left.lower() == "euer" else left) + right
    if ending == "n":
        return left + right, left
    if ending == "r":
        return (left, left[:-1] + right) if left[-1:].lower() in ("m", "s", "n") else (left + right, left)
    return left, right


def pair_edits(
    text: str, analysis: Analysis, outcomes: Sequence[int], scores: Sequence[float], lexicon: GermanLexicon
) -> list[Edit]:
    """Return the edits of a sentence in the pair form, none where a phrase cannot be repeated.

    Args:
        text: the sentence.
        analysis: with star forms (the style *pair*).
        outcomes: per candidate, made to agree.
        scores: confidence per candidate.
        lexicon: knows the masculine forms.
    """
    maker = _PairMaker(text, analysis, outcomes, scores, lexicon)
    edits = [maker.edit(index) for index in range(len(outcomes))]
    return [] if maker.failed else [edit for edit in edits if edit is not None and edit.before != edit.after]


class _PairMaker:
    def __init__(
        self,
        text: str,
        analysis: Analysis,
        outcomes: Sequence[int],
        scores: Sequence[float],
        lexicon: GermanLexicon,
    ) -> None:
        self.text, self.analysis, self.outcomes, self.scores = text, analysis, outcomes, scores
        self.lexicon = lexicon
        self.sentence = Sentence(text, lexicon, ())
        self.failed = False

    def edit(self, index: int) -> Edit | None:
        """Return the edit of a head or of a word that stands alone; what follows a head is part of its edit."""
        candidate, outcome = self.analysis.candidates[index], self.outcomes[index]
        if candidate.governor >= 0 and (outcome < STARRED or outcome >= STARRED_CASE):
            return None
        if candidate.kind in ("noun", "nominalised"):
            return self._phrase(index)
        if outcome == KEEP or candidate.kind in ("pair", "compound"):
            return None
        return self._alone(index)

    def _alone(self, index: int) -> Edit | None:
        candidate = self.analysis.candidates[index]
        both = halves(self._star(index))
        if both is None:
            self.failed = True
            return None
        masculine, feminine = both
        return self._made(candidate.start, candidate.end, feminine, "oder", masculine, index)

    def _star(self, index: int) -> str:
        options = dict(self.analysis.candidates[index].options)
        return options[self.outcomes[index]]

    def _phrase(self, head: int) -> Edit | None:
        candidate, outcome = self.analysis.candidates[head], self.outcomes[head]
        if outcome == PLURAL:
            return self._plural(head, candidate)
        members = [i for i, c in enumerate(self.analysis.candidates) if c.governor == head]
        cases = [case_of(self.outcomes[i]) for i in (head, *members) if case_of(self.outcomes[i]) >= 0]
        if outcome != SINGULAR and not cases:
            return None
        case = cases[0] if cases else self._bare_case(candidate)
        masculine, feminine = self._noun(candidate, head, case)
        start = candidate.start
        for index in sorted(members, key=lambda i: -self.analysis.candidates[i].start):
            member = self.analysis.candidates[index]
            both = halves(self._star(index))
            if both is None or self.outcomes[index] == STARRED:
                self.failed = True
                return None
            between = self.text[member.end : start]
            masculine, feminine = both[0] + between + masculine, both[1] + between + feminine
            start = member.start
        if len(self.text[start : candidate.end].split()) > LONGEST:
            self.failed = True
            return None
        return self._made(start, candidate.end, feminine, "oder", masculine, head)

    def _made(self, start: int, end: int, feminine: str, word: str, masculine: str, index: int) -> Edit:
        candidate, before = self.analysis.candidates[index], self.text[start:end]
        if start != candidate.start or candidate.kind not in ("noun", "nominalised"):
            if before[:1].isupper() and not before.isupper():
                feminine = feminine[:1].upper() + feminine[1:]
            masculine = masculine[:1].lower() + masculine[1:]
        after = f"{feminine} {word} {masculine}"
        if "\n" in before:
            self.failed = True
        return Edit(start, end, before, after, candidate.kind, f"{before} -> {after}: pair", self.scores[index])

    def _noun(self, candidate: Candidate, head: int, case: int) -> tuple[str, str]:
        """Return masculine and feminine of a noun in a case."""
        surface = self.text[candidate.start : candidate.end]
        word = self.lexicon.word(surface)
        if candidate.kind == "nominalised" or word is None or word.noun is None:
            return halves(self._star(head)) or (surface, surface)
        noun = word.noun
        return (
            _like(surface, noun.prefix + noun.person.masculine_form(case, plural=False)),
            _like(surface, noun.prefix + noun.person.feminine),
        )

    def _plural(self, head: int, candidate: Candidate) -> Edit | None:
        surface = self.text[candidate.start : candidate.end]
        word = self.lexicon.word(surface)
        if word is None or word.noun is None:
            return None
        noun = word.noun
        mask = self.sentence.phrase(candidate.token, word).mask
        dative = bool(mask & bit(2, DATIVE)) and not mask & bit(2, NOMINATIVE)
        masculine = noun.prefix + noun.person.masculine_form(DATIVE if dative else NOMINATIVE, plural=True)
        feminine = _like(surface, noun.prefix + noun.person.feminine + "nen")
        return self._made(candidate.start, candidate.end, feminine, "und", _like(surface, masculine), head)

    def _bare_case(self, candidate: Candidate) -> int:
        word = self.lexicon.word(self.text[candidate.start : candidate.end])
        if word is None:
            return NOMINATIVE
        mask = self.sentence.phrase(candidate.token, word).mask
        return next((case for case in range(4) if (mask | mask >> 4) >> case & 1), NOMINATIVE)


def _like(surface: str, word: str) -> str:
    """Return a noun in the capitals of another."""
    if surface.isupper() and len(surface) > 1:
        return word.upper()
    return word[:1].upper() + word[1:].lower() if surface[:1].isupper() else word.lower()
