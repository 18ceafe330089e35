"""Sentence pairs from monolingual text: a translator the other way round writes the source (Sennrich et al. 2016b).

The target is real text; what the translator gets wrong stands on the source side only. A tag in front of the source
tells the model that it was made (Caswell et al. 2019), so that it learns the language from the pair and not its slips.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from augment.round_trip.rules import segmenter
from augment.round_trip.translators import Translator, load_translator, translator_identity
from augment.select import Bounds, LineSentence, Selector, sampling_rates
from augment.sources import find_inputs
from rewriter.faults import each
from rewriter.options import positive
from rewriter.records import Pair
from rewriter.runs.manifest import Manifest
from rewriter.runs.shards import RawLine, ShardContext, ShardOptions, ShardTask, map_shards

__all__ = ["BackTranslationConfig", "back_translate"]

#: raised by hand when the same translator gives other pairs
STAGE_VERSION = 1
BACK_TRANSLATION = "back-translation"
_BATCH = 256
#: a translation with so many times the words of its sentence (and a few more) went wrong, and the other way round
_LENGTH_RATIO, _FEW = 2.0, 5


@dataclass(frozen=True)
class BackTranslationConfig:
    """Which text is translated, and by what.

    Attributes:
        model: translator from the language of the text into the other one.
        inputs: text files, folders or globs.
        exclude: globs over file names, or ``licence:`` and a glob over the licence in ``MANIFEST.tsv``.
        sentences: about how many; None takes all.
        max_share: largest part of them from one file.
        min_words: shortest sentence.
        max_words: longest sentence.
        tag: in front of every source; empty for none.
        beam_size: hypotheses kept in the search.
        device: ``cpu`` or ``cuda``.
        seed: of the sample.
        processes: worker processes; not part of the identity.
        shard_lines: input lines per shard; the unit that is repeated after an interruption.
    """

    model: str
    inputs: list[str] = field(default_factory=list)
    exclude: list[str] = field(default_factory=list)
    sentences: int | None = None
    max_share: float = 1.0
    min_words: int = 3
    max_words: int = 40
    tag: str = "<bt>"
    beam_size: int = 1
    device: str = "cpu"
    seed: int = 1
    processes: int = 1
    shard_lines: int = 20_000

    def __post_init__(self) -> None:
        positive(beam_size=self.beam_size, max_words=self.max_words)

    def identity(self) -> dict[str, Any]:
        """Return the options on which the pairs depend."""
        left_out = ("model", "inputs", "exclude", "device", "seed", "processes", "shard_lines")
        return {key: value for key, value in asdict(self).items() if key not in left_out}


def back_translate(config: BackTranslationConfig, *, lang: str, output: Path, fresh: bool = False) -> Manifest:
    """Write pairs (source: the translation, target: the sentence) into ``output``; an interrupted run is continued.

    Args:
        config: text and translator.
        lang: language of the text.
        output: folder.
        fresh: begin anew where another run's result stands.

    Raises:
        InputError: an input is missing.
        ModelError: there is no such translator, or it is damaged.
        ResumeError: ``output`` belongs to another run.
    """
    paths = find_inputs(config.inputs, config.exclude)
    options = config.identity() | {"lang": lang, "translator": translator_identity(config.model)}
    setup = {"model_path": config.model, "device": config.device, "sample_seed": config.seed}
    task = ShardTask(BACK_TRANSLATION, STAGE_VERSION, make_back_translator, options, setup)
    shards = ShardOptions(lines=config.shard_lines, processes=config.processes, seed=config.seed)

    def rates() -> Mapping[str, Any]:
        selector = _selector(config, lang, {})
        return {"rates": sampling_rates(paths, selector, sample=config.sentences, max_share=config.max_share)}

    return map_shards(task, paths, output=output, options=shards, fresh=fresh, prepare=rates)


def _selector(config: BackTranslationConfig, lang: str, rates: Mapping[str, float]) -> Selector:
    bounds = Bounds(min_words=config.min_words, max_words=config.max_words)
    return Selector(segmenter(lang), lambda text: any(map(str.isalpha, text)), bounds, rates, config.seed)


def make_back_translator(values: Mapping[str, Any]) -> BackTranslator:
    """Make the worker of a process: loads the translator."""
    known = {name: values[name] for name in BackTranslationConfig.__dataclass_fields__ if name in values}
    config = BackTranslationConfig(**{**known, "model": values["model_path"], "seed": values["sample_seed"]})
    translator = load_translator(config.model, device=config.device, beam_size=config.beam_size)
    return BackTranslator(config, values["lang"], translator, values["rates"])


class BackTranslator:
    """Translates the sentences of a shard."""

    def __init__(
        self, config: BackTranslationConfig, lang: str, translator: Translator, rates: Mapping[str, float]
    ) -> None:
        self.config, self.lang, self.translator = config, lang, translator
        self.selector = _selector(config, lang, rates)
        self._tag = f"{config.tag} " if config.tag else ""

    def __call__(self, lines: Iterator[RawLine], context: ShardContext) -> Iterator[Pair]:
        """Yield the pairs of a shard in the order of its sentences."""
        sentences = self.selector(lines, context)
        while batch := list(islice(sentences, _BATCH)):
            answers = context.sound((sentence.line for sentence in batch), each(self._translated, batch))
            for sentence, answer in zip(batch, answers, strict=True):
                if answer is None:
                    continue
                reason = _unusable(sentence.text, answer)
                context.counts[f"dropped: {reason}" if reason else "translated"] += 1
                if not reason:
                    origin = f"{context.shard.name}:{sentence.line}"
                    source = self._tag + answer
                    yield Pair(source, sentence.text, self.lang, BACK_TRANSLATION, "neutral", origin)

    def _translated(self, batch: Sequence[LineSentence]) -> list[str]:
        return self.translator.translate([sentence.text for sentence in batch])


def _unusable(sentence: str, answer: str) -> str:
    one, other = len(sentence.split()), len(answer.split())
    if not other or answer == sentence:
        return "no translation"
    if max(one, other) > _LENGTH_RATIO * min(one, other) + _FEW:
        return "too long or too short"
    words = answer.lower().split()
    repeats = any(words[n : n + 2] == words[n + 2 : n + 4] == words[n + 4 : n + 6] != [] for n in range(len(words) - 5))
    return "repeats itself" if repeats else ""
