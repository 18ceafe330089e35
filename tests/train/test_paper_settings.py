"""What docs/train/paper.md calls the same as in the paper is the default of the code, or stands in the recipes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from augment.filtering import FilterConfig
from augment.mixing import MixConfig
from augment.round_trip.merge import MergeConfig
from eval.bootstrap import Resampling
from eval.human.design import FIXED, Design
from train.seq2seq.config import Seq2SeqConfig
from train.seq2seq.tokenizer import TokenizerConfig

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "train" / "paper.md").read_text(encoding="utf-8")
#: item of the page -> what the paper says, and the same of the code
DEFAULTS: dict[str, tuple[str, str]] = {
    "sentences with nothing to rewrite": ("30 % of the whole", f"{MixConfig().neutral_share:.0%}".replace("%", " %")),
    "LengthFilter": ("1 to 150 words", f"{FilterConfig().min_words} to {FilterConfig().max_words}"),
    "LongWordFilter": ("40", f"{FilterConfig().longest_word}"),
    "AlphabetRatioFilter": ("0.5", f"{FilterConfig().alphabet_ratio}"),
    "vocabulary": ("joint, 8,000, BPE by SentencePiece", f"{TokenizerConfig().vocab_size:,}"),
    "layers": ("6 + 6", f"{Seq2SeqConfig().encoder_layers} + {Seq2SeqConfig().decoder_layers}"),
    "width, feed-forward, heads": (
        "512, 1024, 4",
        f"{Seq2SeqConfig().d_model}, {Seq2SeqConfig().ffn}, {Seq2SeqConfig().heads}",
    ),
    "learning rate": ("5e-4", f"{Seq2SeqConfig().learning_rate:.0e}".replace("e-04", "e-4")),
    "schedule": (
        "Vaswani et al. 2017: linear warm-up of 4,000 updates, inverse square root",
        f"{Seq2SeqConfig().warmup:,} updates",
    ),
    "merging": ("difflib, cut-off 0.6, else the whole way back", f"cut-off {MergeConfig().cutoff}"),
    "significance": ("paired bootstrap, 1,000 samples", f"{Resampling().samples:,} samples"),
}
#: items that the paper does not tell -> what the page says of the code
OURS = {
    "label smoothing": f"{Seq2SeqConfig().label_smoothing}",
    "dropout": f"{Seq2SeqConfig().dropout}",
    "when it ends": f"{Seq2SeqConfig().steps:,} updates",
}


def row(item: str) -> list[str]:
    """Return the cells of the first row of an item."""
    found = re.search(rf"^\| {re.escape(item)} \|(.*)\|$", PAGE, flags=re.MULTILINE)
    assert found, f"no row '{item}'"
    return [cell.strip() for cell in found[1].split("|")]


@pytest.mark.parametrize("item", DEFAULTS)
def test_a_default_is_what_the_page_says_of_the_paper(item: str) -> None:
    stated, ours = DEFAULTS[item]
    paper, _ = row(item)
    assert paper == stated
    assert ours in paper


@pytest.mark.parametrize("item", OURS)
def test_what_the_paper_does_not_tell_is_our_default(item: str) -> None:
    paper, ours = row(item)
    assert paper == "-"
    assert OURS[item] in ours


@pytest.mark.parametrize("name", ["en-backward", "en-forward"])
def test_the_recipes_of_the_paper_s_size_have_it(name: str) -> None:
    recipe: dict[str, Any] = yaml.safe_load((ROOT / "recipes" / f"{name}.yaml").read_text(encoding="utf-8"))
    sizes = {key: recipe["train"][key] for key in ("encoder_layers", "decoder_layers", "d_model", "ffn", "heads")}
    assert sizes == {"encoder_layers": 6, "decoder_layers": 6, "d_model": 512, "ffn": 1024, "heads": 4}
    assert (float(recipe["train"]["learning_rate"]), recipe["train"]["warmup"]) == (5e-4, 4000)
    assert recipe["tokenizer"] == {"vocab_size": 8000, "kind": "bpe"}
    assert (recipe["train"]["adam_beta2"], float(recipe["train"]["adam_epsilon"])) == (0.999, 1e-8)
    assert recipe["mix"]["neutral_share"] == 0.3 and recipe["mix"]["fair_copies"] == 1.0
    assert f"{recipe['train']['tokens_per_batch']:,} tokens" in row("size of a batch")[1]


def test_the_design_for_people_is_that_of_the_paper() -> None:
    design = Design()
    assert (design.texts, design.versions, design.order) == (6, 3, FIXED)
    assert row("people: design")[0] == "6 paragraphs, 3 versions, 3 forms, the same order for all"
