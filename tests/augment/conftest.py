"""Hand-made parses for the tests of the rules."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from augment.dependency import Parse, Parser, Relation, Token, adapt, load_parser

_POS = {"VB": "VERB", "MD": "AUX", "NN": "NOUN", "PR": "PRON", "WP": "PRON", "RB": "ADV", "JJ": "ADJ", "IN": "ADP"}


def annotate(line: str) -> Parse:
    """Make a parse from ``word/TAG/head/label`` items (Universal Dependencies, heads counted from 1, 0 for the root).

    ``~`` before a word: no space before it. Head and label may be left out where a rule does not read them. A lemma may
    follow as a fifth part.
    """
    tokens: list[Token] = []
    text = ""
    for index, item in enumerate(line.split()):
        glued = item.startswith("~")
        word, tag, *rest = item.removeprefix("~").split("/")
        text += word if glued or not text else " " + word
        head = int(rest[0]) - 1 if rest and rest[0] != "0" else index
        label = rest[1] if len(rest) > 1 else "dep"
        relation = Relation.ROOT if head == index else adapt(label, "universal-dependencies")
        lemma = rest[2] if len(rest) > 2 else word.lower()
        pos = "PROPN" if tag.startswith("NNP") else _POS.get(tag[:2], "X")
        tokens.append(Token(index, word, lemma, tag, pos, len(text) - len(word), len(text), head, relation))
    return Parse(text, tuple(tokens))


@pytest.fixture(name="annotate")
def _annotate() -> Callable[[str], Parse]:
    return annotate


@pytest.fixture(scope="session")
def parser() -> Parser:
    """The trained pipeline; tests that need it skip where it is not named."""
    path = os.environ.get("GENDER_FAIR_PARSER")
    if not path:
        pytest.skip("GENDER_FAIR_PARSER names no pipeline (gender-fair train parser makes one)")
    return load_parser(path)
