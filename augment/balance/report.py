"""What was counted and what balancing did: tables, a page with a plot."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from augment.balance.select import Plan
from augment.balance.statistics import Statistics
from eval.html import page_head, page_table
from eval.tables import Table
from rewriter.io.files import atomic_write

_ROW, _LABEL, _WIDTH = 18, 220, 460


def count_table(statistics: Statistics) -> Table:
    """Return the counts of every term; those without any come last."""
    totals = statistics.totals().tolist()
    order = sorted(range(len(totals)), key=lambda term: (-sum(totals[term]), term))
    rows = [[statistics.terms[t], *(f"{n:,}" for n in totals[t]), _shares(totals[t])] for t in order]
    return Table(("term", *statistics.categories, "%"), rows)


def _shares(counts: Sequence[int]) -> str:
    total = sum(counts)
    return " : ".join(f"{100 * count / total:.0f}" for count in counts) if total else "-"


def balance_table(plan: Plan) -> Table:
    """Return the counts of every term before and after, its outcome, and what steps for other terms changed."""
    names = plan.statistics.categories
    columns = ["term", *(f"{n} before" for n in names), *(f"{n} after" for n in names), "% after", "outcome", "others"]
    before, after, others = plan.before.tolist(), plan.after.tolist(), plan.interference().tolist()
    rows = []
    for term in sorted(range(len(before)), key=lambda term: (-sum(before[term]), term)):
        figures = [f"{number:,}" for number in (*before[term], *after[term])]
        name = plan.statistics.terms[term]
        rows.append([name, *figures, _shares(after[term]), plan.outcome(term), f"{others[term]:,}"])
    return Table(columns, rows)


def summary(plan: Plan) -> dict[str, Any]:
    """Return the figures of a plan as JSON."""
    terms = {}
    for number, name in enumerate(plan.statistics.terms):
        terms[name] = {
            "before": plan.before[number].tolist(),
            "after": plan.after[number].tolist(),
            "expected": plan.expected[number].tolist(),
            "outcome": plan.outcome(number),
            "changed_for_others": int(plan.interference()[number]),
        }
    outcomes = [terms[name]["outcome"] for name in terms]
    return {
        "mode": plan.options.mode,
        "method": plan.options.method,
        "order": plan.options.order,
        "zeros_first": plan.options.zeros_first,
        "ratio": list(plan.target.weights),
        "threshold": plan.target.threshold,
        "seed": plan.options.seed,
        "paragraphs_removed": plan.removed,
        "copies_added": plan.added,
        "most_copies_of_one": int(plan.times.max(initial=1)) - 1,
        "outcomes": {name: outcomes.count(name) for name in dict.fromkeys(outcomes)},
        "interference": int(plan.interference().sum()),
        "unforeseen": int(plan.unforeseen().sum()),
        "signature": signature(plan),
        "categories": list(plan.statistics.categories),
        "terms": terms,
    }


def signature(plan: Plan) -> str:
    """Return the signature of the figures."""
    from rewriter.version import __version__

    ratio = ":".join(f"{weight:g}" for weight in plan.target.weights)
    options = plan.options
    zeros = "first" if options.zeros_first else "no"
    return (
        f"balance|mode:{options.mode}|method:{options.method}|order:{options.order}|zeros:{zeros}|ratio:{ratio}"
        f"|threshold:{plan.target.threshold:g}|copies:{options.copies}|seed:{options.seed}|version:{__version__}"
    )


def describe(plan: Plan) -> str:
    """Return table and figures for people."""
    figures = summary(plan)
    told = ", ".join(f"{name}: {number}" for name, number in figures["outcomes"].items())
    lines = [balance_table(plan).plain(), "", f"terms {told}"]
    if plan.options.mode == "add":
        lines.append(f"{plan.added:,} copies added, at most {figures['most_copies_of_one']} of one paragraph")
    else:
        lines.append(f"{plan.removed:,} paragraphs removed")
    lines.append(
        f"interference: steps for other terms changed {figures['interference']:,} counts (column 'others'), "
        f"{figures['unforeseen']:,} unforeseen"
    )
    one = [name for name, term in figures["terms"].items() if term["outcome"] == "one category only"]
    if one:
        lines.append(f"cannot be balanced, for a category never occurs: {', '.join(one)}")
    return "\n".join([*lines, signature(plan)])


def write_page(path: str | Path, plan: Plan, title: str = "Balance before and after") -> None:
    """Write a page with a plot of the shares and the table.

    Raises:
        OutputError: it cannot be written.
    """
    table = balance_table(plan)
    with atomic_write(path) as stream:
        stream.write((page_head(title) + f"<p>{escape(signature(plan))}</p>\n").encode("utf-8"))
        stream.write(_plot(plan).encode("utf-8"))
        stream.write(page_table(table.columns, table.rows).encode("utf-8"))
        stream.write(b"</body>\n</html>\n")


def _plot(plan: Plan) -> str:
    """Return a plot: for each term the share of the first category before (circle) and after (dot)."""
    found = [t for t in range(len(plan.statistics.terms)) if plan.before[t].any()]
    height = _ROW * len(found) + 30
    goal = _LABEL + _WIDTH * plan.target.weights[0] / sum(plan.target.weights)
    parts = [
        f'<svg viewBox="0 0 {_LABEL + _WIDTH + 20} {height}" width="{_LABEL + _WIDTH + 20}" role="img" '
        f'font-size="12" fill="currentColor" stroke="none">\n<title>share of {escape(plan.statistics.categories[0])} '
        "before (circle) and after (dot)</title>\n"
        f'<line x1="{goal:.1f}" x2="{goal:.1f}" y1="0" y2="{height - 26}" stroke="currentColor" stroke-dasharray="3"/>'
    ]
    for place, term in enumerate(found):
        y = _ROW * place + 12
        a, b = (_LABEL + _WIDTH * _share(counts[term].tolist()) for counts in (plan.before, plan.after))
        parts.append(
            f'<text x="{_LABEL - 10}" y="{y + 4}" text-anchor="end">{escape(plan.statistics.terms[term])}</text>'
            f'<line x1="{a:.1f}" x2="{b:.1f}" y1="{y}" y2="{y}" stroke="currentColor" opacity=".4"/>'
            f'<circle cx="{a:.1f}" cy="{y}" r="4" fill="none" stroke="currentColor"/>'
            f'<circle cx="{b:.1f}" cy="{y}" r="4"/>'
        )
    axis = f"share of {plan.statistics.categories[0]}: 0 % left, 100 % right; circle before, dot after, line target"
    parts.append(f'<text x="{_LABEL}" y="{height - 8}">{escape(axis)}</text>\n</svg>\n')
    return "\n".join(parts)


def _share(counts: Sequence[int]) -> float:
    return counts[0] / sum(counts) if sum(counts) else 0.5
