"""The shipped tables: complete, consistent, with source and licence."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from lexicons.loader import TableError, parse_table, read_table, read_table_file

NAMES = [
    (lang, path.stem) for lang in ("en", "de") for path in sorted((Path(str(files("lexicons"))) / lang).glob("*.tsv"))
]


@pytest.mark.parametrize(("lang", "name"), NAMES)
def test_every_table_names_source_and_licence(lang: str, name: str) -> None:
    text = files("lexicons").joinpath(lang, f"{name}.tsv").read_text(encoding="utf-8")
    head = " ".join(line for line in text.splitlines() if line.startswith("#"))
    assert "Source:" in head and "Licence:" in head


@pytest.mark.parametrize(("lang", "name"), NAMES)
def test_no_row_stands_twice_and_no_cell_has_spaces_around(lang: str, name: str) -> None:
    rows = read_table(lang, name)
    assert rows
    assert len({tuple(row.items()) for row in rows}) == len(rows)
    # what is inserted behind a word begins with the space between them
    assert all(cell == cell.strip() for row in rows for key, cell in row.items() if key != "phrase")


def test_every_pronoun_and_case_is_there() -> None:
    rows = {(row["gendered"], row["case"]): row["fair"] for row in read_table("en", "pronouns")}
    assert rows == {
        ("he", "subject"): "they", ("she", "subject"): "they", ("him", "object"): "them", ("her", "object"): "them",
        ("his", "possessive"): "their", ("her", "possessive"): "their", ("his", "standalone"): "theirs",
        ("hers", "standalone"): "theirs", ("himself", "reflexive"): "themself", ("herself", "reflexive"): "themself",
        ("hisself", "reflexive"): "themself",
    }  # fmt: skip


def test_nouns_are_gendered_once_and_have_singular_and_plural() -> None:
    rows = read_table("en", "nouns")
    assert len({row["gendered"] for row in rows}) == len(rows)
    assert {row["number"] for row in rows} <= {"singular", "plural"}
    assert {row["gender"] for row in rows} <= {"masculine", "feminine", "both", "neutral"}
    assert not {row["gendered"] for row in rows} & {row["fair"] for row in rows}


@pytest.mark.parametrize(
    ("gendered", "fair"),
    [("chairwomen", "chairpeople"), ("policeman", "police officer"), ("congressmen", "members of congress"),
     ("stewardesses", "flight attendants"), ("man and wife", "husband and wife"), ("freshman", "first-year student"),
     ("best man for the job", "best person for the job"), ("waitress", "waiter"), ("mankind", "humankind")],
)  # fmt: skip
def test_nouns_of_the_convention(gendered: str, fair: str) -> None:
    assert {row["gendered"]: row["fair"] for row in read_table("en", "nouns")}[gendered] == fair


def test_verbs_are_lower_case_third_persons() -> None:
    rows = read_table("en", "verbs")
    assert len({row["third"] for row in rows}) == len(rows)
    assert all(row["third"].endswith("s") for row in rows)
    assert [row["third"] for row in rows if row["third"] == row["base"]] == ["rendezvous"]
    assert all(cell == cell.lower() for row in rows for cell in row.values())


def test_double_forms_hold_two_pronouns_of_their_case() -> None:
    assert {row["case"] for row in read_table("en", "double_forms")} == {
        "subject", "object", "possessive", "standalone", "reflexive"
    }  # fmt: skip


# The loader


def test_a_table_is_comments_a_header_and_rows() -> None:
    assert parse_table("# why\ngendered\tfair\n\nfoo\tbar\n", where="x") == ({"gendered": "foo", "fair": "bar"},)


def test_a_row_with_another_number_of_cells_is_named() -> None:
    with pytest.raises(TableError, match=r"x\.tsv:3: 1 cells where the header has 2"):
        parse_table("a\tb\n1\t2\n3\n", where="x.tsv")


def test_a_missing_table_and_a_missing_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no table 'verb' for language 'en'"):
        read_table("en", "verb")
    with pytest.raises(TableError, match=r"none\.tsv: cannot be read"):
        read_table_file(tmp_path / "none.tsv")
