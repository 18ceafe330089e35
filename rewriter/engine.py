"""Loading CTranslate2 without the libraries that only its converters need.

``import ctranslate2`` imports torch and transformers whenever they are installed, for its converters; that is seconds
and half a gigabyte for somebody who only wants to rewrite. While nobody has imported torch yet, both are hidden during
that one import. Converting a model needs them, so exports call :func:`load_ctranslate2` with ``converters=True``, which
loads CTranslate2 anew with everything visible.
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

_HIDDEN = ("torch", "transformers", "huggingface_hub")
_LOCK = threading.Lock()


def load_ctranslate2(*, converters: bool = False) -> ModuleType:
    """Return the module ``ctranslate2``.

    Args:
        converters: its converters will be used, so torch and transformers must be visible to it.
    """
    with _LOCK:
        if converters:
            if "ctranslate2" in sys.modules and not hasattr(
                sys.modules.get("ctranslate2.converters.transformers"), "torch"
            ):
                _forget_python_parts()
            return importlib.import_module("ctranslate2")
        if "ctranslate2" in sys.modules or "torch" in sys.modules:
            return importlib.import_module("ctranslate2")
        with _hide(_HIDDEN):
            return importlib.import_module("ctranslate2")


@contextmanager
def _hide(names: tuple[str, ...]) -> Iterator[None]:
    """Make importing ``names`` fail inside, as if they were not installed."""
    hidden = [name for name in names if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


def _forget_python_parts() -> None:
    """Drop CTranslate2's Python modules, but not its compiled extension, which cannot be loaded twice."""
    for name in [n for n in sys.modules if n.split(".")[0] == "ctranslate2" and n != "ctranslate2._ext"]:
        del sys.modules[name]
