"""What only one sex has or does (*schwanger, Prostata*): a sentence that tells it of a person has no counterfactual."""

from __future__ import annotations

import re
from functools import cache

from lexicons.loader import read_table
from rewriter.text.word_pattern import any_word


@cache
def _words() -> re.Pattern[str]:
    return any_word(row["word"] for row in read_table("de", "one_sex"))


def one_sex_word(text: str) -> str:
    """Return the first word of a sentence that only one sex has or does, empty where there is none."""
    match = _words().search(text.lower())
    return match.group() if match else ""
