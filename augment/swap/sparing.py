"""What is not turned although it could be: titles, persons that the user leaves out, sentences with facts of biology.

All of them work on the edits of a text, for every language alike; what is dropped is told with its reason.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache

from augment.swap.settings import SwapRules, SwapSettings
from lexicons.languages import resource
from lexicons.loader import read_table
from rewriter.records import Edit
from rewriter.text.word_pattern import any_word

Left = tuple[Edit, str]

#: kind of edits of titles
TITLE = "title"


class Sparing:
    """Drops the edits that settings leave out.

    Args:
        lang: code of the language, whose table ``swap_facts.tsv`` has the facts.
        settings: what is left out.
        rules: of the language.
    """

    def __init__(self, lang: str, settings: SwapSettings, rules: SwapRules) -> None:
        self.settings, self.rules = settings, rules
        self._facts = facts_pattern(lang) if settings.facts == "leave" else None
        self._parts = _fact_parts(lang) if self._facts is not None else ()

    def split(self, text: str, edits: Sequence[Edit]) -> tuple[list[Edit], list[Left]]:
        """Return the edits of a text (in order) that are made, and the others with the reason.

        Args:
            text: the whole text.
            edits: in order, not overlapping.
        """
        reasons = {}
        if not self.settings.titles:
            reasons |= {i: "a title" for i, edit in enumerate(edits) if edit.kind == TITLE}
        if self.settings.persons != "all":
            wanted = self.settings.persons == "named"
            told = self.rules.named(text, edits)
            reasons |= {i: _WHO[is_named] for i, is_named in enumerate(told) if is_named != wanted}
        if self._facts is not None:
            reasons |= dict(self._in_factual_sentences(self._facts, text, edits))
        made = [edit for i, edit in enumerate(edits) if i not in reasons]
        return made, [(edits[i], reasons[i]) for i in sorted(reasons)]

    def _in_factual_sentences(
        self, facts: re.Pattern[str], text: str, edits: Sequence[Edit]
    ) -> Iterable[tuple[int, str]]:
        lower = text.lower()
        if not any(part in lower for part in self._parts):
            return
        if len(lower) != len(text):  # letters with longer lower cases: their offsets would shift
            lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
        starts = [start for start, _ in self.rules.language.segment(text)]
        said: dict[int, str] = {}
        for match in facts.finditer(lower):
            said.setdefault(bisect_right(starts, match.start()), match[0])
        for index, edit in enumerate(edits):
            word = said.get(bisect_right(starts, edit.start))
            if word is not None:
                yield index, f"fact of biology: {word}"


#: whether a person is named -> why the edit is dropped where the others are wanted
_WHO = {True: "a person who is named", False: "a person who is not named"}


@cache
def _fact_parts(lang: str) -> tuple[str, ...]:
    """Return beginnings one of which every text with a fact holds: substrings are found faster than words."""
    parts = {row["phrase"].removesuffix("*").split(" ")[0][:_BEGINNING] for row in read_table(lang, "swap_facts")}
    return tuple(sorted(part for part in parts if not any(part != p and p in part for p in parts)))


#: characters of a beginning
_BEGINNING = 6


@cache
def facts_pattern(lang: str) -> re.Pattern[str] | None:
    """Return what finds the phrases of ``swap_facts.tsv`` in lower case; None for a language without the table.

    A word that ends in ``*`` stands for all words that begin with it.
    """
    if resource("lexicons", lang, "swap_facts.tsv") is None:
        return None
    phrases = [row["phrase"] for row in read_table(lang, "swap_facts")]
    whole = any_word(p for p in phrases if not p.endswith("*"))
    begun = "|".join(re.escape(p[:-1]).replace(r"\ ", r"\s+") + r"\w*" for p in phrases if p.endswith("*"))
    return re.compile(whole.pattern + (rf"|(?<!\w)(?:{begun})" if begun else ""), re.DOTALL)
