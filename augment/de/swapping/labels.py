"""What a read sentence says about its mentions: which turn, in which readings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augment.de.swapping.mention import Mention, Reading, Written
from augment.de.swapping.sentence import SwapSentence
from eval.reading.gold import replay

#: edits of a sentence: (start, end, after)
Edits = Sequence[tuple[int, int, str]]


@dataclass(frozen=True, slots=True)
class Label:
    """What a reader made of a mention.

    Attributes:
        turns: it means a person.
        readings: indices of the readings that give what the reader wrote.
    """

    turns: bool
    readings: tuple[int, ...] = ()


def labels(sentence: SwapSentence, mentions: Sequence[Mention], edits: Edits) -> list[Label | None]:
    """Return the label of every mention, None where the reader wrote what no reading gives.

    Args:
        sentence: that was read.
        mentions: of it.
        edits: of the reader.
    """
    return [_label(sentence, mention, edits) for mention in mentions]


def _label(sentence: SwapSentence, mention: Mention, edits: Edits) -> Label | None:
    fitting = tuple(
        i
        for i, reading in enumerate(mention.readings)
        if all(_fits(sentence, mention, w, edits) for w in reading.words) or _fits_whole(sentence, reading, edits)
    )
    stays = all(
        not _is_changed(sentence, word.first, word.last, mention, edits)
        for reading in mention.readings
        for word in reading.words
    )
    if stays:
        return Label(False)
    return Label(True, fitting) if fitting else None


def _fits_whole(sentence: SwapSentence, reading: Reading, edits: Edits) -> bool:
    """Return True if all that stands from the first to the last word is what the reader wrote (*vom Arzt*)."""
    first, last = min(w.first for w in reading.words), max(w.last for w in reading.words)
    start = sentence.tokens[first].start
    made = [
        (sentence.tokens[w.first].start - start, sentence.tokens[w.last].end - start, w.text) for w in reading.words
    ]
    whole = sentence.text[start : sentence.tokens[last].end]
    return after(sentence, first, last, edits) == replay(whole, sorted(made))


def _fits(sentence: SwapSentence, mention: Mention, word: Written, edits: Edits) -> bool:
    found = after(sentence, word.first, word.last, edits)
    if found is None:
        return False
    if found.lower() == word.text.lower():
        return True
    if mention.kind == "possessive":
        return found[:1].lower() == word.text[:1].lower()
    return word.kind == "possessive" and _ending(found) == _ending(word.text)


def _is_changed(sentence: SwapSentence, first: int, last: int, mention: Mention, edits: Edits) -> bool:
    found = after(sentence, first, last, edits)
    before = sentence.text[sentence.tokens[first].start : sentence.tokens[last].end]
    if found is None:
        return True
    if found == before:
        return False
    if _is_possessive(mention, first):
        return _ending(found) != _ending(before)
    if mention.stem and mention.kind != "personal":
        return found[:1].lower() != before[:1].lower()
    return True


def _is_possessive(mention: Mention, token: int) -> bool:
    """Return True if a token is *sein* or *ihr* before the mention's noun."""
    phrase = mention.phrase
    if phrase is None or phrase.reading is None:
        return False
    return phrase.determiner == token and phrase.reading.kind in ("his", "her")


def _ending(word: str) -> str:
    lower = word.lower()
    return lower[4:] if lower.startswith("sein") else lower[3:]


def after(sentence: SwapSentence, first: int, last: int, edits: Edits) -> str | None:
    """Return what a reader made of some tokens, None where an edit reaches over them."""
    start, end = sentence.tokens[first].start, sentence.tokens[last].end
    inside = []
    for a, b, text in edits:
        if b < start or a > end or (a == b and a in (start, end) and not text.strip()):
            continue
        if a >= start and b <= end:
            inside.append((a - start, b - start, text))
        elif a < end and start < b:
            return None
    return replay(sentence.text[start:end], inside)
