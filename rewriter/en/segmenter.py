"""Sentence spans of English text, by punctuation and an abbreviation table.

A wrong cut costs context (a verb parted from its pronoun), a missing cut only costs a longer input. So a cut needs
good evidence: end punctuation, white space, and a beginning that looks like one. A line break alone is no cut, since
many corpora wrap their lines; an empty line is.
"""

from __future__ import annotations

import re
from functools import cache

from lexicons.loader import read_table
from rewriter.text.spans import cut_spans

#: end punctuation with closing quotes and brackets, then white space, or a word with which a sentence begins where the
#: space was forgotten; or an empty line
# (possessive, and only from the first mark of a run: a megabyte of full stops must not take quadratic time)
_BOUNDARY = re.compile(
    r"""(?<![.!?…])(?P<end>[.!?…]++[)\]}"'”’»*_]*+)"""
    r"""(?=\s|(?<=[a-z][a-z][.!?])(?:He|She|His|Her|It|They|I|We|You|The|This)[ '’])"""
    r"""|(?P<blank>\r?\n[ \t]*(?=\r?\n))"""
)
_BEGIN = re.compile(r"""\s*[("'“‘«\[{*_—–-]*(?P<first>.)""", re.DOTALL)
_LAST_WORD = re.compile(r"[^\s(\[\"“”‘’—–]+$")
_INITIAL = re.compile(r"(?:[A-Z]\.)*[A-Z]")
#: words that begin a sentence after an abbreviation that may also end one (etc. She ...)
_STARTERS = frozenset(
    (
        "he she they it we i you the this that these those there his her their its my our but and so when if "
        "then however in on at as for after before while a an"
    ).split()
)


@cache
def _abbreviations() -> dict[str, str]:
    return {row["abbreviation"]: row["kind"] for row in read_table("en", "abbreviations")}


def segment(text: str) -> list[tuple[int, int]]:
    """Cut ``text`` into sentences; see :func:`rewriter.text.spans.cut_spans`."""
    return cut_spans(text, _BOUNDARY, _ends_sentence)


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    following = _BEGIN.match(text, match.end())
    if following is None:
        return True
    first = following["first"]
    if first.islower():
        return False
    if match["end"] != ".":
        # "..." and closing quotes before a capital end a sentence; so do ! and ?
        return True
    word_match = _LAST_WORD.search(text, max(0, match.start() - 40), match.start())
    return word_match is None or _full_stop_ends(
        word_match.group(), text[following.start("first") : following.start("first") + 40], first
    )


def _full_stop_ends(word: str, rest: str, first: str) -> bool:
    """Decide about a single full stop after ``word`` before ``rest``, which begins with ``first``."""
    kind = _abbreviations().get(word.lower())
    if kind in ("name", "always"):
        return False
    if kind == "number":
        return not first.isdigit() and (word.lower() != "no" or first.isupper())
    next_word = re.match(r"[A-Za-z]+", rest)
    starter = next_word is not None and next_word.group().lower() in _STARTERS
    if kind == "rare":
        return starter
    if _INITIAL.fullmatch(word) and word != "I":
        # J. K. Smith; but: "vitamin C. She took ..."
        return starter
    return True
