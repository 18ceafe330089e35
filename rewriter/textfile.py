r"""Rewriting plain text files: lines in, lines out, every byte that no edit touches stays as it is.

A *unit* is what is rewritten at a time: a line, or a whole document where constructs span lines (a fenced code block).
Line ends (``\n``, ``\r\n``, none after the last line) and a byte-order mark are no part of a unit and are copied; a
lone ``\r`` and NUL stay inside it like any other character. What is not UTF-8 is written through and reported.
"""

from __future__ import annotations

import codecs
import io
import re
import shutil
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, Literal, Protocol

from rewriter.errors import InputError, OutputError, UsageError
from rewriter.files import atomic_write, read_raw_lines
from rewriter.records import Edit, Reject, Rewrite, apply_edits

#: stands for standard input or output where a path is expected
STANDARD = Path("-")
#: lines, and about how many bytes, that are rewritten at a time: enough for full batches, little memory
BATCH_LINES = 2048
BATCH_BYTES = 1 << 20
#: a document is held in memory as a whole
DOCUMENT_BYTES = 16 << 20
#: formats whose constructs span lines; other files are read line by line
DOCUMENT_SUFFIXES = frozenset({".md", ".markdown", ".html", ".htm", ".rst", ".tex"})
#: rejects that a summary keeps (all are counted, and all are observed)
KEPT_REJECTS = 1000

Unit = Literal["auto", "line", "document"]
_ESCAPED = re.compile("[\udc80-\udcff]")


class RewritesTexts(Protocol):
    """What is needed of a :class:`rewriter.pipeline.Rewriter`."""

    def rewrite(self, texts: list[str], *, return_edits: Literal[True]) -> list[Rewrite]:
        """Return one rewrite per text."""
        ...


@dataclass(frozen=True, slots=True)
class TextResult:
    """What became of one unit.

    Attributes:
        file: name of the file as it was given.
        line: number of its first line, from 1.
        source: its text without the line end; None where it is not UTF-8.
        rewrite: the result; no edits where the unit was written through.
        rejects: lines that were written through, with the reason.
    """

    file: str
    line: int
    source: str | None
    rewrite: Rewrite
    rejects: tuple[Reject, ...] = ()


@dataclass
class Summary:
    """What was done, over all files.

    Attributes:
        files: files read to their end.
        units: lines or documents.
        changed: units with at least one edit.
        edits: number of edits per kind.
        rejected: lines written through because they cannot be processed.
        rejects: the first of them.
    """

    files: int = 0
    units: int = 0
    changed: int = 0
    edits: Counter[str] = field(default_factory=Counter)
    rejected: int = 0
    rejects: list[Reject] = field(default_factory=list)

    def add(self, results: Iterable[TextResult]) -> None:
        """Count some units."""
        for result in results:
            self.units += 1
            if result.rewrite.edits:
                self.changed += 1
                self.edits.update(edit.kind for edit in result.rewrite.edits)
            if result.rejects:
                self.rejected += len(result.rejects)
                self.rejects += result.rejects[: max(0, KEPT_REJECTS - len(self.rejects))]

    def merge(self, other: Summary) -> None:
        """Add the counts of another file."""
        self.files += other.files
        self.units += other.units
        self.changed += other.changed
        self.edits.update(other.edits)
        self.rejected += other.rejected
        self.rejects += other.rejects[: max(0, KEPT_REJECTS - len(self.rejects))]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        rejects = [reject._asdict() for reject in self.rejects]
        return {**asdict(self), "edits": dict(self.edits.most_common()), "rejects": rejects}


#: gets the results of every batch, in order; what it raises stops the file
Observer = Callable[[Sequence[TextResult]], None]
#: makes the output of one unit from its result and from the bytes that stood there
Render = Callable[[TextResult, bytes], bytes]


@dataclass(frozen=True)
class TextFileOptions:
    """How a text file is rewritten.

    Attributes:
        unit: ``line``, ``document`` or ``auto``, which chooses by the name of the source (:func:`unit_of`).
        in_place: the target may be the source.
        render: what is written per unit; None writes the rewritten text with its own line end.
        observe: called with the results of every batch.
    """

    unit: Unit = "auto"
    in_place: bool = False
    render: Render | None = None
    observe: Observer | None = None


def unit_of(path: str | Path) -> Literal["line", "document"]:
    """Return the unit that fits a file's name: ``document`` for Markdown, HTML, reST and TeX, else ``line``."""
    path = Path(path)
    if path.suffix in (".gz", ".zst"):
        path = path.with_suffix("")
    return "document" if path.suffix.lower() in DOCUMENT_SUFFIXES else "line"


def rewrite_file(
    source: str | Path, target: str | Path | None, *, rewriter: RewritesTexts, options: TextFileOptions | None = None
) -> Summary:
    """Rewrite one text file.

    Args:
        source: a plain, .gz or .zst file, or ``-`` for standard input.
        target: where to write (compressed by name), ``-`` for standard output, or None to write nothing. A file
            appears only when it is complete.
        rewriter: a :class:`rewriter.pipeline.Rewriter`.
        options: see :class:`TextFileOptions`.

    Returns:
        counts, and what was written through because it is not UTF-8.

    Raises:
        UsageError: source and target are the same file without ``in_place``.
        InputError: the source cannot be read, is damaged, or is too large for a document.
        OutputError: the target cannot be written; an earlier file of that name is untouched.
    """
    options = options or TextFileOptions()
    source, target = Path(source), None if target is None else Path(target)
    if target is not None and not options.in_place and _same_file(source, target):
        raise UsageError(f"{target}: would overwrite the input; pass --in-place if that is meant")
    render = options.render or render_text
    summary = Summary()
    with _open_target(source, target) as stream:
        for results, raw in _results(source, options.unit, rewriter):
            if stream is not None:
                stream.write(b"".join(map(render, results, raw)))
                if target == STANDARD:
                    stream.flush()
            summary.add(results)
            if options.observe:
                options.observe(results)
    summary.files = 1
    return summary


def _results(source: Path, unit: Unit, rewriter: RewritesTexts) -> Iterator[tuple[list[TextResult], list[bytes]]]:
    """Yield batches of results with the bytes of their units."""
    name = "standard input" if source == STANDARD else str(source)
    whole = (unit_of(source) if unit == "auto" else unit) == "document"
    work = _rewrite_document if whole else _rewrite_lines
    line = 1
    for raw in _document(source, name) if whole else _line_batches(source):
        yield work(raw, name, line, rewriter), raw
        line += len(raw)


def render_text(result: TextResult, raw: bytes) -> bytes:
    """Return the rewritten unit with the byte-order mark and line end that it had; ``raw`` where nothing changed."""
    if not result.rewrite.edits:
        return raw
    head, _, tail = _parts(raw, result.line)
    return head + result.rewrite.text.encode("utf-8", "surrogateescape") + tail


def _parts(raw: bytes, line: int) -> tuple[bytes, bytes, bytes]:
    """Split a unit that begins in ``line`` into byte-order mark (of line 1), text and line end."""
    head = codecs.BOM_UTF8 if line == 1 and raw.startswith(codecs.BOM_UTF8) else b""
    tail = b"\r\n" if raw.endswith(b"\r\n") else b"\n" if raw.endswith(b"\n") else b""
    return head, raw[len(head) : len(raw) - len(tail)], tail


def _rewrite_lines(raw: Sequence[bytes], name: str, first: int, rewriter: RewritesTexts) -> list[TextResult]:
    texts: list[str | None] = []
    reasons: dict[int, str] = {}
    for number, data in enumerate(raw, first):
        head, body, _ = _parts(data, number)
        try:
            texts.append(body.decode("utf-8"))
        except UnicodeDecodeError as error:
            texts.append(None)
            reasons[number] = f"not UTF-8 ({error.reason} at byte {error.start + len(head)})"
    rewrites = iter(rewriter.rewrite([text for text in texts if text is not None], return_edits=True))
    results = []
    for number, text in enumerate(texts, first):
        if text is None:
            rejects = (Reject(name, number, reasons[number]),)
            results.append(TextResult(name, number, None, Rewrite(""), rejects))
        else:
            results.append(TextResult(name, number, text, next(rewrites)))
    return results


def _rewrite_document(raw: Sequence[bytes], name: str, first: int, rewriter: RewritesTexts) -> list[TextResult]:
    """Rewrite a document; edits in lines that are not UTF-8 are dropped, so that those lines stay."""
    _, body, _ = _parts(raw[0], first)
    text = body.decode("utf-8", "surrogateescape")
    # one character for another: offsets stay, and the model gets text that can be encoded
    rewrite = rewriter.rewrite([_ESCAPED.sub("\ufffd", text)], return_edits=True)[0]
    broken = _broken_lines(text)
    if broken:
        spans = [span for _, span in broken]
        edits = [e for e in rewrite.edits if not any(e.start < end and e.end > start for start, end in spans)]
        rewrite = Rewrite(apply_edits(text, edits), tuple(edits))
    rejects = tuple(Reject(name, number, "not UTF-8") for number, _ in broken)
    return [TextResult(name, first, text, rewrite, rejects)]


def _broken_lines(text: str) -> list[tuple[int, tuple[int, int]]]:
    """Return (line number, span) of the lines with bytes that are not UTF-8."""
    if _ESCAPED.search(text) is None:
        return []
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    return [(i + 1, (starts[i], starts[i + 1])) for i, line in enumerate(lines) if _ESCAPED.search(line)]


def cut_lines(result: TextResult) -> Iterator[tuple[int, str, Rewrite]]:
    """Yield (line number, source, rewrite) of the lines of a unit that have edits; lines that share an edit together.

    For showing differences of a document.
    """
    source = result.source or ""
    edits = deque(sorted(result.rewrite.edits, key=lambda edit: edit.start))
    line, counted = result.line, 0
    while edits:
        start = source.rfind("\n", 0, edits[0].start) + 1
        end = start
        inside: list[Edit] = []
        while edits and (not inside or edits[0].start < end):
            end = max(end, _line_end(source, edits[0].end))
            inside.append(_shift(edits.popleft(), -start))
        line, counted = line + source.count("\n", counted, start), start
        piece = source[start:end].removesuffix("\r")
        yield line, piece, Rewrite(apply_edits(piece, inside), tuple(inside))


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


def _shift(edit: Edit, by: int) -> Edit:
    return Edit(edit.start + by, edit.end + by, edit.before, edit.after, edit.kind, edit.reason, edit.score)


def _line_batches(source: Path) -> Iterator[list[bytes]]:
    """Yield lines with their ends, some at a time; from standard input as soon as they are there."""
    if source == STANDARD:
        yield from _arriving_lines(sys.stdin.buffer)
        return
    batch: list[bytes] = []
    size = 0
    for line in read_raw_lines(source):
        batch.append(line)
        size += len(line)
        if len(batch) >= BATCH_LINES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _arriving_lines(stream: Any) -> Iterator[list[bytes]]:
    """Yield the complete lines of every read, so that a pipe is answered without waiting for a full batch."""
    rest: list[bytes] = []
    while data := stream.read1(BATCH_BYTES):
        end = data.rfind(b"\n") + 1
        if end:
            # a BytesIO splits behind line feeds only, unlike splitlines()
            yield list(io.BytesIO(b"".join([*rest, data[:end]])))
            rest = []
        if data[end:]:
            rest.append(data[end:])
    if rest:
        yield [b"".join(rest)]


def _document(source: Path, name: str) -> Iterator[list[bytes]]:
    """Yield the whole content as one unit; nothing for an empty file."""
    lines = sys.stdin.buffer if source == STANDARD else read_raw_lines(source)
    parts: list[bytes] = []
    size = 0
    for line in lines:
        parts.append(line)
        size += len(line)
        if size > DOCUMENT_BYTES:
            raise InputError(
                f"{name}: larger than {DOCUMENT_BYTES >> 20} MB, too much for one document; pass --unit line"
            )
    if parts:
        yield [b"".join(parts)]


@contextmanager
def _open_target(source: Path, target: Path | None) -> Iterator[IO[bytes] | None]:
    if target is None:
        yield None
    elif target == STANDARD:
        with _standard_output() as stream:
            yield stream
    else:
        with atomic_write(target) as stream:
            yield stream
            if _same_file(source, target):
                _copy_mode(source, stream)


def _copy_mode(source: Path, stream: IO[bytes]) -> None:
    """Give the file behind ``stream`` the permissions that ``source`` has, where the system knows such a thing."""
    name = getattr(getattr(stream, "fileobj", stream), "name", None)
    if isinstance(name, str) and Path(name).is_file():
        shutil.copymode(source, name)


@contextmanager
def _standard_output() -> Iterator[IO[bytes]]:
    sys.stdout.flush()
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise  # the reader has gone away, which is no error
    except OSError as error:
        raise OutputError(f"standard output: cannot be written ({error.strerror or error})") from error


def _same_file(source: Path, target: Path) -> bool:
    try:
        return STANDARD not in (source, target) and source.samefile(target)
    except OSError:
        return False
