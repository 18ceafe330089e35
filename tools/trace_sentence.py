"""Follows one text through the rewriter: which functions of which files it passes, and which types carry it.

    python -m tools.trace_sentence en "She knows her stuff."
    python -m tools.trace_sentence de "Der Lehrer hilft seinen Schülern." --hops
    python -m tools.trace_sentence en "She knows her stuff." --rewriter OTHER_CHECKOUT

The model is loaded and the text rewritten once before anything is counted, so what is counted is the way of a text, not
the loading. With ``--hops`` every function is printed where it is called first, indented by its caller.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

#: packages whose functions count
PACKAGES = ("rewriter", "lexicons", "eval", "augment", "train")


@dataclass
class Trace:
    """What was passed.

    Attributes:
        root: folder that the packages lie in.
        hops: (depth, file, function) of every function, where it is called first; generators and functions within
            expressions (lambdas, comprehensions) belong to what they stand in.
        calls: how often each was called.
        types: classes of ours among what functions got or returned.
    """

    root: Path
    hops: list[tuple[int, str, str]] = field(default_factory=list)
    calls: dict[tuple[str, str], int] = field(default_factory=dict)
    types: set[str] = field(default_factory=set)

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """Note a call or a return; what :func:`sys.setprofile` calls."""
        place = self._place(frame)
        if place is None:
            return
        if event == "call":
            for value in list(frame.f_locals.values()):  # a copy: other threads go on
                self._note_type(value)
            if place not in self.calls:
                self.hops.append((self._depth(frame), *place))
            self.calls[place] = self.calls.get(place, 0) + 1
        elif event == "return":
            self._note_type(argument)

    @property
    def files(self) -> list[str]:
        """The files, in the order in which they were entered."""
        return list(dict.fromkeys(file for _, file, _ in self.hops))

    def _place(self, frame: FrameType) -> tuple[str, str] | None:
        code = frame.f_code
        path = Path(code.co_filename)
        if code.co_name.startswith("<") or not path.is_relative_to(self.root):
            return None
        file = path.relative_to(self.root)
        return (str(file), code.co_qualname) if file.parts[0] in PACKAGES else None

    def _depth(self, frame: FrameType) -> int:
        depth = 0
        caller = frame.f_back
        while caller is not None:
            depth += self._place(caller) is not None
            caller = caller.f_back
        return depth

    def _note_type(self, value: Any) -> None:
        kind = type(value)
        if kind.__module__.partition(".")[0] in PACKAGES:
            self.types.add(f"{kind.__module__}.{kind.__qualname__}")


def trace(rewriter: Any, text: str, root: Path) -> Trace:
    """Return the way of a text through a rewriter that has rewritten it before.

    Args:
        rewriter: a :class:`rewriter.pipeline.Rewriter`.
        text: the text.
        root: folder that the packages lie in.
    """
    rewriter.rewrite(text)
    rewriter.forget()
    found = Trace(root)
    threading.setprofile(found)
    sys.setprofile(found)
    try:
        rewriter.rewrite(text, return_edits=True)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return found


def _printed(found: Trace, *, hops: bool) -> Iterator[str]:
    if hops:
        for depth, file, function in found.hops:
            yield f"{'  ' * depth}{function}  {file}"
    yield f"{len(found.calls)} functions, {len(found.files)} files, {len(found.types)} types"


def main() -> int:
    """Print the way of a text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="bundled name or model directory")
    parser.add_argument("text")
    parser.add_argument("--hops", action="store_true", help="print every function")
    parser.add_argument("--rewriter", type=Path, metavar="DIR", help="checkout whose rewriter is traced")
    args = parser.parse_args()
    root = (args.rewriter or Path(__file__).resolve().parents[1]).resolve()
    sys.path.insert(0, str(root))
    from rewriter import Rewriter

    found = trace(Rewriter.from_pretrained(args.model, threads=1), args.text, root)
    print("\n".join(_printed(found, hops=args.hops)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
