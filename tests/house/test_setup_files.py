"""Project files agree with each other: versions, extras, commands, the two commands of a fresh machine."""

from __future__ import annotations

import importlib
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from rewriter.installation.extras import EXTRAS

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
COMMANDS: dict[str, str] = PROJECT["entry-points"]["gender_fair.commands"]


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def requirements() -> list[Requirement]:
    extras: dict[str, list[str]] = PROJECT["optional-dependencies"]
    texts = [*PROJECT["dependencies"], *(text for texts in extras.values() for text in texts)]
    return [Requirement(text) for text in texts if not text.startswith("gender-fair-rewriter")]


@pytest.mark.parametrize("requirement", requirements(), ids=str)
def test_every_dependency_is_pinned_to_a_version_that_fits(requirement: Requirement) -> None:
    assert requirement.specifier.contains(pins()[canonicalize_name(requirement.name)])


@pytest.mark.parametrize("name", ["hatchling", "editables"])
def test_build_tools_are_pinned(name: str) -> None:
    assert name in pins()


def test_every_extra_is_known_to_the_messages() -> None:
    assert set(EXTRAS) == set(PROJECT["optional-dependencies"]) - {"dev", "all"}


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_loads(name: str) -> None:
    module, _, function = COMMANDS[name].partition(":")
    assert callable(getattr(importlib.import_module(module), function))


def test_help_of_make_lists_every_target() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", text, flags=re.MULTILINE)
    assert phony is not None
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(phony[1].split()) - {"python"} <= set(re.findall(r"make ([a-z-]+)", shown))


def test_a_missing_python_is_told_with_what_to_do() -> None:
    done = subprocess.run(["make", "python", "CANDIDATES=nothing"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert "PYTHON=" in done.stderr
