"""German candidates: which words of a sentence may change, and into what.

The word tables and the grammar of the noun phrase say what *may* happen: for a noun its singular or plural, for what
agrees with it the cases that its form leaves open, for a pronoun its case. A network decides all of it: case and
number, what a pronoun refers to, whether a word means a person at all. Only closed classes and what is gender-fair
already are settled here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rewriter.de.brackets import BracketFinder
from rewriter.de.drafts import CASE, KEEP, OUTCOMES, PLURAL, SINGULAR, Draft
from rewriter.de.fair_forms import fair_forms, written_apart
from rewriter.de.inflection import Style
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.one_gender import is_free
from rewriter.de.pair_writing import paired
from rewriter.de.pronouns import ALONE
from rewriter.de.sentence import Sentence
from rewriter.de.written_twice import written_twice
from rewriter.language.candidates import Analysis, Candidate
from rewriter.language.rules import Decision, Rules

__all__ = ["ALONE", "KEEP", "OUTCOMES", "analyze"]


def analyze(
    text: str,
    lexicon: GermanLexicon,
    style: Style,
    *,
    protected: Sequence[tuple[int, int]] = (),
    normalise: bool = False,
    rules: Rules | None = None,
) -> Analysis:
    """Find the candidates of a sentence.

    Args:
        text: one sentence.
        lexicon: compiled tables.
        style: how gender-fair forms are written.
        protected: spans of the sentence that must stay, in order.
        normalise: write the gender-fair forms that are there already in the style, too.
        rules: that are asked; None asks all.
    """
    sentence = Sentence(text, lexicon, protected, rules=rules)
    drafts = BracketFinder(sentence, style).drafts()
    if normalise:
        existing = _paired(sentence) if style.form == "pair" else _existing(sentence, style)
        drafts = [*existing, *drafts]
    if style.form == "pair":
        for draft in drafts:
            draft.forced = KEEP if draft.kind == "pair" else draft.forced
        drafts = [*_written(sentence), *drafts]
    candidates = _placed(drafts)
    return Analysis(sentence.tokens, candidates)


def _existing(sentence: Sentence, style: Style) -> Iterator[Draft]:
    """Yield drafts for gender-fair forms in another style than the wanted one."""
    starts = {token.start: index for index, token in enumerate(sentence.tokens)}
    for form in fair_forms(sentence.text, sentence.lexicon):
        surface = sentence.text[form.start : form.end]
        if form.start not in starts or not is_free(form, sentence.protected):
            continue
        after = form.written(style, surface)
        outcome = PLURAL if form.plural else SINGULAR if form.kind == "noun" else CASE
        if after != surface:
            options = ((KEEP, surface), (outcome, after))
            rule = sentence.rules.first(EXISTING, sentence, starts[form.start])
            yield Draft.settled(form.start, form.end, starts[form.start], "existing", options, outcome, rule)


def _paired(sentence: Sentence) -> Iterator[Draft]:
    """Yield drafts for gender-fair forms whose phrases can be repeated."""
    starts = {token.start: index for index, token in enumerate(sentence.tokens)}
    for edit in paired(sentence.text, sentence.lexicon, sentence.protected).edits:
        if edit.start in starts:
            options = ((KEEP, edit.before), (CASE, edit.after))
            rule = sentence.rules.first(EXISTING, sentence, starts[edit.start])
            yield Draft.settled(edit.start, edit.end, starts[edit.start], "existing", options, CASE, rule)


#: what is gender-fair already is written in the wanted form (``normalise``)
EXISTING = Decision("de", "settles")


@EXISTING.rule(
    "gender-fair in another form", example="Die [Lehrer:innen] singen.", counter="Die [Lehrer*innen] singen."
)
def _is_existing(sentence: Sentence, index: int) -> bool:
    return True


def _written(sentence: Sentence) -> Iterator[Draft]:
    """Yield drafts that keep what stands in the pair form already."""
    starts = {token.start: index for index, token in enumerate(sentence.tokens)}
    twice = [(item.start, item.end) for item in written_twice(sentence.text, sentence.lexicon)]
    apart = [(form.start, form.end) for form in written_apart(sentence.text, sentence.lexicon)]
    free = [(a, b) for a, b in apart if not any(start < b and a < end for start, end in twice)]
    for start, end in [*twice, *free]:
        if start in starts:
            yield Draft(start, end, starts[start], "pair", ((KEEP, sentence.text[start:end]),), KEEP)


def _placed(drafts: list[Draft]) -> list[Candidate]:
    """Return the candidates in order; of two that share characters the earlier, of two at one place the first found."""
    kept: list[Draft] = []
    for draft in sorted(drafts, key=lambda d: d.start):
        if not kept or kept[-1].end <= draft.start:
            kept.append(draft)
    places = {id(draft): index for index, draft in enumerate(kept)}
    return [
        Candidate(d.start, d.end, d.token, d.kind, d.options, d.forced, _place(d, places), rule=d.rule) for d in kept
    ]


def _place(draft: Draft, places: dict[int, int]) -> int:
    """Return the place of the draft that one follows, -1 for none."""
    return -1 if draft.head is None else places.get(id(draft.head), -1)
