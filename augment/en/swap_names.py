"""English given names for swapping: each has a partner, and keeps it throughout a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from augment.swap.settings import SwapSettings
from lexicons.loader import read_table
from rewriter.en.given_names import GivenName, find_names
from rewriter.en.inflection import match_case
from rewriter.records import Edit

_CAPITAL = re.compile(r"[A-Z][^\W\d_]+")
#: James' book, not 'we saw James' in quotation marks
_BARE_GENITIVE = re.compile(r"['’] [a-z]")
_OTHER = {"masculine": "feminine", "feminine": "masculine"}


@dataclass(frozen=True)
class NameFinder:
    """Finds given names and gives their partners.

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
    def load(cls, settings: SwapSettings) -> NameFinder:
        """Read the shipped pairs (none where names stay) behind a user's own."""
        rows = [(f.lower(), m.lower(), "both") for f, m in settings.own_names]
        if settings.names:
            rows += [(r["feminine"], r["masculine"], r["way"]) for r in read_table("en", "name_pairs")]
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

    def may_hold(self, text: str) -> bool:
        """Tell whether a text holds a capitalised word that may be a given name."""
        known = self.known
        return any(word.lower() in known for word in _CAPITAL.findall(text))

    def edits(
        self, text: str, spans: Sequence[tuple[int, int]], protected: Sequence[tuple[int, int]]
    ) -> Iterator[Edit]:
        """Yield the edits of a document's given names.

        Args:
            text: the document.
            spans: its sentences.
            protected: spans that stay.
        """
        found: list[tuple[int, GivenName]] = []
        surnames: set[str] = set()
        for start, end in spans:
            sentence = text[start:end]
            if not self.may_hold(sentence):
                continue
            names = find_names(sentence, self.known)
            surnames |= names.surnames
            found += ((start, name) for name in names.given)
        sure = {name.norm for _, name in found if name.is_certain}
        chosen: dict[str, str] = {}
        for offset, name in found:
            if not name.is_certain and name.norm not in sure:
                continue
            start, end = offset + name.start, offset + name.end
            before = text[start:end]
            if name.norm in surnames and not self._is_first_name(text, end):
                continue
            if any(a < end and start < b for a, b in protected):
                continue
            after = self._partner(name.norm, sure, chosen)
            if after:
                styled = self.written.get(after, after.capitalize())
                styled = match_case(before, after) if before.isupper() else styled
                if name.norm.endswith("s") and not after.endswith("s") and _BARE_GENITIVE.match(text, end):
                    before, styled, end = text[start : end + 1], f"{styled}{text[end]}s", end + 1  # James' -> Mary's
                yield Edit(start, end, before, styled, "name", f"{before} -> {styled}")

    @staticmethod
    def _is_first_name(text: str, end: int) -> bool:
        """Tell whether another capitalised word follows, so that this one is no surname."""
        return re.match(r" [A-Z][a-z]", text[end : end + 3]) is not None

    def _partner(self, name: str, present: set[str], chosen: dict[str, str]) -> str:
        """Return what a name becomes; two names of a document never become one."""
        if name in chosen:
            return chosen[name]
        partner = self.partners.get(name, "")
        if not partner:
            return ""
        taken = set(chosen.values())
        staying = {n for n in present if n not in self.partners}
        if partner in taken or partner in staying:
            gender = _OTHER[self.known[name]]
            promised = {self.partners[n] for n in present if n in self.partners and n != name}
            free = (n for n in self.spare[gender] if n not in taken | staying | promised)
            partner = next(free, partner)
        chosen[name] = partner
        return partner
