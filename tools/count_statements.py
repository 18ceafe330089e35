"""Count statements of Python code by the syntax tree: what a folder of rules weighs, whatever its lines look like.

    python -m tools.count_statements rewriter/de augment/de
    python -m tools.count_statements --files rewriter/de

A statement is a node ``ast.stmt``: definitions, imports, assignments, branches, docstrings. Moving code between files
changes nothing, joining two statements in one does.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterable
from pathlib import Path


def statements(source: str) -> int:
    """Return the number of statements of a module's source.

    Raises:
        SyntaxError: it is no Python.
    """
    return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(source)))


def counted(folders: Iterable[Path]) -> dict[Path, int]:
    """Return the statements of every Python file below some folders."""
    paths = sorted({path for folder in folders for path in folder.rglob("*.py")})
    return {path: statements(path.read_text(encoding="utf-8")) for path in paths}


def main() -> None:
    """Print the statements of the folders named, each and together."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--files", action="store_true", help="each file, too")
    args = parser.parse_args()
    total = 0
    for folder in args.folders:
        found = counted([folder])
        if args.files:
            print(*(f"{number:6,} {path}" for path, number in found.items()), sep="\n")
        print(f"{sum(found.values()):6,} {folder}")
        total += sum(found.values())
    print(f"{total:6,} together")


if __name__ == "__main__":
    main()
