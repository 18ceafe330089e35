"""Rewrite a file with a rewriter that asks its model nothing: what is left is gate, reading and writing.

python benchmarks/model_off.py SOURCE TARGET --processes 2      # prints seconds, words and peak memory as JSON
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewriter import Rewriter
from rewriter.corpus import CorpusOptions, RewriterSpec, rewrite_corpus
from rewriter.language.interface import get_language
from rewriter.model.directory import ModelInfo
from rewriter.model.proposer import Proposal, Sentence


class Keeps:
    """Proposes nothing."""

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        return [Proposal() for _ in sentences]


@dataclass(frozen=True)
class ModelOff(RewriterSpec):
    """Says for corpus rewriting that nothing is proposed."""

    def load(self, *, threads: int | None = None) -> Rewriter:
        return Rewriter(Keeps(), get_language("en"), ModelInfo(name="off", lang="en", target="edits"))

    def identity(self) -> dict[str, Any]:
        return {"model": "off"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    start = time.perf_counter()
    options = CorpusOptions(processes=args.processes, progress=False)
    summary = rewrite_corpus([args.source], args.target, rewriter=ModelOff("off"), options=options)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "words": summary.words, "units": summary.units, "gated": summary.gated}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
