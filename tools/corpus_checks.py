"""What every line goes through, and what must be true of it afterwards."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from augment.balance.count import Counter, CountOptions
from augment.balance.metadata import load_metadata
from augment.swap.settings import SwapSettings
from augment.swap.strategies import SwapperSpec
from eval.bias_filter.core import make_matcher
from eval.bias_filter.lexicon import read_groups
from eval.genbit.counter import CooccurrenceCounter
from eval.genbit.lexicon import Lexicon
from rewriter.corpus.engine import RecordRewriter
from rewriter.corpus.job import RewriterSpec
from rewriter.corpus.results import TextResult
from rewriter.de.inflection import FORMS
from rewriter.errors import Fault
from rewriter.faults import each, fault_of, together
from rewriter.formats.text import TextLines
from rewriter.language.interface import get_language
from rewriter.policy import Policy
from rewriter.records import apply_edits
from tools.corpus_lines import Line

#: name of the configuration that every line goes through
DEFAULT = "default"


@dataclass(frozen=True)
class Configuration:
    """One way of working on lines.

    Attributes:
        lang: language code.
        name: for people.
        kind: ``rewrite``, ``swap``, ``balance``, ``genbit`` or ``bias-filter``.
        options: of that kind.
    """

    lang: str
    name: str
    kind: str = "rewrite"
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return f"{self.lang} {self.name}"


@dataclass
class Outcome:
    """What became of the lines of one configuration.

    Attributes:
        lines: how many there were.
        words: in them.
        changed: lines that were changed, or in which something was counted.
        seconds: of processor time.
        exceptions: file, line, reason, trace of errors that were not foreseen.
        rejects: file, line, reason of what cannot be read.
        broken: file, line, reason where something that must always be true was not.
    """

    lines: int = 0
    words: int = 0
    changed: int = 0
    seconds: float = 0.0
    exceptions: list[dict[str, Any]] = field(default_factory=list)
    rejects: list[dict[str, Any]] = field(default_factory=list)
    broken: list[dict[str, Any]] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        """Add what became of other lines."""
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def fault(self, line: Line, fault: Fault) -> None:
        """Note an error, or a record that cannot be read."""
        record = {"file": line.file, "line": line.number, "reason": fault.reason}
        (self.exceptions if fault.trace else self.rejects).append(
            record | ({"trace": fault.trace} if fault.trace else {})
        )

    def breaks(self, line: Line, reason: str) -> None:
        """Note something that must not be."""
        self.broken.append({"file": line.file, "line": line.number, "reason": reason})


class Worker(Protocol):
    """Works on the lines of a block and notes what became of them."""

    def __call__(self, block: Sequence[Line], outcome: Outcome) -> None:
        """Work on the lines."""
        ...


def configurations(lang: str) -> list[Configuration]:
    """Return the configurations of a language; the first is the default one."""
    found = [Configuration(lang, DEFAULT)]

    def add(name: str, kind: str = "rewrite", **options: Any) -> None:
        found.append(Configuration(lang, name, kind, tuple(options.items())))

    for to in ("masculine", "feminine"):
        add(f"to {to}", to=to)
    add("scope generic", policy=Policy(scope="generic"))
    for guard in ("report", "off"):
        add(f"guard {guard}", guard=guard)
    add("no gate", gate=False)
    if lang == "en":
        add("reflexive themselves", reflexive="themselves")
        for to in ("masculine", "feminine"):
            add(f"to {to}, every they", to=to, they="all")
    if lang == "de":
        for form in FORMS:
            if form != "star":
                add(f"form {form}", form=form)
            add(f"form {form}, normalise", form=form, normalise=True)
    for direction in ("both", "to-masculine", "to-feminine"):
        add(f"swap {direction}", "swap", direction=direction)
    add("balance", "balance")
    add("genbit", "genbit")
    for category in ("gender", "genbit"):
        add(f"bias filter, {category}", "bias-filter", category=category)
    return found


def check(configuration: Configuration, block: Sequence[Line]) -> Outcome:
    """Work on a block; an error that is no fault of a text is noted for its first line."""
    outcome = Outcome(lines=len(block), words=sum(len(line.data.split()) for line in block))
    worker = _worker(configuration)
    start = time.process_time()
    try:
        worker(block, outcome)
    except Exception as error:
        outcome.fault(block[0], fault_of(error))
    outcome.seconds = time.process_time() - start
    return outcome


@lru_cache(maxsize=2)
def _worker(configuration: Configuration) -> Worker:
    worker: Worker = _WORKERS[configuration.kind](configuration.lang, **dict(configuration.options))
    return worker


class Rewriting:
    """Rewrites the lines as they stand in a file, and looks whether that can be replayed and nothing else changed."""

    def __init__(self, spec: RewriterSpec) -> None:
        self._rewriter = spec.load(threads=1)

    def __call__(self, block: Sequence[Line], outcome: Outcome) -> None:
        """Rewrite, count and compare."""
        source = b"".join(line.data for line in block)
        results: dict[int, TextResult] = {}
        output: list[bytes | memoryview] = []
        for part in RecordRewriter(self._rewriter, TextLines(), "block").rewrite(source, 1):
            output += part.output
            outcome.changed += part.summary.changed
            results |= {result.line: result for result in part.results}
        for result in results.values():
            for reject in result.rejects:
                outcome.fault(block[reject.line - 1], Fault(reject.reason, reject.trace))
        self._compare(block, b"".join(output).split(b"\n"), results, outcome)

    @staticmethod
    def _compare(
        block: Sequence[Line], output: Sequence[bytes], results: dict[int, TextResult], outcome: Outcome
    ) -> None:
        if len(output) != len(block) + 1 or output[-1]:
            outcome.breaks(block[0], f"{len(block)} lines became {len(output) - 1}")
            return
        for number, (line, after) in enumerate(zip(block, output[:-1], strict=True), 1):
            result, before = results.get(number), line.data.removesuffix(b"\n")
            if result is None or not result.rewrite.edits:
                if after != before:
                    outcome.breaks(line, "changed without an edit")
                continue
            replayed = apply_edits(result.source or "", result.rewrite.edits)
            if replayed != result.rewrite.text or replayed.encode() != after.removesuffix(b"\r").removeprefix(
                b"\xef\xbb\xbf"
            ):
                outcome.breaks(line, "replaying the edits gives another text")


def rewriting(lang: str, **options: Any) -> Rewriting:
    """Return the worker of a rewriter."""
    return Rewriting(RewriterSpec.of(lang, **options))


def swapping(lang: str, *, direction: str) -> Rewriting:
    """Return the worker of a swapper."""
    return Rewriting(SwapperSpec(lang, (), lang, SwapSettings(direction), "swap"))


def texts_of(block: Sequence[Line]) -> list[str]:
    """Return the lines as text, without their ends."""
    return [line.data.decode("utf-8", "replace").rstrip("\r\n") for line in block]


class Balancing:
    """Counts terms by gender."""

    def __init__(self, lang: str) -> None:
        options = CountOptions(lang=lang, names=lang == "en")
        self._counter = Counter(load_metadata("professions", lang=lang), options)

    def __call__(self, block: Sequence[Line], outcome: Outcome) -> None:
        """Count."""
        for line, result in zip(block, each(self._counted, texts_of(block)), strict=True):
            if isinstance(result, Fault):
                outcome.fault(line, result)
            else:
                outcome.changed += result

    def _counted(self, texts: Sequence[str]) -> list[bool]:
        found = {place for place, _ in self._counter.count(texts)}
        return [place in found for place in range(len(texts))]


class Genbit:
    """Counts what stands beside gendered words."""

    def __init__(self, lang: str) -> None:
        self._lexicon = Lexicon.shipped(lang)

    def __call__(self, block: Sequence[Line], outcome: Outcome) -> None:
        """Count; every block anew."""
        counter = CooccurrenceCounter(self._lexicon, 30)
        faults = counter.add_numbered(enumerate(texts_of(block)))
        for place, fault in faults.items():
            outcome.fault(block[place], fault)
        documents = counter.counts().documents
        if documents != len(block) - len(faults):
            outcome.breaks(block[0], f"{documents} documents were counted of {len(block)}")


class Filtering:
    """Counts the sentences that speak of groups."""

    def __init__(self, lang: str, *, category: str) -> None:
        self._matcher = make_matcher(read_groups(lang, category, names=["female", "male"]))
        self._segment = get_language(lang).segment

    def __call__(self, block: Sequence[Line], outcome: Outcome) -> None:
        """Count lines, and the sentences of lines."""
        texts = texts_of(block)
        whole, found = together(self._matcher.scan, texts)
        cut, of_sentences = together(self._sentences, texts)
        outcome.changed += int((whole.masks != 0).sum())
        for place, fault in {**found.faults, **of_sentences.faults}.items():
            outcome.fault(block[place], fault)
        if len(whole.masks) != len(found.good) or cut != whole.tokens.tolist():
            outcome.breaks(block[0], "sentences hold other words than their lines")

    def _sentences(self, texts: Sequence[str]) -> list[int]:
        tokens: list[int] = self._matcher.scan(
            [text[start:end] for text in texts for start, end in self._segment(text)]
        ).tokens.tolist()
        return tokens


_WORKERS: dict[str, Any] = {
    "rewrite": rewriting,
    "swap": swapping,
    "balance": Balancing,
    "genbit": Genbit,
    "bias-filter": Filtering,
}
