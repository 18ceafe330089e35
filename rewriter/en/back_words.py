"""Words and forms on the way back from *they*, shared by the rules here and those over a parse in ``augment``."""

from __future__ import annotations

from functools import cache

from lexicons.loader import read_table
from rewriter.en.closed_words import JOINS

MASCULINE, FEMININE = "masculine", "feminine"
#: fair pronoun -> its case; reflexives are looked up by themselves
CASES = {"they": "subject", "them": "object", "their": "possessive", "theirs": "standalone"}
#: gender -> case -> pronoun
GENDERED = {
    MASCULINE: {"subject": "he", "object": "him", "possessive": "his", "standalone": "his", "reflexive": "himself"},
    FEMININE: {"subject": "she", "object": "her", "possessive": "her", "standalone": "hers", "reflexive": "herself"},
}
#: words after *they* that speak of several people so plainly that a singular source would be no English
PLURAL_ONLY = frozenset(["both", "all", "two", "three", "four", "five", "each", "guys"])
#: after these and *they* a base form carries no inflection
AUXILIARIES = frozenset("""do does did can could will would shall should may might must""".split())
#: forms that are past and base at once, where the past is meant far more often
PAST_FORMS = frozenset(
    """found saw fell lay felt ground wound bound wore bore rose shot thought left stove strove
    heard knew took made held told went came got had said gave kept""".split()
)
#: forms that are the same in both numbers
UNCHANGED = frozenset(
    """ai ain't can could will would shall should may might must had did 'd 'll ought need dare""".split()
)
#: forms of be, have and do that stand before their subject in questions and after "nor"
INVERTING = frozenset(
    """is was has does are were have do isn't wasn't hasn't doesn't aren't weren't haven't don't
    isnt wasnt hasnt doesnt""".split()
)
#: adverbs that may stand between a subject and its verb although taggers give them other tags
BETWEEN = frozenset(
    """not n't never always often also still just only even now then already almost really usually sometimes once soon
    simply clearly merely hardly ever rarely seldom neither both either all each too so thus therefore however instead
    later first finally kinda sorta definately actually literally basically probably apparently again nearly
    certainly quite rather sure obviously perhaps maybe moreover nevertheless meanwhile""".split()
)
#: words in -ly that are verbs
NOT_ADVERBS = frozenset({"fly", "rely", "apply", "supply", "reply", "multiply", "imply", "comply", "ally", "rally"})
#: adverbs of two words: he kind of glances, she of course knows
ADVERB_PHRASES = frozenset(
    {("kind", "of"), ("sort", "of"), ("of", "course"), ("at", "least"), ("in", "turn"), ("in", "fact")}
)
COORDINATORS = JOINS | {"then"}


@cache
def reversed_nouns() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return ``fair|number`` -> gender -> gendered forms."""
    table: dict[str, dict[str, tuple[str, ...]]] = {}
    for row in read_table("en", "nouns"):
        genders = table.setdefault(f"{row['fair']}|{row['number']}", {})
        genders[row["gender"]] = (*genders.get(row["gender"], ()), row["gendered"])
    return table


@cache
def back_words(kind: str) -> frozenset[str]:
    """Return the words of a kind of ``lexicons/en/back.tsv``."""
    return frozenset(row["word"] for row in read_table("en", "back") if row["kind"] == kind)
