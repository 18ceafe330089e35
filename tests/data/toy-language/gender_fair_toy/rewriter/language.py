"""The toy language behind the language interface: pronouns, nouns of a table, and the determiner before a noun."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from lexicons.loader import read_table
from rewriter.language.candidates import Analysis, Candidate
from rewriter.language.interface import Profile
from rewriter.language.tokens import Token
from rewriter.records import Edit
from rewriter.text.spans import cut_spans
from rewriter.text.word_pattern import any_word

from .tokens import tokenize

OUTCOMES = ("keep", "fair")
KEEP, FAIR = range(len(OUTCOMES))
PROFILE = Profile(
    convention="toy-e",
    names=("toy", "tolan"),
    kinds=("determiner",),
    example="Lo vide un medo.",
    limits="It may take *la* (there) for *la* (she).",
)

_BOUNDARY = re.compile(r"(?<![.!?])(?P<end>[.!?]++)(?=\s)|(?P<blank>\r?\n[ \t]*(?=\r?\n))")


def make(*, extra_nouns: Iterable[dict[str, str]] = ()) -> Toy:
    """Return the language.

    Args:
        extra_nouns: rows with ``gendered`` and ``fair``, from a user's own table.
    """
    nouns = {row[gender]: row["fair"] for row in read_table("toy", "nouns") for gender in ("masculine", "feminine")}
    return Toy(nouns | {row["gendered"].lower(): row["fair"] for row in extra_nouns})


class Toy:
    """*lo* and *la* become *le*, nouns in *-o* and *-a* end in *-e*."""

    code = "toy"
    outcomes = OUTCOMES

    def __init__(self, nouns: dict[str, str]) -> None:
        self.nouns = nouns
        self.pronouns = {row["gendered"]: row["fair"] for row in read_table("toy", "pronouns")}
        self.determiners = {row["gendered"]: row["fair"] for row in read_table("toy", "determiners")}
        #: with these words lines of a corpus are passed over without being decoded
        self.gate_words = (*self.pronouns, *self.nouns)
        self._gate = any_word(self.gate_words)

    def segment(self, text: str) -> list[tuple[int, int]]:
        """Return sentence spans: a sentence ends with its mark, before white space."""
        return cut_spans(text, _BOUNDARY, lambda text, match: True)

    def gate(self, text: str) -> bool:
        """Tell whether ``text`` holds a pronoun or a noun of the table."""
        return self._gate.search(text.lower()) is not None

    def analyze(self, text: str, protected: Sequence[tuple[int, int]] = (), *, training: bool = False) -> Analysis:
        """Return tokens and candidates; only *la* before a word is left for a model to decide."""
        tokens = tokenize(text)
        candidates: list[Candidate] = []
        for index, token in enumerate(tokens):
            if any(start < token.end and token.start < end for start, end in protected):
                continue
            if token.norm in self.pronouns:
                candidates.append(self._pronoun(text, tokens, index))
            elif token.norm in self.nouns:
                if index and tokens[index - 1].norm in self.determiners:
                    governor = len(candidates) + 1  # the noun, which comes next
                    fair = self.determiners[tokens[index - 1].norm]
                    candidates.append(_candidate(text, tokens, index - 1, "determiner", fair, governor=governor))
                candidates.append(_candidate(text, tokens, index, "noun", self.nouns[token.norm]))
        if training:
            candidates = [replace(candidate, forced=None) for candidate in candidates]
        return Analysis(tokens, candidates)

    def forms(self, gender: str) -> dict[str, str]:
        """Return what every word of the tables, fair and gendered, is in a gender (``masculine``, ``feminine``)."""
        rows = [*read_table("toy", "pronouns"), *read_table("toy", "determiners")]
        words = {row["fair"]: row["gendered"] for row in rows if row["gender"] == gender}
        words |= {row["gendered"]: words[row["fair"]] for row in rows}
        nouns = read_table("toy", "nouns")
        return words | {row[column]: row[gender] for row in nouns for column in ("masculine", "feminine", "fair")}

    def _pronoun(self, text: str, tokens: Sequence[Token], index: int) -> Candidate:
        found = _candidate(text, tokens, index, "pronoun", self.pronouns[tokens[index].norm])
        if tokens[index].norm == "lo":
            return found
        before_word = index + 1 < len(tokens) and tokens[index + 1].norm.isalpha()
        # at the end of a clause it is "there"
        return replace(found, forced=None if before_word else KEEP)

    def settle(
        self, text: str, analysis: Analysis, options: Sequence[int], scores: Sequence[float], probabilities: Any = None
    ) -> list[Edit]:
        """Make a determiner follow its noun, and return the edits."""
        edits = []
        for candidate, option, score in zip(analysis.candidates, options, scores, strict=True):
            chosen = option if candidate.governor < 0 else options[candidate.governor]
            before, (outcome, after) = text[candidate.start : candidate.end], candidate.options[chosen]
            if outcome != KEEP:
                reason = f"{before} -> {after}"
                edits.append(Edit(candidate.start, candidate.end, before, after, candidate.kind, reason, score))
        return edits


def _candidate(
    text: str, tokens: Sequence[Token], index: int, kind: str, fair: str, *, governor: int = -1
) -> Candidate:
    token = tokens[index]
    options = (KEEP, text[token.start : token.end]), (FAIR, in_capitals(fair, token.shape))
    return Candidate(token.start, token.end, index, kind, options, FAIR, governor)


def in_capitals(word: str, shape: int) -> str:
    """Return a word in the capitals of a shape (:class:`rewriter.language.tokens.Token`)."""
    return (word, word.capitalize(), word.upper())[shape]
