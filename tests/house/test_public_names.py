"""The public names stand in ``public_names.txt``, so that none appears, moves or disappears unnoticed.

After a change that is meant, write the list anew with ``make public-names`` and look at the difference.
"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("public_names.txt")
PACKAGES = ("lexicons", "rewriter", "eval", "augment", "train")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def public_names(source: str) -> list[str]:
    """Return ``__all__`` of a module, or the functions, classes and constants that it defines without underscore."""
    names: list[str] = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name) and target.id == "__all__" and node.value is not None:
                    return sorted(ast.literal_eval(node.value))
                names += [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]
    return sorted({name for name in names if not name.startswith("_") or name == "__version__"})


def listing() -> list[str]:
    lines = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            module = module_name(path)
            if not any(part.startswith("_") for part in module.split(".")):
                lines += [f"{module}.{name}" for name in public_names(path.read_text(encoding="utf-8"))]
    return lines


def test_public_names_are_those_of_the_list() -> None:
    listed, found = set(LIST.read_text(encoding="utf-8").split()), set(listing())
    hint = "if this is meant: make public-names"
    assert sorted(found - listed) == [], f"new public names; {hint}"
    assert sorted(listed - found) == [], f"missing public names; {hint}"


def test_all_decides_where_it_is_given() -> None:
    assert public_names("__all__ = ['b']\ndef a(): ...\ndef b(): ...") == ["b"]
    assert public_names("A: int = 1\n_B = 2\nclass C: ...\nimport os") == ["A", "C"]


if __name__ == "__main__":
    LIST.write_text("\n".join(listing()) + "\n", encoding="utf-8")
    print(f"wrote {LIST.name}")
