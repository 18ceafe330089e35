"""Balancing a corpus (Becker 2022): count who is spoken of as what, add or remove paragraphs until a ratio is met."""

from augment.balance.corpus_count import count_corpus
from augment.balance.count import CountOptions, CountResult, count_texts
from augment.balance.metadata import Metadata, load_metadata, parse_metadata
from augment.balance.select import Plan, SelectOptions, Target, select
from augment.balance.statistics import Statistics

__all__ = [
    "CountOptions",
    "CountResult",
    "Metadata",
    "Plan",
    "SelectOptions",
    "Statistics",
    "Target",
    "count_corpus",
    "count_texts",
    "load_metadata",
    "parse_metadata",
    "select",
]
