"""Which verbs agree with a *they*, by the words around it, and what they are beside *he* or *she*.

Right beside its pronoun a verb is its own; behind *and* or a comma it must look like a finite verb: no infinitive,
modal or other subject in between, and a form that is hardly ever a noun or that has an object. Those further away are
marked uncertain, so that the caller can have the way forward look at them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rewriter.en.back_words import (
    AUXILIARIES,
    COORDINATORS,
    INVERTING,
    PAST_FORMS,
    UNCHANGED,
    back_words,
)
from rewriter.en.closed_words import OBJECT_PRONOUNS
from rewriter.en.inflection import to_singular
from rewriter.en.mentions import DETERMINERS
from rewriter.en.view import View
from rewriter.language.rules import Decision, Rules

#: longest parenthesis between a pronoun and its verb, in words
LONGEST_PARENTHESIS = 25
_PLURAL_AUXILIARIES = frozenset("are were have do aren't weren't haven't don't arent werent havent dont".split())
#: what the verb before leaves open for a coordinated one
_PRESENT, _PAST, _BARE = "present", "past", "bare"
_SUBJECTS = frozenset("i we he she they who whoever there".split())
_BREAKS = frozenset({".", "!", "?", ";", ":", "…"})
_BARE_INFINITIVES = frozenset("let make help see hear watch".split())
_INVERTING_PAST = frozenset(
    """had hadn't didn't can't couldn't won't wouldn't shan't shouldn't mightn't mustn't cannot cant couldnt wont
    wouldnt didnt hadnt""".split()
)
#: auxiliaries that are nouns or names too
_NOUNS = frozenset("will may can might must".split())
_OWNERS = DETERMINERS - {"what", "which", "neither", "either"}
#: behind these "to" leads to a place or a person (go to school, listen to talk)
_BEFORE_PLACES = frozenset("go come get walk drive travel fly run return back listen talk speak write belong".split())
_PREPOSITIONS = frozenset(
    """in at on of for with by from as under after before into onto about against between among through during since
    than if because when while whether although though unless where what how why and or""".split()
)
_OBJECT_BEGINS = frozenset(
    """a an the this that these those my your his her its our their him them me us you it himself herself themself
    themselves itself some any no every each all much many more enough what how why when where if whether to
    up down off away back out over along around together home here there""".split()
)
_DEMANDS = frozenset(
    """demand demands demanded require requires required requirement recommend recommends recommended propose proposes
    proposed request requests requested essential important vital necessary""".split()
)
_CLOSING = {",": ",", "(": ")", "—": "—", "–": "–", "-": "-", "--": "--"}
_BEFORE_QUESTION = frozenset("i you we it he she they this that these those there which who".split())
_SUBJUNCTIVE = frozenset("if though wish wishes wished unless".split())
_PAST_SIGNS = frozenset(
    """was were had did didn't wasn't weren't hadn't said went came got took saw knew thought told made gave found left
    felt kept ran began yesterday ago once""".split()
)


@dataclass(frozen=True, slots=True)
class VerbChange:
    """One verb form that becomes singular.

    Attributes:
        index: place of the word.
        after: singular form.
        kind: ``verb`` or ``contraction``.
        is_certain: the verb stands beside its pronoun.
    """

    index: int
    after: str
    kind: str = "verb"
    is_certain: bool = True


#: what speaks keeps the verb of a *they* as it is
VERB_STAYS = Decision("en", "blocks", asked="back")


@VERB_STAYS.rule(
    "they demanded that they leave",
    example="Someone said it is essential that [they] leave.",
    counter="Someone said that [they] leave.",
)
def _is_demanded(view: View, pronoun: int) -> bool:
    return view.norm(pronoun - 1) == "that" and view.norm(pronoun - 2) in _DEMANDS


@VERB_STAYS.rule(
    "they and their partner are",
    example="Someone said [they] and their sister are here.",
    counter="Someone said [they] are here.",
)
def _is_joined(view: View, pronoun: int) -> bool:
    if _inverted(view, pronoun) is not None:
        return False
    return view.norm(pronoun + 1) in ("and", "or", "&") and not _is_verb(view, view.skip_adverbs(pronoun + 2))


def verbs_of(view: View, pronoun: int, rules: Rules) -> list[VerbChange]:
    """Return the verbs of a *they* that becomes *he* or *she*.

    Args:
        view: the sentence.
        pronoun: place of the *they*.
        rules: that are asked whether its verb stays.
    """
    if rules.first(VERB_STAYS, view, pronoun):
        return []
    inverted = _inverted(view, pronoun)
    if inverted is not None:
        change = _singular(view, inverted, pronoun)
        mode = _PAST if view.norm(inverted).startswith(("are", "were", "have", "had")) else _BARE
        return ([change] if change else []) + _coordinated(view, pronoun + 1, mode)
    place, inner = _verb_place(view, pronoun)
    if place is None:
        return inner
    change = _singular(view, place, pronoun)
    mode = _mode(view, place, change)
    return inner + ([change] if change else []) + _coordinated(view, place + 1, mode)


def _inverted(view: View, pronoun: int) -> int | None:
    """Return the place of the auxiliary of *are they*, *don't they*, *nor do they*; None where there is none."""
    place = pronoun - 1
    if view.norm(place) == "not":
        place -= 1
    word = view.norm(place)
    if word not in _PLURAL_AUXILIARIES and word not in AUXILIARIES and word not in _INVERTING_PAST:
        return _said(view, pronoun)
    before, following = view.norm(place - 1), view.norm(view.skip_adverbs(pronoun + 1))
    if before in _BEFORE_QUESTION:
        return None
    if word in _NOUNS and (before in _OWNERS or before[:1].isdigit() or following in ("are", "were", "have")):
        return None  # in their will they, on 20 May they
    has_own = following in _PLURAL_AUXILIARIES and word.startswith(("are", "were", "have"))
    return None if has_own or following in ("'re", "'ve", "'ll", "'d") else place


def _said(view: View, pronoun: int) -> int | None:
    """Return the place of *say* in ``"...", say they``."""
    verb = pronoun - 1
    if view.norm(verb) in ("say", "ask", "reply") and view.norm(verb - 1) in ('"', "”", "’", "'", "!", "?"):
        return verb
    return None


def _verb_place(view: View, pronoun: int) -> tuple[int | None, list[VerbChange]]:
    """Return the place of the verb behind a pronoun, and the verbs of a relative clause on the way there."""
    place = view.skip_adverbs(pronoun + 1)
    if view.norm(place) in ("themself", "themselves"):
        place = view.skip_adverbs(place + 1)
    inner: list[VerbChange] = []
    if view.norm(place) == "who" and place == pronoun + 1:
        change = _singular(view, view.skip_adverbs(place + 1), pronoun)
        return None, [change] if change else []
    while view.norm(place) in _CLOSING:
        closing = _closing(view, place)
        if closing is None or view.norm(place + 1) in COORDINATORS:
            return None, inner
        if view.norm(place + 1) == "who":
            change = _singular(view, view.skip_adverbs(place + 2), pronoun)
            inner += [change] if change else []
        place = view.skip_adverbs(closing + 1)
    if place >= len(view) or view.norm(place) in _PREPOSITIONS or not _is_word(view, place):
        return None, inner
    return place, inner


def _closing(view: View, opening: int) -> int | None:
    mark = _CLOSING[view.norm(opening)]
    for place in range(opening + 1, min(opening + LONGEST_PARENTHESIS, len(view))):
        if view.norm(place) == mark:
            return place
        if view.norm(place) in _BREAKS:
            return None
    return None


def _is_word(view: View, place: int) -> bool:
    return bool(re.search(r"[^\W\d_]", view.norm(place)))


def _is_verb(view: View, place: int) -> bool:
    """Return True if a word can be nothing but a verb of its clause: an auxiliary, a modal, a mostly verbal form."""
    word = view.norm(place)
    return word in _PLURAL_AUXILIARIES or word in AUXILIARIES or word in back_words("verb")


def _singular(view: View, place: int, pronoun: int) -> VerbChange | None:
    """Return the change of a verb form beside its pronoun; None where both numbers share the form."""
    if not 0 <= place < len(view) or not (view.norm(place)[:1] == "'" or view.is_whole_word(place)):
        return None
    word, surface = view.norm(place), view.surface(place)
    if word in ("'re", "'ve"):
        return VerbChange(place, surface[0] + ("S" if surface[1:].isupper() else "s"), "contraction")
    if word == "were" and _is_subjunctive(view, place, pronoun):
        return None
    if word in ("need", "dare") and view.norm(place + 1) not in ("not", "only", "never"):
        return VerbChange(place, to_singular(surface) or surface)
    if word in UNCHANGED or word in PAST_FORMS or _is_past(word):
        return None
    if word in back_words("same past") and not _is_present(view):
        return None
    singular = to_singular(surface)
    return VerbChange(place, singular) if singular is not None else None


def _is_past(word: str) -> bool:
    """Return True if a form is a regular past although it stands among the bases too (*consisted*)."""
    return (
        len(word) > 4
        and word.endswith("ed")
        and (to_singular(word[:-2]) is not None or to_singular(word[:-1]) is not None)
    )


def _is_present(view: View) -> bool:
    """Return True if no word puts the sentence into the past, for forms that are base and past at once (*put*)."""
    words = view.norms(0, len(view))
    return _PAST_SIGNS.isdisjoint(words) and not any(len(w) > 4 and w.endswith("ed") for w in words)


def _is_subjunctive(view: View, place: int, pronoun: int) -> bool:
    if place < pronoun:
        return view.norm(place - 1) in ("", ",") and view.norm(len(view) - 1) != "?"
    near = view.norms(pronoun - 3, pronoun)
    if _SUBJUNCTIVE.isdisjoint(near):
        return False
    return (
        near[-2:] in (["as", "if"], ["as", "though"])
        or bool({"wish", "wished", "wishes"} & set(near))
        or ("if" in near and view.has(("would", "could", "might", "'d"), 0, len(view)))
    )


def _mode(view: View, place: int, change: VerbChange | None) -> str:
    """Return what a verb leaves open for those that are coordinated with it."""
    word = view.norm(place)
    if word in ("'ll", "'d") or (word in AUXILIARIES and word != "do") or word in ("ought", "need", "dare"):
        return _BARE
    if word in ("do", "don't", "dont"):
        is_helper = word != "do" or view.norm(place + 1) in ("not", "n't") or _is_verb(view, place + 1)
        return _BARE if is_helper else _PRESENT
    if change is None:
        return _PAST
    return _PAST if change.after.lower() in ("was", "wasn't", "wasnt") else _PRESENT


# ---------------------------------------------------------------- coordinated verbs


def _coordinated(view: View, start: int, mode: str) -> list[VerbChange]:
    """Return verbs behind *and*, *but*, *or*, *then* and in lists, up to the next subject or the end of the clause."""
    found: list[VerbChange] = []
    commas: list[int] = []
    is_infinitive = view.norm(start - 1) in _BARE_INFINITIVES and view.norm(start) in OBJECT_PRONOUNS
    first = start
    depth = 0
    for place in range(start, len(view)):
        word = view.norm(place)
        depth += (word == "(") - (word == ")")
        if (
            depth < 0
            or word in _BREAKS
            or (word in _SUBJECTS and not _is_relative(view, place))
            or _has_own_subject(view, place)
        ):
            break
        if word == "who":
            is_infinitive = True  # a relative clause: what is coordinated in it belongs to another subject
        if (
            word == "to"
            and to_singular(view.norm(place + 1)) is not None
            and view.norm(place - 1) not in _BEFORE_PLACES
        ):
            is_infinitive = True
        if word == ",":
            commas.append(place)
        if word not in COORDINATORS:
            continue
        verb = view.skip_adverbs(place + 1)
        if view.norm(verb) == "," and _closing(view, verb) is not None:
            verb = view.skip_adverbs((_closing(view, verb) or verb) + 1)
        after_comma = view.norm(place - 1) == "," or word == "but"
        change = _coordinated_verb(view, verb, first, place, mode, is_infinitive and not after_comma)
        if change is not None:
            if change.kind == "verb" and mode == _PRESENT and not is_infinitive:
                found += _listed(view, commas, place)
            found.append(change)
            first, is_infinitive, commas = verb + 1, False, []
    return found


def _is_relative(view: View, place: int) -> bool:
    return view.norm(place) == "who" and view.norm(place - 1) not in ("", ",")


def _has_own_subject(view: View, place: int) -> bool:
    """Return True if a new clause begins here: *it is*, *you can*, *that dogs bark*."""
    word, following = view.norm(place), view.norm(view.skip_adverbs(place + 1))
    if word == "you" and to_singular(following) is not None:
        return True
    if word in ("it", "you", "this", "that", "these", "those"):
        return following in INVERTING or following in AUXILIARIES or following in ("'s", "'re", "'ll", "'ve", "'d")
    return False


def _coordinated_verb(
    view: View, place: int, first: int, coordinator: int, mode: str, is_infinitive: bool
) -> VerbChange | None:
    word = view.norm(place)
    if place >= len(view) or not view.is_whole_word(place):
        return None
    if view.norm(place - 1) in ("neither", "nor", "so"):
        return None  # neither have their friends
    if word in ("are", "were", "aren't", "weren't"):
        is_question = view.norm(place + 1) in _SUBJECTS
        singular = None if is_question else to_singular(view.surface(place))
        return VerbChange(place, singular, is_certain=not is_infinitive) if singular else None
    is_negated = word in ("don't", "haven't") or (word == "do" and view.norm(place + 1) == "not")
    if is_infinitive or (mode == _BARE and not is_negated):
        return None
    if word in ("have", "do", "haven't", "don't"):
        is_other = (mode == _PAST and not is_negated) or view.norm(place + 1) in _SUBJECTS
        singular = None if is_other else to_singular(view.surface(place))
        return VerbChange(place, singular, is_certain=False) if singular else None
    if word in PAST_FORMS or word in UNCHANGED - {"need", "dare"} or _is_past(word):
        return None
    if word in back_words("same past") and not _is_present(view):
        return None
    singular = to_singular(view.surface(place))
    if singular is None or not _looks_finite(view, place, first, coordinator):
        return None
    if mode == _PAST and not (word in back_words("verb") and view.norm(place + 1) in _OBJECT_BEGINS):
        return None
    return VerbChange(place, singular, is_certain=mode == _PRESENT and word in back_words("verb"))


def _looks_finite(view: View, place: int, first: int, coordinator: int) -> bool:
    """Return True if a base form behind *and* is a verb and not a noun: *and leave*, but *music and dance*."""
    word, following = view.norm(place), view.norm(place + 1)
    if word in back_words("verb") or view.skip_adverbs(coordinator + 1) != coordinator + 1:
        return True
    if following in _OBJECT_BEGINS:
        return True
    # nothing but particles since the verb before: "sing and dance"
    return all(
        w in _OBJECT_BEGINS or w == "," or (view.norm(i - 1) == "," and to_singular(w) is not None)
        for i, w in enumerate(view.norms(first, coordinator), first)
    )


def _listed(view: View, commas: list[int], coordinator: int) -> list[VerbChange]:
    """Return the verbs of a list before its last one: *they wake, eat and leave*."""
    found = []
    for comma in commas:
        verb = view.skip_adverbs(comma + 1)
        singular = to_singular(view.surface(verb)) if verb < coordinator else None
        is_verb = view.norm(verb) in back_words("verb") or view.norm(verb + 1) in (",", "and", "or")
        if singular is not None and is_verb and view.is_whole_word(verb):
            found.append(VerbChange(verb, singular, is_certain=view.norm(verb) in back_words("verb")))
    return found
