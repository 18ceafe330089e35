"""Names the kind of a German edit from its words alone: no parse, no context.

A gender-fair form is one word here (*Lehrer\\*in*, *der:die*, *LehrerIn*), whatever a tokenizer makes of its sign, so
this language brings its own :func:`cut`. The tables are those of the rewriter. Both directions are named alike.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from rewriter.de.fair_forms import FairForm, fair_forms
from rewriter.de.lexicon import GermanLexicon

NOUN, DETERMINER, ADJECTIVE, COMPOUND = "noun", "determiner or pronoun", "adjective", "compound"
#: in the order in which tables show them; *compound* has the person as its first part (*Kandidat\\*innenliste*)
KINDS = (NOUN, DETERMINER, ADJECTIVE, COMPOUND)

_TOKEN = re.compile(r"[^\W\d_]+(?:(?:[*:_·•]|/-?)[^\W\d_]+)*|\d+|\S")
_FAIR_NOUN = re.compile(r"[^\W\d_]{2,}(?:(?:[*:_·•]|/-?)in(?:nen)?|In(?:nen)?)(?P<rest>[a-zäöüß]*)")
_SIGN = re.compile(r"[*:_·•]|/-?")
_JOINING = frozenset({"und", "oder", "sowie", "bzw", "beziehungsweise", ".", "/", "&", "von", "vom", "bei", "an", "in"})
_PRONOUNS = frozenset("er sie ihn ihm ihr der die das den dem des dessen deren zum zur vom beim am im".split())
#: letters that a fair noun and what stood there must share; a short noun shares all but its last
_COMMON = 4
_UMLAUTS = str.maketrans("äöü", "aou")


def cut(sentence: str) -> tuple[str, ...]:
    """Cut a sentence into words, each gender-fair form being one."""
    return tuple(_TOKEN.findall(sentence))


@lru_cache(maxsize=100_000)
def name_kind(before: tuple[str, ...], after: tuple[str, ...]) -> str | None:
    """Return the kind of the edit that puts ``after`` in the place of ``before``, or None where it is none of them."""
    return _name(before, after) or _name(after, before)


def _name(old: tuple[str, ...], new: tuple[str, ...]) -> str | None:
    """Name an edit from gendered to fair: one fair word (*vom\\*von der*: two) for one word or a pair of them."""
    if not old or not new or len(new) > 1 + (new[1:] == ("der",)):
        return None
    kind = _fair_kind(new[0])
    if kind is None or not any(_related(word, new[0], kind) for word in old):
        return None
    if len(old) == 1 or (len(old) == 2 and len(new) == 2):
        return kind
    return kind if _is_pair(old, new[0], kind) else None


def _is_pair(old: tuple[str, ...], fair: str, kind: str) -> bool:
    """Return True if words are a pair form of a fair word, determiners and what joins them included."""
    rest = [word for word in old if not _related(word, fair, kind)]
    joined = any(word.lower() in _JOINING for word in rest)
    return joined and all(word.lower() in _JOINING or _is_determiner(word) for word in rest)


@lru_cache(maxsize=100_000)
def _fair_kind(word: str) -> str | None:
    """Return the kind of a gender-fair word, None for any other."""
    match = _FAIR_NOUN.fullmatch(word)
    if match is not None and (_SIGN.search(word) or _known(word) is not None):
        return COMPOUND if len(match["rest"]) > 1 else NOUN
    if not _SIGN.search(word):
        return None
    parts = _SIGN.split(word)
    if any(map(_is_determiner, parts[:2])):
        return DETERMINER
    if _known(word) is None and len(parts[-1]) > 1:
        return None  # and/or, SPD/CDU
    return ADJECTIVE if word[:1].islower() or not _is_nominalised(parts[0]) else NOUN


def _related(word: str, fair: str, kind: str) -> bool:
    """Return True if a word may have become the fair one."""
    one, other = word.lower(), fair.lower()
    if kind == DETERMINER:
        parts = _SIGN.split(other)
        return one in parts or (_is_determiner(word) and one[0] in {part[:1] for part in parts})
    stem = _SIGN.split(other)[0]
    if "In" in fair and not _SIGN.search(fair):
        stem = other[: fair.index("In")]
    needed = min(_COMMON, max(2, len(stem) - 1))
    return one[:needed].translate(_UMLAUTS) == other[:needed].translate(_UMLAUTS) and _FAIR_NOUN.fullmatch(word) is None


def _is_determiner(word: str) -> bool:
    lower = word.lower()
    return lower in _PRONOUNS or lower in _lexicon().determiners


def _is_nominalised(word: str) -> bool:
    known = _lexicon().word(word)
    return known is not None and known.nominalised is not None


def _known(word: str) -> FairForm | None:
    form = next(fair_forms(word, _lexicon()), None)
    return form if form is not None and (form.start, form.end) == (0, len(word)) else None


@cache
def _lexicon() -> GermanLexicon:
    return GermanLexicon()


_POSSESSIVE = re.compile(r"(?:seine?|ihre?)(?:[nmrs]|rseits|twegen|thalben|sgleichen)?")
_PERSONAL = frozenset("er ihn ihm sie ihr ihnen jemand jemanden jemandem niemand niemanden niemandem".split())
_ALONE = re.compile(r"(?:k?ein|jed|manch|welch|jen|dies|derjenig|diejenig)(?:e[nmrs]?)|d(?:er|ie|en|em|es)jenigen?")
_RELATIVE = frozenset("der die das den dem deren dessen denen welcher welche welches welchen welchem".split())
_AFTER_COMMA = re.compile(r",\s+(?:[a-zäöüß]+\s+)?$")
_NEXT_WORD = re.compile(r"\s+([^\W\d_]+)")


def referring(source: str, start: int, end: int) -> str | None:
    """Return whether a word of a sentence is a pronoun, a possessive or a relative, by its form and its neighbours.

    Args:
        source: the sentence.
        start: offset of the word.
        end: offset after it.

    Returns:
        ``pronoun``, ``possessive``, ``relative``, or None for any other word. *ihr* is a possessive before a capital;
        a form of *der* is a relative after a comma (or a comma and one word) unless a capital follows, *deren* and
        *dessen* always; *jeder* and *einer* are pronouns unless a capital or an adjective's ending follows.
    """
    word = source[start:end].split(" ")[0].lower()
    follows = _NEXT_WORD.match(source, start + len(word))
    following = follows[1] if follows else ""
    if word == "ihr":
        return "possessive" if following[:1].isupper() else "pronoun"
    if word in _PERSONAL:
        return "pronoun"
    if _POSSESSIVE.fullmatch(word):
        return "possessive"
    if word in _RELATIVE and _AFTER_COMMA.search(source[:start]):
        return "relative" if word in ("deren", "dessen") or not following[:1].isupper() else None
    if _ALONE.fullmatch(word) and not following[:1].isupper() and not re.search(r"e[nmrs]?$", following):
        return "pronoun"
    return None
