"""Backward augmentation: fair English to generic masculine and feminine (Amrhein et al. 2023, section 3).

*They*, *them*, *their* ... and the fair nouns of the table are replaced by gendered words; the original stays as
target. *They* for several people is used too: what the method needs is text whose fair side is natural. Beyond the
published code, verbs become singular where the replaced pronoun is their subject, so that the sources look like the
text that a rewriter will see.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from augment.dependency import VERBAL_HELPERS, Parse, Relation, Token
from augment.en.agreement import Agreement, find_agreements, is_coordinated, left_of, right_of
from augment.en.fair_nouns import FairNoun, find_nouns
from augment.languages import RuleResult
from rewriter.en.back_words import (
    AUXILIARIES,
    CASES,
    FEMININE,
    GENDERED,
    MASCULINE,
    PAST_FORMS,
    PLURAL_ONLY,
    UNCHANGED,
    reversed_nouns,
)
from rewriter.en.closed_words import THEY_PRONOUNS
from rewriter.en.inflection import match_case, to_singular
from rewriter.policy.protect import protected_spans
from rewriter.records import Edit, apply_edits

FORMS = (MASCULINE, FEMININE, "mixed")


@dataclass(frozen=True)
class BackwardOptions:
    """What variants are made, and how often the rarer styles are.

    Attributes:
        forms: forms to make of every text: ``masculine``, ``feminine``, ``mixed``.
        double_rate: share of texts in which double forms (*he or she*, *s/he*) are used instead.
        capitals_rate: share of texts turned to capitals on both sides.
        title_rate: share of texts turned to title case on both sides.
        contraction_rate: share of *they are* and *they have* + participle that are contracted on both sides.
        subjunctive_rate: share of *if they were* that stays *were* (if he were) instead of becoming *was*.
        noun_rate: share of fair nouns that are replaced.
    """

    forms: tuple[str, ...] = FORMS
    double_rate: float = 0.04
    capitals_rate: float = 0.02
    title_rate: float = 0.01
    contraction_rate: float = 0.15
    subjunctive_rate: float = 0.5
    noun_rate: float = 1.0


@dataclass(frozen=True, slots=True)
class Piece:
    """A span of the text with what stands there in source and target."""

    start: int
    end: int
    source: str
    target: str
    kind: str
    rule: str
    doubtful: bool = False


class UnusableError(Exception):
    """The text gives no good pair; the message is the reason kept in the statistics."""


def backward(parse: Parse, options: BackwardOptions, rng: np.random.Generator) -> list[RuleResult]:
    """Make gendered sources for a fair text.

    Args:
        parse: of the text.
        options: variants and rates.
        rng: source of all choices.

    Returns:
        One result per form that has something to replace; where the text cannot be used, one result with ``dropped``
        set to the reason.
    """
    try:
        analysis = _Analysis(parse)
    except UnusableError as reason:
        return [RuleResult(parse.text, parse.text, "fair", dropped=str(reason))]
    results: list[RuleResult] = []
    for form in options.forms:
        pieces = _Writer(analysis, options, form, rng).pieces()
        if any(p.source != p.target for p in pieces):
            results.append(_assemble(parse.text, pieces, form, _style(options, rng)))
    return results or [RuleResult(parse.text, parse.text, "fair", dropped="nothing to rewrite")]


# ---------------------------------------------------------------- what the text holds


class _Analysis:
    """Pronouns, their verbs and fair nouns of one text; the same for all forms.

    Raises:
        UnusableError: the text gives no good pair.
    """

    def __init__(self, parse: Parse) -> None:
        self.parse = parse
        self.protected = protected_spans(parse.text)
        self.pronouns = [t.index for t in parse.tokens if self._is_pronoun(t)]
        self._check_pronouns()
        forms = {i: parse.lower(i) == "they" for i in self.pronouns}
        verbs = {t.index for t in parse.tokens if self._is_plural_form(t)}
        self.agreements = find_agreements(parse, forms, verbs, _excludes_plural)
        self._check_verbs()
        self.nouns = [n for n in find_nouns(parse) if not self.is_protected(n.start)]

    def is_protected(self, offset: int) -> bool:
        return any(start <= offset < end for start, end in self.protected)

    def _is_pronoun(self, token: Token) -> bool:
        word = token.text.lower()
        if word not in THEY_PRONOUNS or self.is_protected(token.start) or _is_part_of_word(self.parse.text, token):
            return False
        if word in ("themselves", "themself"):
            return self._refers_to_pronoun(token)
        # "them boys": a determiner, left on both sides
        return not (word == "them" and token.relation is Relation.DETERMINER)

    def _refers_to_pronoun(self, token: Token) -> bool:
        """Return True if a reflexive goes with a *they* that is replaced, or with nothing that is plural."""
        before = [t for t in self.parse.tokens[: token.index] if t.start > token.start - 200]
        for other in reversed(before):
            if other.text.lower() in ("they", "them", "their"):
                return True
            if other.tag in ("NNS", "NNPS", "PRP") or other.text.lower() in ("who", "people"):
                return False
        return False

    def _is_plural_form(self, token: Token) -> bool:
        word = self.parse.lower(token.index)
        if self.is_protected(token.start) or self._is_inverted_infinitive(token.index):
            return False
        if word in ("'re", "'ve", "are", "were", "have", "do", "aren't", "weren't", "haven't", "don't"):
            return token.tag not in ("VB",) or word == "are" or self._is_beside_pronoun(token.index)
        if word in ("re", "ve"):
            return token.index > 0 and self.parse[token.index - 1].end == token.start
        if to_singular(token.text) is None or word in PAST_FORMS:
            return False
        if token.tag == "VBP" or (token.tag == "VB" and self._continues_finite(token)):
            return self._is_finite(token.index)
        # taggers take "they work" for a noun and "they say" for an infinitive
        return token.tag in ("VB", "NN") and self._is_beside_pronoun(token.index)

    def _continues_finite(self, token: Token) -> bool:
        """Return True if a base form is coordinated with a present tense (*they keep playing and begin to hit*)."""
        parse = self.parse
        is_listed = parse.lower(left_of(parse, token.index)) in (",", "and", "or", "but")
        relations = (Relation.CONJUNCT, *((Relation.COMPLEMENT, Relation.CLAUSE) if is_listed else ()))
        if token.relation not in relations or parse.children(
            token.index, *VERBAL_HELPERS, Relation.MARK, Relation.SUBJECT
        ):
            return False
        head = parse[token.head]
        return head.index < token.index and head.tag == "VBP" and parse.finite_word(head.index) == head.index

    def _is_beside_pronoun(self, index: int) -> bool:
        return self.parse.lower(left_of(self.parse, index)) == "they"

    def _is_inverted_infinitive(self, index: int) -> bool:
        """Return True if an auxiliary before the pronoun carries the inflection: *do they have*, *may they live*."""
        left = left_of(self.parse, index)
        before = self.parse.lower(left - 1)
        inverts = before in AUXILIARIES or before.endswith("n't") or before in ("are", "were", "have")
        return self.parse.lower(left) == "they" and inverts and self.parse.lower(left - 2) != "they"

    def _is_finite(self, index: int) -> bool:
        """Return True if a plural or base form carries the inflection of its clause."""
        parse = self.parse
        helpers = [h for h in parse.auxiliaries(parse.predicate(index)) if parse.lower(h) != "to"]
        return not helpers or helpers[0] == index

    def _check_pronouns(self) -> None:
        for index in self.pronouns:
            word = self.parse.lower(index)
            between = {self.parse.lower(i) for i in range(index + 1, right_of(self.parse, index) + 1)}
            if word == "they" and between & PLURAL_ONLY:
                raise UnusableError("they is plural beyond doubt (both, all, two)")
            if word == "their" and self.parse.tag(index + 1) in ("VBZ", "VBP", "MD", "DT", "EX"):
                raise UnusableError("their stands where no possessive can")
            if word == "they" and is_coordinated(self.parse, index):
                raise UnusableError("they is coordinated with another noun phrase")

    def _check_verbs(self) -> None:
        """Every *they* that has a present-tense verb beside it must have that verb singular."""
        for index in self.pronouns:
            if self.parse.lower(index) != "they":
                continue
            following = right_of(self.parse, index)
            tag = self.parse.tag(following)
            if tag in ("VBP", "VBZ") and following not in self.agreements:
                word = self.parse.lower(following)
                is_past = word in UNCHANGED or word in PAST_FORMS or word.endswith("ed")
                if not is_past and not self._is_inverted_infinitive(following) and not self._has_verb(index):
                    raise UnusableError("a verb of they has no singular form")

    def _has_verb(self, pronoun: int) -> bool:
        return any(a.subject == pronoun for a in self.agreements.values())


def _is_part_of_word(text: str, token: Token) -> bool:
    before, after = text[: token.start][-1:], text[token.end :][:1]
    return before.isalnum() or before in ("-", "/", "#", "@") or after in ("-", "/") or after == "_"


def _excludes_plural(token: Token) -> bool:
    return token.tag in ("NN", "NNP") or token.text.lower() in ("it", "this", "that", "he", "she")


def fair_words() -> list[str]:
    """Return patterns of all words that backward augmentation can replace, longest first."""
    nouns = {key.partition("|")[0] for key in reversed_nouns()}
    forms = sorted({*THEY_PRONOUNS, *nouns}, key=lambda w: (-len(w), w))
    return [re.escape(form).replace(r"\ ", r"\s+") for form in forms]


# ---------------------------------------------------------------- writing

#: spellings by reading; of each text one column is used throughout
_DOUBLE: tuple[dict[str, str], ...] = (
    {
        "subject": "he or she",
        "object": "him or her",
        "possessive": "his or her",
        "standalone": "his or hers",
        "reflexive": "himself or herself",
    },
    {
        "subject": "she or he",
        "object": "her or him",
        "possessive": "her or his",
        "standalone": "hers or his",
        "reflexive": "herself or himself",
    },
    {
        "subject": "he/she",
        "object": "him/her",
        "possessive": "his/her",
        "standalone": "his/hers",
        "reflexive": "himself/herself",
    },
    {
        "subject": "she/he",
        "object": "her/him",
        "possessive": "her/his",
        "standalone": "hers/his",
        "reflexive": "herself/himself",
    },
    {
        "subject": "s/he",
        "object": "her/him",
        "possessive": "his/her",
        "standalone": "his/hers",
        "reflexive": "him/herself",
    },
    {
        "subject": "(s)he",
        "object": "him/her",
        "possessive": "his/her",
        "standalone": "his/hers",
        "reflexive": "him/herself",
    },
)


class _Writer:
    """Makes the pieces of one form of one text."""

    def __init__(self, analysis: _Analysis, options: BackwardOptions, form: str, rng: np.random.Generator) -> None:
        self.analysis, self.options, self.form, self.rng = analysis, options, form, rng
        self.parse = analysis.parse
        self.double = _DOUBLE[int(rng.integers(len(_DOUBLE)))] if rng.random() < options.double_rate else None

    def pieces(self) -> list[Piece]:
        """Return the pieces in order, not overlapping."""
        made: list[Piece] = []
        for index in self.analysis.pronouns:
            made.append(self._pronoun(index))
        contracted = self._contractions()
        made += contracted
        taken = {p.end for p in contracted}
        made += [self._verb(a) for a in self.analysis.agreements.values() if self.parse[a.verb].end not in taken]
        made += self._nouns()
        return sorted(made, key=lambda p: p.start)

    def _gender(self) -> str:
        if self.form in (MASCULINE, FEMININE):
            return self.form
        return (MASCULINE, FEMININE)[int(self.rng.integers(2))]

    def _pronoun(self, index: int) -> Piece:
        token = self.parse[index]
        word = token.text.lower()
        case = CASES.get(word, "reflexive")
        followed_by_clitic = self.parse.lower(index + 1).startswith("'") and self.parse[index + 1].start == token.end
        table = self.double if self.double and not followed_by_clitic else GENDERED[self._gender()]
        after = table[case]
        target = match_case(token.text, "themself") if case == "reflexive" else token.text
        name = f"{word} in two forms" if table is self.double else word
        source = _double_case(token.text, after) if table is self.double else match_case(token.text, after)
        return Piece(token.start, token.end, source, target, "pronoun", name)

    def _verb(self, agreement: Agreement) -> Piece:
        token = self.parse[agreement.verb]
        word = self.parse.lower(agreement.verb)
        kind, name = "verb", agreement.rule
        if word in ("'re", "'ve"):
            source, kind, name = token.text[0] + match_case(token.text[1:], "s"), "contraction", word
        elif word in ("re", "ve"):
            source, kind, name = match_case(token.text, "s"), "contraction", word
        elif word == "were" and self._is_subjunctive(agreement) and self.rng.random() < self.options.subjunctive_rate:
            source, name = token.text, "subjunctive"
        else:
            source = to_singular(token.text) or token.text
        return Piece(token.start, token.end, source, token.text, kind, name, agreement.doubtful)

    def _is_subjunctive(self, agreement: Agreement) -> bool:
        before = [self.parse.lower(i) for i in range(max(0, agreement.subject - 3), agreement.subject)]
        return agreement.verb < agreement.subject or bool(
            {"if", "though", "wish", "wishes", "wished", "unless"} & set(before)
        )

    def _contractions(self) -> list[Piece]:
        """Contract some *they are* and *they have* + participle on both sides, so that 's has labels of both kinds."""
        made: list[Piece] = []
        for agreement in self.analysis.agreements.values():
            usable = agreement.rule == "adjacent" and not self.double and self._is_contractible(agreement)
            if usable and self.rng.random() < self.options.contraction_rate:
                made.append(self._contraction(agreement))
        return made

    def _is_contractible(self, agreement: Agreement) -> bool:
        parse, verb = self.parse, agreement.verb
        if verb != agreement.subject + 1 or parse.lower(verb + 1) in ("n't", "nt", ""):
            return False
        if parse[verb].start - parse[agreement.subject].end != 1:
            return False
        following = right_of(parse, verb)
        if parse.lower(verb) == "are":
            # "who they are." cannot be contracted
            return parse.tag(following)[:2] in ("VB", "JJ", "DT", "NN") and parse.lower(following) != "to"
        return parse.lower(verb) == "have" and parse.tag(following) == "VBN"

    def _contraction(self, agreement: Agreement) -> Piece:
        verb = self.parse[agreement.verb]
        start = self.parse[agreement.subject].end
        short = "re" if self.parse.lower(agreement.verb) == "are" else "ve"
        apostrophe = "’" if "’" in self.parse.text else "'"
        source, target = apostrophe + match_case(verb.text, "s"), apostrophe + match_case(verb.text, short)
        return Piece(start, verb.end, source, target, "contraction", f"contracted {verb.text.lower()}")

    def _nouns(self) -> list[Piece]:
        made = []
        for noun in self.analysis.nouns:
            gender = self._gender()
            options = noun.options.get(gender)
            if options and self.rng.random() < self.options.noun_rate:
                made.append(self._noun(noun, options[int(self.rng.integers(len(options)))]))
        return made

    def _noun(self, noun: FairNoun, gendered: str) -> Piece:
        surface = self.parse.text[noun.start : noun.end]
        model = surface if surface.isupper() else surface[0] + "x"
        genitive = noun.genitive if not noun.genitive or gendered.endswith("s") else noun.genitive + "s"
        # the table's spelling is the target: Member of Congress -> member of congress
        target = match_case(model, noun.fair) + noun.genitive
        return Piece(noun.start, noun.end, match_case(model, gendered) + genitive, target, "noun", noun.fair)


def _double_case(model: str, form: str) -> str:
    """Return a double form in the case style of the pronoun that it replaces (*S/he*, *He or she*, *HE OR SHE*)."""
    if model.isupper() and len(model) > 1:
        return form.upper()
    if not model[0].isupper():
        return form
    at = next(i for i, c in enumerate(form) if c.isalpha())
    return form[:at] + form[at].upper() + form[at + 1 :]


# ---------------------------------------------------------------- putting together


def _style(options: BackwardOptions, rng: np.random.Generator) -> str:
    draw = rng.random()
    if draw < options.capitals_rate:
        return "capitals"
    return "title" if draw < options.capitals_rate + options.title_rate else ""


def _assemble(text: str, pieces: Sequence[Piece], form: str, style: str) -> RuleResult:
    source, target = "", ""
    edits: list[Edit] = []
    doubtful: list[tuple[int, int]] = []
    statistics: Counter[str] = Counter()
    position = 0
    for piece in pieces:
        gap = text[position : piece.start]
        source, target = source + gap, target + gap
        start, end = len(source), len(source) + len(piece.source)
        if piece.source != piece.target:
            edits.append(Edit(start, end, piece.source, piece.target, piece.kind, piece.rule))
            statistics[piece.rule] += 1
        if piece.doubtful:
            doubtful.append((start, end))
        source, target = source + piece.source, target + piece.target
        position = piece.end
    source, target = source + text[position:], target + text[position:]
    if style:
        restyled = _restyle(source, target, edits, style)
        if restyled:
            source, target, edits = restyled
            statistics[style] += 1
    return RuleResult(source, target, form, tuple(edits), tuple(doubtful), statistics)


def _restyle(source: str, target: str, edits: list[Edit], style: str) -> tuple[str, str, list[Edit]] | None:
    change = str.upper if style == "capitals" else _title
    styled_source, styled_target = change(source), change(target)
    if len(styled_source) != len(source) or len(styled_target) != len(target):
        # a letter that grows (ß) would shift the spans
        return None
    styled = [replace(e, before=styled_source[e.start : e.end], after=change(e.after)) for e in edits]
    if apply_edits(styled_source, styled) != styled_target:
        # an edit in the middle of a word (hes) has no title case of its own
        return None
    return styled_source, styled_target, styled


def _title(text: str) -> str:
    return re.sub(r"(?<![\w'’])[^\W\d_]", lambda m: m.group().upper(), text)
