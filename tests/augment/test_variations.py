"""Variations of pairs: what they give, and that their labels are right."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augment.en.rare_frames import of_his, two_objects, without_article
from augment.en.variations import join, vary
from rewriter.language.interface import get_language
from rewriter.model.alignment import match_outcomes
from rewriter.records import Pair


def varied(pair: Pair, tries: int = 200) -> set[tuple[str, str]]:
    found = (vary(pair, np.random.default_rng(seed)) for seed in range(tries))
    return {(v.source, v.target) for v in found if v is not None}


def neutral(text: str) -> Pair:
    return Pair(text, text, strategy="copy", form="neutral")


def test_first_person_tells_the_reading() -> None:
    assert varied(neutral("You gave me food, but my soup is mine.")) == {
        ("You gave her food, but her soup is hers.", "You gave them food, but their soup is theirs."),
        ("You gave him food, but his soup is his.", "You gave them food, but their soup is theirs."),
    }


def test_an_insertion_parts_pronoun_and_verb() -> None:
    pairs = varied(Pair("If she knows it, we go.", "If they know it, we go.", strategy="backward", form="feminine"))
    assert ("If she never knows it, we go.", "If they never know it, we go.") in pairs
    assert ("If she, however, knows it, we go.", "If they, however, know it, we go.") in pairs


def test_a_tag_question_follows_a_short_sentence() -> None:
    pairs = varied(Pair("He has a plan.", "They have a plan.", strategy="backward", form="masculine"))
    assert ("He has a plan, hasn't he?", "They have a plan, haven't they?") in pairs


@pytest.mark.parametrize(
    "pair",
    [
        neutral("Nothing to see here."),
        neutral("The US army met me."),
        Pair("She knew.", "They knew.", strategy="backward", form="feminine"),
        Pair("She knows he knows.", "They know they know.", strategy="backward", form="mixed"),
        Pair("She knows.", "They know.", strategy="forward", form="feminine"),
        Pair("She knows.", "They know.", strategy="backward", form="feminine", doubtful=((4, 9),)),
    ],
    ids=lambda pair: f"{pair.strategy}: {pair.source}",
)
def test_no_variation_fits(pair: Pair) -> None:
    assert varied(pair) == set()


@pytest.mark.parametrize(
    ("source", "target"), [("She is late.", "They are late."), ("Today he says no.", "Today they say no.")]
)
def test_targets_are_explained_by_the_candidates(source: str, target: str) -> None:
    language = get_language("en")
    for changed, fair in varied(Pair(source, target, strategy="backward", form="mixed")):
        assert match_outcomes(changed, fair, language.analyze(changed, training=True).candidates) is not None


@pytest.mark.parametrize(
    ("source", "target", "form", "expected"),
    [
        ("I gave him food.", "I gave them food.", "masculine", "I gave her food."),
        ("He knows his dog.", "They know their dog.", "masculine", "She knows her dog."),
        ("The book is hers.", "The book is theirs.", "feminine", "The book is his."),
        ("HIS PLAN HURT HIM.", "THEIR PLAN HURT THEM.", "masculine", "HER PLAN HURT HER."),
    ],
)
def test_the_other_gender_tells_the_reading(source: str, target: str, form: str, expected: str) -> None:
    assert varied(Pair(source, target, strategy="forward", form=form), tries=1) == {(expected, target)}


def test_doubtful_spans_move_with_the_text() -> None:
    pair = Pair("He saw him, who runs.", "They saw them, who runs.", strategy="forward", form="masculine")
    found = vary(replace(pair, doubtful=((16, 20),)), np.random.default_rng(0))
    assert found is not None
    assert [found.source[a:b] for a, b in found.doubtful] == ["runs"]


@pytest.mark.parametrize(
    "pair",
    [
        Pair("He knows.", "They know.", strategy="forward", form="masculine"),  # nothing that "her" would learn from
        Pair("He or she saw him.", "They saw them.", strategy="forward", form="mixed"),
        Pair("The book is his.", "The book is theirs.", strategy="forward", form="masculine", doubtful=((12, 15),)),
    ],
    ids=lambda pair: pair.source,
)
def test_no_other_gender(pair: Pair) -> None:
    assert varied(pair, tries=1) == set()


def test_two_short_sentences_become_one() -> None:
    pairs = [
        Pair("He lives here.", "They live here.", strategy="backward", form="masculine"),
        Pair("It rains.", "It rains."),
        Pair("He writes letters.", "They write letters.", strategy="backward", form="masculine"),
    ]
    made = {pair.source: pair.target for seed in range(100) for pair in join(pairs, np.random.default_rng(seed))}
    assert made["He lives here and writes letters."] == "They live here and write letters."
    assert made["He who lives here writes letters."] == "They who live here write letters."
    assert made["He, who lives here, writes letters."] == "They, who live here, write letters."


@pytest.mark.parametrize(
    "second",
    [
        Pair("He wrote letters.", "They wrote letters.", strategy="backward", form="masculine"),
        Pair("She writes letters.", "They write letters.", strategy="backward", form="feminine"),
        Pair("He writes letters to her.", "They write letters to them.", strategy="backward", form="mixed"),
        Pair("He writes.", "They write.", strategy="backward", form="masculine", doubtful=((3, 9),)),
    ],
    ids=lambda pair: pair.source,
)
def test_what_is_not_joined(second: Pair) -> None:
    first = Pair("He lives here.", "They live here.", strategy="backward", form="masculine")
    assert not list(join([first, second], np.random.default_rng(0)))


def test_three_short_sentences_become_one() -> None:
    pairs = [
        Pair(f"She {verb} here.", f"They {verb[:-1]} here.", strategy="backward", form="feminine")
        for verb in ("lives", "works", "sings")
    ]
    made = {pair.source: pair.target for seed in range(100) for pair in join(pairs, np.random.default_rng(seed))}
    three = "She lives here, works here, and sings here."
    assert made[three] == "They live here, work here, and sing here."


def test_clauses_with_a_verb_of_their_own_part_two_verbs() -> None:
    pairs = [
        Pair("He runs a bakery.", "They run a bakery.", strategy="backward", form="masculine"),
        Pair("He teaches judo.", "They teach judo.", strategy="backward", form="masculine"),
    ]
    made = {pair.source: pair.target for seed in range(600) for pair in join(pairs, np.random.default_rng(seed))}
    source = "He runs a bakery, which opens at four, and teaches judo."
    assert made[source] == "They run a bakery, which opens at four, and teach judo."


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("We gave him the keys.", "We gave him keys."),
        ("She showed me some pictures of it", "She showed me pictures of it"),
        ("They offered her any help and left.", "They offered her help and left."),
        ("We gave him the key.", None),
        ("We gave him the keys holder.", None),
        ("We gave him the bus.", None),
        ("We saw him the first days.", None),
        ("We gave him the keys, she gave me the maps.", None),
    ],
)
def test_the_article_behind_an_object_goes(text: str, without: str | None) -> None:
    assert without_article(text) == without


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (
            Pair("We gave him the keys.", "We gave them the keys.", strategy="backward", form="masculine"),
            ("We gave her keys.", "We gave them keys."),
        ),
        (
            Pair("He gave her the maps.", "They gave them the maps.", strategy="forward", form="mixed"),
            ("He gave her maps.", "They gave them maps."),
        ),
        (neutral("Tom gave me the maps."), ("Tom gave her maps.", "Tom gave them maps.")),
    ],
    ids=lambda value: value.source if isinstance(value, Pair) else "",
)
def test_bare_nouns_behind_an_object(pair: Pair, expected: tuple[str, str]) -> None:
    assert expected in varied(pair)


def test_another_subject_makes_his_stand_alone_and_her_precede_an_infinitive() -> None:
    pair = Pair("He runs the ferry.", "They run the ferry.", strategy="backward", form="masculine")
    made = dict(varied(pair, tries=3000))
    for pattern, target in [
        (r"A (\w+) of his runs the ferry\.", r"A \1 of theirs runs the ferry."),
        (r"That (\w+) of his (\w+) runs the ferry\.", r"That \1 of their \2 runs the ferry."),
        (r"Two (\w+) of his run the ferry\.", r"Two \1 of theirs run the ferry."),
        (r"We helped her run the ferry\.", "We helped them run the ferry."),
    ]:
        found = [source for source in made if re.fullmatch(pattern, source)]
        assert found
        assert [made[source] for source in found] == [re.sub(pattern, target, source) for source in found]


@given(st.integers(0, 2**32))
def test_frames_give_what_the_candidates_explain(seed: int) -> None:
    rng, language = np.random.default_rng(seed), get_language("en")
    made = [of_his(("runs", "run"), " the ferry", rng)[:2], two_objects("It rains in the old harbour.", rng)]
    for source, target in [pair for pair in made if pair]:
        candidates = language.analyze(source).candidates
        options = match_outcomes(source, target, candidates)
        assert options is not None
        # what the grammar settles is what the frame says
        for candidate, option in zip(candidates, options, strict=True):
            assert candidate.forced in (None, candidate.options[option][0])


def test_verbs_with_one_object_and_with_two_share_their_nouns() -> None:
    made = {two_objects("It rains in the old harbour.", np.random.default_rng(seed)) for seed in range(6000)}
    targets = {pair[1].split(" in the")[0].rstrip(".") for pair in made if pair}
    assert any(target.endswith("bought them flowers") for target in targets)
    assert any(target.endswith("praised their flowers") for target in targets)
    assert two_objects("It rains.", np.random.default_rng(0)) is None
