"""Given names, which tell a person who is named from a noun."""

from __future__ import annotations

from functools import cache

from lexicons.loader import read_table


@cache
def given_names() -> frozenset[str]:
    """Return the given names that are common anywhere, with a capital."""
    return frozenset(row["name"].capitalize() for row in read_table("en", "given_names"))


@cache
def first_names() -> frozenset[str]:
    """Return given names, with a capital: those that are common anywhere and German ones."""
    pairs = read_table("de", "name_pairs")
    return given_names() | {row[gender].capitalize() for row in pairs for gender in ("masculine", "feminine")}
