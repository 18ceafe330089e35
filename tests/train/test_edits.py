"""The edit model's training: labels out of pairs, weights, noise, and training that learns and resumes exactly."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.en.candidates import OUTCOMES
from rewriter.errors import InputError, ModelError
from rewriter.io.files import read_json, write_json, write_pairs
from rewriter.language.interface import get_language
from rewriter.model.piece_table import PieceTable
from rewriter.records import Pair
from train.edits.config import EditsConfig, schedule
from train.edits.labels import Labelled, LabelledSet, LabelOptions, label, label_file
from train.edits.train import train_edits

PIECES = Path(__file__).parents[1] / "data" / "models" / "tiny-edits" / "pieces.model"

ALL = LabelOptions("en", str(PIECES), open_only=False)

#: source, target, kind:outcome of every labelled candidate in order
LABELS = [
    ("She knows her duck.", "They know their duck.", ["pronoun:change", "verb:change", "pronoun:possessive"]),
    ("I saw her.", "I saw them.", ["pronoun:object"]),
    (
        "He's gone, he's tired.",
        "They've gone, they're tired.",
        ["pronoun:change", "contraction:has", "pronoun:change", "contraction:is"],
    ),
    ("The book is his.", "The book is theirs.", ["pronoun:standalone"]),
    ("He says it works.", "They say it works.", ["pronoun:change", "verb:change", "verb:keep"]),
    ("HE is funded by the state.", "HE is funded by the state.", ["pronoun:keep", "verb:keep"]),
    ("A policewoman came.", "A police officer came.", ["noun:change"]),
    ("He or she knows.", "They know.", ["pronoun:change", "verb:change"]),
]


@pytest.fixture(scope="module")
def table() -> PieceTable:
    return PieceTable.load(PIECES)


@pytest.mark.parametrize(("source", "target", "kinds"), LABELS, ids=[source for source, _, _ in LABELS])
def test_labels_of_a_pair(source: str, target: str, kinds: list[str], table: PieceTable) -> None:
    labelled = label(Pair(source, target), get_language("en"), table)
    assert isinstance(labelled, Labelled)
    assert labelled.kinds == kinds
    assert all(0 < place < len(labelled.ids) - 1 for place in labelled.places)
    assert all(allowed >> outcome & 1 for allowed, outcome in zip(labelled.allowed, labelled.outcomes, strict=True))


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        (Pair("It rains.", "It rains."), "no candidates"),
        (Pair("She knows.", "They knew."), "target not explained"),
        (Pair("She " + "very " * 300 + "sad.", "They " + "very " * 300 + "sad."), "too long"),
        (Pair("I saw her.", "I saw them.", doubtful=((6, 9),)), "nothing to decide"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_pairs_without_labels_say_why(pair: Pair, reason: str, table: PieceTable) -> None:
    assert label(pair, get_language("en"), table) == reason


def test_doubtful_spans_get_no_label(table: PieceTable) -> None:
    labelled = label(Pair("She knows her.", "They know them.", doubtful=((4, 9),)), get_language("en"), table)
    assert isinstance(labelled, Labelled)
    assert labelled.kinds == ["pronoun:change", "pronoun:object"]


def test_what_the_grammar_settles_needs_no_label(table: PieceTable) -> None:
    labelled = label(Pair("She knows her duck.", "They know their duck."), get_language("en"), table, open_only=True)
    assert isinstance(labelled, Labelled)
    assert labelled.kinds == ["pronoun:possessive"]


def test_what_the_grammar_settles_is_marked_where_it_is_labelled(table: PieceTable) -> None:
    labelled = label(Pair("She knows her duck.", "They know their duck."), get_language("en"), table)
    assert isinstance(labelled, Labelled)
    assert labelled.settled == [True, True, False]


TOY = [
    Pair(f"{subject} {verb} her {thing}.", f"They {plural} their {thing}.")
    for subject in ("He", "She")
    for verb, plural in (("knows", "know"), ("sees", "see"), ("has", "have"), ("says", "say"))
    for thing in ("duck", "swim", "cover", "zorb")  # words that leave her open
] + [
    Pair(f"{subject} {verb} her.", f"They {verb} them.") for subject in ("He", "She") for verb in ("saw", "met", "told")
]


TOY_CONFIG = EditsConfig(
    tokens_per_batch=300,
    steps=120,
    warmup=10,
    learning_rate=5e-3,
    eval_every=60,
    save_every=60,
    variations=0,
    lower=0,
    upper=0,
    mask=0,
    processes=1,
    threads=1,
)


def interrupt(run: Path, *, keep: int) -> None:
    """Leave what an interruption leaves whose last checkpoint was that of step ``keep``."""
    for checkpoint in (run / "checkpoints").iterdir():
        if int(checkpoint.name.rsplit("-")[1]) > keep:
            shutil.rmtree(checkpoint)
    shutil.rmtree(run / "encoder")
    write_json(run / "manifest.json", read_json(run / "manifest.json") | {"complete": False})


def interrupt_at(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let training be interrupted behind an update, before anything is stored."""
    from train.edits.trainer import LogLosses

    def on_step_end(self: Any, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.global_step == step:
            raise KeyboardInterrupt

    monkeypatch.setattr(LogLosses, "on_step_end", on_step_end)


def scalars(folder: Path) -> dict[str, list[Any]]:
    """Return what TensorBoard would show, by name."""
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(folder))
    events.Reload()
    return {name: events.Scalars(name) for name in events.Tags()["scalars"]}


def torch_equal(one: Any, other: Any) -> bool:
    import torch

    return bool(torch.equal(one, other))


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    write_pairs(tmp_path / "data" / "train.jsonl.zst", TOY * 4)
    write_pairs(tmp_path / "data" / "dev.jsonl.zst", TOY)
    return tmp_path / "data"


def test_labelled_set_survives_saving(pairs: Path, tmp_path: Path) -> None:
    made = label_file(pairs / "dev.jsonl.zst", ALL)
    made.save(tmp_path / "set.npz")
    read = LabelledSet.load(tmp_path / "set.npz")
    assert len(read) == len(TOY)
    assert read.outcomes.tolist() == made.outcomes.tolist()
    assert made.counts["pronoun:object"] == 6


def test_a_rule_left_out_leaves_more_open(pairs: Path) -> None:
    alone = replace(ALL, open_only=True)
    less = replace(alone, language=(("without_rules", ["her at the end"]),))
    asked, open_ones = (label_file(pairs / "dev.jsonl.zst", options).outcomes for options in (alone, less))
    assert len(open_ones) > len(asked)


@pytest.mark.parametrize("processes", [1, 2])
def test_one_set_serves_for_all_candidates_and_for_the_open_ones(pairs: Path, processes: int) -> None:
    every = label_file(pairs / "dev.jsonl.zst", ALL, processes=processes)
    alone = label_file(pairs / "dev.jsonl.zst", replace(ALL, open_only=True))
    view = every.only_open()
    assert view.ids is every.ids
    # "saw her." is settled: these sentences keep their numbers and have no candidate in the view
    assert len(alone) < len(view) == len(every) == len(TOY)
    assert view.labelled_rows.tolist() == [n for n, pair in enumerate(TOY) if "their" in pair.target]
    for name in ("places", "outcomes", "allowed"):
        assert getattr(view, name).tolist() == getattr(alone, name).tolist()
    assert view.lengths[view.labelled_rows].tolist() == alone.lengths.tolist()
    assert alone.only_open() is alone


@given(st.lists(st.lists(st.booleans(), max_size=4), min_size=1, max_size=20))
def test_the_open_view_keeps_each_candidate_in_its_sentence(settled: list[list[bool]]) -> None:
    offsets = np.cumsum([0, *map(len, settled)])
    flat = np.array([mark for marks in settled for mark in marks], bool)
    numbers, none = np.arange(len(flat)), np.zeros(0, np.uint8)
    data = LabelledSet(none, none, offsets, numbers, numbers, numbers, offsets, settled=flat)
    view = data.only_open()
    for row, marks in enumerate(settled):
        mine = view.places[view.candidate_offsets[row] : view.candidate_offsets[row + 1]].tolist()
        assert mine == [int(offsets[row]) + n for n, mark in enumerate(marks) if not mark]
    assert view.labelled_rows.tolist() == [row for row, marks in enumerate(settled) if not all(marks)]


#: step, learning rate as a share of the highest: ten steps of warm-up, 90 downwards, then the same again from a half
RATES = [(0, 0.0), (5, 0.5), (10, 1.0), (55, 0.5), (99, 1 / 90), (100, 0.0), (105, 0.25), (110, 0.5), (119, 0.05)]


@pytest.mark.parametrize(("step", "rate"), RATES)
def test_the_learning_rate_rises_again_for_the_finish(step: int, rate: float) -> None:
    config = EditsConfig(steps=120, warmup=10, finish_steps=20, finish_rate=0.5)
    assert schedule(config, step) == pytest.approx(rate)


def evaluations(run: Path) -> list[dict[str, Any]]:
    """Return the evaluations among the metrics; the losses are means since the last start or line."""
    lines = map(json.loads, (run / "metrics.jsonl").read_text().splitlines())
    return [line for line in lines if "accuracy" in line]


def test_a_vocabulary_that_the_text_cannot_fill_is_a_clear_error(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from train.encoder.pretraining import EncoderConfig, train_encoder

    (tmp_path / "small.txt").write_text("They know.\nShe knows.\n" * 20, encoding="utf-8")
    config = EncoderConfig(inputs=[str(tmp_path / "small.txt")], vocab_size=5000, steps=0)
    with pytest.raises(InputError, match=r"small.txt: too little text for 5000 pieces.*encoder.vocab_size"):
        train_encoder(config, output=tmp_path / "encoder")


def test_a_half_written_checkpoint_is_passed_over(tmp_path: Path) -> None:
    from train.loop.checkpoints import last_checkpoint

    assert last_checkpoint(tmp_path / "none") is None
    for step, state in ((5, '{"global_step": 5}'), (40, '{"global_step": 40}'), (60, '{"global_st'), (80, None)):
        (tmp_path / f"checkpoint-{step}").mkdir()
        if state is not None:
            (tmp_path / f"checkpoint-{step}" / "trainer_state.json").write_text(state)
    assert last_checkpoint(tmp_path) == tmp_path / "checkpoint-40"


class TestTraining:
    """Needs torch."""

    @pytest.fixture(autouse=True)
    def needs_torch(self) -> Iterator[None]:
        pytest.importorskip("torch")
        pytest.importorskip("transformers")
        yield

    @pytest.fixture
    def encoder(self, tmp_path: Path) -> Path:
        from train.encoder.pretraining import EncoderConfig, build_model

        folder = tmp_path / "encoder"
        folder.mkdir()
        shutil.copy(PIECES, folder / "pieces.model")
        config = EncoderConfig(inputs=[], layers=1, hidden=32, feed_forward=64, heads=2)
        build_model(config, PieceTable.load(PIECES).size).bert.save_pretrained(folder / "encoder")
        return folder

    @pytest.fixture
    def mixed(self) -> EditsConfig:
        # the open candidates of the toy pairs have one outcome; variations bring the other
        return replace(TOY_CONFIG, open_only_after=60, variations=1.0, eval_every=40, save_every=30)

    @pytest.mark.slow
    def test_it_learns_and_resumes_exactly(self, pairs: Path, encoder: Path, tmp_path: Path) -> None:
        config = replace(TOY_CONFIG, open_only=False)
        whole, resumed = tmp_path / "whole", tmp_path / "resumed"
        train_edits(config, data=pairs, output=whole, encoder=encoder)
        assert read_json(whole / "manifest.json")["counts"]["accuracy"] > 0.97

        shown = scalars(whole / "tensorboard")
        assert {"train/loss", "train/learning_rate", "eval/accuracy"} <= shown.keys()
        assert [event.step for event in shown["eval/accuracy"]][:2] == [60, 120]
        shutil.copytree(whole, resumed)
        interrupt(resumed, keep=60)
        train_edits(config, data=pairs, output=resumed, encoder=encoder)
        for name in ("encoder/model.safetensors", "head.json"):
            assert (resumed / name).read_bytes() == (whole / name).read_bytes()
        assert evaluations(resumed) == evaluations(whole)

    @pytest.mark.slow
    def test_rates_by_layer_and_a_finish_resume_exactly(
        self, encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Interrupted before the finish begins at step 90, and in it."""
        read = [replace(pair, strategy="gold") for pair in TOY]
        write_pairs(tmp_path / "data" / "train.jsonl.zst", [*TOY * 3, *read])
        write_pairs(tmp_path / "data" / "dev.jsonl.zst", TOY)
        config = replace(
            TOY_CONFIG, open_only=False, steps=120, finish_steps=30, layer_decay=0.8, eval_every=60, save_every=30
        )
        whole, resumed = tmp_path / "whole", tmp_path / "resumed"
        train_edits(config, data=tmp_path / "data", output=whole, encoder=encoder)
        for step in (75, 105):
            with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
                interrupt_at(step, patched)
                train_edits(config, data=tmp_path / "data", output=resumed, encoder=encoder)
        train_edits(config, data=tmp_path / "data", output=resumed, encoder=encoder)
        for name in ("encoder/model.safetensors", "head.json"):
            assert (resumed / name).read_bytes() == (whole / name).read_bytes()

    @pytest.mark.slow
    def test_every_candidate_first_then_open_ones_resumes_exactly(
        self, mixed: EditsConfig, pairs: Path, encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Interrupted before the switch after step 60, at it, and behind it."""
        whole, resumed = tmp_path / "whole", tmp_path / "resumed"
        train_edits(mixed, data=pairs, output=whole, encoder=encoder)
        assert read_json(whole / "manifest.json")["counts"]["accuracy"] > 0.97
        for step in (35, 60, 65, 95):
            with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
                interrupt_at(step, patched)
                train_edits(mixed, data=pairs, output=resumed, encoder=encoder)
            assert (resumed / "checkpoints" / f"checkpoint-{step - step % 30 - 30 * (step == 60)}").is_dir()
        train_edits(mixed, data=pairs, output=resumed, encoder=encoder)
        for name in ("encoder/model.safetensors", "head.json"):
            assert (resumed / name).read_bytes() == (whole / name).read_bytes()

    def test_the_finish_shows_read_sentences_alone(self, tmp_path: Path) -> None:
        from train.edits.model import Noise
        from train.edits.trainer import Batches

        read = [replace(pair, strategy="gold") for pair in TOY[:2]]
        write_pairs(tmp_path / "train.jsonl.zst", [*TOY * 3, *read])
        data = label_file(tmp_path / "train.jsonl.zst", ALL)
        assert data.gold is not None and data.gold.tolist() == [False] * (3 * len(TOY)) + [True] * len(read)
        config = EditsConfig(tokens_per_batch=300, steps=7, open_only=False, warmup=0, finish_steps=3)
        noise = Noise(lower=0, upper=0, mask=0, mask_id=3)

        def shown(start: int) -> list[set[tuple[int, ...]]]:
            stream = Batches(config, data, noise, len(OUTCOMES))
            stream.start = start
            return [{tuple(row[row > 0].tolist()) for row in batch["input_ids"]} for batch in stream]

        sentences = [tuple(data.ids[a:b].tolist()) for a, b in pairwise(data.offsets.tolist())]
        whole = shown(0)
        assert len(whole) == config.steps
        assert all(rows - set(sentences[-2:]) for rows in whole[:4])
        assert all(rows <= set(sentences[-2:]) for rows in whole[4:])
        assert shown(5) == whole[5:]

    def test_the_finish_needs_read_sentences(self, pairs: Path, encoder: Path, tmp_path: Path) -> None:
        config = replace(TOY_CONFIG, finish_steps=5)
        with pytest.raises(InputError, match="section 'gold'"):
            train_edits(config, data=pairs, output=tmp_path / "run", encoder=encoder)

    def test_batches_hold_every_candidate_then_the_open_ones(self, pairs: Path) -> None:
        from train.edits.model import Noise
        from train.edits.trainer import Batches

        data = label_file(pairs / "train.jsonl.zst", ALL)
        config = EditsConfig(tokens_per_batch=300, steps=6, open_only_after=4)
        noise = Noise(lower=0.1, upper=0.1, mask=0.1, mask_id=3)

        def batches(start: int) -> list[dict[str, Any]]:
            stream = Batches(config, data, noise, len(OUTCOMES))
            stream.start = start
            return list(stream)

        whole = batches(0)
        # "he", "she" are settled: their outcome "change" is learnt in the beginning only
        changes = [bool((batch["labels"] == OUTCOMES.index("change")).any()) for batch in whole]
        assert changes == [True] * 4 + [False] * 2
        for start in range(7):
            resumed = batches(start)
            assert len(resumed) == 6 - start
            for batch, same in zip(resumed, whole[start:], strict=True):
                assert all(torch_equal(batch[key], same[key]) for key in same)

    @pytest.mark.parametrize(
        ("options", "steps"),
        [
            ({}, 0),
            ({"open_only": False}, 100),
            ({"open_only_after": 0}, 0),
            ({"open_only_after": 30}, 30),
            ({"open_only": False, "open_only_after": 30}, 30),
            ({"open_only_after": 300}, 100),
        ],
        ids=str,
    )
    def test_how_many_steps_learn_from_every_candidate(self, options: dict[str, Any], steps: int) -> None:
        assert EditsConfig(steps=100, **options).dense_steps == steps

    def test_nothing_to_decide_is_an_error(self, encoder: Path, tmp_path: Path) -> None:
        for name in ("train", "dev"):
            write_pairs(tmp_path / "plain" / f"{name}.jsonl.zst", [Pair("She knows.", "They know.")])
        config = EditsConfig(processes=1, open_only_after=10, variations=0)
        with pytest.raises(InputError, match="nothing for the model to decide"):
            train_edits(config, data=tmp_path / "plain", output=tmp_path / "out", encoder=encoder)

    def test_pairs_without_any_label_are_an_error(self, encoder: Path, tmp_path: Path) -> None:

        for name in ("train", "dev"):
            write_pairs(tmp_path / "plain" / f"{name}.jsonl.zst", [Pair("It rains.", "It rains.")])
        with pytest.raises(InputError, match="no pair gave a label"):
            train_edits(EditsConfig(processes=1), data=tmp_path / "plain", output=tmp_path / "out", encoder=encoder)

    def test_rare_outcomes_weigh_more(self, pairs: Path) -> None:
        from train.edits.model import class_weights

        data = label_file(pairs / "dev.jsonl.zst", ALL)
        weights = class_weights(data, limit=4.0)
        object_, possessive = OUTCOMES.index("object"), OUTCOMES.index("possessive")
        assert set(weights[data.outcomes == possessive]) == {np.float32(1)}
        # 32 possessive and 6 object readings of "her"
        assert weights[data.outcomes == object_][0] == pytest.approx((32 / 6) ** 0.5)
        assert class_weights(data, limit=1.5).max() == np.float32(1.5)

    def test_sentences_with_common_outcomes_only_are_thinned(self) -> None:
        from train.edits.model import shown_rows

        outcomes = np.array([3] * 1000 + [2] * 20, np.uint8)  # 1,000 possessives, 20 objects, one in each sentence
        numbers = np.arange(len(outcomes) + 1)
        allowed = np.full(len(outcomes), 0b1101, np.uint16)
        data = LabelledSet(outcomes, outcomes, numbers, outcomes, outcomes, allowed, numbers)
        rows = shown_rows(data, repeat_limit=1.0, common_limit=2.5, rng=np.random.default_rng(0)).tolist()
        assert set(range(1000, 1020)) <= set(rows)
        assert 30 < len([row for row in rows if row < 1000]) < 70  # 50 in expectation

    def test_sentences_with_rare_outcomes_are_shown_more_often(self, pairs: Path) -> None:
        from train.edits.model import shown_rows

        data = label_file(pairs / "dev.jsonl.zst", ALL)
        rows = shown_rows(data, repeat_limit=4.0, common_limit=0, rng=np.random.default_rng(0)).tolist()
        # weight sqrt(32 / 6) = 2.3 of the object reading, rounded; the others once
        assert {rows.count(row) for row in range(32)} == {1}
        assert {rows.count(row) for row in range(32, 38)} == {2}

    def test_the_bias_learns_how_frequent_outcomes_are(self) -> None:
        import torch

        from train.edits.calibrate import refit_bias
        from train.edits.model import EditTagger

        class Blind(torch.nn.Module):
            """Sees no difference between sentences, so that only the bias can tell."""

            def __init__(self) -> None:
                super().__init__()
                self.config = type("Config", (), {"hidden_size": 4})()

            def forward(self, input_ids: torch.Tensor, **_: torch.Tensor) -> object:
                return type("Output", (), {"last_hidden_state": torch.zeros(*input_ids.shape, 4)})()

        outcomes = np.array([3] * 900 + [2] * 100, np.uint8)
        numbers = np.arange(len(outcomes) + 1)
        zeros = np.zeros(len(outcomes), np.uint8)
        data = LabelledSet(
            zeros, zeros, numbers, zeros.astype(np.uint16), outcomes, np.full(len(outcomes), 0b1100, np.uint16), numbers
        )
        model = EditTagger(Blind(), len(OUTCOMES))
        refit_bias(model, data, sentences=1000, rng=np.random.default_rng(0))
        bias = model.head.bias.detach()
        assert float(bias[3] - bias[2]) == pytest.approx(np.log(9), abs=0.1)

    def test_noise_keeps_deciding_pieces(self) -> None:
        from train.edits.model import Noise

        noise = Noise(lower=0.0, upper=1.0, mask=1.0, mask_id=9)
        ids, shapes = noise.apply(
            np.array([2, 5, 6, 3]), np.array([0, 1, 0, 0]), np.array([1]), np.random.default_rng(1)
        )
        assert ids.tolist() == [9, 5, 9, 9]
        assert shapes.tolist() == [2, 2, 2, 2]


class TestFineTuning:
    """Starting from an exported model or from a run. Needs torch."""

    @pytest.fixture
    def exported(self, tmp_path: Path) -> Path:
        pytest.importorskip("torch")
        from train.edits.export import export_edits
        from train.encoder.pretraining import EncoderConfig, build_model

        config = EncoderConfig(inputs=[], layers=2, hidden=32, feed_forward=64, heads=2)
        build_model(config, PieceTable.load(PIECES).size).bert.save_pretrained(tmp_path / "float")
        head = {"outcomes": list(OUTCOMES), "weight": [[0.5] * 32] * len(OUTCOMES), "bias": [0.1] * len(OUTCOMES)}
        for quantization in ("float32", "int8"):
            export_edits(
                encoder_dir=tmp_path / "float",
                head=head,
                pieces=PIECES,
                output=tmp_path / quantization,
                quantization=quantization,
            )
        return tmp_path

    @pytest.mark.parametrize(("quantization", "tolerance"), [("float32", 0.0), ("int8", 0.01)])
    def test_exported_weights_come_back(self, exported: Path, quantization: str, tolerance: float) -> None:
        import torch
        from transformers import BertModel

        from train.edits.start import load_exported_encoder

        found = load_exported_encoder(exported / quantization).state_dict()
        for name, weight in BertModel.from_pretrained(exported / "float").state_dict().items():
            if not name.startswith("pooler"):
                assert torch.allclose(found[name], weight, rtol=0, atol=tolerance), name

    def test_training_starts_from_an_exported_model(self, exported: Path, pairs: Path, tmp_path: Path) -> None:
        from train.edits.start import write_start

        write_start(exported / "int8", tmp_path / "start")
        config = EditsConfig(steps=1, warmup=0, learning_rate=0.0, eval_every=9, processes=1, threads=1, variations=0)
        train_edits(config, data=pairs, output=tmp_path / "tuned", encoder=tmp_path / "start")
        assert read_json(tmp_path / "tuned" / "head.json")["weight"][0] == [0.5] * 32

    def test_a_smaller_model_starts_from_the_first_layers(self, exported: Path, tmp_path: Path) -> None:
        import torch
        from transformers import BertModel

        from train.edits.start import write_start

        write_start(exported / "float32", tmp_path / "start", layers=1)
        kept, whole = (
            BertModel.from_pretrained(p, add_pooling_layer=False)
            for p in (tmp_path / "start" / "encoder", exported / "float")
        )
        assert len(kept.encoder.layer) == kept.config.num_hidden_layers == 1
        assert all(torch.equal(weight, whole.state_dict()[name]) for name, weight in kept.state_dict().items())
        with pytest.raises(ModelError, match="the model to start from has 2"):
            write_start(exported / "float32", tmp_path / "deeper", layers=3)

    def test_something_else_is_refused(self, tmp_path: Path) -> None:
        from train.edits.start import write_start

        with pytest.raises(ModelError, match="no edit model to start from"):
            write_start(tmp_path, tmp_path / "start")


def test_mixed_weights_lie_between_start_and_end() -> None:
    torch = pytest.importorskip("torch")
    from train.edits.train import mix_weights

    end, start = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    expected = 0.75 * end.weight.detach() + 0.25 * start.weight.detach()
    mix_weights(end, start, 0.25)
    assert torch.allclose(end.weight, expected)
