"""The word tables of English compiled for look-up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import NamedTuple

from lexicons.loader import read_table
from rewriter.en.noun_pairs import NounPairs
from rewriter.language.rules import Rules
from rewriter.text.word_pattern import any_word


@cache
def traps(kind: str) -> frozenset[str]:
    """Return the words of ``lexicons/en/traps.tsv`` beside which a pronoun form is none."""
    return frozenset(row["word"] for row in read_table("en", "traps") if row["kind"] == kind)


class Noun(NamedTuple):
    """What a word of the noun tables becomes.

    Attributes:
        fair: the word without a gender.
        is_plural: whether it is a plural.
        is_verb: whether it is a form of a verb (*to man*), which has an object behind it.
        when: words of which one must stand in the sentence, of a verb in its object; empty for everywhere.
    """

    fair: str
    is_plural: bool
    is_verb: bool
    when: frozenset[str]


@dataclass(frozen=True)
class EnglishLexicon:
    """The word tables compiled for look-up; built once per settings.

    Attributes:
        reflexive: ``themself`` or ``themselves``.
        nouns: gendered noun (lower case) -> what it may become; the first counts whose words stand in the sentence.
        noun_pattern: finds a noun with its article and genitive.
        double_pattern: finds a double form.
        double_cases: double form (lower case, single spaces) -> grammatical case.
        noun_hint: fast; finds something in the lower-cased text wherever ``noun_pattern`` finds a noun of the table.
        double_hint: the same for ``double_pattern``.
        pairs: joins the nouns of a pair that have one fair noun; None under the table of the literature.
        rules: that the grammar asks.
    """

    reflexive: str = "themself"
    nouns: dict[str, tuple[Noun, ...]] = field(default_factory=dict)
    noun_pattern: re.Pattern[str] = field(default=re.compile(r"(?!)"))
    double_pattern: re.Pattern[str] = field(default=re.compile(r"(?!)"))
    double_cases: dict[str, str] = field(default_factory=dict)
    noun_hint: re.Pattern[str] = field(default=re.compile(r"(?!)"))
    double_hint: re.Pattern[str] = field(default=re.compile(r"(?!)"))
    pairs: NounPairs | None = None
    rules: Rules = field(default_factory=partial(Rules, "en"))

    @property
    def is_wide(self) -> bool:
        """Whether the wide noun table is used."""
        return self.pairs is not None

    @classmethod
    def load(
        cls,
        *,
        reflexive: str = "themself",
        nouns: str = "literature",
        extra_nouns: Iterable[dict[str, str]] = (),
        rules: Rules | None = None,
    ) -> EnglishLexicon:
        """Read the shipped tables and a user's own nouns (rows with ``gendered``, ``fair`` and maybe ``number``).

        Args:
            reflexive: ``themself`` or ``themselves``.
            nouns: ``literature`` or ``wide``.
            extra_nouns: rows of the user's own.
            rules: that are asked; None asks all.
        """
        is_wide = nouns == "wide"
        table: dict[str, tuple[Noun, ...]] = {}
        for rows in (read_table("en", "nouns"), read_table("en", "nouns_wide") if is_wide else (), extra_nouns):
            table |= _grouped(rows)  # rows of a later table stand in the place of those before
        doubles = {squeeze(row["form"]): row["case"] for row in read_table("en", "double_forms")}
        patterns = _noun_pattern(table, is_wide=is_wide), _double_pattern(doubles)
        hints = any_word(table), any_word(_spaced(doubles))
        pairs = NounPairs(_plain(table)) if is_wide else None
        return cls(reflexive, table, *patterns, doubles, *hints, pairs, rules or Rules("en"))

    def is_verb(self, word: str) -> bool:
        """Return True if a word of the noun tables (lower case) is a form of a verb there."""
        return any(noun.is_verb for noun in self.nouns.get(word, ()))

    def fair_pronoun(self, case: str) -> str:
        """Return the fair pronoun of a grammatical case."""
        forms = {"subject": "they", "object": "them", "possessive": "their", "standalone": "theirs"}
        return self.reflexive if case == "reflexive" else forms[case]


def squeeze(form: str) -> str:
    """Return a double form as the table has it: lower case, single spaces, none beside a slash."""
    return re.sub(r"\s+", " ", re.sub(r"\s*/\s*", "/", form.lower()))


def _spaced(forms: Iterable[str]) -> list[str]:
    """Return the forms and those with spaces beside the slash."""
    return [form.replace("/", slash) for form in forms for slash in ("/", " /", "/ ", " / ")]


def _grouped(rows: Iterable[dict[str, str]]) -> dict[str, tuple[Noun, ...]]:
    """Return the rows of a noun table by their word."""
    table: dict[str, tuple[Noun, ...]] = {}
    for row in rows:
        when = row.get("when", "-")
        words = frozenset() if when == "-" else frozenset(when.split())
        noun = Noun(row["fair"], row.get("number") == "plural", row.get("number") == "verb", words)
        table[row["gendered"].lower()] = (*table.get(row["gendered"].lower(), ()), noun)
    return table


def _plain(table: Mapping[str, tuple[Noun, ...]]) -> dict[str, tuple[str, bool]]:
    """Return the nouns that may be half of a pair -> fair noun, is plural."""
    return {word: (nouns[-1].fair, nouns[-1].is_plural) for word, nouns in table.items() if not nouns[-1].is_verb}


#: what an object begins with
_OBJECT = r"(?=\s+(?:the|an?|this|that|these|those|my|your|our|their|his|her|its|one|two|three|both|all)\b)"


def _noun_pattern(nouns: Mapping[str, tuple[Noun, ...]], *, is_wide: bool) -> re.Pattern[str]:
    forms = sorted(nouns, key=lambda noun: (-len(noun), noun))
    body = "|".join(re.escape(form).replace(r"\ ", r"\s+") + _OBJECT * nouns[form][0].is_verb for form in forms)
    # under the wide table: co-chairman, ex-policeman
    before = r"(?:(?<![\w@#/-])|(?<=\bco-)|(?<=\bex-)|(?<=\bvice-))" if is_wide else r"(?<![\w@#/-])"
    genitive = r"['’]s|(?<=ss)['’](?=\s+[a-z])"  # the actress' role
    return re.compile(
        rf"(?:\b(?P<article>an?)(?P<gap>\s+))?{before}(?P<noun>{body})(?P<genitive>{genitive})?(?![\w]|-\w)", re.I
    )


def _double_pattern(forms: Iterable[str]) -> re.Pattern[str]:
    ordered = sorted(forms, key=lambda form: (-len(form), form))
    body = "|".join(re.escape(form).replace(r"\ ", r"\s+").replace("/", r"\s?/\s?") for form in ordered)
    return re.compile(rf"(?<![\w/-])(?:{body})(?![\w/]|-\w)", re.IGNORECASE)
