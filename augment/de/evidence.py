"""What plain German text says for certain about its person nouns: singular or plural, and in which case.

Forms that look alike in one gender are told apart by the other: *die Lehrerin* may be nominative or accusative, *der
Lehrer* is nominative, *den Lehrer* accusative; *Lehrer* may be singular or plural, *Lehrerinnen* is plural. So what is
certain in a sentence of one gender labels its twin in the other (:mod:`augment.de.twins`). What stays uncertain gets
no label.
"""

from __future__ import annotations

from functools import cache

from augment.de.doubts import may_be_one, may_be_thing, starts_like_thing
from lexicons.loader import read_table
from rewriter.de.drafts import CASE, FIRST, KEEP, PLURAL, SINGULAR, case_of
from rewriter.de.given_names import first_names, given_names
from rewriter.de.inflection import FEMININE, GENITIVE, NOMINATIVE
from rewriter.de.language import German
from rewriter.de.lexicon import Noun, bit, cases_of, genders
from rewriter.de.phrase import Phrase, plural, singular
from rewriter.de.phrases import find_phrase
from rewriter.de.sentence import Sentence
from rewriter.de.staying import TITLES
from rewriter.language.candidates import Analysis, Candidate

#: what an outcome is where nothing certain is known
UNKNOWN = -1

_HEADS = ("noun", "nominalised")
#: last parts of compounds that mean things as often as persons (Energieträger, Kugelschreiber)
_THING_TAILS = frozenset(
    """
    träger halter leiter führer geber macher läufer fänger taucher springer schläger könig sprecher schreiber zeuge
    riese wächter finder sucher fahrer vater rater nehmer kunde steller dreher zieher helfer meister kicker boxer
    schlosser anbieter betreiber hersteller
    """.split()
)
#: conjunctions before which a clause has ended: *der* behind them begins a subject
_SUBORDINATE = frozenset(
    "dass daß weil wenn ob als nachdem da bevor damit obwohl sobald falls sofern solange wie warum wo wann denn".split()
)
_GENITIVE = frozenset(
    """
    wegen während trotz innerhalb außerhalb seitens statt anstatt mittels anhand aufgrund infolge zugunsten hinsichtlich
    bezüglich seitens laut dank namens mithilfe anlässlich zulasten angesichts unter über
    """.split()
)
#: words before a genitive plural (viele der Lehrer)
_PARTITIVE = frozenset(
    "einer eine einem einen eins keiner keine jeder jede viele vieler wenige mehrere einige manche etliche".split()
)
#: prepositions behind which a noun without an article is a plural (für Lehrer)
_BARE_PLURAL = frozenset("für durch gegen ohne von mit bei unter zwischen an über um auf aus".split())
_PLURAL_VERBS = frozenset(
    """
    sind waren haben hatten werden wurden können konnten müssen mussten sollen sollten wollen wollten dürfen durften
    möchten mögen würden hätten wären könnten müssten dürften machen gehen kommen sehen brauchen arbeiten erhalten
    """.split()
)
#: verbs whose predicate noun stands in the number of the subject
COPULAS = frozenset("ist war wurde wird blieb bleibt bin bist sei wäre würde".split())


class Evidence:
    """The certain outcomes of the phrases of a sentence.

    Attributes:
        text: the sentence.
        sentence: its tokens and look-ups.
        analysis: its candidates.
        outcomes: outcome per candidate, :data:`UNKNOWN` where nothing is certain.
        phrases: phrase per index of a head.
        doubtful: heads that may be no person, or of the other number than the rewriter takes for settled.
    """

    def __init__(self, text: str, language: German, protected: list[tuple[int, int]]) -> None:
        """Analyse a sentence and decide what is certain about its phrases; pronouns stay unknown."""
        self.text = text
        self.sentence = Sentence(text, language.lexicon, protected)
        self.analysis: Analysis = language.analyze(text, protected)
        self.outcomes = [UNKNOWN if c.forced is None else c.forced for c in self.analysis.candidates]
        self.phrases: dict[int, Phrase] = {}
        self.doubtful: set[int] = set()
        for index, candidate in enumerate(self.analysis.candidates):
            if candidate.kind in _HEADS:
                self._decide_head(index, candidate)
            elif candidate.kind == "compound":
                self.outcomes[index] = self._first_part(candidate)
        for index, candidate in enumerate(self.analysis.candidates):
            if candidate.governor in self.doubtful:
                self.outcomes[index] = UNKNOWN
            elif candidate.governor >= 0 and self.outcomes[index] == UNKNOWN:
                self.outcomes[index] = self._follower(candidate)
        self._settle_phrases()

    def is_masculine(self, index: int) -> bool:
        """Tell whether a head stands in the masculine."""
        noun = self.phrases[index].word.noun
        if noun is not None:
            return noun.gender != FEMININE
        return not self.phrases[index].mask & 0x0F0

    def starred(self) -> list[int]:
        """Return the heads that are certainly persons in the singular."""
        return [
            i for i in self.phrases if self.outcomes[i] == SINGULAR or case_of(self.outcomes[i]) >= 0 or self._stays(i)
        ]

    def learn(self, index: int, mask: int) -> None:
        """Narrow the phrase of a head to what else is known about it; decide it and what agrees with it anew.

        Args:
            index: of the head among the candidates.
            mask: genders, numbers and cases that it may have.
        """
        phrase, candidate = self.phrases[index], self.analysis.candidates[index]
        phrase.mask &= mask
        if candidate.kind == "noun":
            outcome = SINGULAR if singular(phrase.mask) else PLURAL
            is_open = bool(singular(phrase.mask)) == bool(plural(phrase.mask))
            known = any(outcome == option for option, _ in candidate.options)
            self.outcomes[index] = outcome if known and not is_open else UNKNOWN
        elif plural(phrase.mask) and not singular(phrase.mask):
            self.outcomes[index] = KEEP
        else:
            self.outcomes[index] = self._nominalised(candidate, phrase)
        self._follow(index)

    def set_head(self, index: int, outcome: int) -> None:
        """Give a head an outcome (KEEP: no person, UNKNOWN: no label), and decide anew what agrees with it."""
        self.outcomes[index] = outcome
        self._follow(index)

    def _follow(self, index: int) -> None:
        for number, candidate in enumerate(self.analysis.candidates):
            if candidate.governor == index:
                self.outcomes[number] = self._follower(candidate)
        self._settle_phrases()

    def _stays(self, index: int) -> bool:
        """Tell whether a nominalised head keeps its form as a starred singular (der*die Angestellte)."""
        if self.analysis.candidates[index].kind != "nominalised" or self.outcomes[index] != KEEP:
            return False
        return any(
            c.governor == index and case_of(self.outcomes[i]) >= 0 for i, c in enumerate(self.analysis.candidates)
        )

    def _decide_head(self, index: int, candidate: Candidate) -> None:
        word = self.sentence.words[candidate.token]
        if word is None:
            return
        phrase = self.phrases[index] = find_phrase(self.sentence, candidate.token, word)
        if self._is_doubtful(phrase):
            self.outcomes[index] = UNKNOWN
            self.doubtful.add(index)
            return
        if word.noun is not None and phrase.certain:
            self._narrow(phrase, word.noun)
        if self.outcomes[index] != UNKNOWN or phrase.fair:
            return
        if candidate.kind == "nominalised":
            self.outcomes[index] = self._nominalised(candidate, phrase)
        elif word.noun is not None:
            self.outcomes[index] = self._noun(candidate, phrase, word.noun)

    def _is_doubtful(self, phrase: Phrase) -> bool:
        noun = phrase.word.noun
        return may_be_one(self.sentence, phrase) or (noun is not None and may_be_thing(self.sentence, phrase, noun))

    def _noun(self, candidate: Candidate, phrase: Phrase, noun: Noun) -> int:
        sentence, at = self.sentence, phrase.head
        if not phrase.certain or sentence.is_quoted(at) or sentence.tokens[at].shape != 1:
            return UNKNOWN
        if noun.lemma in sentence.lexicon.surnames and phrase.start == at and self._is_after_name(at):
            return KEEP
        if sentence.norm(phrase.start - 1) in TITLES:
            return UNKNOWN
        if not is_person(noun):
            return KEEP if self._is_attribute_of_thing(at, noun) else UNKNOWN
        may = singular(phrase.mask), plural(phrase.mask)
        if may[0] and may[1]:
            return self._bare_number(phrase) if phrase.determiner < 0 else UNKNOWN
        outcome = SINGULAR if may[0] else PLURAL
        if phrase.determiner < 0 and outcome == SINGULAR and noun.gender != FEMININE and self._may_be_name(phrase):
            return UNKNOWN
        return outcome if any(outcome == known for known, _ in candidate.options) else UNKNOWN

    def _is_after_name(self, at: int) -> bool:
        """Tell whether a title or a given name stands before a noun (Herr Schneider, Thomas Müller)."""
        sentence = self.sentence
        last = at - 2 if sentence.norm(at - 1) == "." else at - 1
        if sentence.norm(last) in TITLES or sentence.norm(last) in ("tante", "onkel", "vetter", "base"):
            return True
        return last >= 0 and sentence.tokens[last].shape == 1 and sentence.surface(last) in given_names()

    def _is_attribute_of_thing(self, at: int, noun: Noun) -> bool:
        """Tell whether a word in -er stands before a noun that is no person (Augsburger Straße)."""
        sentence = self.sentence
        if at + 1 >= len(sentence.tokens) or not noun.lemma.endswith("er") or noun.lemma not in _ambiguous():
            return False
        following = sentence.surface(at + 1)
        if following in first_names():
            return False  # ihr Sprecher John Krügel
        return following in genders() and sentence.words[at + 1] is None and sentence.tokens[at + 1].shape == 1

    def _narrow(self, phrase: Phrase, noun: Noun) -> None:
        """Take from a phrase the readings that its neighbourhood excludes: *der Lehrer* as genitive plural.

        What begins a clause is its subject: *Die Lehrerin ...*, *..., dass die Lehrerin*.
        """
        sentence, before = self.sentence, phrase.start - 1
        if phrase.determiner < 0:
            return
        norm, is_feminine = sentence.norms[phrase.determiner], noun.gender == FEMININE
        begins = before < 0 or sentence.norms[before] in _SUBORDINATE
        is_predicate = norm in ("eine", "keine") and self._is_predicate(phrase.start)
        if is_feminine and phrase.mask & bit(1, NOMINATIVE) and (is_predicate or (norm == "die" and begins)):
            phrase.mask &= bit(1, NOMINATIVE)
            return
        is_open = singular(phrase.mask) and plural(phrase.mask)
        if norm == "der" and not is_feminine and is_open and not begins and sentence.norms[before] in _PARTITIVE:
            phrase.mask &= bit(2, GENITIVE)
            return
        if norm == "der" and not is_feminine and is_open and (begins or self._ends_verb(before)):
            phrase.mask &= bit(0, NOMINATIVE)

    def _ends_verb(self, before: int) -> bool:
        """Tell whether the token before *der* is neither a noun nor anything that governs a genitive."""
        sentence = self.sentence
        norm, token = sentence.norms[before], sentence.tokens[before]
        if token.shape or not norm.isalpha() or norm in _GENITIVE or norm in ("und", "oder", "sowie", "aber"):
            return False
        if norm in _PARTITIVE or norm in sentence.lexicon.determiners:
            return False
        return norm not in sentence.closed.prepositions

    def _bare_number(self, phrase: Phrase) -> int:
        """Return the number of a noun without an article whose form leaves it open."""
        sentence, after = self.sentence, phrase.head + 1
        if self._is_before_name(phrase.head):
            return UNKNOWN
        before = sentence.norm(phrase.start - 1)
        if before in _BARE_PLURAL and not self._may_be_name(phrase):
            return PLURAL
        begins = phrase.start == 0 or before in (",", *_SUBORDINATE)
        if sentence.norm(after) in _PLURAL_VERBS and begins:
            return PLURAL
        if not phrase.adjectives and self._is_predicate(phrase.start):
            return SINGULAR
        return UNKNOWN

    def _is_predicate(self, start: int) -> bool:
        """Tell whether a singular copula stands before, with nothing but adverbs between."""
        at, sentence = start - 1, self.sentence
        while at >= 0 and at > start - 4 and not sentence.tokens[at].shape and sentence.norms[at].isalpha():
            if sentence.norms[at] in COPULAS:
                return True
            if sentence.norms[at] in sentence.closed.prepositions or sentence.norms[at] in ("und", "oder", "als"):
                return False
            at -= 1
        return False

    def _is_before_name(self, at: int) -> bool:
        sentence, after = self.sentence, at + 1
        if after >= len(sentence.tokens) or not sentence.tokens[after].shape:
            return False
        return sentence.surface(after) not in genders()

    def _may_be_name(self, phrase: Phrase) -> bool:
        """Tell whether a bare noun may be a surname: of the table, or behind a word with a capital."""
        noun, sentence, before = phrase.word.noun, self.sentence, phrase.start - 1
        if noun is not None and noun.lemma in sentence.lexicon.surnames:
            return True
        if before < 0:
            return False
        return sentence.tokens[before].shape > 0 and sentence.surface(before) not in genders()

    def _nominalised(self, candidate: Candidate, phrase: Phrase) -> int:
        word, sentence = phrase.word.nominalised, self.sentence
        assert word is not None
        if not word.certain or not phrase.certain or phrase.determiner < 0 or sentence.is_quoted(phrase.head):
            return UNKNOWN
        if self._is_before_noun(phrase.head):
            return UNKNOWN
        cases = cases_of(singular(phrase.mask))
        if plural(phrase.mask) or len(cases) != 1:
            return UNKNOWN
        known = {outcome for outcome, _ in candidate.options}
        return CASE + cases[0] if CASE + cases[0] in known else KEEP

    def _is_before_noun(self, at: int) -> bool:
        after = at + 1
        return after < len(self.sentence.tokens) and self.sentence.tokens[after].shape > 0

    def _follower(self, candidate: Candidate) -> int:
        """Return the outcome of an article, possessive or adjective by what its head is."""
        head = candidate.governor
        outcome, phrase = self.outcomes[head], self.phrases.get(head)
        if phrase is None or outcome == UNKNOWN or candidate.kind in ("possessive", "relative"):
            return UNKNOWN
        if outcome == PLURAL or (outcome == KEEP and self.analysis.candidates[head].kind == "noun"):
            return KEEP
        cases = cases_of(singular(phrase.mask))
        if len(cases) != 1 or not phrase.certain:
            return UNKNOWN
        known = {known for known, _ in candidate.options}
        return CASE + cases[0] if CASE + cases[0] in known else KEEP

    def _settle_phrases(self) -> None:
        """Leave nominalised heads without a label where nothing of their phrase says that they are singular."""
        for index in self.phrases:
            if self.analysis.candidates[index].kind != "nominalised" or self.outcomes[index] != KEEP:
                continue
            if plural(self.phrases[index].mask) and not singular(self.phrases[index].mask):
                continue
            if not self._stays(index):
                self.outcomes[index] = UNKNOWN

    def _first_part(self, candidate: Candidate) -> int:
        """Return the outcome of a compound whose first part may be a person (Kandidatenliste, not Mieterhöhung)."""
        word = self.sentence.words[candidate.token]
        first = None if word is None else word.first
        if first is None or self.sentence.is_quoted(candidate.token) or starts_like_thing(first.stem):
            return UNKNOWN
        surface = self.sentence.surface(candidate.token)
        rest = first.rest
        is_noun = rest.capitalize() in genders()
        # Miet|erhöhung, Fahr|erlaubnis: the noun begins earlier
        if any(surface[len(surface) - len(rest) - back :].capitalize() in genders() for back in (1, 2)):
            return UNKNOWN if is_noun else KEEP
        return FIRST if is_noun and len(first.stem) >= 4 else UNKNOWN


def is_person(noun: Noun) -> bool:
    """Tell whether a noun is certainly a person, compounds with a person as their head included."""
    if noun.certain:
        return True
    if noun.prefix and noun.person.masculine.lower() not in _THING_TAILS:
        return noun.person.masculine[:1].isupper() and len(noun.person.masculine) > 4 and not _is_doubtful(noun)
    return noun.lemma in _attested() and noun.lemma not in _ambiguous()


def _is_doubtful(noun: Noun) -> bool:
    return noun.person.masculine.lower() in _ambiguous()


@cache
def _ambiguous() -> frozenset[str]:
    return frozenset(row["word"] for row in read_table("de", "things") if row["kind"] == "ambiguous")


@cache
def _attested() -> frozenset[str]:
    """Masculine lemmas of feminines that the table of genders attests."""
    return frozenset(form[:-2].lower() for form, gender in genders().items() if gender == "f" and form.endswith("in"))
