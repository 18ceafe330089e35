"""What every request passes before it is understood: counting, the token, the limits of its body."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import time
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any

from rewriter.serve.metrics import Metrics
from rewriter.serve.settings import Limits
from rewriter.serve.workers import RefusedError

log = logging.getLogger("gender_fair.serve")

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

#: bodies that are too large are read to their end, up to so many times the limit, so that the client hears why
_DRAINED = 16
#: all that clients hear of an error that nobody foresaw, for its message may hold their text
FAILED = "the service failed on this request; its log says where"


class Watched:
    """The outermost layer: counts and logs requests, and answers what went wrong with a sentence.

    Log lines hold method, path, status and time; no text, no query, and of unforeseen errors only type and place.
    """

    def __init__(self, app: App, metrics: Metrics, paths: Collection[str]) -> None:
        self._app, self._metrics, self._paths = app, metrics, paths

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        started, status = time.monotonic(), 0
        path = scope["path"] if scope["path"] in self._paths else "other"

        async def watch(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except RefusedError as refused:
            self._metrics.refused(refused.why)
            await _problem(watch, refused.status, refused.sentence, refused.headers)
        except Exception as error:
            log.error("%s %s: %s", scope["method"], path, _where(error))
            if not status:
                await _problem(watch, 500, FAILED, {})
        seconds = time.monotonic() - started
        self._metrics.answered(path, status, seconds)
        log.info("%s %s %s %.0f ms", scope["method"], path, status, 1000 * seconds)


def _where(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" in {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return f"{type(error).__name__}{place}"


async def _problem(send: Send, status: int, sentence: str, headers: dict[str, str]) -> None:
    body = json.dumps({"error": sentence}, ensure_ascii=False).encode("utf-8", "replace")
    fields = {"content-type": "application/json", "content-length": str(len(body)), **headers}
    encoded = [(name.lower().encode(), value.encode()) for name, value in fields.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


class TokenNeeded:
    """Refuses requests without the token, but for the page and the health of the service."""

    def __init__(self, app: App, token: str, open_paths: Collection[str]) -> None:
        self._app, self._expected, self._open = app, f"Bearer {token}".encode(), open_paths

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http" and scope["path"] not in self._open and scope["method"] != "OPTIONS":
            shown = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(shown, self._expected):
                sentence = "this service needs its token; send the header 'Authorization: Bearer TOKEN'"
                raise RefusedError(401, sentence, "token", {"WWW-Authenticate": "Bearer"})
        await self._app(scope, receive, send)


class BoundedBody:
    """Reads bodies to their end before anything else is done with them, no larger and no slower than allowed.

    Streams are passed on as they come; they have limits of their own.
    """

    def __init__(self, app: App, limits: Limits, streams: Collection[str]) -> None:
        self._app, self._limits, self._streams = app, limits, streams

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on with the whole of its body, or refuse it."""
        if scope["type"] != "http" or scope["path"] in self._streams:
            return await self._app(scope, receive, send)
        try:
            body = await asyncio.wait_for(self._read(receive), self._limits.seconds)
        except TimeoutError:
            sentence = f"the body did not arrive within {self._limits.seconds:g} s"
            raise RefusedError(408, sentence, "slow", {"Connection": "close"}) from None
        parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
        await self._app(scope, lambda: _next(parts, receive), send)

    async def _read(self, receive: Receive) -> bytes:
        most, size = self._limits.bytes, 0
        parts: list[bytes] = []
        more = True
        while more and size <= most * _DRAINED:
            message = await receive()
            if message["type"] == "http.disconnect":
                break
            part, more = message.get("body", b""), message.get("more_body", False)
            size += len(part)
            if size <= most:
                parts.append(part)
        if size > most:
            sentence = f"the body is larger than {most:,} bytes; send fewer texts at a time, or use /rewrite/stream"
            raise RefusedError(413, sentence, "large", {"Connection": "close"})
        return b"".join(parts)


async def _next(parts: list[Message], receive: Receive) -> Message:
    return parts.pop() if parts else await receive()
