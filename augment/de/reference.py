"""What German pronouns refer to, where a sentence leaves no doubt.

Gender is the evidence: *er* cannot mean a feminine noun, *sie* no masculine one. A pronoun that only one masculine
noun of the sentence can explain means that noun; a pronoun in the other gender than every person of the sentence means
none of them. Where two nouns compete, or a name, there is no label.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from augment.de.doubts import (
    PLURAL_VERBS,
    by_tail,
    ends_clause_before,
    is_double,
    is_named_before,
    is_of_several,
    is_place_of_thing,
    may_mean_before,
    opens_person,
)
from augment.de.evidence import COPULAS, UNKNOWN, Evidence
from lexicons.loader import read_table
from rewriter.de.drafts import CASE, KEEP, PLURAL, SINGULAR, STARRED, STARRED_CASE, case_of
from rewriter.de.hints import add_hints
from rewriter.de.inflection import ACCUSATIVE, DATIVE, FEMININE, GENITIVE, NOMINATIVE
from rewriter.de.language import German
from rewriter.de.lexicon import cases_of, genders
from rewriter.de.phrase import singular
from rewriter.de.turning.read import Reading, read_sentence
from rewriter.language.candidates import Candidate
from rewriter.model.alignment import match_outcomes
from rewriter.policy.protect import protected_spans

_REFERRING = ("pronoun", "possessive", "relative")
_MASCULINE = {"er": NOMINATIVE, "ihn": ACCUSATIVE, "ihm": DATIVE}
_FEMININE = frozenset({"sie", "ihr"})
_PERSONAL = _FEMININE.union(_MASCULINE)
_ANYBODY = ("jede", "eine", "keine", "manche", "derj", "denj", "demj")
_RELATIVE = {
    "der": NOMINATIVE,
    "den": ACCUSATIVE,
    "dem": DATIVE,
    "dessen": GENITIVE,
    "welcher": NOMINATIVE,
    "welchen": ACCUSATIVE,
    "welchem": DATIVE,
}
_OTHER_RELATIVE = frozenset({"die", "deren", "welche"})
_BOUNDARY = frozenset({",", ";", ":", "–", "-", "(", "und", "oder", "aber", "denn", "sondern"})
_PARTITIVE = frozenset({"von", "der", "dieser", "unserer", "ihrer", "meiner", "deiner", "seiner", "aller"})


def decide_pronouns(evidence: Evidence, before: str = "", *, alone: bool = False, preference: bool = True) -> None:
    """Give an outcome to every pronoun of which it is certain whether it means a starred person, or likely.

    What is certain comes first; what is left follows the rules of preference (:mod:`rewriter.de.turning`), which read
    the sentence before, too: a model that sees one sentence learns from it how likely a pronoun means a person.

    Args:
        evidence: of the sentence.
        before: the sentence before it.
        alone: nobody knows what stands before it, so that a pronoun that nothing explains may mean a thing.
        preference: follow the rules of preference where nothing is certain.
    """
    _References(evidence).decide()
    for index, candidate in enumerate(evidence.analysis.candidates):
        if candidate.kind == "relative" and is_place_of_thing(evidence.sentence, candidate.token):
            evidence.outcomes[index] = UNKNOWN
        elif candidate.kind == "possessive" and evidence.outcomes[index] == KEEP and _has_anybody(evidence, candidate):
            evidence.outcomes[index] = UNKNOWN  # derjenige, der sein Buch sucht
    if not preference:
        return
    reading = read_sentence(evidence.text, evidence.sentence.protected, (before,) if before else ())
    _follow_rules(evidence, reading, alone=alone)


def _follow_rules(evidence: Evidence, reading: Reading, *, alone: bool) -> None:
    """Give the pronouns without an outcome the one that the rules of preference choose, unless there is doubt."""
    candidates = [replace(c, hint=-1, means=-1) for c in evidence.analysis.candidates]
    outcomes, starred = evidence.outcomes, set(evidence.starred())
    for index, candidate in enumerate(add_hints(candidates, evidence.sentence.norms, reading)):
        if outcomes[index] != UNKNOWN or candidate.hint < 0 or candidate.kind not in _REFERRING:
            continue
        if candidate.governor >= 0 and outcomes[candidate.governor] in (UNKNOWN, SINGULAR):
            continue
        person = candidate.means
        if _is_doubtful(evidence, candidate, alone=alone):
            continue
        if (
            candidate.hint == KEEP
            or person < 0
            or person in starred
            or (candidates[person].kind == "pronoun" and outcomes[person] not in (KEEP, UNKNOWN))
        ):
            outcomes[index] = candidate.hint
        elif outcomes[person] in (KEEP, PLURAL):
            outcomes[index] = KEEP


def _is_doubtful(evidence: Evidence, candidate: Candidate, *, alone: bool) -> bool:
    """Tell whether what the rules of preference choose for a pronoun is too often wrong to be a label."""
    sentence, at = evidence.sentence, candidate.token
    if is_of_several(sentence, at) and candidate.hint != KEEP:
        return True
    if is_double(sentence, at) or (candidate.kind == "relative" and is_place_of_thing(sentence, at)):
        return True
    return _may_stay(evidence, candidate, alone=alone) if candidate.hint != KEEP else _may_turn(evidence, candidate)


def _may_stay(evidence: Evidence, candidate: Candidate, *, alone: bool) -> bool:
    """Tell whether a pronoun that the rules turn may mean somebody named, or a thing."""
    sentence, at = evidence.sentence, candidate.token
    if candidate.means < 0:
        return alone or is_named_before(sentence, at) or _has_thing_before(evidence, at)
    named = evidence.analysis.candidates[candidate.means]
    return named.kind == "pronoun" and is_named_before(sentence, at, named.token + 1)


def _has_thing_before(evidence: Evidence, at: int) -> bool:
    """Tell whether a noun in another clause before a pronoun may be what it means (*riss am Balken und verbog ihn*)."""
    norm = evidence.sentence.norms[at]
    competing = "mn" if norm == "ihm" else "m" if norm in _MASCULINE else "fp" if norm == "sie" else ""
    if not competing:
        return False
    references = _References(evidence)
    return any(references.is_thing(i, competing) for i in range(ends_clause_before(evidence.sentence, at)))


def _may_turn(evidence: Evidence, candidate: Candidate) -> bool:
    """Tell whether a pronoun that the rules leave may mean a person of its gender before it."""
    sentence, at = evidence.sentence, candidate.token
    if candidate.kind == "relative" and opens_person(sentence, at):
        return True
    if candidate.kind != "pronoun" and _has_anybody(evidence, candidate):
        return True  # jeden zu fangen, der singt
    norm = sentence.norms[at]
    is_feminine = norm.startswith(("ihr", "sie", "die", "deren", "welche")) and norm not in ("welchen", "welchem")
    people = [i for i in evidence.starred() if evidence.analysis.candidates[i].token < at]
    fits = any(evidence.is_masculine(i) != is_feminine for i in people)
    return fits and may_mean_before(sentence, at, candidate.kind)


def _has_anybody(evidence: Evidence, candidate: Candidate) -> bool:
    """Tell whether *jeder, einer, derjenige* stands before a candidate, and may be starred."""
    return any(
        other.kind == "pronoun"
        and other.token < candidate.token
        and outcome != KEEP
        and evidence.sentence.norms[other.token].startswith(_ANYBODY)
        for other, outcome in zip(evidence.analysis.candidates, evidence.outcomes, strict=True)
    )


class _References:
    def __init__(self, evidence: Evidence) -> None:
        self.evidence, self.sentence = evidence, evidence.sentence
        self.candidates = evidence.analysis.candidates
        self.outcomes = evidence.outcomes
        self.starred = evidence.starred()
        self.tokens = {self.candidates[i].token: i for i in self.starred}
        unknown = [i for i in evidence.phrases if self.outcomes[i] == UNKNOWN]
        genders_found = {evidence.is_masculine(i) for i in (*self.starred, *unknown)} if self.starred else set()
        #: gender of the persons, those of unknown number included, where all have the same
        self.is_masculine = genders_found == {True}
        self.is_feminine = genders_found == {False}
        self.subject = self._predicate_subject()

    def decide(self) -> None:
        for index, candidate in enumerate(self.candidates):
            if self.outcomes[index] != UNKNOWN or candidate.kind in ("noun", "nominalised", "compound", "pair"):
                continue
            norm = self.sentence.norms[candidate.token]
            if candidate.kind == "relative":
                self.outcomes[index] = self._relative(candidate, norm)
            elif candidate.kind == "possessive":
                self.outcomes[index] = self._possessive(candidate, norm)
            elif candidate.kind == "pronoun":
                self.outcomes[index] = self._pronoun(candidate, norm)

    def _predicate_subject(self) -> int:
        """Return the token of a pronoun of which a person is predicated (Er wurde Lehrer), -1 for none."""
        for head in self.starred:
            phrase = self.evidence.phrases[head]
            if phrase.determiner >= 0 and self.sentence.norms[phrase.determiner] not in _PREDICATE_ARTICLES:
                continue
            at = phrase.start - 1
            while at > 0 and phrase.start - at < 7 and self._is_small_word(at):
                if self.sentence.norms[at] in self.sentence.closed.prepositions:
                    break
                if self.sentence.norms[at] in COPULAS:
                    # die Mannschaft ... sie wurde Weltmeister: another gender is no person
                    pronoun = "er" if self.evidence.is_masculine(head) else "sie"
                    for near in (at - 1, at + 1):
                        if self.sentence.norm(near) == pronoun and near < phrase.start:
                            return near
                    break
                at -= 1
        return -1

    def _is_small_word(self, at: int) -> bool:
        return not self.sentence.tokens[at].shape and self.sentence.norms[at].isalpha()

    def _pronoun(self, candidate: Candidate, norm: str) -> int:
        if norm not in _MASCULINE and norm not in _FEMININE:
            return self._alone(candidate, norm)
        return self._personal(candidate, norm)

    def _personal(self, candidate: Candidate, norm: str) -> int:
        if candidate.token == self.subject:
            return CASE + NOMINATIVE
        if len(self.starred) != 1 or self._is_other_gender(norm in _MASCULINE):
            return UNKNOWN
        if norm in _FEMININE:
            return self._feminine_personal(candidate, norm)
        return self._same_gender(candidate, _MASCULINE[norm], "mn" if norm == "ihm" else "m")

    def _feminine_personal(self, candidate: Candidate, norm: str) -> int:
        if not self.is_feminine:
            return UNKNOWN
        if norm == "sie" and self._has_plural_verb(candidate.token):
            return KEEP
        if norm == "ihr":  # a dative here, a possessive there
            return UNKNOWN
        outcome = self._same_gender(candidate, NOMINATIVE, "fp")
        if outcome <= KEEP:
            return outcome
        return outcome if self._has_singular_verb(candidate.token) else UNKNOWN

    def _has_plural_verb(self, at: int) -> bool:
        return any(self.sentence.norm(near) in PLURAL_VERBS for near in (at - 1, at + 1))

    def _has_singular_verb(self, at: int) -> bool:
        return any(self.sentence.norm(near) in _SINGULARS for near in (at - 1, at + 1))

    def _is_other_gender(self, masculine: bool) -> bool:
        """Tell whether every person of the sentence has the other gender than a pronoun."""
        if self.subject >= 0:
            return False
        return self.is_feminine if masculine else self.is_masculine

    def _same_gender(self, candidate: Candidate, case: int, competing: str) -> int:
        """Decide a pronoun in the gender of the only person."""
        head = self.starred[0]
        at, here = self.candidates[head].token, candidate.token
        if self.subject >= 0:
            after = here > self.subject and not self._competitors(self.subject + 1, here, competing)
            return CASE + case if after else UNKNOWN
        if here < at:
            return UNKNOWN
        is_apart = any(self.sentence.norms[i] in _BOUNDARY for i in range(at + 1, here))
        if not is_apart:
            return self._same_clause(head, case)
        return CASE + case if not self._competitors(0, here, competing) else UNKNOWN

    def _same_clause(self, head: int, case: int) -> int:
        """Decide a personal pronoun in the clause of the person: subject and object are not the same."""
        own = self._case(head)
        if own == NOMINATIVE and case != NOMINATIVE:
            return KEEP
        return KEEP if own in (ACCUSATIVE, DATIVE) and case == NOMINATIVE and self._follows_verb(head) else UNKNOWN

    def _follows_verb(self, head: int) -> bool:
        return self.evidence.phrases[head].start > 0

    def _case(self, head: int) -> int:
        cases = [case_of(self.outcomes[i]) for i, c in enumerate(self.candidates) if c.governor == head]
        return next((case for case in cases if case >= 0), -1)

    def _competitors(self, start: int, end: int, competing: str) -> bool:
        """Tell whether another noun between two tokens may be what a pronoun means; unknown words may."""
        return any(self._competes(i, competing) for i in range(start, end) if i not in self.tokens)

    def _competes(self, index: int, competing: str) -> bool:
        token = self.sentence.tokens[index]
        if not token.shape or not token.norm[:1].isalpha():
            return False
        gender = self._gender(index)
        if gender is None:
            return index > 0 or token.norm not in _stop_words()
        if index == 0 and token.norm in _stop_words():
            return False
        return gender in competing

    def is_thing(self, index: int, competing: str) -> bool:
        """Tell whether a word is a noun of one of some genders, and no candidate.

        Args:
            index: token of the word.
            competing: letters of genders, ``p`` for plurals.
        """
        if not self.sentence.tokens[index].shape or self.sentence.words[index] is not None:
            return False
        if self.sentence.norms[index] in _stop_words():
            return False
        gender = self._gender(index)
        return gender is not None and gender in competing

    def _gender(self, index: int) -> str | None:
        """Return the gender of a noun, ``p`` for a plural, None for an unknown word."""
        word = self.sentence.words[index]
        if word is not None and word.noun is not None:
            mask = word.noun.mask
            phrase = next((p for p in self.evidence.phrases.values() if p.head == index), None)
            mask = mask if phrase is None else phrase.mask
            return "p" if not singular(mask) else "f" if word.noun.gender == FEMININE else "m"
        return genders().get(self.sentence.surface(index)) or by_tail(self.sentence.norms[index])

    def _possessive(self, candidate: Candidate, norm: str) -> int:
        """Decide *sein* or *ihr*: its possessor, and the case of a starred person that it belongs to."""
        case = self._possessed_case(candidate)
        if candidate.governor >= 0 and case is None:
            return UNKNOWN
        plain, starred = (KEEP, STARRED) if case in (None, -1) else (CASE + case, STARRED_CASE + case)
        is_his = norm.startswith("sein")
        if not is_his and not norm.startswith("ihr"):
            return plain
        known = {outcome for outcome, _ in candidate.options}
        others = [i for i in self.starred if i != candidate.governor]
        if not others and not self._has_unknown(candidate) and self.subject < 0:
            return plain if plain in known and _PERSONAL.isdisjoint(self.sentence.norms) else UNKNOWN
        if self._is_other_gender(is_his):
            return plain if plain in known and candidate.governor >= 0 else UNKNOWN
        if len(others) != 1 or self.evidence.is_masculine(others[0]) != is_his:
            return UNKNOWN
        at, here = self.candidates[others[0]].token, candidate.token
        start = 0 if self.subject < 0 else self.subject + 1
        anchor = at if self.subject < 0 else self.subject
        if here < anchor or starred not in known:
            return UNKNOWN
        return starred if not self._competitors(start, here, "mn" if is_his else "fp") else UNKNOWN

    def _has_unknown(self, candidate: Candidate) -> bool:
        """Tell whether a person that may be starred or not stands in the sentence, the possessed one aside."""
        return any(self.outcomes[i] == UNKNOWN and i != candidate.governor for i in self.evidence.phrases)

    def _has_masculine(self) -> bool:
        return any(self.evidence.is_masculine(i) for i in self.starred)

    def _possessed_case(self, candidate: Candidate) -> int | None:
        """Return the case of a starred person behind a possessive, -1 for a thing, None where that is unknown."""
        head = candidate.governor
        if head < 0:
            return -1
        if self.outcomes[head] == UNKNOWN:
            return None
        if head not in self.starred:
            return -1
        mask = self.evidence.phrases[head].mask
        cases = cases_of(mask)
        return cases[0] if len(cases) == 1 and self.evidence.phrases[head].certain else None

    def _relative(self, candidate: Candidate, norm: str) -> int:
        at = candidate.token
        if not self.starred:
            return UNKNOWN
        before = at - 1
        if self.sentence.norm(before) in self.sentence.closed.prepositions:
            before -= 1
        if self.sentence.norm(before) != ",":
            return self._no_relative(candidate)
        if norm in _OTHER_RELATIVE or (before < at - 1 and norm in ("der", "welcher")):
            return KEEP if self.is_masculine else UNKNOWN  # ..., in der: a feminine
        following = at + 1
        if following < len(self.sentence.tokens) and self.sentence.tokens[following].shape:
            return UNKNOWN  # an article: ..., den Mund weit offen
        if self._opens_phrase(at) or (norm == "der" and self.sentence.norm(following) in _SUBJECTS):
            return UNKNOWN  # ..., dem ironischen Nachbarn; eine Aufgabe, der wir uns stellen
        if norm not in _RELATIVE or not self._has_masculine():
            return KEEP if self.is_feminine and norm in ("den", "dem", "dessen", "welchen", "welchem") else UNKNOWN
        return self._masculine_relative(candidate, norm, before - 1)

    def _no_relative(self, candidate: Candidate) -> int:
        """Decide a form without a comma before it: an article of a noun that no table knows."""
        if candidate.token and self.sentence.norm(candidate.token - 1) in (",", "und", "oder", "(", "–", "—"):
            return UNKNOWN
        following = candidate.token + 1
        if following < len(self.sentence.tokens) and self.sentence.tokens[following].shape:
            return KEEP
        return UNKNOWN

    def _masculine_relative(self, candidate: Candidate, norm: str, last: int) -> int:
        outcome = CASE + _RELATIVE[norm]
        if not any(outcome == known for known, _ in candidate.options):
            return UNKNOWN
        if last in self.tokens:
            return outcome if self.evidence.is_masculine(self.tokens[last]) else UNKNOWN
        earlier = [token for token in self.tokens if token < last and self.evidence.is_masculine(self.tokens[token])]
        if not earlier:
            return KEEP if self._competes(last, "mn") else UNKNOWN
        competing = "m" if norm in ("der", "den", "welcher", "welchen") else "mn"
        start = max(earlier) + 1
        return outcome if not self._competitors(start, candidate.token, competing) else UNKNOWN

    def _alone(self, candidate: Candidate, norm: str) -> int:
        """Decide *einer, jeder, keiner* ... without a noun: a person, or the article of a longer phrase."""
        sentence, at = self.sentence, candidate.token
        after = sentence.norm(at + 1)
        if self._opens_phrase(at):
            return KEEP
        if norm in ("jeder", "jeden", "jedem") and (after in _SINGULARS or after in (",", ".", "!", "?", "")):
            case = {"jeder": NOMINATIVE, "jeden": ACCUSATIVE, "jedem": DATIVE}[norm]
            return CASE + case
        if norm in ("einer", "eine", "keiner", "keine", "jeder", "jede") and after in _PARTITIVE:
            return self._partitive(at)
        if norm == "keiner" and (after in _SINGULARS or sentence.norm(at - 1) in _SINGULARS):
            return CASE + NOMINATIVE
        return UNKNOWN

    def _partitive(self, at: int) -> int:
        """Decide *einer der Lehrer* (a person) and *einer der Tage* (none); *einer von ihnen* may be either."""
        if self.sentence.norm(at + 2) in ("ihnen", "denen", "uns", "euch", "diesen"):
            return UNKNOWN
        for index in range(at + 2, min(at + 7, len(self.sentence.tokens))):
            if self.sentence.tokens[index].shape:
                word = self.sentence.words[index]
                if word is None:
                    return KEEP if self.sentence.surface(index) in genders() else UNKNOWN
                return CASE + NOMINATIVE if word.noun is not None and word.noun.certain else UNKNOWN
        return UNKNOWN

    def _opens_phrase(self, at: int) -> bool:
        """Tell whether an article begins a phrase with adverbs and adjectives before its noun."""
        sentence = self.sentence
        for index in range(at + 1, min(at + 9, len(sentence.tokens))):
            norm, token = sentence.norms[index], sentence.tokens[index]
            if token.shape:
                return index > at + 1 and sentence.is_adjective(index - 1)
            if not norm.isalpha() or norm in _SINGULARS or norm in _NEUTER or norm in sentence.lexicon.determiners:
                return False
        return False


_SINGULARS = frozenset(
    """
    ist war wurde wird hat hatte kann konnte will wollte soll sollte muss musste darf durfte mag mochte weiß sagt sagte
    geht ging kommt kam macht machte sieht sah gibt gab steht stand bleibt blieb
    """.split()
)
_PREDICATE_ARTICLES = frozenset({"ein", "eine", "kein", "keine"})
#: articles of neuters, which the tables of determiners for persons leave out
_NEUTER = frozenset({"das", "dieses", "jenes", "jedes", "welches", "dasselbe", "dasjenige"})
_SUBJECTS = frozenset({"wir", "ich", "er", "sie", "man", "du", "es"})


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(row["word"] for row in read_table("de", "stop_words"))


def contradicted(source: str, target: str, language: German) -> tuple[tuple[int, int], ...]:
    """Return the spans of pronouns that stay in ``target`` although the rules of preference read persons there.

    Writers of gender-fair text leave the pronouns of persons whom they know; no model should learn from that where it
    cannot know them.

    Args:
        source: a gendered text.
        target: its fair form.
        language: with star forms.
    """
    analysis = language.analyze(source, protected_spans(source))
    options = match_outcomes(source, target, analysis.candidates)
    if options is None:
        return ()
    return tuple(
        (c.start, c.end)
        for c, option in zip(analysis.candidates, options, strict=True)
        if c.kind in _REFERRING and c.hint > KEEP and c.options[option][0] == KEEP
    )
