"""Mentions: words of a sentence that may mean a person of one gender, and what they become in each reading."""

from __future__ import annotations

from dataclasses import dataclass, field

from rewriter.de.inflection import CASES
from rewriter.de.phrase import Phrase

#: what a word's place in the clause makes of it; the first four are the cases
CELLS = (*CASES, "possessive")
POSSESSIVE = 4
#: kinds of mentions, in the order in which the network is told them
KINDS = (
    "noun",
    "kin",
    "title",
    "nominalised",
    "personal",
    "possessive",
    "relative",
    "alone",
    "adjective",
    "name",
)
#: those of them that are pronouns
PRONOUNS = frozenset({"personal", "possessive", "relative", "alone"})


@dataclass(frozen=True, slots=True)
class Written:
    """What stands instead of some tokens.

    Attributes:
        first: token.
        last: token.
        text: in the capitals of what it replaces.
        kind: of the edit.
    """

    first: int
    last: int
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a mention as a person.

    Attributes:
        cell: index in :data:`CELLS`, -1 where no case tells it from others.
        plural: it means several.
        words: what its words become.
        gender: of the person named here (masculine or feminine).
    """

    cell: int
    plural: bool
    words: tuple[Written, ...]
    gender: int = 0


@dataclass(slots=True, eq=False)
class Mention:
    """A word, with what agrees with it, that may mean a person.

    Attributes:
        kind: one of :data:`KINDS`.
        token: the word.
        gender: that it has.
        readings: as a person; where it means none it stays.
        asks: tokens whose encodings tell the reading: the word, its determiner.
        phrase: of a noun.
        stem: of a possessive, to be changed within its word (*sein*, *ihr*).
        neuter: it is neuter, or becomes so (*Mädchen*).
        head: of a relative pronoun right behind a person, that person.
        turn: log-odds that it means a person, as read by the network.
        cells: log-probabilities of :data:`CELLS`, of one person, of several.
    """

    kind: str
    token: int
    gender: int
    readings: tuple[Reading, ...]
    asks: tuple[int, ...]
    phrase: Phrase | None = None
    stem: str = ""
    neuter: bool = False
    head: Mention | None = None
    turn: float = 0.0
    cells: list[float] = field(default_factory=list)

    @property
    def start(self) -> int:
        """The first token of the mention."""
        return self.phrase.start if self.phrase is not None else self.token
