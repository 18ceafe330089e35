"""Counting: how often each term is spoken of with each category, paragraph by paragraph (Becker 2022, 3.2 and 3.3).

A category word ("fireman") counts for its category wherever it stands. A neutral word ("firefighter") takes the
identifiers in its context ("he", "brother"): each of them counts once, however often the neutral word is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, NamedTuple

from augment.balance.forms import Forms, Hits, Variants
from augment.balance.judge import (
    TEMPLATES,
    ByDependency,
    BySimilarity,
    Counts,
    Judge,
    NameTable,
    PathFinder,
    WordExisting,
    read_vectors,
)
from augment.balance.metadata import Metadata
from augment.balance.reading import Corpus, groups_of
from augment.balance.statistics import Paragraph, Statistics
from augment.dependency import load_parser
from augment.mitigate.shuffle import segmenter
from rewriter.errors import Fault, UsageError
from rewriter.faults import each
from rewriter.records import Reject
from rewriter.runs.shard import Shard

METHODS = ("word-existing", "dependency", "similarity")
CONTEXTS = ("paragraph", "sentence", "two-sentences")

Method = Literal["word-existing", "dependency", "similarity"]
Context = Literal["paragraph", "sentence", "two-sentences"]


class PieceCounts(NamedTuple):
    """What was counted in a piece of a corpus.

    Attributes:
        number: how many paragraphs it has.
        paragraphs: the counts of those that have any.
        rejects: those that could not be counted.
    """

    number: int
    paragraphs: list[Paragraph]
    rejects: tuple[Reject, ...] = ()


@dataclass(frozen=True)
class CountOptions:
    """How is counted.

    Attributes:
        method: ``word-existing``, ``dependency`` or ``similarity``.
        context: ``paragraph``, ``sentence`` or ``two-sentences`` (the first and second, the third and fourth ...).
        lang: language whose rules cut paragraphs into sentences.
        names: given names are identifiers too (English, categories ``female`` and ``male``).
        name_words: names that are common words or months, too (*Mark, May*), count where they begin no sentence.
        variants: plurals, hyphens, case.
        parser: spaCy pipeline of the method ``dependency``, by name or folder.
        vectors: word vectors of the method ``similarity``, word2vec text format.
        threshold: similarity from which on an identifier counts.
        template: sentence that is made for ``similarity``, with ``{identifier}`` and ``{term}``; empty: the language's.
    """

    method: Method = "word-existing"
    context: Context = "sentence"
    lang: str = "en"
    names: bool = False
    name_words: bool = False
    variants: Variants = field(default_factory=Variants)
    parser: str = ""
    vectors: str = ""
    threshold: float = 0.8
    template: str = ""

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UsageError(f"unknown method '{self.method}'; known: {', '.join(METHODS)}")
        if self.context not in CONTEXTS:
            raise UsageError(f"unknown context '{self.context}'; known: {', '.join(CONTEXTS)}")
        if self.method == "dependency" and not self.parser:
            raise UsageError("the method 'dependency' needs a parser: name a spaCy pipeline or its folder")
        if self.method == "dependency" and self.context != "sentence":
            raise UsageError("dependency paths do not leave a sentence: use the context 'sentence'")
        if self.method == "similarity" and not self.vectors:
            raise UsageError("the method 'similarity' needs word vectors: name a file in word2vec's text format")
        if self.method == "similarity" and self.names:
            raise UsageError("given names are no part of the method 'similarity'; leave one of the two out")


class Counter:
    """Counts texts by metadata.

    Args:
        metadata: terms and identifiers.
        options: how.

    Raises:
        UsageError: options exclude each other or the metadata.
        RecipeError: the metadata has no paths for the method ``dependency``.
        ParserError: the pipeline cannot be loaded or used.
        InputError: the vectors cannot be read.
    """

    def __init__(self, metadata: Metadata, options: CountOptions | None = None) -> None:
        self.metadata = metadata
        self.options = options or CountOptions()
        self.forms = Forms(metadata, self.options.variants)
        words = self.options.name_words
        self.names = NameTable(metadata.categories, words=words) if self.options.names else None
        self.judge = self._judge()
        self._cut = segmenter(self.options.lang)

    def _judge(self) -> Judge:
        options = self.options
        if options.method == "dependency":
            finder = PathFinder(load_parser(options.parser), self.forms, self.names)
            return ByDependency(finder, self.metadata)
        if options.method == "similarity":
            template = options.template or TEMPLATES.get(options.lang, TEMPLATES["en"])
            vectors = read_vectors(options.vectors)
            return BySimilarity(vectors, self.forms, self.metadata, options.threshold, template)
        return WordExisting(self.names)

    def count(self, texts: Sequence[str]) -> list[tuple[int, Counts]]:
        """Return (number of the text, its counts) of the texts in which something was counted, in order."""
        hits = self.forms.scan(texts)
        found: dict[int, Counts] = {}
        for hit in hits:
            for slot in hit.words:
                self._row(found.setdefault(hit.text, {}), slot.term)[slot.category] += 1
        for number, counts in self._judged(texts, hits):
            for term, row in counts.items():
                total = self._row(found.setdefault(number, {}), term)
                total[:] = [a + b for a, b in zip(total, row, strict=True)]
        return sorted(found.items())

    def _row(self, counts: Counts, term: int) -> list[int]:
        return counts.setdefault(term, [0] * len(self.metadata.categories))

    def _judged(self, texts: Sequence[str], hits: Sequence[Hits]) -> Iterator[tuple[int, Counts]]:
        """Yield what the neutral words of the texts take from their contexts."""
        wanted = [hit for hit in hits if hit.neutral and (self.names or any(hit.identifiers))]
        if self.options.context == "paragraph":
            counts = self.judge.count([texts[hit.text] for hit in wanted], wanted)
            yield from zip((hit.text for hit in wanted), counts, strict=True)
            return
        contexts = [(hit.text, context) for hit in wanted for context in self.contexts(texts[hit.text])]
        inside = self.forms.scan([context for _, context in contexts])
        counts = self.judge.count([contexts[hit.text][1] for hit in inside], inside)
        yield from zip((contexts[hit.text][0] for hit in inside), counts, strict=True)

    def contexts(self, text: str) -> list[str]:
        """Return the sentences of a paragraph, or its pairs of sentences."""
        spans = self._cut(text)
        step = 2 if self.options.context == "two-sentences" else 1
        return [text[some[0][0] : some[-1][1]] for some in groups_of(spans, step)]

    def sentences(self, texts: Sequence[str]) -> Iterator[str]:
        """Yield the sentences that hold a neutral word and an identifier, for finding paths."""
        hits = [hit for hit in self.forms.scan(texts) if hit.neutral and (self.names or any(hit.identifiers))]
        sentences = [texts[hit.text][a:b] for hit in hits for a, b in self._cut(texts[hit.text])]
        for hit in self.forms.scan(sentences):
            if hit.neutral and (self.names or any(hit.identifiers)):
                yield sentences[hit.text]


@dataclass(frozen=True)
class CountResult:
    """What was counted.

    Attributes:
        statistics: the counts.
        paragraphs: how many texts there were, with or without counts.
        rejects: those that could not be counted.
    """

    statistics: Statistics
    paragraphs: int
    rejects: tuple[Reject, ...] = ()


def count_texts(
    texts: Iterable[str], metadata: Metadata, options: CountOptions | None = None, *, batch: int = 4096
) -> CountResult:
    """Count texts from Python (a list, a column of a ``datasets`` data set, streamed or not).

    Args:
        texts: the paragraphs; they get the numbers 1, 2, 3 ... in file 0.
        metadata: terms and identifiers.
        options: how.
        batch: texts that are looked at together.

    Raises:
        UsageError, RecipeError, ParserError, InputError: as :class:`Counter`.
    """
    counter = Counter(metadata, options)
    paragraphs: list[Paragraph] = []
    total = 0
    for some in groups_of(texts, batch):
        paragraphs += [Paragraph(0, total + number + 1, counts) for number, counts in counter.count(some)]
        total += len(some)
    return CountResult(statistics_of(metadata, paragraphs), total)


def statistics_of(metadata: Metadata, paragraphs: Iterable[Paragraph]) -> Statistics:
    """Return the statistics of counted paragraphs by term and category."""
    return Statistics.of(metadata.categories, [term.name for term in metadata.terms], paragraphs)


def count_piece(counter: Counter, piece: Shard, corpus: Corpus) -> PieceCounts:
    """Return what a piece of a corpus holds; a paragraph that cannot be counted is left out and listed.

    Raises:
        InputError: the file cannot be read, or a record is not what the format says (``FILE:LINE``).
    """
    numbers, texts = corpus.texts(piece)
    blank = sum(1 for text in texts if not text or text.isspace())
    paragraphs: list[Paragraph] = []
    rejects: list[Reject] = []
    for line, counts in zip(numbers, each(partial(_count_each, counter), texts), strict=True):
        if isinstance(counts, Fault):
            rejects.append(Reject(corpus.names[piece.file], line, *counts))
        elif counts is not None:
            paragraphs.append(Paragraph(piece.file, line, counts))
    return PieceCounts(len(texts) - blank, paragraphs, tuple(rejects))


def _count_each(counter: Counter, texts: Sequence[str]) -> list[Counts | None]:
    """Return the counts of every text, None where there are none."""
    found = dict(counter.count(texts))
    return [found.get(place) for place in range(len(texts))]
