"""English candidates: which words of a sentence may change, and into what.

The lexicon and the closed classes of the convention decide what *may* happen; an encoder decides what does where two
readings compete (her, his, 's, the number of a verb, a name that looks like a pronoun). What has one reading only is
forced here and never reaches the model's choice.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from rewriter.candidates import Analysis, Candidate
from rewriter.en import clitics
from rewriter.en.back_words import back_words
from rewriter.en.breaks import fit_gaps, keep_break
from rewriter.en.clauses import Clauses, is_finite
from rewriter.en.foreign import is_common, is_foreign, is_foreign_quotation, is_name_part
from rewriter.en.inflection import AUXILIARIES, guess_plural, match_case, to_plural
from rewriter.en.lexicon import EnglishLexicon, squeeze, traps
from rewriter.en.readings import (
    SAYING,
    has_own_subject,
    her_words,
    inverted_subject,
    is_given,
    is_infinitive_behind,
    is_object_before,
    is_object_between,
    is_of_his,
    is_predicate_his,
)
from rewriter.en.tokens import Token, shape_of, tokenize

OUTCOMES = ("keep", "change", "object", "possessive", "standalone", "is", "has")
KEEP, CHANGE, OBJECT, POSSESSIVE, STANDALONE, IS, HAS = range(len(OUTCOMES))

_SUBJECT_PRONOUNS = frozenset({"he", "she"})


_SYMBOL = re.compile(r"\b[A-Z][A-Za-z0-9]*\b")
_VOWEL_SOUND = re.compile(r"(?!uni|use|usu|euro?|one\b|once)[aeiou]|hono|hour|heir", re.IGNORECASE)


#: what the encoder reads for a collapsed double form
_DOUBLE_NORM = {"subject": "he", "object": "him", "possessive": "his", "standalone": "hers", "reflexive": "himself"}


class _Sentence:
    """The analysis of one sentence while it grows."""

    def __init__(self, text: str, lexicon: EnglishLexicon, protected: Sequence[tuple[int, int]]) -> None:
        self.text, self.lexicon, self.protected = text, lexicon, protected
        self.lower = text.lower()
        self.candidates: list[Candidate] = []
        #: verb -> pronoun that it shares with a verb before it
        self.shared: dict[int, int] = {}
        self.doubles = self._find_doubles()
        self.tokens = _merge_doubles(tokenize(text), self.doubles)

    def _find_doubles(self) -> list[re.Match[str]]:
        lexicon = self.lexicon
        if lexicon.double_hint.search(self.lower) is None:
            return []
        # the pattern takes ſ for s and ı for i, the table does not
        found = (m for m in lexicon.double_pattern.finditer(self.text) if squeeze(m.group()) in lexicon.double_cases)
        return [m for m in found if not self.is_protected(m.start())]

    @cached_property
    def foreign(self) -> bool:
        """Whether the sentence is in another language."""
        words = {token.norm for token in self.tokens}
        if not words & _ENGLISH and words & traps("foreign"):
            return True
        return is_foreign(self.tokens, _FORMS)

    @cached_property
    def shouting(self) -> bool:
        """Whether capitals are the style of the whole sentence, so that they mean nothing for one word."""
        return _is_shouting(self.text)

    @cached_property
    def title_case(self) -> bool:
        """Whether most words begin with a capital, as in headings."""
        shapes = [token.shape for token in self.tokens if token.norm.isalpha()]
        return sum(shape > 0 for shape in shapes) > 0.6 * len(shapes)

    def is_protected(self, offset: int) -> bool:
        """Tell whether the character at ``offset`` lies in a protected span."""
        index = bisect_right(self.protected, (offset, 1 << 60)) - 1
        return index >= 0 and offset < self.protected[index][1]

    def surface(self, index: int) -> str:
        """Return the text of a token."""
        return self.text[self.tokens[index].start : self.tokens[index].end]

    def norm(self, index: int) -> str:
        """Return the normalised word at ``index``, empty outside the sentence."""
        return self.tokens[index].norm if 0 <= index < len(self.tokens) else ""


def _is_shouting(text: str) -> bool:
    """Tell whether capitals are the style of the whole sentence, so that they mean nothing for one word."""
    letters = [c for c in text if c.isalpha()]
    return len(letters) > 3 and sum(c.isupper() for c in letters) > 0.7 * len(letters)


def _merge_doubles(tokens: list[Token], doubles: list[re.Match[str]]) -> list[Token]:
    """Replace the tokens of every double form by one token."""
    if not doubles:
        return tokens
    merged: list[Token] = []
    spans = iter([*(m.span() for m in doubles), (1 << 60, 1 << 60)])
    start, end = next(spans)
    for token in tokens:
        while token.start >= end:
            start, end = next(spans)
        if token.end <= start:
            merged.append(token)
        elif not merged or merged[-1].start != start:
            merged.append(Token(start, end, "he", shape_of(_first_word(token))))
    return merged


def _first_word(token: Token) -> str:
    return token.norm.capitalize() if token.shape else token.norm


def analyze(
    text: str, lexicon: EnglishLexicon, *, protected: Sequence[tuple[int, int]] = (), training: bool = False
) -> Analysis:
    """Find the candidates of a sentence.

    Args:
        text: one sentence.
        lexicon: compiled tables.
        protected: spans of the sentence that must stay, in order.
        training: leave nothing to the grammar alone, so that every candidate of a pair gets its label.
    """
    sentence = _Sentence(text, lexicon, protected)
    double_cases = {m.start(): lexicon.double_cases[squeeze(m.group())] for m in sentence.doubles}
    for index, token in enumerate(sentence.tokens):
        if token.start in double_cases:
            _add_double(sentence, index, double_cases[token.start])
        elif token.norm in _PRONOUNS and not _is_blocked(sentence, index):
            _add_pronoun(sentence, index)
    _add_nouns(sentence)
    _add_verbs(sentence)
    sentence.candidates = _without_overlaps(sentence.candidates)
    candidates = _link(sentence)
    if training:
        candidates = [replace(c, forced=None) for c in candidates]
    return Analysis(sentence.tokens, candidates)


def _without_overlaps(candidates: list[Candidate]) -> list[Candidate]:
    """Return the candidates in order; of two that share characters (Chairwomen's/he) the first."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda c: c.start):
        if not kept or kept[-1].end <= candidate.start:
            kept.append(candidate)
    return kept


def find_pronouns(text: str, protected: Sequence[tuple[int, int]] = ()) -> Analysis:
    """Return the tokens of a sentence and the candidates of its gendered pronouns alone.

    Each word of a double form (*he or she*) is a candidate of its own. For what asks the model for the case of *her*
    and *his* without rewriting.

    Args:
        text: one sentence.
        protected: spans of the sentence that must stay, in order.
    """
    sentence = _Sentence(text, _NO_NOUNS, protected)
    for index, token in enumerate(sentence.tokens):
        if token.norm in _PRONOUNS and not _is_blocked(sentence, index):
            _add_pronoun(sentence, index)
    return Analysis(sentence.tokens, [c for c in sentence.candidates if c.kind == "pronoun"])


_NO_NOUNS = EnglishLexicon()

_PRONOUNS: dict[str, tuple[tuple[int, str], ...]] = {
    "he": ((CHANGE, "subject"),),
    "she": ((CHANGE, "subject"),),
    "him": ((CHANGE, "object"),),
    "hers": ((CHANGE, "standalone"),),
    "himself": ((CHANGE, "reflexive"),),
    "herself": ((CHANGE, "reflexive"),),
    "her": ((OBJECT, "object"), (POSSESSIVE, "possessive")),
    "his": ((POSSESSIVE, "possessive"), (STANDALONE, "standalone")),
}


_FORMS = frozenset(_PRONOUNS)
_QUOTES = {('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("«", "»"), ("„", "“"), ("‹", "›")}


def _is_blocked(sentence: _Sentence, index: int) -> bool:
    """Tell whether a pronoun form is certainly none: protected, part of a word, a surname, foreign, helium."""
    token, text = sentence.tokens[index], sentence.text
    before = text[token.start - 1] if token.start else " "
    after = text[token.end] if token.end < len(text) else " "
    if sentence.is_protected(token.start) or before.isalnum() or after.isalnum() or "_" in before + after:
        # emphasis (_her_) is text; the protected spans already hold snake_case
        return not (before == after == "_") or sentence.is_protected(token.start)
    if after in "-‐‑" and text[token.end + 1 : token.end + 2].isalnum():
        return True
    if before in "-‐‑" and text[token.start - 2 : token.start - 1].isalnum():
        return text[max(0, token.start - 3) : token.start] != " --"
    if (before, after) in _QUOTES:
        # a word in quotation marks by itself is mentioned, not used
        return True
    if _is_code(text, token):
        return True
    return _is_name(sentence, index) or _is_foreign(sentence, index)


def _is_code(text: str, token: Token) -> bool:
    """Tell whether a form is called, indexed, or has or is an attribute: ``her._x``, ``him[i]``, ``x.herself``."""
    behind, ahead = text[max(0, token.start - 2) : token.start], text[token.end : token.end + 2]
    if ahead[:1] in "([" and ahead[1:] and not ahead[1].isdigit() and ahead != "(s":
        return True
    is_attribute = ahead[:1] == "." and (ahead[1:].islower() or ahead[1:] == "_")
    return is_attribute or (behind[-1:] == "." and behind[:1].isalnum() and token.shape == 0)


def _is_name(sentence: _Sentence, index: int) -> bool:
    token = sentence.tokens[index]
    if token.shape != 1:
        return False
    if is_name_part(sentence.tokens, index) or _is_histidine(sentence, index):
        return True
    previous, following = sentence.norm(index - 1), sentence.norm(index + 1)
    if previous == "." and sentence.norm(index - 2) in traps("title") and not sentence.text[token.start - 1].isalnum():
        return True
    if previous in traps("title") and sentence.tokens[index - 1].shape:
        return True
    if _is_title_of_work(sentence, index):
        return True
    if token.norm == "his" and previous == "of" and sentence.norm(index - 2) in ("bundle", "bundles", "angle"):
        return True
    if token.norm == "he" and previous in traps("before object") and following not in ("who", "that", "which"):
        # "a cloud of He": no subject stands behind a preposition
        return True
    return token.norm == "he" and (following in traps("helium") or _is_in_formula(sentence, index))


def _is_title_of_work(sentence: _Sentence, index: int) -> bool:
    """Tell whether a capital form is a title: *the film Her*, *Her (2013)*, *Jonze's Her*."""
    if not index or sentence.title_case:
        return False
    previous = sentence.tokens[index - 1]
    if previous.norm in traps("work") and previous.shape == 0:
        return True
    if sentence.norm(index + 1) == "(" and re.fullmatch(r"(1[89]|20)\d\d", sentence.norm(index + 2)):
        return True
    owner = sentence.tokens[index - 2] if index > 1 else None
    if previous.norm != "'s" or owner is None or not owner.shape:
        return False
    return owner.norm not in _PRONOUNS and not is_common(owner.norm)


def _is_histidine(sentence: _Sentence, index: int) -> bool:
    near = (i for i in range(index - 2, index + 3) if 0 <= i < len(sentence.tokens) and i != index)
    return sentence.norm(index) == "his" and any(sentence.surface(i) in traps("amino acid") for i in near)


def _is_in_formula(sentence: _Sentence, index: int) -> bool:
    """Tell whether *He* stands beside other symbols of elements, alone in a table's cell, or before a bracket."""
    token, text = sentence.tokens[index], sentence.text
    if text[token.end : token.end + 1] == "(" or text[max(0, token.start - 1) : token.end + 1] == "(He)":
        return True
    if text[: token.start].rstrip()[-1:] == "|" == text[token.end :].lstrip()[:1]:
        return True
    words = [i for i in range(index - 2, index + 3) if 0 <= i < len(sentence.tokens) and i != index]
    if any(sentence.surface(i) in traps("element") for i in words):
        return True
    # "He wants to cut CO2." is about a person
    following = sentence.norm(index + 1)
    is_subject = (to_plural(following) or following) in back_words("mental verb")
    return index > 0 and not is_subject and not traps("gas").isdisjoint(_SYMBOL.findall(text))


def _is_foreign(sentence: _Sentence, index: int) -> bool:
    if sentence.norm(index - 1) in traps("foreign") or sentence.norm(index + 1) in traps("foreign"):
        return True
    token = sentence.tokens[index]
    return sentence.foreign or is_foreign_quotation(sentence.text, token.start, token.end, _FORMS)


#: a sentence without any of these that holds a function word of another language is in that language
_ENGLISH = frozenset(
    "the of to and is was are were with for that it he she they you we on at by from this not have has".split()
)


def _add_pronoun(sentence: _Sentence, index: int) -> None:
    token = sentence.tokens[index]
    surface = sentence.surface(index)
    options = [(KEEP, surface)]
    for outcome, case in _PRONOUNS[token.norm]:
        options.append((outcome, match_case(surface, sentence.lexicon.fair_pronoun(case))))
    certain = _certain_outcome(sentence, index, token.norm)
    forced = certain if _is_plain(sentence, index) else None
    if certain is not None and forced is None:
        # a capital Her may be a name, but before "Dog" no object
        options = [option for option in options if option[0] in (KEEP, certain)]
    sentence.candidates.append(Candidate(token.start, token.end, index, "pronoun", tuple(options), forced))
    if token.norm in _SUBJECT_PRONOUNS:
        _add_clitic(sentence, index)


def _certain_outcome(sentence: _Sentence, index: int, norm: str) -> int | None:
    """Return the outcome of a pronoun that its neighbour settles; None where two readings compete."""
    if norm not in ("her", "his"):
        return CHANGE
    place = _skip_markup(sentence, index + 1)
    following = sentence.norm(place)
    is_his = norm == "his"
    closing = ".!?;" if is_his else _CLOSING
    if not following or following in closing or _precedes_no_noun(sentence, place):
        return STANDALONE if is_his else OBJECT
    tokens = sentence.tokens
    if is_his and (is_of_his(tokens, index) or is_predicate_his(tokens, index)):
        return STANDALONE
    is_object = is_object_between(tokens, index) or is_infinitive_behind(tokens, index)
    if not is_his and (is_object or is_object_before(tokens, index)):
        return OBJECT
    reading = her_words().get(following) if place == index + 1 and _is_running(sentence, place) else None
    if reading == "object" and not is_his and sentence.norm(place + 1) != "-":
        return OBJECT
    is_degree = following == "way" and sentence.norm(place + 1) in _DEGREES  # paid her way more
    if following in ("last", "next") and her_words().get(sentence.norm(place + 1)) == "possessive":
        return POSSESSIVE  # her last husband
    is_gift = not is_his and is_given(sentence.norm(index - 1), following)
    return POSSESSIVE if reading == "possessive" and not is_degree and not is_gift else None


_DEGREES = frozenset("too more past ahead better worse off over before after less".split())


def _skip_markup(sentence: _Sentence, index: int) -> int:
    """Return the first place from ``index`` on that is neither in a tag nor an asterisk."""
    while index < len(sentence.tokens) and (sentence.norm(index) == "*" or _is_in_tag(sentence, index)):
        index += 1
    return index


def _is_in_tag(sentence: _Sentence, index: int) -> bool:
    offset = sentence.tokens[index].start
    span = next((s for s in sentence.protected if s[0] <= offset < s[1]), None)
    return span is not None and sentence.text[span[0]] == "<"


def _is_running(sentence: _Sentence, index: int) -> bool:
    return sentence.tokens[index].shape == 0 or sentence.shouting or sentence.title_case


def _precedes_no_noun(sentence: _Sentence, index: int) -> bool:
    """Tell whether the word at ``index`` stands where no noun phrase goes on; *in-flight* and *US* do go on."""
    token = sentence.tokens[index]
    return token.norm in traps("after object") and token.shape < 2 and sentence.norm(index + 1) != "-"


_CLOSING = frozenset(".,;:!?)]”")


def _is_plain(sentence: _Sentence, index: int) -> bool:
    """Tell whether a form with one reading is surely a pronoun; other capitals (He, HE) the model has to see."""
    token = sentence.tokens[index]
    if token.shape == 0 or sentence.shouting or _is_stressed(sentence, index):
        return True
    following = sentence.tokens[index + 1] if index + 1 < len(sentence.tokens) else token
    return token.shape == 1 and index == 0 and following.shape == 0 and following.norm.strip("'").isalpha()


def _is_stressed(sentence: _Sentence, index: int) -> bool:
    """Tell whether capitals stress a pronoun (*No, SHE broke it*); SHE and HE are abbreviations, too."""
    token = sentence.tokens[index]
    if token.shape != 2 or token.norm in ("her", "his", "him"):
        return False
    if token.norm not in _SUBJECT_PRONOUNS:
        return token.norm != "hers"
    verb, before = sentence.norm(index + 1), sentence.norm(index - 1)
    if verb in AUXILIARIES or (before.isalpha() and before not in _STRESSED_BEHIND):
        return False
    if index + 1 < len(sentence.tokens) and sentence.tokens[index + 1].shape:
        return False
    return is_finite(verb) and (token.norm == "she" or (to_plural(verb) or verb) in back_words("mental verb"))


_STRESSED_BEHIND = frozenset(
    """and but or that if when because so as while what how why since though where thought said think know say
    knew""".split()
)


def _add_clitic(sentence: _Sentence, index: int) -> None:
    if sentence.norm(index + 1) != "'s":
        return
    token = sentence.tokens[index + 1]
    if token.start - sentence.tokens[index].end > 1:
        return
    surface = sentence.surface(index + 1)
    apostrophe, upper = surface[0], surface[1].isupper()
    options = (
        (KEEP, surface),
        (IS, apostrophe + ("RE" if upper else "re")),
        (HAS, apostrophe + ("VE" if upper else "ve")),
    )
    forced = {clitics.IS: IS, clitics.HAS: HAS}.get(clitics.certain_clitic(sentence.tokens, index + 2) or "")
    sentence.candidates.append(Candidate(token.start, token.end, index + 1, "contraction", options, forced))


def _add_double(sentence: _Sentence, index: int, case: str) -> None:
    token = sentence.tokens[index]
    norm = "they" if re.search(r"\band\b", sentence.surface(index), re.IGNORECASE) else _DOUBLE_NORM[case]
    sentence.tokens[index] = token._replace(norm=norm)
    surface = sentence.surface(index)
    style = re.sub(r"[^A-Za-z]", "", surface)
    if not style.isupper():
        style = style[0].upper() + "x" if surface.lstrip("(")[:1].isupper() or surface[:2] == "(S" else "x"
    fair = match_case(style, sentence.lexicon.fair_pronoun(case))
    _add_phrase(sentence, (token.start, token.end), index, "pronoun", fair, CHANGE)
    if norm == "he":
        _add_clitic(sentence, index)


def _add_verbs(sentence: _Sentence) -> None:
    """Every third-person form is a candidate as soon as the sentence holds a subject pronoun that may change."""
    subjects = {c.token for c in sentence.candidates if c.kind == "pronoun" and governs_verbs(sentence.tokens, c.token)}
    if not subjects:
        return
    # "hers" and "stewards" look like verbs too; candidates must not overlap
    taken = sorted((c.start, c.end) for c in sentence.candidates)
    clauses = Clauses(sentence.tokens, subjects)
    for index, token in enumerate(sentence.tokens):
        norm = token.norm
        if len(norm) < 2 or not (norm[-1] == "s" or norm in AUXILIARIES or norm.endswith("n't")):
            continue
        before = bisect_right(taken, (token.end - 1, 1 << 60)) - 1
        if before >= 0 and token.start < taken[before][1]:
            continue
        if norm in SAYING and _names_speaker(sentence, index):
            continue
        plural = _plural_of(sentence, index, subjects)
        if plural is None or sentence.is_protected(token.start) or _is_inside_word(sentence, token):
            continue
        forced = _certain_number(sentence, clauses, index, subjects)
        options = ((KEEP, sentence.surface(index)), (CHANGE, plural))
        sentence.candidates.append(Candidate(token.start, token.end, index, "verb", options, forced))


def _certain_number(sentence: _Sentence, clauses: Clauses, index: int, subjects: set[int]) -> int | None:
    """Return whether a verb certainly changes with its pronoun or certainly stays; None where the model decides."""
    if _certain_subject(sentence, index) in subjects:
        return CHANGE
    if has_own_subject(sentence.tokens, index) or clauses.has_other_subject(index):
        return KEEP
    shared = clauses.shared_subject(index)
    if shared in subjects:
        sentence.shared[index] = shared
        return CHANGE
    return KEEP if clauses.is_noun(index) else None


def _names_speaker(sentence: _Sentence, index: int) -> bool:
    """Tell whether a verb of saying behind a comma or a quotation is followed by a name, its own subject."""
    if sentence.norm(index - 1) not in (",", '"', "”", "’", "'", "?", "!", "-", "–", "—"):
        return False
    following = sentence.tokens[index + 1] if index + 1 < len(sentence.tokens) else None
    if following is None or following.shape != 1 or following.norm in _PRONOUNS:
        return False
    return following.norm in traps("title") or not is_common(following.norm)


def governs_verbs(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a pronoun can have verbs: he, she, or the head of a relative clause (*him who lies*)."""
    if tokens[index].norm in _SUBJECT_PRONOUNS:
        return True
    following = tokens[index + 1].norm if index + 1 < len(tokens) else ""
    return tokens[index].norm in ("him", "her") and following in ("who", "that", "which")


def _certain_subject(sentence: _Sentence, index: int) -> int:
    """Return the place where the subject of a verb stands for certain, if a pronoun stands there.

    That is the one before it, past markup (``<b>he</b> knows``), *who* and *that* (*he who laughs*), or the one behind
    a verb of saying (*"No," says he.*).
    """
    if inverted_subject(sentence.tokens, index):
        return index + 1
    place = index - 1
    while place >= 0 and (sentence.norm(place) in ("*", "_") or sentence.is_protected(sentence.tokens[place].start)):
        place -= 1
    is_relative = sentence.norm(place) == "who" or (
        sentence.norm(place) == "that" and sentence.norm(place - 1) in _SUBJECT_PRONOUNS
    )
    return place - 1 if place == index - 1 and is_relative else place


def _plural_of(sentence: _Sentence, index: int, subjects: set[int]) -> str | None:
    surface = sentence.surface(index)
    plural = to_plural(surface)
    if plural is None and any(index - distance in subjects for distance in (1, 2)):
        # a verb outside the tables only right after its pronoun, where nothing else can stand
        return guess_plural(surface)
    return plural


def _is_inside_word(sentence: _Sentence, token: Token) -> bool:
    text = sentence.text
    before, after = text[max(0, token.start - 1) : token.start], text[token.end : token.end + 1]
    return (after in ("-", "_", "'") and text[token.end + 1 : token.end + 2].isalnum()) or before in (
        "-",
        "_",
        "'",
        "’",
    )


def _add_nouns(sentence: _Sentence) -> None:
    if sentence.lexicon.noun_hint.search(sentence.lower) is None:
        return
    starts = {token.start: index for index, token in enumerate(sentence.tokens)}
    for match in sentence.lexicon.noun_pattern.finditer(sentence.text):
        index = starts.get(match.start("noun"))
        if index is None or sentence.is_protected(match.start("noun")):
            continue
        entry = sentence.lexicon.nouns.get(re.sub(r"\s+", " ", match["noun"].lower()))
        if entry is None:
            continue  # the pattern takes ſ for s and ı for i
        fair, is_plural = entry
        after = (
            _article(match, fair)
            + fit_gaps(match["noun"], match_case(_noun_style(sentence, match), fair))
            + _genitive(match, fair, is_plural)
        )
        forced = CHANGE if _is_plain_noun(sentence, index, match) else None
        _add_phrase(sentence, match.span(), index, "noun", after, forced)


def _add_phrase(
    sentence: _Sentence, span: tuple[int, int], index: int, kind: str, after: str, forced: int | None
) -> None:
    """Add a candidate that changes or stays; left out where its line break would be lost."""
    kept = keep_break(sentence.text, *span, after)
    if kept is not None:
        start, end, after = kept
        options = ((KEEP, sentence.text[start:end]), (CHANGE, after))
        sentence.candidates.append(Candidate(start, end, index, kind, options, forced))


def _noun_style(sentence: _Sentence, match: re.Match[str]) -> str:
    return match["noun"] if match["noun"].isupper() else match["noun"][0] + "x"


def _article(match: re.Match[str], fair: str) -> str:
    if not match["article"]:
        return ""
    article = "an" if _VOWEL_SOUND.match(fair) else "a"
    return match_case(match["article"] + "x", article) + match["gap"]


def _genitive(match: re.Match[str], fair: str, is_plural: bool) -> str:
    genitive = match["genitive"] or ""
    return genitive[:1] if genitive and is_plural and fair.endswith("s") else genitive


#: nouns of the table that are surnames, too
_SURNAMES = frozenset("foreman steward stewards postman layman freshman barman".split())


def _is_plain_noun(sentence: _Sentence, index: int, match: re.Match[str]) -> bool:
    """A lower-case noun of the table with one reading only; capitals (surnames) and *to steward* are open."""
    if sentence.tokens[index].shape and not (sentence.shouting and match["noun"].lower() not in _SURNAMES):
        return False
    if match["noun"].lower() not in ("steward", "stewards"):
        return True
    return bool(match["article"]) or sentence.norm(index - 1) in traps("determiner") | {"'s"}


def _link(sentence: _Sentence) -> list[Candidate]:
    """Tie every clitic and every verb right beside a pronoun to that pronoun's candidate."""
    by_token = {c.token: i for i, c in enumerate(sentence.candidates) if c.kind == "pronoun"}
    linked = []
    for candidate in sentence.candidates:
        is_tied = candidate.kind == "contraction" or (candidate.kind == "verb" and candidate.forced == CHANGE)
        subject = sentence.shared.get(candidate.token)
        if subject is None and is_tied:
            subject = _certain_subject(sentence, candidate.token)
        governor = -1 if subject is None else by_token.get(subject, -1)
        linked.append(replace(candidate, governor=governor) if governor >= 0 else candidate)
    return linked
