"""The twin of a German sentence in the other gender, with what is certain about it."""

from __future__ import annotations

from dataclasses import dataclass

from augment.de.evidence import UNKNOWN, Evidence
from rewriter.de.drafts import KEEP, PLURAL
from rewriter.de.genders import Genders
from rewriter.de.language import German
from rewriter.de.pronouns import PRONOUNS
from rewriter.language.candidates import Analysis, Candidate
from rewriter.model.alignment import match_outcomes
from rewriter.policy.protect import protected_spans

Span = tuple[int, int]


@dataclass(frozen=True)
class Version:
    """A gendered version of a target.

    Attributes:
        text: the sentence.
        doubtful: spans of candidates without a label.
        labelled: number of candidates with one.
    """

    text: str
    doubtful: tuple[Span, ...]
    labelled: int


def target_of(evidence: Evidence) -> str:
    """Return the sentence with every certain outcome written."""
    parts, at = [], 0
    for candidate, outcome in zip(evidence.analysis.candidates, evidence.outcomes, strict=True):
        if outcome in (UNKNOWN, KEEP):
            continue
        parts += [evidence.text[at : candidate.start], dict(candidate.options)[outcome]]
        at = candidate.end
    return "".join(parts) + evidence.text[at:]


def unread(text: str, analysis: Analysis) -> list[Span]:
    """Return the pronouns of a text that are no candidates by the rules, which therefore say nothing about them.

    They may mean a person all the same; a network that reads every pronoun learns nothing from them here.
    """
    known = {candidate.token for candidate in analysis.candidates}
    return [(t.start, t.end) for i, t in enumerate(analysis.tokens) if t.norm in PRONOUNS and i not in known]


def original(evidence: Evidence) -> Version:
    """Return the sentence as it stands."""
    spans = [
        (c.start, c.end) for c, o in zip(evidence.analysis.candidates, evidence.outcomes, strict=True) if o == UNKNOWN
    ]
    labelled = len(evidence.outcomes) - len(spans)
    return Version(evidence.text, tuple(sorted([*spans, *unread(evidence.text, evidence.analysis)])), labelled)


def can_turn(evidence: Evidence) -> bool:
    """Tell whether every word that agrees with a certain person is certain, so that the sentence can be turned."""
    heads = set(evidence.starred())
    candidates = evidence.analysis.candidates
    if any(c.governor in heads and o == UNKNOWN for c, o in zip(candidates, evidence.outcomes, strict=True)):
        return False
    if heads and any(_is_open_clause(evidence, i) for i in range(len(candidates))):
        return False
    return any(o not in (UNKNOWN, KEEP) for o in evidence.outcomes)


def _is_open_clause(evidence: Evidence, index: int) -> bool:
    """Tell whether a candidate is a relative pronoun of which nobody knows whom it means."""
    candidate = evidence.analysis.candidates[index]
    if candidate.kind != "relative" or evidence.outcomes[index] != UNKNOWN:
        return False
    return evidence.sentence.norm(candidate.token - 1) == ","


def twin(evidence: Evidence, target: str, language: German, *, feminine: bool) -> Version | None:
    """Return the sentence in one gender, or None where it cannot be turned or nothing about it is certain.

    Args:
        evidence: of the original.
        target: its starred form.
        language: with star forms.
        feminine: which gender.
    """
    text, places = _turn(evidence, language, feminine=feminine)
    if text == evidence.text:
        return None
    analysis = language.analyze(text, protected_spans(text))
    options = match_outcomes(text, target, analysis.candidates)
    if options is None:
        return None
    chosen = [c.options[option][0] for c, option in zip(analysis.candidates, options, strict=True)]
    doubtful = []
    for candidate, outcome in zip(analysis.candidates, chosen, strict=True):
        known = places.get(candidate.start, UNKNOWN)
        if known == UNKNOWN and candidate.governor >= 0 and chosen[candidate.governor] == PLURAL:
            # der Lehrerinnen -> der Lehrer: an article that looks like one of a singular now
            known = places.get(analysis.candidates[candidate.governor].start, UNKNOWN)
        if known == UNKNOWN or _is_misleading(candidate, outcome, text, feminine):
            doubtful.append((candidate.start, candidate.end))
    labelled = len(options) - len(doubtful)
    doubtful += unread(text, analysis)
    return Version(text, tuple(sorted(doubtful)), labelled) if labelled else None


def _turn(evidence: Evidence, language: German, *, feminine: bool) -> tuple[str, dict[int, int]]:
    """Return the text in one gender, and by the new start of every candidate its certain outcome."""
    outcomes = [max(outcome, KEEP) for outcome in evidence.outcomes]
    genders = Genders(evidence.text, evidence.analysis, outcomes, language.lexicon)
    parts: list[str] = []
    places: dict[int, int] = {}
    at = size = 0
    for index, candidate in enumerate(evidence.analysis.candidates):
        literal = evidence.text[at : candidate.start]
        outcome = evidence.outcomes[index]
        here = evidence.text[candidate.start : candidate.end]
        turned = here if outcome in (UNKNOWN, KEEP) else genders.of(index)[feminine]
        places[size + len(literal)] = outcome
        parts += [literal, turned]
        size += len(literal) + len(turned)
        at = candidate.end
    return "".join(parts) + evidence.text[at:], places


_RELATIVES = {True: ("die", "deren", "welche"), False: ("der", "den", "dem", "dessen", "welcher")}


def _is_misleading(candidate: Candidate, outcome: int, text: str, feminine: bool) -> bool:
    """Tell whether a relative pronoun that stayed stands right behind a noun that would now be read as its own."""
    if outcome != KEEP or candidate.kind != "relative":
        return False
    if text[candidate.start : candidate.end].lower() not in _RELATIVES[feminine]:
        return False
    before = text[: candidate.start].rstrip().removesuffix(",").split()
    is_feminine = bool(before) and before[-1].endswith("in")
    return bool(before) and is_feminine == feminine
