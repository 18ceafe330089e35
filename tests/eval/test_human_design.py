"""The design of a human evaluation is balanced: versions over texts, places, neighbours, sides."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import gcd

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.human.design import FIXED, SHUFFLED, Design, Sheet, assign, check_places, forms, ordered_pairs
from eval.human.texts import StudyText, draw_texts
from rewriter.errors import UsageError

versions = st.integers(2, 6)
blocks = st.integers(1, 4)


def sheets(design: Design, participants: int, seed: int = 1) -> list[Sheet]:
    return assign(design, participants, np.random.default_rng(seed))


def test_the_default_is_the_design_of_the_paper() -> None:
    """Six paragraphs, three versions, three forms; everybody sees all paragraphs, in the same order."""
    design = Design()
    assert forms(design.texts, design.versions) == [[0, 1, 2, 0, 2, 1], [1, 2, 0, 1, 0, 2], [2, 0, 1, 2, 1, 0]]
    found = sheets(design, 3)
    assert {sheet.form for sheet in found} == {0, 1, 2}
    assert {sheet.texts for sheet in found} == {(0, 1, 2, 3, 4, 5)}


@given(versions, blocks)
def test_every_block_and_every_text_has_each_version_once(k: int, count: int) -> None:
    square = np.array(forms(k * count, k))
    for row in square:
        assert all(sorted(block) == list(range(k)) for block in row.reshape(count, k).tolist())
    assert all(sorted(column) == list(range(k)) for column in square.T.tolist())


@given(versions, blocks)
def test_inside_blocks_every_version_follows_every_other_one_equally_often(k: int, count: int) -> None:
    count *= 1 if k % 2 == 0 else 2  # an odd number of versions needs two blocks for it
    after: Counter[tuple[int, int]] = Counter()
    for row in np.array(forms(k * count, k)).reshape(k, count, k).tolist():
        after.update(pair for block in row for pair in pairwise(block))
    assert set(after) == {(a, b) for a in range(k) for b in range(k) if a != b}
    assert len(set(after.values())) == 1


@given(versions, blocks, st.integers(1, 5), st.sampled_from([FIXED, SHUFFLED]), st.integers(0, 99))
def test_forms_are_handed_out_equally_often(k: int, count: int, rounds: int, order: str, seed: int) -> None:
    design = Design(texts=k * count, versions=k, preferences=0, checks=0, order=order)
    found = sheets(design, k * rounds, seed)
    for start in range(0, k * rounds, k):
        assert sorted(sheet.form for sheet in found[start : start + k]) == list(range(k))
    seen = Counter(cell for sheet in found for cell in zip(sheet.texts, sheet.versions, strict=True))
    assert seen == dict.fromkeys(((t, v) for t in range(design.texts) for v in range(k)), rounds)


@given(versions, blocks, st.integers(0, 99))
def test_a_shuffled_order_keeps_every_version_in_every_block(k: int, count: int, seed: int) -> None:
    design = Design(texts=k * count, versions=k, preferences=0, checks=0, order=SHUFFLED)
    for sheet in sheets(design, 2 * k, seed):
        assert sorted(sheet.texts) == list(range(design.texts))
        shown = np.array(sheet.versions).reshape(count, k).tolist()
        assert all(sorted(block) == list(range(k)) for block in shown)


@given(st.data(), st.integers(2, 4), st.integers(1, 2))
def test_every_text_is_compared_in_every_pair_on_both_sides_equally_often(
    data: st.DataObject, k: int, count: int
) -> None:
    texts = k * count
    preferences = data.draw(st.integers(1, texts))
    turns = k * (k - 1) * texts // gcd(texts, preferences)
    found = sheets(Design(texts=texts, versions=k, preferences=preferences, checks=0), turns)
    seen = Counter((c.text, c.left, c.right) for sheet in found for c in sheet.comparisons)
    assert len(seen) == texts * k * (k - 1)
    assert len(set(seen.values())) == 1


@given(versions)
def test_comparisons_in_a_row_are_about_different_versions(k: int) -> None:
    pairs = ordered_pairs(k)
    assert sorted(pairs) == [(a, b) for a in range(k) for b in range(k) if a != b]
    length = len(pairs) // 2
    for start in range(len(pairs)):
        row = [pairs[(start + place) % len(pairs)] for place in range(length)]
        assert len({frozenset(pair) for pair in row}) == length


@given(st.integers(2, 30), st.data())
def test_checks_stand_between_texts_at_places_of_their_own(texts: int, data: st.DataObject) -> None:
    checks = data.draw(st.integers(0, texts - 1))
    places = check_places(Design(texts=texts * 2, versions=2, checks=checks, preferences=0))
    assert len(set(places)) == checks
    assert all(0 < place < texts * 2 for place in places)


def test_the_same_seed_gives_the_same_sheets() -> None:
    design = Design(order=SHUFFLED)
    assert sheets(design, 12, 5) == sheets(design, 12, 5) != sheets(design, 12, 6)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ({"texts": 7}, "take 6 or 9"),
        ({"texts": 2}, "take 3$"),
        ({"versions": 1}, "two versions at least"),
        ({"preferences": 7}, "0 to 6 of the texts, not 7"),
        ({"checks": 6}, "0 to 5 of them"),
        ({"order": "random"}, "order 'random' is unknown; known: fixed, shuffled"),
    ],
)
def test_what_does_not_fit_is_refused(shape: dict[str, int], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Design(**shape)  # type: ignore[arg-type]


def test_a_study_needs_somebody() -> None:
    with pytest.raises(UsageError, match="one participant at least"):
        sheets(Design(), 0)


def texts_of(genres: dict[str, int]) -> list[StudyText]:
    return [StudyText(f"{g}{n}", g, {"original": "x"}) for g, count in genres.items() for n in range(count)]


@pytest.mark.parametrize(
    ("genres", "count", "expected"),
    [
        ({"news": 9, "mail": 9, "law": 9}, 6, {"news": 2, "mail": 2, "law": 2}),
        ({"news": 9, "mail": 1}, 6, {"news": 5, "mail": 1}),
        ({"": 6}, 6, {"": 6}),
    ],
)
def test_texts_are_drawn_evenly_over_genres(genres: dict[str, int], count: int, expected: dict[str, int]) -> None:
    drawn = draw_texts(texts_of(genres), count, np.random.default_rng(1))
    assert Counter(text.genre for text in drawn) == expected
    assert len({text.id for text in drawn}) == count


def test_more_texts_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(UsageError, match="6 texts are asked for and 5 can be drawn"):
        draw_texts(texts_of({"a": 5}), 6, np.random.default_rng(1))
