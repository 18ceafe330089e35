"""Measure how fast a corpus is audited: GenBiT counts and the universal bias filter.

    python benchmarks/audit_speed.py                        # both, on sentences made here
    python benchmarks/audit_speed.py genbit --file news.txt # on a text of your own, a document per line
    python benchmarks/audit_speed.py genbit --scale         # time and memory up to ten million sentences

Each measurement stands beside a plain implementation of the original's algorithm that runs in the same process on the
same sentences; what is quoted is the ratio. Counting leaves lemmas out on both sides.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from eval.genbit.corpus import CountingOptions, count_files
from eval.genbit.counter import CooccurrenceCounter
from eval.genbit.counts import Counts
from eval.genbit.lexicon import CIS, FEMALE, GROUPS, MALE, NON_BINARY, TRANS, Lexicon
from eval.genbit.metrics import Settings, cooccurrence
from rewriter.io.files import read_lines

WINDOW, WEIGHT = 30, 0.95
SCALE = (10_000, 100_000, 1_000_000, 10_000_000)

SUBJECTS = "he she they the doctor|the nurse|my mother|his father|the old man|a woman|the engineer|the neighbours"
VERBS = "told asked visited remembered forgot thanked followed called trusted painted measured carried answered"
OBJECTS = "the customer|her sister|his brother|a letter|the kitchen|the red car|an empty station|the trans man|him|her"
ENDINGS = "yesterday|in the morning|before the game|without a word|because it rained|for twelve days|at the café|again"


def sentences(number: int, seed: int = 1) -> list[str]:
    """Return short sentences, most of them with a gendered word, one in eight not in ASCII."""
    rng = random.Random(seed)
    subjects = SUBJECTS.split("|")[0].split(" ", 3)[:3] + SUBJECTS.split(" ", 3)[3].split("|")
    parts = (subjects, VERBS.split(), OBJECTS.split("|"), ENDINGS.split("|"))
    return [" ".join(rng.choice(part) for part in parts).capitalize() + "." for _ in range(number)]


class PlainGenBit:
    """The original's algorithm written down plainly: a mapping of mappings, a walk from every gendered token."""

    def __init__(self, lexicon: Lexicon, window: int, weight: float) -> None:
        self.lexicon, self.window, self.weight = lexicon, window, weight
        self.matrix: dict[str, dict[str, float]] = {}
        self.pattern = re.compile(r"[^\W\d_]+")
        self.trie: dict = {}
        for entry in lexicon.gendered:
            words = entry.split(" ")
            node = self.trie
            for word in words if len(words) > 1 else ():
                node = node.setdefault(word, {})
            if len(words) > 1:
                node[None] = entry

    def add(self, text: str) -> None:
        self.add_tokens(self.pattern.findall(text))

    def add_tokens(self, tokens: Iterable[str]) -> None:
        lexicon = self.lexicon
        female, male, other = (lexicon.words(group) for group in (FEMALE, MALE, NON_BINARY))
        joined = self.join([token.lower() for token in tokens])
        kept = [t for t in joined if t in male or t in female or t in other or t not in lexicon.stop_words]
        for token in kept:
            if token in self.matrix:
                self.matrix[token]["count"] += 1
            else:
                self.matrix[token] = {"count": 1, FEMALE: 0, MALE: 0, NON_BINARY: 0, TRANS: 0, CIS: 0}
        for place, token in enumerate(kept):
            if token in female:
                self.around(place, FEMALE, kept)
            elif token in male:
                self.around(place, MALE, kept)
            elif token in other:
                self.around(place, NON_BINARY, kept)
            if token in lexicon.words(TRANS):
                self.around(place, TRANS, kept)
            elif token in lexicon.words(CIS):
                self.around(place, CIS, kept)

    def around(self, place: int, group: str, tokens: Sequence[str]) -> None:
        first, last = max(0, place - self.window), min(len(tokens) - 1, place + self.window)
        for other in range(first, last + 1):
            if other != place:
                self.matrix[tokens[other]][group] += pow(self.weight, abs(place - other))

    def join(self, tokens: list[str]) -> list[str]:
        joined = []
        place = 0
        while place < len(tokens):
            found, end = self.longest(tokens, place)
            joined.append(tokens[place] if found is None else found)
            place = place + 1 if found is None else end
        return joined

    def longest(self, tokens: list[str], start: int) -> tuple[str | None, int]:
        found, node = (None, start), self.trie
        for place in range(start, len(tokens)):
            if tokens[place] not in node:
                return found
            node = node[tokens[place]]
            if None in node:
                found = node[None], place + 1
        return found


def seconds(work: Callable[[], object], runs: int) -> float:
    """Return the processor time of the fastest of several runs, which other work on the machine disturbs little."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def plain_genbit(texts: Sequence[str], lexicon: Lexicon) -> PlainGenBit:
    plain = PlainGenBit(lexicon, WINDOW, WEIGHT)
    for text in texts:
        plain.add(text)
    return plain


def our_genbit(texts: Iterable[str], lexicon: Lexicon) -> Counts:
    counter = CooccurrenceCounter(lexicon, WINDOW)
    counter.add_texts(texts)
    return counter.counts()


def same_counts(plain: PlainGenBit, ours: Counts, lexicon: Lexicon) -> bool:
    """Whether words and frequencies are equal, and co-occurrence but for what adding up many fractions loses."""
    matrix = cooccurrence(ours, lexicon, Settings(distance_weight=WEIGHT))
    if set(matrix.words) != set(plain.matrix):
        return False
    for word, frequency, row in zip(matrix.words, matrix.frequency.tolist(), matrix.weighted.tolist(), strict=True):
        theirs = plain.matrix[word]
        if frequency != theirs["count"]:
            return False
        if not all(math.isclose(value, theirs[g], rel_tol=1e-9) for g, value in zip(GROUPS, row, strict=True)):
            return False
    return True


def genbit_speed(texts: Sequence[str], runs: int, name: str) -> dict[str, object]:
    """Compare with the plain implementation; both must have counted the same."""
    lexicon = Lexicon.shipped("en")
    plain, ours = plain_genbit(texts, lexicon), our_genbit(texts, lexicon)
    equal = same_counts(plain, ours, lexicon)
    times = {
        "plain": seconds(lambda: plain_genbit(texts, lexicon), runs),
        "ours": seconds(lambda: our_genbit(texts, lexicon), runs),
    }
    return {
        "text": name,
        "documents": len(texts),
        "tokens": ours.tokens,
        "documents/s": {who: round(len(texts) / took) for who, took in times.items()},
        "ratio": round(times["plain"] / times["ours"], 2),
        "same counts": equal,
    }


def repeated(texts: Sequence[str], number: int) -> Iterator[str]:
    for start in range(0, number, len(texts)):
        yield from texts[: number - start]


def genbit_scale(number: int) -> dict[str, object]:
    """Count ``number`` sentences (20,000 different ones, repeated) in this process; time and highest memory."""
    texts, lexicon = sentences(20_000), Lexicon.shipped("en")
    start = time.process_time()
    our_genbit(repeated(texts, number), lexicon)
    took = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"sentences": number, "seconds": round(took, 2), "per second": round(number / took), "MB": round(memory)}


def genbit_processes(number: int) -> dict[str, object]:
    """Count one file with one process and with two, and compare the saved bytes."""
    with TemporaryDirectory() as folder:
        text = Path(folder) / "text.txt"
        text.write_text("\n".join(repeated(sentences(20_000), number)) + "\n", encoding="utf-8")
        files, times = [], []
        for processes in (1, 2):
            options = CountingOptions(Lexicon.shipped("en"), WINDOW, processes=processes, shard_lines=number // 8)
            start = time.perf_counter()
            counted = count_files([text], options, output=Path(folder) / f"run{processes}")
            times.append(round(time.perf_counter() - start, 2))
            files.append(Path(folder) / f"{processes}.npz")
            counted.counts.save(files[-1])
        same = files[0].read_bytes() == files[1].read_bytes()
    return {"sentences": number, "seconds with 1 and 2 processes": times, "same bytes": same}


def genbit(args: argparse.Namespace) -> None:
    """Print the measurements of GenBiT."""
    if args.one_scale:
        print(json.dumps(genbit_scale(args.one_scale)))
        return
    if args.file:
        texts = list(islice(read_lines(args.file), args.sentences))
        print(json.dumps(genbit_speed(texts, args.runs, args.file.name)))
    else:
        print(json.dumps(genbit_speed(sentences(args.sentences), args.runs, "made here")))
    if args.scale:
        for number in SCALE:
            # A process of its own, so that the highest memory is that of this number of sentences.
            command = [sys.executable, __file__, "genbit", "--one-scale", str(number)]
            print(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip(), flush=True)
        print(json.dumps(genbit_processes(1_000_000)))


def bias_filter(args: argparse.Namespace) -> None:
    """Print the measurements of the universal bias filter."""
    from audit_bias_filter import filter_speed

    if args.file:
        texts, name = list(islice(read_lines(args.file), args.sentences)), args.file.name
    else:
        texts, name = sentences(args.sentences), "made here"
    for measured in filter_speed(texts, args.runs, name, seconds):
        print(json.dumps(measured))


#: what can be measured; each function prints one JSON object per measurement
PARTS: dict[str, Callable[[argparse.Namespace], None]] = {"genbit": genbit, "bias-filter": bias_filter}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", choices=PARTS, help="what to measure (default: everything)")
    parser.add_argument("--sentences", type=int, default=50_000, help="number of documents (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=3, help="the fastest of so many runs counts (default: %(default)s)")
    parser.add_argument("--file", type=Path, help="a text of your own, a document per line")
    parser.add_argument("--scale", action="store_true", help="also: up to ten million sentences, and two processes")
    parser.add_argument("--one-scale", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    for name in [args.part] if args.part else PARTS:
        PARTS[name](args)


if __name__ == "__main__":
    multiprocessing.freeze_support()
    main()
