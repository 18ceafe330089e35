"""Measure what must stay: texts without gendered words, and traps that hold them, through the bundled model.

    python benchmarks/must_stay.py --json must-stay.json            # 20,000 traps, then 100,000 free texts
    python benchmarks/must_stay.py --free 0 --traps 2000            # a quick look
    python benchmarks/must_stay.py --model de --json must-stay-de.json
    python benchmarks/must_stay.py --model runs/en-seq2seq/export/model --traps 0 --guard off covered learned

The free texts are rewritten twice, as always and with the gate off, so that every one of them reaches the model and the
guard has to hold it. Printed are the number of texts, how many changed, the share, and every kind of error with up to
five examples; ``must_stay_texts.py`` and ``must_stay_texts_de.py`` choose them, by the model's language.
Needs GENDER_FAIR_DATA. The exit status is 1 when a free text changed or more than 0.1 % of the traps.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from must_stay_texts import Item

from rewriter import Rewriter
from rewriter.records import Rewrite
from rewriter.version import __version__

#: share of the traps that may change
BOUND = 0.001
CHUNK = 2000


def texts_of(lang: str) -> ModuleType:
    """Return the module that chooses texts of a language, or end with a sentence that says which there are."""
    modules = {"en": "must_stay_texts", "de": "must_stay_texts_de"}
    if lang not in modules:
        raise SystemExit(f"there are no texts for '{lang}', only for {', '.join(modules)}")
    return importlib.import_module(modules[lang])


def load(model: str, *, gate: bool, threads: int, guard: str = "strict") -> Rewriter:
    """Return the model, with the gate or without."""
    return Rewriter.from_pretrained(model, threads=threads, gate=gate, guard=guard)


def measure(rewriter: Rewriter, items: Sequence[Item], examples: int = 5) -> dict[str, Any]:
    """Rewrite ``items`` and return the figures: numbers per kind, and errors by kind and edit."""
    gate = rewriter.options.gate
    reached = Counter(item.kind for item in items if not gate or rewriter.language.gate(item.text))
    changed: Counter[str] = Counter()
    errors: Counter[tuple[str, str]] = Counter()
    shown: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    start = time.perf_counter()
    for at in range(0, len(items), CHUNK):
        chunk = items[at : at + CHUNK]
        for item, result in zip(chunk, rewriter.rewrite([i.text for i in chunk], return_edits=True), strict=True):
            if result.text.encode("utf-8", "surrogatepass") == item.text.encode("utf-8", "surrogatepass"):
                continue
            changed[item.kind] += 1
            key = (item.kind, _describe(result))
            errors[key] += 1
            if len(shown[key]) < examples:
                shown[key].append({"text": item.text, "became": result.text})
    kinds = Counter(item.kind for item in items)
    return {
        "texts": len(items),
        "asked": sum(reached.values()),
        "changed": sum(changed.values()),
        "share": sum(changed.values()) / max(1, len(items)),
        "seconds": round(time.perf_counter() - start, 1),
        "kinds": {k: {"texts": n, "asked": reached[k], "changed": changed[k]} for k, n in sorted(kinds.items())},
        "errors": [
            {"kind": kind, "edits": edits, "count": count, "examples": shown[kind, edits]}
            for (kind, edits), count in errors.most_common()
        ],
    }


def _describe(result: Rewrite) -> str:
    """Return the edits of a text in a few words; those that only follow a pronoun are left out."""
    lead = [e for e in result.edits if e.kind not in ("verb", "contraction", "article")] or list(result.edits)
    return ", ".join(sorted({f"{e.before} → {e.after}" for e in lead}))


def report(title: str, figures: dict[str, Any]) -> str:
    """Return the figures as Markdown."""
    lines = [
        f"## {title}",
        "",
        f"{figures['changed']:,} of {figures['texts']:,} texts changed ({100 * figures['share']:.3f} %); "
        f"{figures['asked']:,} passed the gate.",
        "",
        "| kind | texts | through the gate | changed |",
        "| --- | ---: | ---: | ---: |",
    ]
    lines += [f"| {k} | {v['texts']:,} | {v['asked']:,} | {v['changed']} |" for k, v in figures["kinds"].items()]
    for error in figures["errors"]:
        lines += ["", f"### {error['kind']}: {error['edits']} ({error['count']})", ""]
        lines += [f"- {_short(e['text'])}\n  became {_short(e['became'])}" for e in error["examples"]]
    return "\n".join(lines) + "\n"


def _short(text: str) -> str:
    return json.dumps(text if len(text) <= 300 else text[:300] + " …", ensure_ascii=False)


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Measure what the arguments ask for."""
    results: dict[str, Any] = {}
    gated = load(args.model, gate=True, threads=args.threads)
    texts = texts_of(gated.info.lang)
    # a mode that the model cannot keep is refused before anything is measured
    loose = {g: load(args.model, gate=False, threads=args.threads, guard=g) for g in ("strict", *args.guard)}
    if args.traps:
        results["traps"] = measure(gated, texts.traps(args.traps, args.seed))
        print(report("Traps", results["traps"]), flush=True)
    if args.free:
        free = texts.without_gendered_words(args.free, args.seed)
        results["free"] = measure(gated, free)
        print(report("No gendered words, gate on", results["free"]), flush=True)
        # every one of them goes to the model; figures of the gate come from the run above
        for guard, rewriter in loose.items():
            name = "free, gate off" if guard == "strict" else f"free, guard {guard}"
            results[name] = measure(rewriter, free)
            print(report(f"No gendered words, gate off, guard {guard}", results[name]), flush=True)
    info = gated.info
    signature = f"must-stay|lang:{info.lang}|model:{info.name}@{info.identity}|seed:{args.seed}|version:{__version__}"
    print(f"Signature: `{signature}`")
    return {"signature": signature, **results}


def main() -> int:
    """Run as a program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="en", help="bundled name or model directory (%(default)s)")
    parser.add_argument("--traps", type=int, default=20_000, help="texts that hold words of the gate (%(default)s)")
    parser.add_argument("--free", type=int, default=100_000, help="texts without gendered words (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice (%(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="of the model (%(default)s)")
    parser.add_argument(
        "--guard", nargs="*", default=[], choices=["off", "covered", "learned"], help="these modes too, gate off"
    )
    parser.add_argument("--json", type=Path, help="file for the figures and the examples")
    args = parser.parse_args()
    results = run(args)
    if args.json:
        args.json.write_text(json.dumps(results, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    bad = results.get("traps", {}).get("share", 0) > BOUND
    return int(bad or any(results[k]["changed"] for k in ("free", "free, gate off") if k in results))


if __name__ == "__main__":
    sys.exit(main())
