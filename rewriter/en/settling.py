"""What becomes of the chosen options: verbs and clitics follow their pronouns, what cannot be English is mended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rewriter.en.checks import checked_case, checked_verbs
from rewriter.en.clauses import left_out
from rewriter.en.foreign import FUNCTION_WORDS
from rewriter.en.outcomes import CHANGE, HAS, IS, KEEP, OBJECT, POSSESSIVE, STANDALONE
from rewriter.en.verbs import governs_verbs
from rewriter.language.candidates import Analysis
from rewriter.language.rules import Decision, Rule, Rules, rule_named

#: so many function words make a sentence English enough for its lower-case pronouns to be some
_ENGLISH_ENOUGH = 2
#: options of *her* and *his*: to stay, and two cases
_TWO_CASES = 3

#: what becomes of *her* and *his* that stay, of what follows a pronoun, of verbs without one, of lists
READ = Decision("en", "corrects")
FOLLOW = Decision("en", "corrects")
ALONE = Decision("en", "corrects")
LIST = Decision("en", "corrects")


class Settling:
    """Makes the chosen options of a sentence agree.

    Args:
        analysis: of the sentence.
        options: index of the chosen option per candidate.
        probabilities: per candidate a sequence over outcome ids, or None.
        rules: that are asked.

    Attributes:
        chosen: the options that agree, once :meth:`settle` was called.
        corrected: candidate -> the rule that chose another option for it.
    """

    def __init__(self, analysis: Analysis, options: Sequence[int], probabilities: Any, rules: Rules) -> None:
        self.analysis, self.options, self.probabilities, self.rules = analysis, options, probabilities, rules
        self.chosen = list(options)
        self.corrected: dict[int, Rule] = {}

    def settle(self) -> list[int]:
        """Return the options that agree."""
        self.chosen = [self._follow(index) for index in range(len(self.options))]
        subjects = self._changed_subjects()
        if subjects:
            checked_verbs(self.analysis, self.chosen, subjects, self.rules)
        elif (rule := self.rules.first(ALONE, self)) is not None:
            for index, candidate in enumerate(self.analysis.candidates):
                if candidate.kind == "verb":
                    self._correct(index, 0, rule)
        self._complete()
        return self.chosen

    def _correct(self, index: int, option: int, rule: Rule) -> None:
        if option != self.chosen[index]:
            self.chosen[index], self.corrected[index] = option, rule

    def _follow(self, index: int) -> int:
        candidate = self.analysis.candidates[index]
        if candidate.governor < 0:
            return self._checked(index, self._read(index))
        found = self.rules.answer(FOLLOW, self, candidate.token, index)
        if found is None:
            return self.options[index]
        rule, option = found
        if option and option != self.options[index]:
            self.corrected[index] = rule
        return int(option)

    def _checked(self, index: int, option: int) -> int:
        """Return the option of *her* or *his* that the words beside it allow."""
        candidate = self.analysis.candidates[index]
        if not option or candidate.forced is not None or not self._has_two_cases(index):
            return option
        # what others propose comes without forced outcomes, but with the name of the rule that would have settled them
        rule = rule_named(self.rules.lang, candidate.rule)
        if rule is None or rule.outcome not in (OBJECT, POSSESSIVE, STANDALONE):
            outcome = checked_case(self.analysis.tokens, candidate.token, candidate.options[option][0], self.rules)
        else:
            outcome = rule.outcome
        return next(place for place, known in enumerate(candidate.options) if known[0] == outcome)

    def _has_two_cases(self, index: int) -> bool:
        candidate = self.analysis.candidates[index]
        return candidate.kind == "pronoun" and len(candidate.options) >= _TWO_CASES

    def _read(self, index: int) -> int:
        """Return the likelier reading of a lower-case *her* or *his* in English; the encoder's doubt is about names."""
        option = self.options[index]
        if option or not self._has_two_cases(index) or not self.probabilities or self.probabilities[index] is None:
            return option
        candidate, row = self.analysis.candidates[index], self.probabilities[index]
        rule = self.rules.first(READ, self, candidate.token)
        if rule is None:
            return option
        self.corrected[index] = rule
        return max(range(1, len(candidate.options)), key=lambda place: row[candidate.options[place][0]])

    def _complete(self) -> None:
        """Change the verbs that were left out of a list of changed ones."""
        candidates, options = self.analysis.candidates, self.chosen
        verbs = {c.token: i for i, c in enumerate(candidates) if c.kind == "verb"}
        changed = [token for token, i in verbs.items() if options[i]]
        if len(changed) < 2:
            return
        kept = [t for t, i in verbs.items() if not options[i] and candidates[i].forced is None]
        subjects = [t for t, token in enumerate(self.analysis.tokens) if token.norm in ("he", "she")] if kept else []
        for token in left_out(self.analysis.tokens, changed, kept, subjects):
            if (rule := self.rules.first(LIST, self, token)) is not None:
                self._correct(verbs[token], 1, rule)

    def _changed_subjects(self) -> set[int]:
        """Return the places of the pronouns that change and can have verbs."""
        return {
            candidate.token
            for candidate, option in zip(self.analysis.candidates, self.chosen, strict=True)
            if candidate.kind == "pronoun"
            and candidate.options[option][0] in (CHANGE, OBJECT)
            and governs_verbs(self.analysis.tokens, candidate.token)
        }

    @FOLLOW.rule("follows its pronoun", example="She['s] late.", counter="She left and it['s] late.")
    def _followed(self, token: int, index: int) -> int:
        """*they's* and *they knows* are never right."""
        candidate = self.analysis.candidates[index]
        pronoun = self.analysis.candidates[candidate.governor]
        if pronoun.options[self.options[candidate.governor]][0] == KEEP:
            return 0
        if candidate.kind == "verb":
            return 1
        if self.options[index]:
            return self.options[index]
        if self.probabilities is None or self.probabilities[index] is None:
            return 1
        return 1 if self.probabilities[index][IS] >= self.probabilities[index][HAS] else 2

    @READ.rule("her in lower case is a pronoun", example="We know [her] zorb of that.", counter="The [Her] is lost.")
    def _is_english(self, token: int) -> bool:
        if self.analysis.tokens[token].shape:
            return False
        return sum(t.norm in FUNCTION_WORDS for t in self.analysis.tokens) >= _ENGLISH_ENOUGH

    @ALONE.rule("no verb without a changed pronoun", example="Dr. He [sings].", counter="He [sings].")
    def _has_none(self) -> bool:
        return True

    @LIST.rule(
        "left out of a list",
        example="They say he works nights, [studies] by day, and sleeps.",
        counter="He works nights and [studies].",
    )
    def _is_left_out(self, token: int) -> bool:
        return True


def settled(
    analysis: Analysis, options: Sequence[int], probabilities: Any, rules: Rules
) -> tuple[list[int], dict[int, Rule]]:
    """Return the options that agree, and for each candidate whose option a rule chose anew that rule."""
    settling = Settling(analysis, options, probabilities, rules)
    return settling.settle(), settling.corrected
