"""Forward rules for pronouns: which words are pronouns at all, and the readings of *her* and *his*."""

from __future__ import annotations

import re

from augment.dependency import Parse, Relation
from augment.en.agreement import right_of
from augment.en.forward_context import Context, Decision, rule
from rewriter.en.candidates import CHANGE, KEEP, OBJECT, POSSESSIVE, STANDALONE
from rewriter.en.inflection import to_plural
from rewriter.language.candidates import Candidate


@rule(
    "pronoun",
    "abbreviation",
    example="Work/NN in/IN HE/NNP is/VBZ hard/JJ",
    counter="and/CC He/PRP/3/nsubj spoke/VBD/0/ROOT ~./.",
)
def _abbreviation(context: Context, candidate: Candidate) -> Decision | None:
    """HE, HIS, SHE in capitals in a sentence that is not: an abbreviation unless it is used as a pronoun."""
    surface = context.text[candidate.start : candidate.end]
    if not surface.isupper() or len(surface) < 2 or context.is_shouting or " " in surface:
        return None
    index = context.word(candidate)
    before, after = context.parse.lower(index - 1), context.parse.tag(right_of(context.parse, index))
    emphasis = (
        surface.lower() in ("he", "she") and after in ("VBZ", "VBD", "MD") and before not in ("the", "a", "an", "in")
    )
    if emphasis and context.parse.tag(index) == "PRP":
        return Decision(CHANGE, doubtful=True)
    if surface.lower() in ("him", "himself", "herself"):
        return Decision(CHANGE)
    if surface.lower() in ("her", "his") and context.parse.tag(index).startswith("PRP"):
        return None
    return Decision(KEEP, doubtful=True)


@rule(
    "pronoun",
    "name",
    example="Wilhelm/NNP His/NNP drew/VBD embryos/NNS ~./.",
    counter="She/PRP/2/nsubj slept/VBD/0/ROOT",
)
def _name(context: Context, candidate: Candidate) -> Decision | None:
    """He, She, Her, His with a capital within a sentence: a surname or a symbol unless it is used as a pronoun."""
    surface = context.text[candidate.start : candidate.end]
    if (
        not surface[0].isupper()
        or surface.isupper()
        or " " in surface
        or surface.lower() in ("him", "himself", "herself", "hers")
    ):
        return None
    index, parse = context.word(candidate), context.parse
    if surface in ("He", "His") and re.match(r"[–-][A-Z]", context.text[candidate.end :]):
        # His–Purkinje, He–Ne
        return Decision(KEEP)
    if surface == "He" and re.match(r"\s*\(g\)|,\s?(?:H|Ne|Ar|Kr|Xe|N|O)\b", context.text[candidate.end :]):
        return Decision(KEEP, doubtful=True)
    if candidate.start == 0 or context.is_title or _begins(context, candidate):
        return None
    if index and parse[index - 1].text[:1].isupper() and parse.tag(index - 1).startswith("NNP"):
        return Decision(KEEP, doubtful=True)
    if parse.tag(index + 1).startswith("NNP") and surface in ("He", "She"):
        return Decision(KEEP, doubtful=True)
    if surface.lower() in ("he", "she"):
        used = parse.tag(right_of(parse, index)) in ("VBZ", "VBD", "MD") and parse.lower(index - 1) not in (
            "the",
            "liquid",
        )
        return None if used and parse.tag(index) == "PRP" else Decision(KEEP, doubtful=True)
    return None if parse.tag(index).startswith("PRP") else Decision(KEEP, doubtful=True)


def _begins(context: Context, candidate: Candidate) -> bool:
    """Return True if a candidate stands behind what may open a sentence within a sentence: a quote, a dash, a colon."""
    before = context.text[: candidate.start].rstrip()
    return not before or before[-1] in "\"'“‘«([{*_:;-–—>.!?…•|" or not re.search(r"[A-Za-z]", before)


@rule(
    "pronoun",
    "forced",
    example="We/PRP saw/VBD him/PRP/2/obj ~./.",
    counter="The/DT hero/NN sleeps/VBZ ~./.",
)
def _forced(context: Context, candidate: Candidate) -> Decision | None:
    """What has one reading only: lower-case he, him, hers, double forms."""
    return None if candidate.forced is None else Decision(candidate.forced)


@rule(
    "pronoun",
    "plain",
    example="and/CC He/PRP/3/nsubj spoke/VBD/0/ROOT ~./.",
    counter="They/PRP met/VBD Dr./NNP He/NNP ~./.",
)
def _plain(context: Context, candidate: Candidate) -> Decision | None:
    """A pronoun with one fair form."""
    return Decision(CHANGE) if len(candidate.options) == 2 else None


#: what begins the rest of a noun phrase after a possessive


_PHRASE_TAGS = ("NN", "JJ", "CD", "VBG", "VBN")
#: after an object pronoun, never after a possessive
_OBJECT_FOLLOWERS = frozenset(
    """the a an this that these those my your our their his its some any no every each in on at to from with by for
    of into onto as than and or but if when while because until after before about again back away up down off
    out there here home now then today yesterday tomorrow tonight anymore anything something nothing everything
    how what who where why not so too is was has he she they we you i it
    awake alone alive asleep afraid aware able unable somewhere anywhere everywhere meanwhile""".split()
)


@rule(
    "pronoun",
    "her before what no possessive precedes",
    example="It/PRP puzzled/VBD her/PRP$ meanwhile/RB",
    counter="See/VB `her`/NN",
)
def _her_surface(context: Context, candidate: Candidate) -> Decision | None:
    """*her* at an end, before punctuation, determiners, prepositions, pronouns: an object."""
    if not _is(context, candidate, "her"):
        return None
    index, parse = context.word(candidate), context.parse
    following = parse.lower(index + 1)
    if not following or parse.tag(index + 1) in (".", ",", ":", "''", "-RRB-", "HYPH", "MD", "WDT", "POS"):
        return Decision(OBJECT) if not _opens_phrase(parse, index + 1) else None
    if re.match(r"[*_]+(?:[^\w\s]|\s*$)", context.text[candidate.end :]):
        return Decision(OBJECT)
    if following in (
        "back",
        "home",
        "no",
        "that",
        "up",
        "down",
        "off",
        "out",
        "in",
        "on",
        "about",
        "past",
        "like",
        "one",
    ):
        # her back, her home, her "no": words with a noun reading need the tag
        return None
    return Decision(OBJECT) if following in _OBJECT_FOLLOWERS else None


def _opens_phrase(parse: Parse, index: int) -> bool:
    """Return True if an opening quote, dash or bracket leads on to a noun (*her "friend"*)."""
    return parse.lower(index) in ('"', "“", "‘", "``", "*", "_", "(") and parse.tag(index + 1)[:2] in ("NN", "JJ", "VB")


_CAUSATIVE = frozenset(
    "make made makes making let lets hear heard hears see saw seen watch watched help helped helps feel felt".split()
)
#: verbs that take a person and a bare noun; with the second set only some nouns
_TAKES_PERSON = frozenset(
    "owe owes owed wish wishes wished wishing cost costs teach teaches taught deny denied grant granted".split()
)
_GIVES = frozenset(
    "give gives gave given giving offer offers offered buy buys bought bring brings brought call calls called send "
    "sent lend lent hand handed show showed pay paid".split()
)
_GIVEN = frozenset("money food luck water permission access time credit advice information flowers names hope".split())


@rule(
    "pronoun",
    "her before a lone adjective",
    example="They/PRP call/VBP her/PRP$ odd/JJ ~./.",
    counter="They/PRP call/VBP them/PRP plain/JJ",
)
def _her_predicate(context: Context, candidate: Candidate) -> Decision | None:
    """*calls her plain*, *made her happy*: an object, since no noun follows the adjective."""
    if not _is(context, candidate, "her"):
        return None
    index, parse = context.word(candidate), context.parse
    ends = index + 2 >= len(parse) or parse.tag(index + 2) in (".", ":", "''", "-RRB-")
    comma = parse.tag(index + 2) == "," and not parse.tag(index + 3).startswith("JJ")
    is_lone = parse.tag(index + 1) in ("JJ", "VBN") and (ends or comma)
    return Decision(OBJECT, doubtful=parse.tag(index) == "PRP$") if is_lone else None


@rule(
    "pronoun",
    "her with a verb that takes a person",
    example="I/PRP owe/VBP her/PRP$/4/nmod:poss gravel/NN/2/obj",
    counter="We/PRP owe/VBP them/PRP money/NN",
)
def _her_person(context: Context, candidate: Candidate) -> Decision | None:
    """*heard her sing*, *owes her money*, *gave her food*: an object although a noun could follow."""
    if not _is(context, candidate, "her"):
        return None
    index, parse = context.word(candidate), context.parse
    before, following = parse.lower(index - 1), parse.lower(index + 1)
    if before in _CAUSATIVE and parse.tag(index + 1) == "VB":
        return Decision(OBJECT)
    bare = parse.tag(index + 1) in ("NN", "NNS", "CD", "NNP")
    if bare and (before in _TAKES_PERSON or (before in _GIVES and following in _GIVEN)):
        return Decision(OBJECT, doubtful=True)
    return None


_SUBORDINATORS = frozenset("although because if while when that since as though whether whereas".split())


@rule(
    "pronoun",
    "her behind a subordinator",
    example="because/IN her/PRP looks/NNS deceive/VBP",
    counter="because/IN their/PRP$ looks/NNS deceive/VBP",
)
def _her_subject_phrase(context: Context, candidate: Candidate) -> Decision | None:
    """*although her looks deceive*: where a clause begins no object can stand."""
    if not _is(context, candidate, "her"):
        return None
    index, parse = context.word(candidate), context.parse
    begins = parse.lower(index - 1) in _SUBORDINATORS and parse.tag(index + 1).startswith(("NN", "JJ", "VB"))
    return Decision(POSSESSIVE, doubtful=parse.tag(index) != "PRP$") if begins else None


@rule(
    "pronoun",
    "her at the beginning",
    example="Her/PRP very/RB loud/JJ dog/NN barked/VBD",
    counter="Hermes/NNP flew/VBD",
)
def _her_first(context: Context, candidate: Candidate) -> Decision | None:
    """*Her* with a capital at the beginning, with more behind it: a possessive."""
    if not _is(context, candidate, "her") or candidate.start or (context.is_title and context.word(candidate) < 0):
        return None
    return Decision(POSSESSIVE, doubtful=context.parse.tag(context.word(candidate)) != "PRP$")


@rule(
    "pronoun",
    "her by parse",
    example="Ann/NNP paints/VBZ her/PRP$/4/nmod:poss fence/NN/2/obj ~./.",
    counter="We/PRP met/VBD Ms/NNP Her/NNP",
)
def _her_parsed(context: Context, candidate: Candidate) -> Decision | None:
    """*her* by tag and relation: always doubtful, since a parser errs here several times in a hundred.

    What needs no parser gives the same labels without doubt: *them* and *their* in backward pairs, *him* and *his* in
    masculine sentences (:mod:`augment.en.variations`).
    """
    if not _is(context, candidate, "her"):
        return None
    index, parse = context.word(candidate), context.parse
    tag, relation = parse.tag(index), parse[index].relation
    if tag == "PRP$" or (tag != "PRP" and relation is Relation.POSSESSIVE):
        return Decision(POSSESSIVE, doubtful=True)
    phrase = parse.tag(index + 1).startswith(("NN", "JJ", "CD")) or parse.lower(index + 1) in ("own", "very")
    takes_predicate = parse[index - 1].lemma.lower() in _TAKES_PREDICATE or parse.lower(index - 1) in _GIVES
    is_long_phrase = parse.tag(index + 1).startswith("JJ") and parse.tag(index + 2).startswith(("NN", "JJ"))
    if (relation is Relation.POSSESSIVE and phrase) or (is_long_phrase and not takes_predicate):
        return Decision(POSSESSIVE, doubtful=True)
    return Decision(OBJECT, doubtful=True)


#: verbs that take an object and a predicate or a second object: made her happy, called her good names
_TAKES_PREDICATE = frozenset(
    "make call keep find leave drive consider deem think paint get turn render wish owe cost".split()
)


@rule(
    "pronoun",
    "friend of his",
    example="A/DT cousin/NN of/IN his/PRP$ runs/VBZ on/IN coal/NN",
    counter="A/DT cousin/NN of/IN theirs/PRP runs/VBZ it/PRP",
)
def _double_genitive(context: Context, candidate: Candidate) -> Decision | None:
    """*a cousin of his runs the ferry*: after an indefinite noun and *of*, before a verb in -s."""
    if not _is(context, candidate, "his"):
        return None
    index, parse = context.word(candidate), context.parse
    if parse.lower(index - 1) != "of":
        return None
    nearby = {parse.lower(i) for i in range(max(0, index - 5), index - 1)}
    indefinite = bool(nearby & {"a", "an", "this", "that", "these", "those", "some", "any", "no", "friend", "friends"})
    verb = index + 1 < len(parse) and to_plural(parse[index + 1].text) is not None
    if indefinite and verb and parse.tag(index + 2) in ("DT", "PRP", "PRP$", "IN", "RB", "VBG", "VBN", "TO"):
        return Decision(STANDALONE, doubtful=True)
    return None


@rule(
    "pronoun",
    "his alone",
    example="The/DT hat/NN is/VBZ his/PRP$ ~,/, I/PRP say/VBP",
    counter="This/DT is/VBZ theirs/PRP",
)
def _his_alone(context: Context, candidate: Candidate) -> Decision | None:
    """*his* without a noun: at an end, before a preposition or a finite verb."""
    if not _is(context, candidate, "his"):
        return None
    index, parse = context.word(candidate), context.parse
    following, tag = parse.lower(index + 1), parse.tag(index + 1)
    if _opens_phrase(parse, index + 1):
        return None
    ends = not following or tag in (
        ".",
        ",",
        ":",
        "''",
        "-RRB-",
        "MD",
        "VBZ",
        "VBD",
        "VBP",
        "CC",
        "IN",
        "TO",
        "WDT",
        "WP",
        "DT",
    )
    if not ends or (parse[index].relation is Relation.POSSESSIVE and tag not in (".", "")):
        return None
    if tag == "MD" and parse.tag(index + 2) not in ("VB", "RB", "MD"):
        # "the achievement of His will"
        return None
    if following in ("-", "–", "—", "/", "...", "…", "(", "[", "and", "or", "&"):
        return Decision(STANDALONE, doubtful=True)
    return Decision(
        STANDALONE, doubtful=tag in ("VBD", "VBZ", "VBP", "IN") and parse[index].relation is Relation.POSSESSIVE
    )


@rule(
    "pronoun",
    "his before a noun",
    example="I/PRP found/VBD his/PRP$/4/nmod:poss quoin/NN/2/obj",
    counter="the/DT bundle/NN of/IN His/NNP",
)
def _his_possessive(context: Context, candidate: Candidate) -> Decision | None:
    """*his* in every other place."""
    if not _is(context, candidate, "his"):
        return None
    index, parse = context.word(candidate), context.parse
    odd = not parse.tag(index + 1).startswith((*_PHRASE_TAGS, "RB", "``", "VB", "PDT", "HYPH", "MD"))
    return Decision(POSSESSIVE, doubtful=odd)


def _is(context: Context, candidate: Candidate, word: str) -> bool:
    return len(candidate.options) == 3 and context.text[candidate.start : candidate.end].lower() == word
