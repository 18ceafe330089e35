"""Looks at an installation: packages, Python, extras, bundled models, data folders."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rewriter.errors import GenderFairError
from rewriter.installation.extras import installed_extras
from rewriter.installation.shadow import origins, would_hide
from rewriter.model.directory import bundled, load_info
from rewriter.version import __version__

BASE_LIBRARIES = ("ctranslate2", "sentencepiece", "numpy", "pyyaml", "filelock", "zstandard", "tqdm")
DATA_VARIABLES = ("GENDER_FAIR_DATA", "GENDER_FAIR_TESTSETS")


@dataclass
class Report:
    """What :func:`examine` found.

    Attributes:
        toolkit: version of this toolkit.
        python: version, path and platform of the interpreter.
        libraries: base dependency -> installed version, None where it is missing.
        packages: one mapping per package of ours: ``package``, ``path``, ``ours``.
        extras: one mapping per extra: ``extra``, ``missing`` (modules), ``install`` (the pip line, None when complete).
        models: one mapping per bundled model: ``name``, ``megabytes``, ``loads``.
        data: environment variable -> ``folder`` (None when unset) and whether it ``exists``.
        problems: what does not work, each with what to do.
        warnings: what may surprise.
    """

    toolkit: str
    python: dict[str, str]
    libraries: dict[str, str | None]
    packages: list[dict[str, Any]]
    extras: list[dict[str, Any]]
    models: list[dict[str, Any]]
    data: dict[str, dict[str, Any]]
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)


def examine() -> Report:
    """Look at this installation and return what was found; nothing is changed and no heavy library is imported."""
    models, model_problems = _models()
    places = origins()
    return Report(
        toolkit=__version__,
        python={"version": platform.python_version(), "path": sys.executable, "platform": platform.platform()},
        libraries={name: _version(name) for name in BASE_LIBRARIES},
        packages=[{"package": o.package, "path": str(o.path) if o.path else None, "ours": o.ours} for o in places],
        extras=_extras(),
        models=models,
        data={name: _folder(os.environ.get(name)) for name in DATA_VARIABLES},
        problems=[o.problem for o in places if o.problem] + _library_problems() + model_problems,
        warnings=_warnings(models),
    )


def megabytes(folder: Path) -> float:
    """Return the size of a folder's files in MB (10^6 bytes), rounded to one digit."""
    return round(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6, 1)


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _library_problems() -> list[str]:
    missing = [name for name in BASE_LIBRARIES if _version(name) is None]
    return [f"missing: {', '.join(missing)}; pip install gender-fair-rewriter"] if missing else []


def _extras() -> list[dict[str, Any]]:
    return [
        {
            "extra": extra,
            "missing": missing,
            "install": f"pip install 'gender-fair-rewriter[{extra}]'" if missing else None,
        }
        for extra, missing in installed_extras().items()
    ]


def _models() -> tuple[list[dict[str, Any]], list[str]]:
    """Load every bundled model; return what they are and what is wrong with them."""
    found, problems = [], []
    for folder in bundled():
        problem = _load(folder)
        found.append({"name": folder.name, "megabytes": megabytes(folder), "loads": problem is None})
        if problem:
            problems.append(f"bundled model '{folder.name}': {problem}")
    return found, problems


def _load(folder: Path) -> str | None:
    """Return what keeps a model from loading, or None."""
    try:
        load_info(folder)
        from rewriter.pipeline import Rewriter

        Rewriter.from_pretrained(folder)
    except (GenderFairError, ImportError) as error:
        return str(error)
    return None


def _folder(value: str | None) -> dict[str, Any]:
    return {"folder": value, "exists": bool(value) and Path(str(value)).is_dir()}


def _warnings(models: list[dict[str, Any]]) -> list[str]:
    lines = [
        f"{path} hides our package of that name in scripts and with python -m started here; rename it or work elsewhere"
        for path in would_hide(Path.cwd())
    ]
    if not models:
        lines.append("no bundled model in this installation; pass a model directory with --model")
    return lines
