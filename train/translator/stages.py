"""The stages of a translator: bitext -> tokenizer -> train -> export -> score; alone, or inside a larger recipe."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from augment.round_trip.translators import TAGS, TranslatorInfo, load_translator, seal_translator, translator_info
from augment.sources import data_card
from eval.bleu import BleuResult, bleu
from rewriter.io.files import file_digest, read_pairs, write_json, write_lines
from rewriter.runs.recipes import load_recipe
from rewriter.version import __version__
from train.recipe_kinds import RecipeKind
from train.recipe_stages import pretrained_rows, training_stage, vocabulary_stage
from train.stages import Choice, Stage, StageContext, Step, run_stages
from train.translator.bitext import VERSION as BITEXT_VERSION
from train.translator.bitext import input_files, texts, write_bitext
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
    return [made.bitext(), made.tokenizer(), made.train(), made.export(), made.score()]


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
        return {"source": config.source, "target": config.target, "gender_tags": config.gender_tags}

    def bitext(self) -> Stage:
        config = self.config

        def run(stage: StageContext) -> None:
            write_bitext(config, output=stage.output)

        files = {path.name: path for path in input_files(config.data)}
        options = {k: v for k, v in asdict(config.data).items() if k not in ("inputs", "exclude")}
        options |= self._direction
        return Stage(self._name("bitext"), BITEXT_VERSION, run, options, files, outputs=("*.jsonl.zst",))

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
            self._direction,
            after=(export, bitext),
            outputs=("scores.json",),
        )


def _export(config: TranslatorConfig, stage: StageContext, checkpoint: Path, pieces: Path) -> None:
    from train.export import export_seq2seq

    folder = stage.output / MODEL
    export_seq2seq(checkpoint=checkpoint, tokenizer=pieces, output=folder, quantization=config.quantization)
    paths = input_files(config.data)
    info = TranslatorInfo(
        name=config.name,
        source=config.source,
        target=config.target,
        tags=dict(TAGS) if config.gender_tags else {},
        toolkit_version=__version__,
        recipe=_portable(config),
        data=[{**row, "sha256": file_digest(p)} for p, row in zip(paths, data_card(paths), strict=True)],
    )
    seal_translator(folder, info)


def _portable(config: TranslatorConfig) -> dict[str, Any]:
    """Return the recipe with base names in place of the paths of this machine."""
    data = replace(config.data, inputs=[Path(name).name for name in config.data.inputs])
    return {k: v for k, v in asdict(replace(config, data=data)).items() if v is not None}


def score_translator(model: Path, test: Path, *, limit: int | None = None) -> tuple[BleuResult, list[str]]:
    """Translate the test part and return BLEU with the translations.

    Args:
        model: folder or name of a translator.
        test: file of pairs.
        limit: sentences at most.
    """
    sources, references = texts(islice(read_pairs(test), limit))
    answers = load_translator(model).translate(sources)
    lang = next(read_pairs(test)).lang
    return bleu(hypothesis=answers, reference=references, lang=lang), answers


def _score(config: TranslatorConfig, stage: StageContext, model: Path, bitext: Path) -> None:
    result, answers = score_translator(model, bitext / "test.jsonl.zst")
    row = {
        "set": f"test part, {result.sentences} sentences",
        "metric": "BLEU",
        "score": round(result.score, 4),
        "signature": result.signature,
    }
    write_json(stage.output / "scores.json", {"scores": [row], "brevity": round(result.brevity, 4)})
    write_lines(stage.output / "translations.txt", (" ".join(answer.splitlines()) for answer in answers))
    info = translator_info(model)
    info.scores = [row]
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


KIND = RecipeKind(partial(load_recipe, schema=TranslatorConfig), translator_stages)
