"""Which source piece a target piece answers to: what guided alignment teaches the attention (Chen et al. 2016).

A rewrite copies nearly everything, so the pieces of both sides tell it: no statistical aligner is needed. For
translations see :mod:`train.seq2seq.state_alignment`.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import SequenceMatcher
from typing import Any

import numpy as np
from numpy.typing import NDArray

from train.seq2seq.batching import EncodedPairs, Ids

#: number of a pair -> places in its source, shape (target pieces,)
Aligner = Callable[[int], NDArray[np.signedinteger[Any]]]
#: of a target piece that answers to none
UNALIGNED = -1


def align_pieces(source: Ids, target: Ids) -> NDArray[np.int64]:
    """Return for each target piece the place of the source piece that it copies, or stands for.

    Pieces that both sides share in order (Ratcliff and Obershelp) answer to each other; those of a span that was
    replaced are spread evenly over what stood there; what was put in answers to what it stands before.

    Args:
        source: ids, shape (source pieces,).
        target: ids, shape (target pieces,).

    Returns:
        places in the source, shape (target pieces,); UNALIGNED where the source is empty.
    """
    places = np.full(len(target), UNALIGNED, np.int64)
    if not len(source):
        return places
    same = _shared_start(source, target)
    places[:same] = np.arange(same)
    matcher = SequenceMatcher(None, source[same:].tolist(), target[same:].tolist(), autojunk=False)
    for _, begin, end, first, last in matcher.get_opcodes():
        spread = np.arange(last - first) * max(end - begin, 1) // max(last - first, 1)
        places[same + first : same + last] = same + begin + spread
    return np.minimum(places, len(source) - 1)


def by_pieces(pairs: EncodedPairs) -> Aligner:
    """Return an aligner that compares the pieces of both sides when a pair is asked for."""
    return lambda number: align_pieces(*pairs[number])


def by_places(pairs: EncodedPairs, places: NDArray[np.signedinteger[Any]]) -> Aligner:
    """Return an aligner that knows the places of all target pieces, shape (target pieces of all pairs,)."""
    offsets = pairs.target_offsets
    return lambda number: places[offsets[number] : offsets[number + 1]]


def _shared_start(source: Ids, target: Ids) -> int:
    """Return with how many equal pieces both begin: most pairs are copies, and need no matching."""
    size = min(len(source), len(target))
    different = np.flatnonzero(np.asarray(source[:size]) != np.asarray(target[:size]))
    return int(different[0]) if len(different) else size
