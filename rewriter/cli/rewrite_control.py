"""Options of ``gender-fair rewrite`` about what may change (see :class:`rewriter.policy.Policy`)."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lexicons.side_files import read_side_file
from rewriter.corpus.engine import Selector
from rewriter.errors import UsageError
from rewriter.language.detect import LanguageSelector
from rewriter.options import PRESETS
from rewriter.policy import AMBIGUOUS, PLACES, SCOPES, Policy
from rewriter.report.check import FORMATS
from rewriter.runs.share import Both, ShareSelector

_KIND = "kind:"


def add_control_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that :func:`policy_from` reads, and those of the check mode."""
    group = parser.add_argument_group("what may change")
    _add_word_options(group)
    _add_place_options(group)
    _add_ambiguity_options(group)
    _add_whole_options(group)
    _add_check_options(parser)


def _add_word_options(group: argparse._ArgumentGroup) -> None:
    words = (
        "words, separated by commas, kind:KIND (pronoun, verb, contraction, noun), or @FILE with one of them per line"
    )
    group.add_argument("--allow", action="append", default=[], metavar="WORDS", help=f"change nothing but: {words}")
    group.add_argument("--deny", action="append", default=[], metavar="WORDS", help=f"never change: {words}")


def _add_place_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--scope",
        choices=SCOPES,
        help="generic: leave sentences alone that name a person, by a heuristic (default: all)",
    )
    group.add_argument(
        "--protect",
        action="append",
        default=[],
        metavar="REGEX",
        help="what a regular expression matches stays; @FILE with one per line",
    )
    group.add_argument(
        "--keep",
        metavar="PLACES",
        help=f"leave places alone, separated by commas: {', '.join(PLACES)}; none (default, unless a preset says)",
    )


def _add_ambiguity_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--on-ambiguous",
        choices=AMBIGUOUS,
        help="keep: leave sentences alone in which they could mean one or several when rewritten (default: rewrite)",
    )
    group.add_argument(
        "--flag-ambiguous",
        type=Path,
        metavar="FILE",
        help="list the rewritten sentences in which they may mean one or several (JSON lines; -: to standard error)",
    )


def _add_whole_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--preset",
        choices=PRESETS,
        help="publishing: named persons, quotations, titles of works, honorifics, deities, ambiguous sentences stay, "
        "English themselves and more nouns; corpus: everything by the convention. Options beside it win",
    )
    group.add_argument("--min-confidence", type=float, default=0.0, metavar="X", help="from 0 to 1 (default: 0)")
    group.add_argument(
        "--no-marks",
        action="store_true",
        help="do not heed the marks gender-fair: off, on and ignore in comments of the text",
    )
    group.add_argument(
        "--share", type=float, default=1.0, metavar="X", help="only this share of the texts, by their hash (default: 1)"
    )
    group.add_argument(
        "--share-seed", type=int, default=1, metavar="N", help="another one takes other texts (default: %(default)s)"
    )


def _add_check_options(parser: argparse.ArgumentParser) -> None:
    check = parser.add_argument_group("check")
    check.add_argument(
        "--check", action="store_true", help="write nothing; print file:line:column of what would change, exit code 1"
    )
    check.add_argument(
        "--check-format", choices=FORMATS, default="text", help="how --check reports (default: text; json: JSON lines)"
    )


def policy_from(args: argparse.Namespace, base: Mapping[str, Any] | None = None) -> Policy:
    """Return the policy that the options describe.

    Args:
        args: of the command.
        base: what a preset says; the options win.

    Raises:
        UsageError: a list cannot be read, an unknown kind, no regular expression, a confidence outside 0 to 1.
    """
    given = {name: value for name in ("scope", "on_ambiguous") if (value := getattr(args, name, None)) is not None}
    if getattr(args, "keep", None) is not None:
        names = [name.strip() for name in args.keep.split(",")]
        given["places"] = () if names == ["none"] else tuple(names)
    if args.no_marks:
        given["marks"] = False
    allow, allow_kinds = _words_and_kinds(args.allow, "--allow")
    deny, deny_kinds = _words_and_kinds(args.deny, "--deny")
    lists = {
        "allow": allow,
        "deny": deny,
        "allow_kinds": allow_kinds,
        "deny_kinds": deny_kinds,
        "min_confidence": args.min_confidence,
        "protect": tuple(pattern for value in args.protect for pattern in _patterns(value)),
    }
    return Policy(**{"marks": True, **(base or {}), **lists, **given})


def selector_from(args: argparse.Namespace, language: str) -> Selector | None:
    """Return what tells which texts are taken: ``--lang auto``, ``--lang-column``, ``--share``; None takes all.

    Raises:
        UsageError: texts in this language cannot be told from others, or the share is none.
    """
    found: list[Selector] = []
    detect = getattr(args, "lang", None) == "auto"
    if detect or getattr(args, "lang_column", None):
        found.append(LanguageSelector(language, detect=detect))
    if getattr(args, "share", 1.0) != 1:
        found.append(ShareSelector(args.share, args.share_seed))
    return Both(*found) if len(found) == 2 else found[0] if found else None


def _words_and_kinds(values: Iterable[str], option: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    entries = [entry for value in values for entry in _entries(value, option)]
    words = tuple(entry for entry in entries if not entry.startswith(_KIND))
    return words, tuple(entry.removeprefix(_KIND).strip() for entry in entries if entry.startswith(_KIND))


def _entries(value: str, option: str) -> list[str]:
    entries = _lines(value, option) if value.startswith("@") else [part.strip() for part in value.split(",")]
    found = [entry for entry in entries if entry]
    if not found:
        raise UsageError(f"{option} {value}: names no word and no kind of edit")
    return found


def _patterns(value: str) -> list[str]:
    """Return the regular expressions of one ``--protect``: itself, for commas mean something in them, or a file's."""
    return _lines(value, "--protect") if value.startswith("@") else [value]


def _lines(value: str, option: str) -> list[str]:
    """Return the lines of ``@FILE`` without blank ones and comments."""
    return list(_meant(_read(Path(value[1:]), option)))


def _read(path: Path, option: str) -> str:
    try:
        return read_side_file(path)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{option} @{path}: cannot be read ({error})") from None


def _meant(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.strip()
