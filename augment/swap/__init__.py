"""Counterfactual text: genders swapped, for counterfactual data augmentation (CDA) and substitution (CDS)."""

from augment.swap.core import Swapper
from augment.swap.settings import DIRECTIONS, SwapSettings
from augment.swap.strategies import STRATEGIES, SwapperSpec, flips, swap_corpus

__all__ = ["DIRECTIONS", "STRATEGIES", "SwapSettings", "Swapper", "SwapperSpec", "flips", "swap_corpus"]
