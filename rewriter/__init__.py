"""Gender-fair rewriting: ``rewrite("She knows her stuff.")`` returns ``"They know their stuff."``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rewriter.corpus import CorpusOptions, rewrite_corpus
    from rewriter.pipeline import Options, Rewriter, rewrite
    from rewriter.records import Edit, Pair, Rewrite, apply_edits
    from rewriter.version import __version__

__all__ = [
    "CorpusOptions",
    "Edit",
    "Options",
    "Pair",
    "Rewrite",
    "Rewriter",
    "__version__",
    "apply_edits",
    "rewrite",
    "rewrite_corpus",
]

_HOME = {
    "Options": "rewriter.pipeline",
    "Rewriter": "rewriter.pipeline",
    "rewrite": "rewriter.pipeline",
    "CorpusOptions": "rewriter.corpus",
    "rewrite_corpus": "rewriter.corpus",
    "Edit": "rewriter.records",
    "Pair": "rewriter.records",
    "Rewrite": "rewriter.records",
    "apply_edits": "rewriter.records",
    "__version__": "rewriter.version",
}


def __getattr__(name: str) -> Any:
    """Import public names when they are first used, so that ``import rewriter`` costs nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'rewriter' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
