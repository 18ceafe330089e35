"""What the documentation shows: blocks of its pages, how each of them is tested, the commands and calls in them.

A block between fences runs as it is written, in the order of its page. An exception stands before the block, where no
reader sees it::

    <!-- test: parse; a training of an hour -->          the commands are only read, by the parsers of the command line
    <!-- test: parse "--engine ray"; needs a cluster --> only those lines
    <!-- test: dry run; a training of an hour -->         the recipe is read, and its stages planned
    <!-- test: file mine.yaml -->                         the block is this file, which later commands read
    <!-- test: recipe en-edits -->                        the block is a part of a recipe like this one
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUN, DRY_RUN, PARSE, FILE, RECIPE = "run", "dry run", "parse", "file", "recipe"
#: languages of blocks whose lines are commands
SHELL = ("sh", "console")
_FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", flags=re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!-- test: (.*?) -->", flags=re.DOTALL)
_MARK = re.compile(rf'({DRY_RUN}|{PARSE}|{FILE}|{RECIPE})(?: (?:"([^"]+)"|([^\s;]+)))?(?:; (.+))?', flags=re.DOTALL)
#: comments that stand directly before a block
_BEFORE = re.compile(r"(?:<!-- (?:(?! -->).)*? -->\s*)+\Z", flags=re.DOTALL)


@dataclass(frozen=True)
class Mark:
    """How a block is tested, other than by running it.

    Attributes:
        how: ``dry run``, ``parse``, ``file`` or ``recipe``.
        name: of the file or recipe; or what stands in the lines that the mark is about, "" for all.
        reason: why.
    """

    how: str
    name: str
    reason: str


@dataclass(frozen=True)
class Block:
    """A block between fences.

    Attributes:
        page: below the checkout.
        line: where it begins.
        language: behind the fence.
        text: between the fences.
        marks: how it is tested, other than by running it.
    """

    page: str
    line: int
    language: str
    text: str
    marks: tuple[Mark, ...] = ()

    @property
    def file(self) -> str:
        """Name of the file that the block is, or ""."""
        return next((mark.name for mark in self.marks if mark.how == FILE), "")

    @property
    def recipe(self) -> str:
        """Name of the recipe that the block is a part of, or ""."""
        return next((mark.name for mark in self.marks if mark.how == RECIPE), "")

    def treatment(self, line: str) -> str:
        """Return how a line of commands is tested."""
        return next((m.how for m in self.marks if m.how in (DRY_RUN, PARSE) and m.name in line), RUN)

    def lines(self) -> Iterator[str]:
        """Yield the lines of commands, joined where they are continued; of a console those behind ``$``."""
        for line in self.text.replace("\\\n", " ").splitlines():
            if self.language == "console" and not line.startswith("$ "):
                continue
            if shlex.split(line.removeprefix("$ "), comments=True):
                yield line.removeprefix("$ ")


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page.

    Raises:
        ValueError: a comment says "test:" and is no mark.
    """
    text = page.read_text(encoding="utf-8")
    name = str(page.relative_to(ROOT))
    found = []
    for match in _FENCE.finditer(text):
        before = _BEFORE.search(text[: match.start()])
        marks = tuple(mark(words) for words in _COMMENT.findall(before[0])) if before else ()
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(name, line, match["language"], match["text"], marks))
    attached = sum(len(block.marks) for block in found)
    if attached != len(_COMMENT.findall(_FENCE.sub("", text))):
        raise ValueError(f"{name}: a mark stands before no block")
    return found


def mark(words: str) -> Mark:
    """Return the mark that a comment makes.

    Raises:
        ValueError: it is none, or gives no reason where one is needed.
    """
    match = _MARK.fullmatch(" ".join(words.split()))
    if match is None:
        raise ValueError(f"'{words}' is no mark; see tests/support/documented.py")
    how, name, reason = match[1], match[2] or match[3] or "", match[4] or ""
    if how in (DRY_RUN, PARSE) and not reason:
        raise ValueError(f"'{words}' gives no reason")
    if how in (FILE, RECIPE) and not name:
        raise ValueError(f"'{words}' names nothing")
    return Mark(how, name, reason)


# ---------------------------------------------------------------- lines of commands

#: a comment; an operator; a word, parts of which may be quoted
_TOKEN = re.compile(r"""(?<!\S)\#.*|&&|[|;<>&]|(?:[^\s|;<>&"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+""")


@dataclass(frozen=True)
class Call:
    """A command with its words.

    Attributes:
        words: command and arguments.
        reads: whether it reads what the call before it printed.
        target: file that its standard output goes to, or "".
    """

    words: tuple[str, ...]
    reads: bool = False
    target: str = ""


def calls(line: str) -> list[Call]:
    """Return the commands of a line of the shell; pipes, ``&&``, ``;`` and ``>`` are understood, nothing else.

    Raises:
        ValueError: the line has another operator.
    """
    tokens = [token for token in _TOKEN.findall(line) if not token.startswith("#")]
    found: list[Call] = []
    words: list[str] = []
    reads, target = False, ""
    for place, token in enumerate(tokens):
        if place and tokens[place - 1] == ">":
            target = shlex.split(token)[0]
        elif token in ("|", "&&", ";"):
            found.append(Call(tuple(words), reads, target))
            words, reads, target = [], token == "|", ""
        elif token in ("<", "&"):
            raise ValueError(f"'{token}' in the line: {line}")
        elif token != ">" and (words or not re.match(r"[A-Z_]+=", token)):
            words += shlex.split(token)
    return [*found, Call(tuple(words), reads, target)]
