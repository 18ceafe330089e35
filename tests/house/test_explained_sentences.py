"""The page of explained sentences shows what the bundled models do and who decides; probabilities may move."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rewriter import Rewriter

PAGE = Path(__file__).parents[2] / "docs" / "use" / "explained.md"


def rows(language: str) -> list[list[str]]:
    """The cells of a language's table, without escapes."""
    part = PAGE.read_text(encoding="utf-8").split(f"## {language}\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip().replace("\\", "") for cell in line.strip("|").split(" | ")] for line in lines]


@pytest.mark.parametrize(("language", "model"), [("English", "en"), ("German", "de")])
def test_explained_sentences_are_what_comes_out(language: str, model: str) -> None:
    found, rewriter = rows(language), Rewriter.from_pretrained(model)
    assert len(found) == 10
    for text, becomes, who in found:
        explained = rewriter.explain(text)
        assert explained.text == (text if becomes == "stays" else becomes)
        rules = {word.rule for word in explained.words if word.rule}
        assert set(re.findall(r"rule '(.+?)'(?=<br>|$)", who)) == rules
        assert who.count("<br>") == len(explained.words) - 1
