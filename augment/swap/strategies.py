"""What a swapped corpus is made of: every record swapped, doubled (CDA), or flipped by a coin (CDS).

Counterfactual data augmentation (Lu et al. 2020, "Gender Bias in Neural Natural Language Processing", section 4) adds
the swapped form of every text that changes; counterfactual data substitution (Hall Maudslay et al. 2019, "It's All in
the Name", section 3.1) swaps each document with probability one half, so that the corpus keeps its size.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from augment.swap.core import Swapper
from augment.swap.settings import SwapRules, SwapSettings, get_rules
from rewriter.corpus.job import RewriterSpec
from rewriter.corpus.results import Summary
from rewriter.corpus.run import CorpusOptions, rewrite_corpus
from rewriter.errors import UsageError
from rewriter.formats.base import Content
from rewriter.model.directory import load_info, resolve
from rewriter.options import one_of
from rewriter.policy import Policy
from rewriter.records import Rewrite

#: swap: every record in its place; cda: records that change once more, swapped; cds: each document by a coin
STRATEGIES = ("swap", "cda", "cds")
#: raised by hand when the same texts come out otherwise
STAGE_VERSION = 2


@dataclass(frozen=True)
class StrategyRewriter:
    """Swaps texts by a strategy, behind the interface of corpus rewriting.

    Attributes:
        swapper: swaps.
        strategy: one of :data:`STRATEGIES`.
        seed: of the coin.
        grouped: which documents the coin chose is known already (:class:`GroupCoin`).
    """

    swapper: Swapper
    strategy: str = "swap"
    seed: int = 1
    grouped: bool = False

    @property
    def language(self) -> SwapRules:
        """The rules, for the gate over bytes."""
        return self.swapper.language

    @property
    def doubles(self) -> bool:
        """Whether the source stays in front of what changes."""
        return self.strategy == "cda"

    def rewrite(self, texts: list[str], *, return_edits: Literal[True]) -> list[Rewrite]:
        """Return one rewrite per text; under ``cds`` without edits where the coin says so."""
        if self.strategy != "cds" or self.grouped:
            return self.swapper.swap(texts, return_edits=True)
        chosen = [flips(text, self.seed) for text in texts]
        swapped = iter(self.swapper.swap([t for t, flip in zip(texts, chosen, strict=True) if flip], return_edits=True))
        return [next(swapped) if flip else Rewrite(text) for text, flip in zip(texts, chosen, strict=True)]


def flips(text: str, seed: int = 1) -> bool:
    """Tell whether a document is swapped under ``cds``: a fair coin from the text and the seed.

    The same text falls the same way wherever it stands and whatever process looks at it.
    """
    key = seed.to_bytes(8, "little", signed=True)
    return bool(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=1, key=key).digest()[0] & 1)


@dataclass(frozen=True)
class GroupCoin:
    """Chooses the documents that ``cds`` swaps, one group alike (a :data:`~rewriter.corpus.engine.Selector`).

    The group stands where a corpus has the language of its records. A document without one has a coin of its own.

    Attributes:
        seed: of the coin.
    """

    seed: int = 1

    def __call__(self, contents: Sequence[Content]) -> list[bool]:
        """Return for every document whether it is swapped."""
        return [flips(content.language or content.text, self.seed) for content in contents]


@dataclass(frozen=True)
class SwapperSpec(RewriterSpec):
    """Which swapper a worker loads.

    Attributes:
        model: bundled name or folder of the edit model that is asked; the bundled one of the language where empty.
        lang: language code.
        settings: direction, names, your own words.
        strategy: one of :data:`STRATEGIES`.
        seed: of the coin of ``cds``.
        policy: what may change.
        group_by: under ``cds`` the column whose value has one coin, so that linked documents are swapped together.

    Raises:
        UsageError: an unknown strategy, or groups under another one than ``cds``.
    """

    model: str = ""
    lang: str = "en"
    settings: SwapSettings = field(default_factory=SwapSettings)
    strategy: str = "swap"
    seed: int = 1
    policy: Policy = field(default_factory=Policy)
    group_by: str | None = None

    def __post_init__(self) -> None:
        one_of(STRATEGIES, strategy=self.strategy)
        if self.group_by is not None and self.strategy != "cds":
            raise UsageError(f"group_by gives documents one coin, and '{self.strategy}' throws none; take cds")

    @property
    def doubles(self) -> bool:
        """Whether records that change are written behind their sources."""
        return self.strategy == "cda"

    def load(self, *, threads: int | None = None) -> Any:
        """Load the swapper; see :class:`augment.swap.Swapper` for what is raised."""
        swapper = Swapper.of(
            self.lang, self.settings, policy=self.policy, model=self.model or None, threads=threads or 1
        )
        return StrategyRewriter(swapper, self.strategy, self.seed, self.group_by is not None)

    def identity(self) -> dict[str, Any]:
        """Return what the output depends on, as JSON values."""
        settings = self.settings
        coin = {"swap seed": self.seed} if self.strategy == "cds" else {}
        return {
            "swap code version": STAGE_VERSION,
            "swap strategy": self.strategy,
            **coin,
            **({} if self.group_by is None else {"swap group": self.group_by}),
            "swap language": self.lang,
            "swap direction": settings.direction,
            "swap names": settings.names,
            "swap own names": [list(pair) for pair in settings.own_names],
            "swap own words": [list(pair) for pair in settings.own_words],
            "swap persons": settings.persons,
            "swap facts": settings.facts,
            "swap titles": settings.titles,
            **({"swap without rules": sorted(settings.without_rules)} if settings.without_rules else {}),
            "policy": self.policy.identity(),
            "model": self._model_identity(),
        }

    def _model_identity(self) -> str:
        if not get_rules(self.lang, self.settings).asks:
            return "none"
        info = load_info(resolve(self.model or self.lang))
        return f"{info.name} {info.identity}"


def swap_corpus(
    inputs: Sequence[str | Path], output: str | Path, *, spec: SwapperSpec, options: CorpusOptions | None = None
) -> Summary:
    """Swap files of any size (text, JSONL, CSV, TSV, Parquet), so that a killed run can be continued.

    Everything outside the swapped words stays byte for byte, as in :func:`rewriter.corpus.run.rewrite_corpus`.

    Args:
        inputs: files, folders, or patterns.
        output: a file for one input, a folder for several.
        spec: what is done.
        options: formats, processes, shards, reports.

    Returns:
        counts; ``changed`` is how many records were swapped, or under ``cda`` added.

    Raises:
        UsageError: the strategy does not go with the unit or the columns, or inputs and output do not fit.
        InputError: an input cannot be read.
        OutputError: the output cannot be written.
        ResumeError: an earlier run had another input, model or option; the message names it.
    """
    options = options or CorpusOptions()
    if spec.strategy == "cda" and options.format.unit == "document":
        raise UsageError(
            "cda writes swapped texts behind their sources: give it lines or paragraphs, no --unit document"
        )
    if spec.group_by is not None:
        columns = replace(options.format, lang_column=spec.group_by)
        options = replace(options, format=columns, select=GroupCoin(spec.seed))
    elif spec.strategy == "cds" and len(options.format.columns) > 1:
        raise UsageError(
            "cds throws a coin for each text; give it one column or group_by, so that no record is swapped by halves"
        )
    return rewrite_corpus(inputs, output, rewriter=spec, options=options)
