"""Sentence spans of German text, by punctuation and an abbreviation table.

As for English a cut needs good evidence: end punctuation, white space, and a beginning that looks like one. A number
before a full stop is an ordinal or a date unless it is long (*am 3. Mai*, but *im Jahr 1999. Danach*).
"""

from __future__ import annotations

import re
from functools import cache

from lexicons.loader import read_table
from rewriter.text.spans import cut_spans

#: end punctuation with closing quotes and brackets, then white space; or an empty line
_BOUNDARY = re.compile(r"""(?<![.!?…])(?P<end>[.!?…]++[)\]}"'“”’»«*_]*+)(?=\s)|(?P<blank>\r?\n[ \t]*(?=\r?\n))""")
_BEGIN = re.compile(r"""\s+[("'„“‚»«\[{*_—–-]*(?P<first>.)""", re.DOTALL)
_LAST_WORD = re.compile(r"[^\s(\[\"„“”‚‘’»«—–/-]+$")
_INITIAL = re.compile(r"(?:[A-ZÄÖÜ]\.)*[A-ZÄÖÜ]")
#: words that begin a sentence after an abbreviation or number that may also end one
_STARTERS = frozenset(
    (
        "der die das ein eine er sie es wir ich ihr man dieser diese dieses hier dort da dann danach so doch aber und "
        "wenn als nachdem weil obwohl in im am auf für mit nach bei seit seine ihre sein jeder jede alle kein keine"
    ).split()
)
#: words before an ordinal or numbered part, behind which a full stop ends nothing
_LONGEST_ORDINAL = 2


@cache
def _abbreviations() -> dict[str, str]:
    return {row["abbreviation"]: row["kind"] for row in read_table("de", "abbreviations")}


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
        return True
    word = _LAST_WORD.search(text, max(0, match.start() - 40), match.start())
    begin = following.start("first")
    return word is None or _full_stop_ends(word.group(), text[begin : begin + 40])


def _full_stop_ends(word: str, rest: str) -> bool:
    """Decide about a single full stop after ``word`` before ``rest``."""
    next_word = re.match(r"[^\W\d_]+", rest)
    starter = next_word is not None and next_word.group().lower() in _STARTERS
    if word.isdigit():
        return len(word) > _LONGEST_ORDINAL or starter
    kind = _abbreviations().get(word.lower().rpartition(".")[2])
    if kind == "always" and (len(word) > 1 or word.islower()):
        return False
    if kind == "rare" or _INITIAL.fullmatch(word):
        return starter
    return True
