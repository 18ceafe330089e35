"""Sentences of corpora with their right rewriting, stored stand-off: file, line, span, digest, edits; never the text.

A corpus may not be copied into a repository, what somebody decided about its sentences may. Such a record finds its
sentence again in the file that it names, and the digest tells that it is still the same sentence.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from rewriter.errors import InputError
from rewriter.io.files import atomic_write, json_line, read_lines

__all__ = ["FoundSentence", "GoldSentence", "find_sentences", "load_gold", "save_gold"]

#: hexadecimal digits of a sentence's digest: a clash within a set is out of the question, and the text is not in it
DIGEST_SIZE = 16


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """One sentence of a corpus and what became of it.

    Attributes:
        id: names the sentence within its set.
        file: path of the text file, relative to the data folder, with ``/``.
        line: number of the line, from 1.
        start: offset of the sentence's first character in the line.
        end: offset after its last character.
        digest: of the sentence, see :func:`digest`.
        edits: (start, end, new text) in characters of the sentence, in order; empty where the sentence stays; None
            where nobody has read it yet.
        draw: how it was drawn: ``random``, or a name of what was looked for.
        genre: stratum that it was drawn from.
        reader: who read it; readings of one sentence by two readers are two records.
        outside: the right answer was not among the outcomes of the language's candidates when it was read back: a word
            is missing in the tables, or the reader slipped. Measuring keeps such a sentence.
    """

    id: str
    file: str
    line: int
    start: int
    end: int
    digest: str
    edits: tuple[tuple[int, int, str], ...] | None = None
    draw: str = "random"
    genre: str = ""
    reader: str = ""
    outside: bool = False

    @property
    def place(self) -> tuple[str, int, int, int]:
        """File, line, and the span in the line."""
        return self.file, self.line, self.start, self.end

    @property
    def stays(self) -> bool:
        """Whether the right answer is the sentence itself."""
        return not self.edits

    def read(self, source: str, target: str, reader: str) -> GoldSentence:
        """Return the record with the edits that make ``target`` of ``source``."""
        return replace(self, edits=tuple(word_edits(source, target)), reader=reader)


@dataclass(frozen=True, slots=True)
class FoundSentence:
    """A record with the text that it is about.

    Attributes:
        gold: the record.
        before: what stands before the sentence in its line.
        text: the sentence.
        after: what stands after it in its line.
    """

    gold: GoldSentence
    before: str
    text: str
    after: str

    @property
    def line(self) -> str:
        """The whole line."""
        return f"{self.before}{self.text}{self.after}"

    @property
    def target(self) -> str:
        """The right rewriting of the sentence."""
        return replay(self.text, self.gold.edits or ())


def digest(sentence: str) -> str:
    """Return the first digits of the SHA-256 of a sentence (UTF-8, lone surrogates as they are)."""
    return hashlib.sha256(sentence.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST_SIZE]


def replay(source: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Return ``source`` with edits (start, end, new text), in order and not overlapping, made."""
    parts, position = [], 0
    for start, end, after in edits:
        parts += [source[position:start], after]
        position = end
    return "".join(parts) + source[position:]


def word_edits(source: str, target: str) -> Iterator[tuple[int, int, str]]:
    """Yield the least edits, of whole words, that make ``target`` of ``source``."""
    old, new = _words(source), _words(target)
    matcher = SequenceMatcher(None, [w for w, _ in old], [w for w, _ in new], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            start = old[i1][1] if i1 < len(old) else len(source)
            end = old[i2][1] if i2 < len(old) else len(source)
            yield start, end, "".join(word for word, _ in new[j1:j2])


def _words(text: str) -> list[tuple[str, int]]:
    """Return (word or what stands between words, offset); joined they are the text."""
    words: list[tuple[str, int]] = []
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not (text[at].isalnum() and text[at - 1].isalnum()):
            words.append((text[start:at], start))
            start = at
    return words


def load_gold(path: Path) -> list[GoldSentence]:
    """Read a file of records, one JSON object a line.

    Raises:
        InputError: the file cannot be read or a line is no record.
    """
    found = []
    for number, line in enumerate(read_lines(path), 1):
        try:
            record = json.loads(line)
            edits = record.get("edits")
            if edits is not None:
                record["edits"] = tuple((int(a), int(b), str(c)) for a, b, c in edits)
            found.append(GoldSentence(**record))
        except (TypeError, ValueError) as error:
            raise InputError(f"{path}:{number}: not a stand-off record ({error})") from None
    return found


def save_gold(path: Path, sentences: Iterable[GoldSentence]) -> None:
    """Write records, one JSON object a line; defaults are left out."""
    with atomic_write(path) as stream:
        for sentence in sentences:
            stream.write(json_line(_record(sentence)))


def _record(sentence: GoldSentence) -> dict[str, Any]:
    return {k: v for k, v in asdict(sentence).items() if v is not False and v not in ("", None)}


def find_sentences(sentences: Sequence[GoldSentence], data: Path) -> list[FoundSentence]:
    """Return the records with their sentences, in the order given.

    Args:
        sentences: the records.
        data: the data folder that their files lie in.

    Raises:
        InputError: a file is missing, or a line does not hold the sentence any more.
    """
    lines: dict[tuple[str, int], str] = {}
    wanted: Mapping[str, set[int]] = defaultdict(set)
    for sentence in sentences:
        wanted[sentence.file].add(sentence.line)
    for file, numbers in wanted.items():
        last = max(numbers)
        for number, line in enumerate(read_lines(data / file, errors="replace"), 1):
            if number in numbers:
                lines[file, number] = line
            if number >= last:
                break
    return [_found(sentence, lines.get((sentence.file, sentence.line), ""), data) for sentence in sentences]


def _found(sentence: GoldSentence, line: str, data: Path) -> FoundSentence:
    text = line[sentence.start : sentence.end]
    if digest(text) != sentence.digest:
        raise InputError(
            f"{data / sentence.file}:{sentence.line}: not the sentence that was read (record {sentence.id}); "
            "the file is another version than the one that the records were made from"
        )
    return FoundSentence(sentence, line[: sentence.start], text, line[sentence.end :])
