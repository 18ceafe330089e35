"""What the tests of texts that must stay share: benchmark modules, written texts, a model that changes all it may."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rewriter.model.proposer import Proposal, Sentence
from rewriter.pipeline import Rewriter

ROOT = Path(__file__).resolve().parents[2]


def load(name: str) -> ModuleType:
    """Return a module of the benchmarks, which are no package."""
    folder = ROOT / "benchmarks"
    if not folder.exists():
        pytest.skip("the benchmarks are not part of this copy")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        return importlib.import_module(name)


def free(tables: Path) -> list[str]:
    """Return the written texts without gendered words."""
    lines = (tables / "free.tsv").read_text(encoding="utf-8").split("\n")[2:]
    texts = [line.split("\t", 1)[1] for line in lines if line]
    return [text.encode("latin-1", "backslashreplace").decode("unicode_escape") for text in texts]


class Eager:
    """Answers the last option of every candidate: changes whatever the grammar lets it change."""

    def __init__(self, language: Any) -> None:
        self.language = language

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        return [self._one(sentence) for sentence in sentences]

    def _one(self, sentence: Sentence) -> Proposal:
        analysis = self.language.analyze(sentence.text, sentence.protected)
        options = [len(candidate.options) - 1 for candidate in analysis.candidates]
        return Proposal(self.language.settle(sentence.text, analysis, options, [1.0] * len(options)))


def changed(rewriter: Rewriter, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((old, new) for old, new in zip(texts, rewriter.rewrite(list(texts)), strict=True) if old != new)
