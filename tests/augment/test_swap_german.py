"""Swapping genders in German: cases as data, involution and losslessness as properties, directions, names, settings."""

from __future__ import annotations

import os
import re
from itertools import islice
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from hypothesis import given, settings
from hypothesis import strategies as st

from augment.de.swapping.lexicon import HEADS
from augment.de.swapping.pairs import pairs
from augment.swap import DIRECTIONS, Swapper, SwapperSpec, swap_corpus
from augment.swap.cases import read_swap_cases
from eval.cases import Case
from lexicons.loader import read_table
from rewriter.corpus.run import CorpusOptions
from rewriter.de.segmenter import segment
from rewriter.errors import ModelError
from rewriter.io.files import read_lines
from rewriter.policy import Policy
from rewriter.records import apply_edits

ROWS = read_swap_cases(Path(__file__).parent.parent / "data" / "de" / "swap" / "open.tsv")
#: cases that the network reads wrong, and those whose target is another convention (both genders side by side stay)
KNOWN_FAILURES = {
    line.split("\t")[0]: line.split("\t")[1]
    for line in read_lines(Path(__file__).parent.parent / "data" / "de" / "swap" / "known-failures.tsv")
    if line and not line.startswith(("#", "id\t"))
}
CASES = [case for case, direction in ROWS if direction == "both"]
ENGLISH = [case for case, _ in read_swap_cases(Path(__file__).parent.parent / "data" / "en" / "swap" / "open.tsv")]
NAME_PAIRS = [row for row in read_table("de", "name_pairs") if row["way"] == "both"]


@pytest.fixture(scope="module")
def swapper() -> Swapper:
    return Swapper("de")


def test_there_are_enough_open_cases() -> None:
    assert len(CASES) >= 200
    assert len(CASES) + len(ENGLISH) >= 400


@pytest.fixture(scope="module")
def one_way() -> dict[str, Swapper]:
    return {direction: Swapper("de", direction=direction) for direction in DIRECTIONS}


def _marked(case: Case, direction: str) -> ParameterSet:
    reason = KNOWN_FAILURES.get(case.id)
    # a processor without products of 8 bits computes in float32, which a few cases at the border notice
    strict = not (reason or "").startswith("either way")
    marks = [pytest.mark.xfail(reason=reason, strict=strict)] if reason else []
    return pytest.param(case, direction, id=case.id, marks=marks)


@pytest.mark.parametrize(("case", "direction"), [_marked(case, direction) for case, direction in ROWS])
def test_open_case(one_way: dict[str, Swapper], case: Case, direction: str) -> None:
    assert one_way[direction].swap(case.source) == case.target


def test_every_known_failure_is_a_case() -> None:
    assert KNOWN_FAILURES.keys() <= {case.id for case, _ in ROWS}


@pytest.mark.xfail(reason="the network reads one in seven cases another way when it reads their twins", strict=True)
def test_nearly_every_case_comes_back_when_swapped_twice(swapper: Swapper) -> None:
    one_way_words = ("Krankenschwester", "Gesucht:")
    cases = [case for case in CASES if not any(word in case.source for word in one_way_words)]
    lost = [case.id for case in cases if swapper.swap(case.target) != case.source]
    assert len(lost) <= 0.01 * len(cases), lost


class TestTables:
    def test_names_are_paired_one_to_one(self) -> None:
        women, men = ({row[gender] for row in NAME_PAIRS} for gender in ("feminine", "masculine"))
        assert len(women) == len(men) == len(NAME_PAIRS) >= 400
        assert not women & men

    def test_pairs_of_nouns_are_one_to_one(self) -> None:
        sides = [
            (prefix, side.lemma, side.plural)
            for pair, prefixes in pairs()
            if pair.way == "both"
            for prefix in prefixes
            for side in pair.sides
        ]
        assert len(sides) == len(set(sides))


#: phrases in the nominative, accusative, dative and genitive, singular and plural, of a masculine and a feminine noun
_NOUNS = st.sampled_from(
    [
        ("Lehrer", "Lehrerin"),
        ("Arzt", "Ärztin"),
        ("Student", "Studentin"),
        ("Kollege", "Kollegin"),
        ("Grundschullehrer", "Grundschullehrerin"),
        ("Bruder", "Schwester"),
        ("Onkel", "Tante"),
        ("König", "Königin"),
        ("Geschäftsmann", "Geschäftsfrau"),
        ("Stiefvater", "Stiefmutter"),
        ("Prinz", "Prinzessin"),
        ("Witwer", "Witwe"),
        ("Bauer", "Bäuerin"),
        ("Franzose", "Französin"),
    ]
)
_ADJECTIVES = st.sampled_from(["", "alt", "jung", "sehr klug"])
_DETERMINERS = st.sampled_from(["d", "ein", "kein", "mein", "unser", "euer", "jed", "dies", "welch"])
_NOMINATIVE = {
    "d": ("der", "die"),
    "jed": ("jeder", "jede"),
    "dies": ("dieser", "diese"),
    "welch": ("welcher", "welche"),
}
_STRONG = {"d", "jed", "dies", "welch"}


def nominative(determiner: str, adjective: str, noun: str, feminine: int) -> str:
    """Return a phrase in the nominative (*ein alter Lehrer*)."""
    plain = {"euer": ("euer", "eure")}.get(determiner, (determiner, determiner + "e"))
    words = [_NOMINATIVE.get(determiner, plain)[feminine]]
    if adjective:
        words.append(adjective + ("e" if feminine or determiner in _STRONG else "er"))
    return " ".join([*words, noun])


class TestProperties:
    @settings(max_examples=150, deadline=None, derandomize=True)
    @given(_DETERMINERS, _ADJECTIVES, _NOUNS, st.booleans())
    def test_a_phrase_agrees_and_swapping_twice_gives_it_back(
        self, swapper: Swapper, determiner: str, adjective: str, nouns: tuple[str, str], feminine: bool
    ) -> None:
        text = f"Heute kommt {nominative(determiner, adjective, nouns[feminine], feminine)} nach Bonn."
        once = swapper.swap(text)
        assert once == f"Heute kommt {nominative(determiner, adjective, nouns[not feminine], not feminine)} nach Bonn."
        assert swapper.swap(once) == text

    @settings(max_examples=80, deadline=None)
    @given(st.lists(st.sampled_from(NAME_PAIRS), min_size=1, max_size=4, unique_by=lambda row: row["feminine"]))
    def test_swapping_paired_names_twice_gives_them_back(self, swapper: Swapper, rows: list[dict[str, str]]) -> None:
        text = " ".join(f"Dann fragten wir {row['feminine'].capitalize()} danach." for row in rows)
        once = swapper.swap(text)
        assert once == " ".join(f"Dann fragten wir {row['masculine'].capitalize()} danach." for row in rows)
        assert swapper.swap(once) == text

    @settings(max_examples=200, deadline=None)
    @given(
        st.text(max_size=60),
        st.sampled_from(
            ["Sie ging.", "Karins König", "\tder Mann\r\n", "von der\nÄrztin", "Frau 😀 Weber", "ihr, ihre,"]
        ),
    )
    def test_edits_replay_and_leave_everything_else(self, swapper: Swapper, noise: str, words: str) -> None:
        for text in (noise, noise + words, f"{words} {noise}"):
            result = swapper.swap(text, return_edits=True)
            assert apply_edits(text, result.edits) == result.text
            assert all(text[e.start : e.end] == e.before != e.after for e in result.edits)
            assert result.text.count("\n") == text.count("\n")

    @settings(max_examples=100, deadline=None)
    @given(st.text(alphabet="zxqvk .,;\n\t'\"0123456789€ß中", max_size=80))
    def test_text_without_gendered_words_stays(self, swapper: Swapper, text: str) -> None:
        assert swapper.swap(text) == text

    @pytest.mark.parametrize("country", ["Bayern", "Polen", "Schweden", "Westfalen"])
    def test_countries_that_are_called_like_their_people_stay(self, swapper: Swapper, country: str) -> None:
        assert swapper.swap(f"In {country} regnet es.") == f"In {country} regnet es."


@pytest.mark.data
@pytest.mark.slow
def test_ten_thousand_sentences_without_gendered_words_stay(swapper: Swapper) -> None:
    if not os.environ.get("GENDER_FAIR_DATA"):
        pytest.skip("needs GENDER_FAIR_DATA")
    texts = plain_sentences(Path(os.environ["GENDER_FAIR_DATA"]) / "de" / "train", 10_000)
    assert len(texts) == 10_000
    changed = [(text, after) for text, after in zip(texts, swapper.swap(texts), strict=True) if text != after]
    assert changed == []


_PRONOUNS = re.compile(
    r"(?i)(?<!\w)(?:er|ihn|ihm|sie|ihr\w{0,2}|sein\w{0,2}|einer|keiner|jeder|der|die|welche\w?)(?!\w)"
)


def plain_sentences(folder: Path, count: int) -> list[str]:
    """Return sentences without a pronoun, a listed noun or name, or what may be a person's noun, told word by word."""
    listed = {
        (prefix + form).lower()
        for pair, prefixes in pairs()
        for side in pair.sides
        for form, _, _ in side.cells()
        for prefix in prefixes
    }
    listed |= {row[gender] for row in read_table("de", "name_pairs") for gender in ("feminine", "masculine")}
    listed |= {name + "s" for name in listed}
    heads = tuple({row["masculine"].lower()[-4:] for row in read_table("de", "persons")})
    found: list[str] = []
    for path in sorted(folder.glob("general-*.txt*")):
        for line in islice(read_lines(path), 30_000):
            for start, end in segment(line):
                sentence = line[start:end]
                if not _PRONOUNS.search(sentence) and not any(
                    _may_be_person(w, listed, heads) for w in sentence.split()
                ):
                    found.append(sentence)
        if len(found) >= count:
            break
    return found[:count]


def _may_be_person(word: str, listed: set[str], heads: tuple[str, ...]) -> bool:
    lower = re.sub(r"\W", "", word).lower()
    if lower in listed or "weiblich" in lower or "männlich" in lower or "ütterlich" in lower or "äterlich" in lower:
        return True
    if not re.sub(r"\W", "", word)[:1].isupper():
        return False
    parts = re.split(r"[\W_]+", word.lower())
    endings = ("", "e", "n", "en", "s", "es", "r", "in", "innen")
    return any(
        part in listed
        or part.endswith(tuple(HEADS))
        or any(part.removesuffix(e).endswith(heads) for e in endings)
        or part.endswith(("e", "en", "er", "em", "in"))
        for part in parts
    )


class TestSettings:
    @pytest.mark.parametrize(
        ("direction", "expected"),
        [
            ("both", "Er kennt den König und seine Tochter."),
            ("to-masculine", "Er kennt den König und seinen Sohn."),
            ("to-feminine", "Sie kennt die Königin und ihre Tochter."),
        ],
    )
    def test_direction(self, direction: str, expected: str) -> None:
        assert Swapper("de", direction=direction).swap("Sie kennt die Königin und ihren Sohn.") == expected

    @pytest.mark.parametrize(
        "text", ["Er oder sie muss zahlen.", "Lehrerinnen und Lehrer streiken.", "Mutter und Vater schlafen."]
    )
    @pytest.mark.parametrize("direction", ["to-masculine", "to-feminine"])
    def test_both_genders_side_by_side_stay_in_one_direction(self, text: str, direction: str) -> None:
        assert Swapper("de", direction=direction).swap(text) == text

    def test_names_can_be_left_alone(self) -> None:
        assert Swapper("de", names=False).swap("Karin sucht ihren Hut.") == "Karin sucht seinen Hut."

    def test_own_names_and_words_come_first(self) -> None:
        own = Swapper("de", names=[("Leyla", "Cem")], words=[("Drahtzieherin", "Drahtzieher"), ("Muse", "Musengott")])
        assert own.swap("Leyla malt mit ihrer Muse.") == "Cem malt mit seinem Musengott."
        assert own.swap("Cem traf Karin.") == "Leyla traf Peter."

    def test_a_policy_takes_edits_away(self) -> None:
        text = "Er fragte Karin."
        assert Swapper("de", policy=Policy(deny_kinds=("name",))).swap(text) == "Sie fragte Karin."
        assert Swapper("de", policy=Policy(protect=("fragte Karin",))).swap(text) == "Sie fragte Karin."
        assert Swapper("de", policy=Policy(deny=("Arzt",))).swap("Der Arzt half.") == "Der Arzt half."

    def test_edits_tell_what_was_swapped(self, swapper: Swapper) -> None:
        result = swapper.swap("Herr Weber kam mit seiner jungen Ärztin, die ihm half.", return_edits=True)
        assert [(e.before, e.after, e.kind) for e in result.edits] == [
            ("Herr", "Frau", "title"),
            ("seiner", "ihrem", "possessive"),
            ("Ärztin", "Arzt", "noun"),
            ("die", "der", "relative"),
            ("ihm", "ihr", "pronoun"),
        ]

    def test_a_name_keeps_its_partner_throughout_a_document(self, swapper: Swapper) -> None:
        result = swapper.swap("Karin saß da.\n\nKARIN UND ALLE STANDEN AUF.\n\nWir sahen Karin.", return_edits=True)
        assert {edit.after.lower() for edit in result.edits} == {"peter"}

    def test_a_broken_line_is_not_joined(self, swapper: Swapper) -> None:
        assert swapper.swap("Ein Brief von\nder Ärztin kam.") == "Ein Brief von\ndem Arzt kam."


def test_without_its_model_german_is_not_swapped(tmp_path: Path) -> None:
    spec = SwapperSpec(model="no such model", lang="de", strategy="cda")
    path = tmp_path / "a.txt"
    path.write_text("Der Arzt kam.\n", encoding="utf-8")
    with pytest.raises(ModelError, match="no such model"):
        swap_corpus([path], tmp_path / "b.txt", spec=spec, options=CorpusOptions(processes=1))


def test_a_head_belongs_to_its_encoder() -> None:
    with pytest.raises(ModelError, match="belongs to another encoder"):
        Swapper("de", model="de-large")


def test_the_edit_of_a_person_says_how_sure_the_network_was(swapper: Swapper) -> None:
    edits = swapper.swap("Der Arzt half ihr.", return_edits=True).edits
    assert all(re.search(r": \w+, network 0\.\d\d$", edit.reason) and 0.6 < edit.score <= 1 for edit in edits)
    assert len(edits) == 3


def test_a_fact_of_biology_leaves_the_sentence(swapper: Swapper) -> None:
    result = swapper.swap("Sie ist schwanger. Er ist Arzt.", return_edits=True)
    assert result.text == "Sie ist schwanger. Sie ist Ärztin."
    assert [reason for _, reason in result.left] == ["fact of biology: schwanger"]


def test_files_are_swapped(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b'id,text\n1,"Der Arzt, ""ja, er"", sagte es"\r\n2,Es regnet.\n')
    spec = SwapperSpec(model="de", lang="de", strategy="cda")
    summary = swap_corpus([path], tmp_path / "b.csv", spec=spec, options=CorpusOptions(processes=1))
    assert summary.changed == 1
    assert (tmp_path / "b.csv").read_bytes().decode() == (
        'id,text\n1,"Der Arzt, ""ja, er"", sagte es"\r\n1,"Die Ärztin, ""ja, sie"", sagte es"\r\n2,Es regnet.\n'
    )


def test_a_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Der Arzt kam.\n", encoding="utf-8")
    spec = SwapperSpec(model="no such model", lang="de", strategy="cda")
    with pytest.raises(ModelError, match="no such model"):
        swap_corpus([path], tmp_path / "b.txt", spec=spec, options=CorpusOptions(processes=1))


@pytest.mark.parametrize(
    ("text", "swapped"),
    [
        ("Sie kennt die Ärztin.", "Er kennt den Arzt."),
        ("Gestern traf sie die alte Bäuerin.", "Gestern traf er den alten Bauern."),
        ("Gestern traf die Lehrerin ihre Chefin.", "Gestern traf der Lehrer seinen Chef."),
        ("Sie ist die Lehrerin.", "Er ist der Lehrer."),  # a predicate is no object
        ("Als Mutter hat sie viel zu tun.", "Als Vater hat er viel zu tun."),
        ("Sie blieb eine gute Ärztin.", "Er blieb ein guter Arzt."),
        ("Die Ärztin lachte, und die Lehrerin schwieg.", "Der Arzt lachte, und der Lehrer schwieg."),
    ],
)
def test_a_clause_has_one_subject(swapper: Swapper, text: str, swapped: str) -> None:
    assert swapper.swap(text) == swapped
