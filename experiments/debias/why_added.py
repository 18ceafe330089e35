"""Why does adding lines make the stereotype larger? ``python -m experiments.debias.why_added RUN``.

Compares the corpora of a run with the untouched one, by counting alone: who stands beside BEC-Pro's professions, what
was added, how often the same line, and which professions the added lines name besides those for which they were added.
Where cells were measured, the stereotype of the counts is set beside that of the models (rank correlation over the
corpora): if adding works through the company that professions keep, the two go together.

The stereotype of a corpus is that of BEC-Pro on counts: the mean of ln (men's + 1) / (women's + 1) words in the
sentences of men's professions, less the same of women's. How many men's and women's words there are in all cancels out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log
from pathlib import Path
from statistics import fmean
from typing import Any

from augment.about import term_pattern
from augment.balance import CountOptions, count_texts, load_metadata
from eval.tables import Table
from experiments.debias.config import UNTOUCHED, DebiasRecipe, load_debias_recipe
from experiments.debias.corpora import corpus_file
from lexicons.loader import read_table
from rewriter.errors import GenderFairError, InputError
from rewriter.io.files import read_json, read_lines, write_json

GENDERS = ("male", "female")
_TARGETS = "professions"


@dataclass(frozen=True, slots=True)
class Company:
    """Who stands beside BEC-Pro's professions in a corpus.

    Attributes:
        counts: men's and women's words in the sentences of each profession; professions that occur.
        stereotype: of the counts; None where one of the two groups of professions does not occur.
        by_group: men's and women's words beside all professions of men, women, both.
    """

    counts: Mapping[str, tuple[int, int]]
    stereotype: float | None
    by_group: Mapping[str, tuple[int, int]]


def holders(lang: str) -> dict[str, str]:
    """Return who works in BEC-Pro's professions: ``male``, ``female``, ``balanced``."""
    return {row["profession"]: row["prof_gender"] for row in read_table(lang, "bec_pro_professions")}


def company(lines: Iterable[str], lang: str) -> Company:
    """Count who stands beside the professions in the same sentence."""
    statistics = count_texts(lines, load_metadata(_TARGETS, lang=lang), CountOptions(lang=lang)).statistics
    totals = statistics.totals()
    order = [statistics.categories.index(gender) for gender in GENDERS]
    known = holders(lang)
    counts = {
        term: (int(row[order[0]]), int(row[order[1]]))
        for term, row in zip(statistics.terms, totals.tolist(), strict=True)
        if term in known and sum(row)
    }
    by_group = {
        group: tuple(sum(counts[term][side] for term in counts if known[term] == group) for side in (0, 1))
        for group in sorted(set(known.values()))
    }
    leanings = {
        gender: [log((men + 1) / (women + 1)) for term, (men, women) in counts.items() if known[term] == gender]
        for gender in GENDERS
    }
    whole = all(leanings.values())
    stereotype = fmean(leanings["male"]) - fmean(leanings["female"]) if whole else None
    return Company(counts, stereotype, {group: (pair[0], pair[1]) for group, pair in by_group.items()})


@dataclass(frozen=True, slots=True)
class Additions:
    """What was added to a corpus, and taken from it.

    Attributes:
        lines: added, with their copies.
        distinct: of them, different ones.
        most: how often the line that was added most often.
        removed: lines that are there less often than before.
        with_targets: added lines that name a profession of BEC-Pro, too.
        company: who stands beside BEC-Pro's professions in the added lines alone.
        most_often: the lines that were added most often, with their number.
    """

    lines: int
    distinct: int
    most: int
    removed: int
    with_targets: int
    company: Company
    most_often: tuple[tuple[str, int], ...]


def additions(before: Sequence[str], after: Sequence[str], lang: str, *, shown: int = 5) -> Additions:
    """Return how a corpus differs from the one that it was made of."""
    old, new = Counter(before), Counter(after)
    added, removed = new - old, old - new
    targets = term_pattern([load_metadata(_TARGETS, lang=lang)], lang)
    lines = list(added.elements())
    return Additions(
        len(lines),
        len(added),
        max(added.values(), default=0),
        sum(removed.values()),
        sum(count for line, count in added.items() if targets.search(line.lower())),
        company(lines, lang),
        tuple(added.most_common(shown)),
    )


@dataclass(frozen=True, slots=True)
class Compared:
    """A corpus beside the untouched one."""

    name: str
    company: Company
    additions: Additions


def compare(recipe: DebiasRecipe, run: Path) -> list[Compared]:
    """Compare the corpora of a run that are there.

    Raises:
        InputError: the untouched corpus is not there.
    """
    untouched = run / corpus_file(recipe.corpus(UNTOUCHED), recipe.diets)
    if not untouched.exists():
        raise InputError(f"{run}: the untouched corpus is not there yet; run the recipe until data/untouched")
    before = list(read_lines(untouched))
    found = []
    for name in dict.fromkeys([UNTOUCHED, *recipe.corpora]):
        path = run / corpus_file(recipe.corpus(name), recipe.diets)
        if path.exists():
            after = list(read_lines(path))
            found.append(Compared(name, company(after, recipe.lang), additions(before, after, recipe.lang)))
    return found


def company_table(found: Sequence[Compared]) -> Table:
    """Return who stands beside the professions of each corpus."""
    groups = list(found[0].company.by_group)
    rows = []
    for one in found:
        pairs = [f"{men:,} : {women:,}" for men, women in one.company.by_group.values()]
        rows.append([one.name, _number(one.company.stereotype), *pairs])
    return Table(["corpus", "stereotype of the counts", *(f"beside {group}" for group in groups)], rows)


def additions_table(found: Sequence[Compared]) -> Table:
    """Return what was added to each corpus."""
    columns = ["corpus", "added", "different", "most copies", "removed", "with BEC-Pro's professions"]
    columns += ["stereotype of the added alone", "women's words beside women's professions there"]
    rows = []
    for one in found[1:]:
        what = one.additions
        women = what.company.by_group.get("female", (0, 0))
        shares = f"{100 * what.with_targets / what.lines:.0f} %" if what.lines else ""
        cells = [one.name, f"{what.lines:,}", f"{what.distinct:,}", str(what.most), f"{what.removed:,}"]
        cells += [f"{what.with_targets:,} {shares}", _number(what.company.stereotype)]
        rows.append([*cells, f"{women[1]:,} of {sum(women):,}"])
    return Table(columns, rows)


def moved(before: Company, after: Company, lang: str, most: int = 10) -> Table:
    """Return the professions whose company changed most, with what they add to the stereotype of the counts."""
    known = holders(lang)
    sizes = Counter(known[term] for term in before.counts)
    changes = {}
    for term in before.counts:
        if known[term] not in GENDERS or term not in after.counts:
            continue
        old, new = (log((pair[0] + 1) / (pair[1] + 1)) for pair in (before.counts[term], after.counts[term]))
        sign = 1 if known[term] == "male" else -1
        changes[term] = sign * (new - old) / sizes[known[term]]
    order = sorted(changes, key=lambda term: -abs(changes[term]))[:most]
    rows = [[t, known[t], _pair(before.counts[t]), _pair(after.counts[t]), f"{changes[t]:+.3f}"] for t in order]
    return Table(["profession", "of", "men : women before", "after", "adds to the stereotype"], rows, text_columns=2)


def measured(run: Path) -> dict[str, float]:
    """Return the stereotype of BEC-Pro of the models of each corpus; nothing where none was measured."""
    path = run / "results" / "results.json"
    rows = read_json(path)["rows"] if path.exists() else []
    return {row["corpus"]: float(row["stereotype"]["all"]["value"]) for row in rows if not row["tuned"]}


def agreement(found: Sequence[Compared], models: Mapping[str, float]) -> tuple[int, float] | None:
    """Return over how many corpora counts and models were compared, and their rank correlation (Spearman).

    None where there are fewer than four.
    """
    pairs = [(one.company.stereotype, models[one.name]) for one in found if one.name in models]
    known = [(a, b) for a, b in pairs if a is not None]
    if len(known) < 4:
        return None
    import numpy as np

    first, second = (_ranks(np.array(side)) for side in zip(*known, strict=True))
    return len(known), float(np.corrcoef(first, second)[0, 1])


def _ranks(values: Any) -> Any:
    """Return ranks, the mean rank where values are equal."""
    return ((values[:, None] > values).sum(axis=1) + (values[:, None] >= values).sum(axis=1) + 1) / 2


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:+.3f}"


def _pair(pair: tuple[int, int]) -> str:
    return f"{pair[0]:,} : {pair[1]:,}"


def report(recipe: DebiasRecipe, run: Path) -> str:
    """Return the comparison in Markdown."""
    found = compare(recipe, run)
    parts = [company_table(found).markdown(), additions_table(found).markdown()]
    for one in found[1:]:
        if one.additions.lines and not one.additions.removed:
            parts += [f"`{one.name}` against untouched:", moved(found[0].company, one.company, recipe.lang).markdown()]
    together = agreement(found, measured(run))
    if together is not None:
        parts.append(
            f"Over {together[0]} corpora the stereotype of the counts and that of the models (BEC-Pro) have a rank "
            f"correlation of {together[1]:+.2f}."
        )
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the comparison of a run's corpora; write it as JSON, with the lines added most often, where asked to."""
    parser = argparse.ArgumentParser(prog="python -m experiments.debias.why_added", description=__doc__)
    parser.add_argument("run", type=Path, metavar="RUN", help="folder of a run")
    parser.add_argument("--recipe", type=Path, metavar="FILE", help="its recipe (default: RUN/recipe.yaml)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write all counts as JSON")
    args = parser.parse_args(arguments)
    try:
        return _print_report(args)
    except GenderFairError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code


def _print_report(args: argparse.Namespace) -> int:
    recipe = load_debias_recipe(args.recipe or args.run / "recipe.yaml")
    if args.output:
        write_json(args.output, json.loads(json.dumps([asdict(one) for one in compare(recipe, args.run)])))
    print(report(recipe, args.run), end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
