"""What begins with an underscore is a module's own: no other module of ours imports it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("lexicons", "rewriter", "eval", "augment", "train", "tools", "experiments")


def private_imports(source: str) -> Iterator[str]:
    """Yield ``line: module.name`` for every import of a private name of ours, in functions too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in PACKAGES:
            names = (alias.name for alias in node.names if alias.name.startswith("_") and alias.name != "__version__")
            yield from (f"{node.lineno}: {node.module}.{name}" for name in names)


def test_no_module_imports_the_private_name_of_another() -> None:
    paths = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    found = {str(path.relative_to(ROOT)): list(private_imports(path.read_text(encoding="utf-8"))) for path in paths}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from rewriter.en.names import _words", ["1: rewriter.en.names._words"]),
        ("def f():\n    from eval.wer import a, _b as c", ["2: eval.wer._b"]),
        ("from rewriter.version import __version__\nfrom os import _exit\nfrom rewriter import a", []),
    ],
)
def test_private_imports_are_found(source: str, found: list[str]) -> None:
    assert list(private_imports(source)) == found
