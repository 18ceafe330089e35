"""Model directories that were damaged, put together of parts, or made to reach outside of themselves."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rewriter import Rewriter
from rewriter.errors import ModelError, UsageError
from rewriter.io.files import file_digest
from rewriter.model.directory import load_info

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TINY, tmp_path / "model"))


def change_info(folder: Path, **values: Any) -> None:
    path = folder / "rewriter.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def change_head(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the head and seal it again, as somebody would who exchanges the digest, too."""
    path = folder / "head.json"
    head = json.loads(path.read_text())
    change(head)
    path.write_text(json.dumps(head))
    files = json.loads((folder / "rewriter.json").read_text())["files"]
    change_info(folder, files=files | {"head.json": file_digest(path)})


@pytest.mark.parametrize("name", ["vocabulary.txt", "shared_vocabulary.json", "prompt.txt", "extra.bin", "x.model"])
def test_a_file_without_a_digest_is_refused(name: str, model: Path) -> None:
    (model / name).write_text("x")
    with pytest.raises(ModelError, match=f"the file {name} is not listed"):
        load_info(model)


def test_every_file_that_is_loaded_must_be_listed(model: Path) -> None:
    files = json.loads((model / "rewriter.json").read_text())["files"]
    for name in files:
        change_info(model, files={key: value for key, value in files.items() if key != name})
        with pytest.raises(ModelError, match=f"the file {name} is not listed"):
            load_info(model)


@pytest.mark.parametrize("name", ["LICENSE", "NOTES.md", ".gitattributes", "picture.png"])
def test_what_people_put_beside_a_model_may_stay(name: str, model: Path) -> None:
    (model / name).write_text("x")
    load_info(model)


@pytest.mark.parametrize("name", ["../outside", "/etc/hostname", "a/../../outside"])
def test_no_file_outside_is_listed(name: str, model: Path) -> None:
    (model.parent / "outside").write_text("x")
    change_info(model, files={name: "0" * 64})
    (model / "rewriter.json").with_name("rewriter.json").touch()
    for path in model.iterdir():
        if path.name != "rewriter.json":
            path.unlink()
    with pytest.raises(ModelError, match="outside of the model's folder"):
        load_info(model)


INFO: dict[str, tuple[dict[str, Any], str]] = {
    "a newer format": ({"format": 2}, "made for a newer version"),
    "a newer format with a language of tomorrow": ({"format": 2, "lang": "xx"}, "made for a newer version"),
    "a format that is text": ({"format": "1"}, "not readable"),
    "a format of nothing": ({"format": None}, "not readable"),
    "files that are a list": ({"files": ["model.bin"]}, "must hold keys"),
    "a language of nothing": ({"lang": None}, "'lang' must be text"),
    "scores that are text": ({"scores": "0.5"}, "'scores' must be a list"),
    "an unknown target": ({"target": "magic"}, "unknown target"),
}


@pytest.mark.parametrize("name", INFO)
def test_descriptions_are_checked(name: str, model: Path) -> None:
    values, message = INFO[name]
    change_info(model, **values)
    with pytest.raises(ModelError, match=message):
        load_info(model)


HEADS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a number that is not finite": (lambda head: head["bias"].__setitem__(0, float("nan")), "not all numbers"),
    "an infinite weight": (lambda head: head["weight"][0].__setitem__(0, float("inf")), "not all numbers"),
    "too large a number": (lambda head: head["weight"][0].__setitem__(0, 10**400), "not readable"),
    "a row less": (lambda head: head["weight"].pop(), "rows and"),
    "a bias less": (lambda head: head["bias"].pop(), "rows and"),
    "rows that differ": (lambda head: head["weight"][0].pop(), "not readable"),
    "another width": (lambda head: [row.pop() for row in head["weight"]], "the head reads"),
    "text": (lambda head: head["bias"].__setitem__(0, "one"), "not readable"),
    "other outcomes": (lambda head: head["outcomes"].__setitem__(0, "other"), "decides"),
    "no weight": (lambda head: head.pop("weight"), "not readable"),
    "one dimension": (lambda head: head.__setitem__("weight", head["bias"]), "dimensions"),
}


@pytest.mark.parametrize("name", HEADS)
def test_heads_are_checked(name: str, model: Path) -> None:
    change, message = HEADS[name]
    change_head(model, change)
    with pytest.raises(ModelError, match=message):
        Rewriter.from_pretrained(model)


@pytest.mark.parametrize("threads", [-1, 99999, 10**15])
def test_an_absurd_number_of_threads_is_refused_before_a_library_aborts(threads: int) -> None:
    with pytest.raises(UsageError, match="threads must be at"):
        Rewriter.from_pretrained(TINY, threads=threads)
