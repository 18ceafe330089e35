"""Tables as plain text and as Markdown."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of ready-made cells.

    Attributes:
        columns: the header.
        rows: one sequence of cells per row, each as long as the header.
        text_columns: how many of the first columns hold text and stand to the left; figures stand to the right.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    text_columns: int = 1

    def plain(self) -> str:
        """Return the table for a terminal."""
        widths = [max(map(_width, column)) for column in zip(self.columns, *self.rows, strict=True)]
        rule = ["-" * width for width in widths]
        return "\n".join(self._plain_row(row, widths) for row in (self.columns, rule, *self.rows))

    def markdown(self) -> str:
        """Return the table in Markdown."""
        rule = ["---" if i < self.text_columns else "---:" for i in range(len(self.columns))]
        rows = [[_escape(cell) for cell in row] for row in (self.columns, *self.rows)]
        return "\n".join("| " + " | ".join(row) + " |" for row in (rows[0], rule, *rows[1:]))

    def _plain_row(self, cells: Sequence[str], widths: Sequence[int]) -> str:
        padded = []
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            padding = " " * (width - _width(cell))
            padded.append(cell + padding if number < self.text_columns else padding + cell)
        return "  ".join(padded).rstrip()


def _width(text: str) -> int:
    """Return the columns that a terminal needs: wide characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _escape(cell: str) -> str:
    for character in "\\|*_<":
        cell = cell.replace(character, "\\" + character)
    return cell.replace("\n", " ")
