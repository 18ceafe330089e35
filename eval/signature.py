"""Signatures: what a figure was computed with, in one line that a machine can read.

After sacreBLEU (Post 2018, "A Call for Clarity in Reporting BLEU Scores"): a score without its tokenizer, case and
number of sentences cannot be compared with another one.
"""

from __future__ import annotations

from rewriter.errors import UsageError
from rewriter.version import __version__


def signature(metric: str, **fields: object) -> str:
    """Return ``metric|key:value|...|version:x.y.z`` with the fields in the order given.

    Raises:
        UsageError: a value holds ``|``, which would make the signature unreadable.
    """
    parts = [metric]
    for key, value in {**fields, "version": __version__}.items():
        if "|" in str(value):
            raise UsageError(f"'{value}' cannot stand in a signature ({key}): it holds '|'")
        parts.append(f"{key}:{value}")
    return "|".join(parts)


def parse_signature(text: str) -> dict[str, str]:
    """Return the fields of a signature; the metric's name stands under ``metric``.

    Raises:
        UsageError: ``text`` is no signature.
    """
    metric, *fields = text.split("|")
    if not metric or any(":" not in field for field in fields):
        raise UsageError(f"'{text}' is no signature of the form metric|key:value|...")
    return {"metric": metric} | {key: value for key, _, value in (field.partition(":") for field in fields)}
