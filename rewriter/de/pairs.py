"""German pair forms: two phrases of one noun in both genders, as one candidate (Studentinnen und Studenten)."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.de.closed_classes import CONJUNCTIONS
from rewriter.de.drafts import (
    CASE,
    CONTRACTED,
    HYPHENS,
    KEEP,
    PLURAL,
    SALUTING,
    SINGULAR,
    Draft,
    Finder,
    adjective_stem,
    different,
)
from rewriter.de.inflection import FEMININE, NOMINATIVE, join, match_case
from rewriter.de.phrase import Phrase, plural, singular
from rewriter.de.word_readings import FEM, MASC, Noun, Word, cases_of
from rewriter.language.rules import Decision
from rewriter.text.breaks import has_break, keep_break

#: what makes that two halves are one person
PAIR = Decision("de", "settles")
SHORTENED = Decision("de", "settles")


class PairFinder(Finder):
    """Finds pair forms of nouns."""

    def _add_pair(self, one: Phrase, other: Phrase) -> bool:
        """Add two phrases of one noun in both genders as one candidate (Studentinnen und Studenten)."""
        joined = self._conjunction(one, other)
        if not joined or not _same_noun(one.word, other.word):
            return False
        if not self._has_same_adjectives(one, other):
            return False
        if joined == "wie" and not (plural(one.mask) and plural(other.mask) and other.determiner < 0):
            return False
        singular_cases = set(cases_of(singular(one.mask))) & set(cases_of(singular(other.mask)))
        if not singular_cases and joined in _CHOOSING:
            singular_cases = self._cases_by_form(one, other)
        # den Arbeiterinnen und Arbeiter is a pair in spite of the slip
        is_plural = bool(plural(one.mask) and plural(other.mask))
        options: list[tuple[int, str]] = []
        if one.word.noun is not None and is_plural and not _is_singular_feminine(one, other):
            start, options = (
                one.head,
                [(PLURAL, self._noun(self.sentence.surface(one.head), one.word.noun, number=PLURAL))],
            )
        elif singular_cases:
            start, options = self._singular_pair(one, other, sorted(singular_cases))
        if not options:
            return False
        return self._append_pair(one, other, start, options, joined)

    def _has_same_adjectives(self, one: Phrase, other: Phrase) -> bool:
        """Return True if no adjective of the second half is lost; a first half is cut off behind what is none.

        *die neue Lehrerin oder der neue Lehrer*, *neue Lehrerinnen und Lehrer*; not *Köchin oder alter Koch*.
        """
        first, second = (
            [adjective_stem(self.sentence.norms[at]) for at in phrase.adjectives] for phrase in (one, other)
        )
        if not second or first == second:
            return True
        if first[-len(second) :] != second:
            return False
        if one.determiner < 0:  # Studien frühere Meisterin oder früherer Meister
            one.adjectives = one.adjectives[-len(second) :]
            one.start = one.adjectives[0]
        return True

    def _cases_by_form(self, one: Phrase, other: Phrase) -> set[int]:
        """Return the cases that the words of two halves allow, whatever their place in the sentence leaves."""
        if _is_bare(one) and _is_bare(other):  # pro Mandantin oder Mandant: no word shows the case
            return {NOMINATIVE} if singular(one.mask) and singular(other.mask) else set()
        first, second = self._form_mask(one), self._form_mask(other)
        ways = (first & MASC, (second & FEM) >> 4), (second & MASC, (first & FEM) >> 4)
        return {case for masculine, feminine in ways for case in cases_of(masculine & feminine)}

    def _form_mask(self, phrase: Phrase) -> int:
        """Return the genders and cases of a determiner and its noun."""
        if phrase.determiner < 0:
            return 0
        mask = 0
        for reading in self.sentence.lexicon.determiners.get(self.sentence.norms[phrase.determiner], ()):
            mask |= reading.mask
        return mask if phrase.word.noun is None else mask & phrase.word.noun.mask

    def _add_shortened(self, one: Phrase) -> bool:
        """Add a pair form whose second half leaves out the first part (Netznutzerinnen und -nutzer)."""
        sentence, at = self.sentence, one.head + 1
        last = at + 2
        if one.word.noun is None or sentence.norm(at) not in _JOINING or sentence.norm(at + 1) not in HYPHENS:
            return False
        if not sentence.touches(at + 1) or sentence.touches(at) or sentence.is_blocked(one.head):
            return False
        return self._is_rest_of(one.word.noun, sentence.norm(last)) and self._append_shortened(one, last)

    @staticmethod
    def _is_rest_of(noun: Noun, rest: str) -> bool:
        """Return True if a word is the end of the masculine plural of a feminine (*Auftragnehmerinnen und -nehmer*)."""
        if noun.gender != FEMININE or not plural(noun.mask) or len(rest) < _LEAST_REST:
            return False
        person = noun.person
        forms = {person.masculine_form(case, plural=True).lower() for case in range(4)}
        return any((noun.prefix + form).endswith(rest) for form in forms)

    def _append_shortened(self, one: Phrase, last: int) -> bool:
        """Add a pair form with a shortened second half as a candidate."""
        sentence, noun = self.sentence, one.word.noun
        assert noun is not None
        first, end = sentence.tokens[one.head].start, sentence.tokens[last].end
        before = sentence.text[first:end]
        if has_break(before):
            return False
        fair = self._noun(sentence.surface(one.head), noun, number=PLURAL)
        options = ((KEEP, before), (PLURAL, fair))
        rule = sentence.rules.first(SHORTENED, self, one.head)
        self.found.append(Draft.settled(first, end, one.head, "pair", options, PLURAL, rule))
        self.taken.update(range(one.head, last + 1))
        return True

    def _append_pair(self, one: Phrase, other: Phrase, start: int, options: list[tuple[int, str]], word: str) -> bool:
        sentence = self.sentence
        first, last = sentence.tokens[start].start, sentence.tokens[other.head].end
        fitted = [keep_break(sentence.text, first, last, after) for _, after in options]
        kept = [fit for fit in fitted if fit is not None]
        if len(kept) < len(options):
            return False
        first, last = kept[0][:2]
        before = sentence.text[first:last]
        options = different([(outcome, fit[2]) for (outcome, _), fit in zip(options, kept, strict=True)])
        rule = sentence.rules.first(PAIR, self, one.head, one, options, word)
        outcome = options[0][0]
        draft = Draft.settled(first, last, one.head, "pair", ((KEEP, before), *options), outcome, rule)
        self.found.append(draft)
        self.taken.update(range(start, other.head + 1))
        if one in self.phrases:
            self.phrases.remove(one)
        if options[0][0] != PLURAL:
            self.referents.append(one.head)
        return True

    @PAIR.rule(
        "pair of both genders",
        example="[Studentinnen und Studenten] singen.",
        counter="[Studentinnen] und Ärzte singen.",
    )
    def _is_settled(self, head: int, one: Phrase, options: Sequence[tuple[int, str]], word: str) -> bool:
        persons = word != "und" or options[0][0] == PLURAL or self.sentence.norm(one.determiner)[:2] in ("je", "ke")
        return len(options) == 1 and persons and word != "/" and not self.sentence.is_quoted(head)

    @SHORTENED.rule(
        "shortened pair", example="[Netznutzerinnen und -nutzer] zahlen.", counter="[Netznutzerinnen] zahlen."
    )
    def _is_shortened(self, head: int) -> bool:
        return True

    def _conjunction(self, one: Phrase, other: Phrase) -> str:
        """Return the conjunction between two phrases, empty where there is none."""
        sentence, at = self.sentence, other.start - 1
        while at > one.head + 1 and sentence.norms[at] in _DEGREES:
            at -= 1
        if at > one.head and self._repeats_preposition(one, other, sentence.norms[at]):
            at -= 1
        if sentence.norm(at) == "." and sentence.norm(at - 1) == "bzw":
            at -= 1
        if at - 2 == one.head + 1 and sentence.norms[at - 2 : at + 1] == ["und", "/", "oder"]:
            return "oder"
        word = sentence.norm(at)
        if at != one.head + 1 or (word == "," and not self._is_pair_with_comma(one, other)):
            return ""
        return word if word in _JOINING else ""

    def _repeats_preposition(self, one: Phrase, other: Phrase, word: str) -> bool:
        """Return True if a preposition stands before both halves (*mit der*, *vom Lehrer bzw. von der Lehrerin*)."""
        sentence = self.sentence
        if word not in sentence.closed.prepositions:
            return False
        apart = f"{word} {sentence.norm(other.start)}"
        is_apart = self._is_contracted(one) and CONTRACTED.get(sentence.norm(one.start)) == apart
        return is_apart or word == sentence.norm(one.start - 1)

    def _is_pair_with_comma(self, one: Phrase, other: Phrase) -> bool:
        """Return True for two salutations, or two plurals of a list (*Schülerinnen, Schüler und Eltern*)."""
        if self._is_addressed(one) and self._is_addressed(other):
            return True
        if not (plural(one.mask) and plural(other.mask)) or (singular(one.mask) and singular(other.mask)):
            return False
        return other.start == other.head and self.sentence.norm(other.head + 1) in _LISTING

    def _is_addressed(self, phrase: Phrase) -> bool:
        """Return True if a phrase is a salutation (*lieber Leser*, *sehr geehrte Leserin*)."""
        first = phrase.adjectives[0] if phrase.adjectives else -1
        if phrase.determiner >= 0 or first < 0 or phrase.start != first:
            return False
        return adjective_stem(self.sentence.norms[first]) in SALUTING

    def _begins_salutation(self, phrase: Phrase) -> bool:
        """Return True if nothing but *sehr* stands before a phrase in its sentence."""
        return self._begins(phrase.start - (self.sentence.norm(phrase.start - 1) in _DEGREES))

    def _singular_pair(self, one: Phrase, other: Phrase, cases: list[int]) -> tuple[int, list[tuple[int, str]]]:
        if one.determiner < 0 and other.determiner < 0 and not one.adjectives:
            if one.word.noun is None:
                return one.head, self._phrase_options(one, cases, "")
            fair = self._noun(self.sentence.surface(one.head), one.word.noun, number=SINGULAR)
            return one.head, [(SINGULAR, fair)]
        whole = self.sentence.norm(other.start) if self._is_contracted(other) else ""
        apart = f"{self.sentence.norm(one.start - 1)} {self.sentence.norm(one.start)}"
        if (
            one.determiner >= 0
            and whole
            and CONTRACTED.get(whole) == apart
            and not self.sentence.is_blocked(one.start - 1)
        ):
            return one.start - 1, self._phrase_options(one, cases, whole)
        first = self.sentence.norm(one.start)
        stem = first if self._is_contracted(one) and " " in CONTRACTED.get(first, "") else ""
        return one.start, self._phrase_options(one, cases, stem)

    def _is_contracted(self, phrase: Phrase) -> bool:
        return phrase.reading is not None and phrase.reading.kind == "contraction"

    def _phrase_options(self, one: Phrase, cases: list[int], contraction: str) -> list[tuple[int, str]]:
        """Return the whole phrase made gender-fair, by case."""
        options: list[tuple[int, str]] = []
        for case in cases:
            if contraction:
                first = [(CASE + case, match_case(self.sentence.surface(one.start), self._contraction(contraction)))]
            elif one.reading is not None:
                first = list(self._determined(self.sentence.surface(one.determiner), one.reading, case, one))
            else:
                first = [(CASE + case, "")]
            options += [(outcome, word + self._rest(one, case)) for outcome, word in first]
        return options

    def _rest(self, one: Phrase, case: int) -> str:
        """Return what stands behind the determiner of a phrase up to its noun, gender-fair."""
        sentence = self.sentence
        parts, at = [], sentence.tokens[one.determiner].end if one.determiner >= 0 else sentence.tokens[one.start].start
        for index in one.adjectives:
            token = sentence.tokens[index]
            adjective = join(self.style, adjective_stem(sentence.surface(index)), one.paradigm, case)
            parts += [sentence.text[at : token.start], match_case(sentence.surface(index), adjective)]
            at = token.end
        parts.append(sentence.text[at : sentence.tokens[one.head].start])
        surface = sentence.surface(one.head)
        if one.word.noun is not None:
            parts.append(self._noun(surface, one.word.noun, number=SINGULAR))
        elif one.word.nominalised is not None:
            parts.append(join(self.style, surface[: -len(one.word.nominalised.ending)], one.paradigm, case))
        return "".join(parts)


def _is_bare(phrase: Phrase) -> bool:
    return phrase.word.noun is not None and phrase.determiner < 0 and not phrase.adjectives


def _same_noun(one: Word, other: Word) -> bool:
    if one.noun is not None and other.noun is not None:
        return one.noun.lemma == other.noun.lemma and one.noun.gender != other.noun.gender
    if one.nominalised is not None and other.nominalised is not None and one.noun is None and other.noun is None:
        return one.nominalised.stem == other.nominalised.stem
    return False


def _is_singular_feminine(one: Phrase, other: Phrase) -> bool:
    """Return True if the feminine half is singular, so that the pair is."""
    return any(
        p.word.noun is not None and p.word.noun.gender == FEMININE and not plural(p.word.noun.mask)
        for p in (one, other)
    )


#: letters of the rest of a shortened pair form
_LEAST_REST = 4
#: what stands before the adjective of a salutation
_DEGREES = frozenset({"sehr", "hoch"})
#: conjunctions between the halves of one person, not of two
_CHOOSING = frozenset({"oder", "bzw", "beziehungsweise", "/"})
#: between two nouns, *Lehrerinnen wie Lehrer* too
_JOINING = CONJUNCTIONS | {"wie", "/", "&", ","}
#: what goes on with a list
_LISTING = frozenset({"und", "oder", "sowie", ",", "bzw"})
