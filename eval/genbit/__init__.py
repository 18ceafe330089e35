"""GenBiT: how strongly the words of a corpus lean to a gender (Sengupta et al. 2022).

The class that existing code uses is :class:`GenBitMetrics`; for files, many processes and comparisons see
:mod:`eval.genbit.corpus` and :mod:`eval.genbit.compare`.
"""

from eval.genbit.api import GenBitMetrics
from eval.genbit.counts import Counts, merge
from eval.genbit.lexicon import Lexicon
from eval.genbit.metrics import GenBitResult, Settings, evaluate

__all__ = ["Counts", "GenBitMetrics", "GenBitResult", "Lexicon", "Settings", "evaluate", "merge"]
