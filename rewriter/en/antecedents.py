"""What a *they* refers to: the decisions by its own sentence, by the persons before it, and by the sentences before.

Each is asked on the way back (``--to``); :class:`rewriter.en.reference.Resolver` asks them in order.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rewriter.en.back_words import PLURAL_ONLY, back_words
from rewriter.en.closed_words import THEY_PRONOUNS
from rewriter.en.inflection import to_plural
from rewriter.en.mentions import PLURAL, QUANTIFIERS, SINGULAR, Mention, determiner_place, is_modifier, is_verb_like
from rewriter.en.things import has_plural_things, is_of_person, may_be_things
from rewriter.en.view import View, persons
from rewriter.language.rules import Decision

UNKNOWN = "unknown"
_SINGULAR_VERBS = frozenset("is was has does isn't wasn't hasn't doesn't 's".split())
_LINKING = frozenset("are were 're was is be been being become became remain remained seem seemed 's".split())
_ARTICLES = frozenset("a an the my your our".split())
_CATAPHORIC = frozenset("if when once before after unless until while whenever because since although though".split())
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
_NEGATIVE = frozenset("nobody no neither none no-one".split())
_OTHER_SUBJECTS = frozenset("i you we he she it this that these those there is was".split())
_CLAUSE_BREAKS = frozenset(
    """, ; : " “ ” ( - — so while when because if whether that who whom whose which as until before after since
    i we you he she it they than nobody somebody someone everybody everyone""".split()
)
#: last place of a name that a *they* in the same sentence may refer to
_EARLY = 3
#: words between a person and a *they* in the same sentence at most
REACH = 100


@dataclass(slots=True)
class Focus:
    """What *they* in the next sentence would refer to."""

    number: str = UNKNOWN
    word: str = ""
    age: int = 0


@dataclass(frozen=True, slots=True)
class Reference:
    """The number of one *they*, what tells it, and the rule that says so."""

    number: str
    evidence: str = ""
    rule: str = ""


@dataclass
class Antecedents:
    """A *they* whose own sentence does not say how many it means, and the persons that it may refer to.

    Attributes:
        view: the sentence.
        place: of the *they*.
        mentions: all persons of the sentence.
        found: the pronouns before it.
        focus: what the sentences before were about.
        has_others: the text has other persons, whom *he*, *she* or a plural *they* names.
        before: the persons before it that it may mean.
        last: the last single one of them.
    """

    view: View
    place: int
    mentions: list[Mention]
    found: dict[int, Reference]
    focus: Focus
    has_others: bool
    before: list[Mention] = field(init=False)
    last: Mention | None = field(init=False)

    def __post_init__(self) -> None:
        near = [m for m in self.mentions if self.place - REACH <= m.index < self.place]
        self.before = [m for m in near if not _is_excluded(self.view, m, self.place)]
        self.last = next((m for m in reversed(self.before) if m.number == SINGULAR), None)

    @property
    def has_several(self) -> bool:
        """Whether several persons stand nearer than, or beside, the single one."""
        is_nearest_indefinite = self.last is not None and self.before[-1] is self.last and self.last.is_indefinite
        return not is_nearest_indefinite and any(m.number == PLURAL for m in self.before)


#: what speaks says that a *they* by its form is none
NO_PRONOUN = Decision("en", "blocks", asked="back")
#: several persons beyond doubt
SEVERAL = Decision("en", "blocks", asked="back")
#: what the sentence itself says about its pronouns, whatever was mentioned before
OWN = Decision("en", "settles", asked="back")
#: the number by the persons before it in the sentence
ANTECEDENT = Decision("en", "settles", asked="back")
#: the number where no person stands before it in the sentence
OUTSIDE = Decision("en", "settles", asked="back")


@NO_PRONOUN.rule("them boys", example="Someone saw [them] boys.", counter="Someone said it helps [them].")
def _is_dialect(view: View, place: int) -> bool:
    """*them boys* is dialect for *those*."""
    following = view.norm(place + 1)
    return view.norm(place) == "them" and (
        following in persons("plural") - QUANTIFIERS or following in persons("person", "plural")
    )


@NO_PRONOUN.rule("their is", example="Someone said [their] is no time.", counter="Someone lost [their] key.")
def _is_slip(view: View, place: int) -> bool:
    """*their is* is a slip for *there*."""
    following = view.norm(place + 1)
    return view.norm(place) == "their" and following in ("is", "are", "was", "were", "can", "will", "'s")


@SEVERAL.rule("they both", example="Someone said [they] both left.", counter="Someone said [they] left.")
def _is_counted_they(view: View, place: int, mentions: list[Mention]) -> bool:
    return view.norm(place) in ("they", "them") and _is_counted(view, place)


@SEVERAL.rule("one of them", example="Someone said one of [them] left.", counter="Someone said a friend saw [them].")
def _is_part_of_them(view: View, place: int, mentions: list[Mention]) -> bool:
    return view.norm(place) in ("they", "them") and _is_part(view, place)


@SEVERAL.rule(
    "they know each other", example="Someone said [they] know each other.", counter="Someone said [they] know each one."
)
def _is_reciprocal(view: View, place: int, mentions: list[Mention]) -> bool:
    for i in range(place + 1, min(place + 12, len(view))):
        if view.norm(i) in (".", ";", "!", "?"):
            break
        if (view.norm(i), view.norm(i + 1)) in (("each", "other"), ("one", "another")):
            return True
    return False


@SEVERAL.rule("they are friends", example="Someone said [they] are friends.", counter="Someone said [they] are tired.")
def _is_said_of_several(view: View, place: int, mentions: list[Mention]) -> bool:
    verb = view.skip_adverbs(place + 1)
    if view.norm(place) != "they" or view.norm(verb) not in _LINKING:
        return False
    noun = view.skip_adverbs(verb + 1)
    if view.norm(noun).endswith("ing"):
        return False
    return view.norm(noun) in persons("person", "plural") or view.norm(noun + 1) in persons("person", "plural")


@SEVERAL.rule(
    "themselves of others",
    example="Someone saw that the students helped [themselves].",
    counter="Someone said they helped [themselves].",
)
def _is_reflexive_of_others(view: View, place: int, mentions: list[Mention]) -> bool:
    """*themselves* goes with a plural that stands nearer than any *they*."""
    if view.norm(place) != "themselves":
        return False
    before = [m for m in mentions if m.index < place]
    return bool(before) and before[-1].number == PLURAL and not view.has(THEY_PRONOUNS, before[-1].index, place)


@OWN.rule("themself", example="They hurt [themself].", counter="They hurt [themselves].")
def _by_reflexive(view: View, place: int) -> Reference | None:
    return Reference(SINGULAR, "'themself'") if view.norm(place) == "themself" else None


@OWN.rule("they is", example="[They] is here.", counter="[They] are here.")
def _by_verb(view: View, place: int) -> Reference | None:
    if view.norm(place) == "they" and view.norm(place + 1) in _SINGULAR_VERBS:
        return Reference(SINGULAR, f"'they {view.norm(place + 1)}'")
    return None


@OWN.rule("they are a nurse", example="[They] are a nurse.", counter="[They] are a group.")
def _by_predicate(view: View, place: int) -> Reference | None:
    return _predicate(view, place) if view.norm(place) == "they" else None


@ANTECEDENT.rule(
    "only several before", example="The students said [they] left.", counter="The student said [they] left."
)
def _by_several(persons: Antecedents, place: int) -> Reference | None:
    return Reference(PLURAL, f"'{persons.before[-1].word}'") if persons.last is None else None


@ANTECEDENT.rule(
    "their conversation", example="Someone remembered [their] conversation.", counter="Someone remembered [their] key."
)
def _of_two(persons: Antecedents, place: int) -> Reference | None:
    view = persons.view
    is_shared = view.norm(place) == "their" and not _RECIPROCAL.isdisjoint(view.norms(place + 1, place + 3))
    return Reference(UNKNOWN) if is_shared else None


@ANTECEDENT.rule(
    "person of a text with he or she",
    example="The student left. She said the teacher lost [their] key.",
    counter="The student lost [their] key.",
)
def _of_others(persons: Antecedents, place: int) -> Reference | None:
    last = persons.last
    if last is None or last.is_indefinite:
        return None
    is_other = persons.has_others or _is_late_name(last)
    return Reference(UNKNOWN) if is_other else None


@ANTECEDENT.rule(
    "another they before the person",
    example="They said that the student knew [they] left.",
    counter="We said that the student knew [they] left.",
)
def _behind_another(persons: Antecedents, place: int) -> Reference | None:
    last, found = persons.last, persons.found
    is_behind = last is not None and any(found[i].number != SINGULAR for i in found if i < last.index)
    return Reference(UNKNOWN) if is_behind and persons.view.norm(place) in ("they", "them") else None


@ANTECEDENT.rule(
    "goes on with a pronoun",
    example="The student told the guests that they know [their] way.",
    counter="The student knows [their] way.",
)
def _by_pronoun_before(persons: Antecedents, place: int) -> Reference | None:
    """Where several stand beside the person, the pronoun before decides, if nobody was mentioned since."""
    if not persons.has_several:
        return None
    found, since = persons.found, persons.before[-1].index
    later = [found[i] for i in sorted(found) if since < i < place]
    return later[-1] if later and all(r.number == SINGULAR for r in later) else Reference(UNKNOWN)


@ANTECEDENT.rule(
    "things beside the person",
    example="The student read the books because [they] were cheap.",
    counter="The student left because [they] were tired.",
)
def _by_things(persons: Antecedents, place: int) -> Reference | None:
    last = persons.last
    is_open = last is not None and may_be_things(
        persons.view, place, last, is_continued=_is_continued(place, persons.found)
    )
    return Reference(UNKNOWN) if is_open else None


@ANTECEDENT.rule("the person before", example="The student said [they] left.", counter="The students said [they] left.")
def _by_person(persons: Antecedents, place: int) -> Reference | None:
    return None if persons.last is None else Reference(SINGULAR, f"'{persons.last.word}'")


@OUTSIDE.rule("they say", example="Someone came. [They] say it rains.", counter="Someone came. [They] left.")
def _by_nobody(persons: Antecedents, place: int) -> Reference | None:
    """*They say* means nobody, *them* and things before it may mean others than the person of the sentence before."""
    if persons.focus.number != SINGULAR:
        return None
    view = persons.view
    is_generic = place == 0 and view.norm(1) in ("say", "call")
    is_generic = is_generic or (view.norm(place) == "them" and not is_of_person(view, place))
    return Reference(UNKNOWN) if is_generic or has_plural_things(view, 0, place) else None


@OUTSIDE.rule(
    "the person of the sentence before", example="Someone came. [They] left.", counter="It rained. [They] left."
)
def _by_focus(persons: Antecedents, place: int) -> Reference | None:
    focus = persons.focus
    return None if focus.number == UNKNOWN else Reference(focus.number, f"'{focus.word}' before")


@OUTSIDE.rule(
    "the person of the main clause",
    example="When [they] arrived, the student sat down.",
    counter="When [they] arrived, the students sat down.",
)
def _by_main_clause(persons: Antecedents, place: int) -> Reference | None:
    view, mentions = persons.view, persons.mentions
    comma = next((i for i in range(place, len(view)) if view.norm(i) == ","), None)
    if comma is None or view.norm(0) not in _CATAPHORIC or not mentions or mentions[0].index < comma:
        return None
    is_one = {m.number for m in mentions} == {SINGULAR}
    return Reference(SINGULAR, f"'{mentions[0].word}'") if is_one else None


def _is_late_name(person: Mention) -> bool:
    """Return True if a name comes so late that it is hardly what the sentence is about."""
    return person.determiner == "name" and person.index > _EARLY


def _is_counted(view: View, place: int) -> bool:
    """Return True if *both*, *all* or a number right behind a pronoun says that it is several."""
    if view.norm(place + 1) in PLURAL_ONLY:
        return not _is_extent(view, place)
    # they have both left; but: they're both confused and amused
    is_both = view.norm(place + 2) == "both" and view.norm(place + 1) in _LINKING | {"have", "'ve", "'ll", "will"}
    return is_both and "and" not in view.norms(place, place + 7)


def _is_part(view: View, place: int) -> bool:
    return view.norm(place - 1) == "of" and view.norm(place - 2) in _PARTITIVES


def _is_extent(view: View, place: int) -> bool:
    """Return True if *all* after a pronoun says how long or how much: *them all the time*, *they all but won*."""
    return view.norm(place + 1) == "all" and view.norm(place + 2) in (
        "the", "day", "night", "year", "week", "along", "but", "over", "alone", "in", "right",
    )  # fmt: skip


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
    """Return True if a pronoun cannot mean a person: *a singer thanked them*, *their prisoner and their booty*."""
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
    """Return True if a pronoun is near enough to *nobody* to mean the same (*nobody said they*)."""
    between = view.norms(mention.index + 1, place)
    if view.norm(place) in ("their", "themselves", "themself"):
        return len(between) <= 6 and "," not in between
    return len(between) <= 6 and not back_words("mental verb").isdisjoint(_bases(between))


def _bases(words: list[str]) -> set[str]:
    return {to_plural(word) or word for word in words}


def _is_predicate(view: View, mention: Mention) -> bool:
    """Return True if a person is only said of another: *I am a fan*, *it was a singer*."""
    start = determiner_place(view, mention.index)
    if start is None or mention.determiner == "name":
        return False
    while view.is_adverb(start - 1) or view.norm(start - 1) == "barely":
        start -= 1
    verb, subject = view.norm(start - 1), view.norm(start - 2)
    return verb in ("am", "'m") or (verb in (*_LINKING, "isn't", "wasn't", "not") and subject in _OTHER_SUBJECTS)


def _is_subject_of(view: View, mention: Mention, place: int) -> bool:
    """Return True if *them* is the object of a person's own clause (*a singer thanked them*): others are meant."""
    start = mention.index + 1
    if view.norm(start) in ("who", "that"):
        start += 1  # everyone who saw them
    if view.norm(place) != "them" or view.has(_CLAUSE_BREAKS, start, place):
        return False
    following = view.norm(view.skip_adverbs(start))
    return start > mention.index + 1 or following in ("to", "of") or is_verb_like(following)


def _is_continued(place: int, found: dict[int, Reference]) -> bool:
    """Return True if the pronoun before in the sentence was a person's."""
    before = [found[i] for i in sorted(found) if i < place]
    return bool(before) and before[-1].number == SINGULAR
