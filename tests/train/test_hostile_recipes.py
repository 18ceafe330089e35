"""Recipes of strangers and mistakes in them: one sentence, quickly, and nothing outside of the run's folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewriter.cli.main import main
from rewriter.errors import RecipeError
from rewriter.runs.yaml_values import parse_yaml

MULTIPLYING = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
)
MERGING = "\n".join(
    ["m0: &m0 {a: 1, b: 2}"] + [f"m{n}: &m{n} {{<<: [{', '.join([f'*m{n - 1}'] * 10)}]}}" for n in range(1, 9)]
)

TEXTS = {
    "aliases that multiply": (MULTIPLYING, "aliases stand for more than"),
    "merges that multiply": (MERGING, "aliases stand for more than"),
    "nested too deep": ("a: " + "[" * 5000 + "]" * 5000, "nested too deep"),
    "a list that holds itself": ("a: &a [*a]", "not valid YAML"),
    "a list as key": ("? [a, b]\n: c", "is a list or mapping"),
    "a key twice": ("a: 1\na: 2", "stands twice"),
    "a day that there is not": ("a: 2024-99-99", "month must be"),
    "an open bracket": ("{", "not valid YAML"),
    "code": ("a: !!python/object/apply:os.getcwd []", "could not determine a constructor"),
    "too large": ("a: " + "x" * (2 << 20), "more than 1 MB"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_yaml_is_refused_with_a_sentence(name: str) -> None:
    text, message = TEXTS[name]
    with pytest.raises(RecipeError, match=message):
        parse_yaml(text, where="recipe")


def test_aliases_that_do_not_multiply_are_fine() -> None:
    assert parse_yaml("a: &a [1, 2]\nb: *a\nc: {d: *a, e: 3}", where="recipe") == {
        "a": [1, 2],
        "b": [1, 2],
        "c": {"d": [1, 2], "e": 3},
    }
    assert parse_yaml("", where="recipe") is None


NAMES = ("../../X", "..", ".", "/X", "a/b", "a\\b", ".hidden", "-o", " a", "a\x1bb", "x" * 200, "")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["rewriter", "round-trip", "translator"])
def test_a_name_stays_within_the_folder_of_runs(
    name: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if kind == "translator" and not name:
        pytest.skip("a translator without a name is called by its languages")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recipe.yaml").write_text(f"kind: {kind}\n")
    assert main(["run", "recipe.yaml", "--set", f"name={_quoted(name)}"]) == 2
    assert "name names a folder" in capsys.readouterr().err or kind != "rewriter"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["recipe.yaml"]


def _quoted(name: str) -> str:
    import json

    return json.dumps(name)


MISTAKES = {
    "a value that is no YAML": ["--set", "train.steps={"],
    "an absurd vocabulary": ["--set", "tokenizer.vocab_size=999999999999"],
    "a negative seed": ["--set", "mix.seed=-1"],
    "an absurd seed": ["--set", "mix.seed=99999999999999999999"],
    "a language that there is not": ["--set", "lang=xx"],
    "an output that is a file": ["-o", "file"],
    "a name that is too long": ["--set", "name=" + "x" * 5000],
    "a path that is too long": ["-o", "x" * 5000],
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_in_a_dry_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GENDER_FAIR_DATA", str(tmp_path))
    (tmp_path / "file").write_text("")
    assert main(["run", "en-small", "--dry-run", *MISTAKES[name]]) in (2, 4)
    told = capsys.readouterr().err
    assert told.startswith("gender-fair: ") and "nobody foresaw" not in told, told


def test_a_recipe_that_is_not_utf8_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"name: caf\xe9\n")
    assert main(["run", str(path), "--dry-run"]) == 2
    assert f"{path}: not UTF-8" in capsys.readouterr().err
