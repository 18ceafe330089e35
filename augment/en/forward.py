"""Forward augmentation: gendered English to singular *they* by parse (Sun et al. 2021; Vanmassenhove et al. 2021).

The candidates of ``rewriter.en`` say which words may change and into what; the rules here decide each of them from the
parse. A rule is a small function with a name in :data:`RULES`: it sees one candidate and answers with an outcome, or
with None where it has nothing to say; the first answer counts. The name of the rule stands in the edit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from augment.dependency import Parse, Relation, Token
from augment.en.agreement import COORDINATORS, Agreement, find_agreements, is_adverb, left_of, right_of
from augment.languages import RuleResult
from rewriter.candidates import Analysis, Candidate
from rewriter.en.candidates import CHANGE, HAS, IS, KEEP, OBJECT, POSSESSIVE, STANDALONE, EnglishLexicon, analyze
from rewriter.en.inflection import to_plural
from rewriter.en.segmenter import segment
from rewriter.protect import protected_spans
from rewriter.records import Edit, apply_edits
from rewriter.registry import Registry

_PLURAL_TAGS = ("NNS", "NNPS")
_NOT_THIRD_SINGULAR = frozenset(["i", "you", "we", "they", "these", "those"])


@dataclass(frozen=True, slots=True)
class Decision:
    """What a rule says about a candidate: the outcome, and whether the evidence is weak."""

    outcome: int
    doubtful: bool = False


@dataclass(frozen=True)
class Context:
    """One sentence as the rules see it.

    Attributes:
        parse: parse of the whole text.
        analysis: candidates of the sentence.
        begin: offset of the sentence in the text.
        text: the sentence.
    """

    parse: Parse
    analysis: Analysis
    begin: int
    text: str

    def word(self, candidate: Candidate) -> int:
        """Return the index in the parse of the first word of ``candidate`` (-1 where tokens do not fit)."""
        index = self.parse.at(self.begin + candidate.start)
        return -1 if index is None else index

    @cached_property
    def pronouns(self) -> dict[int, bool]:
        """Indices in the parse of the pronouns that will change, and whether they are subject forms."""
        found: dict[int, bool] = {}
        for i, decision in self.pronoun_decisions.items():
            candidate = self.analysis.candidates[i]
            if decision is None or decision[1].outcome != KEEP:
                is_subject = candidate.options[1][1].lower() == "they"
                # of a double form both words may be the subject of a parse
                for offset in (candidate.start, candidate.end - 1):
                    index = self.parse.at(self.begin + offset)
                    if index is not None:
                        found[index] = is_subject
        return found

    @cached_property
    def pronoun_decisions(self) -> dict[int, tuple[str, Decision] | None]:
        """The decision per pronoun candidate (its index in the analysis)."""
        kinds = ("pronoun",)
        return {i: decide(self, c) for i, c in enumerate(self.analysis.candidates) if c.kind in kinds}

    @cached_property
    def agreements(self) -> dict[int, Agreement]:
        """The verb forms that agree with a changed pronoun, by index in the parse."""
        verbs = {self.word(c) for c in self.analysis.candidates if c.kind == "verb"}
        verbs = {v for v in verbs if v >= 0 and not is_noun_form(self.parse, v)}
        return find_agreements(self.parse, self.pronouns, verbs, _excludes_third_singular)

    @cached_property
    def is_shouting(self) -> bool:
        """Tell whether the sentence is in capitals as a whole."""
        letters = [c for c in self.text if c.isalpha()]
        return bool(letters) and sum(c.isupper() for c in letters) > 0.7 * len(letters)

    @cached_property
    def is_title(self) -> bool:
        """Tell whether the sentence is in title case, so that a capital means nothing."""
        words = [w for w in re.findall(r"[A-Za-z]+", self.text) if len(w) > 3]
        return len(words) > 1 and sum(w[0].isupper() for w in words) > 0.9 * len(words)


Rule = Callable[[Context, Candidate], "Decision | None"]
RULES: Registry[Rule] = Registry("forward rule")
#: kind of candidate -> names of its rules, in the order of asking
ORDER: dict[str, list[str]] = {"pronoun": [], "contraction": [], "verb": [], "noun": []}


def rule(kind: str, name: str) -> Callable[[Rule], Rule]:
    """Register a rule under ``name``, to be asked after those already there for ``kind``."""

    def add(function: Rule) -> Rule:
        ORDER[kind].append(name)
        return RULES.register(name)(function)

    return add


def decide(context: Context, candidate: Candidate) -> tuple[str, Decision] | None:
    """Return the first answer of the rules of the candidate's kind with the rule's name, or None."""
    for name in ORDER[candidate.kind]:
        decision = RULES.get(name)(context, candidate)
        if decision is not None:
            return name, decision
    return None


def forward(parse: Parse, lexicon: EnglishLexicon) -> RuleResult:
    """Rewrite a gendered text to the convention ``en-singular-they``.

    Args:
        parse: of the text.
        lexicon: compiled tables.

    Returns:
        The pair with its edits; ``dropped`` is set where nothing was to rewrite.
    """
    edits: list[Edit] = []
    doubtful: list[tuple[int, int]] = []
    statistics: Counter[str] = Counter()
    protected = protected_spans(parse.text)
    for begin, end in segment(parse.text):
        context = _context(parse, lexicon, protected, begin, end)
        for candidate in context.analysis.candidates:
            edit, is_doubtful = _settle(context, candidate)
            if edit:
                edits.append(edit)
                statistics[edit.reason] += 1
            if is_doubtful:
                doubtful.append((begin + candidate.start, begin + candidate.end))
    target = apply_edits(parse.text, edits)
    dropped = "" if edits else "nothing to rewrite"
    return RuleResult(parse.text, target, form_of(edits), tuple(edits), tuple(doubtful), statistics, dropped)


def _context(parse: Parse, lexicon: EnglishLexicon, protected: list[tuple[int, int]], begin: int, end: int) -> Context:
    text = parse.text[begin:end]
    inside = [(max(a, begin) - begin, min(b, end) - begin) for a, b in protected if a < end and b > begin]
    return Context(parse, analyze(text, lexicon, protected=inside), begin, text)


def _settle(context: Context, candidate: Candidate) -> tuple[Edit | None, bool]:
    found = decide(context, candidate)
    if found is None:
        return None, False
    name, decision = found
    after = dict(candidate.options).get(decision.outcome)
    before = context.text[candidate.start : candidate.end]
    if after is None or decision.outcome == KEEP or after == before:
        return None, decision.doubtful
    begin = context.begin
    return Edit(begin + candidate.start, begin + candidate.end, before, after, candidate.kind, name), decision.doubtful


_MASCULINE = re.compile(r"\b(?:he|him|his|himself)\b|(?:man|men|master|masters|stewards?)\b", re.IGNORECASE)
_FEMININE = re.compile(
    r"\b(?:she|her|hers|herself)\b|(?:woman|women|lady|ladies|mistress|mistresses|esse?s?)\b", re.IGNORECASE
)


def form_of(edits: list[Edit]) -> str:
    """Return the form of a source from its pronouns and nouns: masculine, feminine or mixed."""
    words = " ".join(e.before for e in edits if e.kind in ("pronoun", "noun"))
    feminine = bool(_FEMININE.search(words))
    masculine = bool(_MASCULINE.search(re.sub(r"(?i)\bwom[ae]n|\w+wom[ae]n", "", words)))
    if feminine and masculine:
        return "mixed"
    return "feminine" if feminine else "masculine"


def _excludes_third_singular(token: Token) -> bool:
    return token.tag in _PLURAL_TAGS or token.text.lower() in _NOT_THIRD_SINGULAR


_VERBAL_ROLES = (Relation.RELATIVE_CLAUSE, Relation.COMPLEMENT, Relation.AUXILIARY, Relation.COPULA)


def is_noun_form(parse: Parse, index: int) -> bool:
    """Tell whether a word that looks like a verb form is a noun or adverb here (*his works*, *ferry times*, *always*).

    Taggers of small treebanks take unknown verbs for plural nouns, while the parser still gives them a verb's place.
    """
    token = parse[index]
    if token.tag.startswith(("VB", "MD")) or token.pos in ("VERB", "AUX"):
        return False
    if token.tag in ("RB", "IN", "CC", "PRP$", "DT", "UH"):
        return True
    if parse.tag(index - 1) in ("DT", "PRP$", "POS", "JJ", "CD") and not is_adverb(parse, index - 1):
        return True
    left = left_of(parse, index)
    if parse.lower(left) in ("he", "she", "who") and parse.tag(left)[:2] in ("PR", "WP"):
        return False
    if any(s < index for s in parse.children(index, Relation.SUBJECT)) or token.relation in _VERBAL_ROLES:
        return False
    is_verbs_conjunct = token.relation is Relation.CONJUNCT and parse[token.head].tag.startswith("VB")
    return not is_verbs_conjunct and not _continues_list(parse, index)


def _continues_list(parse: Parse, index: int) -> bool:
    """Tell whether a word stands in a list of verbs: *comes, sees, sighs* (directly after a verb in -s and a comma)."""
    left = left_of(parse, index)
    if parse.lower(left) not in (",", "and", "but", "or", "nor"):
        return False
    before = left_of(parse, left)
    return parse.tag(before) == "VBZ" or (
        before >= 0
        and to_plural(parse[before].text) is not None
        and before == index - 2
        and not is_noun_form(parse, before)
    )


# ---------------------------------------------------------------- pronouns


@rule("pronoun", "abbreviation")
def _abbreviation(context: Context, candidate: Candidate) -> Decision | None:
    """HE, HIS, SHE in capitals in a sentence that is not: an abbreviation unless it is used as a pronoun."""
    surface = context.text[candidate.start : candidate.end]
    if not surface.isupper() or len(surface) < 2 or context.is_shouting or " " in surface:
        return None
    index = context.word(candidate)
    before, after = context.parse.lower(index - 1), context.parse.tag(right_of(context.parse, index))
    emphasis = (
        surface.lower() in ("he", "she") and after in ("VBZ", "VBD", "MD") and before not in ("the", "a", "an", "in")
    )
    if emphasis and context.parse.tag(index) == "PRP":
        return Decision(CHANGE, doubtful=True)
    if surface.lower() in ("him", "himself", "herself"):
        return Decision(CHANGE)
    if surface.lower() in ("her", "his") and context.parse.tag(index).startswith("PRP"):
        return None
    return Decision(KEEP, doubtful=True)


@rule("pronoun", "name")
def _name(context: Context, candidate: Candidate) -> Decision | None:
    """He, She, Her, His with a capital within a sentence: a surname or a symbol unless it is used as a pronoun."""
    surface = context.text[candidate.start : candidate.end]
    if (
        not surface[0].isupper()
        or surface.isupper()
        or " " in surface
        or surface.lower() in ("him", "himself", "herself", "hers")
    ):
        return None
    index, parse = context.word(candidate), context.parse
    if surface == "He" and re.match(r"\s*\(g\)|,\s?(?:H|Ne|Ar|Kr|Xe|N|O)\b", context.text[candidate.end :]):
        return Decision(KEEP, doubtful=True)
    if candidate.start == 0 or context.is_title or _begins(context, candidate):
        return None
    if index and parse[index - 1].text[:1].isupper() and parse.tag(index - 1).startswith("NNP"):
        return Decision(KEEP, doubtful=True)
    if parse.tag(index + 1).startswith("NNP") and surface in ("He", "She"):
        return Decision(KEEP, doubtful=True)
    if surface.lower() in ("he", "she"):
        used = parse.tag(right_of(parse, index)) in ("VBZ", "VBD", "MD") and parse.lower(index - 1) not in (
            "the",
            "liquid",
        )
        return None if used and parse.tag(index) == "PRP" else Decision(KEEP, doubtful=True)
    return None if parse.tag(index).startswith("PRP") else Decision(KEEP, doubtful=True)


def _begins(context: Context, candidate: Candidate) -> bool:
    """Tell whether a candidate stands behind what may open a sentence within a sentence: a quote, a dash, a colon."""
    before = context.text[: candidate.start].rstrip()
    return not before or before[-1] in "\"'“‘«([{*_:;-–—>.!?…•|" or not re.search(r"[A-Za-z]", before)


@rule("pronoun", "mention")
def _mention(context: Context, candidate: Candidate) -> Decision | None:
    """A quoted word that is talked about, not used: the word "he"."""
    start, end = candidate.start, candidate.end
    if not (start and context.text[start - 1] in "\"“‘'" and context.text[end : end + 1] in ('"', "”", "’", "'")):
        return None
    words = set(re.findall(r"[\w-]+", context.text.lower()))
    return Decision(KEEP, doubtful=True) if _LINGUISTIC & words else None


_LINGUISTIC = frozenset(
    """word words adverb article pronoun pronouns phrase means meaning term suffix prefix spelling rhymes danish german
    norwegian swedish turkish latin maori hawaiian dutch faroese hebrew welsh""".split()
)


@rule("pronoun", "table cell")
def _table_cell(context: Context, candidate: Candidate) -> Decision | None:
    """A capitalised word alone between pipes."""
    before, after = context.text[: candidate.start].rstrip(), context.text[candidate.end :].lstrip()
    is_cell = before.endswith("|") and after.startswith("|")
    return Decision(KEEP) if is_cell and context.text[candidate.start].isupper() else None


@rule("pronoun", "forced")
def _forced(context: Context, candidate: Candidate) -> Decision | None:
    """What has one reading only: lower-case he, him, hers, double forms."""
    return None if candidate.forced is None else Decision(candidate.forced)


@rule("pronoun", "plain")
def _plain(context: Context, candidate: Candidate) -> Decision | None:
    """A pronoun with one fair form."""
    return Decision(CHANGE) if len(candidate.options) == 2 else None


#: what begins the rest of a noun phrase after a possessive
_PHRASE_TAGS = ("NN", "JJ", "CD", "VBG", "VBN")
#: after an object pronoun, never after a possessive
_OBJECT_FOLLOWERS = frozenset(
    """the a an this that these those my your our their his its some any no every each in on at to from with by for
    of into onto as than and or but if when while because until after before about again back away up down off
    out there here home now then today yesterday tomorrow tonight anymore anything something nothing everything
    how what who where why not so too is was has he she they we you i it
    awake alone alive asleep afraid aware able unable somewhere anywhere everywhere meanwhile""".split()
)
_DITRANSITIVE = frozenset(
    """give offer send show teach tell wish owe cost buy bring lend hand pay pass promise read sell serve write
    throw get grant deny make find call name ask earn win allow afford bid fetch leave save spare guarantee deal
    award assign""".split()
)


@rule("pronoun", "her before what no possessive precedes")
def _her_surface(context: Context, candidate: Candidate) -> Decision | None:
    """*her* at an end, before punctuation, determiners, prepositions, pronouns: an object."""
    if not _is(context, candidate, "her"):
        return None
    index, parse = context.word(candidate), context.parse
    following = parse.lower(index + 1)
    if not following or parse.tag(index + 1) in (".", ",", ":", "''", "-RRB-", "HYPH", "MD", "WDT", "POS"):
        return Decision(OBJECT) if not _opens_phrase(parse, index + 1) else None
    if re.match(r"[*_]+(?:[^\w\s]|\s*$)", context.text[candidate.end :]):
        return Decision(OBJECT)
    if following in (
        "back",
        "home",
        "no",
        "that",
        "up",
        "down",
        "off",
        "out",
        "in",
        "on",
        "about",
        "past",
        "like",
        "one",
    ):
        # her back, her home, her "no": words with a noun reading need the tag
        return None
    return Decision(OBJECT) if following in _OBJECT_FOLLOWERS else None


def _opens_phrase(parse: Parse, index: int) -> bool:
    """Tell whether an opening quote, dash or bracket leads on to a noun (*her "friend"*)."""
    return parse.lower(index) in ('"', "“", "‘", "``", "*", "_", "(") and parse.tag(index + 1)[:2] in ("NN", "JJ", "VB")


_CAUSATIVE = frozenset(
    "make made makes making let lets hear heard hears see saw seen watch watched help helped helps feel felt".split()
)
#: verbs that take a person and a bare noun; with the second set only some nouns
_TAKES_PERSON = frozenset(
    "owe owes owed wish wishes wished wishing cost costs teach teaches taught deny denied grant granted".split()
)
_GIVES = frozenset(
    "give gives gave given giving offer offers offered buy buys bought bring brings brought call calls called send sent "
    "lend lent hand handed show showed pay paid".split()
)
_GIVEN = frozenset("money food luck water permission access time credit advice information flowers names hope".split())


@rule("pronoun", "her with a verb that takes a person")
def _her_person(context: Context, candidate: Candidate) -> Decision | None:
    """*heard her sing*, *owes her money*, *gave her food*: an object although a noun could follow."""
    if not _is(context, candidate, "her"):
        return None
    index, parse = context.word(candidate), context.parse
    before, following = parse.lower(index - 1), parse.lower(index + 1)
    if before in _CAUSATIVE and parse.tag(index + 1) == "VB":
        return Decision(OBJECT)
    bare = parse.tag(index + 1) in ("NN", "NNS", "CD", "NNP")
    if bare and (before in _TAKES_PERSON or (before in _GIVES and following in _GIVEN)):
        return Decision(OBJECT, doubtful=True)
    return None


_SUBORDINATORS = frozenset("although because if while when that since as though whether whereas".split())


@rule("pronoun", "her behind a subordinator")
def _her_subject_phrase(context: Context, candidate: Candidate) -> Decision | None:
    """*although her looks deceive*: where a clause begins no object can stand."""
    if not _is(context, candidate, "her"):
        return None
    index, parse = context.word(candidate), context.parse
    begins = parse.lower(index - 1) in _SUBORDINATORS and parse.tag(index + 1).startswith(("NN", "JJ", "VB"))
    return Decision(POSSESSIVE, doubtful=parse.tag(index) != "PRP$") if begins else None


@rule("pronoun", "her at the beginning")
def _her_first(context: Context, candidate: Candidate) -> Decision | None:
    """*Her* with a capital at the beginning, with more behind it: a possessive."""
    if not _is(context, candidate, "her") or candidate.start or context.is_title and context.word(candidate) < 0:
        return None
    return Decision(POSSESSIVE, doubtful=context.parse.tag(context.word(candidate)) != "PRP$")


@rule("pronoun", "her by parse")
def _her_parsed(context: Context, candidate: Candidate) -> Decision | None:
    """*her* by tag and relation; doubtful where they contradict each other or what follows fits neither."""
    if not _is(context, candidate, "her"):
        return None
    index, parse = context.word(candidate), context.parse
    tag, relation = parse.tag(index), parse[index].relation
    phrase = parse.tag(index + 1).startswith(("NN", "JJ", "CD")) or parse.lower(index + 1) in ("own", "very")
    if tag == "PRP$" or (tag != "PRP" and relation is Relation.POSSESSIVE):
        return Decision(POSSESSIVE, doubtful=_is_doubtful_possessive(parse, index))
    if relation is Relation.POSSESSIVE and phrase:
        return Decision(POSSESSIVE, doubtful=True)
    return Decision(OBJECT, doubtful=relation is Relation.POSSESSIVE or phrase)


def _is_doubtful_possessive(parse: Parse, index: int) -> bool:
    if parse[index].relation is not Relation.POSSESSIVE:
        return True
    head = parse[index].head
    # gave her food: the noun is an object beside no other object of a verb that takes two
    verb = parse[head].head
    bare = not any(parse.tag(i).startswith(("JJ", "PRP$")) for i in range(index + 1, head))
    is_ditransitive = parse[verb].lemma.lower() in _DITRANSITIVE and verb == index - 1
    return is_ditransitive and bare and parse[head].relation is Relation.OBJECT


@rule("pronoun", "friend of his")
def _double_genitive(context: Context, candidate: Candidate) -> Decision | None:
    """*a cousin of his runs the ferry*: after an indefinite noun and *of*, before a verb in -s."""
    if not _is(context, candidate, "his"):
        return None
    index, parse = context.word(candidate), context.parse
    if parse.lower(index - 1) != "of":
        return None
    nearby = {parse.lower(i) for i in range(max(0, index - 5), index - 1)}
    indefinite = bool(nearby & {"a", "an", "this", "that", "these", "those", "some", "any", "no", "friend", "friends"})
    verb = index + 1 < len(parse) and to_plural(parse[index + 1].text) is not None
    if indefinite and verb and parse.tag(index + 2) in ("DT", "PRP", "PRP$", "IN", "RB", "VBG", "VBN", "TO"):
        return Decision(STANDALONE, doubtful=True)
    return None


@rule("pronoun", "his alone")
def _his_alone(context: Context, candidate: Candidate) -> Decision | None:
    """*his* without a noun: at an end, before a preposition or a finite verb."""
    if not _is(context, candidate, "his"):
        return None
    index, parse = context.word(candidate), context.parse
    following, tag = parse.lower(index + 1), parse.tag(index + 1)
    if _opens_phrase(parse, index + 1):
        return None
    ends = not following or tag in (
        ".",
        ",",
        ":",
        "''",
        "-RRB-",
        "MD",
        "VBZ",
        "VBD",
        "VBP",
        "CC",
        "IN",
        "TO",
        "WDT",
        "WP",
        "DT",
    )
    if not ends or (parse[index].relation is Relation.POSSESSIVE and tag not in (".", "")):
        return None
    if following in ("-", "–", "—", "/", "...", "…", "(", "[", "and", "or", "&"):
        return Decision(STANDALONE, doubtful=True)
    return Decision(
        STANDALONE, doubtful=tag in ("VBD", "VBZ", "VBP", "IN") and parse[index].relation is Relation.POSSESSIVE
    )


@rule("pronoun", "his before a noun")
def _his_possessive(context: Context, candidate: Candidate) -> Decision | None:
    """*his* in every other place."""
    if not _is(context, candidate, "his"):
        return None
    index, parse = context.word(candidate), context.parse
    odd = not parse.tag(index + 1).startswith((*_PHRASE_TAGS, "RB", "``", "VB", "PDT", "HYPH"))
    return Decision(POSSESSIVE, doubtful=odd)


def _is(context: Context, candidate: Candidate, word: str) -> bool:
    return len(candidate.options) == 3 and context.text[candidate.start : candidate.end].lower() == word


# ---------------------------------------------------------------- contractions

#: participles that almost always belong to *has* after he's, although they could be adjectives
_HAS_PARTICIPLES = frozenset(
    ["been", "had", "got", "gone", "become", "gotten", "come", "begun", "grown", "won", "lost", "seen"]
)
#: participles and adjectives that almost always belong to *is*
_IS_WORDS = frozenset(
    """done married divorced retired supposed tired bored scared worried excited interested known called named born
    based obsessed convinced allowed dressed stuck fed used prepared engaged related involved concerned confused
    pissed screwed doomed blessed gifted talented""".split()
)
_STATES = frozenset("""VBG JJ JJR JJS DT IN NN NNP NNS PRP$ TO CD WP WRB RP EX""".split())


@rule("contraction", "pronoun stays")
def _pronoun_stays(context: Context, candidate: Candidate) -> Decision | None:
    """A clitic whose pronoun stays, stays."""
    index = context.word(candidate)
    return Decision(KEEP) if index - 1 not in context.pronouns else None


@rule("contraction", "'s with a participle")
def _clitic_participle(context: Context, candidate: Candidate) -> Decision | None:
    """*'s* before a past participle: has, unless the parse sees a passive."""
    index, parse = context.word(candidate), context.parse
    following = right_of(parse, index)
    word, tag = parse.lower(following), parse.tag(following)
    if word in ("been", "had", "got", "gotten"):
        return Decision(HAS)
    if word in _IS_WORDS:
        return Decision(IS, doubtful=parse[index].lemma == "have")
    if tag not in ("VBN", "VBD"):
        return None
    if word in _HAS_PARTICIPLES:
        return Decision(HAS, doubtful=word in ("gone", "lost") and parse[index].relation is Relation.COPULA)
    if parse.tag(following + 1) in ("DT", "PRP", "PRP$") and word not in _DOUBLE_OBJECT:
        # a passive has no object behind it
        return Decision(HAS)
    has = parse[index].lemma == "have" or parse[index].relation is Relation.AUXILIARY
    by_object = bool(parse.objects(following)) or any(
        c.relation is Relation.COMPLEMENT for c in _children(parse, following)
    )
    if by_object:
        return Decision(HAS, doubtful=not has)
    is_passive = parse[index].relation in (Relation.PASSIVE_AUXILIARY, Relation.COPULA)
    return Decision(IS if is_passive else HAS if has else IS, doubtful=True)


#: participles whose passive may have a noun phrase behind it: he's called the boss, she's given a chance
_DOUBLE_OBJECT = frozenset(
    """called named elected given paid told taught shown offered sent asked awarded appointed dubbed considered made
    granted denied handed promised""".split()
)


def _children(parse: Parse, index: int) -> list[Token]:
    return [parse[i] for i in parse.children(index)]


@rule("contraction", "'s with a state")
def _clitic_state(context: Context, candidate: Candidate) -> Decision | None:
    """*'s* before anything else: is."""
    index, parse = context.word(candidate), context.parse
    following = right_of(parse, index)
    if parse.lower(following) == "better" and parse.tag(following + 1) == "VB":
        return Decision(HAS, doubtful=True)
    return Decision(IS, doubtful=parse[index].lemma == "have" and parse.tag(following) not in _STATES)


# ---------------------------------------------------------------- verbs


@rule("verb", "noun in -s")
def _noun_in_s(context: Context, candidate: Candidate) -> Decision | None:
    """Words in -s that are no verbs here."""
    index = context.word(candidate)
    if index < 0:
        return Decision(KEEP, doubtful=True)
    if not is_noun_form(context.parse, index):
        return None
    before = context.parse.lower(left_of(context.parse, index))
    return Decision(KEEP, doubtful=bool(context.pronouns) and before in (*COORDINATORS, ",", "n"))


def _agreement_rule(name: str) -> Rule:
    def apply(context: Context, candidate: Candidate) -> Decision | None:
        agreement = context.agreements.get(context.word(candidate))
        if agreement is None or agreement.rule != name:
            return None
        return Decision(CHANGE, doubtful=agreement.doubtful)

    return apply


for _name_of_rule, _evidence in (
    ("verb beside its pronoun", "adjacent"),
    ("verb before its pronoun", "inverted"),
    ("verb of a relative clause", "relative"),
    ("verb after a parenthesis", "parenthesis"),
    ("verb by parse", "parse"),
    ("coordinated verb", "coordinated"),
):
    rule("verb", _name_of_rule)(_agreement_rule(_evidence))


@rule("verb", "verb of another subject")
def _other_subject(context: Context, candidate: Candidate) -> Decision | None:
    """Every other third-person form stays; doubtful where the parse shows no subject for it."""
    index, parse = context.word(candidate), context.parse
    subject = parse.subject_of(index)
    unclear = subject is None or _excludes_third_singular(parse[subject])
    is_misled = subject in context.pronouns
    near = any(0 < index - p < 15 for p in context.pronouns)
    return Decision(KEEP, doubtful=(unclear and near) or is_misled)


# ---------------------------------------------------------------- nouns


@rule("noun", "surname")
def _surname(context: Context, candidate: Candidate) -> Decision | None:
    """A noun of the table as a surname: after a given name or a title."""
    offset = context.begin + candidate.start
    surface = context.text[candidate.start : candidate.end]
    if not surface[0].isupper() or context.is_shouting or context.is_title:
        return None
    index, parse = context.parse.at(offset), context.parse
    if not index or candidate.start == 0:
        return None
    previous = parse[index - 1]
    is_name = previous.tag == "NNP" and previous.text[:1].isupper() and previous.text.isalpha()
    is_title = previous.text.rstrip(".").lower() in _TITLES
    return Decision(KEEP, doubtful=True) if is_name or is_title else None


_TITLES = frozenset("""mr mrs ms miss dr prof professor judge sir lady lord saint st senator""".split())


@rule("noun", "verb reading")
def _noun_as_verb(context: Context, candidate: Candidate) -> Decision | None:
    """*steward* as a verb stays."""
    surface = context.text[candidate.start : candidate.end].lower()
    if surface not in ("steward", "stewards"):
        return None
    index = context.word(candidate)
    tag, before = context.parse.tag(index), context.parse.lower(index - 1)
    if context.parse.lower(index + 1) in ("of", "the"):
        # stewards of public money serve no drinks; "steward the forest" is a verb
        return Decision(KEEP, doubtful=True)
    if before in ("to", "must", "can", "will", "should", "who", "may"):
        return Decision(KEEP)
    return Decision(KEEP, doubtful=True) if tag.startswith("VB") else None


@rule("noun", "noun of the table")
def _noun(context: Context, candidate: Candidate) -> Decision | None:
    """Every other noun of the table changes, its article with it."""
    return Decision(CHANGE)
