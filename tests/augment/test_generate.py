"""Making pairs with a toy language: no parser, no spaCy, every rule visible."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from types import MappingProxyType

import pytest

from augment import generate as module
from augment.dependency import Parse
from augment.generate import GenerateConfig, describe, explain, generate
from augment.languages import RuleResult
from rewriter.errors import InputError, ResumeError, UsageError
from rewriter.io.files import read_lines, read_pairs, write_lines
from rewriter.records import Edit
from rewriter.runs.shards import parts


@dataclass(frozen=True)
class ToyOptions:
    forms: tuple[str, ...] = ("masculine", "feminine")


class ToyRules:
    """*they* becomes *he* or *she*; sentences with *both* are dropped, *boom* breaks a rule."""

    code = "toy"
    BackwardOptions = ToyOptions
    unparsed = MappingProxyType({})
    parsed = MappingProxyType({})

    def candidates(self, text, strategy):
        words = text.lower().split()
        return {"backward": "they" in words, "forward": "he" in words}[strategy]

    def backward(self, parse, options, rng):
        if "boom" in parse.text:
            raise KeyError("boom")
        if "both" in parse.text:
            return [RuleResult(parse.text, parse.text, "fair", dropped="plural")]
        pronouns = {"masculine": "he", "feminine": "she"}
        return [self._result(parse.text, "they", pronouns[form], form, rng) for form in options.forms]

    def forward(self, parse):
        source = parse.text
        start = source.index("he ")
        edit = Edit(start, start + 2, "he", "they", "pronoun", "he to they")
        return RuleResult(source, source.replace("he ", "they ", 1), "masculine", (edit,), (), Counter(["he to they"]))

    def _result(self, text, old, new, form, rng):
        source = text.replace(old, new) + f" {rng.integers(1000)}"
        target = text + source[len(text.replace(old, new)) :]
        return RuleResult(
            source, target, form, doubtful=((0, 1),) if "maybe" in text else (), statistics=Counter([new])
        )


class ToySegmenter:
    def segment(self, text):
        return [(0, len(text))]


class ToyParser:
    def parse(self, text):
        return Parse(text, ())

    def parse_all(self, texts):
        return (self.parse(text) for text in texts)


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(module.languages, "get", lambda code: ToyRules())
    monkeypatch.setattr(module, "get_language", lambda code: ToySegmenter())
    monkeypatch.setattr(module, "load_parser", lambda name: ToyParser())


@pytest.fixture
def corpus(tmp_path):
    write_lines(
        tmp_path / "a.txt", ["they sing", "nobody sings", "both they sing", "they boom", "maybe they sing", "he sings"]
    )
    write_lines(tmp_path / "b.txt", [f"they sing {n}" for n in range(50)])
    return tmp_path


def config(corpus, strategy="backward", **values):
    return GenerateConfig(strategy, [str(corpus / "*.txt")], parser="" if strategy == "neutral" else "toy", **values)


def pairs(folder):
    return [pair for path in parts(folder) for pair in read_pairs(path)]


def test_backward_gives_a_pair_per_form_with_its_origin(toy, corpus, tmp_path):
    generate(config(corpus, exclude=["b.txt"]), output=tmp_path / "out")
    found = pairs(tmp_path / "out")
    assert [(p.form, p.origin) for p in found] == [
        ("masculine", "a.txt:1"), ("feminine", "a.txt:1"), ("masculine", "a.txt:5"), ("feminine", "a.txt:5"),
    ]  # fmt: skip
    assert found[0].source.startswith("he sing") and found[0].target.startswith("they sing")
    assert {(p.strategy, p.lang) for p in found} == {("backward", "en")}
    assert [bool(p.doubtful) for p in found] == [False, False, True, True]


def test_statistics_tell_rules_forms_and_what_was_dropped(toy, corpus, tmp_path):
    manifest = generate(config(corpus, exclude=["b.txt"]), output=tmp_path / "out")
    counts = json.loads((tmp_path / "out" / "stats.json").read_text())["counts"]
    assert counts["rule: he"] == counts["form: masculine"] == 2
    assert counts["dropped: plural"] == 1 and counts["doubtful pairs"] == 2 and counts["selected"] == 4
    assert "dropped: plural 1" in describe(manifest, tmp_path / "out")


def test_a_sentence_that_breaks_a_rule_is_left_out_and_listed(toy, corpus, tmp_path):
    manifest = generate(config(corpus), output=tmp_path / "out")
    (reject,) = (json.loads(line) for line in read_lines(tmp_path / "out" / "rejects.jsonl"))
    assert (reject["file"], reject["line"], reject["reason"].split(" (")[0]) == ("a.txt", 4, "KeyError: 'boom'")
    (debug,) = (json.loads(line) for line in read_lines(tmp_path / "out" / "debug.jsonl"))
    assert debug["line"] == 4 and 'raise KeyError("boom")' in debug["trace"]
    assert manifest.counts["rejected"] == 1


def test_forward_and_neutral(toy, corpus, tmp_path):
    generate(config(corpus, "forward"), output=tmp_path / "forward")
    assert [(p.source, p.target) for p in pairs(tmp_path / "forward")] == [("he sings", "they sings")]
    generate(config(corpus, "neutral"), output=tmp_path / "neutral")
    (pair,) = pairs(tmp_path / "neutral")
    assert (pair.source, pair.target, pair.form, pair.strategy) == ("nobody sings", "nobody sings", "neutral", "copy")


def test_shards_and_seed(toy, corpus, tmp_path):
    """Shards are part of the identity; the seed changes what the rules draw."""
    one = [p.source for p in (generate(config(corpus), output=tmp_path / "1") and pairs(tmp_path / "1"))]
    two = [p.source for p in (generate(config(corpus, seed=2), output=tmp_path / "2") and pairs(tmp_path / "2"))]
    again = [p.source for p in (generate(config(corpus), output=tmp_path / "3") and pairs(tmp_path / "3"))]
    assert one == again != two
    with pytest.raises(ResumeError, match="shard lines: was 20000, is 10"):
        generate(config(corpus, shard_lines=10), output=tmp_path / "1")


def test_a_sample_takes_about_as_many_sentences(toy, tmp_path):
    write_lines(tmp_path / "c.txt", (f"they sing {n}" for n in range(2000)))
    generate(config(tmp_path, sentences=200, options={"forms": ["feminine"]}), output=tmp_path / "out")
    assert 140 < len(pairs(tmp_path / "out")) < 260


def test_parquet_holds_the_same_pairs(toy, corpus, tmp_path):
    pytest.importorskip("pyarrow")
    generate(config(corpus), output=tmp_path / "json")
    generate(config(corpus, format="parquet"), output=tmp_path / "parquet")
    assert pairs(tmp_path / "json") == pairs(tmp_path / "parquet")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"strategy": "backwards"}, "unknown strategy 'backwards'"),
        ({"format": "csv"}, "unknown format 'csv'"),
        ({"parser": ""}, "needs a parser"),
    ],
)
def test_wrong_values_are_told(values, message):
    with pytest.raises(UsageError, match=message):
        GenerateConfig(**({"strategy": "backward", "inputs": [], "parser": "toy"} | values))


@pytest.mark.parametrize(
    ("strategy", "options", "message"),
    [
        ("backward", {"form": ["masculine"]}, r"unknown key 'form' \(did you mean 'forms'"),
        ("forward", {"forms": []}, "unknown key 'forms'"),
    ],
)
def test_options_are_checked_before_work_begins(toy, corpus, tmp_path, strategy, options, message):
    with pytest.raises(UsageError, match=message):
        generate(config(corpus, strategy, options=options), output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_missing_input_is_told(toy, tmp_path):
    with pytest.raises(InputError, match="no such text file"):
        generate(config(tmp_path / "nowhere"), output=tmp_path / "out")


def test_explain_gives_edits_with_their_rules(toy):
    (result,) = explain("he sings", GenerateConfig("forward", [], parser="toy"))
    assert [(e.before, e.after, e.reason) for e in result.edits] == [("he", "they", "he to they")]


RUN = """
import sys
from pathlib import Path
import test_generate_toy as toy
from augment import generate as module

module.languages.get = lambda code: toy.ToyRules()
module.get_language = lambda code: toy.ToySegmenter()
module.load_parser = lambda name: toy.SlowParser(float(sys.argv[3]))
corpus, output = Path(sys.argv[1]), Path(sys.argv[2])
config = module.GenerateConfig("backward", [str(corpus / "*.txt")], parser="toy", shard_lines=5)
module.generate(config, output=output)
"""

SLOW = """

import time


class SlowParser(ToyParser):
    def __init__(self, pause):
        self.pause = pause

    def parse_all(self, texts):
        for text in texts:
            time.sleep(self.pause)
            yield self.parse(text)
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_killed_and_started_again_gives_the_same_bytes(corpus, tmp_path, monkeypatch):
    code = tmp_path / "code"
    code.mkdir()
    own = open(__file__, encoding="utf-8").read()  # noqa: PTH123, SIM115
    (code / "test_generate_toy.py").write_text(own.split("@pytest.fixture", 1)[0] + SLOW)
    (code / "run_toy.py").write_text(RUN)

    def start(output, pause):
        command = [sys.executable, str(code / "run_toy.py"), str(corpus), str(output), str(pause)]
        return subprocess.Popen(command, stderr=subprocess.DEVNULL)

    killed = start(tmp_path / "out", 0.05)
    for _ in range(600):
        if len(list((tmp_path / "out").glob("shards/*.json"))) >= 3:
            break
        time.sleep(0.05)
    killed.kill()
    killed.wait()
    assert not json.loads((tmp_path / "out" / "manifest.json").read_text())["complete"]
    assert start(tmp_path / "out", 0).wait() == start(tmp_path / "whole", 0).wait() == 0
    names = sorted(
        p.name for p in (tmp_path / "whole").glob("*") if p.is_file() and p.name not in ("manifest.json", ".lock")
    )
    assert "pairs-00011.jsonl.zst" in names
    for name in names:
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
