"""A sharded map over text files on one machine: several processes, restartable, the same bytes whatever happens.

The input is cut into shards, runs of consecutive lines. A worker turns the lines of a shard into records; these go
into one output file per shard, written whole or not at all, followed by a small JSON file with the shard's counts and
rejects, which marks the shard as done. After a crash, a kill or Ctrl-C the same call does what is missing. Everything
that a shard's output depends on is in the run's identity (:mod:`rewriter.runs.manifest`), random numbers are drawn from
a generator seeded by run and shard, and results are merged in the order of the shards, so neither the number of
processes nor the order in which they finish can be seen in the output.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy
from tqdm import tqdm

from rewriter.errors import Fault, GenderFairError, UsageError, WorkerError
from rewriter.faults import DEBUG, KEPT_TRACES, attempt, write_traces
from rewriter.formats.base import RawLine
from rewriter.io.files import atomic_write, file_digest, json_line, read_json, read_raw_lines, write_json, write_pairs
from rewriter.options import at_least
from rewriter.records import Reject
from rewriter.runs.manifest import Manifest
from rewriter.runs.processes import WorkerPool
from rewriter.runs.resume import run_in
from rewriter.runs.shard import Shard
from rewriter.version import __version__

__all__ = [
    "DONE",
    "REJECTS",
    "STATS",
    "RawLine",
    "Shard",
    "ShardContext",
    "ShardOptions",
    "ShardTask",
    "ShardWorker",
    "ShardWriter",
    "WorkerPool",
    "map_shards",
    "parts",
    "plan_shards",
]

log = logging.getLogger(__name__)

R = TypeVar("R")

#: files that a run leaves beside its parts
STATS = "stats.json"
REJECTS = "rejects.jsonl"
DONE = "shards"


@dataclass(slots=True)
class ShardContext:
    """What a worker gets beside the lines: its shard, its random numbers, where to count and to report."""

    shard: Shard
    rng: numpy.random.Generator
    counts: Counter[str] = field(default_factory=Counter)
    rejects: list[Reject] = field(default_factory=list)

    def reject(self, line: int, reason: str, trace: str = "") -> None:
        """List a record that is left out."""
        traced = trace if sum(1 for reject in self.rejects if reject.trace) < KEPT_TRACES else ""
        self.rejects.append(Reject(self.shard.name, line, reason, traced))

    def attempt(self, line: int, work: Callable[..., R], *arguments: object) -> R | None:
        """Return what ``work`` makes of its arguments; None where it fails, and the record of ``line`` is listed.

        The random numbers stand afterwards where they stood before a record that fails.
        """
        state = self.rng.bit_generator.state
        result = attempt(work, *arguments)
        if not isinstance(result, Fault):
            return result
        self.rng.bit_generator.state = state
        self.reject(line, *result)
        return None

    def sound(self, lines: Iterable[int], results: Iterable[R | Fault]) -> Iterator[R | None]:
        """Yield results of :func:`rewriter.faults.each`; None in place of a fault, whose line is listed."""
        for line, result in zip(lines, results, strict=True):
            if isinstance(result, Fault):
                self.reject(line, *result)
                yield None
            else:
                yield result


class ShardWorker(Protocol):
    """Turns the lines of a shard into records; called once per shard, made once per process."""

    def __call__(self, lines: Iterator[RawLine], context: ShardContext) -> Iterable[Any]:
        """Yield the shard's records in order."""
        ...


class ShardWriter(Protocol):
    """Writes the records of a shard to a file, atomically (:func:`rewriter.io.files.write_pairs` is one)."""

    def __call__(self, path: Path, records: Iterable[Any], /) -> int:
        """Write and return how many."""
        ...


@dataclass(frozen=True)
class ShardTask:
    """What is done to every shard.

    Attributes:
        stage: name of the stage, for manifest and messages.
        version: of the stage's code; raised by hand when its output changes.
        factory: module-level function that makes the worker from ``options | setup``; it is called once per process,
            so this is where heavy things are loaded.
        options: plain values that the output depends on; part of the identity.
        setup: values that the worker needs but that are no part of the identity (a path whose content's digest is).
        prefix: beginning of the parts' names (``pairs-00000.jsonl.zst``).
        suffix: end of the parts' names; chooses format and compression.
        write: how records are written.
    """

    stage: str
    version: int
    factory: Callable[[Mapping[str, Any]], ShardWorker]
    options: Mapping[str, Any] = field(default_factory=dict)
    setup: Mapping[str, Any] = field(default_factory=dict)
    prefix: str = "pairs"
    suffix: str = ".jsonl.zst"
    write: ShardWriter = write_pairs

    def part(self, folder: Path, number: int) -> Path:
        """Return the path of one output file."""
        return folder / f"{self.prefix}-{number:05d}{self.suffix}"


@dataclass(frozen=True)
class ShardOptions:
    """How the work is cut and spread.

    Attributes:
        lines: most lines in a shard.
        size: most bytes in a shard (one line more may go over it), so that long lines do not make huge shards.
        processes: worker processes; 1 works in this process. Not part of the identity.
        seed: seed of the run.
    """

    lines: int = 20_000
    size: int = 64 * 2**20
    processes: int = 1
    seed: int = 1

    def __post_init__(self) -> None:
        at_least(1, lines=self.lines, size=self.size, processes=self.processes)


def map_shards(
    task: ShardTask,
    inputs: Sequence[str | Path],
    *,
    output: str | Path,
    options: ShardOptions | None = None,
    fresh: bool = False,
    prepare: Callable[[], Mapping[str, Any]] | None = None,
) -> Manifest:
    """Run ``task`` over ``inputs``, or what is missing of it; return the finished manifest.

    Args:
        task: what to do.
        inputs: text files, plain or compressed; their order is the order of the output.
        output: folder for the parts, ``manifest.json``, ``stats.json`` and ``rejects.jsonl``.
        options: shard size, processes, seed.
        fresh: throw away what an earlier run left in ``output`` (only files that such runs make).
        prepare: gives more ``setup`` for the task; called only when there is work to do.

    Raises:
        UsageError: there is no input.
        InputError: an input cannot be read or is damaged.
        ResumeError: ``output`` holds the result of another run; the message names the difference.
        OutputError: the folder is in use, or the disk full.
        WorkerError: a worker died; the message names the shards in work.
    """
    folder, options = Path(output), options or ShardOptions()
    if not inputs:
        raise UsageError(f"{task.stage}: no input files")
    identity, notes = _identity(task, inputs, options), {"toolkit": __version__}
    clear = partial(_clear, task, folder)
    with run_in(folder, task.stage, identity, fresh=fresh, notes=notes, clear=clear, keeps_time=True) as run:
        if run.is_done:
            return run.manifest
        _sweep(folder)
        try:
            if prepare is not None:
                task = replace(task, setup={**task.setup, **prepare()})
            shards = plan_shards(inputs, options)
            _run_missing(task, shards, folder, options)
        finally:
            _sweep(folder)
        run.manifest.counts = _finish(task, shards, folder)
    return run.manifest


def plan_shards(inputs: Iterable[str | Path], options: ShardOptions) -> list[Shard]:
    """Cut files into shards by lines and bytes; an empty file gives none."""
    shards: list[Shard] = []
    for path in inputs:
        for first, lines, offset in _cut(path, options):
            shards.append(Shard(len(shards), str(path), first, lines, offset))
    return shards


def _cut(path: str | Path, options: ShardOptions) -> Iterator[tuple[int, int, int]]:
    first, lines, offset, size = 1, 0, 0, 0
    for data in read_raw_lines(path):
        lines, size = lines + 1, size + len(data)
        if lines == options.lines or size >= options.size:
            yield first, lines, offset
            first, lines, offset, size = first + lines, 0, offset + size, 0
    if lines:
        yield first, lines, offset


def _identity(task: ShardTask, inputs: Sequence[str | Path], options: ShardOptions) -> dict[str, Any]:
    identity: dict[str, Any] = {
        "stage version": task.version,
        "seed": options.seed,
        "shard lines": options.lines,
        "shard size": options.size,
        "output format": task.suffix,
        "input order": [Path(path).name for path in inputs],
    }
    identity |= {f"option {key}": value for key, value in task.options.items()}
    for path in inputs:
        name = f"input {Path(path).name}"
        if name in identity:
            name = f"input {Path(path).parent.name}/{Path(path).name}"
        identity[name] = file_digest(path)
    return identity


def _clear(task: ShardTask, folder: Path) -> None:
    for path in (folder / STATS, folder / REJECTS, folder / DEBUG, *(folder / DONE).glob("*.json")):
        path.unlink(missing_ok=True)
    for path in folder.glob(f"{task.prefix}-[0-9][0-9][0-9][0-9][0-9]*"):
        path.unlink()


def _sweep(folder: Path) -> None:
    """Remove the temporary files of processes that were killed (the lock is ours, so nobody writes here)."""
    for path in (*folder.glob(".*.tmp"), *(folder / DONE).glob(".*.tmp")):
        path.unlink(missing_ok=True)


def _done_file(folder: Path, number: int) -> Path:
    return folder / DONE / f"{number:05d}.json"


def _run_missing(task: ShardTask, shards: Sequence[Shard], folder: Path, options: ShardOptions) -> None:
    def done(shard: Shard) -> bool:
        return _done_file(folder, shard.number).exists() and task.part(folder, shard.number).exists()

    missing = [shard for shard in shards if not done(shard)]
    ready = sum(shard.lines for shard in shards) - sum(shard.lines for shard in missing)
    total = sum(shard.lines for shard in shards)
    processes = min(options.processes, len(missing))
    if processes > 1:
        work: Callable[[Shard], None] = partial(_pool_shard, folder=folder, seed=options.seed)
    elif missing:
        work = partial(_run_shard, task, _make_worker(task), folder=folder, seed=options.seed)
    else:
        return
    pool = WorkerPool(processes, task.stage, setup=_set_task, arguments=(task,))
    with tqdm(total=total, initial=ready, unit=" lines", desc=task.stage, disable=None) as progress:
        for shard, _ in pool.map(work, _load(missing)):
            progress.update(shard.lines)


def _load(shards: Iterable[Shard]) -> Iterator[Shard]:
    """Read compressed files once, from front to back, and give each shard its bytes; plain ones are read by workers."""
    for path, group in groupby(shards, key=lambda shard: shard.path):
        if Path(path).suffix not in (".gz", ".zst"):
            yield from group
            continue
        lines, passed = read_raw_lines(path), 1
        for shard in group:
            deque(islice(lines, shard.first - passed), maxlen=0)
            passed = shard.first + shard.lines
            yield replace(shard, data=b"".join(islice(lines, shard.lines)))


def _make_worker(task: ShardTask) -> ShardWorker:
    return task.factory({**task.options, **task.setup})


def _run_shard(task: ShardTask, worker: ShardWorker, shard: Shard, folder: Path, seed: int) -> None:
    """Make one part and, behind it, the file that says so."""
    seeds = numpy.random.SeedSequence(seed, spawn_key=(shard.number,))
    context = ShardContext(shard, numpy.random.default_rng(seeds))
    try:
        written = task.write(task.part(folder, shard.number), worker(shard.raw_lines(), context))
    except GenderFairError:
        raise
    except Exception as error:
        raise WorkerError(f"{task.stage}: {shard} failed: {type(error).__name__}: {error}") from error
    write_json(
        _done_file(folder, shard.number),
        {
            "shard": {name: getattr(shard, name) for name in ("number", "first", "lines", "offset")}
            | {"path": shard.name},
            "written": written,
            "counts": dict(sorted(context.counts.items())),
            "rejects": [reject._asdict() for reject in context.rejects],
        },
    )


class _Process:
    """The state of a worker process: its task and, made when the first shard comes, its worker."""

    task: ShardTask | None = None
    worker: ShardWorker | None = None


def _set_task(task: ShardTask) -> None:
    _Process.task = task


def _pool_shard(shard: Shard, folder: Path, seed: int) -> None:
    task = _Process.task
    assert task is not None
    if _Process.worker is None:
        # Here and not in the initializer, whose errors concurrent.futures hides behind a broken pool.
        _Process.worker = _make_worker(task)
    _run_shard(task, _Process.worker, shard, folder, seed)


def _finish(task: ShardTask, shards: Sequence[Shard], folder: Path) -> dict[str, int]:
    """Merge counts and rejects in the order of the shards; return the totals."""
    counts: Counter[str] = Counter()
    files: dict[str, Counter[str]] = {}
    traced: list[Reject] = []
    written = rejected = 0
    with atomic_write(folder / REJECTS) as stream:
        for shard in shards:
            record = read_json(_done_file(folder, shard.number))
            written += record["written"]
            rejected += len(record["rejects"])
            counts.update(record["counts"])
            by_file = files.setdefault(shard.name, Counter())
            by_file.update({"lines": shard.lines, "written": record["written"], "rejected": len(record["rejects"])})
            for reject in (Reject(**values) for values in record["rejects"]):
                stream.write(json_line(reject.listed()))
                if reject.trace:
                    traced.append(reject)
    totals = {"lines": sum(s.lines for s in shards), "written": written, "rejected": rejected, "shards": len(shards)}
    write_json(
        folder / STATS,
        {"stage": task.stage, **totals, "counts": dict(sorted(counts.items())), "files": files},
    )
    if debug := write_traces(traced, folder / DEBUG):
        log.warning("%s: the traces of errors are in %s; please report them", task.stage, debug)
    if rejected:
        log.warning("%s: %d records were left out, see %s", task.stage, rejected, folder / REJECTS)
    return totals


def parts(folder: str | Path, *, prefix: str = "pairs") -> list[Path]:
    """Return the output files of a finished run, in order.

    Raises:
        WorkerError: the run in ``folder`` is not finished.
    """
    folder = Path(folder)
    manifest = Manifest.load(folder)
    if manifest is not None and not manifest.complete:
        raise WorkerError(f"{folder}: this run is not finished; start it again to do the rest")
    return sorted(folder.glob(f"{prefix}-[0-9]*"))
