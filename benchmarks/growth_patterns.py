"""Patterns of text that made some analysis take the square of a length, or might; growth.py repeats them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pattern:
    """A text of any size: something repeated, between a beginning and an end."""

    name: str
    repeated: str
    begin: str = ""
    end: str = ""

    def text(self, size: int) -> str:
        """Return the pattern at about ``size`` bytes of UTF-8."""
        fixed, unit = (len(part.encode()) for part in (self.begin + self.end, self.repeated))
        return self.begin + self.repeated * max(1, (size - fixed) // unit) + self.end


def _patterns(word: str, table: dict[str, str | tuple[str, str, str]]) -> tuple[Pattern, ...]:
    """Return the patterns of a table behind those of every language, which begin with a word that makes them read."""
    common = {name: (word + " ", repeated, " " + word) for name, repeated in _COMMON.items()}
    table = common | table
    rows = ((name, ("", row, "") if isinstance(row, str) else row) for name, row in table.items())
    return tuple(Pattern(name, repeated, begin, end) for name, (begin, repeated, end) in rows)


#: patterns of every language: no words, or such as all have
_COMMON = {
    "letters": "a",
    "capital letters": "A",
    "digits": "1234567890",
    "numbers": "12 345 ",
    "numbered": "1.",
    "base64": "QUJDREVG",
    "full stops": ".",
    "full stops apart": ". ",
    "commas apart": ", ",
    "colons": "::",
    "stars only": "*",
    "underscores only": "_",
    "apostrophes": "'",
    "quotation marks": '"',
    "open brackets": "((",
    "empty lines": "\n",
    "spaces": " ",
    "emoji": "👩",
    "joined emoji": "👩‍🏫 ",
    "fences": "```\n",
    "tildes": "~~~",
    "long address": "https://example.org/ab/",
    "dollar signs": "$a ",
    "comments": "<!-- a ",
}

GERMAN = _patterns(
    "Lehrer",
    {
        "sentences": "Der Lehrer sah seine Schülerin. ",
        "person": "Lehrer ",
        "persons and commas": "Lehrer, ",
        "persons without spaces": "Lehrer,",
        "one word of persons": "Lehrer",
        "person before base64": ("Lehrer ", "QUJDREVG", ""),
        "capitals": "LEHRER ",
        "long compounds": "Bundeskanzlerkandidatinnenliste ",
        "one long compound": "Bundeskanzlerkandidaten",
        "hyphens": "Lehrer-",
        "pronoun chain": "er sie ihr ihn ihm ",
        "pronouns and commas": "er, der ihn, ",
        "relative clauses": ("Der Lehrer", ", der den Schüler kennt", ""),
        "nested relative clauses": "der Lehrer, der die Schülerin, die ",
        "articles": "der ",
        "adjectives": ("der ", "junge neue ", "Lehrer"),
        "possessives": "seine ihre ",
        "possessives and persons": "seine Lehrerin ",
        "that one": "derjenige, der ",
        "alone": "jeder keiner einer ",
        "infinitives": "um zu sehen, ohne zu ",
        "genitives": "des Lehrers der ",
        "conjunctions": "Lehrer und Schüler und ",
        "clauses": "weil der Lehrer kam, als die Ärztin ging, ",
        "names": "Maria Peter Frau Müller ",
        "nested quotes": ("„", " »er", ""),
        "quotes": "„Der Lehrer“ sagte er ",
        "brackets": "(er ",
        "nested brackets": ("(", "(der Lehrer ", ")"),
        "pair forms": "Lehrerinnen und Lehrer, ",
        "articles in pairs": "die oder der Lehrerin oder Lehrer ",
        "stars": "Lehrer*innen ",
        "stars without spaces": "er*sie*",
        "capital in the word": "LehrerInnen ",
        "slashes": "der/die Lehrer/in ",
        "slashes without spaces": "er/sie/",
        "gaps": "Lehrer_innen_",
        "semicolons": "er; ",
        "dashes": "er – ",
        "abbreviations": "z. B. er u. a. ",
        "titles": "Dr. Prof. Lehrer ",
        "dates": "am 3. 5. 1999 er ",
        "line breaks": "der Lehrer\n",
        "paragraphs": "er\n\n",
        "tabs": "er\t",
        "table": "| er | Lehrer ",
        "handles": "@er ",
        "addresses": "https://example.org/er ",
        "tags": "<b>Lehrer</b> ",
        "null characters": "\0er ",
        "English": "the teacher is he ",
    },
)

ENGLISH = _patterns(
    "she",
    {
        "sentences": "She saw his book. ",
        "pronoun": "she ",
        "pronouns and commas": "she, ",
        "pronouns without spaces": "she,",
        "one word of pronouns": "she",
        "pronoun before base64": ("she ", "QUJDREVG", ""),
        "capitals": "SHE ",
        "pronoun chain": "he him his she her hers ",
        "her": "her ",
        "her and nouns": "her book ",
        "verbs": "she walks, talks, ",
        "joined verbs": "he sings and ",
        "adverbs": "she really always never ",
        "relative clauses": ("The actress", ", who knows the man", ""),
        "nested relative clauses": "the man who the woman that ",
        "that": "that she that he ",
        "clauses": "because she knows that he sees, ",
        "nouns": "chairman ",
        "nouns and commas": "chairman, actress, ",
        "hyphens": "he-she-",
        "long words": "antidisestablishmentarianism she ",
        "pair forms": "he or she ",
        "slashes": "he/she ",
        "slashes without spaces": "he/she/",
        "coordination": "she, he, and they ",
        "contractions": "he's she'd isn't ",
        "inverted": "says he, ",
        "nested quotes": ("“", " ‘he", ""),
        "quotes": '"he" she says ',
        "brackets": "(he ",
        "square brackets": "[he] ",
        "stars": "*he* ",
        "semicolons": "he; ",
        "dashes": "he – ",
        "abbreviations": "e.g. he etc. ",
        "titles": "Mr. Mrs. Dr. he ",
        "line breaks": "he knows\n",
        "paragraphs": "he\n\n",
        "tabs": "he\t",
        "table": "| he | chairman ",
        "handles": "@he ",
        "addresses": "https://example.org/he ",
        "tags": "<b>he</b> ",
        "code": "if he = x:\n",
        "null characters": "\0he ",
        "prepositions": "to her with him of his ",
        "names": "Mary John Mr. Smith ",
        "German": "der die das und he ",
    },
)

PATTERNS = {"de": GERMAN, "en": ENGLISH}
