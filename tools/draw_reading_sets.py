"""Draw the reading sets of this repository: real sentences that somebody reads, half of them sealed.

    python -m tools.draw_reading_sets de OUTPUT

Writes ``OUTPUT/open.jsonl`` and ``OUTPUT/sealed.jsonl`` (stand-off records without edits yet). Which half a line
belongs to is settled by a digest of file and line, so sentences of one line are in one half.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from eval.reading.draw import Accepts, DrawOptions, draw_sentences
from eval.reading.gold import GoldSentence, save_gold
from rewriter.language.interface import Language, get_language

SEED = 20261122


@dataclass(frozen=True)
class Draw:
    """A draw for one language: its name, sentences in all, and which sentences are wanted."""

    name: str
    size: int
    accepts: Callable[[Language], Accepts] | None = None
    oversample: int = 1


def _open_candidates(language: Language) -> Accepts:
    """Accept sentences with a word that is to be decided: a person noun, a pronoun, what agrees with them."""
    return lambda sentence: language.gate(sentence) and bool(language.analyze(sentence).open)


def _any_candidate(language: Language) -> Accepts:
    return lambda sentence: language.gate(sentence) and bool(language.analyze(sentence).candidates)


def _no_candidate(language: Language) -> Accepts:
    return lambda sentence: not language.gate(sentence) or not language.analyze(sentence).candidates


DRAWS = {
    "de": [Draw("random", 2300), Draw("candidates", 900, _open_candidates, 4)],
    "en": [
        Draw("gendered", 1250, _any_candidate, 8),
        Draw("other", 620, _no_candidate, 2),
    ],
}
_GENRE = re.compile(r"^(?:general|genderfair)-(?P<de>.+?)(?:-(?:NC|unstated|2))*$")


def genre_of(name: str) -> str:
    """Return the genre of a file of text by its name."""
    stem = name.removesuffix(".zst").removesuffix(".txt")
    found = _GENRE.match(stem)
    return found["de"] if found else re.sub(r"(-(NC|unstated|\d+|she|they|bio|other))+$", "", stem)


def strata(data: Path, lang: str) -> dict[str, list[Path]]:
    """Return genre -> files of a language, shippable and research text."""
    found: dict[str, list[Path]] = defaultdict(list)
    for part in ("train", "research"):
        for path in sorted((data / lang / part).glob("*.txt.zst")):
            found[genre_of(path.name)].append(path)
    return dict(sorted(found.items()))


def half(sentence: GoldSentence) -> str:
    """Return which half a sentence belongs to: ``open`` or ``sealed``."""
    return ("open", "sealed")[hashlib.sha256(f"{sentence.file}:{sentence.line}".encode()).digest()[0] & 1]


def draw_all(data: Path, lang: str) -> list[GoldSentence]:
    """Return all drawn sentences of a language: every draw takes equally many of every genre."""
    language, genres = get_language(lang), strata(data, lang)
    found: list[GoldSentence] = []
    for draw in DRAWS[lang]:
        options = DrawOptions(draw.name, oversample=draw.oversample, seed=SEED)
        each = -(-draw.size // len(genres))
        for genre, files in genres.items():
            taken = frozenset(sentence.digest for sentence in found)
            accepts = draw.accepts(language) if draw.accepts else None
            found += draw_sentences(
                files,
                each,
                data=data,
                genre=genre,
                language=language,
                options=options,
                accepts=accepts,
                taken=taken,
            )
            print(draw.name, genre, sum(s.genre == genre and s.draw == draw.name for s in found), flush=True)
    return found


def write_halves(draw: Callable[[Path, str], list[GoldSentence]], *, langs: Iterable[str], description: str) -> None:
    """Read the command line, draw, and write both halves.

    Args:
        draw: draws the sentences of a language from the data folder.
        langs: languages that it knows.
        description: of the command.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lang", choices=sorted(langs))
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    drawn = draw(Path(os.environ["GENDER_FAIR_DATA"]), args.lang)
    for name in ("open", "sealed"):
        save_gold(args.output / f"{name}.jsonl", [s for s in drawn if half(s) == name])
        print(name, sum(half(s) == name for s in drawn))


if __name__ == "__main__":
    write_halves(draw_all, langs=DRAWS, description=__doc__ or "")
