"""BEC-Pro: how strongly a masked language model ties person words to professions (Bartl, Nissim & Gatt 2020).

:func:`measure` does the whole; :mod:`eval.bec_pro.items` makes the sentences, :mod:`eval.bec_pro.scorer` asks a model,
:mod:`eval.bec_pro.results` makes the figures, :mod:`eval.bec_pro.report` shows them.
"""

from eval.bec_pro.items import Corpus, Item, generate, read_published
from eval.bec_pro.measure import MeasureOptions, measure
from eval.bec_pro.results import BecProResult, evaluate
from eval.bec_pro.scorer import Scorer, Scores, TransformersScorer

__all__ = [
    "BecProResult",
    "Corpus",
    "Item",
    "MeasureOptions",
    "Scorer",
    "Scores",
    "TransformersScorer",
    "evaluate",
    "generate",
    "measure",
    "read_published",
]
