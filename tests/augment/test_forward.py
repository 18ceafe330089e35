"""Forward rules: each with cases in which it acts and cases in which it must not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from augment.dependency import Parse, Parser
from augment.en.forward import form_of, forward
from augment.languages import get
from rewriter.en.lexicon import EnglishLexicon
from rewriter.language.rules import Rules, TracedRules, known_rules
from rewriter.records import apply_edits

Annotate = Callable[[str], Parse]
ENGLISH = get("en")
RULES = {name: rule for name, rule in known_rules("en").items() if rule.decision.asked == "labelling"}

# (rule, annotated sentence, target): the rule's name stands in the reason of at least one edit.
POSITIVE = [
    ("forced", "We/PRP saw/VBD him/PRP/2/obj ~./.", "We saw them."),
    ("forced", "He/PRP/3/nsubj or/CC she/PRP slept/VBD/0/ROOT ~./.", "They slept."),
    ("plain", "and/CC He/PRP/3/nsubj spoke/VBD/0/ROOT ~./.", "and They spoke."),
    ("her by parse", "Ann/NNP paints/VBZ her/PRP$/4/nmod:poss fence/NN/2/obj ~./.", "Ann paints their fence."),
    ("her by parse", "We/PRP met/VBD her/PRP/2/obj Tuesday/NNP/2/obl ~./.", "We met them Tuesday."),
    ("forced", "It/PRP kept/VBD her/PRP$/2/obj awake/JJ", "It kept them awake"),
    ("her before what no possessive precedes", "It/PRP puzzled/VBD her/PRP$ meanwhile/RB", "It puzzled them meanwhile"),
    ("her before a lone adjective", "They/PRP call/VBP her/PRP$ odd/JJ ~./.", "They call them odd."),
    ("her with a verb that takes a person", "I/PRP owe/VBP her/PRP$/4/nmod:poss gravel/NN/2/obj", "I owe them gravel"),
    ("her with a verb that takes a person", "I/PRP heard/VBD her/PRP$/4/nmod:poss yodel/VB", "I heard them yodel"),
    ("her at the beginning", "Her/PRP very/RB loud/JJ dog/NN barked/VBD", "Their very loud dog barked"),
    ("her behind a subordinator", "because/IN her/PRP looks/NNS deceive/VBP", "because their looks deceive"),
    ("his alone", "The/DT hat/NN is/VBZ his/PRP$ ~,/, I/PRP say/VBP", "The hat is theirs, I say"),
    ("friend of his", "A/DT cousin/NN of/IN his/PRP$ runs/VBZ on/IN coal/NN", "A cousin of theirs runs on coal"),
    ("his before a noun", "I/PRP found/VBD his/PRP$/4/nmod:poss quoin/NN/2/obj", "I found their quoin"),
    ("'s with a participle", "She/PRP/3/nsubj ~'s/VBZ/3/aux/have eaten/VBN/0/ROOT it/PRP/3/obj", "They've eaten it"),
    ("'s with a participle", "He/PRP/3/nsubj ~'s/VBZ/3/aux been/VBN/0/ROOT there/RB", "They've been there"),
    ("'s with a participle", "He/PRP/3/nsubj ~’s/VBZ/3/cop married/VBN/0/ROOT", "They’re married"),
    ("'s with a state", "She/PRP/3/nsubj ~'s/VBZ/3/cop/be late/JJ/0/ROOT", "They're late"),
    ("verb beside its pronoun", "She/PRP/3/nsubj rarely/RB knows/VBZ/0/ROOT", "They rarely know"),
    ("verb beside its pronoun", "He/PRP/3/nsubj is/VBZ/3/cop late/JJ/0/ROOT", "They are late"),
    ("verb beside its pronoun", "She/PRP/4/nsubj does/VBZ/4/aux ~n't/RB/4/advmod know/VB/0/ROOT", "They don't know"),
    ("verb before its pronoun", "Is/VBZ/3/cop she/PRP/3/nsubj late/JJ/0/ROOT ~?/.", "Are they late?"),
    ("verb before its pronoun", "It/PRP is/VBZ ~,/, says/VBZ/0/ROOT he/PRP/4/nsubj ~./.", "It is, say they."),
    (
        "verb of a relative clause",
        "He/PRP/4/nsubj who/WP/3/nsubj waits/VBZ/1/acl:relcl wins/VBZ/0/ROOT",
        "They who wait win",
    ),
    (
        "verb after a parenthesis",
        "She/PRP ~,/, however/RB ~,/, knows/VBZ/0/ROOT it/PRP/5/obj",
        "They, however, know it",
    ),
    (
        "verb by parse",
        "He/PRP/6/nsubj at/IN/3/case night/NN/1/nmod of/IN course/NN walks/VBZ/0/ROOT",
        "They at night of course walk",
    ),
    (
        "coordinated verb",
        "She/PRP/2/nsubj sings/VBZ/0/ROOT and/CC/4/cc dances/VBZ/2/conj",
        "They sing and dance",
    ),
    ("noun of the table", "A/DT policeman/NN/3/nsubj slept/VBD/0/ROOT ~./.", "A police officer slept."),
    ("noun of the table", "An/DT actress/NN/3/nsubj slept/VBD/0/ROOT ~./.", "An actor slept."),
]

# (rule, annotated sentence): nothing changes, and the rule is what keeps it or must not fire.
NEGATIVE = [
    ("forced", "The/DT hero/NN sleeps/VBZ ~./."),
    ("plain", "They/PRP met/VBD Dr./NNP He/NNP ~./."),
    ("abbreviation", "The/DT HE/NNP sector/NN grows/VBZ ~./."),
    ("name", "Wilhelm/NNP His/NNP drew/VBD embryos/NNS ~./."),
    ("name", "Stars/NNS fuse/VBP H/NN into/IN He/NNP for/IN years/NNS ~./."),
    ("plain", "|/SYM He/PRP |/SYM 4.2/CD |/SYM"),
    ("her by parse", "We/PRP met/VBD Ms/NNP Her/NNP"),
    ("her before what no possessive precedes", "See/VB `her`/NN"),
    ("her before a lone adjective", "They/PRP call/VBP them/PRP plain/JJ"),
    ("her with a verb that takes a person", "We/PRP owe/VBP them/PRP money/NN"),
    ("her at the beginning", "Hermes/NNP flew/VBD"),
    ("her behind a subordinator", "because/IN their/PRP$ looks/NNS deceive/VBP"),
    ("his alone", "This/DT is/VBZ theirs/PRP"),
    ("friend of his", "A/DT cousin/NN of/IN theirs/PRP runs/VBZ it/PRP"),
    ("his before a noun", "the/DT bundle/NN of/IN His/NNP"),
    ("'s with a participle", "Ann/NNP ~'s/VBZ gone/VBN"),
    ("'s with a state", "It/PRP ~'s/VBZ late/JJ"),
    ("pronoun stays", "Dr./NNP He/NNP ~'s/POS paper/NN"),
    ("verb beside its pronoun", "They/PRP know/VBP it/PRP"),
    ("verb before its pronoun", "Is/VBZ it/PRP late/JJ ~?/."),
    ("verb of a relative clause", "Everyone/NN who/WP enters/VBZ has/VBZ to/TO wash/VB"),
    ("verb after a parenthesis", "It/PRP ~,/, however/RB ~,/, works/VBZ"),
    ("verb by parse", "The/DT dog/NN barks/VBZ"),
    ("coordinated verb", "It/PRP comes/VBZ and/CC goes/VBZ"),
    ("verb of another subject", "It/PRP/2/nsubj rains/VBZ/0/ROOT"),
    ("noun in -s", "Their/PRP$ works/NNS hang/VBP there/RB"),
    ("surname", "Ms./NNP Foreman/NNP slept/VBD"),
    ("surname", "We/PRP met/VBD George/NNP Foreman/NNP"),
    ("verb reading", "We/PRP steward/VBP/0/ROOT it/PRP"),
    ("verb reading", "They/PRP are/VBP stewards/NNS of/IN the/DT land/NN"),
    ("noun of the table", "The/DT seamstress/NN slept/VBD"),
]

# Sentences in which one thing changes and its neighbour must not: the negative side of the deciding rules.
MIXED = [
    (
        "She/PRP/2/nsubj thinks/VBZ/0/ROOT the/DT dog/NN/5/nsubj likes/VBZ/2/ccomp me/PRP",
        "They think the dog likes me",
    ),
    ("He/PRP/2/nsubj says/VBZ/0/ROOT it/PRP/4/nsubj works/VBZ/2/ccomp", "They say it works"),
    (
        "The/DT tool/NN/7/nsubj ~,/, he/PRP/5/nsubj says/VBZ/7/parataxis ~,/, helps/VBZ/0/ROOT",
        "The tool, they say, helps",
    ),
    ("He/PRP/2/nsubj shows/VBZ/0/ROOT his/PRP$/4/nmod:poss works/NNS/2/obj", "They show their works"),
    ("If/IN he/PRP/4/nsubj were/VBD/4/cop taller/JJR/0/ROOT", "If they were taller"),
    ("She/PRP/3/nsubj can/MD/3/aux swim/VB/0/ROOT", "They can swim"),
    ("He/PRP/3/nsubj ai/VBZ/3/aux ~n't/RB/1/advmod", "They ain't"),
    ("She/PRP/2/nsubj always/RB forgets/VBZ/0/ROOT", "They always forget"),
    ("He/PRP/2/nsubj kind/RB of/RB glances/NNS/0/ROOT up/RB", "They kind of glance up"),
    ("HE/PRP/2/nsubj KNOWS/VBZ/0/ROOT", "THEY KNOW"),
    (
        "The/DT chairmen/NNS ~'/POS hats/NNS and/CC the/DT actresses/NNS ~'/POS hats/NNS",
        "The chairpeople' hats and the actors' hats",
    ),
]


@pytest.mark.parametrize(("rule", "line", "target"), POSITIVE)
def test_rule_acts(annotate: Annotate, rule: str, line: str, target: str) -> None:
    result = ENGLISH.forward(annotate(line))
    assert result.target == target
    assert rule in {edit.reason for edit in result.edits}
    assert result.statistics[rule] >= 1
    assert apply_edits(result.source, result.edits) == target


@pytest.mark.parametrize(("rule", "line"), NEGATIVE)
def test_rule_leaves_alone(annotate: Annotate, rule: str, line: str) -> None:
    parse = annotate(line)
    result = ENGLISH.forward(parse)
    assert result.target == parse.text
    assert result.dropped == "nothing to rewrite"


@pytest.mark.parametrize(("line", "target"), MIXED)
def test_neighbours_stay(annotate: Annotate, line: str, target: str) -> None:
    assert ENGLISH.forward(annotate(line)).target == target


def speakers(parse: Parse) -> set[str]:
    rules = TracedRules("en")
    forward(parse, EnglishLexicon.load(rules=rules))
    return {one.rule.name for one in rules.taken()}


@pytest.mark.parametrize("name", RULES)
def test_rule_speaks_in_its_example_only(annotate: Annotate, name: str) -> None:
    assert name in speakers(annotate(RULES[name].example))
    assert name not in speakers(annotate(RULES[name].counter))


def test_a_rule_is_left_out_by_name(annotate: Annotate) -> None:
    parse = annotate("I/PRP owe/VBP her/PRP$/4/nmod:poss gravel/NN/2/obj")
    lexicon = EnglishLexicon.load(rules=Rules("en", ["her with a verb that takes a person"]))
    assert forward(parse, EnglishLexicon.load()).target == "I owe them gravel"
    assert forward(parse, lexicon).target == "I owe their gravel"


def test_every_rule_has_cases() -> None:
    keepers = {
        "abbreviation",
        "name",
        "pronoun stays",
        "noun in -s",
        "verb of another subject",
        "surname",
        "verb reading",
    }
    assert set(RULES) == {rule for rule, *_ in POSITIVE} | keepers
    assert set(RULES) == {rule for rule, _ in NEGATIVE}


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("He/PRP/2/nsubj slept/VBD/0/ROOT", "masculine"),
        ("She/PRP/2/nsubj slept/VBD/0/ROOT", "feminine"),
        ("He/PRP/2/nsubj met/VBD/0/ROOT her/PRP/2/obj ~./.", "mixed"),
        ("The/DT chairwoman/NN slept/VBD", "feminine"),
        ("The/DT chairman/NN slept/VBD", "masculine"),
    ],
)
def test_form_of_the_source(annotate: Annotate, line: str, form: str) -> None:
    result = ENGLISH.forward(annotate(line))
    assert result.form == form == form_of(list(result.edits))


def test_a_contradicted_decision_is_doubtful(annotate: Annotate) -> None:
    # the parse gives the distant verb to the pronoun although a noun stands right before it
    parse = annotate("He/PRP/5/nsubj at/IN the/DT store/NN works/VBZ/0/ROOT")
    result = ENGLISH.forward(parse)
    assert [parse.text[a:b] for a, b in result.doubtful] == ["works"]


@pytest.mark.parametrize(
    ("text", "strategy", "expected"),
    [
        ("She knows.", "forward", True),
        ("They know.", "forward", False),
        ("They know.", "backward", True),
        ("They know that she left.", "backward", False),
        ("The chairperson left.", "backward", True),
        ("It rains.", "backward", False),
    ],
)
def test_candidates_prefilter(text: str, strategy: str, expected: bool) -> None:
    assert ENGLISH.candidates(text, strategy) is expected


# ------------------------------------------------------------ through the trained pipeline

THROUGH_THE_PARSER = [
    ("He who gathers wood in summer has a warm winter.", "They who gather wood in summer have a warm winter."),
    ("She packs her bag and, after a last look, drives off.", "They pack their bag and, after a last look, drive off."),
    ("He isn't going to sing, is he?", "They aren't going to sing, are they?"),
    ("Nor does he regret his choice.", "Nor do they regret their choice."),
    (
        "The mayor says she has read it, but the clerk hasn't.",
        "The mayor says they have read it, but the clerk hasn't.",
    ),
    ("<em>She</em>  knows   what she's doing .", "<em>They</em>  know   what they're doing ."),
]


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize(("source", "target"), THROUGH_THE_PARSER)
def test_forward_through_the_trained_parser(parser: Parser, source: str, target: str) -> None:
    assert ENGLISH.forward(parser.parse(source)).target == target
