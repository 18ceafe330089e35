"""A small text encoder of our own: vocabulary, packed corpus, masked-language-model pretraining.

The encoder reads lower-cased pieces of words with their case shape as token type (0 lower, 1 capitalised, 2 all
capitals), so that *He* and *he* share what they mean and *HE* as an abbreviation can still be told apart. Method:
Devlin et al. 2019, section 3.1, masked language model without next-sentence prediction; sizes and steps are ours.
"""

from __future__ import annotations

import io
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from augment.sources import find_inputs
from rewriter.errors import InputError, UsageError
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write, file_digest
from rewriter.language.interface import get_tokenizer
from rewriter.model.piece_table import BEGIN, END, MASK, PieceTable
from rewriter.options import at_least, check_share
from rewriter.runs.resume import Run, run_in
from train.encoder.corpus import interleave, sample_lines
from train.encoder.pretrained import find_start, start_digests, write_pretrained
from train.loop import processes
from train.loop.checkpoints import last_checkpoint

__all__ = ["EncoderConfig", "train_encoder"]

STAGE_VERSION = 1
SHAPES = 3
#: arguments of SentencePiece that give the vocabulary the special pieces which :mod:`rewriter.model.piece_table` reads
SPECIAL_PIECES: dict[str, Any] = {
    "normalization_rule_name": "identity",
    "pad_id": 0,
    "unk_id": 1,
    "bos_id": 2,
    "eos_id": 3,
    "user_defined_symbols": [MASK],
    "bos_piece": BEGIN,
    "eos_piece": END,
}


@dataclass
class EncoderConfig:
    """Options of encoder pretraining.

    Attributes:
        inputs: text files, folders or globs, a paragraph or utterance a line.
        lang: language of the text, which says how it is cut into tokens.
        exclude: globs over file names, or ``licence:`` and a glob over the licence in ``MANIFEST.tsv``.
        vocab_size: pieces, special ones included.
        layers: Transformer layers.
        hidden: width.
        feed_forward: width inside a layer.
        heads: attention heads.
        block: tokens of a packed training block.
        batch_blocks: blocks of a batch.
        max_tokens: tokens of the packed corpus at most.
        steps: optimiser steps at most; 0 makes the vocabulary and leaves the weights random.
        max_minutes: stop after so much time (0: no limit).
        learning_rate: peak, reached after ``warmup`` steps, then linear to zero.
        warmup: steps.
        mask_share: share of the words that are masked.
        seed: of sampling, masking and weights.
        threads: of torch (0: its default).
        start: a pretrained encoder (a Hugging Face folder, or the name of one in GENDER_FAIR_ENCODERS): its vocabulary
            is cut to the text, sizes and steps above play no part (:mod:`train.encoder.pretrained`).
        start_layers: layers of it, from the first on; 0 for all.
    """

    inputs: list[str]
    vocab_size: int = 12000
    layers: int = 4
    hidden: int = 256
    feed_forward: int = 1024
    heads: int = 4
    block: int = 128
    batch_blocks: int = 32
    max_tokens: int = 60_000_000
    steps: int = 12_000
    max_minutes: float = 0
    learning_rate: float = 1e-3
    warmup: int = 500
    mask_share: float = 0.2
    seed: int = 1
    threads: int = 0
    exclude: list[str] = field(default_factory=list)
    lang: str = "en"
    start: str = ""
    start_layers: int = 0

    def __post_init__(self) -> None:
        for name in ("layers", "hidden", "feed_forward", "heads", "block", "batch_blocks", "max_tokens"):
            at_least(1, **{name: getattr(self, name)})
        at_least(0, steps=self.steps, max_minutes=self.max_minutes, warmup=self.warmup, start_layers=self.start_layers)
        check_share(mask_share=self.mask_share)
        if self.hidden % self.heads:
            raise UsageError(f"hidden ({self.hidden}) must be a multiple of heads ({self.heads})")


def train_encoder(config: EncoderConfig, *, output: Path) -> None:
    """Train vocabulary and encoder; leaves ``pieces.model``, ``encoder/`` (safetensors) and a manifest in ``output``.

    Resumes from the last checkpoint of the same identity.

    Raises:
        ResumeError: ``output`` holds another run.
        UsageError: a batch cannot be shared by so many processes.
        MissingExtraError: torch or transformers is missing.
    """
    require("torch", extra="train")
    require("transformers", extra="train")
    processes.own_part(config.batch_blocks, "batch_blocks")
    with ExitStack() as stack:
        with _arguments(config, output).main_process_first(local=False):
            run = stack.enter_context(_begin(config, output))
            if not run.is_done and processes.rank() == 0:
                _prepare(config, output)
        if not run.is_done:
            run.manifest.counts = _make(config, output)


def _make(config: EncoderConfig, output: Path) -> dict[str, Any]:
    """Make the weights: cut from a pretrained encoder, trained, or random ones."""
    if not config.start:
        return _pretrain(config, output) if config.steps else _initialise(config, output)
    if processes.rank() > 0:
        return {}
    files = find_inputs(config.inputs, config.exclude)
    layers, seed = config.start_layers, config.seed
    pieces = write_pretrained(find_start(config.start), files, output, lang=config.lang, layers=layers, seed=seed)
    return {"steps": 0, "pieces": pieces}


def _begin(config: EncoderConfig, output: Path) -> AbstractContextManager[Run]:
    files = find_inputs(config.inputs, config.exclude)
    identity = {
        "stage": STAGE_VERSION,
        "config": _identity(config),
        "inputs": {path.name: file_digest(path) for path in files},
        **({"start": start_digests(find_start(config.start))} if config.start else {}),
    }
    return run_in(output, "encoder", identity, is_main=processes.rank() == 0)


def _prepare(config: EncoderConfig, output: Path) -> None:
    """Make the vocabulary and pack the corpus, where they are not there yet; other processes find them done."""
    if config.start:
        return
    files = find_inputs(config.inputs, config.exclude)
    if not (output / "pieces.model").exists():
        train_pieces(files, config, output / "pieces.model")
    if config.steps and not (output / "shapes.npy").exists():
        pack(files, config, output)


def _identity(config: EncoderConfig) -> dict[str, Any]:
    """Return the options that make a run another one; English is not named, as in runs before there was German."""
    left_out = {"threads", "max_minutes", "inputs", "start", *(["lang"] if config.lang == "en" else [])}
    left_out |= set() if config.start else {"start_layers"}
    return {key: value for key, value in asdict(config).items() if key not in left_out}


def train_pieces(files: list[Path], config: EncoderConfig, target: Path) -> None:
    """Train the SentencePiece vocabulary on lower-cased tokens, separated by spaces.

    Raises:
        InputError: there is too little text for so many pieces.
    """
    import sentencepiece

    rng, tokenize = np.random.default_rng([config.seed, 0]), get_tokenizer(config.lang)
    model = io.BytesIO()  # a file name would end up inside the model
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=(
                " ".join(t.norm for t in tokenize(line)) for line in sample_lines(files, share=0.12, rng=rng)
            ),
            model_writer=model,
            vocab_size=config.vocab_size,
            model_type="unigram",
            character_coverage=0.9998,
            **SPECIAL_PIECES,
            max_sentence_length=20000,
            input_sentence_size=400_000,
            shuffle_input_sentence=False,
            num_threads=2,
            minloglevel=1,
        )
    except RuntimeError as error:
        raise InputError(
            f"{', '.join(path.name for path in files[:3])}: too little text for {config.vocab_size} pieces; "
            f"take more text or a smaller encoder.vocab_size ({error})"
        ) from error
    with atomic_write(target) as stream:
        stream.write(model.getvalue())


def pack(files: list[Path], config: EncoderConfig, output: Path) -> None:
    """Write the corpus as ``tokens.npy`` (uint16 piece ids) and ``shapes.npy`` (uint8 shapes, bit 2: first piece)."""
    table, tokenize = PieceTable.load(output / "pieces.model"), get_tokenizer(config.lang)
    rng = np.random.default_rng([config.seed, 1])
    tokens, shapes = _PackedArray(np.uint16), _PackedArray(np.uint8)
    for line in interleave(files, rng):
        for token in tokenize(line):
            ids = table.pieces(token.norm)
            tokens.extend(ids)
            # bit 2 marks the first piece of a word, so that whole words can be masked
            shapes.extend((token.shape | 4,) + (token.shape,) * (len(ids) - 1))
        tokens.extend((table.end,))
        shapes.extend((4,))
        if tokens.size >= config.max_tokens:
            break
    np.save(output / "tokens.npy", tokens.array())
    np.save(output / "shapes.npy", shapes.array())


class _PackedArray:
    """An array that grows in chunks, so that 60 million ids do not become 60 million Python objects."""

    def __init__(self, dtype: Any) -> None:
        self._dtype = dtype
        self._chunks: list[np.ndarray[Any, Any]] = []
        self._buffer: list[int] = []
        self.size = 0

    def extend(self, values: tuple[int, ...]) -> None:
        self._buffer.extend(values)
        self.size += len(values)
        if len(self._buffer) > 1_000_000:
            self._flush()

    def _flush(self) -> None:
        self._chunks.append(np.array(self._buffer, dtype=self._dtype))
        self._buffer = []

    def array(self) -> np.ndarray[Any, Any]:
        self._flush()
        return np.concatenate(self._chunks)


def build_model(config: EncoderConfig, vocab_size: int) -> Any:
    """Return a fresh masked language model of the configured size."""
    transformers = require("transformers", extra="train")
    from train.encoder.masking import MaskedLanguageModel

    return MaskedLanguageModel(
        transformers.BertConfig(
            vocab_size=vocab_size,
            hidden_size=config.hidden,
            num_hidden_layers=config.layers,
            num_attention_heads=config.heads,
            intermediate_size=config.feed_forward,
            max_position_embeddings=512,
            type_vocab_size=SHAPES,
            pad_token_id=0,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            # On the CPU the plain kernel is a fifth faster at these sizes.
            attn_implementation="eager",
        )
    )


def _initialise(config: EncoderConfig, output: Path) -> dict[str, Any]:
    """Save random weights: what an edit model starts from where nothing is pretrained."""
    import transformers

    transformers.set_seed(config.seed)
    if processes.rank() == 0:
        build_model(config, PieceTable.load(output / "pieces.model").size).bert.save_pretrained(output / "encoder")
    return {"steps": 0}


def _pretrain(config: EncoderConfig, output: Path) -> dict[str, Any]:
    import torch
    import transformers

    from train.encoder.masking import MaskedBlocks

    if config.threads:
        torch.set_num_threads(config.threads)
    transformers.set_seed(config.seed)
    table = PieceTable.load(output / "pieces.model")
    model = build_model(config, table.size)
    blocks = MaskedBlocks(output, block=config.block, vocab=table, share=config.mask_share, seed=config.seed)
    trainer = _trainer(config, model, blocks, output)
    checkpoint = last_checkpoint(output / "checkpoints")
    result = trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    if processes.rank() == 0:
        model.bert.save_pretrained(output / "encoder")
    trainer.accelerator.wait_for_everyone()
    return {"steps": trainer.state.global_step, "loss": round(float(result.training_loss), 4), "blocks": len(blocks)}


def _trainer(config: EncoderConfig, model: Any, blocks: Any, output: Path) -> Any:
    import transformers

    from train.encoder.masking import StopAfter, collate
    from train.loop.progress_bar import show_progress

    callbacks = [StopAfter(config.max_minutes, output / "stop.json")] if config.max_minutes else []
    trainer = transformers.Trainer(
        model=model,
        args=_arguments(config, output),
        train_dataset=blocks,
        data_collator=collate,
        callbacks=callbacks,
    )
    show_progress(trainer, "encoder", minutes=config.max_minutes)
    return trainer


def _arguments(config: EncoderConfig, output: Path) -> Any:
    """Return the Trainer's arguments; making them joins the other processes."""
    import torch
    import transformers

    return transformers.TrainingArguments(
        output_dir=str(output / "checkpoints"),
        per_device_train_batch_size=processes.own_part(config.batch_blocks, "batch_blocks"),
        max_steps=config.steps,
        learning_rate=config.learning_rate,
        warmup_steps=config.warmup,
        lr_scheduler_type="linear",
        weight_decay=0.01,
        bf16=True,
        use_cpu=not torch.cuda.is_available(),
        logging_steps=50,
        save_steps=250,
        save_total_limit=1,
        report_to=[],
        disable_tqdm=True,
        remove_unused_columns=False,
        seed=config.seed,
        dataloader_num_workers=0,
        **processes.trainer_arguments(),
    )
