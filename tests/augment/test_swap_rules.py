"""Every rule of English swapping speaks in its example and is silent in its counter-example; each can be left out."""

from __future__ import annotations

import pytest
from rule_cases import rule_names, speakers_swapping

from augment.en.swap_pronouns import CaseLanguage
from augment.swap import Swapper, SwapperSpec, SwapSettings
from rewriter.cli.main import main
from rewriter.errors import UsageError
from rewriter.language.rules import Rules, known_rules
from rewriter.model.constant import FirstForms

RULES = rule_names("en", "swapping")


@pytest.mark.parametrize("name", RULES)
def test_a_rule_speaks_in_its_example_only(name: str) -> None:
    rule = known_rules("en")[name]
    assert name in speakers_swapping(rule.example)
    assert name not in speakers_swapping(rule.counter)


@pytest.mark.parametrize(
    ("rule", "text", "with_it", "without"),
    [
        ("both of a pair", "He or she sang.", "He or she sang.", "She or he sang."),
        ("surname behind a title", "We met Mrs. King.", "We met Mr. King.", "We met Mr. Queen."),
        ("Mr before an office", "We asked Mr. Speaker.", "We asked Madam Speaker.", "We asked Ms. Speaker."),
        ("capital inside a sentence", "We trust in Him.", "We trust in Him.", "We trust in Her."),
        ("surname of the document", "Mr. James met us. James sang.", "Ms. James met us. James sang.", None),
        ("called her names", "They called her names.", "They called him names.", "They called him names."),
    ],
)
def test_a_rule_is_left_out_by_name(rule: str, text: str, with_it: str, without: str | None) -> None:
    def swapped(*left_out: str) -> str:
        language = CaseLanguage(("masculine", "feminine"), Rules("en", left_out))
        return Swapper("en", without_rules=left_out, proposer=FirstForms(language, guard="strict")).swap(text)

    assert swapped() == with_it
    assert swapped(rule) == without if without is not None else swapped(rule) != with_it


def test_an_unknown_rule_is_named_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match="did you mean 'both of a pair'"):
        Swapper("en", without_rules=["both of pair"])
    assert main(["augment", "swap", "--text", "He came.", "--without-rule", "both of pair"]) == 2
    assert "did you mean 'both of a pair'" in capsys.readouterr().err


def test_the_command_leaves_a_rule_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["augment", "swap", "--text", "Both men and women sang.", "--without-rule", "both of a pair"]) == 0
    assert capsys.readouterr().out == "Both women and men sang.\n"


def test_what_is_left_out_belongs_to_a_run() -> None:
    plain, without = SwapSettings(), SwapSettings(without_rules=("both of a pair",))
    names = [set(SwapperSpec(settings=settings).identity()) for settings in (plain, without)]
    assert names[1] - names[0] == {"swap without rules"}
