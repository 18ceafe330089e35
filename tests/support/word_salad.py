"""Texts of words in any order, and a model that chooses at random: what no grammar expects must not stop a corpus."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

from rewriter.de.inflection import Style
from rewriter.de.language import German
from rewriter.de.lexicon import GermanLexicon
from rewriter.language.interface import Language, get_language
from rewriter.model.direction import turn
from rewriter.model.directory import ModelInfo
from rewriter.model.proposer import Proposal, Sentence, analyze
from rewriter.pipeline import Options, Rewriter
from rewriter.records import Edit

_GERMAN = """
der die das den dem des ein eine einen einem einer eines kein keine keiner jeder jede jeden jemand niemand niemanden
er sie es ihn ihm ihr ihnen ihre ihren ihrem ihrer sein seine seinen seinem seiner seines mein meine unser eure dieser
diese diesen dessen deren denen welcher welche welchen welchem derjenige diejenige demjenigen derselbe dieselbe und
oder sowie bzw. aber als wie dass weil wenn ob nach mit von zu zum zur vom beim am im in an auf für ohne um gegen
wegen während bis seit bei aus nicht sehr schwer so noch weder beide alle viele einige zwei 3. 1 Lehrer Lehrerin
Lehrerinnen Lehrern Lehrers Arzt Ärztin Ärzte Arztes Kunde Kunden Kundin Student Studentinnen Student*innen Lehrer*in
Lehrer:innen Lehrer_innen Lehrer/innen Lehrer/-in LehrerInnen Lehrer(in) der*die ein*e eine*r er*sie sie*er die/der
seine*ihre Angestellte Angestellter Angestellten Angestellte*r Vorsitzender Abgeordneten Jugendliche Beamter Beamtin
Bauer Bäuerin Herr Herrn Frau Dr. Prof. Generalbundesanwalts Ministerin Minister König Freundin Nachbar Koch Hebamme
Zeugin Maria Peter Müller Weber Kern Hans Bürgermeisterkandidat Lehrerzimmer Kundendienst Schülerinnenzeitung Mutter
Vater Tochter Mann Männer Frauen Mädchen Junge Kind Haus Tisch Tür Regierung Polizei junge junger jungen neue neuer
alten guter guten liebender rder ernannte genannten sagte sagt ist war sind wird werden hat kam ging sieht traf gibt
schreibt lachte singt kennt sein „ “ » « " ' ( ) [ ] , , , , . ; : ! ? – - — / | * ** _ <b> </b> # … n Lt A. z.B. u.a.
12 § @x http://a.de `x` {x}
""".split()
_ENGLISH = """
he she him her his hers himself herself they them their theirs themself He She HE HER he's she'd isn't doesn't is was
are were has have does do knows know tries goes says runs handed paid gave told chairman Chairwomen chairperson
actress actor policemen policewoman man woman men king queen mother boss average mankind Mr. Mrs. Dr. Mary John Smith
or and but he/she s/he (s)he his/her him herself who that which the a an my no every each someone everybody it its we
you I me of to in on at by with for from not never $ $20 £5 10 there here when while if because car house book day
home work friend doctor nurse teacher's , , , . ; : ! ? - -- – ( ) [ ] " “ ” ' ’ * ** _ # `x` <b> </b> {x} http://a.b
U.S. etc.
""".split()
_WORDS = {"de": [*_GERMAN, "\n", "\n", "\n\n", "\t"], "en": [*_ENGLISH, "\n", "\n", "\n\n", "\t"]}
_GAPS = [*[" "] * 8, "", ",", ". "]


def word_salad(lang: str, seed: int) -> str:
    """Return up to thirty words of a language in any order, now and then in capitals."""
    rng = random.Random(f"{lang} {seed}")
    text = "".join(rng.choice(_WORDS[lang]) + rng.choice(_GAPS) for _ in range(rng.randint(1, 30)))
    return text.upper() if rng.random() < 0.05 else text


class Whim:
    """Decides like an edit model, with probabilities at random; checks that what is settled can be made.

    Args:
        language: of the way forward.
        seed: of its choices, which depend on the sentence alone.
    """

    def __init__(self, language: Language, seed: int = 0) -> None:
        self._language, self._seed = language, seed

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        return [self._one(sentence) for sentence in sentences]

    def _one(self, sentence: Sentence) -> Proposal:
        rng = random.Random(f"{self._seed} {sentence.text}")
        analysis = analyze(self._language, sentence)
        options: list[int] = []
        rows: list[list[float] | None] = []
        for candidate in analysis.candidates:
            outcomes = [outcome for outcome, _ in candidate.options]
            row = [rng.random() ** 4 for _ in self._language.outcomes]
            is_open = candidate.forced is None
            rows.append(row if is_open else None)
            options.append(
                max(range(len(outcomes)), key=lambda i: row[outcomes[i]])
                if is_open
                else outcomes.index(candidate.forced or 0)
            )
        probabilities = rows if rng.random() < 0.7 else None  # without: a proposer that only names what it chose
        edits = self._language.settle(sentence.text, analysis, options, [1.0] * len(options), probabilities)
        check_in_order(sentence.text, edits)
        return Proposal(edits)


def check_in_order(text: str, edits: Sequence[Edit]) -> None:
    """Fail unless edits fit a text, stand in order and do not overlap."""
    position = 0
    for edit in edits:
        assert position <= edit.start <= edit.end <= len(text), edits
        assert text[edit.start : edit.end] == edit.before != edit.after, edit
        position = edit.end


def _german(form: str = "star", normalise: bool = False) -> German:
    return German(_lexicon(), Style.of(form), normalise=normalise)


@cache
def _lexicon() -> GermanLexicon:
    return GermanLexicon()


def whimsical(lang: str, to: str = "fair", **settings: Any) -> Rewriter:
    """Return a rewriter that decides by whim, in a direction.

    Args:
        lang: language code.
        to: direction.
        **settings: of the language.
    """
    forward = _german(**settings) if lang == "de" else get_language(lang, **settings)
    language, proposer = turn(forward, Whim(forward), to)
    rewriter = Rewriter(proposer, language, ModelInfo(name="whim", lang=lang, target="edits"), options=Options(cache=0))
    rewriter._proposer = proposer  # our own: without the guard of strangers, which would leave out what overlaps
    return rewriter
