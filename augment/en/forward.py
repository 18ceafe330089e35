"""Forward augmentation: gendered English to singular *they* by parse (Sun et al. 2021; Vanmassenhove et al. 2021).

The candidates of ``rewriter.en`` say which words may change and into what; the rules of the modules ``forward_*``
decide each of them from the parse.
"""

from __future__ import annotations

import re
from collections import Counter

from augment.dependency import Parse
from augment.en import forward_pronouns, forward_words
from augment.en.forward_context import Context, decide
from augment.languages import RuleResult
from rewriter.en.candidates import KEEP, analyze
from rewriter.en.lexicon import EnglishLexicon
from rewriter.en.segmenter import segment
from rewriter.language.candidates import Candidate
from rewriter.policy.protect import protected_spans
from rewriter.records import Edit, apply_edits

#: the modules that hold the rules: importing them registers these, in this order
__all__ = ["form_of", "forward", "forward_pronouns", "forward_words"]


def forward(parse: Parse, lexicon: EnglishLexicon) -> RuleResult:
    """Rewrite a gendered text to the convention ``en-singular-they``.

    Args:
        parse: of the text.
        lexicon: compiled tables.

    Returns:
        The pair with its edits; ``dropped`` is set where nothing was to rewrite.
    """
    edits: list[Edit] = []
    doubtful: list[tuple[int, int]] = []
    statistics: Counter[str] = Counter()
    protected = protected_spans(parse.text)
    for begin, end in segment(parse.text):
        context = _context(parse, lexicon, protected, begin, end)
        for candidate in context.analysis.candidates:
            edit, is_doubtful = _settle(context, candidate)
            if edit:
                edits.append(edit)
                statistics[edit.reason] += 1
            if is_doubtful:
                doubtful.append((begin + candidate.start, begin + candidate.end))
    target = apply_edits(parse.text, edits)
    dropped = "" if edits else "nothing to rewrite"
    return RuleResult(parse.text, target, form_of(edits), tuple(edits), tuple(doubtful), statistics, dropped)


def _context(parse: Parse, lexicon: EnglishLexicon, protected: list[tuple[int, int]], begin: int, end: int) -> Context:
    text = parse.text[begin:end]
    inside = [(max(a, begin) - begin, min(b, end) - begin) for a, b in protected if a < end and b > begin]
    return Context(parse, analyze(text, lexicon, protected=inside), begin, text, lexicon.rules)


def _settle(context: Context, candidate: Candidate) -> tuple[Edit | None, bool]:
    found = decide(context, candidate)
    if found is None:
        return None, False
    name, decision = found
    after = dict(candidate.options).get(decision.outcome)
    before = context.text[candidate.start : candidate.end]
    if after is None or decision.outcome == KEEP or after == before:
        return None, decision.doubtful
    begin = context.begin
    return Edit(begin + candidate.start, begin + candidate.end, before, after, candidate.kind, name), decision.doubtful


_MASCULINE = re.compile(r"\b(?:he|him|his|himself)\b|(?:man|men|master|masters|stewards?)\b", re.IGNORECASE)
_FEMININE = re.compile(
    r"\b(?:she|her|hers|herself)\b|(?:woman|women|lady|ladies|mistress|mistresses|esse?s?)\b", re.IGNORECASE
)


def form_of(edits: list[Edit]) -> str:
    """Return the form of a source from its pronouns and nouns: masculine, feminine or mixed."""
    words = " ".join(e.before for e in edits if e.kind in ("pronoun", "noun"))
    feminine = bool(_FEMININE.search(words))
    masculine = bool(_MASCULINE.search(re.sub(r"(?i)\bwom[ae]n|\w+wom[ae]n", "", words)))
    if feminine and masculine:
        return "mixed"
    return "feminine" if feminine else "masculine"
