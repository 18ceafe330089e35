"""Settings for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# No test may depend on the speed of the machine, so hypothesis gets no deadline.
settings.register_profile("house", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

# Nothing is downloaded, also not by a library that would try.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
# Rewrites are compared as text; colours are asked for where they are tested.
os.environ.pop("FORCE_COLOR", None)


@pytest.fixture(autouse=True)
def same_environment() -> Iterator[None]:
    """Put the environment back that a test exchanged for a copy, as ``datasets`` does after work in several processes.

    ``monkeypatch`` would set the variables of the old one back, and nobody would read that any more.
    """
    before = os.environ
    yield
    os.environ = before  # noqa: B003 - the object itself
