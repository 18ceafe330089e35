"""What the service costs: 1,000 requests of 32 clients beside the bare engine, and memory over many requests.

    python benchmarks/serve_speed.py [--requests 1000] [--clients 32] [--slow 16] [--memory 20000]

The service runs in a process of its own on this machine, as do its clients; the bare engine rewrites the same texts in
this process, one request after the other, first. Both start with an empty memory of sentences. Every answer of these
requests is compared with what the engine made, those of the long run by the number that stands in their texts. Then
come the same requests twice more, now that their sentences are remembered: without and with ``--slow`` clients beside
them that send their bodies byte by byte. Memory is read at the start and twenty times in the long run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import numpy

from rewriter import Rewriter

SENTENCES = (
    "She knows case {n} better than he does.", "The chairman read letter {n} and signed it himself.",
    "It rained on day {n}, so nobody came.", "He told her that number {n} was hers.",
)  # fmt: skip

#: whether the texts of an answer are those of the request with a number
Right = Callable[[int, list[str]], bool]


class Cost(NamedTuple):
    """Seconds by the clock, and of processors."""

    clock: float
    cpu: float


def texts_of(number: int) -> list[str]:
    """Return the texts of a request: one to eight, some thirty sentences long."""
    length = 30 if number % 20 == 0 else 1 + number % 5
    return [
        " ".join(SENTENCES[(number + i) % 4].format(n=f"{number}.{part}.{i}") for i in range(length))
        for part in range(1 + number % 8)
    ]


async def ask_all(
    address: str, numbers: Iterator[int], clients: int, right: Right, slow: int = 0
) -> tuple[list[float], list[str]]:
    """Return the seconds that each request took, and what went wrong with those that were lost or mixed up."""
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
            if not right(number, [result["text"] for result in answer.json()["results"]]):
                lost.append(f"request {number} got another answer than its own")

    async with httpx.AsyncClient(base_url=address, timeout=300, trust_env=False) as client:
        dawdling = [asyncio.create_task(dawdle(address)) for _ in range(slow)]
        await asyncio.gather(*(ask(client) for _ in range(clients)))
        for task in dawdling:
            task.cancel()
        await asyncio.gather(*dawdling, return_exceptions=True)
    return seconds, lost


async def dawdle(address: str) -> None:
    """Send a request byte by byte, again and again."""
    host, port = address.removeprefix("http://").split(":")
    body = json.dumps({"texts": texts_of(1)}).encode()
    while True:
        _, writer = await asyncio.open_connection(host, int(port))
        head = f"POST /rewrite HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode())
        try:
            for place in range(len(body) - 1):
                writer.write(body[place : place + 1])
                await writer.drain()
                await asyncio.sleep(0.2)
        except ConnectionError:  # the service has let it go
            continue
        finally:
            writer.close()


def is_own(number: int, found: list[str]) -> bool:
    """Return True if the texts hold the numbers that stood in those of a request."""
    return len(found) == len(texts_of(number)) and all(f"{number}.{part}." in text for part, text in enumerate(found))


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
    parser.add_argument("--slow", type=int, default=16, help="clients that send their bodies byte by byte")
    parser.add_argument("--memory", type=int, default=20_000, help="requests of the long run")
    args = parser.parse_args()
    expected, bare = engine_alone(args.requests)
    command = [sys.executable, "-m", "rewriter", "serve", "--port", "0", "--model", "en"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    log: deque[str] = deque(maxlen=20)
    try:
        address = next(m[1] for line in process.stderr if (m := re.search(r"on (http://127.0.0.1:\d+)", line)))
        threading.Thread(target=lambda: log.extend(process.stderr), daemon=True).start()
        asyncio.run(measure(process, address, args, expected, bare))
    finally:
        if process.poll() is not None:
            print(f"the service ended by itself with {process.returncode}; its log:", *log, sep="\n")
        process.terminate()
        process.wait(60)


def engine_alone(requests: int) -> tuple[list[list[str]], Cost]:
    """Return what the bare engine makes of the requests, and what that costs."""
    rewriter = Rewriter.from_pretrained("en")
    rewriter.rewrite("She left.")
    started, cpu = time.perf_counter(), time.process_time()
    made = [rewriter.rewrite(texts_of(number), return_edits=True) for number in range(requests)]
    cost = Cost(time.perf_counter() - started, time.process_time() - cpu)
    return [[rewrite.text for rewrite in request] for request in made], cost


async def measure(
    process: subprocess.Popen[str], address: str, args: argparse.Namespace, expected: list[list[str]], bare: Cost
) -> None:
    """Ask and print."""
    pid = process.pid
    print(f"memory at the start: {megabytes(pid):.0f} MB", flush=True)
    await mixed(pid, address, args, expected, bare)
    if args.slow:
        print("the same again, all sentences remembered:")
        await mixed(pid, address, args, expected, bare)
        await mixed(pid, address, args, expected, bare, slow=args.slow)
    step = max(1, args.memory // 20)
    for first in range(0, args.memory, step):
        _, lost = await ask_all(address, iter(range(first, first + step)), args.clients, is_own)
        if process.poll() is not None:
            return
        told = f"memory after {first + step} more requests: {megabytes(pid):.0f} MB; lost or mixed up: {len(lost)}"
        print(told, *lost[:10], sep="\n", flush=True)


async def mixed(
    pid: int, address: str, args: argparse.Namespace, expected: list[list[str]], bare: Cost, slow: int = 0
) -> None:
    """Ask the requests that the bare engine has answered, and print what they cost."""
    cpu, started = cpu_seconds(pid), time.perf_counter()
    numbers = iter(range(args.requests))
    seconds, lost = await ask_all(address, numbers, args.clients, lambda n, found: found == expected[n], slow)
    cost = Cost(time.perf_counter() - started, cpu_seconds(pid) - cpu)
    p50, p95 = numpy.percentile(seconds, [50, 95])
    print(f"{args.requests} requests of {args.clients} clients, {slow} slow ones beside: {cost.clock:.1f} s")
    print(f"p50 {1000 * p50:.0f} ms, p95 {1000 * p95:.0f} ms")
    print(
        f"requests a second: bare engine {args.requests / bare.clock:.0f}, service {args.requests / cost.clock:.0f}, "
        f"ratio {bare.clock / cost.clock:.2f}"
    )
    print(f"processor time: bare engine {bare.cpu:.1f} s, service {cost.cpu:.1f} s, ratio {cost.cpu / bare.cpu:.2f}")
    print(f"lost or mixed up: {len(lost)}", *lost[:10], sep="\n", flush=True)


if __name__ == "__main__":
    main()
