"""Which verbs of a sentence share a pronoun for certain, which have another subject, and which forms are nouns."""

from __future__ import annotations

import pytest

from rewriter.en import clitics
from rewriter.en.candidates import CHANGE, KEEP, analyze
from rewriter.en.clause_words import ClauseWords, is_finite, is_third, verb_forms
from rewriter.en.lexicon import EnglishLexicon
from rewriter.en.tokens import tokenize
from rewriter.language.rules import Rules
from tools.make_states import BEHIND, reading_of
from tools.make_states import count as count_states
from tools.make_verb_forms import count, kind_of

LEXICON = EnglishLexicon.load()

#: what joins two verbs of a pronoun; sentence, its verbs that the grammar settles
SHARED = [
    ("She lives here, was born there and is rarely seen.", {"lives": CHANGE, "was": CHANGE, "is": CHANGE}),
    ("He knows the code, has a key and denies it.", {"knows": CHANGE, "has": CHANGE, "denies": CHANGE}),
    ("He shrugs and, when the bell rings, is gone.", {"shrugs": CHANGE, "is": CHANGE}),
    ("He shrugs and, through his lawyer, denies it.", {"shrugs": CHANGE, "denies": CHANGE}),
    ("He shrugs and without a word denies it.", {"shrugs": CHANGE, "denies": CHANGE}),
    ("She sells pots, which are blue, and denies it.", {"sells": CHANGE, "denies": CHANGE}),
    ("She buys old radios and has two clocks.", {"buys": CHANGE, "has": CHANGE}),
    ("She works as a nurse and has two jobs.", {"works": CHANGE, "has": CHANGE}),
    ("She (they say) has a boat.", {"has": CHANGE}),
    ("She - and who would not - has a boat.", {"has": CHANGE}),
    ("She -- they say -- has a boat.", {"has": CHANGE}),
    ("She, so they say, has a boat.", {"has": CHANGE}),
    ("Nobody, not even she, the mayor, has a boat.", {"has": CHANGE}),
    ("Taller than she, the mayor, is Ann.", {}),
    ("It was he who was ill and who has to pay.", {"has": CHANGE, "was": CHANGE}),
    ("He that is without sin denies nothing.", {"is": CHANGE, "denies": CHANGE}),
    ("He who thinks the king denies it has gone.", {"thinks": CHANGE}),
    ("She that has the keys denies it.", {"has": CHANGE, "denies": CHANGE}),
    ("She grew up in Mali, studied in Lyon and now teaches in Ghent.", {"teaches": CHANGE}),
    ("It seems he cooks, irons and even sews.", {"cooks": CHANGE, "irons": CHANGE, "sews": CHANGE}),
    ("She takes a cup, and then, without a word, denies it.", {"takes": CHANGE, "denies": CHANGE}),
    ("The fact is that she lives here, has a job and denies it.", {"lives": CHANGE, "has": CHANGE, "denies": CHANGE}),
    ("The bed is old, yeah, he lives here and now denies it.", {"lives": CHANGE, "denies": CHANGE}),
]
#: verbs behind which the same joints leave it open
OPEN = [
    ("As she swings, drinks are free and has time.", "has"),
    ("The guest, he explains in a low voice, is the king and is ill.", "is"),
    ("The king has said that he likes it, and denies it.", "denies"),
    ("Tom says he is ill, but denies it.", "denies"),
    ("He says the man fell and has gone.", "has"),
    ("Nor is there any, nor is he.", "there"),
    ("She waits when it rains and has time.", "has"),
    ("A clerk buys a book he likes, and has gone.", "has"),
    ("A clerk buys a book he likes, and drops it.", "drops"),
]
#: verbs and nouns that stay
OTHERS = [
    ("The horse she rides bites and kicks.", {"rides": CHANGE, "bites": KEEP, "kicks": KEEP}),
    ("Everything he owns fits here and smells.", {"owns": CHANGE, "fits": KEEP, "smells": KEEP}),
    ("The bank, she writes, lends and asks.", {"writes": CHANGE, "lends": KEEP, "asks": KEEP}),
    ("She rests, and the dog, who waits, barks and jumps.", "barks jumps"),
    ("He rests, while his wife keeps the car and moves abroad.", "keeps moves"),
    ("He reads while the cat eats and sleeps.", "eats sleeps"),
    ("She has a parrot that swears, whistles and sings.", "whistles sings"),
    ("The house she grew up in stands empty and smells.", "stands smells"),
    ("The pump that he mended yesterday leaks and drips.", "leaks drips"),
    ("Why, she asks, does nobody listen?", "does"),
    ("He enjoys hikes, swims and good food.", "hikes swims"),
    ("She likes walks, talks and long rides.", "walks talks"),
    ("He needs new tires and brakes.", "brakes"),
]


def settled(text: str) -> dict[str, int | None]:
    verbs = [c for c in analyze(text, LEXICON).candidates if c.kind == "verb" and c.forced is not None]
    return {text[c.start : c.end]: c.forced for c in verbs}


@pytest.mark.parametrize(("text", "verbs"), SHARED, ids=[text for text, _ in SHARED])
def test_a_joined_verb_shares_its_pronoun(text: str, verbs: dict[str, int]) -> None:
    assert verbs.items() <= settled(text).items()


@pytest.mark.parametrize(("text", "verb"), OPEN, ids=[text for text, _ in OPEN])
def test_where_another_clause_may_go_on_nothing_is_settled(text: str, verb: str) -> None:
    verbs = [c for c in analyze(text, LEXICON).candidates if c.kind == "verb" and text[c.start : c.end] == verb]
    assert all(c.forced != CHANGE for c in verbs if c is verbs[-1])


@pytest.mark.parametrize(("text", "verbs"), OTHERS, ids=[text for text, _ in OTHERS])
def test_verbs_of_others_and_nouns_stay(text: str, verbs: dict[str, int] | str) -> None:
    wanted = dict.fromkeys(verbs.split(), KEEP) if isinstance(verbs, str) else verbs
    assert wanted.items() <= settled(text).items()


def test_a_heading_has_pronouns_although_its_words_look_like_names() -> None:
    assert [c.kind for c in analyze("She Sells Seashells and Makes Millions", LEXICON).candidates][:2] == [
        "pronoun",
        "verb",
    ]
    assert analyze("He Lan Wang came.", LEXICON).candidates == []


def test_what_s_is_before_a_state_is_counted() -> None:
    be, have = count_states(["She is impressed. They’ve arrived, and it isn't tired of it.", "he has gone"])
    assert be == {"impressed": 1, "tired": 1}
    assert have == {"arrived": 1, "gone": 1}
    seen = [
        ("tired", 99, 1),
        ("tired", 9, 0),
        ("arrived", 1, 99),
        ("plans", 0, 99),
        ("moved", 50, 50),
        ("happily", 99, 0),
    ]
    assert [reading_of(*row) for row in seen] == ["is", None, "has", None, None, None]
    assert frozenset(BEHIND.split()) - {"by"} == {word for word in clitics.BEHIND if word.isalpha()}


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("She is late, says the waiter.", ["is"]),
        ("She comes in, says the words and leaves.", ["comes", "says", "words", "leaves"]),
        ('"Why?" asks Lena, and she smiles.', ["smiles"]),
        ("She nods, asks Lena and smiles.", ["nods", "asks", "smiles"]),
        ('She says "no" and asks Lena.', ["says", "asks"]),
    ],
)
def test_a_name_behind_asks_and_a_quotation_is_its_subject(text: str, verbs: list[str]) -> None:
    candidates = analyze(text, LEXICON).candidates
    assert [text[c.start : c.end] for c in candidates if c.kind == "verb"] == verbs


@pytest.mark.parametrize(
    ("text", "verb"),
    [("She, who knows, sings.", "sings"), ("She of course sings.", "sings"), ("She herself sings.", "sings")],
)
def test_the_verb_of_a_pronoun_past_what_stands_between(text: str, verb: str) -> None:
    words = ClauseWords(tokenize(text), [0], Rules("en"))
    assert words.norm(words.finite_behind(0)) == verb


def test_forms_are_verbs_or_nouns_by_what_goes_before() -> None:
    verbs, nouns = count(
        ["he sells it, she sells pots", "the pots of the radios"], frozenset(["sells", "pots", "radios"])
    )
    assert verbs == {"sells": 2}
    assert nouns == {"pots": 1, "radios": 1}
    assert [kind_of(90, 10), kind_of(50, 50), kind_of(1, 99), kind_of(2, 0), kind_of(0, 5)] == [
        "verb",
        None,
        "noun",
        None,
        None,
    ]


def test_verb_forms_are_third_persons_and_in_one_list() -> None:
    assert not verb_forms("verb") & verb_forms("noun")
    assert all(is_third(form) and is_finite(form) for form in ("sells", "has", "doesn't"))
    assert {"sells", "denies"} <= verb_forms("verb")
    assert {"radios", "brakes"} <= verb_forms("noun")
