"""Places of a gender-fair sentence that name all genders: pair forms, and forms with a sign, with both their halves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from rewriter.de.candidates import analyze
from rewriter.de.closed_classes import CONJUNCTIONS
from rewriter.de.drafts import KEEP, PLURAL, SINGULAR, case_of
from rewriter.de.fair_forms import FairForm, fair_forms
from rewriter.de.genders import Genders
from rewriter.de.inflection import FEMININE, Style, match_case
from rewriter.de.language import German, make
from rewriter.de.sentence import Sentence
from rewriter.de.word_readings import bit
from rewriter.errors import GenderFairError
from rewriter.language.candidates import Analysis, Candidate
from rewriter.policy.protect import protected_spans

_STAR = Style()
_JOINING = CONJUNCTIONS | {"/", "&", "."}
#: contracted preposition -> preposition
_UNCONTRACTED = {"beim": "bei", "zum": "zu", "zur": "zu", "vom": "von", "am": "an", "im": "in"}


class UnusableError(GenderFairError):
    """A sentence or source that cannot be used; its text says why, for the statistics."""


@dataclass(frozen=True)
class Region:
    """A part of the text that names all genders.

    Attributes:
        start: offset of its first character in the text.
        end: offset behind its last character.
        feminine: what stands there in the feminine source.
        masculine: in the masculine source; None where the case is open.
        outcome: of a pair form; what its words must take.
        star: of a form with a sign: what the target has there.
    """

    start: int
    end: int
    feminine: str
    masculine: str | None = None
    outcome: int = KEEP
    star: str = ""


Places = tuple[tuple[int, int, Region], ...]


@dataclass(frozen=True)
class Source:
    """A source with the places of its regions (start, end, region)."""

    text: str
    places: Places


@cache
def german() -> German:
    """Return the language in star form, with its tables loaded once."""
    return make()


def surface_of(text: str, candidate: Candidate) -> str:
    """Return what stands at a candidate."""
    return text[candidate.start : candidate.end]


def find_regions(text: str) -> list[Region]:
    """Find pair forms and forms with a sign.

    Raises:
        UnusableError: the sentence holds a form that cannot be turned.
    """
    language = german()
    protected = protected_spans(text)
    analysis = analyze(text, language.lexicon, language.style, protected=protected)
    sentence = Sentence(text, language.lexicon, protected)
    found = [_signed(form, text) for form in fair_forms(text, language.lexicon) if not _is_address(form, sentence)]
    found += _pairs(text, analysis, sentence)
    found.sort(key=lambda region: region.start)
    for one, other in pairwise(found):
        if other.start < one.end:
            raise UnusableError("forms overlap")
    return found


def _is_address(form: FairForm, sentence: Sentence) -> bool:
    return sentence.is_protected(form.start) and form.form != "gap"


def _signed(form: FairForm, text: str) -> Region:
    """Return the region of a form with a sign; its masculine is left open for nouns."""
    surface = text[form.start : form.end]
    star = form.written(_STAR, surface)
    if form.kind == "word":
        if form.rest:
            raise UnusableError("possessor and possessed in one word")
        halves = match_case(surface, form.feminine), match_case(surface, form.masculine)
        return Region(form.start, form.end, *halves, star=star)
    feminine = match_case(surface, form.feminine + ("nen" if form.plural else "") + form.rest)
    return Region(form.start, form.end, feminine, star=star)


def _pairs(text: str, analysis: Analysis, sentence: Sentence) -> Iterator[Region]:
    doubled = {c.governor: c for c in analysis.candidates if c.kind == "article" and " " in surface_of(text, c)}
    outcomes = [_settled(i, c, doubled) for i, c in enumerate(analysis.candidates)]
    genders = Genders(text, analysis, outcomes, german().lexicon)
    for index, candidate in enumerate(analysis.candidates):
        if outcomes[index] == KEEP:
            continue
        if candidate.kind == "pair":
            yield _halved(candidate, outcomes[index], sentence)
        elif index in doubled or candidate.governor in doubled or _is_pronoun_pair(candidate, text):
            masculine, feminine = genders.of(index)
            yield Region(candidate.start, candidate.end, feminine, masculine, outcomes[index])


def _settled(index: int, candidate: Candidate, doubled: Mapping[int, Candidate]) -> int:
    """Return the outcome of a pair form, or of a word whose phrase has articles of both genders; KEEP for others."""
    if candidate.forced is not None:
        return candidate.forced
    article, known = doubled.get(index if index in doubled else candidate.governor), dict(candidate.options)
    if article is None or article.forced is None:
        return KEEP
    return next((outcome for outcome in (article.forced, SINGULAR) if outcome in known), KEEP)


def _is_pronoun_pair(candidate: Candidate, text: str) -> bool:
    words = surface_of(text, candidate).lower().split()
    return len(words) > 2 and ("oder" in words or "bzw." in words) and candidate.kind in ("pronoun", "article")


def _halved(candidate: Candidate, outcome: int, sentence: Sentence) -> Region:
    """Cut a pair form of nouns into its halves.

    Raises:
        UnusableError: the halves are no two whole phrases.
    """
    tokens = [i for i, t in enumerate(sentence.tokens) if candidate.start <= t.start and t.end <= candidate.end]
    head, last = candidate.token, tokens[-1]
    second = head + 1
    while second < last and sentence.norms[second] in _JOINING:
        second += 1
    start = candidate.start
    if outcome == PLURAL:
        if last - second > 1:
            raise UnusableError("halves of different make")
        one, other = sentence.surface(head), sentence.surface(last)
        if sentence.norms[second] in ("-", "‑"):
            return _shortened(candidate, one, other, sentence)
    else:
        before = sentence.norm(tokens[0] - 1)
        begin = sentence.tokens[tokens[0] - 1].start if tokens[0] else start
        prefix = ""
        if sentence.norms[second] == before:
            second += 1
        elif _UNCONTRACTED.get(sentence.norms[second]) == before and sentence.norms[tokens[0]] not in _UNCONTRACTED:
            prefix, start = sentence.text[begin:start], begin
        if _has_article(sentence, tokens[0]) != _has_article(sentence, second):
            raise UnusableError("one half has no article")
        one = prefix + sentence.text[candidate.start : sentence.tokens[head].end]
        other = sentence.text[sentence.tokens[second].start : candidate.end]
        if start == begin or one[:1].isupper() != other[:1].isupper():
            other = match_case(one, other) if one[:1].isupper() else other
    word = sentence.words[head]
    if word is None or _is_feminine(sentence, head) == _is_feminine(sentence, last):
        return _by_determiner(candidate, outcome, (start, one, other), sentence)
    feminine, masculine = (one, other) if _is_feminine(sentence, head) else (other, one)
    return Region(start, candidate.end, _capital(feminine, one), _capital(masculine, one), outcome)


def _has_article(sentence: Sentence, index: int) -> bool:
    norm = sentence.norms[index]
    return norm in sentence.lexicon.determiners or norm in sentence.closed.prepositions


def _shortened(candidate: Candidate, one: str, other: str, sentence: Sentence) -> Region:
    """Return both halves of *Netznutzerinnen und -nutzer* in full."""
    word, last = sentence.words[candidate.token], sentence.lexicon.word(other.capitalize())
    if word is None or word.noun is None or last is None or last.noun is None:
        raise UnusableError("halves of different make")
    whole = one[: len(word.noun.lemma) - len(last.noun.lemma)] + other
    feminine, masculine = (one, whole) if word.noun.gender == FEMININE else (whole, one)
    return Region(candidate.start, candidate.end, feminine, masculine, PLURAL)


def _capital(half: str, first: str) -> str:
    """Return a half with the capital of the one that stands first."""
    if first[:1].isupper() and not half[:1].isupper():
        return half[:1].upper() + half[1:]
    return half


def _is_feminine(sentence: Sentence, index: int) -> bool:
    word = sentence.words[index]
    return word is not None and word.noun is not None and word.noun.gender == FEMININE


def _by_determiner(candidate: Candidate, outcome: int, halves: tuple[int, str, str], sentence: Sentence) -> Region:
    """Tell the halves of a nominalised adjective apart (die Beschuldigte oder der Beschuldigte)."""
    start, one, other = halves
    case = case_of(outcome)
    readings = sentence.lexicon.determiners
    first = [r for r in readings.get(one.split()[0].lower(), ()) if case >= 0 and r.mask & bit(FEMININE, case)]
    second = [r for r in readings.get(other.split()[0].lower(), ()) if case >= 0 and r.mask & bit(FEMININE, case)]
    if bool(first) == bool(second):
        raise UnusableError("halves of one gender")
    feminine, masculine = (one, other) if first else (other, one)
    return Region(start, candidate.end, _capital(feminine, one), _capital(masculine, one), outcome)
