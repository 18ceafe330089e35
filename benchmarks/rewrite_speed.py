"""Measure the speed of rewriting, everything in one run on the same cores.

    python benchmarks/rewrite_speed.py --json speed.json \\
        --seq2seq runs/en-small/export/model --checkpoint runs/en-small/train/checkpoint
    python benchmarks/rewrite_speed.py --quick                       # a smoke run of a minute
    python benchmarks/rewrite_speed.py --parts linear,memory,big     # some parts only

Parts: ``speed`` (the bundled model from Python and through the command's function, cache on and off, gate on and off),
``seq2seq`` (the sequence-to-sequence model of ``--seq2seq``), ``generate`` (Hugging Face ``generate`` on the weights of
``--checkpoint``: greedy, sorted by length, the best of several batch sizes and number formats), ``linear`` (time per
line at growing sizes), ``memory`` (peak of the command on two sizes of different text), ``big`` (a file of gigabytes
through gate, reading and writing, the model off).

Texts are sentences of ``--text`` (default: GENDER_FAIR_DATA/en/train), one a line: *general* has 10 % of lines with
candidates, *gated* 100 %, *as found* (part ``speed``) as many as the text itself. Each figure is the best of
``--repeat`` runs; all of them are in the JSON file.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from speed_texts import Sentences, default_folder, read_sentences, words_of

from rewriter.errors import GenderFairError
from rewriter.language.interface import get_language
from rewriter.model.directory import load_info, resolve

PARTS = ("speed", "seq2seq", "generate", "linear", "memory", "big")
GENERAL, GATED = 0.1, 1.0


@dataclass(frozen=True)
class Sizes:
    """How much is measured; numbers of lines, and of bytes where it says so."""

    general: int = 100_000
    gated: int = 20_000
    slow_general: int = 20_000
    slow_gated: int = 2_000
    no_gate_general: int = 2_000
    search: int = 200
    generate: int = 1_000
    linear: tuple[int, ...] = (10_000, 100_000, 1_000_000)
    memory_bytes: tuple[int, ...] = (50_000_000, 500_000_000)
    big_bytes: int = 5_000_000_000


QUICK = Sizes(2_000, 300, 300, 60, 60, 16, 40, (100, 1_000, 10_000), (500_000, 5_000_000), 50_000_000)


@dataclass
class Bench:
    """Settings of a run and what it found."""

    cores: int
    repeat: int
    sizes: Sizes
    sentences: Sentences
    results: dict[str, Any] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)

    def texts(self) -> dict[str, list[str]]:
        """Return the three texts at full length."""
        natural = len(self.sentences.gated) / (len(self.sentences.gated) + len(self.sentences.free))
        return {
            "general": self.sentences.lines(self.sizes.general, GENERAL),
            "as found": self.sentences.lines(self.sizes.general // 2, natural),
            "gated": self.sentences.lines(self.sizes.gated, GATED),
        }

    def row(self, system: str, text: str, lines: list[str], run: Callable[[list[str]], Any], **notes: Any) -> float:
        """Time ``run(lines)``, print and keep the figure; return words per second."""
        seconds = []
        for _ in range(self.repeat):
            start = time.perf_counter()
            run(lines)
            seconds.append(time.perf_counter() - start)
        speed = words_of(lines) / min(seconds)
        row = {"system": system, "text": text, "lines": len(lines), "words": words_of(lines)}
        self.rows.append({**row, "words_per_second": round(speed), "seconds": [round(s, 3) for s in seconds], **notes})
        told = "  ".join(f"{key} {value}" for key, value in notes.items())
        print(f"{system:44} {text:8} {len(lines):>8,} lines {speed:>12,.0f} words/s  {told}", flush=True)
        return speed


def limit_cores(wanted: int) -> int:
    """Keep this process and its children on ``wanted`` cores; return how many it got."""
    if not hasattr(os, "sched_setaffinity"):
        return wanted
    cores = sorted(os.sched_getaffinity(0))[:wanted]
    os.sched_setaffinity(0, cores)
    return len(cores)


# --- our own code -----------------------------------------------------------------------------------------------------


def measure_speed(bench: Bench, model: str) -> None:
    """The bundled model: cache on and off, gate on and off, from Python and from file to file."""
    from rewriter import Rewriter

    for name, lines in bench.texts().items():
        for label, options in (("", {}), (", cache off", {"cache": 0}), (", gate off", {"gate": False})):
            rewriter = Rewriter.from_pretrained(model, threads=bench.cores, **options)
            rewriter.rewrite(lines[:500])
            hits: list[tuple[int, int]] = []

            def run(texts: list[str], rewriter: Any = rewriter, hits: list[tuple[int, int]] = hits) -> None:
                rewriter.forget()
                rewriter.rewrite(texts)
                hits.append(rewriter.cache_counts)

            notes = shares(rewriter, lines) if not label else {}
            bench.row(f"bundled model{label}", name, lines, run, **notes)
            asked, found = hits[-1]
            bench.rows[-1]["cache_hits"] = found / asked if asked else 0.0
        bench.row(f"bundled model, files, {bench.cores} processes", name, lines, corpus_run(model, bench.cores))


def shares(rewriter: Any, lines: list[str]) -> dict[str, str]:
    """Return the share of lines that the gate lets through, and of those with a candidate."""
    gated = [line for line in lines if rewriter.language.gate(line)]
    hold = sum(bool(rewriter.language.analyze(line).candidates) for line in gated)
    return {"gated": f"{len(gated) / len(lines):.1%}", "with candidates": f"{hold / len(lines):.1%}"}


def corpus_run(model: str, processes: int, **settings: Any) -> Callable[[list[str]], Any]:
    """Return a function that rewrites lines from one file to another, as the command does."""
    from rewriter.corpus import CorpusOptions, RewriterSpec, rewrite_corpus

    def run(lines: list[str]) -> None:
        with tempfile.TemporaryDirectory() as name:
            source = Path(name) / "source.txt"
            source.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            # shards small enough that every process has work at these sizes too
            options = CorpusOptions(processes=processes, shard_size=1 << 20, progress=False)
            spec = RewriterSpec.of(model, **settings)
            rewrite_corpus([source], Path(name) / "fair.txt", rewriter=spec, options=options)

    return run


def measure_seq2seq(bench: Bench, folder: str) -> None:
    """The sequence-to-sequence model, gate on and off."""
    from rewriter import Rewriter

    sizes = bench.sizes
    general = bench.sentences.lines(sizes.slow_general, GENERAL)
    gated = bench.sentences.lines(sizes.slow_gated, GATED)
    rewriter = Rewriter.from_pretrained(folder, threads=bench.cores, cache=0)
    rewriter.rewrite(gated[:50])
    bench.row("seq2seq model", "general", general, rewriter.rewrite)
    bench.row("seq2seq model", "gated", gated, rewriter.rewrite)
    rewriter = Rewriter.from_pretrained(folder, threads=bench.cores, cache=0, gate=False)
    bench.row("seq2seq model, gate off", "general", general[: sizes.no_gate_general], rewriter.rewrite)
    bench.row("seq2seq model, gate off", "gated", gated, rewriter.rewrite)


# --- the baseline -----------------------------------------------------------------------------------------------------


class Generate:
    """Hugging Face ``generate`` on a Marian checkpoint."""

    def __init__(self, folder: str, dtype: str, cores: int) -> None:
        import sentencepiece
        import torch
        import transformers

        torch.set_num_threads(cores)
        self._torch = torch
        self._model = transformers.MarianMTModel.from_pretrained(folder, dtype=getattr(torch, dtype)).eval()
        self._pieces = sentencepiece.SentencePieceProcessor(model_file=str(Path(folder) / "sentencepiece.model"))

    def __call__(self, lines: Sequence[str], batch: int) -> list[str]:
        """Translate every line greedily, sorted by length, ``batch`` at a time; return them in their order."""
        eos, most = self._model.config.eos_token_id, self._model.config.max_position_embeddings - 1
        encoded = [[*ids[: most - 1], eos] for ids in self._pieces.encode(list(lines))]
        order = sorted(range(len(lines)), key=lambda i: len(encoded[i]))
        answers = [""] * len(lines)
        for start in range(0, len(order), batch):
            rows = order[start : start + batch]
            for row, answer in zip(rows, self._batch([encoded[i] for i in rows], most), strict=True):
                answers[row] = answer
        return answers

    def _batch(self, rows: list[list[int]], most: int) -> list[str]:
        torch, config = self._torch, self._model.config
        longest = max(map(len, rows))
        ids = torch.tensor([row + [config.pad_token_id] * (longest - len(row)) for row in rows])
        with torch.inference_mode():
            out = self._model.generate(
                input_ids=ids,
                attention_mask=(ids != config.pad_token_id).long(),
                max_new_tokens=min(longest + 20, most),
                do_sample=False,
                num_beams=1,
                use_cache=True,
            )
        special = {config.pad_token_id, config.eos_token_id}
        return list(self._pieces.decode([[i for i in row if i not in special] for row in out.tolist()]))


def measure_generate(bench: Bench, folder: str) -> None:
    """Search the best batch size and number format on a sample, then measure both texts with them."""
    sample = bench.sentences.lines(bench.sizes.search, GENERAL)
    words = words_of(sample)
    search = {}
    best: tuple[float, Generate, int] | None = None
    for dtype in ("float32", "bfloat16"):
        generate = Generate(folder, dtype, bench.cores)
        generate(sample[:8], 8)
        for batch in (8, 16, 32, 64, 128, 256):
            start = time.perf_counter()
            generate(sample, batch)
            speed = words / (time.perf_counter() - start)
            search[f"{dtype}, batch {batch}"] = round(speed)
            if best is None or speed > best[0]:
                best = (speed, generate, batch)
    assert best is not None
    _, generate, batch = best
    name = next(key for key, value in search.items() if value == round(best[0]))
    bench.results["generate_search"] = search
    print("generate, words/s on a sample:", ", ".join(f"{key}: {value:,}" for key, value in search.items()))
    general = bench.sentences.lines(bench.sizes.generate, GENERAL)
    gated = bench.sentences.lines(bench.sizes.generate // 2, GATED)
    bench.row(f"Hugging Face generate ({name})", "general", general, lambda lines: generate(lines, batch))
    bench.row(f"Hugging Face generate ({name})", "gated", gated, lambda lines: generate(lines, batch))


# --- size, memory, big files ------------------------------------------------------------------------------------------


def measure_linear(bench: Bench, model: str) -> None:
    """Time per line at growing sizes, from an iterator in this process and from file to file."""
    from rewriter import Rewriter

    rewriter = Rewriter.from_pretrained(model, threads=bench.cores)
    rewriter.rewrite(bench.sentences.lines(500, GENERAL))
    run = corpus_run(model, bench.cores)
    table = []
    for size in bench.sizes.linear:
        lines = bench.sentences.lines(size, GENERAL, numbered=True)
        rewriter.forget()
        start = time.perf_counter()
        for _ in rewriter.rewrite(iter(lines)):
            pass
        streamed = time.perf_counter() - start
        start = time.perf_counter()
        run(lines)
        files = time.perf_counter() - start
        table.append({"lines": size, "iterator_us": streamed / size * 1e6, "files_us": files / size * 1e6})
        print(
            f"{size:>9,} lines: {streamed / size * 1e6:7.1f} µs a line from an iterator, "
            f"{files / size * 1e6:7.1f} µs from file to file (with the start of the workers)",
            flush=True,
        )
    bench.results["linear"] = table


def measure_memory(bench: Bench, model: str) -> None:
    """Peak memory of the command on two sizes of text in which no gated sentence comes twice."""
    table = []
    for size in bench.sizes.memory_bytes:
        with tempfile.TemporaryDirectory() as name:
            source = Path(name) / "source.txt"
            write_text(source, bench.sentences, size)
            command = [sys.executable, "-m", "rewriter", "rewrite", str(source), "-o", f"{name}/fair.txt"]
            command += ["--model", model, "--processes", str(bench.cores)]
            seconds, largest, together, _ = watch(command)
            entry = {
                "bytes": source.stat().st_size,
                "seconds": round(seconds, 1),
                "largest_process_mb": largest / 1e6,
                "all_processes_mb": together / 1e6,
            }
        table.append(entry)
        print(
            f"{entry['bytes'] / 1e6:6.0f} MB of text: peak {entry['largest_process_mb']:.0f} MB in the largest "
            f"process, {entry['all_processes_mb']:.0f} MB in all, {entry['seconds']} s",
            flush=True,
        )
    first, last = table[0], table[-1]
    ratios = {key: last[key] / first[key] for key in ("largest_process_mb", "all_processes_mb")}
    bench.results["memory"] = {"runs": table, "ratios": ratios}
    print(f"ratio {ratios['largest_process_mb']:.3f} (largest process), {ratios['all_processes_mb']:.3f} (all)")


def write_text(path: Path, sentences: Sentences, size: int) -> None:
    """Write about ``size`` bytes of general text; every gated sentence holds a running number."""
    numbers = count()
    lines = sentences.lines(50_000, GENERAL)
    gated = set(sentences.gated)
    written = 0
    with path.open("w", encoding="utf-8") as stream:
        while written < size:
            for line in lines:
                if line in gated:
                    line = f"{line[:-1]} {next(numbers)}{line[-1]}"
                written += stream.write(f"{line}\n")
                if written >= size:
                    return


def watch(command: list[str]) -> tuple[float, int, int, str]:
    """Run a command; return seconds, the peak memory of its largest process and of all in bytes, and what it said."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    largest = together = 0
    while process.poll() is None:
        sizes = [resident(pid) for pid in family(process.pid)]
        largest, together = max([largest, *sizes]), max(together, sum(sizes))
        time.sleep(0.05)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    assert process.stdout is not None
    return time.perf_counter() - start, largest, together, process.stdout.read()


def family(pid: int) -> Iterator[int]:
    """Yield a process and all its descendants (Linux)."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in children:
            yield from family(int(child))


def resident(pid: int) -> int:
    """Return the private memory of a process and its share of common pages, in bytes; 0 once it is gone."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def measure_big(bench: Bench) -> None:
    """A file of gigabytes through gate, reading and writing; nothing is proposed."""
    size = bench.sizes.big_bytes
    with tempfile.TemporaryDirectory() as name:
        free = shutil.disk_usage(name).free
        if free < 3 * size:
            print(f"big: left out, {free / 1e9:.0f} GB are free and {3 * size / 1e9:.0f} GB are needed")
            return
        source, target = Path(name) / "source.txt", Path(name) / "fair.txt"
        write_block(source, bench.sentences, size)
        script = str(Path(__file__).with_name("model_off.py"))
        command = [sys.executable, script, str(source), str(target), "--processes", str(bench.cores)]
        seconds, largest, together, output = watch(command)
        found = json.loads(output)
        result = {
            "bytes": source.stat().st_size,
            "seconds": round(seconds, 1),
            "mb_per_second": source.stat().st_size / seconds / 1e6,
            "words_per_second": found["words"] / seconds,
            "largest_process_mb": largest / 1e6,
            "all_processes_mb": together / 1e6,
            "same_bytes": filecmp.cmp(source, target, shallow=False),
        }
    bench.results["big"] = result
    print(
        f"{result['bytes'] / 1e9:.2f} GB, model off: {seconds:.1f} s, {result['mb_per_second']:.0f} MB/s, "
        f"{result['words_per_second']:,.0f} words/s, peak {result['all_processes_mb']:.0f} MB in all, "
        f"same bytes: {result['same_bytes']}",
        flush=True,
    )


def write_block(path: Path, sentences: Sentences, size: int) -> None:
    """Write about ``size`` bytes: one block of general text, over and over."""
    block = "".join(f"{line}\n" for line in sentences.lines(100_000, GENERAL)).encode("utf-8")
    with path.open("wb") as stream:
        written = 0
        while written < size:
            written += stream.write(block)


# --- the run ----------------------------------------------------------------------------------------------------------


def ratios(bench: Bench) -> dict[str, float]:
    """Print and return how many times faster the bundled model is than what was measured beside it."""
    speed = {(row["system"].split(" (")[0], row["text"]): row["words_per_second"] for row in bench.rows}
    found = {}
    for text in ("general", "gated"):
        own = speed.get(("bundled model", text))
        for other in ("Hugging Face generate", "seq2seq model", "bundled model, gate off", "seq2seq model, gate off"):
            if own and (other, text) in speed:
                found[f"{text}: bundled model / {other}"] = round(own / speed[other, text], 1)
        if ("seq2seq model", text) in speed and ("Hugging Face generate", text) in speed:
            value = speed["seq2seq model", text] / speed["Hugging Face generate", text]
            found[f"{text}: seq2seq model / Hugging Face generate"] = round(value, 1)
    for key, value in found.items():
        print(f"{key:70} {value:>8}")
    return found


def machine(cores: int) -> dict[str, Any]:
    """Return what ran: processor, cores, versions."""
    from importlib.metadata import version

    names = ("gender-fair-rewriter", "ctranslate2", "sentencepiece", "numpy")
    return {
        "cores": cores,
        "machine": platform.machine(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in names},
        "load": os.getloadavg(),
    }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--text", type=Path, help="folder of text in the model's language (default: GENDER_FAIR_DATA/LANG/train)"
    )
    parser.add_argument("--model", default="en", help="bundled name or directory of the edit model (default: en)")
    parser.add_argument("--seq2seq", metavar="DIR", help="exported sequence-to-sequence model")
    parser.add_argument("--checkpoint", metavar="DIR", help="its float checkpoint, for Hugging Face generate")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"some of {','.join(PARTS)}")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it run, not how fast")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures")
    return parser.parse_args()


def main() -> int:
    try:
        return measure(arguments())
    except GenderFairError as error:
        print(error, file=sys.stderr)
        return error.exit_code


def measure(args: argparse.Namespace) -> int:
    """Run the parts that were asked for."""
    parts = [part for part in args.parts.split(",") if part]
    unknown = sorted(set(parts) - set(PARTS))
    if unknown:
        raise SystemExit(f"unknown part '{unknown[0]}'; there are {', '.join(PARTS)}")
    cores = limit_cores(args.cores)
    sizes = QUICK if args.quick else Sizes()
    lang = load_info(resolve(args.model)).lang
    folder = args.text or default_folder(lang)
    sentences = read_sentences(folder, get_language(lang), most=20_000 if args.quick else 400_000)
    bench = Bench(cores, 1 if args.quick else args.repeat, sizes, sentences)
    bench.results["machine"] = machine(cores)
    print(f"{cores} cores; {len(sentences.gated):,} gated and {len(sentences.free):,} other sentences", flush=True)
    steps: dict[str, Callable[[], None]] = {
        "speed": lambda: measure_speed(bench, args.model),
        "seq2seq": lambda: measure_seq2seq(bench, args.seq2seq),
        "generate": lambda: measure_generate(bench, args.checkpoint),
        "linear": lambda: measure_linear(bench, args.model),
        "memory": lambda: measure_memory(bench, args.model),
        "big": lambda: measure_big(bench),
    }
    for part in parts:
        if (part == "seq2seq" and not args.seq2seq) or (part == "generate" and not args.checkpoint):
            print(f"{part}: left out, no folder was given")
            continue
        steps[part]()
        if args.json is not None:  # after every part, so that an interrupted run keeps what it has
            bench.results.update(rows=bench.rows, ratios={})
            args.json.write_text(json.dumps(bench.results, indent=1) + "\n", encoding="utf-8")
    found = ratios(bench)
    if args.json is not None:
        bench.results["ratios"] = found
        args.json.write_text(json.dumps(bench.results, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
