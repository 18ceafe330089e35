"""German that is not written in plain spelling: entities, words cut at a line's end, umlauts in ASCII, ALL CAPITALS.

*Sch&uuml;ler*, *Mitar-⏎beiter*, *Schueler*, *DIE SCHÜLER* are read as *Schüler* and *Mitarbeiter*, and written as they
stand. Which words are meant is for the tables to know: what they do not hold stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape

from lexicons.loader import read_table
from rewriter.de.given_names import first_names
from rewriter.de.lexicon import GermanLexicon, genders
from rewriter.language.respelt import Change, Respelt

_ENTITY = re.compile(r"&(?:[AOUaou]uml|szlig);")
_CUT = re.compile(r"(?<=[a-zäöüß])(?:-[ \t]*\r?\n[ \t]*|\u00ad(?:[ \t]*\r?\n[ \t]*)?)(?=[a-zäöüß])")
#: what may stand behind a hyphen without going on with its word
_JOINING = re.compile(r"(?:und|oder|bzw|sowie|als|noch|bis)\b")
_UMLAUT = re.compile(r"[äöüßÄÖÜ]")
#: two letters for an umlaut: never in *neue, treue, quer, Bauer*
_DIGRAPH = re.compile(r"(?<![aeqAEQ])(?:[aou]e|[AOU]e)")
_WORD = re.compile(r"[^\W\d_]+")
_PLAIN = {"ae": "ä", "oe": "ö", "ue": "ü", "Ae": "Ä", "Oe": "Ö", "Ue": "Ü"}
_ASCII = str.maketrans({letter: digraph for digraph, letter in _PLAIN.items()} | {"ß": "ss"})
_ENTITIES = str.maketrans({unescape(name): name for name in
                           ("&auml;", "&ouml;", "&uuml;", "&Auml;", "&Ouml;", "&Uuml;", "&szlig;")})  # fmt: skip
_INNER_I = re.compile(r"(?<=[a-zäöüß])In(?=(?:nen)?(?![^\W_]))")
#: the sign of a gender-fair word, at whose end another part begins; what may stand before the first word
_SIGN = re.compile(r"[^\W\d_](?:[*:_·•]|/-?|\(-?)\Z")
_OPENING = " \"'„“‚»«([*-–—"
#: words in capitals that a text in capitals has at least, and their letters
_LEAST_WORDS, _LEAST_LETTERS = 2, 8
#: pronouns that may be polite: in capitals nobody can tell, so they are read as polite
_POLITE = re.compile(r"SIE|IHNEN|IHRE?[NMRS]?")


def respelt(text: str, lexicon: GermanLexicon) -> Respelt | None:
    """Return a sentence in plain spelling, None where it is written so already.

    Args:
        text: the sentence.
        lexicon: knows the words.
    """
    if text.isupper():
        return _in_capitals(text, lexicon)
    if "&" in text and _ENTITY.search(text) is not None:
        changes = tuple((*m.span(), unescape(m.group())) for m in _ENTITY.finditer(text))
        return Respelt(text, changes, lambda words: words.translate(_ENTITIES))
    if ("\n" in text or "\u00ad" in text) and (cuts := tuple(_cuts(text, lexicon))):
        return Respelt(text, cuts, str)
    if _UMLAUT.search(text) is not None or _DIGRAPH.search(text) is None:
        return None
    digraphs = tuple(_digraphs(text, lexicon))
    return Respelt(text, digraphs, lambda words: words.translate(_ASCII)) if digraphs else None


def _cuts(text: str, lexicon: GermanLexicon) -> Iterator[Change]:
    """Yield the hyphens at the ends of lines within words of the tables."""
    for match in _CUT.finditer(text):
        left = re.search(r"[^\W\d_]+$", text[: match.start()])
        right = _WORD.match(text, match.end())
        if left is None or right is None or (match.group()[0] == "-" and _JOINING.match(text, match.end())):
            continue
        if _is_known(left.group() + right.group(), lexicon):
            yield *match.span(), ""


def _digraphs(text: str, lexicon: GermanLexicon) -> Iterator[Change]:
    """Yield two letters for an umlaut in words that are none otherwise, and of which one may be a person."""
    found: list[Change] = []
    is_person = False
    for word in _WORD.finditer(text):
        plain = _DIGRAPH.sub(lambda m: _PLAIN[m.group()], word.group())
        if plain == word.group() or not _is_known(plain, lexicon):
            continue
        if _is_known(word.group(), lexicon) and not lexicon.holds(plain):
            continue
        is_person |= lexicon.word(plain) is not None
        start = word.start()
        found += ((start + m.start(), start + m.end(), _PLAIN[m.group()]) for m in _DIGRAPH.finditer(word.group()))
    return iter(found if is_person else ())


def _in_capitals(text: str, lexicon: GermanLexicon) -> Respelt | None:
    words = list(_WORD.finditer(text))
    if sum(len(word.group()) > 1 for word in words) < _LEAST_WORDS or sum(map(str.isalpha, text)) < _LEAST_LETTERS:
        return None
    changes = tuple((*word.span(), _recased(text, word, lexicon)) for word in words)
    if any(len(plain) != end - start for start, end, plain in changes):
        return None
    return Respelt(text, changes, lambda after: _INNER_I.sub("/IN", after).upper())


def _recased(text: str, match: re.Match[str], lexicon: GermanLexicon) -> str:
    word, start = match.group(), match.start()
    title, lower = word[:1] + word[1:].lower(), word.lower()
    if _SIGN.search(text, 0, start) is not None:
        return lower  # SCHÜLER/INNEN
    if not text[:start].strip(_OPENING) or _POLITE.fullmatch(word) is not None:
        return title
    if lower in _small_words():
        return lower
    return title if title in first_names() or _is_known(title, lexicon) else lower


def _is_known(word: str, lexicon: GermanLexicon) -> bool:
    """Return True if a word stands in a table, or is a compound of one."""
    if word in genders() or word.capitalize() in genders() or word.lower() in _small_words():
        return True
    return lexicon.word(word) is not None and not lexicon.knows_by_form_alone(word)


@cache
def _small_words() -> frozenset[str]:
    tables = (read_table("de", name) for name in ("stop_words", "function_words", "verb_forms"))
    return frozenset(row.get("word", row.get("form", "")).lower() for table in tables for row in table)
