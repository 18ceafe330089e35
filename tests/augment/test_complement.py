"""Forward pairs with complementary sources: masculine forms only, feminine forms only, one target."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from augment.complement import Complement, ForwardOptions
from augment.dependency import Parse
from augment.generate import GenerateConfig, Worker, strategy_options
from augment.languages import RuleResult
from rewriter.errors import UsageError
from rewriter.records import Edit

BOTH = ForwardOptions(["masculine", "feminine"])


def result(text: str, *changes: tuple[str, str, str]) -> RuleResult:
    """A pair of a text and what some of its words become, in order."""
    edits, at, target = [], 0, text
    for before, after, kind in changes:
        start = text.index(before, at)
        at = start + len(before)
        edits.append(Edit(start, at, before, after, kind, "rule"))
    for edit in reversed(edits):
        target = target[: edit.start] + edit.after + target[edit.end :]
    return RuleResult(text, target, "mixed", tuple(edits))


def test_what_the_rules_rewrote_is_turned_and_nothing_else() -> None:
    mixed = result(
        "She thanked him and her mother.",
        ("She", "They", "pronoun"), ("him", "them", "pronoun"), ("her", "their", "pronoun"),
    )  # fmt: skip
    masculine, feminine = Complement(BOTH, "en")([mixed])
    assert masculine.source == "He thanked him and his mother."
    assert feminine.source == "She thanked her and her mother."
    assert {masculine.target, feminine.target} == {"They thanked them and their mother."}
    assert (masculine.form, feminine.form) == ("masculine", "feminine")


def test_what_is_rare_in_a_pronoun_is_right_too() -> None:
    text = result("HERS? She asked herself.", ("HERS", "THEIRS", "pronoun"), ("herself", "themselves", "pronoun"))
    assert Complement(BOTH, "en")([text])[0].source == "HIS? She asked himself."


def test_nouns_of_the_table_are_turned_too() -> None:
    noun = result("The chairwoman spoke.", ("chairwoman", "chairperson", "noun"))
    assert [one.source for one in Complement(BOTH, "en")([noun])] == ["The chairman spoke.", "The chairwoman spoke."]


def test_doubtful_spans_move_with_the_text() -> None:
    made = result("He knows she is his aunt.", ("He", "They", "pronoun"), ("she", "they", "pronoun"))
    doubtful = RuleResult(made.source, made.target, made.form, made.edits, ((13, 15),))
    [one] = Complement(ForwardOptions(["masculine"]), "en")([doubtful])
    assert one.source == "He knows he is his aunt."
    assert [one.source[a:b] for a, b in one.doubtful] == ["is"]


def test_the_strategy_forward_takes_the_option(annotate: Callable[[str], Parse]) -> None:
    config = GenerateConfig("forward", ["text.txt"], parser="x", options={"sources": ["masculine", "feminine"]})
    worker = Worker(config, None, None)  # type: ignore[arg-type]
    parse = annotate("She/PRP/2/nsubj thanked/VBD/0/root him/PRP/2/obj")
    made = worker.results(parse, None)  # type: ignore[arg-type]
    assert [(one.source, one.target) for one in made] == [
        ("He thanked him", "They thanked them"),
        ("She thanked her", "They thanked them"),
    ]


def test_mistakes_are_named() -> None:
    with pytest.raises(UsageError, match="sources must be one of"):
        strategy_options(GenerateConfig("forward", ["x"], parser="x", options={"sources": ["neuter"]}))
    assert strategy_options(GenerateConfig("forward", ["x"], parser="x")) == ForwardOptions()
