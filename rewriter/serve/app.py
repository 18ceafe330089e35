"""The application: paths, their descriptions, and the layers that every request passes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Any, TypeVar

from fastapi import Body, FastAPI, Query
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from rewriter.errors import GenderFairError, UsageError
from rewriter.language.interface import known_settings
from rewriter.serve.answers import Done, answer, check, rewrite_texts
from rewriter.serve.layers import FAILED, App, BoundedBody, TokenNeeded, Watched
from rewriter.serve.metrics import Metrics
from rewriter.serve.page import page, page_headers
from rewriter.serve.rewriters import Rewriters, Served, presets_of, served_models
from rewriter.serve.schema import (
    Answer,
    Answers,
    Check,
    Checks,
    Health,
    ModelEntry,
    Problem,
    Request,
    Settings,
)
from rewriter.serve.settings import ServeOptions
from rewriter.serve.stream import WhileReading, answers
from rewriter.serve.workers import RefusedError, Workers
from rewriter.version import __version__

__all__ = ["build_app"]

T = TypeVar("T")

STREAM = "/rewrite/stream"
#: what needs no token: the page holds no text, and whoever watches a service has to see that it lives
OPEN = ("/", "/health")
_DESCRIPTION = """Rewrites text gender-fairly: English singular *they*, the German gender star.
What is not gendered comes back as it was. Offsets count characters (Unicode code points)."""
_REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "a setting is wrong"},
    401: {"model": Problem, "description": "the token is missing"},
    413: {"model": Problem, "description": "too large"},
    422: {"model": Problem, "description": "the body is malformed"},
    503: {"model": Problem, "description": "too many requests wait already"},
    504: {"model": Problem, "description": "the answer takes too long"},
}


class Service:
    """What answers requests: models, workers, counts."""

    def __init__(self, options: ServeOptions, models: Sequence[Served]) -> None:
        self._limits, self._origins, self._token = options.limits, options.origins, options.token
        self.rewriters = Rewriters(models)
        self._workers = Workers(options.limits)
        self._metrics = Metrics(lambda: self._workers.unfinished)
        self._page = page([model.info.lang for model in models])
        self._streams = 0

    def app(self) -> App:
        """Return the application with its layers."""
        core = FastAPI(
            title="gender-fair-rewriter",
            version=__version__,
            description=_DESCRIPTION,
            docs_url=None,  # these pages load scripts from elsewhere
            redoc_url=None,
            lifespan=self._lifespan,
        )
        self._add_paths(core)
        for kind, handler in {**_HANDLERS, RefusedError: self._refuse}.items():
            core.add_exception_handler(kind, handler)
        paths = {route.path for route in core.routes}
        app: App = BoundedBody(core, self._limits, streams=[STREAM])
        if self._token:
            app = TokenNeeded(app, self._token, OPEN)
        app = Watched(app, self._metrics, paths)
        if self._origins:
            headers = ["Authorization", "Content-Type"]
            app = CORSMiddleware(app, allow_origins=self._origins, allow_methods=["GET", "POST"], allow_headers=headers)
        return app

    def _add_paths(self, core: Any) -> None:
        add: Callable[..., None] = core.add_api_route
        add("/", self.show_page, methods=["GET"], response_class=Response, include_in_schema=False)
        add(
            "/rewrite",
            self.rewrite,
            methods=["POST"],
            response_model=Answer | Answers,
            responses=_REFUSALS,
            summary="Rewrite one text or several",
        )
        add(
            STREAM,
            self.stream,
            methods=["POST"],
            response_class=WhileReading,
            responses={**_REFUSALS, 200: {"content": {"application/x-ndjson": {}}}},
            summary="Rewrite JSON lines (strings, or objects with text and id) as they come",
        )
        add(
            "/check",
            self.check,
            methods=["POST"],
            response_model=Check | Checks,
            responses=_REFUSALS,
            summary="Tell where one text or several would change",
        )
        add("/models", self.models, methods=["GET"], response_model=list[ModelEntry], summary="The models")
        add("/health", self.health, methods=["GET"], response_model=Health, summary="That the service answers")
        add("/metrics", self.metrics, methods=["GET"], response_class=Response, summary="Counts for Prometheus")

    @asynccontextmanager
    async def _lifespan(self, _: Any) -> AsyncIterator[None]:
        await asyncio.to_thread(self.rewriters.warm)
        yield
        await asyncio.to_thread(self._workers.close)

    async def show_page(self) -> Response:
        """The page for people."""
        return Response(self._page, media_type="text/html; charset=utf-8", headers=page_headers(self._page))

    async def rewrite(self, request: Annotated[Request, Body()]) -> Answer | Answers:
        """Rewrite ``text``, or each of ``texts``; every edit comes with its reason."""
        found = await self._answered(request, answer)
        return Answers(results=found) if request.text is None else found[0]

    async def check(self, request: Annotated[Request, Body()]) -> Check | Checks:
        """Tell the places in ``text``, or in each of ``texts``, that would change."""
        found = await self._answered(request, check)
        return Checks(results=found) if request.text is None else found[0]

    async def stream(self, request: HttpRequest, settings: Annotated[Settings, Query()]) -> WhileReading:
        """Answer line by line, in order; a line that holds no text is answered with an error, the others go on."""
        if self._streams >= self._limits.streams:
            raise RefusedError(503, f"{self._streams} streams are open already; try again later", "busy")
        await self._workers.run(lambda go_on: self._check_settings(settings))
        return WhileReading(self._streamed(request, settings))

    async def models(self) -> list[ModelEntry]:
        """Return the models with the scores that were measured when each was made."""
        return [_entry(model) for model in self.rewriters.models.values()]

    async def health(self) -> Health:
        """Return the version and the names of the models."""
        return Health(status="ok", version=__version__, models=list(self.rewriters.models))

    async def metrics(self) -> Response:
        """Return the counts."""
        return Response(self._metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def _answered(self, request: Request, write: Callable[[Done], T]) -> list[T]:
        texts = self._texts(request)
        done = await self._workers.run(lambda go_on: self._worked(texts, request, write, go_on))
        self._metrics.worked(text for text, _ in done)
        return [written for _, written in done]

    def _worked(
        self, texts: list[str], settings: Settings, write: Callable[[Done], T], go_on: Callable[[], None]
    ) -> list[tuple[Done, T]]:
        return [(done, write(done)) for done in rewrite_texts(texts, settings, self.rewriters, go_on)]

    def _texts(self, request: Request) -> list[str]:
        if (request.text is None) == (request.texts is None):
            raise UsageError("send either 'text', one string, or 'texts', a list of strings")
        texts = [request.text] if request.text is not None else request.texts or []
        if len(texts) > self._limits.texts:
            sentence = f"{len(texts)} texts are too many; send at most {self._limits.texts}, or use {STREAM}"
            raise RefusedError(413, sentence, "large")
        return texts

    def _check_settings(self, settings: Settings) -> None:
        lang = self.rewriters.language_of("", settings)
        for code in self.rewriters.languages if lang is None else [lang]:
            self.rewriters.of(settings, code)

    async def _streamed(self, request: HttpRequest, settings: Settings) -> AsyncIterator[bytes]:
        async def rewrite(texts: list[str]) -> list[Done]:
            done = await self._workers.run(
                lambda go_on: rewrite_texts(texts, settings, self.rewriters, go_on), bounded=False
            )
            self._metrics.worked(done)
            return done

        self._streams += 1
        try:
            async for part in answers(request.stream(), self._limits, rewrite):
                yield part
        finally:
            self._streams -= 1

    def _refuse(self, _: Any, refused: RefusedError) -> Response:
        self._metrics.refused(refused.why)
        return _refusal(refused.status, refused.sentence, refused.headers)


def _entry(model: Served) -> ModelEntry:
    info = model.info
    return ModelEntry(
        name=model.name,
        lang=info.lang,
        convention=info.convention,
        convention_version=info.convention_version,
        identity=info.identity,
        scores=[dict(score) for score in info.scores],
        settings=sorted(known_settings(info.lang)),
        presets=presets_of(info.lang),
    )


def _malformed(_: Any, error: Any) -> Response:
    return _refusal(422, sentence_of(error.errors()))


def sentence_of(errors: Sequence[dict[str, Any]]) -> str:
    """Return what a validation found as one sentence, without the values."""
    if errors[0]["type"] == "json_invalid":
        return f"the body is no valid JSON: {errors[0]['ctx']['error']}"
    if errors[0]["loc"] == ("body",):
        return "the body must be a JSON object with 'text' or 'texts'; send it as Content-Type: application/json"
    told = [f"{'.'.join(map(str, e['loc'][1:]))}: {e['msg'][:1].lower()}{e['msg'][1:]}" for e in errors[:3]]
    return "; ".join(told) + ("" if len(errors) <= 3 else f"; and {len(errors) - 3} more")


def _wrong(_: Any, error: Exception) -> Response:
    status = 400 if isinstance(error, GenderFairError) and error.exit_code == UsageError.exit_code else 500
    return _refusal(status, str(error))


def _failed(_: Any, error: Exception) -> Response:
    return _refusal(500, FAILED)


def _no_such(_: Any, error: Any) -> Response:
    known = {404: "there is no such path; /openapi.json describes those there are"}
    known[405] = "this path does not take that method; /openapi.json says which"
    return _refusal(error.status_code, known.get(error.status_code, str(error.detail)), error.headers)


def _refusal(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    # escaped, for a sentence may name a value that is no valid Unicode
    return Response(json.dumps({"error": sentence}), status, headers, media_type="application/json")


_HANDLERS: dict[Any, Callable[[Any, Any], Response]] = {
    RequestValidationError: _malformed,
    GenderFairError: _wrong,
    HTTPException: _no_such,
    Exception: _failed,
}


def build_app(options: ServeOptions | None = None) -> App:
    """Return the service as an ASGI application, for a server of one's own.

    Args:
        options: what is served; host and port are the server's matter.

    Raises:
        ModelError: there is no such model, or it is damaged.
    """
    options = options or ServeOptions()
    return Service(options, served_models(options.models, sentences=options.limits.sentences)).app()
