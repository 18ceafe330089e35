"""The case of English pronouns for swapping: *her* is *him* or *his*, *his* is *her* or *hers*.

The edit model of the rewriter decides the same question (*them*, *their* or *theirs*), so it is asked here, with the
outcomes written as the pronouns of the other gender; what neighbours settle never reaches it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from augment.en.noun_place import is_capitalised_line
from lexicons.loader import read_table
from rewriter.en.back_words import GENDERED
from rewriter.en.candidates import CHANGE, OBJECT, OUTCOMES, POSSESSIVE, STANDALONE, find_pronouns
from rewriter.en.inflection import match_case
from rewriter.en.lexicon import EnglishLexicon
from rewriter.en.segmenter import segment
from rewriter.en.tokens import Token, tokenize
from rewriter.language.candidates import Analysis, Candidate
from rewriter.language.rules import Decision, Rules, decider
from rewriter.records import Edit

#: pronoun -> gender and the case of each outcome
_READINGS: dict[str, tuple[str, dict[int, str]]] = {
    "he": ("masculine", {CHANGE: "subject"}),
    "she": ("feminine", {CHANGE: "subject"}),
    "him": ("masculine", {CHANGE: "object"}),
    "himself": ("masculine", {CHANGE: "reflexive"}),
    "herself": ("feminine", {CHANGE: "reflexive"}),
    "hers": ("feminine", {CHANGE: "standalone"}),
    "her": ("feminine", {OBJECT: "object", POSSESSIVE: "possessive"}),
    "his": ("masculine", {POSSESSIVE: "possessive", STANDALONE: "standalone"}),
}
#: asked of every pronoun
PRONOUN = Decision("en", "blocks", asked="swapping")
#: the rules answer with an outcome where no rule of the rewriter settles it
CASE = Decision("en", "settles", asked="swapping")

_OTHER = {"masculine": "feminine", "feminine": "masculine"}
PRONOUNS = tuple(_READINGS)

#: behind *her* these are possessed: a bare singular noun of this kind cannot stand alone
_POSSESSED = frozenset(
    "own mother father sister brother son daughter husband wife boyfriend girlfriend uncle aunt cousin grandmother "
    "grandfather niece nephew fiancé fiancée mom mum dad parents kids head face mouth neck nose chin chest stomach "
    "mind heart career name life job way boss colleague majesty highness excellency honor honour ladyship lordship "
    "holiness eyes hands lips arms legs shoulders fingers knees feet".split()
)
#: behind them a capital begins something
_BEGINS = re.compile(r"(?:^|[.!?…:;\"“”‘'«»(\[\])*_>|—–•\n-])\s*$")


@cache
def _ends_phrase() -> frozenset[str]:
    """Return the words behind which *his* may stand alone."""
    traps = {row["word"] for row in read_table("en", "traps") if row["kind"] == "after object"}
    return frozenset(
        traps | set("and or nor not yet then being been be seems seemed looks looked works worked".split())
    )


class CaseLanguage:
    """English as an edit model sees it, with swapped pronouns as outcomes.

    See :class:`rewriter.language.interface.Language`.

    Args:
        targets: genders that pronouns are turned to.
        rules: that are asked.
    """

    code = "en"
    outcomes = OUTCOMES
    gate_words = None

    def __init__(self, targets: Sequence[str], rules: Rules | None = None) -> None:
        self.targets, self.rules = tuple(targets), Rules("en") if rules is None else rules
        self._lexicon = EnglishLexicon(rules=self.rules)

    def tokenize(self, text: str) -> list[Token]:
        """Return the tokens of a text."""
        return tokenize(text)

    def segment(self, text: str) -> list[tuple[int, int]]:
        """Return sentence spans."""
        return segment(text)

    def units(self, text: str) -> list[tuple[int, int]]:
        """Return sentence spans."""
        return segment(text)

    def reads_before(self, text: str) -> bool:
        """Return False: a sentence is read alone."""
        return False

    def gate(self, text: str) -> bool:
        """Tell that the caller has looked already."""
        return True

    def respelt(self, text: str) -> None:
        """Return None: cases are read in the spelling that stands there."""

    def analyze(
        self,
        text: str,
        protected: Sequence[tuple[int, int]] = (),
        *,
        training: bool = False,
        before: Sequence[str] = (),
    ) -> Analysis:
        """Return tokens and the pronouns that turn to one of the targets."""
        found = find_pronouns(text, protected, lexicon=self._lexicon)
        for candidate in found.candidates:
            token = found.tokens[candidate.token]
            if token.shape == 2 and token.norm not in ("he", "his"):  # HER is stressed, HE and HIS may be abbreviations
                found.tokens[candidate.token] = token._replace(shape=0)
        turned = (self._turned(text, found.tokens, candidate) for candidate in found.candidates)
        return Analysis(found.tokens, [candidate for candidate in turned if candidate is not None])

    def _turned(self, text: str, tokens: Sequence[Token], candidate: Candidate) -> Candidate | None:
        gender, cases = _READINGS[tokens[candidate.token].norm]
        target = _OTHER[gender]
        surface = text[candidate.start : candidate.end]
        if target not in self.targets or self.rules.first(PRONOUN, text, tokens[candidate.token], candidate.start):
            return None
        options = [candidate.options[0]]
        options += ((outcome, match_case(surface, GENDERED[target][case])) for outcome, case in cases.items())
        forced, rule = candidate.forced, candidate.rule
        if forced is None and (found := self.rules.answer(CASE, tokens, candidate.token)) is not None:
            forced, rule = found[1], found[0].name
        return replace(candidate, options=tuple(options), forced=forced, rule=rule)

    def settle(
        self, text: str, analysis: Analysis, options: Sequence[int], scores: Sequence[float], probabilities: Any = None
    ) -> list[Edit]:
        """Return the edits of the chosen options."""
        return list(_edits(text, analysis, options, scores))


def _edits(text: str, analysis: Analysis, options: Sequence[int], scores: Sequence[float]) -> Iterator[Edit]:
    for candidate, option, score in zip(analysis.candidates, options, scores, strict=True):
        before, (_, after) = text[candidate.start : candidate.end], candidate.options[option]
        if before != after:
            who = decider(candidate, candidate.options[option][0], score)
            reason = f"{before} -> {after}: pronoun of a person, {who}"
            yield Edit(candidate.start, candidate.end, before, after, "pronoun", reason, score)


@CASE.rule("capital that is no name", example="Yes, [She] left.", counter="Yes, [He] left.")
def _is_no_name(tokens: Sequence[Token], index: int) -> int | None:
    token = tokens[index]
    return CHANGE if token.shape == 1 and token.norm not in ("he", "her", "his") else None


@CASE.rule("He behind a mark", example="It began: [He] left.", counter="Then [He] left.")
def _opens_speech(tokens: Sequence[Token], index: int) -> int | None:
    token = tokens[index]
    if token.shape != 1 or token.norm != "he" or not index or index + 1 >= len(tokens):
        return None
    following = tokens[index + 1]
    is_word = following.shape == 0 and following.norm.strip("'").isalpha()
    return CHANGE if tokens[index - 1].norm in _OPENING and is_word else None


_OPENING = frozenset('.!?"“‘«:;*—–-…')


def _is_asked(tokens: Sequence[Token], index: int, norm: str) -> bool:
    """Return True for the pronoun with this form and a word behind it, unless its capitals may be a name's."""
    token = tokens[index]
    return token.norm == norm and token.shape != 2 and index + 1 < len(tokens) and not (token.shape and index)


def _previous(tokens: Sequence[Token], index: int) -> str:
    return tokens[index - 1].norm if index else ""


@CASE.rule("his before quoted words", example="He sold [his] “new” car.", counter="He sold [his].")
def _his_before_quotation(tokens: Sequence[Token], index: int) -> int | None:
    is_possessive = _is_asked(tokens, index, "his") and _opens_phrase(tokens, index + 1)
    return POSSESSIVE if is_possessive else None


@CASE.rule("wish her luck", example="They wish [her] all luck.", counter="They like [her] all luck.")
def _wished(tokens: Sequence[Token], index: int) -> int | None:
    return OBJECT if _is_asked(tokens, index, "her") and _previous(tokens, index) in _WISHING else None


@CASE.rule("call her Names", example="To call [her] Names.", counter="To know [her] Names.")
def _called(tokens: Sequence[Token], index: int) -> int | None:
    is_called = _is_asked(tokens, index, "her") and tokens[index + 1].norm == "names"
    return OBJECT if is_called and _previous(tokens, index).startswith("call") else None


@CASE.rule("her honour", example="We owe [her] honour.", counter="We owe [her] often.")
def _before_possessed(tokens: Sequence[Token], index: int) -> int | None:
    return POSSESSIVE if _is_asked(tokens, index, "her") and tokens[index + 1].norm in _POSSESSED else None


@CASE.rule("hurt her back", example="The fall hurt [her] back.", counter="They want [her] back.")
def _hurt(tokens: Sequence[Token], index: int) -> int | None:
    is_back = _is_asked(tokens, index, "her") and tokens[index + 1].norm == "back"
    return POSSESSIVE if is_back and _previous(tokens, index) in _HURTING else None


@CASE.rule("her that begins a clause", example="[Her] lamp fell.", counter="We saw [her] lamp.")
def _begins_clause(tokens: Sequence[Token], index: int) -> int | None:
    if not _is_asked(tokens, index, "her") or not _may_be_possessed(tokens[index + 1]):
        return None
    begins = not index or _previous(tokens, index) in _BEFORE_CLAUSE
    return POSSESSIVE if begins and tokens[index + 1].shape == 0 else None


@CASE.rule("her behind a preposition", example="We sat by [her] zeugma.", counter="We sat by [her] again.")
def _behind_preposition(tokens: Sequence[Token], index: int) -> int | None:
    if not _is_asked(tokens, index, "her") or not _may_be_possessed(tokens[index + 1]):
        return None
    behind = _previous(tokens, index) in _PREPOSITIONS and tokens[index + 1].norm not in _BEHIND_OBJECT
    return POSSESSIVE if behind else None


def _may_be_possessed(following: Token) -> bool:
    """Return True for a word that is no adverb, participle or function word."""
    return _is_word(following) and following.norm not in _ends_phrase() and not following.norm.endswith(("ly", "ing"))


def _is_word(token: Token) -> bool:
    return token.norm.isalpha() and token.shape < 2 and not token.norm.endswith("ed")


@CASE.rule("his before a word", example="We saw [his] lamp.", counter="We saw [his] and left.")
def _his_before_word(tokens: Sequence[Token], index: int) -> int | None:
    if not _is_asked(tokens, index, "his"):
        return None
    following = tokens[index + 1]
    return POSSESSIVE if _is_word(following) and following.norm not in _ends_phrase() else None


def _opens_phrase(tokens: Sequence[Token], index: int) -> bool:
    """Return True if a quotation mark and a word, or capitals, stand here: *his “new” car*, *his A-Z tour*."""
    if index + 1 >= len(tokens):
        return False
    token, following = tokens[index], tokens[index + 1]
    return (token.norm in _QUOTES and following.norm.isalnum()) or (token.shape == 2 and token.norm.isalpha())


_QUOTES = frozenset('"“‘«')
#: behind these *her* and a word that is no adverb or function word is possessive (*in her eyes*)
_PREPOSITIONS = frozenset(
    "in on of at by behind above below beneath beside across along outside inside near upon off into under during "
    "through after before from since onto within among over about against between "
    "toward towards for to with without despite around throughout until per".split()
)
#: no object stands behind these
_BEFORE_CLAUSE = frozenset("that how when while because if whether although though where why since until".split())
#: these may follow *her* as an object behind a preposition
_BEHIND_OBJECT = frozenset(
    "yesterday today tomorrow tonight alone personally first last next right left back away down up out over off again "
    "very much more most less best better worse anymore instead otherwise please soon often sometimes long home next "
    "also just only even still such quite rather so all both each either many few several one two three some any every "
    "like which who whom whose that regardless because thinks think seems seem felt feel was were is are has had will "
    "would could can may might just when where while without with following move looks look joins says said "
    "another other others be get go come make take know say see think do have feel leave die live work stay".split()
)
_WISHING = frozenset("wish wishes wished wishing".split())
_HURTING = frozenset("hurt hurts injured strained arched turned straightened broke scratched rubbed".split())


@PRONOUN.rule("capital inside a sentence", example="We trust in [Him] alone.", counter="We trust in [him] alone.")
def _is_revered(text: str, token: Token, start: int) -> bool:
    """Of a god, or in the title of a work."""
    if token.shape != 1 or _BEGINS.search(text, max(0, start - 3), start):
        return False
    if token.norm in ("he", "she") and text[:start].rstrip().endswith(","):
        return False  # he wrote, She was
    return not is_capitalised_line(text)
