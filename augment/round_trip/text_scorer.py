"""How likely a causal language model finds a text: the mean log-probability of its pieces."""

from __future__ import annotations

from collections.abc import Sequence

from eval.pretrained import load_pretrained
from rewriter.installation.extras import require
from rewriter.model.huggingface import most_tokens

__all__ = ["TextScorer"]


class TextScorer:
    """Scores texts.

    Args:
        model: causal language model for transformers, by folder or name.
        device: ``cpu`` or ``cuda``.

    Raises:
        ModelError: there is no such model.
        MissingExtraError: torch or transformers are not installed.
    """

    def __init__(self, model: str, *, device: str = "cpu") -> None:
        self._torch, self._device = require("torch", extra="train"), device
        self._tokenizer, self._model = load_pretrained(
            model, "AutoModelForCausalLM", kind="causal language model", device=device, model={"weights_only": True}
        )
        self._most = most_tokens(self._tokenizer, self._model.config)

    def __call__(self, texts: Sequence[str]) -> list[float]:
        """Return the mean log-probability of a piece for each text; the first piece, which nothing tells, but for."""
        return [self._score(text) for text in texts]

    def _score(self, text: str) -> float:
        torch = self._torch
        begin = self._tokenizer.bos_token_id
        ids = [*([begin] if begin is not None else []), *self._tokenizer(text, add_special_tokens=False)["input_ids"]]
        rows = torch.tensor([ids[: self._most]], device=self._device)
        if rows.shape[1] < 2:
            return 0.0
        with torch.inference_mode():
            scores = self._model(input_ids=rows).logits[0, :-1].float().log_softmax(-1)
        return float(scores.gather(1, rows[0, 1:, None]).mean())
