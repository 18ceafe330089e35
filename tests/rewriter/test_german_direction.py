"""German on the way back (``--to masculine|feminine``) on cases written as data, and what holds for every text.

``tests/data/de/direction``: ``fair.tsv`` and ``fresh.tsv`` hold gender-fair sentences with their masculine and feminine
forms (the second were written after the rules, to see what those had not seen), ``gendered.tsv`` sentences in both
genders with the fair form that the way forward is told to find, ``pair.tsv`` pair forms, ``stay.tsv`` what must come
out as it is. No model takes part: the way forward is the grammar alone, or an oracle that knows the fair form.

``python tests/rewriter/test_german_direction.py`` prints the share of right answers by file and construction.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from folder_tools import cells
from hypothesis import given, settings
from hypothesis import strategies as st

from rewriter.cli.main import main
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.one_gender import fair_words, in_one_gender
from rewriter.errors import UsageError
from rewriter.language.interface import Language, get_language
from rewriter.model.alignment import match_outcomes
from rewriter.model.direction import BackProposer, turn
from rewriter.model.grammar import GRAMMAR, GrammarProposer, write_grammar_model
from rewriter.model.proposer import Proposal, Proposer, Sentence
from rewriter.pipeline import Rewriter
from rewriter.policy.protect import protected_spans
from rewriter.records import apply_edits

DATA = Path(__file__).resolve().parents[1] / "data" / "de"
GENDERS = ("masculine", "feminine")


def read(file: str) -> list[dict[str, str]]:
    return cells(DATA / f"{file}.tsv")


class Oracle:
    """A way forward that knows the fair form of a sentence and leaves the others."""

    def __init__(self, language: Language, fair: dict[str, str]) -> None:
        self.language, self.fair = language, fair

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        return [self._one(sentence) for sentence in sentences]

    def _one(self, sentence: Sentence) -> Proposal:
        text = sentence.text
        analysis = self.language.analyze(text, sentence.protected)
        options = match_outcomes(text, self.fair.get(text, text), analysis.candidates)
        assert options is not None, f"the grammar has no way from {text} to {self.fair[text]}"
        return Proposal(list(self.language.settle(text, analysis, options, [1.0] * len(options))))


class PairReader(Oracle):
    """A way forward that takes the first change of every pair form and leaves all other words."""

    def _one(self, sentence: Sentence) -> Proposal:
        text, analysis = sentence.text, self.language.analyze(sentence.text, sentence.protected)
        is_pair = [c.kind == "pair" or {"und", "oder"} & {*text[c.start : c.end].split()} for c in analysis.candidates]
        options = [int(bool(pair)) for pair in is_pair]
        return Proposal(list(self.language.settle(text, analysis, options, [1.0] * len(options))))


@cache
def german(form: str = "star") -> Language:
    return get_language("de", form=form)


@cache
def lexicon() -> GermanLexicon:
    return GermanLexicon()


@cache
def by_grammar(to: str) -> BackProposer:
    return back(to, GrammarProposer(german()))


def back(to: str, forward: Proposer, language: Language | None = None) -> BackProposer:
    _, proposer = turn(language or german(), forward, to)
    assert isinstance(proposer, BackProposer)
    return proposer


def turned(text: str, proposer: BackProposer) -> str:
    sentence = Sentence(text, tuple(protected_spans(text)))
    return apply_edits(text, proposer.propose([sentence])[0].edits)


# ---------------------------------------------------------------- cases


def cases(file: str) -> pytest.MarkDecorator:
    rows = read(f"direction/{file}")
    return pytest.mark.parametrize("case", rows, ids=[row["id"] for row in rows])


@cases("fair")
@pytest.mark.parametrize("to", GENDERS)
def test_gender_fair_words_take_a_gender(case: dict[str, str], to: str) -> None:
    assert turned(case["fair"], by_grammar(to)) == case[to]


@cases("fresh")
@pytest.mark.parametrize("to", GENDERS)
def test_so_they_do_in_cases_written_after_the_rules(case: dict[str, str], to: str) -> None:
    assert turned(case["fair"], by_grammar(to)) == case[to]


@cases("pair")
@pytest.mark.parametrize("to", GENDERS)
def test_pair_forms_lose_a_half(case: dict[str, str], to: str) -> None:
    assert turned(case["text"], back(to, PairReader(german(), {}))) == case[to]


@cases("stay")
@pytest.mark.parametrize("to", GENDERS)
def test_what_must_stay(case: dict[str, str], to: str) -> None:
    assert turned(case["text"], by_grammar(to)) == case["text"]


@cache
def told(to: str, form: str = "star") -> BackProposer:
    language = german(form)
    rows = read("direction/gendered")
    fair = {row[gender]: row["fair"].replace("*", SIGNS[form]) for row in rows for gender in GENDERS}
    return back(to, Oracle(language, fair), language)


SIGNS = {"star": "*", "colon": ":", "gap": "_"}


@cases("gendered")
@pytest.mark.parametrize("to", GENDERS)
@pytest.mark.parametrize("form", SIGNS)
def test_one_gender_becomes_the_other(case: dict[str, str], to: str, form: str) -> None:
    for source in GENDERS:
        assert turned(case[source], told(to, form)) == case[to]


def test_enough_cases() -> None:
    rows = [row for file in ("fair", "fresh", "gendered", "pair", "stay") for row in read(f"direction/{file}")]
    assert len(rows) >= 120
    assert len({row["id"] for row in rows}) == len(rows)
    assert len({row["construction"] for row in read("direction/fair")}) >= 30


# ---------------------------------------------------------------- there and back on the open development set


@cache
def open_rows() -> dict[str, list[dict[str, str]]]:
    """Return target -> rows of the development set."""
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in read("open/gendered"):
        found[row["target"]].append(row)
    return found


def round_trips() -> Iterator[tuple[str, str, bool]]:
    """Yield (construction, what, right): targets to their sources, and sources to each other."""
    fair = {row["source"]: row["target"] for rows in open_rows().values() for row in rows}
    forward = {to: back(to, Oracle(german(), fair)) for to in GENDERS}
    for target, rows in open_rows().items():
        answers = {to: turned(target, forward[to]) for to in GENDERS}
        for row in rows:
            construction = row["construction"]
            if not construction.startswith("pair"):  # their sources have both genders
                yield construction, "target to source", row["source"] in answers.values()
            for to in GENDERS:
                yield construction, "source to other gender", turned(row["source"], forward[to]) == answers[to]


def test_round_trips_of_the_open_half() -> None:
    """Every target gives its masculine or its feminine source, and every source what its target gives."""
    wrong = Counter((what, construction) for construction, what, right in round_trips() if not right)
    assert sum(wrong.values()) <= 3, wrong


# ---------------------------------------------------------------- what the edits say


def test_an_open_case_is_taken_for_the_nominative_and_said() -> None:
    (edit,) = by_grammar("masculine").propose([Sentence("Lehrer*innen half das.")])[0].edits
    assert edit.after == "Lehrer"
    assert edit.reason == "Lehrer*innen -> Lehrer: masculine, no word shows the case: nominative"


def test_the_case_that_was_found_is_said() -> None:
    edits = by_grammar("masculine").propose([Sentence("Der Hut des*der Student*in")])[0].edits
    assert edits[-1].reason == "Student*in -> Studenten: masculine, genitive"


def test_a_feminine_never_has_an_open_case() -> None:
    text = "Lehrer*innen und Student*in"
    assert any(item.is_open for item in in_one_gender(text, lexicon(), feminine=False))
    assert not any(item.is_open for item in in_one_gender(text, lexicon(), feminine=True))


def test_kinds_are_those_of_policies() -> None:
    text = "Der*die neue*r Imker*in sagt, er*sie mag seine*ihre Kund*innendaten und den*die Kranke*n."
    edits = by_grammar("feminine").propose([Sentence(text)])[0].edits
    kinds = [edit.kind for edit in edits]
    assert kinds == [
        "article", "adjective", "noun", "pronoun", "possessive", "compound", "article", "nominalised",
    ]  # fmt: skip


def test_words_of_the_wanted_gender_stay_whatever_the_way_forward_says() -> None:
    text = "Der Lehrerin half ihre Ärztin."
    fair = {text: "Dem*der Lehrer*in half seine*ihre Ärztin."}
    assert turned(text, back("feminine", Oracle(german(), fair))) == text


# ---------------------------------------------------------------- every text


WORDS = st.sampled_from(
    (
        "der*die|den*die|dem*der|des*der|ein*e|eine*n|neue*r|er*sie|sein*ihr|seine*ihre*n|die|der|mit|von|und|,|.|"
        "Lehrer*in|Lehrer*innen|Student:in|Ärzt_innen|KundInnen|Bauer|Bäuerin|Tisch|Kund*innendaten|Angestellte*n|"
        "Ärztinnen/Ärzte|Imkerinnen|oder|Imker|*|**|_|(|)|`|https://example.org/Lehrer*in|30|über|\n|"
        "vom*von der Köch*in"
    ).split("|")
)


@given(st.lists(WORDS, max_size=20).map(" ".join), st.sampled_from(GENDERS))
@settings(deadline=None)
def test_edits_replay_and_a_second_pass_finds_no_fair_word(text: str, to: str) -> None:
    sentence = Sentence(text, tuple(protected_spans(text)))
    edits = by_grammar(to).propose([sentence])[0].edits
    assert all(text[edit.start : edit.end] == edit.before != edit.after for edit in edits)
    result = apply_edits(text, edits)
    assert result.count("\n") == text.count("\n")
    assert fair_words(result, lexicon(), protected_spans(result)) == []


@given(st.text(max_size=60), st.sampled_from(GENDERS))
@settings(deadline=None)
def test_text_that_the_gate_holds_back_would_stay(text: str, to: str) -> None:
    language, proposer = turn(german(), GrammarProposer(german()), to)
    if not language.gate(text):
        assert proposer.propose([Sentence(text)])[0].edits == []


# ---------------------------------------------------------------- through the doors that people use


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "de-grammar"
    assert write_grammar_model(folder, "de").target == GRAMMAR
    return folder


TEXT = "Der*die Imker*in niest.\nDie Köch*innen gähnen.\nDer Tisch steht.\n"
MASCULINE = "Der Imker niest.\nDie Köche gähnen.\nDer Tisch steht.\n"


def test_the_command(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "in.txt"
    source.write_text(TEXT, encoding="utf-8")
    assert main(["rewrite", str(source), "--model", str(model), "--to", "masculine"]) == 0
    assert capsys.readouterr().out == MASCULINE
    assert main(["rewrite", str(source), "--model", str(model)]) == 0
    assert capsys.readouterr().out == TEXT


@pytest.mark.parametrize("form", ["star", "colon", "pair"])
def test_the_form_of_fair_words_does_not_matter(model: Path, form: str) -> None:
    rewriter = Rewriter.from_pretrained(model, form=form, normalise=form == "colon")
    for to, wanted in (("masculine", "Der Koch mag den Imker."), ("feminine", "Die Köchin mag die Imkerin.")):
        assert rewriter.directed(to).rewrite("Der:die Köch:in mag den*die Imker*in.") == wanted
    fair = rewriter.directed("feminine").directed("fair")
    assert fair.rewrite("Die Köche gähnen.") == rewriter.rewrite("Die Köche gähnen.")


def test_own_nouns_go_back(model: Path, tmp_path: Path) -> None:
    table = tmp_path / "own.tsv"
    table.write_text("gendered\tfair\nQuux\tQuux*in\n", encoding="utf-8")
    rewriter = Rewriter.from_pretrained(model, lexicon=str(table), to="feminine")
    assert rewriter.rewrite("Der*die Quux*in singt.") == "Die Quuxin singt."


def test_a_language_without_rules_says_so() -> None:
    class Nowhere:
        code = "xx"

    with pytest.raises(UsageError, match="the language 'xx' has no way back"):
        turn(Nowhere(), GrammarProposer(german()), "feminine")  # type: ignore[arg-type]


def table() -> str:
    """Return the share of right answers by file and construction."""
    total, right = Counter[str](), Counter[str]()

    def count(key: str, is_right: bool) -> None:
        total[key] += 1
        right[key] += is_right

    for file, source in (("fair", "fair"), ("fresh", "fair"), ("stay", "text")):
        for row in read(f"direction/{file}"):
            for to in GENDERS:
                is_right = turned(row[source], by_grammar(to)) == row.get(to, row[source])
                count(file, is_right)
                count(f"{file}: {row['construction']}", is_right)
    for row in read("direction/gendered"):
        for to in GENDERS:
            for gender in GENDERS:
                count("gendered", turned(row[gender], told(to)) == row[to])
    for _, what, is_right in round_trips():
        count(what, is_right)
    return "\n".join(f"{key:40} {right[key]:4} of {total[key]}" for key in total)


if __name__ == "__main__":
    print(table())
