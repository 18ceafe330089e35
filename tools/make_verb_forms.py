"""Make ``lexicons/en/verb_forms.tsv``: forms in -s that are verbs nearly always, and those that are nouns mostly.

*sells* and *denies* are hardly ever nouns, *radios* and *brakes* hardly ever verbs; *leaves* and *drops* are in neither
list. A form is counted as a verb behind *he, she, it, who, which* and as a noun behind determiners and prepositions.

Run by hand: ``python -m tools.make_verb_forms FOLDER`` (text files, plain or .zst).
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tools import LEXICONS
from tools.plain_lines import lines_of

HEADER = """\
# Forms in -s of the table of verbs that ordinary text has nearly always as verbs (verb) or mostly as nouns (noun).
# Source: counted by tools/make_verb_forms.py over the open English texts that the bundled model is trained on.
# Licence: facts.
form	kind
"""
_SUBJECTS = frozenset("he she it who which".split())
_PATTERN = re.compile(
    r"\b(he|she|it|who|which|the|his|her|my|our|your|their|its|of|these|those|two|three|four|five|six|many|some|several"
    r"|few|for|with|by|no|any|all|other|such|between|in|from|on)"
    r"(?: (?:also|often|never|then|always|usually|now|still|just|only|own))? ([a-z]+s)\b"
)


def count(lines: Iterable[str], forms: frozenset[str]) -> tuple[Counter[str], Counter[str]]:
    """Return how often each form stood behind a subject, and how often where a noun stands.

    Args:
        lines: text.
        forms: the forms that are counted.
    """
    verbs: Counter[str] = Counter()
    nouns: Counter[str] = Counter()
    for line in lines:
        for before, word in _PATTERN.findall(line):
            if word in forms:
                (verbs if before in _SUBJECTS else nouns)[word] += 1
    return verbs, nouns


def kind_of(verbs: int, nouns: int) -> str | None:
    """Return ``verb``, ``noun`` or None by how often a form was seen as either."""
    if verbs >= 3 and verbs >= 0.75 * (verbs + nouns):
        return "verb"
    return "noun" if nouns >= 15 and verbs <= 0.06 * (verbs + nouns) else None


def main() -> None:
    """Write the table."""
    folder = LEXICONS / "en"
    rows = (folder / "verbs.tsv").read_text(encoding="utf-8").splitlines()
    forms = frozenset(row.split("\t")[0] for row in rows if not row.startswith("#"))
    verbs, nouns = count((line for path in sorted(Path(sys.argv[1]).iterdir()) for line in lines_of(path)), forms)
    kinds = ((form, kind_of(verbs[form], nouns[form])) for form in sorted(forms))
    text = "".join(f"{form}\t{kind}\n" for form, kind in kinds if kind)
    (folder / "verb_forms.tsv").write_text(HEADER + text, encoding="utf-8")


if __name__ == "__main__":
    main()
