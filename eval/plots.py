"""What all plots share: the formats that can be drawn."""

from __future__ import annotations

from pathlib import Path

from rewriter.errors import UsageError
from rewriter.installation.extras import require

PLOTS = ("png", "svg", "pdf")


def plot_format(path: str | Path) -> str:
    """Return the format that a plot's file name asks for; also says whether plots can be drawn at all.

    Raises:
        UsageError: the ending is none that is known.
        MissingExtraError: matplotlib is not installed.
    """
    ending = Path(path).suffix.lower().lstrip(".")
    if ending not in PLOTS:
        raise UsageError(f"{path}: a plot is a file ending in .{', .'.join(PLOTS)}")
    require("matplotlib", extra="plot")
    return ending
