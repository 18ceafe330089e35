"""The forward rules alone as a rewriter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from augment.apply import apply_rules, apply_rules_to_file
from augment.dependency import Parse
from rewriter.errors import InputError


class HandMade:
    """Answers with parses made by hand, and remembers what it was asked."""

    def __init__(self, parses: Iterable[Parse]) -> None:
        self._parses = {parse.text: parse for parse in parses}
        self.asked: list[str] = []

    def parse_all(self, texts: Iterable[str]) -> Iterator[Parse]:
        for text in texts:
            self.asked.append(text)
            yield self._parses[text]


@pytest.fixture
def parser(annotate: Callable[[str], Parse]) -> HandMade:
    return HandMade([annotate("She/PRP/2/nsubj knows/VBZ/0/root it/PRP/2/obj ~././2/punct")])


def test_order_is_kept_and_plain_text_never_parsed(parser: HandMade) -> None:
    texts = ["It  rains.", "She knows it.", ""]
    assert list(apply_rules(texts, parser)) == ["It  rains.", "They know it.", ""]  # type: ignore[arg-type]
    assert parser.asked == ["She knows it."]


def test_a_file_line_by_line(parser: HandMade, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("She knows it.\n\nIt rains.\n", encoding="utf-8")
    assert apply_rules_to_file(tmp_path / "in.txt", tmp_path / "out.txt", parser) == 3  # type: ignore[arg-type]
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == "They know it.\n\nIt rains.\n"


def test_a_missing_file_is_named(parser: HandMade, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.txt: cannot be read"):
        apply_rules_to_file(tmp_path / "none.txt", tmp_path / "out.txt", parser)  # type: ignore[arg-type]
