"""Who sees which text in which version, and in which order.

The default is the design of Amrhein et al. (2023, section 4.4): six texts, three versions, as many forms of the
questionnaire as there are versions; every form has all texts, in the same order and in other versions, so that nobody
reads a text twice. Texts stand in blocks as long as there are versions. Every block of every form has each version once
(so that no version comes early or late), over the forms every text has each version once (a Latin square), and inside
the blocks every version follows every other one equally often (Williams 1949, "Experimental designs balanced for the
estimation of residual effects of treatments"); with an odd number of versions two blocks together are needed for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rewriter.errors import UsageError

#: the texts stand as they were drawn, or in another order for every participant
FIXED, SHUFFLED = "fixed", "shuffled"
ORDERS = (FIXED, SHUFFLED)


@dataclass(frozen=True, slots=True)
class Design:
    """The shape of a study.

    Attributes:
        texts: how many texts a participant rates; a multiple of the versions.
        versions: how many versions a text has.
        preferences: how many texts a participant sees in two versions side by side, after the ratings.
        checks: attention checks between the texts.
        order: of the texts, ``fixed`` (as in the paper) or ``shuffled``: blocks, and texts inside a block, in an order
            of their own for every participant.
    """

    texts: int = 6
    versions: int = 3
    preferences: int = 3
    checks: int = 2
    order: str = FIXED

    def __post_init__(self) -> None:
        if self.versions < 2:
            raise UsageError(f"a comparison needs two versions at least, not {self.versions}")
        if self.texts < 1 or self.texts % self.versions:
            below = self.texts - self.texts % self.versions
            fitting = [str(n) for n in (below, below + self.versions) if n > 0]
            raise UsageError(
                f"{self.texts} texts in {self.versions} versions: a participant sees every version equally often only "
                f"if the number of texts is a multiple of the versions; take {' or '.join(fitting)}"
            )
        if not 0 <= self.preferences <= self.texts:
            raise UsageError(f"preferences are asked about 0 to {self.texts} of the texts, not {self.preferences}")
        if not 0 <= self.checks < self.texts:
            raise UsageError(f"checks stand between texts: 0 to {self.texts - 1} of them, not {self.checks}")
        if self.order not in ORDERS:
            raise UsageError(f"order '{self.order}' is unknown; known: {', '.join(ORDERS)}")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two versions of a text side by side; texts and versions are numbers from 0."""

    text: int
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a participant sees.

    Attributes:
        form: of the questionnaire; forms differ in the versions of their texts.
        texts: numbers of the texts in the order shown.
        versions: the version of each text in ``texts``.
        comparisons: what is shown side by side, in the order shown.
    """

    form: int
    texts: tuple[int, ...]
    versions: tuple[int, ...]
    comparisons: tuple[Comparison, ...]


def forms(texts: int, versions: int) -> list[list[int]]:
    """Return the version of every text (columns) in every form (rows)."""
    first = _zigzag(versions)
    mirrored = [(-version) % versions for version in first]
    blocks = [mirrored if block % 2 else first for block in range(texts // versions)]
    base = [version for block in blocks for version in block]
    return [[(version + form) % versions for version in base] for form in range(versions)]


def ordered_pairs(versions: int) -> list[tuple[int, int]]:
    """Return every pair of versions on either side; as many in a row as there are pairs are about different ones."""
    pairs = [(a, b) if (a + b) % 2 else (b, a) for a, b in combinations(range(versions), 2)]
    return pairs + [(right, left) for left, right in pairs]


def check_places(design: Design) -> list[int]:
    """Return after how many texts each check stands: spread evenly."""
    return [round((number + 1) * design.texts / (design.checks + 1)) for number in range(design.checks)]


def assign(design: Design, participants: int, generator: np.random.Generator) -> list[Sheet]:
    """Return a sheet for every participant, in the order in which they are to be handed out.

    Forms are handed out in permuted blocks: of every ``design.versions`` participants in a row each has another form.

    Args:
        design: the shape of the study.
        participants: how many sheets.
        generator: decides which form comes first, and shuffled orders.

    Raises:
        UsageError: there is nobody to assign to.
    """
    if participants < 1:
        raise UsageError(f"a study needs one participant at least, not {participants}")
    square = forms(design.texts, design.versions)
    numbers: list[int] = []
    while len(numbers) < participants:
        numbers += generator.permutation(design.versions).tolist()
    sheets = []
    for participant, form in enumerate(numbers[:participants]):
        order = _order(design, generator)
        shown = tuple(square[form][text] for text in order)
        sheets.append(Sheet(form, tuple(order), shown, tuple(_comparisons(design, participant))))
    return sheets


def _zigzag(size: int) -> list[int]:
    """Return 0, 1, size - 1, 2, size - 2 ...: neighbours differ by every number from 1 to size - 1 (Williams 1949)."""
    return [(place + 1) // 2 if place % 2 else (size - place // 2) % size for place in range(size)]


def _order(design: Design, generator: np.random.Generator) -> list[int]:
    blocks = np.arange(design.texts).reshape(-1, design.versions)
    if design.order == SHUFFLED:
        blocks = generator.permuted(generator.permutation(blocks, axis=0), axis=1)
    return [int(text) for text in blocks.reshape(-1)]


def _comparisons(design: Design, participant: int) -> Sequence[Comparison]:
    """Return the comparisons of a participant: pairs and sides move on by one each time, texts when all were seen."""
    pairs = ordered_pairs(design.versions)
    rounds, row = divmod(participant, len(pairs))
    start = rounds * design.preferences
    return [
        Comparison((start + place) % design.texts, *pairs[(row + place) % len(pairs)])
        for place in range(design.preferences)
    ]
