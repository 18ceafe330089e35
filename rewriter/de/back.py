"""The way back for German: gender-fair text into masculine or feminine text, and one gender into the other.

Gender-fair words of any form become one gender by :mod:`rewriter.de.one_gender`. What is gendered already is decided by
the way forward: what it would star takes the gender (:mod:`rewriter.de.genders`), pair forms lose a half.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rewriter.de.drafts import KEEP, PLURAL, SINGULAR, STARRED
from rewriter.de.genders import Genders
from rewriter.de.inflection import FEMININE, MASCULINE, Style
from rewriter.de.language import German
from rewriter.de.language import make as make_german
from rewriter.de.one_gender import fair_words, in_one_gender
from rewriter.language.candidates import Candidate
from rewriter.language.interface import Language
from rewriter.language.rules import Decision
from rewriter.model.direction import BackEdit
from rewriter.records import Edit

_SIGN = re.compile(r"[^\W\d_](?:[*:_/·•(]-?| ?/ ?|(?=I))[^\W\d_]")
#: his and her before a person that has the wanted gender already
_POSSESSIVE = re.compile(r"(?:sein|ihr)(?=e[nmrs]?$|$)", re.IGNORECASE)


def make(
    gender: str,
    they: str = "singular",
    extra_nouns: Iterable[dict[str, str]] = (),
    language: Language | None = None,
) -> GermanBack:
    """Return the rules of a gender; see :class:`GermanBack`.

    Args:
        gender: ``masculine`` or ``feminine``.
        they: for English only.
        extra_nouns: a user's own person nouns, where no language is given.
        language: of the way forward, in whatever form it writes.
    """
    return GermanBack(gender, language if isinstance(language, German) else make_german(extra_nouns=extra_nouns))


#: what speaks about a word that is gendered keeps it as it is
GENDERED_STAYS = Decision("de", "blocks", asked="back")


def words(rules: GermanBack) -> list[str]:
    """Return no words: gender-fair forms are endless, :meth:`GermanBack.gate` looks for their signs."""
    return []


class GermanBack:
    """Makes German masculine or feminine.

    Args:
        gender: ``masculine`` or ``feminine``.
        forward: the language of the way forward, as its proposer writes it.
    """

    def __init__(self, gender: str, forward: German) -> None:
        self.gender, self.is_feminine = gender, gender == "feminine"
        self.lexicon = forward.lexicon
        self.rules = forward.rules
        self._forward, self._star = forward, German(forward.lexicon, Style.of("star"))

    def gate(self, text: str) -> bool:
        """Return True if a text holds a gender-fair word."""
        return _SIGN.search(text) is not None and bool(fair_words(text, self.lexicon))

    def resolver(self, text: str) -> None:
        """Return nothing: a gender-fair word says by itself what it means."""
        return None

    def fair_to_gendered(self, text: str, protected: Sequence[tuple[int, int]], resolver: None) -> list[BackEdit]:
        """Return the edits of the gender-fair words of a sentence."""
        if not _SIGN.search(text):
            return []
        turned = in_one_gender(text, self.lexicon, protected, feminine=self.is_feminine, rules=self.rules)
        kept: list[BackEdit] = []
        for edit in sorted((item.edit for item in turned), key=lambda e: (e.start, -e.end)):
            if edit.before != edit.after and (not kept or kept[-1].edit.end <= edit.start):
                kept.append(BackEdit(edit))
        return kept

    def gendered_to_other(self, text: str, edits: Iterable[Edit]) -> list[Edit]:
        """Turn the edits of the way forward into edits to the gender; words that have it already stay."""
        edits = list(edits)
        if not edits:
            return []
        turner = _Other(self, text, edits)
        return [edit for edit in map(turner.turned, edits) if edit is not None]

    def forms(self, text: str, edits: Iterable[Edit]) -> dict[tuple[int, int], int]:
        """Return span -> outcome of what the way forward changes."""
        analysis = self._forward.analyze(text)
        options = {(c.start, c.end): c.options for c in analysis.candidates if c.kind != "existing"}
        chosen: dict[tuple[int, int], int] = {}
        for edit in edits:
            span = edit.start, edit.end
            outcome = next((known for known, after in options.get(span, ()) if after == edit.after), KEEP)
            if outcome != KEEP:
                chosen[span] = outcome
        return chosen

    def star(self) -> German:
        """Return the language that writes stars."""
        return self._star


class _Other:
    """One sentence with the outcomes that the way forward chose."""

    def __init__(self, rules: GermanBack, text: str, edits: Sequence[Edit]) -> None:
        self.rules, self.text = rules, text
        chosen = rules.forms(text, edits)
        self.analysis = rules.star().analyze(text)
        self.outcomes = [chosen.get((c.start, c.end), KEEP) for c in self.analysis.candidates]
        self.places = {(c.start, c.end): i for i, c in enumerate(self.analysis.candidates)}
        self.genders = Genders(text, self.analysis, self.outcomes, rules.lexicon)

    def turned(self, edit: Edit) -> Edit | None:
        """Return the edit to the gender for one to the fair form, None where the word has it or is unknown."""
        index = self.places.get((edit.start, edit.end), -1)
        if index < 0 or self.outcomes[index] == KEEP:
            return None
        after = self._after(index, self.analysis.candidates[index])
        if after == edit.before:
            return None
        reason = f"{edit.before} -> {after}: {self.rules.gender}"
        return Edit(edit.start, edit.end, edit.before, after, edit.kind, reason, edit.score)

    def _after(self, index: int, candidate: Candidate) -> str:
        before = self.text[candidate.start : candidate.end]
        if candidate.kind in ("pair", "pronoun", "article") and " " in before.strip() and self._is_pair(index):
            return self._half(candidate, dict(candidate.options)[self.outcomes[index]])
        if self.rules.rules.first(GENDERED_STAYS, self, candidate):
            return before
        if candidate.governor >= 0 and self._is_settled(candidate.governor):
            return self._possessor(before) if self.outcomes[index] >= STARRED else before
        return self.genders.of(index)[self.rules.is_feminine]

    def is_feminine_compound(self, candidate: Candidate) -> bool:
        """Return True if the person that begins a compound is feminine (*Schülerinnenberatung*)."""
        return "innen" in self.text[candidate.start : candidate.end].lower()

    def _is_pair(self, index: int) -> bool:
        """Return True if a candidate names both genders, unlike *von der* before a noun."""
        return self.analysis.candidates[index].governor < 0

    def has_gender(self, candidate: Candidate) -> bool:
        """Return True if a noun has the wanted gender."""
        word = self.rules.lexicon.word(self.text[candidate.start : candidate.end])
        wanted = FEMININE if self.rules.is_feminine else MASCULINE
        return word is not None and word.noun is not None and word.noun.gender == wanted

    def _is_settled(self, head: int) -> bool:
        """Return True if the noun of a phrase stays because it has the gender, so that what agrees with it stays."""
        candidate = self.analysis.candidates[head]
        return (
            candidate.kind == "noun" and self.outcomes[head] in (SINGULAR, PLURAL, KEEP) and self.has_gender(candidate)
        )

    def _possessor(self, before: str) -> str:
        """Return *sein* or *ihr* by the gender of who possesses; the ending is that of the person possessed."""
        stem = "ihr" if self.rules.is_feminine else "sein"
        return _POSSESSIVE.sub(lambda match: stem.capitalize() if match.group()[0].isupper() else stem, before)

    def _half(self, candidate: Candidate, star: str) -> str:
        """Return a pair form in one gender, by way of the star that it amounts to."""
        starred = self.text[: candidate.start] + star + self.text[candidate.end :]
        end = candidate.start + len(star)
        inside = [
            item.edit
            for item in in_one_gender(starred, self.rules.lexicon, feminine=self.rules.is_feminine)
            if candidate.start <= item.edit.start and item.edit.end <= end
        ]
        parts, at = [], candidate.start
        for edit in inside:
            parts += [starred[at : edit.start], edit.after]
            at = edit.end
        return "".join(parts) + starred[at:end]


@GENDERED_STAYS.rule(
    "noun that has the gender", example="Die [Lehrerinnen] singen.", counter="Die [Lehrer*innen] singen."
)
def _has_gender(sentence: _Other, candidate: Candidate) -> bool:
    return candidate.kind == "noun" and sentence.has_gender(candidate)


@GENDERED_STAYS.rule(
    "compound that has the gender",
    example="Die [Schülerinnenberatung] hilft.",
    counter="Die [Schüler*innenberatung] hilft.",
)
def _begins_in_gender(sentence: _Other, candidate: Candidate) -> bool:
    is_feminine = sentence.rules.is_feminine
    return candidate.kind == "compound" and sentence.is_feminine_compound(candidate) == is_feminine
