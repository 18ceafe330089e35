"""Loading masked language models of the Hugging Face library: by folder or name, safetensors only, no foreign code."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from eval.pretrained import load_pretrained
from rewriter.errors import ModelError


def load_masked_lm(name: str | Path, *, device: str = "cpu", needs_head: bool = True) -> tuple[Any, Any]:
    """Return tokenizer and model, the model in evaluation mode on ``device``.

    Args:
        name: folder, or a name on the hub (BERT, mBERT, RoBERTa, XLM-R ...).
        device: ``cpu``, ``cuda`` ...
        needs_head: refuse an encoder without the part that fills masks, which would get random weights.

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
        is_whole=_has_head if needs_head else None,
    )
    if tokenizer.mask_token_id is None:
        raise ModelError(f"{name}: this model's tokenizer has no mask, so the model fills none")
    return tokenizer, model


def _has_head(model: Any, missing: Collection[str]) -> bool:
    """Return False where weights outside of the encoder are missing; those of a decoder are tied to the embeddings."""
    return all(key.startswith(f"{model.base_model_prefix}.") or ".decoder." in key for key in missing)
