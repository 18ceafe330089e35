"""Under which conditions a rewriter answered: what a figure's signature says beside the metric's own settings."""

from __future__ import annotations

from rewriter.language.version import grammar_version
from rewriter.model.ctranslate import compute_type, cpu_instructions
from rewriter.model.deciders import NETWORK
from rewriter.pipeline import Rewriter


def conditions_of(rewriter: Rewriter) -> dict[str, str]:
    """Return the fields of a signature that say how a rewriter was used.

    ``guard`` and ``gate``; ``grammar``, the version of the language's rules and tables; ``decides``, who decided what
    the grammar leaves open, unless it was the network; ``isa``, the vector instructions that the network was computed
    with, or its device; ``computed:float32`` where these are none for whole numbers of 8 bits.

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
    if options.device != "cpu":
        return fields | {"isa": options.device}
    floats = {"computed": "float32"} if compute_type() == "float32" else {}
    return fields | {"isa": cpu_instructions()} | floats


def guard_conditions(lang: str, guard: str, *, gate: bool) -> dict[str, str]:
    """Return the fields of a signature about the guard.

    Args:
        lang: code of the language.
        guard: its mode.
        gate: whether only sentences with a gendered word were asked about.
    """
    return {"guard": guard, "gate": "on" if gate else "off", "grammar": grammar_version(lang)}
