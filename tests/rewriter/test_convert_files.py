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

#: files with their gender-fair words in star form between « and »
SHAPES = sorted((Path(__file__).parents[1] / "data" / "de" / "convert").iterdir())


def marked(shape: Path) -> str:
    return shape.read_bytes().decode()


def source(shape: Path) -> bytes:
    return marked(shape).replace("«", "").replace("»", "").encode()


def wanted(shape: Path, sign: str) -> str:
    """Return the file with another sign in the marked words, and in these only."""
    parts = marked(shape).replace("»", "«").split("«")
    return "".join(part.replace("*", sign) if n % 2 else part for n, part in enumerate(parts))


def name(shape: Path) -> str:
    return shape.name


@pytest.fixture(scope="module")
def colon() -> Converter:
    return get_converter("colon")


@pytest.fixture(scope="module")
def star() -> Converter:
    return get_converter("star")


@pytest.mark.parametrize("shape", SHAPES, ids=name)
def test_words_change_and_nothing_else(shape: Path, colon: Converter, star: Converter) -> None:
    kind, data = kind_of(shape), source(shape)
    there = convert_bytes(data, colon, kind=kind)
    assert there.data.decode() == wanted(shape, ":")
    assert convert_bytes(there.data, colon, kind=kind).data == there.data
    assert convert_bytes(there.data, star, kind=kind).data == data


@pytest.mark.parametrize("shape", SHAPES, ids=name)
@pytest.mark.parametrize("form", ["slash", "binnen-i", "gap", "pair", "masculine", "feminine"])
def test_every_form_leaves_a_file_that_can_be_read(shape: Path, form: str) -> None:
    kind, data = kind_of(shape), source(shape)
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
    unit = b'<trans-unit id="a"><source>Nutzer*innen</source></trans-unit>'
    data = b'<xliff version="1.2"><file source-language="de">' + unit + b"</file></xliff>"
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
    assert [kind_of(name) for name in ("a.po", "b.XLF", "c.yml", "d.arb", "e.md")] == [
        "po",
        "xliff",
        "yaml",
        "json",
        "text",
    ]
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
