"""What the service counts, as Prometheus reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from rewriter.serve.answers import Done

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """Counters of one service; they hold no text."""

    def __init__(self, unfinished: Callable[[], float]) -> None:
        """Begin at zero.

        Args:
            unfinished: returns how many requests are worked on or wait.
        """
        self._registry = registry = CollectorRegistry()
        self._requests = Counter(
            "gender_fair_requests", "Requests by path and status", ["path", "status"], registry=registry
        )
        self._seconds = Histogram(
            "gender_fair_request_seconds",
            "Time to the end of the answer",
            ["path"],
            registry=registry,
            buckets=_SECONDS,
        )
        self._refused = Counter("gender_fair_refused", "Requests refused by reason", ["reason"], registry=registry)
        self._texts = Counter("gender_fair_texts", "Texts by language", ["lang"], registry=registry)
        self._failed = Counter("gender_fair_failed_texts", "Texts that could not be worked on", registry=registry)
        self._characters = Counter("gender_fair_characters", "Characters of texts", registry=registry)
        self._edits = Counter("gender_fair_edits", "Edits by language and kind", ["lang", "kind"], registry=registry)
        unfinished_now = Gauge("gender_fair_unfinished", "Requests worked on or waiting", registry=registry)
        unfinished_now.set_function(unfinished)

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def refused(self, reason: str) -> None:
        """Count a refusal."""
        self._refused.labels(reason).inc()

    def worked(self, done: Iterable[Done]) -> None:
        """Count texts and their edits."""
        for text in done:
            lang = text.lang or "none"
            self._texts.labels(lang).inc()
            self._characters.inc(len(text.source))
            self._failed.inc(text.rewrite.error is not None)
            for edit in text.rewrite.edits:
                self._edits.labels(lang, edit.kind).inc()

    def text(self) -> bytes:
        """Return the counts in Prometheus' text format."""
        written: bytes = generate_latest(self._registry)
        return written
