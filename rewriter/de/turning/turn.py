"""One German sentence with its persons turned to the other gender: which phrases, in what form, as edits."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rewriter.de.drafts import adjective_stem
from rewriter.de.inflection import ACCUSATIVE, DATIVE, FEMININE, GENITIVE, MASCULINE, NOMINATIVE, PLURAL, match_case
from rewriter.de.lexicon import FEM, Noun, Word, bit
from rewriter.de.phrase import Phrase
from rewriter.de.turning.cases import FAIR_PARTICIPLES, settle
from rewriter.de.turning.clauses import RELATIVE, ClauseSentence, Nominal
from rewriter.de.turning.grammar import CONTRACTING, NEUTER, NOBODY, Pair, determiner, ending_of, words
from rewriter.de.turning.names import FAMILY, FoundName, is_fair_plural, is_family
from rewriter.de.turning.phrases import find_any_phrase
from rewriter.de.turning.pronouns import ALONE, PRONOUNS, PronounTurner
from rewriter.de.turning.reference import Entity, References
from rewriter.records import Edit

OTHER = {MASCULINE: FEMININE, FEMININE: MASCULINE}
#: titles of one gender, which turn
_ADDRESSES = frozenset({"herr", "herrn", "frau", "fräulein"})
#: last parts of compounds that mean firms and things (*Saatguthersteller*)
_FIRMS = frozenset(
    "hersteller anbieter betreiber dienstleister versicherer lieferant veranstalter finder sender".split()
)
_CALLED = frozenset({"heißt", "hieß", "heiße", "heißen", "hießen", "namens"})
#: plurals of peoples that are countries, too
_COUNTRIES = frozenset(
    """
    polen sachsen schweden franken hessen bayern schwaben preußen westfalen böhmen finnen ungarn thüringer pommern
    """.split()
)
_POLITE = re.compile(r"(?<=[^\W\d_])[,;]? (?:Sie|Ihnen|Ihr(?:e[nmrs]?)?)(?!\w)")


@dataclass
class Turning:
    """What the sentences of a text share.

    Attributes:
        targets: genders that words are turned to.
        partner: given name in lower case -> how the partner is written, empty for a name that stays.
        polite: somebody is addressed with *Sie* in the text.
        before: entities of the sentence before.
    """

    targets: tuple[int, ...]
    partner: Callable[[str], str]
    polite: bool = False
    before: list[Entity] = field(default_factory=list)

    @property
    def one_direction(self) -> bool:
        """Whether only one gender is turned."""
        return len(self.targets) == 1


def is_polite(text: str) -> bool:
    """Return True if somebody is addressed with *Sie* in a text."""
    return ("Sie" in text or "Ihr" in text or "Ihnen" in text) and _POLITE.search(text) is not None


class SentenceTurner:
    """Turns the persons of one sentence.

    Args:
        sentence: the sentence.
        names: its given names.
        known: given names -> ``feminine`` or ``masculine``.
        turning: what the sentences of the text share.
    """

    def __init__(
        self, sentence: ClauseSentence, names: Sequence[FoundName], known: Mapping[str, str], turning: Turning
    ) -> None:
        self.sentence, self.turning, self.known = sentence, turning, known
        self.names = {name.token: name for name in names}
        self._find_nominals()
        sentence.find_clauses()
        is_person = any(n.kind != "thing" for n in sentence.nominals)
        self.is_idle = not is_person and PRONOUNS.isdisjoint(sentence.norms) and not self._holds_anybody()
        if self.is_idle:
            self.references = References(sentence, turning.before)
            return
        sentence.free_verbs()
        sentence.free_conjunctions()
        self._free_relatives()
        for nominal in sentence.nominals:
            settle(sentence, nominal)
            self._follow_title(nominal)
            if nominal.kind == "title" and self._is_before_genitive(nominal.head):
                nominal.case = GENITIVE
        for nominal in sentence.nominals:
            self._decide(nominal)
        self._keep_doubles()
        self.references = References(sentence, turning.before)

    def _holds_anybody(self) -> bool:
        """Tell whether somebody is meant by *jeder, der* or the like."""
        norms = self.sentence.norms
        return "," in norms and any(norms[i - 1] in ALONE for i, norm in enumerate(norms) if norm == "," and i)

    def edits(self) -> list[Edit]:
        """Return the edits of the sentence."""
        if self.is_idle:
            return []
        pronouns = PronounTurner(self.sentence, self.references, self.turning.targets, polite=self.turning.polite)
        self.stems = pronouns.decide()
        for nominal in self.sentence.nominals:
            pronouns.edits += self._phrase_edits(nominal)
        return pronouns.edits

    def entities(self) -> list[Entity]:
        """Return what the next sentence may refer to."""
        return self.references.entities

    # -- which phrases there are

    def _find_nominals(self) -> None:
        for index, token in enumerate(self.sentence.tokens):
            nominal = self._nominal(index) if token.shape and token.norm.isalpha() else None
            if nominal is not None:
                found = self.sentence.nominals
                while found and found[-1].kind == "thing" and found[-1].head >= nominal.start:
                    found.pop()  # Letzte Woche
                found.append(nominal)

    def _nominal(self, index: int) -> Nominal | None:
        name = self.names.get(index)
        if name is not None:
            return self._name(index, name)
        word = self.sentence.words[index]
        if is_family(word, self.sentence.norm(index - 1)) or is_fair_plural(self.sentence, index):
            return Nominal(find_any_phrase(self.sentence, index, FAMILY), "thing", human=True)
        if word is not None and (word.noun is not None or word.nominalised is not None):
            nominal = self._person(index, word)
            if nominal is not None:
                return nominal
        phrase = self.sentence.thing(index)
        if phrase is None:
            return None
        lower = self.sentence.norms[index]
        human = lower in words("human") or lower.endswith(("person", "mitglied", "mensch", "kraft"))
        return Nominal(phrase, "thing", human=human)

    def _name(self, index: int, name: FoundName) -> Nominal:
        gender = FEMININE if self.known[name.name] == "feminine" else MASCULINE
        mask = (
            (bit(gender, NOMINATIVE) | bit(gender, ACCUSATIVE) | bit(gender, DATIVE))
            if not name.genitive
            else bit(gender, GENITIVE)
        )
        if self.sentence.norm(index - 1) in ("des", "der") or self.sentence.norm(index - 2) in ("des", "der"):
            mask |= bit(gender, GENITIVE)
        noun = Noun("", name.name, mask, True, gender, NOBODY)
        return Nominal(find_any_phrase(self.sentence, index, Word(noun=noun)), "name", human=True)

    def _person(self, index: int, word: Word) -> Nominal | None:
        sentence = self.sentence
        shape = sentence.tokens[index].shape
        if shape == 0 or self._is_hyphened(index) or (shape == 2 and not sentence.text.isupper()):
            return None
        phrase = find_any_phrase(sentence, index, word)
        if phrase.fair or not phrase.mask:
            return None
        if word.noun is None:
            return Nominal(phrase, "person", human=True) if self._is_nominalised(phrase) else None
        if sentence.norms[index] in _ADDRESSES and self._is_title(phrase):
            return Nominal(phrase, "title", human=True)
        if self._is_surname(index, word.noun) or not self._means_person(phrase, word.noun):
            return None
        return Nominal(phrase, "person", human=True)

    def _is_hyphened(self, index: int) -> bool:
        sentence = self.sentence
        return sentence.touches(index) and sentence.norm(index + 1) in ("-", "‑")

    def _is_title(self, phrase: Phrase) -> bool:
        """Tell whether *Herr*, *Frau* stand before a name or an office."""
        sentence, following = self.sentence, phrase.head + 1
        if sentence.norm(following) in ("und", "oder") and sentence.norm(following + 1) in _ADDRESSES:
            return phrase.determiner < 0 and self._is_capital(following + 2)  # Herr und Frau Weber
        if following >= len(sentence.tokens) or not sentence.tokens[following].shape:
            return False
        surface = sentence.surface(following)
        if not surface[:1].isalpha():
            return False
        if sentence.norm(phrase.start - 1) in ("dessen", "deren"):
            return False  # dessen Frau Lehrerin ist
        word = sentence.words[following]
        office = word is not None and word.noun is not None
        if phrase.determiner >= 0:
            return office or sentence.lexicon.thing(surface) is None
        return True

    def _is_surname(self, index: int, noun: Noun) -> bool:
        """Tell whether a person noun is a surname here (*Frau Richter*, *Anna Schneider*, *Dr. Bauer*)."""
        sentence, at = self.sentence, index - 1
        before = sentence.norm(at)
        if before == "." and sentence.norm(at - 1) in ("dr", "prof", "hr", "fr"):
            return noun.gender == MASCULINE
        if before == "." and len(sentence.norm(at - 1)) == 1 and sentence.norm(at - 1).isalpha():
            return noun.gender == MASCULINE
        if at in self.names and not self.names[at].genitive:
            return noun.gender == MASCULINE
        if before in _CALLED:
            return noun.gender == MASCULINE
        last = sentence.nominals[-1] if sentence.nominals else None
        known = noun.lemma in sentence.lexicon.surnames or noun.person.masculine.lower() in words("surname")
        known = known or (not noun.certain and not noun.prefix)
        known = known and sentence.norm(index + 1) not in ("ist", "war", "wird", "wurde", "bleibt", "sein", "werden")
        if known and last is not None and last.head == at and last.kind == "person":
            return noun.gender == MASCULINE  # Professorin Weber
        if before in ("frau", "fräulein", "familie"):
            return noun.gender == MASCULINE
        if before in ("herr", "herrn"):
            return known
        return False

    def _means_person(self, phrase: Phrase, noun: Noun) -> bool:
        sentence = self.sentence
        before = sentence.norm(phrase.start - 1)
        if phrase.determiner < 0 and before in sentence.lexicon.determiners and before not in RELATIVE:
            readings = sentence.lexicon.determiners[before]
            if phrase.start == phrase.head and readings[0].kind != "contraction":
                return False  # die Leiter: no form of the person's word goes with the article
        if noun.prefix and noun.gender == MASCULINE and noun.person.masculine.lower() in _FIRMS:
            return False
        if noun.gender == MASCULINE and noun.lemma in words("thing") and not self._has_person_sign(phrase, noun):
            return False
        if (
            noun.lemma == "junge"
            and phrase.determiner < 0
            and (
                self._is_capital(phrase.head + 1)
                or sentence.norm(phrase.head + 2) == "junge"
                or sentence.norm(phrase.head - 2) == "junge"
            )
        ):
            return False  # Junge Leute; Junge, Junge!
        bare = phrase.determiner < 0 and not phrase.adjectives
        if bare and sentence.norms[phrase.head] in _COUNTRIES and sentence.norms[phrase.head].endswith("n"):
            return False  # in Bayern
        return not self._is_town(phrase, noun)

    def _has_person_sign(self, phrase: Phrase, noun: Noun) -> bool:
        """Tell whether *der Leiter*, *der Halter* stand with a masculine article, so that they mean a person."""
        persons = ("leiter", "halter", "arbeitgeber", "boxer", "user", "tester", "hörer", "träger", "planer", "kurier")
        return noun.lemma in persons and phrase.determiner >= 0 and bool(phrase.mask & 0x00F)

    def _is_capital(self, index: int) -> bool:
        tokens = self.sentence.tokens
        return index < len(tokens) and tokens[index].shape == 1 and self.sentence.norms[index].isalpha()

    def _is_town(self, phrase: Phrase, noun: Noun) -> bool:
        """Tell whether a word is the adjective of a town or country (*Schweizer Käse*)."""
        if noun.gender != MASCULINE or not self.sentence.surface(phrase.head).endswith("er"):
            return False
        if not self._is_capital(phrase.head + 1):
            return False
        following = self.sentence.surface(phrase.head + 1)
        is_noun = (
            self.sentence.lexicon.thing(following) is not None or self.sentence.lexicon.word(following) is not None
        )
        is_town = noun.lemma in _PEOPLES or (not noun.certain and noun.lemma.endswith(_TOWN_ENDINGS))
        return is_noun and is_town

    def _is_nominalised(self, phrase: Phrase) -> bool:
        word = phrase.word.nominalised
        assert word is not None
        following = phrase.head + 1
        if self._is_capital(following):
            return False
        if phrase.determiner < 0:
            is_person = word.certain or word.stem.endswith(FAIR_PARTICIPLES)
            return is_person and not phrase.adjectives and word.ending in ("e", "er")
        if self.sentence.is_adjective(following) and self._is_capital(following + 1):
            return False
        if phrase.mask & 0xF000 and not phrase.mask & 0x0FF:
            return False
        return word.certain or self.sentence.norm(phrase.determiner) not in ("das", "etwas", "viel", "alles")

    def _free_relatives(self) -> None:
        """Free the relative pronoun before a bare noun that was taken for its article (*die Kinder unterrichtet*)."""
        sentence = self.sentence
        for nominal in sentence.nominals:
            at = nominal.phrase.determiner
            if at < 1 or sentence.norms[at] not in ("der", "die") or sentence.norms[at - 1] != ",":
                continue
            clause = sentence.clause(at)
            before = sentence.nominal_at(at - 2)
            if clause.tokens[0] != at or clause.verb != clause.tokens[-1] or before is None or before.kind == "thing":
                continue
            if nominal.phrase.adjectives or nominal.head - at != 1 or not self._needs_subject(nominal, clause):
                continue
            nominal.phrase.determiner, nominal.phrase.reading, nominal.phrase.start = -1, None, nominal.head
            noun = nominal.phrase.word.noun
            nominal.phrase.mask = noun.mask if noun is not None else nominal.mask
            sentence.release(at)

    def _needs_subject(self, nominal: Nominal, clause: object) -> bool:
        others = [n for n in self.sentence.nominals if n is not nominal and self.sentence.clause(n.head) is clause]
        if any(n.mask & 0x1111 and not self.sentence.is_governed(n) for n in others):
            return False
        plural = bool(nominal.mask & 0xF00) and not nominal.mask & 0xFF
        number = getattr(clause, "number", "")
        return (plural and number == "singular") or self.sentence.norms[nominal.phrase.determiner] == "der"

    # -- what becomes of them

    def _follow_title(self, nominal: Nominal) -> None:
        before = self.sentence.nominal_at(nominal.start - 1)
        if (
            before is not None
            and before.kind == "title"
            and before.head == nominal.start - 1
            and nominal.kind != "name"
        ):
            nominal.case, nominal.gender = before.case, before.gender

    def _is_before_genitive(self, head: int) -> bool:
        """Tell whether a title stands before a surname in the genitive (*Frau Beckers Auto*)."""
        norm = self.sentence.norm(head + 1)
        return norm.endswith("s") and not norm.endswith("ss") and self._is_capital(head + 2)

    def _decide(self, nominal: Nominal) -> None:
        if nominal.kind == "thing" or nominal.gender < 0:
            return
        word = nominal.phrase.word
        if nominal.kind != "name" and word.noun is None and nominal.gender not in (MASCULINE, FEMININE):
            return
        if nominal.phrase.determiner < 0 and word.noun is None and nominal.case != NOMINATIVE:
            return
        if nominal.kind == "person" and self._may_be_surname(nominal):
            nominal.gender = -1  # a woman's or a man's
            return
        side = word.noun.gender if word.noun is not None else nominal.gender
        target = OTHER[side]
        if target not in self.turning.targets or (nominal.kind == "name" and not self._partner(nominal)):
            return
        nominal.swaps = True
        nominal.target = self._target_gender(nominal, target)

    def _may_be_surname(self, nominal: Nominal) -> bool:
        """Tell whether a bare singular is a common surname and no predicate (*Müller gewann das Rennen*)."""
        phrase, sentence, noun = nominal.phrase, self.sentence, nominal.phrase.word.noun
        if noun is None or noun.gender != MASCULINE or phrase.determiner >= 0 or phrase.adjectives or noun.prefix:
            return False
        if nominal.gender == PLURAL or sentence.norm(phrase.start - 1) in ("als", "wie", "und", "oder", "ein", "zum"):
            return False
        if noun.lemma not in sentence.lexicon.surnames and noun.person.masculine.lower() not in words("surname"):
            return False
        clause = sentence.clause(nominal.head)
        behind = sentence.nominal_at(phrase.start - 1)
        if behind is not None and behind.kind == "title":
            return False
        return not clause.copula and not any(sentence.norms[i] in ("werden", "sein", "du") for i in clause.tokens)

    def _partner(self, nominal: Nominal) -> str:
        return self.turning.partner(self.names[nominal.head].name)

    def _target_gender(self, nominal: Nominal, side: int) -> int:
        if nominal.gender == PLURAL:
            return PLURAL
        noun = nominal.phrase.word.noun
        if noun is not None and isinstance(noun.person, Pair):
            return noun.person.sides[side].gender
        return side

    def _keep_doubles(self) -> None:
        """In one direction leave both halves of *Lehrerinnen und Lehrer*, *Mutter und Vater*."""
        if not self.turning.one_direction:
            return
        sentence = self.sentence
        for nominal in sentence.nominals:
            other = sentence.coordinated(nominal)
            one, two = nominal.phrase.word.noun, other.phrase.word.noun if other is not None else None
            if other is None or one is None or two is None or nominal.kind == "name":
                continue
            if one.lemma == two.lemma and one.gender != two.gender:
                nominal.swaps = other.swaps = False

    # -- edits

    def _phrase_edits(self, nominal: Nominal) -> list[Edit]:
        sentence, phrase = self.sentence, nominal.phrase
        if any(sentence.is_blocked(i) for i in (phrase.determiner, *phrase.adjectives) if i >= 0) and nominal.swaps:
            return []
        found: list[Edit] = []
        turned = nominal.swaps and nominal.gender != PLURAL
        if phrase.determiner >= 0:
            found += self._determiner_edit(nominal, turned=turned)
        if not nominal.swaps:
            return found
        if turned:
            for index in phrase.adjectives:
                surface = sentence.surface(index)
                ending = ending_of(phrase.paradigm, nominal.target, nominal.case)
                found += self._edit(index, index, adjective_stem(surface) + ending, "adjective")
        return found + self._head_edit(nominal)

    def _determiner_edit(self, nominal: Nominal, *, turned: bool) -> list[Edit]:
        phrase, sentence = nominal.phrase, self.sentence
        at, reading = phrase.determiner, phrase.reading
        assert reading is not None
        stem = self.stems.get(at, "")
        if not turned:
            if not stem:
                return []
            return self._edit(at, at, stem + sentence.norms[at][len(reading.stem) :], "possessive")
        after = determiner(reading, nominal.target, nominal.case, stem)
        kind = "possessive" if reading.kind in ("his", "her", "possessive") else "article"
        before = sentence.norm(at - 1)
        contracts = reading.kind == "definite" and reading.stem == "der" and nominal.case == DATIVE
        if contracts and nominal.gender == FEMININE and before in CONTRACTING and nominal.target != FEMININE:
            gap = sentence.text[sentence.tokens[at - 1].end : sentence.tokens[at].start]
            if gap == " ":
                return self._edit(at - 1, at, CONTRACTING[before], "article")
        return self._edit(at, at, after, kind)

    def _head_edit(self, nominal: Nominal) -> list[Edit]:
        phrase, sentence = nominal.phrase, self.sentence
        surface = sentence.surface(phrase.head)
        if nominal.kind == "name":
            return self._name_edit(nominal, surface)
        noun, word = phrase.word.noun, phrase.word.nominalised
        if noun is not None:
            after = self._noun_form(nominal, noun)
            return self._edit(phrase.head, phrase.head, after, "title" if nominal.kind == "title" else "noun")
        assert word is not None
        after = surface[: -len(word.ending)] + ending_of(phrase.paradigm, nominal.target, nominal.case)
        return self._edit(phrase.head, phrase.head, after, "nominalised")

    def _noun_form(self, nominal: Nominal, noun: Noun) -> str:
        target, case = OTHER[noun.gender], nominal.case
        plural = nominal.gender == PLURAL
        phrase = nominal.phrase
        if phrase.determiner < 0 and not phrase.adjectives and not plural and nominal.kind == "person":
            title = self.sentence.nominal_at(phrase.start - 1)
            if title is None or title.kind != "title":
                case = NOMINATIVE  # als Student, mit Präsident Weber
        if nominal.kind == "title":
            form = "frau" if target == FEMININE else "herr" if case == NOMINATIVE else "herrn"
        elif isinstance(noun.person, Pair):
            side = noun.person.sides[target]
            form = side.in_plural(case) if plural else side.singular(case)
            bare = nominal.case == GENITIVE and phrase.determiner < 0 and not plural
            if bare and self.sentence.norms[phrase.head].endswith("s") and nominal.kind == "person":
                form = side.lemma if side.lemma.endswith("s") else side.lemma + "s"  # Opas Garten
        elif target == FEMININE:
            form = noun.person.feminine + ("nen" if plural else "")
        elif noun.person.declension == "adjectival":
            form = noun.person.masculine[:-2] + ending_of(phrase.paradigm, PLURAL if plural else MASCULINE, case)
        elif noun.person.declension == "mixed" and not plural and case != NOMINATIVE:
            form = noun.person.plural  # dem Bauern, des Nachbarn
        else:
            form = noun.person.masculine_form(case, plural=plural)
        return noun.prefix + form

    def _name_edit(self, nominal: Nominal, surface: str) -> list[Edit]:
        partner = self._partner(nominal)
        token, text = self.sentence.tokens[nominal.head], self.sentence.text
        end = token.end
        if nominal.case == GENITIVE and self.names[nominal.head].genitive:
            partner += "’" if partner.endswith(("s", "x", "z", "ß")) else "s"
        elif surface.endswith(("s", "x", "z")) and text[end : end + 1] in ("'", "’") and text[end + 1 : end + 2] == " ":
            end += 1  # Klaus' Buch -> Marias Buch
            partner += text[end - 1] if partner.endswith(("s", "x", "z")) else "s"
        if surface.isupper() and len(surface) > 1:
            partner = partner.upper()
        before = text[token.start : end]
        return [] if before == partner else [Edit(token.start, end, before, partner, "name", f"{before} -> {partner}")]

    def _edit(self, first: int, last: int, after: str, kind: str) -> list[Edit]:
        tokens = self.sentence.tokens
        start, end = tokens[first].start, tokens[last].end
        before = self.sentence.text[start:end]
        if kind in ("noun", "title", "nominalised"):
            styled = after.upper() if before.isupper() and len(before) > 1 else after[:1].upper() + after[1:].lower()
        else:
            styled = match_case(before, after.lower())
        return [] if before == styled else [Edit(start, end, before, styled, kind, f"{before} -> {styled}")]


_TOWN_ENDINGS = ("tzer", "nzer", "inger", "enger", "burger", "auer", "heimer", "städter", "nauer", "ener", "haver")
_PEOPLES = frozenset("schweizer berliner wiener hamburger frankfurter münchner römer pariser bremer londoner".split())
__all__ = ["FEM", "NEUTER", "SentenceTurner", "Turning", "is_polite"]
