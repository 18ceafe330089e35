"""Texts line by line: JSON lines in, JSON lines out, in their order, as they come."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NamedTuple

from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse

from rewriter.serve.answers import Done, answer
from rewriter.serve.settings import Limits
from rewriter.serve.workers import RefusedError


class WhileReading(StreamingResponse):  # type: ignore[misc]
    """An answer that is sent while its request is still being read.

    Starlette's own waits for the end of the connection meanwhile, and throws away the parts of the body that come.
    """

    media_type = "application/x-ndjson"

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send the answer part by part."""
        await self.stream_response(send)


class Line(NamedTuple):
    """One line of a stream.

    Attributes:
        number: from 1.
        text: None where the line holds none.
        id: what the client calls it; it comes back.
        error: what is wrong with the line.
    """

    number: int
    text: str | None = None
    id: Any = None
    error: str = ""


def read_line(number: int, line: bytes) -> Line:
    """Return what a line holds: a JSON string, or an object with ``text`` and perhaps ``id``."""
    try:
        value = json.loads(line)
        name = value.get("id") if isinstance(value, dict) else None
        text = value.get("text") if isinstance(value, dict) else value
        if isinstance(text, str):
            text.encode()  # no half surrogates, which no answer could hold
            return Line(number, text, name)
    except (ValueError, RecursionError):
        return Line(number, error="the line is no valid JSON in UTF-8")
    return Line(number, id=name, error='the line is neither a JSON string nor an object with the string "text"')


async def read_lines(chunks: AsyncIterator[bytes], limits: Limits) -> AsyncIterator[list[Line]]:
    """Yield the lines that each chunk of a body completes, at most as many at a time as a request may hold.

    Args:
        chunks: the body as it comes.
        limits: of one line, and of the time between chunks.

    Raises:
        RefusedError: a line is too long, or nothing came for too long.
    """
    number, rest = 0, b""
    while (chunk := await _chunk(chunks, limits)) is not None:
        *whole, rest = (rest + chunk).split(b"\n")
        if len(rest) > limits.bytes or any(len(line) > limits.bytes for line in whole):
            raise RefusedError(413, f"a line is longer than {limits.bytes:,} bytes; the stream ends here", "large")
        read = [read_line(number + place, line) for place, line in enumerate(whole, 1) if line.strip()]
        number += len(whole)
        for start in range(0, len(read), limits.texts):
            yield read[start : start + limits.texts]
    if rest.strip():
        yield [read_line(number + 1, rest)]


async def _chunk(chunks: AsyncIterator[bytes], limits: Limits) -> bytes | None:
    try:
        return await asyncio.wait_for(anext(chunks, None), limits.seconds)
    except TimeoutError:
        raise RefusedError(408, f"no line came for {limits.seconds:g} s; the stream ends here", "slow") from None


async def answers(
    chunks: AsyncIterator[bytes], limits: Limits, rewrite: Callable[[list[str]], Awaitable[list[Done]]]
) -> AsyncIterator[bytes]:
    """Yield a JSON line for every line of a body: its number, its id, and its answer or what is wrong with it.

    Args:
        chunks: the body as it comes.
        limits: see :func:`read_lines`.
        rewrite: called with the texts of some lines.
    """
    try:
        async for lines in read_lines(chunks, limits):
            done = iter(await rewrite([line.text for line in lines if line.text is not None]))
            yield b"".join(_written(line, None if line.text is None else next(done)) for line in lines)
    except ClientDisconnect:
        return
    except RefusedError as refused:  # the answer has begun, so that its status is said already
        yield _json({"error": refused.sentence})


def _written(line: Line, done: Done | None) -> bytes:
    head = {"line": line.number} | ({} if line.id is None else {"id": line.id})
    return _json(head | ({"error": line.error} if done is None else answer(done).model_dump()))


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
