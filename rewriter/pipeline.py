"""The rewriter: text in, gender-fair text and edits out, everything else exactly as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, overload

from rewriter.errors import UsageError
from rewriter.io.same_kind import CHUNK, Errors, answer_in_kind
from rewriter.language.interface import Language, completed
from rewriter.language.rules import Rules
from rewriter.model.cutting import Cut, cut_text, reassemble
from rewriter.model.direction import FAIR, check_direction, turn
from rewriter.model.directory import ModelInfo, load_info
from rewriter.model.guard import Checked
from rewriter.model.hub import find_model, push, save
from rewriter.model.load import check_convention, load_proposer, model_language, own_nouns
from rewriter.model.options import FIELDS, Options, with_preset, without_form
from rewriter.model.proposer import Proposal, Proposer, Sentence, propose_parts
from rewriter.model.sentence_cache import SentenceCache
from rewriter.records import Rewrite
from rewriter.runs.per_process import PerProcess

if TYPE_CHECKING:
    from rewriter.model.edit_model import EditModel
    from rewriter.policy import Policy
    from rewriter.report.explain import Explanation

__all__ = ["Options", "Rewriter", "rewrite"]

#: sentences that a proposer gets at a time
SENTENCES = 2048


class Rewriter:
    """Rewrites text with one model.

    Thread-safe: proposers hold no state between calls. Picklable: a copy in another process loads the model again from
    its directory, so a ``datasets`` map or a process pool just works.
    """

    def __init__(
        self,
        proposer: Proposer,
        language: Language,
        info: ModelInfo,
        *,
        folder: Path | None = None,
        options: Options | None = None,
    ) -> None:
        """Make a rewriter of any proposer; what it proposes goes through the guard.

        Args:
            proposer: asked about the sentences that hold a candidate.
            language: cuts sentences, knows the candidates.
            info: describes the model.
            folder: where the model lies, if it lies anywhere.
            options: how it is used.

        Raises:
            UsageError: an unknown mode of the guard, a negative size of the cache.
        """
        self.language, self.info = completed(language), info
        self._folder, self._options = folder, options or Options()
        if self._options.cache < 0:
            raise UsageError(f"cache is a number of sentences, 0 for none, not {self._options.cache}")
        self._proposer: Proposer = Checked(proposer, language, self._options.guard)
        self._custom_proposer: Proposer | None = proposer
        self._forward: tuple[Proposer, Language] = proposer, language
        self._memory = PerProcess(partial(SentenceCache, self._options.cache)) if self._options.cache else None

    @classmethod
    def from_pretrained(cls, name_or_dir: str | Path = "en", **options: Any) -> Rewriter:
        """Load a bundled model by name or a model directory.

        Args:
            name_or_dir: ``en``, a model directory, a Hugging Face folder, or with ``revision`` a name on the hub.
            **options: fields of :class:`Options`; and ``preset``, the name of a bundle of them that the language has,
                which the options given beside it override (a ``policy`` as a whole).

        Raises:
            ModelError: unknown name, or a directory with a missing, truncated or foreign file.
            UsageError: an unknown option or convention.
        """
        folder = find_model(name_or_dir, options.get("revision"))
        info = load_info(folder, lang=options.get("lang"))
        try:
            chosen = Options(**with_preset(options, info.lang))
        except TypeError as error:
            raise UsageError(f"Rewriter.from_pretrained: {error}") from None
        check_direction(chosen.to, chosen.they)
        if chosen.lang not in (None, info.lang):
            raise UsageError(f"the model '{info.name}' is for '{info.lang}', not for '{chosen.lang}'")
        check_convention(chosen, info)
        language = model_language(info, chosen if chosen.to == FAIR else without_form(chosen))
        proposer = load_proposer(folder, info, language, chosen)
        return cls._own(proposer, language, info, folder, chosen)

    @classmethod
    def _own(
        cls, proposer: Proposer, language: Language, info: ModelInfo, folder: Path | None, options: Options
    ) -> Rewriter:
        """Return a rewriter of a model of ours in a direction."""
        turned, back = turn(language, proposer, options.to, options.they, own_nouns(options.lexicon))
        # our own models keep to the guard's mode by themselves, and faster; some modes only they can keep
        rewriter = cls(back, turned, info, folder=folder, options=replace(options, guard=Options.guard))
        rewriter._options, rewriter._proposer, rewriter._custom_proposer = options, back, None
        rewriter._forward = proposer, language
        return rewriter

    def directed(self, to: str, they: str = "singular") -> Rewriter:
        """Return a rewriter of another direction with the same model and options.

        Args:
            to: ``fair``, ``masculine`` or ``feminine``.
            they: see :class:`Options`.

        Raises:
            UsageError: an unknown setting, or the language has no way back.
        """
        options = replace(self._options, to=to, they=they)
        if self._custom_proposer is None and self._folder is not None and options != without_form(options):
            # a pair form names no single word, so the language of the other direction is another one
            return self.from_pretrained(self._folder, **{name: getattr(options, name) for name in FIELDS})
        if self._custom_proposer is None:
            return self._own(*self._forward, self.info, self._folder, options)
        check_direction(to, they)
        if to == FAIR:
            return self
        raise UsageError(f"--to {to} needs a model of this toolkit; a proposer of one's own knows one direction")

    def with_policy(self, policy: Policy | None) -> Rewriter:
        """Return a rewriter that shares model and memory with this one and allows other edits.

        Args:
            policy: see :class:`Options`.
        """
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _options=replace(self._options, policy=policy))
        return other

    def with_rules(self, rules: Rules) -> Rewriter:
        """Return a rewriter that shares the network with this one and whose language asks other rules.

        Args:
            rules: that are asked, for example those that write down who spoke.

        Raises:
            UsageError: this is no rewriter of an edit model.
        """
        return self._with_model(self._edit_model().with_rules(rules))

    def with_encoder(self, wrapped: Callable[[Any], Any]) -> Rewriter:
        """Return a rewriter of another encoder: what ``wrapped`` makes of this one's.

        Raises:
            UsageError: this is no rewriter of an edit model.
        """
        return self._with_model(self._edit_model().with_encoder(wrapped))

    def _edit_model(self) -> EditModel:
        """Return the model of the way to fair text, which the way back asks, too."""
        from rewriter.model.edit_model import EditModel

        model, _ = self._forward
        if self._custom_proposer is not None or not isinstance(model, EditModel):
            raise UsageError(f"the model '{self.info.name}' is no edit model")
        return model

    def _with_model(self, model: EditModel) -> Rewriter:
        """Return a rewriter of another model in the same direction; it remembers nothing."""
        options = self._options
        language, proposer = turn(model.language, model, options.to, options.they, own_nouns(options.lexicon))
        other = object.__new__(type(self))
        own = {"_proposer": proposer, "language": completed(language), "_forward": (model, model.language)}
        other.__dict__.update(self.__dict__, **own, _memory=None)
        return other

    def save_pretrained(self, folder: str | Path, *, licence: str = "") -> Path:
        """Write the model as a directory that :meth:`from_pretrained` reads and the hub shows properly.

        Args:
            folder: made anew; one that holds something else is refused.
            licence: of the weights, as the hub writes it (``apache-2.0``).

        Raises:
            UsageError: the rewriter has no model of its own, or the folder is not empty.
        """
        if self._folder is None:
            raise UsageError("a rewriter made of a proposer of one's own has no model that could be saved")
        return save(self._folder, self.info, Path(folder), licence=licence, prompt=self._options.prompt)

    def push_to_hub(self, name: str, *, licence: str = "", private: bool = False, revision: str | None = None) -> str:
        """Upload the model to the hub; nothing else in this toolkit sends anything anywhere.

        Args:
            name: of the repository, ``ORGANISATION/NAME``.
            licence: as :meth:`save_pretrained` has it.
            private: make a repository that others cannot see, where there is none yet.
            revision: branch to upload to.

        Returns:
            Address of the commit.

        Raises:
            MissingExtraError: huggingface_hub is not installed.
            ModelError: the hub refused, or cannot be reached.
        """
        if self._folder is None:
            raise UsageError("a rewriter made of a proposer of one's own has no model that could be uploaded")
        prompt = self._options.prompt
        return push(self._folder, self.info, name, private=private, revision=revision, licence=licence, prompt=prompt)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._custom_proposer is not None:
            return (_remake, (type(self), self._custom_proposer, self.language, self.info, self._folder, self._options))
        return (_reload, (str(self._folder), self._options))

    @property
    def options(self) -> Options:
        """How the model is used."""
        return self._options

    def forget(self) -> None:
        """Forget the remembered sentences.

        A sentence's answer may depend, in the last digits of the model's arithmetic, on the sentences beside it in a
        batch; a remembered answer therefore depends on what was rewritten before. Emptying the memory makes what
        follows depend on its own content alone; corpus rewriting does so at the beginning of every shard.
        """
        if self._cache is not None:
            self._cache.clear()

    @property
    def _cache(self) -> SentenceCache | None:
        return None if self._memory is None else self._memory.get()

    @property
    def cache_counts(self) -> tuple[int, int]:
        """How many different sentences were looked up in the memory since it was emptied, and how many found."""
        cache = self._cache
        return (0, 0) if cache is None else (cache.asked, cache.hits)

    @overload
    def rewrite(self, texts: str, *, return_edits: Literal[False] = False, errors: Errors = ...) -> str: ...
    @overload
    def rewrite(self, texts: str, *, return_edits: Literal[True], errors: Errors = ...) -> Rewrite: ...
    @overload
    def rewrite(
        self, texts: list[str] | tuple[str, ...], *, return_edits: Literal[False] = False, errors: Errors = ...
    ) -> list[str]: ...
    @overload
    def rewrite(
        self, texts: list[str] | tuple[str, ...], *, return_edits: Literal[True], errors: Errors = ...
    ) -> list[Rewrite]: ...
    @overload
    def rewrite(
        self, texts: Iterator[str], *, return_edits: Literal[False] = False, errors: Errors = ...
    ) -> Iterator[str]: ...
    @overload
    def rewrite(
        self, texts: Iterator[str], *, return_edits: Literal[True], errors: Errors = ...
    ) -> Iterator[Rewrite]: ...
    @overload
    def rewrite(self, texts: Any, *, return_edits: bool, errors: Errors = ...) -> Any: ...

    def rewrite(self, texts: Any, *, return_edits: bool = False, errors: Errors = "raise") -> Any:
        """Rewrite a text, a list of texts, or an iterator of texts (lazily); the order is kept.

        Args:
            texts: any text: a sentence, a paragraph, a document.
            return_edits: return :class:`~rewriter.records.Rewrite` (text and edits) instead of strings.
            errors: what becomes of a text on which the toolkit fails: ``raise`` an error, or ``keep`` it as it is, the
                reason being in :attr:`Rewrite.error <rewriter.records.Rewrite.error>`.

        Returns:
            The same kind of thing that came in.

        Raises:
            UsageError: an element is not a string.
            TextError: the toolkit fails on a text; the message names its index, the cause is chained.
        """
        return answer_in_kind(
            texts,
            partial(self._rewrite_many, cache=self._cache),
            return_edits=return_edits,
            called="rewrite",
            errors=errors,
            probe=partial(self._rewrite_many, cache=None),
        )

    def explain(self, text: str) -> Explanation:
        """Return for every candidate word of a text what was possible, what the network said, and who decided.

        Args:
            text: any text: a sentence, a paragraph, a document.

        Returns:
            The explanation. Its note says why nothing is explained: the gate let nothing through, or the rewriter is
            none of an edit model on the way to fair text behind the strict guard.

        Raises:
            UsageError: ``text`` is not a string.
        """
        from rewriter.model.edit_model import EditModel
        from rewriter.report.explain import Explanation, explain_rewrite

        if not isinstance(text, str):
            raise UsageError(f"explain() takes a string, not {type(text).__name__}")
        model = self._proposer
        if not isinstance(model, EditModel) or self._options.guard != "strict":
            return Explanation(text, self.rewrite(text), note=self._unexplained())
        cut = self._cut(text)
        # batches are formed as rewriting forms them, so that the last digits are the same
        unique = list(dict.fromkeys(sentence for _, sentence in cut.asked))
        parts = [unique[i : i + SENTENCES] for i in range(0, len(unique), SENTENCES)]
        known = dict(zip(unique, chain.from_iterable(map(model.read, parts)), strict=True))
        proposals = iter([Proposal(known[sentence].edits) for _, sentence in cut.asked])
        heard = {sentence: replace(known[sentence], spoken=model.heard(sentence)) for sentence in unique}
        read = [(offset, sentence, heard[sentence]) for offset, sentence in cut.asked]
        return explain_rewrite(
            text, reassemble(text, cut, proposals, self.language, self._options.policy), read, self.language
        )

    def _unexplained(self) -> str:
        """Return why this rewriter's decisions cannot be explained."""
        if self._options.to != FAIR:
            return f"the way back (--to {self._options.to}) is not explained, only the way to fair text"
        if self._options.guard != "strict":
            return f"only what comes out behind the strict guard is explained, not --guard {self._options.guard}"
        return f"the model '{self.info.name}' is no edit model: it decides no single words that could be explained"

    def rewrite_dataset(
        self,
        dataset: Any,
        *,
        column: str | Sequence[str] = "text",
        edits: str | None = None,
        batch_size: int = CHUNK,
        errors: Errors = "raise",
        **options: Any,
    ) -> Any:
        """Rewrite text columns of a ``datasets`` data set; other columns, types and missing texts (None) stay.

        ``datasets`` finds what it has computed before when model, options and data set are the same.

        Args:
            dataset: a ``Dataset``, an ``IterableDataset`` (which stays a stream), or a dictionary of them by split.
            column: name of a text column, way to nested texts (``meta.body``, ``messages.*.content``), or several.
            edits: name of a new column for the edits of every row; None for none.
            batch_size: rows at a time.
            errors: as :meth:`rewrite` has it; what is kept is told by a warning in the log.
            **options: passed on to ``dataset.map`` (``num_proc`` ...).

        Raises:
            UsageError: there is no such column, it holds something else than text, or ``edits`` does not fit.
            TextError: the toolkit fails on a text.
        """
        from rewriter.io.dataset_map import map_dataset

        columns = [column] if isinstance(column, str) else list(column)
        return map_dataset(self, dataset, columns, edits=edits, batch_size=batch_size, errors=errors, options=options)

    def _rewrite_many(self, texts: Sequence[str], cache: SentenceCache | None) -> list[Rewrite]:
        for number, text in enumerate(texts):
            if not isinstance(text, str):
                raise UsageError(f"rewrite() takes strings; element {number} is {type(text).__name__}")
        cut = [self._cut(text) for text in texts]
        sentences = [sentence for part in cut for _, sentence in part.asked]
        proposals = iter(self._proposals(sentences, cache))
        return [
            reassemble(text, spans, proposals, self.language, self._options.policy)
            for text, spans in zip(texts, cut, strict=True)
        ]

    def _cut(self, text: str) -> Cut:
        return cut_text(text, self.language, gate=self._options.gate)

    def _proposals(self, sentences: list[Sentence], cache: SentenceCache | None) -> Iterable[Proposal]:
        if cache is None:
            return self._propose(sentences)
        unique = list(dict.fromkeys(sentences))
        known = cache.find(unique)
        fresh = [sentence for sentence in unique if sentence not in known]
        proposals = list(self._propose(fresh))
        # stored only now, so that nothing depends on which part of the sentences is computed first
        cache.store(fresh, proposals)
        known.update(zip(fresh, proposals, strict=True))
        return (known[sentence] for sentence in sentences)

    def _propose(self, sentences: list[Sentence]) -> Iterator[Proposal]:
        # some at a time: the analysis of a sentence takes a hundred times its memory, and a text may be a whole book
        parts = [sentences[i : i + SENTENCES] for i in range(0, len(sentences), SENTENCES)]
        return chain.from_iterable(propose_parts(self._proposer, parts))


def _reload(folder: str, options: Options) -> Rewriter:
    return Rewriter.from_pretrained(folder, **{name: getattr(options, name) for name in FIELDS})


def _remake(
    cls: type[Rewriter], proposer: Proposer, language: Language, info: ModelInfo, folder: Path | None, options: Options
) -> Rewriter:
    return cls(proposer, language, info, folder=folder, options=options)


_DEFAULT_LOCK = PerProcess(Lock)


@cache
def _default(name: str) -> Rewriter:
    return Rewriter.from_pretrained(name)


@cache
def _default_back(name: str, to: str, they: str) -> Rewriter:
    return _default(name).directed(to, they)


def rewrite(
    texts: Any,
    *,
    model: str = "en",
    return_edits: bool = False,
    errors: Errors = "raise",
    to: str = "fair",
    they: str = "singular",
) -> Any:
    """Rewrite with a bundled model (loaded once per process): ``rewrite("She knows her stuff.")``.

    See :meth:`Rewriter.rewrite`; ``to`` and ``they`` are those of :class:`Options`.
    """
    check_direction(to, they)
    with _DEFAULT_LOCK.get():
        rewriter = _default(str(model)) if to == FAIR else _default_back(str(model), to, they)
    result: Any = rewriter.rewrite(texts, return_edits=return_edits, errors=errors)
    return result
