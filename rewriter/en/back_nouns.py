"""Nouns on the way back: fair ones of the table into gendered ones, and gendered ones into the other gender."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

from lexicons.loader import read_table
from rewriter.en.back_words import FEMININE, back_words
from rewriter.en.breaks import fit_gaps, keep_break
from rewriter.en.inflection import match_case
from rewriter.en.view import View
from rewriter.language.rules import Decision, Rules
from rewriter.records import Edit

#: characters beside a noun in which a quotation mark is looked for
_NEAR = 200
_VOWEL_SOUND = re.compile(r"(?!uni|use|usu|euro?|one\b|once)[aeiou]|hono|hour|heir", re.IGNORECASE)


@dataclass(frozen=True)
class BackNouns:
    """The noun table read backwards.

    Attributes:
        back: fair noun (lower case) -> gendered noun.
        fair: gendered noun (lower case) -> (fair noun, number, gender).
        pattern: finds fair nouns.
    """

    back: dict[str, str] = field(default_factory=dict)
    fair: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    pattern: re.Pattern[str] = field(default=re.compile(r"(?!)"))

    @classmethod
    def load(cls, gender: str, extra_nouns: Iterable[dict[str, str]] = ()) -> BackNouns:
        """Read the shipped table and a user's own nouns; of those only rows with a column ``gender`` go back.

        Args:
            gender: ``masculine`` or ``feminine``.
            extra_nouns: rows with ``gendered``, ``fair``, maybe ``number`` and ``gender``.
        """
        rows = [*read_table("en", "nouns"), *extra_nouns]
        fair = {r["gendered"].lower(): (r["fair"].lower(), r.get("number", ""), r.get("gender", "")) for r in rows}
        back: dict[str, str] = {}
        for row in rows:
            # actors are of any gender; only one of them who is turned is an actress
            is_mixed = row.get("kind") == FEMININE and row.get("number") == "plural"
            if row.get("gender") == gender and row["fair"].lower() not in _care("never") and not is_mixed:
                back.setdefault(row["fair"].lower(), row["gendered"])
        return cls(back, fair, _pattern(back))

    def edits(self, view: View, rules: Rules) -> list[Edit]:
        """Return the edits of the fair nouns of a sentence."""
        made = (self._edit(view, rules, match) for match in self.pattern.finditer(view.text))
        return [edit for edit in made if edit is not None]

    def _edit(self, view: View, rules: Rules, match: re.Match[str]) -> Edit | None:
        fair = _squeeze(match["noun"])
        gendered = self.back.get(fair)
        places = view.places(match.start("noun"), match.end("noun"))
        if gendered is None or not places or any(map(view.is_protected, (match.start(), match.start("noun")))):
            return None
        if rules.first(FAIR_NOUN_STAYS, view, places[0], places[-1], fair):
            return None
        return _replacement(view.text, match, gendered)

    def other_gender(self, text: str, edit: Edit, gender: str) -> Edit | None:
        """Turn an edit of the way forward (*a policewoman* to *a police officer*) into one to the other gender.

        Returns None where the noun has that gender already or there is no such noun.
        """
        match = re.fullmatch(
            r"(?P<lead>\s*)(?:(?P<article>an?)(?P<gap>\s+))?(?P<noun>.*?)(?P<genitive>['’]s?)?(?P<rest>\s*)",
            edit.before,
            re.IGNORECASE | re.DOTALL,
        )
        if match is None or _squeeze(match["noun"]) not in self.fair:
            return None
        fair, number, own = self.fair[_squeeze(match["noun"])]
        if own == gender:
            return None
        gendered = self._counterpart(fair, number, gender)
        if gendered is None:
            return None
        return _replacement(text, match, gendered, edit.start)

    def _counterpart(self, fair: str, number: str, gender: str) -> str | None:
        """Return the noun of a gender; for a man where only the woman has a word of her own, the fair one (actor)."""
        for gendered, (other, other_number, other_gender) in self.fair.items():
            if (other, other_number, other_gender) == (fair, number, gender):
                return gendered
        genders = {g for f, n, g in self.fair.values() if (f, n) == (fair, number)}
        return fair if gender != FEMININE and genders == {FEMININE} else None


FAIR_NOUN_STAYS = Decision("en", "blocks", asked="back")


@FAIR_NOUN_STAYS.rule(
    "fair noun that may name a thing", example="They dropped the [anchor].", counter="The [anchor] said hello."
)
def _may_be_thing(view: View, first: int, last: int, fair: str) -> bool:
    return fair in _care("doubtful") and not _is_person(view, first, last)


def _squeeze(noun: str) -> str:
    return re.sub(r"\s+", " ", noun.lower())


@cache
def _care(use: str) -> frozenset[str]:
    return frozenset(row["fair"] for row in read_table("en", "back_nouns") if row["use"] == use)


def _pattern(nouns: Iterable[str]) -> re.Pattern[str]:
    forms = sorted(nouns, key=lambda noun: (-len(noun), noun))
    if not forms:
        return re.compile(r"(?!)")
    body = "|".join(re.escape(form).replace(r"\ ", r"\s+") for form in forms)
    return re.compile(
        rf"(?:\b(?P<article>an?)(?P<gap>\s+))?(?<![\w@#/-])(?P<noun>{body})(?P<genitive>['’]s(?!\w)|['’](?!\w))?"
        r"(?![\w]|-\w|/\w)",
        re.IGNORECASE,
    )


def _is_person(view: View, first: int, last: int) -> bool:
    """Return True if a noun that may name a thing (*anchor*, *principal*) is a person here: beside *said*, *who*."""
    following = view.skip_adverbs(last + 1)
    if view.norm(following) in back_words("person verb"):
        return True
    verb = view.norm(first - 2) if view.norm(first - 1) in ("the", "our", "my", "their", "a", "an", "your") else ""
    return verb in ("told", "asked", "met", "became", "as", "called", "said")


def _is_quote(text: str, match: re.Match[str], offset: int) -> bool:
    """Return True if the apostrophe behind a noun closes a quotation instead of marking a genitive."""
    if len(match["genitive"]) > 1:
        return False
    start, end = offset + match.start(), offset + match.end("genitive")
    is_genitive = match["noun"][-1:] in "sS" and re.match(r"\s+\w", text[end : end + _NEAR]) is not None
    return not is_genitive or re.search(r"(?<!\w)['‘]", text[max(0, start - _NEAR) : start]) is not None


def _replacement(text: str, match: re.Match[str], gendered: str, offset: int = 0) -> Edit | None:
    noun = match["noun"]
    style = noun if noun.isupper() else noun[0] + "x"
    after = fit_gaps(noun, match_case(style, gendered))
    if match["article"]:
        article = "an" if _VOWEL_SOUND.match(gendered) else "a"
        after = match_case(match["article"] + "x", article) + match["gap"] + after
    start = offset + (match.start("article") if match["article"] else match.start("noun"))
    end = offset + match.end("noun")
    if match["genitive"] and not _is_quote(text, match, offset):
        end = offset + match.end("genitive")
        bare = match["genitive"][:1]
        is_short = gendered.endswith("s") and len(match["genitive"]) == 1
        after += bare if is_short else bare + ("S" if style.isupper() else "s")
    kept = keep_break(text, start, end, after)
    if kept is None:
        return None
    start, end, after = kept
    before = text[start:end]
    return Edit(start, end, before, after, "noun", f"{before.strip()} -> {after.strip()}") if before != after else None
