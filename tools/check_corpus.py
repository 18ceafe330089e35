"""The check before a release: real text through every way of working on it; no exception, nothing lost.

Every line goes through the default configuration and through one other of its language in turn (``--every``: through
all). Counted are exceptions (there must be none), records that cannot be read, and lines where something that must
always be true was not: as many lines out as in, edits that replay, bytes that stay where nothing was edited. What is
done stands in a journal, so that the same command goes on where it was interrupted.

    GENDER_FAIR_DATA=data python -m tools.check_corpus             about 300,000 lines of each language
    GENDER_FAIR_DATA=data python -m tools.check_corpus --lines 5000
    GENDER_FAIR_DATA=data python -m tools.check_corpus --full --processes 16

Exit code 1 if there was an exception or something was lost.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from eval.tables import Table
from rewriter.errors import GenderFairError, UsageError
from rewriter.io.files import file_digest, write_lines
from rewriter.runs.manifest import fingerprint
from rewriter.runs.processes import WorkerPool
from rewriter.runs.resume import run_in
from tools.corpus_checks import Configuration, Outcome, check, configurations
from tools.corpus_lines import Line, Sample

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("lexicons", "rewriter", "eval", "augment")
JOURNAL = "journal.jsonl"
#: lines that are worked on at a time
BLOCK = 500
#: findings of a kind that are printed; the files beside the journal hold all
SHOWN = 20
KINDS = ("exceptions", "broken", "rejects")


class Item(NamedTuple):
    """A block of lines for one configuration."""

    configuration: Configuration
    block: int
    lines: list[Line]

    def __str__(self) -> str:
        first = self.lines[0]
        return f"{self.configuration}, {first.file} from line {first.number}"

    @property
    def key(self) -> str:
        """What names the item in the journal."""
        return f"{self.configuration} {self.block}"


@dataclass(frozen=True)
class Plan:
    """What goes through what.

    Attributes:
        sample: the lines.
        languages: codes.
        every: every line goes through every configuration.
    """

    sample: Sample
    languages: tuple[str, ...]
    every: bool = False

    def items(self, done: set[str]) -> Iterator[Item]:
        """Yield what is not done, configuration after configuration, so that a process loads each once."""
        for lang in self.languages:
            known = configurations(lang)
            for number, configuration in enumerate(known):
                lines: Iterable[Line] = self.sample.chosen(lang)
                if number and not self.every:
                    lines = islice(lines, number - 1, None, len(known) - 1)
                for block, some in enumerate(_blocks(lines)):
                    if f"{configuration} {block}" not in done:
                        yield Item(configuration, block, some)

    def total(self) -> int:
        """Return about how many lines there are to go through."""
        times = {lang: len(configurations(lang)) if self.every else 2 for lang in self.languages}
        return sum(self.sample.count(lang) * times[lang] for lang in self.languages)

    def identity(self) -> dict[str, object]:
        """Return what the outcome depends on; the code is part of it."""
        code = {
            path.relative_to(ROOT).as_posix(): file_digest(path)
            for folder in (*PACKAGES, "tools")
            for path in sorted((ROOT / folder).rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }
        return {
            "code": fingerprint(code),
            "lines": self.sample.lines,
            "seed": self.sample.seed,
            "languages": list(self.languages),
            "every": self.every,
            "files": {lang: [path.name for path in self.sample.files(lang)] for lang in self.languages},
        }


def _blocks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    waiting = iter(lines)
    while block := list(islice(waiting, BLOCK)):
        yield block


def work(item: Item) -> Outcome:
    """Check one item."""
    return check(item.configuration, item.lines)


def run(plan: Plan, folder: Path, *, processes: int, fresh: bool) -> dict[str, Outcome]:
    """Check what is not done yet; return what became of the lines of every configuration.

    Raises:
        ResumeError: the folder holds another check.
        WorkerError: a process died.
    """
    journal = folder / JOURNAL
    clear = partial(journal.unlink, missing_ok=True)
    with run_in(folder, "check-corpus", plan.identity(), fresh=fresh, clear=clear) as check_run:
        if not check_run.is_continued:
            clear()
        outcomes = {str(one): Outcome() for lang in plan.languages for one in configurations(lang)}
        done = _read_journal(journal, outcomes)
        begun = sum(outcome.lines for outcome in outcomes.values())
        pool = WorkerPool(processes, "check-corpus", ahead=1)
        with (
            journal.open("a", encoding="utf-8") as stream,
            tqdm(total=plan.total(), initial=begun, unit=" lines", mininterval=5, file=sys.stderr) as bar,
        ):
            for item, outcome in pool.map(work, plan.items(done)):
                outcomes[str(item.configuration)].add(outcome)
                stream.write(json.dumps({"key": item.key, "configuration": str(item.configuration), **asdict(outcome)}))
                stream.write("\n")
                stream.flush()
                bar.set_postfix_str(str(item.configuration), refresh=False)
                bar.update(len(item.lines))
    return outcomes


def _read_journal(path: Path, outcomes: dict[str, Outcome]) -> set[str]:
    """Add what the journal says to the outcomes; return the keys of what is done. A torn last line is cut off."""
    done: set[str] = set()
    if not path.exists():
        return done
    whole = [line for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("\n")]
    for line in whole:
        record = json.loads(line)
        done.add(record.pop("key"))
        outcomes[record.pop("configuration")].add(Outcome(**record))
    path.write_text("".join(whole), encoding="utf-8")
    return done


def table(outcomes: dict[str, Outcome]) -> Table:
    """Return the table of all configurations."""
    columns = ["configuration", "lines", "changed", "exceptions", "broken", "rejects", "words/s of a core", "CPU min"]
    return Table(columns, [_row(name, outcome) for name, outcome in [*outcomes.items(), ("all", _sum(outcomes))]])


def _row(name: str, outcome: Outcome) -> list[str]:
    speed = outcome.words / outcome.seconds if outcome.seconds else 0.0
    counts = (outcome.lines, outcome.changed, *(len(getattr(outcome, kind)) for kind in KINDS))
    return [name, *(f"{count:,}" for count in counts), f"{speed:,.0f}", f"{outcome.seconds / 60:.1f}"]


def _sum(outcomes: dict[str, Outcome]) -> Outcome:
    total = Outcome()
    for outcome in outcomes.values():
        total.add(outcome)
    return total


def report(outcomes: dict[str, Outcome], folder: Path) -> int:
    """Print table and findings, write all findings into the folder; return the exit code."""
    print(table(outcomes).plain())
    for kind in KINDS:
        found = [{"configuration": n, **record} for n, outcome in outcomes.items() for record in getattr(outcome, kind)]
        write_lines(folder / f"{kind}.jsonl", (json.dumps(record, ensure_ascii=False) for record in found))
        if found:
            print(f"\n{kind} ({len(found):,}, all in {folder / kind}.jsonl):")
        for record in found[:SHOWN]:
            print(f"  {record['file']}:{record['line']}: {record['configuration']}: {record['reason']}")
    return int(any(outcome.exceptions or outcome.broken for outcome in outcomes.values()))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the check; return 1 if there was an exception or something was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lang", nargs="+", default=["en", "de"], choices=("en", "de"), help="(default: both)")
    parser.add_argument("--lines", type=int, default=300_000, metavar="N", help="of each language (default: 300,000)")
    parser.add_argument("--full", action="store_true", help="all lines")
    parser.add_argument("--every", action="store_true", help="every line through every configuration")
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="worker processes (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default: 1)")
    parser.add_argument("-o", "--output", type=Path, default=Path("artifacts/check-corpus"), metavar="DIR")
    parser.add_argument("--fresh", action="store_true", help="begin anew")
    args = parser.parse_args(arguments)
    try:
        data = os.environ.get("GENDER_FAIR_DATA")
        if not data:
            raise UsageError("set GENDER_FAIR_DATA to the data folder, see docs/use/install.md")
        sample = Sample(Path(data), None if args.full else args.lines, args.seed)
        plan = Plan(sample, tuple(args.lang), args.every)
        how = "every configuration" if args.every else "the default configuration and one other in turn"
        print(f"{'all' if args.full else f'about {args.lines:,}'} lines of {', '.join(args.lang)}, each through {how}")
        return report(run(plan, args.output, processes=args.processes, fresh=args.fresh), args.output)
    except GenderFairError as error:
        print(f"check-corpus: {error}", file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
