"""What the documentation says exists: links, commands with their options, recipes, Python that parses."""

from __future__ import annotations

import argparse
import ast
import re
import shlex
from pathlib import Path

import pytest

from rewriter.cli.main import build_parser

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (
    "docs",
    "recipes",
    "lexicons",
    "rewriter",
    "eval",
    "augment",
    "train",
    "tools",
    "experiments",
    "benchmarks",
    "tests",
)
PAGES = sorted([*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))])
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)
#: a page or table of the documentation as code, recipes and word tables name it
NAMED = re.compile(r"(?<![\w./-])docs/[\w./-]+\.(?:md|tsv)\b")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text(encoding="utf-8")), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.strip().lower()).replace(" ", "-") for h in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        linked = (page.parent / file).resolve() if file else page
        assert linked.exists(), target
        if anchor and linked.suffix == ".md":
            assert anchor in anchors(linked), target


def sources() -> list[Path]:
    """Return all text files that may name a page."""
    kinds = {".py", ".md", ".yaml", ".toml", ".tsv", ".txt"}
    inside = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in kinds)
    left_out = {"sealed", Path(__file__).name}  # sealed sentences are for measuring only
    return sorted(path for path in [*ROOT.iterdir(), *inside] if path.is_file() and not left_out & set(path.parts))


def test_pages_that_are_named_anywhere_exist() -> None:
    missing = []
    for path in sources():
        text = path.read_text(encoding="utf-8", errors="ignore")
        missing += [f"{name(path)}: {page}" for page in NAMED.findall(text) if not (ROOT / page).is_file()]
    assert missing == []


def test_the_check_of_named_pages_finds_them() -> None:
    assert NAMED.findall("see docs/use/formats.md, (docs/train/swap.md); x/docs/no.md") == [
        "docs/use/formats.md", "docs/train/swap.md"
    ]  # fmt: skip


def commands(page: Path) -> list[list[str]]:
    """Return the words of every ``gender-fair`` call in the page's blocks."""
    found = []
    for _, block in FENCE.findall(page.read_text(encoding="utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            for part in re.split(r"&&|[|;](?!\S)", line):
                words = shlex.split(part.removeprefix("$ ").strip(), comments=True)
                if words[:1] == ["gender-fair"]:
                    found.append(words[1:])
    return found


def options(words: list[str]) -> set[str]:
    """Return all options of the command that ``words`` call; fails for a command that does not exist."""
    parser: argparse.ArgumentParser = build_parser(words)
    known: set[str] = set()
    for word in [*words, None]:
        known |= {option for action in parser._actions for option in action.option_strings}
        groups = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
        if not groups or word is None or word.startswith("-"):
            break
        assert word in groups[0].choices, f"there is no command '{word}' in {words}"
        parser = groups[0].choices[word]
    return known


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_and_their_options_exist(page: Path) -> None:
    for words in commands(page):
        used = {word.partition("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)}
        assert used <= options(words), words


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_recipes_and_make_targets_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    text = page.read_text(encoding="utf-8")
    for recipe in re.findall(r"(?<![\w/])recipes/[\w.-]+\.yaml", text):
        assert (ROOT / recipe).is_file(), recipe
    for target in re.findall(r"`make ([a-z-]+)", text):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_python_examples_parse(page: Path) -> None:
    for language, block in FENCE.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            ast.parse(block)


def test_the_index_links_every_page() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / t.partition("#")[0]).resolve() for t in LINK.findall(index.read_text(encoding="utf-8"))}
    assert {page for page in (ROOT / "docs").rglob("*.md") if page != index} <= linked
