"""``gender-fair doctor``: what is installed, from where, and what does not work."""

from __future__ import annotations

import argparse
import json
from typing import Any

from rewriter.cli.parsers import add_command
from rewriter.installation.doctor import Report, examine

DESCRIPTION = """\
Print where each of the five packages comes from, which extras and bundled models are there, and where data is
looked for. A file of yours that hides a package (train.py, eval.py ...) is named.

exit code: 0 nothing is wrong, 1 a problem was found

examples:
  gender-fair doctor
  gender-fair doctor --json
"""


def register(subparsers: Any) -> None:
    """Add the command ``doctor``."""
    parser = add_command(subparsers, "doctor", "show what is installed and what does not work", DESCRIPTION)
    parser.add_argument("--json", action="store_true", help="print JSON for machines")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the report; return 1 when something is wrong."""
    report = examine()
    print(json.dumps(report.to_dict(), ensure_ascii=False, indent=2) if args.json else render(report))
    return 1 if report.problems else 0


def render(report: Report) -> str:
    """Return the report as text for people."""
    python = report.python
    lines = [
        f"gender-fair-rewriter {report.toolkit}, Python {python['version']} ({python['path']}), {python['platform']}",
        "",
        "packages",
        *(f"  {p['package']:<10}{p['path'] or 'missing'}{'' if p['ours'] else '   NOT OURS'}" for p in report.packages),
        "",
        "base libraries",
        "  " + ", ".join(f"{name} {found or 'MISSING'}" for name, found in report.libraries.items()),
        "",
        "extras",
        *(_extra_line(extra) for extra in report.extras),
        "",
        "bundled models",
        *(
            f"  {m['name']:<10}{m['megabytes']:>6} MB  {'loads' if m['loads'] else 'DOES NOT LOAD'}"
            for m in report.models
        ),
        "",
        "data folders",
        *(_data_line(name, value) for name, value in report.data.items()),
        *_section("warnings", report.warnings),
        *_section("problems", report.problems),
    ]
    return "\n".join(lines)


def _extra_line(extra: dict[str, Any]) -> str:
    if not extra["missing"]:
        return f"  {extra['extra']:<10}complete"
    return f"  {extra['extra']:<10}missing {', '.join(extra['missing'])}: {extra['install']}"


def _data_line(name: str, value: dict[str, Any]) -> str:
    if value["folder"] is None:
        return f"  {name:<22}not set"
    return f"  {name:<22}{value['folder']}{'' if value['exists'] else '   (no such folder)'}"


def _section(title: str, lines: list[str]) -> list[str]:
    return ["", title, *(f"  {line}" for line in lines)] if lines else []
