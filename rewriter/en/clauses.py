"""Which subject a verb has, where the words between settle it: *the car that he drives has no heating*.

All rules look at the words of one sentence only and are silent where two readings remain.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rewriter.en.clause_words import (
    CLAUSE_PASTS,
    CLAUSE_SUBJECTS,
    CLAUSE_VERBS,
    CLITICS,
    COORDINATORS,
    ENDS,
    NOUN_BEFORE,
    OPENERS,
    OWN_SUBJECTS,
    PAUSES,
    THIRD_AUXILIARIES,
    is_finite,
    is_third,
    noun_forms,
    verb_forms,
)
from rewriter.en.closed_words import JOINS, OBJECT_PRONOUNS, OPENING_QUOTES, SUBJECT_PRONOUNS
from rewriter.en.coordination import AFTER_VERB, OBJECTS, Coordination
from rewriter.en.inflection import to_plural
from rewriter.en.readings import has_own_subject
from rewriter.language.rules import Decision, Rule
from rewriter.language.tokens import Token

__all__ = ["Clauses", "is_finite", "left_out"]

_VERBS_WITH_OF = frozenset(
    """think dream hear speak tell know approve disapprove complain smell taste dispose consist die talk conceive beware
    learn partake reek boast despair warn remind repent admit read sing write stink drink eat tire weary accuse cure rob
    come go become run get grow""".split()
)
#: words that begin the subject of a sentence
_SUBJECT_BEGINS = frozenset("the a an my our your this that every each all most one some no any what".split())
#: words that are a subject together with a clause: everything he owns
_WHOLE_SUBJECTS = frozenset("everything anything whatever all nothing what whoever".split())
#: of those that begin a subject, before a speech tag: the bank, she says, is
_NOMINAL = _SUBJECT_BEGINS - {"what", "all"} | frozenset("these those his her their its it there that".split())
#: openers of clauses that a comma parts from another
_APART = frozenset("while whereas although though because when if unless until".split())
#: behind "and" they are no noun: sits, drinks and so on
_NO_NOUN = frozenset("so then not to be".split())
_BEHIND_NOUN = frozenset("of for in on upon with to from by at as and or".split())
#: words between the verb of a clause within a subject and that of the subject: the house she grew up in is
_BEHIND_FIRST = frozenset(
    """up down in on out off away at with for from to about over into onto after under yesterday today now here there
    it him her me us them most best more""".split()
)
_PEOPLE = frozenset("nobody everyone everybody anybody anyone somebody someone".split())
_NO_NOUN_BEHIND = frozenset("yesterday today now here there it him me us them away off".split())
#: openers behind which a clause goes on rather than the one before it
_LASTING = frozenset("while whereas where because although though that which who".split())
#: before an auxiliary whose subject stands behind it; that or none: as is usual, than was needed
_FRONTED, _COMPARING = frozenset("so neither nor".split()), frozenset(("as", "than"))
#: words between a verb and its subject that are looked at
_REACH = 24


#: what makes that a verb has another subject: before and after inverted subjects are looked at; that it is a noun
OWN = Decision("en", "settles")
OTHER_BEFORE = Decision("en", "settles")
OTHER = Decision("en", "settles")
NOUN = Decision("en", "settles")


class Clauses(Coordination):
    """The verbs of one sentence and their subjects.

    Args:
        tokens: of the sentence, double forms as one.
        subjects: places of pronouns that may change and can have verbs.
        rules: that are asked.
    """

    def other_subject(self, verb: int) -> Rule | None:
        """Return the rule by which a verb certainly has another subject than *he* or *she*, None where none speaks."""
        found = self.rules.first(OTHER_BEFORE, self, verb)
        if found is not None or self.is_inverted(verb):
            return found
        return self.rules.first(OTHER, self, verb)

    def is_noun(self, verb: int) -> Rule | None:
        """Return the rule by which a form that does not follow its subject is a noun, None where none speaks.

        *lines and queues of cars*, *and friends*
        """
        norm, joint = self.norm(verb), self.norm(verb - 1)
        if (
            norm in THIRD_AUXILIARIES
            or joint in SUBJECT_PRONOUNS
            or joint in ("who", "that")
            or self.is_adverb(verb - 1)
        ):
            return None
        return self.rules.first(NOUN, self, verb)

    def own_subject(self, verb: int) -> Rule | None:
        """Return the rule by which a noun right before a verb is its subject, None where none speaks."""
        return self.rules.first(OWN, self, verb)

    @OWN.rule(
        "verb behind a clause's own noun",
        example="He thinks that the notary [has] left.",
        counter="He thinks that the notary and she [has] left.",
    )
    def _has_own_subject(self, verb: int) -> bool:
        return has_own_subject(self.tokens, verb)

    @OTHER_BEFORE.rule("it is she who", example="It [is] she who sings.", counter="If it [is] that she sings.")
    def _is_cleft(self, verb: int) -> bool:
        if self.norm(verb - 1) != "it" or self.norm(verb + 1) not in SUBJECT_PRONOUNS:
            return False
        is_sure = self.norm(verb + 2) in ("who", "that") or self.begins_clause(verb - 1)
        return is_sure or self.norm(verb - 2) not in _BEHIND_NOUN  # how good at it is she

    @OTHER_BEFORE.rule(
        "neither does his brother", example="He left and so [has] Ann.", counter="He left and so [has] he now."
    )
    def _precedes_noun(self, verb: int) -> bool:
        """Return True if the subject of an auxiliary stands behind it: *and neither does his brother*."""
        before, following = self.norm(verb - 1), self.norm(verb + 1)
        if self.norm(verb) not in THIRD_AUXILIARIES or following in SUBJECT_PRONOUNS:
            return False
        is_name = any(token.shape for token in self.tokens[verb + 1 : verb + 2])
        is_subject = is_name or following in _NOMINAL | _PEOPLE | CLAUSE_SUBJECTS
        return before in _COMPARING or (before in _FRONTED and is_subject)

    @OTHER_BEFORE.rule("is it", example="[Is] it that he sings?", counter="Who knows if he [has] it?")
    def _precedes_it(self, verb: int) -> bool:
        return self.norm(verb) in THIRD_AUXILIARIES and self.norm(verb + 1) == "it" and self.begins_clause(verb)

    @OTHER.rule(
        "verb before all pronouns",
        example="The boss [knows] that she is ill.",
        counter="She [knows] that she is ill.",
    )
    def _precedes_all(self, verb: int) -> bool:
        """Return True if no *he* or *she* stands before a verb: *The boss knows that she is ill*.

        The first word may have lost its subject (*Knows his stuff, he does*).
        """
        if self.subject_before(verb) >= 0 or verb == 0:
            return False
        return not self._is_likely_fragment(verb)

    def _is_likely_fragment(self, verb: int) -> bool:
        """Return True if a verb begins a sentence without its subject, or is joined to one that does."""
        first = next((place for place in range(verb + 1) if self.norm(place)[:1].isalpha()), verb)
        while self.is_adverb(first):
            first += 1
        return first == verb or is_third(self.norm(first))

    @OTHER.rule(
        "behind it, nobody, which",
        example="She left because it [rains].",
        counter="She left because of it and [rains].",
    )
    def _follows_own_subject(self, verb: int) -> bool:
        """Return True if *it*, *nobody* or *which* stands before a verb as its subject."""
        place = self.skip_adverbs_back(verb - 1)
        norm = self.norm(place)
        if norm == "which":
            return self.norm(place - 1) not in SUBJECT_PRONOUNS
        if norm in ("what", "whatever"):
            return True
        if norm not in OWN_SUBJECTS:
            return False
        before = self.norm(place - 1)
        is_told = to_plural(before) in CLAUSE_VERBS or before in CLAUSE_PASTS
        return self.begins_clause(place) or (is_told and not self._has_headed_relative(place))

    def _has_headed_relative(self, end: int) -> bool:
        """Return True if a *he* or *she* before ``end`` still waits for its verb: *he who ...*, *she when ...*."""
        return any(self.finite_behind(s) < 0 for s in self.subjects if s < end)

    @OTHER.rule(
        "relative clause between commas",
        example="He left. The banker, who [lives] here, slept.",
        counter="She, who [lives] here, slept.",
    )
    def _is_in_comma_relative(self, verb: int) -> bool:
        """Return True if a verb belongs to a relative clause between commas, or to what that clause says something of.

        *The banker, who lives in Bath and has a boat, ...*; *Anna, whom he admires, is a surgeon.*
        """
        before = self.norm(self.skip_adverbs_back(verb - 1))
        is_after = self.norm(verb - 1) == ","
        if not is_after and before not in JOINS and before not in ("who", "which"):
            return False
        comma = self.last_comma(verb - 1 if is_after else verb, _REACH)
        opener = comma + (2 if self.norm(comma + 2) in ("whom", "which", "whose") else 1)
        if comma <= 0 or self.norm(opener) not in ("who", "which", "whom", "whose", "where"):
            return False
        if not is_after and self.norm(opener) not in ("who", "which"):
            return False
        if is_after:
            return self.subject_before(comma) < 0
        if self.norm(opener) == "who":
            is_own = self.norm(comma - 1) in SUBJECT_PRONOUNS or self._has_headed_relative(comma)
            return not is_own and not any(opener < s < verb for s in self.subjects)
        # ", which opens at four, and": whatever it is, it is no person
        return not any(opener < s < verb for s in self.subjects) and self.norm(comma - 1) not in SUBJECT_PRONOUNS

    @OTHER.rule(
        "behind a clause with its verb",
        example="The car that he drives [has] no roof.",
        counter="He drives and [has] no roof.",
    )
    def _is_behind_closed_clause(self, verb: int) -> bool:
        """Return True if the pronoun before a verb has its own verb already and nothing joins the two.

        *The car that he drives has no heating*; *he thinks the soup is cold*; *she runs miles*.
        """
        subject = self.subject_before(verb)
        if subject < 0 or verb - subject > _REACH or self.norm(subject) not in SUBJECT_PRONOUNS:
            return False
        if [self.norm(verb - 2), self.norm(verb - 1)] == ["or", "not"] and self.norm(subject - 1) == "whether":
            return True
        first = self.finite_behind(subject)
        if not 0 <= first < verb or self._has_headed_relative(subject):
            return False
        if self.norm(verb) not in THIRD_AUXILIARIES and not (first == verb - 1 and is_third(self.norm(first))):
            return False
        return all(self._joins_nothing(place) for place in range(first + 1, verb))

    @OTHER.rule(
        "behind the verb of a subject with a clause",
        example="The house she wants is here and [costs] much.",
        counter="She wants it and [costs] much.",
    )
    def _is_behind_main_verb(self, verb: int) -> bool:
        """Return True if a verb follows that of a subject with a clause of its own.

        *The house she wants is on the hill and costs a fortune*
        """
        subject = self.subject_before(verb)
        if subject < 1 or subject != self.subjects[0] or self._has_headed_relative(verb):
            return False
        first = self.finite_behind(subject)
        if first < 0 or not self._is_within_subject(subject):
            return False
        main = self._main_verb(first, verb + 1)
        return main > 0 and all(self.norm(i) not in ENDS for i in range(main, verb))

    def _main_verb(self, first: int, end: int) -> int:
        """Return the verb of a subject whose own clause has the verb ``first``, or -1: *the horse she rides bites*."""
        main = self.skip_adverbs(first + 1)
        while main < end and self.norm(main) in _BEHIND_FIRST:
            main = self.skip_adverbs(main + 1)
        is_noun = self.norm(main) in verb_forms("noun") and self.norm(main - 1) not in _NO_NOUN_BEHIND
        if main < end and is_third(self.norm(main)) and not is_noun:
            return main
        while main < end and self._joins_nothing(main) and self.norm(main) not in THIRD_AUXILIARIES:
            main += 1
        return main if main < end and self.norm(main) in THIRD_AUXILIARIES else -1

    def _is_within_subject(self, place: int) -> bool:
        """Return True if a clause within the subject of a sentence begins at ``place``: *The village where he ...*"""
        start = max((i + 1 for i in range(place) if self.norm(i) in ENDS), default=0)
        if place - start == 1 and self.norm(start) in _WHOLE_SUBJECTS:
            return True
        if self.norm(start) not in _SUBJECT_BEGINS or place - start < 2:
            return False
        if self.norm(place - 1) in (OPENERS | COORDINATORS) - {"that", "which", "whom", "where", "when"}:
            return False
        words = [self.norm(i) for i in range(start + 1, place)]
        return "," not in words and not any(is_finite(word) and word not in noun_forms() for word in words)

    @OTHER.rule(
        "behind a speech tag",
        example="The bank, he says, [is] shut.",
        counter="The bank, he says and [is] shut.",
    )
    def _is_behind_tag(self, verb: int) -> bool:
        """Return True if only *he says* parts a verb from its subject: *the bank," said he, "is*."""
        if self.norm(verb - 1) in OPENING_QUOTES and self.norm(verb - 2) == ",":
            return self.norm(verb - 3) in SUBJECT_PRONOUNS and self.takes_clause(verb - 4)
        closing = self.skip_adverbs_back(verb - 1)
        subject = self.subject_before(closing)
        if self.norm(closing) != "," or subject < 2 or self.norm(subject - 1) != ",":
            return False
        told = closing - 1 - (self.norm(closing - 1) in OBJECT_PRONOUNS)  # he told us
        if self.finite_behind(subject) != told or self.norm(told) in THIRD_AUXILIARIES:
            return False
        start = max((i + 1 for i in range(subject - 1) if self.norm(i) in ENDS), default=0)
        words = [self.norm(i) for i in range(start, subject - 1)]
        if not words or words[0] not in _NOMINAL or not (SUBJECT_PRONOUNS | {","}).isdisjoint(words):
            return False
        return not any(is_finite(word) and word not in verb_forms("noun") for word in words)

    @OTHER.rule(
        "behind a relative clause of a noun",
        example="She left, and the dog, who waits, [barks].",
        counter="She left, and the dog, he waits, [barks].",
    )
    def _is_behind_relative_of_noun(self, verb: int) -> bool:
        """Return True if a verb follows the relative clause of a noun: *and the dog, who waits, barks*."""
        if self.norm(verb - 1) != ",":
            return False
        comma = self.last_comma(verb - 1, _REACH)
        if comma < 2 or self.norm(comma + 1) not in ("who", "which", "whose", "whom"):
            return False
        if any(comma < s < verb for s in self.subjects) and self.norm(comma + 1) == "who":
            return False
        begin = next((i for i in range(comma - 1, max(-1, comma - 5), -1) if self.norm(i) in _NOMINAL), -1)
        if begin < 0 or begin == comma - 1:
            return False
        before = self.norm(begin - 1)
        return (before in PAUSES or before in JOINS or before in _APART or not before) and not any(
            is_finite(self.norm(i)) and self.norm(i) not in verb_forms("noun") for i in range(begin + 1, comma)
        )

    @OTHER.rule(
        "joined to a verb of another subject",
        example="She sings, while the cat eats and [sleeps].",
        counter="She sings well and [sleeps].",
    )
    def _is_joined_to_other(self, verb: int) -> bool:
        """Return True if a verb is joined to one with another subject: *..., while the cat eats and sleeps*."""
        joint, _ = self.joint_before(verb)
        if self.norm(joint) not in JOINS:
            return False
        for place in range(joint - 1, max(0, joint - _REACH), -1):
            norm = self.norm(place)
            if norm in OPENERS or norm in PAUSES or norm in SUBJECT_PRONOUNS:
                return False
            if is_finite(norm) and norm not in verb_forms("noun") and self.norm(place - 1) not in NOUN_BEFORE - {","}:
                return is_third(norm) and (
                    self._is_behind_tag(place)
                    or self._has_apart_subject(place)
                    or self._is_behind_relative_of_noun(place)
                )
        return False

    @OTHER.rule(
        "chained to a verb of another subject",
        example="She knows a man who eats and [sleeps].",
        counter="She eats and [sleeps].",
    )
    def _is_chained_to_other(self, verb: int) -> bool:
        """Return True if nothing parts a verb from one with a noun as its subject: *while the cat eats and sleeps*."""
        first = self.chain_begin(verb)
        if first == verb:
            return False
        if self.norm(first - 1) in ("who", "that", "which"):
            return (
                self.norm(first - 2) not in SUBJECT_PRONOUNS
                and not self._is_told(first - 2)
                and self.norm(first - 2).isalpha()
            )
        if not has_own_subject(self.tokens, first):
            return False
        opener = next((i for i in range(first - 1, -1, -1) if self.norm(i) in OPENERS), -1)
        return opener >= 0 and self.norm(opener) in _LASTING

    @OTHER.rule(
        "question about somebody else",
        example="She knows how. Why [does] nobody help?",
        counter="She knows how. Why [does] he help?",
    )
    def _asks_of_other(self, verb: int) -> bool:
        """Return True if *does nobody* or the like asks about somebody else."""
        if self.norm(verb) not in ("does", "doesn't", "doesnt"):
            return False
        is_question = self.norm(verb - 1) in ("why", "how", "what", "when", "where", "who", "")
        return self.norm(verb + 1) in _PEOPLE or (is_question and self.norm(verb + 1) in _NOMINAL)

    def _has_apart_subject(self, verb: int) -> bool:
        """Return True if a verb has its own subject in a clause that a comma parts from what goes before it."""
        if not has_own_subject(self.tokens, verb):
            return False
        opener = next((i for i in range(verb - 1, -1, -1) if self.norm(i) in OPENERS), 0)
        return self.norm(opener) in _APART and (opener == 0 or self.norm(opener - 1) == ",")

    @NOUN.rule(
        "noun in a list", example="Then he took bags, [drinks] and hats.", counter="He walks, [talks] and sings."
    )
    def _is_list_noun(self, verb: int) -> bool:
        """Return True if *and* and no verb follow a form behind a comma, so that it is one of some nouns.

        *walks, talks and long rides*
        """
        is_behind_object = is_third(self.norm(verb - 2)) and is_third(self.norm(verb - 3))
        if self.norm(verb - 1) != ",":
            return False
        if self.norm(verb + 1) not in ("and", "or") or (self.norm(verb) in verb_forms("verb") and not is_behind_object):
            return False
        place = verb + 2
        if (
            not self.norm(place)
            or self.is_adverb(place)
            or self.norm(place) in PAUSES
            or self.norm(place) in _NO_NOUN
            or self._is_subject(place)
        ):
            return False
        for i in range(place, len(self.tokens)):
            norm = self.norm(i)
            if norm in PAUSES:
                return True
            is_verb = is_finite(norm) and (not is_third(norm) or norm in verb_forms("verb") or i == place)
            if norm in OPENERS or norm in SUBJECT_PRONOUNS or (is_verb and norm not in verb_forms("noun")):
                return False
        return True

    def _is_subject(self, place: int) -> bool:
        norm = self.norm(place)
        return (
            norm in SUBJECT_PRONOUNS or norm in OWN_SUBJECTS or norm in CLAUSE_SUBJECTS or self.tokens[place].shape > 0
        )

    @NOUN.rule("noun joined to a plural", example="He wants new tires and [brakes].", counter="He tires and [brakes].")
    def _is_paired_noun(self, verb: int) -> bool:
        """Return True if a form that is a noun mostly stands behind another: *new tires and brakes*."""
        following = self.norm(verb + 1)
        if self.norm(verb) not in verb_forms("noun") or not (following in PAUSES | _BEHIND_NOUN or not following):
            return False
        before = self.norm(verb - 2)
        if self.norm(verb - 1) not in JOINS or not before.endswith("s") or before in verb_forms("verb"):
            return False
        norm = self.norm(verb - 3)
        return (
            norm.isalpha()
            and norm not in SUBJECT_PRONOUNS
            and norm != "who"
            and norm not in JOINS
            and not self.is_adverb(verb - 3)
        )

    @NOUN.rule("noun before of", example="Then he ate [heaps] of rice.", counter="Then he [thinks] of cars.")
    def _is_noun_of(self, verb: int) -> bool:
        return self.norm(verb + 1) == "of" and to_plural(self.norm(verb)) not in _VERBS_WITH_OF

    @NOUN.rule("noun of the table of forms", example="He left with [friends] early.", counter="He [sings] early.")
    def _is_noun_form(self, verb: int) -> bool:
        """A form that is a noun nearly always; *fights and quarrels*: a verb may go before."""
        norm, following = self.norm(verb), self.norm(verb + 1)
        if norm not in noun_forms() or following in OBJECTS or following == "of" or self.tokens[verb].shape:
            return False
        return not (self.norm(verb - 1) in JOINS and is_third(self.norm(verb - 2)))

    def _joins_nothing(self, place: int) -> bool:
        norm = self.norm(place)
        return norm not in COORDINATORS and (norm.isalpha() or norm in CLITICS or norm.isdigit() or norm == "-")


def left_out(
    tokens: Sequence[Token], changed: Collection[int], open_verbs: Collection[int], subjects: Collection[int]
) -> list[int]:
    """Return the open verbs that stand unchanged between two changed ones of the same list.

    *They work nights, studies by day, and sleep*: behind a comma and before *and sleep*, *studies* is a verb. Behind
    such verbs *, and leaves town* is the last part of the list.

    Args:
        tokens: of the sentence.
        changed: places of the verbs that change.
        open_verbs: places of the others that may still change.
        subjects: places of *he* and *she*.
    """
    found: list[int] = []
    for verb in sorted(open_verbs):
        before = max((v for v in (*changed, *found) if v < verb), default=-1)
        after = min((v for v in changed if v > verb), default=-1)
        last = after if after > 0 else verb
        between = {tokens[i].norm for i in range(before + 1, last)}
        if before < 0 or any(before < s < (verb if _is_in_list(tokens, verb, after) else last) for s in subjects):
            continue
        if not between.isdisjoint(OPENERS | ENDS):
            continue
        if any(tokens[i].norm == "," for i in range(before + 1, verb - 2)):
            continue  # behind it a new clause may begin
        following = tokens[verb + 1].norm if verb + 1 < len(tokens) else "."
        joint = tokens[verb - 1].norm
        if after < 0:
            # "opens the box, takes a key, and leaves by the gate": a list needs its last part
            is_missing = joint in JOINS and before > 1 and tokens[before - 1].norm == ","
            is_marked = verb > 1 and tokens[verb - 2].norm == "," and not is_finite(following)
            is_missing = is_missing and (following in AFTER_VERB - PAUSES or (is_marked and following.isalpha()))
        else:
            is_missing = joint == "," and tokens[after - 1].norm in JOINS and following not in JOINS | PAUSES
        if is_missing:
            found.append(verb)
    return found


def _is_in_list(tokens: Sequence[Token], verb: int, after: int) -> bool:
    """Return True if commas stand before a verb and, with a coordinator, before the next: *, misses it, and feels*."""
    joints = [tokens[place].norm for place in (verb - 1, after - 2, after - 1)]
    return after > 1 and joints[:2] == [",", ","] and joints[2] in JOINS
