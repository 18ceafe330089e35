"""What an edit model decides about: tokens that an encoder reads, and candidates with the few outcomes allowed."""

from __future__ import annotations

from dataclasses import dataclass, field

from rewriter.language.tokens import Token

__all__ = ["Analysis", "Candidate"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A span that may be rewritten, and how.

    Attributes:
        start: offset of the first character of the span in the sentence.
        end: offset behind its last character.
        token: index of the token whose encoding decides.
        kind: kind of the edit: ``pronoun``, ``verb``, ``contraction``, ``noun``.
        options: (outcome id, replacement) in fixed order; the first is "keep" with the span itself.
        forced: outcome that the grammar alone settles; None where the model decides.
        governor: index (in the analysis) of the candidate that this one follows: a clitic its pronoun; -1 for none.
        lean: log-odds, counted beforehand, by which the last option is likelier than the others; added to the model's.
        rule: name of the rule that settles ``forced`` or gives ``lean``; empty where there is none.
    """

    start: int
    end: int
    token: int
    kind: str
    options: tuple[tuple[int, str], ...]
    forced: int | None = None
    governor: int = -1
    lean: float = 0.0
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Analysis:
    """Tokens and candidates of one sentence.

    Attributes:
        tokens: of the sentence.
        candidates: in order.
        is_revised: somebody has written the sentence, or what stands before it, gender-fairly already.
    """

    tokens: list[Token] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    is_revised: bool = False

    @property
    def open(self) -> list[int]:
        """Indices of the candidates that the model has to decide."""
        return [i for i, candidate in enumerate(self.candidates) if candidate.forced is None]
