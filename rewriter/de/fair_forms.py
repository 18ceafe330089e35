"""Gender-fair forms that a text holds already: found, read, and written in another form.

Star, colon, gap, slash, Binnen-I, brackets and the middle dot, in nouns (*Lehrer:innen*, *Kund_innendaten*,
*Schüler/-innen*, *LehrerInnen*, *Hörer(innen)*), determiners, adjectives and pronouns (*eine:n*, *der/die*, *neue(r)*,
*er_sie*, *sein/ihr/e*). A form counts only where the tables know its word, so addresses, times, ratios, footnotes and
brands (*SuS*, *MusikIn*) are left alone. Pair forms are found by :mod:`rewriter.de.candidates`.

*Student(inn)en*, *Kolleg/inn/en*, *einer/m* and *vom:von der* are read, too, and ALL CAPITALS (*BENUTZER:INNEN*).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lexicons.loader import read_table
from rewriter.de.inflection import Style, endings, match_case
from rewriter.de.lexicon import FEM, MASC, GermanLexicon, cases_of

_NOUN = re.compile(
    r"(?<![^\W_])(?P<stem>[^\W\d_][^\W\d_]*?(?:-[^\W\d_]+?)*?)"
    r"(?:(?P<sign>[*:_·•]|/-?)(?:inn(?P=sign)-?(?P<split>en)|(?P<in>in(?:nen)?|IN(?:NEN)?))"
    r"|(?P<capital>In(?:nen)?)|\((?P<bracket>-?(?:in(?:nen)?|IN(?:NEN)?))\)|\(-?inn\)(?P<bracketed>-?en))"
    r"(?P<rest>[a-zäöüß]*|[A-ZÄÖÜ]*)(?![^\W_])"
)
#: a compound of two persons (*Schüler*innenberater*in*)
_TWO_PERSONS = re.compile(
    r"(?<![^\W_])(?P<one>[A-ZÄÖÜ][a-zäöüß]+)(?:(?P<sign>[*:_·•]|/-?)innen(?P<other>[a-zäöüß]+)(?P=sign)in(?P<nen>nen)?"
    r"|Innen(?P<beside>[a-zäöüß]+)In(?P<plural>nen)?)(?![^\W_])"
)
_WORD = re.compile(
    r"(?<![^\W_])(?<![^\W_][*:_/·•])(?P<left>[^\W\d_]+)"
    r"(?:(?P<sign>[*:_·•]|/-?)(?P<right>[^\W\d_]+)(?:(?P=sign)(?P<third>[a-z]))?|\((?P<bracket>[nrems])\))"
    r"(?![^\W_]|[*:_/·•][^\W_])"
)
#: what shows that a word with a capital is an adjective: a gender-fair noun right behind it
_BEFORE_NOUN = re.compile(r" [A-ZÄÖÜ][^\W\d_]+(?:(?:[*:_·•]|/-?)in\b|(?<=[a-zäöüß])In\b)")
_CONTRACTIBLE = r"(?:von|bei|an|in) der|[^\W\d_]+"
#: looked for from every word, since the right one of two may be the left one of the next two
_APART = re.compile(
    rf"(?<![^\W_])(?=(?P<both>(?P<left>{_CONTRACTIBLE}) (?:oder|bzw\.|beziehungsweise|und/oder) "
    rf"(?P<right>{_CONTRACTIBLE}))(?![^\W_]))",
    re.IGNORECASE,
)
#: contracted prepositions, whose feminine is two words
_CONTRACTED = re.compile(
    r"(?<![^\W_])(?:(?P<masculine>vom|beim|am|im)(?P<sign>[*:_/])(?P<feminine>von|bei|an|in) der"
    r"|(?P<before>von|bei|an|in) der(?P<second>[*:_/])(?P<after>vom|beim|am|im))(?![^\W_]|[*:_/][^\W_])",
    re.IGNORECASE,
)
_WHOLE = {"von": "vom", "bei": "beim", "an": "am", "in": "im"}
_SIGN_FORMS = {"*": "star", ":": "colon", "_": "gap", "/": "slash", "·": "interpunct", "•": "interpunct"}
_ADJECTIVE = re.compile(r"[a-zäöüß]{2,}(?:e|em|en|es)")
#: words that stand for a person by themselves
#: adjectives that stand for persons with a capital or without
_STANDING = frozenset("andere einzelne erste zweite dritte letzte nächste".split())
_ALONE = frozenset("eine keine jede diese manche welche irgendeine".split())


@dataclass(frozen=True, slots=True)
class FairForm:
    """A gender-fair form in a text.

    Attributes:
        start: offset of its first character.
        end: offset behind its last character.
        form: ``star``, ``colon``, ``gap``, ``slash``, ``binnen-i``, ``brackets`` or ``interpunct``.
        kind: ``noun``, ``compound`` or ``word`` (determiner, adjective, pronoun).
        plural: of a noun.
        masculine: of a word; of a noun the masculine nominative, as far as the tables know it.
        feminine: of a word; of a noun the feminine singular.
        rest: of a compound behind the sign; of *sein\\*ihr\\*e* the ending that follows.
    """

    start: int
    end: int
    form: str
    kind: str
    plural: bool
    masculine: str
    feminine: str
    rest: str = ""

    def written(self, style: Style, surface: str) -> str:
        """Return the form in another style, with the capitals of ``surface``."""
        style = style.beside(surface)
        if self.kind != "word":
            return match_case(surface, style.noun(self.feminine[:-2], plural=self.plural) + self.rest)
        if self.rest:
            return match_case(surface, _three_parts(style, self))
        if self.masculine[3:] == self.feminine[3:] != "":  # der*diejenige
            return match_case(surface, style.words(self.masculine[:3], self.feminine))
        if self.masculine[:2] != self.feminine[:2] or (self.masculine, self.feminine) in _TWO_WORDS:
            return match_case(surface, style.words(self.masculine, self.feminine))
        return match_case(surface, style.inflected(self.masculine, self.feminine))


def _three_parts(style: Style, form: FairForm) -> str:
    case = _STARRED[form.rest + form.masculine]
    masculine, feminine, _ = endings("possessive")[case]
    assert masculine is not None and feminine is not None
    return style.possessive((masculine, feminine), starred=True)


#: third part + first part of sein*ihr*e ... -> case
_STARRED = {"esein": 0, "nseine": 1, "rseinem": 2, "rseines": 3}


def _pairs() -> dict[frozenset[str], tuple[str, str]]:
    found: dict[frozenset[str], tuple[str, str]] = {}
    for row in read_table("de", "pairs"):
        if row["kind"] in ("article", "relative", "pronoun", "contraction"):
            words = row["masculine"], row["feminine"]
            found.setdefault(frozenset(words), words)
    for ending in ("", "e", "en", "em", "er", "es", "erseits", "etwegen", "ethalben", "esgleichen"):
        found[frozenset(("sein" + ending, "ihr" + ending))] = "sein" + ending, "ihr" + ending
    return found


_PAIRS = _pairs()
_TWO_WORDS = frozenset(_PAIRS.values())


def fair_forms(text: str, lexicon: GermanLexicon) -> Iterator[FairForm]:
    """Yield the gender-fair forms of ``text`` in order.

    Args:
        text: any text; code and addresses are the caller's business.
        lexicon: says which words are known.
    """
    found = [form for match in _CONTRACTED.finditer(text) if (form := _contraction(match)) is not None]
    found += [form for match in _NOUN.finditer(text) if (form := _noun(match, lexicon)) is not None]
    found += [form for match in _WORD.finditer(text) if (form := _word(match, lexicon)) is not None]
    end = 0
    compounds = [form for match in _TWO_PERSONS.finditer(text) for form in _two_persons(match, lexicon)]
    # of forms with one beginning those of a compound of two persons come first: a sort is stable
    found = [*compounds, *sorted(found, key=lambda f: -f.end)]
    for form in sorted(found, key=lambda f: f.start):
        if form.start >= end:
            end = form.end
            yield form


def written_apart(text: str, lexicon: GermanLexicon) -> Iterator[FairForm]:
    """Yield the determiners and pronouns of ``text`` that stand in both genders (*die oder der*, *vom bzw. von der*).

    Args:
        text: any text.
        lexicon: says which words are known.
    """
    end = 0
    for match in _APART.finditer(text):
        if match.start() < end:
            continue
        halves = match["left"].lower(), match["right"].lower()
        pair = _PAIRS.get(frozenset(halves)) or same_word(*halves, lexicon) or _nominalised(match, lexicon)
        if pair is not None and halves[0] != halves[1]:
            end = match.end("both")
            yield FairForm(match.start(), end, "pair", "word", False, *pair)


def _nominalised(match: re.Match[str], lexicon: GermanLexicon) -> tuple[str, str] | None:
    """Read *Angestellte oder Angestellter*."""
    feminine, masculine = sorted((match["left"], match["right"]), key=len)
    if feminine.lower() in _ALONE and masculine.lower() == feminine.lower() + "r":
        return masculine.lower(), feminine.lower()  # eine oder einer, keine oder keiner
    word = lexicon.word(feminine) if feminine[0].isupper() and masculine == feminine + "r" else None
    return None if word is None or word.nominalised is None else (masculine.lower(), feminine.lower())


def normalised(text: str, lexicon: GermanLexicon, style: Style) -> str:
    """Return ``text`` with its gender-fair forms written in ``style``."""
    parts, at = [], 0
    for form in fair_forms(text, lexicon):
        parts += [text[at : form.start], form.written(style, text[form.start : form.end])]
        at = form.end
    return "".join(parts) + text[at:]


def _contraction(match: re.Match[str]) -> FairForm | None:
    preposition = (match["feminine"] or match["before"]).lower()
    masculine = (match["masculine"] or match["after"]).lower()
    if _WHOLE[preposition] != masculine:
        return None
    form = _SIGN_FORMS[match["sign"] or match["second"]]
    return FairForm(match.start(), match.end(), form, "word", False, masculine, f"{preposition} der")


def _noun(match: re.Match[str], lexicon: GermanLexicon) -> FairForm | None:
    split = match["split"] or match["bracketed"]
    suffix = "innen" if split else match["in"] or match["capital"] or match["bracket"].lstrip("-")
    is_plural, rest = suffix.lower() == "innen", match["rest"].lower()
    if (suffix.isupper() or match["rest"].isupper()) and not match.group().isupper():
        return None
    if rest and not (is_plural and len(rest) > 2):
        return None
    if match["capital"] and not match["stem"][-1].islower():
        return None
    known = _feminine(match["stem"], lexicon)
    if known is None and rest and match["stem"].islower():  # patient*innenrelevant
        named = _feminine(match["stem"].capitalize(), lexicon)
        known = named and (named[0].lower(), named[1].lower())
    if known is None:
        return None
    masculine, feminine = known
    form = _SIGN_FORMS[match["sign"][0]] if match["sign"] else "binnen-i" if match["capital"] else "brackets"
    kind = "compound" if rest else "noun"
    return FairForm(match.start(), match.end(), form, kind, is_plural, masculine, feminine, rest)


def _two_persons(match: re.Match[str], lexicon: GermanLexicon) -> Iterator[FairForm]:
    """Yield the two nouns of a compound, the first of which is linked by its plural."""
    first, second = match["one"], match["other"] or match["beside"]
    one, other = _feminine(first, lexicon), _feminine(second.title(), lexicon)
    if one is None or other is None:
        return
    form = _SIGN_FORMS[match["sign"][0]] if match["sign"] else "binnen-i"
    middle = match.start("other" if match["other"] else "beside")
    yield FairForm(match.start(), middle, form, "compound", True, *one)
    is_plural = bool(match["nen"] or match["plural"])
    yield FairForm(middle, match.end(), form, "noun", is_plural, other[0].lower(), other[1].lower())


def _feminine(stem: str, lexicon: GermanLexicon) -> tuple[str, str] | None:
    """Return masculine and feminine of a noun from what stands before the sign, None for an unknown one."""
    if len(stem) > 1 and stem.isupper():
        stem = stem.title()
    prefix, last = stem[: stem.rfind("-") + 1], stem[stem.rfind("-") + 1 :]
    word = lexicon.word(last + "in")
    if word is not None and word.noun is not None and word.noun.mask & FEM:
        return prefix + word.noun.lemma, stem + "in"
    # Nutzers*in, Studenten*innen, Kunde*in: the masculine form stands before the sign
    word = lexicon.word(last)
    if word is not None and word.noun is not None and not word.noun.mask & FEM:
        return prefix + word.noun.lemma, prefix + match_case(last, word.noun.stem) + "in"
    return None


def _word(match: re.Match[str], lexicon: GermanLexicon) -> FairForm | None:
    left, right = match["left"].lower(), (match["right"] or match["bracket"]).lower()
    form = _SIGN_FORMS[match["sign"][0]] if match["sign"] else "brackets"
    third = match["third"] or ""
    if third:
        if third + left not in _STARRED or right != "ihr" + left[4:]:
            return None
        return FairForm(match.start(), match.end(), form, "word", False, left, right, third)
    pair = (_PAIRS.get(frozenset((left, right))) or _same_ending(left, right)) if left != right else None
    pair = pair or same_word(left, right, lexicon) or _ending(match["left"], right, lexicon)
    if pair is None and left != match["left"] and _BEFORE_NOUN.match(match.string, match.end()):
        pair = _ending(left, right, lexicon)  # Liebe*r Leser*in
    return None if pair is None else FairForm(match.start(), match.end(), form, "word", False, *pair)


def _same_ending(left: str, right: str) -> tuple[str, str] | None:
    """Read *der\\*diejenige*, which writes the ending once."""
    if not right.endswith(("jenige", "jenigen", "selbe", "selben")):
        return None
    ways = ((m, f) for m, f in _PAIRS.values() for one, other in ((m, f), (f, m)) if other == right and one[:3] == left)
    return next(ways, None)


def word_pair(one: str, other: str) -> tuple[str, str] | None:
    """Return masculine and feminine of an article, pronoun or possessive given in both genders (*die, der*)."""
    return _PAIRS.get(frozenset((one, other)))


def same_word(left: str, right: str, lexicon: GermanLexicon) -> tuple[str, str] | None:
    """Read *eine/einen*: return masculine and feminine of one determiner, None where they are not.

    Args:
        left: a word in lower case.
        right: another one.
        lexicon: knows the determiners.
    """
    for one in lexicon.determiners.get(left, ()):
        for other in lexicon.determiners.get(right, ()):
            if one.stem == other.stem and one.kind in ("article", "possessive") and left != right:
                for masculine, feminine, words in ((one, other, (left, right)), (other, one, (right, left))):
                    if set(cases_of(masculine.mask & MASC)) & set(cases_of(feminine.mask & FEM)):
                        return words
    return None


def _ending(left: str, right: str, lexicon: GermanLexicon) -> tuple[str, str] | None:
    """Read *eine:n*, *neue(r)*, *Angestellte\\*r*, *einer\\*m*."""
    lower = left.lower()
    word = (lexicon.word(left) or lexicon.word(left + right)) if left[:1].isupper() else None
    singular = [reading for reading in lexicon.determiners.get(lower, ()) if reading.kind != "plural"]
    is_noun = lower in _STANDING or (word is not None and word.nominalised is not None)
    if lower in lexicon.determiners and not is_noun and all(reading.kind == "definite" for reading in singular):
        return None  # dem(n), and plurals
    known = bool(singular) or is_noun
    if right not in ("e", "n", "r", "m", "s") or not (known or (_ADJECTIVE.fullmatch(left) and right in ("n", "r"))):
        return None
    return _halves(lower if singular else left, right)


def _halves(left: str, right: str) -> tuple[str, str]:
    if left + right == "euere":
        return "euer", "eure"
    if right == "e":
        return (left, left[:-1]) if left.endswith("en") else (left, left + "e")
    if right == "n":
        return left + "n", left
    if left + right == "eurer":
        return "euer", "eure"
    if right == "r":
        return (left, left[:-1] + "r") if left[-1] in "msn" else (left + "r", left)
    return (left[:-1] + right, left) if left.endswith("r") else (left + right, left)
