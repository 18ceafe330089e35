"""Tokenizers for metrics, by name: ``moses-en``, ``moses-de`` ..., ``none``.

A name is a family and, for some, a language: ``moses-de`` is the family ``moses`` with the argument ``de``. Nothing is
imported or compiled before a tokenizer is asked for. Tokens never hold white space.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from rewriter.errors import UsageError
from rewriter.installation.extras import require
from rewriter.registry import Registry, did_you_mean

#: sentence -> tokens
Tokenizer = Callable[[str], tuple[str, ...]]
#: argument (``en``; empty where the name has none) -> tokenizer
Factory = Callable[[str], Tokenizer]

TOKENIZERS: Registry[Factory] = Registry("tokenizer")

#: sentences that a tokenizer remembers: the references of a set are tokenized once for all systems
REMEMBERED = 50_000


@cache
def get_tokenizer(name: str) -> Tokenizer:
    """Return the tokenizer called ``name``, for example ``moses-en`` or ``none``.

    Raises:
        UsageError: there is none of that name, or its family does not know the language.
        MissingExtraError: its library is not installed.
    """
    family, _, argument = name.partition("-")
    if family not in list(TOKENIZERS):
        raise UsageError(f"unknown tokenizer '{name}'; known: moses-LANG (moses-en, moses-de ...), none")
    return lru_cache(maxsize=REMEMBERED)(TOKENIZERS.get(family)(argument))


def tokenizer_name(lang: str, tokenizer: str | None = None) -> str:
    """Return ``tokenizer``, or where it is None the one that the literature uses for ``lang``: ``moses-LANG``."""
    return f"moses-{lang}" if tokenizer is None else tokenizer


def nearest_tokenizer(lang: str) -> str:
    """Return the tokenizer of a language, or for one that Moses does not know the English one, by its own name."""
    return f"moses-{lang if lang in _moses_languages() else 'en'}"


@cache
def _moses_languages() -> list[str]:
    """Return the codes of the languages that Moses knows, sorted."""
    return sorted(set(require("sacremoses.corpus", extra="eval").NonbreakingPrefixes().available_langs.values()))


@TOKENIZERS.register("none")
def white_space(argument: str = "") -> Tokenizer:
    """Cut at white space only, for text that is tokenized already."""
    if argument:
        raise UsageError(f"the tokenizer 'none' takes no language; 'none-{argument}' is unknown")
    return lambda sentence: tuple(sentence.split())


@TOKENIZERS.register("moses")
def moses(argument: str) -> Tokenizer:
    """Tokenize as Moses does (sacremoses), with the abbreviations of one language.

    These are sacremoses' own settings, with which the outputs that Amrhein et al. (2023) released score what their
    tables print; splitting at dashes (``aggressive_dash_splits``) does not give those figures. Escaping (``'s`` as
    ``&apos;s``) is off because it renames tokens one to one, which cannot change a score, and makes them unreadable.

    Raises:
        UsageError: sacremoses has no rules for the language; it would silently use the English ones.
    """
    sacremoses = require("sacremoses", extra="eval")
    known = _moses_languages()
    if argument not in known:
        raise UsageError(
            f"the tokenizer 'moses' does not know the language '{argument}'{did_you_mean(argument, known)}; "
            f"known: {', '.join(known)}. A neighbour's can be named: --tokenizer moses-en"
        )
    cut = sacremoses.MosesTokenizer(argument).tokenize
    return lambda sentence: tuple(cut(sentence, escape=False))
