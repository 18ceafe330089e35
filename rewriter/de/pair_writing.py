"""Gender-fair words that a text holds already as pair forms: *der\\*die Lehrer\\*in*, *die Lehrerin oder der Lehrer*.

A phrase is repeated as a whole, the feminine first: the words that hold a sign, and what stands between them. What
cannot be paired stays and is named: compounds with a person first (*Kund\\*innenkonto*), possessor and possessed at
once (*sein\\*ihr\\*e*), a determiner without a sign whose gender is open (*der Lehrer\\*in*).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rewriter.de.fair_forms import FairForm
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.one_gender import fair_words, words_in_one_gender
from rewriter.de.pair_form import LONGEST
from rewriter.de.phrase_words import FUNCTION
from rewriter.records import Edit, apply_edits

#: adjectives without a sign between the words of a phrase (*der*die neue Lehrer*in*)
_BETWEEN = re.compile(r"(?: [a-zäöüß]{2,}(?:e|e[nmrs])){0,3} ")
_WORD_BEFORE = re.compile(r"([^\W\d_]+) (?:[a-zäöüß]{2,}(?:e|e[nmrs]) )*$")
_OPENING = frozenset("„»\"“«‚›'([–—-•*#>")
_ENDING = frozenset(".!?:…\n")
#: what stands for a person by itself, whatever follows
_ALONE = frozenset("er ihn ihm dessen".split())


@dataclass(frozen=True)
class Paired:
    """What became of the gender-fair words of a sentence.

    Attributes:
        edits: the pair forms.
        left: words that stay since they cannot be paired.
    """

    edits: tuple[Edit, ...] = ()
    left: tuple[FairForm, ...] = ()


@dataclass
class _Group:
    """Forms of one phrase, and the words without a sign that agree with them."""

    forms: list[FairForm] = field(default_factory=list)
    is_closed: bool = False

    @property
    def last(self) -> FairForm:
        return self.forms[-1]


def paired(text: str, lexicon: GermanLexicon, protected: Sequence[tuple[int, int]] = ()) -> Paired:
    """Return the pair forms of the gender-fair words of a sentence.

    Args:
        text: the sentence.
        lexicon: compiled tables.
        protected: spans of the sentence that stay, in order.
    """
    forms = fair_words(text, lexicon, protected)
    return _Writer(text, lexicon, forms).written() if forms else Paired()


class _Writer:
    def __init__(self, text: str, lexicon: GermanLexicon, forms: Sequence[FairForm]) -> None:
        self.text, self.lexicon, self.forms = text, lexicon, forms
        self.feminine, self.masculine = (
            {
                (e.start, e.end): e
                for e in (item.edit for item in words_in_one_gender(text, lexicon, forms, feminine=is_her))
            }
            for is_her in (True, False)
        )
        spans = {(form.start, form.end) for form in forms}
        #: words without a sign that one gender changes (*eine Lehrer*in*)
        self.plain = sorted({*self.feminine, *self.masculine} - spans)

    def written(self) -> Paired:
        edits: list[Edit] = []
        left: list[FairForm] = []
        groups = [(group, self._edit(group)) for group in self._groups()]
        for place, (group, edit) in enumerate(groups):
            following, its_edit = groups[place + 1] if place + 1 < len(groups) else (None, None)
            if edit is None or (following is not None and its_edit is None and self._leads_to(group, following)):
                left += group.forms
            elif edit.before != edit.after:
                edits.append(edit)
        return Paired(tuple(edits), tuple(left))

    def _leads_to(self, group: _Group, following: _Group) -> bool:
        """Return True if forms are the determiner and adjectives of those behind them."""
        between = self.text[group.last.end : following.forms[0].start]
        return not group.is_closed and _BETWEEN.fullmatch(between) is not None

    # ------------------------------------------------------------ which words belong together

    def _groups(self) -> Iterator[_Group]:
        group = _Group()
        for form in self.forms:
            if group.forms and not self._joins(group, form):
                yield group
                group = _Group()
            group.forms.append(form)
            group.is_closed = self._closes(form, first=len(group.forms) == 1)
        if group.forms:
            yield group

    def _joins(self, group: _Group, form: FairForm) -> bool:
        """Return True if a form goes on with the phrase of the forms before it."""
        if group.is_closed or form.plural or form.kind == "compound" or self._is_determiner(form):
            return False
        if form.kind == "word" and (form.masculine.lower() in _ALONE or self._is_possessive(form)):
            return False
        between = self.text[group.last.end : form.start]
        return _BETWEEN.fullmatch(between) is not None and FUNCTION.isdisjoint(between.split())

    def _closes(self, form: FairForm, *, first: bool) -> bool:
        """Return True if a form ends its phrase: a noun, a pronoun, a nominalised adjective."""
        if form.kind != "word" or form.masculine.lower() in _ALONE:
            return True
        if self._is_possessive(form) and not form.rest:
            return True
        surface = self.text[form.start : form.end]
        return surface[0].isupper() and not surface.isupper() and not (first and self._begins(form.start))

    def _is_determiner(self, form: FairForm) -> bool:
        words = {form.masculine.lower().split()[0], form.feminine.lower().split()[0]}
        return form.kind == "word" and not words.isdisjoint(self.lexicon.determiners)

    @staticmethod
    def _is_possessive(form: FairForm) -> bool:
        return form.kind == "word" and form.masculine.lower().startswith("sein") and form.feminine[:1].lower() == "i"

    def _begins(self, start: int) -> bool:
        """Return True if a capital at ``start`` may be that of a sentence's beginning."""
        before = self.text[:start].rstrip(" ")
        while before and before[-1] in _OPENING:
            before = before[:-1].rstrip(" ")
        return not before or before[-1] in _ENDING

    # ------------------------------------------------------------ what is written

    def _edit(self, group: _Group) -> Edit | None:
        """Return the edit of a phrase, None where it cannot be repeated."""
        head = group.last
        if head.kind == "compound" or any(form.rest for form in group.forms):
            return None
        if any(form.kind == "noun" and (form.start, form.end) not in self.masculine for form in group.forms):
            return None
        if head.start and (self.text[head.start - 1].isalpha() or self.text[head.start - 1] == "-"):
            return None  # Schüler*innenberater*in, HIV-Positive*r
        if self.text[head.end : head.end + 1] == "-" or self.text[head.end : head.end + 2] == "/-":
            return None
        start = group.forms[0].start if head.plural else self._start(group)
        before = self.text[start : head.end]
        if len(before.split()) > LONGEST or "\n" in before or self._has_open_determiner(start, head):
            return None
        feminine, masculine = (self._side(edits, start, head.end) for edits in (self.feminine, self.masculine))
        word = "und" if head.plural else "oder"
        if before.isupper():
            word = word.upper()
        elif before[:1].isupper() and self._is_lower_inside(group, start):
            masculine = masculine[:1].lower() + masculine[1:]
        after = feminine if feminine == masculine else f"{feminine} {word} {masculine}"
        return Edit(start, head.end, before, after, "existing", f"{before} -> {after}: pair")

    def _start(self, group: _Group) -> int:
        """Return where a phrase begins: at a word without a sign that agrees with it, if there is one."""
        start = group.forms[0].start
        for first, end in reversed(self.plain):
            between = self.text[end:start]
            if end <= start and _BETWEEN.fullmatch(between) is not None:
                start = first
        return start

    def _side(self, edits: dict[tuple[int, int], Edit], start: int, end: int) -> str:
        inside = [edit for (first, last), edit in edits.items() if start <= first and last <= end]
        moved = [Edit(e.start - start, e.end - start, e.before, e.after, e.kind, e.reason) for e in inside]
        return apply_edits(self.text[start:end], moved)

    def _has_open_determiner(self, start: int, head: FairForm) -> bool:
        """Return True if a determiner that no sign marks and no gender changes stands before a singular noun."""
        if head.kind != "noun" or head.plural or (start, 0) in self.plain:
            return False
        match = _WORD_BEFORE.search(self.text, 0, start)
        if match is None or any(first == start for first, _ in self.plain):
            return False
        readings = self.lexicon.determiners.get(match[1].lower(), ())
        return any(reading.kind not in ("plural", "contraction") for reading in readings)

    def _is_lower_inside(self, group: _Group, start: int) -> bool:
        """Return True if the first word of a phrase has its capital from the sentence's beginning only."""
        first = group.forms[0]
        if start < first.start or len(group.forms) > 1:
            return True
        return first.kind == "word" and (
            self._is_determiner(first)
            or first.masculine.lower() in _ALONE
            or self._is_possessive(first)
            or " " in first.feminine
        )
