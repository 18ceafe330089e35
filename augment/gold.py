"""Pairs from read sentences: stand-off records with their text, as training data.

What no outcome of a candidate gives teaches an edit model nothing: such a word gets no label, the others of its
sentence do, and a sentence without any is left out and counted. That is found out anew each time, whatever was marked
when the target was read back: the tables grow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from glob import glob
from pathlib import Path
from typing import Any

from augment.generate import held_lines
from augment.sources import data_card, find_inputs
from eval.reading.context import in_context, sentences_before
from eval.reading.gold import FoundSentence, GoldSentence, find_sentences, load_gold, replay
from lexicons.loader import LEXICON_VERSION
from rewriter.errors import InputError, UsageError
from rewriter.io.files import file_digest, write_json, write_pairs
from rewriter.language.candidates import Candidate
from rewriter.language.interface import Language, get_language
from rewriter.model.alignment import match_outcomes
from rewriter.model.proposer import analyze
from rewriter.options import positive
from rewriter.records import Pair
from rewriter.runs.manifest import Manifest, fingerprint
from rewriter.runs.resume import run_in

__all__ = ["GoldConfig", "make_gold"]

Span = tuple[int, int]

#: raised by hand when the pairs that come out change
STAGE_VERSION = 3
#: strategy of the pairs, by which a mixture weighs them
GOLD = "gold"
PAIRS = "pairs-00000.jsonl.zst"


@dataclass(frozen=True)
class GoldConfig:
    """Which read sentences are training data.

    Attributes:
        files: files of stand-off records, folders of them (``.jsonl``) or globs.
        lang: language code.
        language: settings of the language under which the pairs are made (``reader: model``).
        weight: how often each sentence is taken in the mixture.
        exclude: globs over the names of the texts, or ``licence:`` and a glob over their licence.
        hold_out: files of records that are measured on; a sentence of one of their lines is left out.
        limit: so many sentences, the first by their digests, for learning curves; None takes all.
        readers: who read them, for the model card.
    """

    files: list[str] = field(default_factory=list)
    lang: str = "en"
    language: dict[str, Any] = field(default_factory=dict)
    weight: float = 1.0
    exclude: list[str] = field(default_factory=list)
    hold_out: list[str] = field(default_factory=list)
    limit: int | None = None
    readers: str = ""

    def __post_init__(self) -> None:
        positive(weight=self.weight)
        if not self.files:
            raise UsageError("name the files of read sentences in 'files'")
        if self.limit is not None and self.limit < 0:
            raise UsageError(f"limit must not be negative, not {self.limit}")


def gold_files(patterns: Sequence[str]) -> list[Path]:
    """Return the files of records that patterns name, each once, in order.

    Raises:
        InputError: a pattern names none.
    """
    found: dict[Path, None] = {}
    for pattern in patterns:
        path = Path(pattern)
        files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path] if path.is_file() else []
        files = files or [Path(name) for name in sorted(glob(pattern)) if Path(name).is_file()]  # noqa: PTH207
        if not files:
            raise InputError(f"{pattern}: no file of read sentences, and no folder or glob that holds any")
        found |= dict.fromkeys(files)
    return list(found)


def make_gold(config: GoldConfig, *, data: Path, output: Path, fresh: bool = False) -> Manifest:
    """Write the pairs of read sentences into ``output`` (``pairs-00000.jsonl.zst``, ``stats.json``, ``manifest.json``).

    Args:
        config: which sentences.
        data: the data folder that their texts lie in.
        output: folder.
        fresh: begin anew where another run's result stands.

    Raises:
        InputError: a file is missing, or a text is another version than the one that was read.
        ResumeError: ``output`` belongs to another run.
    """
    with run_in(output, GOLD, gold_identity(config), fresh=fresh) as run:
        if run.is_done:
            return run.manifest
        counts: Counter[str] = Counter()
        records = chosen_records(config, data, counts)
        language = get_language(config.lang, **config.language)
        write_pairs(output / PAIRS, gold_pairs(find_sentences(records, data), language, counts))
        run.manifest.counts = dict(counts)
        run.manifest.notes["data"] = data_card(gold_texts(config, data))
        write_json(output / "stats.json", {"stage": GOLD, "counts": dict(counts)})
    return run.manifest


def gold_identity(config: GoldConfig) -> dict[str, Any]:
    """Return what the pairs depend on; the texts are those that the digests in the records name."""
    values = {k: v for k, v in asdict(config).items() if k not in ("files", "hold_out", "weight", "readers")}
    files = {f"file {path.name}": file_digest(path) for path in gold_files(config.files)}
    held = {"held out": fingerprint(sorted(held_lines(config.hold_out)))} if config.hold_out else {}
    return {"stage version": STAGE_VERSION, "lexicon": LEXICON_VERSION} | values | files | held


def gold_texts(config: GoldConfig, data: Path) -> list[Path]:
    """Return the texts that the records are about, less the excluded ones, sorted by name.

    Raises:
        InputError: a file of records is missing.
    """
    names = {record.file for path in gold_files(config.files) for record in load_gold(path)}
    paths = [data / name for name in sorted(names)]
    return find_inputs(paths, config.exclude) if paths else []


def chosen_records(config: GoldConfig, data: Path, counts: Counter[str]) -> list[GoldSentence]:
    """Return the records to make pairs of; what is left out is added to ``counts``.

    Of several readings of a sentence the first counts.
    """
    held = held_lines(config.hold_out)
    texts = {text.relative_to(data).as_posix() for text in gold_texts(config, data)}
    kept: dict[tuple[str, int, int, int], GoldSentence] = {}
    for record in (record for path in gold_files(config.files) for record in load_gold(path)):
        reason = _left_out(record, held, texts, kept)
        if reason:
            counts[f"left out: {reason}"] += 1
        else:
            kept[record.place] = record
    ordered = sorted(kept.values(), key=lambda record: (record.digest, record.place))
    taken = ordered[: config.limit]
    counts["left out: over the limit"] += len(ordered) - len(taken)
    return taken


def _left_out(
    record: GoldSentence, held: frozenset[tuple[str, int]], texts: set[str], kept: Iterable[tuple[str, int, int, int]]
) -> str:
    """Return why a record gives no pair, or nothing."""
    if record.edits is None:
        return "not read"
    if (Path(record.file).name, record.line) in held:
        return "held out"
    if record.file not in texts:
        return "excluded"
    return "read again" if record.place in kept else ""


def gold_pairs(sentences: Iterable[FoundSentence], language: Language, counts: Counter[str]) -> Iterator[Pair]:
    """Yield the pairs of read sentences; counts those that change, stay, or hold words outside the candidates."""
    for found in sentences:
        candidates = analyze(language, in_context(found, language)).candidates
        target, doubtful = found.target, tuple[Span, ...]()
        if match_outcomes(found.text, target, candidates) is None:
            counts["with a word outside the candidates"] += 1
            target, doubtful = explained(found, candidates)
            if len(doubtful) == len(candidates):
                counts["left out: outside the candidates"] += 1
                continue
        stays = found.target == found.text
        counts["sentences that stay" if stays else "sentences that change"] += 1
        yield Pair(
            found.text,
            target,
            language.code,
            GOLD,
            "neutral" if stays else "mixed",
            f"{Path(found.gold.file).name}:{found.gold.line}",
            doubtful,
            before=" ".join(part.strip() for part in sentences_before(found, language)),
        )


def explained(found: FoundSentence, candidates: Sequence[Candidate]) -> tuple[str, tuple[Span, ...]]:
    """Return the target as far as the candidates give it, and the spans of the candidates that do not.

    A candidate is what the reader made of its span, if that is one of its options; edits that reach over its ends, or
    make something else, tell nothing about it.
    """
    made: list[tuple[int, int, str]] = []
    doubtful: list[Span] = []
    for candidate in candidates:
        start, end = candidate.start, candidate.end
        touching = [e for e in found.gold.edits or () if e[0] <= end and start <= e[1]]
        inside = [(a - start, b - start, after) for a, b, after in touching if start <= a and b <= end]
        before = found.text[start:end]
        after = replay(before, inside)
        crossing = any(a < end and start < b for a, b, _ in touching) and len(inside) < len(touching)
        if crossing or all(after != option for _, option in candidate.options):
            doubtful.append((start, end))
        elif after != before:
            made.append((start, end, after))
    return replay(found.text, made), tuple(doubtful)
