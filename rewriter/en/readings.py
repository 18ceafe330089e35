"""Readings that more than the next word settles: what *her* is between two words, and which subject a verb has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial

from lexicons.loader import read_table
from rewriter.en.back_words import NOT_ADVERBS, PAST_FORMS, back_words
from rewriter.en.closed_words import CLOSING_QUOTES, SUBJECT_PRONOUNS
from rewriter.en.inflection import to_plural, to_singular
from rewriter.en.lexicon import traps
from rewriter.en.outcomes import OBJECT, STANDALONE
from rewriter.language.rules import Decision
from rewriter.language.tokens import Token

#: verbs of saying that have no person as an object, so that a name behind them is their subject (..., says Mary)
SAYING = frozenset(
    """says writes adds replies explains insists admits argues notes concludes remarks jokes states declares comments
    muses complains suggests""".split()
)
#: verbs of saying beside a quotation
QUOTING = SAYING | frozenset("asks cries answers continues whispers shouts thinks wonders sighs laughs screams".split())
_PAUSES = frozenset((",", "?", "!", "-", "–", "—", ".", ";", ":", "…", ")"))
#: right behind a word: a genitive, or the middle of a compound
_JOINING = frozenset(("'", "’", "-", "–"))
#: behind an inverted subject; only beside a quotation
_AFTER_INVERSION = frozenset("to in with at from on as".split())
#: words that begin a clause with a subject of its own when a determiner follows them
_OPENING = frozenset("that which whom because if when while whether although though unless where what how why".split())
_DETERMINERS = frozenset("a an the this these those my your our their its his her some any every each no".split())
_CLAUSES = _OPENING | frozenset("and but or so as since".split())
_ONE_OF = frozenset("a an that this some any no every each another one".split())
_OBJECT_BEGINS = frozenset("the a an my your our their me us".split())
#: adverbs that may stand before a verb: that idea of his nearly ruined us
_BEFORE_VERB = frozenset("nearly almost never always still just really often actually once finally".split())
#: verbs with an object and an infinitive: made her leave the room
_CAUSING = frozenset(
    """make makes made making let lets letting help helps helped helping watch watches watched watching see sees saw
    seen seeing hear hears heard hearing""".split()
)
#: verbs that are nouns, too: made her work the talk of the town
_NOUNS = frozenset(
    """state name work stay point house home horse voice study face move country laugh post book field escape tramp
    way dream place wish cause plan story love mark issue land case job debut bid purchase sleep mother father doctor
    boss neighbour nurse guest host coach cook model guard partner dog fish back head hand eye mind skin paper
    page""".split()
)
_INFINITIVE_OBJECTS = frozenset("the these those my your our their it him me us them".split())
_TIMES = frozenset("other next same day morning evening minute moment week night year time way whole entire".split())
_BE = frozenset("is are was were be been become became".split())
_AFTER_PAUSE = frozenset("and but or so not too isn't aren't wasn't as because if though although since".split())
_WHEN = frozenset("early late tonight today tomorrow yesterday safely soon immediately".split())
_DATES = frozenset(
    """week month year night time summer winter spring autumn monday tuesday wednesday thursday friday saturday sunday
    weekend january february march april may june july august september october november december""".split()
)
_NO_PHRASE = frozenset(
    [("prior", "to"), *(("right", w) for w in ("away", "now", "here", "there", "back", "after", "before", "then"))]
)
#: words in -ly that are no adverbs
NOUNS_IN_LY = frozenset(
    """family belly jelly bully lily assembly monopoly anomaly folly butterfly dragonfly friendly lovely lonely lively
    elderly silly ugly deadly costly curly orderly cowardly homely homily melancholy daily weekly monthly early only
    likely holy""".split()
)
#: words between a determiner and a noun at most
_PHRASE = 3


@cache
def _object_words() -> Mapping[str, frozenset[str]]:
    return {row["word"]: frozenset(row["verbs"].split()) for row in read_table("en", "object_words")}


@cache
def her_words() -> Mapping[str, str]:
    """Return the reading of *her* before words that leave only one: ``object`` or ``possessive``."""
    return {row["word"]: row["reading"] for row in read_table("en", "her_words")}


#: verbs with two objects, and how what they give may end: plurals and what cannot be counted
_GIVING = frozenset(
    """
    give gives gave giving given tell tells told telling cost costs costing buy buys bought buying teach teaches taught
    teaching bring brings brought bringing send sends sent sending show shows showed shown showing offer offers offered
    offering deny denies denied denying refuse refuses refused refusing grant grants granted granting
    """.split()
)
#: more of them, with which *her* and a noun are as often what somebody has
_MAYBE_GIVING = frozenset(
    """
    lend lends lent lending owe owes owed owing pay pays paid paying save saves saved saving spare spares spared
    sparing feed feeds fed feeding promise promises promised promising wish wishes wished wishing cause causes caused
    causing ask asks asked asking award awards awarded awarding
    """.split()
)
#: verbs behind which *her* and a sum of money are whom it is paid to and what is paid
_PAYING = _MAYBE_GIVING | frozenset(
    """pay pays paid paying charge charges charged charging give gives gave given giving owe owes owed owing cost costs
    costing lend lends lent lending fine fines fined fining send sends sent sending save saves saved saving offer offers
    offered offering hand hands handed handing""".split()
)
_GIVEN = ("s", "ence", "ance", "ness", "ity", "tion", "ice", "ion")


def is_given(verb: str, word: str) -> bool:
    """Return True if *her* between a verb and a word may be whom something is given (*told her jokes*)."""
    return verb in _GIVING and word.endswith(_GIVEN)


def gives(verb: str) -> bool:
    """Return True if a verb may have two objects, so that *her* behind it may be whom something is given."""
    return verb in _GIVING or verb in _MAYBE_GIVING


#: what makes *her* an object, and *his* stand alone
HER_OBJECT = Decision("en", "settles")
HIS_ALONE = Decision("en", "settles")
_object = partial(HER_OBJECT.rule, outcome=OBJECT)
_alone = partial(HIS_ALONE.rule, outcome=STANDALONE)


@_object("called her names", example="They called [her] names.", counter="They called [her] names' list.")
def _is_object_between(tokens: Sequence[Token], index: int) -> bool:
    """Return True if *her* stands between a verb and a word that have an object there: *called her names*.

    Args:
        tokens: of the sentence.
        index: of *her*.
    """
    if not 0 < index < len(tokens) - 1:
        return False
    word = tokens[index + 1]
    verbs = _object_words().get(word.norm if word.shape == 0 else word.norm.capitalize())
    if verbs is None or word.shape > 1 or tokens[index - 1].norm not in verbs:
        return False
    if index + 2 == len(tokens):
        return True
    # a noun, a hyphen or a genitive behind it may make it part of a phrase that "her" owns
    behind = tokens[index + 2]
    if behind.norm in _JOINING and behind.start == word.end:
        return False
    return behind.norm in _PAUSES | CLOSING_QUOTES | _WHEN or _ends_phrase(behind.norm)


def _ends_phrase(norm: str) -> bool:
    return norm in traps("after object") or norm in traps("phrase end")


@_object("her right away", example="They made [her] prior to it.", counter="We saw [her] right hand.")
def _is_before_phrase(tokens: Sequence[Token], index: int) -> bool:
    return (_norm(tokens, index + 1), _behind_next(tokens, index)) in _NO_PHRASE


@_object("her last week", example="We met [her] last week.", counter="We met [her] last husband.")
def _is_before_time(tokens: Sequence[Token], index: int) -> bool:
    return _norm(tokens, index + 1) in ("last", "next") and _behind_next(tokens, index) in _DATES


@_object("her before a lone adjective of the table", example="It made [her] famous.", counter="We saw [her] happy son.")
def _is_before_adjective(tokens: Sequence[Token], index: int) -> bool:
    word, behind = _norm(tokens, index + 1), _behind_next(tokens, index)
    if her_words().get(word) != "adjective" or word in ("last", "next"):
        return False
    return behind in _PAUSES - {",", "-"} or behind in traps("after object")


@_object("her before a sum of money", example="We paid [her] $10 then.", counter="We liked [her] $10 hat.")
def _is_before_money(tokens: Sequence[Token], index: int) -> bool:
    return _norm(tokens, index + 1) in ("$", "£", "€") and index > 0 and tokens[index - 1].norm in _PAYING


@_object("her before a lone adverb", example="We saw [her] briefly.", counter="We saw [her] briefly closed shop.")
def _is_before_adverb(tokens: Sequence[Token], index: int) -> bool:
    norm, behind = _norm(tokens, index + 1), _behind_next(tokens, index)
    is_adverb = len(norm) > 4 and norm.endswith("ly") and norm not in NOT_ADVERBS | NOUNS_IN_LY
    if not is_adverb or tokens[index + 1].shape or her_words().get(norm) == "adjective":
        return False
    return behind in _PAUSES - {"-", ","} or behind in traps("after object") or behind in ("before", "after", "during")


def _norm(tokens: Sequence[Token], index: int) -> str:
    return tokens[index].norm if index < len(tokens) else ""


def _behind_next(tokens: Sequence[Token], index: int) -> str:
    """Return the second word behind a place; a full stop at the end."""
    return _norm(tokens, index + 2) or "."


@_object("made her leave the room", example="We let [her] forget my name.", counter="We made [her] work the best.")
def _is_infinitive_behind(tokens: Sequence[Token], index: int) -> bool:
    """Return True if *her* stands between *made*, *let*, *saw* and the like and an infinitive with an object.

    *made her leave the room*: in the training text *my, our, your, his, their* stood there with such a verb and object
    almost only where the verb is one of :data:`_NOUNS`, *me, us, him, them* in 5,384 places.

    Args:
        tokens: of the sentence.
        index: of *her*.
    """
    if index < 1 or index + 2 >= len(tokens) or tokens[index - 1].norm not in _CAUSING:
        return False
    word, behind = tokens[index + 1], tokens[index + 2].norm
    after = tokens[index + 3].norm if index + 3 < len(tokens) else ""
    if word.shape or word.norm in _NOUNS or her_words().get(word.norm) == "possessive":
        return False
    return to_singular(word.norm) is not None and behind in _INFINITIVE_OBJECTS and after not in _TIMES


@_alone("a cousin of his runs it", example="A cousin of [his] runs the shop.", counter="A cousin of [his] wife left.")
def _is_of_his(tokens: Sequence[Token], index: int) -> bool:
    """Return True if *his* stands alone in a subject before its verb: *A cousin of his runs the ferry*.

    The word behind it looks like a noun; that an article follows and a subject is missing otherwise makes it a verb.
    In the training text *mine, ours, yours, theirs* stood before a verb form and such a word in 18 places, *my, our,
    your, their* in none.
    """
    if index < 3 or index + 2 >= len(tokens) or tokens[index - 1].norm != "of":
        return False
    verb = index + 2 if tokens[index + 1].norm in _BEFORE_VERB else index + 1
    if verb + 1 >= len(tokens) or tokens[verb].shape or tokens[verb + 1].norm not in _OBJECT_BEGINS:
        return False
    word = tokens[verb].norm
    is_past = word in PAST_FORMS or (len(word) > 3 and word.endswith("ed")) or word in back_words("past")
    if not is_past and to_plural(word) is None:
        return False
    for place in range(index - 2, max(-1, index - 3 - _PHRASE), -1):
        if tokens[place].norm in _ONE_OF:
            before = tokens[place - 1].norm if place else "."
            return place < index - 2 and (before in CLOSING_QUOTES | _PAUSES or before in _CLAUSES)
        if not tokens[place].norm.isalpha() or tokens[place].norm in traps("after object"):
            return False
    return False


@_alone("the seat is his, but", example="The seat is [his], but we sit.", counter="That is [his], red, hat.")
def _is_predicate_his(tokens: Sequence[Token], index: int) -> bool:
    """Return True if *his* stands alone behind a form of *be*, before a comma or a dash: *the seat is his, but ...*"""
    if index < 1 or index + 2 >= len(tokens) or tokens[index - 1].norm not in _BE:
        return False
    pause, behind = tokens[index + 1], tokens[index + 2]
    if pause.norm == ",":
        return behind.norm in _AFTER_PAUSE
    is_apart = tokens[index].end < pause.start and pause.end < behind.start
    return pause.norm in ("-", "–", "—") and (is_apart or pause.norm == "—")


def inverted_subject(tokens: Sequence[Token], verb: int) -> bool:
    """Return True if the *he* or *she* right behind a verb of saying is its subject: *"No," says he.*"""
    if tokens[verb].norm not in QUOTING or verb == 0 or verb + 1 >= len(tokens):
        return False
    before, pronoun = tokens[verb - 1].norm, tokens[verb + 1]
    if pronoun.norm not in SUBJECT_PRONOUNS or before not in CLOSING_QUOTES | _PAUSES:
        return False
    behind = tokens[verb + 2].norm if verb + 2 < len(tokens) else "."
    return behind in _PAUSES | CLOSING_QUOTES or (before in CLOSING_QUOTES and behind in _AFTER_INVERSION)


def has_own_subject(tokens: Sequence[Token], verb: int) -> bool:
    """Return True if a verb stands right behind a noun phrase that begins a clause: *that the notary has left*."""
    for place in range(verb - 1, max(-1, verb - 2 - _PHRASE), -1):
        word = tokens[place].norm
        if word in _DETERMINERS:
            opening = tokens[place - 1].norm if place > 0 else ""
            # he that the whole day sings
            is_relative = place > 1 and tokens[place - 2].norm in SUBJECT_PRONOUNS
            return place < verb - 1 and opening in _OPENING and not is_relative
        is_end = word in traps("after object") or word in traps("phrase end")
        if not word.isalpha() or is_end or word in SUBJECT_PRONOUNS:
            return False
    return False
