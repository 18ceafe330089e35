"""Measure how fast terms are counted for balancing, in megabytes of text per second on one core.

    python benchmarks/balance_speed.py corpus.txt                      # the first 8 MB of a text, a paragraph a line
    python benchmarks/balance_speed.py corpus.txt --parser runs/parser # the method dependency too
    python benchmarks/balance_speed.py corpus.txt --scale              # time and memory for 1, 4, 16 times as much

In the same run, on the same paragraphs: a plain Python counter (words cut by a regular expression, looked up in
dictionaries) and spaCy's PhraseMatcher with its blank English tokenizer. Both count paragraphs as a whole and single
words and phrases alike; their sums are compared with ours. ``--scale`` starts a process for each size.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from augment.balance.corpus_count import count_corpus
from augment.balance.count import Counter, CountOptions
from augment.balance.metadata import Metadata, load_metadata
from augment.balance.reading import Corpus
from rewriter.formats import FormatOptions

Sums = list[list[int]]


def read(path: Path, size: int) -> list[str]:
    """Return the first paragraphs of a text that are together about ``size`` bytes."""
    with path.open("rb") as stream:
        data = stream.read(size)
    return data[: data.rfind(b"\n")].decode("utf-8").split("\n")


def ours(texts: Sequence[str], counter: Counter) -> Sums:
    sums = [[0] * len(counter.metadata.categories) for _ in counter.metadata.terms]
    for start in range(0, len(texts), 4096):
        for _, counts in counter.count(texts[start : start + 4096]):
            for term, row in counts.items():
                sums[term] = [a + b for a, b in zip(sums[term], row, strict=True)]
    return sums


class Slots:
    """What each form stands for: (term, category), -1 for a neutral word, term -1 for an identifier."""

    def __init__(self, metadata: Metadata) -> None:
        self.metadata = metadata
        self.by_form: dict[str, list[tuple[int, int]]] = {}
        for number, term in enumerate(metadata.terms):
            for category, words in enumerate((term.neutral, *term.words), -1):
                for word in words:
                    self.by_form.setdefault(word.lower(), []).append((number, category))
        for category, words in enumerate(metadata.identifiers):
            for word in words:
                self.by_form.setdefault(word.lower(), []).append((-1, category))

    def add(self, sums: Sums, forms: Sequence[str]) -> None:
        """Add the forms of a paragraph to the sums."""
        identifiers = [0] * len(self.metadata.categories)
        neutral = set()
        for form in forms:
            for term, category in self.by_form[form]:
                if term < 0:
                    identifiers[category] += 1
                elif category < 0:
                    neutral.add(term)
                else:
                    sums[term][category] += 1
        for term in neutral:
            sums[term] = [a + b for a, b in zip(sums[term], identifiers, strict=True)]


def plain(texts: Sequence[str], slots: Slots) -> Sums:
    """Count in plain Python: the longest phrase at each word, by dictionary."""
    sums = [[0] * len(slots.metadata.categories) for _ in slots.metadata.terms]
    words_of = re.compile(r"[^\W_]+").findall
    longest: dict[str, int] = {}
    keys = {}
    for form in slots.by_form:
        words = words_of(form)
        keys[" ".join(words)] = form
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    for text in texts:
        words = words_of(text.lower())
        forms, place = [], 0
        while place < len(words):
            step = 1
            for size in range(longest.get(words[place], 0), 0, -1):
                form = keys.get(" ".join(words[place : place + size]))
                if form is not None:
                    forms.append(form)
                    step = size
                    break
            place += step
        slots.add(sums, forms)
    return sums


def phrase_matcher(texts: Sequence[str], slots: Slots) -> Sums:
    """Count with spaCy's PhraseMatcher (lower case) on its tokens."""
    import spacy
    from spacy.matcher import PhraseMatcher
    from spacy.util import filter_spans

    pipeline = spacy.blank("en")
    pipeline.max_length = 1 << 30
    matcher = PhraseMatcher(pipeline.vocab, attr="LOWER")
    for form in slots.by_form:
        matcher.add(form, [pipeline.make_doc(form)])
    sums = [[0] * len(slots.metadata.categories) for _ in slots.metadata.terms]
    for doc in map(pipeline.make_doc, texts):
        spans = [doc[start:end] for _, start, end in matcher(doc)]
        forms = [" ".join(span.text.lower().split()) for span in filter_spans(spans)]
        slots.add(sums, [form for form in forms if form in slots.by_form])
    return sums


def best(work: Callable[[], Sums], runs: int) -> tuple[float, Sums]:
    times = []
    for _ in range(runs):
        start = time.process_time()
        sums = work()
        times.append(time.process_time() - start)
    return min(times), sums


def measure(args: argparse.Namespace) -> list[dict[str, object]]:
    texts = read(args.text, int(args.megabytes * 1e6))
    size = sum(len(text.encode()) + 1 for text in texts) / 1e6
    metadata = load_metadata(args.metadata)
    slots = Slots(metadata)
    few = texts[: max(1, len(texts) // args.slow)]
    small = sum(len(text.encode()) + 1 for text in few) / 1e6
    rows: list[dict[str, object]] = []
    total: dict[str, Sums] = {}

    def add(name: str, work: Callable[[], Sums], megabytes: float, runs: int) -> None:
        seconds, total[name] = best(work, runs)
        rows.append({"what": name, "megabytes": round(megabytes, 2), "MB/s": round(megabytes / seconds, 3)})
        print(f"{name:<42}{megabytes:>8.2f} MB{megabytes / seconds:>10.3f} MB/s", flush=True)

    for context in ("paragraph", "sentence", "two-sentences"):
        counter = Counter(metadata, CountOptions(context=context))
        add(f"word-existing, {context}", lambda counter=counter: ours(texts, counter), size, args.runs)
    named = Counter(metadata, CountOptions(names=True))
    add("word-existing, sentence, names", lambda: ours(texts, named), size, args.runs)
    vectors = made_vectors(texts)
    similar = Counter(metadata, CountOptions(method="similarity", vectors=vectors))
    add("similarity, sentence", lambda: ours(texts, similar), size, args.runs)
    Path(vectors).unlink()
    if args.parser:
        parsed = Counter(allow_all(metadata), CountOptions(method="dependency", parser=args.parser))
        add("dependency, sentence", lambda: ours(few, parsed), small, 1)
    add("plain Python, paragraph", lambda: plain(texts, slots), size, args.runs)
    add("spaCy PhraseMatcher, paragraph", lambda: phrase_matcher(few, slots), small, 1)
    mine, other = np.array(total["word-existing, paragraph"]), np.array(total["plain Python, paragraph"])
    print(f"sums: ours {mine.sum()}, plain Python {other.sum()}, different terms {(mine != other).any(axis=1).sum()}")
    return rows


def made_vectors(texts: Sequence[str]) -> str:
    """Write random vectors (100 values) for the words of the text; return the file's name."""
    rng = np.random.default_rng(1)
    words = sorted({word for text in texts for word in re.findall(r"[^\W_]+", text.lower())})
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False, encoding="utf-8") as stream:
        stream.write(f"{len(words)} 100\n")
        for word in words:
            stream.write(word + " " + " ".join(f"{value:.3f}" for value in rng.normal(size=100)) + "\n")
    return stream.name


def allow_all(metadata: Metadata) -> Metadata:
    """Return the metadata with some path allowed, so that the method runs; which one does not change its time."""
    from dataclasses import replace

    return replace(metadata, allowed=frozenset({("_nsubj",)}), scheme="universal-dependencies")


def one_size(args: argparse.Namespace, times: int) -> dict[str, object]:
    """Count a file of ``times`` times the text, and tell time and peak memory."""
    texts = read(args.text, int(args.megabytes * 1e6))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.txt"
        with path.open("w", encoding="utf-8") as stream:
            for _ in range(times):
                stream.write("\n".join(texts) + "\n")
        size = path.stat().st_size / 1e6
        del texts
        start = time.process_time()
        result = count_corpus(Corpus.find([path], FormatOptions()), load_metadata(args.metadata))
        seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"megabytes": round(size, 1), "seconds": round(seconds, 2), "peak MB": round(peak), "paragraphs with counts":
            len(result.statistics)}  # fmt: skip


def scale(args: argparse.Namespace) -> list[dict[str, object]]:
    rows = []
    for times in (1, 4, 16):
        command = [sys.executable, __file__, str(args.text), "--one-size", str(times), "--metadata", args.metadata]
        command += ["--megabytes", str(args.megabytes)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=dict(os.environ))
        rows.append(json.loads(done.stdout))
        print(rows[-1], flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path, help="plain text, a paragraph a line")
    parser.add_argument("--megabytes", type=float, default=8)
    parser.add_argument("--metadata", default="professions_other")
    parser.add_argument("--parser", default="")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--slow", type=int, default=8, help="what is slow gets this part of the text")
    parser.add_argument("--scale", action="store_true")
    parser.add_argument("--one-size", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if args.one_size:
        print(json.dumps(one_size(args, args.one_size)))
        return
    rows = scale(args) if args.scale else measure(args)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
