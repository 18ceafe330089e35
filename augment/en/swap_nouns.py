"""English nouns and titles for swapping: which words of the table stand for a person here, and what becomes of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from lexicons.loader import read_table
from rewriter.en.inflection import match_case
from rewriter.en.names import is_organisation_word
from rewriter.records import Edit
from rewriter.text.offsets import within
from rewriter.text.word_pattern import any_word

#: before a hyphen these leave the second word a noun for persons (*ex-wife*, not *X-men*)
_PREFIXES = frozenset(
    "ex step great grand half god co foster then now non all mid pro anti post soon grown single working wonder".split()
)
#: behind a hyphen these do so too (*mother-in-law*)
_SUFFIXES = frozenset("in to of like only dominated led owned".split())
#: heads of compounds with a hyphen (*flower-girl*)
_HEADS = frozenset("girl girls boy boys woman women lady ladies maid maids wife wives".split())
_NO_FIRST_PARTS = frozenset("x tom pretty bad it super she he cow play t by per inter".split())
#: these may be verbs behind what stands before a verb, and before what stands behind one
_VERBS = frozenset({"man", "mother", "father", "groom", "lord", "husband", "brother", "queen", "king", "males", "son"})
_BEFORE_VERB = frozenset(
    "to will would can could shall should must may might they we you i who and please not never always".split()
)
_OBJECTS = frozenset(
    "the a an his her their its our your my this that these those them him it us me all both every each".split()
)
_DETERMINERS = _OBJECTS | frozenset(
    "young old new late dear good great former future next first last no any some".split()
)
_BECOMING = frozenset("is was are were am be been being become becomes became as crowned made elected".split())
_SAYING = frozenset("said says told wrote was asked argued added did had has".split())
#: behind *Madam* and *Mr* these are offices: Madam Speaker, Mr Speaker
_OFFICES = frozenset(
    "president speaker chairman chairwoman chair chairperson secretary ambassador justice mayor vice prime senator "
    "minister governor commissioner chancellor director".split()
)
#: titles behind which a full stop ends no sentence
_DOTTED_TITLES = frozenset({"mr", "mrs", "ms"})
#: titles that stand before a name
_BEFORE_NAMES = frozenset({"mr", "mrs", "ms", "miss", "mister", "dame", "count", "countess"})
#: capitalised before a name these are part of it and turn with it
_TITLES = frozenset(
    "king queen prince princess duke duchess emperor empress baron baroness lord lady sir dame uncle aunt auntie "
    "father mother brother sister grandma grandpa granny grandad grandmother grandfather count countess abbot abbess "
    "tsar tsarina marquess viscount viscountess archduke archduchess".split()
)
_VOWEL_SOUND = re.compile(r"(?!uni|use|usu|euro?|one\b|once)[aeiou]|hono|hour|heir", re.IGNORECASE)
_CAPITAL = re.compile(r"(?:['’]s)?[ \t]+([^\W\d_a-z][^\W\d_]*)")
_CAPITAL_BEFORE = re.compile(r"([^\W\d_]+)[ \t]+$")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)(?:['’]s)?\s+$")
_WORD_AFTER = re.compile(r"\s+([^\W\d_]+)")
_BEGINS = re.compile(r"(?:^|[.!?:;…•|\n“”\"«(]|[-*–—]\s)[\s\"“‘'(*_]*$")
_GENITIVE = re.compile(r"['’](?:s(?!\w)|(?=\s+[^\W\d_]))")
_ARTICLE = re.compile(r"(?<!\w)(an?)(\s+)$", re.IGNORECASE)
_DOTTED = re.compile(r"\b(?:Mrs?|Ms|Dr|Prof|St)\.")
_UNDOTTED = re.compile(r"\b(?:Mrs?|Ms|Dr)\s")


@dataclass(frozen=True)
class NounTable:
    """The words of the table by what they are turned to.

    Attributes:
        words: word -> (counterpart, kind).
        one_direction: whether only one gender is turned; then two partners side by side stay.
    """

    words: dict[str, tuple[str, str]]
    one_direction: bool = False

    @classmethod
    def load(cls, targets: Sequence[str], own: Iterable[tuple[str, str]] = ()) -> NounTable:
        """Read the shipped table; a user's pairs come before it."""
        words: dict[str, tuple[str, str]] = {}
        rows = [(f, m, "noun", "both") for f, m in own]
        rows += [(r["feminine"], r["masculine"], r["kind"], r["way"]) for r in read_table("en", "swap")]
        rows += [*_SPECIAL]
        for feminine, masculine, kind, way in rows:
            if "masculine" in targets and way in ("both", "to-masculine"):
                words.setdefault(feminine.lower(), (masculine, kind))
            if "feminine" in targets and way in ("both", "to-feminine"):
                words.setdefault(masculine.lower(), (feminine, kind))
        return cls(words, len(targets) == 1)


#: behind *my*
_ADDRESSED = {"lady": "lord", "lord": "lady", "ladies": "lords", "lords": "ladies"}
#: found by the rules below where a name follows only: Lord Byron, Count Basil
_SPECIAL = (
    ("lady", "lord", "title", "to-feminine"),
    ("ladies", "lords", "noun", "to-feminine"),
    ("countess", "count", "title", "to-feminine"),
)


def fixed_phrases(lower: str) -> list[tuple[int, int]]:
    """Return the spans of the phrases of ``swap_stays.tsv`` in a text in lower case."""
    return [match.span() for match in _stays().finditer(lower.replace("'", "’"))]


@cache
def _stays() -> re.Pattern[str]:
    return any_word(row["phrase"].replace("'", "’") for row in read_table("en", "swap_stays"))


class NounFinder:
    """Finds the nouns of a table in a text.

    Args:
        table: what is turned to what.
        names: given names in lower case, behind which a capitalised noun is a surname (*Stephen King*).
    """

    def __init__(self, table: NounTable, names: Collection[str] = ()) -> None:
        self.table, self.names = table, names
        self.pattern = any_word(table.words)

    def edits(self, text: str, lower: str, protected: Sequence[tuple[int, int]]) -> Iterator[Edit]:
        """Yield the edits of nouns and titles.

        Args:
            text: the text.
            lower: the same in lower case, as long.
            protected: spans that stay.
        """
        first = self.pattern.search(lower)
        if first is None:
            return
        for match in self.pattern.finditer(lower, first.start()):
            start, end = match.span()
            if within(protected, start, end):
                continue
            edit = _Noun(self.table, text, lower, start, end, self.names).edit()
            if edit is not None:
                yield edit


@dataclass(slots=True)
class _Noun:
    """A word of the table where it stands."""

    table: NounTable
    text: str
    lower: str
    start: int
    end: int
    names: Collection[str]

    @property
    def norm(self) -> str:
        return re.sub(r"\s+", " ", self.lower[self.start : self.end])

    @property
    def surface(self) -> str:
        return self.text[self.start : self.end]

    @property
    def begins(self) -> bool:
        return _BEGINS.search(self.text, max(0, self.start - 8), self.start) is not None

    def before(self) -> str:
        found = _WORD_BEFORE.search(self.lower, max(0, self.start - 24), self.start)
        return found[1] if found else ""

    def after(self) -> str:
        found = _WORD_AFTER.match(self.lower, self.end)
        return found[1] if found else ""

    def next_capital(self) -> re.Match[str] | None:
        """Return the capitalised word right behind this one (and behind the full stop of *Mr.*)."""
        end = self.end + (self.norm in _DOTTED_TITLES and self.text[self.end : self.end + 1] == ".")
        return _CAPITAL.match(self.text, end)

    def edit(self) -> Edit | None:
        """Return the edit, None where the word stays."""
        counterpart, kind = self.table.words[self.norm]
        if self._is_part_of_word():
            return None
        if self._is_generic() or self._is_neutral_here():
            return None
        if self.norm in _BEFORE_NAMES and kind == "title":
            return self._title(counterpart)
        if self.norm in ("sir", "madam", "ma'am", "maam"):
            return self._address(counterpart)
        if self.norm in ("lady", "lord", "lords", "ladies") and self.before() == "my":
            counterpart = _ADDRESSED[self.norm]
        elif self.norm in ("lady", "lord") and self.surface[:1].isupper() and self._precedes_name():
            counterpart = "lord" if self.norm == "lady" else "lady"
        elif self.norm == "lord":
            return None if self.surface[:1].isupper() else self._made("lady")
        elif self._is_verb() or self._is_other_name() or self._is_interjection():
            return None
        return self._made(counterpart)

    def _made(self, counterpart: str, kind: str = "noun", end: int = 0) -> Edit:
        end = end or self.end
        after = _in_style(self.surface, counterpart)
        genitive = _GENITIVE.match(self.text, end)
        if genitive is not None:  # ladies' <-> gentlemen's
            mark = genitive[0]
            if len(mark) == 1 and self.norm.endswith("s") and not counterpart.endswith("s"):
                end, after = end + 1, after + mark + "s"
            elif len(mark) == 2 and self.norm.endswith("men") and counterpart.endswith("s"):
                end, after = end + 2, after + mark[0]
        start = self.start
        article = _ARTICLE.search(self.text, max(0, start - 4), start)
        if article is not None:
            wanted = "an" if _VOWEL_SOUND.match(after) else "a"
            if wanted != article[1].lower():
                start = article.start()
                after = match_case(article[1] + "x", wanted) + article[2] + after
        before = self.text[start:end]
        return Edit(start, end, before, after, kind, f"{before} -> {after}: {kind} of the table")

    def _is_part_of_word(self) -> bool:
        """Tell whether the word is joined to another that makes it something else (*X-men*, *man-made*)."""
        text, start, end = self.lower, self.start, self.end
        if (
            text[start - 1 : start] in ("@", "#", "_", "/", "'", "’")
            and start
            and text[start - 2 : start - 1].isalnum()
        ):
            return True
        if start and text[start - 1] in "@#_":
            return True
        if start > 1 and text[start - 1] in "-‐‑" and text[start - 2].isalnum():
            prefix = re.search(r"(\w+).$", text[max(0, start - 20) : start])
            word = prefix[1] if prefix else ""
            is_head = self.norm in _HEADS and word not in _NO_FIRST_PARTS and self.text[start - 2].islower()
            if not (is_head or word in _PREFIXES or word in self.table.words or self._hyphen_after()):
                return True
        if text[end : end + 1] in ("-", "‐", "‑") and text[end + 1 : end + 2].isalnum():
            suffix = re.match(r".(\w+)", text[end : end + 20])
            word = suffix[1] if suffix else ""
            return word not in _SUFFIXES and word not in self.table.words
        return text[end : end + 1] in ("_", "@") or (text[end : end + 1] == "." and text[end + 1 : end + 2].islower())

    def _hyphen_after(self) -> bool:
        return self.lower[self.end : self.end + 4] in ("-in-", "-to-", "-of-")

    def _precedes_name(self) -> bool:
        found = self.next_capital()
        if found is None or is_organisation_word(found[1].lower()):
            return False
        return (found[1].lower() not in ("and", "or", "of") and not found[1].isupper()) or self.surface.isupper()

    def _title(self, counterpart: str) -> Edit | None:
        """Return the edit of *Mr*, *Mrs*, *Ms*, *Miss*, *Dame*, *Lord*, *Count*, which stand before names."""
        following = self.next_capital()
        if self.norm in ("count", "countess") and self.surface[:1].isupper() and self.after() == "of":
            return self._made(counterpart, "title")
        joined = re.match(r"\.? (?:and|or|&) m", self.lower[self.end : self.end + 8])
        if self.norm in ("mr", "mrs", "mister") and self.surface[:1].islower():
            return self._made(counterpart, "title")
        if not self.surface[:1].isupper() or (following is None and joined is None):
            return None
        if self.norm not in ("mr", "mrs", "ms", "miss", "mister") and not self._precedes_name():
            return None
        if self.surface.isupper() and len(self.surface) > 1 and following and not following[1].isupper():
            return None  # MS Windows, MISS Smith
        if following is not None and following[1].lower() in _OFFICES and self.norm in ("mr", "mister"):
            end = self.end + (self.text[self.end : self.end + 1] == ".")
            return self._made("madam", "title", end)
        if self.norm == "miss" and counterpart == "mr" and _DOTTED.search(self.text):
            return self._made("mr.", "title")  # as the text writes other titles
        return self._made(counterpart, "title")

    def _dotted(self) -> bool:
        return _DOTTED.search(self.text) is not None or _UNDOTTED.search(self.text) is None

    def _address(self, counterpart: str) -> Edit | None:
        """Return the edit of *sir* and *madam*, which are titles before names and offices."""
        following = self.next_capital()
        if following is None or not self.surface[:1].isupper() or self.text[self.end : self.end + 1] == ".":
            return self._made(counterpart, "title")
        if self.norm == "madam":
            dot = "." if self._dotted() else ""
            return self._made("mr" + dot, "title")
        if self.norm == "sir":
            return self._made("dame" if self._precedes_name() else counterpart, "title")
        return self._made(counterpart, "title")

    def _is_verb(self) -> bool:
        """Tell whether a noun is a verb here (*to man the desk*, *they father a child*)."""
        if self.norm not in _VERBS:
            return False
        after = self.after()
        if after not in _OBJECTS:
            return False
        if self.norm == "groom" and self.before() not in _OBJECTS:
            return True
        if after in ("her", "his") and self.norm != "man":
            return self.before() in ("to", "will", "would", "can", "could")
        return self.before() in _BEFORE_VERB or (self.begins and self.norm == "man")

    def _is_interjection(self) -> bool:
        if self.norm == "man" and _VOCATIVE.search(self.text, max(0, self.start - 3), self.start):
            return re.match(r"\s*(?:[.,!?…]|$)", self.text[self.end :]) is not None
        if self.norm not in ("man", "boy") or not self.begins:
            return False
        return self.text[self.end : self.end + 1] in (",", "!") or self.after() in _AFTER_INTERJECTION

    def _is_generic(self) -> bool:
        """Return True for *man* without an article, which means everybody: *the genius of man*, *man is mortal*."""
        if self.norm not in ("man", "woman"):
            return False
        before = self.before()
        if before in _BEFORE_GENERIC and _PAUSE.search(self.text, max(0, self.start - 3), self.start) is None:
            return self.after() not in _CONTINUING
        return self.begins and self.surface[:1].isupper() and self.after() in _BEHIND_GENERIC

    def _is_neutral_here(self) -> bool:
        """Return True for a noun that says no gender where it stands: *a female actor*, *she is an actor*."""
        other = _NEUTRAL.get(self.norm)
        if other is None:
            return False
        if self.before() in ("female", "male", "woman"):
            return True
        subject = _PREDICATE.search(self.lower, max(0, self.start - 90), self.start)
        return subject is not None and subject[1] == other

    def _is_surname(self, following: re.Match[str] | None) -> bool:
        """Return True for a capitalised rank without an article, a name or *of* beside it: *yesterday King said*."""
        if self.norm not in _RANKS or following is not None or self.after() == "of":
            return False
        if self.text[self.end : self.end + 1] == "," and self.begins:
            return False
        if self.begins:
            return self.after() in _SAYING
        before = _WORD_BEFORE.search(self.text, max(0, self.start - 24), self.start)
        if before is None:
            return self.text[max(0, self.start - 2) : self.start - 1].isdigit()
        return before[1].lower() not in _DETERMINERS | _BECOMING and (before[1][:1].islower() or before[1].isupper())

    def _is_other_name(self) -> bool:
        """Tell whether a capitalised noun is part of a name that tells no gender (*Stephen King*, *King Street*)."""
        surface = self.surface
        if not surface[:1].isupper():
            return False
        following = self.next_capital()
        word = following[1].lower() if following else ""
        if following and (is_organisation_word(word) or word in _PLACE_WORDS):
            return True
        if _WORTHY.search(self.norm):
            return False  # Mr. Chairman, National Guardsman
        if _SURNAME.search(self.text, max(0, self.start - 16), self.start):
            return True  # Mrs. King
        before = _CAPITAL_BEFORE.search(self.text, max(0, self.start - 24), self.start)
        if before is not None and before[1][:1].isupper() and before[1].lower() in self.names:
            return True
        if _PLACE.match(self.text, self.end):
            return True  # King's Cross, Queen's Park
        if is_capitalised_line(_line(self.text, self.start)):
            return False
        if following and self.norm not in _TITLES and word in _BAND_WORDS:
            return True
        if (self.norm == "queens" and self.before() not in _DETERMINERS) or (surface.isupper() and len(surface) > 1 and self.norm in ("sis", "bro")):
            return True
        if self._is_surname(following):
            return True
        if self.begins or before is None or not before[1][:1].isupper() or before[1].isupper():
            return False
        if before[1].lower() in _NO_PART:
            return False
        begins = _BEGINS.search(self.text, max(0, before.start() - 8), before.start()) is not None
        return not begins


#: nouns that both genders are called -> the pronoun of the other gender
_NEUTRAL = dict.fromkeys("actor actors heir heirs host hosts hero heroes waiter steward priest sorcerer".split(), "she")
#: a subject, a form of *be* and what stands before the noun of its predicate
_PREDICATE = re.compile(
    r"\b(she|he)(?:['’]s| (?:is|was|became|becomes|has been|had been|will be|would be|being))(?: [\w'’-]+){0,4} $"
)
_VOCATIVE = re.compile(r",\s+$")
_PAUSE = re.compile(r"[,.;:!?\"“”()—–-]\s*$")
#: before *man* without an article
_BEFORE_GENERIC = frozenset(
    "of by to in for from between on upon with than against within among that when as whether if where while because "
    "makes made make gives gave teaches nor into unto toward towards beneath above before".split()
)
#: behind it where it is part of something else (*from man to man* stays, too)
_CONTINUING = frozenset("named called with who whom whose in to".split())
_BEHIND_GENERIC = frozenset(
    "is has was had will must cannot can shall may does did proposes lives cannot himself himself, by".split()
)
_AFTER_INTERJECTION = frozenset(
    "i i'm i’m im i've i'd this that it it's its he he's she she's we they you you're what how why if do did does am".split()
)
#: capitalised words before a noun that are no part of a name
_NO_PART = frozenset(
    "dear the a an my your his her our their and or but hello hi hey thank thanks yes no new old young poor good great "
    "crown grand high lady lord mr mrs ms dr saint st i".split()
)
#: offices and callings, which are no surnames
_WORTHY = re.compile(
    r"(?:\w{3}(?:wom[ae]n)|(?:chair|congress|council|spokes|guards|police|alder|assembly|ombuds|service|air)m[ae]n)$"
)
#: titles of rank, which stand bare before a name or *of* only
_RANKS = frozenset(
    "king queen prince princess duke duchess emperor empress baron baroness abbot abbess viscount viscountess marquess "
    "priest deacon bachelor steward monk hunter pope bishop sultan tsar czar".split()
)
#: what stands before a surname
_SURNAME = re.compile(r"(?:^|[\s(\"“])(?:Mrs?|Ms|Miss|Mx|Dr|Prof|Professor|Judge|Captain|Officer|Senator|Coach)\.? $")
_PLACE_WORDS = frozenset({"cross", "beach", "island", "islands", "bay", "falls", "heights", "springs"})
_PLACE = re.compile(r"['’]s [A-Z][a-z]")
_BAND_WORDS = frozenset({"ray", "george", "city", "utd", "united"})


def _line(text: str, offset: int) -> str:
    return text[text.rfind("\n", 0, offset) + 1 : (text.find("\n", offset) + 1 or len(text) + 1) - 1]


def is_capitalised_line(line: str) -> bool:
    """Return True if most longer words of a line have a capital, as in headlines."""
    words = list(re.findall(r"[^\W\d_]{4,}", line))
    return len(words) > 3 and sum(word[0].isupper() for word in words) > 0.7 * len(words)


def _in_style(surface: str, counterpart: str) -> str:
    """Return the counterpart in the case style of what stands there; *Maid of honor*, *McX* stay sensible."""
    letters = [c for c in surface if c.isalpha()]
    if " " in surface and surface.istitle() and not surface.isupper():
        small = ("of", "in", "and")
        return " ".join(w if w in small else w[:1].upper() + w[1:] for w in counterpart.split(" "))
    if len(letters) > 1 and surface.isupper():
        return counterpart.upper()
    return match_case(surface[:1] + "x", counterpart)
