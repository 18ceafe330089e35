"""The word tables of the rewriter with what swapping needs besides: the pairs of ``swap.tsv``, and the neuter."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from augment.de.swapping.inflection import NEUTER, determiner, ending_of
from augment.de.swapping.pairs import Pair, own_pair, pairs
from rewriter.de.inflection import DATIVE
from rewriter.de.lexicon import Closed, Determiner, GermanLexicon, Noun, bit

#: stems of nominalised adjectives that mean persons here
_PERSONS = {"jährig": True, "beklagt": True}


class SwapLexicon(GermanLexicon):
    """What a word may be: persons of all tables, pairs of ``swap.tsv`` and a user's own before them."""

    def __init__(self, own: tuple[tuple[str, str], ...] = ()) -> None:
        """Read the tables.

        Args:
            own: a user's pairs (feminine, masculine).
        """
        super().__init__(open_ended=True)
        self._forms = dict(self._forms)
        self._rare = dict(self._rare)
        for pair, prefixes in reversed(pairs()):
            for prefix in prefixes:
                self._add_pair(pair, prefix)
        for feminine, masculine in own:
            self._add_pair(own_pair(feminine, masculine), "")
        self._stems = self._stems | _PERSONS
        self.determiners = _with_neuter(self.determiners)

    def is_person(self, surface: str) -> bool:
        """Return True if a table knows a word as a person, by itself or as the last part of a compound."""
        word = self._look_up(surface, by_form=False)
        if word is None:
            return False
        nominalised = word.nominalised
        return word.noun is not None or (nominalised is not None and nominalised.likely)

    def _add_pair(self, pair: Pair, prefix: str) -> None:
        """Add the forms of a pair; a word that is turned one way only is no partner of its counterpart."""
        for index, side in enumerate(pair.sides):
            if pair.way == ("to-masculine", "to-feminine")[index] or side.plural == "-":
                continue  # the word that a variant is turned to
            masks: dict[str, int] = {}
            for form, gender, case in side.cells():
                masks[form] = masks.get(form, 0) | bit(gender, case)
            for form, mask in masks.items():
                name = (prefix + form).lower()
                self._forms[name] = Noun(prefix, prefix + pair.masculine.lower(), mask, True, index, pair, prefix)
                self._things.discard(name)
                self._no_head.add(name)

    def _compound(self, lower: str, shortest: int = 4) -> Noun | None:
        """Return a compound's reading; heads of ``swap.tsv`` may follow any noun (*Bettelmann*)."""
        found = super()._compound(lower, shortest)
        return found or (self._of_pair(lower) if self.open_ended else None)

    def _of_pair(self, lower: str) -> Noun | None:
        for head in HEADS:
            if lower.endswith(head) and len(lower) - len(head) >= _SHORTEST_PREFIX:
                prefix, noun = lower[: -len(head)], self._forms[head]
                if _VOWEL.search(prefix):
                    return replace(noun, stem=prefix, lemma=prefix + noun.lemma, certain=False, prefix=prefix)
        return None


#: last parts of compounds that are no words in -in, with their forms
HEADS = (
    "mann mannes manns männer männern frau frauen mutter müttern mütter vater vaters väter vätern schwester schwestern "
    "bruder bruders brüder brüdern tochter töchter töchtern sohn sohnes sohns söhne söhnen mädchen mädchens witwe "
    "witwer cousine cousin prinz prinzen prinzessin prinzessinnen"
).split()
_SHORTEST_PREFIX = 3
_VOWEL = re.compile("[aeiouäöüy]")


def _with_neuter(known: dict[str, tuple[Determiner, ...]]) -> dict[str, tuple[Determiner, ...]]:
    """Return the determiners with the neuter readings of their forms, and with forms that are neuter only."""
    found = {form: list(readings) for form, readings in known.items()}
    stems: dict[tuple[str, str], Determiner] = {}
    for readings in known.values():
        for reading in readings:
            stems.setdefault((reading.stem, reading.kind), reading)
    for reading in stems.values():
        if reading.kind == "plural":
            continue
        for case in range(4):
            _add_reading(found, reading, determiner(reading, NEUTER, case), bit(NEUTER, case), case)
    return {form: tuple(readings) for form, readings in found.items()}


def _add_reading(found: dict[str, list[Determiner]], model: Determiner, form: str, mask: int, case: int) -> None:
    if (model.kind == "contraction" and case != DATIVE) or " " in form:
        return
    readings = found.setdefault(form, [])
    for place, reading in enumerate(readings):
        if reading.stem == model.stem and reading.kind == model.kind:
            readings[place] = replace(reading, mask=reading.mask | mask)
            return
    ending = form[len(model.stem) :] if form.startswith(model.stem) else ""
    readings.append(replace(model, ending=ending, mask=mask))


@cache
def closed_with_neuter() -> Closed:
    """Return the closed classes of the rewriter with the neuter."""
    known = Closed.load()
    prepositions = {word: mask | (mask & 0xF) << 12 for word, mask in known.prepositions.items()}
    masks = dict(known.adjective_masks)
    for paradigm in ("weak", "mixed", "strong"):
        for case in range(4):
            key = paradigm, ending_of(paradigm, NEUTER, case)
            masks[key] = masks.get(key, 0) | bit(NEUTER, case)
    return Closed(prepositions, masks)
