"""The star target of a source whose persons are known, and which of its words are certain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from augment.de.pair_regions import Region, Source, UnusableError, german, surface_of
from augment.languages import RuleResult
from rewriter.de.decoding import DETERMINERS, decode
from rewriter.de.drafts import CASES, KEEP, PLURAL, SINGULAR, STARRED, case_of
from rewriter.de.phrases import find_phrase
from rewriter.de.sentence import Sentence
from rewriter.language.candidates import Analysis, Candidate
from rewriter.model.alignment import match_outcomes
from rewriter.policy.protect import protected_spans
from rewriter.records import Edit


@dataclass(frozen=True)
class Reading:
    """A source that is understood: outcome per candidate, the target, and which candidates are certain."""

    analysis: Analysis
    outcomes: list[int]
    target: str
    certain: list[bool]
    rules: Counter[str]


def result_of(source: Source, form: str) -> RuleResult:
    """Return the pair of a source: target, edits, and the places that nothing is known about.

    Raises:
        UnusableError: as :func:`read_source`.
    """
    reading = read_source(source)
    pairs = list(zip(reading.analysis.candidates, reading.outcomes, reading.certain, strict=True))
    doubtful = tuple((c.start, c.end) for c, _, certain in pairs if not certain)
    edits = []
    for candidate, outcome, _ in pairs:
        before, after = surface_of(source.text, candidate), dict(candidate.options)[outcome]
        if before != after:
            edits.append(
                Edit(candidate.start, candidate.end, before, after, candidate.kind, german().outcomes[outcome])
            )
    return RuleResult(source.text, reading.target, form, tuple(edits), doubtful, reading.rules)


def read_source(source: Source) -> Reading:
    """Work out the target of a source and which of its candidates are certain.

    Raises:
        UnusableError: the candidates do not explain the target, or its words do not agree.
    """
    language, text = german(), source.text
    analysis = language.analyze(text, protected_spans(text))
    replacements = [(start, end, region.star) for start, end, region in source.places if region.star]
    certain = []
    for candidate in analysis.candidates:
        region = _region_of(candidate, source)
        if region is not None and not region.star:
            replacements.append(_chosen(candidate, region, text))
        certain.append(region is not None and _is_certain(candidate, region, text))
    target = _replaced(text, replacements)
    options = match_outcomes(text, target, analysis.candidates)
    if options is None:
        raise UnusableError("target not explained")
    outcomes = [c.options[o][0] for c, o in zip(analysis.candidates, options, strict=True)]
    _check(source, analysis, options, outcomes)
    certain = [sure or _follows(analysis, i, outcomes, certain) for i, sure in enumerate(certain)]
    rules = Counter(
        f"{c.kind}:{language.outcomes[o]}" for c, o, k in zip(analysis.candidates, outcomes, certain, strict=True) if k
    )
    return Reading(analysis, outcomes, target, certain, rules)


def _region_of(candidate: Candidate, source: Source) -> Region | None:
    for start, end, region in source.places:
        if candidate.start < end and start < candidate.end:
            return region
    return None


def _is_certain(candidate: Candidate, region: Region, text: str) -> bool:
    # whose the possessed is nobody said
    return (
        candidate.kind != "possessive"
        or not surface_of(text, candidate).lower().startswith(("sein", "ihr"))
        or region.outcome == STARRED
    )


def _chosen(candidate: Candidate, region: Region, text: str) -> tuple[int, int, str]:
    """Return what a word of a pair form's half becomes."""
    options = dict(candidate.options)
    surface = surface_of(text, candidate)
    case = case_of(region.outcome)
    if candidate.kind == "noun":
        wanted = PLURAL if region.outcome == PLURAL else SINGULAR
    elif candidate.kind in ("pair", "pronoun", "relative") or region.outcome in (STARRED, KEEP):
        wanted = region.outcome
    elif case >= 0:
        wanted = CASES[case]
    else:
        wanted = KEEP
    if wanted not in options and candidate.kind in ("nominalised", "adjective"):
        wanted = KEEP  # the form is the same (dem*der Angestellten)
    if wanted not in options:
        raise UnusableError(f"{candidate.kind} without the outcome of its pair")
    return candidate.start, candidate.end, options[wanted] if wanted != KEEP else surface


def _replaced(text: str, replacements: Sequence[tuple[int, int, str]]) -> str:
    parts, at = [], 0
    for start, end, after in sorted(replacements):
        if start < at:
            raise UnusableError("words overlap")
        parts += [text[at:start], after]
        at = end
    return "".join(parts) + text[at:]


def _check(source: Source, analysis: Analysis, options: Sequence[int], outcomes: Sequence[int]) -> None:
    """Refuse a target whose words do not agree (*die Nutzer\\*in*, *eine\\*n neuen Lehrer\\*in*)."""
    agreed = decode(analysis, options)
    lexicon = german().lexicon
    sentence = Sentence(source.text, lexicon, protected_spans(source.text))
    covered = [False] * len(source.places)
    for index, candidate in enumerate(analysis.candidates):
        places = [i for i, (s, e, _) in enumerate(source.places) if candidate.start < e and s < candidate.end]
        for place in places:
            covered[place] = True
        head = candidate.governor if candidate.governor >= 0 else index
        is_inside = places or any(
            s < analysis.candidates[head].end and analysis.candidates[head].start < e for s, e, _ in source.places
        )
        if is_inside and agreed[index] != outcomes[index] and candidate.kind in (*DETERMINERS, "adjective", "noun"):
            raise UnusableError("words do not agree")
        if places and candidate.kind == "noun" and outcomes[index] == SINGULAR:
            word = lexicon.word(surface_of(source.text, candidate))
            phrase = None if word is None else find_phrase(sentence, candidate.token, word)
            if phrase is not None and phrase.adjectives and not phrase.certain:
                raise UnusableError("an adjective does not agree")
    if not all(c or r.star == source.text[s:e] for c, (s, e, r) in zip(covered, source.places, strict=True)):
        raise UnusableError("a form is no candidate")


def _follows(analysis: Analysis, index: int, outcomes: Sequence[int], certain: Sequence[bool]) -> bool:
    """Return True if a word surely stays: its head is a plural, or its article has taken a case (der*die Kranke)."""
    candidate = analysis.candidates[index]
    if candidate.kind == "nominalised":
        members = [i for i, c in enumerate(analysis.candidates) if c.governor == index and certain[i]]
        return any(case_of(outcomes[i]) >= 0 for i in members)
    if candidate.governor < 0 or not certain[candidate.governor] or outcomes[candidate.governor] != PLURAL:
        return False
    return outcomes[index] == KEEP and all(outcome < STARRED for outcome, _ in candidate.options)
