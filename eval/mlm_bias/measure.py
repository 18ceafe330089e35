"""The tests of bias and what runs them: a list of models, a list of tests, signed figures with warnings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval.bootstrap import Resampling
from eval.mlm_bias import bec_pro, crows_pairs, disco, gap, gg_bbq, pseudo_perplexity, seat, stereoset, winobias
from eval.mlm_bias.figures import Findings, Measured
from eval.mlm_bias.models import CAUSAL, MASKED, POOLINGS, CausalModel, MaskedModel, kind_of
from eval.mlm_bias.report import short_names
from eval.mlm_bias.sources import find_set
from eval.signature import signature
from rewriter.errors import InputError, UsageError
from rewriter.options import at_least, one_of
from rewriter.registry import did_you_mean


@dataclass(frozen=True, slots=True)
class Measure:
    """A test of bias.

    Attributes:
        kind: of model that it asks, ``masked`` or ``causal``.
        langs: languages of its items.
        warning: of its authors, or of those who examined it.
        run: measures a model, given the file or folder of its items (None: it needs none).
        folder: where its items lie below ``GENDER_FAIR_TESTSETS/bias``; None: made from tables, or by path only.
        needs_path: whether it has items of others, which are not part of this toolkit.
    """

    kind: str
    langs: tuple[str, ...]
    warning: str
    run: Callable[[Any, Path, BiasOptions], Findings]
    folder: str | None = None
    needs_path: bool = True


@dataclass(frozen=True)
class BiasOptions:
    """Options of a measurement.

    Attributes:
        lang: ``en`` or ``de``.
        measures: names of :data:`MEASURES`; none takes all of the language whose items are there.
        paths: of a test, the file or folder of its items, where they do not lie below ``GENDER_FAIR_TESTSETS``.
        texts: files whose pseudo-perplexity per word is measured too.
        words: of each text, so many.
        gap_texts: texts of GAP, so many.
        pooling: how SEAT makes a sentence's vector: ``cls`` (as published) or ``mean``.
        permutations: of the tests of SEAT.
        device: ``cpu``, ``cuda`` ...
        batch_size: sequences at a time.
        resampling: of the intervals.
    """

    lang: str = "en"
    measures: tuple[str, ...] = ()
    paths: Mapping[str, Path] = field(default_factory=dict)
    texts: tuple[Path, ...] = ()
    words: int = 2000
    gap_texts: int = 400
    pooling: str = "cls"
    permutations: int = 100_000
    device: str = "cpu"
    batch_size: int = 64
    resampling: Resampling = field(default_factory=Resampling)

    def __post_init__(self) -> None:
        one_of(POOLINGS, pooling=self.pooling)
        at_least(
            1, words=self.words, gap_texts=self.gap_texts, permutations=self.permutations, batch_size=self.batch_size
        )
        for name in (*self.measures, *self.paths):
            if name not in MEASURES:
                hint = did_you_mean(name, list(MEASURES))
                raise UsageError(f"there is no test of bias '{name}'{hint}; there are {', '.join(MEASURES)}")
        for name in self.measures:
            if self.lang not in MEASURES[name].langs:
                raise UsageError(f"{name} is in {', '.join(MEASURES[name].langs)}, not in '{self.lang}'")


def _bec_pro(model: MaskedModel, _: Path, options: BiasOptions) -> Findings:
    return bec_pro.measure_bec_pro(
        model.name, options.lang, options.resampling, device=options.device, batch_size=options.batch_size
    )


def _crows_pairs(model: MaskedModel, path: Path, options: BiasOptions) -> Findings:
    file = path / "crows_pairs_anonymized.csv" if path.is_dir() else path
    return crows_pairs.measure_crows_pairs(model, file, options.resampling)


def _seat(model: MaskedModel, path: Path, options: BiasOptions) -> Findings:
    return seat.measure_seat(
        model, path, options.resampling, pooling=options.pooling, permutations=options.permutations
    )


def _disco(model: MaskedModel, _: Path, options: BiasOptions) -> Findings:
    return disco.measure_disco(model, options.lang, options.resampling)


def _stereoset(model: MaskedModel, path: Path, options: BiasOptions) -> Findings:
    return stereoset.measure_stereoset(model, path, options.resampling)


def _winobias(model: MaskedModel, path: Path, options: BiasOptions) -> Findings:
    return winobias.measure_winobias(model, path, options.resampling)


def _gap(model: MaskedModel, path: Path, options: BiasOptions) -> Findings:
    return gap.measure_gap(model, path, options.resampling, texts=options.gap_texts)


def _gg_bbq(model: CausalModel, path: Path, options: BiasOptions) -> Findings:
    return gg_bbq.measure_gg_bbq(model, path, options.resampling)


#: the tests by name, in the order of the table
MEASURES: dict[str, Measure] = {
    "bec-pro": Measure(MASKED, ("en", "de"), bec_pro.WARNING, _bec_pro, needs_path=False),
    "disco": Measure(MASKED, ("en", "de"), disco.WARNING, _disco, needs_path=False),
    "crows-pairs": Measure(MASKED, ("en",), crows_pairs.WARNING, _crows_pairs, "en-crows-pairs"),
    "seat": Measure(MASKED, ("en",), seat.WARNING, _seat, "en-seat"),
    "stereoset": Measure(MASKED, ("en",), stereoset.WARNING, _stereoset),
    "winobias": Measure(MASKED, ("en",), winobias.WARNING, _winobias),
    "gap": Measure(MASKED, ("en",), gap.WARNING, _gap),
    "gg-bbq": Measure(CAUSAL, ("de",), gg_bbq.WARNING, _gg_bbq, "de-gg-bbq"),
}


def measure_bias(models: Sequence[str | Path], options: BiasOptions | None = None) -> list[Measured]:
    """Measure models, each by the tests for its kind.

    Args:
        models: folders, or names on the hub; masked and causal ones.
        options: tests, where their items are, resampling.

    Raises:
        ModelError: a model cannot be loaded or measured.
        InputError: the items of a test are missing or not as published.
        UsageError: an option is unknown, or none of the tests is for any of the models.
        MissingExtraError: torch or transformers are not installed.
    """
    options = options or BiasOptions()
    sources = find_sources(options)
    kinds = {str(model): kind_of(model) for model in models}
    for name in options.measures:
        if MEASURES[name].kind not in kinds.values():
            raise UsageError(f"{name} is for {MEASURES[name].kind} language models, and none of these is one")
    found = [measured for model in models for measured in _measure(str(model), kinds[str(model)], sources, options)]
    if not found:
        raise UsageError(f"there is no test in '{options.lang}' for these models; name a test and its items' path")
    return found


def find_sources(options: BiasOptions) -> dict[str, Path]:
    """Return the tests to run with the paths of their items; an empty path for those that need none.

    Raises:
        InputError: a test was asked for by name, and its items are not there.
    """
    found: dict[str, Path] = {}
    for name, measure in MEASURES.items():
        path = options.paths.get(name) or (find_set(measure.folder) if measure.folder else None)
        if name not in (options.measures or MEASURES) or options.lang not in measure.langs:
            continue
        if not measure.needs_path:
            found[name] = Path()
        elif path is not None:
            found[name] = path
        elif name in options.measures:
            raise InputError(f"{name}: its items are not part of this toolkit; pass them with --{name} PATH")
    return found


def _measure(name: str, kind: str, sources: Mapping[str, Path], options: BiasOptions) -> Iterator[Measured]:
    chosen = {test: path for test, path in sources.items() if MEASURES[test].kind == kind}
    if not chosen and not (options.texts and kind == MASKED):
        return
    model: Any = (MaskedModel if kind == MASKED else CausalModel)(
        name, device=options.device, batch_size=options.batch_size
    )
    for test, path in chosen.items():
        yield _signed(test, name, MEASURES[test].run(model, path, options), MEASURES[test].warning, options)
    named = zip(options.texts, text_names(options.texts), strict=True)
    for text, label in named if kind == MASKED else ():
        findings = pseudo_perplexity.measure_pseudo_perplexity(
            model, text, options.resampling, words=options.words, name=label
        )
        yield _signed("pseudo-perplexity", name, findings, pseudo_perplexity.WARNING, options)


def text_names(texts: Sequence[Path]) -> list[str]:
    """Return the texts' names without endings, with as much of their folders as tells them apart."""
    plain = [text.with_name(text.name.removesuffix(".zst").removesuffix(".gz")).with_suffix("") for text in texts]
    return short_names([str(text) for text in plain])


def _signed(test: str, model: str, findings: Findings, warning: str, options: BiasOptions) -> Measured:
    resampling = {"bootstrap": options.resampling.samples, "seed": options.resampling.seed}
    signed = signature(test, lang=options.lang, **findings.fields, n=findings.items, **resampling)
    return Measured(test, model, findings.scores, findings.items, warning, signed, findings.left_out)
