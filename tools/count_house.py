"""Count what the page `docs/results/house.md` tells of a checkout: files, lines by room, lists of words in code.

python -m tools.count_house
python -m tools.count_house OTHER-CHECKOUT
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("lexicons", "rewriter", "eval", "augment", "train")
OUTSIDE = ("tools", "experiments")
#: folders whose lists of words belong to a grammar
GRAMMARS = ("rewriter/en", "rewriter/de", "augment/en", "augment/de")
#: from this share of words in common on, two lists are nearly equal
NEARLY = 0.8
#: a module has no more lines
MOST_LINES = 500


class WordList(NamedTuple):
    """A list of words at the top level of a module: its file, its name, its words."""

    path: str
    name: str
    words: frozenset[str]


def words_of(node: ast.expr) -> frozenset[str] | None:
    """Return the words of a constant: a set, tuple or list of strings, however it is written; None for others."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.func, ast.Name):
        return words_of(node.args[0]) if node.func.id in ("frozenset", "set", "tuple", "list") else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
        text = node.func.value
        return frozenset(text.value.split()) if isinstance(text, ast.Constant) and isinstance(text.value, str) else None
    if isinstance(node, ast.Set | ast.Tuple | ast.List):
        found = [e.value for e in node.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
        return frozenset(found) if found and len(found) == len(node.elts) else None
    return None


def word_lists(source: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield (name, words) of the lists at a module's top level; ``__all__`` is none."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            found = words_of(node.value)
            if isinstance(target, ast.Name) and target.id != "__all__" and found and len(found) > 1:
                yield target.id, found


def lists_of(root: Path) -> list[WordList]:
    """Return the lists of words of a checkout's packages."""
    paths = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    return [
        WordList(path.relative_to(root).as_posix(), name, found)
        for path in paths
        for name, found in word_lists(path.read_text(encoding="utf-8"))
    ]


def pairs_in_common(lists: Iterable[WordList], share: float) -> Iterator[tuple[WordList, WordList]]:
    """Yield pairs of lists of three words and more of whose words at least a share stands in both."""
    for one, other in combinations((found for found in lists if len(found.words) > 2), 2):
        if len(one.words & other.words) >= share * len(one.words | other.words):
            yield one, other


def count_lines(paths: Iterable[Path]) -> int:
    """Return the lines of some files."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def rooms(root: Path) -> Iterator[tuple[str, int]]:
    """Yield the rooms of a checkout with their lines; what is not a grammar's belongs to the rest of its package."""
    grammars = {room: set((root / room).rglob("*.py")) for room in GRAMMARS}
    yield from ((room, count_lines(paths)) for room, paths in grammars.items())
    in_grammars = set().union(*grammars.values())
    for package in PACKAGES:
        yield f"{package}, the rest", count_lines(set((root / package).rglob("*.py")) - in_grammars)
    yield " and ".join(OUTSIDE), sum(count_lines((root / folder).rglob("*.py")) for folder in OUTSIDE)
    yield "tests", count_lines((root / "tests").rglob("*.py"))


def report(root: Path) -> Iterator[str]:
    """Yield the figures of a checkout."""
    for package in PACKAGES:
        yield f"files at the root of {package}: {len(list((root / package).glob('*.py')))}"
    yield f"pages at the root of docs: {len(list((root / 'docs').glob('*.md')))}"
    modules = [path for package in PACKAGES for path in (root / package).rglob("*.py")]
    yield f"modules over {MOST_LINES} lines: {sum(count_lines([path]) > MOST_LINES for path in modules)}"
    lists = lists_of(root)
    for name, chosen in (("all", lists), ("grammars", [one for one in lists if one.path.startswith(GRAMMARS)])):
        yield f"lists of words, {name}: {len(chosen)} with {sum(len(one.words) for one in chosen)} words"
    yield f"pairs of equal lists: {sum(one.words == other.words for one, other in combinations(lists, 2))}"
    for one, other in pairs_in_common(lists, NEARLY):
        yield f"nearly equal: {one.path} {one.name}, {other.path} {other.name}"
    yield from (f"lines of {room}: {lines:,}" for room, lines in rooms(root))


def main() -> None:
    """Print the figures of a checkout."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(), help="of the checkout (default: here)")
    print(*report(parser.parse_args().root), sep="\n")


if __name__ == "__main__":
    main()
