"""The spaCy pipeline component ``gender_fair_rewriter``: ``Doc._.fair_text`` and ``Doc._.fair_edits``.

    nlp = spacy.blank("en")
    nlp.add_pipe("gender_fair_rewriter", config={"policy": {"scope": "generic"}})
    nlp("She knows her stuff.")._.fair_text

spaCy finds the component by its entry point; nothing of this toolkit need be imported. This module is imported by spaCy
alone, which is why it may import spaCy at its head. Annotations are evaluated, since spaCy checks a component's config
by them.
"""

import logging
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, fields
from itertools import islice
from pathlib import Path
from typing import Any

from rewriter.errors import ModelError, UsageError
from rewriter.installation.extras import require
from rewriter.io.same_kind import ERRORS, Errors
from rewriter.model.directory import load_info, resolve
from rewriter.options import one_of
from rewriter.pipeline import Options, Rewriter
from rewriter.policy import Policy
from rewriter.records import Edit, apply_edits
from rewriter.registry import did_you_mean
from rewriter.runs.per_process import PerProcess

NAME = "gender_fair_rewriter"
#: key of ``Doc.user_data`` under which the edits lie, as lists, so that documents can be stored and sent
KEY = "gender_fair_edits"
#: key of the reason why a document stays, where the toolkit failed on it
FAILED = "gender_fair_error"
#: what a saved component holds
MODEL, NOUNS = "model", "nouns.tsv"

DEFAULT_CONFIG: dict[str, Any] = {
    "model": "en",
    "device": "cpu",
    "errors": "raise",
    "options": {"threads": 0, "convention": None, "reflexive": "themself", "lexicon": None, "guard": "strict"},
    "policy": {f.name: list(f.default) if isinstance(f.default, tuple) else f.default for f in fields(Policy)},
}

log = logging.getLogger(__name__)


class GenderFairRewriter:
    """Notes for every document the edits that make it gender-fair; the document itself stays as it is.

    A saved pipeline holds the model (and the user's nouns), so that it gives the same answers wherever it is loaded.
    The model is loaded when the first document comes, once per process.
    """

    def __init__(self, options: dict[str, Any], *, lang: str = "", errors: Errors = "raise") -> None:
        """Keep the options.

        Args:
            options: ``model``, and fields of :class:`rewriter.pipeline.Options`.
            lang: language of the pipeline.
            errors: ``raise``, or ``keep`` a document on which the toolkit fails as it is (``Doc._.fair_error``).
        """
        self._options, self._lang, self._errors = options, lang, errors
        self._saved: Path | None = None
        self._loaded = PerProcess(self._load)

    @property
    def rewriter(self) -> Rewriter:
        """The rewriter of this process.

        Raises:
            ModelError: there is no such model, or it is damaged.
            UsageError: an option has no such value.
        """
        return self._loaded.get()

    def _load(self) -> Rewriter:
        loaded = Rewriter.from_pretrained(**self._sources())
        if self._lang not in ("", "xx", "mul", loaded.info.lang):
            log.warning("the model is for '%s', the pipeline for '%s'", loaded.info.lang, self._lang)
        return loaded

    def _sources(self) -> dict[str, Any]:
        """Return the options; model and nouns are those of a saved component if it was loaded from one."""
        options = dict(self._options)
        options["name_or_dir"] = options.pop("model")
        if self._saved is not None:
            options["name_or_dir"] = self._saved / MODEL
            if options.get("lexicon") is not None:
                options["lexicon"] = str(self._saved / NOUNS)
        return options

    def __call__(self, doc: Any) -> Any:
        """Note the edits of a document, and return it."""
        return self._note([doc])[0]

    def pipe(self, stream: Iterable[Any], *, batch_size: int = 256) -> Iterator[Any]:
        """Yield documents as they come, their edits noted, ``batch_size`` at a time."""
        docs = iter(stream)
        while batch := list(islice(docs, batch_size)):
            yield from self._note(batch)

    def _note(self, docs: Sequence[Any]) -> Sequence[Any]:
        rewrites = self.rewriter.rewrite([doc.text for doc in docs], return_edits=True, errors=self._errors)
        for doc, rewrite in zip(docs, rewrites, strict=True):
            doc.user_data[KEY] = [list(astuple(edit)) for edit in rewrite.edits]
            if rewrite.error is not None:
                doc.user_data[FAILED] = rewrite.error.reason
        return docs

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save model and nouns in a folder.

        Raises:
            ModelError: there is no such model, or it is damaged.
        """
        Path(path).mkdir(parents=True, exist_ok=True)
        for name, data in self._content().items():
            target = Path(path) / name
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(data)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "GenderFairRewriter":
        """Take model and nouns from a folder that :meth:`to_disk` made.

        Raises:
            ModelError: the folder holds none, or a damaged one.
        """
        load_info(Path(path) / MODEL)
        self._saved = Path(path)
        self._loaded.forget()
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return model and nouns as bytes.

        Raises:
            ModelError: there is no such model, or it is damaged.
        """
        data: bytes = require("srsly", extra="spacy").msgpack_dumps(self._content())
        return data

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "GenderFairRewriter":
        """Take model and nouns from what :meth:`to_bytes` gave.

        Raises:
            ModelError: the bytes hold none, or a damaged one.
        """
        folder = Path(tempfile.mkdtemp(prefix="gender-fair-"))
        weakref.finalize(self, _remove, folder, os.getpid())
        (folder / MODEL).mkdir()
        for name, content in require("srsly", extra="spacy").msgpack_loads(data).items():
            parent, base = Path(name).parent.name, Path(name).name
            if (parent, base) != ("", NOUNS) and parent != MODEL:
                raise ModelError(f"the bytes are no saved {NAME}: they hold a file '{name}'")
            (folder / parent / base).write_bytes(content)
        return self.from_disk(folder)

    def _content(self) -> dict[str, bytes]:
        """Return name and content of every file that a saved component holds."""
        sources = self._sources()
        folder = resolve(sources["name_or_dir"])
        load_info(folder)
        content = {f"{MODEL}/{path.name}": path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
        if sources.get("lexicon") is not None:
            content[NOUNS] = Path(sources["lexicon"]).read_bytes()
        return content


def create(
    nlp: Any,
    name: str,
    model: str,
    device: str,
    options: dict[str, Any],
    policy: dict[str, Any],
    errors: str = "raise",
) -> GenderFairRewriter:
    """Make the component; spaCy calls this with the component's config.

    Args:
        nlp: the pipeline.
        name: of the component in it.
        model: bundled name or model directory.
        device: ``cpu``, ``cuda`` or ``auto``.
        options: other fields of :class:`rewriter.pipeline.Options`.
        policy: fields of :class:`rewriter.policy.Policy`.
        errors: ``raise``, or ``keep`` a document on which the toolkit fails as it is.

    Raises:
        UsageError: an unknown option, an unknown field of the policy, or a value that it does not take.
    """
    _check_names("options", options, [f.name for f in fields(Options) if f.name not in ("device", "policy")])
    _check_names("policy", policy, [f.name for f in fields(Policy)])
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in policy.items()}
    allowed = Policy(**values)
    chosen = {**options, "model": model, "device": device, "policy": None if allowed.idle else allowed}
    one_of(ERRORS, errors=errors)
    return GenderFairRewriter(chosen, lang=nlp.lang, errors="keep" if errors == "keep" else "raise")


def _check_names(section: str, given: Iterable[str], known: list[str]) -> None:
    for key in given:
        if key not in known:
            raise UsageError(
                f"{NAME}: there is no '{section}.{key}'{did_you_mean(key, known)}; known: {', '.join(known)}"
            )


def fair_edits(doc: Any) -> tuple[Edit, ...] | None:
    """Return the edits of a document, offsets in characters; None before the component saw it."""
    noted = doc.user_data.get(KEY)
    return None if noted is None else tuple(Edit(*edit) for edit in noted)


def fair_text(doc: Any) -> str | None:
    """Return the gender-fair text of a document; None before the component saw it."""
    edits = fair_edits(doc)
    return None if edits is None else apply_edits(doc.text, edits)


def fair_error(doc: Any) -> str | None:
    """Return why a document stays as it is; None where the toolkit did not fail on it."""
    reason: str | None = doc.user_data.get(FAILED)
    return reason


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def _register() -> None:
    doc = require("spacy.tokens", extra="spacy").Doc
    for name, getter in (("fair_text", fair_text), ("fair_edits", fair_edits), ("fair_error", fair_error)):
        doc.set_extension(name, getter=getter, force=True)
    require("spacy.language", extra="spacy").Language.factory(
        NAME,
        default_config=DEFAULT_CONFIG,
        assigns=["doc._.fair_text", "doc._.fair_edits", "doc._.fair_error"],
        func=create,
    )


_register()
