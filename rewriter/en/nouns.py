"""The nouns of a sentence as candidates, with their articles and genitives; pairs that collapse into one noun."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rewriter.en.breaks import fit_gaps, keep_break
from rewriter.en.closed_words import QUOTES
from rewriter.en.inflection import match_case
from rewriter.en.lexicon import Noun, traps
from rewriter.en.outcomes import CHANGE, KEEP
from rewriter.en.sentence import Sentence
from rewriter.language.candidates import Candidate
from rewriter.language.rules import Decision, Rule

_VOWEL_SOUND = re.compile(r"(?!uni|use|usu|euro?|one\b|once)[aeiou]|hono|hour|heir", re.IGNORECASE)


def add_nouns(sentence: Sentence) -> None:
    """Add the nouns of the table; nothing of a pair but the pair."""
    if sentence.lexicon.noun_hint.search(sentence.lower) is None:
        return
    starts = {token.start: index for index, token in enumerate(sentence.tokens)}
    taken = _add_pairs(sentence, starts) if sentence.lexicon.pairs is not None else 0
    for match in sentence.lexicon.noun_pattern.finditer(sentence.text):
        index = starts.get(match.start("noun"))
        if match.start("noun") < taken or index is None or sentence.is_protected(match.start("noun")):
            continue
        if sentence.rules.first(NOUN_BLOCKED, sentence, index, match["noun"]) is not None:
            continue
        noun = _noun_at(sentence, index, match["noun"])
        if noun is None:
            continue  # the pattern takes ſ for s and ı for i
        fair, is_plural = noun.fair, noun.is_plural
        start = _start(sentence, match)
        after = (
            (_article(match, fair) if start < match.start("noun") else "")
            + fit_gaps(match["noun"], match_case(_noun_style(sentence, match), fair))
            + _genitive(match, fair, is_plural)
        )
        rules = sentence.rules
        rule = rules.first(NO_NOUN, sentence, index, match) or rules.first(NOUN, sentence, index, match)
        add_phrase(sentence, (start, match.end()), index, "noun", after, None if rule is None else rule.outcome, rule)


def _add_pairs(sentence: Sentence, starts: dict[int, int]) -> int:
    """Add the pairs of nouns with one fair noun; return the offset behind the last."""
    end = 0
    for pair in sentence.lexicon.pairs.find(sentence.text) if sentence.lexicon.pairs else ():
        index = starts.get(pair.start)
        if index is None or sentence.is_protected(pair.start) or (sentence.tokens[index].shape == 1 and index):
            continue
        after = match_case(pair.first if pair.first.isupper() else pair.first[0] + "x", pair.fair)
        rule = sentence.rules.first(NOUN_PAIR, sentence, index)
        add_phrase(sentence, (pair.start, pair.end), index, "noun", after, None if rule is None else CHANGE, rule)
        end = pair.end
    return end


#: what makes that a word is not the noun of the table, that the noun stays, that it changes
NOUN_BLOCKED = Decision("en", "blocks")
NO_NOUN = Decision("en", "settles")
NOUN = Decision("en", "settles")
NOUN_PAIR = Decision("en", "settles")


@NOUN_BLOCKED.rule(
    "noun without its field", example="The [steward] slept.", counter="The [steward] slept on the plane."
)
def _is_unfit(sentence: Sentence, index: int, noun: str) -> bool:
    """None of the words stands in the sentence that a noun needs to be that of the table."""
    return _noun_at(sentence, index, noun) is None


@NOUN_BLOCKED.rule("man that is no verb", example="That [man] the boat hit.", counter="They [man] the boat.")
def _is_no_verb(sentence: Sentence, index: int, noun: str) -> bool:
    """*man* is a verb behind a subject pronoun or a modal verb; *Manning*, inside a sentence, is a name."""
    if not sentence.lexicon.is_verb(noun.lower()):
        return False
    if noun.lower() == "man":
        return sentence.norm(index - 1) not in traps("before man")
    return index > 0 and sentence.tokens[index].shape == 1


def _noun_at(sentence: Sentence, index: int, word: str) -> Noun | None:
    """Return what a word of the noun tables becomes here, by the first row that fits; None where it stays."""
    form = re.sub(r"\s+", " ", word.lower())
    for noun in sentence.lexicon.nouns.get(form, ()):
        if not noun.when or not noun.when.isdisjoint(_words_around(sentence, index, noun)):
            return None if noun.fair.lower() == form else noun
    return None


def _words_around(sentence: Sentence, index: int, noun: Noun) -> Iterator[str]:
    """Yield the words of which a noun needs one: those of the sentence, of a verb those of its object."""
    if not noun.is_verb:
        return (token.norm for token in sentence.tokens)
    return (sentence.norm(place) for place in range(index + 2, index + 2 + _OBJECT_WORDS))


#: words of an object behind its determiner that are looked at
_OBJECT_WORDS = 4


@NOUN_PAIR.rule("pair of nouns", example="Some [actors and actresses] met.", counter="Some [actresses] met.")
def _is_pair(sentence: Sentence, index: int) -> bool:
    return True


#: a quotation mark that is no apostrophe
_OPENED = re.compile(r"(?<!\w)['‘](?=\w)")
#: before a capital noun they make it the name of a prize or a part
_PRIZES = frozenset("best supporting leading outstanding favourite favorite".split())


@NO_NOUN.rule(
    "noun in a title", outcome=KEEP, example="She won Best [Actress] again.", counter="She met an [actress] again."
)
def _is_in_title(sentence: Sentence, index: int, match: re.Match[str]) -> bool:
    """Return True if a capital noun is part of a name of a work or prize: *Best Actress*, *Death of a Salesman*."""
    tokens = sentence.tokens
    if not _may_be_title(sentence, index):
        return False
    if tokens[index - 1].shape and tokens[index - 1].norm in _PRIZES:
        return True
    if sentence.title_case:
        return False
    place = index - 1
    while place > 0 and tokens[place].norm in ("a", "an", "the", "of"):
        place -= 1
    is_joined = place < index - 1 and tokens[index - 1].norm != "of" and tokens[place].shape == 1
    return is_joined and "of" in {tokens[i].norm for i in range(place, index)}


@NO_NOUN.rule(
    "noun that is a title", outcome=KEEP, example='We saw "The [Chairman]" again.', counter="We saw a [chairman] again."
)
def _is_title(sentence: Sentence, index: int, match: re.Match[str]) -> bool:
    """A capital noun alone in quotation marks, behind a capital article or the kind of work: *the film Anchorman*."""
    tokens = sentence.tokens
    if not _may_be_title(sentence, index):
        return False
    first = index - 1 if tokens[index - 1].norm in ("the", "a", "an") and tokens[index - 1].shape else index
    before, behind = sentence.norm(first - 1), match.string[match.end() : match.end() + 1]
    if (before, behind) in QUOTES or (before in ("*", "_") and before == behind):
        return True
    if sentence.title_case:
        return False
    return before in traps("work") or (first < index and (before.isalpha() or before == "'s"))


def _may_be_title(sentence: Sentence, index: int) -> bool:
    return sentence.lexicon.is_wide and index > 0 and sentence.tokens[index].shape == 1


def _noun_style(sentence: Sentence, match: re.Match[str]) -> str:
    return match["noun"] if match["noun"].isupper() else match["noun"][0] + "x"


def _start(sentence: Sentence, match: re.Match[str]) -> int:
    """Return where a noun with its article begins; an article that is protected (*/usr/a*) is none."""
    has_article = bool(match["article"]) and not sentence.is_protected(match.start("article"))
    return match.start("article") if has_article else match.start("noun")


def _article(match: re.Match[str], fair: str) -> str:
    if not match["article"]:
        return ""
    article = "an" if _VOWEL_SOUND.match(fair) else "a"
    return match_case(match["article"] + "x", article) + match["gap"]


def _genitive(match: re.Match[str], fair: str, is_plural: bool) -> str:
    genitive = match["genitive"] or ""
    if len(genitive) == 1:  # the actress' role; 'I saw the actress' closes a quotation
        is_quoted = _OPENED.search(match.string, 0, match.start()) is not None
        return genitive if is_quoted or fair.endswith("s") else f"{genitive}s"
    return genitive[:1] if genitive and is_plural and fair.endswith("s") else genitive


#: nouns of the table that are surnames, too
_SURNAMES = frozenset("foreman steward stewards postman layman freshman barman".split())


@NOUN.rule(
    "plain noun of the table", outcome=CHANGE, example="The [policeman] slept.", counter="We met [Policeman] Ray."
)
def _is_plain_noun(sentence: Sentence, index: int, match: re.Match[str]) -> bool:
    """A lower-case noun of the table with one reading only; capitals (surnames) and *to steward* are open."""
    return match["noun"].lower() not in _VERBS and _is_small(sentence, index, match)


@NOUN.rule("steward behind a determiner", outcome=CHANGE, example="The [steward] slept.", counter="We [steward] it.")
def _is_plain_steward(sentence: Sentence, index: int, match: re.Match[str]) -> bool:
    if match["noun"].lower() not in _VERBS or not _is_small(sentence, index, match):
        return False
    return bool(match["article"]) or sentence.norm(index - 1) in traps("determiner") | {"'s"}


def _is_small(sentence: Sentence, index: int, match: re.Match[str]) -> bool:
    """Return True if the capitals of a noun do not make it a name."""
    return not sentence.tokens[index].shape or (sentence.shouting and match["noun"].lower() not in _SURNAMES)


#: nouns of the table that are verbs, too
_VERBS = frozenset(("steward", "stewards"))


def add_phrase(
    sentence: Sentence,
    span: tuple[int, int],
    index: int,
    kind: str,
    after: str,
    forced: int | None,
    rule: Rule | None,
) -> None:
    """Add a candidate that changes or stays, maybe by a rule; left out where its line break would be lost."""
    kept = keep_break(sentence.text, *span, after)
    if kept is not None:
        start, end, after = kept
        options = ((KEEP, sentence.text[start:end]), (CHANGE, after))
        name = "" if rule is None else rule.name
        sentence.candidates.append(Candidate(start, end, index, kind, options, forced, rule=name))
