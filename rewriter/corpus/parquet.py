"""Rewrites the row groups of Parquet files; a row is a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rewriter.corpus.engine import BATCH_RECORDS, RewritesTexts, Selector, rewrite_contents
from rewriter.corpus.results import Summary, TextResult, count_text_words
from rewriter.formats.base import Content
from rewriter.formats.parquet import ParquetTexts
from rewriter.records import Reject, Rewrite


@dataclass
class RowGroupRewriter:
    """Rewrites row groups of one file and keeps what is to be told about them.

    Attributes:
        rewriter: decides.
        texts: the text columns of the file.
        name: name of the file in results and rejects.
        every: keep the results of all texts.
        select: tells which texts are in the rewriter's language; None takes all.
        results: of the texts with edits, rejects or refused proposals, of the last row group.
        summary: counts of the last row group.
    """

    rewriter: RewritesTexts
    texts: ParquetTexts
    name: str
    every: bool = False
    select: Selector | None = None
    results: list[TextResult] = field(default_factory=list)
    summary: Summary = field(default_factory=Summary)
    _changed: set[int] = field(default_factory=set)
    _before: int = 0

    def rewrite(self, number: int, target: str | Path) -> None:
        """Write one row group, rewritten, as a Parquet file.

        Raises:
            InputError: the row group is damaged.
            OutputError: the target cannot be written.
        """
        self.results, self.summary, self._changed = [], Summary(units=self.texts.rows[number]), set()
        self._before = sum(self.texts.rows[:number])
        doubled = self._doubled_rows if getattr(self.rewriter, "doubles", False) else None
        self.texts.rewrite_row_group(number, target, rewrite=self._rewrite, reject=self._reject, doubled=doubled)
        self.summary.changed = len(self._changed)

    def _doubled_rows(self) -> list[int]:
        return sorted(self._changed)

    def _rewrite(self, contents: Sequence[Content]) -> list[str]:
        new: list[str] = []
        for start in range(0, len(contents), BATCH_RECORDS):
            some = contents[start : start + BATCH_RECORDS]
            self.summary.words += count_text_words(content.text for content in some)
            for content, rewrite in zip(some, rewrite_contents(self.rewriter, some, self.select), strict=True):
                new.append(rewrite.text)
                self._note(content, rewrite)
        return new

    def _note(self, content: Content, rewrite: Rewrite) -> None:
        text, _, row = content
        self.summary.count(rewrite)
        if rewrite.edits:
            self._changed.add(row)
        line = self._before + row + 1
        rejects = () if rewrite.error is None else (Reject(self.name, line, *rewrite.error),)
        self.summary.reject(rejects)
        if self.every or rewrite.edits or rewrite.rejected or rejects:
            self.results.append(TextResult(self.name, line, text, rewrite, rejects))

    def _reject(self, row: int, reason: str) -> None:
        rejects = (Reject(self.name, row, reason),)
        self.summary.reject(rejects)
        self.results.append(TextResult(self.name, row, None, Rewrite(""), rejects))
