"""Breaking errors down: how a difference is cut into edits, what they are called, what became of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.edits import OTHER, count_edits, cut_edits
from eval.en.kinds import KINDS, name_kind
from rewriter.errors import MetricError

#: source, target, edits as (before, after, kind)
CUT = [
    ("she knows it", "they know it", [("she", "they", "pronoun, subject"), ("knows", "know", "verb")]),
    ("he or she knows", "they know", [("he or she", "they", "pronoun, subject"), ("knows", "know", "verb")]),
    ("ask him / her", "ask them", [("him / her", "them", "pronoun, object")]),
    ("ask him / herself", "ask themself", [("him / herself", "themself", "pronoun, reflexive")]),
    (
        "the policeman saw her",
        "the police officer saw them",
        [
            ("policeman", "police officer", "noun"),
            ("her", "them", "pronoun, object"),
        ],
    ),
    (
        "an actress and a stewardess",
        "an actor and a flight attendant",
        [
            ("actress", "actor", "noun"),
            ("stewardess", "flight attendant", "noun"),
        ],
    ),
    (
        "a fireman , an anchorman",
        "a firefighter , an anchor",
        [
            ("fireman", "firefighter", "noun"),
            ("anchorman", "anchor", "noun"),
        ],
    ),
    (
        "a congressman , a headmaster",
        "an member of congress , a principal",
        [
            ("a", "an", "article"),
            ("congressman", "member of congress", "noun"),
            ("headmaster", "principal", "noun"),
        ],
    ),
    ("best man for the job", "best person for the job", [("man", "person", "noun")]),
    ("my boss lady left", "my boss left", [("lady", "", "noun")]),
    ("He 's late", "They 're late", [("He", "They", "pronoun, subject"), ("'s", "'re", "contraction of be")]),
    ("he ’ s gone", "they ’ ve gone", [("he", "they", "pronoun, subject"), ("s", "ve", "contraction of have")]),
    ("She isn 't in", "They aren 't in", [("She", "They", "pronoun, subject"), ("isn", "aren", "verb")]),
    ("HIS HAT", "THEIR HAT", [("HIS", "THEIR", "pronoun, possessive")]),
    ("it is hers", "it is theirs", [("hers", "theirs", "pronoun, standalone")]),
    ("she yeets it", "they yeet it", [("she", "they", "pronoun, subject"), ("yeets", "yeet", "verb")]),
    ("they see themself", "they see himself", [("themself", "himself", "pronoun, reflexive")]),
    ("recieve it", "receive it", [("recieve", "receive", OTHER)]),
    ("so it is", "it is", [("so", "", OTHER)]),
    ("it is", "it is so", [("", "so", OTHER)]),
    ("", "all new", [("", "all new", OTHER)]),
    ("all the same", "all the same", []),
]


@pytest.mark.parametrize(("source", "target", "edits"), CUT)
def test_a_difference_is_cut_into_edits(source, target, edits):
    found = cut_edits(tuple(source.split()), tuple(target.split()), name_kind)
    assert [(" ".join(e.before), " ".join(e.after), e.kind) for e in found] == edits


#: source, reference, hypothesis, outcomes as (kind, status)
JUDGED = [
    ("she knows", "they know", "they know", [("pronoun, subject", "done"), ("verb", "done")]),
    ("she knows", "they know", "she knows", [("pronoun, subject", "missed"), ("verb", "missed")]),
    ("she knows", "they know", "they knows", [("pronoun, subject", "done"), ("verb", "missed")]),
    ("I saw her", "I saw them", "I saw their", [("pronoun, object", "wrong")]),
    ("he or she knows", "they know", "they or they know", [("pronoun, subject", "wrong"), ("verb", "done")]),
    ("they say he knows", "they say they know", "they say they know", [("pronoun, subject", "done"), ("verb", "done")]),
    ("the dog barks", "the dog barks", "the dog bark", [("verb", "extra")]),
    ("the dgo barks", "the dgo barks", "the dog barks", [(OTHER, "extra")]),
    ("the dog barks", "the dog barks", "the dog barks .", [(OTHER, "extra")]),
    ("the dog barks", "the dog barks", "barks", [(OTHER, "extra")]),
    ("so she left", "so they left", "they left", [(OTHER, "extra"), ("pronoun, subject", "done")]),
    ("he 's late", "they 're late", "they 've late", [("pronoun, subject", "done"), ("contraction of be", "wrong")]),
    ("he 's late", "they 're late", "they are late", [("pronoun, subject", "done"), ("contraction of be", "wrong")]),
    ("he left", "they left", "", [("pronoun, subject", "wrong")]),
    ("He left", "They left", "they left", [("pronoun, subject", "wrong")]),
    ("a b", "a b", "a b", []),
]


@pytest.mark.parametrize(("source", "reference", "hypothesis", "outcomes"), JUDGED)
def test_every_edit_has_an_outcome(source, reference, hypothesis, outcomes):
    report = count_edits(source=[source], reference=[reference], hypothesis=[hypothesis], tokenizer="none")
    assert sorted((o.kind, o.status) for o in report.outcomes) == sorted(outcomes)


def test_counts_and_copy_damage():
    report = count_edits(
        source=["she knows", "he runs fast", "a cat sat"],
        reference=["they know", "they run fast", "a cat sat"],
        hypothesis=["they know", "they runs quick", "a kat sad"],
    )
    counts = report.counts()
    assert list(counts) == [*KINDS, OTHER]
    assert (counts["pronoun, subject"].expected, counts["pronoun, subject"].done) == (2, 2)
    assert (counts["verb"].done, counts["verb"].missed) == (1, 1)
    assert counts[OTHER].extra == 3
    assert report.damaged_sentences() == 2
    assert {o.status for o in report.failures()} == {"missed", "extra"}


def test_json_of_a_report_holds_no_sentence():
    report = count_edits(source=["she ate plums"], reference=["they ate plums"], hypothesis=["she ate pears"])
    assert "plums" not in str(report.to_dict())


def test_a_language_without_tables_counts_without_kinds():
    report = count_edits(source=["il part"], reference=["iel part"], hypothesis=["il part"], lang="fr")
    assert {name: count.missed for name, count in report.counts().items() if count.expected} == {OTHER: 1}


def test_unequal_lengths_are_refused_with_all_lengths():
    with pytest.raises(MetricError, match="source has 1, hypothesis has 1, reference has 2"):
        count_edits(source=["a"], hypothesis=["a"], reference=["a", "b"])


def test_a_huge_difference_is_one_edit_instead_of_a_huge_table():
    source, target = tuple(f"a{i}" for i in range(300)), tuple(f"b{i}" for i in range(300))
    (edit,) = cut_edits(source, target, name_kind)
    assert (edit.before, edit.after) == (source, target)


tokens = st.lists(st.sampled_from(["he", "she", "they", "or", "knows", "know", "a", "an", "'s"]), max_size=10).map(
    tuple
)


@given(tokens, tokens)
def test_edits_replay(source, target):
    rebuilt, position = (), 0
    for edit in cut_edits(source, target, name_kind):
        assert source[edit.start : edit.end] == edit.before
        assert edit.before != edit.after
        rebuilt += source[position : edit.start] + edit.after
        position = edit.end
    assert rebuilt + source[position:] == target


@given(tokens, tokens, tokens)
def test_outcomes_cover_the_reference_and_only_right_ones_are_done(source, reference, hypothesis):
    def judged(answer):
        texts = {"source": [" ".join(source)], "reference": [" ".join(reference)], "hypothesis": [" ".join(answer)]}
        return count_edits(**texts, tokenizer="none").outcomes

    expected = len(cut_edits(source, reference, name_kind))
    outcomes = judged(hypothesis)
    assert sum(o.status != "extra" for o in outcomes) == expected
    assert all(o.status == "done" for o in outcomes) == (hypothesis == reference)
    assert [o.status for o in judged(source)] == ["missed"] * expected
