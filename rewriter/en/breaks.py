"""Line breaks within phrases, as for every language (:mod:`rewriter.text.breaks`)."""

from rewriter.text.breaks import fit_gaps, keep_break

__all__ = ["fit_gaps", "keep_break"]
