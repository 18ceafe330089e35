"""The container runs the service as nobody in particular and writes nothing; its files fit the command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml

from rewriter.cli.main import build_parser
from rewriter.serve.settings import TOKEN, Limits

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
SERVICE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]["gender-fair"]


def test_the_container_starts_the_service_by_options_that_exist() -> None:
    found = re.search(r"^ENTRYPOINT (.*)$", DOCKERFILE, flags=re.MULTILINE)
    assert found is not None
    name, *words = json.loads(found[1])
    args = build_parser(words).parse_args(words)
    assert (name, args.host, args.port) == ("gender-fair", "0.0.0.0", 8000)


def test_it_is_not_root_and_cannot_write() -> None:
    assert re.findall(r"^USER (\w+)$", DOCKERFILE, flags=re.MULTILINE)[-1] == "rewriter"
    assert SERVICE["read_only"] is True and SERVICE["cap_drop"] == ["ALL"]


def test_only_this_machine_reaches_it_and_its_stop_is_graceful() -> None:
    assert SERVICE["ports"] == ["127.0.0.1:8000:8000"]
    assert list(SERVICE["environment"]) == [TOKEN]
    assert int(SERVICE["stop_grace_period"].removesuffix("s")) > Limits().seconds
