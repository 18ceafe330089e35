"""Fuzz targets of what is loaded: recipes, model directories and files to be converted."""

from __future__ import annotations

import json
import random
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from rewriter.convert.converter import Converter, get_converter
from rewriter.convert.files import convert_bytes
from rewriter.de.inflection import FORMS
from rewriter.errors import GenderFairError
from rewriter.io.files import file_digest
from rewriter.pipeline import Rewriter
from tools.fuzzing.target import Case, Target, foreseen, workplace
from tools.fuzzing.texts import GERMAN_WORDS, any_json, damaged, german
from train.recipe.kinds import load_any_recipe, stages_of

ROOT = Path(__file__).resolve().parents[2]
TINY = ROOT / "tests" / "data" / "models" / "tiny-edits"

# ---------------------------------------------------------------- recipes

_YAML_WORDS = (
    ": |- |  |&a |*a|<<: *a|!!python/name:os |${name}|${data.root}|null|-1|1e400|.nan|[|{|'|\"|? |2024-99-99|\t|\0|yes|"
    "999999999999999999999|../../x"
).split("|")
_YAML_PIECES = (*(word.encode() for word in _YAML_WORDS), b"\n", b"|\n", b"\xff")


@cache
def _recipes() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted((ROOT / "recipes").glob("*.yaml")))


@st.composite
def _recipe_text(draw: st.DrawFn) -> bytes:
    """Draw a shipped recipe with lines left out, doubled, moved and given other values."""
    lines = draw(st.sampled_from(_recipes())).split(b"\n")
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        way = draw(st.sampled_from(("drop", "double", "indent", "value", "value", "value")))
        key, colon, _ = lines[at].partition(b":")
        value = draw(st.one_of(st.sampled_from(_YAML_PIECES), any_json().map(lambda v: json.dumps(v).encode())))
        changed = {
            "drop": [],
            "double": [lines[at]] * 2,
            "indent": [b"  " + lines[at]],
            "value": [key + colon + b" " + value],
        }
        lines[at : at + 1] = changed[way]
        lines = lines or [b""]
    return b"\n".join(lines)


def _recipe_cases() -> SearchStrategy[dict[str, Any]]:
    keys = st.sampled_from(
        ("train.steps", "name", "seed", "lang", "mix", "gold.files", "a.b.c", "", "encoder", "data.root")
    )
    override = st.tuples(
        keys, st.one_of(any_json().map(json.dumps), st.sampled_from(("{", "[", "*a", "${name}", "\0")))
    ).map("=".join)
    return st.fixed_dictionaries(
        {
            "data": st.one_of(_recipe_text(), damaged(_recipes(), _YAML_PIECES)),
            "overrides": st.lists(override, max_size=2),
        }
    )


def _check_recipe(case: Case) -> None:
    with workplace() as folder:
        path = folder / "r.yaml"
        path.write_bytes(case["data"])
        overrides = (f"data.root={folder}", f"testsets.root={folder}", *case["overrides"])
        recipe = foreseen(lambda: load_any_recipe(path, overrides=overrides))
        if not isinstance(recipe, GenderFairError):
            foreseen(lambda: stages_of(recipe))
        assert [found.name for found in folder.iterdir()] == ["r.yaml"], "reading a recipe wrote something"


# ---------------------------------------------------------------- model directories

_SAMPLE = "She knows her stuff. He said that his keys are hers."


def _model_cases() -> SearchStrategy[dict[str, Any]]:
    """A file of the tiny model is damaged, or a value in its JSON is another; sealed again, so that it is read."""
    values = st.fixed_dictionaries(
        {
            "file": st.sampled_from(("rewriter.json", "head.json", "config.json", "vocabulary.json")),
            "seed": st.integers(0, 2**32),
            "value": st.one_of(any_json(), st.sampled_from(("../x", "de", "edits", "full", "grammar", "huggingface"))),
            "data": st.none(),
        }
    )
    names = ("rewriter.json", "head.json", "pieces.model", "config.json")
    bytes_of = [
        st.fixed_dictionaries(
            {
                "file": st.just(name),
                "data": damaged([(TINY / name).read_bytes()]),
                "seed": st.just(0),
                "value": st.none(),
            }
        )
        for name in names
    ]
    return st.one_of(values, values, *bytes_of)


def _check_model(case: Case) -> None:
    with workplace() as folder:
        model = Path(shutil.copytree(TINY, folder / "model"))
        path = model / case["file"]
        if case["data"] is None:
            changed = json.loads(path.read_text(encoding="utf-8"))
            _put(changed, case["value"], random.Random(case["seed"]))
            path.write_text(json.dumps(changed), encoding="utf-8")
        else:
            path.write_bytes(case["data"])
        if case["file"] != "rewriter.json":
            _seal_again(model, case["file"])
        rewriter = foreseen(lambda: Rewriter.from_pretrained(model, threads=1))
        if isinstance(rewriter, Rewriter):
            answer = foreseen(lambda: rewriter.rewrite(_SAMPLE))
            assert isinstance(answer, str | GenderFairError)


def _put(tree: Any, value: Any, rng: random.Random) -> None:
    """Put a value, or nothing, in a random place of a tree of JSON."""
    while isinstance(tree, dict | list) and tree:
        key = rng.choice(sorted(tree)) if isinstance(tree, dict) else rng.randrange(len(tree))
        inner = tree[key]
        if not (isinstance(inner, dict | list) and inner) or rng.random() < 0.3:
            if rng.random() < 0.2:
                del tree[key]
            else:
                tree[key] = value
            return
        tree = inner


def _seal_again(model: Path, name: str) -> None:
    info = json.loads((model / "rewriter.json").read_text(encoding="utf-8"))
    info["files"][name] = file_digest(model / name)
    (model / "rewriter.json").write_text(json.dumps(info), encoding="utf-8")


# ---------------------------------------------------------------- conversion

_PO = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"

#: a.c:1
msgid "user"
msgstr "Nutzer*in %s \\"x\\"\\n"

msgid "a"
msgid_plural "b"
msgstr[0] "Ärzt*in"
msgstr[1] ""
"Ärzt*"
"innen"
"""
_XLIFF = """<?xml version="1.0"?><xliff version="1.2"><file><body><trans-unit id="1"><source>user</source>
<target>Nutzer*in <x id="1"/> &lt;b&gt;</target></trans-unit></body></file></xliff>
"""
_HTML = """<!DOCTYPE html><p title="Lehrer*in">Die Lehrer*innen &amp; <b>Schüler:in</b></p><!-- Ärzt*in -->
<script>let a = 'Lehrer*in';</script><textarea>Kund*in</textarea>
"""
_YAML = """a: Nutzer*in %{name}
b: 'Ärzt*innen'
c:
  - "Lehrer*in \\n"
  - >
    Lehrer*in
    und
d: |
  Kund*in
"""
_JSON = """{"a": "Nutzer*in {name}", "b": ["Ärzt*innen", 1, null], "c": {"d": "\\u00c4rzt*in"}}
"""
_FILES = {
    "text": "Die Lehrer*innen und der*die Ärzt*in.\n\n`Lehrer*in` im Text.\n",
    "html": _HTML,
    "po": _PO,
    "xliff": _XLIFF,
    "json": _JSON,
    "yaml": _YAML,
}
_MARKUP = "< > & &amp; <!-- --> <![CDATA[ \" ' \\ { } [ ] : msgstr msgid #~ - | &a *a \\u %s {0} \ufeff".split(" ")
_FILE_PIECES = (*(word.encode() for word in (*GERMAN_WORDS, *_MARKUP)), b"\n", b"\r\n", b"\xff", b"|\n", b">\n")


def _convert_cases() -> SearchStrategy[dict[str, Any]]:
    def of(kind: str) -> SearchStrategy[dict[str, Any]]:
        whole = damaged([_FILES[kind].encode()], _FILE_PIECES)
        data = st.one_of(whole, german.map(str.encode)) if kind == "text" else whole
        return st.fixed_dictionaries(
            {"kind": st.just(kind), "data": data, "form": st.sampled_from((*FORMS, "masculine"))}
        )

    return st.one_of(*map(of, _FILES))


@cache
def _converter(form: str) -> Converter | GenderFairError:
    found: Converter | GenderFairError = foreseen(lambda: get_converter(form))
    return found


def _check_convert(case: Case) -> None:
    converter = _converter(case["form"])
    assert isinstance(converter, GenderFairError) is (case["form"] not in FORMS and case["form"] != "masculine")
    if isinstance(converter, GenderFairError):
        return
    made = foreseen(lambda: convert_bytes(case["data"], converter, kind=case["kind"], source="file"))
    if isinstance(made, GenderFairError):
        return
    assert made.changes or made.data == case["data"], "something changed without a change that is told"
    assert made.data.count(b"\n") == case["data"].count(b"\n"), "another number of lines"


TARGETS = (
    Target("recipe", _recipe_cases, _check_recipe),
    Target("model", _model_cases, _check_model, native=True),
    Target("convert", _convert_cases, _check_convert),
)
