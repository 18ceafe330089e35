"""A folder in which the commands and calls of a documentation page run, with the files that the pages name.

Commands of ours run in this process, as ``main`` runs them; ``echo`` and ``gzip`` stand for the shell's. Texts are a
few sentences, so that a page takes seconds.
"""

from __future__ import annotations

import ast
import contextlib
import gzip
import io
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import zstandard
from documented import DRY_RUN, ROOT, RUN, Block, Call, calls
from simulated_people import answer_study

from rewriter.cli.main import build_parser, main

ENGLISH = (
    "She knows her stuff.\nRain fell on the roof.\nHe asked the chairman for his notes.\n"
    "The nurse said that she was late.\nThe doctor lost his keys.\nNobody spoke.\n"
)
GERMAN = "Der Arzt fragt die Lehrerinnen.\nEs regnet.\nJeder Kunde bekommt seine Karte.\n"
FAIR = "They know their stuff.\nRain fell on the roof.\nThey asked the chairperson for their notes.\n"
#: professions in both genders, one more often than the other
CORPUS = ENGLISH * 3 + "The writer knew that he was late.\n" * 4 + "The writer knew that she was late.\n" * 2
#: texts by name; a name with .gz or .zst is packed
TEXTS = {
    "article.txt": ENGLISH,
    "notes.txt.gz": ENGLISH,
    "letter.txt": "A reader sees that he hurt himself. “He is late,” she wrote.\n",
    "artikel.txt": GERMAN,
    "guide.md": ENGLISH,
    "corpus.txt": CORPUS,
    "corpus.txt.zst": CORPUS,
    "corpus/a.txt": ENGLISH,
    "corpus/a.txt.gz": ENGLISH,
    "corpus/b.txt.gz": FAIR,
    "korpus/a.txt": GERMAN,
    "korpus/b.txt": GERMAN,
    "berichte/a.txt": GERMAN,
    "german/general-a.txt.zst": GERMAN,
    "german/genderfair-a.txt.zst": "Die Ärztin oder der Arzt hilft.\nDie Kund*innen warten.\n",
    "tuesday.txt": ENGLISH,
    "before.txt": ENGLISH * 2,
    "after.txt": FAIR * 2,
    "source.txt": ENGLISH,
    "reference.txt": FAIR * 2,
    "system.txt": FAIR + ENGLISH[: ENGLISH.index("The nurse")],
    "answers.txt": FAIR * 2,
    "testsets/en/own.src": ENGLISH,
    "testsets/en/own.ref": FAIR * 2,
    "testsets/en/own.Other2022": FAIR * 2,
    "testsets/de/own.src": GERMAN,
    "testsets/de/own.ref": "Der*die Ärzt*in fragt die Lehrer*innen.\nEs regnet.\nJede*r Kund*in bekommt die Karte.\n",
    "answers/own.mine": FAIR * 2,
    "mine.tsv": "id\tconstruction\tsource\ttarget\na1\town\tShe left.\tThey left.\n",
    "my.tsv": "gendered\tfair\nlumberjack\tlogger\n",
    "table.csv": 'id;comment\n1;"She left."\n2;Rain.\n',
    "table.tsv": "1\tShe left.\n2\tRain.\n",
    "train.csv": "id,comment\n1,She left.\n2,Rain.\n",
    "shop.py": "# He pays when he leaves.\nhe = 1\n",
    "data/en/train/notes.txt": ENGLISH,
    "data/en/MANIFEST.tsv": "file\tlicence\nnotes.txt\tCC0\nonestop_english.txt.zst\tCC0\n",
    "data/en/train/onestop_english.txt.zst": ENGLISH * 20,
    "data/de/train/general-notes.txt": GERMAN,
    "data/de/train/genderfair-notes.txt": GERMAN,
    "runs/parser-en/parser/pipeline/meta.json": "{}",
}
GERMAN_PAIRS = [
    {"source": "Der Arzt fragt.", "target": "Der*die Ärzt*in fragt."},
    {"source": "Ein Kunde kam.", "target": "Ein*e Kund*in kam."},
    {"source": "Er kam, und die Angestellten grüßten.", "target": "Er*sie kam, und die Angestellten grüßten."},
    {"source": "Die Schüler warten.", "target": "Die Schüler*innen warten."},
]
_RECORDS: dict[str, list[dict[str, Any]]] = {
    "corpus.jsonl.zst": [{"meta": {"body": line}} for line in ENGLISH.splitlines()],
    "corpus/c.jsonl.zst": [{"text": line} for line in ENGLISH.splitlines()],
    "news.jsonl": [{"body": line} for line in ENGLISH.splitlines()],
    "news-1.jsonl.zst": [{"body": line} for line in ENGLISH.splitlines()],
    "chats.jsonl": [{"messages": [{"role": "user", "content": "She left."}]}],
    "pairs.jsonl": [{"prompt": "Did he call?", "answer": "She did."}],
    "runs/de-edits/mix/train.jsonl.zst": GERMAN_PAIRS,
    "pairs.jsonl.zst": GERMAN_PAIRS,
    "my-pairs.jsonl": [{"source": "She left.", "target": "They left."}, {"source": "Rain.", "target": "Rain."}] * 4,
}
_TINY = "tests/data/models/tiny-edits"
#: parts of the checkout by the names that pages give them
LINKS = {
    "tests/data": "tests/data",
    "my-seq2seq-model": _TINY,
    "runs/en-small/export/model": _TINY,
    "runs/small/export/model": _TINY,
    "runs/big/export/model": _TINY,
    "runs/tuned/export/model": _TINY,
}
#: folders that a reader fills in, and what stands for them
_PLACES = re.compile(r"(?<![\w./])(?:FOLDER|/data|/my/texts|/my/other)(?![\w.])")
_GLOB = re.compile(r"[*?]")
#: programs that are not ours and are only named
_OTHERS = (
    "export",
    "pip",
    "ray",
    "torchrun",
    "dj-process",
    "dolma",
    "uv",
    "uvx",
    "pipx",
    "twine",
    "curl",
    "printf",
    "docker",
    "cffconvert",
)
#: modules that are not ours and are only named
_MODULES = ("build",)


class AblationRun:
    """The folder of a page, and the names that its Python has bound so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names: dict[str, Any] = {"__name__": "__main__"}
        texts = {
            name: "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows) for name, rows in _RECORDS.items()
        }
        for name, text in (TEXTS | texts).items():
            self.write(name, text)
        (folder / "docs").mkdir()  # of the log of measurements
        for name, target in LINKS.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(ROOT / target)

    def write(self, name: str, text: str) -> None:
        """Write a file, packed where its name says so."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = text.encode("utf-8")
        if path.suffix == ".zst":
            data = zstandard.ZstdCompressor().compress(data)
        elif path.suffix == ".gz":
            data = gzip.compress(data)
        path.write_bytes(data)

    def run(self, block: Block) -> None:
        """Run a block of commands or of Python, or write the file that it is."""
        if block.file:
            self.write(block.file, block.text)
        elif block.language == "python":
            run_python(block, self._names) if block.treatment("") == RUN else ast.parse(block.text)
        else:
            self._run_commands(block)

    def _run_commands(self, block: Block) -> None:
        expected = _expected(block)
        for line in block.lines():
            shown = b""
            for call in calls(line):
                shown = self._call(call, block.treatment(line), shown if call.reads else b"")
            if line in expected and block.treatment(line) == RUN:
                printed = shown.decode("utf-8").rstrip("\n")
                assert printed == expected[line], f"{block.page}: {line}\nprints {printed}"

    def _call(self, call: Call, treatment: str, given: bytes) -> bytes:
        program, *words = [os.path.expandvars(_PLACES.sub(self._place, word)) for word in call.words]
        if program != "gender-fair":
            return _other(program, words, given, call)
        words = [name for word in words for name in self._matches(word)]
        if treatment not in (RUN, DRY_RUN):
            build_parser(words).parse_args(words)
            return b""
        if words[:3] == ["eval", "human", "collect"]:
            answer_study(Path(words[3]), Path(words[4]))  # nobody else fills in the pages of a test
        shown = ours([*words, *(["--dry-run"] if treatment == DRY_RUN else [])], given)
        if call.target:
            (self.folder / call.target).write_bytes(shown)
        return shown

    def _place(self, match: re.Match[str]) -> str:
        return str(self.folder / ("corpus" if match[0].startswith("/my/") else "data"))

    def _matches(self, word: str) -> list[str]:
        """Return the files that a pattern of the shell stands for; the word itself where there is none."""
        if not _GLOB.search(word) or "=" in word or word.startswith("/"):
            return [word]
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.glob(word)) or [word]


def _expected(block: Block) -> dict[str, str]:
    """Return what a console shows behind each command; and behind one of ``echo`` a comment with its output."""
    found: dict[str, str] = {}
    lines = block.text.splitlines()
    for number, line in enumerate(lines):
        after = lines[number + 1 :]
        if block.language == "console" and line.startswith("$ "):
            end = next((n for n, text in enumerate(after) if text.startswith("$ ")), len(after))
            found[line.removeprefix("$ ")] = "\n".join(after[:end]).rstrip("\n")
        elif line.startswith("echo ") and after and after[0].startswith("# "):
            found[line] = after[0].removeprefix("# ")
    return found


def ours(words: list[str], given: bytes = b"") -> bytes:
    """Run the command ``gender-fair`` in this process and return what it prints; fails where it fails."""
    stdin = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
    shown, told = io.BytesIO(), io.StringIO()
    stdout = io.TextIOWrapper(shown, encoding="utf-8", write_through=True)
    before, sys.stdin = sys.stdin, stdin
    try:
        with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(told):
            code = main(words)
    except SystemExit as stopped:
        if stopped.code:
            raise AssertionError(f"gender-fair {' '.join(words)}: {told.getvalue()}") from stopped
        code = 0  # --help
    finally:
        sys.stdin = before
    for text in (told.getvalue(), "" if "--json" in words else shown.getvalue().decode("utf-8")):
        assert "{'" not in text, f"gender-fair {' '.join(words)} prints what only Python reads:\n{text}"
    found = 1 if "--check" in words else 0  # a check that finds something ends so
    assert code in (0, found), f"gender-fair {' '.join(words)}: exit code {code}\n{told.getvalue()}"
    return shown.getvalue()


def _other(program: str, words: list[str], given: bytes, call: Call) -> bytes:
    if program == "echo":
        return f"{' '.join(words)}\n".encode()
    if program == "gzip":
        packed = Path(words[-1]).read_bytes() if "-dc" in words else gzip.compress(given)
        if call.target:
            Path(call.target).write_bytes(packed)
        return gzip.decompress(packed) if "-dc" in words else packed
    if program == "make":
        assert re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE), words
    elif program == "python":
        if words[0] != "-m" or words[1] not in _MODULES:
            _check_script(words)
    else:
        assert program in _OTHERS, f"what is {program}?"
        if "-m" in words:
            ours_is = words[words.index("-m") + 2 :]
            build_parser(ours_is).parse_args(ours_is)
    return b""


def _check_script(words: list[str]) -> None:
    """Check that a script or module of the checkout exists and names all options that it is given."""
    if words[0] == "-m":
        parts = ROOT / words[1].replace(".", "/")
        script = parts / "__main__.py" if parts.is_dir() else parts.with_suffix(".py")
    else:
        script = ROOT / words[0]
    if script.is_relative_to(ROOT / "gender_fair_toy"):
        script = ROOT / "tests" / "data" / "toy-language" / script.relative_to(ROOT)
    assert script.is_file(), f"there is no {script.name}"
    text = "".join(path.read_text(encoding="utf-8") for path in {script, *script.parent.glob("*.py")})
    for word in words[1:]:
        if word.startswith("--"):
            assert f'"{word.partition("=")[0]}"' in text, f"{script.name} has no option {word}"


# ---------------------------------------------------------------- Python


def run_python(block: Block, names: dict[str, Any]) -> None:
    """Run a block; a line that ends with a comment which is a value, or a printed one, must give it."""
    lines = block.text.splitlines()
    for node in ast.parse(block.text).body:
        source = "\n" * (block.line + node.lineno - 1) + "\n".join(lines[node.lineno - 1 : node.end_lineno])
        comment = _comment(lines[(node.end_lineno or 1) - 1])
        if not isinstance(node, ast.Expr):
            exec(compile(source, block.page, "exec"), names)
            continue
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            value = eval(compile(source.strip(), block.page, "eval"), names)
        where = f"{block.page}:{block.line + node.lineno}"
        if _is_print(node):
            assert comment in ("", shown.getvalue().rstrip("\n")), f"{where}: prints {shown.getvalue()}"
        else:
            _compare(comment, value, where)


def _comment(line: str) -> str:
    return line.partition("  # ")[2]


def _is_print(node: ast.Expr) -> bool:
    return isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "print"


def _compare(comment: str, value: object, where: str) -> None:
    """Compare what a call gave with the comment behind it, where that is a value."""
    with contextlib.suppress(ValueError, SyntaxError):
        expected = ast.literal_eval(comment)
        assert value == expected, f"{where}: {value!r}"
