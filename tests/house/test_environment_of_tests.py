"""What a test sets in the environment ends with it, also where a library exchanges ``os.environ`` for a copy."""

from __future__ import annotations

import copy
import os

import pytest

NAME = "GENDER_FAIR_OF_ONE_TEST"
ENVIRONMENT = os.environ


@pytest.mark.parametrize("turn", range(2))
def test_an_exchanged_environment_does_not_outlive_its_test(turn: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert os.environ is ENVIRONMENT and NAME not in os.environ
    monkeypatch.setenv(NAME, str(turn))
    os.environ = copy.deepcopy(os.environ)  # noqa: B003 - what ``Dataset.map`` does with ``num_proc``
