"""Pairs of given names of any language: each name has a partner, and keeps it throughout a document."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Self

from augment.swap.settings import SwapSettings
from lexicons.loader import read_table

OTHER = {"masculine": "feminine", "feminine": "masculine"}


@dataclass(frozen=True)
class NamePairs:
    """Given names and their partners.

    Attributes:
        known: given name (lower case) -> gender.
        partners: given name -> the name that it becomes, of those that are turned.
        spare: for each gender its names, most frequent first, to choose from where a partner is taken.
        one_direction: whether only one gender is turned, so that partners may meet.
        written: how a user wrote a name (*LaToya*), by its lower case.
    """

    known: dict[str, str]
    partners: dict[str, str]
    spare: dict[str, tuple[str, ...]]
    one_direction: bool
    written: dict[str, str]

    @classmethod
    def of_language(cls, lang: str, settings: SwapSettings) -> Self:
        """Read the pairs of ``lexicons/<lang>/name_pairs.tsv`` (none where names stay) behind a user's own."""
        rows = [(f.lower(), m.lower(), "both") for f, m in settings.own_names]
        if settings.names:
            rows += [(r["feminine"], r["masculine"], r["way"]) for r in read_table(lang, "name_pairs")]
        known: dict[str, str] = {}
        partners: dict[str, str] = {}
        targets = settings.targets
        for feminine, masculine, way in rows:
            known.setdefault(feminine, "feminine")
            known.setdefault(masculine, "masculine")
            if "masculine" in targets and way != "to-feminine":
                partners.setdefault(feminine, masculine)
            if "feminine" in targets and way != "to-masculine":
                partners.setdefault(masculine, feminine)
        spare = {
            "feminine": tuple(dict.fromkeys(f for f, _, way in rows if way == "both")),
            "masculine": tuple(dict.fromkeys(m for _, m, way in rows if way == "both")),
        }
        written = {name.lower(): name for pair in settings.own_names for name in pair}
        return cls(known, partners, spare, len(targets) == 1, written)

    def partner(self, name: str, present: AbstractSet[str], chosen: dict[str, str]) -> str:
        """Return what a name becomes, empty for one that stays; two names of a document never become one.

        Args:
            name: given name in lower case.
            present: all given names of the document.
            chosen: what was chosen in the document so far; is added to.
        """
        if name in chosen:
            return chosen[name]
        partner = self.partners.get(name, "")
        if not partner:
            return ""
        taken = set(chosen.values())
        staying = {n for n in present if n not in self.partners}
        if partner in taken or partner in staying:
            gender = OTHER[self.known[name]]
            promised = {self.partners[n] for n in present if n in self.partners and n != name}
            free = (n for n in self.spare[gender] if n not in taken | staying | promised)
            partner = next(free, partner)
        chosen[name] = partner
        return partner

    def styled(self, name: str) -> str:
        """Return a name as it is written: a user's own as the user wrote it, others with a capital."""
        return self.written.get(name, name.capitalize())
