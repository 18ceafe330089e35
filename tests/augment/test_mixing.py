"""Mixing: shares, limits, and nothing of the development set in the training set."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augment.mixing import Buckets, MixConfig, Neighbours, block_of, mix, normalise
from rewriter.errors import InputError, ResumeError, UsageError
from rewriter.io.files import read_pairs, write_pairs
from rewriter.records import Pair

NAMES = "Anna Ben Chris Dora Emil Fred Gina Hugo Ida Jan Kim Lea Max Nora Otto Pia Quinn Rosa Sam Tina".split()
THINGS = (
    "apples books chairs drums eggs flags games hats inks jars kites lamps mugs nets oars pens quilts rings".split()
)


def sentence(number):
    """A sentence of which no other has four words in a row."""
    first, second, third = NAMES[number % 20], THINGS[number // 20 % 18], NAMES[number // 360 % 20]
    return f"{{}} gave {first}{number} those {second}{number} for {third}{number} today{number}."


def backward(count, start=0):
    for number in range(start, start + count):
        text = sentence(number)
        for form, pronoun in (("masculine", "He"), ("feminine", "She")):
            origin = f"a.txt:{number * 10}"
            yield Pair(text.format(pronoun), text.format("They"), "en", "backward", form, origin)


def neutral(count, start=50_000, strategy="copy"):
    for number in range(start, start + count):
        text = sentence(number).format("We")
        yield Pair(text, text, "en", strategy, "neutral", f"n.txt:{number * 10}")


def run(tmp_path, pairs, name="out", **options):
    write_pairs(tmp_path / f"{name}.jsonl", pairs)
    manifest = mix(MixConfig(**options), inputs=[tmp_path / f"{name}.jsonl"], output=tmp_path / name)
    train = list(read_pairs(tmp_path / name / "train.jsonl.zst"))
    return train, list(read_pairs(tmp_path / name / "dev.jsonl.zst")), manifest.counts


def kinds(pairs):
    return Counter((pair.strategy, pair.form) for pair in pairs)


def test_without_dev_everything_is_there_once_with_fair_copies(tmp_path):
    given_pairs = list(backward(50))
    train, dev, _ = run(tmp_path, given_pairs, dev_size=0)
    assert dev == []
    assert kinds(train) == {("backward", "masculine"): 50, ("backward", "feminine"): 50, ("copy", "fair"): 50}
    assert {(p.source, p.target) for p in given_pairs} < {(p.source, p.target) for p in train}
    assert train[:100] != given_pairs  # shuffled


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5])
def test_neutral_sentences_are_the_share_asked_for(tmp_path, share):
    train, _, _ = run(tmp_path, [*backward(400), *neutral(2000)], dev_size=0, neutral_share=share)
    there = sum(p.form == "neutral" for p in train)
    assert there / len(train) == pytest.approx(share, abs=0.03)
    assert len(train) - there == 1200


def test_look_alikes_count_for_the_share_and_are_all_taken(tmp_path):
    pairs = [*backward(400), *neutral(2000), *neutral(100, 60_000, "look-alike")]
    train, _, _ = run(tmp_path, pairs, dev_size=0)
    found = kinds(train)
    assert found["look-alike", "neutral"] == 100
    assert (found["look-alike", "neutral"] + found["copy", "neutral"]) / len(train) == pytest.approx(0.3, abs=0.03)


@pytest.mark.parametrize(("copies", "expected"), [(0.0, 0), (0.5, 200), (1.0, 400)])
def test_fair_copies_are_a_share_of_the_targets(tmp_path, copies, expected):
    train, _, _ = run(tmp_path, backward(400), dev_size=0, fair_copies=copies)
    assert kinds(train)["copy", "fair"] == pytest.approx(expected, abs=35)


def test_limits_and_weights(tmp_path):
    train, _, _ = run(tmp_path, backward(500), "limit", dev_size=0, fair_copies=0, limits={"backward": 300})
    assert len(train) == pytest.approx(300, abs=45)
    train, _, _ = run(tmp_path, backward(100), "weight", dev_size=0, fair_copies=0, weights={"backward": 2})
    assert set(Counter((p.source, p.target) for p in train).values()) == {2}
    train, _, counts = run(tmp_path, [*backward(100), *neutral(10)], "none", dev_size=0, weights={"backward": 0})
    assert kinds(train) == {("copy", "neutral"): 10} and counts["left out"]["over the share or limit"] == 200


def test_doubtful_pairs_can_be_left_out(tmp_path):
    pairs = [Pair("He left.", "They left.", origin="a:1", form="masculine", doubtful=((0, 2),)), *backward(20)]
    train, _, counts = run(tmp_path, pairs, dev_size=0, drop_doubtful=True)
    assert not any(p.doubtful for p in train) and counts["left out"] == {"doubtful": 1}


def test_no_document_is_on_both_sides(tmp_path):
    train, dev, _ = run(tmp_path, [*backward(2000), *neutral(2000)], dev_size=200)
    assert len(dev) == 200
    assert not {block_of(p) for p in train} & {block_of(p) for p in dev}
    assert not {normalise(p.target) for p in train} & {normalise(p.target) for p in dev}
    assert {p.form for p in dev} == {"masculine", "feminine", "fair", "neutral"}


def test_what_resembles_a_development_sentence_is_not_trained_on(tmp_path):
    """The same sentences stand in a second file, one word and the capitals changed."""
    first = list(backward(1000))
    second = [
        Pair(
            p.source.replace("today", "TONIGHT"),
            p.target.replace("today", "TONIGHT"),
            "en",
            "backward",
            p.form,
            f"b{p.origin}",
        )
        for p in first
    ]
    train, dev, counts = run(tmp_path, [*first, *second], dev_size=100)
    alike = Neighbours(p.target for p in dev)
    assert dev and counts["left out"]["like a development sentence"] > 0
    assert not any(alike.holds(p.target) for p in train)


@pytest.mark.parametrize(
    ("text", "alike"),
    [
        ("They put the blue cup on the old table in the hall.", True),
        ("THEY put the blue cup, on the old table in the hall", True),
        ("They put the blue cup on the old table in the garden.", True),
        ("They put a red cup under that new table in the hall.", False),
        ("They left.", False),
        ("", False),
    ],
)
def test_likeness(text, alike):
    known = Neighbours(["They put the blue cup on the old table in the hall.", "They came."])
    assert known.holds(text) is alike
    assert known.holds("they CAME!")


@pytest.mark.parametrize(
    ("origin", "block"),
    [
        ("wiki.txt:199", "wiki.txt:1"),
        ("wiki.txt:200", "wiki.txt:2"),
        ("doc-7", "doc-7"),
        ("C:\\wiki.txt:5", "C:\\wiki.txt:0"),
    ],
)
def test_documents_are_blocks_of_lines_or_ids(origin, block):
    assert block_of(Pair("a", "b", origin=origin)) == block


def test_without_origin_the_variants_of_a_text_stay_together():
    one, two = Pair("He left themself.", "They left themself."), Pair("She left ...", "they LEFT themselves!")
    assert block_of(one) == block_of(two)


def test_the_same_seed_gives_the_same_bytes_another_one_does_not(tmp_path):
    pairs = [*backward(300), *neutral(300)]
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        run(tmp_path, pairs, name, seed=seed, dev_size=20)
    for name in ("train.jsonl.zst", "dev.jsonl.zst", "stats.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert (tmp_path / "one" / "train.jsonl.zst").read_bytes() != (tmp_path / "three" / "train.jsonl.zst").read_bytes()


@given(st.integers(0, 300), st.integers(1, 200_000))
def test_the_shuffle_loses_nothing_in_whatever_number_of_buckets(tmp_path_factory, count, expected):
    buckets = Buckets(tmp_path_factory.mktemp("buckets"), expected, seed=3)
    buckets.fill(Pair(f"s\n{n}", f"t{n}") for n in range(count))
    assert sorted(int(p.target[1:]) for p in buckets) == list(range(count))


def test_counts_are_written(tmp_path):
    train, dev, counts = run(tmp_path, [*backward(100), *neutral(100)], dev_size=10)
    stats = json.loads((tmp_path / "out" / "stats.json").read_text())
    assert (stats["train"], stats["dev"]) == (len(train), len(dev)) == (counts["train"], counts["dev"])
    assert sum(stats["train kinds"].values()) == len(train)


def test_the_development_set_stays_small(tmp_path):
    train, dev, _ = run(tmp_path, backward(30), dev_size=2000)
    assert len(dev) <= 9 and len(train) > 50


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"neutral_share": 1.0}, "neutral_share"),
        ({"fair_copies": 2.0}, "fair_copies"),
        ({"dev_size": -1}, "dev_size"),
        ({"weights": {"forward": -1.0}}, "weights"),
    ],
)
def test_wrong_values_are_told(options, message):
    with pytest.raises(UsageError, match=message):
        MixConfig(**options)


def test_nothing_to_mix_is_told(tmp_path):
    with pytest.raises(UsageError, match="no pair that may be used"):
        run(tmp_path, [])
    with pytest.raises(InputError, match="no file of pairs"):
        mix(MixConfig(), inputs=[tmp_path / "none"], output=tmp_path / "out2")


def test_other_options_are_refused_and_a_finished_mixture_stands(tmp_path):
    run(tmp_path, backward(30))
    before = (tmp_path / "out" / "train.jsonl.zst").stat().st_mtime_ns
    run(tmp_path, backward(30))
    assert (tmp_path / "out" / "train.jsonl.zst").stat().st_mtime_ns == before
    with pytest.raises(ResumeError, match=r"option neutral_share: was 0\.3, is 0\.1"):
        run(tmp_path, backward(30), neutral_share=0.1)
