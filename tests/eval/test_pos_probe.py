"""The tagging probe: it reads a treebank, finds what an encoder holds, and nothing where the words say nothing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from eval.bootstrap import Resampling
from eval.pos_probe import Tagged, pos_probe, read_tagged, word_states
from rewriter.cli.main import main
from rewriter.errors import InputError, ModelError

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

FEW = Resampling(samples=40, seed=1)
WORDS = {"DET": ["a", "the"], "NOUN": ["cook", "judge", "lamp"], "VERB": ["sees", "paints", "breaks"]}
CONLLU = """\
# text = They're here
1-2\tThey're\t_\t_\t_\t_\t_\t_\t_\t_
1\tThey\tthey\tPRON\t_\t_\t0\t_\t_\t_
2\t're\tbe\tAUX\t_\t_\t1\t_\t_\t_
2.1\thidden\t_\tVERB\t_\t_\t_\t_\t_\t_
3\there\there\tADV\t_\t_\t1\t_\t_\t_

1\tNo\tno\tINTJ\t_\t_\t0\t_\t_\t_
"""


def sentences(number: int, seed: int) -> list[Tagged]:
    rng = np.random.default_rng(seed)
    tags = ("DET", "NOUN", "VERB", "DET", "NOUN")
    return [Tagged(tuple(str(rng.choice(WORDS[tag])) for tag in tags), tags) for _ in range(number)]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network with random weights: its states still tell words apart."""
    folder = tmp_path_factory.mktemp("model")
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(word for words in WORDS.values() for word in words)]
    tokenizer = transformers.BertTokenizerFast(vocab={piece: n for n, piece in enumerate(pieces)})
    transformers.set_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(pieces), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=32,
    )  # fmt: skip
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_words_of_a_treebank_without_ranges_and_empty_nodes(tmp_path: Path) -> None:
    (tmp_path / "x.conllu").write_text(CONLLU)
    assert read_tagged(tmp_path / "x.conllu") == [
        Tagged(("They", "'re", "here"), ("PRON", "AUX", "ADV")), Tagged(("No",), ("INTJ",))
    ]  # fmt: skip
    assert len(read_tagged(tmp_path / "x.conllu", 1)) == 1


@pytest.mark.parametrize(("text", "message"), [("1\tNo\n", r"x.conllu:1: .*10 columns, not 2"), ("", "no sentence")])
def test_what_is_no_treebank_is_told(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.conllu").write_text(text)
    with pytest.raises(InputError, match=message):
        read_tagged(tmp_path / "x.conllu")


def test_what_the_words_tell_is_found(model: Path) -> None:
    found = pos_probe(model, sentences(60, 1), sentences(20, 2), resampling=FEW)
    assert found.accuracy == 100 and found.by_word == 100 and found.words == 100
    assert found.interval.low <= found.accuracy <= found.interval.high
    assert found.signature.startswith("pos-probe|task:upos|train:60|n:20|words:100")
    assert pos_probe(model, sentences(60, 1), sentences(20, 2), resampling=FEW) == found


def test_tags_that_nothing_tells_are_not_found(model: Path) -> None:
    rng = np.random.default_rng(5)

    def shuffled(seed: int) -> list[Tagged]:
        return [Tagged(s.words, tuple(map(str, rng.permutation(s.tags)))) for s in sentences(60, seed)]

    found = pos_probe(model, shuffled(1), shuffled(2), resampling=FEW)
    assert found.accuracy < 60 and found.by_word < 60


def test_a_tag_that_was_never_seen_counts_as_wrong(model: Path) -> None:
    test = [Tagged(s.words, ("DET", "PROPN", "VERB", "DET", "NOUN")) for s in sentences(20, 2)]
    assert pos_probe(model, sentences(60, 1), test, resampling=FEW).accuracy == 80


def test_a_word_is_the_mean_of_its_pieces_and_words_beyond_the_end_are_zero(model: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    network = transformers.BertForMaskedLM.from_pretrained(model).eval()
    long = Tagged(("cook",) * 40, ("NOUN",) * 40)
    states = word_states(tokenizer, network, [long, sentences(1, 1)[0]])
    assert states.shape == (45, 16)
    assert states[29].any() and not states[30:40].any() and states[40:].any()


def test_nothing_to_learn_from_and_no_model_are_told(model: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs sentences"):
        pos_probe(model, [], sentences(1, 1))
    with pytest.raises(ModelError, match="no masked language model"):
        pos_probe(tmp_path, sentences(1, 1), sentences(1, 1))


def test_the_command(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("the", "DET"), ("cook", "NOUN"), ("sees", "VERB")]
    lines = [f"{n}\t{word}\t_\t{tag}" + "\t_" * 6 for n, (word, tag) in enumerate(rows, 1)]
    (tmp_path / "x.conllu").write_text(("\n".join(lines) + "\n\n") * 5)
    command = ["eval", "pos-probe", str(model), "--train", str(tmp_path / "x.conllu"), "--bootstrap", "20"]
    assert main([*command, "--test", str(tmp_path / "x.conllu"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["accuracy"] == 100
    assert main([*command, "--test", str(tmp_path / "x.conllu")]) == 0
    assert "100.00 %" in capsys.readouterr().out
    assert main([*command, "--test", str(tmp_path / "none")]) == 4
