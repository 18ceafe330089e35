"""What each rule of a grammar is worth: how often it decides, and what changes when it is left out.

A rule that is silent in a text changes nothing there, so only the texts in which it spoke are rewritten without it. All
runs share one network, which reads each text once as long as the rules leave its words and candidates as they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eval.cases import Case
from eval.reading.score import ReadingSet, score_reading
from rewriter.language.rules import Rule, Rules, TracedRules, known_rules
from rewriter.model.direction import FAIR
from rewriter.pipeline import Rewriter
from rewriter.policy.protect import protected_spans
from rewriter.records import Rewrite
from rewriter.text.offsets import within

__all__ = ["Change", "RuleMeasure", "RuleWorth", "idle"]


@dataclass(slots=True)
class Change:
    """What becomes of a set of sentences with known targets when a rule is left out.

    Attributes:
        gained: sentences that are right without the rule only.
        lost: sentences that are right with it only.
        other: sentences that are wrong with and without it, in other ways.
    """

    gained: int = 0
    lost: int = 0
    other: int = 0

    def add(self, *, before: bool, after: bool) -> None:
        """Count a sentence whose output changed: whether it was right with the rule, and whether it is without."""
        self.gained += after and not before
        self.lost += before and not after
        self.other += before == after


@dataclass(slots=True)
class RuleWorth:
    """What a rule is worth.

    Attributes:
        rule: the rule.
        spoken: how often it spoke.
        texts: in how many texts.
        tried: how many of these were rewritten without it.
        changed: how many of those have another output then.
        examples: some of these: the text, with the rule, without it.
        sets: name of a set with known targets -> what changes there.
    """

    rule: Rule
    spoken: int = 0
    texts: int = 0
    tried: int = 0
    changed: int = 0
    examples: list[tuple[str, str, str]] = field(default_factory=list)
    sets: dict[str, Change] = field(default_factory=dict)

    @property
    def is_idle(self) -> bool:
        """Whether leaving it out changes nothing, neither a text nor a sentence of a set."""
        return not self.changed and not any(c.gained or c.lost or c.other for c in self.sets.values())


class RuleMeasure:
    """Measures the rules of a rewriter's language: those of the way to fair text, or of the way back.

    Args:
        rewriter: of an edit model.
        examples: changed texts that are kept for each rule.
        enough: changed texts after which a rule is not tried in further ones; None tries all.
        only: names of the rules that are measured; empty measures all.

    Raises:
        UsageError: it is no rewriter of an edit model, or there is no such rule.
    """

    def __init__(
        self, rewriter: Rewriter, *, examples: int = 0, enough: int | None = None, only: Iterable[str] = ()
    ) -> None:
        self.lang, self._examples, self._enough = rewriter.language.code, examples, enough
        self._without = rewriter.language.rules.without
        self._heard = TracedRules(self.lang, self._without)
        self._base = rewriter.with_encoder(_Remembering)
        self._traced = self._base.with_rules(self._heard)
        self._others: dict[str, Rewriter] = {}
        wanted = Rules(self.lang, only).without
        rules = {name: rule for name, rule in known_rules(self.lang).items() if name not in self._without}
        way = "rewriting" if rewriter.options.to == FAIR else "back"
        rules = {name: rule for name, rule in rules.items() if rule.decision.asked == way}
        self.worths = {name: RuleWorth(rule) for name, rule in rules.items() if not wanted or name in wanted}
        # what corrects the network's choices speaks behind it only
        before_it = way == "rewriting" and all(w.rule.decision.effect != "corrects" for w in self.worths.values())
        self._looks_first = bool(wanted) and before_it

    def add_texts(self, texts: Iterable[str]) -> None:
        """Count what changes in texts."""
        for text in texts:
            if self._looks_first and not self._speaks(text):
                continue
            given, changed = self._changes(text, count=True)
            for name, other in changed:
                worth = self.worths[name]
                worth.changed += 1
                if len(worth.examples) < self._examples:
                    worth.examples.append((text, given.text, other.text))

    def add_cases(self, name: str, cases: Iterable[Case]) -> None:
        """Count what changes in cases with targets.

        Args:
            name: of the set.
            cases: from :func:`eval.cases.read_cases`.
        """
        self._begin(name)
        for case in cases:
            given, changed = self._changes(case.source)
            for rule, other in changed:
                found = self.worths[rule].sets[name]
                found.add(before=given.text == case.target, after=other.text == case.target)

    def add_reading(self, name: str, reading: ReadingSet) -> None:
        """Count what changes in read sentences.

        Args:
            name: of the set.
            reading: from :func:`eval.reading.score.load_set`.
        """
        self._begin(name)
        for line in dict.fromkeys(reading.lines):
            part = ReadingSet([found for found in reading.sentences if found.line == line])
            given, changed = self._changes(line)
            for rule, other in changed:
                for before, after in zip(self._right(part, given), self._right(part, other), strict=True):
                    if before[1] != after[1]:
                        self.worths[rule].sets[name].add(before=before[0], after=after[0])

    def _begin(self, name: str) -> None:
        for worth in self.worths.values():
            worth.sets.setdefault(name, Change())

    def _right(self, part: ReadingSet, rewrite: Rewrite) -> list[tuple[bool, str]]:
        score = score_reading(part, "-", lambda lines: [rewrite.edits for _ in lines], lang=self.lang)
        return [(sentence.right, sentence.answer) for sentence in score.sentences]

    def _changes(self, text: str, *, count: bool = False) -> tuple[Rewrite, list[tuple[str, Rewrite]]]:
        """Return the rewrite of a text, and of every rule without which it is another one that."""
        self._heard.taken()
        given = self._traced.rewrite(text, return_edits=True)
        heard = Counter(one.rule.name for one in self._heard.taken())
        changed = []
        for name, spoken in heard.items():
            if name not in self.worths or (count and not self._count(self.worths[name], spoken)):
                continue
            other = self._left_out(name).rewrite(text, return_edits=True)
            if other.text != given.text:
                changed.append((name, other))
        return given, changed

    def _speaks(self, text: str) -> bool:
        """Return True if a rule that is measured speaks while the candidates of a text are found."""
        language = self._traced.language
        if not language.gate(text):
            return False
        self._heard.taken()
        protected = protected_spans(text)
        for start, end in language.units(text):
            language.analyze(text[start:end], within(protected, start, end))
        return any(one.rule.name in self.worths for one in self._heard.taken())

    def _count(self, worth: RuleWorth, spoken: int) -> bool:
        """Count a text in which a rule spoke; return True if it is to be rewritten without the rule."""
        worth.spoken += spoken
        worth.texts += 1
        if self._enough is not None and worth.changed >= self._enough:
            return False
        worth.tried += 1
        return True

    def _left_out(self, name: str) -> Rewriter:
        if name not in self._others:
            self._others[name] = self._base.with_rules(Rules(self.lang, {*self._without, name}))
        return self._others[name]


class _Remembering:
    """An encoder that knows the last inputs."""

    #: inputs that are kept; a text has few
    _MOST = 64

    def __init__(self, encoder: Any) -> None:
        self._encoder, self._known = encoder, dict[Any, Any]()
        self.device = getattr(encoder, "device", "cpu")

    def forward_batch(self, ids: Sequence[Sequence[int]], token_type_ids: Any = None) -> Any:
        """Return what the encoder says."""
        key = tuple(map(tuple, ids)), tuple(map(tuple, token_type_ids))
        if key not in self._known:
            if len(self._known) >= self._MOST:
                self._known.clear()
            self._known[key] = self._encoder.forward_batch(ids, token_type_ids=token_type_ids)
        return self._known[key]


def idle(worths: Mapping[str, RuleWorth]) -> Iterator[str]:
    """Yield the names of the rules whose removal changes nothing that was measured."""
    yield from (name for name, worth in worths.items() if worth.is_idle)
