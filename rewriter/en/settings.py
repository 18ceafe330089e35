"""Settings of English that commands offer as options."""

from __future__ import annotations

from rewriter.language.settings import Setting

#: the reflexive pronoun of one person
REFLEXIVES = ("themself", "themselves")
#: the noun tables: that of the literature, and the one with more nouns, pairs and titles
NOUNS = ("literature", "wide")

SETTINGS = (
    Setting("reflexive", REFLEXIVES[0], "English: the reflexive pronoun of one person (default: themself)", REFLEXIVES),
    Setting(
        "nouns",
        NOUNS[0],
        "English: which nouns change; wide: mailman, hostess, manpower too, actors and actresses to actors (default: "
        "literature, the table of the published sets)",
        NOUNS,
    ),
)
