"""The way back for English: fair text into masculine or feminine text, and gendered text into the other gender."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rewriter.en.antecedents import Reference
from rewriter.en.back_nouns import BackNouns
from rewriter.en.back_verbs import verbs_of
from rewriter.en.back_words import CASES, GENDERED
from rewriter.en.closed_words import REFLEXIVES, THEY_PRONOUNS
from rewriter.en.inflection import match_case
from rewriter.en.mentions import SINGULAR
from rewriter.en.reference import Resolver
from rewriter.en.view import View
from rewriter.language.interface import Language
from rewriter.language.rules import Decision, Rules
from rewriter.model.direction import BackEdit
from rewriter.records import Edit

_GENDERED = re.compile(r"(?<![\w/])(?:he|she|him|his|hers?|himself|herself)(?![\w/])", re.IGNORECASE)
_DOUBLE = re.compile(r"\b(?:he or she|she or he|him or her|her or him|his or hers?|hers? or his)\b", re.IGNORECASE)


def make(
    gender: str,
    they: str = "singular",
    extra_nouns: Iterable[dict[str, str]] = (),
    language: Language | None = None,
) -> EnglishBack:
    """Return the rules of a gender; see :class:`EnglishBack`; which are asked, the language of the way forward says."""
    return EnglishBack(gender, they, extra_nouns, Rules("en") if language is None else language.rules)


def words(rules: EnglishBack) -> list[str]:
    """Return the words that make a text worth a look on the way back."""
    return [*sorted(THEY_PRONOUNS), *sorted(rules.nouns.back)]


class EnglishBack:
    """Makes English masculine or feminine.

    Args:
        gender: ``masculine`` or ``feminine``.
        they: ``singular`` turns what rules recognise as one person, ``all`` every *they* that is not plural
            beyond doubt.
        extra_nouns: a user's own noun rows.
        rules: that are asked; None asks all.
    """

    def __init__(
        self,
        gender: str,
        they: str = "singular",
        extra_nouns: Iterable[dict[str, str]] = (),
        rules: Rules | None = None,
    ) -> None:
        self.gender, self.takes_all = gender, they == "all"
        self.rules = Rules("en") if rules is None else rules
        self.nouns = BackNouns.load(gender, extra_nouns)

    def gate(self, text: str) -> bool:
        """Return False: :func:`words` lists what makes a text worth a look."""
        return False

    def resolver(self, text: str) -> Resolver:
        """Return what remembers the persons of one text; its sentences must come in their order."""
        is_gendered = _GENDERED.search(_DOUBLE.sub("", text)) is not None
        return Resolver(self.takes_all, is_gendered=is_gendered, rules=self.rules)

    def fair_to_gendered(self, text: str, protected: Sequence[tuple[int, int]], resolver: Resolver) -> list[BackEdit]:
        """Return the edits of *they*, its verbs and the fair nouns of a sentence."""
        view = View(text, protected)
        made = [BackEdit(edit) for edit in self.nouns.edits(view, self.rules)]
        taken: set[int] = set()
        for place, reference in sorted(resolver.resolve(view).items()):
            if reference.number != SINGULAR:
                continue
            made.append(BackEdit(self._pronoun(view, place, reference)))
            if view.norm(place) != "they":
                continue
            for change in verbs_of(view, place, self.rules):
                if change.index not in taken:
                    taken.add(change.index)
                    token, before = view.tokens[change.index], view.surface(change.index)
                    reason = f"{before} -> {change.after}: its subject became '{self._form('subject')}'"
                    edit = Edit(token.start, token.end, before, change.after, change.kind, reason)
                    made.append(BackEdit(edit, change.is_certain))
        return _in_order(made)

    def _form(self, case: str) -> str:
        return GENDERED[self.gender][case]

    def _pronoun(self, view: View, place: int, reference: Reference) -> Edit:
        token, before = view.tokens[place], view.surface(place)
        after = match_case(before, self._form(CASES.get(token.norm, "reflexive")))
        told = f"refers to {reference.evidence}" if "'" in reference.evidence else reference.evidence
        reason = f"{before} -> {after}: {told}" + (f", rule '{reference.rule}'" if reference.rule else "")
        return Edit(token.start, token.end, before, after, "pronoun", reason)

    def gendered_to_other(self, text: str, edits: Iterable[Edit]) -> list[Edit]:
        """Turn the edits of the way forward into edits to the gender.

        What the model decided about *her* and *his* (*them*, *their* or *theirs*) tells which case the pronoun of the
        other gender has; verbs stay as they are.
        """
        made = (self._turned(text, edit) for edit in edits)
        return [edit for edit in made if edit is not None]

    def _turned(self, text: str, edit: Edit) -> Edit | None:
        if edit.kind == "noun":
            return self.nouns.other_gender(text, edit, self.gender)
        if edit.kind != "pronoun" or self.rules.first(GENDERED_STAYS, edit):
            return None
        fair = edit.after.strip()
        case = "reflexive" if fair.lower() in REFLEXIVES else CASES.get(fair.lower())
        if case is None:
            return None
        after = edit.after.replace(fair, match_case(fair, self._form(case)))
        if after == edit.before:
            return None
        return Edit(edit.start, edit.end, edit.before, after, "pronoun", f"{edit.before} -> {after}", edit.score)


GENDERED_STAYS = Decision("en", "blocks", asked="back")


@GENDERED_STAYS.rule("he and she are two", example="[He and she] agreed.", counter="[He or she] agreed.")
def _are_two(edit: Edit) -> bool:
    return re.search(r"\band\b", edit.before, re.IGNORECASE) is not None


def _in_order(made: list[BackEdit]) -> list[BackEdit]:
    """Return the edits in order; of two that share characters the first."""
    kept: list[BackEdit] = []
    for item in sorted(made, key=lambda m: (m.edit.start, -m.edit.end)):
        if not kept or kept[-1].edit.end <= item.edit.start:
            kept.append(item)
    return kept
