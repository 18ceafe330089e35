"""What the evaluation asks a language about its edits: the interface of its module ``eval/<code>/kinds.py``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rewriter.language.complete import Defaults, complete
from rewriter.language.interface import find_module

__all__ = ["EditKinds", "edit_kinds"]

#: tokens of a sentence
Tokens = tuple[str, ...]
#: (tokens before, tokens after) -> kind, or None
KindNamer = Callable[[Tokens, Tokens], str | None]
#: (sentence, start, end of the word in it) -> one of :data:`eval.reading.edits.REFERRING`, or None for any other word
ReferringKind = Callable[[str, int, int], str | None]


@dataclass(frozen=True)
class EditKinds:
    """What a language says about edits; :data:`DEFAULTS` has what its module may leave out.

    Attributes:
        names: the kinds that :attr:`name_kind` gives (``KINDS`` of the module).
        name_kind: names the kind of an edit.
        cut: cuts a sentence into words, where a tokenizer would take words apart; None leaves that to the tokenizer.
        referring: names the kind of a word that refers to somebody.
    """

    names: tuple[str, ...]
    name_kind: KindNamer
    cut: Callable[[str], Tokens] | None
    referring: ReferringKind


def _no_kind(before: Tokens, after: Tokens) -> None:
    return None


def _not_referring(source: str, start: int, end: int) -> None:
    return None


#: what a module ``kinds`` has that leaves a name out
DEFAULTS: Defaults = {"cut": lambda module: None, "referring": lambda module: _not_referring}


def edit_kinds(lang: str) -> EditKinds:
    """Return what a language says about edits; of one without a module ``kinds`` no edit has a kind."""
    module = find_module("eval", lang, "kinds")
    if module is None:
        return EditKinds((), _no_kind, None, _not_referring)
    complete(module, DEFAULTS)
    return EditKinds(module.KINDS, module.name_kind, module.cut, module.referring)
