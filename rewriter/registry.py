"""A registry that refuses collisions and suggests the nearest name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Generic, TypeVar

from rewriter.errors import UsageError

T = TypeVar("T")
#: characters of a name for which a near one is looked for, which takes time with the square of them
_LONGEST = 100


def did_you_mean(name: str, known: list[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` or an empty string."""
    if len(name) > _LONGEST:
        return ""
    close = get_close_matches(name, known, n=1, cutoff=0.6)
    return f" (did you mean '{close[0]}'?)" if close else ""


class Registry(Generic[T]):
    """Named things of one kind, for example proposers or augmentation strategies."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._entries: dict[str, T] = {}

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that registers its argument under ``name``; a second use of a name is an error."""

        def add(entry: T) -> T:
            if name in self._entries:
                raise UsageError(f"{self.kind} '{name}' is registered twice")
            self._entries[name] = entry
            return entry

        return add

    def get(self, name: str) -> T:
        """Return the entry called ``name``.

        Raises:
            UsageError: there is none; the message lists the known names.
        """
        if name not in self._entries:
            known = sorted(self._entries)
            raise UsageError(
                f"unknown {self.kind} '{name}'{did_you_mean(name, known)}; known: {', '.join(known) or 'none'}"
            )
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._entries))
