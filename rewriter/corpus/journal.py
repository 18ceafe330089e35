"""The journal of a run: a file of JSON lines that only grows.

A line that a killed process did not finish is cut off. Later lines win over earlier ones.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rewriter.errors import OutputError

JOURNAL = "journal.jsonl"


class Journal:
    """Reports of finished shards and what else must be known to go on."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / JOURNAL
        #: (file, shard) -> place of the report in the journal
        self.shards: dict[tuple[int, int], int] = {}
        #: (file, shard) -> bytes of the part
        self.sizes: dict[tuple[int, int], int] = {}
        #: file -> shards and bytes that were joined
        self.joined: dict[int, tuple[int, int]] = {}
        #: file -> shards and bytes of the whole output
        self.complete: dict[int, tuple[int, int]] = {}
        #: file -> SHA-256 of its bytes
        self.digests: dict[int, str] = {}
        #: files that could not be read to their end
        self.failed: set[int] = set()
        self._end = 0

    def load(self) -> None:
        """Read what is there; a line that was not finished is cut off."""
        if not self.path.exists():
            return
        with self.path.open("rb") as stream:
            for line in stream:
                try:
                    record = json.loads(line)
                except ValueError:
                    break
                if not line.endswith(b"\n"):
                    break
                self._learn(record)
                self._end += len(line)
        if self.path.stat().st_size != self._end:
            os.truncate(self.path, self._end)

    def add(self, record: Mapping[str, Any]) -> None:
        """Append a record.

        Raises:
            OutputError: it cannot be written.
        """
        line = json.dumps(record, ensure_ascii=True).encode("ascii") + b"\n"
        try:
            with self.path.open("ab", buffering=0) as stream:
                if stream.write(line) != len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            self._cut_off()
            raise OutputError(f"{self.path}: cannot be written ({error.strerror or error})") from error
        self._learn(record)
        self._end += len(line)

    def _cut_off(self) -> None:
        try:
            os.truncate(self.path, self._end)
        except OSError:
            pass  # the next start does it

    def _learn(self, record: Mapping[str, Any]) -> None:
        file = record["file"]
        if "report" in record:
            self.shards[file, record["shard"]] = self._end
            self.sizes[file, record["shard"]] = record["report"]["size"]
        elif "joined" in record:
            self.joined[file] = (record["joined"], record["size"])
        elif "complete" in record:
            self.complete[file] = (record["complete"], record["size"])
        elif "sha256" in record:
            self.digests[file] = record["sha256"]
        elif "failed" in record:
            self.failed.add(file)
        elif "forget" in record:
            self._forget(file)

    def _forget(self, file: int) -> None:
        for key in [key for key in self.shards if key[0] == file]:
            del self.shards[key], self.sizes[key]
        for known in (self.joined, self.complete, self.digests):
            known.pop(file, None)
        self.failed.discard(file)

    def reports(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield (file, report) in the order of the input, one at a time."""
        if not self.shards:
            return
        with self.path.open("rb") as stream:
            for (file, _), place in sorted(self.shards.items()):
                stream.seek(place)
                yield file, json.loads(stream.readline())["report"]
