"""Decisions of a grammar: each has a name, an example, a counter-example, and can be left out by its name.

A :class:`Decision` is a question that rules of a language answer in order (*is this form no pronoun?*, *what is her
here?*); the first that speaks decides. A rule stands where its function does, as a decorator; the grammar asks
:meth:`Rules.first`. What finds words (tables, predicates that rules share) is no rule.

Which rules are asked belongs to a language's settings (``without_rules``), so that two rewriters of one process may
differ. :class:`TracedRules` writes down who spoke, for explanations and for measuring what a rule is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, TypeVar

from lexicons.languages import LanguageError, module_name
from rewriter.errors import UsageError
from rewriter.language.candidates import Candidate
from rewriter.registry import did_you_mean

__all__ = ["Decision", "Rule", "Rules", "Spoken", "TracedRules", "decider", "known_rules", "rule_named"]

#: ``settles``: chooses an outcome, so that no network is asked; ``blocks``: makes that a word is no candidate or has
#: fewer outcomes; ``weighs``: adds to what the network says; ``corrects``: changes what was chosen so that words agree
Effect = Literal["settles", "blocks", "weighs", "corrects"]
#: ``rewriting``: on the way to fair text; ``back``: on the way back (``--to``); ``labelling``: while labels are made of
#: parsed text; ``swapping``: while genders are swapped
Asked = Literal["rewriting", "back", "labelling", "swapping"]
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One rule.

    Attributes:
        name: under which it is known and can be left out, once in a language.
        decision: that it belongs to.
        example: a text about which it speaks; the word that it decides stands in square brackets.
        counter: a text like it about which it is silent, with the word in brackets.
        speaks: the function; what it returns is its answer, None or False for silence.
        outcome: what it settles, where that is always the same.
    """

    name: str
    decision: Decision
    example: str
    counter: str
    speaks: Callable[..., Any]
    outcome: int | None = None


class Decision:
    """A question, and the rules that answer it, in the order in which they are asked.

    Attributes:
        lang: code of the language.
        effect: what an answer does.
        asked: when, see :data:`Asked`.
        rules: the rules.
    """

    def __init__(self, lang: str, effect: Effect, *, asked: Asked = "rewriting") -> None:
        self.lang, self.effect, self.asked = lang, effect, asked
        self.rules: tuple[Rule, ...] = ()

    def rule(
        self, name: str, *, example: str, counter: str, outcome: int | None = None
    ) -> Callable[[Function], Function]:
        """Return a decorator that adds a function as a rule, behind those already there, and returns the function.

        Args:
            name: see :class:`Rule`, as are the others.
            example: speaks here.
            counter: is silent here.
            outcome: that it settles.

        Raises:
            UsageError: the name is taken in this language.
        """

        def add(function: Function) -> Function:
            known = _KNOWN.setdefault(self.lang, {})
            if name in known:
                raise UsageError(f"the rule '{name}' of '{self.lang}' is registered twice")
            known[name] = Rule(name, self, example, counter, function, outcome)
            self.rules = (*self.rules, known[name])
            return function

        return add


#: code of a language -> its rules by name, as far as its modules are imported
_KNOWN: dict[str, dict[str, Rule]] = {}


def known_rules(lang: str) -> dict[str, Rule]:
    """Return the rules of a language by name, in the order of their modules.

    The modules of :data:`_ELSEWHERE` are imported here; a language's other modules are when it is made.
    """
    for package, module in _ELSEWHERE:
        _import_rules(package, lang, module)
    return dict(_KNOWN.get(lang, {}))


def rule_named(lang: str, name: str) -> Rule | None:
    """Return a rule of a language by its name; None for none among the modules that are imported."""
    return _KNOWN.get(lang, {}).get(name)


#: the modules with rules that are not imported while text is made fair: of the way back, of swapping, of labelling
_ELSEWHERE = (("rewriter", "back"), ("augment", "swap"), ("augment", "language"))


def _import_rules(package: str, lang: str, module: str) -> None:
    try:
        found = module_name(package, lang, module)
    except LanguageError:
        return
    if found:
        import_module(found)


class Rules:
    """The rules of a language that are asked.

    Args:
        lang: code of the language.
        without: names of rules that are left out.

    Raises:
        UsageError: there is no rule of that name.
    """

    def __init__(self, lang: str, without: Iterable[str] = ()) -> None:
        self.lang, self.without = lang, frozenset([without] if isinstance(without, str) else without)
        for name in sorted(self.without):
            _check_known(name, lang)
        self._left: dict[Decision, tuple[Rule, ...]] = {
            decision: tuple(rule for rule in decision.rules if rule.name not in self.without)
            for decision in {_KNOWN[lang][name].decision for name in self.without}
        }

    def of(self, decision: Decision) -> tuple[Rule, ...]:
        """Return the rules of a decision that are asked."""
        return self._left.get(decision, decision.rules) if self._left else decision.rules

    def first(self, decision: Decision, *place: Any) -> Rule | None:
        """Return the first rule that speaks, or None.

        Args:
            decision: the question.
            place: what the rules take; the first whole number among it is the index of the token.
        """
        # no call of a method: this runs some hundred times for a sentence
        for rule in self._left.get(decision, decision.rules) if self._left else decision.rules:
            if rule.speaks(*place):
                return rule
        return None

    def answer(self, decision: Decision, *place: Any) -> tuple[Rule, Any] | None:
        """Return the first rule whose answer is not None, with it; for rules that say more than yes or no."""
        for rule in self.of(decision):
            found = rule.speaks(*place)
            if found is not None:
                return rule, found
        return None

    def answers(self, decision: Decision, *place: Any) -> Iterator[tuple[Rule, Any]]:
        """Yield all rules whose answer is not None, with it."""
        for rule in self.of(decision):
            found = rule.speaks(*place)
            if found is not None:
                yield rule, found


@dataclass(frozen=True, slots=True)
class Spoken:
    """A rule that spoke, and about which token (index in its sentence; -1 for the sentence)."""

    rule: Rule
    token: int


class TracedRules(Rules):
    """Rules that write down who spoke.

    Attributes:
        spoken: grows until :meth:`taken` empties it.
    """

    def __init__(self, lang: str, without: Iterable[str] = ()) -> None:
        super().__init__(lang, without)
        self.spoken: list[Spoken] = []

    def taken(self) -> list[Spoken]:
        """Return what was written down since the last call."""
        found, self.spoken = self.spoken, []
        return found

    def first(self, decision: Decision, *place: Any) -> Rule | None:
        """Return what :meth:`Rules.first` does, and write it down."""
        rule = super().first(decision, *place)
        if rule is not None:
            self.spoken.append(Spoken(rule, _token_of(place)))
        return rule

    def answer(self, decision: Decision, *place: Any) -> tuple[Rule, Any] | None:
        """Return what :meth:`Rules.answer` does, and write it down."""
        found = super().answer(decision, *place)
        if found is not None:
            self.spoken.append(Spoken(found[0], _token_of(place)))
        return found

    def answers(self, decision: Decision, *place: Any) -> Iterator[tuple[Rule, Any]]:
        """Yield what :meth:`Rules.answers` does, and write it down."""
        for rule, found in super().answers(decision, *place):
            self.spoken.append(Spoken(rule, _token_of(place)))
            yield rule, found


def _token_of(place: tuple[Any, ...]) -> int:
    return next((part for part in place if type(part) is int), -1)


def _check_known(name: str, lang: str) -> None:
    known = _KNOWN.get(lang, {})
    if name not in known:
        known = known_rules(lang)
    if name not in known:
        raise UsageError(
            f"the language '{lang}' has no rule '{name}'{did_you_mean(name, list(known))}; "
            f"`gender-fair eval rules --list --lang {lang}` prints all"
        )


def decider(candidate: Candidate, outcome: int, score: float, corrected: Rule | None = None) -> str:
    """Return who decided a candidate: the name of a rule, or the model and its probability.

    Args:
        candidate: that was decided.
        outcome: what became of it.
        score: probability of the model.
        corrected: the rule that chose another outcome than the model.
    """
    if corrected is not None:
        return f"rule '{corrected.name}'"
    if candidate.forced == outcome and candidate.rule:
        return f"rule '{candidate.rule}'"
    return f"model {score:.2f}"
