"""Any installed spaCy pipeline makes pairs: by its name, from text to the pairs of a recipe; clear errors otherwise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from toy_pipeline import write_pipeline

from augment.dependency import CLEAR, load_parser
from rewriter.cli.main import main
from rewriter.errors import ParserError
from rewriter.io.files import read_pairs

pytest.importorskip("spacy")

TEXT = "He lends his tools.\nShe often keeps her notes.\nThey keep their notes.\n" * 3
FORWARD = {
    ("He lends his tools.", "They lend their tools."),
    ("She often keeps her notes.", "They often keep their notes."),
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "own.txt").write_text(TEXT, encoding="utf-8")
    return folder


def test_a_pipeline_is_known_by_what_it_gives(site: Path) -> None:
    """Its one component has another name than spaCy's tagger, lemmatizer and parser."""
    parser = load_parser(write_pipeline(site, "en_toy_known"))
    assert parser.pipeline.pipe_names == ["annotations"]
    assert parser.scheme == "clear" and set(CLEAR) > {"dobj", "pobj"}
    parse = parser.parse("He lends his tools.")
    assert [parse.subject_of(1), parse.possessives(3), parse.objects(1)] == [0, [2], [3]]


def test_forward_pairs_by_the_name_of_a_pipeline(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = write_pipeline(site)
    words = ["augment", "forward", "texts", "-o", "pairs", "--parser", name]
    assert main(words) == 0
    found = {(pair.source, pair.target) for pair in read_pairs(next(Path("pairs").glob("pairs*")))}
    assert found >= FORWARD
    capsys.readouterr()
    assert main(["augment", "forward", "--parser", name, "--explain", "He lends his tools."]) == 0
    assert "-> They lend their tools." in capsys.readouterr().out


@pytest.mark.slow
def test_other_processes_find_it(site: Path) -> None:
    name = write_pipeline(site, "en_toy_many")
    words = [sys.executable, "-m", "rewriter", "augment", "forward", "texts", "-o", "pairs", "--parser", name]
    done = subprocess.run([*words, "--processes", "2", "--set", "min_words=3"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert {(pair.source, pair.target) for pair in read_pairs(next(Path("pairs").glob("pairs*")))} >= FORWARD


@pytest.mark.slow
def test_a_recipe_takes_a_pipeline_by_its_name(site: Path) -> None:
    """own-text, from text to mixed pairs; its trainings have tests of their own."""
    name = write_pipeline(site, "en_toy_recipe")
    sizes = [f"--set=augment.{strategy}.processes=1" for strategy in ("backward", "forward", "neutral")]
    words = ["run", "own-text", "--set=data.root=texts", f"--set=pipeline={name}", *sizes, "-o", "run"]
    assert main([*words, "--until", "augment/forward"]) == 0
    assert {(p.source, p.target) for p in read_pairs(next(Path("run/augment/forward").glob("pairs*")))} >= FORWARD
    record = json.loads(Path("run/augment/forward/stage.json").read_text(encoding="utf-8"))
    assert name in json.dumps(record)


#: how the pipeline differs, what the error says
REFUSED = {
    "no lemmas": (
        {"assigns": ("token.tag", "token.dep")},
        "'en_toy_{n}' has no lemmatizer: the rules read tags, lemmas and dependencies; it has annotations",
    ),
    "nothing": ({"assigns": ()}, "'en_toy_{n}' has no tagger and no lemmatizer and no parser"),
    "labels of nobody": ({"labels": ("ROOT", "sb", "oa")}, r"labels of the pipeline 'en_toy_{n}' fit none of .*oa, sb"),
    "no labels": ({"labels": ()}, r"fit none of .*it has none"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_rules_cannot_read_is_refused_in_a_sentence(case: str, site: Path) -> None:
    number = list(REFUSED).index(case)
    changes, message = REFUSED[case]
    name = write_pipeline(site, f"en_toy_{number}", **changes)  # type: ignore[arg-type]
    with pytest.raises(ParserError, match=message.replace("{n}", str(number))):
        load_parser(name)


def test_a_pipeline_that_does_not_load_is_named(site: Path) -> None:
    name = write_pipeline(site, "en_toy_broken")
    (site / name / "__init__.py").write_text("raise ValueError('made for another spaCy')\n", encoding="utf-8")
    with pytest.raises(ParserError, match="'en_toy_broken' cannot be loaded: made for another spaCy"):
        load_parser(name)


def test_the_command_says_it_in_a_line(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["augment", "forward", "texts", "-o", "pairs", "--parser", "en_core_web_none"]) == ParserError.exit_code
    told = capsys.readouterr().err
    assert "there is no spaCy pipeline 'en_core_web_none'" in told and "Traceback" not in told
