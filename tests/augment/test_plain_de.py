"""What plain German text says for certain, and its twins in the other gender."""

import pytest

from augment.de.language import make
from augment.de.plain import plain, reference
from rewriter.language.interface import get_language
from rewriter.model.alignment import match_outcomes

LANGUAGE = get_language("de")

#: sentence -> target, and what gets no label
CERTAIN = [
    # case from the masculine
    ("Wir gaben dem Lehrer das Buch.", "Wir gaben dem*der Lehrer*in das Buch.", []),
    ("Das Buch des Lehrers lag da.", "Das Buch des*der Lehrer*in lag da.", []),
    ("Wir sahen einen alten Lehrer.", "Wir sahen eine*n alte*n Lehrer*in.", []),
    # what begins a clause is its subject
    ("Der Lehrer schlief.", "Der*die Lehrer*in schlief.", []),
    ("Wir hoffen, dass der Lehrer kommt.", "Wir hoffen, dass der*die Lehrer*in kommt.", []),
    ("Die Lehrerin schlief.", "Der*die Lehrer*in schlief.", []),
    # several of whom one is meant
    ("Das sagte keiner der Lehrer.", "Das sagte keine*r der Lehrer*innen.", []),
    # bare nouns
    ("Man kocht für Lehrer.", "Man kocht für Lehrer*innen.", []),
    # pronouns that one person alone explains
    ("Der Lehrer, der dort steht, singt.", "Der*die Lehrer*in, der*die dort steht, singt.", []),
    ("Der Lehrer sagt, dass er singt.", "Der*die Lehrer*in sagt, dass er*sie singt.", []),
    ("Der Lehrer nimmt seine Brille.", "Der*die Lehrer*in nimmt seine*ihre Brille.", []),
    ("Er wurde Lehrer.", "Er*sie wurde Lehrer*in.", []),
    ("Sie ist eine gute Lehrerin.", "Er*sie ist ein*e gute*r Lehrer*in.", []),
    # another gender means somebody else, a name, a thing
    ("Der Lehrer sagt, dass sie singt.", "Der*die Lehrer*in sagt, dass er*sie singt.", []),
    (
        "Der Lehrer sagt, dass Anna kommt und dass sie singt.",
        "Der*die Lehrer*in sagt, dass Anna kommt und dass sie singt.",
        [],
    ),
    ("Der Lehrer kauft die Lampe, weil sie leuchtet.", "Der*die Lehrer*in kauft die Lampe, weil sie leuchtet.", []),
    # persons whom the sentence does not name
    ("Er nahm seinen Hut.", "Er*sie nahm seinen*ihren Hut.", []),
    ("Er wurde 1890 errichtet.", "Er wurde 1890 errichtet.", []),
    # countries, surnames, and nouns that only seem to begin with a person
    ("Gestern kam Thomas Müller mit einem Koch.", "Gestern kam Thomas Müller mit einem*r Köch*in.", []),
    ("Der Lehrer kommt aus Polen.", "Der*die Lehrer*in kommt aus Polen.", []),
    ("Der Lehrer mag Kölner Bauten.", "Der*die Lehrer*in mag Kölner Bauten.", []),
    ("Der Lehrer fürchtet die Mieterhöhung.", "Der*die Lehrer*in fürchtet die Mieterhöhung.", []),
    # a name perhaps, whose pronouns only a reader of more can tell; a relative pronoun in a case of its own
    ("Gestern half Krügel den Lehrerinnen, und er sang.", "Gestern half Krügel den Lehrer*innen, und er sang.", ["er"]),
    (
        "Wir halfen einem Gläubiger, der das wusste.",
        "Wir halfen einem*r Gläubiger*in, der*die das wusste.",
        [],
    ),
    # two may be meant: the rules of preference decide
    (
        "Als der Hund kam, sagte der Lehrer, dass er singt.",
        "Als der Hund kam, sagte der*die Lehrer*in, dass er*sie singt.",
        [],
    ),
]

#: sentences in which a reader found labels that may be wrong: nothing of them gets one, or not the words named
DOUBTFUL = [
    # firms, countries and things that are called like persons
    ("Der Verlag wurde zum Wegbereiter der Fotografie.", None),
    ("China ist der wichtigste Handelspartner der Insel.", None),
    ("Der Chip ist schneller als sein Vorgänger.", None),
    ("Dort gewann der Gastgeber Uruguay.", None),
    ("Dort lag die Vorgängersiedlung.", None),
    ("Morgen wird einer von ihnen vor vielen Tagen singen.", None),
    ("Die Trägerrakete und die Nachbarregion sind alt.", None),
    # weak nouns: one or several
    ("Man kannte mich als Christen.", None),
    ("Dort sah man Polens Präsidenten Krügel.", None),
    ("Man blieb den Kunden drei Lampen schuldig.", None),
    ("Man zahlt den Angestellten drei Lampen.", None),
    # pronouns
    ("Es folgte ein Gespräch mit dem Lehrer, in dem es still war.", ["dem"]),
    ("Krügel befahl, jeden zu fangen, der singt.", None),
    ("Der Trainer Emil Krügel, der oft singt, schlief.", ["der"]),
    ("Der Trainer, Emil Krügel, sucht sein Buch.", ["sein"]),
    ("Im Hof sind sie alle schon fort.", None),
    ("Im Hof sangen sie oft.", None),
    ("Sie, Herr Rat, erlauben es gewiss.", None),
    ("Wütend riss ich ihm den Wälzer aus der Hand und warf ihn an die Wand.", ["ihn"]),
    ("Es zählt, wo er oder sie hin will.", ["sie"]),  # one double form, which gets no label of its own
    ("Wir grüßen Hamburg und seinen Nachbarn.", None),
    ("Man sah den von der Partei vorgeschlagenen Vermittler.", None),
    ("Es kam ihr Sprecher John Krügel.", None),
    ("Gestern traf sie Krügel, bevor sie ging.", ["sie"]),
    ("Mamsel kam nie zu uns, doch heute singt sie.", None),
]


def spans(text, doubtful):
    return [text[start:end] for start, end in doubtful]


@pytest.mark.parametrize(("text", "target", "unlabelled"), CERTAIN)
def test_what_is_certain_is_starred_and_the_rest_has_no_label(text, target, unlabelled):
    result = plain(text, LANGUAGE)[0]
    assert result.source == text
    assert result.target == target
    assert spans(text, result.doubtful) == unlabelled


@pytest.mark.parametrize(("text", "unlabelled"), DOUBTFUL)
def test_what_readers_found_wrong_gets_no_label(text, unlabelled):
    results = plain(text, LANGUAGE)
    if unlabelled is None:
        assert results == []
    else:
        assert spans(text, results[0].doubtful) == unlabelled


@pytest.mark.parametrize(
    ("text", "target"),
    [
        (
            "Der Lehrer ist schneller als sein Vorgänger.",
            "Der*die Lehrer*in ist schneller als sein*ihr*e Vorgänger*in.",
        ),
        ("Wir kamen ohne den Kunden.", "Wir kamen ohne den*die Kund*in."),
        ("Später sang er.", "Später sang er*sie."),
        ("Das zahlt derjenige, der sein Geld liebt.", "Das zahlt der*diejenige, der*die sein*ihr Geld liebt."),
    ],
)
def test_what_only_resembles_it_keeps_its_label(text, target):
    assert plain(text, LANGUAGE)[0].target == target


def test_no_twin_where_nobody_knows_whom_a_relative_clause_means():
    assert [r.form for r in plain("Der Trainer Emil Krügel, der oft singt, schlief.", LANGUAGE)] == ["masculine"]


def test_nobody_knows_whether_one_teacher_or_several():
    assert plain("Das Recht der Lehrer ist alt.", LANGUAGE) == []


TWINS = [
    ("Wir gaben dem Lehrer das Buch.", "feminine", "Wir gaben der Lehrerin das Buch."),
    ("Der Lehrer, der dort steht, nimmt seine Brille.", "feminine", "Die Lehrerin, die dort steht, nimmt ihre Brille."),
    ("Die Lehrerinnen singen.", "masculine", "Die Lehrer singen."),
    ("Wir trafen einen jungen Arzt.", "feminine", "Wir trafen eine junge Ärztin."),
]


@pytest.mark.parametrize(("text", "form", "twin"), TWINS)
def test_a_certain_sentence_has_a_twin_in_the_other_gender(text, form, twin):
    results = {result.form: result for result in plain(text, LANGUAGE)[1:]}
    assert results[form].source == twin


def test_an_article_of_a_plural_is_known_to_stay_where_it_looks_like_a_singular():
    twin = plain("Das Recht der Lehrerinnen ist alt.", LANGUAGE)[1]
    assert (twin.source, twin.doubtful) == ("Das Recht der Lehrer ist alt.", ())


def test_a_sentence_with_an_uncertain_article_is_not_turned():
    assert [r.source for r in plain("Das Kind sah die Lehrerin.", LANGUAGE)] == ["Das Kind sah die Lehrerin."]


@pytest.mark.parametrize("text", [text for text, *_ in CERTAIN])
def test_every_target_is_explained_by_the_candidates_of_its_source(text):
    for result in plain(text, LANGUAGE):
        candidates = LANGUAGE.analyze(result.source).candidates
        assert match_outcomes(result.source, result.target, candidates) is not None


def test_references_are_the_pairs_with_a_pronoun_that_means_a_person():
    assert reference("Der Lehrer schlief.", LANGUAGE) == []
    assert reference("Der Lehrer sagt, dass sie singen.", LANGUAGE) == []
    text = "Der Lehrer sagt, dass er singt."
    assert reference(text, LANGUAGE) == plain(text, LANGUAGE)


FORMS = [
    ("Er nahm seinen Hut.", "masculine"),
    ("Sie nahm ihren Hut.", "feminine"),
    ("Die Lehrerin schlief.", "feminine"),
    ("Wir lasen die Kandidatenliste.", "masculine"),
]


@pytest.mark.parametrize(("text", "form"), FORMS)
def test_the_form_of_a_source_is_that_of_its_starred_words(text, form):
    assert plain(text, LANGUAGE)[0].form == form


def test_the_sentence_before_tells_what_a_pronoun_means():
    assert plain("Er fuhr los.", LANGUAGE)[0].target == "Er*sie fuhr los."
    assert plain("Er fuhr los.", LANGUAGE, "Der Zug war alt.")[0].target == "Er fuhr los."
    assert plain("Sie sangen, und sie sah zu.", LANGUAGE, "Die Lehrerin schwieg.")[0].target == (
        "Sie sangen, und er*sie sah zu."
    )


def test_text_that_is_fair_already_is_no_candidate():
    rules = make()
    assert rules.candidates("Der Lehrer schläft.", "plain")
    assert not rules.candidates("Der*die Lehrer*in trifft einen Arzt.", "plain")
