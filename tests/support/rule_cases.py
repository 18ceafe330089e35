"""Which rules of a language speak about which word of a text, whatever a network says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from augment.en.swap import EnglishSwap
from augment.swap import SwapSettings
from rewriter.language.candidates import Analysis
from rewriter.language.interface import Language, find_module, get_language
from rewriter.language.rules import TracedRules, known_rules
from rewriter.model.constant import FirstForms
from rewriter.model.proposer import Sentence
from rewriter.policy.protect import protected_spans

#: settings under which every rule of a language is asked
SETTINGS: dict[str, tuple[dict[str, object], ...]] = {
    "en": ({}, {"nouns": "wide"}),
    "de": ({}, {"normalise": True}),
}


@cache
def languages(lang: str) -> list[tuple[Language, TracedRules]]:
    """Return the language under each of its settings, with rules that write down who spoke."""
    found = []
    for settings in SETTINGS[lang]:
        language = get_language(lang, **settings)
        rules = TracedRules(lang)
        found.append((language.with_rules(rules), rules))
    return found


def read(marked: str) -> tuple[str, int]:
    """Return a text without the brackets around its word, and where the word begins."""
    start, end = marked.index("["), marked.index("]")
    return marked[:start] + marked[start + 1 : end] + marked[end + 1 :], start


def speakers(lang: str, marked: str) -> set[str]:
    """Return the names of the rules that speak about the word in brackets, or about the sentence as a whole."""
    text, start = read(marked)
    return {name for language, rules in languages(lang) for name in _heard(language, rules, text, start)}


def _heard(language: Language, rules: TracedRules, text: str, start: int) -> Iterator[str]:
    rules.taken()
    analysis = language.analyze(text, protected_spans(text))
    for options, rows in _answers(analysis):
        language.settle(text, analysis, options, [1.0] * len(options), rows)
    for one in rules.taken():
        if one.token < 0 or analysis.tokens[one.token].start == start:
            yield one.rule.name


def _answers(analysis: Analysis) -> Iterator[tuple[list[int], list[list[float]]]]:
    """Yield answers that a network may give: all the n-th option, n = 0, 1, 2; and the second of all but one."""
    candidates = analysis.candidates
    rows = [[0.05] * 20 for _ in candidates]
    for wanted in range(3):
        yield _settled(analysis, [min(wanted, len(candidate.options) - 1) for candidate in candidates]), rows
    for kept in range(len(candidates)):
        others = [min(int(index != kept), len(c.options) - 1) for index, c in enumerate(candidates)]
        yield _settled(analysis, others), rows


def _settled(analysis: Analysis, options: list[int]) -> list[int]:
    """Return options with those that the grammar settles in their places."""
    return [
        next((place for place, (outcome, _) in enumerate(c.options) if outcome == c.forced), option)
        for c, option in zip(analysis.candidates, options, strict=True)
    ]


def rule_names(lang: str, asked: str = "rewriting") -> list[str]:
    """Return the names of the rules that the grammar asks while it rewrites, or on another occasion."""
    get_language(lang)
    return [name for name, rule in known_rules(lang).items() if rule.decision.asked == asked]


def speakers_back(lang: str, marked: str) -> set[str]:
    """Return the names of the rules of the way back that speak about a text, in either direction."""
    text, _ = read(marked)
    rules = TracedRules(lang)
    language = get_language(lang).with_rules(rules)
    module = find_module("rewriter", lang, "back")
    assert module is not None
    for gender in ("masculine", "feminine"):
        back = module.make(gender, "singular", (), language)
        resolver = back.resolver(text)
        for start, end in language.segment(text):
            sentence = Sentence(text[start:end])
            back.fair_to_gendered(sentence.text, (), resolver)
            (forward,) = FirstForms(language, guard="strict").propose([sentence])
            back.gendered_to_other(sentence.text, forward.edits)
    return {one.rule.name for one in rules.taken()}


def speakers_swapping(marked: str) -> set[str]:
    """Return the names of the English rules of swapping that speak about a text."""
    text, _ = read(marked)
    rules = TracedRules("en")
    swap = EnglishSwap(SwapSettings(), rules)
    for _, sentence in swap.plan(text, ()).questions:
        swap.language.analyze(sentence.text, sentence.protected)
    return {one.rule.name for one in rules.taken()}
