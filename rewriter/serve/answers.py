"""From the texts of a request to its answers, in the process of the service; nothing here knows HTTP."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import NamedTuple

from rewriter.corpus.results import TextResult
from rewriter.pipeline import Rewriter
from rewriter.policy.followers import followed
from rewriter.records import Rewrite
from rewriter.report.check import findings
from rewriter.serve.rewriters import Rewriters
from rewriter.serve.schema import Answer, Check, EditModel, FindingModel, Settings

#: texts between two looks at the clock
PIECE = 64


class Done(NamedTuple):
    """What became of one text.

    Attributes:
        source: the text.
        rewrite: the result.
        rewriter: None where the text is in no language that is served.
    """

    source: str
    rewrite: Rewrite
    rewriter: Rewriter | None

    @property
    def lang(self) -> str | None:
        """Language of the text."""
        return None if self.rewriter is None else self.rewriter.language.code

    @property
    def model(self) -> str | None:
        """Name of the model."""
        return None if self.rewriter is None else self.rewriter.info.name


def rewrite_texts(
    texts: Sequence[str], settings: Settings, rewriters: Rewriters, go_on: Callable[[], None] = lambda: None
) -> list[Done]:
    """Rewrite texts, each in its language, in their order.

    Args:
        texts: any texts.
        settings: what was asked for.
        rewriters: of the service.
        go_on: called between the pieces of the work; what it raises ends the work.

    Raises:
        UsageError: the settings are wrong.
    """
    by_language: dict[str | None, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        by_language[rewriters.language_of(text, settings)].append(number)
    done: dict[int, Done] = {}
    for lang, numbers in by_language.items():
        rewriter = None if lang is None else rewriters.of(settings, lang)
        for piece in _pieces(numbers):
            go_on()
            done |= zip(piece, _rewritten([texts[number] for number in piece], rewriter), strict=True)
    return [done[number] for number in range(len(texts))]


def _pieces(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(numbers), PIECE):
        yield numbers[start : start + PIECE]


def _rewritten(texts: list[str], rewriter: Rewriter | None) -> list[Done]:
    if rewriter is None:
        return [Done(text, Rewrite(text), None) for text in texts]
    rewrites = rewriter.rewrite(texts, return_edits=True, errors="keep")
    return [Done(text, rewrite, rewriter) for text, rewrite in zip(texts, rewrites, strict=True)]


def answer(done: Done) -> Answer:
    """Return a text with its edits."""
    rewrite = done.rewrite
    edits = sorted(rewrite.edits, key=lambda edit: edit.start)
    leaders = followed(done.source, edits, done.rewriter.language) if done.rewriter and edits else []
    return Answer(
        text=rewrite.text,
        edits=[
            EditModel(**asdict(edit), follows=leader if leader >= 0 else None)
            for edit, leader in zip(edits, leaders, strict=True)
        ],
        lang=done.lang,
        model=done.model,
        error=_error(rewrite),
    )


def check(done: Done) -> Check:
    """Return the places of a text that would change."""
    found = findings(TextResult("", 1, done.source, done.rewrite))
    places = [FindingModel(**{k: v for k, v in asdict(finding).items() if k != "file"}) for finding in found]
    return Check(findings=places, lang=done.lang, model=done.model, error=_error(done.rewrite))


def _error(rewrite: Rewrite) -> str | None:
    return (
        None if rewrite.error is None else f"the text stays as it is, the toolkit fails on it: {rewrite.error.reason}"
    )
