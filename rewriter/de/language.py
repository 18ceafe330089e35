"""German behind the language interface."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from rewriter.de.brackets import BRACKETED
from rewriter.de.candidates import ALONE, KEEP, OUTCOMES, analyze
from rewriter.de.decoding import decode
from rewriter.de.fair_forms import fair_forms
from rewriter.de.inflection import FORMS, Style
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.pair_form import pair_edits
from rewriter.de.segmenter import segment
from rewriter.de.spellings import respelt
from rewriter.de.tokens import tokenize
from rewriter.de.version_two import COMPOUNDS, VERSIONS, held
from rewriter.errors import UsageError
from rewriter.language.candidates import Analysis
from rewriter.language.interface import Profile
from rewriter.language.respelt import Respelt
from rewriter.language.rules import Rules, decider
from rewriter.language.tokens import Token
from rewriter.options import one_of
from rewriter.records import Edit

#: who reads what a sentence means; models of before said ``rules`` or nothing
READERS = ("model",)

PROFILE = Profile(
    convention="de-star",
    names=("de", "deu", "ger", "german", "deutsch"),
    example="Die Lehrerinnen singen.",
    limits="The model rewrites every person noun of its lists and what agrees with it, named people included, after "
    "its convention. It may misread case and number, *sie* and *ihr*, nouns that mean a person or a thing. It knows "
    "nothing about how a person wants to be called.",
    model_settings=(("reader", "model"),),
)

_SIGN = re.compile(r"[^\W\d_](?:[*:_/·•(]-?|(?=I))[^\W\d_]")
_PRONOUN = re.compile(
    r"(?<!\w)(?:er|ihn|ihm|sie|ihre?[nmrs]?|seine?[nmrs]?|(?:sein|ihr)e(?:rseits|twegen|thalben|sgleichen)|"
    r"d(?:er|ie|en|em|es)jenigen?|(?:je|nie)mand(?:e[nm])?(?=,)|d(?:er|ie|en|em)\s*(?:oder|und|bzw\.?|/)\s*d(?:er|ie|en|em))"
    r"(?!\w)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3,}")
#: how a double form looks (*Leserin oder Leser*, *sie oder er*)
_DOUBLE = re.compile(
    r"[a-zäöüß]in(?:nen)? (?:oder|und|bzw\.) |\b(?:die|e?ine[rn]?|ihre?[nmrs]?|sie|ihr) oder ", re.IGNORECASE
)


def make(
    *,
    form: str = "star",
    normalise: bool = False,
    extra_nouns: Iterable[dict[str, str]] = (),
    reader: str = "model",
    version: str = "1",
    compounds: str = "star",
    without_rules: Iterable[str] = (),
) -> German:
    """Return German under the convention ``de-star`` with its settings.

    Args:
        form: how gender-fair words are written, one of :data:`rewriter.de.inflection.FORMS`.
        normalise: turn gender-fair forms that are there already into that form, too.
        extra_nouns: a user's own person nouns (``gendered``: the masculine, ``fair``: its star form).
        reader: who reads what a sentence means: the ``model``. A model directory says what it was made for.
        version: of the convention, one of :data:`rewriter.de.version_two.VERSIONS`.
        compounds: ``keep`` leaves compounds that begin with a person.
        without_rules: names of rules that are left out.

    Raises:
        UsageError: an unknown form or reader, or there is no such rule.
    """
    one_of(READERS, reader=reader)
    one_of(VERSIONS, version=version)
    one_of(COMPOUNDS, compounds=compounds)
    if form not in FORMS:
        raise UsageError(f"form must be one of {', '.join(FORMS)}, not '{form}'")
    lexicon, rules = GermanLexicon(extra_nouns, open_ended=True), Rules("de", without_rules)
    return German(lexicon, Style.of(form), normalise=normalise, version=version, compounds=compounds, rules=rules)


class German:
    """German: the gender star and its sisters."""

    code = "de"
    outcomes = OUTCOMES
    #: persons are endless in German, its compounds being so
    gate_words = None

    def __init__(
        self,
        lexicon: GermanLexicon,
        style: Style,
        *,
        normalise: bool = False,
        version: str = "1",
        compounds: str = "star",
        rules: Rules | None = None,
    ) -> None:
        self.lexicon, self.style, self.normalise = lexicon, style, normalise
        self.version, self.compounds = version, compounds
        self._rules = Rules("de") if rules is None else rules

    @property
    def rules(self) -> Rules:
        """The rules that are asked."""
        return self._rules

    def with_rules(self, rules: Rules) -> German:
        """Return the same language with other rules.

        Args:
            rules: that are asked.
        """
        made = copy(self)
        made._rules = rules
        return made

    def tokenize(self, text: str) -> list[Token]:
        """Return the tokens of a text; see :func:`rewriter.de.tokens.tokenize`."""
        return tokenize(text)

    def segment(self, text: str) -> list[tuple[int, int]]:
        """Return sentence spans (start, end in characters)."""
        return segment(text)

    def units(self, text: str) -> list[tuple[int, int]]:
        """Return sentence spans: German is rewritten by sentences."""
        return self.segment(text)

    def gate(self, text: str) -> bool:
        """Return True if ``text`` holds a word that may mean a person, or a pronoun that stands alone."""
        if (other := self.respelt(text)) is not None:
            text = other.text
        word = self.lexicon.word
        if self.normalise and _SIGN.search(text) and next(fair_forms(text, self.lexicon), None) is not None:
            return True
        if _PRONOUN.search(text) is not None or ("(" in text and BRACKETED.search(text) is not None):
            return True
        return any(word(found) is not None or found.lower() in ALONE for found in set(_WORD.findall(text)))

    def reads_before(self, text: str) -> bool:
        """Return True if a sentence holds a pronoun, which may mean something that a sentence before names."""
        return _PRONOUN.search(text) is not None

    def respelt(self, text: str) -> Respelt | None:
        """Return a sentence in plain spelling; see :mod:`rewriter.de.spellings`."""
        return respelt(text, self.lexicon)

    def analyze(
        self,
        text: str,
        protected: Sequence[tuple[int, int]] = (),
        *,
        training: bool = False,
        before: Sequence[str] = (),
    ) -> Analysis:
        """Return tokens and candidates of a sentence; the sentences before it are for the network to read."""
        found = analyze(text, self.lexicon, self.style, protected=protected, normalise=self.normalise, rules=self.rules)
        if (self.version, self.compounds) != ("1", "star"):
            found = held(text, found, self.lexicon, version=self.version, compounds=self.compounds)
        is_revised = bool(found.candidates) and any(map(self._is_revised, (text, *before)))
        return replace(found, is_revised=True) if is_revised else found

    def _is_revised(self, text: str) -> bool:
        """Return True if a text holds gender-fair words of its writer, who has decided about the others, too."""
        if self.style.form == "pair" and _DOUBLE.search(text) is not None:
            return True
        return _SIGN.search(text) is not None and next(fair_forms(text, self.lexicon), None) is not None

    def settle(
        self, text: str, analysis: Analysis, options: Sequence[int], scores: Sequence[float], probabilities: Any = None
    ) -> list[Edit]:
        """Make the words of a phrase and the pronouns agree, and return the edits.

        Args:
            text: the sentence.
            analysis: of the sentence.
            options: index of the chosen option per candidate.
            scores: confidence per candidate.
            probabilities: per candidate a sequence over outcome ids, or None; settles the case of a phrase.
        """
        edits = []
        outcomes = decode(analysis, options, probabilities)
        if self.style.form == "pair":
            return pair_edits(text, analysis, outcomes, scores, self.lexicon)
        rows = probabilities or [None] * len(outcomes)
        for candidate, outcome, score, row in zip(analysis.candidates, outcomes, scores, rows, strict=True):
            after = next(replacement for known, replacement in candidate.options if known == outcome)
            before = text[candidate.start : candidate.end]
            if outcome != KEEP and after != before:
                share = score if row is None else row[outcome] / sum(row[known] for known, _ in candidate.options)
                reason = f"{before} -> {after}: {OUTCOMES[outcome]}, {decider(candidate, outcome, share)}"
                edits.append(Edit(candidate.start, candidate.end, before, after, candidate.kind, reason, score))
        return edits
