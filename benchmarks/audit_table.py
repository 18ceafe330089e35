"""Audit one corpus before and after each way of changing it; prints the table of ``docs/results/audit.md``.

    python benchmarks/audit_table.py a.txt.zst b.txt.zst --lines 10000
    python benchmarks/audit_table.py a.txt --model bert-base-cased     # adds mitigation with a masked language model

The first lines of each file are the corpus, a line a document. It is measured as it is, rewritten by the bundled
model, with genders swapped, balanced by professions, and mitigated; GenBiT and the universal bias filter see the same
lines each time. What is made lies in --work.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from augment.mitigate import MitigateConfig, mitigate_files
from augment.mitigate.files import MERGED
from eval.bias_filter import Assessment, GroupCounts, GroupMatcher, assess, read_groups
from eval.bias_filter.corpus import count_file
from eval.genbit.compare import UNITS, compare
from eval.genbit.counter import CooccurrenceCounter
from eval.genbit.counts import Counts
from eval.genbit.lexicon import FEMALE, GROUPS, MALE, NON_BINARY, Lexicon
from eval.tables import Table
from rewriter.io.files import read_lines, write_lines

LANG = "en"


@dataclass(frozen=True)
class Row:
    """A way of changing the corpus, and its file."""

    name: str
    path: Path
    #: whether line N is line N of the corpus, so that the same documents are drawn from both
    paired: bool


def make_corpus(files: Sequence[Path], lines: int, path: Path) -> Path:
    """Write the first lines that are not blank of every file."""

    def chosen() -> Iterator[str]:
        for file in files:
            yield from islice((line for line in read_lines(file) if line.strip()), lines)

    print(f"{path}: {write_lines(path, chosen()):,} lines", file=sys.stderr)
    return path


def gender_fair(*arguments: str) -> None:
    """Run a command of the toolkit; standard output is for the table."""
    subprocess.run([sys.executable, "-m", "rewriter", *arguments], check=True, stdout=sys.stderr)


def rewritten(corpus: Path, work: Path) -> Path:
    """Rewrite by the bundled model."""
    output = work / "rewritten.txt"
    if not output.exists():
        gender_fair("rewrite", str(corpus), "-o", str(output), "--lang", LANG)
    return output


def swapped(corpus: Path, work: Path, strategy: str) -> Path:
    """Swap genders: ``cds`` in about half of the documents, ``cda`` in a copy of each document that changes."""
    output = work / f"{strategy}.txt"
    if not output.exists():
        gender_fair("augment", "swap", str(corpus), "-o", str(output), "--strategy", strategy, "--lang", LANG)
    return output


def balanced(corpus: Path, work: Path, mode: str) -> Path:
    """Add or remove documents until professions are met by both genders alike."""
    counts, output = work / "balance-counts", work / f"balanced-{mode}"
    if not (output / corpus.name).exists():
        gender_fair(
            "balance", "count", str(corpus), "--metadata", "professions_other", "-o", str(counts), "--lang", LANG
        )
        gender_fair("balance", "select", str(counts), "-o", str(output), "--mode", mode)
    return output / corpus.name


def mitigated(corpus: Path, folder: Path, model: str) -> Path:
    """Close the gap by made texts; the word list is that of the bias filter."""
    config = MitigateConfig([str(corpus)], lang=LANG, category="gender", model=model, merge="spread")
    manifest = mitigate_files(config, output=folder)
    print(f"{folder}: {json.dumps(manifest.counts)}", file=sys.stderr)
    return folder / MERGED


def variants(corpus: Path, work: Path, model: str) -> Iterable[Row]:
    yield Row("as it is", corpus, True)
    yield Row("rewritten", rewritten(corpus, work), True)
    yield Row("swapped by a coin (CDS)", swapped(corpus, work, "cds"), True)
    yield Row("with counterfactuals (CDA)", swapped(corpus, work, "cda"), False)
    yield Row("balanced by professions: added", balanced(corpus, work, "add"), False)
    yield Row("balanced by professions: removed", balanced(corpus, work, "remove"), False)
    yield Row("mitigated: over-sampling, shuffling", mitigated(corpus, work / "mitigated", ""), False)
    yield Row("rewritten, then mitigated likewise", mitigated(work / "rewritten.txt", work / "both", ""), False)
    if model:
        name = "mitigated: over-sampling, shuffling, masked LM"
        yield Row(name, mitigated(corpus, work / "mitigated-lm", model), False)


def genbit_counts(path: Path, lexicon: Lexicon) -> Counts:
    counter = CooccurrenceCounter(lexicon, 30, units=UNITS)
    counter.add_texts(line for line in read_lines(path) if line.strip())
    return counter.counts()


def genbit_cells(row: Row, before: Counts, lexicon: Lexicon) -> list[str]:
    """Return the score with its difference to the corpus as it is, and the shares of gender definition words."""
    compared = compare(before, genbit_counts(row.path, lexicon), lexicon, paired=row.paired)
    totals = dict(zip(GROUPS, compared.after.matrix.totals.tolist(), strict=True))
    named = sum(totals[group] for group in (FEMALE, MALE, NON_BINARY))
    shares = " / ".join(f"{100 * totals[group] / named:.1f}" for group in (FEMALE, MALE, NON_BINARY))
    difference = f"{compared.difference:+.3f} ({compared.interval.low:+.3f} to {compared.interval.high:+.3f})"
    return [f"{compared.after.score:.3f}", "" if compared.after.score == compared.before.score else difference, shares]


def filter_result(path: Path) -> Assessment:
    counts: GroupCounts = count_file(GroupMatcher(read_groups(LANG)), path)
    return assess(counts, majority="male", minorities=["female"])


def filter_cells(result: Assessment) -> list[str]:
    """Return documents per class, and the share of the minority with its interval."""
    share = result.verdicts[0].share
    numbers = " / ".join(f"{share.count:,}" for share in result.shares.values())
    return [numbers, f"{share.percent:.1f} ({share.interval.low:.1f} to {share.interval.high:.1f})"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--lines", type=int, default=10_000, help="of each file (default: %(default)s)")
    parser.add_argument("--model", default="", help="masked language model for a further row")
    parser.add_argument("--work", type=Path, default=Path("artifacts/audit"), help="folder for what is made")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    lexicon = Lexicon.shipped(LANG)
    corpus = make_corpus(args.files, args.lines, args.work / "corpus.txt")
    before = genbit_counts(corpus, lexicon)
    rows, signature = [], ""
    for row in variants(corpus, args.work, args.model):
        start = time.perf_counter()
        result = filter_result(row.path)
        signature = signature or result.signature
        rows.append([row.name, *genbit_cells(row, before, lexicon), *filter_cells(result)])
        print(f"{row.name}: audited in {time.perf_counter() - start:.1f} s", file=sys.stderr)
    columns = ["corpus", "GenBiT", "difference", "words f / m / nb, %", "f / m / mixed / neutral", "f of f and m, %"]
    print(Table(columns, rows).markdown())
    print(f"\n{compare(before, before, lexicon).before.signature}\n{signature}")


if __name__ == "__main__":
    main()
