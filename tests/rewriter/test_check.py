"""The check mode: places of findings, report formats, exit codes, control options of the command."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rewriter.cli.main import build_parser, main
from rewriter.corpus.results import TextResult
from rewriter.errors import UsageError
from rewriter.records import Edit, Reject, Rewrite
from rewriter.report.check import FORMATS, Finding, Report, findings

ROOT = Path(__file__).resolve().parents[2]


def result(source: str, *words: str, line: int = 1, file: str = "a.md") -> TextResult:
    """Return a result in which each of ``words`` became *they*."""
    edits = [Edit(source.index(w), source.index(w) + len(w), w, "they", "pronoun", f"{w} -> they") for w in words]
    return TextResult(file, line, source, Rewrite("", tuple(edits)))


@pytest.mark.parametrize(
    ("source", "word", "line", "place"),
    [
        ("She left.", "She", 1, (1, 1, 1, 4)),
        ("Now she left.", "she", 7, (7, 5, 7, 8)),
        ("One.\nTwo.\nNow she left.", "she", 1, (3, 5, 3, 8)),
        ("One.\r\nNow she left.", "she", 10, (11, 5, 11, 8)),
        ("\U0001f600 é she left.", "she", 1, (1, 5, 1, 8)),
        ("Now he\nor she left.", "he\nor she", 1, (1, 5, 2, 7)),
    ],
)
def test_places_are_lines_and_code_points_of_the_file(
    source: str, word: str, line: int, place: tuple[int, int, int, int]
) -> None:
    (finding,) = findings(result(source, word, line=line))
    assert (finding.line, finding.column, finding.end_line, finding.end_column) == place


def test_places_in_records_are_those_of_the_record_and_its_text() -> None:
    (finding,) = findings(result("One.\nNow she left.", "she", line=7), in_record=True)
    assert (finding.line, finding.column, finding.end_line, finding.end_column) == (7, 10, 7, 13)


@given(before=st.text(st.characters(exclude_characters="s\n")), lines=st.integers(0, 3))
def test_a_finding_is_where_it_says(before: str, lines: int) -> None:
    source = "\n" * lines + before + "she left."
    (finding,) = findings(result(source, "she"))
    line = source.split("\n")[finding.line - 1]
    assert line[finding.column - 1 : finding.end_column - 1] == "she"


def test_findings_are_told_on_one_line() -> None:
    finding = Finding("a.md", 3, 1, 4, 4, "pronoun", "he or\nshe", "they", "gendered pronoun")
    assert str(finding) == r"a.md:3:1: pronoun: 'he or\nshe' -> 'they' (gendered pronoun)"


def report(form: str, *results: TextResult, in_record: bool = False) -> str:
    stream = io.StringIO()
    with Report(stream, form) as written:
        written.add(results, in_record=in_record)
    return stream.getvalue()


def test_text_and_json_lines() -> None:
    some = result("She saw him.", "She", "him")
    assert report("text", some).splitlines() == [
        "a.md:1:1: pronoun: 'She' -> 'they' (gendered pronoun)",
        "a.md:1:9: pronoun: 'him' -> 'they' (gendered pronoun)",
    ]
    first, second = map(json.loads, report("json", some).splitlines())
    assert first == {
        "file": "a.md", "line": 1, "column": 1, "end_line": 1, "end_column": 4, "kind": "pronoun", "before": "She",
        "after": "they", "reason": "gendered pronoun", "score": 1.0,
    }  # fmt: skip
    assert second["column"] == 9


def test_workflow_commands_escape_what_would_end_them() -> None:
    line = report("github", result("100%: she left", "she", file="a,b:c%.md")).rstrip("\n")
    assert line == (
        "::warning file=a%2Cb%3Ac%25.md,line=1,endLine=1,col=7,endColumn=10,title=gender-fair%3A pronoun"
        "::'she' -> 'they' (gendered pronoun)"
    )


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"unknown format 'sarrif' \(did you mean 'sarif'\?\); known: text, json"):
        Report(io.StringIO(), "sarrif")


#: properties that the SARIF 2.1.0 schema requires of the objects that we write, by the property that holds them
REQUIRED = {
    "runs": {"tool"},
    "tool": {"driver"},
    "driver": {"name"},
    "rules": {"id"},
    "results": {"message"},
    "message": {"text"},
    "artifactChanges": {"artifactLocation", "replacements"},
    "replacements": {"deletedRegion"},
    "invocations": {"executionSuccessful"},
    "toolExecutionNotifications": {"message"},
    "artifactLocation": {"uri"},
}


def missing(value: Any, name: str = "") -> list[str]:
    """Return the required properties that are missing anywhere in a SARIF log."""
    if isinstance(value, list):
        return [problem for item in value for problem in missing(item, name)]
    if not isinstance(value, dict):
        return []
    absent = [f"{name}.{key}" for key in REQUIRED.get(name, set()) - set(value)]
    return absent + [problem for key, item in value.items() for problem in missing(item, key)]


@pytest.mark.parametrize("in_record", [False, True])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_sarif(count: int, in_record: bool) -> None:
    rejects = (Reject("b.txt", 4, "not UTF-8"),)
    results = [result("Now\nshe left.", "she", file="sub dir/ä.md")] * count
    log = json.loads(report("sarif", *results, TextResult("b.txt", 4, None, Rewrite(""), rejects), in_record=in_record))
    assert missing(log) == [] and set(log) == {"$schema", "version", "runs"} and log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints" and len(run["results"]) == count
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"] == {"text": "not UTF-8"}
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for found in run["results"]:
        assert rules[found["ruleIndex"]] == found["ruleId"] == "gender-fair/pronoun"
        place = found["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "sub%20dir/%C3%A4.md"
        full = {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 4}
        assert place["region"] == ({"startLine": 1} if in_record else full)
        assert ("fixes" in found) is not in_record


@pytest.mark.parametrize("count", [0, 1, 3])
def test_vale_and_textlint(count: int) -> None:
    results = [result("Now\nshe left.", "she", file=f"sub dir/{name}.md") for name in "aab"][:count]
    alerts, files = (json.loads(report(form, *results, in_record=False)) for form in ("vale", "textlint"))
    assert [len(found) for found in alerts.values()] == [len(file["messages"]) for file in files]
    assert sum(map(len, alerts.values())) == count
    assert list(alerts) == [file["filePath"] for file in files] == ["sub dir/a.md", "sub dir/b.md"][: (count + 1) // 2]
    for alert in (alert for found in alerts.values() for alert in found):
        assert set(alert) == {
            "Action", "Span", "Check", "Description", "Link", "Message", "Severity", "Match", "Line"
        }  # fmt: skip
        assert (alert["Line"], alert["Span"], alert["Match"]) == (2, [1, 3], "she")
        assert alert["Action"]["Name"] == "replace" and alert["Check"] == "GenderFair.Pronoun"
    for message in (message for file in files for message in file["messages"]):
        assert (message["line"], message["column"], message["severity"]) == (2, 1, 1)
        assert message["loc"] == {"start": {"line": 2, "column": 1}, "end": {"line": 2, "column": 4}}
        assert message["ruleId"] == "gender-fair/pronoun" and message["type"] == "lint"


def check(*arguments: str | Path) -> int:
    return main(["rewrite", "--check", "--threads", "1", *map(str, arguments)])


FILES = {
    "a.txt": "She knows her stuff.\nNothing.\n",
    "b.md": "# Title\n\nNow\nhe left.\n\n```\nhe\n```\n",
    "c.jsonl": '{"id": 1, "text": "All is well."}\n{"text": "She left.", "id": 2}\n',
    "d.csv": 'id,text\n1,"All\nis well."\n2,"So she left."\n',
}
BEGINS = "gendered pronoun, rule 'pronoun that begins'"
FOUND = """\
a.txt:1:1: pronoun: 'She' -> 'They' (gendered pronoun, rule 'pronoun that begins')
a.txt:1:5: verb: 'knows' -> 'know' (its subject became 'they', rule 'beside its pronoun')
a.txt:1:11: pronoun: 'her' -> 'their' (gendered pronoun, model 1.00)
b.md:4:1: pronoun: 'he' -> 'they' (gendered pronoun, rule 'pronoun in lower case')
c.jsonl:2:1: pronoun: 'She' -> 'They' (gendered pronoun, rule 'pronoun that begins')
d.csv:4:4: pronoun: 'she' -> 'they' (gendered pronoun, rule 'pronoun in lower case')
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_bytes(text.encode())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_files_of_all_formats(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(*FILES) == 1
    assert capsys.readouterr().out == FOUND
    assert {name: (folder / name).read_bytes().decode() for name in FILES} == FILES


def test_a_folder_and_an_output_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(".", "--check-format", "sarif", "-o", folder / "found.sarif") == 1
    assert capsys.readouterr().out == ""
    log = json.loads((folder / "found.sarif").read_text(encoding="utf-8"))
    assert len(log["runs"][0]["results"]) == FOUND.count("\n")


def test_parquet_rows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"text": ["Nothing.", None, "So she left."]})
    parquet.write_table(table, folder / "e.parquet", row_group_size=2)
    assert check("e.parquet") == 1
    assert (
        capsys.readouterr().out
        == "e.parquet:3:4: pronoun: 'she' -> 'they' (gendered pronoun, rule 'pronoun in lower case')\n"
    )


@pytest.mark.parametrize(
    ("data", "code", "out", "err"),
    [
        (b"All is well.\n", 0, "", ""),
        (b"She left.\n", 1, f"<stdin>:1:1: pronoun: 'She' -> 'They' ({BEGINS})\n", ""),
        (b"\xff\n", 3, "", "gender-fair: <stdin>:1: not UTF-8 (invalid start byte at byte 0)\n"),
        (b"\xff\nShe left.", 1, f"<stdin>:2:1: pronoun: 'She' -> 'They' ({BEGINS})\n",
         "gender-fair: <stdin>:1: not UTF-8 (invalid start byte at byte 0)\n"),
        (b"", 0, "", ""),
    ],
)  # fmt: skip
def test_standard_input_and_exit_codes(
    data: bytes, code: int, out: str, err: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert check("-") == code
    assert capsys.readouterr() == (out, err)


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--deny", "she,him"], ["her"]),
        (["--deny", "kind:verb"], ["her", "him"]),
        (["--allow", "him", "--allow", "kind:noun"], ["him"]),
        (["--allow", "@{list}"], ["him"]),
        (["--protect", r"^She \w+"], ["her", "him"]),
        (["--protect", "@{list}"], ["She", "knows", "her"]),
        (["--scope", "generic"], []),
        (["--min-confidence", "1.0", "--allow", "she"], ["She", "knows"]),
        (["--no-marks"], ["She", "knows", "her", "him", "He"]),
        ([], ["She", "knows", "her", "him"]),
    ],
)
def test_control_options(
    options: list[str], found: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text(
        "She knows her friend Zofia and saw him.\nHe left Zofia. # gender-fair: ignore\n", encoding="utf-8"
    )
    (tmp_path / "list").write_text("# what I mean\n\nhim\n", encoding="utf-8")
    filled = [option.replace("{list}", str(tmp_path / "list")) for option in options]
    assert check(tmp_path / "a.txt", "--json", *filled) == (1 if found else 0)
    assert [json.loads(line)["before"] for line in capsys.readouterr().out.splitlines()] == found


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--deny", "kind:verbs"], "unknown kind of edit 'verbs' (did you mean 'verb'?)"),
        (["--deny", ","], "--deny ,: names no word and no kind of edit"),
        (["--allow", "@nowhere"], "--allow @nowhere: cannot be read"),
        (["--protect", "("], "'(' is no regular expression"),
        (["--min-confidence", "2"], "a number from 0 to 1, not 2.0"),
        (["--in-place"], "does not go with --in-place"),
        (["--rejected-edits", "x"], "does not go with --rejected-edits"),
    ],
)
def test_mistakes_end_with_a_sentence(
    options: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check("a.txt", *options) == 2
    assert message in capsys.readouterr().err


def test_rewriting_heeds_the_same_options(folder: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["rewrite", "a.txt", "--deny", "she", "--threads", "1"]) == 0
    assert capsysbinary.readouterr().out == b"She knows their stuff.\nNothing.\n"


def hooks() -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return loaded


def test_hooks_have_what_pre_commit_requires() -> None:
    assert [hook["id"] for hook in hooks()] == ["gender-fair-check", "gender-fair-rewrite"]
    for hook in hooks():
        assert {"id", "name", "entry", "language"} <= set(hook) and hook["language"] == "python"
        assert re.fullmatch(r"gender-fair rewrite --[\w-]+", hook["entry"])


@pytest.mark.parametrize(("hook", "code"), zip(hooks(), (1, 0), strict=True), ids=lambda value: str(value)[:30])
def test_hooks_run(hook: dict[str, Any], code: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*hook["entry"].split()[1:], *hook["args"], "a.txt", "b.md"]
    assert build_parser(words).parse_args(words)
    assert main(words) == code
    text = (folder / "a.txt").read_text(encoding="utf-8")
    assert text == (FILES["a.txt"] if code else "They know their stuff.\nNothing.\n")
    assert ("b.md:4:1" in capsys.readouterr().out) is bool(code)


def test_all_formats_are_offered() -> None:
    words = ["rewrite", "--check", "-"]
    args = build_parser(words).parse_args(words)
    assert args.check_format == FORMATS[0]


@pytest.mark.parametrize(("fail", "code"), [("true", 1), ("false", 0)])
def test_the_action_marks_and_fails_where_it_is_asked_to(fail: str, code: int, folder: Path) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    step = next(step for step in action["runs"]["steps"] if step.get("name") == "Check")
    assert {name.lower() for name in step["env"]} <= set(action["inputs"])
    (folder / "bin").mkdir()
    command = folder / "bin" / "gender-fair"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m rewriter "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    inputs = {"PATHS": "a.txt b.md", "OPTIONS": action["inputs"]["options"]["default"], "FAIL": fail}
    places = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    words = ["bash", "-e", "-o", "pipefail", "-c", step["run"]]
    done = subprocess.run(words, cwd=folder, env={**os.environ, **inputs, **places}, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert done.stdout.count("::warning file=a.txt") == 3 and done.stdout.count("::warning file=b.md") == 1
