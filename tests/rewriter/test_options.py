"""Wrong option values are refused in one wording, in calls and in recipes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pytest

from rewriter.errors import RecipeError, UsageError
from rewriter.options import at_least, check_share, different, one_of, positive
from rewriter.runs.recipes import build


@pytest.mark.parametrize(
    "check",
    [
        partial(one_of, ("wer", "loss"), select_by="loss"),
        partial(at_least, 1, steps=1, batch=7),
        partial(positive, rate=1e-9),
        partial(check_share, zero=True, one=True, low=0, high=1, between=0.5),
        partial(different, "seeds", [1, 2]),
        partial(different, "seeds", [], least=0),
    ],
)
def test_right_values_pass(check: Callable[[], None]) -> None:
    check()


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (
            partial(one_of, ("wer", "loss"), select_by="los"),
            "select_by must be one of wer, loss, not 'los' (did you mean 'loss'?)",
        ),
        (partial(at_least, 1, steps=1, batch=0), "batch must be at least 1, not 0"),
        (partial(positive, rate=0.0), "rate must be greater than 0, not 0.0"),
        (partial(check_share, zero=True, one=True, part=1.5), "part must be between 0 and 1, not 1.5"),
        (partial(check_share, zero=True, part=1), "part must be between 0 and 1, 1 excluded, not 1"),
        (partial(check_share, one=True, part=0), "part must be between 0 and 1, 0 excluded, not 0"),
        (partial(check_share, part=0), "part must be between 0 and 1, both excluded, not 0"),
        (partial(check_share, part=float("nan")), "part must be between 0 and 1, both excluded, not nan"),
        (partial(different, "seeds", [1, 1]), "seeds must be different numbers, at least 1, not [1, 1]"),
        (partial(different, "seeds", []), "seeds must be different numbers, at least 1, not []"),
    ],
)
def test_wrong_values_are_named(check: Callable[[], None], message: str) -> None:
    with pytest.raises(UsageError) as error:
        check()
    assert str(error.value) == message


@dataclass
class Section:
    steps: int = 1

    def __post_init__(self) -> None:
        at_least(1, steps=self.steps)


@dataclass
class Recipe:
    train: Section


def test_a_recipe_names_file_and_key() -> None:
    with pytest.raises(RecipeError, match=r"^my\.yaml: train: steps must be at least 1, not 0$"):
        build(Recipe, {"train": {"steps": 0}}, where="my.yaml")
