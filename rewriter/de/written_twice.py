"""Phrases that stand in both genders word for word: *der vom Amt gehörten Zeugin oder des vom Amt gehörten Zeugen*.

The pair form writes them so, whatever stands between a determiner and its noun. Both halves have the same number of
words, each of which is the same or the other gender of its fellow; the last one is a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rewriter.de.fair_forms import same_word, word_pair
from rewriter.de.inflection import FEMININE, Style, match_case
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.pair_form import LONGEST
from rewriter.de.word_readings import FEM, MASC, PLUR, Noun, cases_of

_JOINING = re.compile(r" (?:oder|und|bzw\.|ODER|UND) ")
_WORD = re.compile(r"[^\s,;:()„“»«\"]+")
_STOP = re.compile(r"[,;:()„“»«\"\n]")
_ADJECTIVE = re.compile(r"(?P<stem>[^\W\d_]{2,}?)e[nmrs]?")
_STAR = Style.of("star")
#: words that stand for a person without being a noun
_STANDING = re.compile(r"(?:ander|jed|einzeln|solch|erst|zweit|dritt|letzt|nächst|ihrig|seinig)e[nrs]?", re.IGNORECASE)
#: contracted prepositions, as the feminine half has them
_APART = {"vom": ("von", "dem"), "beim": ("bei", "dem"), "am": ("an", "dem"), "im": ("in", "dem")}
#: words whose masculine ends in *-er* and whose feminine in *-e* where they stand alone
_ALONE = frozenset("ein kein jed dies jen manch welch irgendein".split())


@dataclass(frozen=True, slots=True)
class Twice:
    """A phrase in both genders.

    Attributes:
        start: offset of its first character.
        end: offset behind its last character.
        star: the phrase with the star.
    """

    start: int
    end: int
    star: str


def written_twice(text: str, lexicon: GermanLexicon) -> Iterator[Twice]:
    """Yield the phrases of a sentence that stand in both genders, in order.

    Args:
        text: the sentence.
        lexicon: says which words are persons and determiners.
    """
    end = 0
    for joint in _JOINING.finditer(text):
        found = _around(text, joint, lexicon)
        if found is not None and found.start >= end:
            end = found.end
            yield found


def _around(text: str, joint: re.Match[str], lexicon: GermanLexicon) -> Twice | None:
    left = list(_WORD.finditer(text, _last_stop(text, joint.start()), joint.start()))
    right = list(_WORD.finditer(text, joint.end(), _next_stop(text, joint.end())))
    is_plural = joint.group().strip().lower() == "und"
    # a preposition that begins the half is that of the phrase; any other belongs to both halves (*der vom Amt gehörte*)
    said = [(match, word) for match in right[:1] for word in _APART.get(match.group().lower(), (match.group(),))]
    said += [(match, match.group()) for match in right[1:]]
    for size in range(min(len(left), len(said), 1 if is_plural else LONGEST), 0, -1):
        one, other = left[-size:], said[:size]
        halves = [m.group() for m in one], [*(word for _, word in other[:-1]), other[-1][1].rstrip(".!?…")]
        words = _joined(*halves, lexicon, is_plural)
        if words is not None:
            last = other[-1][0]
            end = last.start() + len(last.group().rstrip(".!?…"))
            return Twice(one[0].start(), end, _spaced(text, one, _contracted(words, [m.group() for m, _ in other])))
    return None


def _contracted(words: Sequence[str], masculine: Sequence[str]) -> Sequence[str]:
    """Return words with the contracted preposition of the masculine half: *vom\\*von der*, not *von dem\\*der*."""
    found = list(words)
    for place, (word, said) in enumerate(zip(words, masculine, strict=True)):
        if said.lower() in _APART and word.lower() == _APART[said.lower()][0] and place + 1 < len(found):
            found[place : place + 2] = match_case(word, _STAR.words(said.lower(), word.lower())), "der"
    return found


def _spaced(text: str, matches: Sequence[re.Match[str]], words: Sequence[str]) -> str:
    """Return words with the white space that stands between those of the text."""
    parts = [words[0]]
    for before, match, word in zip(matches, matches[1:], words[1:], strict=False):
        parts += [text[before.end() : match.start()], word]
    return "".join(parts)


def _last_stop(text: str, end: int) -> int:
    stops = [match.end() for match in _STOP.finditer(text, 0, end)]
    return stops[-1] if stops else 0


def _next_stop(text: str, start: int) -> int:
    match = _STOP.search(text, start)
    return match.start() if match else len(text)


def _joined(one: Sequence[str], other: Sequence[str], lexicon: GermanLexicon, is_plural: bool) -> list[str] | None:
    """Return the words of two halves with the star, None where they are not one phrase in both genders."""
    head = _head(one[-1], other[-1], lexicon, is_plural)
    if head is None:
        return None
    word, is_feminine_first = head
    found = []
    for left, right in zip(one[:-1], other[:-1], strict=True):
        feminine, masculine = (left, right) if is_feminine_first else (right, left)
        fair = _agreeing(feminine.lower(), masculine.lower(), lexicon)
        if fair is None:
            return None
        found.append(match_case(left, fair) if fair != left.lower() else left)
    return [*found, word]


def _head(one: str, other: str, lexicon: GermanLexicon, is_plural: bool) -> tuple[str, bool] | None:
    """Return the noun of two halves with the star, and whether its feminine comes first."""
    readings = [lexicon.word(word[word.rfind("-") + 1 :]) for word in (one, other)]
    prefixes = {word[: word.rfind("-") + 1].lower() for word in (one, other)}
    if one[:-1] == other[: len(one) - 1] and _STANDING.fullmatch(one) and _STANDING.fullmatch(other):
        # eine Andere oder ein Anderer, einer anderen oder eines anderen
        return (one if one == other else _STAR.inflected(other, one)), True
    if readings[0] is None or readings[1] is None or len(prefixes) > 1:
        return None
    for feminine, masculine, is_first in ((one, other, True), (other, one, False)):
        if _are_halves(feminine, masculine, lexicon, is_plural):
            stem = feminine[: -len("innen" if is_plural else "in")]
            return match_case(one, _starred(stem, _noun(masculine, lexicon), is_plural)), is_first
    if is_plural or not all(reading is not None and reading.nominalised for reading in readings):
        return None
    for feminine, masculine, is_first in ((one, other, True), (other, one, False)):
        if masculine in (feminine + "r", feminine + "n", feminine) and feminine.endswith(("e", "en", "em")):
            return _STAR.inflected(masculine, feminine), is_first
    return None


def _starred(stem: str, his: Noun | None, is_plural: bool) -> str:
    """Return a noun with the star; in a compound of two persons both have one (*Schüler\\*innenberater\\*in*)."""
    fair = _STAR.noun(stem, plural=is_plural)
    if his is None or not his.first or not his.prefix:
        return fair
    at = len(stem) - len(his.stem)
    return fair[:at] + _STAR.noun(his.first, plural=True) + fair[at + len(his.prefix) :]


def _are_halves(feminine: str, masculine: str, lexicon: GermanLexicon, is_plural: bool) -> bool:
    """Return True if one word is the feminine of the other, by the reading of either."""
    hers, his = (_noun(word, lexicon) for word in (feminine, masculine))
    if not feminine.lower().endswith("innen" if is_plural else "in"):
        return False
    bare = [word[word.rfind("-") + 1 :].lower() for word in (feminine, masculine)]
    plural = "nen" if is_plural else ""
    is_his = his is not None and his.gender != FEMININE and his.mask & (PLUR if is_plural else MASC)
    if his is not None and is_his and (his.prefix + his.person.feminine + plural).lower() == bare[0]:
        return True
    if hers is None or hers.gender != FEMININE:
        return False
    return any((hers.prefix + hers.person.masculine_form(c, plural=is_plural)).lower() == bare[1] for c in range(4))


def _noun(word: str, lexicon: GermanLexicon) -> Noun | None:
    reading = lexicon.word(word[word.rfind("-") + 1 :])
    return None if reading is None else reading.noun


def _agreeing(feminine: str, masculine: str, lexicon: GermanLexicon) -> str | None:
    """Return a word before the noun with the star, itself where both halves have it alike."""
    if feminine == masculine:
        return feminine
    pair = word_pair(feminine, masculine) or same_word(masculine, feminine, lexicon)
    if pair is not None:
        return _STAR.words(*pair) if word_pair(*pair) else _STAR.inflected(*pair)
    stem = feminine[:-1]
    if masculine == feminine + "r" and (stem in _ALONE or stem not in lexicon.determiners):
        return _STAR.inflected(masculine, feminine)
    if _cases(feminine, lexicon, FEM) & _cases(masculine, lexicon, MASC):
        return _STAR.inflected(masculine, feminine)
    one, other = _ADJECTIVE.fullmatch(feminine), _ADJECTIVE.fullmatch(masculine)
    if one and other and one["stem"] == other["stem"] and feminine not in lexicon.determiners:
        return _STAR.inflected(masculine, feminine)
    return None


def _cases(word: str, lexicon: GermanLexicon, gender: int) -> set[tuple[str, int]]:
    readings = lexicon.determiners.get(word, ())
    return {(reading.stem, case) for reading in readings for case in cases_of(reading.mask & gender)}
