"""Loading masked language models of the Hugging Face library: by folder or name, safetensors only, no foreign code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from eval.pretrained import load_pretrained
from rewriter.errors import ModelError


def load_masked_lm(name: str | Path, *, device: str = "cpu") -> tuple[Any, Any]:
    """Return tokenizer and model, the model in evaluation mode on ``device``.

    Args:
        name: folder, or a name on the hub (BERT, mBERT, RoBERTa, XLM-R ...).
        device: ``cpu``, ``cuda`` ...

    Raises:
        MissingExtraError: torch or transformers are not installed.
        ModelError: there is no such model, it is none that fills masks, or the device is not there.
    """
    tokenizer, model = load_pretrained(
        name,
        "AutoModelForMaskedLM",
        kind="masked language model",
        device=device,
        advice=", with its tokenizer and model.safetensors",
        model={"use_safetensors": True},
    )
    if tokenizer.mask_token_id is None:
        raise ModelError(f"{name}: this model's tokenizer has no mask, so the model fills none")
    return tokenizer, model
