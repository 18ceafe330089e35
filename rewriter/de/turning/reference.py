"""What German pronouns mean, for swapping: a person who is turned, somebody who stays, or a thing.

Gender and number are the evidence, as *er* cannot mean a feminine noun; among persons the nearest subject counts,
persons come before things unless the predicate suits a thing only. A pronoun that nothing in the text explains is taken
for a person, as in English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from rewriter.de.inflection import DATIVE, FEMININE, GENITIVE, MASCULINE, NOMINATIVE, PLURAL
from rewriter.de.lexicon import bit
from rewriter.de.turning.clauses import INSTITUTIONS, SUBJECTS, Clause, ClauseSentence, Nominal
from rewriter.de.turning.grammar import ANY, NEUTER, words
from rewriter.de.turning.verbs import copulas, finite

#: verbs whose subject is a person
PERSON_VERB = re.compile(
    r"(?:sag|frag|lach|mein|denk|dachte|glaub|wein|lächel|nick|antwort|rief$|wusste|weiß$|lieb|trink|trank|isst|aß$|"
    r"schlaf|schläf|schlief|träum|studier|heirat|hoff|freu|ärger|schrie|flüster|erzähl|las$|liest|sing|sang|tanz|koch|"
    r"mochte|küss|umarm|telefonier|wink|zöger|vergaß|vergiss|bat$|bedank|entschuldig|erinner|überleg|gähn|niest|seufz)"
)
#: verbs of things behind a dative
_FOR_SOMEBODY = frozenset(
    "passt passte passten gehört gehörte gehörten gelang gelingt misslang misslingt steht stand weh zusteht zustand "
    "nützt nützte bekommt bekam genügt genügte leichtfällt leichtfiel schwerfällt schwerfiel".split()
)
_HAVING = frozenset("habe hast hat haben hatte hatten hätte hätten habt".split())
_DATIVES = frozenset({"mir", "dir", "ihm", "ihr", "uns", "euch", "ihnen", "jedem"})
_PASSIVE = frozenset("wird wurde werden worden ist war wäre sei muss müsste soll sollte".split())
#: subjects that *sein* goes back to although they are nobody's word
_PERSONAL = frozenset({"er", "ihn", "ihm", "sie", "ihr"})
_ANYBODY = frozenset({"man", "jeder", "jemand", "niemand", "wer", "keiner", "einer", "mancher", "jedermann"})


#: neuters that stand for things, and verbs of having whose subject they are
_NAMELESS = frozenset("alles nichts etwas das dies es vieles manches".split())
_ITS_VERBS = frozenset(
    "hat hatte habe hätte braucht brauchte verliert verlor bekommt bekam behält behielt findet fand fordert forderte "
    "nimmt nahm geht ging".split()
)
#: ends of nouns for animals
_ANIMALS = ("hund", "katze", "kater", "vogel", "pferd", "hengst", "stute", "welpe", "käfer", "fisch")
_SUBJECT = bit(MASCULINE, NOMINATIVE)
#: mask of an unknown noun behind *dem, einem*
_NO_FEMININE = bit(MASCULINE, DATIVE) | bit(NEUTER, DATIVE)


@dataclass(slots=True, eq=False)
class Entity:
    """Something that a pronoun may mean.

    Attributes:
        token: where it is named.
        clause: in which.
        gender: as the source has it; PLURAL for several.
        swaps: it is turned.
        target: gender that it is turned to, -1 where it stays.
        human: it is a person.
        subject: of its clause.
        time: a noun of time, which nothing means.
        root: token of what it means: its own for a noun and for a pronoun that nothing explains, -1 in another
            sentence.
        anybody: *jeder, keiner* before a relative clause, which swapping leaves alone.
        acts: no person, but what persons do may be said of it: an animal, the government.
    """

    token: int
    clause: Clause
    gender: int
    swaps: bool
    target: int
    human: bool
    subject: bool
    time: bool = False
    root: int = -1
    anybody: bool = False
    acts: bool = False


@dataclass(slots=True)
class _Left:
    """What may be meant by a pronoun, each list in the order of the text.

    Attributes:
        people: in its sentence, before it.
        things: in its sentence, before it.
        before_people: in the sentence before.
        before_things: in the sentence before.
    """

    people: list[Entity]
    things: list[Entity]
    before_people: list[Entity]
    before_things: list[Entity]


def entities_of(sentence: ClauseSentence) -> list[Entity]:
    """Return what is named by the noun phrases of a sentence."""
    found = []
    for nominal in sentence.nominals:
        gender = nominal.gender if nominal.gender >= 0 else _gender_left(nominal) if nominal.mask != ANY else -1
        if gender < 0 and nominal.phrase.determiner >= 0 and not sentence.is_governed(nominal):
            gender = MASCULINE if nominal.mask == _NO_FEMININE else -1  # dem Stecker
        found.append(
            Entity(
                nominal.head,
                sentence.clause(nominal.head),
                gender,
                nominal.swaps,
                nominal.target,
                nominal.human,
                nominal.case in (NOMINATIVE, -1) and not sentence.is_governed(nominal),
                _is_time(sentence, nominal),
                nominal.head,
                acts=_acts(sentence.norms[nominal.head]),
            )
        )
        is_second = sentence.norm(nominal.start - 1) in ("und", "sowie", "&")
        if is_second and sentence.coordinated(nominal) is not None:
            several = Entity(nominal.head, found[-1].clause, PLURAL, False, -1, nominal.human, found[-1].subject)
            found.append(replace(several, root=nominal.head))
    return found


def _acts(norm: str) -> bool:
    return norm in words("animal") or norm.endswith((*INSTITUTIONS, *_ANIMALS))


def _is_time(sentence: ClauseSentence, nominal: Nominal) -> bool:
    """Tell whether a noun tells the time and nothing that a pronoun may mean (*acht Uhr*, not *die Uhr*)."""
    norm = sentence.norms[nominal.head]
    if nominal.kind == "name":
        return norm == "gott" and sentence.norm(nominal.head + 1) == "sei"  # Gott sei Dank
    if norm not in words("time") or (nominal.mask == _SUBJECT and nominal.phrase.determiner >= 0):
        return False  # der Winter kam
    if nominal.start == nominal.phrase.determiner == 0 and sentence.norm(nominal.head + 1) in copulas():
        return any(sentence.norms[i] in SUBJECTS for i in sentence.clause(nominal.head).tokens)  # die Nacht war kalt
    return norm not in ("uhr", "teil", "platz", "grund", "fall") or nominal.phrase.determiner < 0


def _gender_left(nominal: Nominal) -> int:
    mask = nominal.mask
    left = [gender for gender in range(4) if mask >> 4 * gender & 0xF]
    return left[0] if len(left) == 1 else -1


def _is_own(entity: Entity, own: Nominal | None) -> bool:
    """Tell whether an entity is the possessed itself, or has it as its genitive (*das Haus seiner Eltern*)."""
    if own is None:
        return False
    return entity.token == own.head or (own.case == GENITIVE and entity.token == own.start - 1)


def _others(people: Sequence[Entity], acting: Sequence[Entity]) -> list[Entity]:
    """Return whom an object may mean: not the subject itself, nor whom it means (*er muss ihn dabeihaben*)."""
    roots, subjects = {e.root for e in acting if e.root >= 0}, set(acting)
    return [e for e in people if e not in subjects and e.root not in roots]


class References:
    """Finds what the pronouns of a sentence mean.

    Args:
        sentence: its noun phrases have been read.
        before: entities of the sentence before it.
    """

    def __init__(self, sentence: ClauseSentence, before: Sequence[Entity]) -> None:
        self.sentence, self.before = sentence, [replace(entity, root=-1) for entity in before]
        self.entities = entities_of(sentence)
        self._suiting: dict[tuple[int, bool], bool] = {}

    def add(self, token: int, gender: int, target: int, *, subject: bool, root: int = -1) -> None:
        """Take a pronoun that was decided as something that later ones may mean."""
        clause = self.sentence.clause(token)
        swaps = target >= 0
        self._insert(Entity(token, clause, gender, swaps, target, swaps, subject, root=token if root < 0 else root))

    def add_anybody(self, token: int, gender: int, *, subject: bool, root: int) -> None:
        """Take *jeder, der* ..., or a pronoun that means it, as something that later ones may mean."""
        clause = self.sentence.clause(token)
        self._insert(Entity(token, clause, gender, False, -1, True, subject, root=root, anybody=True))

    def _insert(self, entity: Entity) -> None:
        self.entities.append(entity)
        self.entities.sort(key=attrgetter("token"))

    def find(
        self,
        token: int,
        genders: Sequence[int],
        *,
        possessive: bool = False,
        subject: bool = True,
        predicate: bool = True,
        own: Nominal | None = None,
    ) -> Entity | None:
        """Return what a pronoun means, None where nothing explains it.

        Args:
            token: the pronoun.
            genders: that it may have.
            possessive: things of its own clause may be meant, too.
            subject: the pronoun is a subject, so that its verb tells whether it can be a thing.
            predicate: the predicate may tell that a thing is meant.
            own: what a possessive begins, which is not its possessor.
        """
        clause = self.sentence.clause(token)
        left = self._left(token, genders, possessive=possessive, subject=subject, own=own)
        things = left.things or left.before_things
        if predicate and things and not possessive and self.suits_things(clause, subject=subject):
            return things[-1]
        if left.people:
            return self._nearest(left.people, clause, possessive=possessive)
        if subject and not possessive and self._is_personal(clause, token):
            left.things = [e for e in left.things if e.acts]  # the government says
            left.before_things = [e for e in left.before_things if e.acts]
        found = left.things or [e for e in left.before_people if e.subject] or left.before_people or left.before_things
        return found[-1] if found else self._later(token, genders, clause, in_clause=subject or possessive)

    def _left(
        self, token: int, genders: Sequence[int], *, possessive: bool, subject: bool, own: Nominal | None
    ) -> _Left:
        """Return what gender and place leave of the entities before a pronoun."""
        clause = self.sentence.clause(token)
        here = [e for e in self.entities if e.gender in genders and e.token < token and not e.time]
        if own is not None:
            here = [e for e in here if not _is_own(e, own)]
        earlier = [e for e in self.before if e.gender in genders]
        left = _Left(
            [e for e in here if e.human and (possessive or e.swaps or e.clause is not clause or not e.subject)],
            [e for e in here if not e.human and (possessive or e.clause is not clause)],
            [e for e in earlier if e.human],
            [e for e in earlier if not e.human and not e.time],
        )
        acting = [] if subject or possessive else self._own_subjects(clause)
        if acting:
            left.people = _others(left.people, acting)
        if any(self.sentence.norms[e.token] in SUBJECTS for e in acting):
            left.before_people = []
        return left

    def _later(self, token: int, genders: Sequence[int], clause: Clause, *, in_clause: bool) -> Entity | None:
        """Return the first person behind a pronoun that is a subject, None for none.

        Args:
            token: the pronoun.
            genders: that it may have.
            clause: of the pronoun.
            in_clause: whoever acts in it may be meant; not so by an object (*Neben ihm saß ein Kind*).
        """
        later = (e for e in self.entities if e.gender in genders and e.human and e.token > token and e.subject)
        return next((e for e in later if in_clause or e.clause is not clause), None)

    def _own_subjects(self, clause: Clause) -> list[Entity]:
        """Return the subjects of a clause, of the one before it where it goes on without its own."""
        held = self.sentence.with_subject(clause)
        return [e for e in self.entities if e.subject and e.clause is held]

    def _is_personal(self, clause: Clause, token: int) -> bool:
        """Tell whether the predicate of a clause suits persons."""
        tokens, norms = self.sentence.tokens, self.sentence.norms
        return any(not tokens[i].shape and PERSON_VERB.match(norms[i]) for i in clause.tokens if i != token)

    def _nearest(self, people: Sequence[Entity], clause: Clause, *, possessive: bool) -> Entity:
        """Return the person meant: the nearest subject, of another clause unless the pronoun is a possessive."""
        apart = people if possessive else [e for e in people if e.clause is not clause] or people
        subjects = [e for e in apart if e.subject]
        return (subjects or apart)[-1]

    def suits_things(self, clause: Clause, *, subject: bool = True) -> bool:
        """Tell whether the predicate of a clause suits a thing only (*war zu heiß*, *wurde gebaut*).

        Args:
            clause: whose predicate is asked.
            subject: as its subject, else as its object.
        """
        key = id(clause), subject
        if key not in self._suiting:
            self._suiting[key] = self._suits_things(clause, subject=subject)
        return self._suiting[key]

    def _suits_things(self, clause: Clause, *, subject: bool) -> bool:
        norms = [self.sentence.norms[i] for i in clause.tokens]
        known = words("thing's predicate")
        if any(norm in known and not self._is_degree(i, norm) for i, norm in zip(clause.tokens, norms, strict=True)):
            return True
        is_for = not _FOR_SOMEBODY.isdisjoint(norms) and not _DATIVES.isdisjoint(norms)
        if subject and is_for and _HAVING.isdisjoint(norms):
            return True  # weil er ihm passte
        passive = not _PASSIVE.isdisjoint(norms)
        return passive and any(norm in words("thing's participle") for norm in norms)

    def _is_degree(self, index: int, norm: str) -> bool:
        """Tell whether *schwer* stands before what it belongs to (*schwer verletzt*)."""
        following = self.sentence.norm(index + 1)
        is_last = not following.isalpha() or following in ("und", "oder") or finite(following)[1]
        return norm == "schwer" and not is_last

    def possessor(self, token: int, own: Nominal | None, genders: Sequence[int]) -> Entity | str | None:
        """Return the possessor: an entity, ``anybody``, or None where nothing explains it.

        Args:
            token: the possessive.
            own: the noun phrase that it begins.
            genders: of the possessor.
        """
        clause, sentence = self.sentence.clause(token), self.sentence
        beside = self._beside_pronoun(token, genders)
        if beside is not None:
            return beside
        if MASCULINE in genders and (self._is_anybodys(token, own, clause) or self._is_its(token, own, clause)):
            return "anybody"
        subjects = [e for e in self.entities if e.clause is clause and e.subject and not _is_own(e, own)]
        subjects = [e for e in subjects if not (e.token > token and self._is_joined(own, e))]
        fitting = [e for e in subjects if e.gender in genders and not e.time and not self._is_new_behind(e, token)]
        if own is not None and own.case == NOMINATIVE and not clause.copula:
            fitting = []
        if fitting:
            fitting = [e for e in fitting if e.human] or fitting
            owner = self._owner(fitting[0], genders)
            if owner is not None:
                return owner
            plural = [e for e in fitting if e.gender == PLURAL]
            return plural[0] if plural and clause.number == "plural" else fitting[0]
        found = self.find(token, genders, predicate=False, own=own)
        if found is None and sentence.norm(token - 1) == "und":
            # Bäume und ihren Wasserbedarf
            joined = [e for e in self.entities if e.token == token - 2 and e.gender in genders]
            return joined[-1] if joined else None
        return found or self._given_to(token, genders, clause)

    def _given_to(self, token: int, genders: Sequence[int], clause: Clause) -> Entity | None:
        """Return the thing in the dative before a possessive of its clause (*Dem Baum fielen seine Blätter ab*)."""
        for entity in reversed(self.entities):
            nominal = self.sentence.nominal_at(entity.token)
            if nominal is None or entity.token > token or entity.clause is not clause or entity.human:
                continue
            if entity.gender in genders and nominal.case == DATIVE and not self.sentence.is_governed(nominal):
                return entity
        return None

    def _beside_pronoun(self, token: int, genders: Sequence[int]) -> Entity | None:
        """Return whom the pronoun means that a possessive is joined to (*ohne ihn und seine Leute*)."""
        if self.sentence.norm(token - 1) not in ("und", "oder") or self.sentence.norm(token - 2) not in _PERSONAL:
            return None
        found = [e for e in self.entities if e.token == token - 2 and e.gender in genders]
        return found[-1] if found else None

    def _is_anybodys(self, token: int, own: Nominal | None, clause: Clause) -> bool:
        """Tell whether a possessive means *man, jeder, wer* of its clause.

        In *Man kennt den Autor wegen seines Romans* a person stands nearer, and what is possessed is no object.
        """
        sentence = self.sentence
        subject = next(
            (i for i in clause.tokens if sentence.norms[i] in _ANYBODY and sentence.nominal_at(i) is None), -1
        )
        if subject < 0:
            return False
        if sentence.norms[subject] != "man" or own is None:
            return True
        near = any(e.clause is clause and e.swaps and e.gender == MASCULINE and e.token < token for e in self.entities)
        return not (near and (sentence.is_governed(own) or own.case == GENITIVE))

    def _is_its(self, token: int, own: Nominal | None, clause: Clause) -> bool:
        """Tell whether *sein* means something that no noun names (*Alles hat seine Zeit, Das hat seinen Preis*)."""
        sentence, norms = self.sentence, self.sentence.norms
        if own is None or own.human or clause.verb < 0 or norms[clause.verb] not in _ITS_VERBS:
            return False
        behind = (norms[i] for i in clause.tokens if i > own.head and not sentence.tokens[i].shape)
        if any(norm.endswith(("t", "en")) for norm in behind):
            return False  # Das hat seine Laufbahn beendet
        named = (i for i in clause.tokens if i < token and sentence.nominal_at(i) is None)
        return any(norms[i] in _NAMELESS for i in named) and not sentence.subject_pronouns(clause)

    def _owner(self, thing: Entity, genders: Sequence[int]) -> Entity | None:
        """Return the person in the genitive behind a thing (*der Ruf des Anwalts litt unter seinem Verhalten*)."""
        if thing.human:
            return None
        owners = [e for e in self.entities if e.human and e.gender in genders and e.token > thing.token]
        for entity in owners:
            nominal = self.sentence.nominal_at(entity.token)
            if nominal is not None and nominal.start == thing.token + 1 and nominal.case == GENITIVE:
                return entity
        return None

    def _is_new_behind(self, entity: Entity, token: int) -> bool:
        """Tell whether a thing without *der* stands behind a possessive (*In seinem Zimmer brennt ein Licht*)."""
        nominal = self.sentence.nominal_at(entity.token)
        if entity.token < token or nominal is None or (entity.human and entity.gender != PLURAL):
            return False
        return nominal.phrase.reading is None or nominal.phrase.reading.kind != "definite"

    def _is_joined(self, own: Nominal | None, entity: Entity) -> bool:
        """Tell whether an entity is joined to the possessed (*seine Mutter und sein Vater*)."""
        if own is None:
            return False
        at = self.sentence.nominal_at(entity.token)
        return at is not None and self.sentence.coordinated(at) is own


__all__ = ["FEMININE", "NEUTER", "Entity", "References", "entities_of"]
