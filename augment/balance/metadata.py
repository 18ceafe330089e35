"""What is balanced: terms with their forms per category, and the words that tell the category (Becker 2022, 3.1).

The file is the JSON of the source::

    {"category_words": [["firefighter", "fireman", "firewoman"],
                        [["dental hygienist", "dental surgeon"], "", ""]],
     "category_identifier": [["he", "man"], ["she", "woman"]],
     "category_name": ["male", "female"],
     "allowed_depend": [["_nsubj", "attr"]]}

An entry of ``category_words`` is a term: its neutral form first (or a list: the first one names the term, the others
are synonyms), then one place per category, empty where there is no word. There may be two categories or more.
``allowed_depend`` and, beside it, ``depend_scheme`` (the label scheme of its paths) may be left out. The spelling of
the source's appendix (``categorywords``) is read too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from augment.dependency import SCHEMES
from eval.bias_filter.matcher import word_form
from lexicons.side_files import read_side_file
from rewriter.errors import RecipeError
from rewriter.registry import did_you_mean

REQUIRED = ("category_words", "category_identifier", "category_name")
OPTIONAL = ("allowed_depend", "depend_scheme", "lang", "title", "source", "licence", "note", "targets_known")
#: labels that only one of the schemes has
_UD_ONLY = frozenset({"obj", "obl", "case", "cop", "iobj"})
_CLEAR_ONLY = frozenset({"dobj", "pobj", "prep", "attr", "poss", "nsubjpass", "relcl"})
_PREFIX = "balance_"

DependencyPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """What is counted and balanced as one.

    Attributes:
        name: the first neutral word.
        neutral: the neutral words, the name first.
        words: for each category the words that belong to it whatever surrounds them; may be empty.
    """

    name: str
    neutral: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Metadata:
    """The content of a metadata file.

    Attributes:
        categories: their names, in the order of all counts.
        terms: the terms.
        identifiers: for each category the words that tell it.
        allowed: paths from an identifier to a neutral word that mean "this person is one"; ``_`` before a label that is
            gone backward, from a word to its head.
        scheme: label scheme of the paths, None where there are none.
        lang: language code, empty where the file does not say.
        targets_known: the terms are those of a test set that is to be measured afterwards (the file says so).
    """

    categories: tuple[str, ...]
    terms: tuple[Term, ...]
    identifiers: tuple[tuple[str, ...], ...]
    allowed: frozenset[DependencyPath] = frozenset()
    scheme: str | None = None
    lang: str = ""
    targets_known: bool = False

    def shared_words(self) -> dict[str, list[str]]:
        """Return the words that stand in several terms, with these terms' names; such a word counts for each."""
        owners: dict[str, list[str]] = {}
        for term in self.terms:
            for word in {_key(word) for words in (term.neutral, *term.words) for word in words}:
                owners.setdefault(word, []).append(term.name)
        return {word: names for word, names in sorted(owners.items()) if len(names) > 1}


def load_metadata(name_or_path: str | Path, *, lang: str = "en") -> Metadata:
    """Return shipped metadata by name (``professions``) or a user's file.

    Args:
        name_or_path: a path to a JSON file, or a name of :func:`shipped`.
        lang: language of shipped metadata.

    Raises:
        RecipeError: there is no such metadata, or it is not what it should be; the message names file and key.
    """
    path = Path(name_or_path)
    if path.suffix != ".json" and not path.exists():
        known = shipped(lang)
        if str(name_or_path) not in known:
            raise RecipeError(
                f"there is no metadata '{name_or_path}' for '{lang}'{did_you_mean(str(name_or_path), known)}; "
                f"shipped: {', '.join(known) or 'none'}; or pass the path of a .json file"
            )
        text = files("lexicons").joinpath(lang, f"{_PREFIX}{name_or_path}.json").read_text(encoding="utf-8")
        return parse_metadata(text, where=f"lexicons/{lang}/{_PREFIX}{name_or_path}.json")
    try:
        text = read_side_file(path, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise RecipeError(f"{path}: cannot be read ({error})") from None
    return parse_metadata(text, where=str(path))


def shipped(lang: str) -> list[str]:
    """Return the names of the metadata shipped for a language."""
    folder = files("lexicons").joinpath(lang)
    if not folder.is_dir():
        return []
    names = (entry.name for entry in folder.iterdir())
    return sorted(n[len(_PREFIX) : -len(".json")] for n in names if n.startswith(_PREFIX) and n.endswith(".json"))


def parse_metadata(text: str, *, where: str = "metadata") -> Metadata:
    """Read and check metadata.

    Args:
        text: JSON.
        where: what messages call it.

    Raises:
        RecipeError: names ``where``, the key's path (``category_words[3][1]``), what is wrong and what to do.
    """
    try:
        data = json.loads(text, object_pairs_hook=_no_twice)
    except json.JSONDecodeError as error:
        raise RecipeError(
            f"{where}:{error.lineno}: not valid JSON ({error.msg}, column {error.colno}); comments (#) are not allowed"
        ) from None
    except _TwiceError as error:
        raise RecipeError(f"{where}: the key '{error}' is given twice; leave one") from None
    return _Reader(where).read(data)


def describe_path(path: Sequence[str]) -> str:
    """Return a dependency path as it is written in tables: labels with commas."""
    return ", ".join(path)


class _TwiceError(Exception):
    pass


def _no_twice(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _TwiceError(key)
        found[key] = value
    return found


def _key(word: str) -> str:
    return " ".join(word.lower().split())


@dataclass(frozen=True)
class _Reader:
    """Checks the parts of a file; ``where`` begins every message."""

    where: str

    def fail(self, key: str, problem: str) -> RecipeError:
        return RecipeError(f"{self.where}: {key}: {problem}")

    def read(self, data: Any) -> Metadata:
        data = self._keys(data)
        categories = self._categories(data["category_name"])
        identifiers = self._identifiers(data["category_identifier"], categories)
        terms = self._terms(data["category_words"], categories)
        allowed = self._allowed(data.get("allowed_depend", []))
        scheme = self._scheme(data.get("depend_scheme"), allowed) if allowed else None
        known = data.get("targets_known", False)
        if type(known) is not bool:
            raise self.fail("targets_known", f"must be true or false, not {_kind(known)}")
        return Metadata(categories, terms, identifiers, allowed, scheme, str(data.get("lang", "")), known)

    def _keys(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            raise RecipeError(f"{self.where}: must be a JSON object with {', '.join(REQUIRED)}, not {_kind(data)}")
        known = [*REQUIRED, *OPTIONAL]
        plain = {key.replace("_", ""): key for key in known}
        found: dict[str, Any] = {}
        for key, value in data.items():
            name = plain.get(key.replace("_", ""), key)
            if name not in known:
                raise self.fail(key, f"unknown key{did_you_mean(key, known)}; known: {', '.join(known)}")
            if name in found:
                raise self.fail(key, f"is '{name}' in another spelling and stands there already; leave one")
            found[name] = value
        for key in REQUIRED:
            if key not in found:
                raise self.fail(key, f"is missing; the file must have {', '.join(REQUIRED)}")
        return found

    def _list(self, value: Any, key: str, of: str) -> list[Any]:
        if not isinstance(value, list):
            raise self.fail(key, f"must be a list of {of}, not {_kind(value)}")
        return value

    def _categories(self, value: Any) -> tuple[str, ...]:
        names = self._list(value, "category_name", "names")
        if len(names) < 2:
            raise self.fail("category_name", f"must name at least two categories, not {len(names)}")
        for number, name in enumerate(names):
            if not isinstance(name, str) or not name.strip():
                raise self.fail(f"category_name[{number}]", f"must be a name, not {_shown(name)}")
            if name in names[:number]:
                raise self.fail(f"category_name[{number}]", f"'{name}' stands there twice; give each its own name")
        return tuple(names)

    def _identifiers(self, value: Any, categories: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        lists = self._list(value, "category_identifier", "lists, one per category")
        if len(lists) != len(categories):
            raise self.fail(
                "category_identifier",
                f"has {len(lists)} lists for {len(categories)} categories ({', '.join(categories)}); give one for each",
            )
        found: list[tuple[str, ...]] = []
        owner: dict[str, str] = {}
        for number, words in enumerate(lists):
            key = f"category_identifier[{number}]"
            if not isinstance(words, list) or not words:
                raise self.fail(key, f"must be a list of at least one word for '{categories[number]}'")
            found.append(self._words(words, key))
            for place, word in enumerate(found[-1]):
                if (other := owner.setdefault(_key(word), categories[number])) != categories[number]:
                    raise self.fail(f"{key}[{place}]", f"'{word}' is an identifier of '{other}' too; leave it in one")
        return tuple(found)

    def _terms(self, value: Any, categories: Sequence[str]) -> tuple[Term, ...]:
        entries = self._list(value, "category_words", "terms")
        if not entries:
            raise self.fail("category_words", "holds no term; give at least one")
        terms: list[Term] = []
        first: dict[str, int] = {}
        for number, entry in enumerate(entries):
            term = self._term(entry, f"category_words[{number}]", categories)
            if (other := first.setdefault(_key(term.name), number)) != number:
                raise self.fail(
                    f"category_words[{number}][0]", f"'{term.name}' names the term category_words[{other}] already"
                )
            terms.append(term)
        return tuple(terms)

    def _term(self, entry: Any, key: str, categories: Sequence[str]) -> Term:
        parts = self._list(entry, key, "a neutral word and one word (or list) per category")
        if len(parts) != 1 + len(categories):
            raise self.fail(
                key,
                f"has {len(parts)} parts; expected {1 + len(categories)}: the neutral word, then "
                f'{", ".join(categories)} ("" where there is no word)',
            )
        lists = [self._words_or_word(part, f"{key}[{place}]") for place, part in enumerate(parts)]
        if not lists[0]:
            raise self.fail(f"{key}[0]", "the neutral word is empty; it names the term and is always needed")
        owner: dict[str, int] = {}
        for place, words in enumerate(lists):
            for word in words:
                if (other := owner.setdefault(_key(word), place)) != place:
                    raise self.fail(f"{key}[{place}]", f"'{word}' stands in {key}[{other}] too; leave it in one")
        return Term(lists[0][0], lists[0], tuple(lists[1:]))

    def _words_or_word(self, value: Any, key: str) -> tuple[str, ...]:
        if isinstance(value, list):
            return self._words(value, key)
        if not isinstance(value, str):
            raise self.fail(key, f"must be a word or a list of words, not {_kind(value)}")
        return self._words([value], key) if value.strip() else ()

    def _words(self, values: Sequence[Any], key: str) -> tuple[str, ...]:
        words: dict[str, str] = {}
        for number, word in enumerate(values):
            if not isinstance(word, str):
                raise self.fail(f"{key}[{number}]", f"must be a word, not {_kind(word)}")
            if not word_form(word):
                raise self.fail(f"{key}[{number}]", f"{word!r} holds no letter to look for; take it out")
            words.setdefault(_key(word), " ".join(word.split()))
        return tuple(words.values())

    def _allowed(self, value: Any) -> frozenset[DependencyPath]:
        paths = self._list(value, "allowed_depend", "paths")
        found = set()
        for number, path in enumerate(paths):
            key = f"allowed_depend[{number}]"
            labels = self._list(path, key, 'labels (["_nsubj", "attr"])')
            if not labels:
                raise self.fail(key, "is empty; a path has at least one label")
            for place, label in enumerate(labels):
                if not isinstance(label, str) or not label.removeprefix("_").strip():
                    raise self.fail(f"{key}[{place}]", f"must be a dependency label, not {_shown(label)}")
            found.add(tuple(labels))
        return frozenset(found)

    def _scheme(self, value: Any, allowed: Iterable[DependencyPath]) -> str:
        labels = {label.removeprefix("_") for path in allowed for label in path}
        if value is None:
            if labels & _UD_ONLY:
                return "universal-dependencies"
            if labels & _CLEAR_ONLY:
                return "clear"
            raise self.fail("depend_scheme", f"is missing; name the scheme of allowed_depend: {', '.join(SCHEMES)}")
        if value not in list(SCHEMES):
            raise self.fail(
                "depend_scheme",
                f"unknown label scheme {_shown(value)}{did_you_mean(str(value), list(SCHEMES))}; "
                f"known: {', '.join(SCHEMES)}",
            )
        return str(value)


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str) else _kind(value)
