"""Pairs from a larger model's answers: what a teacher makes of ordinary text, for a smaller model to learn from.

Sequence-level knowledge distillation (Kim & Rush 2016, section 3.2) for decisions: the target is what the teacher
writes once its decisions agree with each other. A word whose decision the teacher was not sure of gives no label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from augment.languages import RuleResult
from augment.select import LineSentence
from eval.reading.gold import replay
from rewriter.model.edit_model import Reading, load_edit_model
from rewriter.model.proposer import single_sentence
from rewriter.options import check_share

#: the strategies' names, by which a mixture weighs their pairs: decisions for a smaller edit model, and whole sentences
#: for a sequence-to-sequence model
TEACHER, DISTILLED = TAUGHT = ("teacher", "distilled")


@dataclass(frozen=True)
class TeacherOptions:
    """Who teaches, and what counts.

    Attributes:
        model: edit model, by its bundled name or its folder.
        sure: probability among a word's outcomes from which what was chosen is a label.
        settled: sentences in which rules decide every candidate teach, too: for a model that is to do without them.
    """

    model: str
    sure: float = 0.6
    settled: bool = False

    def __post_init__(self) -> None:
        check_share(zero=True, one=True, sure=self.sure)


class Teacher:
    """Answers sentences with pairs.

    Args:
        options: who teaches.
        threads: parallel batches of the model.
        whole: the target counts as a whole: sentences in which nothing is left to decide teach as well, and one with a
            word that the teacher is not sure of is left out.

    Raises:
        ModelError: there is no such model.
        UsageError: it is no edit model.
    """

    def __init__(self, options: TeacherOptions, *, threads: int = 1, whole: bool = False) -> None:
        self._model = load_edit_model(options.model, threads=threads)
        self._sure, self._whole, self._settled = options.sure, whole, options.settled

    def __call__(self, sentences: Sequence[LineSentence]) -> list[list[RuleResult]]:
        """Return for every sentence its pair; nothing where no whole is asked and nobody has anything to decide."""
        language = self._model.language
        readings = self._model.read(
            [single_sentence(sentence.text, sentence.before, language) for sentence in sentences]
        )
        return [
            [self._result(sentence.text, reading)] if self._teaches(reading) else []
            for sentence, reading in zip(sentences, readings, strict=True)
        ]

    def _teaches(self, reading: Reading) -> bool:
        return bool(reading.shares) or self._whole or (self._settled and bool(reading.analysis.candidates))

    def _result(self, text: str, reading: Reading) -> RuleResult:
        target = replay(text, [(edit.start, edit.end, edit.after) for edit in reading.edits])
        doubtful, statistics = [], Counter[str]()
        written = {(edit.start, edit.end): edit.after for edit in reading.edits}
        for index, shares in reading.shares.items():
            candidate = reading.analysis.candidates[index]
            span = (candidate.start, candidate.end)
            after = written.get(span, text[slice(*span)])
            sure = sum(part for part, (_, option) in zip(shares, candidate.options, strict=True) if option == after)
            statistics[f"{candidate.kind}:{'sure' if sure >= self._sure else 'unsure'}"] += 1
            if sure < self._sure:
                doubtful.append(span)
        form = "neutral" if target == text else "mixed"
        dropped = "the teacher is not sure of a word" if self._whole and doubtful else ""
        return RuleResult(text, target, form, tuple(reading.edits), tuple(doubtful), statistics, dropped)
