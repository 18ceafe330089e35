"""Check what is written in every German form, over changed lines of real text in eight genres.

    python benchmarks/forms.py                              # about 600 changed lines through the bundled model
    python benchmarks/forms.py --lines 5000 --json forms.json --show 5

Of every form are counted: lines on which the rewriter fails (aborts), edits that hold a word that is no form of the
lexicon, pair forms whose halves are not both whole, lines that a second pass changes (``rewrite`` again, and
``convert`` to the same form), and lines written in the form that ``convert --to-form star`` does not turn back into
what was written with the star. Needs GENDER_FAIR_DATA. The exit status is 1 where one of these counts is not 0
(for the way back of the pair form: above 1 %).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from rewriter import Rewriter
from rewriter.convert import get_converter
from rewriter.convert.converter import Converter
from rewriter.de.fair_forms import fair_forms
from rewriter.de.inflection import FORMS
from rewriter.de.lexicon import GermanLexicon
from rewriter.io.files import read_lines
from rewriter.policy.protect import protected_spans
from rewriter.records import Edit, Rewrite

GENRES = {
    "encyclopedia": "general-wiki",
    "parliament": "general-bundestag",
    "laws": "general-gesetze",
    "courts": "general-court",
    "parties": "general-party",
    "manuals": "general-manual",
    "municipal": "general-municipal",
    "novels": "general-eltec",
}
#: one line in so many is read, so that a sample is spread over its file
STEP = 7
LONGEST = 1500
#: share of pair forms that may not come back as the star
PAIR_BOUND = 0.01
_WORD = re.compile(r"[^\W\d_]+")
_OTHER_WORDS = frozenset("und oder".split())


@dataclass
class Count:
    """What was found of one form."""

    lines: int = 0
    written: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    shown: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, fault: str, before: str, after: str) -> None:
        """Count a fault with an example."""
        self.faults[fault] += 1
        self.shown[fault].append((before, after))


def sample(genre: str, rewriter: Rewriter, wanted: int, data: Path) -> list[tuple[str, str]]:
    """Return lines of a genre that the star changes, each with its star text."""
    found: list[tuple[str, str]] = []
    lines = islice(_lines(data / "de" / "train" / f"{GENRES[genre]}.txt.zst"), 0, None, STEP)
    while len(found) < wanted and (batch := list(islice(lines, 256))):
        pairs = zip(batch, rewriter.rewrite(batch), strict=True)
        found += [(line, star) for line, star in pairs if line != star]
    return found[:wanted]


def _lines(path: Path) -> Iterator[str]:
    return (line for line in read_lines(path) if 20 < len(line) < LONGEST)


class Checker:
    """Checks the lines of one form.

    Args:
        form: one of the forms.
        model: name or folder of a model.
    """

    def __init__(self, form: str, model: str) -> None:
        self.form, self.count = form, Count()
        self.rewriter = Rewriter.from_pretrained(model, form=form)
        self.same, self.star = get_converter(form), get_converter("star")
        self.lexicon = GermanLexicon(open_ended=True)

    def check(self, source: str, star: str) -> None:
        """Check one line."""
        self.count.lines += 1
        try:
            result = self.rewriter.rewrite(source, return_edits=True)
            again = self.rewriter.rewrite(result.text)
            converted = convert(self.same, result.text)
            back = convert(self.star, result.text)
        except Exception as error:  # whatever it is, it is what is counted
            self.count.add("abort", source, repr(error))
            return
        self.count.written += bool(result.edits)
        for edit in result.edits:
            self._check_edit(edit)
        self._check_passes(result, again, converted)
        if result.edits and back != self._expected(source, star, result):
            self.count.add("back", self._expected(source, star, result), back)

    def _expected(self, source: str, star: str, result: Rewrite) -> str:
        """Return the star text; in the pair form some sentences and compounds stay, so the words that changed count."""
        if self.form != "pair":
            return convert(self.star, star)
        return convert(self.star, pair_as_star(source, result, self._stars(source)))

    def _stars(self, source: str) -> Sequence[Edit]:
        star: Sequence[Edit] = _STAR[0].rewrite(source, return_edits=True).edits
        return star

    def _check_passes(self, result: Rewrite, again: str, converted: str) -> None:
        if again != result.text:
            self.count.add("second pass", result.text, again)
        if converted != result.text:
            self.count.add("convert to the same", result.text, converted)

    def _check_edit(self, edit: Edit) -> None:
        unknown = self._unknown(edit)
        if unknown:
            self.count.add("unknown word", edit.before, f"{edit.after} ({unknown})")
        if self.form == "pair" and edit.kind in ("noun", "nominalised") and not _is_whole(edit.after):
            self.count.add("half a pair", edit.before, edit.after)

    def _unknown(self, edit: Edit) -> str:
        """Return a written word that is no form of the lexicon, empty where all are."""
        spans = [(form.start, form.end) for form in fair_forms(edit.after, self.lexicon)]
        known = {word.lower() for word in _WORD.findall(edit.before)} | _OTHER_WORDS
        for match in _WORD.finditer(edit.after):
            inside = any(start <= match.start() and match.end() <= end for start, end in spans)
            if not inside and match.group().lower() not in known and not self._is_form(match.group(), edit.before):
                return match.group()
        return ""

    def _is_form(self, word: str, before: str) -> bool:
        lower = word.lower()
        if lower in self.lexicon.determiners or lower in _PRONOUNS or self.lexicon.word(word) is not None:
            return True
        stems = (known.lower() for known in _WORD.findall(before))
        return any(re.fullmatch(re.escape(re.sub(r"e[nmrs]?$", "", stem)) + r"e[nmrs]?", lower) for stem in stems)


_PRONOUNS = frozenset(
    "er sie ihn ihm ihr der die dem den des dessen deren vom von zum zur beim bei am an im in".split()
)
_STAR: list[Rewriter] = []


def pair_as_star(source: str, result: Rewrite, stars: Sequence[Edit]) -> str:
    """Return the source with the star edits at the places that the pair form changes."""
    spans = [(edit.start, edit.end) for edit in result.edits]
    inside = [e for e in stars if any(start <= e.start and e.end <= end for start, end in spans)]
    parts, at = [], 0
    for edit in sorted(inside, key=lambda e: e.start):
        parts += [source[at : edit.start], edit.after]
        at = edit.end
    return "".join(parts) + source[at:]


def convert(converter: Converter, text: str) -> str:
    """Return a text in the form of a converter."""
    return converter.convert(text, protected_spans(text)).text


def _is_whole(after: str) -> bool:
    """Return True if both halves of a pair have as many words, contracted prepositions counted as two."""
    halves = re.split(r" (?:oder|und|ODER|UND) ", after)
    counts = {len(re.sub(r"\b(?:vom|beim|am|im)\b", "v d", half, flags=re.IGNORECASE).split()) for half in halves}
    return len(halves) == 2 and len(counts) == 1


def figures(checker: Checker) -> dict[str, Any]:
    """Return the counts of a form."""
    count = checker.count
    return {"lines": count.lines, "written": count.written, "faults": dict(count.faults)}


def is_good(form: str, count: Count) -> bool:
    """Return True if nothing is wrong beyond the bound."""
    bound = PAIR_BOUND * count.written if form == "pair" else 0
    return all(number <= (bound if fault == "back" else 0) for fault, number in count.faults.items())


def main() -> int:
    """Check all forms, print the counts, return 0 or 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="de", help="name or folder of a German model")
    parser.add_argument("--lines", type=int, default=600, help="changed lines in all")
    parser.add_argument("--forms", nargs="+", default=list(FORMS), choices=FORMS)
    parser.add_argument("--show", type=int, default=0, help="examples of every fault")
    parser.add_argument("--json", type=Path, help="write the counts here")
    args = parser.parse_args()
    if "GENDER_FAIR_DATA" not in os.environ:
        raise SystemExit("set GENDER_FAIR_DATA to the folder of the corpora")
    data = Path(os.environ["GENDER_FAIR_DATA"])
    _STAR.append(Rewriter.from_pretrained(args.model))
    lines = [pair for genre in GENRES for pair in sample(genre, _STAR[0], args.lines // len(GENRES), data)]
    found = {}
    for form in args.forms:
        checker = Checker(form, args.model)
        for source, star in lines:
            checker.check(source, star)
        found[form] = checker
        print(form, json.dumps(figures(checker)), flush=True)
        for fault, examples in checker.count.shown.items():
            for before, after in examples[: args.show]:
                print(f"  {fault}:\n    {before}\n    {after}")
    if args.json:
        args.json.write_text(json.dumps({form: figures(c) for form, c in found.items()}, indent=1), encoding="utf-8")
    return 0 if all(is_good(form, checker.count) for form, checker in found.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
