"""Measure how the time of rewriting grows with the length of one text: processor time per byte, by pattern.

    python benchmarks/growth.py                                  # both languages, 10 kB, 100 kB, 1 MB
    python benchmarks/growth.py --lang de --pattern "nested quotes" --pattern tabs
    python benchmarks/growth.py --sizes 5000,20000 --grammar     # quick, and without the model

Prints for every pattern of ``growth_patterns.py`` the microseconds a byte at each size, and the last divided by the
first; exits with 1 when a ratio is above ``--most`` (2). Sentences are not remembered, tables are loaded before, and of
the smallest size the best of three runs counts. The model's part grows with the words by construction; ``--grammar``
leaves it out, which shows the growth of the rules more sharply.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from growth_patterns import PATTERNS, Pattern

from rewriter.language.interface import get_language
from rewriter.model.direction import DIRECTIONS, turn
from rewriter.model.directory import ModelInfo
from rewriter.model.grammar import GRAMMAR, GrammarProposer
from rewriter.pipeline import Options, Rewriter

#: runs of the smallest size, of which the best counts
RUNS = 3


@dataclass(frozen=True)
class Growth:
    """What a pattern takes.

    Attributes:
        lang: language code.
        pattern: its name.
        per_byte: microseconds of processor time a byte, by size.
    """

    lang: str
    pattern: str
    per_byte: dict[int, float]

    @property
    def ratio(self) -> float:
        """The figure of the greatest size divided by that of the smallest."""
        return self.per_byte[max(self.per_byte)] / self.per_byte[min(self.per_byte)]


def make_rewriter(lang: str, *, to: str = "fair", grammar: bool = False) -> Rewriter:
    """Return a rewriter that remembers no sentences.

    Args:
        lang: language code, the name of its bundled model too.
        to: direction.
        grammar: decide by grammar alone, without a model.
    """
    if not grammar:
        return Rewriter.from_pretrained(lang, to=to, cache=0, threads=1)
    forward = get_language(lang)
    language, proposer = turn(forward, GrammarProposer(forward), to)
    return Rewriter(proposer, language, ModelInfo(name=GRAMMAR, lang=lang, target=GRAMMAR), options=Options(cache=0))


def measure(rewriter: Rewriter, lang: str, pattern: Pattern, sizes: Sequence[int]) -> Growth:
    """Return what a pattern takes at some sizes."""
    found = {}
    for size in sorted(sizes):
        text = pattern.text(size)
        runs = [_seconds(rewriter, text) for _ in range(RUNS if size == min(sizes) else 1)]
        found[size] = round(min(runs) / len(text.encode()) * 1e6, 3)
    return Growth(lang, pattern.name, found)


def _seconds(rewriter: Rewriter, text: str) -> float:
    start = time.process_time()
    rewriter.rewrite(text)
    return time.process_time() - start


def run(args: argparse.Namespace) -> Iterator[Growth]:
    """Yield what every pattern takes."""
    for lang in args.lang or PATTERNS:
        rewriter = make_rewriter(lang, to=args.to, grammar=args.grammar)
        chosen = [p for p in PATTERNS[lang] if not args.pattern or p.name in args.pattern]
        for pattern in PATTERNS[lang] if chosen else ():
            rewriter.rewrite(pattern.text(300))  # loads tables and fills the memory of words
        for pattern in chosen:
            yield measure(rewriter, lang, pattern, args.sizes)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lang", action="append", choices=PATTERNS, help="a language (default: all); may be repeated")
    parser.add_argument("--pattern", action="append", help="name of a pattern (default: all); may be repeated")
    parser.add_argument("--sizes", type=_sizes, default=(10_000, 100_000, 1_000_000), help="bytes, with commas between")
    parser.add_argument("--to", choices=DIRECTIONS, default="fair", help="direction of rewriting")
    parser.add_argument("--grammar", action="store_true", help="decide by grammar alone, without the model")
    parser.add_argument("--most", type=float, default=2.0, help="the greatest ratio that is linear")
    parser.add_argument("--json", type=Path, help="write the figures there")
    args = parser.parse_args(arguments)
    found = []
    for growth in run(args):
        found.append(growth)
        figures = " ".join(f"{figure:9.2f}" for figure in growth.per_byte.values())
        print(f"{growth.lang} {growth.pattern:26} {figures}  ratio {growth.ratio:.2f}", flush=True)
    if args.json is not None:
        rows = [asdict(growth) | {"ratio": round(growth.ratio, 3)} for growth in found]
        args.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    steep = [f"{growth.lang} {growth.pattern}" for growth in found if growth.ratio > args.most]
    print(f"{len(found)} patterns, {len(steep)} above a ratio of {args.most}: {', '.join(steep) or 'none'}")
    return 1 if steep else 0


def _sizes(given: str) -> tuple[int, ...]:
    return tuple(int(size) for size in given.split(","))


if __name__ == "__main__":
    sys.exit(main())
