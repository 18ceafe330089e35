"""How a model is loaded and used: the options of a rewriter, and bundles of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rewriter.language.settings import preset
from rewriter.model.deciders import DECIDERS, NETWORK
from rewriter.options import MOST_THREADS, at_least, at_most, one_of

if TYPE_CHECKING:
    from rewriter.policy import Policy


@dataclass(frozen=True)
class Options:
    """How a model is loaded and used.

    Attributes:
        device: ``cpu``, ``cuda`` or ``auto``.
        threads: batches that run at the same time (0: one per core, at most 4).
        convention: name of the convention; None takes the model's own.
        reflexive: ``themself`` or ``themselves``.
        lexicon: a user's own noun table (TSV with ``gendered``, ``fair``, maybe ``number``).
        beam_size: for sequence-to-sequence models.
        policy: what may be edited at all (:class:`rewriter.policy.Policy`); None allows everything.
        guard: ``strict`` makes only edits that the grammar allows, ``report`` makes all and lists what ``strict``
            would refuse, ``off`` makes all, ``covered`` all but those of a sentence that lost or repeats words,
            ``learned`` those that a sequence-to-sequence model was taught (see :mod:`rewriter.model.guard`).
        gate: ask the model only about sentences that hold a gendered word; False asks about every sentence.
        cache: sentences whose proposals are remembered, see :meth:`Rewriter.forget`; 0 turns that off.
        to: ``fair``, or the way back: ``masculine`` or ``feminine`` (see :mod:`rewriter.model.direction`).
        they: on the way back ``singular`` takes what is recognised as one person, ``all`` every *they* that may be.
        form: how German gender-fair words are written: ``star``, ``colon``, ``gap``, ``slash``, ``binnen-i``, ``pair``.
        normalise: write German gender-fair forms that are there already in that form, too.
        nouns: which English nouns change: ``literature``, the table of the published sets, or ``wide``.
        settings: any other setting of the language by name, as its ``make`` takes it (mapping or pairs).
        decides: who decides what the grammar leaves open: ``network``; or, to see what that is worth, ``constant``
            answers in its place or ``grammar`` alone (see :mod:`rewriter.model.constant`).
        lang: language of a Hugging Face folder whose card does not say it.
        prompt: file with the prompt of a causal language model, ``{text}`` standing for the sentence.
        revision: of a model on the hub; a hub name is downloaded only where this is given, a commit at best.
        constants: with ``constant``: log-odds of each outcome of an edit model; none takes the network's bias.
    """

    device: str = "cpu"
    threads: int = 0
    convention: str | None = None
    reflexive: str = "themself"
    lexicon: str | None = None
    beam_size: int = 1
    policy: Policy | None = None
    guard: str = "strict"
    gate: bool = True
    cache: int = 50_000
    to: str = "fair"
    they: str = "singular"
    form: str = "star"
    normalise: bool = False
    nouns: str = "literature"
    settings: Mapping[str, Any] | tuple[tuple[str, Any], ...] = ()
    decides: str = NETWORK
    constants: tuple[float, ...] = ()
    lang: str | None = None
    prompt: str | None = None
    revision: str | None = None

    def __post_init__(self) -> None:
        one_of(DECIDERS, decides=self.decides)
        at_least(0, threads=self.threads)
        at_least(1, beam_size=self.beam_size)
        at_most(MOST_THREADS, threads=self.threads)
        object.__setattr__(self, "constants", tuple(self.constants))
        # pairs, so that options can be hashed and written down
        object.__setattr__(self, "settings", tuple(sorted(dict(self.settings).items())))


#: names of the options
FIELDS = tuple(Options.__dataclass_fields__)


def with_preset(options: Mapping[str, Any], lang: str) -> dict[str, Any]:
    """Return options with those of their ``preset`` in the place of its name, where they do not say otherwise.

    Raises:
        UsageError: the language has no such preset.
    """
    given = dict(options)
    name = given.pop("preset", None)
    if name is None:
        return given
    from rewriter.policy import Policy

    chosen = preset(lang, name)
    if given.get("policy") is None:
        given["policy"] = Policy(**chosen.policy)
    fields = {name: value for name, value in chosen.settings.items() if name in Options.__dataclass_fields__}
    others = {name: value for name, value in chosen.settings.items() if name not in fields}
    return {**fields, **given, "settings": others | dict(given.get("settings", ()))}


def without_form(options: Options) -> Options:
    """Return the options with the language of the way back: one form of fair words, none of them made anew."""
    return replace(options, form=Options.form, normalise=False)
