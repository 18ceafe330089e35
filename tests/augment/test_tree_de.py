# ruff: noqa: E501 (a sentence is a line)
"""German pairs from trees: what a gold or a predicted parse adds to what the forms say."""

from __future__ import annotations

from pathlib import Path

import pytest

from augment.de.pair_form import german
from augment.de.tree import tree
from augment.dependency import Parse, Relation
from augment.treebank import read_treebank
from rewriter.errors import InputError
from rewriter.io.files import write_lines

# a sentence: words apart by " / ", each with universal tag, tag, features, head, relation; "+": close to the one before


def conllu(sentence: str) -> list[str]:
    rows = []
    items = sentence.split(" / ")
    for number, item in enumerate(items, 1):
        word, pos, tag, features, head, label = item.split()
        glued = number < len(items) and items[number].startswith("+")
        misc = "SpaceAfter=No" if glued else "_"
        rows.append(
            "\t".join([str(number), word.lstrip("+"), word.lower(), pos, tag, features, head, label, "_", misc])
        )
    return [*rows, ""]


CASES = {
    # die Lehrerin may be subject or object: the tree says which
    "Heute ADV ADV _ 2 advmod / lobt VERB VVFIN Number=Sing 0 root / Anna PROPN NE Case=Nom|Number=Sing 2 nsubj / "
    "die DET ART Case=Acc|Number=Sing 5 det / Lehrerin NOUN NN Case=Acc|Gender=Fem|Number=Sing 2 obj / "
    "+. PUNCT $. _ 2 punct": ("Heute lobt Anna den*die Lehrer*in.", set()),
    # a bare noun is singular or plural by its verb
    "Darum ADV ADV _ 2 advmod / lachen VERB VVFIN Number=Plur 0 root / Radler NOUN NN Case=Nom|Gender=Masc|Number=Plur 2 nsubj / "
    "oft ADV ADV _ 2 advmod / +. PUNCT $. _ 2 punct": ("Darum lachen Radler*innen oft.", set()),
    # the verb and the noun contradict each other: nothing is certain
    "Darum ADV ADV _ 2 advmod / lachen VERB VVFIN Number=Plur 0 root / Radler NOUN NN Case=Nom|Gender=Masc|Number=Sing 2 nsubj / "
    "oft ADV ADV _ 2 advmod / +. PUNCT $. _ 2 punct": ("Darum lachen Radler oft.", {"Radler"}),
}


def parse_of(sentence: str, folder: Path) -> Parse:
    write_lines(folder / "toy.conllu", conllu(sentence))
    (parse,) = read_treebank(folder / "toy.conllu")
    return parse


@pytest.mark.parametrize("sentence", CASES)
def test_a_predicted_parse_settles_what_forms_leave_open(sentence: str, tmp_path: Path) -> None:
    parse = parse_of(sentence, tmp_path)
    target, unlabelled = CASES[sentence]
    result = tree(parse, german())[0]
    assert result.target == target
    assert {result.source[start:end] for start, end in result.doubtful} == unlabelled


SURNAME = (
    "Heute ADV ADV _ 2 advmod / lacht VERB VVFIN Number=Sing 0 root / Bentje PROPN NE Number=Sing 2 nsubj / "
    "Fischer PROPN NE Number=Sing 3 flat / +. PUNCT $. _ 2 punct"
)
RELATIVE = (
    "Der DET ART Case=Nom|Number=Sing 2 det / Maler NOUN NN Case=Nom|Gender=Masc|Number=Sing 7 nsubj / "
    "hat AUX VAFIN Number=Sing 7 aux / den DET ART Case=Acc|Number=Sing 5 det / "
    "Tisch NOUN NN Case=Acc|Gender=Masc|Number=Sing 7 obj / heute ADV ADV _ 7 advmod / gekauft VERB VVPP _ 0 root / "
    "+, PUNCT $, _ 10 punct / der PRON PRELS Case=Nom|Number=Sing|PronType=Rel 10 nsubj / wackelt VERB VVFIN Number=Sing 5 acl / "
    "+. PUNCT $. _ 7 punct"
)


def test_a_surname_stays(tmp_path: Path) -> None:
    results = tree(parse_of(SURNAME, tmp_path), german(), gold=True)
    assert [(r.source, r.target, r.doubtful) for r in results] == [("Heute lacht Bentje Fischer.",) * 2 + ((),)]


def test_a_relative_clause_belongs_to_its_noun(tmp_path: Path) -> None:
    results = tree(parse_of(RELATIVE, tmp_path), german(), gold=True)
    by_form = {r.form: r for r in results}
    assert by_form["masculine"].target == "Der*die Maler*in hat den Tisch heute gekauft, der wackelt."
    assert by_form["feminine"].source == "Die Malerin hat den Tisch heute gekauft, der wackelt."
    assert by_form["masculine"].doubtful == ()


#: what a reader found wrong in pairs from trees -> words that get no label now, and words that keep theirs
FAR_ARTICLE = (
    "Gestern ADV ADV _ 2 advmod / sang VERB VVFIN Number=Sing 0 root / der DET ART Case=Nom|Number=Sing 7 det / "
    "gern ADV ADV _ 5 advmod / in ADP APPR _ 6 case / Rom PROPN NE Number=Sing 7 nmod / "
    "Maler NOUN NN Case=Nom|Gender=Masc|Number=Sing 2 nsubj / +. PUNCT $. _ 2 punct"
)
INFINITIVE = (
    "Der DET ART Case=Nom|Number=Sing 2 det / Maler NOUN NN Case=Nom|Gender=Masc|Number=Sing 4 nsubj:pass / "
    "soll AUX VMFIN Number=Sing 4 aux / gefragt VERB VVPP _ 0 root / worden AUX VAPP _ 4 aux / sein AUX VAINF _ 4 aux:pass / "
    "+, PUNCT $, _ 9 punct / schnelle ADJ ADJA _ 9 amod / Autos NOUN NN Case=Acc|Number=Plur 4 obj / +. PUNCT $. _ 4 punct"
)
NOBODY_KNOWN = (
    "Er PRON PPER Case=Nom|Number=Sing 2 nsubj / dient VERB VVFIN Number=Sing 0 root / "
    "den DET ART Case=Dat|Number=Plur 4 det / Leuten NOUN NN Case=Dat|Number=Plur 2 obl:arg / +. PUNCT $. _ 2 punct"
)
PREDICATE = (
    "Anna PROPN NE Case=Nom|Number=Sing 2 nsubj / heißt VERB VVFIN Number=Sing 0 root / "
    "die DET ART Case=Acc|Number=Sing 4 det / Lehrerin NOUN NN Case=Acc|Gender=Fem|Number=Sing 2 obj / +. PUNCT $. _ 2 punct"
)
ANYBODY = (
    "Wir PRON PPER Case=Nom|Number=Plur 2 nsubj / sahen VERB VVFIN Number=Plur 0 root / "
    "jeden DET PIAT Case=Acc|Number=Sing 4 det / andern NOUN NN Case=Acc|Number=Sing 2 obj / +. PUNCT $. _ 2 punct"
)


@pytest.mark.parametrize(
    ("sentence", "gold", "stays"),
    [
        (FAR_ARTICLE, True, "Gestern sang der gern in Rom Maler."),
        (NOBODY_KNOWN, True, "Er dient den Leuten."),
        (PREDICATE, False, "Anna heißt die Lehrerin."),
        (ANYBODY, False, "Wir sahen jeden andern."),
    ],
)
def test_what_readers_found_wrong_gives_no_pair(sentence: str, gold: bool, stays: str, tmp_path: Path) -> None:
    parse = parse_of(sentence, tmp_path)
    assert parse.text == stays
    starred = [r for r in tree(parse, german(), gold=gold) if r.dropped is None and r.source != r.target]
    assert starred == []


def test_the_infinitive_sein_is_no_possessive(tmp_path: Path) -> None:
    (result, *_) = tree(parse_of(INFINITIVE, tmp_path), german(), gold=True)
    assert result.target == "Der*die Maler*in soll gefragt worden sein, schnelle Autos."


def test_contracted_words_are_read_as_they_stand(tmp_path: Path) -> None:
    rows = [
        "1\tWir\twir\tPRON\tPPER\t_\t2\tnsubj\t_\t_",
        "2\tgehen\tgehen\tVERB\tVVFIN\t_\t0\troot\t_\t_",
        "3-4\tzum\t_\t_\t_\t_\t_\t_\t_\t_",
        "3\tzu\tzu\tADP\tAPPR\t_\t5\tcase\t_\t_",
        "4\tdem\tder\tDET\tART\tCase=Dat\t5\tdet\t_\t_",
        "5\tArzt\tArzt\tNOUN\tNN\tCase=Dat\t2\tobl\t_\t_",
        "",
    ]
    write_lines(tmp_path / "toy.conllu", rows)
    (parse,) = read_treebank(tmp_path / "toy.conllu")
    assert parse.text == "Wir gehen zum Arzt"
    assert (parse[2].text, parse[2].pos, parse[2].head, parse[3].relation) == ("zum", "DET", 3, Relation.OBLIQUE)


def test_a_row_that_is_no_conllu_is_named(tmp_path: Path) -> None:
    write_lines(tmp_path / "bad.conllu", ["1\tWir", ""])
    with pytest.raises(InputError, match="line 1: CoNLL-U has ten columns"):
        list(read_treebank(tmp_path / "bad.conllu"))
