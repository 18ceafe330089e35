"""Hours of ordinary work with accidents: corpus runs that are killed and resumed, and mixed requests to the service.

    python benchmarks/soak.py --minutes 120 [--model en] [--lines 4000] [--parts corpus service] [--json soak.json]

*corpus*: a corpus in seven formats is rewritten over and over, each time into a new folder. A run is killed after a
random time (SIGKILL of the whole process group, SIGTERM or SIGINT to the command) and started again until it is done;
the output must be that of a run that nobody disturbed, and no temporary file, lock or process may be left.

*service*: clients ask for single texts, many texts, streams and checks, send what is wrong, and hang up in the middle.
Every answer must be that of the engine in this process. Resident memory, open handles and threads of the service are
read every minute; what they are at the end is compared with what they were when the first tenth of all requests, and
500 at least, were answered: until then models are loaded and caches fill.

Both parts run beside each other. The exit code is 1 if a result differed, something was left behind, or the service
grew. Timings depend on the machine and are told, not judged. Linux only: it reads /proc.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import gzip
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import httpx
import zstandard

from rewriter import Rewriter
from rewriter.io.files import file_digest

TEXTS = {
    "en": (
        "She knows case {n} better than he does.", "The chairman read letter {n} and signed it himself.",
        "It rained on day {n}, so nobody came.", "He told her that number {n} was hers.", "Nothing here, {n} times.",
    ),
    "de": (
        "Der Lehrer kennt Fall {n} besser als sein Kollege.", "Die Schülerinnen lasen Brief {n}.",
        "Am Tag {n} regnete es, niemand kam.", "Er sagte der Ärztin, dass Nummer {n} ihr gehört.", "Nichts, {n} Mal.",
    ),
}  # fmt: skip
#: growth of the service's memory between the first tenth of the requests and the end that counts as a leak
MOST_GROWTH = 1.25
#: requests until models are loaded and caches filled; after 100 there were 119 MB, after 800 149 and after 8,400 155
WARM = 500
#: handles and threads that may come and go
MOST_MORE = 12


@dataclass
class Corpus:
    """What became of the corpus runs."""

    rounds: int = 0
    starts: int = 0
    kills: dict[str, int] = field(default_factory=dict)
    different: list[str] = field(default_factory=list)
    left_behind: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


@dataclass
class Usage:
    """What the service used at a time: megabytes in memory, open handles, threads."""

    minute: float
    answered: int
    memory: float
    handles: int
    threads: int


@dataclass
class Service:
    """What became of the requests, and what the service used meanwhile."""

    requests: dict[str, int] = field(default_factory=dict)
    different: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    usage: list[Usage] = field(default_factory=list)


def main() -> int:
    """Run the soak; return 1 if it found something."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--model", default="en", choices=sorted(TEXTS))
    parser.add_argument("--lines", type=int, default=4000, help="of each file of the corpus")
    parser.add_argument("--kill-after", type=float, default=180, help="most seconds until a run is killed")
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--parts", nargs="+", default=["corpus", "service"], choices=("corpus", "service"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="write all figures there")
    args = parser.parse_args()
    # a shell lets what it starts in the background ignore interrupts, which the runs here would inherit
    signal.signal(signal.SIGINT, signal.default_int_handler)
    corpus, service = Corpus(), Service()
    end = time.monotonic() + 60 * args.minutes
    work: dict[str, Callable[[], None]] = {
        "corpus": lambda: soak_corpus(args, end, corpus),
        "service": lambda: soak_service(args, end, service),
    }
    threads = [threading.Thread(target=work[part]) for part in args.parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    problems = tell(args, corpus, service)
    if args.json:
        args.json.write_text(json.dumps({"corpus": asdict(corpus), "service": asdict(service)}, indent=1))
    return int(problems)


def tell(args: argparse.Namespace, corpus: Corpus, service: Service) -> bool:
    """Print the figures; return True if something is wrong."""
    wrong = [*corpus.different, *corpus.left_behind, *corpus.failed, *service.different, *service.lost]
    print(f"{args.minutes:g} minutes, model {args.model}")
    if "corpus" in args.parts:
        kills = ", ".join(f"{name} {count}" for name, count in sorted(corpus.kills.items()))
        print(f"corpus: {corpus.rounds} rounds to their end, {corpus.starts} starts, killed by {kills or 'nothing'}")
        print(f"  files that differ: {len(corpus.different)}; left behind: {len(corpus.left_behind)}")
        if not corpus.rounds:
            wrong.append("no corpus run came to its end: give it more time, or fewer lines")
    if "service" in args.parts:
        print("service:", ", ".join(f"{count} {name}" for name, count in sorted(service.requests.items())))
        print(f"  answers that differ: {len(service.different)}; requests lost: {len(service.lost)}")
        wrong += grown(service.usage)
    print(*wrong[:20], sep="\n")
    return bool(wrong)


def grown(usage: list[Usage]) -> list[str]:
    """Print what the service used; return what grew."""
    answered = usage[-1].answered if usage else 0
    warm = [look for look in usage if look.answered >= max(WARM, answered // 10)]
    if len(warm) < 3 or answered < 2 * WARM:
        return [f"{answered} requests were too few to say whether the service grows"]
    first, last = warm[0], warm[-1]
    for look in (first, *(warm[len(warm) * part // 4] for part in (1, 2, 3)), last):
        print(
            f"  minute {look.minute:.1f}, {look.answered} requests: {look.memory:.0f} MB, {look.handles} handles, "
            f"{look.threads} threads"
        )
    found = [
        f"{name} grew from {before} to {after}"
        for name, before, after in (("handles", first.handles, last.handles), ("threads", first.threads, last.threads))
        if after > before + MOST_MORE
    ]
    if last.memory > first.memory * MOST_GROWTH:
        found.append(f"memory grew from {first.memory:.0f} to {last.memory:.0f} MB")
    return found


# ---------------------------------------------------------------- corpus


def soak_corpus(args: argparse.Namespace, end: float, found: Corpus) -> None:
    """Rewrite a corpus again and again, with kills."""
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory(prefix="gender-fair-soak-") as name:
        folder = Path(name)
        write_corpus(folder / "in", TEXTS[args.model], args.lines)
        if start(folder, args.model, folder / "whole").wait() != 0:
            found.failed.append("the run that nobody disturbs failed")
            return
        expected = digests(folder / "whole")
        while time.monotonic() < end:
            out = folder / f"out{found.rounds}"
            if not finish(folder, args, out, rng, end, found):
                return
            found.rounds += 1
            found.different += [f"round {found.rounds}: {name}" for name in differing(expected, digests(out))]
            found.left_behind += [f"round {found.rounds}: {path}" for path in left_behind(out)]
            shutil.rmtree(out)


def finish(folder: Path, args: argparse.Namespace, out: Path, rng: random.Random, end: float, found: Corpus) -> bool:
    """Start a run until it is done; return False where the time is over before."""
    while True:
        process = start(folder, args.model, out)
        found.starts += 1
        try:
            code = process.wait(rng.uniform(0.5, args.kill_after))
        except subprocess.TimeoutExpired:
            kill(process, rng.choice(("SIGKILL", "SIGTERM", "SIGINT")), found)
            if time.monotonic() > end:
                return False
            continue
        if code != 0:
            found.failed.append(
                f"a resumed run ended with {code}: {process.stderr.read()[-2000:] if process.stderr else ''}"
            )
            return False
        return True


def start(folder: Path, model: str, out: Path) -> subprocess.Popen[str]:
    """Start the command in a process group of its own."""
    command = [sys.executable, "-m", "rewriter", "rewrite", str(folder / "in"), "-o", f"{out}/", "--model", model]
    command += ["--processes", "2", "--shard-lines", "500"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, process_group=0)


def kill(process: subprocess.Popen[str], name: str, found: Corpus) -> None:
    """End a run: all its processes at once, or the command, which ends the others."""
    found.kills[name] = found.kills.get(name, 0) + 1
    number = signal.Signals[name]
    if name == "SIGKILL":
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    process.wait(300)
    deadline = time.monotonic() + 60
    while (rest := group(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.5)
    if rest:
        found.left_behind.append(f"processes {rest} after {name}")
        os.killpg(process.pid, signal.SIGKILL)


def group(leader: int) -> list[int]:
    """Return the processes of a group that still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == leader and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


def left_behind(out: Path) -> list[str]:
    """Return what is no output: temporary files, and parts of shards beside a finished run."""
    names = [path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()]
    return [name for name in names if ".tmp" in name or name.startswith(".gender-fair/parts")]


def digests(out: Path) -> dict[str, str]:
    """Return the digests of the outputs by name; of packed ones of what they hold."""
    found = {}
    for path in sorted(out.iterdir()):
        if path.is_file() and not path.name.startswith("."):
            found[path.name] = file_digest(unpacked(path))
    return found


def unpacked(path: Path) -> Path:
    if path.suffix not in (".gz", ".zst"):
        return path
    packed = path.read_bytes()
    data = (
        gzip.decompress(packed)
        if path.suffix == ".gz"
        else zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    )
    target = path.with_name(f".unpacked-{path.stem}")
    target.write_bytes(data)
    return target


def differing(expected: dict[str, str], found: dict[str, str]) -> list[str]:
    return [name for name in sorted({*expected, *found}) if expected.get(name) != found.get(name)]


def write_corpus(folder: Path, texts: tuple[str, ...], count: int) -> None:
    """Write the same kind of text in every format."""
    import pyarrow
    from pyarrow import parquet

    folder.mkdir()
    lines = [" ".join(texts[(n + i) % len(texts)].format(n=n * 7 + i) for i in range(1 + n % 4)) for n in range(count)]
    plain = "".join(f"{line}\n" for line in lines).encode()
    (folder / "a.txt").write_bytes(plain)
    (folder / "b.txt.gz").write_bytes(gzip.compress(plain, mtime=0))
    (folder / "c.txt.zst").write_bytes(zstandard.compress(plain))
    records = [json.dumps({"id": n, "text": line, "rest": [n]}) for n, line in enumerate(lines)]
    (folder / "d.jsonl").write_text("\n".join(records) + "\n")
    with (folder / "e.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([["id", "text"], *([str(n), line] for n, line in enumerate(lines))])
    parquet.write_table(pyarrow.table({"id": range(count), "text": lines}), folder / "f.parquet", row_group_size=500)
    (folder / "g.md").write_bytes(b"# A\n\n" + plain[:20_000])


# ---------------------------------------------------------------- service


def soak_service(args: argparse.Namespace, end: float, found: Service) -> None:
    """Serve and ask until the time is over."""
    rewriter = Rewriter.from_pretrained(args.model)
    command = [sys.executable, "-m", "rewriter", "serve", "--port", "0", "--model", args.model, "--max-seconds", "600"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    log: list[str] = []
    try:
        assert process.stderr is not None
        lines: Iterator[str] = iter(process.stderr)
        address = next(m[1] for line in lines if (m := re.search(r"on (http://127\.0\.0\.1:\d+)", line)))
        threading.Thread(target=lambda: log.extend(lines), daemon=True).start()
        asyncio.run(ask_all(process, address, rewriter, args, end, found))
        found.lost += [line.strip() for line in log if "Traceback" in line]
    finally:
        process.terminate()
        if process.wait(120) not in (0, -signal.SIGTERM, 128 + signal.SIGTERM):
            found.lost.append(f"the service ended with {process.returncode}: {''.join(log[-20:])}")


async def ask_all(
    process: subprocess.Popen[str],
    address: str,
    rewriter: Rewriter,
    args: argparse.Namespace,
    end: float,
    found: Service,
) -> None:
    """Let clients ask beside each other, and look at the service meanwhile."""
    begun = time.monotonic()

    async def look() -> None:
        step = min(60.0, max(2.0, 60 * args.minutes / 40))
        while process.poll() is None:
            answered = sum(found.requests.values())
            found.usage.append(Usage((time.monotonic() - begun) / 60, answered, *usage(process.pid)))
            if time.monotonic() > end:
                break
            await asyncio.sleep(step)

    async def ask(number: int) -> None:
        rng = random.Random(f"{args.seed} {number}")
        async with httpx.AsyncClient(base_url=address, timeout=600, trust_env=False) as client:
            while time.monotonic() < end and process.poll() is None:
                name = rng.choice(tuple(WAYS))
                texts = [some_text(TEXTS[args.model], rng) for _ in range(rng.randrange(1, 6))]
                try:
                    wrong = await WAYS[name](client, texts, rewriter, args.model)
                except httpx.HTTPError as error:
                    found.lost.append(f"{name}: {error!r}")
                    continue
                found.requests[name] = found.requests.get(name, 0) + 1
                found.different += wrong

    await asyncio.gather(look(), *map(ask, range(args.clients)))


def some_text(texts: tuple[str, ...], rng: random.Random) -> str:
    """Return one sentence, or now and then a few hundred; of so few kinds that the service soon remembers them all."""
    count = 200 if rng.random() < 0.03 else rng.randrange(1, 5)
    return " ".join(rng.choice(texts).format(n=rng.randrange(500)) for _ in range(count))


def usage(pid: int) -> tuple[float, int, int]:
    """Return resident megabytes, open handles and threads of a process."""
    process = Path(f"/proc/{pid}")
    pages = int((process / "statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6, len(list((process / "fd").iterdir())), len(list((process / "task").iterdir()))


async def one(client: httpx.AsyncClient, texts: list[str], rewriter: Rewriter, lang: str) -> list[str]:
    """Ask for one text."""
    answer = (await client.post("/rewrite", json={"text": texts[0], "lang": lang})).json()
    expected = rewriter.rewrite(texts[0])
    return [] if answer.get("text") == expected else [f"one: {answer} where {expected!r} was right"]


async def several(client: httpx.AsyncClient, texts: list[str], rewriter: Rewriter, lang: str) -> list[str]:
    """Ask for several texts."""
    answer = (await client.post("/rewrite", json={"texts": texts, "lang": lang})).json()
    found = [item["text"] for item in answer.get("results", [])]
    return [] if found == rewriter.rewrite(texts) else [f"several: {answer}"]


async def stream(client: httpx.AsyncClient, texts: list[str], rewriter: Rewriter, lang: str) -> list[str]:
    """Ask line by line."""
    body = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    answer = await client.post("/rewrite/stream", content=body, params={"lang": lang})
    found = [json.loads(line).get("text") for line in answer.text.splitlines()]
    return [] if found == rewriter.rewrite(texts) else [f"stream: {answer.status_code} {answer.text[:300]}"]


async def findings(client: httpx.AsyncClient, texts: list[str], rewriter: Rewriter, lang: str) -> list[str]:
    """Ask where a text would change."""
    answer = (await client.post("/check", json={"text": texts[0], "lang": lang})).json()
    edits = rewriter.rewrite(texts[0], return_edits=True).edits
    found = [item["before"] for item in answer.get("findings", [])]
    return [] if found == [edit.before for edit in edits] else [f"check: {answer}"]


async def mistakes(client: httpx.AsyncClient, texts: list[str], rewriter: Rewriter, lang: str) -> list[str]:
    """Send what is wrong: it is refused with a sentence."""
    bodies: list[bytes] = [
        b"{",
        b"[]",
        b'{"text": 5}',
        b'{"text": "a", "form": "nope"}',
        b'{"text": "\\ud800"}',
        b"\xff",
    ]
    answers = [await client.post("/rewrite", content=body) for body in bodies]
    return [
        f"mistake {body!r}: {answer.status_code} {answer.text[:200]}"
        for body, answer in zip(bodies, answers, strict=True)
        if not 400 <= answer.status_code < 500 or not answer.json().get("error")
    ]


async def hanging_up(client: httpx.AsyncClient, texts: list[str], rewriter: Rewriter, lang: str) -> list[str]:
    """Hang up before the answer comes."""
    try:
        await client.post("/rewrite", json={"texts": texts * 20, "lang": lang}, timeout=0.005)
    except httpx.TimeoutException:
        pass
    return []


Way = Callable[[httpx.AsyncClient, list[str], Rewriter, str], Any]
WAYS: dict[str, Way] = {
    "single texts": one,
    "several texts": several,
    "streams": stream,
    "checks": findings,
    "mistakes": mistakes,
    "hung up": hanging_up,
}


if __name__ == "__main__":
    sys.exit(main())
