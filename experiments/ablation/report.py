"""What the cells of an ablation reached: figures of each, and tables over all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from eval.bootstrap import Resampling
from eval.suite import SuiteOptions, SuiteResult, model_entry, score_entries
from eval.suite_report import append_measurements
from experiments.ablation.plan import MODEL, AblationRun
from rewriter.io.files import read_json, write_json, write_lines
from rewriter.runs.manifest import Manifest
from train.scoring import dev_set, table_set


def measure(shop: AblationRun, name: str, folder: Path) -> None:
    """Score a cell's model with the guard on and off and write ``scores.json``."""
    from rewriter.pipeline import Rewriter

    own = [table_set(path, shop.output / "shared" / "sets") for path in shop.plan.tables]
    if shop.plan.dev_pairs:
        own.append(dev_set(shop.mix, shop.plan.dev_pairs, shop.output / "shared" / "sets"))
    entries = [
        model_entry(Rewriter.from_pretrained(str(folder / MODEL), guard=mode, threads=1), f"{name}, guard {mode}")
        for mode in ("strict", "off")
    ]
    result = score_entries(entries, [*own, *shop.sets], SuiteOptions(lang=shop.plan.lang, resampling=Resampling()))
    if shop.log is not None and shop.sets:
        _log(result, shop)
    write_json(folder / "scores.json", _figures(result))


def _log(result: SuiteResult, shop: AblationRun) -> None:
    names = tuple(one.name for one in shop.sets)
    scores = {system: {n: s for n, s in row.items() if n in names} for system, row in result.scores.items()}
    assert shop.log is not None
    append_measurements(shop.log, replace(result, sets=names, scores=scores))


def _figures(result: SuiteResult) -> dict[str, Any]:
    """Return word error rate, exact sentences and signature by guard and set."""
    return {
        system.rpartition("guard ")[2]: {
            name: {"wer": score.wer.score, "exact": score.wer.exact, "signature": score.wer.signature}
            for name, score in row.items()
        }
        for system, row in result.scores.items()
        if system in result.ours
    }


def write_report(shop: AblationRun) -> Path:
    """Write what the finished cells gave as ``report.md`` (tables by group) and ``report.json``; return the first."""
    shop.output.mkdir(parents=True, exist_ok=True)
    found = {}
    for name, cell in shop.plan.cells.items():
        manifest = Manifest.load(shop.output / name)
        if manifest is not None and manifest.complete:
            scores = read_json(shop.output / name / "scores.json")
            found[name] = {"group": cell.group, **manifest.counts, "scores": scores}
    write_json(shop.output / "report.json", found)
    write_lines(shop.output / "report.md", report_lines(found))
    return shop.output / "report.md"


def report_lines(found: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the report: a table per group, exact sentences with and without the guard, then the signatures.

    The first cell is what the others differ from; it stands in every table.
    """
    groups: dict[str, list[str]] = {}
    first = next(iter(found), "")
    for name, row in found.items():
        groups.setdefault(row["group"], [first] if first != name else []).append(name)
    signatures: dict[str, str] = {}
    for group, names in groups.items():
        sets = list(found[names[0]]["scores"]["strict"])
        yield from ("", f"### {group or 'Cells'}", "")
        columns = ["cell", "pairs", "updates", "minutes", "MB", "labels right"]
        columns += [f"{one}: {what}" for one in sets for what in ("WER", "exact")]
        columns += [f"{one}: exact without guard" for one in sets]
        yield from (_line(columns), _line(["---"] + ["---:"] * (len(columns) - 1)))
        for name in names:
            yield _line(_row(name, found[name], sets))
            for one in sets:
                signatures[one] = found[name]["scores"]["strict"][one]["signature"]
    yield ""
    yield from (f"{name}: `{signature}`" for name, signature in signatures.items())


def _row(name: str, row: Mapping[str, Any], sets: Sequence[str]) -> list[str]:
    strict, off = row["scores"]["strict"], row["scores"]["off"]
    right = f"{100 * row['labels right']:.2f} %" if "labels right" in row else ""
    cells = [
        name,
        f"{row['pairs']:,}",
        f"{row['updates']:,}",
        f"{row['minutes']:.1f}",
        f"{row['bytes'] / 1e6:.1f}",
        right,
    ]
    cells += [text for one in sets for text in (f"{strict[one]['wer']:.2f}", f"{strict[one]['exact']:.1f}")]
    return cells + [f"{off[one]['exact']:.1f}" for one in sets]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
