"""What *'s* behind *he* or *she* is for certain: *is* (*he's driven by greed*) or *has* (*he's driven the bus*)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from lexicons.loader import read_table
from rewriter.en.closed_words import OBJECT_PRONOUNS
from rewriter.en.outcomes import HAS, IS
from rewriter.language.rules import Decision, Rule, Rules
from rewriter.language.tokens import Token

#: what the tables call the readings
IS_WORD, HAS_WORD = "is", "has"
_BETWEEN = frozenset(
    "not never always already just also only ever since long finally probably certainly really".split()
)
_PHRASE_BEGINS = frozenset(
    "a an the my your his her its our their this that these those some any no every each another it them him me us you "
    "two three four five six seven eight nine ten".split()
)
#: not *her*, which may own what follows: he's told her secret
_PERSONS = OBJECT_PRONOUNS - {"it", "her"}
#: behind *every* and *each* they say when: she's tired every day
_TIMES = frozenset("time day night morning evening week weekend month year summer winter minute hour single".split())
#: behind *by* they say when or how, not by whom
_NO_AGENT = frozenset("now then noon midnight himself herself themself tomorrow accident mistake chance far".split())
#: behind a participle and "to": he's supposed to know
_TO = frozenset("said supposed expected allowed used forced obliged known bound meant due".split())
#: no adjective follows: she's re-opened the shop
_PREFIXES = frozenset("re pre co un over out under mis de dis self".split())
#: prepositions behind which no participle stands
_PREPOSITIONS = frozenset(
    "in on at from with for of about under behind near beside between against without inside outside".split()
)
#: words of a phrase of the table at most
_PHRASE = 4
#: what begins a clause to which no object before it belongs, and what ends one
_FRESH = frozenset(
    "and but so or because if when since well now then yes no yeah ok okay , . ; : ! ? ( \" ' “ ‘ — –".split()
)
_STOPS = frozenset(". ! ? ; :".split()) | {"", ","}
#: behind a comma they begin what goes before the object: he's taken, for years, ...
_AT_LENGTH = _PREPOSITIONS | frozenset("over by to as after before during since until".split())
#: what begins a clause; other words may be what somebody did: the films he's done with her
_CLAUSE_BEGINS = frozenset(
    """and but so because if when since until once think say said hope like says now then well yes no yeah , . ; : " “ ‘
    ( – — - ! ?""".split()
)


@cache
def participles(kind: str) -> frozenset[str]:
    """Return the participles of a kind of ``lexicons/en/participles.tsv``."""
    return frozenset(row["participle"] for row in read_table("en", "participles") if row["kind"] == kind)


#: words that no object begins with
BEHIND = frozenset(
    """in at on with for from to about of as than because when and but or if while after before since until over under
    into onto through again now today yet already here there too so out up down off away back together well . , ! ? ; :
    ) ” " """.split()
) | {""}


@cache
def states() -> dict[str, str]:
    """Return what *'s* is before words that leave one reading where no object follows: *impressed* (is)."""
    return {row["word"]: row["reading"] for row in read_table("en", "states")}


@cache
def _state_phrases() -> dict[tuple[str, ...], str]:
    """Return the kind of the phrases that say how somebody is: *taken aback*, *taken hostage*."""
    return {tuple(row["phrase"].split()): row["kind"] for row in read_table("en", "state_phrases")}


@dataclass(frozen=True, slots=True)
class Behind:
    """The words behind an *'s*, past adverbs.

    Attributes:
        tokens: of the sentence.
        place: of the first word.
        before: word before the pronoun.
        has_ever: *ever* or *never* was passed over.
    """

    tokens: Sequence[Token]
    place: int
    before: str
    has_ever: bool

    def norm(self, distance: int) -> str:
        """Return the word so many places behind the first; empty beyond the end."""
        place = self.place + distance
        return self.tokens[place].norm if 0 <= place < len(self.tokens) else ""

    @property
    def is_compound(self) -> bool:
        """Whether a hyphen joins the first word to another: *left-handed*."""
        if self.norm(1) != "-" or not self.norm(2).isalpha():
            return False
        return self.tokens[self.place + 1].start == self.tokens[self.place].end

    def has_agent_at(self, distance: int) -> bool:
        """Return True if *by* stands so many places behind the first word and says by whom."""
        second, third = self.norm(distance + 1), self.norm(distance + 2)
        is_when = second in _NO_AGENT or second.isdigit() or (second, third) == ("the", "time")
        return self.norm(distance) == "by" and not is_when


#: what an *'s* before a compound is, before what has one reading, before *by*, before all else
COMPOUND, CLITIC, AGENT, PARTICIPLE = (Decision("en", "settles") for _ in range(4))


def certain_clitic(tokens: Sequence[Token], index: int, rules: Rules) -> Rule | None:
    """Return the rule that says what the *'s* before ``index`` is, or None where the model decides.

    Args:
        tokens: of the sentence.
        index: of the word behind *'s*.
        rules: that are asked.
    """
    clitic, has_ever = index - 1, False
    while index < len(tokens) and tokens[index].norm in _BETWEEN:
        has_ever = has_ever or tokens[index].norm in ("ever", "never")
        index += 1
    before = tokens[clitic - 2].norm if clitic > 1 else ""
    behind = Behind(tokens, index, before, has_ever)
    if behind.is_compound:
        return rules.first(COMPOUND, clitic, behind)
    found = rules.first(CLITIC, clitic, behind)
    if found is not None:
        return found
    return rules.first(AGENT if behind.has_agent_at(1) else PARTICIPLE, clitic, behind)


@COMPOUND.rule("she's left-handed", outcome=IS, example="She['s] left-handed.", counter="She['s] re-opened it.")
def _is_compound(clitic: int, behind: Behind) -> bool:
    word, tokens, index = behind.norm(0), behind.tokens, behind.place
    return word not in _PREFIXES and tokens[index + 2].start <= tokens[index + 1].end


@CLITIC.rule("he's been", outcome=HAS, example="He['s] been there.", counter="He['s] being there.")
def _is_perfect(clitic: int, behind: Behind) -> bool:
    return behind.norm(0) in participles("has") or (behind.norm(0) == "yet" and behind.norm(1) == "to")


@CLITIC.rule("he's to win", outcome=IS, example="He['s] to win.", counter="He['s] winning.")
def _is_to(clitic: int, behind: Behind) -> bool:
    """What is to be; *has* behind a clitic needs *got*."""
    return behind.norm(0) == "to"


@CLITIC.rule("he's in the house", outcome=IS, example="He['s] in the house.", counter="He['s] inner peace.")
def _is_somewhere(clitic: int, behind: Behind) -> bool:
    return behind.norm(0) in _PREPOSITIONS


@CLITIC.rule("he's supposed to", outcome=IS, example="He['s] supposed to know.", counter="He['s] supposed it.")
def _is_bound(clitic: int, behind: Behind) -> bool:
    return behind.norm(1) == "to" and behind.norm(0) in _TO


@CLITIC.rule("he's taken ill", outcome=IS, example="He['s] taken ill.", counter="He['s] taken it.")
def _is_state_phrase(clitic: int, behind: Behind) -> bool:
    words = tuple(behind.norm(distance) for distance in range(_PHRASE))
    return any(
        _suits(behind, size, kind)
        for size in range(1, _PHRASE + 1)
        if (kind := _state_phrases().get(words[:size])) is not None
    )


def _suits(behind: Behind, size: int, kind: str) -> bool:
    """Return True if what stands beside a phrase of so many words leaves *is* alone."""
    if kind == "state":
        return True
    if behind.has_ever or (behind.before and behind.before not in _FRESH):
        return False
    return kind == "clause" or (behind.has_agent_at(size) if kind == "agent" else _has_no_object(behind, size))


def _has_no_object(behind: Behind, size: int) -> bool:
    following, second = behind.norm(size), behind.norm(size + 1)
    if size == 1:  # he's taken, for years, ...
        return following in _STOPS and not (following == "," and second in _AT_LENGTH)
    return following in BEHIND or following == "by" or (following in ("every", "each") and second in _TIMES)


@AGENT.rule("he's driven by greed", outcome=IS, example="He['s] driven by greed.", counter="He['s] gone by train.")
def _is_passive(clitic: int, behind: Behind) -> bool:
    word = behind.norm(0)
    is_passive = _is_regular(word) or word in participles("passive") or word in participles("other")
    return is_passive and not behind.has_ever and word not in participles("intransitive")


@PARTICIPLE.rule("he's known me", outcome=HAS, example="He['s] known me long.", counter="He['s] known for it.")
def _has_known(clitic: int, behind: Behind) -> bool:
    return behind.norm(0) == "known" and behind.norm(1) in OBJECT_PRONOUNS


def _is_listed(behind: Behind, reading: str) -> bool:
    return behind.norm(1) in BEHIND and not behind.has_ever and states().get(behind.norm(0)) == reading


@PARTICIPLE.rule("she's impressed", outcome=IS, example="She['s] impressed.", counter="She['s] impressed me.")
def _is_state(clitic: int, behind: Behind) -> bool:
    return _is_listed(behind, IS_WORD)


@PARTICIPLE.rule("she's arrived", outcome=HAS, example="She['s] arrived.", counter="She['s] arriving.")
def _has_done(clitic: int, behind: Behind) -> bool:
    return _is_listed(behind, HAS_WORD)


def _is_unlisted(behind: Behind) -> bool:
    """Return True if the table of states does not say what an *'s* is."""
    return behind.norm(1) not in BEHIND or behind.has_ever or behind.norm(0) not in states()


@PARTICIPLE.rule("he's eaten", outcome=HAS, example="He['s] eaten it.", counter="He['s] eating it.")
def _is_active(clitic: int, behind: Behind) -> bool:
    return _is_unlisted(behind) and behind.norm(0) in participles("active") and behind.norm(1) != "alive"


@PARTICIPLE.rule(
    "he's done with it", outcome=IS, example="He['s] done with it.", counter="The films he['s] done with her."
)
def _is_done(clitic: int, behind: Behind) -> bool:
    if (behind.norm(0), behind.norm(1)) != ("done", "with") or not _is_unlisted(behind):
        return False
    return not behind.before or behind.before in _CLAUSE_BEGINS


@PARTICIPLE.rule("he's told me", outcome=HAS, example="He['s] told me.", counter="He['s] told daily.")
def _has_told(clitic: int, behind: Behind) -> bool:
    """Nobody is told me."""
    return behind.norm(0) in participles("passive") and behind.norm(1) in _PERSONS


@PARTICIPLE.rule(
    "he's painted the door", outcome=HAS, example="He['s] painted the door.", counter="He['s] painted daily."
)
def _has_object(clitic: int, behind: Behind) -> bool:
    word, following, second = (behind.norm(distance) for distance in range(3))
    if word in participles("active") or word in participles("passive") or (word, following) == ("done", "with"):
        return False
    return (_is_regular(word) or word in participles("other")) and _begins_object(word, following, second)


def _is_regular(word: str) -> bool:
    return len(word) > 3 and word.endswith("ed")


def _begins_object(word: str, following: str, second: str) -> bool:
    if word == "married" and second in ("years", "months", "weeks", "days"):
        return False
    if following == "that":  # he's worried that; he's taken that
        return word in participles("other") and not word.endswith("ed")
    if following in ("every", "each") and second in _TIMES:
        return False
    return following in _PHRASE_BEGINS
