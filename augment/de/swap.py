"""German rules for swapping genders (see :mod:`augment.swap`): persons with all that agrees, pronouns, given names.

No model is asked: the grammar of the noun phrase, the finite verb and fixed preferences decide
(``docs/train/swap.md``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from augment.swap.name_pairs import NamePairs
from augment.swap.settings import Plan, SwapSettings
from lexicons.loader import read_table
from rewriter.de.inflection import FEMININE, MASCULINE, match_case
from rewriter.de.segmenter import segment
from rewriter.de.turning.clauses import ClauseSentence
from rewriter.de.turning.grammar import TurningLexicon
from rewriter.de.turning.names import FoundName, NameFinder
from rewriter.de.turning.turn import SentenceTurner, Turning, is_polite
from rewriter.language.candidates import Analysis
from rewriter.records import Edit
from rewriter.text.offsets import joined, moved, within
from rewriter.text.word_pattern import any_word

Span = tuple[int, int]

_WORD = re.compile(r"[^\W\d_]{2,}")
_PRONOUN = re.compile(
    r"(?<!\w)(?:[Ee]r|[Ii]hn|[Ii]hm|[Ss]ie|[Ii]hr(?:e[nmrs]?)?|[Ss]ein(?:e[nmrs]?)?|[Ss]einet\w+|[Dd](?:er|ie|en|em|es)jenigen?|[Ii]hret\w+|[Ss]einers\w+|[Ii]hrers\w+|ER|IHN|IHM)(?!\w)"
)
_ADJECTIVE = re.compile(r"(?<!\w)([Ww]eiblich|[Mm]ännlich|[Mm]ütterlich|[Vv]äterlich)(er)?(e[nmrs]?)?(?!\w)")
_ADJECTIVES = {"weiblich": "männlich", "mütterlich": "väterlich"}
_ADJECTIVES |= {masculine: feminine for feminine, masculine in _ADJECTIVES.items()}
_GENDERS = {"masculine": MASCULINE, "feminine": FEMININE}


def make(settings: SwapSettings) -> GermanSwap:
    """Return the rules under some settings."""
    return GermanSwap(settings)


@cache
def _stays() -> re.Pattern[str]:
    return any_word(row["phrase"] for row in read_table("de", "swap_stays"))


class _Outcomes:
    """What is left of the language interface where no model is asked."""

    code = "de"
    outcomes: tuple[str, ...] = ()

    def segment(self, text: str) -> list[Span]:
        """Return sentence spans."""
        return segment(text)

    def gate(self, text: str) -> bool:
        """Tell that the caller has looked already."""
        return True

    def analyze(self, text: str, protected: Sequence[Span] = (), *, training: bool = False) -> Analysis:
        """Return no candidates: there is nothing for a model to decide."""
        return Analysis([], [])

    def settle(
        self,
        text: str,
        analysis: Analysis,
        options: Sequence[int],
        scores: Sequence[float],
        probabilities: object = None,
    ) -> list[Edit]:
        """Return no edits."""
        return []


class GermanSwap:
    """Swaps German words; what it does is told in ``docs/train/swap.md``.

    Args:
        settings: direction, names, a user's own words.
    """

    #: the words are too many to list, as compounds are found by their last part
    gate_words = None
    #: no model is asked
    asks = False

    def __init__(self, settings: SwapSettings) -> None:
        self.settings = settings
        self.language = _Outcomes()
        self.lexicon = TurningLexicon(settings.own_words)
        self.pairs = NamePairs.of_language("de", settings)
        self.names = NameFinder(self.pairs.known)
        self._targets = tuple(_GENDERS[target] for target in settings.targets)

    def gate(self, text: str) -> bool:
        """Tell whether a text holds a pronoun, a person or a given name."""
        if _PRONOUN.search(text) or _ADJECTIVE.search(text):
            return True
        word = self.lexicon.word
        return any(found[0].isupper() and word(found) is not None for found in set(_WORD.findall(text))) or (
            self.names.may_hold(text)
        )

    def segment(self, text: str) -> list[Span]:
        """Return the spans of sentences."""
        return segment(text)

    def plan(self, text: str, protected: Sequence[Span]) -> Plan:
        """Return the edits of a text; nothing is left to ask."""
        plan = Plan()
        lower = text.lower()
        stays = [match.span() for match in _stays().finditer(lower)] if len(lower) == len(text) else []
        blocked = joined([*protected, *stays])
        spans = segment(text)
        sentences = [ClauseSentence(text[a:b], self.lexicon, within(blocked, a, b)) for a, b in spans]
        names, partner = self._find_names(sentences)
        turning = Turning(self._targets, partner, is_polite(text))
        for (start, _), sentence, found in zip(spans, sentences, names, strict=True):
            turner = SentenceTurner(sentence, found, self.names.known, turning)
            plan.edits += (moved(edit, start) for edit in turner.edits())
            turning.before = turner.entities()
        plan.edits += self._adjectives(text, blocked)
        return plan

    def _find_names(self, sentences: Sequence[ClauseSentence]) -> tuple[list[list[FoundName]], _Partners]:
        found: list[list[FoundName]] = []
        surnames: set[str] = set()
        for sentence in sentences:
            given, other = self.names.find(sentence) if self.names.known else ([], set())
            found.append(given)
            surnames |= other
        kept = [
            [n for n in given if n.name not in surnames or _is_first(s, n)]
            for s, given in zip(sentences, found, strict=True)
        ]
        return kept, _Partners(self.pairs, {name.name for given in kept for name in given})

    def _adjectives(self, text: str, blocked: Sequence[Span]) -> list[Edit]:
        """Return the edits of *weiblich, männlich*, which agree already."""
        found = []
        for match in _ADJECTIVE.finditer(text):
            after = _ADJECTIVES[match[1].lower()]
            target = "masculine" if after.startswith(("männ", "väter")) else "feminine"
            if target not in self.settings.targets or within(blocked, *match.span()):
                continue
            styled = match_case(match[1], after) + match[0][len(match[1]) :]
            found.append(Edit(match.start(), match.end(), match[0], styled, "adjective", f"{match[0]} -> {styled}"))
        return found


class _Partners:
    """Gives each given name of a document its partner, the same one throughout."""

    def __init__(self, pairs: NamePairs, present: set[str]) -> None:
        self.pairs, self.present = pairs, present
        self.chosen: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        partner = self.pairs.partner(name, self.present, self.chosen)
        return self.pairs.styled(partner) if partner else ""


def _is_first(sentence: ClauseSentence, name: FoundName) -> bool:
    """Tell whether another capitalised word follows, so that a name is no surname here."""
    following = name.token + 1
    return following < len(sentence.tokens) and sentence.tokens[following].shape == 1
