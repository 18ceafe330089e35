"""Counting into a folder and selecting from it: what the commands do, with manifests that refuse a mismatch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from augment.balance.corpus_count import RayCluster, count_corpus
from augment.balance.count import CountOptions
from augment.balance.metadata import Metadata
from augment.balance.reading import Corpus
from augment.balance.report import summary, write_page
from augment.balance.select import Plan, SelectOptions, Target, select
from augment.balance.statistics import Paragraph, Statistics
from augment.balance.write import write_balanced
from rewriter.errors import InputError, MetricError, ResumeError
from rewriter.faults import DEBUG, write_traces
from rewriter.formats import FormatOptions
from rewriter.io.files import file_digest, read_lines, write_json, write_json_lines, write_lines
from rewriter.records import Reject
from rewriter.runs.manifest import Manifest, fingerprint, lock
from rewriter.runs.resume import run_in
from rewriter.runs.shards import REJECTS
from rewriter.version import __version__

#: raised by hand when counts or choices change
COUNT_VERSION = 1
SELECT_VERSION = 1
COUNTS = "counts.jsonl.zst"
REPORT = "report.json"
PAGE = "report.html"


@dataclass(frozen=True)
class CountRun:
    """What a counting run needs.

    Attributes:
        inputs: files, folders, patterns.
        metadata: terms and identifiers.
        count: how is counted.
        format: how files are read; a record is a paragraph.
        processes: worker processes; with ``ray`` its actors, 0 for one on each core.
        ray: a Ray cluster to count on.
    """

    inputs: Sequence[str]
    metadata: Metadata
    count: CountOptions = field(default_factory=CountOptions)
    format: FormatOptions = field(default_factory=FormatOptions)
    processes: int = 1
    ray: RayCluster | None = None


def count_into(run: CountRun, folder: str | Path, *, fresh: bool = False) -> Statistics:
    """Count a corpus; write counts and manifest into a folder, or read them where they stand already.

    Args:
        run: what and how.
        folder: for ``counts.jsonl.zst`` and ``manifest.json``.
        fresh: begin anew where another run's result stands.

    Raises:
        InputError: a file cannot be read, or a record is not what the format says.
        MetricError: the corpus holds no paragraph.
        ResumeError: the folder holds another run's result.
        UsageError, RecipeError, ParserError, WorkerError: as :func:`augment.balance.corpus_count.count_corpus`.
    """
    folder = Path(folder)
    corpus = Corpus.find(run.inputs, run.format)
    notes = _notes(run, corpus)
    with run_in(folder, "balance count", _identity(run, corpus), fresh=fresh, notes=notes) as counting:
        if counting.is_done:
            return read_counts(folder)
        with tqdm(unit=" paragraphs", unit_scale=True, desc="count", disable=None) as bar:
            where: dict[str, Any] = {"processes": run.processes, "ray": run.ray}
            result = count_corpus(corpus, run.metadata, run.count, progress=bar.update, **where)
        if not result.paragraphs:
            raise MetricError(f"{', '.join(map(str, corpus.paths))}: no paragraph to count; the corpus is empty")
        statistics = result.statistics
        write_lines(folder / COUNTS, (p.to_line(statistics.terms) for p in _paragraphs(statistics)))
        write_rejects(folder, result.rejects)
        counts = {"paragraphs": result.paragraphs, "paragraphs with counts": len(statistics)}
        counting.manifest.counts = counts | {"rejected": len(result.rejects)}
    return statistics


def write_rejects(folder: Path, rejects: Sequence[Reject]) -> None:
    """Write ``rejects.jsonl`` and, where there are traces of errors, ``debug.jsonl``.

    Raises:
        OutputError: a file cannot be written.
    """
    write_json_lines(folder / REJECTS, (reject.listed() for reject in rejects))
    write_traces(rejects, folder / DEBUG)


def _paragraphs(statistics: Statistics) -> list[Paragraph]:
    places = statistics.places.tolist()
    return [Paragraph(file, record, dict(statistics.rows(n))) for n, (file, record) in enumerate(places)]


def _identity(run: CountRun, corpus: Corpus) -> dict[str, Any]:
    options = asdict(run.count)
    if not run.count.names:  # as before there was such a key
        del options["name_words"]
    identity: dict[str, Any] = {"stage version": COUNT_VERSION, "metadata": fingerprint(_plain(run.metadata))}
    identity |= {f"option {key}": value for key, value in options.items()}
    identity |= {f"format {key}": value for key, value in asdict(run.format).items()}
    if run.count.vectors:
        identity["vectors"] = file_digest(run.count.vectors)
    return identity | corpus.identity()


def _plain(metadata: Metadata) -> Mapping[str, Any]:
    return asdict(metadata) | {"allowed": sorted(metadata.allowed)}


def _notes(run: CountRun, corpus: Corpus) -> dict[str, Any]:
    return {
        "toolkit": __version__,
        "categories": list(run.metadata.categories),
        "terms": [term.name for term in run.metadata.terms],
        "targets known": run.metadata.targets_known,
        "files": [str(path.resolve()) for path in corpus.paths],
        "names": list(corpus.names),
        "format": asdict(run.format),
    }


def _manifest(folder: Path) -> Manifest:
    manifest = Manifest.load(folder)
    if manifest is None or manifest.stage != "balance count" or not manifest.complete:
        raise InputError(f"{folder}: no finished count; run 'gender-fair balance count INPUT... -o {folder}' first")
    return manifest


def read_counts(folder: str | Path) -> Statistics:
    """Return the counts that a finished run wrote.

    Raises:
        InputError: there is no finished run, or its file is damaged.
    """
    notes = _manifest(Path(folder)).notes
    path = Path(folder) / COUNTS
    return Statistics.from_lines(notes["categories"], notes["terms"], read_lines(path), str(path))


def counted_corpus(folder: str | Path) -> Corpus:
    """Return the files that were counted.

    Raises:
        InputError: there is no finished run, or a file cannot be read any more.
        ResumeError: a file has changed since.
    """
    manifest = _manifest(Path(folder))
    options = manifest.notes["format"] | {"columns": tuple(manifest.notes["format"]["columns"])}
    paths = tuple(map(Path, manifest.notes["files"]))
    for number, path in enumerate(paths):
        if manifest.identity[f"input {number} {path.name}"] != file_digest(path):
            raise ResumeError(f"{path}: has changed since it was counted into {folder}; count it again (--fresh)")
    return Corpus(paths, tuple(manifest.notes["names"]), FormatOptions(**options))


def select_into(
    counts: str | Path, output: str | Path, target: str, threshold: float, options: SelectOptions, *, dry: bool = False
) -> Plan:
    """Balance a counted corpus; write it with its report into a folder.

    Args:
        counts: folder of :func:`count_into`.
        output: folder for the files of the corpus under their names, ``report.json`` and ``report.html``.
        target: ``balanced`` or a ratio (``1:2``).
        threshold: see :class:`augment.balance.select.Target`.
        options: how paragraphs are chosen.
        dry: write the report only.

    Raises:
        InputError: there is no finished count, or a file cannot be read.
        ResumeError: a file has changed since it was counted.
        MetricError: nothing was counted, or every term has one category only.
        OutputError: a file cannot be written.
        UsageError: ratio or options are wrong.
    """
    statistics = read_counts(counts)
    corpus = counted_corpus(counts)
    plan = select(statistics, Target.parse(target, len(statistics.categories), threshold), options)
    check_possible(plan, str(counts))
    folder = Path(output)
    with lock(folder):
        if not dry:
            write_balanced(plan, corpus, folder)
        write_json(folder / REPORT, summary(plan))
        write_page(folder / PAGE, plan)
        manifest = Manifest("balance select", {"stage version": SELECT_VERSION, **asdict(options)}, complete=True)
        manifest.identity |= {"ratio": target, "threshold": threshold, "counts": file_digest(Path(counts) / COUNTS)}
        manifest.counts = {"removed": plan.removed, "added": plan.added}
        manifest.notes = {"toolkit": __version__, "dry": dry}
        manifest.save(folder)
    return plan


def check_possible(plan: Plan, where: str) -> None:
    """Refuse what cannot be balanced at all.

    Raises:
        MetricError: no term was found, or each has one category only.
    """
    outcomes = {plan.outcome(term) for term in range(len(plan.statistics.terms))}
    if outcomes <= {"not found"}:
        raise MetricError(f"{where}: none of the terms was counted with any category; there is nothing to balance")
    if outcomes <= {"not found", "one category only"}:
        raise MetricError(
            f"{where}: every term that was found has one category only; neither adding nor removing paragraphs of this "
            "corpus can balance it"
        )
