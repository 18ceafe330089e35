"""``gender-fair doctor``, ``models`` and ``demo``, and what the main command does around them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import rewriter.cli.demo as demo
import rewriter.model.directory
from rewriter.cli.main import main
from rewriter.model.directory import ModelInfo, bundled, seal
from rewriter.records import Edit, Rewrite


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sealed directory, bundled as far as the commands can see; its weights are none."""
    folder = tmp_path / "bundled" / "xx"
    folder.mkdir(parents=True)
    (folder / "model.bin").write_bytes(b"0" * 1_500_000)
    scores = [{"set": "invented", "score": 0.25, "signature": "wer|lang:xx|n:4"}]
    seal(folder, ModelInfo(name="xx", lang="xx", target="edits", scores=scores))
    monkeypatch.setattr(rewriter.model.directory, "bundled_folder", lambda: tmp_path / "bundled")
    return folder


def test_models_lists_name_size_and_scores(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models"]) == 0
    shown = capsys.readouterr().out
    assert "xx: language xx, target edits, convention xx version 1, 1.5 MB" in shown
    assert "invented: 0.25  wer|lang:xx|n:4" in shown


def test_models_as_json(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["name"], found["lang"], found["target"], found["path"]) == ("xx", "xx", "edits", str(model))
    assert found["scores"][0]["score"] == 0.25


def test_models_names_a_damaged_file(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (model / "model.bin").write_bytes(b"0")
    assert main(["models"]) == 4
    assert "model.bin" in capsys.readouterr().err


def test_doctor_reports_a_damaged_model(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (model / "model.bin").unlink()
    assert main(["doctor"]) == 1
    shown = capsys.readouterr().out
    assert "DOES NOT LOAD" in shown
    assert "the file model.bin is missing" in shown


def test_doctor_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    monkeypatch.setenv("GENDER_FAIR_DATA", str(tmp_path))
    monkeypatch.setenv("GENDER_FAIR_TESTSETS", str(tmp_path / "none"))
    assert main(["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [package["ours"] for package in report["packages"]] == [True] * 5
    assert report["data"]["GENDER_FAIR_DATA"] == {"folder": str(tmp_path), "exists": True}
    assert report["data"]["GENDER_FAIR_TESTSETS"]["exists"] is False
    assert all(report["libraries"].values())
    assert {extra["extra"] for extra in report["extras"]} >= {"data", "train", "augment", "eval", "ray"}


def test_a_missing_extra_is_told_with_its_pip_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rewriter.installation.doctor.installed_extras", lambda: {"eval": ["jiwer"], "data": []})
    main(["doctor"])
    shown = capsys.readouterr().out
    assert "missing jiwer: pip install 'gender-fair-rewriter[eval]'" in shown
    assert "data      complete" in shown


def shout(texts: list[str], *, model: str) -> list[Rewrite]:
    """Stand in for a model: the first letter of each text becomes X."""
    return [Rewrite("X" + text[1:], (Edit(0, 1, text[0], "X", "noun", "test"),)) for text in texts]


def test_demo_prints_differences_and_writes_a_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(demo, "rewrite_sample", shout)
    text, page = tmp_path / "text.txt", tmp_path / "page.html"
    text.write_text("She.\n\nHe.\n", encoding="utf-8")
    assert main(["demo", str(text), "--html", str(page)]) == 0
    shown = capsys.readouterr().out
    assert "[-S-]{+X+}he." in shown
    assert "2 edits in 2 texts: noun 2" in shown
    assert page.read_text(encoding="utf-8").count("<tr><td>") == 2


#: words that a sample holds, by language
VARIED = {
    "en": {"she", "he", "her", "his", "him", "himself"},
    "de": {"er", "ihn", "lehrer", "ärztin", "kolleginnen", "dessen"},
}


@pytest.mark.parametrize("lang", sorted(VARIED))
def test_the_packaged_samples_are_varied(lang: str) -> None:
    texts = demo.read_sample(Path(demo.__file__).parents[1] / "demo" / f"{lang}.txt")
    words = " ".join(texts).split()
    assert len(texts) >= 5
    assert 150 <= len(words) <= 400
    assert VARIED[lang] <= {word.strip(".,;:\"'`?").lower() for word in words}


def test_the_demo_shows_every_bundled_model() -> None:
    assert [name for name, _ in demo.samples()] == [folder.name for folder in bundled()]
    assert demo.samples(model="en") == [("en", dict(demo.samples())["en"])]


def test_demo_with_an_unknown_model_says_what_to_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--model", "no-such-model"]) == 4
    assert "no-such-model" in capsys.readouterr().err


def test_demo_with_a_missing_file_names_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["demo", str(tmp_path / "missing.txt")]) == 4
    assert "missing.txt" in capsys.readouterr().err


def test_version_and_module_form() -> None:
    done = subprocess.run([sys.executable, "-m", "rewriter", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("gender-fair-rewriter ")


@pytest.mark.parametrize("words", [[], ["no-such-command"], ["doctor", "--no-such-option"]])
def test_wrong_usage_is_exit_code_two(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    assert "usage: gender-fair" in capsys.readouterr().err
