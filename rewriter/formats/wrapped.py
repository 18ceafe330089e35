"""Is a plain text hard-wrapped: cut into lines of one width, in the middle of sentences?

Read line by line such a text loses what stands before the cut, so it is read by paragraph. The evidence is the width:
where an editor wrapped a line, the next line's first word had no room behind it.
"""

from __future__ import annotations

import itertools
import re

#: so many pairs of lines cut in mid-sentence at least; fewer are no evidence
_LEAST = 6
#: share of them among pairs of lines, and share of the cut ones that the width explains
_CUT_SHARE, _WIDE_SHARE = 0.3, 0.6
#: a line nearly full: wrapped by hand, or with a word that was replaced later
_NEARLY = 0.85
_NARROWEST, _WIDEST = 30, 200
#: a line that goes on in the next: a letter, a comma or a hyphen ends it, and no small letter begins a sentence
_GOES_ON = re.compile(r"[^\W\d_]\w*[,;’'\"”)-]?$")
#: marks of quoted mail and of comments before a line
_PREFIX = re.compile(r"^[ \t>|*#/]*")


def is_hard_wrapped(text: str) -> bool:
    """Return True if the lines of a text are cut in the middle of sentences at one width.

    Args:
        text: the text, or its beginning with its last line whole.
    """
    pairs = [(first, second) for first, second in _pairs(text) if first and second]
    cut = [(first, second) for first, second in pairs if _GOES_ON.search(first) and second[0].islower()]
    if len(cut) < _LEAST or len(cut) < _CUT_SHARE * len(pairs):
        return False
    lengths = sorted(len(first) for first, _ in pairs)
    width = lengths[int(0.95 * (len(lengths) - 1))]
    if not _NARROWEST <= width <= _WIDEST:
        return False
    full = sum(len(first) + 1 + len(second.split(maxsplit=1)[0]) >= _NEARLY * width for first, second in cut)
    return full >= _WIDE_SHARE * len(cut)


def _pairs(text: str) -> list[tuple[str, str]]:
    """Return neighbouring lines without what stands before their words, and without blank ones."""
    lines = [_PREFIX.sub("", line).rstrip() for line in text.splitlines()]
    return list(itertools.pairwise(lines))
