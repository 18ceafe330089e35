"""The universal bias filter: is a group under-represented in a corpus?"""

from eval.bias_filter.core import UniversalBiasFilter
from eval.bias_filter.counts import Assessment, GroupCounts, Share, Standard, Verdict, assess
from eval.bias_filter.lexicon import read_group_file, read_groups
from eval.bias_filter.matcher import GroupMatcher

__all__ = [
    "Assessment",
    "GroupCounts",
    "GroupMatcher",
    "Share",
    "Standard",
    "UniversalBiasFilter",
    "Verdict",
    "assess",
    "read_group_file",
    "read_groups",
]
