"""Filtering with OpusFilter: what is dropped and why, metadata that survive, failures that are told."""

import json
import shutil

import pytest

from augment import filtering
from augment.filtering import FilterConfig, filter_pairs, iterate, opusfilter_configuration
from rewriter.errors import InputError, ResumeError, UsageError, WorkerError
from rewriter.io.files import read_lines, read_pairs, write_lines, write_pairs
from rewriter.records import Pair

pytest.importorskip("opusfilter")

GOOD = Pair(
    "He knows the way to the old town.",
    "They know the way to the old town.",
    "en",
    "backward",
    "masculine",
    "a.txt:7",
    ((0, 2),),
)


def run(tmp_path, pairs, **options):
    write_pairs(tmp_path / "pairs.jsonl", pairs)
    filter_pairs(FilterConfig(**options), inputs=[tmp_path / "pairs.jsonl"], output=tmp_path / "out")
    rejected = [json.loads(line) for line in read_lines(tmp_path / "out" / "rejected.jsonl.zst")]
    return list(iterate([tmp_path / "out"])), rejected


def test_metadata_of_a_kept_pair_survive(tmp_path):
    assert run(tmp_path, [GOOD]) == ([GOOD], [])


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("", "", "LengthFilter [0, 0]"),
        ("he " * 151, "they " * 151, "LengthFilter [151, 151]"),
        ("he said " + "x" * 40, "they said " + "x" * 40, "LongWordFilter [40, 40]"),
        ("he 12345 67890", "they 12345 67890", "AlphabetRatioFilter"),
        ("he", "they and three others", "LengthRatioFilter 4.0"),
        ("he walked along", "what nobody knew", "SimilarityAtLeast"),
        ("Er kennt den Weg in die alte Stadt.", "Sie kennt den Weg in die alte Stadt.", "LongTextLanguage [0.0]"),
    ],
    ids=["empty", "long", "long word", "digits", "length ratio", "unlike", "German"],
)
def test_noise_is_dropped_with_the_filter_and_its_score(tmp_path, source, target, reason):
    kept, (rejected,) = run(tmp_path, [GOOD, Pair(source, target, origin="b.txt:1")])
    assert kept == [GOOD]
    assert rejected["reason"].startswith(reason)
    assert (rejected["source"], rejected["target"], rejected["origin"]) == (source, target, "b.txt:1")


def test_short_texts_are_not_asked_for_their_language(tmp_path):
    pair = Pair("Er ging.", "Sie gingen.")
    assert run(tmp_path, [pair]) == ([pair], [])


@pytest.mark.parametrize(
    ("duplicates", "kept"),
    [("exact", [0, 2, 3]), ("lowercase", [0, 3]), ("letters", [0]), ("keep", [0, 1, 2, 3])],
)
def test_the_first_of_duplicates_is_kept(tmp_path, duplicates, kept):
    texts = [
        ("He left.", "They left."),
        ("He left.", "They left."),
        ("HE LEFT.", "THEY LEFT."),
        ("he left!", "they left!"),
    ]
    pairs = [Pair(source, target, origin=f"a.txt:{n}") for n, (source, target) in enumerate(texts)]
    found, rejected = run(tmp_path, pairs, duplicates=duplicates)
    assert found == [pairs[n] for n in kept]
    assert {r["reason"] for r in rejected} <= {"duplicate"}
    assert len(rejected) == 4 - len(kept)


def test_variants_of_one_target_are_no_duplicates(tmp_path):
    pairs = [Pair("He left early.", "They left early."), Pair("She left early.", "They left early.")]
    assert run(tmp_path, pairs) == (pairs, [])


@pytest.mark.parametrize(
    "text",
    ["he said\nno", "he said\r\nno", "he\x85said no", "he\u2028said no", "he\x1csaid no", "he \ud800 said no at all"],
)
def test_line_breaks_and_odd_characters_inside_a_pair_do_not_shift_the_lines(tmp_path, text):
    pairs = [Pair(text, text.replace("he", "they")), GOOD]
    records = [json.dumps(pair.to_dict()) for pair in pairs]
    write_lines(tmp_path / "pairs.jsonl", records)
    filter_pairs(FilterConfig(), inputs=[tmp_path / "pairs.jsonl"], output=tmp_path / "out")
    assert next(reversed(list(iterate([tmp_path / "out"])))) == GOOD


def test_the_configuration_is_stored_and_holds_the_values_of_the_paper(tmp_path):
    import yaml

    run(tmp_path, [GOOD])
    stored = yaml.safe_load((tmp_path / "out" / "opusfilter.yaml").read_text())
    assert stored == opusfilter_configuration(FilterConfig())
    filters = {name: values for f in stored["steps"][0]["parameters"]["filters"] for name, values in f.items()}
    assert filters["LengthFilter"] == {"unit": "word", "min_length": 1, "max_length": 150}
    assert filters["LongWordFilter"] == {"threshold": 40}
    assert filters["AlphabetRatioFilter"] == {"threshold": 0.5}
    assert [step["type"] for step in stored["steps"]] == ["score", "score", "remove_duplicates"]


def test_the_stored_configuration_runs_by_itself(tmp_path):
    from opusfilter.opusfilter import OpusFilter

    configuration = opusfilter_configuration(FilterConfig())
    configuration["common"]["output_directory"] = str(tmp_path)
    for name, text in (("source", GOOD.source), ("target", GOOD.target), ("ids", "0")):
        write_lines(tmp_path / f"{name}.txt", [text, text])
    OpusFilter(configuration).execute_steps()
    assert len(list(read_lines(tmp_path / "scores.jsonl"))) == 2
    assert list(read_lines(tmp_path / "ids.unique.txt")) == ["0"]


def test_filters_of_ones_own(tmp_path):
    extra = [{"TerminalPunctuationFilter": {"threshold": -1}}]
    kept, (rejected,) = run(tmp_path, [GOOD, Pair("He left ... soon.", "They left soon")], extra=extra)
    assert kept == [GOOD] and rejected["reason"].startswith("TerminalPunctuationFilter")


@pytest.mark.parametrize("extra", [[{"NoSuchFilter": {}}], [{"LengthFilter": {"min_length": "many"}}]])
def test_an_impossible_filter_is_told(tmp_path, extra):
    with pytest.raises(UsageError, match="OpusFilter refuses the filters"):
        run(tmp_path, [GOOD], extra=extra)


def test_processes_and_shards_do_not_show(tmp_path):
    pairs = [
        Pair(f"He left house number {n % 40}.", f"They left house number {n % 40}.", origin=f"a:{n}")
        for n in range(100)
    ]
    write_pairs(tmp_path / "pairs.jsonl", pairs)
    for name, options in (("one", {}), ("many", {"processes": 2, "shard_lines": 30})):
        filter_pairs(FilterConfig(**options), inputs=[tmp_path / "pairs.jsonl"], output=tmp_path / name)
    for name in ("pairs-00000.jsonl.zst", "rejected.jsonl.zst", "stats.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "many" / name).read_bytes()
    assert [p.origin for p in iterate([tmp_path / "many"])] == [f"a:{n}" for n in range(40)]


def test_parquet_is_read_too(tmp_path):
    pytest.importorskip("pyarrow")
    write_pairs(tmp_path / "pairs.parquet", [GOOD])
    filter_pairs(FilterConfig(), inputs=[tmp_path / "pairs.parquet"], output=tmp_path / "out")
    assert list(iterate([tmp_path / "out"])) == [GOOD]


def test_a_line_that_is_no_pair_is_left_out_and_listed(tmp_path):
    write_lines(tmp_path / "pairs.jsonl", [json.dumps(GOOD.to_dict()), "no json", '{"source": "He left."}', "[]"])
    manifest = filter_pairs(FilterConfig(), inputs=[tmp_path / "pairs.jsonl"], output=tmp_path / "out")
    assert list(iterate([tmp_path / "out"])) == [GOOD]
    listed = [json.loads(line) for line in read_lines(tmp_path / "out" / "rejects.jsonl")]
    assert [r["line"] for r in listed] == [2, 3, 4] and manifest.counts["rejected"] == 3


def test_an_empty_file_gives_an_empty_result(tmp_path):
    kept, rejected = run(tmp_path, [])
    assert kept == [] and rejected == []


def test_other_options_are_refused(tmp_path):
    run(tmp_path, [GOOD])
    with pytest.raises(ResumeError, match="option max_words: was 150, is 9"):
        run(tmp_path, [GOOD], max_words=9)
    filter_pairs(FilterConfig(max_words=5), inputs=[tmp_path / "pairs.jsonl"], output=tmp_path / "out", fresh=True)
    assert list(iterate([tmp_path / "out"])) == []


def test_interrupted_between_scores_and_duplicates(tmp_path, monkeypatch):
    run(tmp_path, [GOOD, GOOD])
    whole = {
        p.name: p.read_bytes() for p in (tmp_path / "out").iterdir() if p.name.endswith((".zst", ".json", ".yaml"))
    }
    shutil.rmtree(tmp_path / "out")
    with monkeypatch.context() as patched:
        patched.setattr(filtering, "_unique", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            run(tmp_path, [GOOD, GOOD])
    assert not (tmp_path / "out" / "pairs-00000.jsonl.zst").exists()
    run(tmp_path, [GOOD, GOOD])
    del whole["manifest.json"]
    assert {name: (tmp_path / "out" / name).read_bytes() for name in whole} == whole


def test_missing_scores_are_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(
        filtering,
        "_execute",
        lambda configuration, folder, types: [
            write_lines(folder / step["parameters"]["output"], [])
            for step in configuration["steps"]
            if step["type"] in types
        ],
    )
    with pytest.raises(WorkerError, match="another number of scores than pairs"):
        run(tmp_path, [GOOD])


def test_no_pairs_where_they_should_be(tmp_path):
    with pytest.raises(InputError, match="no file of pairs"):
        filter_pairs(FilterConfig(), inputs=[tmp_path / "none.jsonl"], output=tmp_path / "out")


def test_a_wrong_value_is_told():
    with pytest.raises(UsageError, match="duplicates must be exact"):
        FilterConfig(duplicates="fuzzy")


def test_pairs_read_back_are_pairs(tmp_path):
    run(tmp_path, [GOOD])
    assert list(read_pairs(tmp_path / "out" / "pairs-00000.jsonl.zst")) == [GOOD]
