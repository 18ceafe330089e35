"""A trained sequence classifier from a folder: logits, predictions, norms of gradients. Needs torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from eval.pretrained import first_line, hide_bars
from rewriter.errors import ModelError, UsageError
from rewriter.installation.extras import require
from rewriter.model.downloads import advice, loading

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class TextClassifier:
    """A sequence-classification model with its tokenizer (transformers), for inference.

    Texts are worked on sorted by length, in batches; the order of the results is that of the texts.
    """

    def __init__(
        self, model: Any, tokenizer: Any, *, batch: int = 32, max_length: int | None = None, device: str = "cpu"
    ) -> None:
        if batch < 1:
            raise UsageError(f"a batch holds at least one text, not {batch}")
        self.model = model.to(device).eval()
        self.tokenizer = tokenizer
        self.batch = batch
        self.max_length = min(max_length or 512, _longest(model, tokenizer))
        self.device = device

    @classmethod
    def load(
        cls, path: str | Path, *, batch: int = 32, max_length: int | None = None, device: str = "cpu"
    ) -> TextClassifier:
        """Load a checkpoint folder (or a name of the Hugging Face hub, where there is a network).

        Raises:
            ModelError: there is no such checkpoint, or it is no sequence classifier.
            MissingExtraError: torch or transformers is not installed.
        """
        require("torch", extra="train")
        transformers = require("transformers", extra="train")
        hide_bars()
        folder = Path(path)
        if not folder.exists() and (folder.is_absolute() or len(folder.parts) > 2 or str(path).startswith(".")):
            raise ModelError(f"{path}: there is no such checkpoint; pass its folder")
        try:
            config = transformers.AutoConfig.from_pretrained(str(path), **loading(path))
            _refuse_other_kind(config, path)
            tokenizer = transformers.AutoTokenizer.from_pretrained(str(path), **loading(path))
            model = transformers.AutoModelForSequenceClassification.from_pretrained(str(path), **loading(path))
        except (OSError, ValueError, KeyError) as error:
            raise ModelError(
                f"{path}: no sequence classifier can be loaded ({first_line(error)}). {advice(path)}"
            ) from None
        return cls(model, tokenizer, batch=batch, max_length=max_length, device=device)

    @property
    def classes(self) -> int:
        """Number of classes."""
        return int(self.model.config.num_labels)

    def logits(self, texts: Sequence[str]) -> Floats:
        """Return logits of shape (texts, classes).

        Equal texts get equal logits to the last bit: each different text is worked on once.
        """
        torch = require("torch", extra="train")
        place: dict[str, int] = {}
        rows = np.array([place.setdefault(text, len(place)) for text in texts], dtype=np.int64)
        found = np.empty((len(place), self.classes), dtype=np.float64)
        with torch.no_grad():
            for chosen, inputs in self._batches(list(place)):
                found[chosen] = self.model(**inputs).logits.double().cpu().numpy()
        return found[rows]

    def answer(self, texts: Sequence[str], *, positive: str | None = None) -> tuple[list[str], list[float] | None]:
        """Return the predicted class of each text and the probability of the positive one.

        Args:
            texts: the texts.
            positive: name of the positive class; None takes the last one of two. With more than two and none named
                there are no probabilities.

        Raises:
            UsageError: the model has no such class.
        """
        # A model whose classes were never named calls them LABEL_0, LABEL_1 ...
        names = [str(self.model.config.id2label[number]).removeprefix("LABEL_") for number in range(self.classes)]
        if positive is not None and positive not in names:
            raise UsageError(f"the model has no class '{positive}'; its classes: {', '.join(names)}")
        logits = self.logits(texts)
        answers = [names[number] for number in logits.argmax(axis=1).tolist()]
        if positive is None and self.classes != 2:
            return answers, None
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        column = names.index(positive) if positive is not None else 1
        return answers, (shares[:, column] / shares.sum(axis=1)).tolist()

    def gradient_norms(self, texts: Sequence[str], labels: Ints, *, vectorised: bool = True) -> Floats:
        """Return GraNd: the norm of the gradient of each example's loss by all weights (Paul et al. 2021, eq. 3).

        Args:
            texts: the examples.
            labels: numbers of their classes.
            vectorised: a batch of gradients at once (``torch.func``); else one example after the other. Both are
                equal but for rounding. The memory is that of as many copies of the weights as a batch has texts.
        """
        found = np.empty(len(texts), dtype=np.float64)
        norms = self._batch_norms if vectorised else self._single_norms
        for chosen, inputs in self._even_batches(texts):
            found[chosen] = norms(inputs, labels[chosen])
        return found

    def _even_batches(self, texts: Sequence[str]) -> Iterator[tuple[Ints, dict[str, Any]]]:
        """Yield batches of texts of equal length, which need no padding and no mask.

        Models look at the content of a mask to choose their attention, which ``torch.func`` cannot follow.
        """
        torch = require("torch", extra="train")
        encoded = self.tokenizer(list(texts), truncation=True, max_length=self.max_length)
        lengths = np.array([len(row) for row in encoded["input_ids"]], dtype=np.int64)
        for length in np.unique(lengths)[::-1]:
            rows = np.flatnonzero(lengths == length)
            for start in range(0, len(rows), self.batch):
                chosen = rows[start : start + self.batch]
                yield (
                    chosen,
                    {
                        name: torch.tensor([values[i] for i in chosen.tolist()], device=self.device)
                        for name, values in encoded.items()
                        if name != "attention_mask"
                    },
                )

    def _batch_norms(self, inputs: dict[str, Any], labels: Ints) -> Floats:
        torch = require("torch", extra="train")
        weights = {name: p.detach() for name, p in self.model.named_parameters() if p.requires_grad}
        buffers = {name: b.detach() for name, b in self.model.named_buffers()}
        names = list(inputs)

        def loss(parameters: Any, label: Any, *row: Any) -> Any:
            one = {name: value.unsqueeze(0) for name, value in zip(names, row, strict=True)}
            answer = torch.func.functional_call(self.model, {**parameters, **buffers}, kwargs=one)
            return torch.nn.functional.cross_entropy(answer.logits, label.unsqueeze(0))

        axes = (None, 0, *[0 for _ in names])
        targets = torch.as_tensor(labels, device=self.device)
        # Fused attention has no batching rule; vmap would take the examples one by one.
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
            gradients = torch.func.vmap(torch.func.grad(loss), in_dims=axes)(weights, targets, *inputs.values())
        squares = sum(g.double().flatten(1).square().sum(dim=1) for g in gradients.values())
        return np.asarray(squares.sqrt().cpu().numpy(), dtype=np.float64)

    def _single_norms(self, inputs: dict[str, Any], labels: Ints) -> Floats:
        torch = require("torch", extra="train")
        weights = [p for p in self.model.parameters() if p.requires_grad]
        found = []
        for row, label in enumerate(labels.tolist()):
            answer = self.model(**{name: value[row : row + 1] for name, value in inputs.items()})
            loss = torch.nn.functional.cross_entropy(answer.logits, torch.tensor([label], device=self.device))
            gradients = torch.autograd.grad(loss, weights, allow_unused=True)
            found.append(sum(float(g.double().square().sum()) for g in gradients if g is not None) ** 0.5)
        return np.array(found, dtype=np.float64)

    def _batches(self, texts: Sequence[str]) -> Iterator[tuple[Ints, dict[str, Any]]]:
        order = np.argsort([len(text) for text in texts], kind="stable")[::-1]
        for start in range(0, len(order), self.batch):
            chosen = order[start : start + self.batch]
            inputs = self.tokenizer(
                [texts[i] for i in chosen.tolist()],
                padding=True,
                truncation=True,
                max_length=self.max_length,
                return_tensors="pt",
            )
            yield chosen, {name: value.to(self.device) for name, value in inputs.items()}


def _longest(model: Any, tokenizer: Any) -> int:
    """Return how many tokens the model takes."""
    positions = int(getattr(model.config, "max_position_embeddings", 512) or 512)
    # RoBERTa counts positions from behind its padding index.
    offset = 2 if getattr(model.config, "model_type", "") in ("roberta", "xlm-roberta", "camembert") else 0
    return min(positions - offset, int(min(tokenizer.model_max_length, 1 << 20)))


def _refuse_other_kind(config: Any, path: str | Path) -> None:
    kinds = getattr(config, "architectures", None) or []
    if kinds and not any(kind.endswith("ForSequenceClassification") for kind in kinds):
        raise ModelError(f"{path}: holds {', '.join(kinds)}, no sequence classifier; train one on it first")
