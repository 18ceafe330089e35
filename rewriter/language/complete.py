"""Fills in what a part of a language leaves out, once, when the part is loaded.

The protocols (:class:`rewriter.language.interface.Language` and its like) declare every member that the toolkit uses,
and the toolkit uses no other. A language from elsewhere may leave some of them out: beside each protocol stand the
defaults of those members, and whoever loads the part passes it through :func:`complete`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rewriter.errors import UsageError

#: name of a member -> what makes its default for the part that lacks it
Defaults = Mapping[str, Callable[[Any], Any]]


def complete(part: Any, defaults: Defaults) -> Any:
    """Give a part of a language the members that it does not have itself.

    The part stays the object that it was, so that the modules of a language still know it as their own.

    Args:
        part: an object or a module of a language.
        defaults: of the members that may be missing.

    Returns:
        ``part``.

    Raises:
        UsageError: a member is missing and the object takes no attributes (``__slots__``, a frozen dataclass).
    """
    for name, default in defaults.items():
        if hasattr(part, name):
            continue
        try:
            setattr(part, name, default(part))
        except AttributeError:
            raise UsageError(
                f"{type(part).__module__}.{type(part).__name__} has no '{name}' and cannot be given one; "
                "declare it there (docs/extend/add-a-language.md)"
            ) from None
    return part


def never(text: str) -> bool:
    """Return False: the default of questions about a text."""
    return False
