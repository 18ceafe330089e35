"""Rewriters of the Hugging Face library: a folder with ``config.json``, weights as safetensors and a tokenizer.

An encoder-decoder (Marian, T5, BART ...) answers a sentence; a causal language model goes on from a prompt that holds
the sentence, and the first line of what it writes is the answer. Either answer goes the way of every proposal, through
the guard. What ``gender-fair export`` made of such a folder runs in CTranslate2 (its weights lie in ``ctranslate2``),
any other in torch. The tokenizer is transformers' own in both.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lexicons.side_files import read_side_file
from rewriter.errors import ModelError
from rewriter.installation.extras import require
from rewriter.io.files import read_json
from rewriter.model.ctranslate import compute_type, load_ctranslate2
from rewriter.runs.per_process import PerProcess

#: the target of model directories that hold such a folder
HUGGINGFACE = "huggingface"
#: folder of the converted weights, and the prompt of a causal language model
CONVERTED, PROMPT = "ctranslate2", "prompt.txt"
#: stands for the sentence in a prompt
PLACE = "{text}"
#: kinds of model
ENCODER_DECODER, CAUSAL = "encoder-decoder", "causal"

_CONFIG, _WEIGHTS, _INDEX = "config.json", "model.safetensors", "model.safetensors.index.json"
#: tokenizer files, one of which a folder must hold
_TOKENIZERS = ("tokenizer.json", "tokenizer_config.json", "spiece.model", "source.spm", "vocab.json", "tokenizer.model")
_POSITIONS = ("max_position_embeddings", "n_positions", "n_ctx", "max_sequence_length")
#: positions of a model that does not say how many it has (T5 counts relative ones)
_DEFAULT_POSITIONS = 512
_BATCH = 16


def is_huggingface(folder: str | Path) -> bool:
    """Return True if a folder has the ``config.json`` of a transformers model and is no model directory of ours."""
    folder = Path(folder)
    if not (folder / _CONFIG).is_file() or (folder / "rewriter.json").is_file():
        return False
    try:
        return "model_type" in json.loads((folder / _CONFIG).read_text(encoding="utf-8"))
    except (ValueError, OSError):
        return False


def check_folder(folder: Path) -> str:
    """Return the kind of model in a folder.

    Raises:
        ModelError: one sentence about what is missing, or why the model cannot rewrite.
        MissingExtraError: transformers is not installed.
    """
    try:
        model_type = str(read_json(folder / _CONFIG)["model_type"])
    except (KeyError, TypeError):
        raise ModelError(f"{folder / _CONFIG}: says no 'model_type'; it is no config of transformers") from None
    if not any((folder / name).is_file() for name in (_WEIGHTS, _INDEX)):
        pickled = any(folder.glob("*.bin")) or any(folder.glob("*.pt"))
        advice = "its weights are pickled, which may run code; save them as safetensors" if pickled else "copy it again"
        raise ModelError(f"{folder}: holds no {_WEIGHTS}; {advice}")
    if not any((folder / name).is_file() for name in _TOKENIZERS):
        raise ModelError(f"{folder}: holds no tokenizer ({', '.join(_TOKENIZERS[:2])} ...); save it beside the weights")
    return _kind(folder, model_type)


def _kind(folder: Path, model_type: str) -> str:
    names = require("transformers.models.auto.modeling_auto", extra="train")
    if model_type in names.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES:
        return ENCODER_DECODER
    if model_type in names.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES and not _encodes_only(folder):
        return CAUSAL
    raise ModelError(
        f"{folder}: a model of type '{model_type}' writes no text; rewriters are encoder-decoders (Marian, T5, BART "
        "...) and causal language models (GPT-2 ...)"
    )


def _encodes_only(folder: Path) -> bool:
    """Return True for an encoder (BERT) whose library could also be used as a decoder and says that it is not."""
    config = read_json(folder / _CONFIG)
    named = config.get("architectures") or []
    return not config.get("is_decoder", False) and not any("LMHead" in name or "Causal" in name for name in named)


def read_prompt(path: str | Path) -> str:
    """Read the prompt of a causal language model.

    Raises:
        ModelError: it cannot be read, or does not hold ``{text}`` once.
    """
    try:
        prompt = read_side_file(path)
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"{path}: the prompt cannot be read ({error})") from None
    if prompt.count(PLACE) != 1:
        raise ModelError(f"{path}: a prompt holds {PLACE} once, where the sentence goes; found {prompt.count(PLACE)}")
    return prompt.rstrip("\n")


def prompt_of(folder: Path, kind: str, given: str | Path | None) -> str:
    """Return the prompt of a folder: the one given, or its own; empty for an encoder-decoder without one.

    Raises:
        ModelError: a causal language model has none.
    """
    own = folder / PROMPT
    if given is not None or own.is_file():
        return read_prompt(given if given is not None else own)
    if kind == CAUSAL:
        raise ModelError(
            f"{folder}: a causal language model needs a prompt; pass a text file that holds {PLACE} where the sentence "
            "goes (prompt=, --prompt)"
        )
    return ""


def most_tokens(tokenizer: Any, config: Any) -> int:
    """Return how many tokens a model can read: what its tokenizer says and what its table of positions holds."""
    positions = [getattr(config, name, None) for name in _POSITIONS]
    known = [number for number in positions if isinstance(number, int) and number > 0]
    limit = getattr(tokenizer, "model_max_length", None)
    # without a limit tokenizers say a number of thirty digits
    known += [limit] if isinstance(limit, int) and 0 < limit < 10**9 else []
    return min(known, default=_DEFAULT_POSITIONS)


class HuggingFaceAnswers:
    """Answers sentences with a Hugging Face folder, in CTranslate2 where it was converted, else in torch.

    Args:
        folder: with ``config.json``, weights or ``ctranslate2``, tokenizer.
        prompt: file that replaces the folder's own prompt.
        device: ``cpu``, ``cuda`` or ``auto``.
        threads: batches that run at the same time in CTranslate2.
        beam_size: hypotheses that an encoder-decoder keeps.

    Raises:
        ModelError: one sentence about what is wrong with the folder.
        MissingExtraError: transformers or torch is not installed.
    """

    def __init__(
        self,
        folder: Path,
        *,
        prompt: str | Path | None = None,
        device: str = "cpu",
        threads: int = 0,
        beam_size: int = 1,
    ) -> None:
        converted = (folder / CONVERTED).is_dir()
        kind = _kind(folder, str(read_json(folder / _CONFIG)["model_type"])) if converted else check_folder(folder)
        self._folder, self._causal, self._beam_size = folder, kind == CAUSAL, beam_size
        self._prompt = prompt_of(folder, kind, prompt)
        self._tokenizer, config = load_tokenizer(folder)
        self._most = most_tokens(self._tokenizer, config)
        load = _Converted if converted else _Torch
        self._engine = PerProcess(lambda: load(folder, self._tokenizer, kind, device, threads))
        self._engine.get()

    def answer(self, sentences: Sequence[str]) -> list[str]:
        """Return one answer per sentence; one for which the model has no room comes back as it is."""
        answers = list(sentences)
        ids = [self._tokenizer(self._asked(text))["input_ids"] for text in sentences]
        lengths = [len(self._tokenizer(text)["input_ids"]) for text in sentences]
        room = [self._most - (len(row) if self._causal else 0) for row in ids]
        fitting = [
            n for n, row in enumerate(ids) if sentences[n].strip() and len(row) <= self._most and room[n] > lengths[n]
        ]
        fitting.sort(key=lambda n: len(ids[n]))
        for start in range(0, len(fitting), _BATCH):
            rows = fitting[start : start + _BATCH]
            # the mark that starts a decoder takes a place, too
            limit = max(1, min(min(room[n] for n in rows) - 1, max(lengths[n] for n in rows) + 20))
            found = self._engine.get().generate([ids[n] for n in rows], limit, self._beam_size)
            for n, answer in zip(rows, found, strict=True):
                answers[n] = self._cleaned(answer) or sentences[n]
        return answers

    def _asked(self, text: str) -> str:
        return self._prompt.replace(PLACE, text) if self._prompt else text

    def _cleaned(self, ids: Sequence[int]) -> str:
        text = str(self._tokenizer.decode(ids, skip_special_tokens=True)).strip()
        return text.split("\n", 1)[0].strip() if self._causal else text


def load_tokenizer(folder: Path) -> tuple[Any, Any]:
    """Return tokenizer and config of a folder.

    Raises:
        ModelError: they cannot be loaded.
        MissingExtraError: transformers is not installed.
    """
    transformers = require("transformers", extra="train")
    try:
        config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # transformers and tokenizers raise their own types, ValueError, OSError, KeyError
        raise ModelError(f"{folder}: its tokenizer or config cannot be loaded ({_first_line(error)})") from None
    return tokenizer, config


class _Torch:
    """The weights in torch."""

    def __init__(self, folder: Path, tokenizer: Any, kind: str, device: str, threads: int) -> None:
        transformers, self._torch = (require(name, extra="train") for name in ("transformers", "torch"))
        head = transformers.AutoModelForCausalLM if kind == CAUSAL else transformers.AutoModelForSeq2SeqLM
        chosen = device if device != "auto" else "cuda" if self._torch.cuda.is_available() else "cpu"
        try:
            model = head.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False, use_safetensors=True, dtype=self._torch.float32
            )
        except Exception as error:  # as above
            raise ModelError(f"{folder}: its weights cannot be loaded ({_first_line(error)})") from None
        self._model, self._causal, self._device = model.eval().to(chosen), kind == CAUSAL, chosen
        # a tokenizer without padding: any id will do, the mask hides it
        self._pad = next((i for i in (tokenizer.pad_token_id, tokenizer.eos_token_id) if i is not None), 0)

    def generate(self, rows: Sequence[Sequence[int]], limit: int, beam_size: int) -> list[list[int]]:
        """Return the ids that the model writes for each row."""
        width, torch = max(map(len, rows)), self._torch
        # a causal model goes on from its last token, so it is filled up on the left
        padded = [self._filled(row, [self._pad] * (width - len(row))) for row in rows]
        mask = [self._filled([1] * len(row), [0] * (width - len(row))) for row in rows]
        with torch.inference_mode():
            ids = self._model.generate(
                input_ids=torch.tensor(padded, device=self._device),
                attention_mask=torch.tensor(mask, device=self._device),
                max_new_tokens=limit,
                num_beams=beam_size,
                do_sample=False,
                pad_token_id=self._pad,
            )
        found: list[list[int]] = (ids[:, width:] if self._causal else ids).tolist()
        return found

    def _filled(self, row: Sequence[int], filling: list[int]) -> list[int]:
        return [*filling, *row] if self._causal else [*row, *filling]


class _Converted:
    """The weights in CTranslate2."""

    def __init__(self, folder: Path, tokenizer: Any, kind: str, device: str, threads: int) -> None:
        library = load_ctranslate2()
        made = library.Generator if kind == CAUSAL else library.Translator
        try:
            options = {"device": device, "compute_type": compute_type(device), "inter_threads": threads or 1}
            self._model = made(str(folder / CONVERTED), **options, intra_threads=1)
        except (RuntimeError, ValueError, OSError) as error:
            raise ModelError(f"{folder / CONVERTED}: cannot be loaded by CTranslate2 ({_first_line(error)})") from None
        self._tokenizer, self._causal = tokenizer, kind == CAUSAL

    def generate(self, rows: Sequence[Sequence[int]], limit: int, beam_size: int) -> list[list[int]]:
        """Return the ids that the model writes for each row."""
        tokens = [self._tokenizer.convert_ids_to_tokens(list(row)) for row in rows]
        if self._causal:
            results = self._model.generate_batch(
                tokens, max_length=limit, sampling_topk=1, include_prompt_in_result=False, beam_size=beam_size
            )
            return [list(result.sequences_ids[0]) for result in results]
        results = self._model.translate_batch(
            tokens, beam_size=beam_size, max_decoding_length=limit, max_input_length=0
        )
        return [self._tokenizer.convert_tokens_to_ids(result.hypotheses[0]) for result in results]


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
