"""Fuzz targets of the languages: analysis, agreement, the guard, edits that replay, the way back."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from rewriter.de.inflection import FORMS
from rewriter.errors import EditError
from rewriter.language.candidates import Analysis
from rewriter.language.interface import Language, get_language
from rewriter.model.direction import turn
from rewriter.model.guard import MODES, REASONS, check
from rewriter.model.post_edit import PostEditor
from rewriter.model.proposer import Proposal, Proposer, Sentence
from rewriter.policy.protect import protected_spans
from rewriter.records import Edit, apply_edits
from rewriter.text.offsets import within
from tools.fuzzing.target import Case, Target
from tools.fuzzing.texts import ANSWERS, TEXTS, Stranger, any_edit, english, german

_seeds = st.integers(0, 9999)
#: what is a German gender-fair form, though it looks like an identifier
_GAP = re.compile(r"\w+_\w+")


@cache
def _language(code: str, settings: tuple[tuple[str, Any], ...] = ()) -> Language:
    return get_language(code, **dict(settings))


# ---------------------------------------------------------------- analysis


def _german_cases() -> SearchStrategy[dict[str, Any]]:
    settings = {"form": st.sampled_from(tuple(FORMS)), "normalise": st.booleans()}
    return st.fixed_dictionaries({"text": german, "seed": _seeds, **settings})


def _english_cases() -> SearchStrategy[dict[str, Any]]:
    settings = {
        "reflexive": st.sampled_from(("themself", "themselves")),
        "nouns": st.sampled_from(("literature", "wide")),
    }
    return st.fixed_dictionaries({"text": english, "seed": _seeds, **settings})


def _check_german(case: Case) -> None:
    language = _language("de", (("form", case["form"]), ("normalise", case["normalise"])))
    _check_language(language, case["text"], case["seed"])


def _check_english(case: Case) -> None:
    language = _language("en", (("reflexive", case["reflexive"]), ("nouns", case["nouns"])))
    _check_language(language, case["text"], case["seed"])


def _check_language(language: Language, text: str, seed: int) -> None:
    """Whatever a model chooses among the options of the candidates, sentences stay whole and edits replay."""
    spans = language.segment(text)
    _check_spans(text, spans)
    protected = protected_spans(text)
    language.reads_before(text)
    for start, end in spans:
        sentence, own = text[start:end], within(protected, start, end)
        analysis = language.analyze(sentence, own)
        _check_analysis(sentence, analysis, own)
        # *der* alone, which may point at somebody, opens no gate: nearly every German sentence has one
        if any(candidate.kind != "relative" for candidate in analysis.candidates):
            assert language.gate(text), "the gate keeps a candidate back"
        rng = random.Random(seed)
        for _ in range(3):
            _check_settled(language, sentence, analysis, own, rng)


def _check_spans(text: str, spans: Sequence[tuple[int, int]]) -> None:
    position = 0
    for start, end in spans:
        assert position <= start < end <= len(text), "sentences overlap"
        assert not text[position:start].strip(), "text between sentences is lost"
        position = end
    assert not text[position:].strip(), "text behind the last sentence is lost"


def _check_analysis(sentence: str, analysis: Analysis, protected: Sequence[tuple[int, int]]) -> None:
    position = 0
    for candidate in analysis.candidates:
        assert position <= candidate.start < candidate.end <= len(sentence), "candidates overlap"
        assert candidate.options[0] == (0, sentence[candidate.start : candidate.end]), "the first option is not to keep"
        assert len({outcome for outcome, _ in candidate.options}) == len(candidate.options), "an outcome twice"
        assert candidate.forced is None or candidate.forced in dict(candidate.options), "no option for what is settled"
        assert 0 <= candidate.token < len(analysis.tokens) and candidate.governor < len(analysis.candidates)
        assert not any(a < candidate.start < b for a, b in protected), "a candidate in a protected span"
        position = candidate.end


def _check_settled(
    language: Language, sentence: str, analysis: Analysis, protected: Sequence[tuple[int, int]], rng: random.Random
) -> None:
    options = [rng.randrange(len(candidate.options)) for candidate in analysis.candidates]
    rows = [[rng.random() for _ in language.outcomes] if rng.random() < 0.7 else None for _ in options]
    probabilities = rows if rng.random() < 0.5 else None
    edits = language.settle(sentence, analysis, options, [0.5] * len(options), probabilities)
    _check_edits(sentence, edits, protected)


def _check_edits(text: str, edits: Sequence[Edit], protected: Sequence[tuple[int, int]] = ()) -> str:
    """Edits fit, do not overlap, leave no protected span changed and replay; return the new text."""
    position = 0
    for edit in edits:
        assert position <= edit.start <= edit.end <= len(text), "edits overlap or lie outside"
        assert text[edit.start : edit.end] == edit.before != edit.after, "an edit does not fit, or changes nothing"
        assert edit.after.count("\n") == edit.before.count("\n"), "a line is lost or added"
        position = edit.end
    new = apply_edits(text, edits)
    place = 0
    for start, end in protected:
        if _GAP.fullmatch(text[start:end]):
            continue
        place = new.find(text[start:end], place)
        assert place >= 0, f"the protected span {text[start:end]!a} is gone"
    return new


# ---------------------------------------------------------------- the guard, and the guard over answers


def _guard_cases() -> SearchStrategy[dict[str, Any]]:
    def of(lang: str) -> SearchStrategy[dict[str, Any]]:
        rest = {"seed": _seeds, "mode": st.sampled_from(MODES), "count": st.integers(0, 8)}
        return st.fixed_dictionaries({"lang": st.just(lang), "text": TEXTS[lang], **rest})

    return st.one_of(of("en"), of("de"))


def _check_guard(case: Case) -> None:
    language, text, rng = _language(case["lang"]), case["text"], random.Random(case["seed"])
    protected = tuple(protected_spans(text))
    proposed = Stranger(language, case["seed"]).propose([Sentence(text, protected)])[0].edits
    proposed += [any_edit(text, rng) for _ in range(case["count"])]
    rng.shuffle(proposed)
    held = check(text, protected, Proposal(proposed), language, mode=case["mode"])
    assert {reason for _, reason in held.rejected} <= set(REASONS), "a reason that nobody can count"
    if case["mode"] != "strict":
        apply_edits(text, held.edits)
        return
    _check_edits(text, held.edits, protected)
    candidates = language.analyze(text, protected, training=True).candidates
    for edit in held.edits:
        assert any(c.start < edit.end and edit.start < c.end for c in candidates), "an edit of no candidate"
    again = check(text, protected, held, language)
    assert apply_edits(text, again.edits) == apply_edits(text, held.edits), "what the guard let stand it refuses"


def _answer_cases() -> SearchStrategy[dict[str, Any]]:
    def of(lang: str) -> SearchStrategy[dict[str, Any]]:
        texts = TEXTS[lang]
        near = st.tuples(texts, _seeds, st.integers(0, 4)).map(lambda found: (found[0], _mangled(*found)))
        pairs = st.one_of(near, near, st.tuples(texts, texts))
        rest = {"guard": st.sampled_from(MODES)}
        return st.tuples(pairs, st.fixed_dictionaries(rest)).map(
            lambda found: {"lang": lang, "text": found[0][0], "answer": found[0][1], **found[1]}
        )

    return st.one_of(of("en"), of("de"))


def _mangled(text: str, seed: int, times: int) -> str:
    rng, words = random.Random(seed), text.split(" ")
    for _ in range(times):
        words[rng.randrange(len(words))] = rng.choice([*ANSWERS[:-2], "their", "Lehrer*in", "der*die", words[0]])
    return " ".join(words).encode("utf-8", "replace").decode("utf-8")


def _check_answers(case: Case) -> None:
    language, text = _language(case["lang"]), case["text"]
    result = PostEditor(language, guard=case["guard"]).edit([text], [case["answer"]])[0]
    assert apply_edits(text, result.edits) == result.text, "edits do not replay"
    if case["guard"] == "strict":
        assert result.text.count("\n") == text.count("\n"), "a line is lost or added"


# ---------------------------------------------------------------- edits that replay


def _replay_cases() -> SearchStrategy[dict[str, Any]]:
    text = st.one_of(english, german)
    edit = st.tuples(st.integers(-5, 60), st.integers(-5, 60), st.one_of(st.none(), text), text).map(list)
    return st.fixed_dictionaries({"text": text, "edits": st.lists(edit, max_size=5)})


def _check_replay(case: Case) -> None:
    text = case["text"]
    edits = [
        Edit(start, end, text[start:end] if before is None else before, after, "noun", "")
        for start, end, before, after in case["edits"]
    ]
    try:
        new = apply_edits(text, edits)
    except EditError:
        return
    expected = text
    for edit in sorted(edits, key=lambda e: (e.start, e.end), reverse=True):
        assert 0 <= edit.start <= edit.end <= len(text), "an edit outside of the text was made"
        expected = expected[: edit.start] + edit.after + expected[edit.end :]
    assert new == expected, "edits were replayed otherwise than one by one"


# ---------------------------------------------------------------- the way back


def _back_cases() -> SearchStrategy[dict[str, Any]]:
    def of(lang: str, they: tuple[str, ...]) -> SearchStrategy[dict[str, Any]]:
        rest = {"seed": _seeds, "to": st.sampled_from(("masculine", "feminine")), "they": st.sampled_from(they)}
        return st.fixed_dictionaries({"lang": st.just(lang), "text": TEXTS[lang], **rest})

    return st.one_of(of("en", ("singular", "all")), of("de", ("singular",)))


class _Careful:
    """Chooses among the options of the candidates, as a model of ours does."""

    def __init__(self, language: Language, seed: int) -> None:
        self._language, self._seed = language, seed

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        found = []
        for sentence in sentences:
            rng = random.Random(f"{self._seed} {sentence.text!a}")
            analysis = self._language.analyze(sentence.text, sentence.protected)
            options = [rng.randrange(len(candidate.options)) for candidate in analysis.candidates]
            found.append(Proposal(self._language.settle(sentence.text, analysis, options, [0.5] * len(options))))
        return found


@cache
def _turned(lang: str, to: str, they: str, seed: int) -> tuple[Language, Proposer]:
    language = _language(lang)
    return turn(language, _Careful(language, seed), to, they)


def _check_back(case: Case) -> None:
    language, proposer = _turned(case["lang"], case["to"], case["they"], case["seed"] % 4)
    text = case["text"]
    protected = protected_spans(text)
    spans = language.units(text)
    _check_spans(text, spans)
    parts = [Sentence(text[start:end], within(protected, start, end)) for start, end in spans]
    for part, proposal in zip(parts, proposer.propose(parts), strict=True):
        _check_edits(part.text, sorted(proposal.edits, key=lambda e: (e.start, e.end)), part.protected)


TARGETS = (
    Target("german", _german_cases, _check_german),
    Target("english", _english_cases, _check_english),
    Target("back", _back_cases, _check_back),
    Target("guard", _guard_cases, _check_guard),
    Target("answers", _answer_cases, _check_answers),
    Target("replay", _replay_cases, _check_replay),
)
