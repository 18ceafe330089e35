"""Whether an identifier in a context tells the category of a neutral word there: three methods (Becker 2022, 3.2).

*word existing*: it is there. *dependency*: the shortest path through the dependency tree from it to the neutral word is
one of the allowed. *similarity*: a made sentence ("she is a nurse") is similar enough to the context, by word vectors.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from augment.balance.forms import Forms, Found, Hits
from augment.balance.metadata import DependencyPath, Metadata
from augment.dependency import Parser, mask_markup
from lexicons.loader import read_table
from rewriter.errors import InputError, RecipeError, UsageError
from rewriter.io.files import read_lines

#: term's number -> count of each category
Counts = dict[int, list[int]]

_CAPITALISED = re.compile(r"(?<![\w'’-])[^\W\d_a-z][^\W\d_]+(?![\w-])")
_BEGINS = re.compile(r"(?:^|[.!?:…]\s*|[\"“„'‘(\[])$")


class Judge(Protocol):
    """Counts identifiers for the neutral words of contexts."""

    def count(self, contexts: Sequence[str], hits: Sequence[Hits]) -> list[Counts]:
        """Return for each context, given what it holds, what to add to the counts of its terms."""
        ...


@dataclass(frozen=True)
class WordExisting:
    """Every identifier in the context counts for every neutral word there.

    Attributes:
        names: counts given names too; None leaves names alone.
    """

    names: NameTable | None = None

    def count(self, contexts: Sequence[str], hits: Sequence[Hits]) -> list[Counts]:
        """Return the identifiers of each context for each of its terms."""
        found = []
        for context, hit in zip(contexts, hits, strict=True):
            identifiers = hit.identifiers
            if self.names is not None and hit.neutral:
                identifiers = [a + b for a, b in zip(identifiers, self.names.count(context), strict=True)]
            found.append({term: list(identifiers) for term in hit.neutral} if any(identifiers) else {})
        return found


class NameTable:
    """Given names that tell a category, by table; no model decides.

    A name counts where it is capitalised. One that is a common word or a month, too ("Mark", "Will", "May", "April",
    "Grace"), does not count at all, or with ``words`` where it begins no sentence: no model tells whether a person is
    meant.

    Args:
        categories: names of the metadata's categories; must be ``female`` and ``male`` in any order.
        certain: share of the bearers of a name that must be of one gender.
        words: names that are words, too, count where they begin no sentence.

    Raises:
        UsageError: the categories are others; the shipped table knows these two.
    """

    def __init__(self, categories: Sequence[str], certain: float = 0.95, *, words: bool = False) -> None:
        if sorted(categories) != ["female", "male"]:
            raise UsageError(
                "given names are known for the categories 'female' and 'male' only, and the metadata has "
                f"{', '.join(map(repr, categories))}; leave --names out"
            )
        self.categories = tuple(categories)
        self._common = _common()
        table = _names(self.categories, certain)
        self._table = table if words else {name: n for name, n in table.items() if name not in self._common}

    def places(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield start, end and category of every name in ``text``."""
        for match in _CAPITALISED.finditer(text):
            word = match[0].lower()
            category = self._table.get(word)
            if category is None:
                continue
            if word in self._common and _BEGINS.search(text[max(0, match.start() - 4) : match.start()]):
                continue
            yield match.start(), match.end(), category

    def count(self, text: str) -> list[int]:
        """Return how many names of each category ``text`` holds."""
        counts = Counter(category for _, _, category in self.places(text))
        return [counts[number] for number in range(len(self.categories))]


@cache
def _names(categories: tuple[str, ...], certain: float) -> dict[str, int]:
    found = {}
    for row in read_table("en", "given_names"):
        shares = [float(row[name]) for name in categories]
        best = max(range(len(shares)), key=shares.__getitem__)
        if sum(shares) and shares[best] / sum(shares) >= certain:
            found[row["name"]] = best
    return found


@cache
def _common() -> frozenset[str]:
    words = {row["word"] for row in read_table("en", "common_words")}
    return frozenset(words | {row["word"] for row in read_table("en", "calendar_words")})


class PathFound(NamedTuple):
    """The shortest path between an identifier and a neutral word.

    Attributes:
        path: labels from the identifier to the neutral word, ``_`` before those gone backward.
        term: number of the term.
        category: number of the identifier's category.
        identifier: where it stands.
        neutral: where the neutral word stands.
    """

    path: DependencyPath
    term: int
    category: int
    identifier: tuple[int, int]
    neutral: tuple[int, int]


class PathFinder:
    """Finds dependency paths in sentences.

    Args:
        parser: a loaded pipeline.
        forms: finds terms and identifiers.
        names: given names are identifiers too; None leaves them alone.
    """

    def __init__(self, parser: Parser, forms: Forms, names: NameTable | None = None) -> None:
        self.parser = parser
        self.forms = forms
        self.names = names

    def find(self, sentences: Iterable[str]) -> Iterator[list[PathFound]]:
        """Yield for each sentence the paths between all its identifiers and neutral words."""
        pairs = ((mask_markup(text), text) for text in sentences)
        for doc, text in self.parser.pipeline.pipe(pairs, as_tuples=True, batch_size=128):
            yield list(self._paths(doc, text))

    def _paths(self, doc: Any, text: str) -> Iterator[PathFound]:
        found = self.forms.find(text)
        neutral = [(f, s.term) for f in found for s in f.slots if s.term >= 0 and s.category < 0]
        identifiers = [(f.start, f.end, s.category) for f in found for s in f.slots if s.term < 0]
        if self.names is not None:
            identifiers += self.names.places(text)
        for start, end, category in identifiers:
            source = _root(doc, start, end)
            for place, term in neutral:
                target = _root(doc, place.start, place.end)
                path = None if source is None or target is None else shortest_path(source, target)
                if path:
                    yield PathFound(path, term, category, (start, end), (place.start, place.end))


def _root(doc: Any, start: int, end: int) -> Any:
    """Return the head word of a stretch of text, None where there is none."""
    span = doc.char_span(start, end, alignment_mode="expand")
    return None if span is None or not len(span) else span.root


def shortest_path(source: Any, target: Any) -> DependencyPath | None:
    """Return the labels on the way from one spaCy token to another, None where no tree holds both.

    A step from a word to its head is written ``_label`` (its own label), a step down as the label of the word reached.
    """
    up = {source.i: 0}
    labels = []
    word = source
    while word.head.i != word.i:
        labels.append("_" + word.dep_)
        word = word.head
        up[word.i] = len(labels)
    down = []
    word = target
    while word.i not in up:
        down.append(word.dep_)
        if word.head.i == word.i:
            return None
        word = word.head
    return (*labels[: up[word.i]], *reversed(down))


class ByDependency:
    """An identifier counts for a neutral word where the path between them is allowed.

    Args:
        finder: finds the paths.
        metadata: the allowed paths.

    Raises:
        RecipeError: the metadata has no ``allowed_depend``, or for another label scheme than the pipeline has.
    """

    def __init__(self, finder: PathFinder, metadata: Metadata) -> None:
        if not metadata.allowed:
            raise RecipeError(
                "the metadata has no allowed_depend, so no path would count: list the paths of your corpus with "
                "'gender-fair balance paths' and label them"
            )
        if metadata.scheme != finder.parser.scheme:
            raise RecipeError(
                f"allowed_depend is written in the label scheme '{metadata.scheme}', and the pipeline "
                f"'{finder.parser.name}' has '{finder.parser.scheme}': pass a pipeline of that scheme, or label the "
                "paths of this one ('gender-fair balance paths')"
            )
        self._finder = finder
        self._allowed = metadata.allowed
        self._categories = len(metadata.categories)

    def count(self, contexts: Sequence[str], hits: Sequence[Hits]) -> list[Counts]:
        """Return the related identifiers of each context for each of its terms; an identifier counts once a term."""
        wanted = [n for n, hit in enumerate(hits) if hit.neutral and (self._finder.names or any(hit.identifiers))]
        found: list[Counts] = [{} for _ in contexts]
        for number, paths in zip(wanted, self._finder.find(contexts[n] for n in wanted), strict=True):
            related = {(p.term, p.category, p.identifier) for p in paths if p.path in self._allowed}
            for term, category, _ in related:
                found[number].setdefault(term, [0] * self._categories)[category] += 1
        return found


Vectors = Mapping[str, npt.NDArray[np.float32]]
#: how the made sentence is written
TEMPLATES = {"en": "{identifier} is a {term}", "de": "{identifier} ist {term}"}


class BySimilarity:
    """An identifier counts for a neutral word where "IDENTIFIER is a TERM" is similar to the context.

    A sentence's vector is the mean of its words' vectors; similarity is the cosine.

    Args:
        vectors: word -> vector, see :func:`read_vectors`.
        forms: finds terms and identifiers.
        metadata: terms and categories.
        threshold: similarity from which on an identifier counts.
        template: the made sentence, with ``{identifier}`` and ``{term}``.
    """

    def __init__(
        self,
        vectors: Vectors,
        forms: Forms,
        metadata: Metadata,
        threshold: float = 0.8,
        template: str = TEMPLATES["en"],
    ) -> None:
        self._vectors = vectors
        self._forms = forms
        self._categories = len(metadata.categories)
        self._threshold = threshold
        self._template = template
        self._made: dict[tuple[str, str], npt.NDArray[np.float32] | None] = {}

    def count(self, contexts: Sequence[str], hits: Sequence[Hits]) -> list[Counts]:
        """Return the identifiers of each context for those of its terms with which they are similar to it."""
        return [
            self._count(context) if hit.neutral and any(hit.identifiers) else {}
            for context, hit in zip(contexts, hits, strict=True)
        ]

    def _count(self, context: str) -> Counts:
        here = self._mean(context)
        found = self._forms.find(context)
        counts: Counts = {}
        counted: set[tuple[int, int]] = set()
        for neutral, term in [(f, s.term) for f in found for s in f.slots if s.term >= 0 and s.category < 0]:
            for identifier, category in [(f, s.category) for f in found for s in f.slots if s.term < 0]:
                if (identifier.start, term) not in counted and self._similar(here, identifier, neutral):
                    counted.add((identifier.start, term))
                    counts.setdefault(term, [0] * self._categories)[category] += 1
        return counts

    def related(self, context: str, identifier: tuple[int, int], neutral: tuple[int, int]) -> bool:
        """Return True if an identifier and a neutral word, by their places in a context, count."""
        found = {(one.start, one.end): one for one in self._forms.find(context)}
        if identifier not in found or neutral not in found:
            return False
        return self._similar(self._mean(context), found[identifier], found[neutral])

    def _similar(self, here: npt.NDArray[np.float32] | None, identifier: Found, neutral: Found) -> bool:
        key = identifier.form, neutral.form
        if key not in self._made:
            self._made[key] = self._mean(self._template.format(identifier=identifier.form, term=neutral.form))
        made = self._made[key]
        return here is not None and made is not None and float(here @ made) >= self._threshold

    def _mean(self, text: str) -> npt.NDArray[np.float32] | None:
        """Return the mean of the vectors of a text's words, of length 1; None where no word has one."""
        rows = [self._vectors[word] for word in re.findall(r"[^\W_]+", text.lower()) if word in self._vectors]
        if not rows:
            return None
        mean = np.mean(rows, axis=0)
        length = float(np.linalg.norm(mean))
        return mean / length if length else None


def read_vectors(path: str | Path, *, limit: int | None = None) -> dict[str, npt.NDArray[np.float32]]:
    """Read word vectors in the text format of word2vec: a line with number and size, then a word and its vector a line.

    Args:
        path: plain, .gz or .zst; the first line may be missing (GloVe).
        limit: most words.

    Raises:
        InputError: a line has another number of values than the first, or no numbers; file and line are named.
    """
    vectors: dict[str, npt.NDArray[np.float32]] = {}
    size = 0
    for number, line in enumerate(read_lines(path, errors="replace"), 1):
        word, *values = line.rstrip().split(" ")
        if number == 1 and len(values) == 1:
            continue
        size = size or len(values)
        try:
            row = np.array(values, dtype=np.float32)
        except ValueError:
            row = np.zeros(0, np.float32)
        if len(row) != size or not size:
            raise InputError(f"{path}:{number}: a word and {size or 'some'} numbers expected, apart by single spaces")
        vectors.setdefault(word.lower(), row)
        if limit is not None and len(vectors) >= limit:
            break
    if not vectors:
        raise InputError(f"{path}: no vectors in this file")
    return vectors
