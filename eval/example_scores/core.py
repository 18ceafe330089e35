"""Scores of examples from what a classifier answers; no model is needed here.

Zayed et al. (2023), "Deep Learning on a Healthy Data Diet", equation 2 (GE); Paul et al. (2021), "Deep Learning on a
Data Diet" (EL2N, GraNd); Toneva et al. (2019), "An Empirical Study of Example Forgetting" (forget score).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rewriter.errors import MetricError

__all__ = ["el2n", "forget_score", "gender_equity"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def gender_equity(logits: Floats, flipped: Floats) -> Floats:
    """Return GE: the distance between the logits of a text and those of its counterfactual.

    Args:
        logits: shape (examples, classes).
        flipped: the same for the counterfactuals; equal texts must have equal logits, then their score is exactly 0.

    Returns:
        Shape (examples,).
    """
    return np.asarray(np.linalg.norm(logits - flipped, axis=1), dtype=np.float64)


def el2n(logits: Floats, labels: Ints) -> Floats:
    """Return EL2N: the distance between the predicted distribution and the truth, between 0 and the root of 2.

    Args:
        logits: shape (examples, classes).
        labels: shape (examples,), numbers of classes.
    """
    errors = softmax(logits)
    errors[np.arange(len(labels)), labels] -= 1.0
    return np.asarray(np.linalg.norm(errors, axis=1), dtype=np.float64)


def stereotype_sign(logits: Floats, flipped: Floats, labels: Ints) -> Ints:
    """Return whose error is larger: 1 the text's, -1 the counterfactual's, 0 equal.

    -1 means that the model is more at ease with the text as it is, as it is where the text confirms a stereotype; 0
    is what texts without gendered words have.
    """
    return np.sign(el2n(logits, labels) - el2n(flipped, labels)).astype(np.int64)


def forget_score(correct: npt.NDArray[np.bool_]) -> Ints:
    """Return how often an example was right at one checkpoint and wrong at the next.

    Args:
        correct: shape (checkpoints, examples), in the order of training.

    Raises:
        MetricError: fewer than two checkpoints.
    """
    if len(correct) < 2:
        raise MetricError("the forget score needs at least two checkpoints of one training, in their order")
    return np.asarray((correct[:-1] & ~correct[1:]).sum(axis=0), dtype=np.int64)


def softmax(logits: Floats) -> Floats:
    """Return the distribution of each row."""
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True), dtype=np.float64)
