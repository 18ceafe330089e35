"""English candidates: which words of a sentence may change, and into what.

The lexicon and the closed classes of the convention decide what *may* happen; an encoder decides what does where two
readings compete (her, his, 's, the number of a verb, a name that looks like a pronoun). What has one reading only is
forced here and never reaches the model's choice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rewriter.en.blocked import is_blocked
from rewriter.en.cases import certain_outcome, possessive_odds, skip_markup
from rewriter.en.clitics import certain_clitic
from rewriter.en.closed_words import SUBJECT_PRONOUNS
from rewriter.en.dialect import dialect_form
from rewriter.en.her_odds import CERTAIN, WEIGHT
from rewriter.en.inflection import match_case
from rewriter.en.lexicon import EnglishLexicon, squeeze
from rewriter.en.nouns import add_nouns, add_phrase
from rewriter.en.openings import opening
from rewriter.en.outcomes import CHANGE, HAS, IS, KEEP, OBJECT, OUTCOMES, POSSESSIVE, STANDALONE
from rewriter.en.questions import find_asked
from rewriter.en.readings import gives
from rewriter.en.sentence import Sentence
from rewriter.en.stressed import is_stressed
from rewriter.en.verbs import add_verbs, certain_subject, governs_verbs
from rewriter.language.candidates import Analysis, Candidate
from rewriter.language.rules import Decision, Rule
from rewriter.language.tokens import Token

__all__ = [
    "CHANGE",
    "HAS",
    "IS",
    "KEEP",
    "OBJECT",
    "OUTCOMES",
    "POSSESSIVE",
    "STANDALONE",
    "analyze",
    "find_pronouns",
    "governs_verbs",
]

#: what the encoder reads for a collapsed double form
_DOUBLE_NORM = {"subject": "he", "object": "him", "possessive": "his", "standalone": "hers", "reflexive": "himself"}


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
    sentence = Sentence(text, lexicon, protected)
    double_cases = {m.start(): lexicon.double_cases[squeeze(m.group())] for m in sentence.doubles}
    for index, token in enumerate(sentence.tokens):
        if token.start in double_cases:
            _add_double(sentence, index, double_cases[token.start])
        elif token.norm in PRONOUNS and not is_blocked(sentence, index):
            _add_pronoun(sentence, index)
    _add_asked(sentence)
    add_nouns(sentence)
    add_verbs(sentence)
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


def find_pronouns(
    text: str, protected: Sequence[tuple[int, int]] = (), *, lexicon: EnglishLexicon | None = None
) -> Analysis:
    """Return the tokens of a sentence and the candidates of its gendered pronouns alone.

    Each word of a double form (*he or she*) is a candidate of its own. For what asks the model for the case of *her*
    and *his* without rewriting.

    Args:
        text: one sentence.
        protected: spans of the sentence that must stay, in order.
        lexicon: has the rules that are asked; None asks all.
    """
    sentence = Sentence(text, lexicon or _NO_NOUNS, protected)
    for index, token in enumerate(sentence.tokens):
        is_full = sentence.text[token.start] not in "'’"
        if is_full and token.norm in PRONOUNS and not is_blocked(sentence, index):
            _add_pronoun(sentence, index)
    return Analysis(sentence.tokens, [c for c in sentence.candidates if c.kind == "pronoun"])


_NO_NOUNS = EnglishLexicon()

PRONOUNS: dict[str, tuple[tuple[int, str], ...]] = {
    "he": ((CHANGE, "subject"),),
    "she": ((CHANGE, "subject"),),
    "him": ((CHANGE, "object"),),
    "hers": ((CHANGE, "standalone"),),
    "himself": ((CHANGE, "reflexive"),),
    "hisself": ((CHANGE, "reflexive"),),
    "herself": ((CHANGE, "reflexive"),),
    "her": ((OBJECT, "object"), (POSSESSIVE, "possessive")),
    "his": ((POSSESSIVE, "possessive"), (STANDALONE, "standalone")),
}


#: counted odds that leave *her* one reading, or lean to one
ODDS = Decision("en", "settles")
LEAN = Decision("en", "weighs")
#: what makes that a form with one reading is surely a pronoun; other capitals (He, HE) the model has to see
PLAIN = Decision("en", "settles")
#: words that have one fair form
SINGLE = Decision("en", "settles")


def _add_pronoun(sentence: Sentence, index: int) -> None:
    token, rules = sentence.tokens[index], sentence.rules
    surface = sentence.surface(index)
    options = [(KEEP, surface)]
    for outcome, case in PRONOUNS[token.norm]:
        fair = sentence.lexicon.fair_pronoun(case)
        options.append((outcome, match_case(surface, dialect_form(surface, fair))))
    rule, lean = _case(sentence, index) if len(options) > _ONE_CASE else (None, 0.0)
    certain = CHANGE if len(options) <= _ONE_CASE else None if rule is None else rule.outcome
    plain = rules.first(PLAIN, sentence, index) if certain is not None else None
    if certain is not None and plain is None:
        # a capital Her may be a name, but before "Dog" no object
        options = [option for option in options if option[0] in (KEEP, certain)]
    forced = certain if plain is not None else None
    deciding = rule or plain if forced is not None or certain is None else None
    name = "" if deciding is None else deciding.name
    place = token.start, token.end, index
    sentence.candidates.append(Candidate(*place, "pronoun", tuple(options), forced, lean=WEIGHT * lean, rule=name))
    if token.norm in SUBJECT_PRONOUNS:
        _add_clitic(sentence, index)


#: options of a pronoun with one case: to stay, and its fair form
_ONE_CASE = 2


def _case(sentence: Sentence, index: int) -> tuple[Rule | None, float]:
    """Return the rule that settles the case of *her* or *his* or leans to one, and the log-odds."""
    norm = sentence.tokens[index].norm
    rule = certain_outcome(sentence, index, norm)
    return _weighed(sentence, index) if rule is None and norm == "her" else (rule, 0.0)


def _weighed(sentence: Sentence, index: int) -> tuple[Rule | None, float]:
    """Return the rule by which counted odds settle *her* or lean to one reading, and the log-odds."""
    odds = possessive_odds(sentence, index)
    if not odds:
        return None, 0.0
    rule = sentence.rules.first(ODDS, sentence, index, odds)
    if rule is not None:
        return rule, odds
    rule = sentence.rules.first(LEAN, sentence, index, odds)
    return rule, odds if rule is not None else 0.0


@ODDS.rule(
    "counted odds of an object", outcome=OBJECT, example="We let [her] see Ann.", counter="We helped [her] sister."
)
def _is_surely_object(sentence: Sentence, index: int, odds: float) -> bool:
    return odds <= -CERTAIN


@ODDS.rule(
    "counted odds of a possessive",
    outcome=POSSESSIVE,
    example="She was kind until [her] zeugma.",
    counter="We bought [her] zeugma.",
)
def _is_surely_possessive(sentence: Sentence, index: int, odds: float) -> bool:
    """Not behind *bought*: for her, or those that she has."""
    return odds >= CERTAIN and not gives(sentence.norm(index - 1))


@LEAN.rule("counted odds", example="We liked [her] odd zeugma.", counter="We liked [her].")
def _leans(sentence: Sentence, index: int, odds: float) -> bool:
    return True


@PLAIN.rule("pronoun in lower case", example="Then [he] left.", counter="Then [He] left.")
def _is_lower(sentence: Sentence, index: int) -> bool:
    return sentence.tokens[index].shape == 0


@PLAIN.rule("pronoun in a sentence in capitals", example="THEN [HE] LEFT US.", counter="Then [HE] left us.")
def _is_shouted(sentence: Sentence, index: int) -> bool:
    return sentence.shouting


@PLAIN.rule("stressed pronoun", example="No, [SHE] broke it.", counter="Funding for [SHE] grew.")
def _is_stressed(sentence: Sentence, index: int) -> bool:
    return is_stressed(sentence, index)


@PLAIN.rule("pronoun that begins", example="[He] left us.", counter="[He] Weiping left us.")
def _begins(sentence: Sentence, index: int) -> bool:
    """A capital at the beginning of a sentence or of direct speech, before a word in lower case."""
    following = _following(sentence, index)
    if sentence.tokens[index].shape != 1 or following.shape or not following.norm.strip("'").isalpha():
        return False
    return skip_markup(sentence, 0) == index or opening(sentence) == index or _opens_quotation(sentence, index)


def _following(sentence: Sentence, index: int) -> Token:
    place = skip_markup(sentence, index + 1)
    return sentence.tokens[place] if place < len(sentence.tokens) else sentence.tokens[index]


def _opens_quotation(sentence: Sentence, index: int) -> bool:
    """Return True if a word stands behind an opening quotation mark, where a capital begins the speech."""
    place = index - 1
    while place > 0 and sentence.norm(place) == "*":
        place -= 1
    mark = sentence.tokens[place]
    is_opening = mark.norm in ("“", "«", "„") or (
        mark.norm == '"' and sentence.text[mark.end : mark.end + 1] not in ("", " ")
    )
    return is_opening and (place == 0 or sentence.tokens[place - 1].end < mark.start)


def _add_clitic(sentence: Sentence, index: int) -> None:
    index += sentence.norm(index + 1) == "who"  # she who's late
    if sentence.norm(index + 1) != "'s":
        return
    token = sentence.tokens[index + 1]
    if token.start - sentence.tokens[index].end > 1:
        return
    surface = sentence.surface(index + 1)
    apostrophe, upper = surface[:-1], surface[-1].isupper()
    options = (
        (KEEP, surface),
        (IS, apostrophe + ("RE" if upper else "re")),
        (HAS, apostrophe + ("VE" if upper else "ve")),
    )
    rule = certain_clitic(sentence.tokens, index + 2, sentence.rules)
    forced, name = (None, "") if rule is None else (rule.outcome, rule.name)
    sentence.candidates.append(Candidate(token.start, token.end, index + 1, "contraction", options, forced, rule=name))


def _add_asked(sentence: Sentence) -> None:
    """Add every *'s* between a question word and *he* or *she*: *Why's he limping?*"""
    for pronoun in [candidate.token for candidate in sentence.candidates]:
        asked = find_asked(sentence.text, sentence.tokens, pronoun)
        if asked is None or sentence.is_protected(sentence.tokens[asked.token].start):
            continue
        rule = sentence.rules.first(SINGLE, sentence, asked.token, "asked")
        if rule is None:
            continue
        span = asked.start, sentence.tokens[asked.token].end
        options = ((KEEP, sentence.text[slice(*span)]), (asked.outcome, asked.after))
        asking = Candidate(*span, asked.token, "contraction", options, asked.outcome, rule=rule.name)
        sentence.candidates.append(asking)
        sentence.shared[asked.token] = pronoun


def _add_double(sentence: Sentence, index: int, case: str) -> None:
    token = sentence.tokens[index]
    norm = "they" if re.search(r"\band\b(?!\s*/)", sentence.surface(index), re.IGNORECASE) else _DOUBLE_NORM[case]
    sentence.tokens[index] = token._replace(norm=norm)
    surface = sentence.surface(index)
    style = re.sub(r"[^A-Za-z]", "", surface)
    if not style.isupper():
        style = style[0].upper() + "x" if surface.lstrip("(")[:1].isupper() or surface[:2] == "(S" else "x"
    fair = match_case(style, sentence.lexicon.fair_pronoun(case))
    rule = sentence.rules.first(SINGLE, sentence, index, "double")
    add_phrase(sentence, (token.start, token.end), index, "pronoun", fair, CHANGE if rule else None, rule)
    if norm == "he":
        _add_clitic(sentence, index)


@SINGLE.rule("'s before its subject", example="Why['s] he limping?", counter="Why he['s] limping?")
def _is_asked(sentence: Sentence, index: int, kind: str) -> bool:
    return kind == "asked"


@SINGLE.rule("double form", example="Ask if [he or she] came.", counter="Ask if [he] came.")
def _is_double(sentence: Sentence, index: int, kind: str) -> bool:
    return kind == "double"


def _link(sentence: Sentence) -> list[Candidate]:
    """Tie every clitic and every verb right beside a pronoun to that pronoun's candidate."""
    by_token = {c.token: i for i, c in enumerate(sentence.candidates) if c.kind == "pronoun"}
    linked = []
    for candidate in sentence.candidates:
        is_tied = candidate.kind == "contraction" or (candidate.kind == "verb" and candidate.forced == CHANGE)
        subject = sentence.shared.get(candidate.token)
        if subject is None and is_tied:
            _, subject = certain_subject(sentence, candidate.token)
        governor = -1 if subject is None else by_token.get(subject, -1)
        linked.append(replace(candidate, governor=governor) if governor >= 0 else candidate)
    return linked
