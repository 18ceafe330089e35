"""Source code: only comments and docstrings are text, and only where that is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.cli.main import main
from rewriter.formats.base import RawRecord
from rewriter.formats.code import CODE_SUFFIXES, CodeFile, masked

PYTHON = '''"""The rules of a shop.

She runs it, and he knows
her stock.
"""
HE = "he knows it"  # She calls this
he = 5


def pay(him):
    # The owner decides what he
    # wants to sell.
    text = """he is data"""
    return he + call("she is # no comment")
'''
WANTED = (
    PYTHON.replace("She runs it, and he knows\nher stock", "They run it, and they know\ntheir stock")
    .replace("# She calls", "# They call")
    .replace("what he\n    # wants", "what they\n    # want")
)


@pytest.mark.parametrize(
    ("syntax", "code", "shown"),
    [
        ("python", 'x = "# he"  # she', "            she"),
        ("python", "x = f('''\nhe\n''')", ""),
        ("slash", 'y = "// he"; // she', "                she"),
        ("slash", "/* he\n * she */ z", "he she"),
        ("hash", "echo ${#he} # she", "she"),
        ("hash", "#!/bin/he\n# she", "she"),
        ("dash", "select '-- he' -- she", "she"),
        ("semicolon", '(he "; he") ; she', "she"),
        ("block", "a { b: 'he' } /* she */", "she"),
    ],
)
def test_what_is_shown(syntax: str, code: str, shown: str) -> None:
    assert masked(code, syntax).split() == shown.split()


@given(st.text("he she#/*\"'`-;\n\\ \t", max_size=60), st.sampled_from(sorted(set(CODE_SUFFIXES.values()))))
def test_lines_and_columns_stay(code: str, syntax: str) -> None:
    shown = masked(code, syntax)
    assert [len(line) for line in shown.split("\n")] == [len(line) for line in code.split("\n")]
    assert all(a == b for a, b in zip(code, shown, strict=True) if not b.isspace())


def test_what_comes_back_is_put_over_the_code() -> None:
    file, code = CodeFile("python", comments=True), b"he = 1  # he knows\n"
    record = RawRecord(1, code)
    (content,) = file.contents(record)
    assert file.replace(record, [(content, content.text.replace("he knows", "they know"))]) == b"he = 1  # they know\n"


def test_the_command_rewrites_comments_when_asked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "shop.py", tmp_path / "out.py"
    source.write_text(PYTHON, encoding="utf-8")
    assert main(["rewrite", str(source), "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == PYTHON
    assert "source code, left alone; --code-comments" in capfd.readouterr().err
    assert main(["rewrite", str(source), "-o", str(target), "--code-comments"]) == 0
    assert target.read_text(encoding="utf-8") == WANTED
    assert main(["rewrite", str(source), "-o", str(target), "--unit", "line"]) == 0
    assert "they = 5" not in target.read_text(encoding="utf-8")


@pytest.mark.parametrize("suffix", "yaml yml toml ini cfg xml tf vue ml ex vim mk cmake bat ipynb".split())
def test_configuration_and_data_are_left_alone(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    source.write_text("she: he knows her\n", encoding="utf-8")
    assert main(["rewrite", str(source), "-o", str(target), "--lang", "en"]) == 0
    assert target.read_text(encoding="utf-8") == "she: he knows her\n"
    assert "left alone" in capsys.readouterr().err
