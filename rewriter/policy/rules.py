"""What a user allows a rewriter to do: words, kinds of edit, confidence, spans, marks in the text, named persons.

A policy only ever takes edits away: what it leaves is a subset of the edits that the rewriter would make without it.
Edits that need each other go together: a verb or a contraction follows its pronoun, and where one of them may not
change, all of them stay, so that no policy makes *they knows* or *she know*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal

from rewriter.errors import UsageError
from rewriter.language.interface import Language, known_languages, profile
from rewriter.options import one_of
from rewriter.policy.ambiguity import by_sentence
from rewriter.policy.quotations import quoted_spans
from rewriter.policy.scope import control_rules, governors
from rewriter.records import Edit
from rewriter.registry import did_you_mean
from rewriter.text.offsets import joined, moved, within

#: kinds of edit that an allow or deny list may name; a language may have more
#: (:class:`rewriter.language.interface.Profile`)
KINDS = (
    "pronoun",
    "verb",
    "contraction",
    "noun",
    "article",
    "adjective",
    "title",
    "name",
    # German
    "possessive",
    "relative",
    "nominalised",
    "compound",
    "pair",
    "existing",
)
SCOPES = ("all", "generic")
#: places that may be left alone as a whole
PLACES = ("quotations", "works", "honorifics", "deities")
AMBIGUOUS = ("rewrite", "keep")

Span = tuple[int, int]
#: an edit that was not made, and why (few different reasons, so that they can be counted)
Withheld = tuple[Edit, str]

#: what opens a comment in which a mark may stand: HTML, XML, Markdown; shell, Python, YAML; C; TeX; Lisp, ini; SQL,
#: Haskell; reST; Jinja; OCaml
_OPENERS = r"<!--|#|//|/\*|%|;|--|\.\.|\{#|\(\*"
_PARAGRAPH = re.compile(r"\n[ \t]*\r?\n")
_MARK = re.compile(rf"(?:{_OPENERS})[ \t]*gender-fair:[ \t]*(off|on|ignore)(?![\w-])")


@dataclass(frozen=True)
class Policy:
    """Which edits stand; the default lets all of them stand and costs nothing.

    Attributes:
        allow: words (or phrases) that alone may change, in any capitals; together with ``allow_kinds`` a list of what
            may change. Empty: everything may.
        deny: words that never change; wins over ``allow``.
        allow_kinds: kinds of edit (:data:`KINDS`) that alone are made.
        deny_kinds: kinds of edit that are never made.
        min_confidence: edits that the model is less sure of (0 to 1) are not made.
        scope: ``generic`` leaves sentences alone that name a person, ``all`` does not.
        protect: regular expressions; what they match stays.
        marks: heed ``gender-fair: off``, ``on`` and ``ignore`` in comments.
        places: what stays as it is (:data:`PLACES`); what a language cannot tell does not.
        on_ambiguous: ``keep`` leaves sentences alone that could be read in two ways when rewritten.

    Raises:
        UsageError: an unknown kind, scope or place, a regular expression that is none, a confidence outside 0 to 1.
    """

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    allow_kinds: tuple[str, ...] = ()
    deny_kinds: tuple[str, ...] = ()
    min_confidence: float = 0.0
    scope: Literal["all", "generic"] = "all"
    protect: tuple[str, ...] = ()
    marks: bool = False
    places: tuple[str, ...] = ()
    on_ambiguous: Literal["rewrite", "keep"] = "rewrite"

    def __post_init__(self) -> None:
        for name in ("allow", "deny"):
            object.__setattr__(self, name, tuple(sorted({_normal(word) for word in getattr(self, name)})))
        for name in ("allow_kinds", "deny_kinds"):
            object.__setattr__(self, name, tuple(sorted({_kind(kind) for kind in getattr(self, name)})))
        if not 0.0 <= self.min_confidence <= 1.0:
            raise UsageError(f"the least confidence is a number from 0 to 1, not {self.min_confidence}")
        one_of(SCOPES, scope=self.scope)
        one_of(AMBIGUOUS, on_ambiguous=self.on_ambiguous)
        for place in self.places:
            one_of(PLACES, places=place)
        object.__setattr__(self, "places", tuple(self.places))
        object.__setattr__(self, "protect", tuple(self.protect))
        _patterns(self.protect)

    @property
    def idle(self) -> bool:
        """Whether this policy lets everything stand, so that nobody need ask it."""
        return self == _DEFAULT

    @property
    def _looks_at_text_only(self) -> bool:
        """Whether it has no objection where nothing is protected."""
        lists = self.allow or self.deny or self.allow_kinds or self.deny_kinds
        is_plain = self.scope == "all" and self.on_ambiguous == "rewrite" and not self.places
        return not (lists or self.min_confidence) and is_plain

    def identity(self) -> dict[str, Any]:
        """Return what differs from the default as JSON values, for fingerprints and manifests."""
        changed = {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in changed.items()}

    def filter(self, text: str, edits: Sequence[Edit], language: Language) -> tuple[list[Edit], list[Withheld]]:
        """Return the edits of a text that stand, and the others with the reason; this is all that a rewriter calls.

        Args:
            text: the whole text, so that marks and regular expressions see what lies between sentences.
            edits: the edits of the text as they would be made without a policy, offsets in the text.
            language: cuts the text into sentences, names the rules.
        """
        protected = joined(self.protected(text))
        if not edits or (not protected and self._looks_at_text_only):
            return list(edits), []
        spans = language.segment(text)
        groups = by_sentence(spans, sorted(edits, key=lambda edit: edit.start))
        about_persons = self._about_persons(text, spans, groups, language.code)
        kept_places = self._kept(text, language.code)
        kept: list[Edit] = []
        withheld: list[Withheld] = []
        for index, group in groups.items():
            if index in about_persons:
                withheld += [(edit, about_persons[index]) for edit in group]
                continue
            start, end = spans[index]
            inside = within(protected, start, end)
            own = [moved(edit, -start) for edit in group]
            places = [(a - start, b - start, what) for a, b, what in kept_places if a < end and b > start]
            stand, stay = self.keep(text[start:end], own, language=language.code, protected=inside, places=places)
            before = text[slice(*spans[index - 1])] if index else ""
            if reason := self._ambiguity(text[start:end], stand, before, language.code):
                stand, stay = [], [*stay, *((edit, reason) for edit in stand)]
            kept += [moved(edit, start) for edit in stand]
            withheld += [(moved(edit, start), reason) for edit, reason in stay]
        return kept, withheld

    def _kept(self, text: str, language: str) -> list[tuple[int, int, str]]:
        """Return (start, end, what it is) of the places that stay."""
        if not self.places:
            return []
        quotations = quoted_spans(text) if "quotations" in self.places else ()
        rules = control_rules(language)
        return [*((*span, "quotation") for span in quotations), *rules.kept_spans(text, self.places)]

    def _ambiguity(self, sentence: str, edits: Sequence[Edit], before: str, language: str) -> str:
        """Return why a sentence is left alone that could be read in two ways, or an empty string."""
        return control_rules(language).ambiguous(sentence, edits, before) if self.on_ambiguous == "keep" else ""

    def _about_persons(
        self, text: str, spans: Sequence[Span], groups: Mapping[int, Sequence[Edit]], language: str
    ) -> dict[int, str]:
        """Return the sentences with edits that are left alone because they name a person or go on about one.

        A sentence goes on about a person named before it in its paragraph when its first pronoun may refer back.
        """
        if self.scope != "generic":
            return {}
        rules = control_rules(language)
        found: dict[int, str] = {}
        is_named = False
        for index in range(max(groups) + 1):
            start, end = spans[index]
            if index and _PARAGRAPH.search(text, spans[index - 1][1], start):
                is_named = False
            pronouns = [edit for edit in groups.get(index, ()) if edit.kind == "pronoun"]
            if rules.names_person(text[start:end]):
                is_named = True
                found[index] = "names a person"
            elif pronouns:
                is_named = is_named and rules.refers_back(text[start:end], pronouns[0].start - start)
                if is_named:
                    found[index] = "goes on about a person named before"
        return found

    def protected(self, text: str) -> list[Span]:
        """Return the spans of ``text`` that regular expressions and marks protect, in order, not overlapping."""
        spans = [match.span() for pattern in _patterns(self.protect) for match in pattern.finditer(text)]
        if self.marks:
            spans += marked_spans(text)
        return merge_spans(spans)

    def skips(self, sentence: str, language: str = "en") -> bool:
        """Return True if a sentence is left alone as a whole: under ``scope="generic"`` when it names a person."""
        return self.scope == "generic" and control_rules(language).names_person(sentence)

    def keep(
        self,
        sentence: str,
        edits: Sequence[Edit],
        *,
        language: str = "en",
        protected: Sequence[Span] = (),
        places: Sequence[tuple[int, int, str]] = (),
    ) -> tuple[list[Edit], list[Withheld]]:
        """Return the edits of one sentence that stand, and the others with the reason.

        Args:
            sentence: the source.
            edits: offsets within the sentence.
            language: code of its language.
            protected: spans of the sentence that stay.
            places: (start, end, what it is) of quotations and the like, which stay.
        """
        ordered = sorted(edits, key=lambda edit: edit.start)
        leaders = governors(sentence, ordered, language)
        reasons = {
            i: reason
            for i, edit in enumerate(ordered)
            if (reason := _place(edit, places) or self._objection(edit, protected, is_follower=leaders[i] >= 0))
        }
        if reasons:
            _add_followers(ordered, leaders, reasons)
        kept = [edit for i, edit in enumerate(ordered) if i not in reasons]
        return kept, [(ordered[i], reasons[i]) for i in sorted(reasons)]

    def _objection(self, edit: Edit, protected: Sequence[Span], *, is_follower: bool) -> str:
        """Return why an edit may not be made by itself, or an empty string."""
        if any(start < edit.end and end > edit.start for start, end in protected):
            return "protected"
        forms = (_normal(edit.before), _bare(_normal(edit.before)))
        denied = next((form for form in forms if form in _word_set(self.deny)), None)
        if denied is not None:
            return f"denied word '{denied}'"
        if edit.kind in self.deny_kinds:
            return f"denied kind '{edit.kind}'"
        if edit.score < self.min_confidence:
            return f"confidence below {self.min_confidence:g}"
        if is_follower or not (self.allow or self.allow_kinds) or edit.kind in self.allow_kinds:
            return ""  # what follows a pronoun need not be listed: who allows "she" wants the verb to agree with it
        return "" if any(form in _word_set(self.allow) for form in forms) else "not among what may change"


def _place(edit: Edit, places: Sequence[tuple[int, int, str]]) -> str:
    """Return what the place of an edit is that stays, or an empty string."""
    return next((what for start, end, what in places if start < edit.end and end > edit.start), "")


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Return ``spans`` in order, those that overlap or touch joined, empty ones left out."""
    merged: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def marked_spans(text: str) -> list[Span]:
    """Return the spans that marks in comments switch off.

    ``gender-fair: off`` switches off up to ``gender-fair: on`` or the end of the text, ``gender-fair: ignore`` the line
    in which it stands. A mark counts only right behind the beginning of a comment (``<!--``, ``#``, ``//``, ``/*``,
    ``%``, ``;``, ``--``, ``..``, ``{#``, ``(*``), so that prose about marks is no mark.
    """
    if "gender-fair:" not in text:
        return []
    spans: list[Span] = []
    opened = -1
    for mark in _MARK.finditer(text):
        word = mark[1]
        if word == "ignore":
            end = text.find("\n", mark.end())
            spans.append((text.rfind("\n", 0, mark.start()) + 1, len(text) if end < 0 else end))
        elif word == "off" and opened < 0:
            opened = mark.start()
        elif word == "on" and opened >= 0:
            spans.append((opened, mark.end()))
            opened = -1
    if opened >= 0:
        spans.append((opened, len(text)))
    return spans


def _add_followers(edits: Sequence[Edit], leaders: Sequence[int], reasons: dict[int, str]) -> None:
    """Add to ``reasons`` pronouns one of whose verbs stays, and what follows a pronoun that stays."""
    for i, leader in enumerate(leaders):
        if i in reasons and leader >= 0:
            reasons.setdefault(leader, f"a {edits[i].kind} that follows it stays")
    for i, leader in enumerate(leaders):
        if leader in reasons:
            reasons.setdefault(i, "follows a pronoun that stays")


def _normal(word: str) -> str:
    """Return a word as lists compare it: lower case, straight apostrophes, single spaces."""
    return re.sub(r"\s+", " ", word.strip().replace("’", "'")).casefold()


def _bare(word: str) -> str:
    """Return a noun without the article and the genitive that its edit takes along."""
    return re.sub(r"^an? (?=.)|(?<=.)'s$", "", word)


def _kind(kind: str) -> str:
    if kind in KINDS:
        return kind
    known = [*KINDS, *(own for code in known_languages() for own in profile(code).kinds)]
    if kind not in known:
        raise UsageError(f"unknown kind of edit '{kind}'{did_you_mean(kind, known)}; known: {', '.join(known)}")
    return kind


@cache
def _word_set(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(words)


@cache
def _patterns(sources: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    compiled = []
    for source in sources:
        try:
            compiled.append(re.compile(source, re.MULTILINE))
        except re.error as error:
            raise UsageError(f"'{source}' is no regular expression ({error})") from None
    return tuple(compiled)


_DEFAULT = Policy()
