"""What a translator is trained from and how; one YAML file, or the sections of a recipe with a round trip."""

from __future__ import annotations

from dataclasses import dataclass, field

from rewriter.errors import UsageError
from rewriter.options import at_least, folder_name, one_of, share
from train.export import QUANTIZATIONS
from train.seq2seq_config import Seq2SeqConfig
from train.tokenizer import TokenizerConfig

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

    def __post_init__(self) -> None:
        at_least(1, dev_size=self.dev_size, test_size=self.test_size, max_words=self.max_words)
        share(zero=True, one=True, tag_share=self.tag_share)


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
        tokenizer: joint vocabulary.
        train: model and training.
        quantization: of the exported weights.
    """

    source: str
    target: str
    data: BitextConfig
    name: str = ""
    kind: str = "translator"
    gender_tags: bool = False
    tokenizer: TokenizerConfig = field(default_factory=TokenizerConfig)
    train: Seq2SeqConfig = field(default_factory=Seq2SeqConfig)
    quantization: str = "int8"

    def __post_init__(self) -> None:
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
        one_of(QUANTIZATIONS, quantization=self.quantization)
