"""Counting files: text, JSON lines, CSV and TSV, Parquet, with several processes, restartable.

A file is cut into pieces of whole records. The counts of a piece are integers, so the sum is the same however the files
were cut and whichever process counted what. With a folder for the parts, each piece's counts are kept there as soon as
they are complete; the same call later counts only what is missing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from tqdm import tqdm

from eval.genbit.counter import CooccurrenceCounter
from eval.genbit.counts import Counts, merge
from eval.genbit.lexicon import Lexicon
from rewriter.errors import UsageError
from rewriter.formats import FormatOptions, RecordFormat, detect, open_format
from rewriter.formats.base import Content, RawLine, RecordError
from rewriter.formats.inputs import STANDARD
from rewriter.formats.parquet import ParquetTexts
from rewriter.formats.text import TextLines
from rewriter.io.files import file_digest, read_json, read_raw_lines, write_json
from rewriter.io.limits import bounded_lines
from rewriter.records import Reject
from rewriter.runs.processes import WorkerPool
from rewriter.runs.resume import run_in
from rewriter.runs.shard import Shard
from rewriter.version import __version__

__all__ = ["Counted", "CountingOptions", "count_files"]

STAGE = "genbit counts"
#: raised by hand when the same text gives other counts
VERSION = 1
#: parts that are held before they are added up
MERGED_AT_ONCE = 8
#: a record's texts as they come: number of the line, text
Numbered = tuple[int, str]


@dataclass(frozen=True)
class CountingOptions:
    """How files are counted.

    Attributes:
        lexicon: which words have a gender, which are not counted.
        window: how many tokens to each side of a gendered word are its neighbours.
        units: groups of documents that are kept apart for the bootstrap; a line's number settles its group.
        formats: format and columns of the files.
        processes: worker processes; no part of the result.
        shard_lines: about how many lines a piece has at most.
        shard_size: about how many bytes.
        engine: ``local``, or ``ray`` for a cluster that sees the files under the same paths.
    """

    lexicon: Lexicon
    window: int = 30
    units: int = 1
    formats: FormatOptions = field(default_factory=FormatOptions)
    processes: int = 1
    shard_lines: int = 1_000_000
    shard_size: int = 64 << 20
    engine: str = "local"

    def __post_init__(self) -> None:
        if min(self.processes, self.shard_lines, self.shard_size) < 1:
            raise UsageError("processes, shard lines and shard size must be at least 1")
        if self.engine not in ENGINES:
            raise UsageError(f"the engine is {' or '.join(ENGINES)}, not '{self.engine}'")

    def counter(self) -> CooccurrenceCounter:
        """Return a counter with nothing counted."""
        return CooccurrenceCounter(self.lexicon, self.window, units=self.units)


@dataclass(frozen=True)
class Counted:
    """What counting files gave.

    Attributes:
        counts: the counts of all files.
        rejects: records that could not be read and were left out.
    """

    counts: Counts
    rejects: tuple[Reject, ...] = ()


def count_files(
    files: Sequence[str | Path],
    options: CountingOptions,
    *,
    output: str | Path | None = None,
    fresh: bool = False,
) -> Counted:
    """Count files.

    Args:
        files: the corpus, each record (line, paragraph, row ...) a document; ``-`` is standard input.
        options: how.
        output: folder for the counts of the pieces, so that an interrupted call can go on; none otherwise.
        fresh: throw away what an earlier call left there.

    Raises:
        UsageError: there is no file, or a column is missing.
        InputError: a file cannot be read or is damaged.
        ResumeError: ``output`` holds the parts of another corpus or of other options; the message names the difference.
        WorkerError: a worker process died.
    """
    if not files:
        raise UsageError(f"{STAGE}: no input files")
    if STANDARD in map(str, files) and (output is not None or options.processes > 1 or options.engine != "local"):
        raise UsageError("standard input can be read once, by one process, and not be continued: save it as a file")
    if output is None:
        pieces = list(plan_pieces(files, options))
        return _gather(_in_processes(pieces, options, _count_piece), options)
    folder = Path(output)
    identity, notes = _identity(files, options), {"toolkit": __version__}
    with run_in(folder, STAGE, identity, fresh=fresh, notes=notes, clear=partial(_clear, folder)) as run:
        for path in folder.glob(".counts-*.tmp"):
            path.unlink()
        pieces = list(plan_pieces(files, options))
        missing = [piece for piece in pieces if not _is_done(folder, piece)]
        for _ in _in_processes(missing, options, partial(_keep_piece, folder=folder)):
            pass
        counted = _gather(((piece, _load_piece(folder, piece)) for piece in pieces), options)
        run.manifest.counts = {"documents": counted.counts.documents, "pieces": len(pieces)}
    return counted


def plan_pieces(files: Sequence[str | Path], options: CountingOptions) -> Iterator[Shard]:
    """Cut files into pieces that begin and end with records; an empty file gives none."""
    number = 0
    for path in map(str, files):
        for shard in _cut(path, options):
            yield replace(shard, number=number)
            number += 1


def _cut(path: str, options: CountingOptions) -> Iterator[Shard]:
    if path == STANDARD:
        yield Shard(0, path, 1, sys.maxsize)
    elif detect(path, options.formats) == "parquet":
        first = 1
        for group, rows in enumerate(ParquetTexts(path, options.formats.columns).rows):
            yield Shard(0, path, first, rows, group=group)
            first += rows
    else:
        cut = open_format(path, options.formats).cut(path, lines=options.shard_lines, size=options.shard_size)
        yield from (Shard(0, path, first, lines, offset) for first, lines, offset in cut)


def _in_processes(
    pieces: Sequence[Shard], options: CountingOptions, work: Callable[..., Counted | None]
) -> Iterator[tuple[Shard, Any]]:
    work = partial(work, options=options)
    with tqdm(total=len(pieces), unit=" pieces", desc=STAGE, disable=None) as progress:
        for pair in ENGINES[options.engine](work, pieces, min(options.processes, len(pieces))):
            progress.update()
            yield pair


def _local(work: Callable[[Shard], Any], pieces: Sequence[Shard], processes: int) -> Iterator[tuple[Shard, Any]]:
    return WorkerPool(processes, STAGE).map(work, pieces)


def _ray(work: Callable[[Shard], Any], pieces: Sequence[Shard], processes: int) -> Iterator[tuple[Shard, Any]]:
    from rewriter.installation.extras import require

    ray = require("ray", extra="ray")
    is_ours = not ray.is_initialized()
    if is_ours:
        ray.init(num_cpus=max(1, processes), include_dashboard=False, log_to_driver=False)
    try:
        yield from _ray_results(ray, work, pieces)
    finally:
        if is_ours:  # a cluster left behind would be in the way of whoever starts one of their own
            ray.shutdown()


def _ray_results(ray: Any, work: Callable[[Shard], Any], pieces: Sequence[Shard]) -> Iterator[tuple[Shard, Any]]:
    remote = ray.remote(work.func if isinstance(work, partial) else work)
    keywords = work.keywords if isinstance(work, partial) else {}
    waiting = {remote.remote(piece, **keywords): piece for piece in pieces}
    while waiting:
        done, _ = ray.wait(list(waiting))
        for reference in done:
            yield waiting.pop(reference), ray.get(reference)


#: where the work is done
ENGINES: Mapping[str, Callable[..., Iterator[tuple[Shard, Any]]]] = {"local": _local, "ray": _ray}


def _count_piece(piece: Shard, options: CountingOptions) -> Counted:
    """Count the records of one piece."""
    rejects: list[Reject] = []
    counter = options.counter()
    failed = counter.add_numbered(_texts(piece, options, rejects))
    rejects += [Reject(Path(piece.path).name, number, *fault) for number, fault in failed.items()]
    return Counted(counter.counts(), tuple(sorted(rejects, key=lambda reject: reject.line)))


def _texts(piece: Shard, options: CountingOptions, rejects: list[Reject]) -> Iterator[Numbered]:
    name = Path(piece.path).name
    if piece.group is not None:
        return _parquet_texts(piece.path, piece.group, options, rejects)
    fmt = open_format(piece.path, options.formats)
    lines = (
        bounded_lines(sys.stdin.buffer, "standard input")
        if piece.path == STANDARD
        else read_raw_lines(piece.path, offset=piece.offset)
    )
    numbered = enumerate(islice(lines, piece.lines), piece.first)
    if isinstance(fmt, TextLines):
        return _plain_texts(numbered, name, rejects)
    return _record_texts(fmt, numbered, name, rejects)


def _plain_texts(lines: Iterable[tuple[int, bytes]], name: str, rejects: list[Reject]) -> Iterator[Numbered]:
    """Return lines; byte-order marks and line ends are no letters, so nothing has to be taken off."""
    for number, data in lines:
        try:
            yield number, data.decode("utf-8")
        except UnicodeDecodeError as error:
            rejects.append(Reject(name, number, f"not UTF-8 ({error.reason} at byte {error.start})"))


def _record_texts(
    fmt: RecordFormat, lines: Iterable[tuple[int, bytes]], name: str, rejects: list[Reject]
) -> Iterator[Numbered]:
    for record in fmt.records(RawLine(number, data) for number, data in lines):
        contents: Sequence[Content] = ()
        try:
            contents = fmt.contents(record)
        except RecordError as error:
            contents = error.contents
            problems = error.problems or ((record.number, error.reason),)
            rejects += [Reject(name, line, reason) for line, reason in problems]
        for content in contents:
            yield record.number, content.text


def _parquet_texts(path: str, group: int, options: CountingOptions, rejects: list[Reject]) -> Iterator[Numbered]:
    name = Path(path).name
    file = ParquetTexts(path, options.formats.columns)
    before = sum(file.rows[:group])
    texts = file.read_row_group(group, reject=lambda row, reason: rejects.append(Reject(name, row, reason)))
    return ((before + row + 1, text) for row, text in texts)


def _gather(parts: Iterable[tuple[Shard, Counted]], options: CountingOptions) -> Counted:
    """Add up pieces as they come, a few at a time, so that not all of them are held; rejects in the pieces' order."""
    waiting = [options.counter().counts()]
    rejects: dict[Shard, tuple[Reject, ...]] = {}
    for piece, part in parts:
        waiting.append(part.counts)
        if part.rejects:
            rejects[piece] = part.rejects
        if len(waiting) == MERGED_AT_ONCE:
            waiting = [merge(waiting)]
    return Counted(
        merge(waiting),
        tuple(reject for piece in sorted(rejects, key=lambda piece: piece.number) for reject in rejects[piece]),
    )


def _part(folder: Path, piece: Shard) -> Path:
    return folder / f"counts-{piece.number:05d}.npz"


def _rejects_file(folder: Path, piece: Shard) -> Path:
    return folder / f"counts-{piece.number:05d}.rejects.json"


def _is_done(folder: Path, piece: Shard) -> bool:
    return _part(folder, piece).exists() and _rejects_file(folder, piece).exists()


def _keep_piece(piece: Shard, options: CountingOptions, folder: Path) -> None:
    """Count a piece and write its part; the counts come second, for they say that the piece is done."""
    counted = _count_piece(piece, options)
    write_json(_rejects_file(folder, piece), [reject._asdict() for reject in counted.rejects])
    counted.counts.save(_part(folder, piece))


def _load_piece(folder: Path, piece: Shard) -> Counted:
    rejects = tuple(Reject(**record) for record in read_json(_rejects_file(folder, piece)))
    return Counted(Counts.load(_part(folder, piece)), rejects)


def _identity(files: Sequence[str | Path], options: CountingOptions) -> dict[str, Any]:
    identity: dict[str, Any] = {
        "stage version": VERSION,
        "language": options.lexicon.lang,
        "lexicon": options.lexicon.digest,
        "window": options.window,
        "units": options.units,
        "shard lines": options.shard_lines,
        "shard size": options.shard_size,
        "formats": asdict(options.formats),
    }
    return identity | {f"input {i}": f"{Path(path).name} {file_digest(path)}" for i, path in enumerate(files, 1)}


def _clear(folder: Path) -> None:
    for path in folder.glob("counts-[0-9][0-9][0-9][0-9][0-9].*"):
        path.unlink()
