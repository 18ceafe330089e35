"""Measure how many sentences a second are swapped, beside a loop over tokens and a dictionary, in one process.

    python benchmarks/swap_speed.py                         # sentences of GENDER_FAIR_DATA, as mixed as they come
    python benchmarks/swap_speed.py --lang de               # German sentences, as mixed as they come
    python benchmarks/swap_speed.py --text corpus/ --sentences 20000 --json swap-speed.json

Baselines, in the same run, over the same sentences and the same tables, none of which works out a case or looks at
capitals: *look-up* cuts a sentence by a regular expression and looks every token up in one dictionary; *pairs* compares
every token with every pair of the table in turn, as scripts for counterfactual data do. Time is processor time of all
threads (the machine may be shared); the best of the rounds counts. The model works on one thread.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from speed_texts import SEED, Sentences, default_folder, read_sentences

from augment.swap import Swapper
from lexicons.loader import read_table
from rewriter.en.inflection import match_case
from rewriter.version import __version__

_TOKEN = re.compile(r"\w+|\W+")
_PRONOUNS = {
    "en": (("she", "he"), ("her", "his"), ("hers", "his"), ("herself", "himself"), ("her", "him")),
    "de": (("sie", "er"), ("ihr", "ihm"), ("ihre", "seine"), ("ihren", "seinen"), ("ihrem", "seinem")),
}
#: sentences that the slow baseline gets
FEW = 200


def pairs(lang: str, *, names: bool) -> list[tuple[str, str]]:
    """Return the pairs of the tables; German persons in nominative singular and plural."""
    tables = ["swap", "name_pairs"] if names else ["swap"]
    found = [(row["feminine"], row["masculine"]) for name in tables for row in read_table(lang, name)]
    if lang == "de":
        for row in read_table("de", "persons"):
            found += [(row["feminine"], row["masculine"]), (row["feminine"] + "nen", row["plural"])]
    return [*_PRONOUNS[lang], *((feminine.lower(), masculine.lower()) for feminine, masculine in found)]


def by_look_up(sentences: Sequence[str], table: Sequence[tuple[str, str]]) -> list[str]:
    """Swap by a dictionary, token by token."""
    known: dict[str, str] = {}
    for feminine, masculine in table:
        known.setdefault(feminine, masculine)
        known.setdefault(masculine, feminine)
    made = []
    for sentence in sentences:
        parts = []
        for token in _TOKEN.findall(sentence):
            other = known.get(token.lower())
            parts.append(token if other is None else match_case(token, other))
        made.append("".join(parts))
    return made


def by_pairs(sentences: Sequence[str], table: Sequence[tuple[str, str]]) -> list[str]:
    """Swap by comparing every token with every pair."""
    made = []
    for sentence in sentences:
        parts = []
        for token in _TOKEN.findall(sentence):
            word, after = token.lower(), token
            for feminine, masculine in table:
                if word == feminine:
                    after = match_case(token, masculine)
                    break
                if word == masculine:
                    after = match_case(token, feminine)
                    break
            parts.append(after)
        made.append("".join(parts))
    return made


def rate(work: Callable[[Sequence[str]], object], sentences: Sequence[str], rounds: int) -> float:
    """Return sentences per second of processor time, the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work(sentences)
        best = min(best, time.process_time() - start)
    return len(sentences) / best


def measure(sentences: Sequence[str], *, lang: str, names: bool, rounds: int) -> dict[str, float]:
    """Return sentences per second of the swapper and the baselines."""
    table = pairs(lang, names=names)
    swapper = Swapper(lang, names=names, threads=1)
    swapper.swap(list(sentences[:50]))
    return {
        "swapper": rate(lambda texts: swapper.swap(list(texts)), sentences, rounds),
        "look-up": rate(lambda texts: by_look_up(texts, table), sentences, rounds),
        "pairs": rate(lambda texts: by_pairs(texts, table), sentences[:FEW], 1),
    }


def mixtures(found: Sentences, count: int) -> dict[str, list[str]]:
    """Return sentences as mixed as they come, and mixed by share of those with a word of the tables."""
    share = len(found.gated) / (len(found.gated) + len(found.free))
    random.Random(SEED).shuffle(found.gated)
    return {
        f"as they come ({share:.0%} with a word of the tables)": found.lines(count, share),
        "5 % with a word of the tables": found.lines(count, 0.05),
        "all with a word of the tables": found.lines(count, 1.0),
    }


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lang", choices=sorted(_PRONOUNS), default="en", help="(default: en)")
    parser.add_argument("--text", type=Path, help="folder of text (default: GENDER_FAIR_DATA)")
    parser.add_argument("--sentences", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the figures here too")
    args = parser.parse_args()
    rules = Swapper(args.lang).language
    folder = args.text or default_folder(args.lang)
    found = read_sentences(folder, rules, most=20 * args.sentences)  # type: ignore[arg-type]
    rows = []
    for names in (True, False):
        for title, lines in mixtures(found, args.sentences).items():
            figures = measure(lines, lang=args.lang, names=names, rounds=args.rounds)
            rows.append({"text": title, "names": names} | figures)
            ratios = ", ".join(f"{figures['swapper'] / figures[k]:.2f} x {k}" for k in ("look-up", "pairs"))
            told = ", ".join(f"{name} {value:,.0f}/s" for name, value in figures.items())
            print(f"{title}, {'names' if names else 'no names'}: {told}; swapper = {ratios}", flush=True)
    if args.json:
        record = {"version": __version__, "lang": args.lang, "sentences": args.sentences, "rows": rows}
        args.json.write_text(json.dumps(record, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
