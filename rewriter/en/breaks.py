"""Line breaks within phrases, as for every language (:mod:`rewriter.breaks`)."""

from rewriter.breaks import fit_gaps, keep_break

__all__ = ["fit_gaps", "keep_break"]
