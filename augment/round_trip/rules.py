"""What a language adds to round trips (``augment/<code>/round_trip.py``): its gender-fair forms and gendered words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from rewriter.errors import UsageError
from rewriter.language.interface import find_module, get_language, known_languages
from rewriter.text.plain_segmenter import segment

__all__ = ["Found", "Reading", "RoundTripRules", "get_rules"]


@dataclass(frozen=True, slots=True)
class Found:
    """A gender-fair form that was read.

    Attributes:
        start: offset of its first character.
        end: offset behind its last one.
        form: ``star``, ``colon``, ``pair`` ...
        kind: ``noun``, ``compound``, ``word`` or ``pair``.
        plural: of a noun or pair.
    """

    start: int
    end: int
    form: str
    kind: str
    plural: bool


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that looks like a gender-fair form and was not read.

    Attributes:
        start: offset of its first character.
        end: offset behind its last one.
        reason: why, one of a few fixed phrases.
    """

    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with its gender-fair forms.

    Attributes:
        text: the text in the chosen form.
        found: forms that were read, in order, with offsets in the given text.
        unread: what looks like one and was not.
    """

    text: str
    found: tuple[Found, ...] = ()
    unread: tuple[Unread, ...] = field(default=())


class RoundTripRules(Protocol):
    """What the steps of a round trip ask of a language."""

    code: str

    def maybe_fair(self, text: str) -> bool:
        """Return True, at little cost, if ``text`` may hold a gender-fair form; never False for one that does."""
        ...

    def read(self, text: str, form: str) -> Reading:
        """Return ``text`` with its gender-fair forms written in ``form``, and what was found."""
        ...

    def halves(self, word: str) -> tuple[str, ...]:
        """Return the gendered forms that a gender-fair word may stand for, in both genders, every case."""
        ...

    def gender(self, text: str) -> str:
        """Return ``feminine`` or ``masculine`` where all person words of ``text`` are, else an empty string."""
        ...

    def contrasts(self, text: str) -> list[tuple[str, str]]:
        """Return (gender, text) for each gender that the gender-fair forms of ``text`` can all be written in."""
        ...

    def prompts(self) -> list[str]:
        """Return beginnings with a gender-fair singular, for a language model to go on from."""
        ...


def get_rules(code: str) -> RoundTripRules:
    """Return the rules of a language.

    Raises:
        UsageError: there are none for this code.
    """
    module = find_module("augment", code, "round_trip")
    if module is None:
        raise UsageError(
            f"there are no rules for round trips in the language '{code}'; give a file with the patterns of its "
            "gender-fair forms ('patterns')"
        )
    rules: RoundTripRules = module.make()
    return rules


def segmenter(code: str) -> Callable[[str], list[tuple[int, int]]]:
    """Return what cuts a text into sentences: the language's own, or for one that has none by signs and capitals."""
    return get_language(code).segment if code in known_languages() else segment
