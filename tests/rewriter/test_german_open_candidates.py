"""German read by a network: what the candidates of a sentence can express. Every sentence is made up."""

from __future__ import annotations

import pytest

from rewriter.de.decoding import decode
from rewriter.language.interface import get_language
from rewriter.model.alignment import match_outcomes

GERMAN = get_language("de", reader="model")

#: source, target that some outcomes must give, and that the decoder must return when the network is sure of them
EXPRESSED = [
    pytest.param("Der Markgraf kam.", "Der*die Markgräf*in kam.", id="rare person"),
    pytest.param("Die Emittenten zahlen.", "Die Emittent*innen zahlen.", id="learned ending"),
    pytest.param("Er ging mit dem Landwirth.", "Er ging mit dem*der Landwirth*in.", id="old spelling"),
    pytest.param("Sie fragte beim Wirthe nach.", "Sie fragte beim*bei der Wirth*in nach.", id="old dative"),
    pytest.param("Das gilt für den Privaten.", "Das gilt für den*die Private*n.", id="nominalised by its form"),
    pytest.param("Die Schülerberater kamen.", "Die Schüler*innenberater*innen kamen.", id="two persons"),
    pytest.param("Der Drechslermeister kam.", "Der*die Drechslermeister*in kam.", id="a rank is no second person"),
    pytest.param("Der (Die) Leiter (Leiterin) fehlt.", "Der*die Leiter*in fehlt.", id="brackets"),
    pytest.param("Er hilft, wenn er (sie) kann.", "Er hilft, wenn er*sie kann.", id="pronoun in brackets"),
    pytest.param("Das kommt vom (von der) Minister (Ministerin).", "Das kommt vom*von der Minister*in.", id="vom"),
    pytest.param("Jede und jeder kann helfen.", "Jede*r kann helfen.", id="jede und jeder"),
    pytest.param("Es dient Jägerinnen- und Jägergruppen.", "Es dient Jäger*innengruppen.", id="first part twice"),
    pytest.param("Von der Klägerin hörte man nichts.", "Von dem*der Kläger*in hörte man nichts.", id="von stays"),
    pytest.param("Von der Klägerin hörte man nichts.", "Vom*von der Kläger*in hörte man nichts.", id="von contracted"),
    pytest.param("Den Zaun baute ein anderer.", "Den Zaun baute ein*e andere*r.", id="written small"),
    pytest.param("Der hat recht.", "Der*die hat recht.", id="demonstrative"),
    pytest.param(
        "Er lobte den Sängern und Sängerinnen zu viel.", "Er lobte den Sänger*innen zu viel.", id="masculine first"
    ),
    pytest.param("Man sah die pro-russischen Aktivisten.", "Man sah die pro-russischen Aktivist*innen.", id="hyphen"),
    pytest.param("Ein US-amerikanischer Maler kam.", "Ein*e US-amerikanische*r Maler*in kam.", id="article far off"),
    pytest.param("Der Youtuber lacht.", "Der*die Youtuber*in lacht.", id="capitals as they stand"),
    pytest.param(
        "Er ist Karl von Harrach, der kaiserlicher Minister war.",
        "Er*sie ist Karl von Harrach, der*die kaiserliche*r Minister*in war.",
        id="no article",
    ),
    pytest.param("Dort liegen Königsgräber.", "Dort liegen König*innengräber.", id="person first, or a digger"),
]


@pytest.mark.parametrize(("source", "target"), EXPRESSED)
def test_targets_are_expressed_and_decoded(source: str, target: str) -> None:
    analysis = GERMAN.analyze(source)
    chosen = match_outcomes(source, target, analysis.candidates)
    assert chosen is not None
    outcomes = [c.options[option][0] for c, option in zip(analysis.candidates, chosen, strict=True)]
    assert decode(analysis, chosen) == outcomes


@pytest.mark.parametrize(
    "text",
    [
        "Die Geschichte handelt vom Wald.",
        "Das Gerät steht im Garten.",
        "Der Contrast gibt ihm einen Anstrich von Gediegenheit.",
        "Lieferanschriften stehen dort.",
        "Die Alexanderlegende ist alt.",
        "Stolzer Besitz.",
    ],
)
def test_known_things_are_no_candidates(text: str) -> None:
    assert all(c.kind not in ("noun", "nominalised") for c in GERMAN.analyze(text).candidates)
