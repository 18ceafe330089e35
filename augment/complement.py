"""Complementary sources of forward pairs: the same text with masculine forms only, and with feminine forms only.

Amrhein et al. 2023, section 3.2, after Sun et al. 2021 and Vanmassenhove et al. 2021. What is turned is what the
forward rules rewrote and nothing else, so the target of all versions is one: words whose fair form tells the gendered
one by the language (a module ``augment/<code>/complement.py`` with ``turned(edit, gender)``), the others by
:mod:`augment.swap`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from augment.languages import RuleResult
from augment.swap.core import Swapper
from rewriter.language.interface import find_module
from rewriter.options import one_of
from rewriter.records import Edit, apply_edits

__all__ = ["Complement", "ForwardOptions"]

WRITTEN = "written"
#: which sources a pair may have -> direction of the swapper
SOURCES = {WRITTEN: "", "masculine": "to-masculine", "feminine": "to-feminine"}


@dataclass(frozen=True)
class ForwardOptions:
    """Options of the strategy ``forward``.

    Attributes:
        sources: which versions of a text are sources: ``written``, ``masculine``, ``feminine``; the paper has the last
            two (table 4).
    """

    sources: list[str] = field(default_factory=lambda: [WRITTEN])

    def __post_init__(self) -> None:
        for name in self.sources:
            one_of(SOURCES, sources=name)


class Complement:
    """Makes the sources of a pair.

    Args:
        options: which ones.
        lang: language code.

    Raises:
        UsageError: the language cannot be swapped.
    """

    def __init__(self, options: ForwardOptions, lang: str) -> None:
        self._sources = options.sources
        turned = [name for name in options.sources if name != WRITTEN]
        module = find_module("augment", lang, "complement")
        self._turned: Callable[[Edit, str], str | None] = _unknown if module is None else module.turned
        self._swappers = {name: Swapper(lang, direction=SOURCES[name], names=False) for name in turned}

    def __call__(self, results: Sequence[RuleResult]) -> list[RuleResult]:
        """Return every result once for each source; those that must not be used stay as they are."""
        return [
            one
            for result in results
            for one in ([result] if result.dropped else [self._version(result, name) for name in self._sources])
        ]

    def _version(self, result: RuleResult, name: str) -> RuleResult:
        if name == WRITTEN:
            return result
        swapped = self._swappers[name].swap(result.source, return_edits=True).edits
        kept: list[Edit] = []
        for edit in result.edits:
            word = self._turned(edit, name)
            if word is None:
                kept += (one for one in swapped if one.start < edit.end and edit.start < one.end and one not in kept)
            elif word != edit.before:
                kept.append(replace(edit, after=word))
        doubtful = tuple(_moved(span, kept) for span in result.doubtful)
        # the edits were offsets of the text as it was written
        return replace(result, source=apply_edits(result.source, kept), form=name, edits=(), doubtful=doubtful)


def _unknown(edit: Edit, gender: str) -> None:
    """Return None: the language does not say which gendered form a fair one comes from."""


def _moved(span: tuple[int, int], edits: Sequence[Edit]) -> tuple[int, int]:
    """Return where a span stands after edits; one that touches it belongs to it."""
    start = span[0] + sum(len(e.after) - len(e.before) for e in edits if e.end <= span[0])
    end = span[1] + sum(len(e.after) - len(e.before) for e in edits if e.start < span[1])
    return start, max(start, end)
