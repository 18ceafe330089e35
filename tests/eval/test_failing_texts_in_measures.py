"""A text that cannot be counted is left out of a measure and listed; the others are counted as if it were not there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.bias_filter.core import make_matcher
from eval.bias_filter.corpus import count_file, keep_records
from eval.bias_filter.matcher import GroupMatcher
from eval.genbit import counter
from eval.genbit.corpus import CountingOptions, count_files
from eval.genbit.lexicon import Lexicon
from rewriter.cli.main import main

MARK = "kaboom"
SOUND = ["She sings in the choir.", "", "He repairs the engine.", "They sing."]
TEXT = [SOUND[0], "", f"She heard a {MARK}.", SOUND[2], SOUND[3]]
GROUPS = {"female": ["she", "her"], "male": ["he", "his"]}


class PlantedError(Exception):
    pass


def fails_on_mark(function: Any) -> Any:
    def wrapped(*given: Any) -> Any:
        if any(MARK in text for text in given[-1]):
            raise PlantedError("planted")
        return function(*given)

    return wrapped


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return written(tmp_path / "a.txt", TEXT)


def written(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_genbit(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    options = CountingOptions(Lexicon.shipped("en"))
    expected = count_files([written(tmp_path / "b.txt", SOUND)], options).counts
    monkeypatch.setattr(counter, "token_stream", fails_on_mark(counter.token_stream))
    found = count_files([corpus], options)
    expected.save(tmp_path / "expected.npz")
    found.counts.save(tmp_path / "found.npz")
    with np.load(tmp_path / "expected.npz") as one, np.load(tmp_path / "found.npz") as other:
        assert {name: one[name].tolist() for name in one.files} == {n: other[n].tolist() for n in other.files}
    assert [(r.file, r.line, r.reason.split(" (")[0]) for r in found.rejects] == [("a.txt", 3, "PlantedError: planted")]
    for _ in range(2):  # the second call reads the parts
        assert main(["eval", "genbit", str(corpus), "--json", "--work", str(tmp_path / "work")]) == 3
        captured = capsys.readouterr()
        assert [set(reject) for reject in json.loads(captured.out)["rejects"]] == [{"file", "line", "reason"}]
        assert "a.txt:3: left out: PlantedError" in captured.err
    assert "Traceback" in (tmp_path / "work" / "debug.jsonl").read_text()


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl"])
def test_bias_filter(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def shown(lines: Sequence[str]) -> list[str]:
        return [json.dumps({"text": line}) for line in lines] if name.endswith("jsonl") else [*lines]

    matcher = make_matcher(GROUPS)
    expected = count_file(matcher, written(tmp_path / f"sound-{name}", shown(SOUND)))
    corpus = written(tmp_path / name, shown(TEXT))
    monkeypatch.setattr(GroupMatcher, "scan", fails_on_mark(GroupMatcher.scan))
    rejects: list[Any] = []
    assert count_file(matcher, corpus, rejects=rejects).to_dict() == expected.to_dict()
    assert [(reject.file, reject.line) for reject in rejects] == [(name, 3)]
    with pytest.raises(PlantedError):
        count_file(matcher, corpus)

    rejects.clear()
    kept, total = keep_records(matcher, corpus, tmp_path / "kept", ["female"], rejects=rejects)
    assert (kept, [reject.line for reject in rejects]) == (1, [3])
    assert MARK not in (tmp_path / "kept").read_text() and total >= kept

    assert main(["eval", "bias-filter", str(corpus), "--json"]) == 3
    assert f"{name}:3: left out: PlantedError: planted" in capsys.readouterr().err
