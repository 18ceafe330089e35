"""How commands tell what they left out or left as it was."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rewriter.faults import write_traces
from rewriter.records import Reject

#: rejects that are told on standard error
TOLD = 10


def tell_rejects(rejects: Sequence[Reject], what: str, debug: Path | None = None, *, more: str = "") -> None:
    """Name the first rejects on standard error, and the file with the traces of errors.

    Args:
        rejects: of a whole run.
        what: became of them (``left out``).
        debug: where traces go; None takes a temporary file.
        more: where the others can be read, for a message about many.
    """
    for reject in rejects[:TOLD]:
        print(f"gender-fair: {reject.file}:{reject.line}: {what}: {reject.reason}", file=sys.stderr)
    if len(rejects) > TOLD:
        print(f"gender-fair: {len(rejects) - TOLD} more records {what}{more}", file=sys.stderr)
    if traces := write_traces(rejects, debug):
        print(f"gender-fair: the traces of these errors are in {traces}; please report them", file=sys.stderr)
