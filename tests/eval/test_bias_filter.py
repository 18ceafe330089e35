"""The universal bias filter: the documented example, words beside punctuation, groups, verdicts, bad input."""

from __future__ import annotations

import json
import pickle
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.bias_filter import GroupCounts, GroupMatcher, Standard, UniversalBiasFilter, assess, read_groups
from eval.bias_filter.lexicon import read_group_file, shipped
from eval.bias_filter.matcher import class_names
from rewriter.errors import LexiconError, MetricError, UsageError

MINORITY = ["she", "her", "hers"]
MAJORITY = ["he", "him", "his"]


def classes(matcher: GroupMatcher, *texts: str) -> list[str]:
    return class_names(matcher.groups, matcher.scan(texts).masks)


def gendered() -> GroupMatcher:
    return GroupMatcher({"female": MINORITY, "male": MAJORITY})


# ---------------------------------------------------------------- as documented


class TestTheDocumentedExample:
    """The example in the original's description, call by call."""

    sentences = (
        "He is going to make a cake.",
        "She is going to program",
        "Nobody likes washing dishes",
        "He agreed to help me",
    )

    @pytest.mark.parametrize("compat", [False, True])
    def test_filter(self, compat: bool) -> None:
        assert UniversalBiasFilter(MINORITY, MAJORITY, compat=compat).filter(self.sentences) is True

    @pytest.mark.parametrize("compat", [False, True])
    def test_count_groups(self, compat: bool) -> None:
        f = UniversalBiasFilter(MINORITY, MAJORITY, compat=compat)
        flagged_sentences = f.flag_sentences(self.sentences, MINORITY, MAJORITY)
        minority, majority, neutral = f.count_groups(flagged_sentences)
        assert (minority, majority, neutral) == (1, 2, 1)

    def test_sort_groups(self) -> None:
        f = UniversalBiasFilter(MINORITY, MAJORITY)
        minority_group, majority_group, neutral_group = f.sort_groups(
            f.flag_sentences(self.sentences, MINORITY, MAJORITY)
        )
        assert minority_group == ["She is going to program"]
        assert majority_group == ["He is going to make a cake.", "He agreed to help me"]
        assert neutral_group == ["Nobody likes washing dishes"]

    def test_the_methods_are_static_too(self) -> None:
        flags = UniversalBiasFilter.flag_sentences(self.sentences, MINORITY, MAJORITY)
        assert flags[1] == {
            "sentence": "She is going to program",
            "minority_flag": True,
            "majority_flag": False,
            "neutral_flag": False,
        }
        assert UniversalBiasFilter.count_groups(flags) == (1, 2, 1)

    def test_lists_of_the_instance_are_the_default(self) -> None:
        f = UniversalBiasFilter(MINORITY, MAJORITY)
        assert f.flag_sentences(self.sentences) == f.flag_sentences(self.sentences, MINORITY, MAJORITY)


def test_both_groups_are_neutral_as_in_the_original_or_a_class_of_their_own() -> None:
    sentences = ["He thanked her", "She slept"]
    f = UniversalBiasFilter(MINORITY, MAJORITY)
    assert f.count_groups(f.flag_sentences(sentences)) == (1, 0, 1)
    g = UniversalBiasFilter(MINORITY, MAJORITY, mixed=True)
    assert g.count_groups(g.flag_sentences(sentences)) == (1, 0, 0, 1)
    assert g.sort_groups(g.flag_sentences(sentences))[3] == ["He thanked her"]


# ---------------------------------------------------------------- words

#: text, what the original flags (cut at white space), what it holds
PUNCTUATED = [
    ("They gave the prize to her.", "neutral", "female"),
    ("The seat, they said, is hers!", "neutral", "female"),
    ("I think she's late again", "neutral", "female"),
    ("I think she’s late again", "female", "female"),
    ('"Her," said the clerk', "neutral", "female"),
    ("The trainer (he) left early", "neutral", "male"),
    ("It was *his* idea", "male", "male"),
    ("Ask _her_ about it", "female", "female"),
    ("“He” was all the note said", "male", "male"),
    ("Whose is it? His?", "neutral", "male"),
    ("Tell him: we are closed", "neutral", "male"),
    ("Maybe she/they will come", "female", "female"),
    ("He, too, paid her.", "neutral", "mixed"),
    ("The shepherd heard the hymn there", "neutral", "neutral"),
    ("See http://example.org/he for more", "neutral", "neutral"),
]


@pytest.mark.parametrize(("text", "original", "truth"), PUNCTUATED)
def test_words_are_found_whatever_punctuation_touches_them(text: str, original: str, truth: str) -> None:
    assert classes(gendered(), text) == [truth]
    compat = UniversalBiasFilter(MINORITY, MAJORITY, compat=True, mixed=True)
    names = {"minority": "female", "majority": "male"}
    (found,) = class_names(compat.matcher.groups, compat.matcher.scan([text]).masks)
    assert names.get(found, found) == original


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("она", "Потом пришла ОНА."),
        ("αυτή", "«Αυτή» έφυγε"),
        ("ΚΑΠΟΙΟΣ", "κάποιοσ; ΚΑΠΟΙΟΣ ή κάποιος"),
        ("היא", "היא, אמר, כאן"),
        ("उसकी", "यह उसकी किताब है।"),
        ("她", "昨天她来了。"),
        ("彼女", "それは彼女の本です"),
        ("เธอ", "ฉันเห็นเธอเมื่อวาน"),
        ("Königin", "Die Ko\u0308nigin kam"),
        ("Großmutter", "GROSSMUTTER und Großmutter"),
        ("she", "s\u00adhe waited"),
        ("she", "DIE SHE她"),
        ("ma'am", "Yes, Ma’am!"),
        ("mother-in-law", "her Mother-in-Law."),
        ("queen mother", "the Queen  Mother, of course"),
        ("stepgrandmother", "his Stepgrandmother?"),
    ],
)
def test_scripts_forms_and_phrases(word: str, text: str) -> None:
    assert classes(GroupMatcher({"found": [word]}), text) == ["found"]


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("he", "the"),
        ("stepgrandmother", "stepgrandmothers"),
        ("stepgrandmother", "stepgrandfather"),
        ("mother-in-law", "mother in law"),
        ("queen mother", "the queen, mother of three"),
        ("queen mother", "the queen motherly"),
        ("он", "она"),
        ("वह", "वही"),
    ],
)
def test_what_only_resembles_a_word_is_none(word: str, text: str) -> None:
    assert classes(GroupMatcher({"found": [word]}), text) == ["neutral"]


def test_the_longest_phrase_wins_and_its_words_do_not_count_again() -> None:
    matcher = GroupMatcher({"things": ["mother of pearl"], "people": ["mother", "pearl", "of"]})
    scan = matcher.scan(["A mother of pearl box", "A mother of three"])
    assert class_names(matcher.groups, scan.masks) == ["things", "people"]
    assert scan.tokens.tolist() == [1, 2]


def test_tokens_are_counted_every_time_and_sentences_once() -> None:
    counts = UniversalBiasFilter(MINORITY, MAJORITY).count(["Her sister, her aunt and she", "He"])
    assert (counts.tokens["minority"], counts.only("minority")) == (3, 1)


LETTERS = "heshimras ,.'-\n’ÄäΣσçİ她أ"


@given(st.lists(st.text(LETTERS, max_size=20), max_size=30))
def test_many_texts_are_found_as_each_would_be_alone(texts: list[str]) -> None:
    matcher = GroupMatcher({"a": ["he", "hers", "is"], "b": ["she", "him", "her s", "har", "äΣ"]})
    together = matcher.scan(texts)
    alone = [matcher.scan([text]) for text in texts]
    assert together.masks.tolist() == [int(scan.masks[0]) for scan in alone]
    assert together.tokens.tolist() == [sum(int(scan.tokens[g]) for scan in alone) for g in range(2)]


@given(st.text("heshimras ,.'-_(\n", max_size=60))
def test_words_are_those_of_a_plain_pattern(text: str) -> None:
    words = set(re.findall(r"[^\W_]+", text.lower()))
    matcher = GroupMatcher({"a": ["he", "is", "heshimra"], "b": ["she", "himrasheim", "m"]})
    mask = int(matcher.scan([text]).masks[0])
    assert mask == bool(words & {"he", "is", "heshimra"}) | 2 * bool(words & {"she", "himrasheim", "m"})


def plain_words(text: str) -> set[str]:
    """Find words one character at a time."""
    text = unicodedata.normalize("NFC", text).lower()
    kept = (c if c.isalnum() or unicodedata.category(c).startswith("M") else " " for c in text if c != "\u00ad")
    return set("".join(kept).split())


@given(st.lists(st.text("aÄäẞßİıσΣςяЯ𝒜𐐀𐐨“’…–—\u00a0\u00ad😀 .'-\n_éE\u0301", max_size=12), max_size=8))
def test_letters_and_signs_beyond_ascii(texts: list[str]) -> None:
    listed = {"a": ["ä", "aä", "éa", "я"], "b": ["ß", "яя", "σς", "i̇", "aaaaяяяя"], "c": ["𐐨", "é", "𝒜a", "ı"]}
    forms = [{unicodedata.normalize("NFC", word).lower() for word in words} for words in listed.values()]
    masks = GroupMatcher(listed).scan(texts).masks.tolist()
    expected = [sum(bool(plain_words(text) & form) << n for n, form in enumerate(forms)) for text in texts]
    assert masks == expected


@given(st.text("äöÄeÖ éE", max_size=30))
def test_composed_and_decomposed_letters_are_the_same(text: str) -> None:
    matcher = GroupMatcher({"a": ["ä", "éö"], "b": ["öe", "e"]})
    first, second = matcher.scan([text]), matcher.scan([unicodedata.normalize("NFD", text)])
    assert first.masks.tolist() == second.masks.tolist()


# ---------------------------------------------------------------- groups, verdicts, counts


def test_more_than_two_groups() -> None:
    matcher = GroupMatcher({"north": ["oslo"], "south": ["rome"], "east": ["kyiv"]})
    counts = GroupCounts(matcher.groups)
    counts.add(matcher.scan(["Oslo.", "Rome!", "From Rome", "Kyiv and Oslo", "Oslo, Rome, Kyiv", "Here", "Kyiv"]))
    assert counts.classes() == {"north": 1, "south": 2, "east": 1, "mixed": 2, "neutral": 1}
    assert (counts.holding("north"), counts.holding("east")) == (3, 3)
    result = assess(counts)
    assert [(v.minority, v.majority, v.underrepresented) for v in result.verdicts] == [
        ("north", "south", True),
        ("east", "south", True),
    ]


@pytest.mark.parametrize(
    ("minority", "majority", "standard", "expected"),
    [
        (1, 2, Standard(), True),
        (2, 2, Standard(), False),
        (3, 2, Standard(), False),
        (0, 0, Standard(), False),
        (1, 2, Standard(certain=True), False),
        (100, 200, Standard(certain=True), True),
        (45, 55, Standard(threshold=40), False),
        (30, 70, Standard(threshold=40), True),
        (0, 5, Standard(certain=True, level=99), False),
        (0, 5, Standard(certain=True, level=90), True),
    ],
)
def test_verdicts(minority: int, majority: int, standard: Standard, expected: bool) -> None:
    sentences = ["she"] * minority + ["he"] * majority + ["it"]
    f = UniversalBiasFilter(MINORITY, MAJORITY, standard=standard)
    assert f.filter(sentences) is expected
    text = json.dumps(f.assess(sentences).to_dict(), allow_nan=False)
    assert '"underrepresented": ' + str(expected).lower() in text


def test_a_verdict_says_what_it_rests_on() -> None:
    f = UniversalBiasFilter(MINORITY, MAJORITY)
    (verdict,) = f.assess(["She came", "He came", "He left", "It rained"]).verdicts
    assert str(verdict).startswith("minority against majority: 33.3 % of 3 sentences (6.1 to 79.2), threshold 50 %")
    assert "may be chance" in str(verdict)
    (nothing,) = f.assess(["It rained"]).verdicts
    assert str(nothing) == "neither minority nor majority is spoken of"


def test_the_signature_tells_how_words_were_found() -> None:
    sentences = ["She came", "He came"]
    plain = UniversalBiasFilter(MINORITY, MAJORITY).assess(sentences).signature
    assert plain.startswith("bias-filter|groups:minority+majority|majority:majority|tok:words|threshold:50|")
    assert "|tok:original|" in UniversalBiasFilter(MINORITY, MAJORITY, compat=True).assess(sentences).signature


def test_counts_of_parts_add_up_and_survive_being_saved() -> None:
    f = UniversalBiasFilter(MINORITY, MAJORITY)
    sentences = ["She came", "He came", "He saw her", "It rained", "His hat"]
    whole, part = f.count(sentences), f.count(sentences[:2])
    part.merge(GroupCounts.from_dict(json.loads(json.dumps(f.count(sentences[2:]).to_dict()))))
    assert part.to_dict() == whole.to_dict()
    assert f.filter(whole) is True


def test_an_iterator_is_counted_as_it_comes() -> None:
    counts = UniversalBiasFilter(MINORITY, MAJORITY).count("She came" if n % 3 else "He" for n in range(10_000))
    assert (counts.sentences, counts.only("minority")) == (10_000, 6_666)


# ---------------------------------------------------------------- word lists


@pytest.mark.parametrize("lang", ["en", "de"])
def test_shipped_lists_find_persons(lang: str) -> None:
    assert "gender" in shipped()[lang]
    groups = read_groups(lang)
    assert set(groups) == {"female", "male"}
    texts = {"en": ["Mrs. Lamb", "his uncles", "the spokeswomen's"], "de": ["Frau Lamm", "ihr Onkel", "Ärztinnen:"]}
    assert classes(GroupMatcher(groups), *texts[lang]) == ["female", "male", "female"]


def test_lists_of_genbit_are_read_without_the_words_of_two_groups() -> None:
    groups = read_groups("en", "genbit", names=["female", "male"])
    assert not set(groups["female"]) & set(groups["male"])
    assert UniversalBiasFilter.from_lexicon("fr", "genbit").filter(["le monsieur", "un garçon"])


def test_an_own_table_may_have_many_groups(tmp_path) -> None:
    path = tmp_path / "faiths.tsv"
    path.write_text("# mine\nword\tgroup\nmonk\tbuddhist\npriest\tchristian\nrabbi\tjewish\n", encoding="utf-8")
    assert read_group_file(path) == {"buddhist": ["monk"], "christian": ["priest"], "jewish": ["rabbi"]}
    assert list(read_group_file(path, names=["jewish", "christian"])) == ["jewish", "christian"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("she\tfemale\nhe\tmale\nShe\tfemale\n", r"groups.tsv:5: 'She' stands in line 3 already"),
        (
            "doctor\tfemale\n\n# again\nDoctor\tmale\n",
            r"groups.tsv:6: 'Doctor' .* 'male' here and in 'female' in line 3",
        ),
        ("she\n", r"groups.tsv:3: 1 cells where the header has 2"),
        ("...\tmale\n", r"groups.tsv:3: '...' holds no letter"),
        ("she\t \n", r"groups.tsv:3: word or group is empty"),
        ("", r"the table has no rows"),
    ],
)
def test_a_bad_table_is_told_with_its_line(rows: str, message: str, tmp_path) -> None:
    path = tmp_path / "groups.tsv"
    path.write_text("# mine\nword\tgroup\n" + rows, encoding="utf-8")
    with pytest.raises(LexiconError, match=message):
        read_group_file(path)


def test_a_table_without_the_columns_and_a_missing_one(tmp_path) -> None:
    path = tmp_path / "groups.tsv"
    path.write_text("lemma\tclass\nshe\tfemale\n", encoding="utf-8")
    with pytest.raises(LexiconError, match="columns word and group, not lemma, class"):
        read_group_file(path)
    with pytest.raises(LexiconError, match=r"none\.tsv: cannot be read"):
        read_group_file(tmp_path / "none.tsv")


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("minority", "majority", "message"),
    [
        ("she", ["he"], r"'minority' must be a list of words, not the single string 'she'"),
        (["she"], "he", r"'majority' must be a list"),
        ([], ["he"], r"'minority' holds no word"),
        (["she", "doctor"], ["he", "Doctor"], r"share 1 word\(s\): Doctor"),
        (["she"], ["he", "..."], r"'\.\.\.', in which there is no letter"),
        (["she"], ["he", None], r"None is NoneType"),
        (None, ["he"], r"'minority' must be a list of words, not NoneType"),
    ],
)
def test_bad_word_lists(minority: object, majority: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        UniversalBiasFilter(minority, majority)  # type: ignore[arg-type]


@pytest.mark.parametrize("call", ["filter", "flag_sentences", "count", "assess"])
def test_bad_sentences(call: str) -> None:
    method = getattr(UniversalBiasFilter(MINORITY, MAJORITY), call)
    with pytest.raises(UsageError, match="not the single string 'She came'"):
        method("She came")
    with pytest.raises(UsageError, match="None is NoneType"):
        method(["She came", None])
    with pytest.raises(UsageError, match="a list or an iterator of strings, not int"):
        method(3)


@pytest.mark.parametrize("call", ["filter", "flag_sentences", "assess"])
def test_an_empty_corpus_has_no_result(call: str) -> None:
    with pytest.raises(MetricError, match="empty"):
        getattr(UniversalBiasFilter(MINORITY, MAJORITY), call)([])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("xx",), r"no word list for the language 'xx'; there are lists for de, en"),
        (("en", "gendre"), r"no word list 'gendre' .* \(did you mean 'gender'\?\)"),
    ],
)
def test_unknown_lists(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        UniversalBiasFilter.from_lexicon(*arguments)


def test_other_bad_arguments() -> None:
    with pytest.raises(UsageError, match=r"no group 'woman'"):
        UniversalBiasFilter.from_lexicon("en", minority="woman")
    with pytest.raises(UsageError, match="needs both word lists"):
        UniversalBiasFilter(MINORITY, MAJORITY).flag_sentences(["x"], MINORITY)
    with pytest.raises(UsageError, match="needs both word lists"):
        UniversalBiasFilter.flag_sentences(["x"])
    with pytest.raises(UsageError, match="'mixed': that is the name of a class"):
        GroupMatcher({"mixed": ["x"], "b": ["y"]})
    with pytest.raises(UsageError, match="threshold is a share in percent"):
        Standard(threshold=0)
    with pytest.raises(UsageError, match="confidence level"):
        Standard(level=100)
    with pytest.raises(UsageError, match="cannot be added"):
        GroupCounts(("a",)).merge(GroupCounts(("b",)))
    with pytest.raises(UsageError, match="no saved counts"):
        GroupCounts.from_dict({"wer": 3})


# ---------------------------------------------------------------- datasets


def test_rows_of_a_data_set() -> None:
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_dict(
        {"text": ["She came", None, "He left", "It rained", "He saw her"], "n": [*range(5)]}
    )
    f = UniversalBiasFilter(MINORITY, MAJORITY)
    tagged = rows.map(f.tagger(), batched=True)
    assert tagged["group"][:] == ["minority", None, "majority", "neutral", "mixed"]
    kept = rows.filter(f.selector("minority", "neutral"), batched=True)
    assert kept["n"][:] == [0, 3]
    streamed = rows.to_iterable_dataset().filter(f.selector("majority"), batched=True)
    assert [row["n"] for row in streamed] == [2]


def test_rows_are_asked_for_in_batches_and_by_a_column_that_exists() -> None:
    f = UniversalBiasFilter(MINORITY, MAJORITY)
    with pytest.raises(UsageError, match="batched=True"):
        f.tagger()({"text": "She came"})
    with pytest.raises(UsageError, match="no column 'body'; its columns: text"):
        f.tagger(column="body")({"text": ["She came"]})
    with pytest.raises(UsageError, match=r"no class 'minorty' \(did you mean 'minority'\?\)"):
        f.selector("minorty")


def test_matchers_can_be_sent_to_other_processes() -> None:
    matcher = GroupMatcher({"a": ["she", "queen mother", "stepgrandmother", "ma'am", "她"], "b": ["he", "Äh!x"]})
    copy = pickle.loads(pickle.dumps(matcher))
    texts = ["She", "a Queen mother", "stepgrandmother", "ma'am", "她们", "äh!x", "he"]
    assert copy.scan(texts).masks.tolist() == matcher.scan(texts).masks.tolist() == [1, 1, 1, 1, 1, 2, 2]
