"""Every fault that is promised to end well, as a command: how it ends, in how much memory, and what is left behind.

    python -m tools.faults                      # all, in some minutes
    python -m tools.faults --item 3 8           # those of some groups
    python -m tools.faults --tree ../older      # how another checkout fares

The commands run as processes of their own in empty folders, with a server on this machine where a model hub would be,
which counts connections. Prints a table in Markdown. Exit code 1 if a promise was broken: a traceback, another exit
code or sentence than is promised, a control character that reaches the terminal, more memory than is stated, a
connection or a file where there must be none. Linux only: it reads /proc. What is promised: ``docs/use/faults.md``.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import zstandard

ROOT = Path(__file__).resolve().parents[1]
TINY = Path("tests") / "data" / "models" / "tiny-edits"
#: megabytes of an ordinary command with its model, and what may come on top of it in commands that load more
ORDINARY, LARGE = 400, 2000
#: megabytes at which a command is ended, so that one that has no bounds does no harm
MOST_MEMORY = 6000
#: seconds after which a command counts as hung
PATIENCE = 300
SIZE = 1 << 30


@dataclass(frozen=True)
class Fault:
    """Something that is wrong, and how a command must end.

    Attributes:
        item: group, for ``--item``.
        words: of the command; ``TINY`` stands for a small model.
        codes: of the exit.
        told: expression that is found in what the command prints.
        make: writes the input into the folder of the command.
        given: standard input.
        memory: most megabytes.
        killed_by: signal that the command gets when it is at work.
    """

    item: int
    words: str
    codes: tuple[int, ...]
    told: str = ""
    make: Callable[[Path], object] = lambda folder: None
    given: bytes = b""
    memory: int = ORDINARY
    killed_by: str = ""


@dataclass
class Ending:
    """How a command ended."""

    code: int | str
    told: bytes
    shown: bytes
    megabytes: float
    seconds: float
    connections: int
    left: list[str] = field(default_factory=list)


# ---------------------------------------------------------------- inputs

SENTENCE = b"Then she said so.\n"


def write(name: str, data: bytes) -> Callable[[Path], object]:
    """Return what writes a file."""

    def make(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    return make


def both(*makes: Callable[[Path], object]) -> Callable[[Path], object]:
    """Return what does one after the other."""

    def make(folder: Path) -> None:
        for one in makes:
            one(folder)

    return make


def parquet_among_others(folder: Path) -> None:
    """A damaged Parquet file between two good files."""
    import pyarrow
    from pyarrow import parquet

    (folder / "in").mkdir()
    (folder / "in" / "a.txt").write_bytes(SENTENCE)
    parquet.write_table(pyarrow.table({"text": ["Then she said so."] * 200}), folder / "in" / "b.parquet")
    data = bytearray((folder / "in" / "b.parquet").read_bytes())
    data[40:200] = b"\xff" * 160
    (folder / "in" / "b.parquet").write_bytes(data)
    (folder / "in" / "c.txt").write_bytes(SENTENCE)


def odd_names(folder: Path) -> None:
    """A name that is no UTF-8, one with an escape sequence, a named pipe, a socket and a device."""
    inner = folder / "in"
    inner.mkdir()
    (inner / "good.txt").write_bytes(SENTENCE)
    (inner / os.fsdecode(b"caf\xe9.txt")).write_bytes(SENTENCE)
    (inner / "red\x1b[31m.txt").write_bytes(SENTENCE)
    os.mkfifo(inner / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as found:
        found.bind(str(inner / "socket.txt"))
    (inner / "device.txt").symlink_to("/dev/zero")


def bomb(name: str, *, newline: bool = False, before: bytes = b"") -> Callable[[Path], object]:
    """Return what writes a small packed file of a gigabyte: one line, or a million."""

    def make(folder: Path) -> None:
        piece = (b"a" * 1023 + (b"\n" if newline else b"a")) * 1024
        with (folder / name).open("wb") as stream:
            packed = (
                gzip.GzipFile(fileobj=stream, mode="wb")
                if name.endswith(".gz")
                else zstandard.ZstdCompressor(level=3).stream_writer(stream)
            )
            packed.write(before)
            for _ in range(SIZE // len(piece)):
                packed.write(piece)
            packed.close()

    return make


def long_line(name: str) -> Callable[[Path], object]:
    """Return what writes a gigabyte without a line end, as a sparse file."""

    def make(folder: Path) -> None:
        with (folder / name).open("wb") as stream:
            stream.write(b"she ")
            stream.truncate(SIZE)

    return make


def model(change: Callable[[Path], object]) -> Callable[[Path], object]:
    """Return what copies a small model and changes it."""

    def make(folder: Path) -> None:
        (folder / "in.txt").write_bytes(SENTENCE)
        change(Path(shutil.copytree(folder.parents[2] / "tiny", folder / "model")))

    return make


def with_info(**values: object) -> Callable[[Path], object]:
    """Return what puts values into the description of a model."""

    def change(folder: Path) -> None:
        path = folder / "rewriter.json"
        path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | values), encoding="utf-8")

    return change


def endless_head(folder: Path) -> None:
    """A number that is none, in a head whose digest is right."""
    import hashlib

    path, info = folder / "head.json", folder / "rewriter.json"
    head = json.loads(path.read_text(encoding="utf-8"))
    head["bias"][0] = float("nan")
    path.write_text(json.dumps(head), encoding="utf-8")
    values = json.loads(info.read_text(encoding="utf-8"))
    values["files"]["head.json"] = hashlib.sha256(path.read_bytes()).hexdigest()
    info.write_text(json.dumps(values), encoding="utf-8")


MULTIPLYING = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
).encode()
IN = write("in.txt", SENTENCE)
TWO = both(write("a.txt", SENTENCE), write("b.txt", SENTENCE))
MANY = write("in.txt", SENTENCE * 200_000)
PAIR = b'{"source": "She \\ud800 left.", "target": "They left."}\n'
REWRITE = "rewrite in.txt --model TINY"
DOCUMENT = REWRITE + " -o out.txt --unit document"
CONVERT = "convert --to-form colon in.txt --format text -o out.txt"
DRY = "run en-small --dry-run --set data.root=."
_LONG = r"more than 64 MB"

# ---------------------------------------------------------------- faults

#: commands that read text, with a file of one gigabyte in one line
READERS = (
    "rewrite big.txt.zst -o out.txt --model TINY",
    "rewrite big.txt.zst -o out/ --model TINY --processes 2",
    "rewrite big.txt.zst --check --model TINY",
    "eval genbit big.txt.zst",
    "eval bias-filter big.txt.zst",
    "eval wer big.txt.zst big.txt.zst",
    "eval errors big.txt.zst big.txt.zst big.txt.zst",
    "eval rules en big.txt.zst",
    "augment swap big.txt.zst -o out.txt",
    "augment normalise big.txt.zst --lang de -o out.txt",
    "augment find-fair big.txt.zst --lang de -o out",
    "augment pairs big.txt.zst --strategy stand-in -o out",
    "balance count big.txt.zst -o out",
)

FAULTS = (
    Fault(1, "rewrite in -o out/ --model TINY --column text", (4,), r"b\.parquet", parquet_among_others),
    Fault(1, "rewrite in -o out/ --model TINY --column text --processes 2", (4,), r"b\.parquet", parquet_among_others),
    Fault(2, "rewrite in -o out/ --model TINY", (0,), "pipe.txt", odd_names),
    Fault(2, "rewrite in -o out/ --model TINY --processes 2 --shard-lines 1", (0,), "pipe.txt", odd_names),
    Fault(2, "rewrite in -o out/ --model TINY --dry-run", (0,), "pipe.txt", odd_names),
    *(Fault(3, words, (4,), _LONG, bomb("big.txt.zst"), memory=LARGE) for words in READERS),
    Fault(3, CONVERT.replace("in.txt", "big.txt"), (4,), _LONG, long_line("big.txt"), memory=LARGE),
    Fault(3, "filter big.jsonl.zst -o out", (4,), _LONG, bomb("big.jsonl.zst"), memory=LARGE),
    Fault(3, "mix big.jsonl.zst -o out", (4,), _LONG, bomb("big.jsonl.zst"), memory=LARGE),
    Fault(3, "rewrite big.txt.gz -o out.txt --model TINY", (4,), _LONG, bomb("big.txt.gz"), memory=LARGE),
    Fault(3, "rewrite big.txt -o out.txt --model TINY", (4,), _LONG, long_line("big.txt"), memory=LARGE),
    Fault(3, "eval bias-filter big.txt", (4,), _LONG, long_line("big.txt"), memory=LARGE),
    Fault(3, "eval bias-filter many.txt.zst", (0,), "", bomb("many.txt.zst", newline=True), memory=LARGE),
    Fault(3, CONVERT, (4,), "more than 64 MB", write("in.txt", SENTENCE * (4 << 20)), memory=LARGE),
    Fault(3, DOCUMENT, (4,), "16 MB", write("in.txt", SENTENCE * (2 << 20)), memory=LARGE),
    Fault(3, "run ./big.yaml --dry-run", (2,), "more than 1 MB", long_line("big.yaml")),
    Fault(4, DRY + " --set name=../../X", (2,), "name names a folder"),
    Fault(4, "run ./many.yaml --dry-run", (2,), "aliases stand for more", write("many.yaml", MULTIPLYING)),
    *(
        Fault(5, REWRITE + " -o out.txt" + more, (128 + getattr(signal, name),), name, MANY, killed_by=name)
        for name in ("SIGTERM", "SIGHUP", "SIGQUIT")
        for more in ("", " --processes 2")
    ),
    Fault(6, "rewrite in.txt --model ./model", (4,), "not listed", model(write("vocabulary.txt", b"x"))),
    Fault(6, "rewrite in.txt --model ./model", (4,), "not all numbers", model(endless_head)),
    Fault(6, "rewrite in.txt --model ./model", (4,), "newer version", model(with_info(format=2))),
    Fault(7, "eval bec-pro nope-model", (2, 4), "nope-model", memory=LARGE),
    Fault(7, "eval mlm-bias nope-model --tests bec-pro", (2, 4), "nope-model", memory=LARGE),
    Fault(8, "run ./latin.yaml --dry-run", (2,), "not UTF-8", write("latin.yaml", b"name: caf\xe9\n")),
    Fault(8, DRY + " --set train.steps={", (2,), "train.steps"),
    Fault(8, DRY + " --set lang=xx", (2,), "xx"),
    Fault(8, DRY + " --set mix.seed=-1", (2,), "seed"),
    Fault(8, REWRITE + " --threads -1", (2,), "threads", IN),
    Fault(8, REWRITE + " --threads 99999", (2,), "threads", IN),
    Fault(8, "eval genbit in.txt --seed 99999999999999999999", (2,), "seed", IN),
    Fault(8, f"rewrite in.csv --model TINY --column {'x' * 5000}", (2,), "column", write("in.csv", b"text\nshe\n")),
    Fault(8, f"rewrite {'x' * 5000}.txt --model TINY", (4,), "too long|not found|no such", IN),
    Fault(8, "mix pairs.jsonl -o out", (4,), "surrogate", write("pairs.jsonl", PAIR), memory=LARGE),
    Fault(9, "rewrite - --model de --form pair", (0,), "", given=b"Der\rLehrer singt.\rEin guter\r\rArzt kommt.\r"),
    Fault(13, REWRITE, (4,), "UTF-16", write("in.txt", SENTENCE.decode().encode("utf-16-le") * 9)),
    Fault(13, "rewrite a.txt b.txt -o out.txt --model TINY --dry-run", (2,), "out.txt", TWO),
    Fault(13, DRY + " --set tokenizer.vocab_size=999999999999", (2,), "vocab_size"),
)  # fmt: skip

# ---------------------------------------------------------------- running


@contextmanager
def hub() -> Iterator[tuple[str, list[int]]]:
    """Listen where a model hub would be; yield its address and the ports that connected."""
    server, connected = socket.create_server(("127.0.0.1", 0)), []

    def listen() -> None:
        while True:
            try:
                client, (_, port) = server.accept()
            except OSError:
                return
            connected.append(port)
            client.close()

    threading.Thread(target=listen, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}", connected
    finally:
        server.close()


def end_of(fault: Fault, tree: Path) -> Ending:
    """Run a command in a folder of its own."""
    with TemporaryDirectory(prefix="gender-fair-faults-") as name, hub() as (address, connected):
        outer = Path(name)
        folder = outer / "a" / "b" / "c"
        folder.mkdir(parents=True)
        tiny = shutil.copytree(tree / TINY, outer / "tiny")
        fault.make(folder)
        before = {str(path) for path in outer.rglob("*")}
        words = [str(tiny) if word == "TINY" else word for word in fault.words.split(" ")]
        environment = {**os.environ, "PYTHONPATH": str(tree), "HF_ENDPOINT": address, "TMPDIR": str(outer)}
        for hidden in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "GENDER_FAIR_ALLOW_DOWNLOAD"):
            environment.pop(hidden, None)
        streams = [outer / "told", outer / "shown", outer / "given"]
        streams[2].write_bytes(fault.given)
        start = time.monotonic()
        with streams[0].open("wb") as told, streams[1].open("wb") as shown, streams[2].open("rb") as given:
            process = subprocess.Popen(
                [sys.executable, "-m", "rewriter", *words],
                stdin=given, stdout=shown, stderr=told, cwd=folder, env=environment, process_group=0,
                preexec_fn=_as_at_a_terminal,
            )  # fmt: skip
            code, megabytes = _watch(process, fault, folder)
        seconds = time.monotonic() - start
        left = sorted(
            str(path.relative_to(outer))
            for path in outer.rglob("*")
            if str(path) not in before and path not in streams and _is_odd(path, folder)
        )
        return Ending(code, streams[0].read_bytes(), streams[1].read_bytes(), megabytes, seconds, len(connected), left)


def _as_at_a_terminal() -> None:
    """Give signals their usual meaning: what is started in the background may ignore some of them."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _is_odd(path: Path, folder: Path) -> bool:
    """Return True for what no command leaves: temporary files, and anything outside of its folder."""
    return path.is_file() and (not path.is_relative_to(folder) or ".tmp" in path.name)


def _watch(process: subprocess.Popen[bytes], fault: Fault, folder: Path) -> tuple[int | str, float]:
    """Wait for the end of a command; return its exit code, or why it was ended, and its largest memory."""
    most, end, signalled = 0.0, time.monotonic() + PATIENCE, not fault.killed_by
    why = ""
    while process.poll() is None:
        time.sleep(0.1)
        most = max(most, memory_of(process.pid))
        if not signalled and any(path.suffix == ".tmp" or ".tmp" in path.name for path in folder.rglob("*")):
            time.sleep(0.5)
            process.send_signal(getattr(signal, fault.killed_by))
            signalled = True
        if most > MOST_MEMORY or time.monotonic() > end:
            why = "hung" if most <= MOST_MEMORY else f"ended at {MOST_MEMORY} MB"
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return why or process.returncode, most


def memory_of(group: int) -> float:
    """Return the megabytes that a process group has in memory."""
    pages = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        pages += int(fields[21]) if int(fields[2]) == group else 0
    return pages * resource.getpagesize() / 1e6


def broken(fault: Fault, ending: Ending) -> list[str]:
    """Return what of the promise was broken."""
    told = ending.told.decode("utf-8", "backslashreplace")
    checks = (
        (ending.code in fault.codes, f"exit code {ending.code}"),
        ("Traceback" not in told and "nobody foresaw" not in told, "a traceback"),
        (bool(re.search(fault.told, told)), f"no sentence with {fault.told!r}"),
        (not re.search(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f]", told), "a raw control character"),
        (ending.megabytes <= fault.memory, f"more than {fault.memory} MB"),
        (not ending.connections, f"{ending.connections} connections"),
        (not ending.left, f"left behind: {', '.join(ending.left[:3])}"),
        (fault.item != 9 or ending.shown.count(b"\r") == fault.given.count(b"\r"), "another number of line ends"),
    )
    return [what for is_kept, what in checks if not is_kept]


def row(fault: Fault, ending: Ending, wrong: Sequence[str]) -> str:
    """Return a line of the table."""
    told = ending.told.decode("utf-8", "backslashreplace").strip().splitlines()
    lines = [line for line in told if re.search(fault.told or "$.", line)] or told or [""]
    said = re.sub(r"\S*gender-fair-faults-[^/]*/a/b/c/", "", lines[-1])
    said = re.sub(r"x{50,}", "xxx…", said)
    said = re.sub(r"[\0-\x1f\x7f]", "?", said).replace("|", "\\|").replace(str(ROOT) + "/", "")
    words = fault.words
    words = f"kill -{fault.killed_by[3:]}: {words}" if fault.killed_by else words
    words = re.sub(r"x{50,}", "xxx…", words)
    cells = (fault.item, f"`{words}`", ending.code, f"{ending.megabytes:.0f} MB", f"{ending.seconds:.1f} s", said[:160])
    return f"| {' | '.join(map(str, cells))} | {'; '.join(wrong) or 'kept'} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the faults; return 1 if a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--item", type=int, nargs="+", help="groups (default: all)")
    parser.add_argument(
        "--match", default="", metavar="EXPRESSION", help="commands in which this is found (default: all)"
    )
    parser.add_argument("--tree", type=Path, default=ROOT, help="checkout whose commands run (default: this one)")
    args = parser.parse_args(arguments)
    print("| item | command | exit | memory | time | says | promise |\n|---|---|---|---|---|---|---|")
    count = 0
    for fault in FAULTS:
        if (args.item and fault.item not in args.item) or not re.search(args.match, fault.words):
            continue
        ending = end_of(fault, args.tree.resolve())
        wrong = broken(fault, ending)
        count += bool(wrong)
        print(row(fault, ending, wrong), flush=True)
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main())
