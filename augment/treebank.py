"""Gold parses: sentences of a treebank in CoNLL-U as the augmentation rules see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from augment.dependency import Parse, Relation, Token, adapt
from rewriter.errors import InputError

_COLUMNS = 10
_CLOSING, _OPENING = frozenset(",.;:!?)]}”«"), frozenset("([{„»")


def is_treebank(name: str) -> bool:
    """Return True if a file name is that of a treebank: ``.conllu``, plain or packed."""
    return name.removesuffix(".gz").removesuffix(".zst").endswith(".conllu")


def parses(lines: Iterable[tuple[int, str]], *, where: str) -> Iterator[tuple[int, Parse]]:
    """Yield (number of the last line, parse) of every sentence in lines of CoNLL-U.

    Contracted words (*am* = *an dem*) are one word, that of their article, as a reader sees them. Where punctuation
    stands apart in the treebank's text (as in HDT), it is closed up. A sentence that begins or ends outside the lines
    is left out.

    Args:
        lines: with their numbers.
        where: name of the file, for messages.

    Raises:
        InputError: a row has not ten columns, or a head is no number.
    """
    rows: list[list[str]] = []
    for number, line in lines:
        line = line.rstrip("\r\n")
        if line and not line.startswith("#"):
            rows.append(line.split("\t"))
            if len(rows[-1]) != _COLUMNS:
                raise InputError(f"{where}, line {number}: CoNLL-U has ten columns, this row {len(rows[-1])}")
        elif not line and rows:
            if rows[0][0].partition("-")[0] == "1":
                yield number, _parse(rows, spaced=_is_spaced(rows), where=f"{where}, line {number}")
            rows = []


def _is_spaced(rows: list[list[str]]) -> bool:
    """Return True if a comma or full stop stands apart from the word before it."""
    return any(
        row[1] in (",", ".") and "SpaceAfter=No" not in before[9] and "-" not in row[0]
        for before, row in pairwise(rows)
    )


def _parse(rows: list[list[str]], *, spaced: bool, where: str) -> Parse:
    words = _words(rows)
    places = {row[0]: index for index, (_, row) in enumerate(words)}
    covered = {old: places[new[1][0]] for old, new in _covered(rows, words)}
    text, tokens = "", []
    opened = False
    for index, (form, row) in enumerate(words):
        try:
            head = index if row[6] == "0" else covered[row[6]]
        except KeyError:
            raise InputError(f"{where}: '{row[6]}' is the head of '{form}', and no word has that number") from None
        start = len(text)
        relation = Relation.ROOT if head == index else adapt(row[7], "universal-dependencies")
        features = "" if row[5] == "_" else row[5]
        tokens.append(
            Token(index, form, row[2], row[4], row[3], start, start + len(form), head, relation, row[7], features)
        )
        opened = opened != (form == '"')
        following = words[index + 1][0] if index + 1 < len(words) else ""
        text += form + ("" if not following or _is_close(row, form, following, spaced, opened) else " ")
    return Parse(text, tuple(tokens))


def _is_close(row: list[str], form: str, following: str, spaced: bool, opened: bool) -> bool:
    if not spaced:
        return "SpaceAfter=No" in row[9]
    if form == '"':
        return opened
    return following in _CLOSING or form in _OPENING or (following == '"' and opened)


def _words(rows: list[list[str]]) -> list[tuple[str, list[str]]]:
    """Return the words as they are written, with the row that says what they are."""
    found: list[tuple[str, list[str]]] = []
    last = 0
    by_number = {row[0]: row for row in rows}
    for row in rows:
        if "-" in row[0]:
            begin, end = map(int, row[0].split("-"))
            inside = [by_number[str(number)] for number in range(begin, end + 1)]
            main = next((r for r in inside if r[3] == "DET"), inside[-1])
            found.append((row[1], [*main[:9], row[9]]))
            last = end
        elif "." not in row[0] and int(row[0]) > last:
            found.append((row[1], row))
    return found


def _covered(rows: list[list[str]], words: list[tuple[str, list[str]]]) -> Iterable[tuple[str, tuple[str, list[str]]]]:
    """Yield for the number of every row the written word that holds it."""
    kept = {row[0]: (form, row) for form, row in words}
    spans = [tuple(map(int, row[0].split("-"))) for row in rows if "-" in row[0]]
    for row in rows:
        if "-" in row[0] or "." in row[0]:
            continue
        if row[0] in kept:
            yield row[0], kept[row[0]]
            continue
        begin, end = next((b, e) for b, e in spans if b <= int(row[0]) <= e)
        yield row[0], next(kept[str(n)] for n in range(begin, end + 1) if str(n) in kept)
