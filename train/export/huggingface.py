"""Export of a Hugging Face folder as a model directory: its files, and the weights in CTranslate2 beside them.

The tokenizer files and the safetensors stay as they are, so that the directory is still a folder for transformers; what
rewrites are the converted weights (``ctranslate2``, 8 bits by default).
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from rewriter.errors import ModelError, UsageError
from rewriter.installation.extras import require
from rewriter.io.files import read_json
from rewriter.model.ctranslate import load_ctranslate2
from rewriter.model.directory import huggingface_info, seal
from rewriter.model.huggingface import CONVERTED, PROMPT, check_folder, load_tokenizer, prompt_of
from rewriter.version import __version__
from train.export.ctranslate import QUANTIZATIONS, whole_or_not

__all__ = ["export_huggingface"]

#: keys of configs that the converter reads, with what transformers 4 had for models that do not name them (BART)
_FORMER_DEFAULTS = {"normalize_before": False, "normalize_embedding": True}
#: files of a folder that are not copied: other forms of the weights, and what belongs to a training
_LEFT = ("*.bin", "*.pt", "*.msgpack", "*.h5", "*.onnx", "optimizer*", "scheduler*", "rng_state*", "trainer_state*")


def export_huggingface(
    folder: Path,
    *,
    output: Path,
    lang: str | None = None,
    prompt: Path | None = None,
    quantization: str = "int8",
    name: str | None = None,
) -> Path:
    """Make a model directory of a Hugging Face folder; it appears whole or not at all.

    Args:
        folder: Marian, T5, BART or another encoder-decoder, or a causal language model.
        output: the directory to make; one that exists is replaced.
        lang: its language; otherwise what its card says.
        prompt: of a causal language model; otherwise its own ``prompt.txt``.
        quantization: one of :data:`train.export.ctranslate.QUANTIZATIONS`.
        name: of the model; otherwise that of ``output``.

    Returns:
        ``output``.

    Raises:
        UsageError: an unknown quantization, or the two folders are one.
        ModelError: one sentence about why the folder cannot be exported.
        OutputError: the directory cannot be written.
    """
    if quantization not in QUANTIZATIONS:
        raise UsageError(f"unknown quantization '{quantization}'; known: {', '.join(QUANTIZATIONS)}")
    if output.resolve() == folder.resolve():
        raise UsageError(f"{output}: is the folder to export; name another one with -o")
    kind = check_folder(folder)
    asked = prompt_of(folder, kind, prompt)
    load_tokenizer(folder)
    info = huggingface_info(folder, lang=lang, name=name or output.name)
    with whole_or_not(output) as temporary:
        shutil.copytree(folder, temporary, ignore=shutil.ignore_patterns(*_LEFT, CONVERTED))
        _convert(folder, temporary / CONVERTED, quantization)
        if asked:
            (temporary / PROMPT).write_text(asked + "\n", encoding="utf-8")
        info.toolkit_version = __version__
        seal(temporary, info)
    return output


def _convert(folder: Path, output: Path, quantization: str) -> None:
    load_ctranslate2(converters=True)
    converters = require("ctranslate2.converters", extra="train")
    _refuse_unknown(folder)
    try:
        _converter(converters, folder).convert(str(output), quantization=quantization)
    except Exception as error:  # torch, safetensors and the converter raise their own types
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ModelError(f"{folder}: cannot be converted to CTranslate2 ({first})") from None


def _converter(converters: Any, folder: Path) -> Any:
    """Return the converter; it gives configs what transformers 5 no longer writes into them."""

    class Converter(converters.TransformersConverter):
        def load_model(self, *args: Any, **options: Any) -> Any:
            model = super().load_model(*args, **options)
            for name, value in _FORMER_DEFAULTS.items():
                if not hasattr(model.config, name):
                    setattr(model.config, name, value)
            return model

    return Converter(str(folder))


def _refuse_unknown(folder: Path) -> None:
    """Refuse an architecture that CTranslate2 does not know, before anything is loaded."""
    module: Any = require("ctranslate2.converters.transformers", extra="train")
    transformers: Any = require("transformers", extra="train")
    known = getattr(module, "_MODEL_LOADERS", {})
    config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    if known and type(config).__name__ not in known:
        model_type = read_json(folder / "config.json")["model_type"]
        raise ModelError(
            f"{folder}: CTranslate2 knows no model of type '{model_type}', so it cannot be exported; "
            "Rewriter.from_pretrained uses the folder as it is"
        )
