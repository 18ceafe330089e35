"""The way back: *le* becomes *lo* or *la*, and what is gendered already takes the gender, too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rewriter.language.interface import Language
from rewriter.language.tokens import shape_of
from rewriter.model.direction import BackEdit
from rewriter.records import Edit

from .language import Toy, in_capitals
from .language import make as make_toy
from .tokens import tokenize

_KINDS = {"le": "pronoun", "une": "determiner"}


def make(
    gender: str, they: str = "singular", extra_nouns: Iterable[dict[str, str]] = (), language: Language | None = None
) -> ToyBack:
    """Return the rules of a gender, ``masculine`` or ``feminine``; the toy language has no plural *le*."""
    return ToyBack(language if isinstance(language, Toy) else make_toy(extra_nouns=extra_nouns), gender)


def words(rules: ToyBack) -> list[str]:
    """Return the words that make a text worth a look."""
    return list(rules.fair)


class ToyBack:
    """Makes toy text masculine or feminine."""

    def __init__(self, language: Toy, gender: str) -> None:
        self._forms = language.forms(gender)
        self.fair = {*language.pronouns.values(), *language.nouns.values(), *language.determiners.values()}

    def resolver(self, text: str) -> None:
        """Return nothing: a fair word says by itself what it means."""
        return None

    def fair_to_gendered(self, text: str, protected: Sequence[tuple[int, int]], resolver: None) -> list[BackEdit]:
        """Return the edits that turn fair words."""
        found = []
        for token in tokenize(text):
            if token.norm in self.fair and not any(a < token.end and token.start < b for a, b in protected):
                before = text[token.start : token.end]
                after, kind = self._in_gender(before), _KINDS.get(token.norm, "noun")
                found.append(BackEdit(Edit(token.start, token.end, before, after, kind, f"{before} -> {after}")))
        return found

    def gendered_to_other(self, text: str, edits: Iterable[Edit]) -> list[Edit]:
        """Turn the edits of the way forward into edits to the gender; words of that gender stay."""
        turned = [replace(edit, after=self._in_gender(edit.before)) for edit in edits]
        return [replace(e, reason=f"{e.before} -> {e.after}") for e in turned if e.before != e.after]

    def _in_gender(self, word: str) -> str:
        # a user's own noun is not in the tables: nobody knows its other gender
        return in_capitals(self._forms.get(word.lower(), word.lower()), shape_of(word))
