"""One English sentence while its candidates are found: tokens with double forms merged, and what style it has."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from rewriter.en.closed_words import GENDERED_PRONOUNS
from rewriter.en.dialect import HINT as DIALECT_HINT
from rewriter.en.dialect import join_dialect
from rewriter.en.foreign import is_common, is_foreign
from rewriter.en.lexicon import EnglishLexicon, squeeze, traps
from rewriter.en.pronoun_rows import find_rows
from rewriter.en.run_on import find_run_ons, split_run_ons
from rewriter.en.tokens import Token, shape_of, tokenize
from rewriter.language.candidates import Candidate
from rewriter.language.rules import Decision

#: words of talk about persons
_NAMED = re.compile(
    r"\b(?:pronouns?:?|(?P<verb>uses?|using|write|avoid(?:s|ed|ing)?|replac(?:e[sd]?|ing)|prefers?))\s+$", re.IGNORECASE
)
_CALLED = re.compile(r"\s+(?:is|are)\s+(?:(?!of\b)\w+\s+){0,2}pronouns?\b", re.IGNORECASE)
#: behind a double form that is the object of such a verb no clause follows
_OBJECT_END = re.compile(r"\s*(?:$|[.,;:!?)]|(?:with|by|instead|rather|for|when|if|as|in)\b)", re.IGNORECASE)
_PERSONS = frozenset("i me my mine you your he she him her his himself herself who".split())
#: common words that are abbreviations in capitals
_ABBREVIATIONS = frozenset("us it is am pm or in who aids act set all max min id ok tv pc cd dc la".split())
#: a sentence without any of these that holds a function word of another language is in that language
_ENGLISH = frozenset(
    "the of to and is was are were with for that it he she they you we on at by from this not have has".split()
)
#: words of a short line
_SHORT = 6


class Sentence:
    """The analysis of one sentence while it grows."""

    def __init__(self, text: str, lexicon: EnglishLexicon, protected: Sequence[tuple[int, int]]) -> None:
        self.text, self.lexicon, self.protected, self.rules = text, lexicon, protected, lexicon.rules
        self.lower = text.lower()
        self.candidates: list[Candidate] = []
        #: verb -> pronoun that it shares with a verb before it
        self.shared: dict[int, int] = {}
        #: place of the first word (:func:`rewriter.en.openings.opening`); -1 before it is looked for
        self.opening = -1
        self.doubles = self._find_doubles()
        tokens = tokenize(text)
        #: start of a pronoun without apostrophe (shes) -> its end and the end of its verb
        self.run_ons = {
            start: ends
            for start, ends in find_run_ons(text, self.lower, tokens).items()
            if not self.is_protected(start)
        }
        if self.run_ons:
            tokens = split_run_ons(text, tokens, self.run_ons)
        if DIALECT_HINT.search(self.lower) is not None:
            tokens = join_dialect(text, tokens)
        self.tokens = _merge_doubles(tokens, self.doubles)

    def _find_doubles(self) -> list[re.Match[str]]:
        lexicon = self.lexicon
        if lexicon.double_hint.search(self.lower) is None:
            return []
        # the pattern takes ſ for s and ı for i, the table does not
        found = (m for m in lexicon.double_pattern.finditer(self.text) if squeeze(m.group()) in lexicon.double_cases)
        return [m for m in found if not self.is_protected(m.start()) and self.rules.first(DOUBLE, self, m) is None]

    @cached_property
    def rows(self) -> list[tuple[int, int]]:
        """Spans of rows of pronouns that are no double form."""
        return [(a, b) for a, b in find_rows(self.text) if squeeze(self.text[a:b]) not in self.lexicon.double_cases]

    @cached_property
    def foreign(self) -> bool:
        """Whether the sentence is in another language."""
        words = {token.norm for token in self.tokens}
        if not words & _ENGLISH and words & traps("foreign"):
            return True
        is_short = sum(word.isalpha() for word in words) <= _SHORT
        if is_short and not (words - GENDERED_PRONOUNS) & _ENGLISH and words & traps("foreign line"):
            return True
        return is_foreign(self.tokens, GENDERED_PRONOUNS)

    @cached_property
    def shouting(self) -> bool:
        """Whether capitals are the style of the whole sentence, so that they mean nothing for one word."""
        return is_shouting(self.text)

    @cached_property
    def title_case(self) -> bool:
        """Whether most words begin with a capital, as in headings."""
        shapes = [token.shape for token in self.tokens if token.norm.isalpha()]
        return sum(shape > 0 for shape in shapes) > 0.6 * len(shapes)

    @cached_property
    def is_talk(self) -> bool:
        """Whether persons or another word in capitals make it likely that capitals stress a word: *for YOU and HIM*."""
        if any(token.norm in _PERSONS and (token.shape < 2 or token.norm == "i") for token in self.tokens):
            return True
        stressed = [
            t.norm
            for t in self.tokens
            if t.shape == 2 and t.norm not in GENDERED_PRONOUNS and t.norm not in _ABBREVIATIONS
        ]
        return bool(stressed) and all(is_common(norm) for norm in stressed)

    def is_protected(self, offset: int) -> bool:
        """Return True if the character at ``offset`` lies in a protected span."""
        index = bisect_right(self.protected, (offset, 1 << 60)) - 1
        return index >= 0 and offset < self.protected[index][1]

    def surface(self, index: int) -> str:
        """Return the text of a token."""
        return self.text[self.tokens[index].start : self.tokens[index].end]

    def norm(self, index: int) -> str:
        """Return the normalised word at ``index``, empty outside the sentence."""
        return self.tokens[index].norm if 0 <= index < len(self.tokens) else ""


#: what makes that a double form is only spoken about
DOUBLE = Decision("en", "blocks")


@DOUBLE.rule(
    "double form that is named", example="Use the pronouns [he or she] here.", counter="Ask if [he or she] came."
)
def _is_named(sentence: Sentence, match: re.Match[str]) -> bool:
    if _CALLED.match(sentence.text, match.end()) is not None:
        return True
    named = _NAMED.search(sentence.text, max(0, match.start() - 12), match.start())
    if named is None or named["verb"] is None:
        return named is not None
    is_subject = sentence.lexicon.double_cases[squeeze(match.group())] == "subject"
    return is_subject and _OBJECT_END.match(sentence.text, match.end()) is not None


@DOUBLE.rule("double form in an expression", example="Match ([he|she]) here.", counter="Ask [he|she] here.")
def _is_in_expression(sentence: Sentence, match: re.Match[str]) -> bool:
    """A table or a regular expression."""
    text = sentence.text
    beside = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
    return "|" in match.group() and not beside.isspace() and any(mark in beside for mark in "|(\\^$)")


def is_shouting(text: str) -> bool:
    """Return True if capitals are the style of the whole sentence, so that they mean nothing for one word."""
    letters = [c for c in text if c.isalpha()]
    return len(letters) > 3 and sum(c.isupper() for c in letters) > 0.7 * len(letters)


def _merge_doubles(tokens: list[Token], doubles: list[re.Match[str]]) -> list[Token]:
    """Replace the tokens of every double form by one token."""
    if not doubles:
        return tokens
    merged: list[Token] = []
    spans = iter([*(m.span() for m in doubles), (1 << 60, 1 << 60)])
    start, end = next(spans)
    for token in tokens:
        while token.start >= end:
            start, end = next(spans)
        if token.end <= start:
            merged.append(token)
        elif not merged or merged[-1].start != start:
            merged.append(Token(start, end, "he", shape_of(_first_word(token))))
    return merged


def _first_word(token: Token) -> str:
    return token.norm.capitalize() if token.shape else token.norm
