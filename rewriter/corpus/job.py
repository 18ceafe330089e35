"""What a worker needs to rewrite a shard: the shard, the job, and the one function that does it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rewriter.corpus.engine import RecordRewriter, RewritesTexts, Selector
from rewriter.corpus.parquet import RowGroupRewriter
from rewriter.corpus.results import Summary, TextResult, count_lines, cut_lines, rejection_records
from rewriter.errors import GenderFairError, InputError, WorkerError
from rewriter.faults import KEPT_TRACES
from rewriter.formats.base import RecordFormat
from rewriter.formats.parquet import ParquetTexts
from rewriter.io.files import atomic_write, file_digest
from rewriter.model.directory import ModelInfo, load_info
from rewriter.model.hub import find_model
from rewriter.records import Reject

if TYPE_CHECKING:
    from rewriter.pipeline import Rewriter

#: refused proposals that a shard's report keeps; all are counted
KEPT_REJECTIONS = 10_000


@dataclass(frozen=True)
class RewriterSpec:
    """Which rewriter a worker loads.

    Attributes:
        model: bundled name or model directory.
        options: options of :meth:`rewriter.Rewriter.from_pretrained` as (name, value), so that this can be hashed.
    """

    model: str = "en"
    options: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, model: str | Path = "en", **options: Any) -> RewriterSpec:
        """Return the specification of ``Rewriter.from_pretrained(model, **options)``."""
        pairs = ((name, tuple(sorted(v.items())) if isinstance(v, Mapping) else v) for name, v in options.items())
        return cls(str(model), tuple(sorted(pairs, key=lambda item: item[0])))

    @property
    def doubles(self) -> bool:
        """Whether records that change are written behind their sources (:class:`rewriter.corpus.engine`)."""
        return False

    def load(self, *, threads: int | None = None) -> Rewriter:
        """Load the rewriter.

        Args:
            threads: overrides the option ``threads``; None leaves it.

        Raises:
            ModelError: there is no such model, or it is damaged.
            UsageError: an unknown option or convention.
        """
        from rewriter.pipeline import Rewriter

        options = dict(self.options) | ({} if threads is None else {"threads": threads})
        return Rewriter.from_pretrained(self.model, **options)

    def info(self) -> ModelInfo:
        """Return the description of the model.

        Raises:
            ModelError: there is no such model, or it is damaged.
        """
        options = dict(self.options)
        return load_info(find_model(self.model, options.get("revision")), lang=options.get("lang"))

    def identity(self) -> dict[str, Any]:
        """Return what the output depends on, as JSON values; options that have their default are left out.

        Raises:
            ModelError: there is no such model, or it is damaged.
            InputError: the table of nouns cannot be read.
        """
        from rewriter.pipeline import Options

        info = self.info()
        identity: dict[str, Any] = {"model": f"{info.name} {info.identity}"}
        defaults = {f.name: f.default for f in fields(Options)}
        for name, value in self.options:
            if name == "threads" or value == defaults.get(name):
                continue
            if name == "lexicon":
                value = file_digest(value)
            identity[f"option {name}"] = value.identity() if hasattr(value, "identity") else value
        return identity


@dataclass(frozen=True)
class CorpusJob:
    """What is done to every shard of a run; can be pickled and hashed.

    Attributes:
        rewriter: loaded once per process.
        select: tells which texts are in the rewriter's language; None takes all. A module-level function or an
            instance that can be pickled.
        examples: changed texts that the report of a shard keeps, for a page of differences.
        threads: threads of a worker's model; None leaves the option of the rewriter.
    """

    rewriter: RewriterSpec
    select: Selector | None = None
    examples: int = 0
    threads: int | None = None


@dataclass(frozen=True, slots=True)
class CorpusShard:
    """Consecutive records of one file.

    Attributes:
        file: number of the file in the run, from 0.
        number: number of the shard in its file, from 0.
        path: the file.
        name: the file's name in reports.
        format: how its records are read; of a Parquet file its text columns, and ``number`` is the row group.
        offset: where the first record begins, in bytes of the (uncompressed) file.
        size: bytes of the shard (Parquet: about); what cannot be found by its offset is in ``data``.
        data: the bytes themselves where the file is compressed and cannot be entered in the middle.
        part: file to write (compressed by name), or None to count only.
    """

    file: int
    number: int
    path: str
    name: str
    format: RecordFormat | ParquetTexts
    offset: int
    size: int
    data: bytes | None = None
    part: str | None = None

    @property
    def first(self) -> int:
        """Number that the first line gets; only the first shard of a file knows its true one (1)."""
        return 1 if self.number == 0 else 2

    def __str__(self) -> str:
        if isinstance(self.format, ParquetTexts):
            return f"{self.name}, row group {self.number}"
        return f"{self.name}, bytes {self.offset} to {self.offset + self.size}"

    def read(self) -> bytes:
        """Return the bytes of the shard.

        Raises:
            InputError: the file cannot be read, or is shorter than it was.
        """
        if self.data is not None:
            return self.data
        try:
            with Path(self.path).open("rb") as stream:
                stream.seek(self.offset)
                data = stream.read(self.size)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read ({error.strerror or error})") from None
        if len(data) < self.size:
            raise InputError(f"{self.path}: became shorter while it was read")
        return data


def rewrite_shard(shard: CorpusShard, job: CorpusJob) -> dict[str, Any]:
    """Rewrite one shard: write its part, whole or not at all, and return a report.

    The part depends on the shard's bytes and on the job alone, wherever and whenever this is called; that is what
    makes runs restartable and engines interchangeable.

    Returns:
        JSON values: ``summary`` (counts), ``lines``, ``first`` (number that line numbers in this report begin with),
        ``size`` (bytes of the part), ``rejects``, ``rejected_edits``, ``examples``; or ``error`` where the input is at
        fault.

    Raises:
        OutputError: the part cannot be written.
        WorkerError: something else went wrong; the message names the shard.
    """
    rewriter = load_rewriter(job.rewriter, job.threads)
    if hasattr(rewriter, "forget"):
        rewriter.forget()  # what an earlier shard left in the cache must not show
    report = _Report(job.examples)
    try:
        if isinstance(shard.format, ParquetTexts):
            first, lines = _row_group(shard, shard.format, job, rewriter, report)
        else:
            first, lines = shard.first, _records(shard, shard.format, job, rewriter, report)
    except InputError as error:
        return {"error": str(error)}
    except (GenderFairError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise WorkerError(f"rewrite: {shard} failed: {type(error).__name__}: {error}") from error
    return {
        "summary": report.summary.to_dict() | {"rejects": []},
        "first": first,
        "lines": lines,
        "size": Path(shard.part).stat().st_size if shard.part else 0,
        "rejects": report.rejects,
        "rejected_edits": report.rejections[:KEPT_REJECTIONS],
        "examples": report.examples,
    }


def _records(shard: CorpusShard, fmt: RecordFormat, job: CorpusJob, rewriter: RewritesTexts, report: _Report) -> int:
    """Rewrite the records of a shard; return how many lines it has."""
    data = shard.read()
    blocks = RecordRewriter(rewriter, fmt, shard.name, select=job.select).rewrite(data, shard.first)
    with nullcontext() if shard.part is None else atomic_write(shard.part, durable=False) as stream:
        for block in blocks:
            if stream is not None:
                stream.write(b"".join(block.output))
            report.add(block.results, block.summary)
    return count_lines(data)


def _row_group(
    shard: CorpusShard, texts: ParquetTexts, job: CorpusJob, rewriter: RewritesTexts, report: _Report
) -> tuple[int, int]:
    """Rewrite a row group; return the number of its first row, and how many it has."""
    work = RowGroupRewriter(rewriter, texts, shard.name, select=job.select)
    work.rewrite(shard.number, os.devnull if shard.part is None else shard.part)
    report.add(work.results, work.summary)
    return sum(texts.rows[: shard.number]) + 1, texts.rows[shard.number]


class _Report:
    """Gathers what the report of a shard says."""

    def __init__(self, examples: int) -> None:
        self.summary = Summary()
        self.rejects: list[dict[str, Any]] = []
        self.rejections: list[dict[str, Any]] = []
        self.examples: list[dict[str, Any]] = []
        self._wanted, self._traces = examples, 0

    def add(self, results: Sequence[TextResult], summary: Summary) -> None:
        """Add the results and counts of some records."""
        self.summary.merge(summary)
        self.rejects += (self._kept(reject) for result in results for reject in result.rejects)
        if len(self.rejections) < KEPT_REJECTIONS:
            self.rejections += rejection_records(results)
        for result in results:
            if len(self.examples) < self._wanted and result.rewrite.edits:
                self.examples += _examples(result)

    def _kept(self, reject: Reject) -> dict[str, Any]:
        """Return the JSON form, with the trace of the first ones."""
        self._traces += bool(reject.trace)
        return reject.listed() | ({"trace": reject.trace} if reject.trace and self._traces <= KEPT_TRACES else {})


def _examples(result: TextResult) -> Iterator[dict[str, Any]]:
    for line, source, rewrite in cut_lines(result):
        yield {"file": result.file, "line": line, "source": source, "edits": [asdict(edit) for edit in rewrite.edits]}


@lru_cache(maxsize=1)
def load_rewriter(spec: RewriterSpec, threads: int | None = None) -> RewritesTexts:
    """Return the rewriter of a specification, loaded once per process."""
    return spec.load(threads=threads)


def prepare(spec: RewriterSpec, threads: int | None = None) -> None:
    """Load the rewriter in a new process."""
    load_rewriter(spec, threads)
