"""Cuts a German sentence with its noun phrases into clauses, each with its finite verb.

No parser: commas, conjunctions and the table of verb forms cut a sentence into clauses and tell the number of each
subject.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from lexicons.loader import read_table
from rewriter.de.inflection import GENITIVE
from rewriter.de.lexicon import Noun, Word, bit
from rewriter.de.phrase import Phrase
from rewriter.de.phrase_cases import adjectives_mask
from rewriter.de.phrase_words import FUNCTION
from rewriter.de.sentence import Sentence
from rewriter.de.tokens import Token
from rewriter.de.turning.grammar import ANY, NOBODY, TurningLexicon, closed_with_neuter, words
from rewriter.de.turning.phrases import find_any_phrase
from rewriter.de.turning.verbs import copulas, finite

SUBORDINATE = frozenset(
    "dass daß weil wenn ob als nachdem da bevor ehe damit obwohl obgleich sobald falls sofern solange während wie "
    "warum wo wann bis seit seitdem indem sodass weshalb womit wodurch wofür worüber was wer wem wen wessen".split()
)
RELATIVE = frozenset("der die das den dem dessen deren denen welcher welche welches welchen welchem".split())
_BREAKS = frozenset(',;:.!?–—()„“”"»«…/')
_OPENING = frozenset("„»\"“«‚›'*_([–—-")
_ENDING = frozenset({":", ".", "!", "?", "…", "“", "»", ")", '"', "”"})
#: what a gender-fair form, a handle or an identifier holds
_SIGNS = re.compile(r"[*_/·•(:@#]|\d[^\W\d_]|[^\W\d_]\d")
_OBJECTS = frozenset("sie ihn ihm ihr es sich mich dich uns euch mir dir ihnen".split())
JOINING = frozenset({"und", "oder", "aber", "denn", "sondern", "doch"})
#: conjunctions that begin a phrase as well
_PHRASE_BEGINS = frozenset({"als", "wie", "bis", "während", "seit"})
#: words at the beginning of a sentence that are no nouns although nouns are written like them
_NO_NOUNS = frozenset(
    "es ich du wir er sie man ja nein nicht nichts etwas viel alles gestern heute morgen dann".split()
)
GENITIVES = sum(bit(gender, GENITIVE) for gender in range(4))


@cache
def stop_words() -> frozenset[str]:
    """Return the words that are no nouns although a sentence may begin with them."""
    return frozenset(row["word"] for row in read_table("de", "stop_words"))


@dataclass(slots=True, eq=False)
class Nominal:
    """A noun phrase or name of a sentence.

    Attributes:
        phrase: its tokens and what its forms leave.
        kind: ``person``, ``title``, ``name`` or ``thing``.
        gender: as it is read (a plural is PLURAL), -1 while unknown.
        case: as it is read, -1 while unknown.
        swaps: it is turned to the other gender.
        target: gender that it is turned to.
        human: means a person, whether it is turned or not.
    """

    phrase: Phrase
    kind: str
    gender: int = -1
    case: int = -1
    swaps: bool = False
    target: int = -1
    human: bool = False

    @property
    def start(self) -> int:
        """First token."""
        return self.phrase.start

    @property
    def head(self) -> int:
        """Last token."""
        return self.phrase.head

    @property
    def mask(self) -> int:
        """What the forms leave."""
        return self.phrase.mask


@dataclass(slots=True, eq=False)
class Clause:
    """A clause: its tokens, its finite verb (-1 for none), the number that it tells.

    Attributes:
        tokens: in order; another clause may stand between them.
        verb: token, -1 for none.
        number: ``singular``, ``plural``, ``first``, ``second``, ``imperative``, or empty.
        copula: the verb joins two nominatives.
        subordinate: begins with a conjunction or a relative pronoun.
        takes_dative: holds a verb that takes a dative; None while nobody asked.
        nominals: its noun phrases.
    """

    tokens: list[int] = field(default_factory=list)
    verb: int = -1
    number: str = ""
    copula: bool = False
    subordinate: bool = False
    takes_dative: bool | None = None
    nominals: list[Nominal] = field(default_factory=list)


class ClauseFinder(Sentence):
    """A sentence with readings of all its nouns, persons or not, and its clauses."""

    lexicon: TurningLexicon

    def __init__(
        self,
        text: str,
        lexicon: TurningLexicon,
        protected: Sequence[tuple[int, int]],
        tokens: list[Token] | None = None,
    ) -> None:
        super().__init__(text, lexicon, protected, tokens)
        self.closed = closed_with_neuter()
        self.nominals: list[Nominal] = []
        self.clauses: list[Clause] = []
        self._clause_of: dict[int, Clause] = {}
        self._is_loud = text.isupper()
        self._strengths: dict[int, int] = {}
        self._is_plain = not protected and _SIGNS.search(text) is None
        self._nominal_at: dict[int, Nominal] = {}

    @cached_property
    def words(self) -> list[Word | None]:
        """What every token with a capital may be as a person; None where it is blocked or has none."""
        if self.is_english:
            return [None] * len(self.tokens)
        look_up, text = self.lexicon.word, self.text
        return [
            look_up(text[token.start : token.end])
            if token.shape and len(token.norm) > 2 and not self.is_blocked(index)
            else None
            for index, token in enumerate(self.tokens)
        ]

    def thing(self, index: int) -> Phrase | None:
        """Return the phrase of a noun that is no person, None where no noun stands."""
        token = self.tokens[index]
        if not token.shape or not token.norm.isalpha() or len(token.norm) < 2:
            return None
        if token.norm in self.closed.prepositions or (self.begins(index) and token.norm in stop_words()):
            return None
        noun = self.lexicon.thing(self.surface(index))
        if noun is None:
            if self.begins(index) or token.norm in self.lexicon.determiners or token.norm in FUNCTION:
                return None
            noun = Noun("", token.norm, ANY, False, 0, NOBODY)
        elif (self.begins(index) and token.norm in _NO_NOUNS) or token.norm in SUBORDINATE or token.norm in FUNCTION:
            return None
        return find_any_phrase(self, index, Word(noun=noun))

    def begins(self, index: int) -> bool:
        """Tell whether a capital at a token may be that of a sentence's beginning."""
        at = index - 1
        while at >= 0 and self.norms[at] in _OPENING:
            at -= 1
        return at < 0 or self.norms[at] in _ENDING

    def clause(self, index: int) -> Clause:
        """Return the clause of a token."""
        return self._clause_of.get(index) or self.clauses[-1]

    def nominal_at(self, index: int) -> Nominal | None:
        """Return the noun phrase that a token belongs to."""
        return self._nominal_at.get(index)

    def find_clauses(self) -> None:
        """Cut the sentence into clauses; the noun phrases have been found."""
        for nominal in self.nominals:
            for index in range(nominal.start, nominal.head + 1):
                self._nominal_at[index] = nominal
        segments = self._segments()
        self.clauses = [self._clause(segment) for segment in segments if segment] or [Clause()]
        self._join_interrupted()
        for clause in self.clauses:
            for index in clause.tokens:
                self._clause_of[index] = clause
        for nominal in self.nominals:
            self.clause(nominal.head).nominals.append(nominal)

    def release(self, index: int) -> None:
        """Take a token out of its noun phrase."""
        self._nominal_at.pop(index, None)
        self._strengths.clear()

    def is_blocked(self, index: int) -> bool:
        """Tell whether a token is certainly no word of running text, or gender-fair already."""
        return not self._is_plain and super().is_blocked(index)

    def is_fair(self, index: int) -> bool:
        """Tell whether a token is part of a gender-fair form that is there already."""
        return not self._is_plain and super().is_fair(index)

    def free_verbs(self) -> None:
        """Make verbs of forms that were taken for adjectives although their clause has no other (*Es fehlen Ärzte*)."""
        for nominal in self.nominals:
            phrase = nominal.phrase
            if phrase.determiner >= 0 or not phrase.adjectives or nominal.kind == "title" or self.is_governed(nominal):
                continue
            clause, at = self.clause(nominal.head), phrase.adjectives[0]
            if (
                clause.verb not in (-1, at)
                or at != phrase.start
                or at == 0
                or not self.norms[at].endswith(("en", "te", "rn", "ln"))
            ):
                continue
            phrase.adjectives = phrase.adjectives[1:]
            phrase.start = at + 1
            self.release(at)
            noun = phrase.word.noun
            phrase.mask = noun.mask if noun is not None else ANY
            clause.verb, clause.number = at, finite(self.norms[at])[0] or "plural"

    def _segments(self) -> list[list[int]]:
        segments: list[list[int]] = [[]]
        for index, norm in enumerate(self.norms):
            nominal = self._nominal_at.get(index)
            inside = nominal is not None and nominal.start < index
            inside = inside or (norm == ":" and index > 0 and self.touches(index - 1) and self.touches(index))
            if (norm in _BREAKS and not inside) or (
                norm in JOINING and not inside and self._begins_clause(index, segments[-1])
            ):
                segments.append([])
            else:
                segments[-1].append(index)
        return segments

    def _begins_clause(self, index: int, before: Sequence[int]) -> bool:
        """Tell whether a clause follows a conjunction, and no second half of a phrase."""
        norm = self.norm(index + 1)
        if norm in ("er", "sie", "es", "ich", "wir", "man", "du", "ihr") and self.strength(index + 2) > 0:
            return True
        if (
            norm in RELATIVE
            and before
            and self.norms[before[0]] in RELATIVE
            and self._nominal_at.get(index + 1) is None
        ):
            return True
        best = max((self.strength(i) for i in before), default=0)
        if not best:
            return False
        if norm in ("er", "ich", "wir", "man", "du") and self.norm(index + 2) not in (",", "."):
            return True
        if (
            self.strength(index + 1) > (best < 2)
            or self._is_verb_with_object(index + 1)
            or (norm in SUBORDINATE and norm != "als")
        ):
            return True
        nominal = self._nominal_at.get(index + 1)
        return nominal is not None and self.strength(nominal.head + 1) > 1 and not self._ends(before)

    def _is_verb_with_object(self, index: int) -> bool:
        """Tell whether a form in *-t, -te* stands before what a verb may be followed by (*und faltete sie*)."""
        if not self.strength(index):
            return False
        following = self._nominal_at.get(index + 1)
        return self.norm(index + 1) in _OBJECTS or (following is not None and following.phrase.determiner == index + 1)

    def _ends(self, before: Sequence[int]) -> bool:
        """Tell whether the finite verb still has to come (*weil Anna und Peter kamen*)."""
        return bool(before) and self.norms[before[0]] in SUBORDINATE and self.strength(before[-1]) < 2

    def strength(self, index: int) -> int:
        """Return how surely a token is a finite verb."""
        known = self._strengths.get(index)
        if known is None:
            known = self._strengths[index] = self._strength(index)
        return known

    def _strength(self, index: int) -> int:
        if not 0 <= index < len(self.tokens) or (self.tokens[index].shape and index and not self._is_loud):
            return 0
        strength = finite(self.norms[index])[1]
        nominal = self._nominal_at.get(index) if strength else None
        if nominal is not None:
            return 0 if nominal.phrase.determiner >= 0 or strength < 2 else 1
        return strength

    def _clause(self, tokens: list[int]) -> Clause:
        first = self.norms[tokens[0]]
        second = self.norm(tokens[0] + 1)
        relative = first in RELATIVE or (first in self.closed.prepositions and second in RELATIVE)
        is_subordinate = first in SUBORDINATE or (relative and tokens[0] > 0 and self._ends_with_verb(tokens))
        if first in _PHRASE_BEGINS and self.strength(tokens[-1]) == 0 and not self.norms[tokens[-1]].endswith("en"):
            is_subordinate = False  # als Mutter hat sie viel zu tun
        clause = Clause(tokens, subordinate=is_subordinate)
        best = max((self.strength(i) for i in tokens), default=0)
        if not best and is_subordinate and self._is_subjunctive(tokens[-1]):
            clause.verb, clause.number = tokens[-1], "singular"
        elif best:
            order = reversed(tokens) if is_subordinate else iter(tokens)
            clause.verb = next(i for i in order if self.strength(i) == best)
            clause.number = finite(self.norms[clause.verb])[0]
            clause.copula = self.norms[clause.verb] in copulas() and self._is_copula(clause)
            clause.copula = clause.copula or self._becomes(clause)
        elif first in words("imperative"):
            clause.verb, clause.number = tokens[0], "imperative"
        else:
            clause.verb = self._plural_form(tokens, last=is_subordinate)
            clause.number = "plural" if clause.verb >= 0 else ""
        return clause

    def _becomes(self, clause: Clause) -> bool:
        """Tell whether a modal verb and *sein, werden, bleiben* join nominatives (*will die neue Chefin werden*)."""
        at = len(clause.tokens) - (2 if clause.subordinate else 1)
        joins = at > 0 and self.norms[clause.tokens[at]] in ("sein", "werden", "bleiben")
        return joins and self.norms[clause.verb].startswith(_MODALS)

    def _is_subjunctive(self, index: int) -> bool:
        """Tell whether the last word of a subordinate clause is a verb in *-e* (*dass sie ihn vermisse*)."""
        norm = self.norms[index]
        return (
            self._nominal_at.get(index) is None and not self.tokens[index].shape and len(norm) > 4 and norm[-1] == "e"
        )

    def _plural_form(self, tokens: Sequence[int], *, last: bool) -> int:
        """Return a form in *-en* that may be the verb where no form is surely finite (*bewundern*), -1 for none."""
        found = [
            i
            for i in tokens
            if not self.tokens[i].shape
            and len(self.norms[i]) > 4
            and self.norms[i].endswith(("en", "ern", "eln"))
            and self._nominal_at.get(i) is None
            and not self.norms[i].startswith("ge")
            and self.norms[i] not in FUNCTION
            and self.norms[i] not in self.lexicon.determiners
            and self.norms[i] not in self.closed.prepositions
            and self.norms[i] not in stop_words()
        ]
        return -1 if not found else found[-1] if last else found[0]

    def _ends_with_verb(self, tokens: Sequence[int]) -> bool:
        return self.strength(tokens[-1]) > 0 or self.norms[tokens[-1]].endswith(("en", "t"))

    def _is_copula(self, clause: Clause) -> bool:
        """Tell whether the verb joins nominatives, not *wird gelobt*, *ist gegangen* with an object or none."""
        last = self.norms[clause.tokens[-1]]
        if clause.subordinate and len(clause.tokens) > 1:
            last = self.norms[clause.tokens[-2]]
        return not (last.startswith("ge") and last.endswith(("t", "en")))

    def _join_interrupted(self) -> None:
        """Join the halves of a clause around a relative or subordinate one (*Die Frau, die ich kenne, kommt*)."""
        clauses, at = self.clauses, 0
        while at + 2 < len(clauses):
            one, between, other = clauses[at : at + 3]
            if one.verb < 0 and between.subordinate and not other.subordinate and other.verb >= 0:
                one.tokens, one.verb = one.tokens + other.tokens, other.verb
                one.number, one.copula = other.number, other.copula
                del clauses[at + 2]
            at += 1

    def is_governed(self, nominal: Nominal) -> bool:
        """Tell whether a preposition stands before a noun phrase, or is part of its determiner."""
        reading = nominal.phrase.reading
        if reading is not None and reading.kind in ("contraction", "accusative"):
            return True
        before = self.norm(nominal.start - 1)
        return before in self.closed.prepositions and nominal.start > 0 and not self.is_conjunction(nominal.start - 1)

    def free_conjunctions(self) -> None:
        """Read phrases behind *bis, während, seit* anew where these begin a clause and govern nothing."""
        for nominal in self.nominals:
            if nominal.start > 0 and self.is_conjunction(nominal.start - 1):
                phrase, noun = nominal.phrase, nominal.phrase.word.noun
                mask = noun.mask if noun is not None else ANY
                mask &= phrase.reading.mask if phrase.reading is not None else ANY
                phrase.mask = mask & adjectives_mask(self, phrase) or mask

    def is_conjunction(self, index: int) -> bool:
        """Tell whether *bis, während, seit* begin a clause here and govern nothing."""
        if self.norms[index] == "für" and self.norm(index - 1) == "was":
            return True  # was für ein netter Nachbar
        if self.norms[index] not in ("bis", "während", "seit", "seitdem"):
            return False
        clause = self.clause(index)
        return clause.tokens[0] == index and clause.verb == clause.tokens[-1] and clause.subordinate

    def coordinated(self, nominal: Nominal) -> Nominal | None:
        """Return the noun phrase to which another is joined by *und*, *oder* or as an apposition."""
        at = nominal.start - 1
        if at < 1:
            return None
        if self.norms[at] in ("und", "oder", "sowie", "bzw", "/", "&"):
            before = self._nominal_at.get(at - 1)
            while before is not None and not before.mask & ~GENITIVES and not nominal.mask & GENITIVES:
                before = self._nominal_at.get(before.start - 1)  # die Fahrerin des Wagens und ihr Beifahrer
            return before if self.clause(nominal.head) is self.clause(at - 1) else None
        before = self._nominal_at.get(at - 1)
        if before is not None and before.kind == "thing" and before.start > 0:
            named = self._nominal_at.get(before.start - 1)
            before = named if named is not None and named.kind in ("name", "title") else before
        if self.norms[at] != "," or before is None or before.kind == "thing" or nominal.kind == "title":
            return None
        return before if self.clause(nominal.head).verb < 0 else None


#: how modal verbs begin, and *werden*
_MODALS = tuple("will woll soll kann könn konnt darf dürf durft muss muß müss musst mag möcht mocht wird würd".split())
