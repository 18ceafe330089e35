"""Lemmas: what merges the forms of a word (``polite``, French ``poli`` and ``polie``).

Nothing is downloaded and nothing is chosen silently: without lemmas every form counts for itself, and the signature
says ``lemmas:none``. The original asks stanza for the lemma of every single word, which needs torch and a model.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from rewriter.errors import InputError, UsageError
from rewriter.installation.extras import require
from rewriter.io.files import file_digest, read_blocks, read_lines
from rewriter.io.limits import whole

#: the name that stands for the tables of the package spacy-lookups-data
LOOKUPS = "lookups"
#: what can be given: a table, a function of a word, a spaCy pipeline, the path of a table, ``lookups``, or nothing
LemmaSource = Mapping[str, str] | Callable[[str], str] | str | Path | None


@dataclass(frozen=True)
class Lemmas:
    """Lemmas of words.

    Attributes:
        name: for the signature.
        find: words in, their lemmas out, in the same order; an empty lemma leaves the word out, as in the original.
    """

    name: str
    find: Callable[[Sequence[str]], list[str]]


def lemmas_from(source: LemmaSource | Any, lang: str) -> Lemmas:
    """Make lemmas from whatever a user has.

    Args:
        source: None (no merging); a mapping of form to lemma; a function of one word; a spaCy pipeline with a
            lemmatizer; the path of a table (two columns with a tab between them, or a JSON object; ``.gz`` and
            ``.zst`` too); or ``lookups`` for the table of the package spacy-lookups-data (extra ``lemmas``).
        lang: the language, for ``lookups``.

    Raises:
        UsageError: ``source`` is nothing of this.
        InputError: the table cannot be read.
        MissingExtraError: spacy-lookups-data is not installed.
    """
    if source is None:
        return Lemmas("none", list)
    if isinstance(source, str | Path):
        return _lookups(lang) if str(source) == LOOKUPS else _file(Path(source))
    if isinstance(source, Mapping):
        return _table("table", source)
    if hasattr(source, "pipe") and hasattr(source, "pipe_names"):
        return _pipeline(source)
    if callable(source):
        return Lemmas(
            f"function {getattr(source, '__name__', type(source).__name__)}", lambda ws: list(map(source, ws))
        )
    raise UsageError(
        f"lemmas are a mapping, a function, a spaCy pipeline, the path of a table, or '{LOOKUPS}', not {source!r}"
    )


def read_lemmas(path: str | Path) -> dict[str, str]:
    """Read a table of lemmas: ``form<TAB>lemma`` lines (# begins a comment), or a JSON object.

    Raises:
        InputError: it cannot be read; names file and line of the first malformed row.
    """
    path = Path(path)
    if ".json" in path.suffixes:
        return _json_table(whole(read_blocks(path), path), path)
    table = {}
    for number, line in enumerate(read_lines(path), 1):
        if line.strip() and not line.startswith("#"):
            cells = line.split("\t")
            if len(cells) != 2:
                raise InputError(f"{path}:{number}: expected 'form<TAB>lemma', found {len(cells)} cells")
            table[cells[0].strip().lower()] = cells[1].strip().lower()
    return table


def _json_table(data: bytes, where: object) -> dict[str, str]:
    try:
        table = json.loads(data)
    except ValueError as error:
        raise InputError(f"{where}: not valid JSON ({error})") from None
    if not isinstance(table, dict):
        raise InputError(f"{where}: expected a JSON object of form to lemma")
    # Some tables of spacy-lookups-data list several lemmas for a form; the first one is taken.
    chosen = {form: lemma[0] if isinstance(lemma, list) and lemma else lemma for form, lemma in table.items()}
    if not all(isinstance(lemma, str) for lemma in chosen.values()):
        raise InputError(f"{where}: expected a JSON object of form to lemma")
    return chosen


def _table(name: str, table: Mapping[str, str]) -> Lemmas:
    return Lemmas(name, lambda words: [table.get(word, word) for word in words])


def _file(path: Path) -> Lemmas:
    return _table(f"{path.name}@{file_digest(path)[:8]}", read_lemmas(path))


def _lookups(lang: str) -> Lemmas:
    package = require("spacy_lookups_data", extra="lemmas")
    path = files("spacy_lookups_data").joinpath("data", f"{lang}_lemma_lookup.json.gz")
    if not path.is_file():
        raise UsageError(f"spacy-lookups-data has no lemma table for language '{lang}'; pass a table of your own")
    table = _json_table(gzip.decompress(path.read_bytes()), path)
    # The tables keep the case of the words, tokens are lower-cased; a lower-case entry goes before.
    lowered = {form.lower(): lemma.lower() for form, lemma in table.items()}
    lowered |= {form: lemma.lower() for form, lemma in table.items() if form == form.lower()}
    return _table(f"lookups-{lang}-{getattr(package, '__version__', '')}".rstrip("-"), lowered)


def _pipeline(nlp: Any) -> Lemmas:
    if "lemmatizer" not in nlp.pipe_names and "trainable_lemmatizer" not in nlp.pipe_names:
        raise UsageError(f"the spaCy pipeline has no lemmatizer; it has: {', '.join(nlp.pipe_names) or 'nothing'}")
    name = f"spacy-{nlp.meta.get('lang', '')}_{nlp.meta.get('name', '')}"
    return Lemmas(name, lambda words: [_first_lemma(doc) for doc in nlp.pipe(words)])


def _first_lemma(doc: Any) -> str:
    """Return the lemma of the first token, as the original takes it; the word where the pipeline finds none."""
    return (doc[0].lemma_ or doc[0].text).lower() if len(doc) else ""
