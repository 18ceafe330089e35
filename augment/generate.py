"""Pairs from monolingual text: select sentences, parse them, apply a strategy's rules, write shards of pairs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy

from augment import languages
from augment.complement import Complement, ForwardOptions
from augment.copying import COPYING, copy_drill
from augment.dependency import Parse, load_parser
from augment.languages import AugmentLanguage, RuleResult
from augment.select import Bounds, LineSentence, Selector, Wanted, sampling_rates
from augment.sources import data_card, find_inputs
from augment.teacher import DISTILLED, TAUGHT, Teacher, TeacherOptions
from augment.treebank import is_treebank, parses
from eval.reading.gold import load_gold
from lexicons.loader import LEXICON_VERSION
from rewriter.errors import GenderFairError, UsageError
from rewriter.faults import each
from rewriter.io.files import file_digest
from rewriter.language.interface import get_language
from rewriter.model.directory import load_info, resolve
from rewriter.records import Pair
from rewriter.runs import recipes
from rewriter.runs.manifest import Manifest, fingerprint
from rewriter.runs.shards import RawLine, ShardContext, ShardOptions, ShardTask, map_shards

__all__ = ["GenerateConfig", "generate"]

#: raised by hand when the pairs that come out change
STAGE_VERSION = 3
STRATEGIES = ("forward", "backward")
#: sentences without anything to rewrite, as pairs of a text and itself; needs no parser
NEUTRAL = "neutral"
#: such sentences with a word that looks gendered and must stay; needs no parser either
LOOK_ALIKE = "look-alike"
UNPARSED = (NEUTRAL, LOOK_ALIKE, COPYING, *TAUGHT)
FORMATS = ("jsonl.zst", "jsonl.gz", "jsonl", "parquet")
_BATCH = 512


@dataclass(frozen=True)
class GenerateConfig:
    """What pairs are made from what.

    Attributes:
        strategy: ``forward`` (gendered text is the source) or ``backward`` (fair text is the target).
        inputs: text files, folders or globs.
        lang: language code.
        exclude: globs over file names, or ``licence:`` and a glob over the licence in ``MANIFEST.tsv``.
        hold_out: files of stand-off records (:mod:`eval.reading.gold`); the lines that they name are not read, since
            what is measured on them would else be known.
        parser: spaCy pipeline by name or folder.
        sentences: about how many sentences are parsed; None takes all candidates.
        max_share: largest part of the sample from one file.
        min_words: shortest sentence.
        max_words: longest sentence.
        seed: of sample and rules.
        processes: worker processes, each with its own pipeline; not part of the identity.
        shard_lines: input lines per shard; the unit that is repeated after an interruption.
        format: of the output files.
        options: of the strategy (for ``backward`` in English: ``forms``, ``double_rate`` ...; for ``forward``:
            ``sources``).
    """

    strategy: str
    inputs: list[str]
    lang: str = "en"
    exclude: list[str] = field(default_factory=list)
    hold_out: list[str] = field(default_factory=list)
    parser: str = ""
    sentences: int | None = None
    max_share: float = 0.25
    min_words: int = 2
    max_words: int = 80
    seed: int = 1
    processes: int = 1
    shard_lines: int = 20_000
    format: str = "jsonl.zst"
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rules = languages.get(self.lang)
        known = (*STRATEGIES, *UNPARSED, *rules.unparsed, *rules.parsed)
        if self.strategy not in known:
            raise UsageError(f"unknown strategy '{self.strategy}' for '{self.lang}'; known: {', '.join(known)}")
        if self.format not in FORMATS:
            raise UsageError(f"unknown format '{self.format}'; known: {', '.join(FORMATS)}")
        if not self.parser and needs_parser(self.strategy, self.lang, self.inputs):
            raise UsageError(f"the strategy '{self.strategy}' needs a parser: the name or folder of a spaCy pipeline")

    @property
    def bounds(self) -> Bounds:
        """Sentence lengths."""
        return Bounds(min_words=self.min_words, max_words=self.max_words)


def generate(config: GenerateConfig, *, output: Path, fresh: bool = False) -> Manifest:
    """Make pairs into ``output`` (``pairs-*.jsonl.zst``, ``stats.json``, ``rejects.jsonl``, ``manifest.json``).

    An interrupted run is continued; the result does not depend on the number of processes.

    Args:
        config: what to make.
        output: folder.
        fresh: begin anew where another run's result stands.

    Raises:
        UsageError: unknown strategy, language or option.
        InputError: an input is missing or damaged.
        ParserError: the pipeline is missing or its labels fit no scheme.
        ResumeError: ``output`` belongs to another run.
        WorkerError: a worker process died.
    """
    paths = find_inputs(config.inputs, config.exclude)
    strategy_options(config)  # a misspelt option is told before anything is loaded
    task = ShardTask(
        stage=config.strategy,
        version=STAGE_VERSION,
        factory=make_worker,
        options=_identity(config),
        setup={
            "parser_path": config.parser,
            "teacher_path": config.options.get("model", "") if config.strategy in TAUGHT else "",
            "sample_seed": config.seed,
            "held": held_lines(config.hold_out),
        },
        suffix=f".{config.format}",
    )
    shards = ShardOptions(lines=config.shard_lines, processes=config.processes, seed=config.seed)
    manifest = map_shards(
        task, paths, output=output, options=shards, fresh=fresh, prepare=lambda: {"rates": _rates(config, paths)}
    )
    if "data" not in manifest.notes:
        manifest.notes["data"] = data_card(paths)
        manifest.save(output)
    return manifest


def reads_parses(strategy: str, lang: str) -> bool:
    """Return True if a strategy of a language reads parses, so that text needs a parser."""
    return strategy in (*STRATEGIES, *languages.get(lang).parsed)


def needs_parser(strategy: str, lang: str, inputs: Sequence[str]) -> bool:
    """Return True if a strategy needs a parser for its inputs; treebanks bring their parses."""
    if strategy in languages.get(lang).parsed and all(map(is_treebank, inputs)):
        return False
    return reads_parses(strategy, lang)


def strategy_options(config: GenerateConfig) -> Any:
    """Return the options of the strategy as its own dataclass, or None where it has none.

    Raises:
        UsageError: an option is unknown or has the wrong type.
    """
    where = f"options of '{config.strategy}'"
    if config.strategy not in (*STRATEGIES, *TAUGHT):
        if config.options:
            raise UsageError(f"{where}: it has none, but got {', '.join(config.options)}")
        return None
    schema = TeacherOptions if config.strategy in TAUGHT else ForwardOptions
    if config.strategy == "backward":
        schema = languages.get(config.lang).BackwardOptions
    try:
        return recipes.build(schema, config.options, where=where)
    except GenderFairError as error:
        raise UsageError(str(error)) from None


def teacher_identity(config: GenerateConfig) -> dict[str, Any]:
    """Return the strategy's options with what tells one teacher from another for its path; empty where nobody teaches.

    Raises:
        ModelError: there is no such model.
    """
    if config.strategy not in TAUGHT:
        return {}
    identity = load_info(resolve(strategy_options(config).model)).identity
    return {"options": {**config.options, "model": identity}}


def _identity(config: GenerateConfig) -> dict[str, Any]:
    """Return what the pairs depend on beside the inputs; paths are replaced by what stands there."""
    left_out = ("inputs", "exclude", "hold_out", "parser", "processes", "shard_lines", "format", "seed")
    values = {key: value for key, value in asdict(config).items() if key not in left_out}
    held = {"held out": fingerprint(sorted(held_lines(config.hold_out)))} if config.hold_out else {}
    values |= held | teacher_identity(config)
    return values | {"parser": parser_identity(config.parser), "lexicon": LEXICON_VERSION}


def held_lines(paths: Sequence[str]) -> frozenset[tuple[str, int]]:
    """Return (base name of the file, line) of everything that files of stand-off records name.

    Raises:
        InputError: one of them cannot be read.
    """
    return frozenset((Path(gold.file).name, gold.line) for path in paths for gold in load_gold(Path(path)))


def parser_identity(name_or_path: str) -> str:
    """Return what tells one pipeline from another: a digest of its folder's files, or name and version."""
    folder = Path(name_or_path)
    if not name_or_path:
        return ""
    if not folder.is_dir():
        return _package_version(name_or_path)
    if (folder / "pipeline").is_dir():
        folder = folder / "pipeline"
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    return fingerprint({str(p.relative_to(folder)): file_digest(p) for p in files})


def _package_version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return name


def _rates(config: GenerateConfig, paths: Sequence[Path]) -> dict[str, float]:
    selector = Selector(get_language(config.lang).segment, wanted(config.lang, config.strategy), config.bounds)
    texts = [path for path in paths if not is_treebank(path.name)]
    return sampling_rates(texts, selector, sample=config.sentences, max_share=config.max_share)


def wanted(lang: str, strategy: str) -> Wanted:
    """Return the cheap test whether a sentence is a candidate; ``neutral`` are those that no strategy wants."""
    rules = languages.get(lang)
    if strategy in TAUGHT:
        return get_language(lang).gate
    if strategy in (NEUTRAL, COPYING):
        return lambda text: not any(rules.candidates(text, name) for name in STRATEGIES)
    return lambda text: rules.candidates(text, strategy)


def make_worker(values: Mapping[str, Any]) -> Worker:
    """Make the worker of a process from the task's options and set-up; loads the pipeline."""
    names = ("strategy", "lang", "min_words", "max_words", "options")
    config = GenerateConfig(inputs=[], parser=values["parser_path"], **{name: values[name] for name in names})
    if values["teacher_path"]:
        config = replace(config, options={**config.options, "model": values["teacher_path"]})
    selector = Selector(
        get_language(config.lang).segment,
        wanted(config.lang, config.strategy),
        config.bounds,
        values["rates"],
        values["sample_seed"],
        values["held"],
    )
    if not config.parser or not reads_parses(config.strategy, config.lang):
        return Worker(config, selector, None)
    return Worker(config, selector, load_parser(config.parser).parse_all)


class Worker:
    """Turns the lines of a shard into pairs."""

    def __init__(
        self, config: GenerateConfig, selector: Selector, parse: Callable[[Iterable[str]], Iterable[Parse]] | None
    ) -> None:
        self.config, self.selector, self.parse = config, selector, parse
        self.rules: AugmentLanguage = languages.get(config.lang)
        self.language = get_language(config.lang)
        self.options = strategy_options(config)
        whole = config.strategy == DISTILLED
        self.teacher = Teacher(self.options, whole=whole) if config.strategy in TAUGHT else None
        has_versions = isinstance(self.options, ForwardOptions) and self.options != ForwardOptions()
        self.complement = Complement(self.options, config.lang) if has_versions else None

    def __call__(self, lines: Iterator[RawLine], context: ShardContext) -> Iterator[Pair]:
        """Yield the pairs of a shard in the order of its sentences."""
        if self.config.strategy in self.rules.parsed and is_treebank(context.shard.name):
            yield from self._gold(lines, context)
            return
        sentences = self.selector(lines, context)
        while batch := list(islice(sentences, _BATCH)):
            if self.teacher is not None:
                yield from self._taught(batch, self.teacher, context)
                continue
            if self.parse is None:
                for sentence in batch:
                    yield from self._unparsed(sentence, context)
                continue
            for sentence, parse in zip(batch, self._parsed(batch, self.parse, context), strict=True):
                if parse is None:
                    continue
                context.counts["words parsed"] += len(sentence.text.split())
                results = partial(self.results, parse, context.rng)
                yield from self._pairs(sentence, results, context)

    def _taught(self, batch: Sequence[LineSentence], teacher: Teacher, context: ShardContext) -> Iterator[Pair]:
        answers = context.sound((sentence.line for sentence in batch), each(teacher, batch))
        for sentence, results in zip(batch, answers, strict=True):
            if results is not None:
                yield from self._pairs(sentence, partial(list, results), context, before=sentence.before)

    @staticmethod
    def _parsed(
        batch: Sequence[LineSentence], parse: Callable[[Iterable[str]], Iterable[Parse]], context: ShardContext
    ) -> Iterator[Parse | None]:
        """Yield the parse of every sentence; None for one that the parser cannot be given."""
        parses = each(lambda some: parse([sentence.text for sentence in some]), batch)
        return context.sound((sentence.line for sentence in batch), parses)

    def _gold(self, lines: Iterator[RawLine], context: ShardContext) -> Iterator[Pair]:
        """Yield the pairs of the sentences of a treebank; one that a shard cuts in two is left out."""
        rule = self.rules.parsed[self.config.strategy]
        decoded = ((number, data.decode("utf-8")) for number, data in lines)
        for number, parse in parses(decoded, where=context.shard.name):
            context.counts["selected"] += 1
            yield from self._pairs(LineSentence(parse.text, number), partial(rule, parse, True), context)

    def _unparsed(self, sentence: LineSentence, context: ShardContext) -> Iterator[Pair]:
        rule = self.rules.unparsed.get(self.config.strategy)
        if rule is not None:
            yield from self._pairs(sentence, lambda: rule(sentence.text, context.rng), context)
            return
        origin = f"{context.shard.name}:{sentence.line}"
        text, strategy = sentence.text, "copy"
        if self.config.strategy == LOOK_ALIKE:
            result = context.attempt(sentence.line, self.rules.look_alike, text, context.rng)
            if result is None:
                return
            if result.dropped:
                context.counts[f"dropped: {result.dropped}"] += 1
                return
            count(result, context.counts)
            text, strategy = result.target, LOOK_ALIKE
        elif self.config.strategy == COPYING:
            text, strategy = copy_drill(text, context.rng), COPYING
            if text == sentence.text or self.language.gate(text):
                context.counts["dropped: no place for what must be copied"] += 1
                return
        yield Pair(text, text, self.config.lang, strategy, "neutral", origin)

    def _pairs(
        self,
        sentence: LineSentence,
        rule: Callable[[], Sequence[RuleResult]],
        context: ShardContext,
        *,
        before: str = "",
    ) -> Iterator[Pair]:
        results = context.attempt(sentence.line, rule)
        made: set[tuple[str, str]] = set()
        for result in results or ():
            if result.dropped:
                context.counts[f"dropped: {result.dropped}"] += 1
                continue
            if (result.source, result.target) in made:  # one pronoun: the mixed form repeats one of the others
                context.counts["repeats another form"] += 1
                continue
            made.add((result.source, result.target))
            count(result, context.counts)
            origin = f"{context.shard.name}:{sentence.line}"
            yield Pair(
                result.source,
                result.target,
                self.config.lang,
                self.config.strategy,
                result.form,
                origin,
                result.doubtful,
                before,
            )

    def results(self, parse: Parse, rng: numpy.random.Generator) -> Sequence[RuleResult]:
        """Apply the strategy's rules to one parse."""
        rule = self.rules.parsed.get(self.config.strategy)
        if rule is not None:
            return rule(parse, False)
        if self.config.strategy == "forward":
            made = [self.rules.forward(parse)]
            return made if self.complement is None else self.complement(made)
        return self.rules.backward(parse, self.options, rng)


def count(result: RuleResult, counts: Counter[str]) -> None:
    """Add one pair and the rules that made it to ``counts``."""
    counts[f"form: {result.form}"] += 1
    counts["doubtful pairs"] += bool(result.doubtful)
    for rule, times in result.statistics.items():
        counts[f"rule: {rule}"] += times


def explain(text: str, config: GenerateConfig) -> list[RuleResult]:
    """Return what the strategy makes of one text, with the edits and their rules.

    Raises:
        ParserError: the pipeline is missing or its labels fit no scheme.
        UsageError: the strategy needs a pipeline and none is given.
    """
    rng = numpy.random.default_rng(config.seed)
    rule = languages.get(config.lang).unparsed.get(config.strategy)
    if rule is not None:
        return list(rule(text, rng))
    if not config.parser:
        raise UsageError(f"the strategy '{config.strategy}' needs a parser: the name or folder of a spaCy pipeline")
    parser = load_parser(config.parser)
    selector = Selector(get_language(config.lang).segment, wanted(config.lang, config.strategy))
    worker = Worker(config, selector, parser.parse_all)
    return list(worker.results(parser.parse(text), rng))


def describe(manifest: Manifest, output: Path) -> str:
    """Return a few lines about a finished run for people."""
    stats = json.loads((output / "stats.json").read_text(encoding="utf-8"))
    counts = stats["counts"]
    words = counts.get("words parsed", 0)
    speed = f", {words / manifest.seconds:,.0f} words parsed a second" if words and manifest.seconds else ""
    lines = [
        f"{stats['written']:,} pairs from {counts.get('selected', 0):,} sentences, chosen of "
        f"{counts.get('candidates', 0):,} candidates in {counts.get('lines looked at', 0):,} of {stats['lines']:,} "
        f"lines; {manifest.seconds:.0f} s{speed}"
    ]
    for group in ("form: ", "dropped: ", "rule: "):
        found = {key[len(group) :]: value for key, value in counts.items() if key.startswith(group)}
        ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
        if ordered:
            lines.append(f"{group}" + ", ".join(f"{name} {value:,}" for name, value in ordered))
    return "\n".join(lines)
