"""Training pairs from trees: what a parse says about the persons of a sentence, gold or predicted.

A treebank names case, number and head of every word, so articles, adjectives and relative pronouns of a person are
certain, and so are those of everything else, which stay. A predicted parse is believed only where two of its layers
say the same (a subject that is a nominative, an object that is an accusative, the number of a subject and that of its
verb) and the forms of the phrase allow it.
"""

from __future__ import annotations

from augment.de.doubts import may_be_thing
from augment.de.evidence import UNKNOWN, Evidence, is_person
from augment.de.plain import results_of
from augment.de.reference import decide_pronouns
from augment.dependency import Parse, Relation, Token
from augment.languages import RuleResult
from rewriter.de.drafts import CASE, KEEP
from rewriter.de.drafts import PLURAL as OUTCOME_PLURAL
from rewriter.de.inflection import ACCUSATIVE, DATIVE, FEMININE, GENITIVE, MASCULINE, NOMINATIVE, PLURAL
from rewriter.de.language import German
from rewriter.de.lexicon import FEM, MASC, PLUR, bit, cases_of
from rewriter.de.phrase import plural, singular
from rewriter.de.staying import TITLES
from rewriter.de.turning.read import read_sentence
from rewriter.language.candidates import Candidate
from rewriter.policy.protect import protected_spans

_CASES = {"Nom": NOMINATIVE, "Acc": ACCUSATIVE, "Dat": DATIVE, "Gen": GENITIVE}
#: fine tags of proper names (STTS, Penn)
_NAMES = frozenset({"NE", "NNP"})
_HEADS = ("noun", "nominalised")
#: kinds of candidates that a parse may settle
_SETTLED = ("noun", "nominalised", "article", "adjective", "relative", "pronoun")
#: case that a relation without a preposition asks for
_EXPECTED = {
    "nsubj": NOMINATIVE,
    "nsubj:pass": NOMINATIVE,
    "obj": ACCUSATIVE,
    "iobj": DATIVE,
    "obl:arg": DATIVE,
    "nmod": GENITIVE,
    "nmod:poss": GENITIVE,
}
_CLAUSES = frozenset({Relation.CLAUSE, Relation.RELATIVE_CLAUSE})
_PERSONAL = frozenset({"er", "sie", "ihn", "ihm", "ihr"})
_ADJECTIVE_ENDINGS = ("er", "em", "es", "ischen", "lichen", "igen", "enen", "enden")
_ARTICLES = frozenset("der die den dem des ein eine einen einem eines einer".split())


def tree(parse: Parse, language: German, *, gold: bool = False) -> list[RuleResult]:
    """Return pairs of a parsed sentence: itself, and where it can be turned its masculine and feminine twins.

    Args:
        parse: with labels and features of Universal Dependencies.
        language: German with star forms.
        gold: the parse is a treebank's: heads and relations are believed; case and number, too, where every noun of
            the sentence has them (in some treebanks they were looked up, not read).
    """
    evidence = Evidence(parse.text, language, protected_spans(parse.text))
    if not evidence.analysis.candidates:
        return []
    _Reader(evidence, parse, gold=gold).read()
    # what stands before the sentence is not known, so a pronoun that nothing explains may mean a thing; rules of
    # preference add what they get wrong to what a predicted parse gets wrong
    decide_pronouns(evidence, alone=True, preference=gold)
    results = results_of(evidence, language)
    if gold or not results or _says_more(evidence, forms_alone(parse.text, language, preference=False)):
        return results
    return [RuleResult(parse.text, parse.text, "neutral", dropped="the parse says no more than the forms")]


def forms_alone(text: str, language: German, *, preference: bool = True) -> Evidence:
    """Return what the forms of a sentence say without a parse.

    Args:
        text: the sentence.
        language: with star forms.
        preference: what rules of preference choose for pronouns counts, too.
    """
    evidence = Evidence(text, language, protected_spans(text))
    decide_pronouns(evidence, preference=preference)
    return evidence


def leaves_open(text: str, language: German) -> bool:
    """Tell whether the forms of a sentence leave something to a parse."""
    evidence = forms_alone(text, language)
    kinds = zip(evidence.analysis.candidates, evidence.outcomes, strict=True)
    return any(outcome == UNKNOWN and candidate.kind in _SETTLED for candidate, outcome in kinds)


def _says_more(evidence: Evidence, forms: Evidence) -> bool:
    known = {(c.start, c.end) for c, o in zip(forms.analysis.candidates, forms.outcomes, strict=True) if o != UNKNOWN}
    return any(
        o != UNKNOWN and (c.start, c.end) not in known
        for c, o in zip(evidence.analysis.candidates, evidence.outcomes, strict=True)
    )


def _mask(number: str, case: int) -> int:
    """Return the bits of a number and, unless it is negative, a case."""
    mask = PLUR if number == "Plur" else MASC | FEM
    return mask if case < 0 else mask & (bit(MASCULINE, case) | bit(FEMININE, case) | bit(PLURAL, case))


def _number_of_form(verb: str) -> str:
    """Return the number of a finite verb of the third person by its form; *schien* is the exception to the rule."""
    ends_like_plural = verb.endswith(("en", "ern", "eln", "sind", "tun", "seien")) and not verb.endswith("schien")
    return "Plur" if ends_like_plural else "Sing"


class _Reader:
    """Adds what a parse says to the evidence about a sentence."""

    def __init__(self, evidence: Evidence, parse: Parse, *, gold: bool) -> None:
        self.evidence, self.parse, self.gold = evidence, parse, gold
        nouns = [token for token in parse.tokens if token.pos == "NOUN"]
        #: the features are believed
        self.features = gold and all(n.feature("Case") and n.feature("Number") for n in nouns)
        self.candidates = evidence.analysis.candidates
        #: word of the parse -> candidate
        self.heads: dict[int, int] = {}
        self.reading = read_sentence(parse.text, evidence.sentence.protected)

    def read(self) -> None:
        for index, candidate in enumerate(self.candidates):
            node = self._node(candidate)
            if candidate.kind in _HEADS and node is not None:
                self.heads[node.index] = index
                self._head(index, candidate, node)
            elif candidate.kind in _HEADS:
                self.evidence.set_head(index, UNKNOWN)
        for index, candidate in enumerate(self.candidates):
            node = self._node(candidate)
            if node is None or candidate.kind in _HEADS:
                continue
            if candidate.kind == "relative":
                self._relative(index, candidate, node)
            elif candidate.kind == "pronoun":
                self._pronoun(index, node)
            elif candidate.kind == "possessive" and node.pos in ("VERB", "AUX"):
                self._set(index, KEEP)  # er soll gefragt worden sein
            elif candidate.kind == "possessive":
                self._possessive(index, candidate, node)
            elif candidate.kind == "adjective" and self._is_finite(node):
                self._set(index, KEEP)

    def _is_finite(self, node: Token) -> bool:
        """Tell whether a word that looks like an adjective is a verb (*Gern loben Gäste ...*), no participle.

        A parser takes rare adjectives for verbs, but their endings tell (*edler Greis*).
        """
        is_verb = node.pos in ("VERB", "AUX") and (node.tag.endswith("FIN") or node.feature("VerbForm") == "Fin")
        return is_verb and (self.gold or not node.text.endswith(_ADJECTIVE_ENDINGS))

    def _node(self, candidate: Candidate) -> Token | None:
        """Return the word of the parse that is the deciding token of a candidate."""
        token = self.evidence.analysis.tokens[candidate.token]
        found = self.parse.at(token.start)
        if found is None or self.parse[found].end != token.end:
            return None
        node = self.parse[found]
        # the last part of a word with hyphens stands for the whole
        is_last = self.parse.text[token.start - 1 : token.start] in ("-", "‑")
        return node if node.start == token.start or is_last else None

    # ------------------------------------------------------------ persons

    def _head(self, index: int, candidate: Candidate, node: Token) -> None:
        evidence = self.evidence
        phrase = evidence.phrases.get(index)
        if phrase is None or phrase.fair:
            return
        if self._is_name(node):
            # a surname (Fischer); in a predicted parse only a known one behind a name; not a people (die Perser)
            is_bare = phrase.determiner < 0 and node.feature("Number") != "Plur" and node.text[:1].isupper()
            noun = phrase.word.noun
            is_known = noun is not None and noun.lemma in evidence.sentence.lexicon.surnames
            is_surname = is_bare and (self.gold or (is_known and self._is_inside_name(node)))
            evidence.set_head(index, KEEP if is_surname else UNKNOWN)
            return
        if not self._fits(index, candidate, node) or self._has_far_article(index, node):
            evidence.set_head(index, UNKNOWN)
            return
        if self._is_unsure(index, candidate):
            return
        if not self.gold and self._is_adjective_of_town(node):
            evidence.set_head(index, UNKNOWN)
            return
        mask = self._gold_mask(node) if self.features else self._agreed_mask(node)
        if not self.gold and not self._rules_agree(candidate, phrase.mask & mask):
            mask = 0
        before = evidence.outcomes[index]
        if mask & phrase.mask:
            evidence.learn(index, mask)
        is_refused = before != UNKNOWN and before != evidence.outcomes[index]
        if mask and (is_refused or not mask & phrase.mask):
            evidence.set_head(index, UNKNOWN)

    def _is_name(self, node: Token) -> bool:
        return node.pos == "PROPN" and (node.tag in _NAMES or not self.gold)

    def _is_inside_name(self, node: Token) -> bool:
        before = self.parse[node.index - 1] if node.index else None
        following = self.parse[node.index + 1] if node.index + 1 < len(self.parse) else None
        if following is not None and following.pos == "PROPN":
            return False  # a title (Schwedens König Gustav)
        if before is None or before.pos != "PROPN" or before.text.endswith("s"):
            return False  # Annas Mitbewohner
        return node.head == before.index or node.head == before.head

    def _fits(self, index: int, candidate: Candidate, node: Token) -> bool:
        """Tell whether the parse sees the same phrase: its article belongs to this noun."""
        for follower in self.candidates:
            if follower.governor != index:
                continue
            other = self._node(follower)
            if other is not None and follower.kind == "adjective" and other.pos in ("VERB", "AUX"):
                continue  # a verb that looks like an adjective (Gern loben Gäste ...)
            if other is None or other.head != node.index:
                return False
            if follower.kind != "adjective" and other.pos != "DET" and other.label not in ("det", "det:poss"):
                return False
        return not (candidate.kind == "nominalised" and node.pos == "ADJ" and node.relation is Relation.MODIFIER)

    def _has_far_article(self, index: int, node: Token) -> bool:
        """Tell whether an article of a noun stands too far for its phrase (*der in Rom lebende Maler*).

        So does one before the first of two that share their second part (*den Staats- und Parteichef*).
        """
        nodes = [node.index]
        if node.relation is Relation.CONJUNCT and self.parse[node.head].text.endswith("-"):
            nodes.append(node.head)
        own = {f.token for f in self.candidates if f.governor == index}
        known = {self.evidence.analysis.tokens[token].start for token in own}
        articles = [self.parse[i] for head in nodes for i in self.parse.children(head, Relation.DETERMINER)]
        is_one = self.evidence.outcomes[index] not in (KEEP, OUTCOME_PLURAL)
        return is_one and any(a.text.lower() in _ARTICLES and a.start not in known for a in articles)

    def _rules_agree(self, candidate: Candidate, mask: int) -> bool:
        """Tell whether the rules read a feminine that may be subject or object as a predicted parse does.

        Both layers of a parse, relation and case, go wrong together there (*fragte die Baronin*).
        """
        cases = cases_of(singular(mask))
        if not mask & FEM or len(cases) != 1 or cases[0] not in (NOMINATIVE, ACCUSATIVE):
            return True
        return self.reading.heads.get(candidate.token, (-1, -1))[1] == cases[0]

    def _is_unsure(self, index: int, candidate: Candidate) -> bool:
        """Tell whether the word may be no person at all, whatever its case."""
        phrase, sentence = self.evidence.phrases[index], self.evidence.sentence
        at = phrase.head
        if not self.gold and index in self.evidence.doubtful:
            return True
        if phrase.word.noun is not None and may_be_thing(sentence, phrase, phrase.word.noun):
            return True
        if sentence.is_quoted(at) or sentence.norm(phrase.start - 1) in TITLES or not phrase.certain:
            return True
        if sentence.tokens[at].shape != 1:
            return True
        if candidate.kind == "noun":
            return phrase.word.noun is None or not is_person(phrase.word.noun)
        return False

    def _is_adjective_of_town(self, node: Token) -> bool:
        """Tell whether a word in -er stands before a noun, as the adjective of a town may (ein Bremer Kind)."""
        following = self.parse[node.index + 1] if node.index + 1 < len(self.parse) else None
        return node.text.endswith("er") and following is not None and following.pos == "NOUN"

    def _gold_mask(self, node: Token) -> int:
        """Return what a treebank's features leave; the determiner's stand in for the noun's own."""
        sources = [node, *(self.parse[i] for i in self.parse.children(node.index, Relation.DETERMINER))]
        number = next((n for t in sources if (n := t.feature("Number")) in ("Sing", "Plur")), "")
        cases = {t.feature("Case") for t in sources} & set(_CASES)
        if not number or len(cases) > 1:
            return 0
        case = _CASES[cases.pop()] if cases and not self._is_title(node) else -1
        return _mask(number, case)

    def _is_title(self, node: Token) -> bool:
        """Tell whether a bare noun stands before a name, where it need not be inflected (für Präsident Blum)."""
        following = self.parse[node.index + 1] if node.index + 1 < len(self.parse) else None
        return (
            following is not None
            and following.pos == "PROPN"
            and self.evidence.phrases[self.heads[node.index]].determiner < 0
        )

    def _agreed_mask(self, node: Token) -> int:
        """Return what two layers of a parse agree on, 0 where they do not."""
        number, case = node.feature("Number"), _CASES.get(node.feature("Case"), -1)
        finite = self._finite(node)
        if finite is not None:
            own = finite.feature("Number")
            if own not in ("Sing", "Plur") or own != _number_of_form(finite.text.lower()):
                return 0
            is_agreed = number == own and case == NOMINATIVE and not self._is_bare_subject(node, own)
            return _mask(own, NOMINATIVE) if self.gold or is_agreed else 0
        if number not in ("Sing", "Plur") or case < 0 or self._is_number_open(node):
            return 0
        if self.parse.children(node.index, Relation.PREPOSITION):
            return _mask(number, case) if node.label in ("obl", "nmod", "obl:arg") else 0
        if node.label == "obj" and self.parse[node.head].text.lower().startswith(("heiß", "hieß")):
            return 0  # Anna heißt die Lehrerin
        return _mask(number, case) if _EXPECTED.get(node.label) == case else 0

    def _is_bare_subject(self, node: Token, number: str) -> bool:
        """Tell whether a noun without an article is a subject in the singular, which German hardly has."""
        is_bare = self.evidence.phrases[self.heads[node.index]].determiner < 0
        return is_bare and number == "Sing" and node.relation is Relation.SUBJECT

    def _finite(self, node: Token) -> Token | None:
        """Return the finite verb in whose number a subject or predicate stands; None for other words.

        Coordinated subjects and predicates tell nothing about the number of each.
        """
        if self.parse.children(node.index, Relation.CONJUNCT, Relation.PREPOSITION):
            return None
        if node.relation is Relation.SUBJECT:
            found = self.parse[self.parse.finite_word(self.parse.predicate(node.head))]
            return found if found.pos in ("VERB", "AUX") else None
        copulas = self.parse.children(node.index, Relation.COPULA)
        return self.parse[copulas[0]] if copulas else None

    def _is_number_open(self, node: Token) -> bool:
        """Tell whether the form of a phrase leaves its number open (für Lehrer), which no second layer settles."""
        index = self.heads[node.index]
        mask = self.evidence.phrases[index].mask
        return bool(singular(mask)) and bool(plural(mask))

    # ------------------------------------------------------------ what refers

    def _relative(self, index: int, candidate: Candidate, node: Token) -> None:
        if node.label in ("det", "det:poss") and node.pos == "DET" and node.head not in self.heads:
            other = self.parse[node.head]
            if other.pos in ("NOUN", "PROPN") and other.index > node.index and node.tag != "PRELAT":
                self._set(index, KEEP)  # an article of something else
            return
        if not self._is_relative(node):
            return
        antecedent = self._antecedent(node)
        if antecedent is None:
            return
        self._set(index, self._reference(antecedent, candidate, node))

    def _is_relative(self, node: Token) -> bool:
        if node.feature("PronType") == "Rel" or node.tag in ("PRELS", "PRELAT"):
            return True
        return self.gold and node.pos == "PRON" and node.tag not in ("PDS", "PPER")

    def _antecedent(self, node: Token) -> Token | None:
        """Return the noun of the relative clause that a pronoun stands in."""
        seen = node
        for _ in range(4):
            if seen.relation in _CLAUSES and seen.label.startswith("acl"):
                noun = self.parse[seen.head]
                return noun if noun.index < node.index and noun.pos in ("NOUN", "PROPN", "ADJ", "PRON", "DET") else None
            if seen.head == seen.index:
                return None
            seen = self.parse[seen.head]
        return None

    def _reference(self, antecedent: Token, candidate: Candidate, node: Token) -> int:
        """Return the outcome of a relative pronoun by what its antecedent is."""
        known = {outcome for outcome, _ in candidate.options}
        head = self.heads.get(antecedent.index)
        if head is None:
            return self._foreign(antecedent, node)
        outcome = self.evidence.outcomes[head]
        if outcome == UNKNOWN:
            return UNKNOWN
        if head not in self.evidence.starred():
            return KEEP
        case = _CASES.get(node.feature("Case"), -1)
        if case < 0 or CASE + case not in known:
            return UNKNOWN
        expected = _EXPECTED.get(node.label)
        if not self.gold and (expected is None or expected != case):
            # the form alone settles some (den, dem)
            own = [outcome for outcome in known if outcome != KEEP]
            return own[0] if own == [CASE + case] else UNKNOWN
        return CASE + case

    def _foreign(self, antecedent: Token, node: Token) -> int:
        """Return the outcome of a pronoun whose antecedent is no candidate: a thing, or a name with a person near."""
        if antecedent.pos == "PROPN":
            if self._is_behind_person(antecedent):
                return UNKNOWN
            near = {antecedent.head, *self.parse.children(antecedent.index)}
            return UNKNOWN if near & set(self.heads) else KEEP
        if antecedent.pos != "NOUN":
            return UNKNOWN
        if self.gold:
            return KEEP
        # a predicted antecedent is believed where gender speaks for it, too
        gender, own = antecedent.feature("Gender"), node.feature("Gender")
        nearest = self._nearest_noun(node)
        return KEEP if gender and gender == own and nearest == antecedent.index else UNKNOWN

    def _is_behind_person(self, name: Token) -> bool:
        """Tell whether a name stands right behind a person (*der Maler Emil Krügel*)."""
        at = name.index - 1
        while at >= 0 and self.parse[at].pos == "PROPN" and at not in self.heads:
            at -= 1
        return at in self.heads

    def _nearest_noun(self, node: Token) -> int:
        for index in range(node.index - 1, -1, -1):
            if self.parse[index].pos in ("NOUN", "PROPN"):
                return index
        return -1

    def _pronoun(self, index: int, node: Token) -> None:
        """Keep what the parse shows to be a plural, or the article of something else."""
        norm = node.text.lower()
        if norm in _PERSONAL:
            if norm == "sie" and self._is_plural(node):
                self._set(index, KEEP)
            return
        if node.label == "det" and node.pos == "DET" and node.tag in ("ART", "PIAT", "DT", "PIDAT", "PDAT"):
            other = self.parse[node.head]
            if other.pos != "NOUN" or other.index <= node.index or other.index in self.heads:
                return
            between = [self.parse[i].pos for i in range(node.index + 1, other.index)]
            # jeder andere, einer vom Chor: no articles
            if other.text[:1].isupper() and "ADP" not in between[:1]:
                self._set(index, KEEP)

    def _is_plural(self, node: Token) -> bool:
        if node.feature("Number") != "Plur":
            return False
        if self.gold:
            return True
        finite = self._finite(node)
        return finite is not None and finite.feature("Number") == _number_of_form(finite.text.lower()) == "Plur"

    def _possessive(self, index: int, candidate: Candidate, node: Token) -> None:
        if candidate.governor < 0 and self.gold and node.feature("Number[psor]") == "Plur" and node.text[0].islower():
            self._set(index, KEEP)

    def _set(self, index: int, outcome: int) -> None:
        known = {option for option, _ in self.candidates[index].options}
        if outcome in known or outcome == UNKNOWN:
            self.evidence.outcomes[index] = outcome
