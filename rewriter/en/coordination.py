"""Verbs that share a subject with one before them: *she takes the cup, drinks and, without a word, leaves*.

A verb behind a coordinator or in a list belongs to the pronoun before it when no other clause may be open in between.
All rules are silent where two readings remain.
"""

from __future__ import annotations

from operator import itemgetter

from rewriter.en.back_words import INVERTING
from rewriter.en.clause_words import (
    CLAUSE_SUBJECTS,
    CLITICS,
    COORDINATORS,
    ENDS,
    NOUN_BEFORE,
    OPENERS,
    OWN_SUBJECTS,
    PAUSES,
    THIRD_AUXILIARIES,
    ClauseWords,
    is_finite,
    is_third,
    verb_forms,
)
from rewriter.en.closed_words import JOINS, OBJECT_PRONOUNS, SUBJECT_PRONOUNS
from rewriter.en.inflection import archaic_plural, to_plural
from rewriter.language.rules import Decision, Rule

#: of the verbs with clauses those that stand between commas: the shop, thinks the man, is shut
_PARENTHETIC = frozenset(
    "say think hope believe claim suppose guess fear swear admit argue insist reckon suggest report wonder ask".split()
)
#: a verb before one of these has it as its object, so it is no noun
OBJECTS = frozenset("the a an my our your his her their its him them me us it himself herself".split())
#: behind these no noun is joined by *and*
_PARTING = frozenset(
    """well up down out off away back home again together there here now late early hard fast outside inside upstairs
    downstairs abroad alone it them him me us you himself herself""".split()
)
#: behind a verb, never behind a noun that is the subject of another clause
AFTER_VERB = frozenset(
    """. ! ? ; , " ” to at into onto for with from in on up down out off away back home about over around through
    everything everyone nobody nothing something""".split()
)
_MODALS = frozenset("can will must should would could may might".split())
#: behind an auxiliary its own subject
_INVERTED = frozenset("it this that there these those".split())
#: openers that are prepositions, too: works as a nurse, sleeps after lunch
_PREPOSITIONS = frozenset("as than before after since till until like once".split())
#: relatives whose clause is over at the next comma
_COMMA_RELATIVES = frozenset("which who whom whose where".split())
#: words that begin a phrase between a coordinator and its verb: and without a word leaves
_PHRASE = frozenset("without with in at on by after before during from for to over under like every".split())
_PHRASE_WORDS = 5
#: words of the object of a verb that may have a clause: knows the code, has a key
_SHORT = 4
_HELPERS = frozenset("to not did does do n't didn't doesn't don't can will must should would could may might".split())
#: words that begin what may stand before the subject of a clause: at noon she, last week he
_FRONTED = frozenset(
    """at in on under by after before during with without from for over since until through throughout among between
    within beyond beside besides despite like unlike upon behind above below near towards toward against across along
    around inside outside today yesterday tomorrow tonight now then here there sometimes usually often
    soon later once again still instead meanwhile afterwards nowadays this that every each last next one some most
    all years days according thanks because whereby wherein thereby whereat whereupon [""".split()
)
_INTERJECTIONS = frozenset("yeah yes no oh well okay ok hey and but so ah look sure right".split())
_DETERMINERS = frozenset("this that every each some most all one".split())
#: behind these an -ed form is a participle: is elected
_BEFORE_PARTICIPLE = frozenset("is was are were be been being am 's has have had having get gets got getting".split())
#: forms that another test looks at
_LATER_VERBS = INVERTING | _MODALS | _HELPERS
#: prepositions before a relative: in which she lives
_BEFORE_RELATIVES = frozenset("in on at for from of to with by under through after during".split())
_SEEMING = frozenset("seems seemed seem appears appeared".split())
_PERSONS = OBJECT_PRONOUNS - {"it"}
#: before the pronoun of "it is she who ...": its relative clause ends the sentence
_CLEFT = frozenset("is was 's isn't wasn't be been not".split())
_WITHIN = frozenset("that which whom whose what whatever whoever whomever who".split())
#: ends of a clause but quotation marks, before which a list has its last part
_LIST_ENDS = ENDS - frozenset('"“”‘’«»')


#: which pronoun a verb shares: across a parenthesis or relative clause, or joined to another verb
BEHIND = Decision("en", "settles")
SHARED = Decision("en", "settles")


class Coordination(ClauseWords):
    """Tells which verbs of one sentence share a *he* or *she* with a verb before them."""

    def shared_subject(self, verb: int) -> tuple[Rule | None, int]:
        """Return the rule by which a verb certainly shares a pronoun with a verb before it, and the pronoun, or -1.

        *He is forty and has two cats*; *she feeds the hens and walks the dog*; *she, they say, has*.
        """
        if self.is_inverted(verb):
            return None, -1
        behind = max(self.rules.answers(BEHIND, self, verb), key=itemgetter(1), default=None)
        return behind or self.rules.answer(SHARED, self, verb) or (None, -1)

    @SHARED.rule(
        "verbs in a chain", example="Then she wakes, [stretches] and rises.", counter="She sees men and [rises]."
    )
    def _shares_by_chain(self, verb: int) -> int | None:
        chain = self.chain_begin(verb)
        owner = self.skip_adverbs_back(chain - 1)
        is_shared = chain != verb and self.norm(owner) in SUBJECT_PRONOUNS and self._begins_fresh(owner)
        return owner if is_shared else None

    @SHARED.rule(
        "verb joined to that of a pronoun",
        example="He is forty and [has] two cats.",
        counter="He says they left and [has] two cats.",
    )
    def _shares_by_joint(self, verb: int) -> int | None:
        joint, is_phrase = self.joint_before(verb)
        if joint < 0 or not self.is_joined_verb(verb, joint, is_phrase):
            return None
        subject = self.subject_before(joint)
        if subject < 0 or self.norm(subject) not in SUBJECT_PRONOUNS:
            return None
        first = self.finite_behind(subject)
        if first < 0 or first >= joint:
            return None
        has_object = self.norm(verb + 1) in OBJECTS and self.norm(verb) not in THIRD_AUXILIARIES
        return subject if self._is_open(subject, first, joint, has_object=has_object) else None

    def chain_begin(self, verb: int) -> int:
        """Return the first of several verbs with nothing but commas, coordinators and adverbs in between.

        *she wakes, stretches and slowly sits up*; ``verb`` itself where it follows none.
        """
        while self.norm(verb) not in THIRD_AUXILIARIES:
            place = self.skip_adverbs_back(verb - 1)
            is_joined = self.norm(place) in JOINS
            place -= is_joined
            if self.norm(place) == ",":
                place -= 1
                is_joined = is_joined or self._is_list(verb)
            norm = self.norm(place)
            is_noun = self.norm(verb) in verb_forms("noun") and self.norm(verb + 1) not in PAUSES | OBJECTS | JOINS
            if not is_joined or is_noun or not is_third(norm) or norm in THIRD_AUXILIARIES or self._is_tag(place):
                break
            verb = place
        return verb

    def _is_tag(self, verb: int) -> bool:
        """Return True if a verb may be that of a speech tag: *, he says, drinks*."""
        return self.takes_clause(verb) and self.norm(self.skip_adverbs_back(verb - 1)) in SUBJECT_PRONOUNS

    @BEHIND.rule(
        "verb behind a parenthesis",
        example="She (they say) [has] two.",
        counter="She says (they know) [has] two.",
    )
    def _behind_parenthesis(self, verb: int) -> int | None:
        """Return the pronoun whose verb stands behind a parenthesis: *she (they say) has*."""
        closing = self.skip_adverbs_back(verb - 1)
        if self.norm(closing) not in (",", ")", "—", "–", "-"):
            return None
        subject = self.subject_before(closing)
        if subject < 0 or self.norm(subject) not in SUBJECT_PRONOUNS or self.norm(subject - 1) in ("than", "as"):
            return None
        opening = self.skip_adverbs(subject + 1)
        is_opening = self.norm(opening) in (",", "(", "—", "–", "-") and opening < closing
        return subject if is_opening and self.behind_parenthesis(opening) == verb else None

    @BEHIND.rule(
        "second relative clause",
        example="It is he who drove and who [has] to pay.",
        counter="It is he who drove a car that [has] it.",
    )
    def _in_second_relative(self, verb: int) -> int | None:
        """Return the pronoun of the second of two relative clauses: *it is he who drove and who has to pay*."""
        who = self.skip_adverbs_back(verb - 1)
        if self.norm(who) not in ("who", "that") or self.norm(who - 1) not in JOINS | {","}:
            return None
        subject = self.subject_before(who)
        is_first = subject >= 0 and self.norm(subject + 1) == self.norm(who)
        is_open = is_first and all(self.norm(i) not in OPENERS | ENDS for i in range(subject + 2, who))
        return subject if is_open else None

    @BEHIND.rule(
        "verb behind a relative clause",
        example="He who waits long [has] patience.",
        counter="He waits long and [has] patience.",
    )
    def _behind_relative(self, verb: int) -> int | None:
        """Return the pronoun whose verb stands behind its relative clause: *she who waits long has patience*."""
        subject = self.subject_before(verb)
        if subject < 0 or self.norm(subject + 1) not in ("who", "that") or self.norm(subject) not in SUBJECT_PRONOUNS:
            return None
        first = self.skip_adverbs(subject + 2)
        norm = self.norm(verb)
        is_sure = norm in THIRD_AUXILIARIES or norm in verb_forms("verb") or archaic_plural(norm) is not None
        is_inner = not is_finite(self.norm(first)) or self.takes_clause(first)
        if first >= verb or is_inner or not is_sure or self.norm(subject - 1) in _CLEFT:
            return None
        apart = OPENERS | ENDS | COORDINATORS | {","}
        for place in range(first + 1, verb):
            word = self.norm(place)
            is_noun = word in verb_forms("noun") or self.norm(place - 1) in NOUN_BEFORE
            if word in apart or (is_finite(word) and not is_noun):
                return None
        return subject

    def joint_before(self, verb: int) -> tuple[int, bool]:
        """Return the place of the coordinator or comma before a verb, or -1; and whether a phrase stands between.

        *and, through his lawyer, asks*; *and without a word leaves*
        """
        place = self.skip_adverbs_back(verb - 1)
        norm = self.norm(place)
        if norm in JOINS:
            return place, False
        if norm == ",":
            opening = self.last_comma(place, 12)
            before = self.skip_adverbs_back(opening - 1) if opening > 0 else -1
            return (before if self.norm(before) in JOINS else place), False
        for begin in range(place, max(0, place - _PHRASE_WORDS), -1):
            word = self.norm(begin)
            if not word.isalpha() or word in JOINS or word in SUBJECT_PRONOUNS:
                break
            if word in _PHRASE and self.norm(begin - 1) in JOINS:
                return begin - 1, True
        return -1, False

    def is_joined_verb(self, verb: int, joint: int, is_phrase: bool) -> bool:
        """Return True if the word at ``verb``, joined to something before it, is a verb and no noun."""
        norm, following, mark = self.norm(verb), self.norm(verb + 1), self.norm(joint)
        if norm in THIRD_AUXILIARIES:
            if mark == "nor" or following in _INVERTED:
                return False  # nor is the dog; or was that the dog
            return mark in JOINS or self._is_list(verb)
        is_verb = norm in verb_forms("verb")
        if is_phrase:
            return is_verb or following in OBJECTS
        if is_verb or following in OBJECTS:
            return mark != "," or (to_plural(norm) not in _PARENTHETIC and self._is_list(verb))
        # "whisks well and seasons with salt": no noun goes before, no subject behind
        before = self.norm(joint - 2 if self.norm(joint - 1) == "," else joint - 1)
        is_parted = before in _PARTING or self.is_adverb(joint - 1)
        return mark in JOINS and is_parted and following in AFTER_VERB

    def _is_list(self, verb: int) -> bool:
        """Return True if a coordinator follows, as the last part of a list has it."""
        for place in range(verb + 1, len(self.tokens)):
            norm = self.tokens[place].norm
            if norm in _LIST_ENDS:
                return False
            if norm in ("and", "or", "but", "then", "&"):
                return True
        return False

    def _is_open(self, subject: int, first: int, joint: int, *, has_object: bool) -> bool:
        """Return True if the clause of a pronoun may still go on at ``joint``, and no other clause."""
        is_comma = self.norm(joint) == ","
        is_parted = is_comma or self.norm(joint - 1) == ","
        is_predicate = self.norm(subject - 1) == "that" and self.norm(subject - 2) in _CLEFT  # the fact is that he
        opener, takes_clause = "" if is_predicate else self._opener(subject), self.takes_clause(first)
        is_fresh = is_predicate or self._begins_fresh(subject)
        if is_comma and opener in OPENERS and not has_object:
            return False  # when she sings, drinks are free
        has_comma = is_comma or any(self.norm(i) == "," for i in range(first + 1, joint))
        if has_comma and (takes_clause or not has_object) and self._is_behind_noun(subject):
            return False  # the bank, he thinks, is shut
        if is_parted and (opener in ("that", "like") or self._is_told(subject - 1) or not is_fresh):
            return False  # the boss says that he left, and says why
        if takes_clause and not (is_fresh and self._has_short_object(first, joint)):
            return False
        if not is_fresh and self._has_past(first + 1, joint):
            return False
        return self._is_one_clause(first + 1, joint, is_strict=is_comma and not has_object)

    def _is_behind_noun(self, subject: int) -> bool:
        """Return True if a comma parts a pronoun from what may be a subject before it: *the bank, he says*."""
        if self.norm(subject - 1) != ",":
            return False
        start = max((i + 1 for i in range(subject - 1) if self.norm(i) in ENDS), default=0)
        word = self.norm(start)
        if (
            word in _FRONTED - _DETERMINERS
            or word in OPENERS
            or word in _INTERJECTIONS
            or word.endswith(("ing", "ed", "ly"))
        ):
            return False
        return not any(
            is_finite(self.norm(i)) and self.norm(i) not in verb_forms("noun") for i in range(start, subject - 1)
        )

    def _opener(self, subject: int) -> str:
        """Return the word that opens the clause of a pronoun, past adverbs."""
        return self.norm(self.skip_adverbs_back(subject - 1))

    def _has_short_object(self, first: int, joint: int) -> bool:
        """Return True if too little stands behind a verb to be a clause: *knows the code and has a key*."""
        stop = next((i for i in range(first + 1, joint) if self.norm(i) == ","), joint)
        if stop - first > _SHORT or (stop < joint and not is_third(self.norm(self.skip_adverbs(stop + 1)))):
            return False
        return not self._has_past(first + 1, stop)

    def _has_past(self, start: int, end: int) -> bool:
        """Return True if a past form that is no participle of the verb before it stands between two places."""
        for place in range(start, end):
            norm = self.norm(place)
            if norm.endswith("s") or norm in _LATER_VERBS or not is_finite(norm) or self.norm(place - 1) in NOUN_BEFORE:
                continue
            if self.norm(self.skip_adverbs_back(place - 1)) not in _BEFORE_PARTICIPLE:
                return True
        return False

    def _begins_fresh(self, subject: int) -> bool:
        """Return True if a pronoun begins a clause that is no part of a subject: not *the man she met*."""
        before = self.norm(subject - 1)
        if before in _WITHIN:
            return self._is_told(subject - 2) or self.norm(subject - 2) in _BEFORE_RELATIVES
        if self.begins_clause(subject) or before in OPENERS | COORDINATORS or self._is_told(subject - 1):
            return True
        if before in _SEEMING or (before in _PERSONS and self._is_told(subject - 2)):
            return True
        start = max((i + 1 for i in range(subject) if self.norm(i) in PAUSES | JOINS | OPENERS), default=0)
        return self.norm(start) in _FRONTED or self.is_adverb(subject - 1)

    def _is_told(self, place: int) -> bool:
        return place >= 0 and self.takes_clause(place)

    def _is_one_clause(self, start: int, end: int, *, is_strict: bool) -> bool:
        """Return True if no other verb with a subject of its own can stand between two places.

        If ``is_strict``, a verb of the list stands behind each comma.
        """
        place, is_list = start - 1, True
        while place + 1 < end:
            place += 1
            norm = self.norm(place)
            if norm in OPENERS:
                place = self._past_clause(place, end)
                if place < 0:
                    return False
                norm = self.norm(place)
            if norm == "," and place < end:
                if self.norm(self.skip_adverbs_back(place - 1)) in JOINS:  # and then, seeing nobody, leaves
                    place = next((i for i in range(place + 1, end + 1) if self.norm(i) == ","), end + 1)
                    continue
                is_list = is_list and self._goes_on(place + 1, end)
                if not is_list and is_strict:
                    return False
            elif self._begins_other_clause(place, is_list):
                return False
        return place <= end

    def _begins_other_clause(self, place: int, is_list: bool) -> bool:
        """Return True if a subject, its verb, or the end of a clause stands at ``place``."""
        norm = self.norm(place)
        if norm in ENDS or norm in ("i", "we", "they") or (norm in CLITICS and norm != "'s"):
            return True
        if norm in OWN_SUBJECTS - {"it"}:
            return is_finite(self.norm(self.skip_adverbs(place + 1)))
        return norm not in ("its", "his") and self._is_other_verb(place, is_list)

    def _goes_on(self, place: int, end: int) -> bool:
        """Return True if a verb of the list, the end or a relative clause stands behind a comma."""
        while self.norm(place) in JOINS or self.is_adverb(place):
            place += 1
        norm = self.norm(place)
        if place >= end or norm in _COMMA_RELATIVES:
            return True
        return is_third(norm) and (norm not in verb_forms("noun") or self.norm(place + 1) in OBJECTS)

    def _is_other_verb(self, place: int, is_list: bool) -> bool:
        """Return True if a later verb may have its own subject; behind a comma or a determiner there is none."""
        norm, before = self.norm(place), self.norm(place - 1)
        joint = self.norm(self.skip_adverbs_back(place - 1))
        is_joined = joint in JOINS or (joint == "," and is_list)
        if norm in INVERTING or norm in _MODALS:
            return not (before in _HELPERS or (is_joined and norm in THIRD_AUXILIARIES))
        if not is_third(norm) or norm in verb_forms("noun"):
            return False
        return not (is_joined or before in NOUN_BEFORE)

    def _past_clause(self, opener: int, end: int) -> int:
        """Return the last place of a clause within that of the pronoun, ``opener`` where it opens none, or -1.

        *the envelope that the notary left, ...*: past its comma nothing belongs to that clause.
        """
        norm = self.norm(opener)
        comma = next((i for i in range(opener, end + 1) if self.norm(i) == ","), -1)
        words = range(opener + 1, comma if comma >= 0 else end)
        is_clause = any(is_finite(self.norm(i)) and self.norm(i - 1) not in NOUN_BEFORE for i in words)
        if norm in _PREPOSITIONS and not is_clause:
            return opener
        is_apart = norm in _COMMA_RELATIVES and "," in (self.norm(opener - 1), self.norm(opener - 2))
        return comma if is_clause and (is_apart or self.norm(opener + 1) in CLAUSE_SUBJECTS) else -1
