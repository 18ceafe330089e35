"""Names the kind of an English edit from its tokens alone: no parse, no context.

The tables are those of the rewriter, so a noun or pronoun added there is named here too. Both directions are named
alike (*he* for *they* is as much a pronoun edit as *they* for *he*).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from lexicons.loader import read_table
from rewriter.en.inflection import guess_plural, to_plural

#: in the order in which tables show them
KINDS = (
    "pronoun, subject",
    "pronoun, object",
    "pronoun, possessive",
    "pronoun, standalone",
    "pronoun, reflexive",
    "verb",
    "contraction of be",
    "contraction of have",
    "article",
    "noun",
)

_ARTICLES = {"a", "an"}
#: endings as the tokenizer leaves them: with either apostrophe, or without one where it stands alone (’ + s)
_IS_OR_HAS = {"'s", "’s", "s", "hes", "shes"}
_ARE = {"'re", "’re", "re", "theyre"}
_HAVE = {"'ve", "’ve", "ve", "theyve"}


@lru_cache(maxsize=100_000)
def name_kind(before: tuple[str, ...], after: tuple[str, ...]) -> str | None:
    """Return the kind of the edit that puts ``after`` in the place of ``before``, or None where it is none of them."""
    old, new = tuple(t.lower() for t in before), tuple(t.lower() for t in after)
    return _name(old, new) or _name(new, old)


def _name(old: tuple[str, ...], new: tuple[str, ...]) -> str | None:
    """Name an edit from gendered to fair."""
    if len(new) == 1 and new[0] in _fair_pronouns() and _is_pronoun(old):
        return f"pronoun, {_fair_pronouns()[new[0]]}"
    if len(old) == len(new) == 1:
        kind = _name_word(old[0], new[0])
        if kind:
            return kind
    return "noun" if (old, new) in _noun_edits() else None


def _name_word(old: str, new: str) -> str | None:
    if old in _IS_OR_HAS and new in _ARE | _HAVE:
        return "contraction of be" if new in _ARE else "contraction of have"
    if {old, new} == _ARTICLES:
        return "article"
    # "isn't" comes as "isn" and "'t"
    if new in (to_plural(old), guess_plural(old)) or to_plural(old + "'t") == new + "'t":
        return "verb"
    return None


@cache
def _fair_pronouns() -> dict[str, str]:
    cases = {row["fair"]: row["case"] for row in read_table("en", "pronouns")}
    return cases | {"themselves": "reflexive"}


def _is_pronoun(words: tuple[str, ...]) -> bool:
    """Return whether the words are a gendered pronoun or made of the parts of a double form."""
    return not _gendered_words().isdisjoint(words) and _double_parts().issuperset(words)


@cache
def _gendered_words() -> frozenset[str]:
    return frozenset(row["gendered"] for row in read_table("en", "pronouns"))


@cache
def _double_parts() -> frozenset[str]:
    """Return gendered pronouns and what joins them in double forms, as any tokenizer may cut it."""
    forms = [row["form"].lower() for row in read_table("en", "double_forms")]
    return _gendered_words().union(*map(str.split, forms), *(re.findall(r"\w+|[^\w\s]", form) for form in forms))


@cache
def _noun_edits() -> frozenset[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the edits that the noun table's rows amount to: words that both sides share are no part of them."""
    edits = set()
    for row in read_table("en", "nouns"):
        old, new = row["gendered"].lower().split(), row["fair"].lower().split()
        edits.add((tuple(old), tuple(new)))
        while old and new and old[0] == new[0]:
            old, new = old[1:], new[1:]
        while old and new and old[-1] == new[-1]:
            old, new = old[:-1], new[:-1]
        edits.add((tuple(old), tuple(new)))
    return frozenset(edits)


def referring(source: str, start: int, end: int) -> str | None:
    """Return ``pronoun`` if a word of a sentence is a gendered pronoun, else None.

    Args:
        source: the sentence.
        start: offset of the word.
        end: offset after it.
    """
    words = re.findall(r"\w+", source[start:end].lower())
    return "pronoun" if words and words[0] in _gendered_words() else None
