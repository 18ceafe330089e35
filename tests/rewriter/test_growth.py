"""The work on one text grows with its length, not with the square: counted in calls of functions, not in seconds.

The patterns are those of ``benchmarks/growth.py``, which measures time at greater lengths, and with it what no call
counts: regular expressions, sorting, copies.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from must_stay_tools import load

from rewriter.de.lexicon import LONGEST_WORD, GermanLexicon
from rewriter.language.interface import Language, get_language
from rewriter.model.proposer import Sentence
from rewriter.policy.protect import LONGEST_RUN, protected_spans
from rewriter.text.spans import LONGEST_SENTENCE

PATTERNS = load("growth_patterns").PATTERNS
SMALL, LARGE = 5_000, 20_000
#: sizes at which German, too, has come to its pace: a sentence is read with three before it, which the first ones lack
SETTLED_SMALL, SETTLED_LARGE = 10_000, 40_000
#: four times the text may take so many times the calls
MOST = 4 * 1.5
#: patterns whose analyses differ most, for every run of the tests
QUICK = {
    "de": ("base64", "person before base64", "persons without spaces", "long compounds", "stars"),
    "en": ("base64", "pronoun before base64", "nested relative clauses", "nouns and commas", "coordination"),
}


def steps(work: Callable[[], Any]) -> int:
    """Return how often functions are called, those written in C and steps of generators among them."""
    count = 0

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def cases(*, quick: bool) -> list[Any]:
    return [
        pytest.param(lang, pattern, id=f"{lang} {pattern.name}")
        for lang, patterns in PATTERNS.items()
        for pattern in patterns
        if (pattern.name in QUICK[lang]) is quick
    ]


@pytest.fixture(scope="module")
def rewriters() -> dict[str, Any]:
    return {lang: load("growth").make_rewriter(lang, grammar=True) for lang in PATTERNS}


def check_growth(rewriters: dict[str, Any], lang: str, pattern: Any, sizes: tuple[int, int]) -> None:
    rewriter = rewriters[lang]
    rewriter.rewrite(pattern.text(300))  # loads tables
    small, large = (steps(lambda size=size: rewriter.rewrite(pattern.text(size))) for size in sizes)
    assert large <= MOST * small, f"{small} calls for {sizes[0]} bytes, {large} for {sizes[1]}"


@pytest.mark.parametrize(("lang", "pattern"), cases(quick=True))
def test_work_grows_with_the_length(rewriters: dict[str, Any], lang: str, pattern: Any) -> None:
    check_growth(rewriters, lang, pattern, (SMALL, LARGE))


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "pattern"), cases(quick=False))
def test_work_grows_with_the_length_in_every_pattern(rewriters: dict[str, Any], lang: str, pattern: Any) -> None:
    check_growth(rewriters, lang, pattern, (SETTLED_SMALL, SETTLED_LARGE))


def test_there_are_patterns_enough() -> None:
    for lang, patterns in PATTERNS.items():
        names = [pattern.name for pattern in patterns]
        assert len(names) == len(set(names)) >= 40
        assert set(QUICK[lang]) <= set(names)
        assert all(0 <= 3_000 - len(pattern.text(3_000).encode()) < 60 for pattern in patterns)


def test_a_square_is_seen() -> None:
    def square(size: int) -> None:
        for _ in range(size):
            sum(1 for _ in range(size))

    assert steps(lambda: square(40)) > MOST * steps(lambda: square(10))


# -- what bounds it: sentences, words and data


@pytest.fixture(scope="module", params=["de", "en"])
def language(request: pytest.FixtureRequest) -> Language:
    return get_language(request.param)


LONG = {
    "sentences end": "Aa bb cc. dd ee ff gg " * 400,
    "clauses end": "Aa bb, cc dd ee ff gg " * 400,
    "lines end": "Aa bb cc\ndd ee ff gg " * 400,
    "words end": "aa bb cc dd ee ff gg " * 400,
    "nothing ends": "a" * 9_000,
    "data between words": "aa bb " * 50 + "/" * 5_000 + " cc dd" * 50,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
def test_a_long_sentence_is_cut_and_nothing_is_lost(language: Language, text: str) -> None:
    spans = language.segment(text)
    assert max(end - start for start, end in spans) <= LONGEST_SENTENCE
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    gaps = zip([0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)], strict=True)
    assert not any(text[end:start].strip() for end, start in gaps)


@pytest.mark.parametrize(
    ("name", "end"), [("sentences end", "cc."), ("clauses end", "bb,"), ("lines end", "cc"), ("words end", "")]
)
def test_a_long_sentence_is_cut_at_the_best_place(language: Language, name: str, end: str) -> None:
    text = LONG[name]
    assert all(text[a:b].endswith(end) for a, b in language.segment(text)[:-1])


def test_a_sentence_that_is_not_too_long_is_one(language: Language) -> None:
    text = ("aa bb, " * 400)[: LONGEST_SENTENCE - 1] + "c"
    assert language.segment(text) == [(0, LONGEST_SENTENCE)]


@pytest.mark.parametrize(("size", "protected"), [(LONGEST_RUN - 1, False), (LONGEST_RUN, True)])
def test_data_without_white_space_stays(size: int, protected: bool) -> None:
    run = ("he,er," * size)[:size]
    assert bool(protected_spans(f"so {run} so")) is protected
    if protected:
        assert protected_spans(f"so {run} so") == [(3, 3 + size)]


def test_no_word_is_longer_than_words_are() -> None:
    lexicon = GermanLexicon()
    longest = "B" + "b" * (LONGEST_WORD - len("Balehrerin")) + "alehrerin"
    assert len(longest) == LONGEST_WORD
    assert lexicon.word(longest) is not None
    assert lexicon.word("B" + longest.lower()) is None


@pytest.mark.parametrize("text", ["Lehrer " + "QUJDREVG" * 600, "Lehrer,Lehrerin," * 1_000, "er" * 5_000])
def test_a_text_that_took_the_cube_of_its_length_stays(rewriters: dict[str, Any], text: str) -> None:
    result = rewriters["de"].rewrite(text)
    assert result.endswith(text[7:])


def test_context_is_bounded_too() -> None:
    language = get_language("de")
    before = tuple("Die Lehrerin lachte. " * 90 for _ in range(3))
    assert language.analyze("Sie ging.", before=before).candidates
    assert Sentence("Sie ging.", (), before).before == before
