"""Hard-wrapped plain text is recognised by its width and read by paragraph; other text is read line by line."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from rewriter.formats import FormatOptions, reading_notes, unit_of
from rewriter.formats.wrapped import is_hard_wrapped
from rewriter.pipeline import Rewriter

PARAGRAPH = (
    "The old clerk opened the shop at seven, and she swept the floor before anybody came in from the street. "
    "Her dog slept under the counter, where it was warm, and she knows every customer by the sound of the door. "
    "When the baker came with the bread, he told her that the bridge was closed and that he had walked around by the "
    "mill, which takes an hour, and he was so tired that he sat down on a sack and asked for a cup of water. "
)
TEXT = PARAGRAPH * 2


@pytest.mark.parametrize("width", [40, 60, 72, 80, 120])
def test_wrapped_text_is_recognised(width: int) -> None:
    assert is_hard_wrapped("\n".join(textwrap.wrap(TEXT, width)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        TEXT,
        "\n".join(TEXT.split(". ")),
        "\n".join(["he said so", "and she left", "lol no", "that is what i told him", "ok"] * 5),
        "\n".join(["A line of a poem that begins", "With a capital in each of its lines", "And is not cut"] * 6),
        "\n".join(textwrap.wrap(TEXT, 72)[:4]),
        "\n".join(f"name {i},value {i}" for i in range(40)),
    ],
    ids=["empty", "one line", "sentences", "chat", "verse", "too short", "data"],
)
def test_other_text_is_not(text: str) -> None:
    assert not is_hard_wrapped(text)


def test_the_unit_and_the_note(tmp_path: Path) -> None:
    wrapped, lines = tmp_path / "wrapped.txt", tmp_path / "lines.txt"
    wrapped.write_text("\n".join(textwrap.wrap(TEXT, 72)) + "\n", encoding="utf-8")
    lines.write_text(TEXT, encoding="utf-8")
    assert (unit_of(wrapped), unit_of(lines)) == ("paragraph", "line")
    assert unit_of(wrapped, FormatOptions(unit="line")) == "line"
    assert [note.split(": ")[1] for note in reading_notes([wrapped, lines])] == [
        "hard-wrapped, read by paragraph; --unit line reads it line by line"
    ]


@pytest.mark.parametrize("width", [45, 72])
def test_wrapped_text_is_rewritten_as_its_unwrapped_text(width: int) -> None:
    rewriter = Rewriter.from_pretrained("en", threads=1)
    text = TEXT.strip()
    wrapped = rewriter.rewrite("\n".join(textwrap.wrap(text, width)))
    assert " ".join(wrapped.split("\n")) == rewriter.rewrite(text)
