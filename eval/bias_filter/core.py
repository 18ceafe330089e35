"""The universal bias filter: whether a group is under-represented in a corpus, judged by word lists.

After NL-Augmenter's filter of this name (Shvets 2021): the same names, arguments and results, with words found whatever
punctuation touches them, more than two groups, intervals, and texts of any number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Any

from eval.bias_filter.counts import Assessment, GroupCounts, Standard, assess
from eval.bias_filter.lexicon import read_groups
from eval.bias_filter.matcher import GroupMatcher, Matcher
from eval.bias_filter.original import OriginalMatcher
from eval.bias_filter.rows import ClassSelector, ClassTagger
from rewriter.errors import MetricError, UsageError

#: names of the two groups of :class:`UniversalBiasFilter`
MINORITY, MAJORITY = "minority", "majority"
#: sentences of an iterator that are looked at together
CHUNK = 1 << 14

Flags = dict[str, Any]
Words = Iterable[str]


def make_matcher(groups: Mapping[str, Words], *, compat: bool = False) -> Matcher:
    """Return what finds the words of ``groups``; ``compat`` finds them as the original does.

    Raises:
        UsageError: see :class:`~eval.bias_filter.matcher.GroupMatcher`.
    """
    return OriginalMatcher(groups) if compat else GroupMatcher(groups)


def count_texts(matcher: Matcher, texts: Iterable[str]) -> GroupCounts:
    """Count any number of texts, some at a time.

    Raises:
        UsageError: ``texts`` is a bare string, or an element is not one.
    """
    counts = GroupCounts(matcher.groups)
    for chunk in chunks(texts):
        counts.add(matcher.scan(chunk))
    return counts


def chunks(texts: Iterable[str]) -> Iterable[list[str]]:
    """Yield runs of texts.

    Raises:
        UsageError: ``texts`` is a bare string or cannot be iterated over.
    """
    if isinstance(texts, str | bytes):
        raise UsageError(f"the sentences must be a list, not the single string {texts[:40]!r}; write [sentence]")
    if not isinstance(texts, Iterable):
        raise UsageError(f"the sentences must be a list or an iterator of strings, not {type(texts).__name__}")
    iterator = iter(texts)
    while chunk := list(islice(iterator, CHUNK)):
        yield chunk


class _OnClassToo:
    """A method that can be called on the class as well, then without an instance (the original's are static)."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    def __get__(self, instance: UniversalBiasFilter | None, owner: type[UniversalBiasFilter]) -> Callable[..., Any]:
        return partial(self._function, instance)


def _flag_sentences(
    instance: UniversalBiasFilter | None,
    sentences: Iterable[str],
    minority: Words | None = None,
    majority: Words | None = None,
    *,
    mixed: bool | None = None,
    compat: bool | None = None,
) -> list[Flags]:
    """Flag sentences as of the minority, of the majority or neutral.

    Args:
        instance: given by Python when called on an instance.
        sentences: what to flag.
        minority: words of the group that may be under-represented (default: those of the instance).
        majority: words of the dominating group (default: those of the instance).
        mixed: flag sentences that hold words of both with ``mixed_flag``; otherwise they are neutral, as in the
            original. Default: as the instance was made.
        compat: find words as the original does. Default: as the instance was made.

    Returns:
        One mapping per sentence: ``sentence``, ``minority_flag``, ``majority_flag``, ``neutral_flag``, and
        ``mixed_flag`` on request.

    Raises:
        MetricError: there is no sentence.
        UsageError: a bare string stands where a list is meant, the lists share a word, or only one list is given.
    """
    if mixed is None:
        mixed = instance is not None and instance.mixed
    return _flags(_matcher_for(instance, minority, majority, compat), sentences, mixed)


def _matcher_for(
    instance: UniversalBiasFilter | None, minority: Words | None, majority: Words | None, compat: bool | None
) -> Matcher:
    if compat is None:
        compat = instance is not None and instance.compat
    if minority is not None and majority is not None:
        return make_matcher({MINORITY: minority, MAJORITY: majority}, compat=compat)
    if minority is not None or majority is not None or instance is None:
        raise UsageError("flag_sentences() needs both word lists: flag_sentences(sentences, minority, majority)")
    return instance.matcher if compat == instance.compat else make_matcher(instance.groups, compat=compat)


def _flags(matcher: Matcher, sentences: Iterable[str], mixed: bool) -> list[Flags]:
    flags: list[Flags] = []
    rows = [(mask == 1, mask == 2, mask == 0 or (mask == 3 and not mixed), mask == 3) for mask in range(4)]
    for chunk in chunks(sentences):
        found = zip(chunk, map(rows.__getitem__, matcher.scan(chunk).masks.tolist()), strict=True)
        flags += [
            {"sentence": sentence, "minority_flag": a, "majority_flag": b, "neutral_flag": c, "mixed_flag": d}
            if mixed
            else {"sentence": sentence, "minority_flag": a, "majority_flag": b, "neutral_flag": c}
            for sentence, (a, b, c, d) in found
        ]
    if not flags:
        raise MetricError("there is no sentence to flag: the list is empty")
    return flags


def _kept(words: Words) -> Words:
    """Return a list of what may be an iterator; what is no list of words is refused where all lists are checked."""
    return list(words) if isinstance(words, Iterable) and not isinstance(words, str | bytes) else words


class UniversalBiasFilter:
    """Tells whether a group is under-represented.

    Args:
        minority: words of the group that may be under-represented.
        majority: words of the group that it is compared with.
        mixed: keep sentences that hold words of both groups as a fourth class; otherwise they count as neutral, as in
            the original.
        compat: find words as the original does (cut at white space), for figures that are to be compared with it.
        standard: threshold and confidence; by default the original's ``minority < majority``.

    Raises:
        UsageError: a list is a bare string, is empty, holds something that is no word, or the lists share a word.
    """

    def __init__(
        self,
        minority: Words,
        majority: Words,
        *,
        mixed: bool = False,
        compat: bool = False,
        standard: Standard | None = None,
    ) -> None:
        self.minority, self.majority = _kept(minority), _kept(majority)
        self.mixed, self.compat, self.standard = mixed, compat, standard or Standard()
        self.matcher = make_matcher(self.groups, compat=compat)

    @property
    def groups(self) -> dict[str, Words]:
        """The two word lists by name."""
        return {MINORITY: self.minority, MAJORITY: self.majority}

    @classmethod
    def from_lexicon(
        cls,
        lang: str,
        category: str = "gender",
        *,
        minority: str = "female",
        majority: str = "male",
        **options: Any,
    ) -> UniversalBiasFilter:
        """Make a filter from a shipped word list.

        Args:
            lang: language code.
            category: what the groups differ in.
            minority: name of the group that may be under-represented.
            majority: name of the group that it is compared with.
            **options: as for the class.

        Raises:
            UsageError: there is no such language, category or group.
        """
        groups = read_groups(lang, category, names=[minority, majority])
        return cls(groups[minority], groups[majority], **options)

    flag_sentences = _OnClassToo(_flag_sentences)

    @staticmethod
    def count_groups(flagged: Iterable[Mapping[str, Any]]) -> tuple[int, ...]:
        """Return how many sentences are of the minority, of the majority, neutral, and mixed if that was flagged."""
        return tuple(map(len, UniversalBiasFilter.sort_groups(flagged)))

    @staticmethod
    def sort_groups(flagged: Iterable[Mapping[str, Any]]) -> tuple[list[str], ...]:
        """Return the sentences of the minority, of the majority, the neutral ones, and mixed ones if flagged."""
        flagged = list(flagged)
        names = ["minority_flag", "majority_flag", "neutral_flag"]
        if any("mixed_flag" in flag for flag in flagged):
            names.append("mixed_flag")
        return tuple([flag["sentence"] for flag in flagged if flag.get(name)] for name in names)

    def count(self, sentences: Iterable[str]) -> GroupCounts:
        """Count any number of sentences, also of an iterator, without keeping them.

        Raises:
            UsageError: ``sentences`` is a bare string, or an element is not one.
        """
        return count_texts(self.matcher, sentences)

    def assess(self, sentences: Iterable[str] | GroupCounts) -> Assessment:
        """Return percentages with intervals, and the verdict.

        Args:
            sentences: the corpus, or what :meth:`count` made of it.

        Raises:
            MetricError: there is no sentence.
        """
        counts = sentences if isinstance(sentences, GroupCounts) else self.count(sentences)
        tokens = "original" if self.compat else "words"
        return assess(counts, majority=MAJORITY, minorities=[MINORITY], standard=self.standard, tokens=tokens)

    def filter(self, sentences: Iterable[str] | GroupCounts) -> bool:
        """Return True if the minority is under-represented.

        Raises:
            MetricError: there is no sentence.
        """
        return self.assess(sentences).verdicts[0].underrepresented

    def selector(self, *classes: str, column: str = "text") -> ClassSelector:
        """Return what keeps rows by class in ``Dataset.filter(..., batched=True)``; see :class:`ClassSelector`."""
        return ClassSelector(self.matcher, classes, column=column)

    def tagger(self, *, column: str = "text", target: str = "group") -> ClassTagger:
        """Return what adds the class in ``Dataset.map(..., batched=True)``; see :class:`ClassTagger`."""
        return ClassTagger(self.matcher, column=column, target=target)
