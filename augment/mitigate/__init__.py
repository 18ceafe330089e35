"""Mitigation: making texts of the rarer gender until both are as frequent (Sengupta et al. 2022, section 3)."""

from augment.mitigate.core import Added, Mitigator, Options, Sample, Text, mitigate, sample_corpus
from augment.mitigate.files import MitigateConfig, mitigate_files
from augment.mitigate.masked_lm import Substitution, TransformersMaskedModel

__all__ = [
    "Added",
    "MitigateConfig",
    "Mitigator",
    "Options",
    "Sample",
    "Substitution",
    "Text",
    "TransformersMaskedModel",
    "mitigate",
    "mitigate_files",
    "sample_corpus",
]
