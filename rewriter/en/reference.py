"""Singular *they* against plural *they*, by rules on the surface.

A *they* is called singular where the sentence itself says so (*themself*, *they are a nurse*, *they is*), or where the
nearest persons that were mentioned are one person (*someone*, *every guest*, *the student*, a name of any gender) and
no group or plural of persons competes. Everything else is unknown and stays: generic *they*, several candidates,
things.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from rewriter.en.antecedents import (
    ANTECEDENT,
    NO_PRONOUN,
    OUTSIDE,
    OWN,
    SEVERAL,
    UNKNOWN,
    Antecedents,
    Focus,
    Reference,
)
from rewriter.en.closed_words import THEY_PRONOUNS
from rewriter.en.mentions import PLURAL, SINGULAR, Mention, determiner_place, find_mentions
from rewriter.en.view import View
from rewriter.language.rules import Decision, Rules

#: indefinite persons that a later sentence goes on with
_LASTING = frozenset("someone somebody".split())
#: longest sentence, in words, whose *they* are looked at; texts without full stops (lists, dumps) say nothing for sure
LONGEST = 600
#: sentences after which an antecedent is forgotten
MEMORY = 2


@dataclass
class Resolver:
    """Goes through the sentences of a text and remembers the last person.

    Args:
        takes_all: call every *they* singular unless it is plural beyond doubt.
        is_gendered: the text has he or she for its persons, so *they* is none of them; only *someone*, *every guest*
            and the like count.
        rules: that are asked.
    """

    takes_all: bool = False
    is_gendered: bool = False
    has_others: bool = False
    focus: Focus = field(default_factory=Focus)
    rules: Rules = field(default_factory=lambda: Rules("en"))

    def resolve(self, view: View) -> dict[int, Reference]:
        """Return the number of every *they*, *them*, *their*, *theirs*, *themself* and *themselves* of a sentence."""
        if len(view) > LONGEST:
            self.focus = Focus()
            return {}
        places = [i for i in range(len(view)) if view.norm(i) in THEY_PRONOUNS and view.is_whole_word(i)]
        mentions = find_mentions(view)
        own = next((told for place in places if (told := self._answer(OWN, view, place))), None)
        found: dict[int, Reference] = {}
        for place in places:
            if self.rules.first(NO_PRONOUN, view, place):
                continue
            if rule := self.rules.first(SEVERAL, view, place, mentions):
                found[place] = Reference(PLURAL, "plural beyond doubt", rule.name)
            elif self.takes_all:
                found[place] = Reference(SINGULAR, "every they is meant to be singular")
            else:
                found[place] = own or self._by_antecedent(self._antecedents(view, place, mentions, found))
        self._remember(view, mentions, found)
        return found

    def _answer(self, decision: Decision, *about: Any) -> Reference | None:
        """Return the answer of the first rule that has one, with its name."""
        answer = self.rules.answer(decision, *about)
        return None if answer is None else replace(answer[1], rule=answer[0].name)

    def _antecedents(self, view: View, place: int, mentions: list[Mention], found: dict[int, Reference]) -> Antecedents:
        return Antecedents(view, place, mentions, found, self.focus, self.is_gendered or self.has_others)

    def _by_antecedent(self, persons: Antecedents) -> Reference:
        decision = ANTECEDENT if persons.before else OUTSIDE
        return self._answer(decision, persons, persons.place) or Reference(UNKNOWN)

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
    """Return True if the next sentence may go on with a person: the only one, and what the sentence begins with."""
    if len({m.word for m in mentions}) > 1 or view.norm(person.index + 1) == "'s":
        return False
    if person.is_indefinite:
        is_asked = person.word in ("anyone", "anybody") and view.norm(len(view) - 1) == "?"
        return person.word in _LASTING or is_asked
    start = person.index if person.determiner == "name" else determiner_place(view, person.index)
    return start == 0
