"""Gender-fair words of a sentence in one gender: *der\\*die Student\\*in* as *der Student* or *die Studentin*.

A star form holds both of its halves, so determiners, adjectives and pronouns are only taken apart. The feminine noun
is its stem with *-in*. The masculine noun has endings for its case (*des Lehrers, dem Studenten, mit Lehrern*), which
is looked for in the feminine twin of the sentence, an ordinary one: in the halves of the words that agree with the
noun, in its determiner and adjectives, the preposition, and the noun that it is coordinated with. Where all of them
leave it open it is taken for the nominative, and the reason of the edit says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rewriter.de.closed_classes import CONJUNCTIONS
from rewriter.de.fair_forms import FairForm, fair_forms
from rewriter.de.feminine_twin import FeminineTwin, feminine_word, word_halves
from rewriter.de.genders import like, masculine_noun
from rewriter.de.inflection import (
    ACCUSATIVE,
    CASES,
    DATIVE,
    FEMININE,
    GENITIVE,
    MASCULINE,
    NOMINATIVE,
    both,
    endings,
    inflect,
    match_case,
)
from rewriter.de.inflection import PLURAL as PLURAL_FORM
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.phrase import Phrase
from rewriter.de.phrase_words import NUMERALS
from rewriter.de.phrases import find_phrase
from rewriter.de.word_readings import FEM, MASC, PLUR, SINGULAR, Determiner, Noun, bit, cases_of
from rewriter.language.rules import Decision, Rules
from rewriter.records import Edit

_SLASHED = re.compile(r"(?<![^\W_])(?<!/)(?P<one>[A-ZÄÖÜ][^\W\d_]+) ?/ ?(?P<other>[A-ZÄÖÜ][^\W\d_]+)(?![^\W_]|/)")
_SIGNS = frozenset("*:_/·•")
_JOINING = CONJUNCTIONS | {",", "/", "&"}
#: what may stand between a noun and a conjunction: brackets, quotation marks, abbreviated conjunctions
_ENDS = frozenset(") “ ” « » \" ' - – * auch bzw .".split())
_ROUNDING = frozenset("über unter fast rund etwa knapp ca circa gut nur noch mehr weniger als bis zu . ,".split())
#: prepositions of two cases that plural persons without a determiner follow in the accusative (an Lehrer schreiben)
_TOWARDS = frozenset({"an", "auf", "über"})
_PERSONAL = frozenset("er ihn ihm".split())
#: words of one list or phrase that are looked through for a preposition
_REACH = 12


@dataclass(frozen=True, slots=True)
class Turned:
    """A gender-fair word in one gender.

    Attributes:
        edit: what replaces it.
        is_open: the case of a masculine noun was open and taken for the nominative.
    """

    edit: Edit
    is_open: bool = False


def fair_words(text: str, lexicon: GermanLexicon, protected: Sequence[tuple[int, int]] = ()) -> list[FairForm]:
    """Return the gender-fair words of a sentence in order.

    Args:
        text: the sentence.
        lexicon: says which words are known.
        protected: spans that stay; a word with a gap is an identifier to them, so one that fills a span counts.
    """
    return [form for form in fair_forms(text, lexicon) if is_free(form, protected)]


def is_free(form: FairForm, protected: Sequence[tuple[int, int]]) -> bool:
    """Return True if no protected span touches a form, but for what a gap makes look like an identifier."""
    touching = [(a, b) for a, b in protected if a < form.end and form.start < b]
    return not touching or (form.form == "gap" and all(_is_identifier(form, a, b) for a, b in touching))


def _is_identifier(form: FairForm, start: int, end: int) -> bool:
    """Return True if a span is a form with a gap, or a compound of two persons of which the form is one."""
    is_first = form.kind == "compound" and not form.rest and start == form.start
    is_second = form.kind == "noun" and form.feminine.islower() and end == form.end
    return is_first or is_second or (form.start <= start and end <= form.end)


def in_one_gender(
    text: str,
    lexicon: GermanLexicon,
    protected: Sequence[tuple[int, int]] = (),
    *,
    feminine: bool,
    rules: Rules | None = None,
) -> list[Turned]:
    """Return the edits that put the gender-fair words of a sentence into one gender.

    Args:
        text: the sentence.
        lexicon: compiled tables.
        protected: spans of the sentence that stay, in order.
        feminine: which gender.
        rules: that are asked; None asks all.
    """
    words = fair_words(text, lexicon, protected)
    turned = words_in_one_gender(text, lexicon, words, feminine=feminine, rules=rules)
    return [*turned, *_slash_pairs(text, lexicon, protected, feminine=feminine)]


def words_in_one_gender(
    text: str, lexicon: GermanLexicon, forms: Sequence[FairForm], *, feminine: bool, rules: Rules | None = None
) -> list[Turned]:
    """Return the edits that put some gender-fair words of a sentence, and what agrees with them, into one gender.

    Args:
        text: the sentence.
        lexicon: compiled tables.
        forms: the words, in order (:func:`fair_words`).
        feminine: which gender.
        rules: that are asked; None asks all.
    """
    rules = Rules("de") if rules is None else rules
    touching = {form.start for form in forms} & {form.end for form in forms}
    forms = [form for form in forms if not rules.first(FAIR_STAYS, form, touching)]
    return [*_Turner(text, lexicon, forms, rules, feminine=feminine).turned()] if forms else []


def _slash_pairs(
    text: str, lexicon: GermanLexicon, protected: Sequence[tuple[int, int]], *, feminine: bool
) -> Iterator[Turned]:
    """Yield the edits of nouns that stand in both genders with a slash between them (*Kunde/Kundin*)."""
    for match in _SLASHED.finditer(text):
        if any(a < match.end() and match.start() < b for a, b in protected):
            continue
        words = [lexicon.word(match[name]) for name in ("one", "other")]
        nouns = [None if word is None else word.noun for word in words]
        if nouns[0] is None or nouns[1] is None or nouns[0].lemma != nouns[1].lemma:
            continue
        if nouns[0].gender != nouns[1].gender:
            half = match["one"] if (nouns[0].gender == FEMININE) == feminine else match["other"]
            reason = f"{match.group()} -> {half}: {'feminine' if feminine else 'masculine'} half"
            yield Turned(Edit(match.start(), match.end(), match.group(), half, "pair", reason))


class _Turner:
    def __init__(
        self, text: str, lexicon: GermanLexicon, forms: Sequence[FairForm], rules: Rules, *, feminine: bool
    ) -> None:
        self.text, self.lexicon, self.forms, self.feminine, self.rules = text, lexicon, forms, feminine, rules
        self.twin = FeminineTwin(text, forms, lexicon)
        self.cases: dict[int, int] = {}  # form of a plural noun -> its case

    def turned(self) -> Iterator[Turned]:
        for index, form in enumerate(self.forms):
            surface = self.text[form.start : form.end]
            if form.kind == "noun":
                yield from self._noun(index, form, surface)
            elif form.kind == "compound":
                after = feminine_word(form, surface) if self.feminine else self._compound(form, surface)
                yield self._made(form, after, "compound", "")
            else:
                masculine, feminine = word_halves(form)
                after = match_case(surface, feminine if self.feminine else masculine)
                yield self._made(form, after, self._kind(form, surface), "")

    def _made(self, form: FairForm, after: str, kind: str, why: str, *, is_open: bool = False) -> Turned:
        before = self.text[form.start : form.end]
        gender = "feminine" if self.feminine else "masculine"
        reason = f"{before} -> {after}: {gender}{why}"
        return Turned(Edit(form.start, form.end, before, after, kind, reason), is_open)

    def _kind(self, form: FairForm, surface: str) -> str:
        masculine = form.masculine.lower()
        if masculine in _PERSONAL:
            return "pronoun"
        if masculine == "dessen":
            return "relative"
        if masculine.startswith("sein"):
            return "possessive"
        if masculine in self.lexicon.determiners:
            return "article"
        return "nominalised" if surface[:1].isupper() and form.start != 0 else "adjective"

    # ------------------------------------------------------------ nouns

    def _noun(self, index: int, form: FairForm, surface: str) -> Iterator[Turned]:
        noun = self._entry(form)
        phrase = self._phrase(index)
        if noun is None or phrase is None:
            return
        case, is_open = self._plural_case(index, form, phrase) if form.plural else self._case(phrase, noun)
        if self.feminine:
            after, why = feminine_word(form, surface), ""
        else:
            word = masculine_noun(noun, case, plural=form.plural, paradigm=phrase.paradigm)
            after = self._spelt(form, surface, word)
            why = f", no word shows the case: {CASES[case]}" if is_open else f", {CASES[case]}"
        yield self._made(form, after, "noun", why, is_open=is_open and not self.feminine)
        if not form.plural:
            yield from self._plain(phrase, case)

    def _entry(self, form: FairForm) -> Noun | None:
        word = self.lexicon.word(_last(form.feminine))
        return None if word is None else word.noun

    def _spelt(self, form: FairForm, surface: str, word: str) -> str:
        """Return a masculine in the capitals of the fair word, with what stands before its last hyphen."""
        hyphen = form.feminine.rfind("-") + 1
        return surface[:hyphen] + like(surface[hyphen:], word)

    def _phrase(self, index: int) -> Phrase | None:
        token = self.twin.token(index)
        word = self.twin.sentence.words[token] if token >= 0 else None
        if word is None:
            word = self.lexicon.word(self.twin.sentence.surface(token)) if token >= 0 else None
        return None if word is None else find_phrase(self.twin.sentence, token, word)

    def _case(self, phrase: Phrase, noun: Noun) -> tuple[int, bool]:
        """Return the case of a singular noun, and whether it is open."""
        agreeing = [set(found) for found in self._agreeing(phrase) if found]
        plain = self._plain_determiner(phrase)
        shown = self._plain_cases(plain) if plain >= 0 else []
        if shown:
            agreeing.append(set(shown))
        answer = self.rules.answer(SINGULAR_CASE, phrase, agreeing, plain >= 0 and not shown)
        return (NOMINATIVE, True) if answer is None else answer[1]

    def _agreeing(self, phrase: Phrase) -> Iterator[list[int]]:
        """Yield the cases that each gender-fair word of the phrase leaves."""
        head = self.twin.form_at(phrase.head)
        inside = {self.twin.form_at(i) for i in range(max(0, phrase.start - 1), phrase.head)} - {-1, head}
        for index in sorted(inside):
            form = self.forms[index]
            if form.kind == "word":
                masculine, feminine = word_halves(form)
                yield self._cases(masculine.lower(), feminine.lower(), phrase)

    def _cases(self, masculine: str, feminine: str, phrase: Phrase) -> list[int]:
        """Return the cases of two halves."""
        mask = self._mask(masculine.split()[-1], MASC, phrase.paradigm) & self._shifted(feminine, phrase)
        return cases_of(mask)

    def _shifted(self, feminine: str, phrase: Phrase) -> int:
        return self._mask(feminine.split()[-1], FEM, phrase.paradigm) >> 4

    def _mask(self, word: str, gender: int, paradigm: str) -> int:
        readings = self.lexicon.determiners.get(word)
        if readings:
            mask = 0
            for reading in readings:
                mask |= reading.mask
            return mask & gender
        ending = re.sub(r"^.*?(e[nmrs]?)$", r"\1", word)
        return self.twin.sentence.closed.adjective_masks.get((paradigm, ending), 0) & gender

    # ------------------------------------------------------------ plural

    def _plural_case(self, index: int, form: FairForm, phrase: Phrase) -> tuple[int, bool]:
        """Return the case of a plural noun as far as its ending needs it, and whether it is open."""
        if self.text[form.end : form.end + 1] == "-":
            return NOMINATIVE, False  # the first part of a compound (Lehrer*innen-Zimmer, Lehrer*innen- und Elternrat)
        cases = [case for case in range(4) if phrase.mask & bit(PLURAL_FORM, case)] or [NOMINATIVE]
        if phrase.determiner < 0:
            shown = [self._shown(at) for at in phrase.adjectives]
            cases = [case for case in cases if all(mask & bit(PLURAL_FORM, case) for mask in shown)] or cases
            cases = self._governed(phrase, self._before(phrase), cases)
        case = cases[0]
        self.cases[index] = case
        return case, DATIVE in cases and len(cases) > 1

    def _shown(self, adjective: int) -> int:
        return self.twin.sentence.adjective_mask("strong", adjective)

    def _before(self, phrase: Phrase) -> int:
        """Return the token before a phrase without determiner: before its number, and what rounds that, too."""
        norms, at = self.twin.sentence.norms, phrase.start - 1
        if at >= 0 and (norms[at].isdigit() or norms[at] in NUMERALS):
            at -= 1
            while at >= 0 and (norms[at] in _ROUNDING or norms[at].isdigit()):
                at -= 1
        while at >= 0 and norms[at] in ("deren", "dessen"):
            at -= 1
        return at

    def _governed(self, phrase: Phrase, at: int, cases: list[int]) -> list[int]:
        """Return the cases that are left by what stands before a phrase."""
        if at < 0 or len(cases) < 2:
            return cases
        answer = self.rules.answer(PLURAL_CASE, self, phrase, at, cases)
        return cases if answer is None else answer[1]

    def after_preposition(self, norm: str, cases: list[int], phrase: Phrase) -> list[int]:
        """Return what a preposition means before a plural without determiner; of two cases the usual one."""
        governed = self.twin.sentence.closed.prepositions[norm]
        cases = [case for case in cases if governed & bit(PLURAL_FORM, case)] or cases
        if DATIVE in cases and GENITIVE in cases:
            return [DATIVE] if not phrase.adjectives else cases  # a genitive that nothing shows is a dative
        return [ACCUSATIVE if norm in _TOWARDS else DATIVE] if DATIVE in cases and len(cases) > 1 else cases

    def inherited(self, phrase: Phrase, joint: int, cases: list[int]) -> list[int]:
        """Return the case of what a noun is coordinated with: that of a person before it, else of a preposition."""
        sentence = self.twin.sentence
        for at in range(joint, max(-1, joint - _REACH), -1):
            form = self.twin.form_at(at)
            if form in self.cases:
                return [self.cases[form]] if self.cases[form] in cases else cases
            norm = sentence.norms[at]
            if norm in _JOINING and not self._follows_noun(at):
                return cases
            if norm in sentence.closed.prepositions:
                return self.after_preposition(norm, cases, phrase)
            if norm in self.lexicon.determiners and at < joint:
                return self._after_determiner(norm, cases)
            if (
                norm not in _JOINING
                and norm != "auch"
                and not sentence.tokens[at].shape
                and not sentence.is_adjective(at)
            ):
                return cases
        return cases

    def _follows_noun(self, at: int) -> bool:
        """Return True if a word with a capital stands before a token: what follows may be coordinated with it."""
        return at > 0 and (bool(self.twin.sentence.tokens[at - 1].shape) or self.twin.sentence.norms[at - 1] in _ENDS)

    def _after_determiner(self, norm: str, cases: list[int]) -> list[int]:
        mask = 0
        for reading in self.lexicon.determiners[norm]:
            mask |= reading.mask & PLUR
        return [case for case in cases if mask & bit(PLURAL_FORM, case)] or cases

    def _compound(self, form: FairForm, surface: str) -> str:
        """Return a compound with the masculine that links (Studenten-, Ärzte-, Lehrer-)."""
        noun = self._entry(form)
        if noun is None:
            return surface
        return self._spelt(form, surface, noun.prefix + noun.person.plural + form.rest)

    # ------------------------------------------------------------ words without a sign beside a noun that has one

    def _plain_determiner(self, phrase: Phrase) -> int:
        """Return the token of a determiner that no sign marks (*eine Lehrer\\*in*), -1 for none."""
        at = phrase.determiner
        if at < 0 and phrase.start > 0 and self.twin.sentence.norms[phrase.start - 1] in self.lexicon.determiners:
            at = phrase.start - 1
        if at < 0 or self.twin.form_at(at) >= 0 or self.twin.sentence.norm(at - 1) in _SIGNS:
            return -1
        return at

    def _plain(self, phrase: Phrase, case: int) -> Iterator[Turned]:
        """Yield edits of a determiner of the other gender that no sign marks, and of its adjectives."""
        at = self._plain_determiner(phrase)
        if at < 0:
            return
        readings = self.lexicon.determiners[self.twin.sentence.norms[at]]
        mask = self._singular_mask(at)
        left = self._plain_cases(at)
        if not left or mask & (FEM if self.feminine else MASC) == mask or (mask & FEM and self.feminine):
            return
        case = case if case in left else left[0]
        yield from self._changed(at, _determiner(readings[0], case, FEMININE if self.feminine else MASCULINE))
        for index in range(at + 1, phrase.head):
            if self.twin.form_at(index) < 0 and self.twin.sentence.is_adjective(index):
                norm = self.twin.sentence.norms[index]
                ending = endings(readings[0].adjectives)[case][FEMININE if self.feminine else MASCULINE] or ""
                yield from self._changed(index, re.sub(r"e[nmrs]?$", "", norm) + ending)

    def _singular_mask(self, at: int) -> int:
        mask = 0
        for reading in self.lexicon.determiners[self.twin.sentence.norms[at]]:
            mask |= reading.mask & SINGULAR
        return mask

    def _plain_cases(self, at: int) -> list[int]:
        """Return the cases of a determiner that no sign marks, none where its gender is open (*der*)."""
        mask = self._singular_mask(at)
        if not mask & MASC or not mask & FEM:
            return cases_of(mask)
        sentence = self.twin.sentence
        governed = sentence.closed.prepositions.get(sentence.norm(at - 1), 0) & mask
        if governed and not governed & MASC:
            return cases_of(governed)  # bei der Schüler*in
        is_noun = at > 1 and sentence.tokens[at - 1].shape == 1 and sentence.norms[at - 2] not in (".", "!", "?", ":")
        return [GENITIVE] if is_noun and mask & bit(FEMININE, GENITIVE) else []  # im Namen der Schüler*in

    def _changed(self, index: int, word: str | None) -> Iterator[Turned]:
        """Yield the edit of a token outside the gender-fair words."""
        token, before = self.twin.sentence.tokens[index], self.twin.sentence.surface(index)
        start = self.twin.source(token.start)
        if word is None or word == before.lower() or self.text[start : start + len(before)] != before:
            return
        after, kind = match_case(before, word), "adjective" if self.twin.sentence.is_adjective(index) else "article"
        reason = f"{before} -> {after}: its noun became {'feminine' if self.feminine else 'masculine'}"
        yield Turned(Edit(start, start + len(before), before, after, kind, reason))


#: what speaks keeps a gender-fair word as it is
FAIR_STAYS = Decision("de", "blocks", asked="back")
#: the case of a singular noun, and whether it is open
SINGULAR_CASE = Decision("de", "settles", asked="back")
#: the cases that what stands before a plural without determiner leaves
PLURAL_CASE = Decision("de", "settles", asked="back")


@FAIR_STAYS.rule(
    "two gender-fair words in one", example="[Schüler*innenberater*in] gesucht.", counter="[Schüler*in] gesucht."
)
def _is_joined_to_another(form: FairForm, touching: set[int]) -> bool:
    return not touching.isdisjoint((form.start, form.end))


@SINGULAR_CASE.rule(
    "determiner of an open gender", example="Wir sehen der [Schüler*in] zu.", counter="Wir helfen einer [Schüler*in]."
)
def _behind_open_determiner(phrase: Phrase, agreeing: Sequence[set[int]], is_open: bool) -> tuple[int, bool] | None:
    return (NOMINATIVE, True) if is_open else None


@SINGULAR_CASE.rule(
    "bare noun", example="Gespräch zwischen [Ärzt*in] und Kind.", counter="Gespräch mit einer*einem [Ärzt*in]."
)
def _is_bare(phrase: Phrase, agreeing: Sequence[set[int]], is_open: bool) -> tuple[int, bool] | None:
    """A bare noun takes no ending, whatever its case (*zwischen Arzt und Patient*)."""
    is_alone = phrase.determiner < 0 and not agreeing and not phrase.adjectives
    return (NOMINATIVE, False) if is_alone else None


@SINGULAR_CASE.rule(
    "words that agree show the case", example="Wir helfen dem*der [Student*in].", counter="[Student*in] gesucht."
)
def _as_they_agree(phrase: Phrase, agreeing: Sequence[set[int]], is_open: bool) -> tuple[int, bool]:
    cases = set(cases_of(phrase.mask & FEM)) or set(range(4))
    for found in agreeing:
        cases = (cases & found) or found
    return min(cases), len(cases) > 1


@PLURAL_CASE.rule(
    "preposition before a plural", example="Wir schreiben an [Lehrer*innen].", counter="Wir sind [Lehrer*innen]."
)
def _by_preposition(turner: _Turner, phrase: Phrase, at: int, cases: list[int]) -> list[int] | None:
    norm = turner.twin.sentence.norms[at]
    governs = norm in turner.twin.sentence.closed.prepositions
    return turner.after_preposition(norm, cases, phrase) if governs else None


@PLURAL_CASE.rule(
    "plural joined to another", example="Wir reden mit Kindern und [Lehrer*innen].", counter="Sie sind [Lehrer*innen]."
)
def _by_joining(turner: _Turner, phrase: Phrase, at: int, cases: list[int]) -> list[int] | None:
    sentence = turner.twin.sentence
    is_joined = sentence.norms[at] in _JOINING or (sentence.norms[at] == "auch" and sentence.norm(at - 1) == "als")
    return turner.inherited(phrase, at, cases) if is_joined else None


def _last(word: str) -> str:
    """Return what stands behind the last hyphen of a noun."""
    return word[word.rfind("-") + 1 :]


def _determiner(reading: Determiner, case: int, gender: int) -> str | None:
    """Return a determiner in a case and gender, None for one that has no such form of one word."""
    if reading.kind == "definite" and reading.stem == "der":
        return both("article", case)[gender == FEMININE]
    if not reading.paradigm or reading.kind in ("definite", "contraction", "plural"):
        return None
    ending = endings(reading.paradigm)[case][gender]
    return None if ending is None else inflect(reading.stem, ending)
