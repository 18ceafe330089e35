"""Counterfactual text: genders swapped, for counterfactual data augmentation (CDA) and substitution (CDS)."""

from augment.swap.core import Swapper
from augment.swap.settings import DIRECTIONS, SwapSettings

__all__ = ["DIRECTIONS", "SwapSettings", "Swapper"]
