"""What is counted, and that counts add up."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.genbit import Counts, Lexicon, Settings, merge
from eval.genbit.counter import CooccurrenceCounter
from eval.genbit.lexicon import GROUPS
from eval.genbit.metrics import cooccurrence
from eval.genbit.tokens import END, join_tokens, token_stream, tokenize
from rewriter.errors import InputError, UsageError

LEXICON = Lexicon(
    "en",
    {
        "female": frozenset({"she", "step sister", "ms"}),
        "male": frozenset({"he", "step brother", "his"}),
        "non-binary": frozenset({"they", "trans"}),
        "trans": frozenset({"trans", "trans man"}),
        "cis": frozenset({"cis man"}),
    },
    frozenset({"the", "a", "his", "in"}),
)
WORDS = "she he they step sister brother trans man cis the a his in cooks sings Über ΟΔΟΣ İzmir naïve x".split()


def count(texts: list[str], *, window: int = 5, units: int = 1, lexicon: Lexicon = LEXICON) -> Counts:
    counter = CooccurrenceCounter(lexicon, window, units=units)
    counter.add_texts(texts)
    return counter.counts()


def near(counts: Counts, weight: float = 0.5, lexicon: Lexicon = LEXICON) -> dict[str, dict[str, float]]:
    """Return the weighted co-occurrence by word and group, noughts left out."""
    matrix = cooccurrence(counts, lexicon, Settings(distance_weight=weight))
    rows = zip(matrix.words, matrix.weighted.tolist(), strict=True)
    return {w: {g: v for g, v in zip(GROUPS, row, strict=True) if v} for w, row in rows}


# Tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("She's 2nd, he_said: ÜBER-mäßig!", ["she", "s", "nd", "he", "said", "über", "mäßig"]),
        ("tab\there\u00a0and there", ["tab", "here", "and", "there"]),
        ("İstanbul ΟΔΟΣ'Α", ["i̇stanbul", "οδος", "α"]),
        ("1984 --- _ \0", []),
        ("Она сказала", ["она", "сказала"]),
    ],
)
def test_tokens_are_runs_of_letters_in_lower_case(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens
    assert token_stream([text]) == ([*tokens, END], [0])


@given(st.lists(st.text(max_size=30)))
def test_many_texts_at_once_give_the_same_tokens(texts: list[str]) -> None:
    stream, order = token_stream(texts)
    expected = [token for place in order for token in [*tokenize(texts[place]), END]]
    assert stream == expected
    assert sorted(order) == list(range(len(texts)))


def test_given_tokens_stay_as_they_are_but_for_the_case() -> None:
    assert join_tokens([["Don't", "STOP", "."], [], ["New York"]]) == ["don't", "stop", ".", END, END, "new york", END]


# Co-occurrence


def test_a_gendered_word_weighs_its_neighbours_by_distance() -> None:
    assert near(count(["She cooks well"])) == {"she": {}, "cooks": {"female": 0.5}, "well": {"female": 0.25}}


def test_stop_words_are_left_out_before_distances_are_measured() -> None:
    assert near(count(["She the a cooks"]))["cooks"] == {"female": 0.5}


def test_a_gendered_stop_word_stays() -> None:
    found = count(["his garden"])
    assert found.words == ("garden", "his")
    assert near(found)["garden"] == {"male": 0.5}


def test_a_window_ends_with_its_size_and_with_the_document() -> None:
    assert near(count(["she kneads good dough"], window=2))["dough"] == {}
    assert near(count(["she", "cooks"]))["cooks"] == {}


def test_gendered_words_are_neighbours_too_but_not_of_themselves() -> None:
    assert near(count(["she he she"])) == {"she": {"female": 0.5, "male": 1.0}, "he": {"female": 1.0}}


@pytest.mark.parametrize("text", ["her step-sister sings", "Her Step sister, sings", "her step—sister sings"])
def test_entries_of_several_tokens_are_one_word(text: str) -> None:
    found = count([text])
    assert found.words == ("her", "sings", "step sister")
    assert near(found)["sings"] == {"female": 0.5}


def test_the_longest_entry_is_taken_from_the_left() -> None:
    assert count(["a trans man sings"]).words == ("sings", "trans man")
    assert count(["a trans woman sings"]).words == ("sings", "trans", "woman")


def test_a_word_of_two_kinds_of_groups_counts_in_both() -> None:
    assert near(count(["trans singer"]))["singer"] == {"non-binary": 0.5, "trans": 0.5}


def plain(texts: list[str], window: int, weight: float) -> tuple[dict[str, int], dict[str, dict[str, float]]]:
    """The rule, written down word by word."""
    frequency: dict[str, int] = {}
    matrix: dict[str, dict[str, float]] = {}
    entries = sorted({e for words in LEXICON.groups.values() for e in words if " " in e}, key=len, reverse=True)
    pattern = "|".join(rf"(?<!\S){re.escape(entry)}(?!\S)" for entry in entries)
    for text in texts:
        joined = re.sub(pattern, lambda m: m[0].replace(" ", "@"), " ".join(tokenize(text)))
        tokens = [t.replace("@", " ") for t in joined.split()]
        first = [LEXICON.words(g) for g in GROUPS[:3]]
        tokens = [t for t in tokens if any(t in words for words in first) or t not in LEXICON.stop_words]
        for i, token in enumerate(tokens):
            frequency[token] = frequency.get(token, 0) + 1
            row = matrix.setdefault(token, {})
            for j, other in enumerate(tokens):
                if i != j and abs(i - j) <= window:
                    for kind in (GROUPS[:3], GROUPS[3:]):
                        group = next((g for g in kind if other in LEXICON.words(g)), None)
                        if group:
                            row[group] = row.get(group, 0) + weight ** abs(i - j)
    return frequency, matrix


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), max_size=6), st.integers(1, 8))
def test_arrays_count_what_the_rule_says(texts: list[str], window: int) -> None:
    found = count(texts, window=window)
    frequency, matrix = plain(texts, window, 0.5)
    assert dict(zip(found.words, found.frequency.tolist(), strict=True)) == frequency
    # Powers of a half are exact, so the sums are equal and not only close.
    assert near(found) == matrix


# Counts add up

texts_of_words = st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), max_size=8)


@given(texts_of_words, st.randoms(use_true_random=False))
def test_parts_in_any_order_give_the_same_counts(texts: list[str], random: Any) -> None:
    cut = sorted(random.randint(0, len(texts)) for _ in range(2))
    parts = [count(texts[: cut[0]]), count(texts[cut[0] : cut[1]]), count(texts[cut[1] :])]
    random.shuffle(parts)
    assert merge(parts) == count(texts)


def test_a_batch_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["she cooks", "he sings in the garden", "Über naïve he", "they trans man"] * 9
    whole = count(texts)
    monkeypatch.setattr("eval.genbit.counter.BATCH_CHARACTERS", 20)
    monkeypatch.setattr("eval.genbit.counter.PENDING", 3)
    assert count(texts) == whole


def test_units_are_kept_apart_and_add_up() -> None:
    texts = ["she cooks", "he cooks", "they cook", "nobody", ""]
    split, whole = count(texts, units=2), count(texts)
    assert split.unit_totals[:, -1].tolist() == [3, 2]
    assert split.unit_totals.sum(axis=0).tolist() == whole.unit_totals[0].tolist()
    assert near(split) == near(whole)


def test_equal_counts_are_equal_files(tmp_path: Path) -> None:
    one, two = count(["she cooks", "he sings"]), merge([count(["he sings"]), count(["she cooks"])])
    one.save(tmp_path / "one.npz")
    two.save(tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    assert Counts.load(tmp_path / "one.npz") == one


def test_nothing_and_odd_words_survive_a_file(tmp_path: Path) -> None:
    counter = CooccurrenceCounter(LEXICON, 3)
    counter.counts().save(tmp_path / "nothing.npz")
    assert Counts.load(tmp_path / "nothing.npz").documents == 0
    counter.add_tokens([["line\nend", "tab\t", "\ud800", "she"]])
    counter.counts().save(tmp_path / "odd.npz")
    assert Counts.load(tmp_path / "odd.npz") == counter.counts()


def test_counts_made_in_different_ways_are_not_merged() -> None:
    with pytest.raises(UsageError, match="window: was 5, is 4"):
        merge([count(["she"]), count(["he"], window=4)])
    with pytest.raises(UsageError, match="digest"):
        merge([count(["she"]), count(["he"], lexicon=Lexicon.shipped("en"))])


@pytest.mark.parametrize("damage", ["text", "empty", "truncated", "npy", "other", "version", "keys"])
def test_a_file_that_holds_no_counts_is_refused(tmp_path: Path, damage: str) -> None:
    import json

    import numpy as np

    path = tmp_path / "counts.npz"
    count(["she cooks"]).save(path)
    with np.load(path) as archive:
        arrays = dict(archive)
    head = json.loads(bytes(arrays["head"]))
    if damage == "text":
        path.write_text("she cooks\n")
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "truncated":
        path.write_bytes(path.read_bytes()[:-50])
    elif damage == "npy":
        path.unlink()
        with path.open("wb") as stream:
            np.save(stream, np.arange(3))
    elif damage == "other":
        np.savez(path, a=np.arange(3))
    elif damage == "version":
        new = json.dumps(head | {"version": 99}).encode()
        np.savez(path, **arrays | {"head": np.frombuffer(new, np.uint8)})
    else:
        np.savez(path, **arrays | {"keys": arrays["keys"] + 10**6})
    with pytest.raises(InputError, match=r"counts\.npz"):
        Counts.load(path)
