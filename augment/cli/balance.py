"""``gender-fair balance``: count, select, paths."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from augment.cli.options import processes
from rewriter.cli.messages import say
from rewriter.cli.parsers import add_command, seed
from rewriter.formats.base import FormatName, UnitName

if TYPE_CHECKING:
    from augment.balance.corpus_count import RayCluster
    from rewriter.formats import FormatOptions

DESCRIPTION = """\
Balance a corpus (Becker 2022): count how often each term (a profession) is spoken of with each category (male, female),
then add or remove paragraphs until the target ratio is met.

examples:
  gender-fair balance count corpus.txt.zst -o counts --metadata professions
  gender-fair balance select counts -o balanced --mode add
  gender-fair balance select counts -o less --mode remove --ratio 1:2 --threshold 0.9
  gender-fair balance paths corpus.txt -o paths.tsv --metadata professions --parser en_core_web_sm
"""

COUNT = """\
Count, paragraph by paragraph (a record of the input: a line of text, an object of JSON lines, a row of Parquet), how
often each term occurs with each category. Counts go to OUTPUT/counts.jsonl.zst, the sums are printed.

examples:
  gender-fair balance count corpus.txt.zst -o counts
  gender-fair balance count books/ -o counts --unit paragraph --metadata professions_synonyms --plurals
  gender-fair balance count korpus.jsonl -o zahlen --column body --lang de --metadata professions
  gender-fair balance count corpus.txt -o counts --metadata my.json --method dependency --parser en_core_web_sm
  gender-fair balance count corpus/ -o counts --engine ray --ray-address auto
"""

SELECT = """\
Choose paragraphs to add or to remove, write the new corpus and a report (JSON, HTML) beside it.

methods:
  joint         (default) keeps the sums of all terms current, goes over the terms until no step helps
  as-published  one pass, from the sums of the beginning; terms interfere, and the report says how much

examples:
  gender-fair balance select counts -o balanced
  gender-fair balance select counts -o less --mode remove --threshold 0.9
  gender-fair balance select counts -o as-thesis --method as-published --order random
  gender-fair balance select counts -o check --dry-run --json
"""

VECTORS = """\
Train word vectors on a corpus (weighed co-occurrences, positive mutual information, singular value decomposition), in
the text format of word2vec, for 'balance count --method similarity'. Without --vectors that command trains them itself.

examples:
  gender-fair balance vectors corpus.txt.zst -o vectors
  gender-fair balance count corpus.txt.zst -o counts --method similarity --vectors vectors/vectors.txt.zst
"""

PATHS = """\
List the dependency paths between identifiers and neutral words, the most frequent first, with examples: the raw
material of allowed_depend. Run again over more text, the list keeps its labels; --label asks for them one by one (y,
n, empty to skip, q to stop) and saves after each; --into writes metadata with the paths labelled y.

examples:
  gender-fair balance paths corpus.txt -o paths.tsv --metadata professions --parser en_core_web_sm
  gender-fair balance paths --label -o paths.tsv
  gender-fair balance paths --into my.json -o paths.tsv --metadata professions --scheme clear
"""


DRAW = """\
Draw sentences in which a word of a category (she) and a term (nurse) stand, so many of each term and category, for
labelling by hand: y (she is the nurse), n (someone else), - (either will do). With the labels, 'balance score' says how
often who is counted is meant.

examples:
  gender-fair balance draw corpus.txt -o relations.tsv --metadata professions --each 4
"""

SCORE = """\
Compare the methods of counting with labels by hand: precision, recall, F1 and accuracy of each (Becker 2022, table 7),
and for each term how much of what one of them counts is meant. Dependency paths need a parser, similarity vectors.

examples:
  gender-fair balance score relations.tsv --metadata professions
  gender-fair balance score relations.tsv --metadata professions_paths --parser en_core_web_sm --terms dependency
  gender-fair balance score relations.tsv --vectors vectors.txt.zst --similarity 0.7 0.75 0.8
"""


def register(subparsers: Any) -> None:
    """Add the command ``balance``."""
    parser = add_command(subparsers, "balance", "count terms by gender and balance a corpus", DESCRIPTION)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_count(add_command(commands, "count", "count terms with each category", COUNT))
    _add_select(add_command(commands, "select", "add or remove paragraphs", SELECT))
    _add_vectors(add_command(commands, "vectors", "train word vectors for counting by similarity", VECTORS))
    _add_draw(add_command(commands, "draw", "draw who stands beside which term, for labelling", DRAW))
    _add_score(add_command(commands, "score", "methods of counting against labels by hand", SCORE))
    _add_paths(add_command(commands, "paths", "list dependency paths for labelling", PATHS))


def _add_reading(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--metadata", default="professions", metavar="NAME|FILE", help="shipped metadata or a JSON file (%(default)s)"
    )
    parser.add_argument("--lang", default="en", help="language of shipped metadata and of sentences (%(default)s)")
    parser.add_argument("--names", action="store_true", help="given names tell the gender too (English, by table)")
    parser.add_argument(
        "--name-words", action="store_true", help="with --names: also those that are words or months, too (Mark, May)"
    )
    parser.add_argument("--plurals", action="store_true", help="English plurals of the terms count too")
    parser.add_argument("--hyphens", action="store_true", help="a hyphen may stand for a space, and a space for one")
    parser.add_argument(
        "--exact-case", action="store_true", help="words count only as they are written in the metadata"
    )
    parser.add_argument("--parser", default="", metavar="NAME|DIR", help="spaCy pipeline")
    _add_format(parser)


def _add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("auto", *get_args(FormatName)), default="auto", help="of the input")
    parser.add_argument("--unit", choices=get_args(UnitName), default="auto", help="of plain text: line, paragraph")
    parser.add_argument("--column", action="append", metavar="NAME", help="text column (default: text; repeatable)")


def _add_count(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="files, folders or patterns")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="folder for the counts")
    _add_reading(parser)
    parser.add_argument(
        "--method", choices=("word-existing", "dependency", "similarity"), default="word-existing", help="(%(default)s)"
    )
    parser.add_argument(
        "--context", choices=("paragraph", "sentence", "two-sentences"), default="sentence", help="(%(default)s)"
    )
    parser.add_argument("--vectors", default="", metavar="FILE", help="of the method similarity; default: trained here")
    parser.add_argument("--similarity", type=float, default=0.8, metavar="SHARE", help="threshold of that method (0.8)")
    parser.add_argument("--processes", type=processes, help="worker processes (1), or actors (all cores)")
    parser.add_argument("--engine", choices=("local", "ray"), default="local", help="this machine, or a Ray cluster")
    parser.add_argument("--ray-address", metavar="HOST:PORT", help="of the cluster; default: found, or begun here")
    parser.add_argument("--fresh", action="store_true", help="begin anew where another run's result stands")
    parser.add_argument("--json", action="store_true", help="print the sums as JSON")
    parser.set_defaults(run=run_count)


def _add_vectors(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="files, folders or patterns")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="folder for vectors.txt.zst")
    parser.add_argument("--size", type=processes, default=100, metavar="N", help="of a vector (%(default)s)")
    parser.add_argument("--window", type=processes, default=5, metavar="N", help="words to each side (%(default)s)")
    parser.add_argument("--vocabulary", type=processes, default=30_000, metavar="N", help="most words (%(default)s)")
    parser.add_argument(
        "--min-count", type=processes, default=5, metavar="N", help="rarer words get none (%(default)s)"
    )
    _add_format(parser)
    parser.add_argument("--fresh", action="store_true", help="begin anew where other vectors stand")
    parser.set_defaults(run=run_vectors)


def _add_select(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("counts", metavar="COUNTS", help="folder that 'balance count' wrote")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="folder for the new corpus and the report")
    parser.add_argument(
        "--preset",
        choices=("becker-2022",),
        help="the best setting of Becker 2022: --mode add --order random --method as-published",
    )
    parser.add_argument("--mode", choices=("add", "remove"), default="add", help="(%(default)s)")
    parser.add_argument("--order", choices=("prioritised", "random"), default="prioritised", help="(%(default)s)")
    parser.add_argument("--no-zeros-first", action="store_true", help="do not prefer paragraphs of one category only")
    parser.add_argument("--ratio", default="balanced", metavar="N:M", help="one part per category (%(default)s)")
    parser.add_argument("--threshold", type=float, default=0.95, metavar="SHARE", help="(%(default)s)")
    parser.add_argument("--method", choices=("joint", "as-published"), default="joint", help="(%(default)s)")
    parser.add_argument("--copies", type=int, default=100, metavar="N", help="most copies of a paragraph (%(default)s)")
    parser.add_argument("--seed", type=seed, default=1, help="random seed (%(default)s)")
    parser.add_argument(
        "--labelled", metavar="TSV", help="table of 'balance draw' with labels: how much of each term's counts is meant"
    )
    parser.add_argument("--dry-run", action="store_true", help="write the report only")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(run=run_select)


def _add_paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="*", metavar="INPUT", help="files, folders or patterns")
    parser.add_argument("-o", "--output", required=True, metavar="TSV", help="the list")
    _add_reading(parser)
    parser.add_argument("--limit", type=processes, metavar="N", help="most sentences that are parsed")
    parser.add_argument("--label", action="store_true", help="ask for the labels of the list")
    parser.add_argument("--into", metavar="JSON", help="write metadata with the paths labelled y")
    parser.add_argument(
        "--scheme", default="", metavar="NAME", help="label scheme of the list, for --into without --parser"
    )
    parser.set_defaults(run=run_paths)


def _add_draw(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="files, folders or patterns")
    parser.add_argument("-o", "--output", required=True, metavar="TSV", help="the table")
    _add_reading(parser)
    parser.add_argument("--each", type=processes, default=4, metavar="N", help="of a term and category (%(default)s)")
    parser.add_argument("--seed", type=seed, default=1, help="random seed (%(default)s)")
    parser.set_defaults(run=run_draw)


def _add_score(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("labelled", metavar="TSV", help="table of 'balance draw' with its labels")
    _add_reading(parser)
    parser.add_argument("--vectors", default="", metavar="FILE", help="word vectors, for the method similarity")
    parser.add_argument(
        "--similarity", type=float, nargs="+", default=[0.8], metavar="SHARE", help="thresholds of that method (0.8)"
    )
    parser.add_argument(
        "--terms", default="word-existing", metavar="METHOD", help="the method whose terms are shown (%(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.set_defaults(run=run_score)


def run_draw(args: argparse.Namespace) -> int:
    """Draw relations for labelling."""
    from augment.balance.count import Counter
    from augment.balance.reading import Corpus
    from augment.balance.relations import draw_relations, find_relations, write_relations

    run = _count_run(args)
    counter = Counter(run.metadata, run.count)
    corpus = Corpus.find(run.inputs, run.format)
    sentences = (s for piece in corpus.pieces() for s in counter.sentences(corpus.texts(piece)[1]))
    drawn = draw_relations(find_relations(sentences, counter.forms, run.metadata), args.each, args.seed)
    write_relations(args.output, drawn)
    print(f"{args.output}: {len(drawn)} relations of {len({one.term for one in drawn})} terms", file=sys.stderr)
    return 0


def run_score(args: argparse.Namespace) -> int:
    """Compare methods with labels."""
    from augment.balance.relations import method_table, read_relations, term_table
    from rewriter.errors import UsageError

    relations = read_relations(args.labelled)
    judged = _judged(args, relations)
    if args.terms not in judged:
        raise UsageError(f"there is no method '{args.terms}' among these: {', '.join(judged)}")
    tables = method_table(relations, judged), term_table(relations, judged[args.terms])
    if args.json:
        print(json.dumps([[dict(zip(table.columns, row, strict=True)) for row in table.rows] for table in tables]))
        return 0
    print(f"{tables[0].plain()}\n\n{args.terms}, by term\n{tables[1].plain()}")
    return 0


def _judged(args: argparse.Namespace, relations: Any) -> dict[str, list[bool]]:
    """Return what the methods that were asked for count."""
    from augment.balance.forms import Forms, Variants
    from augment.balance.judge import ByDependency, BySimilarity, PathFinder, read_vectors
    from augment.balance.metadata import load_metadata
    from augment.balance.relations import judge_relations
    from augment.dependency import load_parser

    metadata = load_metadata(args.metadata, lang=args.lang)
    forms = Forms(metadata, Variants(args.plurals, args.hyphens, args.exact_case))
    similar, finder = {}, None
    if args.vectors:
        vectors = read_vectors(args.vectors)
        similar = {share: BySimilarity(vectors, forms, metadata, share) for share in args.similarity}
    if args.parser:
        finder = PathFinder(load_parser(args.parser), forms)
        ByDependency(finder, metadata)  # it refuses metadata without paths, or with those of another scheme
    return judge_relations(relations, metadata, finder=finder, similar=similar)


def _count_run(args: argparse.Namespace) -> Any:
    from augment.balance.count import CountOptions
    from augment.balance.forms import Variants
    from augment.balance.metadata import load_metadata
    from augment.balance.run import CountRun
    from rewriter.formats import FormatOptions

    reading = FormatOptions(format=args.format, unit=args.unit, columns=tuple(args.column or ["text"]))
    vectors = getattr(args, "vectors", "")
    if getattr(args, "method", "") == "similarity" and not vectors:
        vectors = str(_vectors(args, reading, Path(args.output) / "vectors"))
    options = CountOptions(
        method=getattr(args, "method", "word-existing"),
        context=getattr(args, "context", "sentence"),
        lang=args.lang,
        names=args.names,
        name_words=args.name_words,
        variants=Variants(args.plurals, args.hyphens, args.exact_case),
        parser=args.parser,
        vectors=vectors,
        threshold=getattr(args, "similarity", 0.8),
    )
    metadata = load_metadata(args.metadata, lang=args.lang)
    ray = _ray_of(args)
    return CountRun(args.inputs, metadata, options, reading, getattr(args, "processes", 1) or (0 if ray else 1), ray)


def _vectors(args: argparse.Namespace, reading: FormatOptions, folder: Path) -> Path:
    """Return the file of word vectors of the inputs, trained unless they stand in the folder."""
    from augment.balance.reading import Corpus
    from augment.balance.vectors import VectorOptions, vectors_into

    values = {key: getattr(args, key) for key in ("size", "window", "vocabulary", "min_count") if hasattr(args, key)}
    return vectors_into(Corpus.find(args.inputs, reading), folder, VectorOptions(**values), fresh=args.fresh)


def run_vectors(args: argparse.Namespace) -> int:
    """Train word vectors and print where they are."""
    from rewriter.formats import FormatOptions

    reading = FormatOptions(format=args.format, unit=args.unit, columns=tuple(args.column or ["text"]))
    print(_vectors(args, reading, Path(args.output)))
    return 0


def _ray_of(args: argparse.Namespace) -> RayCluster | None:
    """Return the cluster that the options of ``balance count`` ask for."""
    from augment.balance.corpus_count import RayCluster
    from rewriter.corpus.ray_engine import check_engine

    engine, address = getattr(args, "engine", "local"), getattr(args, "ray_address", None)
    check_engine(engine, address)
    return RayCluster(address) if engine == "ray" else None


def run_count(args: argparse.Namespace) -> int:
    """Count and print the sums."""
    from augment.balance.report import count_table
    from augment.balance.run import count_into

    run = _count_run(args)
    statistics = count_into(run, args.output, fresh=args.fresh)
    if args.json:
        sums = dict(zip(statistics.terms, statistics.totals().tolist(), strict=True))
        print(json.dumps({"categories": statistics.categories, "paragraphs": len(statistics), "terms": sums}))
        return _tell_rejects(Path(args.output))
    print(count_table(statistics).plain())
    for word, terms in run.metadata.shared_words().items():
        print(f"note: '{word}' stands in {len(terms)} terms and counts for each: {', '.join(terms)}", file=sys.stderr)
    if run.metadata.targets_known:
        print("note: targets known: these are the professions of BEC-Pro, by which bias is measured", file=sys.stderr)
    return _tell_rejects(Path(args.output))


def _tell_rejects(folder: Path) -> int:
    """Say how many paragraphs could not be counted; return the exit code."""
    from rewriter.runs.manifest import Manifest
    from rewriter.runs.shards import REJECTS

    manifest = Manifest.load(folder)
    rejected = manifest.counts.get("rejected", 0) if manifest is not None else 0
    if rejected:
        say(f"{rejected} paragraphs were not counted, see {folder / REJECTS}")
    return 3 if rejected else 0


def run_select(args: argparse.Namespace) -> int:
    """Select, write and report."""
    from augment.balance.report import describe, summary
    from augment.balance.run import select_into
    from augment.balance.select import SelectOptions

    if args.preset:
        args.mode, args.order, args.method = "add", "random", "as-published"
    options = SelectOptions(
        mode=args.mode,
        order=args.order,
        zeros_first=not args.no_zeros_first,
        method=args.method,
        copies=args.copies,
        seed=args.seed,
    )
    meant = _meant(args.labelled) if args.labelled else None
    plan = select_into(args.counts, args.output, args.ratio, args.threshold, options, dry=args.dry_run)
    rows = [] if meant is None else [dict(zip(meant.columns, row, strict=True)) for row in meant.rows]
    if args.json:
        print(json.dumps(summary(plan) | ({"meant": rows} if rows else {}), ensure_ascii=False))
    else:
        print(describe(plan) if meant is None else f"{describe(plan)}\n\nmeant, of labelled counts\n{meant.plain()}")
    return 0


def _meant(path: str) -> Any:
    """Return for each term how much of what the method word-existing counts is meant, by labels."""
    from augment.balance.relations import read_relations, term_table

    relations = read_relations(path)
    return term_table(relations, [True] * len(relations))


def run_paths(args: argparse.Namespace) -> int:
    """List paths, ask for labels, write metadata."""
    from augment.balance.metadata import load_metadata
    from augment.balance.paths import label_rows, read_rows, write_metadata
    from rewriter.errors import UsageError

    if not args.inputs and not args.label and not args.into:
        raise UsageError("name the text in which paths are to be found, or pass --label or --into")
    scheme = _list_paths(args) if args.inputs else args.scheme
    if args.label:
        print(f"{label_rows(args.output, _ask)} labelled", file=sys.stderr)
    if args.into:
        from augment.dependency import SCHEMES

        SCHEMES.get(scheme)
        metadata = load_metadata(args.metadata, lang=args.lang)
        number = write_metadata(args.into, metadata, read_rows(args.output), scheme)
        print(f"{args.into}: {number} allowed paths", file=sys.stderr)
    return 0


def _list_paths(args: argparse.Namespace) -> str:
    """Write the list; return the pipeline's label scheme."""
    from itertools import islice

    from augment.balance.count import Counter
    from augment.balance.judge import PathFinder
    from augment.balance.paths import collect_paths, keep_labels, read_rows, write_rows
    from augment.balance.reading import Corpus
    from augment.dependency import load_parser
    from rewriter.errors import UsageError

    if not args.parser:
        raise UsageError("pass --parser with the name of a spaCy pipeline or its folder")
    run = _count_run(args)
    parser = load_parser(args.parser)
    counter = Counter(run.metadata, run.count)
    corpus = Corpus.find(run.inputs, run.format)
    sentences = (s for piece in corpus.pieces() for s in counter.sentences(corpus.texts(piece)[1]))
    rows = collect_paths(PathFinder(parser, counter.forms, counter.names), islice(sentences, args.limit))
    old = read_rows(args.output) if Path(args.output).exists() else []
    write_rows(args.output, keep_labels(rows, old))
    print(f"{args.output}: {len(rows)} different paths, {sum(row.count for row in rows)} in all", file=sys.stderr)
    return parser.scheme


def _ask(row: Any, share: str) -> str:
    print(f"\n{', '.join(row.path)}   ({row.count} times; {share} of all labelled)")
    for example in row.examples:
        print(f"  {example}")
    try:
        return input("related? [y/n/empty/q] ")
    except EOFError:
        return "q"
