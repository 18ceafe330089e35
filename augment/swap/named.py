"""Which edits turn a person that the text names, as the rewriter's scope ``generic`` tells it: by sentence."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.language.interface import Language
from rewriter.policy import Policy
from rewriter.policy.scope import control_rules
from rewriter.records import Edit

_GENERIC = Policy(scope="generic")


def named_by_sentence(language: Language, text: str, edits: Sequence[Edit]) -> list[bool]:
    """Return for every edit whether its sentence names a person or goes on about one named before.

    Args:
        language: has the ``code`` and cuts text into sentences.
        text: the whole text.
        edits: in order.

    Raises:
        UsageError: there is no heuristic for names of persons in the language.
    """
    control_rules(language.code)
    generic, _ = _GENERIC.filter(text, edits, language)
    kept = {(edit.start, edit.end) for edit in generic}
    return [(edit.start, edit.end) not in kept for edit in edits]
