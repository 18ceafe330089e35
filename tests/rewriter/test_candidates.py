"""Which words may change and into what, as cases: ``kind:before>after/after``; ``!`` where grammar decides."""

from __future__ import annotations

import pytest

from rewriter.en.breaks import fit_gaps, keep_break
from rewriter.en.language import English, make
from rewriter.language.candidates import Candidate

ENGLISH = make()

CASES = {
    "He knows it.": ["pronoun!He>They", "verb!knows>know"],
    "Today HE knows it.": ["pronoun:HE>THEY", "verb!knows>know"],
    "We saw him.": ["pronoun!him>them"],
    "I like her.": ["pronoun!her>them/their"],
    "I like his.": ["pronoun!his>their/theirs"],
    "It is hers.": ["pronoun!hers>theirs"],
    "He hurt himself.": ["pronoun!He>They", "pronoun!himself>themself"],
    "So she's here.": ["pronoun!she>they", "contraction:'s>'re/'ve"],
    "So she’S here.": ["pronoun!she>they", "contraction:’S>’RE/’VE"],
    "He or she reads.": ["pronoun!He or she>They", "verb!reads>read"],
    "(S)he reads.": ["pronoun!(S)he>They", "verb!reads>read"],
    "I met him/her.": ["pronoun!him/her>them"],
    "See an actress.": ["noun!an actress>an actor"],
    "See a policeman.": ["noun!a policeman>a police officer"],
    "the policemen's car": ["noun!policemen's>police officers'"],
    "See Chairman Lee.": ["noun:Chairman>Chairperson"],
    "man-made": ["noun!man-made>human-made"],
    # who else is there decides the verb, and only a sentence with he or she has open verbs
    "When he left, the dog barks.": ["pronoun!he>they", "verb:barks>bark"],
    "The dog barks at him.": ["pronoun!him>them"],
    "They know her dog barks.": ["pronoun:her>them/their"],
    # not pronouns
    "Professor He left.": [],
    "the bundle of His": [],
    "He gas is light.": [],
    "a she-wolf": [],
    "wie her ist": [],
    "the, there, hear, this": [],
    "`he` and https://he.example": [],
    "man, woman, Mrs Lee, king": [],
    # ſ is no s for the tables, whatever the pattern says
    "the ſteward or hım or her": ["pronoun!her>them/their"],
}


def show(candidate: Candidate) -> str:
    (_, before), *others = candidate.options
    return (
        f"{candidate.kind}{':' if candidate.forced is None else '!'}{before}>{'/'.join(after for _, after in others)}"
    )


@pytest.mark.parametrize(("text", "expected"), CASES.items(), ids=CASES.keys())
def test_candidates(text: str, expected: list[str]) -> None:
    from rewriter.policy.protect import protected_spans

    assert [show(c) for c in ENGLISH.analyze(text, protected_spans(text)).candidates] == expected


def test_training_leaves_every_candidate_open() -> None:
    analysis = ENGLISH.analyze("He knows an actress.", training=True)
    assert len(analysis.open) == len(analysis.candidates) == 3


def test_a_protected_span_holds_no_candidate() -> None:
    assert ENGLISH.analyze("he said he left", [(0, 2)]).candidates[0].start == 8


def test_reflexive_is_a_setting() -> None:
    other: English = make(reflexive="themselves")
    assert show(other.analyze("to himself").candidates[0]) == "pronoun!himself>themselves"


def test_own_nouns() -> None:
    own = make(
        extra_nouns=[{"gendered": "Fisherman", "fair": "fisher"}, {"gendered": "night watchman", "fair": "guard"}]
    )
    assert show(own.analyze("a fisherman").candidates[0]) == "noun!a fisherman>a fisher"
    assert own.gate("the night  Watchman") and not ENGLISH.gate("the night watchman")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("said he or\nshe did", "said\nthey did"),
        ("He or\nshe did", "They\ndid"),
        ("he or\r\n  she did", "they\r\n  did"),
        ("a cleaning\nlady", "a cleaning\nlady"),
        ("the best  man\nfor the job", "the best  person\nfor the job"),
        ("an\nactress", "an\nactor"),
    ],
)
def test_a_line_break_inside_a_phrase_stays(text: str, expected: str) -> None:
    analysis = ENGLISH.analyze(text)
    edits = ENGLISH.settle(
        text, analysis, [len(c.options) - 1 for c in analysis.candidates], [1.0] * len(analysis.candidates)
    )
    for edit in reversed(edits):
        text = text[: edit.start] + edit.after + text[edit.end :]
    assert text == expected


def test_breaks() -> None:
    assert fit_gaps("man\nand  wife", "husband and wife") == "husband\nand  wife"
    assert fit_gaps("stewardess", "flight attendant") == "flight attendant"
    assert keep_break("x he\nor\nshe y", 2, 11, "they") is None
