"""German pronouns that may mean a starred person: personal, possessive, relative ones, and *einer, jeder* alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from rewriter.de.closed_classes import CONJUNCTIONS
from rewriter.de.compounds import genders
from rewriter.de.drafts import CASE, KEEP, SAME_ENDINGS, SINGULAR, STARRED, Draft, definite, different
from rewriter.de.inflection import ACCUSATIVE, DATIVE, FEMININE, GENITIVE, NOMINATIVE, both, join, match_case
from rewriter.de.people import PeopleFinder
from rewriter.de.phrase import masculine
from rewriter.de.phrases import find_phrase
from rewriter.de.relatives import (
    ANYBODY,
    FEMININE_RELATIVES,
    MASCULINE_RELATIVES,
    cases_behind_pronoun,
    comma_before,
)
from rewriter.de.word_readings import FEM, Nominalised, Word, bit, cases_of
from rewriter.language.rules import Decision
from rewriter.text.breaks import has_break

#: pronouns that are nothing but subjects
_SUBJECTS = frozenset({"ich", "du", "er", "wir", "man"})
_POSSESSIVE_ENDINGS = ("", "e", "en", "em", "er", "es")

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

_GENITIVES = frozenset({"dessen", "deren"})
_DATIVE_PLURAL = bit(2, DATIVE)
_MASCULINE_ALONE: dict[str, tuple[int, ...]] = {
    "einer": (NOMINATIVE,),
    "einen": (ACCUSATIVE,),
    "einem": (DATIVE,),
}
_FEMININE_ALONE: dict[str, tuple[int, ...]] = {
    "eine": (NOMINATIVE, ACCUSATIVE),
    "einer": (DATIVE, GENITIVE),
}

#: words that hold a possessive -> masculine and feminine
_PLAIN = {
    stem + rest: ("sein" + rest, "ihr" + rest)
    for rest in ("erseits", "etwegen", "ethalben", "esgleichen")
    for stem in ("sein", "ihr")
}
#: personal and possessive pronouns, which may mean a person whom the sentence does not name
PRONOUNS = frozenset({*_PERSONAL, *_POSSESSIVES, *_PLAIN})
_REFERRING = PRONOUNS | _RELATIVES.keys()
#: *derjenige, der ...* -> cases
_THAT_ONE: dict[str, tuple[int, ...]] = {
    "derjenige": (NOMINATIVE,),
    "diejenige": (NOMINATIVE, ACCUSATIVE),
    "denjenigen": (ACCUSATIVE,),
    "demjenigen": (DATIVE,),
    "desjenigen": (GENITIVE,),
    "derjenigen": (DATIVE, GENITIVE),
}

#: endings of a pronoun that stands alone -> cases of masculine and feminine
_ALONE_CASES = {
    "er": (NOMINATIVE, DATIVE, GENITIVE),
    "e": (NOMINATIVE, ACCUSATIVE),
    "en": (ACCUSATIVE,),
    "em": (DATIVE,),
}


def _alone(stems: str) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {stem + ending: (stem, cases) for stem in stems.split() for ending, cases in _ALONE_CASES.items()}


#: pronouns that mean a person by themselves -> stem, cases
ALONE = _alone("ein kein jed manch irgendein unserein")
#: stems of pronouns that *und* joins in both genders, and their endings in a case
_EACH = frozenset({"jed", "kei"})
_EACH_CASES = {("e", "er"): NOMINATIVE, ("e", "en"): ACCUSATIVE, ("er", "em"): DATIVE, ("er", "es"): GENITIVE}
#: pronouns that need a person named before
POINTING = _alone("dies jen")


_LITTLE_STEMS = """
ander erst letzt einzig nächst zweit dritt solch best jed seinig ihrig meist übrig fremd größt einzeln
""".split()
#: adjectives that stand for persons though they are written small -> stem, ending
_LITTLE = {stem + ending: (stem, ending) for stem in _LITTLE_STEMS for ending in ("e", "en", "em", "er")}
#: between two pronouns; *er sowie sie* are two persons
_PAIRING = CONJUNCTIONS - {"sowie"}


#: what makes that a form does not stand for a person by itself, is polite, an article; that two are one
STANDING = Decision("de", "blocks")
POLITE = Decision("de", "blocks")
RELATIVE = Decision("de", "blocks")
PAIR = Decision("de", "settles")


class PronounFinder(PeopleFinder):
    """Finds pronouns, after the persons that they may mean."""

    def drafts(self) -> list[Draft]:
        """Return all drafts."""
        people = [i for i, word in enumerate(self.sentence.words) if word is not None]
        if people:
            self._add_people(people)
        if not _PAIRING.isdisjoint(self.sentence.norms):  # jede und jeder
            self._add_pronoun_pairs()
        self._add_standing_alone()
        if not _LITTLE.keys().isdisjoint(self.sentence.norms):
            self._add_little_ones()
        if not _THAT_ONE.keys().isdisjoint(self.sentence.norms):
            self._add_that_one()
        if not _REFERRING.isdisjoint(self.sentence.norms):
            self._add_pronouns()
        return self.found

    def _add_standing_alone(self) -> None:
        """Add *einer, keiner, jeder* ... without a noun."""
        for index, norm in enumerate(self.sentence.norms):
            if norm[:3] == "jed" and self.sentence.norm(index - 1)[:3] == "ein":
                continue  # ein jeder
            readings = ALONE.get(norm) or POINTING.get(norm)
            if readings is None or index in self.taken:
                continue
            if self.sentence.rules.first(STANDING, self, index) is not None or self.sentence.is_blocked(index):
                continue
            surface, token = self.sentence.surface(index), self.sentence.tokens[index]
            stem, cases = readings
            cases = self._governed(index, self._partitive_cases(index) or cases)
            fair = [(CASE + case, match_case(surface, join(self.style, stem, "pronominal", case))) for case in cases]
            options = different([(KEEP, surface), *fair])
            self.found.append(Draft(token.start, token.end, index, "pronoun", tuple(options)))
            self.taken.add(index)
            self.referents.append(index)

    def _add_little_ones(self) -> None:
        """Add *ein anderer, der erste, als einziger, ein jeder*: persons written small, without a noun."""
        sentence = self.sentence
        for index, norm in enumerate(sentence.norms):
            parts = _LITTLE.get(norm)
            if parts is None or index in self.taken:
                continue
            before = sentence.norm(index - 1)
            of_one = norm.startswith("jed") and before[:3] != "ein"
            if of_one or (before not in sentence.lexicon.determiners and before not in ("ganz", "als")):
                continue
            if sentence.is_blocked(index) or self._is_attributive(index):
                continue
            word = Word(nominalised=Nominalised(*parts, False, False))
            phrase = find_phrase(sentence, index, word)
            if phrase.determiner not in self.taken and (phrase.determiner >= 0 or before == "als"):
                self._add_nominalised(phrase)

    def _add_that_one(self) -> None:
        """Add *derjenige, der* ..., which means a person by itself."""
        for index, norm in enumerate(self.sentence.norms):
            cases = _THAT_ONE.get(norm)
            is_named = cases is None or index in self.taken or self.sentence.norm(index + 1) != ","
            if is_named or not self._is_free(index):
                continue
            surface, token = self.sentence.surface(index), self.sentence.tokens[index]
            fair = [
                (CASE + case, match_case(surface, definite(self.style, "jenige", case)))
                for case in self._governed(index, cases or ())
            ]
            options = tuple(different([(KEEP, surface), *fair]))
            self.found.append(Draft(token.start, token.end, index, "pronoun", options))
            self.taken.add(index)
            self.referents.append(index)

    def _governed(self, index: int, cases: tuple[int, ...]) -> tuple[int, ...]:
        """Return those of some cases that a preposition before a pronoun allows; all where there is none."""
        return self._behind_preposition(index, cases) or cases

    def _behind_preposition(self, index: int, cases: tuple[int, ...]) -> tuple[int, ...]:
        """Return those of some cases that a preposition before a word governs, none where it governs no such case."""
        mask = self.sentence.closed.prepositions.get(self.sentence.norm(index - 1))
        return cases if mask is None else tuple(case for case in cases if case in cases_of(mask))

    def _partitive_cases(self, index: int) -> tuple[int, ...]:
        """Return the cases of a pronoun before persons in the genitive, whose gender is its own (eine der Lehrerinnen).

        There are none where no genitive follows.
        """
        sentence, at = self.sentence, index + 2
        if sentence.norm(index + 1) not in ("der", "dieser", "unserer", "meiner", "deiner", "seiner", "ihrer"):
            return ()
        while sentence.is_adjective(at):
            at += 1
        word = sentence.words[at] if at < len(sentence.tokens) else None
        if word is None or word.noun is None:
            return ()
        forms = _FEMININE_ALONE if word.noun.gender == FEMININE else _MASCULINE_ALONE
        return forms.get(sentence.norms[index].removeprefix("k").removeprefix("irgend"), ())

    def _add_pronoun_pairs(self) -> None:
        """Add *er oder sie, die oder der* ... as one candidate."""
        sentence = self.sentence
        for index, norm in enumerate(sentence.norms[:-2]):
            other = self._other_half(index)
            options = self._pronoun_pair(index, norm, sentence.norm(other)) if other else []
            if options and not self.taken & set(range(index, other + 1)):
                first, last = sentence.tokens[index].start, sentence.tokens[other].end
                before = sentence.text[first:last]
                kind = "pronoun" if norm in _PERSONAL else "article"
                if has_break(before):
                    continue
                rule = sentence.rules.first(PAIR, self, index, options)
                both_ = ((KEEP, before), *options)
                self.found.append(Draft.settled(first, last, index, kind, both_, options[0][0], rule))
                self.taken.update(range(index, other + 1))

    def _other_half(self, index: int) -> int:
        """Return the token behind a word and *oder*, *bzw.*, *und/oder*, 0 where none of them follows."""
        norms = self.sentence.norms
        middle = norms[index + 1]
        if norms[index + 1 : index + 4] == ["und", "/", "oder"]:
            return index + 4
        if middle == "bzw" and norms[index + 2] == ".":
            return index + 3
        is_each = middle == "und" and norms[index][:3] in _EACH
        return index + 2 if middle in _PAIRING - {"und"} or is_each else 0

    def _pronoun_pair(self, index: int, one: str, other: str) -> list[tuple[int, str]]:
        return self.paired(self.sentence.surface(index), one, other)

    def paired(self, surface: str, one: str, other: str) -> list[tuple[int, str]]:
        """Return what two pronouns or determiners of both genders become, nothing where they are no pair.

        Args:
            surface: of the first, whose capitals are kept.
            one: the first in lower case.
            other: the second.
        """
        for kind in ("pronoun", "relative", "article"):
            for case in range(4):
                try:
                    pair = both(kind, case)
                except KeyError:
                    continue
                if sorted((one, other)) == sorted(pair) and one != other:
                    return [(CASE + case, match_case(surface, self.style.words(*pair)))]
        for suffix, case in product(("jenige", "selbe"), range(4)):
            article, endings_ = both("article", case), SAME_ENDINGS[case]
            if sorted((one, other)) == sorted(a + suffix + e for a, e in zip(article, endings_, strict=True)):
                return [(CASE + case, match_case(surface, definite(self.style, suffix, case)))]
        his, hers = (one, other) if one.startswith("sein") else (other, one)
        if his.startswith("sein") and hers == "ihr" + his[4:] and his[4:] in _POSSESSIVE_ENDINGS:
            ending = his[4:]
            return [(STARRED, match_case(surface, self.style.possessive((ending, ending), starred=False)))]
        return self._determiner_pair(surface, one, other)

    def _determiner_pair(self, surface: str, one: str, other: str) -> list[tuple[int, str]]:
        determiners = self.sentence.lexicon.determiners
        each = self._each_pair(surface, one, other)
        if each or (one[:3] == other[:3] and one[:3] in _EACH):
            return each
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

    def _each_pair(self, surface: str, one: str, other: str) -> list[tuple[int, str]]:
        """Return the options of *jede und jeder, keinem und keiner*: the masculine's case."""
        stem = ALONE[one][0] if one in ALONE else ""
        endings = {one[len(stem) :], other[len(stem) :]}
        case = next((case for pair, case in _EACH_CASES.items() if endings == set(pair)), -1)
        if not stem or not other.startswith(stem) or case < 0:
            return []
        return [(CASE + case, match_case(surface, join(self.style, stem, "pronominal", case)))]

    def _add_pronouns(self) -> None:
        for index, norm in enumerate(self.sentence.norms):
            if index in self.taken or norm not in _REFERRING or not self._is_free(index):
                continue
            if norm in _RELATIVES and self._add_behind_pronoun(index, norm):
                continue
            options, kind = self._pronoun_options(index, norm)
            token = self.sentence.tokens[index]
            head = self._antecedent(index, norm) if kind == "relative" else None
            draft = Draft(token.start, token.end, index, kind, tuple(options))
            if head is not None:
                draft = self._behind(head, index, norm, options)
            # des Anwalts, nach der: no case that the preposition allows agrees with the person, so that none is meant
            if len(draft.options) > 1:
                self.found.append(draft)

    def _add_behind_pronoun(self, index: int, norm: str) -> bool:
        """Add a relative pronoun right behind *jeder, keiner* ..., which it follows, or behind *niemand*."""
        sentence, comma = self.sentence, comma_before(self.sentence, index)
        if not comma:
            return False
        head, is_anybody = None, sentence.norms[comma - 1] in ANYBODY
        if is_anybody:
            following = sentence.words[index + 1] if index + 1 < len(sentence.tokens) else None
            cases = MASCULINE_RELATIVES.get(norm, ()) if following is None else ()
        else:
            head = next((d for d in self.found if d.token == comma - 1 and sentence.norms[d.token] in ALONE), None)
            cases = () if head is None else cases_behind_pronoun(sentence, index, comma - 1)
        if not cases:
            return False
        token, surface = sentence.tokens[index], sentence.surface(index)
        fair = [(CASE + case, match_case(surface, self._relative(norm, case))) for case in cases]
        self.found.append(Draft(token.start, token.end, index, "relative", ((KEEP, surface), *fair), head=head))
        return True

    def _antecedent(self, index: int, norm: str) -> Draft | None:
        """Return the person right before a relative pronoun that agrees with it (der Lehrer, mit dem ...)."""
        sentence, comma = self.sentence, comma_before(self.sentence, index)
        if not comma:
            return None
        head = next((d for d in self.found if d.token == comma - 1 and d.kind == "noun"), None)
        word = sentence.words[comma - 1]
        if head is None or word is None or word.noun is None or SINGULAR not in dict(head.options):
            return None
        forms = FEMININE_RELATIVES if word.noun.gender == FEMININE else MASCULINE_RELATIVES
        return head if norm in forms and not self._opens_phrase(index) else None

    def _opens_phrase(self, index: int) -> bool:
        """Return True if a form is an article after all (..., den Mund offen; ..., dem strengen Herrn)."""
        sentence, at = self.sentence, index + 1
        while sentence.is_adjective(at):
            at += 1
        return at < len(sentence.tokens) and sentence.tokens[at].shape > 0 and sentence.norms[index] not in _GENITIVES

    def _behind(self, head: Draft, index: int, norm: str, options: list[tuple[int, str]]) -> Draft:
        """Return a relative pronoun that follows the person right before it, whose gender tells more of its case."""
        word = self.sentence.words[head.token]
        assert word is not None and word.noun is not None
        cases = (FEMININE_RELATIVES if word.noun.gender == FEMININE else MASCULINE_RELATIVES)[norm]
        if NOMINATIVE in cases and len(cases) > 1 and self.sentence.norm(index + 1) in _SUBJECTS:
            cases = (ACCUSATIVE,)  # die Ärztin, die ich kenne
        cases = self._governed(index, cases)
        kept = [(outcome, text) for outcome, text in options if outcome == KEEP or outcome - CASE in cases]
        token = self.sentence.tokens[index]
        return Draft(token.start, token.end, index, "relative", tuple(kept), head=head)

    def _is_free(self, index: int) -> bool:
        """Return True if a form may be a pronoun here: not polite, not protected, not fair already."""
        if self.sentence.is_blocked(index):
            return False
        return self.sentence.rules.first(POLITE, self, index) is None

    @POLITE.rule("capital inside a sentence", example="Wir danken [Ihr] heute.", counter="Wir danken [ihr] heute.")
    def _is_capital_inside(self, index: int) -> bool:
        """A polite form, a title, a name."""
        token = self.sentence.tokens[index]
        return not (not token.shape or index == 0 or self._begins(index) or (token.shape == 2 and len(token.norm) > 2))

    @STANDING.rule("determiner of a noun", example="Hier steht [einer] Frau Hut.", counter="Hier steht [einer].")
    def _is_determiner(self, index: int) -> bool:
        return self._is_attributive(index)

    @PAIR.rule("pair of pronouns", example="Ob [er oder sie] kommt?", counter="Ob [er] kommt?")
    def _is_one(self, index: int, options: Sequence[tuple[int, str]]) -> bool:
        return len(options) == 1

    @RELATIVE.rule(
        "article, no relative", example="Wir sahen den Lehrer und [den] Hund.", counter="Der Lehrer, [den] wir sahen."
    )
    def _is_article(self, index: int) -> bool:
        return not self._may_be_relative(index)

    @RELATIVE.rule(
        "case of no relative",
        example="Der Lehrer tut das, um [der] Stadt zu helfen.",
        counter="Der Lehrer, mit [dem] wir sprechen.",
    )
    def _is_ungoverned(self, index: int) -> bool:
        norm = self.sentence.norms[index]
        is_attribute = norm in _GENITIVES  # mit deren Hilfe: the preposition's case is that of the noun
        return not is_attribute and not self._behind_preposition(index, _RELATIVES[norm])

    @RELATIVE.rule(
        "article of a dative plural",
        example="Es nützt dem Käufer, [den] Verkäufern nicht.",
        counter="Es nützt dem Käufer, [den] Verkäufer beraten.",
    )
    def _is_of_dative_plural(self, index: int) -> bool:
        sentence, at = self.sentence, index + 1
        while sentence.is_adjective(at):
            at += 1
        word = sentence.words[at] if at < len(sentence.tokens) else None
        is_plural = word is not None and word.noun is not None and word.noun.mask == _DATIVE_PLURAL
        return is_plural and sentence.norms[index] == "den"

    def _pronoun_options(self, index: int, norm: str) -> tuple[list[tuple[int, str]], str]:
        surface = self.sentence.surface(index)
        options = [(KEEP, surface)]
        if norm in _PERSONAL:
            for case in self._governed(index, _PERSONAL[norm]):
                options.append((CASE + case, match_case(surface, self.style.words(*both("pronoun", case)))))
        if norm in _POSSESSIVES:
            if norm not in ("sein", "ihr") or self._is_attributive(index):
                ending = norm[4:] if norm.startswith("sein") else norm[3:]
                fair = self.style.possessive((ending, ending), starred=False)
                options.append((STARRED, match_case(surface, fair)))
            return different(options), "possessive" if norm not in _PERSONAL else "pronoun"
        if norm in _PLAIN:
            options.append((STARRED, match_case(surface, self.style.words(*_PLAIN[norm]))))
            return options, "possessive"
        if norm in _RELATIVES and self.sentence.rules.first(RELATIVE, self, index) is None:
            for case in self._governed(index, _RELATIVES[norm]):
                options.append((CASE + case, match_case(surface, self._relative(norm, case))))
            return different(options), "relative"
        return different(options), "pronoun"

    def _relative(self, norm: str, case: int) -> str:
        if norm.startswith("welch"):
            return join(self.style, "welch", "pronominal", case)
        return self.style.words(*both("relative", case))

    def _may_point(self, index: int) -> bool:
        """Return True if a form may mean a person that no candidate names: *Der irrt sich; Kern, die siegte*."""
        sentence, norm = self.sentence, self.sentence.norms[index]
        if norm not in ("der", "den", "dem", "die"):
            return False
        if not index or sentence.norm(index + 1) == ",":
            return norm != "die"
        comma = comma_before(sentence, index)
        if not comma:
            return norm != "die" and self._begins(index)
        before = sentence.surface(comma - 1)
        is_name = before[:1].isupper() and before not in genders()
        return is_name or (norm != "die" and before[:1].islower())

    def _may_be_relative(self, index: int) -> bool:
        """Return True if an article's form may be a pronoun that means a person named before."""
        is_behind = bool(self.referents) and (
            min(self.referents) < index or self.sentence.norms[index] in ("dessen", "deren")
        )
        if not is_behind and not self._may_point(index):
            return False
        if self.sentence.norms[index] in ("dessen", "deren"):
            return True
        before = self.sentence.norm(index - 1)
        is_preposition = before in self.sentence.closed.prepositions
        if is_preposition or before in ("und", "oder", "aber", "sowie"):
            before = "," if self.sentence.norm(index - 2) in (",", "–", "-", "(") or before in ("und", "oder") else ""
            if before and not self._is_attributive(index):
                return True
            # ..., und die Jacke ...: an article; ..., in der Ecken sind: perhaps none
            return self.sentence.norm(index - 2) == "," and is_preposition
        return before in (",", "–", "—", "(") or not self._is_attributive(index)
