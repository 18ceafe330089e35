"""Our view of a parse: two label schemes give the same answers."""

from __future__ import annotations

import pytest

from augment.dependency import (
    Parse,
    Parser,
    Relation,
    adapt,
    detect_scheme,
    from_doc,
    load_parser,
    mask_markup,
    wrap_pipeline,
)
from rewriter.errors import ParserError, UsageError

spacy = pytest.importorskip("spacy")

UD, CLEAR = "universal-dependencies", "clear"

# One line per word: word, tag, universal tag, head (counted from 1, 0 for the root), label.
SHE_IS_DRIVING_UD = """
She PRP PRON 3 nsubj
is VBZ AUX 3 aux
driving VBG VERB 0 ROOT
home RB ADV 3 advmod
"""
SHE_IS_DRIVING_CLEAR = SHE_IS_DRIVING_UD
SHE_IS_A_PILOT_UD = """
She PRP PRON 4 nsubj
is VBZ AUX 4 cop
a DT DET 4 det
pilot NN NOUN 0 ROOT
"""
SHE_IS_A_PILOT_CLEAR = """
She PRP PRON 2 nsubj
is VBZ AUX 0 ROOT
a DT DET 4 det
pilot NN NOUN 2 attr
"""
HE_SINGS_DANCES_SLEEPS_UD = """
He PRP PRON 2 nsubj
sings VBZ VERB 0 ROOT
, , PUNCT 4 punct
dances VBZ VERB 2 conj
and CC CCONJ 6 cc
sleeps VBZ VERB 2 conj
"""
HE_SINGS_DANCES_SLEEPS_CLEAR = """
He PRP PRON 2 nsubj
sings VBZ VERB 0 ROOT
, , PUNCT 2 punct
dances VBZ VERB 2 conj
and CC CCONJ 4 cc
sleeps VBZ VERB 4 conj
"""
HE_WHO_WAITS_WINS_UD = """
He PRP PRON 4 nsubj
who WP PRON 3 nsubj
waits VBZ VERB 1 acl:relcl
wins VBZ VERB 0 ROOT
"""
HE_WHO_WAITS_WINS_CLEAR = """
He PRP PRON 4 nsubj
who WP PRON 3 nsubj
waits VBZ VERB 1 relcl
wins VBZ VERB 0 ROOT
"""
SHE_WAS_SEEN_UD = """
She PRP PRON 3 nsubj:pass
was VBD AUX 3 aux:pass
seen VBN VERB 0 ROOT
"""
SHE_WAS_SEEN_CLEAR = """
She PRP PRON 3 nsubjpass
was VBD AUX 3 auxpass
seen VBN VERB 0 ROOT
"""


def make(table: str, scheme: str) -> Parse:
    """Build a parse from a table through a spaCy Doc, as a pipeline would."""
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

    rows = [line.split() for line in table.strip().splitlines()]
    heads = [int(row[3]) - 1 if row[3] != "0" else i for i, row in enumerate(rows)]
    doc = Doc(
        Vocab(),
        words=[row[0] for row in rows],
        tags=[row[1] for row in rows],
        pos=[row[2] for row in rows],
        heads=heads,
        deps=[row[4] for row in rows],
    )
    return from_doc(doc, scheme)


@pytest.mark.parametrize(
    ("table", "scheme", "verb", "subject"),
    [
        pytest.param(SHE_IS_DRIVING_UD, UD, 1, 0, id="auxiliary"),
        pytest.param(SHE_IS_DRIVING_CLEAR, CLEAR, 1, 0, id="auxiliary-clear"),
        pytest.param(SHE_IS_A_PILOT_UD, UD, 1, 0, id="copula"),
        pytest.param(SHE_IS_A_PILOT_CLEAR, CLEAR, 1, 0, id="copula-clear"),
        pytest.param(HE_SINGS_DANCES_SLEEPS_UD, UD, 5, 0, id="coordination"),
        pytest.param(HE_SINGS_DANCES_SLEEPS_CLEAR, CLEAR, 5, 0, id="coordination-chained-clear"),
        pytest.param(HE_WHO_WAITS_WINS_UD, UD, 2, 0, id="relative-clause"),
        pytest.param(HE_WHO_WAITS_WINS_CLEAR, CLEAR, 2, 0, id="relative-clause-clear"),
        pytest.param(HE_WHO_WAITS_WINS_UD, UD, 3, 0, id="main-verb-after-relative-clause"),
        pytest.param(SHE_WAS_SEEN_UD, UD, 1, 0, id="passive"),
        pytest.param(SHE_WAS_SEEN_CLEAR, CLEAR, 1, 0, id="passive-clear"),
    ],
)
def test_subject_of_a_finite_form_is_found_in_both_schemes(table: str, scheme: str, verb: int, subject: int) -> None:
    assert make(table, scheme).subject_of(verb) == subject


@pytest.mark.parametrize(("table", "scheme"), [(HE_SINGS_DANCES_SLEEPS_UD, UD), (HE_SINGS_DANCES_SLEEPS_CLEAR, CLEAR)])
def test_all_verbs_of_a_subject_and_all_conjuncts(table: str, scheme: str) -> None:
    parse = make(table, scheme)
    assert parse.verbs_of(0) == [1, 3, 5]
    assert parse.conjuncts(1) == [3, 5]


@pytest.mark.parametrize(("table", "scheme"), [(SHE_IS_A_PILOT_UD, UD), (SHE_IS_A_PILOT_CLEAR, CLEAR)])
def test_copula_of_a_predicate_noun(table: str, scheme: str) -> None:
    assert make(table, scheme).copulas(3) == [1]


@pytest.mark.parametrize(("table", "scheme"), [(HE_WHO_WAITS_WINS_UD, UD), (HE_WHO_WAITS_WINS_CLEAR, CLEAR)])
def test_relative_clauses(table: str, scheme: str) -> None:
    assert make(table, scheme).relative_clauses(0) == [2]


@pytest.mark.parametrize(
    ("scheme", "label", "relation"),
    [
        (UD, "nsubj:pass", Relation.SUBJECT),
        (UD, "nmod:poss", Relation.POSSESSIVE),
        (UD, "nmod", Relation.OBLIQUE),
        (UD, "obl:tmod", Relation.OBLIQUE),
        (UD, "acl:relcl", Relation.RELATIVE_CLAUSE),
        (UD, "aux:pass", Relation.PASSIVE_AUXILIARY),
        (UD, "dobj", Relation.OTHER),
        (CLEAR, "dobj", Relation.OBJECT),
        (CLEAR, "pobj", Relation.OBLIQUE),
        (CLEAR, "poss", Relation.POSSESSIVE),
        (CLEAR, "auxpass", Relation.PASSIVE_AUXILIARY),
        (CLEAR, "attr", Relation.ATTRIBUTE),
        (CLEAR, "cop", Relation.OTHER),
    ],
)
def test_labels_become_relations(scheme: str, label: str, relation: Relation) -> None:
    assert adapt(label, scheme) is relation


def test_an_unknown_scheme_is_named() -> None:
    with pytest.raises(UsageError, match="stanford"):
        adapt("nsubj", "stanford")


@pytest.mark.parametrize(
    ("labels", "scheme"),
    [
        (("ROOT", "nsubj", "obj", "obl", "case", "cop", "conj", "aux:pass"), UD),
        (("ROOT", "nsubj", "dobj", "pobj", "prep", "attr", "conj", "auxpass"), CLEAR),
        (("ROOT", "sb", "oa", "mo", "nk"), None),
        ((), None),
    ],
)
def test_the_scheme_is_told_by_the_labels(labels: tuple[str, ...], scheme: str | None) -> None:
    assert detect_scheme(labels) == scheme


def pipeline_with(*labels: str) -> object:
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    nlp.add_pipe("trainable_lemmatizer")
    parser = nlp.add_pipe("parser")
    for label in labels:
        parser.add_label(label)
    return nlp


def test_a_pipeline_with_known_labels_is_taken() -> None:
    parser = wrap_pipeline(pipeline_with("nsubj", "dobj", "pobj", "prep", "attr", "conj"), "own")
    assert isinstance(parser, Parser)
    assert parser.scheme == CLEAR


def test_a_pipeline_whose_labels_fit_no_scheme_is_refused_by_name() -> None:
    with pytest.raises(ParserError, match=r"de_other.*sb"):
        wrap_pipeline(pipeline_with("sb", "oa"), "de_other")


def test_a_pipeline_without_a_parser_is_refused_by_name() -> None:
    with pytest.raises(ParserError, match=r"blank_en.*no tagger and no lemmatizer and no parser"):
        wrap_pipeline(spacy.blank("en"), "blank_en")


def test_a_missing_pipeline_says_what_to_pass() -> None:
    with pytest.raises(ParserError, match=r"no_such_pipeline.*--parser.*train parser"):
        load_parser("no_such_pipeline")


def test_words_are_found_by_offset() -> None:
    parse = make(SHE_IS_A_PILOT_UD, UD)
    assert parse.text == "She is a pilot "
    assert [parse.at(offset) for offset in (0, 2, 3, 4, 9, 99)] == [0, 0, None, 1, 3, None]


def test_white_space_tokens_are_no_words() -> None:
    doc = spacy.blank("en")("She   runs.")
    parse = from_doc(doc, UD)
    assert [t.text for t in parse.tokens] == ["She", "runs", "."]
    assert [parse.text[t.start : t.end] for t in parse.tokens] == ["She", "runs", "."]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("<b>She</b> waits", "   She     waits"),
        ("I meant *her*, not you", "I meant  her , not you"),
        ("that was _his_ idea", "that was  his  idea"),
        ("she’s here", "she's here"),
        ("2 * 3 < 4", "2 * 3 < 4"),
        ("snake_case stays", "snake_case stays"),
        ("‘yes’ he said", "‘yes’ he said"),
    ],
)
def test_markup_is_masked_without_moving_anything(text: str, masked: str) -> None:
    assert mask_markup(text) == masked
    assert len(mask_markup(text)) == len(text)
