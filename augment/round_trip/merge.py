"""Puts the biased words of a round trip into the original sentence (Amrhein et al. 2023, appendix C, algorithm 1).

A round trip changes more than gender. For every gender-fair word of the target the closest word of the round-trip
translation (difflib, cut-off 0.6) takes its place; where one of them has none, the whole translation stays the source.
A causal language model can refuse merged sources that are much less likely than their targets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from augment.round_trip.patterns import pattern_identity, rules_of
from augment.round_trip.records import Record, read_records, record_files, write_records
from augment.round_trip.rules import RoundTripRules
from augment.round_trip.text_scorer import TextScorer
from augment.round_trip.translators import translator_identity
from lexicons.loader import LEXICON_VERSION
from rewriter.options import check_share, one_of
from rewriter.runs.manifest import Manifest
from rewriter.runs.shards import RawLine, ShardContext, ShardOptions, ShardTask, map_shards

__all__ = ["MergeConfig", "merge_round_trips"]

#: raised by hand when the same pairs are merged otherwise
STAGE_VERSION = 1
MERGED = "merged"
_TOKEN = re.compile(r"\w+(?:[-'’]\w+)*")


@dataclass(frozen=True)
class MergeConfig:
    """How round trips are merged.

    Attributes:
        inputs: pairs of ``augment round-trip``.
        lang: language code.
        cutoff: least similarity of difflib; 0.6 as published.
        verbatim_first: take a half of the gender-fair word (*Lehrer*, *Lehrerinnen*) that occurs verbatim before asking
            difflib; an option of ours, off as published.
        unmatched: what becomes of a sentence with a word that has no match: ``keep`` (the whole translation is the
            source, as published) or ``drop``.
        processes: worker processes; not part of the identity.
        shard_lines: pairs per shard.
        patterns: file with the gender-fair forms of a language without rules (:mod:`augment.round_trip.patterns`).
        scorer: causal language model, by folder or name, by which merged sources are scored against their targets
            (proposed in appendix C); empty scores none.
        most_worse: with a ``scorer``: a merged source whose mean log-probability of a piece is by more than this below
            its target's is not used: the sentence counts as one without a match.
        device: of the scorer, ``cpu`` or ``cuda``.
    """

    inputs: list[str] = field(default_factory=list)
    lang: str = "de"
    cutoff: float = 0.6
    verbatim_first: bool = False
    unmatched: str = "keep"
    processes: int = 1
    shard_lines: int = 20_000
    patterns: str = ""
    scorer: str = ""
    most_worse: float = 0.5
    device: str = "cpu"

    def __post_init__(self) -> None:
        check_share(zero=True, one=True, cutoff=self.cutoff)
        one_of(("keep", "drop"), unmatched=self.unmatched)


def merge_round_trips(config: MergeConfig, *, output: Path, fresh: bool = False) -> Manifest:
    """Write merged pairs into ``output``; an interrupted run is continued.

    Raises:
        InputError: an input is missing.
        ResumeError: ``output`` belongs to another run.
    """
    left_out = {"inputs", "processes", "shard_lines", "patterns", "scorer", "device"}
    left_out |= set() if config.scorer else {"most_worse"}
    options = {k: v for k, v in asdict(config).items() if k not in left_out} | pattern_identity(config.patterns)
    options |= {"scored by": translator_identity(config.scorer)} if config.scorer else {}
    setup = {"patterns": config.patterns, "scorer": config.scorer, "device": config.device}
    task = ShardTask(
        "merge", STAGE_VERSION, make_merger, options | {"lexicon": LEXICON_VERSION}, setup, write=write_records
    )  # fmt: skip
    shards = ShardOptions(lines=config.shard_lines, processes=config.processes)
    return map_shards(task, record_files(config.inputs), output=output, options=shards, fresh=fresh)


def make_merger(values: Mapping[str, Any]) -> Merger:
    """Make the worker of a process."""
    return Merger(MergeConfig(**{n: values[n] for n in MergeConfig.__dataclass_fields__ if n in values}))


class Merger:
    """Merges the pairs of a shard."""

    def __init__(self, config: MergeConfig) -> None:
        self.config, self.rules = config, rules_of(config.lang, config.patterns)
        self._scorer = TextScorer(config.scorer, device=config.device) if config.scorer else None

    def __call__(self, lines: Iterator[RawLine], context: ShardContext) -> Iterator[Record]:
        """Yield the pairs of a shard: merged, or the whole translation."""
        for record in read_records(lines, context):
            yield from context.attempt(record.line, self._merged, record, context) or ()

    def _merged(self, record: Record, context: ShardContext) -> list[Record]:
        """Return the pair, merged; the whole translation where that cannot be, nothing where it is to be left out."""
        source = merge(record.pair.target, record.pair.source, self.rules, self.config)
        if source is not None and self._is_worse(source, record.pair.target):
            context.counts["merged, but refused by the language model"] += 1
            source = None
        if source is None:
            context.counts["a word without a match"] += 1
            return [] if self.config.unmatched == "drop" else [Record(record.pair, record.line, record.more)]
        if source == record.pair.target:
            context.counts["dropped: same as the target"] += 1
            return []
        elsewhere = differs_elsewhere(source, record.pair.target, self.rules)
        form = self.rules.gender(source) or "mixed"
        context.counts["merged"] += 1
        context.counts["differs in more than the gender-fair words"] += elsewhere
        return [Record(replace(record.pair, source=source, strategy=MERGED, form=form), record.line, record.more)]

    def _is_worse(self, source: str, target: str) -> bool:
        if self._scorer is None or source == target:
            return False
        scores = self._scorer([source, target])
        return scores[0] < scores[1] - self.config.most_worse


def merge(target: str, translation: str, rules: RoundTripRules, config: MergeConfig | None = None) -> str | None:
    """Return the target with the words of the round-trip translation in place of its gender-fair words.

    Args:
        target: gender-fair sentence.
        translation: there and back.
        rules: of the language.
        config: cut-off and options; as published by default.

    Returns:
        the merged source, or None where a gender-fair word has no match (or the target holds none).
    """
    config, words = config or MergeConfig(), _TOKEN.findall(translation)
    found = rules.read(target, "star").found
    parts, at = [], 0
    for one in found:
        match = _match(target[one.start : one.end], words, rules, config)
        if match is None:
            return None
        parts += [target[at : one.start], match]
        at = one.end
    return "".join(parts) + target[at:] if found else None


def differs_elsewhere(source: str, target: str, rules: RoundTripRules) -> bool:
    """Return True if a source differs from its target in more than the gender-fair words, each one word of the source.

    Args:
        source: a way back, or a merged one.
        target: gender-fair sentence.
        rules: of the language.
    """
    parts, at = [], 0
    for one in rules.read(target, "star").found:
        parts += [re.escape(target[at : one.start]), r"\w+(?:[-'’*:_/]\w+)*"]
        at = one.end
    return re.fullmatch("".join(parts) + re.escape(target[at:]), source) is None


def _match(word: str, words: Sequence[str], rules: RoundTripRules, config: MergeConfig) -> str | None:
    if config.verbatim_first:
        for half in rules.halves(word):
            if half in words:
                return half
    return next(iter(get_close_matches(word, words, cutoff=config.cutoff)), None)
