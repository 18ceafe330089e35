"""Singular *they* against plural *they*, by rules on the surface.

A *they* is called singular where the sentence itself says so (*themself*, *they are a nurse*, *they is*), or where the
nearest persons that were mentioned are one person (*someone*, *every guest*, *the student*, a name of any gender) and
no group or plural of persons competes. Everything else is unknown and stays: generic *they*, several candidates,
things.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rewriter.en.back_words import PLURAL_ONLY, UNCHANGED, back_words
from rewriter.en.inflection import to_plural
from rewriter.en.mentions import (
    DETERMINERS,
    PLURAL,
    QUANTIFIERS,
    SINGULAR,
    Mention,
    determiner_place,
    find_mentions,
    is_modifier,
    is_verb_like,
)
from rewriter.en.view import View, persons

UNKNOWN = "unknown"
THEY = frozenset({"they", "them", "their", "theirs", "themself", "themselves"})
_PLURAL_DETERMINERS = frozenset(
    """the these those some many few several all both any no my your his her our their its two three four five six
    seven eight nine ten hundred of more most other such new old""".split()
)
_SINGULAR_VERBS = frozenset("is was has does isn't wasn't hasn't doesn't 's".split())
_LINKING = frozenset("are were 're was is be been being become became remain remained seem seemed 's".split())
_ARTICLES = frozenset("a an the my your our".split())
_CATAPHORIC = frozenset("if when once before after unless until while whenever because since although though".split())
_COPULA = frozenset("are were 're aren't weren't be been become look looked seem seemed cost costs".split())
_PARTITIVES = frozenset(
    "any one some all none each both many most few several half two three four five either neither".split()
)
#: what two have with each other
_RECIPROCAL = frozenset(
    """conversation relationship marriage wedding friendship engagement respective mutual common joint combined shared
    collective""".split()
)
_PREDICATE_STOPS = frozenset(
    """and but that when while if because who which where how why what since until before after she he it we i you
    than him her them me us""".split()
)
_VERBS_WITH_OF = frozenset("think thought hear heard speak spoke dream proud afraid fond scared".split())
_NEGATIVE = frozenset("nobody no neither none no-one".split())
_OTHER_SUBJECTS = frozenset("i you we he she it this that these those there is was".split())
_AFTER_OWNER = frozenset("and or nor of with over along from in , by for".split())
_PLURAL_CAPITALS = re.compile(r"[A-Z]{2,}s")
_NO_PLURALS = frozenset(
    "always perhaps besides sometimes does has was is its his hers yours ours theirs across".split()
)
_CLAUSE_BREAKS = frozenset(
    """, ; : " “ ” ( - — so while when because if whether that who whom whose which as until before after since
    i we you he she it they than nobody somebody someone everybody everyone""".split()
)
#: indefinite persons that a later sentence goes on with
_LASTING = frozenset("someone somebody".split())
#: last place of a name that a *they* in the same sentence may refer to
_EARLY = 3
#: words between a person and a *they* in the same sentence at most
REACH = 100
#: longest sentence, in words, whose *they* are looked at; texts without full stops (lists, dumps) say nothing for sure
LONGEST = 600
#: sentences after which an antecedent is forgotten
MEMORY = 2


@dataclass(slots=True)
class Focus:
    """What *they* in the next sentence would refer to."""

    number: str = UNKNOWN
    word: str = ""
    age: int = 0


@dataclass(frozen=True, slots=True)
class Reference:
    """The number of one *they*, and what tells it."""

    number: str
    evidence: str = ""


@dataclass
class Resolver:
    """Goes through the sentences of a text and remembers the last person.

    Args:
        takes_all: call every *they* singular unless it is plural beyond doubt.
        is_gendered: the text has he or she for its persons, so *they* is none of them; only *someone*, *every guest*
            and the like count.
    """

    takes_all: bool = False
    is_gendered: bool = False
    has_others: bool = False
    focus: Focus = field(default_factory=Focus)

    def resolve(self, view: View) -> dict[int, Reference]:
        """Return the number of every *they*, *them*, *their*, *theirs*, *themself* and *themselves* of a sentence."""
        if len(view) > LONGEST:
            self.focus = Focus()
            return {}
        places = [i for i in range(len(view)) if view.norm(i) in THEY and view.is_whole_word(i)]
        mentions = find_mentions(view)
        own = self._own_evidence(view, places)
        found: dict[int, Reference] = {}
        for place in places:
            if _is_no_pronoun(view, place):
                continue
            if is_plural_beyond_doubt(view, place) or _is_reflexive_of_others(view, place, mentions):
                found[place] = Reference(PLURAL, "plural beyond doubt")
            elif self.takes_all:
                found[place] = Reference(SINGULAR, "every they is meant to be singular")
            elif own:
                found[place] = own
            else:
                found[place] = self._by_antecedent(view, place, mentions, found)
        self._remember(view, mentions, found)
        return found

    @staticmethod
    def _own_evidence(view: View, places: list[int]) -> Reference | None:
        """Return what the sentence itself says about its pronouns, whatever was mentioned before."""
        for place in places:
            word = view.norm(place)
            if word == "themself":
                return Reference(SINGULAR, "'themself'")
            if word == "they" and view.norm(place + 1) in _SINGULAR_VERBS:
                return Reference(SINGULAR, f"'they {view.norm(place + 1)}'")
            predicate = _predicate(view, place) if word == "they" else None
            if predicate:
                return predicate
        return None

    def _by_antecedent(self, view: View, place: int, mentions: list[Mention], found: dict[int, Reference]) -> Reference:
        near = [m for m in mentions if place - REACH <= m.index < place]
        before = [m for m in near if not _is_excluded(view, m, place)]
        if not before:
            return self._from_outside(view, place, mentions)
        last = next((m for m in reversed(before) if m.number == SINGULAR), None)
        if last is None:
            return Reference(PLURAL, f"'{before[-1].word}'")
        if view.norm(place) == "their" and not _RECIPROCAL.isdisjoint(view.norms(place + 1, place + 3)):
            return Reference(UNKNOWN)
        if not last.is_indefinite and (self.is_gendered or self.has_others or _is_late_name(last)):
            return Reference(UNKNOWN)
        if any(found[i].number != SINGULAR for i in found if i < last.index) and view.norm(place) in ("they", "them"):
            return Reference(UNKNOWN)
        is_nearest_indefinite = before[-1] is last and last.is_indefinite
        if not is_nearest_indefinite and any(m.number == PLURAL for m in before):
            return self._continue(place, before[-1].index, found)
        if _may_be_things(view, place, last, found):
            return Reference(UNKNOWN)
        return Reference(SINGULAR, f"'{last.word}'")

    @staticmethod
    def _continue(place: int, since: int, found: dict[int, Reference]) -> Reference:
        """Go on with the last pronoun where nobody was mentioned since."""
        later = [found[i] for i in sorted(found) if since < i < place]
        return later[-1] if later and all(r.number == SINGULAR for r in later) else Reference(UNKNOWN)

    def _from_outside(self, view: View, place: int, mentions: list[Mention]) -> Reference:
        """Return the number by the sentences before, or by the main clause after a clause with *if* or *when*."""
        if self.focus.number != UNKNOWN:
            is_generic = place == 0 and view.norm(1) in ("say", "call")
            is_generic = is_generic or (view.norm(place) == "them" and not _is_of_person(view, place))
            if self.focus.number == SINGULAR and (is_generic or _has_plural_things(view, 0, place)):
                return Reference(UNKNOWN)
            return Reference(self.focus.number, f"'{self.focus.word}' before")
        comma = next((i for i in range(place, len(view)) if view.norm(i) == ","), None)
        if comma is None or view.norm(0) not in _CATAPHORIC or not mentions or mentions[0].index < comma:
            return Reference(UNKNOWN)
        numbers = {m.number for m in mentions}
        return Reference(SINGULAR, f"'{mentions[0].word}'") if numbers == {SINGULAR} else Reference(UNKNOWN)

    def _remember(self, view: View, mentions: list[Mention], found: dict[int, Reference]) -> None:
        numbers = {r.number for r in found.values()} | {m.number for m in mentions}
        self.has_others = self.has_others or any(r.number != SINGULAR for r in found.values())
        turned = bool(found) and all(r.number == SINGULAR for r in found.values())
        named = next((m for m in reversed(mentions) if m.number == SINGULAR), None)
        if self.is_gendered and numbers:
            self.focus = Focus()
        elif turned and (named is None or not named.is_indefinite or named.word in _LASTING):
            self.focus = Focus(SINGULAR, named.word if named else self.focus.word or "they")
        elif numbers == {SINGULAR} and named and _goes_on(view, mentions, named):
            self.focus = Focus(SINGULAR, named.word)
        elif numbers == {PLURAL}:
            self.focus = Focus(PLURAL, mentions[-1].word if mentions else self.focus.word)
        elif numbers:
            self.focus = Focus()
        else:
            self.focus.age += 1
            if self.focus.age >= MEMORY:
                self.focus = Focus()


def _goes_on(view: View, mentions: list[Mention], person: Mention) -> bool:
    """Tell whether the next sentence may go on with a person: the only one, and what the sentence begins with."""
    if len({m.word for m in mentions}) > 1 or view.norm(person.index + 1) == "'s":
        return False
    if person.is_indefinite:
        is_asked = person.word in ("anyone", "anybody") and view.norm(len(view) - 1) == "?"
        return person.word in _LASTING or is_asked
    start = person.index if person.determiner == "name" else determiner_place(view, person.index)
    return start == 0


def _is_late_name(person: Mention) -> bool:
    """Tell whether a name comes so late that it is hardly what the sentence is about."""
    return person.determiner == "name" and person.index > _EARLY


def is_plural_beyond_doubt(view: View, place: int) -> bool:
    """Tell whether a *they* can only be several: *they both*, *one of them*, *each other*, *they are friends*."""
    word = view.norm(place)
    if word in ("they", "them") and (_is_counted(view, place) or _is_part(view, place)):
        return True
    for i in range(place + 1, min(place + 12, len(view))):
        if view.norm(i) in (".", ";", "!", "?"):
            break
        if (view.norm(i), view.norm(i + 1)) in (("each", "other"), ("one", "another")):
            return True
    verb = view.skip_adverbs(place + 1)
    if word != "they" or view.norm(verb) not in _LINKING:
        return False
    noun = view.skip_adverbs(verb + 1)
    if view.norm(noun).endswith("ing"):
        return False
    return view.norm(noun) in persons("person", "plural") or view.norm(noun + 1) in persons("person", "plural")


def _is_counted(view: View, place: int) -> bool:
    """Tell whether *both*, *all* or a number right behind a pronoun says that it is several."""
    if view.norm(place + 1) in PLURAL_ONLY:
        return not _is_extent(view, place)
    # they have both left; but: they're both confused and amused
    is_both = view.norm(place + 2) == "both" and view.norm(place + 1) in _LINKING | {"have", "'ve", "'ll", "will"}
    return is_both and "and" not in view.norms(place, place + 7)


def _is_part(view: View, place: int) -> bool:
    return view.norm(place - 1) == "of" and view.norm(place - 2) in _PARTITIVES


def _is_reflexive_of_others(view: View, place: int, mentions: list[Mention]) -> bool:
    """Tell whether *themselves* goes with a plural that stands nearer than any *they*."""
    if view.norm(place) != "themselves":
        return False
    before = [m for m in mentions if m.index < place]
    return bool(before) and before[-1].number == PLURAL and not view.has(THEY, before[-1].index, place)


def _is_extent(view: View, place: int) -> bool:
    """Tell whether *all* after a pronoun says how long or how much: *them all the time*, *they all but won*."""
    return view.norm(place + 1) == "all" and view.norm(place + 2) in (
        "the", "day", "night", "year", "week", "along", "but", "over", "alone", "in", "right",
    )  # fmt: skip


def _is_no_pronoun(view: View, place: int) -> bool:
    """*them boys* is dialect for *those*, *their is* a slip for *there*; both stay."""
    following = view.norm(place + 1)
    if view.norm(place) == "them":
        return following in persons("plural") - QUANTIFIERS or following in persons("person", "plural")
    return view.norm(place) == "their" and following in ("is", "are", "was", "were", "can", "will", "'s")


def _predicate(view: View, place: int) -> Reference | None:
    """*They are a nurse*, *they want to become a nurse*, *they work as a nurse*: one person."""
    for i in range(place + 1, min(place + 6, len(view))):
        if not view.norm(i).lstrip("'").isalpha() or view.norm(i) in _PREDICATE_STOPS:
            return None
        if view.norm(i) in (*_LINKING, "as") and view.norm(i + 1) in _ARTICLES:
            for noun in range(i + 2, min(i + 6, len(view))):
                if view.norm(noun) in persons("person") and not is_modifier(view, noun):
                    return Reference(SINGULAR, f"'{view.norm(i)} {view.norm(i + 1)} {view.norm(noun)}'")
                if not view.norm(noun).isalpha() or view.norm(noun) in ("of", "for", "to", "in", "with", "and"):
                    return None
    return None


def _is_excluded(view: View, mention: Mention, place: int) -> bool:
    """Tell whether a pronoun cannot mean a person: *a singer thanked them*, *their prisoner and their booty*."""
    if mention.number == PLURAL:
        return _is_subject_of(view, mention, place)
    if mention.determiner == "their" or place - mention.index <= 1:
        return True
    if view.norm(mention.index + 1) == "'s" and (view.norm(place) == "them" or mention.index > _EARLY):
        return True
    if mention.determiner in _NEGATIVE and not _is_own_statement(view, mention, place):
        return True
    if _is_predicate(view, mention):
        return True
    if place - mention.index == 2 and view.norm(place - 1) == "of":
        return True  # a fan of their music
    return _is_subject_of(view, mention, place)


def _is_own_statement(view: View, mention: Mention, place: int) -> bool:
    """Tell whether a pronoun is near enough to *nobody* to mean the same (*nobody said they*)."""
    between = view.norms(mention.index + 1, place)
    if view.norm(place) in ("their", "themselves", "themself"):
        return len(between) <= 6 and "," not in between
    return len(between) <= 6 and not back_words("mental verb").isdisjoint(_bases(between))


def _bases(words: list[str]) -> set[str]:
    return {to_plural(word) or word for word in words}


def _is_predicate(view: View, mention: Mention) -> bool:
    """Tell whether a person is only said of another: *I am a fan*, *it was a singer*."""
    start = determiner_place(view, mention.index)
    if start is None or mention.determiner == "name":
        return False
    while view.is_adverb(start - 1) or view.norm(start - 1) == "barely":
        start -= 1
    verb, subject = view.norm(start - 1), view.norm(start - 2)
    return verb in ("am", "'m") or (verb in (*_LINKING, "isn't", "wasn't", "not") and subject in _OTHER_SUBJECTS)


def _is_subject_of(view: View, mention: Mention, place: int) -> bool:
    """Tell whether *them* is an object of a person's own clause (*a singer thanked them*), so that others are meant."""
    start = mention.index + 1
    if view.norm(start) in ("who", "that"):
        start += 1  # everyone who saw them
    if view.norm(place) != "them" or view.has(_CLAUSE_BREAKS, start, place):
        return False
    following = view.norm(view.skip_adverbs(start))
    return start > mention.index + 1 or following in ("to", "of") or is_verb_like(following)


def _may_be_things(view: View, place: int, person: Mention, found: dict[int, Reference]) -> bool:
    """Tell whether things since the antecedent may be what the pronoun means."""
    word, since = view.norm(place), person.index + 1
    if not person.is_indefinite and _has_plural_things(view, 0, person.index):
        return True
    if word == "their":
        start = max(since, place - 3) if person.is_indefinite else since
        is_beside = not person.is_indefinite or view.norm(place - 1) in _AFTER_OWNER
        return is_beside and not _is_continued(place, found) and _has_plural_things(view, start, place)
    if word == "them":
        if view.norm(place - 1) == "of" and not view.has(_VERBS_WITH_OF, place - 2, place):
            return True
        return not _is_of_person(view, place) and (
            _has_plural_things(view, since, place) or _has_thing(view, since, place)
        )
    has_things = _has_plural_things(view, since, place)
    has_things_before = _has_plural_things(view, 0, person.index)
    if word != "they" or not (has_things or has_things_before) or _is_continued(place, found):
        return False
    verb = view.skip_adverbs(place + 1)
    while view.norm(verb) in UNCHANGED or view.norm(verb) in ("have", "'ve", "do", "don't", "did", "didn't", "not"):
        verb = view.skip_adverbs(verb + 1)
    if view.norm(verb) in _COPULA:
        return view.norm(view.skip_adverbs(verb + 1)) not in back_words("predicate")
    is_free = person.is_indefinite and not has_things_before
    return not is_free and view.norm(verb) not in back_words("mental verb")


def _is_continued(place: int, found: dict[int, Reference]) -> bool:
    """Tell whether the pronoun before in the sentence was a person's."""
    before = [found[i] for i in sorted(found) if i < place]
    return bool(before) and before[-1].number == SINGULAR


def _is_of_person(view: View, place: int) -> bool:
    """Tell whether *them* stands behind a verb that has persons as objects."""
    return view.norm(place - 1) in back_words("object verb")


def _has_thing(view: View, start: int, end: int) -> bool:
    """Tell whether a noun phrase that names no person stands in a stretch."""
    for i in range(start, end):
        if view.norm(i) in DETERMINERS - {"'s", "that", "this", "what", "which", "one"} and i + 1 < end:
            nouns = view.norms(i + 1, min(i + 4, end))
            if not any(w in persons("person") or w in persons("gendered") for w in nouns):
                return True
    return False


def _follows_plural(word: str) -> bool:
    """Tell whether a word shows that one in -s before it is no verb: *teams met*, *tools are*."""
    plural = ("are", "were", "have", "do", "don't", "aren't", "weren't", "haven't", "help", "make", "can", "will")
    return word in plural or word in back_words("past") or (len(word) > 4 and word.endswith("ed"))


def _has_plural_things(view: View, start: int, end: int) -> bool:
    return any(_is_plural_noun(view, i) for i in range(max(start, 1), end))


def _is_plural_noun(view: View, index: int) -> bool:
    word = view.norm(index)
    if _PLURAL_CAPITALS.fullmatch(view.surface(index)):
        return True
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")) or word in THEY | _NO_PLURALS:
        return False
    if view.norm(index + 1) == "'s":
        return False
    before, second = view.norm(index - 1), view.norm(index - 2)
    if _follows_plural(view.norm(index + 1)):
        return True
    if to_plural(word) is not None and before in (*persons("person"), *persons("indefinite"), *persons("name")):
        return False
    if before == "their":
        return False
    if before in _PLURAL_DETERMINERS or (second in _PLURAL_DETERMINERS and before.isalpha()):
        return True
    # bare plurals: not where the word can be the verb of a subject before it
    return to_plural(word) is None or before in ("and", "or", "with", "for", "in", "on", "about", "buy", "have")
