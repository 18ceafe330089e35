"""German candidates: which words of a sentence may change, and into what.

The word tables and the grammar of the noun phrase say what *may* happen: for a noun its singular or plural, for what
agrees with it the cases that its form leaves open, for a pronoun its case. An encoder decides what the grammar leaves
open: case and number where forms coincide, what a pronoun refers to, whether a word means a person at all. What has
one reading only is forced here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rewriter.breaks import fit_gaps, keep_break
from rewriter.candidates import Analysis, Candidate
from rewriter.de.fair_forms import fair_forms
from rewriter.de.inflection import (
    ACCUSATIVE,
    DATIVE,
    FEMININE,
    GENITIVE,
    NOMINATIVE,
    Style,
    both,
    endings,
    join,
    match_case,
)
from rewriter.de.lexicon import FEM, Determiner, GermanLexicon, Noun, Word, cases_of
from rewriter.de.phrases import Phrase, Sentence, masculine, plural, singular

OUTCOMES = (
    "keep",
    "singular",
    "plural",
    "nominative",
    "accusative",
    "dative",
    "genitive",
    "starred",
    "starred nominative",
    "starred accusative",
    "starred dative",
    "starred genitive",
    "first part",
)
KEEP, SINGULAR, PLURAL, CASE, STARRED, STARRED_CASE, FIRST = 0, 1, 2, 3, 7, 8, 12
#: outcomes of what agrees in a case, own or with a starred possessor
CASES = range(CASE, CASE + 4)
STARRED_CASES = range(STARRED_CASE, STARRED_CASE + 4)

Options = tuple[tuple[int, str], ...]


def case_of(outcome: int) -> int:
    """Return the case of an outcome, -1 for one without."""
    if CASE <= outcome < CASE + 4:
        return outcome - CASE
    return outcome - STARRED_CASE if STARRED_CASE <= outcome < STARRED_CASE + 4 else -1


@dataclass(slots=True, eq=False)
class Draft:
    """A candidate before its place in the list is known: the head that it follows is another draft."""

    start: int
    end: int
    token: int
    kind: str
    options: Options
    forced: int | None = None
    head: Draft | None = None


def analyze(
    text: str,
    lexicon: GermanLexicon,
    style: Style,
    *,
    protected: Sequence[tuple[int, int]] = (),
    training: bool = False,
    normalise: bool = False,
) -> Analysis:
    """Find the candidates of a sentence.

    Args:
        text: one sentence.
        lexicon: compiled tables.
        style: how gender-fair forms are written.
        protected: spans of the sentence that must stay, in order.
        training: leave nothing to the grammar alone, so that every candidate of a pair gets its label.
        normalise: write the gender-fair forms that are there already in the style, too.
    """
    sentence = Sentence(text, lexicon, protected)
    drafts = _Finder(sentence, style).drafts()
    if normalise and style.form != "pair":
        drafts = [*_existing(sentence, style), *drafts]
    candidates = _placed(drafts)
    if training:
        candidates = [replace(c, forced=None) for c in candidates]
    return Analysis(sentence.tokens, candidates)


def _existing(sentence: Sentence, style: Style) -> Iterator[Draft]:
    """Yield drafts for gender-fair forms in another style than the wanted one."""
    starts = {token.start: index for index, token in enumerate(sentence.tokens)}
    for form in fair_forms(sentence.text, sentence.lexicon):
        surface = sentence.text[form.start : form.end]
        # the gap looks like an identifier of code
        is_gap = (form.start, form.end) in sentence.protected and form.form == "gap"
        if form.start not in starts or (sentence.is_protected(form.start) and not is_gap):
            continue
        after = form.written(style, surface)
        outcome = PLURAL if form.plural else SINGULAR if form.kind == "noun" else CASE
        if after != surface:
            options = ((KEEP, surface), (outcome, after))
            yield Draft(form.start, form.end, starts[form.start], "existing", options, outcome)


def _placed(drafts: list[Draft]) -> list[Candidate]:
    """Return the candidates in order; of two that share characters the earlier, of two at one place the first found."""
    kept: list[Draft] = []
    for draft in sorted(drafts, key=lambda d: d.start):
        if not kept or kept[-1].end <= draft.start:
            kept.append(draft)
    places = {id(draft): index for index, draft in enumerate(kept)}
    return [
        Candidate(d.start, d.end, d.token, d.kind, d.options, d.forced, places.get(id(d.head), -1) if d.head else -1)
        for d in kept
    ]


class _Finder:
    """Finds the drafts of one sentence."""

    def __init__(self, sentence: Sentence, style: Style) -> None:
        self.sentence, self.style = sentence, style
        self.found: list[Draft] = []
        self.taken: set[int] = set()  # tokens of pair forms and of phrases
        self.phrases: list[Phrase] = []
        self.referents: list[int] = []  # tokens of what may become a starred singular person

    def drafts(self) -> list[Draft]:
        """Return all drafts."""
        people = [i for i, word in enumerate(self.sentence.words) if word is not None]
        if people:
            self._add_people(people)
        self._add_standing_alone()
        if self.referents:
            self._add_pronoun_pairs()
            self._add_pronouns()
        return self.found

    # -- persons ---------------------------------------------------------------------------------------------------

    def _add_people(self, people: list[int]) -> None:
        words = self.sentence.words
        after: Phrase | None = None
        for index in people:
            word = words[index]
            if word is None or index in self.taken:
                continue
            if word.first is not None and word.noun is None and word.nominalised is None:
                self._add_first_part(index, word.first.stem, word.first.rest)
            elif self._is_hyphened(index) and word.noun is not None:
                self._add_first_part(index, word.noun.stem, "")
            else:
                phrase = self.sentence.phrase(index, word)
                if after is not None and self._add_pair(after, phrase):
                    after = None
                    continue
                after = phrase
                self.phrases.append(phrase)
        for phrase in self.phrases:
            if phrase.head not in self.taken:
                self._add_phrase(phrase)

    def _is_hyphened(self, index: int) -> bool:
        sentence = self.sentence
        return (
            sentence.touches(index) and sentence.norm(index + 1) in ("-", "‑") and (sentence.norm(index + 2).isalpha())
        )

    def _add_first_part(self, index: int, stem: str, rest: str) -> None:
        token = self.sentence.tokens[index]
        surface = self.sentence.surface(index)
        fair = match_case(surface, self.style.noun(stem, plural=True) + rest)
        self.found.append(Draft(token.start, token.end, index, "compound", ((KEEP, surface), (FIRST, fair))))

    def _add_phrase(self, phrase: Phrase) -> None:
        word = phrase.word
        if phrase.fair or self._is_neuter(phrase):
            return
        if word.noun is not None:
            self._add_noun_phrase(phrase, word.noun)
        elif word.nominalised is not None:
            self._add_nominalised(phrase)

    def _is_neuter(self, phrase: Phrase) -> bool:
        return self.sentence.norm(phrase.start - 1) == "das" and phrase.determiner < 0

    def _add_noun_phrase(self, phrase: Phrase, noun: Noun) -> None:
        sentence, mask = self.sentence, phrase.mask
        if self._is_town(phrase):
            return
        surface, token = sentence.surface(phrase.head), sentence.tokens[phrase.head]
        options = [(KEEP, surface)]
        if singular(mask):
            options.append((SINGULAR, self._noun(surface, noun, number=SINGULAR)))
            self.referents.append(phrase.head)
        if plural(mask):
            options.append((PLURAL, self._noun(surface, noun, number=PLURAL)))
        forced = self._forced_number(phrase, noun, options)
        head = Draft(token.start, token.end, phrase.head, "noun", tuple(options), forced)
        self.found.append(head)
        self.taken.add(phrase.head)
        if singular(mask):
            self._add_agreeing(phrase, head)

    def _is_town(self, phrase: Phrase) -> bool:
        """Tell whether a word is the adjective of a town (Berliner Straße, der Augsburger Unternehmer)."""
        sentence, following = self.sentence, phrase.head + 1
        if following >= len(sentence.tokens) or not self._ends_like_town(phrase):
            return False
        if sentence.tokens[following].shape == 1 and sentence.norms[phrase.head] in _TOWNS:
            return True
        word = sentence.words[following]
        # a noun that is nothing else, no surname: the phrase is its own
        noun = None if word is None else word.noun
        return noun is not None and noun.certain and not noun.prefix and noun.lemma not in sentence.lexicon.surnames

    def _noun(self, surface: str, noun: Noun, *, number: int) -> str:
        return (
            match_case(surface, self.style.noun(noun.stem, plural=number == PLURAL))
            if surface[:1].isupper()
            else (self.style.noun(noun.stem, plural=number == PLURAL).lower())
        )

    def _forced_number(self, phrase: Phrase, noun: Noun, options: list[tuple[int, str]]) -> int | None:
        if len(options) != 2 or not noun.certain or not phrase.certain or self._is_doubtful(phrase):
            return None
        outcome = options[1][0]
        if noun.gender == FEMININE:
            return outcome
        # a bare masculine singular may be a name, a title, a mention
        return outcome if phrase.determiner >= 0 or outcome == PLURAL else None

    def _is_doubtful(self, phrase: Phrase) -> bool:
        sentence = self.sentence
        before, following = sentence.norm(phrase.start - 1), phrase.head + 1
        if following < len(sentence.tokens) and sentence.tokens[following].shape and self._ends_like_town(phrase):
            return True
        return before in _TITLES or sentence.is_quoted(phrase.head) or sentence.tokens[phrase.head].shape != 1

    def _ends_like_town(self, phrase: Phrase) -> bool:
        return phrase.word.noun is not None and self.sentence.surface(phrase.head).endswith("er")

    def _add_agreeing(self, phrase: Phrase, head: Draft) -> None:
        """Add determiner and adjectives of a phrase, which follow its head."""
        if phrase.determiner >= 0 and not self.sentence.is_blocked(phrase.determiner):
            self._add_determiner(phrase, head)
        for index in phrase.adjectives:
            self._add_adjective(phrase, index, head)

    def _add_determiner(self, phrase: Phrase, head: Draft) -> None:
        index, reading, mask = phrase.determiner, phrase.reading, singular(phrase.mask)
        assert reading is not None
        start, contracted = index, False
        if reading.kind == "definite" and self._stands_behind(index, "von"):
            contracted = bool(mask & FEM)
            start = index - 1 if contracted else index
        surface = self.sentence.text[self.sentence.tokens[start].start : self.sentence.tokens[index].end]
        options = [(KEEP, surface)]
        for case in cases_of(mask):
            if contracted and case == DATIVE:
                options.append((CASE + DATIVE, match_case(surface, self._contraction("vom"))))
            elif not contracted:
                options += self._determined(surface, reading, case, phrase)
        if reading.kind in ("his", "her") and not self._is_polite(phrase):
            options += self._possessed(surface, reading)
        options = _different(options)
        if len(options) == 1:
            return
        forced = options[1][0] if len(options) == 2 and head.forced == SINGULAR and phrase.certain else None
        if contracted:
            fitted = keep_break(
                self.sentence.text, self.sentence.tokens[start].start, self.sentence.tokens[index].end, ""
            )
            if fitted is None:
                return
            options = [(outcome, fit_gaps(surface, after) if outcome else after) for outcome, after in options]
        first, last = self.sentence.tokens[start], self.sentence.tokens[index]
        kind = "article" if reading.kind not in ("his", "her", "possessive") else "possessive"
        self.found.append(Draft(first.start, last.end, index, kind, tuple(options), forced, head))
        self.taken.update(range(start, index + 1))

    def _stands_behind(self, index: int, preposition: str) -> bool:
        return self.sentence.norm(index - 1) == preposition and index > 0 and not self.sentence.is_blocked(index - 1)

    def _contraction(self, stem: str) -> str:
        return self.style.words(stem, _CONTRACTED[stem])

    def _determined(self, surface: str, reading: Determiner, case: int, phrase: Phrase) -> Iterator[tuple[int, str]]:
        """Yield the options of a determiner in a case."""
        if reading.kind == "definite":
            suffix = reading.stem[3:]
            pair = both("article", case)
            if suffix:
                ending = _SAME_ENDINGS[case]
                pair = pair[0] + suffix + ending[0], pair[1] + suffix + ending[1]
            yield CASE + case, match_case(surface, self.style.words(*pair))
        elif reading.kind == "contraction":
            yield CASE + case, match_case(surface, self._contraction(reading.stem))
        elif reading.kind in ("his", "her"):
            masculine_ending, feminine_ending, _ = endings("possessive")[case]
            assert masculine_ending is not None and feminine_ending is not None
            yield CASE + case, match_case(surface, join(self.style, reading.stem, "possessive", case))
            if self._is_polite(phrase):
                return
            starred = self.style.possessive((masculine_ending, feminine_ending), starred=True)
            yield STARRED_CASE + case, match_case(surface, starred)
        elif reading.kind != "plural":
            yield CASE + case, match_case(surface, join(self.style, reading.stem, reading.paradigm, case))

    def _is_polite(self, phrase: Phrase) -> bool:
        """Tell whether the determiner of a phrase is *Ihr* with a capital that no sentence's beginning explains."""
        index = phrase.determiner
        return self.sentence.tokens[index].shape == 1 and not self._begins(index)

    def _possessed(self, surface: str, reading: Determiner) -> list[tuple[int, str]]:
        """Return the option of a possessive whose possessor is starred and whose possessed is a thing."""
        ending = reading.ending
        return [(STARRED, match_case(surface, self.style.possessive((ending, ending), starred=False)))]

    def _add_adjective(self, phrase: Phrase, index: int, head: Draft) -> None:
        token = self.sentence.tokens[index]
        if index in self.taken or self.sentence.is_blocked(index):
            return
        surface = self.sentence.surface(index)
        options = [(KEEP, surface)]
        mask = singular(phrase.mask)
        if phrase.determiner < 0:
            mask &= self.sentence.adjective_mask("strong", index)
        stem = _adjective_stem(surface)
        for case in cases_of(mask):
            options.append((CASE + case, match_case(surface, join(self.style, stem, phrase.paradigm, case))))
        options = _different(options)
        if len(options) > 1:
            alone = len(options) == 2 and len(cases_of(mask)) == 1
            forced = options[1][0] if alone and head.forced == SINGULAR and phrase.determiner >= 0 else None
            self.found.append(Draft(token.start, token.end, index, "adjective", tuple(options), forced, head))
            self.taken.add(index)
        elif head.forced == SINGULAR:
            self.taken.add(index)

    def _add_nominalised(self, phrase: Phrase) -> None:
        sentence, word = self.sentence, phrase.word.nominalised
        assert word is not None
        surface, token = sentence.surface(phrase.head), sentence.tokens[phrase.head]
        if not singular(phrase.mask) or token.shape == 0 or self._is_attribute(phrase):
            return
        stem = surface[: -len(word.ending)]
        options = [(KEEP, surface)]
        for case in cases_of(singular(phrase.mask)):
            options.append((CASE + case, join(self.style, stem, phrase.paradigm, case)))
        options = _different(options)
        settled = word.certain and phrase.certain and not self._is_doubtful(phrase) and phrase.determiner >= 0
        single = len(cases_of(singular(phrase.mask))) == 1 and not plural(phrase.mask)
        forced = options[-1][0] if settled and single else None
        head = Draft(token.start, token.end, phrase.head, "nominalised", tuple(options), forced)
        self.referents.append(phrase.head)
        self.found.append(head)
        self.taken.add(phrase.head)
        self._add_agreeing(phrase, replace_forced(head, SINGULAR if settled and single else None))
        for draft in self.found:
            if draft.head is not None and draft.head.token == head.token and draft.head is not head:
                draft.head = head

    def _is_attribute(self, phrase: Phrase) -> bool:
        """Tell whether a capitalised adjective stands before its noun (Reicher Beifall, Deutsche Bank)."""
        index = phrase.head + 1
        sentence = self.sentence
        if index >= len(sentence.tokens):
            return False
        if phrase.determiner < 0 and sentence.is_adjective(index) and phrase.head == 0:
            return True
        following = sentence.words[index]
        if following is not None and following.noun is not None and following.noun.certain:
            return True
        return sentence.tokens[index].shape > 0 and (
            phrase.determiner < 0 or phrase.head == 0 or not _is_certain(phrase)
        )

    # -- pair forms ------------------------------------------------------------------------------------------------

    def _add_pair(self, one: Phrase, other: Phrase) -> bool:
        """Add two phrases of one noun in both genders as one candidate (Studentinnen und Studenten)."""
        joined = self._conjunction(one, other)
        if not joined or not _same_noun(one.word, other.word):
            return False
        singular_cases = set(cases_of(singular(one.mask))) & set(cases_of(singular(other.mask)))
        is_plural = bool(plural(one.mask) & plural(other.mask))
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

    def _append_pair(self, one: Phrase, other: Phrase, start: int, options: list[tuple[int, str]], word: str) -> bool:
        sentence = self.sentence
        first, last = sentence.tokens[start].start, sentence.tokens[other.head].end
        before = sentence.text[first:last]
        if "\n" in before and any(keep_break(sentence.text, first, last, after) is None for _, after in options):
            return False
        persons = word != "und" or options[0][0] == PLURAL or sentence.norm(one.determiner)[:2] in ("je", "ke")
        settled = len(options) == 1 and persons and word != "/" and not sentence.is_quoted(one.head)
        forced = options[0][0] if settled and self._is_certain_pair(one, other) else None
        draft = Draft(first, last, one.head, "pair", ((KEEP, before), *options), forced)
        self.found.append(draft)
        self.taken.update(range(start, other.head + 1))
        if one in self.phrases:
            self.phrases.remove(one)
        if options[0][0] != PLURAL:
            self.referents.append(one.head)
        return True

    def _is_certain_pair(self, one: Phrase, other: Phrase) -> bool:
        return all(p.word.noun is None or p.word.noun.prefix == "" or p.word.noun.person for p in (one, other))

    def _conjunction(self, one: Phrase, other: Phrase) -> str:
        """Return the conjunction between two phrases, empty where there is none."""
        sentence, at = self.sentence, other.start - 1
        if (
            at > one.head
            and sentence.norms[at] in sentence.closed.prepositions
            and (sentence.norms[at] == sentence.norm(one.start - 1))
        ):
            at -= 1
        if sentence.norm(at) == "." and sentence.norm(at - 1) == "bzw":
            at -= 1
        word = sentence.norm(at)
        if at - 2 == one.head + 1 and sentence.norms[at - 2 : at + 1] == ["und", "/", "oder"]:
            return "oder"
        return word if at == one.head + 1 and word in _CONJUNCTIONS else ""

    def _singular_pair(self, one: Phrase, other: Phrase, cases: list[int]) -> tuple[int, list[tuple[int, str]]]:
        if one.determiner < 0 and other.determiner < 0 and not one.adjectives:
            if one.word.noun is None:
                return one.head, []
            fair = self._noun(self.sentence.surface(one.head), one.word.noun, number=SINGULAR)
            return one.head, [(SINGULAR, fair)]
        if one.determiner >= 0 and self._stands_behind(one.start, "von") and self._is_contracted(other):
            return one.start - 1, self._phrase_options(one, cases, "vom")
        stem = "vom" if self._is_contracted(one) and self.sentence.norm(one.start) == "vom" else ""
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
            adjective = join(self.style, _adjective_stem(sentence.surface(index)), one.paradigm, case)
            parts += [sentence.text[at : token.start], match_case(sentence.surface(index), adjective)]
            at = token.end
        parts.append(sentence.text[at : sentence.tokens[one.head].start])
        surface = sentence.surface(one.head)
        if one.word.noun is not None:
            parts.append(self._noun(surface, one.word.noun, number=SINGULAR))
        elif one.word.nominalised is not None:
            parts.append(join(self.style, surface[: -len(one.word.nominalised.ending)], one.paradigm, case))
        return "".join(parts)

    # -- pronouns --------------------------------------------------------------------------------------------------

    def _add_standing_alone(self) -> None:
        """Add *einer, keiner, jeder* ... without a noun."""
        norms = self.sentence.norms
        for index, norm in enumerate(norms):
            readings = ALONE.get(norm)
            if (
                readings is None
                or index in self.taken
                or self._is_attributive(index)
                or self.sentence.is_blocked(index)
            ):
                continue
            surface, token = self.sentence.surface(index), self.sentence.tokens[index]
            if token.shape and index and not self._begins(index):
                continue
            stem, cases = readings
            fair = [(CASE + case, match_case(surface, join(self.style, stem, "pronominal", case))) for case in cases]
            options = _different([(KEEP, surface), *fair])
            self.found.append(Draft(token.start, token.end, index, "pronoun", tuple(options)))
            self.taken.add(index)
            self.referents.append(index)

    def _is_attributive(self, index: int) -> bool:
        """Tell whether a noun follows, with adjectives before it or without."""
        sentence, at = self.sentence, index + 1
        while at < len(sentence.tokens) and at < index + 6:
            token = sentence.tokens[at]
            if token.shape:
                return sentence.norms[at] not in ("sie", "ihr", "ihnen")
            if not sentence.is_adjective(at) and not (token.norm == "," and sentence.is_adjective(at + 1)):
                return False
            at += 1
        return False

    def _begins(self, index: int) -> bool:
        """Tell whether a capital at ``index`` may be that of a sentence's beginning."""
        at = index - 1
        while at >= 0 and self.sentence.norms[at] in _OPENING:
            at -= 1
        return at < 0 or self.sentence.norms[at] in (":", ".", "!", "?", "…", "“", "»", ")")

    def _add_pronoun_pairs(self) -> None:
        """Add *er oder sie, die oder der* ... as one candidate."""
        sentence = self.sentence
        for index, norm in enumerate(sentence.norms[:-2]):
            middle = sentence.norms[index + 1]
            if middle not in ("oder", "bzw"):
                continue
            other = index + 3 if middle == "bzw" and sentence.norms[index + 2] == "." else index + 2
            options = self._pronoun_pair(index, norm, sentence.norm(other))
            if options and not self.taken & set(range(index, other + 1)):
                first, last = sentence.tokens[index].start, sentence.tokens[other].end
                before = sentence.text[first:last]
                kind = "pronoun" if norm in _PERSONAL else "article"
                forced = options[0][0] if len(options) == 1 and "\n" not in before else None
                if "\n" in before:
                    continue
                self.found.append(Draft(first, last, index, kind, ((KEEP, before), *options), forced))
                self.taken.update(range(index, other + 1))

    def _pronoun_pair(self, index: int, one: str, other: str) -> list[tuple[int, str]]:
        surface = self.sentence.surface(index)
        for kind in ("pronoun", "relative", "article"):
            for case in range(4):
                try:
                    pair = both(kind, case)
                except KeyError:
                    continue
                if sorted((one, other)) == sorted(pair) and one != other:
                    return [(CASE + case, match_case(surface, self.style.words(*pair)))]
        his, hers = (one, other) if one.startswith("sein") else (other, one)
        if his.startswith("sein") and hers == "ihr" + his[4:] and his[4:] in _POSSESSIVE_ENDINGS:
            ending = his[4:]
            return [(STARRED, match_case(surface, self.style.possessive((ending, ending), starred=False)))]
        return self._determiner_pair(surface, one, other)

    def _determiner_pair(self, surface: str, one: str, other: str) -> list[tuple[int, str]]:
        determiners = self.sentence.lexicon.determiners
        for first in determiners.get(one, ()):
            for second in determiners.get(other, ()):
                if first.stem != second.stem or first.kind not in ("article", "possessive") or one == other:
                    continue
                cases = set(cases_of(masculine(first.mask))) & set(cases_of(second.mask & FEM))
                cases |= set(cases_of(masculine(second.mask))) & set(cases_of(first.mask & FEM))
                paradigm = "pronominal" if first.stem in ("ein", "kein") and "einer" in (one, other) else first.paradigm
                return [
                    (CASE + case, match_case(surface, join(self.style, first.stem, paradigm, case)))
                    for case in sorted(cases)
                ]
        return []

    def _add_pronouns(self) -> None:
        for index, norm in enumerate(self.sentence.norms):
            if index in self.taken or norm not in _REFERRING or not self._is_free(index):
                continue
            options, kind = self._pronoun_options(index, norm)
            if len(options) > 1:
                token = self.sentence.tokens[index]
                self.found.append(Draft(token.start, token.end, index, kind, tuple(options)))

    def _is_free(self, index: int) -> bool:
        """Tell whether a form may be a pronoun here: not polite, not protected, not fair already."""
        if self.sentence.is_blocked(index):
            return False
        token = self.sentence.tokens[index]
        return not token.shape or index == 0 or self._begins(index) or (token.shape == 2 and len(token.norm) > 2)

    def _pronoun_options(self, index: int, norm: str) -> tuple[list[tuple[int, str]], str]:
        surface = self.sentence.surface(index)
        options = [(KEEP, surface)]
        if norm in _PERSONAL:
            for case in _PERSONAL[norm]:
                options.append((CASE + case, match_case(surface, self.style.words(*both("pronoun", case)))))
        if norm in _POSSESSIVES:
            if norm != "sein" or self._is_attributive(index):
                ending = norm[4:] if norm.startswith("sein") else norm[3:]
                fair = self.style.possessive((ending, ending), starred=False)
                options.append((STARRED, match_case(surface, fair)))
            return _different(options), "possessive" if norm not in _PERSONAL else "pronoun"
        if norm in _RELATIVES and self._may_be_relative(index):
            for case in _RELATIVES[norm]:
                options.append((CASE + case, match_case(surface, self._relative(norm, case))))
            return _different(options), "relative"
        return _different(options), "pronoun"

    def _relative(self, norm: str, case: int) -> str:
        if norm.startswith("welch"):
            return join(self.style, "welch", "pronominal", case)
        return self.style.words(*both("relative", case))

    def _may_be_relative(self, index: int) -> bool:
        """Tell whether an article's form may be a pronoun that means a person named before."""
        if min(self.referents) >= index and self.sentence.norms[index] not in ("dessen", "deren"):
            return False
        if self.sentence.norms[index] in ("dessen", "deren"):
            return True
        before = self.sentence.norm(index - 1)
        if before in self.sentence.closed.prepositions or before in ("und", "oder", "aber", "sowie"):
            before = "," if self.sentence.norm(index - 2) in (",", "–", "-", "(") or before in ("und", "oder") else ""
            if before and not self._is_attributive(index):
                return True
            return self.sentence.norm(index - 2) == ","
        return before in (",", "–", "—", "(") or not self._is_attributive(index)


def replace_forced(draft: Draft, forced: int | None) -> Draft:
    """Return a copy of a draft with another forced outcome."""
    return Draft(draft.start, draft.end, draft.token, draft.kind, draft.options, forced, draft.head)


def _is_certain(phrase: Phrase) -> bool:
    return phrase.word.nominalised is not None and phrase.word.nominalised.certain


def _same_noun(one: Word, other: Word) -> bool:
    if one.noun is not None and other.noun is not None:
        return one.noun.lemma == other.noun.lemma and one.noun.gender != other.noun.gender
    if one.nominalised is not None and other.nominalised is not None and one.noun is None and other.noun is None:
        return one.nominalised.stem == other.nominalised.stem
    return False


def _is_singular_feminine(one: Phrase, other: Phrase) -> bool:
    """Tell whether the feminine half is singular, so that the pair is."""
    return any(
        p.word.noun is not None and p.word.noun.gender == FEMININE and not plural(p.word.noun.mask)
        for p in (one, other)
    )


def _different(options: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the options without those that read like one before them."""
    seen: set[str] = set()
    kept = []
    for outcome, text in options:
        if text not in seen:
            seen.add(text)
            kept.append((outcome, text))
    return kept


def _adjective_stem(surface: str) -> str:
    return surface[:-2] if surface[-1] in "nmrs" else surface[:-1]


_CONJUNCTIONS = frozenset({"und", "oder", "sowie", "bzw", "beziehungsweise", "/", "&"})
_OPENING = frozenset("„»\"“«‚›'*_([–—-")
_TITLES = frozenset({"herr", "herrn", "frau", "fräulein", "familie", "firma", "bäckerei"})
_CONTRACTED = {"zum": "zur", "vom": "von der", "beim": "bei der", "am": "an der", "im": "in der"}
#: endings behind derselb-, derjenig- by case
_SAME_ENDINGS = (("", ""), ("n", ""), ("n", "n"), ("n", "n"))
_POSSESSIVE_ENDINGS = frozenset({"", "e", "en", "em", "er", "es"})
_PERSONAL: dict[str, tuple[int, ...]] = {
    "er": (NOMINATIVE,),
    "sie": (NOMINATIVE, ACCUSATIVE),
    "ihn": (ACCUSATIVE,),
    "ihm": (DATIVE,),
    "ihr": (DATIVE,),
}
_POSSESSIVES = frozenset(stem + ending for stem in ("sein", "ihr") for ending in _POSSESSIVE_ENDINGS)
_RELATIVES: dict[str, tuple[int, ...]] = {
    "der": (NOMINATIVE, DATIVE),
    "die": (NOMINATIVE, ACCUSATIVE),
    "den": (ACCUSATIVE,),
    "dem": (DATIVE,),
    "dessen": (GENITIVE,),
    "deren": (GENITIVE,),
    "welcher": (NOMINATIVE, DATIVE),
    "welche": (NOMINATIVE, ACCUSATIVE),
    "welchen": (ACCUSATIVE,),
    "welchem": (DATIVE,),
}
_REFERRING = frozenset({*_PERSONAL, *_POSSESSIVES, *_RELATIVES})
#: pronouns that stand alone -> stem, cases of masculine and feminine
ALONE: dict[str, tuple[str, tuple[int, ...]]] = {
    stem + ending: (stem, cases)
    for stem in ("ein", "kein", "jed", "manch", "dies", "jen", "irgendein", "unserein")
    for ending, cases in (
        ("er", (NOMINATIVE, DATIVE, GENITIVE)),
        ("e", (NOMINATIVE, ACCUSATIVE)),
        ("en", (ACCUSATIVE,)),
        ("em", (DATIVE,)),
    )
}
_TOWNS = frozenset({"berliner", "wiener", "hamburger", "frankfurter", "schweizer", "münchner", "römer"})
