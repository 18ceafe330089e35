"""A file of the user's that hides one of our packages is named, and stops only what needs that package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rewriter.installation.shadow import PACKAGES, origins, would_hide


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``python -m rewriter`` in ``folder``, which Python then searches first."""
    return subprocess.run(
        [sys.executable, "-m", "rewriter", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
        check=False,
    )


def test_all_packages_are_ours_where_nothing_hides_them() -> None:
    assert [(o.package, o.ours, o.problem) for o in origins()] == [(name, True, None) for name in PACKAGES]


@pytest.mark.parametrize("name", ["train.py", "train/__init__.py"])
def test_a_hidden_package_is_named_with_what_to_do(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("raise SystemExit('the wrong file was imported')\n")
    done = run(tmp_path, "train", "--whatever", "x")
    assert done.returncode == 2
    assert str(tmp_path / "train") in done.stderr
    assert "rename it" in done.stderr
    assert "wrong file" not in done.stderr + done.stdout


def test_a_command_that_does_not_need_the_hidden_package_still_works(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("raise SystemExit('the wrong file was imported')\n")
    assert run(tmp_path, "models").returncode == 0
    assert run(tmp_path, "--help").returncode == 0


def test_the_doctor_names_the_file_and_finds_a_problem(tmp_path: Path) -> None:
    (tmp_path / "eval.py").write_text("x = 1\n")
    done = run(tmp_path, "doctor")
    assert done.returncode == 1
    assert "NOT OURS" in done.stdout
    assert str(tmp_path / "eval.py") in done.stdout


def test_a_folder_without_init_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    assert would_hide(tmp_path) == []


def test_files_that_would_hide_a_package_are_found(tmp_path: Path) -> None:
    (tmp_path / "augment.py").touch()
    (tmp_path / "other.py").touch()
    assert [path.name for path in would_hide(tmp_path)] == ["augment.py"]
