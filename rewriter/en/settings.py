"""Settings of English that commands offer as options."""

from __future__ import annotations

from rewriter.en.closed_words import REFLEXIVES
from rewriter.language.settings import Preset, Setting

#: the noun tables: that of the literature, and the one with more nouns, pairs and titles
NOUNS = ("literature", "wide")

SETTINGS = (
    Setting(
        "reflexive",
        REFLEXIVES[0],
        "English: the reflexive pronoun of one person (default: themself, the convention's; who rewrites by hand "
        "writes themselves 104 times against 4)",
        REFLEXIVES,
    ),
    Setting(
        "nouns",
        NOUNS[0],
        "English: which nouns change; wide: mailman, hostess, manpower too, actors and actresses to actors (default: "
        "literature, the table of the published sets)",
        NOUNS,
    ),
)

PRESETS = {
    # text that people read: what others said, called, or are called stays, and the reflexive is the usual one
    "publishing": Preset(
        policy={
            "scope": "generic",
            "places": ("quotations", "works", "honorifics", "deities"),
            "on_ambiguous": "keep",
        },
        settings={"reflexive": "themselves", "nouns": "wide"},
    ),
    # text that machines learn from: everything by the convention; marks in it speak to nobody here
    "corpus": Preset(policy={"marks": False}),
}
