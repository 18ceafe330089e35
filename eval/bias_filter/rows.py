"""The bias filter over rows of ``datasets``: picklable callables for ``map`` and ``filter``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from eval.bias_filter.matcher import MIXED, NEUTRAL, Matcher, class_names
from rewriter.errors import UsageError
from rewriter.registry import did_you_mean

#: a text, or what may be missing; its class is then missing as well
Text = TypeVar("Text", str, str | None)


class ClassTagger:
    """Adds the class of each row's text; for ``Dataset.map`` and ``IterableDataset.map`` with ``batched=True``.

    Args:
        matcher: finds the groups.
        column: the text column.
        target: the new column.
    """

    def __init__(self, matcher: Matcher, *, column: str = "text", target: str = "group") -> None:
        self._matcher, self._column, self._target = matcher, column, target

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[str | None]]:
        """Return the new column of a batch; a missing text (None) has no class."""
        return {self._target: classes_of(self._matcher, _texts(batch, self._column))}


class ClassSelector:
    """Keeps the rows of some classes; for ``Dataset.filter`` and ``IterableDataset.filter`` with ``batched=True``.

    Args:
        matcher: finds the groups.
        classes: names of groups, ``mixed``, ``neutral``.
        column: the text column.

    Raises:
        UsageError: there is no such class, or none is named.
    """

    def __init__(self, matcher: Matcher, classes: Iterable[str], *, column: str = "text") -> None:
        self._matcher, self._column = matcher, column
        self._classes = check_classes(matcher, classes)

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> list[bool]:
        """Return for each row whether it stays; a row without text (None) goes."""
        return [name in self._classes for name in classes_of(self._matcher, _texts(batch, self._column))]


def check_classes(matcher: Matcher, classes: Iterable[str]) -> frozenset[str]:
    """Return the classes as a set.

    Raises:
        UsageError: there is no such class, or none is named.
    """
    known = [*matcher.groups, MIXED, NEUTRAL]
    wanted = frozenset([classes] if isinstance(classes, str) else classes)
    if not wanted:
        raise UsageError(f"name the classes that are wanted: {', '.join(known)}")
    for name in sorted(wanted - set(known)):
        raise UsageError(f"there is no class '{name}'{did_you_mean(name, known)}; classes: {', '.join(known)}")
    return wanted


def classes_of(matcher: Matcher, texts: Sequence[Text]) -> list[Text]:
    """Return the class of each text, None where there is no text."""
    masks = matcher.scan([text for text in texts if text is not None]).masks
    names: Iterator[Any] = iter(class_names(matcher.groups, masks))
    return [None if text is None else next(names) for text in texts]


def _texts(batch: Mapping[str, Sequence[Any]], column: str) -> Sequence[Any]:
    if column not in batch:
        raise UsageError(f"the data set has no column '{column}'; its columns: {', '.join(batch)}")
    texts = batch[column]
    if isinstance(texts, str):
        raise UsageError("pass batched=True to map() or filter(): many rows at a time are a hundred times as fast")
    return texts
