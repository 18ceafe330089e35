"""What commands tell at a terminal, beside their results."""

from __future__ import annotations

import sys

from rewriter.text.printable import printable


def say(message: object) -> None:
    """Print a message on standard error; control characters, as names of files may hold, are shown as escapes."""
    print(f"gender-fair: {printable(str(message))}", file=sys.stderr)
