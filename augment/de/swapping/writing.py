"""What the words of a person become in the other gender, in a case and number."""

from __future__ import annotations

from augment.de.swapping.inflection import CONTRACTING, OTHER, determiner, ending_of
from augment.de.swapping.mention import Written
from augment.de.swapping.names import FoundName
from augment.de.swapping.pairs import Pair
from augment.de.swapping.sentence import SwapSentence
from rewriter.de.drafts import adjective_stem
from rewriter.de.inflection import DATIVE, FEMININE, GENITIVE, MASCULINE, NOMINATIVE, PLURAL, match_case
from rewriter.de.lexicon import Noun
from rewriter.de.phrase import Phrase


def phrase_words(sentence: SwapSentence, phrase: Phrase, gender: int, case: int) -> tuple[Written, ...]:
    """Return the words of a phrase in the other gender.

    Args:
        sentence: that holds the phrase.
        phrase: of a person.
        gender: of the phrase here: masculine, feminine, neuter, or plural.
        case: of it.
    """
    noun = phrase.word.noun
    side = noun.gender if noun is not None else gender
    target = _target(noun, gender, OTHER[side])
    words = []
    if gender != PLURAL:
        if phrase.determiner >= 0:
            words.append(_determiner(sentence, phrase, gender, target, case))
        for index in phrase.adjectives:
            word = adjective_stem(sentence.surface(index)) + ending_of(phrase.paradigm, target, case)
            words.append(made(sentence, index, index, word, "adjective"))
    return (*words, _head(sentence, phrase, gender, target, case))


def title_words(sentence: SwapSentence, phrase: Phrase, case: int) -> tuple[Written, ...]:
    """Return *Herr* or *Frau* before a name in the other gender, with what agrees."""
    noun = phrase.word.noun
    assert noun is not None
    target = OTHER[noun.gender]
    form = "Frau" if target == FEMININE else "Herr" if case == NOMINATIVE else "Herrn"
    words = [w for w in phrase_words(sentence, phrase, noun.gender, case) if w.last != phrase.head]
    return (*words, made(sentence, phrase.head, phrase.head, form, "title"))


def made(sentence: SwapSentence, first: int, last: int, after: str, kind: str) -> Written:
    """Return what replaces some tokens, in their capitals."""
    before = sentence.text[sentence.tokens[first].start : sentence.tokens[last].end]
    if kind in ("noun", "title", "nominalised"):
        is_upper = before.isupper() and len(before) > 1
        after = after.upper() if is_upper else match_case(before, after.lower())
    else:
        after = match_case(before, after.lower())
    return Written(first, last, after, kind)


def name_word(sentence: SwapSentence, name: FoundName, partner: str) -> Written:
    """Return a given name's counterpart; the apostrophe of *Klaus' Buch* belongs to it."""
    token, text, surface = sentence.tokens[name.token], sentence.text, sentence.surface(name.token)
    last = name.token
    if name.genitive:
        partner += "’" if partner.endswith(_SIBILANTS) else "s"
    elif (
        surface.endswith(_SIBILANTS)
        and text[token.end : token.end + 1] in ("'", "’")
        and text[token.end + 1 :][:1] == " "
    ):
        last += 1  # Klaus' Buch -> Marias Buch
        partner += text[token.end] if partner.endswith(_SIBILANTS) else "s"
    return Written(name.token, last, partner.upper() if surface.isupper() and len(surface) > 1 else partner, "name")


_SIBILANTS = ("s", "x", "z", "ß")


def _target(noun: Noun | None, gender: int, side: int) -> int:
    if gender == PLURAL:
        return PLURAL
    if noun is not None and isinstance(noun.person, Pair):
        return noun.person.sides[side].gender
    return side


def _determiner(sentence: SwapSentence, phrase: Phrase, gender: int, target: int, case: int) -> Written:
    at, reading = phrase.determiner, phrase.reading
    assert reading is not None
    before = sentence.norm(at - 1)
    contracts = reading.kind == "definite" and reading.stem == "der" and case == DATIVE and before in CONTRACTING
    if contracts and gender == FEMININE and target != FEMININE:
        gap = sentence.text[sentence.tokens[at - 1].end : sentence.tokens[at].start]
        if gap == " ":
            return made(sentence, at - 1, at, CONTRACTING[before], "article")
    kind = "possessive" if reading.kind in ("his", "her", "possessive") else "article"
    return made(sentence, at, at, determiner(reading, target, case), kind)


def _head(sentence: SwapSentence, phrase: Phrase, gender: int, target: int, case: int) -> Written:
    surface, noun, word = sentence.surface(phrase.head), phrase.word.noun, phrase.word.nominalised
    if noun is not None:
        form = _noun_form(sentence, phrase, noun, case, plural=gender == PLURAL)
        return made(sentence, phrase.head, phrase.head, form, "noun")
    assert word is not None
    form = surface[: -len(word.ending)] + ending_of(phrase.paradigm, target, case)
    return made(sentence, phrase.head, phrase.head, form, "nominalised")


def _noun_form(sentence: SwapSentence, phrase: Phrase, noun: Noun, case: int, *, plural: bool) -> str:
    target, person = OTHER[noun.gender], noun.person
    is_bare = phrase.determiner < 0 and not phrase.adjectives and not plural
    if isinstance(person, Pair):
        side = person.sides[target]
        if is_bare and case == GENITIVE and sentence.norms[phrase.head].endswith("s"):
            return noun.prefix + side.lemma + ("" if side.lemma.endswith("s") else "s")  # Opas Garten
        case = NOMINATIVE if is_bare else case
        return noun.prefix + (side.in_plural(case) if plural else side.singular(case))
    if target == FEMININE:
        return noun.prefix + person.feminine + ("nen" if plural else "")
    case = NOMINATIVE if is_bare else case  # als Student, mit Präsident Weber
    if person.declension == "adjectival":
        return noun.prefix + person.masculine[:-2] + ending_of(phrase.paradigm, PLURAL if plural else MASCULINE, case)
    if person.declension == "mixed" and not plural and case != NOMINATIVE:
        return noun.prefix + person.plural  # dem Bauern, des Nachbarn
    return noun.prefix + person.masculine_form(case, plural=plural)
