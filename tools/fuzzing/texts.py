"""Strategies for text that looks like something the rules know, for any text, and for damaged bytes; and stand-ins."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from rewriter.language.interface import Language
from rewriter.model.proposer import Proposal, Sentence, analyze
from rewriter.records import Edit

ENGLISH_WORDS = (
    "he she him her hers his himself herself He She HE HER his, he's she’s he'd 'er isn't doesn't is was has does "
    "knows tries goes says runs keys chairman Chairwomen actress policemen average man best man for the job mankind "
    "stewards he or she he/she s/he (s)he his or her him/herself and who that which the a an Mr. Dr. etc. U.S. they "
    "them their themself man woman told made met behind doctor doctor's student nurse every someone gave Mary Mary's "
    "O'Neill I `code` <b> </b> https://example.org/he @her #his $x_{he}$ a_he he_b ``` --- *her* _her_ "
    '"he" ‘she’ [his](her)'
).split(" ")
GERMAN_WORDS = (
    "der die das dem den des ein eine einen einem einer eines kein keine mein seine seinen ihrem ihr ihre sie er ihn "
    "ihm es wer jeder jede jemand niemand derjenige dessen deren Der Die Ein Sie Er Ihr Lehrer Lehrerin Lehrern "
    "Lehrerinnen Lehrer*in Lehrer:innen Lehrer_in Lehrer/in Lehrer/-innen LehrerInnen Lehrer(in) Lehrer(innen) Arzt "
    "Ärztin Ärzte Ärzt*in Student Studenten Studentinnen Kunde Kundin Beamter Beamte Beamtin Angestellte Angestellter "
    "Abgeordneten Bäcker- Bürgerinnen- Bürgerrechte Schülerrat Rednerpult Kandidatenliste Herr Frau Herrn Hr. Fr. Dr. "
    "Prof. Bundeskanzler ZUSCHAUER Berliner Straße Müller Mann Person Mitglied Leute Jude Zeuge Einer alte alten alter "
    "neue gute drei viele alle beide und oder bzw. beziehungsweise sowie und/oder , ist sind war hat haben half kam "
    "kamen singt lachten zum zur vom beim von mit für ohne als wie dass weil welche welcher Liebe Lieber Sehr geehrte "
    "z. B. u. a. § 5 (der) (die) [m/w/d] m/w/d „der“ »Lehrer« ‚Ärztin‘ der*die er*sie ihm:ihr eine*r jede*r vom:von "
    "`Lehrer` <b> </b> https://example.org/Lehrer @Lehrer #Arzt $x_{er}$ ``` --- *Arzt* _die_ [Arzt](er)"
).split(" ")
_GAPS = [" "] * 8 + [
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    ". ",
    ", ",
    "? ",
    "! ",
    ": ",
    "…",
    "; ",
    "-",
    "–",
    "/",
    "*",
    "'",
]
_ODD_GAPS = [
    "\u2028",
    "\u00a0",
    "\u00ad",
    "\u200b",
    "\ufeff",
    "\x0b",
    "\x85",
    "\0",
    "",
    "\u0308",
    "\U0001f469\u200d",
    "(",
]

any_text: SearchStrategy[str] = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def _of_words(words: Sequence[str]) -> SearchStrategy[str]:
    pairs = st.tuples(st.sampled_from(words), st.sampled_from(_GAPS + _ODD_GAPS))
    return st.lists(pairs, max_size=25).map(lambda found: "".join(word + gap for word, gap in found))


def text_of(words: Sequence[str]) -> SearchStrategy[str]:
    """Return a strategy for text of these words, of anything, and of both."""
    near = _of_words(words)
    return st.one_of(near, near, near, any_text, st.tuples(near, any_text, near).map("".join))


english = text_of(ENGLISH_WORDS)
german = text_of(GERMAN_WORDS)
TEXTS = {"en": english, "de": german}

#: what an answer may hold that a format has to escape or to refuse
ANSWERS = [
    "they",
    "them",
    "",
    " ",
    "\n",
    "\r\n",
    "\r",
    '"',
    '""',
    "\\",
    ",",
    ";",
    "\t",
    "é🙂",
    "\0",
    "\ud800",
    "x" * 50,
    "'",
]


@st.composite
def damaged(draw: st.DrawFn, wholes: Sequence[bytes], pieces: Sequence[bytes] = (b"\0", b"\xff", b"")) -> bytes:
    """Draw one of some files with bytes replaced, put in, left out, doubled or cut off in up to six places."""
    data = draw(st.sampled_from(wholes))
    piece = st.one_of(st.sampled_from(pieces), st.binary(min_size=1, max_size=4))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(data)))
        length = draw(st.sampled_from((0, 1, 1, 1, 2, 4, 16, 64)))
        way = draw(st.sampled_from(("replace", "replace", "replace", "cut", "double")))
        if way == "replace":
            data = data[:at] + draw(piece) + data[at + length :]
        else:
            data = data[:at] if way == "cut" else data[: at + length] + data[at:]
    return data


class Stranger:
    """Proposes any edits: the same ones for the same sentence, as a model does."""

    def __init__(self, language: Language, seed: int) -> None:
        self._language, self._seed = language, seed

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        """Return one proposal per sentence."""
        return [self._one(sentence) for sentence in sentences]

    def _one(self, sentence: Sentence) -> Proposal:
        rng = random.Random(f"{self._seed} {sentence.text!a}")
        text = sentence.text
        edits = [any_edit(text, rng) for _ in range(rng.randrange(3))]
        for candidate in analyze(self._language, sentence).candidates:
            before = text[candidate.start : candidate.end]
            edits.append(
                Edit(candidate.start, candidate.end, before, rng.choice(candidate.options)[1], candidate.kind, "")
            )
        return Proposal(edits)


def any_edit(text: str, rng: random.Random) -> Edit:
    """Return an edit that mostly fits the text."""
    start = rng.randrange(-2, len(text) + 3)
    end = start + rng.randrange(-1, 6)
    before = text[max(0, start) : max(0, end)] if rng.random() < 0.8 else rng.choice(ANSWERS)
    return Edit(
        start, end, before, rng.choice(ANSWERS), rng.choice(["pronoun", "verb", "noun", "??"]), "any", rng.random()
    )


def any_json(texts: SearchStrategy[str] = any_text) -> SearchStrategy[Any]:
    """Return a strategy for values of JSON, among them numbers that do not fit anywhere."""
    leaf = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.sampled_from([10**400, -1, 0, 2**63, float("nan"), float("inf"), -0.0]),
        st.floats(),
        texts,
    )
    return st.recursive(
        leaf,
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
        max_leaves=8,
    )
