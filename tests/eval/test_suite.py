"""Suites: a folder of invented sets, an invented rewriter, invented published outputs."""

import json
import re

import pytest

from eval.blocks import label_parts
from eval.bootstrap import Resampling
from eval.suite import NOTHING, SuiteOptions, find_sets, hypothesis_entries, model_entry, run_suite, score_entries
from eval.suite_plot import write_plot
from eval.suite_report import (
    LOG_COLUMNS,
    append_measurements,
    block_comparison_table,
    block_table,
    class_table,
    comparison_table,
    exact_table,
    kind_table,
    score_table,
    text,
    to_dict,
)
from rewriter.errors import InputError, MetricError, ModelError, UsageError
from rewriter.model.grammar import write_grammar_model

options = SuiteOptions(resampling=Resampling(samples=100))

SOURCE = ["She knows plums.", "He left.", "A zebra slept.", "I saw her."]
REFERENCE = ["They know plums.", "They left.", "A zebra slept.", "I saw them."]
PUBLISHED = {
    "rules": ["They knows plums.", "They left.", "A zebra slept.", "I saw their."],
    "neural": ["They know plums.", "They left.", "A zebra sleeped.", "I saw them."],
}


class Perfect:
    """Answers what the reference says."""

    def rewrite(self, texts):
        return [dict(zip(SOURCE, REFERENCE, strict=True)).get(one, one) for one in texts]


class Lossy:
    """Forgets a sentence."""

    def rewrite(self, texts):
        return texts[1:]


def write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "sets"
    write(folder / "gendered.src", SOURCE * 10)
    write(folder / "gendered.ref", REFERENCE * 10)
    write(folder / "gendered.block", ["pronoun", "pronoun", "none", "pronoun"] * 10)
    for system, answers in PUBLISHED.items():
        write(folder / "published" / f"gendered.{system}", answers * 10)
    write(folder / "plain.src", ["Rain fell."])
    write(folder / "plain.ref", ["Rain fell."])
    write(folder / "README.md", ["no set"])
    return folder


def test_the_table_has_nothing_done_then_published_then_ours(folder):
    result = run_suite(Perfect(), folder, options=options)
    table = score_table(result)
    assert list(table.columns) == ["system", "gendered", "gendered: pronoun", "gendered: none", "plain"]
    assert [row[0] for row in table.rows] == [NOTHING, "neural", "rules", "ours"]
    cells = {row[0]: list(row[1:]) for row in table.rows}
    assert cells[NOTHING] == ["26.67", "36.36", "0.00", "0.00"]  # 4 of 15 tokens, 4 of 11, 0 of 4
    assert cells["neural"] == ["6.67", "0.00", "25.00", ""]
    assert cells["rules"] == ["13.33", "18.18", "0.00", ""]
    assert cells["ours"] == ["0.00*", "0.00", "0.00", "0.00"]


def test_ours_is_compared_with_every_published_output(folder):
    result = run_suite(Perfect(), folder, options=options)
    assert [row[:4] for row in comparison_table(result).rows] == [
        ["ours", "gendered", "neural", "-6.67"],
        ["ours", "gendered", "rules", "-13.33"],
    ]
    assert result.best_published("gendered") == "neural"
    assert result.best_published("plain") is None
    assert result.starred("ours", "gendered")
    assert not result.starred("ours", "plain")


def test_counts_by_kind_stand_side_by_side(folder):
    table = kind_table(run_suite(Perfect(), folder, options=options), "gendered")
    assert list(table.columns) == ["kind", NOTHING, "neural", "rules", "ours"]
    assert [list(row) for row in table.rows] == [
        ["pronoun, subject", "0/20", "20/20", "20/20", "20/20"],
        ["pronoun, object", "0/10", "10/10", "0/10", "10/10"],
        ["verb", "0/10", "10/10", "0/10", "10/10"],
        ["other", "0/0", "0/0 +10", "0/0", "0/0"],
    ]


@pytest.mark.parametrize("markdown", [False, True])
def test_reports_are_signed_and_hold_no_sentence(folder, markdown):
    result = run_suite(Perfect(), folder, options=options)
    report = text(result, markdown=markdown)
    assert "wer|lang:en|tok:moses-en|case:mixed|n:40|bootstrap:100|seed:12345|version:" in report
    assert "differs from the best published output" in report
    for word in ("zebra", "plums", "Rain"):
        assert word not in report
        assert word not in json.dumps(to_dict(result))


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_scores_are_drawn_with_every_system_and_set(folder, tmp_path, ending):
    pytest.importorskip("matplotlib", reason="needs the extra 'plot'")
    result = run_suite(Perfect(), folder, options=options)
    path = tmp_path / f"scores.{ending}"
    write_plot(path, result)
    drawn = path.read_bytes()
    if ending == "svg":
        comments = re.findall(r"<!-- (.*?) -->", drawn.decode())
        assert {*result.sets, *result.scores, "word error rate, %"} <= set(comments)
        write_plot(path, result)
        assert path.read_bytes().count(b"<path") == drawn.count(b"<path")
    else:
        assert drawn.startswith(b"\x89PNG")


def test_json_has_every_system_and_set(folder):
    record = to_dict(run_suite(Perfect(), folder, options=options))
    assert [(s["system"], s["ours"], list(s["scores"])) for s in record["systems"]] == [
        (NOTHING, False, ["gendered", "plain"]),
        ("neural", False, ["gendered"]),
        ("rules", False, ["gendered"]),
        ("ours", True, ["gendered", "plain"]),
    ]
    ours = record["systems"][-1]["scores"]["gendered"]
    assert ours["score"] == 0
    assert set(ours["against"]) == {"neural", "rules"}
    assert {name: block["score"] for name, block in ours["blocks"].items()} == {"pronoun": 0.0, "none": 0.0}
    assert "n:30|" in ours["blocks"]["pronoun"]["signature"]


def test_card_scores(folder):
    scores = run_suite(Perfect(), folder, options=options).card_scores("ours")
    assert [(s["set"], s["score"]) for s in scores] == [("gendered", 0.0), ("plain", 0.0)]
    assert scores[0]["signature"].startswith("wer|lang:en|")


def test_answers_that_are_there_already_are_scored(folder, tmp_path):
    answers = tmp_path / "answers"
    write(answers / "gendered.copy.cat", SOURCE * 10)
    write(answers / "other.system", ["not one of the sets"])
    result = run_suite(None, folder, hypotheses=answers, options=options)
    assert list(result.ours) == ["copy.cat"]
    assert result.scores["copy.cat"]["gendered"].wer.score == result.scores[NOTHING]["gendered"].wer.score
    assert "plain" not in result.scores["copy.cat"]


def test_the_longest_set_name_owns_a_file(tmp_path):
    for name in ("news", "news.old"):
        write(tmp_path / f"{name}.src", ["a"])
        write(tmp_path / f"{name}.ref", ["a"])
    write(tmp_path / "published" / "news.old.rules", ["a"])
    assert {one.name: list(one.published) for one in find_sets(tmp_path)} == {"news": [], "news.old": ["rules"]}


def test_sets_are_chosen_and_ordered(folder):
    assert [one.name for one in find_sets(folder)] == ["gendered", "plain"]
    assert [one.name for one in find_sets(folder, ["plain", "gendered"])] == ["plain", "gendered"]
    result = run_suite(None, folder, options=SuiteOptions(sets=["plain"], resampling=options.resampling))
    assert result.sets == ("plain",)


def test_answers_are_saved_and_score_the_same_again(folder, tmp_path):
    saving = SuiteOptions(resampling=options.resampling, save=tmp_path / "saved")
    first = run_suite(Perfect(), folder, options=saving)
    again = run_suite(None, folder, hypotheses=tmp_path / "saved", options=options)
    assert score_table(first).rows == score_table(again).rows


def test_measurements_are_appended_with_one_header(folder, tmp_path):
    log = tmp_path / "docs" / "measurements.tsv"
    result = run_suite(Perfect(), folder, options=options)
    assert append_measurements(log, result) == 2
    assert append_measurements(log, result) == 2
    lines = [line.split("\t") for line in log.read_text(encoding="utf-8").splitlines()]
    assert lines[0] == list(LOG_COLUMNS)
    assert [(line[3], line[4], line[5]) for line in lines[1:]] == [
        ("gendered", "ours", "0.0000"),
        ("plain", "ours", "0.0000"),
    ] * 2
    assert all(len(line) == len(LOG_COLUMNS) for line in lines)


def test_a_log_without_final_line_end_is_not_glued_to(folder, tmp_path):
    log = tmp_path / "log.tsv"
    log.write_text("\t".join(LOG_COLUMNS), encoding="utf-8")
    append_measurements(log, run_suite(Perfect(), folder, options=options))
    assert len(log.read_text(encoding="utf-8").splitlines()) == 3


def test_another_file_is_not_taken_for_a_log(folder, tmp_path):
    log = tmp_path / "notes.txt"
    log.write_text("my notes\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"notes\.txt:1: not a log of measurements"):
        append_measurements(log, run_suite(Perfect(), folder, options=options))
    assert log.read_text(encoding="utf-8") == "my notes\n"


def test_a_system_that_loses_a_sentence_is_named_with_the_set(folder):
    with pytest.raises(
        MetricError, match="gendered, ours: unequal numbers of sentences: hypothesis has 39, reference has 40"
    ):
        run_suite(Lossy(), folder, options=options)


def test_a_published_output_of_another_length_is_named(folder):
    write(folder / "published" / "plain.rules", ["a", "b"])
    with pytest.raises(MetricError, match="plain, rules: unequal"):
        run_suite(None, folder, options=options)


def test_labels_of_another_length_are_refused(folder):
    write(folder / "plain.block", ["a", "b"])
    with pytest.raises(MetricError, match="blocks has 2"):
        run_suite(None, folder, options=options)


def test_two_systems_of_one_name_are_refused(folder):
    sets = find_sets(folder)
    with pytest.raises(UsageError, match="same name"):
        score_entries([model_entry(Perfect(), "rules")], sets, options)


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (lambda f: [p.unlink() for p in f.glob("*.src")], "no sets here"),
        (lambda f: (f / "plain.ref").unlink(), r"no reference plain\.ref"),
    ],
)
def test_a_folder_that_is_not_complete_is_refused(folder, prepare, message):
    prepare(folder)
    with pytest.raises(InputError, match=message):
        find_sets(folder)


def test_an_unknown_set_names_the_known_ones(folder):
    with pytest.raises(InputError, match="gendered, plain"):
        find_sets(folder, ["genderd"])


def test_a_folder_without_answers_is_refused(folder, tmp_path):
    with pytest.raises(InputError, match="no answers here"):
        hypothesis_entries(tmp_path / "nowhere", find_sets(folder))


def test_a_model_directory_is_named_and_fingerprinted_by_its_description(folder, tmp_path):
    info = write_grammar_model(tmp_path / "export", "en")
    result = run_suite(tmp_path / "export", folder, options=options)
    assert dict(result.ours) == {"en-grammar": info.identity}
    assert model_entry(tmp_path / "export", "mine").name == "mine"


def test_a_missing_model_is_one_sentence(folder):
    with pytest.raises(ModelError, match="nowhere"):
        run_suite("nowhere", folder, options=options)


# ---------------------------------------------------------------- labels with parts in common: gender by number


CROSSED = ["feminine-plural", "masculine-plural", "feminine-singular", "masculine-singular"]


@pytest.fixture
def crossed(folder):
    write(folder / "gendered.block", CROSSED * 10)
    return folder


def test_what_labels_have_in_common_is_scored_too(crossed):
    result = run_suite(Perfect(), crossed, options=options)
    table = score_table(result)
    assert list(table.columns)[1:] == ["gendered", *(f"gendered: {p}" for p in PARTS), "plain"]
    rows = {row[0]: list(row[1:]) for row in table.rows}
    # errors of the four sentences: 2, 1, 0, 1 of 4, 3, 4, 4 tokens
    assert rows[NOTHING] == ["26.67", "25.00", "28.57", "42.86", "12.50", "0.00"]
    assert rows["rules"] == ["13.33", "12.50", "14.29", "14.29", "12.50", ""]


PARTS = ["feminine", "masculine", "plural", "singular"]


def test_gender_by_number_is_a_table_of_its_own(crossed):
    result = run_suite(Perfect(), crossed, options=options)
    table = block_table(result, "gendered")
    assert list(table.columns) == ["system", *CROSSED]
    assert [list(row) for row in table.rows] == [
        [NOTHING, "50.00", "33.33", "0.00", "25.00"],
        ["neural", "0.00", "0.00", "25.00", "0.00"],
        ["rules", "25.00", "0.00", "0.00", "25.00"],
        ["ours", "0.00", "0.00", "0.00", "0.00"],
    ]
    assert not block_table(result, "plain").rows


def test_labels_without_common_parts_are_columns(folder):
    assert label_parts(["pronoun", "none"]) == []
    assert label_parts(["a-b", "c"]) == []
    assert label_parts(["a-b", "c-b", "c-d"]) == ["c", "b"]
    assert not block_table(run_suite(None, folder, options=options), "gendered").rows


def test_every_block_is_compared_with_its_best_published_output(crossed):
    result = run_suite(Perfect(), crossed, options=options)
    rows = {row[2]: row[3:5] for row in block_comparison_table(result).rows}
    assert list(rows) == [*CROSSED, *PARTS]
    assert rows["singular"] == ["neural", "-12.50"]
    assert rows["plural"] == ["neural", "+0.00"]
    assert "by label" in text(result)


def test_exact_shares_stand_beside_the_parts(crossed):
    rows = {row[0]: list(row[1:]) for row in exact_table(run_suite(Perfect(), crossed, options=options)).rows}
    assert rows["rules"] == ["50.0", "50.0", "50.0", "50.0", "50.0", ""]


def test_errors_by_class(folder):
    table = class_table(run_suite(Perfect(), folder, options=options), "gendered")
    assert list(table.columns) == ["class", NOTHING, "neural", "rules", "ours"]
    assert [list(row) for row in table.rows] == [
        ["pronoun, subject", "20", "0", "0", "0"],
        ["pronoun, object", "10", "0", "10", "0"],
        ["verb", "10", "0", "10", "0"],
        ["over-generation", "0", "0", "0", "0"],
        ["copy", "0", "10", "0", "0"],
    ]


def test_a_model_that_was_measured_on_nothing_has_no_scores() -> None:
    assert score_entries([], []).card_scores("ours") == []
