"""Lines in which nothing speaks of a gender: they are the same before and after balancing, rewriting and swapping.

A model that is trained on such lines learns the language, and of *he* and *she* nothing. A line is neutral where none
of these finds anything in it: the gate of the rewriter, the gate of swapping, the words of the bias filter's groups,
the person words of BEC-Pro, and the identifiers and category words of the metadata by which a corpus is balanced. The
metadata's neutral words (*nurse*) may stand in it: a line is only added or removed for them beside one of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from augment.balance.forms import Forms, Variants
from augment.balance.judge import NameTable
from augment.balance.metadata import Metadata
from augment.swap.settings import SwapSettings, get_rules
from lexicons.loader import TableError, read_table
from rewriter.language.interface import get_language, languages_with
from rewriter.text.word_pattern import any_word

__all__ = ["NeutralGate", "neutral_lines"]

#: raised by hand when other lines are found neutral
NEUTRAL_VERSION = 1
#: tables of words that name persons of a gender, and their columns
_TABLES = (("groups_gender", ("word",)), ("bec_pro_persons", ("male", "female")))

Test = Callable[[str], bool]


class NeutralGate:
    """Tells whether a line is neutral.

    Args:
        lang: language code.
        metadata: by which the corpus is balanced.
        names: given names tell a gender, too: where names are swapped, or counted for balancing.

    Raises:
        UsageError: there is no such language, or names are asked for where none are known.
    """

    def __init__(self, lang: str, metadata: Sequence[Metadata] = (), *, names: bool = False) -> None:
        words = {*_person_words(lang), *(form for one in metadata for form in _gendered_forms(one, lang))}
        pattern = any_word(words)
        self._tests: list[Test] = [lambda text: pattern.search(text.lower()) is not None, get_language(lang).gate]
        if lang in languages_with("augment", "swap"):
            self._tests.append(get_rules(lang, SwapSettings(names=names)).gate)
        if names and lang == "en":
            table = NameTable(("female", "male"), words=True)
            self._tests.append(lambda text: any(table.places(text)))

    def __call__(self, text: str) -> bool:
        """Return True if nothing in ``text`` speaks of a gender."""
        return not any(test(text) for test in self._tests)


def neutral_lines(
    lines: Iterable[str], lang: str, *, metadata: Sequence[Metadata] = (), names: bool = False
) -> Iterator[str]:
    """Yield the lines in which nothing speaks of a gender, as they are (:class:`NeutralGate`).

    Args:
        lines: a paragraph or sentence each.
        lang: language code.
        metadata: by which the corpus is balanced.
        names: leave out lines with given names, too.

    Raises:
        UsageError: there is no such language.
    """
    return filter(NeutralGate(lang, metadata, names=names), lines)


def _person_words(lang: str) -> Iterator[str]:
    """Yield the words of the language's tables; a table that it lacks is left out."""
    for table, columns in _TABLES:
        try:
            rows = read_table(lang, table)
        except TableError:
            continue
        yield from (row[column] for row in rows for column in columns if row.get(column))


def _gendered_forms(metadata: Metadata, lang: str) -> Iterator[str]:
    """Yield identifiers and category words."""
    forms = metadata_forms(metadata, lang)
    yield from (form for form, slots in forms.slots.items() if any(slot.category >= 0 for slot in slots))


def metadata_forms(metadata: Metadata, lang: str) -> Forms:
    """Return the forms of metadata with all variants that may count when a corpus is balanced."""
    english = lang == "en" and metadata.lang in ("", "en")
    return Forms(metadata, Variants(plurals=english, hyphens=True))
