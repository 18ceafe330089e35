"""The original's interface: code that used it moves over by changing the import."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from eval.genbit.counter import CooccurrenceCounter
from eval.genbit.counts import Counts, merge
from eval.genbit.lemmas import LemmaSource, lemmas_from
from eval.genbit.lexicon import Lexicon
from eval.genbit.metrics import GenBitResult, Settings, evaluate
from eval.genbit.results import metrics_dict
from rewriter.errors import UsageError


class GenBitMetrics:
    """Measures how strongly the words of a corpus lean to a gender.

    >>> metrics = GenBitMetrics("en", context_window=5)
    >>> metrics.add_data(["She sings in the choir.", "He repairs the engine."])
    >>> metrics.get_metrics()["genbit_score"]
    0.0

    Args:
        language_code: de, en, es, fr, it or ru; any code with a lexicon of your own.
        context_window: how many tokens to each side of a gendered word are its neighbours, stop words left out.
        distance_weight: a neighbour at distance d counts ``distance_weight ** d``.
        percentile_cutoff: percentile of the co-occurrence sums below which words are not scored.
        lexicon: a :class:`Lexicon` (``Lexicon.shipped("en", non_binary=False)`` leaves lists out) or the path of one;
            the shipped lists otherwise.
        lemmas: what merges the forms of a word, see :func:`eval.genbit.lemmas.lemmas_from`; nothing otherwise.
        compat: ``code`` or ``paper``, where the two disagree.

    Raises:
        UsageError: an argument is out of its range, or there are no lists for the language.
        LexiconError: the lexicon is malformed.
    """

    def __init__(
        self,
        language_code: str,
        context_window: int = 30,
        distance_weight: float = 0.95,
        percentile_cutoff: float = 80,
        *,
        lexicon: Lexicon | str | Path | None = None,
        lemmas: LemmaSource | Any = None,
        compat: str = "code",
    ) -> None:
        if not isinstance(language_code, str) or not language_code:
            raise UsageError(f"the language is a code such as 'en', not {language_code!r}")
        lang = language_code.lower()
        if lexicon is None:
            lexicon = Lexicon.shipped(lang)
        elif not isinstance(lexicon, Lexicon):
            lexicon = Lexicon.from_file(lexicon, lang)
        self.lexicon = lexicon
        self.settings = Settings(distance_weight, percentile_cutoff, compat, lemmas_from(lemmas, lang))
        self._counter = CooccurrenceCounter(lexicon, context_window)
        self._added: list[Counts] = []

    def add_data(self, text_data: Iterable[str] | Iterable[Sequence[str]], tokenized: bool = False) -> None:
        """Count texts; may be called again and again.

        Args:
            text_data: documents; windows do not cross them. One string is one document, as in the original.
            tokenized: the documents are lists of tokens.

        Raises:
            UsageError: ``text_data`` is not what ``tokenized`` says.
        """
        if isinstance(text_data, str):
            if tokenized:
                raise UsageError("with tokenized=True, pass a list of documents, each a list of tokens, not a string")
            text_data = [text_data]
        if tokenized:
            self._counter.add_tokens(_check_documents(text_data))
        else:
            self._counter.add_texts(_check_texts(text_data))

    def add_counts(self, counts: Counts) -> None:
        """Add counts of another part of the corpus, for example yesterday's (:meth:`Counts.load`).

        Raises:
            UsageError: they were counted in another way; the message names the difference.
        """
        merge([self._counter.counts(), counts])
        self._added.append(counts)

    @property
    def counts(self) -> Counts:
        """Everything that was counted so far; :meth:`Counts.save` keeps it."""
        return merge([self._counter.counts(), *self._added])

    def evaluate(self) -> GenBitResult:
        """Return all figures as arrays.

        Raises:
            MetricError: no word was counted yet.
        """
        return evaluate(self.counts, self.lexicon, self.settings)

    def get_metrics(self, output_statistics: bool = True, output_word_list: bool = True) -> dict[str, Any]:
        """Return the original's mapping of results.

        Args:
            output_statistics: add cut-off, counts and divergence under ``statistics``.
            output_word_list: add every scored word under ``token_based_metrics``.

        Raises:
            MetricError: no word was counted yet.
        """
        return metrics_dict(self.evaluate(), statistics=output_statistics, words=output_word_list)


def _check_texts(texts: Iterable[Any]) -> Iterable[str]:
    for number, text in enumerate(_iterate(texts, "strings"), 1):
        if not isinstance(text, str):
            hint = "; pass tokenized=True for lists of tokens" if isinstance(text, list | tuple) else ""
            raise UsageError(f"document {number} is a {type(text).__name__}, not a string{hint}")
        yield text


def _check_documents(documents: Iterable[Any]) -> Iterable[Sequence[str]]:
    for number, tokens in enumerate(_iterate(documents, "lists of tokens"), 1):
        if isinstance(tokens, str):
            raise UsageError(
                f"document {number} is the string {tokens[:30]!r}, not a list of tokens; with tokenized=True, "
                "one document is [[token, token, ...]]"
            )
        document = list(_iterate(tokens, "tokens"))
        wrong = next((token for token in document if not isinstance(token, str)), None)
        if wrong is not None:
            raise UsageError(f"document {number} holds the {type(wrong).__name__} {wrong!r} among its tokens")
        yield document


def _iterate(values: Any, what: str) -> Iterable[Any]:
    try:
        iterator: Iterable[Any] = iter(values)
        return iterator
    except TypeError:
        raise UsageError(f"expected a list of {what}, not {type(values).__name__}") from None
