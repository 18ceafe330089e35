"""One pair of twins and its forms in files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from rewriter.records import Edit

#: which way the second text was made of the first
TO_MASCULINE, TO_FEMININE, BOTH = "feminine to masculine", "masculine to feminine", "both"
_GROUPS = {TO_MASCULINE: ("feminine", "masculine"), TO_FEMININE: ("masculine", "feminine"), BOTH: ("source", "twin")}


@dataclass(frozen=True, slots=True)
class Twin:
    """Two texts that differ in the gender of their persons.

    Attributes:
        pair: names the pair in its set.
        lang: code of the language.
        source: the first text.
        twin: the second.
        turned: which way the first was turned, :data:`TO_MASCULINE`, :data:`TO_FEMININE` or :data:`BOTH`.
        origin: ``template:FRAME/PERSON`` or ``FILE:LINE``.
        edits: that make the second of the first, with offsets in the first.
    """

    pair: str
    lang: str
    source: str
    twin: str
    turned: str
    origin: str
    edits: tuple[Edit, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: the pair in one record."""
        return {
            "pair": self.pair,
            "lang": self.lang,
            "source": self.source,
            "twin": self.twin,
            "turned": self.turned,
            "changes": len(self.edits),
            "origin": self.origin,
            "edits": [asdict(edit) for edit in self.edits],
        }


def twin_rows(twin: Twin) -> Iterator[dict[str, Any]]:
    """Yield a pair as two records, one for each text, with the columns that ``eval fairness`` takes: pair and group."""
    for group, text in zip(_GROUPS[twin.turned], (twin.source, twin.twin), strict=True):
        yield {"pair": twin.pair, "lang": twin.lang, "group": group, "text": text, "origin": twin.origin}
