"""Shows the figures of a study: text, Markdown, a page, JSON, a plot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from eval.bootstrap import Interval
from eval.html import page_head, page_table
from eval.human.results import Agreement, HumanReport, Opinion, Preferences, StatementResult
from eval.human.statistics import Contrast
from eval.plots import plot_format
from eval.tables import Table
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write

SIMULATED = "SIMULATED ANSWERS: a script gave them; these figures say nothing about people"
#: disagreement to agreement; told apart without red and green
_COLOURS = ("#8c510a", "#d8b365", "#e0e0e0", "#80b1d3", "#2166ac")


@dataclass(frozen=True)
class Section:
    """A table with its heading and what is to be said about it."""

    title: str
    table: Table
    notes: tuple[str, ...] = ()


def sections(report: HumanReport) -> list[Section]:
    """Return the tables of a report."""
    found = [Section("Participants", _people_table(report))]
    for statement in report.statements:
        found += _statement_sections(report, statement)
    if report.preferences:
        found.append(_preference_section(report, report.preferences))
    found += [_opinion_section(report, opinion) for opinion in report.opinions]
    return found


def text_report(report: HumanReport) -> str:
    """Return the report for a terminal."""
    parts = [SIMULATED] if report.simulated else []
    for section in sections(report):
        parts.append("\n".join([f"{section.title}\n\n{section.table.plain()}", *section.notes]))
    return "\n\n".join([*parts, report.signature])


def markdown_report(report: HumanReport) -> str:
    """Return the report in Markdown."""
    parts = [f"**{SIMULATED}**"] if report.simulated else []
    for section in sections(report):
        parts += [f"## {section.title}", section.table.markdown(), *section.notes]
    return "\n\n".join([*parts, f"`{report.signature}`"]) + "\n"


def write_page(path: str | Path, report: HumanReport) -> None:
    """Write a page with all tables; it loads nothing and runs no script.

    Raises:
        OutputError: the page cannot be written.
    """
    with atomic_write(path) as stream:
        stream.write(page_head("Human evaluation").encode("utf-8"))
        lines = ([SIMULATED] if report.simulated else []) + [report.signature]
        stream.write(page_table(["study"], [[line] for line in lines]).encode("utf-8"))
        for section in sections(report):
            rows = [[note] for note in section.notes]
            stream.write(page_table([section.title], rows).encode("utf-8"))
            stream.write(page_table(section.table.columns, section.table.rows).encode("utf-8"))
        stream.write(b"</body>\n</html>\n")


def report_dict(report: HumanReport) -> dict[str, Any]:
    """Return the report for JSON; versions and texts by name."""
    study = report.study
    return {
        "study": study.id,
        "simulated": report.simulated,
        "versions": list(study.versions),
        "texts": [{"id": text.id, "genre": text.genre} for text in study.texts],
        "people": asdict(report.people),
        "statements": [_statement_dict(report, statement) for statement in report.statements],
        "preferences": _preferences_dict(report, report.preferences) if report.preferences else None,
        "opinions": [
            {
                "question": o.question.id,
                "text": o.question.text,
                "counts": dict(o.counts),
                "groups": _groups_dict(report, o),
            }
            for o in report.opinions
        ],
        "signature": report.signature,
    }


def write_plot(path: str | Path, report: HumanReport) -> None:
    """Draw how often each answer was given to each version, a field for every statement (figure 3 of the paper).

    Bars are centred on the middle answer, so that disagreement stands to the left and agreement to the right.

    Raises:
        UsageError: the file's ending is none of png, svg, pdf.
        MissingExtraError: matplotlib is not installed.
        OutputError: the file cannot be written.
    """
    ending = plot_format(path)
    rows, versions = len(report.statements), len(report.study.versions)
    size = (9, 1.5 + rows * (0.8 + 0.42 * versions))
    figure = require("matplotlib.figure", extra="plot").Figure(figsize=size, layout="constrained")
    axes = figure.subplots(rows, 1, squeeze=False)[:, 0]
    for axis, statement in zip(axes, report.statements, strict=True):
        _draw(axis, report, statement)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False, fontsize=9)
    if report.simulated:
        figure.suptitle(SIMULATED, fontsize=9, color="#8a1410")
    with atomic_write(path) as stream:
        figure.savefig(stream, format=ending, dpi=120, metadata={"Date": None} if ending == "svg" else None)


def _draw(axis: Any, report: HumanReport, statement: StatementResult) -> None:
    scale = report.study.wording.scale
    totals = statement.shares.sum(axis=1, keepdims=True)
    shares = 100 * statement.shares / totals.clip(min=1)
    below = len(scale) // 2
    left = -shares[:, :below].sum(axis=1) - (shares[:, below] / 2 if len(scale) % 2 else 0)
    names = [_labelled(name, statement, number) for number, name in enumerate(report.study.versions)]
    for value, label in enumerate(scale):
        color = _COLOURS[round(value * (len(_COLOURS) - 1) / (len(scale) - 1))]
        bars = axis.barh(names, shares[:, value], left=left, color=color, label=label, edgecolor="white")
        ink = "white" if color in (_COLOURS[0], _COLOURS[-1]) else "black"
        cells = [f"{share:.0f}" if share >= 4 else "" for share in shares[:, value]]
        axis.bar_label(bars, cells, label_type="center", fontsize=8, color=ink)
        left = left + shares[:, value]
    axis.axvline(0, color="black", linewidth=0.6, zorder=0)
    axis.invert_yaxis()
    axis.set_xlim(-100, 100)
    axis.set_xticks([-100, -50, 0, 50, 100], ["100 %", "50 %", "0", "50 %", "100 %"], fontsize=8)
    axis.set_title(f"“{statement.text}” (n = {int(totals.sum())})", fontsize=10)


def _labelled(name: str, statement: StatementResult, number: int) -> str:
    mean = statement.versions.means[number]
    return f"{name}\n{_number(mean.value)} [{_range(mean.interval)}]"


# ---------------------------------------------------------------- tables


def _people_table(report: HumanReport) -> Table:
    people = report.people
    rows = [
        ["questionnaires", str(people.planned)],
        ["answered", str(people.answered)],
        ["took their answers back", str(people.withdrawn)],
        ["failed attention checks", str(people.inattentive)],
        ["used", str(people.used)],
        ["of those, not everything answered", str(people.unfinished)],
        ["minutes (median)", f"{people.minutes:.1f}"],
    ]
    for question in report.study.wording.before:
        labels = dict(question.options)
        counts = people.about[question.id].items()
        rows += [[f"{question.text} {labels.get(option, option)}", str(count)] for option, count in counts]
    return Table(["", "n"], rows)


def _statement_sections(report: HumanReport, statement: StatementResult) -> Iterator[Section]:
    title = f"“{statement.text}”"
    yield Section(f"{title}: answers", _answer_table(report, statement), (_alpha_line(statement.agreement),))
    yield Section(f"{title}: mean by text", _text_table(report, statement))
    if len(statement.by_genre) > 1:
        yield Section(f"{title}: mean by genre", _genre_table(report, statement))
    yield Section(f"{title}: versions compared", _contrast_table(report, statement))
    if statement.model is not None:
        yield _model_section(report, statement, title)


def _answer_table(report: HumanReport, statement: StatementResult) -> Table:
    values = [str(value) for value in range(1, len(report.study.wording.scale) + 1)]
    rows = []
    for name, mean, counts in zip(report.study.versions, statement.versions.means, statement.shares, strict=True):
        shares = [f"{100 * count / mean.ratings:.1f} %" if mean.ratings else "" for count in counts]
        rows.append([name, _number(mean.value), _range(mean.interval), str(mean.ratings), *shares])
    return Table(["version", "mean", "95 % interval", "ratings", *values], rows)


def _text_table(report: HumanReport, statement: StatementResult) -> Table:
    """Return table 3 of the paper."""
    versions = statement.versions
    rows = [
        [name, *map(_number, versions.by_text[:, number]), _number(versions.means[number].value)]
        for number, name in enumerate(report.study.versions)
    ]
    return Table(["version", *(text.id for text in report.study.texts), "all"], rows)


def _genre_table(report: HumanReport, statement: StatementResult) -> Table:
    rows = [
        [name, *(_number(means[number]) for means in statement.by_genre.values())]
        for number, name in enumerate(report.study.versions)
    ]
    return Table(["version", *(genre or "none" for genre in statement.by_genre)], rows)


def _contrast_table(report: HumanReport, statement: StatementResult) -> Table:
    columns = ["", "difference", "95 % interval", "p", "p (Holm)", "higher", "equal", "lower"]
    return Table(columns, [_contrast_row(report, contrast) for contrast in statement.versions.contrasts])


def _contrast_row(report: HumanReport, contrast: Contrast) -> list[str]:
    names = report.study.versions
    return [
        f"{names[contrast.version]} - {names[contrast.baseline]}",
        _number(contrast.difference, signed=True),
        _range(contrast.interval, signed=True),
        _p(contrast.p_value),
        _p(contrast.adjusted),
        *map(str, (contrast.higher, contrast.equal, contrast.lower)),
    ]


def _model_section(report: HumanReport, statement: StatementResult, title: str) -> Section:
    model = statement.model
    assert model is not None
    names = [f"{report.study.versions[0]} (mean)", *(f"{name} (difference)" for name in report.study.versions[1:])]
    rows = [
        [name, f"{e.estimate:+.2f}", f"{e.error:.2f}", _range(e.interval, signed=True), _p(e.p_value)]
        for name, e in zip(names, model.effects, strict=True)
    ]
    spread = (
        f"standard deviations: participants {model.participant:.2f}, texts {model.text:.2f}, "
        f"residual {model.residual:.2f}; REML criterion {model.criterion:.1f}"
    )
    return Section(
        f"{title}: mixed-effects model", Table(["", "estimate", "SE", "95 % interval", "p (Wald)"], rows), (spread,)
    )


def _preference_section(report: HumanReport, found: Preferences) -> Section:
    names = report.study.versions
    rows = [
        [
            f"{names[pair.first]} or {names[pair.second]}",
            *map(str, (pair.for_first, pair.neither, pair.for_second)),
            _number(pair.lean.value, signed=True),
            _range(pair.lean.interval, signed=True),
            _p(pair.p_value),
            _p(pair.adjusted),
        ]
        for pair in found.pairs
    ]
    columns = ["side by side", "the first", "neither", "the second", "lean", "95 % interval", "p", "p (Holm)"]
    low, high = 100 * found.left_interval.low, 100 * found.left_interval.high
    sides = f"left side chosen {found.left} of {found.chosen} times (95 % interval {low:.0f} to {high:.0f} %)"
    lean = "lean: -1 is the first, clearly; 1 the second, clearly"
    return Section(
        f"“{report.study.wording.preference}”", Table(columns, rows), (lean, sides, _alpha_line(found.agreement))
    )


def _opinion_section(report: HumanReport, opinion: Opinion) -> Section:
    title = f"“{opinion.question.text}”"
    if not opinion.groups:
        rows = [[opinion.question.options.get(name, name), str(count)] for name, count in opinion.counts.items()]
        return Section(title, Table(["", "n"], rows))
    first, *others = report.study.versions
    rows = [
        [group.name, str(group.people), *(f"{n} ({_share(n, group.people)})" for n in group.higher)]
        for group in opinion.groups
    ]
    counts = ", ".join(f"{name}: {count}" for name, count in opinion.counts.items())
    return Section(title, Table(["", "n", *(f"rate {name} above {first}" for name in others)], rows), (counts,))


def _alpha_line(found: Agreement) -> str:
    if found.alpha is None:
        return "Krippendorff's alpha: not defined (nothing was rated twice, or all answers are the same)"
    return f"Krippendorff's alpha: {found.alpha:.3f} (95 % interval {_range(found.interval, digits=3)})"


# ---------------------------------------------------------------- JSON


def _statement_dict(report: HumanReport, found: StatementResult) -> dict[str, Any]:
    names = report.study.versions
    return {
        "name": found.name,
        "text": found.text,
        "means": {name: asdict(mean) for name, mean in zip(names, found.versions.means, strict=True)},
        "answers": {name: row.astype(int).tolist() for name, row in zip(names, found.shares, strict=True)},
        "by_text": {text.id: _plain(row) for text, row in zip(report.study.texts, found.versions.by_text, strict=True)},
        "by_genre": {genre: _plain(row) for genre, row in found.by_genre.items()},
        "contrasts": [
            asdict(c) | {"version": names[c.version], "baseline": names[c.baseline]} for c in found.versions.contrasts
        ],
        "agreement": asdict(found.agreement),
        "model": asdict(found.model) if found.model else None,
    }


def _preferences_dict(report: HumanReport, found: Preferences) -> dict[str, Any]:
    names = report.study.versions
    pairs = [asdict(pair) | {"first": names[pair.first], "second": names[pair.second]} for pair in found.pairs]
    return asdict(found) | {"pairs": pairs}


def _groups_dict(report: HumanReport, opinion: Opinion) -> list[Mapping[str, Any]]:
    others = report.study.versions[1:]
    return [
        {"name": group.name, "people": group.people, "higher": dict(zip(others, group.higher, strict=True))}
        for group in opinion.groups
    ]


def _plain(values: Iterable[float]) -> list[float | None]:
    return [float(value) if isfinite(value) else None for value in values]


# ---------------------------------------------------------------- cells


def _number(value: float | None, *, signed: bool = False, digits: int = 2) -> str:
    if value is None or not isfinite(value):
        return "none"
    return f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"


def _range(interval: Interval | None, *, signed: bool = False, digits: int = 2) -> str:
    if interval is None:
        return "none"
    low, high = (_number(value, signed=signed, digits=digits) for value in (interval.low, interval.high))
    return f"{low} to {high}"


def _p(value: float) -> str:
    return f"{value:.2g}"


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else "of none"
