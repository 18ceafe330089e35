"""What a language brings for conversion: ``rewriter/<code>/convert.py`` with ``make(form, extra_nouns)``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, cast

from rewriter.convert.result import Converted
from rewriter.errors import UsageError
from rewriter.language.interface import find_module
from rewriter.text.offsets import Span


class Converter(Protocol):
    """Writes the gender-fair words of texts in one form."""

    def convert(self, text: str, protected: Sequence[Span]) -> Converted:
        """Return a text in the form; protected spans stay."""
        ...


def get_converter(to_form: str, *, lang: str = "de", extra_nouns: Iterable[dict[str, str]] = ()) -> Converter:
    """Return what converts a language to a form.

    Args:
        to_form: one of the language's forms.
        lang: code of the language.
        extra_nouns: a user's own person nouns.

    Raises:
        UsageError: an unknown form, or a language whose gender-fair words have one form only.
    """
    module = find_module("rewriter", lang, "convert")
    if module is None:
        raise UsageError(f"the language '{lang}' has one form of gender-fair words; there is nothing to convert")
    return cast(Converter, module.make(to_form, extra_nouns))
