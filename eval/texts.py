"""Reading what is to be scored, and noticing arguments in the wrong order."""

from __future__ import annotations

import os
from pathlib import Path

from rewriter.errors import MetricError
from rewriter.io.files import read_lines

_ROLES = {
    "hyp": "hypothesis",
    "hypothesis": "hypothesis",
    "hypotheses": "hypothesis",
    "ref": "reference",
    "reference": "reference",
    "references": "reference",
    "src": "source",
    "source": "source",
    "sources": "source",
}
#: endings that tell how a file is stored, not what it holds
_FORMATS = {"txt", "gz", "zst"}


def read_sentences(path: str | Path) -> list[str]:
    """Return the lines of a text file, empty ones included; line N is sentence N.

    Raises:
        InputError: the file cannot be read, or a line is not UTF-8 (``FILE:LINE``).
    """
    return list(read_lines(path))


def named_role(path: str | Path) -> str | None:
    """Return what a file's name says it is: ``news.ref`` and ``reference.txt`` are a reference; most names say nothing.

    Only the last part of the name counts, so that ``news.ref-tuned`` or ``reference-model.out`` say nothing.
    """
    parts = [part for part in Path(path).name.lower().split(".") if part not in _FORMATS]
    return _ROLES.get(parts[-1]) if parts else None


def refuse_swapped(
    *, hypothesis: str | Path, reference: str | Path, source: str | Path | None = None, where: str = ""
) -> None:
    """Refuse files whose names say that they were given in another order.

    Names are the only certain sign: a system that does nothing equals its source, a reference without gendered words
    does too, and a good system equals its reference, so no comparison of contents can tell a swap from a result.

    Raises:
        MetricError: the names contradict the order.
    """
    roles = {"hypothesis": named_role(hypothesis), "reference": named_role(reference)}
    swapped = roles["reference"] != "reference" and roles["hypothesis"] == "reference"
    swapped |= roles["reference"] == "hypothesis" and roles["hypothesis"] != "hypothesis"
    if swapped:
        raise MetricError(
            f"hypothesis and reference look swapped: the hypothesis is {hypothesis}, the reference {reference}. "
            f"The hypothesis comes first{where}"
        )
    if source is not None and named_role(source) == "reference" and roles["reference"] == "source":
        raise MetricError(
            f"source and reference look swapped: the source is {source}, the reference {reference}{where}"
        )


def is_published(path: str | Path) -> bool:
    """Return whether a file lies in the folder of published test sets that ``GENDER_FAIR_TESTSETS`` names.

    Those are for measuring only: their sentences are not shown, so that nobody tunes on them by reading.
    """
    folder = os.environ.get("GENDER_FAIR_TESTSETS")
    return bool(folder) and Path(path).resolve().is_relative_to(Path(str(folder)).resolve())
