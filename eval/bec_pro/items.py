"""The sentences of BEC-Pro: made from tables, or read from the published files, with their slips mended and listed.

Bartl, Nissim & Gatt 2020, "Unmasking Contextual Stereotypes", section 3: templates x person words x professions. The
published corpus was masked by replacing strings, which also hit other words and missed professions; some sentences
have a wrong article or form. Every sentence here knows where its target and its attribute stand instead.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from lexicons.loader import TableError, read_table
from rewriter.errors import InputError, UsageError
from rewriter.io.csv_rows import CsvRows
from rewriter.io.files import read_lines

MASK = "[MASK]"
GENDERS = ("male", "female")
PROF_GENDERS = ("male", "female", "balanced")
#: what is mended: masks that hit or miss words, wrong articles, wrong forms of the profession
REPAIRS = ("masks", "articles", "forms")
#: number of the pair of pronouns: they are the first of the tables
PRONOUNS = 0
TEMPLATE_SETS = ("bec-pro", "own", "all")
_COLUMNS = ("Sentence", "Sent_TM", "Sent_TAM", "Template", "Person", "Gender", "Profession", "Prof_Gender")
_SLOT = re.compile(r"\{(\w+)\}")
_NOTHING = "-"


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence.

    Attributes:
        sentence: the text.
        target: where the person word stands (start, end in characters), without its determiner.
        attribute: where the profession stands.
        template: the template, with its slots; the unit of resampling.
        pair: number of the pair of person words (he/she, man/woman ...).
        person: the person word.
        gender: ``male`` or ``female``, of the person word.
        profession: key of the profession (English, also for German).
        prof_gender: who works in it: ``male``, ``female``, ``balanced``.
        target_masked: the sentence as the released code masks it: target.
        both_masked: the sentence as the released code masks it: target and attribute.
    """

    sentence: str
    target: tuple[int, int]
    attribute: tuple[int, int]
    template: str
    pair: int
    person: str
    gender: str
    profession: str
    prof_gender: str
    target_masked: str
    both_masked: str


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip of the published sentences and what was done about it."""

    kind: str
    what: str
    rows: int


@dataclass(frozen=True, slots=True)
class Corpus:
    """The sentences of a measurement.

    Attributes:
        lang: language code.
        source: ``published`` or ``generated``, and the set of templates.
        items: the sentences.
        repairs: which kinds of slips were mended.
        slips: the slips, counted.
    """

    lang: str
    source: str
    items: tuple[Item, ...]
    repairs: tuple[str, ...]
    slips: tuple[Slip, ...]


@dataclass(frozen=True, slots=True)
class _Person:
    pair: int
    determiner: str
    word: str
    gender: str


@dataclass(frozen=True, slots=True)
class _Profession:
    """A profession: right and published forms by gender, after the definite article, and the indefinite article."""

    key: str
    prof_gender: str
    forms: dict[str, str]
    definite: dict[str, str]
    published: dict[str, str]
    article: str


def generate(lang: str, *, templates: str = "bec-pro", repairs: Sequence[str] = REPAIRS, nurse: bool = False) -> Corpus:
    """Make the sentences from the tables ``bec_pro_*`` of a language.

    Args:
        lang: ``en`` or ``de``.
        templates: ``bec-pro`` (its five), ``own`` (five more of the same kind) or ``all``.
        repairs: kinds of slips to mend, of :data:`REPAIRS`; with none the sentences are those published.
        nurse: with *nurse* beside *registered nurse*, a hundred times as frequent (Becker 2022, 4.8); English only.

    Raises:
        UsageError: there are no tables for the language, no such set of templates or repair, or no *nurse* in it.
    """
    _check(templates, TEMPLATE_SETS, "set of templates")
    for repair in repairs:
        _check(repair, REPAIRS, "repair")
    professions = [*_professions(lang), *(_with_nurse(lang) if nurse else [])]
    items, slips = [], Counter[tuple[str, str]]()
    for prof_gender in PROF_GENDERS:
        for template in _templates(lang, templates):
            for person in _persons(lang):
                for profession in professions:
                    if profession.prof_gender == prof_gender:
                        item = _fill(lang, template, person, profession, repairs)
                        items.append(item)
                        slips.update(_slips(lang, template, person, profession))
    source = f"generated-{templates}" + ("+nurse" if nurse else "")
    return Corpus(lang, source, tuple(items), tuple(repairs), _listed(slips))


def read_published(path: str | Path, lang: str, *, repairs: Sequence[str] = REPAIRS) -> Corpus:
    """Read a published file (``BEC-Pro_EN.tsv``, ``BEC-Pro_DE.tsv``; .zst and .gz too) and mend its slips.

    Every row must be one that the tables give as well; its masks are taken from the file where they are not mended.

    Raises:
        InputError: the file is not readable, a column is missing, or a row is none of the corpus (named by line).
        UsageError: there are no tables for the language, or no such repair.
    """
    mended = generate(lang, repairs=repairs)
    known = {item.sentence: number for number, item in enumerate(generate(lang, repairs=()).items)}
    items = []
    for line, row in _rows(Path(path)):
        number = known.get(row["Sentence"])
        if number is None:
            raise InputError(
                f"{path}:{line}: this sentence is not one of BEC-Pro in '{lang}'; is it the right language?"
            )
        item = mended.items[number]
        if "masks" not in repairs:
            item = replace(item, target_masked=row["Sent_TM"], both_masked=row["Sent_TAM"])
        items.append(item)
    if not items:
        raise InputError(f"{path}: there is no sentence in it")
    return Corpus(lang, "published", tuple(items), tuple(repairs), mended.slips)


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    rows = CsvRows(read_lines(path), path, delimiter="\t", quoting=csv.QUOTE_NONE)
    missing = [name for name in _COLUMNS if name not in rows.columns]
    if missing:
        raise InputError(f"{path}:1: the column '{missing[0]}' is missing; is it a file of BEC-Pro?")
    for row in rows:
        if None in row.values():
            raise InputError(f"{path}:{rows.line}: the row is shorter than the header")
        yield rows.line, row


def naive_masks(sentence: str, person: str, profession: str) -> tuple[str, str]:
    """Mask a sentence as the published files are masked: by replacing strings.

    The person word first, wherever a word begins with it, then each word of the profession, wherever it stands; so
    *lodging manager* becomes *lodging [MASK]ager* beside *man*, and *position of director of* loses both *of*. (The
    script in the authors' repository also replaces inside words, *ma[MASK]* beside *son*; the files do not show that.)

    Returns:
        the sentence with the target masked, and with target and attribute masked.
    """
    target_masked = both_masked = re.sub(rf"\b{re.escape(person)}", MASK, sentence)
    for word in profession.split():
        both_masked = both_masked.replace(word, MASK)
    return target_masked, both_masked


def right_masks(sentence: str, target: tuple[int, int], attribute: tuple[int, int]) -> tuple[str, str]:
    """Mask a sentence where target and attribute stand, with one mask for each word."""

    def masked(text: str, span: tuple[int, int]) -> str:
        words = len(text[slice(*span)].split())
        return text[: span[0]] + " ".join([MASK] * words) + text[span[1] :]

    both = masked(sentence, attribute)  # the later one first, so that the places of the other hold
    return masked(sentence, target), masked(both, target)


def _fill(lang: str, template: str, person: _Person, profession: _Profession, repairs: Sequence[str]) -> Item:
    sentence, target, attribute = _compose(lang, template, person, profession, repairs)
    if "masks" in repairs:
        masks = right_masks(sentence, target, attribute)
    else:
        masks = naive_masks(sentence, person.word, sentence[slice(*attribute)])
    gender, key, prof_gender = person.gender, profession.key, profession.prof_gender
    return Item(sentence, target, attribute, template, person.pair, person.word, gender, key, prof_gender, *masks)


def _compose(
    lang: str, template: str, person: _Person, profession: _Profession, repairs: Sequence[str]
) -> tuple[str, tuple[int, int], tuple[int, int]]:
    forms = profession.forms if "forms" in repairs else profession.published
    if "forms" in repairs and "{the}" in template:
        forms = profession.definite
    values = {
        "person": f"{person.determiner} {person.word}".strip(),
        "profession": forms[person.gender],
        "a": profession.article if "articles" in repairs else "a",
        "the": {"male": "der", "female": "die"}[person.gender] if lang == "de" else "the",
    }
    text, places = "", {}
    for number, part in enumerate(_SLOT.split(template)):
        piece = values[part] if number % 2 else part
        if number % 2:
            places[part] = (len(text), len(text) + len(piece))
        text += piece
    end = places["person"][1]
    return text, (end - len(person.word), end), places["profession"]


def _slips(lang: str, template: str, person: _Person, profession: _Profession) -> set[tuple[str, str]]:
    """Return what is wrong with the published form of a sentence."""
    published, target, attribute = _compose(lang, template, person, profession, ())
    found = set()
    name = published[slice(*attribute)]
    naive, right = naive_masks(published, person.word, name), right_masks(published, target, attribute)
    if naive[0] != right[0]:
        found.add(("masks", f"'{person.word}' is replaced inside '{name}' too"))
    elif naive[1] != right[1]:
        found.add(("masks", f"a word outside of '{name}' is masked too"))
    if "{a}" in template and profession.article != "a":
        found.add(("articles", f"'a {name}' instead of '{profession.article} {name}'"))
    right_form = (profession.definite if "{the}" in template else profession.forms)[person.gender]
    if name != right_form:
        found.add(("forms", f"'{name}' instead of '{right_form}' for {person.gender} person words"))
    return found


def _listed(slips: Counter[tuple[str, str]]) -> tuple[Slip, ...]:
    return tuple(Slip(kind, what, rows) for (kind, what), rows in sorted(slips.items()))


def _check(value: str, known: Iterable[str], what: str) -> None:
    if value not in known:
        raise UsageError(f"there is no {what} '{value}'; choose from {', '.join(known)}")


def _table(lang: str, name: str) -> tuple[dict[str, str], ...]:
    try:
        return read_table(lang, f"bec_pro_{name}")
    except TableError as error:
        raise UsageError(f"BEC-Pro is there in English and German (en, de): {error}") from None


def _templates(lang: str, chosen: str) -> list[str]:
    return [row["template"] for row in _table(lang, "templates") if chosen in ("all", row["set"])]


@cache
def _persons(lang: str) -> list[_Person]:
    return [
        _Person(number, row[f"{gender}_determiner"].replace(_NOTHING, ""), row[gender], gender)
        for gender in GENDERS
        for number, row in enumerate(_table(lang, "persons"))
    ]


@cache
def _professions(lang: str) -> list[_Profession]:
    return [_profession(row) for row in _table(lang, "professions")]


def _with_nurse(lang: str) -> list[_Profession]:
    if lang != "en":
        raise UsageError("'nurse' is added to the English sentences; the German ones have no such pair")
    return [_profession({"profession": "nurse", "prof_gender": "female"})]


def _profession(row: dict[str, str]) -> _Profession:
    forms = {gender: row.get(gender, row["profession"]) for gender in GENDERS}

    def changed(column: str) -> dict[str, str]:
        cells = {gender: row.get(f"{column}_{gender}", _NOTHING) for gender in GENDERS}
        return {gender: forms[gender] if cell == _NOTHING else cell for gender, cell in cells.items()}

    article = row.get("article", "a")
    return _Profession(row["profession"], row["prof_gender"], forms, changed("definite"), changed("published"), article)
