"""No command touches the network unless it is asked to: each runs with sockets that refuse to connect."""

from __future__ import annotations

import argparse
import os
import socket
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from rewriter.cli.main import GROUP, build_parser, main
from rewriter.model import downloads

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"

#: every command, with a model, parser or recipe that is not on this machine where it takes one
CALLS = """
rewrite in.txt --model nobody/nope-model
rewrite in.txt --model TINY
models
doctor
demo --model TINY
bench --model nobody/nope-model
convert --to-form colon in.txt --dry-run
completion bash
new-language qq --to qq
lsp --help
serve --help
export nobody/nope-model -o out
train swap-head p.jsonl --model nobody/nope-model --data . -o out
train cased-encoder nobody/nope-model --text in.txt -o out
run en-small --dry-run
filter p.jsonl -o out
mix p.jsonl -o out
eval wer in.txt in.txt
eval errors in.txt in.txt in.txt
eval suite nobody/nope-model --sets .
eval rules nobody/nope-model in.txt
eval human make t.csv -o study --model nobody/nope-model
eval human collect nope-study nope.json -o answers.jsonl
eval human report nope-study p.jsonl
eval cases nobody/nope-model t.tsv
eval reading p.jsonl --model nobody/nope-model
eval bec-pro nope-model
eval mlm-bias nope-model --tests bec-pro
eval pos-probe nope-model --train in.txt --test in.txt
eval genbit in.txt --lang en
eval bias-filter in.txt
eval fairness t.csv
eval templates -o templates.csv
eval score-overlap t.csv
eval example-scores t.csv --run nope-run -o scores.csv
augment backward in.txt --parser nope_parser -o out
augment forward in.txt --parser nope_parser -o out
augment look-alike in.txt -o out
augment neutral in.txt -o out
augment stand-in in.txt -o out
augment pair-form in.txt --lang de -o out
augment pairs in.txt --strategy pair-form --lang de -o out
augment teacher in.txt --model nobody/nope-model -o out
augment distilled in.txt --model nobody/nope-model -o out
augment copying in.txt -o out
augment apply in.txt -o out.txt --parser nope_parser
augment prompt nobody/nope-model -o out
augment round-trip p.jsonl --there nope-a --back nope-b -o out
augment merge p.jsonl -o out
augment find-fair in.txt -o out
augment normalise in.txt -o out.txt
augment mitigate in.txt --model nope-model -o out
augment diet t.csv -o out
augment diet-choose t.csv
augment swap in.txt -o out.txt
augment swap-cases t.tsv
augment twins in.txt -o out.txt --model nobody/nope-model
augment involution in.txt
augment choose in.txt --model nobody/nope-model -o sheet.tsv
augment import-targets t.tsv -o out.jsonl
augment gold p.jsonl -o out
balance count in.txt -o out
balance select nope-counts -o out
balance draw in.txt -o drawn.tsv
balance score t.tsv --parser nope_parser
balance vectors in.txt -o out
balance paths in.txt --parser nope_parser -o paths.tsv
train rewriter nope-recipe
train parser nope-recipe
train swap-head nope.jsonl -o {out}
train cased-encoder nope-model --text in.txt -o {out}
train tokenizer nope-recipe
train encoder nope-recipe
train bert nope-recipe
train translator nope-recipe
train classifier classifier.yaml -o out
train cds-finetune nope-model in.txt -o out
""".strip().splitlines()


def commands() -> Iterator[str]:
    """Yield every command that there is, with its subcommand."""
    for entry in entry_points(group=GROUP):
        yield from _leaves(build_parser([entry.name]), ())


def _leaves(parser: argparse.ArgumentParser, path: tuple[str, ...]) -> Iterator[str]:
    inner = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not inner:
        yield " ".join(path)
    for action in inner:
        for name, found in action.choices.items():
            yield from _leaves(found, (*path, name))


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
    tried = {" ".join(call.split()[:words]) for call in CALLS for words in (1, 2, 3)}
    assert set(commands()) - tried == set()


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
    Path("t.tsv").write_text("source\ttarget\nshe\tthey\n")
    Path("classifier.yaml").write_text("model: nope-model\ntrain: t.csv\nvalidation: t.csv\n")
    try:
        code = main(call.replace("TINY", str(TINY)).split())
    except SystemExit as ended:
        code = int(ended.code or 0)
    told = capfd.readouterr()
    assert reached == []
    assert "nobody foresaw" not in told.err, told.err
    assert "usage: gender-fair" not in told.err, told.err  # the call got as far as the work
    if "nope" in call:
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
