"""How the service runs; what is not said is safe: loopback, no other origins, bounded work."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rewriter.errors import UsageError
from rewriter.options import at_least, positive

__all__ = ["Limits", "ServeOptions"]

#: environment variable with the token, where no file is named
TOKEN = "GENDER_FAIR_TOKEN"
#: addresses that only this machine reaches
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class Limits:
    """What one client may cost the others.

    Attributes:
        bytes: of the body of a request, or of one line of a stream.
        texts: of one request.
        seconds: from the first byte of a request to its answer; of a stream: from one line to the next.
        workers: requests that are worked on at the same time; 0: one per core.
        waiting: requests that may wait for a worker; what comes on top is refused.
        streams: streams that may be open at the same time.
        sentences: that are remembered for each model and its options, about 2 kB each; 0 for none.
    """

    bytes: int = 1_000_000
    texts: int = 1000
    seconds: float = 60.0
    workers: int = 0
    waiting: int = 64
    streams: int = 16
    sentences: int = 50_000

    def __post_init__(self) -> None:
        positive(seconds=self.seconds)
        at_least(1, bytes=self.bytes, texts=self.texts, streams=self.streams)
        at_least(0, workers=self.workers, waiting=self.waiting, sentences=self.sentences)

    @property
    def threads(self) -> int:
        """Number of workers."""
        return self.workers or os.cpu_count() or 1


@dataclass(frozen=True)
class ServeOptions:
    """What is served, to whom.

    Attributes:
        host: address that the service listens on.
        port: 0 takes a free one.
        models: bundled names and model directories; none takes all bundled ones.
        token: what clients must show (``Authorization: Bearer TOKEN``); empty for nothing.
        origins: origins of pages elsewhere that may call the service (CORS).
        limits: what one client may cost.
    """

    host: str = LOOPBACK[0]
    port: int = 8000
    models: tuple[str, ...] = ()
    token: str = field(default="", repr=False)
    origins: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches the service."""
        return self.host in LOOPBACK


def read_token(path: Path | None, environment: Mapping[str, str]) -> str:
    """Return the token that a file holds, else the environment; empty where there is none.

    Raises:
        UsageError: the file cannot be read or is empty, or the token is not printable ASCII.
    """
    token = environment.get(TOKEN, "").strip()
    if path is not None:
        try:
            token = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"--token-file {path}: cannot be read ({error})") from None
        if not token:
            raise UsageError(f"--token-file {path}: is empty; write the token on its first line")
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise UsageError("the token must be printable ASCII characters without spaces, as HTTP headers have them")
    return token
