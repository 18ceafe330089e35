"""Every rule of the grammars speaks about the word in brackets of its example, and not in its counter-example."""

from __future__ import annotations

import pytest
from rule_cases import rule_names, speakers, speakers_back

from rewriter.errors import UsageError
from rewriter.language.interface import get_language
from rewriter.language.rules import Decision, Rules, TracedRules, known_rules
from rewriter.model.constant import FirstForms
from rewriter.model.direction import turn
from rewriter.model.proposer import Sentence
from rewriter.records import apply_edits

RULES = [(lang, name) for lang in ("de", "en") for name in rule_names(lang)]


@pytest.mark.parametrize(("lang", "name"), RULES)
def test_it_speaks_in_its_example(lang: str, name: str) -> None:
    assert name in speakers(lang, known_rules(lang)[name].example)


@pytest.mark.parametrize(("lang", "name"), RULES)
def test_it_is_silent_in_its_counter_example(lang: str, name: str) -> None:
    assert name not in speakers(lang, known_rules(lang)[name].counter)


BACK = [(lang, name) for lang in ("de", "en") for name in rule_names(lang, "back")]


@pytest.mark.parametrize(("lang", "name"), BACK)
def test_a_rule_of_the_way_back_speaks_in_its_example_only(lang: str, name: str) -> None:
    rule = known_rules(lang)[name]
    assert name in speakers_back(lang, rule.example)
    assert name not in speakers_back(lang, rule.counter)


@pytest.mark.parametrize(
    ("rule", "text", "with_it", "without"),
    [
        ("themself", "They hurt themself.", "She hurts herself.", "They hurt themself."),
        ("they both", "Someone said they both left.", "Someone said they both left.", "Someone said she both left."),
    ],
)
def test_a_rule_of_the_way_back_is_left_out_by_name(rule: str, text: str, with_it: str, without: str) -> None:
    def back(**settings: object) -> str:
        language = get_language("en", **settings)
        turned, proposer = turn(language, FirstForms(language, guard="strict"), "feminine")
        (proposal,) = proposer.propose([Sentence(text)])
        assert turned.code == "en"
        return apply_edits(text, proposal.edits)

    assert (back(), back(without_rules=(rule,))) == (with_it, without)


#: language, rule, its text, word -> whether the grammar alone settles the word, with and without the rule
SWITCHED = [
    ("en", "called her names", "They called her names.", "her", True, False),
    ("en", "beside its pronoun", "Then he sings.", "sings", True, False),
    ("en", "title with its year", "We watched Her (2013) again.", "Her", False, True),
    ("de", "pair of both genders", "Studentinnen und Studenten üben.", "Studentinnen und Studenten", True, False),
    ("de", "feminine determiner before a masculine", "Eine Leiter fiel.", "Leiter", False, True),
]


@pytest.mark.parametrize(("lang", "name", "text", "word", "settled", "candidate"), SWITCHED)
def test_a_rule_is_left_out_by_name(lang: str, name: str, text: str, word: str, settled: bool, candidate: bool) -> None:
    def found(**settings: object) -> dict[str, bool]:
        analysis = get_language(lang, **settings).analyze(text)
        return {text[c.start : c.end]: c.forced is not None for c in analysis.candidates}

    assert found().get(word) == (True if settled else None)
    assert found(without_rules=(name,)).get(word) is False
    assert candidate != settled


def test_an_unknown_rule_is_named_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'called her names'"):
        get_language("en", without_rules=("called her name",))


def test_the_first_that_speaks_decides() -> None:
    decision = Decision("test rules", "settles")

    @decision.rule("even", example="", counter="")
    def _is_even(number: int) -> bool:
        return number % 2 == 0

    @decision.rule("small", example="", counter="")
    def _is_small(number: int) -> bool:
        return number < 10

    def name(rules: Rules, number: int) -> str | None:
        rule = rules.first(decision, number)
        return None if rule is None else rule.name

    every, fewer = Rules("test rules"), Rules("test rules", ["even"])
    assert [name(every, n) for n in (4, 5, 12, 13)] == ["even", "small", "even", None]
    assert [name(fewer, n) for n in (4, 5, 12, 13)] == ["small", "small", None, None]
    traced = TracedRules("test rules", ["even"])
    assert [traced.first(decision, n) is None for n in (4, 12)] == [False, True]
    assert [(one.rule.name, one.token) for one in traced.taken()] == [("small", 4)]
    assert traced.taken() == []


def test_two_rules_of_one_name_are_an_error() -> None:
    with pytest.raises(UsageError, match="registered twice"):
        Decision("en", "settles").rule("called her names", example="", counter="")(lambda: True)
