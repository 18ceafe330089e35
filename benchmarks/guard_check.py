"""Check what the guard and the batches do to a model's answers.

    python benchmarks/guard_check.py wer --sets testsets/en --log docs/measurements.tsv
    python benchmarks/guard_check.py wer --model de --sets testsets/de --tokenizer moses-en --log docs/measurements.tsv
    python benchmarks/guard_check.py stable --json stable.json
    python benchmarks/guard_check.py rejections --model runs/en-small/export/model -o rejections.jsonl

``wer`` scores a model with the guard on and off on every set of a folder, in one run (published sets are for measuring
only: no sentence is printed). ``stable`` takes gated sentences of ``--text`` and prints two shares: sentences to which
batches of 1, 8 and 64 sentences give the same answer, and answers that a second pass leaves alone. ``rejections``
writes a random choice of what the guard refused, one edit of a sentence, for somebody who reads and judges them.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from speed_texts import SEED, default_folder, read_sentences

from rewriter import Rewriter
from rewriter.errors import GenderFairError
from rewriter.language.interface import get_language
from rewriter.model.directory import load_info, resolve

BATCHES = (1, 8, 64)


def score(args: argparse.Namespace) -> int:
    """Score the model with the guard on and off."""
    from eval.suite import SuiteOptions, find_sets, model_entry, score_entries
    from eval.suite_report import append_measurements, text

    entries = []
    for mode in ("strict", "off"):
        rewriter = Rewriter.from_pretrained(args.model, guard=mode, threads=args.threads)
        entries.append(
            model_entry(rewriter, rewriter.info.name if mode == "strict" else f"{rewriter.info.name}-no-guard")
        )
    options = SuiteOptions(lang=language_of(args.model), tokenizer=args.tokenizer)
    result = score_entries(entries, find_sets(args.sets, args.only), options)
    if args.log is not None:
        append_measurements(args.log, result)
    print(text(result, markdown=args.markdown))
    on, off = (result.scores[entry.name] for entry in entries)
    worse = [name for name in result.sets if on[name].wer.score > off[name].wer.score]
    for name in result.sets:
        print(f"{name}: guard on {on[name].wer.score:.4f}, off {off[name].wer.score:.4f}")
    print(f"worse with the guard: {', '.join(worse) or 'none'}")
    return bool(worse)


def stable(args: argparse.Namespace) -> int:
    """Compare batch sizes, and a second pass with the first."""
    sentences = gated(args)
    rewriter = Rewriter.from_pretrained(args.model, threads=args.threads, cache=0)
    answers = {size: in_batches(rewriter, sentences, size) for size in BATCHES}
    agree = [len({answers[size][i] for size in BATCHES}) == 1 for i in range(len(sentences))]
    again = in_batches(rewriter, answers[64], 64)
    same = [once == twice for once, twice in zip(answers[64], again, strict=True)]
    changed = sum(answer != sentence for answer, sentence in zip(answers[64], sentences, strict=True))
    found: dict[str, Any] = {
        "sentences": len(sentences),
        "changed": changed,
        "batches_agree": sum(agree) / len(agree),
        "second_pass_changes_nothing": sum(same) / len(same),
    }
    print(f"{len(sentences):,} gated sentences, {changed:,} of them changed")
    print(
        f"batches of {', '.join(map(str, BATCHES))} agree: {found['batches_agree']:.3%} ({agree.count(False)} differ)"
    )
    print(f"a second pass changes nothing: {found['second_pass_changes_nothing']:.3%} ({same.count(False)} differ)")
    if args.show:
        differing = [i for i, is_same in enumerate(same) if not is_same][: args.show]
        found["second_pass"] = [{"source": sentences[i], "once": answers[64][i], "twice": again[i]} for i in differing]
        print(*(json.dumps(item, ensure_ascii=False) for item in found["second_pass"]), sep="\n")
    if args.json is not None:
        args.json.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return int(found["batches_agree"] < 0.999 or found["second_pass_changes_nothing"] < 0.998)


def in_batches(rewriter: Rewriter, sentences: Sequence[str], size: int) -> list[str]:
    """Rewrite ``size`` sentences at a time."""
    return [text for i in range(0, len(sentences), size) for text in rewriter.rewrite(list(sentences[i : i + size]))]


def rejections(args: argparse.Namespace) -> int:
    """Write a random choice of the refused edits of a model."""
    sentences = gated(args)
    rewriter = Rewriter.from_pretrained(args.model, threads=args.threads)
    results = rewriter.rewrite(sentences, return_edits=True)
    refused = [result for result in results if result.rejected]
    reasons = Counter(item.reason for result in refused for item in result.rejected)
    print(f"{len(sentences):,} sentences, {reasons.total():,} edits refused in {len(refused):,} of them")
    for reason, number in reasons.most_common():
        print(f"{number:>7,}  {reason}")
    rng = random.Random(SEED)
    # one of each sentence: a long sentence that the model garbles would fill the list alone
    chosen = [(rng.choice(r.rejected), r.text) for r in rng.sample(refused, min(args.take, len(refused)))]
    with args.output.open("w", encoding="utf-8") as stream:
        for item, text in chosen:
            record = {**item._asdict(), "result": text, "right": None}
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")
    print(f"wrote {len(chosen)} to {args.output}; set 'right' to true where the guard was right to refuse")
    return 0


def gated(args: argparse.Namespace) -> list[str]:
    """Return different sentences that the gate lets through."""
    lang = language_of(args.model)
    folder = args.text or default_folder(lang)
    found = read_sentences(folder, get_language(lang), most=max(20_000, 8 * args.sentences))
    return list(dict.fromkeys(found.gated))[: args.sentences]


def language_of(model: str) -> str:
    """Return the code of the language of a model."""
    return load_info(resolve(model)).lang


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="CHECK")
    one = commands.add_parser("wer", help="score with the guard on and off")
    one.add_argument("--sets", type=Path, required=True, metavar="DIR", help="folder of sets")
    one.add_argument("--only", action="append", default=[], metavar="SET", help="only this set")
    one.add_argument("--log", type=Path, metavar="FILE", help="append the measurements")
    one.add_argument("--markdown", action="store_true")
    one.add_argument("--tokenizer", metavar="NAME", help="moses-LANG (the literature's for German: moses-en)")
    one.set_defaults(run=score)
    two = commands.add_parser("stable", help="batch sizes agree; a second pass changes nothing")
    two.add_argument("--show", type=int, default=0, metavar="N", help="print N sentences that a second pass changes")
    two.add_argument("--json", type=Path, metavar="FILE")
    two.set_defaults(run=stable)
    three = commands.add_parser("rejections", help="write what the guard refused")
    three.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
    three.add_argument("--take", type=int, default=200, metavar="N", help="how many (default: 200)")
    three.set_defaults(run=rejections)
    for command, sentences in ((one, 0), (two, 10_000), (three, 5_000)):
        command.add_argument("--model", default="en", help="bundled name or model directory (default: en)")
        command.add_argument("--threads", type=int, default=0)
        if sentences:
            command.add_argument(
                "--text", type=Path, help="folder of text in its language (default: GENDER_FAIR_DATA/LANG/train)"
            )
            command.add_argument("--sentences", type=int, default=sentences, help=f"(default: {sentences})")
    return parser.parse_args()


def main() -> int:
    args = arguments()
    try:
        return int(args.run(args))
    except GenderFairError as error:
        print(error, file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
