"""Mitigation of files: two passes over the corpus, a folder with what was made, and the whole if asked for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from augment.mitigate.core import Mitigator, Options, Sample, Text, sample_corpus
from augment.mitigate.masked_lm import Substitution, TransformersMaskedModel, function_words, model_identity
from augment.mitigate.shuffle import segmenter
from augment.sources import find_inputs
from eval.bias_filter.lexicon import GENBIT, read_group_file, read_groups
from eval.bias_filter.matcher import MIXED, NEUTRAL, GroupMatcher
from rewriter.errors import UsageError
from rewriter.io.files import atomic_write, file_digest, json_line, read_lines, read_raw_lines
from rewriter.options import at_least, check_share
from rewriter.runs.manifest import Manifest
from rewriter.runs.resume import run_in
from rewriter.version import __version__

#: raised by hand when the texts that come out change
STAGE_VERSION = 1
STAGE = "mitigate"
ADDED = "added.jsonl.zst"
MERGED = "merged.txt.zst"
MERGES = ("none", "end", "spread")


@dataclass(frozen=True)
class MitigateConfig:
    """What is balanced, and how.

    Attributes:
        inputs: text files, folders or globs, a text a line.
        lang: language code; chooses word list, sub-sentences and function words.
        category: shipped word list, ``genbit`` (GenBiT's, six languages) or ``gender`` (English, German).
        lexicon: a user's own table with the columns ``word`` and ``group``, instead of a shipped list.
        groups: the two groups of the list.
        minority: group of which texts are made; empty: the rarer one.
        close: share of the gap to close.
        oversample: smallest and largest share of the minority's texts drawn in a round.
        shuffle: shuffle sub-sentences.
        model: masked language model (folder or Hugging Face name); empty: words are not replaced.
        words: share of the words of a gendered sub-sentence that is replaced.
        top: proposals of the model that are drawn from.
        device: of the model.
        batch: places that the model fills together.
        pool: texts of a group that are kept in memory to draw from.
        distinct: refuse repeated texts, so that the gap may stay open.
        rounds: rounds at most.
        merge: ``none``, or write the corpus with the made texts at its ``end`` or ``spread`` over it.
        seed: of everything random.
    """

    inputs: list[str]
    lang: str = "en"
    category: str = GENBIT
    lexicon: str = ""
    groups: list[str] = field(default_factory=lambda: ["female", "male"])
    minority: str = ""
    close: float = 1.0
    oversample: list[float] = field(default_factory=lambda: [0.10, 0.20])
    shuffle: bool = True
    model: str = ""
    words: float = 0.3
    top: int = 10
    device: str = "cpu"
    batch: int = 32
    pool: int = 100_000
    distinct: bool = False
    rounds: int = 100_000
    merge: str = "none"
    seed: int = 1

    def __post_init__(self) -> None:
        if self.merge not in MERGES:
            raise UsageError(f"unknown way to merge '{self.merge}'; known: {', '.join(MERGES)}")
        if len(self.groups) != 2 or len(self.oversample) != 2:
            raise UsageError("groups and oversample take two values each")
        check_share(one=True, words=self.words)
        at_least(1, top=self.top, batch=self.batch, pool=self.pool)

    @property
    def options(self) -> Options:
        """The options of the loop."""
        low, high = self.oversample
        return Options(self.close, (low, high), self.shuffle, self.distinct, self.rounds, self.seed)


def mitigate_files(config: MitigateConfig, *, output: str | Path, fresh: bool = False) -> Manifest:
    """Make texts that close the gap; write them, and what was counted, into a folder.

    Args:
        config: what and how.
        output: folder for ``added.jsonl.zst``, ``manifest.json`` and, if asked for, ``merged.txt.zst``.
        fresh: begin anew where another run's result stands.

    Raises:
        UsageError: an option is wrong.
        InputError: a file cannot be read, or is not UTF-8.
        MetricError: there is no text, or none of the minority.
        ModelError: the model cannot be loaded.
        ResumeError: the folder holds another run's result.
    """
    folder = Path(output)
    paths = find_inputs(config.inputs)
    options = config.options
    with run_in(folder, STAGE, _identity(config, paths), fresh=fresh, notes={"toolkit": __version__}) as run:
        if run.is_done:
            return run.manifest
        mitigator = _mitigator(config, options)
        sample = sample_corpus(mitigator.matcher, read_texts(paths), pool=config.pool, seed=config.seed)
        made = _write_added(folder / ADDED, mitigator, sample, config)
        if config.merge != "none":
            _write_merged(folder / MERGED, paths, folder / ADDED, made.total(), config)
        run.manifest.counts = _counts(sample, made, mitigator, config)
    return run.manifest


def read_texts(paths: Iterable[Path]) -> Iterator[Text]:
    """Yield the lines of text files that are not blank.

    Raises:
        InputError: a file cannot be read, or a line is not UTF-8.
    """
    with tqdm(unit=" lines", unit_scale=True, desc=STAGE, disable=None) as progress:
        for path in paths:
            for number, line in enumerate(read_lines(path), 1):
                if line.strip():
                    yield Text(line, f"{path.name}:{number}")
                progress.update()


def make_matcher(config: MitigateConfig) -> GroupMatcher:
    """Return what finds the words of the two groups."""
    if config.lexicon:
        return GroupMatcher(read_group_file(config.lexicon, names=config.groups))
    return GroupMatcher(read_groups(config.lang, config.category, names=config.groups))


def _mitigator(config: MitigateConfig, options: Options) -> Mitigator:
    matcher = make_matcher(config)
    substitution = None
    if config.model:
        model = TransformersMaskedModel(config.model, device=config.device, batch_size=config.batch)
        substitution = Substitution(model, matcher, function_words(config.lang), config.words, config.top)
    return Mitigator(matcher, options, segmenter(config.lang), substitution)


def _identity(config: MitigateConfig, paths: Sequence[Path]) -> dict[str, Any]:
    left_out = ("inputs", "model", "device", "batch", "lexicon")
    identity: dict[str, Any] = {"stage version": STAGE_VERSION, "input order": [path.name for path in paths]}
    identity |= {f"option {key}": value for key, value in vars(config).items() if key not in left_out}
    identity["model"] = model_identity(config.model)
    identity["lexicon"] = file_digest(config.lexicon) if config.lexicon else ""
    return identity | {f"input {number} {path.name}": file_digest(path) for number, path in enumerate(paths)}


def _write_added(path: Path, mitigator: Mitigator, sample: Sample, config: MitigateConfig) -> Counter[str]:
    """Write the made texts; return how many there are of each class."""
    made: Counter[str] = Counter()
    with atomic_write(path) as stream, tqdm(unit=" texts", desc="made", disable=None) as progress:
        for added in mitigator.make(sample, config.minority):
            stream.write(json_line(added.to_dict()))
            made[added.group] += 1
            progress.update()
    return made


def _write_merged(path: Path, inputs: Sequence[Path], added: Path, number: int, config: MitigateConfig) -> None:
    """Write the corpus byte for byte with the made texts behind it or between its lines."""
    texts = (json.loads(line)["text"].encode("utf-8") + b"\n" for line in read_lines(added))
    lines = (line if line.endswith(b"\n") else line + b"\n" for source in inputs for line in read_raw_lines(source))
    places = iter(_places(inputs, number, config)) if config.merge == "spread" else iter(())
    following = next(places, None)
    with atomic_write(path) as stream:
        for at, line in enumerate(lines):
            while following == at:
                stream.write(next(texts))
                following = next(places, None)
            stream.write(line)
        for text in texts:
            stream.write(text)


def _places(inputs: Sequence[Path], number: int, config: MitigateConfig) -> list[int]:
    """Return before which lines made texts go, in order."""
    lines = sum(1 for source in inputs for _ in read_raw_lines(source))
    rng = np.random.default_rng(np.random.SeedSequence(config.seed, spawn_key=(2,)))
    places: list[int] = np.sort(rng.integers(lines, size=number)).tolist()
    return places


def _counts(sample: Sample, made: Counter[str], mitigator: Mitigator, config: MitigateConfig) -> dict[str, Any]:
    names = [*config.groups, MIXED, NEUTRAL]
    return {
        "before": {name: sample.counts[name] for name in names},
        "after": {name: sample.counts[name] + made[name] for name in names},
        "added": made.total(),
        "steps": dict(sorted(mitigator.counts.items())),
    }


def describe(manifest: Manifest, output: Path) -> str:
    """Return a few lines about a finished run for people."""
    before, after, steps = (manifest.counts[key] for key in ("before", "after", "steps"))
    lines = [f"{'class':<10}{'before':>12}{'after':>12}"]
    lines += [f"{name:<10}{before[name]:>12,}{after[name]:>12,}" for name in before]
    told = ", ".join(f"{name} {number:,}" for name, number in steps.items() if name != "gap left")
    lines.append(f"{manifest.counts['added']:,} texts made in {output / ADDED} ({told})")
    if steps.get("gap left"):
        lines.append(f"the gap is not closed: {steps['gap left']:,} texts more would be needed")
    return "\n".join(lines)
