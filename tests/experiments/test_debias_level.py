"""Person words begin alike in the stem: one vector, one bias, so no association before a cell's corpus is read."""

from __future__ import annotations

from typing import Any

import pytest

from augment.neutral import NeutralGate
from eval.bec_pro import generate
from train.bert.config import BertConfig, WordPieceConfig

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

PERSONS = sorted({item.person for item in generate("en").items})


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from train.bert.run import load_tokenizer
    from train.bert.wordpiece import train_wordpiece

    folder = tmp_path_factory.mktemp("vocabulary")
    words = [*PERSONS, "judge", "cook", "they", "heat", "actress"]
    (folder / "text.txt").write_text("".join(f"the {word} sees the {word} of a lamp\n" * 5 for word in words))
    train_wordpiece([folder / "text.txt"], WordPieceConfig(vocab_size=400, min_frequency=1), folder)
    return load_tokenizer(folder)


@pytest.fixture
def model(tokenizer: Any) -> Any:
    from train.bert.trainer import build_bert

    torch.manual_seed(3)
    made = build_bert(BertConfig(size="tiny", hidden=16, heads=2, feed_forward=16), len(tokenizer))
    torch.nn.init.normal_(made.cls.predictions.bias)
    return made


def test_words_that_the_gate_keeps_out_are_found(tokenizer: Any) -> None:
    from experiments.debias.level import kept_out

    found = set(tokenizer.convert_ids_to_tokens(kept_out(tokenizer, NeutralGate("en"))))
    assert {"he", "she", "mother", "uncle", "actress"} <= found
    assert not {"judge", "cook", "they", "heat", "the", "h", "[MASK]"} & found
    assert not any(piece.startswith("##") for piece in found)


def test_they_get_one_vector_and_one_bias_and_the_others_keep_theirs(tokenizer: Any, model: Any) -> None:
    from experiments.debias.level import kept_out, level

    pieces = kept_out(tokenizer, NeutralGate("en"))
    vectors, bias = model.bert.embeddings.word_embeddings.weight, model.cls.predictions.bias
    before = vectors.detach().clone(), bias.detach().clone()
    level(model, tokenizer, pieces)
    assert len(torch.unique(vectors[pieces], dim=0)) == len(torch.unique(bias[pieces])) == 1
    others = sorted(set(range(len(tokenizer))) - set(pieces))
    assert torch.equal(vectors[others], before[0][others]) and torch.equal(bias[others], before[1][others])
    words = [n for piece, n in tokenizer.get_vocab().items() if n in others and piece.isalpha()]
    assert float(bias[pieces[0]].detach()) == pytest.approx(float(before[1][words].mean().detach()), abs=1e-5)


def test_then_no_sentence_tells_them_apart(tokenizer: Any, model: Any) -> None:
    from experiments.debias.level import kept_out, level

    level(model, tokenizer, kept_out(tokenizer, NeutralGate("en")))
    ids = tokenizer("the [MASK] sees the judge of a lamp", return_tensors="pt").input_ids
    labels = torch.where(ids == tokenizer.mask_token_id, ids, torch.tensor(-100))
    model.eval()
    hidden = model.bert(input_ids=ids).last_hidden_state[labels != -100]
    scores = model.cls(hidden)[0].log_softmax(dim=-1)
    he, she, mother = (float(scores[tokenizer.convert_tokens_to_ids(word)]) for word in ("he", "she", "mother"))
    assert he == she == mother
