"""Columns of pandas, NumPy and Arrow: texts out of them, and texts back into the same kind of column.

None of the libraries is imported: a column is known by the library of its type, which is loaded then.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

#: makes a column of the texts of another one, missing ones left missing
Rebuild = Callable[[Sequence[Any]], Any]


def opened(texts: Any) -> tuple[list[Any], Rebuild] | None:
    """Return the values of a column and how a column of the same kind is made; None for anything else.

    Args:
        texts: a pandas Series or Index, a NumPy array, an Arrow array or chunked array. Missing values are None or
            what the library has for them.
    """
    library = type(texts).__module__.partition(".")[0]
    if library not in ("pandas", "numpy", "pyarrow") or library not in sys.modules:
        return None
    return {"pandas": _pandas, "numpy": _numpy, "pyarrow": _arrow}[library](texts)


def _pandas(texts: Any) -> tuple[list[Any], Rebuild] | None:
    pandas = sys.modules["pandas"]
    if isinstance(texts, pandas.Series):
        return texts.tolist(), lambda found: pandas.Series(found, index=texts.index, name=texts.name, dtype=texts.dtype)
    if isinstance(texts, pandas.Index):
        return texts.tolist(), lambda found: pandas.Index(found, name=texts.name, dtype=texts.dtype)
    return None


def _numpy(texts: Any) -> tuple[list[Any], Rebuild] | None:
    numpy = sys.modules["numpy"]
    if not isinstance(texts, numpy.ndarray) or texts.ndim != 1:
        return None
    # an array of a fixed width would cut longer texts off
    fixed = texts.dtype.kind == "U"
    return texts.tolist(), lambda found: numpy.array(list(found), dtype=str if fixed else texts.dtype)


def _arrow(texts: Any) -> tuple[list[Any], Rebuild] | None:
    arrow = sys.modules["pyarrow"]
    if isinstance(texts, arrow.ChunkedArray):
        sizes = [len(chunk) for chunk in texts.chunks]
        return texts.to_pylist(), lambda found: _chunked(arrow, found, sizes, texts.type)
    if isinstance(texts, arrow.Array):
        return texts.to_pylist(), lambda found: arrow.array(list(found), type=texts.type)
    return None


def _chunked(arrow: Any, found: Sequence[Any], sizes: Sequence[int], kind: Any) -> Any:
    rest = iter(found)
    return arrow.chunked_array([[next(rest) for _ in range(size)] for size in sizes], type=kind)
