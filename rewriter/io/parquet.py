"""Reading Parquet files that may be damaged: whatever Arrow says about them becomes one error for people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rewriter.errors import InputError
from rewriter.installation.extras import require


@contextmanager
def arrow_errors(where: str | Path, problem: str = "damaged, or no Parquet file") -> Iterator[None]:
    """Turn what Arrow raises about a file into an error for people.

    Args:
        where: the file, for the message.
        problem: what is the matter with it.

    Raises:
        InputError: the file is damaged, or no Parquet file.
        MissingExtraError: pyarrow is not installed.
    """
    arrow = require("pyarrow", extra="data")
    try:
        yield
    except (arrow.ArrowException, UnicodeDecodeError) as error:
        raise _damaged(where, problem, error) from None
    except OSError as error:
        if error.errno is not None:  # of the system, not of Arrow, which says so of data that cannot be unpacked
            raise
        raise _damaged(where, problem, error) from None


@contextmanager
def open_parquet(path: str | Path, source: Any = None) -> Iterator[Any]:
    """Open a Parquet file; what is found to be damaged while it is read is an error for people, too.

    Args:
        path: the file, for messages and where there is no ``source``.
        source: a stream of its bytes.

    Raises:
        InputError: it cannot be read, is damaged, or no Parquet file.
        MissingExtraError: pyarrow is not installed.
    """
    parquet = require("pyarrow.parquet", extra="data")
    with arrow_errors(path):
        try:
            file = parquet.ParquetFile(path if source is None else source)
        except OSError as error:
            if error.errno is None:
                raise
            raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
        with file:
            yield file


def _damaged(where: str | Path, problem: str, error: Exception) -> InputError:
    lines = str(error).splitlines() or [type(error).__name__]
    return InputError(f"{where}: {problem} ({lines[0]})")
