"""Twins of templates: every frame with every person, so that frames, persons and genders are equally many."""

from __future__ import annotations

import re
from collections.abc import Iterator

from augment.swap.core import Swapper
from augment.twins.check import check_twins
from augment.twins.records import TO_FEMININE, TO_MASCULINE, Twin
from lexicons.loader import TableError, read_table
from rewriter.errors import LexiconError, UsageError

#: what differs between the two texts of a frame: [she|he]
_CHOICE = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")


def template_twins(lang: str, swapper: Swapper) -> Iterator[Twin]:
    """Yield the twins of the tables ``twin_frames.tsv`` and ``twin_persons.tsv`` of a language.

    Half of the frames of a person have the feminine text first, the other half the masculine one. Every pair is
    checked: swapping each of the two texts gives the other.

    Args:
        lang: code of the language.
        swapper: that checks; with ``names=False``, as the tables have no given names.

    Raises:
        LexiconError: the language has no such tables.
        UsageError: swapping does not give the other text of a pair: the tables do not suit the rules.
    """
    try:
        frames, persons = read_table(lang, "twin_frames"), read_table(lang, "twin_persons")
    except TableError as error:
        raise LexiconError(str(error)) from None
    for f, frame in enumerate(frames):
        for p, person in enumerate(persons):
            texts = [_filled(frame["frame"], person[gender], side) for side, gender in enumerate(_GENDERS)]
            turned = (TO_MASCULINE, TO_FEMININE)[(f + p) % 2]
            source, twin = texts if turned == TO_MASCULINE else texts[::-1]
            origin = f"template:{frame['name']}/{person['name']}"
            yield _checked(Twin(f"{lang}-{frame['name']}-{person['name']}", lang, source, twin, turned, origin), swapper)


_GENDERS = ("feminine", "masculine")


def _filled(frame: str, person: str, side: int) -> str:
    text = _CHOICE.sub(lambda match: match[side + 1], frame).replace("{person}", person)
    return text[:1].upper() + text[1:]


def _checked(made: Twin, swapper: Swapper) -> Twin:
    checked = check_twins([made.source], swapper)[0]
    if checked.reason or checked.there.text != made.twin:
        raise UsageError(
            f"{made.origin}: swapping '{made.source}' gives '{checked.there.text}', not '{made.twin}'"
            + (f" ({checked.reason})" if checked.reason else "")
        )
    return Twin(made.pair, made.lang, made.source, made.twin, made.turned, made.origin, checked.there.edits)
