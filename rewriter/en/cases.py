"""Which case of the paradigm *her* and *his* are, where the words beside them leave one reading."""

from __future__ import annotations

from rewriter.en.alone import is_friend_of_his, is_his_compared, is_his_some_day
from rewriter.en.her_odds import her_odds
from rewriter.en.her_phrases import is_owner, is_seen
from rewriter.en.lexicon import traps
from rewriter.en.outcomes import CHANGE, OBJECT, POSSESSIVE, STANDALONE
from rewriter.en.readings import (
    her_words,
    is_given,
    is_infinitive_behind,
    is_object_before,
    is_object_between,
    is_of_his,
    is_predicate_his,
)
from rewriter.en.sentence import Sentence

_HIS_ALONE = (is_of_his, is_predicate_his, is_his_some_day, is_his_compared, is_friend_of_his)


def certain_outcome(sentence: Sentence, index: int, norm: str) -> int | None:
    """Return the outcome of a pronoun that its neighbour settles; None where two readings compete."""
    if norm not in ("her", "his"):
        return CHANGE
    place = skip_markup(sentence, index + 1)
    following = sentence.norm(place)
    is_his = norm == "his"
    if is_owner(sentence.tokens, index):
        return POSSESSIVE
    closing = ".!?;" if is_his else _CLOSING
    if not following or following in closing or following.endswith("n't") or _precedes_no_noun(sentence, place):
        return STANDALONE if is_his else OBJECT
    tokens = sentence.tokens
    if is_his and any(is_alone(tokens, index) for is_alone in _HIS_ALONE):
        return STANDALONE
    is_object = is_object_between(tokens, index) or is_infinitive_behind(tokens, index)
    if not is_his and (is_object or is_object_before(tokens, index) or is_seen(tokens, index)):
        return OBJECT
    reading = her_words().get(following) if _is_running(sentence, place) else None
    if reading == "object" and not is_his and sentence.norm(place + 1) != "-":
        return OBJECT
    is_degree = following == "way" and sentence.norm(place + 1) in _DEGREES  # paid her way more
    if following in ("last", "next") and her_words().get(sentence.norm(place + 1)) == "possessive":
        return POSSESSIVE  # her last husband
    is_gift = not is_his and is_given(sentence.norm(index - 1), following)
    return POSSESSIVE if reading == "possessive" and not is_degree and not is_gift else None


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


def _precedes_no_noun(sentence: Sentence, index: int) -> bool:
    """Tell whether the word at ``index`` stands where no noun phrase goes on; *in-flight* and *US* do go on."""
    token = sentence.tokens[index]
    return token.norm in traps("after object") and token.shape < 2 and sentence.norm(index + 1) != "-"


_CLOSING = frozenset(".,;:!?)]”")
