"""The roots of the packages show their parts, and no module needs a module that needs it."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("lexicons", "rewriter", "eval", "augment", "train", "tools", "experiments")
#: what stands at the root of the rewriter; everything else has its folder
ROOT_MODULES = {
    "__init__", "__main__", "errors", "faults", "options", "pipeline", "records", "registry", "spacy_component",
    "version",
}  # fmt: skip


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for package in PACKAGES for path in (ROOT / package).rglob("*.py")}


def imports(source: str, modules: Mapping[str, object]) -> Iterator[str]:
    """Yield the modules that ``source`` imports anywhere, in functions and for type hints, too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module in modules:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in modules else node.module for name in names)


def circles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Return sets of modules that import each other in a circle, one circle at a time until none is left."""
    graph = {name: set(others) for name, others in graph.items()}
    found = []
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle = error.args[1]
            found.append(set(circle))
            for before, after in pairwise(circle):
                graph[after].discard(before)
        else:
            return found


def test_modules_import_each_other_in_no_circle() -> None:
    graph = {name: set(imports(path.read_text(encoding="utf-8"), MODULES)) - {name} for name, path in MODULES.items()}
    assert circles(graph) == []


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a"}, "c": {"a"}}, [{"a", "b"}]),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}}, [{"a", "b", "c"}]),
        ({"a": {"b"}, "b": {"a"}, "c": {"d"}, "d": {"c"}}, [{"a", "b"}, {"c", "d"}]),
    ],
)
def test_circles_are_found(graph: dict[str, set[str]], expected: list[set[str]]) -> None:
    assert sorted(circles(graph), key=sorted) == expected


def test_every_way_of_importing_counts() -> None:
    source = textwrap.dedent("""\
        from typing import TYPE_CHECKING
        import one.inner
        if TYPE_CHECKING:
            from two import name
        def function():
            from three import part
        """)
    known = {"one.inner": 1, "two": 1, "three": 1, "three.part": 1}
    assert set(imports(source, known)) == {"one.inner", "two", "three.part"}


def test_the_root_of_the_rewriter_shows_its_parts() -> None:
    assert {path.stem for path in (ROOT / "rewriter").glob("*.py")} == ROOT_MODULES


def test_every_folder_of_the_rewriter_is_explained() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    folders = {path.parent.name for path in (ROOT / "rewriter").glob("*/__init__.py")}
    assert folders <= set(re.findall(r"`(\w+)/`", text))


#: lines of the longest module
LONGEST = 500


def test_no_module_is_longer_than_somebody_reads() -> None:
    lengths = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in MODULES.items()}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}
