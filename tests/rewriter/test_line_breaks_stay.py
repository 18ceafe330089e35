"""A text has every line break after rewriting that it had before, wherever they stand, and no other."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rewriter import Rewriter

BREAKS = ("\r", "\n", "\r\n", "\x0b", "\u2028")
GERMAN = (
    "Der Arzt oder die Ärztin half ihm.",
    "Er oder sie weiß es, und sein Kollege auch.",
    "Liebe Kolleginnen und Kollegen, die Kunden warten.",
    "Jede Schülerin und jeder Schüler lernt.",
    "Bürgerinnen- und Bürgerrechte gelten.",
    "Der (die) Leiter (Leiterin) kam mit seinem oder ihrem Kunden.",
)
ENGLISH = (
    "He or she said that his or her chairman left.",
    "The actress knows herself; does she not know the spokesman?",
    "She's late, and he doesn't mind.",
)
FORMS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("de", {}),
    ("de", {"form": "pair"}),
    ("de", {"form": "colon", "normalise": True}),
    ("de", {"to": "feminine"}),
    ("en", {}),
)


@pytest.mark.parametrize(("lang", "options"), FORMS, ids=str)
def test_breaks_stay(lang: str, options: dict[str, Any]) -> None:
    rng = random.Random(3)
    sentences = GERMAN if lang == "de" else ENGLISH
    texts = [
        "".join(rng.choice(BREAKS) if char == " " and rng.random() < 0.4 else char for char in sentence)
        for sentence in sentences
        for _ in range(25)
    ]
    for text, rewritten in zip(texts, Rewriter.from_pretrained(lang, **options).rewrite(texts), strict=True):
        for mark in ("\r", "\n", "\x0b", "\u2028"):
            assert rewritten.count(mark) == text.count(mark), (text, rewritten)
