"""Rules of English swapping: titles, words of address and lords, whose partner depends on what stands beside them."""

from __future__ import annotations

import re

from augment.en.noun_place import NounPlace, Partner
from rewriter.language.rules import Decision

#: the rules answer with a :class:`~augment.en.noun_place.Partner`; where none speaks the table's word is taken
PARTNER = Decision("en", "settles", asked="swapping")

#: behind *Madam* and *Mr* these are offices: Madam Speaker, Mr Speaker
_OFFICES = frozenset(
    "president speaker chairman chairwoman chair chairperson secretary ambassador justice mayor vice prime senator "
    "minister governor commissioner chancellor director".split()
)
_DOTTED = re.compile(r"\b(?:Mrs?|Ms|Dr|Prof|St)\.")
_UNDOTTED = re.compile(r"\b(?:Mrs?|Ms|Dr)\s")
#: behind *my*
_ADDRESSED = {"lady": "lord", "lord": "lady", "ladies": "lords", "lords": "ladies"}


@PARTNER.rule("Mr before an office", example="We asked [Mr.] Speaker.", counter="We asked [Mr.] Spiker.")
def _office(noun: NounPlace) -> Partner | None:
    if not noun.is_title or noun.norm not in ("mr", "mister") or not noun.is_capital:
        return None
    if noun.next_capital().lower() not in _OFFICES:
        return None
    return Partner("madam", "title", noun.end + (noun.text[noun.end : noun.end + 1] == "."))


@PARTNER.rule("Miss beside Mr.", example="[Miss] Ott saw Dr. Bell.", counter="[Miss] Ott saw Bell.")
def _dotted(noun: NounPlace) -> Partner | None:
    """A full stop behind *Mr*, as the text writes other titles."""
    if not noun.is_title or noun.norm != "miss" or noun.words[noun.norm][0] != "mr":
        return None
    return Partner("mr.", "title", noun.end) if _DOTTED.search(noun.text) else None


@PARTNER.rule("Madam before an office", example="We asked [Madam] Speaker.", counter="We asked you, [madam].")
def _madam(noun: NounPlace) -> Partner | None:
    if noun.norm != "madam" or not _is_bare_title(noun):
        return None
    is_dotted = _DOTTED.search(noun.text) is not None or _UNDOTTED.search(noun.text) is None
    return Partner("mr." if is_dotted else "mr", "title", noun.end)


def _is_bare_title(noun: NounPlace) -> bool:
    return noun.is_capital and bool(noun.next_capital()) and noun.text[noun.end : noun.end + 1] != "."


@PARTNER.rule("Sir before a name", example="We asked [Sir] Otto.", counter="We asked you, [sir].")
def _sir(noun: NounPlace) -> Partner | None:
    if noun.norm != "sir" or not _is_bare_title(noun) or not noun.precedes_name():
        return None
    return Partner("dame", "title", noun.end)


@PARTNER.rule("my lady", example="Thank you, my [lady].", counter="Thank you, old [lady].")
def _my_lord(noun: NounPlace) -> Partner | None:
    if noun.norm not in _ADDRESSED or noun.before() != "my":
        return None
    return Partner(_ADDRESSED[noun.norm], "noun", noun.end)


@PARTNER.rule("lord or lady before a name", example="We met [Lady] Ott.", counter="We met a [lady].")
def _lord_of_name(noun: NounPlace) -> Partner | None:
    if noun.norm not in ("lady", "lord") or not noun.is_capital or not noun.precedes_name():
        return None
    return Partner(_ADDRESSED[noun.norm], "noun", noun.end)


@PARTNER.rule("lord in lower case", example="The old [lord] left.", counter="The old [Lord] left.")
def _lord(noun: NounPlace) -> Partner | None:
    return Partner("lady", "noun", noun.end) if noun.norm == "lord" and not noun.is_capital else None
