"""The five packages form one chain; each imports only those before it, and heavy libraries only where they are used."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHAIN = ("lexicons", "rewriter", "eval", "augment", "train")
#: what only a checkout has: it may import all packages, and none of them imports it
WORKSHOP = ("tools", "experiments")
#: calls whose first argument is the name of a module
IMPORTERS = {"import_module", "__import__", "require", "find_spec", "files", "resource_files"}
HEAVY = {
    "torch", "transformers", "accelerate", "spacy", "datasets", "pyarrow", "pandas", "scipy", "sklearn", "matplotlib",
    "jiwer", "sacremoses", "sacrebleu", "opusfilter", "lemminflect", "ray", "tensorboard",
}  # fmt: skip


def imported_modules(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, module) for every import in ``source``: statements anywhere, and names given as strings."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module
        elif isinstance(node, ast.Call) and node.args:
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            first = node.args[0]
            if name in IMPORTERS and isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield node.lineno, first.value


def violations(package: str, source: str) -> list[str]:
    allowed = CHAIN[: CHAIN.index(package) + 1]
    tops = [(line, module.partition(".")[0]) for line, module in imported_modules(source)]
    return [f"{line}: {top}" for line, top in tops if top in (*CHAIN, *WORKSHOP) and top not in allowed]


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("package", CHAIN)
def test_each_package_imports_only_those_before_it(package: str) -> None:
    found = {str(p.relative_to(ROOT)): violations(package, p.read_text(encoding="utf-8")) for p in modules(package)}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("lexicons", "import rewriter"),
        ("rewriter", "def f():\n    from eval.wer import wer"),
        ("rewriter", "import importlib\nimportlib.import_module('train.cli')"),
        ("eval", "from rewriter.installation.extras import require\nrequire('augment.mixing', extra='augment')"),
        ("augment", "__import__('train')"),
        ("train", "def f():\n    from experiments.debias.run import run_debias"),
        ("lexicons", "from tools import LEXICONS"),
    ],
)
def test_the_check_sees_every_way_of_importing(package: str, source: str) -> None:
    assert violations(package, source)


@pytest.mark.parametrize(
    "path", [p for top in (*CHAIN, *WORKSHOP, "tests", "benchmarks") for p in modules(top)], ids=relative
)
def test_the_builtin_eval_is_never_hidden(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not [a.name for a in node.names if a.name.partition(".")[0] == "eval" and not a.asname], path
        if isinstance(node, ast.ImportFrom):
            assert "eval" not in [a.asname or a.name for a in node.names], path


@pytest.mark.parametrize("package", CHAIN[:-1])
def test_no_heavy_library_is_imported_at_the_top_of_a_module(package: str) -> None:
    """``train`` may: whoever imports its network needs torch; but its command does not, see below."""
    found = []
    for path in modules(package):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:  # the body of ``if TYPE_CHECKING`` is not looked at
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [m for _, m in imported_modules(ast.unparse(node))]
                found += [f"{path.relative_to(ROOT)}: {m}" for m in names if m.partition(".")[0] in HEAVY]
    assert found == []


def loaded_after(statement: str) -> set[str]:
    """Return the top-level modules in memory after ``statement`` in a new interpreter."""
    code = f"{statement}\nimport sys\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


#: libraries of the service, the language server and the pipelines, which their own modules alone import
SERVICES = {
    "fastapi", "starlette", "uvicorn", "prometheus_client", "pydantic", "pygls", "lsprotocol", "datatrove",
    "nemo_curator", "data_juicer", "dolma", "shtab", "mkdocs",
}  # fmt: skip


def test_importing_the_rewriter_loads_no_library_that_takes_time() -> None:
    assert not loaded_after("import rewriter") & (HEAVY | SERVICES | {"ctranslate2", "sentencepiece"})


@pytest.mark.parametrize(
    "module", ["rewriter.cli.main", "rewriter.cli.serve", "rewriter.cli.lsp", "rewriter.adapters.frames"]
)
def test_commands_and_steps_load_no_library_of_services(module: str) -> None:
    assert not loaded_after(f"import {module}") & (HEAVY | SERVICES)


@pytest.mark.parametrize(
    "module",
    ["rewriter.pipeline", "rewriter.cli.main", "rewriter.cli.rewrite", "eval.cli", "augment.cli.commands", "train.cli"],
)
def test_the_commands_load_no_heavy_library(module: str) -> None:
    assert not loaded_after(f"import {module}") & HEAVY


def test_rewriting_loads_no_heavy_library_although_all_are_installed() -> None:
    """CTranslate2 had versions that imported torch and transformers whenever they were installed."""
    loaded = loaded_after("from rewriter import rewrite\nrewrite('She knows her stuff.')")
    assert "ctranslate2" in loaded
    assert not loaded & HEAVY
