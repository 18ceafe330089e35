"""A German sentence with its gender-fair words in the feminine: an ordinary one, which all the grammar can read."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.de.fair_forms import FairForm
from rewriter.de.genders import halves
from rewriter.de.inflection import Style, match_case
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.sentence import Sentence

_STAR = Style.of("star")


class FeminineTwin:
    """The sentence with its gender-fair words in the feminine, which all the rest of the grammar can read."""

    def __init__(self, text: str, forms: Sequence[FairForm], lexicon: GermanLexicon) -> None:
        parts: list[str] = []
        self.spans: list[tuple[int, int]] = []
        at = length = 0
        for form in forms:
            before, after = text[at : form.start], feminine_word(form, text[form.start : form.end])
            parts += [before, after]
            length += len(before)
            self.spans.append((length, length + len(after)))
            length += len(after)
            at = form.end
        self.shifts = [(end, form.end - end) for (_, end), form in zip(self.spans, forms, strict=True)]
        self.sentence = Sentence("".join(parts) + text[at:], lexicon, ())
        self._starts = {token.start: index for index, token in enumerate(self.sentence.tokens)}

    def source(self, offset: int) -> int:
        """Return the offset in the sentence itself of one outside the turned words."""
        return offset + next((shift for end, shift in reversed(self.shifts) if end <= offset), 0)

    def token(self, form: int) -> int:
        """Return the last token of a form: of *Linux-Nutzer\\*in* that of *Nutzerin*."""
        start, end = self.spans[form]
        inside = [i for at, i in self._starts.items() if start <= at < end]
        return max(inside, default=-1)

    def form_at(self, index: int) -> int:
        """Return the form that a token belongs to, -1 for none."""
        at = self.sentence.tokens[index].start
        return next((i for i, (start, end) in enumerate(self.spans) if start <= at < end), -1)


def word_halves(form: FairForm) -> tuple[str, str]:
    """Return masculine and feminine of a gender-fair determiner, adjective or pronoun, in lower case as in tables."""
    if form.rest:
        return halves(form.written(_STAR, "x"))
    return form.masculine, form.feminine


def feminine_word(form: FairForm, surface: str) -> str:
    """Return the feminine of a gender-fair word, in the capitals of what stands there."""
    if form.kind == "word":
        return match_case(surface, word_halves(form)[1])
    suffix = "nen" if form.plural else ""
    word = form.feminine + suffix + form.rest
    return word.upper() if surface.isupper() else word
