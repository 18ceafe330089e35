"""Exact answers by construction."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.cases import Case, ConstructionScore, read_cases, score_cases, total_of
from rewriter.cli.main import main
from rewriter.errors import InputError
from rewriter.model.directory import ModelInfo
from rewriter.pipeline import Options, Rewriter

TABLE = 'id\tconstruction\tsource\ttarget\na\tx\the "sings\tthey "sing\nb\tx\ther\tthem\nc\ty\tno\tno\n'


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "cases.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_scores_by_construction(tmp_path: Path) -> None:
    scores = score_cases(read_cases(write(tmp_path, TABLE)), lambda texts: ['they "sing', "their", "no"])
    assert {name: (s.right, s.total) for name, s in scores.items()} == {"x": (1, 2), "y": (1, 1)}
    assert [case.id for case, _ in scores["x"].failures] == ["b"]


def test_without_target_nothing_may_change(tmp_path: Path) -> None:
    (case,) = read_cases(write(tmp_path, "id\tconstruction\tsource\n1\tkeep\t  her  \n"))
    assert case.target == "  her  "


@pytest.mark.parametrize(
    ("text", "message"),
    [("a\tb\n", "cases.tsv:1: expected the columns"), ("id\tconstruction\tsource\n1\tx\n", "cases.tsv:2: 2 cells")],
)
def test_malformed_tables_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_cases(write(tmp_path, text))


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    # Newcombe 1998, table I, method 3
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)],
)
def test_interval_of_the_literature_where_no_target_is_shared(right: int, total: int, low: float, high: float) -> None:
    score = ConstructionScore()
    for number in range(total):
        score.add(Case(str(number), "x", "", str(number)), str(number) if number < right else "?")
    assert score.interval == pytest.approx((low, high), abs=1e-4)


def scored(rows: list[tuple[str, str, str]]) -> dict[str, ConstructionScore]:
    """Score (construction, target, answer)."""
    cases = [Case(str(i), construction, "", target) for i, (construction, target, _) in enumerate(rows)]
    return score_cases(cases, lambda texts: [answer for *_, answer in rows])


def test_cases_that_share_a_target_count_as_one() -> None:
    alone = scored([("x", str(i), "?" if i else "0") for i in range(10)])["x"]
    shared = scored([("x", str(i // 2), "?" if i > 1 else "0") for i in range(20)])["x"]
    assert shared.total == 2 * alone.total
    assert shared.interval == pytest.approx(alone.interval)


def test_the_total_has_two_intervals_and_a_signature() -> None:
    rows = [("x", str(i), str(i)) for i in range(30)] + [("y", str(i), "?") for i in range(30, 60)]
    total = total_of(scored(rows), lang="de")
    assert (total.right, total.total, total.targets, total.share) == (30, 60, 60, 50.0)
    assert 30 < total.over_targets.low < 50 < total.over_targets.high < 70
    # drawing constructions: both may be the same one
    assert (total.over_constructions.low, total.over_constructions.high) == (0.0, 100.0)
    assert total.signature.startswith("exact|lang:de|n:60|targets:60|constructions:2|bootstrap:1000|seed:12345|")
    assert total_of(scored(rows), lang="de") == total


def test_all_right_is_no_certainty() -> None:
    total = total_of(scored([("x", str(i // 2), str(i // 2)) for i in range(40)]))
    assert (total.over_targets.low, total.over_targets.high) == pytest.approx((83.89, 100), abs=0.01)


def test_no_cases_no_figure() -> None:
    total = total_of({})
    assert (total.over_targets.low, total.over_targets.high) == (0.0, 100.0)


# ---------------------------------------------------------------- the command


class Half:
    """Rewrites *Imker* and nothing else."""

    info = ModelInfo(name="half", lang="de", target="edits")
    options = Options()

    def rewrite(self, texts: list[str]) -> list[str]:
        return [text.replace("Der Imker", "Der*die Imker*in") for text in texts]


GERMAN = (
    "id\tconstruction\tsource\ttarget\n"
    "a-01\ta\tDer Imker niest.\tDer*die Imker*in niest.\n"
    "a-02\ta\tDie Imkerin niest.\tDer*die Imker*in niest.\n"
    "b-01\tb\tDer Koch gähnt.\tDer*die Köch*in gähnt.\n"
)


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(Rewriter, "from_pretrained", lambda *_, **__: Half())
    for folder in ("open", "sealed"):
        (tmp_path / "de" / folder).mkdir(parents=True)
        (tmp_path / "de" / folder / "gendered.tsv").write_text(GERMAN, encoding="utf-8")
    return tmp_path / "de"


def test_the_command_shows_what_failed(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "cases", "de", str(tables / "open" / "gendered.tsv"), "--failures"]) == 0
    shown = capsys.readouterr().out
    assert "gendered.tsv: 1/3 exact" in shown
    assert "over 2 targets" in shown and "over 2 constructions" in shown
    assert "wanted Der*die Köch*in gähnt." in shown
    assert "exact|lang:de|n:3|targets:2|constructions:2|" in shown


@pytest.mark.parametrize("words", [["--failures"], ["--failures", "--json"], []])
def test_of_a_sealed_table_nothing_but_figures_is_shown(
    tables: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert main(["eval", "cases", "de", str(tables / "sealed" / "gendered.tsv"), *words]) == 0
    shown = capsys.readouterr()
    assert "is sealed" in shown.err
    for secret in ("Imker", "Koch", "gähnt", "a-02", "b-01"):
        assert secret not in shown.out + shown.err
    assert "a" in shown.out


def test_a_measurement_is_logged_without_sentences(tables: Path) -> None:
    log = tables / "log.tsv"
    words = ["eval", "cases", "de", str(tables / "sealed" / "gendered.tsv"), "--log", str(log)]
    assert main(words) == main(words) == 0
    rows = [line.split("\t") for line in log.read_text(encoding="utf-8").splitlines()]
    assert rows[0][2:] == ["model", "set", "system", "score", "signature"]
    assert [row[3:6] for row in rows[1:]] == [["de/sealed/gendered", "half", "33.3333"]] * 2
