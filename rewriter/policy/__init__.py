"""What a user allows: words, kinds of edit, scope, spans that are protected."""

from rewriter.policy.ambiguity import Flag, flag_ambiguous
from rewriter.policy.rules import AMBIGUOUS, KINDS, PLACES, SCOPES, Policy, Span, Withheld, marked_spans, merge_spans

__all__ = [
    "AMBIGUOUS",
    "KINDS",
    "PLACES",
    "SCOPES",
    "Flag",
    "Policy",
    "Span",
    "Withheld",
    "flag_ambiguous",
    "marked_spans",
    "merge_spans",
]
