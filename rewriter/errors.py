"""Errors for people: one type per kind of cause, each message says what happened, where, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = [
    "EditError",
    "Fault",
    "GenderFairError",
    "InUseError",
    "InputError",
    "LexiconError",
    "MetricError",
    "MissingExtraError",
    "ModelError",
    "OutputError",
    "ParserError",
    "RecipeError",
    "ResumeError",
    "ShadowedPackageError",
    "TextError",
    "UsageError",
    "WorkerError",
]


class GenderFairError(Exception):
    """Base of every error that this toolkit raises on purpose; ``exit_code`` is what the command returns."""

    exit_code = 4


class UsageError(GenderFairError):
    """The call itself is wrong: an unknown option value, arguments that exclude each other."""

    exit_code = 2


class MissingExtraError(GenderFairError):
    """An optional dependency is not installed; the message holds the pip line."""

    exit_code = 2


class RecipeError(GenderFairError):
    """A recipe cannot be read or does not fit its schema; the message names the key's path."""

    exit_code = 2


class LexiconError(GenderFairError):
    """A word table is missing or malformed; the message names file and line."""

    exit_code = 2


class ModelError(GenderFairError):
    """A model is unknown, or its directory is incomplete, truncated or made for something else."""


class InputError(GenderFairError):
    """Input cannot be read as what it claims to be; the message names file and line where known."""


class EditError(InputError):
    """Edits do not fit their text, or overlap."""


class Fault(NamedTuple):
    """Why a text could not be worked on (:mod:`rewriter.faults`).

    Attributes:
        reason: one line: type and message of the error, and the place in the code.
        trace: the whole trace, for a report; empty where an error was foreseen.
    """

    reason: str
    trace: str = ""


class TextError(GenderFairError):
    """A text cannot be worked on, through no fault of whoever passed it; the cause is chained.

    Attributes:
        index: which of the texts that were passed, from 0.
        faults: what is wrong with each text that failed, by its index.
    """

    def __init__(self, message: str, index: int = 0, faults: Mapping[int, Fault] | None = None) -> None:
        super().__init__(message)
        self.index, self.faults = index, dict(faults or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return TextError, (str(self), self.index, self.faults)


class OutputError(GenderFairError):
    """Output cannot be written; nothing half-written is left under the final name."""


class InUseError(OutputError):
    """Another running process works in the folder."""


class ResumeError(GenderFairError):
    """An earlier run under the same output had another input, recipe, model or code version."""

    exit_code = 2


class MetricError(GenderFairError):
    """A figure cannot be computed from what was given (unequal lengths, empty references)."""

    exit_code = 2


class ParserError(GenderFairError):
    """A parsing pipeline is missing, or its label scheme fits none that the rules know."""

    exit_code = 2


class ShadowedPackageError(GenderFairError):
    """A file of the user's hides one of our packages; the message names the file and what to do."""

    exit_code = 2


class WorkerError(GenderFairError):
    """A worker process died or failed; the message names the part of the input that it worked on."""
