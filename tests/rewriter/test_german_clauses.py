"""What the rest of a clause or sentence tells about German persons and pronouns."""

import pytest

from rewriter.de.agreement import agree
from rewriter.de.drafts import CASE, KEEP, SINGULAR
from rewriter.language.interface import get_language

GERMAN = get_language("de")

#: sentence, its article, what it may become: a clause has one subject
ARTICLES = [
    ("Man kennt die Ärztin.", "die", ["den*die"]),
    ("Gestern traf ich eine Lehrerin.", "eine", ["eine*n"]),
    ("Der Verein ehrt die Trainerin.", "die", ["den*die"]),
    ("Ich bin die Ärztin.", "die", ["der*die", "den*die"]),
    ("Ich ging, und die Ärztin blieb.", "die", ["der*die", "den*die"]),
]
#: no persons
NOBODY = [
    "Im Theater läuft »Die Physiker« von Dürrenmatt.",
    "Dichter Nebel lag über dem See.",
    "Eine Leiter fehlt.",
    "Die Leiter lehnte an der Wand.",
    "Der Träger aus Stahl hält.",
    "Familie Kaiser wohnt hier.",
]


@pytest.mark.parametrize(("text", "word", "fair"), ARTICLES)
def test_a_clause_has_one_subject(text, word, fair):
    found = [c for c in GERMAN.analyze(text).candidates if text[c.start : c.end] == word and c.kind == "article"]
    assert [after for _, after in found[0].options[1:]] == fair


#: a person although the neighbourhood looks like that of a thing, an adjective
SOMEBODY = [
    "Die Bewerber hat der Chef eingeladen.",
    "Bundeskanzler Kohl reist nach Rom.",
    "Der Händler aus Stein am Rhein kam.",
]


@pytest.mark.parametrize("text", SOMEBODY)
def test_certain_persons_stay_persons(text):
    assert [c for c in GERMAN.analyze(text).candidates if c.kind == "noun"]


@pytest.mark.parametrize("text", NOBODY)
def test_titles_of_works_and_adjectives_are_no_persons(text):
    assert not [c for c in GERMAN.analyze(text).candidates if c.kind == "noun"]


#: text, how probable the model finds staying, whether the pronoun follows the starred teacher
PRONOUNS = [
    ("Der Lehrer sagt, dass er singt.", "er", 0.8, True),
    ("Der Lehrer sagt, dass er singt.", "er", 0.9999, False),
    ("Die Lehrerin sagt, dass sie singt.", "sie", 0.8, True),
    # somebody whom the sentence does not name
    ("Der Lehrer sagt, dass sie singt.", "sie", 0.8, True),
    ("Sie singt.", "Sie", 0.8, True),
    # somebody with a name, something, several
    ("Der Lehrer sagt, dass Anna singt, weil sie fröhlich ist.", "sie", 0.6, False),
    ("Der Lehrer kauft die Lampe, weil sie leuchtet.", "sie", 0.6, False),
    ("Der Lehrer sagt, dass sie singen.", "sie", 0.6, False),
]


@pytest.mark.parametrize(("text", "word", "stays", "follows"), PRONOUNS)
def test_a_pronoun_follows_a_person_of_its_gender_unless_that_is_unlikely(text, word, stays, follows):
    analysis = GERMAN.analyze(text)
    place = next(i for i, c in enumerate(analysis.candidates) if text[c.start : c.end] == word)
    options = [next((i for i, (o, _) in enumerate(c.options) if o in (SINGULAR, CASE)), 0) for c in analysis.candidates]
    options[place] = 0
    rows = [[0.0] * 13 for _ in options]
    for row, candidate in zip(rows, analysis.candidates, strict=True):
        row[SINGULAR if candidate.kind == "noun" else CASE] = 1.0
    rows[place] = [stays, 0, 0, 1 - stays] + [0.0] * 9
    assert (agree(analysis, options, rows)[place] != KEEP) == follows
