"""Breaking German errors down: gender-fair words are one word each, and are named by what they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.de.kinds import ADJECTIVE, COMPOUND, DETERMINER, KINDS, NOUN, cut, name_kind
from eval.edits import OTHER, count_edits, cut_edits

#: source, target, edits as (before, after, kind)
CUT = [
    (
        "Der Imker kam.",
        "Der*die Imker*in kam.",
        [("Der", "Der*die", DETERMINER), ("Imker", "Imker*in", NOUN)],
    ),
    ("die Imkerinnen", "die Imker*innen", [("Imkerinnen", "Imker*innen", NOUN)]),
    ("die Ärzte", "die Ärzt:innen", [("Ärzte", "Ärzt:innen", NOUN)]),
    ("die Bauern", "die BäuerInnen", [("Bauern", "BäuerInnen", NOUN)]),
    ("die Köche", "die Köch_innen", [("Köche", "Köch_innen", NOUN)]),
    ("Schüler", "Schüler/-innen", [("Schüler", "Schüler/-innen", NOUN)]),
    ("Die Kundendaten fehlen", "Die Kund*innendaten fehlen", [("Kundendaten", "Kund*innendaten", COMPOUND)]),
    (
        "ein neuer Angestellter",
        "ein*e neue*r Angestellte*r",
        [("ein", "ein*e", DETERMINER), ("neuer", "neue*r", ADJECTIVE), ("Angestellter", "Angestellte*r", NOUN)],
    ),
    ("er liebt ihn", "er*sie liebt ihn*sie", [("er", "er*sie", DETERMINER), ("ihn", "ihn*sie", DETERMINER)]),
    ("seinen Hut", "seinen*ihren Hut", [("seinen", "seinen*ihren", DETERMINER)]),
    ("ihren Imker", "seine*ihre*n Imker*in", [("ihren", "seine*ihre*n", DETERMINER), ("Imker", "Imker*in", NOUN)]),
    ("vom Imker", "vom*von der Imker*in", [("vom", "vom*von der", DETERMINER), ("Imker", "Imker*in", NOUN)]),
    ("von der Imkerin", "vom*von der Imker*in", [("von", "vom*von", DETERMINER), ("Imkerin", "Imker*in", NOUN)]),
    ("zur Imkerin", "zum*zur Imker*in", [("zur", "zum*zur", DETERMINER), ("Imkerin", "Imker*in", NOUN)]),
    ("Jede weiß es", "Jede*r weiß es", [("Jede", "Jede*r", DETERMINER)]),
    ("Imkerinnen und Imker", "Imker*innen", [("Imkerinnen und Imker", "Imker*innen", NOUN)]),
    (
        "die Imkerin oder der Imker",
        "der*die Imker*in",
        [("die", "der*die", DETERMINER), ("Imkerin oder der Imker", "Imker*in", NOUN)],
    ),
    ("der Imkerin", "der*die Imker*in", [("der", "der*die", DETERMINER), ("Imkerin", "Imker*in", NOUN)]),
    # backwards, as on the way back
    ("Der*die Imker*in", "Die Imkerin", [("Der*die", "Die", DETERMINER), ("Imker*in", "Imkerin", NOUN)]),
    # nothing of these is a gender-fair form
    ("Der Imker", "Die Imkerin", [("Der", "Die", OTHER), ("Imker", "Imkerin", OTHER)]),
    ("SPD und CDU", "SPD/CDU", [("SPD und CDU", "SPD/CDU", OTHER)]),
    ("ein Tier", "ein Imker*in", [("Tier", "Imker*in", OTHER)]),
    ("so Imker", "Imker*in", [("so", "", OTHER), ("Imker", "Imker*in", NOUN)]),
]


@pytest.mark.parametrize(("source", "target", "edits"), CUT, ids=[target for _, target, _ in CUT])
def test_a_difference_is_cut_into_edits(source, target, edits):
    found = cut_edits(cut(source), cut(target), name_kind)
    assert [(" ".join(e.before), " ".join(e.after), e.kind) for e in found] == edits


#: source, reference, hypothesis, outcomes as (kind, status)
JUDGED = [
    ("der Imker", "der*die Imker*in", "der Imker*in", [(DETERMINER, "missed"), (NOUN, "done")]),
    ("des Imkers", "des*der Imker*in", "der*die Imker*in", [(DETERMINER, "wrong"), (NOUN, "done")]),
    ("die Imker", "die Imker*innen", "die Imker*in", [(NOUN, "wrong")]),
    ("der Tisch", "der Tisch", "der*die Tisch", [(DETERMINER, "extra")]),
    ("die Gäste", "die Gäste", "die Gäst*innen", [(NOUN, "extra")]),
    ("der rote Tisch", "der rote Tisch", "der rot Tisch", [(OTHER, "extra")]),
]


@pytest.mark.parametrize(("source", "reference", "hypothesis", "outcomes"), JUDGED)
def test_every_edit_has_an_outcome(source, reference, hypothesis, outcomes):
    # the tokenizer, which would cut at the star, has no say
    report = count_edits(
        source=[source], reference=[reference], hypothesis=[hypothesis], lang="de", tokenizer="moses-en"
    )
    assert report.kinds == (*KINDS, OTHER)
    assert sorted((o.kind, o.status) for o in report.outcomes) == sorted(outcomes)


WORDS = [
    "der",
    "der*die",
    "Imker",
    "Imker*in",
    "Imkerin",
    "und",
    "vom",
    "vom*von",
    "neue",
    "neue*r",
    "Tisch",
    ".",
    "ein:e",
]


@given(st.lists(st.sampled_from(WORDS), max_size=8).map(tuple), st.lists(st.sampled_from(WORDS), max_size=8).map(tuple))
def test_edits_replay(source, target):
    rebuilt, position = (), 0
    for edit in cut_edits(source, target, name_kind):
        assert source[edit.start : edit.end] == edit.before != edit.after
        rebuilt += source[position : edit.start] + edit.after
        position = edit.end
    assert rebuilt + source[position:] == target
