"""The star target of a source whose persons are known, and which of its words are certain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from augment.de.evidence import UNKNOWN, Evidence
from augment.de.pair_regions import Region, Source, UnusableError, german, surface_of
from augment.de.reference import decide_pronouns
from augment.languages import RuleResult
from rewriter.de.agreement import agree
from rewriter.de.drafts import CASES, KEEP, PLURAL, SINGULAR, STARRED, case_of
from rewriter.de.inflection import FEMININE, MASCULINE
from rewriter.de.lexicon import FEM, MASC, PLUR, bit
from rewriter.de.phrases import find_phrase
from rewriter.de.sentence import Sentence
from rewriter.language.candidates import Analysis, Candidate
from rewriter.model.alignment import match_outcomes
from rewriter.policy.protect import protected_spans
from rewriter.records import Edit

_REFERRING = ("pronoun", "relative", "possessive")
_DETERMINERS = ("article", "possessive")


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
    protected = protected_spans(text)
    analysis = language.analyze(text, protected, training=True)
    halves = _unpaired(analysis, text)
    known = _evidence(source, halves)
    replacements = [(start, end, region.star) for start, end, region in source.places if region.star]
    certain = []
    for index, candidate in enumerate(analysis.candidates):
        region = _region_of(candidate, source)
        outcome = UNKNOWN if index in halves else known.get((candidate.start, candidate.end), UNKNOWN)
        if region is not None and not region.star:
            replacements.append(_chosen(candidate, region, text))
        elif region is None and outcome != UNKNOWN:
            replacements.append((candidate.start, candidate.end, dict(candidate.options)[outcome]))
        certain.append(_is_certain(candidate, region, text, known=outcome != UNKNOWN))
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


def _evidence(source: Source, halves: set[int]) -> dict[tuple[int, int], int]:
    """Return by place what is certain about the candidates, once the persons of the regions are known."""
    language, text = german(), source.text
    evidence = Evidence(text, language, protected_spans(text))
    for index, candidate in enumerate(evidence.analysis.candidates):
        region = _region_of(candidate, source)
        if region is None and index in halves and index in evidence.phrases:
            evidence.set_head(index, UNKNOWN)
        elif region is not None and index in evidence.phrases:
            evidence.learn(index, _mask(region))
        elif region is not None and candidate.governor < 0 and region.outcome in dict(candidate.options):
            evidence.outcomes[index] = region.outcome
    decide_pronouns(evidence)
    # beside a pair form a single *er* may mean anybody, its person too
    is_open = any(_mask(region) != PLUR for _, _, region in source.places)
    return {
        (c.start, c.end): UNKNOWN if is_open and c.kind in _REFERRING else o
        for c, o in zip(evidence.analysis.candidates, evidence.outcomes, strict=True)
    }


def _mask(region: Region) -> int:
    """Return the numbers and cases that the words of a region may have."""
    if region.outcome == PLURAL or "innen" in region.star.lower():
        return PLUR
    case = case_of(region.outcome)
    return MASC | FEM if case < 0 else bit(MASCULINE, case) | bit(FEMININE, case)


def _is_certain(candidate: Candidate, region: Region | None, text: str, *, known: bool) -> bool:
    if region is None:
        return known
    # whose the possessed is nobody said
    return (
        candidate.kind != "possessive"
        or not surface_of(text, candidate).lower().startswith(("sein", "ihr"))
        or region.outcome == STARRED
    )


def _unpaired(analysis: Analysis, text: str) -> set[int]:
    """Return candidates that may be half of a pair form which was not read (Lehrerinnen, Lehrer und Eltern)."""
    lexicon = german().lexicon
    lemmas: dict[str, list[tuple[int, int]]] = {}
    found = set()
    for index, candidate in enumerate(analysis.candidates):
        word = lexicon.word(surface_of(text, candidate)) if candidate.kind == "noun" else None
        if word is not None and word.noun is not None:
            lemmas.setdefault(word.noun.lemma, []).append((index, word.noun.gender))
        rest = text[candidate.end : candidate.end + 8].split()
        if len(rest) > 1 and rest[0] in ("und", "oder", "bzw.", "sowie") and rest[1].startswith("-"):
            found.add(index)
    for members in lemmas.values():
        if len({gender for _, gender in members}) > 1:
            found |= {index for index, _ in members}
    return found | {i for i, c in enumerate(analysis.candidates) if c.governor in found}


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
    agreed = agree(analysis, options)
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
        if is_inside and agreed[index] != outcomes[index] and candidate.kind in (*_DETERMINERS, "adjective", "noun"):
            raise UnusableError("words do not agree")
        if places and candidate.kind == "noun" and outcomes[index] == SINGULAR:
            word = lexicon.word(surface_of(source.text, candidate))
            phrase = None if word is None else find_phrase(sentence, candidate.token, word)
            if phrase is not None and phrase.adjectives and not phrase.certain:
                raise UnusableError("an adjective does not agree")
    if not all(c or r.star == source.text[s:e] for c, (s, e, r) in zip(covered, source.places, strict=True)):
        raise UnusableError("a form is no candidate")


def _follows(analysis: Analysis, index: int, outcomes: Sequence[int], certain: Sequence[bool]) -> bool:
    """Tell whether a word stays for certain: its head is a plural, or its article has taken a case (der*die Kranke)."""
    candidate = analysis.candidates[index]
    if candidate.kind == "nominalised":
        members = [i for i, c in enumerate(analysis.candidates) if c.governor == index and certain[i]]
        return any(case_of(outcomes[i]) >= 0 for i in members)
    if candidate.governor < 0 or not certain[candidate.governor] or outcomes[candidate.governor] != PLURAL:
        return False
    return outcomes[index] == KEEP and all(outcome < STARRED for outcome, _ in candidate.options)
