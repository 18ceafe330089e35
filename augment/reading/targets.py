"""Targets read back from sheets: checked against the language's candidates, stored without the text.

An answer that no outcome of the candidates gives is a hole in the tables or a slip of the reader; it is listed with the
word that changed, and stored all the same, since it is what the text should be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from augment.reading.sheet import UNCHANGED, UNDECIDABLE, Row
from eval.reading.context import in_context
from eval.reading.gold import FoundSentence, GoldSentence, find_sentences, load_gold, save_gold
from rewriter.language.candidates import Analysis, Candidate
from rewriter.language.interface import Language
from rewriter.model.alignment import cut, match_outcomes
from rewriter.model.proposer import analyze

#: what is found at an answer; the first three leave the sentence out
UNREAD, CANNOT_TELL, OTHER_TEXT = "not read", "undecidable", "another sentence"
NO_CANDIDATE, NO_OUTCOME, SPACES = "no candidate", "no such outcome", "white space"
PROTECTED, SETTLED = "protected", "settled otherwise"
#: those with which the answer is outside the candidates
OUTSIDE = frozenset({NO_CANDIDATE, NO_OUTCOME, SPACES})


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to look at in an answer.

    Attributes:
        id: of the sentence.
        kind: ``undecidable`` or ``another sentence`` (left out); ``no candidate``, ``no such outcome`` or ``white
            space`` (outside the candidates); ``protected`` (a rewriter leaves the word alone: code, an address);
            ``settled otherwise`` (the grammar decides the word without the model, and not so).
        detail: which word became what, and what was allowed.
    """

    id: str
    kind: str
    detail: str = ""


@dataclass
class Imported:
    """What came of a sheet.

    Attributes:
        records: read sentences, ready to be stored.
        findings: what is to be looked at.
        unread: rows without an answer.
    """

    records: list[GoldSentence] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    unread: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """How many sentences were read, how many of them stay or lie outside, and the findings by kind."""
        outside, stay = sum(r.outside for r in self.records), sum(r.stays for r in self.records)
        kinds = Counter(finding.kind for finding in self.findings)
        return {"read": len(self.records), "stay": stay, "outside": outside, UNREAD: self.unread, **dict(kinds)}

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"counts": self.counts, "findings": [asdict(finding) for finding in self.findings]}


def import_targets(rows: Sequence[Row], *, data: Path, language: Language, reader: str) -> Imported:
    """Turn the answers of a sheet into records.

    Args:
        rows: of a sheet, with targets.
        data: the data folder that the texts lie in.
        language: has the candidates.
        reader: who read them.

    Raises:
        InputError: a text is missing or another version than the sheet was made from.
    """
    found = Imported()
    answered = [row for row in rows if row.target.strip()]
    found.unread = len(rows) - len(answered)
    for row, sentence in zip(answered, find_sentences([row.gold for row in answered], data), strict=True):
        _add(found, row, sentence, language, reader)
    return found


def _add(found: Imported, row: Row, sentence: FoundSentence, language: Language, reader: str) -> None:
    if row.text and row.text != sentence.text:
        found.findings.append(Finding(row.gold.id, OTHER_TEXT, "the column 'text' was changed, or rows were mixed up"))
        return
    if row.target.strip() == UNDECIDABLE:
        found.findings.append(Finding(row.gold.id, CANNOT_TELL, row.note))
        return
    target = answer_of(row, sentence.text)
    problems = list(check(sentence, target, language))
    found.findings += problems
    outside = any(problem.kind in OUTSIDE for problem in problems)
    found.records.append(replace(row.gold.read(sentence.text, target, reader), outside=outside))


def answer_of(row: Row, text: str) -> str:
    """Return the target of a row; white space at its ends, which editors add and take away, is that of the sentence."""
    answer = row.target.strip()
    if answer == UNCHANGED != text.strip():
        return text
    start = len(text) - len(text.lstrip())
    return text[:start] + answer + text[len(text.rstrip()) :]


def check(found: FoundSentence, target: str, language: Language) -> Iterator[Finding]:
    """Yield what is to be said about an answer: why no candidates give it, or why a rewriter would not make it."""
    sentence, name = in_context(found, language), found.gold.id
    free = language.analyze(found.text, training=True)
    met = analyze(language, sentence)
    options = match_outcomes(found.text, target, met.candidates)
    if options is not None:
        yield from (Finding(name, SETTLED, detail) for detail in _settled(found.text, met, options))
    elif match_outcomes(found.text, target, free.candidates) is not None:
        yield Finding(name, PROTECTED, "the text is code, an address, a quotation or in another language")
    else:
        yield from (Finding(name, *reason) for reason in _unexplained(found.text, target, free.candidates, language))


def _settled(text: str, analysis: Analysis, options: Iterable[int]) -> Iterator[str]:
    for candidate, option in zip(analysis.candidates, options, strict=True):
        outcome, after = candidate.options[option]
        if candidate.forced is not None and candidate.forced != outcome:
            rule = next(text for known, text in candidate.options if known == candidate.forced)
            yield f"{text[candidate.start : candidate.end]}: read as {after}, the grammar says {rule}"


def _unexplained(
    text: str, target: str, candidates: Sequence[Candidate], language: Language
) -> Iterator[tuple[str, str]]:
    """Yield kind and detail of each change that no candidate explains."""
    changes = [edit for edit in cut(text, target, candidates, language.tokenize) if edit.kind == "other"]
    if not any(edit.before.strip() or edit.after.strip() for edit in changes):
        yield SPACES, "only white space differs from an allowed answer"
        return
    for edit in changes:
        near = [c for c in candidates if c.start < max(edit.end, edit.start + 1) and edit.start <= c.end]
        start, end = _word(text, edit.start, edit.end)
        word = f"{text[start:end]} -> {text[start : edit.start]}{edit.after}{text[edit.end : end]}"
        if near:
            allowed = ", ".join(after for c in near for _, after in c.options)
            yield NO_OUTCOME, f"{word}; allowed: {allowed}"
        elif edit.before.strip() or edit.after.strip():
            yield NO_CANDIDATE, word


def _word(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span widened to the letters that it touches."""
    while start and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return start, end


def store(path: Path, records: Sequence[GoldSentence]) -> tuple[int, int]:
    """Write records into a file of them; what another reader said, or about other sentences, stays there.

    Returns:
        How many records are new, and how many take the place of an older reading by the same reader.

    Raises:
        InputError: the file that is there holds no records.
        OutputError: it cannot be written.
    """
    old = {(gold.place, gold.reader): gold for gold in (load_gold(path) if path.exists() else ())}
    new = {(gold.place, gold.reader): gold for gold in records}
    replaced = len(old.keys() & new.keys())
    save_gold(path, (old | new).values())
    return len(new) - replaced, replaced
