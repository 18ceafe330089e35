"""``gender-fair rewrite --proposals FILE``: the guard over the answers of any other rewriter."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from rewriter.corpus.job import RewriterSpec
from rewriter.corpus.targets import STANDARD
from rewriter.errors import UsageError
from rewriter.faults import each, kept
from rewriter.formats import FormatOptions
from rewriter.io.textfile import TextFileOptions, rewrite_file
from rewriter.language.interface import Language
from rewriter.model.deciders import GRAMMAR
from rewriter.model.post_edit import PostEditor
from rewriter.policy import Policy
from rewriter.records import Rewrite, apply_edits


class GivenRewrites:
    """Rewrites that are there already, in the order in which the texts come."""

    def __init__(self, rewrites: Sequence[Rewrite]) -> None:
        self._rewrites: Iterator[Rewrite] = iter(rewrites)

    def rewrite(self, texts: list[str], *, return_edits: Literal[True]) -> list[Rewrite]:
        """Return the next rewrites, one per text."""
        return [next(self._rewrites) for _ in texts]


class _Texts:
    """Takes the texts of a file and leaves them as they are."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def rewrite(self, texts: list[str], *, return_edits: Literal[True]) -> list[Rewrite]:
        self.found += texts
        return [Rewrite(text) for text in texts]


def check_proposals(args: argparse.Namespace, sources: Sequence[Path]) -> None:
    """Refuse what does not go with ``--proposals``.

    Raises:
        UsageError: several files or a pipe, the way back, or an option of models.
    """
    if len(sources) != 1 or sources[0] == STANDARD:
        raise UsageError("--proposals holds the answers to one file; name that file, not a pipe or several")
    if args.to != "fair":
        raise UsageError(f"--proposals are held against the grammar of fair text; it does not go with --to {args.to}")


def given_rewrites(
    source: Path, proposals: Path, spec: RewriterSpec, *, formats: FormatOptions, guard: str
) -> GivenRewrites:
    """Return what the guard lets stand of the answers of another rewriter.

    Both files are held in memory.

    Args:
        source: the texts.
        proposals: a file of the same format with as many texts, in the same order.
        spec: names language, settings and policy; no network is loaded.
        formats: how both are read.
        guard: mode of the guard.

    Raises:
        UsageError: the files have another number of texts.
        InputError: one of them cannot be read.
    """
    texts, answers = _texts(source, formats), _texts(proposals, formats)
    if len(texts) != len(answers):
        raise UsageError(
            f"{proposals} holds {len(answers)} texts, {source} {len(texts)}; record N of one must answer record N of "
            "the other"
        )
    options = dict(spec.options)
    rewriter = RewriterSpec.of(spec.model, **options | {"decides": GRAMMAR}).load()
    edit = partial(_edit, PostEditor(rewriter.language, guard=guard), rewriter.language, options.get("policy"))
    found = each(edit, list(zip(texts, answers, strict=True)))
    return GivenRewrites(kept(texts, found))


def _texts(path: Path, formats: FormatOptions) -> list[str]:
    reader = _Texts()
    rewrite_file(path, None, rewriter=reader, options=TextFileOptions(formats))
    return reader.found


def _edit(
    editor: PostEditor, language: Language, policy: Policy | None, pairs: Sequence[tuple[str, str]]
) -> list[Rewrite]:
    found = editor.edit([text for text, _ in pairs], [answer for _, answer in pairs])
    if policy is None:
        return found
    return [_allowed(text, rewrite, policy, language) for (text, _), rewrite in zip(pairs, found, strict=True)]


def _allowed(text: str, rewrite: Rewrite, policy: Policy, language: Language) -> Rewrite:
    edits, left = policy.filter(text, list(rewrite.edits), language)
    counts = (rewrite.sentences, rewrite.gated)
    return Rewrite(apply_edits(text, edits), tuple(edits), rewrite.rejected, *counts, tuple(left))
