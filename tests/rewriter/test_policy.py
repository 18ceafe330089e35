"""Policies: which edits stand, which go together, what is protected, and that a policy only takes edits away."""

from __future__ import annotations

import pickle
import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewriter import Rewriter
from rewriter.errors import UsageError
from rewriter.language.interface import Language, get_language
from rewriter.model.proposer import Proposal, Sentence
from rewriter.pipeline import Options
from rewriter.policy import KINDS, Policy, marked_spans, merge_spans
from rewriter.records import Edit, Rewrite, apply_edits


@cache
def english() -> Language:
    return get_language("en")


class EverythingChanges:
    """A proposer that takes every candidate: the forced outcome, else the first change, of her the possessive."""

    def __init__(self) -> None:
        self.language = english()

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        proposals = []
        for sentence in sentences:
            analysis = self.language.analyze(sentence.text, sentence.protected)
            options = [
                next((i for i, (o, _) in enumerate(c.options) if o == c.forced), -1 if c.kind == "pronoun" else 1)
                for c in analysis.candidates
            ]
            # scores that differ from edit to edit, so that a least confidence has something to choose from
            scores = [0.5 + (7 * c.start % 50) / 100 for c in analysis.candidates]
            proposals.append(Proposal(self.language.settle(sentence.text, analysis, options, scores)))
        return proposals


@cache
def plain() -> Rewriter:
    return Rewriter.from_pretrained("en", threads=1)


def rewriter_with(policy: Policy | None) -> Rewriter:
    """Return a rewriter whose proposer changes everything."""
    base = plain()
    proposer = EverythingChanges()
    return Rewriter(proposer, proposer.language, base.info, folder=base._folder, options=Options(policy=policy))


def apply(text: str, policy: Policy) -> str:
    return rewriter_with(policy).rewrite(text)


# denied word, sentence, result: verbs and clitics follow their own pronoun
FOLLOWING = [
    ("he", "He knows she leaves.", "He knows they leave."),
    ("she", "He knows she leaves.", "They know she leaves."),
    ("he", "He knows and she sleeps.", "He knows and they sleep."),
    ("she", "She's late, and he's gone.", "She's late, and they've gone."),
    ("he", "She's late, and he's gone.", "They're late, and he's gone."),
    ("he", "She often sings, but he never listens.", "They often sing, but he never listens."),
    ("she", "She often sings and dances, but he listens.", "She often sings and dances, but they listen."),
    ("he", "She often sings and dances, but he listens.", "They often sing and dance, but he listens."),
    ("she", "Is she ready, or is he late?", "Is she ready, or are they late?"),
    ("he", "Is she ready, or is he late?", "Are they ready, or is he late?"),
    ("he", "She never sings, nor does he dance.", "They never sing, nor does he dance."),
    ("she", "She never sings, nor does he dance.", "She never sings, nor do they dance."),
    ("he", "If he calls, she answers and leaves.", "If he calls, they answer and leave."),
    ("she", "If he calls, she answers and leaves.", "If they call, she answers and leaves."),
    ("he", "She, not he, knows it.", "They, not he, know it."),
    ("he", "She is taller than he and runs faster.", "They are taller than he and run faster."),
    ("he", "“She knows it,” says he.", "“They know it,” says he."),
    ("she", "“She knows it,” says he.", "“She knows it,” say they."),
    ("she", "She is right, isn't she?", "She is right, isn't she?"),
    ("he", "She is right, isn't she? He is, isn't he?", "They are right, aren't they? He is, isn't he?"),
    ("he", "She, but not he, knows it.", "They, but not he, know it."),
    ("he", "She hopes, like he does, that it stays.", "They hope, like he does, that it stays."),
    ("he", "What she has he wants.", "What they have he wants."),
    ("she", "HE KNOWS SHE HAS IT.", "THEY KNOW SHE HAS IT."),
    ("he", "He **is** sure that <b>she</b> knows.", "He **is** sure that <b>they</b> know."),
]


@pytest.mark.parametrize(("word", "sentence", "result"), FOLLOWING)
def test_verbs_follow_their_pronoun_when_another_is_denied(word: str, sentence: str, result: str) -> None:
    assert apply(sentence, Policy(deny=(word,))) == result


@pytest.mark.parametrize(
    ("policy", "text", "result"),
    [
        (Policy(deny=("her",)), "She knows her stuff.", "They know her stuff."),
        (Policy(deny=("HER", "She")), "She saw her.", "She saw her."),
        (Policy(deny=("he or she",)), "He or she knows; he knows.", "He or she knows; they know."),
        (Policy(deny=("he",)), "He or she knows; he knows.", "They know; he knows."),
        (Policy(deny=("actress",)), "An actress met a chairman’s wife.", "An actress met a chairperson’s wife."),
        (Policy(deny=("chairman",)), "An actress met a chairman’s wife.", "An actor met a chairman’s wife."),
        (Policy(deny_kinds=("noun",)), "The chairman knows her.", "The chairman knows them."),
        (Policy(allow_kinds=("noun",)), "The chairman knows her.", "The chairperson knows her."),
        (Policy(allow=("she",)), "She knows her stuff, he’s sure.", "They know her stuff, he’s sure."),
        (Policy(allow=("she",), allow_kinds=("noun",)), "She saw him and the chairman.",
         "They saw him and the chairperson."),
        (Policy(allow_kinds=("pronoun",)), "She knows the chairman.", "They know the chairman."),
        (Policy(allow=("she", "he"), deny=("he",)), "She left. He left.", "They left. He left."),
        # a verb that may not change keeps its pronoun: never "they knows"
        (Policy(deny_kinds=("verb",)), "She knows, he left.", "She knows, they left."),
        (Policy(deny_kinds=("contraction",)), "She’s here, he left.", "She’s here, they left."),
        (Policy(deny=("knows",)), "She knows and sings, he sings.", "She knows and sings, they sing."),
    ],
)  # fmt: skip
def test_words_and_kinds(policy: Policy, text: str, result: str) -> None:
    assert apply(text, policy) == result


def test_least_confidence_keeps_a_pronoun_whose_verb_is_doubtful() -> None:
    text = "She knows."
    edits = [
        Edit(0, 3, "She", "They", "pronoun", "", 0.99),
        Edit(4, 9, "knows", "know", "verb", "", 0.6),
    ]
    policy = Policy(min_confidence=0.9)
    kept, left = policy.filter(text, edits, english())
    assert kept == []
    assert [(edit.before, reason) for edit, reason in left] == [
        ("She", "a verb that follows it stays"),
        ("knows", "confidence below 0.9"),
    ]
    assert Policy(min_confidence=0.5).filter(text, edits, english())[0] == edits


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("Dr. Maria Chen said she is late.", "Dr. Maria Chen said she is late."),
        ("A doctor should wash her hands.", "A doctor should wash their hands."),
        ("Maria left. She was tired. The shop was closed. Her car is red.",
         "Maria left. She was tired. The shop was closed. Her car is red."),
        ("Maria left. A nurse likes her job. She knows it.", "Maria left. A nurse likes their job. They know it."),
        ("Maria left.\n\nShe was tired.", "Maria left.\n\nThey were tired."),
        ("Maria left. The chairman came.", "Maria left. The chairperson came."),
    ],
)  # fmt: skip
def test_scope_generic_leaves_named_persons_alone(text: str, result: str) -> None:
    assert apply(text, Policy(scope="generic")) == result


MARKED = """\
She left.
<!-- gender-fair: off -->
She left.
<!-- gender-fair: on -->
She left.
name = "he"  # gender-fair: ignore
He left.  // gender-fair: ignore
% gender-fair:off
He left.
% gender-fair:on
Write gender-fair: off and he is out.
"""
UNMARKED = """\
They left.
<!-- gender-fair: off -->
She left.
<!-- gender-fair: on -->
They left.
name = "he"  # gender-fair: ignore
He left.  // gender-fair: ignore
% gender-fair:off
He left.
% gender-fair:on
Write gender-fair: off and they are out.
"""


def test_marks_in_comments() -> None:
    assert apply(MARKED, Policy(marks=True)) == UNMARKED
    assert "ignore\nThey left." in apply(MARKED, Policy())


@pytest.mark.parametrize("opener", ["<!--", "#", "//", "/*", "%", ";", "--", "..", "{#", "(*"])
def test_a_mark_stands_in_any_comment_and_lasts_to_the_end(opener: str) -> None:
    text = f"a\n{opener} gender-fair: off\nb"
    assert marked_spans(text) == [(2, len(text))]


@pytest.mark.parametrize(
    "text", ["gender-fair: off", "our gender-fair: off switch", "# gender-fair: office", "# gender-fair off"]
)
def test_prose_about_marks_is_no_mark(text: str) -> None:
    assert marked_spans(text) == []


def test_protected_by_regular_expressions() -> None:
    policy = Policy(protect=(r"^>.*$", r"\[\[.*?\]\]"))
    assert apply("> She left.\nShe saw [[her]] and him.", policy) == "> She left.\nThey saw [[her]] and them."


def test_a_protected_half_protects_the_whole_edit() -> None:
    assert apply("He or she left.", Policy(protect=("she",))) == "He or she left."


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deny_kinds": ("verbs",)}, "did you mean 'verb'"),
        ({"scope": "named"}, "scope must be one of all, generic"),
        ({"protect": ("(",)}, "is no regular expression"),
        ({"min_confidence": 1.5}, "from 0 to 1"),
    ],
)
def test_mistakes_are_told(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        Policy(**options)  # type: ignore[arg-type]


def test_identity_names_what_differs_from_the_default() -> None:
    policy = Policy(deny=("She", "he"), min_confidence=0.5)
    assert policy.identity() == {"deny": ["he", "she"], "min_confidence": 0.5}
    assert Policy().identity() == {} and Policy().idle and not policy.idle
    assert pickle.loads(pickle.dumps(policy)) == policy
    assert {policy: 1}[Policy(deny=("he", "she", "HE"), min_confidence=0.5)] == 1


def test_a_rewriter_keeps_its_policy_in_another_process() -> None:
    rewriter = Rewriter.from_pretrained("en", threads=1, policy=Policy(deny=("she",)))
    again = pickle.loads(pickle.dumps(rewriter))
    result = again.rewrite("She knows her stuff.", return_edits=True)
    assert result.text == "She knows their stuff."
    assert [(edit.before, reason) for edit, reason in result.left] == [
        ("She", "denied word 'she'"),
        ("knows", "follows a pronoun that stays"),
    ]


def test_verbs_follow_on_the_way_back_too() -> None:
    edits = [
        Edit(0, 4, "They", "She", "pronoun", ""),
        Edit(5, 9, "know", "knows", "verb", ""),
        Edit(13, 16, "are", "is", "verb", ""),
        Edit(17, 21, "they", "he", "pronoun", ""),
    ]
    kept, _ = Policy(protect=("They",)).keep("They know so are they.", edits, protected=[(0, 4)])
    assert [edit.after for edit in kept] == ["is", "he"]


def test_a_language_without_rules_knows_lists_but_no_names() -> None:
    edits = [Edit(0, 3, "Sie", "Es", "pronoun", "")]
    assert Policy(deny=("sie",)).keep("Sie ging.", edits, language="xx")[0] == []
    assert Policy(deny=("er",)).keep("Sie ging.", edits, language="xx")[0] == edits
    with pytest.raises(UsageError, match="for the language 'xx' there is no heuristic for the names of persons"):
        Policy(scope="generic").skips("Sie ging.", "xx")


WORDS = ["he", "she", "him", "her", "his", "knows", "is", "'s", "the chairman", "an actress", "he or she"]
PIECES = [
    *WORDS, "She", "He's", "Maria", "Dr. Chen", "and", "not", "than", "who", "does", "a doctor", "says", "has", "sings",
    ",", ".", "?", ". ", "\n\n", "“", "”", "# gender-fair: ignore\n", "<!-- gender-fair: off -->",
    "<!-- gender-fair: on -->", "\U0001f600", "isn't", "SHE",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join)
POLICIES = st.builds(
    Policy,
    allow=st.lists(st.sampled_from(WORDS), max_size=3).map(tuple),
    deny=st.lists(st.sampled_from(WORDS), max_size=3).map(tuple),
    allow_kinds=st.lists(st.sampled_from(KINDS), max_size=2).map(tuple),
    deny_kinds=st.lists(st.sampled_from(KINDS), max_size=2).map(tuple),
    min_confidence=st.sampled_from([0.0, 0.6, 0.8, 1.0]),
    scope=st.sampled_from(["all", "generic"]),
    protect=st.lists(st.sampled_from(["he", "s", r"\w+ \w+", "^.*$", ""]), max_size=2).map(tuple),
    marks=st.booleans(),
)


def rewritten(text: str, policy: Policy | None) -> Rewrite:
    return rewriter_with(policy).rewrite(text, return_edits=True)


@settings(max_examples=150, deadline=None)
@given(text=TEXTS, policy=POLICIES)
def test_a_policy_only_takes_edits_away(text: str, policy: Policy) -> None:
    without, result = rewritten(text, None), rewritten(text, policy)
    assert set(result.edits) <= set(without.edits)
    assert sorted([*result.edits, *(edit for edit, _ in result.left)], key=lambda e: e.start) == sorted(
        without.edits, key=lambda e: e.start
    )
    assert apply_edits(text, result.edits) == result.text
    denied = {word.casefold() for word in policy.deny}
    assert not [edit for edit in result.edits if edit.before.casefold() in denied]
    assert not [edit for edit in result.edits if edit.kind in policy.deny_kinds]
    assert all(edit.score >= policy.min_confidence for edit in result.edits)


@settings(max_examples=150, deadline=None)
@given(text=TEXTS, policy=POLICIES)
def test_no_verb_changes_in_a_text_whose_subject_pronouns_stay(text: str, policy: Policy) -> None:
    result = rewritten(text, policy)
    pronouns = {"he", "she", "he or she", "him", "her"}
    if not any(edit.before.casefold() in pronouns for edit in result.edits):
        # a verb that has no pronoun in its sentence cannot come about
        assert not [edit for edit in result.edits if edit.kind in ("verb", "contraction")]


@given(spans=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=8))
def test_merged_spans_cover_the_same_and_do_not_touch(spans: list[tuple[int, int]]) -> None:
    merged = merge_spans(spans)
    assert {i for a, b in merged for i in range(a, b)} == {i for a, b in spans for i in range(a, b)}
    assert all(first[1] < second[0] for first, second in pairwise(merged))
