"""Writes the gender-fair forms of a text in one form, and reports what it could not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from augment.round_trip.records import described
from augment.round_trip.rules import Reading, RoundTripRules, get_rules
from rewriter.errors import Fault, UsageError
from rewriter.faults import attempt
from rewriter.io.files import atomic_write, json_line, read_raw_lines
from rewriter.records import Reject


@dataclass
class NormaliseReport:
    """What was read and what was not.

    Attributes:
        lines: lines of the input.
        changed: lines that were changed.
        forms: how often each form was found (*colon noun plural*).
        unread: how often something was left, by reason.
        undecodable: lines that are not UTF-8; they are copied as they are.
        rejects: lines on which the toolkit failed; they are copied as they are.
    """

    lines: int = 0
    changed: int = 0
    forms: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)
    undecodable: int = 0
    rejects: list[Reject] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "lines": self.lines,
            "changed": self.changed,
            "forms": dict(self.forms.most_common()),
            "unread": dict(self.unread.most_common()),
            "undecodable": self.undecodable,
            "rejects": [reject.listed() for reject in self.rejects],
        }


def normalise_file(
    source: Path, output: Path, *, lang: str = "de", form: str = "star", report: Path | None = None
) -> NormaliseReport:
    """Normalise a text file line by line; everything but the forms is copied byte for byte.

    Args:
        source: text file (.gz and .zst are read through).
        output: the result, written whole or not at all.
        lang: language code.
        form: in which gender-fair forms are written.
        report: JSON lines of what could not be read: line, offsets in it, the text, the reason.

    Raises:
        UsageError: unknown language or form, or input and output are the same file.
        InputError: the input cannot be read.
        OutputError: a file cannot be written.
    """
    if output.exists() and source.exists() and output.samefile(source):
        raise UsageError(f"{output} is the input; choose another output")
    rules, result = get_rules(lang), NormaliseReport()
    rules.read("", form)  # an unknown form is told before a file is made
    left: list[dict[str, Any]] = []
    with atomic_write(output) as stream:
        for data in _normalised(source, rules, form, result, left):
            stream.write(data)
    if report is not None:
        with atomic_write(report) as stream:
            stream.writelines(json_line(entry) for entry in left)
    return result


def _normalised(
    source: Path, rules: RoundTripRules, form: str, result: NormaliseReport, left: list[dict[str, Any]]
) -> Iterator[bytes]:
    for number, data in enumerate(read_raw_lines(source), 1):
        result.lines += 1
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            result.undecodable += 1
            yield data
            continue
        reading = attempt(_reading, rules, text, form)
        if isinstance(reading, Fault):
            result.rejects.append(Reject(source.name, number, *reading))
            reading = None
        if reading is None:
            yield data
            continue
        result.changed += reading.text != text
        result.forms.update(described(reading))
        for one in reading.unread:
            result.unread[one.reason] += 1
            entry = {"line": number, "start": one.start, "end": one.end, "text": text[one.start : one.end]}
            left.append({"file": source.name, **entry, "reason": one.reason})
        yield reading.text.encode("utf-8")


def _reading(rules: RoundTripRules, text: str, form: str) -> Reading | None:
    return rules.read(text, form) if rules.maybe_fair(text) else None
