"""``gender-fair new-language``: what it writes works as it is, in a fresh interpreter, as if it were installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rewriter.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
USE = """\
from rewriter import Rewriter
from rewriter.cli.main import main
from rewriter.model.grammar import write_grammar_model

write_grammar_model("grammar", "xy")
print(Rewriter.from_pretrained("grammar").rewrite(["LO canta.  Lo, la `lo` 3 la!", "Ven."]))
raise SystemExit(main(["eval", "cases", "grammar", "made/cases/gendered.tsv", "made/cases/keep.tsv"]))
"""


def installed(folder: Path) -> dict[str, str]:
    """Return the environment of a process for which the written package is installed: what pip does, by hand."""
    meta = folder / "gender_fair_xy-0.1.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: gender-fair-xy\nVersion: 0.1\n", encoding="utf-8")
    (meta / "entry_points.txt").write_text("[gender_fair.languages]\nxy = gender_fair_xy\n", encoding="utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}


def test_the_written_language_rewrites_and_passes_its_cases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-language", "xy", "--to", "made"]) == 0
    assert "pip install -e made" in capsys.readouterr().out
    environment = installed(tmp_path / "made")
    done = subprocess.run([sys.executable, "-c", USE], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("['LE canta.  Le, la `lo` 3 la!', 'Ven.']")


def test_no_placeholder_is_left(tmp_path: Path) -> None:
    assert main(["new-language", "xy", "--to", str(tmp_path / "made")]) == 0
    written = [path for path in (tmp_path / "made").rglob("*") if path.is_file()]
    assert len(written) > 8
    for path in written:
        text = path.read_text(encoding="utf-8")
        assert "@CODE@" not in text and "@NAME@" not in text and path.suffix != ".in"


@pytest.mark.parametrize(
    ("words", "reason"),
    [(["X-Y"], "is no code"), (["de"], "there is a language 'de'"), (["xy", "--to", "."], "exists; name a new folder")],
)
def test_what_cannot_be_written_is_refused(words: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-language", *words]) == 2
    assert reason in capsys.readouterr().err
