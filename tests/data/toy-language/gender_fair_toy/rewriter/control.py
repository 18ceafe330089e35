"""What a policy has to know: who is named, and which edits belong together."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.records import Edit

from .tokens import tokenize


def names_person(sentence: str) -> bool:
    """Tell whether a word behind the first is capitalised: the toy language writes only names so."""
    return any(token.shape == 1 for token in tokenize(sentence)[1:])


def refers_back(sentence: str, offset: int) -> bool:
    """Tell whether a pronoun may mean a person named before: always."""
    return True


def governors(sentence: str, edits: Sequence[Edit]) -> list[int]:
    """Return for every edit the index of the edit that it follows: for a determiner the noun behind it."""
    return [index + 1 if edit.kind == "determiner" else -1 for index, edit in enumerate(edits)]
