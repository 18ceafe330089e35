"""Words by which clauses begin, join and end, and a sentence as its words and subject pronouns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from lexicons.loader import read_table
from rewriter.en.back_words import ADVERB_PHRASES, BETWEEN, INVERTING, NOT_ADVERBS, PAST_FORMS, UNCHANGED, back_words
from rewriter.en.closed_words import SELVES, SUBJECT_PRONOUNS
from rewriter.en.inflection import ARCHAIC_AUXILIARIES, AUXILIARIES, archaic_plural, to_plural
from rewriter.en.lexicon import traps
from rewriter.en.readings import NOUNS_IN_LY
from rewriter.language.rules import Rules
from rewriter.language.tokens import Token

CLITICS = frozenset(("'s", "'d", "'ll", "'re", "'ve"))
#: words that join two verbs of one subject
COORDINATORS = frozenset("and or but nor yet then so & plus than as rather not".split())
#: words that begin a clause, so that a verb behind them may have another subject
OPENERS = frozenset(
    """that which who whom whose what whatever whoever whichever if whether because when whenever while although though
    unless until where wherever how why since as than before after once till lest like""".split()
)
#: pronouns and the like that are the subject of the verb right behind them
OWN_SUBJECTS = frozenset(
    """it everyone everybody someone somebody nobody nothing something anything everything anyone anybody""".split()
)
PAUSES = frozenset(tuple(',;:.!?"“”‘«»()—–-…'))
ENDS = frozenset(tuple(';:.!?"“”«»()—–…'))
#: words that begin the subject of a clause behind *that*, *when* and the like
CLAUSE_SUBJECTS = frozenset("the a an my our your this these those i we you they nobody everyone his her".split())
#: verbs behind which a clause may stand without *that*, so that a later verb may have its subject
CLAUSE_VERBS = frozenset(
    """say think know hope believe claim tell feel mean wish see hear find notice realise realize suppose guess fear
    swear admit argue insist assume imagine doubt bet reckon understand remember forget suspect suggest report show
    prove ask wonder let make help watch decide learn read write promise warn remind convince pray
    dream figure""".split()
)
CLAUSE_PASTS = frozenset(
    """said thought knew hoped believed claimed told felt meant wished saw heard found noticed realised realized
    supposed guessed feared swore admitted argued insisted assumed imagined doubted reckoned understood remembered
    forgot suspected suggested reported showed proved asked wondered made helped watched decided learned learnt read
    wrote promised warned reminded convinced prayed dreamed dreamt figured""".split()
)
#: a noun in -s follows these
NOUN_BEFORE = frozenset(
    """, the a an my our your his her their its this that these those some any no all many few several most both two
    three four five six seven eight nine ten such other more""".split()
)
THIRD_AUXILIARIES = frozenset((*AUXILIARIES, *ARCHAIC_AUXILIARIES))
#: closing mark of a parenthesis by its opening one
CLOSING = {",": ",", "(": ")", "—": "—", "–": "–", "-": "-"}
#: words of a parenthesis at most
PARENTHESIS = 14
_NO_ADVERBS = NOUNS_IN_LY - {"early", "only", "daily", "weekly", "monthly"}


@cache
def noun_forms() -> frozenset[str]:
    """Return the forms in -s of verbs that are nouns nearly always (*friends*, *eyes*)."""
    return frozenset(row["word"] for row in read_table("en", "noun_forms"))


@cache
def verb_forms(kind: str) -> frozenset[str]:
    """Return the forms in -s that are nearly always verbs (``verb``) or mostly nouns (``noun``)."""
    return frozenset(row["form"] for row in read_table("en", "verb_forms") if row["kind"] == kind)


def is_finite(norm: str) -> bool:
    """Return True if a word right after a subject is its finite verb; of irregular pasts only the common ones count."""
    if norm in traps("no verb"):
        return False
    is_past = norm in PAST_FORMS or (len(norm) > 3 and norm.endswith("ed"))
    is_auxiliary = norm in CLITICS or norm in UNCHANGED or norm in INVERTING or norm.endswith("n't")
    return is_past or is_auxiliary or norm in back_words("past") or is_third(norm)


def is_third(norm: str) -> bool:
    """Return True if a word may be a third-person singular verb."""
    return norm in _thirds() or (norm.endswith("th") and archaic_plural(norm) is not None)


@cache
def _thirds() -> frozenset[str]:
    return frozenset(row["third"] for row in read_table("en", "verbs")) | THIRD_AUXILIARIES


class ClauseWords:
    """The words of one sentence, and the pronouns that may be subjects.

    Args:
        tokens: of the sentence, double forms as one.
        subjects: places of pronouns that may change and can have verbs.
        rules: that are asked.
    """

    def __init__(self, tokens: Sequence[Token], subjects: Collection[int], rules: Rules) -> None:
        self.tokens, self.subjects, self.rules = tokens, sorted(subjects), rules

    def norm(self, index: int) -> str:
        """Return the normalised word at ``index``, empty outside the sentence."""
        return self.tokens[index].norm if 0 <= index < len(self.tokens) else ""

    def subject_before(self, place: int) -> int:
        """Return the place of the last subject pronoun before ``place``, or -1."""
        return max((s for s in self.subjects if s < place), default=-1)

    def is_adverb(self, place: int) -> bool:
        """Return True if the word at ``place`` may stand between a subject and its verb."""
        norm = self.norm(place)
        if norm in BETWEEN - {"so", "sure"}:
            return True
        is_name = 0 <= place < len(self.tokens) and self.tokens[place].shape > 0
        return len(norm) > 4 and norm.endswith("ly") and norm not in NOT_ADVERBS | _NO_ADVERBS and not is_name

    def skip_adverbs(self, place: int) -> int:
        """Return the first place from ``place`` on that is no adverb."""
        while True:
            if (self.norm(place), self.norm(place + 1)) in ADVERB_PHRASES:
                place += 2
            elif self.is_adverb(place):
                place += 1
            else:
                return place

    def skip_adverbs_back(self, place: int) -> int:
        """Return the last place up to ``place`` that is no adverb."""
        while place > 0:
            if place > 1 and (self.norm(place - 1), self.norm(place)) in ADVERB_PHRASES:
                place -= 2
            elif self.is_adverb(place):
                place -= 1
            else:
                break
        return place

    def finite_behind(self, subject: int) -> int:
        """Return the place of the finite verb behind a pronoun, past adverbs and a parenthesis, or -1."""
        place = subject + 1
        while self.is_adverb(place):
            place += 1
        if is_finite(self.norm(place)):
            return place
        place = self.skip_adverbs(subject + 2 if self.norm(subject + 1) in SELVES else subject + 1)
        if is_finite(self.norm(place)):
            return place
        return self.behind_parenthesis(place) if self.norm(place) in CLOSING else -1

    def behind_parenthesis(self, opening: int) -> int:
        """Return the place of the finite verb behind a parenthesis that begins at ``opening``, or -1."""
        mark = CLOSING[self.norm(opening)]
        if mark == "-" and not self._is_dash(opening):
            return -1
        opening += self.norm(opening + 1) == mark
        for place in range(opening + 2, min(opening + PARENTHESIS, len(self.tokens))):
            norm = self.norm(place)
            if norm == mark and (mark != "-" or self._is_dash(place)):
                place += self.norm(place + 1) == mark
                verb = self.skip_adverbs(place + 1)
                if is_finite(self.norm(verb)) and self.norm(verb) not in verb_forms("noun"):
                    return verb
                if mark != ",":
                    return -1
            elif norm in ENDS and mark == ",":
                return -1
        return -1

    def _is_dash(self, place: int) -> bool:
        """Return True if a hyphen stands for a dash: doubled, or with space around it."""
        tokens = self.tokens
        if "-" in (self.norm(place - 1), self.norm(place + 1)):
            return True
        return place + 1 < len(tokens) and tokens[place - 1].end < tokens[place].start < tokens[place + 1].start - 1

    def is_inverted(self, verb: int) -> bool:
        """Return True if *he* or *she* may be the subject of the auxiliary or verb of saying before it."""
        if self.norm(verb) in THIRD_AUXILIARIES:
            return any(self.norm(place) in SUBJECT_PRONOUNS for place in range(verb + 1, verb + 4))
        return self.norm(verb + 1) in SUBJECT_PRONOUNS

    def begins_clause(self, place: int) -> bool:
        """Return True if a clause may begin at ``place``: behind a pause, a coordinator, *that* and the like."""
        before = self.norm(place - 1)
        return (
            not before
            or before in PAUSES
            or before in OPENERS - {"like", "as", "than", "before", "after", "since", "until", "till"}
            or before in ("and", "but", "or", "so", "then", "yes", "no", "well", "maybe", "perhaps")
        )

    def last_comma(self, end: int, reach: int) -> int:
        """Return the place of the last comma before ``end``, or -1 where the sentence ends or none is near."""
        for place in range(end - 1, max(-1, end - reach), -1):
            norm = self.norm(place)
            if norm == ",":
                return place
            if norm in ENDS:
                return -1
        return -1

    def takes_clause(self, verb: int) -> bool:
        """Return True if a clause without *that* may stand behind a verb."""
        norm = self.norm(verb)
        return (to_plural(norm) or norm) in CLAUSE_VERBS or norm in CLAUSE_PASTS or norm in CLITICS
