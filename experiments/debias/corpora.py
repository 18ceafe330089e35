"""The corpora of the experiment, from raw text to packed examples; each function is the work of one stage."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from augment.about import AboutGate, term_pattern
from augment.balance.metadata import load_metadata
from augment.balance.reading import Corpus
from augment.balance.run import CountRun, count_into, read_counts, select_into
from augment.balance.select import Target, select
from augment.balance.write import write_balanced
from augment.neutral import NeutralGate
from augment.swap.strategies import SwapperSpec
from experiments.debias.config import DebiasRecipe
from experiments.debias.sections import (
    CDA,
    REWRITTEN,
    STEM,
    UNTOUCHED,
    BalanceConfig,
    ChangeConfig,
    CorpusSpec,
    TextConfig,
)
from rewriter.corpus import CorpusOptions, RewriterSpec, rewrite_corpus
from rewriter.errors import InputError
from rewriter.formats import FormatOptions
from rewriter.io.files import read_lines, write_lines
from rewriter.runs.manifest import Manifest
from rewriter.runs.share import in_share
from train.bert.packing import Encoder, Examples, pack_lines, split_units
from train.bert.run import load_tokenizer
from train.encoder.corpus import interleave

TRAIN, HELD_OUT = "train.txt.zst", "held-out.txt.zst"
#: what perplexity is measured on
HELD_OUT_PARTS = (UNTOUCHED, "rewritten")
_LINES = FormatOptions(format="txt", unit="line")


def finished(folder: Path, name: str, **counts: object) -> None:
    """Leave counts where the runner of stages finds them."""
    Manifest(name, {}, complete=True, counts=dict(counts)).save(folder)


def split_text(recipe: DebiasRecipe, files: Sequence[Path], output: Path) -> None:
    """Write the training and the held-out part of the text, an even mixture of the files.

    Raises:
        InputError: there is too little text for both parts.
    """
    config = recipe.data
    lines: Iterable[str] = interleave(files, np.random.default_rng([config.seed, 31]))
    if config.about:
        lines = _sentences_about(config, recipe.lang, lines)
    finished(output, "text", **_write_parts(config, lines, files, output))


def about_gate(config: TextConfig, lang: str) -> AboutGate:
    """Return what tells whether a text names a term of ``data.about`` and speaks of a gender."""
    metadata = [load_metadata(name, lang=lang) for name in config.about]
    return AboutGate(lang, metadata, gendered=config.about_gendered)


def _sentences_about(config: TextConfig, lang: str, lines: Iterable[str]) -> Iterator[str]:
    gate = about_gate(config, lang)
    for line in filter(gate, lines):
        yield from filter(gate, split_units([line], "sentence", lang))


def _write_parts(config: TextConfig, lines: Iterable[str], files: Sequence[Path], output: Path) -> dict[str, int]:
    parts = _Split(config)
    words = write_lines_counted(output / TRAIN, parts.train(lines))
    held_out = write_lines_counted(output / HELD_OUT, parts.held)
    if not words or not held_out:
        names = ", ".join(path.name for path in files)
        raise InputError(
            f"{names}: too little text for a training and a held-out part ({words} and {held_out} words with "
            f"data.held_out at {config.held_out}); is the corpus empty?"
        )
    return {"words": words, "held_out_words": held_out, "lines": parts.lines}


def neutral_gate(recipe: DebiasRecipe) -> NeutralGate:
    """Return what tells whether no treatment of the recipe touches a line."""
    metadata = [load_metadata(one.metadata, lang=recipe.lang) for one in recipe.balance.values()]
    return NeutralGate(recipe.lang, metadata, names=recipe.names_are_touched)


def stem_gate(recipe: DebiasRecipe) -> Callable[[str], bool]:
    """Return what tells whether a line is one of the stem (``stem.lines``)."""
    assert recipe.stem is not None
    if recipe.stem.lines == "neutral":
        return neutral_gate(recipe)
    about = about_gate(recipe.data, recipe.lang)
    return lambda line: not about(line)


def stem_text(recipe: DebiasRecipe, files: Sequence[Path], run: Path, output: Path) -> None:
    """Write the lines of the stem, without the held-out lines of the corpus.

    Raises:
        InputError: there is too little such text.
    """
    assert recipe.stem is not None
    config = recipe.stem.text()
    gate = stem_gate(recipe)
    known = set(read_lines(run / "text" / HELD_OUT))
    read = 0

    def lines() -> Iterator[str]:
        nonlocal read
        for line in interleave(files, np.random.default_rng([config.seed, 31])):
            read += 1
            if line not in known and gate(line):
                yield line

    finished(output, "neutral", **_write_parts(config, lines(), files, output), lines_read=read)


@dataclass
class _Split:
    """Draws held-out lines, until there are enough words of each part."""

    config: TextConfig
    held: list[str] = field(default_factory=list)
    lines: int = 0

    def train(self, lines: Iterable[str]) -> Iterator[str]:
        rng = np.random.default_rng([self.config.seed, 32])
        left, aside = self.config.words or (1 << 62), self.config.held_out_words
        for line in lines:
            words = len(line.split())
            if rng.random() < self.config.held_out:
                if aside > 0:
                    self.held.append(line)
                    aside -= words
            elif left <= 0:
                return
            else:
                self.lines += 1
                left -= words
                yield line


def write_lines_counted(path: Path, lines: Iterable[str]) -> int:
    """Write lines; return how many words they have."""
    words = 0

    def counted() -> Iterator[str]:
        nonlocal words
        for line in lines:
            words += len(line.split())
            yield line

    write_lines(path, counted())
    return words


def change_spec(config: ChangeConfig, change: str, lang: str) -> RewriterSpec:
    """Return what rewrites or swaps the lines."""
    return RewriterSpec.of(config.model) if change == REWRITTEN else SwapperSpec(config.model, lang=lang)


def change_text(spec: RewriterSpec, processes: int, text: Path, output: Path) -> None:
    """Rewrite both parts of the text, line by line; a killed call goes on where it stood."""
    summary = rewrite_corpus(
        [text / TRAIN, text / HELD_OUT],
        f"{output}/",
        rewriter=spec,
        options=CorpusOptions(format=_LINES, processes=processes, progress=None),
    )
    pairs = zip(read_lines(text / TRAIN), read_lines(output / TRAIN), strict=True)
    changed = sum(old != new for old, new in pairs)  # of the training part; the summary counts both
    finished(output, "change", lines=summary.units, changed=changed, edits=dict(summary.edits), words=summary.words)


def balance_text(config: BalanceConfig, lang: str, processes: int, text: Path, output: Path) -> None:
    """Count the terms of the training part, choose lines, and write the balanced corpus with its report.

    Raises:
        MetricError: nothing was counted, or every term has one category only.
    """
    metadata, options = load_metadata(config.metadata, lang=lang), config.count_options(lang)
    source = _without(config.apart, lang, text / TRAIN, output / "rest") if config.apart else text / TRAIN
    run = CountRun([str(source)], metadata, options, _LINES, processes)
    count_into(run, output / "counts")
    plan = select_into(output / "counts", output, config.ratio, config.threshold, config.select_options())
    if config.apart:
        _put_back(source, text / TRAIN, output)
    outcomes = [plan.outcome(term) for term in range(len(plan.statistics.terms))]
    found = {outcome.replace(" ", "_"): outcomes.count(outcome) for outcome in sorted(set(outcomes))}
    finished(
        output,
        "balance",
        added=plan.added,
        removed=plan.removed,
        targets_known=run.metadata.targets_known,
        **found,
    )


def _without(metadata: str, lang: str, text: Path, folder: Path) -> Path:
    """Write the lines that name no term of the metadata; return their file."""
    terms = term_pattern([load_metadata(metadata, lang=lang)], lang)
    write_lines(folder / TRAIN, (line for line in read_lines(text) if not terms.search(line.lower())))
    return folder / TRAIN


def _put_back(source: Path, text: Path, output: Path) -> None:
    """Add the lines that were kept apart to the balanced corpus, and remove the file of the others."""
    counted = set(read_lines(source))
    balanced = list(read_lines(output / TRAIN))
    write_lines(output / TRAIN, [*balanced, *(line for line in read_lines(text) if line not in counted)])
    shutil.rmtree(source.parent)


def compose(recipe: DebiasRecipe, spec: CorpusSpec, run: Path, output: Path) -> None:
    """Write a corpus of which a share of the lines is changed, in the order of its base.

    With ``cda`` the lines stay, and behind all of them come the counterfactuals of those that swapping changes; beside
    its counterfactual, in one example, a line would give away what is masked in it.
    """
    base, changed = run / base_file(spec.base), run / spec.lines_of / TRAIN
    if spec.base in recipe.balance:
        changed = _as_balanced(recipe.balance[spec.base], run / f"balance/{spec.base}/counts", changed, output)
    taken = total = 0
    adds = spec.change == CDA

    def pairs() -> Iterator[tuple[str, str]]:
        """Yield each line, and what it becomes where it is chosen."""
        for old, new in zip(read_lines(base), read_lines(changed), strict=True):
            yield old, new if in_share(old, spec.share, recipe.change.seed) else old

    def lines() -> Iterator[str]:
        nonlocal taken, total
        for old, new in pairs():
            taken, total = taken + (old != new), total + 1
            yield old if adds else new
        if adds:
            yield from (new for old, new in pairs() if old != new)

    write_lines(output / TRAIN, lines())
    shutil.rmtree(output / "changed", ignore_errors=True)
    finished(output, "compose", lines=total, changed=taken)


def _as_balanced(config: BalanceConfig, counts: Path, changed: Path, output: Path) -> Path:
    """Balance the changed lines as the untouched ones were: the same lines removed or added, in the same order."""
    statistics = read_counts(counts)
    target = Target.parse(config.ratio, len(statistics.categories), config.threshold)
    plan = select(statistics, target, config.select_options())
    (target_file,) = write_balanced(plan, Corpus.find([str(changed)], _LINES), output / "changed")
    return target_file


def base_file(base: str) -> str:
    """Return the training part of a base, below the run's folder."""
    if base == REWRITTEN:
        return f"{REWRITTEN}/{TRAIN}"
    return f"text/{TRAIN}" if base == UNTOUCHED else f"balance/{base}/{TRAIN}"


def corpus_file(spec: CorpusSpec, diets: Collection[str] = ()) -> str:
    """Return the training part of a corpus, below the run's folder."""
    if spec.base in diets:
        return f"diet/{spec.base}/{TRAIN}"
    if not spec.change:
        return base_file(spec.base)
    whole = spec.share == 1 and spec.base in (UNTOUCHED, REWRITTEN) and spec.change != CDA
    return f"{spec.lines_of}/{TRAIN}" if whole else f"corpus/{spec.name}/{TRAIN}"


def pack_corpus_file(recipe: DebiasRecipe, path: Path, tokenizer: Path, output: Path) -> None:
    """Write a corpus as packed examples.

    Raises:
        InputError: there is too little text for one example.
    """
    examples = _packed(recipe, path, tokenizer)
    examples.save(output, "train")
    finished(output, "data", examples=len(examples), pieces=len(examples.tokens))


def pack_held_out(recipe: DebiasRecipe, run: Path, output: Path) -> None:
    """Write the held-out part, untouched and rewritten, as packed examples."""
    counts = {}
    for name, folder in zip(HELD_OUT_PARTS, ("text", "rewritten"), strict=True):
        examples = _packed(recipe, run / folder / HELD_OUT, run / "tokenizer")
        examples.save(output, name)
        counts[name] = len(examples.tokens)
    finished(output, "data", **counts)


def pack_stem(recipe: DebiasRecipe, run: Path, output: Path) -> None:
    """Write both parts of the stem's text as packed examples."""
    counts = {}
    for name, file in (("train", TRAIN), ("held-out", HELD_OUT)):
        examples = _packed(recipe, run / STEM / "text" / file, run / "tokenizer")
        examples.save(output, name)
        counts[name] = len(examples.tokens)
    finished(output, "data", **counts)


def _packed(recipe: DebiasRecipe, path: Path, tokenizer: Path) -> Examples:
    encoder = Encoder(load_tokenizer(tokenizer), recipe.lang)
    examples = pack_lines(read_lines(path), encoder, recipe.packing.config(), recipe.lang)
    if not len(examples):
        raise InputError(
            f"{path}: too little text for one example of {recipe.packing.length} pieces; use more text, or a smaller "
            "packing.length"
        )
    return examples


def take_over(source: Path, output: Path) -> None:
    """Copy the finished output of a stage from another run.

    Raises:
        InputError: there is none.
    """
    files = [path for path in source.glob("*") if path.is_file() and path.suffix in (".npy", ".json", ".txt")]
    kept = [path for path in files if path.name not in ("stage.json", "manifest.json")]
    if not kept:
        raise InputError(f"{source}: nothing to take over; 'prepared' must name the folder of a run that has it")
    for path in kept:
        shutil.copyfile(path, output / path.name)
    finished(output, "taken over", files=len(kept))
