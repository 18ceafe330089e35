"""Random and damaged input for long: every exception that is no error for people, and every broken promise, is a find.

    python -m tools.fuzz german --minutes 20
    python -m tools.fuzz all --minutes 1 --seed 7
    python -m tools.fuzz --list

Minutes are those of the processor. What is found is made as small as it can be and written to ``tests/data/fuzz``,
where a test tries it ever after; what is found at a place where something was found already counts once.
Exit code 1 if something was found.
"""

from __future__ import annotations

import argparse
import resource
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from types import FrameType

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed

from tools.fuzzing import formats, language, loading
from tools.fuzzing.target import Case, Target, read_case, write_case

ROOT = Path(__file__).resolve().parents[1]
FINDS = ROOT / "tests" / "data" / "fuzz"
#: where the case that is being tried stands, for targets that may end the process
RUNNING = ROOT / "artifacts" / "fuzz"
TARGETS = {target.name: target for part in (formats, loading, language) for target in part.TARGETS}
#: cases of a round; each round begins with another seed
ROUND = 500
#: seconds of the processor after which a case, some kilobytes at most, has hung
HANGS = 20
#: bytes of address space, so that a damaged file that asks for more is told so and not the machine
MEMORY = 16 << 30


class HungError(Exception):
    """A case takes longer than any small input should."""


@dataclass(frozen=True)
class Find:
    """A case that shows a fault.

    Attributes:
        case: as small as it could be made.
        why: type, message and place of what was raised.
        trace: the whole trace.
    """

    case: Case
    why: str
    trace: str


@dataclass
class Outcome:
    """What came of fuzzing a target: cases tried, seconds of the processor, finds by their places."""

    cases: int = 0
    seconds: float = 0.0
    finds: dict[str, Find] = field(default_factory=dict)


class _Round:
    """One call of hypothesis: tries cases until one fails, and makes that one small."""

    def __init__(self, target: Target, end: float, known: set[str], running: Path | None) -> None:
        self._target, self._end, self._known, self._running = target, end, known, running
        self.cases = 0
        self.place, self.find = "", None

    find: Find | None

    def run(self, number: int) -> None:
        """Try the cases that a seed gives."""
        quiet = settings(
            max_examples=ROUND,
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
            print_blob=False,
        )
        try:
            with_seed(number)(quiet(given(self._target.cases())(self._try)))()
        except BaseException:
            if self.find is None:
                raise

    def _try(self, case: Case) -> None:
        if self.find is None and process_time() > self._end:
            return
        self.cases += 1
        if self._running is not None:
            write_case(self._running, "running", case, "the process ended in this case")
        try:
            with _limited():
                self._target.check(case)
        except Exception as error:
            place = place_of(error)
            if place in self._known:
                return
            self.place = place
            self.find = Find(case, f"{type(error).__name__}: {error}"[:300] + f" ({place})", traceback.format_exc())
            raise
        finally:
            if self._running is not None:
                _forget_running(self._running)


@contextmanager
def _limited() -> Iterator[None]:
    """Raise :class:`HungError` in a case that takes too long."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise HungError(f"more than {HANGS} seconds of the processor")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, HANGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def place_of(error: BaseException) -> str:
    """Return type and innermost place in this repository of an error: what is raised there is one find."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(ROOT)]
    ours = [frame for frame in frames if "fuzz" not in Path(frame.filename).parts[-2:][0]] or frames
    if isinstance(error, AssertionError):  # a promise of the target
        ours = frames
    last = ours[-1] if ours else None
    place = "" if last is None else f" at {Path(last.filename).relative_to(ROOT).as_posix()}:{last.lineno}"
    return f"{type(error).__name__}{place}"


def fuzz(target: Target, seconds: float, *, seed: int = 0, running: Path | None = None) -> Outcome:
    """Give a target random cases.

    Args:
        target: what is tried.
        seconds: of the processor.
        seed: of the first round; later ones count on.
        running: folder for the case that is being tried, for targets that may end the process.
    """
    outcome, start = Outcome(), process_time()
    number = seed
    while process_time() - start < seconds:
        round_ = _Round(target, start + seconds, set(outcome.finds), running if target.native else None)
        round_.run(number)
        outcome.cases += round_.cases
        if round_.find is not None:
            outcome.finds[round_.place] = round_.find
        number += 1
    outcome.seconds = process_time() - start
    return outcome


def corpus(name: str) -> list[Path]:
    """Return the files of the finds of a target."""
    return sorted((FINDS / name).glob("*.json"))


def _running_file(folder: Path) -> list[Path]:
    return sorted((folder / "running").glob("*.json"))


def _forget_running(folder: Path) -> None:
    for path in _running_file(folder):
        path.unlink(missing_ok=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz; return 1 if something was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="?", default="all", choices=("all", *TARGETS), help="(default: all, in turn)")
    parser.add_argument("--minutes", type=float, default=1.0, help="of the processor, for each target (default: 1)")
    parser.add_argument("--seed", type=int, default=0, help="of the first round (default: 0)")
    parser.add_argument("--finds", type=Path, default=FINDS, metavar="DIR", help="where finds are written")
    parser.add_argument("--list", action="store_true", help="list the targets")
    args = parser.parse_args(arguments)
    if args.list:
        print(*TARGETS, sep="\n")
        return 0
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    found = 0
    for name in TARGETS if args.target == "all" else (args.target,):
        found += _fuzz_one(TARGETS[name], args)
    return int(found > 0)


def _fuzz_one(target: Target, args: argparse.Namespace) -> int:
    """Fuzz a target, print what came of it, write the finds; return how many there are."""
    running = RUNNING / target.name
    for path in _running_file(running):
        kept = write_case(args.finds, target.name, read_case(path), "the process ended")
        print(f"{target.name}: an earlier process ended in this case: {kept}")
    outcome = fuzz(target, 60 * args.minutes, seed=args.seed, running=running)
    print(
        f"{target.name}: {outcome.cases:,} cases in {outcome.seconds / 60:.1f} min, {len(outcome.finds)} finds",
        flush=True,
    )
    for find in outcome.finds.values():
        path = write_case(args.finds, target.name, find.case, find.why)
        print(f"  {find.why}\n    {path}\n{find.trace}", flush=True)
    return len(outcome.finds)


if __name__ == "__main__":
    sys.exit(main())
