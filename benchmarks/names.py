"""Measure which sentences ``--scope generic`` takes for sentences that name a person.

    python benchmarks/names.py                 # precision and recall by part of recipes/names/de.jsonl

Needs GENDER_FAIR_DATA.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from pathlib import Path

from eval.reading.gold import digest
from rewriter.de.control import names_person
from rewriter.io.files import read_lines

DECISIONS = Path(__file__).parents[1] / "recipes" / "names" / "de.jsonl"


def main() -> None:
    """Print the counts of every part."""
    if "GENDER_FAIR_DATA" not in os.environ:
        raise SystemExit("set GENDER_FAIR_DATA to the folder of the corpora")
    data = Path(os.environ["GENDER_FAIR_DATA"])
    wanted = defaultdict(list)
    for row in map(json.loads, DECISIONS.read_text(encoding="utf-8").splitlines()):
        wanted[row["file"]].append(row)
    counts: dict[str, Counter[tuple[bool, bool]]] = defaultdict(Counter)
    for name, rows in wanted.items():
        by_line = defaultdict(list)
        for row in rows:
            by_line[row["line"]].append(row)
        for number, line in enumerate(read_lines(data / name), 1):
            for row in by_line.get(number, ()):
                sentence = line[row["start"] : row["end"]]
                if digest(sentence) != row["digest"]:
                    raise SystemExit(f"{name}, line {number}: not the text that was read")
                counts[row["part"]][row["named"], names_person(sentence)] += 1
    for part, count in sorted(counts.items()):
        right, found = count[True, True], count[True, True] + count[False, True]
        named = count[True, True] + count[True, False]
        figures = f"precision {right / found:.3f}, recall {right / named:.3f}"
        print(f"{part}: {named} named, {count.total() - named} not; {figures}")


if __name__ == "__main__":
    main()
