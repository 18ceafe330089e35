"""Our small view of a dependency parse, and adapters from the label schemes that pipelines use.

Augmentation rules read :class:`Parse` only. Universal Dependencies (pipelines trained from UD treebanks, such as ours)
and the CLEAR labels of spaCy's ``en_core_web_*`` name and attach things differently; the queries here give the same
answers for both, because they ask for grammar ("which word is the subject of this verb form?"), not for labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from rewriter.errors import ParserError
from rewriter.installation.extras import require
from rewriter.registry import Registry

__all__ = ["Parse", "Parser", "Relation", "Token", "load_parser"]


class Relation(StrEnum):
    """The closed set of relations between a word and its head."""

    ROOT = "root"
    SUBJECT = "subject"
    EXPLETIVE = "expletive"
    OBJECT = "object"
    INDIRECT_OBJECT = "indirect_object"
    OBLIQUE = "oblique"
    POSSESSIVE = "possessive"
    DETERMINER = "determiner"
    MODIFIER = "modifier"
    ADVERB = "adverb"
    CONJUNCT = "conjunct"
    COORDINATOR = "coordinator"
    RELATIVE_CLAUSE = "relative_clause"
    COMPLEMENT = "complement"
    OPEN_COMPLEMENT = "open_complement"
    CLAUSE = "clause"
    AUXILIARY = "auxiliary"
    PASSIVE_AUXILIARY = "passive_auxiliary"
    COPULA = "copula"
    ATTRIBUTE = "attribute"
    PREPOSITION = "preposition"
    MARK = "mark"
    APPOSITION = "apposition"
    PUNCTUATION = "punctuation"
    OTHER = "other"


#: the relations of words that carry the inflection of a predicate they depend on
VERBAL_HELPERS = frozenset({Relation.AUXILIARY, Relation.PASSIVE_AUXILIARY, Relation.COPULA})

SCHEMES: Registry[dict[str, Relation]] = Registry("label scheme")
_ADD_UD = SCHEMES.register("universal-dependencies")
_ADD_CLEAR = SCHEMES.register("clear")

#: labels that every parser of the scheme has; what tells the schemes apart
SIGNATURES: dict[str, frozenset[str]] = {
    "universal-dependencies": frozenset({"nsubj", "obj", "obl", "case", "cop", "conj"}),
    "clear": frozenset({"nsubj", "dobj", "pobj", "prep", "attr", "conj"}),
}

#: subtypes fall back to the part before the colon
UNIVERSAL_DEPENDENCIES = _ADD_UD(
    {
        "ROOT": Relation.ROOT,
        "root": Relation.ROOT,
        "nsubj": Relation.SUBJECT,
        "csubj": Relation.SUBJECT,
        "expl": Relation.EXPLETIVE,
        "obj": Relation.OBJECT,
        "iobj": Relation.INDIRECT_OBJECT,
        "obl": Relation.OBLIQUE,
        "nmod": Relation.OBLIQUE,
        "nmod:poss": Relation.POSSESSIVE,
        "det:poss": Relation.POSSESSIVE,
        "det": Relation.DETERMINER,
        "amod": Relation.MODIFIER,
        "nummod": Relation.MODIFIER,
        "compound": Relation.MODIFIER,
        "flat": Relation.MODIFIER,
        "advmod": Relation.ADVERB,
        "conj": Relation.CONJUNCT,
        "cc": Relation.COORDINATOR,
        "acl:relcl": Relation.RELATIVE_CLAUSE,
        "ccomp": Relation.COMPLEMENT,
        "xcomp": Relation.OPEN_COMPLEMENT,
        "acl": Relation.CLAUSE,
        "advcl": Relation.CLAUSE,
        "advcl:relcl": Relation.CLAUSE,
        "parataxis": Relation.CLAUSE,
        "aux": Relation.AUXILIARY,
        "aux:pass": Relation.PASSIVE_AUXILIARY,
        "cop": Relation.COPULA,
        "case": Relation.PREPOSITION,
        "mark": Relation.MARK,
        "appos": Relation.APPOSITION,
        "punct": Relation.PUNCTUATION,
    }
)

CLEAR = _ADD_CLEAR(
    {
        "ROOT": Relation.ROOT,
        "nsubj": Relation.SUBJECT,
        "nsubjpass": Relation.SUBJECT,
        "csubj": Relation.SUBJECT,
        "csubjpass": Relation.SUBJECT,
        "expl": Relation.EXPLETIVE,
        "dobj": Relation.OBJECT,
        "dative": Relation.INDIRECT_OBJECT,
        "pobj": Relation.OBLIQUE,
        "npadvmod": Relation.OBLIQUE,
        "poss": Relation.POSSESSIVE,
        "det": Relation.DETERMINER,
        "predet": Relation.DETERMINER,
        "amod": Relation.MODIFIER,
        "nummod": Relation.MODIFIER,
        "compound": Relation.MODIFIER,
        "nmod": Relation.MODIFIER,
        "quantmod": Relation.MODIFIER,
        "advmod": Relation.ADVERB,
        "neg": Relation.ADVERB,
        "conj": Relation.CONJUNCT,
        "cc": Relation.COORDINATOR,
        "preconj": Relation.COORDINATOR,
        "relcl": Relation.RELATIVE_CLAUSE,
        "ccomp": Relation.COMPLEMENT,
        "xcomp": Relation.OPEN_COMPLEMENT,
        "acl": Relation.CLAUSE,
        "advcl": Relation.CLAUSE,
        "parataxis": Relation.CLAUSE,
        "aux": Relation.AUXILIARY,
        "auxpass": Relation.PASSIVE_AUXILIARY,
        "attr": Relation.ATTRIBUTE,
        "acomp": Relation.ATTRIBUTE,
        "prep": Relation.PREPOSITION,
        "agent": Relation.PREPOSITION,
        "mark": Relation.MARK,
        "appos": Relation.APPOSITION,
        "punct": Relation.PUNCTUATION,
    }
)


def adapt(label: str, scheme: str) -> Relation:
    """Return the relation for a label (``nsubj:pass``) of a scheme; unknown labels become ``other``.

    Raises:
        UsageError: the scheme is unknown.
    """
    table = SCHEMES.get(scheme)
    return table.get(label) or table.get(label.partition(":")[0]) or Relation.OTHER


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a parse.

    Attributes:
        index: position in the parse.
        text: the word as it stands.
        lemma: its dictionary form.
        tag: fine part of speech (Penn Treebank for English: VBZ, PRP$).
        pos: universal part of speech.
        start: offset of its first character in the text.
        end: offset behind its last character.
        head: index of its head; its own index for a root.
        relation: what it is to its head.
        label: the relation in the words of the label scheme.
        features: inflection, as in Universal Dependencies (``Case=Nom|Number=Sing``); empty where nothing gives it.
    """

    index: int
    text: str
    lemma: str
    tag: str
    pos: str
    start: int
    end: int
    head: int
    relation: Relation
    label: str = ""
    features: str = ""

    def feature(self, name: str) -> str:
        """Return the value of a feature, empty where there is none."""
        return next((part[len(name) + 1 :] for part in self.features.split("|") if part.startswith(f"{name}=")), "")


@dataclass(frozen=True)
class Parse:
    """A text and its words; offsets count characters of ``text``."""

    text: str
    tokens: tuple[Token, ...]
    _children: tuple[tuple[int, ...], ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        children: list[list[int]] = [[] for _ in self.tokens]
        for token in self.tokens:
            if token.head != token.index:
                children[token.head].append(token.index)
        object.__setattr__(self, "_children", tuple(tuple(c) for c in children))

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, index: int) -> Token:
        return self.tokens[index]

    def lower(self, index: int) -> str:
        """Return the word at ``index`` in lower case with straight apostrophes; empty outside the text."""
        return self.tokens[index].text.lower().replace("’", "'") if 0 <= index < len(self.tokens) else ""

    def tag(self, index: int) -> str:
        """Return the tag at ``index``; empty outside the text."""
        return self.tokens[index].tag if 0 <= index < len(self.tokens) else ""

    def children(self, index: int, *relations: Relation) -> list[int]:
        """Return the dependents of a word in order, those of the given relations only where any are given."""
        found = self._children[index]
        return [i for i in found if not relations or self.tokens[i].relation in relations]

    def subjects(self, verb: int) -> list[int]:
        """Return the words that stand as subject directly under ``verb`` (or under its predicate)."""
        return self.children(self.predicate(verb), Relation.SUBJECT, Relation.EXPLETIVE)

    def objects(self, verb: int) -> list[int]:
        """Return direct and indirect objects of ``verb``."""
        return self.children(verb, Relation.OBJECT, Relation.INDIRECT_OBJECT)

    def possessives(self, noun: int) -> list[int]:
        """Return the possessors of ``noun`` (their, Anna's)."""
        return self.children(noun, Relation.POSSESSIVE)

    def auxiliaries(self, predicate: int) -> list[int]:
        """Return auxiliaries and copulas of ``predicate`` in order."""
        return self.children(predicate, *VERBAL_HELPERS)

    def copulas(self, predicate: int) -> list[int]:
        """Return the forms of *be* that link ``predicate`` to its subject.

        In Universal Dependencies they depend on the predicate; in CLEAR they are its head.
        """
        token = self.tokens[predicate]
        above = [token.head] if token.relation is Relation.ATTRIBUTE else []
        return self.children(predicate, Relation.COPULA) or above

    def relative_clauses(self, noun: int) -> list[int]:
        """Return the predicates of the relative clauses of ``noun``."""
        return self.children(noun, Relation.RELATIVE_CLAUSE)

    def conjuncts(self, index: int) -> list[int]:
        """Return everything coordinated after ``index``, however a scheme chains it, in order."""
        found: list[int] = []
        for child in self.children(index, Relation.CONJUNCT):
            found += [child, *self.conjuncts(child)]
        return sorted(found)

    def predicate(self, verb: int) -> int:
        """Return the word that ``verb`` helps (*is* -> *driving*), or itself where it helps none."""
        for _ in self.tokens:
            token = self.tokens[verb]
            above = self.tokens[token.head]
            coordinated_helper = token.relation is Relation.CONJUNCT and above.relation in VERBAL_HELPERS
            if token.relation not in VERBAL_HELPERS and not coordinated_helper:
                break
            verb = token.head
        return verb

    def finite_word(self, predicate: int) -> int:
        """Return the word that carries person and number of ``predicate``: its first helper, or itself."""
        helpers = self.auxiliaries(predicate)
        return helpers[0] if helpers else predicate

    def subject_of(self, verb: int) -> int | None:
        """Return the word that the finite form ``verb`` agrees with, as far as the parse tells.

        Looks through auxiliaries and copulas to the predicate, through coordination to the first conjunct's subject,
        and through relative pronouns to their antecedent. Returns None where the clause shows no subject.
        """
        predicate = self.predicate(verb)
        for _ in self.tokens:
            subject = self._nearest(verb, self.children(predicate, Relation.SUBJECT, Relation.EXPLETIVE))
            if subject is not None:
                return self._antecedent(subject, predicate)
            token = self.tokens[predicate]
            if token.relation is not Relation.CONJUNCT or token.head == predicate:
                return None
            predicate = self.predicate(token.head)
        return None

    def _nearest(self, verb: int, subjects: Sequence[int]) -> int | None:
        if not subjects:
            return None
        # a subject stands before its verb unless the clause is inverted
        return min(subjects, key=lambda s: (s > verb, abs(verb - s)))

    def _antecedent(self, subject: int, predicate: int) -> int:
        if self.lower(subject) not in ("who", "that", "which", "whoever"):
            return subject
        clause = predicate
        while self.tokens[clause].relation is Relation.CONJUNCT and self.tokens[clause].head != clause:
            clause = self.tokens[clause].head
        token = self.tokens[clause]
        return token.head if token.relation is Relation.RELATIVE_CLAUSE else subject

    def verbs_of(self, subject: int) -> list[int]:
        """Return every word whose clause has ``subject`` as its subject, coordinated and relative clauses included."""
        return [t.index for t in self.tokens if self._is_verbal(t) and self.subject_of(t.index) == subject]

    def _is_verbal(self, token: Token) -> bool:
        return token.tag.startswith(("VB", "MD")) or token.relation in VERBAL_HELPERS

    def at(self, start: int) -> int | None:
        """Return the word that holds the character at offset ``start``."""
        low, high = 0, len(self.tokens)
        while low < high:
            middle = (low + high) // 2
            if self.tokens[middle].end <= start:
                low = middle + 1
            else:
                high = middle
        found = low < len(self.tokens) and self.tokens[low].start <= start
        return low if found else None


def detect_scheme(labels: Iterable[str]) -> str | None:
    """Return the name of the scheme to which a parser's labels belong, or None."""
    known = set(labels)
    return next((name for name, signature in SIGNATURES.items() if signature <= known), None)


def from_doc(doc: Any, scheme: str) -> Parse:
    """Make our view of a spaCy ``Doc`` (or of a ``Span``, with offsets from the span's beginning).

    Args:
        doc: a parsed document.
        scheme: name of its label scheme.
    """
    words = [t for t in doc if not t.is_space]
    begin = doc[0].idx if len(doc) and hasattr(doc, "start_char") else 0
    position = {t.i: index for index, t in enumerate(words)}
    tokens = tuple(
        Token(
            index=index,
            text=t.text,
            lemma=t.lemma_,
            tag=t.tag_,
            pos=t.pos_,
            start=t.idx - begin,
            end=t.idx - begin + len(t.text),
            head=position.get(t.head.i, index),
            relation=Relation.ROOT if position.get(t.head.i, index) == index else adapt(t.dep_, scheme),
            label=t.dep_,
            features=str(t.morph),
        )
        for index, t in enumerate(words)
    )
    return Parse(doc.text, tokens)


#: what a parser trained on plain sentences stumbles over: tags, emphasis marks around words, curly apostrophes in words
_MARKUP = re.compile(r"</?[A-Za-z][^<>\n]*>|(?<![\w*_])[*_]{1,3}(?=\w)|(?<=\w)[*_]{1,3}(?![\w*_])")
_APOSTROPHE = re.compile(r"(?<=\w)’(?=\w)")


def mask_markup(text: str) -> str:
    """Return ``text`` with markup turned to spaces and curly apostrophes straight; every offset stays the same."""
    text = _MARKUP.sub(lambda m: " " * len(m.group()), text)
    return _APOSTROPHE.sub("'", text)


class Parser:
    """A loaded pipeline whose label scheme is known."""

    def __init__(self, pipeline: Any, scheme: str, name: str) -> None:
        self.pipeline = pipeline
        self.scheme = scheme
        self.name = name

    def parse(self, text: str) -> Parse:
        """Parse one text."""
        return self._view(text, self.pipeline(mask_markup(text)))

    def parse_all(self, texts: Iterable[str], *, batch_size: int = 128) -> Iterator[Parse]:
        """Parse many texts, in order, as a stream."""
        pairs = ((mask_markup(text), text) for text in texts)
        for doc, text in self.pipeline.pipe(pairs, as_tuples=True, batch_size=batch_size):
            yield self._view(text, doc)

    def _view(self, text: str, doc: Any) -> Parse:
        """Return the parse with the words as they stand in ``text``, not as the parser saw them."""
        tokens = from_doc(doc, self.scheme).tokens
        return Parse(text, tuple(replace(t, text=text[t.start : t.end]) for t in tokens))


#: components that the rules do not read
_UNUSED = ("ner", "senter", "textcat", "entity_linker", "spancat")


def load_parser(name_or_path: str | Path) -> Parser:
    """Load a spaCy pipeline by installed name or folder.

    Args:
        name_or_path: ``en_core_web_sm``, the folder of a pipeline, or the output of ``gender-fair train parser``.

    Raises:
        ParserError: there is no such pipeline or it cannot be loaded, no component of it gives tags, lemmas or a
            dependency parse, or its labels fit no scheme that the rules know.
        MissingExtraError: spaCy is not installed.
    """
    spacy = require("spacy", extra="spacy")
    path = Path(name_or_path) / "pipeline"
    try:
        pipeline = spacy.load(path if path.is_dir() else name_or_path, exclude=list(_UNUSED))
    except OSError:
        raise ParserError(
            f"there is no spaCy pipeline '{name_or_path}': pass --parser with the name of an installed one "
            "(en_core_web_sm) or a folder that 'gender-fair train parser' made"
        ) from None
    except Exception as error:  # a package of somebody else, another version of spaCy: ValueError, ImportError ...
        raise ParserError(f"the spaCy pipeline '{name_or_path}' cannot be loaded: {_first_line(error)}") from None
    return wrap_pipeline(pipeline, str(name_or_path))


#: what the rules read of a word, and what the component that gives it is usually called
_NEEDED = {"token.tag": "tagger", "token.lemma": "lemmatizer", "token.dep": "parser"}


def wrap_pipeline(pipeline: Any, name: str) -> Parser:
    """Check what a loaded pipeline gives, and its labels.

    Components are known by what they say that they assign, not by their names, so a pipeline with a parser of its own
    is as good as one of spaCy's.

    Raises:
        ParserError: nothing gives tags, lemmas or dependencies, or the labels fit no scheme.
    """
    missing = [part for attribute, part in _NEEDED.items() if not _giving(pipeline, attribute)]
    if missing:
        raise ParserError(
            f"the pipeline '{name}' has no {' and no '.join(missing)}: the rules read tags, lemmas and dependencies; "
            f"it has {', '.join(pipeline.pipe_names) or 'no components'}"
        )
    labels = {
        label for part in _giving(pipeline, "token.dep") for label in getattr(pipeline.get_pipe(part), "labels", ())
    }
    scheme = detect_scheme(labels)
    if scheme is None:
        raise ParserError(
            f"the dependency labels of the pipeline '{name}' fit none of {', '.join(SIGNATURES)} "
            f"(it has {', '.join(sorted(labels)[:12]) or 'none'} ...); pass another pipeline"
        )
    return Parser(pipeline, scheme, name)


def _giving(pipeline: Any, attribute: str) -> list[str]:
    """Return the components that assign an attribute of words."""
    return [part for part in pipeline.pipe_names if attribute in pipeline.get_pipe_meta(part).assigns]


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
