"""Rewriting columns of ``datasets`` data sets, in memory, on disk or as a stream."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal, Protocol

from rewriter.errors import UsageError
from rewriter.formats.jsonl import KeyPath, parse_path, show_path
from rewriter.io.files import file_digest
from rewriter.io.same_kind import Errors
from rewriter.model.directory import ModelInfo
from rewriter.model.options import Options
from rewriter.records import Rewrite
from rewriter.version import __version__

log = logging.getLogger(__name__)

#: an edit as a value of a column
EDIT = {
    "start": "int32", "end": "int32", "before": "string", "after": "string", "kind": "string", "reason": "string",
    "score": "float32",
}  # fmt: skip


class RewritesTexts(Protocol):
    """What is needed of a :class:`rewriter.pipeline.Rewriter`."""

    @property
    def options(self) -> Options:
        """How the model is used."""
        ...

    @property
    def info(self) -> ModelInfo:
        """Describes the model."""
        ...

    def rewrite(self, texts: list[str], *, return_edits: Literal[True], errors: Errors = ...) -> list[Rewrite]:
        """Return a rewrite of each text."""
        ...


def map_dataset(
    rewriter: RewritesTexts,
    dataset: Any,
    columns: Sequence[str],
    *,
    edits: str | None = None,
    batch_size: int,
    errors: Errors = "raise",
    options: Mapping[str, Any],
) -> Any:
    """Rewrite columns of a data set; see :meth:`rewriter.pipeline.Rewriter.rewrite_dataset`."""
    if isinstance(dataset, dict):  # one per split
        splits = {
            name: map_dataset(
                rewriter, part, columns, edits=edits, batch_size=batch_size, errors=errors, options=options
            )
            for name, part in dataset.items()
        }
        return type(dataset)(splits)
    names = dataset.column_names
    paths = [_resolve(column, names) for column in columns]
    _check_edits(edits, paths, names)
    options = dict(options)
    if dataset.features is not None:
        # as they were: a batch without any text would else make a column without type, a stream forgets them
        options.setdefault("features", _features(dataset.features, edits))
    return dataset.map(DatasetMapper(rewriter, paths, edits, errors), batched=True, batch_size=batch_size, **options)


def _resolve(column: str, names: Sequence[str] | None) -> KeyPath:
    if names is not None and column in names:
        return (column,)
    path = parse_path(column)
    if path[0] is None or (names is not None and path[0] not in names):
        raise UsageError(f"the data set has no column '{column}'; its columns: {', '.join(names or ())}")
    return path


def _check_edits(edits: str | None, paths: Sequence[KeyPath], names: Sequence[str] | None) -> None:
    if edits is None:
        return
    if len(paths) != 1 or None in paths[0]:
        raise UsageError("a column of edits belongs to one text per row; rewrite one column, without *")
    if names is not None and edits in names:
        raise UsageError(f"the data set has a column '{edits}' already; choose another name for the edits")


def _features(features: Any, edits: str | None) -> Any:
    if edits is None:
        return features
    from rewriter.installation.extras import require

    value = require("datasets", extra="data").Value
    return type(features)({**features, edits: [{name: value(kind) for name, kind in EDIT.items()}]})


class DatasetMapper:
    """What ``datasets`` calls with a batch of rows.

    Its pickled form, by which ``datasets`` finds what it has computed before, names the toolkit's version, the content
    of model and table of nouns, and all options.
    """

    def __init__(
        self,
        rewriter: RewritesTexts,
        paths: Sequence[KeyPath],
        edits: str | None = None,
        errors: Errors = "raise",
    ) -> None:
        self._rewriter, self._paths, self._edits, self._errors = rewriter, tuple(paths), edits, errors
        lexicon = rewriter.options.lexicon
        self._identity = (__version__, rewriter.info.identity, None if lexicon is None else file_digest(lexicon))

    def __call__(self, batch: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
        """Return the columns that change; missing texts (None) stay missing."""
        columns = {str(path[0]): batch[str(path[0])] for path in self._paths}
        for path in self._paths:
            values, rewrites = self._rewritten(columns[str(path[0])], path)
            columns[str(path[0])] = values
            if self._edits is not None:
                columns[self._edits] = [
                    None if rewrite is None else [asdict(edit) for edit in rewrite.edits] for rewrite in rewrites
                ]
        return columns

    def _rewritten(self, values: Sequence[Any], path: KeyPath) -> tuple[list[Any], list[Rewrite | None]]:
        """Return the values of a column with the texts under a path rewritten, and the last rewrite of every row."""
        texts: list[str] = []

        def collect(text: str) -> str:
            texts.append(text)
            return text

        counts = []
        for value in values:
            before = len(texts)
            change_texts(value, path[1:], collect, path)
            counts.append(len(texts) - before)
        if self._edits is not None and max(counts, default=0) > 1:
            raise UsageError(
                f"column '{show_path(path)}': a column of edits belongs to one text per row, not to a list"
            )
        rewrites = self._rewriter.rewrite(texts, return_edits=True, errors=self._errors)
        for text, rewrite in zip(texts, rewrites, strict=True):
            if rewrite.error is not None:
                log.warning("column '%s': %r stays: %s", show_path(path), text[:80], rewrite.error.reason)
        found, each = iter(rewrites), iter(rewrites)
        new = [change_texts(value, path[1:], lambda _: next(found).text, path) for value in values]
        return new, [next(each) if count == 1 else None for count in counts] if self._edits else []


def change_texts(value: Any, path: KeyPath, change: Callable[[str], str], whole: KeyPath) -> Any:
    """Return a value of a row with the texts under ``path`` changed; what is missing stays so.

    Args:
        value: texts, mappings and lists in each other.
        path: way to the texts; None stands for every element of a list. A list of texts needs none.
        change: called with every text, in order.
        whole: way from the row, for messages.

    Raises:
        UsageError: there is something else than a text, or no such key.
    """
    if value is None:
        return None
    if not path:
        if isinstance(value, str):
            return change(value)
        if isinstance(value, list):
            return [change_texts(item, (), change, whole) for item in value]
        raise UsageError(f"column '{show_path(whole)}' holds {type(value).__name__}, not text")
    part, rest = path[0], path[1:]
    if part is None and isinstance(value, list):
        return [change_texts(item, rest, change, whole) for item in value]
    if part is not None and isinstance(value, Mapping) and part in value:
        return {**value, part: change_texts(value[part], rest, change, whole)}
    raise UsageError(f"column '{show_path(whole)}': there is no '{part or '*'}' in a row")
