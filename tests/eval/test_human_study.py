"""A human evaluation from texts to report: what is made, what is hidden, what is read back, what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from simulated_people import answer_study, simulated_answers

from eval.bootstrap import Resampling
from eval.human.answers import answers_from, collect
from eval.human.make import StudyOptions, make
from eval.human.page import questionnaire_page
from eval.human.ratings import choices_of, long_table, ratings_of
from eval.human.report import SIMULATED, markdown_report, report_dict, text_report, write_page, write_plot
from eval.human.results import HumanReport, ReportOptions, human_report
from eval.human.statistics import BOTH
from eval.human.study import CHECK, KEY_FILE, PREFERENCE, RATING, Study, load_study
from eval.human.texts import TextSource, read_texts
from eval.human.wording import load_wording, wording_languages
from rewriter.cli.main import main
from rewriter.errors import GenderFairError, InputError, MetricError, OutputError, UsageError

DATA = Path(__file__).resolve().parents[1] / "data" / "human" / "texts.jsonl"
SOURCE = TextSource(DATA, reference="gold")
QUICK = ReportOptions(simulated=True, resampling=Resampling(samples=500))
WRITERS = {"zebra": lambda texts: [f"{text} Quite so." for text in texts]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("human") / "study"
    make(StudyOptions(SOURCE, WRITERS, participants=36), folder)
    answer_study(folder, folder.parent / "answers")
    return folder


@pytest.fixture(scope="module")
def study(folder: Path) -> Study:
    return load_study(folder)


@pytest.fixture(scope="module")
def report(study: Study, folder: Path) -> HumanReport:
    collected = collect(study, [folder.parent / "answers"])
    assert (len(collected.answers), collected.problems, collected.notes) == (36, (), ())
    return human_report(study, collected.answers, QUICK)


# ---------------------------------------------------------------- making


def test_the_paper_s_shape_is_the_default(study: Study) -> None:
    assert study.versions == ("original", "zebra", "reference")
    assert sorted(text.genre for text in study.texts) == ["advice", "advice", "notice", "notice", "report", "report"]
    kinds = [item.kind for item in study.questionnaires[0].items]
    assert kinds == [RATING] * 2 + [CHECK] + [RATING] * 2 + [CHECK] + [RATING] * 2 + [PREFERENCE] * 3
    assert study.signature.startswith(
        "human-study|design:6x3|order:fixed|comparisons:3|checks:2|participants:36|seed:1"
    )


def test_texts_that_the_reference_leaves_as_they_are_are_not_drawn() -> None:
    found = read_texts(SOURCE)
    assert (len(found.texts), found.unchanged, found.incomplete) == (9, 1, 0)
    assert len(read_texts(SOURCE, unchanged_too=True).texts) == 10


def test_the_same_seed_makes_the_same_bytes_and_another_one_another_study(tmp_path: Path) -> None:
    made = [
        make(StudyOptions(SOURCE, WRITERS, participants=3, seed=seed), tmp_path / n)
        for n, seed in zip("abc", (1, 1, 2), strict=True)
    ]
    one, same, other = ([p.read_bytes() for p in (tmp_path / n).rglob("*") if p.is_file()] for n in "abc")
    assert sorted(one) == sorted(same)
    assert made[0].study.id == made[1].study.id != made[2].study.id
    assert not set(one) & set(other)


def test_a_page_does_not_say_which_version_is_shown(study: Study) -> None:
    for questionnaire in study.questionnaires[:6]:
        page = questionnaire_page(study, questionnaire)
        assert re.findall(r"(?i)zebra|\boriginal\b|\breference\b|\bgold\b|expected|\"form\":", page) == []
        ids = [item.id for item in questionnaire.items]
        assert re.findall(r'data-item="(\w+)"', page) == ids
        # a rated text stands in the page in its one version only, unless it is compared afterwards
        compared = {item.text for item in questionnaire.items if item.kind == PREFERENCE}
        for item in questionnaire.items:
            if item.kind == RATING and item.text not in compared:
                shown = [v for v in range(3) if study.shown(item.text, v).replace("'", "&#x27;") + "</div>" in page]
                assert shown == [item.version]
    names = [item.id for q in study.questionnaires for item in q.items]
    assert len(set(names)) == len(names)


def test_a_page_loads_nothing_and_lets_nothing_but_itself_run(study: Study) -> None:
    page = questionnaire_page(study, study.questionnaires[0])
    assert re.findall(r"(?:https?:)?//[a-z]", page.replace("// ", "")) == []
    assert re.findall(r"<(?:link|img|iframe|script)[^>]*(?:src|href)=\"(?!data:)", page) == []
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy and policy[1].startswith("default-src &#x27;none&#x27;; script-src &#x27;sha256-")
    assert "unsafe" not in policy[1]


def test_the_key_is_read_back_as_it_was(folder: Path, tmp_path: Path) -> None:
    made = make(StudyOptions(SOURCE, WRITERS, participants=3, lang="de"), tmp_path / "s").study
    assert load_study(tmp_path / "s") == made == load_study(tmp_path / "s" / KEY_FILE)


def test_a_key_is_never_overwritten(folder: Path) -> None:
    with pytest.raises(OutputError, match="key of another study, whose answers need it"):
        make(StudyOptions(SOURCE, WRITERS, participants=3), folder)


def test_what_to_look_at_is_said(tmp_path: Path) -> None:
    writers = {"nothing": lambda texts: list(texts)}
    notes = make(StudyOptions(SOURCE, writers, participants=4), tmp_path / "s").notes
    assert notes[0] == "4 participants and 3 forms: forms are equally often only for a multiple of 3"
    assert len([note for note in notes if note.endswith(": original and nothing are the same")]) == 6


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


ROWS = '{"text": "a"}\n{"text": "b", "own": "B"}\n'


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"text": "body"}, r"no column 'body'.*columns: text, own"),
        ({"columns": {"own": "ownn"}}, r"no column 'ownn' \(did you mean 'own'\?\)"),
        ({"columns": {"original": "own"}}, "two versions are called 'original'"),
        ({"answers": {"mine": Path("one.txt")}}, "one.txt: 1 lines for the 2 texts of"),
        ({"id": "text", "columns": {"own": "own"}}, None),
        ({}, "give versions to compare with the original"),
    ],
)
def test_tables_that_do_not_fit_are_refused(
    changes: dict[str, Any], message: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "one.txt", "A\n")
    source = replace(TextSource(written(tmp_path, "t.jsonl", ROWS)), **changes)
    # one of the two rows has no version 'own'
    with pytest.raises(GenderFairError, match=message or "2 texts are asked for and 1 can be drawn"):
        make(StudyOptions(source, participants=2, texts=2, preferences=0, checks=0), tmp_path / "s")
    assert not (tmp_path / "s").exists()


def test_two_texts_of_one_name_are_refused(tmp_path: Path) -> None:
    table = written(tmp_path, "t.jsonl", '{"id": "x", "text": "a"}\n{"id": "x", "text": "b"}\n')
    with pytest.raises(InputError, match="two texts are called 'x'"):
        read_texts(TextSource(table))


# ---------------------------------------------------------------- words


@pytest.mark.parametrize("lang", wording_languages())
def test_every_language_says_everything(lang: str) -> None:
    wording, english = load_wording(lang), load_wording("en")
    assert wording.lang == lang
    assert set(wording.ui) == set(english.ui)
    assert list(wording.statements) == list(english.statements)
    assert [question.id for question in wording.after] == [question.id for question in english.after]
    assert len(wording.scale) == len(wording.preference_scale) == 5


def test_words_of_ones_own_replace_ours(tmp_path: Path) -> None:
    own = {"statements": {"warm": "This text is warm."}, "ui": {"next": "On"}}
    wording = load_wording("en", written(tmp_path, "w.json", json.dumps(own)))
    assert dict(wording.statements) == {"warm": "This text is warm."}
    assert (wording.ui["next"], wording.ui["back"]) == ("On", "Back")


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"statement": {}}, r"unknown key 'statement' \(did you mean 'statements'\?\)"),
        ({"ui": {"nxt": "On"}}, r"ui: unknown key 'nxt' \(did you mean 'next'\?\)"),
        ({"statements": {"A b": "x"}}, "statements: 'A b' is no name"),
        ({"statements": {}}, "statements: one at least"),
        ({"scale": ["only"]}, "two labels at least"),
        ({"check": "Choose!"}, r"check: must hold \{choice\}"),
        ({"preference": {"introduction": "x", "question": "x", "scale": ["A", "B"]}}, "an odd number of labels"),
        ({"preference": {"question": "x", "scale": ["A", "B"]}}, "the key 'introduction' is missing"),
        ({"before": [{"id": "x", "text": 3}]}, r"before\[0\].text: expected text, not 3"),
        ({"title": ""}, "title: expected text"),
        (["title"], "expected a JSON object"),
    ],
)
def test_words_that_are_wrong_are_refused(own: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        load_wording("en", written(tmp_path, "w.json", json.dumps(own)))


def test_a_language_without_words_is_refused() -> None:
    with pytest.raises(UsageError, match="no questionnaires in 'fr'; known: de, en"):
        load_wording("fr")


# ---------------------------------------------------------------- reading answers back


@pytest.fixture
def record(study: Study) -> dict[str, Any]:
    quality = {"original": 2.0, "zebra": 3.0, "reference": 4.0}
    return simulated_answers(study, study.questionnaires[0], quality, np.random.default_rng(1))


def test_answers_are_read_back_and_written_again(study: Study, record: dict[str, Any]) -> None:
    answers = answers_from(study, record, where="a.json")
    assert answers.to_dict(study) == record
    assert answers.failed_checks(study.questionnaires[0]) == 0


def change(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Return what puts a value at a place; ``rating``, ``check`` and ``pair`` are the first items of these kinds."""

    def apply(record: dict[str, Any]) -> None:
        place = record
        kinds = {"rating": 0, "check": 2, "pair": 8}
        *keys, last = path.split(".")
        for key in keys:
            place = place[list(record["items"])[kinds[key]] if key in kinds else key]
        place[list(record["items"])[kinds[last]] if last in kinds else last] = value

    return apply


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", "other/1", "a.json: not a file of answers"),
        ("study", "0123", "answers of the study '0123', not of this one"),
        ("participant", "p099", "the study has no participant 'p099'"),
        ("participant", "p002", "not a page of participant p002; was the file mixed up"),
        ("participant", 7, "the study has no participant 7"),
        ("simulated", "no", "simulated: expected true or false, not 'no'"),
        ("withdrawn", None, "withdrawn: expected true or false"),
        ("items", [], "items: expected an object"),
        ("items.rating", 3, r"items\.i\w+: expected an object"),
        ("items.rating.ratings.fair", 6, r"items\.i\w+\.ratings\.fair: expected a whole number from 1 to 5, not '6'"),
        ("items.rating.ratings.fair", True, "expected a whole number from 1 to 5, not 'True'"),
        ("items.rating.ratings.fair", 2.5, "not '2.5'"),
        ("items.rating.ratings.fare", 2, r"ratings\.fare: the study has no such statement"),
        ("items.rating.seconds", -1, "expected a number of seconds"),
        ("items.rating.seconds", float("nan"), "expected a number of seconds"),
        ("items.rating.seconds", float("inf"), "expected a number of seconds"),
        ("items.pair.preference", 0, "preference: expected a whole number from 1 to 5"),
        ("items.pair", {"ratings": {}}, "preference: expected a whole number"),
        ("before.gender", "unknown", "before.gender: expected one of female, male, non-binary"),
        ("before.gender", ["female"], "before.gender: expected one of"),
        ("before.age", 30, "before.age: the study asks no such question"),
        ("after.error_free", "4", "after.error_free: expected a whole number from 1 to 5"),
        ("comment", 3, "comment: expected text"),
    ],
)
def test_what_a_page_cannot_have_saved_is_refused(
    path: str, value: Any, message: str, study: Study, record: dict[str, Any]
) -> None:
    change(path, value)(record)
    with pytest.raises(InputError, match=message):
        answers_from(study, record, where="a.json")


@pytest.mark.parametrize("value", [None, [], 3, "text"])
def test_a_file_that_is_no_object_is_refused(value: Any, study: Study) -> None:
    with pytest.raises(InputError, match="take the file that the page saved, unchanged"):
        answers_from(study, value, where="a.json")


def test_one_wrong_file_costs_no_other_one(study: Study, record: dict[str, Any], tmp_path: Path) -> None:
    written(tmp_path, "a.json", json.dumps(record))
    written(tmp_path, "a-copy.json", json.dumps(record))
    written(tmp_path, "cut.json", json.dumps(record)[:200])
    quality = {"original": 2.0, "zebra": 3.0, "reference": 4.0}
    for seed in (2, 3):
        other = simulated_answers(study, study.questionnaires[1], quality, np.random.default_rng(seed))
        written(tmp_path, f"twice-{seed}.json", json.dumps(other))
    found = collect(study, [tmp_path])
    assert [answers.participant for answers in found.answers] == ["p001"]
    assert "cut.json: not valid JSON" in found.problems[0].reason
    assert "answer the same questionnaire (p002) differently; keep one" in found.problems[1].reason
    assert "twice-2.json" in found.problems[1].source and "twice-3.json" in found.problems[1].source
    assert [note.endswith("the same answers; counted once") for note in found.notes] == [True]


def test_a_folder_without_answers_is_refused(study: Study, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \.json file in this folder"):
        collect(study, [tmp_path])


def test_ratings_are_joined_with_the_versions_of_the_key(study: Study, record: dict[str, Any]) -> None:
    answers = [answers_from(study, record, where="a.json")]
    ratings, choices = ratings_of(study, answers, "fair"), choices_of(study, answers)
    rated = [item for item in study.questionnaires[0].items if item.kind == RATING]
    assert ratings.text.tolist() == [item.text for item in rated]
    assert ratings.version.tolist() == [item.version for item in rated]
    assert ratings.value.tolist() == [record["items"][item.id]["ratings"]["fair"] for item in rated]
    pairs = [item for item in study.questionnaires[0].items if item.kind == PREFERENCE]
    assert choices.lean.tolist() == [(record["items"][item.id]["preference"] - 3) / 2 for item in pairs]
    table = long_table(study, answers)
    assert table["kind"].count("rating") == 12 and table["kind"].count("check") == 4
    first = {name: values[2] for name, values in table.items()}
    assert (first["text"], first["version"]) == (study.texts[rated[0].text].id, study.versions[rated[0].version])


# ---------------------------------------------------------------- the report


def test_the_report_finds_what_made_up_people_were_given_to_think(report: HumanReport) -> None:
    """They hold the versions for worth 1.8, 2.9 and 4.0; rounding to a scale of five moves that a little."""
    statement = report.statements[0]
    means = [mean.value for mean in statement.versions.means]
    assert means == pytest.approx([1.8, 2.9, 4.0], abs=0.25)
    assert all(c.p_value < 0.01 and c.adjusted < 0.01 for c in statement.versions.contrasts)
    assert statement.model is not None
    assert [e.estimate for e in statement.model.effects[1:]] == pytest.approx(
        [means[1] - means[0], means[2] - means[0]],  # type: ignore[operator]
        abs=1e-4,
    )
    assert report.preferences is not None
    assert all(pair.lean.value is not None and pair.lean.value > 0 for pair in report.preferences.pairs)
    assert report.preferences.left_interval.low < 0.5 < report.preferences.left_interval.high
    assert sum(pair.for_first + pair.neither + pair.for_second for pair in report.preferences.pairs) == 36 * 3


def test_the_figures_are_counted_by_hand_again(report: HumanReport, study: Study, folder: Path) -> None:
    """The table of the paper, made without arrays."""
    cells: dict[tuple[str, str], list[int]] = {}
    for questionnaire in study.questionnaires:
        path = folder.parent / "answers" / f"answers-{study.id}-{questionnaire.participant}.json"
        items = json.loads(path.read_text(encoding="utf-8"))["items"]
        for item in questionnaire.items:
            if item.kind == RATING:
                cell = (study.versions[item.version], study.texts[item.text].id)
                cells.setdefault(cell, []).append(items[item.id]["ratings"]["fair"])
    by_text = report_dict(report)["statements"][0]["by_text"]
    for (version, text), values in cells.items():
        assert len(values) == 12
        assert by_text[text][study.versions.index(version)] == pytest.approx(sum(values) / 12)


def test_simulated_answers_are_refused_unless_asked_for_and_then_marked(
    study: Study, folder: Path, report: HumanReport, tmp_path: Path
) -> None:
    answers = collect(study, [folder.parent / "answers"]).answers
    with pytest.raises(UsageError, match="36 of 36 answers are simulated"):
        human_report(study, answers)
    with pytest.raises(UsageError, match="answers of people are not mixed with them"):
        human_report(study, [replace(answers[0], simulated=False), *answers[1:]], QUICK)
    assert text_report(report).startswith(SIMULATED)
    assert SIMULATED in markdown_report(report)
    assert report_dict(report)["simulated"] is True
    assert "|answers:simulated|" in report.signature
    write_page(tmp_path / "r.html", report)
    assert SIMULATED in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_who_withdrew_or_failed_a_check_is_counted_and_left_out(study: Study, folder: Path) -> None:
    answers = list(collect(study, [folder.parent / "answers"]).answers)
    quality = dict.fromkeys(study.versions, 5.0)
    careless = simulated_answers(study, study.questionnaires[0], quality, np.random.default_rng(1), attentive=False)
    answers[0] = answers_from(study, careless, where="a.json")
    answers[1] = replace(answers[1], withdrawn=True)
    first = next(iter(answers[2].items))
    answers[2] = replace(answers[2], items={name: a for name, a in answers[2].items.items() if name != first})
    people = human_report(study, answers, QUICK).people
    assert (people.answered, people.withdrawn, people.inattentive, people.used, people.unfinished) == (36, 1, 1, 34, 1)
    assert human_report(study, answers, replace(QUICK, failed_checks=2)).people.used == 35


def test_nobody_left_is_said(study: Study, record: dict[str, Any]) -> None:
    answers = [replace(answers_from(study, record, where="a.json"), withdrawn=True)]
    with pytest.raises(MetricError, match="no ratings are left: 1 answered, 1 took their answers back, 0 failed"):
        human_report(study, answers, QUICK)


def test_one_person_is_enough_for_a_report(study: Study, record: dict[str, Any]) -> None:
    found = human_report(study, [answers_from(study, record, where="a.json")], replace(QUICK, over=BOTH))
    assert found.statements[0].agreement.alpha is None
    assert "not defined" in text_report(found)
    json.dumps(report_dict(found), allow_nan=False)


def test_opinions_are_crossed_with_ratings_as_in_the_paper(report: HumanReport) -> None:
    opinion = report.opinions[0]
    assert opinion.question.id == "error_free"
    assert [group.name for group in opinion.groups] == ["disagree", "neither", "agree"]
    assert sum(group.people for group in opinion.groups) == 36 == sum(opinion.counts.values())
    higher = report.statements[0].versions.contrasts[0].higher
    assert sum(group.higher[0] for group in opinion.groups) == higher


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_plot_is_drawn(ending: str, report: HumanReport, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra 'plot'")
    write_plot(tmp_path / f"plot.{ending}", report)
    assert (tmp_path / f"plot.{ending}").stat().st_size > 5_000


def test_the_report_is_the_same_every_time(report: HumanReport, study: Study, folder: Path) -> None:
    answers = collect(study, [folder.parent / "answers"]).answers
    again = human_report(study, answers, QUICK)
    assert json.dumps(report_dict(again)) == json.dumps(report_dict(report))


# ---------------------------------------------------------------- the command


def test_the_command_makes_collects_and_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [json.loads(line)["text"].replace("he", "they") for line in DATA.read_text(encoding="utf-8").splitlines()]
    written(tmp_path, "mine.txt", "".join(f"{line}\n" for line in lines))
    words = ["eval", "human"]
    made = [*words, "make", str(DATA), "-o", "study", "--answers", "mine=mine.txt", "--reference", "gold"]
    assert main([*made, "--participants", "6"]) == 0
    assert "6 texts (advice, notice, report) in 3 versions: original, mine, reference" in capsys.readouterr().out
    answer_study(Path("study"), Path("answers"))
    assert main([*words, "collect", "study", "answers", "-o", "answers.jsonl", "--table", "table.csv"]) == 0
    assert capsys.readouterr().out == "6 of 6 questionnaires answered: answers.jsonl\n"
    assert main([*words, "report", "study", "answers.jsonl"]) == 2
    assert "6 of 6 answers are simulated" in capsys.readouterr().err
    shown = [*words, "report", "study", "answers.jsonl", "--simulated", "--bootstrap", "100", "--html", "r.html"]
    assert main([*shown, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["people"]["used"] == 6
    assert main([*shown, "--markdown"]) == 0
    assert capsys.readouterr().out.startswith(f"**{SIMULATED}**\n\n## Participants")


def test_the_command_names_wrong_files_and_ends_with_three(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, "wrong.json", "{}")
    files = [str(folder.parent / "answers"), str(tmp_path / "wrong.json")]
    assert main(["eval", "human", "collect", str(folder), *files, "-o", str(tmp_path / "a.jsonl")]) == 3
    shown = capsys.readouterr()
    assert "36 of 36 questionnaires answered, 1 not taken" in shown.out
    assert "wrong.json: not a file of answers" in shown.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--model", "en"], "--model en: write it as NAME=..."),
        (["--column", "a=gold", "--column", "a=text"], "two versions are called 'a'"),
        (["--model", "a=de"], "the model de rewrites de, the texts are en"),
        (["--reference", "gold", "--number", "7"], "take 6 or 8"),
    ],
)
def test_the_command_refuses(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", "human", "make", str(DATA), "-o", str(tmp_path / "s"), *words]) == 2
    assert message in capsys.readouterr().err
