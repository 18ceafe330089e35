"""Choosing sentences: candidates, lengths, files by name and licence, samples that depend on nothing but the text."""

from collections import Counter
from pathlib import Path

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augment.select import Bounds, Selector, allocate, sampling_rates
from augment.sources import data_card, describe, find_inputs
from rewriter.errors import InputError, UsageError
from rewriter.io.files import write_lines
from rewriter.runs.shards import RawLine, Shard, ShardContext


def by_full_stop(text):
    spans, start = [], 0
    for piece in text.split(". "):
        spans.append((start, start + len(piece)))
        start += len(piece) + 2
    return spans


def context(name="a.txt"):
    return ShardContext(Shard(0, f"/corpus/{name}", 1, 1, 0), numpy.random.default_rng(1))


def select(lines, **options):
    selector = Selector(by_full_stop, options.pop("wanted", lambda text: "they" in text), **options)
    found = context()
    return [s.text for s in selector((RawLine(n, d) for n, d in enumerate(lines, 1)), found)], found


def test_only_candidates_within_the_bounds_are_taken():
    lines = [b"we saw how they left. it rained\n", b"they\n", b"they " * 9 + b"\n", b"did they come\r\n"]
    assert select(lines, bounds=Bounds(min_words=2, max_words=5))[0] == ["we saw how they left", "did they come"]


@pytest.mark.parametrize(
    ("line", "sentences", "rejects"),
    [
        (b"", [], []),
        (b"\n", [], []),
        (b"so they say", ["so they say"], []),
        (b"so they say\r\n", ["so they say"], []),
        (b"so they\0say\n", [], ["NUL"]),
        (b"so th\xffy say they\n", [], ["not UTF-8"]),
        (b"they say " * 120_000, [], []),
    ],
    ids=["nothing", "empty line", "no final end", "windows", "NUL", "not UTF-8", "1 MB"],
)
def test_odd_lines_have_a_defined_result(line, sentences, rejects):
    found, seen = select([line])
    assert found == sentences
    assert len(seen.rejects) == len(rejects)
    for reject, word in zip(seen.rejects, rejects, strict=True):
        assert word in reject.reason and reject.line == 1 and reject.file == "a.txt"


def test_a_sentence_comes_with_the_one_before_it_in_its_line():
    lines = [b"we saw it. so they sang. so they danced", b"so they slept"]
    selector = Selector(by_full_stop, lambda text: "they" in text)
    found = list(selector((RawLine(n, d) for n, d in enumerate(lines, 1)), context()))
    assert [s.text for s in found] == ["so they sang", "so they danced", "so they slept"]
    assert [s.before for s in found] == ["we saw it", "so they sang", ""]


def test_a_text_is_taken_once_per_shard():
    found, seen = select([b"so they say\n", b"so they say\n"])
    assert found == ["so they say"] and seen.counts["repeated in shard"] == 1


@pytest.mark.parametrize("rate", [0.05, 0.3, 0.9])
def test_a_sample_depends_on_the_text_alone(rate):
    lines = [f"they said {n}\n".encode() for n in range(4000)]
    forwards, _ = select(lines, rates={"a.txt": rate})
    backwards, _ = select(lines[::-1], rates={"a.txt": rate})
    assert sorted(forwards) == sorted(backwards)
    assert len(forwards) == pytest.approx(4000 * rate, rel=0.25)
    other, _ = select(lines, rates={"a.txt": rate}, seed=2)
    assert other != forwards


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 1000), min_size=1),
    st.integers(1, 3000),
    st.floats(0.05, 1),
)
def test_shares_never_exceed_what_is_there_or_the_cap(counts, sample, share):
    taken = allocate(counts, sample, share)
    cap = sample * max(share, 1 / len(counts))
    for name, count in counts.items():
        assert 0 <= taken[name] <= min(count, cap) + 1e-6
    most = sum(min(count, cap) for count in counts.values())
    assert sum(taken.values()) == pytest.approx(min(sample, most), abs=1e-6)


def test_no_file_dominates():
    taken = allocate({"large": 100_000, "middle": 3_000, "small": 500}, 4_000, 0.5)
    assert taken == pytest.approx({"large": 2_000, "middle": 2_000 * 6 / 7, "small": 2_000 / 7})


def test_rates_take_about_the_sample(tmp_path):
    for name, count in (("a.txt", 3000), ("b.txt", 500)):
        write_lines(tmp_path / name, (f"they said {n}" for n in range(count)))
    paths = find_inputs([tmp_path])
    selector = Selector(by_full_stop, lambda text: True)
    rates = sampling_rates(paths, selector, sample=700, max_share=0.5)
    assert 3000 * rates["a.txt"] + 500 * rates["b.txt"] == pytest.approx(700, rel=0.05)
    assert sampling_rates(paths, selector, sample=None, max_share=0.5) == {}


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "train").mkdir()
    for name in ("wiki.txt.zst", "novels.txt", "chat.txt"):
        write_lines(tmp_path / "train" / name, ["a line"])
    rows = [
        "file\tlicence\tsource repo",
        "wiki.txt.zst\tCC BY-SA 3.0\tsome/wiki",
        "novels.txt\tpublic domain\tsome/books",
    ]
    (tmp_path / "MANIFEST.tsv").write_text("\n".join(rows) + "\n")
    return tmp_path / "train"


@pytest.mark.parametrize(
    ("exclude", "names"),
    [
        ([], ["chat.txt", "novels.txt", "wiki.txt.zst"]),
        (["wiki*"], ["chat.txt", "novels.txt"]),
        (["chat*", "licence:*by-sa*"], ["novels.txt"]),
        (["chat*", "licence:GPL*"], ["novels.txt", "wiki.txt.zst"]),
    ],
)
def test_files_are_left_out_by_name_or_licence(corpus, exclude, names):
    assert [path.name for path in find_inputs([corpus], exclude)] == names
    assert [path.name for path in find_inputs([f"{corpus}/*.txt*"], exclude)] == names


def test_an_unknown_licence_cannot_be_judged(corpus):
    with pytest.raises(InputError, match=r"chat\.txt: no MANIFEST\.tsv gives its licence"):
        find_inputs([corpus], ["licence:GPL*"])


def test_a_pattern_without_files_and_too_much_exclusion_are_told(corpus):
    with pytest.raises(InputError, match="no such text file"):
        find_inputs([corpus / "*.xyz"])
    with pytest.raises(UsageError, match="exclude leaves no input"):
        find_inputs([corpus], ["*"])


def test_the_card_names_licence_and_source(corpus):
    assert describe(corpus / "wiki.txt.zst")["licence"] == "CC BY-SA 3.0"
    assert data_card([corpus / "novels.txt", Path("elsewhere.txt")]) == [
        {"file": "novels.txt", "licence": "public domain", "source": "some/books"},
        {"file": "elsewhere.txt", "licence": "", "source": ""},
    ]


def test_counting_reads_only_a_part_of_large_files(tmp_path):
    write_lines(tmp_path / "a.txt", (f"they said {n}" for n in range(6000)))
    asked = Counter()

    def wanted(text):
        asked["sentences"] += 1
        return True

    rates = sampling_rates([tmp_path / "a.txt"], Selector(by_full_stop, wanted), sample=600, max_share=1)
    assert asked["sentences"] == 1250
    assert rates["a.txt"] == pytest.approx(0.1)
