"""Forward rules for clitics, verbs and nouns."""

from __future__ import annotations

from augment.dependency import Parse, Relation, Token
from augment.en.agreement import left_of, right_of
from augment.en.forward_context import Context, Decision, Rule, excludes_third_singular, is_noun_form, rule
from rewriter.en.back_words import COORDINATORS
from rewriter.en.candidates import CHANGE, HAS, IS, KEEP
from rewriter.en.closed_words import OBJECT_PRONOUNS
from rewriter.language.candidates import Candidate

# ---------------------------------------------------------------- contractions

#: participles that almost always belong to *has* after he's, although they could be adjectives
_HAS_PARTICIPLES = frozenset(
    ["been", "had", "got", "gone", "become", "gotten", "come", "begun", "grown", "won", "lost", "seen"]
)
#: participles and adjectives that almost always belong to *is*
_IS_WORDS = frozenset(
    """done married divorced retired supposed tired bored scared worried excited interested known called named born
    based obsessed convinced allowed dressed stuck fed used prepared engaged related involved concerned confused
    pissed screwed doomed blessed gifted talented""".split()
)
_STATES = frozenset("""VBG JJ JJR JJS DT IN NN NNP NNS PRP$ TO CD WP WRB RP EX""".split())


@rule(
    "contraction",
    "pronoun stays",
    example="Work/NN in/IN HE/NNP ~'s/VBZ hard/JJ",
    counter="She/PRP/3/nsubj ~'s/VBZ/3/cop late/JJ/0/ROOT",
)
def _pronoun_stays(context: Context, candidate: Candidate) -> Decision | None:
    """A clitic whose pronoun stays, stays."""
    index = context.word(candidate)
    return Decision(KEEP) if index - 1 not in context.pronouns else None


@rule(
    "contraction",
    "'s with a participle",
    example="She/PRP/3/nsubj ~'s/VBZ/3/aux/have eaten/VBN/0/ROOT it/PRP/3/obj",
    counter="Ann/NNP ~'s/VBZ gone/VBN",
)
def _clitic_participle(context: Context, candidate: Candidate) -> Decision | None:
    """*'s* before a past participle: has, unless the parse sees a passive."""
    index, parse = context.word(candidate), context.parse
    following = right_of(parse, index)
    word, tag = parse.lower(following), parse.tag(following)
    if word in ("been", "had", "got", "gotten"):
        return Decision(HAS)
    if word in _IS_WORDS and parse.lower(following - 1) != "never":
        return Decision(IS, doubtful=parse[index].lemma == "have")
    if tag not in ("VBN", "VBD"):
        return None
    degrees = {parse.lower(i) for i in range(index + 1, following)} & {"too", "so", "very", "far"}
    if word in _HAS_PARTICIPLES and not degrees and parse.lower(following + 1) != "by":
        return Decision(HAS, doubtful=word in ("gone", "lost") and parse[index].relation is Relation.COPULA)
    if parse.lower(following - 1) in ("never", "already", "ever", "since"):
        return Decision(HAS, doubtful=True)
    has_object = parse.tag(following + 1) in ("DT", "PRP$") or parse.lower(following + 1) in OBJECT_PRONOUNS
    if has_object and word not in _DOUBLE_OBJECT:
        # a passive has no object behind it
        return Decision(HAS)
    has = parse[index].lemma == "have" or parse[index].relation is Relation.AUXILIARY
    by_object = bool(parse.objects(following)) or any(
        c.relation is Relation.COMPLEMENT for c in _children(parse, following)
    )
    if by_object:
        return Decision(HAS, doubtful=not has)
    is_passive = parse[index].relation in (Relation.PASSIVE_AUXILIARY, Relation.COPULA)
    return Decision(IS if is_passive else HAS if has else IS, doubtful=True)


#: participles whose passive may have a noun phrase behind it: he's called the boss, she's given a chance
_DOUBLE_OBJECT = frozenset(
    """called named elected given paid told taught shown offered sent asked awarded appointed dubbed considered made
    granted denied handed promised""".split()
)


def _children(parse: Parse, index: int) -> list[Token]:
    return [parse[i] for i in parse.children(index)]


@rule(
    "contraction",
    "'s with a state",
    example="She/PRP/3/nsubj ~'s/VBZ/3/cop/be late/JJ/0/ROOT",
    counter="It/PRP ~'s/VBZ late/JJ",
)
def _clitic_state(context: Context, candidate: Candidate) -> Decision | None:
    """*'s* before anything else: is."""
    index, parse = context.word(candidate), context.parse
    following = right_of(parse, index)
    if parse.lower(following) == "better" and parse.tag(following + 1) == "VB":
        return Decision(HAS, doubtful=True)
    return Decision(IS, doubtful=parse[index].lemma == "have" and parse.tag(following) not in _STATES)


# ---------------------------------------------------------------- verbs


@rule(
    "verb",
    "noun in -s",
    example="He/PRP/2/nsubj shows/VBZ/0/ROOT his/PRP$/4/nmod:poss works/NNS/2/obj",
    counter="She/PRP/2/nsubj works/VBZ/0/ROOT",
)
def _noun_in_s(context: Context, candidate: Candidate) -> Decision | None:
    """Words in -s that are no verbs here."""
    index = context.word(candidate)
    if index < 0:
        return Decision(KEEP, doubtful=True)
    if not is_noun_form(context.parse, index):
        return None
    before = context.parse.lower(left_of(context.parse, index))
    return Decision(KEEP, doubtful=bool(context.pronouns) and before in (*COORDINATORS, ",", "n"))


def _agreement_rule(name: str) -> Rule:
    def apply(context: Context, candidate: Candidate) -> Decision | None:
        agreement = context.agreements.get(context.word(candidate))
        if agreement is None or agreement.rule != name:
            return None
        return Decision(CHANGE, doubtful=agreement.doubtful)

    return apply


for _name_of_rule, _evidence, _example, _counter in (
    (
        "verb beside its pronoun",
        "adjacent",
        "She/PRP/3/nsubj rarely/RB knows/VBZ/0/ROOT",
        "They/PRP know/VBP it/PRP",
    ),
    (
        "verb before its pronoun",
        "inverted",
        "Is/VBZ/3/cop she/PRP/3/nsubj late/JJ/0/ROOT ~?/.",
        "Is/VBZ it/PRP late/JJ ~?/.",
    ),
    (
        "verb of a relative clause",
        "relative",
        "He/PRP/4/nsubj who/WP/3/nsubj waits/VBZ/1/acl:relcl wins/VBZ/0/ROOT",
        "Everyone/NN who/WP enters/VBZ has/VBZ to/TO wash/VB",
    ),
    (
        "verb after a parenthesis",
        "parenthesis",
        "She/PRP ~,/, however/RB ~,/, knows/VBZ/0/ROOT it/PRP/5/obj",
        "It/PRP ~,/, however/RB ~,/, works/VBZ",
    ),
    (
        "verb by parse",
        "parse",
        "He/PRP/6/nsubj at/IN/3/case night/NN/1/nmod of/IN course/NN walks/VBZ/0/ROOT",
        "The/DT dog/NN barks/VBZ",
    ),
    (
        "coordinated verb",
        "coordinated",
        "She/PRP/2/nsubj sings/VBZ/0/ROOT and/CC/4/cc dances/VBZ/2/conj",
        "It/PRP comes/VBZ and/CC goes/VBZ",
    ),
):
    rule("verb", _name_of_rule, example=_example, counter=_counter)(_agreement_rule(_evidence))


@rule(
    "verb",
    "verb of another subject",
    example="He/PRP/2/nsubj says/VBZ/0/ROOT it/PRP/4/nsubj works/VBZ/2/ccomp",
    counter="She/PRP/2/nsubj works/VBZ/0/ROOT",
)
def _other_subject(context: Context, candidate: Candidate) -> Decision | None:
    """Every other third-person form stays; doubtful where the parse shows no subject for it."""
    index, parse = context.word(candidate), context.parse
    subject = parse.subject_of(index)
    unclear = subject is None or excludes_third_singular(parse[subject])
    is_misled = subject in context.pronouns
    near = any(0 < index - p < 15 for p in context.pronouns)
    return Decision(KEEP, doubtful=(unclear and near) or is_misled)


# ---------------------------------------------------------------- nouns


@rule(
    "noun",
    "surname",
    example="Ms./NNP Foreman/NNP slept/VBD",
    counter="A/DT policeman/NN/3/nsubj slept/VBD/0/ROOT ~./.",
)
def _surname(context: Context, candidate: Candidate) -> Decision | None:
    """A noun of the table as a surname: after a given name or a title."""
    offset = context.begin + candidate.start
    surface = context.text[candidate.start : candidate.end]
    if not surface[0].isupper() or context.is_shouting or context.is_title:
        return None
    index, parse = context.parse.at(offset), context.parse
    if not index or candidate.start == 0:
        return None
    previous = parse[index - 1]
    is_name = previous.tag == "NNP" and previous.text[:1].isupper() and previous.text.isalpha()
    is_title = previous.text.rstrip(".").lower() in _TITLES
    return Decision(KEEP, doubtful=True) if is_name or is_title else None


_TITLES = frozenset("""mr mrs ms miss dr prof professor judge sir lady lord saint st senator""".split())


@rule(
    "noun",
    "verb reading",
    example="We/PRP steward/VBP/0/ROOT it/PRP",
    counter="A/DT policeman/NN/3/nsubj slept/VBD/0/ROOT ~./.",
)
def _noun_as_verb(context: Context, candidate: Candidate) -> Decision | None:
    """*steward* as a verb stays."""
    surface = context.text[candidate.start : candidate.end].lower()
    if surface not in ("steward", "stewards"):
        return None
    index = context.word(candidate)
    tag, before = context.parse.tag(index), context.parse.lower(index - 1)
    if context.parse.lower(index + 1) in ("of", "the"):
        # stewards of public money serve no drinks; "steward the forest" is a verb
        return Decision(KEEP, doubtful=True)
    if before in ("to", "must", "can", "will", "should", "who", "may"):
        return Decision(KEEP)
    return Decision(KEEP, doubtful=True) if tag.startswith("VB") else None


@rule(
    "noun",
    "noun of the table",
    example="A/DT policeman/NN/3/nsubj slept/VBD/0/ROOT ~./.",
    counter="The/DT seamstress/NN slept/VBD",
)
def _noun(context: Context, candidate: Candidate) -> Decision | None:
    """Every other noun of the table changes, its article with it."""
    return Decision(CHANGE)
