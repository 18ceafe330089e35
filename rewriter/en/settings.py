"""Settings of English that commands offer as options."""

from __future__ import annotations

from rewriter.language.settings import Setting

#: the reflexive pronoun of one person
REFLEXIVES = ("themself", "themselves")

SETTINGS = (
    Setting("reflexive", REFLEXIVES[0], "English: the reflexive pronoun of one person (default: themself)", REFLEXIVES),
)
