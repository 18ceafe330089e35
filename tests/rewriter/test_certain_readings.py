"""Readings that the grammar settles alone, and words that are no candidates at all."""

from __future__ import annotations

import pytest

from rewriter.en.candidates import CHANGE, HAS, IS, KEEP, OBJECT, POSSESSIVE, STANDALONE, analyze
from rewriter.en.lexicon import EnglishLexicon

LEXICON = EnglishLexicon.load()

#: sentence, whether 's is certainly "has"; None: the model has to decide
CLITICS = [
    ("He's been away.", HAS),
    ("She's never been late.", HAS),
    ("he’s got a plan", HAS),
    ("She's gone home.", HAS),
    ("She's borrowed the lawnmower.", HAS),
    ("He's baked a cake.", HAS),
    ("I'm sure she's taken the map.", HAS),
    ("He's tired.", IS),
    ("He's arrived.", HAS),
    ("She's not impressed by it.", IS),
    ("She's never bothered.", None),
    ("He's known her since school.", HAS),
    ("He's known as the fox.", IS),
    ("She's given a prize every year.", None),
    ("She's called a genius.", None),
    ("He's never seen snow.", None),
    ("He's driven by greed.", IS),
    ("She's admired by all of us.", IS),
    ("He's driven the bus.", HAS),
    ("He's stopped by the shop.", None),
    ("He's gone by now.", HAS),
    ("She's worried that it rains.", None),
    ("She's tired every day.", None),
    ("She's told me.", HAS),
    ("She's told a lie.", None),
    ("He's done with it.", IS),
    ("Look what he's done with it.", None),
    ("He's set on leaving.", IS),
    ("She's left-handed.", IS),
    ("She's yet to win.", HAS),
    ("She's supposed to win.", IS),
    ("The largest hat he's ever seen by day.", None),
    ("He's already eaten.", HAS),
    ("He's eaten by a shark.", IS),
    ("She's a doctor.", None),
    ("She's red hair and a hat.", None),
]


@pytest.mark.parametrize(("text", "outcome"), CLITICS, ids=[text for text, _ in CLITICS])
def test_has_after_a_pronoun(text: str, outcome: int | None) -> None:
    (clitic,) = [c for c in analyze(text, LEXICON).candidates if c.kind == "contraction"]
    assert clitic.forced == outcome


#: sentence, certain outcome of its "her" or "his"; None: the model has to decide
PRONOUNS = [
    ("I saw her.", OBJECT),
    ("I told her that it rains", OBJECT),
    ("I gave her the keys", OBJECT),
    ("Proud of her, aren't you", OBJECT),
    ("I saw her", OBJECT),
    ("The umbrella is his.", STANDALONE),
    ("I saw her dog", None),
    ("I gave her food", None),
    ("her in-flight meal", None),
    ("her US passport", None),
    ("I saw his dog", None),
    ("a friend of his came", None),
    ("a friend of his was here", STANDALONE),
    ("the choice is his to make", STANDALONE),
    ("A cousin of his runs the ferry.", STANDALONE),
    ("They say that habit of his drives a saint mad.", None),
    ("That bad habit of his drives me mad.", STANDALONE),
    ("It rains, but another aunt of his lets the house.", STANDALONE),
    ("A cousin of his runs ferries.", None),
    ("I got a glimpse of his looks the first time", None),
    ("A cousin of his house guests the", POSSESSIVE),
    ("They called her names.", OBJECT),
    ("everyone wishes her luck, of course", OBJECT),
    ("The shop owes her money for the chairs", OBJECT),
    ("we helped her move and paint", OBJECT),
    ("Nina taught her French", OBJECT),
    ("They bought her flowers and a cake", OBJECT),
    ("They made her leave the room.", OBJECT),
    ("They saw her paint it.", OBJECT),
    ("They made her work the talk of the town.", None),
    ("They saw her paint the other day.", None),
    ("<b>her</b>, of all people", None),
    ("I told her right away.", OBJECT),
    ("I saw her briefly before dinner.", OBJECT),
    ("I saw her lovely garden", POSSESSIVE),
    ("They paid her $10 too much.", OBJECT),
    ("They handed her $20.", OBJECT),
    ("They give her £5", OBJECT),
    ("They charged her €3.", OBJECT),
    ("They awarded her $100.", OBJECT),
    ("They spent her $10", None),
    ("I lost her wallet", POSSESSIVE),
    ("I met her last summer.", OBJECT),
    ("I met her last husband.", POSSESSIVE),
    ("It made her famous.", OBJECT),
    ("I met her famous aunt", None),
    ("in her down time", None),
    ("I paid her way more", None),
    ("The seat is his, but you may sit.", STANDALONE),
    ("That idea of his nearly ruined us.", STANDALONE),
    ("They called her name", POSSESSIVE),
    ("the shop owes her money lender a reply", None),
    ("her luck", None),
    ("they lost her luck", None),
    ("They bought her flowers' seeds", None),
    ("we helped her move-out team", None),
    ("Nina taught her French cousin", None),
]


@pytest.mark.parametrize(("text", "outcome"), PRONOUNS, ids=[text for text, _ in PRONOUNS])
def test_readings_that_the_next_word_settles(text: str, outcome: int | None) -> None:
    (pronoun,) = [c for c in analyze(text, LEXICON).candidates if c.kind == "pronoun"]
    assert pronoun.forced == outcome


@pytest.mark.parametrize(
    "text",
    [
        "He, Ne and Ar are noble gases.",
        "He(g) was bubbled through.",
        "Balloons hold helium (He).",
        "The He–Ne laser is red.",
        "| Symbol | H | He | Li |",
        "| He | 4.22 |",
        'The word "he" is short.',
        "Wo kommt das Geld her?",
        '"Komm her!" said the sign.',
        "Det var en konge her i landet.",
        "Professor He spoke.",
        "the bundle of His",
        "A she-wolf howled.",
    ],
)
def test_no_candidate(text: str) -> None:
    assert [text[c.start : c.end] for c in analyze(text, LEXICON).candidates if c.kind != "verb"] == []


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("A steward came.", True),
        ("Four stewards came.", True),
        ("We must steward it.", False),
        ("Mr. Steward came.", False),
    ],
)
def test_steward_behind_a_determiner_is_a_noun(text: str, certain: bool) -> None:
    (noun,) = [c for c in analyze(text, LEXICON).candidates if c.kind == "noun"]
    assert (noun.forced is not None) == certain


def test_adverbs_in_s_are_no_verbs() -> None:
    assert [c.kind for c in analyze("He always forgets.", LEXICON).candidates] == ["pronoun", "verb"]


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("She knows it.", ["knows"]),
        ("He who laughs last laughs best.", ["laughs"]),
        ("Woe to him who lies.", ["lies"]),
        ("**He** knows it.", ["knows"]),
        ("The dog of the man who barks likes her.", []),
        ("She never knows it.", []),
    ],
)
def test_verbs_beside_their_pronoun_are_certain(text: str, certain: list[str]) -> None:
    candidates = analyze(text, LEXICON).candidates
    found = [c for c in candidates if c.kind == "verb" and c.forced == CHANGE]
    assert [text[c.start : c.end] for c in found] == certain
    assert all(candidates[c.governor].kind == "pronoun" for c in found)


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("She knows her stuff, says Mary.", ["knows"]),
        ("“He is late,” writes Dr. Osei.", ["is"]),
        ("He opens the door, says hello and leaves.", ["opens", "says", "leaves"]),
        ("“I know,” says she.", ["says"]),
        ("She comes in, asks Mary and writes it down.", ["comes", "asks", "writes"]),
    ],
)
def test_a_name_behind_a_verb_of_saying_is_its_subject(text: str, verbs: list[str]) -> None:
    candidates = analyze(text, EnglishLexicon.load()).candidates
    assert [text[c.start : c.end] for c in candidates if c.kind == "verb"] == verbs


#: sentence, its verb forms that the grammar settles
VERBS = [
    ('"Not today," says he.', {"says": CHANGE}),
    ("“Where is the ladder?” asks she.", {"is": KEEP, "asks": CHANGE}),
    ("“No,” says he to the crowd.", {"says": CHANGE}),
    ("The soup, says she, was cold.", {"says": CHANGE}),
    ("The guard, a liar, says she is late.", {"is": CHANGE}),
    ("She that sleeps catches no fish.", {"sleeps": CHANGE}),
    ("She sees the letter that the clerk has left.", {"sees": CHANGE, "has": KEEP}),
    ("He knows that our old neighbour paints.", {"knows": CHANGE, "paints": KEEP}),
    ("He waits because the train that she takes is late.", {"waits": CHANGE, "takes": CHANGE, "is": KEEP}),
    ("He that the whole day sings is happy.", {}),
    ("She, if the man she loves calls, goes.", {"loves": CHANGE, "calls": KEEP}),
    ("She goes out before the rain stops.", {"goes": CHANGE}),
    ("The car that he drives has no roof.", {"drives": CHANGE, "has": KEEP}),
    ("The house she lives in is cold and leaks.", {"lives": CHANGE, "is": KEEP, "leaks": KEEP}),
    ("The town where he lives has a pier and is pretty.", {"lives": CHANGE, "has": KEEP, "is": KEEP}),
    ("Whether he comes or not makes no odds.", {"comes": CHANGE, "makes": KEEP}),
    ("Ann, whom he likes, is old.", {"likes": CHANGE, "is": KEEP}),
    ("The cook, who lives here and has a cat, said that she sings.", {"lives": KEEP, "has": KEEP, "sings": CHANGE}),
    ("It is he who decides.", {"is": KEEP, "decides": CHANGE}),
    ("She runs miles.", {"runs": CHANGE, "miles": KEEP}),
    ("She is old and has a cat.", {"is": CHANGE, "has": CHANGE}),
    ("She feeds the cat and walks the dog.", {"feeds": CHANGE, "walks": CHANGE}),
    ("She gets up and walks to work.", {"gets": CHANGE, "walks": CHANGE}),
    ("She gets up and walks are long.", {"gets": CHANGE}),
    ("She likes the cook who sings and has a cat.", {"likes": CHANGE}),
    ("He says Tom left and is sad.", {"says": CHANGE}),
    ("As he comes, Tom arrives and is late.", {"comes": CHANGE}),
    ("As he comes, Butterfly stops him, and all sing.", {"comes": CHANGE}),
    ("She met family and friends in the hills.", {"friends": KEEP}),
    ("He likes lines and queues of cars.", {"likes": CHANGE, "lines": KEEP, "queues": KEEP}),
    ("He who he knows is lost.", {"knows": CHANGE}),
]


@pytest.mark.parametrize(("text", "settled"), VERBS, ids=[text for text, _ in VERBS])
def test_verbs_whose_subject_is_certain(text: str, settled: dict[str, int]) -> None:
    verbs = [c for c in analyze(text, LEXICON).candidates if c.kind == "verb" and c.forced is not None]
    assert {text[c.start : c.end]: c.forced for c in verbs} == settled


def test_a_verb_follows_the_pronoun_behind_it() -> None:
    candidates = analyze('"Not today," says he.', LEXICON).candidates
    (verb,) = [c for c in candidates if c.kind == "verb"]
    assert candidates[verb.governor].kind == "pronoun"
