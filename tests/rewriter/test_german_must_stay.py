"""German that must stay: texts without gendered words, and words that only look like those that change.

The lists stand in ``tests/data/de/must-stay`` and were written without a look at the gate or the word tables; the large
measurement over real text is ``benchmarks/must_stay.py --model de``, whose templates are filled here with sentences of
our own. Two proposers answer: one that changes whatever the grammar lets it change, and the bundled model.
"""

from __future__ import annotations

from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from must_stay_tools import ROOT, Eager, changed, free, load

from rewriter.language.interface import get_language
from rewriter.model.directory import INFO, ModelInfo, bundled_folder
from rewriter.model.proposer import Proposer
from rewriter.pipeline import Options, Rewriter

TABLES = ROOT / "tests" / "data" / "de" / "must-stay"
PER_KIND = 20
#: what the rules hold, whatever a model says
BY_RULE = (
    "polite",
    "insert url",
    "insert e-mail",
    "insert path",
    "insert handle",
    "insert hash tag",
    "insert code span",
    "insert identifier",
    "insert formula",
    "insert tag",
    "insert placeholder",
    "data",
    "fair already",
)

needs_model = pytest.mark.skipif(
    not (bundled_folder() / "de" / INFO).exists(), reason="this checkout has no bundled German model"
)


@cache
def templates(kind: str) -> list[str]:
    """Return texts of one kind of template, always the same."""
    texts = load("must_stay_texts_de")
    choose = texts.chooser(seed=7)
    carriers = cycle((TABLES / "carriers.txt").read_text(encoding="utf-8").splitlines())
    return [item.text for item in choose.take(kind, PER_KIND, texts.filled(choose, kind, carriers))]


@cache
def free_texts() -> list[str]:
    return free(TABLES)


def rewriter(proposer: Proposer, *, gate: bool = True) -> Rewriter:
    language: Any = get_language("de")
    info = ModelInfo(name="test", lang="de", target="edits")
    return Rewriter(proposer, language, info, folder=Path("nowhere"), options=Options(gate=gate))


@cache
def eager(*, gate: bool = True) -> Rewriter:
    return rewriter(Eager(get_language("de")), gate=gate)


@cache
def bundled(*, gate: bool = True) -> Rewriter:
    return Rewriter.from_pretrained("de", threads=1, gate=gate)


@pytest.mark.parametrize("gate", [True, False], ids=["gate on", "gate off"])
def test_texts_without_gendered_words_stay_whatever_a_model_says(gate: bool) -> None:
    assert list(changed(eager(gate=gate), free_texts())) == []


@needs_model
@pytest.mark.parametrize("gate", [True, False], ids=["gate on", "gate off"])
def test_they_stay_with_the_bundled_model(gate: bool) -> None:
    assert list(changed(bundled(gate=gate), free_texts())) == []


def test_the_written_texts_hold_no_gendered_word() -> None:
    gendered = load("must_stay_texts_de").gendered()
    assert [text for text in free_texts() if not gendered.free(text)] == []


@pytest.mark.parametrize("kind", BY_RULE)
def test_what_rules_hold_stays_whatever_a_model_says(kind: str) -> None:
    assert list(changed(eager(), templates(kind))) == []


#: kinds of which the bundled network misreads more than one of twenty, while rules that read told them; see
#: docs/results/de-reading.md
MISREAD = frozenset({"neutral noun", "kin", "name", "title", "leaner", "er for things"})


@needs_model
@pytest.mark.parametrize("kind", load("must_stay_texts_de").TEMPLATES)
def test_look_alikes_stay(kind: str, request: pytest.FixtureRequest) -> None:
    """One of twenty may be misjudged, so that another model may come; the benchmark measures the share."""
    if kind in MISREAD:
        request.applymarker(pytest.mark.xfail(reason="a known weakness of the network", strict=True))
    assert len(list(changed(bundled(), templates(kind)))) <= 1


#: words, is one of them a person, may one of them be gendered and stays
WORDS = [
    ("Die Lehrerin lacht.", (True, False)),
    ("Der Bäcker und die Katze", (True, False)),
    ("Die Studierenden und Angestellten", (True, False)),
    ("Die Kundendaten fehlen.", (True, False)),
    ("Der Antragsteller klagt.", (True, False)),
    ("Die Tierhalter und Niederländer", (True, False)),
    ("Jeder weiß es.", (True, False)),
    ("Jeder neue Tag zählt.", (False, False)),
    ("Keiner kam, der das wusste.", (True, False)),
    ("Kein Fenster war offen.", (False, False)),
    ("Der, der das sagt", (True, False)),
    ("Der Mann und seine Frau", (False, True)),
    ("Sie fährt nach Bergen.", (False, True)),
    ("Das Fenster klemmt.", (False, False)),
    ("Der Teller und der Computer", (False, False)),
    ("Es regnet.", (False, False)),
]


@pytest.mark.parametrize(("text", "found"), WORDS)
def test_the_list_knows_persons(text: str, found: tuple[bool, bool]) -> None:
    assert load("must_stay_texts_de").gendered().in_text(text) == found
