"""One text that cannot be worked on must not cost the others.

Whatever works on many texts goes through :func:`each` or :func:`together`, whatever works on one through
:func:`attempt`. An exception that a text causes becomes a :class:`~rewriter.errors.Fault` of that text alone, with the
reason for people and the trace for whoever mends it. What says nothing about a text (a wrong call, a missing file, no
memory) is raised on.
"""

from __future__ import annotations

import json
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from rewriter.errors import EditError, Fault, GenderFairError, TextError
from rewriter.records import Reject, Rewrite

__all__ = ["attempt", "each", "together"]

T = TypeVar("T")
R = TypeVar("R")

#: name of a file with traces in a folder of its run
DEBUG = "debug.jsonl"
#: traces that are kept of a run, or of one of its shards; all faults are listed
KEPT_TRACES = 100
#: characters of a message that are told
MESSAGE = 300
#: innermost frames of a trace
FRAMES = 25
#: what an exception of these says is true of the call, the installation or the machine, not of a text
_NOT_OF_TEXTS = (GenderFairError, MemoryError, OSError, ImportError)
_HOME = Path(__file__).resolve().parents[1]


def attempt(work: Callable[..., R], *arguments: object) -> R | Fault:
    """Return what ``work`` makes of its arguments, which belong to one text, or what went wrong."""
    try:
        return work(*arguments)
    except Exception as error:
        if not _is_of_text(error):
            raise
        return fault_of(error)


def each(
    work: Callable[[Sequence[T]], Iterable[R]],
    items: Sequence[T],
    *,
    probe: Callable[[Sequence[T]], Iterable[R]] | None = None,
) -> list[R | Fault]:
    """Return what ``work`` makes of each item, with a fault in place of each that cannot be worked on.

    Where some fail, the others are given to ``work`` once more, all together, so that their answers are those that
    they would have without the ones that fail.

    Args:
        work: returns one result per item.
        items: texts, or what holds them.
        probe: does the same and remembers nothing, for finding what fails; None where ``work`` remembers nothing.
    """
    done = _try(work, items)
    if not isinstance(done, Exception):
        return [*done]
    faults, pieces = _search(probe or work, items, done)
    good = [item for place, item in enumerate(items) if place not in faults]
    again = _try(work, good) if good else []
    if isinstance(again, Exception):  # only all together are too many
        again = [result for piece in pieces for result in piece]
    results = iter(again)
    return [faults[place] if place in faults else next(results) for place in range(len(items))]


class Together(NamedTuple):
    """What :func:`together` found: items by their places, and faults by theirs."""

    good: list[int]
    faults: dict[int, Fault]


def together(work: Callable[[Sequence[T]], R], items: Sequence[T]) -> tuple[R, Together]:
    """Return what ``work`` makes of all items that can be worked on, as a whole, and which those are.

    Args:
        work: takes any number of items, none included; must not remember them.
        items: texts, or what holds them.
    """
    try:
        return work(items), Together([*range(len(items))], {})
    except Exception as error:
        if not _is_of_text(error):
            raise
        faults, _ = _search(lambda some: [work(some)], items, error)
        if not faults:
            raise
        good = [place for place in range(len(items)) if place not in faults]
        return work([items[place] for place in good]), Together(good, faults)


def kept(texts: Sequence[str], results: Iterable[Rewrite | Fault]) -> list[Rewrite]:
    """Return the rewrites; a text with a fault stays as it is and says why."""
    return [
        Rewrite(text, error=result) if isinstance(result, Fault) else result
        for text, result in zip(texts, results, strict=True)
    ]


def fault_of(error: Exception) -> Fault:
    """Return what an exception says: type, message and place in one line, and its trace."""
    lines = str(error).splitlines() or [""]
    message = lines[0][:MESSAGE]
    reason = f"{type(error).__name__}{': ' if message else ''}{message} ({_place(error)})"
    return Fault(reason, "".join(traceback.format_exception(error, limit=-FRAMES)))


def debug_file(rejects: str | Path | None, folder: Path | None = None) -> Path | None:
    """Return where traces go: beside a list of rejects (``rejects.debug.jsonl``), else into a folder, else None."""
    if rejects is None:
        return None if folder is None else folder / DEBUG
    path = Path(rejects)
    return path.with_name(f"{path.stem}.debug{path.suffix}")


def write_traces(rejects: Iterable[Reject], path: str | Path | None = None) -> str | None:
    """Write the traces that some rejects have as JSON lines: file, line, reason, trace.

    Args:
        rejects: at most :data:`KEPT_TRACES` of them are written.
        path: where; None takes a new file in the folder for temporary files. It is removed where there is no trace.

    Returns:
        the file, or None where there is no trace.

    Raises:
        OutputError: the file cannot be written.
    """
    from rewriter.io.files import write_lines

    traced = list(islice((reject for reject in rejects if reject.trace), KEPT_TRACES))
    if not traced:
        if path is not None:
            Path(path).unlink(missing_ok=True)
        return None
    if path is None:
        path = Path(tempfile.mkdtemp(prefix="gender-fair-")) / DEBUG
    write_lines(path, (json.dumps(reject._asdict()) for reject in traced))
    return str(path)


def _is_of_text(error: Exception) -> bool:
    return isinstance(error, TextError | EditError) or not isinstance(error, _NOT_OF_TEXTS)


def _try(work: Callable[[Sequence[T]], Iterable[R]], items: Sequence[T]) -> list[R] | Exception:
    try:
        return list(work(items))
    except Exception as error:
        if not _is_of_text(error):
            raise
        return error


def _search(
    work: Callable[[Sequence[T]], Iterable[R]], items: Sequence[T], error: Exception
) -> tuple[dict[int, Fault], list[list[R]]]:
    """Return the faults of items by their places, and the results of the others, piece by piece."""
    if isinstance(error, TextError) and error.faults:
        return dict(error.faults), []  # known already, also what is the matter with them
    faults: dict[int, Fault] = {}
    pieces: list[list[R]] = []
    for start, part, outcome in _halved(work, items, error, 0):
        if isinstance(outcome, Exception):
            faults |= {start + place: fault for place, fault in _faults_of(outcome, len(part)).items()}
        else:
            pieces.append(outcome)
    return faults, pieces


def _halved(
    work: Callable[[Sequence[T]], Iterable[R]], items: Sequence[T], error: Exception, start: int
) -> Iterator[tuple[int, Sequence[T], list[R] | Exception]]:
    """Yield (place, items, outcome) of ever smaller parts, down to one item, of items that failed."""
    if len(items) <= 1:
        yield start, items, error
        return
    middle = len(items) // 2
    for first, part in ((start, items[:middle]), (start + middle, items[middle:])):
        outcome = _try(work, part)
        if isinstance(outcome, Exception):
            yield from _halved(work, part, outcome, first)
        else:
            yield first, part, outcome


def _faults_of(error: Exception, count: int) -> dict[int, Fault]:
    known = dict(error.faults) if isinstance(error, TextError) else {}
    return known or dict.fromkeys(range(count), fault_of(error))


def _place(error: Exception) -> str:
    """Return file and line of the innermost frame of ours, of any frame where there is none of ours."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(_HOME)]
    ours = [frame for frame in ours if Path(frame.filename) != Path(__file__)] or frames
    if not ours:
        return "no place known"
    path = Path(ours[-1].filename)
    shown = path.relative_to(_HOME).as_posix() if path.is_relative_to(_HOME) else path.name
    return f"{shown}:{ours[-1].lineno}"
