"""Draw real sentences at random, equally many of every genre, as lines of text: for measurements that need no reading.

    python -m tools.draw_sentences en 20000 sentences.txt

Lines of the reading sets are left out; the same seed draws the same sentences.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from eval.reading.draw import DrawOptions, draw_sentences
from eval.reading.gold import find_sentences, load_gold
from rewriter.io.files import write_lines
from rewriter.language.interface import get_language
from tools.draw_reading_sets import strata

SEED = 20261124
READING = Path(__file__).resolve().parents[1] / "recipes" / "reading"


def draw(data: Path, lang: str, size: int, *, seed: int = SEED) -> list[str]:
    """Return sentences of a language, the same number of each genre as far as it has them."""
    language, genres = get_language(lang), strata(data, lang)
    folders = (READING / lang, READING / "swap" / lang)
    read = [row for folder in folders for path in sorted(folder.glob("*.jsonl")) for row in load_gold(path)]
    held = frozenset((Path(row.file).name, row.line) for row in read)
    options = DrawOptions("random", max_words=80, seed=seed)
    found = []
    for genre, files in genres.items():
        size_of_genre = -(-size // len(genres))
        found += draw_sentences(
            files,
            size_of_genre,
            data=data,
            genre=genre,
            language=language,
            options=options,
            taken=frozenset(sentence.digest for sentence in found),
            held=held,
        )
    return [" ".join(sentence.text.split()) for sentence in find_sentences(found, data)][:size]


def main() -> None:
    """Draw and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lang")
    parser.add_argument("size", type=int)
    parser.add_argument("output", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    args = parser.parse_args()
    write_lines(args.output, draw(Path(os.environ["GENDER_FAIR_DATA"]), args.lang, args.size, seed=args.seed))


if __name__ == "__main__":
    main()
