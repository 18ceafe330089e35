"""What a run knows about itself on disk: a manifest, a journal of finished shards, parts, half-joined outputs.

The journal is a file of JSON lines that only grows; a line that a killed process did not finish is cut off. A shard is
done when its part was renamed into place and its report stands in the journal. Parts are appended to the file that will
be the output as soon as all before them are there; after each the journal says how long that file is, and only then
the part is removed. Whatever was written behind that length is cut off when a run is continued.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rewriter.corpus.journal import Journal
from rewriter.corpus.plan import CorpusFile
from rewriter.errors import InputError, OutputError, ResumeError
from rewriter.formats import FormatOptions, detect
from rewriter.formats.parquet import ParquetTexts
from rewriter.io.files import atomic_write
from rewriter.runs.manifest import MANIFEST, Manifest, differences

STAGE = "rewrite"


class Digests:
    """Computes the digests of input files beside the work, which needs them only at its end."""

    def __init__(self, files: Sequence[CorpusFile]) -> None:
        self._stop = threading.Event()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="digest")
        self._waiting: dict[int, Future[str]] = {
            file.number: self._pool.submit(digest, file.path, self._stop) for file in files
        }

    def take(self, *, wait: bool) -> Iterator[tuple[int, str | InputError]]:
        """Yield (file, digest, or the error where it cannot be read) of those that are ready, or of all."""
        for number, future in list(self._waiting.items()):
            if not (wait or future.done()):
                return
            del self._waiting[number]
            error = future.exception()
            if error is not None and not isinstance(error, InputError):
                raise error
            yield number, error or future.result()

    def close(self) -> None:
        """Stop computing."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)


def digest(path: Path, stop: threading.Event | None = None) -> str:
    """Return the SHA-256 of a file's bytes as hex, or of their beginning where ``stop`` is set.

    Raises:
        InputError: the file cannot be read.
    """
    value = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while (block := stream.read(1 << 20)) and not (stop is not None and stop.is_set()):
                value.update(block)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    return value.hexdigest()


class State:
    """The state folder of a run, which is held by a lock (:func:`rewriter.runs.manifest.lock`)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = Journal(folder)
        self.manifest = Manifest(STAGE, {})

    def begin(self, identity: Mapping[str, Any], files: Sequence[CorpusFile], *, fresh: bool) -> None:
        """Continue the run that is there, or begin one.

        Raises:
            ResumeError: another run is there; the message names what differs.
        """
        old = None if fresh else Manifest.load(self.folder)
        if old is None:
            self._clear()
            self.manifest = Manifest(STAGE, json.loads(json.dumps(identity)))
        else:
            self.journal.load()
            self.manifest = old
            self._check(identity, files)
        inputs = [[file.size, file.modified] for file in files]
        if self.manifest.notes.get("inputs") != inputs or old is None:
            self.manifest.notes["inputs"] = inputs
            self.save()
        for path in self.folder.glob(".*.tmp"):
            path.unlink(missing_ok=True)

    def save(self) -> None:
        """Write the manifest."""
        self.manifest.save(self.folder)

    def _check(self, identity: Mapping[str, Any], files: Sequence[CorpusFile]) -> None:
        lines = differences(self.manifest.identity, json.loads(json.dumps(identity)))
        if not lines:
            known = zip(files, self.manifest.notes.get("inputs", ()), strict=False)
            lines = [line for file, was in known for line in self._input_differs(file, *was)]
        if lines:
            listed = "\n  ".join(lines)
            raise ResumeError(
                f"{self.folder} holds the state of another run; it differs in\n  {listed}\nUse --fresh to begin anew."
            )

    def _input_differs(self, file: CorpusFile, size: int, modified: int) -> list[str]:
        """Say how an input differs from what it was; one that could not be read may have been replaced."""
        if (file.size, file.modified) == (size, modified):
            return []
        if file.number in self.journal.failed:
            self.journal.add({"file": file.number, "forget": True})
            return []
        if file.size != size:
            return [f"input {file.name}: had {size} bytes, has {file.size}"]
        before = self.journal.digests.get(file.number)
        if before is None:
            return [f"input {file.name}: was modified since, and its digest is not known yet"]
        now = digest(file.path)
        return [] if now == before else [f"input {file.name}: its content was {before[:16]}, is {now[:16]}"]

    def _clear(self) -> None:
        """Remove what an earlier run left, as far as such runs make it."""
        for path in (self.folder / MANIFEST, self.journal.path, *self.folder.glob("*.jsonl")):
            path.unlink(missing_ok=True)
        for pattern in ("part-[0-9]*", "joined-[0-9]*", ".*.tmp"):
            for path in self.folder.glob(pattern):
                path.unlink(missing_ok=True)


class Outputs:
    """Joins the parts of every output file, in order, as they come; with ``doubles`` they may have rows more."""

    def __init__(
        self, state: State, files: Sequence[CorpusFile], options: FormatOptions, *, doubles: bool = False
    ) -> None:
        self._state, self._journal, self._options, self._doubles = state, state.journal, options, doubles
        self._files = {file.number: file for file in files}
        self._totals: dict[int, int] = {}

    def part(self, file: int, shard: int) -> Path:
        """Return the path of a part; its compression is that of the output."""
        suffix = self._files[file].target.suffix
        return self._state.folder / f"part-{file:05d}-{shard:06d}{suffix if suffix in ('.gz', '.zst') else ''}"

    def _joined(self, file: int) -> Path:
        return self._state.folder / f"joined-{file:05d}"

    def recover(self) -> None:
        """Bring what is on disk in line with the journal."""
        for number, file in self._files.items():
            complete = self._journal.complete.get(number)
            if complete is not None:
                self._finish(number)
            elif number in self._journal.joined:
                self._cut(number, self._journal.joined[number][1])
            if complete is not None and not _has_size(file.target, complete[1]):
                self._journal.add({"file": number, "forget": True})
                self._joined(number).unlink(missing_ok=True)
        for path in self._state.folder.glob("part-[0-9]*"):
            number, shard = map(int, path.name.split(".")[0].split("-")[1:])
            joined = shard < self._journal.joined.get(number, (0, 0))[0]
            if joined or number in self._journal.complete or (number, shard) not in self._journal.shards:
                path.unlink(missing_ok=True)

    def _cut(self, file: int, size: int) -> None:
        path = self._joined(file)
        if path.exists() and path.stat().st_size >= size:
            os.truncate(path, size)
        else:
            self._journal.add({"file": file, "forget": True})
            path.unlink(missing_ok=True)

    def done(self, file: int) -> bool:
        """Return whether the output of a file is complete."""
        return file in self._journal.complete

    def has(self, file: int, shard: int) -> bool:
        """Return whether a shard is done."""
        return shard < self._journal.joined.get(file, (0, 0))[0] or self._has_part(file, shard)

    def _has_part(self, file: int, shard: int) -> bool:
        """Return whether a part is there, and whole: its last bytes may have been lost with the power."""
        size = self._journal.sizes.get((file, shard))
        return size is not None and _has_size(self.part(file, shard), size)

    def all_cut(self, file: int, shards: int) -> None:
        """Hear how many shards a file has."""
        self._totals[file] = shards

    def advance(self, file: int) -> None:
        """Join what can be joined; the output appears when nothing is missing.

        Raises:
            OutputError: it cannot be written; nothing half-written stands under its name.
            InputError: the input was changed meanwhile.
        """
        try:
            self._join(file)
        except OSError as error:
            target = self._files[file].target
            raise OutputError(f"{target}: cannot be written ({error.strerror or error})") from error

    def _join(self, file: int) -> None:
        total = self._totals.get(file)
        if detect(self._files[file].path, self._options) == "parquet":
            if total is not None and all(self.has(file, shard) for shard in range(total)):
                self._join_parquet(file, total)
            return
        count, size = self._journal.joined.get(file, (0, 0))
        if total == 1 and count == 0 and self.has(file, 0):
            # nothing to join: the part is the output
            self.part(file, 0).replace(self._joined(file))
            self._complete(file, 1)
            return
        while total != 1 and self._has_part(file, count):
            part = self.part(file, count)
            size = _append(part, self._joined(file), size)
            count += 1
            self._journal.add({"file": file, "joined": count, "size": size})
            part.unlink()
        if total is not None and count == total:
            if total == 0:
                self._write_empty(file)
            self._complete(file, total)

    def _join_parquet(self, file: int, total: int) -> None:
        """Write the Parquet file whose row groups are the parts, which cannot simply stand one behind the other."""
        parts = [self.part(file, shard) for shard in range(total)]
        texts = ParquetTexts(self._files[file].path, self._options.columns)
        texts.join(parts, self._joined(file), doubles=self._doubles)
        self._complete(file, total)
        for part in parts:
            part.unlink()

    def _write_empty(self, file: int) -> None:
        empty = self.part(file, 0)
        with atomic_write(empty):
            pass
        empty.replace(self._joined(file))

    def _complete(self, file: int, shards: int) -> None:
        """Note that a joined file is whole before it gets its name, so that a killed run knows what to do with it.

        Raises:
            InputError: the input was changed meanwhile.
        """
        if self._files[file].changed():
            raise InputError(f"{self._files[file].path}: was changed while it was read")
        self._journal.add({"file": file, "complete": shards, "size": self._joined(file).stat().st_size})
        self._finish(file)

    def _finish(self, file: int) -> None:
        """Give a joined file its name, unless it has it."""
        if self._joined(file).exists():
            target = self._files[file].target
            target = target.resolve() if target.is_symlink() else target
            target.parent.mkdir(parents=True, exist_ok=True)
            self._joined(file).replace(target)


def _has_size(path: Path, size: int) -> bool:
    return path.is_file() and path.stat().st_size == size


def _append(part: Path, joined: Path, size: int) -> int:
    """Append a part to the first ``size`` bytes of ``joined``; return the new size."""
    with joined.open("r+b" if joined.exists() else "w+b") as stream:
        stream.seek(size)
        stream.truncate()
        with part.open("rb") as source:
            shutil.copyfileobj(source, stream, 1 << 20)
        return stream.tell()
