"""Check what is written in every German form, over changed lines of real text in eight genres.

    python benchmarks/forms.py                              # about 600 changed lines through the bundled model
    python benchmarks/forms.py --lines 5120 --json forms.json --show 5
    python benchmarks/forms.py --lines 5120 --read 100      # and changed lines of every form, drawn for reading

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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

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
STEP = 3
LONGEST = 1500
#: lines that are rewritten together
BATCH = 128
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
    results: list[tuple[str, Rewrite]] = field(default_factory=list)

    def add(self, fault: str, before: str, after: str) -> None:
        """Count a fault with an example."""
        self.faults[fault] += 1
        self.shown[fault].append((before, after))


@dataclass(frozen=True)
class Line:
    """A line of a corpus, and what becomes of it with the star."""

    source: str
    star: Rewrite


def sample(genre: str, rewriter: Rewriter, wanted: int, data: Path) -> list[Line]:
    """Return lines of a genre that the star changes."""
    found: list[Line] = []
    lines = islice(_lines(data / "de" / "train" / f"{GENRES[genre]}.txt.zst"), 0, None, STEP)
    while len(found) < wanted and (batch := list(islice(lines, BATCH))):
        stars = rewriter.rewrite(batch, return_edits=True)
        found += [Line(line, star) for line, star in zip(batch, stars, strict=True) if star.edits]
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

    def check_all(self, lines: Sequence[Line]) -> None:
        """Check lines, some of them at a time; where a batch fails, each by itself."""
        for at in range(0, len(lines), BATCH):
            batch = lines[at : at + BATCH]
            try:
                results = self.rewriter.rewrite([line.source for line in batch], return_edits=True)
                again = self.rewriter.rewrite([result.text for result in results])
            except Exception:  # which line it was is found below
                for line in batch:
                    self._check_alone(line)
                continue
            for line, result, second in zip(batch, results, again, strict=True):
                self._check(line, result, second)

    def _check_alone(self, line: Line) -> None:
        try:
            result = self.rewriter.rewrite(line.source, return_edits=True)
            again = self.rewriter.rewrite(result.text)
        except Exception as error:  # whatever it is, it is what is counted
            self.count.lines += 1
            self.count.add("abort", line.source, repr(error))
            return
        self._check(line, result, again)

    def _check(self, line: Line, result: Rewrite, again: str) -> None:
        """Check one line."""
        self.count.lines += 1
        try:
            converted = convert(self.same, result.text)
            back = convert(self.star, result.text)
        except Exception as error:  # whatever it is, it is what is counted
            self.count.add("abort", line.source, repr(error))
            return
        self.count.written += bool(result.edits)
        if result.edits:
            self.count.results.append((line.source, result))
        for edit in result.edits:
            self._check_edit(edit)
        self._check_passes(line.source, result, again, converted)
        if result.edits and back != (wanted := self._expected(line, result)):
            self.count.add("back", wanted, back)

    def _expected(self, line: Line, result: Rewrite) -> str:
        """Return the star text; in the pair form some sentences and compounds stay, so the words that changed count."""
        if self.form != "pair":
            return convert(self.star, line.star.text)
        return convert(self.star, pair_as_star(line.source, result, line.star.edits))

    def _check_passes(self, source: str, result: Rewrite, again: str, converted: str) -> None:
        if again != result.text:
            self.count.add("second pass", result.text, again)
        # forms of the writer (*dein(e)*) are converted, those that were written are in the form already
        if converted != result.text and convert(self.same, source) == source:
            self.count.add("convert to the same", result.text, converted)

    def _check_edit(self, edit: Edit) -> None:
        unknown = self._unknown(edit)
        if unknown:
            self.count.add("unknown word", edit.before, f"{edit.after} ({unknown})")
        if self.form == "pair" and edit.kind in ("noun", "nominalised") and not _is_whole(edit.after):
            self.count.add("half a pair", edit.before, edit.after)

    def _unknown(self, edit: Edit) -> str:
        """Return a written word that is no form of the lexicon, empty where all are."""
        spans = joined((form.start, form.end) for form in fair_forms(edit.after, self.lexicon))
        known = {word.lower() for word in _WORD.findall(edit.before)} | _OTHER_WORDS
        for match in _WORD.finditer(edit.after):
            if match.group() in _ENDINGS and match.start() and not edit.after[match.start() - 1].isspace():
                continue  # the words before an ending are looked at by themselves: Liebe*r
            inside = any(start <= match.start() and match.end() <= end for start, end in spans)
            if not inside and match.group().lower() not in known and not self._is_form(match.group(), edit.before):
                return match.group()
        return ""

    def _is_form(self, word: str, before: str) -> bool:
        lower = word.lower()
        if lower in self.lexicon.determiners or lower in _PRONOUNS or _ADVERB.fullmatch(lower):
            return True
        if self.lexicon.word(word) is not None or self.lexicon.word(word.capitalize()) is not None:
            return True
        stems = (known.lower() for known in _WORD.findall(before))
        return any(re.fullmatch(re.escape(re.sub(r"e[nmrs]?$", "", stem)) + r"e[nmrs]?", lower) for stem in stems)


_PRONOUNS = frozenset(
    "er sie ihn ihm ihr der die dem den des dessen deren vom von zum zur beim bei am an im in".split()
)


_ADVERB = re.compile(r"(?:sein|ihr)(?:erseits|etwegen|ethalben|esgleichen)")
_ENDINGS = frozenset("rnems")


def pair_as_star(source: str, result: Rewrite, stars: Sequence[Edit]) -> str:
    """Return the source with the star edits at the places that the pair form changes."""
    spans = [(edit.start, edit.end) for edit in result.edits]
    inside = [e for e in stars if any(start <= e.start and e.end <= end for start, end in spans)]
    parts, at = [], 0
    for edit in sorted(inside, key=lambda e: e.start):
        parts += [source[at : edit.start], edit.after]
        at = edit.end
    return "".join(parts) + source[at:]


def joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order, those that touch as one: a compound of two persons is one word."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and found[-1][1] == start:
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found


def convert(converter: Converter, text: str) -> str:
    """Return a text in the form of a converter."""
    return converter.convert(text, protected_spans(text)).text


def _is_whole(after: str) -> bool:
    """Return True if both halves of a pair have as many words, contracted prepositions counted as two."""
    words = re.sub(r"\b(?:vom|beim|am|im)\b", "v d", after, flags=re.IGNORECASE).split()
    return len(words) % 2 == 1 and words[len(words) // 2].lower() in ("oder", "und")


def show_edits(results: Sequence[tuple[str, Rewrite]], wanted: int, *, seed: int) -> None:
    """Print what was written in some of the lines, with a few words around."""
    chosen = np.random.default_rng(seed).choice(len(results), min(wanted, len(results)), replace=False)
    for index in sorted(chosen):
        source, result = results[index]
        print(f"  line {index}:")
        for edit in result.edits:
            around = source[max(edit.start - 30, 0) : edit.start], source[edit.end : edit.end + 30]
            print(f"    {around[0]}[{edit.before} -> {edit.after}]{around[1]}")


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
    parser.add_argument("--read", type=int, default=0, help="changed lines of every form to print, drawn at random")
    parser.add_argument("--seed", type=int, default=0, help="of that draw")
    parser.add_argument("--json", type=Path, help="write the counts here")
    args = parser.parse_args()
    if "GENDER_FAIR_DATA" not in os.environ:
        raise SystemExit("set GENDER_FAIR_DATA to the folder of the corpora")
    data = Path(os.environ["GENDER_FAIR_DATA"])
    rewriter = Rewriter.from_pretrained(args.model)
    lines = [line for genre in GENRES for line in sample(genre, rewriter, args.lines // len(GENRES), data)]
    found = {}
    for form in args.forms:
        checker = Checker(form, args.model)
        checker.check_all(lines)
        found[form] = checker
        print(form, json.dumps(figures(checker)), flush=True)
        for fault, examples in checker.count.shown.items():
            for before, after in examples[: args.show]:
                print(f"  {fault}:\n    {before}\n    {after}")
        show_edits(checker.count.results, args.read, seed=args.seed)
    if args.json:
        args.json.write_text(json.dumps({form: figures(c) for form, c in found.items()}, indent=1), encoding="utf-8")
    return 0 if all(is_good(form, checker.count) for form, checker in found.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
