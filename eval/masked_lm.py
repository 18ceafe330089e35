"""Loading masked language models of the Hugging Face library: by folder or name, safetensors only, no foreign code."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from eval.pretrained import load_pretrained
from rewriter.errors import ModelError

#: type of model -> its part that turns vectors into answers over the vocabulary, each by itself
_HEADS = {"bert": "cls", "roberta": "lm_head", "xlm-roberta": "lm_head", "camembert": "lm_head"}


def answers_everywhere(model: Any) -> bool:
    """Return True if a model answers at all places even where one is asked (:func:`answers_at`)."""
    return model.config.model_type not in _HEADS


def answers_at(model: Any, ids: Any, attention: Any, rows: Any, places: Any) -> Any:
    """Return the answers of a model over its vocabulary at some places only.

    The vocabulary layer costs more than the six layers of a small encoder, so it is not applied elsewhere where the
    type of the model allows.

    Args:
        model: a masked language model.
        ids: pieces, shape (batch, length).
        attention: mask of the same shape.
        rows: of each place, its sequence in the batch.
        places: in that sequence.

    Returns:
        logits, shape (places, vocabulary).
    """
    head = _HEADS.get(model.config.model_type)
    if head is None:
        return model(input_ids=ids, attention_mask=attention).logits[rows, places]
    hidden = model.base_model(input_ids=ids, attention_mask=attention).last_hidden_state
    return getattr(model, head)(hidden[rows, places])


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
