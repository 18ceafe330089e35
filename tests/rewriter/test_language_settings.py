"""The options of a command for the settings of a language are those that the languages declare."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Mapping, Sequence
from inspect import signature
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from lexicons.languages import GROUP, LanguageError, installed
from rewriter.cli.language_settings import add_setting_options, setting_options
from rewriter.language import settings as module
from rewriter.language.interface import find_module
from rewriter.language.settings import Setting, declared_settings, settings_of
from rewriter.pipeline import Options

NORTH = Setting("dialect", "north", "Toy: the dialect", ("north", "south"))
ISLES = Setting("dialect", "north", "Isles: the dialect", ("north", "west"))
LOUD = Setting("very_loud", False, "Toy: 100 % capitals")
SIGN = Setting("sign", "*", "Toy: any sign")


def parsed(words: Sequence[str], settings: Sequence[Setting] | None = None) -> Mapping[str, Any]:
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("--lang")
    add_setting_options(parser, settings)
    return setting_options(parser.parse_args(words))


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ([], {"settings": ()}),
        (["--form", "gap", "--normalise"], {"form": "gap", "normalise": True, "settings": ()}),
        (["--reflexive", "themselves"], {"reflexive": "themselves", "settings": ()}),
        (["--setting", "reader=model"], {"settings": (("reader", "model"),)}),
    ],
)
def test_options_of_our_languages(words: Sequence[str], options: Mapping[str, Any]) -> None:
    assert parsed(words) == options


def test_settings_of_another_language_are_passed_on() -> None:
    words = ["--dialect", "south", "--very-loud", "--sign", "+", "--setting", "b=[1, 2]"]
    wanted = (("b", [1, 2]), ("dialect", "south"), ("sign", "+"), ("very_loud", True))
    assert parsed(words, [NORTH, LOUD, SIGN]) == {"settings": wanted}


def test_a_wrong_value_is_refused() -> None:
    with pytest.raises(argparse.ArgumentError, match=r"--dialect: invalid choice: 'east' \(choose from"):
        parsed(["--dialect", "east"], [NORTH])


def test_the_commands_own_option_comes_first() -> None:
    assert parsed(["--lang", "de", "--very-loud"], [Setting("lang", "x", "Toy: no"), LOUD]) == {
        "settings": (("very_loud", True),)
    }


@pytest.mark.parametrize(
    ("first", "second", "choices"),
    [(NORTH, ISLES, ("north", "south", "west")), (NORTH, SIGN, ("north", "south")), (SIGN, NORTH, ())],
)
def test_two_languages_with_one_name_share_an_option(first: Setting, second: Setting, choices: tuple[str, ...]) -> None:
    assert first.merged(second).choices == choices


def test_the_help_names_the_languages(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_setting_options(parser, [NORTH.merged(ISLES), LOUD])
    text = " ".join(parser.format_help().split())
    assert "--dialect {north,south,west} Toy: the dialect; Isles: the dialect" in text
    assert "--very-loud Toy: 100 % capitals" in text


@pytest.mark.parametrize("lang", ["en", "de"])
def test_what_is_declared_is_what_the_language_takes(lang: str) -> None:
    language = find_module("rewriter", lang, "language")
    assert language is not None
    taken = {name: parameter.default for name, parameter in signature(language.make).parameters.items()}
    declared = {setting.name: setting.default for setting in settings_of(lang)}
    assert declared.items() <= taken.items()
    assert declared == {name: getattr(Options(), name) for name in declared}


def test_a_broken_installation_leaves_our_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    def two() -> Mapping[str, str]:
        raise LanguageError("two installed packages bring the language 'nix'")

    ours = declared_settings()
    monkeypatch.setattr(module, "installed", two)
    assert declared_settings() == ours
    monkeypatch.setattr(module, "installed", lambda: MappingProxyType({"nix": "gone_nix"}))
    assert declared_settings() == ours
    assert [setting.name for setting in ours] == ["form", "normalise", "reflexive", "nouns"]


def test_an_installed_language_brings_its_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "nix_language" / "rewriter"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (tmp_path / "nix_language" / "__init__.py").touch()
    (folder / "settings.py").write_text(
        "from rewriter.language.settings import Setting\n"
        "SETTINGS = (Setting('dialect', 'north', 'Nix: the dialect', ('north', 'south')),)\n"
    )
    (tmp_path / "nix-1.dist-info").mkdir()
    (tmp_path / "nix-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: nix\nVersion: 1\n")
    (tmp_path / "nix-1.dist-info" / "entry_points.txt").write_text(f"[{GROUP}]\nnix = nix_language\n")
    monkeypatch.syspath_prepend(tmp_path)
    installed.cache_clear()
    try:
        assert parsed(["--dialect", "south"]) == {"settings": (("dialect", "south"),)}
    finally:
        monkeypatch.undo()
        installed.cache_clear()


def test_no_grammar_is_imported_for_the_options() -> None:
    script = (
        "import sys; from rewriter.language.settings import declared_settings; declared_settings()\n"
        "print(*(name for name in ('rewriter.en.candidates', 'rewriter.de.candidates') if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
