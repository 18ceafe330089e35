"""A text in, a text out; a list in, a list out; an iterator in, an iterator out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from rewriter.errors import UsageError
from rewriter.records import Rewrite

#: texts that an iterator is consumed by at a time
CHUNK = 1024

Many = Callable[[Sequence[str]], list[Rewrite]]


def answer_alike(texts: Any, many: Many, *, return_edits: bool, called: str) -> Any:
    """Return what ``many`` makes of the texts, in the shape in which they came.

    Args:
        texts: a string, a list or tuple, or an iterable of strings, which is consumed lazily.
        many: rewrites a batch of texts.
        return_edits: return :class:`~rewriter.records.Rewrite` instead of strings.
        called: name of the function that the user called, for messages.

    Raises:
        UsageError: ``texts`` is none of these.
    """
    if isinstance(texts, str):
        return _shown(many([texts])[0], return_edits)
    if isinstance(texts, list | tuple):
        return [_shown(result, return_edits) for result in many(texts)]
    if not isinstance(texts, Iterable):
        raise UsageError(f"{called}() takes a string, a list or an iterator of strings, not {type(texts).__name__}")
    return _stream(iter(texts), many, return_edits)


def _stream(texts: Iterator[str], many: Many, return_edits: bool) -> Iterator[Any]:
    while chunk := list(islice(texts, CHUNK)):
        for result in many(chunk):
            yield _shown(result, return_edits)


def _shown(result: Rewrite, return_edits: bool) -> Rewrite | str:
    return result if return_edits else result.text
