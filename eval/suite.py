"""Scores systems on a folder of sets and makes the table that a paper prints: systems down, sets across.

A folder holds ``NAME.src`` (the biased text), ``NAME.ref`` (the reference), optionally ``NAME.block`` (a label per
line; each label is scored by itself as well) and ``published/NAME.SYSTEM`` (what a published system answered). Doing
nothing and every published output are scored in the same run as ours, with the same settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from eval.ablation import SUFFIXES, Ablation, NeuralShare, neural_share, part_name
from eval.blocks import BlockScore, block_masks, compare_blocks, score_block
from eval.bootstrap import Resampling
from eval.conditions import conditions_of, guard_conditions
from eval.edits import EditReport, count_edits
from eval.significance import Comparison, compare
from eval.texts import read_sentences
from eval.wer import WerResult, check_parallel, wer
from rewriter.errors import InputError, MetricError, UsageError
from rewriter.io.files import file_digest
from rewriter.language.interface import get_language
from rewriter.model.deciders import CONSTANT, GRAMMAR, NETWORK
from rewriter.model.post_edit import PostEditor
from rewriter.pipeline import Rewriter

__all__ = ["EvaluationSet", "Score", "SuiteOptions", "SuiteResult", "run_suite"]

NOTHING = "nothing done"
#: what stands behind the name of a published output that went through our guard
GUARDED = "through our guard"


class Rewrites(Protocol):
    """What can be scored: an object that rewrites a list of texts, as ``rewriter.pipeline.Rewriter`` does."""

    def rewrite(self, texts: list[str], /) -> Any:
        """Return one rewritten text per text."""


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """One set of a folder: the files of its source, reference, labels and published outputs."""

    name: str
    source: Path
    reference: Path
    blocks: Path | None = None
    published: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """A system to be scored.

    Attributes:
        name: what its row is called.
        answer: gives its answers to a set, or None where it has none.
        fingerprint: identity of what answered, for the log of measurements.
        lang: its language; empty where it is not known.
        conditions: fields of the signature: guard, gate, grammar ...
        beside: the row that it stands beside, as a part of it (without its network) or a form of it (a published output
            through our guard); such rows are not tested against published outputs.
        is_part: it is the model ``beside`` without its network.
    """

    name: str
    answer: Callable[[EvaluationSet], list[str] | None]
    fingerprint: str = "-"
    lang: str = ""
    conditions: Mapping[str, str] = field(default_factory=dict)
    beside: str = ""
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class SuiteOptions:
    """How to score.

    Attributes:
        lang: language of the sets.
        tokenizer: name of a tokenizer; ``moses-LANG`` by default.
        case: ``mixed`` or ``lower``.
        resampling: samples, seed and level for intervals and tests.
        sets: names of the sets to score, in the order of the columns; all in order of their names by default.
        save: folder for the answers of our systems, one file ``NAME.SYSTEM`` each.
    """

    lang: str = "en"
    tokenizer: str | None = None
    case: str = "mixed"
    resampling: Resampling = field(default_factory=Resampling)
    sets: Sequence[str] = ()
    save: Path | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """One system on one set.

    Attributes:
        wer: its word error rate.
        edits: what became of every edit.
        blocks: score of each label of the set, then of what the labels have in common (see :mod:`eval.blocks`).
        against: for our systems, the comparison with each published output.
        neural: for our systems that were taken apart: what stood in the network's place -> the network's share.
    """

    wer: WerResult
    edits: EditReport
    blocks: Mapping[str, BlockScore] = field(default_factory=dict)
    against: Mapping[str, Comparison] = field(default_factory=dict)
    neural: Mapping[str, NeuralShare] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """All scores of a run; :mod:`eval.suite_report` prints them.

    Attributes:
        sets: names of the sets, in the order of the columns.
        scores: system -> set -> score; first nothing done, then published systems, then ours.
        ours: our systems and their fingerprints.
        beside: rows of ours that stand beside another: a model without its network, a published output through our
            guard.
    """

    sets: tuple[str, ...]
    scores: Mapping[str, Mapping[str, Score]]
    ours: Mapping[str, str]
    beside: Mapping[str, str] = field(default_factory=dict)

    def part(self, system: str, set_name: str, block: str | None = None) -> WerResult | BlockScore:
        """Return the score of a system on a set, or on one of its blocks."""
        score = self.scores[system][set_name]
        return score.wer if block is None else score.blocks[block]

    def best_published(self, set_name: str, block: str | None = None) -> str | None:
        """Return the published system with the lowest score on a set or block, or None where there is none."""
        rows = [
            name for name in self.scores if name != NOTHING and name not in self.ours and set_name in self.scores[name]
        ]
        return min(rows, key=lambda name: self.part(name, set_name, block).score, default=None)

    def comparisons(self, system: str, set_name: str, block: str | None = None) -> Mapping[str, Comparison]:
        """Return published output -> comparison of one of ours with it, on a set or block."""
        score = self.scores[system][set_name]
        return score.against if block is None else score.blocks[block].against

    def starred(self, system: str, set_name: str, block: str | None = None) -> bool:
        """Return whether one of ours differs from the best published output with p < 0.05."""
        best, against = self.best_published(set_name, block), self.comparisons(system, set_name, block)
        return best in against and against[str(best)].significant()

    def card_scores(self, system: str) -> list[dict[str, Any]]:
        """Return the scores of one system as a model card holds them.

        ``set``, ``score``, ``signature``; where it was taken apart also ``raw``, ``constant`` and ``grammar``, the
        scores of the rows beside it, and ``neural``, what the network is worth.
        """
        beside = {part: part_name(system, part) for part in SUFFIXES if part_name(system, part) in self.scores}
        return [
            {"set": name, "score": round(score.wer.score, 4), "signature": score.wer.signature}
            | {part: round(self.scores[row][name].wer.score, 4) for part, row in beside.items()}
            | ({"neural": {part: _share(share) for part, share in score.neural.items()}} if score.neural else {})
            for name, score in self.scores.get(system, {}).items()
        ]


def _share(share: NeuralShare) -> dict[str, float | None]:
    percent = share.percent
    return {"percent": None if percent is None else round(percent, 2), "p": round(share.test.p_value, 4)}


def run_suite(
    model: str | Path | Rewrites | None,
    folder: str | Path,
    *,
    hypotheses: str | Path | None = None,
    options: SuiteOptions | None = None,
    ablation: Ablation | None = None,
) -> SuiteResult:
    """Score a model, or answers that are there already, on every set of a folder.

    Args:
        model: a model directory or bundled name, an object with ``rewrite``, or None.
        folder: the folder of sets.
        hypotheses: a folder with answers in files ``NAME.SYSTEM``; every SYSTEM is a row of its own.
        options: language, tokenizer, resampling, choice of sets.
        ablation: how the model is measured: guard on or off, its parts beside it.

    Raises:
        InputError: the folder has no sets, or a file is not UTF-8.
        MetricError: a file has another number of lines than its set, or a reference is empty.
        ModelError: there is no such model.
    """
    options = options or SuiteOptions()
    sets = find_sets(folder, options.sets)
    entries = [] if model is None else model_entries(model, ablation=ablation)
    if hypotheses is not None:
        entries += hypothesis_entries(hypotheses, sets)
    return score_entries(entries, sets, options)


def score_entries(
    entries: Sequence[Entry], sets: Sequence[EvaluationSet], options: SuiteOptions | None = None
) -> SuiteResult:
    """Score several systems of ours beside doing nothing and the published outputs.

    Raises:
        UsageError: two systems have the same name.
        MetricError: a system gave another number of answers than the set has sentences.
    """
    options = options or SuiteOptions()
    published = sorted({system for one in sets for system in one.published})
    names = [NOTHING, *published, *(entry.name for entry in entries)]
    if len(set(names)) < len(names):
        raise UsageError(f"two systems have the same name among {', '.join(names)}; give ours another: NAME=MODEL")
    scores: dict[str, dict[str, Score]] = {name: {} for name in names}
    for one in sets:
        for name, score in _score_set(one, entries, options).items():
            scores[name][one.name] = score
    return SuiteResult(
        sets=tuple(one.name for one in sets),
        scores={name: row for name, row in scores.items() if row},
        ours={entry.name: entry.fingerprint for entry in entries if scores[entry.name]},
        beside={entry.name: entry.beside for entry in entries if entry.beside},
    )


def find_sets(folder: str | Path, names: Iterable[str] = ()) -> list[EvaluationSet]:
    """Return the sets of a folder: all in order of their names, or those named, in that order.

    Raises:
        InputError: the folder has none, one that was named is missing, or a source has no reference.
    """
    folder = Path(folder)
    found = {path.name.removesuffix(".src"): path for path in sorted(folder.glob("*.src"))}
    if not found:
        raise InputError(f"{folder}: no sets here; a set is a file NAME.src with a file NAME.ref beside it")
    missing = [name for name in names if name not in found]
    if missing:
        raise InputError(f"{folder}: there is no set '{missing[0]}'; there are {', '.join(found)}")
    outputs = _named_outputs(folder / "published", found)
    return [_evaluation_set(found[name], outputs.get(name, {})) for name in list(names) or found]


def model_entry(model: str | Path | Rewrites, name: str | None = None) -> Entry:
    """Return the entry of a model directory, a bundled name, or an object that rewrites.

    Raises:
        ModelError: there is no such model.
    """
    return model_entries(model, name)[0]


def model_entries(
    model: str | Path | Rewrites, name: str | None = None, *, ablation: Ablation | None = None
) -> list[Entry]:
    """Return the entry of a model, and those of its parts where they are asked for.

    Args:
        model: a model directory, a bundled name, or an object that rewrites; the last has no parts.
        name: what its row is called.
        ablation: how it is measured.

    Raises:
        ModelError: there is no such model.
    """
    if not isinstance(model, (str, Path)):
        return [_rewriter_entry(model, name or "ours")]
    found = (ablation or Ablation()).load(model)
    name = name or next(iter(found.values())).info.name
    entries = {part: _rewriter_entry(rewriter, part_name(name, part)) for part, rewriter in found.items()}
    whole = entries.pop(NETWORK)
    return [whole, *(replace(e, beside=name, is_part=part in (CONSTANT, GRAMMAR)) for part, e in entries.items())]


def _rewriter_entry(model: Rewrites, name: str) -> Entry:
    identity = str(getattr(getattr(model, "info", None), "identity", "-"))
    if not isinstance(model, Rewriter):
        return Entry(name, _answers_of(model), identity)
    return Entry(name, _answers_of(model), identity, model.info.lang, conditions_of(model))


def guarded_entries(sets: Sequence[EvaluationSet], lang: str) -> list[Entry]:
    """Return an entry for every published output as it comes out behind our guard.

    Args:
        sets: with their published outputs.
        lang: language of the sets.

    Raises:
        UsageError: there is no such language.
    """
    editor, conditions = PostEditor(get_language(lang)), guard_conditions(lang, "strict", gate=True)

    def entry(system: str) -> Entry:
        files = {one.name: one.published[system] for one in sets if system in one.published}

        def answer(one: EvaluationSet) -> list[str] | None:
            if one.name not in files:
                return None
            return [r.text for r in editor.edit(read_sentences(one.source), read_sentences(files[one.name]))]

        return Entry(f"{system}, {GUARDED}", answer, _files_identity(files), lang, conditions, beside=system)

    return [entry(system) for system in sorted({system for one in sets for system in one.published})]


def hypothesis_entries(folder: str | Path, sets: Sequence[EvaluationSet]) -> list[Entry]:
    """Return an entry for every system that has files ``NAME.SYSTEM`` in a folder.

    Raises:
        InputError: the folder holds no answers to any of the sets.
    """
    outputs = _named_outputs(Path(folder), [one.name for one in sets])
    systems = sorted({system for files in outputs.values() for system in files})
    if not systems:
        raise InputError(f"{folder}: no answers here; they are files NAME.SYSTEM, NAME being one of the sets")
    return [
        _file_entry(system, {name: files[system] for name, files in outputs.items() if system in files})
        for system in systems
    ]


def _evaluation_set(source: Path, published: Mapping[str, Path]) -> EvaluationSet:
    reference, blocks = source.with_suffix(".ref"), source.with_suffix(".block")
    if not reference.is_file():
        raise InputError(f"{source}: there is no reference {reference.name} beside it")
    return EvaluationSet(source.stem, source, reference, blocks if blocks.is_file() else None, published)


def _named_outputs(folder: Path, sets: Iterable[str]) -> dict[str, dict[str, Path]]:
    """Return set -> system -> file for the files ``NAME.SYSTEM`` of a folder; the longest fitting NAME counts."""
    outputs: dict[str, dict[str, Path]] = {}
    longest_first = sorted(sets, key=len, reverse=True)
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        owner = next((name for name in longest_first if path.name.startswith(f"{name}.")), None)
        if owner is not None and path.is_file() and path.suffix not in (".src", ".ref", ".block"):
            outputs.setdefault(owner, {})[path.name.removeprefix(f"{owner}.")] = path
    return outputs


def _file_entry(system: str, files: Mapping[str, Path]) -> Entry:
    return Entry(
        system, lambda one: read_sentences(files[one.name]) if one.name in files else None, _files_identity(files)
    )


def _files_identity(files: Mapping[str, Path]) -> str:
    from rewriter.runs.manifest import fingerprint

    return f"output:{fingerprint({name: file_digest(path) for name, path in files.items()})[:16]}"


def _answers_of(model: Rewrites) -> Callable[[EvaluationSet], list[str]]:
    return lambda one: list(model.rewrite(read_sentences(one.source)))


def _score_set(one: EvaluationSet, entries: Sequence[Entry], options: SuiteOptions) -> dict[str, Score]:
    """Score nothing done, the published outputs and ours on one set."""
    texts = {"source": read_sentences(one.source), "reference": read_sentences(one.reference)}
    published = {system: read_sentences(path) for system, path in one.published.items()}
    scores = {name: _score(one, name, texts, answers, options) for name, answers in published.items()}
    parts: dict[str, list[Entry]] = {}
    scores = {NOTHING: _score(one, NOTHING, texts, texts["source"], options), **scores}
    for entry in entries:
        answers = entry.answer(one)
        if answers is None:
            continue
        if options.save is not None:
            _save(options.save / f"{one.name}.{entry.name.replace(', ', '-').replace(' ', '-')}", answers)
        score = _score(one, entry.name, texts, answers, options, entry.conditions)
        scores[entry.name] = score if entry.beside else _against(score, scores, published, options.resampling)
        if entry.is_part:
            parts.setdefault(entry.beside, []).append(entry)
    for name, found in parts.items():
        scores[name] = replace(scores[name], neural=_shares(scores, name, found, options.resampling))
    return scores


def _against(score: Score, scores: Mapping[str, Score], published: Iterable[str], resampling: Resampling) -> Score:
    """Return a score of ours with its comparisons with published outputs."""
    against = {
        system: compare(system=score.wer, baseline=scores[system].wer, resampling=resampling) for system in published
    }
    blocks = compare_blocks(score.blocks, {name: scores[name].blocks for name in published}, resampling)
    return replace(score, blocks=blocks, against=against)


def _shares(
    scores: Mapping[str, Score], model: str, parts: Sequence[Entry], resampling: Resampling
) -> dict[str, NeuralShare]:
    """Return what the network of a model is worth against each of what stood in its place."""
    whole, nothing = scores[model].wer, scores[NOTHING].wer
    return {
        str(part.conditions["decides"]).partition("-")[0]: neural_share(
            model=whole, without=scores[part.name].wer, nothing=nothing, resampling=resampling
        )
        for part in parts
    }


def _score(
    one: EvaluationSet,
    system: str,
    texts: Mapping[str, list[str]],
    answers: list[str],
    options: SuiteOptions,
    conditions: Mapping[str, str] | None = None,
) -> Score:
    """Score one system on one set; an error names both."""
    try:
        result = wer(
            hypothesis=answers,
            reference=texts["reference"],
            lang=options.lang,
            tokenizer=options.tokenizer,
            case=options.case,
            resampling=options.resampling,
            conditions=conditions,
        )
        edits = count_edits(**texts, hypothesis=answers, lang=options.lang, tokenizer=options.tokenizer)
        return Score(result, edits, _block_scores(one, result, options.resampling))
    except MetricError as error:
        raise MetricError(f"{one.name}, {system}: {error}") from None


def _block_scores(one: EvaluationSet, result: WerResult, resampling: Resampling) -> dict[str, BlockScore]:
    if one.blocks is None:
        return {}
    labels = read_sentences(one.blocks)
    check_parallel(blocks=labels, references=[""] * len(result.errors))
    return {name: score_block(result, mask, resampling) for name, mask in block_masks(labels).items()}


def _save(path: Path, answers: Iterable[str]) -> None:
    from rewriter.io.files import write_lines

    write_lines(path, answers)
