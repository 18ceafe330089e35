"""The pair form: *die Lehrerin oder der Lehrer*, *Lehrerinnen und Lehrer*, made from the same choices as the star.

The whole noun phrase is repeated, the feminine first. Where a phrase is too long to repeat or holds another word that
would change (*ein ihn liebender Lehrer*), or a word names possessor and possessed at once (*sein\\*ihr\\*e*), the
sentence stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.de.drafts import FIRST, KEEP, PLURAL, STARRED, case_of
from rewriter.de.genders import Genders
from rewriter.de.inflection import FEMININE, GENITIVE, MASCULINE
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.marks import MARKS
from rewriter.de.phrase import plural, singular
from rewriter.de.word_readings import bit, cases_of
from rewriter.language.candidates import Analysis
from rewriter.records import Edit
from rewriter.text.breaks import has_break

#: tokens of a phrase that is repeated
LONGEST = 6
#: before a noun that shares the article of the one before it (*des Lehrers und Autors*)
_COORDINATED = re.compile(r"(?:\b(?:und|oder|bzw\.|sowie|wie|als)|[,/&(-])\s*$")
#: what is repeated with the adjective of a salutation
_DEGREE = re.compile(r"\b[Ss]ehr $")
#: parts of a compound with hyphens before its head
_PREFIX = re.compile(r"(?<!\w)(?:\w[\w.]*-)+$")
#: words that are small but at the beginning (*(b) Die Beklagte oder der Beklagte*)
_ARTICLE = re.compile(
    r"(?:d(?:er|en|em|es)|k?ein(?:en|em|es)?|jede[rnms]|diese[rnms]|vo[nm]|zu[mr]|beim) ", re.IGNORECASE
)
#: what stands before the first word of a sentence
_BEGINNING = re.compile(r"(?:^|[.!?:…\n])[\s„»\"“«‚›'(\[–—•*#>-]*\Z")


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
        self.genders = Genders(text, analysis, outcomes, lexicon)
        self.failed = False

    def edit(self, index: int) -> Edit | None:
        """Return the edit of a head or of a word that stands alone; what follows a head is part of its edit."""
        candidate, outcome = self.analysis.candidates[index], self.outcomes[index]
        if candidate.governor >= 0 and candidate.kind != "relative" and outcome != STARRED:
            return None
        if candidate.kind in ("noun", "nominalised"):
            return self._phrase(index)
        if outcome == KEEP or candidate.kind in ("pair", "compound"):
            return None
        if candidate.kind == "existing":
            before, after = self.text[candidate.start : candidate.end], dict(candidate.options)[outcome]
            reason = f"{before} -> {after}: pair"
            return Edit(candidate.start, candidate.end, before, after, "existing", reason, self.scores[index])
        masculine, feminine = self.genders.of(index)
        return self._made(candidate.start, candidate.end, feminine, "oder", masculine, index)

    def _phrase(self, head: int) -> Edit | None:
        candidate, outcome = self.analysis.candidates[head], self.outcomes[head]
        members = self.genders.members(head)
        changed = outcome != KEEP or any(case_of(self.outcomes[i]) >= 0 for i in members)
        if not changed or outcome == FIRST:  # compounds with a person first have no pair form
            return None
        masculine, feminine = self.genders.of(head)
        if candidate.kind == "noun" and self.lexicon.word(masculine) is None:  # Stickerinnen: Sticker are things
            self.failed = True
            return None
        if candidate.kind == "noun" and self._is_right(head):
            masculine = self.text[candidate.start : candidate.end]  # des Feindes, not des Feinds
        if outcome == PLURAL:
            return self._made(candidate.start, candidate.end, feminine, "und", masculine, head)
        start = candidate.start
        for index in sorted(members, key=lambda i: -self.analysis.candidates[i].start):
            member = self.analysis.candidates[index]
            if member.kind == "possessive" and self.outcomes[index] >= STARRED:  # possessor and possessed at once
                self.failed = True
                return None
            one, other = self.genders.of(index)
            between = self.text[member.end : start]
            masculine, feminine = one + between + masculine, other + between + feminine
            start = member.start
        if self._lacks_its_article(head):
            self.failed = True
            return None
        if members and (degree := _DEGREE.search(self.text, 0, start)) is not None:  # Sehr geehrter Bewerber
            start, masculine, feminine = degree.start(), degree[0] + masculine, degree[0] + feminine
        phrase = self.text[start : candidate.end]
        is_marked = not MARKS.isdisjoint(phrase) or "<" in phrase
        if len(phrase.split()) > LONGEST or is_marked or self._has_inner(head, start):
            self.failed = True
            return None
        return self._made(start, candidate.end, feminine, "oder", masculine, head)

    def _is_right(self, head: int) -> bool:
        """Return True if a masculine stands there that fits its case, or has no article that shows one."""
        candidate, is_plural = self.analysis.candidates[head], self.outcomes[head] == PLURAL
        word = self.lexicon.word(self.text[candidate.start : candidate.end])
        if word is None or word.noun is None or word.noun.gender == FEMININE:
            return False
        if is_plural or not self.genders.members(head):
            return bool(plural(word.noun.mask) if is_plural else singular(word.noun.mask))
        return bool(word.noun.mask & bit(MASCULINE, self.genders.case(head)))

    def _lacks_its_article(self, head: int) -> bool:
        """Return True for a genitive whose article was not found (*des Parl. Staatssekretärs*)."""
        candidate = self.analysis.candidates[head]
        word = self.lexicon.word(self.text[candidate.start : candidate.end])
        if self.genders.members(head) or word is None or word.noun is None or word.noun.gender == FEMININE:
            return False
        is_genitive = cases_of(word.noun.mask) == [GENITIVE] and not plural(word.noun.mask)
        return is_genitive and _COORDINATED.search(self.text, 0, candidate.start) is None

    def _has_inner(self, head: int, start: int) -> bool:
        """Return True if a phrase holds a word that changes by itself (*ein ihn liebender Lehrer*)."""
        own = {head, *self.genders.members(head)}
        for index in range(head - 1, -1, -1):
            if self.analysis.candidates[index].start < start:
                return False
            if index not in own and self.outcomes[index] != KEEP:
                return True
        return False

    def _changes_within(self, start: int, end: int) -> bool:
        """Return True if a word that begins in this span changes."""
        candidates = self.analysis.candidates
        return any(
            start <= candidate.start < end and outcome != KEEP
            for candidate, outcome in zip(candidates, self.outcomes, strict=True)
        )

    def _made(self, start: int, end: int, feminine: str, word: str, masculine: str, index: int) -> Edit:
        candidate, before = self.analysis.candidates[index], self.text[start:end]
        if len(before) > 1 and before.isupper():
            word = word.upper()
        elif start != candidate.start or candidate.kind not in ("noun", "nominalised"):
            if before[:1].isupper() and not before.isupper():
                feminine = feminine[:1].upper() + feminine[1:]
            if _BEGINNING.search(self.text, 0, start) is not None or _ARTICLE.match(masculine) is not None:
                masculine = masculine[:1].lower() + masculine[1:]
        is_noun = start == candidate.start and candidate.kind in ("noun", "nominalised")
        hyphened = _PREFIX.search(self.text, 0, start) if is_noun else None
        if hyphened is not None:  # Co-Trainerinnen und Co-Trainer
            self.failed = self.failed or self._changes_within(hyphened.start(), start)  # the *sie* of *sie-der*
            start, prefix = hyphened.start(), hyphened.group()
            before, feminine, masculine = prefix + before, prefix + feminine, prefix + masculine
        after = f"{feminine} {word} {masculine}"
        if has_break(before):
            self.failed = True
        return Edit(start, end, before, after, candidate.kind, f"{before} -> {after}: pair", self.scores[index])
