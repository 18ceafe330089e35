"""What *her* is before a phrase of several words: a number and a noun, a compound, an adverb and what it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rewriter.en.back_words import NOT_ADVERBS, PAST_FORMS
from rewriter.en.inflection import to_plural
from rewriter.en.lexicon import traps
from rewriter.en.outcomes import OBJECT, POSSESSIVE
from rewriter.en.readings import HER_OBJECT, NOUNS_IN_LY, her_words
from rewriter.language.rules import Decision
from rewriter.language.tokens import Token

#: verbs with two objects, or with an object and what it does or is; a noun behind *her* may be the second one
_TWO_OBJECTS = frozenset(
    word
    for forms in """give gives gave given giving|tell tells told telling|cost costs costing|buy buys bought buying
    teach teaches taught teaching|bring brings brought bringing|send sends sent sending|show shows showed shown showing
    offer offers offered offering|deny denies denied denying|refuse refuses refused refusing|take takes took taken
    grant grants granted granting|owe owes owed owing|pay pays paid paying|charge charges charged charging
    lend lends lent lending|fine fines fined fining|save saves saved saving|hand hands handed handing|win wins won
    allow allows allowed allowing|award awards awarded awarding|ask asks asked asking|make makes made making
    call calls called calling|name names named naming|get gets got getting|find finds found finding|leave leaves left
    leaving|do does did done doing|wish wishes wished wishing|earn earns earned earning|promise promised promises
    promising|pass passed passes passing|serve served serves serving|read reads reading|throw threw throws|write wrote
    writes written writing|sell sells sold selling|feed feeds fed feeding|play played plays|cook cooked cooks|pour
    poured pours|bet bets|guarantee guaranteed|assign assigned|assure assured|elect elected|appoint appointed
    consider considered considers|think thinks thought|believe believed|keep keeps kept keeping|drop dropped|order
    ordered orders|let lets letting|help helps helped helping|watch watches watched watching|see sees saw seen seeing
    hear hears heard hearing|feel feels felt|notice notices noticed|observe observed|spare spared|beat beats|outlive
    survive survived|precede preceded|follow followed follows|lead leads led|drive drove|cut cuts|hit hits|last lasted
    put puts set sets|hold holds held|fetch fetched|draw drew|sing sang|catch caught|crown crowned|dub dubbed|declare
    declared|imagine imagined|picture pictured|remember remembered|have has had having|want wants wanted""".split("|")
    for word in forms.split()
)
_SEEING = frozenset(
    """hear heard hears hearing see saw seen sees seeing watch watched watches watching notice noticed spot spotted
    catch caught find found film filmed""".split()
)
#: verbs behind which *her* does something: made her laugh
_DOING = _SEEING | frozenset(
    """make makes made making let lets letting help helps helped helping watch watches watched watching feel feels felt
    feeling notice notices noticed noticing observe observes observed observing have has had having bid bids bade dare
    dares dared get gets got listen than as and or but not if when that hearing seeing did does do can could will would
    should may might must to""".split()
)
#: nouns for what somebody does, spelt like verbs
_ACTS = frozenset("laugh smile walk grin frown sigh scream sneeze cough snore giggle smirk wink shrug".split())
_NUMBERS = frozenset("two three four five six seven eight nine ten eleven twelve".split())
_PLURALS = frozenset("children men women people sheep grandchildren stepchildren".split())
#: behind a number they say when, how often or how far
_MEASURES = frozenset(
    """times days weeks months years hours minutes seconds nights mornings evenings feet miles inches blocks steps
    yards decades points goals dollars pounds euros votes games laps sets seats places more of or to and
    in at on by""".split()
)
_MONEY = frozenset("dollars dollar euros euro pounds pound cents bucks quid francs marks crowns grand".split())
_PAYING = frozenset(
    """pay pays paid paying charge charged charges fine fined fines owe owes owed lend lent lends cost costs give gave
    gives sent send save saved offer offered hand handed""".split()
)
_PREPOSITIONS = frozenset("in of during for until from by at with since after before on to about".split())
#: behind them a time that belongs to somebody: in her last year
_DURING = frozenset("in during throughout until since".split())
_DATES = frozenset("year years month months week weeks day days summer winter season term spring autumn".split())
#: behind them *her* may be an object, and the number begins another phrase: with her two friends, bore her two sons
_BESIDE = frozenset("with among between for to behind bear bears bore borne bearing".split())


#: phrases before which *her* (and *his*) are possessives for certain
OWNER = Decision("en", "settles")
_owner = partial(OWNER.rule, outcome=POSSESSIVE)
_object = partial(HER_OBJECT.rule, outcome=OBJECT)


@_owner("worth her while", example="It is worth [her] while.", counter="She slept [her] while away.")
def _is_worth_while(tokens: Sequence[Token], index: int) -> bool:
    return (_norm(tokens, index - 1), _norm(tokens, index + 1)) == ("worth", "while")


@_owner("in her last year", example="She left in [her] last year.", counter="We saw [her] last year.")
def _is_last_time(tokens: Sequence[Token], index: int) -> bool:
    if _norm(tokens, index + 1) != "last":
        return False
    return _norm(tokens, index - 1) in _DURING and _norm(tokens, index + 2) in _DATES


@_owner("her so-called", example="We like [her] so-called art.", counter="We like [her] so much.")
def _is_so_called(tokens: Sequence[Token], index: int) -> bool:
    return [_norm(tokens, index + distance) for distance in (1, 2, 3)] == ["so", "-", "called"]


@_owner("her laugh", example="We love [her] laugh.", counter="We made [her] laugh.")
def _is_act(tokens: Sequence[Token], index: int) -> bool:
    """What somebody does, but behind a verb with which *her* does it."""
    before = _norm(tokens, index - 1)
    return _norm(tokens, index + 1) in _ACTS and before.isalpha() and before not in _DOING


def _may_own(tokens: Sequence[Token], index: int) -> bool:
    """Return True if no verb with two objects stands before a pronoun, and no word that other rules read."""
    before, word = _norm(tokens, index - 1), _norm(tokens, index + 1)
    return before not in _TWO_OBJECTS and before.isalpha() and word != "last" and word not in _ACTS


@_owner("her two brothers", example="We met [her] two brothers.", counter="We met [her] two times.")
def _is_counted(tokens: Sequence[Token], index: int) -> bool:
    if _norm(tokens, index + 1) not in _NUMBERS or not _may_own(tokens, index):
        return False
    second = _norm(tokens, index + 2)
    is_plural = second.isalpha() and (second.endswith("s") or second in _PLURALS)
    return is_plural and second not in _MEASURES and _norm(tokens, index - 1) not in _BESIDE


@_owner("her long-term plan", example="We like [her] long-term plan.", counter="We like [her] face-to-face style.")
def _is_compound(tokens: Sequence[Token], index: int) -> bool:
    word, second, third = (_norm(tokens, index + distance) for distance in (1, 2, 3))
    if second != "-" or not word.isalpha() or word in _NUMBERS or not _may_own(tokens, index):
        return False
    if not _is_glued(tokens, index + 2):
        return False
    return third.isalpha() and _is_noun_like(_norm(tokens, index + 4)) and word not in ("face", "side", "head")


@_owner("her newly painted house", example="We like [her] newly painted house.", counter="We asked [her] newly.")
def _is_participle(tokens: Sequence[Token], index: int) -> bool:
    word, second, third = (_norm(tokens, index + distance) for distance in (1, 2, 3))
    if not is_adverb(word) or not _may_own(tokens, index):
        return False
    is_participle = second.endswith(("ed", "ing")) and len(second) > 4 and _norm(tokens, index - 1) not in _SEEING
    return is_participle and _is_noun_like(third) and not is_adverb(third)


@_owner("of her then husband", example="She spoke of [her] then husband.", counter="We left with [her] then.")
def _is_of_then(tokens: Sequence[Token], index: int) -> bool:
    word, second, third = (_norm(tokens, index + distance) for distance in (1, 2, 3))
    if word not in ("then", "now") or _norm(tokens, index - 1) not in _PREPOSITIONS or not _may_own(tokens, index):
        return False
    if second == "-" and _is_glued(tokens, index + 2):
        return False
    is_verb = second.endswith(("ed", "ing")) or second in PAST_FORMS or to_plural(second) is not None
    goes_on = _is_noun_like(second) and _is_noun_like(third) and not is_verb and not is_adverb(second)
    return goes_on or her_words().get(second) == "possessive"


@_object("fined her 500 dollars", example="They fined [her] 500 dollars.", counter="They took [her] 500 dollars.")
def _is_paid(tokens: Sequence[Token], index: int) -> bool:
    """Return True if *her* is whom money is asked of: *fined her 500 dollars*.

    Args:
        tokens: of the sentence.
        index: of *her*.
    """
    word, second, third = (_norm(tokens, index + distance) for distance in (1, 2, 3))
    if _norm(tokens, index - 1) not in _PAYING or not (word[:1].isdigit() or word in _NUMBERS):
        return False
    if second in (",", "."):
        second = _norm(tokens, index + 4)
    return second in _MONEY or {second, third} & {"hundred", "thousand", "million"} != set()


@_object(
    "heard her patiently explaining",
    example="We heard [her] patiently explaining the rules.",
    counter="We heard [her] patiently built plan.",
)
def _is_seen(tokens: Sequence[Token], index: int) -> bool:
    """Return True if *her* is whom somebody sees or hears do something: *heard her patiently explaining the rules*.

    Args:
        tokens: of the sentence.
        index: of *her*.
    """
    word, second, third = (_norm(tokens, index + distance) for distance in (1, 2, 3))
    return _norm(tokens, index - 1) in _SEEING and is_adverb(word) and second.endswith("ing") and third in _OBJECTS


_OBJECTS = frozenset("the a an my your our his their this that these those it him me us them in on at to with".split())


def is_adverb(word: str) -> bool:
    """Return True if a word is an adverb by its ending."""
    return len(word) > 4 and word.endswith("ly") and word not in NOT_ADVERBS | NOUNS_IN_LY


def _is_noun_like(word: str) -> bool:
    """Return True if a word goes on with a noun phrase."""
    return word.isalpha() and word not in traps("after object") and word not in traps("phrase end")


def _is_glued(tokens: Sequence[Token], hyphen: int) -> bool:
    return tokens[hyphen - 1].end == tokens[hyphen].start and (
        hyphen + 1 < len(tokens) and tokens[hyphen].end == tokens[hyphen + 1].start
    )


def _norm(tokens: Sequence[Token], index: int) -> str:
    return tokens[index].norm if 0 <= index < len(tokens) else ""
