"""Pairs from a larger model's answers: what the teacher writes is the target, what it doubts is no label."""

from __future__ import annotations

from pathlib import Path

import pytest

from augment.generate import GenerateConfig, generate, teacher_identity
from augment.select import LineSentence
from augment.teacher import Teacher, TeacherOptions
from rewriter import rewrite
from rewriter.cli.main import main
from rewriter.errors import UsageError
from rewriter.io.files import read_pairs

TEXTS = [
    "Die Lehrerin sucht ihren Schlüssel.",
    "Der Koch und sein Gast essen im Garten.",
    "Das Messer liegt auf dem Tisch, es ist scharf.",
    "Er hat den Nachbarn gestern nicht erkannt.",
]


@pytest.fixture(scope="module")
def teacher() -> Teacher:
    return Teacher(TeacherOptions(model="de"))


def test_the_target_is_what_the_model_writes(teacher: Teacher) -> None:
    answers = teacher([LineSentence(text, 1) for text in TEXTS])
    assert [found[0].target for found in answers if found] == [
        rewrite(text, model="de") for text, found in zip(TEXTS, answers, strict=True) if found
    ]


def test_what_the_model_need_not_decide_teaches_nothing(teacher: Teacher) -> None:
    assert teacher([LineSentence("Das Messer liegt auf dem Tisch.", 1)]) == [[]]


def test_what_rules_settle_teaches_a_model_that_is_to_do_without_them() -> None:
    sentence = LineSentence("She wakes, stretches and rises.", 1)
    assert Teacher(TeacherOptions(model="en"))([sentence]) == [[]]
    [[result]] = Teacher(TeacherOptions(model="en", settled=True))([sentence])
    assert result.target == "They wake, stretch and rise."
    assert not result.doubtful


def test_a_word_it_is_not_sure_of_is_doubtful() -> None:
    strict, easy = (
        Teacher(TeacherOptions(model="de", sure=sure))([LineSentence(text, 1) for text in TEXTS]) for sure in (1.0, 0.0)
    )
    assert any(result.doubtful for found in strict for result in found)
    assert not any(result.doubtful for found in easy for result in found)


def test_pairs_name_the_strategy_and_what_stands_before(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(" ".join(TEXTS) + "\n", encoding="utf-8")
    config = GenerateConfig("teacher", [str(text)], lang="de", options={"model": "de"})
    generate(config, output=tmp_path / "pairs")
    pairs = list(read_pairs(tmp_path / "pairs" / "pairs-00000.jsonl.zst"))
    assert {pair.strategy for pair in pairs} == {"teacher"}
    assert {pair.before for pair in pairs if pair.source == TEXTS[1]} == {TEXTS[0]}


def test_another_teacher_is_another_run() -> None:
    def identity(model: str) -> object:
        return teacher_identity(GenerateConfig("teacher", ["x.txt"], options={"model": model}))

    assert identity("de") != identity("en")


@pytest.mark.parametrize("options", [{}, {"model": "de", "shure": 1}, {"model": "de", "sure": 2}])
def test_a_slip_in_the_options_is_told_before_anything_runs(options: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Der Koch kocht.\n", encoding="utf-8")
    config = GenerateConfig("teacher", [str(tmp_path / "text.txt")], lang="de", options=options)
    with pytest.raises(UsageError):
        generate(config, output=tmp_path / "pairs")


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text.txt"
    text.write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    arguments = ["augment", "teacher", str(text), "--lang", "de", "--model", "de", "-o", str(tmp_path / "pairs")]
    assert main(arguments) == 0
    assert "3 pairs" in capsys.readouterr().out


def test_whole_sentences_for_a_model_that_writes_them(tmp_path: Path) -> None:
    texts = [*TEXTS, "Die Chefin ruft an."]
    whole = Teacher(TeacherOptions(model="de", sure=0.0), whole=True)([LineSentence(text, 1) for text in texts])
    assert [found[0].target for found in whole] == [rewrite(text, model="de") for text in texts]
    strict = Teacher(TeacherOptions(model="de", sure=1.0), whole=True)([LineSentence(text, 1) for text in texts])
    assert any(found[0].dropped for found in strict), "one doubtful word makes the whole sentence useless"
    text = tmp_path / "text.txt"
    text.write_text("\n".join(texts) + "\n", encoding="utf-8")
    config = GenerateConfig("distilled", [str(text)], lang="de", options={"model": "de", "sure": 0.5})
    generate(config, output=tmp_path / "pairs")
    pairs = list(read_pairs(tmp_path / "pairs" / "pairs-00000.jsonl.zst"))
    assert pairs and {pair.strategy for pair in pairs} == {"distilled"}
    assert not any(pair.doubtful for pair in pairs)
