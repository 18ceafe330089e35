"""Where a German noun may mean no person, or a pronoun somebody else, although the grammar lets it: no label then.

Found by reading pairs, sentence by sentence: firms and countries that are called partner or successor, first parts of
compounds that are things as often as persons, weak nouns whose singular looks like their plural, names that a pronoun
may mean.
"""

from __future__ import annotations

from functools import cache

from rewriter.de.given_names import first_names
from rewriter.de.inflection import MASCULINE
from rewriter.de.lexicon import Noun, genders
from rewriter.de.phrase import Phrase
from rewriter.de.sentence import Sentence
from rewriter.de.staying import TITLES
from rewriter.de.turning.clause_finder import stop_words
from rewriter.de.turning.verbs import finite

#: first parts of compounds that mean neighbourhood, carrying, flying ... as often as persons
_FIRST_PARTS = frozenset(
    "träger flieger nachbar partner vorgänger meister empfänger sender leiter läufer springer".split()
)
#: what firms, countries and things are called as often as persons (der Chip und sein Vorgänger)
_PARTIES = tuple(
    "vorgänger nachfolger konkurrent rivale partner produzent lieferant verlierer gewinner eigner wegbereiter akteur "
    "feind gegner investor exporteur importeur ausrüster vermarkter".split()
)
#: the same behind another word only (Computerbauer, not Bauer)
_PARTIES_BEHIND = tuple("bauer eigentümer inhaber vertreiber verarbeiter".split())
#: states without an article; others end like one
_STATES = frozenset(
    """
    china japan indien russland österreich großbritannien usa eu israel ägypten marokko peru chile uruguay kuba kanada
    mexiko
    kenia ghana nigeria syrien irak iran libanon ungarn polen schweden dänemark norwegen portugal vietnam korea
    nordkorea
    südkorea taiwan venedig preußen bayern sachsen hessen thüringen berlin wien paris rom london hamburg europa amerika
    afrika asien
    """.split()
)
_LIKE_STATES = ("land", "ien", "reich", "stan")
#: verbs in the plural, beside which *sie* means several
PLURAL_VERBS = frozenset(
    """
    sind waren haben hatten werden wurden können konnten müssen mussten sollen sollten wollen wollten dürfen durften
    """.split()
)
#: words before what somebody or something is called
_AS = frozenset({"als", "zum", "zur", "zu", "wie"})
_PERSONAL = frozenset("ich du er sie wir ihr man wer mich dich ihn ihm mir dir uns euch".split())
_COPULAS = frozenset("ist sind war waren wurde wurden wird werden bleibt blieb bleiben blieben sei seien wäre".split())


#: what is the accusative of one and the dative of several
_OPEN_ARTICLES = frozenset("den diesen jenen meinen deinen seinen ihren unseren unsern euren keinen solchen".split())
_DOUBLES = (frozenset({"er", "sie"}), frozenset({"ihn", "sie"}), frozenset({"ihm", "ihr"}))
_BOUNDARY = frozenset({",", ";", ":", "–", "und", "oder", "»", "«"})


def starts_like_thing(stem: str) -> bool:
    """Tell whether the first part of a compound is a thing's or a place's as often as a person's (*Trägerrakete*).

    Args:
        stem: of the person, as :class:`rewriter.de.lexicon.FirstPart` has it.
    """
    return stem.lower() in _FIRST_PARTS


def may_be_one(sentence: Sentence, phrase: Phrase) -> bool:
    """Tell whether a form leaves open what the rewriter takes for settled (*mich als Christen*, *Polens Zaren X*).

    Behind *den* it is singular as an accusative, plural as a dative, which its clause tells, not its form.

    Args:
        sentence: with the phrase.
        phrase: of a person.
    """
    noun, before = phrase.word.noun, sentence.norm(phrase.start - 1)
    is_open = phrase.determiner >= 0 and sentence.norms[phrase.determiner] in _OPEN_ARTICLES
    is_open = is_open and before not in sentence.closed.prepositions
    if noun is None:
        return is_open and phrase.word.nominalised is not None
    if noun.gender != MASCULINE or noun.person.declension not in ("weak", "mixed"):
        return False
    if sentence.norms[phrase.head] == noun.person.masculine.lower():
        return False
    if phrase.determiner >= 0:
        return is_open
    following = phrase.head + 1
    is_named = following < len(sentence.tokens) and sentence.tokens[following].shape == 1
    is_owned = before.endswith("s") and phrase.start > 0 and sentence.tokens[phrase.start - 1].shape == 1
    return before in ("als", "wie", "dessen", "deren") or is_named or is_owned


def may_be_thing(sentence: Sentence, phrase: Phrase, noun: Noun) -> bool:
    """Tell whether a noun may be said of a country, a firm or a thing (*Der Verlag wurde zum Wegbereiter*).

    Args:
        sentence: with the phrase.
        phrase: of the noun.
        noun: a person.
    """
    masculine = noun.person.masculine.lower()
    is_party = masculine.endswith(_PARTIES) or (masculine.endswith(_PARTIES_BEHIND) and bool(noun.prefix))
    if is_party and phrase.determiner < 0 and _is_named(sentence, phrase.head):
        return True  # Konkurrent Optik Becker
    if phrase.head + 1 < len(sentence.tokens) and _is_state(sentence, phrase.head + 1):
        return True  # der Gastgeber Uruguay
    if not _is_said(sentence, phrase):
        return False
    before = range(_clause_start(sentence, phrase), phrase.start)
    if any(sentence.norms[i] in _PERSONAL or _is_person(sentence, i) for i in before):
        return False
    return is_party or any(_is_state(sentence, i) or _is_subject_thing(sentence, i) for i in before)


def _clause_start(sentence: Sentence, phrase: Phrase) -> int:
    """Return the token behind the last mark before a phrase; what stands between two commas belongs to its clause."""
    marks = [i for i in range(phrase.start) if sentence.norms[i] in (",", ";", ":", "–", "(")]
    return marks[-1] + 1 if marks else 0


def _is_named(sentence: Sentence, head: int) -> bool:
    after = head + 1
    return after < len(sentence.tokens) and sentence.tokens[after].shape > 0 and sentence.words[after] is None


def _is_said(sentence: Sentence, phrase: Phrase) -> bool:
    """Tell whether a phrase is a predicate, or what something is taken for."""
    if sentence.norm(phrase.determiner) in ("zum", "zur") and phrase.determiner >= 0:
        return True
    at = phrase.start - 1
    if at >= 0 and sentence.norms[at] in _AS:
        return True
    while at >= 0 and phrase.start - at < 6 and not sentence.tokens[at].shape and sentence.norms[at].isalpha():
        if sentence.norms[at] in _COPULAS:
            return True
        if sentence.norms[at] in sentence.closed.prepositions:
            return False
        at -= 1
    # Nach Brasilien ist China der Partner: the subject stands behind the verb
    return any(sentence.norm(i) in _COPULAS for i in range(max(0, at - 2), at + 1)) and at >= 0


def _is_person(sentence: Sentence, at: int) -> bool:
    word = sentence.words[at]
    if _is_state(sentence, at):
        return False  # some are given names, too
    return sentence.surface(at) in first_names() or (word is not None and (word.noun or word.nominalised) is not None)


def _is_state(sentence: Sentence, at: int) -> bool:
    """Tell whether a token is a state as a subject may be: with a capital, no preposition before it."""
    if not sentence.tokens[at].shape or sentence.norm(at - 1) in sentence.closed.prepositions:
        return False
    return sentence.norms[at] in _STATES or sentence.norms[at].endswith(_LIKE_STATES)


def _is_subject_thing(sentence: Sentence, at: int) -> bool:
    """Tell whether a known noun that is no person may be a subject: behind its article, with no preposition before."""
    if sentence.tokens[at].shape != 1 or sentence.words[at] is not None or sentence.surface(at) not in genders():
        return False
    start = at
    while start > 0 and sentence.is_adjective(start - 1):
        start -= 1
    is_article = sentence.norm(start - 1) in ("der", "die", "das", "ein", "eine", "dieser", "diese", "dieses", "sein")
    return start > 0 and is_article and sentence.norm(start - 2) not in sentence.closed.prepositions


def is_of_several(sentence: Sentence, at: int) -> bool:
    """Tell whether *sie* stands beside the verb of a plural (*sie sind*, *sangen sie*), or addresses somebody.

    Args:
        sentence: with the pronoun.
        at: its token.
    """
    if sentence.norms[at] != "sie":
        return False
    if sentence.norm(at + 1) == "," and sentence.norm(at + 2) in TITLES:
        return True  # Sie, Herr Rat, erlauben es
    beside = [sentence.norm(near) for near in (at - 1, at + 1)]
    return any(norm in PLURAL_VERBS or finite(norm)[0] == "plural" for norm in beside)


def may_mean_before(sentence: Sentence, at: int, kind: str) -> bool:
    """Tell whether a pronoun that was taken for a thing's or a stranger's may mean a person that stands before it.

    So may a possessive wherever, a relative pronoun behind a name (*der Maler Emil Krügel, der malt*), and a personal
    one if a name stands anywhere before.

    Args:
        sentence: with the pronoun, and a person of its gender before it.
        at: its token.
        kind: of the candidate.
    """
    if kind == "relative":
        last = at - 2
        return (
            last >= 0
            and sentence.tokens[last].shape > 0
            and sentence.words[last] is None
            and not _is_known(sentence, last)
        )
    return kind == "possessive" or is_named_before(sentence, at)


def _is_known(sentence: Sentence, at: int) -> bool:
    return sentence.surface(at) in genders() or by_tail(sentence.norms[at]) is not None


def is_double(sentence: Sentence, at: int) -> bool:
    """Tell whether a pronoun is half of a double form (*er oder sie*).

    Args:
        sentence: with the pronoun.
        at: its token.
    """
    return any(
        frozenset({sentence.norms[at], sentence.norm(at + 2 * step)}) in _DOUBLES
        and sentence.norm(at + step) in ("oder", "/", "bzw", "und")
        for step in (-1, 1)
    )


def ends_clause_before(sentence: Sentence, at: int) -> int:
    """Return the token of the last mark or conjunction before a token, -1 for none."""
    return next((i for i in range(at - 1, -1, -1) if sentence.norms[i] in _BOUNDARY), -1)


def opens_person(sentence: Sentence, at: int) -> bool:
    """Tell whether an article stands far before a person (*den von ihr vorgeschlagenen Vermittler*).

    Args:
        sentence: with the article.
        at: its token.
    """
    if sentence.norm(at - 1) == ",":
        return False
    for index in range(at + 2, min(at + 12, len(sentence.tokens))):
        if sentence.tokens[index].shape and sentence.is_adjective(index - 1):
            word = sentence.words[index]
            return word is not None and (word.noun or word.nominalised) is not None
    return False


def is_place_of_thing(sentence: Sentence, at: int) -> bool:
    """Tell whether *in* stands before a relative pronoun, which seldom means a person then (*das Gespräch, in dem*).

    Args:
        sentence: with the pronoun.
        at: its token.
    """
    return sentence.norm(at - 1) == "in" and sentence.norm(at - 2) == ","


def is_named_before(sentence: Sentence, at: int, start: int = 0) -> bool:
    """Tell whether *Frau*, *Herr* or a word that may be a name stands before a pronoun.

    Args:
        sentence: with the pronoun.
        at: token of the pronoun.
        start: first token that is looked at.
    """
    return any(sentence.norms[index] in TITLES or _may_be_name(sentence, index, at) for index in range(start, at))


def _may_be_name(sentence: Sentence, index: int, at: int) -> bool:
    surface, norm = sentence.surface(index), sentence.norms[index]
    if sentence.tokens[index].shape != 1 or sentence.words[index] is not None or not surface[:1].isalpha():
        return False
    if _is_known(sentence, index) or surface.startswith("Ih"):
        return False
    if index:
        return True
    # Maman kam ..., but: Später verzichtete er
    is_subject = at > 2 and finite(sentence.norm(1))[1] > 0 and sentence.norm(2) not in _PERSONAL
    return is_subject and norm not in stop_words()


@cache
def by_tail(norm: str) -> str | None:
    """Return the gender of a compound by its last part, None where no table knows it.

    Args:
        norm: in small letters.
    """
    for cut in range(3, len(norm) - 3):
        gender = genders().get(norm[cut:].capitalize())
        if gender is not None:
            return gender
    return None
