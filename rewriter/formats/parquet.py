"""Parquet: row groups in, row groups out; the text columns change, everything else has equal values.

The schema with its metadata, the order and number of rows, the row groups, and per column the compression codec and the
use of dictionaries are those of the source. A row group is held in memory as a whole, as Parquet writes it.

Text columns are strings (also large or dictionary-encoded), alone or within structs and lists: ``meta.body``,
``messages.*.content``, and a list of strings by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from rewriter.errors import OutputError, UsageError
from rewriter.formats.base import Content, not_utf8
from rewriter.formats.jsonl import KeyPath, parse_path, show_path
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write
from rewriter.io.parquet import arrow_errors, open_parquet
from rewriter.registry import did_you_mean

#: gets texts, each with the number of its row in the row group (from 0) as index; returns as many
RewriteTexts = Callable[[Sequence[Content]], Sequence[str]]
#: gets the number of a row, from 1, and why its text is left as it is
RejectRow = Callable[[int, str], None]


class ParquetTexts:
    """The text columns of a Parquet file.

    Args:
        path: the file.
        columns: names or paths of the texts.
        lang_column: name or path of the language of a row.

    Raises:
        InputError: the file cannot be read, or is no Parquet file.
        UsageError: there is no such column, or it does not hold text.
        MissingExtraError: pyarrow is not installed.
    """

    def __init__(self, path: str | Path, columns: Sequence[str] = ("text",), lang_column: str | None = None) -> None:
        self.path = Path(path)
        require("pyarrow", extra="data")
        with open_parquet(self.path) as file:
            self._arrow_schema = file.schema_arrow
            self.rows = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
        self._columns = list(dict.fromkeys(self._resolve(column) for column in columns))
        self._language = None if lang_column is None else self._resolve(lang_column, numbers=True)
        if self._language is not None and None in self._language:
            raise UsageError(f"{self.path}: the language column '{lang_column}' is a list; a row has one language")

    @property
    def row_groups(self) -> int:
        """Number of row groups."""
        return len(self.rows)

    def _resolve(self, column: str, *, numbers: bool = False) -> KeyPath:
        """Return the path to a text column (or one of whole numbers), with ``*`` where it goes through a list."""
        names = self._arrow_schema.names
        path: KeyPath = (column,) if column in names else parse_path(column)
        if path[0] not in names:
            listed = ", ".join(repr(name) for name in names[:50])
            near = did_you_mean(str(path[0]), names)
            raise UsageError(f"{self.path}: no column '{column}'{near}; the file has {listed}")
        if names.count(path[0]) > 1:
            raise UsageError(f"{self.path}: column '{path[0]}' is there more than once")
        kind = self._arrow_schema.field(path[0]).type
        return (path[0], *_check(kind, path[1:], f"{self.path}: column '{column}'", numbers=numbers))

    def read_row_group(self, number: int, *, reject: RejectRow | None = None) -> list[tuple[int, str]]:
        """Return the texts of one row group that are not null, column after column, each with its row in the group.

        Args:
            number: of the row group, from 0.
            reject: is told what is left out because it is not UTF-8.

        Raises:
            InputError: the row group is damaged.
        """
        texts: list[tuple[int, str]] = []

        def take(contents: Sequence[Content]) -> list[str]:
            texts.extend((content.place, content.text) for content in contents)
            return [content.text for content in contents]

        with open_parquet(self.path) as file:
            table = self._table(file, number)
            work = _RowGroup(table, sum(self.rows[:number]), None, take, reject)
            for path in self._columns:
                work.rewrite_column(table, path)
        return texts

    def rewrite_row_group(
        self,
        number: int,
        target: str | Path,
        *,
        rewrite: RewriteTexts,
        reject: RejectRow | None = None,
        doubled: Callable[[], Sequence[int]] | None = None,
    ) -> None:
        """Write one row group, rewritten, as a Parquet file.

        Args:
            number: of the row group, from 0.
            target: where to write; it appears when it is complete.
            rewrite: gets the texts that are not null, in the order of the rows, column after column.
            reject: is told what is left as it is because it is not UTF-8.
            doubled: asked when all texts are rewritten; its rows, by number in the row group, in order, are written
                behind their sources, and all others as they were. None puts every text in its source's place.

        Raises:
            InputError: the row group is damaged.
            OutputError: the target cannot be written.
        """
        with open_parquet(self.path) as file, _write(target, file) as writer:
            self._rewrite(file, number, writer, rewrite, reject, doubled)

    def rewrite_file(self, target: str | Path, *, rewrite: RewriteTexts, reject: RejectRow | None = None) -> None:
        """Write the whole file, rewritten; as :meth:`rewrite_row_group` for each."""
        with open_parquet(self.path) as file, _write(target, file) as writer:
            for number in range(file.num_row_groups):
                self._rewrite(file, number, writer, rewrite, reject)

    def join(self, parts: Sequence[str | Path], target: str | Path, *, doubles: bool = False) -> None:
        """Write the file whose row groups are in ``parts``, in order; with ``doubles`` up to twice the rows.

        Raises:
            InputError: a part is damaged.
            OutputError: the parts are not those of this file, or the target cannot be written.
        """
        with open_parquet(self.path) as file, _write(target, file) as writer:
            if len(parts) != self.row_groups:
                raise OutputError(f"{target}: {len(parts)} parts for {self.row_groups} row groups of {self.path}")
            for number, part in enumerate(parts):
                with open_parquet(Path(part)) as rewritten:
                    table = rewritten.read(use_threads=False)
                most = self.rows[number] * (2 if doubles else 1)
                if not self.rows[number] <= table.num_rows <= most:
                    raise OutputError(f"{part}: {table.num_rows} rows instead of {self.rows[number]}")
                writer.write_table(table, row_group_size=max(1, table.num_rows))

    def _table(self, file: Any, number: int) -> Any:
        with arrow_errors(self.path, f"row group {number} cannot be read"):
            return file.read_row_group(number, use_threads=False)

    def _rewrite(
        self,
        file: Any,
        number: int,
        writer: Any,
        rewrite: RewriteTexts,
        reject: RejectRow | None,
        doubled: Callable[[], Sequence[int]] | None = None,
    ) -> None:
        source = table = self._table(file, number)
        work = _RowGroup(table, sum(self.rows[:number]), self._language, rewrite, reject)
        for path in self._columns:
            table = work.rewrite_column(table, path)
        if doubled is not None:
            table = _doubled(source, table, doubled())
        writer.write_table(table, row_group_size=max(1, table.num_rows))


def _doubled(source: Any, table: Any, rows: Sequence[int]) -> Any:
    """Return ``source`` with the given rows of ``table`` behind their sources."""
    arrow = require("pyarrow", extra="data")
    behind = set(rows)
    size = source.num_rows
    order = [place for row in range(size) for place in ((row, size + row) if row in behind else (row,))]
    return arrow.concat_tables([source, table]).take(order) if behind else source


def _check(kind: Any, path: KeyPath, where: str, *, numbers: bool = False) -> KeyPath:
    """Return ``path`` within a type, with the ``*`` that a list of texts at its end stands for.

    Raises:
        UsageError: it leads nowhere, or to something else than text.
    """
    types = require("pyarrow.types", extra="data")
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        if path and path[0] is not None:
            raise UsageError(f"{where} goes through a list; write '*' for its elements: *.{show_path(path)}")
        return (None, *_check(kind.value_type, path[1:], where, numbers=numbers))
    if types.is_struct(kind):
        names = [kind.field(n).name for n in range(kind.num_fields)]
        if not path or path[0] not in names:
            raise UsageError(f"{where} is a struct; name one of its fields: {', '.join(names)}")
        return (path[0], *_check(kind.field(path[0]).type, path[1:], where, numbers=numbers))
    text = kind.value_type if types.is_dictionary(kind) else kind
    if path or not (types.is_string(text) or types.is_large_string(text) or (numbers and types.is_integer(text))):
        raise UsageError(f"{where} leads to the type {kind}, not to text")
    return ()


class _RowGroup:
    """Rewrites the columns of one row group."""

    def __init__(
        self, table: Any, before: int, language: KeyPath | None, rewrite: RewriteTexts, reject: RejectRow | None
    ) -> None:
        self._arrow = require("pyarrow", extra="data")
        self._compute = require("pyarrow.compute", extra="data")
        self._before = before
        self._rewrite = rewrite
        self._reject = reject
        self._languages = None if language is None else self._read_languages(table, language)

    def _read_languages(self, table: Any, path: KeyPath) -> list[str | None]:
        column = table.column(path[0])
        for part in path[1:]:
            column = self._compute.struct_field(column, part)
        return [None if value is None else str(value) for value in column.to_pylist()]

    def rewrite_column(self, table: Any, path: KeyPath) -> Any:
        place = table.schema.names.index(path[0])
        column = table.column(place)
        chunks, row = [], 0
        for chunk in column.chunks:
            rows = self._arrow.array(range(row, row + len(chunk)), self._arrow.int64())
            chunks.append(self._map(chunk, path[1:], rows))
            row += len(chunk)
        rewritten = self._arrow.chunked_array(chunks, type=column.type)
        return table.set_column(place, table.schema.field(place), rewritten)

    def _map(self, array: Any, path: KeyPath, rows: Any) -> Any:
        """Return the array with the texts at ``path`` rewritten; ``rows`` are the rows its elements belong to."""
        if not path:
            return self._map_texts(array, rows)
        if path[0] is None:
            return self._map_list(array, path[1:], rows)
        kind = array.type
        fields = [kind.field(n) for n in range(kind.num_fields)]
        children = [array.field(n) for n in range(kind.num_fields)]
        place = kind.get_field_index(path[0])
        children[place] = self._map(children[place], path[1:], rows)
        return self._arrow.StructArray.from_arrays(children, fields=fields, mask=array.is_null())

    def _map_list(self, array: Any, path: KeyPath, rows: Any) -> Any:
        types = require("pyarrow.types", extra="data")
        kind = array.type
        if types.is_fixed_size_list(kind):
            begin, size = array.offset * kind.list_size, len(array) * kind.list_size
            parents = self._arrow.array([row for row in rows.to_pylist() for _ in range(kind.list_size)])
            values = self._map(array.values.slice(begin, size), path, parents)
            return self._arrow.FixedSizeListArray.from_arrays(values, type=kind, mask=array.is_null())
        # flatten() leaves out what stands behind null, parent indices do not; lengths say how the rest is shared out
        lengths = self._compute.fill_null(self._compute.list_value_length(array), 0)
        owners = np.repeat(np.arange(len(array)), lengths.to_numpy(zero_copy_only=False))
        values = self._map(array.flatten(), path, rows.take(self._arrow.array(owners)))
        total = self._arrow.array([0], lengths.type)
        offsets = self._arrow.concat_arrays([total, self._compute.cumulative_sum(lengths)])
        make = self._arrow.LargeListArray if types.is_large_list(kind) else self._arrow.ListArray
        return make.from_arrays(offsets, values, type=kind, mask=array.is_null())

    def _map_texts(self, array: Any, rows: Any) -> Any:
        texts, kept = self._texts(array, rows)
        contents: list[Content] = []
        places: list[int] = []
        for place, (text, row) in enumerate(zip(texts, rows.to_pylist(), strict=True)):
            if text is not None and place not in kept:
                language = None if self._languages is None else self._languages[row]
                contents.append(Content(text, language, row))
                places.append(place)
        new = self._rewrite(contents)
        assert len(new) == len(contents), "a text in, a text out"
        if all(text == content.text for text, content in zip(new, contents, strict=True)):
            return array
        result: list[Any] = list(texts)
        for place, text in zip(places, new, strict=True):
            result[place] = text
        return self._build(result, kept, array.type)

    def _texts(self, array: Any, rows: Any) -> tuple[list[str | None], dict[int, bytes]]:
        """Return the texts, and by place the bytes of those that are not UTF-8 (Parquet does not check)."""
        try:
            return array.to_pylist(), {}
        except UnicodeDecodeError:
            pass
        if self._arrow.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        large = self._arrow.types.is_large_string(array.type)
        raw = array.view(self._arrow.large_binary() if large else self._arrow.binary()).to_pylist()
        texts: list[str | None] = []
        kept: dict[int, bytes] = {}
        for place, data in enumerate(raw):
            try:
                texts.append(None if data is None else data.decode("utf-8"))
            except UnicodeDecodeError as error:
                texts.append("")
                kept[place] = data
                if self._reject is not None:
                    self._reject(self._before + rows[place].as_py() + 1, not_utf8(error))
        return texts, kept

    def _build(self, texts: list[str | None], kept: dict[int, bytes], kind: Any) -> Any:
        arrow = self._arrow
        dictionary = arrow.types.is_dictionary(kind)
        text_type = kind.value_type if dictionary else kind
        if kept:
            data = [kept.get(n, None if text is None else text.encode()) for n, text in enumerate(texts)]
            large = arrow.types.is_large_string(text_type)
            array = arrow.array(data, arrow.large_binary() if large else arrow.binary()).view(text_type)
        else:
            array = arrow.array(texts, text_type)
        return array.dictionary_encode().cast(kind) if dictionary else array


@contextmanager
def _write(target: str | Path, like: Any) -> Iterator[Any]:
    """Open a writer whose files are made as ``like`` was."""
    parquet = require("pyarrow.parquet", extra="data")
    with (
        atomic_write(target) as stream,
        parquet.ParquetWriter(stream, like.schema_arrow, **_writer_options(like)) as writer,
    ):
        yield writer


def _writer_options(file: Any) -> dict[str, Any]:
    """Return what :class:`pyarrow.parquet.ParquetWriter` needs to write as the file was written."""
    metadata = file.metadata
    options: dict[str, Any] = {
        "version": metadata.format_version,
        "store_schema": b"ARROW:schema" in (metadata.metadata or {}),
        "use_deprecated_int96_timestamps": any(
            file.schema.column(n).physical_type == "INT96" for n in range(metadata.num_columns)
        ),
        "use_compliant_nested_type": not any(
            ".list.item" in file.schema.column(n).path for n in range(metadata.num_columns)
        ),
    }
    if metadata.num_row_groups:
        columns = [metadata.row_group(0).column(n) for n in range(metadata.num_columns)]
        options["compression"] = {column.path_in_schema: _codec(column.compression) for column in columns}
        coded = [column.path_in_schema for column in columns if "DICTIONARY" in " ".join(map(str, column.encodings))]
        options["use_dictionary"] = coded or False
    return options


def _codec(name: str) -> str:
    return {"UNCOMPRESSED": "none", "LZ4_RAW": "lz4", "LZO": "snappy"}.get(name, name.lower())
