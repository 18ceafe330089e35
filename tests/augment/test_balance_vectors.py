"""Word vectors of an own corpus: near are words that stand beside the same words; files, resume, what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from augment.balance.judge import read_vectors
from augment.balance.reading import Corpus
from augment.balance.vectors import VectorOptions, train_vectors, vectors_into
from rewriter.cli.main import main
from rewriter.errors import InputError, ResumeError, UsageError
from rewriter.io.files import write_lines

KINDS = {"animals": ["cat", "dog", "horse"], "boats": ["barge", "canoe", "ferry"]}
VERBS = {"animals": ["eats", "sleeps", "barks"], "boats": ["sails", "sinks", "floats"]}
OPTIONS = VectorOptions(size=4, window=3, min_count=2)


def texts(number: int, seed: int = 3) -> list[str]:
    rng = np.random.default_rng(seed)
    found = []
    for kind in rng.choice(list(KINDS), number):
        found.append(f"The {rng.choice(KINDS[kind])} {rng.choice(VERBS[kind])} and {rng.choice(VERBS[kind])} here.")
    return found


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    write_lines(tmp_path / "text.txt", texts(600))
    return Corpus.find([str(tmp_path / "text.txt")])


def test_words_of_one_kind_are_near_each_other(corpus: Corpus) -> None:
    words, vectors = train_vectors(corpus, OPTIONS)
    place = {word: vectors[n] for n, word in enumerate(words)}
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for kind, other in (("animals", "boats"), ("boats", "animals")):
        for word in KINDS[kind]:
            near = min(float(place[word] @ place[same]) for same in KINDS[kind])
            far = max(float(place[word] @ place[strange]) for strange in KINDS[other])
            assert near > far + 0.3


def test_the_same_corpus_gives_the_same_vectors(corpus: Corpus) -> None:
    first, second = train_vectors(corpus, OPTIONS), train_vectors(corpus, OPTIONS)
    assert first[0] == second[0]
    np.testing.assert_allclose(first[1], second[1], atol=1e-5)


def test_texts_do_not_run_into_each_other(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.txt", ["left"] * 40 + ["right"] * 40 + ["up down"] * 40)
    words, vectors = train_vectors(Corpus.find([str(tmp_path / "a.txt")]), VectorOptions(size=2, min_count=1))
    place = dict(zip(words, vectors, strict=True))
    assert not place["left"].any() and not place["right"].any() and place["up"].any()


def test_the_file_is_that_of_word2vec_and_is_not_made_twice(corpus: Corpus, tmp_path: Path) -> None:
    path = vectors_into(corpus, tmp_path / "vectors", OPTIONS)
    before = path.stat().st_mtime_ns
    assert read_vectors(path)["cat"].shape == (4,)
    assert vectors_into(corpus, tmp_path / "vectors", OPTIONS).stat().st_mtime_ns == before
    with pytest.raises(ResumeError, match="window: was 3, is 2"):
        vectors_into(corpus, tmp_path / "vectors", VectorOptions(size=4, window=2, min_count=2))


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "text.txt"
    write_lines(source, ["She is a nurse.", "He is a nurse.", "The nurse came and she left."] * 20)
    assert main(["balance", "vectors", str(source), "-o", str(tmp_path / "v"), "--size", "3", "--min-count", "1"]) == 0
    file = capsys.readouterr().out.strip()
    count = ["balance", "count", str(source), "--method", "similarity", "--json", "--similarity", "0.1"]
    assert main([*count, "-o", str(tmp_path / "own"), "--vectors", file]) == 0
    assert json.loads(capsys.readouterr().out)["terms"]["registered nurse"] is not None
    assert main([*count, "-o", str(tmp_path / "made")]) == 0
    assert (tmp_path / "made" / "vectors" / "vectors.txt.zst").exists()


def test_too_few_words_and_wrong_options_are_told(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.txt", ["One line only."])
    with pytest.raises(InputError, match="use more text"):
        train_vectors(Corpus.find([str(tmp_path / "a.txt")]))
    with pytest.raises(UsageError, match="at least 1"):
        VectorOptions(window=0)
