"""German gender-fair words from one form into another: nothing is read, only what is gender-fair already changes.

Every form that is found (:mod:`rewriter.de.fair_forms`, and double forms that the grammar settles) becomes the star,
and from the star what is wanted: another sign, the pair form, or one gender.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rewriter.convert.result import Converted, between
from rewriter.de.candidates import analyze
from rewriter.de.drafts import PLURAL, case_of
from rewriter.de.fair_forms import FairForm, fair_forms, written_apart
from rewriter.de.inflection import FORMS, Style
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.one_gender import fair_words, in_one_gender, is_free
from rewriter.de.pair_writing import paired
from rewriter.de.segmenter import segment
from rewriter.de.written_twice import written_twice
from rewriter.options import one_of
from rewriter.records import Edit, apply_edits
from rewriter.text.offsets import Span, moved, within

#: what words can be converted to
TARGETS = (*FORMS, "masculine", "feminine")
_STAR = Style.of("star")
_SIGN = re.compile(r"[^\W\d_](?:[*:_/·•(]-?| ?/ ?|(?=I))[^\W\d_]")
#: what joins the halves of a double form, and what one half looks like
_JOINING = re.compile(r"\b(?:oder|bzw|beziehungsweise|und|sowie)\b|[/&]|, ?(?:sehr |liebe)", re.IGNORECASE)
_HALF = re.compile(
    r"(?:in|innen)\b|\b(?:sie|ihre?[nmrs]?|eine[nmr]?|keine[nmr]?|jede[nmr]?|die|de[rmns]|\w+jenige\w*|seiner?[a-z]+)\b"
    r"|e[nr]? (?:oder|bzw\.) ",
    re.IGNORECASE,
)


def make(form: str, extra_nouns: Iterable[dict[str, str]] = ()) -> GermanConverter:
    """Return what converts German to a form.

    Args:
        form: one of :data:`TARGETS`.
        extra_nouns: a user's own person nouns.

    Raises:
        UsageError: an unknown form.
    """
    one_of(TARGETS, form=form)
    return GermanConverter(form, GermanLexicon(extra_nouns, open_ended=True))


class GermanConverter:
    """Converts the gender-fair words of German text.

    Args:
        form: one of :data:`TARGETS`.
        lexicon: compiled tables, which say what is a word.
    """

    def __init__(self, form: str, lexicon: GermanLexicon) -> None:
        self.form, self.lexicon = form, lexicon
        self._style = None if form in ("pair", "masculine", "feminine") else Style.of(form)

    def convert(self, text: str, protected: Sequence[Span]) -> Converted:
        """Return the text with its gender-fair words in the form.

        Args:
            text: any text.
            protected: spans of it that stay, in order.
        """
        edits: list[Edit] = []
        left: list[Span] = []
        for start, end in segment(text):
            made, stayed = self._sentence(text[start:end], within(protected, start, end))
            edits += (moved(edit, start) for edit in made)
            left += ((a + start, b + start) for a, b in stayed)
        return Converted(apply_edits(text, edits), tuple(edits), tuple(left))

    def _sentence(self, text: str, protected: Sequence[Span]) -> tuple[list[Edit], list[Span]]:
        doubles = [] if self.form == "pair" else self._double_forms(text, protected)
        if not doubles:
            return self._signed(text, protected) if _SIGN.search(text) else ([], [])
        starred = apply_edits(text, doubles)
        edits, _ = self._signed(starred, _shifted(protected, doubles))
        return between(text, apply_edits(starred, edits)), []

    def _double_forms(self, text: str, protected: Sequence[Span]) -> list[Edit]:
        """Return the edits that make the double forms of a sentence one word with a star."""
        if not (_JOINING.search(text) and _HALF.search(text)):
            return []
        edits = [
            _one_form(item.start, text[item.start : item.end], item.star)
            for item in written_twice(text, self.lexicon)
            if not any(a < item.end and item.start < b for a, b in protected)
        ]
        for candidate in analyze(text, self.lexicon, _STAR, protected=protected).candidates:
            before = text[candidate.start : candidate.end]
            outcomes = [outcome for outcome, _ in candidate.options[1:]]
            is_taken = any(edit.start < candidate.end and candidate.start < edit.end for edit in edits)
            if candidate.kind == "pair" and not is_taken and _is_one_person(before, outcomes):
                edits.append(_one_form(candidate.start, before, candidate.options[1][1]))
        found = [
            _one_form(f.start, text[f.start : f.end], f.written(_STAR, text[f.start : f.end]))
            for f in self._apart(text, protected)
        ]
        edits += (edit for edit in found if not any(e.start < edit.end and edit.start < e.end for e in edits))
        return sorted(edits, key=lambda edit: edit.start)

    def _apart(self, text: str, protected: Sequence[Span]) -> list[FairForm]:
        return [form for form in written_apart(text, self.lexicon) if is_free(form, protected)]

    def _signed(self, text: str, protected: Sequence[Span]) -> tuple[list[Edit], list[Span]]:
        """Return the edits of words with a sign, and the spans of those that have no such form."""
        if self.form == "pair":
            result = paired(text, self.lexicon, protected)
            return list(result.edits), [(form.start, form.end) for form in result.left]
        if self._style is None:
            return self._one_gender(text, protected)
        edits = []
        for form in fair_words(text, self.lexicon, protected):
            before = text[form.start : form.end]
            after = form.written(self._style, before)
            if after != before:
                reason = f"{before} -> {after}: {self.form}"
                edits.append(Edit(form.start, form.end, before, after, "existing", reason))
        return edits, []

    def _one_gender(self, text: str, protected: Sequence[Span]) -> tuple[list[Edit], list[Span]]:
        turned = in_one_gender(text, self.lexicon, protected, feminine=self.form == "feminine")
        edits: list[Edit] = []
        for edit in sorted((item.edit for item in turned), key=lambda e: (e.start, -e.end)):
            if edit.before != edit.after and (not edits or edits[-1].end <= edit.start):
                edits.append(edit)
        result = apply_edits(text, edits)
        stayed = [(form.start, form.end) for form in fair_forms(text, self.lexicon)] if result == text else []
        return edits, stayed


def _is_one_person(before: str, outcomes: Sequence[int]) -> bool:
    """Return True if a double form has one reading: no couple (*der Graf und die Gräfin*), one case."""
    is_couple = " und " in before and outcomes[0] != PLURAL and not before.lower().startswith(("je", "ke"))
    return not is_couple and len({case_of(outcome) for outcome in outcomes}) == 1


def _one_form(start: int, before: str, after: str) -> Edit:
    return Edit(start, start + len(before), before, after, "pair", f"{before} -> {after}: one form")


def _shifted(spans: Sequence[Span], edits: Sequence[Edit]) -> list[Span]:
    """Return spans of a text as those of the text after some edits, none of which touches them."""
    return [(_after(start, edits), _after(end, edits)) for start, end in spans]


def _after(offset: int, edits: Sequence[Edit]) -> int:
    return offset + sum(len(edit.after) - len(edit.before) for edit in edits if edit.end <= offset)
