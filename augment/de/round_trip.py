"""German for round trips: patterns of gender-fair forms, gendered halves, gender of a sentence, beginnings of prompts.

The patterns of Amrhein et al. 2023 (appendix F: star, colon, gap, slash, Binnen-I, pair forms of nouns) are
wider here (articles, pronouns, brackets, both orders, *bzw.*) and at the same time narrower: a form counts
only where the word tables know its word, so that footnotes, times, brands and code stay out. What the published
patterns would have taken and the tables do not know is reported as unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from augment.de.pair_form import pair_form
from augment.round_trip.rules import Found, Reading, Unread
from lexicons.loader import read_table
from rewriter.de.candidates import KEEP, analyze
from rewriter.de.drafts import PLURAL
from rewriter.de.fair_forms import FairForm, fair_forms
from rewriter.de.genders import halves
from rewriter.de.inflection import FEMININE, FORMS, Style
from rewriter.de.inflection import PLURAL as PLURAL_CELL
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.segmenter import segment
from rewriter.language.candidates import Candidate
from rewriter.options import one_of
from rewriter.policy.protect import protected_spans

#: forms of single words; the pair form needs the whole phrase (``rewrite --to``), which a normaliser does not have
WORD_FORMS = tuple(form for form in FORMS if form != "pair")
#: what tells that a text may hold a form: a sign between letters, a capital I inside, both halves of a pair
_MAYBE = re.compile(
    r"[^\W\d_](?:[*:_/·•(]-?|(?=In))[^\W\d_]|[^\W\d_]in(?:nen)?\b|\b(?:oder|bzw\.|und|sowie|beziehungsweise) ?/? ?\w"
)
#: the plural and singular patterns of appendix F, for what the tables do not know
_PUBLISHED = re.compile(r"(?<![^\W_])[^\W\d_]{2,}(?:(?:[*:_·•]|/-?)in(?:nen)?|In(?:nen)?|\(in(?:nen)?\))(?![^\W_])")
_WORD = re.compile(r"[^\W\d_]+")
_CONJUNCTION = re.compile(r"(?:\s(?:und|oder|sowie|bzw\.|beziehungsweise|und ?/ ?oder)\s)|/|&")
UNKNOWN = "looks like a gender-fair form, but its word is in no table"
UNSURE = "a form whose case or meaning is not certain"


def make() -> GermanRoundTrip:
    """Return the rules for German."""
    return GermanRoundTrip(GermanLexicon(open_ended=True))


class GermanRoundTrip:
    """German for :mod:`augment.round_trip`."""

    code = "de"

    def __init__(self, lexicon: GermanLexicon) -> None:
        self.lexicon = lexicon

    def maybe_fair(self, text: str) -> bool:
        """Return True, at little cost, if ``text`` may hold a gender-fair form."""
        return _MAYBE.search(text) is not None

    def read(self, text: str, form: str) -> Reading:
        """Return ``text`` with its gender-fair forms written in ``form``, and what was found.

        Args:
            text: any number of sentences.
            form: one of :data:`WORD_FORMS`.

        Raises:
            UsageError: an unknown form.
        """
        one_of(WORD_FORMS, form=form)
        style = Style.of(form)
        parts: list[str] = []
        found: list[Found] = []
        unread: list[Unread] = []
        at = 0
        for start, end in segment(text):
            for one, after in self._sentence(text[start:end], style, unread, start):
                moved = replace(one, start=one.start + start, end=one.end + start)
                parts += [text[at : moved.start], after]
                found.append(moved)
                at = moved.end
        return Reading("".join(parts) + text[at:], tuple(found), tuple(unread))

    def _sentence(self, text: str, style: Style, unread: list[Unread], offset: int) -> Iterator[tuple[Found, str]]:
        """Yield the forms of a sentence with what is to stand there; add what could not be read to ``unread``."""
        protected = protected_spans(text)
        words = list(self._words(text, protected))
        doubtful: list[Unread] = []
        if words and all(w.form == "slash" and w.kind == "word" for w in words) and not self._has_person(text):
            # der/die Rhythmus: a thing of two genders, or one or several of them
            doubtful, words = [Unread(word.start, word.end, UNSURE) for word in words], []
        read = [(_found(form), form.written(style, text[form.start : form.end])) for form in words]
        for candidate in analyze(text, self.lexicon, style, protected=protected).candidates:
            if not _is_pair(text, candidate):
                continue
            after = _settled(candidate)
            if after is None:
                doubtful.append(Unread(candidate.start, candidate.end, UNSURE))
            else:
                plural = candidate.options[-1][0] == PLURAL
                read.append((Found(candidate.start, candidate.end, "pair", "pair", plural), after))
        read = _apart(read)
        taken = [(one.start, one.end) for one, _ in read]
        doubtful += self._unknown(text, protected)
        unread += (
            Unread(one.start + offset, one.end + offset, one.reason)
            for one in sorted(doubtful, key=lambda u: u.start)
            if not _overlaps((one.start, one.end), taken)
        )
        yield from read

    def _words(self, text: str, protected: Sequence[tuple[int, int]]) -> Iterator[FairForm]:
        """Yield the forms of single words outside of code and addresses; a gap looks like an identifier itself."""
        for form in fair_forms(text, self.lexicon):
            if (form.start, form.end) in protected or not _overlaps((form.start, form.end), protected):
                yield form

    def _has_person(self, text: str) -> bool:
        """Return True if a word of ``text`` may mean a person: a noun of the tables, or a nominalised adjective."""
        return any(m.group()[0].isupper() and self.lexicon.word(m.group()) for m in _WORD.finditer(text))

    def _unknown(self, text: str, protected: Sequence[tuple[int, int]]) -> Iterator[Unread]:
        """Yield what the published patterns would take and the tables do not know."""
        for match in _PUBLISHED.finditer(text):
            outside = match.span() in protected or not _overlaps(match.span(), protected)
            if outside and next(fair_forms(match.group(), self.lexicon), None) is None:
                yield Unread(*match.span(), UNKNOWN)

    def halves(self, word: str) -> tuple[str, ...]:
        """Return the gendered forms that a star form may stand for: masculine ones first, all cases."""
        form = next(fair_forms(word, self.lexicon), None)
        if form is None or (form.start, form.end) != (0, len(word)):
            return ()
        if form.kind == "word":
            return tuple(dict.fromkeys(halves(word))) if "*" in word else (form.masculine, form.feminine)
        known = self.lexicon.word(form.feminine)
        if form.kind == "compound" or known is None or known.noun is None:
            return (form.feminine + ("nen" if form.plural else ""),)
        noun = known.noun
        cells = [written for written, gender, _ in noun.person.forms() if (gender == PLURAL_CELL) == form.plural]
        cells.sort(key=lambda cell: cell.endswith("innen") or cell == noun.person.feminine)
        stem = form.feminine[: len(form.feminine) - len(noun.person.feminine)]
        return tuple(dict.fromkeys(stem + (cell.lower() if stem and stem[-1].islower() else cell) for cell in cells))

    def gender(self, text: str) -> str:
        """Return ``feminine`` or ``masculine`` where all person nouns of ``text`` are, else an empty string."""
        if self.maybe_fair(text) and next(fair_forms(text, self.lexicon), None) is not None:
            return ""
        found: set[int] = set()
        for match in _WORD.finditer(text):
            surface = match.group()
            word = self.lexicon.word(surface) if surface[0].isupper() else None
            if word is not None and word.noun is not None and (word.noun.certain or word.noun.gender == FEMININE):
                found.add(word.noun.gender)
        if len(found) != 1:
            return ""
        return "feminine" if FEMININE in found else "masculine"

    def contrasts(self, text: str) -> list[tuple[str, str]]:
        """Return the text with all its gender-fair forms feminine, and masculine (appendix G).

        Where the appendix replaces plural pairs and takes the first half of singular ones, the whole phrase is turned
        here; a form whose case is open gives no masculine.
        """
        made = [(result.form, result.source) for result in pair_form(text) if not result.dropped]
        return [(gender, written) for gender, written in made if gender in ("feminine", "masculine")]

    def prompts(self) -> list[str]:
        """Return *Ein\\*e Lehrer\\*in* ... for every person noun of the table (appendix D)."""
        return [
            f"Ein*e {row['feminine'][:-2]}*in"
            for row in read_table("de", "persons")
            if row["feminine"].endswith("in") and row["declension"] != "adjectival"
        ]


def _found(form: FairForm) -> Found:
    return Found(form.start, form.end, form.form, form.kind, form.plural)


def _is_pair(text: str, candidate: Candidate) -> bool:
    """Return True if a candidate is a pair form, of nouns or of pronouns (*ihren oder seinen*)."""
    if candidate.kind == "pair":
        return True
    return candidate.kind != "existing" and _CONJUNCTION.search(text[candidate.start : candidate.end]) is not None


def _settled(candidate: Candidate) -> str | None:
    """Return what a pair form becomes where that is certain: one outcome, or the one that the grammar forces."""
    changes = [(outcome, after) for outcome, after in candidate.options if outcome != KEEP]
    if candidate.forced is not None:
        return next((after for outcome, after in changes if outcome == candidate.forced), None)
    slashed = "/" in candidate.options[0][1]
    return changes[0][1] if len(changes) == 1 and slashed else None


def _apart(read: list[tuple[Found, str]]) -> list[tuple[Found, str]]:
    """Return forms in order, of two that overlap the longer one."""
    kept: list[tuple[Found, str]] = []
    for one, after in sorted(read, key=lambda item: (item[0].start, -item[0].end)):
        if not kept or kept[-1][0].end <= one.start:
            kept.append((one, after))
    return kept


def _overlaps(span: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in spans)
