"""German pairs from plain text: what is certain about a sentence, written with the star, and its twins as sources."""

from __future__ import annotations

from collections import Counter

from augment.de.evidence import UNKNOWN, Evidence
from augment.de.reference import decide_pronouns
from augment.de.twins import Version, can_turn, original, target_of, twin
from augment.languages import RuleResult
from rewriter.de.drafts import KEEP, OUTCOMES
from rewriter.de.language import German
from rewriter.policy.protect import protected_spans

#: how pronouns of a feminine begin
_FEMININE = ("sie", "ihr", "die", "deren", "welche")


def plain(text: str, language: German, before: str = "") -> list[RuleResult]:
    """Return pairs of a sentence: itself, and where it can be turned its masculine and feminine twins.

    Args:
        text: one sentence without gender-fair forms.
        language: German with star forms.
        before: the sentence before it.
    """
    evidence = Evidence(text, language, protected_spans(text))
    decide_pronouns(evidence, before)
    return results_of(evidence, language)


def results_of(evidence: Evidence, language: German) -> list[RuleResult]:
    """Return the pairs of a sentence by the evidence about it.

    Args:
        evidence: of the sentence, its pronouns decided (:func:`augment.de.reference.decide_pronouns`).
        language: German with star forms.
    """
    text = evidence.text
    target = target_of(evidence)
    here = original(evidence)
    versions = [("neutral" if target == text else _form(evidence), here)] if here.labelled else []
    if can_turn(evidence):
        for feminine in (False, True):
            turned = twin(evidence, target, language, feminine=feminine)
            if turned is not None:
                versions.append(("feminine" if feminine else "masculine", turned))
    statistics = Counter(
        f"{c.kind}:{'unknown' if o == UNKNOWN else OUTCOMES[o]}"
        for c, o in zip(evidence.analysis.candidates, evidence.outcomes, strict=True)
    )
    return [_result(version, target, form, statistics) for form, version in versions]


def reference(text: str, language: German, before: str = "") -> list[RuleResult]:
    """Return the pairs of :func:`plain` where a pronoun certainly means a person, which are few and worth more.

    Args:
        text: one sentence without gender-fair forms.
        language: German with star forms.
        before: the sentence before it.
    """
    results = plain(text, language, before)
    return results if results and any(_is_reference(kind) for kind in results[0].statistics) else []


def _is_reference(statistic: str) -> bool:
    kind, _, outcome = statistic.partition(":")
    if kind == "possessive":
        return outcome.startswith("starred")
    return kind in ("pronoun", "relative") and outcome not in ("keep", "unknown")


def _form(evidence: Evidence) -> str:
    """Return the gender of the words that are starred: of a noun, else of a pronoun or compound."""
    starred = [i for i, outcome in enumerate(evidence.outcomes) if outcome not in (UNKNOWN, KEEP)]
    heads = [i for i in starred if i in evidence.phrases]
    if heads:
        return "masculine" if any(evidence.is_masculine(i) for i in heads) else "feminine"
    norms = [evidence.sentence.norms[evidence.analysis.candidates[i].token] for i in starred]
    return "feminine" if norms and all(norm.startswith(_FEMININE) or "innen" in norm for norm in norms) else "masculine"


def _result(version: Version, target: str, form: str, statistics: Counter[str]) -> RuleResult:
    return RuleResult(version.text, target, form, doubtful=version.doubtful, statistics=statistics)
