"""Planted errors: would a test notice? Code is changed in one place, or a word table in one cell, and tests are run.

    python -m tools.mutate code rewriter/de/pairs.py rewriter/de/drafts.py --tests tests/rewriter/test_german_*.py
    python -m tools.mutate tables de --sample 60 --tests tests/lexicons tests/rewriter/test_german_*.py

Nothing is written to the packages: a process that has imported everything is forked for each error, the functions of
the fork get the changed code (or the loader of tables the changed cell), and the tests run in the fork until one fails.
What survives is printed. What is done stands in the journal, so the same command goes on where it was stopped.

With ``--coverage`` only those tests run that reach the changed line, the quickest first, for ``--most`` seconds:

    python -m pytest --cov --cov-context=test --durations=0 -vv TESTS > tests.log
    python -m tools.mutate code rewriter/de/*.py --tests TESTS --coverage .coverage --durations tests.log
Constants outside of functions are not changed. Errors that time out or end the process count as noticed.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import io
import json
import os
import random
import re
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from lexicons import loader

ROOT = Path(__file__).resolve().parents[1]
NOTICED, SURVIVED, HUNG, UNREACHED = "noticed", "survived", "hung", "reached by no test"
_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip


@dataclass(frozen=True)
class Planted:
    """An error.

    Attributes:
        file: module or table, below the repository.
        line: where, from 1.
        what: how it is changed, for people.
        number: which of the changes of the file.
    """

    file: str
    line: int
    what: str
    number: int

    @property
    def key(self) -> str:
        """What names it in the journal."""
        return f"{self.file}:{self.line}: {self.what} #{self.number}"


# ---------------------------------------------------------------- errors in code


def changes_of(tree: ast.Module) -> Iterator[tuple[ast.AST, str, dict[str, Any]]]:
    """Yield (node, what changes, new values of its fields) of everything in functions that can be changed."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for node in _inside(function):
                yield from ((node, what, fields) for what, fields in _changes(node))


def _inside(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body; inner functions come as functions of their own."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        if not isinstance(node, ast.FunctionDef):
            yield node
            waiting = [*ast.iter_child_nodes(node), *waiting]


def _changes(node: ast.AST) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARED:
        other = _COMPARED[type(node.ops[0])]
        yield f"{type(node.ops[0]).__name__} -> {other.__name__}", {"ops": [other(), *node.ops[1:]]}
    elif isinstance(node, ast.BoolOp):
        yield "and <-> or", {"op": ast.Or() if isinstance(node.op, ast.And) else ast.And()}
        yield "last part dropped", {"values": node.values[:-1] * 2}
    elif isinstance(node, ast.BinOp) and type(node.op) in _CALCULATED:
        yield "another operator", {"op": _CALCULATED[type(node.op)]()}
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not dropped", {"op": ast.Not(), "operand": ast.UnaryOp(ast.Not(), node.operand)}
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield f"{node.value} -> {node.value + 1}", {"value": node.value + 1}
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield f"{node.value} -> {not node.value}", {"value": not node.value}
    elif isinstance(node, ast.If | ast.IfExp):
        yield "condition negated", {"test": ast.UnaryOp(ast.Not(), node.test)}
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield "filter dropped", {"ifs": node.ifs[:-1]}
    elif isinstance(node, ast.Continue | ast.Break):
        return


def planted_in_code(files: Sequence[str]) -> list[Planted]:
    """Return every error that can be planted in the functions of modules."""
    found = []
    for file in files:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        places = enumerate(changes_of(tree))
        found += [Planted(file, getattr(node, "lineno", 0), what, number) for number, (node, what, _) in places]
    return found


def plant_in_code(planted: Planted) -> None:
    """Give the functions of a module in this process the changed code."""
    source = (ROOT / planted.file).read_text(encoding="utf-8")
    tree = ast.parse(source)
    node, _, fields = list(changes_of(tree))[planted.number]
    for name, value in fields.items():
        setattr(node, name, copy.deepcopy(value) if name != "operand" else value)
    changed = compile(ast.fix_missing_locations(tree), str(ROOT / planted.file), "exec")
    codes = dict(_codes(changed))
    for function in _functions(importlib.import_module(module_name(planted.file))):
        if function.__code__.co_qualname in codes:
            function.__code__ = codes[function.__code__.co_qualname]


def module_name(file: str) -> str:
    """Return the module of a file."""
    return file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def _codes(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant.co_qualname, constant
            yield from _codes(constant)


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    """Yield the functions and methods that a module defines, those behind properties and caches included."""
    owners = [module, *(value for value in vars(module).values() if isinstance(value, type))]
    for owner in owners:
        if owner is not module and getattr(owner, "__module__", None) != module.__name__:
            continue
        for value in list(vars(owner).values()):
            for inner in (value, *(getattr(value, name, None) for name in ("__wrapped__", "__func__", "fget", "func"))):
                if isinstance(inner, FunctionType) and inner.__module__ == module.__name__:
                    yield inner


# ---------------------------------------------------------------- errors in word tables


def planted_in_tables(lang: str, rng: random.Random, sample: int) -> list[Planted]:
    """Return errors in the tables of a language, as many in each table as in any other."""
    tables = sorted((ROOT / "lexicons" / lang).glob("*.tsv"))
    found = []
    for number in range(sample):
        path = tables[number % len(tables)]
        lines = path.read_text(encoding="utf-8").splitlines()
        rows = [n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")][1:]
        line = rng.choice(rows)
        what = rng.choice(("row left out", "letters swapped", "cell of another row", "letter left out"))
        found.append(Planted(path.relative_to(ROOT).as_posix(), line + 1, what, number))
    return found


def changed_table(text: str, planted: Planted) -> str:
    """Return a table with the error."""
    lines, rng = text.splitlines(), random.Random(planted.key)
    at = planted.line - 1
    cells = lines[at].split("\t")
    column = rng.choice([place for place, cell in enumerate(cells) if len(cell) > 1] or [0])
    cell = cells[column]
    if planted.what == "row left out":
        return "\n".join([*lines[:at], *lines[at + 1 :]])
    if planted.what == "cell of another row":
        others = {
            line.split("\t")[column] for line in lines[at + 1 :] + lines[:at] if line.count("\t") == len(cells) - 1
        }
        cells[column] = rng.choice(
            sorted(other for other in others if other != cell and not other.startswith("#")) or [""]
        )
    elif planted.what == "letters swapped":
        cut = rng.randrange(max(1, len(cell) - 1))
        cells[column] = cell[:cut] + cell[cut + 1 : cut + 2] + cell[cut : cut + 1] + cell[cut + 2 :]
    else:
        cut = rng.randrange(max(1, len(cell)))
        cells[column] = cell[:cut] + cell[cut + 1 :]
    return "\n".join([*lines[:at], "\t".join(cells), *lines[at + 1 :]])


def plant_in_table(planted: Planted) -> None:
    """Make the loader of this process read the table with the error."""
    parse = loader.parse_table

    def parse_planted(text: str, *, where: str) -> tuple[dict[str, str], ...]:
        return parse(changed_table(text, planted) if where == planted.file else text, where=where)

    loader.parse_table = parse_planted


# ---------------------------------------------------------------- which tests


class Reached:
    """Which tests reach a line, from a run under coverage that noted every test, and how long they take."""

    def __init__(self, database: Path, durations: Path) -> None:
        self._database = database
        self._seconds: dict[str, float] = {}
        for line in durations.read_text(encoding="utf-8").splitlines():
            if found := re.match(r"([\d.]+)s (?:call|setup) +(\S.*)", line):
                self._seconds[found[2]] = self._seconds.get(found[2], 0.0) + float(found[1])

    def tests(self, planted: Planted, most: float) -> list[str]:
        """Return the tests that reach the line of an error, the quickest first, for about ``most`` seconds."""
        chosen, seconds = [], 0.0
        for name in sorted(self._of_line(planted), key=lambda name: (self._seconds.get(name, 0.0), name)):
            seconds += self._seconds.get(name, 0.0)
            if seconds > most and chosen:
                break
            chosen.append(name)
        return chosen

    def _of_line(self, planted: Planted) -> set[str]:
        query = (
            "select context, numbits from line_bits join file on file.id = file_id "
            "join context on context.id = context_id where path like ? and context != ''"
        )
        with sqlite3.connect(self._database) as database:
            rows = database.execute(query, (f"%/{planted.file}",)).fetchall()
        byte, bit = divmod(planted.line, 8)
        return {
            context.rpartition("|")[0]
            for context, bits in rows
            if len(bits) > byte and bits[byte] >> bit & 1 and context.endswith("|run")
        }


# ---------------------------------------------------------------- running


def outcome_of(planted: Planted | None, tests: Sequence[str], seconds: int) -> tuple[str, str]:
    """Return what became of an error (None: of no error), and what noticed it; the tests run in a fork."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os._exit(_in_child(planted, tests, seconds, writing))
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as stream:
        told = stream.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return (HUNG if os.WTERMSIG(status) == signal.SIGVTALRM else NOTICED), told
    return (SURVIVED if os.WEXITSTATUS(status) == 0 else NOTICED), told


def _in_child(planted: Planted | None, tests: Sequence[str], seconds: int, writing: int) -> int:
    import pytest

    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)  # its signal ends the process
    if planted is not None:
        (plant_in_table if planted.file.endswith(".tsv") else plant_in_code)(planted)
    quiet = io.StringIO()
    with redirect_stdout(quiet), redirect_stderr(quiet):
        options = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow"]
        code = int(pytest.main([*options, *tests]))
    failed = [line for line in quiet.getvalue().splitlines() if line.startswith(("FAILED", "ERROR"))]
    with os.fdopen(writing, "w", encoding="utf-8") as stream:
        stream.write((failed or [""])[0][:200])
    return code


def warm(files: Sequence[str], tests: Sequence[str]) -> None:
    """Import what every fork needs; read no word table, which a fork may have to read with an error."""
    for name in (
        "pytest",
        "hypothesis",
        "numpy",
        "ctranslate2",
        "sentencepiece",
        "rewriter.pipeline",
        "rewriter.cli.main",
    ):
        importlib.import_module(name)
    for file in files:
        importlib.import_module(module_name(file))


@cache
def _passes(tests: tuple[str, ...], seconds: int) -> None:
    """Make sure that tests pass where nothing is planted; each set of them is tried once.

    Raises:
        SystemExit: one fails, so it would notice everything.
    """
    outcome, by = outcome_of(None, tests, seconds) if tests else (SURVIVED, "")
    if outcome != SURVIVED:
        raise SystemExit(f"the tests fail, or last too long, though nothing was planted: {by or ' '.join(tests)}")


def run(
    errors: Sequence[Planted],
    tests: Callable[[Planted], Sequence[str]],
    journal: Path,
    *,
    seconds: int,
    minutes: float,
) -> list[dict[str, Any]]:
    """Plant error after error until the time is over; return the journal."""
    records = [json.loads(line) for line in journal.read_text().splitlines()] if journal.exists() else []
    done = {record["key"] for record in records}
    end = time.monotonic() + 60 * minutes
    with journal.open("a", encoding="utf-8") as stream:
        for planted in errors:
            if planted.key in done or time.monotonic() > end:
                continue
            chosen = tuple(tests(planted))
            _passes(chosen, seconds)
            outcome, by = outcome_of(planted, chosen, seconds) if chosen else (UNREACHED, "")
            records.append({"key": planted.key, **asdict(planted), "outcome": outcome, "by": by})
            print(json.dumps(records[-1], ensure_ascii=False), file=stream, flush=True)
    return [record for record in records if record["key"] in {planted.key for planted in errors}]


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant errors and print which survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("code", "tables"))
    parser.add_argument("what", nargs="+", help="modules, or languages")
    parser.add_argument("--tests", nargs="+", required=True, help="what pytest is given, quick ones first")
    parser.add_argument("--coverage", type=Path, metavar="FILE", help="of a run of the tests, with a context for each")
    parser.add_argument("--durations", type=Path, metavar="FILE", help="what that run printed, with --durations=0 -vv")
    parser.add_argument("--most", type=float, default=30, help="seconds of tests by their durations (default: 30)")
    parser.add_argument("--sample", type=int, default=150, help="how many errors (default: 150)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--seconds", type=int, default=300, help="of the processor for the tests of an error (default: 300)"
    )
    parser.add_argument("--minutes", type=float, default=60, help="until no further error is planted (default: 60)")
    parser.add_argument("--journal", type=Path, default=Path("artifacts/mutants.jsonl"))
    args = parser.parse_args(arguments)
    os.chdir(ROOT)
    rng = random.Random(args.seed)
    if args.kind == "code":
        errors = planted_in_code(args.what)
        print(f"{len(errors)} errors can be planted in {len(args.what)} modules")
        errors = rng.sample(errors, min(args.sample, len(errors)))
    else:
        errors = [error for lang in args.what for error in planted_in_tables(lang, rng, args.sample // len(args.what))]
    warm(args.what if args.kind == "code" else (), args.tests)
    args.journal.parent.mkdir(parents=True, exist_ok=True)
    reached = Reached(args.coverage, args.durations) if args.coverage and args.kind == "code" else None

    def chosen(planted: Planted) -> Sequence[str]:
        return args.tests if reached is None else reached.tests(planted, args.most)

    records = run(errors, chosen, args.journal, seconds=args.seconds, minutes=args.minutes)
    counts = Counter(record["outcome"] for record in records)
    print(
        f"{len(records)} of {len(errors)} planted:",
        ", ".join(f"{count} {name}" for name, count in sorted(counts.items())),
    )
    print(*(record["key"] for record in records if record["outcome"] in (SURVIVED, UNREACHED)), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
