"""The stages of a translator, alone or inside a larger recipe.

(back-translation ->) bitext -> tokenizer -> train -> export -> score
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from augment.round_trip.back_translation import STAGE_VERSION as BACK_TRANSLATION_VERSION
from augment.round_trip.back_translation import BackTranslationConfig, back_translate
from augment.round_trip.patterns import pattern_identity
from augment.round_trip.translators import (
    TAGS,
    TranslatorInfo,
    load_translator,
    seal_translator,
    translator_identity,
    translator_info,
)
from augment.sources import data_card, find_inputs
from eval.bleu import BleuResult, bleu
from rewriter.io.files import file_digest, read_pairs, write_json, write_lines
from rewriter.runs.recipes import build, read_values, without_roots
from rewriter.version import __version__
from train.recipe.kinds import RecipeKind
from train.recipe.stages import pretrained_rows, training_stage, vocabulary_stage
from train.stages import Choice, Stage, StageContext, Step, run_stages
from train.translator.bitext import VERSION as BITEXT_VERSION
from train.translator.bitext import input_files, measured_files, texts, write_bitext
from train.translator.config import TranslatorConfig

#: raise by hand when the same checkpoint gives another folder, or the same model other figures
EXPORT_VERSION = 1
MODEL = "model"


def translator_stages(config: TranslatorConfig, *, prefix: str = "") -> list[Stage]:
    """Return the stages of a translator.

    Args:
        config: what to train.
        prefix: before the names of the stages (``there/``), which are also their folders.

    Raises:
        InputError: a file of sentence pairs is missing.
    """
    made = _Stages(config, prefix)
    before = [made.back_translation(config.back_translation)] if config.back_translation is not None else []
    return [*before, made.bitext(), made.tokenizer(), made.train(), made.export(), made.score()]


@dataclass(frozen=True)
class _Stages:
    """The stages of one translator; they find each other's folders by the prefix."""

    config: TranslatorConfig
    prefix: str

    def _name(self, stage: str) -> str:
        return f"{self.prefix}{stage}"

    @property
    def _direction(self) -> dict[str, Any]:
        config = self.config
        found = {"source": config.source, "target": config.target, "gender_tags": config.gender_tags}
        return found | ({"contrasts": True, **pattern_identity(config.patterns)} if config.contrasts else {})

    def back_translation(self, config: BackTranslationConfig) -> Stage:
        lang = self.config.target

        def run(stage: StageContext) -> None:
            back_translate(config, lang=lang, output=stage.output)

        texts = {path.name: path for path in find_inputs(config.inputs, config.exclude)}
        options = config.identity() | {"lang": lang, "translator": translator_identity(config.model)}
        name = self._name("back-translation")
        return Stage(name, BACK_TRANSLATION_VERSION, run, options, texts, outputs=("pairs-*",))

    def bitext(self) -> Stage:
        config = self.config
        after = (self._name("back-translation"),) if config.back_translation is not None else ()

        def run(stage: StageContext) -> None:
            more = [path for name in after for path in sorted((stage.run / name).glob("pairs-*"))]
            write_bitext(config, output=stage.output, more=more)

        files = {path.name: path for path in input_files(config.data)}
        for name, paths in measured_files(config.data).items():
            files |= {f"{name}: {path.name}": path for path in paths}
        options = config.data.identity() | self._direction
        return Stage(self._name("bitext"), BITEXT_VERSION, run, options, files, after, ("*.jsonl.zst",))

    def tokenizer(self) -> Stage:
        config = self.config
        name, bitext = self._name("tokenizer"), self._name("bitext")
        return vocabulary_stage(config.tokenizer, name, bitext, init=config.init, start=config.train.start)

    def train(self) -> Stage:
        config = self.config
        names = (self._name(stage) for stage in ("train", "bitext", "tokenizer"))
        return training_stage(config.train, *names, init=config.init)

    def export(self) -> Stage:
        config, checkpoint, pieces = self.config, self._name("train"), self._name("tokenizer")
        return Stage(
            self._name("export"),
            EXPORT_VERSION,
            lambda stage: _export(config, stage, stage.run / checkpoint, stage.run / pieces),
            {"name": config.name, "quantization": config.quantization, **self._direction},
            after=(checkpoint, pieces),
            # The description gets the scores later; it is no part of what the model answers.
            outputs=(f"{MODEL}/*.bin", f"{MODEL}/*.model", f"{MODEL}/*vocabulary*"),
        )

    def score(self) -> Stage:
        config, export, bitext = self.config, self._name("export"), self._name("bitext")
        return Stage(
            self._name("score"),
            EXPORT_VERSION,
            lambda stage: _score(config, stage, stage.run / export / MODEL, stage.run / bitext),
            self._direction | ({"beam_size": config.beam_size} if config.beam_size > 1 else {}),
            after=(export, bitext),
            outputs=("scores.json",),
        )


def _export(config: TranslatorConfig, stage: StageContext, checkpoint: Path, pieces: Path) -> None:
    from train.export.ctranslate import export_seq2seq

    folder = stage.output / MODEL
    export_seq2seq(checkpoint=checkpoint, tokenizer=pieces, output=folder, quantization=config.quantization)
    paths = input_files(config.data)
    if config.back_translation is not None:
        paths += find_inputs(config.back_translation.inputs, config.back_translation.exclude)
    rows = [{**row, "sha256": file_digest(p)} for p, row in zip(paths, data_card(paths), strict=True)]
    info = TranslatorInfo(
        name=config.name,
        source=config.source,
        target=config.target,
        tags=dict(TAGS) if config.gender_tags or config.contrasts else {},
        toolkit_version=__version__,
        recipe=_portable(config),
        data=rows + (pretrained_rows(config.train.start) if config.train.start else []),
    )
    seal_translator(folder, info)


def _portable(config: TranslatorConfig) -> dict[str, Any]:
    """Return the recipe with base names in place of the paths of this machine."""
    measured = {name: Path(pattern).name for name, pattern in config.data.measured.items()}
    data = replace(config.data, inputs=_names(config.data.inputs), measured=measured)
    own: dict[str, Any] = {"patterns": Path(config.patterns).name, "init": Path(config.init).name}
    own["train"] = replace(config.train, start=Path(config.train.start).name)
    if (text := config.back_translation) is not None:
        own["back_translation"] = replace(text, model=Path(text.model).name, inputs=_names(text.inputs))
    return {k: v for k, v in asdict(replace(config, data=data, **own)).items() if v is not None}


def _names(patterns: Sequence[str]) -> list[str]:
    return [Path(pattern).name for pattern in patterns]


def score_translator(
    model: Path, test: Path, *, limit: int | None = None, beam_size: int = 1
) -> tuple[BleuResult, list[str]]:
    """Translate the test part and return BLEU with the translations.

    Args:
        model: folder or name of a translator.
        test: file of pairs.
        limit: sentences at most.
        beam_size: hypotheses kept in the search.
    """
    sources, references = texts(islice(read_pairs(test), limit))
    answers = load_translator(model, beam_size=beam_size).translate(sources)
    lang = next(read_pairs(test)).lang
    return bleu(hypothesis=answers, reference=references, lang=lang), answers


def _score(config: TranslatorConfig, stage: StageContext, model: Path, bitext: Path) -> None:
    rows, brevity = [], {}
    for name in ("test", *config.data.measured):
        result, answers = score_translator(model, bitext / f"{name}.jsonl.zst", beam_size=config.beam_size)
        title = "test part" if name == "test" else name
        score = {"metric": "BLEU", "score": round(result.score, 4), "signature": result.signature}
        rows.append({"set": f"{title}, {result.sentences} sentences", **score})
        brevity[title] = round(result.brevity, 4)
        written = "translations.txt" if name == "test" else f"translations-{name}.txt"
        write_lines(stage.output / written, (" ".join(answer.splitlines()) for answer in answers))
    write_json(stage.output / "scores.json", {"scores": rows, "brevity": brevity})
    info = translator_info(model)
    info.scores = rows
    seal_translator(model, info)


def train_translator(config: TranslatorConfig, *, output: Path, choice: Choice | None = None) -> list[Step]:
    """Train a translator from sentence pairs to a scored folder ``output/export/model``, or do what is missing of it.

    Args:
        config: what to train.
        output: folder of the run.
        choice: which stages, and what to begin anew.

    Raises:
        ResumeError: a stage's folder holds the output of something else.
        InputError: an input is missing.
    """
    return run_stages(translator_stages(config), output, choice)


def load_translator_recipe(path: Path, *, overrides: Iterable[str] = ()) -> TranslatorConfig:
    """Read a recipe.

    Args:
        path: a YAML file.
        overrides: ``"train.steps=2000"``.

    Raises:
        RecipeError: the file, a key or a value is wrong; the message names the key's path and the nearest known one.
    """
    return build(TranslatorConfig, without_roots(read_values(path, overrides=overrides)), where=str(path))


KIND = RecipeKind(load_translator_recipe, translator_stages)
