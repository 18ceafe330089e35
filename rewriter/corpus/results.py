"""What comes out of rewriting records: results of single texts, and counts that can be added up."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy

from rewriter.records import Edit, Reject, Rewrite, apply_edits
from rewriter.text.offsets import moved

#: rejects that a summary keeps (all are counted, and all are observed)
KEPT_REJECTS = 1000


@dataclass(frozen=True, slots=True)
class TextResult:
    """What became of one text: of a line, a document, a column of a record.

    Attributes:
        file: name of the file as it was given.
        line: number of the first line of its record, from 1.
        source: its text without the line end; None where the record cannot be read.
        rewrite: the result; no edits where the record was written through.
        rejects: lines that were written through, with the reason.
    """

    file: str
    line: int
    source: str | None
    rewrite: Rewrite
    rejects: tuple[Reject, ...] = ()


#: gets the results of every batch, in order; what it raises stops the file
Observer = Callable[[Sequence[TextResult]], None]


@dataclass
class Summary:
    """What was done, over all files.

    Attributes:
        files: files read to their end.
        units: records: lines, paragraphs, documents, rows.
        words: words (runs of characters between white space) of the texts.
        sentences: sentences of the texts that the gate let through.
        gated: sentences with a candidate, which the model was asked about.
        changed: records with at least one edit.
        edits: number of edits per kind.
        guard_rejections: number of proposed edits that the guard refused, per reason.
        withheld: number of edits that the user's own rules kept from being made, per reason.
        rejected: lines written through because they cannot be processed.
        rejects: the first of them.
        debug: file with the traces of errors that were not foreseen; None where there were none.
        seconds: time taken.
    """

    files: int = 0
    units: int = 0
    words: int = 0
    sentences: int = 0
    gated: int = 0
    changed: int = 0
    edits: Counter[str] = field(default_factory=Counter)
    guard_rejections: Counter[str] = field(default_factory=Counter)
    withheld: Counter[str] = field(default_factory=Counter)
    rejected: int = 0
    rejects: list[Reject] = field(default_factory=list)
    debug: str | None = None
    seconds: float = 0.0

    def count(self, rewrite: Rewrite) -> None:
        """Count the sentences and edits of one text."""
        self.sentences += rewrite.sentences
        self.gated += rewrite.gated
        self.edits.update(edit.kind for edit in rewrite.edits)
        self.guard_rejections.update(rejection.reason for rejection in rewrite.rejected)
        self.withheld.update(reason for _, reason in rewrite.left)

    def reject(self, rejects: Sequence[Reject]) -> None:
        """Count records that were written through."""
        self.rejected += len(rejects)
        self.rejects += rejects[: max(0, KEPT_REJECTS - len(self.rejects))]

    def merge(self, other: Summary) -> None:
        """Add the counts of another summary."""
        for name in ("files", "units", "words", "sentences", "gated", "changed", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("edits", "guard_rejections", "withheld"):
            getattr(self, name).update(getattr(other, name))
        self.rejected += other.rejected
        self.rejects += other.rejects[: max(0, KEPT_REJECTS - len(self.rejects))]

    @property
    def words_per_second(self) -> float:
        """Words per second; 0 where no time was taken."""
        return round(self.words / self.seconds, 1) if self.seconds else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form; counters begin with the most frequent."""
        record = {f.name: getattr(self, f.name) for f in fields(self)}
        counters = {name: dict(value.most_common()) for name, value in record.items() if isinstance(value, Counter)}
        rejects = [reject.listed() for reject in self.rejects]
        speed = {"seconds": round(self.seconds, 3), "words_per_second": self.words_per_second}
        return {**record, **counters, "rejects": rejects, **speed}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Summary:
        """Read the JSON form."""
        values = {f.name: record[f.name] for f in fields(cls) if f.name in record}
        for name in ("edits", "guard_rejections", "withheld"):
            values[name] = Counter(values.get(name, {}))
        values["rejects"] = [Reject(**reject) for reject in values.get("rejects", ())]
        return cls(**values)


def count_lines(data: bytes | memoryview) -> int:
    """Return the number of lines; what stands behind the last line feed is one."""
    if not len(data):
        return 0
    codes = numpy.frombuffer(data, dtype=numpy.uint8)
    return int(numpy.count_nonzero(codes == 10)) + int(codes[-1] != 10)


def count_words(data: bytes | memoryview, *, step: int = 1 << 20) -> int:
    """Return how many runs of bytes that are no white space there are (as ``wc -w`` counts in ASCII)."""
    count, before = 0, True
    for start in range(0, len(data), step):
        space = numpy.frombuffer(data, dtype=numpy.uint8, count=min(step, len(data) - start), offset=start) <= 32
        count += int(numpy.count_nonzero(space[:-1] & ~space[1:])) + int(before and not space[0])
        before = bool(space[-1])
    return count


def count_text_words(texts: Iterable[str]) -> int:
    """Return the number of words of some texts."""
    return count_words("\n".join(texts).encode("utf-8", "replace"))


def rejection_records(results: Iterable[TextResult]) -> list[dict[str, Any]]:
    """Return the JSON forms of what the guard refused: file, line, sentence, proposed, reason."""
    return [
        {"file": r.file, "line": r.line, "sentence": item.sentence, "proposed": item.proposed, "reason": item.reason}
        for r in results
        for item in r.rewrite.rejected
    ]


def cut_lines(result: TextResult) -> Iterator[tuple[int, str, Rewrite]]:
    """Yield (line number, source, rewrite) of the lines of a unit that have edits; lines that share an edit together.

    For showing differences of a document.
    """
    source = result.source or ""
    edits = deque(sorted(result.rewrite.edits, key=lambda edit: edit.start))
    line, counted = result.line, 0
    while edits:
        start = source.rfind("\n", 0, edits[0].start) + 1
        end = start
        inside: list[Edit] = []
        while edits and (not inside or edits[0].start < end):
            end = max(end, _line_end(source, edits[0].end))
            inside.append(moved(edits.popleft(), -start))
        line, counted = line + source.count("\n", counted, start), start
        piece = source[start:end].removesuffix("\r")
        yield line, piece, Rewrite(apply_edits(piece, inside), tuple(inside))


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end
