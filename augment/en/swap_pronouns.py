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

from augment.en.swap_nouns import is_capitalised_line
from lexicons.loader import read_table
from rewriter.en.back_words import GENDERED
from rewriter.en.candidates import CHANGE, OBJECT, OUTCOMES, POSSESSIVE, STANDALONE, find_pronouns
from rewriter.en.inflection import match_case
from rewriter.en.segmenter import segment
from rewriter.en.tokens import Token, tokenize
from rewriter.language.candidates import Analysis, Candidate
from rewriter.language.rules import decider
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
#: what decides where no rule of the rewriter does
_BESIDE = "words beside it"
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
    """

    code = "en"
    outcomes = OUTCOMES
    gate_words = None

    def __init__(self, targets: Sequence[str]) -> None:
        self.targets = tuple(targets)

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

    def analyze(
        self,
        text: str,
        protected: Sequence[tuple[int, int]] = (),
        *,
        training: bool = False,
        before: Sequence[str] = (),
    ) -> Analysis:
        """Return tokens and the pronouns that turn to one of the targets."""
        found = find_pronouns(text, protected)
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
        if target not in self.targets or _is_revered(text, tokens[candidate.token], candidate.start):
            return None
        options = [candidate.options[0]]
        options += ((outcome, match_case(surface, GENDERED[target][case])) for outcome, case in cases.items())
        forced = candidate.forced
        if forced is None and _is_no_name(tokens, candidate.token):
            forced = CHANGE
        if forced is None:
            forced = _certain(tokens, candidate.token)
        rule = candidate.rule if forced == candidate.forced else _BESIDE
        return replace(candidate, options=tuple(options), forced=forced, rule=rule or _BESIDE)

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


def _is_no_name(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a capitalised form with one case is a pronoun: any but *He*, and *He* behind a quotation mark."""
    token = tokens[index]
    if token.shape != 1 or token.norm in ("her", "his"):
        return False
    if token.norm != "he":
        return True
    following = tokens[index + 1] if index + 1 < len(tokens) else token
    opens = index > 0 and tokens[index - 1].norm in _OPENING
    return opens and following.shape == 0 and following.norm.strip("'").isalpha()


_OPENING = frozenset('.!?"“‘«:;*—–-…')


def _certain(tokens: Sequence[Token], index: int) -> int | None:
    """Return the outcome that the next words settle, None where the model has to decide."""
    norm = tokens[index].norm
    if norm not in ("her", "his") or tokens[index].shape == 2 or index + 1 >= len(tokens):
        return None
    following = tokens[index + 1]
    if tokens[index].shape and index:
        return None  # may be a name
    if norm == "his" and _opens_phrase(tokens, index + 1):
        return POSSESSIVE
    is_word = following.norm.isalpha() and following.shape < 2 and not following.norm.endswith("ed")
    if norm == "her":
        previous = tokens[index - 1].norm if index else ""
        if previous in _WISHING or (following.norm == "names" and previous.startswith("call")):
            return OBJECT
        if following.norm in _POSSESSED or (following.norm == "back" and previous in _HURTING):
            return POSSESSIVE
        if not is_word or following.norm in _ends_phrase() or following.norm.endswith(("ly", "ing")):
            return None
        begins = (not index or previous in _BEFORE_CLAUSE) and following.shape == 0
        behind = previous in _PREPOSITIONS and following.norm not in _BEHIND_OBJECT
        return POSSESSIVE if begins or behind else None
    return POSSESSIVE if is_word and following.norm not in _ends_phrase() else None


def _opens_phrase(tokens: Sequence[Token], index: int) -> bool:
    """Return True if a quotation mark and a word, or a capitalised word, stand here: *his “new” car*, *his A-Z tour*."""
    if index + 1 >= len(tokens):
        return False
    token, following = tokens[index], tokens[index + 1]
    return (token.norm in _QUOTES and following.norm.isalnum()) or (token.shape == 2 and token.norm.isalpha())


_QUOTES = frozenset('"“‘«')
#: behind these *her* and a word that is no adverb or function word is possessive (*in her eyes*)
_PREPOSITIONS = frozenset(
    "in on of at by behind above below beneath beside across along outside inside near upon off into under during through after before from since onto within among over about against between "
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


def _is_revered(text: str, token: Token, start: int) -> bool:
    """Return True for a pronoun with a capital inside a sentence: of a god, or in the title of a work."""
    if token.shape != 1 or _BEGINS.search(text, max(0, start - 3), start):
        return False
    if token.norm in ("he", "she") and text[:start].rstrip().endswith(","):
        return False  # he wrote, She was
    return not is_capitalised_line(text)
