"""A run in a folder begins, is continued, is found done, or is refused; whatever it does, it does by one protocol."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewriter.errors import InUseError, ResumeError
from rewriter.runs.manifest import Manifest
from rewriter.runs.resume import run_in

STAGE = "counting"


def test_a_run_is_complete_when_its_block_ends(tmp_path: Path) -> None:
    with run_in(tmp_path, STAGE, {"input": 1}, notes={"toolkit": "x"}) as run:
        assert (run.is_done, run.is_continued) == (False, False)
        begun = Manifest.load(tmp_path)
        assert begun is not None and not begun.complete
        run.manifest.counts = {"lines": 3}
    found = Manifest.load(tmp_path)
    assert found is not None and found.complete and found.counts == {"lines": 3} and found.notes == {"toolkit": "x"}


def test_a_block_that_is_left_early_ends_the_run_too(tmp_path: Path) -> None:
    def work() -> int:
        with run_in(tmp_path, STAGE, {}):
            return 1

    assert work() == 1
    with run_in(tmp_path, STAGE, {}) as run:
        assert run.is_done


def test_a_run_that_fails_is_continued_and_keeps_its_time(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), run_in(tmp_path, STAGE, {"input": 1}) as run:
        run.manifest.seconds = 0.0
        1 / 0  # noqa: B018
    spent = Manifest.load(tmp_path)
    assert spent is not None and not spent.complete and spent.seconds > 0
    with run_in(tmp_path, STAGE, {"input": 1}) as run:
        assert (run.is_done, run.is_continued) == (False, True)
    found = Manifest.load(tmp_path)
    assert found is not None and found.complete and found.seconds > spent.seconds


def test_what_is_done_is_not_written_again(tmp_path: Path) -> None:
    with run_in(tmp_path, STAGE, {}):
        pass
    before = (tmp_path / "manifest.json").read_bytes()
    with run_in(tmp_path, STAGE, {}) as run:
        assert run.is_done
    assert (tmp_path / "manifest.json").read_bytes() == before


def test_another_run_is_refused_and_its_difference_named(tmp_path: Path) -> None:
    with run_in(tmp_path, STAGE, {"seed": 1}):
        pass
    with pytest.raises(ResumeError, match="seed: was 1, is 2"), run_in(tmp_path, STAGE, {"seed": 2}):
        pytest.fail("the block must not be entered")


def test_fresh_clears_what_stands_there_before_the_new_run_is_recorded(tmp_path: Path) -> None:
    with run_in(tmp_path, STAGE, {"seed": 1}):
        (tmp_path / "part").touch()
    seen = []

    def clear() -> None:
        seen.append(Manifest.load(tmp_path))
        (tmp_path / "part").unlink()

    with run_in(tmp_path, STAGE, {"seed": 2}, fresh=True, clear=clear) as run:
        assert not run.is_continued and not (tmp_path / "part").exists()
    # killed while it clears, the folder still says that it holds the other run
    assert [manifest.identity for manifest in seen] == [{"seed": 1}]


def test_a_folder_holds_one_run_at_a_time(tmp_path: Path) -> None:
    with run_in(tmp_path, STAGE, {}):
        with pytest.raises(InUseError), run_in(tmp_path, STAGE, {}):
            pytest.fail("the block must not be entered")
        with run_in(tmp_path, STAGE, {}, is_locked=True):
            pass


def test_a_further_process_of_a_run_writes_nothing(tmp_path: Path) -> None:
    with run_in(tmp_path, STAGE, {}, is_main=False) as run:
        assert not run.is_done
    assert list(tmp_path.iterdir()) == []
