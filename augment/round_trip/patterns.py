r"""The rules of round trips for a language that has none here: a list of patterns for its gender-fair forms.

Amrhein et al. 2023, appendices D, F and G: French *citoyen·ne·s*, Spanish *lxs desempleadxs*, pair forms of any
language. The file is YAML::

    forms:
      - pattern: '\b(\w+)·e·s\b'      # a regular expression
        name: median                  # how statistics call it
        plural: true
        fair: '\1·e·s'                # how targets write it; as it stands where nothing is said
        feminine: '\1es'              # what it is in each gender, for contrasting targets
        masculine: '\1s'
    words:                            # gendered words, from which a sentence's gender is told; may be left out
      feminine: ['\w+euses?']
      masculine: ['\w+eurs?']
    prompts: ["Un·e ami·e"]           # beginnings for a language model; may be left out

Unlike the rules of a language, patterns know no words: a form counts wherever its pattern matches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from augment.round_trip.rules import Found, Reading, RoundTripRules, get_rules
from rewriter.errors import RecipeError, UsageError
from rewriter.io.files import file_digest
from rewriter.options import one_of
from rewriter.runs.recipes import load_recipe

__all__ = ["FormPattern", "PatternFile", "PatternRules", "load_patterns"]

GENDERS = ("feminine", "masculine")


@dataclass(frozen=True)
class FormPattern:
    r"""A gender-fair form.

    Attributes:
        pattern: regular expression.
        name: of the form.
        plural: it means several persons.
        fair: replacement (``\1`` ... of the pattern) that targets have in its place; empty keeps what stands there.
        feminine: replacement that gives its feminine; empty where it has none.
        masculine: the same for the masculine.
    """

    pattern: str
    name: str = "pattern"
    plural: bool = False
    fair: str = ""
    feminine: str = ""
    masculine: str = ""

    def __post_init__(self) -> None:
        try:
            compiled = re.compile(self.pattern)
            for template in (self.fair, self.feminine, self.masculine):
                re.sub(compiled, template, "")
        except (re.error, IndexError) as error:
            raise UsageError(f"'{self.pattern}' is no pattern, or a replacement does not fit it ({error})") from None
        if compiled.match(""):
            raise UsageError(f"'{self.pattern}' matches where nothing stands; make it match a word")


@dataclass(frozen=True)
class PatternFile:
    """What the file says.

    Attributes:
        forms: gender-fair forms; of two that match at one place the first counts.
        words: gender -> regular expressions of gendered words.
        prompts: beginnings with a gender-fair singular.
    """

    forms: list[FormPattern]
    words: dict[str, list[str]] = field(default_factory=dict)
    prompts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.forms:
            raise UsageError("'forms' names no gender-fair form to look for")
        for gender in self.words:
            one_of(GENDERS, words=gender)


def load_patterns(path: str | Path, code: str) -> PatternRules:
    """Read the patterns of a language.

    Raises:
        RecipeError: the file is missing, or something in it is wrong; the message names it.
    """
    try:
        return PatternRules(code, load_recipe(path, schema=PatternFile))
    except re.error as error:
        raise RecipeError(f"{path}: '{error.pattern!r}' is no regular expression ({error})") from None


def rules_of(code: str, patterns: str = "") -> RoundTripRules:
    """Return what a file of patterns says of a language, or the language's own rules.

    Args:
        code: of the language.
        patterns: the file; empty for the language's own rules.

    Raises:
        UsageError: no file is given, and there are no rules for this code.
        RecipeError: the file is missing, or something in it is wrong.
    """
    return load_patterns(patterns, code) if patterns else get_rules(code)


def pattern_identity(patterns: str) -> dict[str, str]:
    """Return what tells one file of patterns from another; nothing without one.

    Raises:
        InputError: the file is missing.
    """
    return {"pattern file": file_digest(Path(patterns))} if patterns else {}


class PatternRules:
    """A language's patterns as :class:`augment.round_trip.rules.RoundTripRules`.

    Args:
        code: of the language.
        file: its patterns.
    """

    def __init__(self, code: str, file: PatternFile) -> None:
        self.code, self.file = code, file
        self._forms = [(re.compile(form.pattern), form) for form in file.forms]
        self._words = {gender: _any(file.words.get(gender, ())) for gender in GENDERS}

    def maybe_fair(self, text: str) -> bool:
        """Return True if a form stands in ``text``."""
        return any(pattern.search(text) for pattern, _ in self._forms)

    def read(self, text: str, form: str) -> Reading:
        """Return ``text`` with its forms as targets write them, and what was found; ``form`` does not count."""
        parts: list[str] = []
        found: list[Found] = []
        at = 0
        for match, one in self._matches(text):
            parts += [text[at : match.start()], match.expand(one.fair) if one.fair else match.group()]
            kind = "pair" if " " in match.group() else "word"
            found.append(Found(match.start(), match.end(), one.name, kind, one.plural))
            at = match.end()
        return Reading("".join(parts) + text[at:], tuple(found))

    def halves(self, word: str) -> tuple[str, ...]:
        """Return the masculine and the feminine of a form."""
        for match, one in self._matches(word):
            if match.group() == word:
                templates = (one.masculine, one.feminine)
                return tuple(dict.fromkeys(match.expand(template) for template in templates if template))
        return ()

    def gender(self, text: str) -> str:
        """Return ``feminine`` or ``masculine`` where all gendered words of ``text`` are, else an empty string."""
        if self.maybe_fair(text):
            return ""
        found = [gender for gender, pattern in self._words.items() if pattern is not None and pattern.search(text)]
        return found[0] if len(found) == 1 else ""

    def contrasts(self, text: str) -> list[tuple[str, str]]:
        """Return the text once for each gender that all of its forms have (appendix G)."""
        matches = list(self._matches(text))
        made = []
        for gender in GENDERS:
            templates = [getattr(one, gender) for _, one in matches]
            if matches and all(templates):
                made.append((gender, _replaced(text, matches, templates)))
        return made

    def prompts(self) -> list[str]:
        """Return the beginnings of the file.

        Raises:
            UsageError: it has none.
        """
        if not self.file.prompts:
            raise UsageError(f"the patterns of '{self.code}' hold no 'prompts' for a language model to go on from")
        return list(self.file.prompts)

    def _matches(self, text: str) -> list[tuple[re.Match[str], FormPattern]]:
        """Return what matches, in order, of two that overlap the first one of the file."""
        kept: list[tuple[re.Match[str], FormPattern]] = []
        for pattern, form in self._forms:
            for match in pattern.finditer(text):
                if all(match.end() <= other.start() or other.end() <= match.start() for other, _ in kept):
                    kept.append((match, form))
        return sorted(kept, key=lambda item: item[0].start())


def _replaced(text: str, matches: Iterable[tuple[re.Match[str], FormPattern]], templates: Iterable[str]) -> str:
    parts, at = [], 0
    for (match, _), template in zip(matches, templates, strict=True):
        parts += [text[at : match.start()], match.expand(template)]
        at = match.end()
    return "".join(parts) + text[at:]


def _any(patterns: Iterable[str]) -> re.Pattern[str] | None:
    given = list(patterns)
    return re.compile(rf"(?<!\w)(?:{'|'.join(given)})(?!\w)") if given else None
