"""Training pairs from gender-fair text: pair forms, and star, colon, gap, slash and Binnen-I forms.

Whoever writes *die Stipendiatin oder der Stipendiat* has said which words mean any person, in which case and number.
Each half as it stands, article and ending included, gives a masculine and a feminine source; the star form is the
target. Of the signs' forms the feminine is read off; the masculine is written only where the phrase settles its case.
What else stands in the sentence and might mean a person gets no label, unless the grammar leaves one answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from augment.de.evidence import UNKNOWN, Evidence
from augment.de.reference import decide_pronouns
from augment.languages import RuleResult
from rewriter.alignment import match_outcomes
from rewriter.candidates import Analysis, Candidate
from rewriter.de.agreement import agree
from rewriter.de.drafts import CASES, FIRST, KEEP, PLURAL, SINGULAR, STARRED, case_of
from rewriter.de.fair_forms import FairForm, fair_forms
from rewriter.de.genders import Genders
from rewriter.de.inflection import FEMININE, MASCULINE, Style, match_case
from rewriter.de.language import German, make
from rewriter.de.lexicon import FEM, MASC, PLUR, bit
from rewriter.de.phrases import Sentence, plural
from rewriter.errors import GenderFairError
from rewriter.protect import protected_spans
from rewriter.records import Edit

_STAR = Style()
#: form of the source that keeps the pair forms
PAIRED = "mixed"
_REFERRING = ("pronoun", "relative", "possessive")
_DETERMINERS = ("article", "possessive")
_CONJUNCTIONS = frozenset({"und", "oder", "sowie", "bzw", "beziehungsweise", "/", "&", "."})
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


def pair_form(text: str) -> list[RuleResult]:
    """Return masculine, feminine and paired sources of a sentence with their star target.

    Args:
        text: one sentence.

    Returns:
        Nothing where the sentence holds no gender-fair form; a dropped result says why in ``dropped``.
    """
    try:
        regions = _regions(text)
    except UnusableError as error:
        return [_dropped(text, str(error))]
    if not regions:
        return []
    results = [_attempt(_turned(text, regions, feminine=True), "feminine")]
    if not results[0].dropped:
        regions = _with_masculines(text, regions)
    if all(region.masculine is not None for region in regions):
        results.append(_attempt(_turned(text, regions, feminine=False), "masculine"))
    else:
        results.append(_dropped(text, "masculine: the case is open"))
    if any(not region.star for region in regions):
        results.append(_attempt(_paired(text, regions), PAIRED))
    return results


def _dropped(text: str, why: str) -> RuleResult:
    return RuleResult(text, text, "neutral", dropped=why)


def _attempt(source: Source, form: str) -> RuleResult:
    try:
        return _result(source, form)
    except UnusableError as error:
        return _dropped(source.text, f"{form}: {error}")


# ---------------------------------------------------------------- what names all genders


def _regions(text: str) -> list[Region]:
    """Find pair forms and forms with a sign.

    Raises:
        UnusableError: the sentence holds a form that cannot be turned.
    """
    language = german()
    protected = protected_spans(text)
    analysis = language.analyze(text, protected)
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
    outcomes = [KEEP if c.forced is None else c.forced for c in analysis.candidates]
    genders = Genders(text, analysis, outcomes, german().lexicon)
    doubled = {c.governor for c in analysis.candidates if c.kind == "article" and " " in _surface(text, c)} - {-1}
    for index, candidate in enumerate(analysis.candidates):
        surface = _surface(text, candidate)
        if outcomes[index] == KEEP:
            continue
        if candidate.kind == "pair":
            yield _halved(candidate, outcomes[index], sentence)
        elif index in doubled or candidate.governor in doubled or _is_pronoun_pair(candidate, surface):
            masculine, feminine = genders.of(index)
            yield Region(candidate.start, candidate.end, feminine, masculine, outcomes[index])


def _surface(text: str, candidate: Candidate) -> str:
    return text[candidate.start : candidate.end]


def _is_pronoun_pair(candidate: Candidate, surface: str) -> bool:
    words = surface.lower().split()
    return len(words) > 2 and ("oder" in words or "bzw." in words) and candidate.kind in ("pronoun", "article")


def _halved(candidate: Candidate, outcome: int, sentence: Sentence) -> Region:
    """Cut a pair form of nouns into its halves.

    Raises:
        UnusableError: the halves are no two whole phrases.
    """
    tokens = [i for i, t in enumerate(sentence.tokens) if candidate.start <= t.start and t.end <= candidate.end]
    head, last = candidate.token, tokens[-1]
    second = head + 1
    while second < last and sentence.norms[second] in _CONJUNCTIONS:
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


# ---------------------------------------------------------------- sources


def _turned(text: str, regions: Sequence[Region], *, feminine: bool) -> Source:
    return _assembled(text, [(r, (r.feminine if feminine else r.masculine) or "") for r in regions])


def _paired(text: str, regions: Sequence[Region]) -> Source:
    """Return the text with its pair forms; forms with a sign become stars, as they stay in any source."""
    return _assembled(text, [(r, r.star or text[r.start : r.end]) for r in regions])


def _assembled(text: str, pieces: Sequence[tuple[Region, str]]) -> Source:
    parts: list[str] = []
    places = []
    at = length = 0
    for region, piece in pieces:
        literal = text[at : region.start]
        parts += [literal, piece]
        length += len(literal)
        places.append((length, length + len(piece), region))
        length += len(piece)
        at = region.end
    return Source("".join(parts) + text[at:], tuple(places))


def _with_masculines(text: str, regions: Sequence[Region]) -> list[Region]:
    """Fill in the masculines of nouns with a sign, where the feminine sentence settles their case."""
    if all(region.masculine is not None for region in regions):
        return list(regions)
    source = _turned(text, regions, feminine=True)
    reading = _read(source)
    genders = Genders(source.text, reading.analysis, reading.outcomes, german().lexicon)
    filled = []
    for start, end, region in source.places:
        if region.masculine is None:
            region = replace(region, masculine=_masculine(reading, genders, (start, end), source.places))
        filled.append(region)
    return filled


def _masculine(reading: Reading, genders: Genders, span: tuple[int, int], places: Places) -> str | None:
    """Return the masculine of the noun at a span, None where its case is open and would show."""
    start, end = span
    for index, candidate in enumerate(reading.analysis.candidates):
        if not (candidate.start < end and start < candidate.end):
            continue
        outcome = reading.outcomes[index]
        if outcome == FIRST:
            masculine = genders.of(index)[0]
            return None if masculine == genders.text[start:end] else masculine
        if candidate.kind != "noun" or outcome not in (SINGULAR, PLURAL):
            return None
        if _is_apart(reading, index, places):
            return None
        cases = _cases(reading, genders, index)
        forms = {genders.noun(candidate, case, plural=outcome == PLURAL)[0] for case in cases}
        return forms.pop() if len(forms) == 1 else None
    return None


def _is_apart(reading: Reading, head: int, places: Places) -> bool:
    """Tell whether a word that changes with a noun is not written gender-fair itself (die Nutzer\\*in)."""
    return any(
        c.governor == head and case_of(o) >= 0 and not any(s < c.end and c.start < e for s, e, _ in places)
        for c, o in zip(reading.analysis.candidates, reading.outcomes, strict=True)
    )


def _cases(reading: Reading, genders: Genders, index: int) -> set[int]:
    """Return the cases that a noun of the feminine sentence may have."""
    candidates = reading.analysis.candidates
    known = {case_of(reading.outcomes[i]) for i, c in enumerate(candidates) if c.governor == index} - {-1}
    if known:
        return known
    word = german().lexicon.word(_surface(genders.text, candidates[index]))
    sentence = Sentence(genders.text, german().lexicon, protected_spans(genders.text))
    if word is None:
        return set(range(4))
    phrase = sentence.phrase(candidates[index].token, word)
    if reading.outcomes[index] == PLURAL:
        mask = plural(phrase.mask) >> 8
        if phrase.determiner < 0:
            mask &= _strong_plural(sentence, phrase.adjectives)
            # a bare plural is no genitive: *Rechte Bürgerinnen* is none
            mask &= 0b0111 if sentence.norm(phrase.start - 1) not in sentence.closed.prepositions else 0b1111
    else:
        mask = phrase.mask >> 4 & 0b0111
    return {case for case in range(4) if mask >> case & 1}


def _strong_plural(sentence: Sentence, adjectives: Sequence[int]) -> int:
    """Return the cases that adjectives without a determiner leave in the plural."""
    mask = 0b1111
    for index in adjectives:
        norm = sentence.norms[index]
        mask &= (
            0b0100 if norm.endswith("en") else 0b1000 if norm.endswith("er") else 0b0011 if norm.endswith("e") else mask
        )
    return mask


# ---------------------------------------------------------------- targets


@dataclass(frozen=True)
class Reading:
    """A source that is understood: outcome per candidate, the target, and which candidates are certain."""

    analysis: Analysis
    outcomes: list[int]
    target: str
    certain: list[bool]
    rules: Counter[str]


def _result(source: Source, form: str) -> RuleResult:
    reading = _read(source)
    pairs = list(zip(reading.analysis.candidates, reading.outcomes, reading.certain, strict=True))
    doubtful = tuple((c.start, c.end) for c, _, certain in pairs if not certain)
    edits = []
    for candidate, outcome, _ in pairs:
        before, after = _surface(source.text, candidate), dict(candidate.options)[outcome]
        if before != after:
            edits.append(
                Edit(candidate.start, candidate.end, before, after, candidate.kind, german().outcomes[outcome])
            )
    return RuleResult(source.text, reading.target, form, tuple(edits), doubtful, reading.rules)


def _read(source: Source) -> Reading:
    """Work out the target of a source and which of its candidates are certain.

    Raises:
        UnusableError: the candidates do not explain the target, or its words do not agree.
    """
    language, text = german(), source.text
    protected = protected_spans(text)
    analysis = language.analyze(text, protected, training=True)
    halves = _unpaired(analysis, text)
    known = _evidence(source, halves)
    replacements = [(start, end, region.star) for start, end, region in source.places if region.star]
    certain = []
    for index, candidate in enumerate(analysis.candidates):
        region = _region_of(candidate, source)
        outcome = UNKNOWN if index in halves else known.get((candidate.start, candidate.end), UNKNOWN)
        if region is not None and not region.star:
            replacements.append(_chosen(candidate, region, text))
        elif region is None and outcome != UNKNOWN:
            replacements.append((candidate.start, candidate.end, dict(candidate.options)[outcome]))
        certain.append(_is_certain(candidate, region, text, known=outcome != UNKNOWN))
    target = _replaced(text, replacements)
    options = match_outcomes(text, target, analysis.candidates)
    if options is None:
        raise UnusableError("target not explained")
    outcomes = [c.options[o][0] for c, o in zip(analysis.candidates, options, strict=True)]
    _check(source, analysis, options, outcomes)
    certain = [sure or _follows(analysis, i, outcomes, certain) for i, sure in enumerate(certain)]
    rules = Counter(
        f"{c.kind}:{language.outcomes[o]}" for c, o, k in zip(analysis.candidates, outcomes, certain, strict=True) if k
    )
    return Reading(analysis, outcomes, target, certain, rules)


def _region_of(candidate: Candidate, source: Source) -> Region | None:
    for start, end, region in source.places:
        if candidate.start < end and start < candidate.end:
            return region
    return None


def _evidence(source: Source, halves: set[int]) -> dict[tuple[int, int], int]:
    """Return by place what is certain about the candidates, once the persons of the regions are known."""
    language, text = german(), source.text
    evidence = Evidence(text, language, protected_spans(text))
    for index, candidate in enumerate(evidence.analysis.candidates):
        region = _region_of(candidate, source)
        if region is None and index in halves and index in evidence.phrases:
            evidence.set_head(index, UNKNOWN)
        elif region is not None and index in evidence.phrases:
            evidence.learn(index, _mask(region))
        elif region is not None and candidate.governor < 0 and region.outcome in dict(candidate.options):
            evidence.outcomes[index] = region.outcome
    decide_pronouns(evidence)
    # beside a pair form a single *er* may mean anybody, its person too
    is_open = any(_mask(region) != PLUR for _, _, region in source.places)
    return {
        (c.start, c.end): UNKNOWN if is_open and c.kind in _REFERRING else o
        for c, o in zip(evidence.analysis.candidates, evidence.outcomes, strict=True)
    }


def _mask(region: Region) -> int:
    """Return the numbers and cases that the words of a region may have."""
    if region.outcome == PLURAL or "innen" in region.star.lower():
        return PLUR
    case = case_of(region.outcome)
    return MASC | FEM if case < 0 else bit(MASCULINE, case) | bit(FEMININE, case)


def _is_certain(candidate: Candidate, region: Region | None, text: str, *, known: bool) -> bool:
    if region is None:
        return known
    # whose the possessed is nobody said
    return (
        candidate.kind != "possessive"
        or not _surface(text, candidate).lower().startswith(("sein", "ihr"))
        or region.outcome == STARRED
    )


def _unpaired(analysis: Analysis, text: str) -> set[int]:
    """Return candidates that may be half of a pair form which was not read (Lehrerinnen, Lehrer und Eltern)."""
    lexicon = german().lexicon
    lemmas: dict[str, list[tuple[int, int]]] = {}
    found = set()
    for index, candidate in enumerate(analysis.candidates):
        word = lexicon.word(_surface(text, candidate)) if candidate.kind == "noun" else None
        if word is not None and word.noun is not None:
            lemmas.setdefault(word.noun.lemma, []).append((index, word.noun.gender))
        rest = text[candidate.end : candidate.end + 8].split()
        if len(rest) > 1 and rest[0] in ("und", "oder", "bzw.", "sowie") and rest[1].startswith("-"):
            found.add(index)
    for members in lemmas.values():
        if len({gender for _, gender in members}) > 1:
            found |= {index for index, _ in members}
    return found | {i for i, c in enumerate(analysis.candidates) if c.governor in found}


def _chosen(candidate: Candidate, region: Region, text: str) -> tuple[int, int, str]:
    """Return what a word of a pair form's half becomes."""
    options = dict(candidate.options)
    surface = _surface(text, candidate)
    case = case_of(region.outcome)
    if candidate.kind == "noun":
        wanted = PLURAL if region.outcome == PLURAL else SINGULAR
    elif candidate.kind in ("pair", "pronoun", "relative") or region.outcome in (STARRED, KEEP):
        wanted = region.outcome
    elif case >= 0:
        wanted = CASES[case]
    else:
        wanted = KEEP
    if wanted not in options and candidate.kind in ("nominalised", "adjective"):
        wanted = KEEP  # the form is the same (dem*der Angestellten)
    if wanted not in options:
        raise UnusableError(f"{candidate.kind} without the outcome of its pair")
    return candidate.start, candidate.end, options[wanted] if wanted != KEEP else surface


def _replaced(text: str, replacements: Sequence[tuple[int, int, str]]) -> str:
    parts, at = [], 0
    for start, end, after in sorted(replacements):
        if start < at:
            raise UnusableError("words overlap")
        parts += [text[at:start], after]
        at = end
    return "".join(parts) + text[at:]


def _check(source: Source, analysis: Analysis, options: Sequence[int], outcomes: Sequence[int]) -> None:
    """Refuse a target whose words do not agree (*die Nutzer\\*in*, *eine\\*n neuen Lehrer\\*in*)."""
    agreed = agree(analysis, options)
    lexicon = german().lexicon
    sentence = Sentence(source.text, lexicon, protected_spans(source.text))
    covered = [False] * len(source.places)
    for index, candidate in enumerate(analysis.candidates):
        places = [i for i, (s, e, _) in enumerate(source.places) if candidate.start < e and s < candidate.end]
        for place in places:
            covered[place] = True
        head = candidate.governor if candidate.governor >= 0 else index
        is_inside = places or any(
            s < analysis.candidates[head].end and analysis.candidates[head].start < e for s, e, _ in source.places
        )
        if is_inside and agreed[index] != outcomes[index] and candidate.kind in (*_DETERMINERS, "adjective", "noun"):
            raise UnusableError("words do not agree")
        if places and candidate.kind == "noun" and outcomes[index] == SINGULAR:
            word = lexicon.word(_surface(source.text, candidate))
            phrase = None if word is None else sentence.phrase(candidate.token, word)
            if phrase is not None and phrase.adjectives and not phrase.certain:
                raise UnusableError("an adjective does not agree")
    if not all(c or r.star == source.text[s:e] for c, (s, e, r) in zip(covered, source.places, strict=True)):
        raise UnusableError("a form is no candidate")


def _follows(analysis: Analysis, index: int, outcomes: Sequence[int], certain: Sequence[bool]) -> bool:
    """Tell whether a word stays for certain: its head is a plural, or its article has taken a case (der*die Kranke)."""
    candidate = analysis.candidates[index]
    if candidate.kind == "nominalised":
        members = [i for i, c in enumerate(analysis.candidates) if c.governor == index and certain[i]]
        return any(case_of(outcomes[i]) >= 0 for i in members)
    if candidate.governor < 0 or not certain[candidate.governor] or outcomes[candidate.governor] != PLURAL:
        return False
    return outcomes[index] == KEEP and all(outcome < STARRED for outcome, _ in candidate.options)
