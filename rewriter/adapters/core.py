"""What every step of a pipeline holds: a rewriter that can be pickled, and counts that can be added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from rewriter.corpus.job import RewriterSpec
from rewriter.language.detect import is_language
from rewriter.pipeline import Rewriter
from rewriter.records import Rewrite
from rewriter.runs.per_process import PerProcess

__all__ = ["BatchRewriter"]

T = TypeVar("T")

#: documents that a step gathers before it rewrites them together
BATCH = 1024


@cache
def _held(spec: RewriterSpec) -> PerProcess[Rewriter]:
    """Return what holds a rewriter, one for each process however many copies of a step there are."""
    return PerProcess(spec.load)


@dataclass(frozen=True)
class BatchRewriter:
    """Rewrites batches of texts; a pickled copy is a few names, the model is loaded when it is first asked.

    Attributes:
        spec: model and options.
        detect: leave texts alone that are not in the model's language.
    """

    spec: RewriterSpec = field(default_factory=RewriterSpec)
    detect: bool = False

    @classmethod
    def of(cls, model: str = "en", *, detect: bool = False, **options: Any) -> BatchRewriter:
        """Return the batch rewriter of ``Rewriter.from_pretrained(model, **options)``."""
        return cls(RewriterSpec.of(model, **options), detect)

    def rewrite(self, texts: Sequence[str | None]) -> list[Rewrite]:
        """Return what becomes of texts, in their order.

        Args:
            texts: of a batch; None, a missing text, is answered with an empty one that counts nowhere.

        Returns:
            A rewrite for each; a text on which the toolkit fails stays as it is and says so in ``error``.

        Raises:
            ModelError: there is no such model.
            UsageError: an option is wrong, or a text is no string.
        """
        rewriter = _held(self.spec).get()
        taken = [text if self._takes(text, rewriter) else "" for text in texts]
        done = rewriter.rewrite(taken, return_edits=True, errors="keep")
        return [rewrite if taken[i] else Rewrite(texts[i] or "") for i, rewrite in enumerate(done)]

    def _takes(self, text: str | None, rewriter: Rewriter) -> bool:
        return bool(text) and not (self.detect and not is_language(str(text), rewriter.language.code))


def batches(items: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    """Yield items some at a time, in their order."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def counts(rewrites: Sequence[Rewrite]) -> Counter[str]:
    """Return numbers for the statistics of a pipeline: texts, changed and failed ones, edits in all and by kind."""
    found = Counter(f"edits_{edit.kind}" for rewrite in rewrites for edit in rewrite.edits)
    found["edits"] = found.total()
    found["texts"] = len(rewrites)
    found["changed"] = sum(bool(rewrite.edits) for rewrite in rewrites)
    found["failed"] = sum(rewrite.error is not None for rewrite in rewrites)
    return found


def edit_records(rewrite: Rewrite) -> list[dict[str, Any]]:
    """Return the edits of a text as JSON values."""
    return [asdict(edit) for edit in rewrite.edits]
