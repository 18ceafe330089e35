"""Swapping genders in texts: what the rules of a language know, what a model decides, and the edits that come of it.

Everything goes through edits with offsets, so that what is not swapped comes out byte-identical; protected spans (code,
addresses, markup) and a user's policy are those of the rewriter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, overload

from augment.swap.settings import Plan, SwapRules, SwapSettings, as_pairs, get_rules, names_of
from augment.swap.sparing import Left, Sparing
from rewriter.errors import UsageError
from rewriter.io.same_kind import Errors, answer_in_kind
from rewriter.model.directory import load_info, resolve
from rewriter.model.proposer import Proposer
from rewriter.policy import Policy
from rewriter.policy.protect import protected_spans
from rewriter.records import Edit, Rewrite, apply_edits
from rewriter.text.offsets import moved


class Swapper:
    """Swaps the genders of persons: ``Swapper("en").swap("He called his mother.")``.

    Args:
        lang: language code.
        direction: ``both``, ``to-masculine`` or ``to-feminine``.
        names: True or ``swap`` swaps given names by the shipped pairs, False or ``keep`` leaves names alone; a table's
            path or an iterable of pairs (feminine, masculine) comes before the shipped pairs.
        words: your own pairs of nouns, a table's path or an iterable of pairs, before the shipped ones.
        persons: who is turned: ``all``, ``named`` (persons that the text names) or ``generic`` (the others).
        facts: ``leave`` sentences with a fact of biology (*pregnant*, *beard*) as they are, or ``turn`` them.
        titles: turn titles before names (*Mr*, *Mrs*).
        without_rules: names of rules that are left out (:mod:`rewriter.language.rules`).
        policy: what may change (words, kinds of edit, spans); see :class:`rewriter.policy.Policy`.
        model: bundled name or folder of an edit model, which decides the case of *her* and *his*, and reads German
            persons; None takes ``lang``.
        threads: of the model; 0 for one per core, at most four.
        proposer: decides instead of the model.

    Raises:
        UsageError: an unknown language, direction, choice of persons or of facts, rule, or kind of model; or a
            language that cannot tell who is named.
        ModelError: there is no such model, or it is damaged.
        LexiconError: a table of pairs cannot be read.
    """

    def __init__(
        self,
        lang: str = "en",
        *,
        direction: str = "both",
        names: Any = True,
        words: Any = None,
        persons: str = "all",
        facts: str = "leave",
        titles: bool = True,
        without_rules: Iterable[str] = (),
        policy: Policy | None = None,
        model: str | Path | None = None,
        threads: int = 1,
        proposer: Proposer | None = None,
    ) -> None:
        swapped, own_names = names_of(names)
        settings = SwapSettings(
            direction, swapped, own_names, as_pairs(words), persons, facts, titles, tuple(without_rules)
        )
        self._set(lang, settings, policy, proposer or (model or lang, threads))

    @classmethod
    def of(
        cls,
        lang: str,
        settings: SwapSettings,
        *,
        policy: Policy | None = None,
        model: str | Path | None = None,
        threads: int = 1,
        proposer: Proposer | None = None,
    ) -> Swapper:
        """Return a swapper of settings made before; see the class."""
        made = cls.__new__(cls)
        made._set(lang, settings, policy, proposer or (model or lang, threads))
        return made

    def _set(
        self, lang: str, settings: SwapSettings, policy: Policy | None, source: Proposer | tuple[str | Path, int]
    ) -> None:
        self.settings = settings
        self._rules: SwapRules = get_rules(lang, settings)
        self._sparing = Sparing(lang, settings, self._rules)
        self._policy = policy or Policy()
        self._proposer: Proposer | None
        if isinstance(source, tuple):
            self._proposer = _load(self._rules, *source) if self._rules.asks else None
        else:
            self._proposer = source

    @property
    def language(self) -> SwapRules:
        """The rules, which have the ``gate_words`` that corpus rewriting looks for."""
        return self._rules

    @overload
    def swap(self, texts: str, *, return_edits: Literal[False] = False, errors: Errors = ...) -> str: ...
    @overload
    def swap(self, texts: str, *, return_edits: Literal[True], errors: Errors = ...) -> Rewrite: ...
    @overload
    def swap(
        self, texts: list[str] | tuple[str, ...], *, return_edits: Literal[False] = False, errors: Errors = ...
    ) -> list[str]: ...
    @overload
    def swap(
        self, texts: list[str] | tuple[str, ...], *, return_edits: Literal[True], errors: Errors = ...
    ) -> list[Rewrite]: ...
    @overload
    def swap(
        self, texts: Iterator[str], *, return_edits: Literal[False] = False, errors: Errors = ...
    ) -> Iterator[str]: ...
    @overload
    def swap(self, texts: Iterator[str], *, return_edits: Literal[True], errors: Errors = ...) -> Iterator[Rewrite]: ...
    @overload
    def swap(self, texts: Any, *, return_edits: bool, errors: Errors = ...) -> Any: ...

    def swap(self, texts: Any, *, return_edits: bool = False, errors: Errors = "raise") -> Any:
        """Swap a text, a list of texts, or an iterator of texts (lazily); a text is a document.

        The same name becomes the same name throughout a document, and two names stay two.

        Args:
            texts: any texts.
            return_edits: return :class:`~rewriter.records.Rewrite` instead of strings: text, edits, and ``left``, the
                edits that were not made with the reason (a fact of biology, persons or titles that stay).
            errors: what becomes of a text on which the toolkit fails: ``raise`` an error, or ``keep`` it as it is.

        Returns:
            The same kind of thing that came in.

        Raises:
            UsageError: an element is not a string.
            TextError: the toolkit fails on a text; the message names its index, the cause is chained.
        """
        return answer_in_kind(texts, self._swap_many, return_edits=return_edits, called="swap", errors=errors)

    #: what the corpus machinery calls (:class:`rewriter.corpus.engine.RewritesTexts`)
    def rewrite(self, texts: list[str], *, return_edits: Literal[True]) -> list[Rewrite]:
        """Return the swapped texts with their edits; the same as :meth:`swap`."""
        return self._swap_many(texts)

    def _swap_many(self, texts: Sequence[str]) -> list[Rewrite]:
        for number, text in enumerate(texts):
            if not isinstance(text, str):
                raise UsageError(f"swap() takes strings; element {number} is {type(text).__name__}")
        gate, plan = self._rules.gate, self._rules.plan
        plans = [plan(text, protected_spans(text)) if gate(text) else None for text in texts]
        sentences = [sentence for made in plans if made is not None for _, sentence in made.questions]
        proposals = iter(self._proposer.propose(sentences) if sentences and self._proposer is not None else ())
        results = []
        for text, made in zip(texts, plans, strict=True):
            if made is None:
                results.append(Rewrite(text))
                continue
            asked = [(offset, next(proposals).edits) for offset, _ in made.questions]
            results.append(self._assemble(text, made, asked))
        return results

    def _assemble(self, text: str, plan: Plan, asked: Sequence[tuple[int, Sequence[Edit]]]) -> Rewrite:
        edits = list(plan.edits)
        for offset, found in asked:
            edits += (moved(edit, offset) for edit in found)
        edits = _apart(edits)
        left: list[Left] = []
        if edits:
            edits, left = self._sparing.split(text, edits)
        if edits and not self._policy.idle:
            edits, withheld = self._policy.filter(text, edits, self._rules.language)
            left += withheld
        return Rewrite(apply_edits(text, edits) if edits else text, tuple(edits), left=tuple(left))


def _apart(edits: list[Edit]) -> list[Edit]:
    """Return the edits in order, of two that overlap the longer one."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda e: (e.start, -e.end)):
        if not kept or kept[-1].end <= edit.start:
            kept.append(edit)
    return kept


def _load(rules: SwapRules, model: str | Path, threads: int) -> Proposer:
    folder = resolve(model)
    info = load_info(folder)
    if info.target != "edits":
        raise UsageError(f"{folder}: swapping takes an edit model (target 'edits'), not '{info.target}'")
    return rules.proposer(folder, threads)
