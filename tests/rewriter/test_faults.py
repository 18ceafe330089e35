"""An item that cannot be worked on is found, told, and taken out of the way of the others."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.errors import EditError, Fault, InputError, ModelError, TextError, UsageError
from rewriter.faults import attempt, debug_file, each, fault_of, together, write_traces
from rewriter.records import Edit, Reject, apply_edits


def halves(numbers: Sequence[int]) -> list[float]:
    return [number / 2 for number in numbers if check(number)]


def check(number: int) -> bool:
    if number < 0:
        raise ValueError(f"{number} is below zero")
    return True


@given(st.lists(st.integers(-3, 20), max_size=40))
def test_each_gives_every_item_its_answer_or_its_fault(numbers: list[int]) -> None:
    results = each(halves, numbers)
    assert [isinstance(result, Fault) for result in results] == [number < 0 for number in numbers]
    assert [result for result in results if not isinstance(result, Fault)] == [n / 2 for n in numbers if n >= 0]
    for number, result in zip(numbers, results, strict=True):
        assert not isinstance(result, Fault) or result.reason.startswith(f"ValueError: {number} is below zero (")


@given(st.lists(st.integers(-3, 20), max_size=40))
def test_together_works_on_all_that_can_be_worked_on(numbers: list[int]) -> None:
    total, found = together(lambda some: sum(halves(some)), numbers)
    assert total == sum(n / 2 for n in numbers if n >= 0)
    assert found.good == [place for place, number in enumerate(numbers) if number >= 0]
    assert sorted(found.faults) == [place for place, number in enumerate(numbers) if number < 0]


def test_the_others_are_answered_as_if_there_were_no_fault() -> None:
    """An answer may depend on the whole batch, so the last call holds all items but those that fail."""
    calls: list[list[int]] = []

    def work(numbers: Sequence[int]) -> list[str]:
        calls.append([*numbers])
        halves(numbers)
        return [f"{number} of {len(numbers)}" for number in numbers]

    numbers = [1, 2, -1, 3, 4, 5, -2, 6]
    assert [r for r in each(work, numbers) if isinstance(r, str)] == [f"{n} of 6" for n in numbers if n > 0]
    assert calls[-1] == [1, 2, 3, 4, 5, 6]


def test_what_remembers_is_not_asked_while_the_fault_is_looked_for() -> None:
    asked: list[int] = []

    def remembers(numbers: Sequence[int]) -> list[float]:
        result = halves(numbers)
        asked.extend(numbers)
        return result

    each(remembers, [1, 2, -1, 3], probe=halves)
    assert asked == [1, 2, 3]


def test_items_that_fail_only_together_keep_their_answers() -> None:
    def small(numbers: Sequence[int]) -> list[float]:
        if len(numbers) > 3:
            raise RuntimeError("out of memory on the device")
        return halves(numbers)

    assert each(small, [1, 2, 3, 4, 5, 6, 7]) == [n / 2 for n in range(1, 8)]
    assert [isinstance(r, Fault) for r in each(small, [1, 2, 3, 4, -5, 6, 7])] == [n == 5 for n in range(1, 8)]


@pytest.mark.parametrize(
    "error",
    [UsageError("a"), ModelError("b"), InputError("c"), MemoryError(), OSError("disk"), ImportError("d"),
     KeyboardInterrupt(), SystemExit(1)],
)  # fmt: skip
def test_what_says_nothing_about_a_text_is_raised(error: BaseException) -> None:
    def fails(_: object) -> list[int]:
        raise error

    for call in (lambda: attempt(fails, 1), lambda: each(fails, [1, 2]), lambda: together(fails, [1, 2])):
        with pytest.raises(type(error)):
            call()


def test_edits_that_do_not_fit_are_a_fault_of_the_text() -> None:
    overlapping = [Edit(0, 2, "he", "they", "pronoun", ""), Edit(1, 2, "e", "x", "noun", "")]
    with pytest.raises(EditError):
        apply_edits("he", overlapping)
    found = attempt(apply_edits, "he", overlapping)
    assert isinstance(found, Fault) and found.reason.startswith("EditError: edit ")


def test_a_fault_names_type_message_and_place_in_one_line() -> None:
    def fails() -> None:
        raise ValueError("first line\nsecond line")

    found = attempt(fails)
    assert isinstance(found, Fault)
    assert found.reason.startswith("ValueError: first line (") and "test_faults.py:" in found.reason
    assert "second line" in found.trace and 'raise ValueError("first line' in found.trace


def test_known_faults_are_not_looked_for_again() -> None:
    known = {1: Fault("a reason", "a trace")}

    def fails_on_b(texts: Sequence[str]) -> list[str]:
        if "b" in texts:
            raise TextError("text 1 failed", 1, known)
        return [text.upper() for text in texts]

    assert each(fails_on_b, ["a", "b", "c"]) == ["A", known[1], "C"]


def test_a_text_error_can_be_sent_to_another_process() -> None:
    error = TextError("text 3 failed", 3, {3: Fault("why", "trace")})
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.index, copy.faults) == (str(error), 3, error.faults)


def test_traces_are_written_beside_the_rejects(tmp_path: Path) -> None:
    path = debug_file(tmp_path / "rejects.jsonl")
    assert path == tmp_path / "rejects.debug.jsonl" and debug_file(None) is None
    rejects = [Reject("a.txt", 1, "not UTF-8"), Reject("a.txt", 2, *fault_of(ValueError("x")))]
    assert write_traces(rejects, path) == str(path)
    (record,) = map(json.loads, path.read_text().splitlines())
    assert (record["line"], record["trace"]) == (2, "ValueError: x\n")
    assert write_traces(rejects[:1], path) is None and not path.exists()
    assert [set(reject.listed()) for reject in rejects] == [{"file", "line", "reason"}] * 2
