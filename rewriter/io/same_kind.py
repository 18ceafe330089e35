"""A text in, a text out; a list in, a list out; an iterator in, an iterator out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Literal, get_args

from rewriter.errors import Fault, TextError, UsageError
from rewriter.faults import each, kept
from rewriter.io.containers import Rebuild, opened
from rewriter.options import one_of
from rewriter.records import Rewrite

#: texts that an iterator is consumed by at a time
CHUNK = 1024

#: what becomes of texts on which the toolkit fails
Errors = Literal["raise", "keep"]
ERRORS: tuple[str, ...] = get_args(Errors)

Many = Callable[[Sequence[str]], list[Rewrite]]


def answer_in_kind(
    texts: Any, many: Many, *, return_edits: bool, called: str, errors: str = "raise", probe: Many | None = None
) -> Any:
    """Return what ``many`` makes of the texts, in the shape in which they came.

    Args:
        texts: a string, a list or tuple, a column of pandas, NumPy or Arrow, or an iterable of strings, which is
            consumed lazily.
        many: rewrites a batch of texts.
        return_edits: return :class:`~rewriter.records.Rewrite` instead of strings.
        called: name of the function that the user called, for messages.
        errors: one of :data:`ERRORS`; ``keep`` leaves a text that cannot be worked on as it is.
        probe: does what ``many`` does and remembers nothing (:func:`rewriter.faults.each`).

    Raises:
        UsageError: ``texts`` is none of these.
        TextError: a text cannot be worked on, and ``errors`` is ``raise``.
    """
    one_of(ERRORS, errors=errors)
    careful = _Careful(many, probe or many, called, keep=errors == "keep")
    if isinstance(texts, str):
        return _shown(careful.rewrite([texts])[0], return_edits)
    if isinstance(texts, list | tuple):
        return [_shown(result, return_edits) for result in careful.rewrite(texts)]
    column = opened(texts)
    if column is not None:
        return _column(*column, careful, return_edits)
    if not isinstance(texts, Iterable):
        raise UsageError(f"{called}() takes a string, a list or an iterator of strings, not {type(texts).__name__}")
    return _stream(iter(texts), careful, return_edits)


def _column(values: list[Any], rebuild: Rebuild, careful: _Careful, return_edits: bool) -> Any:
    """Return a column of the same kind, or with edits a list; missing values stay."""
    places = [place for place, value in enumerate(values) if not _is_missing(value)]
    rewrites = careful.rewrite([values[place] for place in places])
    found: list[Any] = [None if return_edits else value for value in values]
    for place, result in zip(places, rewrites, strict=True):
        found[place] = _shown(result, return_edits)
    return found if return_edits else rebuild(found)


def _is_missing(value: Any) -> bool:
    """Return True for None, NaN and pandas' NA: what is no text and does not equal itself for certain."""
    return (
        value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
    )


def _stream(texts: Iterator[str], careful: _Careful, return_edits: bool) -> Iterator[Any]:
    while chunk := list(islice(texts, CHUNK)):
        for result in careful.rewrite(chunk):
            yield _shown(result, return_edits)


class _Careful:
    """Rewrites batches of texts one after the other; knows how many came before."""

    def __init__(self, many: Many, probe: Many, called: str, *, keep: bool) -> None:
        self._many, self._probe, self._called, self._keep = many, probe, called, keep
        self._before = 0

    def rewrite(self, texts: Sequence[str]) -> list[Rewrite]:
        results = each(self._many, texts, probe=self._probe)
        faults = {place: result for place, result in enumerate(results) if isinstance(result, Fault)}
        if faults and not self._keep:
            self._raise(texts, faults)
        self._before += len(texts)
        return kept(texts, results)

    def _raise(self, texts: Sequence[str], faults: dict[int, Fault]) -> None:
        first = min(faults)
        index = self._before + first
        message = (
            f"{self._called}(): text {index} cannot be worked on: {faults[first].reason}. This is an error of the "
            "toolkit; errors='keep' leaves such texts as they are"
        )
        known = {self._before + place: fault for place, fault in faults.items()}
        try:
            self._many([texts[first]])  # once more, so that its error can be chained
        except Exception as error:
            raise TextError(message, index, known) from error
        raise TextError(message, index, known)


def _shown(result: Rewrite, return_edits: bool) -> Rewrite | str:
    return result if return_edits else result.text
