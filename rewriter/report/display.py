"""Shows rewrites to people: differences in a terminal, with or without colour, and as an HTML page."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import IO

from rewriter.io.files import atomic_write
from rewriter.records import Edit, Rewrite

_RED, _GREEN, _PLAIN = "\x1b[31;9m", "\x1b[32m", "\x1b[0m"
#: how pages mark what was and what is, in light and dark; the page of ``gender-fair serve`` has the same
MARKS = """\
del { background: #ffd9d6; color: #8a1410; }
ins { background: #d3f4d6; color: #0b5a1c; text-decoration: none; font-weight: 600; }
"""
MARKS_DARK = """\
del { background: #5c1a17; color: #ffd9d6; } ins { background: #14491f; color: #d3f4d6; }
"""
_STYLE = f"""\
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b;
  background: #fff; }}
table {{ border-collapse: collapse; width: 100%; table-layout: fixed; }}
th {{ text-align: left; }}
th, td {{ padding: .6rem .8rem; border-top: 1px solid #ccc; vertical-align: top; white-space: pre-wrap;
  overflow-wrap: anywhere; }}
tr.where td {{ padding-bottom: 0; color: #666; font-size: .85em; }}
tr.where + tr td {{ border-top: 0; padding-top: .2rem; }}
{MARKS}ul {{ padding-left: 1.2rem; }}
@media (prefers-color-scheme: dark) {{
  body {{ color: #e8e8e8; background: #1b1b1b; }} th, td {{ border-color: #555; }}
  tr.where td {{ color: #aaa; }}
{MARKS_DARK}}}
"""


def use_color(stream: IO[str]) -> bool:
    """Return whether ``stream`` should get colours: a terminal does, unless the environment says otherwise.

    ``NO_COLOR`` (https://no-color.org) switches them off, ``FORCE_COLOR`` on; either counts when set and not empty.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def difference(source: str, rewrite: Rewrite, *, color: bool = False) -> str:
    """Return ``source`` with the edits marked in it.

    Args:
        source: the text before rewriting.
        rewrite: what came out; its edits refer to ``source``.
        color: mark with terminal colours; otherwise as ``[-old-]{+new+}``, the notation of wdiff.
    """
    parts = []
    for edit in _pieces(source, rewrite.edits):
        if isinstance(edit, str):
            parts.append(edit)
        elif color:
            parts += (_colored(edit.before, _RED), _colored(edit.after, _GREEN))
        else:
            parts += (f"[-{edit.before}-]" if edit.before else "", f"{{+{edit.after}+}}" if edit.after else "")
    return "".join(parts)


def count_kinds(rewrites: Iterable[Rewrite]) -> dict[str, int]:
    """Return how many edits of each kind there are, the most frequent first."""
    return dict(Counter(edit.kind for rewrite in rewrites for edit in rewrite.edits).most_common())


def write_html(path: str | Path, rewrites: Iterable[tuple[str, Rewrite]], *, title: str = "Gender-fair rewrite") -> int:
    """Write a page with source and result side by side, the differences marked, and counts per kind of edit.

    The page is one file, loads nothing from elsewhere and runs no script. Rows are written as they come.

    Args:
        path: the page; it appears only when it is complete.
        rewrites: pairs of source text and its rewrite.
        title: heading of the page.

    Returns:
        the number of rows.

    Raises:
        OutputError: the page cannot be written.
    """
    with html_page(path, title=title) as page:
        for source, rewrite in rewrites:
            page.add(source, rewrite)
    return page.rows


@contextmanager
def html_page(path: str | Path, *, title: str = "Gender-fair rewrite") -> Iterator[HtmlPage]:
    """Open a page as :func:`write_html` writes it, to which rows are added one by one; it appears at the end.

    Raises:
        OutputError: the page cannot be written.
    """
    with atomic_write(path) as stream:
        page = HtmlPage(stream)
        stream.write(_head(title).encode("utf-8"))
        yield page
        stream.write(_foot(page.totals, page.counts).encode("utf-8"))


class HtmlPage:
    """A page that grows row by row (see :func:`html_page`)."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.rows = self.changed = 0
        self._totals = ""
        self.counts: Counter[str] = Counter()

    @property
    def totals(self) -> str:
        """The counts as a sentence."""
        return self._totals or _sum(self.counts, self.changed, self.rows)

    def add(self, source: str, rewrite: Rewrite, *, where: str = "") -> None:
        """Write one row: source and result side by side, over them where the text stands."""
        self._stream.write(_row(source, rewrite, where).encode("utf-8", "replace"))
        self.counts.update(edit.kind for edit in rewrite.edits)
        self.rows += 1
        self.changed += bool(rewrite.edits)

    def set_totals(self, *, texts: int, changed: int, counts: Counter[str]) -> None:
        """Let the page tell the counts of a whole of which it shows a part."""
        self._totals = _sum(counts, changed, texts)
        if self.changed < changed:
            self._totals += f"; {self.rows} of the changed texts are shown"
        self.counts = counts


def _sum(counts: Counter[str], changed: int, texts: int) -> str:
    return f"{counts.total()} edits in {changed} of {texts} texts"


def _pieces(source: str, edits: Iterable[Edit]) -> Iterator[str | Edit]:
    """Cut ``source`` into copied text and edits, in order."""
    position = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        yield source[position : edit.start]
        yield edit
        position = edit.end
    yield source[position:]


def _colored(text: str, style: str) -> str:
    return f"{style}{text}{_PLAIN}" if text else ""


def _head(title: str) -> str:
    return (
        f'<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
        "<table>\n<thead><tr><th>Source</th><th>Rewritten</th></tr></thead>\n<tbody>\n"
    )


def _row(source: str, rewrite: Rewrite, where: str) -> str:
    left, right = [], []
    for piece in _pieces(source, rewrite.edits):
        if isinstance(piece, str):
            left.append(escape(piece))
            right.append(escape(piece))
            continue
        reason = escape(f"{piece.kind}: {piece.reason}", quote=True)
        if piece.before:
            left.append(f'<del title="{reason}">{escape(piece.before)}</del>')
        if piece.after:
            right.append(f'<ins title="{reason}">{escape(piece.after)}</ins>')
    place = f'<tr class="where"><td colspan="2">{escape(where)}</td></tr>\n' if where else ""
    return f"{place}<tr><td>{''.join(left)}</td><td>{''.join(right)}</td></tr>\n"


def _foot(summary: str, counts: Counter[str]) -> str:
    kinds = "".join(f"<li>{escape(kind)}: {count}</li>" for kind, count in counts.most_common())
    return f"</tbody>\n</table>\n<h2>{escape(summary)}</h2>\n<ul>{kinds}</ul>\n</body>\n</html>\n"
