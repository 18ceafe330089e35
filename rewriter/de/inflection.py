"""German gender-fair forms: from table entries to the starred word and to every other form.

Pure functions over ``lexicons/de/endings.tsv``, ``pairs.tsv`` and ``persons.tsv``. A word that differs by its ending is
joined at the ending (*ein\\*e*, *eine\\*n*, *einem\\*r*, *neue\\*r*), two different words stand side by side, the
masculine one first (*der\\*die*, *er\\*sie*); nouns take the feminine's stem (*Ärzt\\*in*).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from lexicons.loader import read_table

CASES = ("nominative", "accusative", "dative", "genitive")
NOMINATIVE, ACCUSATIVE, DATIVE, GENITIVE = range(4)
MASCULINE, FEMININE, PLURAL = range(3)
#: names of the forms; the pair form is built from the star by :mod:`rewriter.de.pair_form`
FORMS = ("star", "colon", "gap", "slash", "binnen-i", "pair")
_SIGNS = {"star": "*", "colon": ":", "gap": "_", "slash": "/", "binnen-i": "/", "pair": "*"}


@dataclass(frozen=True)
class Style:
    """How a form is written.

    Attributes:
        form: one of :data:`FORMS`.
        sign: what stands between the parts of a word.
    """

    form: str = "star"
    sign: str = "*"

    @classmethod
    def of(cls, form: str) -> Style:
        """Return the style of one of :data:`FORMS`."""
        return cls(form, _SIGNS[form])

    def beside(self, surface: str) -> Style:
        """Return the style that a word is written in: a slash for the Binnen-I in ALL CAPITALS."""
        hides = self.form == "binnen-i" and len(surface) > 1 and surface.isupper()
        return Style.of("slash") if hides else self

    def noun(self, stem: str, *, plural: bool) -> str:
        """Return the noun of a feminine's stem: *Lehrer* -> *Lehrer\\*in*, *Lehrer\\*innen*, *LehrerInnen*."""
        ending = "innen" if plural else "in"
        return stem + (ending.capitalize() if self.form == "binnen-i" else self.sign + ending)

    def inflected(self, masculine: str, feminine: str) -> str:
        """Join two forms of a word that differ by their endings: *einen, eine* -> *eine\\*n*."""
        if masculine == feminine:
            return masculine
        if feminine.startswith(masculine):
            return masculine + self.sign + feminine[len(masculine) :]
        if masculine.startswith(feminine):
            return feminine + self.sign + masculine[len(feminine) :]
        if masculine == "euer":  # eure*r, as unsere*r is no word but Euer*e none either
            return feminine + self.sign + "r"
        pairs = zip(masculine, feminine, strict=False)
        common = next((i for i, (one, other) in enumerate(pairs) if one != other), len(feminine))
        return masculine + self.sign + feminine[common:]

    def words(self, masculine: str, feminine: str) -> str:
        """Put two words side by side: *der, die* -> *der\\*die*."""
        return masculine + self.sign + feminine

    def possessive(self, endings: tuple[str, str], *, starred: bool) -> str:
        """Return *sein/ihr* with the endings of what is possessed.

        Args:
            endings: of the masculine and the feminine; equal where a thing is possessed.
            starred: both the possessor and the possessed are starred (*sein\\*ihr\\*e*); False with equal endings.
        """
        if not starred:
            return self.words("sein" + endings[0], "ihr" + endings[1])
        his = self.inflected("sein" + endings[0], "sein" + endings[1]).rpartition(self.sign)
        hers = self.inflected("ihr" + endings[0], "ihr" + endings[1]).rpartition(self.sign)
        return self.words(his[0], hers[0]) + self.sign + his[2]


@cache
def endings(paradigm: str) -> tuple[tuple[str | None, ...], ...]:
    """Return (masculine, feminine, plural) endings per case of a paradigm of ``endings.tsv``; None: no such form."""
    rows = {row["case"]: row for row in read_table("de", "endings") if row["paradigm"] == paradigm}
    return tuple(tuple(_ending(rows[case][column]) for column in ("masculine", "feminine", "plural")) for case in CASES)


def _ending(cell: str) -> str | None:
    return None if cell == "." else "" if cell == "-" else cell


def inflect(stem: str, ending: str) -> str:
    """Return stem and ending; *euer* loses its e before an ending (*eure*)."""
    if stem.endswith("euer") and ending:
        return stem[:-2] + "r" + ending
    return stem + ending


def join(style: Style, stem: str, paradigm: str, case: int) -> str:
    """Return the gender-fair singular of a determiner or adjective: *ein*, indefinite, accusative -> *eine\\*n*."""
    masculine, feminine, _ = endings(paradigm)[case]
    assert masculine is not None and feminine is not None
    return style.inflected(inflect(stem, masculine), inflect(stem, feminine))


@cache
def both(kind: str, case: int) -> tuple[str, str]:
    """Return masculine and feminine of a kind of ``pairs.tsv`` (article, relative, pronoun) in a case.

    Raises:
        KeyError: the table has no such cell (the genitive of the pronoun).
    """
    for row in read_table("de", "pairs"):
        if row["kind"] == kind and row["case"] == CASES[case]:
            return row["masculine"], row["feminine"]
    raise KeyError((kind, CASES[case]))


def match_case(model: str, word: str) -> str:
    """Return ``word`` in the case style of ``model``: lower, Capitalised (first letter only) or ALL CAPITALS."""
    if len(model) > 1 and model.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word


@dataclass(frozen=True)
class Person:
    """A person noun of ``persons.tsv``.

    Attributes:
        masculine: nominative singular.
        feminine: nominative singular.
        declension: ``strong``, ``weak``, ``mixed`` or ``adjectival``.
        plural: nominative plural of the masculine.
    """

    masculine: str
    feminine: str
    declension: str
    plural: str

    @property
    def stem(self) -> str:
        """What stands before the sign: the feminine without *-in*."""
        return self.feminine[:-2]

    def forms(self) -> list[tuple[str, int, int]]:
        """Return (form, gender or plural, case) of every cell, feminine ones too; several spellings give several."""
        cells = [(form, MASCULINE, case) for case in range(4) for form in self._singular(case)]
        cells += [(form, PLURAL, case) for case in range(4) for form in self._plural(case)]
        cells += [(self.feminine, FEMININE, case) for case in range(4)]
        return cells + [(self.feminine + "nen", PLURAL, case) for case in range(4)]

    def masculine_form(self, case: int, *, plural: bool) -> str:
        """Return the commonest masculine form of a cell."""
        return (self._plural(case) if plural else self._singular(case))[0]

    def _singular(self, case: int) -> list[str]:
        lemma = self.masculine
        if self.declension == "adjectival":
            return [lemma, lemma[:-1]] if case == NOMINATIVE else [lemma[:-1] + "n"]
        if case == NOMINATIVE:
            return [lemma]
        oblique = self.plural if self.plural.startswith(lemma) else lemma
        if self.declension == "weak":
            # Herr, Nachbar: -n; the plural of Herr has -en
            return [lemma + "n"] if lemma.endswith("herr") or lemma == "Herr" else [oblique]
        if case != GENITIVE:
            return [lemma, oblique] if self.declension == "mixed" else [lemma, *_old_dative(lemma, case)]
        return [*_genitive(lemma), *([oblique] if self.declension == "mixed" else [])]

    def _plural(self, case: int) -> list[str]:
        if self.declension == "adjectival":
            return [self.plural, self.plural + "n"] if case != DATIVE else [self.plural + "n"]
        plural = self.plural
        if case == DATIVE and not plural.endswith(("n", "s")):
            return [plural + "n"]
        return [plural]


def _genitive(lemma: str) -> list[str]:
    if lemma.endswith(("s", "ß", "x", "z")):
        return [lemma + "es"]
    if lemma.endswith(("er", "el", "en", "or", "eur", "är", "ar", "ich")):
        return [lemma + "s"]
    return (
        [lemma + "es", lemma + "s"]
        if lemma.endswith(("arzt", "Arzt", "wirt", "freund", "Freund"))
        else [
            lemma + "s",
            lemma + "es",
        ]
    )


def _old_dative(lemma: str, case: int) -> list[str]:
    """The dative in -e (dem Freunde)."""
    if case == DATIVE and not lemma.endswith(("e", "er", "el", "en", "or", "eur", "är", "chef", "Chef")):
        return [lemma + "e"]
    return []
