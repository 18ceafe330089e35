"""No command touches the network unless it is asked to: each runs with sockets that refuse to connect."""

from __future__ import annotations

import os
import socket
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from rewriter.cli.main import GROUP, main
from rewriter.model import downloads

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"

#: what a command does with a model or recipe that is not on this machine
CALLS = {
    "rewrite": ["rewrite", "in.txt", "--model", "nobody/nope-model"],
    "rewrite as usual": ["rewrite", "in.txt", "--model", str(TINY)],
    "models": ["models"],
    "doctor": ["doctor"],
    "demo": ["demo", "--model", str(TINY)],
    "eval wer": ["eval", "wer", "in.txt", "in.txt"],
    "eval bec-pro": ["eval", "bec-pro", "nope-model"],
    "eval pos-probe": ["eval", "pos-probe", "nope-model", "--treebank", "in.txt"],
    "eval suite": ["eval", "suite", "nobody/nope-model", "--sets", "."],
    "eval cases": ["eval", "cases", "nobody/nope-model"],
    "augment prompt": ["augment", "prompt", "nobody/nope-model", "-o", "out"],
    "augment round-trip": ["augment", "round-trip", "p.jsonl", "--there", "nope-a", "--back", "nope-b", "-o", "out"],
    "augment backward": ["augment", "backward", "in.txt", "--parser", "nope_parser", "-o", "out"],
    "augment mitigate": ["augment", "mitigate", "in.txt", "--model", "nope-model", "-o", "out"],
    "filter": ["filter", "p.jsonl", "-o", "out"],
    "mix": ["mix", "p.jsonl", "-o", "out"],
    "balance": ["balance", "count", "in.txt", "-o", "out"],
    "train": ["train", "classifier", "classifier.yaml", "-o", "out"],
    "run": ["run", "en-small", "--dry-run"],
    "bench": ["bench", "--model", "nobody/nope-model"],
    "convert": ["convert", "--to-form", "colon", "in.txt", "--dry-run"],
    "lsp": ["lsp", "--help"],
    "serve": ["serve", "--help"],
    "export": ["export", "nobody/nope-model", "-o", "out"],
}


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Refuse every connection and every look-up of a name; return what was tried."""
    tried: list[object] = []

    def refuse(*arguments: object, **_: object) -> None:
        tried.append(arguments)
        raise OSError("no network here")

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refuse)
    for name in ("getaddrinfo", "create_connection", "gethostbyname"):
        monkeypatch.setattr(socket, name, refuse)
    return tried


def test_every_command_is_tried() -> None:
    assert {entry.name for entry in entry_points(group=GROUP)} <= {words[0] for words in CALLS.values()}


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
def test_commands_stay_offline(
    call: str,
    reached: list[object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("Then she said so.\n")
    Path("p.jsonl").write_text('{"source": "she", "target": "they"}\n')
    Path("t.csv").write_text("text,label\na,0\nb,1\n")
    Path("classifier.yaml").write_text("model: nope-model\ntrain: t.csv\nvalidation: t.csv\n")
    try:
        code = main(CALLS[call])
    except SystemExit as ended:
        code = int(ended.code or 0)
    told = capfd.readouterr()
    assert reached == []
    assert "nobody foresaw" not in told.err, told.err
    if "nope" in " ".join(CALLS[call]):
        assert code in (2, 4)


NAMES = {
    "bert-base-uncased": True,
    "somebody/model-1.0": True,
    "./model": False,
    "/models/bert": False,
    "a/b/c": False,
    "../x": False,
    "": False,
}


@pytest.mark.parametrize("name", NAMES)
def test_only_names_of_the_hub_are_fetched_and_only_when_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GENDER_FAIR_ALLOW_DOWNLOAD", raising=False)
    assert not downloads.may_download(name) and downloads.loading(name)["local_files_only"] is True
    monkeypatch.setenv("GENDER_FAIR_ALLOW_DOWNLOAD", "1")
    assert downloads.may_download(name) is NAMES[name]
    assert downloads.loading(name)["trust_remote_code"] is False


def test_libraries_are_told_to_stay_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GENDER_FAIR_ALLOW_DOWNLOAD", raising=False)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("TRANSFORMERS_OFFLINE", "0")
    downloads.stay_offline()
    assert os.environ["HF_HUB_OFFLINE"] == "1" and os.environ["TRANSFORMERS_OFFLINE"] == "0"
