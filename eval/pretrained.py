"""Loading models of transformers by folder or name: no foreign code, no bars in logs, one sentence where it fails."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from rewriter.errors import ModelError
from rewriter.installation.extras import require
from rewriter.model.downloads import advice as what_to_do
from rewriter.model.downloads import loading


def hide_bars() -> None:
    """Keep transformers from drawing progress bars where standard error is no terminal."""
    if not sys.stderr.isatty():
        require("transformers", extra="train").utils.logging.disable_progress_bar()


def load_pretrained(
    name: str | Path,
    auto_class: str,
    *,
    kind: str,
    device: str = "cpu",
    advice: str = "",
    tokenizer: Mapping[str, Any] | None = None,
    model: Mapping[str, Any] | None = None,
    is_whole: Callable[[Any, Collection[str]], bool] | None = None,
) -> tuple[Any, Any]:
    """Return tokenizer and model, the model in evaluation mode on ``device``.

    Args:
        name: folder, or a name on the hub.
        auto_class: of transformers, that loads the model (``AutoModelForMaskedLM``).
        kind: what is looked for, for the message (``masked language model``).
        device: ``cpu``, ``cuda`` ...
        advice: what else may be done where there is none, the end of a sentence.
        tokenizer: further arguments for loading the tokenizer.
        model: further arguments for loading the model.
        is_whole: returns False where the weights that a model lacks (their names) are such that it is of no use.

    Raises:
        MissingExtraError: torch or transformers is not installed.
        ModelError: there is no such model, it is of another kind, or the device is not there.
    """
    require("torch", extra="train")
    transformers: ModuleType = require("transformers", extra="train")
    hide_bars()
    try:
        pieces = transformers.AutoTokenizer.from_pretrained(str(name), **loading(name), **(tokenizer or {}))
        loader = getattr(transformers, auto_class)
        found, report = loader.from_pretrained(str(name), output_loading_info=True, **loading(name), **(model or {}))
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise ModelError(
            f"{name}: no {kind} could be loaded ({first_line(error)}). {what_to_do(name)}{advice}"
        ) from None
    if is_whole is not None and not is_whole(found, report["missing_keys"]):
        raise ModelError(f"{name}: an encoder without its {kind}; train one with `gender-fair train bert --start`")
    return pieces, _placed(found, device)


def _placed(model: Any, device: str) -> Any:
    try:
        return model.to(device).eval()
    except (RuntimeError, AssertionError) as error:
        raise ModelError(f"{device}: this device cannot be used ({first_line(error)}); use cpu") from None


def first_line(error: Exception) -> str:
    """Return the first line of what an error says, its type where it says nothing."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
