"""What the service costs: 1,000 requests of 32 clients beside the bare engine, and memory over many requests.

    python benchmarks/serve_speed.py [--requests 1000] [--clients 32] [--memory 20000]

The service runs in a process of its own on this machine, as do its clients; the bare engine rewrites the same texts in
this process, one request after the other, first. Both start with an empty memory of sentences.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy

from rewriter import Rewriter

SENTENCES = (
    "She knows case {n} better than he does.", "The chairman read letter {n} and signed it himself.",
    "It rained on day {n}, so nobody came.", "He told her that number {n} was hers.",
)  # fmt: skip


def texts_of(number: int) -> list[str]:
    """Return the texts of a request: one to eight, some thirty sentences long."""
    length = 30 if number % 20 == 0 else 1 + number % 5
    return [
        " ".join(SENTENCES[(number + i) % 4].format(n=f"{number}.{part}.{i}") for i in range(length))
        for part in range(1 + number % 8)
    ]


async def ask_all(address: str, numbers: Iterator[int], clients: int) -> tuple[list[float], list[str]]:
    """Return the seconds that each request took, and what went wrong with those that were lost."""
    seconds: list[float] = []
    lost: list[str] = []

    async def ask(client: httpx.AsyncClient) -> None:
        for number in numbers:  # shared
            started = time.perf_counter()
            try:
                answer = await client.post("/rewrite", json={"texts": texts_of(number), "lang": "en"})
                answer.raise_for_status()
            except httpx.HTTPError as error:
                after = time.perf_counter() - started
                lost.append(f"request {number} at {time.strftime('%X')}, after {after:.3f} s: {error!r}")
                continue
            seconds.append(time.perf_counter() - started)
            assert len(answer.json()["results"]) == len(texts_of(number))

    async with httpx.AsyncClient(base_url=address, timeout=300, trust_env=False) as client:
        await asyncio.gather(*(ask(client) for _ in range(clients)))
    return seconds, lost


def megabytes(pid: int) -> float:
    """Return the resident memory of a process (Linux)."""
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * 4096 / 1e6


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process so far (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--memory", type=int, default=20_000)
    args = parser.parse_args()
    rewriter = Rewriter.from_pretrained("en")
    rewriter.rewrite("She left.")
    cpu = time.process_time()
    for number in range(args.requests):
        rewriter.rewrite(texts_of(number), return_edits=True)
    bare = time.process_time() - cpu
    command = [sys.executable, "-m", "rewriter", "serve", "--port", "0", "--model", "en"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    log: deque[str] = deque(maxlen=20)
    try:
        address = next(m[1] for line in process.stderr if (m := re.search(r"on (http://127.0.0.1:\d+)", line)))
        threading.Thread(target=lambda: log.extend(process.stderr), daemon=True).start()
        asyncio.run(measure(process, address, args, bare))
    finally:
        if process.poll() is not None:
            print(f"the service ended by itself with {process.returncode}; its log:", *log, sep="\n")
        process.terminate()
        process.wait(60)


async def measure(process: subprocess.Popen[str], address: str, args: argparse.Namespace, bare: float) -> None:
    """Ask and print."""
    pid, cpu, started = process.pid, cpu_seconds(process.pid), time.perf_counter()
    seconds, lost = await ask_all(address, iter(range(args.requests)), args.clients)
    wall, cpu = time.perf_counter() - started, cpu_seconds(pid) - cpu
    p50, p95 = numpy.percentile(seconds, [50, 95])
    print(f"{args.requests} requests of {args.clients} clients: {wall:.1f} s, {args.requests / wall:.0f} a second")
    print(f"p50 {1000 * p50:.0f} ms, p95 {1000 * p95:.0f} ms")
    print(f"processor time: bare engine {bare:.1f} s, service {cpu:.1f} s, ratio {cpu / bare:.2f}")
    print(f"lost: {len(lost)}", *lost[:10], sep="\n", flush=True)
    step = max(1, args.memory // 5)
    for first in range(0, args.memory, step):
        _, lost = await ask_all(address, iter(range(first, first + step)), args.clients)
        if process.poll() is not None:
            return
        print(
            f"memory after {first + step} more requests: {megabytes(pid):.0f} MB; lost: {len(lost)}",
            *lost[:10],
            sep="\n",
            flush=True,
        )


if __name__ == "__main__":
    main()
