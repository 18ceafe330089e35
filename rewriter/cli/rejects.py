"""How commands tell what they left out or left as it was."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rewriter.cli.messages import say
from rewriter.faults import write_traces
from rewriter.records import Reject
from rewriter.text.printable import shown_name

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
        say(f"{shown_name(reject.file)}:{reject.line}: {what}: {reject.reason}")
    if len(rejects) > TOLD:
        say(f"{len(rejects) - TOLD} more records {what}{more}")
    if traces := write_traces(rejects, debug):
        say(f"the traces of these errors are in {traces}; please report them")
