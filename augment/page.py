"""Pages of sampled pairs for people to read: differences marked, every pair with its number, origin and form."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from hashlib import blake2b
from pathlib import Path

from rewriter.io.files import write_lines
from rewriter.records import Edit, Pair, Rewrite
from rewriter.report.display import difference, write_html

__all__ = ["sample_pairs", "write_page"]

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def sample_pairs(pairs: Iterable[Pair], size: int, *, seed: int = 1) -> list[Pair]:
    """Return ``size`` pairs chosen at random (by seed and text), in the order in which they came."""
    key = seed.to_bytes(8, "little", signed=True)

    def rank(number: int, pair: Pair) -> tuple[bytes, int]:
        text = f"{number}\n{pair.source}".encode("utf-8", "replace")
        return blake2b(text, digest_size=8, key=key).digest(), number

    chosen = heapq.nsmallest(size, ((*rank(n, pair), pair) for n, pair in enumerate(pairs)), key=lambda row: row[:2])
    return [pair for _, _, pair in sorted(chosen, key=lambda row: row[1])]


def as_rewrite(pair: Pair) -> Rewrite:
    """Return the pair as a rewrite whose edits are the differing words."""
    before, after = _TOKEN.findall(pair.source), _TOKEN.findall(pair.target)
    edits = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            start = len("".join(before[:a]))
            old, new = "".join(before[a:b]), "".join(after[c:d])
            edits.append(Edit(start, start + len(old), old, new, "difference", f"{pair.strategy} {pair.form}"))
    return Rewrite(pair.target, tuple(edits))


def page_lines(pairs: Sequence[Pair], *, color: bool = False) -> list[str]:
    """Return the pairs as text, one each with its head line; doubtful ones say so."""
    lines = []
    for number, pair in enumerate(pairs, 1):
        doubt = ", doubtful: " + "; ".join(pair.source[a:b] for a, b in pair.doubtful) if pair.doubtful else ""
        lines.append(f"[{number}] {pair.strategy}, {pair.form}, {pair.origin}{doubt}")
        lines.append("    " + difference(pair.source, as_rewrite(pair), color=color))
    return lines


def write_page(path: Path, pairs: Sequence[Pair], *, title: str) -> None:
    """Write the pairs to a text file, or to an HTML page by name (``.html``).

    Raises:
        OutputError: it cannot be written.
    """
    if path.suffix in (".html", ".htm"):
        write_html(path, ((pair.source, as_rewrite(pair)) for pair in pairs), title=title)
    else:
        write_lines(path, page_lines(pairs))
