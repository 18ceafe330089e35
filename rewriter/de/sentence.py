"""A German sentence: its tokens and the look-ups that the rules share."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from rewriter.de.closed_classes import Closed
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.phrase_words import FUNCTION, grammar_words
from rewriter.de.tokens import Token, tokenize
from rewriter.de.word_readings import Word
from rewriter.language.rules import Decision, Rules

#: how a word looks that may be an inflected adjective
ADJECTIVE = re.compile(r"[a-zäöüß]{2,}e[nmrs]?")
_QUOTED = re.compile(r"[„»\"“«‚›][^„»\"“”«\n]{1,80}[“«\"”»‘‹]")
_HYPHENED = re.compile(r"-in(?:nen)?(?!\w)")
#: a hyphen at the end of a line within a word
_BROKEN = re.compile(r"[-\u00ad][ \t]*\r?\n\s*(?!(?:und|oder|bzw|sowie|als)\b)[a-zäöüß]")
_SIGNS = frozenset("*:_/·•")
_STARS = frozenset("*:_·•")
#: what stands between brackets in a gender-fair form
_BRACKETS = frozenset({"in", "innen", "r", "n", "e", "s"})


#: what makes that a sentence, or a word, holds no person or is gender-fair already
SENTENCE = Decision("de", "blocks")
WORD = Decision("de", "blocks")


class Sentence:
    """Tokens of a sentence and the look-ups that the finders need."""

    def __init__(
        self,
        text: str,
        lexicon: GermanLexicon,
        protected: Sequence[tuple[int, int]],
        tokens: list[Token] | None = None,
        rules: Rules | None = None,
    ) -> None:
        self.text, self.lexicon, self.protected = text, lexicon, protected
        self.rules = Rules("de") if rules is None else rules
        self.tokens = tokenize(text) if tokens is None else tokens
        self.norms = [token.norm for token in self.tokens]
        self.closed = Closed.load()

    @cached_property
    def words(self) -> list[Word | None]:
        """What every token may be as a person; None where it is blocked."""
        text, look_up = self.text, self.lexicon.word
        found: list[Word | None] = []
        if self.rules.first(SENTENCE, self) is not None:
            return [None] * len(self.tokens)
        for index, token in enumerate(self.tokens):
            word = look_up(text[token.start : token.end]) if len(token.norm) > 2 else None
            found.append(None if word is None or self.is_blocked(index) else word)
        return found

    @cached_property
    def is_english(self) -> bool:
        """Return True if a sentence is English: two words of grammar at least, and more than German ones."""
        english, german = (sum(map(grammar_words(code).__contains__, self.norms)) for code in ("en", "de"))
        return english > 1 and english > german

    @cached_property
    def quoted(self) -> list[tuple[int, int]]:
        """Spans between quotation marks that may be a title or a mention."""
        return [match.span() for match in _QUOTED.finditer(self.text)]

    def surface(self, index: int) -> str:
        """Return the text of a token."""
        token = self.tokens[index]
        return self.text[token.start : token.end]

    def norm(self, index: int) -> str:
        """Return the normalised word at ``index``, empty outside the sentence."""
        return self.norms[index] if 0 <= index < len(self.norms) else ""

    def touches(self, index: int) -> bool:
        """Return True if no white space stands between a token and the next."""
        return index + 1 < len(self.tokens) and self.tokens[index].end == self.tokens[index + 1].start

    def is_protected(self, offset: int) -> bool:
        """Return True if the character at ``offset`` lies in a protected span."""
        place = bisect_right(self.protected, (offset, 1 << 60)) - 1
        return place >= 0 and offset < self.protected[place][1]

    def is_quoted(self, index: int) -> bool:
        """Return True if a token lies between quotation marks."""
        token = self.tokens[index]
        return any(start < token.start and token.end < end for start, end in self.quoted)

    def is_fair(self, index: int) -> bool:
        """Return True if a token is part of a gender-fair form that is there already (*Lehrer*in*, *der/die*)."""
        token, text = self.tokens[index], self.text
        after, before = text[token.end : token.end + 3], text[max(0, token.start - 2) : token.start]
        slash_pair = (after[:1] == "/" and after[1:2].isupper()) or (before[1:] == "/" and text[token.start].isupper())
        if slash_pair and after[:1] not in _STARS:
            return False  # Arzt/Ärztin; but: Arzt*in/Pfleger*in
        if _HYPHENED.match(text, token.end):
            return True  # Migrant-innen
        if after[:1] in _SIGNS and after[:1] and (after[1:2].isalpha() or after[1:3] in ("-i", "-I")):
            return True
        if after[:1] == "(" and after[1:2].islower() and text[token.end + 1 : token.end + 8].split(")")[0] in _BRACKETS:
            return True
        return len(before) == 2 and before[1] in _SIGNS and before[0].isalpha()

    def is_blocked(self, index: int) -> bool:
        """Return True if a token is certainly no word of running text, or gender-fair already."""
        token = self.tokens[index]
        if self.protected and self.is_protected(token.start):
            return True
        return self.rules.first(WORD, self, index) is not None

    def is_broken(self, index: int) -> bool:
        """Return True if a line ends within the word (*Bürger-/meister*), so that a token is but a part of it."""
        token = self.tokens[index]
        if _BROKEN.match(self.text, token.end):
            return self.text[token.end] != " "
        before = self.text[max(0, token.start - 4) : token.start]
        if "\n" in before and before.rstrip()[-1:] in ("-", "\u00ad") and token.shape == 0:
            return True
        is_cut = self.text[token.end : token.end + 1] == "-" and self.text[token.end + 1 : token.end + 2].islower()
        return is_cut and self.lexicon.knows_by_form_alone(self.text[token.start : token.end])

    def is_adjective(self, index: int) -> bool:
        """Return True if a token looks like an inflected attributive adjective."""
        if not 0 <= index < len(self.tokens):
            return False
        norm = self.norms[index]
        if norm in FUNCTION or norm in self.lexicon.determiners or norm in self.closed.prepositions:
            return False
        return self.tokens[index].shape == 0 and ADJECTIVE.fullmatch(norm) is not None

    def adjective_mask(self, paradigm: str, index: int) -> int:
        """Return what an adjective's ending leaves."""
        return self.closed.adjective_masks.get((paradigm, self.ending(index)), 0)

    def ending(self, index: int) -> str:
        """Return the ending of an inflected adjective."""
        norm = self.norms[index]
        return norm[-2:] if norm[-1] in "nmrs" else norm[-1]


@SENTENCE.rule("sentence in English", example="The [Computer] is an old one.", counter="Der [Computer] ist alt.")
def _is_english(sentence: Sentence) -> bool:
    return sentence.is_english


@WORD.rule("gender-fair already", example="Die [Lehrer]*innen singen.", counter="Die [Lehrer] singen.")
def _is_fair(sentence: Sentence, index: int) -> bool:
    return sentence.is_fair(index)


@WORD.rule("part of a dialect word", example="Der G'[Lehrer] singt.", counter="Der 'Lehrer' singt mit [Lehrer] Ott.")
def _is_behind_apostrophe(sentence: Sentence, index: int) -> bool:
    text, start = sentence.text, sentence.tokens[index].start
    return text[start - 1 : start] in ("'", "’") and text[start - 2 : start - 1].isalpha()


@WORD.rule("beside a digit or a sign", example="Der [Lehrer]_ schrieb.", counter="Der [Lehrer] schrieb.")
def _is_beside_sign(sentence: Sentence, index: int) -> bool:
    token, text = sentence.tokens[index], sentence.text
    before, after = text[token.start - 1 : token.start], text[token.end : token.end + 1]
    return "_" in (before, after) or before.isdigit() or after.isdigit() or before in ("@", "#")


@WORD.rule("part of a broken word", example="Der [Bürger]-\nmeister singt.", counter="Der [Bürger] singt.")
def _is_broken(sentence: Sentence, index: int) -> bool:
    return sentence.is_broken(index)
