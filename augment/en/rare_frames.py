"""Frames of rare constructions around words of real sentences, for :mod:`augment.en.variations`.

*gave him the keys* becomes *gave her keys*: the article told that the pronoun is an object, and still does. *They run
the ferry* becomes *We helped her run the ferry*, *A cousin of his runs the ferry* and *A friend of his family runs the
ferry*. Verbs with two objects and things that they give go before the last phrase of a real sentence (*Nobody taught
her chess in the old harbour*), and so do verbs with one (*Nobody shared her hope in the old harbour*). And what stands
between the verbs of one subject: clauses with a verb of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

#: verbs with two objects, all forms
_VERBS = """
    give gives gave given giving send sends sent sending bring brings brought bringing offer offers
    offered offering show shows showed shown showing tell tells told telling teach teaches taught
    teaching buy buys bought buying lend lends lent lending owe owes owed owing hand hands handed
    handing pay pays paid paying sell sells sold selling promise promises promised promising write
    writes wrote written writing read reads reading get gets got getting find finds found finding serve
    serves served serving feed feeds fed feeding grant grants granted granting deny denies denied
    denying wish wishes wished wishing cost costs costing ask asks asked asking allow allows allowed
    allowing award awards awarded awarding throw throws threw thrown throwing pass passes passed passing
    cause causes caused causing spare spares spared earn earns earned earning win wins won winning save
    saves saved saving make makes made making cook cooks cooked cooking play plays played playing call
    calls called calling
""".split()
#: nouns that stand without an article in the singular too
_MASS = """
    money luck food water time advice help information access permission credit strength courage hope
    news work tea coffee wine bread milk beer medicine clothing support trouble pain pleasure power
    energy love joy happiness peace comfort protection shelter land gold silver paper homework music
    history law space rest attention furniture luggage equipment evidence experience fruit meat rice
    soup sugar cheese chocolate jewellery poetry wisdom
""".split()
_ARTICLES = (
    "the|some|any|many|several|a few|these|those|two|three|four|five|more|enough|a lot of|lots of|plenty of|all the"
)
_NO_PLURALS = "always perhaps besides sometimes news less is was has does this its his hers yours ours theirs".split()
#: a pronoun between verb and noun phrase; what follows the noun ends the phrase
_DOUBLE_OBJECT = re.compile(
    rf"\b(?:{'|'.join(_VERBS)}) (?P<pronoun>me|us|him|her|them)(?P<article> (?:{_ARTICLES}))"
    rf" (?P<noun>{'|'.join(_MASS)}|(?!(?:{'|'.join(_NO_PLURALS)})\b)[a-z]{{2,}}[^\Wsiu\d_]s)"
    r"(?=[.,;:!?]| (?:to|of|for|from|in|on|at|with|and|or|but|when|that|about|as|by|if|because|while|every|again)\b|$)"
)


def without_article(text: str, *, feminine: bool = False) -> str | None:
    """Return a sentence without the article behind the first object of a verb with two, or None where none fits.

    Only plurals and nouns that need no article: *gave him the keys* gives *gave him keys*. Exactly one place must fit.

    Args:
        text: the sentence.
        feminine: write *her* for *him* there.
    """
    found = list(_DOUBLE_OBJECT.finditer(text))
    if len(found) != 1:
        return None
    start, end = found[0].start("pronoun"), found[0].end("article")
    pronoun = "her" if feminine and found[0]["pronoun"] == "him" else found[0]["pronoun"]
    return text[:start] + pronoun + text[end:]


_OWNED = """friend cousin colleague neighbour client fan student pupil rival relative customer partner teacher follower
reader habit dream idea plan trick invention belief poem song project remark painting brother""".split()
_OWNERS = """mother father brother sister wife husband boss family town club team neighbour office company village
teacher daughter son party church school""".split()
_BEGINNINGS = ("A", "That", "This", "Some", "Another", "One", "No", "Every", "An old", "A close", "A certain")


def of_his(verb: tuple[str, str], rest: str, rng: np.random.Generator) -> tuple[str, str, str]:
    """Return a sentence about somebody or something *of his*, *of hers* or *of his mother*, fair, and the form.

    Args:
        verb: singular and plural of a verb in the present.
        rest: what follows the verb, without the full stop.
        rng: chooses the words.

    Returns:
        source, target, and ``masculine`` or ``feminine``; the verb belongs to the noun and is the same in both.
    """
    masculine = bool(rng.random() < 0.8)
    noun = _pick(_OWNED, rng)
    if rng.random() < 0.2:
        begin, verb_form = f"Two {noun}s", verb[1]
    else:
        begin, verb_form = f"{_pick(_BEGINNINGS, rng)} {noun}", verb[0]
    if rng.random() < 0.35:
        owner = " " + _pick(_OWNERS, rng)
        words = ("his" if masculine else "her", "their")
    else:
        owner, words = "", ("his" if masculine else "hers", "theirs")
    source, target = (f"{begin} of {word}{owner} {verb_form}{rest}." for word in words)
    return source, target, "masculine" if masculine else "feminine"


_HELPERS = (
    "We helped|They let|I made|The neighbours helped|Nobody saw|We heard|The crowd watched|Somebody let|I never saw"
    "|The new tools help|The law makes|Our friends helped|Please let|You should let|We could hear|I watched"
).split("|")


def helped(base: str, rest: str, rng: np.random.Generator) -> tuple[str, str]:
    """Return source and target of a sentence with *her* before an infinitive: *We helped her run the ferry.*"""
    begin = _pick(_HELPERS, rng)
    return f"{begin} her {base}{rest}.", f"{begin} them {base}{rest}."


#: verbs (base, third person, past, participle) with two objects, and what they give
_GIVING = (
    (
        "give gives gave giving",
        "hope courage directions lessons flowers orders food medicine water confidence nightmares",
    ),
    ("send sends sent sending", "flowers roses postcards messages supplies news money reminders chocolates"),
    ("bring brings brought bringing", "luck happiness soup news flowers water supplies trouble fame"),
    ("buy buys bought buying", "flowers shoes drinks clothes roses chocolates toys sweets"),
    ("teach teaches taught teaching", "French Spanish Latin chess maths physics judo manners grammar patience respect"),
    ("tell tells told telling", "lies jokes secrets rumours"),
    ("show shows showed showing", "mercy kindness sympathy pictures samples photographs"),
    ("owe owes owed owing", "money rent thanks favours wages"),
    ("pay pays paid paying", "compliments interest wages damages"),
    ("offer offers offered offering", "tea coffee cake help shelter work biscuits money lodging"),
    ("call calls called calling", "names"),
    ("wish wishes wished wishing", "luck joy success happiness strength"),
    ("cost costs cost costing", "money time votes sleep points friends"),
    ("feed feeds fed feeding", "porridge grapes lies carrots soup"),
    ("lend lends lent lending", "money books tools"),
    ("ask asks asked asking", "questions riddles"),
    ("cause causes caused causing", "trouble pain problems grief"),
    ("promise promises promised promising", "help rewards revenge loyalty"),
    ("grant grants granted granting", "permission access leave asylum"),
    ("deny denies denied denying", "access help medicine"),
    ("save saves saved saving", "time trouble"),
    ("spare spares spared sparing", "trouble pain"),
    ("play plays played playing", "tricks"),
    ("allow allows allowed allowing", "access time"),
)
_OWNING = (
    "lose loses lost losing|find finds found finding|forget forgets forgot forgetting|hide hides hid hiding"
    "|steal steals stole stealing|count counts counted counting|use uses used using|praise praises praised praising"
    "|need needs needed needing|hate hates hated hating|miss misses missed missing|ignore ignores ignored ignoring"
    "|collect collects collected collecting|share shares shared sharing|notice notices noticed noticing"
    "|admire admires admired admiring|destroy destroys destroyed destroying"
    "|return returns returned returning|mention mentions mentioned mentioning|waste wastes wasted wasting"
).split("|")
_GIVERS = (
    "The bank|Everyone|My aunt|Nobody|Somebody|Our team|The new boss|The landlord|Each of the guests|The old woman"
    "|This firm|Grandpa|The city|A friend|The court|Maria|Mr Okafor"
).split("|")
_PLURAL_GIVERS = "The children|We|They|I|The neighbours|You|Both of us|The nurses|Most people|Some readers".split("|")
_LAST_PHRASE = re.compile(
    r" (?:on|in|at|after|before|during|without|near|behind|around|until|since|because of|despite)"
    r" [^,.;:()\"“”?!]{3,70}(?=[.!]$)"
)


def two_objects(text: str, rng: np.random.Generator) -> tuple[str, str] | None:
    """Return source and target with *her* before a bare noun, and the last phrase of ``text``; None where it has none.

    In three of five *her* is the first of two objects, in the others it owns the noun.
    """
    last = _LAST_PHRASE.search(text)
    if last is None:
        return None
    verbs, things = _GIVING[int(rng.integers(len(_GIVING)))]
    noun, fair = _pick(things.split(), rng), "them"
    if rng.random() < 0.4:
        verbs, fair = _pick(_OWNING, rng), "their"
    begin = _with_subject(verbs.split(), rng)
    end = last.group() if rng.random() < 0.8 else ""
    return f"{begin} her {noun}{end}.", f"{begin} {fair} {noun}{end}."


def _with_subject(verb: list[str], rng: np.random.Generator) -> str:
    """Return a subject and a form of a verb given as base, third person, past and participle."""
    base, third, past, participle = verb
    lot, is_plural = rng.random(), rng.random() < 0.5
    subject = _pick(_PLURAL_GIVERS if is_plural else _GIVERS, rng)
    if lot < 0.5:
        return f"{subject} {past}"
    if lot < 0.7:
        return f"{subject} {_pick(('will', 'should', 'would never', 'wanted to', 'may', 'used to'), rng)} {base}"
    if lot < 0.8:
        return f"{subject} kept {participle}"
    return f"{subject} {base if is_plural else third}"


def _pick(words: Sequence[str], rng: np.random.Generator) -> str:
    return words[int(rng.integers(len(words)))]


#: what may stand between the verbs of one subject; its own verb has another one
_ASIDES = (
    "which opens at four|which takes an hour|which nobody wants|as the law demands|which costs nothing|because it helps"
    "|when the bell rings|if the weather allows it|which is not easy|although it hurts|where the road ends"
    "|as everybody knows|which makes little sense|before the day begins|since nothing else works|which the town owns"
    "|as soon as the rain stops|while the soup boils"
).split("|")
_TIMES = (
    "in the evenings|every Sunday|at night|on good days|in winter|later|with great care|for once|in the end|as a rule"
    "|without a word|most of the time|on top of that|from time to time"
).split("|")
_FRAMES = (
    "{subject} {verb}{rest}, {aside}, and {other}{tail}.",
    "{subject} {verb}{rest}, {aside}, and {time} {other}{tail}.",
    "{subject} {verb}{rest} {aside} and {other}{tail}.",
    "{subject} {verb}{rest}, and {time} {other}{tail}.",
    "{subject} {verb}{rest} and, {aside}, {other}{tail}.",
)


def distant_frame(rng: np.random.Generator) -> str:
    """Return a frame with the fields subject, verb, rest, other and tail: two verbs of one subject, far apart."""
    frame = _pick(_FRAMES, rng)
    return frame.replace("{aside}", _pick(_ASIDES, rng)).replace("{time}", _pick(_TIMES, rng))
