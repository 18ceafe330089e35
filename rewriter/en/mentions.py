"""Persons that a sentence speaks of: the candidates for what a *they* refers to, found on the surface."""

from __future__ import annotations

from dataclasses import dataclass

from rewriter.en.back_words import AUXILIARIES, INVERTING, PAST_FORMS, UNCHANGED, back_words
from rewriter.en.inflection import to_plural, to_singular
from rewriter.en.view import View, persons

SINGULAR, PLURAL, GENDERED = "singular", "plural", "gendered"
DETERMINERS = frozenset(
    """a an the this that every each any no another my your our his her their its 's one what which either neither
    some""".split()
)
#: determiners after which one of many is meant, so that no plural nearby competes
INDEFINITE = frozenset("every each any no either neither whoever".split())
_TITLES = frozenset(
    """doctor professor senator mayor governor president judge captain colonel sergeant lieutenant officer agent
    detective inspector minister ambassador bishop pope admiral commander nurse coach commissioner director""".split()
)
#: persons and adjectives
_ADJECTIVES = frozenset(
    """general human adult minor individual private public fellow juvenile native criminal professional expert novice
    adolescent christian muslim saint principal lead champion""".split()
)
_FUNCTION_WORDS = frozenset(
    """of to in on at for with by from and or but nor so as if when while that who whom whose which than then because
    until before after since though although unless about against into over under without within between during near
    the a an this these those my your our his her its their i you he she it we they me him us them not never always
    here there now today yesterday tomorrow again too also just still ever already himself herself themself themselves
    himself itself did went came got was were is are had has have 's ought 'd 'll 're 've be been being""".split()
)


@dataclass(frozen=True, slots=True)
class Mention:
    """Persons that a sentence speaks of.

    Attributes:
        index: place of the word.
        number: :data:`SINGULAR` or :data:`PLURAL`, or while they are looked for :data:`GENDERED` (*my aunt*).
        word: the words, for the reason of an edit.
        determiner: what stands before a noun; the word itself for *someone*.
    """

    index: int
    number: str
    word: str
    determiner: str = ""

    @property
    def is_indefinite(self) -> bool:
        """Return True if one of many is meant (*everyone*, *each student*)."""
        return self.determiner in INDEFINITE or self.determiner in persons("indefinite")


def find_mentions(view: View) -> list[Mention]:
    """Return the persons of a sentence in order; those that *and* or a list joins become one plural."""
    mentions: list[Mention] = []
    for index in range(len(view)):
        mention = _mention_at(view, index)
        if mention is None or _is_addressed(view, mention):
            continue
        if mentions and _are_joined(view, mentions[-1], mention):
            mention = Mention(mention.index, PLURAL, f"{mentions[-1].word} and {mention.word}")
        mentions.append(mention)
    return [m for m in mentions if m.number != GENDERED and not _is_partitive(view, m, mentions)]


def _mention_at(view: View, index: int) -> Mention | None:
    word = view.norm(index)
    if word in persons("indefinite"):
        return Mention(index, SINGULAR, word, word)
    if word == "one" and view.norm(index - 1) in ("no", "any", "every", "some"):
        first = view.norm(index - 1)
        return Mention(index, SINGULAR, f"{first} one", "any" if first == "some" else first)
    if word in ("each", "one", "none", "any", "either", "neither") and view.norm(index + 1) == "of":
        is_relative = view.has(("who", "that"), index + 3, index + 6)  # one of those who lost their way: many
        return Mention(index, SINGULAR, f"{word} of", "each") if _of_persons(view, index + 2, is_relative) else None
    if word == "who" and index == 0 and to_singular(view.norm(1)) is None:
        return Mention(index, SINGULAR, word, "whoever")
    if word in persons("plural") or word in persons("person", "plural"):
        return _plural_mention(view, index)
    if word in persons("group"):
        return Mention(index, PLURAL, word) if determiner_place(view, index) is not None else None
    if word in persons("gendered"):
        return Mention(index, GENDERED, word)
    if word in persons("name"):
        return _name_at(view, index)
    return _person_at(view, index)


def _name_at(view: View, index: int) -> Mention | None:
    """Return a given name; *the Robin River* and *the River Taylor* are none."""
    if view.tokens[index].shape != 1:
        return None
    before = view.norm(index - 1)
    if before in DETERMINERS or (index > 1 and view.tokens[index - 1].shape == 1):
        return None
    number = PLURAL if _is_one_of_names(view, index) else SINGULAR
    return Mention(index, number, view.surface(index), "name")


def _is_one_of_names(view: View, index: int) -> bool:
    """Return True if another capitalised name is joined to this one: *Zora and Sam Lee*, *Sam Lee and Zora*."""
    before = index - 1
    if view.norm(before) in ("and", "&", ",") and index > 1 and view.tokens[index - 2].shape == 1:
        return True
    after = index + 1
    while after < len(view) and view.tokens[after].shape == 1:
        after += 1
    return view.norm(after) in ("and", "&", ",") and after + 1 < len(view) and view.tokens[after + 1].shape == 1


QUANTIFIERS = frozenset("others both many most few several these those all some us we two three four five six".split())


def _plural_mention(view: View, index: int) -> Mention | None:
    word, following = view.norm(index), view.norm(index + 1)
    if word == "police" and following in persons("person"):
        return None  # the police officer
    if word in QUANTIFIERS and word != "those":
        # "most books", "all day", "some money" speak of no persons; "many say", "both of" do
        is_alone = following in ("of", "who", "are", "were", "have", "say", "think", "believe", "will", "can")
        return Mention(index, PLURAL, word) if is_alone and word not in ("we", "us") else None
    if word == "those":
        return Mention(index, PLURAL, word) if following in ("who", "in", "with") else None
    if word in ("poor", "rich", "elderly"):
        is_noun = view.norm(index - 1) == "the" and (to_singular(following) is not None or not following.isalpha())
        return Mention(index, PLURAL, word) if is_noun else None
    if following == "of" and word in ("hundreds", "thousands", "millions"):
        return None
    # "the student visits": the third person of a verb (she coaches, it hosts)
    if to_plural(word) and view.norm(index - 1) in persons("person"):
        return None
    return Mention(index, PLURAL, word)


def _person_at(view: View, index: int) -> Mention | None:
    word = view.norm(index)
    pair = f"{view.norm(index - 1)} {word}"
    if (
        word not in persons("person")
        and word not in ("dr", "prof")
        and pair not in persons("person")
        and not _is_person_by_ending(word)
    ):
        return None
    is_titled = view.tokens[index].shape == 1 and index + 1 < len(view) and view.tokens[index + 1].shape == 1
    if word in ("dr", "prof") and view.norm(index + 1) == "." and view.tokens[index].shape == 1:
        return Mention(index, SINGULAR, word, "name")
    if is_titled and word in _TITLES:
        return Mention(index, PLURAL if _is_one_of_names(view, index) else SINGULAR, word, "name")
    place = determiner_place(view, index)
    # our Guard, the Labor Secretary: names of offices rather than persons
    is_office = index > 0 and view.tokens[index].shape == 1 and not view.is_title_case
    if place is None or is_office or is_modifier(view, index):
        return None
    return Mention(index, SINGULAR, f"{view.norm(place)} {word}", view.norm(place))


def _is_person_by_ending(word: str) -> bool:
    return len(word) > 6 and word.endswith(("ologist", "ician", "ographer", "ologer", "person"))


def is_modifier(view: View, index: int) -> bool:
    """Return True if a person is said only of something: *student council*, *user sign-off*, *a general report*."""
    following = view.norm(index + 1)
    if not following or not following[0].isalpha() or following in _FUNCTION_WORDS or view.is_adverb(index + 1):
        return following == "-"
    if following in persons("person", "plural") or following in persons("group") or following in persons("person"):
        return True
    if view.norm(index) in _ADJECTIVES:
        return True
    return not is_verb_like(following)


def is_verb_like(word: str) -> bool:
    """Return True if a word behind a person can be the verb: *waved*, *asks*, *left*, *can*."""
    if word in AUXILIARIES or word in INVERTING or word in UNCHANGED or word in PAST_FORMS:
        return True
    return word.endswith(("ed", "ing", "n't")) or to_plural(word) is not None or word in back_words("past")


def determiner_place(view: View, index: int) -> int | None:
    """Return the place of the determiner of a noun, with at most three words between."""
    for place in range(index - 1, max(-1, index - 5), -1):
        word = view.norm(place)
        if word in DETERMINERS:
            return place
        if not (word.isalpha() or word in ("-", ",")) or word in _STOPS:
            return None
    return None


_STOPS = frozenset("of to in on at for with by from and or but is are was were who that which have has had".split())


def _of_persons(view: View, index: int, is_relative: bool) -> bool:
    """Return True if persons follow *each of*: *us*, *you*, *the students*."""
    if is_relative or view.norm(index) in ("us", "you"):
        return not is_relative
    nearby = view.norms(index, index + 4)
    return any(w in persons("person", "plural") or w in persons("plural") - QUANTIFIERS for w in nearby)


def _is_addressed(view: View, mention: Mention) -> bool:
    """Return True if somebody is only spoken to: *but, my friend, they are*, *Sam, they are here*."""
    end = mention.index + 1
    while mention.determiner == "name" and end < len(view) and view.tokens[end].shape == 1:
        end += 1  # Captain Flint
    if mention.determiner not in ("my", "name") or view.norm(end) not in (",", "!", "?"):
        return False
    start = mention.index - (1 if mention.determiner == "my" else 0)
    return view.norm(start - 1) in (",", "", '"', "“") and mention.number == SINGULAR


def _is_partitive(view: View, mention: Mention, mentions: list[Mention]) -> bool:
    """Return True if a plural only says of whom one is meant: *each of the students*, *everyone in the class*."""
    if mention.number != PLURAL:
        return False
    for other in mentions:
        gap = mention.index - other.index
        if other.is_indefinite and 1 < gap <= 5 and view.norm(other.index + 1) in ("of", "in", "on", "at", "from"):
            return True
        if other.number == SINGULAR and 1 < gap <= 4 and view.norm(other.index + 1) == "of":
            return True
    return False


def _are_joined(view: View, first: Mention, second: Mention) -> bool:
    """Return True if *and* joins two persons: *the cook and the waiter*, *Sam and Alex*."""
    between = view.norms(first.index + 1, second.index)
    if view.has(("both",), first.index - 3, first.index) and "and" in between and len(between) <= 8:
        return True
    if between == [","] and first.determiner == "name" == second.determiner:
        return True
    between = between[1:] if between[:1] == [","] and second.determiner == "name" else between
    return bool(between) and between[0] in ("and", "&") and len(between) <= 4
