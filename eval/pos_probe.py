"""A probe that has nothing to do with gender: parts of speech, read off a frozen encoder by a linear classifier.

A word is the mean of its pieces' states, these the mean over embeddings and layers; a multinomial logistic regression
maps it to one of the universal parts of speech (after Tenney et al. 2019, "What do you learn from context?", with a
linear classifier, as Hewitt and Liang 2019 advise: a strong probe learns the task itself). Beside it stands a
classifier that knows the word alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from eval.bootstrap import Interval, Resampling, percentile_interval, resampled_rates
from eval.masked_lm import load_masked_lm
from eval.signature import signature
from rewriter.errors import InputError, ModelError
from rewriter.installation.extras import require
from rewriter.io.files import read_lines

Floats = npt.NDArray[np.float32]
#: weight of the squares of the classifier's weights, beside the mean loss of a word
_DECAY = 1e-4
_STEPS = 100
_BATCH = 64


class Tagged(NamedTuple):
    """A sentence of a treebank: words and their universal parts of speech."""

    words: tuple[str, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What was measured, in percent of the words.

    Attributes:
        accuracy: of the linear classifier over the frozen encoder.
        interval: over sentences.
        by_word: accuracy of the most frequent tag of a word (of all words, for one not seen).
        words: measured words.
        signature: what it was computed with.
    """

    accuracy: float
    interval: Interval
    by_word: float
    words: int
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)


def read_tagged(path: str | Path, limit: int = 0) -> list[Tagged]:
    """Read words and parts of speech of a CoNLL-U file (.zst, .gz, plain); ``limit`` sentences, 0 for all.

    Raises:
        InputError: the file cannot be read, is no CoNLL-U, or holds no sentence.
    """
    found = list(islice(_sentences(Path(path)), limit or None))
    if not found:
        raise InputError(f"{path}: there is no sentence in it")
    return found


def _sentences(path: Path) -> Iterator[Tagged]:
    words: list[str] = []
    tags: list[str] = []
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            if words:
                yield Tagged(tuple(words), tuple(tags))
            words, tags = [], []
        elif not line.startswith("#"):
            cells = line.split("\t")
            if len(cells) != 10:
                raise InputError(f"{path}:{number}: a word of CoNLL-U has 10 columns, not {len(cells)}")
            if cells[0].isdigit():  # the others are ranges ("3-4") and empty nodes ("5.1")
                words.append(cells[1])
                tags.append(cells[3])
    if words:
        yield Tagged(tuple(words), tuple(tags))


def pos_probe(
    model: str | Path,
    train: Sequence[Tagged],
    test: Sequence[Tagged],
    *,
    device: str = "cpu",
    resampling: Resampling | None = None,
) -> ProbeResult:
    """Train a linear classifier over a frozen encoder and measure it.

    Args:
        model: folder, or a name on the hub.
        train: sentences that the classifier learns from.
        test: sentences that it is measured on.
        device: ``cpu``, ``cuda`` ...
        resampling: of the interval.

    Raises:
        MissingExtraError: torch or transformers are not installed.
        ModelError: the model cannot be loaded, or has no fast tokenizer.
        InputError: there is no sentence.
    """
    if not train or not test:
        raise InputError("a probe needs sentences to learn from and to be measured on")
    tokenizer, network = load_masked_lm(model, device=device, needs_head=False)
    if not getattr(tokenizer, "is_fast", False):
        raise ModelError(f"{model}: its tokenizer cannot tell which piece belongs to which word")
    tags = sorted({tag for sentence in train for tag in sentence.tags})
    number = {tag: n for n, tag in enumerate(tags)}
    gold = np.array([number[tag] for sentence in train for tag in sentence.tags])
    asked = np.array([number.get(tag, -1) for sentence in test for tag in sentence.tags])
    seen, shown = (word_states(tokenizer, network, part, device=device) for part in (train, test))
    mean, spread = seen.mean(axis=0), seen.std(axis=0) + 1e-6
    answer = _Classifier(len(tags), device).learn((seen - mean) / spread, gold).answer((shown - mean) / spread)
    wrong, lengths = _by_sentence(answer != asked, test)
    resampling = resampling or Resampling()
    rates = 100 - resampled_rates(wrong[None], lengths, resampling)[0]
    own = {"task": "upos", "train": len(train), "n": len(test), "words": len(asked), "bootstrap": resampling.samples}
    return ProbeResult(
        accuracy=100 * float((answer == asked).mean()),
        interval=percentile_interval(rates, resampling.level),
        by_word=_by_word(train, test),
        words=len(asked),
        signature=signature("pos-probe", **own, seed=resampling.seed),
    )


def _by_sentence(wrong: npt.NDArray[np.bool_], test: Sequence[Tagged]) -> tuple[Any, Any]:
    lengths = np.array([len(sentence.words) for sentence in test], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    return np.add.reduceat(wrong.astype(np.int64), starts), lengths


def _by_word(train: Sequence[Tagged], test: Sequence[Tagged]) -> float:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence in train:
        for word, tag in zip(sentence.words, sentence.tags, strict=True):
            counts[word.lower()][tag] += 1
    every = sum(counts.values(), Counter[str]()).most_common(1)[0][0]
    best = {word: tags.most_common(1)[0][0] for word, tags in counts.items()}
    hits = [best.get(word.lower(), every) == tag for s in test for word, tag in zip(s.words, s.tags, strict=True)]
    return 100 * sum(hits) / len(hits)


def word_states(tokenizer: Any, network: Any, sentences: Sequence[Tagged], *, device: str = "cpu") -> Floats:
    """Return a vector for each word of the sentences, (words, width); words beyond the model's length are zero."""
    torch = require("torch", extra="train")
    longest = min(int(getattr(network.config, "max_position_embeddings", 512)), 512)
    found: dict[int, Floats] = {}
    order = sorted(range(len(sentences)), key=lambda n: len(sentences[n].words))  # alike in length: less is filled up
    for start in range(0, len(order), _BATCH):
        numbers = order[start : start + _BATCH]
        batch = [list(sentences[n].words) for n in numbers]
        encoded = tokenizer(
            batch, is_split_into_words=True, padding=True, truncation=True, max_length=longest, return_tensors="pt"
        )
        with torch.inference_mode():
            states = network.base_model(**encoded.to(device), output_hidden_states=True).hidden_states
            mean = torch.stack(states).float().mean(dim=0).cpu().numpy()  # (sentences, pieces, width)
        for row, (n, words) in enumerate(zip(numbers, batch, strict=True)):
            found[n] = _pooled(mean[row], encoded.word_ids(row), len(words))
    return np.concatenate([found[n] for n in range(len(sentences))])


def _pooled(states: Floats, owners: Sequence[int | None], words: int) -> Floats:
    total = np.zeros((words, states.shape[1]), dtype=np.float32)
    count = np.zeros((words, 1), dtype=np.float32)
    for state, owner in zip(states, owners, strict=True):
        if owner is not None:
            total[owner] += state
            count[owner] += 1
    np.divide(total, np.maximum(count, 1), out=total)
    return total


class _Classifier:
    """Multinomial logistic regression, from zero weights by L-BFGS over all words: the same data, the same result."""

    def __init__(self, classes: int, device: str) -> None:
        self._torch = require("torch", extra="train")
        self._classes, self._device = classes, device

    def learn(self, states: Floats, gold: Any) -> _Classifier:
        """Fit; return itself."""
        torch = self._torch
        inputs, wanted = (torch.as_tensor(part, device=self._device) for part in (states.astype(np.float32), gold))
        self._weights = torch.zeros(inputs.shape[1], self._classes, device=self._device, requires_grad=True)
        self._bias = torch.zeros(self._classes, device=self._device, requires_grad=True)
        optimizer = torch.optim.LBFGS([self._weights, self._bias], max_iter=_STEPS, line_search_fn="strong_wolfe")

        def loss() -> Any:
            optimizer.zero_grad()
            scores = inputs @ self._weights + self._bias
            value = torch.nn.functional.cross_entropy(scores, wanted) + _DECAY * self._weights.square().sum()
            value.backward()
            return value

        optimizer.step(loss)
        return self

    def answer(self, states: Floats) -> Any:
        """Return the number of the best class for each word."""
        torch = self._torch
        with torch.no_grad():
            inputs = torch.as_tensor(states.astype(np.float32), device=self._device)
            return (inputs @ self._weights + self._bias).argmax(dim=1).cpu().numpy()
