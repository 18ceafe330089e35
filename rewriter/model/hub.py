"""Models to and from the Hugging Face hub: only when asked for, a revision named, nothing in silence."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from rewriter.errors import ModelError, UsageError
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write
from rewriter.model.directory import CARD, ModelInfo, model_card, resolve, seal
from rewriter.model.huggingface import PROMPT

#: what is loaded: weights that cannot run code, descriptions, vocabularies
_WANTED = ("*.json", "*.safetensors", "*.model", "*.spm", "*.txt", "*.md", "model.bin", "*/model.bin")
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def find_model(name_or_dir: str | Path, revision: str | None = None) -> Path:
    """Return the directory of a bundled name, of a path, or with a revision of a name on the hub.

    Args:
        name_or_dir: what names the model.
        revision: of the hub; without one nothing is downloaded.

    Raises:
        ModelError: there is none; of what looks like a name on the hub the message says how it is downloaded.
        MissingExtraError: huggingface_hub is not installed.
    """
    name = str(name_or_dir)
    if revision is None or Path(name_or_dir).is_dir():
        try:
            return resolve(name_or_dir)
        except ModelError as error:
            if _HUB_NAME.fullmatch(name):
                raise ModelError(
                    f"{error}; if it is a model on the hub, pin it with revision= (--revision): nothing is downloaded "
                    "without being asked for"
                ) from None
            raise
    return _download(name, revision)


def _download(name: str, revision: str) -> Path:
    hub = require("huggingface_hub", extra="train")
    try:
        return Path(hub.snapshot_download(name, revision=revision, allow_patterns=list(_WANTED)))
    except Exception as error:  # the hub's own types, those of its transport, ValueError for names
        raise ModelError(f"{name} at {revision}: cannot be had from the hub ({_first_line(error)})") from None


def save(folder: Path, info: ModelInfo, output: Path, *, licence: str = "", prompt: str | None = None) -> Path:
    """Copy a model into a directory of its own, sealed, with a card that the hub understands.

    Args:
        folder: of the model.
        info: describes it.
        output: made where it does not exist.
        licence: of the weights.
        prompt: file with the prompt that goes with a causal language model.

    Returns:
        ``output``.

    Raises:
        UsageError: ``output`` holds something.
    """
    if output.exists() and any(output.iterdir()):
        raise UsageError(f"{output}: not empty; save a model into a folder of its own")
    output.mkdir(parents=True, exist_ok=True)
    for name in info.files or ():
        (output / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / name, output / name)
    if prompt is not None:
        shutil.copyfile(prompt, output / PROMPT)
    sealed = seal(output, replace(info))
    with atomic_write(output / CARD) as stream:
        stream.write((front_matter(sealed, licence) + model_card(sealed)).encode("utf-8"))
    return output


def push(folder: Path, info: ModelInfo, name: str, *, private: bool, revision: str | None, **options: Any) -> str:
    """Upload a model to a repository of the hub, which is made where there is none; return the commit's address."""
    hub = require("huggingface_hub", extra="train")
    with tempfile.TemporaryDirectory(prefix="gender-fair-") as temporary:
        saved = save(folder, info, Path(temporary) / "model", **options)
        try:
            api = hub.HfApi()
            api.create_repo(name, private=private, exist_ok=True)
            done = api.upload_folder(
                repo_id=name, folder_path=str(saved), revision=revision, commit_message=f"{info.name}"
            )
        except Exception as error:  # the hub's own types, those of its transport, ValueError for names
            raise ModelError(f"{name}: the hub did not take the model ({_first_line(error)})") from None
    return str(getattr(done, "commit_url", done))


def front_matter(info: ModelInfo, licence: str = "") -> str:
    """Return the head of a card by which the hub shows a model: language, licence, metrics.

    Args:
        info: of the model.
        licence: as the hub writes it; left out where it is not stated.
    """
    lines = ["---", f"language: {info.lang}", "library_name: gender-fair-rewriter"]
    lines += [f"license: {licence}"] if licence else []
    lines += ["tags:", "- gender-fair", "- text2text-generation", f"- {info.convention}"]
    lines += ["metrics:", "- wer", *_results(info)] if info.scores else []
    return "\n".join([*lines, "---", "", ""])


def _results(info: ModelInfo) -> Iterable[str]:
    yield from ("model-index:", f"- name: {info.name}", "  results:")
    for score in info.scores:
        yield from (
            "  - task: {type: text2text-generation, name: gender-fair rewriting}",
            f"    dataset: {{type: {score.get('set')}, name: {score.get('set')}}}",
            f"    metrics: [{{type: wer, value: {score.get('score')}}}]",
        )


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
