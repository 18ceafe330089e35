"""Draw the sets on which swapping is measured: real sentences with persons, and some that only look like it.

    python -m tools.draw_swap_sets de OUTPUT

Writes ``OUTPUT/open.jsonl`` and ``OUTPUT/sealed.jsonl`` (stand-off records without edits yet). Patterns of this file
choose the sentences, no rule or table of the toolkit; lines of the reading sets are left out.
"""

from __future__ import annotations

import re
from pathlib import Path

from eval.reading.draw import DrawOptions, draw_sentences
from eval.reading.gold import GoldSentence, load_gold
from rewriter.language.interface import get_language
from tools.draw_reading_sets import strata, write_halves

SEED = 20261123
READING = Path(__file__).resolve().parents[1] / "recipes" / "reading"

_EN_PERSON = re.compile(
    r"\b(?:[Hh]e|[Ss]he|[Hh]im|[Hh]er|[Hh]is|[Hh]ers|(?:him|her)self|(?:wo)?m[ae]n|girls?|boys?|(?:grand|step)?(?:mother"
    r"|father|son|daughter)s?|brothers?|sisters?|wife|wives|husbands?|aunts?|uncles?|nieces?|nephews?|widow(?:er)?|ladies"
    r"|lady|gentlem[ae]n|Mr|Mrs|Ms|Miss|Sir|actress(?:es)?|queens?|kings?|princess|prince|waitress|\w+(?:wo)?man)\b"
)
_EN_ALIKE = re.compile(
    r"\b(?:human\w*|mankind|masters?|manage\w*|King|Queen|Lady|Mother|Father|Brothers|Sisters|Virgin|Prince|Manhattan"
    r"|Roman|German|woman's|Women's|Men's|guys|person|people|child(?:ren)?|parents?|spouse|they|their|one's|hostess"
    r"|Hurricane|ship|itself|it)\b"
)
_DE_PERSON = re.compile(
    r"\b(?:[Ee]r|sie|ihm|ihn|ihr(?:e[mnrs]?)?|[Ss]ein(?:e[mnrs]?)?|Mann|Männer|Frau(?:en)?|Herrn?|[Vv]ater|Mutter|Bruder"
    r"|Schwester|Sohn|Tochter|Onkel|Tante|König(?:in)?|Witwer?|Mädchen|Junge|Dame|[A-ZÄÖÜ][a-zäöüß]{2,}(?:in|innen|er|ern|ers"
    r"|ist|isten|ent|enten|eur|or|oren))\b"
)
#: rarely a thing: the first pattern finds many
_DE_CERTAIN = re.compile(
    r"\b(?:er|ihm|ihn|Mann|Frau|Herrn?|Vater|Mutter|Bruder|Schwester|Sohn|Tochter|Ehemann|Ehefrau|Witwer?|König(?:in)?"
    r"|[A-ZÄÖÜ][a-zäöüß]{3,}(?:erin|istin|ntin|rztin|innen|lehrer|sprecher|leiter|minister|arzt|isten))\b"
)
_DE_ALIKE = re.compile(
    r"(?<=[a-zäöüß,] )(?:Sie|Ihnen|Ihre?[nmrs]?)\b|\b(?:man|jemand|Mensch\w*|Person\w*|Mitglied\w*|Kind\w*|Leute|Gast"
    r"|Gäste|Eltern|Computer\w*|Leiter|Träger|Meister\w*|[A-ZÄÖÜ][a-zäöüß]+er (?:Straße|Platz|Dom|Hof|Bahnhof))\b"
)
#: language -> (name of the draw, sentences in all, which sentences)
DRAWS = {
    "en": [("persons", 460, _EN_PERSON), ("alike", 200, _EN_ALIKE)],
    "de": [("persons", 460, _DE_PERSON), ("alike", 200, _DE_ALIKE), ("certain", 330, _DE_CERTAIN)],
}


def draw_all(data: Path, lang: str) -> list[GoldSentence]:
    """Return all drawn sentences of a language: every draw takes equally many of every genre."""
    language, genres = get_language(lang), strata(data, lang)
    read = [row for path in sorted((READING / lang).glob("*.jsonl")) for row in load_gold(path)]
    held = frozenset((Path(row.file).name, row.line) for row in read)
    found: list[GoldSentence] = []
    for name, size, pattern in DRAWS[lang]:
        options = DrawOptions(name, max_words=60, oversample=4, seed=SEED)
        for genre, files in genres.items():
            found += draw_sentences(
                files,
                -(-size // len(genres)),
                data=data,
                genre=genre,
                language=language,
                options=options,
                accepts=lambda sentence, pattern=pattern: pattern.search(sentence) is not None,  # type: ignore[misc]
                taken=frozenset(sentence.digest for sentence in found),
                held=held,
            )
    return found


if __name__ == "__main__":
    write_halves(draw_all, langs=DRAWS, description=__doc__ or "")
