"""English nouns and titles for swapping: which words of the table stand for a person here, and what becomes of them.

What stays is said by the rules of :mod:`augment.en.noun_stays`, what becomes of titles and lords by those of
:mod:`augment.en.noun_partners`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from augment.en.noun_partners import PARTNER
from augment.en.noun_place import NounPlace, Partner
from augment.en.noun_stays import NOUN, TITLE, WORD
from lexicons.loader import read_table
from rewriter.en.inflection import match_case
from rewriter.language.rules import Rules
from rewriter.records import Edit
from rewriter.text.offsets import within
from rewriter.text.word_pattern import any_word

_VOWEL_SOUND = re.compile(r"(?!uni|use|usu|euro?|one\b|once)[aeiou]|hono|hour|heir", re.IGNORECASE)
_GENITIVE = re.compile(r"['’](?:s(?!\w)|(?=\s+[^\W\d_]))")
_ARTICLE = re.compile(r"(?<!\w)(an?)(\s+)$", re.IGNORECASE)


@dataclass(frozen=True)
class NounTable:
    """The words of the table by what they are turned to.

    Attributes:
        words: word -> (counterpart, kind).
        one_direction: whether only one gender is turned; then two partners side by side stay.
    """

    words: dict[str, tuple[str, str]]
    one_direction: bool = False

    @classmethod
    def load(cls, targets: Sequence[str], own: Iterable[tuple[str, str]] = ()) -> NounTable:
        """Read the shipped table; a user's pairs come before it."""
        words: dict[str, tuple[str, str]] = {}
        rows = [(f, m, "noun", "both") for f, m in own]
        rows += [(r["feminine"], r["masculine"], r["kind"], r["way"]) for r in read_table("en", "swap")]
        rows += [*_SPECIAL]
        for feminine, masculine, kind, way in rows:
            if "masculine" in targets and way in ("both", "to-masculine"):
                words.setdefault(feminine.lower(), (masculine, kind))
            if "feminine" in targets and way in ("both", "to-feminine"):
                words.setdefault(masculine.lower(), (feminine, kind))
        return cls(words, len(targets) == 1)


#: turned by the rules of partners where a name follows only: Lord Byron, Count Basil
_SPECIAL = (
    ("lady", "lord", "title", "to-feminine"),
    ("ladies", "lords", "noun", "to-feminine"),
    ("countess", "count", "title", "to-feminine"),
)


def fixed_phrases(lower: str) -> list[tuple[int, int]]:
    """Return the spans of the phrases of ``swap_stays.tsv`` in a text in lower case."""
    return [match.span() for match in _stays().finditer(lower.replace("'", "’"))]


@cache
def _stays() -> re.Pattern[str]:
    return any_word(row["phrase"].replace("'", "’") for row in read_table("en", "swap_stays"))


class NounFinder:
    """Finds the nouns of a table in a text.

    Args:
        table: what is turned to what.
        rules: that are asked.
        names: given names in lower case, behind which a capitalised noun is a surname (*Stephen King*).
    """

    def __init__(self, table: NounTable, rules: Rules, names: Collection[str] = ()) -> None:
        self.table, self.names, self._rules = table, names, rules
        self.pattern = any_word(table.words)

    def edits(self, text: str, lower: str, protected: Sequence[tuple[int, int]]) -> Iterator[Edit]:
        """Yield the edits of nouns and titles.

        Args:
            text: the text.
            lower: the same in lower case, as long.
            protected: spans that stay.
        """
        first = self.pattern.search(lower)
        if first is None:
            return
        for match in self.pattern.finditer(lower, first.start()):
            start, end = match.span()
            if within(protected, start, end):
                continue
            edit = self._edit(NounPlace(text, lower, start, end, self.table.words, self.names))
            if edit is not None:
                yield edit

    def _edit(self, noun: NounPlace) -> Edit | None:
        """Return the edit, None where the word stays."""
        rules, is_title = self._rules, noun.is_title
        if rules.first(WORD, noun) or (is_title and rules.first(TITLE, noun)):
            return None
        answer = rules.answer(PARTNER, noun)
        if answer is not None:
            return _written(noun, answer[1], f", rule '{answer[0].name}'")
        named = is_title or noun.is_address
        if not named and rules.first(NOUN, noun):
            return None
        return _written(noun, Partner(noun.words[noun.norm][0], "title" if named else "noun", noun.end))


def _written(noun: NounPlace, partner: Partner, told: str = "") -> Edit:
    """Return the edit that writes a partner, with its article and its genitive."""
    end, after = _with_genitive(noun, partner)
    start = noun.start
    article = _ARTICLE.search(noun.text, max(0, start - 4), start)
    if article is not None:
        wanted = "an" if _VOWEL_SOUND.match(after) else "a"
        if wanted != article[1].lower():
            start = article.start()
            after = match_case(article[1] + "x", wanted) + article[2] + after
    before = noun.text[start:end]
    return Edit(start, end, before, after, partner.kind, f"{before} -> {after}: {partner.kind} of the table{told}")


def _with_genitive(noun: NounPlace, partner: Partner) -> tuple[int, str]:
    """Return the end of what is replaced, and the partner, with the other way to write a genitive where it has one."""
    end, after = partner.end, _in_style(noun.surface, partner.word)
    genitive = _GENITIVE.match(noun.text, end)
    if genitive is None:
        return end, after
    mark = genitive[0]
    if len(mark) == 1 and noun.norm.endswith("s") and not partner.word.endswith("s"):  # ladies' -> gentlemen's
        return end + 1, after + mark + "s"
    if len(mark) == 2 and noun.norm.endswith("men") and partner.word.endswith("s"):
        return end + 2, after + mark[0]
    return end, after


def _in_style(surface: str, counterpart: str) -> str:
    """Return the counterpart in the case style of what stands there; *Maid of honor*, *McX* stay sensible."""
    letters = [c for c in surface if c.isalpha()]
    if " " in surface and surface.istitle() and not surface.isupper():
        small = ("of", "in", "and")
        return " ".join(w if w in small else w[:1].upper() + w[1:] for w in counterpart.split(" "))
    if len(letters) > 1 and surface.isupper():
        return counterpart.upper()
    return match_case(surface[:1] + "x", counterpart)
