"""Closed classes of English words, and marks, that more than one rule looks for."""

from __future__ import annotations

MASCULINE_PRONOUNS = frozenset("he him his himself".split())
FEMININE_PRONOUNS = frozenset("she her hers herself".split())
GENDERED_PRONOUNS = MASCULINE_PRONOUNS | FEMININE_PRONOUNS | {"hisself"}
SUBJECT_PRONOUNS = frozenset("he she".split())
#: of all persons
OBJECT_PRONOUNS = frozenset("me you him her it us them".split())
THEY_PRONOUNS = frozenset("they them their theirs themself themselves".split())
REFLEXIVES = ("themself", "themselves")
SELVES = frozenset(("himself", "herself"))
#: behind *it*, before the pronoun of *it is she who ...*
CLEFT_VERBS = frozenset("is was 's isn't wasn't".split())
#: words that join two nouns or two verbs
JOINS = frozenset("and or but nor & yet".split())
CLOSING_QUOTES = frozenset(('"', "'", "”", "’", "»"))
#: marks between which a word alone is mentioned
QUOTES = frozenset({('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("«", "»"), ("„", "“"), ("‹", "›")})
OPENING_QUOTES = frozenset(opening for opening, _ in QUOTES)
