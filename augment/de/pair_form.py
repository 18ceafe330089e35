"""Training pairs from gender-fair text: pair forms, and star, colon, gap, slash and Binnen-I forms.

Whoever writes *die Stipendiatin oder der Stipendiat* has said which words mean any person, in which case and number.
Each half as it stands, article and ending included, gives a masculine and a feminine source; the star form is the
target. Of the signs' forms the feminine is read off; the masculine is written only where the phrase settles its case.
What else stands in the sentence and might mean a person gets no label, unless the grammar leaves one answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from augment.de.pair_regions import Places, Region, Source, UnusableError, find_regions, german, surface_of
from augment.de.pair_targets import Reading, read_source, result_of
from augment.languages import RuleResult
from rewriter.de.drafts import FIRST, PLURAL, SINGULAR, case_of
from rewriter.de.genders import Genders
from rewriter.de.phrase import plural
from rewriter.de.phrases import find_phrase
from rewriter.de.sentence import Sentence
from rewriter.policy.protect import protected_spans

__all__ = ["PAIRED", "Places", "Reading", "Region", "Source", "UnusableError", "german", "pair_form"]

#: form of the source that keeps the pair forms
PAIRED = "mixed"


def pair_form(text: str) -> list[RuleResult]:
    """Return masculine, feminine and paired sources of a sentence with their star target.

    Args:
        text: one sentence.

    Returns:
        Nothing where the sentence holds no gender-fair form; a dropped result says why in ``dropped``.
    """
    try:
        regions = find_regions(text)
    except UnusableError as error:
        return [_dropped(text, str(error))]
    if not regions:
        return []
    results = [_attempt(_turned(text, regions, feminine=True), "feminine")]
    if not results[0].dropped:
        regions = _with_masculines(text, regions)
    if all(region.masculine is not None for region in regions):
        results.append(_attempt(_turned(text, regions, feminine=False), "masculine"))
    else:
        results.append(_dropped(text, "masculine: the case is open"))
    if any(not region.star for region in regions):
        results.append(_attempt(_paired(text, regions), PAIRED))
    return results


def _dropped(text: str, why: str) -> RuleResult:
    return RuleResult(text, text, "neutral", dropped=why)


def _attempt(source: Source, form: str) -> RuleResult:
    try:
        return result_of(source, form)
    except UnusableError as error:
        return _dropped(source.text, f"{form}: {error}")


def _turned(text: str, regions: Sequence[Region], *, feminine: bool) -> Source:
    return _assembled(text, [(r, (r.feminine if feminine else r.masculine) or "") for r in regions])


def _paired(text: str, regions: Sequence[Region]) -> Source:
    """Return the text with its pair forms; forms with a sign become stars, as they stay in any source."""
    return _assembled(text, [(r, r.star or text[r.start : r.end]) for r in regions])


def _assembled(text: str, pieces: Sequence[tuple[Region, str]]) -> Source:
    parts: list[str] = []
    places = []
    at = length = 0
    for region, piece in pieces:
        literal = text[at : region.start]
        parts += [literal, piece]
        length += len(literal)
        places.append((length, length + len(piece), region))
        length += len(piece)
        at = region.end
    return Source("".join(parts) + text[at:], tuple(places))


def _with_masculines(text: str, regions: Sequence[Region]) -> list[Region]:
    """Fill in the masculines of nouns with a sign, where the feminine sentence settles their case."""
    if all(region.masculine is not None for region in regions):
        return list(regions)
    source = _turned(text, regions, feminine=True)
    reading = read_source(source)
    genders = Genders(source.text, reading.analysis, reading.outcomes, german().lexicon)
    filled = []
    for start, end, region in source.places:
        if region.masculine is None:
            region = replace(region, masculine=_masculine(reading, genders, (start, end), source.places))
        filled.append(region)
    return filled


def _masculine(reading: Reading, genders: Genders, span: tuple[int, int], places: Places) -> str | None:
    """Return the masculine of the noun at a span, None where its case is open and would show."""
    start, end = span
    for index, candidate in enumerate(reading.analysis.candidates):
        if not (candidate.start < end and start < candidate.end):
            continue
        outcome = reading.outcomes[index]
        if outcome == FIRST:
            masculine = genders.of(index)[0]
            return None if masculine == genders.text[start:end] else masculine
        if candidate.kind != "noun" or outcome not in (SINGULAR, PLURAL):
            return None
        if _is_apart(reading, index, places):
            return None
        cases = _cases(reading, genders, index)
        forms = {genders.noun(candidate, case, plural=outcome == PLURAL)[0] for case in cases}
        return forms.pop() if len(forms) == 1 else None
    return None


def _is_apart(reading: Reading, head: int, places: Places) -> bool:
    """Return True if a word that changes with a noun is not written gender-fair itself (die Nutzer\\*in)."""
    return any(
        c.governor == head and case_of(o) >= 0 and not any(s < c.end and c.start < e for s, e, _ in places)
        for c, o in zip(reading.analysis.candidates, reading.outcomes, strict=True)
    )


def _cases(reading: Reading, genders: Genders, index: int) -> set[int]:
    """Return the cases that a noun of the feminine sentence may have."""
    candidates = reading.analysis.candidates
    known = {case_of(reading.outcomes[i]) for i, c in enumerate(candidates) if c.governor == index} - {-1}
    if known:
        return known
    word = german().lexicon.word(surface_of(genders.text, candidates[index]))
    sentence = Sentence(genders.text, german().lexicon, protected_spans(genders.text))
    if word is None:
        return set(range(4))
    phrase = find_phrase(sentence, candidates[index].token, word)
    if reading.outcomes[index] == PLURAL:
        mask = plural(phrase.mask) >> 8
        if phrase.determiner < 0:
            mask &= _strong_plural(sentence, phrase.adjectives)
            # a bare plural is no genitive: *Rechte Bürgerinnen* is none
            mask &= 0b0111 if sentence.norm(phrase.start - 1) not in sentence.closed.prepositions else 0b1111
    else:
        mask = phrase.mask >> 4 & 0b0111
    return {case for case in range(4) if mask >> case & 1}


def _strong_plural(sentence: Sentence, adjectives: Sequence[int]) -> int:
    """Return the cases that adjectives without a determiner leave in the plural."""
    mask = 0b1111
    for index in adjectives:
        norm = sentence.norms[index]
        mask &= (
            0b0100 if norm.endswith("en") else 0b1000 if norm.endswith("er") else 0b0011 if norm.endswith("e") else mask
        )
    return mask
