"""Forms that look like pronouns and are none: names, titles of works, symbols, code, words of other languages."""

from __future__ import annotations

import re

from rewriter.en.back_words import BETWEEN, back_words
from rewriter.en.clause_words import CLITICS, OPENERS
from rewriter.en.clauses import is_finite
from rewriter.en.foreign import is_common, is_foreign_quotation, is_name_part
from rewriter.en.inflection import AUXILIARIES, to_plural
from rewriter.en.lexicon import traps
from rewriter.en.mentioned import is_mentioned
from rewriter.en.openings import opening
from rewriter.en.sentence import FORMS, Sentence
from rewriter.en.tokens import Token

_SYMBOL = re.compile(r"\b[A-Z][A-Za-z0-9]*\b")
_QUOTES = {('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("«", "»"), ("„", "“"), ("‹", "›")}


def is_blocked(sentence: Sentence, index: int) -> bool:
    """Tell whether a pronoun form is certainly none: protected, part of a word, a surname, foreign, helium."""
    token, text = sentence.tokens[index], sentence.text
    if token.start in sentence.run_ons:
        return _is_foreign(sentence, index)
    before = text[token.start - 1] if token.start else " "
    after = text[token.end] if token.end < len(text) else " "
    if sentence.is_protected(token.start) or before.isalnum() or after.isalnum() or "_" in before + after:
        # emphasis (_her_) is text; the protected spans already hold snake_case
        return not (before == after == "_") or sentence.is_protected(token.start)
    if "|" in before + after and not before.isspace() and not after.isspace():
        return True  # a row of a table, a regular expression
    if after in "-‐‑" and text[token.end + 1 : token.end + 2].isalnum():
        return True
    if before in "-‐‑" and text[token.start - 2 : token.start - 1].isalnum():
        return text[max(0, token.start - 3) : token.start] != " --"
    if (before, after) in _QUOTES and sentence.norm(index + 1) not in CLITICS:
        # a word in quotation marks by itself is mentioned, not used; 'He's here' begins a quotation
        return True
    if _is_code(text, token) or _is_abbreviation(sentence, index) or is_mentioned(sentence, index):
        return True
    return _is_name(sentence, index) or _is_foreign(sentence, index)


def _is_code(text: str, token: Token) -> bool:
    """Tell whether a form is called, indexed, or has or is an attribute: ``her._x``, ``him[i]``, ``x.herself``."""
    behind, ahead = text[max(0, token.start - 2) : token.start], text[token.end : token.end + 2]
    if ahead[:1] in "([" and ahead[1:] and not ahead[1].isdigit() and ahead != "(s":
        return True
    is_attribute = ahead[:1] == "." and (ahead[1:].islower() or ahead[1:] == "_")
    return is_attribute or (behind[-1:] == "." and behind[:1].isalnum() and token.shape == 0)


def _is_abbreviation(sentence: Sentence, index: int) -> bool:
    """Tell whether a noun follows *HE* or *SHE* in capitals, as no pronoun has it: *HE institutions*."""
    token = sentence.tokens[index]
    if token.shape != 2 or token.norm not in ("he", "she") or sentence.shouting or index + 1 >= len(sentence.tokens):
        return False
    following = sentence.tokens[index + 1]
    if following.shape or not following.norm.isalpha() or following.norm.endswith("ly") or following.norm in BETWEEN:
        return False
    return not (is_finite(following.norm) or following.norm in traps("after object") or following.norm in OPENERS)


def _is_name(sentence: Sentence, index: int) -> bool:
    token = sentence.tokens[index]
    if token.shape != 1:
        return False
    if is_name_part(sentence.tokens, index, first=opening(sentence)) or _is_histidine(sentence, index):
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


def _is_title_of_work(sentence: Sentence, index: int) -> bool:
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
    return owner.norm not in FORMS and not is_common(owner.norm)


def _is_histidine(sentence: Sentence, index: int) -> bool:
    near = (i for i in range(index - 2, index + 3) if 0 <= i < len(sentence.tokens) and i != index)
    return sentence.norm(index) == "his" and any(sentence.surface(i) in traps("amino acid") for i in near)


def _is_in_formula(sentence: Sentence, index: int) -> bool:
    """Tell whether *He* stands beside other symbols of elements, alone in a table's cell, or before a bracket."""
    token, text = sentence.tokens[index], sentence.text
    if text[token.end : token.end + 1] in ("(", "+") or text[max(0, token.start - 1) : token.end + 1] == "(He)":
        return True
    if text[: token.start].rstrip()[-1:] == "|" == text[token.end :].lstrip()[:1]:
        return True
    if sentence.norm(index + 1) == "i" and sentence.norm(index + 2) in _LINES:
        return True
    if sentence.norm(index - 1) in ("3", "4") and any(t.norm in traps("helium") for t in sentence.tokens):
        return True  # 4 He and other isotopes
    words = [i for i in range(index - 2, index + 3) if 0 <= i < len(sentence.tokens) and i != index]
    if any(sentence.surface(i) in traps("element") for i in words):
        return True
    # "He wants to cut CO2." is about a person
    following = sentence.norm(index + 1)
    is_subject = (to_plural(following) or following) in back_words("mental verb")
    return index > 0 and not is_subject and not traps("gas").isdisjoint(_SYMBOL.findall(text))


_LINES = frozenset("line lines emission absorption and or , λ".split())


def _is_foreign(sentence: Sentence, index: int) -> bool:
    if sentence.norm(index - 1) in traps("foreign") or sentence.norm(index + 1) in traps("foreign"):
        return True
    token = sentence.tokens[index]
    return sentence.foreign or is_foreign_quotation(sentence.text, token.start, token.end, FORMS)


def is_stressed(sentence: Sentence, index: int) -> bool:
    """Tell whether capitals stress a pronoun (*No, SHE broke it*); SHE, HE, HIS are abbreviations, too.

    A sentence with another stressed word, or that is talk about persons, stresses; an abbreviation has a determiner or
    a bracket before it, and HE as one has no verb behind it.
    """
    token = sentence.tokens[index]
    if token.shape != 2:
        return False
    verb, before = sentence.norm(index + 1), sentence.norm(index - 1)
    is_subject = token.norm in ("he", "she")
    if not is_subject and token.norm not in ("her", "his", "him"):
        return token.norm != "hers"
    if before in traps("determiner") and not (is_subject and before == "that"):
        return False
    if is_subject and before in _GOVERNING:
        return False  # funding for HE
    if before in ("(", "[", "/") or verb in (")", "]", "/", "-") or verb.isdigit():
        return False
    has_verb = is_finite(verb) and not sentence.tokens[index + 1].shape
    if is_subject and not has_verb:
        return False
    if sentence.is_talk:
        return True
    if not is_subject or verb in AUXILIARIES or (before.isalpha() and before not in _STRESSED_BEHIND):
        return False
    return token.norm == "she" or (to_plural(verb) or verb) in back_words("mental verb")


#: behind these a pronoun is no subject
_GOVERNING = frozenset("of in on at from by into for with about to within across through under between".split())
_STRESSED_BEHIND = frozenset(
    """and but or that if when because so as while what how why since though where thought said think know say
    knew""".split()
)
