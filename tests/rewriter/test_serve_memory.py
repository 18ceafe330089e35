"""The service holds what it remembers, and nothing more: many requests of new texts leave nothing behind."""

from __future__ import annotations

import asyncio
import gc
import sys

import pytest

for library in ("fastapi", "uvicorn", "prometheus_client"):
    pytest.importorskip(library, reason="needs the extra 'serve'")
httpx = pytest.importorskip("httpx", reason="needs httpx (the extra 'dev')")

from rewriter.serve.app import build_app  # noqa: E402
from rewriter.serve.rewriters import served_models  # noqa: E402
from rewriter.serve.settings import Limits, ServeOptions  # noqa: E402

#: remembered sentences; full after a tenth of the requests
SENTENCES = 200
ROUND, ROUNDS = 60, 4


def texts(number: int) -> list[str]:
    return [f"She knows case {number}.{part} better than he does. It rained on day {number}." for part in range(8)]


async def blocks_after_each_round() -> list[int]:
    """Return how many blocks of memory Python's objects hold after each round of requests."""
    app = build_app(ServeOptions(models=("en",), limits=Limits(sentences=SENTENCES)))
    found = []
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://service", timeout=None) as client:
        for number in range(ROUND * ROUNDS):
            answer = await client.post("/rewrite", json={"texts": texts(number), "lang": "en"})
            assert len(answer.json()["results"]) == 8
            if number % ROUND == ROUND - 1:
                del answer
                gc.collect()
                found.append(sys.getallocatedblocks())
    return found


@pytest.mark.slow
def test_many_requests_leave_nothing_behind() -> None:
    """What is measured is what Python holds, not what the system has given it, which depends on the machine."""
    first, *later = asyncio.run(blocks_after_each_round())
    # each round has 960 new sentences of some ten blocks
    assert max(later) - first < 3 * ROUND * 8


def test_nothing_is_remembered_where_that_is_asked_for() -> None:
    (model,) = served_models(["en"], sentences=0)
    rewriter = model.spec.load()
    rewriter.rewrite(["She left."] * 3)
    assert rewriter.cache_counts == (0, 0)
