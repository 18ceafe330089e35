"""A language is one declared protocol: ours have every member, others get defaults, no part is asked for by name."""

from __future__ import annotations

import ast
import pickle
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from augment import languages
from augment.swap import settings as swapping
from eval import edit_kinds
from rewriter.errors import UsageError
from rewriter.language.complete import Defaults, complete
from rewriter.language.interface import DEFAULTS, Language, completed, get_language
from rewriter.language.tokens import plain_tokens
from rewriter.model import direction

ROOT = Path(__file__).resolve().parents[2]
ALL_DEFAULTS = [DEFAULTS, direction.DEFAULTS, languages.DEFAULTS, swapping.DEFAULTS, edit_kinds.DEFAULTS]


class Minimal:
    """The least that a language has to have."""

    code = "minimal"
    outcomes = ("keep", "fair")

    def segment(self, text: str) -> list[tuple[int, int]]:
        return [(0, len(text))]


@dataclass(frozen=True)
class Frozen:
    code: str = "frozen"


def test_what_a_language_leaves_out_is_filled_in() -> None:
    mine = Minimal()
    language = completed(mine)
    assert language is mine
    assert (language.gate_words, language.reads_before("Er singt.")) == (None, False)
    assert language.units("A b.") == [(0, 4)]
    assert [token.norm for token in language.tokenize("Ab's 12.")] == ["ab", "'", "s", "12", "."]


def test_what_a_language_has_stays() -> None:
    mine: Any = Minimal()
    mine.gate_words, mine.units = ("lo",), lambda text: []
    assert completed(mine).gate_words == ("lo",)
    assert completed(completed(mine)).units("A.") == []


def test_a_completed_language_goes_to_other_processes() -> None:
    copy: Language = pickle.loads(pickle.dumps(completed(Minimal())))
    assert copy.units("A b.") == [(0, 4)]
    assert copy.tokenize("A b.") == plain_tokens("A b.")


def test_an_object_that_takes_no_member_is_named() -> None:
    with pytest.raises(UsageError, match=r"Frozen has no 'gate_words' and cannot be given one; declare it there"):
        completed(Frozen())


@pytest.mark.parametrize("lang", ["en", "de"])
def test_our_languages_declare_every_member_themselves(lang: str) -> None:
    language = get_language(lang)
    filled = set(DEFAULTS) & set(vars(language)) - {"gate_words"}
    assert filled == set()
    assert {name for name in dir(Language) if not name.startswith("_")} <= set(dir(language))


@pytest.mark.parametrize(
    ("defaults", "protocol"),
    [(DEFAULTS, Language), (direction.DEFAULTS, direction.Back), (languages.DEFAULTS, languages.AugmentLanguage),
     (swapping.DEFAULTS, swapping.SwapRules), (edit_kinds.DEFAULTS, edit_kinds.EditKinds)],
)  # fmt: skip
def test_defaults_are_of_declared_members(defaults: Defaults, protocol: type) -> None:
    assert set(defaults) <= set(dir(protocol)) | set(protocol.__annotations__)


def test_a_module_is_completed_too() -> None:
    module = SimpleNamespace(KINDS=("noun",))
    assert complete(module, edit_kinds.DEFAULTS).cut is None
    assert module.referring("Er singt.", 0, 2) is None


def asked_for(code: str) -> set[str]:
    """Return the names that code asks an object for with ``getattr`` or ``hasattr``."""
    calls = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call) and len(node.args) > 1)
    names = (c.args[1] for c in calls if isinstance(c.func, ast.Name) and c.func.id in ("getattr", "hasattr"))
    return {name.value for name in names if isinstance(name, ast.Constant) and isinstance(name.value, str)}


def members() -> set[str]:
    """Return what the protocols declare, and the names that a language's modules may have."""
    protocols: list[Any] = [Language, direction.Back, languages.AugmentLanguage, swapping.SwapRules]
    declared = {name for one in protocols for name in (*dir(one), *one.__annotations__) if not name.startswith("_")}
    others = {name for defaults in ALL_DEFAULTS for name in defaults} | {"PROFILE", "SETTINGS"}
    return (declared | others) - {"gate", "language"}  # a rewriter's options and the rewriter have such attributes, too


def test_no_part_of_a_language_is_asked_for_by_name() -> None:
    assert asked_for("getattr(language, 'units', None)") & members() == {"units"}
    files = [path for part in ("rewriter", "eval", "augment", "train") for path in (ROOT / part).rglob("*.py")]
    found = {str(path.relative_to(ROOT)): asked_for(path.read_text("utf-8")) & members() for path in files}
    assert {name: asked for name, asked in found.items() if asked} == {}
