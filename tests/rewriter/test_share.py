"""A share of a corpus: by the text's hash, so the same everywhere; smaller shares lie inside larger ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.cli.main import main
from rewriter.errors import UsageError
from rewriter.formats.base import Content
from rewriter.runs.share import Both, ShareSelector, in_share

LINES = [f"She saw house number {n}." for n in range(400)]


@given(st.text(), st.floats(0, 1), st.floats(0, 1), st.integers(-5, 5))
def test_a_smaller_share_lies_in_a_larger_one(text: str, a: float, b: float, seed: int) -> None:
    small, large = sorted((a, b))
    assert in_share(text, 1, seed) and not in_share(text, 0, seed)
    assert in_share(text, large, seed) or not in_share(text, small, seed)


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5, 0.9])
def test_the_share_is_met_and_the_seed_takes_others(share: float) -> None:
    texts = [f"{n} {line}" for n in range(5) for line in LINES]
    taken = [in_share(text, share) for text in texts]
    assert sum(taken) / len(taken) == pytest.approx(share, abs=0.04)
    assert taken != [in_share(text, share, 2) for text in texts]


def test_what_was_taken_stays_taken() -> None:
    """Runs of other versions must rewrite the same lines."""
    assert [n for n, line in enumerate(LINES[:20]) if in_share(line, 0.25)] == [3, 8, 14]


def test_selectors_go_together() -> None:
    contents = [Content(line) for line in LINES]
    half, other = ShareSelector(0.5), ShareSelector(0.5, 2)
    assert Both(half, other)(contents) == [a and b for a, b in zip(half(contents), other(contents), strict=True)]


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_a_share_lies_between_0_and_1(share: float) -> None:
    with pytest.raises(UsageError, match="between 0 and 1"):
        ShareSelector(share)


def test_the_command_rewrites_the_share(tmp_path: Path) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text("".join(line + "\n" for line in LINES))
    assert main(["rewrite", str(source), "-o", str(target), "--share", "0.25", "--processes", "1"]) == 0
    changed = [line for line in target.read_text().splitlines() if line.startswith("They")]
    assert changed == [line.replace("She", "They") for line in LINES if in_share(line, 0.25)]
    assert main(["rewrite", str(source), "-o", str(target), "--share", "2"]) == 2
