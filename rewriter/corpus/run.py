"""Runs the rewriting of a corpus: plan, shards, joined outputs, reports; to be continued after whatever happens."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from rewriter.corpus.engine import Selector
from rewriter.corpus.job import CorpusJob, CorpusShard, RewriterSpec, prepare, rewrite_shard
from rewriter.corpus.plan import CorpusFile, Cutting, cut_file, open_files, with_part
from rewriter.corpus.ray_engine import RaySpread, check_engine
from rewriter.corpus.reports import CorpusReports, total, write_reports
from rewriter.corpus.results import KEPT_REJECTS, Summary
from rewriter.corpus.state import Digests, Outputs, State
from rewriter.errors import InputError, UsageError
from rewriter.formats.base import FormatOptions
from rewriter.options import MOST_PROCESSES, at_most
from rewriter.runs.manifest import lock, stopwatch
from rewriter.runs.processes import WorkerPool
from rewriter.version import __version__

#: raised by hand when the same input, model and options give another output
VERSION = 4
#: name of the state folder inside an output folder; beside a single output file it has the file's name in front
STATE = ".gender-fair"
SHARD_SIZE = 8 << 20
#: changed texts of a shard that go into a page of differences
EXAMPLES = 100


@dataclass(frozen=True)
class CorpusOptions:
    """How a corpus is rewritten.

    Attributes:
        format: how files are read: format, unit, columns (:class:`rewriter.formats.FormatOptions`).
        processes: worker processes; 0 takes all cores, or one process where a GPU is used. The output does not
            depend on it. With the engine ``ray`` its actors; 0 takes as many as the cluster has cores, or GPUs.
        shard_size: bytes of a shard: what is lost when a run is killed, what a worker holds in memory.
        shard_lines: most lines of a shard.
        fresh: forget an earlier run under the same output.
        dry_run: count only; nothing but reports is written.
        select: tells which texts are to be rewritten (:data:`rewriter.corpus.engine.Selector`), by language; a
            module-level function, or an object that can be pickled and whose ``repr`` says what it does.
        reports: what else is written.
        progress: show a bar on standard error; None shows it at a terminal.
        engine: ``local`` for processes of this machine, ``ray`` for a Ray cluster. The output does not depend on it.
        ray_address: of the cluster as for ``ray.init``; None finds or starts one.
    """

    format: FormatOptions = field(default_factory=FormatOptions)
    processes: int = 0
    shard_size: int = SHARD_SIZE
    shard_lines: int | None = None
    fresh: bool = False
    dry_run: bool = False
    select: Selector | None = None
    reports: CorpusReports = field(default_factory=CorpusReports)
    progress: bool | None = None
    engine: str = "local"
    ray_address: str | None = None

    def __post_init__(self) -> None:
        check_engine(self.engine, self.ray_address)
        if self.processes < 0 or self.shard_size < 1 or (self.shard_lines is not None and self.shard_lines < 1):
            raise UsageError("processes, shard size and shard lines must be positive")
        at_most(MOST_PROCESSES, processes=self.processes)

    @property
    def cutting(self) -> Cutting:
        """How files are cut."""
        return Cutting(self.shard_size, self.shard_lines, self.format)


def rewrite_corpus(
    inputs: Sequence[str | Path],
    output: str | Path,
    *,
    rewriter: RewriterSpec | str | Path = "en",
    options: CorpusOptions | None = None,
) -> Summary:
    """Rewrite files of any size, on all cores, so that a killed run can be continued.

    Inputs are cut into shards of whole records. A part is written per shard, whole or not at all; parts are joined as
    they come, and an output appears under its name when it is complete. The state of a run lies beside its output, in
    ``OUT/.gender-fair`` or ``.NAME.gender-fair``. The same call continues a run that was killed, and does nothing when
    all is done. The bytes of the output depend neither on interruptions nor on the number of processes.

    Args:
        inputs: files (plain text, JSONL, CSV, TSV, each also .gz or .zst, and Parquet), folders, or patterns
            (``data/**/*.jsonl``).
        output: a file for one input; a folder for several, or when it ends with a slash or is one.
        rewriter: bundled name, model directory, or :class:`RewriterSpec` with options.
        options: format, processes, shards, reports.

    Returns:
        counts over the whole corpus, also of what earlier runs did.

    Raises:
        UsageError: inputs and output do not fit, or there is no such column.
        ModelError: there is no such model, or it is damaged.
        InputError: an input cannot be read. Files that cannot be opened are named before anything is done; where one
            turns out to be damaged, the others are finished first.
        OutputError: the output cannot be written, the disk is full, or another process works on it.
        ResumeError: an earlier run had another input, model or option; the message names it.
        WorkerError: a worker process died; finished shards are kept.
    """
    from rewriter.corpus.targets import plan

    jobs = plan(list(inputs), str(output))
    return rewrite_files(jobs, state_folder(jobs, str(output)), rewriter=rewriter, options=options)


def rewrite_files(
    jobs: Sequence[tuple[Path, Path]],
    folder: Path,
    *,
    rewriter: RewriterSpec | str | Path = "en",
    options: CorpusOptions | None = None,
) -> Summary:
    """Rewrite every (source, target) with the state in ``folder``; see :func:`rewrite_corpus`."""
    options = options or CorpusOptions()
    spec = rewriter if isinstance(rewriter, RewriterSpec) else RewriterSpec.of(rewriter)
    files = open_files(jobs)
    run = _Run(files, spec, options)
    if options.dry_run:
        return run.count()
    with lock(folder):
        return run.rewrite(State(folder))


def state_folder(jobs: Sequence[tuple[Path, Path]], output: str) -> Path:
    """Return where the state of a run lies: in the output folder, or beside the only output file."""
    path = Path(output)
    if len(jobs) == 1 and jobs[0][1] == path:
        return path.with_name(f".{path.name}{STATE}")
    return path / STATE


class _Run:
    """One call of :func:`rewrite_files`."""

    def __init__(self, files: Sequence[CorpusFile], spec: RewriterSpec, options: CorpusOptions) -> None:
        self._files, self._spec, self._options = files, spec, options
        # a GPU is shared badly: several processes must be asked for
        on_cpu = dict(spec.options).get("device", "cpu") == "cpu"
        self._processes = options.processes or (available_cores() if on_cpu else 1)
        #: number of a file -> why it could not be read to its end
        self._failures: dict[int, str] = {}

    def _job(self) -> CorpusJob:
        examples = EXAMPLES if self._options.reports.html else 0
        threads = 1 if self._processes > 1 or self._options.engine == "ray" else None
        return CorpusJob(self._spec, self._options.select, examples, threads)

    def identity(self) -> dict[str, Any]:
        """Return what the output depends on, but for the inputs' content."""
        options = self._options
        return {
            "code version": VERSION,
            **self._spec.identity(),
            **{f"format {key}": value for key, value in asdict(options.format).items()},
            "selection": _describe(options.select),
            "shard size": options.shard_size,
            "shard lines": options.shard_lines,
            "inputs": [file.path.name for file in self._files],
            "outputs": [file.target.name for file in self._files],
        }

    def count(self) -> Summary:
        """Rewrite without writing."""
        start = time.monotonic()
        wanted = self._options.reports
        kept: dict[tuple[int, int], dict[str, Any]] = {}
        with closing(self._work(self._all_shards(), done=0)) as work:
            for shard, report in work:
                if "error" in report:
                    self._failures.setdefault(shard.file, report["error"])
                    continue
                if wanted.rejected_edits is None:
                    report["rejected_edits"] = []
                if wanted.rejects is None:
                    del report["rejects"][KEPT_REJECTS:]
                kept[shard.file, shard.number] = report
        raise_failures(list(self._failures.values()), len(self._files))
        reports = [(file, report) for (file, _), report in sorted(kept.items())]
        summary = total(lambda: reports)
        summary.files, summary.seconds = len(self._files), time.monotonic() - start
        write_reports(lambda: reports, summary, wanted)
        return summary

    def _all_shards(self) -> Iterator[CorpusShard]:
        for file in self._files:
            try:
                yield from self._cut(file)
            except InputError as error:
                self._failures.setdefault(file.number, str(error))

    def rewrite(self, state: State) -> Summary:
        """Do what is missing; return the counts of everything."""
        state.begin(self.identity(), self._files, fresh=self._options.fresh)
        outputs = Outputs(state, self._files, self._options.format, doubles=self._spec.doubles)
        outputs.recover()
        missing = [file for file in self._files if not outputs.done(file.number)]
        if missing or not state.manifest.complete:
            state.manifest.complete = False
            state.manifest.notes["toolkit"] = __version__
            with stopwatch(state.manifest, state.folder):
                self._finish(missing, state, outputs)
            if hasattr(os, "sync"):
                os.sync()  # once for all files, which were written without waiting for the disk
            state.manifest.complete = not self._failures
            state.manifest.counts = self._total(state).to_dict() | {"rejects": []}
            state.save()
        raise_failures(list(self._failures.values()), len(self._files))
        summary = self._total(state)
        write_reports(state.journal.reports, summary, self._options.reports, state=state.folder)
        return summary

    def _finish(self, missing: Sequence[CorpusFile], state: State, outputs: Outputs) -> None:
        known = state.journal.digests
        with closing(Digests([file for file in missing if file.number not in known])) as digests:
            done = sum(file.size for file in self._files) - sum(file.size for file in missing)
            shards = self._missing_shards(missing, state, outputs)
            with closing(self._work(shards, done=done)) as work:
                for shard, report in work:
                    self._keep(shard, report, state, outputs)
                    self._keep_digests(digests.take(wait=False), state)
            self._keep_digests(digests.take(wait=True), state)

    def _keep_digests(self, digests: Iterable[tuple[int, str | InputError]], state: State) -> None:
        """Note digests; a file that cannot be read fails, as it does when its shards are read, and the others go on."""
        for number, value in digests:
            if isinstance(value, InputError):
                self._fail(number, str(value), state)
            else:
                state.journal.add({"file": number, "sha256": value})

    def _keep(self, shard: CorpusShard, report: dict[str, Any], state: State, outputs: Outputs) -> None:
        """Note a finished shard and join what can be joined."""
        if "error" in report:
            self._fail(shard.file, report["error"], state)
            return
        state.journal.add({"file": shard.file, "shard": shard.number, "report": report})
        try:
            outputs.advance(shard.file)
        except InputError as error:
            self._fail(shard.file, str(error), state)

    def _missing_shards(self, files: Sequence[CorpusFile], state: State, outputs: Outputs) -> Iterator[CorpusShard]:
        """Yield the shards that are not done, and finish files of which none is missing."""
        for file in files:
            count = 0
            held: CorpusShard | None = None
            try:
                for shard in self._cut(file):
                    count += 1
                    if held is not None:
                        yield held
                    held = None
                    if not outputs.has(file.number, shard.number):
                        held = with_part(shard, outputs.part(file.number, shard.number))
                # known before the last shard is done, so that its part need not be joined if it is the only one
                outputs.all_cut(file.number, count)
                if held is not None:
                    yield held
                else:
                    outputs.advance(file.number)
            except InputError as error:
                self._fail(file.number, str(error), state)

    def _cut(self, file: CorpusFile) -> Iterator[CorpusShard]:
        return cut_file(file, self._options.cutting)

    def _work(
        self, shards: Iterator[CorpusShard], *, done: int
    ) -> Generator[tuple[CorpusShard, dict[str, Any]], None, None]:
        """Yield (shard, report) as they come, with a progress bar over bytes."""
        results = self._in_processes(self._job(), shards)
        size = None if any(file.packed for file in self._files) else sum(file.size for file in self._files)
        show = sys.stderr.isatty() if self._options.progress is None else self._options.progress
        with closing(results), tqdm(total=size, initial=done, unit="B", unit_scale=True, disable=not show) as bar:
            for shard, report in results:
                bar.update(shard.size)
                yield shard, report

    def _in_processes(
        self, job: CorpusJob, shards: Iterator[CorpusShard]
    ) -> Generator[tuple[CorpusShard, dict[str, Any]], None, None]:
        if self._options.engine == "ray":
            return RaySpread(job, self._options.processes, self._options.ray_address).map(shards)
        pool = WorkerPool(self._processes, "rewrite", ahead=1, setup=prepare, arguments=(job.rewriter, job.threads))
        return pool.map(partial(rewrite_shard, job=job), shards)

    def _fail(self, file: int, reason: str, state: State) -> None:
        if file not in state.journal.failed:
            state.journal.add({"file": file, "failed": reason})
        self._failures.setdefault(file, reason)

    @staticmethod
    def _total(state: State) -> Summary:
        summary = total(state.journal.reports)
        summary.files, summary.seconds = len(state.journal.complete), state.manifest.seconds
        return summary


def raise_failures(failures: Sequence[str], files: int) -> None:
    """Raise what went wrong with some of the inputs, when the others are done.

    Raises:
        InputError: names the files.
    """
    if failures and files == 1:
        raise InputError(failures[0])
    if failures:
        listed = "\n  ".join(failures[:20])
        raise InputError(
            f"{len(failures)} of {files} files could not be read to their end and have no output; the others are "
            f"done:\n  {listed}"
        )


def available_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _describe(select: Selector | None) -> str | None:
    """Return what a selector is, for the manifest."""
    if select is None or is_dataclass(select):
        return None if select is None else repr(select)
    return getattr(select, "__qualname__", type(select).__qualname__)
