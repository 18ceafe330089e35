"""What heads for swapping are trained on: mentions of read sentences with their labels.

Three sources. Sentences read for swapping give every label, in both directions: what a reader wrote is read back, too.
Sentences read for rewriting say which nouns and pronouns mean a person that no name names; what stays there is a label
where nothing in sight has a name. And whatever a masculine means, its form shows its case: its sentence with the
feminine in its place teaches the case of feminines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from augment.de.swapping.finder import find_mentions
from augment.de.swapping.labels import Edits, after, labels
from augment.de.swapping.lexicon import SwapLexicon
from augment.de.swapping.mention import CELLS, PRONOUNS, Mention, Reading
from augment.de.swapping.reader import Part
from augment.de.swapping.sentence import SwapSentence
from augment.de.swapping.surroundings import NAME, NEUTRAL, is_body, words_around, words_before
from eval.reading.gold import FoundSentence, word_edits
from rewriter.de.inflection import MASCULINE
from rewriter.de.segmenter import segment
from rewriter.model.cutting import CONTEXT
from rewriter.policy.protect import protected_spans
from rewriter.records import Edit, apply_edits
from rewriter.text.offsets import within

#: neither turns nor stays
UNKNOWN = -1


@dataclass(slots=True)
class Example:
    """A sentence with labels.

    Attributes:
        part: the sentence.
        turns: of each mention 1 if it turns, 0 if it stays, :data:`UNKNOWN`.
        cells: of each mention the outputs (cells, one, several) that it may have, empty where nothing is known.
        source: ``swap``, ``twin``, ``star``, ``case``.
        group: sentences of one group are held back together.
    """

    part: Part
    turns: list[int]
    cells: list[tuple[int, ...]]
    source: str
    group: str


def swap_examples(found: Iterable[FoundSentence], lexicon: SwapLexicon) -> Iterator[Example]:
    """Yield the sentences read for swapping, and their twins."""
    for sentence in found:
        edits = sentence.gold.edits or ()
        part = _part(sentence, lexicon)
        yield _labelled(part, edits, "swap", sentence.gold.digest)
        if edits:
            text = sentence.target
            twin = SwapSentence(text, lexicon, tuple(protected_spans(text)))
            other = Part(0, twin, find_mentions(twin), part.before)
            yield _labelled(other, tuple(word_edits(text, sentence.text)), "twin", sentence.gold.digest)


def star_examples(found: Iterable[FoundSentence], lexicon: SwapLexicon) -> Iterator[Example]:
    """Yield the sentences read for rewriting, and for each the same with feminines for masculines."""
    for sentence in found:
        part = _part(sentence, lexicon)
        if not part.mentions:
            continue
        edits = sentence.gold.edits or ()
        turns = [_star_label(part, mention, edits, lexicon) for mention in part.mentions]
        cells: list[tuple[int, ...]] = [() for _ in turns]
        if any(turn != UNKNOWN for turn in turns):
            yield Example(part, turns, cells, "star", sentence.gold.digest)
        if (twin := _feminine(part, lexicon, sentence.gold.digest)) is not None:
            yield twin


def _part(found: FoundSentence, lexicon: SwapLexicon) -> Part:
    spans = [span for span in segment(found.line) if span[1] <= found.gold.start][-CONTEXT:]
    before = tuple(found.line[start:end] for start, end in spans)
    protected = within(protected_spans(found.line), found.gold.start, found.gold.end)
    sentence = SwapSentence(found.text, lexicon, protected)
    return Part(0, sentence, find_mentions(sentence), before)


def _labelled(part: Part, edits: Edits, source: str, group: str) -> Example:
    known = labels(part.sentence, part.mentions, edits)
    turns = [UNKNOWN if label is None else int(label.turns) for label in known]
    cells: list[tuple[int, ...]] = []
    for mention, label in zip(part.mentions, known, strict=True):
        fitting = [] if label is None else [mention.readings[i] for i in label.readings]
        cells.append(tuple(sorted({output for reading in fitting for output in outputs(reading)})))
    return Example(part, turns, cells, source, group)


def outputs(reading: Reading) -> tuple[int, ...]:
    """Return the outputs of a head that say a reading: its cell (of one person only), its number."""
    number = (len(CELLS) + reading.plural,)
    return number if reading.cell < 0 or (reading.plural and reading.cell < 0) else (reading.cell, *number)


def _star_label(part: Part, mention: Mention, edits: Edits, lexicon: SwapLexicon) -> int:
    made = after(part.sentence, mention.token, mention.token, edits)
    if made is None or mention.kind in ("kin", "title", "adjective"):
        return UNKNOWN
    noun = mention.phrase.word.noun if mention.phrase is not None else None
    if "*" in made:
        return UNKNOWN if noun is not None and is_body(noun) else 1
    if made != part.sentence.surface(mention.token) or mention.kind == "nominalised":
        return UNKNOWN
    if mention.kind in PRONOUNS:
        return UNKNOWN if _is_named(part, lexicon) else 0
    before = part.sentence.norm(mention.start - 1)
    return UNKNOWN if before in ("herr", "herrn", "frau", "fräulein") else 0


def _is_named(part: Part, lexicon: SwapLexicon) -> bool:
    """Return True if a name, or a person whose word has no star, stands in sight."""
    around = [*words_around(part.sentence, part.mentions), *words_before(part.before, lexicon)]
    plain = {"kin", "title", "nominalised"}
    return any(word.sort in (NAME, NEUTRAL) for word in around) or any(m.kind in plain for m in part.mentions)


def _feminine(part: Part, lexicon: SwapLexicon, group: str) -> Example | None:
    """Return a sentence with the feminine for each masculine whose form shows its case, labelled with those."""
    shown = [(m, m.readings[0]) for m in part.mentions if m.gender == MASCULINE and _shows_case(m)]
    if not shown:
        return None
    tokens = part.sentence.tokens
    edits = {
        tokens[w.first].start: Edit(tokens[w.first].start, tokens[w.last].end, "", w.text, "", "")
        for _, reading in shown
        for w in reading.words
    }
    text, ordered = part.sentence.text, [edits[start] for start in sorted(edits)]
    if any(one.end > other.start for one, other in pairwise(ordered)):
        return None
    ordered = [replace(edit, before=text[edit.start : edit.end]) for edit in ordered]
    sentence = SwapSentence(apply_edits(text, ordered), lexicon, ())
    mentions = find_mentions(sentence)
    places = _moved(shown, part.sentence, ordered)
    cells = []
    for mention in mentions:
        reading = places.get(sentence.tokens[mention.token].start)
        cells.append(outputs(reading) if reading is not None else ())
    if not any(cells):
        return None
    return Example(Part(0, sentence, mentions, part.before), [UNKNOWN] * len(mentions), cells, "case", group)


def _shows_case(mention: Mention) -> bool:
    """Return True if a mention has one reading, or one case and number."""
    return len({(r.cell, r.plural) for r in mention.readings}) == 1 and mention.readings[0].cell >= 0


def _moved(
    shown: Sequence[tuple[Mention, Reading]], sentence: SwapSentence, edits: Sequence[Edit]
) -> dict[int, Reading]:
    """Return where the words of mentions begin after edits."""
    places = {}
    for mention, reading in shown:
        start = sentence.tokens[mention.token].start
        shift = sum(len(e.after) - (e.end - e.start) for e in edits if e.start < start)
        places[start + shift] = reading
    return places
