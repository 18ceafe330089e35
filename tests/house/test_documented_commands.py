"""What the documentation shows runs: commands, Python, recipes; exceptions are marked beside them, with a reason.

The marks and what they mean: ``tests/support/documented.py``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import yaml
from documented import DRY_RUN, FILE, PARSE, RECIPE, ROOT, RUN, SHELL, Block, Call, Mark, blocks, calls, mark
from workshop import AblationRun, run_python

from rewriter.cli.main import build_parser
from train.recipe.kinds import load_any_recipe

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "recipes").rglob("*.md")),
]
LANGUAGES = {*SHELL, "lua", "python", "yaml", "json", "toml", "ini", "markdown", "text"}


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def runs(block: Block) -> bool:
    return bool(block.file) or block.language in ("python", *SHELL)


WITH_COMMANDS = [page for page in PAGES if any(runs(block) for block in blocks(page))]
#: the first page is always tried, the others take minutes together
TRIED = [page if name(page) == "README.md" else pytest.param(page, marks=pytest.mark.slow) for page in WITH_COMMANDS]


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AblationRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GENDER_FAIR_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GENDER_FAIR_TESTSETS", str(tmp_path / "testsets"))
    return AblationRun(tmp_path)


@pytest.mark.parametrize("page", TRIED, ids=name)
def test_what_a_page_shows_runs(page: Path, workshop: AblationRun) -> None:
    for block in blocks(page):
        if runs(block):
            workshop.run(block)


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name)
def test_every_command_is_one_for_its_parser(page: Path) -> None:
    """The parsers themselves read the words: unknown options, wrong values and missing arguments fail."""
    for block in blocks(page):
        for line in block.lines() if block.language in SHELL else ():
            for call in calls(line):
                if call.words[0] == "gender-fair":
                    words = [os.path.expandvars(word) for word in call.words[1:]]
                    if "--help" not in words:
                        build_parser(words).parse_args(words)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_says_its_language(page: Path) -> None:
    for block in blocks(page):
        assert block.language in LANGUAGES, f"{block.page}:{block.line}: a block of which language?"


@pytest.mark.parametrize("page", [p for p in PAGES if any(b.language == "yaml" for b in blocks(p))], ids=name)
def test_every_piece_of_yaml_is_a_file_or_a_part_of_a_recipe(page: Path, workshop: AblationRun) -> None:
    for block in blocks(page):
        if block.language != "yaml":
            continue
        values = yaml.safe_load(block.text)
        if block.recipe:
            overrides = [f"{key}={json.dumps(value)}" for key, value in values.items()]
            load_any_recipe(block.recipe, overrides=["data.root=data", *overrides])
        else:
            assert block.marks, f"{block.page}:{block.line}: a file, or a part of which recipe?"


@pytest.mark.parametrize("page", [p for p in PAGES if any(b.language in ("json", "toml") for b in blocks(p))], ids=name)
def test_json_is_json(page: Path) -> None:
    for block in blocks(page):
        if block.language == "json" and block.text.count("\n{"):
            assert [json.loads(line) for line in block.text.splitlines()]
        elif block.language == "json":
            json.loads(block.text)


# ---------------------------------------------------------------- the test itself


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("parse; an hour", Mark(PARSE, "", "an hour")),
        ("dry run; an hour; or two", Mark(DRY_RUN, "", "an hour; or two")),
        ('parse "--engine ray"; a cluster', Mark(PARSE, "--engine ray", "a cluster")),
        ("file mine.yaml", Mark(FILE, "mine.yaml", "")),
        ("recipe en-edits", Mark(RECIPE, "en-edits", "")),
    ],
)
def test_marks(words: str, expected: Mark) -> None:
    assert mark(words) == expected


@pytest.mark.parametrize("words", ["parse", 'dry run "x"', "skip; no time", "file", "recipe"])
def test_marks_that_are_none(words: str) -> None:
    with pytest.raises(ValueError, match=r"is no mark|gives no reason|names nothing"):
        mark(words)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('echo "a; b > c" | two -', [Call(("echo", "a; b > c")), Call(("two", "-"), True)]),
        ("one --at ';' > out.txt  # the rest", [Call(("one", "--at", ";"), False, "out.txt")]),
        ("A=b make test && two", [Call(("make", "test")), Call(("two",))]),
        ("run --set 'cells=[a, b/1]' --set \"x=y z\"", [Call(("run", "--set", "cells=[a, b/1]", "--set", "x=y z"))]),
    ],
)  # fmt: skip
def test_lines_of_the_shell(line: str, expected: list[Call]) -> None:
    assert calls(line) == expected


def test_a_line_has_the_treatment_of_the_mark_that_names_it() -> None:
    block = Block("p", 1, "sh", "", (mark('parse "--fast"; x'), mark('dry run "slow"; y')))
    assert [block.treatment(line) for line in ("go --fast", "slow go", "go")] == [PARSE, DRY_RUN, RUN]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("gender-fair rewrite article.txt --no-such-option\n", "unrecognized arguments: --no-such-option"),
        ("gender-fair rewrite missing.txt -o out.txt\n", "missing.txt"),
        ("abacus 1 2\n", "what is abacus"),
        ("make no-such-target\n", "no-such-target"),
        ("python benchmarks/no_such.py\n", "there is no no_such.py"),
        ("python benchmarks/must_stay.py --no-such-option\n", "has no option --no-such-option"),
        ('echo "She left." | gender-fair rewrite -\n# He left.\n', "They left."),
    ],
)
def test_a_command_that_is_wrong_fails(text: str, wrong: str, workshop: AblationRun) -> None:
    with pytest.raises(AssertionError, match=wrong):
        workshop.run(Block("page", 1, "sh", text))


@pytest.mark.parametrize(
    ("text", "error"),
    [("1 + 1  # 3\n", AssertionError), ("print('a')  # b\n", AssertionError), ("nobody()\n", NameError)],
)
def test_python_that_is_wrong_fails(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        run_python(Block("page", 1, "python", text), {})
