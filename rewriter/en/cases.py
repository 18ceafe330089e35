"""Which case of the paradigm *her* and *his* are, where the words beside them leave one reading."""

from __future__ import annotations

from collections.abc import Container

from rewriter.en.her_odds import her_odds
from rewriter.en.her_phrases import OWNER
from rewriter.en.lexicon import traps
from rewriter.en.outcomes import OBJECT, POSSESSIVE, STANDALONE
from rewriter.en.readings import HER_OBJECT, her_words, is_given
from rewriter.en.sentence import Sentence
from rewriter.en.standalone_his import HIS_ALONE
from rewriter.language.rules import Decision, Rule

#: words with which no noun phrase goes on, behind *her* and *his*
END_OF_HER = Decision("en", "settles")
END_OF_HIS = Decision("en", "settles")


def certain_outcome(sentence: Sentence, index: int, norm: str) -> Rule | None:
    """Return the rule by which the neighbours of *her* or *his* settle its case; None where two readings compete."""
    tokens, rules = sentence.tokens, sentence.rules
    is_his = norm == "his"
    found = rules.first(OWNER, tokens, index) or rules.first(END_OF_HIS if is_his else END_OF_HER, sentence, index)
    if found is not None:
        return found
    found = rules.first(HIS_ALONE, tokens, index) if is_his else rules.first(HER_OBJECT, tokens, index)
    return found or rules.first(HER_WORDS, sentence, index)


def _is_end(sentence: Sentence, index: int, closing: Container[str]) -> bool:
    """Return True if a pause, the end of the sentence or a negated verb stands behind a pronoun."""
    following = sentence.norm(skip_markup(sentence, index + 1))
    return not following or following in closing or following.endswith("n't")


@END_OF_HER.rule("her at the end", outcome=OBJECT, example="We called [her].", counter="We called [her] aunt.")
def _is_end_of_her(sentence: Sentence, index: int) -> bool:
    return _is_end(sentence, index, _CLOSING)


@END_OF_HIS.rule("his at the end", outcome=STANDALONE, example="This hat is [his].", counter="This is [his], I think.")
def _is_end_of_his(sentence: Sentence, index: int) -> bool:
    return _is_end(sentence, index, ".!?;")


@END_OF_HER.rule(
    "her before what no noun begins with",
    outcome=OBJECT,
    example="We called [her] because of you.",
    counter="We called [her] brother.",
)
@END_OF_HIS.rule(
    "his before what no noun begins with",
    outcome=STANDALONE,
    example="We took [his] because of you.",
    counter="We took [his] coat.",
)
def _precedes_no_noun(sentence: Sentence, index: int) -> bool:
    """Return True if no noun phrase goes on behind a pronoun; with *in-flight* and *US* one does."""
    place = skip_markup(sentence, index + 1)
    if place >= len(sentence.tokens):
        return False
    token = sentence.tokens[place]
    return token.norm in traps("after object") and token.shape < 2 and sentence.norm(place + 1) != "-"


#: words of a table that leave *her* and *his* one reading
HER_WORDS = Decision("en", "settles")


def _reading(sentence: Sentence, place: int) -> str | None:
    if place >= len(sentence.tokens) or not _is_running(sentence, place):
        return None
    return her_words().get(sentence.norm(place))


@HER_WORDS.rule(
    "her before a word of the table: object",
    outcome=OBJECT,
    example="We kept [her] awake.",
    counter="They left [her] house today.",
)
def _is_object_by_table(sentence: Sentence, index: int) -> bool:
    place = skip_markup(sentence, index + 1)
    is_her = sentence.norm(index) == "her"
    return is_her and _reading(sentence, place) == "object" and sentence.norm(place + 1) != "-"


@HER_WORDS.rule(
    "last or next before what somebody has",
    outcome=POSSESSIVE,
    example="We met [her] last husband.",
    counter="We met [her] last week.",
)
def _is_last_owned(sentence: Sentence, index: int) -> bool:
    place = skip_markup(sentence, index + 1)
    return sentence.norm(place) in ("last", "next") and her_words().get(sentence.norm(place + 1)) == "possessive"


@HER_WORDS.rule(
    "her before a word of the table: possessive",
    outcome=POSSESSIVE,
    example="We like [her] husband.",
    counter="They paid [her] way more.",
)
def _is_possessive_by_table(sentence: Sentence, index: int) -> bool:
    place = skip_markup(sentence, index + 1)
    if _reading(sentence, place) != "possessive":
        return False
    following = sentence.norm(place)
    if following == "way" and sentence.norm(place + 1) in _DEGREES:
        return False  # paid her way more
    return sentence.norm(index) == "his" or not is_given(sentence.norm(index - 1), following)


def possessive_odds(sentence: Sentence, index: int) -> float:
    """Return the log-odds of a possessive for *her*; 0 where the words beside it are none of running text."""
    place = skip_markup(sentence, index + 1)
    word = sentence.norm(place)
    second = sentence.norm(place + 1)
    if not index or not word[:1].isalnum() or not (sentence.tokens[place].shape == 0 or sentence.shouting):
        return 0.0
    if second in ("-", "‑") or (word == "way" and second in _DEGREES):
        return 0.0  # compounds are not counted; paid her way more
    return her_odds(sentence.norm(index - 1), word, second)


_DEGREES = frozenset("too more past ahead better worse off over before after less".split())


def skip_markup(sentence: Sentence, index: int) -> int:
    """Return the first place from ``index`` on that is in no tag and no LaTeX command, nor an asterisk or bracket."""
    while index < len(sentence.tokens) and (sentence.norm(index) in ("*", "}") or _is_in_tag(sentence, index)):
        index += 1
    return index


def _is_in_tag(sentence: Sentence, index: int) -> bool:
    offset = sentence.tokens[index].start
    span = next((s for s in sentence.protected if s[0] <= offset < s[1]), None)
    return span is not None and sentence.text[span[0]] in "<\\{"


def _is_running(sentence: Sentence, index: int) -> bool:
    return sentence.tokens[index].shape == 0 or sentence.shouting or sentence.title_case


_CLOSING = frozenset(".,;:!?)]”")
