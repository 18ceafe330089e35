"""Gender-fair words from one form into another, in text and in the files of translators; nothing is read.

``convert_text("Die Student(inn)en", "colon")`` gives ``Die Student:innen``. :func:`rewriter.convert.files.convert_file`
does it in text, Markdown, HTML, PO, XLIFF, JSON and YAML.
"""

from __future__ import annotations

from collections.abc import Iterable

from rewriter.convert.converter import Converter, get_converter
from rewriter.convert.result import Converted

__all__ = ["Converted", "Converter", "convert_text", "get_converter"]


def convert_text(text: str, to_form: str, *, lang: str = "de", extra_nouns: Iterable[dict[str, str]] = ()) -> Converted:
    """Return a text with the gender-fair words that it holds in another form.

    Args:
        text: any text; code, addresses and tags in it stay.
        to_form: of German ``star``, ``colon``, ``gap``, ``slash``, ``binnen-i``, ``pair``, ``masculine``, ``feminine``.
        lang: code of the language.
        extra_nouns: a user's own person nouns.

    Raises:
        UsageError: an unknown form, or a language without forms.
    """
    from rewriter.policy.protect import protected_spans

    return get_converter(to_form, lang=lang, extra_nouns=extra_nouns).convert(text, protected_spans(text))
