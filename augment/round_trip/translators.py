"""Translators for round trips: our own small ones, or any encoder-decoder of the Hugging Face library.

Our own (``gender-fair train translator``) are folders with a CTranslate2 model, ``sentencepiece.model`` and
``translator.json``, whose digests are checked before anything is loaded. Everything else is given to transformers, by
folder or by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Protocol, cast

from eval.pretrained import load_pretrained
from rewriter.errors import InputError, ModelError
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write, file_digest, folder_digests, read_json, write_json
from rewriter.model.huggingface import most_tokens
from rewriter.runs.manifest import fingerprint

__all__ = ["Translator", "load_translator"]

INFO = "translator.json"
CARD = "README.md"
FORMAT = 1
#: sentence-level tags in front of what is translated (Amrhein et al. 2023, appendix G)
TAGS = {"feminine": "<fem>", "masculine": "<masc>"}
#: sentences that transformers translates at once
_BATCH = 16


@dataclass
class TranslatorInfo:
    """What ``translator.json`` says.

    Attributes:
        name: name of the model.
        source: code of the language that is read.
        target: code of the language that is written.
        tags: gender -> tag that may stand in front of a sentence; empty for a model without gender control.
        toolkit_version: version of this toolkit that made it.
        recipe: the resolved recipe.
        data: one mapping per data file: ``file``, ``licence``, ``sha256``.
        scores: measured figures: ``set``, ``metric``, ``score``, ``signature``.
        files: file name -> SHA-256.
        format: version of this folder's layout.
    """

    name: str
    source: str
    target: str
    tags: dict[str, str] = field(default_factory=dict)
    toolkit_version: str = ""
    recipe: dict[str, Any] = field(default_factory=dict)
    data: list[dict[str, Any]] = field(default_factory=list)
    scores: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    format: int = FORMAT


class Translator(Protocol):
    """Translates sentences; ``tags`` as in :class:`TranslatorInfo`."""

    tags: Mapping[str, str]

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """Return one translation per sentence."""
        ...


def seal_translator(folder: Path, info: TranslatorInfo) -> TranslatorInfo:
    """Write ``translator.json`` and the card of a folder whose model files are in place; return the info."""
    info.files = folder_digests(folder, without=(INFO, CARD))
    with atomic_write(folder / CARD) as stream:
        stream.write(_card(info).encode("utf-8"))
    write_json(folder / INFO, asdict(info))
    return info


def _card(info: TranslatorInfo) -> str:
    tags = ", ".join(f"`{tag}` ({gender})" for gender, tag in info.tags.items()) or "none"
    scores = [f"| {s['set']} | {s['metric']} | {s['score']:.2f} | `{s['signature']}` |" for s in info.scores]
    data = [f"| {d['file']} | {d.get('licence') or 'not stated'} |" for d in info.data]
    lines = [
        f"# {info.name}",
        "",
        f"Small translation model, {info.source} to {info.target}, for round trips that make training data; made by "
        f"gender-fair-rewriter {info.toolkit_version}. It is no general translator. Gender tags: {tags}.",
        "",
    ]
    if scores:
        lines += ["## Scores", "", "| set | metric | score | signature |", "|---|---|---|---|", *scores, ""]
    if data:
        lines += ["## Training data", "", "| file | licence |", "|---|---|", *data, ""]
    return "\n".join(lines)


def translator_info(folder: str | Path) -> TranslatorInfo:
    """Read and check ``translator.json`` and the files that it lists.

    Raises:
        ModelError: names the folder, the file and what is wrong with it.
    """
    folder = Path(folder)
    try:
        record = read_json(folder / INFO)
        info = TranslatorInfo(**{f.name: record[f.name] for f in fields(TranslatorInfo) if f.name in record})
    except (InputError, TypeError, AttributeError) as error:
        raise ModelError(f"{folder / INFO}: not readable as the description of a translator ({error})") from None
    if info.format > FORMAT:
        raise ModelError(f"{folder}: made for a newer version of this toolkit (format {info.format}); please update")
    for name, digest in info.files.items():
        if not (folder / name).is_file() or file_digest(folder / name) != digest:
            raise ModelError(
                f"{folder / name}: missing, or not what {INFO} lists; copy the translator again or train it again"
            )
    return info


def is_own(name_or_folder: str | Path) -> bool:
    """Return True if this is a translator of ours (and not a model for transformers)."""
    return (Path(name_or_folder) / INFO).is_file()


def translator_identity(name_or_folder: str | Path) -> str:
    """Return what tells one translator from another: digests of its files, or its name on the hub."""
    folder = Path(name_or_folder)
    if is_own(folder):
        return fingerprint(translator_info(folder).files)[:16]
    if folder.is_dir():
        return fingerprint({p.name: file_digest(p) for p in sorted(folder.iterdir()) if p.is_file()})[:16]
    return str(name_or_folder)


def load_translator(
    name_or_folder: str | Path, *, device: str = "cpu", threads: int = 1, beam_size: int = 1
) -> Translator:
    """Load a translator of ours, or an encoder-decoder by folder or hub name through transformers.

    Args:
        name_or_folder: folder of ours (with ``translator.json``), folder or name of a model for transformers.
        device: ``cpu`` or ``cuda``.
        threads: batches (ours) or threads of torch is left alone.
        beam_size: hypotheses kept in the search.

    Raises:
        ModelError: there is no such model, or it is damaged.
        MissingExtraError: torch or transformers are not installed and the model needs them.
    """
    if is_own(name_or_folder):
        return OwnTranslator(Path(name_or_folder), device=device, threads=threads, beam_size=beam_size)
    return HuggingFaceTranslator(str(name_or_folder), device=device, beam_size=beam_size)


class OwnTranslator:
    """A translator that ``gender-fair train translator`` made; needs CTranslate2 and SentencePiece only."""

    def __init__(self, folder: Path, *, device: str = "cpu", threads: int = 1, beam_size: int = 1) -> None:
        from rewriter.language.interface import Language
        from rewriter.model.seq2seq import Seq2SeqModel

        self.info = translator_info(folder)
        self.tags: Mapping[str, str] = self.info.tags
        # Only propose() asks the language, and what is translated here is never proposed as an edit.
        nothing = cast(Language, None)
        self._model = Seq2SeqModel.load(folder, nothing, device=device, threads=threads, beam_size=beam_size)

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """Return one translation per sentence; one that is too long comes back as it is."""
        return self._model.translate(sentences)


class HuggingFaceTranslator:
    """Any encoder-decoder of transformers whose tokenizer needs no language codes (FSMT, Marian, T5 ...)."""

    def __init__(self, name: str, *, device: str = "cpu", beam_size: int = 1) -> None:
        self._torch = require("torch", extra="train")
        self._beam_size, self._device = beam_size, device
        self._tokenizer, self._model = load_pretrained(
            name,
            "AutoModelForSeq2SeqLM",
            kind="translation model",
            device=device,
            advice=", or train your own with `gender-fair train translator`",
            model={"weights_only": True},
        )
        self._most = most_tokens(self._tokenizer, self._model.config)
        # who fine-tunes a model with the tags adds them to its vocabulary; all others would translate them as text
        added = self._tokenizer.get_added_vocab()
        self.tags: Mapping[str, str] = {gender: tag for gender, tag in TAGS.items() if tag in added}

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """Return one translation per sentence, in their order; one that the model has no room for stays as it is."""
        answers = list(sentences)
        lengths = [len(self._tokenizer(text)["input_ids"]) for text in sentences]
        order = sorted((n for n, size in enumerate(lengths) if size <= self._most), key=lambda n: lengths[n])
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            for row, answer in zip(rows, self._batch([sentences[n] for n in rows]), strict=True):
                answers[row] = answer
        return answers

    def _batch(self, texts: list[str]) -> list[str]:
        inputs = self._tokenizer(texts, return_tensors="pt", padding=True, truncation=True).to(self._device)
        longest = int(inputs["input_ids"].shape[1])
        with self._torch.inference_mode():
            ids = self._model.generate(
                input_ids=inputs["input_ids"],
                attention_mask=inputs["attention_mask"],
                num_beams=self._beam_size,
                do_sample=False,
                max_new_tokens=max(1, min(2 * longest + 10, self._most - 1)),
            )
        answers: list[str] = self._tokenizer.batch_decode(ids, skip_special_tokens=True)
        return answers
