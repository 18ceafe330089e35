"""Pronouns that run on into their verb: *shes late*, *hed better*, *she´s*, *he' s*.

Chat, tweets and hasty mail leave the apostrophe out or put another mark in its place. The two parts become tokens of
their own, as if the apostrophe stood there, so that the encoder reads what it knows; what is written stays: *shes* →
*theyre*. Some run-on forms are words (*shed*, *hell*, *shell*): these only where a verb follows that the word has not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.en.inflection import to_singular
from rewriter.en.lexicon import traps
from rewriter.language.tokens import Token, shape_of

#: finds something in the lower-cased text wherever one of the forms may stand; fast, for most sentences have none
HINT = re.compile(r"he(?:[sd]\b|ll\b|[´`′ʼ＇‘]|['’] s\b)")
_FORM = re.compile(r"(?<![\w@#/&.’'-])(s?he)([´`′ʼ＇‘]?|['’] )(s|d|ll)(?![\w/@’']|[-.]\w)", re.IGNORECASE)
#: forms that a search for pronouns does not find; *hell* and *sheʼs* are read where a pronoun stands near them
RUN_ON_WORDS = ("shes", "hes", "hed", "shed")
#: words that are no pronoun and clitic unless what stands beside them says so
_WORDS = frozenset("shed hell shell hed".split())
#: behind them a clause begins
_OPENING = frozenset(
    """said says say think thinks thought know knew knows hope hoped hopes wish wished bet guess swear swore told if
    that because cuz bc when until and but so . , ! ? ; : " “ wondering sure glad believe believed promised
    felt""".split()
)
#: what stands before a verb, or is one that no noun is spelt like
_VERBS = frozenset("be have been never rather better probably already definitely".split())
#: base forms that are nouns, too, so that skin may be what was shed
_SAYING = _OPENING - frozenset('and but so . , ! ? ; : " “'.split())


def find_run_ons(text: str, lower: str, tokens: Sequence[Token]) -> dict[int, tuple[int, int]]:
    """Return where pronouns run on into a verb: start -> (end of the pronoun, end of the whole).

    Args:
        text: the sentence.
        lower: the same in lower case.
        tokens: of the sentence.
    """
    if HINT.search(lower) is None:
        return {}
    places = {token.start: index for index, token in enumerate(tokens)}
    return {
        match.start(): (match.end(1), match.end())
        for match in _FORM.finditer(text)
        if match.start() in places and _is_pronoun(match, tokens, places[match.start()])
    }


def _is_pronoun(match: re.Match[str], tokens: Sequence[Token], index: int) -> bool:
    """Return True if a form is a pronoun and its verb, not a noun (*the hes and shes*), a name (*Hes*) or a symbol."""
    mark = match[2]
    if mark and mark not in "`‘":
        return True
    token = tokens[index]
    before = tokens[index - 1].norm if index else "."
    following = next((t.norm for t in tokens[index + 1 :] if t.start >= match.end()), ".")
    if mark:
        # `she`s, which is code, is protected; he‘s late
        return mark == "`" or match.string.count(mark) == 1
    pair = tokens[index - 2].norm if index > 1 and before in ("and", "or", "&") else ""
    if before in traps("determiner") or pair in ("hes", "shes"):
        return False
    if token.shape == 2 and not match.string.isupper():
        return False
    if token.shape == 1 and before not in _OPENING:
        return False
    return token.norm not in _WORDS or _has_verb(token.norm, before, following)


def _has_verb(word: str, before: str, following: str) -> bool:
    if before not in _OPENING:
        return word == "hed" and (following in _VERBS or to_singular(following) is not None)
    if word.endswith("ll"):
        return following in ("be", "have", "never", "probably", "definitely") and before in _SAYING
    return following in _VERBS or (to_singular(following) is not None and (before in _SAYING or word == "hed"))


def split_run_ons(text: str, tokens: Sequence[Token], run_ons: dict[int, tuple[int, int]]) -> list[Token]:
    """Return the tokens with a pronoun and a clitic in the place of every form found."""
    split: list[Token] = []
    done = 0
    for token in tokens:
        if token.start < done:
            continue
        if token.start not in run_ons:
            split.append(token)
            continue
        middle, done = run_ons[token.start]
        pronoun, clitic = text[token.start : middle], text[middle:done]
        letters = clitic.lstrip("´`′ʼ＇‘'’ ")
        split.append(Token(token.start, middle, pronoun.lower(), shape_of(pronoun)))
        split.append(Token(middle, done, "'" + letters.lower(), shape_of(letters)))
    return split
