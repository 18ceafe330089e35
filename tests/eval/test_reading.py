"""Measuring on read sentences: what counts as right, wrong and missed; agreement of readings; the command."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.reading.agreement import CHANGE_OR_STAY, MORE_OR_FEWER, OTHER_FORM, agreement
from eval.reading.edits import WordEdit, edits_between, edits_within, referring_of, whole_words
from eval.reading.gold import GoldSentence, digest, load_gold, replay, save_gold
from eval.reading.score import (
    EXACT,
    MISSED,
    REFERRING_MISSED,
    REFERRING_WRONG,
    STAYS,
    WRONG,
    Rate,
    given_edits,
    is_sealed,
    load_set,
    pair_up,
    score_reading,
)
from eval.significance import mcnemar
from rewriter.cli.main import main
from rewriter.errors import InputError, MetricError, UsageError
from rewriter.records import Edit

#: line, sentence, target, draw, genre
SENTENCES = [
    ("Guten Tag. Der Lehrer singt. Er lacht.", "Der Lehrer singt.", "Der*die Lehrer*in singt.", "random", "school"),
    ("Guten Tag. Der Lehrer singt. Er lacht.", "Er lacht.", "Er*sie lacht.", "random", "school"),
    ("Der Mond scheint.", "Der Mond scheint.", "Der Mond scheint.", "random", "news"),
    (
        "Das Haus von Ärztinnen und Ärzten.",
        "Das Haus von Ärztinnen und Ärzten.",
        "Das Haus von Ärzt*innen.",
        "c",
        "news",
    ),
    ("Der Ordner ist voll.", "Der Ordner ist voll.", "Der Ordner ist voll.", "c", "news"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with one text, and the records of its sentences beside it."""
    lines = list(dict.fromkeys(line for line, *_ in SENTENCES))
    (tmp_path / "text.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    records = []
    for number, (line, sentence, target, draw, genre) in enumerate(SENTENCES):
        start = line.index(sentence)
        place = ("text.txt", lines.index(line) + 1, start, start + len(sentence))
        gold = GoldSentence(f"s{number}", *place, digest(sentence), draw=draw, genre=genre)
        records.append(gold.read(sentence, target, "me"))
    save_gold(tmp_path / "gold.jsonl", records)
    return tmp_path


def scored(data: Path, answers: dict[str, str]) -> dict[str, Rate]:
    reading = load_set([data / "gold.jsonl"], data)
    given = {line: line for line in reading.lines} | answers
    return score_reading(reading, "given", given_edits(given), lang="de").figures()


def rates(*expected: tuple[int, int]) -> list[Rate]:
    return [Rate(*counts) for counts in expected]


FIGURES = [EXACT, STAYS, WRONG, MISSED, REFERRING_WRONG, REFERRING_MISSED]


def test_a_system_that_does_nothing_misses_everything_and_is_never_wrong(data: Path) -> None:
    found = scored(data, {})
    assert [found[name] for name in FIGURES] == rates((0, 3), (2, 2), (0, 0), (4, 4), (0, 0), (1, 1))


def test_all_right(data: Path) -> None:
    found = scored(
        data,
        {
            "Guten Tag. Der Lehrer singt. Er lacht.": "Guten Tag. Der*die Lehrer*in singt. Er*sie lacht.",
            "Das Haus von Ärztinnen und Ärzten.": "Das Haus von Ärzt*innen.",
        },
    )
    assert [found[name] for name in FIGURES] == rates((3, 3), (2, 2), (0, 4), (0, 4), (0, 1), (0, 1))


def test_another_form_is_wrong_and_not_missed(data: Path) -> None:
    found = scored(
        data,
        {
            "Guten Tag. Der Lehrer singt. Er lacht.": "Gute Tage. Der Lehrer*innen singt. Es lacht.",
            "Der Ordner ist voll.": "Der*die Ordner*in ist voll.",
        },
    )
    # wrong: Lehrer*innen, Es, and both edits of the thing; what stands outside the sentences does not count
    assert [found[name] for name in FIGURES] == rates((0, 3), (1, 2), (4, 4), (2, 4), (1, 1), (0, 1))
    assert found[f"{STAYS} (random)"] == Rate(1, 1)
    assert found[f"{STAYS} (c)"] == Rate(0, 1)


def test_genres_draws_and_sources_apart(data: Path) -> None:
    reading = load_set([data / "gold.jsonl"], data)
    score = score_reading(reading, "copy", given_edits({line: line for line in reading.lines}), lang="de")
    assert {name: part[EXACT].total for name, part in score.by_genre().items()} == {"news": 1, "school": 2}
    assert {name: part[STAYS].total for name, part in score.by_draw().items()} == {"c": 1, "random": 1}
    assert list(score.apart(["school"])) == ["school", "all others"]
    with pytest.raises(MetricError, match="no sentence is of the source 'moon'; there are news, school"):
        score.apart(["moon"])


def test_a_sentence_read_twice_or_never_counts_once_or_not(data: Path) -> None:
    records = load_gold(data / "gold.jsonl")
    again = [records[0].read("Der Lehrer singt.", "Der Lehrer singt.", "you")]
    unread = [GoldSentence("new", "text.txt", 2, 0, 3, digest("Der"))]
    save_gold(data / "gold.jsonl", [*records, *again, *unread])
    reading = load_set([data / "gold.jsonl"], data)
    assert (len(reading.sentences), reading.repeated, reading.unread) == (5, 1, 1)
    assert reading.sentences[0].gold.reader == "me"


def test_nothing_read_and_another_text_are_told(data: Path) -> None:
    save_gold(data / "none.jsonl", [GoldSentence("new", "text.txt", 2, 0, 3, digest("Der"))])
    with pytest.raises(InputError, match="none of 1 sentences has been read"):
        load_set([data / "none.jsonl"], data)
    (data / "text.txt").write_text("Etwas anderes.\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"text.txt:1: not the sentence that was read \(record s0\)"):
        load_set([data / "gold.jsonl"], data)


# ---------------------------------------------------------------- edits


@pytest.mark.parametrize(
    ("source", "target", "edits"),
    [
        ("Der Lehrer geht.", "Der*die Lehrer*in geht.", [(0, 3, "Der*die"), (4, 10, "Lehrer*in")]),
        ("den Lehrern", "den Lehrer*innen", [(4, 11, "Lehrer*innen")]),
        ("zum Arzt", "zum*zur Ärzt*in", [(0, 3, "zum*zur"), (4, 8, "Ärzt*in")]),
        ("er/sie", "they", [(0, 6, "they")]),
        ("ein Wort", "ein neues Wort", [(4, 4, "neues ")]),
        ("ja", "ja", []),
        ("x", "a-x-b", [(0, 1, "a-x-b")]),
    ],
)
def test_edits_are_of_whole_words(source: str, target: str, edits: list[tuple[int, int, str]]) -> None:
    assert whole_words(source, target) == edits


TEXT = st.text(alphabet="ab *-.", max_size=12)


@given(TEXT, TEXT)
def test_edits_make_the_target_in_order(source: str, target: str) -> None:
    edits = whole_words(source, target)
    assert replay(source, edits) == target
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(edits))


def test_an_edit_has_the_kind_that_its_system_gives_it() -> None:
    made = [Edit(0, 3, "Der", "Der*die", "article", ""), Edit(4, 7, "ihr", "ihm*ihr", "pronoun", "")]
    found = edits_between("Der ihr Hund", "Der*die ihm*ihr Rind", referring=referring_of("de"), made=made)
    assert [(edit.after, edit.kind) for edit in found] == [
        ("Der*die", "article"),
        ("ihm*ihr", "pronoun"),
        ("Rind", "other"),
    ]


def test_kinds_do_not_make_edits_different() -> None:
    assert WordEdit(0, 1, "x", "pronoun") == WordEdit(0, 1, "x", "noun")


def test_edits_of_a_line_are_cut_at_the_sentence() -> None:
    line = [Edit(0, 2, "ab", "x", "", ""), Edit(3, 6, "def", "y", "", ""), Edit(8, 9, "i", "z", "", "")]
    assert [(e.start, e.end, e.before, e.after) for e in edits_within(line, 4, 8)] == [(0, 2, "ef", "y")]


@pytest.mark.parametrize(
    ("lang", "sentence", "word", "kind"),
    [
        ("de", "Er lacht.", "Er", "pronoun"),
        ("de", "Sie gab ihr Geld.", "ihr", "possessive"),
        ("de", "Sie half ihr gern.", "ihr", "pronoun"),
        ("de", "Der Arzt, der hilft, kommt.", "der", "relative"),
        ("de", "Der Arzt, mit dem wir reden, kommt.", "dem", "relative"),
        ("de", "Die Ärztin, deren Kind singt, kommt.", "deren", "relative"),
        ("de", "Er kommt, der Arzt.", "der", None),
        ("de", "Jeder muss das wissen.", "Jeder", "pronoun"),
        ("de", "Jeder Arzt weiß das.", "Jeder", None),
        ("de", "Das ist seinem Freund egal.", "seinem", "possessive"),
        ("de", "Der Arzt kommt.", "Arzt", None),
        ("en", "He left.", "He", "pronoun"),
        ("en", "It is hers.", "hers", "pronoun"),
        ("en", "The chairman left.", "chairman", None),
    ],
)
def test_words_that_refer_to_somebody(lang: str, sentence: str, word: str, kind: str | None) -> None:
    start = sentence.index(word)
    assert referring_of(lang)(sentence, start, start + len(word)) == kind


# ---------------------------------------------------------------- tests of difference and agreement


@pytest.mark.parametrize(
    ("better", "worse", "p"),
    # by the binomial distribution: 2 * P(X <= worse), X of better + worse throws of a coin
    [(0, 0, 1.0), (5, 0, 0.0625), (3, 3, 1.0), (10, 2, 158 / 4096)],
)
def test_mcnemar(better: int, worse: int, p: float) -> None:
    found = mcnemar([(True, False)] * better + [(False, True)] * worse + [(True, True)] * 7)
    assert (found.better, found.worse, found.total) == (better, worse, better + worse + 7)
    assert found.p_value == pytest.approx(p)


def test_systems_of_different_sets_are_not_compared(data: Path) -> None:
    reading = load_set([data / "gold.jsonl"], data)
    copy = given_edits({line: line for line in reading.lines})
    one = score_reading(reading, "one", copy, lang="de")
    other = score_reading(reading, "other", copy, lang="en")
    assert pair_up(one, one)["all sentences"].p_value == 1.0
    with pytest.raises(MetricError, match="different sets"):
        pair_up(one, other)


def readings(edits: Sequence[tuple[tuple[int, int, str], ...] | None]) -> list[GoldSentence]:
    return [GoldSentence(str(n), "f", n, 0, 9, "d", e) for n, e in enumerate(edits)]


def test_agreement_of_two_readings() -> None:
    stay, star, other, more = (), ((0, 3, "a"),), ((0, 3, "b"),), ((0, 3, "a"), (4, 5, "c"))
    found = agreement(readings([stay, stay, star, star, star, stay]), readings([stay, stay, star, other, more, star]))
    assert (found.exact, found.exact_changed) == (Rate(3, 6), Rate(1, 4))
    assert found.kinds == {OTHER_FORM: 1, MORE_OR_FEWER: 1, CHANGE_OR_STAY: 1}
    # observed 5/6; chance 3/6 * 2/6 + 3/6 * 4/6 = 1/2
    assert found.kappa == pytest.approx((5 / 6 - 1 / 2) / (1 / 2))


def test_agreement_leaves_out_what_one_reader_did_not_read() -> None:
    found = agreement(readings([(), None]), readings([(), ()]))
    assert (found.exact, found.alone, found.kappa) == (Rate(1, 1), 1, None)
    with pytest.raises(MetricError, match="no sentence was read by both"):
        agreement(readings([None]), readings([()]))


# ---------------------------------------------------------------- command


def test_the_command_measures_a_bundled_model(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["eval", "reading", str(data / "gold.jsonl"), "--data", str(data), "--model", "bundled=de"]
    assert main([*words, "--show", "5", "--apart", "school"]) == 0
    shown = capsys.readouterr().out
    assert "bundled" in shown
    assert "reading|lang:de|set:" in shown
    assert "all others" in shown
    assert main([*words, "--json"]) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    assert system["figures"][EXACT]["total"] == 3
    assert "Lehrer" not in json.dumps(system)


def test_answers_of_another_program(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["eval", "reading", str(data / "gold.jsonl"), "--data", str(data), "--lines", str(data / "lines.txt")]
    assert main(words) == 0
    lines = (data / "lines.txt").read_text(encoding="utf-8")
    assert lines.count("\n") == 4
    answers = data / "answers.txt"
    answers.write_text(lines.replace("Der Lehrer", "Der*die Lehrer*in"), encoding="utf-8")
    both = [f"--answers=copy={data / 'lines.txt'}", f"--answers=other={answers}"]
    capsys.readouterr()
    assert main([*words, "--lang", "de", "--json", *both]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [system["figures"][EXACT]["count"] for system in found["systems"]] == [0, 1]
    assert found["first_against"]["other"][EXACT] == {"better": 0, "worse": 1, "total": 3, "p_value": 1.0}


@pytest.mark.parametrize("words", [["--answers=mine.txt", "--lines=lines.txt"], ["--answers=mine=mine.txt"]])
def test_answers_need_a_name_a_file_and_the_lines(
    words: list[str], data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", "reading", str(data / "gold.jsonl"), "--data", str(data), "--lang", "de", *words]) == 2
    assert "write it as NAME=FILE, and give the lines answered" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["sealed", "sealed-de"])
def test_sealed_sentences_are_never_shown(data: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    sealed = data / f"{name}.jsonl"
    (data / "gold.jsonl").rename(sealed)
    assert is_sealed(sealed)
    assert is_sealed(data / name / "gold.jsonl")
    words = ["eval", "reading", str(sealed), "--data", str(data), "--model", "de", "--show", "1"]
    assert main(words) == UsageError.exit_code
    assert "sealed: figures only" in capsys.readouterr().err


def test_the_command_compares_readings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path, edits in zip(paths, [(), ((0, 1, "x"),)], strict=True):
        save_gold(path, readings([(), edits]))
    assert main(["eval", "reading", "--agreement", *map(str, paths)]) == 0
    shown = capsys.readouterr().out
    assert "the same target" in shown
    assert f"{CHANGE_OR_STAY}: 1" in shown
