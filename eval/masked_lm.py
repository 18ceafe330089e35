"""Loading masked language models of the Hugging Face library: by folder or name, safetensors only, no foreign code."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from rewriter.errors import ModelError
from rewriter.extras import require


def load_masked_lm(name: str | Path, *, device: str = "cpu") -> tuple[Any, Any]:
    """Return tokenizer and model, the model in evaluation mode on ``device``.

    Args:
        name: folder, or a name on the hub (BERT, mBERT, RoBERTa, XLM-R ...).
        device: ``cpu``, ``cuda`` ...

    Raises:
        MissingExtraError: torch or transformers are not installed.
        ModelError: there is no such model, it is none that fills masks, or the device is not there.
    """
    require("torch", extra="train")
    transformers = require("transformers", extra="train")
    if not sys.stderr.isatty():
        transformers.utils.logging.disable_progress_bar()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(str(name), trust_remote_code=False)
        model = transformers.AutoModelForMaskedLM.from_pretrained(
            str(name), trust_remote_code=False, use_safetensors=True
        )
    except (OSError, ValueError, KeyError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelError(
            f"{name}: no masked language model could be loaded ({reason}). Without a network, pass the folder of "
            "one that is on this machine, with its tokenizer and model.safetensors"
        ) from None
    if tokenizer.mask_token_id is None:
        raise ModelError(f"{name}: this model's tokenizer has no mask, so the model fills none")
    try:
        model.to(device)
    except (RuntimeError, AssertionError) as error:
        raise ModelError(f"{device}: this device cannot be used ({str(error).splitlines()[0]})") from None
    return tokenizer, model.eval()
