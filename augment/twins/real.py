"""Twins of real sentences, as many turned one way as the other."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from augment.swap.core import Swapper
from augment.twins.check import check_twins
from augment.twins.records import BOTH, TO_FEMININE, TO_MASCULINE, Twin

#: texts that are swapped at once
_PART = 500


@dataclass
class RealTwins:
    """Twins of real texts.

    Attributes:
        twins: balanced by direction where that was asked for, in the order of their texts.
        left: reason -> texts that make no twin.
    """

    twins: list[Twin] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)


def real_twins(
    texts: Iterable[tuple[str, str]],
    lang: str,
    swapper: Swapper,
    *,
    one_way: tuple[Swapper, Swapper],
    balance: bool = True,
    most_changes: int | None = None,
    seed: int = 1,
) -> RealTwins:
    """Make twins of texts.

    A pair is turned one way where turning the words of one gender alone gives the same twin.

    Args:
        texts: (origin, text).
        lang: code of their language.
        swapper: turns both genders.
        one_way: the same with the directions ``to-masculine`` and ``to-feminine``.
        balance: keep as many pairs turned one way as the other, none that is turned both ways; which ones of the
            larger side is chosen by digest of text and seed.
        most_changes: leave out texts with more edits.
        seed: of the choice.
    """
    made = RealTwins()
    for part in _parts(texts):
        for (origin, text), checked in zip(part, check_twins([text for _, text in part], swapper), strict=True):
            reason = checked.reason
            if not reason and most_changes is not None and len(checked.there.edits) > most_changes:
                reason = f"more than {most_changes} changes"
            if reason:
                made.left[reason] += 1
                continue
            turned = _direction(text, checked.there.text, one_way)
            pair = f"{lang}-{_digest(text, 0)}"
            twin = Twin(pair, lang, text, checked.there.text, turned, origin, checked.there.edits)
            made.twins.append(twin)
    made.twins = list({twin.pair: twin for twin in reversed(made.twins)}.values())[::-1]
    if balance:
        _balance(made, seed)
    return made


def _parts(texts: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    rest = iter(texts)
    while part := list(islice(rest, _PART)):
        yield part


def _direction(text: str, twin: str, one_way: tuple[Swapper, Swapper]) -> str:
    for swapper, name in zip(one_way, (TO_MASCULINE, TO_FEMININE), strict=True):
        if swapper.swap(text) == twin:
            return name
    return BOTH


def _digest(text: str, seed: int) -> str:
    key = seed.to_bytes(8, "little", signed=True)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6, key=key).hexdigest()


def _balance(made: RealTwins, seed: int) -> None:
    """Drop pairs until both directions are equally many."""
    sides = {way: [t for t in made.twins if t.turned == way] for way in (TO_MASCULINE, TO_FEMININE, BOTH)}
    size = min(len(sides[TO_MASCULINE]), len(sides[TO_FEMININE]))
    kept: set[str] = set()
    for way in (TO_MASCULINE, TO_FEMININE):
        chosen = sorted(sides[way], key=lambda twin: _digest(twin.source, seed))[:size]
        kept |= {twin.pair for twin in chosen}
    made.left["turned both ways"] += len(sides[BOTH])
    made.left["more of this direction than of the other"] += len(made.twins) - len(sides[BOTH]) - len(kept)
    made.twins = [twin for twin in made.twins if twin.pair in kept]
    made.left = +made.left
