"""Gender-fair singulars from a causal language model (Amrhein et al. 2023, section 4.2 LM Prompting, appendix D).

The model goes on from *Ein\\*e Lehrer\\*in*; its text is cut into sentences, and those with a gender-fair singular are
kept unless all they hold is the prompt itself. Any causal model of the Hugging Face library serves, by folder or name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from augment.round_trip.patterns import pattern_identity, rules_of
from augment.round_trip.records import Record, described, has_singular, write_records
from augment.round_trip.rules import segmenter
from augment.round_trip.translators import translator_identity
from eval.pretrained import load_pretrained
from lexicons.loader import LEXICON_VERSION
from rewriter.installation.extras import require
from rewriter.io.files import write_lines
from rewriter.model.huggingface import most_tokens
from rewriter.options import positive
from rewriter.records import Pair
from rewriter.runs.manifest import Manifest, lock
from rewriter.runs.shards import RawLine, ShardContext, ShardOptions, ShardTask, map_shards

__all__ = ["PromptConfig", "prompt"]

#: raised by hand when the same model and seed give other pairs
STAGE_VERSION = 1
PROMPTED = "prompted"
PROMPTS = "prompts.txt"
_ENDS = (".", "!", "?", "…", "“", '"', "»", "«", ")")


@dataclass(frozen=True)
class PromptConfig:
    """What a model is asked.

    Attributes:
        model: causal language model for transformers, by folder or name.
        prompts: text file with a beginning per line; by default *Ein\\*e ...\\*in* for every person of the word tables.
        lang: language code.
        form: in which the targets are written.
        texts: texts from each beginning.
        new_tokens: longest continuation.
        top_k: draw from so many likeliest tokens.
        top_p: and from no more than this much probability.
        temperature: above 1 more varied, below less.
        min_words: shortest sentence that is kept.
        max_words: longest sentence that is kept.
        batch: beginnings that are continued at once.
        device: ``cpu`` or ``cuda``.
        seed: of the draws.
        shard_lines: beginnings per shard.
        patterns: file with the gender-fair forms of a language without rules (:mod:`augment.round_trip.patterns`).
    """

    model: str
    prompts: str = ""
    lang: str = "de"
    form: str = "star"
    texts: int = 1
    new_tokens: int = 100
    top_k: int = 50
    top_p: float = 0.95
    temperature: float = 1.0
    min_words: int = 3
    max_words: int = 60
    batch: int = 8
    device: str = "cpu"
    seed: int = 1
    shard_lines: int = 200
    patterns: str = ""

    def __post_init__(self) -> None:
        positive(texts=self.texts, new_tokens=self.new_tokens, batch=self.batch, temperature=self.temperature)


def prompt(config: PromptConfig, *, output: Path, fresh: bool = False) -> Manifest:
    """Write sentences of the model as pairs (as written, in the chosen form) into ``output``.

    The same model, seed, batch and beginnings give the same sentences; an interrupted run is continued by shards.

    Raises:
        ModelError: there is no such model.
        InputError: the file of beginnings is missing.
        ResumeError: ``output`` belongs to another run.
    """
    path = Path(config.prompts) if config.prompts else output / PROMPTS
    if not config.prompts:
        with lock(output):
            write_lines(path, rules_of(config.lang, config.patterns).prompts())
    options = {
        k: v
        for k, v in asdict(config).items()
        if k not in ("model", "prompts", "device", "seed", "shard_lines", "patterns")
    } | pattern_identity(config.patterns)
    options |= {"model": translator_identity(config.model), "lexicon": LEXICON_VERSION}
    setup = {"model_path": config.model, "device": config.device, "patterns": config.patterns}
    task = ShardTask(PROMPTED, STAGE_VERSION, make_prompter, options, setup, write=write_records)
    shards = ShardOptions(lines=config.shard_lines, seed=config.seed)
    return map_shards(task, [path], output=output, options=shards, fresh=fresh)


def make_prompter(values: Mapping[str, Any]) -> Prompter:
    """Make the worker: loads the model."""
    known = {name: values[name] for name in PromptConfig.__dataclass_fields__ if name in values}
    return Prompter(PromptConfig(**{**known, "model": values["model_path"]}))


class Prompter:
    """Lets a model go on from the beginnings of a shard and keeps the good sentences."""

    def __init__(self, config: PromptConfig) -> None:
        self.config, self.rules = config, rules_of(config.lang, config.patterns)
        self._segment = segmenter(config.lang)
        self._torch = require("torch", extra="train")
        self._tokenizer, self._model = _load(config.model, config.device)
        self._most = most_tokens(self._tokenizer, self._model.config)

    def __call__(self, lines: Iterator[RawLine], context: ShardContext) -> Iterator[Record]:
        """Yield the sentences of a shard as records."""
        begun = ((number, data.decode("utf-8").strip()) for number, data in lines)
        wanted = (entry for entry in begun if entry[1] for _ in range(self.config.texts))
        while batch := list(islice(wanted, self.config.batch)):
            texts = self.continued([text for _, text in batch], int(context.rng.integers(2**31)))
            for (number, beginning), text in zip(batch, texts, strict=True):
                context.counts["texts"] += 1
                sentences = context.attempt(number, lambda *given: [*self.sentences(*given)], beginning, text, context)
                for sentence, forms, target in sentences or ():
                    pair = Pair(sentence, target, self.config.lang, PROMPTED, "fair", f"{context.shard.name}:{number}")
                    yield Record(pair, number, {"forms": forms})

    def continued(self, beginnings: Sequence[str], seed: int) -> list[str]:
        """Return a text for each beginning, which it begins with."""
        torch, config = self._torch, self.config
        room = max(1, self._most - 1)
        given = {"return_tensors": "pt", "padding": True, "truncation": True, "max_length": room}
        inputs = self._tokenizer(list(beginnings), **given).to(config.device)
        begun = int(inputs["input_ids"].shape[1])
        devices = [config.device] if config.device.startswith("cuda") else []
        # transformers draws from torch's global state, which is put back afterwards
        with torch.random.fork_rng(devices=devices), torch.inference_mode():
            torch.manual_seed(seed)
            ids = self._model.generate(
                **inputs,
                do_sample=True,
                max_new_tokens=max(1, min(config.new_tokens, self._most - begun)),
                top_k=config.top_k,
                top_p=config.top_p,
                temperature=config.temperature,
                pad_token_id=self._tokenizer.pad_token_id,
            )
        new = ids[:, begun:]
        rest: list[str] = self._tokenizer.batch_decode(new, skip_special_tokens=True)
        return [beginning + text for beginning, text in zip(beginnings, rest, strict=True)]

    def sentences(self, beginning: str, text: str, context: ShardContext) -> Iterator[tuple[str, list[str], str]]:
        """Yield the sentences that are kept: as written, their forms, in the chosen form."""
        for start, end in self._segment(text):
            sentence = text[start:end].strip()
            reading = self.rules.read(sentence, self.config.form)
            reason = self._unusable(beginning, sentence, len(reading.found))
            if not reason and (not has_singular(reading) or reading.unread):
                reason = "no gender-fair singular" if not reading.unread else "a form that could not be read"
            context.counts[f"dropped: {reason}" if reason else "kept"] += 1
            if not reason:
                yield sentence, described(reading), reading.text

    def _unusable(self, beginning: str, sentence: str, found: int) -> str:
        """Return why a sentence cannot be used; ``found`` forms stand in it."""
        if not self.config.min_words <= len(sentence.split()) <= self.config.max_words or "\n" in sentence:
            return "too short, too long or several lines"
        if not sentence.endswith(_ENDS):
            return "not finished"
        own = len(self.rules.read(beginning, self.config.form).found)
        return "nothing fair but the prompt" if sentence.startswith(beginning) and found <= own else ""


def _load(name: str, device: str) -> tuple[Any, Any]:
    tokenizer, model = load_pretrained(
        name,
        "AutoModelForCausalLM",
        kind="causal language model",
        device=device,
        tokenizer={"padding_side": "left"},
        model={"weights_only": True},
    )
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer, model
