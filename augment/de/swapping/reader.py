"""Reading: the bundled encoder reads the words of mentions, and a head says which are persons, in which case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from augment.de.swapping.head import SwapHead
from augment.de.swapping.lexicon import SwapLexicon
from augment.de.swapping.mention import KINDS, PRONOUNS, Mention
from augment.de.swapping.sentence import SwapSentence
from augment.de.swapping.surroundings import surroundings
from rewriter.de.drafts import CASE, KEEP, OUTCOMES, PLURAL, SINGULAR, STARRED, STARRED_CASE
from rewriter.model.edit_model import EditModel
from rewriter.model.proposer import Sentence

Floats = npt.NDArray[np.float32]

#: what is taken for the probability that *Frau*, *Vater* mean a person
_SURE = 0.95


@dataclass(slots=True)
class Part:
    """A sentence of a document.

    Attributes:
        offset: of its first character.
        sentence: its tokens.
        mentions: of it, in order.
        before: the sentences before it.
    """

    offset: int
    sentence: SwapSentence
    mentions: list[Mention]
    before: tuple[str, ...]


class Reader:
    """Reads the mentions of sentences.

    Args:
        model: whose encoder reads.
        lexicon: says which words may be persons.
    """

    def __init__(self, model: EditModel, lexicon: SwapLexicon) -> None:
        self._model, self._lexicon = model, lexicon

    def read(self, parts: Sequence[Part], head: SwapHead) -> None:
        """Write down in each mention what a head says of it."""
        open_ = [part for part in parts if part.mentions]
        inputs = self.inputs(open_)
        if not inputs:
            return
        turns = np.concatenate([turn for turn, _ in inputs])
        cells = np.concatenate([cell for _, cell in inputs])
        odds, scores = head.turn(turns)[:, 0], head.cell(cells) + told_by_rewriter(cells)
        mentions = (mention for part in open_ for mention in part.mentions)
        for mention, turn, row in zip(mentions, odds.tolist(), scores.tolist(), strict=True):
            mention.turn, mention.cells = turn, row

    def inputs(self, parts: Sequence[Part]) -> list[tuple[Floats, Floats]]:
        """Return what both networks of a head read, of each part: rows for its mentions."""
        asked = [sorted({token for mention in part.mentions for token in mention.asks}) for part in parts]
        sentences = [Sentence(part.sentence.text, tuple(part.sentence.protected), part.before) for part in parts]
        states = self._model.states(sentences, [part.sentence.tokens for part in parts], asked)
        found = []
        for part, tokens, rows in zip(parts, asked, states, strict=True):
            own = dict(zip(tokens, rows, strict=True))
            known = dict(zip(tokens, self._model.outcomes(rows), strict=True))
            around = surroundings(part.sentence, part.mentions, part.before, self._lexicon)
            found.append((_turn_inputs(part, own, known, around), _cell_inputs(part.mentions, own, known)))
        return found


def _turn_inputs(
    part: Part, states: dict[int, Floats], known: dict[int, Floats], around: Sequence[Sequence[float]]
) -> Floats:
    persons = {m.token: _personness(m, known[m.token]) for m in part.mentions if m.kind not in PRONOUNS}
    nowhere = np.zeros_like(next(iter(states.values())))
    unknown = np.zeros_like(next(iter(known.values())))
    rows = []
    for mention, numbers in zip(part.mentions, around, strict=True):
        own, other = known[mention.token], unknown
        state = nowhere
        if len(mention.asks) > 1:
            state, other = states[mention.asks[1]], known[mention.asks[1]]
        near = _near(part, mention, persons)
        rows.append(
            np.concatenate([states[mention.token], state, numbers, own - own.mean(), other - other.mean(), near])
        )
    return np.array(rows, np.float32)


def _cell_inputs(mentions: Sequence[Mention], states: dict[int, Floats], known: dict[int, Floats]) -> Floats:
    rows = []
    for mention in mentions:
        kinds = [float(mention.kind == kind) for kind in KINDS]
        own = mention.token, mention.asks[-1]
        rows.append(np.concatenate([*(states[t] for t in own), *(known[t] for t in own), kinds, [mention.gender]]))
    return np.array(rows, np.float32)


def told_by_rewriter(cells: Floats) -> Floats:
    """Return what the rewriter's own head says of each cell, of one person and of several; ours says what to add.

    Args:
        cells: inputs of the second network, which hold the log-odds of the outcomes of the word and of its determiner.
    """
    rest, size = len(KINDS) + 1, len(OUTCOMES)
    own, last = cells[:, -rest - 2 * size : -rest - size], cells[:, -rest - size : -rest]
    cases = np.logaddexp(last[:, CASE : CASE + 4], last[:, STARRED_CASE : STARRED_CASE + 4])
    columns = [cases, last[:, [STARRED]], own[:, [SINGULAR, PLURAL]]]
    found: Floats = np.concatenate(columns, axis=1).astype(np.float32)
    return found


def _personness(mention: Mention, row: Floats) -> float:
    """Return the probability of the rewriter's head that a noun means a person."""
    if mention.kind in ("kin", "title", "name"):
        return _SURE
    shares = np.exp(row - row.max())
    persons = (
        shares[[SINGULAR, PLURAL]].sum() if mention.kind == "noun" else shares[SINGULAR] + shares[CASE : CASE + 4].sum()
    )
    return float(persons / (shares[KEEP] + persons))


def _near(part: Part, mention: Mention, persons: dict[int, float]) -> list[float]:
    """Return how sure the persons of its gender are that a pronoun may mean, first the nearest."""
    if mention.kind not in PRONOUNS:
        return [persons[mention.token], *[0.0] * 8]
    same = [m for m in part.mentions if m.kind not in PRONOUNS and m.kind != "adjective" and m.gender == mention.gender]
    before = [m for m in same if m.token < mention.token]
    behind = [m for m in same if m.token > mention.token]
    nearest = persons[before[-1].token] if before else 0.0
    distance = 1 + (mention.token - before[-1].token) / 4 if before else 1.0
    head = mention.head
    return [
        nearest,
        max((persons[m.token] for m in before), default=0.0),
        nearest / distance,
        persons[behind[0].token] if behind else 0.0,
        *_of_head(head, mention, persons),
    ]


def _of_head(head: Mention | None, mention: Mention, persons: dict[int, float]) -> list[float]:
    if head is None:
        return [0.0] * 5
    numbers = [reading.plural for reading in head.readings]
    return [
        persons.get(head.token, 0.0),
        float(head.gender == mention.gender),
        float(any(numbers)),
        float(all(numbers)),
        1.0,
    ]
