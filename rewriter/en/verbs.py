"""The verbs of a sentence as candidates: which may have a *he* or *she* as their subject, and which certainly do."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from rewriter.en.clause_words import CLITICS
from rewriter.en.clauses import Clauses
from rewriter.en.closed_words import CLEFT_VERBS, CLOSING_QUOTES, GENDERED_PRONOUNS, SELVES, SUBJECT_PRONOUNS
from rewriter.en.foreign import is_common
from rewriter.en.inflection import AUXILIARIES, guess_plural, to_plural
from rewriter.en.inversion import asked_subject
from rewriter.en.lexicon import traps
from rewriter.en.outcomes import CHANGE, KEEP
from rewriter.en.readings import QUOTING, SAYING, inverted_subject
from rewriter.en.sentence import Sentence
from rewriter.en.tokens import Token
from rewriter.language.candidates import Candidate
from rewriter.language.rules import Decision, Rule

#: verbs of saying that may have a person as their object, unless a quotation ends before them: "Why?" asks Lena
_ASKING = QUOTING - SAYING - {"thinks", "wonders"}
#: endings of nouns that name persons
_PERSON_ENDINGS = ("er", "or", "ist", "ian", "man", "woman", "ess", "nurse", "king", "queen", "judge", "guard", "cook")
_PAUSES = frozenset((",", "?", "!", ".", "…"))
#: between two parts of a word; without a part before them they are quotation marks, emphasis or a dash
_WORD_MARKS = frozenset("-_'’")


def add_verbs(sentence: Sentence) -> None:
    """Every third-person form is a candidate as soon as the sentence holds a subject pronoun that may change."""
    subjects = {c.token for c in sentence.candidates if c.kind == "pronoun" and governs_verbs(sentence.tokens, c.token)}
    if not subjects:
        return
    # "hers" and "stewards" look like verbs too; candidates must not overlap
    taken = sorted((c.start, c.end) for c in sentence.candidates)
    clauses = Clauses(sentence.tokens, subjects, sentence.rules)
    for index, token in enumerate(sentence.tokens):
        norm = token.norm
        if len(norm) < 2 or not (norm[-1] == "s" or norm in AUXILIARIES or norm.endswith(("n't", "th"))):
            continue
        before = bisect_right(taken, (token.end - 1, 1 << 60)) - 1
        if before >= 0 and token.start < taken[before][1]:
            if sentence.lexicon.is_verb(norm):
                _add_agreeing(sentence, clauses, index, subjects)
            continue
        if (norm in SAYING or norm in _ASKING) and _names_speaker(sentence, index):
            continue
        plural = _plural_of(sentence, index, subjects)
        if plural is None or sentence.is_protected(token.start) or _is_inside_word(sentence, token):
            continue
        rule, forced = _certain_number(sentence, clauses, index, subjects)
        options = ((KEEP, sentence.surface(index)), (CHANGE, plural))
        name = "" if rule is None else rule.name
        sentence.candidates.append(Candidate(token.start, token.end, index, "verb", options, forced, rule=name))


def _add_agreeing(sentence: Sentence, clauses: Clauses, index: int, subjects: set[int]) -> None:
    """Let a verb of the noun table agree with its pronoun: *she mans the desk*, *they staff the desk*."""
    start = sentence.tokens[index].start
    place, noun = next((i, c) for i, c in enumerate(sentence.candidates) if c.start == start)
    rule, forced = _certain_number(sentence, clauses, index, subjects)
    plural = to_plural(noun.options[-1][1])
    if forced != KEEP and plural is not None:
        options = ((KEEP, sentence.surface(index)), (CHANGE, plural))
        name = "" if rule is None else rule.name
        sentence.candidates[place] = Candidate(start, noun.end, index, "verb", options, forced, rule=name)


def _certain_number(
    sentence: Sentence, clauses: Clauses, index: int, subjects: set[int]
) -> tuple[Rule | None, int | None]:
    """Return the rule by which a verb changes with its pronoun or stays, and the outcome; None: the model decides."""
    rule, subject = certain_subject(sentence, index)
    if subject in subjects:
        return rule, CHANGE
    found = clauses.own_subject(index) or clauses.other_subject(index)
    if found is not None:
        return found, KEEP
    rule, subject = clauses.shared_subject(index)
    if subject in subjects:
        sentence.shared[index] = subject
        return rule, CHANGE
    found = clauses.is_noun(index)
    return found, None if found is None else KEEP


#: what makes that a verb of saying has a speaker behind it as its subject
SPEAKER = Decision("en", "blocks")


def _names_speaker(sentence: Sentence, index: int) -> bool:
    """Return True if a verb of saying behind a comma or a quotation is followed by a name, its own subject."""
    before = sentence.norm(index - 1)
    if before not in (",", '"', "”", "’", "'", "?", "!", "-", "–", "—"):
        return False
    if sentence.norm(index) in _ASKING and (before not in CLOSING_QUOTES or sentence.norm(index - 2) not in _PAUSES):
        return False
    return sentence.rules.first(SPEAKER, sentence, index) is not None


@SPEAKER.rule(
    "speaker with an article",
    example='She slept. "It rains," [says] the cook.',
    counter='She slept. "It rains," [says] the cook she met.',
)
def _ends_with_speaker(sentence: Sentence, index: int) -> bool:
    """Return True if a speaker with an article is all that follows a verb of saying: *..., says the cook.*"""
    if sentence.norm(index + 1) not in ("the", "a", "an", "my", "your", "our", "his", "her", "their") or index < 3:
        return False
    is_quoted = sentence.norm(index - 1) in CLOSING_QUOTES
    for place in range(index + 2, min(index + 7, len(sentence.tokens) + 1)):
        norm = sentence.norm(place)
        if norm in ("", "."):
            noun = sentence.norm(place - 1)
            return place > index + 2 and (is_quoted or noun in sentence.lexicon.nouns or noun.endswith(_PERSON_ENDINGS))
        if not norm.isalpha() or norm in ("and", "or", "but", "then") or norm in traps("after object"):
            return False
    return False


@SPEAKER.rule("speaker by name", example="He left, [says] Zuzanna.", counter="He left, [says] nothing.")
def _is_before_name(sentence: Sentence, index: int) -> bool:
    following = sentence.tokens[index + 1] if index + 1 < len(sentence.tokens) else None
    if following is None or following.shape != 1 or following.norm in GENDERED_PRONOUNS:
        return False
    return following.norm in traps("title") or not is_common(following.norm)


def governs_verbs(tokens: Sequence[Token], index: int) -> bool:
    """Return True if a pronoun can have verbs: he, she, or the head of a relative clause (*him who lies*)."""
    if tokens[index].norm in SUBJECT_PRONOUNS:
        return True
    following = tokens[index + 1].norm if index + 1 < len(tokens) else ""
    return tokens[index].norm in ("him", "her") and following in ("who", "that", "which")


#: where the subject of a verb stands for certain, if a pronoun stands there
SUBJECT = Decision("en", "settles")


def certain_subject(sentence: Sentence, index: int) -> tuple[Rule | None, int]:
    """Return the rule that says where the subject of a verb stands for certain, and the place; -1 for none."""
    return sentence.rules.answer(SUBJECT, sentence, index) or (None, -1)


@SUBJECT.rule("verb of saying before its pronoun", example='"No," [says] he.', counter='"No," says he [says] all.')
def _subject_of_saying(sentence: Sentence, index: int) -> int | None:
    return index + 1 if inverted_subject(sentence.tokens, index) else None


@SUBJECT.rule("auxiliary before its pronoun", example="[Is] she here?", counter="What I fear [is] she fell.")
def _asked_subject(sentence: Sentence, index: int) -> int | None:
    return index + 1 if asked_subject(sentence.tokens, index) else None


@SUBJECT.rule("verb behind who", example="Ask him who [lies] often.", counter="He left and [lies] often.")
def _subject_of_relative(sentence: Sentence, index: int) -> int | None:
    """The head of a relative clause: *he who laughs*, *she that laughs*, *it is he himself who laughs*."""
    who = sentence.norm(index - 1)
    if who == "who" or (who == "that" and sentence.norm(index - 2) in SUBJECT_PRONOUNS):
        head = index - 3 if sentence.norm(index - 2) in SELVES else _before_parenthesis(sentence, index - 2)
        return head if sentence.norm(head) in _HEADS else None
    return None


def _before_parenthesis(sentence: Sentence, place: int) -> int:
    """Return the place before what stands between commas behind *it is she* (*, not you, who*), or ``place``."""
    if sentence.norm(place) != ",":
        return place
    for comma in range(place - 2, max(2, place - _PARENTHESIS), -1):
        norm = sentence.norm(comma)
        if norm == ",":
            is_cleft = sentence.norm(comma - 1) in SUBJECT_PRONOUNS and sentence.norm(comma - 3) == "it"
            return comma - 1 if is_cleft and sentence.norm(comma - 2) in CLEFT_VERBS else place
        if not norm.isalpha() and norm not in CLITICS:
            return place
    return place


@SUBJECT.rule("beside its pronoun", example="Then she [sings] well.", counter="Then she and Ann [sings] well.")
def _subject_beside(sentence: Sentence, index: int) -> int | None:
    """Past markup: ``<b>he</b> knows``."""
    place = index - 1
    while place >= 0 and (
        sentence.norm(place) in ("*", "_", "}") or sentence.is_protected(sentence.tokens[place].start)
    ):
        place -= 1
    return place if sentence.norm(place) in _HEADS else None


#: forms of pronouns and of double forms, whose place a subject may be
_HEADS = GENDERED_PRONOUNS | {"they"}
#: words between the commas at most
_PARENTHESIS = 8


def _plural_of(sentence: Sentence, index: int, subjects: set[int]) -> str | None:
    surface = sentence.surface(index)
    plural = to_plural(surface)
    if plural is None and any(index - distance in subjects for distance in (1, 2)):
        # a verb outside the tables only right after its pronoun, where nothing else can stand
        return guess_plural(surface)
    return plural


def _is_inside_word(sentence: Sentence, token: Token) -> bool:
    text = sentence.text
    before, after = text[max(0, token.start - 2) : token.start], text[token.end : token.end + 2]
    is_begun = before[-1:] in _WORD_MARKS and before[:-1].isalnum()
    return is_begun or (after[:1] in _WORD_MARKS - {"’"} and after[1:].isalnum())
