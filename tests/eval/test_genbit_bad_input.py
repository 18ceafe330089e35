"""Bad input: a clear error, or a defined result."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eval.genbit import GenBitMetrics, Lexicon, Settings
from eval.genbit.lemmas import lemmas_from, read_lemmas
from rewriter.errors import GenderFairError, InputError, LexiconError, MetricError, MissingExtraError, UsageError


def test_an_empty_corpus_is_an_error() -> None:
    metrics = GenBitMetrics("en")
    with pytest.raises(MetricError, match="nothing was counted: 0 documents"):
        metrics.get_metrics()
    metrics.add_data([])
    metrics.add_data(["", "  ", "1984"])
    with pytest.raises(MetricError, match="3 documents with 0 tokens"):
        metrics.get_metrics()


def test_empty_documents_change_nothing() -> None:
    one, other = GenBitMetrics("en"), GenBitMetrics("en")
    one.add_data(["She sings", "", "He drives"])
    other.add_data(["She sings", "He drives"])
    other.add_data([[]], tokenized=True)
    assert one.get_metrics() == other.get_metrics()
    assert one.counts.documents == 3


@pytest.mark.parametrize("compat", ["code", "paper"])
@pytest.mark.parametrize("lists", [True, False])
def test_a_corpus_without_any_gendered_word_scores_nought(compat: str, lists: bool) -> None:
    lexicon = Lexicon.shipped("en", non_binary=lists, trans_cis=lists)
    metrics = GenBitMetrics("en", lexicon=lexicon, compat=compat)
    metrics.add_data(["Bread and butter", "Rain fell on the garden"])
    found = metrics.get_metrics()
    assert found["genbit_score"] == found["statistics"]["jsd"] == 0
    assert found["percentage_of_female_gender_definition_words"] == 0
    json.dumps(found, allow_nan=False)


def test_a_corpus_with_one_gender_only() -> None:
    metrics = GenBitMetrics("en", percentile_cutoff=0)
    metrics.add_data(["He drives", "He sings"])
    assert metrics.get_metrics()["genbit_score"] > 0
    paper = GenBitMetrics("en", compat="paper")
    paper.add_data(["He drives"])
    with pytest.raises(MetricError, match="no female word"):
        paper.get_metrics()


def test_an_unknown_language_names_those_that_there_are() -> None:
    with pytest.raises(UsageError, match="'nl'; there are de, en, es, fr, it, ru"):
        GenBitMetrics("nl")
    with pytest.raises(UsageError, match="code such as 'en'"):
        GenBitMetrics(["en"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "tokenized", "message"),
    [
        ("She sings", True, "list of documents"),
        (["She", "sings"], True, "is the string 'She', not a list of tokens"),
        ([["She", "sings"]], False, "pass tokenized=True"),
        ([["She", 3]], True, "holds the int 3"),
        ([3], False, "document 1 is a int"),
        ([3], True, "list of tokens"),
        (3, False, "list of strings, not int"),
        ([b"She"], False, "is a bytes"),
        ([None], False, "is a NoneType"),
    ],
)
def test_what_is_no_list_of_documents_is_refused(data: Any, tokenized: bool, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        GenBitMetrics("en").add_data(data, tokenized=tokenized)


@pytest.mark.parametrize(
    "make",
    [
        lambda: GenBitMetrics("en", context_window=0),
        lambda: GenBitMetrics("en", context_window=2.5),  # type: ignore[arg-type]
        lambda: GenBitMetrics("en", distance_weight=0),
        lambda: GenBitMetrics("en", distance_weight=float("nan")),
        lambda: GenBitMetrics("en", distance_weight=1.5),
        lambda: GenBitMetrics("en", percentile_cutoff=101),
        lambda: GenBitMetrics("en", compat="book"),
        lambda: GenBitMetrics("en", lemmas=3),
    ],
)
def test_options_out_of_their_range(make: Callable[[], object]) -> None:
    with pytest.raises(UsageError):
        make()


# Lexicons of a user


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


TABLE = "word\tgroup\nQueen\tfemale\nking\tmale\n"


def test_a_lexicon_of_one_s_own(tmp_path: Path) -> None:
    path = write(tmp_path / "royals.tsv", "# royals\n" + TABLE)
    metrics = GenBitMetrics("en", lexicon=path)
    metrics.add_data(["The queen reigned", "The king reigned", "She reigned"])
    assert metrics.get_metrics()["statistics"]["freq_of_female_gender_definition_words"] == 1
    assert "lexicon:royals.tsv@" in metrics.evaluate().signature


def test_a_folder_as_the_original_has_it(tmp_path: Path) -> None:
    write(tmp_path / "female.txt", "queen\n\nqueens\n")
    write(tmp_path / "male.txt", "king\n")
    lexicon = Lexicon.from_file(tmp_path, "nl", stop_words=write(tmp_path / "stop.txt", "de\nhet\n"))
    assert lexicon.words("female") == {"queen", "queens"}
    assert lexicon.stop_words == {"de", "het"}


def test_a_language_without_stop_words_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert Lexicon.from_file(write(tmp_path / "x.tsv", TABLE), "nl").stop_words == frozenset()
    assert "no stop words are shipped for language 'nl'" in caplog.text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TABLE + "queen\tmale\n", "row 3: 'queen' is listed as male, but as female before"),
        (TABLE + "queen\tnon-binary\n", "as female before"),
        (TABLE + "cis-man\ttrans\ncis man\tcis\n", "'cis man' is listed as cis, but as trans before"),
        (TABLE + "tsar\tmail\n", "did you mean 'male'"),
        (TABLE + " \tmale\n", "the word is empty"),
        ("word\tgroup\nqueen\tfemale\n", "no male words"),
        ("word\tsex\nqueen\tfemale\n", "header line"),
        ("queen\nking\n", "header line"),
        ("", "header line"),
        (TABLE + "tsar\n", "1 cells where the header has 2"),
    ],
)
def test_a_malformed_lexicon_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(LexiconError, match=message):
        Lexicon.from_file(write(tmp_path / "x.tsv", text), "en")


def test_a_duplicate_is_told_and_counts_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        lexicon = Lexicon.from_file(write(tmp_path / "x.tsv", TABLE + "queen\tfemale\n"), "en")
    assert lexicon.words("female") == {"queen"}
    assert "'queen' stands twice among the female words" in caplog.text


def test_a_lexicon_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "none.tsv", tmp_path):
        with pytest.raises(LexiconError):
            Lexicon.from_file(path, "en")
    with pytest.raises(LexiconError, match="stop words"):
        Lexicon.from_file(write(tmp_path / "x.tsv", TABLE), "en", stop_words=tmp_path / "none.txt")


def test_counts_of_another_lexicon_are_not_scored() -> None:
    from eval.genbit import evaluate

    metrics = GenBitMetrics("en")
    metrics.add_data(["She sings"])
    with pytest.raises(MetricError, match="made with the lexicon genbit@"):
        evaluate(metrics.counts, Lexicon.shipped("en", non_binary=False), Settings())


# Lemmas


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.tsv", "cooks cook\n", r"x\.tsv:1: expected 'form<TAB>lemma', found 1 cells"),
        ("x.json", "[1]", "object of form to lemma"),
        ("x.json", '{"a": 1}', "object of form to lemma"),
        ("x.json", "{", "not valid JSON"),
    ],
)
def test_a_malformed_table_of_lemmas(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_lemmas(write(tmp_path / name, text))


def test_lemmas_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        lemmas_from("none.tsv", "en")
    monkeypatch.setitem(__import__("sys").modules, "spacy_lookups_data", None)
    with pytest.raises(MissingExtraError, match=r"gender-fair-rewriter\[lemmas\]"):
        lemmas_from("lookups", "en")


def test_a_pipeline_without_lemmatizer_is_refused() -> None:
    spacy = pytest.importorskip("spacy")
    with pytest.raises(UsageError, match="no lemmatizer"):
        lemmas_from(spacy.blank("en"), "en")


def test_all_errors_are_for_people() -> None:
    assert issubclass(MetricError, GenderFairError)
