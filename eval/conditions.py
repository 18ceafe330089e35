"""Under which conditions a rewriter answered: what a figure's signature says beside the metric's own settings."""

from __future__ import annotations

from rewriter.language.version import grammar_version
from rewriter.model.ctranslate import cpu_instructions
from rewriter.model.deciders import NETWORK
from rewriter.pipeline import Rewriter


def conditions_of(rewriter: Rewriter) -> dict[str, str]:
    """Return the fields of a signature that say how a rewriter was used.

    ``guard`` and ``gate``; ``grammar``, the version of the language's rules and tables; ``decides``, who decided what
    the grammar leaves open, unless it was the network; ``isa``, the vector instructions that the network was computed
    with, or its device.

    Args:
        rewriter: any rewriter.
    """
    options = rewriter.options
    fields = guard_conditions(rewriter.info.lang, options.guard, gate=options.gate)
    if options.decides != NETWORK:
        fitted = "-fitted" if options.constants else ""
        return fields | {"decides": f"{options.decides}{fitted}"}
    if rewriter.info.target == "grammar":
        return fields
    return fields | {"isa": cpu_instructions() if options.device == "cpu" else options.device}


def guard_conditions(lang: str, guard: str, *, gate: bool) -> dict[str, str]:
    """Return the fields of a signature about the guard.

    Args:
        lang: code of the language.
        guard: its mode.
        gate: whether only sentences with a gendered word were asked about.
    """
    return {"guard": guard, "gate": "on" if gate else "off", "grammar": grammar_version(lang)}
