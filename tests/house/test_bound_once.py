"""No module of ours binds a name twice at its top level: the second would win in silence for what reads the first."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("lexicons", "rewriter", "eval", "augment", "train")


def bindings(body: Iterable[ast.stmt]) -> Iterator[tuple[int, str]]:
    """Yield (line, name) for every name that statements bind side by side.

    What stands in the branches of ``if`` and ``try`` are alternatives (an import under TYPE_CHECKING, a stand-in for a
    missing library), so they are left out here; :func:`bound_twice` looks into each branch by itself.
    """
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if not any(_is_overload(decorator) for decorator in node.decorator_list):
                yield node.lineno, node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            # "import a.b, a.c" binds a, but to the same thing
            yield from ((node.lineno, alias.asname or alias.name) for alias in node.names)
        elif isinstance(node, ast.Assign):
            yield from ((node.lineno, name) for target in node.targets for name in _names(target))
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield from ((node.lineno, name) for name in _names(node.target))


def _is_overload(decorator: ast.expr) -> bool:
    return getattr(decorator, "id", getattr(decorator, "attr", "")) == "overload"


def _names(target: ast.expr) -> Iterator[str]:
    # what is changed in place (table["key"] = ..., made.name = ...) binds no name
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List | ast.Starred):
        for part in [target.value] if isinstance(target, ast.Starred) else target.elts:
            yield from _names(part)


def bound_twice(body: Iterable[ast.stmt]) -> list[str]:
    """Return ``name: lines`` for every name that is bound more than once in a block or in a branch of it."""
    body, lines = list(body), {}
    for line, name in bindings(body):
        if name != "_":
            lines.setdefault(name, []).append(line)
    found = [f"{name}: lines {', '.join(map(str, at))}" for name, at in lines.items() if len(at) > 1]
    for node in body:
        if isinstance(node, ast.If | ast.Try):
            branches = [node.body, node.orelse, *(handler.body for handler in getattr(node, "handlers", ()))]
            found += [problem for branch in branches for problem in bound_twice(branch)]
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_is_bound_once(package: str) -> None:
    found = {}
    for path in sorted((ROOT / package).rglob("*.py")):
        problems = bound_twice(ast.parse(path.read_text(encoding="utf-8")).body)
        if problems:
            found[str(path.relative_to(ROOT))] = problems
    assert found == {}


@pytest.mark.parametrize(
    "source",
    [
        "PAYING = {1}\nGIVEN = 2\nPAYING = {3}\n",
        "def f(): ...\ndef f(): ...\n",
        "from a import f\ndef f(): ...\n",
        "class A: ...\nA: int = 1\n",
        "(a, *b), c = x\nb = 1\n",
        "if x:\n    a = 1\n    a = 2\n",
    ],
)
def test_a_name_bound_twice_is_found(source: str) -> None:
    assert len(bound_twice(ast.parse(source).body)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "if TYPE_CHECKING:\n    from a import A\nelse:\n    A = object\n",
        "try:\n    import a\nexcept ImportError:\n    a = None\n",
        "@overload\ndef f(x: int) -> int: ...\n@overload\ndef f(x: str) -> str: ...\ndef f(x): ...\n",
        "a = {}\na['b'] = 1\na |= {}\n",
        "a: int\na = 1\n",
        "import a.b\nimport a.c\n",
    ],
)
def test_alternatives_and_changes_in_place_are_none(source: str) -> None:
    assert bound_twice(ast.parse(source).body) == []
