"""Rewriting whole corpora: many files or huge ones, restartable, on all cores, everything else byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rewriter.corpus.job import CorpusJob, CorpusShard, RewriterSpec, rewrite_shard
    from rewriter.corpus.reports import CorpusReports
    from rewriter.corpus.results import Summary
    from rewriter.corpus.run import CorpusOptions, rewrite_corpus

__all__ = [
    "CorpusJob",
    "CorpusOptions",
    "CorpusReports",
    "CorpusShard",
    "RewriterSpec",
    "Summary",
    "rewrite_corpus",
    "rewrite_shard",
]

_HOME = {
    **dict.fromkeys(("CorpusJob", "CorpusShard", "RewriterSpec", "rewrite_shard"), "rewriter.corpus.job"),
    **dict.fromkeys(("CorpusOptions", "rewrite_corpus"), "rewriter.corpus.run"),
    "CorpusReports": "rewriter.corpus.reports",
    "Summary": "rewriter.corpus.results",
}


def __getattr__(name: str) -> Any:
    """Import public names when they are first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'rewriter.corpus' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)
