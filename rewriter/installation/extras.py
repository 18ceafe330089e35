"""Optional dependencies: a missing one is one sentence with the pip line."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from types import ModuleType

from rewriter.errors import MissingExtraError

__all__ = ["EXTRAS", "require"]

#: extra -> the modules whose presence shows that it is installed
EXTRAS: dict[str, tuple[str, ...]] = {
    "data": ("pyarrow", "datasets"),
    "train": ("torch", "transformers", "accelerate", "tensorboard"),
    "augment": ("spacy", "opusfilter", "lemminflect"),
    "eval": ("jiwer", "sacremoses", "sacrebleu"),
    "plot": ("matplotlib",),
    "lemmas": ("spacy_lookups_data",),
    "spacy": ("spacy",),
    "ray": ("ray",),
    "serve": ("fastapi", "uvicorn", "prometheus_client"),
    "lsp": ("pygls", "lsprotocol"),
    "completion": ("shtab",),
    "docs": ("mkdocs", "material", "mkdocstrings"),
}


def require(module: str, *, extra: str) -> ModuleType:
    """Import ``module`` or say how to get it.

    Raises:
        MissingExtraError: the module is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != module.split(".")[0]:
            raise
        raise MissingExtraError(
            f"This needs the package '{module}', which is not installed: pip install 'gender-fair-rewriter[{extra}]'"
        ) from None


def installed_extras() -> dict[str, list[str]]:
    """Return for every extra the modules that are missing (an empty list: the extra is complete)."""
    return {extra: [m for m in modules if find_spec(m) is None] for extra, modules in EXTRAS.items()}
