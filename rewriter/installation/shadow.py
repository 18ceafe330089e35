"""Finds out when a file of the user's hides one of our packages.

The packages have plain names (``train``, ``eval`` ...), so a ``train.py`` in the working folder or on ``PYTHONPATH``
may be imported in place of ours. What would follow are import errors that explain nothing; here the file is named.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rewriter.errors import ShadowedPackageError

#: The five packages; each may import only those before it.
PACKAGES = ("lexicons", "rewriter", "eval", "augment", "train")


@dataclass(frozen=True)
class Origin:
    """Where one of the packages is imported from.

    Attributes:
        package: its name.
        path: the file or folder that Python would import, None where it finds nothing.
        expected: our own folder of that name.
    """

    package: str
    path: Path | None
    expected: Path

    @property
    def ours(self) -> bool:
        """Whether Python finds our package under the name."""
        return self.path == self.expected

    @property
    def problem(self) -> str | None:
        """What is wrong and what to do, or None."""
        if self.ours:
            return None
        if self.path is None:
            return f"the package '{self.package}' is missing: pip install --force-reinstall gender-fair-rewriter"
        return (
            f"{self.path} hides the package '{self.package}' of gender-fair-rewriter ({self.expected}): "
            "rename it, work in another folder, or take its folder out of PYTHONPATH"
        )


def house() -> Path:
    """Return the folder that holds our packages: the one from which this module was imported."""
    return Path(__file__).resolve().parents[2]


def origin(package: str) -> Origin:
    """Return where ``package`` would be imported from, without importing it."""
    return Origin(package, _locate(package), house() / package)


def origins() -> list[Origin]:
    """Return the origin of each of the five packages."""
    return [origin(package) for package in PACKAGES]


def require_own(package: str) -> None:
    """Check that ``package`` and all that it may import are ours.

    Raises:
        ShadowedPackageError: names the file that hides one of them, and what to do.
    """
    if package not in PACKAGES:
        return
    for name in PACKAGES[: PACKAGES.index(package) + 1]:
        problem = origin(name).problem
        if problem:
            raise ShadowedPackageError(problem)


def would_hide(folder: str | Path) -> list[Path]:
    """Return files and folders in ``folder`` that hide a package of ours in scripts started there."""
    folder = Path(folder).resolve()
    if folder == house():
        return []
    candidates = [path for name in PACKAGES for path in (folder / f"{name}.py", folder / name / "__init__.py")]
    return [path for path in candidates if path.is_file()]


def _locate(package: str) -> Path | None:
    """Return the folder of a package or the file of a module of that name, None where Python knows neither."""
    loaded = sys.modules.get(package)
    try:
        spec = loaded.__spec__ if loaded is not None else find_spec(package)
    except ValueError:  # a module put into sys.modules by hand
        spec = None
    if spec is None:
        return None
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations))).resolve()
    return Path(spec.origin).resolve() if spec.origin else None
