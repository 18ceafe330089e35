"""Gender definition words and stop words: shipped lists, lists of a user's own.

The shipped lists are those of GenBiT's project (MIT). An entry is compared token by token: ``step-father`` and ``step
father`` are the same two tokens, which are counted as one word wherever they follow each other.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from eval.genbit.tokens import WORD
from lexicons.loader import TableError, read_table, read_table_file
from rewriter.errors import InputError, LexiconError, UsageError
from rewriter.io.files import read_lines
from rewriter.registry import did_you_mean

log = logging.getLogger(__name__)

FEMALE, MALE, NON_BINARY, TRANS, CIS = "female", "male", "non-binary", "trans", "cis"
#: the groups in the order of their numbers in counts
GROUPS = (FEMALE, MALE, NON_BINARY, TRANS, CIS)
#: where a word of several groups is counted once: the first of these that it belongs to
PRIMARY = (FEMALE, MALE, NON_BINARY)
SECONDARY = (TRANS, CIS)


@dataclass(frozen=True)
class Lexicon:
    """Words that define a gender, and words that are not counted.

    Attributes:
        lang: language code.
        groups: group to entries; the tokens of an entry are joined by single spaces.
        stop_words: words left out before distances are measured, unless they are in a primary group.
        name: for the signature: ``genbit`` for the shipped lists, else the file's name.
    """

    lang: str
    groups: Mapping[str, frozenset[str]]
    stop_words: frozenset[str] = field(default_factory=frozenset)
    name: str = "own"

    def __post_init__(self) -> None:
        unknown = [group for group in self.groups if group not in GROUPS]
        if unknown:
            raise LexiconError(
                f"unknown group '{unknown[0]}'{did_you_mean(unknown[0], list(GROUPS))}; known: {', '.join(GROUPS)}"
            )
        for group in (FEMALE, MALE):
            if not self.groups.get(group):
                raise LexiconError(f"the lexicon {self.name} has no {group} words; both genders are needed")

    def words(self, group: str) -> frozenset[str]:
        """Return the entries of a group, none where it is switched off."""
        return self.groups.get(group, frozenset())

    @cached_property
    def gendered(self) -> frozenset[str]:
        """Every entry of every group: what is not lemmatised and not scored."""
        return frozenset().union(*self.groups.values())

    @property
    def non_binary(self) -> bool:
        """Whether non-binary words are counted."""
        return bool(self.words(NON_BINARY))

    @property
    def trans_cis(self) -> bool:
        """Whether trans and cis words are counted."""
        return bool(self.words(TRANS) and self.words(CIS))

    @cached_property
    def digest(self) -> str:
        """Twelve hexadecimal digits that change with every entry."""
        parts = [f"{group}\t{word}" for group in GROUPS for word in sorted(self.words(group))]
        parts += [f"stop\t{word}" for word in sorted(self.stop_words)]
        return hashlib.sha256("\n".join(parts).encode("utf-8")).hexdigest()[:12]

    @classmethod
    def shipped(cls, lang: str, *, non_binary: bool = True, trans_cis: bool = True) -> Lexicon:
        """Return GenBiT's lists of a language.

        Args:
            lang: de, en, es, fr, it or ru.
            non_binary: use the non-binary list (English has one).
            trans_cis: use the trans and cis lists (English has them).

        Raises:
            UsageError: there are no lists for the language.
        """
        lang = lang.lower()
        if lang not in languages():
            raise UsageError(
                f"no GenBiT word lists for language '{lang}'; there are {', '.join(languages())}. "
                "Another language needs a lexicon of your own (--lexicon, or lexicon=)."
            )
        entries: dict[str, set[str]] = {}
        for row in read_table(lang, "genbit"):
            entries.setdefault(row["group"], set()).add(entry(row["word"]))
        off = (() if non_binary else (NON_BINARY,)) + (() if trans_cis else (TRANS, CIS))
        groups = {group: frozenset(words) for group, words in entries.items() if group not in off}
        return cls(lang, groups, shipped_stop_words(lang), "genbit")

    @classmethod
    def from_file(cls, path: str | Path, lang: str, *, stop_words: str | Path | None = None) -> Lexicon:
        """Read a user's lexicon.

        Args:
            path: a table with the columns ``word`` and ``group`` (tab between them, lines with # are comments), or
                a folder of lists as GenBiT has them: ``female.txt``, ``male.txt`` and where wanted
                ``non-binary.txt``, ``trans.txt``, ``cis.txt``, a word per line.
            lang: language of the words.
            stop_words: a word per line; without it the shipped list of the language, where there is one.

        Raises:
            LexiconError: it cannot be read, a group is unknown, a gender has no words, or a word has two genders.
        """
        path = Path(path)
        rows = list(_folder_rows(path) if path.is_dir() else _table_rows(path))
        groups: dict[str, set[str]] = {group: set() for group in GROUPS}
        first: dict[tuple[str, str], str] = {}
        for where, word, group in rows:
            _check_row(first, where, word, group)
            groups[group].add(word)
        chosen = {group: frozenset(words) for group, words in groups.items() if words}
        return cls(lang.lower(), chosen, _stop_words(lang.lower(), stop_words), path.name)


def languages() -> list[str]:
    """Return the languages that lists are shipped for."""
    return sorted(folder.name for folder in files("lexicons").iterdir() if folder.joinpath("genbit.tsv").is_file())


def entry(word: str) -> str:
    """Return the form under which an entry is looked up: its tokens, joined by spaces; the case is kept."""
    return " ".join(WORD.findall(word)) or word.strip()


def shipped_stop_words(lang: str) -> frozenset[str]:
    """Return the shipped stop words of a language (Stopwords ISO, MIT); none for a language without a list."""
    try:
        return frozenset(row["word"] for row in read_table(lang, "stop_words"))
    except TableError:
        return frozenset()


def _stop_words(lang: str, path: str | Path | None) -> frozenset[str]:
    if path is not None:
        try:
            words = frozenset(line.strip().lower() for line in read_lines(path))
        except InputError as error:
            raise LexiconError(f"stop words: {error}") from None
        return words - {""}
    words = shipped_stop_words(lang)
    if not words:
        log.warning("no stop words are shipped for language '%s': every word is counted", lang)
    return words


def _table_rows(path: Path) -> Iterable[tuple[str, str, str]]:
    try:
        rows = read_table_file(path)
    except TableError as error:
        raise LexiconError(str(error)) from None
    if not rows or set(rows[0]) != {"word", "group"}:
        raise LexiconError(f"{path}: expected a table with a header line 'word<TAB>group' and rows below it")
    for number, row in enumerate(rows, 1):
        yield f"{path}, row {number}", entry(row["word"].strip().lower()), row["group"].strip()


def _folder_rows(path: Path) -> Iterable[tuple[str, str, str]]:
    for group in GROUPS:
        file = path / f"{group}.txt"
        if file.exists():
            for number, line in enumerate(read_lines(file), 1):
                if line.strip():
                    yield f"{file}:{number}", entry(line.strip().lower()), group


def _check_row(first: dict[tuple[str, str], str], where: str, word: str, group: str) -> None:
    """Refuse what has no clear meaning; tell of what is harmless."""
    if group not in GROUPS:
        raise LexiconError(
            f"{where}: unknown group '{group}'{did_you_mean(group, list(GROUPS))}; known: {', '.join(GROUPS)}"
        )
    if not word:
        raise LexiconError(f"{where}: the word is empty")
    if (word, group) in first:
        log.warning("%s: '%s' stands twice among the %s words (first: %s)", where, word, group, first[word, group])
        return
    for kind in (PRIMARY, SECONDARY):
        other = next((g for g in kind if g != group and group in kind and (word, g) in first), None)
        if other:
            raise LexiconError(
                f"{where}: '{word}' is listed as {group}, but as {other} before ({first[word, other]}). "
                "A word can define one of the two only: take it out of one list, or of both."
            )
    first[word, group] = where
