"""The swapper of documents: sentences with their mentions are read together, decided together, and written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from augment.de.swapping.decide import decide, written
from augment.de.swapping.finder import Partner, find_mentions
from augment.de.swapping.head import FOLDER, SwapHead
from augment.de.swapping.lexicon import SwapLexicon
from augment.de.swapping.names import FoundName, NameFinder
from augment.de.swapping.reader import Part, Reader
from augment.de.swapping.sentence import SwapSentence
from augment.swap.settings import SwapSettings
from rewriter.de.segmenter import segment
from rewriter.model.cutting import CONTEXT
from rewriter.model.edit_model import load_edit_model
from rewriter.model.proposer import Proposal, Sentence
from rewriter.records import Edit
from rewriter.text.offsets import moved, within

#: what only goes on about a person that its sentence names
_REFERRING = frozenset({"relative", "alone"})


@dataclass(frozen=True)
class Persons:
    """What finds the mentions of a document.

    Attributes:
        lexicon: says what words may be.
        names: finds given names.
        partners: returns for the names of a document who becomes whom.
        settings: of the swapper.
    """

    lexicon: SwapLexicon
    names: NameFinder
    partners: Callable[[set[str]], Partner]
    settings: SwapSettings

    def parts(self, document: Sentence) -> list[Part]:
        """Return the sentences of a document with their mentions."""
        text, spans = document.text, segment(document.text)
        sentences = [SwapSentence(text[a:b], self.lexicon, within(document.protected, a, b)) for a, b in spans]
        found = self._names(sentences)
        partner = self.partners({name.name for names in found for name in names})
        parts = []
        for number, ((start, _), sentence, names) in enumerate(zip(spans, sentences, found, strict=True)):
            before = tuple(text[a:b] for a, b in spans[max(0, number - CONTEXT) : number])
            kept = [name for name in names if partner(name.name)[1]]
            mentions = find_mentions(sentence, kept, partner)
            told = any(mention.kind not in _REFERRING for mention in mentions)
            parts.append(Part(start, sentence, mentions if told else [], before))
        return parts

    def _names(self, sentences: Sequence[SwapSentence]) -> list[list[FoundName]]:
        """Return the given names of each sentence; a surname of the document stays where it stands alone."""
        if not self.names.known:
            return [[] for _ in sentences]
        pairs = [self.names.find(sentence) for sentence in sentences]
        surnames = set().union(*(other for _, other in pairs))
        return [
            [n for n in given if n.name not in surnames or sentence.is_capital(n.token + 1)]
            for sentence, (given, _) in zip(sentences, pairs, strict=True)
        ]


class Turner:
    """Proposes the edits of documents.

    Args:
        persons: finds mentions.
        reader: reads the words of mentions.
        head: says what they mean.
    """

    def __init__(self, persons: Persons, reader: Reader, head: SwapHead) -> None:
        self._persons, self._reader, self._head = persons, reader, head

    @classmethod
    def load(cls, persons: Persons, model: Path, threads: int) -> Turner:
        """Load the encoder of an edit model and the head that belongs to it.

        Raises:
            ModelError: one of them is missing, damaged, or belongs to another.
        """
        head = SwapHead.load(FOLDER, model)
        return cls(persons, Reader(load_edit_model(model, threads=threads), persons.lexicon), head)

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        """Return the edits of each document."""
        documents = [self._persons.parts(document) for document in sentences]
        self._reader.read([part for parts in documents for part in parts], self._head)
        return [Proposal(self._edits(parts)) for parts in documents]

    def _edits(self, parts: Sequence[Part]) -> list[Edit]:
        decided = zip(parts, decide(parts, self._persons.settings), strict=True)
        return [moved(edit, part.offset) for part, decisions in decided for edit in written(part, decisions)]
