"""Translates gender-fair sentences there and back; the way back brings the biased form by itself.

Amrhein et al. 2023, section 4.2: a pivot that does not mark gender loses it, and the translator back writes what it
saw most, the masculine. With gender control (appendix G) a tag before the pivot sentence asks for one gender.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from augment.round_trip.merge import differs_elsewhere
from augment.round_trip.patterns import pattern_identity, rules_of
from augment.round_trip.records import Record, read_records, record_files, write_records
from augment.round_trip.translators import Translator, load_translator, translator_identity
from rewriter.errors import UsageError
from rewriter.faults import each
from rewriter.runs.manifest import Manifest
from rewriter.runs.shards import RawLine, ShardContext, ShardOptions, ShardTask, map_shards

__all__ = ["RoundTripConfig", "round_trip"]

#: raised by hand when the same translators give other pairs
STAGE_VERSION = 1
ROUND_TRIP = "round-trip"
#: no tag, or one of the tags of :data:`augment.round_trip.translators.TAGS`
GENDERS = ("none", "feminine", "masculine")
_BATCH = 256


@dataclass(frozen=True)
class RoundTripConfig:
    """Which sentences go which way.

    Attributes:
        there: translator into the pivot language: a folder of ``gender-fair train translator``, or a model for
            transformers by folder or name.
        back: translator back.
        untagged: translator of the ways back without a tag, where ``back`` was fine-tuned to know tags and has lost its
            bias by it (the paper takes the one before fine-tuning); ``back`` by default.
        inputs: pairs that ``find-fair`` or ``prompt`` wrote.
        lang: language of the sentences.
        genders: ways back to make of every sentence: ``none`` (no tag), ``feminine``, ``masculine``.
        side: what is translated: ``source`` (as it was written) or ``target`` (in the chosen form).
        beam_size: hypotheses kept in the search, both ways.
        sentences: the first so many of every shard; None for all.
        device: ``cpu`` or ``cuda``.
        seed: part of the identity only, nothing is drawn.
        processes: worker processes, each with its own translators; not part of the identity.
        shard_lines: pairs per shard.
        patterns: file with the gender-fair forms of a language without rules (:mod:`augment.round_trip.patterns`).
    """

    there: str
    back: str
    inputs: list[str] = field(default_factory=list)
    lang: str = "de"
    genders: list[str] = field(default_factory=lambda: ["none"])
    side: str = "source"
    beam_size: int = 1
    sentences: int | None = None
    device: str = "cpu"
    seed: int = 1
    processes: int = 1
    shard_lines: int = 2000
    patterns: str = ""
    untagged: str = ""

    def __post_init__(self) -> None:
        for gender in self.genders:
            if gender not in GENDERS:
                raise UsageError(f"round-trip: genders are {', '.join(GENDERS)}, not '{gender}'")
        if self.side not in ("source", "target"):
            raise UsageError(f"round-trip: side must be source or target, not '{self.side}'")


def round_trip(config: RoundTripConfig, *, output: Path, fresh: bool = False) -> Manifest:
    """Write pairs (source: the way back, target: the original in the chosen form) into ``output``.

    Every record also holds ``pivot`` (the translation there). An interrupted run is continued.

    Raises:
        ModelError: there is no such translator, or it is damaged.
        UsageError: the translator back has no tag for a wanted gender, or an input has no lines.
        InputError: an input is missing.
        ResumeError: ``output`` belongs to another run.
    """
    paths = record_files(config.inputs)
    left_out = ("inputs", "there", "back", "untagged", "processes", "shard_lines", "seed", "device", "patterns")
    options = {k: v for k, v in asdict(config).items() if k not in left_out}
    options |= pattern_identity(config.patterns)
    options |= {"there": translator_identity(config.there), "back": translator_identity(config.back)}
    options |= {"untagged": translator_identity(config.untagged)} if config.untagged else {}
    setup = {"there_path": config.there, "back_path": config.back, "untagged_path": config.untagged}
    setup |= {"device": config.device, "patterns": config.patterns}
    task = ShardTask(ROUND_TRIP, STAGE_VERSION, make_traveller, options, setup, write=write_records)
    shards = ShardOptions(lines=config.shard_lines, processes=config.processes, seed=config.seed)
    return map_shards(task, paths, output=output, options=shards, fresh=fresh)


def make_traveller(values: Mapping[str, Any]) -> Traveller:
    """Make the worker of a process: loads the translators."""
    known = {name: values[name] for name in RoundTripConfig.__dataclass_fields__ if name in values}
    paths = {name: values[f"{name}_path"] for name in ("there", "back", "untagged")}
    config = RoundTripConfig(**{**known, **paths})
    load = partial(load_translator, device=config.device, beam_size=config.beam_size)
    untagged = load(config.untagged) if config.untagged else None
    return Traveller(config, load(config.there), load(config.back), untagged)


class Traveller:
    """Sends the sentences of a shard there and back."""

    def __init__(
        self, config: RoundTripConfig, there: Translator, back: Translator, untagged: Translator | None = None
    ) -> None:
        self.config, self.there, self.back, self.untagged = config, there, back, untagged or back
        self.rules = rules_of(config.lang, config.patterns)
        for gender in config.genders:
            if gender != "none" and gender not in back.tags:
                raise UsageError(
                    f"{config.back}: this translator does not know the tag for '{gender}' and would translate it as "
                    "text; train or fine-tune one with contrasts: true or gender_tags: true"
                )

    def __call__(self, lines: Iterator[RawLine], context: ShardContext) -> Iterator[Record]:
        """Yield the pairs of a shard, the genders of a sentence one after the other."""
        records = islice(read_records(lines, context), self.config.sentences)
        while batch := list(islice(records, _BATCH)):
            ways = context.sound((record.line for record in batch), each(self._there_and_back, batch))
            for record, way in zip(batch, ways, strict=True):
                if way is not None:
                    yield from context.attempt(record.line, self._pairs, record, *way, context) or ()

    def _there_and_back(self, batch: Sequence[Record]) -> list[tuple[str, tuple[str, ...]]]:
        """Return the pivot of every record, and its ways back by gender."""
        pivots = self.there.translate([getattr(record.pair, self.config.side) for record in batch])
        ways = [self._back(pivots, gender) for gender in self.config.genders]
        return list(zip(pivots, zip(*ways, strict=True), strict=True))

    def _back(self, pivots: Sequence[str], gender: str) -> list[str]:
        if gender == "none":
            return self.untagged.translate(pivots)
        return self.back.translate([f"{self.back.tags[gender]} {pivot}" for pivot in pivots])

    def _pairs(self, record: Record, pivot: str, answers: Sequence[str], context: ShardContext) -> list[Record]:
        made: set[str] = set()
        records = []
        for gender, answer in zip(self.config.genders, answers, strict=True):
            context.counts[f"sentences, {gender}"] += 1
            reason = _unusable(record, answer, made)
            if reason:
                context.counts[f"dropped: {reason}"] += 1
                continue
            made.add(answer)
            form = self.rules.gender(answer) or "mixed"
            context.counts[f"{gender}: {form}"] += 1
            elsewhere = differs_elsewhere(answer, record.pair.target, self.rules)
            context.counts[f"{gender}: differs in more than the gender-fair words"] += elsewhere
            pair = replace(record.pair, source=answer, strategy=ROUND_TRIP, form=form)
            records.append(Record(pair, record.line, {**record.more, "pivot": pivot, "asked": gender}))
        return records


def _unusable(record: Record, answer: str, made: set[str]) -> str:
    if not answer.strip():
        return "empty translation"
    if answer in (record.pair.target, record.pair.source):
        return "same as the original"
    return "same for another gender" if answer in made else ""
