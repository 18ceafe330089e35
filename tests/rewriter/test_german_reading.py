"""What the rules of preference say about a German sentence: what pronouns mean, and the case of a feminine."""

import pytest

from rewriter.de.language import make
from rewriter.de.phrases import Sentence
from rewriter.de.turning.read import read_sentence

GERMAN = make()
#: the sentence before
NOTHING = ""

#: text, the sentence before, pronouns and what they mean ("" for a person whom the sentence does not name)
MEANINGS = [
    ("Der Lehrer sagt, dass er singt.", NOTHING, {"er": "Lehrer"}),
    ("Die Ärztin nahm ihren Koffer und ging, weil man sie rief.", NOTHING, {"ihren": "Ärztin", "sie": "Ärztin"}),
    ("Obwohl sie spät kam, blieb die Ärztin gelassen.", NOTHING, {"sie": "Ärztin"}),
    ("Der Leiter des Unternehmens, der gestern kam, schweigt.", NOTHING, {"der": "Leiter"}),
    ("Jeder kennt seine Grenzen.", NOTHING, {"seine": "Jeder"}),
    ("Derjenige, der gewinnt, singt.", NOTHING, {"Derjenige": "", "der": "Derjenige"}),
    # things, several, a polite address
    ("Der Tisch wackelt, weil er alt ist.", NOTHING, {}),
    ("Die Lehrer sagen, dass sie singen.", NOTHING, {}),
    ("Haben Sie Ihren Koffer?", NOTHING, {}),
    ("Das Kind sucht seine Berge, denn es braucht sie.", NOTHING, {}),
    ("Man kennt seine Grenzen.", NOTHING, {}),
    # nobody of the sentence
    ("Er kam spät, und ich half ihm.", NOTHING, {"Er": "", "ihm": "Er"}),
    ("Er fuhr los.", "Der Zug war alt.", {}),
    ("Er fuhr los.", "Der Fahrer war alt.", {"Er": ""}),
]


@pytest.mark.parametrize(("text", "before", "meanings"), MEANINGS)
def test_what_pronouns_mean(text, before, meanings):
    sentence = Sentence(text, GERMAN.lexicon, ())
    links = {
        i: link
        for i, link in read_sentence(text, before=(before,) if before else ()).links.items()
        if not link.doubtful
    }
    found = {sentence.surface(i): "" if link.root == i else sentence.surface(link.root) for i, link in links.items()}
    assert found == meanings


#: nothing explains these, but their predicates, a name, or the number left open speak against a person
DOUBTFUL = ["Er wurde 1890 errichtet.", "Robin mag ihre Ruhe.", "Wir sahen sie."]


@pytest.mark.parametrize("text", DOUBTFUL)
def test_what_nothing_explains_may_be_no_person(text):
    links = read_sentence(text).links
    assert links and all(link.doubtful for link in links.values())
    assert not [c for c in GERMAN.analyze(text).candidates if c.hint > 0]


#: text, the case in which its feminine is read (0 to 3)
CASES = [
    ("Die Ärztin singt.", 0),
    ("Das Publikum feierte die Ärztin.", 1),
    ("Man gratulierte der Ärztin.", 2),
    ("Das Auto der Ärztin stand da.", 3),
]


@pytest.mark.parametrize(("text", "case"), CASES)
def test_case_of_a_feminine(text, case):
    assert [found for _, found in read_sentence(text).heads.values()] == [case]


#: text, its words as the rules alone would write them
HINTS = [
    ("Man gab das Heft der Ärztin.", ["dem*der"]),
    ("Er nahm ihren Koffer.", ["Er*sie", "seinen*ihren"]),
    ("Derjenige, der gewinnt, singt.", ["Der*diejenige", "der*die"]),
    ("Wir suchen diejenige, die das weiß.", ["denjenigen*diejenige", "der*die"]),
]


@pytest.mark.parametrize(("text", "words"), HINTS)
def test_hints(text, words):
    candidates = GERMAN.analyze(text).candidates
    assert [dict(c.options)[c.hint] for c in candidates if c.hint >= 0 and c.kind != "noun"] == words
