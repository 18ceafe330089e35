"""Capitals that stress a pronoun: *No, SHE broke it*, *What about HIM?*; SHE, HE, HIS are abbreviations, too."""

from __future__ import annotations

from rewriter.en.back_words import back_words
from rewriter.en.clauses import is_finite
from rewriter.en.closed_words import CLEFT_VERBS
from rewriter.en.inflection import AUXILIARIES, to_plural, to_singular
from rewriter.en.lexicon import traps
from rewriter.en.sentence import Sentence
from rewriter.en.view import persons

#: behind these a pronoun is no subject
_GOVERNING = frozenset("of in on at from by into for with about to within across through under between".split())
_STRESSED_BEHIND = frozenset(
    """and but or that if when because so as while what how why since though where thought said think know say knew
    course only maybe then""".split()
)
#: of these and before auxiliaries, too: only HE has a key; after a comma: oh, HE is the boss
_SURELY_BEHIND = frozenset("course only maybe".split())
_INTERJECTIONS = frozenset("oh ah ha hey wow sure yes yeah no nope well ok okay so and but".split())
_ABOUT = frozenset([("what", "about"), ("how", "about")])
_CLEFT = frozenset("it that this".split())
_ASKING = frozenset("does did doesn't didn't".split())
_ENDS = frozenset(". , ! ? ; : ) ” \" ' all alone now too and but who".split()) | {""}


def is_stressed(sentence: Sentence, index: int) -> bool:
    """Return True if capitals stress a pronoun (*No, SHE broke it*); SHE, HE, HIS are abbreviations, too.

    A sentence with another stressed word, or that is talk about persons, stresses; an abbreviation has a determiner or
    a bracket before it, and HE as one has no verb behind it.
    """
    token = sentence.tokens[index]
    if token.shape != 2:
        return False
    following, before = sentence.norm(index + 1), sentence.norm(index - 1)
    is_subject = token.norm in ("he", "she")
    if not is_subject and token.norm not in ("her", "his", "him", "hers"):
        return True
    if before in traps("determiner") and not (is_subject and before == "that"):
        return False
    if is_subject and before in _GOVERNING:
        return False  # funding for HE
    if before in ("(", "[", "/") or following in (")", "]", "/", "-") or following.isdigit():
        return False
    if not is_subject:
        return (sentence.is_talk and token.norm != "hers") or _is_framed(sentence, index)
    if not is_finite(following) or sentence.tokens[index + 1].shape:
        return before in _ASKING and _is_personal(token.norm, following) and to_singular(following) is not None
    return sentence.is_talk or _has_both(sentence) or _is_stressed_subject(sentence, index)


def _is_stressed_subject(sentence: Sentence, index: int) -> bool:
    """Return True if a verb of persons, or what only talk has, stands beside HE or SHE where no persons are named."""
    norm, verb, before = sentence.norm(index), sentence.norm(index + 1), sentence.norm(index - 1)
    is_exclaimed = before == "," and sentence.norm(index - 2) in _INTERJECTIONS
    if verb in AUXILIARIES:
        return is_exclaimed or before in _SURELY_BEHIND
    if before.isalpha() and before not in _STRESSED_BEHIND:
        return False
    return is_exclaimed or _is_personal(norm, verb)


def _is_personal(norm: str, verb: str) -> bool:
    return norm == "she" or (to_plural(verb) or verb) in back_words("mental verb")


def _has_both(sentence: Sentence) -> bool:
    """Return True if both are in capitals, which two abbreviations hardly are: *SHE walks in and HE leaves*."""
    return {"he", "she"} <= {token.norm for token in sentence.tokens if token.shape == 2}


def _is_framed(sentence: Sentence, index: int) -> bool:
    """Return True if no abbreviation would stand between the words beside HIM, HIS, HER or HERS: *what about HIM?*"""
    norm, following, before = (sentence.norm(place) for place in (index, index + 1, index - 1))
    is_end, second = following in _ENDS, sentence.norm(index - 2)
    if norm == "hers":
        return before in CLEFT_VERBS and is_end
    if norm != "him" and following in persons("gendered") | {"own"} and not sentence.tokens[index + 1].shape:
        return True  # HER mother
    if norm == "his":
        return False
    if before == "let" and norm == "him":
        return to_singular(following) is not None
    return is_end and ((second, before) in _ABOUT or (before in CLEFT_VERBS and second in _CLEFT))
