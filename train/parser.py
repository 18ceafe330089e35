"""Train the spaCy pipeline whose parses the augmentation rules read, from a Universal Dependencies treebank.

Tagger, morphologizer, edit-tree lemmatizer and dependency parser stand on one shared tok2vec (the architecture of
spaCy's small CPU pipelines). The label scheme is that of the treebank; ``augment.dependency`` adapts it.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import asdict, dataclass, field
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from rewriter.errors import ParserError, UsageError
from rewriter.installation.extras import require
from rewriter.io.files import file_digest, read_lines, write_json
from rewriter.options import one_of
from rewriter.runs.manifest import Manifest
from rewriter.runs.resume import run_in

__all__ = ["ParserConfig", "train_parser"]

#: raised by hand when the same inputs and options would give another pipeline
STAGE_VERSION = 1
#: sentences per training document; the parser learns sentence ends from them
SENTENCES_PER_DOCUMENT = 10
_COLUMNS = 10


#: what a further treebank may keep to itself -> token attributes that are emptied
_LAYERS = {"tag": ("tag",), "morph": ("pos", "morph"), "lemma": ("lemma",)}
#: punctuation that stands close to the word before it, or behind it
_CLOSING, _OPENING = frozenset(",.;:!?)]}”«"), frozenset("([{„»")


@dataclass(frozen=True)
class FurtherTreebank:
    """Another file to train on, which may be annotated differently.

    Attributes:
        file: file name, relative to the folder of the treebank.
        without: layers that are not learnt from it: ``tag``, ``morph`` (with the universal tag), ``lemma``.
        relabel: relations that have another name there -> the treebank's own name.
        spaced: punctuation stands apart in its text; close it up.
    """

    file: str
    without: list[str] = field(default_factory=list)
    relabel: dict[str, str] = field(default_factory=dict)
    spaced: bool = False

    def __post_init__(self) -> None:
        unknown = set(self.without) - set(_LAYERS)
        if unknown:
            raise UsageError(f"parser.further: '{unknown.pop()}' is no layer; known: {', '.join(_LAYERS)}")


@dataclass(frozen=True)
class ParserConfig:
    """What a pipeline is trained from, and how.

    Attributes:
        treebank: folder of one treebank, ``.../ud/UD_English-EWT``.
        train: file name of the training part in CoNLL-U, plain, .gz or .zst; empty where ``further`` names all.
        dev: file name of the part that chooses the best checkpoint.
        test: file name of the part that is only scored; empty for none.
        further: more files to train on.
        dev_share: share of the dev part that chooses the checkpoint; the rest is trained on.
        lang: spaCy language whose tokenizer is used.
        licence: licence of the treebank, recorded in the manifest and the pipeline.
        width: width of the shared tok2vec.
        depth: number of its convolutional layers.
        max_epochs: passes over the training part; 0 means ``max_steps`` alone decides.
        max_steps: updates at most; 0 means ``max_epochs`` alone decides.
        patience: stop after so many updates without a better dev score.
        eval_every: updates between two evaluations.
        batch_words: words of the largest batch.
        accumulate: batches per update.
        seed: seed of everything random.
        threads: threads for linear algebra.
        device: ``cpu`` or ``cuda`` (spaCy with its extra for the GPU: cupy).
    """

    treebank: Path
    train: str = "en_ewt-ud-train.conllu.zst"
    dev: str = "en_ewt-ud-dev.conllu.zst"
    test: str = "en_ewt-ud-test.conllu.zst"
    further: list[FurtherTreebank] = field(default_factory=list)
    dev_share: float = 1.0
    lang: str = "en"
    licence: str = "CC BY-SA 4.0"
    width: int = 96
    depth: int = 4
    max_epochs: int = 0
    max_steps: int = 3600
    patience: int = 1600
    eval_every: int = 400
    batch_words: int = 1000
    accumulate: int = 1
    seed: int = 1
    threads: int = 1
    device: str = "cpu"

    def __post_init__(self) -> None:
        one_of(("cpu", "cuda"), device=self.device)

    def parts(self) -> dict[str, Path]:
        """Return the paths of the treebank's parts by name."""
        names = {"train": self.train, "dev": self.dev, "test": self.test}
        names |= {f"further {number}": more.file for number, more in enumerate(self.further, 1)}
        return {part: Path(self.treebank) / name for part, name in names.items() if name}


def train_parser(config: ParserConfig, *, output: Path, fresh: bool = False) -> dict[str, Any]:
    """Train a pipeline; it lies in ``output/pipeline``, its figures in ``output/scores.json``.

    Does nothing where ``output`` already holds the finished result of the same run.

    Args:
        config: treebank and options.
        output: folder of the stage.
        fresh: discard what another run left in ``output``.

    Returns:
        The content of ``scores.json``.

    Raises:
        ParserError: a part of the treebank is missing or training failed.
        ResumeError: ``output`` holds the result of another run.
        MissingExtraError: spaCy is not installed.
    """
    output = Path(output)
    identity = _identity(config)
    with run_in(output, "parser", identity, fresh=fresh, notes={"licence": config.licence}) as run:
        return _read_scores(output) if run.is_done else _train(config, output, run.manifest)


def _identity(config: ParserConfig) -> dict[str, Any]:
    for part, path in config.parts().items():
        if not path.is_file():
            raise ParserError(f"the {part} part of the treebank is missing: {path}; pass a folder that holds it")
    digests = {part: file_digest(path) for part, path in config.parts().items()}
    options = {k: v for k, v in asdict(config).items() if k not in ("treebank", "threads", "device")}
    if not config.further:  # added later; without it nothing changed
        del options["further"]
    if config.dev_share == 1:
        del options["dev_share"]
    return {"version": STAGE_VERSION, "spacy": require("spacy", extra="spacy").__version__, "data": digests, **options}


def _read_scores(output: Path) -> dict[str, Any]:
    from rewriter.io.files import read_json

    scores: dict[str, Any] = read_json(output / "scores.json")
    return scores


def _train(config: ParserConfig, output: Path, manifest: Manifest) -> dict[str, Any]:
    work = output / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    manifest.counts = _convert_all(config, work)
    template = str(resources("train").joinpath("configs", "parser.cfg"))
    with _threads(config.threads), redirect_stdout(sys.stderr):
        try:
            require("spacy.cli.train", extra="spacy")
            from spacy.cli.train import train

            train(template, work, use_gpu=_gpu(config), overrides=_overrides(config, work))
        except (ValueError, SystemExit) as error:
            raise ParserError(f"spaCy could not train the pipeline: {error}") from error
        scores = _score(config, work)
    _publish(work / "model-best", output / "pipeline", scores)
    write_json(output / "scores.json", scores)
    shutil.rmtree(work)
    return scores


def _gpu(config: ParserConfig) -> int:
    """Return the number of the GPU that spaCy is to use, -1 for none.

    Raises:
        ParserError: one is asked for and spaCy sees none.
    """
    if config.device == "cpu":
        return -1
    if not require("spacy", extra="spacy").prefer_gpu():
        raise ParserError("device: cuda, but spaCy sees no GPU; install cupy for it (pip install 'spacy[cuda12x]')")
    return 0


def documents(config: ParserConfig) -> dict[str, list[Any]]:
    """Return the spaCy documents of ``train``, ``dev`` and ``test``, further treebanks and shares taken into account.

    Raises:
        InputError: a file cannot be read.
        MissingExtraError: spaCy is not installed.
    """
    require("spacy", extra="spacy")
    paths = config.parts()
    docs = {"train": list(_documents(paths["train"])) if config.train else []}
    for number, more in enumerate(config.further, 1):
        docs["train"] += [_reduced(doc, more.without) for doc in _documents(paths[f"further {number}"], more)]
    docs["dev"] = []
    for number, doc in enumerate(_documents(paths["dev"])):
        is_kept = int((number + 1) * config.dev_share) > int(number * config.dev_share)
        docs["dev" if is_kept else "train"].append(doc)
    if config.test:
        docs["test"] = list(_documents(paths["test"]))
    return docs


def _convert_all(config: ParserConfig, work: Path) -> dict[str, Any]:
    """Write the parts in spaCy's format; return the number of sentences of each."""
    from spacy.tokens import DocBin

    counts = {}
    for part, found in documents(config).items():
        DocBin(store_user_data=False, docs=found).to_disk(work / f"{part}.spacy")
        counts[f"{part}_sentences"] = sum(len(list(doc.sents)) for doc in found)
    return counts


def _reduced(doc: Any, without: list[str]) -> Any:
    """Empty layers of a document, so that nothing is learnt from them."""
    emptied = {attribute for layer in without for attribute in _LAYERS[layer]}
    for token in doc:
        if "tag" in emptied:
            token.tag_ = ""
        if "pos" in emptied:
            token.pos_ = ""
            token.set_morph(None)
        if "lemma" in emptied:
            token.lemma_ = ""
    return doc


def convert(source: Path, target: Path) -> int:
    """Turn a CoNLL-U file into spaCy's training format; return the number of sentences.

    Multi-word tokens stay apart (``do`` + ``n't``), as spaCy's English tokenizer cuts them.

    Raises:
        InputError: the file cannot be read.
    """
    require("spacy", extra="spacy")
    from spacy.tokens import DocBin

    packed = DocBin(store_user_data=False)
    sentences = 0
    for doc in _documents(source):
        sentences += sum(1 for _ in doc.sents)
        packed.add(doc)
    packed.to_disk(target)
    return sentences


def _documents(source: Path, more: FurtherTreebank | None = None) -> Iterator[Any]:
    from spacy.training.converters import conllu_to_docs

    lines = list(read_lines(source))
    if more is not None:
        lines = list(_adapted(lines, more))
    yield from conllu_to_docs("\n".join(lines), n_sents=SENTENCES_PER_DOCUMENT, no_print=True)


def _adapted(lines: Sequence[str], more: FurtherTreebank) -> Iterator[str]:
    """Rename relations and close up punctuation in lines of CoNLL-U."""
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        columns = line.split("\t")
        if len(columns) == _COLUMNS:
            columns[7] = more.relabel.get(columns[7], columns[7])
            after = following.split("\t")[1] if following.count("\t") == _COLUMNS - 1 else ""
            if more.spaced and (after[:1] in _CLOSING or columns[1] in _OPENING) and after:
                columns[9] = "SpaceAfter=No"
        yield "\t".join(columns)


def _overrides(config: ParserConfig, work: Path) -> dict[str, Any]:
    return {
        "nlp.lang": config.lang,
        "paths.train": str(work / "train.spacy"),
        "paths.dev": str(work / "dev.spacy"),
        "system.seed": config.seed,
        "components.tok2vec.model.encode.width": config.width,
        "components.tok2vec.model.encode.depth": config.depth,
        "training.max_epochs": config.max_epochs,
        "training.max_steps": config.max_steps,
        "training.patience": config.patience,
        "training.eval_frequency": config.eval_every,
        "training.accumulate_gradient": config.accumulate,
        "training.batcher.size.stop": config.batch_words,
        "training.batcher.size.start": min(100, config.batch_words),
    }


@contextmanager
def _threads(count: int) -> Iterator[None]:
    threadpools = require("threadpoolctl", extra="spacy") if _has("threadpoolctl") else None
    if threadpools is None:
        yield
        return
    with threadpools.threadpool_limits(limits=count):
        yield


def _has(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


#: figure -> key of spaCy's scorer
_FIGURES = {
    "tokens": "token_acc",
    "tag": "tag_acc",
    "pos": "pos_acc",
    "morph": "morph_acc",
    "lemma": "lemma_acc",
    "uas": "dep_uas",
    "las": "dep_las",
    "sentences": "sents_f",
}


def _score(config: ParserConfig, work: Path) -> dict[str, Any]:
    import spacy
    from spacy.training import Corpus

    nlp = spacy.load(work / "model-best")
    scores: dict[str, Any] = {
        "treebank": Path(config.treebank).name,
        "scheme": "universal-dependencies",
        "licence": config.licence,
        "note": "raw text: tokens and sentence ends are predicted; punctuation is not counted in UAS and LAS",
    }
    for part in ("dev", "test"):
        if (work / f"{part}.spacy").exists():
            found = nlp.evaluate(list(Corpus(work / f"{part}.spacy")(nlp)))
            scores[part] = {name: round(100 * (found[key] or 0.0), 2) for name, key in _FIGURES.items()}
    return scores


def _publish(best: Path, pipeline: Path, scores: dict[str, Any]) -> None:
    """Put the best checkpoint, with what it is made of in its meta data, in its final place."""
    import spacy

    nlp = spacy.load(best)
    nlp.meta["name"] = f"parser_{scores['treebank'].lower().replace('-', '_')}"
    nlp.meta["license"] = scores["licence"]
    nlp.meta["description"] = f"Tagger, morphologizer, lemmatizer and dependency parser trained on {scores['treebank']}"
    nlp.meta["sources"] = [{"name": scores["treebank"], "license": scores["licence"]}]
    shutil.rmtree(pipeline, ignore_errors=True)
    nlp.to_disk(pipeline)
