"""The records that flow through the toolkit: Pair, Edit, Rewrite, Reject."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from rewriter.errors import EditError, Fault, InputError
from rewriter.text.printable import is_text

__all__ = ["Edit", "Pair", "Reject", "Rejection", "Rewrite", "apply_edits", "marked_html"]

#: what a source was made to be (``form`` of a Pair)
FORMS = ("masculine", "feminine", "mixed", "fair", "neutral")


@dataclass(frozen=True, slots=True)
class Edit:
    """One replaced span.

    Attributes:
        start: offset of the first character in the source text.
        end: offset behind the last character in the source text.
        before: the source span, ``source[start:end]``.
        after: what stands there in the result.
        kind: ``pronoun``, ``verb``, ``contraction``, ``noun`` or ``article``.
        reason: why, in a few words (``she -> they``, ``subject 'he' became 'they'``).
        score: confidence of the model between 0 and 1; 1.0 where the lexicon alone decides.
    """

    start: int
    end: int
    before: str
    after: str
    kind: str
    reason: str
    score: float = 1.0


class Rejection(NamedTuple):
    """A proposed edit that the guard refused; the source stands there.

    Attributes:
        proposed: ``before -> after``.
        reason: one of a few fixed phrases (see :mod:`rewriter.model.guard`), so that they can be counted.
        sentence: the source sentence.
    """

    proposed: str
    reason: str
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rewritten text and the edits that made it; ``apply_edits(source, edits) == text``.

    Attributes:
        text: the result.
        edits: what was replaced, with offsets in the source text.
        rejected: what the guard refused (mode ``report``: what it would have refused).
        sentences: number of sentences that the text was cut into; 0 where the gate let nothing through.
        gated: number of sentences that the proposer was asked about.
        left: edits that the policy dropped, with its reason.
        error: why the text stays as it is, where it could not be worked on (``errors="keep"``).
    """

    text: str
    edits: tuple[Edit, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    sentences: int = field(default=0, compare=False)
    gated: int = field(default=0, compare=False)
    left: tuple[tuple[Edit, str], ...] = ()
    error: Fault | None = None

    def _repr_html_(self) -> str:
        """Return the result with its edits marked, for notebooks."""
        return marked_html(self.text, self.edits)


def marked_html(text: str, edits: Iterable[Edit]) -> str:
    """Return a rewritten text as HTML: what was replaced is struck out, what came is marked, the reason on hover.

    Args:
        text: the result.
        edits: that made it, with offsets in its source.
    """
    parts, position, moved = [], 0, 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        start = edit.start + moved
        reason = escape(f"{edit.kind}: {edit.reason}")
        parts.append(escape(text[position:start]))
        parts.append(f'<del style="opacity:.6">{escape(edit.before)}</del>' if edit.before else "")
        parts.append(f'<ins title="{reason}"><b>{escape(edit.after)}</b></ins>' if edit.after else "")
        position = start + len(edit.after)
        moved += len(edit.after) - len(edit.before)
    return f'<div style="white-space:pre-wrap">{"".join(parts)}{escape(text[position:])}</div>'


def apply_edits(source: str, edits: Iterable[Edit]) -> str:
    """Replay ``edits`` (any order, not overlapping) on ``source``.

    Raises:
        EditError: an edit does not fit the source, or two edits overlap (an InputError).
    """
    parts: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        fits = position <= edit.start <= edit.end <= len(source) and source[edit.start : edit.end] == edit.before
        if not fits:
            raise EditError(f"edit {edit} does not fit the source text at offset {edit.start}")
        parts += (source[position : edit.start], edit.after)
        position = edit.end
    return "".join(parts) + source[position:]


class Reject(NamedTuple):
    """A record that cannot be processed and was left out or written through.

    Attributes:
        file: name of the file.
        line: number of its first line, from 1.
        reason: for people.
        trace: of the error, where one was not foreseen; it goes into a file of its own.
    """

    file: str
    line: int
    reason: str
    trace: str = ""

    def listed(self) -> dict[str, Any]:
        """Return the JSON form as lists of rejects have it: file, line, reason."""
        return {"file": self.file, "line": self.line, "reason": self.reason}


#: strategy of pairs that do not say what made them
OWN = "own"
#: what stands between stem and ending in the German forms of gender-fair words
_MARKED = re.compile(r"(?<=\w)(?:[*:_·•/]-?)(?=in(?:nen)?(?!\w))|(?<=[a-zäöüß])(?=In(?:nen)?(?!\w))")


def inferred_form(source: str, target: str) -> str:
    """Return the form of a source that somebody paired with a target, as far as the two show it.

    ``neutral`` where nothing is rewritten; ``fair`` where the source says the same in another gender-fair form
    (*Lehrer:in* and *Lehrer*in*); ``mixed`` otherwise: it holds gendered words, whichever.
    """
    if source == target:
        return "neutral"
    one, other = (_MARKED.sub("*", text).lower() for text in (source, target))
    return "fair" if one == other else "mixed"


#: keys of a pair that are written only where they hold something
_WHERE_FILLED = ("doubtful", "before")


@dataclass(frozen=True, slots=True)
class Pair:
    """One line of parallel training data.

    Attributes:
        source: the (biased) text that a rewriter will see.
        target: the gender-fair text that it should answer.
        lang: language code, ``en``.
        strategy: registered name of what made it: ``forward``, ``backward``, ``round-trip``, ``copy`` ...
        form: form of the *source*, one of :data:`FORMS`.
        origin: where the text came from, ``FILE:LINE`` or an id.
        doubtful: spans (start, end in characters) of the source whose treatment the rules were not sure of;
            a trainer may skip them or the whole pair.
        before: what stands before the source in its text, where that is known and helps to read it.
    """

    source: str
    target: str
    lang: str = "en"
    strategy: str = "copy"
    form: str = "neutral"
    origin: str = ""
    doubtful: tuple[tuple[int, int], ...] = field(default=())
    before: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form; ``doubtful`` and ``before`` are left out when empty."""
        record: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _WHERE_FILLED}
        if self.before:
            record["before"] = self.before
        if self.doubtful:
            record["doubtful"] = [list(span) for span in self.doubtful]
        return record

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], *, where: str = "") -> Pair:
        """Read the JSON form; unknown keys are ignored so that users may carry their own.

        A record that does not say what it is (``strategy``, ``form``) is a pair of somebody's own: its strategy is
        :data:`OWN`, its form is inferred (:func:`inferred_form`), its origin is ``where``.

        Raises:
            InputError: ``source`` or ``target`` is missing; a key of a pair is no string, or holds half of a surrogate
                pair; ``doubtful`` is no list of spans. A key whose value is null counts as left out.
        """
        where_told = where or "pair"
        for key in ("source", "target"):
            if not isinstance(record.get(key), str):
                raise InputError(f"{where_told}: the key '{key}' is missing or not a string")
        names = [f.name for f in fields(cls) if f.name != "doubtful"]
        known = {name: record[name] for name in names if record.get(name) is not None}
        for key, value in known.items():
            if not isinstance(value, str):
                raise InputError(f"{where_told}: '{key}' is not a string")
            if not is_text(value):
                raise InputError(f"{where_told}: '{key}' holds half of a surrogate pair, which is no text")
        if "strategy" not in known:
            known["strategy"] = OWN
        if "form" not in known:
            known["form"] = inferred_form(record["source"], record["target"])
        if "origin" not in known and where:
            known["origin"] = Path(where).name
        return cls(**known, doubtful=_spans(record.get("doubtful"), where_told))


def _spans(value: Any, where: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of a pair as they stand in its JSON form; null and false are none."""
    try:
        return tuple((int(start), int(end)) for start, end in value or ())
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{where}: 'doubtful' is no list of spans, each two numbers") from None
