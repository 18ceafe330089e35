"""Twins for people who measure models: pairs of texts that differ in the gender of their persons and in nothing else."""

from augment.twins.real import RealTwins, real_twins
from augment.twins.records import Twin, twin_rows
from augment.twins.templates import template_twins

__all__ = ["RealTwins", "Twin", "real_twins", "template_twins", "twin_rows"]
