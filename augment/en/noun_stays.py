"""Rules of English swapping: where a word of the tables stays as it is."""

from __future__ import annotations

import re

from augment.en.noun_place import NounPlace, is_capitalised_line, line_at, opens
from rewriter.en.names import is_organisation_word
from rewriter.language.rules import Decision

#: asked of every word of the tables
WORD = Decision("en", "blocks", asked="swapping")
#: asked of *Mr*, *Mrs*, *Ms*, *Miss*, *Dame*, *Count*
TITLE = Decision("en", "blocks", asked="swapping")
#: asked of nouns whose partner no rule gave
NOUN = Decision("en", "blocks", asked="swapping")

_HYPHENS = "-‐‑"
#: before a hyphen these leave the second word a noun for persons (*ex-wife*, not *X-men*)
_PREFIXES = frozenset(
    "ex step great grand half god co foster then now non all mid pro anti post soon grown single working wonder".split()
)
#: behind a hyphen these do so too (*mother-in-law*)
_SUFFIXES = frozenset("in to of like only dominated led owned".split())
#: heads of compounds with a hyphen (*flower-girl*)
_HEADS = frozenset("girl girls boy boys woman women lady ladies maid maids wife wives".split())
_NO_FIRST_PARTS = frozenset("x tom pretty bad it super she he cow play t by per inter".split())
#: these may be verbs behind what stands before a verb, and before what stands behind one
_VERBS = frozenset({"man", "mother", "father", "groom", "lord", "husband", "brother", "queen", "king", "males", "son"})
_BEFORE_VERB = frozenset(
    "to will would can could shall should must may might they we you i who and please not never always".split()
)
_OBJECTS = frozenset(
    "the a an his her their its our your my this that these those them him it us me all both every each".split()
)
_DETERMINERS = _OBJECTS | frozenset(
    "young old new late dear good great former future next first last no any some".split()
)
_BECOMING = frozenset("is was are were am be been being become becomes became as crowned made elected".split())
_SAYING = frozenset("said says told wrote was asked argued added did had has".split())
#: capitalised before a name these are part of it and turn with it
_TITLES = frozenset(
    "king queen prince princess duke duchess emperor empress baron baroness lord lady sir dame uncle aunt auntie "
    "father mother brother sister grandma grandpa granny grandad grandmother grandfather count countess abbot abbess "
    "tsar tsarina marquess viscount viscountess archduke archduchess".split()
)
#: nouns that both genders are called -> the pronoun of the other gender
_NEUTRAL = dict.fromkeys("actor actors heir heirs host hosts hero heroes waiter steward priest sorcerer".split(), "she")
#: a subject, a form of *be* and what stands before the noun of its predicate
_PREDICATE = re.compile(
    r"\b(she|he)(?:['’]s| (?:is|was|became|becomes|has been|had been|will be|would be|being))(?: [\w'’-]+){0,4} $"
)
_VOCATIVE = re.compile(r",\s+$")
_PAUSE = re.compile(r"[,.;:!?\"“”()—–-]\s*$")
#: before *man* without an article
_BEFORE_GENERIC = frozenset(
    "of by to in for from between on upon with than against within among that when as whether if where while because "
    "makes made make gives gave teaches nor into unto toward towards beneath above before".split()
)
#: behind it where it is part of something else (*from man to man* stays, too)
_CONTINUING = frozenset("named called with who whom whose in to".split())
_BEHIND_GENERIC = frozenset(
    "is has was had will must cannot can shall may does did proposes lives cannot himself himself, by".split()
)
_AFTER_INTERJECTION = frozenset(
    "i i'm i’m im i've i'd this that it it's its it he he's she she's we they you you're what how why if do did "
    "does am".split()
)
#: capitalised words before a noun that are no part of a name
_NO_PART = frozenset(
    "dear the a an my your his her our their and or but hello hi hey thank thanks yes no new old young poor good great "
    "crown grand high lady lord mr mrs ms dr saint st i".split()
)
#: offices and callings, which are no surnames
_WORTHY = re.compile(
    r"(?:\w{3}(?:wom[ae]n)|(?:chair|congress|council|spokes|guards|police|alder|assembly|ombuds|service|air)m[ae]n)$"
)
#: titles of rank, which stand bare before a name or *of* only
_RANKS = frozenset(
    "king queen prince princess duke duchess emperor empress baron baroness abbot abbess viscount viscountess marquess "
    "priest deacon bachelor steward monk hunter pope bishop sultan tsar czar".split()
)
_CAPITAL_BEFORE = re.compile(r"([^\W\d_]+)[ \t]+$")
#: what stands before a surname
_SURNAME = re.compile(r"(?:^|[\s(\"“])(?:Mrs?|Ms|Miss|Mx|Dr|Prof|Professor|Judge|Captain|Officer|Senator|Coach)\.? $")
_PLACE_WORDS = frozenset({"cross", "beach", "island", "islands", "bay", "falls", "heights", "springs"})
_PLACE = re.compile(r"['’]s [A-Z][a-z]")
_BAND_WORDS = frozenset({"ray", "george", "city", "utd", "united"})


@WORD.rule("noun beside a sign", example="Ask @[king] now.", counter="Ask the [king] now.")
def _is_beside_sign(noun: NounPlace) -> bool:
    """A handle, a path, an address, what stands behind an apostrophe."""
    text, start, end = noun.lower, noun.start, noun.end
    mark = text[start - 1 : start]
    if mark and mark in "@#_/'’" and (mark in "@#_" or text[start - 2 : start - 1].isalnum()):
        return True
    return text[end : end + 1] in ("_", "@") or (text[end : end + 1] == "." and text[end + 1 : end + 2].islower())


@WORD.rule("second part of a compound", example="The ant-[men] left.", counter="The flower-[girl] left.")
def _is_second_part(noun: NounPlace) -> bool:
    text, start = noun.lower, noun.start
    if start < 2 or text[start - 1] not in _HYPHENS or not text[start - 2].isalnum():
        return False
    prefix = re.search(r"(\w+).$", text[max(0, start - 20) : start])
    word = prefix[1] if prefix else ""
    is_head = noun.norm in _HEADS and word not in _NO_FIRST_PARTS and noun.text[start - 2].islower()
    goes_on = text[noun.end : noun.end + 4] in ("-in-", "-to-", "-of-")
    return not (is_head or word in _PREFIXES or word in noun.words or goes_on)


@WORD.rule("noun before a hyphen", example="A [man]-made lake.", counter="Her [mother]-in-law.")
def _is_before_hyphen(noun: NounPlace) -> bool:
    text, end = noun.lower, noun.end
    if text[end : end + 1] not in tuple(_HYPHENS) or not text[end + 1 : end + 2].isalnum():
        return False
    suffix = re.match(r".(\w+)", text[end : end + 20])
    word = suffix[1] if suffix else ""
    return word not in _SUFFIXES and word not in noun.words


@WORD.rule("man for everybody", example="It is the work of [man].", counter="It is the work of [man] named Bo.")
def _is_everybody(noun: NounPlace) -> bool:
    if noun.norm not in ("man", "woman") or noun.before() not in _BEFORE_GENERIC or _pauses(noun):
        return False
    return noun.after() not in _CONTINUING


@WORD.rule("man is mortal", example="[Man] is mortal.", counter="[Man] overboard!")
def _is_mortal(noun: NounPlace) -> bool:
    if noun.norm not in ("man", "woman") or (noun.before() in _BEFORE_GENERIC and not _pauses(noun)):
        return False
    return noun.begins and noun.is_capital and noun.after() in _BEHIND_GENERIC


def _pauses(noun: NounPlace) -> bool:
    return _PAUSE.search(noun.text, max(0, noun.start - 3), noun.start) is not None


@WORD.rule("a female actor", example="A female [actor] won.", counter="An old [actor] won.")
def _says_its_gender(noun: NounPlace) -> bool:
    return noun.norm in _NEUTRAL and noun.before() in ("female", "male", "woman")


@WORD.rule("she is an actor", example="She is an [actor].", counter="He is an [actor].")
def _is_of_other_gender(noun: NounPlace) -> bool:
    other = _NEUTRAL.get(noun.norm)
    if other is None:
        return False
    subject = _PREDICATE.search(noun.lower, max(0, noun.start - 90), noun.start)
    return subject is not None and subject[1] == other


@TITLE.rule("title without a name", example="I [Miss] that a lot.", counter="I saw [Miss] Ott.")
def _lacks_name(noun: NounPlace) -> bool:
    if _is_count_of(noun) or (noun.norm in ("mr", "mrs", "mister") and not noun.is_capital):
        return False
    joined = re.match(r"\.? (?:and|or|&) m", noun.lower[noun.end : noun.end + 8])
    return not noun.is_capital or (not noun.next_capital() and joined is None)


def _is_count_of(noun: NounPlace) -> bool:
    return noun.norm in ("count", "countess") and noun.is_capital and noun.after() == "of"


@TITLE.rule("rank without a name", example="We met [Dame] University.", counter="We met [Dame] Judi.")
def _lacks_holder(noun: NounPlace) -> bool:
    return noun.norm in ("dame", "count", "countess") and not _is_count_of(noun) and not noun.precedes_name()


@TITLE.rule("abbreviation like a title", example="We run [MS] Windows.", counter="We met [MS] OTT.")
def _is_abbreviation(noun: NounPlace) -> bool:
    following = noun.next_capital()
    return noun.surface.isupper() and len(noun.surface) > 1 and bool(following) and not following.isupper()


@NOUN.rule("lord without a name", example="They trust the [Lord].", counter="We met [Lord] Byron.")
def _is_god(noun: NounPlace) -> bool:
    return noun.norm == "lord" and noun.is_capital


@NOUN.rule("to groom the horse", example="They [groom] the horse.", counter="The [groom] the horse knew.")
def _is_grooming(noun: NounPlace) -> bool:
    return noun.norm == "groom" and noun.after() in _OBJECTS and noun.before() not in _OBJECTS


@NOUN.rule("to father his child", example="He will [father] his child.", counter="Then [father] his child saw.")
def _takes_possessed(noun: NounPlace) -> bool:
    if noun.norm not in _VERBS - {"man"} or noun.after() not in ("her", "his"):
        return False
    return noun.before() in ("to", "will", "would", "can", "could")


@NOUN.rule("to man the desk", example="They [man] the desk.", counter="They say the [man] the desk hid left.")
def _takes_object(noun: NounPlace) -> bool:
    after = noun.after()
    if noun.norm not in _VERBS or after not in _OBJECTS or (after in ("her", "his") and noun.norm != "man"):
        return False
    return noun.before() in _BEFORE_VERB or (noun.begins and noun.norm == "man")


@NOUN.rule(
    "noun before a word of a place", example="They live in [King] Street.", counter="They live with [King] Otto."
)
def _is_of_place(noun: NounPlace) -> bool:
    following = noun.next_capital().lower()
    return noun.is_capital and bool(following) and (is_organisation_word(following) or following in _PLACE_WORDS)


@NOUN.rule("surname behind a title", example="We met Mrs. [King].", counter="We met the [King].")
def _is_titled(noun: NounPlace) -> bool:
    return _may_be_name(noun) and _SURNAME.search(noun.text, max(0, noun.start - 16), noun.start) is not None


def _may_be_name(noun: NounPlace) -> bool:
    return noun.is_capital and _WORTHY.search(noun.norm) is None


@NOUN.rule("surname behind a given name", example="We met Stephen [King].", counter="We met the [King].")
def _is_surname_of(noun: NounPlace) -> bool:
    before = _capital_before(noun)
    return _may_be_name(noun) and before is not None and before[1][:1].isupper() and before[1].lower() in noun.names


def _capital_before(noun: NounPlace) -> re.Match[str] | None:
    return _CAPITAL_BEFORE.search(noun.text, max(0, noun.start - 24), noun.start)


@NOUN.rule("place that is owned", example="We left [King]'s Landing.", counter="We left the [king]'s house.")
def _owns_place(noun: NounPlace) -> bool:
    return _may_be_name(noun) and _PLACE.match(noun.text, noun.end) is not None


@NOUN.rule("noun before a word of a team", example="We heard [Monk] George.", counter="We heard [King] George.")
def _is_of_team(noun: NounPlace) -> bool:
    following = noun.next_capital().lower()
    return following in _BAND_WORDS and noun.norm not in _TITLES and _is_name_here(noun)


def _is_name_here(noun: NounPlace) -> bool:
    """Return True if a capital tells something: not in a headline, nor of an office."""
    return _may_be_name(noun) and not is_capitalised_line(line_at(noun.text, noun.start))


@NOUN.rule("Queens in New York", example="He lives in [Queens].", counter="He met the [Queens].")
def _is_borough(noun: NounPlace) -> bool:
    return noun.norm == "queens" and noun.before() not in _DETERMINERS and _is_name_here(noun)


@NOUN.rule("abbreviation like a sister", example="The [SIS] met.", counter="My [sis] met us.")
def _is_agency(noun: NounPlace) -> bool:
    return noun.norm in ("sis", "bro") and noun.surface.isupper() and _is_name_here(noun)


@NOUN.rule("rank as a surname", example="So said [King].", counter="So said the [King].")
def _is_bare_rank(noun: NounPlace) -> bool:
    if noun.norm not in _RANKS or noun.next_capital() or noun.after() == "of" or not _is_name_here(noun):
        return False
    if noun.text[noun.end : noun.end + 1] == "," and noun.begins:
        return False
    if noun.begins:
        return noun.after() in _SAYING
    before = noun.before_as_written()
    if not before:
        return noun.text[max(0, noun.start - 2) : noun.start - 1].isdigit()
    return before.lower() not in _DETERMINERS | _BECOMING and (before[:1].islower() or before.isupper())


@NOUN.rule("surname behind a capital", example="We met Zork [King] there.", counter="We met Dear [King] there.")
def _follows_name(noun: NounPlace) -> bool:
    if noun.begins or not _is_name_here(noun):
        return False
    before = _capital_before(noun)
    if before is None or not before[1][:1].isupper() or before[1].isupper() or before[1].lower() in _NO_PART:
        return False
    return not opens(noun.text, before.start())


@NOUN.rule("man as a call at the end", example="Come on, [man]!", counter="Come on, [man] the desk.")
def _ends_with_call(noun: NounPlace) -> bool:
    if noun.norm != "man" or not _VOCATIVE.search(noun.text, max(0, noun.start - 3), noun.start):
        return False
    return re.match(r"\s*(?:[.,!?…]|$)", noun.text[noun.end :]) is not None


@NOUN.rule("man as a call at the beginning", example="[Man], this is odd.", counter="[Man] and dog left.")
def _begins_with_call(noun: NounPlace) -> bool:
    if noun.norm not in ("man", "boy") or not noun.begins:
        return False
    return noun.text[noun.end : noun.end + 1] in (",", "!") or noun.after() in _AFTER_INTERJECTION
