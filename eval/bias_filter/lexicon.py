"""Word lists of groups: shipped ones, and a user's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from eval.bias_filter.matcher import word_form
from lexicons.loader import TableError, parse_table
from lexicons.side_files import read_side_file
from rewriter.errors import LexiconError, UsageError
from rewriter.registry import did_you_mean

#: beginning of the names of tables with groups; ``groups_gender.tsv`` holds the category ``gender``
PREFIX = "groups_"
#: the gender definition words of GenBiT, which are such a table too
GENBIT = "genbit"

Groups = dict[str, list[str]]


def shipped() -> dict[str, list[str]]:
    """Return the categories that are shipped for each language: ``{"de": ["gender", "genbit"], ...}``."""
    found: dict[str, list[str]] = {}
    for folder in files("lexicons").iterdir():
        names = [entry.name.removesuffix(".tsv") for entry in folder.iterdir()] if folder.is_dir() else []
        categories = [name.removeprefix(PREFIX) for name in names if name.startswith(PREFIX) or name == GENBIT]
        if categories:
            found[folder.name] = sorted(categories)
    return dict(sorted(found.items()))


def read_groups(lang: str, category: str = "gender", *, names: Iterable[str] | None = None) -> Groups:
    """Return a shipped word list: name of the group -> its words.

    Args:
        lang: language code.
        category: what the groups differ in, ``gender``; or ``genbit``, the gender definition words of GenBiT (six
            languages), of which those that stand in two groups are left out.
        names: the groups that are wanted (default: all).

    Raises:
        UsageError: there is no such language, category or group; the message lists those that are there.
    """
    known = shipped()
    if lang not in known:
        raise UsageError(
            f"there is no word list for the language '{lang}'{did_you_mean(lang, list(known))}; there are lists for "
            f"{', '.join(known)}. For others give your own words, or a table with the columns word and group"
        )
    if category not in known[lang]:
        raise UsageError(
            f"there is no word list '{category}' for the language '{lang}'{did_you_mean(category, known[lang])}; "
            f"known: {', '.join(known[lang])}"
        )
    name = category if category == GENBIT else f"{PREFIX}{category}"
    text = files("lexicons").joinpath(lang, f"{name}.tsv").read_text(encoding="utf-8")
    return _groups(text, f"lexicons/{lang}/{name}.tsv", names, strict=category != GENBIT)


def read_group_file(path: str | Path, *, names: Iterable[str] | None = None) -> Groups:
    """Return the word lists of a user's own table: TSV, ``#`` comments, a header with ``word`` and ``group``.

    Args:
        path: the table.
        names: the groups that are wanted (default: all).

    Raises:
        LexiconError: the file cannot be read, lacks a column, or a word stands twice (both lines are named).
        UsageError: there is no group of a name that is asked for.
    """
    try:
        text = read_side_file(path)
    except (OSError, UnicodeDecodeError) as error:
        raise LexiconError(f"{path}: cannot be read ({error})") from None
    return _groups(text, str(path), names)


def choose(groups: Mapping[str, list[str]], names: Iterable[str], where: str) -> Groups:
    """Return the groups called ``names``, in that order.

    Raises:
        UsageError: there is no such group.
    """
    chosen: Groups = {}
    for name in names:
        if name not in groups:
            raise UsageError(
                f"{where} has no group '{name}'{did_you_mean(name, list(groups))}; groups: {', '.join(groups)}"
            )
        chosen[name] = groups[name]
    return chosen


def _groups(text: str, where: str, names: Iterable[str] | None, *, strict: bool = True) -> Groups:
    """Return the lists; a list that is not ``strict`` loses words of two groups and repeated ones without complaint."""
    wanted = None if names is None else list(names)
    groups: Groups = {}
    seen: dict[bytes, tuple[int, str]] = {}
    both: set[bytes] = set()
    for number, word, group in _rows(text, where):
        groups.setdefault(group, [])
        if wanted is not None and group not in wanted:
            continue
        form = word_form(word)
        if not form:
            raise LexiconError(f"{where}:{number}: '{word}' holds no letter to look for")
        if form not in seen:
            seen[form] = number, group
            groups[group].append(word)
        elif strict:
            raise LexiconError(_stands_twice(where, number, word, group, seen[form]))
        elif seen[form][1] != group:
            both.add(form)
    groups = {group: [word for word in words if word_form(word) not in both] for group, words in groups.items()}
    if not groups:
        raise LexiconError(f"{where}: the table has no rows")
    return groups if wanted is None else choose(groups, wanted, where)


def _stands_twice(where: str, number: int, word: str, group: str, before: tuple[int, str]) -> str:
    line, other = before
    if other == group:
        return f"{where}:{number}: '{word}' stands in line {line} already; take one of the two lines out"
    return (
        f"{where}:{number}: '{word}' stands in the group '{group}' here and in '{other}' in line {line}. A word that "
        "stands in two groups tells nothing about either; leave it in one"
    )


def _rows(text: str, where: str) -> list[tuple[int, str, str]]:
    """Return line number, word and group of each row."""
    try:
        rows = parse_table(text.removeprefix("\ufeff"), where=where)
    except TableError as error:
        raise LexiconError(str(error)) from None
    if rows and not {"word", "group"} <= rows[0].keys():
        raise LexiconError(f"{where}: the header must name the columns word and group, not {', '.join(rows[0])}")
    lines = [n for n, line in enumerate(text.splitlines(), 1) if line.strip() and not line.startswith("#")]
    found = []
    for number, row in zip(lines[1:], rows, strict=True):
        if not row["word"].strip() or not row["group"].strip():
            raise LexiconError(f"{where}:{number}: word or group is empty")
        found.append((number, row["word"].strip(), row["group"].strip()))
    return found
