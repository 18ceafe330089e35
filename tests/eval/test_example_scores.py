"""Scores of examples: worked by hand, and with a small model of random weights."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from eval.example_scores.core import el2n, forget_score, gender_equity, stereotype_sign
from eval.example_scores.run import ScoreOptions, find_checkpoints, score_file
from rewriter.cli.main import main
from rewriter.errors import InputError, MetricError, ModelError, UsageError
from rewriter.io.columns import read_columns, write_columns


def test_gender_equity_by_hand():
    found = gender_equity(np.array([[3.0, 0.0], [1.0, 1.0]]), np.array([[0.0, 4.0], [1.0, 1.0]]))
    assert found.tolist() == [5.0, 0.0]


def test_el2n_by_hand():
    # softmax of equal logits is (1/2, 1/2); a certain wrong answer is as far as can be
    found = el2n(np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 0.0]]), np.array([0, 0, 1]))
    assert found == pytest.approx([math.sqrt(0.5), 0.0, math.sqrt(2.0)])


def test_stereotype_sign():
    logits, flipped = np.array([[2.0, 0.0], [0.0, 0.0], [0.0, 0.0]]), np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 0.0]])
    assert stereotype_sign(logits, flipped, np.array([0, 0, 0])).tolist() == [-1, 1, 0]


def test_forget_score_counts_falls():
    correct = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [1, 1, 0, 0], [0, 1, 1, 0]], dtype=bool)
    assert forget_score(correct).tolist() == [2, 0, 1, 0]
    with pytest.raises(MetricError, match="at least two checkpoints"):
        forget_score(correct[:1])


TEXTS = ["he is a kind cook", "she is a dumb judge of it", "it is awful", "her cook is brave", "the judge is vile"]
FLIPPED = ["she is a kind cook", "he is a dumb judge of it", "it is awful", "his cook is brave", "the judge is vile"]
LABELS = [0, 1, 1, 0, 1]


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    """A training run with two checkpoints of random weights."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    run = tmp_path_factory.mktemp("run")
    words = sorted({word for text in TEXTS + FLIPPED for word in text.split()})
    vocabulary = run / "vocab.txt"
    vocabulary.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]) + "\n")
    tokenizer = transformers.BertTokenizerFast(vocab=str(vocabulary))
    for step in (9, 10):
        torch.manual_seed(step)
        config = transformers.BertConfig(
            vocab_size=len(words) + 5,
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=20,
            num_labels=2,
        )
        model = transformers.BertForSequenceClassification(config)
        model.save_pretrained(run / f"checkpoint-{step}")
        tokenizer.save_pretrained(run / f"checkpoint-{step}")
    return run


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "train.csv"
    write_columns(path, {"text": TEXTS, "counterfactual": FLIPPED, "label": LABELS})
    return path


def test_vectorised_gradients_equal_those_one_by_one(checkpoints):
    from eval.classifier import TextClassifier

    model = TextClassifier.load(checkpoints / "checkpoint-9", batch=3)
    labels = np.array(LABELS)
    together, alone = (model.gradient_norms(TEXTS, labels, vectorised=way) for way in (True, False))
    np.testing.assert_allclose(together, alone, rtol=1e-5, atol=1e-7)


def test_the_order_of_texts_does_not_matter(checkpoints):
    from eval.classifier import TextClassifier

    model = TextClassifier.load(checkpoints / "checkpoint-9", batch=2)
    logits = model.logits(TEXTS)
    np.testing.assert_allclose(model.logits(TEXTS[::-1])[::-1], logits, atol=1e-6)
    assert model.logits([TEXTS[0], TEXTS[1], TEXTS[0]])[2].tolist() == model.logits(TEXTS[:2])[0].tolist()


def test_scores_of_a_table(checkpoints, table, tmp_path):
    output = tmp_path / "scores.csv"
    score_file(table, [checkpoints], output)
    found = read_columns(output)
    assert list(found.columns) == [
        "text", "counterfactual", "label", "GE", "EL2N", "GraNd", "stereotype", "forget",
    ]  # fmt: skip
    scores = found.numbers("GE")
    assert scores[2] == scores[4] == 0.0  # nothing gendered in them
    assert (scores[[0, 1, 3]] > 0).all()
    assert not (tmp_path / "scores.csv.parts").exists()


def test_texts_that_do_not_change_score_exactly_zero_whatever_batch_they_fall_into(checkpoints, tmp_path):
    rng, words = np.random.default_rng(0), sorted({word for text in TEXTS for word in text.split()} - {"he", "she"})
    plain = [" ".join(rng.choice(words, int(rng.integers(2, 15)))) for _ in range(60)]
    path, pronouns = tmp_path / "many.csv", ["he"] * 30
    texts, flipped = [*plain, *pronouns], [*plain, *(f"she {'is ' * (i % 9)}brave" for i in range(30))]
    write_columns(path, {"text": texts, "counterfactual": flipped, "label": [0, 1] * 45})
    options = ScoreOptions(scores=("GE", "stereotype"), batch=7)
    found = score_file(path, [checkpoints / "checkpoint-9"], tmp_path / "scores.csv", options=options)
    assert not found.numbers("GE")[:60].any() and found.numbers("GE")[60:].all()
    assert not found.numbers("stereotype")[:60].any()


def test_means_over_seeds(checkpoints, table, tmp_path):
    output = tmp_path / "scores.jsonl"
    options = ScoreOptions(scores=("GE", "EL2N"))
    score_file(table, [checkpoints / "checkpoint-9", checkpoints / "checkpoint-10"], output, options=options)
    found = read_columns(output)
    np.testing.assert_allclose(found.numbers("GE"), (found.numbers("GE 1") + found.numbers("GE 2")) / 2)


def test_an_interrupted_run_goes_on(checkpoints, table, tmp_path, monkeypatch):
    from eval.classifier import TextClassifier

    output, runs = tmp_path / "scores.csv", [checkpoints / "checkpoint-9", checkpoints / "checkpoint-10"]
    options = ScoreOptions(scores=("EL2N",))
    loaded, load = [], TextClassifier.load

    def interrupted(path, **keywords):
        if len(loaded) == 1:
            raise KeyboardInterrupt
        loaded.append(path)
        return load(path, **keywords)

    monkeypatch.setattr(TextClassifier, "load", interrupted)
    with pytest.raises(KeyboardInterrupt):
        score_file(table, runs, output, options=options)
    loaded.clear()
    score_file(table, runs, output, options=options)
    assert [path.name for path in loaded] == ["checkpoint-10"]


def test_fairness_of_a_model(checkpoints, tmp_path, capsys):
    path, models = tmp_path / "t.csv", [str(checkpoints / f"checkpoint-{step}") for step in (9, 10)]
    groups = [text.split()[0] for text in TEXTS]
    write_columns(path, {"text": TEXTS, "flip": FLIPPED, "label": LABELS, "who": groups})
    command = ["eval", "fairness", str(path), "--model", models[0], "--group", "who", "--flipped-text", "flip"]
    assert main([*command, "--against-model", models[1], "--bootstrap", "20", "--json"]) == 0
    groups_record, pairs_record = json.loads(capsys.readouterr().out)
    assert groups_record["figures"]["AUC"]["value"] is not None
    assert 0 <= pairs_record["figures"]["flip rate"]["value"] <= 1
    assert pairs_record["against"]["differences"]["DP"]["p_value"] <= 1
    assert main([*command, "--score", "x"]) == 2


class TestWrong:
    def test_no_such_run(self, tmp_path):
        with pytest.raises(ModelError, match="there is no such training run or checkpoint"):
            find_checkpoints(tmp_path / "nowhere", ScoreOptions())

    def test_too_few_checkpoints(self, checkpoints):
        with pytest.raises(ModelError, match="1 checkpoints where 2 are needed"):
            find_checkpoints(checkpoints / "checkpoint-9", ScoreOptions())
        with pytest.raises(ModelError, match="2 checkpoints where 3 are needed"):
            find_checkpoints(checkpoints, ScoreOptions(early=3))

    def test_checkpoints_are_in_the_order_of_training(self, checkpoints):
        names = [path.name for path in find_checkpoints(checkpoints, ScoreOptions())]
        assert names == ["checkpoint-9", "checkpoint-10"]

    def test_unknown_score(self):
        with pytest.raises(UsageError, match=r"unknown score 'Grand' \(did you mean 'GraNd'\?\)"):
            ScoreOptions(scores=("Grand",))

    def test_no_counterfactuals(self, checkpoints, tmp_path):
        path = tmp_path / "t.csv"
        write_columns(path, {"text": TEXTS, "label": LABELS})
        with pytest.raises(InputError, match="no column 'counterfactual'"):
            score_file(path, [checkpoints], tmp_path / "o.csv")

    def test_a_label_that_the_model_does_not_know(self, checkpoints, tmp_path):
        path = tmp_path / "t.csv"
        write_columns(path, {"text": TEXTS, "label": ["a", *LABELS[1:]]})
        with pytest.raises(InputError, match="row 1: the label 'a' is no class of the model"):
            score_file(path, [checkpoints], tmp_path / "o.csv", options=ScoreOptions(scores=("EL2N",)))
