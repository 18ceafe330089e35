"""How large a score is by the published ranges, and whether it grows with copies alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.genbit.completeness import find_gaps, kin_pairs, mended
from eval.genbit.corpus import CountingOptions, count_files
from eval.genbit.inflation import inflated, inflation_table
from eval.genbit.lexicon import FEMALE, MALE, Lexicon
from eval.genbit.metrics import Settings, evaluate
from eval.genbit.ranges import RANGES, range_lines
from rewriter.cli.main import main
from rewriter.errors import MetricError, UsageError

TEXT = ["She sings in the choir.", "He repairs the engine.", "He sings.", "The engine is old."]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(TEXT * 20) + "\n")
    return path


def counted(text: Path, *, units: int, lang: str = "en"):  # type: ignore[no-untyped-def]
    lexicon = Lexicon.shipped(lang)
    return count_files([text], CountingOptions(lexicon, units=units)).counts, lexicon


def test_ranges_are_those_of_table_2() -> None:
    """Sengupta et al. 2022, table 2."""
    assert {lang: (r.low, r.high, r.samples, r.biased_above) for lang, r in RANGES.items()} == {
        "en": (0.3, 1.0, 400, 0.3), "it": (0.5, 1.5, 400, 1.0), "de": (0.6, 2.4, 200, 0.6),
        "es": (0.6, 2.5, 400, 0.6), "fr": (0.5, 1.3, 200, 0.6), "ru": (0.8, 2.3, 400, 1.1),
    }  # fmt: skip


def test_a_score_stands_beside_its_range_with_what_makes_it_another_measure(text: Path) -> None:
    counts, lexicon = counted(text, units=1)
    first, second = range_lines(evaluate(counts, lexicon, Settings(percentile_cutoff=0)))
    assert "range of biased data sets for en: 0.30 to 1.0 and more" in first and "is above that" in first
    assert second == "not comparable: there are 80 documents only"
    counts, lexicon = counted(text, units=1, lang="de")
    lines = range_lines(evaluate(counts, lexicon, Settings(compat="code")))
    assert "is not above that" in lines[0] and "forms are not merged" in lines[1] and "lists are" not in lines[1]


def test_copies_of_all_units_change_no_share_and_double_the_documents(text: Path) -> None:
    counts, lexicon = counted(text, units=4)
    plain, settings = evaluate(counts, lexicon, Settings(percentile_cutoff=0)), Settings(percentile_cutoff=0)
    assert inflated(counts, 100) == counts
    more = evaluate(inflated(counts, 200, seed=3), lexicon, settings)
    assert more.counts.documents > 1.5 * plain.counts.documents and inflated(counts, 200) == inflated(counts, 200)
    assert int(more.counts.unit_totals.sum()) > int(plain.counts.unit_totals.sum())
    table = inflation_table(counts, lexicon, settings, [150, 200])
    assert [row[0] for row in table.rows] == ["100 %", "150 %", "200 %"]
    assert table.rows[0][1:3] == ["80", "66.67 %"] and table.rows[0][4] == f"{plain.score:.4f}"


def test_what_cannot_be_inflated(text: Path) -> None:
    counts, _ = counted(text, units=4)
    with pytest.raises(UsageError, match="100 percent at least, not to 90"):
        inflated(counts, 90)
    with pytest.raises(MetricError, match="counted together"):
        inflated(counted(text, units=1)[0], 120)


def test_the_command_prints_both(text: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "genbit", str(text), "--ranges", "--inflate", "150", "--percentile", "0"]) == 0
    shown = capsys.readouterr().out
    assert "published range of biased data sets for en" in shown and "150 %" in shown
    assert "male of gendered words" in shown


@pytest.mark.parametrize("lang", ["de", "en", "es", "fr", "it"])
def test_a_mended_list_has_no_gaps_but_where_a_word_is_of_both_genders(lang: str) -> None:
    lexicon = Lexicon.shipped(lang)
    left = find_gaps(mended(lexicon))
    both = lexicon.words(FEMALE) | lexicon.words(MALE)
    assert all(set(gap.missing) <= both for gap in left), "what is still missing stands under the other gender"
    assert {("mère", "père"), ("sœur", "frère")} <= set(kin_pairs("fr"))
