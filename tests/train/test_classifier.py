"""Training a classifier at toy size: it learns, goes on exactly where it was killed, says what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from rewriter.cli.main import main
from rewriter.errors import InputError, ModelError, RecipeError, ResumeError
from rewriter.io.columns import read_columns, write_columns
from train.classifier.config import ClassifierConfig
from train.classifier.data import make_tokenizer, read_labelled
from train.classifier.run import figures_of, load_classifier_recipe, train_classifier

TINY = {
    "model_type": "bert",
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    "max_position_embeddings": 40,
}
GOOD, BAD = ("kind", "brave", "clever"), ("vile", "awful", "dumb")


def write_set(path: Path, size: int, seed: int, labels: tuple[object, object] = (0, 1)) -> str:
    rng, texts, classes = np.random.default_rng(seed), [], []
    for _ in range(size):
        label = int(rng.integers(2))
        word = (GOOD, BAD)[label][int(rng.integers(3))]
        texts.append(
            f"{('he', 'she', 'it')[int(rng.integers(3))]} is a {word} {('cook', 'judge')[int(rng.integers(2))]}"
        )
        classes.append(labels[label])
    write_columns(path, {"text": texts, "label": classes})
    return str(path)


@pytest.fixture
def config(tmp_path) -> ClassifierConfig:
    return ClassifierConfig(
        train=write_set(tmp_path / "train.csv", 160, 1),
        dev=write_set(tmp_path / "dev.csv", 40, 2),
        test={"test": write_set(tmp_path / "test.csv", 40, 3)},
        config=dict(TINY),
        vocab_size=80,
        max_length=16,
        epochs=3,
        batch=16,
        learning_rate=3e-3,
        threads=1,
    )


class TestData:
    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            ({"label": [1]}, "no column 'text'"),
            ({"text": ["a", "b"]}, "no column 'label'"),
            ({"text": ["a", "b"], "label": ["x", "x"]}, "all examples have the class 'x'"),
            ({"text": ["a", "b"], "label": ["x", ""]}, "row 2: column 'label' names no class"),
        ],
    )
    def test_bad_tables(self, tmp_path, columns, message):
        path = tmp_path / "t.csv"
        write_columns(path, columns)
        with pytest.raises(InputError, match=message):
            read_labelled(path, text="text", label="label")

    def test_classes_as_text_in_order_with_the_positive_one_last(self, tmp_path):
        path = tmp_path / "t.csv"
        write_columns(path, {"text": ["a", "b", "c"], "label": ["bad", "fine", "so"]})
        found = read_labelled(path, text="text", label="label", positive="bad")
        assert found.classes == ("fine", "so", "bad")
        assert found.labels == [2, 0, 1]

    def test_a_class_without_training_example(self, tmp_path):
        path = tmp_path / "t.csv"
        write_columns(path, {"text": ["a"], "label": ["odd"]})
        with pytest.raises(InputError, match="row 1: the class 'odd' has no training example; known: bad, fine"):
            read_labelled(path, text="text", label="label", classes=("bad", "fine"))


class TestRecipe:
    @pytest.mark.parametrize(
        ("extra", "message"),
        [
            ("", "either a 'model'"),
            ("model: bert-base-cased\nconfig: {model_type: bert}", "either a 'model'"),
            ("config: {hidden_size: 3}", "'model_type' is missing"),
            ("model: x\nmetric: F1", "must be one of AUC, accuracy, loss"),
            ("model: x\nepoch: 3", r"unknown key 'epoch' \(did you mean 'epochs'\?\)"),
            ("model: x\nseeds: [1, 1]", "seeds must be different numbers"),
        ],
    )
    def test_bad_recipes(self, tmp_path, extra, message):
        path = tmp_path / "r.yaml"
        path.write_text(f"train: a.csv\ndev: b.csv\n{extra}\n")
        with pytest.raises(RecipeError, match=message):
            load_classifier_recipe(path)


def test_figures_of_two_and_of_three_classes():
    two = figures_of(np.array([[2.0, 0.0], [0.0, 1.0]]), np.array([0, 1]))
    assert two == {"accuracy": 1.0, "AUC": 1.0}
    assert figures_of(np.eye(3), np.array([0, 1, 1])) == pytest.approx({"accuracy": 2 / 3})


class Stop(Exception):
    pass


@pytest.mark.slow
class TestTraining:
    @pytest.mark.parametrize("by_length", [False, True])
    def test_it_learns_and_a_killed_run_ends_the_same(self, config, tmp_path, by_length):
        pytest.importorskip("torch")
        config.by_length = by_length
        transformers = pytest.importorskip("transformers")

        class Kill(transformers.TrainerCallback):
            def on_epoch_begin(self, args, state, control, **_):
                if state.epoch and state.epoch >= 1:
                    raise Stop

        (whole,) = train_classifier(config, output=tmp_path / "whole")
        assert whole["test AUC"] > 0.95
        with pytest.raises(Stop):
            train_classifier(config, output=tmp_path / "killed", callbacks=[Kill()])
        (resumed,) = train_classifier(config, output=tmp_path / "killed")
        assert resumed == whole
        names = ("test", "dev")
        one, two = (
            [read_columns(tmp_path / run / "seed-1" / f"predictions-{name}.parquet").columns for name in names]
            for run in ("whole", "killed")
        )
        assert one == two

    def test_predictions_can_be_measured(self, config, tmp_path, capsys):
        pytest.importorskip("torch")
        config.seeds, config.epochs = [1, 2], 1
        train_classifier(config, output=tmp_path / "run")
        table = tmp_path / "run" / "seed-2" / "predictions-test.parquet"
        columns = read_columns(table).columns
        assert list(columns) == ["text", "label", "prediction", "score"]
        write_columns(table, {**columns, "group": [text.split()[0] for text in columns["text"]]})
        command = [
            "eval",
            "fairness",
            str(table),
            "--score",
            "score",
            "--group",
            "group",
            "--bootstrap",
            "20",
            "--json",
        ]
        assert main(command) == 0
        assert json.loads(capsys.readouterr().out)[0]["figures"]["AUC"]["value"] is not None

    def test_other_options_are_refused(self, config, tmp_path):
        pytest.importorskip("torch")
        config.epochs = 1
        train_classifier(config, output=tmp_path / "run")
        config.learning_rate = 1e-3
        with pytest.raises(ResumeError, match="learning_rate"):
            train_classifier(config, output=tmp_path / "run")

    def test_a_vocabulary_is_known_by_its_content(self, config, tmp_path):
        pytest.importorskip("torch")
        texts = read_columns(config.train).texts("text")
        for name in ("here", "there"):
            make_tokenizer(texts, vocab_size=80, lower=True, max_length=16).save_pretrained(str(tmp_path / name))
        make_tokenizer(texts, vocab_size=60, lower=True, max_length=16).save_pretrained(str(tmp_path / "other"))
        config.epochs, config.tokenizer = 1, str(tmp_path / "here")
        first = train_classifier(config, output=tmp_path / "run")
        config.tokenizer = str(tmp_path / "there")
        assert train_classifier(config, output=tmp_path / "run") == first
        config.tokenizer = str(tmp_path / "other")
        with pytest.raises(ResumeError, match=r"config\.tokenizer"):
            train_classifier(config, output=tmp_path / "run")

    def test_no_such_model(self, config, tmp_path):
        pytest.importorskip("torch")
        config.config, config.model = {}, str(tmp_path / "nowhere")
        with pytest.raises(ModelError, match="nowhere"):
            train_classifier(config, output=tmp_path / "run")

    def test_three_classes_have_no_area(self, config, tmp_path):
        pytest.importorskip("torch")
        path = tmp_path / "train.csv"
        write_columns(path, {"text": ["a", "b", "c"], "label": [0, 1, 2]})
        with pytest.raises(RecipeError, match="AUC needs two classes, the training set has 3"):
            train_classifier(config, output=tmp_path / "run")
