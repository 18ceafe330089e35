"""Version 2 of the German convention: what stays beside what stays in version 1.

Kin, lexicalised compounds (*Bürgersteig*), and the masculine that takes up *wer*, *jemand* and *niemand*. All of it is
told by closed classes and the table ``version_two.tsv``; named persons and quotations are the business of a policy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from lexicons.loader import read_table
from rewriter.de.drafts import FIRST, KEEP
from rewriter.de.lexicon import GermanLexicon
from rewriter.language.candidates import Analysis, Candidate

VERSIONS = ("1", "2")
#: what becomes of compounds that begin with a person: starred, but for lexicalised ones in version 2, or kept
COMPOUNDS = ("star", "keep")
_INDEFINITE = frozenset({"jemand", "jemanden", "jemandem", "niemand", "niemanden", "niemandem"})


@cache
def _words(kind: str) -> tuple[str, ...]:
    return tuple(row["word"] for row in read_table("de", "version_two") if row["kind"] == kind)


def held(text: str, analysis: Analysis, lexicon: GermanLexicon, *, version: str, compounds: str) -> Analysis:
    """Return the analysis of a sentence with what stays settled.

    Args:
        text: the sentence.
        analysis: of the sentence.
        lexicon: compiled tables.
        version: of the convention, one of :data:`VERSIONS`.
        compounds: one of :data:`COMPOUNDS`.
    """
    staying = {
        index
        for index, candidate in enumerate(analysis.candidates)
        if (version == "2" and _stays(text, analysis, candidate, lexicon))
        or (candidate.kind == "compound" and (compounds == "keep" or (version == "2" and _is_lexicalised(candidate))))
    }
    if not staying and compounds != "keep":
        return analysis
    return replace(analysis, candidates=list(_settled(analysis.candidates, staying, compounds)))


def _settled(candidates: list[Candidate], staying: set[int], compounds: str) -> Iterator[Candidate]:
    for index, candidate in enumerate(candidates):
        if index in staying or (candidate.governor in staying and candidate.kind != "relative"):
            yield replace(candidate, forced=KEEP)
        elif compounds == "keep" and candidate.forced != FIRST and any(o == FIRST for o, _ in candidate.options):
            yield replace(candidate, options=tuple(option for option in candidate.options if option[0] != FIRST))
        else:
            yield candidate


def _stays(text: str, analysis: Analysis, candidate: Candidate, lexicon: GermanLexicon) -> bool:
    if candidate.kind in ("noun", "pair"):
        return _is_kin(text[candidate.start : candidate.end].split()[-1], lexicon)
    return candidate.kind in ("relative", "pronoun", "article") and _takes_up(analysis, candidate)


def _is_kin(surface: str, lexicon: GermanLexicon) -> bool:
    word = lexicon.word(surface)
    return word is not None and word.noun is not None and word.noun.person.masculine.lower().endswith(_words("kin"))


def _is_lexicalised(candidate: Candidate) -> bool:
    return candidate.options[0][1].lower().startswith(_words("compound"))


def _takes_up(analysis: Analysis, candidate: Candidate) -> bool:
    """Return True if a word behind a comma takes up *wer*, *jemand* or *niemand*."""
    norms = [token.norm for token in analysis.tokens[: candidate.token]]
    if norms[-1:] != [","] or candidate.options[0][1].lower() not in ("der", "dem", "den", "dessen"):
        return False
    return (len(norms) > 1 and norms[-2] in _INDEFINITE) or norms[0] == "wer"
