"""Sentences that must be copied, with things in them that are easily copied wrong: names, numbers, addresses, signs.

A network that writes every sentence anew has to learn that whatever it has never seen comes out as it went in. Text of
many genres teaches it for words; here ordinary words of a sentence without anything to rewrite give way to what no
vocabulary holds as a whole. Knows no language but its letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

__all__ = ["copy_drill"]

COPYING = "copying"
#: what may give way: a word in lower case of four letters and more that stands alone
_PLACE = re.compile(r"(?<![\w@#/.:*_-])[^\W\d_]{4,}(?![\w@*_/:-]|\.\w)")
#: of the words that may give way, how many do at most
_MOST_PLACES = 3
_CONSONANTS, _VOWELS = "bcdfghjklmnpqrstvwxz", "aeiouyäöüéèøåñ"
_HOSTS = ("example", "test", "invalid")
_SIGNS = (
    "…",
    "–",
    "§ 4a",
    "½",
    "№ 7",
    "→",
    "🌉",
    "🧑‍🚒",
    "™",
    "x²",
    "“so”",
    "»so«",
    "°C",
    "‰",
    "&amp;",
    "<b>",
    "</p>",
    "C++",
)
Maker = Callable[[np.random.Generator], str]


def copy_drill(text: str, rng: np.random.Generator) -> str:
    """Return a text with one to three of its words replaced by what must be copied; unchanged where none can be."""
    places = [match.span() for match in _PLACE.finditer(text) if match.group().islower()]
    if not places:
        return text
    count = int(rng.integers(1, min(_MOST_PLACES, len(places)) + 1))
    chosen = sorted(places[int(n)] for n in rng.choice(len(places), count, replace=False))
    parts, at = [], 0
    for start, end in chosen:
        parts += [text[at:start], MAKERS[int(rng.integers(len(MAKERS)))](rng)]
        at = end
    return "".join(parts) + text[at:]


def _one(options: Sequence[str], rng: np.random.Generator) -> str:
    return options[int(rng.integers(len(options)))]


def made_up_word(rng: np.random.Generator) -> str:
    """Return a word that nobody wrote: two to four syllables."""
    return "".join(
        _one(_CONSONANTS, rng) + _one(_VOWELS, rng) + (_one(_CONSONANTS, rng) if rng.random() < 0.4 else "")
        for _ in range(int(rng.integers(2, 5)))
    )


def _name(rng: np.random.Generator) -> str:
    joint = _one(["", "", "-", "'", " ", "Mc"], rng)
    first, second = made_up_word(rng).capitalize(), made_up_word(rng).capitalize()
    return {"": first, "Mc": f"Mc{second}"}.get(joint, f"{first}{joint}{second}")


def _number(rng: np.random.Generator) -> str:
    value = int(rng.integers(10, 10 ** int(rng.integers(2, 10))))
    shapes = (str(value), f"{value:,}", f"{value:,}".replace(",", "."), f"{value / 100:.2f}", f"{value % 97}%")
    return _one((*shapes, f"€{value}", f"-{value}", f"{value % 40}th", f"{value}/{value % 13 + 1}"), rng)


def _date(rng: np.random.Generator) -> str:
    day, month, year = (int(rng.integers(a, b)) for a, b in ((1, 29), (1, 13), (1700, 2060)))
    clock = f"{day % 24}:{month:02d}"
    return _one((f"{day}.{month}.{year}", f"{year}-{month:02d}-{day:02d}", f"{month}/{day}/{year}", clock), rng)


def _address(rng: np.random.Generator) -> str:
    host = f"{made_up_word(rng)}.{_one(_HOSTS, rng)}"
    path = f"{made_up_word(rng)}-{int(rng.integers(1000))}"
    shapes = (
        f"https://{host}/{path}?id={_number(rng)}",
        f"www.{host}",
        f"{made_up_word(rng)}@{host}",
        f"{host}/{path}",
    )
    return _one((*shapes, f"@{made_up_word(rng)}_{int(rng.integers(100))}", f"#{made_up_word(rng)}"), rng)


def _code(rng: np.random.Generator) -> str:
    one, two = made_up_word(rng), made_up_word(rng)
    shapes = (
        f"{one}_{two}",
        f"{one}{two.capitalize()}()",
        f"/{one}/{two}.txt",
        f"{one.upper()}-{int(rng.integers(100_000))}",
    )
    return _one((*shapes, f"--{one}={two}", f"`{one}`", f"{{{one}}}", f"%{one[0]}"), rng)


def _sign(rng: np.random.Generator) -> str:
    return _one(_SIGNS, rng)


MAKERS: tuple[Maker, ...] = (_name, _name, _number, _number, _date, _address, _code, _sign)
