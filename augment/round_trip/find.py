"""Finds sentences with gender-fair forms in plain text.

The first step of round trips (Amrhein et al. 2023, section 4.2, appendix F). What comes out are pairs of the sentence
as it was written and the sentence in one form: the targets of everything that follows, and, as the paper has it, pairs
themselves ("copies of the target segments before normalisation", table 4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from augment.round_trip.patterns import pattern_identity, rules_of
from augment.round_trip.records import Record, described, has_singular, write_records
from augment.round_trip.rules import Reading, segmenter
from augment.select import Bounds, Selector, sampling_rates
from augment.sources import data_card, find_inputs
from lexicons.loader import LEXICON_VERSION
from rewriter.records import Pair
from rewriter.runs.manifest import Manifest
from rewriter.runs.shards import RawLine, ShardContext, ShardOptions, ShardTask, map_shards

__all__ = ["FindConfig", "find_fair"]

#: raised by hand when other sentences are found
STAGE_VERSION = 2
FIND = "find-fair"
#: strategy of pairs in which nothing is rewritten, as mixtures know it
COPY = "copy"


@dataclass(frozen=True)
class FindConfig:
    """What is looked for, and where.

    Attributes:
        inputs: text files, folders or globs.
        lang: language code.
        exclude: globs over file names, or ``licence:`` and a glob over the licence in ``MANIFEST.tsv``.
        form: in which the targets are written.
        only_singular: only sentences with a singular person.
        unread: keep sentences in which something looks like a gender-fair form and could not be read.
        sentences: about how many; None takes all.
        max_share: largest part of them from one file.
        min_words: shortest sentence.
        max_words: longest sentence.
        seed: of the sample.
        processes: worker processes; not part of the identity.
        shard_lines: input lines per shard; the unit that is repeated after an interruption.
        plain: look for sentences without anything gender-fair or gendered instead, as pairs of a text and itself.
        patterns: file with the gender-fair forms of a language without rules (:mod:`augment.round_trip.patterns`).
    """

    inputs: list[str] = field(default_factory=list)
    lang: str = "de"
    exclude: list[str] = field(default_factory=list)
    form: str = "star"
    only_singular: bool = False
    unread: bool = False
    sentences: int | None = None
    max_share: float = 1.0
    min_words: int = 3
    max_words: int = 60
    seed: int = 1
    processes: int = 1
    shard_lines: int = 20_000
    plain: bool = False
    patterns: str = ""


def find_fair(config: FindConfig, *, output: Path, fresh: bool = False) -> Manifest:
    """Write the sentences as pairs into ``output`` (``pairs-*.jsonl.zst``); an interrupted run is continued.

    Raises:
        UsageError: no input, an unknown language or form.
        InputError: an input is missing or damaged.
        ResumeError: ``output`` belongs to another run.
    """
    paths = find_inputs(config.inputs, config.exclude)
    left_out = ("inputs", "exclude", "processes", "shard_lines", "seed", "patterns")
    options = {k: v for k, v in asdict(config).items() if k not in left_out and (v or k != "plain")} | {
        "lexicon": LEXICON_VERSION
    }
    options |= pattern_identity(config.patterns)
    setup = {"sample_seed": config.seed, "patterns": config.patterns}
    task = ShardTask(FIND, STAGE_VERSION, make_finder, options, setup, write=write_records)
    shards = ShardOptions(lines=config.shard_lines, processes=config.processes, seed=config.seed)

    def rates() -> Mapping[str, Any]:
        selector = _Finder(config).selector
        return {"rates": sampling_rates(paths, selector, sample=config.sentences, max_share=config.max_share)}

    manifest = map_shards(task, paths, output=output, options=shards, fresh=fresh, prepare=rates)
    if "data" not in manifest.notes:
        manifest.notes["data"] = data_card(paths)
        manifest.save(output)
    return manifest


def make_finder(values: Mapping[str, Any]) -> _Finder:
    """Make the worker of a process from the task's options and set-up."""
    known = {name: values[name] for name in FindConfig.__dataclass_fields__ if name in values}
    return _Finder(FindConfig(**{**known, "seed": values["sample_seed"]}), values["rates"])


class _Finder:
    """Turns the lines of a shard into records."""

    def __init__(self, config: FindConfig, rates: Mapping[str, float] | None = None) -> None:
        self.config, self.rules = config, rules_of(config.lang, config.patterns)
        # A sentence is read when it is selected and again when it is written.
        self.read = lru_cache(maxsize=1024)(self._read)
        bounds = Bounds(min_words=config.min_words, max_words=config.max_words)
        self.selector = Selector(segmenter(config.lang), self.wanted, bounds, rates or {}, config.seed)

    def _read(self, text: str) -> Reading:
        return self.rules.read(text, self.config.form)

    def wanted(self, text: str) -> bool:
        """Return True if a sentence is to be taken."""
        if self.config.plain:
            return not self.rules.maybe_fair(text) and not self.rules.gender(text)
        if not self.rules.maybe_fair(text):
            return False
        reading = self.read(text)
        if reading.unread and not self.config.unread:
            return False
        return bool(reading.found) and (has_singular(reading) or not self.config.only_singular)

    def __call__(self, lines: Iterator[RawLine], context: ShardContext) -> Iterator[Record]:
        """Yield the records of a shard."""
        config = self.config
        for sentence in self.selector(lines, context):
            origin = f"{context.shard.name}:{sentence.line}"
            if config.plain:
                yield Record(Pair(sentence.text, sentence.text, config.lang, COPY, "neutral", origin), 0, {})
                continue
            reading = context.attempt(sentence.line, self.read, sentence.text)
            if reading is None:
                continue
            forms = described(reading)
            context.counts.update(f"form: {form}" for form in forms)
            context.counts["with a singular person"] += has_singular(reading)
            yield Record(Pair(sentence.text, reading.text, config.lang, FIND, "fair", origin), 0, {"forms": forms})
