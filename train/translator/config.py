"""What a translator is trained from and how; one YAML file, or the sections of a recipe with a round trip."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from augment.round_trip.back_translation import BackTranslationConfig
from rewriter.errors import UsageError
from rewriter.options import at_least, check_share, folder_name, one_of, positive
from train.export.ctranslate import QUANTIZATIONS
from train.seq2seq.config import Seq2SeqConfig
from train.seq2seq.tokenizer import TokenizerConfig

__all__ = ["BitextConfig", "TranslatorConfig"]


@dataclass(frozen=True)
class BitextConfig:
    """Which sentence pairs, and how they are cut into parts.

    Attributes:
        inputs: files (or globs) of sentence pairs: lines with the languages of ``columns`` between tabs.
        columns: languages of the first columns of the files.
        exclude: globs over file names, or ``licence:`` and a glob over the licence in ``MANIFEST.tsv``.
        max_words: longest sentence.
        length_ratio: pairs with more words on one side for a word of the other are left out.
        dev_size: different sources of the development part.
        test_size: different sources of the test part, on which BLEU is measured.
        tag_share: with gender tags, the share of the sentences with masculine persons only that carry the tag.
        feminine_copies: how often each sentence with feminine persons only is taken with its tag (they are rare).
        seed: of the parts and the tags.
        measured: sets that are only measured, by name: files of the same columns. Training holds neither side of any.
        measured_most: sentences of each such set that are scored, from the first on; 0 for all.
        plain_share: share of the pairs that are learnt, where back-translated text is to weigh more than they; with
            ``contrasts``, of the pairs without contrasting targets.
        joined_share: share of the training pairs behind which stands one more, of this and one to three others joined,
            where sentences are short and what is translated later is not (Kondo et al. 2021).
    """

    inputs: list[str]
    columns: list[str] = field(default_factory=lambda: ["de", "en"])
    exclude: list[str] = field(default_factory=list)
    max_words: int = 60
    length_ratio: float = 3.0
    dev_size: int = 1000
    test_size: int = 1000
    tag_share: float = 0.5
    feminine_copies: int = 4
    seed: int = 1
    measured: dict[str, str] = field(default_factory=dict)
    measured_most: int = 0
    plain_share: float = 1.0
    joined_share: float = 0.0

    def identity(self) -> dict[str, Any]:
        """Return the options on which the parts depend; the digests of the files stand beside them."""
        left_out = {"inputs", "exclude", "measured"}
        left_out |= {"plain_share"} if self.plain_share == 1.0 else set()  # as before there were such keys
        left_out |= {key for key in ("measured_most", "joined_share") if not getattr(self, key)}
        return {key: value for key, value in asdict(self).items() if key not in left_out}

    def __post_init__(self) -> None:
        at_least(1, dev_size=self.dev_size, test_size=self.test_size, max_words=self.max_words)
        shares = {name: getattr(self, name) for name in ("tag_share", "plain_share", "joined_share")}
        check_share(zero=True, one=True, **shares)
        folder_name(**{f"measured.{name}": name for name in self.measured})


@dataclass(frozen=True)
class TranslatorConfig:
    """A translation model from the beginning.

    Attributes:
        source: language that is read.
        target: language that is written.
        data: sentence pairs.
        name: of the model and the run's folder; ``SOURCE-TARGET`` by default.
        kind: ``translator``.
        gender_tags: train with ``<fem>`` and ``<masc>`` in front of sources whose target has persons of one gender
            (Amrhein et al. 2023, section 4.2, Gender Control; the tags are made from the target's person words).
        contrasts: train with these tags in front of contrasting targets, which are made from the target's gender-fair
            forms (appendix G: *Schülerinnen und Schüler* gives *Schülerinnen* and *Schüler*); for fine-tuning.
        patterns: file with the gender-fair forms of a target language without rules
            (:mod:`augment.round_trip.patterns`).
        init: weights to start from: the folder ``train`` of another run, whose vocabulary is kept.
        back_translation: monolingual text of the target language, translated by a translator the other way round.
        tokenizer: joint vocabulary.
        train: model and training.
        quantization: of the exported weights.
        beam_size: hypotheses kept in the search by which BLEU is measured; 1 is greedy.
    """

    source: str
    target: str
    data: BitextConfig
    name: str = ""
    kind: str = "translator"
    gender_tags: bool = False
    contrasts: bool = False
    patterns: str = ""
    init: str = ""
    back_translation: BackTranslationConfig | None = None
    tokenizer: TokenizerConfig = field(default_factory=TokenizerConfig)
    train: Seq2SeqConfig = field(default_factory=Seq2SeqConfig)
    quantization: str = "int8"
    beam_size: int = 1

    def __post_init__(self) -> None:
        positive(beam_size=self.beam_size)
        one_of(("translator",), kind=self.kind)
        if not self.name:
            object.__setattr__(self, "name", f"{self.source}-{self.target}")
        folder_name(name=self.name)
        for lang in (self.source, self.target):
            if lang not in self.data.columns:
                raise UsageError(
                    f"the files have columns {', '.join(self.data.columns)}, none of them '{lang}'; set data.columns"
                )
        if self.source == self.target:
            raise UsageError(f"source and target are both '{self.source}'; name two languages")
        if self.gender_tags and self.contrasts:
            raise UsageError("gender_tags takes targets as they are, contrasts makes them; choose one")
        one_of(QUANTIZATIONS, quantization=self.quantization)
