"""The tool that follows a sentence counts our functions, files and types, and nothing of what was done before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rewriter.records import Edit, apply_edits
from tools.trace_sentence import trace

ROOT = Path(__file__).resolve().parents[2]


class OneEdit:
    """A rewriter of one word; what it loads at the first call must not be counted."""

    def __init__(self) -> None:
        self.loaded: list[str] = []

    def forget(self) -> None:
        pass

    def rewrite(self, text: str, return_edits: bool = False) -> Any:
        if not self.loaded:
            from rewriter.text.offsets import within

            self.loaded = [str(within([], 0, 1))]
        return apply_edits(text, [Edit(0, 3, "She", "They", "pronoun", "")])


def test_functions_files_and_types_of_one_text() -> None:
    found = trace(OneEdit(), "She left.", ROOT)
    assert found.calls[("rewriter/records.py", "apply_edits")] == 1
    assert found.files == ["rewriter/records.py"]
    assert "rewriter.records.Edit" not in found.types, "a list of edits is no edit"
    assert not any("within" in function for _, function in found.calls)


def test_a_function_is_a_hop_where_it_is_called_first() -> None:
    found = trace(OneEdit(), "She left.", ROOT)
    assert next((depth, function) for depth, _, function in found.hops) == (0, "apply_edits")
