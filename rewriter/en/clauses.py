"""Which subject a verb has, where the words between settle it: *the car that he drives has no heating*.

All rules look at the words of one sentence only and are silent where two readings remain.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from lexicons.loader import read_table
from rewriter.en.back_words import BETWEEN, INVERTING, NOT_ADVERBS, PAST_FORMS, UNCHANGED, back_words
from rewriter.en.inflection import AUXILIARIES, to_plural
from rewriter.en.lexicon import traps
from rewriter.en.readings import NOUNS_IN_LY
from rewriter.tokens import Token

_SUBJECTS = frozenset(("he", "she"))
_CLITICS = frozenset(("'s", "'d", "'ll", "'re", "'ve"))
#: words that join two verbs of one subject
_COORDINATORS = frozenset("and or but nor yet then so & plus than as rather not".split())
_JOINS = frozenset("and or but nor & yet".split())
#: words that begin a clause, so that a verb behind them may have another subject
_OPENERS = frozenset(
    """that which who whom whose what whatever whoever whichever if whether because when whenever while although though
    unless until where wherever how why since as than before after once till lest like""".split()
)
#: pronouns and the like that are the subject of the verb right behind them
_OWN_SUBJECTS = frozenset(
    """it everyone everybody someone somebody nobody nothing something anything everything anyone anybody""".split()
)
_RELATIVES = frozenset(("who", "whom", "which", "whose", "that"))
_PAUSES = frozenset(tuple(',;:.!?"“”‘«»()—–-…'))
_ENDS = frozenset(tuple(';:.!?"“”«»()—–…'))
#: words that begin the subject of a clause behind *that*, *when* and the like
_CLAUSE_SUBJECTS = frozenset("the a an my our your this these those i we you they nobody everyone".split())
#: verbs behind which a clause may stand without *that*, so that a later verb may have its subject
_CLAUSE_VERBS = frozenset(
    """say think know hope believe claim tell feel mean wish see hear find notice realise realize suppose guess fear
    swear admit argue insist assume imagine doubt bet reckon understand remember forget suspect suggest report show
    prove ask wonder let make help watch decide learn read write promise warn remind convince pray
    dream figure""".split()
)
#: of these that stand between commas: the shop, thinks the man, is shut
_PARENTHETIC = frozenset(
    "say think hope believe claim suppose guess fear swear admit argue insist reckon suggest report wonder ask".split()
)
_CLAUSE_PASTS = frozenset(
    """said thought knew hoped believed claimed told felt meant wished saw heard found noticed realised realized
    supposed guessed feared swore admitted argued insisted assumed imagined doubted reckoned understood remembered
    forgot suspected suggested reported showed proved asked wondered made helped watched decided learned learnt read
    wrote promised warned reminded convinced prayed dreamed dreamt figured""".split()
)
#: a verb before one of these has it as its object, so it is no noun
_OBJECTS = frozenset("the a an my our your his her their its him them me us it himself herself".split())
#: behind these no noun is joined by *and*
_PARTING = frozenset(
    """well up down out off away back home again together there here now late early hard fast outside inside upstairs
    downstairs abroad alone it them him me us you himself herself""".split()
)
#: behind a verb, never behind a noun that is the subject of another clause
_AFTER_VERB = frozenset(
    """. ! ? ; , " ” to at into onto for with from in on up down out off away back home about over around through
    everything everyone nobody nothing something""".split()
)
_NO_ADVERBS = NOUNS_IN_LY - {"early", "only", "daily", "weekly", "monthly"}
#: a noun in -s follows these
_NOUN_BEFORE = frozenset(
    """, the a an my our your his her their its this that these those some any no all many few several most both two
    three four five six seven eight nine ten such other more""".split()
)
_THIRD_AUXILIARIES = frozenset(AUXILIARIES)
_VERBS_WITH_OF = frozenset(
    """think dream hear speak tell know approve disapprove complain smell taste dispose consist die talk conceive beware
    learn partake reek boast despair warn remind repent admit read sing write stink drink eat tire weary accuse cure rob
    come go become run get grow""".split()
)
#: words that begin the subject of a sentence
_SUBJECT_BEGINS = frozenset("the a an my our your this that every each all most one some no any what".split())
#: words between a verb and its subject that are looked at
_REACH = 24


@cache
def noun_forms() -> frozenset[str]:
    """Return the forms in -s of verbs that are nouns nearly always (*friends*, *eyes*)."""
    return frozenset(row["word"] for row in read_table("en", "noun_forms"))


class Clauses:
    """The verbs of one sentence and their subjects.

    Args:
        tokens: of the sentence, double forms as one.
        subjects: places of pronouns that may change and can have verbs.
    """

    def __init__(self, tokens: Sequence[Token], subjects: Collection[int]) -> None:
        self._tokens, self._subjects = tokens, sorted(subjects)

    def _norm(self, index: int) -> str:
        return self._tokens[index].norm if 0 <= index < len(self._tokens) else ""

    def has_other_subject(self, verb: int) -> bool:
        """Tell whether a verb certainly has another subject than *he* or *she*."""
        before, following = self._norm(verb - 1), self._norm(verb + 1)
        if before == "it" and following in _SUBJECTS and self._begins_clause(verb - 1):
            return True  # it is she who decides
        if self._is_inverted(verb):
            return False
        return (
            self._precedes_all(verb)
            or self._follows_own_subject(verb)
            or self._is_in_comma_relative(verb)
            or self._is_behind_closed_clause(verb)
            or self._is_behind_main_verb(verb)
        )

    def shared_subject(self, verb: int) -> int:
        """Return the pronoun that a coordinated verb certainly shares with the verb before it, or -1.

        *He is forty and has two cats*; *she feeds the hens and walks the dog*.
        """
        place = self._skip_adverbs_back(verb - 1)
        if self._is_inverted(verb) or not self._is_joined(place, verb):
            return -1
        subject = self._subject_before(place)
        if subject < 0 or self._norm(subject) not in _SUBJECTS:
            return -1
        first = self._finite_behind(subject)
        if first < 0 or first >= place or self._takes_clause(first):
            return -1
        return subject if self._is_one_clause(first + 1, place) else -1

    def is_noun(self, verb: int) -> bool:
        """Tell whether a form that does not follow its subject is a noun: *lines and queues of cars*, *and friends*."""
        norm, following, joint = self._norm(verb), self._norm(verb + 1), self._norm(verb - 1)
        if norm in _THIRD_AUXILIARIES or joint in _SUBJECTS or joint in ("who", "that") or self._is_adverb(verb - 1):
            return False
        if following == "of":
            return to_plural(norm) not in _VERBS_WITH_OF
        if norm not in noun_forms() or following in _OBJECTS or self._tokens[verb].shape:
            return False
        # "fights and quarrels": a verb may go before
        return not (joint in _JOINS and to_plural(self._norm(verb - 2)) is not None)

    def _is_joined(self, place: int, verb: int) -> bool:
        """Tell whether the word at ``place`` joins a verb, which is no noun there, to something before it."""
        norm, joint = self._norm(verb), self._norm(place)
        if norm in _THIRD_AUXILIARIES:
            return joint in _JOINS
        if joint not in _JOINS and joint != ",":
            return False
        if self._norm(verb + 1) in _OBJECTS:
            return joint != "," or (to_plural(norm) not in _PARENTHETIC and self._is_list(verb))
        # "whisks well and seasons with salt": no noun goes before, no subject behind
        before = self._norm(place - 2 if self._norm(place - 1) == "," else place - 1)
        is_parted = before in _PARTING or self._is_adverb(place - 1)
        return joint in _JOINS and is_parted and self._norm(verb + 1) in _AFTER_VERB

    def _is_list(self, verb: int) -> bool:
        """Tell whether a coordinator follows, as the last part of a list has it."""
        for place in range(verb + 1, len(self._tokens)):
            if self._norm(place) in _ENDS:
                return False
            if self._norm(place) in ("and", "or", "but", "then", "&"):
                return True
        return False

    def _is_one_clause(self, start: int, end: int) -> bool:
        """Tell whether no other verb with a subject of its own can stand between two places.

        Behind a comma a new clause may begin, unless a verb of the list stands there.
        """
        place = start - 1
        while place + 1 < end:
            place += 1
            norm = self._norm(place)
            if norm in _OPENERS and self._norm(place + 1) in _CLAUSE_SUBJECTS:
                # the envelope that the notary left, ...: past its comma nothing belongs to that clause
                place = next((i for i in range(place, end + 1) if self._norm(i) == ","), -1)
                if place < 0:
                    return False
                continue
            if norm == "," and self._begins_new_clause(place + 1, end):
                return False
            if norm in _OPENERS or norm in _ENDS or norm in _OWN_SUBJECTS - {"it"} or norm in ("i", "we", "they"):
                return False
            if norm in _CLITICS and norm != "'s":
                return False
            if norm in INVERTING or norm in ("can", "will", "must", "should", "would", "could", "may", "might"):
                return False
            # a later verb that may have its own subject; behind a comma or a determiner there is none
            is_joined = self._norm(place - 1) in _JOINS | _NOUN_BEFORE
            if to_plural(norm) is not None and norm not in ("its", "his") and not is_joined:
                return False
        return True

    def _begins_new_clause(self, start: int, end: int) -> bool:
        """Tell whether a subject with a verb may follow a comma: *..., Zora arrived and was late*."""
        place = start
        while self._norm(place) in _JOINS or self._is_adverb(place):
            place += 1
        if to_plural(self._norm(place)) is not None:
            return False
        stop = next((i for i in range(place, end) if self._norm(i) == ","), end)
        return any(is_finite(self._norm(i)) for i in range(place, stop))

    def _takes_clause(self, verb: int) -> bool:
        norm = self._norm(verb)
        return (to_plural(norm) or norm) in _CLAUSE_VERBS or norm in _CLAUSE_PASTS or norm in _CLITICS

    def _subject_before(self, place: int) -> int:
        return max((s for s in self._subjects if s < place), default=-1)

    def _is_inverted(self, verb: int) -> bool:
        """Tell whether *he* or *she* may be the subject of the auxiliary or verb of saying before it."""
        if self._norm(verb) in _THIRD_AUXILIARIES:
            return any(self._norm(place) in _SUBJECTS for place in range(verb + 1, verb + 4))
        return self._norm(verb + 1) in _SUBJECTS

    def _begins_clause(self, place: int) -> bool:
        before = self._norm(place - 1)
        return (
            not before
            or before in _PAUSES
            or before in _OPENERS - {"like", "as", "than", "before", "after", "since", "until", "till"}
            or before in ("and", "but", "or", "so", "then", "yes", "no", "well", "maybe", "perhaps")
        )

    def _precedes_all(self, verb: int) -> bool:
        """Tell whether no *he* or *she* stands before a verb: *The boss knows that she is ill*.

        The first word may have lost its subject (*Knows his stuff, he does*).
        """
        if self._subject_before(verb) >= 0 or verb == 0:
            return False
        return not self._is_likely_fragment(verb)

    def _is_likely_fragment(self, verb: int) -> bool:
        """Tell whether a verb begins a sentence without its subject, or is joined to one that does."""
        first = next((place for place in range(verb + 1) if self._norm(place)[:1].isalpha()), verb)
        while self._is_adverb(first):
            first += 1
        return first == verb or to_plural(self._norm(first)) is not None

    def _follows_own_subject(self, verb: int) -> bool:
        """Tell whether *it*, *nobody* or *which* stands before a verb as its subject."""
        place = self._skip_adverbs_back(verb - 1)
        norm = self._norm(place)
        if norm == "which":
            return self._norm(place - 1) not in _SUBJECTS
        if norm in ("what", "whatever"):
            return True
        if norm not in _OWN_SUBJECTS:
            return False
        before = self._norm(place - 1)
        is_told = to_plural(before) in _CLAUSE_VERBS or before in _CLAUSE_PASTS
        return self._begins_clause(place) or (is_told and not self._has_headed_relative(place))

    def _has_headed_relative(self, end: int) -> bool:
        """Tell whether a *he* or *she* before ``end`` still waits for its verb: *he who ...*, *she when ...*."""
        return any(self._finite_behind(s) < 0 for s in self._subjects if s < end)

    def _is_in_comma_relative(self, verb: int) -> bool:
        """Tell whether a verb belongs to a relative clause between commas, or to what that clause says something of.

        *The banker, who lives in Bath and has a boat, ...*; *Anna, whom he admires, is a surgeon.*
        """
        before = self._norm(self._skip_adverbs_back(verb - 1))
        is_after = self._norm(verb - 1) == ","
        if not is_after and before not in _JOINS and before not in ("who", "which"):
            return False
        comma = self._last_comma(verb - 1 if is_after else verb)
        opener = comma + (2 if self._norm(comma + 2) in ("whom", "which", "whose") else 1)
        if comma <= 0 or self._norm(opener) not in ("who", "which", "whom", "whose", "where"):
            return False
        if not is_after and self._norm(opener) not in ("who", "which"):
            return False
        if is_after:
            return self._subject_before(comma) < 0
        if self._norm(opener) == "who":
            is_own = self._norm(comma - 1) in _SUBJECTS or self._has_headed_relative(comma)
            return not is_own and not any(opener < s < verb for s in self._subjects)
        # ", which opens at four, and": whatever it is, it is no person
        return not any(opener < s < verb for s in self._subjects) and self._norm(comma - 1) not in _SUBJECTS

    def _last_comma(self, end: int) -> int:
        for place in range(end - 1, max(-1, end - _REACH), -1):
            norm = self._norm(place)
            if norm == ",":
                return place
            if norm in _ENDS:
                return -1
        return -1

    def _is_behind_closed_clause(self, verb: int) -> bool:
        """Tell whether the pronoun before a verb has its own verb already and nothing joins the two.

        *The car that he drives has no heating*; *he thinks the soup is cold*; *she runs miles*.
        """
        subject = self._subject_before(verb)
        if subject < 0 or verb - subject > _REACH or self._norm(subject) not in _SUBJECTS:
            return False
        if [self._norm(verb - 2), self._norm(verb - 1)] == ["or", "not"] and self._norm(subject - 1) == "whether":
            return True
        first = self._finite_behind(subject)
        if not 0 <= first < verb or self._has_headed_relative(subject):
            return False
        if self._norm(verb) not in _THIRD_AUXILIARIES and not (
            first == verb - 1 and to_plural(self._norm(first)) is not None
        ):
            return False
        return all(self._joins_nothing(place) for place in range(first + 1, verb))

    def _is_behind_main_verb(self, verb: int) -> bool:
        """Tell whether a verb follows that of a subject with a clause of its own.

        *The house she wants is on the hill and costs a fortune*
        """
        subject = self._subject_before(verb)
        if subject < 1 or subject != self._subjects[0] or self._has_headed_relative(verb):
            return False
        first = self._finite_behind(subject)
        if first < 0 or not self._is_within_subject(subject):
            return False
        main = first + 1
        while main < verb and self._joins_nothing(main) and self._norm(main) not in _THIRD_AUXILIARIES:
            main += 1
        if main >= verb or self._norm(main) not in _THIRD_AUXILIARIES:
            return False
        return all(self._norm(i) not in _ENDS for i in range(main, verb))

    def _is_within_subject(self, place: int) -> bool:
        """Tell whether a clause within the subject of a sentence begins at ``place``: *The village where he ...*"""
        start = max((i + 1 for i in range(place) if self._norm(i) in _ENDS), default=0)
        if self._norm(start) not in _SUBJECT_BEGINS or place - start < 2:
            return False
        if self._norm(place - 1) in (_OPENERS | _COORDINATORS) - {"that", "which", "whom", "where", "when"}:
            return False
        words = [self._norm(i) for i in range(start + 1, place)]
        return "," not in words and not any(is_finite(word) and word not in noun_forms() for word in words)

    def _joins_nothing(self, place: int) -> bool:
        norm = self._norm(place)
        return norm not in _COORDINATORS and (norm.isalpha() or norm in _CLITICS or norm.isdigit() or norm == "-")

    def _finite_behind(self, subject: int) -> int:
        """Return the place of the finite verb right behind a pronoun, or -1."""
        place = subject + 1
        while self._is_adverb(place):
            place += 1
        return place if is_finite(self._norm(place)) else -1

    def _is_adverb(self, place: int) -> bool:
        norm = self._norm(place)
        if norm in BETWEEN - {"so", "sure"}:
            return True
        is_name = 0 <= place < len(self._tokens) and self._tokens[place].shape > 0
        return len(norm) > 4 and norm.endswith("ly") and norm not in NOT_ADVERBS | _NO_ADVERBS and not is_name

    def _skip_adverbs_back(self, place: int) -> int:
        while self._is_adverb(place) and place > 0:
            place -= 1
        return place


def left_out(
    tokens: Sequence[Token], changed: Collection[int], open_verbs: Collection[int], subjects: Collection[int]
) -> list[int]:
    """Return the open verbs that stand unchanged between two changed ones of the same list.

    *They work nights, studies by day, and sleep*: behind a comma and before *and sleep*, *studies* is a verb.

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
        if before < 0 or any(before < s < last for s in subjects) or not between.isdisjoint(_OPENERS | _ENDS):
            continue
        if any(tokens[i].norm == "," for i in range(before + 1, verb - 2)):
            continue  # behind it a new clause may begin
        following = tokens[verb + 1].norm if verb + 1 < len(tokens) else "."
        joint = tokens[verb - 1].norm
        if after < 0:
            # "opens the box, takes a key, and leaves by the gate": a list needs its last part
            is_missing = joint in _JOINS and before > 1 and tokens[before - 1].norm == ","
            is_missing = is_missing and following in _AFTER_VERB - _PAUSES
        else:
            is_missing = joint == "," and tokens[after - 1].norm in _JOINS and following not in _JOINS | _PAUSES
        if is_missing:
            found.append(verb)
    return found


def is_finite(norm: str) -> bool:
    """Tell whether a word right behind a subject is its finite verb; of irregular pasts only the common ones count."""
    if norm in traps("no verb"):
        return False
    is_past = norm in PAST_FORMS or (len(norm) > 3 and norm.endswith("ed"))
    is_auxiliary = norm in _CLITICS or norm in UNCHANGED or norm in INVERTING or norm.endswith("n't")
    return is_past or is_auxiliary or norm in back_words("past") or to_plural(norm) is not None
