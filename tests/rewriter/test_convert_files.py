"""``gender-fair convert`` over the files of translators: words change, everything else stays byte for byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rewriter.cli.convert import run as run_convert
from rewriter.cli.main import HelpfulParser
from rewriter.convert import get_converter
from rewriter.convert.converter import Converter
from rewriter.convert.files import convert_bytes, convert_file, kind_of
from rewriter.errors import GenderFairError, InputError, UsageError

#: name, kind, the file with {words} for its gender-fair words in star form
SHAPES = {
    "i18next": (
        "json",
        '{\n  "user_one": "{{count}} «Nutzer*in»",\n  "user_other": "{{count}} «Nutzer*innen»",\n'
        '  "Nutzer*innen": {"hint": "Frag «eine*n Lehrer*in» \\u2013 $t(Nutzer*innen)"},\n  "n": 3, "x": null, "l": ["«der*die»", true]\n}\n',
    ),
    "arb": (
        "json",
        '{"@@locale": "de", "greeting": "Liebe «Kolleg*innen» in {ort}",\n'
        ' "@greeting": {"description": "Kolleg*innen", "placeholders": {"ort": {}}}}',
    ),
    "icu": (
        "json",
        '{"m": "{count, plural, =0 {keine «Schüler*innen»} one {# «Schüler*in» von {klasse}} other {# «Schüler*innen»}}"}',
    ),
    "ascii-json": ("json", '{"a": "F\\u00fcr «Sch\\u00fcler*innen» \\/ \\"«Lehrer*innen»\\""}'),
    "rails": (
        "yaml",
        "# Nutzer*innen: bleibt\nde:\n  Nutzer*innen: &name «Nutzer*innen»\n  alias: *name\n  quoted: 'Die «Nutzer*innen» sind''s'\n"
        '  double: "Sch\\xFCler und «Lehrer*innen»\\n%{count} #{x}"\n  block: |-\n    Liebe «Kolleg*innen»,\n    %{Nutzer*innen}\n'
        "  folded: >\n    Viele «Schüler*innen»\n    lesen\n  flow: {a: «Lehrer*innen», Lehrer*innen: 1}\n  list:\n    - «Ärzt*in»\n",
    ),
    "gettext": (
        "po",
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Team: Nutzer*innen\\n"\n\n#: Nutzer*innen.c:3\n'
        '#, c-format\nmsgctxt "Nutzer*innen"\nmsgid "%d Nutzer*in"\nmsgid_plural "%d Nutzer*innen"\nmsgstr[0] "%d «Nutzer*in»"\n'
        'msgstr[1] ""\n"%d «Nutzer*innen» \\"und\\" "\n"«Lehrer*innen»\\n"\n\n#~ msgid "alt"\n#~ msgstr "Nutzer*innen"\n',
    ),
    "xliff-1.2": (
        "xliff",
        '<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2"><file source-language="en" target-language="de-DE" original="x">\n'
        '<body><trans-unit id="Nutzer*innen"><source>Nutzer*innen</source><target state="final">Die <g id="1">«Nutzer*innen»</g> '
        '&amp; <ph id="2">Nutzer*innen</ph> <x id="3"/>«Lehrer*innen»</target><note>Nutzer*innen</note></trans-unit></body></file></xliff>\n',
    ),
    "xliff-2": (
        "xliff",
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de"><file id="f"><unit id="u">'
        "<segment><source>teachers</source><target>F&#252;r «Sch&#252;ler*innen» und <pc id='1'>«jede*n Lehrer*in»</pc></target>"
        "</segment></unit></file></xliff>",
    ),
    "html": (
        "html",
        '<p title="Nutzer*innen">Die «Sch&uuml;ler*innen» und <b>«der*die Lehrer*in»</b></p>\r\n<!-- Nutzer*innen -->'
        "<code>Nutzer*innen</code> &lt;b&gt; &nbsp;«Nutzer*in»",
    ),
    "markdown": (
        "text",
        "\ufeff# «Nutzer*innen»\n\n```\nNutzer*innen\n```\n[«Lehrer*innen»](https://example.org/Lehrer*innen) `Nutzer*in` und {name}\n",
    ),
}
SPELT = {"\\u00fc": "ü", "&#252;": "ü", "&uuml;": "ü"}


def source(shape: str) -> str:
    return SHAPES[shape][1].replace("«", "").replace("»", "")


def wanted(shape: str, sign: str) -> str:
    """Return the file with another sign in the marked words, and in these only."""
    parts = SHAPES[shape][1].replace("»", "«").split("«")
    return "".join(part.replace("*", sign) if n % 2 else part for n, part in enumerate(parts))


@pytest.fixture(scope="module")
def colon() -> Converter:
    return get_converter("colon")


@pytest.fixture(scope="module")
def star() -> Converter:
    return get_converter("star")


@pytest.mark.parametrize("shape", SHAPES)
def test_words_change_and_nothing_else(shape: str, colon: Converter, star: Converter) -> None:
    kind, data = SHAPES[shape][0], source(shape).encode()
    there = convert_bytes(data, colon, kind=kind)
    assert there.data.decode() == wanted(shape, ":")
    assert convert_bytes(there.data, colon, kind=kind).data == there.data
    assert convert_bytes(there.data, star, kind=kind).data == data


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("form", ["slash", "binnen-i", "gap", "pair", "masculine", "feminine"])
def test_every_form_leaves_a_file_that_can_be_read(shape: str, form: str) -> None:
    kind, data = SHAPES[shape][0], source(shape).encode()
    converter = get_converter(form)
    result = convert_bytes(data, converter, kind=kind)
    assert result.changes
    assert convert_bytes(result.data, converter, kind=kind).data == result.data


def test_escapes_of_the_file_are_kept(colon: Converter) -> None:
    data = '{"a": "Gr\\u00fc\\u00dfe an \\u00c4rzt*innen\\n"}'
    new = convert_bytes(data.encode(), get_converter("pair"), kind="json").data.decode()
    assert new == '{"a": "Gr\\u00fc\\u00dfe an \\u00c4rztinnen und \\u00c4rzte\\n"}'
    assert json.loads(new)["a"] == "Grüße an Ärztinnen und Ärzte\n"


def test_sources_of_a_german_xliff_without_targets(colon: Converter) -> None:
    data = b'<xliff version="1.2"><file source-language="de"><trans-unit id="a"><source>Nutzer*innen</source></trans-unit></file></xliff>'
    assert b"<source>Nutzer:innen</source>" in convert_bytes(data, colon, kind="xliff").data


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        ("json", b'{"a": 1,\n}', "x:2: not JSON"),
        ("yaml", b"a: b: c\n", "x:1: not YAML"),
        ("po", b'msgid "a"\nNutzer\n', "x:2: no line of a PO file"),
        ("po", b'msgid ""\nmsgstr "charset=ISO-8859-1\\n"\n', "x:2: the charset is ISO-8859-1"),
        ("xliff", b"<a>\n<b></a>", "x:2: not XML"),
        ("text", b"a\n\xff", "x:2: not UTF-8"),
    ],
)
def test_files_that_cannot_be_read(kind: str, data: bytes, message: str, colon: Converter) -> None:
    with pytest.raises(InputError, match=message):
        convert_bytes(data, colon, kind=kind, source="x")


def test_kind_by_name() -> None:
    assert [kind_of(name) for name in ("a.po", "b.XLF", "c.yml", "d.arb", "e.md")] == ["po", "xliff", "yaml", "json", "text"]
    with pytest.raises(UsageError, match="pass --format"):
        kind_of("a.csv")
    with pytest.raises(UsageError, match="format must be one of"):
        kind_of("a.po", "gettext")


def command(*words: str) -> int:
    from rewriter.cli.convert import register

    parser = HelpfulParser()
    register(parser.add_subparsers())
    return run_convert(parser.parse_args(["convert", *words]))


def test_dry_run_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "de.json"
    path.write_text('{\n"a": "Nutzer*innen"}', encoding="utf-8")
    assert command("--to-form", "colon", "--dry-run", str(tmp_path)) == 0
    assert capsys.readouterr().out == f"{path}:2: Nutzer*innen -> Nutzer:innen\n"
    assert "*" in path.read_text(encoding="utf-8")
    command("--to-form", "colon", "--in-place", str(tmp_path))
    assert path.read_text(encoding="utf-8") == '{\n"a": "Nutzer:innen"}'


def test_what_has_no_such_form_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Das Kund*innenkonto der Kund*innen", encoding="utf-8")
    command("--to-form", "pair", "-o", str(tmp_path / "b.txt"), str(path))
    assert (tmp_path / "b.txt").read_text(encoding="utf-8") == "Das Kund*innenkonto der Kundinnen und Kunden"
    assert "a.txt:1: Kund*innenkonto stays" in capsys.readouterr().err


def test_several_files_need_a_place(tmp_path: Path) -> None:
    for name in ("a.po", "b.po"):
        (tmp_path / name).write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="2 files"):
        command("--to-form", "colon", str(tmp_path))
    with pytest.raises(GenderFairError, match="no such file"):
        command("--to-form", "colon", str(tmp_path / "c.po"))
    assert convert_file(tmp_path / "a.po", get_converter("colon")).data == b""


def test_languages_without_forms() -> None:
    with pytest.raises(UsageError, match="one form"):
        get_converter("colon", lang="en")
    with pytest.raises(UsageError, match="form must be one of"):
        get_converter("asterisk")
