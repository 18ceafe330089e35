"""Bias of language models by several tests, signed, with warnings: BEC-Pro, CrowS-Pairs, SEAT and others."""

from eval.mlm_bias.figures import Measured, Score
from eval.mlm_bias.measure import MEASURES, BiasOptions, measure_bias

__all__ = ["MEASURES", "BiasOptions", "Measured", "Score", "measure_bias"]
