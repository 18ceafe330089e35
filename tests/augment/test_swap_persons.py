"""Who is turned: named persons or others, facts of biology, titles; reasons of what stays and of what changes."""

from __future__ import annotations

import pytest

from augment.swap import Swapper
from augment.swap.sparing import facts_pattern
from rewriter.errors import UsageError
from rewriter.records import apply_edits


def left(swapper: Swapper, text: str) -> set[tuple[str, str]]:
    result = swapper.swap(text, return_edits=True)
    return {(edit.before, reason) for edit, reason in result.left}


class TestFacts:
    @pytest.mark.parametrize(
        "text",
        [
            "She is pregnant with her second child.",
            "His beard was grey.",
            "Her mother gave birth at home.",
            "He shaved off his MOUSTACHE.",
        ],
    )
    def test_a_sentence_with_a_fact_stays_and_says_so(self, text: str) -> None:
        result = Swapper("en").swap(text, return_edits=True)
        assert result.text == text
        assert result.left
        assert all(reason.startswith("fact of biology: ") for _, reason in result.left)

    def test_other_sentences_of_the_text_are_turned(self) -> None:
        assert Swapper("en").swap("She is pregnant. She sings.") == "She is pregnant. He sings."

    def test_letters_whose_lower_case_is_longer_shift_nothing(self) -> None:
        assert Swapper("en").swap("İİİİ, she sings. She is pregnant.") == "İİİİ, he sings. She is pregnant."

    def test_facts_can_be_turned(self) -> None:
        assert Swapper("en", facts="turn").swap("She is pregnant.") == "He is pregnant."

    @pytest.mark.parametrize(
        "text", ["He works in Penistone.", "She impregnated the wood.", "The bearded lizard is his."]
    )
    def test_a_fact_is_a_word_of_the_table(self, text: str) -> None:
        pattern = facts_pattern("en")
        assert pattern is not None
        assert (pattern.search(text.lower()) is not None) == ("bearded" in text)


class TestPersons:
    TEXT = "Mary Smith lost her keys. A man helped his wife."

    def test_all_are_turned_if_nobody_says_otherwise(self) -> None:
        assert Swapper("en").swap(self.TEXT) == "James Smith lost his keys. A woman helped her husband."

    def test_only_persons_who_are_named(self) -> None:
        named = Swapper("en", persons="named")
        assert named.swap(self.TEXT) == "James Smith lost his keys. A man helped his wife."
        assert left(named, self.TEXT) == {(word, "a person who is not named") for word in ("man", "his", "wife")}

    def test_only_persons_who_are_not_named(self) -> None:
        generic = Swapper("en", persons="generic", names="keep")
        assert generic.swap(self.TEXT) == "Mary Smith lost her keys. A woman helped her husband."
        assert left(generic, self.TEXT) == {("her", "a person who is named")}

    def test_every_word_is_turned_by_one_of_the_two(self) -> None:
        everything, named, generic = (
            Swapper("en", persons=p).swap(self.TEXT, return_edits=True) for p in ("all", "named", "generic")
        )
        assert sorted(named.edits + generic.edits, key=lambda e: e.start) == list(everything.edits)

    def test_german_has_the_same_choice(self) -> None:
        german = Swapper("de", persons="generic", names=False)
        assert german.swap("Maria Schmidt ging. Ein Mann schlief.") == "Maria Schmidt ging. Eine Frau schlief."

    @pytest.mark.parametrize(
        ("lang", "text", "generic", "named"),
        [
            (
                "en",
                "John Smith met his wife. A waitress brought him her menu, and he thanked her.",
                "John Smith met his husband. A waiter brought him his menu, and he thanked him.",
                "John Smith met her wife. A waitress brought her her menu, and she thanked her.",
            ),
            (
                "de",
                "Karin suchte ihren Hut, und der Arzt half ihr.",
                "Karin suchte ihren Hut, und die Ärztin half ihr.",
                "Karin suchte seinen Hut, und der Arzt half ihm.",
            ),
            (
                "de",
                "Karin Weber traf einen Lehrer. Er gab ihr die Hand. Sie dankte ihm.",
                "Karin Weber traf eine Lehrerin. Sie gab ihr die Hand. Sie dankte ihr.",
                "Karin Weber traf einen Lehrer. Er gab ihm die Hand. Er dankte ihm.",
            ),
        ],
    )
    def test_each_person_is_decided_once(self, lang: str, text: str, generic: str, named: str) -> None:
        assert Swapper(lang, persons="generic", names="keep").swap(text) == generic
        assert Swapper(lang, persons="named", names="keep").swap(text) == named

    def test_a_language_that_cannot_tell_says_so(self) -> None:
        from augment.swap.named import named_by_sentence
        from rewriter.language.interface import Language

        class Klingon:
            code = "tlh"

        language: Language = Klingon()  # type: ignore[assignment]
        with pytest.raises(UsageError, match="'tlh' there is no heuristic for the names of persons"):
            named_by_sentence(language, "", ())


class TestTitlesAndNames:
    def test_titles_turn_or_stay(self) -> None:
        text = "Mr. Fox met Mrs. Wolf."
        assert Swapper("en").swap(text) == "Ms. Fox met Mr. Wolf."
        keeping = Swapper("en", titles=False)
        assert keeping.swap(text) == text
        assert left(keeping, text) == {("Mr", "a title"), ("Mrs", "a title")}

    @pytest.mark.parametrize(("names", "expected"), [("swap", "James left."), ("keep", "Mary left.")])
    def test_names_are_swapped_or_kept(self, names: str, expected: str) -> None:
        assert Swapper("en", names=names).swap("Mary left.") == expected


class TestReasons:
    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("We saw her.", "her -> him: pronoun of a person, rule 'her at the end'"),
            ("The king left.", "king -> queen: noun of the table"),
            ("We asked Mary.", "Mary -> James: pair of names"),
            ("Mr. Fox left.", "Mr -> Ms: title of the table"),
        ],
    )
    def test_an_edit_says_what_decided(self, text: str, reason: str) -> None:
        (edit,) = Swapper("en").swap(text, return_edits=True).edits
        assert edit.reason == reason

    def test_where_the_model_decides_its_probability_is_told(self) -> None:
        edit = Swapper("en").swap("They watched her narrow zeugma.", return_edits=True).edits[-1]
        assert edit.score < 1
        assert edit.reason.endswith(f"model {edit.score:.2f}")

    @pytest.mark.parametrize("text", ["She is pregnant. Mr. Fox saw her, and the king's wife asked Mary."])
    @pytest.mark.parametrize("options", [{}, {"persons": "named"}, {"titles": False}, {"facts": "turn"}])
    def test_edits_replay_whatever_is_left(self, text: str, options: dict[str, object]) -> None:
        result = Swapper("en", **options).swap(text, return_edits=True)  # type: ignore[arg-type]
        assert apply_edits(text, result.edits) == result.text
        made = {(e.start, e.end) for e in result.edits}
        assert made.isdisjoint({(e.start, e.end) for e, _ in result.left})


@pytest.mark.parametrize(
    "text",
    [
        "He or she may apply.",
        "Every man and woman voted.",
        "We join this man and this woman.",
        "One man one woman, they said.",
        "It was the pride of being “gentleman” and “lady” here.",
        "They sang for husband-and-wife teams.",
        "We read “Travels with My Aunt” again.",
        "They watched “His Dark Sister” twice.",
        "The Almighty has His own purposes.",
        "It teaches the genius of man.",
        "Thanks man, that helps.",
        "On June 11 King agreed.",
        "The female lays her eggs in the nest.",
        "The ship sank, and her masts broke.",
        "A man-in-the-middle attack is possible.",
    ],
)
def test_what_is_no_person_of_one_gender_stays(text: str) -> None:
    assert Swapper("en", names="keep").swap(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He saw him and her brother.", "She saw her and his sister."),
        ("The rifleman rode on.", "The riflewoman rode on."),
        ("The National Guardsman was hurt.", "The National Guardswoman was hurt."),
        ("The flower-girls sang.", "The flower-boys sang."),
        ("A father-of-two won.", "A mother-of-two won."),
        ("She is a fine actor.", "He is a fine actor."),
        ("The closest male heir won.", "The closest female heir won."),
        ("I was Sultan once.", "I was Sultana once."),
        ("My Lord, my Lords, hear us.", "My Lady, my Ladies, hear us."),
        ("He called it his “new” car.", "She called it her “new” car."),
        ("Thank you, Mr. Chairman.", "Thank you, Madam Chairwoman."),
        ("The captain of the ship lost her hat.", "The captain of the ship lost his hat."),
    ],
)
def test_who_is_a_person_is_turned(text: str, expected: str) -> None:
    assert Swapper("en", names="keep").swap(text) == expected
