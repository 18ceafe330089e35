"""Forms that look like pronouns and are none: names, titles of works, symbols, code, words of other languages."""

from __future__ import annotations

import re

from rewriter.en.back_words import back_words
from rewriter.en.clause_words import CLITICS
from rewriter.en.closed_words import GENDERED_PRONOUNS, QUOTES
from rewriter.en.foreign import is_common, is_foreign_quotation, is_name_part
from rewriter.en.inflection import to_plural
from rewriter.en.lexicon import traps
from rewriter.en.mentioned import MENTION
from rewriter.en.openings import opening
from rewriter.en.sentence import Sentence
from rewriter.language.rules import Decision

_SYMBOL = re.compile(r"\b[A-Z][A-Za-z0-9]*\b")

#: what makes that a form is certainly no pronoun
FORM = Decision("en", "blocks")
#: the same for forms with a capital
NAME = Decision("en", "blocks")
FOREIGN = Decision("en", "blocks")


def is_blocked(sentence: Sentence, index: int) -> bool:
    """Return True if a pronoun form is certainly none: protected, part of a word, a surname, foreign, helium."""
    token, text, rules = sentence.tokens[index], sentence.text, sentence.rules
    if token.start in sentence.run_ons:
        return rules.first(FOREIGN, sentence, index) is not None
    if sentence.is_protected(token.start):
        return True
    if text[max(0, token.start - 1) : token.start] == "_" == text[token.end : token.end + 1]:
        return False  # emphasis (_her_) is text; the protected spans already hold snake_case
    if rules.first(FORM, sentence, index) is not None or rules.first(MENTION, sentence, index) is not None:
        return True
    if token.shape == 1 and rules.first(NAME, sentence, index) is not None:
        return True
    return rules.first(FOREIGN, sentence, index) is not None


def _beside(sentence: Sentence, index: int) -> tuple[str, str]:
    """Return the characters before and behind a token; a space at the ends of the sentence."""
    token, text = sentence.tokens[index], sentence.text
    return text[token.start - 1] if token.start else " ", text[token.end] if token.end < len(text) else " "


@FORM.rule("part of a word", example="Call 2[her] now.", counter="Call [her] now.")
def _is_part_of_word(sentence: Sentence, index: int) -> bool:
    """A part of an identifier, of an entity (``&he;``)."""
    before, after = _beside(sentence, index)
    return before.isalnum() or after.isalnum() or "_" in (before, after) or (before, after) == ("&", ";")


@FORM.rule("cell of a table", example="Choose x|[her]|y here.", counter="Choose x | [her] friend.")
def _is_cell(sentence: Sentence, index: int) -> bool:
    """A row of a table, a regular expression."""
    before, after = _beside(sentence, index)
    return "|" in (before, after) and not before.isspace() and not after.isspace()


@FORM.rule("first part of a compound", example="The [he]-goat sleeps.", counter="Is it [he] - or nobody?")
def _begins_compound(sentence: Sentence, index: int) -> bool:
    token, text = sentence.tokens[index], sentence.text
    return text[token.end : token.end + 1] in _HYPHENS and text[token.end + 1 : token.end + 2].isalnum()


@FORM.rule("last part of a compound", example="The bar is for over-[him] drinks.", counter="We saw - [him] there.")
def _ends_compound(sentence: Sentence, index: int) -> bool:
    start, text = sentence.tokens[index].start, sentence.text
    return start > 0 and text[start - 1] in _HYPHENS and text[start - 2 : start - 1].isalnum()


@FORM.rule("word in quotation marks", example='Spell "[her]" aloud.', counter='"Call [her]" is a song.')
def _is_quoted(sentence: Sentence, index: int) -> bool:
    """A word in quotation marks by itself is mentioned, not used; *'He's here'* begins a quotation."""
    return _beside(sentence, index) in QUOTES and sentence.norm(index + 1) not in CLITICS


@FORM.rule("name in code", example="Then [her](x) fails.", counter="Then [her] x fails.")
def _is_code(sentence: Sentence, index: int) -> bool:
    """Return True if a form is called, indexed, or has or is an attribute: ``her._x``, ``him[i]``, ``x.herself``."""
    token, text = sentence.tokens[index], sentence.text
    behind, ahead = text[max(0, token.start - 2) : token.start], text[token.end : token.end + 2]
    is_index = not ahead[1:].isdigit() or text[token.end : token.end + 3] == "[0]"  # him[1] has a note
    if ahead[:1] in "([" and ahead[1:] and is_index and ahead != "(s":
        return True
    is_attribute = ahead[:1] == "." and (ahead[1:].islower() or ahead[1:] == "_")
    return is_attribute or (behind[-1:] == "." and behind[:1].isalnum() and token.shape == 0)


@FORM.rule("beside an operator", example="Check x == [her] first.", counter="Write x = 5, [he] said.")
def _is_operand(sentence: Sentence, index: int) -> bool:
    """Signs of code that no prose has between words: ``he == 3``, ``he > 3``, ``for he in range(5)``."""
    token, text = sentence.tokens[index], sentence.text
    if _OPERATOR_BEHIND.match(text, token.end) is not None:
        return True
    if _OPERATOR_BEFORE.search(text, max(0, token.start - 4), token.start) is not None:
        return True
    return sentence.norm(index - 1) == "for" and _LOOPED.match(text, token.end) is not None


#: not *I love her <3*, *him && me*, which are chat
_OPERATOR_BEHIND = re.compile(r" ?(?:[=!]=|:=|[-+*/]=)| [<>]=? -?\d")
_OPERATOR_BEFORE = re.compile(r"(?:[=!]=|:=|[-+*/]=) ?$")
_LOOPED = re.compile(r" in \w+\(")


@NAME.rule("part of a name", example="Then [He] Weiping spoke.", counter="Then [He] spoke.")
def _is_name_part(sentence: Sentence, index: int) -> bool:
    return is_name_part(sentence.tokens, index, first=opening(sentence))


@NAME.rule("histidine", example="Here [His] and Arg bind zinc.", counter="Here [His] glove lies.")
def _is_histidine(sentence: Sentence, index: int) -> bool:
    near = (i for i in range(index - 2, index + 3) if 0 <= i < len(sentence.tokens) and i != index)
    return sentence.norm(index) == "his" and any(sentence.surface(i) in traps("amino acid") for i in near)


@NAME.rule("name behind a title", example="We met Dr. [He] there.", counter="We met Karla. [He] smiled.")
def _is_titled(sentence: Sentence, index: int) -> bool:
    token, previous = sentence.tokens[index], sentence.norm(index - 1)
    if previous == "." and sentence.norm(index - 2) in traps("title") and not sentence.text[token.start - 1].isalnum():
        return True
    return previous in traps("title") and sentence.tokens[index - 1].shape > 0


@NAME.rule("title behind the kind of work", example="She saw the film [Her] twice.", counter="She saw [Her] twice.")
def _is_named_work(sentence: Sentence, index: int) -> bool:
    if not index or sentence.title_case:
        return False
    previous = sentence.tokens[index - 1]
    return previous.norm in traps("work") and previous.shape == 0


@NAME.rule("title with its year", example="We watched [Her] (2013) again.", counter="We watched [Her] (twice) again.")
def _is_dated_work(sentence: Sentence, index: int) -> bool:
    if not index or sentence.title_case or sentence.norm(index + 1) != "(":
        return False
    return re.fullmatch(r"(1[89]|20)\d\d", sentence.norm(index + 2)) is not None


@NAME.rule("title behind its maker", example="I liked Jonze's [Her] most.", counter="I liked mother's [Her] most.")
def _is_owned_work(sentence: Sentence, index: int) -> bool:
    if index < 2 or sentence.title_case or sentence.norm(index - 1) != "'s":
        return False
    owner = sentence.tokens[index - 2]
    return owner.shape > 0 and owner.norm not in GENDERED_PRONOUNS and not is_common(owner.norm)


@NAME.rule("bundle of His", example="The bundle of [His] conducts.", counter="A servant of [His] arrived.")
def _is_bundle(sentence: Sentence, index: int) -> bool:
    if sentence.norm(index) != "his" or sentence.norm(index - 1) != "of":
        return False
    return sentence.norm(index - 2) in ("bundle", "bundles", "angle")


@NAME.rule("helium behind a preposition", example="A cloud of [He] drifted.", counter="A child of [Him] slept.")
def _is_behind_preposition(sentence: Sentence, index: int) -> bool:
    """*a cloud of He*: no subject stands behind a preposition."""
    if sentence.norm(index) != "he" or sentence.norm(index - 1) not in traps("before object"):
        return False
    return sentence.norm(index + 1) not in ("who", "that", "which")


@NAME.rule("helium before its noun", example="Cold [He] gas escaped.", counter="Then [He] gasped.")
def _is_helium(sentence: Sentence, index: int) -> bool:
    return sentence.norm(index) == "he" and sentence.norm(index + 1) in traps("helium")


@NAME.rule("helium in brackets", example="Helium ([He]) is light.", counter="Somebody ([He] himself) called.")
def _is_bracketed(sentence: Sentence, index: int) -> bool:
    token, text = sentence.tokens[index], sentence.text
    if token.norm != "he":
        return False
    return text[token.end : token.end + 1] in _BRACKETS or text[max(0, token.start - 1) : token.end + 1] == "(He)"


@NAME.rule("helium line", example="Strong [He] I lines fade.", counter="What [He] I ask?")
def _is_spectral(sentence: Sentence, index: int) -> bool:
    return sentence.norm(index) == "he" and sentence.norm(index + 1) == "i" and sentence.norm(index + 2) in _LINES


@NAME.rule("helium beside a formula", example="The gas [He]$^+$ cools.", counter="Then [He] $^+$ cools.")
def _is_beside_formula(sentence: Sentence, index: int) -> bool:
    """An exponent of LaTeX, or its thin space before a numeral: *$^4$He*, *He$^+$*, *He\\,II*."""
    token, text = sentence.tokens[index], sentence.text
    if token.norm != "he":
        return False
    return text[: token.start].endswith("$") or _FORMULA.match(text, token.end) is not None


_FORMULA = re.compile(r"\$\s*[\^_]|\\[,;]\s*[IVX\d]|[~-][IVX]+\b")


@NAME.rule("helium isotope", example="In 4 [He] and other isotopes it varies.", counter="At 4 [He] and Ann left.")
def _is_isotope(sentence: Sentence, index: int) -> bool:
    if sentence.norm(index) != "he" or sentence.norm(index - 1) not in ("3", "4"):
        return False
    return any(t.norm in traps("helium") for t in sentence.tokens)


@NAME.rule("helium beside another element", example="Mix [He] and Ne slowly.", counter="Ask [He] and Ann slowly.")
def _is_beside_element(sentence: Sentence, index: int) -> bool:
    if sentence.norm(index) != "he":
        return False
    words = [i for i in range(index - 2, index + 3) if 0 <= i < len(sentence.tokens) and i != index]
    return any(sentence.surface(i) in traps("element") for i in words)


@NAME.rule("helium among gases", example="Both [He] with CO2 flow.", counter="Today [He] wants to cut CO2.")
def _is_among_gases(sentence: Sentence, index: int) -> bool:
    following = sentence.norm(index + 1)
    if sentence.norm(index) != "he" or index == 0:
        return False
    is_subject = (to_plural(following) or following) in back_words("mental verb")
    return not is_subject and not traps("gas").isdisjoint(_SYMBOL.findall(sentence.text))


@FOREIGN.rule("beside a foreign word", example="Uns gefiel [her] nicht.", counter="We liked [her] not.")
def _is_beside_foreign(sentence: Sentence, index: int) -> bool:
    before = sentence.norm(index - 1)
    if before in traps("before foreign he") and sentence.surface(index) == "he":
        return True
    return before in traps("foreign") or sentence.norm(index + 1) in traps("foreign")


@FOREIGN.rule(
    "sentence in another language", example="Wir laufen [her] geschwinder zusammen.", counter="Bring [her] to us."
)
def _is_in_foreign_sentence(sentence: Sentence, index: int) -> bool:
    return sentence.foreign


@FOREIGN.rule(
    "quotation in another language",
    example='They sang "Kimmt [her] geschwind" again.',
    counter='They sang "Call [her]".',
)
def _is_in_foreign_quotation(sentence: Sentence, index: int) -> bool:
    token = sentence.tokens[index]
    return is_foreign_quotation(sentence.text, token.start, token.end, GENDERED_PRONOUNS)


_HYPHENS = frozenset("-‐‑")
_BRACKETS = frozenset("(+")
_LINES = frozenset("line lines emission absorption and or , λ".split())
