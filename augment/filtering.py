"""Takes noisy and repeated pairs out with OpusFilter (Aulamo et al. 2020), keeping what was dropped and why.

The filters and their values are those of Amrhein et al. 2023, appendix A (length, longest word, share of letters,
language, duplicates); a bound on the ratio of lengths and one on similarity are added. Their language detector
(fastText) needs a downloaded model; Lingua does not. One OpusFilter configuration is made and stored with the result
as ``opusfilter.yaml``. Its scores are computed shard by shard in several processes, its duplicates once over
everything; a pair's metadata does not pass through OpusFilter but is joined again by line number.
"""

from __future__ import annotations

import copy
import io
import json
import logging
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

import yaml

from augment.own_pairs import MOST_DROPPED, OwnPairs
from augment.sources import as_json_lines, pair_files, write_text
from rewriter.errors import GenderFairError, UsageError, WorkerError
from rewriter.installation.extras import require
from rewriter.io.files import (
    atomic_write,
    file_digest,
    json_line,
    read_lines,
    read_pairs,
    write_json,
    write_json_lines,
    write_lines,
    write_pairs,
)
from rewriter.options import check_share
from rewriter.records import Pair
from rewriter.runs.manifest import Manifest
from rewriter.runs.resume import run_in
from rewriter.runs.shards import REJECTS, RawLine, ShardContext, ShardOptions, ShardTask, map_shards, parts

__all__ = ["FilterConfig", "filter_pairs"]

#: raised by hand when other pairs are kept
STAGE_VERSION = 2
CONFIGURATION = "opusfilter.yaml"
REJECTED = "rejected.jsonl.zst"
PAIRS = "pairs-00000.jsonl.zst"
DUPLICATE = "duplicate"
_SCORES = ("scores.jsonl", "language.jsonl")


@dataclass(frozen=True)
class FilterConfig:
    """Which pairs are kept; the first five are the values of the paper.

    Attributes:
        min_words: fewest words on either side.
        max_words: most words on either side.
        longest_word: words must be shorter than this many characters.
        alphabet_ratio: smallest share of letters.
        duplicates: ``exact`` (source and target the same as before), ``lowercase``, ``letters`` (case and all but
            letters ignored) or ``keep``.
        lang: language code; empty switches the language filter off.
        other_languages: languages that it may be taken for; few make the detector fast and sure.
        language_threshold: confidence must be above this.
        language_min_words: shorter texts are not asked about.
        length_ratio: most words of one side for a word of the other (below this).
        similarity: least similarity of the sides (longest common subsequence of characters, 0 to 1).
        extra: more OpusFilter filters for source and target, as in an OpusFilter configuration.
        most_dropped: share of somebody's own pairs (that say nothing but ``source`` and ``target``) that may be left
            out, duplicates aside; beyond it the stage stops. 1 never stops. Not part of the identity.
        processes: worker processes; not part of the identity.
        shard_lines: pairs per shard; not part of the identity.
    """

    min_words: int = 1
    max_words: int = 150
    longest_word: int = 40
    alphabet_ratio: float = 0.5
    duplicates: str = "exact"
    lang: str = "en"
    other_languages: list[str] = field(default_factory=lambda: ["de", "fr", "es"])
    language_threshold: float = 0.0
    language_min_words: int = 5
    length_ratio: float = 3.0
    similarity: float = 0.5
    extra: list[dict[str, Any]] = field(default_factory=list)
    most_dropped: float = MOST_DROPPED
    processes: int = 1
    shard_lines: int = 20_000

    def __post_init__(self) -> None:
        check_share(zero=True, one=True, most_dropped=self.most_dropped)
        if self.duplicates not in ("exact", "lowercase", "letters", "keep"):
            raise UsageError(f"filter: duplicates must be exact, lowercase, letters or keep, not '{self.duplicates}'")


def opusfilter_configuration(config: FilterConfig) -> dict[str, Any]:
    """Return the OpusFilter configuration: scores of the pairs, language of the targets, duplicates.

    It can be run by itself (``opusfilter opusfilter.yaml``) in a folder with ``source.txt``, ``target.txt`` and
    ``ids.txt``.
    """
    texts = ["source.txt", "target.txt"]
    steps = [_score(texts, _SCORES[0], _pair_filters(config))]
    if config.lang:
        # Source and target differ in pronouns, verbs and nouns only: asking about one side halves the time.
        steps.append(_score(["target.txt"], _SCORES[1], [_language_filter(config)]))
    if config.duplicates != "keep":
        steps.append(_remove_duplicates(config))
    return {"common": {"output_directory": ".", "chunksize": config.shard_lines}, "steps": steps}


def _score(inputs: list[str], output: str, filters: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "score", "parameters": {"inputs": list(inputs), "output": output, "filters": filters}}


def _pair_filters(config: FilterConfig) -> list[dict[str, Any]]:
    return [
        {"LengthFilter": {"unit": "word", "min_length": config.min_words, "max_length": config.max_words}},
        {"LongWordFilter": {"threshold": config.longest_word}},
        {"AlphabetRatioFilter": {"threshold": config.alphabet_ratio}},
        {"LengthRatioFilter": {"unit": "word", "threshold": config.length_ratio}},
        {"module": "augment.opusfilters", "SimilarityAtLeast": {"threshold": config.similarity}},
        *copy.deepcopy(config.extra),
    ]


def _language_filter(config: FilterConfig) -> dict[str, Any]:
    values = {
        "languages": [config.lang],
        "langid_languages": [config.lang, *config.other_languages],
        "lingua_mode": "high",
        "threshold": config.language_threshold,
        "min_words": config.language_min_words,
    }
    return {"module": "augment.opusfilters", "LongTextLanguage": values}


def _remove_duplicates(config: FilterConfig) -> dict[str, Any]:
    columns = ["source", "target", "ids"]
    parameters = {
        "inputs": [f"{name}.txt" for name in columns],
        "outputs": [f"{name}.unique.txt" for name in columns],
        "compare": [0, 1],
        "lowercase": config.duplicates != "exact",
        "letters_only": config.duplicates == "letters",
    }
    return {"type": "remove_duplicates", "parameters": parameters}


def filter_pairs(
    config: FilterConfig, *, inputs: Sequence[str | Path], output: str | Path, fresh: bool = False
) -> Manifest:
    """Filter pairs: ``pairs-00000.jsonl.zst``, ``rejected.jsonl.zst`` (with ``reason``), ``stats.json`` in ``output``.

    Lines that are no pairs at all are listed in ``rejects.jsonl``.

    Args:
        config: what is kept.
        inputs: files of pairs, or folders that ``gender-fair augment`` wrote; the first of two duplicates is kept.
        output: folder.
        fresh: begin anew where another run's result stands.

    Raises:
        MissingExtraError: OpusFilter is not installed.
        InputError: an input is missing, or no file of pairs.
        ResumeError: ``output`` belongs to another run.
        UsageError: a filter of ``extra`` is unknown or has wrong parameters.
        WorkerError: a worker process died.
    """
    require("opusfilter", extra="augment")
    folder, paths = Path(output), pair_files(inputs)
    configuration = opusfilter_configuration(config)
    with run_in(folder, "filter", _identity(config, paths), fresh=fresh) as run:
        if run.is_done:
            return run.manifest
        _write_configuration(folder / CONFIGURATION, configuration)
        scored = _score_shards(config, configuration, paths, folder, fresh)
        unique = _unique(configuration, scored)
        counts = _write_result(scored, unique, folder, config.most_dropped)
        shutil.copyfile(folder / "scored" / REJECTS, folder / REJECTS)
        counts["rejected"] = sum(1 for _ in read_lines(folder / REJECTS))
        run.manifest.counts = counts
    shutil.rmtree(folder / "scored")
    shutil.rmtree(folder / "inputs", ignore_errors=True)
    return run.manifest


def _identity(config: FilterConfig, paths: Sequence[Path]) -> dict[str, Any]:
    options = {k: v for k, v in asdict(config).items() if k not in ("processes", "shard_lines", "most_dropped")}
    identity: dict[str, Any] = {"stage version": STAGE_VERSION, "opusfilter": _opusfilter_version()}
    identity |= {f"option {key}": value for key, value in options.items()}
    return identity | {f"input {number} {path.name}": file_digest(path) for number, path in enumerate(paths)}


def _opusfilter_version() -> str:
    from importlib.metadata import version

    return version("opusfilter")


def _write_configuration(path: Path, configuration: Mapping[str, Any]) -> None:
    text = yaml.safe_dump(copy.deepcopy(configuration), sort_keys=False)
    write_lines(path, text.splitlines())


# ---------------------------------------------------------------- scores, shard by shard


def _score_shards(
    config: FilterConfig, configuration: Mapping[str, Any], paths: Sequence[Path], folder: Path, fresh: bool
) -> list[Path]:
    task = ShardTask(
        "filter",
        STAGE_VERSION,
        make_worker,
        options={"configuration": configuration},
        prefix="scored",
        write=_write_records,
    )
    options = ShardOptions(lines=config.shard_lines, processes=config.processes)
    map_shards(task, as_json_lines(paths, folder / "inputs"), output=folder / "scored", options=options, fresh=fresh)
    return parts(folder / "scored", prefix="scored")


def _write_records(path: Path, records: Iterable[dict[str, Any]]) -> int:
    return write_json_lines(path, records)


def make_worker(values: Mapping[str, Any]) -> ScoreWorker:
    """Make the worker of a process; builds the filters, which loads the language detector."""
    return ScoreWorker(values["configuration"])


class ScoreWorker:
    """Runs OpusFilter's score steps on the pairs of a shard and decides by its filters."""

    def __init__(self, configuration: Mapping[str, Any]) -> None:
        self.configuration = configuration
        self.steps = [step for step in configuration["steps"] if step["type"] == "score"]
        self.pipelines = [_pipeline(step["parameters"]["filters"]) for step in self.steps]

    def __call__(self, lines: Iterator[RawLine], context: ShardContext) -> Iterator[dict[str, Any]]:
        """Yield every pair as JSON with ``reason``: empty for one that is kept, else the filter and its score."""
        pairs = list(self._pairs(lines, context))
        if not pairs:
            return
        with tempfile.TemporaryDirectory(prefix="gender-fair-filter-") as name:
            folder = Path(name)
            write_text(folder / "source.txt", (pair.source for pair in pairs))
            write_text(folder / "target.txt", (pair.target for pair in pairs))
            _execute(self.configuration, folder, {"score"})
            scores = zip_longest(*(_read_scores(folder / step["parameters"]["output"]) for step in self.steps))
            for pair, found in zip_longest(pairs, scores):
                if pair is None or found is None or None in found:
                    raise WorkerError(f"OpusFilter wrote another number of scores than pairs for {context.shard}")
                yield pair.to_dict() | {"reason": self._reason(found)}

    def _pairs(self, lines: Iterator[RawLine], context: ShardContext) -> Iterator[Pair]:
        for number, data in lines:
            try:
                record = json.loads(data)
                where = f"{context.shard.name}:{number}"
                pair = Pair.from_dict(record if isinstance(record, dict) else {}, where=where)
                f"{pair.source}{pair.target}".encode()  # JSON may hold half a surrogate pair, UTF-8 may not
                yield pair
            except (ValueError, GenderFairError) as error:
                context.reject(number, f"no pair ({error})")

    def _reason(self, found: Sequence[Mapping[str, Any]]) -> str:
        for pipeline, scores in zip(self.pipelines, found, strict=True):
            for names, each in zip(pipeline.get_score_tuples(), pipeline.filters, strict=True):
                score: Any = scores
                for name in names:
                    score = score[name]
                if not each.accept(score):
                    return f"{'.'.join(names)} {json.dumps(score)}"
        return ""


def _pipeline(filters: Sequence[Mapping[str, Any]]) -> Any:
    pipeline = require("opusfilter.pipeline", extra="augment").FilterPipeline
    try:
        # from_config takes its argument apart
        return pipeline.from_config(copy.deepcopy(list(filters)))
    except Exception as error:
        raise UsageError(f"filter: OpusFilter refuses the filters ({type(error).__name__}: {error})") from error


def _read_scores(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in read_lines(path))


def _execute(configuration: Mapping[str, Any], folder: Path, types: set[str]) -> None:
    """Run the steps of the given types in ``folder``."""
    chosen = copy.deepcopy(dict(configuration))
    chosen["common"]["output_directory"] = str(folder)
    chosen["steps"] = [step for step in chosen["steps"] if step["type"] in types]
    with _quiet():
        require("opusfilter.opusfilter", extra="augment").OpusFilter(chosen).execute_steps()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep OpusFilter's own progress bars away; ours is shown instead."""
    level = logging.getLogger("opusfilter").level
    logging.getLogger("opusfilter").setLevel(logging.ERROR)
    try:
        with redirect_stderr(io.StringIO()):
            yield
    finally:
        logging.getLogger("opusfilter").setLevel(level)


# ---------------------------------------------------------------- duplicates, over everything


def _records(scored: Iterable[Path]) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for path in scored for line in read_lines(path))


def _unique(configuration: Mapping[str, Any], scored: Sequence[Path]) -> set[int] | None:
    """Return the places (among all scored records) of kept pairs that repeat none before; None: all are unique."""
    if not any(step["type"] == "remove_duplicates" for step in configuration["steps"]):
        return None
    with tempfile.TemporaryDirectory(prefix="gender-fair-filter-") as name:
        folder = Path(name)
        for column in ("source", "target"):
            kept = (record[column] for record in _records(scored) if not record["reason"])
            write_text(folder / f"{column}.txt", kept)
        places = (str(n) for n, record in enumerate(_records(scored)) if not record["reason"])
        write_text(folder / "ids.txt", places)
        _execute(configuration, folder, {"remove_duplicates"})
        return {int(line) for line in read_lines(folder / "ids.unique.txt")}


def _write_result(scored: Sequence[Path], unique: set[int] | None, folder: Path, most_dropped: float) -> dict[str, Any]:
    reasons: Counter[str] = Counter()
    forms: Counter[str] = Counter()
    own = OwnPairs()

    def kept(rejected: Any) -> Iterator[Pair]:
        for place, record in enumerate(_records(scored)):
            reason = record.pop("reason")
            if not reason and unique is not None and place not in unique:
                reason = DUPLICATE
            reasons[reason.split(" ")[0] or "kept"] += 1
            own.add(Pair.from_dict(record))
            if reason and reason != DUPLICATE:
                own.leave_out(Pair.from_dict(record), reason.split(" ")[0])
            if reason:
                rejected.write(json_line(record | {"reason": reason}))
            else:
                forms[f"{record['strategy']} {record['form']}"] += 1
                yield Pair.from_dict(record)

    with atomic_write(folder / REJECTED) as rejected:
        written = write_pairs(folder / PAIRS, kept(rejected))
    own.check("filter", most_dropped, "filter.most_dropped")
    counts = {"pairs": reasons.total(), "kept": written, "reasons": dict(sorted(reasons.items())), **own.counts()}
    write_json(folder / "stats.json", {"stage": "filter", **counts, "forms": dict(sorted(forms.items()))})
    return counts


def iterate(inputs: Sequence[str | Path]) -> Iterator[Pair]:
    """Yield all pairs of files or stage folders, in order."""
    for path in pair_files(inputs):
        yield from read_pairs(path)
