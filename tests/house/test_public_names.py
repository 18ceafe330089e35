"""The public names stand in ``public_names.txt``, so that none appears, moves or disappears unnoticed.

Public is what a module's ``__all__`` names; a module without one promises nothing, nor do the grammars in the folders
of the languages. After a change that is meant, write the list anew with ``make public-names`` and look at the
difference.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("public_names.txt")
PACKAGES = ("lexicons", "rewriter", "eval", "augment", "train")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


#: the grammars: what their modules share with each other is nobody else's
GRAMMARS = ("rewriter.en", "rewriter.de", "augment.en", "augment.de")
#: an import in an example of a page
_IMPORT = re.compile(rf"^\s*from ((?:{'|'.join(PACKAGES)})[\w.]*) import \(?([\w, ]+)", flags=re.MULTILINE)
_FENCE = re.compile(r"^```(?:python|py)\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)


def public_names(source: str) -> list[str]:
    """Return ``__all__`` of a module, nothing for a module without it."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return sorted(ast.literal_eval(node.value))
    return []


def is_grammar(module: str) -> bool:
    return any(f"{module}.".startswith(f"{folder}.") for folder in GRAMMARS)


def listing() -> list[str]:
    lines = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            module = module_name(path)
            if not is_grammar(module):
                lines += [f"{module}.{name}" for name in public_names(path.read_text(encoding="utf-8"))]
    return lines


def test_public_names_are_those_of_the_list() -> None:
    listed, found = set(LIST.read_text(encoding="utf-8").split()), set(listing())
    hint = "if this is meant: make public-names"
    assert sorted(found - listed) == [], f"new public names; {hint}"
    assert sorted(listed - found) == [], f"missing public names; {hint}"


def documented() -> Iterator[tuple[str, str]]:
    """Yield (module, name) of every import in the examples of the pages."""
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for block in _FENCE.findall(page.read_text(encoding="utf-8")):
            for module, names in _IMPORT.findall(block):
                yield from ((module, name.split()[0]) for name in names.split(",") if name.strip())


def test_what_the_pages_import_is_public() -> None:
    public = set(LIST.read_text(encoding="utf-8").split())
    used = {f"{module}.{name}" for module, name in documented() if not is_grammar(module)}
    modules = {name.rpartition(".")[0] for name in public}
    assert sorted(name for name in used - public if name not in modules) == []


def test_all_decides() -> None:
    assert public_names("__all__ = ['b']\ndef a(): ...\ndef b(): ...") == ["b"]
    assert public_names("A: int = 1\n_B = 2\nclass C: ...\nimport os") == []


if __name__ == "__main__":
    LIST.write_text("\n".join(listing()) + "\n", encoding="utf-8")
    print(f"wrote {LIST.name}")
