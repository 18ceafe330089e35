"""Rewriting without a model: only what the grammar of a language settles by itself.

In English that is a little (*She* -> *They*); in German, which a network reads, only forms that are gender-fair
already. A directory of the target ``grammar`` holds no weights and is used like any model's: with the command, in
corpora, on the way back.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rewriter.language.candidates import Analysis
from rewriter.language.interface import Language, get_language
from rewriter.model.directory import ModelInfo, seal
from rewriter.model.proposer import Proposal, Sentence, analyze
from rewriter.version import __version__

__all__ = ["GrammarProposer", "write_grammar_model"]

#: the target of model directories without weights
GRAMMAR = "grammar"


class GrammarProposer:
    """Makes what is settled and leaves what is open (see :class:`rewriter.model.proposer.Proposer`).

    A phrase in which one word is open is left as a whole: half of it in another gender would be worse than none.
    """

    def __init__(self, language: Language) -> None:
        self._language = language

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        """Return one proposal per sentence."""
        return [self._one(sentence) for sentence in sentences]

    def _one(self, sentence: Sentence) -> Proposal:
        analysis = analyze(self._language, sentence)
        options = settled_options(analysis)
        if not any(options):
            return Proposal()
        scores = [1.0] * len(options)
        return Proposal(list(self._language.settle(sentence.text, analysis, options, scores)))


def settled_options(analysis: Analysis) -> list[int]:
    """Return the index of the option of every candidate that is settled with its whole phrase, 0 for the others."""
    candidates = analysis.candidates
    heads = [candidate.governor if candidate.governor >= 0 else i for i, candidate in enumerate(candidates)]
    is_open = {head for head, candidate in zip(heads, candidates, strict=True) if candidate.forced is None}
    return [
        0 if candidate.forced is None or head in is_open else _option(candidate.options, candidate.forced)
        for head, candidate in zip(heads, candidates, strict=True)
    ]


def _option(options: Sequence[tuple[int, str]], outcome: int) -> int:
    return next(index for index, (known, _) in enumerate(options) if known == outcome)


def write_grammar_model(folder: str | Path, lang: str) -> ModelInfo:
    """Write a model directory without weights, which rewrites by grammar alone; return its description.

    Args:
        folder: made where it does not exist.
        lang: language code.

    Raises:
        UsageError: there is no such language.
    """
    get_language(lang)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return seal(folder, ModelInfo(f"{lang}-{GRAMMAR}", lang, GRAMMAR, toolkit_version=__version__))
