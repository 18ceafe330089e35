"""Explains a rewrite: of every candidate word what was possible, what the network said, who decided, what came out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from rewriter.language.candidates import Candidate
from rewriter.language.interface import Language
from rewriter.language.rules import Rule, Spoken
from rewriter.model.proposer import Sentence, analyze
from rewriter.records import Edit, Rewrite

if TYPE_CHECKING:
    from rewriter.model.edit_model import Reading

__all__ = ["Choice", "Explanation", "Place", "Word", "render"]

#: ``grammar``: rules settled the word before the network was asked; ``network``: its likeliest outcome came out;
#: ``agreement``: something else came out than grammar or network chose for the word alone, so that its phrase or
#: sentence agrees; ``policy``: an edit was withheld; ``protected``: the word
#: stands in code, an address or a tag, where nothing is touched
Decider = Literal["grammar", "network", "agreement", "policy", "protected"]


@dataclass(frozen=True, slots=True)
class Place:
    """A word in the source text: its offsets (start, end) and what stands there."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One outcome that the grammar allows for a word.

    Attributes:
        outcome: its name in the language.
        text: what it writes.
        probability: what the network alone gave it among the word's outcomes; None where it was not asked.
    """

    outcome: str
    text: str
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """A candidate word and what became of it.

    Attributes:
        place: the word.
        kind: of the edit that it may get.
        choices: the outcomes allowed; the first keeps the word.
        decided_by: see :data:`Decider`.
        result: what stands there now; of a phrase that was rewritten as a whole, the whole.
        phrase: that phrase; None where the word was decided by itself.
        reason: of the edit, or why the policy withheld it.
        settled: the outcome that rules settled; None where the network was asked.
        lean: log-odds that rules add to the last outcome.
        follows: the word that this one agrees with.
        rule: name of the rule that settled the word, chose anew for it, or makes that it is no candidate.
        rules: names of all rules that spoke about it, in their order.
    """

    place: Place
    kind: str
    choices: tuple[Choice, ...]
    decided_by: Decider
    result: str
    phrase: Place | None = None
    reason: str = ""
    settled: str | None = None
    lean: float = 0.0
    follows: Place | None = None
    rule: str = ""
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """A rewritten text and its candidate words.

    Attributes:
        source: the text before rewriting.
        text: the text after.
        words: its candidate words in order.
        sentences: how many sentences the text has; 0 where the gate stopped the whole text.
        asked: how many of them the gate let through.
        note: why there is nothing to explain; empty where there is.
    """

    source: str
    text: str
    words: tuple[Word, ...] = ()
    sentences: int = 0
    asked: int = 0
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)


def explain_rewrite(
    source: str, rewrite: Rewrite, read: Sequence[tuple[int, Sentence, Reading]], language: Language
) -> Explanation:
    """Return the explanation of a rewrite.

    Args:
        source: the text before rewriting.
        rewrite: what came out.
        read: offset in the text, sentence, and how the model read it, for every sentence that the gate let through.
        language: of the model.
    """
    words: list[Word] = []
    for offset, sentence, reading in read:
        explainer = _Sentence(source, offset, rewrite, language.outcomes)
        words += explainer.read(reading)
        words += explainer.blocked(reading)
        words += explainer.protected(sentence, reading, language)
    words.sort(key=lambda word: (word.place.start, word.place.end))
    note = "" if words else _nothing(rewrite)
    return Explanation(source, rewrite.text, tuple(words), rewrite.sentences, rewrite.gated, note)


def _nothing(rewrite: Rewrite) -> str:
    if not rewrite.gated:
        return "the gate let nothing through: the text holds no word that could be gendered"
    return "the text holds no candidate word: the grammar has nothing to decide"


class _Sentence:
    """Explains the candidates of one sentence of a text."""

    def __init__(self, source: str, offset: int, rewrite: Rewrite, outcomes: Sequence[str]) -> None:
        self._source, self._offset, self._outcomes = source, offset, outcomes
        self._edits = rewrite.edits
        self._withheld = {(edit.start, edit.end): why for edit, why in rewrite.left}
        self._left = [edit for edit, _ in rewrite.left]

    def read(self, reading: Reading) -> Iterator[Word]:
        """Yield the words that the grammar or the network decided."""
        candidates, heard = reading.analysis.candidates, _by_token(reading.spoken)
        for index, candidate in enumerate(candidates):
            word = self._word(candidate, candidates, reading.shares.get(index))
            spoken = heard.get(candidate.token, [])
            rules = tuple(dict.fromkeys(one.name for one in spoken))
            yield replace(word, rule=_deciding(word, candidate, spoken), rules=rules)

    def blocked(self, reading: Reading) -> Iterator[Word]:
        """Yield the words that rules keep from being candidates."""
        known = {candidate.token for candidate in reading.analysis.candidates}
        for index, heard in _by_token(reading.spoken).items():
            blocking = [one.name for one in heard if one.decision.effect == "blocks"]
            if index in known or not blocking:
                continue
            token = reading.analysis.tokens[index]
            start, end = token.start + self._offset, token.end + self._offset
            place = Place(start, end, self._source[start:end])
            keep = (Choice(self._outcomes[0], place.text),)
            names = tuple(one.name for one in heard)
            yield Word(place, "none", keep, "grammar", place.text, rule=blocking[0], rules=names)

    def protected(self, sentence: Sentence, reading: Reading, language: Language) -> Iterator[Word]:
        """Yield the words that would be candidates if they were not protected."""
        if not sentence.protected:
            return
        known = {(candidate.start, candidate.end) for candidate in reading.analysis.candidates}
        bare = analyze(language, sentence._replace(protected=())).candidates
        for candidate in bare:
            touches = any(a < candidate.end and candidate.start < b for a, b in sentence.protected)
            if touches and (candidate.start, candidate.end) not in known:
                place = self._place(candidate)
                yield Word(place, candidate.kind, self._choices(candidate, None), "protected", place.text)

    def _word(self, candidate: Candidate, candidates: Sequence[Candidate], shares: Sequence[float] | None) -> Word:
        place = self._place(candidate)
        own = None if shares is None else _without_lean(candidate, shares)
        edit, withheld = _touching(self._edits, place), _touching(self._left, place)
        phrase = edit if edit is not None and (edit.start, edit.end) != (place.start, place.end) else None
        decided_by: Decider = "policy"
        if withheld is None:
            decided_by = _decider(candidate, own, edit)
        return Word(
            place,
            candidate.kind,
            self._choices(candidate, own),
            decided_by,
            place.text if edit is None else edit.after,
            None if phrase is None else Place(phrase.start, phrase.end, phrase.before),
            self._reason(edit, withheld),
            None if candidate.forced is None else self._outcomes[candidate.forced],
            candidate.lean,
            self._place(candidates[candidate.governor]) if candidate.governor >= 0 else None,
        )

    def _place(self, candidate: Candidate) -> Place:
        start, end = candidate.start + self._offset, candidate.end + self._offset
        return Place(start, end, self._source[start:end])

    def _choices(self, candidate: Candidate, own: Sequence[float] | None) -> tuple[Choice, ...]:
        found: Sequence[float | None] = [None] * len(candidate.options) if own is None else [round(p, 4) for p in own]
        return tuple(
            Choice(self._outcomes[outcome], text, probability)
            for (outcome, text), probability in zip(candidate.options, found, strict=True)
        )

    def _reason(self, edit: Edit | None, withheld: Edit | None) -> str:
        if withheld is not None:
            return self._withheld[withheld.start, withheld.end]
        return "" if edit is None else edit.reason


def _by_token(spoken: Iterable[Spoken]) -> dict[int, list[Rule]]:
    """Return the rules that spoke about a token, by its index."""
    found: dict[int, list[Rule]] = {}
    for one in spoken:
        if one.token >= 0:
            found.setdefault(one.token, []).append(one.rule)
    return found


def _deciding(word: Word, candidate: Candidate, spoken: Iterable[Rule]) -> str:
    """Return the name of the rule that decided a candidate, empty where none did."""
    if word.decided_by == "grammar":
        return candidate.rule
    corrected = [rule.name for rule in spoken if rule.decision.effect == "corrects"]
    return corrected[-1] if word.decided_by == "agreement" and corrected else ""


def _without_lean(candidate: Candidate, shares: Sequence[float]) -> list[float]:
    """Return what the network alone gave the outcomes of a candidate."""
    weights = [*shares[:-1], shares[-1] * math.exp(-candidate.lean)]
    return [weight / sum(weights) for weight in weights]


def _touching(edits: Iterable[Edit], place: Place) -> Edit | None:
    """Return the edit of a word or, failing that, of the phrase that it stands in."""
    found = [edit for edit in edits if edit.start < place.end and place.start < edit.end]
    return min(found, key=lambda edit: abs(edit.start - place.start) + abs(edit.end - place.end), default=None)


def _decider(candidate: Candidate, own: Sequence[float] | None, edit: Edit | None) -> Decider:
    """Return who decided, by comparing what came out with what grammar or network chose for the word alone."""
    kept = candidate.options[0][1]
    if candidate.forced is not None:
        chosen = next(text for outcome, text in candidate.options if outcome == candidate.forced)
    else:
        chosen = kept if own is None else candidate.options[max(range(len(own)), key=own.__getitem__)][1]
    came_out = kept if edit is None else edit.after
    # a form that is written anew (German pair form, a whole phrase) can only be compared in that it changed
    is_option = any(came_out == text for _, text in candidate.options)
    if chosen != came_out if is_option else chosen == kept:
        return "agreement"
    return "network" if own is not None else "grammar"


def render(explanation: Explanation) -> str:
    """Return an explanation as lines for people, the last one with its line end."""
    lines = [f"{explanation.source}\n-> {explanation.text}"]
    if explanation.note:
        lines.append(f"   {explanation.note}")
    elif explanation.asked < explanation.sentences:
        lines.append(f"   the gate let {explanation.asked} of {explanation.sentences} sentences through")
    for word in explanation.words:
        lines += ["", *_word_lines(word)]
    return "\n".join(lines) + "\n"


def _word_lines(word: Word) -> Iterator[str]:
    where = _shown(word.place)
    came_out = "stays" if word.result == word.place.text else f"-> {_flat(word.result)}"
    yield f"{where} {came_out}"
    yield f"    {word.kind}, decided by: {word.decided_by}{_detail(word)}"
    yield "    outcomes: " + ", ".join(f"{choice.outcome} {_flat(choice.text)}" for choice in word.choices)
    if any(choice.probability is not None for choice in word.choices):
        yield "    network:  " + ", ".join(f"{c.outcome} {c.probability or 0:.4f}" for c in word.choices)
    if rules := list(_rules(word)):
        yield "    rules:    " + ", ".join(rules)
    if word.follows is not None:
        yield f"    follows:  {_shown(word.follows)}"


def _detail(word: Word) -> str:
    if word.rule:
        phrase = "" if word.phrase is None else f", in the phrase {_shown(word.phrase)}"
        return f" (rule '{word.rule}'){phrase}"
    if word.decided_by == "policy":
        return f" ({word.reason})"
    return "" if word.phrase is None else f", in the phrase {_shown(word.phrase)}"


def _rules(word: Word) -> Iterator[str]:
    if word.settled is not None:
        yield f"settle {word.settled}"
    if word.lean:
        yield f"lean {word.lean:+.2f} to {word.choices[-1].outcome}"
    yield from (f"'{name}'" for name in word.rules if name != word.rule)


def _shown(place: Place) -> str:
    return f"{place.start}-{place.end} {_flat(place.text)}"


def _flat(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())
