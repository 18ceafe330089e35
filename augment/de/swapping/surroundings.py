"""What stands around a mention: persons, things and names that it may refer to, as numbers beside the encoder's.

The encoder of three layers sees much of this by itself, but few read sentences do not teach a head where to look.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from augment.de.swapping.lexicon import SwapLexicon
from augment.de.swapping.mention import KINDS, Mention
from augment.de.swapping.sentence import SwapSentence
from rewriter.de.given_names import first_names
from rewriter.de.inflection import FEMININE, MASCULINE
from rewriter.de.lexicon import Noun, genders
from rewriter.de.phrase_words import FUNCTION

#: what a capitalised word may be for a pronoun
PERSON, THING, NAME, NEUTRAL = range(4)
_GENDERS = {"m": MASCULINE, "f": FEMININE}
_CAPITAL = re.compile(r"(?<![\w*:_/-])[A-ZÄÖÜ][^\W\d_]+")
_ENDS = re.compile(r"[.!?:…][\"“”»)]*\s*$")
#: persons of one word for all, with their gender
_NEUTRALS = {
    word: gender
    for gender, words in (
        (MASCULINE, "mensch menschen gast flüchtling häftling lehrling star fan säugling prüfling kumpel"),
        (FEMININE, "person figur fachkraft geisel waise hebamme lehrkraft führungskraft hauptfigur"),
    )
    for word in words.split()
}
#: last parts of persons' words that mean bodies and firms
_BODIES = tuple(
    "träger geber anbieter hersteller betreiber versicherer verband gegner lieferant veranstalter erbringer "
    "dienstleister vermittler partner monopolist händler inhaber schuldner gläubiger kläger beklagt verfasser".split()
)
_POLITE = re.compile(r"(?<=[^\W\d_])[,;]? (?:Sie|Ihnen|Ihr(?:e[nmrs]?)?)(?!\w)")
_SAYING = re.compile(
    r"(?:sag|mein|erklär|schr[ie]e?b|frag|erzähl|antwort|rief|ruft|dach|denk|glaub|wuss|weiß|fühl|lächel|lach)"
)


@dataclass(frozen=True, slots=True)
class Around:
    """A word that a pronoun may mean: token (negative in what stands before the sentence), what it is, its gender."""

    token: int
    sort: int
    gender: int


def is_body(noun: Noun) -> bool:
    """Return True if a noun means a firm or a body more often than a person (*Hersteller, Träger*)."""
    return noun.lemma.endswith(_BODIES)


def words_around(sentence: SwapSentence, mentions: Sequence[Mention]) -> list[Around]:
    """Return the nouns and names of a sentence in order."""
    known = {m.token: m for m in mentions if m.phrase is not None}
    found = []
    for index, token in enumerate(sentence.tokens):
        if not token.shape or not token.norm.isalpha() or len(token.norm) < 2:
            continue
        mention = known.get(index)
        if mention is not None:
            found.append(Around(index, PERSON, mention.gender))
        elif around := _sort(sentence.surface(index), index, begins=index == 0):
            found.append(around)
    return found


def words_before(before: Sequence[str], lexicon: SwapLexicon) -> list[Around]:
    """Return the nouns and names of what stands before a sentence, with negative places."""
    text = " ".join(before)[-400:]
    found = []
    for match in _CAPITAL.finditer(text):
        place, surface = match.start() - len(text), match.group()
        word = lexicon.word(surface)
        begins = match.start() == 0 or _ENDS.search(text, 0, match.start()) is not None
        if word is not None and word.noun is not None and not (begins and surface.lower() in FUNCTION):
            found.append(Around(place // 6, PERSON, word.noun.gender))
        elif around := _sort(surface, place // 6, begins=begins):
            found.append(around)
    return found


def _sort(surface: str, token: int, *, begins: bool) -> Around | None:
    lower = surface.lower()
    if lower in _NEUTRALS:
        return Around(token, NEUTRAL, _NEUTRALS[lower])
    gender = genders().get(surface)
    if gender is None:
        gender = _by_last_part(surface)
    if gender is not None:
        return Around(token, THING, _GENDERS.get(gender, -1))
    if begins and surface not in first_names():
        return None
    return Around(token, NAME, -1)


def _by_last_part(surface: str) -> str | None:
    known = genders()
    for ending in ("s", "es", "n", "en"):
        if surface.endswith(ending) and surface[: -len(ending)] in known:
            return known[surface[: -len(ending)]]
    if len(surface) < 8:
        return None
    for cut in range(3, len(surface) - 3):
        gender = known.get(surface[cut:].capitalize())
        if gender is not None:
            return gender
    return None


def surroundings(
    sentence: SwapSentence, mentions: Sequence[Mention], before: Sequence[str], lexicon: SwapLexicon
) -> list[list[float]]:
    """Return numbers about what stands around each mention.

    Args:
        sentence: that holds the mentions.
        mentions: of it, in order.
        before: the sentences before it.
        lexicon: says which words are persons.
    """
    if not mentions:
        return []
    here, earlier = words_around(sentence, mentions), words_before(before, lexicon)
    polite = float(any(_POLITE.search(text) for text in (sentence.text, *before)))
    return [
        [*_own(sentence, m), polite, *_others(m, here, earlier), *_pronouns(sentence, m, mentions)] for m in mentions
    ]


def _own(sentence: SwapSentence, mention: Mention) -> list[float]:
    kinds = [float(mention.kind == kind) for kind in KINDS]
    noun = mention.phrase.word.noun if mention.phrase is not None else None
    determiner = mention.phrase is not None and mention.phrase.determiner >= 0
    following = mention.token + 1
    is_before_capital = following < len(sentence.tokens) and sentence.tokens[following].shape > 0
    numbers = {reading.plural for reading in mention.readings}
    return [
        *kinds,
        float(mention.gender == FEMININE),
        float(mention.token == 0),
        float(determiner),
        float(noun is not None and noun.certain),
        float(noun is not None and is_body(noun)),
        float(noun is not None and noun.lemma in sentence.lexicon.surnames),
        float(noun is not None and sentence.norms[mention.token] in sentence.lexicon.towns),
        float(is_before_capital and sentence.surface(following) not in genders()),
        float(is_before_capital and sentence.surface(following) in genders()),
        float(_is_behind_name(sentence, mention)),
        float(numbers == {True}),
        float(numbers == {False}),
    ]


def _is_behind_name(sentence: SwapSentence, mention: Mention) -> bool:
    at = mention.start - 1
    return (
        at >= 0
        and sentence.tokens[at].shape > 0
        and sentence.surface(at) not in genders()
        and sentence.norms[at].isalpha()
    )


def _others(mention: Mention, here: Sequence[Around], earlier: Sequence[Around]) -> list[float]:
    """Return how near persons, things, names of the mention's gender stand, before it, behind it, in the context."""
    numbers: list[float] = []
    if mention.phrase is not None:
        return [0.0] * _OTHERS
    before = [w for w in here if w.token < mention.token]
    behind = [w for w in here if w.token > mention.token]
    for sort in (PERSON, THING, NAME, NEUTRAL):
        for words, nearest in ((before, -1), (behind, 0), (earlier, -1)):
            fitting = [w for w in words if w.sort == sort and w.gender in (mention.gender, -1 if sort == NAME else 9)]
            numbers += [
                float(bool(fitting)),
                1 / (1 + abs(mention.token - fitting[nearest].token) / 4) if fitting else 0.0,
            ]
    ranked = [w for w in (*earlier, *before) if w.gender == mention.gender or w.sort == NAME]
    last = ranked[-1].sort if ranked else -1
    numbers += [float(last == sort) for sort in (PERSON, THING, NAME, NEUTRAL)]
    return [*numbers, float(not ranked)]


_OTHERS = 4 * 3 * 2 + 5


def _pronouns(sentence: SwapSentence, mention: Mention, mentions: Sequence[Mention]) -> list[float]:
    """Return which pronouns of its gender stand beside a mention, and whether somebody speaks or feels."""
    same = [m for m in mentions if m is not mention and m.phrase is None and m.gender == mention.gender]
    saying = any(_SAYING.match(sentence.norm(at)) for at in (mention.token - 1, mention.token + 1))
    return [
        float(any(m.token < mention.token for m in same)),
        float(any(m.token > mention.token for m in same)),
        float(saying),
        float("„" in sentence.text or "»" in sentence.text or '"' in sentence.text),
        float(sentence.norm(mention.token - 1) == ","),
    ]
