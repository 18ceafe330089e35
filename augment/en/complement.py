"""English pronouns of complementary sources: what the fair form says of the case tells which gendered one is meant."""

from __future__ import annotations

from functools import cache

from lexicons.loader import read_table
from rewriter.en.inflection import match_case
from rewriter.records import Edit


def turned(edit: Edit, gender: str) -> str | None:
    """Return the word of a gender in place of one that was rewritten, or None where the pronouns do not tell.

    Args:
        edit: from the gendered to the fair form.
        gender: ``masculine`` or ``feminine``.
    """
    word = _pronouns().get((edit.after.lower().replace("themselves", "themself"), gender))
    is_pronoun = edit.before.lower() in _pronouns().values()
    return match_case(edit.before, word) if word is not None and is_pronoun else None


@cache
def _pronouns() -> dict[tuple[str, str], str]:
    """Return fair form and gender -> gendered form, of several the first of the table (not *hisself*)."""
    rows = [*read_table("en", "pronouns")]
    return {(row["fair"], row["gender"]): row["gendered"] for row in reversed(rows)}
