"""Tables as text and Markdown."""

from eval.tables import Table

table = Table(["system", "set a"], [["nothing done", "10.72"], ["ours | new", "0.24*"]])


def test_plain():
    assert table.plain().splitlines() == [
        "system        set a",
        "------------  -----",
        "nothing done  10.72",
        "ours | new    0.24*",
    ]


def test_markdown_escapes_what_would_mean_something():
    assert table.markdown().splitlines() == [
        "| system | set a |",
        "| --- | ---: |",
        "| nothing done | 10.72 |",
        r"| ours \| new | 0.24\* |",
    ]


def test_wide_and_combining_characters_keep_columns_straight():
    lines = Table(["a", "n"], [["日本", "1"], ["e\u0301t", "2"]]).plain().splitlines()
    assert lines[2:] == ["日本  1", "e\u0301t    2"]


def test_several_text_columns():
    assert (
        Table(["a", "b", "n"], [["x", "y", "10"]], text_columns=2).markdown().splitlines()[1] == "| --- | --- | ---: |"
    )


def test_a_table_without_rows_is_its_head():
    assert Table(["a", "b"], []).plain().splitlines() == ["a  b", "-  -"]
