"""Who is named: mentions of edits, what is said of their surroundings, decisions that follow one another."""

import pytest

from augment.swap import Swapper
from augment.swap.who import WhoIsNamed, Words, mentions_of
from rewriter.language.interface import get_language


def mentions(lang: str, text: str) -> list[tuple[str, bool, bool]]:
    edits = Swapper(lang, names="keep", facts="turn").swap(text, return_edits=True).edits
    found = mentions_of(text, edits, Words.of_language(lang))
    return [(text[m.start : m.end], m.is_pronoun, m.is_feminine) for m in found]


def features(lang: str, text: str) -> dict[str, set[str]]:
    """Return what is said of each mention of a text of which nobody is decided to be named."""
    edits = Swapper(lang, names="keep", facts="turn").swap(text, return_edits=True).edits
    found = {}
    for mention, said, course in WhoIsNamed(get_language(lang), {}).course(text, edits):
        course.note(mention, named=False)
        found[text[mention.start : mention.end]] = {name.partition(": ")[2] for name in said}
    return found


def test_what_agrees_with_a_noun_is_one_mention_with_it() -> None:
    assert mentions("de", "Der junge Arzt half ihr.") == [("Der junge Arzt", False, False), ("ihr", True, True)]
    assert mentions("en", "The actress saw him.") == [("actress", False, True), ("him", True, False)]


@pytest.mark.parametrize(
    ("lang", "text", "mention", "said"),
    [
        ("en", "We met actress Ann Lee.", "actress", {"before a name", "before a name, no article", "bare"}),
        ("en", "We met his sister, Ann Lee.", "sister", {"possessive", "before comma and name"}),
        ("en", "Ann Lee, an actress from Rome, sang.", "actress", {"indefinite", "behind a name and comma"}),
        ("en", "Ann Lee was an actress.", "actress", {"said of somebody", "named before"}),
        ("en", "The women who sang left.", "women", {"plural", "relative clause", "definite"}),
        ("en", "Ann Lee left. A boy saw him.", "him", {"noun unnamed is the last", "named earlier"}),
        ("de", "Wir trafen die Ärztin Anna Weber.", "die Ärztin", {"definite", "before a name"}),
        ("de", "Anna Weber ist eine gute Ärztin.", "eine gute Ärztin", {"indefinite", "said of somebody"}),
        ("de", "Dort standen die Ärztinnen.", "Ärztinnen", {"plural", "definite"}),
    ],
)
def test_what_is_said_of_a_mention(lang: str, text: str, mention: str, said: set[str]) -> None:
    assert said <= features(lang, text)[mention]


def test_weights_decide_and_an_unknown_feature_has_none() -> None:
    text = "A woman saw Ann Lee. She sang."
    edits = Swapper("en", names="keep").swap(text, return_edits=True).edits
    language = get_language("en")
    assert WhoIsNamed(language, {"noun": -9.0, "pronoun": 9.0})(text, edits) == [False, True]
    assert WhoIsNamed(language, {"noun": 9.0, "pronoun": -9.0, "nobody's": 99.0})(text, edits) == [True, False]


def test_a_pronoun_hears_what_was_decided_of_the_noun_before() -> None:
    text = "A woman sang. She left."
    edits = Swapper("en", names="keep").swap(text, return_edits=True).edits
    weights = {"pronoun: noun named": 5.0, "pronoun: noun unnamed": -5.0}
    for noun in (9.0, -9.0):
        told = WhoIsNamed(get_language("en"), weights | {"noun": noun})(text, edits)
        assert told == [noun > 0, noun > 0]


@pytest.mark.parametrize("lang", ["de", "en"])
def test_a_text_without_sentences_or_edits_is_no_error(lang: str) -> None:
    who = WhoIsNamed(get_language(lang))
    assert who("", ()) == who("42", ()) == []
