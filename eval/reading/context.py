"""A read sentence as a rewriter meets it in its line: with what must stay and with the sentences before it."""

from __future__ import annotations

from eval.reading.gold import FoundSentence
from rewriter.language.interface import Language
from rewriter.model.cutting import CONTEXT
from rewriter.model.proposer import Sentence
from rewriter.policy.protect import protected_spans
from rewriter.text.offsets import within


def in_context(found: FoundSentence, language: Language) -> Sentence:
    """Return the sentence with its protected spans and, where the language reads them, the sentences before it."""
    before = tuple(sentences_before(found, language)) if language.reads_before(found.text) else ()
    protected = within(protected_spans(found.line), found.gold.start, found.gold.end)
    return Sentence(found.text, protected, before)


def sentences_before(found: FoundSentence, language: Language) -> list[str]:
    """Return the sentences before a sentence in its line, the last :data:`rewriter.model.cutting.CONTEXT` of them."""
    spans = [span for span in language.segment(found.line) if span[1] <= found.gold.start]
    return [found.line[start:end] for start, end in spans[-CONTEXT:]]
