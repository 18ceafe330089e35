"""What a user allows: words, kinds of edit, scope, spans that are protected."""

from rewriter.policy.rules import KINDS, SCOPES, Policy, Span, Withheld, marked_spans, merge_spans

__all__ = ["KINDS", "SCOPES", "Policy", "Span", "Withheld", "marked_spans", "merge_spans"]
