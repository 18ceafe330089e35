"""The eval commands, called as the command line calls them."""

import json

import pytest

from eval.texts import is_published, named_role, refuse_swapped
from rewriter.cli.main import main
from rewriter.errors import MetricError

SOURCE = ["She knows plums.", "He left.", "A zebra slept.", "I saw her."]
REFERENCE = ["They know plums.", "They left.", "A zebra slept.", "I saw them."]
RULES = ["They knows plums.", "They left.", "A zebra sleeped.", "I saw their."]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GENDER_FAIR_TESTSETS", raising=False)
    for name, lines in {"in.src": SOURCE, "in.ref": REFERENCE, "in.rules": RULES, "in.copy": SOURCE}.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def test_wer_prints_score_and_signature(files, capsys):
    assert main(["eval", "wer", "in.rules", "in.ref"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("WER 20.00 ")
    assert "3 substitutions, 0 deletions, 0 insertions; 12 of 15 tokens right" in out
    assert "wer|lang:en|tok:moses-en|case:mixed|n:4|" in out


def test_wer_with_everything(files, capsys):
    words = ["eval", "wer", "in.rules", "in.ref", "--src", "in.src", "--against", "in.copy", "--worst", "2"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "against in.copy, 26.67: difference -6.67" in out
    assert "copy damage: 1 changes of no known kind in 1 sentences" in out
    assert out.count("hypothesis  ") == 2
    assert "They knows plums." in out


def test_wer_as_json(files, capsys):
    words = ["eval", "wer", "in.rules", "in.ref", "--src", "in.src", "--against", "in.copy", "--worst", "1", "--json"]
    assert main(words) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["wer"]["errors"] == [1, 0, 1, 1]
    assert record["against"][0]["difference"] == pytest.approx(-100 / 15)
    assert record["edits"]["kinds"]["verb"]["missed"] == 1
    assert [(one["line"], one["source"]) for one in record["worst"]] == [(1, SOURCE[0])]


def test_options_reach_the_signature(files, capsys):
    words = ["--tokenizer", "none", "--case", "lower", "--bootstrap", "10", "--seed", "5"]
    assert main(["eval", "wer", "in.rules", "in.ref", *words]) == 0
    assert "tok:none|case:lower|n:4|bootstrap:10|seed:5" in capsys.readouterr().out


def test_errors_show_examples_by_kind(files, capsys):
    assert main(["eval", "errors", "in.rules", "in.ref", "in.src", "--html", "page.html"]) == 0
    out = capsys.readouterr().out
    assert "verb:\n  line 1, missed: knows → know, got knows" in out
    assert "line 4, wrong: her → them, got their" in out
    assert "line 3, extra: slept → slept, got sleeped" in out
    page = (files / "page.html").read_text(encoding="utf-8")
    assert "zebra" in page
    assert "copy damage and other edits: 1" in page


def test_errors_as_json(files, capsys):
    assert main(["eval", "errors", "in.rules", "in.ref", "in.src", "--json"]) == 0
    failures = json.loads(capsys.readouterr().out)["failures"]
    assert failures[0] == {
        "line": 1,
        "kind": "verb",
        "status": "missed",
        "before": "knows",
        "expected": "know",
        "got": "knows",
    }


@pytest.mark.parametrize("extra", [[], ["--json"]])
def test_counts_only_shows_no_sentence(files, capsys, extra):
    words = ["eval", "errors", "in.rules", "in.ref", "in.src", "--counts-only", "--html", "page.html", *extra]
    assert main(words) == 0
    shown = capsys.readouterr().out + (files / "page.html").read_text(encoding="utf-8")
    assert "verb" in shown
    for word in ("zebra", "knows", "plums"):
        assert word not in shown


@pytest.mark.parametrize(
    "words",
    [
        ["wer", "in.rules", "in.ref", "--worst", "3"],
        ["wer", "in.rules", "in.ref", "--worst", "3", "--src", "in.src", "--json"],
        ["errors", "in.rules", "in.ref", "in.src", "--html", "page.html"],
        ["errors", "in.rules", "in.ref", "in.src", "--json"],
    ],
)
def test_sentences_of_published_sets_are_never_shown(files, capsys, monkeypatch, words):
    monkeypatch.setenv("GENDER_FAIR_TESTSETS", str(files))
    assert main(["eval", *words]) == 0
    captured = capsys.readouterr()
    page = files / "page.html"
    shown = captured.out + (page.read_text(encoding="utf-8") if page.exists() else "")
    assert "figures only, no sentences" in captured.err
    for word in ("zebra", "sleeped", "plums"):
        assert word not in shown


def test_suite_prints_the_table_and_logs(files, capsys):
    (files / "answers").mkdir()
    (files / "answers" / "in.mine").write_text("".join(f"{line}\n" for line in REFERENCE), encoding="utf-8")
    words = ["eval", "suite", "--sets", ".", "--hypotheses", "answers", "--lang", "en", "--log", "log.tsv"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "nothing done  26.67" in out
    assert "mine" in out
    assert len((files / "log.tsv").read_text(encoding="utf-8").splitlines()) == 2
    assert main([*words, "--markdown"]) == 0
    assert "| nothing done | 26.67 |" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sets"] == ["in"]


#: (words, what the message says)
WRONG = [
    (["wer", "in.ref", "in.rules"], "look swapped"),
    (["wer", "in.rules", "nowhere.txt"], "nowhere.txt: cannot be read"),
    (["wer", "bad.txt", "in.ref"], "bad.txt:2: not UTF-8"),
    (["wer", "short.txt", "in.ref"], "short.txt against in.ref: unequal numbers of sentences: hypothesis has 2"),
    (["wer", "in.rules", "in.ref", "--against", "short.txt"], "short.txt against in.ref"),
    (["wer", "in.rules", "blank.txt"], "reference sentence 2 is empty"),
    (["wer", "in.rules", "in.ref", "--src", "short.txt"], "source has 2"),
    (["wer", "in.rules", "in.ref", "--lang", "xx"], "does not know the language 'xx'"),
    (["errors", "in.rules", "in.src", "in.ref"], "source and reference look swapped"),
    (["errors", "in.rules", "in.ref", "short.txt"], "source has 2"),
    (["suite", "--sets", "nowhere"], "no sets here"),
    (["suite", "--sets", ".", "--json", "--markdown"], "exclude each other"),
    (["suite", "=x", "--sets", "."], "name before '=' is missing"),
    (["suite", "nowhere", "--sets", "."], "nowhere"),
]


@pytest.mark.parametrize(("words", "message"), WRONG)
def test_wrong_input_is_one_message(files, capsys, words, message):
    (files / "short.txt").write_text("a\nb\n", encoding="utf-8")
    (files / "blank.txt").write_text("a\n\nb\nc\n", encoding="utf-8")
    (files / "bad.txt").write_bytes(b"a\n\xff\nb\nc\n")
    assert main(["eval", *words]) in (2, 4)
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_empty_lines_of_a_hypothesis_and_a_missing_final_line_end_count(files, capsys):
    (files / "gaps.txt").write_bytes(b"They know plums.\r\n\r\nA zebra slept.\r\nI saw them.")
    assert main(["eval", "wer", "gaps.txt", "in.ref", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["wer"]["errors"] == [0, 3, 0, 0]


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("news.ref", "reference"),
        ("a/b/reference.txt", "reference"),
        ("news.ref.gz", "reference"),
        ("news.HYP", "hypothesis"),
        ("news.src", "source"),
        ("news.rules", None),
        ("news.ref-tuned", None),
        ("reference-model.out", None),
        ("hyp-1.txt", None),
        ("txt", None),
    ],
)
def test_a_name_tells_a_role_only_by_its_last_part(name, role):
    assert named_role(name) == role


#: hypothesis, reference, source: usual and unusual but right
RIGHT_ORDER = [
    ("news.rules", "news.ref", "news.src"),
    ("news.src", "news.ref", "news.src"),
    ("annotator2.ref", "annotator1.ref", None),
    ("one.hyp", "two.hyp", None),
    ("news.rules", "news.src", None),
    ("out.txt", "gold.txt", "in.txt"),
]


@pytest.mark.parametrize(("hypothesis", "reference", "source"), RIGHT_ORDER)
def test_the_right_order_is_accepted(hypothesis, reference, source):
    refuse_swapped(hypothesis=hypothesis, reference=reference, source=source)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "source"),
    [("news.ref", "news.rules", None), ("gold.txt", "my.hyp", None), ("news.rules", "news.src", "news.ref")],
)
def test_names_that_contradict_the_order_are_refused(hypothesis, reference, source):
    with pytest.raises(MetricError, match="look swapped"):
        refuse_swapped(hypothesis=hypothesis, reference=reference, source=source)


def test_the_order_can_be_trusted(files):
    assert main(["eval", "wer", "in.ref", "in.rules", "--trust-order"]) == 0


def test_only_files_below_the_named_folder_are_published(tmp_path, monkeypatch):
    monkeypatch.delenv("GENDER_FAIR_TESTSETS", raising=False)
    assert not is_published(tmp_path / "a.ref")
    monkeypatch.setenv("GENDER_FAIR_TESTSETS", str(tmp_path / "sets"))
    assert is_published(tmp_path / "sets" / "en" / "a.ref")
    assert not is_published(tmp_path / "setsuko" / "a.ref")
