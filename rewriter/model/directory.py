"""Model directories: what they hold, how they are sealed, checked and found.

A directory holds a CTranslate2 model, a SentencePiece model, for whole sentences ``changes.json`` (what it was taught
to change), ``rewriter.json`` (this module's :class:`ModelInfo`) and ``README.md`` (the model card). ``rewriter.json``
lists the SHA-256 of every other file, so a missing, truncated or exchanged file is named when the model is loaded,
before anything runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from importlib.resources import files
from itertools import takewhile
from pathlib import Path, PurePath
from typing import Any

from lexicons.languages import LanguageError, installed
from rewriter.errors import InputError, ModelError
from rewriter.io.files import atomic_write, file_digest, folder_digests, read_json, write_json
from rewriter.language.interface import known_languages, profile
from rewriter.model.huggingface import CONVERTED, HUGGINGFACE, is_huggingface
from rewriter.registry import did_you_mean
from rewriter.runs.manifest import fingerprint

__all__ = ["ModelInfo", "bundled", "load_info", "seal"]

INFO = "rewriter.json"
CARD = "README.md"
FORMAT = 1
#: suffixes of what people put beside a model (cards, licences, pictures)
_NEVER_LOADED = frozenset(("", ".md", ".rst", ".html", ".png", ".svg"))
#: what a model was trained for: outcomes of candidates, or the full sentence anew (sequence to sequence)
EDITS, SEQ2SEQ = "edits", "full"
TARGETS = (EDITS, SEQ2SEQ, "grammar", HUGGINGFACE)


@dataclass
class ModelInfo:
    """What ``rewriter.json`` says.

    Attributes:
        name: name of the model, ``en``.
        lang: language code.
        target: ``edits`` (decides candidates), ``full`` (sequence to sequence), ``grammar`` (no weights, see
            :mod:`rewriter.model.grammar`), ``huggingface`` (see :mod:`rewriter.model.huggingface`).
        convention: name of the convention, ``en-singular-they``; that of the language where none is given.
        convention_version: its version; likewise.
        lexicon_version: version of the word tables that it was trained with.
        toolkit_version: version of this toolkit that made it.
        recipe: the resolved recipe.
        data: one mapping per data file: ``file``, ``licence``, ``sha256`` ...
        scores: one mapping per measured figure: ``set``, ``score``, ``signature``.
        settings: what the proposer needs (outcomes, limits).
        files: file name -> SHA-256.
        format: version of this directory's layout.
    """

    name: str
    lang: str
    target: str
    convention: str = ""
    convention_version: int = 0
    lexicon_version: str = ""
    toolkit_version: str = ""
    recipe: dict[str, Any] = field(default_factory=dict)
    data: list[dict[str, Any]] = field(default_factory=list)
    scores: list[dict[str, Any]] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    format: int = FORMAT

    def __post_init__(self) -> None:
        if not self.convention:
            known = profile(self.lang)
            self.convention, self.convention_version = known.convention, known.convention_version
        self.convention_version = self.convention_version or 1

    @property
    def identity(self) -> str:
        """A fingerprint of everything that decides the answers (weights, vocabulary, settings)."""
        return fingerprint({"files": self.files, "settings": self.settings, "lexicon": self.lexicon_version})[:16]


def seal(folder: str | Path, info: ModelInfo) -> ModelInfo:
    """Write ``rewriter.json`` and the model card of a directory whose model files are in place; return the info."""
    folder = Path(folder)
    info.files = folder_digests(folder, without=(INFO, CARD))
    if (folder / CONVERTED).is_dir():
        found = folder_digests(folder / CONVERTED, without=())
        info.files |= {f"{CONVERTED}/{name}": digest for name, digest in found.items()}
    with atomic_write(folder / CARD) as stream:
        stream.write(model_card(info).encode("utf-8"))
    write_json(folder / INFO, asdict(info))
    return info


def load_info(folder: str | Path, *, verify: bool = True, lang: str | None = None) -> ModelInfo:
    """Read and check ``rewriter.json`` of a model directory; describe a Hugging Face folder, which has none.

    Args:
        folder: the model directory.
        verify: compare the digest of every file.
        lang: language of a Hugging Face folder whose card does not say it.

    Raises:
        ModelError: names the folder, the file and what is wrong with it.
    """
    folder = Path(folder)
    if is_huggingface(folder):
        return huggingface_info(folder, lang=lang)
    if not (folder / INFO).is_file():
        raise ModelError(f"{folder} is no model directory: it has no {INFO}")
    try:
        record = read_json(folder / INFO)
        _check_format(folder, record)
        _check_kinds(folder, record)
        info = ModelInfo(**{f.name: record[f.name] for f in fields(ModelInfo) if f.name in record})
    except (InputError, TypeError, AttributeError, KeyError, ValueError) as error:
        raise ModelError(f"{folder / INFO}: not readable as a model description ({error})") from None
    if info.target not in TARGETS:
        raise ModelError(f"{folder / INFO}: unknown target '{info.target}'; known: {', '.join(TARGETS)}")
    _check_settings(folder, info)
    _check_files(folder, info, verify)
    return info


def huggingface_info(folder: Path, *, lang: str | None = None, name: str | None = None) -> ModelInfo:
    """Describe a Hugging Face folder.

    Args:
        folder: with ``config.json``.
        lang: its language; otherwise what the front matter of its ``README.md`` says.
        name: of the model; otherwise the folder's.

    Raises:
        ModelError: neither says the language, or there is none such.
    """
    lang = lang or front_matter_language(folder / CARD)
    if lang is None:
        raise ModelError(
            f"{folder}: a Hugging Face folder whose card does not say its language; name it with lang= (--lang)"
        )
    if lang not in known_languages():
        raise ModelError(f"{folder}: there is no grammar for its language '{lang}'; known: {known_languages()}")
    digests = folder_digests(folder, without=(INFO, CARD))
    return ModelInfo(name or folder.resolve().name, lang, HUGGINGFACE, files=digests)


#: one language, in its line or as the only one of a list
_LANGUAGE = re.compile(
    r"^language:[ \t]*(?:\n[ \t]*-[ \t]*)?['\"]?(\w+)['\"]?[ \t]*$(?!\n[ \t]*-)",
    re.MULTILINE,
)


def front_matter_language(card: Path) -> str | None:
    """Return the language that the front matter of a card says; None where it says none, or several."""
    if not card.is_file():
        return None
    lines = card.read_text(encoding="utf-8", errors="replace").splitlines()
    if not lines or lines[0].strip() != "---":
        return None
    matter = "\n".join(takewhile(lambda line: line.strip() != "---", lines[1:]))
    found = _LANGUAGE.search(matter)
    return found[1] if found else None


def _check_format(folder: Path, record: Mapping[str, Any]) -> None:
    """Refuse what a newer version made before its keys are read, which this one may not know."""
    made = record.get("format", FORMAT)
    if not isinstance(made, int) or made < 1:
        raise ValueError(f"its format is {made!r}")
    if made > FORMAT:
        raise ModelError(f"{folder}: made for a newer version of this toolkit (format {made}); please update")


#: keys of the description, what each must be, and how that is said
_KINDS: tuple[tuple[tuple[str, ...], type, str], ...] = (
    (("name", "lang", "target", "convention", "lexicon_version", "toolkit_version"), str, "be text"),
    (("convention_version",), int, "be a number"),
    (("recipe", "settings", "files"), dict, "hold keys"),
    (("data", "scores"), list, "be a list"),
)


def _check_kinds(folder: Path, record: Mapping[str, Any]) -> None:
    """Refuse a description in which a key holds something of another kind, before anything is asked of its value."""
    for names, kind, said in _KINDS:
        for name in names:
            if name in record and not isinstance(record[name], kind):
                raise ModelError(f"{folder / INFO}: '{name}' must {said}")


def _check_settings(folder: Path, info: ModelInfo) -> None:
    """Refuse an edit model that was trained on other candidates than its language names today."""
    said = info.settings.get("language", {})
    for name, value in profile(info.lang).model_settings if info.target == "edits" else ():
        if said.get(name) != value:
            raise ModelError(
                f"{folder}: made by an older version of this toolkit (its settings do not say {name}: {value}); "
                "take a newer model, or train it again"
            )


def _check_files(folder: Path, info: ModelInfo, verify: bool) -> None:
    for name in _unlisted(folder, info):
        raise ModelError(
            f"{folder}: the file {name} is not listed in {INFO}, so nobody can say whether it belongs to the model; "
            "remove it, or export the model again"
        )
    for name, digest in info.files.items():
        if not _is_inside(name):
            raise ModelError(f"{folder / INFO}: lists '{name}', which lies outside of the model's folder")
        path = folder / name
        if not path.is_file():
            raise ModelError(f"{folder}: the file {name} is missing; copy the model again or export it again")
        if verify and file_digest(path) != digest:
            raise ModelError(
                f"{path}: differs from what {INFO} lists (truncated or exchanged); "
                "copy the model again or export it again"
            )


def _unlisted(folder: Path, info: ModelInfo) -> Iterator[str]:
    """Yield the files that something may load and that have no digest."""
    for path in sorted((*folder.iterdir(), *folder.glob(f"{CONVERTED}/*"))):
        name = path.relative_to(folder).as_posix()
        is_loaded = path.suffix.lower() not in _NEVER_LOADED and not path.name.startswith(".") and name != INFO
        if is_loaded and name not in info.files and path.is_file():
            yield name


def _is_inside(name: str) -> bool:
    path = PurePath(name)
    return not path.is_absolute() and ".." not in path.parts


def bundled_folder() -> Path:
    """Return the folder that holds the bundled models."""
    return Path(str(files("rewriter"))) / "bundled"


def bundled() -> list[Path]:
    """Return the directories of the bundled models, sorted by name; behind them those of installed languages.

    Raises:
        ModelError: two installed packages bring the same language.
    """
    try:
        packages = sorted({package for code, package in installed().items() if not _is_ours(code)})
    except LanguageError as error:
        raise ModelError(str(error)) from None
    folders = [bundled_folder(), *(Path(str(files(package))) / "rewriter" / "bundled" for package in packages)]
    return [path.parent for folder in folders for path in sorted(folder.glob(f"*/{INFO}"))]


def _is_ours(code: str) -> bool:
    return files("rewriter").joinpath(code, "language.py").is_file()


def resolve(name_or_dir: str | Path) -> Path:
    """Return the directory of a bundled model's name or of a path.

    Raises:
        ModelError: neither; the message lists the bundled names.
    """
    path, name = Path(name_or_dir), str(name_or_dir)
    if path.name == name and (bundled_folder() / name / INFO).is_file():
        return bundled_folder() / name
    folders = {folder.name: folder for folder in reversed(bundled())}
    if name in folders:
        return folders[name]
    if path.is_dir() and not _is_bystander(path, name):
        return path
    names = list(reversed(folders))
    hint = did_you_mean(name, names)
    raise ModelError(
        f"there is no model '{name_or_dir}'{hint}: pass a model directory or a bundled name "
        f"({', '.join(names) or 'none here'})"
    )


def _is_bystander(path: Path, name: str) -> bool:
    """Return True for a folder in the working directory that merely has the name of a language or model."""
    return path.name == name and not (path / INFO).is_file() and not is_huggingface(path) and name in _codes()


def _codes() -> list[str]:
    return sorted(entry.name for entry in files("lexicons").iterdir() if entry.is_dir())


def model_card(info: ModelInfo) -> str:
    """Return the model card (Markdown) that the run fills."""
    lines = [
        f"# {info.name}",
        "",
        f"Gender-fair rewriter for language `{info.lang}`, target `{info.target}`, convention `{info.convention}` "
        f"version {info.convention_version}; made by gender-fair-rewriter {info.toolkit_version}.",
        "",
        "```python",
        "from rewriter import Rewriter",
        "",
        f'Rewriter.from_pretrained("{info.name}").rewrite("{profile(info.lang).example or "..."}")',
        "```",
        "",
    ]
    lines += _made_lines(info)
    if info.scores:
        lines += _score_lines(info.scores)
    if info.data:
        lines += ["## Training data", "", "| file | source | licence | SHA-256 |", "|---|---|---|---|"]
        lines += [_data_line(row) for row in info.data] + [""]
    lines += ["## Limits", "", profile(info.lang).limits or "Not stated.", ""]
    return "\n".join(lines)


def _data_line(row: Mapping[str, Any]) -> str:
    digest = str(row.get("sha256", ""))[:12]
    return f"| {row.get('file')} | {row.get('source', '')} | {row.get('licence') or 'not stated'} | {digest} |"


def _made_lines(info: ModelInfo) -> list[str]:
    """Return how an edit model was made by its recipe: what rules do, what the network does, who labelled."""
    recipe = info.recipe
    if info.target != "edits" or not recipe:
        return []
    reads_all = info.settings.get("language", {}).get("reader") == "model"
    decides = "all of them" if reads_all else "what the rules leave open"
    told = [f"Rules name the words that may change and what each may become, and write; the network decides {decides}."]
    encoder, gold = recipe.get("encoder") or {}, recipe.get("gold") or {}
    if init := recipe.get("init"):
        layers = recipe.get("init_layers") or "all"
        told.append(f"The network began as `{init}` ({layers} layers), a model of this toolkit.")
    elif encoder.get("start"):
        layers = encoder.get("start_layers") or "all"
        told.append(f"The network began as `{encoder['start']}` ({layers} layers), which others pretrained.")
    if strategies := recipe.get("augment"):
        told.append(f"It learned from pairs made by {', '.join(_strategy(*item) for item in strategies.items())}.")
    if gold:
        told.append(f"It learned from sentences that were read; who read them: {gold.get('readers') or 'not stated'}.")
    return ["## How it was made", "", f"By the recipe `{recipe.get('name', '')}`.", *told, ""]


def _strategy(name: str, options: Mapping[str, Any]) -> str:
    """Return a strategy with the model that it asks, where it asks one."""
    model = (options.get("options") or {}).get("model")
    return f"`{name}` (answers of `{model}`)" if model else f"`{name}`"


#: rows beside a score, and their heads
_BESIDE = {"raw": "guard off", "constant": "constant answers", "grammar": "grammar alone"}


def _score_lines(scores: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the scores as a card has them, what stood beside them, and what the network is worth."""
    beside = [key for key in _BESIDE if any(key in score for score in scores)]
    heads = ["set", "score", *(_BESIDE[key] for key in beside), "signature"]
    lines = ["## Scores", "", f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for score in scores:
        cells = [score.get("set"), score.get("score"), *(score.get(key, "") for key in beside)]
        lines.append(f"| {' | '.join(map(str, cells))} | `{score.get('signature', '')}` |")
    shares = [line for score in scores if (line := _share_line(score))]
    return [*lines, "", *(["What the network is worth:", "", *shares, ""] if shares else [])]


def _share_line(score: Mapping[str, Any]) -> str:
    told = [
        f"{share['percent']:.1f} % against {_BESIDE[part]} (p = {share['p']:.3f})"
        for part, share in score.get("neural", {}).items()
        if share.get("percent") is not None
    ]
    return f"- {score.get('set')}: of the errors removed, the network alone removes {', '.join(told)}" if told else ""
